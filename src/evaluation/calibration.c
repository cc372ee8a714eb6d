/* evaluation/calibration.c - probabilities for scores that have none (Platt scaling).
 *
 * Of n+ documents with y = +1 and n- with y = -1, a and b minimise
 *
 *     F(a, b) = - sum_d ( t_d log p_d + (1 - t_d) log (1 - p_d) ),    p_d = sigma(a s_d + b)     (1)
 *     t_d = (n+ + 1) / (n+ + 2) if y_d = +1,    1 / (n- + 2) if y_d = -1                         (2)
 *
 * The targets (2), in place of 1 and 0, are the means of a uniform prior's posterior after n+ and n- successes; with
 * them the minimum is finite also where a score separates the labels.  F is convex, with
 *
 *     gradient = sum_d (p_d - t_d) (s_d, 1)',    Hessian = sum_d p_d (1 - p_d) (s_d, 1)(s_d, 1)'  (3)
 *
 * and Newton's method with step halving finds the minimum.  If it has a < 0, the best of all a >= 0 is a = 0, again
 * because F is convex; then p is the same for all documents, namely the mean of t_d.
 *
 * Of many classes some have few labels, and a curve of their own would be anything.  So a curve (A, B) is fitted to the scores of
 * all classes together, as if they were one; then each class has the a and b that minimise, with plain targets 1 and 0,
 *
 *     F(a, b) + (a - A)^2 / (2 (A/2)^2) + (b - B)^2 / 2                                          (4)
 *
 * that is, a normal prior that lets the slope differ by half of itself and the shift by a factor e in the odds.
 *
 * Of a document with one class of many the probabilities (1) are divided by their sum.  Right one by one, they are too modest then: of
 * a document that surely has one class, the others keep what they have on average, and with twenty classes that adds up.  So
 * all curves together get a factor g and a shift h, and the probabilities a power t, that minimise, over documents with the class c_d,
 *
 *     - sum_d sum_l q_dl log( p_dl^t / sum_m p_dm^t ) + 2 (log g)^2 + 2 (log t)^2 + h^2 / 18,   p_dl = sigma(g (a_l s_dl + b_l) + h)   (6)
 *
 * with q_dl = (1/2) / (n + L/2) for the classes l other than c_d, and the rest for c_d: half a document more for each class.
 *
 * With x = (log g, log t, h) and v_dl the gradient of log p_dl^t, Gauss-Newton steps find the minimum, by
 *
 *     gradient = sum_d (mean of v_dl under the probabilities - sum_l q_dl v_dl) + that of the priors,
 *     Hessian ~ sum_d (covariance of v_dl under the probabilities) + that of the priors                                              (7)
 *
 * which leaves out the curvature of log p_dl^t, so that it is positive definite everywhere.  The three moves make up for each other, and the
 * minimum is flat: a search along one of them at a time stops far from it.
 *
 * The power is for documents between two classes: with a large shift, p^t is near 1 for whatever suits a document well, and falls like
 * exp(t g a_l s_dl) below.
 *
 * Scores of short documents say less than their size: their topics are known worse, and a mean over a few tokens is more extreme than one
 * over many.  So before all this a score of a document with N tokens counts
 *
 *     s (N + 1) / (N + 1 + m)                                                                                                    (8)
 *
 * with the m of a few values for which the curves lose least on their own documents and on the first few words of these, plus m / 20, an
 * exponential prior with mean 20.  The curves are those of whole documents: fitted to both they are a little worse for these.
 *
 * If probabilities are right, predicting the k most probable of n documents with p_(1) >= p_(2) >= ... is expected to have
 *
 *     F1(k) = 2 sum_{i <= k} p_(i) / (k + sum_i p_i)                                             (5)
 *
 * which is largest at the p_(k) that is closest to half of that largest value from above (Lipton, Elkan and Naryanaswamy 2014).
 *
 * (1), (2): Platt 2000, in Advances in Large Margin Classifiers.  Newton's method, and the forms of F and p(1 - p)
 * that lose no digits: Lin, Lin and Weng 2007, Machine Learning 68.  Here scores are first shifted and scaled to
 * mean 0 and variance 1, so that the same steps are taken whatever their unit. */
