/* cli/scores_output.h - scores as text or JSON. */
#ifndef GB_CLI_SCORES_OUTPUT_H
#define GB_CLI_SCORES_OUTPUT_H

#include "common.h"

/** A section of scores as an object; NULL when memory runs out.
 *
 * @param method  of the held-out likelihood, which becomes the first member; NULL for a response */
json_t *cli_section_to_json(const gb_score_table *table, uint64_t section, const char *method);

/** The scores of linear models as the member "linear" of their section; nothing if `table` is NULL or has no such section. */
void cli_add_linear(json_t *object, const gb_score_table *table, uint64_t section);

/** The scores by topics alone as the member "topics_alone" of their section; nothing if `table` is NULL. */
void cli_add_alone(json_t *object, const gb_score_table *table, uint64_t section);
/** The most telling of them in a line on standard output; nothing if `table` is NULL. */
void cli_print_alone(const gb_score_table *table, uint64_t section);

/** Below the tables, what "linear" in them means. */
void cli_print_what_is_linear(void);

/** A section on standard output, one line for each score, with those of linear models beside; `any_size`: they may be very large
 * or small.
 *
 * @param linear  NULL: there are none */
void cli_print_section(const gb_score_table *table, const gb_score_table *linear, uint64_t section, bool any_size);

/** A response as one object: scores, then for classes what each class has, then the scores of linear models unless they are NULL. */
gb_status cli_response_to_json(const gb_evaluation *evaluation, const gb_score_table *linear, const gb_model *model,
                               uint64_t index, json_t **out, gb_error *err);

/** A response on standard output: scores, then for classes one row per class, how far probabilities can be believed, and the
 * counts of true against predicted class. */
gb_status cli_print_response(const gb_evaluation *evaluation, const gb_score_table *linear, const gb_model *model,
                             uint64_t index, gb_error *err);

#endif
