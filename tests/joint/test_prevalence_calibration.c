/* Simulation-based calibration of regressions on metadata: coefficients, their variances and precisions from the prior, topics and
 * words given them, a chain on the words; the rank of what was drawn among draws of the chain must be uniform.  Smooth terms, random
 * effects of enough levels to be eliminated, and sampled variances, with topics that are all alike and with correlated ones.
 *
 * As in test_sbc.c, quantities do not depend on the names of topics, a chi-square test of the ranks of each fails at p < 1e-6, and
 * planted errors in the simulation have to be seen.  GIBBOUS_TABLE_VERBOSE=1 prints a line per quantity. */
#include "chain/chain.h"
#include "corpus/data/corpus.h"
#include "helper_effort.h"
#include "helper_settings.h"
#include "plan/spec.h"
#include "prior/psi_state.h"
#include "random/random.h"
#include "recipe/start.h"
#include "recipe/sweep.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DOCS = 30, LENGTH = 8, TOKENS = DOCS * LENGTH, AUTHORS = 10, WORDS = 6, MOST_TOPICS = 3, MOST_COLUMNS = 40 };
enum { N_DRAWS = 15, N_RANKS = N_DRAWS + 1, N_BINS = N_RANKS / 2, THIN = 50, BURN_IN = 250, N_REPLICATIONS = 160 };
/* Wider laws of effects have draws of nearly pure documents, in which chains of this length do not come around. */
static const double BETA = 0.3, LEVEL_PRECISION = 2, SCALE = 0.35, FIXED_VARIANCE = 0.7, SMALLEST_P = 1e-6;

typedef enum planted { RIGHT, WIDE_TERMS, AUTHOR_BY_DOCUMENT, WRONG_PRECISION, WRONG_SLOPES } planted;

typedef struct model {
    const char *name, *formula;
    size_t n_topics;
    bool is_full;
} model;

static const model alike = {"alike", "x + s(x, df=5) + (1|author)", 2, false},
                   three = {"three topics alike", "s(x, df=4) + (x|author) + (1|author)", 3, false},
                   correlated = {"correlated", "x + (1|author)", 3, true};

typedef struct setup {
    const model *model;
    gb_corpus *corpus;
    gb_spec spec;
    size_t n_free;
} setup;

typedef struct truth {
    double gamma[MOST_COLUMNS * MOST_TOPICS], variance[4 * MOST_TOPICS], spread[MOST_TOPICS * MOST_TOPICS];
    double psi[DOCS * MOST_TOPICS];
    uint16_t topic[TOKENS];
    uint32_t word[TOKENS];
} truth;

static const gb_psi_setup *psi_of(const setup *s)
{
    return s->spec.prior.own;
}

/* ---- corpus and settings ---- */

static gb_corpus *make_corpus(void)
{
    gb_corpus_builder *b = NULL;
    gb_corpus *corpus = NULL;
    gb_error err = {.status = GB_OK};
    size_t x, author;
    check(gb_corpus_builder_create(&b, &err), &err);
    check(gb_corpus_builder_numbers(b, "x", GB_ROLE_PREVALENCE, &x, &err), &err);
    check(gb_corpus_builder_prevalence(b, "author", GB_KIND_ONE, &author, &err), &err);
    for (size_t w = 0; w < WORDS; w++)
        check(gb_corpus_builder_word(b, (const char[]){(char)('A' + (int)w)}, 1, &err), &err);
    for (size_t d = 0; d < DOCS; d++) {
        const char name = (char)('a' + (int)(d * 7 % AUTHORS));
        check(gb_corpus_builder_document(b, NULL, 0, &err), &err);
        for (size_t i = 0; i < LENGTH; i++)
            check(gb_corpus_builder_token(b, (uint32_t)((d + i) % WORDS), &err), &err);
        check(gb_corpus_builder_number(b, x, fmod(1.37 * (double)d, 5), &err), &err);
        check(gb_corpus_builder_class(b, author, &name, 1, &err), &err);
    }
    check(gb_corpus_builder_finish(b, NULL, NULL, &corpus, &err), &err);
    gb_corpus_builder_free(b);
    return corpus;
}

static setup make_setup(const model *m, unsigned seed)
{
    gb_error err = {.status = GB_OK};
    gb_settings *settings = NULL;
    setup s = {.model = m, .corpus = make_corpus()};
    check(gb_settings_create(&settings, &err), &err);
    set_number(settings, "topics", (double)m->n_topics);
    set_number(settings, "beta", BETA);
    set(settings, "prior", "logistic-normal");
    set(settings, "covariance", m->is_full ? "full" : "diagonal");
    set(settings, "prevalence", m->formula);
    set_number(settings, "level-precision", LEVEL_PRECISION);
    set_number(settings, "seed", seed);
    set(settings, "threads", "1");
    check(gb_spec_resolve(s.corpus, settings, &s.spec, &err), &err);
    gb_settings_free(settings);
    s.n_free = gb_psi_n_free(&s.spec.prior);
    assert_true(psi_of(&s)->regression->columns.n_columns <= MOST_COLUMNS);
    return s;
}

