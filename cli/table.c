/* cli/table.c - rows of results as CSV (RFC 4180), TSV or JSON Lines.
 *
 * Write errors stay in the stream's error flag until the output is committed. */
#include "table.h"

#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef enum table_layout { CSV, TSV, JSONL } table_layout;

struct cli_table {
    gb_out_file *output;
    FILE *stream;
    table_layout layout;
    bool safe;   /* no cell may be taken for a formula */
    char **name; /* of the columns */
    size_t n_columns, room;
    size_t at;  /* column of the next value */
    bool begun; /* the header is written */
};

gb_status cli_table_open(cli_table **out, const char *path, bool force, const char *layout, gb_error *err)
{
    cli_table *table = NULL;
    gb_status st;
    CLI_TRY(cli_alloc(&table, 1, sizeof *table, "a table", err));
    CLI_TRY(gb_out_file_open(&table->output, path, force, err));
    table->stream = gb_out_file_stream(table->output);
    table->layout = strcmp(layout, "csv") == 0 ? CSV : strcmp(layout, "tsv") == 0 ? TSV : JSONL;
    *out = table;
    table = NULL;
done:
    cli_table_discard(table);
    return st;
}

gb_status cli_table_open_output(cli_table **out, const cli_call *call, gb_error *err)
{
    cli_table *table = NULL;
    gb_error opened = {.status = GB_OK};
    gb_status st;
    const char *path = gb_team_rank(call->team) == 0 ? cli_text(call, "output") : "";
    opened.status = cli_table_open(&table, path, cli_flag(call, "force"), cli_text(call, "table"), &opened);
    if (gb_team_rank(call->team) > 0 && opened.status != GB_OK)
        return cli_fail(err, opened.status, "%s", opened.message);
    if (table != NULL)
        table->safe = cli_flag(call, "safe-cells");
    CLI_TRY(gb_team_broadcast(call->team, 0, &opened, sizeof opened, err));
    if (opened.status != GB_OK) {
        st = cli_fail(err, opened.status, "%s", opened.message);
        goto done;
    }
    *out = table;
    table = NULL;
done:
    cli_table_discard(table);
    return st;
}

gb_status cli_table_column(cli_table *table, const char *prefix, const char *name, gb_error *err)
{
    char *copy = NULL;
    gb_status st;
    CLI_TRY(cli_grow(&table->name, &table->room, table->n_columns + 1, sizeof *table->name, "a table", err));
    CLI_TRY(cli_alloc(&copy, strlen(prefix) + strlen(name) + 1, 1, "a table", err));
    (void)stpcpy(stpcpy(copy, prefix), name);
    table->name[table->n_columns++] = copy;
done:
    return st;
}

bool cli_table_has_columns(const cli_table *table)
{
    return table->n_columns > 0;
}

void cli_table_discard(cli_table *table)
{
    if (table == NULL)
        return;
    gb_out_file_discard(table->output);
    for (size_t i = 0; i < table->n_columns; i++)
        gb_free(table->name[i]);
    free(table->name);
    gb_free(table);
}

/* ---- texts ----------------------------------------------------------------------------------------- */

static bool needs_quotes(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (bytes[i] == ',' || bytes[i] == '"' || bytes[i] == '\r' || bytes[i] == '\n')
            return true;
    return false;
}

/* The inside of a cell, without the quotation marks around it. */
static void put_inner(const cli_table *table, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = bytes[i];
        if (table->layout == TSV && (c == '\t' || c == '\n' || c == '\r'))
            c = ' ';
        if (table->layout == CSV && c == '"')
            (void)putc_unlocked('"', table->stream);
        (void)putc_unlocked(c, table->stream);
    }
}

/* Spreadsheets take a cell that begins so for a formula, which may call programs; an apostrophe makes it a text. */
static void put_guard(const cli_table *table, const char *bytes, size_t length)
{
    static const char first[] = {'=', '+', '-', '@', '\t', '\r'};
    if (table->safe && length > 0 && memchr(first, bytes[0], sizeof first) != NULL)
        (void)putc_unlocked('\'', table->stream);
}

static void put_cell(const cli_table *table, const char *bytes, size_t length)
{
    bool quoted = table->layout == CSV && needs_quotes(bytes, length);
    if (quoted)
        (void)putc_unlocked('"', table->stream);
    put_guard(table, bytes, length);
    put_inner(table, bytes, length);
    if (quoted)
        (void)putc_unlocked('"', table->stream);
}

