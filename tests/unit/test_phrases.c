/* test_phrases.c - which words become phrases, and where a text has them. */
#include "helper_documents.h"

#include "base/memory.h"
#include "corpus/data/pairs.h"
#include "corpus/readers/arrays.h"
#include "corpus/readers/other_words.h"
#include "corpus/readers/stream.h"
#include "corpus/text/find_phrases.h"
#include "corpus/text/prepare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- helpers ------------------------------------------------------------------------------------------- */

static uint64_t state_of_chance = 1;

static unsigned draw(unsigned n)
{
    state_of_chance = state_of_chance * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state_of_chance >> 33) % n;
}

/* The phrases that a corpus keeps, with commas between them and dots inside. */
static const char *phrases_of(const gb_corpus *c)
{
    static char text[4096];
    size_t i, length = 0;
    const json_t *phrase;
    text[0] = '\0';
    json_array_foreach(json_object_get(c->preparation, "phrases"), i, phrase) length +=
        (size_t)snprintf(text + length, sizeof text - length, "%s%s", i > 0 ? "," : "", json_string_value(phrase));
    for (char *tab = text; (tab = strchr(tab, '\t')) != NULL;)
        *tab = '.';
    return text;
}

/* The words that a text becomes for a model of that corpus. */
static const char *words_again(const gb_corpus *c, const char *text)
{
    static char joined[4096];
    gb_prepare *p = NULL;
    gb_view word;
    assert_int_equal(gb_prepare_from_json(&p, c->preparation, NULL), GB_OK);
    assert_int_equal(gb_prepare_know(p, &c->vocabulary, NULL), GB_OK);
    assert_int_equal(gb_prepare_begin(p, gb_view_of(text), NULL), GB_OK);
    joined[0] = '\0';
    for (;;) {
        assert_int_equal(gb_prepare_next(p, &word, NULL), GB_OK);
        if (word.text == NULL)
            break;
        strcat(joined, joined[0] == '\0' ? "" : " ");
        strncat(joined, word.text, word.length);
    }
    gb_prepare_free(p);
    return joined;
}

/* ---- what is a phrase ---------------------------------------------------------------------------------- */

static void words_side_by_side_in_enough_documents_are_joined(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"text\": \"New York is big, so is new york city\"}\n{\"text\": \"to new-york we go\"}\n"
                          "{\"text\": \"york is new\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", "ngrams", "2", "phrase-min-df", "2", "phrase-score", "1", NULL);
    assert_string_equal(phrases_of(c), "new.york");
    assert_string_equal(words_of(c, 0), "new_york is big so is new_york city");
    assert_string_equal(words_of(c, 1), "to new_york we go");
    assert_string_equal(words_of(c, 2), "york is new");
    gb_corpus_free(c);
    c = corpus_of("a.jsonl", "ngrams", "2", "phrase-min-df", "3", "phrase-score", "1", NULL);
    assert_string_equal(phrases_of(c), "");
    gb_corpus_free(c);
}

/* 16 tokens; new 4, york 4, new york 3: 16 * 3 / (4 * 4) = 3 */
static void the_score_is_that_of_the_formula(void **state)
{
    static const char *const cases[][2] = {{"3", "new.york"}, {"3.01", ""}, {"0", "new.york"}};
    (void)state;
    write_file("a.jsonl", "{\"text\": \"new york aa\"}\n{\"text\": \"new york bb\"}\n{\"text\": \"cc new york\"}\n"
                          "{\"text\": \"new dd ee york ff gg hh\"}\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gb_corpus *c = corpus_of("a.jsonl", "ngrams", "2", "phrase-min-df", "2", "phrase-score", cases[i][0], NULL);
        assert_string_equal(phrases_of(c), cases[i][1]);
        gb_corpus_free(c);
    }
}

