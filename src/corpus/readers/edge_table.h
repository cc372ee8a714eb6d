/* corpus/readers/edge_table.h - edges between named things, from a table or from a JSON array.
 *
 * Columns `from` and `to`, and optionally `weight`, which is 1 without it, and `type`; other columns are passed over.  A row
 * without a name under `to` only says that there is `from`.  In JSON each edge is an array of these four, in this order. */
#ifndef GB_CORPUS_READERS_EDGE_TABLE_H
#define GB_CORPUS_READERS_EDGE_TABLE_H

#include "corpus/data/view.h"

/** One row; the texts are trimmed, and valid until the next row. */
typedef struct gb_edge_row {
    gb_view from, to; /* to.length 0: no edge */
    gb_view type;     /* not empty for an edge; text NULL: the table has no such column */
    double weight;    /* above 0 */
    uint64_t line;    /* or the number of the edge, from 1 */
} gb_edge_row;

/** Takes a row; file and line are put before the message of a GB_EFORMAT. */
typedef gb_status gb_take_edge(void *context, const gb_edge_row *row, gb_error *err);

/**
 * Hand over all rows, in their order.
 *
 * @param path  CSV, or TSV by the name; any input that gb_input_open() takes.  A text that begins with "[" is not the name of a
 *              file but the edges themselves, as JSON
 * @return GB_OK, GB_EIO, GB_EFORMAT (also when there is no row) or GB_ENOMEM
 */
gb_status gb_edge_table_read(const char *path, gb_take_edge *take, void *context, gb_error *err);

#endif
