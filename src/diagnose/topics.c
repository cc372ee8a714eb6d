/* diagnose/topics.c - which topics of the first chain recur in the others, and whether chains agree on their coefficients. */
#include "base/memory.h"
#include "diagnose/chance.h"
#include "diagnose/diagnosis.h"
#include "diagnose/series.h"
#include "model/empty_topics.h"
#include "model/match.h"

#include <math.h>

static const char what[] = "the diagnosis of topics";

/* A coefficient less the one of the average document. */
static double relative_coefficient(const gb_diagnose_source *s, size_t draw, size_t output, size_t topic)
{
    const double *eta = gb_source_coefficients(s, draw, output);
    return eta[topic] - gb_source_average(s, draw, eta);
}

/* The chains that have the topic, for one output of a draw.  @param match  NULL: of one chain */
static gb_status measure(const gb_diagnose_source *s, const gb_family *f, const gb_match *match, size_t topic,
                         size_t output, double *series, gb_mixing_room *room, gb_mixing *out, gb_error *err)
{
    size_t n_chains = 0;
    for (size_t c = 0; c < f->n_chains; c++) {
        const size_t own = match == NULL ? topic : gb_match_find(match, c, topic);
        for (size_t t = 0; own != GB_NO_MATCH && t < f->n_draws; t++)
            series[n_chains * f->n_draws + t] = relative_coefficient(s, f->first[c] + t, output, own);
        n_chains += own != GB_NO_MATCH;
    }
    return gb_mixing_in(room, n_chains, f->n_draws, series, out, err);
}

static gb_status add_topic(gb_diagnosis *d, const gb_diagnose_source *s, const gb_family *f, const gb_match *match,
                           size_t topic, double *series, gb_mixing_room *room, gb_error *err)
{
    gb_status st = GB_OK;
    gb_topic_diagnosis t = {.output = f->first_output,
                            .topic = topic,
                            .n_recur = match == NULL ? 1 : gb_match_count(match, topic),
                            .n_chains = match == NULL ? 1 : match->n_chains,
                            .mixing = gb_mixing_unknown(0, 0)};
    for (size_t l = 0; l < s->n_draw_outputs; l++) {
        gb_mixing mixing;
        GB_TRY(measure(s, f, match, topic, l, series, room, &mixing, err));
        if (l == 0 || mixing.r_hat > t.mixing.r_hat || (isnan(t.mixing.r_hat) && !isnan(mixing.r_hat)))
            t.mixing = mixing;
    }
    t.limit = gb_r_hat_limit(t.n_recur, f->n_draws, s->n_draw_outputs * s->n_topics);
    t.is_empty = f->first_output == 0 && gb_model_topic_is_empty(s->model, topic);
    if (t.is_empty) {
        t.n_recur = 0;
        t.mixing = gb_mixing_unknown(0, 0);
    }
    t.agrees = !(t.mixing.r_hat > t.limit);
    GB_TRY(gb_grow(&d->topic, &d->topic_capacity, d->n_topics + 1, sizeof *d->topic, what, err));
    d->topic[d->n_topics++] = t;
done:
    return st;
}

gb_status gb_diagnose_topics(gb_diagnosis *d, const gb_diagnose_source *s, const gb_families *families, gb_error *err)
{
    gb_status st = GB_OK;
    gb_match *match = NULL;
    double *series = NULL;
    gb_mixing_room room = {0};
    if (s->model == NULL)
        return GB_OK;
    GB_TRY(gb_alloc(&series, s->n_kept, sizeof *series, what, err));
    for (size_t f = 0; f < families->n; f++) {
        if (families->of[f].n_chains > 1) /* of many topics it takes long */
            GB_TRY(gb_model_match(s->model, families->of[f].first_output, &match, err));
        for (size_t k = 0; k < s->n_topics; k++)
            GB_TRY(add_topic(d, s, &families->of[f], match, k, series, &room, err));
        gb_match_free(match);
        match = NULL;
    }
done:
    gb_match_free(match);
    gb_free(series);
    gb_mixing_room_clear(&room);
    return st;
}
