/* corpus/data/formula_text.h - formulas of fields, as --prevalence takes them: "party * s(year) + (1|author)".
 *
 *     formula := ["~"] sum
 *     sum     := product {"+" product}
 *     product := chain {"*" chain}                    a * b is a + b + a:b
 *     chain   := item {":" item}                      a:b is the interaction alone
 *     item    := variable | "1" | "(" sum ")" | random
 *     random  := "(" sum "|" name {":" name} ")"      (1|g): a number for each level; (1 + x|g): a slope for each, too
 *     variable := name | number(name) | date(name) | factor(name) | list(name) | s(variable [, df = N])
 *     name    := letters, digits, "_" and "." | anything in backquotes
 *
 * The intercept is always there.  Here a formula is read as text: what its fields hold is known to design/formula.h. */
#ifndef GB_CORPUS_DATA_FORMULA_TEXT_H
#define GB_CORPUS_DATA_FORMULA_TEXT_H

#include "corpus/data/field.h"

enum {
    GB_FORMULA_MOST_BYTES = 4096,
    GB_FORMULA_MOST_VARIABLES = 64,
    GB_FORMULA_MOST_TERMS = 200,
    GB_SMOOTH_LEAST_DF = 4,
    GB_SMOOTH_MOST_DF = 100,
    GB_SMOOTH_DF = 10,
};

/** A field as terms have it.  s(x) is x, its straight line, and its bends: two variables. */
typedef struct gb_formula_variable {
    size_t field;     /* of the fields below */
    size_t smooth_df; /* of the bends of s(x): how many B-splines; 0: the field itself */
} gb_formula_variable;

/** Variables of a product: bit v is variable v. */
typedef uint64_t gb_variable_set;

/** The numbers of a variable set for each level of a grouping. */
typedef struct gb_random_text {
    gb_variable_set slope; /* 0: an intercept for each level */
    gb_variable_set group;
} gb_random_text;

typedef struct gb_formula_text {
    gb_field *field; /* in the order of the text; role PREVALENCE; kind AUTO where the formula does not say it */
    size_t n_fields;
    gb_formula_variable variable[GB_FORMULA_MOST_VARIABLES];
    size_t n_variables;
    gb_variable_set product[GB_FORMULA_MOST_TERMS]; /* not random; fewer variables first; each once */
    size_t n_products;
    gb_random_text random[GB_FORMULA_MOST_TERMS];
    size_t n_random;
} gb_formula_text;

/**
 * Read a formula.
 *
 * @param out  clear it with gb_formula_text_clear(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (says where, and what would do) or GB_ENOMEM
 */
gb_status gb_formula_text_read(const char *text, gb_formula_text *out, gb_error *err);
void gb_formula_text_clear(gb_formula_text *formula);

/** Add a field with its kind to a formula that names fields only: "factor(`party`) + number(`year`)".
 * @param kind  not AUTO
 * @param text  "" or NULL before the first; ends in NUL
 * @return GB_OK or GB_ENOMEM */
gb_status gb_formula_text_add(gb_bytes *text, const char *name, gb_field_kind kind, gb_error *err);

/** Whether a grouping of random effects has the field, and no other term. */
bool gb_formula_text_only_groups(const gb_formula_text *formula, size_t field);

#endif
