/* coefficient/column_sums.c - sums over the documents of all ranks for each column.
 *
 * Each rank has all columns and its own documents.  Without a team a task has some columns and walks all documents; in a team it
 * has a part of the documents, and the parts' sums are added in their order, so that the number of ranks does not matter. */
#include "coefficient/column_sums.h"

#include "base/parallel.h"
#include "team/team.h"

enum { SUMS_AT_ONCE = 1 << 16 }; /* numbers that ranks exchange */

gb_column_sums gb_column_sums_make(const gb_portion *portion, uint64_t n_docs, size_t n_columns, size_t width,
                                   size_t n_threads)
{
    return (gb_column_sums){.portion = portion,
                            .n_columns = n_columns,
                            .width = width,
                            .n_threads = n_threads,
                            .n_parts = gb_portion_n_parts(portion),
                            .has_team = gb_portion_team(portion) != NULL,
                            .whole = {0, n_docs},
                            .start = portion == NULL ? NULL : portion->part_start};
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Columns whose sums are exchanged together. */
static size_t columns_at_once(const gb_column_sums *s)
{
    return least(SUMS_AT_ONCE / s->width, s->n_columns);
}

void gb_column_sums_list(void *sums, const gb_array_visitor *v)
{
    gb_column_sums *s = sums;
    if (s->has_team)
        GB_ARRAY(v, "sums_of_parts", s->part_sum, GB_SCRATCH, GB_BY_DOCUMENT, s->n_parts, columns_at_once(s),
                 s->width);
}

/* Columns, of all parts or one. */
typedef struct task {
    const gb_column_sums *sums;
    gb_sum_columns *sum;
    const void *context;
    size_t first, last; /* columns that are exchanged */
    double *w;
} task;

const uint64_t *gb_column_sums_starts(const gb_column_sums *s)
{
    return s->start == NULL ? s->whole : s->start;
}

static gb_status sum_columns(void *context, size_t number, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const task *t = context;
    const gb_doc_parts parts = {t->sums->n_parts, gb_column_sums_starts(t->sums)};
    const size_t first = number * GB_COLUMNS_PER_TASK;
    t->sum(t->context, &parts, first, least(first + GB_COLUMNS_PER_TASK, t->sums->n_columns), t->w);
    return GB_OK;
}

static gb_status sum_part(void *context, size_t part, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const task *t = context;
    const gb_doc_parts one = {1, gb_column_sums_starts(t->sums) + part};
    double *w = t->sums->part_sum + part * (t->last - t->first) * t->sums->width;
    t->sum(t->context, &one, t->first, t->last, w - t->first * t->sums->width);
    return GB_OK;
}

gb_status gb_column_sums_find(gb_column_sums *s, gb_sum_columns *sum, const void *context, double *w, gb_error *err)
{
    gb_status st = GB_OK;
    task t = {.sums = s, .sum = sum, .context = context, .w = w};
    const size_t n_tasks = (s->n_columns + GB_COLUMNS_PER_TASK - 1) / GB_COLUMNS_PER_TASK;
    if (!s->has_team)
        return gb_parallel_for(n_tasks, s->n_threads, sum_columns, &t, err);
    for (; t.first < s->n_columns; t.first = t.last) {
        t.last = least(t.first + columns_at_once(s), s->n_columns);
        GB_TRY(gb_parallel_for(s->n_parts, s->n_threads, sum_part, &t, err));
        GB_TRY(gb_team_add_rows(gb_portion_team(s->portion), s->n_parts, (t.last - t.first) * s->width, s->part_sum,
                                w + t.first * s->width, err));
    }
done:
    return st;
}
