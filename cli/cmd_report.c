/* cli/cmd_report.c - a model as one page that needs nothing else: report/ has its code. */
#include "estimated_effects.h"
#include "report_data.h"
#include "report_json.h"
#include "report_page.h"

#include <string.h>

/* ---- data ------------------------------------------------------------------------------------------ */

/* Takes over the value. */
static void put(json_t *object, const char *name, json_t **value)
{
    (void)json_object_set_new(object, name, *value);
    *value = NULL;
}

static gb_status gather(cli_call *call, const gb_model *model, json_t *data, gb_error *err)
{
    json_t *part = NULL;
    gb_diagnosis *diagnosis = NULL;
    gb_estimate *estimate = NULL;
    gb_status st;
    part = json_pack("{s:s, s:s}", "file", cli_file_name(cli_text(call, "model")), "version", gb_version());
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
