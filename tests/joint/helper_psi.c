/* helper_psi.c - quadrature over log weights and what governs them; no call of the library. */
#include "helper_psi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COUNTS = PSI_COUNTS, MAX_POINTS = 20000 };

struct psi_table {
    size_t n_topics, length[PSI_DOCS];
    psi_law law[MAX_COUNTS][MAX_COUNTS][MAX_COUNTS];
};

/* ---- counts of a document as a number ---- */

static size_t number_of(size_t n_topics, const unsigned char *z, size_t length)
{
    size_t n[3] = {0};
    for (size_t i = 0; i < length; i++)
        n[z[i]]++;
    return n_topics == 2 ? n[0] : 4 * n[0] + n[1];
}

/* n_dk; false for a number that no assignment has. */
bool psi_counts_of(size_t n_topics, size_t number, size_t length, double *n)
{
    n[0] = (double)(n_topics == 2 ? number : number / 4);
    n[1] = n_topics == 2 ? (double)length - n[0] : (double)(number % 4);
    n[2] = n_topics == 2 ? 0 : (double)length - n[0] - n[1];
    return n[1] >= 0 && n[2] >= 0;
}

/* ---- small matrices ---- */

/* Lower triangle R of R R' = a. */
static void root_of(size_t n, double a[4][4], double r[4][4])
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = a[i][j];
            for (size_t k = 0; k < j; k++)
                sum -= r[i][k] * r[j][k];
            r[i][j] = i == j ? sqrt(sum) : sum / r[j][j];
        }
}

