/* tests/unit/test_calibration.c - Platt scaling against known answers, exact solutions and a search over a grid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "evaluation/calibration.h"
#include "evaluation/reliability.h"
#include "plan/target.h"
#include "random/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 200 };

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.15g, expected %.15g", value, expected);
}

static gb_random open_stream(uint64_t item)
{
    return gb_random_open(gb_key_make(23, 0), 0, GB_DRAW_TEST, item);
}

/* Scores from N(mean, sd^2), labels with probability sigma(a s + b). */
static void simulate(uint64_t item, size_t n, double mean, double sd, double a, double b, double *y, double *score)
{
    gb_random random = open_stream(item);
    for (size_t d = 0; d < n; d++) {
        score[d] = mean + sd * gb_random_normal(&random);
        y[d] = gb_random_uniform(&random) < 1 / (1 + exp(-(a * score[d] + b))) ? 1 : -1;
    }
}

/* What LIBSVM's sigmoid_train() gives for these, with its stopping rule (gradient below 1e-5) and opposite signs. */
static void agrees_with_libsvm(void **state)
{
    (void)state;
    double a, b;
    gb_calibration_fit_one(3, 1, (double[]){1, -1, -1}, (double[]){5, -4, 1}, &a, &b);
    assert_near(a, 0.20261354391187855, 1e-4);
    assert_near(b, -0.65236314980010512, 1e-4);
}

/* The standard errors are near 1 / sqrt(0.1 n) = 0.007: p (1 - p), and p (1 - p) times the squared score, are near 0.1
 * on average. */
static void recovers_the_parameters(void **state)
{
    (void)state;
    enum { MANY = 200000 };
    double *y = malloc(MANY * sizeof *y), *score = malloc(MANY * sizeof *score), a, b;
    gb_reliability before = {0}, after = {0};
    assert_true(y != NULL && score != NULL);
    simulate(1, MANY, 0.5, 1, 1.7, -0.4, y, score);
    gb_calibration_fit_one(MANY, 1, y, score, &a, &b);
    assert_near(a, 1.7, 0.035);
    assert_near(b, -0.4, 0.035);
    for (size_t d = 0; d < MANY; d++) {
        gb_reliability_add(&before, gb_calibration_apply(4, 0, score[d]), y[d] > 0);
        gb_reliability_add(&after, gb_calibration_apply(a, b, score[d]), y[d] > 0);
    }
    assert_true(gb_reliability_error(&before) > 0.05);
    assert_true(gb_reliability_error(&after) < 0.005);
    free(y);
    free(score);
}

/* The objective as it is written; the range of a long double takes the place of care. */
static double objective(size_t n, const double *y, const double *score, double a, double b)
{
    double n_positive = 0;
    long double sum = 0;
    for (size_t d = 0; d < n; d++)
        n_positive += y[d] > 0;
    for (size_t d = 0; d < n; d++) {
        const double t = y[d] > 0 ? (n_positive + 1) / (n_positive + 2) : 1 / ((double)n - n_positive + 2);
        const long double z = a * score[d] + b;
        sum -= t * logl(1 / (1 + expl(-z))) + (1 - t) * logl(1 / (1 + expl(z)));
    }
    return (double)sum;
}

/* Its minimum over a >= 0: the best of a grid, then of smaller and smaller grids around the best. */
static void search(size_t n, const double *y, const double *score, double width, double *a, double *b)
{
    const int half = 6;
    double best = INFINITY;
    *a = *b = 0;
    for (; width > 1e-7; width *= 0.6) {
        const double centre_a = *a, centre_b = *b;
        for (int i = -half; i <= half; i++)
            for (int j = -half; j <= half; j++) {
                const double at_a = fmax(centre_a + width * i / half, 0), at_b = centre_b + width * j / half;
                const double value = objective(n, y, score, at_a, at_b);
                if (value < best)
                    best = value, *a = at_a, *b = at_b;
            }
    }
}

