/* coefficient/mixed.c - topics, intercept and dense columns of an output at once, then the other columns: one by one, or all at once.
 *
 *   eta_z, eta_dense | eta_rest  by the block draw, the other columns' part of the scores held fixed          (1)
 *   eta_j | rest                 for each other column j, --coefficient-steps times                           (2)
 *   eta_rest | eta_z, eta_dense  in place of (2), by conjugate gradients                                      (3)
 *
 * An embedding is dense; if the block has no room for all of it, its columns are drawn one by one.
 *
 * Each is the conditional law of some coefficients given the others, so each leaves the joint law as it is.  Topics and
 * intercept trade off and need the block, and so do numbers (most documents have one that is not 0), above all if they are
 * not centred.  The other columns may be thousands, the levels of a factor, of a few documents each; or the words.
 *
 *   Cost: a block draw of its features alone, and four times the entries of the columns, (3) in every iteration. */
#include "base/arrays.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "coefficient/groups.h"
#include "coefficient/parts.h"
#include "design/products.h"

#include <string.h>

enum { DOCS_PER_TASK = 512 }; /* the results do not depend on it */

typedef struct mixed {
    const gb_regression *in;
    uint64_t n_docs;
    size_t n_outputs, n_features, n_threads;
    size_t n_columns, first_word; /* columns; of words the first, or where it would be */
    const gb_block *embedding;    /* NULL: none */
    bool has_embedding;           /* it is drawn with the topics */
    size_t n_dense_covariates;    /* drawn with the topics */
    size_t *feature;              /* n_features: columns that are drawn with the topics, then the others */
    int64_t *n_with; /* n_features: documents of all ranks with a value of a column; then all documents */
    gb_feature_list dense, other;
    gb_sparse_columns x; /* the dense ones alone */
    gb_design part;      /* topics, dense columns, constant */
    size_t most;         /* features that the part can have */
    size_t *place;       /* most: where they are among all */
    uint32_t *at;        /* n_threads x most: features of a document */
    double *value;       /* n_threads x most: their values */
    double *score;       /* n_docs x n_outputs: sum of eta_lj x_dj over the other columns, then over all features */
    const double *eta;

    gb_design columns;      /* with an embedding if it is not in the block */
    size_t first, n, width; /* outputs that are scored side by side */
    double *column_eta;     /* n_columns x width: coefficients of the other columns, 0 of the dense ones */
    double *part_score;     /* n_docs x width: their part of the scores */
} mixed;

static uint64_t task_end(const mixed *m, size_t task)
{
    const uint64_t end = ((uint64_t)task + 1) * DOCS_PER_TASK;
    return end < m->n_docs ? end : m->n_docs;
}

static void list_arrays(void *component, const gb_array_visitor *v)
{
    mixed *m = component;
    GB_ARRAY(v, "columns", m->feature, GB_SCRATCH, GB_REPLICATED, m->n_features);
    GB_ARRAY(v, "documents_with_columns", m->n_with, GB_SCRATCH, GB_REPLICATED, m->n_features + 1);
    GB_ARRAY(v, "places", m->place, GB_SCRATCH, GB_REPLICATED, m->most);
    GB_ARRAY(v, "features_at_hand", m->at, GB_SCRATCH, GB_BY_WORKER, m->n_threads, m->most);
    GB_ARRAY(v, "values_at_hand", m->value, GB_SCRATCH, GB_BY_WORKER, m->n_threads, m->most);
    GB_ARRAY(v, "coefficients_of_columns", m->column_eta, GB_SCRATCH, GB_REPLICATED, m->n_columns, m->width);
    GB_ARRAY(v, "scores_of_columns", m->part_score, GB_SCRATCH, GB_BY_DOCUMENT, m->n_docs, m->width);
    GB_ARRAY(v, "scores", m->score, GB_SCRATCH, GB_BY_DOCUMENT, m->n_docs, m->n_outputs);
}

static size_t n_topics_of(const gb_layout *layout)
{
    return gb_layout_find(layout, GB_TOPICS_BLOCK)->n;
}

