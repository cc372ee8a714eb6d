/* The corpus builder and the corpus file. */
#include "helper_documents.h"

#include "base/memory.h"
#include "corpus/data/corpus.h"
#include "corpus/data/corpus_file.h"
#include "store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- helpers ---- */

#define OK(call) assert_int_equal(call, GB_OK)

static gb_corpus_builder *new_builder(void)
{
    gb_corpus_builder *b = NULL;
    OK(gb_corpus_builder_create(&b, NULL));
    return b;
}

static size_t add_field(gb_corpus_builder *b, const char *name, bool several)
{
    size_t field;
    OK(gb_corpus_builder_labels(b, name, several, &field, NULL));
    return field;
}

static void add_document(gb_corpus_builder *b, const char *id, const uint32_t *word, size_t n)
{
    OK(gb_corpus_builder_document(b, id, id == NULL ? 0 : strlen(id), NULL));
    for (size_t i = 0; i < n; i++)
        OK(gb_corpus_builder_token(b, word[i], NULL));
}

static void add_class(gb_corpus_builder *b, size_t field, const char *name)
{
    OK(gb_corpus_builder_class(b, field, name, strlen(name), NULL));
}

static void add_word(gb_corpus_builder *b, const char *word)
{
    OK(gb_corpus_builder_word(b, word, strlen(word), NULL));
}

static gb_corpus *finish(gb_corpus_builder *b)
{
    gb_corpus *c = NULL;
    gb_error err;
    OK(gb_corpus_builder_finish(b, json_pack("{s:b, s:s}", "lowercase", 1, "stopwords", "en"),
                                json_pack("{s:i, s:f}", "dropped", 3, "share", 0.1), &c, &err));
    gb_corpus_builder_free(b);
    return c;
}

/* Four documents, one of them empty; a field with one class and one with several. */
static gb_corpus *example(void)
{
    gb_corpus_builder *b = new_builder();
    size_t mood = add_field(b, "mood", false), tag = add_field(b, "tag", true);
    add_document(b, "first", (uint32_t[]){2, 0, 2}, 3);
    add_class(b, mood, "sunny");
    add_class(b, tag, "z\xc3\xa9");
    add_class(b, tag, "a");
    add_class(b, tag, "z\xc3\xa9");
    add_document(b, NULL, NULL, 0);
    OK(gb_corpus_builder_labelled(b, tag, NULL));
    add_document(b, "", (uint32_t[]){1}, 1);
    add_class(b, mood, "cloudy");
    add_class(b, mood, "cloudy");
    add_document(b, "last", (uint32_t[]){0, 1}, 2);
    add_class(b, tag, "a");
    add_class(b, tag, "B");
    add_word(b, "rain");
    add_word(b, "sun");
    add_word(b, "\xc3\xa9t\xc3\xa9");
    return finish(b);
}

static void assert_text(const gb_texts *texts, uint64_t i, const char *expected)
{
    char *text = NULL;
    OK(gb_texts_copy(texts, i, &text, NULL));
    assert_string_equal(text, expected);
    gb_free(text);
}

static void assert_json(const json_t *value, const char *expected)
{
    char *text = json_dumps(value, JSON_COMPACT);
    assert_string_equal(text, expected);
    free(text);
}

static void assert_mood(const gb_labels *l)
{
    assert_string_equal(l->name, "mood");
    assert_false(l->several);
    assert_int_equal(l->classes.count, 2);
    assert_text(&l->classes, 0, "cloudy");
    assert_text(&l->classes, 1, "sunny");
    assert_memory_equal(l->doc_start, ((uint64_t[]){0, 1, 1, 2, 2}), 40);
    assert_memory_equal(l->class_of, ((uint32_t[]){1, 0}), 8);
    assert_memory_equal(l->labelled, ((uint8_t[]){1, 0, 1, 0}), 4);
}

