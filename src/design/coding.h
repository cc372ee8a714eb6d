/* design/coding.h - how fields of documents become covariates: made from the training documents, kept in the model,
 * and applied to them and to all documents that follow.
 *
 * number   one column (v - centre) / scale: mean and standard deviation of the training documents if numbers are
 *          standardised, 0 and 1 if not
 * factor   a column for each level of the training documents, 1 in the documents that have it.  No level is left
 *          out as a reference: the coefficients' prior is proper.
 * list     the same, with any number of levels in a document
 *
 * What is the same in all training documents has no column, as if its coefficient were 0: a number, or a level that all have.
 *
 * Levels of few training documents share one column, "(rare)".  Columns are in the order of the corpus: first its
 * numbers, then its factors and lists, levels sorted by bytes, "(rare)" last.
 *
 * With embeddings a column for each of their numbers follows, (v - mean) / standard deviation of the training documents (always).
 *
 * With --word-effects a column for each word of the vocabulary follows (design/word_columns.h), whose weights are those of
 * the training documents. */
#ifndef GB_DESIGN_CODING_H
#define GB_DESIGN_CODING_H

#include "corpus/data/corpus.h"
#include "design/dense_columns.h"
#include "design/sparse_columns.h"
#include "design/word_columns.h"

typedef struct gb_coding gb_coding;

/**
 * The coding of a corpus's covariates.
 *
 * @param settings     min-level-count, impute
 * @param standardise  centre and scale numbers
 * @param out          receives the coding, free it with gb_coding_free(); without covariates it has no columns;
 *                     untouched on failure
 * @return GB_OK, GB_EFORMAT (no document has an embedding; too many levels) or GB_ENOMEM
 */
gb_status gb_coding_make(const gb_corpus *corpus, const gb_settings *settings, bool standardise, gb_coding **out,
                         gb_error *err);
void gb_coding_free(gb_coding *coding);

/** A field that a coding shall have, whatever its role. */
typedef struct gb_coded_field {
    const char *name;
    bool takes_new_levels; /* a level that training did not have is no error, and no level is rare */
} gb_coded_field;

/**
 * The coding of fields by their names, in their order; numbers are centred and scaled.  Embeddings and words are left out.
 *
 * @param field  n_fields, which the corpus has
 * @return as gb_coding_make()
 */
gb_status gb_coding_make_of(const gb_corpus *corpus, const gb_settings *settings, size_t n_fields,
                            const gb_coded_field *field, gb_coding **out, gb_error *err);

/**
 * Covariates of documents.  A missing one is an error, or with --impute mean the training mean of a number and no
 * level of a factor; if the settings do not say, as in training.  A level that training did not have is an error, or
 * with --unknown-level reference no level.
 *
 * @param corpus     has all fields of the coding, by name and kind; may have others
 * @param first_row  documents before the first one, for messages
 * @param out        clear it with gb_sparse_columns_clear(); untouched on failure
 * @return GB_OK, GB_EFORMAT (names document and field) or GB_ENOMEM
 */
gb_status gb_coding_apply(const gb_coding *coding, const gb_corpus *corpus, const gb_settings *settings,
                          uint64_t first_row, gb_sparse_columns *out, gb_error *err);

/** Columns of fields, then those of embeddings, then those of words. */
size_t gb_coding_n_columns(const gb_coding *coding);

/** The numbers of an embedding as columns. */
typedef struct gb_embedding_coding {
    size_t n;     /* 0: there is none */
    double *mean; /* n: of the training documents */
    double *sd;   /* n; 0: it does not vary, and the column is 0 */
} gb_embedding_coding;
const gb_embedding_coding *gb_coding_embedding(const gb_coding *coding);

/**
 * The embeddings of documents; `out` has no columns if the coding has none.  A missing one is an error, or with --impute mean the
 * training mean.
 *
 * @param first_row  documents before the first one, for messages
 * @param out        gb_free(out->value); untouched on failure
 * @return GB_OK, GB_EFORMAT (there are none, or of another width; one is missing) or GB_ENOMEM
 */
gb_status gb_coding_apply_embedding(const gb_coding *coding, const gb_corpus *corpus, const gb_settings *settings,
                                    uint64_t first_row, gb_dense_columns *out, gb_error *err);

/** The words as columns. */
typedef struct gb_word_coding {
    gb_word_value value;
    size_t n;       /* words of the vocabulary; 0: words are no columns */
    double *weight; /* n */
    double *mean;   /* n: of the columns over the training documents */
    bool is_view;   /* the numbers are those of a file */
} gb_word_coding;
const gb_word_coding *gb_coding_words(const gb_coding *coding);

