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
    return GB_KERNEL_FOR(isa, gb_mh_draw);
}

/* ---- memory ---- */

static void list_worker(const gb_mh *m, gb_mh_worker *w, const gb_array_visitor *v)
{
    const size_t n = m->n_topics, most_cells = n + 1;
    GB_ARRAY(v, "proposal_base", w->base, GB_SCRATCH, GB_BY_WORKER, n);
    GB_ARRAY(v, "proposal_base_sums", w->base_sum, GB_SCRATCH, GB_BY_WORKER, m->stride);
    GB_ARRAY(v, "proposal_base_shares", w->base_probability, GB_SCRATCH, GB_BY_WORKER, n);
    GB_ARRAY(v, "proposal_means", w->expected, GB_SCRATCH, GB_BY_WORKER, m->n_outputs);
    GB_ARRAY(v, "proposal_variances", w->spread, GB_SCRATCH, GB_BY_WORKER, m->n_outputs);
    GB_ARRAY(v, "residuals", w->residual, GB_SCRATCH, GB_BY_WORKER, m->n_outputs);
    GB_ARRAY(v, "bends", w->bend, GB_SCRATCH, GB_BY_WORKER, m->n_outputs);
    GB_ARRAY(v, "proposal_scores", w->constant, GB_SCRATCH, GB_BY_WORKER, m->n_outputs);
    GB_ARRAY(v, "proposal_slopes", w->slope, GB_SCRATCH, GB_BY_WORKER, m->n_outputs);
    GB_ARRAY(v, "proposal_curvatures", w->curvature, GB_SCRATCH, GB_BY_WORKER, m->n_outputs);
    GB_ARRAY(v, "tilts", w->tilt, GB_SCRATCH, GB_BY_WORKER, m->stride);
    GB_ARRAY(v, "tilt_sums", w->tilt_sum, GB_SCRATCH, GB_BY_WORKER, m->stride);
    GB_ARRAY(v, "alias_weights", w->alias.weight, GB_SCRATCH, GB_BY_WORKER, most_cells);
    GB_ARRAY(v, "alias_shares", w->alias.share, GB_SCRATCH, GB_BY_WORKER, most_cells);
    GB_ARRAY(v, "alias_small", w->alias.small, GB_SCRATCH, GB_BY_WORKER, most_cells + 1);
    GB_ARRAY(v, "alias_large", w->alias.large, GB_SCRATCH, GB_BY_WORKER, most_cells + 1);
    GB_ARRAY(v, "row_topics", w->topic, GB_SCRATCH, GB_BY_WORKER, m->stride);
    GB_ARRAY(v, "row_counts", w->count, GB_SCRATCH, GB_BY_WORKER, m->stride);
}

/* Tables are state once they are frozen.  Before, they are made anew in each sweep; with phi drawn, always. */
static void list(void *state, const gb_array_visitor *v)
{
    gb_mh *m = state;
    GB_ARRAY_WITH(v, .name = "word_proposals_are_frozen", .type = GB_U8, .size = 1, .life = GB_STATE,
                  .axis = GB_REPLICATED, .is_part = true, .first = &m->is_frozen, GB_SHAPE(1));
    GB_ARRAY_WITH(v, .name = "proposal_counts", .type = GB_U64, .size = sizeof(uint64_t), .life = GB_STATE,
                  .axis = GB_REPLICATED, .is_part = true, .first = m->total, GB_SHAPE(2, GB_MH_N_PROPOSALS));
    const gb_life life = m->is_frozen && !m->is_dense ? GB_STATE : GB_SCRATCH;
    GB_ARRAY(v, "word_proposal_starts", m->start, life, GB_BY_WORD_BLOCK, m->n_words + 1);
    GB_ARRAY_WITH(
        v, .name = "word_proposal_cells", .type = GB_U32, .size = sizeof(uint32_t), .at = &m->cell, .life = life,
        .axis = GB_BY_WORD_BLOCK, .capacity = &m->capacity,
        GB_SHAPE(m->start == NULL ? m->most_cells : m->start[m->n_words], sizeof *m->cell / sizeof(uint32_t)));
    GB_ARRAY_WITH(v, .name = "word_proposal_rest", GB_AT(m->rest), .life = life, .axis = GB_REPLICATED,
                  .range = GB_POSITIVE, GB_SHAPE(m->n_topics));
    GB_ARRAY(v, "word_proposal_rest_sums", m->rest_sum, GB_SCRATCH, GB_REPLICATED, m->stride);
    GB_ARRAY(v, "word_proposal_rest_shares", m->rest_probability, GB_SCRATCH, GB_REPLICATED, m->n_topics);
    GB_ARRAY(v, "words_of_rows", m->word_of_unit, GB_DERIVED, GB_BY_WORD_BLOCK, m->n_units);
    GB_ARRAY_WITH(v, .name = "proposal_workers", GB_AT(m->worker), .life = GB_SCRATCH, .axis = GB_BY_WORKER,
                  .has_pointers = true, GB_SHAPE(m->n_workers));
    for (size_t i = 0; i < m->n_workers; i++)
        list_worker(m, m->worker == NULL ? &(gb_mh_worker){.base_total = 0} : &m->worker[i], v);
}

