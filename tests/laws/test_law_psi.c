/* tests/laws/test_law_psi.c - the redraw of topic weights leaves their law given the topics alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_laws.h"

#include "base/memory.h"
#include "prior/psi.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const update_name[GB_N_PSI_UPDATES] = {"interval", "polya-gamma", "auto"};

static double *make_scratch(size_t n_free)
{
    double *scratch;
    assert_int_equal(gb_alloc(&scratch, gb_psi_scratch(n_free), sizeof *scratch, "test", NULL), GB_OK);
    return scratch;
}

/* ---- two topics: the law of the one weight by quadrature ---- */

enum { POINTS = 40001 };

typedef struct posterior {
    double n, length, mean, precision;
    double low, step;
    double cdf[POINTS];
} posterior;

static double log_density(const posterior *p, double x)
{
    const double softplus = x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)), deviation = x - p->mean;
    return p->n * x - p->length * softplus - 0.5 * p->precision * deviation * deviation;
}

/* The mode, by bisection of the derivative, which decreases. */
static double find_mode(const posterior *p)
{
    double low = p->mean - (p->length + 1) / p->precision, high = p->mean + (p->length + 1) / p->precision;
    for (int i = 0; i < 300; i++) {
        const double x = 0.5 * (low + high);
        const double slope = p->n - p->length / (1 + exp(-x)) - p->precision * (x - p->mean);
        *(slope > 0 ? &low : &high) = x;
    }
    return low;
}

/* Where log density has fallen by 60 below the mode, on that side. */
static double find_end(const posterior *p, double mode, double direction)
{
    double low = 0, high = 1e-9;
    const double floor = log_density(p, mode) - 60;
    while (log_density(p, mode + direction * high) > floor)
        high *= 2;
    for (int i = 0; i < 100; i++) {
        const double middle = 0.5 * (low + high);
        *(log_density(p, mode + direction * middle) > floor ? &low : &high) = middle;
    }
    return mode + direction * high;
}

static posterior *make_posterior(double n, double length, double mean, double precision)
{
    posterior *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->n = n;
    p->length = length;
    p->mean = mean;
    p->precision = precision;
    const double mode = find_mode(p), top = log_density(p, mode);
    p->low = find_end(p, mode, -1);
    p->step = (find_end(p, mode, 1) - p->low) / (POINTS - 1);
    double sum = 0;
    for (size_t i = 1; i < POINTS; i++) { /* Simpson */
        const double x = p->low + (double)(i - 1) * p->step;
        sum += exp(log_density(p, x) - top) + 4 * exp(log_density(p, x + 0.5 * p->step) - top) +
               exp(log_density(p, x + p->step) - top);
        p->cdf[i] = sum;
    }
    for (size_t i = 0; i < POINTS; i++)
        p->cdf[i] /= sum;
    return p;
}

static double posterior_cdf(double x, const void *parameters)
{
    const posterior *p = parameters;
    const double at = (x - p->low) / p->step;
    if (at <= 0 || at >= POINTS - 1)
        return at <= 0 ? 0 : 1;
    const size_t i = (size_t)at;
    return p->cdf[i] + (at - (double)i) * (p->cdf[i + 1] - p->cdf[i]);
}

static double posterior_draw(const posterior *p, gb_random *r)
{
    const double u = gb_random_uniform(r);
    size_t low = 0, high = POINTS - 1;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        *(p->cdf[middle] <= u ? &low : &high) = middle;
    }
    return p->low + p->step * ((double)low + (u - p->cdf[low]) / (p->cdf[high] - p->cdf[low]));
}

/* Redraw n documents of the same counts `sweeps` times. */
static void redraw_many(const gb_psi_law *law, gb_psi_update update, const uint32_t *count, size_t n, uint32_t sweeps,
                        uint64_t seed, double *psi)
{
    gb_psi_document *doc = calloc(n, sizeof *doc);
    assert_non_null(doc);
    for (size_t i = 0; i < n; i++)
        doc[i] = (gb_psi_document){.item = i, .count = count, .psi = psi + i * law->n_free};
    double *scratch = make_scratch(law->n_free);
    for (uint32_t sweep = 0; sweep < sweeps; sweep++) {
        const gb_psi_redrawing how = {law,          update, gb_key_make(seed, 0),       sweep,
                                      GB_DRAW_TEST, 0,      (gb_isa)(sweep % GB_N_ISAS)};
        gb_psi_redrawing possible = how;
        possible.isa = gb_isa_available(how.isa) ? how.isa : GB_ISA_PLAIN;
        gb_psi_redraw_documents(&possible, n, doc, scratch);
    }
    gb_free(scratch);
    free(doc);
}