static void agrees_with_a_grid_search(void **state)
{
    (void)state;
    static const double truth[][4] = {/* mean and sd of the scores, a, b */
                                      {0, 1, 1, 0},   {0, 1, 3, 2},     {-1, 0.5, 2, 0.5},
                                      {2, 3, 0.3, 1}, {0, 1, 0.01, -3}, {0, 1, -2, 1}};
    for (size_t i = 0; i < sizeof truth / sizeof truth[0]; i++) {
        double y[N], score[N], a, b, grid_a, grid_b;
        simulate(10 + i, N, truth[i][0], truth[i][1], truth[i][2], truth[i][3], y, score);
        gb_calibration_fit_one(N, 1, y, score, &a, &b);
        search(N, y, score, 8, &grid_a, &grid_b);
        assert_near(a, grid_a, 1e-5);
        assert_near(b, grid_b, 1e-5);
        assert_true(objective(N, y, score, a, b) <= objective(N, y, score, grid_a, grid_b) + 1e-9);
    }
}

/* Two documents of 200 are positive, with scores far out: whole Newton steps overshoot. */
static void rare_labels_far_out(void **state)
{
    (void)state;
    double y[N], score[N], a, b, grid_a, grid_b;
    simulate(20, N, 0, 1, 0, -100, y, score);
    y[0] = y[1] = 1;
    score[0] = 30, score[1] = 20;
    gb_calibration_fit_one(N, 1, y, score, &a, &b);
    search(N, y, score, 8, &grid_a, &grid_b);
    assert_near(a, grid_a, 1e-5);
    assert_near(b, grid_b, 1e-5);
}

/* Cauchy scores in units of all sizes, few or many documents: the smooth convex objective has no slope left, measured by
 * differences along the standardised score and the constant. */
static void no_slope_is_left_whatever_the_scores(void **state)
{
    (void)state;
    gb_random random = open_stream(70);
    for (int run = 0; run < 500; run++) {
        const size_t n = 2 + (size_t)gb_random_below(&random, N - 1);
        const double unit = exp(8 * gb_random_normal(&random)), truth = gb_random_normal(&random) * 5;
        double y[N], score[N], x[N], mean = 0, square = 0, a, b;
        for (size_t d = 0; d < n; d++) {
            score[d] = tan(M_PI * (gb_random_uniform(&random) - 0.5));
            y[d] = gb_random_uniform(&random) < 1 / (1 + exp(-truth * score[d])) ? 1 : -1;
            score[d] *= unit;
            mean += score[d] / (double)n;
        }
        for (size_t d = 0; d < n; d++)
            square += (score[d] - mean) * (score[d] - mean) / (double)n;
        for (size_t d = 0; d < n; d++)
            x[d] = (score[d] - mean) / sqrt(square);
        gb_calibration_fit_one(n, 1, y, score, &a, &b);
        a *= sqrt(square);
        b += a / sqrt(square) * mean;
        const double h = 1e-5, at_b = objective(n, y, x, a, b + h) - objective(n, y, x, a, b - h);
        const double at_a = objective(n, y, x, a + h, b) - objective(n, y, x, a - h, b);
        assert_near(at_b / (2 * h * (double)n), 0, 1e-6);
        if (a > 0)
            assert_near(at_a / (2 * h * (double)n), 0, 1e-6);
        else
            assert_true(at_a > -1e-6 * 2 * h * (double)n);
    }
}

/* Scores of two values, one per label, can meet the targets exactly: 31 / 32 of 30 and 1 / 12 of 10. */
static void a_score_that_separates_the_labels_gives_the_targets(void **state)
{
    (void)state;
    double y[40], score[40], a, b;
    for (size_t d = 0; d < 40; d++) {
        y[d] = d < 30 ? 1 : -1;
        score[d] = d < 30 ? 7 : 6.5;
    }
    gb_calibration_fit_one(40, 1, y, score, &a, &b);
    assert_near(gb_calibration_apply(a, b, 7), 31.0 / 32, 1e-9);
    assert_near(gb_calibration_apply(a, b, 6.5), 1.0 / 12, 1e-9);
    for (size_t d = 0; d < 40; d++)
        score[d] = y[d] * (1 + (double)d);
    gb_calibration_fit_one(40, 1, y, score, &a, &b);
    assert_true(isfinite(a) && isfinite(b) && a > 0);
    assert_true(gb_calibration_apply(a, b, 40) < 1);
}

