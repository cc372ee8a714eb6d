/* coefficient/mixed.c - topics, intercept and dense columns of an output at once, then the other columns one by one.
 *
 *   eta_z, eta_dense | eta_rest  by the block draw, the other columns' part of the scores held fixed          (1)
 *   eta_j | rest                 for each other column j, --coefficient-steps times                           (2)
 *
 * Each is the conditional law of some coefficients given the others, so each leaves the joint law as it is.  Topics and
 * intercept trade off and need the block, and so do numbers (most documents have one that is not 0), above all if they are
 * not centred.  The other columns may be thousands, the levels of a factor, of a few documents each.
 *
 *   Cost: a block draw of its features alone, and four times the entries of the columns. */
#include "base/arrays.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "coefficient/parts.h"

enum { DOCS_PER_TASK = 512 }; /* the results do not depend on it */

typedef struct mixed {
    const gb_regression *in;
    uint64_t n_docs;
    size_t n_outputs, n_columns, n_features;
    size_t *column;  /* n_columns: the dense ones, then the others */
    int64_t *n_with; /* n_columns: documents of all ranks with a value; then all documents */
    gb_column_set dense, other;
    gb_sparse_columns x; /* the dense ones alone */
    double *fixed;       /* n_docs x n_outputs: sum of eta_lj x_dj over the other columns */
    double *score;       /* n_docs x n_outputs: of all features */
    const double *eta;
} mixed;

static uint64_t task_end(const mixed *m, size_t task)
{
    const uint64_t end = ((uint64_t)task + 1) * DOCS_PER_TASK, n = m->in->z->n_docs;
    return end < n ? end : n;
}

static void list_arrays(void *component, const gb_array_visitor *v)
{
    mixed *m = component;
    GB_ARRAY(v, "columns", m->column, GB_SCRATCH, GB_REPLICATED, m->n_columns);
    GB_ARRAY(v, "documents_with_columns", m->n_with, GB_SCRATCH, GB_REPLICATED, m->n_columns + 1);
    GB_ARRAY(v, "fixed_scores", m->fixed, GB_SCRATCH, GB_BY_DOCUMENT, m->n_docs, m->n_outputs);
    GB_ARRAY(v, "all_scores", m->score, GB_SCRATCH, GB_BY_DOCUMENT, m->n_docs, m->n_outputs);
}

/* ---- which columns ---- */

static uint64_t n_entries(const gb_sparse_columns *x, size_t j)
{
    return x->column_start[j + 1] - x->column_start[j];
}

static size_t room_for_columns(size_t n_topics)
{
    return n_topics + 1 < GB_MOST_FEATURES_IN_BLOCK ? GB_MOST_FEATURES_IN_BLOCK - n_topics - 1 : 0;
}

static bool is_dense(const mixed *m, size_t j)
{
    return 2 * m->n_with[j] >= m->n_with[m->n_columns];
}

/* Half of the documents or more, as long as the block has room. */
static gb_status choose_columns(mixed *m, gb_error *err)
{
    gb_status st;
    const gb_sparse_columns *x = m->in->x;
    const size_t room = room_for_columns(m->in->z->n_topics);
    size_t n = 0;
    for (size_t j = 0; j < x->n_columns; j++)
        m->n_with[j] = (int64_t)n_entries(x, j);
    m->n_with[x->n_columns] = (int64_t)x->n_docs;
    GB_TRY(gb_team_sum(gb_portion_team(m->in->portion), m->n_with, x->n_columns + 1, err));
    for (size_t j = 0; j < x->n_columns; j++)
        n += n < room && is_dense(m, j);
    m->dense = (gb_column_set){.column = m->column};
    m->other = (gb_column_set){.column = m->column + n};
    for (size_t j = 0; j < x->n_columns; j++) {
        if (m->dense.n < n && is_dense(m, j))
            m->column[m->dense.n++] = j;
        else
            m->column[n + m->other.n++] = j;
    }
done:
    return st;
}

static gb_status take_dense(mixed *m, gb_error *err)
{
    gb_status st;
    gb_sparse_entry *entry = NULL;
    const gb_sparse_columns *x = m->in->x;
    uint64_t n = 0;
    for (size_t j = 0; j < m->dense.n; j++)
        n += n_entries(x, m->dense.column[j]);
    GB_TRY(gb_alloc(&entry, n, sizeof *entry, "the coefficient draw", err));
    n = 0;
    for (size_t j = 0; j < m->dense.n; j++) {
        const size_t from = m->dense.column[j];
        for (uint64_t i = x->column_start[from]; i < x->column_start[from + 1]; i++)
            entry[n++] = (gb_sparse_entry){x->column_doc[i], (uint32_t)j, x->column_value[i]};
    }
    GB_TRY(gb_sparse_columns_create(&m->x, x->n_docs, m->dense.n, n, entry, err));
done:
    gb_free(entry);
    return st;
}

