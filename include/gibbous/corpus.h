/* gibbous/corpus.h - documents, words, labels and other fields. */
#ifndef GIBBOUS_CORPUS_H
#define GIBBOUS_CORPUS_H

#include "gibbous/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a field of the documents is for. */
typedef enum gb_role {
    GB_ROLE_RESPONSE,  /* to be predicted: options label, labels and target */
    GB_ROLE_COVARIATE, /* known in addition to the text */
    GB_ROLE_EXPOSURE,  /* the base of a count: a number above 0; at most one field has this role */
    GB_ROLE_WEIGHT,    /* the weight of a document: a number from 0 on; at most one field has this role */
    GB_ROLE_GROUP,     /* names the group of a document, alone or with other fields: one class */
    GB_ROLE_CLUSTER, /* names what documents come from that may be alike, such as a speech: one class; at most one field has this role */
    GB_ROLE_PREVALENCE /* known in addition to the text, and topics alone depend on it: option prevalence */
} gb_role;

/** What a field holds for each document. */
typedef enum gb_field_kind {
    GB_KIND_ONE,     /* at most one class */
    GB_KIND_SEVERAL, /* any number of classes */
    GB_KIND_NUMBER,  /* a number */
    GB_KIND_AUTO /* not decided until the input has been read: a number if all values are numbers, else one class */
} gb_field_kind;

/** Documents, words and labels, in memory or mapped from a corpus file.  A corpus never changes once built. */
typedef struct gb_corpus gb_corpus;

/** Progress of reading.  Owned by the library; later versions may add members at the end. */
typedef struct gb_read_progress {
    uint64_t n_docs; /* documents read so far */
    double seconds;  /* since reading began */
} gb_read_progress;

/** Called several times a second while documents are read, also in the middle of a big file and while a pipe has nothing to read,
 * on the thread that called the reading function.  Return false to stop: the reading function then returns GB_ESTOP, and the
 * callback is not called again. */
typedef bool gb_on_read(const gb_read_progress *progress, void *user);

/**
 * Read a corpus.
 *
 * @param path      a file, a folder, or "-" for standard input; compressed files are unpacked
 * @param settings  the options of the groups data and words (docs/options)
 * @param on_read   may be NULL; `user` is given to it
 * @param out       receives the corpus, free it with gb_corpus_free(); untouched on failure
 * @return GB_OK, GB_EIO, GB_EFORMAT (message names file and line), GB_EARGUMENT, GB_ENOMEM or GB_ESTOP
 *
 * Cost: one pass over the input.  Memory: 4 bytes per token, 8 per document, and the vocabulary.
 */
GB_API gb_status gb_corpus_read(const char *path, const gb_settings *settings, gb_on_read *on_read, void *user,
                                gb_corpus **out, gb_error *err);

/** gb_corpus_read(), which maps a corpus file, with a copy of the file in memory instead: what happens to the file afterwards does no
 * harm.  Other inputs are in memory anyway.
 *
 * Cost: the copy; memory of the size of the file. */
GB_API gb_status gb_corpus_read_copy(const char *path, const gb_settings *settings, gb_on_read *on_read, void *user,
                                     gb_corpus **out, gb_error *err);

/**
 * Read several inputs as one corpus: documents of the first, then those of the second, and so on.
 *
 * Each is read as by gb_corpus_read(), with the same settings; corpus files can be among them.  All need the same fields, and words
 * made in the same way.  The options min-df, max-df and max-vocabulary count over all inputs; words that no document has are
 * dropped.  From texts, and from counts of words without names, the corpus is the same as from one input with all
 * documents, except for its notes and for ids that are the numbers of rows.
 *
 * @param n_paths  at least 1
 * @return as gb_corpus_read(); GB_EFORMAT if the inputs do not go together
 *
 * Memory: as gb_corpus_read() for all inputs together, and once more for the largest of them.
 */
GB_API gb_status gb_corpus_read_several(uint64_t n_paths, const char *const *path, const gb_settings *settings,
                                        gb_on_read *on_read, void *user, gb_corpus **out, gb_error *err);

