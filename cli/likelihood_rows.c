/* cli/likelihood_rows.c - a table of held-out likelihoods, batch by batch. */
#include "likelihood_rows.h"

#include "answer.h"

gb_status cli_likelihood_open(const cli_call *call, bool has_likelihood, cli_table **out, gb_error *err)
{
    if (*cli_text(call, "output") == '\0')
        return GB_OK;
    if (!has_likelihood)
        return cli_fail(err, GB_EARGUMENT,
                        "--output writes likelihoods; choose a way to estimate them: --held-out METHOD");
    return cli_table_open_output(out, call, err);
}

gb_status cli_likelihood_rows(const cli_call *call, cli_table *table, const gb_subject *subject, bool is_first,
                              gb_error *err)
{
    gb_table *rows = NULL;
    gb_status st = GB_OK;
    if (table == NULL)
        return st;
    CLI_TRY(gb_answer("likelihood", subject, call->settings, &rows, err));
    st = is_first ? cli_write_answer(table, rows, err) : cli_append_answer(table, rows, err);
done:
    gb_table_free(rows);
    return st;
}
