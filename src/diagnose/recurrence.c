/* diagnose/recurrence.c - what several chains of a model have in common. */
#include "diagnose/recurrence.h"

#include "base/memory.h"
#include "diagnose/source.h"
#include "model/empty_topics.h"
#include "model/lead.h"
#include "model/match.h"
#include "model/seed_shares.h"

#include <math.h>
#include <stdlib.h>

static const char what[] = "what chains have in common";

/* ---- which topics ---- */

static bool numbers_are_of_short_chains(const gb_model *m)
{
    return gb_model_n_pooled(m) > 0 && gb_model_topic_chain(m) == 0;
}

gb_status gb_topic_recurs(const gb_model *m, size_t output, size_t topic, size_t *n, size_t *n_chains, gb_error *err)
{
    const gb_match *match;
    if (numbers_are_of_short_chains(m)) {
        *n = (size_t)gb_model_n_found(m, topic);
        *n_chains = (size_t)gb_model_n_pooled(m);
        return GB_OK;
    }
    const gb_status st = gb_model_matched(m, output, &match, err);
    if (st == GB_OK) {
        *n = gb_match_count(match, topic);
        *n_chains = match->n_chains;
    }
    return st;
}

size_t gb_enough_chains(const gb_model *m, size_t n_chains)
{
    return numbers_are_of_short_chains(m) ? n_chains - n_chains / 8 : n_chains;
}

/* ---- means of chains ---- */

/* By the numbers of the leading chain's topics; topics that recur only. */
typedef struct chain_means {
    const gb_match *match;
    size_t n_chains, n_topics, width; /* width: the share, then coefficients less that of the average document */
    size_t *
        own; /* n_chains x n_topics: its topic; GB_NO_MATCH: the topic is not in all chains, by the match and by gb_topic_recurs() */
    double *of; /* n_chains x n_topics x width */
} chain_means;

static void clear(chain_means *x)
{
    gb_free(x->own);
    gb_free(x->of);
}

static bool recurs(const chain_means *x, size_t topic)
{
    return x->own[topic] != GB_NO_MATCH;
}

static double *mean_of(const chain_means *x, size_t chain, size_t topic)
{
    return x->of + (chain * x->n_topics + topic) * x->width;
}

static gb_status find_recurring(chain_means *x, const gb_model *m, size_t output, gb_error *err)
{
    gb_status st = gb_alloc(&x->own, x->n_chains * x->n_topics, sizeof *x->own, what, err);
    for (size_t k = 0; st == GB_OK && k < x->n_topics; k++) {
        size_t n, n_chains;
        st = gb_topic_recurs(m, output, k, &n, &n_chains, err);
        const bool is_in_all = st == GB_OK && n >= gb_enough_chains(m, n_chains) &&
                               gb_match_count(x->match, k) == x->n_chains &&
                               !(output == 0 && gb_model_topic_is_empty(m, k));
        for (size_t c = 0; c < x->n_chains; c++)
            x->own[c * x->n_topics + k] = is_in_all ? gb_match_find(x->match, c, k) : GB_NO_MATCH;
    }
    return st;
}

/* One more draw of a chain, its n-th. */
static void add_draw(chain_means *x, const gb_diagnose_source *s, size_t draw, size_t chain, size_t first, double n)
{
    const double *share = gb_source_value(s, draw, GB_SHARE);
    const size_t *own = x->own + chain * x->n_topics;
    for (size_t k = 0; k < x->n_topics; k++)
        if (own[k] != GB_NO_MATCH)
            *mean_of(x, chain, k) += (share[own[k]] - *mean_of(x, chain, k)) / n;
    for (size_t l = 0; l + 1 < x->width; l++) {
        const double *eta = gb_source_coefficients(s, draw, first + l), average = gb_source_average(s, draw, eta);
        for (size_t k = 0; k < x->n_topics; k++) {
            double *mean = mean_of(x, chain, k) + 1 + l;
            if (own[k] != GB_NO_MATCH)
                *mean += (eta[own[k]] - average - *mean) / n;
        }
    }
}

/* @param output  whose topics they are  @param first, n  outputs of a draw
 * @param x       clear() it, also on failure */
static gb_status find_means(const gb_model *m, size_t output, size_t first, size_t n, chain_means *x, gb_error *err)
{
    gb_status st;
    double n_draws = 0;
    const gb_diagnose_source s = gb_source_of_model(m);
    *x = (chain_means){.n_topics = m->n_topics, .width = 1 + n};
    GB_TRY(gb_model_matched(m, output, &x->match, err));
    x->n_chains = x->match->n_chains;
    GB_TRY(find_recurring(x, m, output, err));
    GB_TRY(gb_alloc(&x->of, x->n_chains * x->n_topics, x->width * sizeof *x->of, what, err));
    for (size_t i = 0; i < m->n_kept; i++) {
        const size_t chain = gb_match_chain(x->match, m->kept[i].chain);
        if (chain == x->n_chains)
            continue;
        n_draws = i > 0 && m->kept[i].chain == m->kept[i - 1].chain ? n_draws + 1 : 1;
        add_draw(x, &s, i, chain, first, n_draws);
    }
done:
    return st;
}

/* ---- how far they are apart ---- */

