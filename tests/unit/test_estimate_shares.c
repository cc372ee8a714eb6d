/* test_estimate_shares.c - shares of topics that words tell, the choice among them by labels, and what snapshots add. */
#include "helper_documents.h"

#include "chain/start.h"
#include "estimate/choice.h"
#include "recipe/sweep.h"

#include <math.h>
#include <string.h>

enum { K = 3, N_DOCS = 4, N_PASSES = 4, N_KEPT = 2, N_SNAPSHOTS = 2, LENGTH = 3, N_TOKENS = 9 };

/* The second document has no word that is known. */
static const uint64_t doc_start[N_DOCS + 1] = {0, LENGTH, LENGTH, 2 * LENGTH, 3 * LENGTH};

static gb_corpus documents(void)
{
    static uint64_t start[N_DOCS + 1];
    memcpy(start, doc_start, sizeof start);
    return (gb_corpus){.n_docs = N_DOCS, .n_tokens = N_TOKENS, .doc_start = start};
}

/* A rule that has nothing of a pattern. */
static uint16_t topic_of(size_t snapshot, size_t pass, uint64_t token)
{
    return (uint16_t)((snapshot * 5 + pass * pass + token * (pass + snapshot + 1)) % K);
}

static void draw_topics(gb_estimate_shares *s)
{
    for (size_t i = 0; i < N_SNAPSHOTS; i++) {
        gb_estimate_shares_begin(s);
        for (size_t pass = 0; pass < N_PASSES; pass++)
            for (uint64_t d = 0; d < N_DOCS; d++) {
                uint16_t topic[LENGTH] = {0};
                for (uint64_t n = doc_start[d]; n < doc_start[d + 1]; n++)
                    topic[n - doc_start[d]] = topic_of(i, pass, n);
                gb_estimate_shares_add(s, d, pass, topic);
            }
    }
    gb_estimate_shares_finish(s);
}

/* Shares of `docs`, with all topics drawn. */
static void create_drawn(gb_estimate_shares *s, const gb_corpus *docs)
{
    assert_int_equal(gb_estimate_shares_create(s, docs, K, N_PASSES, N_KEPT, N_SNAPSHOTS, NULL), GB_OK);
    draw_topics(s);
}

static double share_drawn(size_t snapshot, size_t pass, uint64_t d, size_t k)
{
    double n = 0;
    for (uint64_t i = doc_start[d]; i < doc_start[d + 1]; i++)
        n += topic_of(snapshot, pass, i) == k;
    return n / LENGTH;
}

static double mean_share(size_t snapshot, uint64_t d, size_t k)
{
    double sum = 0;
    for (size_t pass = 0; pass < N_PASSES; pass++)
        sum += share_drawn(snapshot, pass, d, k) / N_PASSES;
    return sum;
}

static void assert_near(double value, double expected, double error)
{
    if (!(fabs(value - expected) <= error))
        fail_msg("%.12g, expected %.12g", value, expected);
}

static void shares_are_the_mean_of_all_draws_under_all_snapshots(void **state)
{
    (void)state;
    const gb_corpus docs = documents();
    gb_estimate_shares s;
    create_drawn(&s, &docs);
    for (size_t k = 0; k < K; k++) {
        double of_others = 0;
        for (uint64_t d = 0; d < N_DOCS; d++) {
            const double mean = (mean_share(0, d, k) + mean_share(1, d, k)) / 2;
            if (d == 1)
                continue;
            assert_near(s.total[d * K + k] / s.length[d], mean, 1e-15);
            of_others += mean / (N_DOCS - 1);
        }
        assert_near(s.total[K + k] / s.length[1], of_others, 1e-6); /* counts of 2^20 */
    }
    gb_estimate_shares_clear(&s);
}

