/* The joint table for document priors with log weights: logistic-normal (diagonal and full) and graph, with fixed and with
 * sampled parameters, both updates, and responses: against sums over assignments with quadrature over the log weights.
 *
 * GIBBOUS_TABLE_VERBOSE=1 prints a line per row. */
#include "helper_table.h"

#pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* the last members of rows: nothing besides */

static const psi_prior fixed = {.name = "logistic-normal", .mean = {0.7, -0.4}, .sigma = {{1.7, 0}, {0, 1.7}}};
static const psi_prior mean_sampled = {
    .name = "logistic-normal, mean sampled", .mean_is_sampled = true, .sigma = {{1.7, 0}, {0, 1.7}}};
static const psi_prior sampled = {
    .name = "logistic-normal, sampled", .mean_is_sampled = true, .covariance_is_sampled = true};
static const psi_prior full_fixed = {
    .name = "full logistic-normal", .is_full = true, .mean = {0.7, -0.4}, .sigma = {{1.7, 1.1}, {1.1, 1.4}}};
static const psi_prior full_covariance = {
    .name = "full, covariance sampled", .is_full = true, .covariance_is_sampled = true, .mean = {0.7, -0.4}};
static const psi_prior full_sampled = {
    .name = "full, sampled", .is_full = true, .mean_is_sampled = true, .covariance_is_sampled = true};
/* p - q - r with nobody in q, and s alone; the third document is there */
#define CHAIN                                                                                                        \
    .is_graph = true, .n_groups = 4, .n_types = 1, .n_edges = 2, .group = {0, 2, 3},                                 \
    .edge = {{0, 1, 0, 1.5}, {1, 2, 0, 1}}
static const psi_prior graph_fixed = {.name = "graph", CHAIN, .evolution = 1.3, .observation = 0.8};
static const psi_prior graph_sampled = {.name = "graph, precisions sampled", CHAIN};
static const psi_prior graph_evolution = {.name = "graph, evolution precision sampled", CHAIN, .observation = 0.8};
static const psi_prior graph_full = {.name = "full graph", CHAIN, .is_full = true, .covariance_is_sampled = true};
/* a triangle with two types of edges: their precisions are not conjugate */
static const psi_prior triangle = {.name = "graph with two types",
                                   .is_graph = true,
                                   .n_groups = 3,
                                   .n_types = 2,
                                   .n_edges = 3,
                                   .group = {0, 1, 2},
                                   .edge = {{0, 1, 0, 1}, {1, 2, 0, 2}, {0, 2, 1, 1}},
                                   .observation = 1.1};

#define PSI             PRIOR_PSI
#define INTERVAL        "interval"
#define POLYA           "polya-gamma"
#define AUTO            "auto"
#define WITH(p, update) NORMAL, BLOCK, 0, NULL, NULL, &(p), update

static const size_t N_SWEEPS = 60000;

