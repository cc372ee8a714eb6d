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

enum { SHOWN_PARTS = 5 };

void gb_note_lost(gb_table *table, const gb_held_parts *parts)
{
    size_t n = 0;
    for (size_t i = 0; i < parts->n; i++) {
        const gb_held_part *p = &parts->part[i];
        if (p->lost == NULL || *p->lost == '\0' || n++ >= SHOWN_PARTS)
            continue;
        gb_table_add_note(table, GB_NOTE_REMARK,
                          "without part %s all documents are alike in %s, whose coefficient is 0 there", p->name,
                          p->lost);
    }
    if (n > SHOWN_PARTS)
        gb_table_add_note(table, GB_NOTE_REMARK, "the same without %zu other parts", n - SHOWN_PARTS);
}
