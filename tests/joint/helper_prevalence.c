/* helper_prevalence.c - log weights whose means are a regression on metadata: quadrature; no call of the library.
 *
 *   psi_d ~ N(Gamma' f_d, Sigma),   Gamma_jt ~ N(m_j, v_jt)                                                  (1)
 *
 * Given variances, the differences delta of psi from the last topic's, of all documents, are jointly normal together with Gamma,
 * for any number of topics: with C_t = F V_t F' over documents,
 *   reference   Cov(delta_dt, delta_es) = [t = s] C_t,de + [d = e] Sigma_ts                                  (2)
 *   symmetric   [t = s] (C_t,de + [d = e] / p_t) + C_K,de + [d = e] / p_K                                    (3)
 * The integral is over e, delta = mean + root e, and Gamma | e is normal with a mean linear in e. */
#include "helper_psi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIMENSIONS = PSI_DOCS * 2, MAX_POINTS = 4000 };

/* One value of all precisions and variances. */
typedef struct point {
    double weight, sigma[PSI_FREE][PSI_FREE], variance[PSI_PARTS][PSI_FREE], hyper[PSI_HYPER];
} point;

static double positive_or(double x, double otherwise)
{
    return x > 0 ? x : otherwise;
}

static double scale_of(const psi_regression *r, psi_fault fault)
{
    return positive_or(r->scale, 1) * (fault == PSI_WIDE ? 4 : 1);
}

static double level_mean_of(const psi_regression *r)
{
    return r->level_precision > 0 ? r->level_mean : PSI_LEVEL_MEAN;
}

/* Of coefficient j of coordinate t. */
static double variance_of(const psi_prior *p, const psi_columns *x, psi_fault fault, const point *at, size_t j,
                          size_t t)
{
    const psi_regression *r = p->regression;
    const bool is_constant = x->part[j] == -1;
    if (x->part[j] >= 0)
        return at->variance[x->part[j]][t];
    const double fixed = fault == PSI_FIXED_AS_ONE ? 1 : positive_or(r->fixed_variance, 4),
                 v = is_constant ? 1 / positive_or(r->level_precision, PSI_LEVEL_PRECISION) : fixed;
    return v * (t == 1 ? positive_or(r->second[is_constant ? 0 : 1], 1) : 1);
}

/* ---- what is sampled ---- */

static size_t n_precisions(const psi_prior *p, size_t n_topics)
{
    return !p->covariance_is_sampled ? 0 : p->is_full ? 1 : psi_n_free(p, n_topics);
}

static bool has_variances(const psi_prior *p)
{
    return p->regression->has_random || p->regression->has_horseshoe;
}

size_t prevalence_n_hyper(const psi_prior *p, size_t n_topics)
{
    return 2 * (n_precisions(p, n_topics) + (has_variances(p) ? psi_n_free(p, n_topics) : 0));
}

/* Values of one number on a lattice of its logarithm. */
static size_t add_lattice(double (*log_density)(double x, double scale), double scale, double from, double to,
                          double step, double *x, double *weight)
{
    size_t n = 0;
    for (double u = from; u <= to; u += step) {
        const double w = step * exp(u + log_density(exp(u), scale));
        if (w < 1e-7)
            continue;
        x[n] = exp(u);
        weight[n++] = w;
    }
    return n;
}

static double log_of_precision(double x, double scale)
{
    (void)scale;
    return psi_log_gamma_density(x, 1, 1);
}

static double log_of_full_precision(double x, double scale) /* IW(1, 3) is InvGamma(3/2, 1/2) */
{
    (void)scale;
    return psi_log_gamma_density(x, 1.5, 0.5);
}

/* Of tau^2, for a half-Cauchy tau. */
static double log_of_variance(double v, double scale)
{
    return -log(M_PI * scale) - log(v) / 2 - log1p(v / (scale * scale));
}

/* Of tau^2 lam^2, for half-Cauchy tau of this scale and lam of scale 1: of x = tau lam / scale it is 4 log x / (pi^2 (x^2 - 1)). */
static double log_of_horseshoe(double v, double scale)
{
    const double square = v / (scale * scale), log_x = log(square) / 2,
                 ratio = fabs(square - 1) < 1e-6 ? 0.5 : log_x / (square - 1);
    return log(4 / (M_PI * M_PI) * ratio) - log(2 * sqrt(square)) - 2 * log(scale);
}

static void add_hyper(point *at, size_t *n, double x)
{
    at->hyper[(*n)++] = log(x);
    at->hyper[(*n)++] = 1 / (1 + x);
}

