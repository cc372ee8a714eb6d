/* token/mh.c - the Metropolis-Hastings sampler's tables.  The kernel is token/mh_kernel.h, compiled once per instruction
 * set.
 *
 * Word tables hold a cell for each topic that the word had, and one for the rest, beta / (m_k + beta V) over all topics,
 * which all words share (Yuan and others 2015, LightLDA): memory grows with the counts that are not 0. */
#include "token/mh.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "counts/topics.h"

#include <string.h>

enum { WORDS_PER_TASK = 512 }; /* the results do not depend on it */

static gb_draw_tokens *kernel(gb_isa isa)
{
    switch (isa) {
#if defined(__x86_64__)
    case GB_ISA_AVX2:
        return gb_mh_draw_avx2;
    case GB_ISA_AVX512:
        return gb_mh_draw_avx512;
#endif
    default:
        return gb_mh_draw_plain;
    }
}

/* ---- memory ---- */

static gb_status create_worker(gb_mh_worker *w, const gb_mh *m, gb_error *err)
{
    gb_status st;
    const char *what = "proposals";
    const size_t n = m->n_topics, most_cells = n + 1;
    GB_TRY(gb_alloc(&w->base, n, sizeof *w->base, what, err));
    GB_TRY(gb_alloc(&w->base_sum, m->stride, sizeof *w->base_sum, what, err));
    GB_TRY(gb_alloc(&w->base_probability, n, sizeof *w->base_probability, what, err));
    GB_TRY(gb_alloc(&w->expected, m->n_outputs, sizeof *w->expected, what, err));
    GB_TRY(gb_alloc(&w->spread, m->n_outputs, sizeof *w->spread, what, err));
    GB_TRY(gb_alloc(&w->residual, m->n_outputs, sizeof *w->residual, what, err));
    GB_TRY(gb_alloc(&w->bend, m->n_outputs, sizeof *w->bend, what, err));
    GB_TRY(gb_alloc(&w->constant, m->n_outputs, sizeof *w->constant, what, err));
    GB_TRY(gb_alloc(&w->slope, m->n_outputs, sizeof *w->slope, what, err));
    GB_TRY(gb_alloc(&w->curvature, m->n_outputs, sizeof *w->curvature, what, err));
    GB_TRY(gb_alloc(&w->tilt, m->stride, sizeof *w->tilt, what, err));
    GB_TRY(gb_alloc(&w->tilt_sum, m->stride, sizeof *w->tilt_sum, what, err));
    GB_TRY(gb_alloc(&w->alias.weight, most_cells, sizeof *w->alias.weight, what, err));
    GB_TRY(gb_alloc(&w->alias.share, most_cells, sizeof *w->alias.share, what, err));
    GB_TRY(gb_alloc(&w->alias.small, most_cells + 1, sizeof *w->alias.small, what, err));
    GB_TRY(gb_alloc(&w->alias.large, most_cells + 1, sizeof *w->alias.large, what, err));
    GB_TRY(gb_alloc(&w->topic, m->stride, sizeof *w->topic, what, err));
    GB_TRY(gb_alloc(&w->count, m->stride, sizeof *w->count, what, err));
done:
    return st;
}

static void clear_worker(gb_mh_worker *w)
{
    gb_free(w->base);
    gb_free(w->base_sum);
    gb_free(w->base_probability);
    gb_free(w->expected);
    gb_free(w->spread);
    gb_free(w->residual);
    gb_free(w->bend);
    gb_free(w->constant);
    gb_free(w->slope);
    gb_free(w->curvature);
    gb_free(w->tilt);
    gb_free(w->tilt_sum);
    gb_free(w->alias.weight);
    gb_free(w->alias.share);
    gb_free(w->alias.small);
    gb_free(w->alias.large);
    gb_free(w->topic);
    gb_free(w->count);
}

static void destroy(void *state)
{
    gb_mh *m = state;
    if (m == NULL)
        return;
    for (size_t i = 0; m->worker != NULL && i < m->n_workers; i++)
        clear_worker(&m->worker[i]);
    gb_free(m->worker);
    gb_free(m->start);
    gb_free(m->word_of_unit);
    gb_free(m->cell);
    gb_free(m->rest);
    gb_free(m->rest_sum);
    gb_free(m->rest_probability);
    gb_free(m);
}

static void list_proposals(gb_mh *m)
{
    if (m->n_outputs == 0)
        m->options.proposals &= ~(1U << GB_MH_EXP);
    for (gb_mh_proposal p = GB_MH_DOC; p < GB_MH_N_PROPOSALS; p++)
        if ((m->options.proposals >> p & 1) != 0)
            m->proposal[m->n_proposals++] = p;
}

static gb_status create(void **out, const gb_token_options *options, const gb_topics *t, size_t n_outputs,
                        gb_error *err)
{
    gb_status st;
    const char *what = "proposals";
    gb_mh *m = NULL;
    GB_TRY(gb_alloc(&m, 1, sizeof *m, what, err));
    m->options = *options;
    m->n_topics = t->n_topics;
    m->stride = t->stride;
    m->n_outputs = n_outputs;
    m->n_words = t->n_words;
    m->is_dense = t->treatment == GB_TREAT_SAMPLED;
    list_proposals(m);
    GB_TRY(gb_alloc(&m->worker, t->n_threads, sizeof *m->worker, what, err));
    m->n_workers = t->n_threads;
    for (size_t i = 0; i < m->n_workers; i++)
        GB_TRY(create_worker(&m->worker[i], m, err));
    GB_TRY(gb_alloc(&m->start, t->n_words + 1, sizeof *m->start, what, err));
    GB_TRY(gb_alloc(&m->rest, m->n_topics, sizeof *m->rest, what, err));
    GB_TRY(gb_alloc(&m->rest_sum, m->stride, sizeof *m->rest_sum, what, err));
    GB_TRY(gb_alloc(&m->rest_probability, m->n_topics, sizeof *m->rest_probability, what, err));
    if (!m->is_dense) {
        GB_TRY(gb_alloc(&m->word_of_unit, t->rows.n_bytes / GB_ROW_ALIGNMENT, sizeof *m->word_of_unit, what, err));
        for (uint64_t w = 0; w < t->n_words; w++)
            m->word_of_unit[t->rows.handle[w] >> 2] = (uint32_t)w;
    }
    *out = m;
    m = NULL;
done:
    destroy(m);
    return st;
}

