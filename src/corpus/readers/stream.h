/* corpus/readers/stream.h - documents of new data one batch at a time, mapped to the vocabulary of a model.
 *
 * Used by predict, infer and evaluate: memory does not grow with the input, and every input document becomes
 * one document of a batch, also when it is empty. */
#ifndef GB_CORPUS_READERS_STREAM_H
#define GB_CORPUS_READERS_STREAM_H

#include "corpus/data/corpus.h"
#include "corpus/data/read_watch.h"

typedef struct gb_stream gb_stream;

/**
 * Open documents for a trained model.
 *
 * @param path         as for gb_corpus_read(); also a corpus file, whose words are matched by their text
 * @param settings     data options: format, text, id, label fields, vocabulary, metadata
 * @param vocabulary   the model's words; borrowed until the stream is closed
 * @param preparation  how the model's corpus turned text into words (gb_corpus.preparation); borrowed
 */
gb_status gb_stream_open(gb_stream **out, const char *path, const gb_settings *settings, const gb_texts *vocabulary,
                         const json_t *preparation, gb_read_watch *watch, gb_error *err);

/** More are read at once by those who want all documents. */
#define GB_MOST_OF_BATCH (1u << 20)

/**
 * The next documents, at most `max_docs`, as a corpus with the word numbers of the vocabulary given above.
 *
 * With at most GB_MOST_OF_BATCH, of a pipe those that have come, as soon as there is one; with more, or with the
 * option keep-text, texts are kept, for people who read the documents.
 *
 * @param out        receives a corpus (n_words and vocabulary are the model's; free it with
 * gb_corpus_free()), or NULL at the end; its fields hold what the input has.  A covariate whose kind neither the
 * settings nor a corpus file gives is a factor in every batch: the values of one batch do not tell the kind in the next
 * @param n_unknown  receives per document the number of words that are not in the vocabulary (after stop
 * words and such are left out); free it with gb_free()
 */
gb_status gb_stream_next(gb_stream *stream, size_t max_docs, gb_corpus **out, uint64_t **n_unknown, gb_error *err);

void gb_stream_close(gb_stream *stream);

#endif