/* All combinations: numbers 0, 1 are precisions, 2, 3 variances, of two coordinates. */
static size_t make_points(const psi_prior *p, psi_fault fault, size_t n_topics, point *out)
{
    double x[4][64], w[4][64];
    size_t n[4] = {1, 1, 1, 1}, n_points = 0;
    const size_t n_free = psi_n_free(p, n_topics);
    for (size_t i = 0; i < 4; i++)
        w[i][0] = x[i][0] = 1;
    for (size_t t = 0; t < n_precisions(p, n_topics); t++)
        n[t] = add_lattice(p->is_full ? log_of_full_precision : log_of_precision, 0, -12, 5, 0.8, x[t], w[t]);
    for (size_t t = 0; t < n_free && has_variances(p); t++)
        n[2 + t] = add_lattice(p->regression->has_horseshoe ? log_of_horseshoe : log_of_variance,
                               scale_of(p->regression, fault), -17.7, 17.7, 1.5, x[2 + t], w[2 + t]);
    for (size_t i = 0; i < n[0] * n[1] * n[2] * n[3]; i++) {
        const size_t at[4] = {i % n[0], i / n[0] % n[1], i / (n[0] * n[1]) % n[2], i / (n[0] * n[1] * n[2])};
        point *new = &out[n_points++];
        size_t n_hyper = 0;
        if (n_points > MAX_POINTS)
            abort();
        *new = (point){.weight = 1};
        for (size_t j = 0; j < 4; j++)
            new->weight *= w[j][at[j]];
        for (size_t t = 0; t < n_free; t++)
            for (size_t s = 0; s < n_free; s++)
                new->sigma[t][s] = p->is_full ? p->sigma[t < 2 ? t : 0][s < 2 ? s : 0] : t == s ? p->sigma[0][0] : 0;
        for (size_t t = 0; t < n_precisions(p, n_topics); t++) {
            new->sigma[t][t] = 1 / x[t][at[t]];
            add_hyper(new, &n_hyper, x[t][at[t]]);
        }
        for (size_t t = 0; t < n_free && has_variances(p); t++) {
            new->variance[0][t] = x[2 + t][at[2 + t]];
            add_hyper(new, &n_hyper, new->variance[0][t]);
        }
        if (fault == PSI_VARIANCE)
            for (size_t t = 0; t < n_free; t++)
                new->sigma[t][t] = 1 / new->sigma[t][t];
    }
    return n_points;
}

/* ---- the joint normal law ---- */

typedef struct normal {
    size_t n, n_free, n_coefficients;
    double mean[MAX_DIMENSIONS], root[MAX_DIMENSIONS][MAX_DIMENSIONS];
    double centre[PSI_COEFFICIENTS], gain[PSI_COEFFICIENTS][MAX_DIMENSIONS], rest[PSI_COEFFICIENTS];
    double step; /* of the lattice */
} normal;

/* Columns as a faulty sampler would have them. */
static psi_columns columns_with_fault(const psi_columns *x, psi_fault fault)
{
    psi_columns out = *x;
    for (size_t d = 0; d < PSI_DOCS && fault == PSI_NO_COLUMN; d++)
        out.row[d][x->n - 1] = 0;
    return out;
}

/* (F V_t F')_de; with PSI_ONE_LEVEL random effects of different documents have nothing to do with each other. */
static double between(const psi_prior *p, const psi_columns *x, psi_fault fault, const point *at, size_t t, size_t d,
                      size_t e)
{
    double sum = 0;
    for (size_t j = 0; j < x->n; j++)
        if (!(fault == PSI_ONE_LEVEL && d != e && x->part[j] >= 0))
            sum += variance_of(p, x, fault, at, j, t) * x->row[d][j] * x->row[e][j];
    return sum;
}

static void find_root(normal *g, double c[MAX_DIMENSIONS][MAX_DIMENSIONS])
{
    double largest = 0;
    for (size_t i = 0; i < g->n; i++) {
        largest = fmax(largest, c[i][i]);
        for (size_t j = 0; j <= i; j++) {
            double sum = c[i][j];
            for (size_t k = 0; k < j; k++)
                sum -= g->root[i][k] * g->root[j][k];
            g->root[i][j] = i == j ? sqrt(sum) : sum / g->root[j][j];
        }
    }
    /* shares have poles at pi sqrt(-1): the wider the law, the finer the lattice */
    const double least = g->n > 3 ? 0.75 : 0.35;
    g->step = fmin(fmax(1.5 / sqrt(largest), least), 0.9);
}