static void a_larger_score_is_never_less_probable(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 20; i++) {
        double y[N], score[N], a, b, last = 0;
        simulate(30 + i, N, 0, 2, (double)i / 5 - 2, 0.5, y, score);
        gb_calibration_fit_one(N, 1, y, score, &a, &b);
        assert_true(a >= 0);
        for (double s = -50; s <= 50; s += 0.25) {
            const double p = gb_calibration_apply(a, b, s);
            assert_true(p >= last && p >= 0 && p <= 1);
            last = p;
        }
    }
}

/* All that remains is the mean of the targets. */
static void scores_that_point_the_wrong_way_say_nothing(void **state)
{
    (void)state;
    const double y[] = {1, 1, 1, -1, -1}, score[] = {-3, -2, 0, 1, 2};
    double a, b;
    gb_calibration_fit_one(5, 1, y, score, &a, &b);
    assert_near(a, 0, 0);
    assert_near(gb_calibration_apply(a, b, 100), (3 * 4.0 / 5 + 2 * 1.0 / 4) / 5, 1e-12);
    gb_calibration_fit_one(5, 1, y, (double[]){2, 2, 2, 2, 2}, &a, &b);
    assert_near(a, 0, 0);
    assert_near(gb_calibration_apply(a, b, 2), (3 * 4.0 / 5 + 2 * 1.0 / 4) / 5, 1e-12);
}

static void labels_of_one_kind(void **state)
{
    (void)state;
    const double score[] = {-3, -2, 0, 1, 2}, all[] = {1, 1, 1, 1, 1}, none[] = {-1, -1, -1, -1, -1};
    const double missing[] = {NAN, NAN, NAN, NAN, NAN};
    double a, b;
    gb_calibration_fit_one(5, 1, all, score, &a, &b);
    assert_near(a, 0, 0);
    assert_near(gb_calibration_apply(a, b, 0), 6.0 / 7, 1e-12);
    gb_calibration_fit_one(5, 1, none, score, &a, &b);
    assert_near(a, 0, 0);
    assert_near(gb_calibration_apply(a, b, 0), 1.0 / 7, 1e-12);
    gb_calibration_fit_one(5, 1, missing, score, &a, &b);
    assert_true(a == 0 && b == 0);
    gb_calibration_fit_one(0, 1, NULL, NULL, &a, &b);
    assert_true(a == 0 && b == 0);
}

/* Every third number of an array with other outputs between, some labels missing. */
static void missing_labels_and_other_outputs_are_passed_over(void **state)
{
    (void)state;
    double y[N], score[N], wide_y[3 * N], wide_score[3 * N], a, b, wide_a, wide_b;
    size_t n_known = 0;
    simulate(60, N, 0, 1, 1, 0.5, y, score);
    for (size_t d = 0; d < N; d++) {
        wide_y[3 * d] = wide_y[3 * d + 2] = d % 2 ? 1 : -1;
        wide_score[3 * d] = wide_score[3 * d + 2] = 100;
        wide_y[3 * d + 1] = d % 7 == 3 ? NAN : y[d];
        wide_score[3 * d + 1] = score[d];
    }
    for (size_t d = 0; d < N; d++)
        if (d % 7 != 3)
            y[n_known] = y[d], score[n_known++] = score[d];
    gb_calibration_fit_one(n_known, 1, y, score, &a, &b);
    gb_calibration_fit_one(N, 3, wide_y + 1, wide_score + 1, &wide_a, &wide_b);
    assert_true(a == wide_a && b == wide_b);
}

