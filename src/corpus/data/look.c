/* corpus/data/look.c - what callers may ask a corpus. */
#include "base/memory.h"
#include "corpus/data/corpus.h"
#include "store/json_text.h"

#include <stdlib.h>
#include <string.h>

uint64_t gb_corpus_n_docs(const gb_corpus *corpus)
{
    return corpus->n_docs;
}

uint64_t gb_corpus_n_tokens(const gb_corpus *corpus)
{
    return corpus->n_tokens;
}

uint64_t gb_corpus_n_words(const gb_corpus *corpus)
{
    return corpus->n_words;
}

uint64_t gb_corpus_n_embedding_columns(const gb_corpus *corpus)
{
    return corpus->embedding.width;
}

/* Text i of a block; NULL and 0 when there is none. */
static const char *text_at(const gb_texts *texts, uint64_t i, size_t *length)
{
    *length = i < texts->count ? (size_t)(texts->start[i + 1] - texts->start[i]) : 0;
    if (i >= texts->count)
        return NULL;
    return *length == 0 ? "" : texts->bytes + texts->start[i];
}

const char *gb_corpus_word(const gb_corpus *corpus, uint64_t word, size_t *length)
{
    return text_at(&corpus->vocabulary, word, length);
}

const char *gb_corpus_id(const gb_corpus *corpus, uint64_t document, size_t *length)
{
    return text_at(&corpus->ids, document, length);
}

const uint32_t *gb_corpus_tokens(const gb_corpus *corpus, uint64_t document, uint64_t *n_tokens)
{
    *n_tokens = document < corpus->n_docs ? corpus->doc_start[document + 1] - corpus->doc_start[document] : 0;
    return *n_tokens == 0 || corpus->word == NULL ? NULL : corpus->word + corpus->doc_start[document];
}

/* By insertion if they are few, else byte after byte; `room` is for as many. */
static void sort_words(uint64_t n, uint32_t *word, uint32_t *room)
{
    enum { FEW = 24, BYTE = 8, VALUES = 1 << BYTE };
    uint32_t *from = word, *to = room, largest = 0;
    for (uint64_t i = 0; i < n; i++)
        largest = largest < word[i] ? word[i] : largest;
    for (uint64_t i = 1; n <= FEW && i < n; i++) {
        const uint32_t moved = word[i];
        uint64_t at = i;
        for (; at > 0 && word[at - 1] > moved; at--)
            word[at] = word[at - 1];
        word[at] = moved;
    }
    for (unsigned shift = 0; n > FEW && shift < 32 && largest >> shift > 0; shift += BYTE) {
        uint64_t start[VALUES + 1] = {0};
        for (uint64_t i = 0; i < n; i++)
            start[(from[i] >> shift) % VALUES + 1]++;
        for (size_t v = 0; v < VALUES; v++)
            start[v + 1] += start[v];
        for (uint64_t i = 0; i < n; i++)
            to[start[(from[i] >> shift) % VALUES]++] = from[i];
        uint32_t *const other = from;
        from = to;
        to = other;
    }
    if (from != word)
        memcpy(word, from, n * sizeof *word);
}

uint64_t gb_corpus_counts(const gb_corpus *corpus, uint64_t document, uint32_t *word, uint32_t *count)
{
    uint64_t n_tokens, n = 0;
    const uint32_t *token = gb_corpus_tokens(corpus, document, &n_tokens);
    if (token == NULL)
        return 0;
    memcpy(word, token, n_tokens * sizeof *word);
    sort_words(n_tokens, word, count);
    for (uint64_t i = 0; i < n_tokens; i++) {
        if (n > 0 && word[n - 1] == word[i]) {
            count[n - 1]++;
            continue;
        }
        word[n] = word[i];
        count[n++] = 1;
    }
    return n;
}

/* ---- fields ---- */

uint64_t gb_corpus_n_fields(const gb_corpus *corpus)
{
    return corpus->n_labels + corpus->n_numbers;
}

static const gb_labels *labels_of(const gb_corpus *corpus, uint64_t field)
{
    return field < corpus->n_labels ? &corpus->labels[field] : NULL;
}

