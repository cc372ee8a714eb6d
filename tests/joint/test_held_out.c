/* Held-out likelihood against exact sums.
 *
 * For a few words and a draw (phi, alpha) of the model all assignments are listed:
 *     p(w) = sum_z prod_n phi_{z_n, w_n} Gamma(abar) / Gamma(N + abar) prod_k Gamma(n_k + alpha_k) / Gamma(alpha_k),
 * and p(w_n | known half) is a mean of theta^' phi over the assignments of that half.  Both are averaged over draws of the
 * model; under the logistic-normal prior by integration over psi.  A document of many tokens of two words under two topics needs its four counts only. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "corpus/data/corpus.h"
#include "gibbous/gibbous.h"
#include "helper_draws.h"
#include "helper_settings.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the logistic-normal prior: mean and variance of the log odds of two topics. */
#define PSI_MEAN     "0.5"
#define PSI_VARIANCE "2"

enum { N_WORDS = 5, MAX_TOPICS = 3, MAX_LENGTH = 4 };

static gb_corpus_builder *begin(void)
{
    gb_corpus_builder *b;
    assert_int_equal(gb_corpus_builder_create(&b, NULL), GB_OK);
    return b;
}

static void add_document(gb_corpus_builder *b, size_t n, const uint32_t *word)
{
    assert_int_equal(gb_corpus_builder_document(b, NULL, 0, NULL), GB_OK);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(gb_corpus_builder_token(b, word[i], NULL), GB_OK);
}

/* Whether words are in two bags. */
static bool has_bags;

static gb_corpus *finish(gb_corpus_builder *b)
{
    static const char *const words[N_WORDS] = {"a", "b", "c", "d", "e"}, *const in_bags[N_WORDS] = {
                                                                             "x:a", "y:b", "x:c", "y:d", "x:e"};
    gb_corpus *corpus;
    for (size_t w = 0; w < N_WORDS; w++) {
        const char *word = has_bags ? in_bags[w] : words[w];
        assert_int_equal(gb_corpus_builder_word(b, word, strlen(word), NULL), GB_OK);
    }
    json_t *preparation = has_bags ? json_pack("{s:[s, s]}", "bags", "x", "y") : NULL;
    assert_int_equal(gb_corpus_builder_finish(b, preparation, NULL, &corpus, NULL), GB_OK);
    gb_corpus_builder_free(b);
    return corpus;
}

static gb_settings *settings(const char *prior, const char *topics, const char *alpha)
{
    gb_settings *s;
    assert_int_equal(gb_settings_create(&s, NULL), GB_OK);
    set(s, "topics", topics);
    set(s, "prior", prior);
    if (*alpha != '\0')
        set(s, "alpha", alpha);
    if (strcmp(prior, "logistic-normal") == 0) {
        set(s, "psi-mean", PSI_MEAN);
        set(s, "psi-covariance", PSI_VARIANCE);
    }
    set(s, "beta", "0.2");
    set(s, "response", "none");
    set(s, "sweeps", "40");
    set(s, "burn-in", "37");
    set(s, "thin", "1");
    set(s, "threads", "1");
    set(s, "seed", "5");
    return s;
}