static void stop_words_punctuation_and_blank_lines_divide(void **state)
{
    static const char *const between[] = {" the ", ", ", ". ", "/", "\\n\\n", " 7 ", " x ", " (", "\\r\\n\\r\\n"};
    static const char *const joins[] = {" ", "-", "  ", "\\n", "'", "\\t", "\xC2\xA0", "\xE2\x80\x99", "\\r\\n"};
    char text[256];
    (void)state;
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < 9; i++) {
            const char *gap = k == 0 ? between[i] : joins[i];
            (void)snprintf(text, sizeof text, "{\"text\": \"new%syork\"}\n{\"text\": \"New%sYork\"}\n", gap, gap);
            write_file("a.jsonl", text);
            gb_corpus *c = corpus_of("a.jsonl", "ngrams", "2", "phrase-min-df", "2", "phrase-score", "0", "stopwords",
                                     "en", NULL);
            assert_string_equal(phrases_of(c), k == 0 ? "" : "new.york");
            gb_corpus_free(c);
        }
}

static void the_longest_phrase_is_taken_and_takes_its_words(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"text\": \"aa bb cc, bb cc, dd aa bb\"}\n{\"text\": \"aa bb cc dd; bb cc! aa bb\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", "ngrams", "3", "phrase-min-df", "2", "phrase-score", "0", NULL);
    assert_string_equal(phrases_of(c), "aa.bb,aa.bb.cc,bb.cc");
    assert_string_equal(words_of(c, 0), "aa_bb_cc bb_cc dd aa_bb");
    assert_string_equal(words_of(c, 1), "aa_bb_cc dd bb_cc aa_bb");
    gb_corpus_free(c);
}

/* "bb cc" comes side by side twice, but "aa bb" always takes bb. */
static void phrases_that_others_leave_no_room_are_not_kept(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"text\": \"aa bb cc\"}\n{\"text\": \"aa bb cc\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", "ngrams", "2", "phrase-min-df", "2", "phrase-score", "0", NULL);
    assert_string_equal(phrases_of(c), "aa.bb");
    assert_string_equal(vocabulary_of(c), "aa_bb cc");
    gb_corpus_free(c);
}

static void a_phrase_can_be_a_stop_word_and_limits_count_it_as_a_word(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"text\": \"aa bb cc\"}\n{\"text\": \"aa bb dd cc\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", "ngrams", "2", "phrase-min-df", "2", "phrase-score", "0", "stopwords",
                             "[\"aa_bb\"]", NULL);
    assert_string_equal(vocabulary_of(c), "cc dd");
    gb_corpus_free(c);
    c = corpus_of("a.jsonl", "ngrams", "2", "phrase-min-df", "1", "phrase-score", "0", "min-df", "2", NULL);
    assert_string_equal(phrases_of(c), "aa.bb"); /* min-df holds for phrases too */
    assert_string_equal(vocabulary_of(c), "aa_bb cc");
    gb_corpus_free(c);
}

/* ---- against a plain count ----------------------------------------------------------------------------- */

enum { DOCUMENTS = 12, LENGTH = 30, WORDS = 4, MOST = 4 };

typedef struct texts {
    unsigned word[DOCUMENTS][LENGTH];
    bool is_joined[DOCUMENTS][LENGTH];
} texts;

static void write_texts(texts *t)
{
    static const char *const word[WORDS] = {"aa", "bb", "cc", "dd"};
    char line[DOCUMENTS * (LENGTH * 4 + 20)];
    size_t n = 0;
    for (unsigned d = 0; d < DOCUMENTS; d++) {
        n += (size_t)sprintf(line + n, "{\"text\": \"");
        for (unsigned i = 0; i < LENGTH; i++) {
            t->word[d][i] = draw(WORDS);
            t->is_joined[d][i] = i > 0 && draw(3) > 0;
            n += (size_t)sprintf(line + n, "%s%s",
                                 i == 0               ? ""
                                 : t->is_joined[d][i] ? " "
                                                      : ", ",
                                 word[t->word[d][i]]);
        }
        n += (size_t)sprintf(line + n, "\"}\n");
    }
    write_file("a.jsonl", line);
}

static bool stands_at(const texts *t, unsigned d, unsigned at, const unsigned *word, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (at + i >= LENGTH || t->word[d][at + i] != word[i] || (i > 0 && !t->is_joined[d][at + i]))
            return false;
    return true;
}

