/* Geweke's test of the joint distribution (Geweke 2004, JASA 99): a chain that alternates the library's sweep with
 * drawing words given topics and targets given scores has the joint law of everything as its own.  Means of functions
 * over it are compared with means over independent draws from the prior: |z| < 5 for each, with standard errors by
 * batches.  With some 110 functions a false alarm has probability below 1e-4; the seeds are fixed.  Planted errors in
 * what is simulated have to be seen; not every error will do, as many drive the chain off without end.
 *
 * GIBBOUS_TABLE_VERBOSE=1 prints a line per model. */
#include "helper_effort.h"
#include "helper_joint.h"
#include "helper_prior.h"
#include "helper_settings.h"
#include "recipe/sweep.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_BATCHES = 100, MOST_FUNCTIONS = 32, FUNCTION_NAME_SIZE = 48 };
static const double LARGEST_Z = 5;

#pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* the last member: a Dirichlet prior */

static const prior_model gaussian = {"gaussian", "gaussian", 1, 0, 2, 0, true, false},
                         gaussian_2 = {"gaussian, two blocks", "gaussian", 1, 0, 3, 2, false, false},
                         logistic = {"logistic", "logistic", 1, 0, 3, 1, false, false},
                         insensitive = {"insensitive", "insensitive", 1.5, 0.4, 2, 1, true, false},
                         counts = {"negative binomial", "negative-binomial", 1, 0, 2, 0, false, true},
                         counts_2 = {"negative binomial, two blocks", "negative-binomial", 1, 0, 2, 2, true, true},
                         normal = {"gaussian, logistic-normal", "gaussian", 1, 0, 3, 1, false, false, PRIOR_NORMAL},
                         full = {"logistic, full logistic-normal", "logistic", 1, 0, 3, 2, false, false, PRIOR_FULL},
                         graph = {"gaussian, graph", "gaussian", 1, 0, 3, 0, true, false, PRIOR_GRAPH},
                         graph_2 = {"logistic, graph", "logistic", 1, 0, 2, 1, false, false, PRIOR_GRAPH},
                         words = {"gaussian, words", "gaussian", 1, 0, 2, 1, true, false, PRIOR_DIRICHLET, "mixed"},
                         words_2 = {"logistic, words at once", "logistic", 1, 0, 2, 1, true, false,
                                    PRIOR_DIRICHLET,           "conjugate"},
                         embedding = {.name = "gaussian, an embedding",
                                      .response = "gaussian",
                                      .cost = 1,
                                      .n_topics = 3,
                                      .blocks = 2,
                                      .embedding = true},
                         embedding_2 = {.name = "negative binomial, words, an embedding, both at once",
                                        .response = "negative-binomial",
                                        .cost = 1,
                                        .n_topics = 2,
                                        .covariate = true,
                                        .words = "conjugate",
                                        .embedding = true},
                         levels = {"ordinal", "ordinal", 1, 0, 2, 1, true, false},
                         levels_2 = {"ordinal, graph", "ordinal", 1, 0, 3, 2, false, false, PRIOR_GRAPH},
                         parameters = {.name = "gaussian, alpha and beta",
                                       .response = "gaussian",
                                       .cost = 1,
                                       .n_topics = 3,
                                       .blocks = 2,
                                       .covariate = true,
                                       .parameters = true},
                         parameters_2 = {.name = "logistic, alpha and beta, drawn topics",
                                         .response = "logistic",
                                         .cost = 1,
                                         .n_topics = 2,
                                         .parameters = true};

/* ---- functions of a state ---- */

struct list {
    size_t n;
    double x[MOST_FUNCTIONS];
    const char *name[MOST_FUNCTIONS];
};

static void add(struct list *list, double x, const char *name)
{
    assert_true(list->n < MOST_FUNCTIONS);
    list->x[list->n] = x;
    list->name[list->n++] = name;
}

/* Pairs of tokens that have the topic, the word, or both in common. */
static void add_tokens(struct list *list, const prior_state *s)
{
    double topic = 0, word = 0, both = 0, within = 0;
    for (size_t i = 0; i < PRIOR_TOKENS; i++) {
        for (size_t j = 0; j < i; j++) {
            const bool same_topic = s->topic[i] == s->topic[j], same_word = s->word[i] == s->word[j];
            topic += same_topic;
            word += same_word;
            both += same_topic && same_word;
            within += same_topic && i < prior_length[0]; /* both in the first document */
        }
    }
    add(list, topic, "pairs with one topic");
    add(list, word, "pairs with one word");
    add(list, both, "pairs with one topic and word");
    add(list, within, "pairs of the first document with one topic");
}