static void clear_setup(setup *s)
{
    gb_spec_clear(&s->spec);
    gb_corpus_free(s->corpus);
}

/* ---- from the prior ---- */

static double half_cauchy(gb_random *random)
{
    return fabs(tan(M_PI * (gb_random_uniform(random) - 0.5)));
}

static void draw_coefficients(const setup *s, planted fault, gb_random *random, truth *out)
{
    const gb_prevalence_parts *parts = &psi_of(s)->regression->parts;
    const size_t n = s->n_free;
    for (size_t b = 0; b < parts->n; b++)
        for (size_t t = 0; t < n; t++) {
            const double tau = SCALE * half_cauchy(random) * (fault == WIDE_TERMS ? 4 : 1);
            out->variance[b * n + t] = fmin(fmax(tau * tau, 1e-12), 1e12);
        }
    for (size_t j = 0; j < parts->n_columns; j++)
        for (size_t t = 0; t < n; t++) {
            const uint32_t part = parts->of[j];
            const double v = part == GB_CONSTANT_PART ? 1 / LEVEL_PRECISION
                             : part == GB_FIXED_PART  ? FIXED_VARIANCE * (fault == WRONG_SLOPES ? 0.1 : 1)
                                                      : out->variance[part * n + t];
            out->gamma[j * n + t] = sqrt(v) * gb_random_normal(random);
        }
}

/* Diagonal: variances 1 / Gamma(1, 1).  Full: IW(I, n + 2) as the inverse of T T', T lower triangular (Bartlett); two coordinates. */
static void draw_spread(const setup *s, planted fault, gb_random *random, truth *out)
{
    const size_t n = s->n_free;
    const double factor = fault == WRONG_PRECISION ? 3 : 1;
    memset(out->spread, 0, sizeof out->spread);
    if (!s->model->is_full) {
        for (size_t t = 0; t < n; t++)
            out->spread[t] = gb_random_gamma(random, 1) * factor; /* precisions, as the library has them */
        return;
    }
    const double a = sqrt(2 * gb_random_gamma(random, 2)), c = sqrt(2 * gb_random_gamma(random, 1.5)),
                 b = gb_random_normal(random), x = a * a * factor, y = a * b * factor, z = (b * b + c * c) * factor,
                 determinant = x * z - y * y;
    assert_int_equal(n, 2);
    out->spread[0] = z / determinant;
    out->spread[3] = x / determinant;
    out->spread[1] = out->spread[2] = -y / determinant;
}

static void draw_psi(const setup *s, planted fault, gb_random *random, truth *out)
{
    const gb_sparse_columns *x = &psi_of(s)->regression->columns;
    const gb_prevalence_parts *parts = &psi_of(s)->regression->parts;
    const size_t n = s->n_free;
    for (size_t d = 0; d < DOCS; d++) {
        double *psi = out->psi + d * n, e[MOST_TOPICS];
        for (size_t t = 0; t < n; t++) {
            psi[t] = 0;
            e[t] = gb_random_normal(random);
        }
        for (uint64_t i = x->doc_start[d]; i < x->doc_start[d + 1]; i++)
            for (size_t t = 0; t < n; t++) {
                const uint32_t part = parts->of[x->column[i]];
                double gamma = out->gamma[x->column[i] * n + t];
                if (fault == AUTHOR_BY_DOCUMENT && part == parts->n - 1)
                    gamma = sqrt(out->variance[part * n + t]) * gb_random_normal(random);
                psi[t] += x->value[i] * gamma;
            }
        for (size_t t = 0; t < n && !s->model->is_full; t++)
            psi[t] += e[t] / sqrt(out->spread[t]);
        if (s->model->is_full) {
            const double root = sqrt(out->spread[0]), below = out->spread[1] / root;
            psi[0] += root * e[0];
            psi[1] += below * e[0] + sqrt(out->spread[3] - below * below) * e[1];
        }
    }
}

static void draw_words(const setup *s, gb_random *random, truth *out)
{
    const size_t n = s->n_free, n_topics = s->model->n_topics;
    double phi[MOST_TOPICS][WORDS], weight[MOST_TOPICS];
    for (size_t k = 0; k < n_topics; k++)
        for (size_t w = 0; w < WORDS; w++)
            phi[k][w] = gb_random_gamma(random, BETA);
    for (size_t i = 0; i < TOKENS; i++) {
        const double *psi = out->psi + i / LENGTH * n;
        double most = n < n_topics ? 0 : psi[0];
        for (size_t t = 0; t < n; t++)
            most = fmax(most, psi[t]);
        for (size_t k = 0; k < n_topics; k++)
            weight[k] = exp((k < n ? psi[k] : 0) - most);
        out->topic[i] = (uint16_t)gb_random_categorical(random, n_topics, weight);
        out->word[i] = (uint32_t)gb_random_categorical(random, WORDS, phi[out->topic[i]]);
    }
}

