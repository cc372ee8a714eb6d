/* corpus/readers/metadata.c - a table of fields beside the documents.
 *
 * All of the wanted cells are kept in memory: row r and field f is cell r * n_fields + f. */
#include "corpus/readers/metadata.h"

#include "base/memory.h"
#include "corpus/data/name.h"
#include "corpus/data/words.h"

#include <stdio.h>
#include <string.h>

struct gb_metadata {
    char *path;
    char *separator;
    char *no_document;   /* an id of a document that the table has not; NULL: none yet */
    const char *missing; /* borrowed, during gb_metadata_open() only */
    gb_field *fields;    /* borrowed, during gb_metadata_open() only */
    size_t n_fields;
    gb_words *ids; /* joined by id: number of an id is its row; else NULL */
    gb_fold fold;  /* of ids */
    gb_decimal_commas decimal;
    uint64_t n_rows;
    uint64_t *start; /* n_rows * n_fields + 1 */
    size_t capacity;
    gb_bytes bytes;
    uint8_t *is_used;
    size_t used_capacity;
    uint64_t n_used, n_unmatched;
    gb_read_watch *watch; /* borrowed, during gb_metadata_open() only */
    uint64_t n_counted;   /* bytes of memory, by the watch */
};

/* A field like #1: the file has no header. */
static bool numbers_columns(const gb_field *fields, size_t n_fields)
{
    size_t column;
    bool by_number = false;
    for (size_t f = 0; f < n_fields; f++)
        by_number |= gb_column_number(fields[f].name, &column);
    return by_number;
}

/* A number is checked here, where the line of the table is known. */
static gb_status check_cell(const gb_metadata *m, size_t field, gb_view cell, uint64_t line, gb_error *err)
{
    double value;
    gb_error fault = {0};
    if (m->fields[field].kind != GB_KIND_NUMBER || gb_view_is_in(cell, m->missing) ||
        gb_field_number(&m->fields[field], cell, &value, &fault) == GB_OK)
        return GB_OK;
    return gb_fail(err, GB_EFORMAT, "%s:%llu: %s", m->path, (unsigned long long)line, fault.message);
}

static uint64_t bytes_of(const gb_metadata *m)
{
    return m->capacity * sizeof m->start[0] + m->bytes.capacity + m->used_capacity +
           (m->ids == NULL ? 0 : gb_words_bytes(m->ids));
}

static gb_status add_row(gb_metadata *m, gb_table_file *table, const gb_input *input, const size_t *columns,
                         size_t id_column, gb_error *err)
{
    gb_status st;
    size_t first = (size_t)m->n_rows * m->n_fields;
    GB_TRY(gb_grow(&m->start, &m->capacity, first + m->n_fields + 1, sizeof m->start[0], "metadata", err));
    GB_TRY(gb_grow(&m->is_used, &m->used_capacity, (size_t)m->n_rows + 1, 1, "metadata", err));
    m->is_used[m->n_rows] = 0;
    for (size_t f = 0; f < m->n_fields; f++) {
        const gb_field_kind kind = m->fields[f].kind;
        const gb_view cell = kind == GB_KIND_NUMBER || kind == GB_KIND_AUTO
                                 ? gb_table_file_number(table, columns[f], kind == GB_KIND_NUMBER)
                                 : gb_table_file_cell(table, columns[f]);
        GB_TRY(check_cell(m, f, cell, gb_table_file_line(table), err));
        m->start[first + f] = m->bytes.length;
        GB_TRY(gb_bytes_add(&m->bytes, cell.text, cell.length, err));
    }
    m->start[first + m->n_fields] = m->bytes.length;
    if (m->ids != NULL) {
        uint32_t row;
        gb_view id;
        GB_TRY(gb_name_of(&m->fold, gb_table_file_cell(table, id_column), &id, err));
        GB_TRY(gb_words_add(m->ids, id, &row, err));
        if (row != m->n_rows) {
            st = gb_input_fail_at(input, gb_table_file_line(table), err, "the id \"%.*s\" comes a second time",
                                  GB_SHOWN(id));
            goto done;
        }
    }
    m->n_rows++;
    m->decimal = *gb_table_file_decimal_commas(table);
    st = gb_read_watch_hold(m->watch, m->path, bytes_of(m), &m->n_counted, err);
done:
    return st;
}