static void add_coefficients(struct list *list, const prior_model *model, const prior_state *s)
{
    double square = 0, fourth = 0;
    const double *rest = s->eta + model->n_topics;
    for (size_t k = 0; k < model->n_topics; k++) {
        square += s->eta[k] * s->eta[k];
        fourth += pow(s->eta[k], 4);
    }
    add(list, square, "sum of squared coefficients");
    add(list, fourth, "sum of their fourth powers");
    if (model->covariate) {
        add(list, rest[0], "covariate");
        add(list, rest[0] * rest[0], "covariate^2");
        rest++;
    }
    if (model->embedding) {
        add(list, rest[0] * rest[0] + rest[1] * rest[1], "squared coefficients of the embedding");
        add(list, rest[0] * rest[1], "their product");
        rest += PRIOR_EMBEDDING;
    }
    if (model->words) {
        add(list, rest[0] * rest[0] + rest[4] * rest[4], "squared coefficients of words");
        add(list, rest[1] * rest[2], "product of two of them");
        rest += PRIOR_WORDS;
    }
    add(list, rest[0], "intercept");
    add(list, rest[0] * rest[0], "intercept^2");
    if (strcmp(model->response, "ordinal") == 0) {
        add(list, s->cut[0], "lower cut point");
        add(list, s->cut[0] * s->cut[0], "its square");
        add(list, s->cut[1], "upper cut point");
        add(list, s->cut[0] * s->cut[1], "product of cut points");
        return;
    }
    add(list, log(s->own), "log of noise variance or dispersion");
    add(list, log(s->own) * log(s->own), "square of that");
}

/* Bounded functions of targets, which may have no moments. */
static void add_targets(struct list *list, const prior_model *model, const prior_state *s)
{
    const bool is_count = strcmp(model->response, "negative-binomial") == 0;
    const bool is_level = strcmp(model->response, "ordinal") == 0;
    double size = 0, product = 0, distance = 0, squares = 0;
    for (size_t d = 0; d < PRIOR_DOCS; d++) {
        const double y = is_count ? log1p(s->y[d]) - 1 : is_level ? s->y[d] - 2 : s->y[d];
        size += tanh(y) * tanh(y);
        product += tanh(y) * tanh(s->score[d]);
        distance += tanh(fabs(y - s->score[d]));
        squares += s->score[d] * s->score[d];
    }
    add(list, s->score[0], "score of the first document");
    add(list, squares, "sum of squared scores");
    add(list, s->score[0] * s->score[2], "product of two scores");
    add(list, tanh(is_count ? log1p(s->y[0]) - 1 : s->y[0]), "first target");
    add(list, size, "size of targets");
    add(list, product, "product of targets and scores");
    add(list, distance, "distance of targets and scores");
    add(list, tanh(log(s->own)) * size, "size of targets x own parameter");
}

/* Shares of documents in one group, in neighbouring ones and in distant ones; parameters where functions have moments. */
static void add_weights(struct list *list, const prior_model *model, const prior_state *s)
{
    const size_t n_spreads = model->documents == PRIOR_FULL     ? 3
                             : model->documents == PRIOR_NORMAL ? model->n_topics - 1
                                                                : 2;
    double sum = 0, squares = 0;
    for (size_t d = 0; d < PRIOR_DOCS; d++) {
        sum += s->share[d][0];
        squares += s->share[d][0] * s->share[d][0] + s->share[d][1] * s->share[d][1];
    }
    add(list, sum, "shares of the first topic");
    add(list, squares, "squared shares");
    add(list, s->share[0][0] * s->share[1][0], "product of shares in one group");
    add(list, s->share[0][0] * s->share[2][0], "product of shares in neighbouring groups");
    add(list, s->share[0][0] * s->share[5][0], "product of shares in distant groups");
    add(list, tanh(s->mean[0][0]), "mean of a group");
    add(list, tanh(s->mean[0][0]) * tanh(s->mean[model->documents == PRIOR_GRAPH ? 1 : 0][model->n_topics - 2]),
        "product of means");
    for (size_t i = 0; i < n_spreads; i++)
        add(list, log(s->spread[i]), "log of a precision or covariance");
}

