/* Updates of log weights whose means are a regression on metadata leave the joint law alone: coefficients, variances, precisions, log
 * weights and topics are drawn from their prior, one update is made, and no function of the state may have another expectation
 * than before.  Differences are paired, so a small bias shows.  A world that differs from what the update takes it for is noticed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "helper_effort.h"
#include "prior/psi_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOCS = 7, TOKENS = 38, MOST_TOPICS = 4, LEVELS = 9, MOST_FUNCTIONS = 80, N_DRAWS = 8000 };
enum { COLUMNS = 1 + 2 + 3 + LEVELS };
static const uint64_t start[DOCS + 1] = {0, 0, 1, 4, 12, 16, 36, TOKENS};

/* 1 + x + w + s(x) + (1 | author): three columns of the smooth term; authors 3 and later have no document. */
static const gb_term terms[] = {{"1", GB_TERM_CONSTANT, 0, 1},
                                {"x", GB_TERM_FIXED, 1, 2},
                                {"(1 | author)", GB_TERM_RANDOM, 3, LEVELS},
                                {"s(x)", GB_TERM_SMOOTH, 3 + LEVELS, 3}};
enum { N_TERMS = sizeof terms / sizeof terms[0] };
static const double fixed[DOCS][2] = {{-1.2, 0}, {0.4, 1}, {1.9, 0}, {-0.3, 1}, {0.8, 1}, {0, 0}, {-1.6, 0}};
static const uint32_t author[DOCS] = {0, 1, 1, 2, 0, 2, 2};

/* What the world has and the update does not know. */
typedef enum world_fault {
    RIGHT,
    WRONG_COLUMN,
    WRONG_AUTHOR,
    WRONG_LEVEL,
    WRONG_SCALE,
    WRONG_PRECISION,
    WRONG_SHIFT,
    WRONG_TAU,
    WRONG_LAMBDA
} world_fault;

typedef struct world {
    gb_prior_setup setup;
    gb_psi_setup own;
    gb_psi_regression regression;
    gb_prior prior;
    gb_proportions z;
    uint16_t topic[TOKENS];
    size_t n_free, n_topics;
    world_fault fault;
} world;

static void ok(gb_status status, const gb_error *err)
{
    if (status != GB_OK)
        fail_msg("%s", err->message);
}

static void make_columns(gb_sparse_columns *out, world_fault fault)
{
    gb_error err = {.status = GB_OK};
    gb_sparse_entry entry[DOCS * 8];
    uint64_t n = 0;
    for (uint64_t d = 0; d < DOCS; d++) {
        const uint32_t first = 3 + LEVELS;
        entry[n++] = (gb_sparse_entry){d, 0, 1};
        for (uint32_t j = 0; j < 2; j++)
            if (fixed[d][j] != 0)
                entry[n++] = (gb_sparse_entry){d, 1 + j, (fault == WRONG_COLUMN && j == 0 ? 0.5 : 1) * fixed[d][j]};
        entry[n++] = (gb_sparse_entry){d, 3 + (fault == WRONG_AUTHOR ? (uint32_t)d : author[d]), 1};
        for (uint32_t j = 0; j < 3; j++)
            entry[n++] = (gb_sparse_entry){d, first + j, cos((double)(j + 1) * fixed[d][0])};
    }
    ok(gb_sparse_columns_create(out, DOCS, COLUMNS, n, entry, &err), &err);
}

static void make(world *w, size_t n_topics, bool is_full, bool is_symmetric, bool has_horseshoe)
{
    gb_error err = {.status = GB_OK};
    memset(w, 0, sizeof *w);
    w->own = (gb_psi_setup){.update = GB_PSI_AUTO,
                            .is_full = is_full,
                            .is_symmetric = is_symmetric,
                            .n_groups = 1,
                            .regression = &w->regression};
    w->own.means = (gb_group_means_settings){.observation = {.value = 1, .shape = 3, .rate = 2},
                                             .level_precision = 0.7,
                                             .level_mean = -0.6,
                                             .per_topic = true};
    ok(gb_prevalence_parts_make(&w->regression.parts, N_TERMS, terms, has_horseshoe, &err), &err);
    make_columns(&w->regression.columns, RIGHT);
    w->setup = (gb_prior_setup){.ops = &gb_prior_logistic_normal, .n_topics = n_topics, .own = &w->own};
    w->n_topics = n_topics;
    w->n_free = gb_psi_n_free(&w->setup);
    ok(gb_psi_start(&w->setup, &err), &err);
    ok(gb_prior_create(&w->prior, &w->setup, NULL, NULL, DOCS, 1, gb_isa_best(), &err), &err);
    ok(gb_proportions_create(&w->z, DOCS, n_topics, start, 1, &err), &err);
}

