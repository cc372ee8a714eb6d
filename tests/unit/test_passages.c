/* test_passages.c - sentences of a text that have some of its tokens. */
#include "helper_documents.h"

#include "base/memory.h"
#include "corpus/data/subset.h"
#include "corpus/text/passages.h"

#include <stdio.h>
#include <string.h>

/* ---- helpers ------------------------------------------------------------------------------------------- */

/* The passage of some tokens of a document, which the caller frees. */
static char *passage_of(const gb_corpus *c, uint64_t document, uint64_t first, uint64_t n)
{
    gb_passages *p = NULL;
    char *out = NULL;
    uint64_t n_tokens;
    const uint32_t *token = gb_corpus_tokens(c, document, &n_tokens);
    assert_int_equal(c->text.count, c->n_docs);
    assert_int_equal(gb_passages_create(&p, &c->vocabulary, c->preparation, NULL), GB_OK);
    assert_int_equal(gb_passages_find(p, gb_texts_view(&c->text, document), token, n_tokens, first, n, &out, NULL),
                     GB_OK);
    gb_passages_free(p);
    return out;
}

static void assert_passage(const gb_corpus *c, uint64_t first, uint64_t n, const char *expected)
{
    char *found = passage_of(c, 0, first, n);
    assert_non_null(found);
    assert_string_equal(found, expected);
    gb_free(found);
}

static void assert_read(const char *text, const char *expected)
{
    char *out = NULL;
    assert_int_equal(gb_text_for_reading(gb_view_of(text), &out, NULL), GB_OK);
    assert_string_equal(out, expected);
    gb_free(out);
}

/* ---- tests --------------------------------------------------------------------------------------------- */

static void test_text_for_reading(void **state)
{
    (void)state;
    assert_read("  One\n\ttwo \x7f three ", "One two three");
    assert_read("It was <b>good</b>,<br /><br />really &amp; truly &lt;3", "It was good , really & truly <3");
    assert_read("a < b and c > d, <3", "a < b and c > d, <3");
    assert_read("<!-- note -->x</p>", "x");
    assert_read("clear\xC2\x9B"
                "2J caf\xC3\xA9",
                "clear 2J caf\xC3\xA9");
    assert_read("<unclosed", "<unclosed");
    assert_read("", "");
}

static void test_sentences(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"text\": \"The Room was small. Dr. Who said: \\\"Never again!\\\" The BED creaked; the "
                          "staff laughed.\\n\\nWe left\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", "stopwords", "en", "keep-text", "yes", NULL);
    assert_string_equal(words_of(c, 0), "room small dr said bed creaked staff laughed left");
    assert_passage(c, 0, 2, "The Room was small.");
    assert_passage(c, 1, 1, "The Room was small.");
    assert_passage(c, 3, 1, "Who said: \"Never again!\"");
    assert_passage(c, 4, 4, "The BED creaked; the staff laughed.");
    assert_passage(c, 7, 2, "The BED creaked; the staff laughed. We left");
    assert_passage(c, 0, 99,
                   "The Room was small. Dr. Who said: \"Never again!\" The BED creaked; the staff laughed. We left");
    gb_corpus_free(c);
    (void)remove("a.jsonl");
}

static void test_stems_and_phrases(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"text\": \"New York hotels are dear. I hoped for New York\"}\n"
                          "{\"text\": \"New York hotel. New York is far. New York, a hotel?\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", "ngrams", "2", "phrase-min-df", "2", "phrase-score", "0.1", "stem", "english",
                             "keep-text", "yes", NULL);
    char *found = passage_of(c, 1, 1, 1);
    assert_non_null(found);
    assert_string_equal(found, "New York hotel.");
    gb_free(found);
    gb_corpus_free(c);
    (void)remove("a.jsonl");
}

/* A sentence longer than a reader wants is cut between words around the tokens, and never inside a character or a tag. */
static void test_long_sentence(void **state)
{
    (void)state;
    char text[8000] = "", line[9000];
    for (int i = 0; i < 300; i++)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "<em>w\xC3\xA9%c%c</em> ", 'a' + i / 26,
                       'a' + i % 26);
    (void)snprintf(line, sizeof line, "{\"text\": \"%s\"}\n", text);
    write_file("a.jsonl", line);
    gb_corpus *c = corpus_of("a.jsonl", "token-pattern", "w\\p{L}+", "keep-text", "yes", NULL);
    assert_int_equal(c->n_tokens, 300);
    char *found = passage_of(c, 0, 150, 3);
    assert_non_null(found);
    assert_true(strlen(found) < 250);
    assert_non_null(strstr(found, "w\xC3\xA9"
                                  "fu w\xC3\xA9"
                                  "fv w\xC3\xA9"
                                  "fw"));
    assert_memory_equal(found, "... w", 5);
    assert_null(strpbrk(found, "<>"));
    gb_free(found);
    gb_corpus_free(c);
    (void)remove("a.jsonl");
}

/* ---- pieces -------------------------------------------------------------------------------------------- */

typedef struct pieces {
    char text[2000]; /* each as it is read, with the number of its first token if it has one, and a bar */
} pieces;

static gb_status note_piece(void *user, gb_view piece, uint64_t first, uint64_t n, gb_error *err)
{
    pieces *p = user;
    char *read = NULL;
    assert_int_equal(gb_text_for_reading(piece, &read, err), GB_OK);
    const size_t length = strlen(p->text);
    if (n > 0)
        (void)snprintf(p->text + length, sizeof p->text - length, "%s=%d|", read, (int)first);
    else
        (void)snprintf(p->text + length, sizeof p->text - length, "%s|", read);
    gb_free(read);
    return GB_OK;
}