#include "evaluation/calibration.h"

#include "base/memory.h"
#include "math/cholesky.h"
#include "math/special.h"
#include "plan/target.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Labels and scores, with (2) and the moments of the scores. */
typedef struct calibration {
    size_t n, stride;
    const double *y, *score;
    double n_positive, n_negative;
    double high, low;   /* t of the two labels */
    double mean, scale; /* of the scores; scale 0 if they are all the same */
    /* (4), of the standardised score: */
    double prior_a, prior_b, precision_a, precision_b;
} calibration;

typedef struct newton_point {
    double a, b; /* of the standardised score */
    double value, gradient_a, gradient_b, hessian_aa, hessian_ab, hessian_bb;
} newton_point;

/* ---- the data -------------------------------------------------------------------------------------- */

static bool is_missing(const calibration *c, size_t d)
{
    return isnan(c->y[d * c->stride]);
}

static double standardised_score(const calibration *c, size_t d)
{
    return (c->score[d * c->stride] - c->mean) / c->scale;
}

static double target(const calibration *c, size_t d)
{
    return c->y[d * c->stride] > 0 ? c->high : c->low;
}

static void measure(calibration *c)
{
    double n = 0, spread = 0;
    for (size_t d = 0; d < c->n; d++) {
        if (is_missing(c, d))
            continue;
        const double score = c->score[d * c->stride], from_mean = score - c->mean;
        n++;
        c->mean += from_mean / n;
        spread += from_mean * (score - c->mean);
        *(c->y[d * c->stride] > 0 ? &c->n_positive : &c->n_negative) += 1;
    }
    c->high = (c->n_positive + 1) / (c->n_positive + 2);
    c->low = 1 / (c->n_negative + 2);
    c->scale = n > 0 ? sqrt(spread / n) : 0;
}

/* The mean of t_d, as the score that has this probability. */
static double logit_of_mean(const calibration *c)
{
    return log((c->n_positive * c->high + c->n_negative * c->low) /
               (c->n_positive * (1 - c->high) + c->n_negative * (1 - c->low)));
}

/* ---- Newton's method ------------------------------------------------------------------------------- */

/* (1) or (4), and (3), per document. */
static newton_point evaluate(const calibration *c, double a, double b)
{
    const double n = c->n_positive + c->n_negative;
    const double off_a = a - c->prior_a, off_b = b - c->prior_b;
    newton_point at = {.a = a,
                       .b = b,
                       .value = (c->precision_a * off_a * off_a + c->precision_b * off_b * off_b) / (2 * n),
                       .gradient_a = c->precision_a * off_a / n,
                       .gradient_b = c->precision_b * off_b / n,
                       .hessian_aa = c->precision_a / n,
                       .hessian_bb = c->precision_b / n};
    for (size_t d = 0; d < c->n; d++) {
        if (is_missing(c, d))
            continue;
        const double x = standardised_score(c, d), z = a * x + b, t = target(c, d);
        const double p = gb_sigmoid(z), curvature = p * gb_sigmoid(-z);
        at.value += (t * gb_log1p_exp(-z) + (1 - t) * gb_log1p_exp(z)) / n;
        at.gradient_a += (p - t) * x / n;
        at.gradient_b += (p - t) / n;
        at.hessian_aa += curvature * x * x / n;
        at.hessian_ab += curvature * x / n;
        at.hessian_bb += curvature / n;
    }
    return at;
}

/* One step, halved until it lowers F enough (Armijo's rule), as far as the rounding of a sum of n terms lets one see.
 * A step so short that the error left is its square, some 1e-12, is the last one.  False when it is over. */
