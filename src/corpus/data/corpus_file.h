/* corpus/data/corpus_file.h - a corpus as arrays and texts of a file (gb_corpus_write()), and back. */
#ifndef GB_CORPUS_DATA_CORPUS_FILE_H
#define GB_CORPUS_DATA_CORPUS_FILE_H

#include "base/status.h"
#include "gibbous/corpus.h"
#include "store/store.h"

#include <jansson.h>

/** Add everything that a corpus is made of to a file; the arrays are borrowed until it is saved. */
gb_status gb_corpus_put(gb_store_writer *w, const gb_corpus *corpus, gb_error *err);
/** The same without the tokens. */
gb_status gb_corpus_put_outline(gb_store_writer *w, const gb_corpus *corpus, gb_error *err);

/** Check everything that gb_corpus_put_outline() wrote to an open file.  The corpus lies in the file and owns it; it has no tokens, its
 * `word` is NULL.  On failure the file is closed. */
gb_status gb_corpus_outline_of_store(gb_store *s, gb_corpus **out, gb_error *err);

/** A text of a file that holds JSON; reading fails if it is missing, damaged or too large. */
gb_status gb_put_json(gb_store_writer *w, const char *name, const json_t *value, gb_error *err);
gb_status gb_get_json(const gb_store *s, const char *name, json_t **out, gb_error *err);

/**
 * Map a corpus file and check everything in it; afterwards the corpus can be used without further checks.
 *
 * @param out  receives the corpus, whose arrays lie in the file; free it with gb_corpus_free(); untouched on
 * failure
 * @return GB_OK, GB_EIO, GB_EFORMAT or GB_ENOMEM
 */
gb_status gb_corpus_open_file(const char *path, gb_corpus **out, gb_error *err);
/** The same with a copy of the file in memory, which nobody changes afterwards. */
gb_status gb_corpus_copy_file(const char *path, gb_corpus **out, gb_error *err);

#endif
