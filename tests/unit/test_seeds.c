/* Lists of seed words: what is read, as what prior, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chain/seeded_start.h"
#include "plan/seeds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N_TOPICS = 3 };

static const char *const words[] = {"apple", "pear", "a=b", "naïve", "rare"};
static const unsigned tokens[] = {4, 3, 2, 5, 0};

static int set_up(void **state)
{
    gb_corpus_builder *b = NULL;
    gb_corpus *corpus = NULL;
    assert_int_equal(gb_corpus_builder_create(&b, NULL), GB_OK);
    for (size_t w = 0; w < 5; w++)
        assert_int_equal(gb_corpus_builder_word(b, words[w], strlen(words[w]), NULL), GB_OK);
    assert_int_equal(gb_corpus_builder_document(b, NULL, 0, NULL), GB_OK);
    for (uint32_t w = 0; w < 5; w++)
        for (unsigned i = 0; i < tokens[w]; i++)
            assert_int_equal(gb_corpus_builder_token(b, w, NULL), GB_OK);
    assert_int_equal(gb_corpus_builder_finish(b, NULL, NULL, &corpus, NULL), GB_OK);
    gb_corpus_builder_free(b);
    *state = corpus;
    return 0;
}

static int tear_down(void **state)
{
    gb_corpus_free(*state);
    return 0;
}

static gb_status read_text(const gb_corpus *corpus, const char *text, double strength, gb_seeds *out, gb_error *err)
{
    char path[] = "/tmp/seeds-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text) && close(file) == 0);
    const gb_status st = gb_seeds_read(path, strength, corpus, N_TOPICS, out, err);
    unlink(path);
    return st;
}

static void assert_seed(const gb_seeds *s, size_t i, const char *word, unsigned topic, unsigned count)
{
    assert_true(i < s->n);
    assert_string_equal(words[s->seed[i].word], word);
    assert_int_equal(s->seed[i].topic, topic);
    assert_int_equal(s->seed[i].count, count);
}

static void a_file_and_json_say_the_same(void **state)
{
    static const char file[] =
        "# fruit first\n\nfruit: Apple, pear=0.5\tunheard\n  other things :NAÏVE a=b apple=10\r\n";
    static const char json[] = "{\"fruit\": {\"Apple\": 2, \"pear\": 0.5, \"unheard\": 2}, \"other things\": "
                               "{\"NAÏVE\": 2, \"a=b\": 2, \"apple\": 10}}";
    for (int i = 0; i < 2; i++) {
        gb_seeds s = {0};
        gb_error err = {.status = GB_OK};
        const gb_status st =
            i == 0 ? read_text(*state, file, 2, &s, &err) : gb_seeds_read(json, 2, *state, N_TOPICS, &s, &err);
        if (st != GB_OK)
            fail_msg("%s", err.message);
        assert_int_equal(s.n_topics, 2);
        assert_string_equal(s.name[0], "fruit");
        assert_string_equal(s.name[1], "other things");
        assert_int_equal(s.n, 5);
        assert_seed(&s, 0, "apple", 0, 8);
        assert_seed(&s, 1, "pear", 0, 2); /* half of 3, rounded */
        assert_seed(&s, 2, "naïve", 1, 10);
        assert_seed(&s, 3, "a=b", 1, 4);
        assert_seed(&s, 4, "apple", 1, 40); /* in two topics */
        assert_int_equal(s.n_tokens[0], 10);
        assert_int_equal(s.n_tokens[1], 54);
        assert_int_equal(s.n_unknown, 1);
        assert_string_equal(s.unknown[0], "unheard");
        uint64_t total[5] = {1, 1, 1, 1, 1};
        gb_seeds_count(&s, total);
        assert_int_equal(total[0], 49);
        assert_int_equal(total[4], 1);
        gb_seeds_clear(&s);
    }
}

