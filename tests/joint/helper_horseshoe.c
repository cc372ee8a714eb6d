/* helper_horseshoe.c - the exact side for the horseshoe: two coefficients, all scales integrated out.
 *
 * With lam ~ C+(0, 1) and eta ~ N(0, tau^2 lam^2),
 *
 *   p(eta | tau) = h(eta / tau) / tau,   h(x) = exp(x^2 / 2) E1(x^2 / 2) / sqrt(2 pi^3)                     (1)
 *
 * (Carvalho, Polson, Scott 2010, theorem 1), and p(eta_1, eta_2) = integral of (1) twice over tau ~ C+(0, 1).  Scales and
 * coefficients are written as +- exp(sinh(t)), which turns the logarithmic pole at 0 and the tails into a smooth
 * function of t that dies out at both ends.  tau: trapezoidal rule, which then converges faster than any power.
 * Coefficients: Gauss-Legendre panels, first eta_1, then eta_2 cut where scores of documents pass 0, the margin and
 * other places on the way from one plateau of the integrand to another; far out in the tails these lie close
 * together.  The density in eta_2 does not depend on labels or topics: it is tabulated once for each node of eta_1. */
#include "helper_joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    N_TABLE = 150,
    MOST_OUTER = 400,
    MOST_INTERCEPTS = 64,
    N_TARGETS = 11,
    MOST_KINKS = 2 * MAX_DOCS,
    MOST_CUTS = 2 + N_TARGETS * MAX_DOCS
};

static const double LAST = 3.7;         /* exp(sinh(3.7)) = 6e8 */
static const double NEGLIGIBLE = 1e-13; /* weight of a point */

/* exp(x) E1(x): series below 1, continued fraction above (modified Lentz). */
static double scaled_e1(double x)
{
    const double euler = 0.57721566490153286;
    if (x < 1) {
        double sum = -euler - log(x), term = -1;
        for (int n = 1; n < 30; n++) {
            term *= -x / n;
            sum += term / n;
        }
        return exp(x) * sum;
    }
    double b = x + 1, c = 1e300, d = 1 / b, value = d;
    for (int n = 1; n < 500; n++) {
        const double a = -(double)n * n;
        b += 2;
        d = 1 / (a * d + b);
        c = b + a / c;
        value *= c * d;
        if (fabs(c * d - 1) < 1e-15)
            break;
    }
    return value;
}

static double h(double x)
{
    const double y = x * x / 2;
    return y > 0 ? scaled_e1(y) / sqrt(2 * M_PI * M_PI * M_PI) : 0;
}

/* ---- the prior ---- */

enum { N_NODES = 6 };
/* Gauss-Legendre on [-1, 1] */
static const double node[N_NODES] = {-0.9324695142031521, -0.6612093864662645, -0.2386191860831969,
                                     0.2386191860831969,  0.6612093864662645,  0.9324695142031521};
static const double node_weight[N_NODES] = {0.1713244923791704, 0.3607615730481386, 0.4679139345726910,
                                            0.4679139345726910, 0.3607615730481386, 0.1713244923791704};

static double value_at(double t)
{
    return exp(sinh(t));
}

static double slope_at(double t)
{
    return exp(sinh(t)) * cosh(t);
}

static double t_of(double value)
{
    return fmin(fmax(asinh(log(value)), -LAST), LAST);
}

struct prior_table {
    joint_fault fault;
    double panel;
    size_t n_kinks;
    double kink[MOST_KINKS];
    size_t n; /* nodes of |eta_1| */
    double value[MOST_OUTER], weight[MOST_OUTER];
    double density[MOST_OUTER][N_TABLE]; /* of eta_1 and eta_2, times the slope of eta_2 in t, at t_j */
};

static double table_point(size_t j)
{
    return LAST * (2 * (double)j / (N_TABLE - 1) - 1);
}

static double density_given_tau(joint_fault fault, double eta, double tau)
{
    const double x = eta / tau;
    return (fault == FAULT_SCALES_FIXED ? exp(-x * x / 2) / sqrt(2 * M_PI) : h(x)) / tau;
}