static normal normal_of(const psi_prior *p, const psi_columns *x, psi_fault fault, const point *at, size_t n_topics)
{
    const bool is_symmetric = !p->is_full && fault != PSI_ONE_SIDED;
    normal g = {.n = PSI_DOCS * (n_topics - 1), .n_free = psi_n_free(p, n_topics)};
    double c[MAX_DIMENSIONS][MAX_DIMENSIONS];
    const size_t last = n_topics - 1;
    for (size_t i = 0; i < g.n; i++) {
        const size_t d = i / last, t = i % last;
        g.mean[i] = is_symmetric ? 0 : level_mean_of(p->regression);
        for (size_t j = 0; j < g.n; j++) {
            const size_t e = j / last, s = j % last;
            c[i][j] = (t == s ? between(p, x, fault, at, t, d, e) : 0) + (d == e ? at->sigma[t][s] : 0);
            if (is_symmetric)
                c[i][j] += between(p, x, fault, at, last, d, e) + (d == e ? at->sigma[last][last] : 0);
        }
    }
    find_root(&g, c);
    for (size_t j = 0; j < x->n; j++)
        for (size_t t = 0; t < g.n_free; t++) {
            const size_t number = g.n_coefficients++;
            const double v = variance_of(p, x, fault, at, j, t);
            g.centre[number] = x->part[j] == -1 ? level_mean_of(p->regression) : 0;
            g.rest[number] = v;
            for (size_t i = 0; i < g.n; i++) { /* root gain = covariance with delta */
                double sum = (t == last ? (is_symmetric ? -1 : 0) : t == i % last) * v * x->row[i / last][j];
                for (size_t k = 0; k < i; k++)
                    sum -= g.root[i][k] * g.gain[number][k];
                g.gain[number][i] = sum / g.root[i][i];
                g.rest[number] -= g.gain[number][i] * g.gain[number][i];
            }
        }
    return g;
}

/* ---- sums ---- */

typedef struct integral {
    const point *at;
    normal g;
    size_t n_topics;
    const size_t *length;
    psi_fault fault;
    double e[MAX_DIMENSIONS];
    /* of each assignment that there is, by counts, the numbers of a law that are not always 0 */
    size_t n_used, used[sizeof(psi_law) / sizeof(double)];
    double *sum;
} integral;

/* What a point says whatever the tokens are. */
static psi_law law_of_shares(const integral *s, double share[PSI_DOCS][3])
{
    const normal *g = &s->g;
    psi_law law = {.evidence = 1};
    double product = 0;
    memcpy(law.share, share, sizeof law.share);
    for (size_t d = 0; d < PSI_DOCS; d++) {
        for (size_t k = 0; k < s->n_topics; k++)
            law.square[d][k] = share[d][k] * share[d][k];
        for (size_t e = 0; e < d; e++)
            law.product[d][e] = share[d][0] * share[e][0];
    }
    for (size_t c = 0; c < g->n_coefficients; c++) {
        law.gamma[c] = g->centre[c];
        for (size_t i = 0; i < g->n; i++)
            law.gamma[c] += g->gain[c][i] * s->e[i];
        law.gamma_square[c] = law.gamma[c] * law.gamma[c] + g->rest[c];
    }
    if (g->n_free > 1 && g->n_coefficients > g->n_free + 1) {
        for (size_t i = 0; i < g->n; i++)
            product -= g->gain[g->n_free][i] * g->gain[g->n_free + 1][i];
        law.gamma_product = law.gamma[g->n_free] * law.gamma[g->n_free + 1] + product;
    }
    memcpy(law.hyper, s->at->hyper, sizeof law.hyper);
    return law;
}

/* Probabilities of the tokens of a document, by the number of their counts; -1: there are none such. */
static void likelihoods(const integral *s, size_t d, const double *share, double *f)
{
    for (size_t number = 0; number < PSI_COUNTS; number++) {
        double n[3];
        f[number] = -1;
        if (!psi_counts_of(s->n_topics, number, s->length[d], n))
            continue;
        f[number] = 1;
        for (size_t k = 0; k < s->n_topics; k++)
            for (double i = 0; i < n[k]; i++)
                f[number] *= share[k];
        if (s->fault == PSI_SHORT && s->length[d] > 0)
            f[number] /= share[s->n_topics - 1]; /* one token less in the sum */
    }
}

