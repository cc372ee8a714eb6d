/* helper_prior.c - draws from the prior with the library's random numbers but none of its models; chains on them. */
#include "helper_prior.h"
#include "helper_settings.h"

#include "corpus/data/corpus.h"
#include "recipe/start.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double ALPHA = 0.8, BETA = 0.6, VARIANCE = 0.9, COVARIATE_VARIANCE = 0.5, INTERCEPT_VARIANCE = 0.4,
                    WORD_VARIANCE = 0.3, EMBEDDING_VARIANCE = 0.4;

const size_t prior_length[PRIOR_DOCS] = {3, 2, 4, 1, 3, 0, 2, 3};
static const double covariate[PRIOR_DOCS] = {0.5, -1.2, 0.8, 1.4, -0.3, 0.9, -0.7, 0.1},
                    exposure[PRIOR_DOCS] = {0.3, 0.6, 0.2, 1.1, 0.4, 0.5, 0.8, 0.3};

/* Of mean 0 and variance 1 already. */
static const float embedding[PRIOR_DOCS][PRIOR_EMBEDDING] = {{1, 1},  {1, -1},  {-1, 1}, {-1, -1},
                                                             {1, -1}, {-1, -1}, {-1, 1}, {1, 1}};

static bool is(const prior_model *model, const char *response)
{
    return strcmp(model->response, response) == 0;
}

static size_t n_features(const prior_model *model)
{
    return model->n_topics + (model->covariate ? 1 : 0) + (model->embedding ? PRIOR_EMBEDDING : 0) +
           (model->words ? PRIOR_WORDS : 0) + 1;
}

/* ---- the prior ---- */

void prior_draw_words(const prior_model *model, gb_random *random, prior_state *state)
{
    double parameter[PRIOR_WORDS], phi[PRIOR_TOPICS][PRIOR_WORDS];
    for (size_t w = 0; w < PRIOR_WORDS; w++)
        parameter[w] = state->beta;
    for (size_t k = 0; k < model->n_topics; k++)
        gb_random_dirichlet(random, PRIOR_WORDS, parameter, phi[k]);
    for (size_t i = 0; i < PRIOR_TOKENS; i++)
        state->word[i] = (uint32_t)gb_random_categorical(random, PRIOR_WORDS, phi[state->topic[i]]);
}

static const double LEVEL_PRECISION = 0.7, LEVEL_MEAN = 0.3;

/* A document's place in the chain of groups; the empty document is alone in the third. */
static const size_t place[PRIOR_DOCS] = {0, 0, 1, 3, 3, 2, 1, 0};

static double draw_gamma(gb_random *random, double shape, double rate)
{
    return gb_random_gamma(random, shape) / rate;
}

/* Root of Sigma, lower triangle: Sigma^{-1} = T T' ~ W(I, 4), so Sigma = T'^{-1} T^{-1}. */
static void draw_covariance(gb_random *random, double root[2][2], double *spread)
{
    const double t1 = sqrt(2 * gb_random_gamma(random, 2)), t2 = sqrt(2 * gb_random_gamma(random, 1.5)),
                 b = gb_random_normal(random);
    const double a = t1 * t1, c = t1 * b, d = b * b + t2 * t2, determinant = a * d - c * c;
    const double s11 = d / determinant, s22 = a / determinant, s12 = -c / determinant;
    root[0][0] = sqrt(s11);
    root[1][0] = s12 / root[0][0];
    root[1][1] = sqrt(s22 - root[1][0] * root[1][0]);
    spread[0] = s11 * s22 - s12 * s12;
    spread[1] = s11;
    spread[2] = 1 + s12 / sqrt(s11 * s22);
}

/* Differences along the chain, then where their mean lies. */
static void draw_chain_of_means(gb_random *random, double evolution, size_t t, prior_state *state)
{
    double x[PRIOR_GROUPS] = {0}, mean = 0;
    for (size_t g = 1; g < PRIOR_GROUPS; g++)
        x[g] = x[g - 1] + gb_random_normal(random) / sqrt(evolution);
    for (size_t g = 0; g < PRIOR_GROUPS; g++)
        mean += x[g] / PRIOR_GROUPS;
    const double level = LEVEL_MEAN + gb_random_normal(random) / sqrt(LEVEL_PRECISION);
    for (size_t g = 0; g < PRIOR_GROUPS; g++)
        state->mean[g][t] = level + x[g] - mean;
}