static const struct one_weight {
    uint32_t n, rest;
    double mean, precision;
} one_weights[] = {{0, 0, 0.3, 2},   {0, 1, 0, 1},      {1, 0, 0, 1},     {3, 4, 1, 0.5},    {0, 20, -1, 0.3},
                   {20, 0, -1, 0.3}, {1, 99, -2, 0.5},  {99, 1, -2, 0.5}, {500, 700, 0, 1},  {0, 5000, -3, 1},
                   {5000, 0, -3, 1}, {1, 1, 0, 1e-6},   {7, 0, 0, 1e-6},  {0, 7, 0, 1e-6},   {2, 3, 0.5, 1e8},
                   {4, 0, -40, 25},  {0, 4, 40, 25},    {30, 1, -60, 9},  {2, 9, 1e3, 1e-4}, {9, 2, -1e3, 1e-4},
                   {0, 3, 700, 1e3}, {3, 0, -700, 1e3}, {12, 30, 5, 400}};
enum { N_ONE = sizeof one_weights / sizeof one_weights[0] };

static void one_weight_keeps_its_law(void **state)
{
    (void)state;
    double *psi = law_room(LAW_DRAWS);
    for (size_t k = 0; k < N_ONE; k++) {
        const struct one_weight *w = &one_weights[k];
        posterior *p = make_posterior(w->n, w->n + w->rest, w->mean, w->precision);
        const gb_psi_law law = {.n_free = 1, .mean = &w->mean, .precision = &w->precision};
        for (int update = 0; update < GB_N_PSI_UPDATES; update++) {
            char name[100];
            snprintf(name, sizeof name, "psi by %s, %u of %u tokens, prior %g, precision %g", update_name[update],
                     w->n, w->n + w->rest, w->mean, w->precision);
            gb_random r = law_stream(k);
            for (size_t i = 0; i < LAW_DRAWS; i++)
                psi[i] = posterior_draw(p, &r);
            redraw_many(&law, (gb_psi_update)update, (uint32_t[]){w->n, w->rest}, LAW_DRAWS, 1, k, psi);
            law_check_cdf(name, LAW_DRAWS, psi, posterior_cdf, p);
        }
        free(p);
    }
    free(psi);
}

/* From wherever it is: a redraw that leaves everything as it is would pass the test above. */
static void one_weight_reaches_its_law(void **state)
{
    (void)state;
    enum { N = 20000, SWEEPS = 100 };
    static const struct one_weight cases[] = {{0, 0, 0.3, 2}, {0, 1, 0, 1}, {1, 0, 0, 1},
                                              {3, 4, 1, 0.5}, {5, 5, 0, 4}, {2, 3, 0.5, 1e8}};
    static const double starts[] = {0, -30, 30, 2000};
    double *psi = law_room(N);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const struct one_weight *w = &cases[k];
        posterior *p = make_posterior(w->n, w->n + w->rest, w->mean, w->precision);
        const gb_psi_law law = {.n_free = 1, .mean = &w->mean, .precision = &w->precision};
        for (int update = 0; update < GB_N_PSI_UPDATES; update++) {
            char name[100];
            snprintf(name, sizeof name, "psi by %s from afar, %u of %u tokens, prior %g, precision %g",
                     update_name[update], w->n, w->n + w->rest, w->mean, w->precision);
            for (size_t i = 0; i < N; i++)
                psi[i] = starts[i % 4];
            redraw_many(&law, (gb_psi_update)update, (uint32_t[]){w->n, w->rest}, N, SWEEPS, 100 + k, psi);
            law_check_cdf(name, N, psi, posterior_cdf, p);
        }
        free(p);
    }
    free(psi);
}

/* ---- several topics: counts drawn from weights, weights redrawn from counts ---- */

enum { MAX_FREE = 5 };

typedef struct several {
    size_t n_free;
    uint32_t length;
    double mean[MAX_FREE], precision[MAX_FREE];
    double full[MAX_FREE * MAX_FREE], root[MAX_FREE * MAX_FREE];
} several;

