/* The same seed gives the same bits: on 1, 2 and 4 threads, and with every instruction set that this processor
 * has.  The corpus is large enough for several tasks of every parallel loop. */
#include "base/cpu.h"
#include "chain/chain.h"
#include "chain/start.h"
#include "corpus/data/corpus.h"
#include "gibbous/gibbous.h"
#include "plan/spec.h"
#include "random/random.h"

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

#pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* the last member of variants: a Dirichlet prior */

enum { D = 1100, V = 2500, N_CLASSES = 3, N_TOPICS = 20, N_SWEEPS = 6 };

typedef struct variant {
    const char *response, *treatment, *blocks, *seed, *prior, *sampler, *tokens;
    const char *documents; /* document prior; NULL: Dirichlet */
} variant;

static const variant variants[] = {{"hinge", "blocks", "4", "11", "normal", "block", "auto"},
                                   {"hinge", "sampled", "0", "11", "normal", "block", "auto"},
                                   {"logistic", "blocks", "4", "11", "normal", "block", "auto"},
                                   {"logistic", "sampled", "0", "11", "normal", "block", "auto"},
                                   {"hinge", "blocks", "4", "11", "horseshoe", "block", "auto"},
                                   {"logistic", "sampled", "0", "11", "horseshoe", "coordinate", "auto"},
                                   {"hinge", "blocks", "4", "11", "normal", "coordinate", "auto"},
                                   {"probit", "blocks", "4", "11", "normal", "block", "auto"},
                                   {"probit", "sampled", "0", "11", "horseshoe", "block", "auto"},
                                   {"hinge", "blocks", "4", "11", "normal", "block", "mh"},
                                   {"hinge", "sampled", "0", "11", "normal", "block", "mh"},
                                   {"probit", "blocks", "4", "11", "normal", "block", "mh"},
                                   {"none", "blocks", "4", "11", "normal", "block", "dense"},
                                   {"none", "blocks", "4", "11", "normal", "block", "sparse"},
                                   {"none", "sampled", "0", "11", "normal", "block", "sparse"},
                                   {"hinge", "blocks", "4", "11", "normal", "block", "sparse"},
                                   {"none", "blocks", "4", "11", "normal", "block", "dense", "interval"},
                                   {"hinge", "blocks", "4", "11", "normal", "block", "auto", "polya-gamma"},
                                   {"hinge", "sampled", "0", "11", "normal", "block", "mh", "auto"},
                                   {"logistic", "blocks", "4", "11", "normal", "block", "sparse", "full"},
                                   {"hinge", "blocks", "4", "11", "normal", "block", "auto", "graph"},
                                   {"none", "blocks", "4", "11", "normal", "block", "dense", "full graph"}};
enum { N_VARIANTS = sizeof variants / sizeof variants[0] };

static void check(gb_status status, const gb_error *err)
{
    if (status != GB_OK)
        fail_msg("%s", err->message);
}

/* ---- corpus ---- */

/* A class prefers a third of the vocabulary; some documents are empty, some have no label, one is long. */
static void add_document(gb_corpus_builder *b, size_t field, size_t year, size_t d, gb_random *r)
{
    char name[20];
    gb_error err = {.status = GB_OK};
    const uint64_t class = gb_random_below(r, N_CLASSES);
    uint64_t length = d % 97 == 5 ? 0 : 1 + gb_random_below(r, 24);
    length = d == 400 ? 700 : length;
    check(gb_corpus_builder_document(b, NULL, 0, &err), &err);
    const int n = snprintf(name, sizeof name, "%zu", 1990 + d % 17);
    check(gb_corpus_builder_class(b, year, name, (size_t)n, &err), &err);
    for (uint64_t i = 0; i < length; i++) {
        const double u = gb_random_uniform(r);
        const uint64_t w = (uint64_t)(u * u * (V / N_CLASSES)) * N_CLASSES;
        const uint64_t shift = gb_random_below(r, 4) == 0 ? gb_random_below(r, N_CLASSES) : class;
        check(gb_corpus_builder_token(b, (uint32_t)(w + shift), &err), &err);
    }
    if (d % 13 != 7)
        check(gb_corpus_builder_class(b, field, &"abc"[class], 1, &err), &err);
}

static gb_corpus *build_corpus(void)
{
    gb_error err = {.status = GB_OK};
    gb_corpus_builder *b = NULL;
    gb_corpus *corpus = NULL;
    size_t field, year;
    gb_random r = gb_random_open(gb_key_make(3, 0), 0, GB_DRAW_TEST, 0);
    check(gb_corpus_builder_create(&b, &err), &err);
    check(gb_corpus_builder_labels(b, "class", false, &field, &err), &err);
    check(gb_corpus_builder_group(b, "year", &year, &err), &err);
    for (size_t w = 0; w < V; w++) {
        char word[20];
        const int n = snprintf(word, sizeof word, "w%zu", w);
        check(gb_corpus_builder_word(b, word, (size_t)n, &err), &err);
    }
    for (size_t d = 0; d < D; d++)
        add_document(b, field, year, d, &r);
    check(gb_corpus_builder_finish(b, NULL, NULL, &corpus, &err), &err);
    gb_corpus_builder_free(b);
    return corpus;
}

