/* helper_likelihood.c - the exact side's responses: pseudo-likelihoods, weights, offsets, and the priors of their own
 * parameters.
 *
 * With weight w, cost c, and s the score plus the offset:
 *
 *   hinge               -2 w c max(0, ell - y s)
 *   logistic            -w c log(1 + exp(-y s))
 *   probit              log Phi(y s)
 *   insensitive         -2 w c max(0, |y - s| - epsilon)
 *   gaussian            w c log N(y | s, rho^2),                rho^2 ~ InvGamma(1, 1/2) if sampled
 *   negative binomial   w c log NB(y | r, 1 / (1 + exp(-s))),   r ~ Gamma(1, rate 1/10) if sampled
 *   ordinal             log(Phi(c_y - s) - Phi(c_{y-1} - s)),   c_j ~ N(0, 25), in ascending order, if sampled
 *
 * The variance of the topics' coefficients is InvGamma(1, 1) if sampled. */
#include "helper_joint.h"

#include <math.h>
#include <string.h>

/* log Phi(y s), or what a wrong sampler would have.  Drawing a by N(s, 1) beyond 0 but leaving s^2 out of the factor
 * has Phi(y s) exp(s^2 / 2) as its marginal. */
static double log_probit(joint_fault fault, double y, double s)
{
    if (fault == FAULT_WRONG_SIDE)
        y = -y;
    if (fault == FAULT_OMEGA_HALVED)
        s /= M_SQRT2;
    return log(erfc(-y * s / M_SQRT2) / 2) + (fault == FAULT_OMEGA_FORGOTTEN ? s * s / 2 : 0);
}

static double margin_of(const joint_row *row, joint_fault fault)
{
    return fault == FAULT_MARGIN_ONE ? 1 : row->parameter;
}

static double epsilon_of(const joint_row *row, joint_fault fault)
{
    return fault == FAULT_NO_INSENSITIVITY ? 0 : row->parameter;
}

static double insensitive_loss(const joint_row *row, joint_fault fault, double y, double s)
{
    const double epsilon = epsilon_of(row, fault), below = fmax(0, y - s - epsilon);
    return below + (fault == FAULT_ONE_SIDE ? 0 : fmax(0, s - y - epsilon));
}

/* To the power c.  A noise variance drawn with the shape of c = 1 belongs to exp(-c (y - s)^2 / (2 rho^2)) / rho. */
static double log_gaussian(joint_fault fault, double y, double variance, double c, double s)
{
    if (fault == FAULT_DEVIATION_IS_VARIANCE)
        variance = sqrt(variance);
    const double power = fault == FAULT_NOISE_SHAPE ? 1 : c;
    return -c * (y - s) * (y - s) / (2 * variance) - power * log(2 * M_PI * variance) / 2;
}

/* PG(y, s) in the place of PG(y + r, s) has exp((y - r) s / 2) / cosh(s / 2)^y as its marginal, and y_d tables in that
 * of CRT(y_d, r) have r^y in the place of Gamma(y + r) / Gamma(r). */
static double log_negative_binomial(joint_fault fault, double y, double r, double s)
{
    const double tables = fault == FAULT_ALL_TABLES ? y * log(r) : lgamma(y + r) - lgamma(r);
    const double softplus = s > 0 ? s + log1p(exp(-s)) : log1p(exp(s));
    if (fault == FAULT_POLYA_GAMMA_OF_COUNT)
        return tables - lgamma(y + 1) + (y - r / 2) * s - y * softplus;
    return tables - lgamma(y + 1) + y * s - (y + r) * softplus;
}

