/* helper_joint.c - the tiny corpora, and the list of quantities; no call of the library. */
#include "helper_joint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const joint_corpus corpus_full = {.name = "full",
                                  .n_docs = 3,
                                  .n_words = 4,
                                  .length = {3, 3, 2},
                                  .word = {0, 1, 0, 1, 2, 3, 3, 2},
                                  .label = {{"b", "a", "b"}, {"a", "b", "c"}, {"a", "ab", ""}},
                                  .number = {1.2, -0.7, 0.4},
                                  .count = {3, 0, 1},
                                  .weight = {1.6, 0.5, 0.9},
                                  .exposure = {2, 0.5, 1.3},
                                  .measurement = {0.7, -1.1, 0.2},
                                  .level = {'u', 'v', 'u'}};

const joint_corpus corpus_short = {.name = "short",
                                   .n_docs = 3,
                                   .n_words = 4,
                                   .length = {3, 1, 3},
                                   .word = {2, 0, 2, 1, 3, 1, 2},
                                   .label = {{"a", "b", "b"}, {"c", "b", "a"}, {"b", "a", "a"}},
                                   .number = {-0.9, 0.3, 1.5},
                                   .count = {1, 4, 0},
                                   .weight = {0.7, 1.8, 1.2},
                                   .exposure = {0.6, 1.7, 2.5},
                                   .measurement = {-0.4, 1.3, 0.6},
                                   .level = {'v', 'u', 'v'}};

const joint_corpus corpus_hollow = {.name = "hollow",
                                    .n_docs = 3,
                                    .n_words = 5,
                                    .length = {3, 0, 3},
                                    .word = {0, 1, 2, 3, 0, 3},
                                    .label = {{"b", "b", "a"}, {"b", "a", "c"}, {"", "a", "b"}},
                                    .number = {0.8, 1.6, -0.5},
                                    .count = {2, 1, 5},
                                    .weight = {1.4, 0.6, 2},
                                    .exposure = {1.5, 0.4, 3},
                                    .measurement = {1.2, 0.5, -0.8},
                                    .level = {'u', 'v', 'v'}};

const joint_corpus corpus_partial = {.name = "partial",
                                     .n_docs = 4,
                                     .n_words = 4,
                                     .length = {2, 1, 2, 2},
                                     .word = {0, 1, 1, 2, 0, 3, 3},
                                     .label = {{"b", "a", NULL, "b"}, {"a", "b", NULL, "c"}, {"b", "a", NULL, "ab"}},
                                     .number = {1.1, -0.2, NAN, 0.6},
                                     .count = {0, 2, NAN, 3},
                                     .weight = {0.5, 1.5, 2, 1.1},
                                     .exposure = {0.7, 2, 1.2, 1.6},
                                     .measurement = {-0.6, 0.9, 1.4, 0.3},
                                     .level = {'v', 'u', 'v', 'u'}};

const joint_corpus corpus_partial_hollow = {
    .name = "partial hollow",
    .n_docs = 4,
    .n_words = 5,
    .length = {3, 2, 0, 2},
    .word = {0, 4, 1, 2, 1, 3, 0},
    .label = {{"b", "a", "b", NULL}, {"c", "b", "a", NULL}, {"ab", "b", "a", NULL}},
    .number = {-1.3, 0.9, 0.5, NAN},
    .count = {4, 1, 0, NAN},
    .weight = {1.3, 0.6, 1.7, 0.4},
    .exposure = {2.2, 0.8, 1.4, 0.5},
    .measurement = {0.3, -0.9, 1.1, 0.8},
    .level = {'u', 'v', 'v', 'u'}};

double joint_alpha(const joint_row *row, size_t topic)
{
    static const double of_two[] = {0.5, 1.4}, of_three[] = {0.4, 1.2, 0.7};
    if (row->prior == PRIOR_VECTOR)
        return row->n_topics == 2 ? of_two[topic] : of_three[topic];
    return 0.8;
}

