/* apply/simulate.c - draw a corpus from the generative process, with parameters from the priors or from the
 * last draw of a model.
 *
 *   phi_k ~ Dirichlet(beta + n_k)   topics over words; n_k: counts of the model's draw, 0 without a model
 *   theta_d ~ the document prior, with the parameters of the model's draw; of a group picked evenly, if it has groups
 *   N_d ~ Poisson(length)
 *   z_dn ~ theta_d,  w_dn ~ phi_z
 *   eta_l ~ Normal(0, variance), intercept ~ Normal(0, intercept variance), or as in the model's draw
 *   s_dl = eta_l . n_d / N_d + intercept      (a document without words has only the intercept), and in a model with coefficients of
 *                                             words + sum_w eta_lw x_dw (design/word_columns.h)
 *
 * Labels.  The log odds of y = +1 in an output are the difference of its two log likelihoods: s for the
 * logistic response (its cost is taken as 1: a likelihood raised to a power is none), log Phi(s) - log Phi(-s) for
 * the probit, and for the hinge 2 c
 * (max(0, ell + s) - max(0, ell - s)).  The hinge is not a likelihood, so this is a choice; with a large c it
 * is nearly the sign of s.  A binary label and each of several labels are drawn with those odds.  With one
 * class out of many the outputs are independent given that exactly one of them is positive: class l has
 * probability proportional to its odds, drawn as the largest of log odds plus Gumbel noise.
 *
 * Every quantity has its own stream of random numbers, so a corpus of more documents begins with the same
 * ones. */
#include "base/memory.h"
#include "base/watch.h"
#include "corpus/data/corpus.h"
#include "design/word_columns.h"
#include "gibbous/apply.h"
#include "gibbous/effects.h"
#include "model/model.h"
#include "options/needs.h"
#include "options/variance.h"
#include "plan/response_defaults.h"
#include "plan/spec.h"
#include "random/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The word "sweep" of a stream's address tells the quantities apart. */
enum { STREAM_TOPIC, STREAM_DOCUMENT, STREAM_COEFFICIENT };

/* Everything that is fixed for the whole corpus. */
typedef struct process {
    gb_key key;
    size_t n_topics, n_words, n_outputs, n_targets;
    gb_prior_setup setup; /* of the document prior; without a model */
    gb_prior prior;
    double *cumulative;          /* n_topics x n_words: cumulative sums of each topic's word probabilities */
    double *eta;                 /* n_outputs x (n_topics + 1), the intercept last */
    const gb_word_coding *words; /* of the model; NULL: words have no coefficients */
    double *eta_of_words;        /* its last draw: n_outputs x words */
    gb_target *target;           /* n_targets */
    size_t *field;               /* n_targets: in the corpus, of its labels or of its numbers */
    const gb_groups *groups;     /* of documents; NULL without */
    size_t *group_field;         /* for each field that names them */
    double mean_length;
    uint64_t n_docs, n_docs_done;
    gb_on_apply *on_progress;
    void *user;
    gb_watch watch;
    double started;
} process;

static bool ask(void *context)
{
    const process *p = context;
    const gb_apply_progress progress = {
        .n_draws = 1, .n_docs_done = p->n_docs_done, .n_docs = p->n_docs, .seconds = gb_seconds() - p->started};
    return p->on_progress(&progress, p->user);
}

static void process_clear(process *p)
{
    for (size_t i = 0; i < p->n_targets; i++)
        gb_target_clear(&p->target[i]);
    gb_free(p->target);
    gb_free(p->field);
    gb_free(p->group_field);
    gb_prior_clear(&p->prior);
    gb_prior_setup_clear(&p->setup);
    gb_free(p->cumulative);
    gb_free(p->eta);
    gb_free(p->eta_of_words);
}

/* ---- names ----------------------------------------------------------------------------------------- */

enum { WORD_SIZE = 24 };

