/* Model files: what is written comes back, and nothing in a file is trusted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "corpus/data/corpus.h"
#include "gibbous/gibbous.h"
#include "helper_documents.h"
#include "helper_models.h"
#include "model/cross_fitted.h"
#include "model/model.h"
#include "store/store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/gibbous-model-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[2][256];
    static int turn;
    turn = !turn;
    (void)snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

/* A trained model with three classes, an intercept and two chains. */
static gb_model *make_model_with(const char *prior, const char *covariance)
{
    static const char *const option[][2] = {{"topics", "4"},  {"documents", "30"},  {"vocabulary-size", "25"},
                                            {"length", "12"}, {"classes", "3"},     {"sweeps", "6"},
                                            {"chains", "2"},  {"intercept", "yes"}, {"variance", "intercept=0.0001"},
                                            {"seed", "9"}};
    gb_settings *s;
    gb_corpus *corpus;
    gb_model *model;
    assert_int_equal(gb_settings_create(&s, NULL), GB_OK);
    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        assert_int_equal(gb_settings_set(s, option[i][0], option[i][1], NULL), GB_OK);
    assert_int_equal(gb_settings_set(s, "prior", prior, NULL), GB_OK);
    if (covariance != NULL)
        assert_int_equal(gb_settings_set(s, "covariance", covariance, NULL), GB_OK);
    assert_int_equal(gb_simulate(NULL, s, NULL, NULL, &corpus, NULL), GB_OK);
    assert_int_equal(gb_train(corpus, s, NULL, NULL, &model, NULL), GB_OK);
    gb_corpus_free(corpus);
    gb_settings_free(s);
    return model;
}

static gb_model *make_model(void)
{
    return make_model_with("dirichlet", NULL);
}

static char *contents(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *bytes = malloc(1 << 20);
    *size = fread(bytes, 1, 1 << 20, f);
    (void)fclose(f);
    return bytes;
}

