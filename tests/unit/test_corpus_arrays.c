/* tests/unit/test_corpus_arrays.c - a corpus from arrays is the corpus from a file, and arrays are doubted. */
#include "helper_documents.h"

#include "corpus/readers/arrays.h"
#include "gibbous/gibbous.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the same documents twice ---- */

enum { N_DOCS = 5, N_WORDS = 6 };

static const char *const words[N_WORDS] = {"the", "moon", "tide", "never", "bread", "yeast"};
static const uint64_t doc_start[N_DOCS + 1] = {0, 3, 5, 5, 8, 9};
static const uint32_t word[9] = {0, 1, 2, 4, 5, 1, 0, 2, 5};
static const uint32_t count[9] = {3, 2, 4, 5, 2, 3, 1, 2, 4};
static const char *const ids[N_DOCS] = {"a", "b", NULL, "d", "e"};
static const char *const kinds[2] = {"sky", "kitchen"};
static const uint32_t kind_of[N_DOCS] = {0, 1, GB_NO_CLASS, 0, 1};
static const double year[N_DOCS] = {1990, 2000.5, 1995, 1991, 2001};
static const char *const tags[3] = {"wet", "warm", "old"};
static const uint64_t tag_start[N_DOCS + 1] = {0, 2, 3, 3, 3, 4};
static const uint32_t tag_of[4] = {2, 0, 1, 1};
static const bool tags_missing[N_DOCS] = {false, false, false, true, false};
static const double stars[N_DOCS] = {5, 1, (double)NAN, 4.5, 2};

typedef struct folder {
    char path[40], counts[80], vocabulary[80], metadata[80], model[80];
    gb_settings *settings;
} folder;

static int create_folder(void **state)
{
    folder *f = calloc(1, sizeof *f);
    assert_non_null(f);
    strcpy(f->path, "/tmp/arrays-XXXXXX");
    assert_non_null(mkdtemp(f->path));
    (void)snprintf(f->counts, sizeof f->counts, "%s/c.uci", f->path);
    (void)snprintf(f->vocabulary, sizeof f->vocabulary, "%s/v.txt", f->path);
    (void)snprintf(f->metadata, sizeof f->metadata, "%s/m.csv", f->path);
    (void)snprintf(f->model, sizeof f->model, "%s/model", f->path);
    write_file(f->counts, "5\n6\n9\n1 1 3\n1 2 2\n1 3 4\n2 5 5\n2 6 2\n4 2 3\n4 1 1\n4 3 2\n5 6 4\n");
    write_file(f->vocabulary, "the\nmoon\ntide\nnever\nbread\nyeast\n");
    write_file(f->metadata, "kind,tags,stars,year\nsky,\"old,wet\",5,1990\nkitchen,warm,1,2000.5\n,,NA,1995\n"
                            "sky,,4.5,1991\nkitchen,warm,2,2001\n");
    assert_int_equal(gb_settings_create(&f->settings, NULL), GB_OK);
    set(f->settings, "stopwords", "en");
    *state = f;
    return 0;
}

static int remove_folder(void **state)
{
    folder *f = *state;
    (void)unlink(f->counts);
    (void)unlink(f->vocabulary);
    (void)unlink(f->metadata);
    (void)unlink(f->model);
    (void)rmdir(f->path);
    gb_settings_free(f->settings);
    free(f);
    return 0;
}

static void set_file_options(folder *f)
{
    set(f->settings, "format", "uci");
    set(f->settings, "vocabulary", f->vocabulary);
    set(f->settings, "metadata", f->metadata);
    set(f->settings, "label", "kind");
    set(f->settings, "target", "stars");
    set(f->settings, "covariates", "year:number");
}

static gb_corpus *from_file(folder *f)
{
    gb_error err = {0};
    gb_corpus *corpus = NULL;
    if (gb_corpus_read(f->counts, f->settings, NULL, NULL, &corpus, &err) != GB_OK)
        fail_msg("%s", err.message);
    return corpus;
}

