/* test_out_of_memory.c - each allocation of the library fails once: the answer is GB_ENOMEM, and never another complaint. */
#include "helper_documents.h"
#include "helper_memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GLIBC__) && !MEMORY_IS_WATCHED
#define MEMORY_CAN_FAIL 1

static uint64_t n_until_failure = UINT64_MAX; /* allocations of gb_alloc() that succeed before one fails */

void *__libc_memalign(size_t alignment, size_t size);

int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (n_until_failure-- == 0)
        return ENOMEM;
    *out = __libc_memalign(alignment, size);
    return *out == NULL ? ENOMEM : 0;
}

static void fail_after(uint64_t n)
{
    n_until_failure = n;
}
#else
#define MEMORY_CAN_FAIL 0

static void fail_after(uint64_t n)
{
    (void)n;
}
#endif

static void a_plan_without_memory_says_so(const gb_corpus *corpus, gb_settings *settings)
{
    gb_plan *plan = NULL;
    gb_status st = GB_ENOMEM;
    for (uint64_t n = 0; st == GB_ENOMEM; n++) {
        gb_error err = {0};
        fail_after(n);
        st = gb_plan_create(corpus, settings, &plan, &err);
        fail_after(UINT64_MAX);
        if (st != GB_OK && (st != GB_ENOMEM || strncmp(err.message, "out of memory", 13) != 0))
            fail_msg("allocation %llu failed, and the answer was \"%s\"", (unsigned long long)n, err.message);
    }
    gb_plan_free(plan);
    gb_settings_free(settings);
}

static void a_given_covariance_is_not_called_wrong_for_want_of_memory(void **state)
{
    (void)state;
    if (!MEMORY_CAN_FAIL)
        skip();
    write_file("sigma.csv", "2,0.5\n0.5,1\n");
    gb_corpus *corpus = simulated_with(settings_of("documents", "20", "length", "10", "seed", "1", NULL));
    a_plan_without_memory_says_so(corpus, settings_of("topics", "3", "prior", "logistic-normal", "covariance", "full",
                                                      "psi-covariance", "sigma.csv", "response", "none", NULL));
    gb_corpus_free(corpus);
}

static void a_graph_is_not_called_wrong_for_want_of_memory(void **state)
{
    (void)state;
    if (!MEMORY_CAN_FAIL)
        skip();
    write_file("d.jsonl", "{\"text\": \"one two\", \"y\": \"a\"}\n{\"text\": \"two\", \"y\": \"b\"}\n"
                          "{\"text\": \"one three\", \"y\": \"c\"}\n");
    write_file("edges.csv", "from,to\na,b\nb,c\n");
    gb_corpus *corpus = corpus_of("d.jsonl", "group", "y", NULL);
    a_plan_without_memory_says_so(
        corpus, settings_of("topics", "3", "prior", "graph", "graph", "edges.csv", "response", "none", NULL));
    gb_corpus_free(corpus);
}

static void linear_models_without_memory_say_so(void **state)
{
    (void)state;
    if (!MEMORY_CAN_FAIL)
        skip();
    gb_settings *settings = settings_of("topics", "2", "sweeps", "2", "documents", "20", "length", "10", "classes",
                                        "3", "vocabulary-size", "30", "seed", "1", "threads", "1", NULL);
    gb_corpus *corpus = NULL;
    gb_model *model = NULL;
    gb_linear *linear = NULL;
    gb_status st = GB_ENOMEM;
    uint64_t n = 0;
    assert_int_equal(gb_simulate(NULL, settings, NULL, NULL, &corpus, NULL), GB_OK);
    assert_int_equal(gb_train(corpus, settings, NULL, NULL, &model, NULL), GB_OK);
    for (; st == GB_ENOMEM; n++) {
        gb_error err = {0};
        fail_after(n);
        st = gb_linear_fit(model, corpus, settings, NULL, NULL, &linear, &err);
        fail_after(UINT64_MAX);
        if (st != GB_OK && (st != GB_ENOMEM || strncmp(err.message, "out of memory", 13) != 0))
            fail_msg("allocation %llu failed, and the answer was \"%s\"", (unsigned long long)n, err.message);
    }
    assert_true(n > 20);
    gb_linear_free(linear);
    gb_model_free(model);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
}

typedef gb_status using_memory(void *context, gb_error *err);

/* Each allocation fails once.  A failure of another library's allocation is none of ours. */
static void assert_says_so(using_memory *f, void *context, uint64_t least)
{
    gb_status st = GB_ENOMEM;
    uint64_t n = 0;
    for (; st == GB_ENOMEM; n++) {
        gb_error err = {0};
        fail_after(n);
        st = f(context, &err);
        fail_after(UINT64_MAX);
        if (st != GB_OK && (st != GB_ENOMEM || strstr(err.message, "out of memory") == NULL))
            fail_msg("allocation %llu failed, and the answer was \"%s\"", (unsigned long long)n, err.message);
    }
    assert_true(n > least);
}

static gb_status write_shards(void *corpus, gb_error *err)
{
    return gb_corpus_write_shards(corpus, "all.gbc", 2, true, err);
}

static gb_status read_inputs(void *settings, gb_error *err)
{
    static const char *const path[] = {"all.gbc", "all-2-of-2.gbc"};
    gb_corpus *corpus = NULL;
    const gb_status st = gb_corpus_read_several(2, path, settings, NULL, NULL, &corpus, err);
    gb_corpus_free(corpus);
    return st;
}

static void shards_without_memory_say_so(void **state)
{
    (void)state;
    if (!MEMORY_CAN_FAIL)
        skip();
    gb_settings *settings = NULL;
    gb_corpus *corpus = simulated_with(settings_of("documents", "300", "length", "3", "seed", "1", NULL));
    const size_t n_files = count_files();
    assert_int_equal(gb_settings_create(&settings, NULL), GB_OK);
    assert_says_so(write_shards, corpus, 50);
    assert_int_equal(count_files(), n_files + 3); /* nothing is left of the failures */
    assert_says_so(read_inputs, settings, 50);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_given_covariance_is_not_called_wrong_for_want_of_memory),
                                       cmocka_unit_test(a_graph_is_not_called_wrong_for_want_of_memory),
                                       cmocka_unit_test(linear_models_without_memory_say_so),
                                       cmocka_unit_test(shards_without_memory_say_so)};
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