static bool take_step(const calibration *c, newton_point *at)
{
    const double ridge = 1e-12, enough = 1e-4, last_step = 1e-6, shortest = 1e-10;
    const double rounding = 4 * DBL_EPSILON * sqrt(c->n_positive + c->n_negative) * at->value;
    const double aa = at->hessian_aa + ridge, bb = at->hessian_bb + ridge, ab = at->hessian_ab;
    const double determinant = aa * bb - ab * ab;
    const double step_a = -(bb * at->gradient_a - ab * at->gradient_b) / determinant;
    const double step_b = -(aa * at->gradient_b - ab * at->gradient_a) / determinant;
    const double descent = at->gradient_a * step_a + at->gradient_b * step_b;
    if (fmax(fabs(step_a), fabs(step_b)) < last_step) {
        at->a += step_a;
        at->b += step_b;
        return false;
    }
    for (double length = 1; length >= shortest; length /= 2) {
        const newton_point next = evaluate(c, at->a + length * step_a, at->b + length * step_b);
        if (next.value <= at->value + enough * length * descent + rounding) {
            *at = next;
            return true;
        }
    }
    return false;
}

static newton_point minimise(const calibration *c, double a, double b)
{
    const int most_steps = 100;
    newton_point at = evaluate(c, a, b);
    for (int i = 0; i < most_steps && take_step(c, &at); i++)
        continue;
    return at;
}

/* ---- for callers ----------------------------------------------------------------------------------- */

void gb_calibration_fit_one(size_t n, size_t stride, const double *y, const double *score, double *a, double *b)
{
    calibration c = {.n = n, .stride = stride, .y = y, .score = score};
    *a = *b = 0;
    measure(&c);
    if (c.n_positive + c.n_negative == 0)
        return;
    *b = logit_of_mean(&c);
    if (c.n_positive == 0 || c.n_negative == 0 || !(c.scale > 0))
        return;
    const newton_point minimum = minimise(&c, 0, logit_of_mean(&c));
    if (!(minimum.a > 0))
        return;
    *a = minimum.a / c.scale;
    *b = minimum.b - minimum.a * c.mean / c.scale;
}

/* (4).  The prior is of the score as it is, so that is not standardised. */
static void fit_near(size_t n, size_t stride, const double *y, const double *score, const double *common, double *a,
                     double *b)
{
    const double never = 1e12, spread_a = common[0] / 2, spread_b = 1;
    calibration c = {.n = n, .stride = stride, .y = y, .score = score};
    *a = common[0];
    *b = common[1];
    measure(&c);
    if (c.n_positive + c.n_negative == 0)
        return;
    c.mean = 0;
    c.scale = c.high = 1;
    c.low = 0;
    c.prior_a = common[0];
    c.prior_b = common[1];
    c.precision_a = 1 / (spread_a * spread_a);
    c.precision_b = 1 / (spread_b * spread_b);
    newton_point minimum = minimise(&c, *a, *b);
    if (!(minimum.a > 0)) { /* the best with a = 0 */
        c.prior_a = 0;
        c.precision_a *= never;
        minimum = minimise(&c, 0, *b);
    }
    *a = fmax(minimum.a, 0);
    *b = minimum.b;
}

void gb_calibration_fit_classes(size_t n, size_t n_outputs, const double *y, const double *score, double *curve)
{
    double common[2] = {0, 0};
    if (n_outputs > 1)
        gb_calibration_fit_one(n * n_outputs, 1, y, score, &common[0], &common[1]);
    for (size_t l = 0; l < n_outputs; l++)
        if (common[0] > 0)
            fit_near(n, n_outputs, y + l, score + l, common, &curve[2 * l], &curve[2 * l + 1]);
        else
            gb_calibration_fit_one(n, n_outputs, y + l, score + l, &curve[2 * l], &curve[2 * l + 1]);
}

/* ---- one class of several ------------------------------------------------------------------------- */

typedef struct joint_fit {
    size_t n, step, n_outputs; /* documents; each step-th counts, since they may come class after class */
    const double *y, *score, *curve;
} joint_fit;