static void clear(world *w)
{
    gb_proportions_clear(&w->z);
    gb_prior_clear(&w->prior);
    gb_prior_values_clear(&w->setup.start);
    gb_sparse_columns_clear(&w->regression.columns);
    gb_prevalence_parts_clear(&w->regression.parts);
}

/* Fixed effects of another law than the horseshoe's: four times as large, or all with the scale of the first. */
static void spoil_horseshoe(world *w, double *gamma, double *variance)
{
    const size_t n = w->n_free, first = w->regression.parts.n_random;
    for (size_t t = 0; t < n; t++)
        for (size_t j = 1; j <= 2; j++) {
            double *lam2 = &variance[(first + j - 1) * n + t];
            const double other = variance[first * n + t];
            if (w->fault == WRONG_LAMBDA) {
                gamma[j * n + t] *= sqrt(other / *lam2);
                *lam2 = other;
            } else {
                gamma[j * n + t] *= 4;
            }
        }
}

/* Coefficients and variances; the precisions of documents. */
static void draw_parameters(world *w, gb_key key, uint32_t number)
{
    gb_error err = {.status = GB_OK};
    gb_psi_state *s = w->prior.state;
    gb_prior_table *table = w->prior.values.table;
    gb_prevalence p = s->prevalence;
    gb_random random = gb_random_open(key, number, GB_DRAW_TEST, 1);
    const size_t n = w->n_free;
    p.settings.level_mean += w->fault == WRONG_LEVEL ? 0.8 : 0;
    p.settings.scale *= w->fault == WRONG_SCALE ? 4 : 1;
    gb_prevalence_draw_prior(&p, table[GB_PSI_MEAN].value, table[GB_PSI_VARIANCE].value, key, number);
    if (w->fault == WRONG_TAU || w->fault == WRONG_LAMBDA)
        spoil_horseshoe(w, table[GB_PSI_MEAN].value, table[GB_PSI_VARIANCE].value);
    if (w->own.is_full) {
        memset(s->scatter, 0, n * n * sizeof *s->scatter);
        for (size_t t = 0; t < n; t++)
            s->scatter[t * n + t] = w->fault == WRONG_PRECISION ? 2 : 1;
        ok(gb_covariance_draw(&s->covariance, s->scatter, gb_psi_first_degrees(n), &random, &err), &err);
        memcpy(table[GB_PSI_SPREAD].value, s->covariance.sigma, n * n * sizeof *s->scatter);
    } else {
        for (size_t t = 0; t < n; t++)
            table[GB_PSI_SPREAD].value[t] = gb_random_gamma(&random, w->fault == WRONG_PRECISION ? 2 : 3) / 2;
    }
}

