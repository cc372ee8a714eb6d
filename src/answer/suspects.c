/* answer/suspects.c - what looks wrong in documents, each thing once and in one sentence.  Nothing of it is an error: the values may be meant.
 *
 * Each row of the two tables below is one thing to look at.  What only the reader of a file can see, it has left in the notes of the
 * corpus. */
#include "answer/suspects.h"
#include "answer/questions.h"
#include "corpus/data/corpus.h"
#include "corpus/data/input.h"
#include "corpus/data/words.h"
#include "corpus/text/phrases.h"
#include "corpus/text/stopwords.h"
#include "design/coding.h"
#include "model/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SUSPECT, FIELD, SENTENCE, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    [SUSPECT] = {"suspect", "", GB_CELL_TEXT, GB_PLACE_DATA, NULL, "", "what it is, in a word"},
    [FIELD] = {"field", "", GB_CELL_TEXT, GB_PLACE_DATA, NULL, "", "the field that it is about; empty for none"},
    [SENTENCE] = {"sentence", "suspects", GB_CELL_TEXT, GB_PLACE_SENTENCE, NULL, "",
                  "what looks wrong, and what helps"}};

void gb_suspect_say(const gb_suspecting *s, const char *format, ...)
{
    char sentence[1200];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    gb_table_begin_row(s->table, NAN);
    gb_put_text(s->table, SUSPECT, s->suspect);
    if (s->field != NULL)
        gb_put_text(s->table, FIELD, s->field);
    gb_put_text(s->table, SENTENCE, sentence);
}

/* ---- what the reader has seen ---------------------------------------------------------------------- */

static uint64_t number_in(const json_t *notes, const char *name)
{
    const json_int_t n = json_integer_value(json_object_get(notes, name));
    return n > 0 ? (uint64_t)n : 0;
}

