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
};

/** Terms, columns and their names, once text and coding are there.  @return GB_OK, GB_EFORMAT or GB_ENOMEM */
gb_status gb_formula_plan(gb_formula *formula, gb_error *err);

#endif
