/* Small files that ask for much memory are refused before any is taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "corpus/data/corpus_file.h"
#include "gibbous/gibbous.h"
#include "helper_memory.h"
#include "store/json_text.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[] = "/tmp/gibbous-small-XXXXXX";

/* ---- models ---- */

/* A model of one word without a response: draws are what it claims to have, in so few bytes as can be. */
typedef struct claim {
    uint64_t n_topics, n_draws, n_chains;
    bool lacks_shares; /* of topics, of all draws but the first */
    const char *more;  /* of the description: ", \"acceptance\": ..." */
} claim;

static char *describe(const claim *c)
{
    const size_t size = strlen(c->more) + 400;
    char *text = malloc(size);
    assert_non_null(text);
    (void)snprintf(text, size,
                   "{\"topics\":%llu,\"prior\":\"uniform\",\"beta\":0.1,\"responses\":[],\"covariates\":null,"
                   "\"exposure\":\"\",\"intercept\":false,\"seed\":\"1\",\"documents\":1,\"tokens\":1,\"draws\":%llu,"
                   "\"snapshots\":%llu%s}",
                   (unsigned long long)c->n_topics, (unsigned long long)c->n_draws, (unsigned long long)c->n_draws,
                   c->more);
    return text;
}

static void put(gb_store_writer *w, const char *name, gb_dtype type, uint64_t n, uint64_t n_columns, const void *data)
{
    const uint64_t shape[2] = {n, n_columns};
    assert_int_equal(gb_store_array(w, name, type, n_columns == 0 ? 1 : 2, shape, data, NULL), GB_OK);
}

static void write_model(const claim *c)
{
    static const uint64_t word_start[] = {0, 1};
    const uint64_t n = c->n_draws;
    gb_store_writer *w;
    char *description = describe(c);
    uint64_t *zeros = calloc(2 * n + 2, sizeof *zeros), *order = calloc(n, sizeof *order),
             *chain = calloc(n, sizeof *chain);
    const uint64_t n_shares = c->lacks_shares ? 1 : n;
    double *share = calloc(n_shares * c->n_topics, sizeof *share);
    assert_true(zeros != NULL && order != NULL && chain != NULL && share != NULL);
    for (uint64_t i = 0; i < n; i++) {
        order[i] = i;
        chain[i] = i * c->n_chains / n;
    }
    assert_int_equal(gb_store_create(&w, "model", NULL), GB_OK);
    assert_int_equal(gb_store_text(w, "description", description, NULL), GB_OK);
    assert_int_equal(gb_store_text(w, "settings", "{}", NULL), GB_OK);
    assert_int_equal(gb_store_text(w, "preparation", "{}", NULL), GB_OK);
    put(w, "word_start", GB_U64, 2, 0, word_start);
    put(w, "word_bytes", GB_U8, 1, 0, "a");
    put(w, "chain", GB_U64, n, 0, chain);
    put(w, "sweep", GB_U64, n, 0, order);
    put(w, "first_output", GB_U64, n, 0, zeros);
    put(w, "log_joint", GB_F64, n, 0, zeros);
    put(w, "mean_share", GB_F64, n_shares, c->n_topics, share);
    put(w, "snapshot", GB_U64, n, 0, order);
    put(w, "snapshot_start", GB_U64, n + 1, 0, zeros);
    put(w, "snapshot_word_start", GB_U64, n, 2, zeros);
    put(w, "snapshot_topic", GB_U16, 0, 0, zeros);
    put(w, "snapshot_count", GB_U32, 0, 0, zeros);
    assert_int_equal(gb_store_save(w, path, true, NULL), GB_OK);
    gb_store_writer_free(w);
    free(description);
    free(zeros);
    free(order);
    free(chain);
    free(share);
}

static void read_expecting(const claim *c, gb_status expected, const char *message)
{
    gb_model *m = NULL;
    gb_error err = {0};
    write_model(c);
    assert_int_equal(gb_model_read(path, NULL, NULL, &m, &err), expected);
    if (message != NULL)
        assert_non_null(strstr(err.message, message));
    gb_model_free(m);
}

