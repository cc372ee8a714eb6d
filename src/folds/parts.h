/* folds/parts.h - the parts of a cross-validation: which documents are held out together. */
#ifndef GB_FOLDS_PARTS_H
#define GB_FOLDS_PARTS_H

#include "corpus/data/corpus.h"

/** Documents that are held out together. */
typedef struct gb_held_part {
    char *name;
    bool *is_held_out; /* n_docs */
    uint64_t n_held_out;
    bool *is_unused; /* n_docs: neither held out nor trained on; NULL: none is */
    char *lost; /* covariates that vary in the corpus and not in the training: gb_held_parts_foresee(); NULL before */
} gb_held_part;

typedef struct gb_held_parts {
    gb_held_part *part;
    size_t n, room;
    uint64_t *group; /* n_docs: documents that are held out together by their value; NULL: each is on its own */
    bool are_groups; /* a part is the documents with one value */
} gb_held_parts;

/** The parts that the settings folds, fold-by and hold-out-group ask for.
 *
 * @param out  zeroed; clear it with gb_held_parts_clear(), also on failure */
gb_status gb_held_parts_make(gb_held_parts *out, const gb_corpus *corpus, const gb_settings *settings, gb_error *err);
void gb_held_parts_clear(gb_held_parts *parts);

/** Use only some documents, the same of all parts: 1 of `divisor`, by chance. */
gb_status gb_held_parts_shrink(gb_held_parts *parts, const gb_corpus *corpus, uint64_t divisor, uint64_t seed,
                               gb_error *err);

/** What is drawn together when held-out documents are scored again and again: groups that are held out together, else documents.
 *
 * @param unit     receives n lists by the rows of the parts; free each of them and the list with gb_free()
 * @param n_units  receives one more than the largest */
gb_status gb_held_parts_units(const gb_held_parts *parts, uint64_t n_docs, uint64_t ***unit, uint64_t *n_units,
                              gb_error *err);

/** The documents of the training and those held out, as gb_corpus_split().  @return also GB_EARGUMENT: none is left */
gb_status gb_held_part_split(const gb_held_part *part, const gb_corpus *corpus, gb_corpus **training,
                             gb_corpus **held_out, uint64_t **n_unknown, gb_error *err);

/**
 * Read a corpus with the fields that hold-out-group and fold-by name.
 *
 * @param is_left_out  receives n_labels: fields that were read only to find groups, and are not for the models; NULL if there
 *                     are none; free it with gb_free()
 */
gb_status gb_held_parts_read(const char *path, const gb_settings *settings, gb_on_read *on_read, void *user,
                             gb_corpus **out, bool **is_left_out, gb_error *err);

/** Once the parts are known, the fields that were read for them have done their work: put a corpus without them in the place of this one.
 *
 * @param is_left_out  of gb_held_parts_read(); NULL: nothing is done */
gb_status gb_held_parts_drop_fields(gb_corpus **corpus, const bool *is_left_out, gb_error *err);

#endif
