/* evaluation/scores.c - how good predicted labels are. */
#include "evaluation/scores.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A document of a binary task. */
typedef struct ranked {
    double score, weight;
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
    double *given,
        *given_variance; /* per class: sums of p and of p (1 - p) over documents that were added with probabilities */
    ranked *ranked;
    size_t n_ranked, room;
    uint64_t n_given; /* documents that were added with probabilities, rather than by a record */
    gb_class_record last;
    uint64_t baseline; /* UINT64_MAX: the most frequent class */
    uint64_t n_baseline_right;
    bool is_sample;
};

/* Places in a record; classes and events follow. */
enum { N_TRUE, N_OTHERS, N_PREDICTED, BASELINE_RIGHT, SCORE, LOG_LOSS, BRIER, N_FIXED };
enum { EVENT_BIN, EVENT_N, EVENT_HAPPENED, EVENT_SUM, N_EVENT };

gb_status gb_scores_create(gb_scores **out, gb_task_kind task, uint64_t n_classes, gb_error *err)
{
    gb_scores *s = NULL;
    gb_status st;
    GB_TRY(gb_alloc(&s, 1, sizeof *s, "scores", err));
    s->task = task;
    s->n_classes = n_classes;
    s->has_probability = true;
    s->baseline = UINT64_MAX;
    GB_TRY(gb_alloc(&s->support, n_classes, sizeof *s->support, "scores", err));
    GB_TRY(gb_alloc(&s->predicted, n_classes, sizeof *s->predicted, "scores", err));
    GB_TRY(gb_alloc(&s->correct, n_classes, sizeof *s->correct, "scores", err));
    GB_TRY(gb_alloc(&s->given, n_classes, sizeof *s->given, "scores", err));
    GB_TRY(gb_alloc(&s->given_variance, n_classes, sizeof *s->given_variance, "scores", err));
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
    gb_free(s->given);
    gb_free(s->given_variance);
    gb_free(s->ranked);
    gb_free(s->last.value);
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

/* What the probabilities of a document are worth. */
typedef struct judged {
    double log_loss, brier;
    gb_reliability events;
} judged;

/* The true class may be none of the model's: then Brier has it as one more class, and of two classes half of the sum is counted. */
static judged judge_one_class(const gb_scores *s, size_t n_true, const uint32_t *true_class, uint64_t predicted,
                              const double *probability)
{
    judged j = {0};
    const uint64_t truth = n_true > 0 ? true_class[0] : s->n_classes;
    double sum = n_true > 0 ? 0 : 1;
    j.log_loss = minus_log(n_true > 0 ? probability[truth] : 0);
    for (uint64_t c = n_true > 0 && s->task == GB_TASK_BINARY ? 1 : 0; c < s->n_classes; c++)
        sum += square(probability[c] - (c == truth));
    j.brier = n_true == 0 && s->task == GB_TASK_BINARY ? sum / 2 : sum;
    gb_reliability_add(&j.events, probability[predicted], predicted == truth);
    return j;
}

static bool contains(size_t n, const double *list, double value)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == value)
            return true;
    return false;
}

static judged judge_many_classes(const gb_scores *s, size_t n_true, const double *true_class,
                                 const double *probability)
{
    judged j = {0};
    const double pairs = (double)s->n_classes;
    for (uint64_t c = 0; c < s->n_classes; c++) {
        const bool truth = contains(n_true, true_class, (double)c);
        j.log_loss += minus_log(truth ? probability[c] : 1 - probability[c]) / pairs;
        j.brier += square(probability[c] - truth) / pairs;
        gb_reliability_add(&j.events, probability[c], truth);
    }
    return j;
}

static void put(gb_class_record *r, double value)
{
    r->value[r->n++] = value;
}

static void put_events(gb_class_record *r, const gb_reliability *events)
{
    for (size_t b = 0; b < GB_RELIABILITY_BINS; b++)
        if (events->n[b] > 0) {
            put(r, (double)b);
            put(r, (double)events->n[b]);
            put(r, (double)events->n_happened[b]);
            put(r, events->probability[b]);
        }
}

static void put_predicted(const gb_scores *s, gb_class_record *r, uint64_t predicted, const bool *is_predicted)
{
    const size_t before = r->n;
    if (s->task != GB_TASK_MULTILABEL)
        put(r, (double)predicted);
    for (uint64_t c = 0; s->task == GB_TASK_MULTILABEL && c < s->n_classes; c++)
        if (is_predicted[c])
            put(r, (double)c);
    r->value[N_PREDICTED] = (double)(r->n - before);
}