static gb_status read_rows(gb_metadata *m, const gb_settings *settings, gb_input *input, gb_table_file *table,
                           gb_error *err)
{
    gb_status st;
    size_t *columns = NULL, id_column = SIZE_MAX;
    bool end = false;
    GB_TRY(gb_alloc(&columns, m->n_fields, sizeof columns[0], "columns", err));
    for (size_t f = 0; f < m->n_fields; f++) {
        GB_TRY(gb_table_file_column(table, m->fields[f].name, true, &columns[f], err));
        m->fields[f].seen = true;
    }
    GB_TRY(gb_table_file_column(table, gb_settings_text(settings, "id"), false, &id_column, err));
    for (size_t f = 0; f < m->n_fields; f++) /* --id "#1" may be meant for the documents only */
        if (columns[f] == id_column)
            id_column = SIZE_MAX;
    if (id_column != SIZE_MAX)
        GB_TRY(gb_words_create(&m->ids, err));
    for (;;) {
        GB_TRY(gb_table_file_next(table, &end, err));
        if (end)
            break;
        GB_TRY(add_row(m, table, input, columns, id_column, err));
    }
    GB_TRY(gb_input_expect_last(input, err));
    if (m->n_rows == 0)
        st = gb_fail(err, GB_EFORMAT, "%s: no rows", m->path);
done:
    gb_free(columns);
    return st;
}

static gb_status list_wanted(const char ***out, const gb_field *fields, size_t n_fields, const char *id,
                             gb_error *err)
{
    gb_status st = gb_alloc(out, n_fields + 1, sizeof **out, "columns", err);
    for (size_t f = 0; st == GB_OK && f < n_fields; f++)
        (*out)[f] = fields[f].name;
    if (st == GB_OK)
        (*out)[n_fields] = id;
    return st;
}

gb_status gb_metadata_open(gb_metadata **out, const gb_settings *settings, gb_field *fields, size_t n_fields,
                           gb_read_watch *watch, gb_error *err)
{
    gb_status st;
    gb_metadata *m = NULL;
    gb_input *input = NULL;
    gb_table_file *table = NULL;
    const char **wanted = NULL;
    const char *path = gb_settings_text(settings, "metadata");
    GB_TRY(gb_alloc(&m, 1, sizeof *m, "metadata", err));
    GB_TRY(gb_copy_text(&m->path, path, strlen(path), err));
    GB_TRY(gb_copy_text(&m->separator, gb_settings_text(settings, "label-separator"),
                        strlen(gb_settings_text(settings, "label-separator")), err));
    m->fields = fields;
    m->missing = gb_settings_text(settings, "missing");
    m->watch = watch;
    m->n_fields = n_fields;
    GB_TRY(gb_input_open(&input, path, watch, err));
    GB_TRY(gb_input_set_encoding(input, gb_settings_text(settings, "encoding"), err));
    GB_TRY(list_wanted(&wanted, fields, n_fields, gb_settings_text(settings, "id"), err));
    const gb_table_form form = {gb_table_kind_of(path, GB_TABLE_BLANKS), !numbers_columns(fields, n_fields), NULL,
                                n_fields + 1, wanted};
    GB_TRY(gb_table_file_open(&table, input, &form, err));
    GB_TRY(read_rows(m, settings, input, table, err));
    m->fields = NULL;
    m->missing = NULL;
    m->watch = NULL;
    *out = m;
    m = NULL;
done:
    gb_free(wanted);
    gb_table_file_close(table);
    gb_input_close(input);
    gb_metadata_close(m);
    return st;
}