static void the_unit_of_the_scores_does_not_matter(void **state)
{
    (void)state;
    static const double unit[][2] = {{1e8, 0}, {1e-8, 0}, {0.001, 5}, {1, 1e4}};
    double y[N], score[N], other[N], a, b, other_a, other_b;
    simulate(61, N, 0, 1, 1.5, 0.5, y, score);
    gb_calibration_fit_one(N, 1, y, score, &a, &b);
    for (size_t i = 0; i < sizeof unit / sizeof unit[0]; i++) {
        const double scale = unit[i][0], shift = unit[i][1];
        for (size_t d = 0; d < N; d++)
            other[d] = scale * score[d] + shift;
        gb_calibration_fit_one(N, 1, y, other, &other_a, &other_b);
        for (size_t d = 0; d < N; d++)
            assert_near(gb_calibration_apply(other_a, other_b, other[d]), gb_calibration_apply(a, b, score[d]), 1e-9);
    }
}

static void extreme_scores_give_finite_parameters(void **state)
{
    (void)state;
    static const double extreme[] = {1e10, -1e10, 1e-300, 1e200, 1.7e308};
    double y[N], score[N], a, b;
    simulate(62, N, 0, 1, 1.5, 0.5, y, score);
    for (size_t i = 0; i < sizeof extreme / sizeof extreme[0]; i++) {
        score[0] = extreme[i];
        score[1] = -extreme[i];
        gb_calibration_fit_one(N, 1, y, score, &a, &b);
        assert_true(isfinite(a) && isfinite(b) && a >= 0);
    }
}

static void probabilities_of_classes_add_up(void **state)
{
    (void)state;
    const double a[] = {1, 2, 0.5}, b[] = {0, -1, 1}, score[] = {0.3, 1, -2};
    double p[3], each[3], sum = 0;
    for (size_t c = 0; c < 3; c++)
        sum += each[c] = 1 / (1 + exp(-(a[c] * score[c] + b[c])));
    gb_calibration_classes(3, a, b, score, p);
    for (size_t c = 0; c < 3; c++)
        assert_near(p[c], each[c] / sum, 1e-14);
    double far[] = {-2000, -1000.5, -5000}; /* sigma is 0 in double precision; in place */
    gb_calibration_classes(3, a, b, far, far);
    assert_near(far[0], 1 / (1 + exp(-2) + exp(-499)), 1e-12); /* a s + b: -2000, -2002, -2499 */
    assert_near(far[0] + far[1] + far[2], 1, 1e-14);
}

/* Five classes with curves of their own near sigma(2 s - 1); the last has no label at all. */
static void classes_have_curves_near_the_common_one(void **state)
{
    (void)state;
    enum { DOCS = 20000, CLASSES = 5 };
    static const double a[CLASSES] = {2, 2.5, 1.5, 2, 2}, b[CLASSES] = {-1, -1.5, -0.5, -1, -1};
    double *y = malloc(DOCS * CLASSES * sizeof *y), *score = malloc(DOCS * CLASSES * sizeof *score),
           curve[2 * CLASSES];
    assert_true(y != NULL && score != NULL);
    for (size_t c = 0; c < CLASSES; c++) {
        double own_y[DOCS], own_score[DOCS];
        simulate(40 + c, DOCS, 0, 1, a[c], b[c], own_y, own_score);
        for (size_t d = 0; d < DOCS; d++) {
            y[d * CLASSES + c] = c < 4 ? own_y[d] : NAN;
            score[d * CLASSES + c] = own_score[d];
        }
    }
    gb_calibration_fit_classes(DOCS, CLASSES, y, score, curve);
    for (size_t c = 0; c < CLASSES; c++) { /* standard errors are near 0.03; the last has the common curve */
        assert_near(curve[2 * c], a[c], 0.12);
        assert_near(curve[2 * c + 1], b[c], 0.1);
    }
    free(y);
    free(score);
}

