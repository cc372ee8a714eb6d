/* cli/cmd_info.c - what is in a corpus, a model or a checkpoint: one JSON object, printed as it is or as readable lines. */
#include "answer.h"
#include "json.h"
#include "reading.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the answer as one object ---------------------------------------------------------------------- */

static json_t *value_of(const char *kind, const char *text)
{
    if (strcmp(kind, "count") == 0)
        return strcmp(text, "nan") == 0 ? json_null() : json_integer(strtoll(text, NULL, 10));
    if (strcmp(kind, "flag") == 0)
        return json_boolean(strcmp(text, "1") == 0);
    if (strcmp(kind, "number") == 0)
        return isfinite(strtod(text, NULL)) ? json_real(strtod(text, NULL)) : json_null();
    return json_string(text);
}

static json_t *leaf_of(const gb_table *t, uint64_t row)
{
    const uint64_t value = cli_find_column(t, "value"), n = gb_table_n_texts(t, row, value);
    const char *kind = gb_table_text(t, row, cli_find_column(t, "kind"), 0);
    if (strcmp(kind, "object") == 0)
        return json_object();
    if (gb_table_counts(t, cli_find_column(t, "is_list"))[row] == 0)
        return n == 0 ? json_null() : value_of(kind, gb_table_text(t, row, value, 0));
    json_t *list = json_array();
    for (uint64_t i = 0; i < n; i++)
        (void)json_array_append_new(list, value_of(kind, gb_table_text(t, row, value, i)));
    return list;
}

static json_t *object_of(const gb_table *t)
{
    json_t *all = json_object();
    const uint64_t path = cli_find_column(t, "path");
    for (uint64_t row = 0; row < gb_table_n_rows(t); row++) {
        json_t *object = all;
        const uint64_t n = gb_table_n_texts(t, row, path);
        for (uint64_t i = 0; i + 1 < n; i++) {
            const char *name = gb_table_text(t, row, path, i);
            if (!json_is_object(json_object_get(object, name)))
                (void)json_object_set_new(object, name, json_object());
            object = json_object_get(object, name);
        }
        (void)json_object_set_new(object, gb_table_text(t, row, path, n - 1), leaf_of(t, row));
    }
    return all;
}

/* ---- output ---------------------------------------------------------------------------------------- */

enum { MAX_SHOWN = 30 };

static void print_scalar(const json_t *value)
{
    if (json_is_string(value) && json_string_length(value) == 0)
        (void)fputs("not set", cli_out());
    else if (json_is_string(value))
        (void)fputs(json_string_value(value), cli_out());
    else if (json_is_boolean(value))
        (void)fputs(json_is_true(value) ? "yes" : "no", cli_out());
    else if (json_is_number(value))
        (void)json_dumpf(value, cli_out(),
                         JSON_ENCODE_ANY |
                             JSON_REAL_PRECISION((size_t)cli_digits(json_number_value(value), (double)NAN)));
    else if (json_is_null(value))
        (void)fputs("none", cli_out());
}

static void print_list(const json_t *list)
{
    size_t n = json_array_size(list);
    if (n == 0)
        (void)fputs("none", cli_out());
    for (size_t i = 0; i < n && i < MAX_SHOWN; i++) {
        (void)fputs(i > 0 ? ", " : "", cli_out());
        print_scalar(json_array_get(list, i));
    }
    if (n > MAX_SHOWN)
        (void)fprintf(cli_out(), " and %zu more", n - MAX_SHOWN);
}

static void print_object(json_t *object, int indent)
{
    size_t n_shown = 0;
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        if (n_shown++ == MAX_SHOWN && indent > 2) {
            (void)fprintf(cli_out(), "%*s... %zu more\n", indent, "", json_object_size(object) - MAX_SHOWN);
            break;
        }
        if (json_is_object(value)) {
            (void)fprintf(cli_out(), "%*s%s%s\n", indent, "", name, json_object_size(value) == 0 ? ": none" : "");
            print_object(value, indent + 2);
            continue;
        }
        (void)fprintf(cli_out(), "%*s%-*s ", indent, "", 22 - indent, name);
        if (json_is_array(value))
            print_list(value);
        else
            print_scalar(value);
        (void)fputc('\n', cli_out());
    }
}

/* Without a file: the words that an option leaves out. */
static gb_status print_stop_words(const cli_call *call, gb_error *err)
{
    const gb_subject subject = {.size = sizeof subject};
    gb_table *answer = NULL;
    gb_status st;
    if (!cli_is_set(call, "stopwords"))
        return cli_fail(err, GB_EARGUMENT, "info needs a file, or `stopwords`, whose words it prints");
    CLI_TRY(cli_input(gb_answer("stop-words", &subject, call->settings, &answer, err), err));
    for (uint64_t row = 0; row < gb_table_n_rows(answer); row++)
        (void)fprintf(cli_out(), "%s\n", gb_table_text(answer, row, 0, 0));
done:
    gb_table_free(answer);
    return st;
}

gb_status cli_info(cli_call *call, gb_error *err)
{
    if (call->n_arguments == 0)
        return print_stop_words(call, err);
    const char *path = call->argument[0];
    gb_model *model = NULL;
    gb_corpus *corpus = NULL;
    gb_table *answer = NULL;
    json_t *object = NULL;
    gb_status st = GB_OK;
    gb_subject subject = {.size = sizeof subject};
    const gb_file_kind kind = gb_file_kind_of(path);
    /* whatever is neither is read as a corpus, so its reader says what is wrong with it */
    if (kind == GB_FILE_CHECKPOINT)
        subject.checkpoint = path;
    else if (kind == GB_FILE_MODEL)
        CLI_TRY(cli_input(gb_model_read(path, NULL, NULL, &model, err), err));
    else
        CLI_TRY(cli_read_corpus(call, path, &corpus, err));
    subject.model = model;
    subject.documents = corpus;
    CLI_TRY(cli_input(gb_answer("description", &subject, call->settings, &answer, err), err));
    object = object_of(answer);
    if (cli_flag(call, "json"))
        CLI_TRY(cli_print_json(object, err));
    CLI_TRY(cli_json_check(object, err));
    if (!cli_flag(call, "json")) {
        print_object(object, 0);
        CLI_TRY(cli_json_check(object, err));
    }
done:
    json_decref(object);
    gb_table_free(answer);
    gb_corpus_free(corpus);
    gb_model_free(model);
    return st;
}
