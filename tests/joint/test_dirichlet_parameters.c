/* Dirichlet parameters that are sampled, on three documents, (A A B), (B B A), (A), with two topics: means over a chain against sums
 * over all topics of tokens and a grid of parameters.  With alpha_k ~ Gamma(1.5, 1) and beta ~ Gamma(2, 2) the exact values are also
 * known from a program of another hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_effort.h"
#include "plan/spec.h"
#include "recipe/start.h"
#include "recipe/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_TOKENS = 7, N_DOCS = 3, N_STATES = 1 << N_TOKENS, N_BATCHES = 50 };
static const uint32_t word[N_TOKENS] = {0, 0, 1, 1, 1, 0, 0}, doc_end[N_DOCS] = {3, 6, 7};

/* P(z_1 = z_2), P(z_1 = z_4), E(alpha_1 + alpha_2), E|alpha_1 - alpha_2|, E beta */
enum { SAME_12, SAME_14, SUM, DIFFERENCE, BETA, N_QUANTITIES };
static const char *const name[N_QUANTITIES] = {"P(z1 = z2)", "P(z1 = z4)", "E sum of alpha", "E difference of alpha",
                                               "E beta"};

typedef struct row {
    const char *name, *alpha, *beta, *treatment, *blocks;
    double shape, rate; /* of alpha */
    bool is_symmetric, is_named;
    double beta_shape, beta_rate; /* 0: beta is given */
    bool is_given;                /* alpha, .6 for both topics */
    const char *seeds;
    unsigned seed[2]; /* of the first topic: tokens of A and of B */
    bool has_keyword; /* its keyword is A */
} row;

/* ---- exact ---- */

static double rise(double x, unsigned n)
{
    double product = 1;
    for (unsigned i = 0; i < n; i++)
        product *= x + i;
    return product;
}

/* Tokens of the first topic in each document, and of each topic and word. */
typedef struct counts {
    unsigned first[N_DOCS], length[N_DOCS], word[2][2];
} counts;

static counts count(unsigned state)
{
    counts n = {0};
    for (unsigned i = 0, d = 0; i < N_TOKENS; i++) {
        while (i >= doc_end[d])
            d++;
        n.first[d] += (state >> i & 1) == 0;
        n.length[d]++;
        n.word[state >> i & 1][word[i]]++;
    }
    return n;
}

static double p_topics(const counts *n, double a1, double a2)
{
    double p = 1;
    for (size_t d = 0; d < N_DOCS; d++)
        p *= rise(a1, n->first[d]) * rise(a2, n->length[d] - n->first[d]) / rise(a1 + a2, n->length[d]);
    return p;
}

/* A keyword: m of the first topic's tokens A come from it, with a switch of mean 1/2; sums over which. */
static double p_words(const row *r, const counts *n, double beta)
{
    double p = 1, with_keyword = 0, choices = 1;
    const unsigned all = n->word[0][0] + n->word[0][1], most = r->has_keyword ? n->word[0][0] : 0;
    const unsigned seeds = r->seed[0] + r->seed[1];
    for (unsigned m = 0; m <= most; m++) {
        with_keyword += choices * rise(beta + r->seed[0], n->word[0][0] - m) / rise(2 * beta + seeds, all - m) *
                        (r->has_keyword ? rise(1, m) * rise(1, all - m) / rise(2, all) : 1);
        choices *= (double)(most - m) / (m + 1);
    }
    p *= with_keyword * rise(beta + r->seed[1], n->word[0][1]);
    return p * rise(beta, n->word[1][0]) * rise(beta, n->word[1][1]) / rise(2 * beta, n->word[1][0] + n->word[1][1]);
}

/* Density of log x but for a constant. */
static double density(double shape, double rate, double x)
{
    return exp(shape * log(x) - rate * x);
}

/* Over log alpha_2 and u = log alpha_1 - log alpha_2, midpoints.  A named first topic: the prior is that of (4) in
 * prior/dirichlet.c, which for two topics is 1/7 <= alpha_1 / alpha_2 <= 1. */