/* clang-format off */
/*    prior  response    task     B        K  intercept  corpus */
static const joint_row rows[] = {
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_full,   WITH(fixed, INTERVAL) },
    { PSI,   NO_LABELS,          2,       2, NO,  &corpus_full,   WITH(fixed, POLYA) },
    { PSI,   NO_LABELS,          SAMPLED, 3, NO,  &corpus_short,  WITH(fixed, INTERVAL) },
    { PSI,   NO_LABELS,          1,       3, NO,  &corpus_hollow, WITH(fixed, POLYA) },
    { PSI,   HINGE,      BINARY, 1,       2, NO,  &corpus_full,   WITH(fixed, AUTO) },
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_hollow, WITH(mean_sampled, INTERVAL) },
    { PSI,   LOGISTIC_2, BINARY, 2,       2, YES, &corpus_short,  WITH(mean_sampled, POLYA) },
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_full,   WITH(sampled, AUTO) },
    { PSI,   PROBIT,     BINARY, 1,       2, NO,  &corpus_short,  WITH(sampled, POLYA) },
    { PSI,   NO_LABELS,          1,       3, NO,  &corpus_full,   WITH(full_fixed, INTERVAL) },
    { PSI,   NO_LABELS,          2,       3, NO,  &corpus_hollow, WITH(full_fixed, POLYA) },
    { PSI,   HINGE_2,    BINARY, SAMPLED, 3, NO,  &corpus_short,  WITH(full_fixed, AUTO) },
    { PSI,   NO_LABELS,          1,       3, NO,  &corpus_full,   WITH(full_covariance, INTERVAL) },
    { PSI,   NO_LABELS,          1,       3, NO,  &corpus_short,  WITH(full_covariance, POLYA) },
    { PSI,   LOGISTIC,   BINARY, 1,       2, NO,  &corpus_full,   WITH(full_sampled, INTERVAL) },
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_hollow, WITH(full_sampled, POLYA) },
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_full,   WITH(graph_fixed, INTERVAL) },
    { PSI,   HINGE,      BINARY, 2,       2, NO,  &corpus_short,  WITH(graph_fixed, POLYA) },
    { PSI,   LOGISTIC_2, BINARY, 1,       2, YES, &corpus_full,   WITH(graph_fixed, AUTO) },
    { PSI,   PROBIT,     BINARY, SAMPLED, 2, NO,  &corpus_hollow, WITH(graph_fixed, INTERVAL) },
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_full,   WITH(graph_sampled, INTERVAL) },
    { PSI,   HINGE,      BINARY, 1,       2, NO,  &corpus_full,   WITH(graph_sampled, POLYA) },
    { PSI,   LOGISTIC,   BINARY, 1,       2, NO,  &corpus_short,  WITH(graph_sampled, AUTO) },
    { PSI,   PROBIT,     BINARY, 1,       2, NO,  &corpus_full,   WITH(graph_sampled, POLYA) },
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_full,   WITH(graph_evolution, AUTO) },
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_full,   WITH(graph_full, POLYA) },
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_full,   WITH(triangle, AUTO) },
    { PSI,   HINGE,      BINARY, 1,       2, NO,  &corpus_short,  WITH(triangle, INTERVAL) },
};
/* clang-format on */
enum { N_ROWS = sizeof rows / sizeof rows[0] };

static size_t n_sweeps(const joint_row *row)
{
    (void)row;
    return joint_effort(N_SWEEPS);
}

static joint_table table = {.name = "joint table of log weights",
                            .rows = rows,
                            .n_rows = N_ROWS,
                            .first_seed = 900,
                            .n_sweeps = n_sweeps,
                            .largest_mean_square = 5,
                            .short_grid = {.panel = 4, .nodes = 4}};

/* ---- faults ---- */

NOTICED(means_of_neighbours_pushed_apart_are_noticed, table, FAULT_PSI_SIGN, PSI, NO_LABELS, 1, 2, NO, &corpus_full,
        WITH(graph_fixed, INTERVAL))
NOTICED(the_rank_of_all_groups_is_noticed, table, FAULT_PSI_RANK, PSI, NO_LABELS, 1, 2, NO, &corpus_full,
        WITH(graph_evolution, AUTO))
NOTICED(one_token_less_in_the_redraw_is_noticed, table, FAULT_PSI_SHORT, PSI, NO_LABELS, 2, 2, NO, &corpus_full,
        WITH(fixed, POLYA))
NOTICED(a_missing_level_is_noticed, table, FAULT_PSI_NO_LEVEL, PSI, NO_LABELS, 1, 2, NO, &corpus_full,
        WITH(graph_fixed, INTERVAL))
NOTICED(a_precision_taken_for_a_variance_is_noticed, table, FAULT_PSI_VARIANCE, PSI, NO_LABELS, 1, 2, NO,
        &corpus_full, WITH(fixed, INTERVAL))

static const struct CMUnitTest fixed_tests[] = {
    cmocka_unit_test(means_of_neighbours_pushed_apart_are_noticed),
    cmocka_unit_test(the_rank_of_all_groups_is_noticed),
    cmocka_unit_test(one_token_less_in_the_redraw_is_noticed),
    cmocka_unit_test(a_missing_level_is_noticed),
    cmocka_unit_test(a_precision_taken_for_a_variance_is_noticed),
};

int main(void)
{
    return joint_table_run(&table, fixed_tests, sizeof fixed_tests / sizeof fixed_tests[0]);
}
