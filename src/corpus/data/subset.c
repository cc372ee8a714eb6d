/* corpus/data/subset.c - a corpus cut in two. */
#include "corpus/data/subset.h"

#include "base/memory.h"
#include "corpus/data/shards.h"
#include "random/random.h"

#include <string.h>

static const char *const what = "a part of a corpus";

/* Which documents and words a part has. */
typedef struct choice {
    const gb_corpus *whole;
    uint64_t *doc; /* n_docs of the part: their numbers in the whole */
    uint64_t n_docs;
    const uint32_t *word_at; /* n_words of the whole: number in the parts + 1, or 0 */
    const bool *is_left_out; /* n_labels, or NULL */
} choice;

/* Texts `number[0]`, `number[1]`, ... of a block; NULL: all. */
static gb_status copy_texts(const gb_texts *from, const uint64_t *number, uint64_t count, gb_texts *out,
                            gb_error *err)
{
    gb_status st;
    uint64_t *start = NULL, length = 0;
    char *bytes = NULL;
    GB_TRY(gb_alloc(&start, count + 1, sizeof *start, what, err));
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t at = number == NULL ? i : number[i];
        length += from->start[at + 1] - from->start[at];
        start[i + 1] = length;
    }
    GB_TRY(gb_alloc(&bytes, length, 1, what, err));
    for (uint64_t i = 0; i < count; i++)
        if (start[i + 1] > start[i])
            memcpy(bytes + start[i], from->bytes + from->start[number == NULL ? i : number[i]],
                   start[i + 1] - start[i]);
    *out = (gb_texts){.count = count, .start = start, .bytes = bytes};
    start = NULL;
    bytes = NULL;
done:
    gb_free(start);
    gb_free(bytes);
    return st;
}

static gb_status copy_labels(const choice *c, const gb_labels *from, gb_labels *out, gb_error *err)
{
    gb_status st;
    char *name = NULL;
    uint64_t *doc_start = NULL;
    uint32_t *class_of = NULL;
    uint8_t *labelled = NULL;
    GB_TRY(gb_copy_text(&name, from->name, strlen(from->name), err));
    out->name = name;
    out->role = from->role;
    out->several = from->several;
    GB_TRY(copy_texts(&from->classes, NULL, from->classes.count, &out->classes, err));
    GB_TRY(gb_alloc(&doc_start, c->n_docs + 1, sizeof *doc_start, what, err));
    out->doc_start = doc_start;
    GB_TRY(gb_alloc(&labelled, c->n_docs, sizeof *labelled, what, err));
    out->labelled = labelled;
    for (uint64_t i = 0; i < c->n_docs; i++) {
        const uint64_t d = c->doc[i];
        doc_start[i + 1] = doc_start[i] + from->doc_start[d + 1] - from->doc_start[d];
        labelled[i] = from->labelled[d];
    }
    GB_TRY(gb_alloc(&class_of, doc_start[c->n_docs], sizeof *class_of, what, err));
    out->class_of = class_of;
    for (uint64_t i = 0; i < c->n_docs; i++)
        if (doc_start[i + 1] > doc_start[i])
            memcpy(class_of + doc_start[i], from->class_of + from->doc_start[c->doc[i]],
                   (doc_start[i + 1] - doc_start[i]) * sizeof *class_of);
done:
    return st;
}

static gb_status copy_numbers(const choice *c, const gb_numbers *from, gb_numbers *out, gb_error *err)
{
    gb_status st;
    char *name = NULL;
    double *value = NULL;
    GB_TRY(gb_copy_text(&name, from->name, strlen(from->name), err));
    out->name = name;
    out->role = from->role;
    GB_TRY(gb_alloc(&value, c->n_docs, sizeof *value, what, err));
    out->value = value;
    for (uint64_t i = 0; i < c->n_docs; i++)
        value[i] = from->value[c->doc[i]];
done:
    return st;
}

static gb_status copy_embedding(const choice *c, gb_embedding *out, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_embedding *from = &c->whole->embedding;
    float *value = NULL;
    if (from->width == 0)
        return GB_OK;
    GB_TRY(gb_alloc(&value, c->n_docs, from->width * sizeof *value, what, err));
    *out = (gb_embedding){from->width, value};
    for (uint64_t i = 0; i < c->n_docs; i++)
        memcpy(value + i * from->width, from->value + c->doc[i] * from->width, from->width * sizeof *value);
done:
    return st;
}