/* A class without a positive label gets a smaller probability than the common curve's, and not 0. */
static void a_class_without_positive_labels_has_a_curve(void **state)
{
    (void)state;
    enum { DOCS = 500 };
    double y[2 * DOCS], score[2 * DOCS], own_y[DOCS], own_score[DOCS], curve[4];
    simulate(50, DOCS, 0, 1, 2, -1, own_y, own_score);
    for (size_t d = 0; d < DOCS; d++) {
        y[2 * d] = own_y[d];
        y[2 * d + 1] = -1;
        score[2 * d] = score[2 * d + 1] = own_score[d];
    }
    gb_calibration_fit_classes(DOCS, 2, y, score, curve);
    assert_true(isfinite(curve[2]) && isfinite(curve[3]) && curve[2] >= 0);
    assert_true(gb_calibration_apply(curve[2], curve[3], 1) < 0.2 * gb_calibration_apply(curve[0], curve[1], 1));
    assert_true(gb_calibration_apply(curve[2], curve[3], 1) > 1e-6);
}

/* The F1 that is expected of predicting a class wherever its probability is above a cut-off. */
static double expected_f1(size_t n, const double *p, double cut_off)
{
    double both = 0, predicted = 0, all = 0;
    for (size_t i = 0; i < n; i++) {
        both += p[i] > cut_off ? p[i] : 0;
        predicted += p[i] > cut_off;
        all += p[i];
    }
    return 2 * both / (predicted + all);
}

/* Of one class, its own cut-off and the common one are the same; a search over a grid finds none that is better. */
static void the_cut_off_of_a_class_has_the_largest_expected_f1(void **state)
{
    (void)state;
    enum { DOCS = 400 };
    double y[DOCS], score[DOCS], p[DOCS], cut_off, best = 0;
    const double curve[2] = {1.5, -2};
    simulate(60, DOCS, 0, 1, curve[0], curve[1], y, score);
    for (size_t d = 0; d < DOCS; d++)
        p[d] = gb_calibration_apply(curve[0], curve[1], score[d]);
    assert_int_equal(gb_calibration_cut_offs(DOCS, 1, y, score, curve, &cut_off, NULL), GB_OK);
    for (int i = 0; i < 1000; i++)
        best = fmax(best, expected_f1(DOCS, p, i / 1000.0));
    assert_true(cut_off > 0.05 && cut_off < 0.5);
    assert_near(expected_f1(DOCS, p, cut_off), best, 1e-9);
}

/* The frequent class is cut higher than the rare one, and both are between the two rules. */
static void cut_offs_are_between_those_of_their_class_and_of_all(void **state)
{
    (void)state;
    enum { DOCS = 400 };
    double y[2 * DOCS], score[2 * DOCS], both[2], own[2], half_y[DOCS], half_score[DOCS];
    const double curve[4] = {1.5, 0, 1.5, -4};
    simulate(61, 2 * DOCS, 0, 1, 1.5, -1, y, score);
    assert_int_equal(gb_calibration_cut_offs(DOCS, 2, y, score, curve, both, NULL), GB_OK);
    for (size_t c = 0; c < 2; c++) {
        for (size_t d = 0; d < DOCS; d++) {
            half_y[d] = y[2 * d + c];
            half_score[d] = score[2 * d + c];
        }
        assert_int_equal(gb_calibration_cut_offs(DOCS, 1, half_y, half_score, curve + 2 * c, &own[c], NULL), GB_OK);
    }
    assert_true(own[1] < both[1] && both[1] < both[0]);
    assert_near(both[0] * both[0] / own[0], both[1] * both[1] / own[1], 1e-12); /* the common one */
}

/* Twelve classes; scores are 1 for the class of a document and -1 for the others, each with noise. */
static void simulate_classes(uint64_t item, size_t n, bool class_after_class, double *y, double *score)
{
    enum { CLASSES = 12 };
    gb_random random = open_stream(item);
    for (size_t d = 0; d < n; d++) {
        const size_t truth = class_after_class ? d * CLASSES / n : (size_t)gb_random_below(&random, CLASSES);
        for (size_t l = 0; l < CLASSES; l++) {
            y[d * CLASSES + l] = l == truth ? 1 : -1;
            score[d * CLASSES + l] = y[d * CLASSES + l] + 0.8 * gb_random_normal(&random);
        }
    }
}