static void assert_tag(const gb_labels *l)
{
    assert_string_equal(l->name, "tag");
    assert_true(l->several);
    assert_int_equal(l->classes.count, 3);
    assert_text(&l->classes, 0, "B");
    assert_text(&l->classes, 1, "a");
    assert_text(&l->classes, 2, "z\xc3\xa9");
    assert_memory_equal(l->doc_start, ((uint64_t[]){0, 2, 2, 2, 4}), 40);
    assert_memory_equal(l->class_of, ((uint32_t[]){1, 2, 0, 1}), 16);
    assert_memory_equal(l->labelled, ((uint8_t[]){1, 1, 0, 1}), 4);
}

static void assert_example(const gb_corpus *c)
{
    assert_int_equal(gb_corpus_n_docs(c), 4);
    assert_int_equal(gb_corpus_n_tokens(c), 6);
    assert_int_equal(gb_corpus_n_words(c), 3);
    assert_memory_equal(c->doc_start, ((uint64_t[]){0, 3, 3, 4, 6}), 40);
    assert_memory_equal(c->word, ((uint32_t[]){2, 0, 2, 1, 0, 1}), 24);
    assert_int_equal(c->ids.count, 4);
    assert_text(&c->ids, 0, "first");
    assert_text(&c->ids, 1, "2");
    assert_text(&c->ids, 2, "");
    assert_text(&c->ids, 3, "last");
    assert_int_equal(c->vocabulary.count, 3);
    assert_text(&c->vocabulary, 0, "rain");
    assert_text(&c->vocabulary, 1, "sun");
    assert_text(&c->vocabulary, 2, "\xc3\xa9t\xc3\xa9");
    assert_int_equal(c->n_labels, 2);
    assert_mood(&c->labels[0]);
    assert_tag(&c->labels[1]);
    assert_json(c->preparation, "{\"lowercase\":true,\"stopwords\":\"en\"}");
    assert_json(c->source, "{\"dropped\":3,\"share\":0.10000000000000001}");
}

/* ---- builder ---- */

static void a_corpus_holds_what_was_added(void **state)
{
    (void)state;
    gb_corpus *c = example();
    assert_example(c);
    gb_corpus_free(c);
    gb_corpus_free(NULL);
}

static void a_corpus_without_documents_works(void **state)
{
    (void)state;
    gb_corpus *c = NULL;
    gb_corpus_builder *b = new_builder();
    add_field(b, "mood", false);
    OK(gb_corpus_builder_finish(b, NULL, NULL, &c, NULL));
    gb_corpus_builder_free(b);
    assert_int_equal(c->n_docs, 0);
    assert_int_equal(c->n_words, 0);
    assert_int_equal(c->doc_start[0], 0);
    assert_int_equal(c->ids.start[0], 0);
    assert_int_equal(c->vocabulary.start[0], 0);
    assert_int_equal(c->labels[0].doc_start[0], 0);
    assert_int_equal(c->labels[0].classes.count, 0);
    assert_json(c->preparation, "{}");
    gb_corpus_free(c);
}

static void many_words_documents_and_classes_keep_their_numbers(void **state)
{
    (void)state;
    enum { N = 5000 };
    char text[16];
    gb_corpus_builder *b = new_builder();
    size_t field = add_field(b, "class", true);
    for (uint32_t d = 0; d < N; d++) {
        add_document(b, NULL, (uint32_t[]){d, N - 1 - d}, 2);
        for (uint32_t i = 0; i < d % 7; i++) {
            snprintf(text, sizeof text, "c%04u", (d * 31 + i * 977) % 1000);
            add_class(b, field, text);
        }
    }
    for (int v = 0; v < N; v++) {
        snprintf(text, sizeof text, "w%d", v);
        add_word(b, text);
    }
    gb_corpus *c = finish(b);
    const gb_labels *l = &c->labels[0];
    for (uint32_t d = 0; d < N; d++) {
        assert_int_equal(c->word[c->doc_start[d]], d);
        assert_int_equal(l->doc_start[d + 1] - l->doc_start[d], d % 7);
        for (uint32_t i = 0; i < d % 7; i++) {
            bool found = false;
            /* all 1000 classes occur, so sorted order is the number in the name */
            for (uint64_t j = l->doc_start[d]; j < l->doc_start[d + 1]; j++)
                found = found || l->class_of[j] == (d * 31 + i * 977) % 1000;
            assert_true(found);
        }
    }
    assert_text(&l->classes, 123, "c0123");
    assert_text(&c->vocabulary, 4321, "w4321");
    assert_text(&c->ids, 4998, "4999");
    gb_corpus_free(c);
}

