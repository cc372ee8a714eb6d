/* math/sparse_ldl.c - sparse symmetric positive definite matrices of one pattern.
 *
 *   A is stored as the upper triangle of P A P', so that nothing is left to permute.  The factor is computed row by row: row k of L is
 *   the solution of a triangular system with the rows before it.  Its entries are on the paths of the elimination tree that begin at the entries
 *   of column k of A: the parent of a column is the first row below its diagonal.
 *
 *   Davis 2005, ACM Trans. Math. Softw. 31 (LDL). */
#include "math/sparse_ldl.h"

#include "base/memory.h"
#include "math/ldl_solve.h"
#include "math/min_degree.h"

#include <limits.h>
#include <math.h>
#include <string.h>

struct work {
    double *y;
    int *path, *passed, *n_below;
};

/* ---- the pattern --------------------------------------------------------------------------------------- */

void gb_ldl_pattern_free(gb_ldl_pattern *p)
{
    if (p == NULL)
        return;
    gb_free(p->place);
    gb_free(p->start);
    gb_free(p->row);
    gb_free(p->parent);
    gb_free(p->below);
    gb_free(p->pair_at);
    gb_free(p);
}

static int compare_ints(const void *a, const void *b)
{
    const int left = *(const int *)a, right = *(const int *)b;
    return (left > right) - (left < right);
}

/* Sort the rows of column `k` and drop those that come twice; returns how many are left. */
static int tidy_column(int *row, int n)
{
    int kept = 0;
    if (n > 1)
        qsort(row, (size_t)n, sizeof row[0], compare_ints);
    for (int i = 0; i < n; i++)
        if (kept == 0 || row[kept - 1] != row[i])
            row[kept++] = row[i];
    return kept;
}

/* The upper triangle (with its diagonal) by columns, rows and columns numbered by `place` (NULL: as they are). */
static gb_status collect_entries(gb_ldl_pattern *p, size_t n_pairs, const uint32_t *pair, gb_error *err)
{
    gb_status st;
    int *end = NULL, n_kept = 0;
    const size_t n = (size_t)p->n;
    GB_TRY(gb_alloc(&end, n + 1, sizeof end[0], "a sparse matrix", err));
    memset(p->start, 0, (n + 1) * sizeof p->start[0]);
    for (size_t e = 0; e < n_pairs; e++) {
        const int i = p->place[pair[2 * e]], j = p->place[pair[2 * e + 1]];
        p->start[(i > j ? i : j) + 1]++;
    }
    for (size_t k = 0; k < n; k++) {
        p->start[k + 1] += p->start[k] + 1; /* and the diagonal */
        end[k] = p->start[k];
    }
    for (size_t e = 0; e < n_pairs; e++) {
        const int i = p->place[pair[2 * e]], j = p->place[pair[2 * e + 1]];
        p->row[end[i > j ? i : j]++] = i > j ? j : i;
    }
    for (size_t k = 0; k < n; k++) {
        int *column = p->row + p->start[k];
        column[end[k] - p->start[k]] = (int)k;
        const int kept = tidy_column(column, end[k] - p->start[k] + 1);
        memmove(p->row + n_kept, column, (size_t)kept * sizeof column[0]);
        p->start[k] = n_kept;
        n_kept += kept;
    }
    p->start[n] = n_kept;
done:
    gb_free(end);
    return st;
}