static void a_model_read_back_is_written_with_the_same_bytes(void **unused)
{
    (void)unused;
    gb_model *model = make_model(), *again;
    assert_int_equal(gb_model_write(model, path_of("a"), true, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_read(path_of("a"), NULL, NULL, &again, NULL), GB_OK);
    assert_int_equal(gb_model_write(again, path_of("b"), true, NULL, NULL, NULL), GB_OK);
    size_t n, m;
    char *a = contents(path_of("a"), &n), *b = contents(path_of("b"), &m);
    assert_int_equal(n, m);
    assert_memory_equal(a, b, n);
    free(a);
    free(b);
    gb_model_free(model);
    gb_model_free(again);
}

static void the_bytes_of_a_model_are_those_of_its_file(void **unused)
{
    (void)unused;
    gb_model *model = make_model(), *again;
    gb_error err;
    void *bytes;
    size_t n, m;
    assert_int_equal(gb_model_write(model, path_of("a"), true, NULL, NULL, NULL), GB_OK);
    char *file = contents(path_of("a"), &n);
    assert_int_equal(gb_model_to_bytes(model, &bytes, &m, NULL), GB_OK);
    assert_int_equal(m, n);
    assert_memory_equal(bytes, file, n);
    assert_int_equal(gb_model_from_bytes(bytes, m, &again, NULL), GB_OK);
    gb_free(bytes);
    assert_int_equal(gb_model_to_bytes(again, &bytes, &m, NULL), GB_OK);
    assert_int_equal(m, n);
    assert_memory_equal(bytes, file, n);
    gb_model_free(again);
    again = NULL;
    assert_int_equal(gb_model_from_bytes(bytes, n - 1, &again, &err), GB_EFORMAT);
    assert_non_null(strstr(err.message, "the bytes: "));
    assert_int_equal(gb_model_from_bytes(bytes, 0, &again, NULL), GB_EFORMAT);
    ((char *)bytes)[n - 1] ^= 1;
    assert_int_equal(gb_model_from_bytes(bytes, n, &again, &err), GB_EFORMAT);
    assert_string_equal(err.message, "the bytes: checksum does not match: the file is damaged");
    assert_null(again);
    gb_free(bytes);
    free(file);
    gb_model_free(model);
}

static void a_model_read_back_answers_the_same(void **unused)
{
    (void)unused;
    gb_model *model = make_model(), *again;
    assert_int_equal(gb_model_write(model, path_of("a"), true, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_read(path_of("a"), NULL, NULL, &again, NULL), GB_OK);
    assert_int_equal(gb_model_n_topics(again), 4);
    assert_int_equal(gb_model_n_draws(again), gb_model_n_draws(model));
    assert_int_equal(gb_model_n_classes(again, 0), 3);
    assert_int_equal(gb_model_seed(again), 9);
    assert_string_equal(gb_model_settings(again), gb_model_settings(model));
    assert_int_equal(gb_model_task(again, 0), GB_TASK_MULTICLASS);
    for (uint64_t k = 0; k < 4; k++) {
        uint64_t word[2][5];
        double p[2][5];
        assert_int_equal(top_words(model, k, 5, word[0], p[0]), 5);
        assert_int_equal(top_words(again, k, 5, word[1], p[1]), 5);
        assert_memory_equal(word[0], word[1], sizeof word[0]);
        assert_memory_equal(p[0], p[1], sizeof p[0]);
        assert_true(p[0][0] >= p[0][1] && p[0][3] >= p[0][4]);
        for (uint64_t l = 0; l < 3; l++)
            assert_true(gb_model_coefficient(model, l, k) == gb_model_coefficient(again, l, k));
    }
    gb_model_free(model);
    gb_model_free(again);
}

/* Reading path "bad" fails with this message. */
static void assert_refused(const char *expected)
{
    gb_error err = {.status = GB_OK};
    gb_model *again = NULL;
    char message[400];
    assert_int_equal(gb_model_read(path_of("bad"), NULL, NULL, &again, &err), GB_EFORMAT);
    assert_null(again);
    (void)snprintf(message, sizeof message,
                   strncmp(expected, "array ", 6) == 0 ? "%s: %s" : "%s: damaged model file: %s", path_of("bad"),
                   expected);
    assert_string_equal(err.message, message);
}

/* Write a model with a description that is wrong. */
static void refuse(gb_model *model, const char *expected)
{
    gb_error err = {.status = GB_OK};
    assert_int_equal(gb_model_write(model, path_of("bad"), true, NULL, NULL, &err), GB_OK);
    assert_refused(expected);
    gb_model_free(model);
}

/* Write a model, and then change an array. */
static void refuse_array(const gb_model *model, const char *array, size_t at, const void *bytes, size_t n_bytes,
                         const char *expected)
{
    assert_int_equal(gb_model_write(model, path_of("bad"), true, NULL, NULL, NULL), GB_OK);
    change_array(path_of("bad"), array, at, bytes, n_bytes);
    assert_refused(expected);
}

static void refuse_number(const gb_model *model, const char *array, size_t at, double value, const char *expected)
{
    refuse_array(model, array, at * sizeof value, &value, sizeof value, expected);
}

static void refuse_integer(const gb_model *model, const char *array, size_t at, uint64_t value, const char *expected)
{
    refuse_array(model, array, at * sizeof value, &value, sizeof value, expected);
}

static void draws_that_do_not_fit_are_refused(void **unused)
{
    (void)unused;
    gb_model *m = make_model(); /* six draws, all of them snapshots, of 4 topics, 3 outputs and 25 words */
    const uint16_t no_topic = 4;
    const char *const misfit = "the arrays of the snapshots do not fit together";
    assert_int_equal(m->n_kept, 6);
    assert_int_equal(m->n_draws, 6);
    refuse_array(m, "snapshot_topic", 0, &no_topic, sizeof no_topic, misfit);
    refuse_integer(m, "snapshot_word_start", 26 + 3, UINT64_MAX, misfit);
    refuse_integer(m, "snapshot_word_start", 0, 1, misfit);
    refuse_integer(m, "snapshot_start", 1, UINT64_MAX, misfit);
    refuse_integer(m, "snapshot_start", 6, 1, "array \"snapshot_topic\" has a dimension of 73, expected 1");
    refuse_integer(m, "snapshot", 5, 6, misfit);
    refuse_integer(m, "snapshot", 1, 0, misfit);
    refuse_integer(m, "trace_sweeps", 0, UINT64_MAX,
                   "array \"trace\" has a dimension of 6, expected 18446744073709551615");
    refuse_integer(m, "first_output", 2, 1, "a draw has outputs that the model has not");
    refuse_number(m, "alpha", 4 + 2, -1, "an alpha is not a positive number");
    refuse_number(m, "eta", 15 + 2, INFINITY, "a coefficient is not a number, or too large");
    refuse_number(m, "score", 3, NAN, "the mean or the spread of scores is not a number, or too large");
    refuse_number(m, "eta", 15 + 2, 1.7e308, "a coefficient is not a number, or too large");
    const uint32_t many = UINT32_MAX;
    refuse_array(m, "snapshot_count", 0, &many, sizeof many, "a snapshot has more tokens than the documents");
    gb_model_free(m);
}

/* The vocabulary of a model that was trained is its own. */
static uint64_t *starts_of(gb_model *m)
{
    return (uint64_t *)(uintptr_t)m->vocabulary.start;
}

static char *bytes_of(gb_model *m)
{
    return (char *)(uintptr_t)m->vocabulary.bytes;
}

static void descriptions_that_do_not_fit_are_refused(void **unused)
{
    (void)unused;
    gb_model *m = make_model();
    starts_of(m)[2] = starts_of(m)[1] + 1000;
    refuse(m, "the vocabulary's bounds do not ascend");
    m = make_model();
    bytes_of(m)[1] = '\033'; /* would reach the terminal of whoever lists the topics */
    refuse(m, "a word is not text");
    m = make_model();
    m->target[0].class_name[1][0] = '\n';
    refuse(m, "a class has no name");
    m = make_model();
    (void)strcpy(m->target[0].class_name[1], m->target[0].class_name[2]); /* as long */
    refuse(m, "two classes of one name");
    m = make_model();
    memcpy(bytes_of(m) + starts_of(m)[3], bytes_of(m) + starts_of(m)[7], starts_of(m)[4] - starts_of(m)[3]);
    refuse(m, "a word is in the vocabulary twice");
    m = make_model();
    m->beta = 0;
    refuse(m, "a number of the description is out of range");
    m = make_model();
    m->beta = 1e308; /* the option has up to 1e6 */
    refuse(m, "a number of the description is out of range");
    m = make_model();
    m->target[0].task = GB_TASK_BINARY; /* with three classes */
    refuse(m, "the classes or the task do not suit the response");
    m = make_model();
    m->target[0].law = (gb_count_law){
        .slope = 1, .own = 1, .low = 0.05, .high = 0.95, .high_short = 0.95, .high_none = 0.95}; /* of classes */
    refuse(m, "the law of new counts is none");
    m = make_model();
    assert_int_equal(gb_alloc(&m->target[0].level_law.share, m->target[0].n_classes, sizeof(double), "", NULL),
                     GB_OK);
    refuse(m, "the law of new levels is none"); /* of classes */
    m = make_model();
    m->parameters.of[GB_PRIOR].n_columns = 2; /* of 4 */
    m->parameters.of[GB_PRIOR].size = 2;
    refuse(m, "array \"alpha\" has a dimension of 2, expected 4");
}

static void numbers_of_a_response_that_no_training_writes_are_refused(void **unused)
{
    (void)unused;
    static const size_t place[] = {offsetof(gb_target, centre), offsetof(gb_target, scale),
                                   offsetof(gb_target, scale), offsetof(gb_target, response.margin),
                                   offsetof(gb_target, response.epsilon)};
    static const double value[] = {-1e308, 1e308, 0, -5, -5};
    for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
        gb_model *m = make_model();
        memcpy((char *)&m->target[0] + place[i], &value[i], sizeof value[i]);
        refuse(m, "a number of a response is out of range");
    }
    gb_model *m = make_model();
    m->n_training_tokens = 0; /* shares of topics are divided by it */
    refuse(m, "a number of the description is out of range");
}

/* Whose option it was means nothing to who reads the model. */
static void a_pattern_of_words_that_is_none_is_the_fault_of_the_model(void **unused)
{
    (void)unused;
    gb_error err = {.status = GB_OK};
    gb_documents *documents = NULL;
    gb_settings *settings;
    char message[400];
    gb_model *m = make_model(), *again;
    json_t *words =
        json_pack("{s:i, s:b, s:s, s:[]}", "version", 1, "lowercase", 1, "token_pattern", "[a-", "stopwords");
    assert_int_equal(json_object_update(m->preparation, words), 0);
    assert_int_equal(gb_model_write(m, path_of("a"), true, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_read(path_of("a"), NULL, NULL, &again, NULL), GB_OK);
    assert_int_equal(gb_settings_create(&settings, NULL), GB_OK);
    assert_int_equal(gb_documents_open(again, "none.jsonl", settings, NULL, NULL, &documents, &err), GB_EFORMAT);
    (void)snprintf(
        message, sizeof message,
        "%s: the pattern that words were made by \"[a-\": character 3: missing terminating ] for character "
        "class",
        path_of("a"));
    assert_string_equal(err.message, message);
    json_decref(words);
    gb_settings_free(settings);
    gb_model_free(m);
    gb_model_free(again);
}

static void a_model_without_draws_is_not_written(void **unused)
{
    (void)unused;
    gb_error err = {.status = GB_OK};
    gb_model *m = make_model();
    m->n_kept = 0;
    assert_int_equal(gb_model_write(m, path_of("none"), true, NULL, NULL, &err), GB_EARGUMENT);
    assert_non_null(strstr(err.message, "a model without draws cannot be written"));
    gb_model_free(m);
}

static void log_weights_are_read_back(void **unused)
{
    static const char *const covariance[] = {"diagonal", "full"};
    (void)unused;
    for (size_t i = 0; i < 2; i++) {
        gb_model *model = make_model_with("logistic-normal", covariance[i]), *again = NULL;
        size_t n[2];
        assert_int_equal(gb_model_write(model, path_of("a"), true, NULL, NULL, NULL), GB_OK);
        assert_int_equal(gb_model_read(path_of("a"), NULL, NULL, &again, NULL), GB_OK);
        assert_int_equal(gb_model_write(again, path_of("b"), true, NULL, NULL, NULL), GB_OK);
        char *one = contents(path_of("a"), &n[0]), *two = contents(path_of("b"), &n[1]);
        assert_int_equal(n[0], n[1]);
        assert_memory_equal(one, two, n[0]);
        free(one);
        free(two);
        gb_model_free(model);
        gb_model_free(again);
    }
    gb_model *m = make_model_with("logistic-normal", "diagonal");
    refuse_number(m, "group_mean", 1, NAN, "a parameter of the document prior is not a number, or too large");
    refuse_number(m, "group_mean", 1, 1e100, "a parameter of the document prior is not a number, or too large");
    refuse_number(m, "observation_precision", 1, -1, "a precision is not a positive number");
    gb_model_free(m);
    m = make_model_with("logistic-normal", "full");
    refuse_number(m, "covariance", 9, -1, "a covariance is not positive definite");
    gb_model_free(m);
}

static char *text_of(const char *text)
{
    char *copy = NULL;
    assert_int_equal(gb_copy_text(&copy, text, strlen(text), NULL), GB_OK);
    return copy;
}

/* With effects of two folds, all NaN, and a parameter. */
static gb_model *make_model_with_folds(void)
{
    gb_model *m = make_model();
    gb_cross_fitted *c = NULL;
    assert_int_equal(gb_cross_fitted_create(m, 2, 1, &c, NULL), GB_OK);
    c->response[0] = text_of("logistic");
    c->own[0] = (gb_cross_parameter){.response = 0, .place = 1, .name = text_of("cut_points")};
    m->cross_fitted = c;
    return m;
}

static void effects_of_folds_are_read_back_or_refused(void **unused)
{
    (void)unused;
    gb_model *m = make_model_with_folds(), *again = NULL;
    assert_int_equal(gb_model_write(m, path_of("a"), true, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_read(path_of("a"), NULL, NULL, &again, NULL), GB_OK);
    assert_int_equal(gb_model_write(again, path_of("b"), true, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_n_folds(again), 2);
    assert_same_files(path_of("a"), path_of("b"));
    gb_model_free(again);
    const char *const out_of_range = "a number of the folds is out of range";
    refuse_number(m, "fold_effect", GB_CROSS_N_FOLDS, 3, out_of_range);
    refuse_number(m, "fold_effect", GB_CROSS_N_DRAWS, NAN, out_of_range);
    refuse_integer(m, "fold_topic", 1, 4, out_of_range);
    refuse_integer(m, "fold_word", 1, 25, out_of_range);
    m->cross_fitted->own[0].place = 2; /* of three classes */
    refuse(m, "a parameter of the folds is none of the model");
    m = make_model_with_folds();
    m->cross_fitted->n_topics = 3;
    refuse(m, "array \"fold_topic\" has a dimension of 3, expected 4");
    m = make_model_with_folds();
    m->cross_fitted->n_folds = 1; /* fewer arrays than were made */
    m->cross_fitted->n_features = 4;
    refuse(m, "array \"fold_effect\" has a dimension of 13, expected 16");
}

static void every_cut_and_every_flipped_byte_is_refused(void **unused)
{
    (void)unused;
    gb_model *model = make_model(), *again;
    assert_int_equal(gb_model_write(model, path_of("a"), true, NULL, NULL, NULL), GB_OK);
    size_t n;
    char *bytes = contents(path_of("a"), &n);
    for (size_t i = 0; i < n; i += 7) {
        for (int cut = 0; cut <= 1; cut++) {
            FILE *f = fopen(path_of("c"), "wb");
            assert_non_null(f);
            bytes[i] ^= 0x20;
            assert_int_equal(fwrite(bytes, 1, cut ? i : n, f), cut ? i : n);
            bytes[i] ^= 0x20;
            assert_int_equal(fclose(f), 0);
            again = NULL;
            assert_int_equal(gb_model_read(path_of("c"), NULL, NULL, &again, NULL), GB_EFORMAT);
            assert_null(again);
        }
    }
    free(bytes);
    gb_model_free(model);
}

static int make_folder(void **unused)
{
    (void)unused;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **unused)
{
    (void)unused;
    static const char *const names[] = {"a", "b", "bad", "c"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        (void)unlink(path_of(names[i]));
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_read_back_is_written_with_the_same_bytes),
        cmocka_unit_test(the_bytes_of_a_model_are_those_of_its_file),
        cmocka_unit_test(a_model_read_back_answers_the_same),
        cmocka_unit_test(draws_that_do_not_fit_are_refused),
        cmocka_unit_test(descriptions_that_do_not_fit_are_refused),
        cmocka_unit_test(numbers_of_a_response_that_no_training_writes_are_refused),
        cmocka_unit_test(a_pattern_of_words_that_is_none_is_the_fault_of_the_model),
        cmocka_unit_test(a_model_without_draws_is_not_written),
        cmocka_unit_test(log_weights_are_read_back),
        cmocka_unit_test(effects_of_folds_are_read_back_or_refused),
        cmocka_unit_test(every_cut_and_every_flipped_byte_is_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
