/* corpus/writers/writer_jsonl.c - JSON Lines: an object for each document. */
#include "corpus/writers/writer.h"

#include "base/memory.h"
#include "store/json_text.h"

#include <math.h>
#include <string.h>

extern const gb_writer_ops gb_writer_jsonl;

/* Columns that are no fields. */
typedef struct names {
    char *id, *text;
} names;

static json_t *text_value(gb_view text)
{
    return json_stringn_nocheck(text.text, text.length);
}

static json_t *class_value(const gb_writer *w, uint64_t field, uint32_t class)
{
    gb_view name;
    name.text = gb_corpus_class(w->corpus, field, class, &name.length);
    return text_value(name);
}

static json_t *list_value(const gb_writer *w, uint64_t field, const uint32_t *class, uint64_t n)
{
    json_t *list = json_array();
    for (uint64_t i = 0; list != NULL && i < n; i++)
        if (json_array_append_new(list, class_value(w, field, class[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

/* NULL when memory runs out. */
static json_t *field_value(const gb_writer *w, uint64_t field, gb_field_kind kind, uint64_t document)
{
    const uint32_t *class = NULL;
    uint64_t n = 0;
    const double *number = gb_corpus_numbers(w->corpus, field);
    if (number != NULL)
        return isnan(number[document]) ? json_null() : json_real(number[document]);
    if (!gb_corpus_classes_of(w->corpus, field, document, &class, &n))
        return json_null();
    return kind == GB_KIND_SEVERAL ? list_value(w, field, class, n) : class_value(w, field, class[0]);
}

static gb_status set(json_t *object, const char *name, json_t *value, gb_error *err)
{
    return json_object_set_new(object, name, value) == 0 ? GB_OK : gb_fail_memory(err, 0, "a document");
}

static gb_status fill(const gb_writer *w, const names *columns, uint64_t d, json_t *object, gb_bytes *text,
                      gb_error *err)
{
    gb_status st;
    const char *name = "";
    gb_field_kind kind = GB_KIND_ONE;
    text->length = 0;
    GB_TRY(set(object, columns->id, text_value(gb_writer_id(w, d)), err));
    for (uint64_t f = 0; gb_corpus_field(w->corpus, f, &name, NULL, &kind); f++)
        GB_TRY(set(object, name, field_value(w, f, kind, d), err));
    GB_TRY(gb_writer_append_text(w, d, text, err));
    GB_TRY(set(object, columns->text, text_value((gb_view){text->length == 0 ? "" : text->data, text->length}), err));
done:
    return st;
}

static gb_status write_document(const gb_writer *w, const names *columns, uint64_t d, gb_bytes *text, gb_error *err)
{
    gb_status st;
    char *line = NULL;
    json_t *object = json_object();
    if (object == NULL)
        return gb_fail_memory(err, 0, "a document");
    GB_TRY(fill(w, columns, d, object, text, err));
    GB_TRY(gb_json_text(object, 0, &line, NULL, err));
    (void)fprintf(w->out, "%s\n", line);
done:
    json_decref(object);
    gb_free(line);
    return st;
}

static gb_status write_all(gb_writer *w, gb_error *err)
{
    gb_status st;
    names columns = {NULL, NULL};
    gb_bytes text = {0};
    GB_TRY(gb_writer_column(w, "id", &columns.id, err));
    GB_TRY(gb_writer_column(w, "text", &columns.text, err));
    for (uint64_t d = 0; d < w->corpus->n_docs; d++)
        GB_TRY(write_document(w, &columns, d, &text, err));
    if (strcmp(columns.id, "id") != 0)
        GB_TRY(gb_writer_option(w, "id", json_string(columns.id), err));
    if (strcmp(columns.text, "text") != 0)
        GB_TRY(gb_writer_option(w, "text", json_string(columns.text), err));
    GB_TRY(gb_writer_field_options(w, err));
done:
    gb_free(columns.id);
    gb_free(columns.text);
    gb_free(text.data);
    return st;
}

const gb_writer_ops gb_writer_jsonl = {.name = "jsonl",
                                       .extensions = "jsonl ndjson json",
                                       .has_text = true,
                                       .has_ids = true,
                                       .has_fields = true,
                                       .has_empty_lists = true,
                                       .write = write_all};
