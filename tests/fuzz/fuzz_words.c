/* How a text becomes words again: the first line is the description in a corpus or a model, the second the words that it knows, with blanks
 * between, and the rest is the text. */
#include "fuzz.h"

#include "corpus/data/view.h"
#include "corpus/text/prepare.h"

#include <stdint.h>

/* The line at the beginning of *rest, which then begins behind it. */
static gb_view cut_line(gb_view *rest)
{
    const char *end = rest->length == 0 ? NULL : memchr(rest->text, '\n', rest->length);
    const gb_view line = {rest->text, end == NULL ? rest->length : (size_t)(end - rest->text)};
    const size_t taken = line.length + (end != NULL);
    *rest = (gb_view){rest->text + taken, rest->length - taken};
    return line;
}

static void read_text(gb_prepare *p, gb_view text)
{
    gb_view word, name;
    if (gb_prepare_begin(p, text, NULL) != GB_OK)
        return;
    while (gb_prepare_next(p, &word, NULL) == GB_OK && word.text != NULL)
        if (gb_prepare_name(p, word, &name, NULL) != GB_OK)
            return;
}

/* Every blank ends a word of the vocabulary. */
static void read_words(gb_prepare *p, gb_view words, gb_view text)
{
    uint64_t *start = calloc(words.length + 2, sizeof *start);
    gb_texts vocabulary = {.start = start, .bytes = words.text};
    if (start == NULL)
        abort();
    for (size_t i = 0; i < words.length; i++)
        if (words.text[i] == ' ')
            start[++vocabulary.count] = i;
    if (gb_prepare_know(p, &vocabulary, NULL) == GB_OK)
        read_text(p, text);
    free(start);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gb_prepare *p = NULL;
    gb_view rest = {size == 0 ? "" : (const char *)data, size};
    const gb_view description = cut_line(&rest), words = cut_line(&rest);
    json_t *o = json_loadb(description.text, description.length, 0, NULL);
    if (o != NULL && gb_text_valid_length(rest.text, rest.length) == rest.length &&
        gb_text_valid_length(words.text, words.length) == words.length && gb_prepare_from_json(&p, o, NULL) == GB_OK)
        read_words(p, words, rest);
    gb_prepare_free(p);
    json_decref(o);
    return 0;
}
