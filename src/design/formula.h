/* design/formula.h - formulas of fields of documents as columns: what topic weights are regressed on (spec 22.1, 22.5).
 *
 * Columns come in terms, terms in this order:
 *
 * constant  column 0, which is 1
 * fixed     numbers, centred and scaled; factors by treatment contrasts: a column for each level but the most frequent one (of equal ones the
 *           first), the reference; lists: a column for each level; interactions: the products
 * smooth    the bends of s(x) (design/smooth.h), each document's value between the least and the greatest of the training; by levels
 *           in party * s(year).  The straight line of s(x) is the fixed term x
 * random    a column for each level of a grouping, 1 in its documents, or a number there: (1|g), (x|g)
 *
 * A factor of an interaction has contrasts if the formula has the same interaction without it, else a column for each level.
 * Fields are coded as covariates are (design/coding.h).  What does not vary in the training has no column, and so has a product with it. */
#ifndef GB_DESIGN_FORMULA_H
#define GB_DESIGN_FORMULA_H

#include "design/coding.h"

typedef struct gb_formula gb_formula;

typedef enum gb_term_kind { GB_TERM_CONSTANT, GB_TERM_FIXED, GB_TERM_SMOOTH, GB_TERM_RANDOM } gb_term_kind;

enum { GB_FORMULA_MOST_COLUMNS = 1 << 20 };

/** Columns first .. first + n - 1.  A random term has at most one entry in a document, which may be 0, and none in a document
 * whose level is new or missing. */
typedef struct gb_term {
    const char *name; /* "(intercept)", "party:year", "s(year)", "(1|author)" */
    gb_term_kind kind;
    size_t first, n; /* n > 0 */
} gb_term;

/**
 * The formula of a training.
 *
 * @param text      as gb_formula_text_read() takes it
 * @param corpus    the training documents, which have its fields, in any role
 * @param settings  min-level-count (not for groups of random effects), impute
 * @param out       free it with gb_formula_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (a malformed formula; a field of another kind), GB_EFORMAT (documents lack a field, or values; too many
 *         columns) or GB_ENOMEM
 */
gb_status gb_formula_make(gb_formula **out, const char *text, const gb_corpus *corpus, const gb_settings *settings,
                          gb_error *err);
void gb_formula_free(gb_formula *formula);

/** As it was given. */
const char *gb_formula_as_text(const gb_formula *formula);
size_t gb_formula_n_terms(const gb_formula *formula);
const gb_term *gb_formula_term(const gb_formula *formula, size_t term);
size_t gb_formula_n_columns(const gb_formula *formula);
/** "(intercept)", "party=Rep", "party=Rep:year", "s(year)[3]", "(1|author)=Smith". */
const char *gb_formula_column_name(const gb_formula *formula, size_t column);
/** Its fields, in the order of the text; the means of the coding's columns are those of the training documents. */
const gb_coding *gb_formula_coding(const gb_formula *formula);
/** Columns of the coding, of some training documents. */
const gb_sparse_columns *gb_formula_sample(const gb_formula *formula);
/** Its fields with the kinds that they had in training, as a formula: `prevalence` for the reading of new documents.
 * @param out  receives the text, free it with gb_free()
 * @return GB_OK or GB_ENOMEM */
gb_status gb_formula_fields(const gb_formula *formula, char **out, gb_error *err);
/** Whether groupings of random effects have the field, and no other term. */
bool gb_formula_only_groups(const gb_formula *formula, size_t field);
/** Whether a term has the bends of the field: s(x). */
bool gb_formula_bends(const gb_formula *formula, size_t field);
/** Whether a fixed or smooth term is a product of both fields. */
bool gb_formula_has_product(const gb_formula *formula, size_t field, size_t other);
/** The column of the coding that is the reference of a factor with contrasts: the most frequent level; SIZE_MAX for a field of another
 * kind, or without columns. */
size_t gb_formula_reference(const gb_formula *formula, size_t field);

/**
 * Columns of documents.  A new level of a random effect is no entry; gb_coding_list_new_levels() names them.
 *
 * @param settings   impute and unknown-level, for fixed and smooth terms
 * @param first_row  documents before the first one, for messages
 * @param out        clear it with gb_sparse_columns_clear(); untouched on failure
 * @return as gb_coding_apply()
 */
gb_status gb_formula_apply(const gb_formula *formula, const gb_corpus *corpus, const gb_settings *settings,
                           uint64_t first_row, gb_sparse_columns *out, gb_error *err);

/** The same for rows of the coding's columns: for documents as they would be with other fields.
 * @return GB_OK, GB_EFORMAT (a product out of range) or GB_ENOMEM */
gb_status gb_formula_expand(const gb_formula *formula, const gb_sparse_columns *x, gb_sparse_columns *out,
                            gb_error *err);

/** A new object, or NULL when memory runs out; free it with gb_formula_json_free(). */
json_t *gb_formula_to_json(const gb_formula *formula);
void gb_formula_json_free(void *object);
/** The opposite; nothing in the object is trusted.  @return GB_OK, GB_EFORMAT or GB_ENOMEM */
gb_status gb_formula_from_json(const json_t *object, gb_formula **out, gb_error *err);

#endif