/* Q = T T' with T upper triangular, unit but for a scale: L = T'^{-1} is lower triangular, and by substitution. */
static several make_several(size_t n_free, uint32_t length, double scale)
{
    several s = {.n_free = n_free, .length = length};
    double t[MAX_FREE][MAX_FREE] = {{0}};
    for (size_t i = 0; i < n_free; i++) {
        s.mean[i] = 0.5 - 0.4 * (double)i;
        s.precision[i] = scale * (0.5 + 0.3 * (double)i);
        t[i][i] = sqrt(scale) * (1 + 0.2 * (double)i);
        for (size_t j = i + 1; j < n_free; j++)
            t[i][j] = sqrt(scale) * ((i + j) % 2 == 0 ? 0.7 : -0.5);
    }
    for (size_t i = 0; i < n_free; i++)
        for (size_t j = 0; j < n_free; j++)
            for (size_t m = 0; m < n_free; m++)
                s.full[i * n_free + j] += t[i][m] * t[j][m];
    for (size_t j = 0; j < n_free; j++)
        for (size_t i = j; i < n_free; i++) { /* T' L = 1, row i of T' is column i of T */
            double sum = i == j;
            for (size_t m = j; m < i; m++)
                sum -= t[m][i] * s.root[m * n_free + j];
            s.root[i * n_free + j] = sum / t[i][i];
        }
    return s;
}

static gb_psi_law law_of(const several *s, bool is_full)
{
    return (gb_psi_law){.n_free = s->n_free,
                        .mean = s->mean,
                        .precision = is_full ? NULL : s->precision,
                        .full = is_full ? s->full : NULL,
                        .root = s->root};
}

typedef struct sample {
    size_t n, n_free;
    double *psi;
    uint32_t *count;
    gb_psi_document *doc;
} sample;

/* psi from the prior, counts from psi. */
static sample make_sample(const several *s, bool is_full, size_t n, uint64_t seed)
{
    sample x = {.n = n, .n_free = s->n_free};
    const gb_psi_law law = law_of(s, is_full);
    x.psi = law_room(n * s->n_free);
    x.count = calloc(n * (s->n_free + 1), sizeof *x.count);
    x.doc = calloc(n, sizeof *x.doc);
    assert_true(x.count != NULL && x.doc != NULL);
    gb_random r = law_stream(seed);
    for (size_t i = 0; i < n; i++) {
        double *psi = x.psi + i * s->n_free, weight[MAX_FREE + 1] = {0};
        uint32_t *count = x.count + i * (s->n_free + 1);
        gb_psi_draw(&law, &r, 0, psi);
        for (size_t t = 0; t < s->n_free; t++)
            weight[t] = exp(psi[t]);
        weight[s->n_free] = 1;
        for (uint32_t j = 0; j < s->length; j++)
            count[gb_random_categorical(&r, s->n_free + 1, weight)]++;
        x.doc[i] = (gb_psi_document){.item = i, .count = count, .psi = psi};
    }
    return x;
}

static void free_sample(sample *x)
{
    free(x->psi);
    free(x->count);
    free(x->doc);
}

static double z_of_mean(size_t n, const double *x)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    sum /= (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - sum) * (x[i] - sum);
    return squares > 0 ? sum / sqrt(squares / (double)n / (double)n) : 0;
}

/* The largest |z| over the changes of means, of products of two weights and of a weight with a count. */
static double largest_change(const sample *x, const double *before)
{
    const size_t q = x->n_free;
    double *change = law_room(x->n), largest = 0;
    for (size_t a = 0; a < q; a++)
        for (size_t b = 0; b <= 2 * q; b++) {
            for (size_t i = 0; i < x->n; i++) {
                const double *new = x->psi + i *q, *old = before + i *q;
                const uint32_t *count = x->count + i * (q + 1);
                if (b < q)
                    change[i] = new[a] * new[b] - old[a] * old[b];
                else
                    change[i] = (new[a] - old[a]) * (b == 2 * q ? 1 : count[b - q]);
            }
            largest = fmax(largest, fabs(z_of_mean(x->n, change)));
        }
    free(change);
    return largest;
}

