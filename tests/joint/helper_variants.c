/* helper_variants.c - see helper_variants.h. */
#include "helper_variants.h"

#include "helper_effort.h"

#include "plan/spec.h"
#include "random/random.h"
#include "recipe/start.h"
#include "recipe/sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* the last member of variants: a Dirichlet prior */

const variant variants[N_VARIANTS] = {
    {"hinge", "blocks", "4", "11", "normal", "block", "auto"},
    {"hinge", "sampled", "auto", "11", "normal", "block", "auto"},
    {"logistic", "blocks", "4", "11", "normal", "block", "auto"},
    {"logistic", "sampled", "auto", "11", "normal", "block", "auto"},
    {"hinge", "blocks", "4", "11", "horseshoe", "block", "auto"},
    {"logistic", "sampled", "auto", "11", "horseshoe", "coordinate", "auto"},
    {"hinge", "blocks", "4", "11", "normal", "coordinate", "auto"},
    {"probit", "blocks", "4", "11", "normal", "block", "auto"},
    {"probit", "sampled", "auto", "11", "horseshoe", "block", "auto"},
    {"ordinal", "blocks", "4", "11", "normal", "block", "auto"},
    {"ordinal", "sampled", "auto", "11", "horseshoe", "coordinate", "mh"},
    {"hinge", "blocks", "4", "11", "normal", "block", "mh"},
    {"hinge", "sampled", "auto", "11", "normal", "block", "mh"},
    {"probit", "blocks", "4", "11", "normal", "block", "mh"},
    {"none", "blocks", "4", "11", "normal", "block", "dense"},
    {"none", "blocks", "4", "11", "normal", "block", "sparse"},
    {"none", "sampled", "auto", "11", "normal", "block", "sparse"},
    {"hinge", "blocks", "4", "11", "normal", "block", "sparse"},
    {"none", "blocks", "4", "11", "normal", "block", "dense", "interval"},
    {"hinge", "blocks", "4", "11", "normal", "block", "auto", "polya-gamma"},
    {"hinge", "sampled", "auto", "11", "normal", "block", "mh", "auto"},
    {"logistic", "blocks", "4", "11", "normal", "block", "sparse", "full"},
    {"hinge", "blocks", "4", "11", "normal", "block", "auto", "graph"},
    {"none", "blocks", "4", "11", "normal", "block", "dense", "full graph"},
    {"hinge", "blocks", "4", "11", "normal", "mixed", "auto", NULL, "tfidf"},
    {"logistic", "blocks", "4", "11", "normal", "conjugate", "auto", NULL, "tfidf"},
    {"probit", "sampled", "auto", "11", "horseshoe", "coordinate", "auto", NULL, "presence"},
    {"logistic", "blocks", "4", "11", "normal", "block", "auto", NULL, NULL, true},
    {"probit", "blocks", "4", "11", "normal", "mixed", "auto", NULL, "tfidf", true},
    {"hinge", "sampled", "auto", "11", "horseshoe", "coordinate", "auto", NULL, NULL, true},
    {"hinge", "blocks", "4", "11", "normal", "block", "mh", NULL, NULL, false, true},
    {"none", "blocks", "4", "11", "normal", "block", "sparse", NULL, NULL, false, true},
    {"none", "sampled", "auto", "11", "normal", "block", "dense", NULL, NULL, false, true},
    {"none", "blocks", "4", "11", "normal", "block", "sparse", NULL, NULL, false, false, true},
    {"hinge", "blocks", "4", "11", "normal", "block", "mh", NULL, NULL, false, true, true},
    {"none", "sampled", "auto", "11", "normal", "block", "dense", NULL, NULL, false, true, true},
    {"none", "sampled", "auto", "11", "normal", "block", "dense", NULL, NULL, false, false, false, "content"},
    {"none", "sampled", "auto", "11", "normal", "block", "dense", NULL, NULL, false, false, false, "evolve"},
    {"hinge", "blocks", "4", "11", "normal", "block", "auto", NULL, NULL, false, false, false, NULL, true},
    {"none", "blocks", "8", "11", "normal", "block", "mh", NULL, NULL, false, false, true, NULL, true},
    {"logistic", "sampled", "auto", "11", "normal", "block", "sparse", NULL, NULL, false, false, true, NULL, true},
    {"none", "blocks", "8", "11", "normal", "block", "sparse", NULL, NULL, false, true, true, NULL, true},
    {"hinge", "sampled", "auto", "11", "normal", "block", "mh", NULL, NULL, false, true, false, NULL, true}};

