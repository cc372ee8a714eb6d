/* Draws of coefficients by ranks that have some of the documents each: the same bits at all of them, however many there are,
 * as one rank draws that has the same parts. */
#include "dealt_parts.h"
#include "fake_team.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "coefficient/coefficient.h"
#include "coefficient/shrinkage.h"

enum { MOST_RANKS = 4 };

static const gb_key numbers = {{17, 4}};

/** A regression, and who draws its coefficients. */
typedef struct problem {
    uint64_t n_docs;
    size_t n_parts, n_topics, n_columns, n_outputs;
    size_t n_levels;     /* of a factor, which columns from the third on are, again and again */
    const char *sampler; /* NULL: no draw, but the prior's shares of coefficients (coefficient/shrinkage.h) */
    size_t n_threads;
} problem;

static size_t n_coefficients(const problem *p)
{
    return p->n_outputs * (p->n_topics + p->n_columns + 1);
}

/* ---- what a rank knows ---- */

typedef struct slice {
    uint32_t *count;
    uint64_t *doc_start;
    double *length, *score, *variance;
    gb_sparse_entry *entry;
    gb_score_term *term;
    uint64_t n_entries;
    gb_proportions z;
    gb_sparse_columns x;
    gb_coefficient_prior prior;
    gb_coefficient_scales scales;
} slice;

/* Covariates of all kinds: a number that every document has, one that most have, and levels that few have. */
static bool has_column(const problem *p, size_t j, uint64_t d)
{
    return j == 0 || (j == 1 ? d % 3 != 0 : d % p->n_levels == j % p->n_levels);
}

/* Document d of the corpus, number i here. */
static void make_document(const problem *p, uint64_t d, uint64_t i, slice *s)
{
    gb_random r = gb_random_open(numbers, 0, GB_DRAW_TEST, d);
    for (size_t n = 0; n < 1 + d % 9; n++) {
        s->count[i * p->n_topics + gb_random_below(&r, p->n_topics)]++;
        s->length[i]++;
    }
    for (size_t j = 0; j < p->n_columns; j++)
        if (has_column(p, j, d))
            s->entry[s->n_entries++] = (gb_sparse_entry){i, (uint32_t)j, gb_random_normal(&r)};
    for (size_t at = i * p->n_outputs; at < (i + 1) * p->n_outputs; at++) {
        s->term[at] = (gb_score_term){
            .slope = gb_random_normal(&r), .omega = gb_random_exponential(&r), .centre = gb_random_normal(&r)};
        s->score[at] = gb_random_normal(&r);
    }
}

static gb_status make_slice(const problem *p, const gb_portion *portion, slice *s, gb_error *err)
{
    gb_status st;
    const uint64_t n = portion->n_docs;
    *s = (slice){.n_entries = 0};
    GB_TRY(gb_alloc(&s->count, n * p->n_topics, sizeof *s->count, "a test", err));
    GB_TRY(gb_alloc(&s->doc_start, n + 1, sizeof *s->doc_start, "a test", err));
    GB_TRY(gb_alloc(&s->length, n, sizeof *s->length, "a test", err));
    GB_TRY(gb_alloc(&s->entry, n * p->n_columns, sizeof *s->entry, "a test", err));
    GB_TRY(gb_alloc(&s->term, n * p->n_outputs, sizeof *s->term, "a test", err));
    GB_TRY(gb_alloc(&s->score, n * p->n_outputs, sizeof *s->score, "a test", err));
    GB_TRY(gb_alloc(&s->variance, p->n_outputs, sizeof *s->variance, "a test", err));
    for (uint64_t i = 0; i < n; i++)
        make_document(p, portion->first_doc + i, i, s);
    for (size_t l = 0; l < p->n_outputs; l++)
        s->variance[l] = 1 + (double)l;
    s->prior = (gb_coefficient_prior){.ops = &gb_coefficient_normal,
                                      .variance = s->variance,
                                      .covariate_variance = s->variance,
                                      .intercept_variance = s->variance};
    GB_TRY(gb_coefficient_scales_create(&s->scales, &s->prior, p->n_outputs,
                                        gb_layout_make(p->n_topics, p->n_columns, 0, true), err));
    GB_TRY(gb_proportions_create(&s->z, n, p->n_topics, s->doc_start, 1, err));
    GB_TRY(gb_proportions_give(&s->z, s->count, s->length, err));
    GB_TRY(gb_sparse_columns_create(&s->x, n, p->n_columns, s->n_entries, s->entry, err));
    GB_TRY(gb_sparse_columns_index(&s->x, err));
done:
    return st;
}