/* Word numbers are spelt in syllables of a consonant and a vowel, in alphabetical order and of equal length,
 * so that the default token pattern (letters only) reads them back and sorting by name is sorting by number.
 */
static size_t spell_word(uint64_t number, uint64_t n_words, char out[static WORD_SIZE])
{
    static const char consonant[] = "bcdfghjklmnpqrstvwxz", vowel[] = "aeiou";
    size_t n_syllables = 2;
    for (uint64_t room = 10000; room < n_words; room *= 100)
        n_syllables++;
    for (size_t i = n_syllables; i-- > 0; number /= 100) {
        out[2 * i] = consonant[number % 100 / 5];
        out[2 * i + 1] = vowel[number % 5];
    }
    return 2 * n_syllables;
}

static gb_status add_words(gb_corpus_builder *b, const gb_model *model, uint64_t n_words, gb_error *err)
{
    gb_status st = GB_OK;
    for (uint64_t w = 0; st == GB_OK && w < n_words; w++) {
        char name[WORD_SIZE];
        if (model != NULL)
            st = gb_corpus_builder_word(b, model->word[w], strlen(model->word[w]), err);
        else
            st = gb_corpus_builder_word(b, name, spell_word(w, n_words, name), err);
    }
    return st;
}

/* "c01", ..., as wide as the last one: sorting by name is sorting by number. */
static gb_status name_classes(gb_target *target, size_t n_classes, gb_error *err)
{
    char name[32];
    const int width = snprintf(name, sizeof name, "%zu", n_classes);
    gb_status st;
    GB_TRY(gb_alloc(&target->class_name, n_classes, sizeof *target->class_name, "the classes", err));
    for (; target->n_classes < n_classes; target->n_classes++) {
        (void)snprintf(name, sizeof name, "%s%0*zu", target->task == GB_TASK_ORDINAL ? "" : "c", width,
                       target->n_classes + 1);
        GB_TRY(gb_copy_text(&target->class_name[target->n_classes], name, strlen(name), err));
    }
done:
    return st;
}

/* ---- parameters ------------------------------------------------------------------------------------ */

/* `cumulative` holds the Dirichlet parameters of every topic and receives the sums. */
static gb_status draw_topics(process *p, gb_error *err)
{
    double *parameter = NULL;
    gb_status st = gb_alloc(&parameter, p->n_words, sizeof *parameter, "topics", err);
    for (size_t k = 0; st == GB_OK && k < p->n_topics; k++) {
        if (!gb_watch_look(&p->watch, 0))
            st = gb_fail(err, GB_ESTOP, "stopped before all topics were drawn");
        double *row = p->cumulative + k * p->n_words;
        memcpy(parameter, row, p->n_words * sizeof *row);
        gb_random r = gb_random_open(p->key, STREAM_TOPIC, GB_DRAW_SIMULATE, k);
        gb_random_dirichlet(&r, p->n_words, parameter, row);
        for (size_t w = 1; w < p->n_words; w++)
            row[w] += row[w - 1];
    }
    gb_free(parameter);
    return st;
}

static gb_status allocate(process *p, double beta, gb_error *err)
{
    gb_status st;
    if (p->n_words > SIZE_MAX / p->n_topics)
        return gb_fail_memory(err, SIZE_MAX, "topics");
    const size_t n = p->n_topics * p->n_words;
    GB_TRY(gb_alloc(&p->cumulative, n, sizeof *p->cumulative, "topics", err));
    for (size_t i = 0; i < n; i++)
        p->cumulative[i] = beta;
    GB_TRY(gb_alloc(&p->eta, p->n_outputs * (p->n_topics + 1), sizeof *p->eta, "coefficients", err));
done:
    return st;
}

