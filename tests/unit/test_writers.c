/* test_writers.c - a corpus written in any format and read back with the options that were named is the same corpus. */
#include "helper_documents.h"

#include "corpus/writers/writer.h"
#include "gibbous/gibbous.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_DOCS = 40, MOST_TOKENS = 2000 };

/* Words and names that some format has another meaning for. */
static const char *const words[] = {"!", "#a",   "+1",    "-",   "1:2", "?",       "NA",
                                    "a", "it's", "say\"", "\\n", "{x}", "\xc3\xbc"};
static const char *const plain[] = {"a", "b", "c"};
static const char *const odd[] = {"+2", "a b", "c:d", "e,f", "g\"h", "#i"};
enum { N_WORDS = sizeof words / sizeof words[0], N_ODD = sizeof odd / sizeof odd[0] };

/* A corpus of random tokens. */
typedef struct drawn {
    uint64_t start[N_DOCS + 1], list_start[N_DOCS + 1];
    uint32_t token[MOST_TOKENS], class_of[N_DOCS], list[N_DOCS * N_ODD];
    double number[N_DOCS];
    bool is_missing[N_DOCS];
    char id_text[N_DOCS][16];
    const char *id[N_DOCS];
    float embedding[N_DOCS][2];
} drawn;

static unsigned draw(unsigned *seed, unsigned n)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 16) % n;
}

static void fill(drawn *x, unsigned seed, unsigned n_classes)
{
    memset(x, 0, sizeof *x);
    for (unsigned d = 0; d < N_DOCS; d++) {
        const unsigned n = draw(&seed, 4) == 0 ? 0 : draw(&seed, 30);
        x->start[d + 1] = x->start[d] + n;
        for (uint64_t i = x->start[d]; i < x->start[d + 1]; i++)
            x->token[i] = draw(&seed, N_WORDS);
        x->class_of[d] = draw(&seed, 5) == 0 ? GB_NO_CLASS : draw(&seed, n_classes);
        x->number[d] = draw(&seed, 5) == 0 ? (double)NAN : (draw(&seed, 1000) - 500.0) / 7;
        x->is_missing[d] = draw(&seed, 4) == 0;
        x->list_start[d + 1] = x->list_start[d];
        for (unsigned k = 0; k < N_ODD && !x->is_missing[d]; k++)
            if (draw(&seed, 3) == 0)
                x->list[x->list_start[d + 1]++] = k;
        (void)snprintf(x->id_text[d], sizeof x->id_text[d], "id %u", draw(&seed, 30));
        x->id[d] = x->id_text[d];
        x->embedding[d][0] = (float)d;
        x->embedding[d][1] = -0.1f;
    }
}

typedef enum rich { BARE, ONE_LABEL, ALL_FIELDS, N_KINDS } rich;

static gb_corpus *make(const drawn *x, rich kind)
{
    gb_corpus_arrays *a = NULL;
    gb_corpus *c = NULL;
    gb_error err;
    assert_int_equal(gb_corpus_arrays_create(&a, &err), GB_OK);
    assert_int_equal(gb_corpus_arrays_counts(a, N_DOCS, x->start, x->token, NULL, &err), GB_OK);
    assert_int_equal(gb_corpus_arrays_vocabulary(a, N_WORDS, words, &err), GB_OK);
    if (kind == ONE_LABEL)
        assert_int_equal(gb_corpus_arrays_classes(a, "label", GB_ROLE_RESPONSE, 3, plain, x->class_of, &err), GB_OK);
    if (kind == ALL_FIELDS) {
        assert_int_equal(gb_corpus_arrays_ids(a, x->id, &err), GB_OK);
        assert_int_equal(gb_corpus_arrays_embeddings(a, 2, x->embedding[0], &err), GB_OK);
        assert_int_equal(gb_corpus_arrays_classes(a, "id", GB_ROLE_RESPONSE, N_ODD, odd, x->class_of, &err), GB_OK);
        assert_int_equal(gb_corpus_arrays_lists(a, "text", GB_ROLE_RESPONSE, N_ODD, odd, x->list_start, x->list,
                                                x->is_missing, &err),
                         GB_OK);
        assert_int_equal(gb_corpus_arrays_numbers(a, "y", GB_ROLE_RESPONSE, x->number, &err), GB_OK);
        assert_int_equal(gb_corpus_arrays_numbers(a, "x", GB_ROLE_COVARIATE, x->number, &err), GB_OK);
        assert_int_equal(gb_corpus_arrays_lists(a, "more", GB_ROLE_COVARIATE, N_ODD, odd, x->list_start, x->list,
                                                x->is_missing, &err),
                         GB_OK);
        assert_int_equal(gb_corpus_arrays_classes(a, "venue", GB_ROLE_GROUP, N_ODD, odd, x->class_of, &err), GB_OK);
    }
    assert_int_equal(gb_corpus_from_arrays(a, NULL, &c, &err), GB_OK);
    gb_corpus_arrays_free(a);
    return c;
}