static void a_word_named_twice_is_refused_with_both_positions(void **state)
{
    (void)state;
    gb_error err;
    gb_corpus_builder *b = new_builder();
    add_word(b, "rain");
    add_word(b, "sun");
    add_word(b, "snow");
    assert_int_equal(gb_corpus_builder_word(b, "sun", 3, &err), GB_EFORMAT);
    assert_string_equal(err.message, "the word \"sun\" is in the vocabulary twice, at positions 2 and 4");
    gb_corpus_builder_free(b);
}

static void a_long_name_is_cut_in_a_message_between_characters(void **state)
{
    (void)state;
    gb_error err;
    char word[81];
    for (size_t i = 0; i < 80; i += 2)
        memcpy(word + i, "\xc3\xa9", 2);
    memcpy(word, "e", 1);
    memmove(word + 1, word + 2, 78);
    gb_corpus_builder *b = new_builder();
    OK(gb_corpus_builder_word(b, word, 79, NULL));
    assert_int_equal(gb_corpus_builder_word(b, word, 79, &err), GB_EFORMAT);
    /* 60 bytes would end inside a character, 59 do not */
    const char *end = strstr(err.message, "\" is in");
    assert_non_null(end);
    assert_int_equal(end - err.message, (int)strlen("the word \"") + 59);
    gb_corpus_builder_free(b);
}

static void a_word_number_without_a_name_is_refused(void **state)
{
    (void)state;
    gb_corpus *c = NULL;
    gb_error err;
    gb_corpus_builder *b = new_builder();
    add_document(b, NULL, (uint32_t[]){0, 7}, 2);
    add_word(b, "rain");
    json_t *notes = json_object();
    json_incref(notes);
    assert_int_equal(gb_corpus_builder_finish(b, notes, json_object(), &c, &err), GB_EFORMAT);
    assert_string_equal(err.message, "word number 7 has no name, there are names for 1");
    assert_null(c);
    assert_int_equal(notes->refcount, 1); /* the other reference was taken over */
    json_decref(notes);
    gb_corpus_builder_free(b);
}

static void a_second_class_is_refused_unless_the_field_takes_several(void **state)
{
    (void)state;
    gb_error err;
    gb_corpus_builder *b = new_builder();
    size_t mood = add_field(b, "mood", false);
    add_document(b, "x7", NULL, 0);
    add_class(b, mood, "sunny");
    assert_int_equal(gb_corpus_builder_class(b, mood, "cloudy", 6, &err), GB_EFORMAT);
    assert_string_equal(err.message, "label field \"mood\": document \"x7\" has two classes, \"sunny\" and "
                                     "\"cloudy\"; `labels` takes several");
    gb_corpus_builder_free(b);
}

static void a_label_without_a_class_needs_a_field_with_several(void **state)
{
    (void)state;
    gb_corpus *c = NULL;
    gb_error err;
    gb_corpus_builder *b = new_builder();
    size_t mood = add_field(b, "mood", false);
    add_document(b, NULL, NULL, 0);
    OK(gb_corpus_builder_labelled(b, mood, NULL));
    assert_int_equal(gb_corpus_builder_finish(b, NULL, NULL, &c, &err), GB_EFORMAT);
    assert_string_equal(err.message, "label field \"mood\": document 1 is labelled but has no class");
    gb_corpus_builder_free(b);
}

