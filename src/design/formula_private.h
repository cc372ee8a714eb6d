/* design/formula_private.h - what is in a formula, for formula.c, formula_terms.c and formula_expand.c. */
#ifndef GB_DESIGN_FORMULA_PRIVATE_H
#define GB_DESIGN_FORMULA_PRIVATE_H

#include "corpus/data/formula_text.h"
#include "design/coding_private.h"
#include "design/formula.h"
#include "design/smooth.h"

/** A variable in a term, and how many columns it has there. */
typedef struct gb_term_variable {
    size_t variable;
    size_t width;
    bool has_contrasts; /* a factor without its reference */
} gb_term_variable;

/** A term's columns are products of those of its variables, the last one changing first. */
typedef struct gb_term_plan {
    gb_term_variable *variable; /* none: the constant */
    size_t n_variables;
    size_t n_slopes; /* of a random term: those before its grouping */
} gb_term_plan;

struct gb_formula {
    char *text;
    gb_formula_text parsed; /* its field i is field i of the coding */
    gb_coding *coding;
    gb_smooth smooth[GB_FORMULA_MOST_VARIABLES]; /* of variables that are bends and vary */
    size_t *reference;                           /* of each field: a column of the coding, or SIZE_MAX */
    size_t n_terms;
    gb_term *term;
    gb_term_plan *plan;
    size_t n_columns;
    char **column_name;
    gb_sparse_columns sample; /* columns of the coding, of some training documents */
};

/** Rows of x that lie at equal distances, at most so many.  @param out  clear it with gb_sparse_columns_clear() */
gb_status gb_formula_take_sample(const gb_sparse_columns *x, gb_sparse_columns *out, gb_error *err);
/** A new list, or NULL when memory runs out. */
json_t *gb_formula_sample_to_json(const gb_sparse_columns *sample);
/** The opposite; nothing in the list is trusted.  @return GB_OK, GB_EFORMAT or GB_ENOMEM */
gb_status gb_formula_sample_from_json(const json_t *list, size_t n_columns, gb_sparse_columns *out, gb_error *err);

/** Terms, columns and their names, once text and coding are there.  @return GB_OK, GB_EFORMAT or GB_ENOMEM */
gb_status gb_formula_plan(gb_formula *formula, gb_error *err);

#endif
