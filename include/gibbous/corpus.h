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

/** Free a corpus; accepts NULL. */
GB_API void gb_corpus_free(gb_corpus *corpus);

/* ---- what a corpus has ----
 *
 * Documents, words, fields and classes are numbered from 0.  A number that is out of range is answered with NULL, 0, NaN or
 * false.  Names are UTF-8 without control characters and are not ended by a NUL: each comes with its length in bytes.
 * Pointers are into the corpus and valid until it is freed. */

/** Number of documents. */
GB_API uint64_t gb_corpus_n_docs(const gb_corpus *corpus);
/** Number of tokens of all documents; a word that occurs twice counts twice. */
GB_API uint64_t gb_corpus_n_tokens(const gb_corpus *corpus);
/** Number of words of the vocabulary. */
GB_API uint64_t gb_corpus_n_words(const gb_corpus *corpus);

/** A word of the vocabulary. */
GB_API const char *gb_corpus_word(const gb_corpus *corpus, uint64_t word, size_t *length);
/** The id of a document; documents may share one. */
GB_API const char *gb_corpus_id(const gb_corpus *corpus, uint64_t document, size_t *length);

/**
 * The tokens of a document: their word numbers, in the order of the text; of a document that came as counts, equal words stand
 * together.
 *
 * @param n_tokens  receives how many
 * @return the tokens; NULL if there are none
 */
GB_API const uint32_t *gb_corpus_tokens(const gb_corpus *corpus, uint64_t document, uint64_t *n_tokens);

/**
 * The different words of a document and how often it has each.
 *
 * @param word   receives word numbers, ascending; room for as many as the document has tokens
 * @param count  receives how often each occurs; room for as many
 * @return how many different words there are
 *
 * Cost: n log n for n tokens.
 */
GB_API uint64_t gb_corpus_counts(const gb_corpus *corpus, uint64_t document, uint32_t *word, uint32_t *count);

/** What a field of the documents is for. */
typedef enum gb_role {
    GB_ROLE_RESPONSE,  /* to be predicted: options label, labels and target */
    GB_ROLE_COVARIATE, /* known in addition to the text */
    GB_ROLE_EXPOSURE,  /* the base of a count: a number above 0; at most one field has this role */
    GB_ROLE_WEIGHT,    /* of a document: a number from 0 on; at most one field has this role */
    GB_ROLE_GROUP      /* names the group that a document is in, alone or with others: one class */
} gb_role;

/** What a document has in a field. */
typedef enum gb_field_kind {
    GB_KIND_ONE,     /* at most one class */
    GB_KIND_SEVERAL, /* any number of classes */
    GB_KIND_NUMBER,  /* a number */
    GB_KIND_AUTO     /* of an input that is still to be read: a number if all values are, else one class */
} gb_field_kind;

/** Number of fields; those with classes come first, then those with numbers. */
GB_API uint64_t gb_corpus_n_fields(const gb_corpus *corpus);

/**
 * What is known of a field; each of the three may be NULL.
 *
 * @param name  receives its name, ended by a NUL
 * @return false if there is no such field
 */
GB_API bool gb_corpus_field(const gb_corpus *corpus, uint64_t field, const char **name, gb_role *role,
                            gb_field_kind *kind);

/** Find a field by its name.  @return false if there is none */
GB_API bool gb_corpus_find_field(const gb_corpus *corpus, const char *name, uint64_t *field);

/** The numbers of a field: n_docs, NaN where one is missing; NULL if it is not a field of numbers. */
GB_API const double *gb_corpus_numbers(const gb_corpus *corpus, uint64_t field);

/** Number of classes of a field; 0 for one of numbers. */
GB_API uint64_t gb_corpus_n_classes(const gb_corpus *corpus, uint64_t field);
/** The name of a class; classes are sorted by their bytes. */
GB_API const char *gb_corpus_class(const gb_corpus *corpus, uint64_t field, uint64_t index, size_t *length);

/**
 * The classes that a document has in a field.
 *
 * @param classes    receives class numbers, ascending; may be NULL
 * @param n_classes  receives how many: 1 of kind GB_KIND_ONE, any number of kind GB_KIND_SEVERAL; may be NULL
 * @return false if they are missing: it is not known which classes the document has
 */
GB_API bool gb_corpus_classes_of(const gb_corpus *corpus, uint64_t field, uint64_t document, const uint32_t **classes,
                                 uint64_t *n_classes);

/** How the words were made from text ("preparation") and what was read and left out ("source"), as a JSON object.
 *
 * @param out  receives the text, free it with gb_free()
 * @return GB_OK or GB_ENOMEM
 */
GB_API gb_status gb_corpus_notes(const gb_corpus *corpus, char **out, gb_error *err);

/** True if the input is a corpus file: by the option format, or by its first bytes. */
GB_API bool gb_is_corpus_file(const char *path, const gb_settings *settings);

#ifdef __cplusplus
}
#endif

#endif