static void a_list_takes_the_strength_of_all_and_a_seed_is_one_token_at_least(void **state)
{
    gb_seeds s = {0};
    assert_int_equal(gb_seeds_read("{\"x\": [\"rare\", \"apple\"]}", 0.01, *state, N_TOPICS, &s, NULL), GB_OK);
    assert_seed(&s, 0, "rare", 0, 1);
    assert_seed(&s, 1, "apple", 0, 1);
    gb_seeds_clear(&s);
}

/* Without a strength of all they are, but for those that have one of their own. */
static void a_word_without_a_strength_is_a_keyword(void **state)
{
    static const char *const texts[] = {"x: rare apple pear=1\ny: apple\nz: pear=2\n",
                                        "{\"x\": [\"rare\", \"apple\"], \"y\": [\"apple\"], \"z\": {\"pear\": 2}}"};
    for (int i = 0; i < 2; i++) {
        gb_seeds s = {0};
        assert_int_equal(i == 0 ? read_text(*state, texts[i], 0, &s, NULL)
                                : gb_seeds_read(texts[i], 0, *state, N_TOPICS, &s, NULL),
                         GB_OK);
        assert_seed(&s, 0, "rare", 0, 0);
        assert_seed(&s, 1, "apple", 0, 0);
        assert_seed(&s, s.n - 2, "apple", 1, 0);
        assert_seed(&s, s.n - 1, "pear", 2, 6);
        assert_true(s.seed[0].said == 3 && s.seed[s.n - 1].said == 3);     /* no document has it; tokens */
        assert_true(fabs(s.seed[1].said + 6 * log(1 - exp(-4.0))) < 1e-6); /* four in the one document */
        assert_int_equal(s.n_keywords, 2);
        assert_int_equal(s.n_keyword_pairs, 3);
        assert_int_equal(s.n_tokens[1], 0);
        gb_seeds_clear(&s);
    }
    gb_seeds s = {0};
    gb_error err = {.status = GB_OK};
    assert_int_equal(read_text(*state, "x: apple=-1\n", 0, &s, &err), GB_EFORMAT);
    assert_int_equal(read_text(*state, "x: unheard\n", 0, &s, &err), GB_EFORMAT);
}

static void a_star_stands_for_every_word_that_begins_so(void **state)
{
    gb_seeds s = {0};
    assert_int_equal(read_text(*state, "x: pear A*\ny: NA* zebra*\n", 0, &s, NULL), GB_OK);
    assert_int_equal(s.n, 4);
    assert_seed(&s, 0, "pear", 0, 0);
    assert_seed(&s, 1, "apple", 0, 0);
    assert_seed(&s, 2, "a=b", 0, 0);
    assert_seed(&s, 3, "na\u00efve", 1, 0);
    assert_int_equal(s.n_unknown, 1);
    gb_seeds_clear(&s);
    assert_int_equal(read_text(*state, "x: apple a*=2\n", 0, &s, NULL),
                     GB_OK); /* a word that is there already stays */
    assert_int_equal(s.n, 2);
    assert_seed(&s, 1, "a=b", 0, 4);
    gb_seeds_clear(&s);
}

static void a_model_keeps_them(void **state)
{
    const gb_corpus *corpus = *state;
    gb_seeds s = {0};
    uint64_t n[N_TOPICS];
    assert_int_equal(
        gb_seeds_read("{\"x\": [\"rare\", \"apple\"], \"y\": [\"pear\"]}", 1, corpus, N_TOPICS, &s, NULL), GB_OK);
    json_t *kept = gb_seeds_to_json(&s, &corpus->vocabulary);
    assert_non_null(kept);
    assert_true(gb_seeds_from_json(kept, N_TOPICS, n));
    assert_true(n[0] == 5 && n[1] == 3 && n[2] == 0);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(json_array_get(kept, 0), "words"), "apple")),
                     4);
    assert_false(gb_seeds_from_json(kept, 1, n)); /* more than the model has */
    json_object_del(json_array_get(kept, 1), "tokens");
    assert_false(gb_seeds_from_json(kept, N_TOPICS, n));
    json_decref(kept);
    gb_seeds_clear(&s);
}

