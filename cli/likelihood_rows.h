/* cli/likelihood_rows.h - a table of held-out likelihoods, batch by batch. */
#ifndef GB_CLI_LIKELIHOOD_ROWS_H
#define GB_CLI_LIKELIHOOD_ROWS_H

#include "common.h"
#include "table.h"

/** The table that --output asks for; NULL, and nothing else, without it.
 * @return GB_EARGUMENT if `has_likelihood` is false: there would be no rows */
gb_status cli_likelihood_open(const cli_call *call, bool has_likelihood, cli_table **out, gb_error *err);

/** Append the answer to the question "likelihood"; nothing without a table.
 * @param is_first  of all batches, with which the columns are named */
gb_status cli_likelihood_rows(const cli_call *call, cli_table *table, const gb_subject *subject, bool is_first,
                              gb_error *err);

#endif