static void the_smallest_model_is_read(void **unused)
{
    (void)unused;
    read_expecting(&(claim){3, 2, 1, false, ""}, GB_OK, NULL);
}

static void counts_of_topics_that_are_not_in_the_file_are_not_made(void **unused)
{
    (void)unused;
    read_expecting(&(claim){65535, 10000, 1, true, ""}, GB_EFORMAT, "its draws would take 52");
}

/* ", "name": [item, item, ...]" with n items in a list inside an object. */
static char *list_of(const char *item, size_t n)
{
    const size_t length = strlen(item) + 1;
    char *text = malloc(n * length + 100), *at = text;
    assert_non_null(text);
    at += sprintf(at, ",\"acceptance\":{\"a\":[");
    for (size_t i = 0; i < n; i++)
        at += sprintf(at, "%s%s", i == 0 ? "" : ",", item);
    (void)strcpy(at, "]}");
    return text;
}

static void descriptions_that_grow_in_memory_are_refused(void **unused)
{
    (void)unused;
    static const char *const item[] = {"0", "{}", "[]", "\"\""};
    for (size_t i = 0; i < sizeof item / sizeof *item; i++) {
        char *text = list_of(item[i], 3000000);
        read_expecting(&(claim){3, 1, 1, false, text}, GB_EFORMAT, "its description would take ");
        free(text);
    }
}

static void a_description_of_some_length_is_read(void **unused)
{
    (void)unused;
    char *text = list_of("0.1234567890123456", 200000);
    read_expecting(&(claim){3, 1, 1, false, text}, GB_OK, NULL);
    free(text);
}

static void a_table_of_all_pairs_of_topics_is_not_made_for_a_small_file(void **unused)
{
    (void)unused;
    uint64_t topic;
    gb_model *m;
    gb_error err;
    write_model(&(claim){65535, 2, 2, false, ""});
    assert_int_equal(gb_model_read(path, NULL, NULL, &m, &err), GB_OK);
    assert_int_equal(gb_model_topics_of_chain(m, 0, 1, &topic, &err), GB_EFORMAT);
    assert_non_null(strstr(err.message, "the match of topics would take 34358689800 bytes"));
    gb_model_free(m);
}

/* ---- headers ---- */

static void a_header_that_grows_in_memory_is_refused(void **unused)
{
    (void)unused;
    gb_store *s = NULL;
    gb_error err;
    const size_t n = 100000;
    char *bytes = malloc(3 * n + 200), *at = bytes + 8;
    at += sprintf(at, "{\"__metadata__\":{\"checksum\":\"%032d\",\"gibbous\":\"model 2\"},\"a\":[", 0);
    for (size_t i = 0; i < n; i++)
        at += sprintf(at, "%s{}", i == 0 ? "" : ",");
    at += sprintf(at, "]}");
    while ((at - bytes) % 64 != 0)
        *at++ = ' ';
    const uint64_t length = (uint64_t)(at - bytes) - 8;
    memcpy(bytes, &length, sizeof length);
    assert_int_equal(gb_store_open_bytes(&s, bytes, length + 8, "model", &err), GB_EFORMAT);
    assert_non_null(strstr(err.message, "the header would take "));
    free(bytes);
}

static void the_estimate_of_a_text_is_no_less_than_what_it_takes(void **unused)
{
    (void)unused;
    static const char *const text[] = {"[]", "[1,2,3]", "[\"a\",\"b\"]", "{\"a\":{\"b\":[]}}"};
    static const uint64_t least[] = {100, 150, 200, 600};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        assert_true(gb_json_memory(text[i], strlen(text[i])) >= least[i]);
}

/* ---- corpora ---- */

