/* evaluation/scores.c - how good predicted labels are. */
#include "evaluation/scores.h"

#include "base/memory.h"

#include <math.h>

/* A document of a binary task. */
typedef struct ranked {
    double score;
    bool positive;
} ranked;

struct gb_scores {
    gb_task_kind task;
    uint64_t n_classes, n;
    uint64_t *support, *predicted, *correct; /* per class */
    uint64_t *confusion;                     /* n_classes x n_classes or NULL */
    uint64_t n_right, n_wrong_pairs, n_others, n_no_class;
    bool has_probability;
    double log_loss, brier, distance, square_distance; /* sums over documents; the last two in levels */
    gb_reliability reliability;
    ranked *ranked;
    size_t n_ranked, room;
};

gb_status gb_scores_create(gb_scores **out, gb_task_kind task, uint64_t n_classes, gb_error *err)
{
    gb_scores *s = NULL;
    gb_status st;
    GB_TRY(gb_alloc(&s, 1, sizeof *s, "scores", err));
    s->task = task;
    s->n_classes = n_classes;
    s->has_probability = true;
    GB_TRY(gb_alloc(&s->support, n_classes, sizeof *s->support, "scores", err));
    GB_TRY(gb_alloc(&s->predicted, n_classes, sizeof *s->predicted, "scores", err));
    GB_TRY(gb_alloc(&s->correct, n_classes, sizeof *s->correct, "scores", err));
    if (task != GB_TASK_MULTILABEL && n_classes <= GB_CONFUSION_CLASSES)
        GB_TRY(gb_alloc(&s->confusion, n_classes * n_classes, sizeof *s->confusion, "scores", err));
    *out = s;
    s = NULL;
done:
    gb_scores_free(s);
    return st;
}

void gb_scores_free(gb_scores *s)
{
    if (s == NULL)
        return;
    gb_free(s->support);
    gb_free(s->predicted);
    gb_free(s->correct);
    gb_free(s->confusion);
    free(s->ranked);
    gb_free(s);
}

/* ---- one document ---------------------------------------------------------------------------------- */

static double minus_log(double p)
{
    const double least = 1e-15;
    return -log(fmin(fmax(p, least), 1 - least));
}

static double square(double x)
{
    return x * x;
}

static void add_one_class(gb_scores *s, uint32_t truth, uint64_t predicted, const double *probability)
{
    s->support[truth]++;
    s->predicted[predicted]++;
    s->correct[truth] += truth == predicted;
    s->n_right += truth == predicted;
    s->distance += fabs((double)truth - (double)predicted);
    s->square_distance += square((double)truth - (double)predicted);
    if (s->confusion != NULL)
        s->confusion[truth * s->n_classes + predicted]++;
    if (probability == NULL)
        return;
    s->log_loss += minus_log(probability[truth]);
    for (uint64_t c = s->task == GB_TASK_BINARY ? 1 : 0; c < s->n_classes; c++)
        s->brier += square(probability[c] - (c == truth));
    gb_reliability_add(&s->reliability, probability[predicted], predicted == truth);
}

/* The true class is none of the model's. */
static void add_other_class(gb_scores *s, uint64_t predicted, const double *probability)
{
    s->predicted[predicted]++;
    s->n_others++;
    if (probability == NULL)
        return;
    s->log_loss += minus_log(0);
    double sum = 1; /* over classes and the other one; of two classes half of it is counted */
    for (uint64_t c = 0; c < s->n_classes; c++)
        sum += square(probability[c]);
    s->brier += s->task == GB_TASK_BINARY ? sum / 2 : sum;
    gb_reliability_add(&s->reliability, probability[predicted], false);
}

static bool contains(size_t n, const uint32_t *list, uint64_t value)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == value)
            return true;
    return false;
}

static void add_many_classes(gb_scores *s, size_t n_true, const uint32_t *true_class, size_t n_others,
                             const bool *is_predicted, const double *probability)
{
    uint64_t n_wrong = 0, n_predicted = 0;
    double pairs = (double)s->n_classes;
    for (uint64_t c = 0; c < s->n_classes; c++) {
        bool truth = contains(n_true, true_class, c), predicted = is_predicted[c];
        s->support[c] += truth;
        s->predicted[c] += predicted;
        n_predicted += predicted;
        s->correct[c] += truth && predicted;
        n_wrong += truth != predicted;
        if (probability == NULL)
            continue;
        s->log_loss += minus_log(truth ? probability[c] : 1 - probability[c]) / pairs;
        s->brier += square(probability[c] - truth) / pairs;
        gb_reliability_add(&s->reliability, probability[c], truth);
    }
    s->n_wrong_pairs += n_wrong;
    s->n_no_class += n_predicted == 0;
    s->n_right += n_wrong + n_others == 0;
    s->n_others += n_others;
}

