/* cli/effect_rows.c - the rows that `effects` shows: coefficients of each score, and own parameters of responses. */
#include "effect_rows.h"

#include "topic_unions.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cli_effect_rows_clear(cli_effect_rows *e)
{
    for (uint64_t k = 0; e->words != NULL && k < e->n_topics; k++)
        gb_free(e->words[k]);
    for (uint64_t k = 0; e->title != NULL && k < e->n_topics; k++)
        gb_free(e->title[k]);
    gb_free(e->words);
    gb_free(e->title);
    gb_free(e->effect);
    gb_free(e->posterior);
    gb_free(e->cross);
    gb_free(e->word);
    gb_free(e->probability);
}

/* Folds keep no draws, without which nothing is known of a union. */
static bool has_unions(const cli_effect_rows *e)
{
    return e->n_folds == 0 && gb_model_has_topic_unions(e->trained);
}

static gb_status title_topic(cli_effect_rows *e, uint64_t k, gb_error *err)
{
    char number[24];
    if (has_unions(e))
        return cli_union_title(e->trained, k, &e->title[k], err);
    (void)snprintf(number, sizeof number, "%" PRIu64, k + 1);
    return cli_copy_text(&e->title[k], number, strlen(number), err);
}

gb_status cli_effect_rows_make(cli_effect_rows *e, const gb_model *trained, const gb_estimate *estimate,
                               uint64_t n_words, gb_error *err)
{
    gb_status st;
    const char *what = "the effects";
    const gb_model *model = estimate == NULL ? trained : gb_estimate_model(estimate);
    *e = (cli_effect_rows){.model = model,
                           .trained = trained,
                           .estimate = estimate,
                           .n_topics = gb_model_n_topics(model),
                           .n_columns = gb_model_n_columns(model),
                           .n_folds = estimate == NULL ? gb_model_n_folds(model) : 0};
    e->n_words = n_words < gb_model_n_words(model) ? n_words : gb_model_n_words(model);
    CLI_TRY(cli_alloc(&e->effect, e->n_topics + e->n_columns + 1, sizeof *e->effect, what, err));
    CLI_TRY(cli_alloc(&e->posterior, e->n_topics + e->n_columns + 1, sizeof *e->posterior, what, err));
    CLI_TRY(cli_alloc(&e->cross, e->n_topics + e->n_columns + 1, sizeof *e->cross, what, err));
    CLI_TRY(cli_alloc(&e->words, e->n_topics, sizeof *e->words, what, err));
    CLI_TRY(cli_alloc(&e->title, e->n_topics, sizeof *e->title, what, err));
    for (uint64_t k = 0; k < e->n_topics; k++)
        CLI_TRY(title_topic(e, k, err));
    CLI_TRY(cli_alloc(&e->word, e->n_topics * e->n_words, sizeof *e->word, what, err));
    CLI_TRY(cli_alloc(&e->probability, e->n_topics * e->n_words, sizeof *e->probability, what, err));
done:
    return st;
}

/* Words of the topics of an output.  They change only where outputs have chains of their own. */
static gb_status find_words(cli_effect_rows *e, uint64_t output, gb_error *err)
{
    gb_status st;
    uint64_t n;
    e->output = output;
    if (has_unions(e))
        CLI_TRY(
            gb_model_rank_union_words(e->trained, "probability", NAN, e->n_words, e->word, e->probability, &n, err));
    else
        CLI_TRY(gb_model_words_of_topics(e->trained, e->estimate == NULL ? output : 0, e->n_words, e->word,
                                         e->probability, &n, err));
    for (uint64_t k = 0; k < e->n_topics; k++) {
        gb_free(e->words[k]);
        e->words[k] = NULL;
        CLI_TRY(cli_join_words(e->trained, e->word + k * e->n_words, n, &e->words[k], err));
    }
done:
    return st;
}

const char *cli_name_of_topic(const cli_effect_rows *e, uint64_t topic)
{
    const bool has_own = gb_model_is_one_vs_rest(e->trained) && e->estimate == NULL;
    if (has_own && e->output > 0)
        return "";
    return has_unions(e) ? gb_model_union_name(e->trained, topic) : gb_model_topic_name(e->trained, topic);
}

bool cli_has_reliability(const cli_effect_rows *e)
{
    return e->estimate != NULL || e->n_folds > 0;
}

uint64_t cli_n_blocks(const cli_effect_rows *e)
{
    return cli_has_reliability(e) ? 0 : gb_model_n_blocks(e->model);
}

/* NaN for what is no topic. */
static double reliability_of(const cli_effect_rows *e, uint64_t feature)
{
    return e->estimate != NULL && feature < e->n_topics ? gb_estimate_reliability(e->estimate, feature) : NAN;
}

static cli_effect_row from_folds(const gb_cross_effect *cross, uint64_t feature)
{
    return (cli_effect_row){feature, cross->posterior, cross->reliability, cross->between, cross->n_folds};
}

