/* corpus/readers/document_ids.h - a file with the id of each document (--document-ids), one per line, in the order of the documents. */
#ifndef GB_CORPUS_READERS_DOCUMENT_IDS_H
#define GB_CORPUS_READERS_DOCUMENT_IDS_H

#include "corpus/data/raw_document.h"
#include "corpus/data/read_watch.h"

typedef struct gb_document_ids gb_document_ids;

/** @param watch  borrowed until it is closed; may be NULL */
gb_status gb_document_ids_open(gb_document_ids **out, const char *path, gb_read_watch *watch, gb_error *err);
void gb_document_ids_close(gb_document_ids *ids);

/** Give a document the id of the next line, which is valid until the next call.  A blank line leaves the id that it has. */
gb_status gb_document_ids_next(gb_document_ids *ids, gb_raw_document *doc, gb_error *err);
/** An error if there are lines left. */
gb_status gb_document_ids_check_end(gb_document_ids *ids, uint64_t n_documents, gb_error *err);

#endif
