/* corpus/data/fold.h - one spelling for texts that mean the same: Unicode normal form C, and upper and lower case. */
#ifndef GB_CORPUS_DATA_FOLD_H
#define GB_CORPUS_DATA_FOLD_H

#include "corpus/data/view.h"

/** Scratch memory and what to do; start from {.lowercase = ...}, release with gb_fold_free(). */
typedef struct gb_fold {
    bool lowercase; /* full case folding */
    bool is_text;   /* soft hyphens vanish, and joiners that are not inside a word */
    gb_bytes out;
    int32_t *points;
    size_t capacity;
} gb_fold;

/** Zeros behind a folded text. */
enum { GB_FOLD_PADDING = 16 };

/** Fold valid UTF-8.  The result lies in `fold` until its next use. */
gb_status gb_fold_text(gb_fold *fold, gb_view text, gb_view *out, gb_error *err);
void gb_fold_free(gb_fold *fold);

#endif