/* The topics that lists have: a union in place of its topics, at the number of the first. */
static gb_status unite(cli_effect_rows *e, uint64_t output, uint64_t *n, gb_error *err)
{
    gb_status st;
    uint64_t *topics = NULL, n_kept = 0;
    CLI_TRY(cli_alloc(&topics, e->n_topics, sizeof *topics, "the effects", err));
    for (uint64_t j = 0; j < *n; j++) {
        const uint64_t k = e->effect[j].feature;
        if (k < e->n_topics && !cli_is_listed(e->trained, k))
            continue;
        e->effect[n_kept++] = e->effect[j];
        if (k >= e->n_topics)
            continue;
        const uint64_t n_united = gb_model_topics_of_union(e->trained, k, topics);
        if (n_united == 1)
            continue;
        CLI_TRY(
            gb_model_contrast(e->model, output, n_united, topics, 0, NULL, &e->effect[n_kept - 1].posterior, err));
        e->effect[n_kept - 1].reliability = NAN;
    }
    *n = n_kept;
done:
    gb_free(topics);
    return st;
}

gb_status cli_find_effects(cli_effect_rows *e, uint64_t output, uint64_t *n, gb_error *err)
{
    gb_status st = GB_OK;
    if (output == 0 || gb_model_is_one_vs_rest(e->model))
        st = find_words(e, output, err);
    *n = gb_model_n_effects(e->model, output);
    if (st == GB_OK)
        st = e->n_folds > 0 ? gb_model_cross_effects(e->model, output, e->cross, err)
                            : gb_model_effects(e->model, output, e->posterior, err);
    for (uint64_t j = 0; j < *n && st == GB_OK; j++)
        e->effect[j] = e->n_folds > 0 ? from_folds(&e->cross[j], j)
                                      : (cli_effect_row){j, e->posterior[j], reliability_of(e, j), NAN, 0};
    e->has_shrinkage = st == GB_OK && !isnan(e->effect[0].posterior.shrinkage);
    return st == GB_OK && has_unions(e) ? unite(e, output, n, err) : st;
}

/* ---- own parameters of responses ------------------------------------------------------------------- */

static gb_status name_own(const gb_model *model, uint64_t response, const char *name, uint64_t place,
                          cli_own_parameter *own, gb_error *err)
{
    const bool is_between_classes = place != UINT64_MAX;
    const int length = is_between_classes ? asprintf(&own->title, "%s | %s", gb_model_class(model, response, place),
                                                     gb_model_class(model, response, place + 1))
                                          : asprintf(&own->title, "%s", name);
    if (length < 0)
        return cli_fail(err, GB_ENOMEM, "out of memory");
    own->name = is_between_classes ? own->title : name;
    for (char *at = own->title; !is_between_classes && *at != '\0'; at++)
        *at = *at == '_' ? ' ' : *at;
    return GB_OK;
}

/* In the training, or of the estimate. */
static gb_status find_own_of_draws(const gb_model *model, uint64_t response, cli_own_parameter **out, uint64_t *n,
                                   gb_error *err)
{
    gb_status st;
    const uint64_t n_own = gb_model_n_own_parameters(model, response);
    CLI_TRY(cli_alloc(out, n_own, sizeof **out, "the parameters", err));
    for (; *n < n_own; ++*n) {
        const char *name;
        uint64_t place;
        CLI_TRY(gb_model_own_parameter(model, response, *n, &name, &place, &(*out)[*n].posterior, err));
        CLI_TRY(name_own(model, response, name, place, &(*out)[*n], err));
    }
done:
    return st;
}

static gb_status find_own_of_folds(const gb_model *model, uint64_t response, cli_own_parameter **out, uint64_t *n,
                                   gb_error *err)
{
    gb_status st;
    const uint64_t n_all = gb_model_n_cross_parameters(model);
    CLI_TRY(cli_alloc(out, n_all, sizeof **out, "the parameters", err));
    for (uint64_t i = 0; i < n_all; i++) {
        uint64_t of, place;
        const char *name;
        gb_cross_effect pooled;
        CLI_TRY(gb_model_cross_parameter(model, i, &of, &name, &place, &pooled, err));
        if (of != response)
            continue;
        CLI_TRY(name_own(model, of, name, place, &(*out)[*n], err));
        (*out)[*n].posterior = pooled.posterior;
        (*out)[*n].between = pooled.between;
        (*out)[(*n)++].n_folds = pooled.n_folds;
    }
done:
    return st;
}

gb_status cli_find_own(const cli_effect_rows *e, uint64_t output, cli_own_parameter **out, uint64_t *n, gb_error *err)
{
    const uint64_t r = cli_response_of(e->model, output);
    const bool is_last = output + 1 == gb_model_first_output(e->model, r) + gb_model_n_outputs_of(e->model, r);
    *n = 0;
    *out = NULL;
    if (!is_last)
        return GB_OK;
    return e->n_folds > 0 ? find_own_of_folds(e->model, r, out, n, err) : find_own_of_draws(e->model, r, out, n, err);
}

void cli_clear_own(cli_own_parameter *own, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        free(own[i].title);
    gb_free(own);
}
