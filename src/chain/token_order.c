/* chain/token_order.c - the order of tokens in memory: inside a document by word block, then by the width of their rows. */
#include "base/memory.h"
#include "chain/ring.h"

#include <string.h>

/* The group of a word: its block, then the width of its row, so that a kernel seldom has to change between widths. */
static size_t token_run_of(const gb_chain *c, uint32_t word)
{
    return c->topics.block_of[word] * (size_t)GB_N_WIDTHS + gb_handle_width(c->topics.handle[word]);
}

/* Where the groups of document d begin, from the start of the document, in c->run_end. */
static void find_token_runs(const gb_chain *c, uint64_t d)
{
    const uint64_t start = c->corpus->doc_start[d], end = c->corpus->doc_start[d + 1];
    const size_t n_groups = c->topics.n_blocks * GB_N_WIDTHS;
    memset(c->run_end, 0, n_groups * sizeof *c->run_end);
    for (uint64_t i = start; i < end; i++)
        c->run_end[token_run_of(c, c->corpus->word[i])]++;
    uint32_t sum = 0;
    for (size_t g = 0; g < n_groups; g++) {
        const uint32_t n = c->run_end[g];
        c->run_end[g] = sum;
        sum += n;
    }
}

/* The name of a word's row: of counts, or for keywords of factors, which they have in place of these. */
static uint32_t row_name(const gb_chain *c, uint32_t word)
{
    const gb_topics *t = &c->topics;
    return t->block_of[word] == gb_topics_keyword_block(t) ? (uint32_t)gb_keywords_find(&t->keywords, word)
                                                           : t->handle[word];
}

void gb_chain_order_tokens(gb_chain *c, bool by_handle)
{
    for (uint64_t d = 0; d < c->corpus->n_docs; d++) {
        const uint64_t start = c->corpus->doc_start[d], end = c->corpus->doc_start[d + 1];
        find_token_runs(c, d);
        for (uint64_t i = start; i < end; i++)
            c->word[start + c->run_end[token_run_of(c, c->corpus->word[i])]++] =
                by_handle ? row_name(c, c->corpus->word[i]) : c->corpus->word[i];
        for (size_t b = 0; b < c->topics.n_blocks; b++)
            c->segment[d * c->topics.n_blocks + b] = c->run_end[(b + 1) * GB_N_WIDTHS - 1];
    }
}

void gb_chain_assignment(const gb_chain *c, uint64_t d, uint16_t *out)
{
    if (d >= c->corpus->n_docs)
        return;
    const uint64_t start = c->corpus->doc_start[d], n = c->corpus->doc_start[d + 1] - start;
    find_token_runs(c, d);
    for (uint64_t i = 0; i < n; i++)
        out[i] = c->topic[start + c->run_end[token_run_of(c, c->corpus->word[start + i])]++];
}

gb_status gb_chain_set_topics(gb_chain *c, const uint16_t *topic, gb_error *err)
{
    const gb_corpus *corpus = c->corpus;
    c->wordings.is_ready = false;
    gb_chain_order_tokens(c, c->topics.treatment == GB_TREAT_BLOCKS);
    const gb_status st = gb_ring_count(c, corpus->word, topic, err);
    if (st != GB_OK)
        return st;
    gb_rows_zero(&c->doc_rows);
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        const uint64_t start = corpus->doc_start[d], end = corpus->doc_start[d + 1];
        find_token_runs(c, d);
        for (uint64_t i = start; i < end; i++) {
            c->topic[start + c->run_end[token_run_of(c, corpus->word[i])]++] = topic[i];
            if (c->doc_row[d] != GB_NO_ROW)
                gb_rows_add(&c->doc_rows, c->doc_row[d], topic[i], 1);
        }
    }
    c->z_is_counted = false;
    return st;
}

gb_status gb_chain_assign(gb_chain *c, const uint16_t *topic, gb_error *err)
{
    const gb_status st = gb_chain_set_topics(c, topic, err);
    return st == GB_OK ? gb_chain_count_documents(c, err) : st;
}
