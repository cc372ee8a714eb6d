/* The order of elimination: each row once, and few entries in the factor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "math/sparse_ldl.h"

enum { MOST_ROWS = 4096, MOST_PAIRS = 2 * MOST_ROWS };

static uint32_t pair[2 * MOST_PAIRS];
static size_t n_pairs;

static void join(uint32_t i, uint32_t j)
{
    pair[2 * n_pairs] = i;
    pair[2 * n_pairs++ + 1] = j;
}

/* The entries of the factor below its diagonal, once it is certain that each row has a place. */
static int entries_of(uint32_t n)
{
    gb_ldl_pattern *p = NULL;
    static bool is_taken[MOST_ROWS];
    assert_int_equal(gb_ldl_analyse(&p, n, n_pairs, pair, NULL), GB_OK);
    for (uint32_t i = 0; i < n; i++)
        is_taken[i] = false;
    for (uint32_t i = 0; i < n; i++) {
        assert_in_range(p->place[i], 0, n - 1);
        assert_false(is_taken[p->place[i]]);
        is_taken[p->place[i]] = true;
    }
    const int n_entries = p->below[n];
    gb_ldl_pattern_free(p);
    return n_entries;
}

static void rows_that_stand_alone_have_no_entries(void **unused)
{
    (void)unused;
    n_pairs = 0;
    assert_int_equal(entries_of(1), 0);
    assert_int_equal(entries_of(100), 0);
}

/* A tree has an order without new entries: a chain, a star whose middle has more neighbours than anything is looked through for, and one with
 * branches of its own. */
static void trees_get_no_new_entries(void **unused)
{
    (void)unused;
    n_pairs = 0;
    for (uint32_t i = 1; i < MOST_ROWS; i++)
        join(i, i - 1);
    assert_int_equal(entries_of(MOST_ROWS), MOST_ROWS - 1);
    n_pairs = 0;
    for (uint32_t i = 1; i < MOST_ROWS; i++)
        join(0, i);
    assert_int_equal(entries_of(MOST_ROWS), MOST_ROWS - 1);
    n_pairs = 0;
    for (uint32_t i = 1; i < MOST_ROWS; i++)
        join(i, i * 7 % 13 % i);
    assert_int_equal(entries_of(MOST_ROWS), MOST_ROWS - 1);
}

static void a_full_matrix_has_all_entries(void **unused)
{
    (void)unused;
    n_pairs = 0;
    for (uint32_t i = 0; i < 60; i++)
        for (uint32_t j = 0; j < i; j++)
            join(i, j);
    assert_int_equal(entries_of(60), 60 * 59 / 2);
}

/* By rows the factor of a grid has side^3 entries, 125,000; that of AMD of SuiteSparse leaves 33,413. */
static void a_grid_has_few_entries(void **unused)
{
    (void)unused;
    enum { SIDE = 50 };
    n_pairs = 0;
    for (uint32_t i = 0; i < SIDE; i++) {
        for (uint32_t j = 0; j < SIDE; j++) {
            if (j + 1 < SIDE)
                join(i * SIDE + j, i * SIDE + j + 1);
            if (i + 1 < SIDE)
                join(i * SIDE + j, (i + 1) * SIDE + j);
        }
    }
    assert_in_range(entries_of(SIDE * SIDE), SIDE * SIDE, 36000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_that_stand_alone_have_no_entries),
        cmocka_unit_test(trees_get_no_new_entries),
        cmocka_unit_test(a_full_matrix_has_all_entries),
        cmocka_unit_test(a_grid_has_few_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
