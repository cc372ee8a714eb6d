/* corpus/readers/read.h - reading a part of a corpus. */
#ifndef GB_CORPUS_READERS_READ_H
#define GB_CORPUS_READERS_READ_H

#include "corpus/data/corpus.h"
#include "corpus/data/joins.h"

/** gb_corpus_read() of one input of several: words with the same stem are not one yet, and no phrases are found (gb_prepare_shape()), since
 * both depend on all inputs.
 *
 * @param joins    gets those of its tokens behind what it has, if phrases are to be found
 * @param n_before  bytes of the memory-limit that the inputs before it have taken */
gb_status gb_corpus_read_unshaped(const char *path, const gb_settings *settings, gb_joins *joins, uint64_t n_before,
                                  gb_on_read *on_read, void *user, gb_corpus **out, gb_error *err);

#endif
