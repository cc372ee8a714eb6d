/* cli/likelihood_rows.c - a table of held-out likelihoods: a row per document. */
#include "likelihood_rows.h"

#include <math.h>
#include <string.h>

static gb_status add_columns(cli_table *table, bool has_parts, gb_error *err)
{
    static const char *const names[] = {"id", "n_scored", "n_unknown", "log_likelihood", "mc_se"};
    gb_status st = has_parts ? cli_table_column(table, "", "held_out", err) : GB_OK;
    for (size_t i = 0; st == GB_OK && i < sizeof names / sizeof names[0]; i++)
        st = cli_table_column(table, "", names[i], err);
    return st;
}

gb_status cli_likelihood_open(const cli_call *call, bool has_likelihood, bool has_parts, cli_table **out,
                              gb_error *err)
{
    const char *path = cli_text(call, "output");
    if (*path == '\0')
        return cli_is_set(call, "table") ? cli_fail(err, GB_EARGUMENT, "--table needs --output FILE") : GB_OK;
    if (!has_likelihood)
        return cli_fail(err, GB_EARGUMENT,
                        "--output writes likelihoods; choose a way to estimate them: --held-out METHOD");
    const gb_status st = cli_table_open_output(out, call, err);
    return st == GB_OK ? add_columns(*out, has_parts, err) : st;
}

void cli_likelihood_rows(cli_table *table, const char *part, const gb_corpus *docs, const uint64_t *n_unknown,
                         const gb_held_out *likelihood)
{
    for (uint64_t d = 0; d < likelihood->n_docs; d++) {
        const bool has_any = likelihood->n_scored[d] > 0;
        if (part != NULL)
            cli_table_text(table, part, strlen(part));
        const cli_view id = cli_id(docs, d);
        cli_table_text(table, id.bytes, id.length);
        cli_table_count(table, likelihood->n_scored[d]);
        cli_table_count(table, n_unknown[d]);
        cli_table_real(table, has_any ? likelihood->log_likelihood[d] : NAN);
        cli_table_real(table, has_any ? likelihood->standard_error[d] : NAN);
    }
}