static gb_model *train(const gb_settings *s)
{
    static const uint32_t one[] = {0, 0, 1, 2}, two[] = {3, 4, 4}, three[] = {1, 2, 2, 0, 3}, four[] = {4, 3, 2};
    gb_corpus_builder *b = begin();
    add_document(b, 4, one);
    add_document(b, 3, two);
    add_document(b, 5, three);
    add_document(b, 3, four);
    gb_corpus *corpus = finish(b);
    gb_model *m;
    gb_error err = {.status = GB_OK};
    if (gb_train(corpus, s, NULL, NULL, &m, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_corpus_free(corpus);
    return m;
}

static gb_held_out *likelihood(const gb_model *m, const gb_corpus *docs, uint64_t first_row, const gb_settings *s)
{
    gb_held_out *h;
    gb_error err = {.status = GB_OK};
    assert_int_equal(gb_held_out_create(docs->n_docs, &h, NULL), GB_OK);
    if (gb_held_out_likelihood(m, docs, first_row, s, NULL, NULL, h, &err) != GB_OK)
        fail_msg("%s", err.message);
    assert_int_equal(h->n_docs, docs->n_docs);
    return h;
}

/* ---- exact values ---- */

static double phi_of(const gb_model *m, const gb_draw *d, size_t k, uint32_t w)
{
    return phi_of_draw(m, d, k, w, has_bags);
}

static const double *alpha_of(const gb_draw *d)
{
    return gb_prior_values_of(&d->prior, "alpha");
}

static bool has_counts(const gb_model *m)
{
    return strcmp(m->prior.ops->name, "dirichlet") == 0;
}

static double alpha_sum(const gb_model *m, const gb_draw *d)
{
    double sum = 0;
    for (size_t k = 0; k < m->n_topics; k++)
        sum += alpha_of(d)[k];
    return sum;
}

/* log p(z) of counts. */
static double log_prior(const gb_model *m, const gb_draw *d, const double *n, double length)
{
    if (!has_counts(m))
        return -length * log((double)m->n_topics);
    const double abar = alpha_sum(m, d);
    double sum = lgamma(abar) - lgamma(length + abar);
    for (size_t k = 0; k < m->n_topics; k++)
        sum += lgamma(n[k] + alpha_of(d)[k]) - lgamma(alpha_of(d)[k]);
    return sum;
}

/* The same for two topics whose log odds are normal. */
static double integrate(const gb_model *m, const gb_draw *d, size_t length, const uint32_t *word, double *theta)
{
    enum { N = 4000 };
    double total = 0, mass = 0;
    memset(theta, 0, MAX_TOPICS * sizeof *theta);
    for (size_t i = 0; i <= N; i++) {
        const double x = -8 + 16.0 * (double)i / N, psi = atof(PSI_MEAN) + sqrt(atof(PSI_VARIANCE)) * x;
        const double share[] = {1 / (1 + exp(-psi)), 1 / (1 + exp(psi))}, weight = exp(-x * x / 2);
        double p = weight;
        for (size_t n = 0; n < length; n++)
            p *= share[0] * phi_of(m, d, 0, word[n]) + share[1] * phi_of(m, d, 1, word[n]);
        mass += weight;
        total += p;
        theta[0] += p * share[0];
        theta[1] += p * share[1];
    }
    theta[0] /= total;
    theta[1] /= total;
    return total / mass;
}

/* p(w) under a draw, and the mean of theta^ given w. */
static double enumerate(const gb_model *m, const gb_draw *d, size_t length, const uint32_t *word, double *theta)
{
    if (strcmp(m->prior.ops->name, "logistic-normal") == 0)
        return integrate(m, d, length, word, theta);
    const double abar = has_counts(m) ? alpha_sum(m, d) : 0, n_topics = (double)m->n_topics;
    size_t n_states = 1;
    double total = 0;
    memset(theta, 0, MAX_TOPICS * sizeof *theta);
    for (size_t i = 0; i < length; i++)
        n_states *= m->n_topics;
    for (size_t state = 0; state < n_states; state++) {
        double n[MAX_TOPICS] = {0}, p = 1;
        for (size_t i = 0, rest = state; i < length; i++, rest /= m->n_topics) {
            n[rest % m->n_topics]++;
            p *= phi_of(m, d, rest % m->n_topics, word[i]);
        }
        p *= exp(log_prior(m, d, n, (double)length));
        total += p;
        for (size_t k = 0; k < m->n_topics; k++)
            theta[k] += p * (has_counts(m) ? (n[k] + alpha_of(d)[k]) / ((double)length + abar) : 1 / n_topics);
    }
    for (size_t k = 0; k < m->n_topics; k++)
        theta[k] /= total;
    return total;
}

static double exact_log(const gb_model *m, size_t length, const uint32_t *word)
{
    double sum = 0, theta[MAX_TOPICS];
    for (size_t i = 0; i < m->n_draws; i++)
        sum += enumerate(m, &m->draw[i], length, word, theta);
    return log(sum / (double)m->n_draws);
}

/* The log likelihood of `scored` given `known`, (3) of apply/held_out.c. */
static double exact_completion(const gb_model *m, size_t n_known, const uint32_t *known, size_t n_scored,
                               const uint32_t *scored)
{
    double log_likelihood = 0;
    for (size_t j = 0; j < n_scored; j++) {
        double p = 0;
        for (size_t i = 0; i < m->n_draws; i++) {
            double theta[MAX_TOPICS];
            enumerate(m, &m->draw[i], n_known, known, theta);
            for (size_t k = 0; k < m->n_topics; k++)
                p += theta[k] * phi_of(m, &m->draw[i], k, scored[j]) / (double)m->n_draws;
        }
        log_likelihood += log(p);
    }
    return log_likelihood;
}

/* ---- small documents ---- */

static const uint32_t words[MAX_LENGTH] = {0, 3, 3, 1};

/* Documents of 1 to 4 tokens, and an empty one. */
static gb_corpus *small_documents(void)
{
    gb_corpus_builder *b = begin();
    for (size_t n = 1; n <= MAX_LENGTH; n++)
        add_document(b, n, words);
    add_document(b, 0, NULL);
    return finish(b);
}

static const struct {
    const char *prior, *topics, *alpha;
    bool has_bags;
} models[] = {{"dirichlet", "3", "0.3,0.7,1.1", false},
              {"dirichlet", "2", "0.05", false},
              {"uniform", "3", "", false},
              {"logistic-normal", "2", "", false},
              {"dirichlet", "3", "0.3,0.7,1.1", true}};

static void assert_estimate(const char *what, size_t length, double found, double error, double expected)
{
    if (!(error < 0.01 && fabs(found - expected) < 4.5 * error + 1e-6))
        fail_msg("%s, %zu tokens: %.6f +- %.6f, exactly %.6f", what, length, found, error, expected);
}

static void check_against_enumeration(const char *method, const char *samples)
{
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        gb_settings *s = settings(models[i].prior, models[i].topics, models[i].alpha);
        has_bags = models[i].has_bags;
        set(s, "held-out", method);
        set(s, "held-out-samples", samples);
        gb_model *m = train(s);
        gb_corpus *docs = small_documents();
        gb_held_out *h = likelihood(m, docs, 0, s);
        assert_int_equal(m->n_draws, 3);
        for (size_t d = 0; d < MAX_LENGTH; d++) {
            assert_int_equal(h->n_scored[d], d + 1);
            assert_estimate(method, d + 1, h->log_likelihood[d], h->standard_error[d], exact_log(m, d + 1, words));
        }
        assert_int_equal(h->n_scored[MAX_LENGTH], 0);
        assert_true(h->log_likelihood[MAX_LENGTH] == 0);
        gb_held_out_free(h);
        gb_corpus_free(docs);
        gb_model_free(m);
        gb_settings_free(s);
    }
    has_bags = false;
}

static void empirical_likelihood_is_the_sum_over_assignments(void **unused)
{
    (void)unused;
    check_against_enumeration("empirical", "200000");
}

static void left_to_right_is_the_sum_over_assignments(void **unused)
{
    (void)unused;
    check_against_enumeration("left-to-right", "10000");
}

/* The halves are random: of a document of n different tokens any n / 2 may be the known ones, and one of these cases
 * must fit.  Here all words but two differ, so they are told apart. */
static bool fits_some_half(const gb_model *m, size_t n, double found, double error, double *nearest)
{
    bool fits = false;
    for (unsigned known_set = 0; known_set < 1U << n; known_set++) {
        uint32_t known[MAX_LENGTH], scored[MAX_LENGTH];
        size_t n_known = 0, n_scored = 0;
        for (size_t i = 0; i < n; i++)
            if (known_set >> i & 1)
                known[n_known++] = words[i];
            else
                scored[n_scored++] = words[i];
        if (n_known != n / 2)
            continue;
        *nearest = exact_completion(m, n_known, known, n_scored, scored);
        fits |= fabs(found - *nearest) < 4.5 * error + 1e-6;
    }
    return fits;
}

static void completion_is_the_mean_given_the_known_half(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        gb_settings *s = settings(models[i].prior, models[i].topics, models[i].alpha);
        has_bags = models[i].has_bags;
        set(s, "held-out", "completion");
        set(s, "held-out-samples", "200");
        set(s, "infer-sweeps", "2000");
        set(s, "infer-burn-in", "50");
        gb_model *m = train(s);
        gb_corpus *docs = small_documents();
        gb_held_out *h = likelihood(m, docs, 0, s);
        for (size_t d = 0; d < MAX_LENGTH; d++) {
            const size_t n = d + 1;
            double last;
            assert_int_equal(h->n_scored[d], n - n / 2);
            assert_true(h->standard_error[d] < 0.002);
            if (!fits_some_half(m, n, h->log_likelihood[d], h->standard_error[d], &last))
                fail_msg("%zu tokens: %.6f +- %.6f, one of the halves gives %.6f", n, h->log_likelihood[d],
                         h->standard_error[d], last);
        }
        assert_int_equal(h->n_scored[MAX_LENGTH], 0);
        gb_held_out_free(h);
        gb_corpus_free(docs);
        gb_model_free(m);
        gb_settings_free(s);
    }
    has_bags = false;
}