static size_t find_entry(const gb_ldl_pattern *p, int i, int j)
{
    const int row = i < j ? i : j, column = i < j ? j : i;
    int low = p->start[column], high = p->start[column + 1] - 1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (p->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return (size_t)low;
}

/* Give each row its place. */
static gb_status choose_order(gb_ldl_pattern *p, gb_error *err)
{
    gb_status st;
    int *order = NULL;
    GB_TRY(gb_alloc(&order, (size_t)p->n, sizeof order[0], "a sparse matrix", err));
    GB_TRY(gb_min_degree(p->n, p->start, p->row, order, err));
    for (int k = 0; k < p->n; k++)
        p->place[order[k]] = k;
done:
    gb_free(order);
    return st;
}

/* The elimination tree, and how many entries columns have below the diagonal.  @param passed  room: the row that has passed through a column */
static void grow_tree(gb_ldl_pattern *p, int *n_below, int *passed)
{
    for (int k = 0; k < p->n; k++) {
        p->parent[k] = -1;
        passed[k] = k;
        for (int e = p->start[k]; e < p->start[k + 1] - 1; e++) {
            for (int i = p->row[e]; passed[i] != k; i = p->parent[i]) {
                if (p->parent[i] == -1)
                    p->parent[i] = k;
                n_below[i]++;
                passed[i] = k;
            }
        }
    }
}

/* The shape of L. */
static gb_status analyse_factor(gb_ldl_pattern *p, gb_error *err)
{
    gb_status st;
    int *n_below = NULL, *passed = NULL;
    int64_t total = 0;
    GB_TRY(gb_alloc(&n_below, (size_t)p->n, sizeof n_below[0], "a sparse factor", err));
    GB_TRY(gb_alloc(&passed, (size_t)p->n, sizeof passed[0], "a sparse factor", err));
    grow_tree(p, n_below, passed);
    for (int k = 0; k < p->n; k++) {
        p->below[k] = (int)total;
        total += n_below[k];
        if (total > INT_MAX)
            break;
    }
    p->below[p->n] = (int)(total > INT_MAX ? 0 : total);
    if (total > INT_MAX)
        st = gb_fail(err, GB_EARGUMENT,
                     "groups are joined too closely: a factor of the graph's matrix has %lld entries, more than %d",
                     (long long)total, INT_MAX);
done:
    gb_free(n_below);
    gb_free(passed);
    return st;
}

gb_status gb_ldl_analyse(gb_ldl_pattern **out, uint32_t n, size_t n_pairs, const uint32_t *pair, gb_error *err)
{
    gb_status st;
    gb_ldl_pattern *p = NULL;
    if (n_pairs > (size_t)INT_MAX - n)
        return gb_fail_memory(err, n_pairs * sizeof *pair, "a sparse matrix");
    GB_TRY(gb_alloc(&p, 1, sizeof *p, "a sparse matrix", err));
    p->n = (int)n;
    GB_TRY(gb_alloc(&p->place, n, sizeof p->place[0], "a sparse matrix", err));
    GB_TRY(gb_alloc(&p->start, (size_t)n + 1, sizeof p->start[0], "a sparse matrix", err));
    GB_TRY(gb_alloc(&p->row, n + n_pairs, sizeof p->row[0], "a sparse matrix", err));
    GB_TRY(gb_alloc(&p->parent, n, sizeof p->parent[0], "a sparse factor", err));
    GB_TRY(gb_alloc(&p->below, (size_t)n + 1, sizeof p->below[0], "a sparse factor", err));
    GB_TRY(gb_alloc(&p->pair_at, n_pairs, sizeof p->pair_at[0], "a sparse matrix", err));
    for (int i = 0; i < p->n; i++)
        p->place[i] = i;
    GB_TRY(collect_entries(p, n_pairs, pair, err));
    GB_TRY(choose_order(p, err));
    GB_TRY(collect_entries(p, n_pairs, pair, err));
    for (size_t e = 0; e < n_pairs; e++)
        p->pair_at[e] = find_entry(p, p->place[pair[2 * e]], p->place[pair[2 * e + 1]]);
    GB_TRY(analyse_factor(p, err));
    *out = p;
    p = NULL;
done:
    gb_ldl_pattern_free(p);
    return st;
}

size_t gb_ldl_diagonal(const gb_ldl_pattern *p, uint32_t i)
{
    return (size_t)p->start[p->place[i] + 1] - 1;
}

/* ---- the factor ---------------------------------------------------------------------------------------- */

static void free_work(struct work *w)
{
    if (w == NULL)
        return;
    gb_free(w->y);
    gb_free(w->path);
    gb_free(w->passed);
    gb_free(w->n_below);
    gb_free(w);
}

static gb_status create_work(struct work **out, size_t n, gb_error *err)
{
    gb_status st;
    struct work *w = NULL;
    GB_TRY(gb_alloc(&w, 1, sizeof *w, "a sparse factor", err));
    GB_TRY(gb_alloc(&w->y, n, sizeof w->y[0], "a sparse factor", err));
    GB_TRY(gb_alloc(&w->path, n, sizeof w->path[0], "a sparse factor", err));
    GB_TRY(gb_alloc(&w->passed, n, sizeof w->passed[0], "a sparse factor", err));
    GB_TRY(gb_alloc(&w->n_below, n, sizeof w->n_below[0], "a sparse factor", err));
    *out = w;
    w = NULL;
done:
    free_work(w);
    return st;
}

gb_status gb_ldl_create(gb_ldl **out, const gb_ldl_pattern *pattern, gb_error *err)
{
    gb_status st;
    gb_ldl *a = NULL;
    struct work *w = NULL;
    const size_t n = (size_t)pattern->n, n_factor = (size_t)pattern->below[n];
    GB_TRY(gb_alloc(&a, 1, sizeof *a, "a sparse factor", err));
    a->pattern = pattern;
    a->isa = gb_isa_best();
    GB_TRY(gb_alloc(&a->entry, (size_t)pattern->start[n], sizeof a->entry[0], "a sparse matrix", err));
    GB_TRY(gb_alloc(&a->row, n_factor, sizeof a->row[0], "a sparse factor", err));
    GB_TRY(gb_alloc(&a->factor, n_factor, sizeof a->factor[0], "a sparse factor", err));
    GB_TRY(gb_alloc(&a->pivot, n, sizeof a->pivot[0], "a sparse factor", err));
    GB_TRY(create_work(&w, n, err));
    a->work = w;
    *out = a;
    a = NULL;
done:
    gb_ldl_free(a);
    return st;
}

void gb_ldl_free(gb_ldl *a)
{
    if (a == NULL)
        return;
    gb_free(a->entry);
    gb_free(a->row);
    gb_free(a->factor);
    gb_free(a->pivot);
    free_work(a->work);
    gb_free(a);
}

/* Column k of A into w->y, and the columns of row k of L, each before those that depend on it.
 * @return where in w->path they begin; they end at n */
static int find_row(const gb_ldl *a, int k)
{
    const gb_ldl_pattern *p = a->pattern;
    struct work *w = a->work;
    int first = p->n;
    w->passed[k] = k;
    for (int e = p->start[k]; e < p->start[k + 1]; e++) {
        int n = 0;
        w->y[p->row[e]] += a->entry[e];
        for (int i = p->row[e]; w->passed[i] != k; i = p->parent[i]) {
            w->path[n++] = i;
            w->passed[i] = k;
        }
        while (n > 0)
            w->path[--first] = w->path[--n];
    }
    return first;
}

/* Row k of L, and its pivot. */
static void factor_row(gb_ldl *a, int k)
{
    const gb_ldl_pattern *p = a->pattern;
    struct work *w = a->work;
    const int first = find_row(a, k);
    double pivot = w->y[k];
    w->y[k] = 0;
    for (int at = first; at < p->n; at++) {
        const int i = w->path[at], end = p->below[i] + w->n_below[i]++;
        const double y = w->y[i], entry = y / a->pivot[i];
        w->y[i] = 0;
        for (int e = p->below[i]; e < end; e++)
            w->y[a->row[e]] -= a->factor[e] * y;
        pivot -= entry * y;
        a->row[end] = k;
        a->factor[end] = entry;
    }
    a->pivot[k] = pivot;
}

bool gb_ldl_factor(gb_ldl *a)
{
    const int n = a->pattern->n;
    struct work *w = a->work;
    memset(w->n_below, 0, (size_t)n * sizeof w->n_below[0]);
    for (int k = 0; k < n; k++)
        w->passed[k] = -1;
    for (int k = 0; k < n; k++) {
        factor_row(a, k);
        if (!(a->pivot[k] > 0))
            return false;
    }
    return true;
}

double gb_ldl_log_determinant(const gb_ldl *a)
{
    double sum = 0;
    for (int k = 0; k < a->pattern->n; k++)
        sum += log(a->pivot[k]);
    return sum;
}

/* ---- solving ------------------------------------------------------------------------------------------- */

static const gb_ldl_solve *choose_solve(gb_isa isa)
{
    return GB_KERNEL_FOR(isa, &gb_ldl_solve);
}

static gb_ldl_columns columns_of(const gb_ldl *a)
{
    return (gb_ldl_columns){a->pattern->n, a->pattern->below, a->row, a->factor};
}

void gb_ldl_forward(const gb_ldl *a, double *x)
{
    const gb_ldl_columns l = columns_of(a);
    choose_solve(a->isa)->forward(&l, x);
}

void gb_ldl_backward(const gb_ldl *a, double *x)
{
    const gb_ldl_columns l = columns_of(a);
    choose_solve(a->isa)->backward(&l, x);
}

void gb_ldl_forward_one(const gb_ldl *a, double *x)
{
    for (int k = 0; k < a->pattern->n; k++)
        for (int p = a->pattern->below[k]; p < a->pattern->below[k + 1]; p++)
            x[a->row[p]] -= a->factor[p] * x[k];
}

void gb_ldl_backward_one(const gb_ldl *a, double *x)
{
    for (int k = a->pattern->n - 1; k >= 0; k--)
        for (int p = a->pattern->below[k]; p < a->pattern->below[k + 1]; p++)
            x[k] -= a->factor[p] * x[a->row[p]];
}