/**
 * gb_corpus_read() for a training on several ranks, whose team is in the settings: of a corpus in shards only the manifest is read.
 * It is enough for plans, and for the part of a training that concerns all documents; each rank reads the shards with its own documents.  Without
 * a team it is gb_corpus_read_copy(), for trainings are long; of any other input, and with the option word-effects, gb_corpus_read().
 *
 * A corpus read in this way has no tokens: gb_corpus_tokens() gives NULL, and functions that need them, other than
 * trainings, return GB_EARGUMENT.
 *
 * @return as gb_corpus_read()
 *
 * Memory: about 30 bytes per document and field, ids, and the vocabulary; they lie in the mapped file.
 */
GB_API gb_status gb_corpus_read_for_training(const char *path, const gb_settings *settings, gb_on_read *on_read,
                                             void *user, gb_corpus **out, gb_error *err);

/** Write a corpus file (docs/format).  It appears whole or not at all; an existing file is an error unless `force`.  The same
 * corpus always gives the same bytes.  @return GB_OK, GB_EIO, GB_EARGUMENT (the file exists) or GB_ENOMEM */
GB_API gb_status gb_corpus_write(const gb_corpus *corpus, const char *path, bool force, gb_error *err);

/**
 * Write a corpus as several files: shards, each a corpus file with consecutive documents and about the same number of tokens, and a
 * manifest that names them.  Functions that read a corpus take the manifest, and give the same corpus.
 *
 * @param path      of the manifest; shards lie beside it, see gb_corpus_shard_path()
 * @param n_shards  1 to 512; each shard but the last has a multiple of 256 documents
 * @param force     replace existing files
 * @return GB_OK, GB_EIO, GB_EARGUMENT (a file exists, or there are too few documents) or GB_ENOMEM
 *
 * The manifest appears last, after all shards are whole.  The same corpus always gives the same bytes.  Memory: one shard.
 */
GB_API gb_status gb_corpus_write_shards(const gb_corpus *corpus, const char *path, uint64_t n_shards, bool force,
                                        gb_error *err);
/** The path of a shard, counted from 0: "a/all-2-of-4.gbc" for shard 1 of 4 of "a/all.gbc".
 *
 * @param out  receives the path, free it with gb_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (no such shard) or GB_ENOMEM */
GB_API gb_status gb_corpus_shard_path(const char *path, uint64_t shard, uint64_t n_shards, char **out, gb_error *err);
/** The shards that a manifest names.
 *
 * @param path  of any file; a file that is no manifest has no shards
 * @param out   receives their paths, each with a 0 at its end, and an empty one after the last; free it with gb_free(); untouched
 *              on failure
 * @return GB_OK, GB_EIO, GB_EFORMAT (a damaged manifest) or GB_ENOMEM */
GB_API gb_status gb_corpus_shards_of(const char *path, char **out, gb_error *err);

/**
 * Write a corpus in another format (docs/formats).  What the format has no place for goes to files beside it: the vocabulary, ids,
 * fields and embeddings, as options of gb_corpus_read() take them.
 *
 * @param path    of the format's own file; the files beside it have its name with other endings
 * @param format  "corpus", "jsonl", "csv", "tsv", "mallet", "fasttext", "svmlight", "uci", "ldac", "mtx" or "npz"; NULL or "auto": by
 *                the ending of `path`
 * @param force   replace existing files
 * @param notes   receives a JSON object as text: "files", the paths that were written; "read_with", the options that read them back as
 *                the same corpus; "changes", a sentence for each thing that is lost.  Free it with gb_free(); untouched on failure; may be
 *                NULL
 * @return GB_OK, GB_EIO, GB_EARGUMENT (no such format, or a file exists), GB_EFORMAT (a word that the format cannot hold) or GB_ENOMEM
 *
 * The same corpus always gives the same bytes.  The format's own file appears last, each of them whole or not at all.
 */
GB_API gb_status gb_corpus_export(const gb_corpus *corpus, const char *path, const char *format, bool force,
                                  char **notes, gb_error *err);

