/* Own parameters of responses, drawn by ranks that have some of the documents each: the same bits at all of them, however many
 * there are, as one rank draws that has the same parts. */
#include "dealt_parts.h"
#include "fake_team.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "response/response.h"

enum { MOST_RANKS = 4, N_DOCS = 700, N_LEVELS = 4, N_SWEEPS = 5, STRIDE = 2 };

static const gb_key numbers = {{23, 5}};

/** The labels of documents, and who explains them. */
typedef struct play {
    const char *response;
    size_t n_parts;
    gb_status status[MOST_RANKS];
    double own[MOST_RANKS][N_LEVELS - 1];
} play;

/* What a rank knows; some documents have no target. */
typedef struct slice {
    double y[N_DOCS * STRIDE], weight[N_DOCS * STRIDE], score[N_DOCS * STRIDE], offset[N_DOCS];
    uint64_t by_level[N_DOCS], level_start[N_LEVELS + 1];
} slice;

static double target(const gb_response *response, gb_random *r)
{
    if (response->ops->target == GB_TARGET_LEVEL)
        return (double)(1 + gb_random_below(r, N_LEVELS));
    return response->ops->target == GB_TARGET_COUNT ? (double)gb_random_below(r, 40) : gb_random_normal(r);
}

/* Document d of the corpus, number i here. */
static void make_document(const gb_response *response, uint64_t d, uint64_t i, slice *s)
{
    gb_random r = gb_random_open(numbers, 0, GB_DRAW_TEST, d);
    s->y[i * STRIDE] = d % 6 == 1 ? NAN : target(response, &r);
    s->score[i * STRIDE] = gb_random_normal(&r);
    s->weight[i * STRIDE] = gb_random_uniform(&r);
    s->offset[i] = gb_random_normal(&r);
}

static gb_scored_targets make_slice(const gb_response *response, const gb_portion *portion, slice *s)
{
    const bool has_levels = response->n_levels > 0, counts = response->ops->target == GB_TARGET_COUNT;
    for (uint64_t i = 0; i < portion->n_docs; i++)
        make_document(response, portion->first_doc + i, i, s);
    if (has_levels)
        gb_sort_by_level(portion->n_docs, STRIDE, s->y, N_LEVELS, s->by_level, s->level_start);
    return (gb_scored_targets){.portion = portion,
                               .n_docs = portion->n_docs,
                               .stride = STRIDE,
                               .y = s->y,
                               .weight = counts || has_levels ? NULL : s->weight,
                               .score = s->score,
                               .offset = counts ? s->offset : NULL,
                               .by_level = has_levels ? s->by_level : NULL,
                               .level_start = has_levels ? s->level_start : NULL};
}

static gb_status draw(const char *name, const gb_portion *portion, bool names_portion, double *own, gb_error *err)
{
    gb_status st = GB_OK;
    slice s;
    gb_response response = {.ops = gb_response_find(name), .cost = 1, .own = own};
    response.n_levels = response.ops->target == GB_TARGET_LEVEL ? N_LEVELS : 0;
    response.n_own = gb_response_count_own(&response);
    gb_response_start_own(&response, own);
    gb_scored_targets targets = make_slice(&response, portion, &s);
    targets.portion = names_portion ? portion : NULL;
    for (uint32_t sweep = 0; sweep < N_SWEEPS; sweep++) {
        gb_random random = gb_random_open(numbers, sweep, GB_DRAW_OWN_PARAMETER, 0);
        GB_TRY(response.ops->own->draw(&response, &targets, &random, own, err));
    }
done:
    return st;
}

static void run_draw(gb_team *team, void *context)
{
    play *p = context;
    const size_t r = gb_team_rank(team);
    dealt_parts parts;
    gb_error err;
    deal_parts(team, N_DOCS, p->n_parts, &parts);
    p->status[r] = draw(p->response, &parts.portion, true, p->own[r], &err);
}

