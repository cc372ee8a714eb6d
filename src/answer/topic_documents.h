/* answer/topic_documents.h - the documents that have most of each topic, for the questions that show some. */
#ifndef GB_ANSWER_TOPIC_DOCUMENTS_H
#define GB_ANSWER_TOPIC_DOCUMENTS_H

#include "answer/question.h"

typedef struct gb_best_documents {
    const gb_corpus *docs;
    uint64_t n_best, n_passage;   /* documents of a topic, words of a passage */
    uint64_t *document, *passage; /* n_topics x n_best */
    double *share;
    struct gb_passages *passages; /* NULL: the documents have no texts */
} gb_best_documents;

/** The options that are read. */
#define GB_BEST_DOCUMENTS_OPTIONS "documents-shown passage-words infer-sweeps infer-burn-in seed threads"

/** Find them among the documents that are asked about.
 * @param n_passage  words of a passage unless the option `passage-words` says
 * @param best       clear it with gb_best_documents_clear(), also on failure
 * @return as gb_topic_documents() */
gb_status gb_best_documents_find(gb_best_documents *best, const gb_asked *asked, uint64_t n_passage, gb_error *err);
void gb_best_documents_clear(gb_best_documents *best);

/** Number `index` of a topic's documents; GB_NO_DOCUMENT if there are fewer. */
uint64_t gb_best_document(const gb_best_documents *best, uint64_t topic, uint64_t index);
/** Its passage as it stands in the text, or without a text its words with blanks between them; free it with gb_free(). */
gb_status gb_best_passage(const gb_best_documents *best, uint64_t topic, uint64_t index, char **out, gb_error *err);
/** Add a document's id to a list. */
void gb_put_document_id(gb_table *table, size_t column, const gb_corpus *docs, uint64_t document);

#endif
