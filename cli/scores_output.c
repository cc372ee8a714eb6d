/* cli/scores_output.c - scores as text or JSON. */
#include "scores_output.h"
#include "terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a response says of each class. */
typedef struct class_scores {
    uint64_t response, n; /* n classes */
    double *precision, *recall, *f1;
    uint64_t *support;
    uint64_t *confusion; /* n x n; NULL if it is not kept */
} class_scores;

static void clear(class_scores *c)
{
    gb_free(c->precision);
    gb_free(c->recall);
    gb_free(c->f1);
    gb_free(c->support);
    gb_free(c->confusion);
}

/** @param c  clear it with clear(), also on failure */
static gb_status find(class_scores *c, const gb_evaluation *e, const gb_model *model, uint64_t index, gb_error *err)
{
    gb_status st;
    const char *what = "the scores";
    *c = (class_scores){.response = gb_evaluation_response(e, index)};
    c->n = gb_model_n_classes(model, c->response);
    CLI_TRY(cli_alloc(&c->precision, c->n, sizeof *c->precision, what, err));
    CLI_TRY(cli_alloc(&c->recall, c->n, sizeof *c->recall, what, err));
    CLI_TRY(cli_alloc(&c->f1, c->n, sizeof *c->f1, what, err));
    CLI_TRY(cli_alloc(&c->support, c->n, sizeof *c->support, what, err));
    gb_evaluation_class_scores(e, index, c->precision, c->recall, c->f1, c->support);
    const bool has_confusion = gb_evaluation_confusion(e, index, NULL);
    if (has_confusion) {
        CLI_TRY(cli_alloc(&c->confusion, c->n * c->n, sizeof *c->confusion, what, err));
        (void)gb_evaluation_confusion(e, index, c->confusion);
    }
done:
    return st;
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

json_t *cli_section_to_json(const gb_score_table *table, uint64_t section, const char *method)
{
    json_t *object = json_object();
    if (method != NULL)
        (void)json_object_set_new(object, "method", json_string(method));
    for (uint64_t i = 0; i < gb_score_table_n_scores(table, section); i++) {
        const gb_score *score = gb_score_table_at(table, section, i);
        (void)json_object_set_new(object, score->name,
                                  score->is_count ? json_integer((json_int_t)score->value) : json_real(score->value));
    }
    return object;
}

void cli_add_linear(json_t *object, const gb_score_table *table, uint64_t section)
{
    if (table != NULL && section < gb_score_table_n_sections(table))
        (void)json_object_set_new(object, "linear", cli_section_to_json(table, section, NULL));
}

void cli_add_alone(json_t *object, const gb_score_table *table, uint64_t section)
{
    if (table != NULL)
        (void)json_object_set_new(object, "topics_alone", cli_section_to_json(table, section, NULL));
}

void cli_print_alone(const gb_score_table *table, uint64_t section)
{
    static const char *const telling[] = {"accuracy", "micro_f1", "macro_f1", "r2", "mae"};
    const char *before = "\ntopics alone, without words and embeddings: ";
    for (size_t i = 0; table != NULL && i < sizeof telling / sizeof *telling; i++) {
        const gb_score *score = gb_score_table_find(table, section, telling[i]);
        if (score == NULL)
            continue;
        (void)fprintf(cli_out(), "%s%s %.4g", before, telling[i], score->value);
        before = ", ";
    }
    if (table != NULL)
        (void)fputc('\n', cli_out());
}

static json_t *classes_to_json(const gb_model *model, const class_scores *c)
{
    json_t *classes = json_object();
    for (uint64_t i = 0; i < c->n; i++)
        (void)json_object_set_new(classes, gb_model_class(model, c->response, i),
                                  json_pack("{s:f, s:f, s:f, s:I}", "precision", c->precision[i], "recall",
                                            c->recall[i], "f1", c->f1[i], "n", (json_int_t)c->support[i]));
    return classes;
}

/* All bins, also those without a prediction, so that lists of several models have the same length. */
static json_t *reliability_to_json(const gb_evaluation *e, uint64_t index)
{
    json_t *bins = json_array();
    for (uint64_t b = 0; b < gb_evaluation_n_bins(e, index); b++) {
        double low, high, mean, share;
        uint64_t n;
        gb_evaluation_bin(e, index, b, &low, &high, &n, &mean, &share);
        (void)json_array_append_new(bins, json_pack("{s:f, s:f, s:I, s:o, s:o}", "low", low, "high", high, "n",
                                                    (json_int_t)n, "mean_probability",
                                                    n > 0 ? json_real(mean) : json_null(), "share",
                                                    n > 0 ? json_real(share) : json_null()));
    }
    return bins;
}

/* Rows are true classes, columns predicted ones, both in the order of "classes". */
static json_t *confusion_to_json(const class_scores *c)
{
    json_t *rows = json_array();
    for (uint64_t t = 0; t < c->n; t++) {
        json_t *row = json_array();
        for (uint64_t p = 0; p < c->n; p++)
            (void)json_array_append_new(row, json_integer((json_int_t)c->confusion[t * c->n + p]));
        (void)json_array_append_new(rows, row);
    }
    return rows;
}

gb_status cli_response_to_json(const gb_evaluation *e, const gb_score_table *linear, const gb_model *model,
                               uint64_t index, json_t **out, gb_error *err)
{
    class_scores c;
    gb_status st = find(&c, e, model, index, err);
    if (st == GB_OK) {
        *out = cli_section_to_json(gb_evaluation_scores(e), index, NULL);
        if (c.n > 0)
            (void)json_object_set_new(*out, "classes", classes_to_json(model, &c));
        if (gb_evaluation_n_bins(e, index) > 0)
            (void)json_object_set_new(*out, "reliability", reliability_to_json(e, index));
        if (c.confusion != NULL)
            (void)json_object_set_new(*out, "confusion", confusion_to_json(&c));
        cli_add_linear(*out, linear, index);
    }
    clear(&c);
    return st;
}

/* ---- text ------------------------------------------------------------------------------------------ */

void cli_print_what_is_linear(void)
{
    (void)fprintf(cli_out(), "%s\n",
                  "\nlinear: TF-IDF of the words alone; linear support vector machines, of numbers ridge regression");
}

static void print_score(const gb_score *score, bool any_size)
{
    if (score->is_count)
        (void)fprintf(cli_out(), " %8.0f", score->value);
    else if (any_size)
        (void)fprintf(cli_out(), " %8.6g", score->value);
    else
        (void)fprintf(cli_out(), " %8.4f", score->value);
}

void cli_print_section(const gb_score_table *table, const gb_score_table *linear, uint64_t section, bool any_size)
{
    if (linear != NULL)
        (void)fprintf(cli_out(), "%-14s %8s %8s\n", "", "model", "linear");
    for (uint64_t i = 0; i < gb_score_table_n_scores(table, section); i++) {
        const gb_score *score = gb_score_table_at(table, section, i);
        const gb_score *beside = linear == NULL ? NULL : gb_score_table_find(linear, section, score->name);
        (void)fprintf(cli_out(), "%-14s", score->name);
        print_score(score, any_size);
        if (beside != NULL)
            print_score(beside, any_size);
        (void)fputc('\n', cli_out());
    }
}

static void print_classes(const gb_model *model, const class_scores *c, int width)
{
    (void)fprintf(cli_out(), "\n%-*s  precision  recall      f1        n\n", width, "class");
    for (uint64_t i = 0; i < c->n; i++)
        (void)fprintf(cli_out(), "%-*s  %9.4f  %6.4f  %6.4f %8" PRIu64 "\n", width,
                      gb_model_class(model, c->response, i), c->precision[i], c->recall[i], c->f1[i], c->support[i]);
}

static void print_reliability(const gb_evaluation *e, uint64_t index, bool several_labels)
{
    (void)fprintf(cli_out(), "\nprobability of %s class, and share of documents that have it\n",
                  several_labels ? "each" : "the predicted");
    (void)fprintf(cli_out(), "%-10s    mean   share        n\n", "bin");
    for (uint64_t b = 0; b < gb_evaluation_n_bins(e, index); b++) {
        double low, high, mean, share;
        uint64_t n;
        gb_evaluation_bin(e, index, b, &low, &high, &n, &mean, &share);
        if (n > 0)
            (void)fprintf(cli_out(), "%.1f to %.1f  %6.4f  %6.4f %8" PRIu64 "\n", low, high, mean, share, n);
    }
}

static void print_confusion(const gb_model *model, const class_scores *c, int width)
{
    (void)fprintf(cli_out(), "\nrows: true class; columns: predicted, in the same order\n");
    for (uint64_t t = 0; t < c->n; t++) {
        (void)fprintf(cli_out(), "%-*s ", width, gb_model_class(model, c->response, t));
        for (uint64_t p = 0; p < c->n; p++)
            (void)fprintf(cli_out(), " %5" PRIu64, c->confusion[t * c->n + p]);
        (void)fputc('\n', cli_out());
    }
}

static int class_width(const gb_model *model, const class_scores *c)
{
    size_t width = strlen("class");
    for (uint64_t i = 0; i < c->n; i++) {
        const size_t length = strlen(gb_model_class(model, c->response, i));
        width = length > width && length < 40 ? length : width;
    }
    return (int)width;
}

gb_status cli_print_response(const gb_evaluation *e, const gb_score_table *linear, const gb_model *model,
                             uint64_t index, gb_error *err)
{
    class_scores c;
    gb_status st = find(&c, e, model, index, err);
    if (st == GB_OK) {
        cli_print_section(gb_evaluation_scores(e), linear, index,
                          c.n == 0); /* numbers are in the unit of the targets */
        const int width = class_width(model, &c);
        if (c.n > 0)
            print_classes(model, &c, width);
        if (gb_evaluation_n_bins(e, index) > 0)
            print_reliability(e, index, gb_model_task(model, c.response) == GB_TASK_MULTILABEL);
        if (c.confusion != NULL)
            print_confusion(model, &c, width);
    }
    clear(&c);
    return st;
}