/* Values of tau and their weights. */
static size_t global_scales(joint_fault fault, double *tau, double *weight)
{
    tau[0] = weight[0] = 1;
    if (fault == FAULT_NO_GLOBAL_SCALE || fault == FAULT_SCALES_FIXED)
        return 1;
    for (size_t i = 0; i < N_TABLE; i++) {
        const double t = table_point(i);
        tau[i] = value_at(t);
        weight[i] = slope_at(t) * (2 * LAST / (N_TABLE - 1)) * 2 / (M_PI * (1 + tau[i] * tau[i]));
        if (fault == FAULT_SCALE_SHAPE) /* InvGamma(p, b) has (tau^2)^{-(p - 1) / 2} more; p = 2 */
            weight[i] /= tau[i];
    }
    return N_TABLE;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Nodes of |eta_1|: panels, with a cut where the score of a document that has topic 1 alone meets a kink. */
static void place_nodes(struct prior_table *table)
{
    double cut[2 + MOST_KINKS] = {-LAST, LAST};
    for (size_t i = 0; i < table->n_kinks; i++)
        cut[2 + i] = t_of(table->kink[i]);
    qsort(cut, 2 + table->n_kinks, sizeof *cut, ascending);
    table->n = 0;
    for (size_t i = 0; i + 1 < 2 + table->n_kinks; i++) {
        const size_t n_panels = (size_t)ceil((cut[i + 1] - cut[i]) / table->panel);
        const double half = n_panels > 0 ? (cut[i + 1] - cut[i]) / (double)n_panels / 2 : 0;
        for (size_t p = 0; p < n_panels; p++) {
            for (size_t j = 0; j < N_NODES && table->n < MOST_OUTER; j++, table->n++) {
                const double t = cut[i] + half * ((double)(2 * p + 1) + node[j]);
                table->value[table->n] = value_at(t);
                table->weight[table->n] = slope_at(t) * half * node_weight[j];
            }
        }
    }
}

static void fill(struct prior_table *table)
{
    static double given[N_TABLE][N_TABLE]; /* density of eta_2 given tau */
    double tau[N_TABLE], weight[N_TABLE];
    const size_t n_tau = global_scales(table->fault, tau, weight);
    place_nodes(table);
    for (size_t i = 0; i < n_tau; i++)
        for (size_t j = 0; j < N_TABLE; j++)
            given[i][j] =
                density_given_tau(table->fault, value_at(table_point(j)), tau[i]) * slope_at(table_point(j));
    memset(table->density, 0, sizeof table->density);
    for (size_t m = 0; m < table->n; m++) {
        for (size_t i = 0; i < n_tau; i++) {
            const double of_first = weight[i] * density_given_tau(table->fault, table->value[m], tau[i]);
            for (size_t j = 0; j < N_TABLE; j++)
                table->density[m][j] += of_first * given[i][j];
        }
    }
}

/* Where the responses of a row have kinks, in absolute value, each once. */
static size_t kinks_of(const joint_row *row, joint_fault fault, size_t output, double *kink)
{
    size_t n = 0;
    for (size_t d = 0; d < row->corpus->n_docs; d++) {
        const joint_target target = joint_target_with_fault(row, fault, d, output);
        double place[2];
        const size_t n_places = joint_kinks(row, fault, &target, place);
        for (size_t i = 0; i < n_places; i++) {
            const double value = fabs(place[i]);
            bool is_new = row->corpus->length[d] > 0;
            for (size_t j = 0; j < n; j++)
                is_new &= fabs(kink[j] - value) > 1e-9;
            if (is_new)
                kink[n++] = value;
        }
    }
    return n;
}

/* The table of a fault that changes the prior, or of none; kept, for all laws of a row have the same. */
static const struct prior_table *prior_table(const joint_row *row, joint_fault fault, double panel, size_t output)
{
    static struct prior_table table;
    const bool changes = fault == FAULT_NO_GLOBAL_SCALE || fault == FAULT_SCALES_FIXED || fault == FAULT_SCALE_SHAPE;
    double kink[MOST_KINKS] = {0};
    const size_t n_kinks = kinks_of(row, fault, output, kink);
    if (!changes)
        fault = FAULT_NONE;
    if (table.n == 0 || table.fault != fault || table.panel != panel || table.n_kinks != n_kinks ||
        memcmp(kink, table.kink, sizeof kink) != 0) {
        table.fault = fault;
        table.panel = panel;
        table.n_kinks = n_kinks;
        memcpy(table.kink, kink, sizeof kink);
        fill(&table);
    }
    return &table;
}

/* Between the points of a table: the cubic through the nearest four. */
static double interpolate(const double *y, double t)
{
    const double x = (t + LAST) / (2 * LAST) * (N_TABLE - 1);
    const size_t i = x < 1 ? 1 : x > N_TABLE - 3 ? N_TABLE - 3 : (size_t)x;
    const double u = x - (double)i;
    return -u * (u - 1) * (u - 2) / 6 * y[i - 1] + (u + 1) * (u - 1) * (u - 2) / 2 * y[i] -
           (u + 1) * u * (u - 2) / 2 * y[i + 1] + (u + 1) * u * (u - 1) / 6 * y[i + 2];
}

/* ---- one output ---- */

struct sum {
    const joint_row *row;
    joint_fault fault;
    double panel;
    const double *own;
    size_t n_docs;
    joint_target target[MAX_DOCS];
    double share[MAX_DOCS][2];
    double a, intercept; /* at hand */
    score_law *law;
};

/* One point: the second coefficient, the others being given. */
static void add_point(struct sum *p, double b, double weight)
{
    double s[MAX_DOCS], t[MAX_DOCS], log_likelihood = 0;
    score_law *law = p->law;
    for (size_t d = 0; d < p->n_docs; d++) {
        s[d] = p->share[d][0] * p->a + p->share[d][1] * b + p->intercept;
        log_likelihood += joint_log_likelihood(p->row, p->fault, &p->target[d], p->own, s[d]);
    }
    weight *= exp(log_likelihood);
    law->evidence += weight;
    if (weight < NEGLIGIBLE)
        return;
    law->small += weight * (1 / (1 + p->a * p->a) + 1 / (1 + b * b));
    law->tb += weight * tanh(p->intercept);
    for (size_t d = 0; d < p->n_docs; d++) {
        t[d] = tanh(s[d]);
        law->t[d] += weight * t[d];
        for (size_t e = 0; e <= d; e++)
            law->tt[d][e] += weight * t[d] * t[e];
    }
}

/* Scores of a document between which its factor is nearly constant, or smooth. */
static void targets_of(const struct sum *p, size_t d, double *target)
{
    const joint_target *t = &p->target[d];
    const bool is_number = p->row->response == RESPONSE_GAUSSIAN || p->row->response == RESPONSE_INSENSITIVE;
    const double centre = is_number && !isnan(t->y) ? t->y : -t->offset;
    const double near = p->row->response == RESPONSE_HINGE || is_number ? p->row->parameter : 1;
    const double distance[N_TARGETS - 1] = {near, -near, 0.5, -0.5, 2.5, -2.5, 6, -6, 20, -20};
    target[0] = is_number ? centre : 0;
    for (size_t i = 1; i < N_TARGETS; i++)
        target[i] = centre + distance[i - 1];
}

/* Where scores pass the targets, for b of one sign. */
static size_t find_cuts(const struct sum *p, double sign, double *cut)
{
    double target[N_TARGETS];
    size_t n = 0;
    cut[n++] = -LAST;
    cut[n++] = LAST;
    for (size_t d = 0; d < p->n_docs; d++) {
        targets_of(p, d, target);
        for (size_t i = 0; i < N_TARGETS && p->share[d][1] > 0; i++) {
            const double b = (target[i] - p->intercept - p->share[d][0] * p->a) / p->share[d][1];
            if (b * sign > 0)
                cut[n++] = t_of(b * sign);
        }
    }
    qsort(cut, n, sizeof *cut, ascending);
    return n;
}

static void integrate_second(struct sum *p, double sign, const double *density, double weight)
{
    double cut[MOST_CUTS];
    const size_t n_cuts = find_cuts(p, sign, cut);
    for (size_t i = 0; i + 1 < n_cuts; i++) {
        const size_t n_panels = (size_t)ceil((cut[i + 1] - cut[i]) / p->panel);
        for (size_t m = 0; m < n_panels; m++) {
            const double half = (cut[i + 1] - cut[i]) / (double)n_panels / 2;
            for (size_t j = 0; j < N_NODES; j++) {
                const double t = cut[i] + half * ((double)(2 * m + 1) + node[j]);
                const double w = weight * half * node_weight[j] * interpolate(density, t);
                if (w > NEGLIGIBLE)
                    add_point(p, sign * value_at(t), w);
            }
        }
    }
}

/* Values of the intercept and their weights: panels, cut where the score of an empty document meets the margin. */
static size_t intercepts(const joint_row *row, double panel, double *value, double *weight)
{
    const double sd = sqrt(JOINT_INTERCEPT_VARIANCE),
                 kink = fmin((row->response == RESPONSE_HINGE ? row->parameter : 1) / sd, 5);
    const double cut[4] = {-6, -kink, kink, 6};
    size_t n = 0;
    value[0] = 0;
    weight[0] = 1;
    if (!row->intercept)
        return 1;
    for (size_t i = 0; i < 3; i++) {
        const size_t n_panels = (size_t)ceil((cut[i + 1] - cut[i]) / panel);
        const double half = (cut[i + 1] - cut[i]) / (double)n_panels / 2;
        for (size_t p = 0; p < n_panels; p++) {
            for (size_t j = 0; j < N_NODES && n < MOST_INTERCEPTS; j++, n++) {
                const double u = cut[i] + half * ((double)(2 * p + 1) + node[j]);
                value[n] = sd * u;
                weight[n] = half * node_weight[j] * exp(-u * u / 2) / sqrt(2 * M_PI);
            }
        }
    }
    return n;
}

void joint_horseshoe_law(const joint_row *row, joint_fault fault, joint_grid grid, unsigned n[MAX_DOCS][MAX_TOPICS],
                         size_t output, const joint_hidden *hidden, score_law *law)
{
    struct sum p = {.row = row,
                    .fault = fault,
                    .panel = grid.panel / 4,
                    .own = hidden->own,
                    .n_docs = row->corpus->n_docs,
                    .law = law};
    const struct prior_table *table = prior_table(row, fault, grid.panel / 8, output);
    double intercept[MOST_INTERCEPTS], intercept_weight[MOST_INTERCEPTS];
    const size_t n_intercepts = intercepts(row, 1.2 * grid.panel, intercept, intercept_weight);
    if (row->n_topics != 2 || joint_n_covariates(row) > 0)
        abort();
    memset(law, 0, sizeof *law);
    for (size_t d = 0; d < p.n_docs; d++) {
        const double length = (double)row->corpus->length[d];
        p.target[d] = joint_target_with_fault(row, fault, d, output);
        for (size_t k = 0; k < 2; k++)
            p.share[d][k] = length > 0 ? n[d][k] / length : 0;
    }
    for (size_t m = 0; m < n_intercepts; m++) {
        p.intercept = intercept[m];
        for (size_t i = 0; i < table->n; i++) {
            for (double sign = -1; sign < 2; sign += 2) {
                p.a = sign * table->value[i];
                integrate_second(&p, -1, table->density[i], intercept_weight[m] * table->weight[i]);
                integrate_second(&p, 1, table->density[i], intercept_weight[m] * table->weight[i]);
            }
        }
    }
    law->small /= law->evidence;
    law->tb /= law->evidence;
    for (size_t d = 0; d < p.n_docs; d++) {
        law->t[d] /= law->evidence;
        for (size_t e = 0; e <= d; e++)
            law->tt[d][e] /= law->evidence;
    }
}
