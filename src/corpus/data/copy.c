/* corpus/data/copy.c - some documents of a corpus, one after the other, copied. */
#include "corpus/data/copy.h"

#include "base/memory.h"

#include <string.h>

static const char *const what = "a copy of documents";

/* @param out  receives items first..last-1 */
static gb_status copy_items(const void *item, size_t size, uint64_t first, uint64_t last, void *out, gb_error *err)
{
    void *copy = NULL;
    const gb_status st = gb_alloc(&copy, last - first, size, what, err);
    if (st != GB_OK)
        return st;
    if (last > first)
        memcpy(copy, (const char *)item + first * size, (last - first) * size);
    memcpy(out, &copy, sizeof copy);
    return st;
}

/* Where lists first..last-1 begin, counted from the first of them; and their items. */
static gb_status copy_lists(const uint64_t *start, const void *item, size_t size, uint64_t first, uint64_t last,
                            const uint64_t **out_start, void *out_item, gb_error *err)
{
    gb_status st;
    uint64_t *copy = NULL;
    GB_TRY(copy_items(start, sizeof *start, first, last + 1, &copy, err));
    for (uint64_t i = 0; i <= last - first; i++)
        copy[i] -= start[first];
    *out_start = copy;
    GB_TRY(copy_items(item, size, start[first], start[last], out_item, err));
done:
    return st;
}

static gb_status copy_texts(const gb_texts *from, uint64_t first, uint64_t last, gb_texts *out, gb_error *err)
{
    out->count = last - first;
    return copy_lists(from->start, from->bytes, 1, first, last, &out->start, &out->bytes, err);
}

static gb_status copy_name(const char *from, const char **out, gb_error *err)
{
    char *name = NULL;
    const gb_status st = gb_copy_text(&name, from, strlen(from), err);
    *out = name;
    return st;
}

static gb_status copy_labels(const gb_labels *from, uint64_t first, uint64_t last, gb_labels *out, gb_error *err)
{
    gb_status st;
    out->role = from->role;
    out->several = from->several;
    GB_TRY(copy_name(from->name, &out->name, err));
    GB_TRY(copy_texts(&from->classes, 0, from->classes.count, &out->classes, err));
    GB_TRY(copy_lists(from->doc_start, from->class_of, sizeof *from->class_of, first, last, &out->doc_start,
                      &out->class_of, err));
    GB_TRY(copy_items(from->labelled, sizeof *from->labelled, first, last, &out->labelled, err));
done:
    return st;
}

static gb_status copy_numbers(const gb_numbers *from, uint64_t first, uint64_t last, gb_numbers *out, gb_error *err)
{
    gb_status st;
    out->role = from->role;
    GB_TRY(copy_name(from->name, &out->name, err));
    GB_TRY(copy_items(from->value, sizeof *from->value, first, last, &out->value, err));
done:
    return st;
}

/* Counted before they are made: to be freed as far as they are. */
static gb_status copy_fields(const gb_corpus *c, uint64_t first, uint64_t last, gb_corpus *out, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(&out->labels, c->n_labels, sizeof *out->labels, what, err));
    for (size_t i = 0; i < c->n_labels; i++)
        GB_TRY(copy_labels(&c->labels[i], first, last, &out->labels[out->n_labels++], err));
    GB_TRY(gb_alloc(&out->numbers, c->n_numbers, sizeof *out->numbers, what, err));
    for (size_t i = 0; i < c->n_numbers; i++)
        GB_TRY(copy_numbers(&c->numbers[i], first, last, &out->numbers[out->n_numbers++], err));
    out->embedding.width = c->embedding.width;
    if (c->embedding.width > 0)
        GB_TRY(copy_items(c->embedding.value, c->embedding.width * sizeof *c->embedding.value, first, last,
                          &out->embedding.value, err));
done:
    return st;
}

/* JSON values are not shared: corpora may be used in threads. */
static gb_status copy_notes(const gb_corpus *c, gb_corpus *out, gb_error *err)
{
    out->preparation = json_deep_copy(c->preparation);
    out->source = json_deep_copy(c->source);
    return out->preparation == NULL || out->source == NULL ? gb_fail_memory(err, 0, what) : GB_OK;
}

gb_status gb_corpus_copy_documents(const gb_corpus *c, uint64_t first, uint64_t last, gb_corpus **out, gb_error *err)
{
    gb_status st;
    gb_corpus *copy = NULL;
    GB_TRY(gb_alloc(&copy, 1, sizeof *copy, what, err));
    copy->n_docs = last - first;
    copy->n_words = c->n_words;
    copy->n_tokens = c->doc_start[last] - c->doc_start[first];
    GB_TRY(copy_lists(c->doc_start, c->word, sizeof *c->word, first, last, &copy->doc_start, &copy->word, err));
    GB_TRY(copy_texts(&c->ids, first, last, &copy->ids, err));
    if (c->text.count > 0)
        GB_TRY(copy_texts(&c->text, first, last, &copy->text, err));
    GB_TRY(copy_texts(&c->vocabulary, 0, c->n_words, &copy->vocabulary, err));
    GB_TRY(copy_fields(c, first, last, copy, err));
    GB_TRY(copy_notes(c, copy, err));
    *out = copy;
    copy = NULL;
done:
    gb_corpus_free(copy);
    return st;
}
