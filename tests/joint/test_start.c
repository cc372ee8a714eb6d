/* The state that chains start from: topics grow before the first sweep, unless labels are to shape them. */
#include "chain/chain.h"
#include "chain/start.h"
#include "gibbous/gibbous.h"
#include "plan/spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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
static begun begin(const gb_corpus *corpus, const char *growth, const char *response, const char *two_stage)
{
    gb_error err = {.status = GB_OK};
    gb_settings *settings = settings_of("topics", "10", "alpha", "0.1", "beta", "0.02", "seed", "7", "threads", "2",
                                        "growth", growth, "response", response, "two-stage", two_stage, NULL);
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

/* Whether growth changes where a chain starts. */
static bool grows(const gb_corpus *corpus, const char *response, const char *two_stage)
{
    const begun plain = begin(corpus, "0", response, two_stage), grown = begin(corpus, "2", response, two_stage);
    const bool differs = memcmp(plain.topic, grown.topic, corpus->n_tokens * sizeof *plain.topic) != 0;
    free(plain.topic);
    free(grown.topic);
    return differs;
}

static void topics_grow_without_labels_only(void **state)
{
    (void)state;
    gb_corpus *corpus = simulate("2000"), *small = simulate("500");
    assert_true(grows(corpus, "none", "no"));
    assert_true(grows(corpus, "logistic", "yes"));
    assert_false(grows(corpus, "logistic", "no"));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(topics_grow_without_labels_only),
        cmocka_unit_test(topics_that_have_grown_are_likelier),
    };
    return cmocka_run_group_tests_name("start", tests, NULL, NULL);
}
