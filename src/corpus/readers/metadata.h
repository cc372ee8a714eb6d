/* corpus/readers/metadata.h - a table of fields beside the documents (--metadata). */
#ifndef GB_CORPUS_READERS_METADATA_H
#define GB_CORPUS_READERS_METADATA_H

#include "corpus/data/raw_document.h"
#include "corpus/data/read_watch.h"
#include "corpus/readers/table.h"
#include "options/settings.h"

#include <jansson.h>

typedef struct gb_metadata gb_metadata;

/** Read settings->metadata: its columns `fields`, and the id column if it has one. */
gb_status gb_metadata_open(gb_metadata **out, const gb_settings *settings, gb_field *fields, size_t n_fields,
                           gb_read_watch *watch, gb_error *err);
void gb_metadata_close(gb_metadata *m);

/** Rows when they belong to documents by their order; 0 when they are joined by id. */
uint64_t gb_metadata_n_documents(const gb_metadata *m);
/** Fill in the fields of document `number` (from 1).  By order: a document beyond the last row is an error; by id: all
 * fields of a document without a row are missing. */
gb_status gb_metadata_apply(gb_metadata *m, uint64_t number, const gb_field *fields, gb_raw_document *doc,
                            gb_error *err);
/** After the last document: by order, all rows are used; by id, at least one is. */
gb_status gb_metadata_check_end(const gb_metadata *m, uint64_t n_documents, gb_error *err);
/** Of the whole table. */
const gb_decimal_commas *gb_metadata_decimal_commas(const gb_metadata *m);
/** Documents without a row and rows without a document, into a JSON object. */
gb_status gb_metadata_notes(const gb_metadata *m, json_t *notes, gb_error *err);

#endif
