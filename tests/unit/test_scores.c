/* tests/unit/test_scores.c - scores against numbers worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "evaluation/scores.h"

#include <math.h>

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) < 1e-12))
        fail_msg("%.15g, expected %.15g", value, expected);
}

static gb_scores *start(gb_task_kind task, uint64_t n_classes)
{
    gb_scores *s = NULL;
    assert_int_equal(gb_scores_create(&s, task, n_classes, NULL), GB_OK);
    return s;
}

static void add_binary(gb_scores *s, uint32_t truth, double score, const double *probability)
{
    assert_int_equal(gb_scores_add(s, 1, &truth, 0, score > 0, NULL, &score, probability, NULL), GB_OK);
}

static void add_class(gb_scores *s, uint32_t truth, uint64_t predicted, const double *probability)
{
    assert_int_equal(gb_scores_add(s, 1, &truth, 0, predicted, NULL, NULL, probability, NULL), GB_OK);
}

/* Truth 0 0 0 1 1 2, predicted 0 0 1 1 2 2; class 3 never occurs. */
static void one_class_of_many(void **state)
{
    (void)state;
    gb_scores *s = start(GB_TASK_MULTICLASS, 4);
    const uint32_t truth[] = {0, 0, 0, 1, 1, 2};
    const uint64_t predicted[] = {0, 0, 1, 1, 2, 2};
    for (size_t i = 0; i < 6; i++)
        add_class(s, truth[i], predicted[i], NULL);
    gb_class_score a = gb_scores_class(s, 0), b = gb_scores_class(s, 1), c = gb_scores_class(s, 2);
    assert_near(a.precision, 1);
    assert_near(a.recall, 2.0 / 3);
    assert_near(a.f1, 0.8);
    assert_int_equal(a.support, 3);
    assert_near(b.precision, 0.5);
    assert_near(b.recall, 0.5);
    assert_near(b.f1, 0.5);
    assert_near(c.precision, 0.5);
    assert_near(c.recall, 1);
    assert_near(c.f1, 2.0 / 3);
    gb_score_summary r = gb_scores_summary(s);
    assert_int_equal(r.n, 6);
    assert_near(r.accuracy, 4.0 / 6);
    assert_near(r.baseline, 3.0 / 6);
    assert_int_equal(r.n_missed, 0); /* no document has class 3 */
    assert_near(r.micro_f1, 4.0 / 6);
    assert_near(r.macro_f1, (0.8 + 0.5 + 2.0 / 3) / 4); /* class 3 counts 0 */
    assert_true(isnan(r.log_loss) && isnan(r.brier) && isnan(r.auc) && isnan(r.hamming_loss));
    assert_int_equal(gb_scores_confusion(s, 0, 0), 2);
    assert_int_equal(gb_scores_confusion(s, 0, 1), 1);
    assert_int_equal(gb_scores_confusion(s, 1, 2), 1);
    assert_int_equal(gb_scores_confusion(s, 2, 1), 0);
    gb_scores_free(s);
}

static void a_class_that_never_occurs_counts_zero(void **state)
{
    (void)state;
    gb_scores *s = start(GB_TASK_MULTICLASS, 3);
    add_class(s, 0, 0, NULL);
    gb_class_score c = gb_scores_class(s, 2);
    assert_near(c.precision, 0);
    assert_near(c.recall, 0);
    assert_near(c.f1, 0);
    assert_near(gb_scores_summary(s).macro_f1, 1.0 / 3);
    gb_scores_free(s);
}

/* Predicted, but no document has it: F1 = 2 * 0 / (2 + 0), and the mean is over the model's three classes. */
static void a_class_without_positives_counts_zero_when_predicted(void **state)
{
    (void)state;
    gb_scores *s = start(GB_TASK_MULTICLASS, 3);
    add_class(s, 0, 0, NULL);
    add_class(s, 0, 2, NULL);
    add_class(s, 1, 1, NULL);
    add_class(s, 1, 2, NULL);
    gb_class_score c = gb_scores_class(s, 2);
    assert_near(c.precision, 0);
    assert_near(c.recall, 0);
    assert_near(c.f1, 0);
    assert_near(gb_scores_summary(s).macro_f1, (2.0 / 3 + 2.0 / 3) / 3);
    gb_scores_free(s);
}

