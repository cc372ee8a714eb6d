/* helper_gaussian.c - the exact side's design of one output, and the gaussian response in closed form.
 *
 * With the coefficients in units of their prior's standard deviation, u ~ N(0, I), s_d = f_d' u, and targets
 * y_d ~ N(s_d, v / c_d):
 *
 *   Lambda = I + sum_d (c_d / v) f_d f_d',   h = sum_d (c_d / v) y_d f_d,   u | y ~ N(Lambda^-1 h, Lambda^-1)
 *   log p(y) = -log |Lambda| / 2 + h' Lambda^-1 h / 2 + sum_d log-likelihood of y_d at s_d = 0                  */
#include "helper_joint.h"

#include <math.h>
#include <string.h>

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

void joint_design_make(const joint_row *row, joint_fault fault, unsigned n[MAX_DOCS][MAX_TOPICS], size_t output,
                       const joint_hidden *hidden, joint_design *out)
{
    const double variance = fault == FAULT_VARIANCE_IS_PRECISION ? 1 / hidden->variance : hidden->variance;
    const size_t n_topics = row->n_topics, n_covariates = joint_n_covariates(row);
    memset(out, 0, sizeof *out);
    out->row = row;
    out->fault = fault;
    out->n_docs = row->corpus->n_docs;
    out->n_features = n_topics + n_covariates + (row->intercept ? 1 : 0);
    for (size_t k = 0; k < n_topics; k++)
        out->sd[k] = sqrt(joint_topic_variance(row, variance));
    for (size_t p = 0; p < n_covariates; p++)
        out->sd[n_topics + p] =
            sqrt(fault == FAULT_COVARIATES_AS_TOPICS  ? variance
                 : fault == FAULT_COVARIATES_COST_ONE ? 1
                                                      : joint_covariate_variance(row, p, variance));
    if (row->intercept)
        out->sd[out->n_features - 1] = sqrt(fault == FAULT_ONE_VARIANCE ? variance : JOINT_INTERCEPT_VARIANCE);
    for (size_t d = 0; d < out->n_docs; d++) {
        const double length = (double)row->corpus->length[d];
        out->target[d] = joint_target_with_fault(row, fault, d, output);
        out->stretch[d] = fault == FAULT_LENGTH_MINUS_ONE && length > 1 ? length / (length - 1) : 1;
        for (size_t k = 0; k < n_topics; k++)
            out->f[d][k] = length > 0 ? out->sd[k] * n[d][k] / length : 0;
        for (size_t p = 0; p < n_covariates && fault != FAULT_COVARIATES_IGNORED; p++)
            out->f[d][n_topics + p] = out->sd[n_topics + p] * joint_covariate(row, d, p);
        if (row->intercept)
            out->f[d][out->n_features - 1] = out->sd[out->n_features - 1];
    }
}

void joint_law_of_moments(const joint_design *design, const double *mean, double second[MAX_FEATURES][MAX_FEATURES],
                          score_law *law)
{
    const joint_row *row = design->row;
    const size_t n_features = design->n_features, n_topics = row->n_topics;
    memset(law, 0, sizeof *law);
    for (size_t d = 0; d < design->n_docs; d++) {
        law->s[d] = dot(n_features, design->f[d], mean);
        for (size_t e = 0; e < design->n_docs; e++)
            for (size_t f = 0; f < n_features; f++)
                law->ss[d][e] += design->f[d][f] * dot(n_features, second[f], design->f[e]);
    }
    for (size_t k = 0; k < n_topics; k++)
        law->square += design->sd[k] * design->sd[k] * second[k][k];
    for (size_t p = 0; p < joint_n_covariates(row); p++) {
        const size_t f = n_topics + p;
        law->g[p] = design->sd[f] * mean[f];
        law->gg[p] = design->sd[f] * design->sd[f] * second[f][f];
    }
    if (row->intercept) {
        law->b = design->sd[n_features - 1] * mean[n_features - 1];
        law->bb = design->sd[n_features - 1] * design->sd[n_features - 1] * second[n_features - 1][n_features - 1];
    }
}