/* ---- claims ---- */

static const gb_response_ops *next_with_own(size_t *i)
{
    const gb_response_ops *ops;
    while ((ops = gb_response_at((*i)++)) != NULL && ops->own == NULL)
        continue;
    return ops;
}

static void assert_same_draws(const char *response, size_t n_parts)
{
    play alone = {.response = response, .n_parts = n_parts};
    fake_team_run(1, NULL, run_draw, &alone);
    assert_int_equal(alone.status[0], GB_OK);
    for (size_t n_ranks = 2; n_ranks <= MOST_RANKS; n_ranks++) {
        play p = {.response = response, .n_parts = n_parts};
        assert_string_equal(fake_team_run(n_ranks, NULL, run_draw, &p).error.message, "");
        for (size_t r = 0; r < n_ranks; r++) {
            assert_int_equal(p.status[r], GB_OK);
            assert_memory_equal(p.own[r], alone.own[0], sizeof p.own[r]);
        }
    }
}

static void any_number_of_ranks_draws_the_same_parameters(void **state)
{
    (void)state;
    const gb_response_ops *ops;
    size_t n = 0;
    for (size_t i = 0; (ops = next_with_own(&i)) != NULL; n++) {
        assert_same_draws(ops->name, 1);
        assert_same_draws(ops->name, 4);
    }
    assert_int_equal(n, 3);
}

static void parts_only_change_the_order_of_sums(void **state)
{
    (void)state;
    const gb_response_ops *ops;
    for (size_t i = 0; (ops = next_with_own(&i)) != NULL;) {
        play whole = {.response = ops->name, .n_parts = 1}, cut = {.response = ops->name, .n_parts = 4};
        fake_team_run(1, NULL, run_draw, &whole);
        fake_team_run(1, NULL, run_draw, &cut);
        for (size_t j = 0; j < N_LEVELS - 1; j++) /* rounding; parameters are about 1, their deviations 0.1 */
            assert_true(fabs(whole.own[0][j] - cut.own[0][j]) < 1e-10);
    }
}

static void all_documents_in_one_part_are_what_no_portion_means(void **state)
{
    (void)state;
    const gb_response_ops *ops;
    for (size_t i = 0; (ops = next_with_own(&i)) != NULL;) {
        double own[2][N_LEVELS - 1] = {{0}};
        dealt_parts parts;
        deal_parts(NULL, N_DOCS, 1, &parts);
        assert_int_equal(draw(ops->name, &parts.portion, true, own[0], NULL), GB_OK);
        assert_int_equal(draw(ops->name, &parts.portion, false, own[1], NULL), GB_OK);
        assert_memory_equal(own[0], own[1], sizeof own[0]);
    }
}

/* Whatever call fails, all ranks come back and say so. */
static void a_rank_that_fails_ends_the_draw_at_all_ranks(void **state)
{
    (void)state;
    const gb_response_ops *ops;
    for (size_t i = 0; (ops = next_with_own(&i)) != NULL;) {
        play p = {.response = ops->name, .n_parts = 4};
        const uint64_t n_calls = fake_team_run(3, NULL, run_draw, &p).n_calls;
        for (uint64_t call = 1; call <= n_calls; call += 1 + n_calls / 40) {
            const fake_trouble trouble = {.failing_rank = call % 3, .failing_call = call};
            fake_team_run(3, &trouble, run_draw, &p);
            assert_int_equal(p.status[call % 3], GB_ERANK);
            for (size_t r = 0; r < 3; r++)
                assert_true(p.status[r] == GB_ERANK || (p.status[r] == GB_OK && call == n_calls));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_ranks_draws_the_same_parameters),
        cmocka_unit_test(parts_only_change_the_order_of_sums),
        cmocka_unit_test(all_documents_in_one_part_are_what_no_portion_means),
        cmocka_unit_test(a_rank_that_fails_ends_the_draw_at_all_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
