/* corpus/data/corpus.c - what a corpus is made of, and its end. */
#include "corpus/data/corpus.h"
#include "base/memory.h"
#include "corpus/data/shards.h"
#include "corpus/data/slice.h"
#include "corpus/data/texts.h"
#include "store/store.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <utf8proc.h>

enum { SHOWN_BYTES = 60 };

/* ---- texts ---- */

const char *gb_text_fault(const char *text, size_t length)
{
    const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)text;
    size_t i = 0;
    while (i < length) {
        if (bytes[i] == 0)
            return "contains a NUL byte";
        if (bytes[i] < 0x20 || bytes[i] == 0x7f)
            return "contains a control character";
        utf8proc_int32_t codepoint;
        size_t room = length - i < 4 ? length - i : 4;
        utf8proc_ssize_t used = bytes[i] < 0x80 ? 1 : utf8proc_iterate(bytes + i, (utf8proc_ssize_t)room, &codepoint);
        if (used < 1)
            return "is not valid UTF-8";
        i += (size_t)used;
    }
    return NULL;
}

int gb_text_compare(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t shared = a_length < b_length ? a_length : b_length;
    int order = shared == 0 ? 0 : memcmp(a, b, shared);
    if (order != 0)
        return order;
    return a_length < b_length ? -1 : a_length > b_length;
}

int gb_text_shown(const char *text, size_t length)
{
    if (length <= SHOWN_BYTES)
        return (int)length;
    size_t shown = SHOWN_BYTES;
    while (shown > 0 && ((unsigned char)text[shown] & 0xc0) == 0x80)
        shown--;
    return (int)shown;
}

gb_view gb_texts_view(const gb_texts *texts, uint64_t i)
{
    const size_t length = (size_t)(texts->start[i + 1] - texts->start[i]);
    return (gb_view){length == 0 ? "" : texts->bytes + texts->start[i], length};
}

bool gb_texts_equal(const gb_texts *a, const gb_texts *b)
{
    if (a->count != b->count)
        return false;
    const size_t n_bytes = a->count == 0 ? 0 : (size_t)a->start[a->count];
    return (a->count == 0 || memcmp(a->start, b->start, (a->count + 1) * sizeof *a->start) == 0) &&
           (n_bytes == 0 || memcmp(a->bytes, b->bytes, n_bytes) == 0);
}

gb_status gb_texts_copy(const gb_texts *texts, uint64_t i, char **out, gb_error *err)
{
    if (i >= texts->count)
        return gb_fail(err, GB_EARGUMENT, "no text number %" PRIu64 ", there are %" PRIu64, i, texts->count);
    const gb_view text = gb_texts_view(texts, i);
    return gb_copy_text(out, text.text, text.length, err);
}

/* ---- numbers ---- */

const char *gb_number_fault(gb_role role, double value)
{
    if (isnan(value))
        return NULL;
    if (isinf(value))
        return "is not finite";
    if (role == GB_ROLE_EXPOSURE && !(value > 0))
        return "is not above 0";
    if (role == GB_ROLE_WEIGHT && !(value >= 0))
        return "is below 0";
    return NULL;
}

/* ---- corpus ---- */

static uint64_t texts_bytes(const gb_texts *texts)
{
    return (texts->count + 1) * sizeof texts->start[0] + texts->start[texts->count];
}

uint64_t gb_corpus_outline_bytes(const gb_corpus *c)
{
    uint64_t n = (c->n_docs + 1) * sizeof c->doc_start[0] + texts_bytes(&c->ids) + texts_bytes(&c->vocabulary);
    for (size_t i = 0; i < c->n_labels; i++) {
        const gb_labels *l = &c->labels[i];
        n += texts_bytes(&l->classes) + (c->n_docs + 1) * sizeof l->doc_start[0] +
             l->doc_start[c->n_docs] * sizeof l->class_of[0] + c->n_docs * sizeof l->labelled[0];
    }
    n += c->text.count == 0 ? 0 : texts_bytes(&c->text);
    return n + c->n_numbers * c->n_docs * sizeof(double) + c->embedding.width * c->n_docs * sizeof(float);
}

uint64_t gb_corpus_bytes(const gb_corpus *c)
{
    return gb_corpus_outline_bytes(c) + (c->word == NULL ? 0 : c->n_tokens * sizeof c->word[0]);
}

/* The arrays are const for everyone but their owner. */
static void release(const void *block)
{
    gb_free((void *)(uintptr_t)block);
}

static void release_texts(const gb_texts *texts)
{
    release(texts->start);
    release(texts->bytes);
}

static void release_arrays(gb_corpus *c)
{
    release(c->doc_start);
    release(c->word);
    release_texts(&c->ids);
    release_texts(&c->vocabulary);
    release_texts(&c->text);
    release(c->embedding.value);
}

void gb_labels_clear(gb_labels *labels, bool is_mapped)
{
    release(labels->name);
    if (!is_mapped) {
        release_texts(&labels->classes);
        release(labels->doc_start);
        release(labels->class_of);
        release(labels->labelled);
    }
    *labels = (gb_labels){0};
}

void gb_numbers_clear(gb_numbers *numbers, bool is_mapped)
{
    release(numbers->name);
    if (!is_mapped)
        release(numbers->value);
    *numbers = (gb_numbers){0};
}

const char *gb_corpus_path(const gb_corpus *corpus)
{
    return corpus->path == NULL ? "the documents" : corpus->path;
}

gb_status gb_corpus_set_path(gb_corpus *corpus, const char *path, gb_error *err)
{
    gb_free(corpus->path);
    corpus->path = NULL;
    return gb_copy_text(&corpus->path, path, strlen(path), err);
}

void gb_corpus_count_words(const gb_corpus *corpus, uint64_t *total)
{
    if (corpus->in_shards != NULL) {
        memcpy(total, corpus->in_shards->tokens_of_word, corpus->n_words * sizeof *total);
        return;
    }
    memset(total, 0, corpus->n_words * sizeof *total);
    for (uint64_t i = 0; i < corpus->n_tokens; i++)
        total[corpus->word[i]]++;
}

gb_status gb_corpus_check_tokens(const gb_corpus *corpus, gb_error *err)
{
    if (corpus->word != NULL || corpus->n_tokens == 0)
        return GB_OK;
    return gb_fail(err, GB_EARGUMENT, "%s: was read for a training on several ranks, and has no tokens",
                   gb_corpus_path(corpus));
}

void gb_corpus_forget(const gb_corpus *corpus)
{
    if (corpus->owner != NULL)
        gb_store_forget(corpus->owner);
}

/* `owner` is the gb_store of a mapped corpus; without one the arrays are blocks of their own.  The table of
 * labels, the array of numbers and their names are blocks in both cases. */
void gb_corpus_free(gb_corpus *corpus)
{
    if (corpus == NULL)
        return;
    if (corpus->is_view) {
        gb_corpus_clear_slice(corpus);
        gb_free(corpus);
        return;
    }
    const bool is_mapped = corpus->owner != NULL;
    if (!is_mapped)
        release_arrays(corpus);
    for (size_t i = 0; i < corpus->n_labels; i++)
        gb_labels_clear(&corpus->labels[i], is_mapped);
    for (size_t i = 0; i < corpus->n_numbers; i++)
        gb_numbers_clear(&corpus->numbers[i], is_mapped);
    gb_shards_free(corpus->in_shards);
    gb_store_close(corpus->owner);
    gb_free(corpus->labels);
    gb_free(corpus->numbers);
    gb_free(corpus->path);
    json_decref(corpus->preparation);
    json_decref(corpus->source);
    json_decref(corpus->shards);
    gb_free(corpus);
}