/* Means of groups, and the root of the covariance of documents around them. */
static void draw_means(const prior_model *model, gb_random *random, prior_state *state, double root[2][2])
{
    const size_t n_free = model->n_topics - 1;
    if (model->documents == PRIOR_FULL)
        draw_covariance(random, root, state->spread);
    if (model->documents == PRIOR_GRAPH) {
        state->spread[0] = draw_gamma(random, 3, 2);
        state->spread[1] = draw_gamma(random, 3, 2);
    }
    for (size_t t = 0; t < n_free; t++) {
        if (model->documents == PRIOR_NORMAL)
            state->spread[t] = gb_random_exponential(random);
        if (model->documents == PRIOR_GRAPH)
            draw_chain_of_means(random, state->spread[1], t, state);
        else
            state->mean[0][t] = gb_random_normal(random) / sqrt(LEVEL_PRECISION);
        if (model->documents != PRIOR_FULL)
            root[t][t] = 1 / sqrt(state->spread[model->documents == PRIOR_NORMAL ? t : 0]);
    }
    if (model->documents == PRIOR_FULL)
        state->mean[0][1] = root[1][0] * state->mean[0][0] + root[1][1] * state->mean[0][1];
    for (size_t t = 0; t < n_free && model->documents != PRIOR_GRAPH; t++)
        state->mean[0][t] =
            LEVEL_MEAN + (model->documents == PRIOR_FULL && t == 0 ? root[0][0] : 1) * state->mean[0][t];
}

static void shares_of(size_t n_topics, const double *psi, double *share)
{
    double largest = 0, sum = 0;
    for (size_t t = 0; t + 1 < n_topics; t++)
        largest = fmax(largest, psi[t]);
    for (size_t k = 0; k < n_topics; k++)
        sum += share[k] = exp((k + 1 < n_topics ? psi[k] : 0) - largest);
    for (size_t k = 0; k < n_topics; k++)
        share[k] /= sum;
}

static void draw_weights(const prior_model *model, gb_random *random, prior_state *state)
{
    double root[2][2] = {{0}};
    draw_means(model, random, state, root);
    for (size_t d = 0; d < PRIOR_DOCS; d++) {
        double psi[2] = {0}, e[2] = {gb_random_normal(random), gb_random_normal(random)};
        for (size_t t = 0; t + 1 < model->n_topics; t++) {
            psi[t] = state->mean[model->documents == PRIOR_GRAPH ? place[d] : 0][t];
            for (size_t j = 0; j <= t; j++)
                psi[t] += root[t][j] * e[j];
        }
        shares_of(model->n_topics, psi, state->share[d]);
    }
}

static void draw_topics(const prior_model *model, gb_random *random, prior_state *state)
{
    double theta[PRIOR_TOPICS];
    uint16_t *topic = state->topic;
    if (model->documents != PRIOR_DIRICHLET)
        draw_weights(model, random, state);
    for (size_t d = 0; d < PRIOR_DOCS; d++) {
        if (model->documents == PRIOR_DIRICHLET)
            gb_random_dirichlet(random, model->n_topics, state->alpha, theta);
        else
            memcpy(theta, state->share[d], sizeof theta);
        for (size_t i = 0; i < prior_length[d]; i++)
            *topic++ = (uint16_t)gb_random_categorical(random, model->n_topics, theta);
    }
}

static void draw_coefficients(const prior_model *model, gb_random *random, double *eta)
{
    for (size_t k = 0; k < model->n_topics; k++)
        *eta++ = sqrt(VARIANCE) * gb_random_normal(random);
    if (model->covariate)
        *eta++ = sqrt(COVARIATE_VARIANCE) * gb_random_normal(random);
    for (size_t j = 0; j < PRIOR_EMBEDDING && model->embedding; j++)
        *eta++ = sqrt(EMBEDDING_VARIANCE) * gb_random_normal(random);
    for (size_t w = 0; w < PRIOR_WORDS && model->words; w++)
        *eta++ = sqrt(WORD_VARIANCE) * gb_random_normal(random);
    *eta = sqrt(INTERCEPT_VARIANCE) * gb_random_normal(random);
}