static gb_status copy_fields(const choice *c, gb_corpus *out, gb_error *err)
{
    gb_status st;
    const gb_corpus *whole = c->whole;
    GB_TRY(gb_alloc(&out->labels, whole->n_labels, sizeof *out->labels, what, err));
    for (size_t i = 0; i < whole->n_labels; i++)
        if (c->is_left_out == NULL || !c->is_left_out[i]) /* counted first: to be freed as far as it is made */
            GB_TRY(copy_labels(c, &whole->labels[i], &out->labels[out->n_labels++], err));
    GB_TRY(gb_alloc(&out->numbers, whole->n_numbers, sizeof *out->numbers, what, err));
    for (size_t i = 0; i < whole->n_numbers; i++)
        GB_TRY(copy_numbers(c, &whole->numbers[i], &out->numbers[out->n_numbers++], err));
    GB_TRY(copy_embedding(c, &out->embedding, err));
done:
    return st;
}

/* Known tokens of the part's documents; the others are counted. */
static gb_status copy_tokens(const choice *c, gb_corpus *out, uint64_t *n_unknown, gb_error *err)
{
    gb_status st;
    const gb_corpus *whole = c->whole;
    uint64_t *doc_start = NULL, n_tokens = 0;
    uint32_t *word = NULL;
    GB_TRY(gb_alloc(&doc_start, c->n_docs + 1, sizeof *doc_start, what, err));
    out->doc_start = doc_start;
    for (uint64_t i = 0; i < c->n_docs; i++)
        n_tokens += whole->doc_start[c->doc[i] + 1] - whole->doc_start[c->doc[i]];
    GB_TRY(gb_alloc(&word, n_tokens, sizeof *word, what, err));
    out->word = word;
    for (uint64_t i = 0; i < c->n_docs; i++) {
        const uint64_t end = whole->doc_start[c->doc[i] + 1];
        for (uint64_t at = whole->doc_start[c->doc[i]]; at < end; at++) {
            const uint32_t number = c->word_at[whole->word[at]];
            if (number > 0)
                word[out->n_tokens++] = number - 1;
            else if (n_unknown != NULL)
                n_unknown[i]++;
        }
        doc_start[i + 1] = out->n_tokens;
    }
done:
    return st;
}

/* JSON values are not shared: parts may be used in threads. */
static gb_status copy_notes(const gb_corpus *whole, gb_corpus *out, gb_error *err)
{
    out->preparation = json_deep_copy(whole->preparation);
    out->source = json_deep_copy(whole->source);
    const bool failed =
        (whole->preparation != NULL && out->preparation == NULL) || (whole->source != NULL && out->source == NULL);
    return failed ? gb_fail_memory(err, 0, what) : GB_OK;
}

static gb_status make_part(const choice *c, const uint64_t *kept, uint64_t n_kept, gb_corpus **out,
                           uint64_t *n_unknown, gb_error *err)
{
    gb_status st;
    gb_corpus *part = NULL;
    GB_TRY(gb_alloc(&part, 1, sizeof *part, what, err));
    part->n_docs = c->n_docs;
    part->n_words = n_kept;
    GB_TRY(copy_tokens(c, part, n_unknown, err));
    GB_TRY(copy_texts(&c->whole->ids, c->doc, c->n_docs, &part->ids, err));
    if (c->whole->text.count > 0)
        GB_TRY(copy_texts(&c->whole->text, c->doc, c->n_docs, &part->text, err));
    GB_TRY(copy_texts(&c->whole->vocabulary, kept, n_kept, &part->vocabulary, err));
    GB_TRY(copy_fields(c, part, err));
    GB_TRY(copy_notes(c->whole, part, err));
    *out = part;
    part = NULL;
done:
    gb_corpus_free(part);
    return st;
}

/* Words of the documents that are not held out. */
static uint64_t find_words(const gb_corpus *whole, const bool *is_held_out, uint32_t *word_at, uint64_t *kept)
{
    uint64_t n = 0;
    for (uint64_t d = 0; d < whole->n_docs; d++)
        for (uint64_t i = whole->doc_start[d]; i < whole->doc_start[d + 1] && !is_held_out[d]; i++)
            word_at[whole->word[i]] = 1;
    for (uint64_t w = 0; w < whole->n_words; w++) {
        if (word_at[w] == 0)
            continue;
        kept[n++] = w;
        word_at[w] = (uint32_t)n;
    }
    return n;
}