static void snapshots_deviate_from_the_mean_of_all(void **state)
{
    (void)state;
    const gb_corpus docs = documents();
    gb_estimate_shares s;
    create_drawn(&s, &docs);
    for (size_t i = 0; i < N_SNAPSHOTS; i++)
        for (uint64_t d = 0; d < N_DOCS; d++) {
            double deviation[K];
            gb_estimate_shares_deviation(&s, i, d, deviation);
            for (size_t k = 0; k < K; k++)
                assert_near(deviation[k], d == 1 ? 0 : (mean_share(i, d, k) - mean_share(1 - i, d, k)) / 2, 1e-15);
        }
    gb_estimate_shares_clear(&s);
}

static void the_last_draws_of_each_snapshot_are_kept(void **state)
{
    (void)state;
    const gb_corpus docs = documents();
    gb_estimate_shares s;
    create_drawn(&s, &docs);
    for (size_t draw = 0; draw < N_SNAPSHOTS * N_KEPT; draw++)
        for (uint64_t n = 0; n < N_TOKENS; n++)
            assert_int_equal(gb_estimate_shares_draw(&s, draw, 0)[n],
                             topic_of(draw / N_KEPT, N_PASSES - N_KEPT + draw % N_KEPT, n));
    gb_estimate_shares_clear(&s);
}

static void passes_that_cannot_be_counted_are_refused(void **state)
{
    (void)state;
    const gb_corpus docs = documents();
    gb_estimate_shares s;
    assert_int_equal(gb_estimate_shares_create(&s, &docs, K, 800000000, 1, N_SNAPSHOTS, NULL), GB_EARGUMENT);
    gb_estimate_shares_clear(&s);
}

/* ---- a regression on them ---- */

static gb_corpus *labelled(void)
{
    write_file("d.jsonl", "{\"text\":\"a b c\",\"l\":\"p\",\"y\":2.5,\"x\":1}\n"
                          "{\"text\":\"\",\"l\":\"n\",\"y\":-1,\"x\":0.3}\n"
                          "{\"text\":\"b c a\",\"l\":\"n\",\"y\":0.5,\"x\":-2}\n"
                          "{\"text\":\"c c a\",\"l\":\"p\",\"x\":0.7}\n");
    return corpus_of("d.jsonl", "label", "l", "target", "y", "covariates", "x:number", "token-pattern", "\\w", NULL);
}

static gb_plan *regression_plan(const gb_corpus *corpus)
{
    return plan_with(corpus, settings_of("topics", "3", "response", "l=logistic,y=gaussian", "cost", "l=1,y=1",
                                         "variance", "sample", "two-stage", "yes", "sweeps", "10", "burn-in", "1",
                                         "growth", "0", "seed", "4", "threads", "2", NULL));
}

/* With shares that were given, behind its burn-in. */
static gb_chain *begin(const gb_plan *plan, const gb_estimate_shares *s)
{
    gb_chain *c = NULL;
    assert_int_equal(gb_chain_create(plan, 0, &c, NULL), GB_OK);
    assert_int_equal(gb_chain_start_with(c, s->topic, NULL), GB_OK);
    assert_int_equal(gb_chain_give_shares(c, s->total, s->length, NULL), GB_OK);
    c->is_started = true;
    c->sweep = 1;
    return c;
}

static double share(const gb_estimate_shares *s, uint64_t d, size_t k)
{
    return s->total[d * K + k] / s->length[d];
}

static void scores_are_made_of_the_shares_given(void **state)
{
    (void)state;
    gb_estimate_shares s;
    gb_corpus *corpus = labelled();
    gb_plan *plan = regression_plan(corpus);
    assert_int_equal(gb_estimate_shares_create(&s, corpus, K, N_PASSES, N_KEPT, N_SNAPSHOTS, NULL), GB_OK);
    draw_topics(&s);
    gb_chain *c = begin(plan, &s);
    for (int sweep = 0; sweep < 3; sweep++)
        assert_int_equal(gb_recipe_sweep(c, NULL), GB_OK);
    const size_t n_outputs = c->spec->n_outputs, n_features = gb_spec_n_features(c->spec);
    for (uint64_t d = 0; d < N_DOCS; d++)
        for (size_t l = 0; l < n_outputs; l++) {
            const double *eta = c->eta + l * n_features;
            double sum = eta[K] * c->spec->x.value[d] + eta[K + 1];
            for (size_t k = 0; k < K; k++)
                sum += eta[k] * share(&s, d, k);
            assert_near(c->score[d * n_outputs + l], sum, 1e-12);
        }
    gb_chain_free(c);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
    gb_estimate_shares_clear(&s);
}

