/* counts/rows.h - how often each word has each topic: one row of counts per word.
 *
 * A cell never exceeds the word's number of tokens in the corpus, so a word with at most 255 tokens has a row of
 * bytes, one with at most 65,535 a row of 16-bit numbers, and the few others 32 bits.  A token sampler reads a whole
 * row per token: bytes are what it waits for. */
#ifndef GB_COUNTS_ROWS_H
#define GB_COUNTS_ROWS_H

#include "base/status.h"

#include <stdint.h>
#include <string.h>

typedef enum gb_width { GB_WIDTH_8, GB_WIDTH_16, GB_WIDTH_32, GB_N_WIDTHS } gb_width;

enum { GB_ROW_ALIGNMENT = 64 };

typedef struct gb_rows {
    uint64_t n_words;
    size_t n_topics, stride; /* stride: cells of a row, those beyond n_topics stay 0 */
    uint32_t *handle;        /* n_words: names of the rows, below */
    unsigned char *data;
    uint64_t n_bytes; /* of data */
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

/**
 * Rows of zeros.
 *
 * @param total   n_words: an upper bound of every cell of the word's row
 * @param stride  n_topics rounded up to whole vectors
 * @return GB_OK or GB_ENOMEM (also for a table of more than 64 GiB)
 */
gb_status gb_rows_create(gb_rows *out, uint64_t n_words, const uint64_t *total, size_t n_topics, size_t stride,
                         gb_error *err);
void gb_rows_clear(gb_rows *rows);
void gb_rows_zero(gb_rows *rows);

/** Bytes that gb_rows_create() will take for these words. */
uint64_t gb_rows_bytes(uint64_t n_words, const uint64_t *total, size_t stride);

static inline gb_width gb_rows_width(const gb_rows *rows, uint64_t word)
{
    return gb_handle_width(rows->handle[word]);
}

static inline unsigned char *gb_rows_row(const gb_rows *rows, uint64_t word)
{
    return gb_handle_row(rows, rows->handle[word]);
}

static inline uint32_t gb_row_get(const unsigned char *row, gb_width width, size_t topic)
{
    switch (width) {
    case GB_WIDTH_8:
        return row[topic];
    case GB_WIDTH_16:
        return ((const uint16_t *)(const void *)row)[topic];
    default:
        return ((const uint32_t *)(const void *)row)[topic];
    }
}

/** Add 1 or -1 to a cell.  Whatever the width, the aligned 32-bit word around the cell is changed: a cell never passes the
 * ends of its width, so nothing is carried into its neighbours, and there is no jump that depends on the width. */
static inline void gb_row_add(unsigned char *row, gb_width width, size_t topic, int by)
{
    const size_t at = topic << width;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const unsigned shift = 8 * (at & 3);
#else
    const unsigned shift = 8 * (4 - (1U << width) - (at & 3));
#endif
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

/** The topics that a word has and how often, topics ascending; room for `stride` of each.  @return how many there are */
size_t gb_rows_nonzero(const gb_rows *rows, uint64_t word, uint16_t *topic, uint32_t *count);

#endif