static void add_parameters(struct list *list, const prior_model *model, const prior_state *s)
{
    double sum = 0, logs = 0, squares = 0;
    for (size_t k = 0; k < model->n_topics; k++) {
        sum += s->alpha[k];
        logs += log(s->alpha[k]);
        squares += s->alpha[k] * s->alpha[k];
    }
    add(list, sum, "sum of alpha");
    add(list, logs, "sum of log alpha");
    add(list, squares, "sum of squared alpha");
    add(list, s->beta, "beta");
    add(list, log(s->beta), "log beta");
    add(list, s->beta * list->x[1], "beta x pairs with one word");
    add(list, sum * list->x[3], "sum of alpha x pairs of the first document with one topic");
}

static struct list functions_of(const prior_model *model, const prior_state *s)
{
    struct list list = {.n = 0};
    add_tokens(&list, s);
    add_coefficients(&list, model, s);
    add_targets(&list, model, s);
    if (model->documents != PRIOR_DIRICHLET)
        add_weights(&list, model, s);
    if (model->parameters)
        add_parameters(&list, model, s);
    return list;
}

/* ---- means and their standard errors ---- */

struct means {
    double mean[MOST_FUNCTIONS], square[MOST_FUNCTIONS]; /* over batches; `square` is n times the variance */
    size_t n;
};

static void add_batch(struct means *means, const double *sum, size_t per_batch)
{
    means->n++;
    for (size_t i = 0; i < MOST_FUNCTIONS; i++) {
        const double x = sum[i] / (double)per_batch, step = x - means->mean[i];
        means->mean[i] += step / (double)means->n;
        means->square[i] += step * (x - means->mean[i]);
    }
}

static double squared_error(const struct means *means, size_t i)
{
    return means->square[i] / (double)(means->n - 1) / (double)means->n;
}

static void add_to(double *sum, const struct list *list)
{
    for (size_t i = 0; i < list->n; i++)
        sum[i] += list->x[i];
}

static gb_random stream(const prior_setup *setup, size_t batch, uint64_t which)
{
    return gb_random_open(gb_key_make(setup->spec.seed, 0), (uint32_t)batch, GB_DRAW_TEST, which);
}

static struct means means_of_prior(const prior_setup *setup, size_t per_batch)
{
    struct means means = {.n = 0};
    prior_state state;
    for (size_t b = 0; b < N_BATCHES; b++) {
        gb_random random = stream(setup, b, 0);
        double sum[MOST_FUNCTIONS] = {0};
        for (size_t i = 0; i < per_batch; i++) {
            prior_draw(setup->model, PRIOR_RIGHT, &random, &state);
            const struct list list = functions_of(setup->model, &state);
            add_to(sum, &list);
        }
        add_batch(&means, sum, per_batch);
    }
    return means;
}

/* One batch, the first, is burn-in.  Targets are read before the sweep that changes the scores they were drawn for, and
 * after it: both times the state has the joint law. */
static struct means means_of_chain(const prior_setup *setup, prior_fault fault, size_t per_batch)
{
    gb_error err = {.status = GB_OK};
    struct means means = {.n = 0};
    prior_state state;
    gb_random start = stream(setup, 0, 1);
    prior_draw(setup->model, PRIOR_RIGHT, &start, &state);
    gb_chain *chain = prior_chain(setup, &state, 0);
    for (size_t b = 0; b <= N_BATCHES; b++) {
        gb_random random = stream(setup, b, 2);
        double sum[MOST_FUNCTIONS] = {0};
        for (size_t i = 0; i < per_batch; i++) {
            check(gb_recipe_sweep(chain, &err), &err);
            if (i % 2 == 0) {
                prior_read_chain(setup, chain, &state);
                const struct list after_sweep = functions_of(setup->model, &state);
                add_to(sum, &after_sweep);
            }
            prior_redraw_data(setup, fault, chain, &random);
            if (i % 2 == 1) {
                prior_read_chain(setup, chain, &state);
                const struct list after_data = functions_of(setup->model, &state);
                add_to(sum, &after_data);
            }
        }
        if (b > 0)
            add_batch(&means, sum, per_batch);
    }
    gb_chain_free(chain);
    return means;
}