gb_status gb_scores_add(gb_scores *s, size_t n_true, const uint32_t *true_class, size_t n_others, uint64_t predicted,
                        const bool *is_predicted, const double *score, const double *probability, gb_error *err)
{
    gb_class_record *r = &s->last;
    judged j = {.log_loss = NAN, .brier = NAN};
    const gb_status st =
        gb_grow(&r->value, &r->room, N_FIXED + n_true + s->n_classes + 1 + GB_RELIABILITY_BINS * N_EVENT,
                sizeof *r->value, "scores", err);
    if (st != GB_OK)
        return st;
    r->n = N_FIXED;
    r->value[N_TRUE] = (double)n_true;
    r->value[N_OTHERS] = (double)n_others;
    r->value[BASELINE_RIGHT] = s->task != GB_TASK_MULTILABEL && n_true > 0 && true_class[0] == s->baseline;
    r->value[SCORE] = s->task == GB_TASK_BINARY && n_true > 0 ? score[0] : (double)NAN;
    for (size_t i = 0; i < n_true; i++)
        put(r, true_class[i]);
    put_predicted(s, r, predicted, is_predicted);
    if (probability != NULL)
        j = s->task == GB_TASK_MULTILABEL ? judge_many_classes(s, n_true, r->value + N_FIXED, probability)
                                          : judge_one_class(s, n_true, true_class, predicted, probability);
    for (uint64_t c = 0; probability != NULL && c < s->n_classes; c++) {
        s->given[c] += probability[c];
        s->given_variance[c] += probability[c] * (1 - probability[c]);
    }
    s->n_given += probability != NULL;
    r->value[LOG_LOSS] = j.log_loss;
    r->value[BRIER] = j.brier;
    put_events(r, &j.events);
    return gb_scores_add_record(s, r->n, r->value, 1, err);
}

const gb_class_record *gb_scores_last(const gb_scores *s)
{
    return &s->last;
}

/* ---- by its record --------------------------------------------------------------------------------- */

static void count_one_class(gb_scores *s, const double *r, uint64_t weight)
{
    const uint64_t truth = (uint64_t)r[N_FIXED], predicted = (uint64_t)r[N_FIXED + (size_t)r[N_TRUE]];
    s->predicted[predicted] += weight;
    if (r[N_TRUE] == 0) {
        s->n_others += weight;
        return;
    }
    s->support[truth] += weight;
    s->correct[truth] += truth == predicted ? weight : 0;
    s->n_right += truth == predicted ? weight : 0;
    s->distance += (double)weight * fabs((double)truth - (double)predicted);
    s->square_distance += (double)weight * square((double)truth - (double)predicted);
    if (s->confusion != NULL)
        s->confusion[truth * s->n_classes + predicted] += weight;
}

static void count_many_classes(gb_scores *s, const double *r, uint64_t weight)
{
    const size_t n_true = (size_t)r[N_TRUE], n_predicted = (size_t)r[N_PREDICTED];
    const double *truth = r + N_FIXED, *predicted = truth + n_true;
    size_t n_common = 0;
    for (size_t i = 0; i < n_true; i++) {
        const bool is_common = contains(n_predicted, predicted, truth[i]);
        s->support[(uint64_t)truth[i]] += weight;
        s->correct[(uint64_t)truth[i]] += is_common ? weight : 0;
        n_common += is_common;
    }
    for (size_t i = 0; i < n_predicted; i++)
        s->predicted[(uint64_t)predicted[i]] += weight;
    const size_t n_wrong = n_true - n_common + n_predicted - n_common;
    s->n_wrong_pairs += weight * n_wrong;
    s->n_no_class += n_predicted == 0 ? weight : 0;
    s->n_right += n_wrong == 0 && r[N_OTHERS] == 0 ? weight : 0;
    s->n_others += weight * (uint64_t)r[N_OTHERS];
}

static void count_probabilities(gb_scores *s, size_t n, const double *r, uint64_t weight)
{
    gb_reliability events = {.n = {0}};
    s->has_probability = s->has_probability && !isnan(r[LOG_LOSS]);
    if (isnan(r[LOG_LOSS]))
        return;
    s->log_loss += (double)weight * r[LOG_LOSS];
    s->brier += (double)weight * r[BRIER];
    for (size_t i = N_FIXED + (size_t)r[N_TRUE] + (size_t)r[N_PREDICTED]; i < n; i += N_EVENT) {
        const size_t b = (size_t)r[i + EVENT_BIN];
        events.n[b] = (uint64_t)r[i + EVENT_N];
        events.n_happened[b] = (uint64_t)r[i + EVENT_HAPPENED];
        events.probability[b] = r[i + EVENT_SUM];
    }
    gb_reliability_add_all(&s->reliability, &events, weight);
}

gb_status gb_scores_add_record(gb_scores *s, size_t n, const double *r, uint64_t weight, gb_error *err)
{
    if (s->task == GB_TASK_BINARY && r[N_TRUE] > 0) {
        const gb_status st = gb_grow(&s->ranked, &s->room, s->n_ranked + 1, sizeof *s->ranked, "scores", err);
        if (st != GB_OK)
            return st;
        s->ranked[s->n_ranked++] = (ranked){r[SCORE], (double)weight, r[N_FIXED] == 1};
    }
    if (s->task == GB_TASK_MULTILABEL)
        count_many_classes(s, r, weight);
    else
        count_one_class(s, r, weight);
    count_probabilities(s, n, r, weight);
    s->n_baseline_right += r[BASELINE_RIGHT] > 0 ? weight : 0;
    s->n += weight;
    return GB_OK;
}

static bool is_count(double x, double most)
{
    return x >= 0 && x <= most && x == floor(x);
}