/* The class of a document, or n_outputs if its label is missing. */
static size_t class_of(const joint_fit *f, size_t d)
{
    size_t l = 0;
    while (l < f->n_outputs && !(f->y[d * f->n_outputs + l] > 0))
        l++;
    return l;
}

enum { LOG_FACTOR, LOG_POWER, SHIFT, N_MOVES };

/* 1 / variance of the normal priors in (6) */
static const double MOVE_PRECISION[N_MOVES] = {[LOG_FACTOR] = 4, [LOG_POWER] = 4, [SHIFT] = 1.0 / 9};

typedef struct joint_point {
    double move[N_MOVES];
    double value, gradient[N_MOVES], hessian[N_MOVES * N_MOVES]; /* (6), and (7): columns of the lower triangle */
} joint_point;

/* The gradient of t log p_l, p_l as in (6), and its value. */
static double move_class(const joint_fit *f, const double *move, size_t d, size_t l, double *gradient)
{
    const double factor = exp(move[LOG_FACTOR]), power = exp(move[LOG_POWER]);
    const double z = factor * (f->curve[2 * l] * f->score[d * f->n_outputs + l] + f->curve[2 * l + 1]);
    const double log_p = power * gb_log_sigmoid(z + move[SHIFT]);
    gradient[SHIFT] = power * gb_sigmoid(-z - move[SHIFT]);
    gradient[LOG_FACTOR] = gradient[SHIFT] * z;
    gradient[LOG_POWER] = log_p;
    return log_p;
}

/* One document's part of (6) and (7).  Classes are gone through twice: `largest` keeps the sum from underflowing. */
static void add_document(const joint_fit *f, size_t d, size_t truth, double other, joint_point *at)
{
    double gradient[N_MOVES], mean[N_MOVES] = {0}, wanted[N_MOVES] = {0}, square[N_MOVES * N_MOVES] = {0};
    double largest = -INFINITY, sum = 0, expected = 0;
    for (size_t l = 0; l < f->n_outputs; l++)
        largest = fmax(largest, move_class(f, at->move, d, l, gradient));
    for (size_t l = 0; l < f->n_outputs; l++) {
        const double log_p = move_class(f, at->move, d, l, gradient), weight = exp(log_p - largest);
        const double q = l == truth ? 1 - ((double)f->n_outputs - 1) * other : other;
        sum += weight;
        expected += q * log_p;
        for (size_t i = 0; i < N_MOVES; i++) {
            mean[i] += weight * gradient[i];
            wanted[i] += q * gradient[i];
            for (size_t j = 0; j <= i; j++)
                square[j * N_MOVES + i] += weight * gradient[i] * gradient[j];
        }
    }
    at->value += largest + log(sum) - expected;
    for (size_t i = 0; i < N_MOVES; i++) {
        at->gradient[i] += mean[i] / sum - wanted[i];
        for (size_t j = 0; j <= i; j++)
            at->hessian[j * N_MOVES + i] += square[j * N_MOVES + i] / sum - mean[i] * mean[j] / (sum * sum);
    }
}

static joint_point evaluate_moves(const joint_fit *f, const double *move)
{
    const double other = 0.5 / ((double)f->n / (double)f->step + 0.5 * (double)f->n_outputs);
    joint_point at = {.value = 0};
    for (size_t i = 0; i < N_MOVES; i++) {
        at.move[i] = move[i];
        at.value += MOVE_PRECISION[i] * move[i] * move[i] / 2;
        at.gradient[i] = MOVE_PRECISION[i] * move[i];
        at.hessian[i * N_MOVES + i] = MOVE_PRECISION[i];
    }
    for (size_t d = 0; d < f->n; d += f->step) {
        const size_t truth = class_of(f, d);
        if (truth < f->n_outputs)
            add_document(f, d, truth, other, &at);
    }
    return at;
}