/* ---- means over many small runs ---- */

/* The probability, not its logarithm, has the right mean with any number of samples: here one, under many seeds. */
static void check_unbiased(const char *method, size_t n_seeds, const char *alpha)
{
    gb_settings *s = settings("dirichlet", "3", alpha);
    set(s, "held-out", method);
    set(s, "held-out-samples", "1");
    gb_model *m = train(s);
    gb_corpus_builder *b = begin();
    add_document(b, MAX_LENGTH, words);
    gb_corpus *docs = finish(b);
    const double exact = exp(exact_log(m, MAX_LENGTH, words));
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n_seeds; i++) {
        char seed[24];
        (void)snprintf(seed, sizeof seed, "%zu", i + 1);
        set(s, "seed", seed);
        gb_held_out *h = likelihood(m, docs, 0, s);
        const double ratio = exp(h->log_likelihood[0]) / exact;
        assert_true(isnan(h->standard_error[0]));
        mean += ratio / (double)n_seeds;
        squares += ratio * ratio / (double)n_seeds;
        gb_held_out_free(h);
    }
    const double error = sqrt((squares - mean * mean) / (double)n_seeds);
    assert_true(error > 0 && error < 0.01);
    if (!(fabs(mean - 1) < 4.5 * error))
        fail_msg("%s: %.6f +- %.6f of the exact probability", method, mean, error);
    gb_corpus_free(docs);
    gb_model_free(m);
    gb_settings_free(s);
}