/* Draw, redraw by `used`, and say how much the joint law changed. */
static double change_by_redraw(const several *truth, const several *used, bool is_full, gb_psi_update update,
                               uint32_t added, uint64_t seed)
{
    enum { N = 100000, SWEEPS = 3 };
    sample x = make_sample(truth, is_full, N, seed);
    double *before = law_room(N * truth->n_free), *scratch = make_scratch(truth->n_free);
    memcpy(before, x.psi, N * truth->n_free * sizeof *before);
    for (size_t i = 0; i < N; i++)
        x.count[i * (truth->n_free + 1)] += added;
    const gb_psi_law law = law_of(used, is_full);
    for (uint32_t sweep = 0; sweep < SWEEPS; sweep++) {
        const gb_psi_redrawing how = {&law, update, gb_key_make(seed, 3), sweep, GB_DRAW_TEST, 0, gb_isa_best()};
        gb_psi_redraw_documents(&how, N, x.doc, scratch);
    }
    const double z = largest_change(&x, before);
    gb_free(scratch);
    free(before);
    free_sample(&x);
    return z;
}

static void several_weights_keep_their_joint_law(void **state)
{
    (void)state;
    static const struct {
        size_t n_free;
        uint32_t length;
        double scale;
    } cases[] = {{1, 3, 1}, {2, 1, 1}, {3, 8, 1}, {5, 40, 1}, {4, 300, 1}, {4, 12, 0.01}, {4, 12, 100}, {3, 0, 1}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const several s = make_several(cases[k].n_free, cases[k].length, cases[k].scale);
        for (int i = 0; i < 2 * GB_N_PSI_UPDATES; i++) {
            char name[100];
            snprintf(name, sizeof name, "%zu weights by %s, %s precision x %g, %u tokens", s.n_free,
                     update_name[i / 2], i % 2 == 1 ? "full" : "diagonal", cases[k].scale, s.length);
            law_check_z(name, "joint law", change_by_redraw(&s, &s, i % 2 == 1, (gb_psi_update)(i / 2), 0, 200 + k));
        }
    }
}

/* The check above sees a mean, a precision or a count that is a little wrong. */
static void a_wrong_conditional_is_seen(void **state)
{
    (void)state;
    const several s = make_several(3, 8, 1);
    for (int i = 0; i < 2 * GB_N_PSI_UPDATES; i++) {
        const bool is_full = i % 2 == 1;
        const gb_psi_update update = (gb_psi_update)(i / 2);
        several wrong = s;
        wrong.mean[1] += 0.05;
        assert_true(change_by_redraw(&s, &wrong, is_full, update, 0, 300) > LAW_LIMIT);
        wrong = s;
        for (size_t t = 0; t < s.n_free; t++) {
            wrong.precision[t] *= 1.1;
            wrong.full[t * s.n_free + t] *= 1.1;
        }
        assert_true(change_by_redraw(&s, &wrong, is_full, update, 0, 301) > LAW_LIMIT);
        wrong = s;
        wrong.full[1] += 0.15;
        wrong.full[s.n_free] += 0.15;
        assert_true(!is_full || change_by_redraw(&s, &wrong, is_full, update, 0, 302) > LAW_LIMIT);
        assert_true(change_by_redraw(&s, &s, is_full, update, 1, 303) > LAW_LIMIT);
    }
}

/* ---- bits ---- */

enum { DOCS = 277, TOPICS = 12, FREE = TOPICS - 1 };

typedef struct corpus {
    uint64_t start[DOCS + 1];
    uint16_t assignment[DOCS * 40];
    uint32_t group[DOCS], count[DOCS][TOPICS];
    double mean[2 * FREE], precision[FREE], full[FREE * FREE], psi[DOCS * FREE];
    gb_proportions z;
} corpus;

