/* apply/named_prediction.c - a prediction with the names that its model knew. */
#include "apply/named_prediction.h"

#include "base/memory.h"

#include <string.h>

static const char what[] = "a prediction";

static gb_status make_response(const gb_model *model, const gb_prediction *p, uint64_t r, gb_named_response *out,
                               gb_error *err)
{
    gb_status st;
    const char *field = gb_model_field(model, r);
    out->n_classes = gb_model_n_classes(model, r);
    out->first_output = gb_model_first_output(model, r);
    out->n_outputs = gb_model_n_outputs_of(model, r);
    out->has_probabilities = gb_model_has_probabilities(model, r);
    GB_TRY(gb_copy_text(&out->field, field, strlen(field), err));
    GB_TRY(gb_alloc(&out->class_name, out->n_classes, sizeof *out->class_name, what, err));
    for (uint64_t c = 0; c < out->n_classes; c++) {
        const char *name = gb_model_class(model, r, c);
        GB_TRY(gb_copy_text(&out->class_name[c], name, strlen(name), err));
    }
    if (gb_model_task(model, r) != GB_TASK_MULTILABEL)
        return GB_OK;
    GB_TRY(gb_alloc(&out->has_class, p->n_docs * out->n_classes, sizeof *out->has_class, what, err));
    for (uint64_t d = 0; d < p->n_docs; d++)
        gb_prediction_classes(model, p, r, d, out->has_class + d * out->n_classes);
done:
    return st;
}

gb_status gb_named_prediction_make(const gb_model *model, const gb_prediction *prediction, gb_named_prediction *out,
                                   gb_error *err)
{
    gb_status st;
    out->prediction = prediction;
    GB_TRY(gb_alloc(&out->response, prediction->n_responses, sizeof *out->response, what, err));
    out->n_responses = prediction->n_responses;
    for (uint64_t r = 0; r < out->n_responses; r++)
        GB_TRY(make_response(model, prediction, r, &out->response[r], err));
done:
    return st;
}

void gb_named_prediction_clear(gb_named_prediction *h)
{
    for (uint64_t r = 0; r < h->n_responses; r++) {
        gb_named_response *one = &h->response[r];
        for (uint64_t c = 0; one->class_name != NULL && c < one->n_classes; c++)
            gb_free(one->class_name[c]);
        gb_free(one->class_name);
        gb_free(one->field);
        gb_free(one->has_class);
    }
    gb_free(h->response);
    *h = (gb_named_prediction){.prediction = NULL};
}