static unsigned count(const texts *t, const unsigned *word, unsigned n, unsigned *n_documents)
{
    unsigned n_tokens = 0;
    *n_documents = 0;
    for (unsigned d = 0; d < DOCUMENTS; d++) {
        const unsigned before = n_tokens;
        for (unsigned i = 0; i < LENGTH; i++)
            n_tokens += stands_at(t, d, i, word, n);
        *n_documents += n_tokens > before;
    }
    return n_tokens;
}

static bool scores(const texts *t, const unsigned *word, unsigned n, double least)
{
    unsigned unused;
    for (unsigned cut = 1; cut < n; cut++)
        if ((double)(DOCUMENTS * LENGTH) * count(t, word, n, &unused) <
            least * count(t, word, cut, &unused) * count(t, word + cut, n - cut, &unused))
            return false;
    return true;
}

/* A set of all sequences of 2 to MOST words, by number: WORDS^2 of two words, then WORDS^3 and so on. */
enum { N_SETS = 16 + 64 + 256 };

static unsigned number_of(const unsigned *word, unsigned n)
{
    unsigned number = 0, begin = 0;
    for (unsigned i = 0; i < n; i++)
        number = number * WORDS + word[i];
    for (unsigned i = 2, size = 16; i < n; i++, size *= WORDS)
        begin += size;
    return begin + number;
}

static unsigned words_by_number(unsigned number, unsigned *word)
{
    unsigned n = 2, size = 16;
    for (; number >= size; n++, size *= WORDS)
        number -= size;
    for (unsigned i = n; i-- > 0; number /= WORDS)
        word[i] = number % WORDS;
    return n;
}

/* Words that the phrase takes that begins there, or 1. */
static unsigned taken(const texts *t, const bool *is_phrase, unsigned d, unsigned at)
{
    for (unsigned n = MOST; n >= 2; n--)
        if (at + n <= LENGTH && stands_at(t, d, at, &t->word[d][at], n) && is_phrase[number_of(&t->word[d][at], n)])
            return n;
    return 1;
}

static bool dissolve(const texts *t, bool *is_phrase, unsigned least)
{
    unsigned n_documents[N_SETS] = {0}, n;
    bool changed = false;
    for (unsigned d = 0; d < DOCUMENTS; d++) {
        bool has[N_SETS] = {false};
        for (unsigned i = 0; i < LENGTH; i += n) {
            n = taken(t, is_phrase, d, i);
            if (n > 1)
                has[number_of(&t->word[d][i], n)] = true;
        }
        for (unsigned s = 0; s < N_SETS; s++)
            n_documents[s] += has[s];
    }
    for (unsigned s = 0; s < N_SETS; s++) {
        const bool goes = is_phrase[s] && n_documents[s] < least;
        is_phrase[s] = is_phrase[s] && !goes;
        changed = changed || goes;
    }
    return changed;
}

static const char *document_of(const texts *t, const bool *is_phrase, unsigned d)
{
    static char line[LENGTH * 4];
    char *end = line;
    for (unsigned i = 0, n; i < LENGTH; i += n) {
        n = taken(t, is_phrase, d, i);
        for (unsigned k = 0; k < n; k++)
            end += sprintf(end, "%s%c%c",
                           i + k == 0 ? ""
                           : k > 0    ? "_"
                                      : " ",
                           'a' + (char)t->word[d][i + k], 'a' + (char)t->word[d][i + k]);
    }
    return line;
}