static void calls_out_of_order_are_refused(void **state)
{
    (void)state;
    size_t field;
    gb_corpus_builder *b = new_builder();
    assert_int_equal(gb_corpus_builder_token(b, 0, NULL), GB_EARGUMENT);
    assert_int_equal(gb_corpus_builder_labelled(b, 0, NULL), GB_EARGUMENT);
    add_field(b, "mood", false);
    assert_int_equal(gb_corpus_builder_class(b, 0, "a", 1, NULL), GB_EARGUMENT);
    assert_int_equal(gb_corpus_builder_labels(b, "mood", true, &field, NULL), GB_EARGUMENT);
    add_document(b, NULL, NULL, 0);
    assert_int_equal(gb_corpus_builder_labelled(b, 1, NULL), GB_EARGUMENT);
    assert_int_equal(gb_corpus_builder_labels(b, "late", true, &field, NULL), GB_EARGUMENT);
    gb_corpus_builder_free(b);
    gb_corpus_builder_free(NULL);
}

static void names_that_are_not_clean_text_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
        const char *fault;
    } bad[] = {
        {"a\0b", 3, "contains a NUL byte"},
        {"a\nb", 3, "contains a control character"},
        {"\x1b[2J", 4, "contains a control character"},
        {"a\x7f", 2, "contains a control character"},
        {"a\xff", 2, "is not valid UTF-8"},
        {"\xc3", 1, "is not valid UTF-8"},
        {"\xc0\xaf", 2, "is not valid UTF-8"},
        {"\xed\xa0\x80", 3, "is not valid UTF-8"},
        {"\xf4\x90\x80\x80", 4, "is not valid UTF-8"},
    };
    gb_error err;
    char expected[100];
    gb_corpus_builder *b = new_builder();
    size_t field = add_field(b, "mood", true);
    add_document(b, NULL, NULL, 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(gb_corpus_builder_word(b, bad[i].text, bad[i].length, &err), GB_EFORMAT);
        snprintf(expected, sizeof expected, "a word %s", bad[i].fault);
        assert_string_equal(err.message, expected);
        assert_int_equal(gb_corpus_builder_class(b, field, bad[i].text, bad[i].length, &err), GB_EFORMAT);
        snprintf(expected, sizeof expected, "a class %s", bad[i].fault);
        assert_string_equal(err.message, expected);
        assert_int_equal(gb_corpus_builder_document(b, bad[i].text, bad[i].length, &err), GB_EFORMAT);
        snprintf(expected, sizeof expected, "the id of a document %s", bad[i].fault);
        assert_string_equal(err.message, expected);
    }
    gb_corpus_builder_free(b);
}

static void a_text_number_beyond_the_last_is_refused(void **state)
{
    (void)state;
    char *text = NULL;
    gb_corpus *c = example();
    assert_int_equal(gb_texts_copy(&c->ids, 4, &text, NULL), GB_EARGUMENT);
    assert_null(text);
    gb_corpus_free(c);
}

/* ---- file ---- */

static void a_corpus_file_holds_the_corpus(void **state)
{
    (void)state;
    gb_corpus *c = example(), *back = NULL;
    gb_error err;
    OK(gb_corpus_write(c, "x.gbc", false, &err));
    OK(gb_corpus_open_file("x.gbc", &back, &err));
    gb_corpus_free(c);
    assert_example(back);
    gb_corpus_free(back);
    unlink("x.gbc");
}