double joint_seed_strength(const joint_row *row, size_t topic, size_t word)
{
    static const double strength[2][4] = {{1.5, 0.4, 0, 0}, {0.5, 0, 0, 2}};
    return (row->with & WITH_SEEDS) != 0 && topic < 2 && word < 4 ? strength[topic][word] : 0;
}

size_t joint_bag(const joint_row *row, size_t word)
{
    return (row->with & WITH_BAGS) != 0 ? word % 2 : 0;
}

double joint_plain_beta(const joint_row *row)
{
    return row->corpus->beta > 0 ? row->corpus->beta : JOINT_BETA;
}

double joint_beta(const joint_row *row, size_t topic, size_t word)
{
    const double strength = joint_seed_strength(row, topic, word);
    double n = 0;
    for (size_t i = 0; i < joint_n_tokens(row); i++)
        n += row->corpus->word[i] == word;
    return joint_plain_beta(row) + (strength > 0 ? fmax(1, floor(strength * n + 0.5)) : 0);
}

size_t joint_keywords(const joint_row *row, size_t topic, unsigned keyword[MAX_KEYWORDS])
{
    static const size_t n[] = {2, 1};
    if ((row->with & WITH_KEYWORDS) == 0 || topic >= sizeof n / sizeof n[0])
        return 0;
    for (size_t i = 0; i < n[topic]; i++)
        keyword[i] = (unsigned)(i + topic); /* the second word is in both */
    return n[topic];
}

size_t joint_n_outputs(const joint_row *row)
{
    static const size_t outputs[] = {1, 3, 2, 1, 1, 1};
    return (row->response == RESPONSE_NONE ? 0 : outputs[row->task]) + (row->also != NULL ? 1 : 0);
}

const joint_row *joint_part_of(const joint_row *row, size_t *output)
{
    const size_t n_own = joint_n_outputs(row) - (row->also != NULL ? 1 : 0);
    if (*output < n_own)
        return row;
    *output -= n_own;
    return row->also;
}

size_t joint_n_tokens(const joint_row *row)
{
    size_t n = 0;
    for (size_t d = 0; d < row->corpus->n_docs; d++)
        n += row->corpus->length[d];
    return n;
}

static bool row_has(const joint_row *row, joint_with what)
{
    return (row->with & (unsigned)what) != 0;
}

static size_t n_fields(const joint_row *row)
{
    return (row_has(row, WITH_NUMBER) ? 1u : 0u) + (row_has(row, WITH_FACTOR) ? 2u : 0u);
}

static size_t n_word_columns(const joint_row *row)
{
    return row_has(row, WITH_WORDS) || row_has(row, WITH_WORD_VARIANCE) ? row->corpus->n_words : 0;
}

static size_t n_embedding_columns(const joint_row *row)
{
    return row_has(row, WITH_EMBEDDING) || row_has(row, WITH_EMBEDDING_VARIANCE) ? JOINT_EMBEDDING_WIDTH : 0;
}

static size_t first_word_column(const joint_row *row)
{
    return n_fields(row) + n_embedding_columns(row);
}

size_t joint_n_covariates(const joint_row *row)
{
    return first_word_column(row) + n_word_columns(row);
}

double joint_embedding(const joint_row *row, size_t doc, size_t j)
{
    return j == 0 ? (double)(float)row->corpus->measurement[doc] : 10 + 0.25 * (double)doc - (double)(doc % 2);
}

