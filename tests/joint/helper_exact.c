/* helper_exact.c - the exact side: a sum over all assignments, and quadrature over the coefficients.
 *
 * Coded from the model, not from the sampler, with libm alone.
 *
 *   p(Z)      = prod_d B(n_d. + alpha) / B(alpha)                     (uniform prior: constant)
 *   p(W | Z)  = prod_k B(n_k. + beta) / B(beta)
 *   p(y_l | Z) = integral of p0(eta) prod_d phi(y_dl | eta' zbar_d + b)                                   (1)
 *
 * (1) looks at eta only through the scores of labelled documents.  With independent standard normals for
 * eta / sd, rotated so that the first r axes span the features of those documents, s_d = sum_m L_dm u_m has
 * L_dm = 0 for m beyond the document's last axis, and the integral has r <= 3 dimensions whatever K is; the
 * other axes keep their prior.  Each axis is cut where a document that ends there has a kink (hinge) or
 * changes sign (for P(s > 0)), and where such lines of two documents cross, so that Gauss-Legendre panels see smooth functions only. */
#include "helper_joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NODES = 16, MAX_KINKS = 3 * MAX_DOCS, MAX_CUTS = 2 + MAX_KINKS * (MAX_KINKS + 1) / 2, MAX_LAWS = 400 };

static const double FARTHEST = 7; /* standard deviations; beyond lie 3e-12 of a normal */

const joint_grid joint_grid_usual = {.panel = 2.5, .nodes = 8};

/* ---- one output: quadrature ---- */

struct rule {
    size_t n;
    double x[MAX_NODES], w[MAX_NODES]; /* on [-1, 1] */
};

/* Gauss-Legendre nodes by Newton's method on the polynomial. */
static struct rule make_rule(size_t n)
{
    struct rule rule = {.n = n};
    for (size_t i = 0; i < n; i++) {
        double x = cos(M_PI * ((double)i + 0.75) / ((double)n + 0.5)), slope = 1;
        for (int step = 0; step < 100; step++) {
            double before = 1, now = x;
            for (size_t j = 2; j <= n; j++) {
                const double next = ((double)(2 * j - 1) * x * now - (double)(j - 1) * before) / (double)j;
                before = now;
                now = next;
            }
            slope = (double)n * (x * now - before) / (x * x - 1);
            x -= now / slope;
            if (fabs(now / slope) < 1e-15)
                break;
        }
        rule.x[i] = x;
        rule.w[i] = 2 / ((1 - x * x) * slope * slope);
    }
    return rule;
}

struct integral {
    joint_design design;
    const double *own;
    struct rule rule;
    double panel;
    size_t n_docs, n_features, rank;
    bool settled[MAX_DOCS];              /* the target says something about the coefficients */
    double rest[MAX_DOCS][MAX_FEATURES]; /* part of the features outside the axes */
    double spread[MAX_DOCS];             /* standard deviation of the score given u */
    double axis[MAX_FEATURES][MAX_FEATURES];
    double L[MAX_DOCS][MAX_FEATURES];
    size_t last[MAX_DOCS]; /* last axis that the score depends on */
    double u[MAX_FEATURES];
    /* sums */
    double one, m1[MAX_FEATURES], m2[MAX_FEATURES][MAX_FEATURES], positive[MAX_DOCS];
};

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Take out of a document's features what lies along the axes. */
static void project(struct integral *p, size_t d)
{
    for (size_t m = 0; m < p->rank; m++) {
        p->L[d][m] = dot(p->n_features, p->rest[d], p->axis[m]);
        for (size_t f = 0; f < p->n_features; f++)
            p->rest[d][f] -= p->L[d][m] * p->axis[m][f];
    }
    p->spread[d] = sqrt(dot(p->n_features, p->rest[d], p->rest[d]));
    if (p->spread[d] < 1e-9)
        memset(p->rest[d], 0, sizeof p->rest[d]), p->spread[d] = 0;
}

