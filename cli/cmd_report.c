/* cli/cmd_report.c - a model as one page that needs nothing else: report/ has its code. */
#include "estimated_effects.h"
#include "report_data.h"
#include "report_json.h"
#include "report_page.h"
#include "text_file.h"

#include <string.h>

/* ---- data ------------------------------------------------------------------------------------------ */

/* Takes over the value. */
static void put(json_t *object, const char *name, json_t **value)
{
    (void)json_object_set_new(object, name, *value);
    *value = NULL;
}

/* The text that the page begins with; null without one. */
static gb_status read_about(const cli_call *call, json_t **out, gb_error *err)
{
    const char *path = cli_text(call, "about");
    char *text = NULL;
    size_t length = 0;
    gb_status st = GB_OK;
    *out = json_null();
    if (*path == '\0')
        return GB_OK;
    CLI_TRY(cli_read_text(path, &text, &length, err));
    *out = json_stringn(text, length);
    if (*out == NULL)
        st = cli_fail(err, GB_EFORMAT, "%s: not UTF-8; save it as UTF-8", path);
done:
    gb_free(text);
    return st;
}

static json_t *authors(const cli_call *call)
{
    json_t *list = json_array();
    for (uint64_t i = 0; i < cli_count(call, "author"); i++)
        (void)json_array_append_new(list, json_string(cli_item(call, "author", i)));
    return list;
}

/* The names in "overview,topics"; null: all that there are. */
static gb_status list_sections(const cli_call *call, json_t **out, gb_error *err)
{
    static const char *const known[] = {"overview",  "topics", "response", "prevalence", "wording",
                                        "documents", "groups", "choice",   "chains",     "tables"};
    const char *at = cli_text(call, "sections");
    *out = *at == '\0' ? json_null() : json_array();
    while (*at != '\0') {
        const size_t n = strcspn(at, ",");
        size_t i = 0;
        while (i < sizeof known / sizeof *known && (strlen(known[i]) != n || strncmp(known[i], at, n) != 0))
            i++;
        if (i == sizeof known / sizeof *known)
            return cli_fail(err, GB_EARGUMENT,
                            "--sections \"%.*s\": not a section; they are overview, topics, response, prevalence, "
                            "wording, documents, groups, choice, chains and tables",
                            (int)(n < 80 ? n : 80), at);
        (void)json_array_append_new(*out, json_string(known[i]));
        at += n + (at[n] == ',');
    }
    return GB_OK;
}

static gb_status describe_page(const cli_call *call, json_t **out, gb_error *err)
{
    json_t *about = NULL, *sections = NULL;
    gb_status st;
    CLI_TRY(read_about(call, &about, err));
    CLI_TRY(list_sections(call, &sections, err));
    *out = json_pack("{s:s, s:s, s:s, s:o, s:O, s:O}", "file", cli_file_name(cli_text(call, "model")), "version",
                     gb_version(), "title", cli_text(call, "title"), "authors", authors(call), "about", about,
                     "sections", sections);
done:
    json_decref(about);
    json_decref(sections);
    return st;
}

/* Whoever leaves the section of documents out need not send their texts. */
static void leave_out_documents(const json_t *sections, json_t *documents)
{
    size_t i;
    const json_t *name;
    bool is_shown = !json_is_array(sections);
    json_array_foreach(sections, i, name)
    {
        is_shown |= strcmp(json_string_value(name), "documents") == 0;
    }
    if (!is_shown)
        (void)json_array_clear(json_object_get(documents, "docs"));
}

static gb_status gather(cli_call *call, const gb_model *model, json_t *data, gb_error *err)
{
    json_t *part = NULL;
    gb_diagnosis *diagnosis = NULL;
    gb_estimate *estimate = NULL;
    gb_status st;
    CLI_TRY(describe_page(call, &part, err));
    put(data, "made", &part);
    CLI_TRY(cli_report_selection(cli_text(call, "selection"), &part, err));
    put(data, "selection", &part);
    CLI_TRY(gb_diagnosis_create(model, GB_DIAGNOSE_ALL, &diagnosis, err));
    CLI_TRY(cli_estimate_for_page(call, model, &estimate, err));
    const gb_subject subject = {.size = sizeof subject, .model = model, .diagnosis = diagnosis, .estimate = estimate};
    CLI_TRY(cli_report_affinities(call, &subject, &part, err));
    put(data, "affinities", &part);
    CLI_TRY(cli_report_tables(call, &subject, &part, err));
    put(data, "tables", &part);
    CLI_TRY(cli_report_documents(call, model, json_object_get(data, "tables"), &part, err));
    leave_out_documents(json_object_get(json_object_get(data, "made"), "sections"), part);
    put(data, "documents", &part);
done:
    gb_estimate_free(estimate);
    gb_diagnosis_free(diagnosis);
    return st;
}

/* ---- the page -------------------------------------------------------------------------------------- */

static gb_status write_page(cli_call *call, const json_t *data, gb_error *err)
{
    gb_out_file *file = NULL;
    gb_status st = gb_out_file_open(&file, cli_text(call, "output"), cli_flag(call, "force"), err);
    if (st != GB_OK)
        return st;
    FILE *stream = gb_out_file_stream(file);
    (void)fwrite(gb_report_page.before, 1, gb_report_page.n_before, stream);
    st = cli_report_put(data, stream, err);
    (void)fwrite(gb_report_page.after, 1, gb_report_page.n_after, stream);
    if (st != GB_OK) {
        gb_out_file_discard(file);
        return st;
    }
    return gb_out_file_commit(file, err); /* tells of all that could not be written */
}

/* Whether the model can be read shows before this: it is the user's to mend. */
static gb_status check_page(gb_error *err)
{
    if (*gb_report_page.missing == '\0')
        return GB_OK;
    return cli_fail(err, GB_EIO, "this gibbous was built without the page of reports: %s", gb_report_page.missing);
}

gb_status cli_report(cli_call *call, gb_error *err)
{
    gb_model *model = NULL;
    json_t *data = json_object();
    gb_status st;
    CLI_TRY(cli_check_target(call, cli_text(call, "output"), err));
    CLI_TRY(cli_read_model(call, &model, err));
    CLI_TRY(check_page(err));
    CLI_TRY(gather(call, model, data, err));
    CLI_TRY(write_page(call, data, err));
    if (!cli_to_stdout(cli_text(call, "output")))
        cli_note(call, "wrote %s", cli_text(call, "output"));
done:
    json_decref(data);
    gb_model_free(model);
    return st;
}