/**
 * The words of documents; `out` has no columns if the coding has no words.
 *
 * @param corpus  in the vocabulary of the training documents
 * @param out     clear it with gb_sparse_columns_clear(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (documents that 32 bits cannot number) or GB_ENOMEM
 */
gb_status gb_coding_apply_words(const gb_coding *coding, const gb_corpus *corpus, gb_sparse_columns *out,
                                gb_error *err);

/**
 * Take the weights of words from another coding of the same words, and make the columns of documents anew.
 *
 * @param corpus  whose words they are
 * @param words   made by gb_coding_apply_words(), which is done again
 * @return GB_OK, GB_EARGUMENT or GB_ENOMEM
 */
gb_status gb_coding_take_weights(gb_coding *coding, const gb_coding *from, const gb_corpus *corpus,
                                 gb_sparse_columns *words, gb_error *err);

/** "year", "director=Ridley Scott", "companies=(rare)", "embedding[17]"; NULL for a word. */
const char *gb_coding_column_name(const gb_coding *coding, size_t column);
/** The column is (value - centre) / scale: a coefficient over the scale is the effect of one unit of the field. */
double gb_coding_column_centre(const gb_coding *coding, size_t column);
double gb_coding_column_scale(const gb_coding *coding, size_t column);

/** Columns of one field. */
typedef struct gb_columns {
    enum { GB_COLUMNS_NUMBER, GB_COLUMNS_FACTOR, GB_COLUMNS_LIST } kind;
    size_t first, n;
} gb_columns;
/** The columns of the field that a column belongs to. */
gb_columns gb_coding_columns_of(const gb_coding *coding, size_t column);

/** Those of a field; n 0: it does not vary. */
gb_columns gb_coding_field_columns(const gb_coding *coding, size_t field);

/** Note the means of the columns over the documents: the share of documents that have a level.
 * @return GB_OK or GB_ENOMEM */
gb_status gb_coding_note_means(gb_coding *coding, const gb_sparse_columns *x, const gb_sparse_columns *words,
                               gb_error *err);
/** The mean of a column, after gb_coding_note_means(). */
double gb_coding_column_mean(const gb_coding *coding, size_t column);

/** What has no column because it does not vary: "year, country=US"; "" if all vary.
 *
 * @param coding  NULL: there are no covariates
 * @param out     receives the text, free it with gb_free() */
gb_status gb_coding_list_constant(const gb_coding *coding, char **out, gb_error *err);
/** What has a column in a coding and none in that of some of its documents, which have the same fields: "year, country=US"; "" if
 * nothing.  Either may be NULL.
 *
 * @param out  receives the text, free it with gb_free() */
gb_status gb_coding_list_lost(const gb_coding *whole, const gb_coding *part, char **out, gb_error *err);

/** Levels of documents that training did not have, of the fields that take them: "author=Smith, author=Jones"; "" for none.
 *
 * @param out  receives the text, free it with gb_free() */
gb_status gb_coding_list_new_levels(const gb_coding *coding, const gb_corpus *corpus, char **out, gb_error *err);

/** The fields as --covariates takes them, kinds said: "year:number,director:factor,companies:list"; "" for none. */
const char *gb_coding_fields(const gb_coding *coding);

/** The same one by one. */
size_t gb_coding_n_fields(const gb_coding *coding);
const char *gb_coding_field_name(const gb_coding *coding, size_t field);
gb_field_kind gb_coding_field_kind(const gb_coding *coding, size_t field);
/** The least and the greatest value of a number in the training.  @return false if they are not known, or alike */
bool gb_coding_field_range(const gb_coding *coding, size_t field, double *low, double *high);

/** A new object, or NULL when memory runs out. */
json_t *gb_coding_to_json(const gb_coding *coding);
/** The same without the numbers of words, which a file has as arrays. */
json_t *gb_coding_describe(const gb_coding *coding);
/** The opposite of gb_coding_describe(); nothing in the object is trusted.  @return GB_OK, GB_EFORMAT or GB_ENOMEM */
gb_status gb_coding_from_json(const json_t *object, gb_coding **out, gb_error *err);
/** True if words have values: after gb_coding_from_json() they lack their numbers. */
bool gb_coding_has_words(const gb_coding *coding);
/** Give words their numbers, which are copied.  @return GB_OK or GB_ENOMEM */
gb_status gb_coding_give_words(gb_coding *coding, size_t n, const double *weight, const double *mean, gb_error *err);
/** Say how many words there are, whose numbers will be views into a file. */
void gb_coding_view_words(gb_coding *coding, size_t n);
/** The numbers of words; a gb_list_arrays. */
void gb_coding_list(void *coding, const gb_array_visitor *v);

#endif