static void integrate_alpha(const row *r, const counts *n, double *one, double *sum, double *difference)
{
    const double step = r->is_symmetric ? 1 : r->is_named ? log(7) / 30 : 0.0625;
    const double low = r->is_symmetric ? -0.5
                       : r->is_named   ? -log(7)
                                       : -40,
                 high = r->is_symmetric ? 0.5
                        : r->is_named   ? 0
                                        : 40;
    *one = *sum = *difference = 0;
    if (r->is_given) {
        *one = p_topics(n, 0.6, 0.6);
        *sum = 1.2 * *one;
        return;
    }
    for (double x = -50; x < 7; x += 0.125) {
        for (double u = low + step / 2; u < high; u += step) {
            const double a2 = exp(x), a1 = exp(x + u);
            const double p = density(r->shape, r->rate, a2) * (r->is_symmetric ? 1 : density(r->shape, r->rate, a1)),
                         w = p < 1e-14 ? 0 : p * p_topics(n, a1, a2);
            *one += w;
            *sum += w * (a1 + a2);
            *difference += w * fabs(a1 - a2);
        }
    }
}

static void integrate_beta(const row *r, const counts *n, double *one, double *mean)
{
    *one = *mean = 0;
    if (r->beta_shape == 0) {
        const double beta = strtod(r->beta, NULL);
        *one = p_words(r, n, beta);
        *mean = beta * *one;
        return;
    }
    for (double x = -30; x < 7; x += 0.05) {
        const double beta = exp(x), w = density(r->beta_shape, r->beta_rate, beta) * p_words(r, n, beta);
        *one += w;
        *mean += w * beta;
    }
}

/* Documents with the same counts have the same integral over alpha: 4 x 4 x 2 of them. */
static void find_exact(const row *r, double *exact)
{
    double alpha[32][3], total = 0;
    bool is_known[32] = {false};
    memset(exact, 0, N_QUANTITIES * sizeof *exact);
    for (unsigned s = 0; s < N_STATES; s++) {
        const counts n = count(s);
        const size_t at = n.first[0] + 4 * n.first[1] + 16 * n.first[2];
        double one, mean;
        if (!is_known[at])
            integrate_alpha(r, &n, &alpha[at][0], &alpha[at][1], &alpha[at][2]);
        is_known[at] = true;
        integrate_beta(r, &n, &one, &mean);
        const double w = alpha[at][0] * one;
        total += w;
        exact[SAME_12] += (s & 1) == (s >> 1 & 1) ? w : 0;
        exact[SAME_14] += (s & 1) == (s >> 3 & 1) ? w : 0;
        exact[SUM] += alpha[at][1] * one;
        exact[DIFFERENCE] += alpha[at][2] * one;
        exact[BETA] += alpha[at][0] * mean;
    }
    for (size_t q = 0; q < N_QUANTITIES; q++)
        exact[q] /= total;
}

/* ---- chains ---- */

static void check(gb_status status, const gb_error *err)
{
    if (status != GB_OK)
        fail_msg("%s", err->message);
}

static gb_corpus *build_corpus(void)
{
    gb_error err = {.status = GB_OK};
    gb_corpus_builder *b = NULL;
    gb_corpus *corpus = NULL;
    check(gb_corpus_builder_create(&b, &err), &err);
    for (size_t w = 0; w < 2; w++)
        check(gb_corpus_builder_word(b, &"AB"[w], 1, &err), &err);
    for (size_t d = 0, i = 0; d < N_DOCS; d++) {
        check(gb_corpus_builder_document(b, NULL, 0, &err), &err);
        for (; i < doc_end[d]; i++)
            check(gb_corpus_builder_token(b, word[i], &err), &err);
    }
    check(gb_corpus_builder_finish(b, NULL, NULL, &corpus, &err), &err);
    gb_corpus_builder_free(b);
    return corpus;
}

static gb_spec make_spec(const gb_corpus *corpus, const row *r)
{
    const char *const setting[][2] = {{"topics", "2"},
                                      {"alpha", r->alpha},
                                      {"beta", r->beta},
                                      {"seed", "8"},
                                      {"response", "none"},
                                      {"threads", "1"},
                                      {"topic-treatment", r->treatment}};
    gb_error err = {.status = GB_OK};
    gb_settings *settings = NULL;
    gb_spec spec;
    check(gb_settings_create(&settings, &err), &err);
    for (size_t i = 0; i < sizeof setting / sizeof setting[0]; i++)
        check(gb_settings_set(settings, setting[i][0], setting[i][1], &err), &err);
    if (r->blocks != NULL)
        check(gb_settings_set(settings, "blocks", r->blocks, &err), &err);
    if (r->seeds != NULL)
        check(gb_settings_set(settings, "seeds", r->seeds, &err), &err);
    check(gb_spec_resolve(corpus, settings, &spec, &err), &err);
    spec.prior.n_named = r->is_named ? 1 : 0;
    gb_settings_free(settings);
    return spec;
}