/* ---- word tables ---- */

struct table_context {
    gb_mh *m;
    const gb_topics *t;
};

static uint64_t last_word(const gb_mh *m, size_t task)
{
    const uint64_t last = ((uint64_t)task + 1) * WORDS_PER_TASK;
    return last < m->n_words ? last : m->n_words;
}

static gb_status count_cells(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)err;
    struct table_context *c = context;
    gb_mh_worker *w = &c->m->worker[worker];
    for (uint64_t v = (uint64_t)task * WORDS_PER_TASK; v < last_word(c->m, task); v++)
        c->m->start[v + 1] =
            c->m->is_dense ? c->m->n_topics : gb_rows_nonzero(&c->t->rows, v, w->topic, w->count) + 1;
    return GB_OK;
}

static void make_sparse_table(const gb_mh *m, const gb_topics *t, gb_mh_worker *w, uint64_t word)
{
    gb_alias_cell *cell = m->cell + m->start[word];
    const size_t n = gb_rows_nonzero(&t->rows, word, w->topic, w->count);
    for (size_t i = 0; i < n; i++) {
        cell[i].topic = w->topic[i];
        w->alias.weight[i] = w->count[i] * m->rest[w->topic[i]];
    }
    cell[n].topic = GB_NO_TOPIC;
    w->alias.weight[n] = m->rest_total;
    gb_alias_make(cell, n + 1, &w->alias);
}

static void make_dense_table(const gb_mh *m, const gb_topics *t, gb_mh_worker *w, uint64_t word)
{
    gb_alias_cell *cell = m->cell + m->start[word];
    for (size_t k = 0; k < m->n_topics; k++) {
        cell[k].topic = (uint16_t)k;
        w->alias.weight[k] = (double)t->phi[word * t->stride + k];
    }
    gb_alias_make(cell, m->n_topics, &w->alias);
}

static gb_status make_tables(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)err;
    struct table_context *c = context;
    for (uint64_t v = (uint64_t)task * WORDS_PER_TASK; v < last_word(c->m, task); v++) {
        if (c->m->is_dense)
            make_dense_table(c->m, c->t, &c->m->worker[worker], v);
        else
            make_sparse_table(c->m, c->t, &c->m->worker[worker], v);
    }
    return GB_OK;
}

static void make_rest(gb_mh *m, const gb_topics *t)
{
    const double beta_sum = t->beta * (double)t->n_words;
    m->rest_total = 0;
    for (size_t k = 0; k < m->n_topics; k++) {
        m->rest[k] = 1 / ((double)gb_topics_total(t, k) + beta_sum);
        m->rest_total += t->beta * m->rest[k];
    }
    gb_sums_make(m->rest_sum, m->n_topics, m->stride, m->rest);
    for (size_t k = 0; k < m->n_topics; k++)
        m->rest_probability[k] = gb_sums_probability(m->rest_sum, k);
}

/* With phi drawn the tables are those of this sweep's phi, which no token changes; else they may follow the counts only
 * while nothing is kept. */
static gb_status prepare(void *state, const gb_topics *t, bool adapts, gb_error *err)
{
    gb_status st = GB_OK;
    gb_mh *m = state;
    struct table_context c = {m, t};
    const size_t n_tasks = (size_t)((m->n_words + WORDS_PER_TASK - 1) / WORDS_PER_TASK);
    if (m->is_frozen || (m->options.proposals >> GB_MH_WORD & 1) == 0)
        return st;
    make_rest(m, t);
    GB_TRY(gb_parallel_for(n_tasks, t->n_threads, count_cells, &c, err));
    for (uint64_t v = 0; v < m->n_words; v++)
        m->start[v + 1] += m->start[v];
    GB_TRY(gb_grow(&m->cell, &m->capacity, m->start[m->n_words], sizeof *m->cell, "proposals", err));
    GB_TRY(gb_parallel_for(n_tasks, t->n_threads, make_tables, &c, err));
    m->is_frozen = !adapts && !m->is_dense;
done:
    return st;
}

static void rates(const void *state, uint64_t *proposed, uint64_t *accepted)
{
    const gb_mh *m = state;
    for (size_t p = 0; p < GB_MH_N_PROPOSALS; p++) {
        proposed[p] = accepted[p] = 0;
        for (size_t i = 0; i < m->n_workers; i++) {
            proposed[p] += m->worker[i].proposed[p];
            accepted[p] += m->worker[i].accepted[p];
        }
    }
}

const char *const gb_mh_proposal_name[GB_MH_N_PROPOSALS] = {"doc", "word", "exp"};

const gb_token_sampler gb_token_mh = {.name = "mh",
                                      .proposes = true,
                                      .kernel = kernel,
                                      .create = create,
                                      .prepare = prepare,
                                      .rates = rates,
                                      .free = destroy};