static const char *text_in(const json_t *notes, const char *name)
{
    const char *text = json_string_value(json_object_get(notes, name));
    return text == NULL ? "" : text;
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static gb_status look_at_missing_values(const gb_suspecting *s, gb_error *err)
{
    (void)err;
    const uint64_t n = number_in(s->notes, "values_read_as_missing");
    if (n > 0)
        gb_suspect_say(s, "%s: %" PRIu64 " value%s like NaN, None, null or N/A %s taken as missing", s->input, n,
                       plural(n), n == 1 ? "is" : "are");
    return GB_OK;
}

/* A comma could also stand between thousands. */
static gb_status look_at_decimal_commas(const gb_suspecting *s, gb_error *err)
{
    (void)err;
    const uint64_t n = number_in(s->notes, "decimal_commas");
    if (n > 0)
        gb_suspect_say(s, "%s: %" PRIu64 " number%s with a decimal comma; the first is %s", s->input, n, plural(n),
                       text_in(s->notes, "first_decimal_comma"));
    return GB_OK;
}

static gb_status look_at_ids(const gb_suspecting *s, gb_error *err)
{
    (void)err;
    const uint64_t n = number_in(s->notes, "ids_with_blanks");
    if (n > 0)
        gb_suspect_say(s, "%s: blanks around %" PRIu64 " id%s are left out", s->input, n, plural(n));
    return GB_OK;
}

/* Bytes of every kind can be decoded from most encodings. */
static gb_status look_at_encoding(const gb_suspecting *s, gb_error *err)
{
    (void)err;
    const uint64_t n = number_in(s->notes, "inputs_like_utf8");
    if (n > 0)
        gb_suspect_say(s, "%s: %" PRIu64 " file%s like UTF-8: is `encoding` %s right?", s->input, n,
                       n == 1 ? " looks" : "s look", gb_asked_text(s->asked, "encoding"));
    return GB_OK;
}

static gb_status look_at_weights(const gb_suspecting *s, gb_error *err)
{
    (void)err;
    const uint64_t n = number_in(s->notes, "weights_passed_over");
    if (n > 0)
        gb_suspect_say(s,
                       "%s: %" PRIu64 " label%s with an importance other than 1, which is passed over: "
                       "`document-weight` importance takes it",
                       s->input, n, plural(n));
    return GB_OK;
}

/* A table that goes with other documents, or whose ids are written in another way. */
static gb_status look_at_metadata(const gb_suspecting *s, gb_error *err)
{
    (void)err;
    const uint64_t n_docs = number_in(s->notes, "documents_without_metadata_row"),
                   n_rows = number_in(s->notes, "metadata_rows_without_document"),
                   n_all = number_in(s->notes, "documents");
    const char *here = text_in(s->notes, "id_without_metadata_row"),
               *there = text_in(s->notes, "metadata_id_without_document");
    if (n_docs + n_rows == 0)
        return GB_OK;
    const char *table = gb_asked_text(s->asked, "metadata");
    if (2 * n_docs < n_all || n_rows == 0)
        gb_suspect_say(s,
                       "%s: %" PRIu64 " document%s without a row in %s, and %" PRIu64
                       " row%s without a document, by their ids",
                       s->input, n_docs, plural(n_docs), table, n_rows, plural(n_rows));
    else
        gb_suspect_say(s,
                       "%s: %" PRIu64 " of %" PRIu64 " documents without a row in %s, such as \"%.*s\", and %" PRIu64
                       " row%s without a document, such as \"%.*s\": are their ids the same?",
                       s->input, n_docs, n_all, table, gb_text_shown(here, strlen(here)), here, n_rows,
                       plural(n_rows), gb_text_shown(there, strlen(there)), there);
    return GB_OK;
}

static void say_divided(const gb_suspecting *s, const char *option, uint64_t n, const char *example)
{
    gb_suspect_say(s,
                   "`%s`: %" PRIu64 " word%s such as \"%.*s\" never occur%s, since `token-pattern` divides %s into "
                   "other words",
                   option, n, plural(n), gb_text_shown(example, strlen(example)), example, n == 1 ? "s" : "",
                   n == 1 ? "it" : "them");
}

static gb_status look_at_stop_words(const gb_suspecting *s, gb_error *err)
{
    (void)err;
    const uint64_t n_given = number_in(s->notes, "stop_words_given"),
                   n_split = number_in(s->notes, "stop_words_divided");
    if (n_given > n_split && number_in(s->notes, "stop_words_met") == 0)
        gb_suspect_say(s, "%s: no word is one of the %" PRIu64 " given as `stopwords`: is it the right list?",
                       s->input, n_given);
    else if (n_split > 0)
        say_divided(s, "stopwords", n_split, text_in(s->notes, "stop_word_divided"));
    return GB_OK;
}

static gb_status look_at_vocabulary(const gb_suspecting *s, gb_error *err)
{
    (void)err;
    const uint64_t n_split = number_in(s->notes, "known_words_divided");
    if (n_split > 0)
        say_divided(s, "vocabulary", n_split, text_in(s->notes, "known_word_divided"));
    return GB_OK;
}

/* Rows are asked for each input. */
static const struct {
    const char *name;
    gb_status (*look)(const gb_suspecting *s, gb_error *err);
} of_input[] = {
    {"missing-values", look_at_missing_values},
    {"ids", look_at_ids},
    {"encoding", look_at_encoding},
    {"decimal-commas", look_at_decimal_commas},
    {"metadata", look_at_metadata},
    {"stop-words", look_at_stop_words},
    {"weights", look_at_weights},
    {"vocabulary", look_at_vocabulary},
};

static gb_status look_at_input(gb_suspecting *s, gb_error *err)
{
    gb_status st = GB_OK;
    s->field = NULL;
    for (size_t i = 0; st == GB_OK && i < sizeof of_input / sizeof *of_input; i++) {
        s->suspect = of_input[i].name;
        st = of_input[i].look(s, err);
    }
    return st;
}

static gb_status look_at_inputs(gb_suspecting *s, gb_error *err)
{
    const json_t *source = s->corpus->source;
    json_t *inputs = json_object_get(source, "inputs"), *notes;
    const char *number;
    gb_status st = GB_OK;
    char input[40];
    if (inputs == NULL) {
        s->notes = source;
        s->input = s->corpus->path == NULL ? "the documents" : gb_input_shown(s->corpus->path);
        return look_at_input(s, err);
    }
    json_object_foreach(inputs, number, notes)
    {
        (void)snprintf(input, sizeof input, "input %.10s", number);
        s->notes = notes;
        s->input = input;
        if (st == GB_OK)
            st = look_at_input(s, err);
    }
    return st;
}

/* ---- words ------------------------------------------------------------------------------------------ */

/* The first character of UTF-8. */
static uint32_t first_point(const char *text, size_t length)
{
    const unsigned char *c = (const unsigned char *)text;
    if (length >= 3 && c[0] >= 0xE0 && c[0] < 0xF0)
        return (c[0] & 0x0Fu) << 12 | (c[1] & 0x3Fu) << 6 | (c[2] & 0x3Fu);
    if (length >= 4 && c[0] >= 0xF0)
        return (c[0] & 0x07u) << 18 | (c[1] & 0x3Fu) << 12 | (c[2] & 0x3Fu) << 6 | (c[3] & 0x3Fu);
    return length > 0 ? c[0] : 0;
}

static size_t n_characters(const char *text, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length; i++)
        n += ((unsigned char)text[i] & 0xC0) != 0x80;
    return n;
}