/* A normal with variance 2 in the place of 1 has the score over sqrt(2), and the cut points too. */
static double log_ordinal(const joint_row *row, joint_fault fault, double y, const double *cut, double s)
{
    const double n_levels = row->task == TASK_TWO_LEVELS ? 2 : 3, width = fault == FAULT_OMEGA_HALVED ? 2 : M_SQRT2;
    const double above = y == n_levels ? 0 : erfc((cut[(int)y - 1] - s) / width) / 2;
    const double below = y == 1 || fault == FAULT_NO_LOW_END ? 0 : erfc(-(cut[(int)y - 2] - s) / width) / 2;
    return log(fmax(0, 1 - above - below));
}

double joint_log_likelihood(const joint_row *row, joint_fault fault, const joint_target *target, const double *own,
                            double s)
{
    const double y = target->y, c = target->weight * (fault == FAULT_POWER_ONE ? 1 : row->cost);
    if (isnan(y))
        return 0;
    s += target->offset;
    switch (row->response) {
    case RESPONSE_HINGE:
        return (fault == FAULT_HALF_HINGE ? -c : -2 * c) * fmax(0, margin_of(row, fault) - y * s);
    case RESPONSE_LOGISTIC:
        return -c * log1p(exp(-y * s));
    case RESPONSE_PROBIT:
        return log_probit(fault, y, s);
    case RESPONSE_INSENSITIVE:
        return -2 * c * insensitive_loss(row, fault, y, s);
    case RESPONSE_GAUSSIAN:
        return log_gaussian(fault, y, own[0], c, s);
    case RESPONSE_NEGATIVE_BINOMIAL:
        return c * log_negative_binomial(fault, y, own[0], s);
    case RESPONSE_ORDINAL:
        return log_ordinal(row, fault, y, own, s);
    case RESPONSE_NONE:
        break;
    }
    return 0;
}

size_t joint_kinks(const joint_row *row, joint_fault fault, const joint_target *target, double *kink)
{
    if (isnan(target->y))
        return 0;
    if (row->response == RESPONSE_HINGE) {
        kink[0] = target->y * margin_of(row, fault);
        return 1;
    }
    if (row->response != RESPONSE_INSENSITIVE)
        return 0;
    kink[0] = target->y - epsilon_of(row, fault);
    kink[1] = target->y + epsilon_of(row, fault);
    return 2;
}

joint_target joint_target_with_fault(const joint_row *row, joint_fault fault, size_t d, size_t l)
{
    joint_target target = joint_target_of(row, d, l);
    row = joint_part_of(row, &l);
    if (fault == FAULT_MISSING_IS_NEGATIVE && isnan(target.y))
        target.y = row->task == TASK_NUMBER ? 0 : row->response == RESPONSE_ORDINAL ? 1 : -1;
    if (fault == FAULT_EMPTY_LEFT_OUT && row->corpus->length[d] == 0)
        target.y = NAN;
    if (fault == FAULT_OWN_CLASS_ONLY && target.y < 0)
        target.y = NAN;
    if (fault == FAULT_NO_OFFSET)
        target.offset = 0;
    if (fault == FAULT_WEIGHTS_IGNORED)
        target.weight = 1;
    return target;
}

/* ---- parameters that may be sampled ---- */

static double log_inverse_gamma(double x, double scale)
{
    return log(scale) - log(x) - scale / x; /* of log x, for shape 1 */
}

static double log_normal(double x, double variance)
{
    return -x * x / (2 * variance) - log(2 * M_PI * variance) / 2;
}

static double log_own(const joint_row *row, joint_fault fault, const double *own)
{
    const double cut_variance = fault == FAULT_CUT_PRIOR ? 5 : 25;
    if (row->task == TASK_TWO_LEVELS)
        return log_normal(own[0], cut_variance);
    if (row->task == TASK_THREE_LEVELS)
        return log(2) + log_normal(own[0], cut_variance) + log_normal(own[1], cut_variance);
    const double v = own[0];
    return row->response == RESPONSE_GAUSSIAN ? log_inverse_gamma(v, 0.5) : log(0.1) + log(v) - 0.1 * v;
}

