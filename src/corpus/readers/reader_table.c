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
    size_t n_texts, *text_columns;
    size_t id_column;      /* SIZE_MAX for none */
    size_t *field_columns; /* of each field; fields of the metadata have none here */
    gb_bytes text;         /* of several columns */
} table_reader;

extern const gb_reader_ops gb_reader_csv, gb_reader_tsv;

static bool has_header(const gb_reader_context *c)
{
    size_t column;
    bool by_number = gb_column_number(c->id, &column);
    for (size_t i = 0; i < c->texts.n; i++)
        by_number |= gb_column_number(c->texts.field[i].name, &column);
    for (size_t f = c->first_field; f < c->n_fields; f++)
        by_number |= gb_column_number(c->fields[f].name, &column);
    return !by_number;
}

static void close_table(void *state)
{
    table_reader *t = state;
    gb_table_file_close(t->table);
    gb_free(t->text_columns);
    gb_free(t->field_columns);
    gb_free(t->text.data);
    gb_free(t);
}

/* A name with a comma may also be that of one column. */
static gb_status find_texts(table_reader *t, gb_error *err)
{
    gb_status st;
    const gb_reader_context *c = t->context;
    GB_TRY(gb_alloc(&t->text_columns, c->texts.n, sizeof t->text_columns[0], "fields", err));
    const bool is_one = c->texts.n == 1 && !c->texts.has_bags;
    t->n_texts = 1;
    GB_TRY(gb_table_file_column(t->table, c->text, is_one, &t->text_columns[0], err));
    if (t->text_columns[0] != SIZE_MAX)
        return GB_OK;
    for (t->n_texts = 0; t->n_texts < c->texts.n; t->n_texts++)
        GB_TRY(
            gb_table_file_column(t->table, c->texts.field[t->n_texts].name, true, &t->text_columns[t->n_texts], err));
done:
    return st;
}

/* The column "id" may be missing unless another name was given. */
static gb_status find_columns(table_reader *t, gb_error *err)
{
    gb_status st;
    const gb_reader_context *c = t->context;
    bool needs_id = strcmp(c->id, "id") != 0;
    GB_TRY(find_texts(t, err));
    GB_TRY(gb_table_file_column(t->table, c->id, needs_id, &t->id_column, err));
    GB_TRY(gb_alloc(&t->field_columns, c->n_fields, sizeof t->field_columns[0], "fields", err));
    for (size_t f = c->first_field; f < c->n_fields; f++) {
        GB_TRY(gb_table_file_column(t->table, c->fields[f].name, true, &t->field_columns[f], err));
        c->fields[f].seen = true;
    }
done:
    return st;
}

/* All that a separator which is noticed should give. */
static gb_status list_wanted(const gb_reader_context *c, const char ***out, size_t *n, gb_error *err)
{
    gb_status st = gb_alloc(out, c->texts.n + c->n_fields + 1, sizeof **out, "fields", err);
    if (st != GB_OK)
        return st;
    for (*n = 0; *n < c->texts.n; ++*n)
        (*out)[*n] = c->texts.field[*n].name;
    (*out)[(*n)++] = c->id;
    for (size_t f = c->first_field; f < c->n_fields; f++)
        (*out)[(*n)++] = c->fields[f].name;
    return GB_OK;
}

static gb_status open_table(void **state, gb_reader_context *context, gb_table_kind kind, gb_error *err)
{
    gb_status st;
    table_reader *t = NULL;
    const char **wanted = NULL;
    gb_table_form form = {.kind = kind, .has_header = has_header(context)};
    GB_TRY(gb_alloc(&t, 1, sizeof *t, "a reader", err));
    t->context = context;
    GB_TRY(list_wanted(context, &wanted, &form.n_wanted, err));
    form.wanted = wanted;
    form.separator = gb_settings_text(context->settings, "separator");
    GB_TRY(gb_table_file_open(&t->table, context->input, &form, err));
    GB_TRY(find_columns(t, err));
    *state = t;
    t = NULL;
done:
    gb_free(wanted);
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

static gb_status read_text(table_reader *t, gb_raw_document *doc, gb_error *err)
{
    gb_status st = GB_OK;
    const bool has_bags = t->context->texts.has_bags;
    doc->text = gb_table_file_cell(t->table, t->text_columns[0]);
    if (t->n_texts == 1 && !has_bags)
        return GB_OK;
    t->text.length = 0;
    for (size_t i = 0; i < t->n_texts; i++) {
        const gb_view cell = gb_table_file_cell(t->table, t->text_columns[i]);
        GB_TRY(gb_bytes_add(&t->text, GB_BETWEEN_TEXTS, i == 0 ? 0 : strlen(GB_BETWEEN_TEXTS), err));
        GB_TRY(gb_bytes_add(&t->text, cell.text, cell.length, err));
        if (has_bags)
            GB_TRY(gb_raw_add_part(doc, t->context->texts.field[i].bag, t->text.length, err));
    }
    doc->text = (gb_view){t->text.data, t->text.length};
done:
    return st;
}

static gb_status next(void *state, gb_raw_document *doc, bool *end, gb_error *err)
{
    gb_status st;
    table_reader *t = state;
    GB_TRY(gb_table_file_next(t->table, end, err));
    if (*end)
        return GB_OK;
    GB_TRY(read_text(t, doc, err));
    doc->has_id = t->id_column != SIZE_MAX;
    if (doc->has_id)
        doc->id = gb_view_trim(gb_table_file_cell(t->table, t->id_column));
    for (size_t f = t->context->first_field; f < t->context->n_fields; f++) {
        const gb_field_kind kind = t->context->fields[f].kind;
        const bool is_number = kind == GB_KIND_NUMBER || kind == GB_KIND_AUTO;
        const gb_view cell = is_number ? gb_table_file_number(t->table, t->field_columns[f], kind == GB_KIND_NUMBER)
                                       : gb_table_file_cell(t->table, t->field_columns[f]);
        GB_TRY(gb_raw_set_cell(doc, f, kind, cell, t->context->separator, err));
    }
    if (t->context->decimal.n == 0)
        t->context->decimal = *gb_table_file_decimal_commas(t->table);
    t->context->decimal.n = gb_table_file_decimal_commas(t->table)->n;
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