/* ---- chains ---- */

static gb_chain *begin_chain(const setup *s, const truth *t, uint64_t number)
{
    gb_error err = {.status = GB_OK};
    gb_chain *chain = NULL;
    memcpy((uint32_t *)(uintptr_t)s->corpus->word, t->word, sizeof t->word); /* made by the builder: its own memory */
    check(gb_chain_begin(&chain, s->corpus, &s->spec, number, &err), &err);
    gb_prevalence_settings *settings = &((gb_psi_state *)chain->prior.state)->prevalence.settings;
    settings->scale = SCALE; /* no option gives these */
    settings->fixed_variance = FIXED_VARIANCE;
    return chain;
}

static void set_chain(const setup *s, gb_chain *chain, const truth *t)
{
    gb_error err = {.status = GB_OK};
    gb_array psi;
    const size_t n = s->n_free;
    const gb_prevalence_parts *parts = &psi_of(s)->regression->parts;
    gb_prior_table *table = chain->prior.values.table;
    assert_true(gb_arrays_find(gb_prior_list, &chain->prior, "psi", &psi));
    memcpy(gb_array_first(&psi), t->psi, DOCS * n * sizeof *t->psi);
    memcpy(table[GB_PSI_MEAN].value, t->gamma, parts->n_columns * n * sizeof *t->gamma);
    memcpy(table[GB_PSI_VARIANCE].value, t->variance, parts->n * n * sizeof *t->variance);
    memcpy(table[GB_PSI_SPREAD].value, t->spread, (s->model->is_full ? n * n : n) * sizeof *t->spread);
    check(gb_prior_restore(&chain->prior, &err), &err);
    check(gb_chain_assign(chain, t->topic, &err), &err);
}

/* ---- quantities ---- */

enum { N_QUANTITIES = 8 };
static const char *const quantity_name[N_QUANTITIES] = {
    "variance of the first part", "variance of the last part",    "precisions or covariance", "constants",
    "coefficients of column 1",   "coefficients of the last one", "sums of squared shares",   "log joint"};

static void read_quantities(const setup *s, gb_chain *chain, double *x)
{
    gb_error err = {.status = GB_OK};
    const size_t n = s->n_free, n_topics = s->model->n_topics;
    const gb_prevalence_parts *parts = &psi_of(s)->regression->parts;
    const gb_prior_table *table = chain->prior.values.table;
    const double *gamma = table[GB_PSI_MEAN].value, *variance = table[GB_PSI_VARIANCE].value,
                 *spread = table[GB_PSI_SPREAD].value, *weight = ((gb_psi_state *)chain->prior.state)->weight;
    memset(x, 0, N_QUANTITIES * sizeof *x);
    for (size_t t = 0; t < n; t++) {
        x[0] += log(variance[t]);
        x[1] += log(variance[(parts->n - 1) * n + t]);
        x[2] += s->model->is_full ? 0 : log(spread[t]);
        x[3] += gamma[t];
        x[4] += gamma[n + t] * gamma[n + t];
        x[5] += gamma[(parts->n_columns - 1) * n + t] * gamma[(parts->n_columns - 1) * n + t];
    }
    if (s->model->is_full)
        x[2] = log(spread[0] * spread[3] - spread[1] * spread[2]);
    for (size_t d = 0; d < DOCS; d++) {
        double sum = 0, squares = 0;
        for (size_t k = 0; k < n_topics; k++) {
            sum += weight[d * n_topics + k];
            squares += weight[d * n_topics + k] * weight[d * n_topics + k];
        }
        x[6] += squares / (sum * sum);
    }
    check(gb_chain_log_joint(chain, &x[7], &err), &err);
}

static void sweep(gb_chain *chain, size_t n)
{
    gb_error err = {.status = GB_OK};
    for (size_t i = 0; i < n; i++)
        check(gb_recipe_sweep(chain, &err), &err);
}