static void probabilities_of_many_classes(void **state)
{
    (void)state;
    gb_scores *s = start(GB_TASK_MULTICLASS, 3);
    add_class(s, 0, 0, (double[]){0.5, 0.25, 0.25});
    add_class(s, 1, 0, (double[]){0.75, 0.25, 0});
    gb_score_summary r = gb_scores_summary(s);
    assert_near(r.log_loss, (log(2) + log(4)) / 2);
    assert_near(r.brier, ((0.25 + 0.0625 + 0.0625) + (0.5625 + 0.5625 + 0)) / 2);
    gb_scores_free(s);
}

static void probabilities_of_two_classes(void **state)
{
    (void)state;
    gb_scores *s = start(GB_TASK_BINARY, 2);
    add_binary(s, 1, 1, (double[]){0.25, 0.75});
    add_binary(s, 0, 1, (double[]){0.5, 0.5});
    gb_score_summary r = gb_scores_summary(s);
    assert_near(r.log_loss, (log(4.0 / 3) + log(2)) / 2);
    assert_near(r.brier, (0.0625 + 0.25) / 2);
    gb_scores_free(s);
}

/* Distances 0, 2, 0, 1: their squares add up to 5; true levels 2, 1, 1 times, predicted ones 1, 2, 1 times. */
static void levels_have_a_distance(void **state)
{
    (void)state;
    gb_scores *s = start(GB_TASK_ORDINAL, 3);
    add_class(s, 0, 0, NULL);
    add_class(s, 0, 2, NULL);
    add_class(s, 1, 1, NULL);
    gb_score_summary r = gb_scores_summary(s);
    assert_near(r.mae, 2.0 / 3);
    add_class(s, 2, 1, NULL);
    r = gb_scores_summary(s);
    assert_near(r.accuracy, 0.5);
    assert_near(r.mae, 3.0 / 4);
    assert_near(r.baseline, 0.5);
    assert_near(r.kappa, 1 - 5 / ((2 * (2 * 1 + 1 * 4) + 1 * (1 + 1) + 1 * (4 + 2)) / 4.0));
    gb_scores_free(s);
    s = start(GB_TASK_MULTICLASS, 3);
    add_class(s, 0, 2, NULL);
    assert_true(isnan(gb_scores_summary(s).mae) && isnan(gb_scores_summary(s).kappa));
    gb_scores_free(s);
}

/* One class per document: the event is that the predicted class is right, with the probability of that class. */
static void reliability_of_the_predicted_class(void **state)
{
    (void)state;
    gb_scores *s = start(GB_TASK_MULTICLASS, 3), *two = start(GB_TASK_BINARY, 2);
    assert_null(gb_scores_reliability(s));
    add_class(s, 0, 0, (double[]){0.5, 0.25, 0.25});
    add_class(s, 1, 0, (double[]){0.55, 0.25, 0.2});
    add_class(s, 2, 1, (double[]){0.1, 0.8, 0.1});
    const gb_reliability *r = gb_scores_reliability(s);
    assert_int_equal(gb_reliability_of_bin(r, 5).n, 2);
    assert_near(gb_reliability_of_bin(r, 5).mean_probability, 0.525);
    assert_near(gb_reliability_of_bin(r, 5).share, 0.5);
    assert_int_equal(gb_reliability_of_bin(r, 8).n, 1);
    assert_near(gb_reliability_of_bin(r, 8).share, 0);
    assert_near(gb_scores_summary(s).ece, (2 * 0.025 + 0.8) / 3);
    add_binary(two, 0, -1, (double[]){0.75, 0.25});
    add_binary(two, 1, 1, (double[]){0.05, 0.95});
    assert_int_equal(gb_reliability_of_bin(gb_scores_reliability(two), 7).n, 1);
    assert_near(gb_reliability_of_bin(gb_scores_reliability(two), 7).share, 1);
    assert_near(gb_scores_summary(two).ece, (0.25 + 0.05) / 2);
    gb_scores_free(s);
    gb_scores_free(two);
}

static void log_loss_of_a_sure_mistake_is_finite(void **state)
{
    (void)state;
    gb_scores *s = start(GB_TASK_MULTICLASS, 2);
    add_class(s, 0, 1, (double[]){0, 1});
    assert_near(gb_scores_summary(s).log_loss, -log(1e-15));
    add_class(s, 1, 1, (double[]){0, 1});
    assert_true(gb_scores_summary(s).log_loss < -log(1e-15) / 2 + 1e-12);
    gb_scores_free(s);
}