static void free_slice(slice *s)
{
    gb_proportions_clear(&s->z);
    gb_sparse_columns_clear(&s->x);
    gb_coefficient_scales_clear(&s->scales);
    gb_free(s->count);
    gb_free(s->doc_start);
    gb_free(s->length);
    gb_free(s->entry);
    gb_free(s->term);
    gb_free(s->score);
    gb_free(s->variance);
}

/* ---- draws ---- */

typedef struct play {
    const problem *problem;
    double *eta[MOST_RANKS];
    gb_status status[MOST_RANKS];
} play;

static gb_status draw(const problem *p, const gb_portion *portion, bool names_portion, double *eta, gb_error *err)
{
    gb_status st;
    slice s;
    GB_TRY(make_slice(p, portion, &s, err));
    const gb_design design = gb_design_make(&s.z, p->n_columns == 0 ? NULL : &s.x, NULL, true);
    const gb_regression regression = {.portion = names_portion ? portion : NULL,
                                      .design = &design,
                                      .n_outputs = p->n_outputs,
                                      .term = s.term,
                                      .score = s.score,
                                      .scales = &s.scales,
                                      .key = numbers,
                                      .sweep = 3,
                                      .n_steps = 2,
                                      .n_threads = p->n_threads,
                                      .isa = gb_isa_best()};
    GB_TRY(p->sampler == NULL ? gb_coefficient_shrinkage(regression.portion, &s.scales, &design, s.term, eta, err)
                              : gb_coefficient_sampler_find(p->sampler, 0, 0)->draw(&regression, eta, err));
done:
    free_slice(&s);
    return st;
}

static void run_draw(gb_team *team, void *context)
{
    play *p = context;
    const size_t r = gb_team_rank(team);
    dealt_parts parts;
    gb_error err;
    deal_parts(team, p->problem->n_docs, p->problem->n_parts, &parts);
    p->status[r] = draw(p->problem, &parts.portion, true, p->eta[r], &err);
}

/* Coefficients of all ranks, all 0 before; the caller frees them. */
static fake_report play_on(size_t n_ranks, const fake_trouble *trouble, const problem *what, play *out)
{
    *out = (play){.problem = what};
    for (size_t r = 0; r < n_ranks; r++) {
        out->eta[r] = calloc(n_coefficients(what), sizeof *out->eta[r]);
        assert_non_null(out->eta[r]);
    }
    return fake_team_run(n_ranks, trouble, run_draw, out);
}

static void end_play(play *p)
{
    for (size_t r = 0; r < MOST_RANKS; r++)
        free(p->eta[r]);
}

static void assert_same_draws(const problem *what, size_t first_ranks, size_t last_ranks)
{
    play alone;
    play_on(1, NULL, what, &alone);
    assert_int_equal(alone.status[0], GB_OK);
    for (size_t n_ranks = first_ranks; n_ranks <= last_ranks; n_ranks++) {
        play p;
        assert_string_equal(play_on(n_ranks, NULL, what, &p).error.message, "");
        for (size_t r = 0; r < n_ranks; r++) {
            assert_int_equal(p.status[r], GB_OK);
            assert_memory_equal(p.eta[r], alone.eta[0], n_coefficients(what) * sizeof *alone.eta[0]);
        }
        end_play(&p);
    }
    end_play(&alone);
}

/* ---- claims ---- */

static const char *const SAMPLERS[] = {"block", "coordinate", "mixed", "conjugate", NULL};

static problem small_problem(const char *sampler, size_t n_parts)
{
    return (problem){.n_docs = 700,
                     .n_parts = n_parts,
                     .n_topics = 9,
                     .n_columns = 12,
                     .n_outputs = 11,
                     .n_levels = 7,
                     .sampler = sampler,
                     .n_threads = 1};
}

static void any_number_of_ranks_draws_the_same_coefficients(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof SAMPLERS / sizeof *SAMPLERS; i++)
        for (size_t n_parts = 1; n_parts <= 4; n_parts += 3)
            for (size_t n_threads = 1; n_threads <= 2; n_threads++) {
                problem p = small_problem(SAMPLERS[i], n_parts);
                p.n_threads = n_threads;
                assert_same_draws(&p, 2, MOST_RANKS);
                p.n_columns = 0;
                p.n_outputs = 1;
                assert_same_draws(&p, 2, MOST_RANKS);
            }
}

