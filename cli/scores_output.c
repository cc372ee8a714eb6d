/* cli/scores_output.c - the scores of one response, as text or JSON.
 *
 * Both layouts print the same list of single scores, which is kept as a JSON object.  A score that does not apply is
 * NaN and left out. */
#include "scores_output.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- single scores --------------------------------------------------------------------------------- */

static void set_score(json_t *object, const char *name, double value)
{
    if (!isnan(value))
        (void)json_object_set_new(object, name, json_real(value));
}

static json_t *start_object(uint64_t n, uint64_t n_unlabelled)
{
    return json_pack("{s:I, s:I}", "n", (json_int_t)n, "n_unlabelled", (json_int_t)n_unlabelled);
}

static json_t *class_summary(const cli_scored_response *response)
{
    const gb_score_summary r = gb_scores_summary(response->scores);
    json_t *object = start_object(r.n, response->n_unlabelled);
    set_score(object, "accuracy", r.accuracy);
    set_score(object, "macro_f1", r.macro_f1);
    set_score(object, "micro_f1", r.micro_f1);
    set_score(object, "hamming_loss", r.hamming_loss);
    set_score(object, "log_loss", r.log_loss);
    set_score(object, "brier", r.brier);
    set_score(object, "ece", r.ece);
    set_score(object, "auc", r.auc);
    return object;
}

static json_t *number_summary(const cli_scored_response *response)
{
    const gb_number_summary r = gb_number_scores_summary(response->numbers);
    json_t *object = start_object(r.n, response->n_unlabelled);
    set_score(object, "r2", r.r2);
    set_score(object, "mae", r.mae);
    set_score(object, "rmse", r.rmse);
    set_score(object, "coverage_90", r.coverage);
    return object;
}

json_t *cli_scores_summary(const cli_scored_response *response)
{
    return response->numbers != NULL ? number_summary(response) : class_summary(response);
}

static bool has_confusion(const cli_scored_response *response)
{
    return response->task != GB_SCORES_MULTILABEL && response->n_classes <= GB_CONFUSION_CLASSES;
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

static json_t *classes_to_json(const cli_scored_response *response)
{
    json_t *classes = json_object();
    for (uint64_t c = 0; c < response->n_classes; c++) {
        gb_class_score s = gb_scores_class(response->scores, c);
        (void)json_object_set_new(classes, response->class[c],
                                  json_pack("{s:f, s:f, s:f, s:I}", "precision", s.precision, "recall", s.recall,
                                            "f1", s.f1, "n", (json_int_t)s.support));
    }
    return classes;
}

/* All bins, also those without a prediction, so that lists of several models have the same length. */
static json_t *reliability_to_json(const gb_reliability *reliability)
{
    json_t *bins = json_array();
    for (size_t b = 0; b < GB_RELIABILITY_BINS; b++) {
        const gb_reliability_bin bin = gb_reliability_of_bin(reliability, b);
        json_t *mean = bin.n > 0 ? json_real(bin.mean_probability) : json_null();
        json_t *share = bin.n > 0 ? json_real(bin.share) : json_null();
        (void)json_array_append_new(bins,
                                    json_pack("{s:f, s:f, s:I, s:o, s:o}", "low", bin.low, "high", bin.high, "n",
                                              (json_int_t)bin.n, "mean_probability", mean, "share", share));
    }
    return bins;
}

/* Rows are true classes, columns predicted ones, both in the order of "classes". */
static json_t *confusion_to_json(const cli_scored_response *response)
{
    json_t *rows = json_array();
    for (uint64_t t = 0; t < response->n_classes; t++) {
        json_t *row = json_array();
        for (uint64_t p = 0; p < response->n_classes; p++)
            (void)json_array_append_new(row, json_integer((json_int_t)gb_scores_confusion(response->scores, t, p)));
        (void)json_array_append_new(rows, row);
    }
    return rows;
}

json_t *cli_scores_to_json(const cli_scored_response *response)
{
    json_t *object = cli_scores_summary(response);
    if (object == NULL || response->scores == NULL)
        return object;
    const gb_reliability *reliability = gb_scores_reliability(response->scores);
    (void)json_object_set_new(object, "classes", classes_to_json(response));
    if (reliability != NULL)
        (void)json_object_set_new(object, "reliability", reliability_to_json(reliability));
    if (has_confusion(response))
        (void)json_object_set_new(object, "confusion", confusion_to_json(response));
    return object;
}

/* ---- text ------------------------------------------------------------------------------------------ */

void cli_print_summary(const json_t *summary, bool any_size)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)summary, name, value)
    {
        if (json_is_integer(value))
            (void)printf("%-14s %8" JSON_INTEGER_FORMAT "\n", name, json_integer_value(value));
        else if (json_is_real(value) && any_size)
            (void)printf("%-14s %8.6g\n", name, json_real_value(value));
        else if (json_is_real(value))
            (void)printf("%-14s %8.4f\n", name, json_real_value(value));
    }
}

static void print_classes(const cli_scored_response *response, int width)
{
    (void)printf("\n%-*s  precision  recall      f1        n\n", width, "class");
    for (uint64_t c = 0; c < response->n_classes; c++) {
        gb_class_score s = gb_scores_class(response->scores, c);
        (void)printf("%-*s  %9.4f  %6.4f  %6.4f %8" PRIu64 "\n", width, response->class[c], s.precision, s.recall,
                     s.f1, s.support);
    }
}

static void print_reliability(const cli_scored_response *response, const gb_reliability *reliability)
{
    (void)printf("\nprobability of %s class, and share of documents that have it\n",
                 response->task == GB_SCORES_MULTILABEL ? "each" : "the predicted");
    (void)printf("%-10s    mean   share        n\n", "bin");
    for (size_t b = 0; b < GB_RELIABILITY_BINS; b++) {
        const gb_reliability_bin bin = gb_reliability_of_bin(reliability, b);
        if (bin.n > 0)
            (void)printf("%.1f to %.1f  %6.4f  %6.4f %8" PRIu64 "\n", bin.low, bin.high, bin.mean_probability,
                         bin.share, bin.n);
    }
}

static void print_confusion(const cli_scored_response *response, int width)
{
    (void)printf("\nrows: true class; columns: predicted, in the same order\n");
    for (uint64_t t = 0; t < response->n_classes; t++) {
        (void)printf("%-*s ", width, response->class[t]);
        for (uint64_t p = 0; p < response->n_classes; p++)
            (void)printf(" %5" PRIu64, gb_scores_confusion(response->scores, t, p));
        (void)fputc('\n', stdout);
    }
}

static int class_width(const cli_scored_response *response)
{
    size_t width = strlen("class");
    for (uint64_t c = 0; c < response->n_classes; c++) {
        const size_t length = strlen(response->class[c]);
        width = length > width && length < 40 ? length : width;
    }
    return (int)width;
}

void cli_print_scores(const cli_scored_response *response)
{
    if (response->name != NULL)
        (void)printf("== %s ==\n", response->name);
    json_t *summary = cli_scores_summary(response);
    cli_print_summary(summary, response->numbers != NULL); /* numbers are in the unit of the targets */
    json_decref(summary);
    if (response->scores == NULL)
        return;
    const int width = class_width(response);
    const gb_reliability *reliability = gb_scores_reliability(response->scores);
    print_classes(response, width);
    if (reliability != NULL)
        print_reliability(response, reliability);
    if (has_confusion(response))
        print_confusion(response, width);
}
