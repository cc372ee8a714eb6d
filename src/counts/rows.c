/* counts/rows.c - making rows of counts, and reading them sparsely. */
#include "counts/rows.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static gb_width width_for(uint64_t total, size_t n_topics, bool lists)
{
    if (lists && total <= UINT16_MAX && total < (uint64_t)GB_LIST_TOKENS * n_topics)
        return GB_LIST;
    return total <= UINT8_MAX ? GB_WIDTH_8 : total <= UINT16_MAX ? GB_WIDTH_16 : GB_WIDTH_32;
}

static uint64_t row_bytes(uint64_t total, size_t n_topics, size_t stride, bool lists)
{
    const gb_width width = width_for(total, n_topics, lists);
    const uint64_t most = total < n_topics ? total : n_topics;
    const uint64_t n = width == GB_LIST ? (most + 1) * sizeof(uint32_t) : (uint64_t)stride << width;
    return (n + GB_ROW_ALIGNMENT - 1) / GB_ROW_ALIGNMENT * GB_ROW_ALIGNMENT;
}

static uint64_t data_bytes(uint64_t n_words, const uint64_t *total, size_t n_topics, size_t stride, bool lists)
{
    uint64_t n = 0;
    for (uint64_t w = 0; w < n_words; w++)
        n += row_bytes(total[w], n_topics, stride, lists);
    return n;
}

gb_rows gb_rows_size(uint64_t n_words, const uint64_t *total, size_t n_topics, size_t stride, bool lists)
{
    return (gb_rows){.n_words = n_words,
                     .n_topics = n_topics,
                     .stride = stride,
                     .n_bytes = data_bytes(n_words, total, n_topics, stride, lists)};
}

void gb_rows_list(gb_rows *rows, const char *handles, const char *data, gb_axis axis, const gb_array_visitor *v)
{
    GB_ARRAY(v, handles, rows->handle, GB_DERIVED, axis, rows->n_words);
    GB_ARRAY(v, data, rows->data, GB_DERIVED, axis, rows->n_bytes);
}

static void list(void *rows, const gb_array_visitor *v)
{
    gb_rows_list(rows, "handles", "counts", GB_REPLICATED, v);
}

gb_status gb_rows_lay_out(gb_rows *table, size_t n_tables, uint32_t *handle, const uint16_t *block_of,
                          size_t blocks_per_table, uint64_t n_words, const uint64_t *total, size_t n_topics,
                          size_t stride, bool lists, gb_error *err)
{
    for (size_t i = 0; i < n_tables; i++)
        table[i] = (gb_rows){.n_words = n_words, .n_topics = n_topics, .stride = stride, .handle = handle};
    for (uint64_t w = 0; w < n_words; w++) {
        gb_rows *t = &table[block_of == NULL ? 0 : block_of[w] / blocks_per_table];
        if (t->n_bytes / GB_ROW_ALIGNMENT > UINT32_MAX / 4)
            return gb_fail_memory(err, t->n_bytes, "a table of counts of more than 64 GiB");
        handle[w] = (uint32_t)(t->n_bytes / GB_ROW_ALIGNMENT * 4 + width_for(total[w], n_topics, lists));
        t->n_bytes += row_bytes(total[w], n_topics, stride, lists);
    }
    for (size_t i = 1; i < n_tables; i++)
        table[i].first_unit = table[i - 1].first_unit + table[i - 1].n_bytes / GB_ROW_ALIGNMENT;
    return GB_OK;
}

gb_status gb_rows_create(gb_rows *out, uint64_t n_words, const uint64_t *total, size_t n_topics, size_t stride,
                         bool lists, gb_error *err)
{
    gb_status st;
    gb_rows rows = gb_rows_size(n_words, total, n_topics, stride, lists), laid_out;
    GB_TRY(gb_arrays_allocate(list, &rows, "topic-word counts", err));
    GB_TRY(gb_rows_lay_out(&laid_out, 1, rows.handle, NULL, 1, n_words, total, n_topics, stride, lists, err));
    *out = rows;
    return GB_OK;
done:
    gb_rows_clear(&rows);
    return st;
}

void gb_rows_clear(gb_rows *rows)
{
    gb_arrays_free(list, rows);
    *rows = (gb_rows){0};
}

void gb_rows_zero(gb_rows *rows)
{
    if (rows->n_bytes > 0)
        memset(rows->data, 0, rows->n_bytes);
}

static int by_topic(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a & UINT16_MAX, y = *(const uint32_t *)b & UINT16_MAX;
    return x < y ? -1 : x > y;
}

static size_t list_nonzero(const uint32_t *list, uint16_t *topic, uint32_t *count)
{
    const size_t n = list[0];
    memcpy(count, list + 1, n * sizeof *list);
    qsort(count, n, sizeof *count, by_topic);
    for (size_t i = 0; i < n; i++) {
        topic[i] = (uint16_t)(count[i] & UINT16_MAX);
        count[i] >>= 16;
    }
    return n;
}

size_t gb_rows_nonzero(const gb_rows *rows, uint64_t word, uint16_t *topic, uint32_t *count)
{
    const unsigned char *row = gb_rows_row(rows, word);
    const gb_width width = gb_rows_width(rows, word);
    const size_t per_step = sizeof(uint64_t) >> width;
    size_t n = 0;
    if (width == GB_LIST)
        return list_nonzero((const uint32_t *)(const void *)row, topic, count);
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

/* ---- the order of lists ---- */

static uint32_t *list_of(const gb_rows *rows, uint64_t word)
{
    return gb_rows_width(rows, word) == GB_LIST ? (uint32_t *)(void *)gb_rows_row(rows, word) : NULL;
}

uint32_t gb_rows_n_listed(const gb_rows *rows, uint64_t word)
{
    const uint32_t *entries = list_of(rows, word);
    return entries == NULL ? 0 : entries[0];
}

uint32_t gb_rows_listed(const gb_rows *rows, uint64_t word, uint16_t *topic)
{
    const uint32_t *entries = list_of(rows, word), n = gb_rows_n_listed(rows, word);
    for (uint32_t i = 1; i <= n; i++)
        topic[i - 1] = (uint16_t)(entries[i] & UINT16_MAX);
    return n;
}

/* Those from 1 to i - 1 are in order. */
static bool put_at(uint32_t *entries, uint32_t i, uint16_t topic)
{
    const uint32_t at = gb_list_find(entries, topic);
    if (at < i)
        return false;
    const uint32_t entry = entries[at];
    entries[at] = entries[i];
    entries[i] = entry;
    return true;
}

bool gb_rows_order_list(gb_rows *rows, uint64_t word, const uint16_t *topic)
{
    uint32_t *entries = list_of(rows, word);
    for (uint32_t i = 1; entries != NULL && i <= entries[0]; i++)
        if (!put_at(entries, i, topic[i - 1]))
            return false;
    return true;
}