static void destroy(void *state)
{
    if (state == NULL)
        return;
    gb_arrays_free(list, state);
    gb_free(state);
}

static void list_proposals(gb_mh *m)
{
    if (m->n_outputs == 0)
        m->options.proposals &= ~(1U << GB_MH_EXP);
    for (gb_mh_proposal p = GB_MH_DOC; p < GB_MH_N_PROPOSALS; p++)
        if ((m->options.proposals >> p & 1) != 0)
            m->proposal[m->n_proposals++] = p;
}

static gb_mh size_of(const gb_token_options *options, const gb_topics *t, size_t n_outputs)
{
    gb_mh m = {.options = *options,
               .n_topics = t->n_topics,
               .stride = t->stride,
               .n_outputs = n_outputs,
               .n_words = t->n_words,
               .n_workers = t->n_threads,
               .is_dense = t->treatment == GB_TREAT_SAMPLED};
    m.n_units = m.is_dense ? 0 : gb_topics_n_units(t);
    list_proposals(&m);
    return m;
}

static bool has_tables(const gb_mh *m)
{
    return (m->options.proposals >> GB_MH_WORD & 1) != 0;
}

static uint64_t bytes(const gb_token_options *options, const gb_topics *t, size_t n_outputs, uint64_t n_entries)
{
    gb_mh m = size_of(options, t, n_outputs);
    m.most_cells = !has_tables(&m) ? 0 : m.is_dense ? m.n_words * m.n_topics : n_entries + m.n_words;
    return gb_arrays_bytes(list, &m);
}

static gb_status create(void **out, const gb_token_options *options, const gb_topics *t, size_t n_outputs,
                        gb_error *err)
{
    gb_status st;
    gb_mh *m = NULL;
    GB_TRY(gb_alloc(&m, 1, sizeof *m, "proposals", err));
    *m = size_of(options, t, n_outputs);
    GB_TRY(gb_arrays_allocate(list, m, "proposals", err));
    for (uint64_t w = 0; w < t->n_words && !m->is_dense; w++)
        m->word_of_unit[gb_rows_unit(gb_topics_rows(t, w), t->handle[w])] = (uint32_t)w;
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
        c->m->start[v + 1] = !gb_topics_has_word(c->t, v) ? 0
                             : c->m->is_dense             ? c->m->n_topics
                                              : gb_rows_nonzero(gb_topics_rows(c->t, v), v, w->topic, w->count) + 1;
    return GB_OK;
}

static void make_sparse_table(const gb_mh *m, const gb_topics *t, gb_mh_worker *w, uint64_t word)
{
    gb_alias_cell *cell = m->cell + m->start[word];
    const size_t n = gb_rows_nonzero(gb_topics_rows(t, word), word, w->topic, w->count);
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
        else if (gb_topics_has_word(c->t, v)) /* else another rank makes its table */
            make_sparse_table(c->m, c->t, &c->m->worker[worker], v);
    }
    return GB_OK;
}

/* What follows from m->rest. */
static void finish_rest(gb_mh *m, const gb_topics *t)
{
    m->rest_total = 0;
    for (size_t k = 0; k < m->n_topics; k++)
        m->rest_total += t->beta * m->rest[k];
    gb_sums_make(m->rest_sum, m->n_topics, m->stride, m->rest);
    for (size_t k = 0; k < m->n_topics; k++)
        m->rest_probability[k] = gb_sums_probability(m->rest_sum, k);
}

static void make_rest(gb_mh *m, const gb_topics *t)
{
    const double beta_sum = t->beta * (double)t->n_words;
    for (size_t k = 0; k < m->n_topics; k++)
        m->rest[k] = 1 / ((double)gb_topics_total(t, k) + beta_sum);
    finish_rest(m, t);
}

/* With phi drawn the tables belong to this sweep's phi, which no token changes; else they may follow the counts only
 * while nothing is kept. */
