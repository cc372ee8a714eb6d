/* apply/batch.c - the words of some new documents, and what a draw of the model says of them. */
#include "apply/batch.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "random/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_PER_TASK = 256, FIXED_POINT = 1 << 30 };

/* ---- words ---- */

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* What is done with a document follows from its words, not from their order or its own. */
static gb_status order_words(gb_batch *b, const gb_corpus *docs, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(&b->item, docs->n_docs, sizeof *b->item, "words of a batch", err));
    for (uint64_t d = 0; d < docs->n_docs; d++) {
        const size_t n = (size_t)(docs->doc_start[d + 1] - docs->doc_start[d]);
        uint32_t *word = GB_FROM(b->word, docs->doc_start[d]);
        if (n > 0)
            qsort(word, n, sizeof *word, ascending);
        b->item[d] = gb_random_item(n, word);
    }
done:
    return st;
}

/* A word of a group. */
static gb_status find_groups(gb_batch *b, const gb_corpus *docs, const gb_settings *settings, uint64_t first_row,
                             gb_error *err)
{
    gb_status st;
    uint32_t *node = NULL;
    if (b->width == 1)
        return GB_OK;
    if (b->model->n_words > UINT32_MAX / b->width)
        return gb_fail(err, GB_EARGUMENT, "words of so many groups are too many to number");
    GB_TRY(gb_alloc(&node, docs->n_docs, sizeof *node, "groups of documents", err));
    GB_TRY(gb_wording_find_nodes(&b->model->wording, docs, settings, first_row, node, err));
    for (uint64_t d = 0; d < docs->n_docs; d++)
        for (uint64_t i = docs->doc_start[d]; i < docs->doc_start[d + 1]; i++)
            b->word[i] = b->word[i] * b->width + node[d];
done:
    gb_free(node);
    return st;
}

/* Number the words that occur, in the order of the vocabulary. */
static gb_status number_words(gb_batch *b, const gb_corpus *docs, const gb_settings *settings, uint64_t first_row,
                              gb_error *err)
{
    gb_status st;
    uint32_t *local_of = NULL; /* n_global: number + 1, or 0 */
    const uint64_t n_global = b->model->n_words * b->width;
    const char *what = "words of a batch";
    GB_TRY(gb_alloc(&local_of, n_global, sizeof *local_of, what, err));
    GB_TRY(gb_alloc(&b->word, docs->n_tokens, sizeof *b->word, what, err));
    gb_copy_bytes(b->word, docs->word, docs->n_tokens * sizeof *b->word);
    GB_TRY(order_words(b, docs, err));
    GB_TRY(find_groups(b, docs, settings, first_row, err));
    for (uint64_t i = 0; i < docs->n_tokens; i++)
        local_of[b->word[i]] = 1;
    for (uint64_t w = 0; w < n_global; w++)
        if (local_of[w] != 0)
            local_of[w] = (uint32_t)++b->n_local;
    GB_TRY(gb_alloc(&b->global_of, b->n_local, sizeof *b->global_of, what, err));
    for (uint64_t w = 0; w < n_global; w++)
        if (local_of[w] != 0)
            b->global_of[local_of[w] - 1] = (uint32_t)w;
    for (uint64_t i = 0; i < docs->n_tokens; i++)
        b->word[i] = local_of[b->word[i]] - 1;
done:
    gb_free(local_of);
    return st;
}

static uint64_t tokens_of(const gb_draw *draw, uint64_t w)
{
    uint64_t n = 0;
    for (uint64_t i = draw->word_start[w]; i < draw->word_start[w + 1]; i++)
        n += draw->count[i];
    return n;
}

/* Rows for as many tokens as the words have in training: the same in every draw. */
static gb_status create_rows(gb_batch *b, const gb_corpus *docs, gb_error *err)
{
    gb_status st;
    const gb_model *m = b->model;
    const bool lists = !b->has_fixed_point && gb_token_sampler_choose(m->n_topics, 0)->lists;
    GB_TRY(gb_alloc(&b->n_tokens, b->n_local, sizeof *b->n_tokens, "words of a batch", err));
    for (size_t local = 0; m->n_draws > 0 && local < b->n_local; local++)
        b->n_tokens[local] = b->has_fixed_point ? FIXED_POINT : tokens_of(&m->draw[0], b->global_of[local]);
    GB_TRY(gb_rows_create(&b->rows, b->n_local, b->n_tokens, m->n_topics, b->stride, lists, err));
    for (uint64_t i = 0; i < docs->n_tokens; i++)
        b->word[i] = b->rows.handle[b->word[i]];
    GB_TRY(gb_alloc(&b->n_k, m->n_topics, sizeof *b->n_k, "topic counts", err));
    GB_TRY(gb_alloc(&b->mass, m->n_topics, sizeof *b->mass, "topic counts", err));
    for (size_t k = 0; k < m->n_topics; k++)
        b->mass[k] = 1;
done:
    return st;
}

