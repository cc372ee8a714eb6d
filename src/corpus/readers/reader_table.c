/* corpus/readers/reader_table.c - CSV and TSV: one row per document, columns by name or by number (#1, #2, ...).
 *
 * A column given by number among text, id and fields means that the file has no header row. */
#include "corpus/readers/reader.h"

#include "base/memory.h"
#include "corpus/readers/table.h"

#include <string.h>

typedef struct table_reader {
    gb_reader_context *context;
    gb_table_file *table;
    size_t text_column, id_column; /* id: SIZE_MAX for none */
    size_t *field_columns;         /* of each field; fields of the metadata have none here */
} table_reader;

extern const gb_reader_ops gb_reader_csv, gb_reader_tsv;

static bool has_header(const gb_reader_context *c)
{
    size_t column;
    bool by_number = gb_column_number(c->text, &column) || gb_column_number(c->id, &column);
    for (size_t f = c->first_field; f < c->n_fields; f++)
        by_number |= gb_column_number(c->fields[f].name, &column);
    return !by_number;
}

static void close_table(void *state)
{
    table_reader *t = state;
    gb_table_file_close(t->table);
    gb_free(t->field_columns);
    gb_free(t);
}

/* The column "id" may be missing unless another name was given. */
static gb_status find_columns(table_reader *t, gb_error *err)
{
    gb_status st;
    const gb_reader_context *c = t->context;
    bool needs_id = strcmp(c->id, "id") != 0;
    GB_TRY(gb_table_file_column(t->table, c->text, true, &t->text_column, err));
    GB_TRY(gb_table_file_column(t->table, c->id, needs_id, &t->id_column, err));
    GB_TRY(gb_alloc(&t->field_columns, c->n_fields, sizeof t->field_columns[0], "fields", err));
    for (size_t f = c->first_field; f < c->n_fields; f++) {
        GB_TRY(gb_table_file_column(t->table, c->fields[f].name, true, &t->field_columns[f], err));
        c->fields[f].seen = true;
    }
done:
    return st;
}

static gb_status open_table(void **state, gb_reader_context *context, gb_table_kind kind, gb_error *err)
{
    gb_status st;
    table_reader *t = NULL;
    GB_TRY(gb_alloc(&t, 1, sizeof *t, "a reader", err));
    t->context = context;
    GB_TRY(gb_table_file_open(&t->table, context->input, kind, has_header(context), err));
    GB_TRY(find_columns(t, err));
    *state = t;
    t = NULL;
done:
    if (t != NULL)
        close_table(t);
    return st;
}

static gb_status open_csv(void **state, gb_reader_context *context, gb_error *err)
{
    return open_table(state, context, GB_TABLE_CSV, err);
}

static gb_status open_tsv(void **state, gb_reader_context *context, gb_error *err)
{
    return open_table(state, context, GB_TABLE_TSV, err);
}

static gb_status next(void *state, gb_raw_document *doc, bool *end, gb_error *err)
{
    gb_status st;
    table_reader *t = state;
    GB_TRY(gb_table_file_next(t->table, end, err));
    if (*end)
        return GB_OK;
    doc->text = gb_table_file_cell(t->table, t->text_column);
    doc->has_id = t->id_column != SIZE_MAX;
    if (doc->has_id)
        doc->id = gb_view_trim(gb_table_file_cell(t->table, t->id_column));
    for (size_t f = t->context->first_field; f < t->context->n_fields; f++) {
        gb_view cell = gb_table_file_cell(t->table, t->field_columns[f]);
        GB_TRY(gb_raw_set_cell(doc, f, t->context->fields[f].kind, cell, t->context->separator, err));
    }
done:
    return st;
}

static bool sniff_tsv(gb_view first_line)
{
    return memchr(first_line.text, '\t', first_line.length) != NULL;
}

const gb_reader_ops gb_reader_csv = {
    .name = "csv",
    .extensions = "csv",
    .has_text = true,
    .opens_input = true,
    .open = open_csv,
    .next = next,
    .close = close_table,
};

const gb_reader_ops gb_reader_tsv = {
    .name = "tsv",
    .extensions = "tsv tab",
    .has_text = true,
    .opens_input = true,
    .sniff = sniff_tsv,
    .open = open_tsv,
    .next = next,
    .close = close_table,
};
