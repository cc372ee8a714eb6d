/* evaluation/subgroups.h - scores of the documents that have one value of a field, such as those of one party. */
#ifndef GB_EVALUATION_SUBGROUPS_H
#define GB_EVALUATION_SUBGROUPS_H

#include "corpus/data/corpus.h"
#include "evaluation/pool.h"

/** More values than this are no subgroups. */
enum { GB_MOST_SUBGROUPS = 1000 };

/** Which document has which values of a field; starts zeroed. */
typedef struct gb_subgroups {
    char *field;
    size_t n_values, value_room;
    char **value; /* n_values, in the order in which they were met */
    size_t n, room;
    struct gb_subgroup_member {
        uint64_t doc;
        size_t value;
    } * member; /* n */
} gb_subgroups;

gb_status gb_subgroups_start(gb_subgroups *subgroups, const char *field, gb_error *err);
void gb_subgroups_clear(gb_subgroups *subgroups);

/** Note the values of documents.  @param first  number of the first of them
 * @return GB_OK, GB_EFORMAT (they lack the field, it holds numbers, or there are too many values) or GB_ENOMEM */
gb_status gb_subgroups_add(gb_subgroups *subgroups, uint64_t first, const gb_corpus *docs, gb_error *err);

/** The values of a field in any of several evaluations.
 * @param field  number of the field, below gb_evaluation_n_subgroup_fields() of each
 * @param value  receives n_values texts in order, which the evaluations own; free the list with gb_free() */
gb_status gb_subgroup_values(size_t n_parts, gb_evaluation *const *part, size_t field, const char ***value,
                             size_t *n_values, gb_error *err);

/** Score the documents of several evaluations that have this value; NULL: all of them.
 * @param n_docs  receives how many there are
 * @param out     clear it with gb_pooled_clear(), also on failure */
gb_status gb_subgroup_score(size_t n_parts, gb_evaluation *const *part, size_t field, const char *value,
                            uint64_t *n_docs, gb_pooled *out, gb_error *err);

#endif
