/* cli/report_selection.c - what `gibbous select --json` has printed, for a report. */
#include "json.h"
#include "report_data.h"
#include "report_json.h"
#include "text_file.h"

#include <string.h>

static gb_status refuse(const char *path, const char *expected, gb_error *err)
{
    return cli_fail(err, GB_EFORMAT, "%s: not what gibbous select --json prints: %s", path, expected);
}

/* ---- scores ---------------------------------------------------------------------------------------- */

/* {mean, se}, or a count.  NULL if it is neither. */
static json_t *score_of(const char *section, const char *name, const json_t *given)
{
    const json_t *mean = json_is_object(given) ? json_object_get(given, "mean") : given;
    const json_t *se = json_object_get(given, "se");
    if (!json_is_number(mean))
        return NULL;
    return json_pack("{s:s, s:s, s:o, s:o}", "section", section, "name", name, "mean",
                     cli_report_real(json_number_value(mean), CLI_LONG), "se",
                     json_is_number(se) ? cli_report_real(json_number_value(se), CLI_SHORT) : json_null());
}

static gb_status add_scores(const char *path, const char *section, json_t *given, json_t *scores, gb_error *err)
{
    const char *name;
    json_t *value;
    json_object_foreach(given, name, value)
    {
        json_t *score = score_of(section, name, value);
        if (score == NULL)
            return refuse(path, "scores are numbers, or have a mean and se", err);
        (void)json_array_append_new(scores, score);
    }
    return GB_OK;
}

/* ---- candidates ------------------------------------------------------------------------------------ */

static bool are_texts(json_t *object)
{
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        if (!json_is_string(value))
            return false;
    }
    return json_is_object(object);
}

static gb_status add_candidate(const char *path, json_t *given, json_t *candidates, gb_error *err)
{
    json_t *settings = json_object_get(given, "settings"), *sections = json_object_get(given, "scores"), *value;
    const json_t *divisor = json_object_get(given, "divisor");
    const char *section;
    if (!are_texts(settings) || !json_is_object(sections) || !json_is_integer(divisor))
        return refuse(path, "a candidate has settings, scores and a divisor", err);
    json_t *scores = json_array();
    json_object_foreach(sections, section, value)
    {
        const gb_status st = add_scores(path, section, value, scores, err);
        if (st != GB_OK) {
            json_decref(scores);
            return st;
        }
    }
    (void)json_array_append_new(candidates, json_pack("{s:O, s:I, s:o}", "settings", settings, "divisor",
                                                      json_integer_value(divisor), "scores", scores));
    return GB_OK;
}

/* The place of settings among the candidates; -1 if they are not there. */
static json_int_t place_of(const json_t *candidates, const json_t *settings)
{
    size_t i;
    json_t *candidate;
    json_array_foreach(candidates, i, candidate)
    {
        if (json_equal(json_object_get(candidate, "settings"), settings))
            return (json_int_t)i;
    }
    return -1;
}

static gb_status read_selection(const char *path, const json_t *given, json_t **out, gb_error *err)
{
    const json_t *list = json_object_get(given, "candidates"), *criterion = json_object_get(given, "criterion");
    json_t *candidates = json_array(), *candidate;
    const char *section = json_string_value(json_object_get(criterion, "section"));
    const char *name = json_string_value(json_object_get(criterion, "name"));
    const char *advice = json_string_value(json_object_get(given, "advice"));
    gb_status st = GB_OK;
    size_t i;
    json_array_foreach(list, i, candidate) CLI_TRY(add_candidate(path, candidate, candidates, err));
    const json_int_t best = place_of(candidates, json_object_get(given, "best"));
    const json_int_t advised = place_of(candidates, json_object_get(given, "advised"));
    if (section == NULL || name == NULL || advice == NULL || best < 0 || advised < 0)
        CLI_TRY(refuse(path, "candidates, a criterion, the best, the advised and an advice are needed", err));
    *out = json_pack("{s:O, s:s, s:s, s:b, s:I, s:I, s:s}", "candidates", candidates, "section", section, "criterion",
                     name, "smaller_is_better", json_is_true(json_object_get(criterion, "smaller_is_better")), "best",
                     best, "advised", advised, "advice", advice);
done:
    json_decref(candidates);
    return st;
}

gb_status cli_report_selection(const char *path, json_t **out, gb_error *err)
{
    json_error_t why;
    gb_status st;
    char *text = NULL;
    size_t length = 0;
    if (*path == '\0') {
        *out = json_null();
        return GB_OK;
    }
    st = cli_read_text(path, &text, &length, err);
    if (st != GB_OK)
        return st;
    json_t *given;
    st = cli_json_parse(text, length, &given, &why, err);
    gb_free(text);
    if (st == GB_EFORMAT)
        st = cli_fail(err, GB_EFORMAT, "%s:%d: %s", path, why.line, why.text);
    else if (st == GB_OK)
        st = read_selection(path, given, out, err);
    json_decref(given);
    return st;
}