/* Everything from the prior. */
static void draw_world(world *w, uint32_t number)
{
    gb_error err = {.status = GB_OK};
    gb_psi_state *s = w->prior.state;
    const gb_key key = gb_key_make(4711, 0);
    double weight[MOST_TOPICS], mean[MOST_TOPICS];
    gb_random random = gb_random_open(key, number, GB_DRAW_TEST, 0);
    gb_sparse_columns other = {0};
    draw_parameters(w, key, number);
    ok(gb_prior_restore(&w->prior, &err), &err);
    if (w->fault == WRONG_COLUMN || w->fault == WRONG_AUTHOR)
        make_columns(&other, w->fault);
    for (size_t d = 0; d < DOCS; d++) {
        double *psi = s->psi + d * w->n_free;
        gb_psi_law law = s->law;
        if (other.n_docs > 0) {
            gb_prevalence_mean(&other, d, w->n_free, w->prior.values.table[GB_PSI_MEAN].value, mean);
            law.mean = mean;
        }
        gb_psi_draw(&law, &random, other.n_docs > 0 ? 0 : d, psi);
        for (size_t t = 0; w->fault == WRONG_SHIFT && t < w->n_free; t++)
            psi[t] += 0.5;
        gb_psi_weights(&s->law, psi, w->prior.isa, weight);
        memcpy(s->weight + d * w->n_topics, weight, w->n_topics * sizeof *weight);
        for (uint64_t i = start[d]; i < start[d + 1]; i++)
            w->topic[i] = (uint16_t)gb_random_categorical(&random, w->n_topics, weight);
    }
    gb_sparse_columns_clear(&other);
    ok(gb_proportions_count(&w->z, w->topic, &err), &err);
}

static size_t functions(const world *w, double *x)
{
    const gb_psi_state *s = w->prior.state;
    const gb_prior_table *table = w->prior.values.table;
    const double *gamma = table[GB_PSI_MEAN].value, *variance = table[GB_PSI_VARIANCE].value;
    const size_t n_free = w->n_free;
    size_t n = 0;
    double square = 0, with_tokens = 0, spread = 0;
    for (size_t t = 0; t < n_free; t++)
        x[n++] = log(w->own.is_full ? s->covariance.sigma[t * n_free + t] : table[GB_PSI_SPREAD].value[t]);
    if (w->own.is_full)
        x[n++] = s->covariance.sigma[1] / sqrt(s->covariance.sigma[0] * s->covariance.sigma[n_free + 1]);
    for (size_t b = 0; b < w->regression.parts.n; b++) {
        x[n++] = log(variance[b * n_free]);
        x[n++] = tanh(log(variance[b * n_free + n_free - 1]) / 4);
        x[n++] = b == 0 ? 0 : tanh(log(variance[b * n_free])) * tanh(log(variance[(b - 1) * n_free]));
    }
    for (size_t j = 0; j<COLUMNS; j += j> 4 ? 2 : 1) {
        x[n++] = tanh(gamma[j * n_free]);
        x[n++] = tanh(gamma[j * n_free]) * tanh(gamma[j * n_free + n_free - 1]);
    }
    x[n++] = tanh(gamma[0]) * tanh(gamma[n_free]);
    for (size_t d = 0; d < DOCS; d++) {
        const double *psi = s->psi + d * n_free, *mean = s->prevalence.mean + d * n_free;
        double share = 0;
        for (uint64_t i = start[d]; i < start[d + 1]; i++)
            share += (w->topic[i] == 0) / (double)(start[d + 1] - start[d]);
        x[n++] = tanh(psi[0]);
        with_tokens += share * tanh(psi[0]) - share * tanh(psi[n_free - 1]);
        for (size_t t = 0; t < n_free; t++) {
            square += log1p(psi[t] * psi[t]);
            spread += log(fabs(psi[t] - mean[t]));
        }
    }
    x[n++] = with_tokens;
    x[n++] = square;
    x[n++] = spread;
    x[n++] = tanh(gamma[n_free]) * with_tokens;
    return n;
}

/* An update of a sweep that also moves precisions together with log weights, or of one that does not. */
static void update(world *w, uint32_t number)
{
    gb_error err = {.status = GB_OK};
    const gb_prior_sweep sweep = {
        .z = &w->z, .topic = w->topic, .key = gb_key_make(1234, number), .sweep = number % 2 == 0 ? 2 : 1001};
    ok(gb_psi_update_prior(&w->prior, &sweep, &err), &err);
}

