/* Names of topics stay in the model, whatever they are made of, and change nothing else. */
#include "helper_documents.h"

#include "model/model.h"
#include "model/topic_unions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gb_model *trained(void)
{
    gb_model *model = NULL;
    gb_corpus *corpus = simulated_with(settings_of("topics", "3", "documents", "40", "length", "15", "seed", "1",
                                                   "classes", "2", "response", "logistic", NULL));
    gb_settings *settings = settings_of("topics", "3", "sweeps", "10", "burn-in", "5", "seed", "1", "label", "label",
                                        "response", "logistic", "calibrate", "0", NULL);
    assert_int_equal(gb_train(corpus, settings, NULL, NULL, &model, NULL), GB_OK);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
    return model;
}

static void names_stay_in_the_file_as_they_are(void **state)
{
    (void)state;
    char *longest = malloc(10001);
    assert_non_null(longest);
    memset(longest, 'x', 10000);
    longest[10000] = '\0';
    const char *const name[] = {"<script>alert(\"1\")</script>", "\xe2\x80\xae'\"\\;,=1+1", longest};
    gb_model *plain = trained(), *named = NULL, *again = NULL;
    assert_false(gb_model_has_topic_names(plain));
    assert_string_equal(gb_model_topic_name(plain, 0), "");
    assert_int_equal(gb_model_name_topics(plain, name, &named, NULL), GB_OK);
    assert_false(gb_model_has_topic_names(plain));
    assert_int_equal(gb_model_write(named, "named.gibbous", false, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_read("named.gibbous", NULL, NULL, &again, NULL), GB_OK);
    assert_true(gb_model_has_topic_names(again));
    for (uint64_t k = 0; k < 3; k++)
        assert_string_equal(gb_model_topic_name(again, k), name[k]);
    assert_string_equal(gb_model_topic_name(again, 3), "");
    gb_model_free(again);
    gb_model_free(named);
    gb_model_free(plain);
    free(longest);
}

static void without_its_names_the_model_is_the_same_byte_for_byte(void **state)
{
    (void)state;
    gb_model *plain = trained(), *named = NULL, *other = NULL, *bare = NULL;
    assert_int_equal(gb_model_name_topics(plain, (const char *const[]){"a", "b", NULL}, &named, NULL), GB_OK);
    assert_int_equal(gb_model_name_topics(named, (const char *const[]){NULL, "c", NULL}, &other, NULL), GB_OK);
    assert_string_equal(gb_model_topic_name(other, 0), "a");
    assert_string_equal(gb_model_topic_name(other, 1), "c");
    assert_string_equal(gb_model_topic_name(other, 2), "");
    assert_int_equal(gb_model_name_topics(other, (const char *const[]){"", "", ""}, &bare, NULL), GB_OK);
    assert_false(gb_model_has_topic_names(bare));
    assert_int_equal(gb_model_write(plain, "plain.gibbous", false, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_write(bare, "bare.gibbous", false, NULL, NULL, NULL), GB_OK);
    assert_same_files("plain.gibbous", "bare.gibbous");
    gb_model_free(bare);
    gb_model_free(other);
    gb_model_free(named);
    gb_model_free(plain);
}

static void a_table_names_some_topics(void **state)
{
    (void)state;
    gb_model *plain = trained(), *named = NULL;
    write_file("names.csv", "topic,words,name\n3,a b,\"One, \"\"two\"\"\"\n1,c, Space \n");
    assert_int_equal(gb_model_read_topic_names(plain, "names.csv", &named, NULL), GB_OK);
    assert_string_equal(gb_model_topic_name(named, 0), "Space");
    assert_string_equal(gb_model_topic_name(named, 1), "");
    assert_string_equal(gb_model_topic_name(named, 2), "One, \"two\"");
    gb_model_free(named);
    gb_model_free(plain);
}

static void refused(const gb_model *model, const char *table, const char *message)
{
    gb_model *named = NULL;
    gb_error err = {0};
    write_file("bad.csv", table);
    assert_int_equal(gb_model_read_topic_names(model, "bad.csv", &named, &err), GB_EFORMAT);
    assert_string_equal(err.message, message);
    assert_null(named);
}

static void a_bad_table_is_refused_by_its_line(void **state)
{
    (void)state;
    gb_model *plain = trained(), *named = NULL;
    gb_error err = {0};
    refused(plain, "topic,name\n1,a\n4,b\n", "bad.csv:3: the topic \"4\" is not a number from 1 to 3");
    refused(plain, "topic,name\nx,b\n", "bad.csv:2: the topic \"x\" is not a number from 1 to 3");
    refused(plain, "topic,name\n1.5,b\n", "bad.csv:2: the topic \"1.5\" is not a number from 1 to 3");
    refused(plain, "topic,name\n1,a\n1,b\n", "bad.csv:3: topic 1 is named twice");
    refused(plain, "topic,name\n2,a\033[2J\n", "bad.csv:2: the name of topic 2 has control characters");
    assert_int_equal(gb_model_name_topics(plain, (const char *const[]){NULL, "a\xff", NULL}, &named, &err),
                     GB_EFORMAT);
    assert_string_equal(err.message, "the name of topic 2 is not UTF-8");
    gb_model_free(plain);
}

static void named(const gb_model *model, const char *answer, const char *first, const char *third)
{
    gb_model *out = NULL;
    gb_error err = {0};
    write_file("answer", answer);
    const gb_status st = gb_model_read_topic_names(model, "answer", &out, &err);
    assert_string_equal(err.message, "");
    assert_int_equal(st, GB_OK);
    assert_string_equal(gb_model_topic_name(out, 0), first);
    assert_string_equal(gb_model_topic_name(out, 1), "");
    assert_string_equal(gb_model_topic_name(out, 2), third);
    gb_model_free(out);
}

static void answers_of_language_models_name_topics(void **state)
{
    (void)state;
    gb_model *m = trained();
    named(m, "3: Space\n1: Cars, old\n", "Cars, old", "Space");
    named(m, "Here are the names:\n\n1. **Cars**\n3. \"Space\"\n\nTell me if 3 names are too few.\n", "Cars",
          "Space");
    named(m, "- **Topic 1**: Cars\n- **Topic 3:** Space: the rest\n", "Cars", "Space: the rest");
    named(m, "**3: Space**\nTopic 1 - 'Cars'\n", "Cars", "Space");
    named(m, "| Topic | Name |\n|---|---|\n| 1 | Cars |\n| 3 | Space |\n", "Cars", "Space");
    named(m, "```json\n{\n \"1\": \"Cars\",\n \"Topic 3\": \"Space\"\n}\n```\n", "Cars", "Space");
    named(m, "{\"topics\": [{\"topic\": 1, \"name\": \"Cars\"}, {\"topic\": \"3\", \"name\": \"Space\"}]}", "Cars",
          "Space");
    named(m, "{\"topic\": 3, \"name\": \"Space\"}\n{\"topic\": 1, \"name\": \"Cars\"}\n", "Cars", "Space");
    named(m, "[{\"topic\": 3,\n \"name\": \"<script>\"}]\n", "", "<script>");
    named(m, "topic,name\n3,\"Space, \"\"x\"\"\"\n", "", "Space, \"x\"");
    named(m, "name\ttopic\nSpace\t3\n", "", "Space");
    gb_model_free(m);
}

static void not_named(const gb_model *model, const char *answer, const char *message)
{
    gb_model *out = NULL;
    gb_error err = {0};
    write_file("answer", answer);
    assert_int_equal(gb_model_read_topic_names(model, "answer", &out, &err), GB_EFORMAT);
    assert_string_equal(err.message, message);
    assert_null(out);
}

static void bad_answers_are_refused_by_their_line(void **state)
{
    (void)state;
    static const char none[] =
        "answer: no names of topics; expected a table with the columns topic and name, lines such as "
        "3: Name, or JSON";
    gb_model *m = trained();
    not_named(m, "", none);
    not_named(m, "I cannot name these topics.\n", none);
    not_named(m, "1: a\n\n9: b\n", "answer:3: the topic \"9\" is not a number from 1 to 3");
    not_named(m, "1: a\n1: b\n", "answer:2: topic 1 is named twice");
    not_named(m, "1: a\n2:\n", "answer:2: no name after the topic \"2\"");
    not_named(m, "2: a\033[2J\n", "answer:1: the name of topic 2 has control characters");
    not_named(m, "{\"2\": \"a\\u0000b\"}\n", "answer:1: not JSON that names topics, such as {\"3\": \"Name\"}");
    not_named(m, "{\"2\": 5}\n", "answer:1: the name of topic \"2\" is not a text");
    not_named(m, "{\"x\": \"a\"}\n", "answer:1: the topic \"x\" is not a number from 1 to 3");
    not_named(m, "[1, 2]\n", "answer:1: expected objects with \"topic\" and \"name\"");
    not_named(m, "{\"1\": \"a\",\n", "answer:1: not JSON that names topics, such as {\"3\": \"Name\"}");
    not_named(m, "1+2: a\n", "answer:1: the topics \"1+2\" are no union of the model");
    gb_model_free(m);
}

static void the_name_of_a_union_is_its_first_topics(void **state)
{
    (void)state;
    gb_model *plain = trained(), *united = NULL, *out = NULL;
    assert_int_equal(gb_model_unite_topics(plain, (const uint64_t[]){0, 1, 0}, &united, NULL), GB_OK);
    write_file("answer", "1+3: Both\n2: Other\n");
    assert_int_equal(gb_model_read_topic_names(united, "answer", &out, NULL), GB_OK);
    assert_string_equal(gb_model_topic_name(out, 0), "Both");
    assert_string_equal(gb_model_union_name(out, 2), "Both");
    assert_string_equal(gb_model_topic_name(out, 1), "Other");
    gb_model_free(out);
    gb_model_free(united);
    gb_model_free(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_stay_in_the_file_as_they_are),
        cmocka_unit_test(without_its_names_the_model_is_the_same_byte_for_byte),
        cmocka_unit_test(a_table_names_some_topics),
        cmocka_unit_test(answers_of_language_models_name_topics),
        cmocka_unit_test(bad_answers_are_refused_by_their_line),
        cmocka_unit_test(the_name_of_a_union_is_its_first_topics),
        cmocka_unit_test(a_bad_table_is_refused_by_its_line),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