gb_status gb_batch_create(gb_batch *out, gb_batch_kind kind, const gb_model *model, const gb_corpus *docs,
                          const gb_settings *settings, uint64_t first_row, gb_error *err)
{
    gb_status st;
    *out = (gb_batch){.kind = kind,
                      .model = model,
                      .stride = (model->n_topics + GB_LANES - 1) / GB_LANES * GB_LANES,
                      .width = 1 + gb_wording_n_nodes(&model->wording),
                      .has_fixed_point = model->wording.shape != NULL || model->bags.n > 1};
    GB_TRY(gb_corpus_check_tokens(docs, err));
    GB_TRY(number_words(out, docs, settings, first_row, err));
    if (kind == GB_BATCH_COUNTS)
        GB_TRY(create_rows(out, docs, err));
    else
        GB_TRY(gb_alloc(&out->phi, out->n_local * out->stride, sizeof *out->phi,
                        "topic-word distributions of a batch", err));
done:
    return st;
}

void gb_batch_clear(gb_batch *batch)
{
    gb_free(batch->global_of);
    gb_free(batch->word);
    gb_free(batch->item);
    gb_free(batch->phi);
    gb_rows_clear(&batch->rows);
    gb_free(batch->n_tokens);
    gb_free(batch->n_k);
    gb_free(batch->mass);
    gb_wording_draw_close(&batch->wording);
    *batch = (gb_batch){0};
}

/* ---- tables of a draw ---- */

static double probability_of(const gb_batch *b, uint64_t w, size_t k, double n_kw)
{
    return (n_kw + gb_draw_beta(b->model, b->draw)) /
           gb_draw_total(b->model, b->draw, gb_bag_of(&b->model->bags, w), k);
}

static void fill_probabilities(gb_batch *b, size_t local)
{
    const gb_model *m = b->model;
    float *row = b->phi + local * b->stride;
    const uint64_t w = b->global_of[local];
    uint64_t i = b->draw->word_start[w];
    const uint64_t end = b->draw->word_start[w + 1];
    for (size_t k = 0; k < m->n_topics; k++) {
        double n_kw = 0;
        if (i < end && b->draw->topic[i] == k)
            n_kw = b->draw->count[i++];
        row[k] = (float)probability_of(b, w, k, n_kw);
    }
}

/* What cuts probabilities to whole multiples takes away, on average. */
static const double HALF_A_COUNT = 0.5;

enum { ENTRIES_PER_LINE = 16 };

static void fill_list(const gb_draw *draw, uint64_t first, uint64_t end, uint32_t *list)
{
    uint32_t n = 0;
    for (uint64_t i = first; i < end; i++)
        if (draw->count[i] > 0)
            list[++n] = draw->topic[i] + (draw->count[i] << 16);
    list[0] = n;
    while (++n % ENTRIES_PER_LINE != 0)
        list[n] = 0;
}

/* Where words are in bags. */
static void fill_multiples(gb_batch *b, size_t local)
{
    const size_t n_topics = b->model->n_topics;
    const uint64_t w = b->global_of[local], end = b->draw->word_start[w + 1];
    uint32_t *row = (uint32_t *)(void *)gb_rows_row(&b->rows, local);
    double largest = 0;
    for (int pass = 0; pass < 2; pass++) {
        uint64_t i = b->draw->word_start[w];
        for (size_t k = 0; k < n_topics; k++) {
            const bool is_here = i < end && b->draw->topic[i] == k;
            const double phi = probability_of(b, w, k, is_here ? b->draw->count[i] : 0);
            i += is_here;
            if (pass == 0)
                largest = fmax(largest, phi);
            else
                row[k] = (uint32_t)(phi / largest * FIXED_POINT);
        }
    }
}