static void add_point(const integral *s, double weight)
{
    const size_t last = s->n_topics - 1;
    double share[PSI_DOCS][3] = {{0}}, f[PSI_DOCS][PSI_COUNTS];
    for (size_t d = 0; d < PSI_DOCS; d++) {
        double sum = 0;
        for (size_t k = 0; k < s->n_topics; k++) {
            const size_t i = d * last + k;
            double delta = k < last ? s->g.mean[i] : 0;
            for (size_t j = 0; k < last && j <= i; j++)
                delta += s->g.root[i][j] * s->e[j];
            sum += share[d][k] = exp(fmin(fmax(delta, -300), 300));
        }
        for (size_t k = 0; k < s->n_topics; k++)
            share[d][k] /= sum;
        likelihoods(s, d, share[d], f[d]);
    }
    const psi_law law = law_of_shares(s, share);
    double x[sizeof law / sizeof(double)], *sum = s->sum;
    for (size_t i = 0; i < s->n_used; i++)
        x[i] = ((const double *)&law)[s->used[i]];
    for (size_t a = 0; a < PSI_COUNTS; a++)
        for (size_t b = 0; b < PSI_COUNTS && f[0][a] >= 0; b++)
            for (size_t c = 0; c < PSI_COUNTS && f[1][b] >= 0; c++) {
                const double w = weight * f[0][a] * f[1][b] * f[2][c];
                if (f[2][c] < 0)
                    continue;
                for (size_t i = 0; i < s->n_used; i++)
                    sum[i] += w * x[i];
                sum += s->n_used;
            }
}

static const double FARTHEST =
    5.6; /* of e: beyond lies 1e-6 of a normal law of three dimensions, 2e-5 of one of six */

static void walk(integral *s, size_t level, double squares, double weight)
{
    if (level == s->g.n) {
        add_point(s, weight * exp(-squares / 2));
        return;
    }
    const double room = sqrt(FARTHEST * FARTHEST - squares), n = floor(room / s->g.step);
    for (double i = -n; i <= n; i++) {
        const double x = i * s->g.step;
        s->e[level] = x;
        walk(s, level + 1, fmin(squares + x * x, FARTHEST * FARTHEST), weight * s->g.step / sqrt(2 * M_PI));
    }
}

/* Where the law of some state has numbers. */
static void find_used(integral *s)
{
    double share[PSI_DOCS][3] = {{0}};
    for (size_t d = 0; d < PSI_DOCS; d++)
        for (size_t k = 0; k < s->n_topics; k++)
            share[d][k] = 1;
    for (size_t i = 0; i < s->g.n; i++)
        s->e[i] = 1 + 0.1 * (double)i;
    const psi_law law = law_of_shares(s, share);
    for (size_t i = 0; i < sizeof law / sizeof(double); i++)
        if (((const double *)&law)[i] != 0)
            s->used[s->n_used++] = i;
}

/* The assignments in the order of add_point(). */
static void put_sums(const integral *s, psi_law law[PSI_COUNTS][PSI_COUNTS][PSI_COUNTS])
{
    const double *sum = s->sum;
    double n[3];
    for (size_t a = 0; a < PSI_COUNTS; a++)
        for (size_t b = 0; b < PSI_COUNTS && psi_counts_of(s->n_topics, a, s->length[0], n); b++)
            for (size_t c = 0; c < PSI_COUNTS && psi_counts_of(s->n_topics, b, s->length[1], n); c++) {
                if (!psi_counts_of(s->n_topics, c, s->length[2], n))
                    continue;
                for (size_t i = 0; i < s->n_used; i++)
                    ((double *)&law[a][b][c])[s->used[i]] = sum[i];
                sum += s->n_used;
            }
}

void prevalence_exact(const psi_prior *p, const psi_columns *columns, psi_fault fault, size_t n_topics,
                      const size_t *length, psi_law law[PSI_COUNTS][PSI_COUNTS][PSI_COUNTS])
{
    point *at = calloc(MAX_POINTS, sizeof *at);
    integral s = {.n_topics = n_topics, .length = length, .fault = fault};
    s.sum = calloc(PSI_COUNTS * PSI_COUNTS * PSI_COUNTS, sizeof(psi_law));
    if (at == NULL || s.sum == NULL)
        abort();
    const psi_columns x = columns_with_fault(columns, fault);
    const size_t n = make_points(p, fault, n_topics, at);
    for (size_t i = 0; i < n; i++) {
        s.at = &at[i];
        s.g = normal_of(p, &x, fault, &at[i], n_topics);
        if (i == 0)
            find_used(&s);
        walk(&s, 0, 0, at[i].weight);
    }
    put_sums(&s, law);
    free(s.sum);
    free(at);
}

/* ---- a state ---- */

static void shares_of_state(const psi_prior *p, size_t n_topics, const double *psi, double *share)
{
    double sum = 0;
    for (size_t k = 0; k < n_topics; k++)
        sum += share[k] = exp(k < psi_n_free(p, n_topics) ? psi[k] : 0);
    for (size_t k = 0; k < n_topics; k++)
        share[k] /= sum;
}