/** The path of a file that gb_corpus_export() may write beside `path`, numbered from 0.
 *
 * @param out  receives the path, free it with gb_free(); NULL if there is none of that number; untouched on failure
 * @return GB_OK or GB_ENOMEM */
GB_API gb_status gb_corpus_export_beside(const char *path, uint64_t index, char **out, gb_error *err);

/** Free a corpus; accepts NULL. */
GB_API void gb_corpus_free(gb_corpus *corpus);

/* ---- contents of a corpus ----
 *
 * Documents, words, fields and classes are numbered from 0.  A number out of range gives NULL, 0, NaN or false.
 * Names are UTF-8 without control characters.  Where a function has the argument `length`, the name is not ended by a NUL and
 * `length` receives its bytes.  All pointers point into the corpus and are valid until it is freed. */

/** Number of documents. */
GB_API uint64_t gb_corpus_n_docs(const gb_corpus *corpus);
/** Number of tokens in all documents; a word that occurs twice counts twice. */
GB_API uint64_t gb_corpus_n_tokens(const gb_corpus *corpus);
/** Number of words in the vocabulary. */
GB_API uint64_t gb_corpus_n_words(const gb_corpus *corpus);
/** Numbers in the embedding of a document; 0 if documents have none. */
GB_API uint64_t gb_corpus_n_embedding_columns(const gb_corpus *corpus);

/** A word of the vocabulary. */
GB_API const char *gb_corpus_word(const gb_corpus *corpus, uint64_t word, size_t *length);
/** The id of a document; documents may share one. */
GB_API const char *gb_corpus_id(const gb_corpus *corpus, uint64_t document, size_t *length);

/**
 * The tokens of a document as word numbers, in the order of the text.  If the document was given as counts, equal words are
 * next to each other.
 *
 * @param n_tokens  receives the number of tokens
 * @return the tokens; NULL if there are none, or if they were not read (gb_corpus_read_for_training())
 */
GB_API const uint32_t *gb_corpus_tokens(const gb_corpus *corpus, uint64_t document, uint64_t *n_tokens);

/**
 * Name, role and kind of a field; each of the three pointers may be NULL.
 *
 * @param name  receives the name, ended by a NUL
 * @return false if there is no such field
 */
GB_API bool gb_corpus_field(const gb_corpus *corpus, uint64_t field, const char **name, gb_role *role,
                            gb_field_kind *kind);

/** Find a field by its name; `field` receives its number.  @return false if there is none */
GB_API bool gb_corpus_find_field(const gb_corpus *corpus, const char *name, uint64_t *field);

/** The values of a numeric field: n_docs numbers, NaN where one is missing; NULL if the field is not numeric. */
GB_API const double *gb_corpus_numbers(const gb_corpus *corpus, uint64_t field);

/** Number of classes of a field; 0 for a numeric field. */
GB_API uint64_t gb_corpus_n_classes(const gb_corpus *corpus, uint64_t field);
/** The name of a class; classes are sorted by their bytes. */
GB_API const char *gb_corpus_class(const gb_corpus *corpus, uint64_t field, uint64_t index, size_t *length);

/**
 * The classes that a document has in a field.
 *
 * @param classes    receives class numbers, ascending; may be NULL
 * @param n_classes  receives how many: 1 for GB_KIND_ONE, any number for GB_KIND_SEVERAL; may be NULL
 * @return false if the value is missing: nobody knows which classes the document has
 */
GB_API bool gb_corpus_classes_of(const gb_corpus *corpus, uint64_t field, uint64_t document, const uint32_t **classes,
                                 uint64_t *n_classes);

/** The fields that options name, as a JSON array of objects with "name", "role" ("response", "covariate", ..., "prevalence": of the formula of
 * `prevalence`, and of no other option) and "kind" ("number", "factor", "list", or "auto" where values decide).
 *
 * @param out  receives the text, free it with gb_free()
 * @return GB_OK, GB_EARGUMENT (a malformed formula; a field that is given twice) or GB_ENOMEM
 */
GB_API gb_status gb_settings_fields(const gb_settings *settings, char **out, gb_error *err);

