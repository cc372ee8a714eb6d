/* design/coding_private.h - what is in a coding, for coding.c, coding_apply.c and coding_json.c. */
#ifndef GB_DESIGN_CODING_PRIVATE_H
#define GB_DESIGN_CODING_PRIVATE_H

#include "design/coding.h"

typedef enum gb_covariate_kind { GB_COVARIATE_NUMBER, GB_COVARIATE_FACTOR, GB_COVARIATE_LIST } gb_covariate_kind;

#define GB_RARE_LEVEL "(rare)"

/** Names, all different and sorted by bytes. */
typedef struct gb_level_list {
    size_t count;
    char **name;
} gb_level_list;

typedef struct gb_coding_field {
    char *name;
    gb_covariate_kind kind;
    double mean, centre,
        scale;        /* number; mean of those that are not missing; scale 0: it does not vary, and has no column */
    double low, high; /* number: the least and the greatest of the training; NaN: not known */
    gb_level_list levels, rare; /* factor and list: with a column each, and those that share one; disjoint */
    bool takes_new_levels;      /* a level that training did not have is no error */
    gb_level_list constant;     /* levels without a column: all training documents have them; disjoint from those */
    size_t first_column, n_columns;
} gb_coding_field;

struct gb_coding {
    gb_embedding_coding embedding; /* after the columns of fields */
    gb_word_coding words;          /* after those of the embedding */
    gb_coding_field word_field;    /* what they are like */
    bool has_words;                /* also before they have their numbers */
    bool impute_mean;
    size_t n_fields;
    gb_coding_field *field;
    size_t n_columns;    /* of fields */
    char **column_name;  /* n_columns, then those of the embedding */
    double *column_mean; /* n_columns */
    char *fields;        /* as --covariates takes them */
};

/** "number", "factor" or "list". */
const char *gb_covariate_kind_name(gb_covariate_kind kind);

/** The name's place in the list, or its length if it is not there. */
size_t gb_level_list_find(const gb_level_list *list, const char *text, size_t length);

/** Number the columns and give them names, once the fields are known; GB_EFORMAT when there are too many. */
gb_status gb_coding_finish(gb_coding *coding, gb_error *err);

/** GB_EFORMAT if documents lack covariates: how many lack each, and the first few.  @param first_row  documents before them */
gb_status gb_coding_check_missing(const gb_coding *coding, const gb_corpus *corpus, uint64_t first_row,
                                  gb_error *err);

#endif