static void the_corpus_is_that_of_a_plain_count(void **state)
{
    static const char *const least_text[] = {"1", "2", "4"}, *const score_text[] = {"0", "0.8", "1.5"};
    static const double score[] = {0, 0.8, 1.5};
    unsigned n_phrases = 0;
    (void)state;
    for (unsigned round = 0; round < 60; round++) {
        const unsigned which = round % 3, least = 1u << which, s = round / 3 % 3;
        bool is_phrase[N_SETS];
        unsigned word[MOST], n_documents;
        texts t;
        write_texts(&t);
        for (unsigned i = 0; i < N_SETS; i++) {
            const unsigned n = words_by_number(i, word);
            is_phrase[i] =
                count(&t, word, n, &n_documents) > 0 && n_documents >= least && scores(&t, word, n, score[s]);
        }
        while (dissolve(&t, is_phrase, least))
            ;
        gb_corpus *c = corpus_of("a.jsonl", "ngrams", "4", "phrase-min-df", least_text[which], "phrase-score",
                                 score_text[s], NULL);
        for (unsigned d = 0; d < DOCUMENTS; d++) {
            assert_string_equal(words_of(c, d), document_of(&t, is_phrase, d));
        }
        n_phrases += (unsigned)json_array_size(json_object_get(c->preparation, "phrases"));
        gb_corpus_free(c);
    }
    assert_true(n_phrases > 500); /* the comparison was about something */
}

/* More pairs than a table holds at once: they are counted in parts.  A third of the words is followed by its successor. */
static void many_pairs_are_counted_in_parts(void **state)
{
    enum { N_WORDS = 1000, N_TOKENS = 600000, DOCUMENT = 100 };
    gb_words *words = NULL;
    gb_corpus_builder *b = NULL;
    gb_joins joins = {0};
    json_t *phrases = NULL;
    char text[16];
    uint32_t number, word = 0;
    uint64_t n_kept = 0;
    (void)state;
    unsigned *n_pairs = calloc((size_t)N_WORDS * N_WORDS, sizeof *n_pairs), n_of[N_WORDS] = {0}, n_different = 0;
    assert_non_null(n_pairs);
    assert_int_equal(gb_words_create(&words, NULL), GB_OK);
    assert_int_equal(gb_corpus_builder_create(&b, NULL), GB_OK);
    for (unsigned w = 0; w < N_WORDS; w++)
        assert_int_equal(gb_words_add(words, (gb_view){text, (size_t)sprintf(text, "w%03u", w)}, &number, NULL),
                         GB_OK);
    for (unsigned i = 0; i < N_TOKENS; i++) {
        const uint32_t before = word;
        word = word % 3 == 0 && word + 1 < N_WORDS ? word + 1 : draw(N_WORDS);
        if (i % DOCUMENT == 0)
            assert_int_equal(gb_corpus_builder_document(b, NULL, 0, NULL), GB_OK);
        assert_int_equal(gb_corpus_builder_token(b, word, NULL), GB_OK);
        assert_int_equal(gb_joins_add(&joins, i % DOCUMENT != 0, NULL), GB_OK);
        n_of[word]++;
        if (i % DOCUMENT != 0)
            n_pairs[before * N_WORDS + word]++;
    }
    for (unsigned i = 0; i < N_WORDS * N_WORDS; i++)
        n_different += n_pairs[i] > 0;
    assert_true(n_different > 1 << 18);
    const gb_phrase_rule rule = {2, 1, 100};
    assert_int_equal(gb_find_phrases(&rule, words, &joins, b, NULL, &phrases, NULL), GB_OK);
    for (unsigned i = 0; i < N_WORDS * N_WORDS; i++)
        if (n_pairs[i] > 0 && (double)N_TOKENS * n_pairs[i] >= 100.0 * n_of[i / N_WORDS] * n_of[i % N_WORDS]) {
            (void)sprintf(text, "w%03u\tw%03u", i / N_WORDS, i % N_WORDS);
            assert_string_equal(json_string_value(json_array_get(phrases, n_kept)), text);
            n_kept++;
        }
    assert_int_equal(json_array_size(phrases), n_kept);
    assert_true(n_kept >= N_WORDS / 3);
    json_decref(phrases);
    gb_joins_free(&joins);
    gb_corpus_builder_free(b);
    gb_words_free(words);
    free(n_pairs);
}

/* ---- the same again ------------------------------------------------------------------------------------ */

