/* The state that chains start from: topics grow before the first sweep, unless labels are to shape them, and seed words speak for topics. */
#include "chain/chain.h"
#include "gibbous/gibbous.h"
#include "plan/spec.h"
#include "recipe/start.h"
#include "recipe/sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void check(gb_status status, const gb_error *err)
{
    if (status != GB_OK)
        fail_msg("%s", err->message);
}

/* Settings of pairs name, value, ended by NULL. */
static gb_settings *settings_of(const char *name, ...)
{
    gb_error err = {.status = GB_OK};
    gb_settings *settings = NULL;
    va_list rest;
    check(gb_settings_create(&settings, &err), &err);
    va_start(rest, name);
    for (; name != NULL; name = va_arg(rest, const char *))
        check(gb_settings_set(settings, name, va_arg(rest, const char *), &err), &err);
    va_end(rest);
    return settings;
}

static gb_corpus *simulate(const char *n_docs)
{
    gb_error err = {.status = GB_OK};
    gb_corpus *corpus = NULL;
    gb_settings *settings =
        settings_of("topics", "10", "alpha", "0.1", "documents", n_docs, "length", "40", "vocabulary-size", "500",
                    "beta", "0.02", "classes", "3", "response", "logistic", "seed", "5", NULL);
    check(gb_simulate(NULL, settings, NULL, NULL, &corpus, &err), &err);
    gb_settings_free(settings);
    return corpus;
}

typedef struct begun {
    uint16_t *topic; /* n_tokens */
    double log_joint;
} begun;

/* A chain that has made no sweep yet. */
static begun begin_seeded(const gb_corpus *corpus, const char *growth, const char *response, const char *two_stage,
                          const char *seeds)
{
    gb_error err = {.status = GB_OK};
    gb_settings *settings =
        settings_of("topics", "10", "alpha", "0.1", "beta", "0.02", "seed", "7", "threads", "2", "growth", growth,
                    "response", response, "two-stage", two_stage, "seeds", seeds, NULL);
    gb_spec spec;
    gb_chain *chain = NULL;
    begun b;
    check(gb_spec_resolve(corpus, settings, &spec, &err), &err);
    check(gb_chain_begin(&chain, corpus, &spec, 0, &err), &err);
    assert_int_equal(chain->sweep, 0);
    check(gb_chain_log_joint(chain, &b.log_joint, &err), &err);
    b.topic = malloc(corpus->n_tokens * sizeof *b.topic);
    assert_non_null(b.topic);
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        gb_chain_assignment(chain, d, b.topic + corpus->doc_start[d]);
    for (uint64_t i = 0; i < corpus->n_tokens; i++)
        assert_in_range(b.topic[i], 0, 9);
    gb_chain_free(chain);
    gb_spec_clear(&spec);
    gb_settings_free(settings);
    return b;
}

static begun begin(const gb_corpus *corpus, const char *growth, const char *response, const char *two_stage)
{
    return begin_seeded(corpus, growth, response, two_stage, "");
}

/* Whether growth changes where a chain starts. */
static bool grows_seeded(const gb_corpus *corpus, const char *response, const char *two_stage, const char *seeds)
{
    const begun plain = begin_seeded(corpus, "0", response, two_stage, seeds),
                grown = begin_seeded(corpus, "2", response, two_stage, seeds);
    const bool differs = memcmp(plain.topic, grown.topic, corpus->n_tokens * sizeof *plain.topic) != 0;
    free(plain.topic);
    free(grown.topic);
    return differs;
}

static bool grows(const gb_corpus *corpus, const char *response, const char *two_stage)
{
    return grows_seeded(corpus, response, two_stage, "");
}

static void topics_grow_without_labels_or_with_seeds(void **state)
{
    (void)state;
    gb_corpus *corpus = simulate("2000"), *small = simulate("60");
    char seeds[80];
    const gb_view word = gb_texts_view(&corpus->vocabulary, 7);
    (void)snprintf(seeds, sizeof seeds, "{\"first\": [\"%.*s\"]}", (int)word.length, word.text);
    assert_true(grows(corpus, "none", "no"));
    assert_true(grows(corpus, "logistic", "yes"));
    assert_false(grows(corpus, "logistic", "no"));
    assert_true(grows_seeded(corpus, "logistic", "no", seeds));
    assert_false(grows(small, "none", "no")); /* half of it would be too few documents */
    gb_corpus_free(corpus);
    gb_corpus_free(small);
}

/* The more work, the more likely the state that a chain starts from. */
static void topics_that_have_grown_are_likelier(void **state)
{
    (void)state;
    gb_corpus *corpus = simulate("2000");
    const double n = (double)corpus->n_tokens;
    const begun plain = begin(corpus, "0", "none", "no"), little = begin(corpus, "1", "none", "no"),
                more = begin(corpus, "8", "none", "no");
    assert_true(little.log_joint > plain.log_joint + 0.05 * n);
    assert_true(more.log_joint > little.log_joint + 0.02 * n);
    free(plain.topic);
    free(little.topic);
    free(more.topic);
    gb_corpus_free(corpus);
}

/* ---- named topics ---- */

enum {
    N_CLASSES = 8,
    N_OWN = 40, /* words of a class, the seeds among the rarer ones */
    N_COMMON = 300,
    N_DOCS = 1024,
    LENGTH = 50,
    N_FIRST = 20, /* documents with the largest shares */
    N_SWEEPS = 40
};

