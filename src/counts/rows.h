/* counts/rows.h - how often each word has each topic: one row of counts per word.
 *
 * A cell never exceeds the word's number of tokens in the corpus, so a word with at most 255 tokens has a row of
 * bytes, one with at most 65,535 a row of 16-bit numbers, and the few others 32 bits.  A token sampler reads a whole
 * row per token: bytes are what it waits for.
 *
 * With many topics most words have few of them.  If asked for, words that are not frequent have a list of the topics that
 * they have instead: entry 0 is the number n of topics, entries 1 to n are topic + 65536 count, in any order, and those
 * after them, to the end of the line, 0. */
#ifndef GB_COUNTS_ROWS_H
#define GB_COUNTS_ROWS_H

#include "base/arrays.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef enum gb_width { GB_WIDTH_8, GB_WIDTH_16, GB_WIDTH_32, GB_LIST, GB_N_WIDTHS } gb_width;

enum { GB_ROW_ALIGNMENT = 64, GB_LIST_TOKENS = 4 };

typedef struct gb_rows {
    uint64_t n_words;
    size_t n_topics, stride; /* stride: cells of a row, those beyond n_topics stay 0 */
    uint32_t *handle;        /* n_words: names of the rows, below */
    unsigned char *data;
    uint64_t n_bytes;    /* of data */
    uint64_t first_unit; /* of several tables: units of GB_ROW_ALIGNMENT bytes in those before this one */
} gb_rows;

/* A handle names a row for those who have the table but not the word: where it begins, in units of GB_ROW_ALIGNMENT
 * bytes, times 4, plus its gb_width.  It saves kernels a look at a list of places. */
static inline gb_width gb_handle_width(uint32_t handle)
{
    return (gb_width)(handle & 3);
}

static inline unsigned char *gb_handle_row(const gb_rows *rows, uint32_t handle)
{
    return rows->data + (uint64_t)(handle >> 2) * GB_ROW_ALIGNMENT;
}

/** The number of the unit in which a row begins, counted through all tables: another name of the row. */
static inline uint64_t gb_rows_unit(const gb_rows *rows, uint32_t handle)
{
    return rows->first_unit + (handle >> 2);
}

/**
 * Rows of zeros.
 *
 * @param total   n_words: an upper bound of every cell of the word's row
 * @param stride  n_topics rounded up to whole vectors
 * @param lists   words with fewer tokens than GB_LIST_TOKENS per topic have a list
 * @return GB_OK or GB_ENOMEM (also for a table of more than 64 GiB)
 */
gb_status gb_rows_create(gb_rows *out, uint64_t n_words, const uint64_t *total, size_t n_topics, size_t stride,
                         bool lists, gb_error *err);
void gb_rows_clear(gb_rows *rows);
void gb_rows_zero(gb_rows *rows);

/**
 * Lay out several tables, without memory for their rows: a word's row is in one of them.
 *
 * @param table     n_tables; all members are set but `data`
 * @param handle    n_words; receives the names of rows, each in its own table; borrowed by all of them
 * @param block_of  n_words: word w has its row in table block_of[w] / blocks_per_table
 * @return GB_OK or GB_ENOMEM (a table of more than 64 GiB)
 */
gb_status gb_rows_lay_out(gb_rows *table, size_t n_tables, uint32_t *handle, const uint16_t *block_of,
                          size_t blocks_per_table, uint64_t n_words, const uint64_t *total, size_t n_topics,
                          size_t stride, bool lists, gb_error *err);

/** The same without memory: for estimates of it. */
gb_rows gb_rows_size(uint64_t n_words, const uint64_t *total, size_t n_topics, size_t stride, bool lists);
/** Lists the table under these names. */
void gb_rows_list(gb_rows *rows, const char *handles, const char *data, gb_axis axis, const gb_array_visitor *v);

static inline gb_width gb_rows_width(const gb_rows *rows, uint64_t word)
{
    return gb_handle_width(rows->handle[word]);
}

static inline unsigned char *gb_rows_row(const gb_rows *rows, uint64_t word)
{
    return gb_handle_row(rows, rows->handle[word]);
}

/* Where a list has a topic; 0 if it has not. */
static inline uint32_t gb_list_find(const uint32_t *list, size_t topic)
{
    const uint32_t n = list[0];
    uint32_t at = 0;
    for (uint32_t i = 1; i <= n; i++)
        at = (list[i] & UINT16_MAX) == topic ? i : at;
    return at;
}

static inline void gb_list_add(uint32_t *list, size_t topic, int by)
{
    const uint32_t one = (uint32_t)UINT16_MAX + 1, at = gb_list_find(list, topic);
    if (at == 0) {
        list[++list[0]] = (uint32_t)topic + (uint32_t)by * one;
        return;
    }
    list[at] += (uint32_t)by * one;
    if (list[at] < one) { /* none left: the last entry takes its place */
        list[at] = list[list[0]];
        list[list[0]--] = 0;
    }
}

static inline uint32_t gb_row_get(const unsigned char *row, gb_width width, size_t topic)
{
    switch (width) {
    case GB_WIDTH_8:
        return row[topic];
    case GB_WIDTH_16:
        return ((const uint16_t *)(const void *)row)[topic];
    case GB_WIDTH_32:
        return ((const uint32_t *)(const void *)row)[topic];
    default: {
        const uint32_t *list = (const uint32_t *)(const void *)row, at = gb_list_find(list, topic);
        return at == 0 ? 0 : list[at] >> 16;
    }
    }
}

/** Add to a cell: 1 or -1, or more.  Whatever the width, the aligned 32-bit word around the cell is changed: a cell never passes the
 * ends of its width, so nothing is carried into its neighbours, and there is no jump that depends on the width. */
static inline void gb_row_add(unsigned char *row, gb_width width, size_t topic, int by)
{
    const size_t at = topic << width;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const unsigned shift = 8 * (at & 3);
#else
    const unsigned shift = 8 * (4 - (1U << width) - (at & 3));
#endif
    if (width == GB_LIST) {
        gb_list_add((uint32_t *)(void *)row, topic, by);
        return;
    }
    uint32_t word;
    memcpy(&word, row + (at & ~(size_t)3), sizeof word);
    word += (uint32_t)by << shift;
    memcpy(row + (at & ~(size_t)3), &word, sizeof word);
}

static inline uint32_t gb_rows_get(const gb_rows *rows, uint64_t word, size_t topic)
{
    return gb_row_get(gb_rows_row(rows, word), gb_rows_width(rows, word), topic);
}

static inline void gb_rows_add(gb_rows *rows, uint64_t word, size_t topic, int by)
{
    gb_row_add(gb_rows_row(rows, word), gb_rows_width(rows, word), topic, by);
}

/** Topics in the list of a word; 0 if it has none. */
uint32_t gb_rows_n_listed(const gb_rows *rows, uint64_t word);
/** They, in the order of the list, which depends on how it came about.  @return how many */
uint32_t gb_rows_listed(const gb_rows *rows, uint64_t word, uint16_t *topic);
/** Put the entries of a word's list in that order.  @return false if these are not the topics that it has */
bool gb_rows_order_list(gb_rows *rows, uint64_t word, const uint16_t *topic);

/** The topics that a word has and how often, topics ascending; room for `stride` of each.  @return how many there are */
size_t gb_rows_nonzero(const gb_rows *rows, uint64_t word, uint16_t *topic, uint32_t *count);

#endif