/* Over the chains, of number `at` of a topic. */
static void over_chains(const chain_means *x, size_t topic, size_t at, double *mean, double *sd)
{
    const double n = (double)x->n_chains;
    double square = 0;
    *mean = 0;
    for (size_t c = 0; c < x->n_chains; c++)
        *mean += mean_of(x, c, topic)[at] / n;
    for (size_t c = 0; c < x->n_chains; c++)
        square += (mean_of(x, c, topic)[at] - *mean) * (mean_of(x, c, topic)[at] - *mean);
    *sd = n > 1 ? sqrt(square / (n - 1)) : 0;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(size_t n, double *x)
{
    if (n == 0)
        return NAN;
    qsort(x, n, sizeof *x, ascending);
    return 0.5 * (x[(n - 1) / 2] + x[n / 2]);
}

/* ---- topics ---- */

static gb_status count(const gb_model *m, size_t output, gb_recurrence *r, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t k = 0; k < m->n_topics; k++) {
        size_t n;
        if (output == 0 && gb_model_topic_is_empty(m, k)) {
            r->n_empty++;
            continue;
        }
        GB_TRY(gb_topic_recurs(m, output, k, &n, &r->n_chains, err));
        if (gb_model_is_seeded(m, k)) {
            r->n_named++;
            continue;
        }
        r->n_enough = gb_enough_chains(m, r->n_chains);
        r->n_topics++;
        r->n_all += n >= r->n_enough;
        r->n_some += n > 1 && n < r->n_enough;
        r->n_one += n <= 1 && n < r->n_enough;
        r->share += n >= r->n_enough ? gb_model_topic_share(m, k) : 0;
    }
done:
    return st;
}

static gb_status find_spread(const gb_model *m, double *out, gb_error *err)
{
    gb_status st;
    size_t n = 0;
    chain_means x = {0};
    double *spread = NULL, mean, sd;
    GB_TRY(find_means(m, 0, 0, 0, &x, err));
    GB_TRY(gb_alloc(&spread, x.n_topics, sizeof *spread, what, err));
    for (size_t k = 0; k < x.n_topics; k++) {
        if (!recurs(&x, k))
            continue;
        over_chains(&x, k, 0, &mean, &sd);
        spread[n++] = sd / mean;
    }
    *out = median(n, spread);
done:
    clear(&x);
    gb_free(spread);
    return st;
}

gb_status gb_recurrence_find(const gb_model *m, gb_recurrence *out, gb_error *err)
{
    gb_status st = GB_OK;
    const bool is_split = m->n_draw_outputs < m->n_outputs;
    *out = (gb_recurrence){.n_chains = 1, .share = NAN, .spread = NAN};
    if (gb_model_n_chains_of_topics(m) < 2) /* a match of many topics takes long */
        return GB_OK;
    out->are_of_short_chains = numbers_are_of_short_chains(m);
    out->share = 0;
    for (size_t l = 0; l < (is_split ? m->n_outputs : 1); l++)
        GB_TRY(count(m, l, out, err));
    if (is_split)
        out->share = NAN;
    else if (out->n_chains > 1)
        GB_TRY(find_spread(m, &out->spread, err));
done:
    return st;
}

/* ---- effects ---- */

/* The output that a topic of a chain speaks for. */
static size_t spoken_for(const chain_means *x, size_t chain, size_t topic)
{
    const double *eta = mean_of(x, chain, topic) + 1;
    size_t at = 0;
    for (size_t l = 1; l + 1 < x->width; l++)
        at = eta[l] > eta[at] ? l : at;
    return at;
}

/* @param spread  receives it if they agree */
static bool chains_agree(const chain_means *x, size_t topic, double *spread)
{
    double mean, sd;
    const size_t at = spoken_for(x, 0, topic);
    over_chains(x, topic, 1 + at, &mean, &sd);
    for (size_t c = 0; c < x->n_chains; c++)
        if (spoken_for(x, c, topic) != at || mean_of(x, c, topic)[1 + at] * mean < 0)
            return false;
    *spread = sd / fabs(mean);
    return fabs(mean) > sd;
}

/* The outputs of one response, or with one-vs-rest topics of a class. */
static gb_status add_effects(const gb_model *m, size_t output, size_t first, size_t n, double *spread,
                             gb_effect_agreement *out, gb_error *err)
{
    chain_means x = {0};
    const gb_status st = find_means(m, output, first, n, &x, err);
    for (size_t k = 0; st == GB_OK && k < x.n_topics; k++) {
        if (!recurs(&x, k))
            continue;
        out->n_topics++;
        out->n_agree += chains_agree(&x, k, &spread[out->n_agree]);
    }
    clear(&x);
    return st;
}

gb_status gb_effects_agree(const gb_model *m, size_t response, gb_effect_agreement *out, gb_error *err)
{
    gb_status st;
    double *spread = NULL;
    const gb_response *r = &m->target[response].response;
    const bool is_split = m->n_draw_outputs < m->n_outputs;
    *out = (gb_effect_agreement){0};
    GB_TRY(gb_alloc(&spread, m->n_topics * (is_split ? m->n_outputs : 1) + 1, sizeof *spread, what, err));
    if (!is_split)
        GB_TRY(add_effects(m, 0, r->first_output, r->n_outputs, spread, out, err));
    for (size_t l = 0; is_split && l < m->n_outputs; l++)
        GB_TRY(add_effects(m, l, 0, 1, spread, out, err));
    out->spread = median(out->n_agree, spread);
done:
    gb_free(spread);
    return st;
}