/* Noise variance ~ InvGamma(1, 1/2), dispersion ~ Gamma(1, rate 1/10). */
static double draw_own(const prior_model *model, gb_random *random)
{
    if (is(model, "gaussian"))
        return 0.5 / gb_random_exponential(random);
    return is(model, "negative-binomial") ? 10 * gb_random_exponential(random) : 1;
}

/* Two N(0, 25) numbers in ascending order. */
static void draw_cut_points(gb_random *random, double *cut)
{
    const double a = 5 * gb_random_normal(random), b = 5 * gb_random_normal(random);
    cut[0] = fmin(a, b);
    cut[1] = fmax(a, b);
}

/* The word that a document has at first. */
static uint32_t first_word(size_t d, size_t i)
{
    return (uint32_t)((d + i) % PRIOR_WORDS);
}

/* Of the words by their presence: no document is longer than the vocabulary, so each has a word once. */
static double score_of_words(const prior_model *model, const double *eta, size_t d)
{
    double sum = 0;
    for (size_t i = 0; i < prior_length[d]; i++)
        sum += eta[n_features(model) - 1 - PRIOR_WORDS + first_word(d, i)];
    return sum;
}

static void make_scores(const prior_model *model, prior_fault fault, prior_state *state)
{
    const uint16_t *topic = state->topic;
    for (size_t d = 0; d < PRIOR_DOCS; d++) {
        double sum = 0, length = (double)prior_length[d];
        if (fault == PRIOR_LENGTH_MINUS_ONE && length > 1)
            length--;
        for (size_t i = 0; i < prior_length[d]; i++)
            sum += state->eta[*topic++] / length;
        if (model->covariate && fault != PRIOR_NO_COVARIATE)
            sum += state->eta[model->n_topics] * covariate[d];
        for (size_t j = 0; j < PRIOR_EMBEDDING && model->embedding && fault != PRIOR_NO_EMBEDDING; j++)
            sum += state->eta[model->n_topics + (model->covariate ? 1 : 0) + j] * (double)embedding[d][j];
        if (model->words && fault != PRIOR_NO_WORDS)
            sum += score_of_words(model, state->eta, d);
        state->score[d] = sum + state->eta[n_features(model) - 1];
    }
}

double prior_offset(const prior_model *model, size_t d)
{
    return model->exposure ? log(exposure[d]) : 0;
}

/* Flat within epsilon, with probability 2 epsilon c / (2 epsilon c + 1), and beyond exponential with rate 2 c. */
static double draw_insensitive(const prior_model *model, double cost, gb_random *random)
{
    const double inside = 2 * model->epsilon * cost, side = gb_random_uniform(random) < 0.5 ? -1 : 1;
    if (gb_random_uniform(random) < inside / (inside + 1))
        return side * model->epsilon * gb_random_uniform(random);
    return side * (model->epsilon + gb_random_exponential(random) / (2 * cost));
}

double prior_draw_target(const prior_model *model, prior_fault fault, gb_random *random, const prior_state *state,
                         size_t d)
{
    const double noise = fault == PRIOR_NOISE_DOUBLED ? 2 : 1;
    const double s = state->score[d] + (fault == PRIOR_NO_EXPOSURE ? 0 : prior_offset(model, d));
    if (is(model, "gaussian"))
        return s + sqrt(noise * state->own) * gb_random_normal(random);
    if (is(model, "insensitive"))
        return s + draw_insensitive(model, model->cost / noise, random);
    if (is(model, "negative-binomial")) {
        const double r = state->own / noise;
        return (double)gb_random_poisson(random, gb_random_gamma(random, r) * noise * exp(s));
    }
    if (is(model, "ordinal")) {
        const double latent = s + sqrt(noise) * gb_random_normal(random);
        return 1 + (latent > state->cut[0]) + (latent > state->cut[1]);
    }
    return gb_random_uniform(random) < 1 / (1 + exp(-s / noise)) ? 1 : -1;
}

static void draw_parameters(const prior_model *model, gb_random *random, prior_state *state)
{
    for (size_t k = 0; k < model->n_topics; k++)
        state->alpha[k] = model->parameters ? draw_gamma(random, 2, 2) : ALPHA;
    state->beta = model->parameters ? draw_gamma(random, 2, 3) : BETA;
}