/* The largest |z| over the functions; the others' in `text`. */
static double largest_z(const prior_model *model, prior_fault fault, size_t n_sweeps, unsigned seed, char *text,
                        size_t size)
{
    prior_setup setup = prior_setup_make_faulty(model, fault, seed);
    prior_state state;
    gb_random random = stream(&setup, 0, 3);
    prior_draw(model, PRIOR_RIGHT, &random, &state);
    const struct list list = functions_of(model, &state);
    const struct means prior = means_of_prior(&setup, n_sweeps / N_BATCHES);
    const struct means chain = means_of_chain(&setup, fault, n_sweeps / N_BATCHES);
    double largest = 0, sum = 0;
    size_t at = 0, n = 0;
    for (size_t i = 0; i < list.n; i++) {
        const double error = sqrt(squared_error(&prior, i) + squared_error(&chain, i));
        if (error < 1e-12 && fabs(chain.mean[i] - prior.mean[i]) < 1e-12) /* log of a parameter that there is not */
            continue;
        const double z = fabs(chain.mean[i] - prior.mean[i]) / error;
        if (isnan(z))
            fail_msg("%s: %s is not a number", model->name, list.name[i]);
        sum += z * z;
        n++;
        if (!(z <= largest)) {
            largest = z;
            at = i;
        }
    }
    (void)snprintf(text, size, "%s: largest |z| %.2f of %zu (%s: %.4f, prior %.4f +- %.4f), mean z^2 %.2f",
                   model->name, largest, n, list.name[at], chain.mean[at], prior.mean[at],
                   sqrt(squared_error(&prior, at) + squared_error(&chain, at)), sum / (double)n);
    if (getenv("GIBBOUS_TABLE_VERBOSE") != NULL)
        print_message("             %s\n", text);
    prior_setup_clear(&setup);
    return largest;
}

static void assert_agrees(const prior_model *model, unsigned seed)
{
    char text[300];
    if (!(largest_z(model, PRIOR_RIGHT, joint_effort(40000), seed, text, sizeof text) < LARGEST_Z))
        fail_msg("%s", text);
}

static void assert_seen(const prior_model *model, prior_fault fault, unsigned seed)
{
    char text[300];
    if (!(largest_z(model, fault, 40000, seed, text, sizeof text) > LARGEST_Z))
        fail_msg("the planted error is not seen: %s", text);
}

static void the_gaussian_agrees_with_its_prior(void **state)
{
    (void)state;
    assert_agrees(&gaussian, 31);
}

static void the_gaussian_with_two_blocks_agrees_with_its_prior(void **state)
{
    (void)state;
    assert_agrees(&gaussian_2, 32);
}

static void the_logistic_agrees_with_its_prior(void **state)
{
    (void)state;
    assert_agrees(&logistic, 33);
}

static void the_insensitive_agrees_with_its_prior(void **state)
{
    (void)state;
    assert_agrees(&insensitive, 34);
}

static void counts_agree_with_their_prior(void **state)
{
    (void)state;
    assert_agrees(&counts, 35);
}

static void counts_with_two_blocks_agree_with_their_prior(void **state)
{
    (void)state;
    assert_agrees(&counts_2, 36);
}

static void log_weights_agree_with_their_prior(void **state)
{
    (void)state;
    assert_agrees(&normal, 37);
}

static void log_weights_with_a_full_covariance_agree_with_their_prior(void **state)
{
    (void)state;
    assert_agrees(&full, 38);
}

static void groups_on_a_graph_agree_with_their_prior(void **state)
{
    (void)state;
    assert_agrees(&graph, 39);
    assert_agrees(&graph_2, 40);
}

static void words_agree_with_their_prior(void **state)
{
    (void)state;
    assert_agrees(&words, 51);
    assert_agrees(&words_2, 55);
}

static void embeddings_agree_with_their_prior(void **state)
{
    (void)state;
    assert_agrees(&embedding, 56);
    assert_agrees(&embedding_2, 57);
}

static void embeddings_ignored_are_seen(void **state)
{
    (void)state;
    assert_seen(&embedding, PRIOR_NO_EMBEDDING, 58);
}

static void words_ignored_are_seen(void **state)
{
    (void)state;
    assert_seen(&words, PRIOR_NO_WORDS, 52);
    assert_seen(&words_2, PRIOR_NO_WORDS, 56);
}

