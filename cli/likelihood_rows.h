/* cli/likelihood_rows.h - a table of held-out likelihoods: a row per document. */
#ifndef GB_CLI_LIKELIHOOD_ROWS_H
#define GB_CLI_LIKELIHOOD_ROWS_H

#include "common.h"
#include "table.h"

/** The table that --output asks for; NULL, and nothing else, without it.
 *
 * @param has_parts  the first column says what was held out
 * @return GB_EARGUMENT if `has_likelihood` is false: there would be no rows */
gb_status cli_likelihood_open(const cli_call *call, bool has_likelihood, bool has_parts, cli_table **out,
                              gb_error *err);

/** @param part  what was held out; NULL without such a column */
void cli_likelihood_rows(cli_table *table, const char *part, const gb_corpus *docs, const uint64_t *n_unknown,
                         const gb_held_out *likelihood);

#endif
