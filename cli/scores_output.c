/* cli/scores_output.c - how good predictions are, as text or as one JSON object. */
#include "scores_output.h"

#include "answer.h"
#include "json.h"
#include "terminal.h"

#include <math.h>
#include <string.h>

enum { EVALUATION, CLASSES, CALIBRATION, CONFUSION, SUBGROUPS, PARTS, N_QUESTIONS };

static const char *const question[N_QUESTIONS] = {"evaluation", "classes",   "calibration",
                                                  "confusion",  "subgroups", "parts"};

/* ---- JSON ------------------------------------------------------------------------------------------ */

typedef struct writer {
    const gb_table *table;
    json_t *all;
    bool
        is_flat; /* scores of the only response are members of the whole object; else each field has one of its own */
} writer;

static json_t *member(json_t *object, const char *name, json_t *empty)
{
    if (json_object_get(object, name) == NULL)
        (void)json_object_set(object, name, empty);
    json_decref(empty);
    return json_object_get(object, name);
}

static const char *text_of(const writer *w, uint64_t row, const char *column)
{
    return gb_table_text(w->table, row, cli_find_column(w->table, column), 0);
}

/* The object of a row's field. */
static json_t *section_of(const writer *w, uint64_t row)
{
    const char *method = text_of(w, row, "method");
    if (w->is_flat && *method == '\0')
        return w->all;
    json_t *section = member(w->all, text_of(w, row, "field"), json_object());
    if (*method != '\0')
        (void)json_object_set_new(section, "method", json_string(method));
    return section;
}

/* A count, a number, or a number with its standard error. */
static json_t *score_json(bool is_count, double value, const double *error)
{
    if (is_count)
        return json_integer((json_int_t)value);
    if (error == NULL)
        return json_real(value);
    return json_pack("{s:f, s:o}", "value", value, "se", isnan(*error) ? json_null() : json_real(*error));
}

/* The scores of one column, of the rows first .. end - 1; `beside` names the member that has them, NULL: the section itself. */
static void add_scores(const writer *w, uint64_t first, uint64_t end, const char *column, const char *error_column,
                       const char *beside)
{
    const double *value = gb_table_reals(w->table, cli_find_column(w->table, column));
    const double *error = gb_table_reals(w->table, cli_find_column(w->table, error_column));
    const uint64_t *is_count = gb_table_counts(w->table, cli_find_column(w->table, "is_count"));
    for (uint64_t row = first; value != NULL && row < end; row++) {
        if (isnan(value[row]))
            continue;
        json_t *section = section_of(w, row);
        json_t *object = beside == NULL ? section : member(section, beside, json_object());
        (void)json_object_set_new(object, text_of(w, row, "score"),
                                  score_json(is_count[row] == 1, value[row], error == NULL ? NULL : &error[row]));
    }
}

static void add_others(const writer *w, uint64_t first, uint64_t end)
{
    add_scores(w, first, end, "linear", "linear_se", "linear");
    add_scores(w, first, end, "topics_alone", "", "topics_alone");
}

static void add_classes(const writer *w, uint64_t row)
{
    json_t *classes = member(section_of(w, row), "classes", json_object());
    (void)json_object_set_new(classes, text_of(w, row, "class"), cli_row_to_json(w->table, row, "precision"));
}

static void add_bin(const writer *w, uint64_t row)
{
    json_t *bins = member(section_of(w, row), "reliability", json_array());
    (void)json_array_append_new(bins, cli_row_to_json(w->table, row, "low"));
}

/* Rows are true classes, columns predicted ones, both in the order of "classes". */
static void add_confusion(const writer *w, uint64_t row)
{
    json_t *rows = member(section_of(w, row), "confusion", json_array());
    const bool is_same = row > 0 && strcmp(text_of(w, row, "true"), text_of(w, row - 1, "true")) == 0;
    if (!is_same || json_array_size(rows) == 0)
        (void)json_array_append_new(rows, json_array());
    (void)json_array_append_new(
        json_array_get(rows, json_array_size(rows) - 1),
        json_integer((json_int_t)gb_table_counts(w->table, cli_find_column(w->table, "n"))[row]));
}