static size_t room_for_columns(const gb_layout *layout)
{
    const size_t n = n_topics_of(layout) + 1;
    return n < GB_MOST_FEATURES_IN_BLOCK ? GB_MOST_FEATURES_IN_BLOCK - n : 0;
}

static size_t n_covariates_of(const gb_layout *layout)
{
    const gb_block *covariates = gb_layout_find(layout, GB_COVARIATES_BLOCK);
    return covariates == NULL ? 0 : covariates->n;
}

/* Columns lie between topics and constant: covariates, embedding, words. */
static size_t n_columns_of(const gb_layout *layout)
{
    return gb_layout_n_shrunken(layout) - n_topics_of(layout);
}

/* ---- which columns ---- */

/* A column by the number of its feature. */
typedef struct column {
    const gb_sparse_columns *x;
    uint64_t first, end; /* entries of x */
} column;

static column column_of(const mixed *m, size_t feature)
{
    const gb_design *design = m->in->design;
    const gb_block *block = gb_layout_block_of(&design->layout, feature);
    const gb_sparse_columns *x = design->x[block->kind];
    const uint64_t *start = x->column_start + (feature - block->first);
    return (column){x, start[0], start[1]};
}

static bool is_embedding(const mixed *m, size_t feature)
{
    return m->embedding != NULL && feature >= m->embedding->first && feature < m->embedding->first + m->embedding->n;
}

static gb_status count_documents(mixed *m, gb_error *err)
{
    const size_t first = n_topics_of(&m->in->design->layout);
    for (size_t j = first; j < first + m->n_columns; j++) {
        if (is_embedding(m, j))
            continue;
        const column c = column_of(m, j);
        m->n_with[j] = (int64_t)(c.end - c.first);
    }
    m->n_with[m->n_features] = (int64_t)m->n_docs;
    return gb_team_sum(gb_portion_team(m->in->portion), m->n_with, m->n_features + 1, err);
}

/* Words never: there are too many of them in a document.  An embedding as a whole or not at all. */
static bool is_dense(const mixed *m, size_t j)
{
    if (is_embedding(m, j))
        return m->has_embedding;
    return j < m->first_word && 2 * m->n_with[j] >= m->n_with[m->n_features];
}

/* Half of the documents or more, as long as the block has room. */
static gb_status choose_columns(mixed *m, gb_error *err)
{
    gb_status st;
    const gb_layout *layout = &m->in->design->layout;
    const size_t first = n_topics_of(layout), end = first + m->n_columns, room = room_for_columns(layout);
    size_t n = 0;
    GB_TRY(count_documents(m, err));
    for (size_t j = first; j < end; j++)
        n += n < room && is_dense(m, j);
    m->n_dense_covariates = n;
    m->has_embedding = m->embedding != NULL && n + m->embedding->n <= room;
    n += m->has_embedding ? m->embedding->n : 0;
    m->dense = (gb_feature_list){.feature = m->feature};
    m->other = (gb_feature_list){.feature = m->feature + n};
    for (size_t j = first; j < end; j++) {
        if (m->dense.n < n && is_dense(m, j))
            m->feature[m->dense.n++] = j;
        else
            m->feature[n + m->other.n++] = j;
    }
done:
    return st;
}

/* Of covariates. */
static gb_status take_dense(mixed *m, gb_error *err)
{
    gb_status st;
    gb_sparse_entry *entry = NULL;
    uint64_t n = 0;
    for (size_t j = 0; j < m->n_dense_covariates; j++) {
        const column c = column_of(m, m->dense.feature[j]);
        n += c.end - c.first;
    }
    GB_TRY(gb_alloc(&entry, n, sizeof *entry, "the coefficient draw", err));
    n = 0;
    for (size_t j = 0; j < m->n_dense_covariates; j++) {
        const column c = column_of(m, m->dense.feature[j]);
        for (uint64_t i = c.first; i < c.end; i++)
            entry[n++] = (gb_sparse_entry){c.x->column_doc[i], (uint32_t)j, c.x->column_value[i]};
    }
    GB_TRY(gb_sparse_columns_create(&m->x, m->n_docs, m->n_dense_covariates, n, entry, err));
done:
    gb_free(entry);
    return st;
}

