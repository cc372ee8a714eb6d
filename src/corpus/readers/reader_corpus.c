/* corpus/readers/reader_corpus.c - a corpus file, document by document: for a model with another vocabulary, and to leave
 * words out of it.  It has all fields of the file, or the ones that are asked for. */
#include "corpus/readers/reader.h"

#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/choose_fields.h"
#include "corpus/data/shards.h"

#include <math.h>

typedef struct corpus_reader {
    gb_reader_context *context;
    gb_corpus *corpus;
    uint64_t next;
} corpus_reader;

extern const gb_reader_ops gb_reader_corpus;

static void close_corpus(void *state)
{
    corpus_reader *r = state;
    gb_corpus_free(r->corpus);
    gb_free(r);
}

/* The metadata has all fields of a role of which it has one. */
static bool is_elsewhere(const corpus_reader *r, gb_role role)
{
    return gb_fields_have(r->context->fields, r->context->first_field, role);
}

/* The reader's fields are the fields of the file that are wanted: labels and factors, then numbers. */
static gb_status list_fields(corpus_reader *r, gb_error *err)
{
    gb_status st = GB_OK;
    gb_reader_context *to = r->context;
    while (to->n_fields > to->first_field)
        gb_free(to->fields[--to->n_fields].name);
    for (size_t i = 0; i < r->corpus->n_labels; i++) {
        const gb_labels *l = &r->corpus->labels[i];
        if (is_elsewhere(r, l->role))
            continue;
        gb_field_kind kind = l->several ? GB_KIND_SEVERAL : GB_KIND_ONE;
        gb_field field = {(char *)(uintptr_t)l->name, kind, l->role, .seen = true};
        GB_TRY(gb_fields_add(&to->fields, &to->n_fields, &field, err));
    }
    for (size_t i = 0; i < r->corpus->n_numbers; i++) {
        const gb_numbers *n = &r->corpus->numbers[i];
        if (is_elsewhere(r, n->role))
            continue;
        gb_field field = {(char *)(uintptr_t)n->name, GB_KIND_NUMBER, n->role, .seen = true};
        GB_TRY(gb_fields_add(&to->fields, &to->n_fields, &field, err));
    }
done:
    return st;
}

static gb_status open_corpus(void **state, gb_reader_context *context, gb_error *err)
{
    gb_status st;
    corpus_reader *r = NULL;
    GB_TRY(gb_alloc(&r, 1, sizeof *r, "a reader", err));
    r->context = context;
    GB_TRY(gb_corpus_open(context->path, &r->corpus, err));
    const size_t first = context->first_field;
    if (first < context->n_fields) /* there is no metadata */
        GB_TRY(gb_corpus_choose_fields(r->corpus, context->path, context->fields, context->n_fields, err));
    GB_TRY(list_fields(r, err));
    context->names = r->corpus->vocabulary;
    context->preparation = json_incref(r->corpus->preparation);
    *state = r;
    r = NULL;
done:
    if (r != NULL)
        close_corpus(r);
    return st;
}

static gb_status read_labels(const corpus_reader *r, const gb_labels *labels, size_t field, gb_raw_document *doc,
                             gb_error *err)
{
    gb_status st = GB_OK;
    if (!labels->labelled[r->next])
        return GB_OK;
    gb_raw_begin_field(doc, field);
    for (uint64_t i = labels->doc_start[r->next]; i < labels->doc_start[r->next + 1]; i++)
        GB_TRY(gb_raw_add_class(doc, field, gb_texts_view(&labels->classes, labels->class_of[i]), err));
done:
    return st;
}

/* The text reads back as the same number. */
static gb_status read_number(double value, size_t field, gb_raw_document *doc, gb_error *err)
{
    char text[GB_REAL_SIZE];
    if (isnan(value))
        return GB_OK;
    gb_text_from_real(value, text);
    gb_raw_begin_field(doc, field);
    return gb_raw_add_class(doc, field, gb_view_of(text), err);
}

static gb_status read_fields(const corpus_reader *r, gb_raw_document *doc, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_corpus *c = r->corpus;
    size_t field = r->context->first_field;
    for (size_t i = 0; i < c->n_labels; i++)
        if (!is_elsewhere(r, c->labels[i].role))
            GB_TRY(read_labels(r, &c->labels[i], field++, doc, err));
    for (size_t i = 0; i < c->n_numbers; i++)
        if (!is_elsewhere(r, c->numbers[i].role))
            GB_TRY(read_number(c->numbers[i].value[r->next], field++, doc, err));
done:
    return st;
}

static gb_status next(void *state, gb_raw_document *doc, bool *end, gb_error *err)
{
    gb_status st = GB_OK;
    corpus_reader *r = state;
    const gb_corpus *c = r->corpus;
    *end = r->next == c->n_docs;
    if (*end)
        return GB_OK;
    doc->has_id = true;
    doc->id = gb_texts_view(&c->ids, r->next);
    if (c->text.count > 0)
        doc->original = gb_texts_view(&c->text, r->next);
    for (uint64_t i = c->doc_start[r->next]; i < c->doc_start[r->next + 1]; i++)
        GB_TRY(gb_raw_add_count(doc, c->word[i], 1, err));
    GB_TRY(read_fields(r, doc, err));
    doc->embedding_width = c->embedding.width;
    doc->embedding = c->embedding.width == 0 ? NULL : c->embedding.value + r->next * c->embedding.width;
    r->next++;
done:
    return st;
}

const gb_reader_ops gb_reader_corpus = {
    .name = "corpus",
    .extensions = "gbc",
    .open = open_corpus,
    .next = next,
    .close = close_corpus,
};