static void one_run_of_particles_is_unbiased(void **unused)
{
    (void)unused;
    check_unbiased("left-to-right", 5000, "0.3,0.7,1.1");
    check_unbiased("left-to-right", 5000, "0.01"); /* few particles matter: they are drawn anew */
}

static void one_draw_from_the_prior_is_unbiased(void **unused)
{
    (void)unused;
    check_unbiased("empirical", 60000, "0.3,0.7,1.1");
}

/* ---- long documents ---- */

static double log_choose(double n, double i)
{
    return lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1);
}

/* p(w) of n_a words 0 and n_b words 3 under two topics: a sum over how many of each have the first topic. */
static double exact_log_of_two_words(const gb_model *m, double n_a, double n_b)
{
    double total = 0;
    const double scale = -(n_a + n_b) * log(N_WORDS);
    for (size_t draw = 0; draw < m->n_draws; draw++) {
        const gb_draw *d = &m->draw[draw];
        for (double i = 0; i <= n_a; i++)
            for (double j = 0; j <= n_b; j++) {
                const double n[] = {i + j, n_a + n_b - i - j};
                total += exp(log_choose(n_a, i) + log_choose(n_b, j) + i * log(phi_of(m, d, 0, 0)) +
                             (n_a - i) * log(phi_of(m, d, 1, 0)) + j * log(phi_of(m, d, 0, 3)) +
                             (n_b - j) * log(phi_of(m, d, 1, 3)) + log_prior(m, d, n, n_a + n_b) - scale);
            }
    }
    return log(total / (double)m->n_draws) + scale;
}

