/* corpus/data/corpus_file.h - reading what gb_corpus_write() wrote. */
#ifndef GB_CORPUS_DATA_CORPUS_FILE_H
#define GB_CORPUS_DATA_CORPUS_FILE_H

#include "base/status.h"
#include "gibbous/corpus.h"

/**
 * Map a corpus file and check everything in it; afterwards the corpus can be used without further checks.
 *
 * @param out  receives the corpus, whose arrays lie in the file; free it with gb_corpus_free(); untouched on
 * failure
 * @return GB_OK, GB_EIO, GB_EFORMAT or GB_ENOMEM
 */
gb_status gb_corpus_open_file(const char *path, gb_corpus **out, gb_error *err);

#endif
