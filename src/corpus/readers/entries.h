/* corpus/readers/entries.h - the entries of a sparse matrix of counts, in any order, put in the order of the documents.
 *
 * Memory: 12 bytes per entry, and 8 more while they are put in order.  It grows with the entries that a file really has, whatever its header
 * says. */
#ifndef GB_CORPUS_READERS_ENTRIES_H
#define GB_CORPUS_READERS_ENTRIES_H

#include "corpus/data/raw_document.h"
#include "options/settings.h"

typedef struct gb_entries {
    const char *path;    /* for messages; borrowed, as is the limit */
    const char *limit;   /* the option memory-limit */
    uint64_t most_bytes; /* the same */
    size_t n;
    uint32_t *document;  /* n; NULL once they are in order */
    gb_word_count *pair; /* n */
    size_t documents_capacity, pairs_capacity;
    uint64_t n_documents;
    uint64_t *start; /* n_documents + 1, once they are in order */
} gb_entries;

/** Without entries yet; clear it with gb_entries_clear().
 * @param settings  borrowed until the entries are in order, as `path` */
gb_status gb_entries_begin(gb_entries *e, const char *path, const gb_settings *settings, gb_error *err);
void gb_entries_clear(gb_entries *e);

/** @return GB_OK, GB_EARGUMENT (more than memory-limit) or GB_ENOMEM */
gb_status gb_entries_add(gb_entries *e, uint32_t document, gb_word_count pair, gb_error *err);

/**
 * Put the entries in the order of their documents; those of one stay in their order.
 *
 * @param n_documents  more than any entry's document
 * @return GB_OK, GB_EFORMAT (far more documents than entries), GB_EARGUMENT or GB_ENOMEM
 */
gb_status gb_entries_put_in_order(gb_entries *e, uint64_t n_documents, gb_error *err);

/** The entries of a document, once they are in order. */
gb_status gb_entries_give(const gb_entries *e, uint64_t document, gb_raw_document *doc, gb_error *err);

#endif
