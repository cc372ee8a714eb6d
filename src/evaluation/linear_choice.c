/* evaluation/linear_choice.c - how good the scores of linear models are on documents that choose between them. */
#include "evaluation/linear_choice.h"

#include "base/memory.h"

#include <math.h>

/* A document and a class. */
typedef struct scored_pair {
    double score;
    bool has_class;
} scored_pair;

static int highest_first(const void *a, const void *b)
{
    const double x = ((const scored_pair *)a)->score, y = ((const scored_pair *)b)->score;
    return (x < y) - (x > y);
}

/* With the n highest pairs predicted, F1 = 2 right / (n + pairs that have their class). */
static double best_micro_f1(scored_pair *pair, uint64_t n, double *cut)
{
    double n_true = 0, right = 0, best = 0;
    *cut = 0;
    for (uint64_t i = 0; i < n; i++)
        n_true += pair[i].has_class;
    qsort(pair, n, sizeof *pair, highest_first);
    for (uint64_t i = 0; i < n; i++) {
        right += pair[i].has_class;
        const bool is_last = i + 1 == n, is_tied = !is_last && pair[i].score == pair[i + 1].score;
        const double f1 = 2 * right / ((double)i + 1 + n_true);
        if (is_tied || is_last || f1 <= best)
            continue;
        best = f1;
        *cut = (pair[i].score + pair[i + 1].score) / 2;
    }
    if (!isfinite(*cut)) /* a class that no training document, or each of them, has */
        *cut = 0;
    return best;
}

static gb_status several_labels(const gb_linear_targets *t, uint64_t n, const uint64_t *doc, const double *score,
                                double *loss, double *cut, gb_error *err)
{
    const size_t n_classes = t->target->n_classes;
    scored_pair *pair = NULL;
    gb_status st = gb_alloc(&pair, n * n_classes, sizeof *pair, "a choice between linear models", err);
    if (st != GB_OK)
        return st;
    for (uint64_t i = 0; i < n; i++)
        for (size_t c = 0; c < n_classes; c++)
            pair[i * n_classes + c] = (scored_pair){score[i * n_classes + c], gb_linear_has_class(t, doc[i], c)};
    *loss = 1 - best_micro_f1(pair, n * n_classes, cut);
    gb_free(pair);
    return GB_OK;
}

static double loss_of_document(const gb_linear_targets *t, uint64_t doc, const double *score)
{
    if (t->target->task == GB_TASK_REGRESSION) {
        const double error = gb_linear_value(t, 0, doc) - score[0];
        return error * error;
    }
    const double truth = gb_linear_class(t, doc), decided = (double)gb_linear_decide(t->target, score);
    return t->target->task == GB_TASK_ORDINAL ? fabs(truth - decided) : truth != decided;
}

gb_status gb_linear_loss_of(const gb_linear_targets *t, uint64_t n, const uint64_t *doc, const double *score,
                            double *loss, double *cut, gb_error *err)
{
    const size_t n_problems = gb_linear_n_problems(t->target);
    if (t->target->task == GB_TASK_MULTILABEL)
        return several_labels(t, n, doc, score, loss, cut, err);
    *loss = *cut = 0;
    for (uint64_t i = 0; i < n; i++)
        *loss += loss_of_document(t, doc[i], score + i * n_problems) / (double)n;
    return GB_OK;
}