static gb_status draw_coefficients(process *p, const gb_settings *s, gb_error *err)
{
    const size_t n = p->n_topics + 1;
    const gb_variances given = gb_settings_variances(s);
    double variance = given.of[GB_VARIANCE_TOPICS], intercept_variance = given.of[GB_VARIANCE_INTERCEPT];
    if (p->n_targets == 0)
        return GB_OK;
    if (variance == GB_VARIANCE_SAMPLED || given.of[GB_VARIANCE_COVARIATES] > 0)
        return gb_fail(err, GB_EARGUMENT,
                       "`variance` of simulated coefficients is a number, of topics and intercept");
    if (variance == GB_VARIANCE_AUTO)
        variance = gb_response_defaults_of(p->target[0].response.ops)->variance;
    if (intercept_variance == GB_VARIANCE_AUTO)
        intercept_variance = 1;
    /* an intercept as wide as that of a fit would put nearly all documents into one class */
    const bool has_intercept = gb_settings_yes(s, "intercept") && gb_settings_is_set(s, "intercept");
    for (size_t l = 0; l < p->n_outputs; l++) {
        gb_random r = gb_random_open(p->key, STREAM_COEFFICIENT, GB_DRAW_SIMULATE, l);
        for (size_t k = 0; k < p->n_topics; k++)
            p->eta[l * n + k] = sqrt(variance) * gb_random_normal(&r);
        if (has_intercept)
            p->eta[l * n + p->n_topics] = sqrt(intercept_variance) * gb_random_normal(&r);
    }
    return GB_OK;
}

/* One response, of the kind that the settings name: classes "label", numbers "target". */
static gb_status choose_response(process *p, const gb_settings *s, gb_error *err)
{
    gb_status st;
    const char *name = gb_settings_are(s, "response", "auto") ? gb_response_default(GB_TARGET_CLASS)->name
                                                              : gb_settings_text(s, "response");
    const gb_fact fact = {.name = "response", .value = name};
    double cost = 0;
    GB_TRY(gb_settings_check_all(s, NULL, 1, &fact, err));
    if (strcmp(name, "none") == 0)
        goto done;
    GB_TRY(gb_alloc(&p->target, 1, sizeof *p->target, "the response", err));
    gb_target *target = p->target;
    p->n_targets = 1;
    target->scale = 1;
    GB_TRY(gb_option_number("cost", gb_settings_text(s, "cost"), "", &cost, err));
    GB_TRY(gb_response_choose(name, cost, gb_settings_real(s, "margin"),
                              gb_settings_real_or(s, "epsilon", GB_DEFAULT_EPSILON), &target->response, err));
    const gb_target_kind kind = target->response.ops->target;
    const bool is_number = gb_target_kind_is_number(kind);
    const char *field = is_number ? "target" : "label";
    GB_TRY(gb_copy_text(&target->field, field, strlen(field), err));
    if (is_number) {
        target->task = GB_TASK_REGRESSION;
    } else {
        target->task = kind == GB_TARGET_LEVEL              ? GB_TASK_ORDINAL
                       : gb_settings_int(s, "classes") == 2 ? GB_TASK_BINARY
                                                            : GB_TASK_MULTICLASS;
        GB_TRY(name_classes(target, (size_t)gb_settings_int(s, "classes"), err));
    }
    target->response.n_outputs = gb_task_n_outputs(target->task, target->n_classes);
    target->response.n_levels = kind == GB_TARGET_LEVEL ? target->n_classes : 0;
    GB_TRY(gb_own_parameters_choose(s, false, target, err));
    p->n_outputs = target->response.n_outputs;
done:
    return st;
}

static gb_status draw_from_priors(process *p, const gb_settings *s, gb_error *err)
{
    gb_status st;
    gb_beta beta;
    p->n_topics = (size_t)gb_settings_int(s, "topics");
    p->n_words = (size_t)gb_settings_int(s, "vocabulary-size");
    GB_TRY(choose_response(p, s, err));
    GB_TRY(gb_beta_read(gb_settings_text(s, "beta"), 0.01, &beta, err));
    if (beta.is_sampled)
        return gb_fail(err, GB_EARGUMENT, "`beta` %s needs documents; give a number to simulate from",
                       gb_settings_text(s, "beta"));
    GB_TRY(allocate(p, beta.value, err));
    GB_TRY(gb_prior_setup_resolve(s, NULL, &p->setup, err));
    GB_TRY(gb_prior_create(&p->prior, &p->setup, NULL, NULL, 0, 1, gb_isa_best(), err));
    GB_TRY(draw_coefficients(p, s, err));
    GB_TRY(draw_topics(p, err));
done:
    return st;
}