/* So many features that ranks share the draws out. */
static void draws_that_are_shared_out_are_the_same(void **state)
{
    (void)state;
    problem p = small_problem("block", 4);
    p.n_docs = 300;
    p.n_topics = 60;
    p.n_outputs = 27;
    assert_same_draws(&p, 2, MOST_RANKS);
    p.sampler = "mixed";
    assert_same_draws(&p, 3, 3);
}

/* So many parts that the sums of all outputs do not fit at once. */
static void outputs_in_several_turns_are_drawn_the_same(void **state)
{
    (void)state;
    problem p = small_problem("block", 40);
    p.n_docs = 400;
    p.n_topics = 200;
    p.n_outputs = 24;
    assert_same_draws(&p, 2, 2);
}

static void parts_only_change_the_order_of_sums(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof SAMPLERS / sizeof *SAMPLERS; i++) {
        /* rounding; posterior deviations are about 0.1, of which conjugate gradients may leave an error of 1e-4 */
        const double tolerance = SAMPLERS[i] != NULL && strcmp(SAMPLERS[i], "conjugate") == 0 ? 3e-5 : 1e-10;
        const problem whole = small_problem(SAMPLERS[i], 1), cut = small_problem(SAMPLERS[i], 4);
        play a, b;
        play_on(1, NULL, &whole, &a);
        play_on(1, NULL, &cut, &b);
        for (size_t k = 0; k < n_coefficients(&whole); k++)
            assert_true(fabs(a.eta[0][k] - b.eta[0][k]) < tolerance);
        end_play(&a);
        end_play(&b);
    }
}

static void all_documents_in_one_part_are_what_no_portion_means(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof SAMPLERS / sizeof *SAMPLERS; i++) {
        const problem p = small_problem(SAMPLERS[i], 1);
        double eta[2][11 * (9 + 12 + 1)] = {{0}};
        assert_int_equal(n_coefficients(&p), sizeof eta[0] / sizeof eta[0][0]);
        dealt_parts parts;
        deal_parts(NULL, p.n_docs, 1, &parts);
        assert_int_equal(draw(&p, &parts.portion, true, eta[0], NULL), GB_OK);
        assert_int_equal(draw(&p, &parts.portion, false, eta[1], NULL), GB_OK);
        assert_memory_equal(eta[0], eta[1], sizeof eta[0]);
    }
}

/* Two passes over 202 columns. */
static void levels_of_a_factor_are_drawn_in_few_calls(void **state)
{
    (void)state;
    problem p = small_problem("mixed", 4);
    play x;
    p.n_columns = 202;
    p.n_levels = 200;
    assert_true(play_on(2, NULL, &p, &x).n_calls < 30);
    end_play(&x);
    assert_same_draws(&p, 2, 3);
    p.sampler = "coordinate";
    assert_same_draws(&p, 2, 3);
}

/* Whatever call fails, all ranks come back and say so. */
static void a_rank_that_fails_ends_the_draw_at_all_ranks(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof SAMPLERS / sizeof *SAMPLERS; i++) {
        const problem p = small_problem(SAMPLERS[i], 4);
        play x;
        const uint64_t n_calls = play_on(3, NULL, &p, &x).n_calls;
        end_play(&x);
        for (uint64_t call = 1; call <= n_calls; call += 1 + n_calls / 40) {
            const fake_trouble trouble = {.failing_rank = call % 3, .failing_call = call};
            assert_int_equal(play_on(3, &trouble, &p, &x).n_open, 0);
            assert_int_equal(x.status[call % 3], GB_ERANK);
            for (size_t r = 0; r < 3; r++)
                assert_true(x.status[r] == GB_ERANK || (x.status[r] == GB_OK && call == n_calls));
            end_play(&x);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_ranks_draws_the_same_coefficients),
        cmocka_unit_test(draws_that_are_shared_out_are_the_same),
        cmocka_unit_test(outputs_in_several_turns_are_drawn_the_same),
        cmocka_unit_test(parts_only_change_the_order_of_sums),
        cmocka_unit_test(all_documents_in_one_part_are_what_no_portion_means),
        cmocka_unit_test(levels_of_a_factor_are_drawn_in_few_calls),
        cmocka_unit_test(a_rank_that_fails_ends_the_draw_at_all_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