/* Topics, dense columns and the constant as a design of their own. */
static void make_part(mixed *m)
{
    const gb_design *all = m->in->design;
    const gb_block *constant = gb_layout_find(&all->layout, GB_CONSTANT_BLOCK);
    const size_t n_topics = n_topics_of(&all->layout);
    m->part = gb_design_make(all->z, &m->x, NULL, constant != NULL);
    if (m->has_embedding)
        gb_design_add_embedding(&m->part, all->dense);
    for (size_t k = 0; k < n_topics; k++)
        m->place[k] = k;
    for (size_t j = 0; j < m->dense.n; j++)
        m->place[n_topics + j] = m->dense.feature[j];
    if (constant != NULL)
        m->place[n_topics + m->dense.n] = constant->first;
}

/* ---- scores ---- */

static gb_status score_group(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const mixed *m = context;
    const uint64_t first = (uint64_t)task * DOCS_PER_TASK, last = task_end(m, task);
    gb_columns_times(&m->columns, m->in->isa, m->width, m->column_eta, first, last, m->part_score);
    for (uint64_t d = first; d < last; d++)
        memcpy(m->score + d * m->n_outputs + m->first, m->part_score + d * m->width, m->n * sizeof *m->score);
    return GB_OK;
}

/* A few outputs at a time; columns of the block count as 0. */
static gb_status score_others(mixed *m, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t n_tasks = (size_t)((m->n_docs + DOCS_PER_TASK - 1) / DOCS_PER_TASK),
                 first_column = gb_layout_first_column(&m->columns.layout);
    for (size_t i = 0; m->other.n > 0 && i < gb_n_groups(m->n_outputs); i++) {
        m->first = i * GB_GROUP_WIDTH;
        m->n = gb_group_size(m->n_outputs, i);
        m->width = gb_group_width(m->n_outputs, i);
        memset(m->column_eta, 0, m->n_columns * m->width * sizeof *m->column_eta);
        for (size_t l = 0; l < m->n; l++)
            for (size_t j = 0; j < m->other.n; j++)
                m->column_eta[(m->other.feature[j] - first_column) * m->width + l] =
                    m->eta[(m->first + l) * m->n_features + m->other.feature[j]];
        GB_TRY(gb_parallel_for(n_tasks, m->n_threads, score_group, m, err));
    }
done:
    return st;
}

/* The part's features of a document, and what the others add; the constant first, as scores are made. */
static void score_document(const mixed *m, uint64_t d, uint32_t *at, double *value)
{
    size_t n = gb_design_row(&m->part, d, at, value);
    const bool has_constant = gb_layout_find(&m->part.layout, GB_CONSTANT_BLOCK) != NULL;
    n -= has_constant ? 1 : 0;
    for (size_t l = 0; l < m->n_outputs; l++) {
        const double *eta = m->eta + l * m->n_features;
        double sum = has_constant ? eta[m->place[at[n]]] : 0;
        for (size_t i = 0; i < n; i++)
            sum += eta[m->place[at[i]]] * value[i];
        m->score[d * m->n_outputs + l] += sum;
    }
}

static gb_status score_all(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)err;
    const mixed *m = context;
    for (uint64_t d = (uint64_t)task * DOCS_PER_TASK; d < task_end(m, task); d++)
        score_document(m, d, m->at + worker * m->most, m->value + worker * m->most);
    return GB_OK;
}

/* ---- the draw ---- */

/* The numbers that all arrays follow from. */
static void set_sizes(mixed *m, const gb_layout *layout)
{
    const size_t n_covariates = n_covariates_of(layout), room = room_for_columns(layout);
    m->n_features = layout->n_features;
    m->width = gb_group_width(m->n_outputs, 0);
    m->n_columns = n_columns_of(layout);
    m->embedding = gb_layout_find(layout, GB_EMBEDDING_BLOCK);
    const size_t n_dense = n_covariates + (m->embedding == NULL ? 0 : m->embedding->n);
    m->first_word = n_topics_of(layout) + n_dense;
    m->most = n_topics_of(layout) + (n_dense < room ? n_dense : room) + 1;
}