static void writing_what_was_read_gives_the_same_bytes(void **state)
{
    (void)state;
    gb_corpus *c = example(), *again = example(), *back = NULL;
    OK(gb_corpus_write(c, "a.gbc", false, NULL));
    OK(gb_corpus_write(again, "b.gbc", false, NULL));
    assert_same_files("a.gbc", "b.gbc");
    OK(gb_corpus_open_file("a.gbc", &back, NULL));
    assert_int_equal(gb_corpus_write(back, "b.gbc", false, NULL), GB_EARGUMENT);
    OK(gb_corpus_write(back, "b.gbc", true, NULL));
    assert_same_files("a.gbc", "b.gbc");
    /* also onto the file that it lies in */
    OK(gb_corpus_write(back, "a.gbc", true, NULL));
    assert_same_files("a.gbc", "b.gbc");
    gb_corpus_free(c);
    gb_corpus_free(again);
    gb_corpus_free(back);
    unlink("a.gbc");
    unlink("b.gbc");
}

static void an_empty_corpus_can_be_written_and_read(void **state)
{
    (void)state;
    gb_corpus *c = NULL, *back = NULL;
    gb_corpus_builder *b = new_builder();
    add_field(b, "mood", false);
    OK(gb_corpus_builder_finish(b, NULL, NULL, &c, NULL));
    gb_corpus_builder_free(b);
    OK(gb_corpus_write(c, "x.gbc", false, NULL));
    OK(gb_corpus_open_file("x.gbc", &back, NULL));
    assert_int_equal(back->n_docs, 0);
    assert_int_equal(back->n_labels, 1);
    gb_corpus_free(c);
    gb_corpus_free(back);
    unlink("x.gbc");
}

/* ---- hostile files: right layout and checksum, wrong contents ---- */

/* The arrays of example(), to be spoilt one by one. */
typedef struct parts {
    uint64_t doc_start[5], id_start[5], word_start[4], mood_start[5], tag_start[5], mood_class_start[3],
        tag_class_start[4];
    uint32_t word[6], mood_of[2], tag_of[4];
    uint8_t mood_labelled[4], tag_labelled[4];
    char id_bytes[10], word_bytes[12], mood_class_bytes[11], tag_class_bytes[5];
    uint64_t n_docs_of_ids;        /* entries of id_start, less one */
    uint64_t n_labelled, n_starts; /* entries of mood_labelled and tag_start */
    const char *preparation, *source, *labels;
} parts;

static const parts good = {
    .doc_start = {0, 3, 3, 4, 6},
    .id_start = {0, 5, 6, 6, 10},
    .word_start = {0, 4, 7, 12},
    .mood_start = {0, 1, 1, 2, 2},
    .tag_start = {0, 2, 2, 2, 4},
    .mood_class_start = {0, 6, 11},
    .tag_class_start = {0, 1, 2, 5},
    .word = {2, 0, 2, 1, 0, 1},
    .mood_of = {1, 0},
    .tag_of = {1, 2, 0, 1},
    .mood_labelled = {1, 0, 1, 0},
    .tag_labelled = {1, 1, 0, 1},
    .id_bytes = {'f', 'i', 'r', 's', 't', '2', 'l', 'a', 's', 't'},
    .word_bytes = {'r', 'a', 'i', 'n', 's', 'u', 'n', '\xc3', '\xa9', 't', '\xc3', '\xa9'},
    .mood_class_bytes = {'c', 'l', 'o', 'u', 'd', 'y', 's', 'u', 'n', 'n', 'y'},
    .tag_class_bytes = {'B', 'a', 'z', '\xc3', '\xa9'},
    .n_docs_of_ids = 4,
    .n_labelled = 4,
    .n_starts = 5,
    .preparation = "{\"lowercase\":true,\"stopwords\":\"en\"}",
    .source = "{\"dropped\":3,\"share\":0.10000000000000001}",
    .labels = "[{\"name\":\"mood\",\"several\":false},{\"name\":\"tag\",\"several\":true}]",
};

static void put(gb_store_writer *w, const char *name, gb_dtype type, uint64_t n, const void *data)
{
    OK(gb_store_array(w, name, type, 1, &n, data, NULL));
}

