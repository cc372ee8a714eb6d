/* corpus/reader_corpus.c - a corpus file, document by document: for a model with another vocabulary, and to leave
 * words out of it.  Without label fields asked for, it has those that it has. */
#include "corpus/reader.h"

#include "base/memory.h"
#include "corpus/corpus_file.h"
#include "corpus/word_list.h"

#include <string.h>

typedef struct corpus_reader {
    gb_reader_context *context;
    gb_corpus *corpus;
    const gb_labels **labels; /* of each field */
    uint64_t next;
} corpus_reader;

extern const gb_reader_ops gb_reader_corpus;

static void close_corpus(void *state)
{
    corpus_reader *r = state;
    gb_corpus_free(r->corpus);
    gb_free(r->labels);
    gb_free(r);
}

static const gb_labels *find_labels(const gb_corpus *corpus, const char *name)
{
    for (size_t i = 0; i < corpus->n_labels; i++)
        if (strcmp(corpus->labels[i].name, name) == 0)
            return &corpus->labels[i];
    return NULL;
}

static gb_status find_fields(corpus_reader *r, gb_error *err)
{
    gb_status st;
    gb_reader_context *c = r->context;
    for (size_t i = 0; i < r->corpus->n_labels; i++) {
        const gb_labels *labels = &r->corpus->labels[i];
        GB_TRY(gb_reader_default_field(c, labels->name, labels->several, err));
    }
    GB_TRY(gb_alloc(&r->labels, c->n_fields, sizeof(gb_labels *), "label fields", err));
    for (size_t f = 0; f < c->n_fields; f++) {
        r->labels[f] = find_labels(r->corpus, c->fields[f].name);
        if (r->labels[f] == NULL)
            return gb_fail(err, GB_EFORMAT, "%s: no label field \"%s\"", c->path, c->fields[f].name);
        if (r->labels[f]->several && !c->fields[f].several)
            return gb_fail(err, GB_EARGUMENT,
                           "%s: the label field \"%s\" has several classes per document; "
                           "it takes --labels",
                           c->path, c->fields[f].name);
        c->fields[f].seen = true;
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
    GB_TRY(gb_corpus_open_file(context->path, &r->corpus, err));
    GB_TRY(find_fields(r, err));
    context->names = r->corpus->vocabulary;
    context->preparation = json_incref(r->corpus->preparation);
    *state = r;
    r = NULL;
done:
    if (r != NULL)
        close_corpus(r);
    return st;
}

static gb_status read_labels(const corpus_reader *r, size_t field, gb_raw_document *doc, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_labels *labels = r->labels[field];
    if (!labels->labelled[r->next])
        return GB_OK;
    gb_raw_begin_field(doc, field);
    for (uint64_t i = labels->doc_start[r->next]; i < labels->doc_start[r->next + 1]; i++)
        GB_TRY(gb_raw_add_class(doc, field, gb_texts_view(&labels->classes, labels->class_of[i]), err));
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
    for (uint64_t i = c->doc_start[r->next]; i < c->doc_start[r->next + 1]; i++)
        GB_TRY(gb_raw_add_count(doc, c->word[i], 1, err));
    for (size_t f = 0; f < r->context->n_fields; f++)
        GB_TRY(read_labels(r, f, doc, err));
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