void prevalence_law_of_state(const psi_prior *p, const psi_columns *x, size_t n_topics, const psi_state *state,
                             psi_law *law)
{
    const size_t n_free = psi_n_free(p, n_topics);
    point at = {.weight = 1};
    size_t n_hyper = 0, n = 0;
    *law = (psi_law){.evidence = 1};
    for (size_t d = 0; d < PSI_DOCS; d++) {
        shares_of_state(p, n_topics, state->psi[d], law->share[d]);
        for (size_t k = 0; k < n_topics; k++)
            law->square[d][k] = law->share[d][k] * law->share[d][k];
        for (size_t e = 0; e < d; e++)
            law->product[d][e] = law->share[d][0] * law->share[e][0];
    }
    for (size_t j = 0; j < x->n; j++)
        for (size_t t = 0; t < n_free; t++, n++) {
            law->gamma[n] = state->gamma[j][t];
            law->gamma_square[n] = law->gamma[n] * law->gamma[n];
        }
    if (n_free > 1 && x->n > 1)
        law->gamma_product = state->gamma[1][0] * state->gamma[1][1];
    for (size_t t = 0; t < n_precisions(p, n_topics); t++)
        add_hyper(&at, &n_hyper, 1 / state->sigma[t][t]);
    for (size_t t = 0; t < n_free && has_variances(p); t++)
        add_hyper(&at, &n_hyper, state->variance[0][t]);
    memcpy(law->hyper, at.hyper, sizeof law->hyper);
}

static double log_normal(double x, double variance)
{
    return -x * x / (2 * variance) - log(2 * M_PI * variance) / 2;
}

/* log N(x; 0, sigma), one coordinate given those before. */
static double log_normals(size_t n, double sigma[PSI_FREE][PSI_FREE], const double *x)
{
    double root[PSI_FREE][PSI_FREE] = {{0}}, e[PSI_FREE], sum = 0;
    for (size_t i = 0; i < n; i++) {
        double left = x[i];
        for (size_t j = 0; j <= i; j++) {
            double c = sigma[i][j];
            for (size_t k = 0; k < j; k++)
                c -= root[i][k] * root[j][k];
            root[i][j] = i == j ? sqrt(c) : c / root[j][j];
            left -= i == j ? 0 : root[i][j] * e[j];
        }
        e[i] = left / root[i][i];
        sum += log_normal(e[i], 1) - log(root[i][i]);
    }
    return sum;
}

double prevalence_log_density(const psi_prior *p, const psi_columns *x, size_t n_topics, const size_t *length,
                              const unsigned char *z, const psi_state *state)
{
    const size_t n_free = psi_n_free(p, n_topics);
    double log_p = 0, share[3], left[PSI_FREE], sigma[PSI_FREE][PSI_FREE];
    point at = {.weight = 1};
    memcpy(at.variance, state->variance, sizeof at.variance);
    memcpy(sigma, state->sigma, sizeof sigma);
    for (size_t d = 0; d < PSI_DOCS; z += length[d++]) {
        shares_of_state(p, n_topics, state->psi[d], share);
        for (size_t i = 0; i < length[d]; i++)
            log_p += log(share[z[i]]);
        for (size_t t = 0; t < n_free; t++) {
            left[t] = state->psi[d][t];
            for (size_t j = 0; j < x->n; j++)
                left[t] -= x->row[d][j] * state->gamma[j][t];
        }
        log_p += log_normals(n_free, sigma, left);
    }
    for (size_t t = 0; t < n_free; t++) {
        for (size_t j = 0; j < x->n; j++)
            log_p += log_normal(state->gamma[j][t] - (x->part[j] == -1 ? level_mean_of(p->regression) : 0),
                                variance_of(p, x, PSI_RIGHT, &at, j, t));
        if (p->regression->has_random)
            log_p += log_of_variance(state->variance[0][t], scale_of(p->regression, PSI_RIGHT));
        for (size_t b = 0; b < 2 && p->regression->has_horseshoe; b++)
            log_p += log_of_variance(state->horseshoe[b][t], b == 0 ? 1 : scale_of(p->regression, PSI_RIGHT));
    }
    for (size_t t = 0; t < n_precisions(p, n_topics) && !p->is_full; t++)
        log_p += log_of_precision(1 / state->sigma[t][t], 0);
    if (n_precisions(p, n_topics) > 0 && p->is_full) {
        double own[4][4] = {{state->sigma[0][0]}};
        log_p += psi_log_wishart(1, own);
    }
    return log_p;
}
