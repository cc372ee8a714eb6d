/* helper_chain.c - the chain side: the library's sampler on a row's corpus, with batch means. */
#include "chain/chain.h"
#include "corpus/data/corpus.h"
#include "helper_joint.h"
#include "helper_settings.h"
#include "plan/spec.h"
#include "prior/psi_state.h"
#include "recipe/start.h"
#include "recipe/sweep.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { N_BATCHES = 100, WORD_SIZE = 8 };

/* ---- corpus and settings of a row ---- */

/* Fields of a row's corpus; what the row does not have is not there. */
struct fields {
    size_t class, target, weight, exposure, measurement, factor, group;
};

/* The regression of the log weights' means. */
static const psi_regression *regression_of(const joint_row *row)
{
    return row->psi == NULL ? NULL : row->psi->regression;
}

static bool has_x(const joint_row *row)
{
    return regression_of(row) != NULL && regression_of(row)->has_x;
}

static bool has_levels(const joint_row *row)
{
    return regression_of(row) != NULL && (regression_of(row)->has_level || regression_of(row)->has_random);
}

static bool has(const joint_row *row, joint_with what)
{
    return (row->with & (unsigned)what) != 0;
}

static bool has_exposure(const joint_row *row)
{
    return has(row, WITH_EXPOSURE) || (row->also != NULL && has(row->also, WITH_EXPOSURE));
}

static void declare_number(gb_corpus_builder *b, bool wanted, const char *name, gb_role role, size_t *field)
{
    gb_error err = {.status = GB_OK};
    if (wanted)
        check(gb_corpus_builder_numbers(b, name, role, field, &err), &err);
}

static bool has_groups(const joint_row *row)
{
    return row->psi != NULL && row->psi->is_graph;
}

static struct fields declare_fields(gb_corpus_builder *b, const joint_row *row)
{
    struct fields f = {0};
    gb_error err = {.status = GB_OK};
    const bool is_number = row->task == TASK_NUMBER || row->also != NULL;
    if (row->task != TASK_NUMBER)
        check(gb_corpus_builder_labels(b, "class", row->task == TASK_MULTILABEL, &f.class, &err), &err);
    declare_number(b, is_number, "number", GB_ROLE_RESPONSE, &f.target);
    declare_number(b, has(row, WITH_DOCUMENT_WEIGHTS), "weight", GB_ROLE_WEIGHT, &f.weight);
    declare_number(b, has_exposure(row), "exposure", GB_ROLE_EXPOSURE, &f.exposure);
    declare_number(b, has(row, WITH_NUMBER), "measurement", GB_ROLE_COVARIATE, &f.measurement);
    if (has(row, WITH_FACTOR))
        check(gb_corpus_builder_factor(b, "level", false, &f.factor, &err), &err);
    declare_number(b, has_x(row), "measurement", GB_ROLE_PREVALENCE, &f.measurement);
    if (has_levels(row))
        check(gb_corpus_builder_prevalence(b, "level", GB_KIND_ONE, &f.factor, &err), &err);
    if (has_groups(row))
        check(gb_corpus_builder_group(b, "place", &f.group, &err), &err);
    return f;
}

static void set_number_field(gb_corpus_builder *b, bool wanted, size_t field, double value)
{
    gb_error err = {.status = GB_OK};
    if (wanted)
        check(gb_corpus_builder_number(b, field, value, &err), &err);
}

/* Levels are the classes a, b, c. */
static joint_task label_task(const joint_row *row)
{
    if (row->task == TASK_TWO_LEVELS)
        return TASK_BINARY;
    return row->task == TASK_THREE_LEVELS ? TASK_MULTICLASS : row->task;
}

