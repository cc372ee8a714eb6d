/* train/keep.c - keep the state of a chain as a posterior draw. */
#include "train/keep.h"

#include "base/memory.h"
#include "coefficient/shrinkage.h"

#include <string.h>

static gb_status keep_shrinkage(const gb_chain *c, gb_draw *draw, gb_error *err)
{
    const size_t n = c->spec->n_outputs * (c->spec->n_topics + c->spec->n_columns);
    gb_status st = gb_alloc(&draw->shrinkage, n, sizeof *draw->shrinkage, "a posterior draw", err);
    if (st != GB_OK)
        return st;
    return gb_coefficient_shrinkage(&c->scales, &c->z, c->spec->n_columns > 0 ? &c->spec->x : NULL, c->term,
                                    draw->shrinkage, err);
}

gb_status gb_keep_draw(gb_model *model, size_t i, const gb_chain *c, size_t first_output, double log_joint,
                       gb_error *err)
{
    gb_status st;
    const gb_topics *t = &c->topics;
    gb_draw *draw = &model->draw[i];
    uint16_t *topic = NULL;
    uint32_t *count = NULL;
    GB_TRY(gb_alloc(&topic, t->stride, sizeof *topic, "a posterior draw", err));
    GB_TRY(gb_alloc(&count, t->stride, sizeof *count, "a posterior draw", err));
    draw->chain = c->number;
    draw->sweep = c->sweep;
    draw->log_joint = log_joint;
    draw->first_output = first_output;
    draw->n_outputs = c->spec->n_outputs;
    uint64_t n_entries = 0;
    for (uint64_t w = 0; w < t->n_words; w++)
        n_entries += gb_rows_nonzero(&t->rows, w, topic, count);
    GB_TRY(gb_model_make_draw(model, i, n_entries, err));
    for (uint64_t w = 0; w < t->n_words; w++) {
        const uint64_t start = draw->word_start[w];
        const size_t n = gb_rows_nonzero(&t->rows, w, topic, count);
        memcpy(draw->topic + start, topic, n * sizeof *topic);
        memcpy(draw->count + start, count, n * sizeof *count);
        draw->word_start[w + 1] = start + n;
    }
    gb_prior_values_copy(&c->prior.values, &draw->prior);
    if (c->spec->n_outputs > 0)
        memcpy(draw->eta, c->eta, c->spec->n_outputs * gb_spec_n_features(c->spec) * sizeof *draw->eta);
    for (size_t i_own = 0; i_own < c->spec->n_own; i_own++)
        draw->own[i_own] = c->own[i_own];
    if (c->scales.prior != NULL && c->scales.prior->ops->shrinks)
        GB_TRY(keep_shrinkage(c, draw, err));
    gb_draw_count_topics(draw, t->n_words, t->n_topics);
done:
    gb_free(topic);
    gb_free(count);
    return st;
}