/* The largest |z| of any function. */
static double largest_z(size_t n_topics, bool is_full, bool is_symmetric, bool has_horseshoe, gb_psi_update how,
                        world_fault fault, uint32_t n_draws)
{
    world w;
    double before[MOST_FUNCTIONS], after[MOST_FUNCTIONS], sum[MOST_FUNCTIONS] = {0}, squares[MOST_FUNCTIONS] = {0},
                                                          most = 0;
    size_t n = 0, n_moved = 0;
    make(&w, n_topics, is_full, is_symmetric, has_horseshoe);
    w.own.update = how;
    w.fault = fault;
    for (uint32_t i = 1; i <= n_draws; i++) {
        draw_world(&w, i);
        functions(&w, before);
        update(&w, i);
        n = functions(&w, after);
        for (size_t f = 0; f < n; f++) {
            const double change = after[f] - before[f];
            sum[f] += change;
            squares[f] += change * change;
        }
    }
    assert_true(n <= MOST_FUNCTIONS);
    for (size_t f = 0; f < n; f++) {
        const double z = squares[f] > 0 ? sum[f] / sqrt(squares[f]) : 0;
        if (getenv("GIBBOUS_TABLE_VERBOSE") != NULL)
            print_message("function %zu: z %.2f, mean square of changes %.3g\n", f, z, squares[f] / n_draws);
        n_moved += squares[f] > 0;
        most = fmax(most, isfinite(z) ? fabs(z) : INFINITY);
    }
    assert_true(n_moved >= 30);
    clear(&w);
    return most;
}

static void keeps_with(size_t n_topics, bool is_full, bool is_symmetric, bool has_horseshoe, gb_psi_update how)
{
    const double z =
        largest_z(n_topics, is_full, is_symmetric, has_horseshoe, how, RIGHT, (uint32_t)joint_effort(N_DRAWS));
    if (!(z < 4.5))
        fail_msg("z = %.2f", z);
}

static void keeps(size_t n_topics, bool is_full, bool is_symmetric, gb_psi_update how)
{
    keeps_with(n_topics, is_full, is_symmetric, false, how);
}

/* As many draws under a sanitizer: a fault would not show in a tenth. */
static void noticed(size_t n_topics, bool is_full, bool is_symmetric, world_fault fault)
{
    const double z = largest_z(n_topics, is_full, is_symmetric, fault >= WRONG_TAU, GB_PSI_AUTO, fault, N_DRAWS / 2);
    if (!(z > 6))
        fail_msg("fault %d: z = %.2f", (int)fault, z);
}

static void updates_with_a_reference_keep_the_law(void **state)
{
    (void)state;
    keeps(3, false, false, GB_PSI_AUTO);
    keeps(2, false, false, GB_PSI_POLYA_GAMMA);
}

static void updates_of_topics_that_are_all_alike_keep_the_law(void **state)
{
    (void)state;
    keeps(3, false, true, GB_PSI_AUTO);
    keeps(2, false, true, GB_PSI_INTERVAL);
}

static void updates_of_correlated_topics_keep_the_law(void **state)
{
    (void)state;
    keeps(3, true, false, GB_PSI_AUTO);
    keeps(4, true, false, GB_PSI_POLYA_GAMMA);
}

static void updates_with_a_horseshoe_keep_the_law(void **state)
{
    (void)state;
    keeps_with(3, false, true, true, GB_PSI_AUTO);
    keeps_with(3, true, false, true, GB_PSI_POLYA_GAMMA);
}

static void faults_are_noticed(void **state)
{
    (void)state;
    for (world_fault fault = WRONG_COLUMN; fault <= WRONG_PRECISION; fault++) {
        noticed(3, false, true, fault);
        noticed(3, true, false, fault);
    }
    noticed(3, false, true, WRONG_SHIFT); /* shares do not see it */
    noticed(3, false, true, WRONG_TAU);
    noticed(3, true, false, WRONG_LAMBDA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(updates_with_a_reference_keep_the_law),
        cmocka_unit_test(updates_of_topics_that_are_all_alike_keep_the_law),
        cmocka_unit_test(updates_of_correlated_topics_keep_the_law),
        cmocka_unit_test(updates_with_a_horseshoe_keep_the_law),
        cmocka_unit_test(faults_are_noticed),
    };
    return cmocka_run_group_tests_name("prevalence", tests, NULL, NULL);
}
