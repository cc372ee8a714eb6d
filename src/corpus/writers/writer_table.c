/* corpus/writers/writer_table.c - CSV and TSV: a row of names, then a row for each document. */
#include "corpus/writers/writer.h"

#include "base/memory.h"

#include <string.h>

extern const gb_writer_ops gb_writer_csv, gb_writer_tsv;

/* A cell is made in memory first, to see whether it needs quotes.  The stream of the writer is that memory meanwhile. */
typedef struct table {
    gb_writer *w;
    char between;
    FILE *file, *cell;
    char *text;
    size_t length;
} table;

static void quote(const table *t)
{
    (void)putc('"', t->file);
    for (size_t i = 0; i < t->length; i++) {
        if (t->text[i] == '"')
            (void)putc('"', t->file);
        (void)putc(t->text[i], t->file);
    }
    (void)putc('"', t->file);
}

static bool needs_quotes(const table *t)
{
    return t->between == ',' && t->length > 0 &&
           (t->text[0] == ' ' || t->text[t->length - 1] == ' ' || memchr(t->text, ',', t->length) != NULL ||
            memchr(t->text, '"', t->length) != NULL);
}

/* The end of the cell that was written to t->cell. */
static gb_status end_cell(table *t, char after, gb_error *err)
{
    if (fflush(t->cell) != 0 || ferror(t->cell))
        return gb_fail_memory(err, 0, "a cell");
    t->length = (size_t)ftello(t->cell);
    if (needs_quotes(t))
        quote(t);
    else
        (void)fwrite(t->text, 1, t->length, t->file);
    (void)putc(after, t->file);
    rewind(t->cell);
    return GB_OK;
}

static gb_status write_name(table *t, const char *name, char after, gb_error *err)
{
    (void)fputs(name, t->cell);
    return end_cell(t, after, err);
}

static gb_status write_names(table *t, gb_error *err)
{
    gb_status st;
    const uint64_t n = gb_corpus_n_fields(t->w->corpus);
    char *id = NULL, *text = NULL;
    const char *name = "";
    GB_TRY(gb_writer_column(t->w, "id", &id, err));
    GB_TRY(gb_writer_column(t->w, "text", &text, err));
    GB_TRY(write_name(t, id, t->between, err));
    for (uint64_t f = 0; f < n; f++) {
        (void)gb_corpus_field(t->w->corpus, f, &name, NULL, NULL);
        GB_TRY(write_name(t, name, t->between, err));
    }
    GB_TRY(write_name(t, text, '\n', err));
    if (strcmp(id, "id") != 0)
        GB_TRY(gb_writer_option(t->w, "id", json_string(id), err));
    if (strcmp(text, "text") != 0)
        GB_TRY(gb_writer_option(t->w, "text", json_string(text), err));
done:
    gb_free(id);
    gb_free(text);
    return st;
}

static gb_status write_row(table *t, uint64_t document, gb_error *err)
{
    gb_status st;
    const uint64_t n = gb_corpus_n_fields(t->w->corpus);
    gb_writer_view(t->w, gb_writer_id(t->w, document));
    GB_TRY(end_cell(t, t->between, err));
    for (uint64_t f = 0; f < n; f++) {
        (void)gb_writer_cell(t->w, f, document);
        GB_TRY(end_cell(t, t->between, err));
    }
    gb_writer_text(t->w, document);
    GB_TRY(end_cell(t, '\n', err));
done:
    return st;
}

static gb_status write_table(gb_writer *w, char between, gb_error *err)
{
    gb_status st;
    table t = {.w = w, .between = between, .file = w->out};
    t.cell = open_memstream(&t.text, &t.length);
    if (t.cell == NULL)
        return gb_fail_memory(err, 0, "a cell");
    w->out = t.cell;
    GB_TRY(write_names(&t, err));
    for (uint64_t d = 0; d < w->corpus->n_docs; d++)
        GB_TRY(write_row(&t, d, err));
    GB_TRY(gb_writer_field_options(w, err));
done:
    w->out = t.file;
    (void)fclose(t.cell);
    gb_free(t.text);
    return st;
}

static gb_status write_csv(gb_writer *w, gb_error *err)
{
    return write_table(w, ',', err);
}

static gb_status write_tsv(gb_writer *w, gb_error *err)
{
    return write_table(w, '\t', err);
}

const gb_writer_ops gb_writer_csv = {
    .name = "csv", .extensions = "csv", .has_text = true, .has_ids = true, .has_fields = true, .write = write_csv};
const gb_writer_ops gb_writer_tsv = {.name = "tsv",
                                     .extensions = "tsv tab",
                                     .has_text = true,
                                     .has_ids = true,
                                     .has_fields = true,
                                     .write = write_tsv};