typedef gb_status draw_columns(const gb_regression *in, gb_feature_list columns, double *eta, gb_error *err);

static gb_status draw_with(draw_columns *draw_others, const gb_regression *in, double *eta, gb_error *err)
{
    gb_status st;
    const uint64_t n_docs = in->design->n_docs;
    const size_t n_tasks = (size_t)((n_docs + DOCS_PER_TASK - 1) / DOCS_PER_TASK);
    mixed m = {.in = in, .n_docs = n_docs, .n_outputs = in->n_outputs, .n_threads = in->n_threads, .eta = eta};
    if (n_columns_of(&in->design->layout) == 0)
        return gb_coefficient_block.draw(in, eta, err);
    set_sizes(&m, &in->design->layout);
    GB_TRY(gb_arrays_allocate(list_arrays, &m, "the coefficient draw", err));
    GB_TRY(choose_columns(&m, err));
    GB_TRY(take_dense(&m, err));
    make_part(&m);
    m.columns = *in->design;
    m.columns.dense = m.has_embedding ? NULL : in->design->dense;
    GB_TRY(score_others(&m, err));
    GB_TRY(gb_block_draw_part(in, &m.part, m.place, m.score, eta, err)); /* (1) */
    GB_TRY(gb_parallel_for(n_tasks, in->n_threads, score_all, &m, err));
    gb_regression given_block = *in;
    given_block.score = m.score;
    GB_TRY(draw_others(&given_block, m.other, eta, err)); /* (2) or (3) */
done:
    gb_sparse_columns_clear(&m.x);
    gb_arrays_free(list_arrays, &m);
    return st;
}

static gb_status draw_one_by_one(const gb_regression *in, double *eta, gb_error *err)
{
    return draw_with(gb_coordinate_draw_columns, in, eta, err);
}

static gb_status draw_at_once(const gb_regression *in, double *eta, gb_error *err)
{
    return draw_with(gb_conjugate_draw_columns, in, eta, err);
}

/* As if the block took all columns for which it has room. */
static uint64_t bytes_with(uint64_t others, const gb_regression_size *size)
{
    mixed m = {.n_docs = size->n_docs, .n_outputs = size->n_outputs, .n_threads = size->n_threads};
    gb_regression_size dense = *size;
    if (n_columns_of(&size->layout) == 0)
        return gb_coefficient_block.bytes(size);
    set_sizes(&m, &size->layout);
    const size_t n_topics = n_topics_of(&size->layout), n_dense = m.most - n_topics - 1;
    dense.layout = gb_layout_make(n_topics, n_dense, 0, gb_layout_find(&size->layout, GB_CONSTANT_BLOCK) != NULL);
    const uint64_t block = gb_coefficient_block.bytes(&dense);
    const gb_sparse_columns x = {.n_docs = size->n_docs, .n_columns = n_dense, .n_entries = size->n_column_entries};
    return gb_arrays_bytes(list_arrays, &m) + (block > others ? block : others) +
           gb_arrays_bytes(gb_sparse_columns_list, &x);
}

static uint64_t bytes_one_by_one(const gb_regression_size *size)
{
    return bytes_with(gb_coefficient_coordinate.bytes(size), size);
}

static uint64_t bytes_at_once(const gb_regression_size *size)
{
    return bytes_with(gb_conjugate_bytes(size), size);
}

const gb_coefficient_sampler gb_coefficient_mixed = {
    .name = "mixed", .has_steps = true, .by_column = true, .draw = draw_one_by_one, .bytes = bytes_one_by_one};

const gb_coefficient_sampler gb_coefficient_conjugate = {
    .name = "conjugate", .by_column = true, .draw = draw_at_once, .bytes = bytes_at_once};