static void what_is_wrong_is_named(void **state)
{
    static const struct {
        const char *text, *wanted;
    } files[] = {{"fruit apple\n", ":1: expected the name of a topic, a colon, and its words"},
                 {"\n : apple\n", ":2: expected the name of a topic before the colon"},
                 {"a: apple\nb: pear\na: rare\n", ":3: the topic \"a\" is named twice"},
                 {"a: apple\nb: pear\nc: rare\nd: apple\n", ":4: more named topics than the 3 topics of the model"},
                 {"a: apple APPLE\n", ":1: the topic \"a\" has the word \"APPLE\" twice"},
                 {"a: apple\nb: unheard\n", ":2: no seed word of the topic \"b\" is in the vocabulary"},
                 {"a:\n", ":1: no seed word of the topic \"a\""},
                 {"a: apple=0\n", ":1: the strength of \"apple\" is 0, expected a number above 0"},
                 {"a: apple=1e300\n", ":1: the strength of \"apple\" is 1e+300"},
                 {"# nothing\n", "no topic with seed words"}},
      objects[] = {{"{\"a\": 1}", "the words of \"a\" are neither an array nor an object"},
                   {"{\"a\": [1]}", "a word is not a text"},
                   {"{\"a\": {\"apple\": \"1\"}}", "the strength of \"apple\" is not a number"},
                   {"{\"a\": [\"apple\", \"apple\"]}", "has the word \"apple\" twice"},
                   {"{\"a\\tb\": [\"apple\"]}", "the name of a topic has control characters"},
                   {"{}", "no topic with seed words"},
                   {"{\"a\"", "is not a JSON object"}};
    gb_seeds s = {0};
    gb_error err = {.status = GB_OK};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        assert_int_equal(read_text(*state, files[i].text, 1, &s, &err), GB_EFORMAT);
        if (strstr(err.message, files[i].wanted) == NULL)
            fail_msg("%s, expected %s", err.message, files[i].wanted);
    }
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
        assert_int_equal(gb_seeds_read(objects[i].text, 1, *state, N_TOPICS, &s, &err), GB_EARGUMENT);
        if (strstr(err.message, objects[i].wanted) == NULL)
            fail_msg("%s, expected %s", err.message, objects[i].wanted);
    }
    assert_int_equal(s.n, 0);
}

/* Words 0 and 3 name a topic, word 1 two; word 4, the last one, too. */
static void documents_get_weight_for_what_their_words_name(void **state)
{
    (void)state;
    static const gb_seed seed[] = {{.word = 3, .topic = 0, .said = 1},
                                   {.word = 1, .topic = 0, .said = 3},
                                   {.word = 1, .topic = 2, .said = 2},
                                   {.word = 4, .topic = 1, .said = 1.5F},
                                   {.word = 0, .topic = 1, .said = 4}};
    static const uint32_t word[] = {2, 1, 4, 1, 2}, none[] = {2, 2};
    gb_seeded_start seeded;
    double base[4] = {1, 2, 3, 4};
    assert_int_equal(gb_seeded_start_create(&seeded, 5, 5, seed, NULL), GB_OK);
    gb_seeded_start_add(&seeded, 2, none, base);
    assert_true(base[0] == 1 && base[1] == 2 && base[2] == 3 && base[3] == 4);
    gb_seeded_start_add(&seeded, 5, word, base);
    assert_true(base[0] == 1 + 2 * 3 && base[1] == 2 + 1.5 && base[2] == 3 + 2 * 2 && base[3] == 4);
    gb_seeded_start_clear(&seeded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_and_json_say_the_same),
        cmocka_unit_test(a_list_takes_the_strength_of_all_and_a_seed_is_one_token_at_least),
        cmocka_unit_test(a_word_without_a_strength_is_a_keyword),
        cmocka_unit_test(a_star_stands_for_every_word_that_begins_so),
        cmocka_unit_test(a_model_keeps_them),
        cmocka_unit_test(documents_get_weight_for_what_their_words_name),
        cmocka_unit_test(what_is_wrong_is_named),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