/* Covariates are taken as 0 (numbers at their mean, no level of a factor), exposures as 1. */
static gb_status take_from_model(process *p, const gb_model *model, gb_error *err)
{
    const gb_draw *draw = &model->draw[model->n_draws - 1];
    const size_t n_features = gb_model_n_features(model);
    gb_status st;
    if (gb_model_is_one_vs_rest(model))
        return gb_fail(
            err, GB_EARGUMENT,
            "a model of `strategy` one-vs-rest has topics for each class, and none to draw documents from");
    if (gb_model_n_embedding_columns(model) > 0)
        return gb_fail(err, GB_EARGUMENT,
                       "a model with `embeddings` cannot be simulated from: simulated documents have none");
    GB_TRY(gb_model_check_table(model, model->n_topics, model->n_words, "the topics", err));
    if (gb_prior_formula(&model->prior) != NULL)
        return gb_fail(err, GB_EARGUMENT,
                       "`model`: its topics depend on metadata, and simulated documents have none; train without "
                       "`prevalence` to simulate");
    if (model->wording.shape != NULL)
        return gb_fail(
            err, GB_EARGUMENT,
            "`model`: its words depend on metadata, and simulated documents have none; train without `%s` to "
            "simulate",
            model->wording.shape->option);
    if (model->bags.n > 1)
        return gb_fail(
            err, GB_EARGUMENT,
            "`model`: its words are in bags, and how many a document has of each is not simulated; train on "
            "joined texts, `text` FIELD,FIELD, to simulate");
    p->n_topics = model->n_topics;
    p->n_words = (size_t)model->n_words;
    p->n_outputs = model->n_outputs;
    GB_TRY(gb_alloc(&p->target, model->n_responses, sizeof *p->target, "responses", err));
    for (; p->n_targets < model->n_responses; p->n_targets++) {
        GB_TRY(gb_target_copy(&model->target[p->n_targets], &p->target[p->n_targets], err));
        gb_target *target = &p->target[p->n_targets];
        for (size_t i = 0; i < target->response.n_own; i++)
            target->own[i] = draw->own[target->response.first_own + i];
    }
    GB_TRY(allocate(p, gb_draw_beta(model, draw), err));
    GB_TRY(gb_prior_create(&p->prior, &model->prior, &draw->prior, NULL, 0, 1, gb_isa_best(), err));
    p->groups = gb_prior_groups(&model->prior);
    for (size_t l = 0; l < p->n_outputs; l++) {
        const double *from = draw->eta + l * n_features;
        double *to = p->eta + l * (p->n_topics + 1);
        memcpy(to, from, p->n_topics * sizeof *to);
        to[p->n_topics] = model->intercept ? from[n_features - 1] : 0;
    }
    if (gb_model_n_word_columns(model) > 0) {
        p->words = gb_coding_words(model->coding);
        GB_TRY(gb_alloc(&p->eta_of_words, p->n_outputs * p->words->n, sizeof *p->eta_of_words, "coefficients", err));
        for (size_t l = 0; l < p->n_outputs; l++)
            for (size_t j = 0; j < p->words->n; j++)
                p->eta_of_words[l * p->words->n + j] = gb_model_word_coefficient(model, draw, l, j);
    }
    for (uint64_t w = 0; w < model->n_words; w++)
        for (uint64_t i = draw->word_start[w]; i < draw->word_start[w + 1]; i++)
            p->cumulative[draw->topic[i] * p->n_words + w] += draw->count[i];
    GB_TRY(draw_topics(p, err));
done:
    return st;
}

