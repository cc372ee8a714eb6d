/* cli/report_selection.c - what `gibbous select --json` has printed, for a report. */
#include "json.h"
#include "report_data.h"
#include "text_file.h"

#include <string.h>

static bool is_cell(const json_t *value)
{
    return value != NULL && !json_is_array(value) && !json_is_object(value);
}

/* A list of objects whose members are cells, among them some names. */
static bool are_rows(const json_t *rows, size_t n_names, const char *const *name)
{
    size_t i;
    json_t *row, *value;
    const char *member;
    json_array_foreach(rows, i, row)
    {
        for (size_t k = 0; k < n_names; k++)
            if (json_object_get(row, name[k]) == NULL)
                return false;
        json_object_foreach(row, member, value)
        {
            if (!is_cell(value))
                return false;
        }
    }
    return json_array_size(rows) > 0;
}

static gb_status check(const char *path, const json_t *given, gb_error *err)
{
    static const char *const of_selection[] = {"verdict"}, *const of_scores[] = {"divisor",  "section", "score",
                                                                                 "value",    "se",      "fold",
                                                                                 "candidate"};
    if (are_rows(json_object_get(given, "selection"), 1, of_selection) &&
        are_rows(json_object_get(given, "selection-scores"), sizeof of_scores / sizeof *of_scores, of_scores) &&
        json_is_string(json_array_get(json_object_get(given, "notes"), 0)))
        return GB_OK;
    return cli_fail(err, GB_EFORMAT,
                    "%s: not what gibbous select --json prints: rows of \"selection\" and \"selection-scores\", and "
                    "notes are needed",
                    path);
}

gb_status cli_report_selection(const char *path, json_t **out, gb_error *err)
{
    json_error_t why;
    json_t *given = NULL;
    char *text = NULL;
    size_t length = 0;
    gb_status st;
    if (*path == '\0') {
        *out = json_null();
        return GB_OK;
    }
    CLI_TRY(cli_read_text(path, &text, &length, err));
    st = cli_json_parse(text, length, &given, &why, err);
    if (st == GB_EFORMAT)
        st = cli_fail(err, GB_EFORMAT, "%s:%d: %s", path, why.line, why.text);
    else if (st == GB_OK)
        st = check(path, given, err);
    if (st == GB_OK)
        *out = json_incref(given);
done:
    json_decref(given);
    gb_free(text);
    return st;
}