/* Factors have dummies in the order of their classes; the reference is the more frequent level. */
psi_columns joint_columns(const joint_row *row)
{
    psi_columns out = {0};
    if (row->psi == NULL || row->psi->regression == NULL)
        return out;
    const psi_regression *r = row->psi->regression;
    const joint_corpus *c = row->corpus;
    double mean = 0, square = 0, n_u = 0;
    for (size_t d = 0; d < PSI_DOCS; d++) {
        mean += c->measurement[d] / PSI_DOCS;
        n_u += c->level[d] == 'u';
    }
    for (size_t d = 0; d < PSI_DOCS; d++)
        square += pow(c->measurement[d] - mean, 2) / PSI_DOCS;
    for (size_t d = 0; d < PSI_DOCS; d++) {
        double *x = out.row[d];
        out.n = 0;
        out.part[out.n] = -1;
        x[out.n++] = 1;
        if (r->has_x) {
            out.part[out.n] = r->has_horseshoe ? 0 : -2;
            x[out.n++] = r->is_zero ? 0 : r->is_raw ? c->measurement[d] : (c->measurement[d] - mean) / sqrt(square);
        }
        if (r->has_level) {
            out.part[out.n] = -2;
            x[out.n++] = c->level[d] == (2 * n_u >= PSI_DOCS ? 'v' : 'u');
        }
        for (char level = 'u'; r->has_random && level <= 'v'; level++) {
            out.part[out.n] = 0;
            x[out.n++] = c->level[d] == level;
        }
    }
    out.n_parts = r->has_random || r->has_horseshoe;
    return out;
}

/* Mean 0 and variance 1 over the documents, in single precision. */
static double standardised(const joint_row *row, size_t doc, size_t j)
{
    const size_t n = row->corpus->n_docs;
    double mean = 0, square = 0;
    for (size_t d = 0; d < n; d++)
        mean += joint_embedding(row, d, j) / (double)n;
    for (size_t d = 0; d < n; d++)
        square += pow(joint_embedding(row, d, j) - mean, 2) / (double)n;
    return (double)(float)((joint_embedding(row, doc, j) - mean) / sqrt(square));
}

static size_t count_word(const joint_corpus *corpus, size_t doc, size_t word)
{
    size_t first = 0, n = 0;
    for (size_t d = 0; d < doc; d++)
        first += corpus->length[d];
    for (size_t i = first; i < first + corpus->length[doc]; i++)
        n += corpus->word[i] == word;
    return n;
}

static double raw_tfidf(const joint_corpus *corpus, size_t doc, size_t word)
{
    size_t n_with = 0;
    const size_t n = count_word(corpus, doc, word);
    for (size_t d = 0; d < corpus->n_docs; d++)
        n_with += count_word(corpus, d, word) > 0;
    return n == 0 ? 0 : (1 + log((double)n)) * (1 + log((1 + (double)corpus->n_docs) / (1 + (double)n_with)));
}

static double tfidf(const joint_corpus *corpus, size_t doc, size_t word)
{
    double square = 0;
    for (size_t w = 0; w < corpus->n_words; w++)
        square += raw_tfidf(corpus, doc, w) * raw_tfidf(corpus, doc, w);
    return square > 0 ? raw_tfidf(corpus, doc, word) / sqrt(square) : 0;
}

double joint_covariate(const joint_row *row, size_t doc, size_t p)
{
    if (p >= first_word_column(row))
        return tfidf(row->corpus, doc, p - first_word_column(row));
    if (p >= n_fields(row))
        return standardised(row, doc, p - n_fields(row));
    if (p == 0 && row_has(row, WITH_NUMBER))
        return row->corpus->measurement[doc];
    const size_t first = n_fields(row) - 2;
    return row->corpus->level[doc] == (p == first ? 'u' : 'v');
}

double joint_topic_variance(const joint_row *row, double hidden)
{
    return row_has(row, WITH_WORD_VARIANCE) || row_has(row, WITH_EMBEDDING_VARIANCE) ? JOINT_VARIANCE : hidden;
}

bool joint_covariate_variance_is_given(const joint_row *row)
{
    return row->cost == 1 && row->also == NULL;
}

double joint_covariate_variance(const joint_row *row, size_t p, double hidden)
{
    const double of_fields = joint_covariate_variance_is_given(row) ? JOINT_COVARIATE_VARIANCE : 1 / row->cost;
    const double of_words = row_has(row, WITH_WORD_VARIANCE) ? hidden : JOINT_WORD_VARIANCE;
    const double of_embedding = row_has(row, WITH_EMBEDDING_VARIANCE) ? hidden : JOINT_EMBEDDING_VARIANCE;
    return p < n_fields(row) ? of_fields : p < first_word_column(row) ? of_embedding : of_words;
}