static corpus *make_corpus(void)
{
    corpus *c = calloc(1, sizeof *c);
    assert_non_null(c);
    gb_random r = law_stream(400);
    for (size_t d = 0; d < DOCS; d++) {
        const uint64_t length = d % 9 == 0 ? 0 : gb_random_below(&r, 40);
        c->start[d + 1] = c->start[d] + length;
        c->group[d] = d % 3 == 1;
        for (uint64_t i = c->start[d]; i < c->start[d + 1]; i++) {
            c->assignment[i] = (uint16_t)gb_random_below(&r, d % 5 == 0 ? 1 : TOPICS);
            c->count[d][c->assignment[i]]++;
        }
    }
    for (size_t i = 0; i < DOCS * FREE; i++)
        c->psi[i] = 3 * gb_random_normal(&r) + (i % 50 == 0 ? 900 : 0) - (i % 70 == 0 ? 2000 : 0);
    for (size_t t = 0; t < FREE; t++) {
        c->mean[t] = gb_random_normal(&r);
        c->mean[FREE + t] = gb_random_normal(&r);
        c->precision[t] = 0.1 + 0.4 * (double)t;
        for (size_t j = 0; j < FREE; j++)
            c->full[t * FREE + j] = (t == j) + 0.9 / (1 + fabs((double)t - (double)j));
    }
    assert_int_equal(gb_proportions_create(&c->z, DOCS, TOPICS, c->start, 1, NULL), GB_OK);
    assert_int_equal(gb_proportions_count(&c->z, c->assignment, NULL), GB_OK);
    return c;
}

static void documents_do_not_depend_on_company_or_instructions(void **state)
{
    (void)state;
    corpus *c = make_corpus();
    static double expected[DOCS * FREE], psi[DOCS * FREE];
    double *scratch = make_scratch(FREE);
    for (int i = 0; i < 2 * GB_N_PSI_UPDATES; i++) {
        const gb_psi_law law = {.n_free = FREE,
                                .mean = c->mean,
                                .group = c->group,
                                .precision = i % 2 == 0 ? c->precision : NULL,
                                .full = i % 2 == 0 ? NULL : c->full};
        gb_psi_redrawing how = {&law, (gb_psi_update)(i / 2), gb_key_make(5, 1), 3, GB_DRAW_PSI, 0, GB_ISA_PLAIN};
        memcpy(expected, c->psi, sizeof expected);
        gb_psi_redraw(&how, &c->z, 0, DOCS, expected, scratch);
        for (size_t d = 0; d < DOCS * FREE; d++)
            assert_true(isfinite(expected[d]) && expected[d] != c->psi[d]);
        for (int isa = 0; isa < GB_N_ISAS; isa++) {
            if (!gb_isa_available((gb_isa)isa))
                continue;
            how.isa = (gb_isa)isa;
            memcpy(psi, c->psi, sizeof psi); /* in parts */
            gb_psi_redraw(&how, &c->z, 0, 13, psi, scratch);
            gb_psi_redraw(&how, &c->z, 13, 14, psi, scratch);
            gb_psi_redraw(&how, &c->z, 14, DOCS, psi, scratch);
            assert_memory_equal(psi, expected, sizeof psi);
            memcpy(psi, c->psi, sizeof psi); /* from dense counts, in other orders */
            static gb_psi_document doc[DOCS];
            for (size_t d = 0; d < DOCS; d++) {
                const size_t e = d * 10 % DOCS;
                doc[d] = (gb_psi_document){e, c->group[e], c->count[e], psi + e * FREE};
            }
            gb_psi_redraw_documents(&how, 1, doc, scratch);
            gb_psi_redraw_documents(&how, DOCS - 1, doc + 1, scratch);
            assert_memory_equal(psi, expected, sizeof psi);
        }
    }
    gb_free(scratch);
    gb_proportions_clear(&c->z);
    free(c);
}

/* The first weight, for which all updates start from the same state. */
static void auto_takes_the_update_that_suits_the_counts(void **state)
{
    (void)state;
    static const uint32_t lengths[] = {1, 5, 40, 100, 1000};
    const double mean[2] = {0.2, -0.4}, precision[2] = {0.5, 2};
    const gb_psi_law law = {.n_free = 2, .mean = mean, .precision = precision};
    int n_taken[GB_N_PSI_UPDATES] = {0};
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++)
        for (uint32_t n = 0; n <= lengths[k]; n++) {
            const uint32_t rest = lengths[k] - n, fewer = n < rest ? n : rest;
            double psi[GB_N_PSI_UPDATES][2] = {{0}};
            for (int update = 0; update < GB_N_PSI_UPDATES; update++)
                redraw_many(&law, (gb_psi_update)update, (uint32_t[]){n, rest / 2, rest - rest / 2}, 1, 1, 7,
                            psi[update]);
            const int taken = 10 * fewer * fewer > lengths[k] ? GB_PSI_POLYA_GAMMA : GB_PSI_INTERVAL;
            assert_true(psi[GB_PSI_AUTO][0] == psi[taken][0]);
            assert_true(psi[GB_PSI_INTERVAL][0] != psi[GB_PSI_POLYA_GAMMA][0]);
            n_taken[taken]++;
        }
    assert_true(n_taken[GB_PSI_INTERVAL] > 20 && n_taken[GB_PSI_POLYA_GAMMA] > 20);
}