/* 150 tokens: more than left to right redraws before each one. */
static void check_long_document(const char *method, const char *samples)
{
    enum { N_A = 90, N_B = 60 };
    gb_settings *s = settings("dirichlet", "2", "0.4,1.5");
    set(s, "held-out", method);
    set(s, "held-out-samples", samples);
    gb_model *m = train(s);
    uint32_t word[N_A + N_B];
    for (size_t i = 0; i < N_A + N_B; i++)
        word[i] = i % 5 < 3 ? 0 : 3;
    gb_corpus_builder *b = begin();
    add_document(b, N_A + N_B, word);
    gb_corpus *docs = finish(b);
    gb_held_out *h = likelihood(m, docs, 0, s);
    assert_estimate(method, N_A + N_B, h->log_likelihood[0], h->standard_error[0],
                    exact_log_of_two_words(m, N_A, N_B));
    gb_held_out_free(h);
    gb_corpus_free(docs);
    gb_model_free(m);
    gb_settings_free(s);
}

static void left_to_right_stays_right_with_more_tokens_than_it_redraws(void **unused)
{
    (void)unused;
    check_long_document("left-to-right", "500");
}

static void empirical_likelihood_of_a_long_document_does_not_underflow(void **unused)
{
    (void)unused;
    check_long_document("empirical", "200000");
}

/* ---- same bits ---- */

/* Random numbers belong to rows of the input: threads and batches change nothing. */
static void threads_and_batches_give_the_same_bits(void **unused)
{
    (void)unused;
    static const char *const methods[] = {"empirical", "left-to-right", "completion"};
    enum { N_DOCS = 40, FIRST = 17 };
    gb_settings *s = settings("dirichlet", "3", "0.3,0.7,1.1");
    gb_model *m = train(s);
    gb_corpus_builder *all = begin(), *some = begin();
    for (size_t d = 0; d < N_DOCS; d++) {
        uint32_t word[N_DOCS];
        for (size_t i = 0; i < d; i++)
            word[i] = (uint32_t)((d + i * i) % N_WORDS);
        add_document(all, d, word);
        if (d >= FIRST)
            add_document(some, d, word);
    }
    gb_corpus *all_docs = finish(all), *some_docs = finish(some);
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        set(s, "held-out", methods[i]);
        set(s, "threads", "1");
        gb_held_out *h = likelihood(m, all_docs, 100, s);
        set(s, "threads", "3");
        gb_held_out *g = likelihood(m, all_docs, 100, s), *part = likelihood(m, some_docs, 100 + FIRST, s);
        assert_memory_equal(h->log_likelihood, g->log_likelihood, N_DOCS * sizeof(double));
        assert_memory_equal(h->standard_error, g->standard_error, N_DOCS * sizeof(double));
        assert_memory_equal(h->log_likelihood + FIRST, part->log_likelihood, (N_DOCS - FIRST) * sizeof(double));
        gb_held_out_free(h);
        gb_held_out_free(g);
        gb_held_out_free(part);
    }
    gb_corpus_free(all_docs);
    gb_corpus_free(some_docs);
    gb_model_free(m);
    gb_settings_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empirical_likelihood_is_the_sum_over_assignments),
        cmocka_unit_test(left_to_right_is_the_sum_over_assignments),
        cmocka_unit_test(completion_is_the_mean_given_the_known_half),
        cmocka_unit_test(one_run_of_particles_is_unbiased),
        cmocka_unit_test(one_draw_from_the_prior_is_unbiased),
        cmocka_unit_test(left_to_right_stays_right_with_more_tokens_than_it_redraws),
        cmocka_unit_test(empirical_likelihood_of_a_long_document_does_not_underflow),
        cmocka_unit_test(threads_and_batches_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