static double error_of_classes(size_t n, const double *y, const double *score, const double *curve, double power)
{
    enum { CLASSES = 12 };
    gb_reliability r = {0};
    for (size_t d = 0; d < n; d++) {
        double a[CLASSES], b[CLASSES], p[CLASSES];
        size_t best = 0;
        for (size_t l = 0; l < CLASSES; l++) {
            a[l] = curve[2 * l];
            b[l] = curve[2 * l + 1];
        }
        gb_calibration_classes(CLASSES, a, b, score + d * CLASSES, p);
        double sum = 0;
        for (size_t l = 0; l < CLASSES; l++)
            sum += p[l] = pow(p[l], power);
        for (size_t l = 0; l < CLASSES; l++)
            p[l] /= sum;
        for (size_t l = 1; l < CLASSES; l++)
            best = p[l] > p[best] ? l : best;
        gb_reliability_add(&r, p[best], y[d * CLASSES + best] > 0);
    }
    return gb_reliability_error(&r);
}

/* Curves that are right one by one make shares that are too modest.  With 4000 documents chance alone makes an error of 0.01. */
static void curves_fitted_together_make_shares_right(void **state)
{
    (void)state;
    enum { CLASSES = 12, FITTED = 600, NEW = 4000 };
    static double y[NEW * CLASSES], score[NEW * CLASSES], curve[2 * CLASSES];
    simulate_classes(80, FITTED, false, y, score);
    gb_calibration_fit_classes(FITTED, CLASSES, y, score, curve);
    double together[2 * CLASSES], power;
    memcpy(together, curve, sizeof together);
    gb_calibration_fit_together(FITTED, CLASSES, y, score, together, &power);
    simulate_classes(81, NEW, false, y, score);
    assert_true(error_of_classes(NEW, y, score, curve, 1) > 0.05);
    assert_true(error_of_classes(NEW, y, score, together, power) < 0.03);
}

/* The loss that the curves are to have the least of, from the moves and the curves before them. */
static double loss_of_moves(size_t n, const double *y, const double *score, const double *curve, const double *move)
{
    enum { CLASSES = 12 };
    const double other = 0.5 / ((double)n + 0.5 * CLASSES), own = 1 - (CLASSES - 1) * other;
    double loss = 2 * move[0] * move[0] + 2 * move[1] * move[1] + move[2] * move[2] / 18;
    for (size_t d = 0; d < n; d++) {
        double sum = 0, expected = 0;
        for (size_t l = 0; l < CLASSES; l++) {
            const double z = curve[2 * l] * score[d * CLASSES + l] + curve[2 * l + 1];
            const double log_p = -exp(move[1]) * log1p(exp(-exp(move[0]) * z - move[2]));
            sum += exp(log_p);
            expected += (y[d * CLASSES + l] > 0 ? own : other) * log_p;
        }
        loss += log(sum) - expected;
    }
    return loss;
}

static void no_move_near_by_suits_the_labels_better(void **state)
{
    (void)state;
    enum { CLASSES = 12, FITTED = 300, MOVES = 3 };
    static double y[FITTED * CLASSES], score[FITTED * CLASSES], curve[2 * CLASSES];
    double together[2 * CLASSES], power;
    simulate_classes(84, FITTED, false, y, score);
    gb_calibration_fit_classes(FITTED, CLASSES, y, score, curve);
    memcpy(together, curve, sizeof together);
    gb_calibration_fit_together(FITTED, CLASSES, y, score, together, &power);
    const double factor = together[0] / curve[0];
    const double best[MOVES] = {log(factor), log(power), together[1] - factor * curve[1]};
    const double least = loss_of_moves(FITTED, y, score, curve, best);
    for (size_t i = 0; i < 27; i++) { /* all neighbours in a cube, and the point itself */
        const double near[MOVES] = {best[0] + 0.05 * ((double)(i % 3) - 1),
                                    best[1] + 0.05 * ((double)(i / 3 % 3) - 1),
                                    best[2] + 0.05 * ((double)(i / 9) - 1)};
        assert_true(loss_of_moves(FITTED, y, score, curve, near) >= least - 1e-9);
    }
    assert_true(least < loss_of_moves(FITTED, y, score, curve, (const double[MOVES]){0, 0, 0}) - 10);
}