void prior_draw(const prior_model *model, prior_fault fault, gb_random *random, prior_state *state)
{
    draw_parameters(model, random, state);
    draw_topics(model, random, state);
    prior_draw_words(model, random, state);
    draw_coefficients(model, random, state->eta);
    state->own = draw_own(model, random);
    if (is(model, "ordinal"))
        draw_cut_points(random, state->cut);
    make_scores(model, fault, state);
    for (size_t d = 0; d < PRIOR_DOCS; d++)
        state->y[d] = prior_draw_target(model, fault, random, state, d);
    if (fault != PRIOR_RIGHT)
        make_scores(model, PRIOR_RIGHT, state); /* only the targets were made of wrong ones */
}

/* ---- corpus and settings ---- */

static bool has_labels(const prior_model *model)
{
    return is(model, "logistic") || is(model, "ordinal");
}

static size_t n_labels(const prior_model *model)
{
    return is(model, "ordinal") ? 3 : 2;
}

static void add_document(gb_corpus_builder *b, const prior_model *model, size_t d)
{
    gb_error err = {.status = GB_OK};
    size_t field = 0;
    check(gb_corpus_builder_document(b, NULL, 0, &err), &err);
    for (size_t i = 0; i < prior_length[d]; i++)
        check(gb_corpus_builder_token(b, first_word(d, i), &err), &err);
    if (has_labels(model))
        check(gb_corpus_builder_class(b, 0, (const char[]){(char)('a' + (int)(d % n_labels(model)))}, 1, &err), &err);
    else
        check(gb_corpus_builder_number(b, field++, (double)d, &err), &err);
    if (model->documents == PRIOR_GRAPH)
        check(gb_corpus_builder_class(b, has_labels(model) ? 1 : 0, (const char[]){(char)('1' + (int)place[d])}, 1,
                                      &err),
              &err);
    if (model->covariate)
        check(gb_corpus_builder_number(b, field++, covariate[d], &err), &err);
    if (model->exposure)
        check(gb_corpus_builder_number(b, field++, exposure[d], &err), &err);
}

static gb_corpus *make_corpus(const prior_model *model)
{
    gb_corpus_builder *b = NULL;
    gb_corpus *corpus = NULL;
    gb_error err = {.status = GB_OK};
    size_t field;
    check(gb_corpus_builder_create(&b, &err), &err);
    if (has_labels(model))
        check(gb_corpus_builder_labels(b, "class", false, &field, &err), &err);
    else
        check(gb_corpus_builder_numbers(b, "number", GB_ROLE_RESPONSE, &field, &err), &err);
    if (model->documents == PRIOR_GRAPH)
        check(gb_corpus_builder_group(b, "place", &field, &err), &err);
    if (model->covariate)
        check(gb_corpus_builder_numbers(b, "covariate", GB_ROLE_COVARIATE, &field, &err), &err);
    if (model->exposure)
        check(gb_corpus_builder_numbers(b, "exposure", GB_ROLE_EXPOSURE, &field, &err), &err);
    for (size_t w = 0; w < PRIOR_WORDS; w++)
        check(gb_corpus_builder_word(b, (const char[]){(char)('A' + (int)w)}, 1, &err), &err);
    for (size_t d = 0; d < PRIOR_DOCS; d++) {
        add_document(b, model, d);
        if (model->embedding)
            check(gb_corpus_builder_embedding(b, PRIOR_EMBEDDING, embedding[d], &err), &err);
    }
    check(gb_corpus_builder_finish(b, NULL, NULL, &corpus, &err), &err);
    gb_corpus_builder_free(b);
    return corpus;
}

static void set_documents(gb_settings *settings, const prior_model *model, prior_fault fault)
{
    if (model->documents == PRIOR_DIRICHLET) {
        if (model->parameters)
            set(settings, "alpha", fault == PRIOR_ALPHA_OFF ? "gamma:2,1" : "gamma:2,2");
        else
            set_number(settings, "alpha", ALPHA);
        return;
    }
    set(settings, "prior", model->documents == PRIOR_GRAPH ? "graph" : "logistic-normal");
    set(settings, "covariance", model->documents == PRIOR_FULL ? "full" : "diagonal");
    set_number(settings, "level-precision", LEVEL_PRECISION);
    set_number(settings, "level-mean", fault == PRIOR_WEIGHTS_OFF ? LEVEL_MEAN - 1 : LEVEL_MEAN);
    if (model->documents != PRIOR_GRAPH)
        return;
    set(settings, "graph", "chain");
    set(settings, "evolution-precision", "gamma:3,2");
    set(settings, "observation-precision", "gamma:3,2");
}