static bool are_events(size_t n, const double *event)
{
    bool are = n % N_EVENT == 0;
    for (size_t i = 0; are && i < n; i += N_EVENT)
        are = is_count(event[i + EVENT_BIN], GB_RELIABILITY_BINS - 1) && is_count(event[i + EVENT_N], 1e15) &&
              is_count(event[i + EVENT_HAPPENED], event[i + EVENT_N]) && event[i + EVENT_SUM] >= 0;
    return are;
}

bool gb_class_record_is_sound(const gb_scores *s, size_t n, const double *r)
{
    const double most = (double)s->n_classes;
    if (n < N_FIXED || !is_count(r[N_TRUE], most) || !is_count(r[N_OTHERS], 1e15) || !is_count(r[N_PREDICTED], most))
        return false;
    const size_t n_classes = (size_t)r[N_TRUE] + (size_t)r[N_PREDICTED];
    if (n - N_FIXED < n_classes || (s->task != GB_TASK_MULTILABEL && (r[N_PREDICTED] != 1 || r[N_TRUE] > 1)) ||
        (s->task == GB_TASK_BINARY && r[N_TRUE] > 0 && isnan(r[SCORE])))
        return false;
    for (size_t i = 0; i < n_classes; i++)
        if (!is_count(r[N_FIXED + i], most - 1))
            return false;
    return are_events(n - N_FIXED - n_classes, r + N_FIXED + n_classes);
}

double gb_class_record_score(const double *record)
{
    return record[SCORE];
}

void gb_scores_set_baseline(gb_scores *s, uint64_t class)
{
    s->baseline = class;
}

void gb_scores_reset(gb_scores *s, bool is_sample)
{
    s->is_sample = is_sample;
    const size_t n = s->n_classes;
    memset(s->support, 0, n * sizeof *s->support);
    memset(s->predicted, 0, n * sizeof *s->predicted);
    memset(s->correct, 0, n * sizeof *s->correct);
    if (s->confusion != NULL)
        memset(s->confusion, 0, n * n * sizeof *s->confusion);
    s->n = s->n_right = s->n_wrong_pairs = s->n_others = s->n_no_class = s->n_baseline_right = s->n_ranked = 0;
    s->log_loss = s->brier = s->distance = s->square_distance = 0;
    s->has_probability = true;
    s->reliability = (gb_reliability){.n = {0}};
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
    gb_class_score score = {.precision = ratio(correct, predicted),
                            .recall = ratio(correct, support),
                            .f1 = ratio(2 * correct, predicted + support),
                            .given = NAN,
                            .share = NAN,
                            .deviation = NAN,
                            .support = s->support[class]};
    if (s->n_given > 0 && s->n_given == s->n) {
        score.given = s->given[class] / (double)s->n;
        score.share = support / (double)s->n;
        score.deviation = (support - s->given[class]) / sqrt(s->given_variance[class]);
    }
    return score;
}

bool gb_scores_is_missed(const gb_scores *s, uint64_t class)
{
    return s->support[class] > 0 && s->predicted[class] == 0;
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

/* Documents that are scored again and again come in order. */
static bool are_sorted(const ranked *all, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (all[i].score < all[i - 1].score)
            return false;
    return true;
}

/* With r_i the rank of document i, ties sharing the mean of their ranks, and P positive, N negative
 * documents: AUC = (sum over positive i of r_i - P (P + 1) / 2) / (P N) */
static double area_under_curve(ranked *all, size_t n)
{
    double n_positive = 0, rank_sum = 0, n_before = 0;
    if (n == 0)
        return NAN;
    if (!are_sorted(all, n))
        qsort(all, n, sizeof *all, by_score);
    for (size_t first = 0, last = 0; first < n; first = last) {
        double n_tied = 0, n_tied_positive = 0;
        do {
            n_tied += all[last].weight;
            n_tied_positive += all[last].positive ? all[last].weight : 0;
        } while (++last < n && all[last].score == all[first].score);
        rank_sum += (n_before + (n_tied + 1) / 2) * n_tied_positive;
        n_positive += n_tied_positive;
        n_before += n_tied;
    }
    double n_negative = n_before - n_positive;
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
    double n = (double)s->n, correct = 0, n_present = 0, involved = (double)s->n_others, f1 = 0, most = 0;
    for (uint64_t c = 0; c < s->n_classes; c++) {
        correct += (double)s->correct[c];
        involved += (double)s->support[c] + (double)s->predicted[c];
        f1 += gb_scores_class(s, c).f1;
        n_present += s->support[c] + s->predicted[c] > 0;
        most = fmax(most, (double)s->support[c]);
        r.n_missed += gb_scores_is_missed(s, c);
    }
    r.accuracy = (double)s->n_right / n;
    r.macro_f1 = ratio(f1, s->is_sample ? n_present : (double)s->n_classes);
    r.micro_f1 = ratio(2 * correct, involved);
    if (s->task != GB_TASK_MULTILABEL)
        r.baseline = (s->baseline == UINT64_MAX ? most : (double)s->n_baseline_right) / n;
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