static void add_fields(gb_corpus_builder *b, const joint_row *row, const struct fields *f, size_t d)
{
    const joint_corpus *c = row->corpus;
    gb_error err = {.status = GB_OK};
    const joint_row *of_number = row->also != NULL ? row->also : row;
    const double number = of_number->response == RESPONSE_NEGATIVE_BINOMIAL ? c->count[d] : c->number[d];
    set_number_field(b, of_number->task == TASK_NUMBER, f->target, number);
    set_number_field(b, has(row, WITH_DOCUMENT_WEIGHTS), f->weight, c->weight[d]);
    set_number_field(b, has_exposure(row), f->exposure, c->exposure[d]);
    set_number_field(b, has(row, WITH_NUMBER) || has_x(row), f->measurement, c->measurement[d]);
    if (has(row, WITH_FACTOR) || has_levels(row))
        check(gb_corpus_builder_class(b, f->factor, &c->level[d], 1, &err), &err);
    if (has_groups(row)) {
        const char name = (char)('p' + (int)row->psi->group[d]);
        check(gb_corpus_builder_class(b, f->group, &name, 1, &err), &err);
    }
    const char *classes = row->task == TASK_NUMBER ? NULL : c->label[label_task(row)][d];
    if (classes == NULL)
        return;
    check(gb_corpus_builder_labelled(b, f->class, &err), &err);
    for (; *classes != '\0'; classes++)
        check(gb_corpus_builder_class(b, f->class, classes, 1, &err), &err);
}

/* "A", or with its bag "even:A". */
static void name_word(const joint_row *row, size_t w, char name[static WORD_SIZE])
{
    (void)snprintf(name, WORD_SIZE, "%s%c",
                   !has(row, WITH_BAGS)     ? ""
                   : joint_bag(row, w) == 0 ? "even:"
                                            : "odd:",
                   (char)('A' + (int)w));
}

static gb_corpus *build_corpus(const joint_row *row)
{
    const joint_corpus *c = row->corpus;
    gb_corpus_builder *b = NULL;
    gb_corpus *corpus = NULL;
    gb_error err = {.status = GB_OK};
    size_t token = 0;
    check(gb_corpus_builder_create(&b, &err), &err);
    const struct fields fields = declare_fields(b, row);
    for (size_t w = 0; w < c->n_words; w++) {
        char name[WORD_SIZE];
        name_word(row, w, name);
        check(gb_corpus_builder_word(b, name, strlen(name), &err), &err);
    }
    for (size_t d = 0; d < c->n_docs; d++) {
        check(gb_corpus_builder_document(b, NULL, 0, &err), &err);
        for (size_t i = 0; i < c->length[d]; i++)
            check(gb_corpus_builder_token(b, c->word[token++], &err), &err);
        add_fields(b, row, &fields, d);
        const float embedding[JOINT_EMBEDDING_WIDTH] = {(float)joint_embedding(row, d, 0),
                                                        (float)joint_embedding(row, d, 1)};
        if (has(row, WITH_EMBEDDING) || has(row, WITH_EMBEDDING_VARIANCE))
            check(gb_corpus_builder_embedding(b, JOINT_EMBEDDING_WIDTH, embedding, &err), &err);
    }
    json_t *preparation = has(row, WITH_BAGS) ? json_pack("{s:[s, s]}", "bags", "odd", "even") : NULL;
    check(gb_corpus_builder_finish(b, preparation, NULL, &corpus, &err), &err);
    gb_corpus_builder_free(b);
    return corpus;
}

