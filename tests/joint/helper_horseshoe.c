/* helper_horseshoe.c - the exact side for the horseshoe: two coefficients, all scales integrated out.
 *
 * With lam ~ C+(0, 1) and eta ~ N(0, tau^2 lam^2),
 *
 *   p(eta | tau) = h(eta / tau) / tau,   h(x) = exp(x^2 / 2) E1(x^2 / 2) / sqrt(2 pi^3)                     (1)
 *
 * (Carvalho, Polson, Scott 2010, theorem 1), and p(eta_1, eta_2) = integral of (1) twice over tau ~ C+(0, 1).  That
 * prior depends neither on labels nor on topics: it is worked out once on a grid.  Coefficients are
 * +- exp(sinh(t)) with t equally spaced, which turns the logarithmic pole at 0 and the tails into a smooth
 * function that dies out at both ends; there the trapezoidal rule converges faster than any power. */
#include "helper_joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 400, MOST_INTERCEPTS = 64 };

static const double LAST = 3.7;        /* exp(sinh(3.7)) = 6e8 */
static const double NEGLIGIBLE = 1e-9; /* weight of a point of the grid */

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

struct prior_grid {
    joint_fault fault;
    double step;
    size_t n;                                       /* nodes on one side of 0 */
    double size[MOST_NODES];                        /* |eta| */
    double weight[MOST_NODES * MOST_NODES];         /* of a pair of sizes, one combination of signs */
    double one_size[MOST_NODES], width[MOST_NODES]; /* scratch: h(|eta| / tau) / tau; d|eta| */
};

static bool changes_prior(joint_fault fault)
{
    return fault == FAULT_NO_GLOBAL_SCALE || fault == FAULT_SCALES_FIXED || fault == FAULT_SCALE_SHAPE;
}

/* Add the weights of one value of the global scale. */
static void add_global_scale(struct prior_grid *g, double tau, double mass)
{
    for (size_t i = 0; i < g->n; i++) {
        const double x = g->size[i] / tau;
        const double density = g->fault == FAULT_SCALES_FIXED ? exp(-x * x / 2) / sqrt(2 * M_PI) / tau : h(x) / tau;
        g->one_size[i] = density * g->width[i];
    }
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j < g->n; j++)
            g->weight[i * g->n + j] += mass * g->one_size[i] * g->one_size[j];
}

static void fill(struct prior_grid *g, joint_fault fault, double step)
{
    g->fault = fault;
    g->step = step;
    g->n = 0;
    for (double t = -LAST; t < LAST + step / 2 && g->n < MOST_NODES; t += step, g->n++) {
        g->size[g->n] = exp(sinh(t));
        g->width[g->n] = g->size[g->n] * cosh(t) * step;
    }
    memset(g->weight, 0, sizeof g->weight);
    if (fault == FAULT_NO_GLOBAL_SCALE || fault == FAULT_SCALES_FIXED) {
        add_global_scale(g, 1, 1);
        return;
    }
    for (size_t i = 0; i < g->n; i++) {
        const double tau = g->size[i];
        /* InvGamma(p, b) has (tau^2)^(-(p - 1) / 2) more than InvGamma((p + 1) / 2, b); p = 2 */
        const double wrong = fault == FAULT_SCALE_SHAPE ? 1 / tau : 1;
        add_global_scale(g, tau, wrong * 2 / (M_PI * (1 + tau * tau)) * g->width[i]);
    }
}

/* The grid of a fault that changes the prior, or of none; kept, for all laws have the same. */
static const struct prior_grid *prior_grid(joint_fault fault, double step)
{
    static struct prior_grid grid;
    const joint_fault wanted = changes_prior(fault) ? fault : FAULT_NONE;
    if (grid.n == 0 || grid.fault != wanted || grid.step != step)
        fill(&grid, wanted, step);
    return &grid;
}

struct sum {
    const joint_row *row;
    joint_fault fault;
    size_t n_docs;
    int y[MAX_DOCS];
    double share[MAX_DOCS][2];
    score_law *law;
};

/* One point: coefficients a and b of the topics, an intercept. */
static void add_point(struct sum *p, double a, double b, double intercept, double weight)
{
    double s[MAX_DOCS], t[MAX_DOCS], log_likelihood = 0;
    score_law *law = p->law;
    for (size_t d = 0; d < p->n_docs; d++) {
        s[d] = p->share[d][0] * a + p->share[d][1] * b + intercept;
        log_likelihood += p->y[d] != 0 ? joint_log_likelihood(p->row, p->fault, p->y[d], s[d]) : 0;
    }
    weight *= exp(log_likelihood);
    if (weight < NEGLIGIBLE * NEGLIGIBLE)
        return;
    law->evidence += weight;
    law->small += weight * (1 / (1 + a * a) + 1 / (1 + b * b));
    law->tb += weight * tanh(intercept);
    for (size_t d = 0; d < p->n_docs; d++) {
        t[d] = tanh(s[d]);
        law->t[d] += weight * t[d];
        for (size_t e = 0; e <= d; e++)
            law->tt[d][e] += weight * t[d] * t[e];
    }
}

/* Values of the intercept and their weights, the trapezoidal rule on a normal. */
static size_t intercepts(const joint_row *row, double step, double *value, double *weight)
{
    value[0] = 0;
    weight[0] = 1;
    if (!row->intercept)
        return 1;
    size_t n = 0;
    for (double u = -7; u < 7 + step / 2 && n < MOST_INTERCEPTS; u += step, n++) {
        value[n] = sqrt(JOINT_INTERCEPT_VARIANCE) * u;
        weight[n] = step * exp(-u * u / 2) / sqrt(2 * M_PI);
    }
    return n;
}

void joint_horseshoe_law(const joint_row *row, joint_fault fault, joint_grid grid, unsigned n[MAX_DOCS][MAX_TOPICS],
                         size_t output, score_law *law)
{
    const struct prior_grid *g = prior_grid(fault, grid.panel / 20);
    double intercept[MOST_INTERCEPTS], intercept_weight[MOST_INTERCEPTS];
    const size_t n_intercepts = intercepts(row, grid.panel / 4, intercept, intercept_weight);
    struct sum p = {.row = row, .fault = fault, .n_docs = row->corpus->n_docs, .law = law};
    if (row->n_topics != 2)
        abort();
    memset(law, 0, sizeof *law);
    for (size_t d = 0; d < p.n_docs; d++) {
        const double length = (double)row->corpus->length[d];
        p.y[d] = joint_label_with_fault(row, fault, d, output);
        for (size_t k = 0; k < 2; k++)
            p.share[d][k] = length > 0 ? n[d][k] / length : 0;
    }
    for (size_t i = 0; i < g->n * g->n; i++) {
        if (g->weight[i] < NEGLIGIBLE)
            continue;
        const double a = g->size[i / g->n], b = g->size[i % g->n];
        for (size_t m = 0; m < n_intercepts; m++) {
            const double weight = g->weight[i] * intercept_weight[m];
            add_point(&p, a, b, intercept[m], weight);
            add_point(&p, a, -b, intercept[m], weight);
            add_point(&p, -a, b, intercept[m], weight);
            add_point(&p, -a, -b, intercept[m], weight);
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
