/* cli/report_data.h - what a report tells of a model, section by section, as JSON (report/src/data.ts has its types). */
#ifndef GB_CLI_REPORT_DATA_H
#define GB_CLI_REPORT_DATA_H

#include "common.h"

/** How alike topics are: of each set of topics the pairs (2, 1), (3, 1), (3, 2), ... in thousandths; nothing if there are too many.
 * @param out  receives a new object; untouched on failure, like those below */
gb_status cli_report_affinities(const cli_call *call, const gb_subject *subject, json_t **out, gb_error *err);
/** The answers to all questions that can be asked without saying more, as cli_report_table() gives them, by the names of the questions. */
gb_status cli_report_tables(const cli_call *call, const gb_subject *subject, json_t **out, gb_error *err);
/** What `select --json` has printed into a file; null without a path (""). */
gb_status cli_report_selection(const char *path, json_t **out, gb_error *err);
/** Documents of the call with their predictions; null without documents.
 * @param tables  receives the answers that say how good the predictions are */
gb_status cli_report_documents(cli_call *call, const gb_model *model, json_t *tables, json_t **out, gb_error *err);

#endif