/* Of many documents only some are looked at.  They are of all classes, even if the file has one class after the other: the curves of the
 * first three are too low here, and those alone would ask for another shift than all twelve. */
static void curves_of_many_documents_are_fitted_to_all_classes(void **state)
{
    (void)state;
    enum { CLASSES = 12, FITTED = 24000 };
    static double y[FITTED * CLASSES], score[FITTED * CLASSES];
    double in_order[2 * CLASSES], mixed[2 * CLASSES], power[2];
    for (size_t l = 0; l < CLASSES; l++)
        in_order[2 * l] = mixed[2 * l] = 2, in_order[2 * l + 1] = mixed[2 * l + 1] = l < 3 ? -3 : 0;
    simulate_classes(82, FITTED, true, y, score);
    gb_calibration_fit_together(FITTED, CLASSES, y, score, in_order, &power[0]);
    simulate_classes(83, FITTED, false, y, score);
    gb_calibration_fit_together(FITTED, CLASSES, y, score, mixed, &power[1]);
    assert_near(in_order[0], mixed[0], 0.3);
    assert_near(in_order[1], mixed[1], 0.5);
    assert_near(power[0], power[1], 0.3);
}

/* Half of the documents have 4 tokens, and scores that are larger by (N + 1 + inflation) / (N + 1). */
static double length_found(double inflation, double *first_weight)
{
    enum { DOCS = 4000 };
    static double y[DOCS], score[DOCS];
    static uint64_t n_tokens[DOCS];
    double curve[2], length;
    simulate(90, DOCS, 0, 2, 1.5, 0.3, y, score);
    for (size_t d = 0; d < DOCS; d++) {
        n_tokens[d] = d % 2 == 0 ? 4 : 200;
        score[d] *= ((double)n_tokens[d] + 1 + inflation) / ((double)n_tokens[d] + 1);
    }
    const double before = score[0];
    gb_calibration_texts texts = {DOCS, y, score, n_tokens};
    assert_int_equal(gb_calibration_fit(1, &texts, NULL, curve, NULL, &length, NULL), GB_OK);
    assert_near(curve[0], 1.5, 0.15);
    assert_near(curve[1], 0.3, 0.15);
    *first_weight = score[0] / before;
    return length;
}

static void scores_of_short_documents_count_as_much_as_they_are_worth(void **state)
{
    (void)state;
    double weight;
    assert_true(length_found(8, &weight) == 8);
    assert_near(weight, 5 / 13.0, 1e-12);
    assert_true(length_found(0, &weight) == 0);
    assert_near(weight, 1, 0);
}

/* Of classes that exclude each other, too; the power is fitted to the scores as they count. */
static void short_documents_with_one_class_of_several(void **state)
{
    (void)state;
    enum { CLASSES = 12, FITTED = 2000 };
    static double y[FITTED * CLASSES], score[FITTED * CLASSES], plain[FITTED * CLASSES];
    static uint64_t n_tokens[FITTED];
    double curve[2 * CLASSES], expected[2 * CLASSES], power, expected_power, length;
    simulate_classes(85, FITTED, false, y, plain);
    for (size_t i = 0; i < FITTED * CLASSES; i++) {
        n_tokens[i / CLASSES] = i / CLASSES % 2 == 0 ? 9 : 400;
        score[i] = plain[i] / gb_target_score_weight(16, n_tokens[i / CLASSES]);
    }
    gb_calibration_texts texts = {FITTED, y, score, n_tokens};
    assert_int_equal(gb_calibration_fit(CLASSES, &texts, NULL, curve, &power, &length, NULL), GB_OK);
    assert_true(length == 16);
    gb_calibration_fit_classes(FITTED, CLASSES, y, plain, expected);
    gb_calibration_fit_together(FITTED, CLASSES, y, plain, expected, &expected_power);
    for (size_t i = 0; i < 2 * CLASSES; i++)
        assert_near(curve[i], expected[i], 1e-4);
    assert_near(power, expected_power, 1e-4);
}