static gb_corpus_arrays *describe(void)
{
    gb_corpus_arrays *a = NULL;
    assert_int_equal(gb_corpus_arrays_create(&a, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_counts(a, N_DOCS, doc_start, word, count, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_vocabulary(a, N_WORDS, words, NULL), GB_OK);
    return a;
}

static void add_fields(gb_corpus_arrays *a)
{
    assert_int_equal(gb_corpus_arrays_classes(a, "kind", GB_ROLE_RESPONSE, 2, kinds, kind_of, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_numbers(a, "stars", GB_ROLE_RESPONSE, stars, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_numbers(a, "year", GB_ROLE_COVARIATE, year, NULL), GB_OK);
}

static gb_corpus *from_arrays(const gb_corpus_arrays *a, const gb_settings *settings)
{
    gb_error err = {0};
    gb_corpus *corpus = NULL;
    if (gb_corpus_from_arrays(a, settings, &corpus, &err) != GB_OK)
        fail_msg("%s", err.message);
    return corpus;
}

/* The bytes of a model trained on the corpus. */
static char *train(folder *f, const gb_corpus *corpus, gb_model **model, size_t *length)
{
    gb_error err = {0};
    if (gb_train(corpus, f->settings, NULL, NULL, model, &err) != GB_OK ||
        gb_model_write(*model, f->model, true, NULL, NULL, &err) != GB_OK)
        fail_msg("%s", err.message);
    FILE *file = fopen(f->model, "r");
    assert_non_null(file);
    char *bytes = malloc(1 << 20);
    assert_non_null(bytes);
    *length = fread(bytes, 1, 1 << 20, file);
    (void)fclose(file);
    assert_true(*length > 100 && *length < 1 << 20);
    return bytes;
}

static void a_model_of_arrays_is_that_of_a_file(void **state)
{
    folder *f = *state;
    gb_model *one = NULL, *other = NULL;
    size_t length, other_length;
    set(f->settings, "topics", "3");
    set(f->settings, "sweeps", "20");
    set_file_options(f);
    gb_corpus_arrays *a = describe();
    add_fields(a);
    gb_corpus *file = from_file(f), *arrays = from_arrays(a, f->settings);
    char *bytes = train(f, file, &one, &length), *other_bytes = train(f, arrays, &other, &other_length);
    assert_int_equal(length, other_length);
    assert_memory_equal(bytes, other_bytes, length);
    free(bytes);
    free(other_bytes);
    gb_model_free(one);
    gb_model_free(other);
    gb_corpus_free(file);
    gb_corpus_free(arrays);
    gb_corpus_arrays_free(a);
}

/* ---- every kind of field ---- */

static void assert_same_text(const char *a, size_t n, const char *b, size_t m)
{
    assert_int_equal(n, m);
    assert_memory_equal(a, b, n);
}

static void assert_same_field(const gb_corpus *a, const gb_corpus *b, uint64_t field)
{
    const char *name, *other;
    gb_role role, other_role;
    gb_field_kind kind, other_kind;
    assert_true(gb_corpus_field(a, field, &name, &role, &kind));
    assert_true(gb_corpus_field(b, field, &other, &other_role, &other_kind));
    assert_string_equal(name, other);
    assert_true(role == other_role && kind == other_kind);
    assert_int_equal(gb_corpus_n_classes(a, field), gb_corpus_n_classes(b, field));
    for (uint64_t c = 0; c < gb_corpus_n_classes(a, field); c++) {
        size_t n, m;
        const char *class = gb_corpus_class(a, field, c, &n), *other_class = gb_corpus_class(b, field, c, &m);
        assert_same_text(class, n, other_class, m);
    }
    for (uint64_t d = 0; d < gb_corpus_n_docs(a); d++) {
        if (kind == GB_KIND_NUMBER) {
            const double x = gb_corpus_numbers(a, field)[d], y = gb_corpus_numbers(b, field)[d];
            assert_true(x == y || (isnan(x) && isnan(y)));
            continue;
        }
        const uint32_t *class_of, *other_of;
        uint64_t n, m;
        assert_int_equal(gb_corpus_classes_of(a, field, d, &class_of, &n),
                         gb_corpus_classes_of(b, field, d, &other_of, &m));
        assert_int_equal(n, m);
        for (uint64_t i = 0; i < n; i++)
            assert_int_equal(class_of[i], other_of[i]);
    }
}

static void assert_same_corpus(const gb_corpus *a, const gb_corpus *b)
{
    assert_int_equal(gb_corpus_n_docs(a), gb_corpus_n_docs(b));
    assert_int_equal(gb_corpus_n_words(a), gb_corpus_n_words(b));
    assert_int_equal(gb_corpus_n_fields(a), gb_corpus_n_fields(b));
    for (uint64_t w = 0; w < gb_corpus_n_words(a); w++) {
        size_t n, m;
        const char *text = gb_corpus_word(a, w, &n), *other = gb_corpus_word(b, w, &m);
        assert_same_text(text, n, other, m);
    }
    for (uint64_t d = 0; d < gb_corpus_n_docs(a); d++) {
        uint64_t n, m;
        const uint32_t *token = gb_corpus_tokens(a, d, &n), *other = gb_corpus_tokens(b, d, &m);
        assert_int_equal(n, m);
        for (uint64_t i = 0; i < n; i++)
            assert_int_equal(token[i], other[i]);
    }
    for (uint64_t field = 0; field < gb_corpus_n_fields(a); field++)
        assert_same_field(a, b, field);
}

static void every_kind_of_field_is_as_from_a_file(void **state)
{
    folder *f = *state;
    set(f->settings, "format", "uci");
    set(f->settings, "vocabulary", f->vocabulary);
    set(f->settings, "metadata", f->metadata);
    set(f->settings, "labels", "tags");
    set(f->settings, "covariates", "kind:factor");
    set(f->settings, "document-weight", "stars");
    set(f->settings, "group", "year");
    set(f->settings, "min-df", "2");
    static const char *const years[N_DOCS] = {"1990", "2000.5", "1995", "1991", "2001"};
    static const uint32_t year_of[N_DOCS] = {0, 1, 2, 3, 4};
    static const bool none_missing[N_DOCS] = {false, false, true, true,
                                              false}; /* an empty cell of a table is missing */
    gb_corpus_arrays *a = describe();
    assert_int_equal(
        gb_corpus_arrays_lists(a, "tags", GB_ROLE_RESPONSE, 3, tags, tag_start, tag_of, none_missing, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_classes(a, "kind", GB_ROLE_COVARIATE, 2, kinds, kind_of, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_numbers(a, "stars", GB_ROLE_WEIGHT, stars, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_classes(a, "year", GB_ROLE_GROUP, N_DOCS, years, year_of, NULL), GB_OK);
    gb_corpus *file = from_file(f), *arrays = from_arrays(a, f->settings);
    assert_same_corpus(file, arrays);
    assert_int_equal(gb_corpus_n_words(arrays),
                     2 + 1); /* moon, tide, yeast: in two documents each; "the" is a stop word */
    gb_corpus_free(file);
    gb_corpus_free(arrays);
    gb_corpus_arrays_free(a);
}

static void an_empty_list_is_known_and_a_missing_one_is_not(void **state)
{
    (void)state;
    gb_corpus_arrays *a = describe();
    assert_int_equal(
        gb_corpus_arrays_lists(a, "tags", GB_ROLE_RESPONSE, 3, tags, tag_start, tag_of, tags_missing, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_ids(a, ids, NULL), GB_OK);
    gb_corpus *c = from_arrays(a, NULL);
    assert_true(gb_corpus_classes_of(c, 0, 2, NULL, NULL));
    assert_false(gb_corpus_classes_of(c, 0, 3, NULL, NULL));
    size_t length;
    const char *id = gb_corpus_id(c, 2, &length);
    assert_same_text(id, length, "3", 1);
    id = gb_corpus_id(c, 3, &length);
    assert_same_text(id, length, "d", 1);
    assert_int_equal(gb_corpus_n_words(c), 5); /* "never" never occurs */
    gb_corpus_free(c);
    gb_corpus_arrays_free(a);
}

static void tokens_keep_their_order(void **state)
{
    (void)state;
    static const uint32_t token[5] = {2, 1, 2, 0, 1};
    static const uint64_t start[3] = {0, 3, 5};
    gb_corpus_arrays *a = NULL;
    uint64_t n;
    assert_int_equal(gb_corpus_arrays_create(&a, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_counts(a, 2, start, token, NULL, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_vocabulary(a, 3, words, NULL), GB_OK);
    gb_corpus *c = from_arrays(a, NULL);
    gb_corpus_arrays_free(a);
    const uint32_t *found = gb_corpus_tokens(c, 0, &n);
    assert_int_equal(n, 3);
    assert_true(found[0] == 2 && found[1] == 1 && found[2] == 2);
    gb_corpus_free(c);
}

/* ---- texts ---- */

static const char *const texts[3] = {"The moon, the TIDE: Moon!", "", "bread and yeast and the moon"};

static gb_corpus_arrays *describe_texts(void)
{
    gb_corpus_arrays *a = NULL;
    assert_int_equal(gb_corpus_arrays_create(&a, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_texts(a, 3, texts, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_classes(a, "kind", GB_ROLE_RESPONSE, 2, kinds, kind_of, NULL), GB_OK);
    return a;
}

static void set_text_options(folder *f)
{
    set(f->settings, "format", "jsonl");
    set(f->settings, "label", "kind");
    write_file(f->counts, "{\"text\": \"The moon, the TIDE: Moon!\", \"kind\": \"sky\"}\n"
                          "{\"text\": \"\", \"kind\": \"kitchen\"}\n{\"text\": \"bread and yeast and the moon\"}\n");
}

static void a_model_of_texts_is_that_of_a_file(void **state)
{
    folder *f = *state;
    gb_model *one = NULL, *other = NULL;
    size_t length, other_length;
    set(f->settings, "topics", "2");
    set(f->settings, "sweeps", "20");
    set_text_options(f);
    gb_corpus_arrays *a = describe_texts();
    gb_corpus *file = from_file(f), *arrays = from_arrays(a, f->settings);
    assert_same_corpus(file, arrays);
    assert_int_equal(gb_corpus_n_words(arrays), 4); /* "the" and "and" are stop words */
    char *bytes = train(f, file, &one, &length), *other_bytes = train(f, arrays, &other, &other_length);
    assert_int_equal(length, other_length);
    assert_memory_equal(bytes, other_bytes, length);
    free(bytes);
    free(other_bytes);
    gb_model_free(one);
    gb_model_free(other);
    gb_corpus_free(file);
    gb_corpus_free(arrays);
    gb_corpus_arrays_free(a);
}

static void texts_keep_the_words_of_a_vocabulary_only(void **state)
{
    folder *f = *state;
    static const char *const only[3] = {"Yeast", "moon", "sun"};
    set_text_options(f);
    set(f->settings, "vocabulary", f->vocabulary);
    write_file(f->vocabulary, "Yeast\nmoon\nsun\n");
    gb_corpus_arrays *a = describe_texts();
    assert_int_equal(gb_corpus_arrays_vocabulary(a, 3, only, NULL), GB_OK);
    gb_corpus *file = from_file(f), *arrays = from_arrays(a, f->settings);
    assert_same_corpus(file, arrays);
    assert_int_equal(gb_corpus_n_words(arrays), 2);
    gb_corpus_free(file);
    gb_corpus_free(arrays);
    gb_corpus_arrays_free(a);
}

static void new_texts_become_words_as_those_of_the_model_did(void **state)
{
    folder *f = *state;
    gb_error err = {0};
    gb_model *model = NULL;
    gb_corpus *batch = NULL;
    uint64_t *n_unknown = NULL, n;
    size_t length;
    set(f->settings, "topics", "2");
    set(f->settings, "sweeps", "20");
    set_text_options(f);
    gb_corpus_arrays *a = describe_texts();
    gb_corpus *arrays = from_arrays(a, f->settings);
    free(train(f, arrays, &model, &length));
    static const char *const news[2] = {"the MOON, the sun and the stars", "tide"};
    assert_int_equal(gb_corpus_arrays_texts(a, 2, news, NULL), GB_OK);
    if (gb_documents_from_arrays(model, a, &batch, &n_unknown, &err) != GB_OK)
        fail_msg("%s", err.message);
    assert_int_equal(n_unknown[0], 2);
    assert_int_equal(n_unknown[1], 0);
    const uint32_t *token = gb_corpus_tokens(batch, 0, &n);
    assert_int_equal(n, 1);
    assert_same_text(gb_model_word(model, token[0]), 4, "moon", 4);
    gb_free(n_unknown);
    gb_corpus_free(batch);
    gb_corpus_free(arrays);
    gb_corpus_arrays_free(a);
    gb_model_free(model);
}

/* ---- new documents ---- */

static void documents_of_a_corpus_are_those_of_its_file(void **state)
{
    folder *f = *state;
    gb_error err = {0};
    gb_model *model = NULL;
    gb_documents *documents = NULL;
    gb_corpus *from_path = NULL, *from_memory = NULL;
    uint64_t *n_unknown = NULL, *other_unknown = NULL;
    size_t length;
    set(f->settings, "topics", "2");
    set(f->settings, "sweeps", "20");
    set_file_options(f);
    gb_corpus *training = from_file(f);
    free(train(f, training, &model, &length));
    gb_settings *settings = settings_of("seed", "1", NULL);
    gb_corpus_arrays *a = describe();
    static const char *const other_words[N_WORDS] = {"moon", "a", "the", "never", "sun", "yeast"};
    assert_int_equal(gb_corpus_arrays_vocabulary(a, N_WORDS, other_words, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_ids(a, ids, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_classes(a, "kind", GB_ROLE_RESPONSE, 2, kinds, kind_of, NULL), GB_OK);
    assert_int_equal(
        gb_corpus_arrays_lists(a, "tags", GB_ROLE_RESPONSE, 3, tags, tag_start, tag_of, tags_missing, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_numbers(a, "stars", GB_ROLE_RESPONSE, stars, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_numbers(a, "year", GB_ROLE_COVARIATE, year, NULL), GB_OK);
    gb_corpus *corpus = from_arrays(a, NULL);
    assert_int_equal(gb_corpus_write(corpus, f->counts, true, NULL), GB_OK);
    if (gb_documents_open(model, f->counts, settings, NULL, NULL, &documents, &err) != GB_OK ||
        gb_documents_next(documents, 10, &from_path, &n_unknown, &err) != GB_OK ||
        gb_documents_from_corpus(model, corpus, &from_memory, &other_unknown, &err) != GB_OK)
        fail_msg("%s", err.message);
    assert_same_corpus(from_path, from_memory);
    assert_memory_equal(n_unknown, other_unknown, N_DOCS * sizeof *n_unknown);
    assert_true(n_unknown[1] > 0);
    gb_free(n_unknown);
    gb_free(other_unknown);
    gb_corpus_free(from_path);
    gb_corpus_free(from_memory);
    gb_documents_close(documents);
    gb_settings_free(settings);
    gb_corpus_arrays_free(a);
    gb_corpus_free(corpus);
    gb_corpus_free(training);
    gb_model_free(model);
}

static void new_documents_of_arrays_are_predicted_as_those_of_a_file(void **state)
{
    folder *f = *state;
    gb_error err = {0};
    gb_model *model = NULL;
    size_t length;
    set(f->settings, "topics", "2");
    set(f->settings, "sweeps", "20");
    set_file_options(f);
    gb_corpus *file = from_file(f);
    free(train(f, file, &model, &length));
    static const char *const other_words[4] = {"yeast", "zebra", "moon", "the"};
    static const uint64_t start[3] = {0, 2, 4};
    static const uint32_t other_word[4] = {0, 1, 2, 3}, other_count[4] = {2, 7, 3, 1};
    static const double other_year[2] = {1992, 2000};
    gb_corpus_arrays *a = NULL;
    assert_int_equal(gb_corpus_arrays_create(&a, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_counts(a, 2, start, other_word, other_count, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_vocabulary(a, 4, other_words, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_numbers(a, "year", GB_ROLE_COVARIATE, other_year, NULL), GB_OK);
    write_file(f->counts, "2\n4\n4\n1 1 2\n1 2 7\n2 3 3\n2 4 1\n");
    write_file(f->vocabulary, "yeast\nzebra\nmoon\nthe\n");
    write_file(f->metadata, "year\n1992\n2000\n");
    gb_settings *settings = NULL;
    assert_int_equal(gb_settings_create(&settings, NULL), GB_OK);
    set(settings, "format", "uci");
    set(settings, "vocabulary", f->vocabulary);
    set(settings, "metadata", f->metadata);
    gb_documents *documents = NULL;
    gb_corpus *batch = NULL, *arrays = NULL;
    uint64_t *n_unknown = NULL, *other_unknown = NULL;
    gb_prediction *p = NULL, *q = NULL;
    if (gb_documents_open(model, f->counts, settings, NULL, NULL, &documents, &err) != GB_OK ||
        gb_documents_next(documents, 10, &batch, &n_unknown, &err) != GB_OK ||
        gb_documents_from_arrays(model, a, &arrays, &other_unknown, &err) != GB_OK ||
        gb_prediction_create(model, 2, &p, &err) != GB_OK || gb_prediction_create(model, 2, &q, &err) != GB_OK ||
        gb_predict(model, batch, 0, settings, NULL, NULL, p, &err) != GB_OK ||
        gb_predict(model, arrays, 0, settings, NULL, NULL, q, &err) != GB_OK)
        fail_msg("%s", err.message);
    assert_same_corpus(batch, arrays);
    assert_int_equal(other_unknown[0], 7);
    assert_memory_equal(n_unknown, other_unknown, 2 * sizeof *n_unknown);
    assert_memory_equal(p->score, q->score, p->n_docs * p->n_outputs * sizeof *p->score);
    gb_prediction_free(p);
    gb_prediction_free(q);
    gb_free(n_unknown);
    gb_free(other_unknown);
    gb_corpus_free(batch);
    gb_corpus_free(arrays);
    gb_documents_close(documents);
    gb_settings_free(settings);
    gb_corpus_arrays_free(a);
    gb_corpus_free(file);
    gb_model_free(model);
}

/* Word numbers after such a word would be shifted. */
static void a_vocabulary_that_cannot_number_its_words_is_refused(void **state)
{
    (void)state;
    static const char bytes[] = "moonstarmoon", other[] = "moonthe";
    static const uint64_t start[] = {0, 4, 8, 12}, other_start[] = {0, 4, 7};
    const gb_texts twice = {3, start, bytes}, with_stop_word = {2, other_start, other};
    const struct {
        const gb_texts *vocabulary;
        const char *message;
    } wrong[] = {{&twice, "the model's word \"moon\" is in its vocabulary twice"},
                 {&with_stop_word, "the model's word \"the\" is one of its stop words"}};
    json_t *preparation = json_pack("{s:i, s:s, s:b, s:s, s:[s]}", "version", 1, "words", "counts", "lowercase", 1,
                                    "token_pattern", "\\p{L}+", "stopwords", "the");
    gb_corpus_arrays *a = describe();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        gb_error err = {0};
        gb_corpus *corpus = NULL;
        uint64_t *n_unknown = NULL;
        assert_int_equal(gb_corpus_from_arrays_in(a, wrong[i].vocabulary, preparation, &corpus, &n_unknown, &err),
                         GB_EFORMAT);
        assert_string_equal(err.message, wrong[i].message);
    }
    json_decref(preparation);
    gb_corpus_arrays_free(a);
}

/* ---- doubts ---- */

static void assert_refused(const gb_corpus_arrays *a, gb_status status, const char *message)
{
    gb_error err = {0};
    gb_corpus *corpus = NULL;
    assert_int_equal(gb_corpus_from_arrays(a, NULL, &corpus, &err), status);
    assert_string_equal(err.message, message);
    assert_null(corpus);
}

static void wrong_documents_are_refused(void **state)
{
    (void)state;
    static const uint64_t late[] = {1, 2}, falling[] = {0, 5, 2, 9}, huge[] = {0, 1, UINT64_MAX, 3};
    static const uint32_t beyond[] = {0, 6}, many[] = {1, 1 << 25};
    static const uint64_t two[] = {0, 2};
    gb_corpus_arrays *a = describe();
    (void)gb_corpus_arrays_counts(a, 1, late, word, count, NULL);
    assert_refused(a, GB_EFORMAT, "documents begin at entry 1, not at 0");
    (void)gb_corpus_arrays_counts(a, 3, falling, word, count, NULL);
    assert_refused(a, GB_EFORMAT, "documents: number 2 begins at entry 5 and ends at 2");
    (void)gb_corpus_arrays_counts(a, 3, huge, word, count, NULL);
    assert_refused(a, GB_EFORMAT, "documents: number 3 begins at entry 18446744073709551615 and ends at 3");
    (void)gb_corpus_arrays_counts(a, 1, two, beyond, count, NULL);
    assert_refused(a, GB_EFORMAT, "document 1: word number 6, but the vocabulary has 6");
    (void)gb_corpus_arrays_counts(a, 1, two, word, many, NULL);
    assert_refused(a, GB_EFORMAT, "document 1: a count of 33554432, expected at most 16777216");
    static uint32_t zeros[200], most[200];
    static const uint64_t two_hundred[] = {0, 200};
    for (size_t i = 0; i < 200; i++)
        most[i] = 1 << 24;
    (void)gb_corpus_arrays_counts(a, 1, two_hundred, zeros, most, NULL);
    assert_refused(a, GB_EFORMAT, "document 1: more than 2147483648 words");
    (void)gb_corpus_arrays_counts(a, 1, two, NULL, NULL, NULL);
    assert_refused(a, GB_EARGUMENT, "documents: the array of entries is missing");
    (void)gb_corpus_arrays_counts(a, 0, two, word, NULL, NULL);
    assert_refused(a, GB_EARGUMENT, "there are no documents");
    assert_int_equal(gb_corpus_arrays_counts(a, 1, NULL, word, count, NULL), GB_EARGUMENT);
    assert_int_equal(gb_corpus_arrays_texts(a, 1, NULL, NULL), GB_EARGUMENT);
    static const char *const no_text[] = {"moon", NULL}, *const no_utf8[] = {"moon", "a\xff"},
                             *const no_words[] = {"1", ""};
    (void)gb_corpus_arrays_texts(a, 2, no_text, NULL);
    assert_refused(a, GB_EFORMAT, "document 2: its text is missing");
    (void)gb_corpus_arrays_texts(a, 2, no_utf8, NULL);
    assert_refused(a, GB_EFORMAT, "document 2: its text is not valid UTF-8");
    (void)gb_corpus_arrays_texts(a, 2, no_words, NULL);
    assert_refused(a, GB_EFORMAT, "the documents have no word that stays");
    gb_corpus_arrays_free(a);
}

static void wrong_words_and_ids_are_refused(void **state)
{
    (void)state;
    const char *list[N_WORDS];
    memcpy(list, words, sizeof list);
    gb_corpus_arrays *a = describe();
    (void)gb_corpus_arrays_vocabulary(a, N_WORDS, list, NULL);
    list[3] = "a\xff";
    assert_refused(a, GB_EFORMAT, "word 3 of the vocabulary is not valid UTF-8");
    list[3] = "moon";
    assert_refused(a, GB_EFORMAT, "the word \"moon\" is in the vocabulary twice");
    list[3] = NULL;
    assert_refused(a, GB_EFORMAT, "word 3 of the vocabulary is missing");
    list[3] = "";
    assert_refused(a, GB_EFORMAT, "word 3 of the vocabulary is empty");
    list[3] = "x\ny";
    assert_refused(a, GB_EFORMAT, "word 3 of the vocabulary contains a control character");
    list[3] = "never";
    const char *const bad_ids[N_DOCS] = {"a", "b\xc3", NULL, "d", "e"};
    (void)gb_corpus_arrays_ids(a, bad_ids, NULL);
    assert_refused(a, GB_EFORMAT, "document 2: its id is not valid UTF-8");
    assert_int_equal(gb_corpus_arrays_vocabulary(a, 1, NULL, NULL), GB_EARGUMENT);
    gb_corpus_arrays_free(a);
    assert_int_equal(gb_corpus_arrays_create(&a, NULL), GB_OK);
    (void)gb_corpus_arrays_counts(a, N_DOCS, doc_start, word, count, NULL);
    assert_refused(a, GB_EARGUMENT, "there is no vocabulary");
    gb_corpus_arrays_free(a);
}

/* The arrays with one more field, refused. */
static void assert_field_refused(gb_corpus_arrays *a, gb_status added, const char *message)
{
    assert_int_equal(added, GB_OK);
    assert_refused(a, GB_EFORMAT, message);
    gb_corpus_arrays_free(a);
}

static void wrong_fields_are_refused(void **state)
{
    (void)state;
    static const uint32_t beyond[N_DOCS] = {0, 1, 2, 0, 1};
    static const uint64_t falling[N_DOCS + 1] = {0, 3, 2, 3, 3, 4};
    static const double endless[N_DOCS] = {1, 2, 3, (double)INFINITY, 5}, low[N_DOCS] = {1, 1, 1, -1, 1};
    static const char *const nameless[2] = {"x", ""};
    static const bool missing[N_DOCS] = {true, false, false, false, false};
    gb_corpus_arrays *a = describe();
    assert_field_refused(a, gb_corpus_arrays_classes(a, "k", GB_ROLE_RESPONSE, 2, kinds, beyond, NULL),
                         "field \"k\": document 3 has class 2 of 2");
    a = describe();
    assert_field_refused(a, gb_corpus_arrays_classes(a, "k", GB_ROLE_RESPONSE, 2, nameless, kind_of, NULL),
                         "field \"k\": class 1 has no name");
    a = describe();
    assert_field_refused(a, gb_corpus_arrays_lists(a, "t", GB_ROLE_RESPONSE, 3, tags, falling, tag_of, NULL, NULL),
                         "the lists of field \"t\": number 2 begins at entry 3 and ends at 2");
    a = describe();
    assert_field_refused(a,
                         gb_corpus_arrays_lists(a, "t", GB_ROLE_RESPONSE, 3, tags, tag_start, tag_of, missing, NULL),
                         "field \"t\": document 1 is missing, but has classes");
    a = describe();
    assert_field_refused(a, gb_corpus_arrays_numbers(a, "y", GB_ROLE_COVARIATE, endless, NULL),
                         "field \"y\": document 4: inf is not finite");
    a = describe();
    assert_field_refused(a, gb_corpus_arrays_numbers(a, "w", GB_ROLE_WEIGHT, low, NULL),
                         "field \"w\": document 4: -1 is below 0");
    a = describe();
    assert_int_equal(gb_corpus_arrays_numbers(a, "g", GB_ROLE_GROUP, year, NULL), GB_EARGUMENT);
    assert_int_equal(gb_corpus_arrays_numbers(a, "g", (gb_role)77, year, NULL), GB_EARGUMENT);
    assert_int_equal(gb_corpus_arrays_numbers(a, "y", GB_ROLE_COVARIATE, NULL, NULL), GB_EARGUMENT);
    assert_int_equal(gb_corpus_arrays_numbers(a, NULL, GB_ROLE_COVARIATE, year, NULL), GB_EARGUMENT);
    assert_int_equal(gb_corpus_arrays_numbers(a, "\xff", GB_ROLE_COVARIATE, year, NULL), GB_EARGUMENT);
    assert_int_equal(gb_corpus_arrays_classes(a, "k", GB_ROLE_EXPOSURE, 2, kinds, kind_of, NULL), GB_EARGUMENT);
    assert_int_equal(gb_corpus_arrays_classes(a, "k", GB_ROLE_GROUP, 2, NULL, kind_of, NULL), GB_EARGUMENT);
    assert_int_equal(gb_corpus_arrays_lists(a, "k", GB_ROLE_GROUP, 3, tags, tag_start, tag_of, NULL, NULL),
                     GB_EARGUMENT);
    assert_int_equal(gb_corpus_arrays_lists(a, "k", GB_ROLE_RESPONSE, 3, tags, NULL, tag_of, NULL, NULL),
                     GB_EARGUMENT);
    assert_int_equal(gb_corpus_arrays_numbers(a, "y", GB_ROLE_COVARIATE, year, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_numbers(a, "y", GB_ROLE_COVARIATE, year, NULL), GB_OK);
    assert_refused(a, GB_EARGUMENT, "field of numbers \"y\": given twice");
    gb_corpus_arrays_free(a);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, create_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_model_of_arrays_is_that_of_a_file),
        CASE(every_kind_of_field_is_as_from_a_file),
        cmocka_unit_test(an_empty_list_is_known_and_a_missing_one_is_not),
        cmocka_unit_test(tokens_keep_their_order),
        CASE(documents_of_a_corpus_are_those_of_its_file),
        CASE(new_documents_of_arrays_are_predicted_as_those_of_a_file),
        cmocka_unit_test_setup_teardown(a_model_of_texts_is_that_of_a_file, create_folder, remove_folder),
        cmocka_unit_test_setup_teardown(texts_keep_the_words_of_a_vocabulary_only, create_folder, remove_folder),
        cmocka_unit_test_setup_teardown(new_texts_become_words_as_those_of_the_model_did, create_folder,
                                        remove_folder),
        cmocka_unit_test(a_vocabulary_that_cannot_number_its_words_is_refused),
        cmocka_unit_test(wrong_documents_are_refused),
        cmocka_unit_test(wrong_words_and_ids_are_refused),
        cmocka_unit_test(wrong_fields_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
