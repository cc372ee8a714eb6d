/* answer/scores.c - how scores are called. */
#include "answer/scores.h"

uint64_t gb_response_of_output(const gb_model *model, uint64_t output)
{
    uint64_t r = 0;
    while (output >= gb_model_first_output(model, r) + gb_model_n_outputs_of(model, r))
        r++;
    return r;
}

bool gb_is_last_output(const gb_model *model, uint64_t output)
{
    const uint64_t r = gb_response_of_output(model, output);
    return output + 1 == gb_model_first_output(model, r) + gb_model_n_outputs_of(model, r);
}

void gb_put_classified(gb_table *table, const gb_evaluation *evaluation, gb_put_truth *put)
{
    for (uint64_t i = 0; i < gb_evaluation_n_responses(evaluation); i++) {
        const gb_truth *truth = gb_evaluation_truth(evaluation, i);
        if (truth->scores != NULL)
            put(table, gb_evaluation_model(evaluation), truth);
    }
}