static const char *const class_name[N_CLASSES] = {"a", "b", "c", "d", "e", "f", "g", "h"};

/* Words by their numbers in a class, small ones far more often: floor(n u^2). */
static uint32_t draw_word(gb_random *random, uint32_t n)
{
    const double u = gb_random_uniform(random);
    return (uint32_t)(n * u * u);
}

/* Document d is of class d mod N_CLASSES; seven of its words in ten are its class's. */
static gb_corpus *classes_with_words(void)
{
    enum { N_WORDS = N_CLASSES * N_OWN + N_COMMON };
    gb_error err = {.status = GB_OK};
    gb_corpus_arrays *arrays = NULL;
    gb_corpus *corpus = NULL;
    static uint32_t word[N_DOCS * LENGTH], class_of[N_DOCS];
    static uint64_t start[N_DOCS + 1];
    static char name[N_WORDS][8];
    static const char *names[N_WORDS];
    const gb_key key = gb_key_make(3, 0);
    for (size_t w = 0; w < N_WORDS; w++) {
        (void)snprintf(name[w], sizeof name[w], "w%zu", w);
        names[w] = name[w];
    }
    for (uint32_t d = 0; d < N_DOCS; d++) {
        gb_random random = gb_random_open(key, 0, GB_DRAW_START, d);
        class_of[d] = d % N_CLASSES;
        for (size_t n = 0; n < LENGTH; n++)
            word[d * LENGTH + n] = gb_random_uniform(&random) < 0.7
                                       ? class_of[d] * N_OWN + draw_word(&random, N_OWN)
                                       : N_CLASSES * N_OWN + draw_word(&random, N_COMMON);
        start[d + 1] = start[d] + LENGTH;
    }
    check(gb_corpus_arrays_create(&arrays, &err), &err);
    check(gb_corpus_arrays_counts(arrays, N_DOCS, start, word, NULL, &err), &err);
    check(gb_corpus_arrays_vocabulary(arrays, N_WORDS, names, &err), &err);
    check(gb_corpus_arrays_classes(arrays, "class", GB_ROLE_RESPONSE, N_CLASSES, class_name, class_of, &err), &err);
    check(gb_corpus_from_arrays(arrays, NULL, &corpus, &err), &err);
    gb_corpus_arrays_free(arrays);
    return corpus;
}

/* Two seeds for each class: {"a": ["w30", "w31"], ...}. */
static const char *seeds_of_classes(void)
{
    static char text[40 * N_CLASSES];
    size_t n = 0;
    for (int c = 0; c < N_CLASSES; c++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s\"%s\": [\"w%d\", \"w%d\"]", c == 0 ? "{" : ", ",
                              class_name[c], c * N_OWN + 30, c * N_OWN + 31);
    (void)snprintf(text + n, sizeof text - n, "}");
    return text;
}

/* Whether most of the documents with the largest shares of a topic are of the class with its number. */
static bool is_at_its_place(const gb_chain *chain, size_t topic)
{
    static uint16_t assigned[LENGTH];
    size_t n_with[LENGTH + 1] = {0}, own_with[LENGTH + 1] = {0}, n = 0, own = 0;
    for (uint64_t d = 0; d < N_DOCS; d++) {
        size_t count = 0;
        gb_chain_assignment(chain, d, assigned);
        for (size_t i = 0; i < LENGTH; i++)
            count += assigned[i] == topic;
        n_with[count]++;
        own_with[count] += d % N_CLASSES == topic;
    }
    for (size_t count = LENGTH; count > 0 && n < N_FIRST; count--) {
        n += n_with[count];
        own += own_with[count];
    }
    return 2 * own > n;
}

static size_t count_places(const gb_corpus *corpus, const char *response, const char *seed)
{
    gb_error err = {.status = GB_OK};
    gb_settings *settings = settings_of("topics", "16", "alpha", "0.1", "seed", seed, "threads", "2", "response",
                                        response, "seeds", seeds_of_classes(), NULL);
    gb_spec spec;
    gb_chain *chain = NULL;
    size_t n = 0;
    check(gb_spec_resolve(corpus, settings, &spec, &err), &err);
    check(gb_chain_begin(&chain, corpus, &spec, 0, &err), &err);
    for (size_t i = 0; i < N_SWEEPS; i++)
        check(gb_recipe_sweep(chain, &err), &err);
    for (size_t k = 0; k < N_CLASSES; k++)
        n += is_at_its_place(chain, k);
    gb_chain_free(chain);
    gb_spec_clear(&spec);
    gb_settings_free(settings);
    return n;
}

/* Two seeds among the rarer words of each class, and no free topic that takes the others. */
static void named_topics_get_the_words_around_their_seeds(void **state)
{
    (void)state;
    static const char *const response[] = {"none", "hinge", "logistic"}, *const seed[] = {"1", "2", "3"};
    gb_corpus *corpus = classes_with_words();
    for (size_t r = 0; r < 3; r++) {
        size_t n = 0;
        for (size_t i = 0; i < 3; i++)
            n += count_places(corpus, response[r], seed[i]);
        assert_in_range(n, 3 * N_CLASSES - 2, 3 * N_CLASSES); /* without a start of their own 8 */
    }
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(topics_grow_without_labels_or_with_seeds),
        cmocka_unit_test(topics_that_have_grown_are_likelier),
        cmocka_unit_test(named_topics_get_the_words_around_their_seeds),
    };
    return cmocka_run_group_tests_name("start", tests, NULL, NULL);
}