static void write_parts(const parts *p, const char *path)
{
    gb_store_writer *w = NULL;
    OK(gb_store_create(&w, "corpus", NULL));
    OK(gb_store_text(w, "preparation", p->preparation, NULL));
    OK(gb_store_text(w, "source", p->source, NULL));
    if (p->labels != NULL)
        OK(gb_store_text(w, "labels", p->labels, NULL));
    put(w, "doc_start", GB_U64, 5, p->doc_start);
    put(w, "word", GB_U32, 6, p->word);
    put(w, "id_start", GB_U64, p->n_docs_of_ids + 1, p->id_start);
    put(w, "id_bytes", GB_U8, 10, p->id_bytes);
    put(w, "word_start", GB_U64, 4, p->word_start);
    put(w, "word_bytes", GB_U8, 12, p->word_bytes);
    put(w, "label0_doc_start", GB_U64, 5, p->mood_start);
    put(w, "label0_class_of", GB_U32, 2, p->mood_of);
    put(w, "label0_labelled", GB_U8, p->n_labelled, p->mood_labelled);
    put(w, "label0_class_start", GB_U64, 3, p->mood_class_start);
    put(w, "label0_class_bytes", GB_U8, 11, p->mood_class_bytes);
    put(w, "label1_doc_start", GB_U64, p->n_starts, p->tag_start);
    put(w, "label1_class_of", GB_U32, 4, p->tag_of);
    put(w, "label1_labelled", GB_U8, 4, p->tag_labelled);
    put(w, "label1_class_start", GB_U64, 4, p->tag_class_start);
    put(w, "label1_class_bytes", GB_U8, 5, p->tag_class_bytes);
    OK(gb_store_save(w, path, true, NULL));
    gb_store_writer_free(w);
}

static void assert_refused(const parts *p, const char *message)
{
    gb_corpus *c = NULL;
    gb_error err;
    write_parts(p, "x.gbc");
    assert_int_equal(gb_corpus_open_file("x.gbc", &c, &err), GB_EFORMAT);
    assert_null(c);
    assert_string_equal(err.message, message);
    unlink("x.gbc");
}

/* Spoil one entry of the good parts and expect that message. */
#define REFUSED(message, ...)                                                                                        \
    do {                                                                                                             \
        parts p = good;                                                                                              \
        p.__VA_ARGS__;                                                                                               \
        assert_refused(&p, "x.gbc: " message);                                                                       \
    } while (0)

static void the_file_of_the_good_parts_is_that_of_the_example(void **state)
{
    (void)state;
    gb_corpus *c = example();
    write_parts(&good, "a.gbc");
    OK(gb_corpus_write(c, "b.gbc", false, NULL));
    assert_same_files("a.gbc", "b.gbc");
    gb_corpus_free(c);
    unlink("a.gbc");
    unlink("b.gbc");
}

static void offsets_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    REFUSED("array \"doc_start\" does not begin with 0", doc_start[0] = 1);
    REFUSED("array \"doc_start\" falls at entry 2", doc_start[1] = 4);
    REFUSED("array \"doc_start\" ends at 7, expected 6", doc_start[4] = 7);
    REFUSED("array \"doc_start\" ends at 5, expected 6", doc_start[4] = 5);
    REFUSED("array \"doc_start\" falls at entry 2", doc_start[1] = UINT64_MAX);
    REFUSED("array \"id_start\" ends at 18446744073709551615, expected 10", id_start[4] = UINT64_MAX);
    REFUSED("array \"id_start\" falls at entry 2", id_start[1] = 7);
    REFUSED("array \"word_start\" does not begin with 0", word_start[0] = 4);
    REFUSED("array \"label0_doc_start\" ends at 1, expected 2", mood_start[4] = 1, p.mood_start[3] = 1);
    REFUSED("array \"label1_class_start\" falls at entry 3", tag_class_start[2] = 6);
}

static void numbers_out_of_range_are_refused(void **state)
{
    (void)state;
    REFUSED("array \"word\": entry 5 is 3, expected less than 3", word[5] = 3);
    REFUSED("array \"word\": entry 0 is 4294967295, expected less than 3", word[0] = UINT32_MAX);
    REFUSED("array \"label0_class_of\": entry 1 is 2, expected less than 2", mood_of[1] = 2);
    REFUSED("array \"label1_class_of\": entry 1 is 3, expected less than 3", tag_of[1] = 3);
}