double joint_variance_scale(const joint_row *row)
{
    if (row_has(row, WITH_EMBEDDING_VARIANCE))
        return 1 / (double)JOINT_EMBEDDING_WIDTH;
    return 1; /* of words, whose squares add up to 1 in each document, too */
}

/* ---- targets ---- */

const double joint_class_weight[3] = {0.6, 1.7, 1.2};

/* A document weighs what its class does; of several classes, each output by itself, y = -1 weighs 1. */
static double class_weight_of(const joint_row *row, const char *classes, size_t output)
{
    if (!row_has(row, WITH_CLASS_WEIGHTS))
        return 1;
    if (row->task == TASK_MULTILABEL)
        return strchr(classes, (char)('a' + (int)output)) != NULL ? joint_class_weight[output] : 1;
    return joint_class_weight[classes[0] - 'a'];
}

joint_target joint_target_of(const joint_row *row, size_t doc, size_t output)
{
    row = joint_part_of(row, &output);
    const joint_corpus *c = row->corpus;
    joint_target target = {.y = NAN, .weight = 1, .offset = 0};
    if (row_has(row, WITH_DOCUMENT_WEIGHTS))
        target.weight = c->weight[doc];
    if (row_has(row, WITH_EXPOSURE))
        target.offset = log(c->exposure[doc]);
    if (row->task == TASK_NUMBER) {
        target.y = row->response == RESPONSE_NEGATIVE_BINOMIAL ? c->count[doc] : c->number[doc];
        return target;
    }
    const joint_task task = row->task == TASK_TWO_LEVELS     ? TASK_BINARY
                            : row->task == TASK_THREE_LEVELS ? TASK_MULTICLASS
                                                             : row->task;
    const char *classes = c->label[task][doc];
    if (classes == NULL)
        return target;
    if (row->response == RESPONSE_ORDINAL) {
        target.y = classes[0] - 'a' + 1;
        return target;
    }
    const char wanted = row->task == TASK_BINARY ? 'b' : (char)('a' + (int)output);
    target.y = strchr(classes, wanted) != NULL ? 1 : -1;
    target.weight *= class_weight_of(row, classes, output);
    return target;
}

/* ---- names ---- */

static void response_name(const joint_row *row, char *out, size_t size)
{
    static const char *const names[] = {"no response", "hinge",    "logistic",          "probit",
                                        "insensitive", "gaussian", "negative binomial", "ordinal"},
                             *const letters[] = {"", "ell", "", "", "epsilon", "rho2", "r", "cut points"},
                             *const tasks[] = {", binary", ", multiclass", ", multilabel",
                                               "",         ", two levels", ", three levels"};
    const joint_response r = row->response;
    size_t n = (size_t)snprintf(out, size, "%s", names[r]);
    if (r == RESPONSE_NONE)
        return;
    if (r != RESPONSE_PROBIT && r != RESPONSE_ORDINAL)
        n += (size_t)snprintf(out + n, size - n, " c %g", row->cost);
    if (row_has(row, WITH_OWN))
        n += (size_t)snprintf(out + n, size - n, " %s sampled", letters[r]);
    else if (letters[r][0] != '\0')
        n += (size_t)snprintf(out + n, size - n, " %s %g", letters[r], row->parameter);
    snprintf(out + n, size - n, "%s", tasks[row->task]);
}

