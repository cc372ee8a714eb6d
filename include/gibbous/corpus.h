/* gibbous/corpus.h - documents, words, labels and other fields. */
#ifndef GIBBOUS_CORPUS_H
#define GIBBOUS_CORPUS_H

#include "gibbous/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Documents, words and labels in memory or mapped from a corpus file; never changes once built. */
typedef struct gb_corpus gb_corpus;

/**
 * Read a corpus.
 *
 * @param path      a file, a folder, or "-" for standard input; compressed files are unpacked
 * @param settings  the options of the groups data and words (docs/options)
 * @param out       receives the corpus, free it with gb_corpus_free(); untouched on failure
 * @return GB_OK, GB_EIO, GB_EFORMAT (message names file and line), GB_EARGUMENT or GB_ENOMEM
 *
 * Cost: one pass over the input; memory 4 bytes per token and 8 per document, and the vocabulary.
 */
GB_API gb_status gb_corpus_read(const char *path, const gb_settings *settings, gb_corpus **out, gb_error *err);

/** Write a corpus file (docs/format), beside its target and renamed; an existing file is an error unless
 * `force`. The same corpus always gives the same bytes. */
GB_API gb_status gb_corpus_write(const gb_corpus *corpus, const char *path, bool force, gb_error *err);

/** Number of documents. */
GB_API uint64_t gb_corpus_n_docs(const gb_corpus *corpus);
/** Number of tokens of all documents; a word that occurs twice counts twice. */
GB_API uint64_t gb_corpus_n_tokens(const gb_corpus *corpus);
/** Number of words of the vocabulary. */
GB_API uint64_t gb_corpus_n_words(const gb_corpus *corpus);
/** Free a corpus; accepts NULL. */
GB_API void gb_corpus_free(gb_corpus *corpus);

#ifdef __cplusplus
}
#endif

#endif