/* With the same noise, draws with and without the shift differ by that of their means:
 *     (P + sum omega f f') (eta - eta') = sum omega f shift */
static void a_shift_moves_the_coefficients_as_the_normal_equations_say(void **state)
{
    enum { F = K + 2, L = 2 };
    (void)state;
    gb_estimate_shares s;
    gb_corpus *corpus = labelled();
    gb_plan *plan = regression_plan(corpus);
    assert_int_equal(gb_estimate_shares_create(&s, corpus, K, N_PASSES, N_KEPT, N_SNAPSHOTS, NULL), GB_OK);
    draw_topics(&s);
    gb_chain *c = begin(plan, &s);
    assert_int_equal(gb_recipe_sweep(c, NULL), GB_OK);
    assert_int_equal(c->spec->n_outputs, L);
    double shift[N_DOCS * L], none[N_DOCS * L] = {0}, without[L * F];
    for (size_t i = 0; i < N_DOCS * L; i++)
        shift[i] = 0.3 * (double)(i * i % 7) - 0.8;
    assert_int_equal(gb_chain_draw_shifted(c, none, NULL), GB_OK);
    memcpy(without, c->eta, sizeof without);
    assert_int_equal(gb_chain_draw_shifted(c, shift, NULL), GB_OK);
    for (size_t l = 0; l < L; l++) {
        double precision[F], left[F], right[F] = {0}, moved = 0;
        c->scales.prior->ops->precision(&c->scales, l, precision);
        for (size_t j = 0; j < F; j++)
            left[j] = precision[j] * (without[l * F + j] - c->eta[l * F + j]);
        for (uint64_t d = 0; d < N_DOCS; d++) {
            const double f[F] = {share(&s, d, 0), share(&s, d, 1), share(&s, d, 2), c->spec->x.value[d], 1};
            const double omega = c->term[d * L + l].omega;
            double sum = 0;
            for (size_t j = 0; j < F; j++)
                sum += f[j] * (without[l * F + j] - c->eta[l * F + j]);
            for (size_t j = 0; j < F; j++) {
                left[j] += omega * f[j] * sum;
                right[j] += omega * f[j] * shift[d * L + l];
            }
        }
        for (size_t j = 0; j < F; j++) {
            assert_near(left[j], right[j], 1e-9);
            moved = fmax(moved, fabs(without[l * F + j] - c->eta[l * F + j]));
        }
        assert_true(moved > 0.001);
    }
    gb_chain_free(c);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
    gb_estimate_shares_clear(&s);
}

/* ---- the choice ---- */

/* p(y | draw) of a class and a number, to a factor; the number may be missing. */
static double weight_of(const gb_chain *c, uint64_t d, const uint16_t *topic)
{
    const size_t n_features = gb_spec_n_features(c->spec);
    const double *y = c->y + 2 * d;
    double score[2];
    for (size_t l = 0; l < 2; l++) {
        const double *eta = c->eta + l * n_features;
        score[l] = eta[K] * c->spec->x.value[d] + eta[K + 1];
        for (size_t n = 0; n < LENGTH; n++)
            score[l] += eta[topic[n]] / LENGTH;
    }
    return (isnan(y[1]) ? 1 : exp(-(y[1] - score[1]) * (y[1] - score[1]) / (2 * c->own[0]))) /
           (1 + exp(-y[0] * score[0]));
}

/* Coefficients that tell the draws of a document apart. */
static void set_coefficients(gb_chain *c)
{
    static const double eta[2][K + 2] = {{2, -1, 0.5, 0.3, -0.2}, {-1, 1.5, 0.4, -0.1, 0.1}};
    memcpy(c->eta, eta, sizeof eta);
    c->own[0] = 0.5;
    assert_int_equal(gb_chain_use_coefficients(c, NULL), GB_OK);
}

