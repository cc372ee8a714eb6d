/* response/level_law.c - what the scores of short texts say of levels, by levels that were held out of the training.
 *
 * Let s be the score of a text with N known words less its cut point in the middle, M and V the mean and variance of s in whole texts, and
 * A = exp(mean of log(1 + N)) of these.  Levels of the text have the probabilities of a score from a normal law,
 *
 *     N( M + w (s - M), V (1 - u) ),    w = min(1, (N + 1) / (N + 1 + l) (A + l) / A),    u the same with h in place of l      (1)
 *
 * If scores of short and of whole texts were normal, u would be the square of their correlation.  l and h are those of a few values that lose
 * least on texts that were cut to their first words, plus (l + h) / 20.  For this loss the cut points C_1 < ... < C_{J-1} minimise
 *
 *     - sum_d log p(y_d | s_d - M) - (1/2) sum_j log p(j | 0),     p(j | m) = Phi(C_j - m) - Phi(C_{j-1} - m)                    (2)
 *
 * over whole texts, and half a text more of each level, so that none has the probability 0.  (2) is convex; each cut point in turn makes
 * steps of Newton's method. */
#include "response/level_law.h"

#include "base/memory.h"
#include "math/special.h"

#include <math.h>

enum { FEWEST = 20, MOST_ROUNDS = 50 };

static const double PRIOR_WEIGHT = 0.5, MEAN_LENGTH = 20;

typedef struct fit {
    size_t n_levels;
    const gb_new_levels *whole, *cut;
    double *cut_point; /* n_levels - 1, from the centre */
    gb_level_law law;
} fit;

/* ---- cut points ---- */

static double low_end(const fit *f, size_t level)
{
    return level == 1 ? -INFINITY : f->cut_point[level - 2];
}

static double high_end(const fit *f, size_t level)
{
    return level == f->n_levels ? INFINITY : f->cut_point[level - 1];
}

/* log p(level | mean), with the standard deviation sd in place of 1 */
static double log_of_level(const fit *f, size_t level, double mean, double sd)
{
    return gb_log_normal_interval((low_end(f, level) - mean) / sd, (high_end(f, level) - mean) / sd);
}

/* Adds weight times the derivative of log p(level | mean) by cut point j, and minus the second one. */
static void derive(const fit *f, size_t level, size_t j, double mean, double weight, double *slope, double *bend)
{
    const double log_p = log_of_level(f, level, mean, 1), at = f->cut_point[j - 1] - mean, sign = level == j ? 1 : -1,
                 ratio = exp(-0.5 * at * at - 0.5 * GB_LOG_2PI - log_p);
    *slope += weight * sign * ratio;
    *bend += weight * ratio * (ratio + sign * at);
}

/* Cut point j, from 1 on, between the levels j and j + 1, by a step of at most 1 and half-way to a neighbour.  @return by how much */
static double move_cut_point(fit *f, size_t j)
{
    const gb_new_levels *t = f->whole;
    double slope = 0, bend = 0, *cut = &f->cut_point[j - 1];
    derive(f, j, j, 0, PRIOR_WEIGHT, &slope, &bend);
    derive(f, j + 1, j, 0, PRIOR_WEIGHT, &slope, &bend);
    for (size_t d = 0; d < t->n; d++)
        if (t->y[d] == (double)j || t->y[d] == (double)(j + 1))
            derive(f, (size_t)t->y[d], j, t->score[d] - f->law.centre, 1, &slope, &bend);
    const double old = *cut, step = bend > 0 ? fmin(fmax(slope / bend, -1), 1) : 0;
    *cut = fmin(fmax(old + step, (old + low_end(f, j)) / 2), (old + high_end(f, j + 1)) / 2);
    return fabs(*cut - old);
}

/* They start where scores would say nothing.  A difference of 1e-6 means nothing. */
static void find_cut_points(fit *f)
{
    double moved = 1, below = 0;
    for (size_t j = 1; j < f->n_levels; j++)
        f->cut_point[j - 1] = gb_normal_quantile(below += f->law.share[j - 1]);
    for (int i = 0; i < MOST_ROUNDS && moved > 1e-6; i++) {
        moved = 0;
        for (size_t j = 1; j < f->n_levels; j++)
            moved = fmax(moved, move_cut_point(f, j));
    }
}