/* How many characters a word of a script has at most, on average, if its words are divided; 0: the script has spaces. */
static double longest_words(uint32_t point)
{
    static const struct {
        uint32_t first, last;
        double most;
    } scripts[] = {
        {0x0E00, 0x0EFF, 9},   /* Thai, Lao */
        {0x1000, 0x109F, 9},   /* Myanmar */
        {0x1780, 0x17FF, 9},   /* Khmer */
        {0x3040, 0x30FF, 3.5}, /* Hiragana, Katakana */
        {0x3400, 0x9FFF, 3.5}, /* Chinese characters */
        {0xF900, 0xFAFF, 3.5}, {0x20000, 0x3FFFF, 3.5},
    };
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        if (point >= scripts[i].first && point <= scripts[i].last)
            return scripts[i].most;
    return 0;
}

/* Text that has no spaces comes out as whole clauses. */
static gb_status look_for_spaces(const gb_suspecting *s, gb_error *err)
{
    const gb_corpus *c = s->corpus;
    uint64_t *total = NULL;
    double n_tokens = 0, excess = 0;
    gb_view example = {"", 0};
    gb_status st;
    if (json_object_get(c->preparation, "word_breaks") != NULL ||
        strcmp(text_in(c->preparation, "words"), "text") != 0)
        return GB_OK;
    GB_TRY(gb_alloc(&total, c->n_words, sizeof *total, "counts of words", err));
    gb_corpus_count_words(c, total);
    for (uint64_t w = 0; w < c->n_words; w++) {
        const gb_view word = gb_texts_view(&c->vocabulary, w);
        const double most = longest_words(first_point(word.text, word.length)),
                     n = (double)n_characters(word.text, word.length);
        if (most == 0)
            continue;
        n_tokens += (double)total[w];
        excess += (double)total[w] * (n - most);
        if (example.length == 0 && n > most)
            example = word;
    }
    if (10 * n_tokens >= (double)c->n_tokens && n_tokens > 0 && excess > 0)
        gb_suspect_say(s,
                       "words such as \"%.*s\" are whole phrases, since the text has no spaces between words: "
                       "`word-breaks` icu divides it",
                       GB_SHOWN(example));
done:
    gb_free(total);
    return st;
}

