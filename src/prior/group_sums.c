/* prior/group_sums.c - documents in the order of their groups, and sums over the documents of each group.
 *
 * A cell is the documents that a part has of a group.  Sums are made for each cell; those of a group are put together in the
 * order of parts, so that they do not depend on which rank has which part.  With one part the sum of a cell is the sum
 * of its group. */
#include "prior/group_means_parts.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "prior/part_tasks.h"

#include <string.h>

enum { AT_ONCE = 1 << 17 }; /* numbers of each part that are put together at a time */

static const char what[] = "sums of groups";

/* ---- cells ---- */

/* The documents of a part by groups, in their order; `end` receives where those of each group end. */
static void sort_part(const gb_group_means *m, uint64_t first, uint64_t last, uint64_t *end)
{
    struct gb_group_means_work *w = m->work;
    uint64_t at = first;
    memset(end, 0, m->graph->n_groups * sizeof *end);
    for (uint64_t d = first; d < last; d++)
        end[w->group_of[d]]++;
    for (uint32_t g = 0; g < m->graph->n_groups; g++) {
        const uint64_t n = end[g];
        end[g] = at;
        at += n;
    }
    for (uint64_t d = first; d < last; d++)
        w->doc[end[w->group_of[d]]++] = d;
}

static size_t add_cells(const gb_group_means *m, uint64_t first, const uint64_t *end, size_t first_task,
                        size_t n_cells)
{
    uint64_t start = first;
    for (uint32_t g = 0; g < m->graph->n_groups; start = end[g++])
        if (end[g] > start)
            m->work->cell[n_cells++] =
                (gb_group_cell){.group = g,
                                .start = start,
                                .first_task = first_task + (size_t)((start - first) / GB_SHIFT_DOCS_PER_TASK),
                                .last_task = first_task + (size_t)((end[g] - 1 - first) / GB_SHIFT_DOCS_PER_TASK)};
    return n_cells;
}

static gb_status count_documents(const gb_group_means *m, gb_error *err)
{
    struct gb_group_means_work *w = m->work;
    for (uint64_t d = 0; d < m->n_docs; d++)
        w->size[w->group_of[d]]++;
    return gb_team_sum(gb_portion_team(m->portion), w->size, m->graph->n_groups, err);
}

gb_status gb_group_means_sort(gb_group_means *m, const uint32_t *group_of, gb_error *err)
{
    gb_status st;
    struct gb_group_means_work *w = m->work;
    uint64_t *end = NULL;
    size_t n_cells = 0, n_tasks = 0;
    GB_TRY(gb_alloc(&end, m->graph->n_groups, sizeof *end, what, err));
    if (m->n_docs > 0)
        memcpy(w->group_of, group_of, m->n_docs * sizeof *group_of);
    for (size_t i = 0; i < gb_portion_n_parts(m->portion); i++) {
        const uint64_t first = gb_portion_part(m->portion, m->n_docs, i),
                       last = gb_portion_part(m->portion, m->n_docs, i + 1);
        sort_part(m, first, last, end);
        n_cells = add_cells(m, first, end, n_tasks, n_cells);
        n_tasks += gb_tasks_of(last - first, GB_SHIFT_DOCS_PER_TASK);
        w->cells_end[i] = n_cells;
    }
    w->n_cells = n_cells;
    w->cell[n_cells].start = m->n_docs;
    GB_TRY(count_documents(m, err));
done:
    gb_free(end);
    return st;
}

/* ---- sums ---- */

typedef struct group_sums {
    const gb_group_means *m;
    size_t width;
    gb_cell_sum *of_cell;
    const void *context;
    uint32_t first, end; /* groups at hand */
    size_t *at;          /* for each part, its first cell whose group is not before `first` */
    double *sum;         /* n_parts x (end - first) x width */
} group_sums;

static gb_status sum_part(void *context, size_t part, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const group_sums *s = context;
    const struct gb_group_means_work *w = s->m->work;
    const size_t size = (s->end - s->first) * s->width;
    double *sum = s->sum + part * size;
    memset(sum, 0, size * sizeof *sum);
    for (; s->at[part] < w->cells_end[part] && w->cell[s->at[part]].group < s->end; s->at[part]++) {
        const gb_group_cell *cell = &w->cell[s->at[part]];
        s->of_cell(s->context, cell, sum + (cell->group - s->first) * s->width);
    }
    return GB_OK;
}

/* Some groups at a time. */
static gb_status sum_parts(group_sums *s, double *out, gb_error *err)
{
    gb_status st;
    const gb_group_means *m = s->m;
    const uint32_t n_groups = m->graph->n_groups;
    const size_t n_parts = gb_portion_n_parts(m->portion), fit = AT_ONCE / s->width,
                 at_once = fit == 0         ? 1
                           : fit < n_groups ? fit
                                            : n_groups;
    GB_TRY(gb_alloc(&s->at, n_parts, sizeof *s->at, what, err));
    GB_TRY(gb_alloc(&s->sum, n_parts * at_once, s->width * sizeof *s->sum, what, err));
    for (size_t i = 1; i < n_parts; i++)
        s->at[i] = m->work->cells_end[i - 1];
    for (; s->first < n_groups; s->first = s->end) {
        s->end = n_groups - s->first < at_once ? n_groups : s->first + (uint32_t)at_once;
        GB_TRY(gb_parallel_for(n_parts, m->work->n_threads, sum_part, s, err));
        GB_TRY(gb_team_add_rows(gb_portion_team(m->portion), n_parts, (s->end - s->first) * s->width, s->sum,
                                out + s->first * s->width, err));
    }
done:
    gb_free(s->at);
    gb_free(s->sum);
    return st;
}

gb_status gb_group_means_sum(const gb_group_means *m, size_t width, gb_cell_sum *of_cell, const void *context,
                             double *out, gb_error *err)
{
    const struct gb_group_means_work *w = m->work;
    group_sums s = {.m = m, .width = width, .of_cell = of_cell, .context = context};
    if (!gb_portion_is_one_part(m->portion))
        return sum_parts(&s, out, err);
    memset(out, 0, m->graph->n_groups * width * sizeof *out);
    for (size_t i = 0; i < w->n_cells; i++)
        of_cell(context, &w->cell[i], out + w->cell[i].group * width);
    return GB_OK;
}