static void new_texts_are_divided_as_those_of_training(void **state)
{
    texts t;
    (void)state;
    for (unsigned round = 0; round < 20; round++) {
        write_texts(&t);
        gb_corpus *c = corpus_of("a.jsonl", "ngrams", "4", "phrase-min-df", "3", "phrase-score", "0.9", NULL),
                  *again = NULL;
        gb_settings *settings = settings_of(NULL);
        gb_stream *s = NULL;
        uint64_t *n_unknown = NULL;
        assert_int_equal(gb_stream_open(&s, "a.jsonl", settings, &c->vocabulary, c->preparation, NULL, NULL), GB_OK);
        assert_int_equal(gb_stream_next(s, DOCUMENTS, &again, &n_unknown, NULL), GB_OK);
        assert_int_equal(again->n_tokens, c->n_tokens);
        assert_memory_equal(again->word, c->word, c->n_tokens * sizeof c->word[0]);
        gb_free(n_unknown);
        gb_corpus_free(again);
        gb_stream_close(s);
        gb_settings_free(settings);
        gb_corpus_free(c);
    }
}

static void several_inputs_give_the_corpus_of_one(void **state)
{
    texts t;
    (void)state;
    for (unsigned round = 0; round < 10; round++) {
        write_texts(&t);
        assert_int_equal(system("head -n 5 a.jsonl >b.jsonl; tail -n +6 a.jsonl >c.jsonl"), 0);
        gb_settings *settings = settings_of("ngrams", "3", "phrase-min-df", "4", "phrase-score", "0.9", NULL);
        const char *const path[] = {"b.jsonl", "c.jsonl"};
        gb_corpus *one = NULL, *two = NULL;
        assert_int_equal(gb_corpus_read("a.jsonl", settings, NULL, NULL, &one, NULL), GB_OK);
        assert_int_equal(gb_corpus_read_several(2, path, settings, NULL, NULL, &two, NULL), GB_OK);
        assert_true(json_equal(one->preparation, two->preparation));
        assert_string_equal(vocabulary_of(one), vocabulary_of(two));
        assert_int_equal(one->n_tokens, two->n_tokens);
        assert_memory_equal(one->word, two->word, one->n_tokens * sizeof one->word[0]);
        gb_corpus_free(one);
        gb_corpus_free(two);
        gb_settings_free(settings);
    }
}

static void texts_in_arrays_have_the_same_phrases(void **state)
{
    static const char *const text[] = {"New York is big", "to new-york we go", "york is new"};
    (void)state;
    write_file("a.jsonl",
               "{\"text\": \"New York is big\"}\n{\"text\": \"to new-york we go\"}\n{\"text\": \"york is new\"}\n");
    gb_settings *settings = settings_of("ngrams", "2", "phrase-min-df", "2", "phrase-score", "0", NULL);
    gb_corpus_arrays *arrays = NULL;
    gb_corpus *file = NULL, *c = NULL, *again = NULL;
    uint64_t *n_unknown = NULL;
    assert_int_equal(gb_corpus_read("a.jsonl", settings, NULL, NULL, &file, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_create(&arrays, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_texts(arrays, 3, text, NULL), GB_OK);
    assert_int_equal(gb_corpus_from_arrays(arrays, settings, &c, NULL), GB_OK);
    assert_true(json_equal(c->preparation, file->preparation));
    assert_string_equal(words_of(c, 0), "new_york is big");
    assert_int_equal(gb_corpus_from_arrays_in(arrays, &c->vocabulary, c->preparation, &again, &n_unknown, NULL),
                     GB_OK);
    assert_memory_equal(again->word, file->word, file->n_tokens * sizeof file->word[0]);
    gb_free(n_unknown);
    gb_corpus_free(again);
    gb_corpus_free(c);
    gb_corpus_free(file);
    gb_corpus_arrays_free(arrays);
    gb_settings_free(settings);
}

static void a_vocabulary_names_the_phrases(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"text\": \"in New York, new and york\"}\n{\"text\": \"deep water in york\"}\n");
    write_file("v.txt", "new_york\nyork\n_water\nin_\n");
    gb_corpus *c = corpus_of("a.jsonl", "ngrams", "2", "vocabulary", "v.txt", NULL);
    assert_string_equal(phrases_of(c), "new.york");
    assert_string_equal(words_of(c, 0), "new_york york");
    assert_string_equal(words_again(c, "york new york"), "york new_york");
    gb_corpus_free(c);
}

static void a_corpus_file_keeps_its_phrases(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"text\": \"new york aa\"}\n{\"text\": \"new york bb\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", "ngrams", "2", "phrase-min-df", "2", "phrase-score", "0", NULL);
    assert_int_equal(gb_corpus_write(c, "a.gbc", true, NULL), GB_OK);
    gb_corpus_free(c);
    c = corpus_of("a.gbc", "min-df", "2", NULL);
    assert_string_equal(vocabulary_of(c), "new_york");
    assert_string_equal(phrases_of(c), "new.york");
    gb_corpus_free(c);
    assert_fails(GB_EARGUMENT,
                 "`ngrams`: a.gbc is a corpus file, whose words are already made; import the text again", "a.gbc",
                 "ngrams", "2");
}

