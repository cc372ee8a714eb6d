/* token/settle.c - passes towards the expected topics of a document's words. */
#include "base/memory.h"
#include "token/expected.h"

#include <string.h>

gb_status gb_settling_room_create(gb_settling_room *out, const gb_prior_setup *setup, gb_error *err)
{
    gb_status st;
    const char *what = "expected topics";
    *out = (gb_settling_room){0};
    GB_TRY(gb_alloc(&out->unit, setup->n_topics, sizeof *out->unit, what, err));
    GB_TRY(gb_alloc(&out->expected, setup->n_topics, sizeof *out->expected, what, err));
    if (setup->ops->documents->settle != NULL)
        GB_TRY(gb_alloc(&out->scratch, gb_prior_scratch(setup), sizeof *out->scratch, what, err));
done:
    return st;
}

void gb_settling_room_clear(gb_settling_room *room)
{
    gb_free(room->unit);
    gb_free(room->expected);
    gb_free(room->scratch);
    *room = (gb_settling_room){0};
}

static void add_counts(const gb_settling *s, size_t n_topics, double *sum)
{
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < n_topics; k++)
            sum[k] += (double)s->count[i] * (double)s->r[i * s->stride + k];
}

/* Weights of a prior that integrates proportions out: they rise by 1 with a token. */
static void take_base(const gb_settling *s, const gb_prior *prior, const gb_prior_document *document,
                      const double *scale, const double *expected)
{
    for (size_t k = 0; k < prior->n_topics; k++) {
        s->scale[k] = (float)scale[k];
        s->weight[k] = (float)(document->base[k] + expected[k]);
    }
}

/* Those of others, in units of what they rise by. */
static void take_rates(const gb_settling *s, const gb_prior *prior, const gb_prior_document *document,
                       const double *scale, const double *expected, gb_settling_room *room)
{
    prior->ops->documents->settle(prior, document, expected, room->unit, room->scratch);
    for (size_t k = 0; k < prior->n_topics; k++) {
        s->scale[k] = (float)(scale[k] * room->unit[k]);
        s->weight[k] = (float)(document->base[k] / room->unit[k]);
    }
}

void gb_settle(const gb_settling *s, gb_settle_words *settle, const gb_prior *prior,
               const gb_prior_document *document, const double *scale, double *expected, gb_settling_room *room)
{
    const bool by_rates = prior->ops->documents->settle != NULL;
    const int n_passes = gb_settling_passes(document->length) + (by_rates ? GB_SETTLING_MORE : 0);
    bool is_first = true;
    for (size_t k = 0; k < prior->n_topics; k++)
        is_first &= expected[k] == 0;
    memset(s->r, 0, s->n * s->stride * sizeof *s->r);
    if (!by_rates)
        take_base(s, prior, document, scale, expected);
    else if (is_first)
        take_rates(s, prior, document, scale, NULL, room);
    for (int i = 0; i < n_passes; i++) {
        memcpy(room->expected, expected, prior->n_topics * sizeof *expected);
        if (by_rates && !(is_first && i == 0)) {
            add_counts(s, prior->n_topics, room->expected);
            take_rates(s, prior, document, scale, room->expected, room);
        }
        settle(s);
    }
    add_counts(s, prior->n_topics, expected);
}