static gb_status fill_counts(gb_batch *b, size_t local, gb_error *err)
{
    const gb_draw *draw = b->draw;
    const uint64_t w = b->global_of[local], first = draw->word_start[w], end = draw->word_start[w + 1];
    unsigned char *row = gb_rows_row(&b->rows, local);
    const gb_width width = gb_rows_width(&b->rows, local);
    if (tokens_of(draw, w) > b->n_tokens[local]) /* of a file that is not what training wrote */
        return gb_fail(err, GB_EFORMAT, "the model's draws do not count the same tokens");
    if (width == GB_LIST) {
        fill_list(draw, first, end, (uint32_t *)(void *)row);
        return GB_OK;
    }
    memset(row, 0, b->stride << width);
    for (uint64_t i = first; i < end; i++) {
        if (width == GB_WIDTH_8)
            row[draw->topic[i]] = (unsigned char)draw->count[i];
        else if (width == GB_WIDTH_16)
            ((uint16_t *)(void *)row)[draw->topic[i]] = (uint16_t)draw->count[i];
        else
            ((uint32_t *)(void *)row)[draw->topic[i]] = draw->count[i];
    }
    return GB_OK;
}

/* Without a group: as often as in all of them. */
static double probability_of_all(const gb_batch *b, uint64_t w, size_t k)
{
    const gb_draw *draw = b->draw;
    double n_kw = 0;
    for (uint64_t i = draw->word_start[w]; i < draw->word_start[w + 1]; i++)
        n_kw += draw->topic[i] == k ? draw->count[i] : 0;
    return probability_of(b, w, k, n_kw);
}

/* Words of groups; those of the same word follow each other. */
static gb_status fill_wordings(gb_batch *b, size_t first, size_t last, gb_error *err)
{
    const gb_model *m = b->model;
    const size_t n_topics = m->n_topics;
    double *mean = NULL;
    gb_status st;
    GB_TRY(gb_alloc(&mean, b->width * n_topics, sizeof *mean, "words of a batch", err));
    for (size_t local = first; local < last; local++) {
        const uint64_t w = b->global_of[local] / b->width, node = b->global_of[local] % b->width;
        if (local == first || w != b->global_of[local - 1] / b->width)
            gb_wording_draw_means(&b->wording, w, mean);
        for (size_t k = 0; k < n_topics; k++) {
            const double phi = node + 1 == b->width ? probability_of_all(b, w, k) : mean[node * n_topics + k];
            if (b->kind == GB_BATCH_PHI)
                b->phi[local * b->stride + k] = (float)phi;
            else
                ((uint32_t *)(void *)gb_rows_row(&b->rows, local))[k] = (uint32_t)(phi * FIXED_POINT);
        }
    }
done:
    gb_free(mean);
    return st;
}

static gb_status fill_words(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker;
    gb_status st = GB_OK;
    gb_batch *b = context;
    const size_t first = task * WORDS_PER_TASK, last = first + WORDS_PER_TASK;
    if (b->width > 1)
        return fill_wordings(b, first, last < b->n_local ? last : b->n_local, err);
    for (size_t local = first; st == GB_OK && local < last && local < b->n_local; local++) {
        if (b->kind == GB_BATCH_PHI)
            fill_probabilities(b, local);
        else if (b->has_fixed_point)
            fill_multiples(b, local);
        else
            st = fill_counts(b, local, err);
    }
    return st;
}

gb_status gb_batch_fill(gb_batch *batch, const gb_draw *draw, size_t n_threads, gb_error *err)
{
    const bool is_fixed = batch->has_fixed_point;
    batch->draw = draw;
    batch->beta = is_fixed ? HALF_A_COUNT : gb_draw_beta(batch->model, draw);
    batch->beta_sum = batch->beta * (double)batch->model->n_words;
    for (size_t k = 0; batch->kind == GB_BATCH_COUNTS && k < batch->model->n_topics; k++)
        batch->n_k[k] = is_fixed ? FIXED_POINT : (int64_t)draw->n_k[k];
    if (batch->width > 1) {
        gb_wording_draw_close(&batch->wording);
        batch->wording = gb_model_wording_draw(batch->model, draw);
        const gb_status st = gb_wording_draw_open(&batch->wording, err);
        if (st != GB_OK)
            return st;
    }
    return gb_parallel_for((batch->n_local + WORDS_PER_TASK - 1) / WORDS_PER_TASK, n_threads, fill_words, batch, err);
}

gb_word_block gb_batch_block(gb_batch *batch)
{
    const gb_model *m = batch->model;
    gb_word_block block = {.n_topics = m->n_topics, .stride = batch->stride, .phi = batch->phi};
    if (batch->kind == GB_BATCH_COUNTS) {
        block.rows = &batch->rows;
        block.is_frozen = true;
        block.beta = batch->beta;
        block.beta_block = batch->beta_sum;
        block.n_kb = batch->n_k;
        block.mass = batch->mass;
    }
    return block;
}