static void assert_pieces(const gb_corpus *c, uint64_t document, const char *expected)
{
    gb_passages *p = NULL;
    pieces all = {.text = ""};
    bool found = false;
    uint64_t n_tokens;
    const uint32_t *token = gb_corpus_tokens(c, document, &n_tokens);
    assert_int_equal(gb_passages_create(&p, &c->vocabulary, c->preparation, NULL), GB_OK);
    assert_int_equal(
        gb_passages_divide(p, gb_texts_view(&c->text, document), token, n_tokens, note_piece, &all, &found, NULL),
        GB_OK);
    gb_passages_free(p);
    assert_int_equal(found, expected != NULL);
    assert_string_equal(all.text, expected == NULL ? "" : expected);
}

static void test_pieces(void **state)
{
    (void)state;
    write_file("a.jsonl",
               "{\"text\": \"A New York hotel.<br /><br />The (well-kept) rooms\"}\n{\"text\": \"New York, rooms\"}\n"
               "{\"text\": \"New York\"}\n{\"text\": \"\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", "ngrams", "2", "phrase-min-df", "2", "phrase-score", "0.1", "stopwords", "en",
                             "keep-text", "yes", NULL);
    assert_pieces(c, 0, "A|New York=0|hotel.=1|=2|The|(well-kept)=4|rooms=5|");
    assert_pieces(c, 1, "New York,=0|rooms=1|");
    assert_pieces(c, 3, "");
    gb_corpus_free(c);
    (void)remove("a.jsonl");
}

/* Where hardly a blank divides words, sentences stay whole. */
static void test_sentence_without_blanks(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"text\": \"a-b-c-d-e. f g\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", "token-pattern", "[a-z]", "keep-text", "yes", NULL);
    assert_pieces(c, 0, "a-b-c-d-e.|f=5|g=6|");
    gb_corpus_free(c);
    (void)remove("a.jsonl");
}

/* Texts go with their documents into corpus files and parts, and out of them; without the option there are none. */
static void test_texts_are_kept(void **state)
{
    (void)state;
    gb_corpus *c, *again = NULL, *part = NULL;
    write_file("a.csv", "id,text\nx,\"Red red\nwine\"\ny,\nz,Green?\n");
    c = corpus_of("a.csv", NULL);
    assert_int_equal(c->text.count, 0);
    gb_corpus_free(c);
    c = corpus_of("a.csv", "keep-text", "yes", NULL);
    assert_int_equal(gb_corpus_write(c, "a.gbc", false, NULL), GB_OK);
    gb_corpus_free(c);
    again = corpus_of("a.gbc", "min-df", "1", "keep-text", "yes", NULL);
    const gb_view first = gb_texts_view(&again->text, 0);
    assert_int_equal(again->text.count, 3);
    assert_int_equal(first.length, strlen("Red red\nwine"));
    assert_memory_equal(first.text, "Red red\nwine", first.length);
    assert_int_equal(gb_texts_view(&again->text, 1).length, 0);
    assert_int_equal(gb_corpus_pick(again, (bool[]){false, false, true}, &part, NULL), GB_OK);
    assert_int_equal(part->text.count, 1);
    assert_memory_equal(gb_texts_view(&part->text, 0).text, "Green?", 6);
    gb_corpus_free(part);
    gb_corpus_free(again);
    again = corpus_of("a.gbc", NULL);
    assert_int_equal(again->text.count, 3);
    gb_corpus_free(again);
    (void)remove("a.csv");
    (void)remove("a.gbc");
}

static void test_bags(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"title\": \"Red Wine\", \"body\": \"The red house. Blue wine again\"}\n"
                          "{\"title\": \"wine\", \"body\": \"red\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", "text", "title,body=body", "stopwords", "en", "keep-text", "yes", NULL);
    assert_string_equal(words_of(c, 0), "title:red title:wine body:red body:house body:blue body:wine");
    assert_passage(c, 0, 1, "Red Wine");
    assert_passage(c, 2, 1, "The red house.");
    assert_passage(c, 4, 2, "Blue wine again");
    assert_passage(c, 1, 2, "Red Wine The red house.");
    gb_passages *p = NULL;
    char *out = "";
    uint64_t n_tokens;
    const uint32_t *token = gb_corpus_tokens(c, 0, &n_tokens);
    assert_int_equal(gb_passages_create(&p, &c->vocabulary, c->preparation, NULL), GB_OK);
    assert_int_equal(gb_passages_find(p, gb_texts_view(&c->text, 1), token, n_tokens, 0, 2, &out, NULL), GB_OK);
    assert_null(out); /* of another text */
    gb_passages_free(p);
    gb_corpus_free(c);
    (void)remove("a.jsonl");
}

/* Words that were given, or a corpus made in another way: no sentence is made up. */
static void test_other_tokens(void **state)
{
    (void)state;
    gb_passages *p = NULL;
    char *out = "";
    write_file("a.jsonl", "{\"text\": \"red wine. green tea\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", "keep-text", "yes", NULL);
    assert_string_equal(vocabulary_of(c), "green red tea wine");
    const uint32_t token[] = {1, 2, 0, 2}; /* red tea green tea */
    assert_int_equal(gb_passages_create(&p, &c->vocabulary, c->preparation, NULL), GB_OK);
    assert_int_equal(gb_passages_find(p, gb_texts_view(&c->text, 0), token, 4, 0, 4, &out, NULL), GB_OK);
    assert_null(out);
    gb_passages_free(p);
    gb_corpus_free(c);
    (void)remove("a.jsonl");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_for_reading),
        cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_stems_and_phrases),
        cmocka_unit_test(test_long_sentence),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_sentence_without_blanks),
        cmocka_unit_test(test_texts_are_kept),
        cmocka_unit_test(test_other_tokens),
        cmocka_unit_test(test_bags),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_empty_folder);
}