size_t variant_step(void)
{
    return joint_is_sanitized() ? 3 : 1;
}

void variant_check(gb_status status, const gb_error *err)
{
    if (status != GB_OK)
        fail_msg("%s", err->message);
}

/* ---- corpus ---- */

enum { EMBEDDING_WIDTH = 7 };

/* A class prefers a third of the vocabulary; some documents are empty, some have no label, one is long. */
static void add_document(gb_corpus_builder *b, size_t field, size_t year, size_t d, gb_random *r)
{
    char name[20];
    gb_error err = {.status = GB_OK};
    const uint64_t class = gb_random_below(r, N_CLASSES);
    gb_random embedding =
        gb_random_open(gb_key_make(4, 0), 0, GB_DRAW_TEST, d); /* of its own: words stay as they were */
    uint64_t length = d % 97 == 5 ? 0 : 1 + gb_random_below(r, 24);
    length = d == 400 ? 700 : length;
    variant_check(gb_corpus_builder_document(b, NULL, 0, &err), &err);
    const int n = snprintf(name, sizeof name, "%zu", 1990 + d % 17);
    variant_check(gb_corpus_builder_class(b, year, name, (size_t)n, &err), &err);
    for (uint64_t i = 0; i < length; i++) {
        const double u = gb_random_uniform(r);
        const uint64_t w = (uint64_t)(u * u * (V / N_CLASSES)) * N_CLASSES;
        const uint64_t shift = gb_random_below(r, 4) == 0 ? gb_random_below(r, N_CLASSES) : class;
        variant_check(gb_corpus_builder_token(b, (uint32_t)(w + shift), &err), &err);
    }
    float row[EMBEDDING_WIDTH]; /* the first number knows of the class */
    for (size_t j = 0; j < EMBEDDING_WIDTH; j++)
        row[j] = (float)(gb_random_normal(&embedding) + (j == 0 ? (double)class : 0));
    variant_check(gb_corpus_builder_embedding(b, EMBEDDING_WIDTH, row, &err), &err);
    if (d % 13 != 7)
        variant_check(gb_corpus_builder_class(b, field, &"abc"[class], 1, &err), &err);
}

static gb_corpus *build_corpus(void)
{
    gb_error err = {.status = GB_OK};
    gb_corpus_builder *b = NULL;
    gb_corpus *corpus = NULL;
    size_t field, year;
    gb_random r = gb_random_open(gb_key_make(3, 0), 0, GB_DRAW_TEST, 0);
    variant_check(gb_corpus_builder_create(&b, &err), &err);
    variant_check(gb_corpus_builder_labels(b, "class", false, &field, &err), &err);
    variant_check(gb_corpus_builder_group(b, "year", &year, &err), &err);
    for (size_t w = 0; w < V; w++) {
        char word[20];
        const int n = snprintf(word, sizeof word, "w%zu", w);
        variant_check(gb_corpus_builder_word(b, word, (size_t)n, &err), &err);
    }
    for (size_t d = 0; d < D; d++)
        add_document(b, field, year, d, &r);
    variant_check(gb_corpus_builder_finish(b, NULL, NULL, &corpus, &err), &err);
    gb_corpus_builder_free(b);
    return corpus;
}

/* Its words, with those of a bag before them; all else is the corpus's. */
static struct {
    gb_corpus corpus;
    uint64_t start[V + 1];
    char bytes[V * 20];
} in_bags;

static void put_in_bags(const gb_corpus *corpus)
{
    in_bags.corpus = *corpus;
    for (size_t w = 0; w < V; w++) {
        char *end = in_bags.bytes + in_bags.start[w];
        in_bags.start[w + 1] = in_bags.start[w] + (uint64_t)sprintf(end, "%s:w%zu", w % 3 == 0 ? "title" : "body", w);
    }
    in_bags.corpus.vocabulary = (gb_texts){V, in_bags.start, in_bags.bytes};
    in_bags.corpus.preparation = json_pack("{s:[s, s]}", "bags", "title", "body");
    assert_non_null(in_bags.corpus.preparation);
}

const gb_corpus *variant_corpus(const gb_corpus *corpus, const variant *v)
{
    return v->has_bags ? &in_bags.corpus : corpus;
}