static void levels_agree_with_their_prior(void **state)
{
    (void)state;
    assert_agrees(&levels, 51);
    assert_agrees(&levels_2, 52);
}

static void twice_the_noise_is_seen_in_levels(void **state)
{
    (void)state;
    assert_seen(&levels, PRIOR_NOISE_DOUBLED, 53);
}

static void a_divisor_of_length_minus_one_is_seen_in_levels(void **state)
{
    (void)state;
    assert_seen(&levels_2, PRIOR_LENGTH_MINUS_ONE, 54);
}

static void alpha_and_beta_agree_with_their_prior(void **state)
{
    (void)state;
    assert_agrees(&parameters, 59);
    assert_agrees(&parameters_2, 60);
}

static void another_prior_of_alpha_or_beta_is_seen(void **state)
{
    (void)state;
    assert_seen(&parameters, PRIOR_ALPHA_OFF, 61);
    assert_seen(&parameters_2, PRIOR_BETA_OFF, 62);
}

static void another_level_is_seen(void **state)
{
    (void)state;
    assert_seen(&normal, PRIOR_WEIGHTS_OFF, 47);
    assert_seen(&graph_2, PRIOR_WEIGHTS_OFF, 48);
}

static void a_covariate_ignored_is_seen_in_the_gaussian(void **state)
{
    (void)state;
    assert_seen(&gaussian, PRIOR_NO_COVARIATE, 41);
}

static void a_divisor_of_length_minus_one_is_seen(void **state)
{
    (void)state;
    assert_seen(&gaussian_2, PRIOR_LENGTH_MINUS_ONE, 42);
}

static void half_the_slope_is_seen_in_the_logistic(void **state)
{
    (void)state;
    assert_seen(&logistic, PRIOR_NOISE_DOUBLED, 43);
}

static void half_the_cost_is_seen_in_the_insensitive(void **state)
{
    (void)state;
    assert_seen(&insensitive, PRIOR_NOISE_DOUBLED, 44);
}

static void half_the_dispersion_is_seen_in_counts(void **state)
{
    (void)state;
    assert_seen(&counts, PRIOR_NOISE_DOUBLED, 45);
}

static void a_covariate_ignored_is_seen_in_counts(void **state)
{
    (void)state;
    assert_seen(&counts_2, PRIOR_NO_COVARIATE, 46);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gaussian_agrees_with_its_prior),
        cmocka_unit_test(the_gaussian_with_two_blocks_agrees_with_its_prior),
        cmocka_unit_test(the_logistic_agrees_with_its_prior),
        cmocka_unit_test(the_insensitive_agrees_with_its_prior),
        cmocka_unit_test(counts_agree_with_their_prior),
        cmocka_unit_test(counts_with_two_blocks_agree_with_their_prior),
        cmocka_unit_test(log_weights_agree_with_their_prior),
        cmocka_unit_test(log_weights_with_a_full_covariance_agree_with_their_prior),
        cmocka_unit_test(groups_on_a_graph_agree_with_their_prior),
        cmocka_unit_test(words_agree_with_their_prior),
        cmocka_unit_test(words_ignored_are_seen),
        cmocka_unit_test(embeddings_agree_with_their_prior),
        cmocka_unit_test(embeddings_ignored_are_seen),
        cmocka_unit_test(levels_agree_with_their_prior),
        cmocka_unit_test(twice_the_noise_is_seen_in_levels),
        cmocka_unit_test(a_divisor_of_length_minus_one_is_seen_in_levels),
        cmocka_unit_test(alpha_and_beta_agree_with_their_prior),
        cmocka_unit_test(another_prior_of_alpha_or_beta_is_seen),
        cmocka_unit_test(another_level_is_seen),
        cmocka_unit_test(a_covariate_ignored_is_seen_in_the_gaussian),
        cmocka_unit_test(a_divisor_of_length_minus_one_is_seen),
        cmocka_unit_test(half_the_slope_is_seen_in_the_logistic),
        cmocka_unit_test(half_the_cost_is_seen_in_the_insensitive),
        cmocka_unit_test(half_the_dispersion_is_seen_in_counts),
        cmocka_unit_test(a_covariate_ignored_is_seen_in_counts),
    };
    return cmocka_run_group_tests_name("Geweke", tests, NULL, NULL);
}