static void add_state(const gb_chain *chain, double *sum)
{
    uint16_t z[N_TOKENS];
    const double *alpha = chain->prior.values.table[0].value;
    for (size_t d = 0; d < N_DOCS; d++)
        gb_chain_assignment(chain, d, z + chain->corpus->doc_start[d]);
    sum[SAME_12] += z[0] == z[1];
    sum[SAME_14] += z[0] == z[3];
    sum[SUM] += alpha[0] + alpha[1];
    sum[DIFFERENCE] += fabs(alpha[0] - alpha[1]);
    sum[BETA] += chain->topics.beta;
}

static void find_means(const row *r, double *mean, double *error)
{
    gb_error err = {.status = GB_OK};
    gb_corpus *corpus = build_corpus();
    gb_spec spec = make_spec(corpus, r);
    gb_chain *chain = NULL;
    const size_t n = joint_effort(100000) / N_BATCHES;
    double square[N_QUANTITIES] = {0};
    memset(mean, 0, N_QUANTITIES * sizeof *mean);
    check(gb_chain_begin(&chain, corpus, &spec, 0, &err), &err);
    for (size_t i = 0; i < 100; i++)
        check(gb_recipe_sweep(chain, &err), &err);
    for (size_t b = 0; b < N_BATCHES; b++) {
        double sum[N_QUANTITIES] = {0};
        for (size_t i = 0; i < n; i++) {
            check(gb_recipe_sweep(chain, &err), &err);
            add_state(chain, sum);
        }
        for (size_t q = 0; q < N_QUANTITIES; q++) {
            mean[q] += sum[q] / (double)n / N_BATCHES;
            square[q] += sum[q] / (double)n * sum[q] / (double)n / N_BATCHES;
        }
    }
    for (size_t q = 0; q < N_QUANTITIES; q++)
        error[q] = sqrt(fmax(square[q] - mean[q] * mean[q], 0) / (N_BATCHES - 1));
    gb_chain_free(chain);
    gb_spec_clear(&spec);
    gb_corpus_free(corpus);
}

static void assert_law(const row *r)
{
    double exact[N_QUANTITIES], mean[N_QUANTITIES], error[N_QUANTITIES];
    find_exact(r, exact);
    find_means(r, mean, error);
    for (size_t q = 0; q < N_QUANTITIES; q++) {
        if (getenv("GIBBOUS_TABLE_VERBOSE") != NULL)
            print_message("             %s, %s: %.4f +- %.4f, exact %.4f, z %.1f\n", r->name, name[q], mean[q],
                          error[q], exact[q], (mean[q] - exact[q]) / fmax(error[q], 1e-9));
        if (!(fabs(mean[q] - exact[q]) < 4.5 * error[q] + 1e-6))
            fail_msg("%s, %s: %.5f +- %.5f, not %.5f", r->name, name[q], mean[q], error[q], exact[q]);
    }
}

/* ---- tests ---- */

static void sampled_alpha_has_its_posterior(void **state)
{
    static const row one = {.name = "alpha, blocks",
                            .alpha = "gamma:1.5,1",
                            .shape = 1.5,
                            .rate = 1,
                            .beta = "0.7",
                            .treatment = "blocks"},
                     drawn = {.name = "alpha, drawn topics",
                              .alpha = "sample",
                              .shape = 1,
                              .rate = 0.2,
                              .beta = "0.4",
                              .treatment = "sampled"};
    (void)state;
    assert_law(&one);
    assert_law(&drawn);
}

static void one_alpha_for_all_topics_has_its_posterior(void **state)
{
    static const row symmetric = {.name = "symmetric",
                                  .alpha = "sample-symmetric",
                                  .shape = 1,
                                  .rate = 0.2,
                                  .is_symmetric = true,
                                  .beta = "0.4",
                                  .treatment = "blocks"};
    (void)state;
    assert_law(&symmetric);
}