gb_status gb_scores_add(gb_scores *s, size_t n_true, const uint32_t *true_class, size_t n_others, uint64_t predicted,
                        const bool *is_predicted, const double *score, const double *probability, gb_error *err)
{
    if (s->task == GB_TASK_BINARY && n_true > 0) {
        gb_status st = gb_grow(&s->ranked, &s->room, s->n_ranked + 1, sizeof *s->ranked, "scores", err);
        if (st != GB_OK)
            return st;
        s->ranked[s->n_ranked++] = (ranked){score[0], true_class[0] == 1};
    }
    if (s->task == GB_TASK_MULTILABEL)
        add_many_classes(s, n_true, true_class, n_others, is_predicted, probability);
    else if (n_true == 0)
        add_other_class(s, predicted, probability);
    else
        add_one_class(s, true_class[0], predicted, probability);
    s->has_probability = s->has_probability && probability != NULL;
    s->n++;
    return GB_OK;
}

/* ---- the scores ------------------------------------------------------------------------------------ */

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

gb_class_score gb_scores_class(const gb_scores *s, uint64_t class)
{
    double support = (double)s->support[class], predicted = (double)s->predicted[class];
    double correct = (double)s->correct[class];
    return (gb_class_score){ratio(correct, predicted), ratio(correct, support),
                            ratio(2 * correct, predicted + support), s->support[class]};
}

uint64_t gb_scores_confusion(const gb_scores *s, uint64_t truth, uint64_t predicted)
{
    return s->confusion == NULL ? 0 : s->confusion[truth * s->n_classes + predicted];
}

const gb_reliability *gb_scores_reliability(const gb_scores *s)
{
    return s->has_probability && s->n > 0 ? &s->reliability : NULL;
}

static int by_score(const void *a, const void *b)
{
    double x = ((const ranked *)a)->score, y = ((const ranked *)b)->score;
    return (x > y) - (x < y);
}

/* With r_i the rank of document i, ties sharing the mean of their ranks, and P positive, N negative
 * documents: AUC = (sum over positive i of r_i - P (P + 1) / 2) / (P N) */
static double area_under_curve(ranked *all, size_t n)
{
    double n_positive = 0, rank_sum = 0;
    if (n == 0)
        return NAN;
    qsort(all, n, sizeof *all, by_score);
    for (size_t first = 0, last; first < n; first = last) {
        size_t n_tied_positive = all[first].positive;
        for (last = first + 1; last < n && all[last].score == all[first].score; last++)
            n_tied_positive += all[last].positive;
        double midrank = ((double)first + 1 + (double)last) / 2;
        rank_sum += midrank * (double)n_tied_positive;
        n_positive += (double)n_tied_positive;
    }
    double n_negative = (double)n - n_positive;
    if (n_positive == 0 || n_negative == 0)
        return NAN;
    return (rank_sum - n_positive * (n_positive + 1) / 2) / (n_positive * n_negative);
}

/* Quadratically weighted: the expected sum of squares is the sum over all pairs of a true and a predicted level,
 * divided by the number of documents. */
static double weighted_kappa(const gb_scores *s)
{
    double pairs = 0;
    for (uint64_t i = 0; i < s->n_classes; i++)
        for (uint64_t j = 0; j < s->n_classes; j++)
            pairs += (double)s->support[i] * (double)s->predicted[j] * square((double)i - (double)j);
    return pairs > 0 ? 1 - s->square_distance * (double)s->n / pairs : NAN;
}

gb_score_summary gb_scores_summary(gb_scores *s)
{
    gb_score_summary r = {s->n, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, s->n_no_class};
    if (s->n == 0)
        return r;
    double n = (double)s->n, correct = 0, involved = (double)s->n_others, f1 = 0, most = 0;
    for (uint64_t c = 0; c < s->n_classes; c++) {
        correct += (double)s->correct[c];
        involved += (double)s->support[c] + (double)s->predicted[c];
        f1 += gb_scores_class(s, c).f1;
        most = fmax(most, (double)s->support[c]);
        r.n_missed += s->support[c] > 0 && s->predicted[c] == 0;
    }
    r.accuracy = (double)s->n_right / n;
    r.macro_f1 = ratio(f1, (double)s->n_classes);
    r.micro_f1 = ratio(2 * correct, involved);
    if (s->task != GB_TASK_MULTILABEL)
        r.baseline = most / n;
    if (s->task == GB_TASK_MULTILABEL)
        r.hamming_loss = (double)s->n_wrong_pairs / (n * (double)s->n_classes);
    if (s->has_probability) {
        r.log_loss = s->log_loss / n;
        r.brier = s->brier / n;
        r.ece = gb_reliability_error(&s->reliability);
    }
    if (s->task == GB_TASK_ORDINAL) {
        r.mae = s->n > s->n_others ? s->distance / (n - (double)s->n_others) : NAN;
        r.kappa = weighted_kappa(s);
    }
    r.auc = area_under_curve(s->ranked, s->n_ranked);
    return r;
}
