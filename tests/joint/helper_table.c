/* helper_table.c - the driver of the joint tables. */
#include "helper_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_NAME_SIZE = 200 };
static const double LARGEST_Z = 5;

void joint_say(const char *name, const char *text)
{
    if (getenv("GIBBOUS_TABLE_VERBOSE") != NULL)
        print_message("             %s: %s\n", name, text);
}

/* Under a sanitizer every chain still runs, but the slow integrals of the exact side are left to the other builds, except
 * for one row of three: they are the tests' own code. */
static bool is_short_run(void)
{
    return joint_effort(10) < 10;
}

/* The chain of a row, run when it is first asked for. */
static const joint_measurement *measured(joint_table *table, size_t r)
{
    joint_measurement *m = &table->measurement[r];
    if (m->n == 0)
        joint_measure(&table->rows[r], table->n_sweeps(&table->rows[r]), table->first_seed + (unsigned)r, m);
    return m;
}

static bool same_law(const joint_row *a, const joint_row *b)
{
    return a->prior == b->prior && a->response == b->response && a->cost == b->cost && a->parameter == b->parameter &&
           a->task == b->task && a->n_topics == b->n_topics && a->intercept == b->intercept &&
           a->corpus == b->corpus && a->horseshoe == b->horseshoe && a->with == b->with && a->also == b->also &&
           a->psi == b->psi;
}

/* The exact side knows nothing of samplers: rows that differ in nothing else have the same law. */
static const double *exact_of(joint_table *table, size_t r)
{
    for (size_t q = 0; q <= r; q++)
        if (table->is_known[q] && same_law(&table->rows[q], &table->rows[r]))
            return table->exact[q];
    joint_exact(&table->rows[r], FAULT_NONE, is_short_run() ? table->short_grid : joint_grid_usual, table->exact[r]);
    table->is_known[r] = true;
    return table->exact[r];
}

typedef struct comparison {
    double largest, mean_square;
    size_t at, n;
} comparison;

static comparison compare(joint_table *table, size_t r, const double *exact)
{
    const joint_measurement *m = measured(table, r);
    comparison c = {.largest = 0};
    for (size_t i = 0; i < m->n; i++) {
        const double z = joint_z(m, exact, i);
        c.mean_square += z * z;
        c.n += z != 0;
        if (!(fabs(z) <= c.largest)) {
            c.largest = fabs(z);
            c.at = i;
        }
    }
    c.mean_square /= (double)c.n;
    return c;
}

static void describe(joint_table *table, size_t r, const comparison *c, char *out, size_t size)
{
    static const unsigned char z[MAX_TOKENS];
    static const score_law law[MAX_OUTPUTS];
    char name[MAX_QUANTITIES][NAME_SIZE];
    const joint_measurement *m = measured(table, r);
    (void)joint_quantities(&table->rows[r], z, law, NULL, NULL, name);
    snprintf(out, size, "largest |z| %.2f (%.79s: %.5f +- %.5f), mean z^2 %.2f", c->largest, name[c->at],
             m->mean[c->at], m->error[c->at], c->mean_square);
}

struct entry {
    joint_table *table;
    size_t row;
};

static void the_chain_has_the_exact_law(void **state)
{
    const struct entry *entry = *state;
    joint_table *table = entry->table;
    char text[200], name[ROW_NAME_SIZE];
    if (is_short_run() && (entry->row % 3 != 0 || table->rows[entry->row].horseshoe)) { /* its scales move slowly */
        (void)measured(table, entry->row);
        return;
    }
    const comparison c = compare(table, entry->row, exact_of(table, entry->row));
    table->sum_of_squares += c.mean_square * (double)c.n;
    table->n_compared += (double)c.n;
    table->n_rows_compared++;
    joint_row_name(&table->rows[entry->row], name, sizeof name);
    describe(table, entry->row, &c, text, sizeof text);
    joint_say(name, text);
    if (!(c.largest < LARGEST_Z && c.mean_square < table->largest_mean_square))
        fail_msg("%s: %s", name, text);
}

size_t joint_table_find(const joint_table *table, joint_row wanted)
{
    for (size_t r = 0; r < table->n_rows; r++)
        if (same_law(&table->rows[r], &wanted) && table->rows[r].blocks == wanted.blocks &&
            table->rows[r].sampler == wanted.sampler && table->rows[r].tokens == wanted.tokens &&
            (wanted.psi == NULL || strcmp(table->rows[r].psi_update, wanted.psi_update) == 0))
            return r;
    fail_msg("%s", "the table has no such row");
    return 0;
}

void joint_table_assert_noticed(joint_table *table, const char *test, joint_fault fault, size_t r)
{
    char text[200];
    double exact[MAX_QUANTITIES];
    if (is_short_run())
        skip();
    joint_exact(&table->rows[r], fault, joint_grid_usual, exact);
    const comparison c = compare(table, r, exact);
    describe(table, r, &c, text, sizeof text);
    joint_say(test, text);
    if (!(c.largest > LARGEST_Z))
        fail_msg("%s is not noticed: %s", test, text);
}

/* The square of a standard normal z has mean 1 and variance 2.  Quantities of a row go together: from row to row their mean
 * square varies like the mean of four independent squares or more (standard deviations of 0.36 to 0.68 were seen).  Rows are
 * independent.  So the mean over R rows has a standard deviation of sqrt(2 / (4 R)) at most, and may be off by four of them. */
void joint_table_assert_deviations(const joint_table *table)
{
    const double mean = table->sum_of_squares / table->n_compared;
    char text[80];
    snprintf(text, sizeof text, "mean z^2 over %.0f quantities is %.3f", table->n_compared, mean);
    joint_say(table->name, text);
    if (!(fabs(mean - 1) < 4 * sqrt(2 / (4 * (double)table->n_rows_compared))))
        fail_msg("%s", text);
}

static void *allocate(size_t n, size_t size)
{
    void *p = calloc(n, size);
    if (p == NULL)
        abort();
    return p;
}

int joint_table_run(joint_table *table, const struct CMUnitTest *others, size_t n_others)
{
    const size_t n = table->n_rows;
    char(*name)[ROW_NAME_SIZE] = allocate(n, sizeof *name);
    struct entry *entry = allocate(n, sizeof *entry);
    struct CMUnitTest *tests = allocate(n + n_others, sizeof *tests);
    table->measurement = allocate(n, sizeof *table->measurement);
    table->exact = allocate(n, sizeof *table->exact);
    table->is_known = allocate(n, sizeof *table->is_known);
    for (size_t r = 0; r < n; r++) {
        joint_row_name(&table->rows[r], name[r], sizeof name[r]);
        entry[r] = (struct entry){table, r};
        tests[r] = (struct CMUnitTest){
            .name = name[r], .test_func = the_chain_has_the_exact_law, .initial_state = &entry[r]};
    }
    memcpy(tests + n, others, n_others * sizeof *tests);
    /* the macro of the same meaning takes an array whose size is known */
    const int n_failed = _cmocka_run_group_tests(table->name, tests, n + n_others, NULL, NULL);
    free(table->measurement);
    free(table->exact);
    free(table->is_known);
    free(tests);
    free(entry);
    free(name);
    return n_failed;
}