static void set_alpha(gb_settings *settings, const joint_row *row)
{
    char text[100];
    size_t n = 0;
    for (size_t k = 0; k < (row->prior == PRIOR_VECTOR ? row->n_topics : 1); k++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%.17g", k > 0 ? "," : "", joint_alpha(row, k));
    set(settings, "alpha", text);
}

static void set_coefficients(gb_settings *settings, const joint_row *row)
{
    static const char *const samplers[] = {"block", "coordinate", "mixed", "conjugate"};
    if (row->horseshoe)
        set(settings, "coefficient-prior", "horseshoe");
    else if (has(row, WITH_VARIANCE))
        set_variance(settings, GB_VARIANCE_TOPICS, GB_VARIANCE_SAMPLED);
    else
        set_variance(settings, GB_VARIANCE_TOPICS, JOINT_VARIANCE);
    set(settings, "coefficient-sampler", samplers[row->sampler]);
    set(settings, "intercept", row->intercept ? "yes" : "no");
    if (row->intercept)
        set_variance(settings, GB_VARIANCE_INTERCEPT, JOINT_INTERCEPT_VARIANCE);
    if ((has(row, WITH_NUMBER) || has(row, WITH_FACTOR)) && joint_covariate_variance_is_given(row))
        set_variance(settings, GB_VARIANCE_COVARIATES, JOINT_COVARIATE_VARIANCE);
    if (has(row, WITH_WORDS) || has(row, WITH_WORD_VARIANCE))
        set(settings, "word-effects", "tfidf");
    if (has(row, WITH_WORDS))
        set_variance(settings, GB_VARIANCE_WORDS, JOINT_WORD_VARIANCE);
    if (has(row, WITH_EMBEDDING))
        set_variance(settings, GB_VARIANCE_EMBEDDINGS, JOINT_EMBEDDING_VARIANCE);
}

static const char *const response_names[] = {"none",        "hinge",    "logistic",          "probit",
                                             "insensitive", "gaussian", "negative-binomial", "ordinal"};

/* The response's own parameter. */
static void set_parameter(gb_settings *settings, const joint_row *row)
{
    static const char *const names[] = {"", "margin", "", "", "epsilon", "noise-variance", "dispersion", ""};
    const char *name = names[row->response];
    if (has(row, WITH_OWN) && row->response != RESPONSE_ORDINAL)
        set(settings, name, "sample");
    else if (name[0] != '\0')
        set_number(settings, name, row->parameter);
}

static void set_two_responses(gb_settings *settings, const joint_row *row)
{
    char text[100];
    (void)snprintf(text, sizeof text, "class=%s,number=%s", response_names[row->response],
                   response_names[row->also->response]);
    set(settings, "response", text);
    if (row->response == RESPONSE_PROBIT || row->response == RESPONSE_ORDINAL)
        (void)snprintf(text, sizeof text, "number=%.17g", row->also->cost);
    else
        (void)snprintf(text, sizeof text, "class=%.17g,number=%.17g", row->cost, row->also->cost);
    set(settings, "cost", text);
    set_parameter(settings, row->also);
}

static void set_response(gb_settings *settings, const joint_row *row, const char *class_weights)
{
    static const char *const tasks[] = {"binary", "multiclass", "multilabel", "", "ordinal", "ordinal"};
    set(settings, "response", response_names[row->response]);
    if (row->response == RESPONSE_NONE)
        return;
    if (row->task != TASK_NUMBER)
        set(settings, "task", tasks[row->task]);
    if (row->response == RESPONSE_ORDINAL)
        set(settings, "levels", row->task == TASK_TWO_LEVELS ? "a,b" : "a,b,c");
    set(settings, "standardise", "no");
    if (row->also != NULL)
        set_two_responses(settings, row);
    else if (row->response != RESPONSE_PROBIT && row->response != RESPONSE_ORDINAL)
        set_number(settings, "cost", row->cost);
    set_parameter(settings, row);
    if (has(row, WITH_CLASS_WEIGHTS))
        set(settings, "class-weight", class_weights);
    set_coefficients(settings, row);
}

/* Make a file of class weights of a name like this one. */
static void write_class_weights(const joint_row *row, char *path)
{
    const int file = mkstemp(path);
    if (file < 0)
        abort();
    for (int c = 0; c < (row->task == TASK_MULTICLASS ? 3 : 2); c++)
        if (dprintf(file, "%c,%.17g\n", 'a' + c, joint_class_weight[c]) < 0)
            abort();
    (void)close(file);
}

static void set_tokens(gb_settings *settings, const joint_tokens *tokens)
{
    if (tokens == NULL)
        return;
    set(settings, "sampler", tokens->sampler);
    if (tokens->steps == NULL)
        return;
    set(settings, "mh-steps", tokens->steps);
    set(settings, "mh-proposals", tokens->proposals);
    set(settings, "mh-compose", tokens->compose);
}

/* Make a file of a name like this one. */
static FILE *make_file(char *path)
{
    const int file = mkstemp(path);
    FILE *f = file < 0 ? NULL : fdopen(file, "w");
    if (f == NULL)
        abort();
    return f;
}

/* All groups and edges; groups are named p, q, ... */
static void write_graph(const psi_prior *p, char *path)
{
    FILE *f = make_file(path);
    fputs("from,to,weight,type\n", f);
    for (size_t e = 0; e < p->n_edges; e++)
        fprintf(f, "%c,%c,%.17g,t%u\n", 'p' + (int)p->edge[e].from, 'p' + (int)p->edge[e].to, p->edge[e].weight,
                p->edge[e].type);
    for (size_t g = 0; g < p->n_groups; g++)
        fprintf(f, "%c,,,\n", 'p' + (int)g);
    if (fclose(f) != 0)
        abort();
}

static void write_covariance(const psi_prior *p, size_t n, char *path)
{
    FILE *f = make_file(path);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            fprintf(f, "%.17g%c", p->sigma[i][j], j + 1 < n ? ',' : '\n');
    if (fclose(f) != 0)
        abort();
}

static void set_precision(gb_settings *settings, const char *name, double value)
{
    if (value > 0)
        set_number(settings, name, value);
    else
        set(settings, name, "gamma:3,2");
}

static void remove_psi_files(const gb_settings *settings)
{
    if (gb_settings_text(settings, "graph")[0] == '/')
        (void)unlink(gb_settings_text(settings, "graph"));
    if (gb_settings_text(settings, "psi-covariance")[0] == '/')
        (void)unlink(gb_settings_text(settings, "psi-covariance"));
}

static void set_psi(gb_settings *settings, const joint_row *row, char *graph, char *covariance)
{
    const psi_prior *p = row->psi;
    char mean[80];
    set(settings, "prior", p->is_graph ? "graph" : "logistic-normal");
    set(settings, "psi-update", row->psi_update);
    set(settings, "covariance", p->is_full ? "full" : "diagonal");
    const psi_regression *r = p->regression;
    const bool is_own = r != NULL && r->level_precision > 0;
    set_number(settings, "level-precision", is_own ? r->level_precision : PSI_LEVEL_PRECISION);
    set_number(settings, "level-mean", is_own ? r->level_mean : PSI_LEVEL_MEAN);
    if (r != NULL)
        set(settings, "prevalence", r->formula);
    if (r != NULL && r->has_horseshoe)
        set(settings, "prevalence-prior", "horseshoe");
    if (p->is_full && !p->covariance_is_sampled) {
        write_covariance(p, row->n_topics - 1, covariance);
        set(settings, "psi-covariance", covariance);
    } else if (!p->is_graph && !p->covariance_is_sampled) {
        set_number(settings, "psi-covariance", p->sigma[0][0]);
    }
    if (p->is_graph) {
        write_graph(p, graph);
        set(settings, "graph", graph);
        set_precision(settings, "evolution-precision", p->evolution);
        if (!p->is_full)
            set_precision(settings, "observation-precision", p->observation);
    } else if (!p->mean_is_sampled && r == NULL) {
        (void)snprintf(mean, sizeof mean, row->n_topics == 2 ? "%.17g" : "%.17g,%.17g", p->mean[0], p->mean[1]);
        set(settings, "psi-mean", mean);
    }
}

/* {"topic 1": {"word": strength, ...}, ...} */
static void set_seeds(gb_settings *settings, const joint_row *row)
{
    char text[400];
    size_t n = 0;
    for (size_t k = 0; k < 2; k++) {
        const char *before = "";
        n += (size_t)snprintf(text + n, sizeof text - n, "%s\"topic %zu\": {", k == 0 ? "{" : ", ", k + 1);
        for (size_t w = 0; w < row->corpus->n_words; w++)
            if (joint_seed_strength(row, k, w) > 0) {
                char name[WORD_SIZE];
                name_word(row, w, name);
                n += (size_t)snprintf(text + n, sizeof text - n, "%s\"%s\": %.17g", before, name,
                                      joint_seed_strength(row, k, w));
                before = ", ";
            }
        n += (size_t)snprintf(text + n, sizeof text - n, "}%s", k == 1 ? "}" : "");
    }
    set(settings, "seeds", text);
}

/* {"topic 1": ["word", ...], ...} */
static void set_keywords(gb_settings *settings, const joint_row *row)
{
    char text[200] = "{";
    size_t n = 1;
    unsigned keyword[MAX_KEYWORDS];
    for (size_t k = 0; k < row->n_topics; k++) {
        const size_t n_keywords = joint_keywords(row, k, keyword);
        if (n_keywords == 0)
            break;
        n += (size_t)snprintf(text + n, sizeof text - n, "%s\"topic %zu\": [", k == 0 ? "" : ", ", k + 1);
        for (size_t i = 0; i < n_keywords; i++) {
            char name[WORD_SIZE];
            name_word(row, keyword[i], name);
            n += (size_t)snprintf(text + n, sizeof text - n, "%s\"%s\"", i == 0 ? "" : ", ", name);
        }
        n += (size_t)snprintf(text + n, sizeof text - n, "]");
    }
    (void)snprintf(text + n, sizeof text - n, "}");
    set(settings, "seeds", text);
}

static gb_settings *make_settings(const joint_row *row, size_t n_sweeps, unsigned seed, const char *class_weights)
{
    gb_settings *settings = NULL;
    gb_error err = {.status = GB_OK};
    check(gb_settings_create(&settings, &err), &err);
    set_number(settings, "topics", (double)row->n_topics);
    set_number(settings, "beta", joint_plain_beta(row));
    if (has(row, WITH_SEEDS))
        set_seeds(settings, row);
    if (has(row, WITH_KEYWORDS))
        set_keywords(settings, row);
    if (row->prior != PRIOR_PSI)
        set(settings, "prior", row->prior == PRIOR_UNIFORM ? "uniform" : "dirichlet");
    if (row->prior == PRIOR_SYMMETRIC || row->prior == PRIOR_VECTOR)
        set_alpha(settings, row);
    char graph[] = "/tmp/joint-graph-XXXXXX", covariance[] = "/tmp/joint-covariance-XXXXXX";
    if (row->psi != NULL)
        set_psi(settings, row, graph, covariance);
    set_response(settings, row, class_weights);
    set(settings, "topic-treatment", row->blocks == 0 ? "sampled" : "blocks");
    if (row->blocks > 0)
        set_number(settings, "blocks", row->blocks);
    set_tokens(settings, row->tokens);
    set_number(settings, "sweeps", (double)n_sweeps);
    set_number(settings, "burn-in", (double)(n_sweeps / N_BATCHES));
    set_number(settings, "seed", seed);
    set(settings, "threads", "1");
    return settings;
}

/* ---- reading a chain ---- */

static void read_assignment(const gb_chain *chain, const joint_row *row, unsigned char *z)
{
    uint16_t topic[MAX_TOKENS];
    for (size_t d = 0; d < row->corpus->n_docs; d++) {
        gb_chain_assignment(chain, d, topic);
        for (size_t i = 0; i < row->corpus->length[d]; i++)
            *z++ = (unsigned char)topic[i];
    }
}

static size_t n_features_of(const joint_row *row)
{
    return row->n_topics + joint_n_covariates(row) + (row->intercept ? 1 : 0);
}

/* Parameters of output l that may be sampled. */
static joint_hidden read_hidden(const gb_chain *chain, const joint_row *row, size_t l)
{
    size_t own = l;
    const joint_row *part = joint_part_of(row, &own);
    const bool is_sampled = (row->with & (WITH_VARIANCE | WITH_WORD_VARIANCE | WITH_EMBEDDING_VARIANCE)) != 0;
    joint_hidden hidden = {.variance = is_sampled ? chain->scales.square[l] : JOINT_VARIANCE};
    const gb_response *response = &chain->response[part == row ? 0 : 1];
    joint_given_own(part, hidden.own);
    for (size_t i = 0; has(part, WITH_OWN) && i < response->n_own; i++)
        hidden.own[i] = response->own[i];
    return hidden;
}

static void read_coefficients(const joint_row *row, const double *eta, score_law *law)
{
    law->square = law->small = 0;
    for (size_t k = 0; k < row->n_topics; k++) {
        law->square += eta[k] * eta[k];
        law->small += 1 / (1 + eta[k] * eta[k]);
    }
    for (size_t p = 0; p < joint_n_covariates(row); p++) {
        law->g[p] = eta[row->n_topics + p];
        law->gg[p] = law->g[p] * law->g[p];
    }
    law->b = row->intercept ? eta[n_features_of(row) - 1] : 0;
    law->bb = law->b * law->b;
    law->tb = tanh(law->b);
}

/* The state of one output as a law without spread. */
static void read_output(const gb_chain *chain, const joint_row *row, size_t l, score_law *law)
{
    const size_t n = joint_n_outputs(row);
    const joint_hidden hidden = read_hidden(chain, row, l);
    for (size_t d = 0; d < row->corpus->n_docs; d++) {
        law->s[d] = chain->score[d * n + l];
        law->positive[d] = law->s[d] > 0;
        law->t[d] = tanh(law->s[d]);
        for (size_t e = 0; e <= d; e++) {
            law->ss[d][e] = law->s[d] * law->s[e];
            law->tt[d][e] = law->t[d] * law->t[e];
        }
    }
    read_coefficients(row, chain->eta + l * n_features_of(row), law);
    size_t own = l;
    joint_own_functions(joint_part_of(row, &own), hidden.own, law->own);
    law->log_variance = log(hidden.variance);
    law->small_variance = 1 / (1 + hidden.variance);
}

/* Number of a group of ours in the chain. */
static size_t group_number(const gb_chain *chain, size_t g)
{
    const gb_groups *groups = gb_prior_groups(chain->prior.setup);
    const char name = (char)('p' + (int)g);
    return groups == NULL ? 0 : gb_groups_find(groups, (gb_view){&name, 1});
}

static void read_regression(const gb_chain *chain, const joint_row *row, psi_state *out)
{
    const psi_prior *p = row->psi;
    const size_t n = psi_n_free(p, row->n_topics);
    const psi_columns columns = joint_columns(row);
    const gb_prior_values *values = &chain->prior.values;
    const double *gamma = gb_prior_values_of(values, "prevalence"),
                 *variance = gb_prior_values_of(values, "prevalence_variance"),
                 *sigma = gb_prior_values_of(values, "covariance"),
                 *precision = gb_prior_values_of(values, "observation_precision");
    gb_array documents;
    assert_true(gb_arrays_find(gb_prior_list, &chain->prior, "psi", &documents));
    const double *psi = gb_array_first(&documents);
    *out = (psi_state){.evolution = {0}};
    for (size_t t = 0; t < n; t++) {
        for (size_t d = 0; d < PSI_DOCS; d++)
            out->psi[d][t] = psi[d * n + t];
        for (size_t j = 0; j < columns.n; j++)
            out->gamma[j][t] = gamma[j * n + t];
        for (size_t b = 0; b < columns.n_parts; b++)
            out->variance[b][t] = variance[b * n + t];
        for (size_t b = 0; b < 2 && p->regression->has_horseshoe; b++)
            out->horseshoe[b][t] = variance[b * n + t];
        if (p->regression->has_horseshoe)
            out->variance[0][t] = variance[t] * variance[n + t];
        for (size_t s = 0; s < n; s++)
            out->sigma[t][s] = p->is_full ? sigma[t * n + s] : t == s ? 1 / precision[t] : 0;
    }
}

static void read_psi(const gb_chain *chain, const joint_row *row, psi_state *out)
{
    const psi_prior *p = row->psi;
    if (p->regression != NULL) {
        read_regression(chain, row, out);
        return;
    }
    const size_t n = row->n_topics - 1, n_groups = p->is_graph ? p->n_groups : 1;
    gb_array documents;
    assert_true(gb_arrays_find(gb_prior_list, &chain->prior, "psi", &documents));
    const double *psi = gb_array_first(&documents);
    const gb_prior_values *values = &chain->prior.values;
    const double *mean = gb_prior_values_of(values, "group_mean"), *sigma = gb_prior_values_of(values, "covariance"),
                 *precision = gb_prior_values_of(values, "observation_precision"),
                 *evolution = gb_prior_values_of(values, "evolution_precision");
    *out = (psi_state){.evolution = {0}};
    for (size_t t = 0; t < n; t++) {
        for (size_t d = 0; d < PSI_DOCS; d++)
            out->psi[d][t] = psi[d * n + t];
        for (size_t g = 0; g < n_groups; g++)
            out->mean[g][t] = mean[group_number(chain, g) * n + t];
        for (size_t j = 0; j < n; j++)
            out->sigma[t][j] = p->is_full ? sigma[t * n + j] : t != j ? 0 : 1 / precision[p->is_graph ? 0 : t];
    }
    for (size_t r = 0; r < p->n_types; r++) /* types are t0, t1 in the order of the edges */
        out->evolution[r] = evolution[r];
}

static size_t read_chain(const gb_chain *chain, const joint_row *row, double *x)
{
    unsigned char z[MAX_TOKENS];
    score_law law[MAX_OUTPUTS];
    read_assignment(chain, row, z);
    for (size_t l = 0; l < joint_n_outputs(row); l++)
        read_output(chain, row, l, &law[l]);
    psi_state state;
    psi_law psi;
    if (row->psi != NULL) {
        read_psi(chain, row, &state);
        const psi_columns columns = joint_columns(row);
        psi_law_of_state(row->psi, &columns, row->n_topics, &state, &psi);
    }
    return joint_quantities(row, z, law, row->psi == NULL ? NULL : &psi, x, NULL);
}

static double log_normal(double x, double variance)
{
    return -x * x / (2 * variance) - log(2 * M_PI * variance) / 2;
}

/* log of the density of log x for a half-Cauchy x. */
static double log_of_scale(double x)
{
    return log(2 * x / (M_PI * (1 + x * x)));
}

/* log p(eta, scales) of an output, a sampled variance apart. */
static double log_of_coefficients(const gb_chain *chain, const joint_row *row, size_t l, const double *eta)
{
    const double *square = row->horseshoe ? chain->scales.square + l * (row->n_topics + 1) : NULL; /* tau^2, lam^2 */
    const double variance = read_hidden(chain, row, l).variance;
    double log_p = row->intercept ? log_normal(eta[n_features_of(row) - 1], JOINT_INTERCEPT_VARIANCE) : 0;
    log_p += row->horseshoe ? log_of_scale(sqrt(square[0])) : 0;
    for (size_t k = 0; k < row->n_topics; k++) {
        if (row->horseshoe)
            log_p += log_of_scale(sqrt(square[1 + k])) + log_normal(eta[k], square[0] * square[1 + k]);
        else
            log_p += log_normal(eta[k], joint_topic_variance(row, variance));
    }
    size_t output = l;
    const joint_row *part = joint_part_of(row, &output);
    for (size_t p = 0; p < joint_n_covariates(row); p++)
        log_p += log_normal(eta[row->n_topics + p], joint_covariate_variance(part, p, variance));
    return log_p;
}

static double score_of(const joint_row *row, size_t d, const unsigned char *z, const double *eta)
{
    const size_t length = row->corpus->length[d];
    double s = row->intercept ? eta[n_features_of(row) - 1] : 0;
    for (size_t i = 0; i < length; i++)
        s += eta[z[i]] / (double)length;
    for (size_t p = 0; p < joint_n_covariates(row); p++)
        s += eta[row->n_topics + p] * joint_covariate(row, d, p);
    return s;
}

/* Scores and log joint of the current state, worked out anew from its assignment and coefficients. */
/* log p(Z) + log p(W, s | Z): the chain knows which tokens come from keywords. */
static double log_tokens(const gb_chain *chain, const joint_row *row, const unsigned char *z)
{
    unsigned switched[MAX_TOPICS][MAX_KEYWORDS] = {{0}};
    const gb_keywords *k = &chain->topics.keywords;
    for (size_t i = 0; i < k->n_pairs; i++) {
        unsigned keyword[MAX_KEYWORDS];
        const size_t n = joint_keywords(row, k->topic[i], keyword);
        for (size_t j = 0; j < n; j++)
            if (keyword[j] == k->word[k->at[i]])
                switched[k->topic[i]][j] = (unsigned)k->switched[i];
    }
    return joint_log_switched_tokens(row, z, switched);
}

static void check_state(gb_chain *chain, const joint_row *row)
{
    unsigned char z[MAX_TOKENS];
    const size_t n_outputs = joint_n_outputs(row), n_features = n_features_of(row);
    read_assignment(chain, row, z);
    double log_joint = log_tokens(chain, row, z);
    if (row->psi != NULL) {
        psi_state state;
        read_psi(chain, row, &state);
        const psi_columns columns = joint_columns(row);
        log_joint += psi_log_density(row->psi, &columns, row->n_topics, row->corpus->length, z, &state);
    }
    for (size_t l = 0; l < n_outputs; l++) {
        const double *eta = chain->eta + l * n_features;
        const joint_hidden hidden = read_hidden(chain, row, l);
        size_t own = l;
        const joint_row *part = joint_part_of(row, &own);
        log_joint += log_of_coefficients(chain, row, l, eta) + joint_log_hidden(part, &hidden);
        for (size_t d = 0, i = 0; d < row->corpus->n_docs; i += row->corpus->length[d++]) {
            const joint_target target = joint_target_of(row, d, l);
            const double s = score_of(row, d, z + i, eta);
            assert_true(fabs(s - chain->score[d * n_outputs + l]) < 1e-12 * fmax(1, fabs(s)));
            log_joint += joint_log_likelihood(part, FAULT_NONE, &target, hidden.own, s);
        }
    }
    double reported;
    gb_error err = {.status = GB_OK};
    check(gb_chain_log_joint(chain, &reported, &err), &err);
    assert_true(fabs(reported - log_joint) < 1e-9 * fmax(1, fabs(log_joint)));
}

/* No option gives them. */
static void fix_cut_points(const joint_row *row, gb_target *target)
{
    double given[MAX_OWN];
    joint_given_own(row, given);
    for (size_t i = 0; i < target->response.n_own; i++)
        target->own[i] = given[i];
    target->response.samples_own = false;
}

/* Columns are those of the exact side: put there, or found there.  Of the prior, what no option gives. */
static void set_columns(const joint_row *row, gb_prior_setup *prior)
{
    const psi_columns columns = joint_columns(row);
    gb_sparse_columns *x = &((gb_psi_setup *)prior->own)->regression->columns;
    assert_int_equal(x->n_columns, columns.n);
    for (size_t d = 0; d < PSI_DOCS; d++) {
        double sum = 0, wanted = 0;
        for (uint64_t i = x->doc_start[d]; i < x->doc_start[d + 1]; i++) {
            const double value = columns.row[d][x->column[i]];
            if (regression_of(row)->is_raw || regression_of(row)->is_zero)
                x->value[i] = value;
            assert_true(fabs(x->value[i] - value) < 1e-9);
            sum += x->value[i];
        }
        for (size_t j = 0; j < columns.n; j++)
            wanted += columns.row[d][j];
        assert_true(fabs(sum - wanted) < 1e-9); /* no entry is missing */
    }
}

static void set_variances(const joint_row *row, gb_chain *chain)
{
    const psi_regression *r = regression_of(row);
    gb_prevalence *p = &((gb_psi_state *)chain->prior.state)->prevalence;
    if (r->fixed_variance > 0)
        p->settings.fixed_variance = r->fixed_variance;
    if (r->scale > 0)
        p->settings.scale = r->scale;
}

void joint_measure(const joint_row *row, size_t n_sweeps, unsigned seed, joint_measurement *out)
{
    gb_error err = {.status = GB_OK};
    gb_corpus *corpus = build_corpus(row);
    char class_weights[] = "/tmp/joint-weights-XXXXXX";
    if (has(row, WITH_CLASS_WEIGHTS))
        write_class_weights(row, class_weights);
    gb_settings *settings = make_settings(row, n_sweeps, seed, class_weights);
    gb_spec spec;
    gb_chain *chain = NULL;
    double x[MAX_QUANTITIES], batch[MAX_QUANTITIES];
    const size_t per_batch = n_sweeps / N_BATCHES;
    check(gb_spec_resolve(corpus, settings, &spec, &err), &err);
    spec.seeds.law = (gb_keyword_law){JOINT_KEYWORD_BETA, JOINT_FROM_KEYWORDS, JOINT_FROM_ALL};
    if (row->response == RESPONSE_ORDINAL && !has(row, WITH_OWN))
        fix_cut_points(row, &spec.response[0].target);
    if (regression_of(row) != NULL)
        set_columns(row, &spec.prior);
    check(gb_chain_begin(&chain, corpus, &spec, 0, &err), &err);
    if (regression_of(row) != NULL)
        set_variances(row, chain);
    if (has(row, WITH_CLASS_WEIGHTS))
        (void)unlink(class_weights);
    if (row->psi != NULL)
        remove_psi_files(settings);
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < per_batch; i++) /* one batch of burn-in */
        check(gb_recipe_sweep(chain, &err), &err);
    for (size_t b = 0; b < N_BATCHES; b++) {
        memset(batch, 0, sizeof batch);
        for (size_t i = 0; i < per_batch; i++) {
            check(gb_recipe_sweep(chain, &err), &err);
            out->n = read_chain(chain, row, x);
            for (size_t q = 0; q < out->n; q++)
                batch[q] += x[q];
        }
        for (size_t q = 0; q < out->n; q++) {
            const double mean = batch[q] / (double)per_batch, step = mean - out->mean[q];
            out->mean[q] += step / (double)(b + 1); /* running mean and sum of squares, after Welford */
            out->error[q] += step * (mean - out->mean[q]);
        }
        check_state(chain, row);
    }
    for (size_t q = 0; q < out->n; q++)
        out->error[q] = sqrt(out->error[q] / (N_BATCHES - 1) / N_BATCHES);
    gb_chain_free(chain);
    gb_spec_clear(&spec);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

double joint_z(const joint_measurement *measured, const double *exact, size_t i)
{
    const double difference = measured->mean[i] - exact[i];
    if (fabs(difference) < 1e-6 && measured->error[i] < 1e-6)
        return 0;
    return difference / measured->error[i];
}
