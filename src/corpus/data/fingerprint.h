/* corpus/data/fingerprint.h - documents in a few digits. */
#ifndef GB_CORPUS_DATA_FINGERPRINT_H
#define GB_CORPUS_DATA_FINGERPRINT_H

#include "corpus/data/corpus.h"
#include "store/fingerprint.h"

/** Of the documents' words alone, as numbers of one vocabulary.  A manifest (corpus/data/shards.h) says it without reading them. */
gb_status gb_words_fingerprint(const gb_corpus *corpus, char out[static GB_FINGERPRINT_SIZE], gb_error *err);

/** The same from the tokens, whatever a manifest says. */
gb_status gb_tokens_fingerprint(const gb_corpus *corpus, char out[static GB_FINGERPRINT_SIZE], gb_error *err);

/** The words of each document, in whatever order they stand.  A manifest says them without reading the tokens.
 * @param out  n_docs; 0: the document has no words */
void gb_document_digests(const gb_corpus *corpus, uint32_t *out);

/** Of the documents: words, vocabulary and fields; names of files and how text was prepared do not matter. */
gb_status gb_corpus_fingerprint(const gb_corpus *corpus, char out[static GB_FINGERPRINT_SIZE], gb_error *err);

#endif