static void sparse_alpha_has_its_posterior(void **state)
{
    static const row sparse = {.name = "sparse",
                               .alpha = "sample-sparse",
                               .shape = 0.5,
                               .rate = 0.1,
                               .beta = "0.4",
                               .treatment = "blocks",
                               .blocks = "2"};
    (void)state;
    assert_law(&sparse);
}

static void alpha_of_a_named_topic_has_its_posterior_within_bounds(void **state)
{
    static const row named = {.name = "a named topic",
                              .alpha = "gamma:1.5,1",
                              .shape = 1.5,
                              .rate = 1,
                              .is_named = true,
                              .beta = "0.7",
                              .treatment = "blocks"};
    (void)state;
    assert_law(&named);
}

/* The values of the other program: .7732, .5302, 3.0668, 1.2313 and 1.1768. */
static void sampled_alpha_and_beta_have_their_posterior(void **state)
{
    static const double known[N_QUANTITIES] = {0.7732, 0.5302, 3.0668, 1.2313, 1.1768};
    static const row both = {.name = "alpha and beta",
                             .alpha = "gamma:1.5,1",
                             .shape = 1.5,
                             .rate = 1,
                             .beta = "gamma:2,2",
                             .beta_shape = 2,
                             .beta_rate = 2,
                             .treatment = "blocks",
                             .blocks = "1"};
    row other = both;
    double exact[N_QUANTITIES];
    (void)state;
    find_exact(&both, exact);
    for (size_t q = 0; q < N_QUANTITIES; q++)
        assert_true(fabs(exact[q] - known[q]) < (q == DIFFERENCE ? 1.5e-3 : 1e-4)); /* its grid was coarser */
    assert_law(&both);
    other.name = "two blocks";
    other.blocks = "2";
    assert_law(&other);
    other.name = "drawn topics";
    other.blocks = NULL;
    other.treatment = "sampled";
    assert_law(&other);
}

static void sampled_beta_has_its_posterior(void **state)
{
    static const row given = {.name = "beta",
                              .alpha = "0.6",
                              .is_given = true,
                              .beta = "sample",
                              .beta_shape = 1,
                              .beta_rate = 20,
                              .treatment = "blocks"};
    (void)state;
    assert_law(&given);
}

/* The first topic has two seed tokens of A, half as many as the documents have, and one of B, or A as its keyword. */
static void sampled_beta_leaves_seed_words_out(void **state)
{
    static const row seeds = {.name = "seed words as tokens",
                              .alpha = "0.6",
                              .is_given = true,
                              .beta = "gamma:2,2",
                              .beta_shape = 2,
                              .beta_rate = 2,
                              .seeds = "{\"named\": {\"A\": 0.5, \"B\": 0.3}}",
                              .seed = {2, 1},
                              .treatment = "blocks"};
    row other = seeds;
    (void)state;
    assert_law(&seeds);
    other.name = "seed words as tokens, drawn topics";
    other.treatment = "sampled";
    assert_law(&other);
}

static void sampled_beta_leaves_keywords_out(void **state)
{
    static const row keywords = {.name = "keywords",
                                 .alpha = "0.6",
                                 .is_given = true,
                                 .beta = "gamma:2,2",
                                 .beta_shape = 2,
                                 .beta_rate = 2,
                                 .seeds = "{\"named\": [\"A\"]}",
                                 .has_keyword = true,
                                 .treatment = "blocks"};
    row other = keywords;
    (void)state;
    assert_law(&keywords);
    other.name = "keywords, drawn topics";
    other.treatment = "sampled";
    assert_law(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sampled_alpha_has_its_posterior),
        cmocka_unit_test(one_alpha_for_all_topics_has_its_posterior),
        cmocka_unit_test(sparse_alpha_has_its_posterior),
        cmocka_unit_test(alpha_of_a_named_topic_has_its_posterior_within_bounds),
        cmocka_unit_test(sampled_alpha_and_beta_have_their_posterior),
        cmocka_unit_test(sampled_beta_has_its_posterior),
        cmocka_unit_test(sampled_beta_leaves_seed_words_out),
        cmocka_unit_test(sampled_beta_leaves_keywords_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