/** How text was turned into words ("preparation"), and what was read and left out ("source"), as a JSON object.
 *
 * @param out  receives the text, free it with gb_free()
 * @return GB_OK or GB_ENOMEM
 */
GB_API gb_status gb_corpus_notes(const gb_corpus *corpus, char **out, gb_error *err);

/**
 * Some documents of a corpus, one after the other, as a corpus of their own: to predict many documents in batches.
 *
 * @param first, last  documents first .. last - 1, which become 0, 1, ...
 * @param out          receives them, free them with gb_corpus_free(); untouched on failure.  It shares all arrays with `corpus`,
 *                     which must live as long
 * @return GB_OK, GB_EARGUMENT (out of range, or a corpus without tokens) or GB_ENOMEM
 */
GB_API gb_status gb_corpus_view_create(const gb_corpus *corpus, uint64_t first, uint64_t last, gb_corpus **out,
                                       gb_error *err);

/**
 * The name that a value gets as a class, a level, a group or an id, from whatever input it comes: without blanks around it, in Unicode
 * normal form C; a whole number without "+" and without point and zeros ("1.0" is "1"); "true" and "false" in small letters.
 *
 * @param text    UTF-8; not ended by a NUL
 * @param length  its bytes
 * @param out     receives the name, free it with gb_free(); untouched on failure
 * @return GB_OK, GB_EFORMAT (not UTF-8) or GB_ENOMEM
 */
GB_API gb_status gb_value_name(const char *text, size_t length, char **out, gb_error *err);

/* ---- a corpus from arrays ---- */

/** A description of documents by arrays of the caller.
 *
 * The arrays are borrowed: nothing is copied or read before gb_corpus_from_arrays(), so they must exist unchanged until then.
 * The corpus copies all it needs; afterwards the description may be used again, or freed. */
typedef struct gb_corpus_arrays gb_corpus_arrays;

/** A value in an array of classes: the document's class is unknown. */
#define GB_NO_CLASS UINT32_MAX

/** An empty description.
 *
 * @param out  receives the description, free it with gb_corpus_arrays_free(); untouched on failure
 * @return GB_OK or GB_ENOMEM
 */
GB_API gb_status gb_corpus_arrays_create(gb_corpus_arrays **out, gb_error *err);
/** Free a description, not the arrays; accepts NULL. */
GB_API void gb_corpus_arrays_free(gb_corpus_arrays *arrays);

/**
 * Documents as counts of words: the rows of a sparse matrix (CSR); or as tokens.
 *
 * @param doc_start  n_docs + 1 numbers: document d has entries doc_start[d] .. doc_start[d + 1] - 1; the first is 0, and none
 *                   is smaller than the one before it
 * @param word       doc_start[n_docs]: word numbers, below the size of the vocabulary
 * @param count      doc_start[n_docs]: how often the word occurs, at most 2^24; entries with 0 are left out.  NULL: each entry is a
 *                   token, in the order of the text
 * @return GB_OK or GB_EARGUMENT (`doc_start` is NULL)
 */
GB_API gb_status gb_corpus_arrays_counts(gb_corpus_arrays *arrays, uint64_t n_docs, const uint64_t *doc_start,
                                         const uint32_t *word, const uint32_t *count, gb_error *err);
/** What stands before and after the name of a bag in a text. */
#define GB_BAG_BEGINS "\x1E"
#define GB_BAG_ENDS   "\x1F"

/** Documents as texts, in place of counts: they become words by the settings, or as the model's own texts did.
 *
 * @param text  n_docs texts in UTF-8, ended by NUL; an empty one is a document without words.  Where the option `text` names bags, or the
 *              model has them, each part of a text has the name of its bag in front: GB_BAG_BEGINS "title" GB_BAG_ENDS, then the title
 * @return GB_OK or GB_EARGUMENT (the array is NULL) */
GB_API gb_status gb_corpus_arrays_texts(gb_corpus_arrays *arrays, uint64_t n_docs, const char *const *text,
                                        gb_error *err);
/** The vocabulary.  Counts and tokens need it; with texts it may be absent, and if given, only its words are kept.
 *
 * @param word  n_words texts in UTF-8, ended by NUL, all different */