/* Which of the first documents' draws with the same counts it is. */
static bool is_chosen(const gb_estimate_choice *choice, uint64_t d, const uint16_t *topic)
{
    uint32_t count[K] = {0};
    for (size_t n = 0; n < LENGTH; n++)
        count[topic[n]]++;
    return memcmp(count, choice->count + d * K, sizeof count) == 0;
}

/* Of N steps each draw has its share of the posterior.  Steps are alike for some while: a share has a standard error
 * below sqrt(10 / (4 N)), and the bound is four of them. */
static void labels_choose_among_draws_by_their_likelihood(void **state)
{
    enum { N = 40000, N_DRAWS = N_SNAPSHOTS * N_KEPT };
    (void)state;
    gb_estimate_shares s;
    gb_estimate_choice choice;
    double n_chosen[N_DOCS][N_DRAWS] = {{0}}, most = 0;
    gb_corpus *corpus = labelled();
    gb_plan *plan = regression_plan(corpus);
    assert_int_equal(gb_estimate_shares_create(&s, corpus, K, N_PASSES, N_KEPT, N_SNAPSHOTS, NULL), GB_OK);
    draw_topics(&s);
    gb_chain *c = begin(plan, &s);
    assert_int_equal(gb_estimate_choice_create(&choice, &s, NULL), GB_OK);
    assert_int_equal(gb_estimate_choice_start(&choice, c, NULL), GB_OK);
    for (size_t i = 0; i < N; i++) {
        set_coefficients(c);
        c->sweep++;
        assert_int_equal(gb_estimate_choice_step(&choice, c, NULL), GB_OK);
        for (uint64_t d = 0; d < N_DOCS; d++)
            for (size_t j = 0; j < N_DRAWS; j++)
                n_chosen[d][j] += is_chosen(&choice, d, gb_estimate_shares_draw(&s, j, d));
    }
    for (uint64_t d = 0; d < N_DOCS; d++) {
        double total = 0, same[N_DRAWS] = {0};
        if (d == 1) { /* without words: the mean of the others, whatever its label */
            assert_memory_equal(choice.count + K, s.total + K, K * sizeof *choice.count);
            continue;
        }
        for (size_t i = 0; i < N_DRAWS; i++) {
            const uint16_t *topic = gb_estimate_shares_draw(&s, i, d);
            const double weight = weight_of(c, d, topic);
            total += weight;
            for (size_t j = 0; j < N_DRAWS; j++) { /* draws with the same counts cannot be told apart */
                uint32_t a[K] = {0}, b[K] = {0};
                for (size_t n = 0; n < LENGTH; n++) {
                    a[topic[n]]++;
                    b[gb_estimate_shares_draw(&s, j, d)[n]]++;
                }
                same[j] += memcmp(a, b, sizeof a) == 0 ? weight : 0;
            }
        }
        for (size_t j = 0; j < N_DRAWS; j++) {
            assert_near(n_chosen[d][j] / N, same[j] / total, 4 * sqrt(10.0 / (4 * N)));
            most = fmax(most, fabs(same[j] / total - 0.5));
        }
    }
    assert_true(most > 0.2); /* a choice by chance would not do */
    gb_estimate_choice_clear(&choice);
    gb_chain_free(c);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
    gb_estimate_shares_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_the_mean_of_all_draws_under_all_snapshots),
        cmocka_unit_test(snapshots_deviate_from_the_mean_of_all),
        cmocka_unit_test(the_last_draws_of_each_snapshot_are_kept),
        cmocka_unit_test(passes_that_cannot_be_counted_are_refused),
        cmocka_unit_test(scores_are_made_of_the_shares_given),
        cmocka_unit_test(a_shift_moves_the_coefficients_as_the_normal_equations_say),
        cmocka_unit_test(labels_choose_among_draws_by_their_likelihood),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