static gb_settings *make_settings(const prior_model *model, prior_fault fault, unsigned seed)
{
    gb_settings *settings = NULL;
    gb_error err = {.status = GB_OK};
    check(gb_settings_create(&settings, &err), &err);
    set_number(settings, "topics", (double)model->n_topics);
    set_documents(settings, model, fault);
    if (model->parameters)
        set(settings, "beta", fault == PRIOR_BETA_OFF ? "gamma:2,1.5" : "gamma:2,3");
    else
        set_number(settings, "beta", BETA);
    set(settings, "response", model->response);
    set(settings, "standardise", "no");
    if (is(model, "ordinal"))
        set(settings, "levels", "a,b,c");
    else
        set_number(settings, "cost", model->cost);
    if (is(model, "insensitive"))
        set_number(settings, "epsilon", model->epsilon);
    set_variance(settings, GB_VARIANCE_TOPICS, VARIANCE);
    set(settings, "intercept", "yes");
    set_variance(settings, GB_VARIANCE_INTERCEPT, INTERCEPT_VARIANCE);
    if (model->covariate)
        set_variance(settings, GB_VARIANCE_COVARIATES, COVARIATE_VARIANCE);
    if (model->embedding)
        set_variance(settings, GB_VARIANCE_EMBEDDINGS, EMBEDDING_VARIANCE);
    if (model->words) {
        set(settings, "word-effects", "presence");
        set_variance(settings, GB_VARIANCE_WORDS, WORD_VARIANCE);
        set(settings, "coefficient-sampler", model->words);
    }
    set(settings, "topic-treatment", model->blocks == 0 ? "sampled" : "blocks");
    if (model->blocks > 0)
        set_number(settings, "blocks", model->blocks);
    set_number(settings, "seed", seed);
    set(settings, "threads", "1");
    return settings;
}

prior_setup prior_setup_make(const prior_model *model, unsigned seed)
{
    return prior_setup_make_faulty(model, PRIOR_RIGHT, seed);
}

prior_setup prior_setup_make_faulty(const prior_model *model, prior_fault fault, unsigned seed)
{
    gb_error err = {.status = GB_OK};
    prior_setup setup = {.model = model, .corpus = make_corpus(model)};
    gb_settings *settings = make_settings(model, fault, seed);
    check(gb_spec_resolve(setup.corpus, settings, &setup.spec, &err), &err);
    gb_settings_free(settings);
    return setup;
}

void prior_setup_clear(prior_setup *setup)
{
    gb_spec_clear(&setup->spec);
    gb_corpus_free(setup->corpus);
}

/* ---- chains ---- */

/* The corpus was made by the builder, so its words are in memory of its own. */
static uint32_t *words_of(const prior_setup *setup)
{
    return (uint32_t *)(uintptr_t)setup->corpus->word;
}

/* Targets, and the documents by level that go with them. */
static void set_targets(gb_chain *chain, const double *y)
{
    memcpy(chain->y, y, PRIOR_DOCS * sizeof *y);
    if (chain->response[0].n_levels > 0)
        gb_sort_by_level(PRIOR_DOCS, 1, chain->y, chain->response[0].n_levels, chain->by_level, chain->level_start);
}

gb_chain *prior_chain(const prior_setup *setup, const prior_state *state, uint64_t number)
{
    gb_error err = {.status = GB_OK};
    gb_chain *chain = NULL;
    memcpy(words_of(setup), state->word, sizeof state->word);
    check(gb_chain_begin(&chain, setup->corpus, &setup->spec, number, &err), &err);
    set_targets(chain, state->y);
    return chain;
}

/* Words are those of the corpus. */
static void assign(gb_chain *chain, const uint16_t *topic)
{
    gb_error err = {.status = GB_OK};
    check(gb_chain_assign(chain, topic, &err), &err);
}

