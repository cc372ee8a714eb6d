/* folds/held_predictions.h - what the model of a part predicts for the documents of the part, kept when the model is gone. */
#ifndef GB_FOLDS_HELD_PREDICTIONS_H
#define GB_FOLDS_HELD_PREDICTIONS_H

#include "gibbous/apply.h"

/** One response. */
typedef struct gb_held_response {
    char *field;
    uint64_t n_classes; /* 0: a number */
    char **class_name;  /* n_classes */
    uint64_t first_output, n_outputs;
    bool has_probabilities;
    bool *has_class; /* n_docs x n_classes: of several labels; else NULL */
} gb_held_response;

typedef struct gb_held_predictions {
    gb_prediction *prediction; /* owned; NULL: there are none */
    uint64_t n_responses;
    gb_held_response *response;
} gb_held_predictions;

/** @param prediction  of that model; taken over, also on failure
 *  @param out         zeroed; clear it with gb_held_predictions_clear(), also on failure */
gb_status gb_held_predictions_make(const gb_model *model, gb_prediction *prediction, gb_held_predictions *out,
                                   gb_error *err);
void gb_held_predictions_clear(gb_held_predictions *predictions);

#endif