/* Invert a symmetric positive definite matrix in place by sweeping; returns the logarithm of its determinant. */
static double invert(size_t n, double a[MAX_FEATURES][MAX_FEATURES])
{
    double log_determinant = 0;
    for (size_t k = 0; k < n; k++) {
        const double pivot = a[k][k];
        log_determinant += log(pivot);
        a[k][k] = 1;
        for (size_t j = 0; j < n; j++)
            a[k][j] /= pivot;
        for (size_t i = 0; i < n; i++) {
            const double factor = a[i][k];
            if (i == k)
                continue;
            a[i][k] = 0;
            for (size_t j = 0; j < n; j++)
                a[i][j] -= factor * a[k][j];
        }
    }
    return log_determinant;
}

/* Precision of a target as a normal in what the response sees: the curvature of its log-likelihood. */
static double precision_of(const joint_design *design, const joint_target *target, const double *own)
{
    const double at = target->y - target->offset;
    double value[3];
    for (int i = 0; i < 3; i++)
        value[i] = joint_log_likelihood(design->row, design->fault, target, own, at + i - 1);
    return 2 * value[1] - value[0] - value[2];
}

/* Lambda and h of the targets that there are, on top of the prior; returns their log-likelihood at s = 0. */
static double add_targets(const joint_design *design, const double *own, double lambda[MAX_FEATURES][MAX_FEATURES],
                          double *h)
{
    double log_likelihood = 0;
    for (size_t d = 0; d < design->n_docs; d++) {
        const joint_target *target = &design->target[d];
        if (isnan(target->y))
            continue;
        const double precision = precision_of(design, target, own), stretch = design->stretch[d];
        for (size_t f = 0; f < design->n_features; f++) {
            h[f] += precision * stretch * design->f[d][f] * (target->y - target->offset);
            for (size_t g = 0; g < design->n_features; g++)
                lambda[f][g] += precision * stretch * stretch * design->f[d][f] * design->f[d][g];
        }
        log_likelihood += joint_log_likelihood(design->row, design->fault, target, own, 0);
    }
    return log_likelihood;
}

void joint_gaussian_law(const joint_row *row, joint_fault fault, unsigned n[MAX_DOCS][MAX_TOPICS], size_t output,
                        const joint_hidden *hidden, score_law *law)
{
    joint_design design;
    double h[MAX_FEATURES] = {0}, mean[MAX_FEATURES] = {0}, matrix[MAX_FEATURES][MAX_FEATURES] = {{0}};
    double variance[MAX_DOCS] = {0};
    joint_design_make(row, fault, n, output, hidden, &design);
    const size_t n_features = design.n_features;
    for (size_t f = 0; f < n_features; f++)
        matrix[f][f] = 1;
    double log_evidence = add_targets(&design, hidden->own, matrix, h);
    log_evidence -= invert(n_features, matrix) / 2;
    for (size_t f = 0; f < n_features; f++)
        mean[f] = dot(n_features, matrix[f], h);
    log_evidence += dot(n_features, h, mean) / 2;
    for (size_t d = 0; d < design.n_docs; d++)
        for (size_t f = 0; f < n_features; f++)
            variance[d] += design.f[d][f] * dot(n_features, matrix[f], design.f[d]);
    for (size_t f = 0; f < n_features; f++) /* covariances into second moments */
        for (size_t g = 0; g < n_features; g++)
            matrix[f][g] += mean[f] * mean[g];
    joint_law_of_moments(&design, mean, matrix, law);
    law->evidence = exp(log_evidence);
    for (size_t d = 0; d < design.n_docs; d++)
        law->positive[d] = variance[d] > 0 ? erfc(-law->s[d] / sqrt(2 * variance[d])) / 2 : 0;
}