GB_API gb_status gb_corpus_arrays_vocabulary(gb_corpus_arrays *arrays, uint64_t n_words, const char *const *word,
                                             gb_error *err);
/** The ids of documents.  @param id  n_docs texts; for NULL or "", and for all documents without this call, the id is the number
 * of the row, from 1 */
GB_API gb_status gb_corpus_arrays_ids(gb_corpus_arrays *arrays, const char *const *id, gb_error *err);

/**
 * A row of numbers for each document, beside its words (option `embeddings`).
 *
 * @param width  1 to 4096 numbers
 * @param value  n_docs rows of them, finite; borrowed
 * @return GB_OK or GB_EARGUMENT
 */
GB_API gb_status gb_corpus_arrays_embeddings(gb_corpus_arrays *arrays, uint64_t width, const float *value,
                                             gb_error *err);
/**
 * A field of numbers.
 *
 * @param name   copied
 * @param role   GB_ROLE_RESPONSE (a target), GB_ROLE_COVARIATE, GB_ROLE_PREVALENCE, GB_ROLE_EXPOSURE or GB_ROLE_WEIGHT
 * @param value  n_docs numbers; NaN: missing
 * @return GB_OK, GB_EARGUMENT (NULL, or a role that numbers do not have) or GB_ENOMEM
 */
GB_API gb_status gb_corpus_arrays_numbers(gb_corpus_arrays *arrays, const char *name, gb_role role,
                                          const double *value, gb_error *err);
/**
 * A field of at most one class per document: a label, a factor, a group or a cluster.
 *
 * @param name        copied
 * @param role        GB_ROLE_RESPONSE, GB_ROLE_COVARIATE, GB_ROLE_PREVALENCE, GB_ROLE_GROUP or GB_ROLE_CLUSTER
 * @param class_name  n_classes texts of UTF-8; equal ones are one class.  The corpus has the classes that occur, sorted
 * @param class_of    n_docs numbers below n_classes, or GB_NO_CLASS
 * @return GB_OK, GB_EARGUMENT (NULL, or a role that classes do not have) or GB_ENOMEM
 */
GB_API gb_status gb_corpus_arrays_classes(gb_corpus_arrays *arrays, const char *name, gb_role role,
                                          uint64_t n_classes, const char *const *class_name, const uint32_t *class_of,
                                          gb_error *err);
/**
 * A field of any number of classes per document: several labels, or a covariate that is a list.
 *
 * @param role        GB_ROLE_RESPONSE, GB_ROLE_COVARIATE or GB_ROLE_PREVALENCE
 * @param start       n_docs + 1: classes of document d are class_of[start[d]] .. class_of[start[d + 1] - 1]
 * @param class_of    start[n_docs] numbers below n_classes; a class that is given twice counts once
 * @param is_missing  n_docs: true where the value is missing: such a document has no entries in class_of; NULL: none is missing
 * @return GB_OK, GB_EARGUMENT (NULL, or a role that lists do not have) or GB_ENOMEM
 */
GB_API gb_status gb_corpus_arrays_lists(gb_corpus_arrays *arrays, const char *name, gb_role role, uint64_t n_classes,
                                        const char *const *class_name, const uint64_t *start,
                                        const uint32_t *class_of, const bool *is_missing, gb_error *err);

/**
 * Make a corpus: the same that gb_corpus_read() would make from a file with these documents.
 *
 * @param settings  stopwords, min-df, max-df and max-vocabulary choose words, and lowercase and token-pattern make them of texts; words
 *                  that never occur are dropped.  NULL: the defaults
 * @param out       receives the corpus, free it with gb_corpus_free(); untouched on failure
 * @return GB_OK, GB_EFORMAT (the message names document, word or field), GB_EARGUMENT (documents or vocabulary are missing) or
 * GB_ENOMEM
 */
GB_API gb_status gb_corpus_from_arrays(const gb_corpus_arrays *arrays, const gb_settings *settings, gb_corpus **out,
                                       gb_error *err);

#ifdef __cplusplus
}
#endif

#endif