/* Gauss and Jordan. */
static void invert(size_t n, double a[4][4], double out[4][4])
{
    double m[4][8] = {{0}};
    for (size_t i = 0; i < n; i++) {
        memcpy(m[i], a[i], n * sizeof(double));
        m[i][n + i] = 1;
    }
    for (size_t p = 0; p < n; p++) { /* positive definite: no exchange of rows */
        for (size_t i = 0; i < n; i++) {
            const double factor = m[i][p] / m[p][p];
            for (size_t j = 0; j < 2 * n && i != p; j++)
                m[i][j] -= factor * m[p][j];
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            out[i][j] = m[i][n + j] / m[i][i];
}

/* ---- the field ---- */

static size_t n_groups_of(const psi_prior *p)
{
    return p->is_graph ? p->n_groups : 1;
}

static unsigned group_of(const psi_prior *p, size_t d)
{
    return p->is_graph ? p->group[d] : 0;
}

static size_t find_components(const psi_prior *p, size_t *component, size_t *size)
{
    const size_t n = n_groups_of(p);
    size_t n_components = 0;
    for (size_t g = 0; g < n; g++)
        component[g] = g;
    for (size_t pass = 0; pass < n; pass++)
        for (size_t e = 0; e < p->n_edges; e++) {
            const size_t a = component[p->edge[e].from], b = component[p->edge[e].to];
            component[p->edge[e].from] = component[p->edge[e].to] = a < b ? a : b;
        }
    memset(size, 0, PSI_GROUPS * sizeof *size);
    for (size_t g = 0; g < n; g++) {
        n_components += component[g] == g;
        size[component[g]]++;
    }
    return n_components;
}

/* Precision of the means: Laplacians and levels. */
static void precision_of_means(const psi_prior *p, const double *evolution, double level, double q[4][4])
{
    size_t component[PSI_GROUPS], size[PSI_GROUPS];
    (void)find_components(p, component, size);
    memset(q, 0, sizeof(double[4][4]));
    for (size_t e = 0; e < p->n_edges; e++) {
        const psi_edge *edge = &p->edge[e];
        const double w = evolution[edge->type] * edge->weight;
        q[edge->from][edge->from] += w;
        q[edge->to][edge->to] += w;
        q[edge->from][edge->to] -= w;
        q[edge->to][edge->from] -= w;
    }
    for (size_t g = 0; g < n_groups_of(p); g++)
        for (size_t h = 0; h < n_groups_of(p); h++)
            if (component[g] == component[h])
                q[g][h] += level / (double)(size[component[g]] * size[component[g]]);
}

/* ---- what is sampled ---- */

/* One value of everything that psi depends on, and its weight. */
struct point {
    double weight, evolution[PSI_TYPES], sigma[2][2], hyper[PSI_HYPER];
};

double psi_log_gamma_density(double x, double shape, double rate)
{
    return shape * log(rate) - lgamma(shape) + (shape - 1) * log(x) - rate * x;
}

static void add_hyper(struct point *point, size_t *n, double x)
{
    point->hyper[(*n)++] = log(x);
    point->hyper[(*n)++] = 1 / (1 + x);
}

/* Shape and rate of a sampled spread as a precision; one coordinate.  IW(1, 3) is InvGamma(3/2, 1/2). */
static void law_of_precision(const psi_prior *p, double *shape, double *rate)
{
    *shape = p->is_full ? 1.5 : p->is_graph ? PSI_GAMMA_SHAPE : 1;
    *rate = p->is_full ? 0.5 : p->is_graph ? PSI_GAMMA_RATE : 1;
}

static bool spread_is_sampled(const psi_prior *p)
{
    return p->is_graph && !p->is_full ? p->observation == 0 : p->covariance_is_sampled;
}

/* Values of one precision: a lattice of its logarithm. */
static size_t values_of(bool is_sampled, double fixed, double shape, double rate, double *x, double *weight)
{
    size_t n = 0;
    const double step = 0.3;
    if (!is_sampled) {
        x[0] = fixed;
        weight[0] = 1;
        return 1;
    }
    for (double u = -9; u < 4; u += step) {
        const double value = exp(u), w = step * value * exp(psi_log_gamma_density(value, shape, rate));
        if (w < 1e-7)
            continue;
        x[n] = value;
        weight[n++] = w;
    }
    return n;
}

static size_t points_of_two(const psi_prior *p, psi_fault fault, struct point *point)
{
    double shape, rate, x[3][64], w[3][64];
    size_t n[3], n_points = 0, component[PSI_GROUPS], size[PSI_GROUPS];
    const double n_components = (double)find_components(p, component, size);
    law_of_precision(p, &shape, &rate);
    const double fixed = p->is_graph && !p->is_full ? p->observation : 1 / p->sigma[0][0];
    n[0] = values_of(spread_is_sampled(p), fixed, shape, rate, x[0], w[0]);
    for (size_t r = 0; r < PSI_TYPES; r++)
        n[1 + r] = values_of(r < p->n_types && p->evolution == 0, p->evolution, PSI_GAMMA_SHAPE, PSI_GAMMA_RATE,
                             x[1 + r], w[1 + r]);
    for (size_t i = 0; i < n[0]; i++)
        for (size_t j = 0; j < n[1]; j++)
            for (size_t k = 0; k < n[2]; k++) {
                struct point *at = &point[n_points++];
                size_t n_hyper = 0;
                *at = (struct point){.weight = w[0][i] * w[1][j] * w[2][k], .evolution = {x[1][j], x[2][k]}};
                at->sigma[0][0] = fault == PSI_VARIANCE ? x[0][i] : 1 / x[0][i];
                if (fault == PSI_RANK)
                    at->weight *= pow(x[1][j], n_components / 2);
                if (n[0] > 1)
                    add_hyper(at, &n_hyper, x[0][i]);
                for (size_t r = 0; r < PSI_TYPES; r++)
                    if (n[1 + r] > 1)
                        add_hyper(at, &n_hyper, at->evolution[r]);
            }
    return n_points;
}

/* Determinant, first variance, correlation. */
static void hyper_of_matrix(double first, double both, double second, double *hyper)
{
    hyper[0] = log(first * second - both * both);
    hyper[1] = 1 / (1 + first);
    hyper[2] = both / sqrt(first * second);
}

/* IW(I, 4) of order 2: Sigma^{-1} = T T', T lower triangular, T_11^2 ~ chi^2(4), T_22^2 ~ chi^2(3), T_21 ~ N(0, 1). */
static size_t points_of_three(const psi_prior *p, struct point *point)
{
    size_t n = 0;
    const double step = 0.25;
    if (!p->covariance_is_sampled) {
        point[0] = (struct point){.weight = 1};
        memcpy(point[0].sigma, p->sigma, sizeof p->sigma);
        return 1;
    }
    for (double u = -4; u < 2; u += step)
        for (double v = -5; v < 2; v += step)
            for (double b = -5; b < 5.01; b += 2 * step) {
                const double t1 = exp(u), t2 = exp(v);
                const double log_w = 4 * u - t1 * t1 / 2 - log(2) * 1 - lgamma(2) + 3 * v - t2 * t2 / 2 - log(2) / 2 -
                                     lgamma(1.5) - b * b / 2 - log(2 * M_PI) / 2;
                const double w = 2 * step * step * step * exp(log_w);
                if (w < 1e-7)
                    continue;
                struct point *at = &point[n++];
                *at = (struct point){.weight = w};
                const double a = t1 * t1, c = t1 * b, d = b * b + t2 * t2, determinant = a * d - c * c;
                at->sigma[0][0] = d / determinant;
                at->sigma[1][1] = a / determinant;
                at->sigma[0][1] = at->sigma[1][0] = -c / determinant;
                hyper_of_matrix(at->sigma[0][0], at->sigma[0][1], at->sigma[1][1], at->hyper);
            }
    return n;
}

size_t psi_n_free(const psi_prior *p, size_t n_topics)
{
    return n_topics - (p->regression == NULL || p->is_full);
}

size_t psi_n_hyper(const psi_prior *p, size_t n_topics)
{
    if (p->regression != NULL)
        return prevalence_n_hyper(p, n_topics);
    if (n_topics == 3)
        return p->covariance_is_sampled ? 3 : 0;
    return 2 * ((size_t)spread_is_sampled(p) + (p->is_graph && p->evolution == 0 ? p->n_types : 0));
}

/* ---- two topics: psi of all documents together ---- */

struct joint_normal {
    double mean[PSI_DOCS], root[4][4];         /* of psi */
    double gain[PSI_GROUPS][PSI_DOCS], centre; /* E[mu | psi] = centre + gain (psi - mean) */
};

static struct joint_normal joint_normal_of(const psi_prior *p, psi_fault fault, const struct point *point)
{
    struct joint_normal out = {.centre = PSI_LEVEL_MEAN};
    double q[4][4], v[4][4] = {{0}}, c[4][4] = {{0}}, inverse[4][4];
    const double scale = p->is_full ? point->sigma[0][0] : 1, noise = point->sigma[0][0];
    const size_t n = n_groups_of(p);
    const bool has_field = p->is_graph || p->mean_is_sampled;
    if (has_field) {
        precision_of_means(p, point->evolution, fault == PSI_NO_LEVEL ? 1e-3 : PSI_LEVEL_PRECISION, q);
        invert(n, q, v);
    } else {
        out.centre = p->mean[0];
    }
    for (size_t d = 0; d < PSI_DOCS; d++)
        for (size_t e = 0; e < PSI_DOCS; e++) {
            const bool apart = group_of(p, d) != group_of(p, e);
            c[d][e] = scale * v[group_of(p, d)][group_of(p, e)] * (fault == PSI_SIGN && apart ? -1 : 1) +
                      (d == e ? noise : 0);
        }
    root_of(PSI_DOCS, c, out.root);
    invert(PSI_DOCS, c, inverse);
    for (size_t d = 0; d < PSI_DOCS; d++)
        out.mean[d] = out.centre;
    for (size_t g = 0; g < n; g++)
        for (size_t d = 0; d < PSI_DOCS; d++)
            for (size_t e = 0; e < PSI_DOCS; e++)
                out.gain[g][d] += scale * v[g][group_of(p, e)] * inverse[e][d];
    return out;
}

static const double STEP = 0.45, FARTHEST = 5.4;

/* Sums of one value of the precisions: evidence, theta_d, its square, products, psi_d. */
struct sums {
    double one, share[PSI_DOCS], square[PSI_DOCS], product[3], psi[PSI_DOCS];
};

static void add_state(psi_table *t, psi_fault fault, const double *psi, double weight, struct sums sums[4][4][4])
{
    double share[PSI_DOCS], f[PSI_DOCS][4];
    for (size_t d = 0; d < PSI_DOCS; d++) {
        share[d] = 1 / (1 + exp(-psi[d]));
        const double rest = 1 / (1 + exp(psi[d]));
        for (size_t a = 0; a <= t->length[d]; a++) {
            f[d][a] = 1;
            for (size_t i = 0; i < t->length[d]; i++)
                f[d][a] *= i < a ? share[d] : rest;
            if (fault == PSI_SHORT && t->length[d] > 0)
                f[d][a] /= rest; /* (1 + exp(psi))^-(N - 1) */
        }
    }
    for (size_t a = 0; a <= t->length[0]; a++)
        for (size_t b = 0; b <= t->length[1]; b++)
            for (size_t c = 0; c <= t->length[2]; c++) {
                struct sums *s = &sums[a][b][c];
                const double w = weight * f[0][a] * f[1][b] * f[2][c];
                s->one += w;
                for (size_t d = 0; d < PSI_DOCS; d++) {
                    s->share[d] += w * share[d];
                    s->square[d] += w * share[d] * share[d];
                    s->psi[d] += w * psi[d];
                }
                s->product[0] += w * share[0] * share[1];
                s->product[1] += w * share[0] * share[2];
                s->product[2] += w * share[1] * share[2];
            }
}

/* Unnormalised, all of them times the evidence. */
static void add_sums(const psi_prior *p, const struct joint_normal *normal, const struct point *point,
                     const struct sums *s, psi_law *law)
{
    law->evidence += s->one;
    for (size_t d = 0; d < PSI_DOCS; d++) {
        law->share[d][0] += s->share[d];
        law->share[d][1] += s->one - s->share[d];
        law->square[d][0] += s->square[d];
        law->square[d][1] += s->one - 2 * s->share[d] + s->square[d];
    }
    law->product[1][0] += s->product[0];
    law->product[2][0] += s->product[1];
    law->product[2][1] += s->product[2];
    for (size_t g = 0; g < n_groups_of(p); g++) {
        law->mean[g] += normal->centre * s->one;
        for (size_t d = 0; d < PSI_DOCS; d++)
            law->mean[g] += normal->gain[g][d] * (s->psi[d] - normal->mean[d] * s->one);
    }
    for (size_t i = 0; i < PSI_HYPER; i++)
        law->hyper[i] += point->hyper[i] * s->one;
}

static void integrate_two(const psi_prior *p, psi_fault fault, const struct point *point, psi_table *t)
{
    static struct sums sums[4][4][4];
    const struct joint_normal normal = joint_normal_of(p, fault, point);
    const double cell = point->weight * pow(STEP / sqrt(2 * M_PI), 3);
    memset(sums, 0, sizeof sums);
    for (double x = -FARTHEST; x <= FARTHEST; x += STEP)
        for (double y = -FARTHEST; y <= FARTHEST; y += STEP)
            for (double z = -FARTHEST; z <= FARTHEST; z += STEP) {
                const double e[PSI_DOCS] = {x, y, z};
                double psi[PSI_DOCS];
                for (size_t d = 0; d < PSI_DOCS; d++) {
                    psi[d] = normal.mean[d];
                    for (size_t j = 0; j <= d; j++)
                        psi[d] += normal.root[d][j] * e[j];
                }
                const double squares = x * x + y * y + z * z;
                if (squares < FARTHEST * FARTHEST)
                    add_state(t, fault, psi, cell * exp(-squares / 2), sums);
            }
    for (size_t a = 0; a <= t->length[0]; a++)
        for (size_t b = 0; b <= t->length[1]; b++)
            for (size_t c = 0; c <= t->length[2]; c++)
                add_sums(p, &normal, point, &sums[a][b][c], &t->law[a][b][c]);
}

/* ---- three topics: each document on its own ---- */

struct document {
    double one, share[3], square[3];
};

static void integrate_document(const psi_prior *p, const struct point *point, size_t length, struct document *out)
{
    double a[4][4] = {{point->sigma[0][0], point->sigma[0][1]}, {point->sigma[1][0], point->sigma[1][1]}},
           root[4][4] = {{0}};
    root_of(2, a, root);
    memset(out, 0, MAX_COUNTS * sizeof *out);
    for (double x = -FARTHEST; x <= FARTHEST; x += STEP)
        for (double y = -FARTHEST; y <= FARTHEST; y += STEP) {
            const double e1 = exp(p->mean[0] + root[0][0] * x),
                         e2 = exp(p->mean[1] + root[1][0] * x + root[1][1] * y);
            const double theta[3] = {e1 / (1 + e1 + e2), e2 / (1 + e1 + e2), 1 / (1 + e1 + e2)};
            const double w = STEP * STEP / (2 * M_PI) * exp(-(x * x + y * y) / 2);
            for (size_t number = 0; number < MAX_COUNTS; number++) {
                double n[3], f = w;
                if (!psi_counts_of(3, number, length, n))
                    continue;
                for (size_t k = 0; k < 3; k++)
                    for (double i = 0; i < n[k]; i++)
                        f *= theta[k];
                out[number].one += f;
                for (size_t k = 0; k < 3; k++) {
                    out[number].share[k] += f * theta[k];
                    out[number].square[k] += f * theta[k] * theta[k];
                }
            }
        }
}

static void add_documents(const struct point *point, const struct document *const d[PSI_DOCS], psi_law *law)
{
    const double w = point->weight * d[0]->one * d[1]->one * d[2]->one;
    law->evidence += w;
    for (size_t i = 0; i < PSI_DOCS; i++) {
        for (size_t k = 0; k < 3; k++) {
            law->share[i][k] += w * d[i]->share[k] / d[i]->one;
            law->square[i][k] += w * d[i]->square[k] / d[i]->one;
        }
        for (size_t j = 0; j < i; j++)
            law->product[i][j] += w * d[i]->share[0] * d[j]->share[0] / (d[i]->one * d[j]->one);
    }
    for (size_t i = 0; i < PSI_HYPER; i++)
        law->hyper[i] += w * point->hyper[i];
}

static void integrate_three(const psi_prior *p, const struct point *point, psi_table *t)
{
    static struct document document[PSI_DOCS][MAX_COUNTS];
    double n[3];
    for (size_t d = 0; d < PSI_DOCS; d++)
        integrate_document(p, point, t->length[d], document[d]);
    for (size_t a = 0; a < MAX_COUNTS; a++)
        for (size_t b = 0; b < MAX_COUNTS; b++)
            for (size_t c = 0; c < MAX_COUNTS; c++)
                if (psi_counts_of(3, a, t->length[0], n) && psi_counts_of(3, b, t->length[1], n) &&
                    psi_counts_of(3, c, t->length[2], n))
                    add_documents(point,
                                  (const struct document *[]){&document[0][a], &document[1][b], &document[2][c]},
                                  &t->law[a][b][c]);
}

/* ---- all laws ---- */

static void normalise(psi_law *law)
{
    double *x = (double *)law;
    for (size_t i = 1; i < sizeof *law / sizeof *x && law->evidence > 0; i++)
        x[i] /= law->evidence;
}

static void integrate(const psi_prior *p, psi_fault fault, psi_table *t)
{
    struct point *point = calloc(MAX_POINTS, sizeof *point);
    if (point == NULL)
        abort();
    const size_t n_points = t->n_topics == 2 ? points_of_two(p, fault, point) : points_of_three(p, point);
    if (n_points > MAX_POINTS)
        abort();
    for (size_t i = 0; i < n_points; i++) {
        if (t->n_topics == 2)
            integrate_two(p, fault, &point[i], t);
        else
            integrate_three(p, &point[i], t);
    }
    free(point);
}

psi_table *psi_exact(const psi_prior *p, const psi_columns *columns, psi_fault fault, size_t n_topics,
                     const size_t *length)
{
    psi_table *t = calloc(1, sizeof *t);
    if (t == NULL)
        abort();
    t->n_topics = n_topics;
    memcpy(t->length, length, sizeof t->length);
    if (p->regression != NULL)
        prevalence_exact(p, columns, fault, n_topics, length, t->law);
    else
        integrate(p, fault, t);
    for (size_t i = 0; i < MAX_COUNTS * MAX_COUNTS * MAX_COUNTS; i++)
        normalise(&t->law[0][0][0] + i);
    return t;
}

const psi_law *psi_law_of(const psi_table *t, const unsigned char *z)
{
    size_t number[PSI_DOCS];
    for (size_t d = 0; d < PSI_DOCS; z += t->length[d++])
        number[d] = number_of(t->n_topics, z, t->length[d]);
    return &t->law[number[0]][number[1]][number[2]];
}

/* ---- a state ---- */

static void shares_of(size_t n_topics, const double *psi, double *share)
{
    double largest = 0, sum = 0;
    for (size_t t = 0; t + 1 < n_topics; t++)
        largest = fmax(largest, psi[t]);
    for (size_t k = 0; k < n_topics; k++)
        sum += share[k] = exp((k + 1 < n_topics ? psi[k] : 0) - largest);
    for (size_t k = 0; k < n_topics; k++)
        share[k] /= sum;
}

void psi_law_of_state(const psi_prior *p, const psi_columns *columns, size_t n_topics, const psi_state *state,
                      psi_law *law)
{
    if (p->regression != NULL) {
        prevalence_law_of_state(p, columns, n_topics, state, law);
        return;
    }
    *law = (psi_law){.evidence = 1};
    for (size_t d = 0; d < PSI_DOCS; d++) {
        shares_of(n_topics, state->psi[d], law->share[d]);
        for (size_t k = 0; k < n_topics; k++)
            law->square[d][k] = law->share[d][k] * law->share[d][k];
        for (size_t e = 0; e < d; e++)
            law->product[d][e] = law->share[d][0] * law->share[e][0];
    }
    for (size_t g = 0; g < n_groups_of(p); g++)
        law->mean[g] = state->mean[g][0];
    struct point point = {.weight = 1};
    size_t n = 0;
    if (n_topics == 3) {
        if (p->covariance_is_sampled)
            hyper_of_matrix(state->sigma[0][0], state->sigma[0][1], state->sigma[1][1], law->hyper);
        return;
    }
    if (spread_is_sampled(p))
        add_hyper(&point, &n, 1 / state->sigma[0][0]);
    for (size_t r = 0; r < p->n_types && p->evolution == 0; r++)
        add_hyper(&point, &n, state->evolution[r]);
    memcpy(law->hyper, point.hyper, sizeof law->hyper);
}

/* log N(x; 0, q^{-1}) for a positive definite q. */
static double log_normal(size_t n, double q[4][4], const double *x)
{
    double root[4][4] = {{0}}, sum = 0;
    root_of(n, q, root);
    for (size_t i = 0; i < n; i++) {
        sum += log(root[i][i]) - log(2 * M_PI) / 2;
        for (size_t j = 0; j < n; j++)
            sum -= q[i][j] * x[i] * x[j] / 2;
    }
    return sum;
}

/* Means of groups under the field, whose coordinates are as correlated as those of documents if the covariance is full. */
static double log_of_means(const psi_prior *p, size_t n_free, const psi_state *state)
{
    double q[4][4], x[4], sigma[4][4] = {{0}}, root[4][4] = {{0}}, sum = 0;
    double white[2][PSI_GROUPS];
    precision_of_means(p, state->evolution, PSI_LEVEL_PRECISION, q);
    for (size_t i = 0; i < n_free; i++)
        for (size_t j = 0; j < n_free; j++)
            sigma[i][j] = p->is_full ? state->sigma[i][j] : i == j;
    root_of(n_free, sigma, root);
    for (size_t t = 0; t < n_free; t++)
        for (size_t g = 0; g < n_groups_of(p); g++) {
            white[t][g] = state->mean[g][t] - PSI_LEVEL_MEAN;
            for (size_t j = 0; j < t; j++)
                white[t][g] -= root[t][j] * white[j][g];
            white[t][g] /= root[t][t];
            sum -= log(root[t][t]);
        }
    for (size_t t = 0; t < n_free; t++) {
        memcpy(x, white[t], sizeof x);
        sum += log_normal(n_groups_of(p), q, x);
    }
    return sum;
}

/* IW(I, q + 2). */
double psi_log_wishart(size_t n, double sigma[4][4])
{
    double inverse[4][4], root[4][4] = {{0}}, log_determinant = 0, trace = 0;
    const double q = (double)n, degrees = q + 2;
    invert(n, sigma, inverse);
    root_of(n, sigma, root);
    double log_p = -degrees * q / 2 * log(2) - q * (q - 1) / 4 * log(M_PI);
    for (size_t t = 0; t < n; t++) {
        log_determinant += 2 * log(root[t][t]);
        trace += inverse[t][t];
        log_p -= lgamma((degrees - (double)t) / 2);
    }
    return log_p - (degrees + q + 1) / 2 * log_determinant - trace / 2;
}

double psi_log_density(const psi_prior *p, const psi_columns *columns, size_t n_topics, const size_t *length,
                       const unsigned char *z, const psi_state *state)
{
    if (p->regression != NULL)
        return prevalence_log_density(p, columns, n_topics, length, z, state);
    const size_t n_free = n_topics - 1;
    double sigma[4][4] = {{0}}, q[4][4], log_p = 0, shape, rate;
    for (size_t i = 0; i < n_free; i++)
        for (size_t j = 0; j < n_free; j++)
            sigma[i][j] = state->sigma[i][j];
    invert(n_free, sigma, q);
    for (size_t d = 0; d < PSI_DOCS; z += length[d++]) {
        double share[3], x[4] = {0};
        shares_of(n_topics, state->psi[d], share);
        for (size_t i = 0; i < length[d]; i++)
            log_p += log(share[z[i]]);
        for (size_t t = 0; t < n_free; t++)
            x[t] = state->psi[d][t] - state->mean[group_of(p, d)][t];
        log_p += log_normal(n_free, q, x);
    }
    if (p->is_graph || p->mean_is_sampled)
        log_p += log_of_means(p, n_free, state);
    law_of_precision(p, &shape, &rate);
    if (spread_is_sampled(p) && p->is_full)
        log_p += psi_log_wishart(n_free, sigma);
    else if (spread_is_sampled(p))
        for (size_t t = 0; t < (p->is_graph ? 1 : n_free); t++)
            log_p += psi_log_gamma_density(q[t][t], shape, rate);
    for (size_t r = 0; r < p->n_types && p->is_graph && p->evolution == 0; r++)
        log_p += psi_log_gamma_density(state->evolution[r], PSI_GAMMA_SHAPE, PSI_GAMMA_RATE);
    return log_p;
}
