/* apply/named_prediction.h - a prediction with the names that its model knew, for when the model is gone. */
#ifndef GB_APPLY_NAMED_PREDICTION_H
#define GB_APPLY_NAMED_PREDICTION_H

#include "gibbous/apply.h"

/** One response. */
typedef struct gb_named_response {
    char *field;
    uint64_t n_classes; /* 0: a number */
    char **class_name;  /* n_classes */
    uint64_t first_output, n_outputs;
    bool has_probabilities;
    bool *has_class; /* n_docs x n_classes: of several labels; else NULL */
} gb_named_response;

typedef struct gb_named_prediction {
    const gb_prediction *prediction; /* borrowed; NULL: there is none */
    uint64_t n_responses;
    gb_named_response *response;
} gb_named_prediction;

/** @param prediction  of that model; borrowed
 *  @param out         zeroed; clear it with gb_named_prediction_clear(), also on failure */
gb_status gb_named_prediction_make(const gb_model *model, const gb_prediction *prediction, gb_named_prediction *out,
                                   gb_error *err);
void gb_named_prediction_clear(gb_named_prediction *named);

#endif