/* ---- the header ------------------------------------------------------------------------------------ */

static void begin(cli_table *table)
{
    if (table->begun)
        return;
    table->begun = true;
    for (size_t i = 0; i < table->n_columns && table->layout != JSONL; i++) {
        if (i > 0)
            (void)putc_unlocked(table->layout == CSV ? ',' : '\t', table->stream);
        put_cell(table, table->name[i], strlen(table->name[i]));
    }
    if (table->layout != JSONL)
        (void)putc_unlocked('\n', table->stream);
}

/* ---- the end ------------------------------------------------------------------------------------- */

gb_status cli_table_commit(cli_table *table, gb_error *err)
{
    begin(table);
    gb_out_file *output = table->output;
    table->output = NULL;
    cli_table_discard(table);
    return gb_out_file_commit(output, err);
}

/* ---- values ---------------------------------------------------------------------------------------- */

static void begin_value(cli_table *table)
{
    begin(table);
    if (table->layout != JSONL) {
        if (table->at > 0)
            (void)putc_unlocked(table->layout == CSV ? ',' : '\t', table->stream);
        return;
    }
    const char *name = table->name[table->at];
    (void)fputs_unlocked(table->at == 0 ? "{" : ",", table->stream);
    cli_json_put_text(table->stream, name, strlen(name));
    (void)putc_unlocked(':', table->stream);
}

static void end_value(cli_table *table)
{
    if (++table->at < table->n_columns)
        return;
    table->at = 0;
    (void)fputs_unlocked(table->layout == JSONL ? "}\n" : "\n", table->stream);
}

void cli_table_text(cli_table *table, const char *bytes, size_t length)
{
    begin_value(table);
    if (table->layout == JSONL)
        cli_json_put_text(table->stream, bytes, length);
    else
        put_cell(table, bytes, length);
    end_value(table);
}

static void put_real(const cli_table *table, double value, double spread)
{
    if (isfinite(value))
        (void)fprintf(table->stream, "%.*g", cli_digits(value, spread), value);
    else if (table->layout == JSONL)
        (void)fputs_unlocked("null", table->stream);
}

void cli_table_real(cli_table *table, double value)
{
    cli_table_real_within(table, value, NAN);
}

void cli_table_real_within(cli_table *table, double value, double spread)
{
    begin_value(table);
    put_real(table, value, spread);
    end_value(table);
}

void cli_table_count(cli_table *table, uint64_t value)
{
    begin_value(table);
    (void)fprintf(table->stream, "%" PRIu64, value);
    end_value(table);
}

/* A text between semicolons: those of its own, and backslashes, get a backslash before them. */
static void put_item(const cli_table *table, const cli_view *item)
{
    for (size_t i = 0; i < item->length; i++) {
        if (item->bytes[i] == ';' || item->bytes[i] == '\\')
            (void)putc_unlocked('\\', table->stream);
        put_inner(table, item->bytes + i, 1);
    }
}

void cli_table_list(cli_table *table, size_t n, const cli_view *item)
{
    begin_value(table);
    bool quoted = false, json = table->layout == JSONL;
    for (size_t i = 0; table->layout == CSV && i < n; i++)
        quoted = quoted || needs_quotes(item[i].bytes, item[i].length);
    (void)fputs_unlocked(json ? "[" : quoted ? "\"" : "", table->stream);
    if (!json && n > 0)
        put_guard(table, item[0].bytes, item[0].length);
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            (void)putc_unlocked(json ? ',' : ';', table->stream);
        if (json)
            cli_json_put_text(table->stream, item[i].bytes, item[i].length);
        else
            put_item(table, &item[i]);
    }
    (void)fputs_unlocked(json ? "]" : quoted ? "\"" : "", table->stream);
    end_value(table);
}

void cli_table_reals(cli_table *table, size_t n, const double *value)
{
    begin_value(table);
    const bool json = table->layout == JSONL;
    (void)fputs_unlocked(json ? "[" : "", table->stream);
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            (void)putc_unlocked(json ? ',' : ';', table->stream);
        put_real(table, value[i], NAN);
    }
    (void)fputs_unlocked(json ? "]" : "", table->stream);
    end_value(table);
}