static int set_up(void **state)
{
    *state = build_corpus();
    return 0;
}

static int tear_down(void **state)
{
    gb_corpus_free(*state);
    return 0;
}

static void set(gb_settings *settings, const char *name, const char *value)
{
    gb_error err = {.status = GB_OK};
    check(gb_settings_set(settings, name, value, &err), &err);
}

static void set_documents(gb_settings *settings, const char *documents)
{
    const bool is_graph = strstr(documents, "graph") != NULL, is_full = strstr(documents, "full") != NULL;
    set(settings, "prior", is_graph ? "graph" : "logistic-normal");
    set(settings, "covariance", is_full ? "full" : "diagonal");
    if (is_graph)
        set(settings, "graph", "chain");
    else if (!is_full)
        set(settings, "psi-update", documents);
}

static gb_settings *settings_of(const variant *v, const char *threads)
{
    gb_error err = {.status = GB_OK};
    gb_settings *settings = NULL;
    char number[20];
    check(gb_settings_create(&settings, &err), &err);
    snprintf(number, sizeof number, "%d", N_TOPICS);
    set(settings, "topics", number);
    snprintf(number, sizeof number, "%d", N_SWEEPS);
    set(settings, "sweeps", number);
    set(settings, "burn-in", "2");
    set(settings, "thin", "2");
    set(settings, "response", v->response);
    if (strcmp(v->response, "probit") != 0 && strcmp(v->response, "none") != 0)
        set(settings, "cost", "2");
    if (strcmp(v->response, "none") != 0)
        set(settings, "intercept", "yes");
    set(settings, "coefficient-prior", v->prior);
    set(settings, "coefficient-sampler", v->sampler);
    set(settings, "sampler", v->tokens);
    set(settings, "topic-treatment", v->treatment);
    set(settings, "blocks", v->blocks);
    if (v->documents != NULL)
        set_documents(settings, v->documents);
    set(settings, "seed", v->seed);
    set(settings, "threads", threads);
    return settings;
}

/* ---- chains ---- */

typedef struct outcome {
    uint16_t *topic;                                   /* n_tokens, in the order of the corpus */
    double *eta, *score, *mass, *documents, log_joint; /* documents: the state of their prior */
    size_t n_eta, n_score, n_mass, n_documents;
} outcome;

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
    assert_in_range(n_rows, 1, D - 1); /* some documents keep a row, some do not */
    for (uint64_t w = 0; w < V; w++)
        for (size_t k = 0; k < N_TOPICS; k++)
            assert_int_equal(gb_rows_get(&chain->topics.rows, w, k), n_kw[w * N_TOPICS + k]);
    assert_memory_equal(n_kb, chain->topics.n_kb, chain->topics.n_blocks * N_TOPICS * sizeof *n_kb);
    free(n_kw);
    free(n_kb);
}

static outcome run_chain(const gb_corpus *corpus, const variant *v, const char *threads, gb_isa isa)
{
    gb_error err = {.status = GB_OK};
    gb_settings *settings = settings_of(v, threads);
    gb_spec spec;
    gb_chain *chain = NULL;
    outcome o;
    check(gb_spec_resolve(corpus, settings, &spec, &err), &err);
    spec.isa = isa;
    check(gb_chain_begin(&chain, corpus, &spec, 0, &err), &err);
    for (size_t i = 0; i < N_SWEEPS; i++)
        check(gb_chain_sweep(chain, &err), &err);
    check(gb_chain_log_joint(chain, &o.log_joint, &err), &err);
    o.n_eta = spec.n_outputs * gb_spec_n_features(&spec) * sizeof(double);
    o.n_score = D * spec.n_outputs * sizeof(double); /* 0 without a response */
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
    gb_chain_free(chain);
    gb_spec_clear(&spec);
    gb_settings_free(settings);
    return o;
}

static void free_outcome(outcome *o)
{
    free(o->topic);
    free(o->eta);
    free(o->score);
    free(o->mass);
    free(o->documents);
}

static void assert_same(const gb_corpus *corpus, const outcome *a, const outcome *b)
{
    assert_memory_equal(a->topic, b->topic, corpus->n_tokens * sizeof *a->topic);
    assert_memory_equal(a->eta, b->eta, a->n_eta);
    assert_memory_equal(a->score, b->score, a->n_score);
    assert_memory_equal(a->mass, b->mass, a->n_mass);
    assert_memory_equal(a->documents, b->documents, a->n_documents);
    assert_memory_equal(&a->log_joint, &b->log_joint, sizeof a->log_joint);
}

static void the_number_of_threads_changes_no_bit(void **state)
{
    const gb_corpus *corpus = *state;
    for (size_t i = 0; i < N_VARIANTS; i++) {
        outcome one = run_chain(corpus, &variants[i], "1", gb_isa_best()),
                two = run_chain(corpus, &variants[i], "2", gb_isa_best()),
                four = run_chain(corpus, &variants[i], "4", gb_isa_best());
        assert_same(corpus, &one, &two);
        assert_same(corpus, &one, &four);
        free_outcome(&one);
        free_outcome(&two);
        free_outcome(&four);
    }
}

