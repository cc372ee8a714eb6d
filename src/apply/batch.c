/* apply/batch.c - the words of some new documents, and their rows of phi. */
#include "apply/batch.h"

#include "base/memory.h"
#include "base/parallel.h"

gb_status gb_batch_create(gb_batch *out, const gb_model *model, const gb_corpus *docs, gb_error *err)
{
    gb_status st;
    uint32_t *local_of = NULL; /* n_words: number + 1, or 0 */
    const char *what = "words of a batch";
    *out = (gb_batch){.model = model, .stride = (model->n_topics + GB_LANES - 1) / GB_LANES * GB_LANES};
    GB_TRY(gb_alloc(&local_of, model->n_words, sizeof *local_of, what, err));
    GB_TRY(gb_alloc(&out->word, docs->n_tokens, sizeof *out->word, what, err));
    for (uint64_t i = 0; i < docs->n_tokens; i++)
        local_of[docs->word[i]] = 1;
    for (uint64_t w = 0; w < model->n_words; w++)
        if (local_of[w] != 0)
            local_of[w] = (uint32_t)++out->n_local;
    GB_TRY(gb_alloc(&out->global_of, out->n_local, sizeof *out->global_of, what, err));
    for (uint64_t w = 0; w < model->n_words; w++)
        if (local_of[w] != 0)
            out->global_of[local_of[w] - 1] = (uint32_t)w;
    for (uint64_t i = 0; i < docs->n_tokens; i++)
        out->word[i] = local_of[docs->word[i]] - 1;
    GB_TRY(gb_alloc(&out->phi, out->n_local * out->stride, sizeof *out->phi, "topic-word distributions of a batch",
                    err));
done:
    gb_free(local_of);
    return st;
}

void gb_batch_clear(gb_batch *batch)
{
    gb_free(batch->global_of);
    gb_free(batch->word);
    gb_free(batch->phi);
    *batch = (gb_batch){0};
}

static gb_status fill_row(void *context, size_t local, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    gb_batch *b = context;
    const gb_model *m = b->model;
    float *row = b->phi + local * b->stride;
    const double beta_sum = m->beta * (double)m->n_words;
    const uint64_t w = b->global_of[local];
    uint64_t i = b->draw->word_start[w];
    const uint64_t end = b->draw->word_start[w + 1];
    for (size_t k = 0; k < m->n_topics; k++) {
        double n_kw = 0;
        if (i < end && b->draw->topic[i] == k)
            n_kw = b->draw->count[i++];
        row[k] = (float)((n_kw + m->beta) / ((double)b->draw->n_k[k] + beta_sum));
    }
    return GB_OK;
}

gb_status gb_batch_fill(gb_batch *batch, const gb_draw *draw, size_t n_threads, gb_error *err)
{
    batch->draw = draw;
    return gb_parallel_for(batch->n_local, n_threads, fill_row, batch, err);
}
