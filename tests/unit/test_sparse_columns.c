/* Columns by document and by column are one matrix. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "design/sparse_columns.h"
#include "random/random.h"

enum { N_DOCS = 30, N_COLUMNS = 17 };

/* Random cells in random order; the last document and column 3 stay empty. */
static uint64_t random_entries(double matrix[N_DOCS][N_COLUMNS], gb_sparse_entry *entry)
{
    gb_random r = gb_random_open(gb_key_make(1, 0), 0, GB_DRAW_TEST, 0);
    uint64_t n = 0;
    for (uint64_t d = 0; d + 1 < N_DOCS; d++)
        for (uint32_t j = 0; j < N_COLUMNS; j++)
            if (j != 3 && gb_random_below(&r, 3) == 0)
                entry[n++] = (gb_sparse_entry){d, j, matrix[d][j] = gb_random_normal(&r)};
    for (uint64_t i = n - 1; i > 0; i--) {
        const uint64_t other = gb_random_below(&r, i + 1);
        const gb_sparse_entry swap = entry[i];
        entry[i] = entry[other];
        entry[other] = swap;
    }
    return n;
}

static void both_orders_hold_the_matrix(void **state)
{
    (void)state;
    static double matrix[N_DOCS][N_COLUMNS], by_document[N_DOCS][N_COLUMNS], by_column[N_DOCS][N_COLUMNS];
    static gb_sparse_entry entry[N_DOCS * N_COLUMNS];
    gb_sparse_columns x;
    const uint64_t n = random_entries(matrix, entry);
    assert_int_equal(gb_sparse_columns_create(&x, N_DOCS, N_COLUMNS, n, entry, NULL), GB_OK);
    assert_null(x.column_doc);
    assert_int_equal(gb_sparse_columns_index(&x, NULL), GB_OK);
    assert_int_equal(x.doc_start[0], 0);
    assert_int_equal(x.doc_start[N_DOCS], n);
    assert_int_equal(x.column_start[0], 0);
    assert_int_equal(x.column_start[N_COLUMNS], n);
    for (uint64_t d = 0; d < N_DOCS; d++)
        for (uint64_t i = x.doc_start[d]; i < x.doc_start[d + 1]; i++) {
            assert_true(i == x.doc_start[d] || x.column[i - 1] < x.column[i]);
            by_document[d][x.column[i]] = x.value[i];
        }
    for (size_t j = 0; j < N_COLUMNS; j++)
        for (uint64_t i = x.column_start[j]; i < x.column_start[j + 1]; i++) {
            assert_true(i == x.column_start[j] || x.column_doc[i - 1] < x.column_doc[i]);
            by_column[x.column_doc[i]][j] = x.column_value[i];
        }
    assert_memory_equal(matrix, by_document, sizeof matrix);
    assert_memory_equal(matrix, by_column, sizeof matrix);
    gb_sparse_columns_clear(&x);
}

static void there_may_be_nothing(void **state)
{
    (void)state;
    gb_sparse_columns x;
    assert_int_equal(gb_sparse_columns_create(&x, 3, 0, 0, NULL, NULL), GB_OK);
    for (size_t d = 0; d <= 3; d++)
        assert_int_equal(x.doc_start[d], 0);
    assert_int_equal(gb_sparse_columns_index(&x, NULL), GB_OK);
    assert_int_equal(x.column_start[0], 0);
    gb_sparse_columns_clear(&x);
    assert_int_equal(gb_sparse_columns_create(&x, 0, 2, 0, NULL, NULL), GB_OK);
    assert_int_equal(gb_sparse_columns_index(&x, NULL), GB_OK);
    assert_int_equal(x.column_start[2], 0);
    gb_sparse_columns_clear(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_orders_hold_the_matrix),
        cmocka_unit_test(there_may_be_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