static void one_document_without_probabilities_spoils_them_all(void **state)
{
    (void)state;
    gb_scores *s = start(GB_TASK_MULTICLASS, 2);
    add_class(s, 0, 0, (double[]){0.5, 0.5});
    add_class(s, 0, 0, NULL);
    assert_true(isnan(gb_scores_summary(s).log_loss) && isnan(gb_scores_summary(s).ece));
    assert_null(gb_scores_reliability(s));
    gb_scores_free(s);
}

/* Positive at 3, 1, 1; negative at 2, 1, 0, -1: of 12 pairs 4 + 2 + 2 are won and 1 + 1 tied. */
static void ties_count_one_half_in_the_area_under_the_curve(void **state)
{
    (void)state;
    gb_scores *s = start(GB_TASK_BINARY, 2);
    const double score[] = {3, 1, 1, 2, 1, 0, -1};
    for (size_t i = 0; i < 7; i++)
        add_binary(s, i < 3, score[i], NULL);
    assert_near(gb_scores_summary(s).auc, 9.0 / 12);
    assert_near(gb_scores_summary(s).auc, 9.0 / 12); /* asking twice changes nothing */
    gb_scores_free(s);
}

static void extremes_of_the_area_under_the_curve(void **state)
{
    (void)state;
    gb_scores *right = start(GB_TASK_BINARY, 2), *wrong = start(GB_TASK_BINARY, 2);
    gb_scores *same = start(GB_TASK_BINARY, 2), *one = start(GB_TASK_BINARY, 2);
    for (uint32_t i = 0; i < 10; i++) {
        add_binary(right, i >= 5, i, NULL);
        add_binary(wrong, i < 5, i, NULL);
        add_binary(same, i % 2, 1, NULL);
        add_binary(one, 1, i, NULL);
    }
    assert_near(gb_scores_summary(right).auc, 1);
    assert_near(gb_scores_summary(wrong).auc, 0);
    assert_near(gb_scores_summary(same).auc, 0.5);
    assert_true(isnan(gb_scores_summary(one).auc));
    gb_scores_free(right);
    gb_scores_free(wrong);
    gb_scores_free(same);
    gb_scores_free(one);
}

static void ranking_ends_where_a_score_is_no_number(void **state)
{
    (void)state;
    gb_scores *s = start(GB_TASK_BINARY, 2);
    for (uint32_t i = 0; i < 4; i++)
        add_binary(s, i % 2, NAN, NULL);
    assert_int_equal(gb_scores_summary(s).n, 4);
    gb_scores_free(s);
}

static void add_set(gb_scores *s, size_t n_true, const uint32_t *truth, const double *score,
                    const double *probability)
{
    bool is_predicted[3];
    for (size_t c = 0; c < 3; c++)
        is_predicted[c] = score[c] > 0;
    assert_int_equal(gb_scores_add(s, n_true, truth, 0, UINT64_MAX, is_predicted, NULL, probability, NULL), GB_OK);
}