static void the_notes_of_a_corpus_do_not_grow_in_memory(void **unused)
{
    (void)unused;
    gb_store_writer *w;
    gb_store *s;
    gb_error err;
    json_t *value = NULL;
    char *text = list_of("{}", 500000);
    text[0] = ' '; /* the comma */
    char *object = malloc(strlen(text) + 3);
    (void)sprintf(object, "{%s}", text);
    assert_int_equal(gb_store_create(&w, "corpus", NULL), GB_OK);
    assert_int_equal(gb_store_text(w, "source", object, NULL), GB_OK);
    assert_int_equal(gb_store_save(w, path, true, NULL), GB_OK);
    gb_store_writer_free(w);
    assert_int_equal(gb_store_open(&s, path, "corpus", NULL), GB_OK);
    assert_int_equal(gb_get_json(s, "source", &value, &err), GB_EFORMAT);
    assert_non_null(strstr(err.message, "a description would take "));
    gb_store_close(s);
    free(text);
    free(object);
}

/* ---- what reading takes ---- */

/* Largest resident memory, in bytes, that a child needs more than it had. */
static uint64_t memory_of_reading(void)
{
    int end[2];
    uint64_t n_bytes = 0;
    assert_int_equal(pipe(end), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rusage before, after;
        gb_model *m = NULL;
        (void)getrusage(RUSAGE_SELF, &before);
        (void)gb_model_read(path, NULL, NULL, &m, NULL);
        (void)getrusage(RUSAGE_SELF, &after);
        n_bytes = (uint64_t)(after.ru_maxrss - before.ru_maxrss) * 1024;
        _exit(write(end[1], &n_bytes, sizeof n_bytes) != sizeof n_bytes);
    }
    assert_int_equal(read(end[0], &n_bytes, sizeof n_bytes), sizeof n_bytes);
    assert_int_equal(waitpid(child, NULL, 0), child);
    (void)close(end[0]);
    (void)close(end[1]);
    return n_bytes;
}

static uint64_t size_of_file(void)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    (void)fseek(f, 0, SEEK_END);
    const long size = ftell(f);
    (void)fclose(f);
    return (uint64_t)size;
}

/* What is read, and what is refused: the largest of each kind. */
static void reading_takes_at_most_four_times_the_file_and_64_mebibytes(void **unused)
{
    (void)unused;
    static const char *const item[] = {"0", "{}", "\"\""};
    if (MEMORY_IS_WATCHED)
        skip();
    for (size_t i = 0; i < 2 * (sizeof item / sizeof *item); i++) {
        char *text = list_of(item[i / 2], i % 2 == 0 ? 50000 : 4000000);
        write_model(&(claim){3, 1, 1, false, text});
        const uint64_t taken = memory_of_reading();
        assert_true(taken <= 4 * size_of_file() + ((uint64_t)64 << 20));
        free(text);
    }
    write_model(&(claim){65535, 20, 1, false, ""});
    assert_true(memory_of_reading() <= 4 * size_of_file() + ((uint64_t)64 << 20));
    write_model(&(claim){2, 50000, 1, false, ""});
    assert_true(memory_of_reading() <= 4 * size_of_file() + ((uint64_t)64 << 20));
}

static int make_path(void **unused)
{
    (void)unused;
    const int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_path(void **unused)
{
    (void)unused;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_smallest_model_is_read),
        cmocka_unit_test(counts_of_topics_that_are_not_in_the_file_are_not_made),
        cmocka_unit_test(descriptions_that_grow_in_memory_are_refused),
        cmocka_unit_test(a_description_of_some_length_is_read),
        cmocka_unit_test(a_table_of_all_pairs_of_topics_is_not_made_for_a_small_file),
        cmocka_unit_test(a_header_that_grows_in_memory_is_refused),
        cmocka_unit_test(the_estimate_of_a_text_is_no_less_than_what_it_takes),
        cmocka_unit_test(the_notes_of_a_corpus_do_not_grow_in_memory),
        cmocka_unit_test(reading_takes_at_most_four_times_the_file_and_64_mebibytes),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