/* A new axis along what is left of a labelled document. */
static void add_axis(struct integral *p, size_t d)
{
    for (size_t f = 0; f < p->n_features; f++)
        p->axis[p->rank][f] = p->rest[d][f] / p->spread[d];
    p->L[d][p->rank++] = p->spread[d];
    memset(p->rest[d], 0, sizeof p->rest[d]);
    p->spread[d] = 0;
}

static void rotate(struct integral *p)
{
    for (size_t d = 0; d < p->n_docs; d++) {
        if (!p->settled[d])
            continue;
        project(p, d);
        if (p->spread[d] > 0)
            add_axis(p, d);
    }
    for (size_t d = 0; d < p->n_docs; d++) {
        if (!p->settled[d])
            project(p, d);
        for (size_t m = 0; m < p->rank; m++)
            if (fabs(p->L[d][m]) > 1e-9)
                p->last[d] = m;
    }
}

static double score_at(const struct integral *p, size_t d, size_t n_axes)
{
    return dot(n_axes, p->L[d], p->u);
}

static void add_point(struct integral *p, double weight)
{
    p->one += weight;
    for (size_t m = 0; m < p->rank; m++) {
        p->m1[m] += weight * p->u[m];
        for (size_t n = 0; n <= m; n++)
            p->m2[m][n] += weight * p->u[m] * p->u[n];
    }
    for (size_t d = 0; d < p->n_docs; d++) {
        const double s = score_at(p, d, p->rank);
        if (p->spread[d] > 0)
            p->positive[d] += weight * erfc(-s / (p->spread[d] * M_SQRT2)) / 2;
        else if (s > 0)
            p->positive[d] += weight;
    }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A kink: the score of a document passes a point, a + b u = point along one axis. */
struct kink {
    size_t last;
    double a, b; /* on the axis at hand, with the axes before it given */
    double next; /* coefficient of the axis after it */
};

/* Kinks of documents whose score is settled by an axis: where it is 0, and where the response has one. */
static size_t find_kinks(const struct integral *p, size_t level, struct kink *kink)
{
    size_t n = 0;
    for (size_t d = 0; d < p->n_docs; d++) {
        if (p->spread[d] > 0 || p->last[d] < level || p->last[d] > level + 1 || fabs(p->L[d][p->last[d]]) < 1e-9)
            continue;
        double place[2];
        const joint_target *target = &p->design.target[d];
        const size_t n_places = joint_kinks(p->design.row, p->design.fault, target, place);
        const double before = score_at(p, d, level), next = p->last[d] > level ? p->L[d][level + 1] : 0;
        kink[n++] = (struct kink){.last = p->last[d], .a = before, .b = p->L[d][level], .next = next};
        for (size_t i = 0; i < n_places; i++) {
            kink[n] = kink[n - 1 - i];
            kink[n++].a -= (place[i] - target->offset) / p->design.stretch[d];
        }
    }
    return n;
}

/* Where the integrand is not smooth along this axis, the axes before it being given: at kinks of documents that
 * end here, and where kinks of two documents that end at the next axis cross.  Also both ends. */
static size_t find_cuts(const struct integral *p, size_t level, double *cut)
{
    struct kink kink[MAX_KINKS];
    const size_t n_kinks = find_kinks(p, level, kink);
    size_t n = 0;
    cut[n++] = -FARTHEST;
    cut[n++] = FARTHEST;
    for (size_t i = 0; i < n_kinks; i++) {
        if (kink[i].last == level)
            cut[n++] = -kink[i].a / kink[i].b;
        for (size_t j = 0; j < i; j++) {
            if (kink[i].last == level || kink[j].last == level)
                continue;
            const double slope = kink[i].b / kink[i].next - kink[j].b / kink[j].next;
            if (fabs(slope) > 1e-9)
                cut[n++] = (kink[j].a / kink[j].next - kink[i].a / kink[i].next) / slope;
        }
    }
    for (size_t i = 0; i < n; i++)
        cut[i] = fmin(fmax(cut[i], -FARTHEST), FARTHEST);
    qsort(cut, n, sizeof *cut, ascending);
    return n;
}

static double log_likelihood(const struct integral *p, size_t d, double s)
{
    return joint_log_likelihood(p->design.row, p->design.fault, &p->design.target[d], p->own,
                                p->design.stretch[d] * s);
}

static void integrate(struct integral *p, size_t level, double weight)
{
    if (level >= MAX_FEATURES || level == p->rank) { /* the first never; it tells the compiler so */
        add_point(p, weight);
        return;
    }
    double cut[MAX_CUTS], before[MAX_DOCS];
    const size_t n_cuts = find_cuts(p, level, cut);
    for (size_t d = 0; d < p->n_docs; d++)
        before[d] = score_at(p, d, level);
    for (size_t i = 0; i + 1 < n_cuts; i++) {
        const double width = cut[i + 1] - cut[i], n_panels = ceil(width / p->panel);
        for (double panel = 0; panel < n_panels; panel++) {
            const double half = width / n_panels / 2, centre = cut[i] + (2 * panel + 1) * half;
            for (size_t j = 0; j < p->rule.n; j++) {
                const double u = p->u[level] = centre + half * p->rule.x[j];
                double log_weight = -u * u / 2;
                for (size_t d = 0; d < p->n_docs; d++)
                    if (p->settled[d] && p->last[d] == level)
                        log_weight += log_likelihood(p, d, before[d] + p->L[d][level] * u);
                integrate(p, level + 1, weight * half * p->rule.w[j] * exp(log_weight) / sqrt(2 * M_PI));
            }
        }
    }
}

static void prepare(struct integral *p)
{
    p->n_docs = p->design.n_docs;
    p->n_features = p->design.n_features;
    memcpy(p->rest, p->design.f, sizeof p->rest);
    for (size_t d = 0; d < p->n_docs; d++)
        p->settled[d] = !isnan(p->design.target[d].y);
    rotate(p);
}

/* Moments along the axes, divided by the evidence, into those of all coefficients, scores, and the rest. */
static void finish(const struct integral *p, score_law *law)
{
    double mean[MAX_FEATURES] = {0}, second[MAX_FEATURES][MAX_FEATURES] = {{0}};
    for (size_t f = 0; f < p->n_features; f++) {
        second[f][f] = 1;
        for (size_t m = 0; m < p->rank; m++)
            mean[f] += p->axis[m][f] * p->m1[m] / p->one;
    }
    for (size_t m = 0; m < p->rank; m++) {
        for (size_t n = 0; n < p->rank; n++) {
            const double moment = (m < n ? p->m2[n][m] : p->m2[m][n]) / p->one - (m == n ? 1 : 0);
            for (size_t f = 0; f < p->n_features; f++)
                for (size_t g = 0; g < p->n_features; g++)
                    second[f][g] += p->axis[m][f] * moment * p->axis[n][g];
        }
    }
    joint_law_of_moments(&p->design, mean, second, law);
    law->evidence = p->one;
    for (size_t d = 0; d < p->n_docs; d++)
        law->positive[d] = p->positive[d] / p->one;
}

void joint_score_law(const joint_row *row, joint_fault fault, joint_grid grid, unsigned n[MAX_DOCS][MAX_TOPICS],
                     size_t output, const joint_hidden *hidden, score_law *law)
{
    struct integral p = {.own = hidden->own, .rule = make_rule(grid.nodes), .panel = grid.panel};
    joint_design_make(row, fault, n, output, hidden, &p.design);
    prepare(&p);
    /* a score that is always 0 (an empty document, no intercept) ends at no axis: its factor is constant */
    double constant = 0;
    for (size_t d = 0; d < p.n_docs; d++) {
        if (!p.settled[d] || dot(p.rank, p.L[d], p.L[d]) > 0)
            continue;
        constant += log_likelihood(&p, d, 0);
        p.settled[d] = false;
    }
    integrate(&p, 0, exp(constant));
    finish(&p, law);
}

/* ---- one output, sampled parameters included ---- */

/* law += weight x other, for every expectation. */
static void add_law(score_law *law, double weight, const score_law *other)
{
    double *sum = (double *)law;
    const double *x = (const double *)other;
    for (size_t i = 0; i < sizeof *law / sizeof *sum; i++)
        sum[i] += weight * x[i];
}

static void law_given_hidden(const joint_row *row, joint_fault fault, joint_grid grid,
                             unsigned n[MAX_DOCS][MAX_TOPICS], size_t output, const joint_hidden *hidden,
                             score_law *law)
{
    if (row->horseshoe)
        joint_horseshoe_law(row, fault, grid, n, output, hidden, law);
    else if (row->response == RESPONSE_GAUSSIAN)
        joint_gaussian_law(row, fault, n, output, hidden, law);
    else
        joint_score_law(row, fault, grid, n, output, hidden, law);
    joint_own_functions(row, hidden->own, law->own);
    law->log_variance = log(hidden->variance);
    law->small_variance = 1 / (1 + hidden->variance);
}

static void output_law(const joint_row *row, joint_fault fault, joint_grid grid, unsigned n[MAX_DOCS][MAX_TOPICS],
                       size_t output, score_law *law)
{
    double own[MAX_HIDDEN][MAX_OWN], own_weight[MAX_HIDDEN], variance[MAX_HIDDEN], variance_weight[MAX_HIDDEN];
    row = joint_part_of(row, &output);
    const size_t n_own_values = joint_own_values(row, fault, grid, own, own_weight);
    const size_t n_variances = joint_variances(row, fault, grid, variance, variance_weight);
    double evidence = 0;
    score_law sum = {0}, one;
    for (size_t i = 0; i < n_own_values; i++) {
        for (size_t j = 0; j < n_variances; j++) {
            const joint_hidden hidden = {{own[i][0], own[i][1]}, variance[j]};
            law_given_hidden(row, fault, grid, n, output, &hidden, &one);
            const double weight = own_weight[i] * variance_weight[j] * one.evidence;
            if (weight > 0)
                add_law(&sum, weight, &one);
            evidence += weight;
        }
    }
    memset(law, 0, sizeof *law);
    add_law(law, 1 / evidence, &sum);
    law->evidence = evidence;
}

/* ---- tokens ---- */

static double log_beta_function(size_t n, const double *a)
{
    double sum = 0, log_b = 0;
    for (size_t i = 0; i < n; i++) {
        log_b += lgamma(a[i]);
        sum += a[i];
    }
    return log_b - lgamma(sum);
}

static double alpha_with_fault(const joint_row *row, joint_fault fault, size_t k)
{
    if (fault == FAULT_UNIFORM_COUNTS)
        return 1;
    if (fault == FAULT_TOTAL_ALPHA)
        return joint_alpha(row, k) / (double)row->n_topics;
    if (fault != FAULT_MEAN_ALPHA)
        return joint_alpha(row, k);
    double mean = 0;
    for (size_t j = 0; j < row->n_topics; j++)
        mean += joint_alpha(row, j) / (double)row->n_topics;
    return mean;
}

static double log_of_document(const joint_row *row, joint_fault fault, const unsigned char *z, size_t length)
{
    double before[MAX_TOPICS], after[MAX_TOPICS];
    if (row->prior == PRIOR_UNIFORM && fault != FAULT_UNIFORM_COUNTS)
        return -(double)length * log((double)row->n_topics);
    for (size_t k = 0; k < row->n_topics; k++)
        before[k] = after[k] = alpha_with_fault(row, fault, k);
    for (size_t i = 0; i < length; i++)
        after[z[i]]++;
    return log_beta_function(row->n_topics, after) - log_beta_function(row->n_topics, before);
}

static double beta_with_fault(const joint_row *row, joint_fault fault, size_t topic, size_t word)
{
    double sum = joint_plain_beta(row);
    if (fault == FAULT_SEEDS_IGNORED)
        return sum;
    if (fault != FAULT_SEEDS_FOR_ALL)
        return joint_beta(row, topic, word);
    for (size_t k = 0; k < row->n_topics; k++)
        sum += joint_beta(row, k, word) - joint_plain_beta(row);
    return sum;
}

enum { MAX_WORDS = 8 };

static double log_choices(double n, double m)
{
    return lgamma(n + 1) - lgamma(m + 1) - lgamma(n - m + 1);
}

/* Of n_w tokens of each word in topic k, m_i of keyword i come from its keywords: in one order.  The words of a bag; all are in bag 0 without. */
static double log_of_bag_switched(const joint_row *row, joint_fault fault, size_t bag, size_t k, const double *n,
                                  const unsigned *m)
{
    unsigned keyword[MAX_KEYWORDS];
    const size_t n_keywords = joint_keywords(row, k, keyword);
    double before[MAX_WORDS], after[MAX_WORDS], own_before[MAX_KEYWORDS], own_after[MAX_KEYWORDS];
    double before_switch[2] = {JOINT_FROM_KEYWORDS, JOINT_FROM_ALL},
           after_switch[2] = {JOINT_FROM_KEYWORDS, JOINT_FROM_ALL};
    size_t n_words = 0, n_own = 0;
    for (size_t w = 0; w < row->corpus->n_words; w++) {
        if (joint_bag(row, w) != bag)
            continue;
        before[n_words] = joint_beta(row, k, w);
        after[n_words] = before[n_words] + n[w];
        after_switch[1] += n[w];
        for (size_t i = 0; i < n_keywords; i++) {
            if (keyword[i] != w)
                continue;
            own_before[n_own] = JOINT_KEYWORD_BETA;
            own_after[n_own++] = JOINT_KEYWORD_BETA + m[i];
            after[n_words] -= fault == FAULT_SWITCHED_COUNTED ? 0 : m[i];
            after_switch[0] += m[i];
            after_switch[1] -= m[i];
        }
        n_words++;
    }
    double log_words = log_beta_function(n_words, after) - log_beta_function(n_words, before);
    if (n_own == 0)
        return log_words;
    log_words += log_beta_function(n_own, own_after) - log_beta_function(n_own, own_before);
    const double sum = JOINT_FROM_KEYWORDS + JOINT_FROM_ALL;
    if (fault == FAULT_SWITCH_GIVEN)
        return log_words + (after_switch[0] - JOINT_FROM_KEYWORDS) * log(JOINT_FROM_KEYWORDS / sum) +
               (after_switch[1] - JOINT_FROM_ALL) * log(JOINT_FROM_ALL / sum);
    return log_words + log_beta_function(2, after_switch) - log_beta_function(2, before_switch);
}

static double log_of_switched(const joint_row *row, joint_fault fault, size_t k, const double *n, const unsigned *m)
{
    double log_p = log_of_bag_switched(row, fault, 0, k, n, m);
    if ((row->with & WITH_BAGS) != 0)
        log_p += log_of_bag_switched(row, fault, 1, k, n, m);
    return log_p;
}

static void count_topic(const joint_row *row, const unsigned char *z, size_t n_tokens, size_t k, double *n)
{
    memset(n, 0, MAX_WORDS * sizeof *n);
    for (size_t i = 0; i < n_tokens; i++)
        n[row->corpus->word[i]] += z[i] == k;
}

/* All numbers that there can be, and all tokens that they can be. */
static double log_of_named_topic(const joint_row *row, joint_fault fault, const unsigned char *z, size_t n_tokens,
                                 size_t k)
{
    unsigned keyword[MAX_KEYWORDS], m[MAX_KEYWORDS];
    const size_t n_keywords = joint_keywords(row, k, keyword);
    double n[MAX_WORDS], p = 0;
    count_topic(row, z, n_tokens, k, n);
    const double most_0 = n[keyword[0]], most_1 = n_keywords > 1 ? n[keyword[1]] : 0;
    for (m[0] = 0; m[0] <= most_0; m[0]++)
        for (m[1] = 0; m[1] <= most_1; m[1]++)
            p += exp(log_of_switched(row, fault, k, n, m) + log_choices(most_0, m[0]) + log_choices(most_1, m[1]));
    return log(p);
}

/* The words of each bag apart. */
static double log_of_bags(const joint_row *row, joint_fault fault, const double *before, const double *after)
{
    double log_p = 0;
    for (size_t bag = 0; bag < 2; bag++) {
        double sum_before = 0, sum_after = 0;
        for (size_t w = 0; w < row->corpus->n_words; w++) {
            if (joint_bag(row, w) != bag && fault != FAULT_BAGS_BETA_SUM)
                continue;
            sum_before += before[w];
            sum_after += joint_bag(row, w) == bag ? after[w] : before[w];
            if (joint_bag(row, w) == bag)
                log_p += lgamma(after[w]) - lgamma(before[w]);
        }
        log_p += lgamma(sum_before) - lgamma(sum_after);
    }
    return log_p;
}

static double log_of_topic(const joint_row *row, joint_fault fault, const unsigned char *z, size_t n_tokens, size_t k)
{
    unsigned keyword[MAX_KEYWORDS];
    if (joint_keywords(row, k, keyword) > 0 && fault != FAULT_KEYWORDS_IGNORED)
        return log_of_named_topic(row, fault, z, n_tokens, k);
    double before[MAX_WORDS], after[MAX_WORDS], log_p = 0, n_k = 0;
    for (size_t w = 0; w < row->corpus->n_words; w++)
        before[w] = after[w] = beta_with_fault(row, fault, k, w);
    for (size_t i = 0; i < n_tokens; i++)
        if (z[i] == k)
            after[row->corpus->word[i]]++, n_k++;
    if (fault == FAULT_NO_BLOCK_MASS) { /* two blocks: the words below 2, and the others */
        return log_beta_function(2, after) - log_beta_function(2, before) +
               log_beta_function(row->corpus->n_words - 2, after + 2) -
               log_beta_function(row->corpus->n_words - 2, before + 2);
    }
    if ((row->with & WITH_BAGS) != 0 && fault != FAULT_BAGS_TOGETHER)
        return log_of_bags(row, fault, before, after);
    if (fault == FAULT_BETA_SUM_OF_TOPICS) {
        const double sum = joint_plain_beta(row) * (double)row->n_topics;
        for (size_t w = 0; w < row->corpus->n_words; w++)
            log_p += lgamma(after[w]) - lgamma(before[w]);
        return log_p + lgamma(sum) - lgamma(n_k + sum);
    }
    return log_beta_function(row->corpus->n_words, after) - log_beta_function(row->corpus->n_words, before);
}

static double log_of_documents(const joint_row *row, joint_fault fault, const unsigned char *z)
{
    double log_p = 0;
    size_t first = 0;
    for (size_t d = 0; d < row->corpus->n_docs && row->psi == NULL; d++) {
        log_p += log_of_document(row, fault, z + first, row->corpus->length[d]);
        first += row->corpus->length[d];
    }
    return log_p;
}

double joint_log_tokens(const joint_row *row, joint_fault fault, const unsigned char *z)
{
    double log_p = log_of_documents(row, fault, z);
    for (size_t k = 0; k < row->n_topics; k++)
        log_p += log_of_topic(row, fault, z, joint_n_tokens(row), k);
    return log_p;
}

double joint_log_switched_tokens(const joint_row *row, const unsigned char *z,
                                 unsigned switched[MAX_TOPICS][MAX_KEYWORDS])
{
    double log_p = log_of_documents(row, FAULT_NONE, z), n[MAX_WORDS];
    unsigned keyword[MAX_KEYWORDS];
    for (size_t k = 0; k < row->n_topics; k++) {
        count_topic(row, z, joint_n_tokens(row), k, n);
        log_p += joint_keywords(row, k, keyword) > 0 ? log_of_switched(row, FAULT_NONE, k, n, switched[k])
                                                     : log_of_topic(row, FAULT_NONE, z, joint_n_tokens(row), k);
    }
    return log_p;
}

/* ---- the sum over assignments ---- */

/* Laws that were worked out already.  All topics have the same coefficient prior, so the law depends only on
 * the set of the topics' count vectors. */
struct cache {
    size_t n;
    unsigned long key[MAX_LAWS];
    score_law law[MAX_LAWS][MAX_OUTPUTS];
};

static int ascending_numbers(const void *a, const void *b)
{
    const unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;
    return (x > y) - (x < y);
}

static unsigned long key_of(const joint_row *row, unsigned n[MAX_DOCS][MAX_TOPICS])
{
    unsigned long column[MAX_TOPICS] = {0}, key = 0;
    for (size_t k = 0; k < row->n_topics; k++)
        for (size_t d = 0; d < row->corpus->n_docs; d++)
            column[k] = column[k] * 16 + n[d][k];
    qsort(column, row->n_topics, sizeof *column, ascending_numbers);
    for (size_t k = 0; k < row->n_topics; k++)
        key = (key << 16) + column[k];
    return key;
}

static const score_law *laws_of(struct cache *cache, const joint_row *row, joint_fault fault, joint_grid grid,
                                const unsigned char *z)
{
    unsigned n[MAX_DOCS][MAX_TOPICS] = {{0}};
    for (size_t d = 0, i = 0; d < row->corpus->n_docs; d++)
        for (size_t end = i + row->corpus->length[d]; i < end; i++)
            n[d][z[i]]++;
    const unsigned long key = key_of(row, n);
    for (size_t i = 0; i < cache->n; i++)
        if (cache->key[i] == key)
            return cache->law[i];
    if (cache->n == MAX_LAWS)
        abort();
    cache->key[cache->n] = key;
    for (size_t l = 0; l < joint_n_outputs(row); l++)
        output_law(row, fault, grid, n, l, &cache->law[cache->n][l]);
    return cache->law[cache->n++];
}

/* The next assignment in counting order; false after the last. */
static bool next_assignment(unsigned char *z, size_t n_tokens, size_t n_topics)
{
    for (size_t i = 0; i < n_tokens; i++) {
        if (++z[i] < n_topics)
            return true;
        z[i] = 0;
    }
    return false;
}

static psi_fault psi_fault_of(joint_fault fault)
{
    switch (fault) {
    case FAULT_PSI_SIGN:
        return PSI_SIGN;
    case FAULT_PSI_RANK:
        return PSI_RANK;
    case FAULT_PSI_SHORT:
        return PSI_SHORT;
    case FAULT_PSI_NO_LEVEL:
        return PSI_NO_LEVEL;
    case FAULT_PSI_VARIANCE:
        return PSI_VARIANCE;
    case FAULT_PSI_NO_COLUMN:
        return PSI_NO_COLUMN;
    case FAULT_PSI_ONE_LEVEL:
        return PSI_ONE_LEVEL;
    case FAULT_PSI_ONE_SIDED:
        return PSI_ONE_SIDED;
    case FAULT_PSI_FIXED_AS_ONE:
        return PSI_FIXED_AS_ONE;
    case FAULT_PSI_WIDE:
        return PSI_WIDE;
    default:
        return PSI_RIGHT;
    }
}

void joint_exact(const joint_row *row, joint_fault fault, joint_grid grid, double *mean)
{
    struct cache *cache = calloc(1, sizeof *cache);
    unsigned char z[MAX_TOKENS] = {0};
    double x[MAX_QUANTITIES], total = 0;
    if (cache == NULL)
        abort();
    const psi_columns columns = joint_columns(row);
    psi_table *psi = row->psi == NULL
                         ? NULL
                         : psi_exact(row->psi, &columns, psi_fault_of(fault), row->n_topics, row->corpus->length);
    memset(mean, 0, MAX_QUANTITIES * sizeof *mean);
    do {
        const score_law *law = laws_of(cache, row, fault, grid, z);
        const psi_law *weights = psi == NULL ? NULL : psi_law_of(psi, z);
        double p = exp(joint_log_tokens(row, fault, z)) * (psi == NULL ? 1 : weights->evidence);
        const size_t n_seen = joint_n_outputs(row) - (fault == FAULT_SECOND_IGNORED ? 1 : 0);
        if (fault != FAULT_TOPICS_IGNORE_LABELS)
            for (size_t l = 0; l < n_seen; l++)
                p *= law[l].evidence;
        const size_t n = joint_quantities(row, z, law, weights, x, NULL);
        total += p;
        for (size_t i = 0; i < n; i++)
            mean[i] += p * x[i];
    } while (next_assignment(z, joint_n_tokens(row), row->n_topics));
    for (size_t i = 0; i < MAX_QUANTITIES; i++)
        mean[i] /= total;
    free(psi);
    free(cache);
}
