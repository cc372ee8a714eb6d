/* corpus/readers/document_words.h - from a raw document, text or counts, to word numbers. */
#ifndef GB_CORPUS_READERS_DOCUMENT_WORDS_H
#define GB_CORPUS_READERS_DOCUMENT_WORDS_H

#include "corpus/data/words.h"
#include "corpus/readers/reader.h"
#include "corpus/text/prepare.h"

typedef struct gb_document_words {
    gb_prepare *prepare;   /* borrowed */
    gb_words *words;       /* borrowed */
    bool keeps_text;       /* the builder gets texts of documents, too */
    bool is_closed;        /* words that are not in the set are left out, not added */
    const gb_texts *names; /* of word numbers in counts; borrowed; NULL: digits */
    uint32_t *number_of;   /* name -> number in `words`, as far as it is known */
    gb_joins *joins;       /* borrowed; gets a bit for each token of the builder; NULL: not needed */
    bool is_behind_word;   /* the token before was kept */
    uint64_t n_tokens, n_stopped, n_unknown; /* read so far; of these stop words, and not in a closed set */
    uint64_t unpack_factor;                  /* entries of counts may make so many tokens each; 0: GB_UNPACK_FACTOR */
    uint64_t n_entries, n_counted;           /* of counts so far, and tokens of the builder from them */
} gb_document_words;

/** @param names  of the reader; fields that the caller has not set are set here */
gb_status gb_document_words_open(gb_document_words *d, const gb_texts *names, gb_error *err);
void gb_document_words_close(gb_document_words *d);

/** Add the words of a document to the builder's current one; stop words and those not in a closed set are counted
 * only.
 * @return GB_OK, GB_EFORMAT (counts of a small input make very many tokens), GB_EARGUMENT or GB_ENOMEM */
gb_status gb_document_words_add(gb_document_words *d, const gb_raw_document *doc, gb_corpus_builder *b,
                                gb_error *err);

/** Hand the reader's document, its id and what it has in its fields, to a builder as its next one.  The builder's fields
 * were declared by gb_fields_declare(). */
gb_status gb_begin_document(gb_corpus_builder *b, const gb_reader *reader, const gb_raw_document *doc, gb_error *err);

#endif