static void find_documents(const gb_corpus *whole, const bool *is_held_out, bool wanted, choice *c)
{
    for (uint64_t d = 0; d < whole->n_docs; d++)
        if (is_held_out[d] == wanted)
            c->doc[c->n_docs++] = d;
}

static gb_status split(const gb_corpus *whole, const bool *is_held_out, const bool *is_left_out, gb_corpus **training,
                       gb_corpus **held_out, uint64_t **n_unknown, gb_error *err)
{
    gb_status st;
    uint32_t *word_at = NULL;
    uint64_t *kept = NULL, *unknown = NULL;
    gb_corpus *rest = NULL, *part = NULL;
    choice c[2] = {{.whole = whole}, {.whole = whole}};
    GB_TRY(gb_alloc(&word_at, whole->n_words, sizeof *word_at, what, err));
    GB_TRY(gb_alloc(&kept, whole->n_words, sizeof *kept, what, err));
    GB_TRY(gb_alloc(&unknown, whole->n_docs, sizeof *unknown, what, err));
    const uint64_t n_kept = find_words(whole, is_held_out, word_at, kept);
    for (int i = 0; i < 2; i++) {
        GB_TRY(gb_alloc(&c[i].doc, whole->n_docs, sizeof *c[i].doc, what, err));
        c[i].word_at = word_at;
        c[i].is_left_out = is_left_out;
        find_documents(whole, is_held_out, i == 1, &c[i]);
    }
    GB_TRY(make_part(&c[0], kept, n_kept, &rest, NULL, err));
    GB_TRY(make_part(&c[1], kept, n_kept, &part, unknown, err));
    *training = rest;
    *held_out = part;
    *n_unknown = unknown;
    rest = part = NULL;
    unknown = NULL;
done:
    gb_corpus_free(rest);
    gb_corpus_free(part);
    gb_free(c[0].doc);
    gb_free(c[1].doc);
    gb_free(word_at);
    gb_free(kept);
    gb_free(unknown);
    return st;
}

gb_status gb_corpus_split(const gb_corpus *whole, const bool *is_held_out, const bool *is_left_out,
                          gb_corpus **training, gb_corpus **held_out, uint64_t **n_unknown, gb_error *err)
{
    gb_status st;
    gb_shard_tokens tokens;
    gb_corpus with_tokens = *whole;
    if (gb_corpus_check_tokens(whole, NULL) == GB_OK)
        return split(whole, is_held_out, is_left_out, training, held_out, n_unknown, err);
    GB_TRY(gb_shards_read(whole, 0, whole->n_docs, &tokens, err));
    with_tokens.word = tokens.word;
    st = split(&with_tokens, is_held_out, is_left_out, training, held_out, n_unknown, err);
    gb_shard_tokens_clear(&tokens);
done:
    return st;
}

gb_status gb_corpus_pick(const gb_corpus *whole, const bool *is_picked, gb_corpus **out, gb_error *err)
{
    gb_status st;
    uint32_t *word_at = NULL;
    choice c = {.whole = whole};
    GB_TRY(gb_alloc(&word_at, whole->n_words, sizeof *word_at, what, err));
    GB_TRY(gb_alloc(&c.doc, whole->n_docs, sizeof *c.doc, what, err));
    for (uint64_t w = 0; w < whole->n_words; w++)
        word_at[w] = (uint32_t)w + 1;
    c.word_at = word_at;
    find_documents(whole, is_picked, true, &c);
    GB_TRY(make_part(&c, NULL, whole->n_words, out, NULL, err));
done:
    gb_free(c.doc);
    gb_free(word_at);
    return st;
}

gb_status gb_corpus_deal_folds(uint64_t n_docs, size_t n_folds, uint64_t seed, uint32_t *fold, gb_error *err)
{
    uint64_t *order = NULL;
    gb_random r = gb_random_open(gb_key_make(seed, 0), 0, GB_DRAW_FOLDS, 0);
    gb_status st = gb_alloc(&order, n_docs, sizeof *order, "the folds", err);
    if (st != GB_OK)
        return st;
    for (uint64_t i = 0; i < n_docs; i++)
        order[i] = i;
    for (uint64_t i = n_docs; i > 0; i--) {
        const uint64_t j = gb_random_below(&r, i);
        fold[order[j]] = (uint32_t)(i % n_folds);
        order[j] = order[i - 1];
    }
    gb_free(order);
    return GB_OK;
}