static void counts_of_words_have_no_phrases(void **state)
{
    (void)state;
    write_file("a.svm", "1 1:2 3:1\n");
    assert_fails(GB_EARGUMENT, "`ngrams`: a.svm: counts of words, expected texts", "a.svm", "format", "svmlight",
                 "ngrams", "2");
}

/* As where the limits of the training took it away. */
static void a_phrase_that_the_vocabulary_lacks_is_its_words(void **state)
{
    (void)state;
    FILE *f = fopen("some.jsonl", "w");
    for (int i = 0; i < 30; i++)
        fprintf(f, "{\"text\": \"new york. new. york. w%c\"}\n", 'a' + i % 26);
    fclose(f);
    gb_corpus *c = corpus_of("some.jsonl", "ngrams", "2", "phrase-score", "0", NULL),
              *without = corpus_of("some.jsonl", NULL);
    assert_string_equal(phrases_of(c), "new.york");
    assert_string_equal(words_again(c, "New York"), "new_york");
    const gb_texts own = c->vocabulary;
    c->vocabulary = without->vocabulary;
    assert_string_equal(words_again(c, "New York"), "new york");
    c->vocabulary = own;
    gb_corpus_free(c);
    gb_corpus_free(without);
}

static void phrases_that_are_none_are_refused(void **state)
{
    static const char *const bad[] = {"one", "a\tb\tc\td\te\tf", "a\t", "\ta", "a\t\tb"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        gb_prepare *p = NULL;
        gb_error err = {0};
        const gb_texts none = {0};
        json_t *o = json_pack("{s:i, s:b, s:s, s:[], s:[s]}", "version", 2, "lowercase", 1, "token_pattern", "\\w+",
                              "stopwords", "phrases", bad[i]);
        assert_int_equal(gb_prepare_from_json(&p, o, NULL), GB_OK);
        assert_int_equal(gb_prepare_know(p, &none, &err), GB_EFORMAT);
        assert_non_null(strstr(err.message, "is not 2 to 5 words with a tab between them"));
        gb_prepare_free(p);
        json_decref(o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_side_by_side_in_enough_documents_are_joined),
        cmocka_unit_test(the_score_is_that_of_the_formula),
        cmocka_unit_test(stop_words_punctuation_and_blank_lines_divide),
        cmocka_unit_test(the_longest_phrase_is_taken_and_takes_its_words),
        cmocka_unit_test(phrases_that_others_leave_no_room_are_not_kept),
        cmocka_unit_test(a_phrase_can_be_a_stop_word_and_limits_count_it_as_a_word),
        cmocka_unit_test(the_corpus_is_that_of_a_plain_count),
        cmocka_unit_test(many_pairs_are_counted_in_parts),
        cmocka_unit_test(new_texts_are_divided_as_those_of_training),
        cmocka_unit_test(several_inputs_give_the_corpus_of_one),
        cmocka_unit_test(texts_in_arrays_have_the_same_phrases),
        cmocka_unit_test(a_vocabulary_names_the_phrases),
        cmocka_unit_test(a_corpus_file_keeps_its_phrases),
        cmocka_unit_test(counts_of_words_have_no_phrases),
        cmocka_unit_test(a_phrase_that_the_vocabulary_lacks_is_its_words),
        cmocka_unit_test(phrases_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