/* A step by (7), halved until (6) is less.  False if none is. */
static bool take_joint_step(const joint_fit *f, joint_point *at)
{
    const double none[N_MOVES] = {0}, shortest = 1e-6;
    double step[N_MOVES], hessian[N_MOVES * N_MOVES], move[N_MOVES];
    memcpy(step, at->gradient, sizeof step);
    memcpy(hessian, at->hessian, sizeof hessian);
    if (!gb_draw_normal_by_precision(N_MOVES, hessian, step, none))
        return false;
    for (double length = 1; length >= shortest; length /= 2) {
        for (size_t i = 0; i < N_MOVES; i++)
            move[i] = at->move[i] - length * step[i];
        const joint_point next = evaluate_moves(f, move);
        if (next.value < at->value) {
            *at = next;
            return true;
        }
    }
    return false;
}

enum { MOST_FITTED = 5000, MOST_JOINT_STEPS = 100 };

double gb_calibration_fit_together(size_t n, size_t n_outputs, const double *y, const double *score, double *curve,
                                   double *power)
{
    const double enough = 1e-6, none[N_MOVES] = {0};
    const joint_fit f = {
        .n = n, .step = n / MOST_FITTED + 1, .n_outputs = n_outputs, .y = y, .score = score, .curve = curve};
    joint_point at = evaluate_moves(&f, none);
    double before = INFINITY;
    for (int i = 0; i < MOST_JOINT_STEPS && before - at.value > enough; i++) {
        before = at.value;
        if (!take_joint_step(&f, &at))
            break;
    }
    for (size_t l = 0; l < n_outputs; l++) {
        curve[2 * l] *= exp(at.move[LOG_FACTOR]);
        curve[2 * l + 1] = exp(at.move[LOG_FACTOR]) * curve[2 * l + 1] + at.move[SHIFT];
    }
    *power = exp(at.move[LOG_POWER]);
    return at.value * (double)f.step;
}

/* ---- short documents ------------------------------------------------------------------------------ */

static void weigh_scores(size_t n_outputs, const gb_calibration_texts *texts, double length, double *out)
{
    for (size_t d = 0; d < texts->n; d++)
        for (size_t l = 0; l < n_outputs; l++)
            out[d * n_outputs + l] =
                texts->score[d * n_outputs + l] * gb_target_score_weight(length, texts->n_tokens[d]);
}

/* - log likelihood of the labels, class by class. */
static double loss_of_classes(size_t n, size_t n_outputs, const double *y, const double *score, const double *curve)
{
    double loss = 0;
    for (size_t i = 0; i < n * n_outputs; i++) {
        const size_t l = i % n_outputs;
        if (!isnan(y[i]))
            loss -= gb_log_sigmoid((y[i] > 0 ? 1 : -1) * (curve[2 * l] * score[i] + curve[2 * l + 1]));
    }
    return loss;
}

/* The same of classes that exclude each other, without any priors. */
static double loss_of_choices(size_t n, size_t n_outputs, const double *y, const double *score, const double *curve,
                              double power)
{
    const double none[N_MOVES] = {[LOG_POWER] = log(power)};
    const joint_fit f = {
        .n = n, .step = n / MOST_FITTED + 1, .n_outputs = n_outputs, .y = y, .score = score, .curve = curve};
    double loss = 0, gradient[N_MOVES];
    for (size_t d = 0; d < n; d += f.step) {
        const size_t truth = class_of(&f, d);
        double largest = -INFINITY, sum = 0;
        if (truth == n_outputs)
            continue;
        for (size_t l = 0; l < n_outputs; l++)
            largest = fmax(largest, move_class(&f, none, d, l, gradient));
        for (size_t l = 0; l < n_outputs; l++)
            sum += exp(move_class(&f, none, d, l, gradient) - largest);
        loss += largest + log(sum) - move_class(&f, none, d, truth, gradient);
    }
    return loss * (double)f.step;
}

/* The curves, and what they lose. */
static double fit_all(size_t n, size_t n_outputs, const double *y, const double *score, double *curve, double *power)
{
    gb_calibration_fit_classes(n, n_outputs, y, score, curve);
    return power == NULL ? loss_of_classes(n, n_outputs, y, score, curve)
                         : gb_calibration_fit_together(n, n_outputs, y, score, curve, power);
}