static void not_a_number_comes_back_as_such(void **state)
{
    (void)state;
    const double mean[2] = {NAN, 0}, precision[2] = {1, NAN};
    double psi[2];
    const gb_psi_law law = {.n_free = 2, .mean = mean, .precision = precision};
    for (int update = 0; update < GB_N_PSI_UPDATES; update++) {
        psi[0] = psi[1] = 0.5;
        redraw_many(&law, (gb_psi_update)update, (uint32_t[]){1, 2, 3}, 1, 1, 0, psi);
        assert_true(isnan(psi[0]) && isnan(psi[1]));
    }
}

/* ---- weights and prior ---- */

static void weights_are_relative_to_the_largest(void **state)
{
    (void)state;
    for (size_t n_free = 1; n_free < 20; n_free++) {
        double psi[20], weight[20], log_share[20], sum = 0;
        gb_random r = law_stream(500 + n_free);
        for (size_t t = 0; t < n_free; t++)
            psi[t] = 40 * gb_random_normal(&r) - (t == 2 ? 1e5 : 0);
        for (int isa = 0; isa < GB_N_ISAS; isa++) {
            if (!gb_isa_available((gb_isa)isa))
                continue;
            gb_psi_weights(&(gb_psi_law){.n_free = n_free}, psi, (gb_isa)isa, weight);
            double largest = 0;
            for (size_t t = 0; t < n_free; t++)
                largest = fmax(largest, psi[t]);
            for (size_t k = 0; k <= n_free; k++) {
                const double exact = exp((k < n_free ? psi[k] : 0) - largest);
                assert_true(weight[k] > 0 && weight[k] <= 1 && fabs(weight[k] - exact) <= 1e-14 * exact + 1e-300);
            }
        }
        gb_psi_log_shares(&(gb_psi_law){.n_free = n_free}, psi, log_share);
        for (size_t k = 0; k <= n_free; k++)
            sum += exp(log_share[k]);
        assert_true(fabs(sum - 1) < 1e-14);
        assert_true(n_free < 2 || fabs(log_share[0] - log_share[1] - (psi[0] - psi[1])) < 1e-10);
    }
}

static void prior_draws_have_their_covariance(void **state)
{
    (void)state;
    enum { Q = 4, N = 100000 };
    const several s = make_several(Q, 0, 2);
    double *x = law_room(N * Q), *product = law_room(N);
    for (int is_full = 0; is_full < 2; is_full++) {
        const gb_psi_law law = law_of(&s, is_full == 1);
        gb_random r = law_stream(600);
        for (size_t i = 0; i < N; i++)
            gb_psi_draw(&law, &r, 0, x + i * Q);
        for (size_t a = 0; a < Q; a++)
            for (size_t b = 0; b < Q; b++) {
                /* E (x - mean)_a (Q (x - mean))_b = 1 if a = b, else 0 */
                for (size_t i = 0; i < N; i++) {
                    double sum = 0;
                    for (size_t j = 0; j < Q; j++)
                        sum += (is_full == 1 ? s.full[b * Q + j] : (b == j) * s.precision[b]) *
                               (x[i * Q + j] - s.mean[j]);
                    product[i] = (x[i * Q + a] - s.mean[a]) * sum;
                }
                law_check_mean("prior of psi", "covariance times precision", N, product, NULL, a == b);
            }
    }
    free(product);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_weight_keeps_its_law),
        cmocka_unit_test(one_weight_reaches_its_law),
        cmocka_unit_test(several_weights_keep_their_joint_law),
        cmocka_unit_test(a_wrong_conditional_is_seen),
        cmocka_unit_test(documents_do_not_depend_on_company_or_instructions),
        cmocka_unit_test(auto_takes_the_update_that_suits_the_counts),
        cmocka_unit_test(not_a_number_comes_back_as_such),
        cmocka_unit_test(weights_are_relative_to_the_largest),
        cmocka_unit_test(prior_draws_have_their_covariance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