/* ---- one document ---------------------------------------------------------------------------------- */

/* Scratch of the document at hand. */
typedef struct document {
    double *theta; /* cumulative */
    uint64_t *n_topic;
    uint64_t length;
    /* where words have coefficients */
    uint32_t *count; /* n_words: how often each occurs */
    uint32_t *word, *column,
        *each;     /* n_words: the different words, and those that are columns; how often each occurs */
    double *value; /* n_words: of the columns */
    size_t n_different;
    double *word_score; /* n_outputs */
    uint32_t group;
} document;

/* The first index whose cumulative sum exceeds a uniform share of the last one. */
static size_t draw_cumulative(gb_random *r, size_t n, const double *cumulative)
{
    double u = gb_random_uniform(r) * cumulative[n - 1];
    size_t low = 0, high = n - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (cumulative[middle] > u)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void draw_theta(const process *p, gb_random *r, document *doc)
{
    p->prior.ops->documents->draw_shares(&p->prior, doc->group, r, doc->theta);
    for (size_t k = 1; k < p->n_topics; k++)
        doc->theta[k] += doc->theta[k - 1];
}

/* The words' part of the scores; counts are 0 again afterwards. */
static void score_words(const process *p, document *doc)
{
    for (size_t i = 0; i < doc->n_different; i++) {
        doc->each[i] = doc->count[doc->word[i]];
        doc->count[doc->word[i]] = 0;
    }
    const uint64_t n = gb_word_row(p->words->value, p->words->weight, doc->n_different, doc->word, doc->each,
                                   doc->column, doc->value);
    for (size_t l = 0; l < p->n_outputs; l++) {
        doc->word_score[l] = 0;
        for (uint64_t i = 0; i < n; i++)
            doc->word_score[l] += doc->value[i] * p->eta_of_words[l * p->words->n + doc->column[i]];
    }
    doc->n_different = 0;
}

static gb_status draw_words(const process *p, gb_random *r, document *doc, gb_corpus_builder *b, gb_error *err)
{
    doc->length = gb_random_poisson(r, p->mean_length);
    memset(doc->n_topic, 0, p->n_topics * sizeof *doc->n_topic);
    draw_theta(p, r, doc);
    for (uint64_t n = 0; n < doc->length; n++) {
        size_t k = draw_cumulative(r, p->n_topics, doc->theta);
        size_t w = draw_cumulative(r, p->n_words, p->cumulative + k * p->n_words);
        doc->n_topic[k]++;
        if (p->words != NULL && doc->count[w]++ == 0)
            doc->word[doc->n_different++] = (uint32_t)w;
        gb_status st = gb_corpus_builder_token(b, (uint32_t)w, err);
        if (st != GB_OK)
            return st;
    }
    if (p->words != NULL)
        score_words(p, doc);
    return GB_OK;
}

static double score_of(const process *p, const document *doc, size_t output)
{
    const double *eta = p->eta + output * (p->n_topics + 1);
    double sum = 0, s = eta[p->n_topics] + (p->words == NULL ? 0 : doc->word_score[output]);
    for (size_t k = 0; k < p->n_topics; k++)
        sum += eta[k] * (double)doc->n_topic[k];
    return doc->length > 0 ? s + sum / (double)doc->length : s;
}

static double log_odds(const process *p, const gb_target *target, const document *doc, size_t output)
{
    const double s = score_of(p, doc, target->response.first_output + output);
    gb_response response = target->response;
    if (gb_response_is_calibrated(response.ops))
        response.cost = 1;
    return response.ops->log_likelihood(&response, 1, s) - response.ops->log_likelihood(&response, -1, s);
}

static bool draw_sign(const process *p, const gb_target *target, const document *doc, size_t output, gb_random *r)
{
    return gb_random_uniform(r) < 1 / (1 + exp(-log_odds(p, target, doc, output)));
}

/* -log of an exponential draw is Gumbel noise. */
static size_t draw_one_of_many(const process *p, const gb_target *target, const document *doc, gb_random *r)
{
    size_t best = 0;
    double largest = -HUGE_VAL;
    for (size_t l = 0; l < target->response.n_outputs; l++) {
        double value = log_odds(p, target, doc, l) - log(gb_random_exponential(r));
        if (value > largest) {
            largest = value;
            best = l;
        }
    }
    return best;
}

static gb_status add_class(const gb_target *target, gb_corpus_builder *b, size_t field, size_t class, gb_error *err)
{
    return gb_corpus_builder_class(b, field, target->class_name[class], strlen(target->class_name[class]), err);
}

static gb_status draw_target(const process *p, size_t i, gb_random *r, const document *doc, gb_corpus_builder *b,
                             gb_error *err)
{
    const gb_target *target = &p->target[i];
    const size_t field = p->field[i];
    if (target->task == GB_TASK_REGRESSION) {
        const double y =
            target->response.ops->simulate(&target->response, score_of(p, doc, target->response.first_output), r);
        return gb_corpus_builder_number(b, field, target->centre + target->scale * y, err);
    }
    if (target->task == GB_TASK_ORDINAL) {
        const double level =
            target->response.ops->simulate(&target->response, score_of(p, doc, target->response.first_output), r);
        return add_class(target, b, field, (size_t)level - 1, err);
    }
    if (target->task == GB_TASK_BINARY)
        return add_class(target, b, field, draw_sign(p, target, doc, 0, r), err);
    if (target->task == GB_TASK_MULTICLASS)
        return add_class(target, b, field, draw_one_of_many(p, target, doc, r), err);
    gb_status st = gb_corpus_builder_labelled(b, field, err);
    for (size_t l = 0; st == GB_OK && l < target->response.n_outputs; l++)
        if (draw_sign(p, target, doc, l, r))
            st = add_class(target, b, field, l, err);
    return st;
}

/* The group is one of all, with or without training documents; each of its values goes into a field. */
static gb_status draw_group(const process *p, gb_random *r, document *doc, gb_corpus_builder *b, gb_error *err)
{
    gb_status st = GB_OK;
    if (p->groups == NULL)
        return st;
    doc->group = (uint32_t)gb_random_below(r, gb_groups_count(p->groups));
    gb_view rest = gb_groups_name(p->groups, doc->group);
    const size_t n = gb_groups_n_fields(p->groups);
    for (size_t i = 0; i < n; i++) {
        const char *bar = i + 1 < n ? memchr(rest.text, '|', rest.length) : NULL;
        const size_t length = bar == NULL ? rest.length : (size_t)(bar - rest.text);
        GB_TRY(gb_corpus_builder_class(b, p->group_field[i], rest.text, length, err));
        if (bar != NULL)
            rest = (gb_view){bar + 1, rest.length - length - 1};
    }
done:
    return st;
}

/* ---- the corpus ------------------------------------------------------------------------------------ */

static gb_status make_room(const process *p, document *doc, gb_error *err)
{
    gb_status st;
    const char *what = "a document";
    GB_TRY(gb_alloc(&doc->theta, p->n_topics, sizeof *doc->theta, what, err));
    GB_TRY(gb_alloc(&doc->n_topic, p->n_topics, sizeof *doc->n_topic, what, err));
    if (p->words == NULL)
        return st;
    GB_TRY(gb_alloc(&doc->count, p->n_words, sizeof *doc->count, what, err));
    GB_TRY(gb_alloc(&doc->word, p->n_words, sizeof *doc->word, what, err));
    GB_TRY(gb_alloc(&doc->column, p->n_words, sizeof *doc->column, what, err));
    GB_TRY(gb_alloc(&doc->each, p->n_words, sizeof *doc->each, what, err));
    GB_TRY(gb_alloc(&doc->value, p->n_words, sizeof *doc->value, what, err));
    GB_TRY(gb_alloc(&doc->word_score, p->n_outputs, sizeof *doc->word_score, what, err));
done:
    return st;
}

static void clear_document(document *doc)
{
    gb_free(doc->theta);
    gb_free(doc->n_topic);
    gb_free(doc->count);
    gb_free(doc->word);
    gb_free(doc->column);
    gb_free(doc->each);
    gb_free(doc->value);
    gb_free(doc->word_score);
}

static gb_status draw_documents(process *p, gb_corpus_builder *b, gb_error *err)
{
    document doc = {0};
    gb_status st;
    GB_TRY(make_room(p, &doc, err));
    for (uint64_t d = 0; d < p->n_docs; d++) {
        p->n_docs_done = d;
        if (!gb_watch_look(&p->watch, 0))
            GB_TRY(gb_fail(err, GB_ESTOP, "stopped before all documents were drawn"));
        gb_random r = gb_random_open(p->key, STREAM_DOCUMENT, GB_DRAW_SIMULATE, d);
        GB_TRY(gb_corpus_builder_document(b, NULL, 0, err));
        GB_TRY(draw_group(p, &r, &doc, b, err));
        GB_TRY(draw_words(p, &r, &doc, b, err));
        for (size_t i = 0; i < p->n_targets; i++)
            GB_TRY(draw_target(p, i, &r, &doc, b, err));
    }
done:
    clear_document(&doc);
    return st;
}

static gb_status declare_fields(process *p, gb_corpus_builder *b, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(&p->field, p->n_targets, sizeof *p->field, "fields", err));
    const size_t n_groups = p->groups == NULL ? 0 : gb_groups_n_fields(p->groups);
    GB_TRY(gb_alloc(&p->group_field, n_groups, sizeof *p->group_field, "fields", err));
    for (size_t i = 0; i < n_groups; i++)
        GB_TRY(gb_corpus_builder_group(b, gb_groups_field(p->groups, i), &p->group_field[i], err));
    for (size_t i = 0; i < p->n_targets; i++) {
        const gb_target *target = &p->target[i];
        if (target->task == GB_TASK_REGRESSION)
            GB_TRY(gb_corpus_builder_numbers(b, target->field, GB_ROLE_RESPONSE, &p->field[i], err));
        else
            GB_TRY(gb_corpus_builder_labels(b, target->field, target->task == GB_TASK_MULTILABEL, &p->field[i], err));
    }
done:
    return st;
}