/* ---- reading back -------------------------------------------------------------------------------------- */

static void set_option(gb_settings *s, const char *name, const json_t *value)
{
    const size_t n = json_is_array(value) ? json_array_size(value) : 1;
    for (size_t i = 0; i < n; i++) {
        const json_t *one = json_is_array(value) ? json_array_get(value, i) : value;
        set(s, name, json_is_false(one) ? "no" : json_string_value(one));
    }
}

static gb_corpus *read_back(const char *path, const char *notes)
{
    gb_settings *s = NULL;
    gb_corpus *c = NULL;
    gb_error err = {0};
    const char *name;
    json_t *value, *object = json_loads(notes, 0, NULL);
    assert_non_null(object);
    assert_string_equal(json_string_value(json_array_get(json_object_get(object, "files"), 0)), path);
    assert_int_equal(gb_settings_create(&s, &err), GB_OK);
    json_object_foreach(json_object_get(object, "read_with"), name, value) set_option(s, name, value);
    if (gb_corpus_read(path, s, NULL, NULL, &c, &err) != GB_OK)
        fail_msg("%s: %s", path, err.message);
    gb_settings_free(s);
    json_decref(object);
    return c;
}

static void assert_same_text(const char *a, size_t n, const char *b, size_t m)
{
    assert_int_equal(n, m);
    assert_memory_equal(a, b, n);
}

static void assert_same_counts(const gb_corpus *a, const gb_corpus *b)
{
    uint32_t word[2][MOST_TOKENS], count[2][MOST_TOKENS];
    size_t n, m;
    assert_int_equal(gb_corpus_n_docs(a), gb_corpus_n_docs(b));
    assert_int_equal(gb_corpus_n_words(a), gb_corpus_n_words(b));
    for (uint64_t w = 0; w < gb_corpus_n_words(a); w++) {
        const char *x = gb_corpus_word(a, w, &n), *y = gb_corpus_word(b, w, &m);
        assert_same_text(x, n, y, m);
    }
    for (uint64_t d = 0; d < gb_corpus_n_docs(a); d++) {
        const char *x = gb_corpus_id(a, d, &n), *y = gb_corpus_id(b, d, &m);
        assert_same_text(x, n, y, m);
        const uint64_t k = gb_corpus_counts(a, d, word[0], count[0]);
        assert_int_equal(k, gb_corpus_counts(b, d, word[1], count[1]));
        assert_memory_equal(word[0], word[1], k * sizeof word[0][0]);
        assert_memory_equal(count[0], count[1], k * sizeof count[0][0]);
    }
}

static void assert_same_classes(const gb_corpus *a, uint64_t f, const gb_corpus *b, uint64_t g)
{
    for (uint64_t d = 0; d < gb_corpus_n_docs(a); d++) {
        const uint32_t *x = NULL, *y = NULL;
        uint64_t n = 0, m = 0;
        size_t k, l;
        assert_int_equal(gb_corpus_classes_of(a, f, d, &x, &n), gb_corpus_classes_of(b, g, d, &y, &m));
        assert_int_equal(n, m);
        for (uint64_t i = 0; i < n; i++) {
            const char *p = gb_corpus_class(a, f, x[i], &k), *q = gb_corpus_class(b, g, y[i], &l);
            assert_same_text(p, k, q, l);
        }
    }
}

