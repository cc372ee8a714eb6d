/* cli/scores_output.h - the scores of one response, as text or JSON. */
#ifndef GB_CLI_SCORES_OUTPUT_H
#define GB_CLI_SCORES_OUTPUT_H

#include "evaluation/number_scores.h"
#include "evaluation/scores.h"

#include <jansson.h>
#include <stdbool.h>

/** What evaluate found out about one response; all borrowed. */
typedef struct cli_scored_response {
    const char *name;      /* of the field with the truth; NULL where it goes without saying: one response only */
    uint64_t n_unlabelled; /* documents left out because the field is missing */
    /* ---- classes ---- */
    gb_scores *scores; /* NULL for numbers */
    gb_scores_task task;
    uint64_t n_classes;
    const char *const *class; /* their names */
    /* ---- numbers ---- */
    const gb_number_scores *numbers; /* NULL for classes */
} cli_scored_response;

/** The single scores, as an object; NULL when memory runs out. */
json_t *cli_scores_summary(const cli_scored_response *response);

/** An object of numbers on standard output, one line each; `any_size`: they may be very large or small. */
void cli_print_summary(const json_t *summary, bool any_size);

/** On standard output: the name as a heading if there is one, scores, then for classes one row per class, how far
 * probabilities can be believed, and the counts of true against predicted class. */
void cli_print_scores(const cli_scored_response *response);

/** The same as one object, without the name; NULL when memory runs out. */
json_t *cli_scores_to_json(const cli_scored_response *response);

#endif
