/* cli/report_why.h - why documents have their scores, for a report. */
#ifndef GB_CLI_REPORT_WHY_H
#define GB_CLI_REPORT_WHY_H

#include "apply.h"

/** The largest parts of a score of each document and response, the one behind its prediction.
 *
 * @param n    documents of the batch, from the first on
 * @param out  receives `n` arrays, to be freed with gb_free() after a json_decref() of each; untouched on failure.  Each has an object for
 *             each response */
gb_status cli_report_why(const cli_call *call, const cli_batch *batch, uint64_t n, json_t ***out, gb_error *err);

#endif