static void texts_that_are_not_clean_are_refused(void **state)
{
    (void)state;
    REFUSED("array \"id_bytes\": text 1 is not valid UTF-8", id_bytes[0] = '\xff');
    REFUSED("array \"id_bytes\": text 4 contains a NUL byte", id_bytes[9] = 0);
    REFUSED("array \"word_bytes\": text 2 contains a control character", word_bytes[4] = '\n');
    REFUSED("array \"label0_class_bytes\": text 2 contains a control character", mood_class_bytes[6] = '\x1b');
    /* an offset in the middle of a character */
    REFUSED("array \"word_bytes\": text 2 is not valid UTF-8", word_start[2] = 8);
}

static void words_that_occur_twice_are_refused(void **state)
{
    (void)state;
    REFUSED("the word \"\" is in the vocabulary twice", word_start[1] = 0, p.word_start[2] = 0);
    REFUSED("the word \"t\" is in the vocabulary twice", word_bytes[0] = 't', p.word_start[1] = 1,
            p.word_start[2] = 11, p.word_bytes[11] = 't', p.word_bytes[10] = 'x', p.word_bytes[8] = 'x',
            p.word_bytes[7] = 'x');
}

static void labels_that_contradict_each_other_are_refused(void **state)
{
    (void)state;
    REFUSED("label field \"mood\": document 2 is neither labelled nor unlabelled", mood_labelled[1] = 2);
    REFUSED("label field \"mood\": document 1 is not labelled but has a class", mood_labelled[0] = 0);
    REFUSED("label field \"mood\": document 2 should have one class if it is labelled", mood_labelled[1] = 1);
    REFUSED("label field \"mood\": document 1 should have one class if it is labelled", mood_start[1] = 2,
            p.mood_start[2] = 2);
    REFUSED("label field \"tag\": document 1 has classes that do not ascend", tag_of[1] = 1);
    REFUSED("label field \"tag\": document 1 has classes that do not ascend", tag_of[1] = 0);
    REFUSED("label field \"mood\": the classes are not sorted", mood_class_bytes[0] = 'z');
    REFUSED("label field \"tag\": the classes are not sorted", tag_class_bytes[1] = 'B');
}

static void counts_that_differ_are_refused(void **state)
{
    (void)state;
    REFUSED("3 ids for 4 documents", n_docs_of_ids = 3, p.id_start[3] = 10);
    REFUSED("array \"label0_labelled\" has 3 entries, expected 4", n_labelled = 3);
    REFUSED("array \"label1_doc_start\" has 4 entries, expected 5", n_starts = 4);
}

static void notes_that_are_not_what_they_should_be_are_refused(void **state)
{
    (void)state;
    REFUSED("text \"preparation\" is not a JSON object", preparation = "[]");
    REFUSED("text \"preparation\" is not JSON, or too large", preparation = "{");
    REFUSED("text \"preparation\" is not JSON, or too large", preparation = "{\"a\":1,\"a\":2}");
    REFUSED("text \"source\" is not JSON, or too large", source = "[[[[[[[[[[[[[[[[[0]]]]]]]]]]]]]]]]]");
    REFUSED("text \"source\" is not JSON, or too large", source = "");
    REFUSED("text \"labels\" is not a JSON list", labels = "{}");
    REFUSED("text \"labels\" is missing", labels = NULL);
    REFUSED("text \"labels\": entry 1 should be a new name, and \"several\"", labels = "[1]");
    REFUSED("text \"labels\": entry 1 should be a new name, and \"several\"", labels = "[{\"name\":\"a\"}]");
    REFUSED("text \"labels\": entry 1 should be a new name, and \"several\"",
            labels = "[{\"name\":\"a\\n\",\"several\":true}]");
    REFUSED("text \"labels\": entry 2 should be a new name, and \"several\"",
            labels = "[{\"name\":\"a\",\"several\":false},{\"name\":\"a\",\"several\":true}]");
    REFUSED("array \"label2_class_start\" is missing",
            labels = "[{\"name\":\"a\",\"several\":false},{\"name\":\"b\",\"several\":true},"
                     "{\"name\":\"c\",\"several\":true}]");
}