static void extras_name(const joint_row *row, char *out, size_t size)
{
    static const char *const names[] = {"document weights",
                                        "class weights",
                                        "exposure",
                                        "a number",
                                        "a factor",
                                        "",
                                        "sampled variance",
                                        "words",
                                        "words of sampled variance",
                                        "an embedding",
                                        "an embedding of sampled variance",
                                        "seeds",
                                        "keywords"};
    size_t n = 0;
    out[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if ((row->with >> i & 1) != 0 && names[i][0] != '\0')
            n += (size_t)snprintf(out + n, size - n, ", %s", names[i]);
}

static void token_name(const joint_tokens *t, char *out, size_t size)
{
    if (t->steps == NULL)
        snprintf(out, size, ", %s", t->sampler);
    else
        snprintf(out, size, ", %s of %s %s %s", t->compose, t->steps, t->sampler, t->proposals);
}

void joint_row_name(const joint_row *row, char *out, size_t size)
{
    static const char *const priors[] = {"dirichlet", "unequal alpha", "uniform", ""}, *const samplers[] = {
                                                                                           "", ", coordinate",
                                                                                           ", mixed", ", conjugate"};
    char response[64], second[64] = "", prior[80] = "", treatment[32] = "sampled", extras[80], tokens[60] = "";
    response_name(row, response, sizeof response);
    if (row->also != NULL)
        response_name(row->also, second, sizeof second);
    extras_name(row, extras, sizeof extras);
    if (row->tokens != NULL)
        token_name(row->tokens, tokens, sizeof tokens);
    if (row->blocks > 0)
        snprintf(treatment, sizeof treatment, "B %d", row->blocks);
    if (row->psi != NULL)
        snprintf(prior, sizeof prior, "%s, %s", row->psi->name, row->psi_update);
    snprintf(out, size, "%s%s, %s%s%s, %s, K %zu%s, %s%s%s%s%s", priors[row->prior], prior, response,
             row->also != NULL ? " and " : "", second, treatment, row->n_topics,
             row->intercept ? " and intercept" : "", row->corpus->name, row->horseshoe ? ", horseshoe" : "",
             samplers[row->sampler], extras, tokens);
}

/* ---- quantities ---- */

struct list {
    size_t n;
    double *x;
    char (*name)[NAME_SIZE];
};

static void add(struct list *list, double x, const char *name, size_t a, size_t b)
{
    if (list->x != NULL)
        list->x[list->n] = x;
    if (list->name != NULL)
        snprintf(list->name[list->n], NAME_SIZE, "%s %zu %zu", name, a, b);
    list->n++;
}

static void add_document(struct list *list, const joint_row *row, size_t d, const unsigned char *z, double *distinct)
{
    unsigned n_dk[MAX_TOPICS] = {0};
    for (size_t i = 0; i < row->corpus->length[d]; i++)
        n_dk[z[i]]++;
    *distinct = 0;
    for (size_t k = 0; k < row->n_topics; k++) {
        *distinct += n_dk[k] > 0;
        if (row->prior == PRIOR_VECTOR || row->prior == PRIOR_PSI)
            add(list, n_dk[k], "n_dk", d, k);
    }
    add(list, *distinct, "topics of document", d, 0);
}

static void add_output(struct list *list, const joint_row *row, size_t l, const score_law *law,
                       const double *distinct)
{
    for (size_t d = 0; d < row->corpus->n_docs; d++) {
        add(list, law->s[d], "s_dl", d, l);
        add(list, law->positive[d], "s_dl > 0", d, l);
        add(list, law->s[d] * distinct[d], "s_dl x topics of document", d, l);
        for (size_t e = 0; e <= d; e++)
            add(list, law->ss[d][e], d == e ? "s_dl^2" : "s_dl s_el", d, l);
    }
    add(list, law->square, "sum of eta_lk^2", l, 0);
    if (row->intercept) {
        add(list, law->b, "intercept", l, 0);
        add(list, law->bb, "intercept^2", l, 0);
    }
    for (size_t p = 0; p < joint_n_covariates(row); p++) {
        add(list, law->g[p], "covariate", l, p);
        add(list, law->gg[p], "covariate^2", l, p);
    }
}

/* The horseshoe has no moments, and quadrature on a fixed grid cannot see where a score changes its sign. */
static void add_bounded(struct list *list, const joint_row *row, size_t l, const score_law *law,
                        const double *distinct)
{
    for (size_t d = 0; d < row->corpus->n_docs; d++) {
        add(list, law->t[d], "tanh s_dl", d, l);
        add(list, law->t[d] * distinct[d], "tanh s_dl x topics of document", d, l);
        for (size_t e = 0; e <= d; e++)
            add(list, law->tt[d][e], "tanh s_dl tanh s_el", d, l);
    }
    add(list, law->small, "sum of 1 / (1 + eta_lk^2)", l, 0);
    if (row->intercept)
        add(list, law->tb, "tanh of intercept", l, 0);
}

/* A sampled variance leaves two moments or none, too; here quadrature sees the signs. */
static void add_signs(struct list *list, const joint_row *row, size_t l, const score_law *law, const double *distinct)
{
    for (size_t d = 0; d < row->corpus->n_docs; d++) {
        add(list, law->positive[d], "s_dl > 0", d, l);
        add(list, law->positive[d] * distinct[d], "(s_dl > 0) x topics of document", d, l);
    }
    add(list, law->log_variance, "log of the coefficients' variance", l, 0);
    add(list, law->small_variance, "1 / (1 + the coefficients' variance)", l, 0);
}

/* Of columns whose variance is sampled moments need not exist. */
static void add_coefficients(struct list *list, const joint_row *row, const psi_law *psi)
{
    const psi_columns columns = joint_columns(row);
    const size_t n_free = psi_n_free(row->psi, row->n_topics);
    for (size_t j = 0; j < columns.n; j++)
        for (size_t t = 0; t < n_free && columns.part[j] < 0; t++) {
            add(list, psi->gamma[j * n_free + t], "coefficient", j, t);
            add(list, psi->gamma_square[j * n_free + t], "coefficient^2", j, t);
        }
    if (n_free > 1 && columns.n > 1 && columns.part[1] < 0)
        add(list, psi->gamma_product, "product of coefficients", 1, 0);
}

/* Topics are told apart by their priors and by the last one's log weight, 0. */
static void add_psi(struct list *list, const joint_row *row, const psi_law *psi)
{
    static const psi_law none;
    psi = psi == NULL ? &none : psi; /* for names */
    for (size_t d = 0; d < row->corpus->n_docs; d++) {
        for (size_t k = 0; k < row->n_topics; k++) {
            add(list, psi->share[d][k], "theta_dk", d, k);
            add(list, psi->square[d][k], "theta_dk^2", d, k);
        }
        for (size_t e = 0; e < d; e++)
            add(list, psi->product[d][e], "theta_d1 theta_e1", d, e);
    }
    const size_t n_groups = row->psi->is_graph ? row->psi->n_groups : row->psi->mean_is_sampled;
    for (size_t g = 0; g < n_groups && row->n_topics == 2; g++)
        add(list, psi->mean[g], "group mean", g, 0);
    for (size_t i = 0; i < psi_n_hyper(row->psi, row->n_topics); i++)
        add(list, psi->hyper[i], "precision or covariance", i, 0);
    if (row->psi->regression != NULL)
        add_coefficients(list, row, psi);
}

size_t joint_quantities(const joint_row *row, const unsigned char *z, const score_law *law, const psi_law *psi,
                        double *x, char (*name)[NAME_SIZE])
{
    struct list list = {.x = x, .name = name};
    double distinct[MAX_DOCS];
    const size_t n_tokens = joint_n_tokens(row), n_outputs = joint_n_outputs(row);
    for (size_t i = 0; i < n_tokens; i++)
        for (size_t j = 0; j < i; j++)
            add(&list, z[i] == z[j], "z_i = z_j", i, j);
    for (size_t d = 0, first = 0; d < row->corpus->n_docs; first += row->corpus->length[d++])
        add_document(&list, row, d, z + first, &distinct[d]);
    if (row->psi != NULL)
        add_psi(&list, row, psi);
    for (size_t l = 0; l < n_outputs; l++) {
        if (row_has(row, WITH_VARIANCE) || row_has(row, WITH_WORD_VARIANCE))
            add_signs(&list, row, l, &law[l], distinct);
        else
            (row->horseshoe ? add_bounded : add_output)(&list, row, l, &law[l], distinct);
    }
    for (size_t l = 0; l < n_outputs; l++) {
        size_t own = l;
        if (!row_has(joint_part_of(row, &own), WITH_OWN))
            continue;
        add(&list, law[l].own[0], "own parameter", l, 0);
        add(&list, law[l].own[1], "own parameter, another function or number", l, 0);
    }
    return list.n;
}