/* What the curves of whole documents lose on those that are cut. */
static double loss_of_cut(size_t n_outputs, const gb_calibration_texts *cut, double length, const double *curve,
                          const double *power, double *room)
{
    if (cut == NULL)
        return 0;
    weigh_scores(n_outputs, cut, length, room);
    return power == NULL ? loss_of_classes(cut->n, n_outputs, cut->y, room, curve)
                         : loss_of_choices(cut->n, n_outputs, cut->y, room, curve, *power);
}

gb_status gb_calibration_fit(size_t n_outputs, gb_calibration_texts *whole, const gb_calibration_texts *cut,
                             double *curve, double *power, double *length, gb_error *err)
{
    static const double tried[] = {0, 1, 2, 4, 8, 16, 32, 64}, mean_length = 20;
    const size_t most = cut != NULL && cut->n > whole->n ? cut->n : whole->n;
    double *weighed = NULL, least = INFINITY;
    const gb_status st = gb_alloc(&weighed, most * n_outputs, sizeof *weighed, "the calibration", err);
    if (st != GB_OK)
        return st;
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        weigh_scores(n_outputs, whole, tried[i], weighed);
        double loss = fit_all(whole->n, n_outputs, whole->y, weighed, curve, power) + tried[i] / mean_length;
        loss += loss_of_cut(n_outputs, cut, tried[i], curve, power, weighed);
        if (loss < least) {
            least = loss;
            *length = tried[i];
        }
    }
    weigh_scores(n_outputs, whole, *length, whole->score);
    fit_all(whole->n, n_outputs, whole->y, whole->score, curve, power);
    gb_free(weighed);
    return st;
}

/* ---- cut-offs -------------------------------------------------------------------------------------- */

static int downwards(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Half of the largest (5).  Sorts the probabilities. */
static double best_cut_off(size_t n, double *p)
{
    double all = 0, sum = 0, best = 0;
    qsort(p, n, sizeof *p, downwards);
    for (size_t i = 0; i < n; i++)
        all += p[i];
    for (size_t i = 0; i < n; i++) {
        sum += p[i];
        best = fmax(best, 2 * sum / ((double)i + 1 + all));
    }
    return best / 2;
}

gb_status gb_calibration_cut_offs(size_t n, size_t n_outputs, const double *y, const double *score,
                                  const double *curve, double *cut_off, gb_error *err)
{
    double *p = NULL;
    size_t n_all = 0;
    const gb_status st = gb_alloc(&p, n * n_outputs, sizeof *p, "the calibration", err);
    if (st != GB_OK)
        return st;
    for (size_t l = 0; l < n_outputs; l++) {
        const size_t first = n_all;
        for (size_t d = 0; d < n; d++)
            if (!isnan(y[d * n_outputs + l]))
                p[n_all++] = gb_calibration_apply(curve[2 * l], curve[2 * l + 1], score[d * n_outputs + l]);
        cut_off[l] = best_cut_off(n_all - first, p + first);
    }
    const double common = best_cut_off(n_all, p);
    for (size_t l = 0; l < n_outputs; l++)
        cut_off[l] = sqrt(cut_off[l] * common);
    gb_free(p);
    return st;
}

/* ---- use ------------------------------------------------------------------------------------------- */

double gb_calibration_apply(double a, double b, double score)
{
    return gb_sigmoid(a * score + b);
}

void gb_calibration_classes(size_t n, const double *a, const double *b, const double *score, double *probability)
{
    double largest = -INFINITY, sum = 0;
    for (size_t c = 0; c < n; c++) {
        probability[c] = gb_log_sigmoid(a[c] * score[c] + b[c]);
        largest = fmax(largest, probability[c]);
    }
    for (size_t c = 0; c < n; c++)
        sum += probability[c] = exp(probability[c] - largest);
    for (size_t c = 0; c < n; c++)
        probability[c] /= sum;
}