void joint_own_functions(const joint_row *row, const double *own, double out[2])
{
    const bool ordinal = row->response == RESPONSE_ORDINAL;
    out[0] = ordinal ? own[0] : log(own[0]);
    out[1] = ordinal ? own[row->task == TASK_TWO_LEVELS ? 0 : 1] : 1 / (1 + own[0]);
}

void joint_given_own(const joint_row *row, double own[MAX_OWN])
{
    own[0] = row->parameter;
    own[1] = row->parameter + 1.3;
}

double joint_log_hidden(const joint_row *row, const joint_hidden *hidden)
{
    return ((row->with & WITH_OWN) != 0 ? log_own(row, FAULT_NONE, hidden->own) : 0) +
           ((row->with & (WITH_VARIANCE | WITH_WORD_VARIANCE | WITH_EMBEDDING_VARIANCE)) != 0
                ? log_inverse_gamma(hidden->variance, joint_variance_scale(row))
                : 0);
}

/* In x = log v the priors times likelihoods are smooth and die out at both ends: the trapezoidal rule converges faster
 * than any power of the step. */
static size_t place(double first, double last, double step, double *value)
{
    size_t n = 0;
    for (double x = first; x <= last && n < MAX_HIDDEN; x += step)
        value[n++] = exp(x);
    return n;
}

/* The first cut point, and the logarithm of the distance to the second. */
static size_t place_cut_points(const joint_row *row, joint_fault fault, joint_grid grid, double (*value)[MAX_OWN],
                               double *weight)
{
    size_t n = 0;
    const bool two = row->task == TASK_TWO_LEVELS;
    const double reach = 22, step = (two ? 0.25 : 0.4) * grid.panel, log_step = 0.2 * grid.panel;
    for (double c = -reach; c <= reach && two; c += step) {
        value[n][0] = value[n][1] = c;
        weight[n++] = step * exp(log_own(row, fault, &c));
    }
    for (double c = -reach; c <= reach && !two; c += step) {
        for (double x = -9; x < 4; x += log_step) {
            const double cut[] = {c, c + exp(x)}, w = step * log_step * exp(x + log_own(row, fault, cut));
            if (w < 1e-9 || n == MAX_HIDDEN)
                continue;
            memcpy(value[n], cut, sizeof cut);
            weight[n++] = w;
        }
    }
    return n;
}

size_t joint_own_values(const joint_row *row, joint_fault fault, joint_grid grid, double (*value)[MAX_OWN],
                        double *weight)
{
    const bool gaussian = row->response == RESPONSE_GAUSSIAN;
    const double step = grid.panel / (gaussian ? 8 : 4);
    double number[MAX_HIDDEN];
    joint_given_own(row, value[0]);
    weight[0] = 1;
    if ((row->with & WITH_OWN) == 0)
        return 1;
    if (row->response == RESPONSE_ORDINAL)
        return place_cut_points(row, fault, grid, value, weight);
    const size_t n = place(gaussian ? -4 : -11, gaussian ? 12 : 5.5, step, number);
    for (size_t i = 0; i < n; i++) {
        value[i][0] = number[i];
        weight[i] = step * exp(log_own(row, fault, value[i]));
    }
    return n;
}

size_t joint_variances(const joint_row *row, joint_fault fault, joint_grid grid, double *value, double *weight)
{
    const double step = grid.panel / 4;
    value[0] = JOINT_VARIANCE;
    weight[0] = 1;
    if ((row->with & (WITH_VARIANCE | WITH_WORD_VARIANCE | WITH_EMBEDDING_VARIANCE)) == 0)
        return 1;
    const double scale = joint_variance_scale(row);
    const size_t n = place(-3.5 + log(scale), 16, step, value);
    for (size_t i = 0; i < n; i++)
        weight[i] = step * exp(log_inverse_gamma(value[i], scale)) *
                    (fault == FAULT_VARIANCE_SHAPE ? pow(value[i], -0.5 * (double)row->n_topics) : 1);
    return n;
}