/* ---- scores ---- */

/* Column by column, so that only the entries of the others are read. */
static gb_status score_others(void *context, size_t l, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const mixed *m = context;
    const gb_sparse_columns *x = m->in->x;
    const double *eta = m->eta + l * m->n_features + m->in->z->n_topics;
    for (size_t j = 0; j < m->other.n; j++) {
        const size_t column = m->other.column[j];
        for (uint64_t i = x->column_start[column]; i < x->column_start[column + 1]; i++)
            m->fixed[x->column_doc[i] * m->in->n_outputs + l] += eta[column] * x->column_value[i];
    }
    return GB_OK;
}

/* Topics, intercept, dense columns, and the part of the others. */
static gb_status score_all(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const mixed *m = context;
    const gb_proportions *z = m->in->z;
    const size_t n = m->in->n_outputs;
    for (uint64_t d = (uint64_t)task * DOCS_PER_TASK; d < task_end(m, task); d++) {
        const gb_document_topics t = gb_proportions_of(z, d);
        const double length = gb_proportions_length(z, d);
        for (size_t l = 0; l < n; l++) {
            const double *eta = m->eta + l * m->n_features;
            double sum = m->in->intercept ? eta[m->n_features - 1] : 0;
            for (size_t i = 0; i < t.n; i++)
                sum += eta[t.topic[i]] * (t.count[i] / length);
            for (uint64_t i = m->x.doc_start[d]; i < m->x.doc_start[d + 1]; i++)
                sum += eta[z->n_topics + m->dense.column[m->x.column[i]]] * m->x.value[i];
            m->score[d * n + l] = sum + m->fixed[d * n + l];
        }
    }
    return GB_OK;
}

static gb_status draw(const gb_regression *in, double *eta, gb_error *err)
{
    gb_status st;
    const size_t n_tasks = (size_t)((in->z->n_docs + DOCS_PER_TASK - 1) / DOCS_PER_TASK);
    mixed m = {.in = in,
               .n_docs = in->z->n_docs,
               .n_outputs = in->n_outputs,
               .n_columns = gb_regression_n_columns(in),
               .n_features = gb_regression_n_features(in),
               .eta = eta};
    if (m.n_columns == 0)
        return gb_coefficient_block.draw(in, eta, err);
    GB_TRY(gb_arrays_allocate(list_arrays, &m, "the coefficient draw", err));
    GB_TRY(choose_columns(&m, err));
    GB_TRY(take_dense(&m, err));
    GB_TRY(gb_parallel_for(in->n_outputs, in->n_threads, score_others, &m, err));
    GB_TRY(gb_block_draw_part(in, m.dense, &m.x, m.fixed, eta, err)); /* (1) */
    GB_TRY(gb_parallel_for(n_tasks, in->n_threads, score_all, &m, err));
    gb_regression given_block = *in;
    given_block.score = m.score;
    GB_TRY(gb_coordinate_draw_columns(&given_block, m.other, eta, err)); /* (2) */
done:
    gb_sparse_columns_clear(&m.x);
    gb_arrays_free(list_arrays, &m);
    return st;
}

/* As if the block took all columns for which it has room. */
static uint64_t bytes(const gb_regression_size *size)
{
    const size_t room = room_for_columns(size->n_topics);
    gb_regression_size dense = *size;
    dense.n_columns = size->n_columns < room ? size->n_columns : room;
    const uint64_t block = gb_coefficient_block.bytes(&dense), others = gb_coefficient_coordinate.bytes(size);
    if (size->n_columns == 0)
        return block;
    const gb_sparse_columns x = {
        .n_docs = size->n_docs, .n_columns = dense.n_columns, .n_entries = size->n_column_entries};
    const mixed m = {.n_docs = size->n_docs, .n_outputs = size->n_outputs, .n_columns = size->n_columns};
    return gb_arrays_bytes(list_arrays, &m) + (block > others ? block : others) +
           gb_arrays_bytes(gb_sparse_columns_list, &x);
}

const gb_coefficient_sampler gb_coefficient_mixed = {
    .name = "mixed", .has_steps = true, .by_column = true, .draw = draw, .bytes = bytes};
