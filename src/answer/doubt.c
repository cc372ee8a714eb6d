/* answer/doubt.c - what must not be believed of effects in the training. */
#include "answer/doubt.h"

#include "gibbous/effects.h"
#include "gibbous/estimate.h"
#include "store/json_text.h"

#include <string.h>

#define BETTER "; train with `estimate-on` 0.5 or `cross-fit` 5 for intervals that hold"

/* A two-stage training has topics that no label has shaped. */
static gb_status find_shaping(const gb_model *model, bool *labels_shaped_topics, gb_error *err)
{
    json_t *settings = NULL;
    const char *text = gb_model_settings(model);
    const gb_status st = gb_json_parse(text, strlen(text), 0, &settings, NULL, err);
    const char *two_stage = json_string_value(json_object_get(settings, "two-stage"));
    *labels_shaped_topics = two_stage == NULL || strcmp(two_stage, "yes") != 0;
    json_decref(settings);
    return st;
}

gb_status gb_find_doubt(const gb_model *model, const char **out, gb_error *err)
{
    bool labels_shaped_topics;
    const gb_status st = find_shaping(model, &labels_shaped_topics, err);
    const bool has_embeddings =
        gb_model_n_embedding_columns(model) > 0; /* then there are no estimates on other documents */
    const bool is_pseudo = gb_model_has_pseudo_posterior(model);
    *out = "";
    if (is_pseudo)
        *out = has_embeddings ? "these intervals are of a pseudo-posterior and too narrow"
                              : "these intervals are of a pseudo-posterior and too narrow" BETTER;
    else if (labels_shaped_topics)
        *out = has_embeddings ? "the labels shaped these topics, so the intervals of topics are too narrow"
                              : "the labels shaped these topics, so these intervals are too narrow" BETTER;
    return st;
}
