/* bench/group_means/group_means.c - seconds of a draw of group means and of their precisions, on a grid of groups.
 *
 *   gibbous_bench_group_means YEARS VENUES TYPES TOPICS THREADS
 *
 * VENUES = 1 makes a chain.  Means, and one document for each group, are simulated from the model, so that the precisions
 * are where they belong from the first draw on.  Times are of the wall clock and of all processors together. */
#include "prior/group_means.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { DRAWS = 4 };

static double seconds(clockid_t clock)
{
    struct timespec t;
    (void)clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Years along, venues across; the second type is that of the edges between venues. */
static gb_status make_grid(uint32_t n_years, uint32_t n_venues, size_t n_types, gb_graph **out, gb_error *err)
{
    gb_status st;
    size_t n = 0;
    gb_new_edge *edge = NULL;
    const uint32_t n_groups = n_years * n_venues;
    GB_TRY(gb_alloc(&edge, 2 * (size_t)n_groups, sizeof edge[0], "edges", err));
    for (uint32_t g = 0; g < n_groups; g++) {
        if (g % n_years != n_years - 1)
            edge[n++] = (gb_new_edge){g, g + 1, 0, 1};
        if (g + n_years < n_groups)
            edge[n++] = (gb_new_edge){g, g + n_years, n_types > 1, 1};
    }
    GB_TRY(gb_graph_create(out, n_groups, n_types, (const char *const[]){"year", "venue"}, n, edge, err));
done:
    gb_free(edge);
    return st;
}

static gb_status simulate(gb_group_means *m, double *psi, gb_error *err)
{
    gb_random random = gb_random_open(gb_key_make(1, 0), 0, GB_DRAW_TEST, 0);
    gb_status st = gb_group_means_draw_prior(m, NULL, gb_key_make(1, 0), 0, err);
    for (size_t i = 0; i < m->n_docs * m->n_free; i++)
        psi[i] = m->mean[i] + gb_random_normal(&random);
    return st;
}

static gb_status measure(gb_group_means *m, const double *psi, gb_error *err)
{
    gb_status st = GB_OK;
    for (uint32_t sweep = 1; sweep <= DRAWS; sweep++) {
        const double wall = seconds(CLOCK_MONOTONIC), all = seconds(CLOCK_PROCESS_CPUTIME_ID);
        GB_TRY(gb_group_means_draw(m, psi, NULL, gb_key_make(1, 0), sweep, err));
        const double wall_means = seconds(CLOCK_MONOTONIC), all_means = seconds(CLOCK_PROCESS_CPUTIME_ID);
        GB_TRY(gb_group_means_draw_precisions(m, psi, NULL, gb_key_make(1, 0), sweep, err));
        (void)printf("means %.3f s (%.3f on all processors), precisions %.3f s (%.3f)\n", wall_means - wall,
                     all_means - all, seconds(CLOCK_MONOTONIC) - wall_means,
                     seconds(CLOCK_PROCESS_CPUTIME_ID) - all_means);
    }
done:
    return st;
}

static gb_status run(uint32_t n_years, uint32_t n_venues, size_t n_types, size_t n_topics, size_t n_threads,
                     gb_error *err)
{
    gb_status st;
    gb_graph *graph = NULL;
    gb_group_means *m = NULL;
    uint32_t *group_of = NULL;
    double *psi = NULL;
    const size_t n_groups = (size_t)n_years * n_venues;
    const gb_group_means_settings settings = {.evolution = {.value = 3, .shape = 1, .rate = 1},
                                              .observation = {.value = 1, .shape = 1, .rate = 1},
                                              .level_precision = 0.01};
    GB_TRY(make_grid(n_years, n_venues, n_types, &graph, err));
    GB_TRY(gb_alloc(&group_of, n_groups, sizeof group_of[0], "documents", err));
    GB_TRY(gb_alloc(&psi, n_groups * (n_topics - 1), sizeof psi[0], "documents", err));
    for (uint32_t d = 0; d < n_groups; d++)
        group_of[d] = d;
    GB_TRY(gb_group_means_create(&m, graph, NULL, n_groups, group_of, n_topics - 1, &settings, n_threads, err));
    GB_TRY(simulate(m, psi, err));
    GB_TRY(measure(m, psi, err));
done:
    gb_group_means_free(m);
    gb_graph_free(graph);
    gb_free(group_of);
    gb_free(psi);
    return st;
}

int main(int n, char **argument)
{
    unsigned long number[5];
    gb_error err = {0};
    for (int i = 0; i < 5; i++) {
        number[i] = n == 6 ? strtoul(argument[i + 1], NULL, 10) : 0;
        if (number[i] < (i == 3 ? 2 : 1) || number[i] > 1000000 || (i == 2 && number[i] > 2)) {
            (void)fputs("usage: gibbous_bench_group_means YEARS VENUES TYPES(1|2) TOPICS THREADS\n", stderr);
            return 2;
        }
    }
    if (run((uint32_t)number[0], (uint32_t)number[1], number[2], number[3], number[4], &err) == GB_OK)
        return 0;
    (void)fprintf(stderr, "%s\n", err.message);
    return 1;
}