/* Truth {0, 2}, {}, {1}; predicted {0}, {}, {0, 1}. */
static void several_labels(void **state)
{
    (void)state;
    gb_scores *s = start(GB_TASK_MULTILABEL, 3);
    add_set(s, 2, (uint32_t[]){0, 2}, (double[]){1, -1, -1}, (double[]){0.75, 0.25, 0.25});
    add_set(s, 0, NULL, (double[]){-1, -1, 0}, (double[]){0.25, 0.25, 0.5});
    add_set(s, 1, (uint32_t[]){1}, (double[]){1, 2, -1}, (double[]){0.75, 0.75, 0.25});
    gb_score_summary r = gb_scores_summary(s);
    assert_int_equal(r.n, 3);
    assert_near(r.accuracy, 1.0 / 3);
    assert_true(isnan(r.baseline));
    assert_int_equal(r.n_no_class, 1);
    assert_int_equal(r.n_missed, 1);
    assert_near(r.hamming_loss, 2.0 / 9);
    assert_near(r.micro_f1, 2 * 2.0 / (3 + 3));
    assert_near(r.macro_f1, (2.0 / 3 + 1 + 0) / 3);
    double three_quarters = -log(0.75), quarter = -log(0.25), half = -log(0.5);
    assert_near(r.log_loss, (6 * three_quarters + 2 * quarter + half) / 9);
    assert_near(r.brier, (6 * 0.0625 + 2 * 0.5625 + 0.25) / 9);
    const gb_reliability *pairs = gb_scores_reliability(s); /* 0.25: 1 of 5; 0.5: 0 of 1; 0.75: 2 of 3 */
    assert_int_equal(gb_reliability_of_bin(pairs, 2).n, 5);
    assert_near(gb_reliability_of_bin(pairs, 2).share, 0.2);
    assert_int_equal(gb_reliability_of_bin(pairs, 7).n, 3);
    assert_near(gb_reliability_of_bin(pairs, 7).share, 2.0 / 3);
    assert_near(r.ece, (5 * 0.05 + 0.5 + 3 * (0.75 - 2.0 / 3)) / 9);
    gb_class_score c = gb_scores_class(s, 0);
    assert_near(c.precision, 0.5);
    assert_near(c.recall, 1);
    assert_near(c.f1, 2.0 / 3);
    assert_int_equal(gb_scores_confusion(s, 0, 1), 0);
    gb_scores_free(s);
}

/* Truth 0, then a label that is no class; predicted 0 and 1, or of several labels 0 both times. */
static void a_label_that_is_no_class_counts_as_wrong(void **state)
{
    (void)state;
    const double p[] = {0.25, 0.75}, score = 1;
    gb_scores *s = start(GB_TASK_BINARY, 2);
    assert_int_equal(gb_scores_add(s, 1, (uint32_t[]){1}, 0, 1, NULL, &score, p, NULL), GB_OK);
    assert_int_equal(gb_scores_add(s, 0, NULL, 1, 1, NULL, &score, p, NULL), GB_OK);
    gb_score_summary r = gb_scores_summary(s);
    assert_int_equal(r.n, 2);
    assert_near(r.accuracy, 0.5);
    assert_near(r.micro_f1, 0.5);
    assert_near(r.log_loss, (-log(0.75) - log(1e-15)) / 2);
    assert_near(r.brier, (0.0625 + (0.0625 + 0.5625 + 1) / 2) / 2);
    assert_true(isnan(r.auc));
    assert_near(gb_scores_class(s, 1).precision, 0.5);
    assert_int_equal(gb_scores_confusion(s, 1, 1), 1);
    gb_scores_free(s);
    s = start(GB_TASK_MULTILABEL, 2);
    assert_int_equal(gb_scores_add(s, 1, (uint32_t[]){0}, 1, UINT64_MAX, (bool[]){true, false}, NULL, NULL, NULL),
                     GB_OK);
    r = gb_scores_summary(s);
    assert_near(r.accuracy, 0);
    assert_near(r.hamming_loss, 0);
    assert_near(r.micro_f1, 2.0 / 3);
    gb_scores_free(s);
}

static void no_documents_no_scores(void **state)
{
    (void)state;
    gb_scores *s = start(GB_TASK_MULTICLASS, 3);
    gb_score_summary r = gb_scores_summary(s);
    assert_int_equal(r.n, 0);
    assert_true(isnan(r.accuracy) && isnan(r.macro_f1) && isnan(r.micro_f1) && isnan(r.log_loss));
    gb_scores_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_class_of_many),
        cmocka_unit_test(a_class_that_never_occurs_counts_zero),
        cmocka_unit_test(a_class_without_positives_counts_zero_when_predicted),
        cmocka_unit_test(probabilities_of_many_classes),
        cmocka_unit_test(probabilities_of_two_classes),
        cmocka_unit_test(reliability_of_the_predicted_class),
        cmocka_unit_test(log_loss_of_a_sure_mistake_is_finite),
        cmocka_unit_test(one_document_without_probabilities_spoils_them_all),
        cmocka_unit_test(ties_count_one_half_in_the_area_under_the_curve),
        cmocka_unit_test(extremes_of_the_area_under_the_curve),
        cmocka_unit_test(ranking_ends_where_a_score_is_no_number),
        cmocka_unit_test(several_labels),
        cmocka_unit_test(a_label_that_is_no_class_counts_as_wrong),
        cmocka_unit_test(levels_have_a_distance),
        cmocka_unit_test(no_documents_no_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