int variant_set_up(void **state)
{
    gb_corpus *corpus = build_corpus();
    put_in_bags(corpus);
    *state = corpus;
    return 0;
}

int variant_tear_down(void **state)
{
    json_decref(in_bags.corpus.preparation);
    gb_corpus_free(*state);
    return 0;
}

void variant_set(gb_settings *settings, const char *name, const char *value)
{
    gb_error err = {.status = GB_OK};
    variant_check(gb_settings_set(settings, name, value, &err), &err);
}

static void set_documents(gb_settings *settings, const char *documents)
{
    const bool is_graph = strstr(documents, "graph") != NULL, is_full = strstr(documents, "full") != NULL;
    variant_set(settings, "prior", is_graph ? "graph" : "logistic-normal");
    variant_set(settings, "covariance", is_full ? "full" : "diagonal");
    if (is_graph)
        variant_set(settings, "graph", "chain");
    else if (!is_full)
        variant_set(settings, "psi-update", documents);
}

static const char seeds_in_bags[] =
    "{\"first\": [\"title:w0\", \"title:w3\", \"body:w7\", \"title:w1800\"], \"second\": {\"body:w7\": 3, "
    "\"body:w2497\": 0.5}, \"third\": [\"body:w7\", \"body:w11\"]}";

gb_settings *variant_settings(const variant *v, const char *threads)
{
    gb_error err = {.status = GB_OK};
    gb_settings *settings = NULL;
    char number[20];
    variant_check(gb_settings_create(&settings, &err), &err);
    snprintf(number, sizeof number, "%d", N_TOPICS);
    variant_set(settings, "topics", number);
    snprintf(number, sizeof number, "%d", N_SWEEPS);
    variant_set(settings, "sweeps", number);
    variant_set(settings, "burn-in", "2");
    variant_set(settings, "thin", "2");
    variant_set(settings, "response", v->response);
    if (strcmp(v->response, "ordinal") == 0)
        variant_set(settings, "levels", "b,a,c");
    else if (strcmp(v->response, "probit") != 0 && strcmp(v->response, "none") != 0)
        variant_set(settings, "cost", "2");
    if (!v->has_embedding)
        variant_set(settings, "embeddings", "none");
    if (v->words != NULL)
        variant_set(settings, "word-effects", v->words);
    if (v->has_seeds) /* w7 is in all; keywords and tokens; frequent words, rare ones, and the last one */
        variant_set(settings, "seeds",
                    v->has_bags
                        ? seeds_in_bags
                        : "{\"first\": [\"w0\", \"w3\", \"w7\", \"w1800\"], \"second\": {\"w7\": 3, \"w2499\": 0.5}, "
                          "\"third\": [\"w7\", \"w11\"]}");
    if (v->wording != NULL)
        variant_set(settings, v->wording, "year");
    if (v->samples_parameters) {
        variant_set(settings, "alpha", "sample");
        variant_set(settings, "beta", "sample");
    }
    if (strcmp(v->response, "none") != 0) {
        variant_set(settings, "intercept", "yes");
        variant_set(settings, "coefficient-prior", v->prior);
        variant_set(settings, "coefficient-sampler", v->sampler);
    }
    variant_set(settings, "sampler", v->tokens);
    variant_set(settings, "topic-treatment", v->treatment);
    variant_set(settings, "blocks", v->blocks);
    if (v->documents != NULL)
        set_documents(settings, v->documents);
    variant_set(settings, "seed", v->seed);
    variant_set(settings, "threads", threads);
    return settings;
}

/* ---- outcomes ---- */

static void *copy(const void *from, size_t bytes)
{
    void *to = malloc(bytes + 1);
    if (to == NULL)
        abort();
    return bytes == 0 ? to : memcpy(to, from, bytes);
}