void gb_metadata_close(gb_metadata *m)
{
    if (m == NULL)
        return;
    gb_free(m->path);
    gb_free(m->separator);
    gb_free(m->no_document);
    gb_words_free(m->ids);
    gb_fold_free(&m->fold);
    gb_free(m->start);
    gb_free(m->bytes.data);
    gb_free(m->is_used);
    gb_free(m);
}

const gb_decimal_commas *gb_metadata_decimal_commas(const gb_metadata *m)
{
    return &m->decimal;
}

uint64_t gb_metadata_n_documents(const gb_metadata *m)
{
    return m->ids == NULL ? m->n_rows : 0;
}

/* A document without an id goes by its number. */
static uint64_t find_row(gb_metadata *m, uint64_t number, const gb_raw_document *doc)
{
    char digits[24];
    gb_view id = doc->id;
    if (!doc->has_id)
        id = (gb_view){digits, (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)number)};
    uint32_t row = gb_words_find(m->ids, id);
    return row == GB_NO_WORD ? UINT64_MAX : row;
}

gb_status gb_metadata_apply(gb_metadata *m, uint64_t number, const gb_field *fields, gb_raw_document *doc,
                            gb_error *err)
{
    gb_status st = GB_OK;
    uint64_t row = m->ids == NULL ? number - 1 : find_row(m, number, doc);
    if (row == UINT64_MAX) {
        m->n_unmatched++;
        return m->no_document == NULL && doc->has_id
                   ? gb_copy_text(&m->no_document, doc->id.text, doc->id.length, err)
                   : GB_OK;
    }
    if (row >= m->n_rows)
        return gb_fail(err, GB_EFORMAT, "%s: %llu row%s, and there are more documents than that", m->path,
                       (unsigned long long)m->n_rows, m->n_rows == 1 ? "" : "s");
    m->n_used += !m->is_used[row];
    m->is_used[row] = 1;
    for (size_t f = 0; f < m->n_fields; f++) {
        const uint64_t *start = m->start + row * m->n_fields + f;
        gb_view cell = {start[1] == start[0] ? "" : m->bytes.data + start[0], (size_t)(start[1] - start[0])};
        GB_TRY(gb_raw_set_cell(doc, f, fields[f].kind, cell, m->separator, err));
    }
done:
    return st;
}

gb_status gb_metadata_check_end(const gb_metadata *m, uint64_t n_documents, gb_error *err)
{
    if (m->ids == NULL && n_documents < m->n_rows)
        return gb_fail(err, GB_EFORMAT, "%s: %llu rows for %llu document%s", m->path, (unsigned long long)m->n_rows,
                       (unsigned long long)n_documents, n_documents == 1 ? "" : "s");
    if (m->ids != NULL && n_documents > 0 && m->n_used == 0)
        return gb_fail(err, GB_EFORMAT, "%s: no document has one of its ids", m->path);
    return GB_OK;
}

gb_status gb_metadata_notes(const gb_metadata *m, json_t *notes, gb_error *err)
{
    if (json_object_set_new(notes, "metadata_rows_without_document",
                            json_integer((json_int_t)(m->n_rows - m->n_used))) != 0 ||
        json_object_set_new(notes, "documents_without_metadata_row", json_integer((json_int_t)m->n_unmatched)) != 0)
        return gb_fail(err, GB_ENOMEM, "out of memory: notes");
    uint32_t unused = 0;
    while (unused < m->n_rows && m->is_used[unused])
        unused++;
    if (m->no_document == NULL || m->ids == NULL || unused == m->n_rows) /* no ids to compare */
        return GB_OK;
    const gb_view other = gb_words_text(m->ids, unused);
    if (json_object_set_new(notes, "id_without_metadata_row", json_string(m->no_document)) != 0 ||
        json_object_set_new(notes, "metadata_id_without_document", json_stringn(other.text, other.length)) != 0)
        return gb_fail(err, GB_ENOMEM, "out of memory: notes");
    return GB_OK;
}
