/* cli/report_documents.c - the documents of a report. */
#include "report_data.h"

gb_status cli_report_documents(cli_call *call, const gb_model *model, json_t **out, gb_error *err)
{
    (void)call;
    (void)model;
    (void)err;
    *out = json_null();
    return GB_OK;
}