/* What the chain keeps counted while it draws is what its topics say. */
static void check_counts(const gb_chain *chain, const gb_corpus *corpus, const uint16_t *topic)
{
    uint32_t *n_kw = calloc((size_t)V * N_TOPICS, sizeof *n_kw), n_rows = 0;
    int64_t *n_kb = calloc(chain->topics.n_blocks * N_TOPICS, sizeof *n_kb);
    assert_true(n_kw != NULL && n_kb != NULL);
    for (uint64_t d = 0; d < D; d++) {
        uint32_t n_dk[N_TOPICS] = {0};
        for (uint64_t i = corpus->doc_start[d]; i < corpus->doc_start[d + 1]; i++) {
            n_dk[topic[i]]++;
            n_kw[corpus->word[i] * N_TOPICS + topic[i]]++;
            n_kb[chain->topics.block_of[corpus->word[i]] * N_TOPICS + topic[i]]++;
        }
        n_rows += chain->doc_row[d] != GB_NO_ROW;
        for (size_t k = 0; chain->doc_row[d] != GB_NO_ROW && k < N_TOPICS; k++)
            assert_int_equal(gb_rows_get(&chain->doc_rows, chain->doc_row[d], k), n_dk[k]);
    }
    assert_in_range(n_rows, 1, D - 1);                  /* some documents keep a row, some do not */
    for (size_t i = 0; i < chain->spec->seeds.n; i++) { /* tokens that never move */
        const gb_seed *seed = &chain->spec->seeds.seed[i];
        n_kw[seed->word * N_TOPICS + seed->topic] += seed->count;
        n_kb[chain->topics.block_of[seed->word] * N_TOPICS + seed->topic] += seed->count;
    }
    for (uint64_t w = 0; w < V; w++)
        for (size_t k = 0; k < N_TOPICS; k++)
            assert_int_equal(gb_rows_get(gb_topics_rows(&chain->topics, w), w, k), n_kw[w * N_TOPICS + k]);
    assert_memory_equal(n_kb, chain->topics.n_kb, chain->topics.n_blocks * N_TOPICS * sizeof *n_kb);
    free(n_kw);
    free(n_kb);
}

outcome outcome_of(gb_chain *chain)
{
    gb_error err = {.status = GB_OK};
    const gb_corpus *corpus = chain->corpus;
    const gb_spec *spec = chain->spec;
    outcome o;
    variant_check(gb_chain_log_joint(chain, &o.log_joint, &err), &err);
    o.n_eta = spec->n_outputs * gb_spec_n_features(spec) * sizeof(double);
    o.n_score = D * spec->n_outputs * sizeof(double); /* 0 without a response */
    o.n_mass = chain->topics.n_blocks * N_TOPICS * sizeof(double);
    o.eta = copy(chain->eta, o.n_eta);
    o.score = copy(chain->score, o.n_score);
    o.mass = copy(chain->topics.mass, o.n_mass);
    gb_array documents;
    const bool has_psi = gb_arrays_find(gb_prior_list, &chain->prior, "psi", &documents);
    o.n_documents = has_psi ? gb_array_count(&documents) * sizeof(double) : 0;
    o.documents = copy(has_psi ? gb_array_first(&documents) : NULL, o.n_documents);
    o.topic = copy(chain->topic, corpus->n_tokens * sizeof *o.topic);
    for (uint64_t d = 0; d < D; d++)
        gb_chain_assignment(chain, d, o.topic + corpus->doc_start[d]);
    check_counts(chain, corpus, o.topic);
    return o;
}

void free_outcome(outcome *o)
{
    free(o->topic);
    free(o->eta);
    free(o->score);
    free(o->mass);
    free(o->documents);
}

void assert_same_outcome(const gb_corpus *corpus, const outcome *a, const outcome *b)
{
    assert_memory_equal(a->topic, b->topic, corpus->n_tokens * sizeof *a->topic);
    assert_memory_equal(a->eta, b->eta, a->n_eta);
    assert_memory_equal(a->score, b->score, a->n_score);
    assert_memory_equal(a->mass, b->mass, a->n_mass);
    assert_memory_equal(a->documents, b->documents, a->n_documents);
    assert_memory_equal(&a->log_joint, &b->log_joint, sizeof a->log_joint);
}

outcome variant_run(const gb_corpus *corpus, const variant *v, const char *threads, gb_isa isa)
{
    gb_error err = {.status = GB_OK};
    gb_settings *settings = variant_settings(v, threads);
    gb_spec spec;
    gb_chain *chain = NULL;
    variant_check(gb_spec_resolve(variant_corpus(corpus, v), settings, &spec, &err), &err);
    spec.isa = isa;
    variant_check(gb_chain_begin(&chain, variant_corpus(corpus, v), &spec, 0, &err), &err);
    for (size_t i = 0; i < N_SWEEPS; i++)
        variant_check(gb_recipe_sweep(chain, &err), &err);
    outcome o = outcome_of(chain);
    gb_chain_free(chain);
    gb_spec_clear(&spec);
    gb_settings_free(settings);
    return o;
}