void prior_set_chain(const prior_setup *setup, gb_chain *chain, const prior_state *state)
{
    memcpy(chain->eta, state->eta, n_features(setup->model) * sizeof *chain->eta);
    memcpy(chain->score, state->score, sizeof state->score);
    if (is(setup->model, "ordinal"))
        memcpy(chain->own, state->cut, sizeof state->cut);
    else if (chain->spec->n_own > 0)
        chain->own[0] = state->own;
    if (setup->model->parameters) {
        memcpy(chain->prior.values.table[0].value, state->alpha, setup->model->n_topics * sizeof *state->alpha);
        gb_topics_set_beta(&chain->topics, state->beta);
    }
    assign(chain, state->topic);
}

static void read_weights(const prior_model *model, const gb_chain *chain, prior_state *state)
{
    const size_t n_free = model->n_topics - 1, n_groups = model->documents == PRIOR_GRAPH ? PRIOR_GROUPS : 1;
    gb_array psi;
    assert_true(gb_arrays_find(gb_prior_list, &chain->prior, "psi", &psi));
    const gb_prior_values *values = &chain->prior.values;
    const double *mean = gb_prior_values_of(values, "group_mean"),
                 *precision = gb_prior_values_of(values, "observation_precision"),
                 *sigma = gb_prior_values_of(values, "covariance");
    for (size_t d = 0; d < PRIOR_DOCS; d++)
        shares_of(model->n_topics, (double *)gb_array_first(&psi) + d * n_free, state->share[d]);
    for (size_t g = 0; g < n_groups; g++)
        memcpy(state->mean[g], mean + g * n_free, n_free * sizeof *mean);
    if (model->documents == PRIOR_FULL) {
        state->spread[0] = sigma[0] * sigma[3] - sigma[1] * sigma[2];
        state->spread[1] = sigma[0];
        state->spread[2] = 1 + sigma[1] / sqrt(sigma[0] * sigma[3]);
        return;
    }
    memcpy(state->spread, precision, (model->documents == PRIOR_NORMAL ? n_free : 1) * sizeof *precision);
    if (model->documents == PRIOR_GRAPH)
        state->spread[1] = gb_prior_values_of(values, "evolution_precision")[0];
}

void prior_read_chain(const prior_setup *setup, const gb_chain *chain, prior_state *state)
{
    memcpy(state->word, words_of(setup), sizeof state->word);
    for (size_t d = 0, start = 0; d < PRIOR_DOCS; start += prior_length[d++])
        gb_chain_assignment(chain, d, state->topic + start);
    memcpy(state->eta, chain->eta, n_features(setup->model) * sizeof *chain->eta);
    memcpy(state->score, chain->score, sizeof state->score);
    memcpy(state->y, chain->y, sizeof state->y);
    for (size_t k = 0; k < setup->model->n_topics; k++)
        state->alpha[k] = setup->model->parameters ? chain->prior.values.table[0].value[k] : ALPHA;
    state->beta = chain->topics.beta;
    state->own = 1;
    if (is(setup->model, "ordinal"))
        memcpy(state->cut, chain->own, sizeof state->cut);
    else if (chain->response[0].samples_own)
        state->own = chain->own[0];
    if (setup->model->documents != PRIOR_DIRICHLET)
        read_weights(setup->model, chain, state);
}

/* The augmentation of the last sweep belongs to the targets before: the next draw of topics must not see it. */
static void augment(gb_chain *chain, const prior_model *model, gb_random *random)
{
    const gb_response *response = &chain->response[0];
    for (size_t d = 0; d < PRIOR_DOCS; d++) {
        const double offset = prior_offset(model, d), score = chain->score[d] + offset;
        const gb_random_streams streams = gb_random_split(random, 1, gb_isa_best());
        response->ops->augment(response, 1, chain->y + d, NULL, &score, &streams, chain->term + d);
        chain->term[d].centre -= offset;
    }
}

void prior_redraw_data(const prior_setup *setup, prior_fault fault, gb_chain *chain, gb_random *random)
{
    const prior_model *model = setup->model;
    prior_state state;
    prior_read_chain(setup, chain, &state);
    prior_draw_words(model, random, &state);
    make_scores(model, fault, &state);
    for (size_t d = 0; d < PRIOR_DOCS; d++)
        state.y[d] = prior_draw_target(model, fault, random, &state, d);
    set_targets(chain, state.y);
    memcpy(words_of(setup), state.word, sizeof state.word);
    assign(chain, state.topic);
    augment(chain, model, random);
}