/* ---- whole texts ---- */

static size_t count_known(const gb_new_levels *t)
{
    size_t n = 0;
    for (size_t d = 0; d < t->n; d++)
        n += isnan(t->y[d]) ? 0 : 1;
    return n;
}

static void measure(const gb_new_levels *t, size_t n_levels, gb_level_law *law)
{
    const double n = (double)count_known(t), of_one = 1 / (n + PRIOR_WEIGHT * (double)n_levels);
    for (size_t j = 0; j < n_levels; j++)
        law->share[j] = PRIOR_WEIGHT * of_one;
    for (size_t d = 0; d < t->n; d++) {
        if (isnan(t->y[d]))
            continue;
        law->share[(size_t)t->y[d] - 1] += of_one;
        law->centre += t->score[d] / n;
        law->log_whole += log((double)t->n_tokens[d] + 1) / n;
    }
    for (size_t d = 0; d < t->n; d++)
        if (!isnan(t->y[d]))
            law->variance += (t->score[d] - law->centre) * (t->score[d] - law->centre) / n;
}

/* ---- short texts ---- */

/* w and V (1 - u) of (1) */
static double weigh(const gb_level_law *law, uint64_t n_tokens, double *variance)
{
    *variance = law->variance * (1 - gb_weight_of_length(law->open, law->log_whole, n_tokens));
    return gb_weight_of_length(law->length, law->log_whole, n_tokens);
}

static double loss_of(const fit *f, const gb_level_law *law)
{
    const gb_new_levels *t = f->cut;
    double sum = (law->length + law->open) / MEAN_LENGTH;
    for (size_t d = 0; d < t->n; d++) {
        double variance;
        if (isnan(t->y[d]))
            continue;
        const double weight = weigh(law, t->n_tokens[d], &variance), mean = weight * (t->score[d] - law->centre);
        sum -= log_of_level(f, (size_t)t->y[d], mean, sqrt(1 + variance));
    }
    return sum;
}

static void fit_short(fit *f)
{
    static const double tried[] = {0, 1, 2, 4, 8, 16, 32, 64, 128};
    const size_t n_tried = sizeof tried / sizeof *tried;
    double least = INFINITY;
    gb_level_law law = f->law;
    for (size_t i = 0; i < n_tried * n_tried; i++) {
        law.length = tried[i / n_tried];
        law.open = tried[i % n_tried];
        const double loss = loss_of(f, &law);
        if (loss < least) {
            least = loss;
            f->law.length = law.length;
            f->law.open = law.open;
        }
    }
}

/* ---- all of it ---- */

gb_status gb_level_law_fit(size_t n_levels, const gb_new_levels *whole, const gb_new_levels *cut, gb_level_law *law,
                           gb_error *err)
{
    gb_status st;
    fit f = {.n_levels = n_levels, .whole = whole, .cut = cut};
    *law = (gb_level_law){.share = NULL};
    if (count_known(whole) < FEWEST)
        return GB_OK;
    GB_TRY(gb_alloc(&f.law.share, n_levels, sizeof *f.law.share, "the calibration", err));
    GB_TRY(gb_alloc(&f.cut_point, n_levels - 1, sizeof *f.cut_point, "the calibration", err));
    measure(whole, n_levels, &f.law);
    if (count_known(cut) >= FEWEST) {
        find_cut_points(&f);
        fit_short(&f);
    }
    *law = f.law;
    f.law.share = NULL;
done:
    gb_free(f.law.share);
    gb_free(f.cut_point);
    return st;
}

void gb_level_law_clear(gb_level_law *law)
{
    gb_free(law->share);
    *law = (gb_level_law){.share = NULL};
}

double gb_level_law_score(const gb_level_law *law, const gb_response *response, double score, uint64_t n_tokens,
                          double *variance)
{
    *variance = 0;
    if (law->share == NULL)
        return score;
    const double weight = weigh(law, n_tokens, variance);
    return score - (1 - weight) * (gb_response_pooled_score(response, score) - law->centre);
}