static const gb_numbers *numbers_of(const gb_corpus *corpus, uint64_t field)
{
    return field >= corpus->n_labels && field - corpus->n_labels < corpus->n_numbers
               ? &corpus->numbers[field - corpus->n_labels]
               : NULL;
}

bool gb_corpus_field(const gb_corpus *corpus, uint64_t field, const char **name, gb_role *role, gb_field_kind *kind)
{
    const gb_labels *labels = labels_of(corpus, field);
    const gb_numbers *numbers = numbers_of(corpus, field);
    if (labels == NULL && numbers == NULL)
        return false;
    if (name != NULL)
        *name = labels != NULL ? labels->name : numbers->name;
    if (role != NULL)
        *role = labels != NULL ? labels->role : numbers->role;
    if (kind != NULL)
        *kind = labels == NULL ? GB_KIND_NUMBER : labels->several ? GB_KIND_SEVERAL : GB_KIND_ONE;
    return true;
}

bool gb_corpus_find_field(const gb_corpus *corpus, const char *name, uint64_t *field)
{
    const char *other;
    for (uint64_t f = 0; gb_corpus_field(corpus, f, &other, NULL, NULL); f++) {
        if (strcmp(other, name) == 0) {
            *field = f;
            return true;
        }
    }
    return false;
}

const double *gb_corpus_numbers(const gb_corpus *corpus, uint64_t field)
{
    const gb_numbers *numbers = numbers_of(corpus, field);
    return numbers == NULL ? NULL : numbers->value;
}

uint64_t gb_corpus_n_classes(const gb_corpus *corpus, uint64_t field)
{
    const gb_labels *labels = labels_of(corpus, field);
    return labels == NULL ? 0 : labels->classes.count;
}

const char *gb_corpus_class(const gb_corpus *corpus, uint64_t field, uint64_t index, size_t *length)
{
    const gb_labels *labels = labels_of(corpus, field);
    *length = 0;
    return labels == NULL ? NULL : text_at(&labels->classes, index, length);
}

bool gb_corpus_classes_of(const gb_corpus *corpus, uint64_t field, uint64_t document, const uint32_t **classes,
                          uint64_t *n_classes)
{
    const gb_labels *labels = labels_of(corpus, field);
    const bool is_known = labels != NULL && document < corpus->n_docs && labels->labelled[document];
    const uint64_t first = is_known ? labels->doc_start[document] : 0;
    const uint64_t n = is_known ? labels->doc_start[document + 1] - first : 0;
    if (classes != NULL)
        *classes = n == 0 ? NULL : labels->class_of + first;
    if (n_classes != NULL)
        *n_classes = n;
    return is_known;
}

void gb_corpus_field_names(const gb_corpus *c, char out[static GB_FIELD_NAMES_SIZE])
{
    size_t used = (size_t)snprintf(out, GB_FIELD_NAMES_SIZE, "there are none");
    for (size_t i = 0; i < c->n_labels + c->n_numbers && used < GB_FIELD_NAMES_SIZE; i++) {
        const char *name = i < c->n_labels ? c->labels[i].name : c->numbers[i - c->n_labels].name;
        used = i == 0 ? 0 : used;
        used += (size_t)snprintf(out + used, GB_FIELD_NAMES_SIZE - used, "%s%.*s", i == 0 ? "the fields are " : ", ",
                                 gb_text_shown(name, strlen(name)), name);
    }
}

/* ---- notes ---- */

gb_status gb_corpus_notes(const gb_corpus *corpus, char **out, gb_error *err)
{
    gb_status st;
    char *text = NULL;
    json_t *object = json_pack("{s:O*, s:O*, s:O*}", "preparation", corpus->preparation, "source", corpus->source,
                               "shards", corpus->shards);
    st = object == NULL ? gb_fail_memory(err, 0, "the notes of a corpus") : gb_json_text(object, 0, &text, NULL, err);
    json_decref(object);
    if (st == GB_OK)
        *out = text;
    return st;
}