static void the_instruction_set_changes_no_bit(void **state)
{
    const gb_corpus *corpus = *state;
    for (size_t i = 0; i < N_VARIANTS; i++) {
        outcome plain = run_chain(corpus, &variants[i], "2", GB_ISA_PLAIN);
        for (gb_isa isa = GB_ISA_PLAIN + 1; isa < GB_N_ISAS; isa++) {
            if (!gb_isa_available(isa))
                continue;
            outcome other = run_chain(corpus, &variants[i], "2", isa);
            assert_same(corpus, &plain, &other);
            free_outcome(&other);
        }
        free_outcome(&plain);
    }
}

/* Otherwise equal bits would show nothing. */
static void another_seed_gives_another_chain(void **state)
{
    const gb_corpus *corpus = *state;
    variant other = variants[0];
    other.seed = "12";
    outcome a = run_chain(corpus, &variants[0], "1", gb_isa_best()),
            b = run_chain(corpus, &other, "1", gb_isa_best());
    assert_memory_not_equal(a.topic, b.topic, corpus->n_tokens * sizeof *a.topic);
    assert_memory_not_equal(a.eta, b.eta, a.n_eta);
    free_outcome(&a);
    free_outcome(&b);
}

/* Some topics are as good as never, and some as good as always, what a document is about before its words are seen. */
static void weights_of_any_size_leave_the_chain_finite(void **state)
{
    static const char *const samplers[] = {"dense", "sparse", "mh"}, *const updates[] = {"interval", "polya-gamma"};
    static const double size[] = {-700, 700, -90, 0, 90, -1, -710, 699.5};
    const gb_corpus *corpus = *state;
    char mean[400] = "";
    for (size_t t = 0, n = 0; t + 1 < N_TOPICS; t++)
        n += (size_t)snprintf(mean + n, sizeof mean - n, t == 0 ? "%g" : ",%g", size[t % 8]);
    for (size_t i = 0; i < 6; i++) {
        gb_error err = {.status = GB_OK};
        gb_spec spec;
        gb_chain *chain = NULL;
        double log_joint = NAN;
        const variant v = {
            "hinge",       i < 3 ? "blocks" : "sampled", i < 3 ? "4" : "0", "5", "normal", "block", samplers[i % 3],
            updates[i % 2]};
        gb_settings *settings = settings_of(&v, "2");
        set(settings, "psi-mean", mean);
        set(settings, "psi-covariance", i < 3 ? "2" : "100000");
        check(gb_spec_resolve(corpus, settings, &spec, &err), &err);
        check(gb_chain_begin(&chain, corpus, &spec, 0, &err), &err);
        for (size_t sweep = 0; sweep < N_SWEEPS; sweep++)
            check(gb_chain_sweep(chain, &err), &err);
        check(gb_chain_log_joint(chain, &log_joint, &err), &err);
        assert_true(isfinite(log_joint));
        gb_chain_free(chain);
        gb_spec_clear(&spec);
        gb_settings_free(settings);
    }
}

/* ---- model files ---- */

static char *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    *size = (size_t)ftell(f);
    rewind(f);
    char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, f), *size);
    assert_int_equal(fclose(f), 0);
    return bytes;
}

static char *train_and_write(const gb_corpus *corpus, const variant *v, const char *threads, size_t *size)
{
    gb_error err = {.status = GB_OK};
    gb_settings *settings = settings_of(v, threads);
    gb_model *model = NULL;
    char path[] = "/tmp/gibbous-reproducible-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(close(file), 0);
    check(gb_train(corpus, settings, NULL, NULL, &model, &err), &err);
    check(gb_model_write(model, path, true, &err), &err);
    char *bytes = read_file(path, size);
    assert_int_equal(unlink(path), 0);
    gb_model_free(model);
    gb_settings_free(settings);
    return bytes;
}

static void the_number_of_threads_changes_no_byte_of_the_model(void **state)
{
    const gb_corpus *corpus = *state;
    for (size_t i = 0; i < N_VARIANTS; i++) {
        size_t size_one, size_four;
        char *one = train_and_write(corpus, &variants[i], "1", &size_one),
             *four = train_and_write(corpus, &variants[i], "4", &size_four);
        assert_int_equal(size_one, size_four);
        assert_memory_equal(one, four, size_one);
        free(one);
        free(four);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_number_of_threads_changes_no_bit),
        cmocka_unit_test(the_instruction_set_changes_no_bit),
        cmocka_unit_test(weights_of_any_size_leave_the_chain_finite),
        cmocka_unit_test(another_seed_gives_another_chain),
        cmocka_unit_test(the_number_of_threads_changes_no_byte_of_the_model),
    };
    return cmocka_run_group_tests_name("reproducible", tests, set_up, tear_down);
}