static void replicate(const setup *s, planted fault, uint32_t number, size_t seen[N_QUANTITIES][N_BINS])
{
    gb_random random = gb_random_open(gb_key_make(s->spec.seed, 0), number, GB_DRAW_TEST, 0);
    truth drawn_truth;
    double x[N_QUANTITIES], drawn[N_QUANTITIES];
    size_t rank[N_QUANTITIES] = {0};
    draw_coefficients(s, fault, &random, &drawn_truth);
    draw_spread(s, fault, &random, &drawn_truth);
    draw_psi(s, fault, &random, &drawn_truth);
    draw_words(s, &random, &drawn_truth);
    gb_chain *chain = begin_chain(s, &drawn_truth, number);
    set_chain(s, chain, &drawn_truth);
    read_quantities(s, chain, x);
    gb_chain_free(chain);
    chain = begin_chain(s, &drawn_truth, number); /* begins anew, knowing nothing of the truth */
    sweep(chain, BURN_IN);
    for (size_t i = 0; i < N_DRAWS; i++) {
        sweep(chain, THIN);
        read_quantities(s, chain, drawn);
        for (size_t q = 0; q < N_QUANTITIES; q++)
            rank[q] += drawn[q] < x[q];
    }
    gb_chain_free(chain);
    for (size_t q = 0; q < N_QUANTITIES; q++)
        seen[q][rank[q] / 2]++;
}

/* P(X > x) of chi-square with 7 degrees of freedom. */
static double chi_square_tail(double x)
{
    double sum = 0, term = sqrt(2 * x / M_PI) * exp(-x / 2);
    for (size_t i = 3; i <= N_BINS - 1; i += 2) {
        sum += term;
        term *= x / (double)i;
    }
    return erfc(sqrt(x / 2)) + sum;
}

static double smallest_p(const model *m, planted fault, unsigned seed, size_t n, size_t *which)
{
    size_t seen[N_QUANTITIES][N_BINS] = {{0}};
    setup s = make_setup(m, seed);
    double smallest = 2;
    for (size_t i = 0; i < n; i++)
        replicate(&s, fault, (uint32_t)i, seen);
    clear_setup(&s);
    for (size_t q = 0; q < N_QUANTITIES; q++) {
        const double expected = (double)n / N_BINS;
        double sum = 0;
        for (size_t b = 0; b < N_BINS; b++)
            sum += ((double)seen[q][b] - expected) * ((double)seen[q][b] - expected) / expected;
        const double p = chi_square_tail(sum);
        if (getenv("GIBBOUS_TABLE_VERBOSE") != NULL) {
            print_message("             %s, %s: p %.2g, ranks", m->name, quantity_name[q], p);
            for (size_t b = 0; b < N_BINS; b++)
                print_message(" %zu", seen[q][b]);
            print_message("\n");
        }
        if (!(p >= smallest)) {
            smallest = p;
            *which = q;
        }
    }
    return smallest;
}

static void assert_calibrated(const model *m, unsigned seed)
{
    size_t q = 0;
    const double p = smallest_p(m, RIGHT, seed, joint_effort(N_REPLICATIONS), &q);
    if (!(p > SMALLEST_P))
        fail_msg("%s: the ranks of %s are not uniform, p = %.2g", m->name, quantity_name[q], p);
}

static void assert_seen(const model *m, planted fault, unsigned seed)
{
    size_t q = 0;
    if (joint_is_sanitized())
        skip();
    const double p = smallest_p(m, fault, seed, N_REPLICATIONS, &q);
    if (!(p < SMALLEST_P))
        fail_msg("%s: the planted error is not seen: p = %.2g (%s)", m->name, p, quantity_name[q]);
}

static void a_smooth_term_and_authors_are_calibrated(void **state)
{
    (void)state;
    assert_calibrated(&alike, 31);
}

static void three_topics_and_slopes_of_authors_are_calibrated(void **state)
{
    (void)state;
    assert_calibrated(&three, 32);
}

static void correlated_topics_are_calibrated(void **state)
{
    (void)state;
    assert_calibrated(&correlated, 33);
}

static void wider_laws_of_terms_are_seen(void **state)
{
    (void)state;
    assert_seen(&alike, WIDE_TERMS, 41);
    assert_seen(&correlated, WIDE_TERMS, 42);
}

static void an_author_for_each_document_is_seen(void **state)
{
    (void)state;
    assert_seen(&correlated, AUTHOR_BY_DOCUMENT, 43);
}

static void other_precisions_are_seen(void **state)
{
    (void)state;
    assert_seen(&three, WRONG_PRECISION, 44);
    assert_seen(&correlated, WRONG_PRECISION, 45);
}

static void other_slopes_are_seen(void **state)
{
    (void)state;
    assert_seen(&alike, WRONG_SLOPES, 46);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_smooth_term_and_authors_are_calibrated),
        cmocka_unit_test(three_topics_and_slopes_of_authors_are_calibrated),
        cmocka_unit_test(correlated_topics_are_calibrated),
        cmocka_unit_test(wider_laws_of_terms_are_seen),
        cmocka_unit_test(an_author_for_each_document_is_seen),
        cmocka_unit_test(other_precisions_are_seen),
        cmocka_unit_test(other_slopes_are_seen),
    };
    return cmocka_run_group_tests_name("calibration of regressions on metadata", tests, NULL, NULL);
}
