/* coefficient/word_list.h - the documents of each word as sums over them want them: piece by piece, in single precision.
 *
 * A piece has the documents of one part for GB_COLUMNS_PER_TASK words.  A word has a run of them, and runs of one length lie
 * together: most words are rare, and a loop that goes round as often as the last time is one that the processor foresees.  A word's
 * documents are in order, so its sums do not depend on the order of runs. */
#ifndef GB_COEFFICIENT_WORD_LIST_H
#define GB_COEFFICIENT_WORD_LIST_H

#include "coefficient/column_sums.h"

typedef struct gb_word_list {
    const gb_sparse_columns *x; /* borrowed; listed by column */
    uint64_t n_entries;
    size_t n_words, n_parts, n_tasks; /* n_tasks: of GB_COLUMNS_PER_TASK words */
    const uint64_t *part_start;       /* n_parts + 1; borrowed */
    uint64_t *first_run;   /* n_tasks x (n_parts + 1): where the runs of a task's pieces begin, and where they end */
    uint64_t *first_entry; /* likewise entries */
    uint32_t *word, *length; /* of runs */
    uint32_t *doc;           /* of entries, and GB_ENTRIES_AHEAD more */
    float *value;            /* of entries */
    float *value_by_doc;     /* in the order of x */
} gb_word_list;

enum { GB_ENTRIES_AHEAD = 12 }; /* between fetching numbers and using them */

/** A piece as kernels see it. */
typedef struct gb_word_piece {
    size_t n_runs;
    const uint32_t *word, *length, *doc;
    const float *value;
} gb_word_piece;

/** Without memory, for estimates: n_entries about. */
gb_word_list gb_word_list_size(uint64_t n_entries, size_t n_words, size_t n_parts);

/** @return GB_OK or GB_ENOMEM; clear the list with gb_word_list_clear() in either case */
gb_status gb_word_list_create(gb_word_list *out, const gb_sparse_columns *x, const gb_column_sums *parts,
                              size_t n_threads, gb_error *err);
void gb_word_list_clear(gb_word_list *list);
/** A gb_list_arrays. */
void gb_word_list_list(void *component, const gb_array_visitor *v);

gb_word_piece gb_word_list_piece(const gb_word_list *list, size_t task, size_t part);

#endif
