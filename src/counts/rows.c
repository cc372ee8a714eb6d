/* counts/rows.c - making rows of counts, and reading them sparsely. */
#include "counts/rows.h"

#include "base/memory.h"

#include <string.h>

static gb_width width_for(uint64_t total)
{
    return total <= UINT8_MAX ? GB_WIDTH_8 : total <= UINT16_MAX ? GB_WIDTH_16 : GB_WIDTH_32;
}

static uint64_t row_bytes(uint64_t total, size_t stride)
{
    const uint64_t n = (uint64_t)stride << width_for(total);
    return (n + GB_ROW_ALIGNMENT - 1) / GB_ROW_ALIGNMENT * GB_ROW_ALIGNMENT;
}

static uint64_t data_bytes(uint64_t n_words, const uint64_t *total, size_t stride)
{
    uint64_t n = 0;
    for (uint64_t w = 0; w < n_words; w++)
        n += row_bytes(total[w], stride);
    return n;
}

uint64_t gb_rows_bytes(uint64_t n_words, const uint64_t *total, size_t stride)
{
    return data_bytes(n_words, total, stride) + n_words * sizeof(uint32_t);
}

gb_status gb_rows_create(gb_rows *out, uint64_t n_words, const uint64_t *total, size_t n_topics, size_t stride,
                         gb_error *err)
{
    gb_status st;
    gb_rows rows = {
        .n_words = n_words, .n_topics = n_topics, .stride = stride, .n_bytes = data_bytes(n_words, total, stride)};
    if (rows.n_bytes / GB_ROW_ALIGNMENT > UINT32_MAX / 4)
        return gb_fail_memory(err, rows.n_bytes, "a table of counts of more than 64 GiB");
    GB_TRY(gb_alloc(&rows.handle, n_words, sizeof *rows.handle, "topic-word counts", err));
    GB_TRY(gb_alloc(&rows.data, rows.n_bytes, 1, "topic-word counts", err));
    uint64_t at = 0;
    for (uint64_t w = 0; w < n_words; w++) {
        rows.handle[w] = (uint32_t)(at / GB_ROW_ALIGNMENT * 4 + width_for(total[w]));
        at += row_bytes(total[w], stride);
    }
    *out = rows;
    return GB_OK;
done:
    gb_rows_clear(&rows);
    return st;
}

void gb_rows_clear(gb_rows *rows)
{
    gb_free(rows->handle);
    gb_free(rows->data);
    *rows = (gb_rows){0};
}

void gb_rows_zero(gb_rows *rows)
{
    if (rows->n_bytes > 0)
        memset(rows->data, 0, rows->n_bytes);
}

size_t gb_rows_nonzero(const gb_rows *rows, uint64_t word, uint16_t *topic, uint32_t *count)
{
    const unsigned char *row = gb_rows_row(rows, word);
    const gb_width width = gb_rows_width(rows, word);
    const size_t per_step = sizeof(uint64_t) >> width;
    size_t n = 0;
    for (size_t first = 0; first < rows->stride; first += per_step) {
        uint64_t several; /* most cells are 0: eight bytes are looked at together */
        memcpy(&several, row + (first << width), sizeof several);
        if (several == 0)
            continue;
        for (size_t k = first; k < first + per_step; k++) {
            const uint32_t cell = gb_row_get(row, width, k);
            topic[n] = (uint16_t)k;
            count[n] = cell;
            n += cell > 0;
        }
    }
    return n;
}
