/* corpus/data/raw_document.h - one document as a reader finds it: before its text is turned into words. */
#ifndef GB_CORPUS_DATA_RAW_DOCUMENT_H
#define GB_CORPUS_DATA_RAW_DOCUMENT_H

#include "corpus/data/field.h"

/** A word, counted from 0, and how often it occurs. */
typedef struct gb_word_count {
    uint32_t word, count;
} gb_word_count;

/** What one document has in one field: class[first] ... class[first + count - 1]; a number is one class, its text. */
typedef struct gb_field_value {
    bool labelled;
    size_t first, count;
} gb_field_value;

/** Where a class stands in gb_raw_document.class_text. */
typedef struct gb_class_place {
    size_t start, length;
} gb_class_place;

/** A word as it is, and how often it occurs. */
typedef struct gb_raw_token {
    gb_view text;
    uint32_t count;
    const char *bag; /* NULL: none, or the text names it */
} gb_raw_token;

/** A piece of the text, up to `end`, whose words are in a bag. */
typedef struct gb_raw_part {
    const char *bag;
    size_t end;
} gb_raw_part;

/** A text, words or counts.  The views are the reader's and valid until it goes on. */
typedef struct gb_raw_document {
    bool has_id;
    gb_view id, text, original; /* original: what the words given below were; without `text` */
    gb_raw_part *parts;         /* of the text, from its beginning to its end; none: it has no bags */
    size_t n_parts, parts_capacity;
    const char *bag;      /* of tokens that are added from now on; NULL: none */
    gb_raw_token *tokens; /* behind the words of the text */
    size_t n_tokens, tokens_capacity;
    gb_word_count *counts;
    size_t n_counts, counts_capacity;
    uint64_t n_counted; /* sum of the counts */
    gb_field_value *values;
    size_t n_fields;
    gb_class_place *classes;
    size_t n_classes, classes_capacity;
    gb_bytes class_text;
    size_t embedding_width; /* 0: documents have no embeddings */
    const float *embedding; /* NULL: missing */
    uint64_t n_none;        /* cells of all documents so far that gb_view_is_none() */
} gb_raw_document;

/** Most words in one document, and most of one (word, count) pair: what a corrupt or hostile number can cost. */
#define GB_MAX_DOCUMENT ((uint64_t)1 << 31)
#define GB_MAX_COUNT    ((uint64_t)1 << 24)

gb_status gb_raw_create(gb_raw_document *doc, size_t n_fields, gb_error *err);
void gb_raw_free(gb_raw_document *doc);
/** Make it empty: no id, no text, no counts, all fields missing. */
void gb_raw_clear(gb_raw_document *doc);

/** Mark as labelled in that field; classes added next belong to it. */
void gb_raw_begin_field(gb_raw_document *doc, size_t field);
gb_status gb_raw_add_class(gb_raw_document *doc, size_t field, gb_view name, gb_error *err);
gb_view gb_raw_class(const gb_raw_document *doc, size_t i);
/** What a cell of a table says: missing, one class or number, or (several) classes between separators. */
gb_status gb_raw_set_cell(gb_raw_document *doc, size_t field, gb_field_kind kind, gb_view cell, const char *separator,
                          gb_error *err);

/** Let the text, which is the caller's and as long as this, end with a piece of that bag. */
gb_status gb_raw_add_part(gb_raw_document *doc, const char *bag, size_t end, gb_error *err);

/** Add a word, of the bag at hand; an empty one is left out, and one with count 0.  GB_EFORMAT when the document gets too long. */
gb_status gb_raw_add_token(gb_raw_document *doc, gb_view word, uint32_t count, gb_error *err);
/** Add a pair; one with count 0 is left out.  GB_EFORMAT when the document gets too long. */
gb_status gb_raw_add_count(gb_raw_document *doc, uint32_t word, uint32_t count, gb_error *err);
/** Read a count: a whole number from 0 to GB_MAX_COUNT, also written as 3.0 or 1e2.  Returns NULL, or what is wrong with it. */
const char *gb_raw_parse_count(gb_view text, uint32_t *count);

#endif