static void a_file_with_an_array_of_another_length_is_refused(void **state)
{
    (void)state;
    gb_corpus *c = NULL;
    gb_error err;
    gb_store_writer *w = NULL;
    OK(gb_store_create(&w, "corpus", NULL));
    put(w, "doc_start", GB_U64, 0, NULL);
    OK(gb_store_save(w, "x.gbc", true, NULL));
    gb_store_writer_free(w);
    assert_int_equal(gb_corpus_open_file("x.gbc", &c, &err), GB_EFORMAT);
    assert_string_equal(err.message, "x.gbc: array \"doc_start\" is empty, expected at least one entry");
    unlink("x.gbc");
}

static void every_flipped_byte_of_a_corpus_file_is_refused(void **state)
{
    (void)state;
    gb_corpus *c = example(), *back = NULL;
    OK(gb_corpus_write(c, "x.gbc", false, NULL));
    gb_corpus_free(c);
    FILE *f = fopen("x.gbc", "r+b");
    struct stat info;
    assert_int_equal(stat("x.gbc", &info), 0);
    setvbuf(f, NULL, _IONBF, 0);
    for (long i = 0; i < info.st_size; i++) {
        fseek(f, i, SEEK_SET);
        int byte = fgetc(f);
        fseek(f, i, SEEK_SET);
        fputc(byte ^ 0xff, f);
        assert_int_equal(gb_corpus_open_file("x.gbc", &back, NULL), GB_EFORMAT);
        fseek(f, i, SEEK_SET);
        fputc(byte, f);
    }
    fclose(f);
    OK(gb_corpus_open_file("x.gbc", &back, NULL));
    gb_corpus_free(back);
    unlink("x.gbc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_corpus_holds_what_was_added),
        cmocka_unit_test(a_corpus_without_documents_works),
        cmocka_unit_test(many_words_documents_and_classes_keep_their_numbers),
        cmocka_unit_test(a_word_named_twice_is_refused_with_both_positions),
        cmocka_unit_test(a_long_name_is_cut_in_a_message_between_characters),
        cmocka_unit_test(a_word_number_without_a_name_is_refused),
        cmocka_unit_test(a_second_class_is_refused_unless_the_field_takes_several),
        cmocka_unit_test(a_label_without_a_class_needs_a_field_with_several),
        cmocka_unit_test(calls_out_of_order_are_refused),
        cmocka_unit_test(names_that_are_not_clean_text_are_refused),
        cmocka_unit_test(a_text_number_beyond_the_last_is_refused),
        cmocka_unit_test(a_corpus_file_holds_the_corpus),
        cmocka_unit_test(writing_what_was_read_gives_the_same_bytes),
        cmocka_unit_test(an_empty_corpus_can_be_written_and_read),
        cmocka_unit_test(the_file_of_the_good_parts_is_that_of_the_example),
        cmocka_unit_test(offsets_that_do_not_fit_are_refused),
        cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(texts_that_are_not_clean_are_refused),
        cmocka_unit_test(words_that_occur_twice_are_refused),
        cmocka_unit_test(labels_that_contradict_each_other_are_refused),
        cmocka_unit_test(counts_that_differ_are_refused),
        cmocka_unit_test(notes_that_are_not_what_they_should_be_are_refused),
        cmocka_unit_test(a_file_with_an_array_of_another_length_is_refused),
        cmocka_unit_test(every_flipped_byte_of_a_corpus_file_is_refused),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_empty_folder);
}