/* Names of tags and of characters that no language has as words. */
static bool is_markup(gb_view word)
{
    static const char *const names[] = {"br", "href", "nbsp", "quot"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (gb_view_is(word, names[i]))
            return true;
    return false;
}

/* Tags of pages come out as words. */
static gb_status look_for_markup(const gb_suspecting *s, gb_error *err)
{
    const gb_corpus *c = s->corpus;
    bool *of_page = NULL;
    uint64_t n = 0, example = c->n_words;
    gb_status st;
    if (strcmp(text_in(c->preparation, "words"), "text") != 0)
        return GB_OK;
    GB_TRY(gb_alloc(&of_page, c->n_words, sizeof *of_page, "words of pages", err));
    for (uint64_t w = 0; w < c->n_words; w++)
        of_page[w] = is_markup(gb_texts_view(&c->vocabulary, w));
    for (uint64_t d = 0; d < c->n_docs; d++) {
        uint64_t found = c->n_words;
        for (uint64_t i = c->doc_start[d]; i < c->doc_start[d + 1] && found == c->n_words; i++)
            found = of_page[c->word[i]] ? c->word[i] : found;
        n += found < c->n_words;
        example = example == c->n_words ? found : example;
    }
    const gb_view word = example < c->n_words ? gb_texts_view(&c->vocabulary, example) : (gb_view){"", 0};
    if (50 * n > c->n_docs)
        gb_suspect_say(s,
                       "%" PRIu64 " of %" PRIu64
                       " documents have words such as \"%.*s\", which are markup of pages: `token-pattern` "
                       "'(?:<[^<>]*>|&#?\\w+;)(*SKIP)(*F)|\\p{L}[\\p{L}\\p{M}]+' leaves it out",
                       n, c->n_docs, GB_SHOWN(word));
done:
    gb_free(of_page);
    return st;
}

/* Lists of words are taken as they are: a list of sentences makes words of them. */
static gb_status look_for_sentences(const gb_suspecting *s, gb_error *err)
{
    const gb_corpus *c = s->corpus;
    uint64_t *total = NULL, n_long = 0;
    gb_view example = {"", 0};
    gb_status st;
    GB_TRY(gb_alloc(&total, c->n_words, sizeof *total, "counts of words", err));
    gb_corpus_count_words(c, total);
    for (uint64_t w = 0; w < c->n_words; w++) {
        const gb_view word = gb_texts_view(&c->vocabulary, w);
        size_t n_blanks = 0;
        for (size_t i = 0; i < word.length; i++)
            n_blanks += word.text[i] == ' ';
        if (n_blanks < GB_MOST_PHRASE_WORDS)
            continue;
        n_long += total[w];
        example = example.length == 0 ? word : example;
    }
    if (5 * n_long > c->n_tokens)
        gb_suspect_say(s,
                       "words such as \"%.*s\" are whole texts: a list has the words of a document; join its "
                       "sentences into one text",
                       GB_SHOWN(example));
done:
    gb_free(total);
    return st;
}

/* Words that say nothing of a topic, and words that occur once, are kept unless somebody asks: that is said, once. */
enum { MANY_DOCUMENTS = 200, MOST_LISTS = 64 };

typedef struct kept {
    gb_words *words; /* of all lists */
    uint64_t *lists; /* of each of them: a bit for each list that has it */
    size_t capacity;
} kept;

static gb_status collect_lists(kept *k, gb_error *err)
{
    gb_status st;
    uint32_t number, n_before = 0;
    GB_TRY(gb_words_create(&k->words, err));
    for (size_t l = 0; gb_stopword_lists[l].language != NULL && l < MOST_LISTS; l++)
        for (size_t i = 0; gb_stopword_lists[l].words[i] != NULL; i++) {
            GB_TRY(gb_words_add(k->words, gb_view_of(gb_stopword_lists[l].words[i]), &number, err));
            GB_TRY(gb_grow(&k->lists, &k->capacity, (size_t)number + 1, sizeof *k->lists, "stop words", err));
            if (number == n_before) /* a new one */
                k->lists[n_before++] = 0;
            k->lists[number] |= UINT64_C(1) << l;
        }
done:
    return st;
}

/* The most frequent word of a list; a NUL follows it. */
static const char *most_frequent(const gb_suspecting *s, const kept *k, const uint64_t *total, uint64_t list)
{
    uint64_t most = 0;
    const char *word = "";
    for (uint64_t w = 0; w < s->corpus->n_words; w++) {
        const uint32_t number = gb_words_find(k->words, gb_texts_view(&s->corpus->vocabulary, w));
        if (number == GB_NO_WORD || (k->lists[number] >> list & 1) == 0 || total[w] <= most)
            continue;
        most = total[w];
        word = gb_words_text(k->words, number).text;
    }
    return word;
}

static void say_kept(const gb_suspecting *s, const kept *k, const uint64_t *total, uint64_t n_once)
{
    const gb_corpus *c = s->corpus;
    uint64_t n[MOST_LISTS] = {0}, best = 0;
    for (uint64_t w = 0; w < c->n_words; w++) {
        const uint32_t number = gb_words_find(k->words, gb_texts_view(&c->vocabulary, w));
        for (size_t l = 0; number != GB_NO_WORD && l < MOST_LISTS; l++)
            n[l] += (k->lists[number] >> l & 1) != 0 ? total[w] : 0;
    }
    for (size_t l = 1; l < MOST_LISTS; l++)
        best = n[l] > n[best] ? l : best;
    const double share = (double)n[best] / (double)c->n_tokens;
    const bool has_once = 5 * n_once > 2 * c->n_words && !gb_asked_is_set(s->asked, "min-df");
    char once[160] = "";
    if (has_once)
        (void)snprintf(once, sizeof once,
                       "%" PRIu64 " of %" PRIu64 " words occur only once (`min-df` 2 leaves them out)", n_once,
                       c->n_words);
    if (share > 0.2)
        gb_suspect_say(s, "%.0f %% of the tokens are words such as \"%s\" (`stopwords` %s leaves them out)%s%s",
                       100 * share, most_frequent(s, k, total, best), gb_stopword_lists[best].language,
                       has_once ? ", and " : "", once);
    else if (has_once)
        gb_suspect_say(s, "%s", once);
}

static gb_status look_at_kept_words(const gb_suspecting *s, gb_error *err)
{
    const gb_corpus *c = s->corpus;
    uint64_t *total = NULL, n_once = 0;
    kept k = {.words = NULL};
    gb_status st;
    if (c->n_docs < MANY_DOCUMENTS || gb_asked_is_set(s->asked, "stopwords") ||
        json_array_size(json_object_get(c->preparation, "stopwords")) > 0 ||
        strcmp(text_in(c->preparation, "words"), "text") != 0)
        return GB_OK;
    GB_TRY(gb_alloc(&total, c->n_words, sizeof *total, "counts of words", err));
    gb_corpus_count_words(c, total);
    for (uint64_t w = 0; w < c->n_words; w++)
        n_once += total[w] == 1;
    GB_TRY(collect_lists(&k, err));
    say_kept(s, &k, total, n_once);
done:
    gb_words_free(k.words);
    gb_free(k.lists);
    gb_free(total);
    return st;
}

/* ---- documents for a model -------------------------------------------------------------------------- */

/* A number far from those of the training is where a regression says least, and a unit was mistaken, perhaps. */
static void look_at_range(const gb_suspecting *s, const gb_numbers *numbers, double low, double high)
{
    const double *value = numbers->value;
    uint64_t n = 0, worst = 0;
    double distance = 0;
    for (uint64_t d = 0; d < s->corpus->n_docs; d++) {
        const double beyond = value[d] > high ? value[d] - high : low - value[d];
        if (!(beyond > high - low))
            continue;
        n++;
        if (beyond > distance) {
            distance = beyond;
            worst = d;
        }
    }
    if (n == 0)
        return;
    const gb_view id = gb_texts_view(&s->corpus->ids, worst);
    gb_suspect_say(s,
                   "covariate \"%.*s\": %.6g of document \"%.*s\" is far outside of the training, which had %.6g to "
                   "%.6g",
                   gb_text_shown(numbers->name, strlen(numbers->name)), numbers->name, value[worst], GB_SHOWN(id),
                   low, high);
}

static gb_status look_outside_training(gb_suspecting *s)
{
    const gb_coding *coding = s->asked->subject->model->coding;
    s->suspect = "covariate-range";
    for (size_t f = 0; coding != NULL && f < gb_coding_n_fields(coding); f++) {
        double low, high;
        s->field = gb_coding_field_name(coding, f);
        for (size_t i = 0; i < s->corpus->n_numbers; i++)
            if (strcmp(s->corpus->numbers[i].name, s->field) == 0 && gb_coding_field_range(coding, f, &low, &high))
                look_at_range(s, &s->corpus->numbers[i], low, high);
    }
    return GB_OK;
}

/* ---- all -------------------------------------------------------------------------------------------- */

static gb_status look_at_fields(gb_suspecting *s, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; st == GB_OK && i < s->corpus->n_labels; i++) {
        s->field = s->corpus->labels[i].name;
        st = gb_suspect_classes(s, &s->corpus->labels[i], err);
    }
    return st;
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    gb_status st = GB_OK;
    gb_suspecting s = {.table = table, .asked = asked, .corpus = asked->subject->documents};
    gb_table_add_all(table, N_COLUMNS, columns, NULL);
    if (asked->subject->model != NULL)
        return look_outside_training(&s);
    GB_TRY(look_at_inputs(&s, err));
    GB_TRY(look_at_fields(&s, err));
    s.suspect = "spaces";
    s.field = NULL;
    if (s.corpus->word != NULL)
        GB_TRY(look_for_spaces(&s, err));
    s.suspect = "markup";
    if (s.corpus->word != NULL)
        GB_TRY(look_for_markup(&s, err));
    s.suspect = "sentences";
    if (s.corpus->word != NULL)
        GB_TRY(look_for_sentences(&s, err));
    s.suspect = "kept-words";
    if (s.corpus->word != NULL)
        GB_TRY(look_at_kept_words(&s, err));
done:
    return st;
}

const gb_question_row gb_question_suspects = {
    {"suspects", "what looks wrong in documents, or is far from those of a model's training", GB_NEEDS_DOCUMENTS,
     "covariates label-separator metadata stopwords min-df"},
    answer};
