/* team/sums.c - sums over the documents of all ranks: a row of numbers for each part. */
#include "team/sums.h"

#include "base/memory.h"

#include <string.h>

/* The row that starts with what comes before the first document of the corpus: that of the part that has it. */
static bool is_first(const gb_portion *portion, size_t i)
{
    return portion->first_doc + portion->part_start[i] == 0 && portion->part_start[i + 1] > 0;
}

gb_status gb_sum_documents(const gb_portion *portion, uint64_t n_docs, gb_add_documents *add, const void *context,
                           size_t width, double *sum, gb_error *err)
{
    gb_status st = GB_OK;
    double *row = NULL;
    const size_t n = gb_portion_n_parts(portion);
    if (width == 0)
        return st;
    if (gb_portion_team(portion) == NULL && n == 1) {
        add(context, 0, n_docs, sum);
        return st;
    }
    GB_TRY(gb_alloc(&row, n * width, sizeof *row, "sums over documents", err));
    for (size_t i = 0; i < n; i++) {
        if (is_first(portion, i))
            memcpy(row + i * width, sum, width * sizeof *sum);
        add(context, portion->part_start[i], portion->part_start[i + 1], row + i * width);
    }
    GB_TRY(gb_team_add_rows(portion->team, n, width, row, sum, err));
done:
    gb_free(row);
    return st;
}