static void add_each(writer *w, const gb_table *t, void (*add)(const writer *w, uint64_t row))
{
    w->table = t;
    for (uint64_t row = 0; row < gb_table_n_rows(t); row++)
        add(w, row);
}

static json_t *subgroups_to_json(const gb_table *t)
{
    json_t *list = json_array();
    for (uint64_t row = 0; row < gb_table_n_rows(t); row++)
        (void)json_array_append_new(list, cli_row_to_json(t, row, "field"));
    return list;
}

static json_t *parts_to_json(const gb_table *t)
{
    json_t *list = json_array();
    writer w = {.table = t};
    for (uint64_t first = 0, end; first < gb_table_n_rows(t); first = end) {
        const char *part = text_of(&w, first, "part");
        for (end = first + 1; end < gb_table_n_rows(t) && strcmp(text_of(&w, end, "part"), part) == 0;)
            end++;
        w.all = json_pack("{s:s}", "part", part);
        add_scores(&w, first, end, "value", "", NULL);
        add_others(&w, first, end);
        (void)json_array_append_new(list, w.all);
    }
    return list;
}

static gb_status print_json(const gb_subject *subject, gb_table *const *t, gb_error *err)
{
    writer w = {.table = t[EVALUATION],
                .all = json_object(),
                .is_flat = subject->validation == NULL && gb_evaluation_n_responses(subject->evaluation) == 1};
    const uint64_t n = gb_table_n_rows(t[EVALUATION]);
    add_scores(&w, 0, n, "value", "se", NULL);
    if (subject->validation == NULL) {
        add_each(&w, t[CLASSES], add_classes);
        add_each(&w, t[CALIBRATION], add_bin);
        add_each(&w, t[CONFUSION], add_confusion);
    }
    w.table = t[EVALUATION];
    add_others(&w, 0, n);
    if (subject->validation != NULL) {
        json_t *parts = parts_to_json(t[PARTS]);
        (void)json_object_set_new(w.all, "n_parts", json_integer((json_int_t)json_array_size(parts)));
        (void)json_object_set_new(w.all, "parts", parts);
    }
    if (t[SUBGROUPS] != NULL)
        (void)json_object_set_new(w.all, "subgroups", subgroups_to_json(t[SUBGROUPS]));
    const gb_status st = cli_print_json(w.all, err);
    json_decref(w.all);
    return st;
}

/* ---- both ------------------------------------------------------------------------------------------ */

static bool is_asked(const cli_call *call, const gb_subject *subject, size_t q)
{
    if (q == SUBGROUPS)
        return cli_count(call, "subgroups") > 0;
    return q == EVALUATION || (q == PARTS) == (subject->validation != NULL);
}

static gb_status print_text(gb_table *const *t, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t q = 0; q < PARTS && st == GB_OK; q++) {
        if (t[q] == NULL || gb_table_n_rows(t[q]) == 0)
            continue;
        if (q > 0)
            (void)fputc('\n', cli_out());
        st = cli_print_answer(cli_out(), t[q], CLI_ALL_ROWS, err);
    }
    return st;
}

gb_status cli_print_scores(const cli_call *call, const gb_subject *subject, gb_error *err)
{
    gb_table *t[N_QUESTIONS] = {NULL};
    gb_status st = GB_OK;
    for (size_t q = 0; q < N_QUESTIONS; q++)
        if (is_asked(call, subject, q))
            CLI_TRY(gb_answer(question[q], subject, call->settings, &t[q], err));
    for (size_t q = 0; q < N_QUESTIONS; q++)
        if (t[q] != NULL)
            cli_note_answer(call, t[q], false);
    CLI_TRY(cli_flag(call, "json") ? print_json(subject, t, err) : print_text(t, err));
done:
    for (size_t q = 0; q < N_QUESTIONS; q++)
        gb_table_free(t[q]);
    return st;
}