gb_status gb_simulate(const gb_model *model, const gb_settings *settings, gb_on_apply *on_progress, void *user,
                      gb_corpus **out, gb_error *err)
{
    process p = {.key = gb_key_make((uint64_t)gb_settings_int_or(settings, "seed", 0), 0),
                 .mean_length = gb_settings_real(settings, "length"),
                 .n_docs = (uint64_t)gb_settings_int(settings, "documents"),
                 .on_progress = on_progress,
                 .user = user,
                 .started = gb_seconds()};
    gb_corpus_builder *b = NULL;
    gb_status st;
    gb_watch_start(&p.watch, on_progress == NULL ? NULL : ask, &p);
    if (model != NULL)
        GB_TRY(gb_settings_check_all(settings, "simulate", 1, &(gb_fact){.name = "model", .value = "yes"}, err));
    GB_TRY(model != NULL ? take_from_model(&p, model, err) : draw_from_priors(&p, settings, err));
    GB_TRY(gb_corpus_builder_create(&b, err));
    GB_TRY(declare_fields(&p, b, err));
    GB_TRY(add_words(b, model, p.n_words, err));
    GB_TRY(draw_documents(&p, b, err));
    GB_TRY(gb_corpus_builder_finish(b, NULL, NULL, out, err));
done:
    gb_corpus_builder_free(b);
    process_clear(&p);
    return st;
}