/* Long documents alone do not say what a short one's score is worth; their first words do, and leave the curves of long ones alone. */
static void first_words_say_what_short_documents_are_worth(void **state)
{
    (void)state;
    enum { CLASSES = 12, FITTED = 2000 };
    static double y[FITTED * CLASSES], plain[FITTED * CLASSES], score[FITTED * CLASSES], cut_score[FITTED * CLASSES];
    static uint64_t n_tokens[FITTED], n_cut[FITTED];
    double curve[2][2 * CLASSES], power[2], length[2];
    for (size_t n_classes = 1; n_classes <= CLASSES; n_classes += CLASSES - 1)
        for (size_t with_cut = 0; with_cut < 2; with_cut++) {
            if (n_classes > 1)
                simulate_classes(87, FITTED, false, y, plain);
            else
                simulate(91, FITTED, 0, 2, 1.5, 0.3, y, plain);
            for (size_t i = 0; i < FITTED * n_classes; i++) {
                n_tokens[i / n_classes] = 100000;
                n_cut[i / n_classes] = 7;
                score[i] = plain[i];
                cut_score[i] = plain[i] / gb_target_score_weight(16, 7);
            }
            gb_calibration_texts whole = {FITTED, y, score, n_tokens};
            const gb_calibration_texts cut = {FITTED, y, cut_score, n_cut};
            assert_int_equal(gb_calibration_fit(n_classes, &whole, with_cut ? &cut : NULL, curve[with_cut],
                                                n_classes > 1 ? &power[with_cut] : NULL, &length[with_cut], NULL),
                             GB_OK);
            assert_true(length[with_cut] == (with_cut ? 16 : 0));
            for (size_t l = 0; with_cut && l < 2 * n_classes; l++)
                assert_near(curve[0][l], curve[1][l], 5e-3); /* long ones count by 16 in 100,000 less */
        }
    assert_near(power[0], power[1], 5e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_fitted_together_make_shares_right),
        cmocka_unit_test(no_move_near_by_suits_the_labels_better),
        cmocka_unit_test(curves_of_many_documents_are_fitted_to_all_classes),
        cmocka_unit_test(scores_of_short_documents_count_as_much_as_they_are_worth),
        cmocka_unit_test(short_documents_with_one_class_of_several),
        cmocka_unit_test(first_words_say_what_short_documents_are_worth),
        cmocka_unit_test(agrees_with_libsvm),
        cmocka_unit_test(recovers_the_parameters),
        cmocka_unit_test(agrees_with_a_grid_search),
        cmocka_unit_test(rare_labels_far_out),
        cmocka_unit_test(no_slope_is_left_whatever_the_scores),
        cmocka_unit_test(a_score_that_separates_the_labels_gives_the_targets),
        cmocka_unit_test(a_larger_score_is_never_less_probable),
        cmocka_unit_test(scores_that_point_the_wrong_way_say_nothing),
        cmocka_unit_test(labels_of_one_kind),
        cmocka_unit_test(missing_labels_and_other_outputs_are_passed_over),
        cmocka_unit_test(the_unit_of_the_scores_does_not_matter),
        cmocka_unit_test(extreme_scores_give_finite_parameters),
        cmocka_unit_test(probabilities_of_classes_add_up),
        cmocka_unit_test(classes_have_curves_near_the_common_one),
        cmocka_unit_test(a_class_without_positive_labels_has_a_curve),
        cmocka_unit_test(the_cut_off_of_a_class_has_the_largest_expected_f1),
        cmocka_unit_test(cut_offs_are_between_those_of_their_class_and_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
