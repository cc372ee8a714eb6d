/* corpus/readers/embeddings.h - a row of numbers for each document, from a file beside the documents (--embeddings).
 *
 * Rows belong to documents by their order; or by id, if the file has ids, or there is a file FILE.ids with one id per line. */
#ifndef GB_CORPUS_READERS_EMBEDDINGS_H
#define GB_CORPUS_READERS_EMBEDDINGS_H

#include "corpus/data/raw_document.h"
#include "corpus/data/read_watch.h"

typedef struct gb_embeddings gb_embeddings;

/** Read them.
 *
 * @param path  .npy, .npz or .safetensors; what it is is seen by its first bytes
 * @return GB_OK, GB_EIO, GB_EFORMAT (names file, row and column) or GB_ENOMEM */
gb_status gb_embeddings_open(gb_embeddings **out, const char *path, gb_read_watch *watch, gb_error *err);
void gb_embeddings_close(gb_embeddings *e);

/** Numbers of a row. */
size_t gb_embeddings_width(const gb_embeddings *e);

/** The row of document `number` (from 1); NULL by id if there is none.
 * @return GB_OK, or GB_EFORMAT by order for a document beyond the last row */
gb_status gb_embeddings_find(gb_embeddings *e, uint64_t number, const gb_raw_document *doc, const float **row,
                             gb_error *err);
/** After the last document: by order, all rows are used; by id, at least one is. */
gb_status gb_embeddings_check_end(const gb_embeddings *e, uint64_t n_documents, gb_error *err);

#endif
