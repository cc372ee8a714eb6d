/* corpus/data/fingerprint.c - documents in a few digits.
 *
 * That of a corpus is made from that of its words, so that it can be had without their tokens. */
#include "corpus/data/fingerprint.h"

#include "corpus/data/shards.h"
#include "random/random.h"

#include <string.h>

gb_status gb_tokens_fingerprint(const gb_corpus *corpus, char out[static GB_FINGERPRINT_SIZE], gb_error *err)
{
    XXH3_state_t *state;
    const gb_status st = gb_fingerprint_open(&state, err);
    if (st != GB_OK)
        return st;
    gb_fingerprint_add(state, corpus->doc_start, (corpus->n_docs + 1) * sizeof *corpus->doc_start);
    gb_fingerprint_add(state, corpus->word, corpus->n_tokens * sizeof *corpus->word);
    gb_fingerprint_close(state, out);
    return GB_OK;
}

gb_status gb_words_fingerprint(const gb_corpus *corpus, char out[static GB_FINGERPRINT_SIZE], gb_error *err)
{
    if (corpus->in_shards == NULL)
        return gb_tokens_fingerprint(corpus, out, err);
    memcpy(out, corpus->in_shards->words_fingerprint, GB_FINGERPRINT_SIZE);
    return GB_OK;
}

/* A sum of what single words give does not depend on their order. */
static uint32_t digest_of(const gb_corpus *corpus, uint64_t d)
{
    uint64_t sum = 0;
    for (uint64_t i = corpus->doc_start[d]; i < corpus->doc_start[d + 1]; i++)
        sum += gb_random_item(1, &corpus->word[i]);
    const uint32_t digest = (uint32_t)(sum >> 16); /* the sums have all bits of 56 */
    const bool is_empty = corpus->doc_start[d] == corpus->doc_start[d + 1];
    return is_empty ? 0 : digest > 0 ? digest : 1;
}

void gb_document_digests(const gb_corpus *corpus, uint32_t *out)
{
    const uint32_t *known = corpus->in_shards == NULL ? NULL : corpus->in_shards->document_digest;
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        out[d] = known == NULL ? digest_of(corpus, d) : known[d];
}

static void add_texts(XXH3_state_t *state, const gb_texts *texts)
{
    gb_fingerprint_add(state, texts->start, (texts->count + 1) * sizeof *texts->start);
    gb_fingerprint_add(state, texts->bytes, texts->start[texts->count]);
}

static void add_labels(XXH3_state_t *state, const gb_labels *labels, uint64_t n_docs)
{
    const uint8_t kind[2] = {(uint8_t)labels->role, labels->several};
    gb_fingerprint_add(state, labels->name, strlen(labels->name));
    gb_fingerprint_add(state, kind, sizeof kind);
    add_texts(state, &labels->classes);
    gb_fingerprint_add(state, labels->doc_start, (n_docs + 1) * sizeof *labels->doc_start);
    gb_fingerprint_add(state, labels->class_of, labels->doc_start[n_docs] * sizeof *labels->class_of);
    gb_fingerprint_add(state, labels->labelled, n_docs);
}

static void add_numbers(XXH3_state_t *state, const gb_numbers *numbers, uint64_t n_docs)
{
    const uint8_t role = (uint8_t)numbers->role;
    gb_fingerprint_add(state, numbers->name, strlen(numbers->name));
    gb_fingerprint_add(state, &role, 1);
    gb_fingerprint_add(state, numbers->value, n_docs * sizeof *numbers->value);
}

gb_status gb_corpus_fingerprint(const gb_corpus *corpus, char out[static GB_FINGERPRINT_SIZE], gb_error *err)
{
    gb_status st;
    char words[GB_FINGERPRINT_SIZE];
    XXH3_state_t *state;
    GB_TRY(gb_words_fingerprint(corpus, words, err));
    GB_TRY(gb_fingerprint_open(&state, err));
    gb_fingerprint_add(state, words, sizeof words);
    add_texts(state, &corpus->vocabulary);
    for (size_t i = 0; i < corpus->n_labels; i++)
        add_labels(state, &corpus->labels[i], corpus->n_docs);
    for (size_t i = 0; i < corpus->n_numbers; i++)
        add_numbers(state, &corpus->numbers[i], corpus->n_docs);
    gb_fingerprint_add(state, corpus->embedding.value,
                       corpus->n_docs * corpus->embedding.width * sizeof *corpus->embedding.value);
    gb_fingerprint_close(state, out);
done:
    return st;
}