static void assert_same_fields(const gb_corpus *a, const gb_corpus *b)
{
    const char *name;
    gb_role role, other_role;
    gb_field_kind of_kind, other_kind;
    assert_int_equal(gb_corpus_n_fields(a), gb_corpus_n_fields(b));
    for (uint64_t f = 0, g = 0; gb_corpus_field(a, f, &name, &role, &of_kind); f++) {
        assert_true(gb_corpus_find_field(b, name, &g));
        assert_true(gb_corpus_field(b, g, NULL, &other_role, &other_kind));
        assert_int_equal(role, other_role);
        assert_int_equal(of_kind, other_kind);
        if (of_kind == GB_KIND_NUMBER)
            assert_memory_equal(gb_corpus_numbers(a, f), gb_corpus_numbers(b, g), N_DOCS * sizeof(double));
        else
            assert_same_classes(a, f, b, g);
    }
    assert_int_equal(a->embedding.width, b->embedding.width);
    if (a->embedding.width > 0)
        assert_memory_equal(a->embedding.value, b->embedding.value, N_DOCS * a->embedding.width * sizeof(float));
}

static void assert_reads_back(const drawn *x, rich k, const char *format)
{
    char *notes = NULL;
    gb_error err = {0};
    gb_corpus *c = make(x, k);
    if (gb_corpus_export(c, "out.x", format, true, &notes, &err) != GB_OK)
        fail_msg("%s: %s", format, err.message);
    gb_corpus *back = read_back("out.x", notes);
    assert_same_counts(c, back);
    assert_same_fields(c, back);
    gb_corpus_free(back);
    gb_corpus_free(c);
    gb_free(notes);
}

static void what_is_written_is_read_back(void **state)
{
    drawn x;
    (void)state;
    for (unsigned seed = 1; seed <= 3; seed++)
        for (rich k = BARE; k < N_KINDS; k++) {
            fill(&x, seed, k == ONE_LABEL ? 3 : N_ODD);
            assert_reads_back(&x, k, "corpus");
            for (size_t f = 0; gb_writer_formats[f] != NULL; f++)
                assert_reads_back(&x, k, gb_writer_formats[f]->name);
        }
}

/* ---- what cannot be ------------------------------------------------------------------------------------ */

static void assert_refused(const gb_corpus *c, const char *path, const char *format, gb_status status,
                           const char *message)
{
    gb_error err = {0};
    char *notes = NULL;
    assert_int_equal(gb_corpus_export(c, path, format, false, &notes, &err), status);
    assert_string_equal(err.message, message);
    assert_null(notes);
}

static void what_cannot_be_written_is_refused(void **state)
{
    (void)state;
    write_file("w.jsonl", "{\"text\": \"__label__a ,b c\"}\n");
    gb_corpus *c = corpus_of("w.jsonl", "token-pattern", "\\S+", NULL);
    assert_refused(c, "w.ft", "fasttext", GB_EFORMAT,
                   "w.ft: the word \"__label__a\" looks like a label, which fasttext cannot hold");
    assert_refused(c, "w.mallet", "auto", GB_EFORMAT,
                   "w.mallet: the word \",b\" begins with a comma, which mallet cannot hold");
    assert_refused(c, "w", "auto", GB_EARGUMENT, "w: the name does not tell the format; give one with `to`");
    assert_refused(c, "w", "word", GB_EARGUMENT, "`to` \"word\": no such format");
    assert_refused(c, "w.jsonl", NULL, GB_EARGUMENT, "w.jsonl: exists already; give `force` to overwrite it");
    gb_corpus_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(what_cannot_be_written_is_refused),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
