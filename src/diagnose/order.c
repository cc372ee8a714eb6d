/* diagnose/order.c - draws in order of their size; one sort serves ranks, medians, quantiles and distances. */
#include "diagnose/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
    const gb_ranked *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

void gb_ranked_sort(size_t n, gb_ranked *r)
{
    qsort(r, n, sizeof *r, ascending);
}

static void merge_two(size_t n_a, const gb_ranked *a, size_t n_b, const gb_ranked *b, gb_ranked *out)
{
    size_t i = 0, j = 0;
    while (i < n_a && j < n_b)
        *out++ = b[j].value < a[i].value ? b[j++] : a[i++];
    memcpy(out, a + i, (n_a - i) * sizeof *out);
    memcpy(out + (n_a - i), b + j, (n_b - j) * sizeof *out);
}

gb_ranked *gb_ranked_merge(size_t n, size_t length, gb_ranked *r, gb_ranked *spare)
{
    for (; length < n; length *= 2) {
        for (size_t first = 0; first < n; first += 2 * length) {
            const size_t rest = n - first, n_a = rest < length ? rest : length, n_b = rest - n_a;
            merge_two(n_a, r + first, n_b < length ? n_b : length, r + first + n_a, spare + first);
        }
        gb_ranked *const merged = spare;
        spare = r;
        r = merged;
    }
    return r;
}

double gb_ranked_median(size_t n, const gb_ranked *sorted)
{
    return 0.5 * (sorted[(n - 1) / 2].value + sorted[n / 2].value);
}

/* Outwards from the centre, on the side that is nearer. */
void gb_ranked_fold(size_t n, const gb_ranked *sorted, double centre, gb_ranked *out)
{
    size_t above = 0; /* the next one above, and just after the next one below */
    while (above < n && sorted[above].value < centre)
        above++;
    for (size_t i = 0, below = above; i < n; i++) {
        const double down = below > 0 ? fabs(sorted[below - 1].value - centre) : INFINITY;
        const double up = above < n ? fabs(sorted[above].value - centre) : INFINITY;
        if (below > 0 && (above == n || down < up))
            out[i] = (gb_ranked){down, sorted[--below].at};
        else
            out[i] = (gb_ranked){up, sorted[above++].at};
    }
}
