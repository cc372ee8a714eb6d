/* test_corpus_stream.c - new documents in the vocabulary of a model, and corpus files as input. */
#include "helper_documents.h"

#include "base/memory.h"
#include "corpus/readers/stream.h"

#include <string.h>

static gb_stream *stream_of(const char *path, const gb_corpus *model, gb_settings *settings)
{
    gb_stream *stream = NULL;
    gb_error err = {0};
    if (gb_stream_open(&stream, path, settings, &model->vocabulary, model->preparation, NULL, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_settings_free(settings);
    return stream;
}

static gb_corpus *next_batch(gb_stream *stream, size_t max_docs, uint64_t **n_unknown)
{
    gb_corpus *batch = NULL;
    gb_error err = {0};
    if (gb_stream_next(stream, max_docs, &batch, n_unknown, &err) != GB_OK)
        fail_msg("%s", err.message);
    return batch;
}

static void batches_use_the_words_of_the_model(void **state)
{
    (void)state;
    write_file("train.jsonl", "{\"text\": \"the Dog sat\"}\n{\"text\": \"a cat sat\"}\n");
    write_file("new.csv", "id,text,y\nu,The DOG flew and flew,1\nv,,\n,sat sat,0\n");
    gb_corpus *model = corpus_of("train.jsonl", "stopwords", "en", NULL);
    gb_stream *s = stream_of("new.csv", model, settings_of("label", "y", NULL));
    uint64_t *unknown = NULL;
    gb_corpus *batch = next_batch(s, 2, &unknown);
    assert_int_equal(batch->n_docs, 2);
    assert_string_equal(vocabulary_of(batch), "cat dog sat");
    assert_string_equal(words_of(batch, 0), "dog");
    assert_int_equal(unknown[0], 2);
    assert_int_equal(unknown[1], 0);
    assert_string_equal(classes_of(batch, 0), "1 -");
    assert_string_equal(ids_of(batch), "u v");
    gb_corpus_free(batch);
    gb_free(unknown);
    batch = next_batch(s, 2, &unknown);
    assert_int_equal(batch->n_docs, 1);
    assert_string_equal(words_of(batch, 0), "sat sat");
    assert_string_equal(ids_of(batch), "3");
    gb_corpus_free(batch);
    gb_free(unknown);
    assert_null(next_batch(s, 2, &unknown));
    assert_null(unknown);
    gb_stream_close(s);
    gb_corpus_free(model);
}

static void counts_without_names_are_matched_by_their_digits(void **state)
{
    (void)state;
    write_file("train.svm", "1 20:1 3:1\n");
    write_file("new.svm", "3:2 4:5 20:1\n");
    gb_corpus *model = corpus_of("train.svm", NULL);
    gb_stream *s = stream_of("new.svm", model, settings_of(NULL));
    uint64_t *unknown = NULL;
    gb_corpus *batch = next_batch(s, 10, &unknown);
    assert_string_equal(vocabulary_of(batch), "3 20");
    assert_string_equal(words_of(batch, 0), "3 3 20");
    assert_int_equal(unknown[0], 5);
    gb_corpus_free(batch);
    gb_free(unknown);
    gb_stream_close(s);
    gb_corpus_free(model);
}

static void text_and_counts_meet_by_the_names_of_words(void **state)
{
    (void)state;
    write_file("train.jsonl", "{\"text\": \"dog cat\"}\n");
    write_file("new.svm", "1:1 2:2 3:4\n");
    write_file("v.txt", "dog\nthe\nbird\n");
    gb_corpus *model = corpus_of("train.jsonl", "stopwords", "en", NULL);
    gb_stream *s = stream_of("new.svm", model, settings_of("vocabulary", "v.txt", NULL));
    uint64_t *unknown = NULL;
    gb_corpus *batch = next_batch(s, 10, &unknown);
    assert_string_equal(words_of(batch, 0), "dog");
    assert_int_equal(unknown[0], 4);
    gb_corpus_free(batch);
    gb_free(unknown);
    gb_stream_close(s);
    gb_corpus_free(model);
}

static void errors_in_the_middle_are_reported(void **state)
{
    (void)state;
    write_file("train.jsonl", "{\"text\": \"dog cat\"}\n");
    write_file("new.jsonl", "{\"text\": \"dog\"}\n{\"body\": 1}\n");
    gb_corpus *model = corpus_of("train.jsonl", NULL), *batch = NULL;
    gb_stream *s = stream_of("new.jsonl", model, settings_of(NULL));
    uint64_t *unknown = NULL;
    gb_error err = {0};
    assert_int_equal(gb_stream_next(s, 10, &batch, &unknown, &err), GB_EFORMAT);
    assert_string_equal(err.message, "new.jsonl:2: no field \"text\"; the fields are body");
    assert_null(batch);
    assert_null(unknown);
    gb_stream_close(s);
    gb_corpus_free(model);
}

/* ---- corpus files -------------------------------------------------------------------------------------- */

static void write_corpus(const char *path)
{
    gb_error err = {0};
    write_file("train.jsonl", "{\"id\": \"x\", \"text\": \"the dog sat sat\", \"y\": 1, \"t\": [\"a\", \"b\"]}\n"
                              "{\"id\": \"y\", \"text\": \"the cat\", \"t\": []}\n");
    gb_corpus *c = corpus_of("train.jsonl", "label", "y", "labels", "t", NULL);
    if (gb_corpus_write(c, path, true, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_corpus_free(c);
}

static void a_corpus_file_streams_with_its_labels(void **state)
{
    (void)state;
    write_corpus("a.gbc");
    write_file("model.jsonl", "{\"text\": \"sat dog bird\"}\n");
    gb_corpus *model = corpus_of("model.jsonl", NULL);
    gb_stream *s = stream_of("a.gbc", model, settings_of(NULL));
    uint64_t *unknown = NULL;
    gb_corpus *batch = next_batch(s, 10, &unknown);
    assert_string_equal(words_of(batch, 0), "dog sat sat");
    assert_string_equal(ids_of(batch), "x y");
    assert_string_equal(classes_of(batch, 0), "1 -");
    assert_string_equal(classes_of(batch, 1), "a,b {}");
    assert_int_equal(unknown[0], 1);
    assert_int_equal(unknown[1], 2);
    gb_corpus_free(batch);
    gb_free(unknown);
    gb_stream_close(s);
    gb_corpus_free(model);
}

static void words_can_be_left_out_of_a_corpus_file(void **state)
{
    (void)state;
    write_corpus("a.gbc");
    gb_corpus *c = corpus_of("a.gbc", NULL);
    assert_string_equal(vocabulary_of(c), "cat dog sat the");
    gb_corpus_free(c);
    c = corpus_of("a.gbc", "stopwords", "en", "labels", "t", NULL);
    assert_string_equal(vocabulary_of(c), "cat dog sat");
    assert_int_equal(c->n_labels, 1);
    assert_string_equal(classes_of(c, 0), "a,b {}");
    assert_string_equal(json_string_value(json_object_get(c->preparation, "words")), "text");
    assert_true(json_array_size(json_object_get(c->preparation, "stopwords")) > 100);
    gb_corpus_free(c);
    write_file("v.txt", "the\ndog\n");
    c = corpus_of("a.gbc", "vocabulary", "v.txt", NULL);
    assert_string_equal(vocabulary_of(c), "the dog");
    gb_corpus_free(c);
}

static void options_that_come_too_late_are_refused(void **state)
{
    (void)state;
    write_corpus("a.gbc");
    assert_fails(GB_EARGUMENT,
                 "`token-pattern`: a.gbc is a corpus file, whose words are already made; import the text again",
                 "a.gbc", "token-pattern", "\\w+");
    assert_fails(GB_EFORMAT, "a.gbc: no label field \"z\"", "a.gbc", "label", "z", "min-df", "1");
    assert_fails(GB_EARGUMENT, "a.gbc: the label field \"t\" has several classes per document; it takes `labels`",
                 "a.gbc", "label", "t", "min-df", "1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_use_the_words_of_the_model),
        cmocka_unit_test(counts_without_names_are_matched_by_their_digits),
        cmocka_unit_test(text_and_counts_meet_by_the_names_of_words),
        cmocka_unit_test(errors_in_the_middle_are_reported),
        cmocka_unit_test(a_corpus_file_streams_with_its_labels),
        cmocka_unit_test(words_can_be_left_out_of_a_corpus_file),
        cmocka_unit_test(options_that_come_too_late_are_refused),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
