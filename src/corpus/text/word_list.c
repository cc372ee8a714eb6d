/* corpus/text/word_list.c - files with one word per line. */
#include "corpus/text/word_list.h"

#include "base/memory.h"
#include "corpus/data/input.h"
#include "corpus/data/words.h"

#include <string.h>

typedef struct list {
    gb_input *input;
    gb_list_kind kind;
    gb_words *words; /* vocabulary: to find a word that comes twice */
    uint64_t *start;
    size_t count, capacity;
    gb_bytes bytes;
    uint64_t n_counted;  /* of memory, by the watch */
    uint64_t blank_line; /* vocabulary: the first blank line, 0 for none */
    size_t n_numbers;    /* vocabulary: lines that end with a number */
} list;

/* Blank lines at the end number no word. */
static gb_status check_vocabulary_word(list *l, gb_view word, gb_error *err)
{
    uint32_t number;
    if (word.length == 0) {
        if (l->blank_line == 0)
            l->blank_line = gb_input_line_number(l->input);
        return GB_OK;
    }
    if (l->blank_line != 0)
        return gb_input_fail_at(l->input, l->blank_line, err,
                                "a blank line inside a vocabulary, where every line is a word");
    gb_status st = gb_words_add(l->words, word, &number, err);
    if (st == GB_OK && number != l->count)
        st = gb_input_fail(l->input, err, "the word \"%.*s\" is already on line %u", GB_SHOWN(word), number + 1);
    return st;
}

/* "word 17" */
static bool ends_with_number(gb_view line)
{
    size_t n = 0;
    while (n < line.length && line.text[line.length - 1 - n] >= '0' && line.text[line.length - 1 - n] <= '9')
        n++;
    return n > 0 && n < line.length && memchr(" \t", line.text[line.length - 1 - n], 2) != NULL;
}

/* With one word it may be a name. */
static gb_status check_numbers(const list *l, const char *path, gb_error *err)
{
    if (l->count < 2 || l->n_numbers < l->count)
        return GB_OK;
    return gb_fail(
        err, GB_EFORMAT,
        "%s: each of its %zu lines ends with a number: is it a count? A vocabulary has a word per line, as "
        "awk '{print $1}' makes it",
        path, l->count);
}

static gb_status add_line(list *l, gb_view line, gb_error *err)
{
    gb_status st = GB_OK;
    gb_view word = gb_view_trim(line);
    if (l->kind == GB_LIST_VOCABULARY)
        GB_TRY(check_vocabulary_word(l, word, err));
    if (word.length == 0 || (l->kind == GB_LIST_WORDS && word.text[0] == '#'))
        goto done;
    GB_TRY(gb_grow(&l->start, &l->capacity, l->count + 2, sizeof l->start[0], "a list of words", err));
    l->start[l->count] = l->bytes.length;
    GB_TRY(gb_bytes_add(&l->bytes, word.text, word.length, err));
    l->start[++l->count] = l->bytes.length;
    l->n_numbers += l->kind == GB_LIST_VOCABULARY && ends_with_number(word);
done:
    return st;
}

/* What stays when the list is read. */
static uint64_t bytes_of(const list *l)
{
    return l->capacity * sizeof l->start[0] + l->bytes.capacity;
}

gb_status gb_word_list_read(const char *path, gb_list_kind kind, gb_read_watch *watch, gb_texts *out, gb_error *err)
{
    gb_status st;
    list l = {.kind = kind};
    gb_view line;
    bool end = false;
    GB_TRY(gb_input_open(&l.input, path, watch, err));
    GB_TRY(gb_words_create(&l.words, err));
    GB_TRY(gb_grow(&l.start, &l.capacity, 1, sizeof l.start[0], "a list of words", err));
    l.start[0] = 0;
    for (;;) {
        GB_TRY(gb_input_line(l.input, &line, &end, err));
        if (end)
            break;
        GB_TRY(add_line(&l, line, err));
        GB_TRY(gb_read_watch_hold(watch, path, bytes_of(&l) + gb_words_bytes(l.words), &l.n_counted, err));
    }
    GB_TRY(gb_input_expect_last(l.input, err));
    if (l.count == 0) {
        st = gb_fail(err, GB_EFORMAT, "%s: no words", path);
        goto done;
    }
    GB_TRY(check_numbers(&l, path, err));
    GB_TRY(gb_read_watch_hold(watch, path, bytes_of(&l), &l.n_counted, err));
    *out = (gb_texts){l.count, l.start, l.bytes.data};
    l.start = NULL;
    l.bytes.data = NULL;
done:
    gb_input_close(l.input);
    gb_words_free(l.words);
    gb_free(l.start);
    gb_free(l.bytes.data);
    return st;
}

void gb_word_list_free(gb_texts *list_to_free)
{
    gb_free((void *)(uintptr_t)list_to_free->start);
    gb_free((void *)(uintptr_t)list_to_free->bytes);
    *list_to_free = (gb_texts){0};
}
