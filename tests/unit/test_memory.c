/* test_memory.c - what a training says that it will need, against what it takes. */
#include "helper_documents.h"
#include "helper_memory.h"

#include "gibbous/gibbous.h"
#include "run/memory.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what it takes ------------------------------------------------------------------------------------- */

/* Everything that the program allocates is counted, whoever asks for it: the functions of the C library are replaced by these.
 * What the system says of the process would depend on the machine, and on what else runs. */
static atomic_uint_fast64_t allocated, most_allocated;

#if defined(__GLIBC__) && !MEMORY_IS_WATCHED
#define MEMORY_IS_COUNTED 1

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static void *take(void *block)
{
    const uint64_t size = block == NULL ? 0 : malloc_usable_size(block),
                   now = atomic_fetch_add(&allocated, size) + size;
    uint64_t most = atomic_load(&most_allocated);
    while (now > most && !atomic_compare_exchange_weak(&most_allocated, &most, now))
        ;
    return block;
}

static void *give(void *block)
{
    if (block != NULL)
        atomic_fetch_sub(&allocated, malloc_usable_size(block));
    return block;
}

void *malloc(size_t size)
{
    return take(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return take(__libc_calloc(count, size));
}

void *realloc(void *block, size_t size)
{
    return take(__libc_realloc(give(block), size));
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    *out = take(__libc_memalign(alignment, size));
    return *out == NULL ? ENOMEM : 0;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return take(__libc_memalign(alignment, size));
}

void free(void *block)
{
    __libc_free(give(block));
}
#else
#define MEMORY_IS_COUNTED 0
#endif

/* A corpus drawn from a model, since real words gather in few topics as these do. */
static gb_corpus *draw_corpus(const char *documents, const char *length, const char *classes)
{
    gb_corpus *c = NULL;
    gb_settings *settings = settings_of("documents", documents, "length", length, "vocabulary-size", "30000",
                                        "topics", "40", "classes", classes, "seed", "3", NULL);
    assert_int_equal(gb_simulate(NULL, settings, NULL, NULL, &c, NULL), GB_OK);
    gb_settings_free(settings);
    return c;
}

/* Train, and compare; frees both. */
static void compare(gb_corpus *c, gb_settings *settings)
{
    gb_spec spec;
    gb_model *model = NULL;
    uint64_t need;
    assert_int_equal(gb_spec_resolve(c, settings, &spec, NULL), GB_OK);
    assert_int_equal(gb_train_bytes(c, &spec, &need, NULL), GB_OK);
    gb_spec_clear(&spec);
    atomic_store(&most_allocated, atomic_load(&allocated));
    assert_int_equal(gb_train(c, settings, NULL, NULL, &model, NULL), GB_OK);
    const uint64_t taken = atomic_load(&most_allocated) + GB_PROGRAM_BYTES;
    gb_model_free(model);
    gb_settings_free(settings);
    gb_corpus_free(c);
    if (!MEMORY_IS_COUNTED)
        skip();
    print_message("needs %.1f MiB, took %.1f MiB\n", (double)need / 0x1p20, (double)taken / 0x1p20);
    assert_true((double)need > 0.9 * (double)taken);
    assert_true((double)need < 1.1 * (double)taken);
}

static void topics_without_labels(void **state)
{
    (void)state;
    gb_corpus *c = draw_corpus("20000", "120", "2");
    compare(c, settings_of("topics", "100", "response", "none", "sweeps", "4", "burn-in", "1", "thin", "1", "threads",
                           "2", "seed", "1", NULL));
}

static void many_outputs(void **state)
{
    (void)state;
    gb_corpus *c = draw_corpus("30000", "40", "30");
    compare(c, settings_of("topics", "20", "sweeps", "2", "burn-in", "1", "threads", "2", "seed", "1", NULL));
}

static gb_settings *settings_of_three_chains(const char *threads)
{
    return settings_of("topics", "50", "coefficient-sampler", "coordinate", "topic-treatment", "sampled", "chains",
                       "3", "sweeps", "2", "burn-in", "1", "threads", threads, "seed", "1", NULL);
}

static void chains_one_after_the_other(void **state)
{
    (void)state;
    compare(draw_corpus("25000", "100", "3"), settings_of_three_chains("1"));
}

static uint64_t need_of(const gb_corpus *c, const char *threads)
{
    gb_settings *settings = settings_of_three_chains(threads);
    gb_spec spec;
    uint64_t need;
    assert_int_equal(gb_spec_resolve(c, settings, &spec, NULL), GB_OK);
    assert_int_equal(gb_train_bytes(c, &spec, &need, NULL), GB_OK);
    gb_spec_clear(&spec);
    gb_settings_free(settings);
    return need;
}

/* When chains that run at the same time need most is a matter of chance, so one of them is looked at alone. */
static void each_chain_at_the_same_time_needs_its_memory(void **state)
{
    (void)state;
    gb_corpus *c = draw_corpus("25000", "100", "3");
    gb_settings *settings = settings_of_three_chains("3");
    gb_plan *plan = NULL;
    gb_chain *chain = NULL;
    assert_int_equal(gb_plan_create(c, settings, &plan, NULL), GB_OK);
    const uint64_t before = atomic_load(&allocated);
    atomic_store(&most_allocated, before);
    assert_int_equal(gb_chain_create(plan, 0, &chain, NULL), GB_OK);
    assert_int_equal(gb_chain_step(chain, 2, NULL, NULL, NULL), GB_OK);
    const double taken = (double)(atomic_load(&most_allocated) - before),
                 more = (double)(need_of(c, "3") - need_of(c, "1")) / 2;
    gb_chain_free(chain);
    gb_plan_free(plan);
    gb_settings_free(settings);
    gb_corpus_free(c);
    if (!MEMORY_IS_COUNTED)
        skip();
    print_message("a chain needs %.1f MiB, took %.1f MiB\n", more / 0x1p20, taken / 0x1p20);
    assert_true(more > 0.9 * taken && more < 1.1 * taken);
}

static void weights_of_topics(void **state)
{
    (void)state;
    gb_corpus *c = draw_corpus("20000", "60", "2");
    compare(c, settings_of("topics", "100", "prior", "logistic-normal", "covariance", "full", "response", "none",
                           "sweeps", "3", "burn-in", "1", "thin", "1", "threads", "2", "seed", "1", NULL));
}

static void coefficients_of_words(void **state)
{
    (void)state;
    gb_corpus *c = draw_corpus("10000", "60", "10");
    compare(c, settings_of("topics", "20", "word-effects", "tfidf", "sweeps", "3", "burn-in", "1", "thin", "1",
                           "threads", "2", "seed", "1", NULL));
}

/* Each document with a name of its own, as when the id of an author is taken for a covariate or a group. */
static void compare_names(int n_digits, const char *role, gb_settings *settings)
{
    enum { N = 40000 };
    FILE *file = fopen("names.jsonl", "w");
    assert_non_null(file);
    for (int d = 0; d < N; d++)
        fprintf(file, "{\"text\": \"red green %s\", \"label\": \"%d\", \"who\": \"w%0*d\"}\n",
                d % 2 ? "blue" : "grey", d % 2, n_digits, d);
    assert_int_equal(fclose(file), 0);
    gb_corpus *c = corpus_of("names.jsonl", role, "who", "label", "label", NULL);
    compare(c, settings);
}

static void names_of_levels(void **state)
{
    (void)state;
    for (int n_digits = 8; n_digits <= 80; n_digits *= 10)
        compare_names(n_digits, "covariates",
                      settings_of("topics", "2", "sweeps", "2", "burn-in", "1", "thin", "1", "threads", "2", "seed",
                                  "1", NULL));
}

static void names_of_groups(void **state)
{
    (void)state;
    for (int n_digits = 8; n_digits <= 80; n_digits *= 10)
        compare_names(n_digits, "group",
                      settings_of("topics", "2", "prior", "graph", "sweeps", "2", "burn-in", "1", "thin", "1",
                                  "threads", "2", "seed", "1", NULL));
}

/* ---- sizes --------------------------------------------------------------------------------------------- */

static void sizes_are_shown_in_two_digits_or_three(void **state)
{
    static const struct {
        uint64_t n_bytes;
        const char *text;
    } cases[] = {{0, "0.0 KiB"},
                 {1536, "1.5 KiB"},
                 {(uint64_t)999 << 10, "999 KiB"},
                 {(uint64_t)1000 << 10, "1.0 MiB"},
                 {(uint64_t)152 << 20, "152 MiB"},
                 {(uint64_t)1229 << 20, "1.2 GiB"},
                 {(uint64_t)64 << 30, "64 GiB"},
                 {(uint64_t)3 << 40, "3.0 TiB"},
                 {(uint64_t)5000 << 40, "5000 TiB"}};
    char text[GB_SIZE_TEXT];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gb_size_to_text(cases[i].n_bytes, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void limits_are_read(void **state)
{
    static const struct {
        const char *text;
        uint64_t n_bytes;
    } cases[] = {{"", UINT64_MAX},
                 {"0", 0},
                 {"1000", 1000},
                 {"10K", 10240},
                 {"500M", (uint64_t)500 << 20},
                 {"500MB", (uint64_t)500 << 20},
                 {"1.5g", (uint64_t)1536 << 20},
                 {"2GiB", (uint64_t)2 << 30},
                 {"3T", (uint64_t)3 << 40},
                 {"99999999999999T", UINT64_MAX}};
    static const char *const bad[] = {"x", "G", "-1", "1 G", "1GG", "1Gi", "1X", "1.2.3", "nan", "0x10", ".", "1e3"};
    uint64_t n_bytes;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(gb_size_from_text(cases[i].text, &n_bytes, NULL), GB_OK);
        assert_int_equal(n_bytes, cases[i].n_bytes);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(gb_size_from_text(bad[i], &n_bytes, NULL), GB_EARGUMENT);
}

static void a_limit_is_kept_before_anything_is_made(void **state)
{
    gb_model *model = NULL;
    gb_error err = {0};
    (void)state;
    gb_corpus *c = draw_corpus("10", "10", "2");
    gb_settings *settings = settings_of("topics", "5", "memory-limit", "1M", NULL);
    assert_int_equal(gb_train(c, settings, NULL, NULL, &model, &err), GB_EARGUMENT);
    assert_null(model);
    assert_non_null(strstr(err.message, "`memory-limit` 1M: this training needs about "));
    assert_int_equal(gb_settings_set(settings, "memory-limit", "1G", NULL), GB_OK);
    assert_int_equal(gb_settings_set(settings, "sweeps", "2", NULL), GB_OK);
    assert_int_equal(gb_train(c, settings, NULL, NULL, &model, NULL), GB_OK);
    gb_model_free(model);
    gb_settings_free(settings);
    gb_corpus_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(topics_without_labels),
        cmocka_unit_test(weights_of_topics),
        cmocka_unit_test(coefficients_of_words),
        cmocka_unit_test(many_outputs),
        cmocka_unit_test(names_of_levels),
        cmocka_unit_test(names_of_groups),
        cmocka_unit_test(chains_one_after_the_other),
        cmocka_unit_test(each_chain_at_the_same_time_needs_its_memory),
        cmocka_unit_test(sizes_are_shown_in_two_digits_or_three),
        cmocka_unit_test(limits_are_read),
        cmocka_unit_test(a_limit_is_kept_before_anything_is_made),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