static gb_status prepare(void *state, const gb_topics *t, bool adapts, gb_error *err)
{
    gb_status st = GB_OK;
    gb_mh *m = state;
    struct table_context c = {m, t};
    gb_team *team = m->is_dense ? NULL : t->team; /* drawn topics are the same everywhere */
    const size_t n_tasks = (size_t)((m->n_words + WORDS_PER_TASK - 1) / WORDS_PER_TASK);
    if (m->is_frozen || !has_tables(m))
        return st;
    make_rest(m, t);
    GB_TRY(gb_parallel_for(n_tasks, t->n_threads, count_cells, &c, err));
    GB_TRY(gb_team_merge(team, m->start, (m->n_words + 1) * sizeof *m->start, err));
    for (uint64_t v = 0; v < m->n_words; v++)
        m->start[v + 1] += m->start[v];
    GB_TRY(gb_grow(&m->cell, &m->capacity, m->start[m->n_words], sizeof *m->cell, "proposals", err));
    if (team != NULL)
        memset(m->cell, 0, m->start[m->n_words] * sizeof *m->cell);
    GB_TRY(gb_parallel_for(n_tasks, t->n_threads, make_tables, &c, err));
    GB_TRY(gb_team_merge(team, m->cell, m->start[m->n_words] * sizeof *m->cell, err));
    m->is_frozen = !adapts && !m->is_dense;
done:
    return st;
}

/* ---- proposed and accepted ---- */

static void forget_counts(gb_mh_worker *w)
{
    memset(w->proposed, 0, sizeof w->proposed);
    memset(w->accepted, 0, sizeof w->accepted);
}

static void rates(const void *state, uint64_t *proposed, uint64_t *accepted)
{
    const gb_mh *m = state;
    for (size_t p = 0; p < GB_MH_N_PROPOSALS; p++) {
        proposed[p] = m->total[0][p];
        accepted[p] = m->total[1][p];
        for (size_t i = 0; i < m->n_workers; i++) {
            proposed[p] += m->worker[i].proposed[p];
            accepted[p] += m->worker[i].accepted[p];
        }
    }
}

/* The sums of a chain do not depend on the number of its workers. */
static gb_status finish(void *state, const gb_topics *t, gb_error *err)
{
    gb_mh *m = state;
    int64_t n[2][GB_MH_N_PROPOSALS] = {{0}};
    for (size_t i = 0; i < m->n_workers; i++) {
        for (size_t p = 0; p < GB_MH_N_PROPOSALS; p++) {
            n[0][p] += (int64_t)m->worker[i].proposed[p];
            n[1][p] += (int64_t)m->worker[i].accepted[p];
        }
        forget_counts(&m->worker[i]);
    }
    const gb_status st = gb_team_sum(t->team, n[0], sizeof n / sizeof n[0][0], err);
    for (size_t p = 0; p < GB_MH_N_PROPOSALS; p++) {
        m->total[0][p] += (uint64_t)n[0][p];
        m->total[1][p] += (uint64_t)n[1][p];
    }
    return st;
}

/* ---- tables from a file ---- */

_Static_assert(sizeof(gb_alias_cell) == 3 * sizeof(uint32_t), "cells are saved as three numbers of 32 bits each");

/* A word's cells: topics ascending, then the rest. */
static bool is_table(const gb_mh *m, const gb_alias_cell *cell, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        const bool is_rest = i + 1 == n, ascends = i == 0 || is_rest || cell[i].topic > cell[i - 1].topic;
        if (cell[i].other >= n || !(cell[i].probability > 0) || !(cell[i].probability <= 1) || !ascends ||
            (is_rest ? cell[i].topic != GB_NO_TOPIC : cell[i].topic >= m->n_topics))
            return false;
    }
    return true;
}

static bool are_tables(const gb_mh *m)
{
    if (m->is_frozen > 1 || m->is_dense || m->start[0] != 0)
        return false;
    for (uint64_t w = 0; w < m->n_words; w++) {
        const uint64_t first = m->start[w], end = m->start[w + 1];
        if (end <= first || end > m->start[m->n_words] || end - first > m->n_topics + 1 ||
            !is_table(m, m->cell + first, end - first))
            return false;
    }
    return true;
}

static gb_status restore(void *state, const gb_topics *t, gb_error *err)
{
    gb_mh *m = state;
    for (size_t i = 0; i < m->n_workers; i++)
        forget_counts(&m->worker[i]);
    if (m->is_frozen == 0)
        return GB_OK;
    if (!are_tables(m))
        return gb_fail(err, GB_EFORMAT, "the tables of the word proposal are damaged");
    finish_rest(m, t);
    return GB_OK;
}

const char *const gb_mh_proposal_name[GB_MH_N_PROPOSALS] = {"doc", "word", "exp"};

const gb_token_sampler gb_token_mh = {.name = "mh",
                                      .proposes = true,
                                      .kernel = kernel,
                                      .create = create,
                                      .list = list,
                                      .bytes = bytes,
                                      .restore = restore,
                                      .prepare = prepare,
                                      .finish = finish,
                                      .rates = rates,
                                      .free = destroy};
