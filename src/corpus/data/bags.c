/* corpus/data/bags.c - which bag a word is in, and the option that says what goes into which. */
#include "corpus/data/bags.h"

#include "base/memory.h"

#include <string.h>

static const char what[] = "the bags of words";

/* ---- of a vocabulary ----------------------------------------------------------------------------------- */

static bool begins_with(gb_view text, const char *name)
{
    const size_t length = strlen(name);
    return text.length > length + 1 && memcmp(text.text, name, length) == 0 && text.text[length] == GB_BAG_MARK[0];
}

/* Names, each once; several fields may share a bag. */
static gb_status read_names(gb_bags *b, const json_t *names, gb_error *err)
{
    gb_status st = GB_OK;
    size_t i;
    const json_t *name;
    json_array_foreach(names, i, name)
    {
        bool is_new = json_string_length(name) > 0;
        for (size_t j = 0; j < b->n && is_new; j++)
            is_new = strcmp(b->name[j], json_string_value(name)) != 0;
        if (!is_new)
            continue;
        if (b->n == GB_MOST_BAGS)
            return gb_fail(err, GB_EFORMAT, "more than %d bags of words", (int)GB_MOST_BAGS);
        GB_TRY(gb_copy_text(&b->name[b->n], json_string_value(name), json_string_length(name), err));
        b->n++;
    }
done:
    return st;
}

static gb_status find_bags(gb_bags *b, const gb_texts *vocabulary, gb_error *err)
{
    for (uint64_t w = 0; w < vocabulary->count; w++) {
        const gb_view word = gb_texts_view(vocabulary, w);
        size_t bag = 0;
        while (bag < b->n && !begins_with(word, b->name[bag]))
            bag++;
        if (bag == b->n)
            return gb_fail(err, GB_EFORMAT, "the word \"%.*s\" is in none of the bags of the text preparation",
                           GB_SHOWN(word));
        b->of_word[w] = (uint8_t)bag;
        b->n_words[bag]++;
    }
    return GB_OK;
}

/* Those without words are none. */
static void drop_empty(gb_bags *b, uint64_t n_words)
{
    uint8_t number[GB_MOST_BAGS] = {0};
    size_t n = 0;
    for (size_t bag = 0; bag < b->n; bag++) {
        char *name = b->name[bag];
        b->name[bag] = NULL;
        if (b->n_words[bag] == 0) {
            gb_free(name);
            continue;
        }
        number[bag] = (uint8_t)n;
        b->name[n] = name;
        b->n_words[n++] = b->n_words[bag];
    }
    b->n = n > 0 ? n : 1;
    for (uint64_t w = 0; w < n_words; w++)
        b->of_word[w] = number[b->of_word[w]];
}

gb_status gb_bags_make(gb_bags *out, const json_t *preparation, const gb_texts *vocabulary, gb_error *err)
{
    gb_status st = GB_OK;
    const json_t *names = json_object_get(preparation, "bags");
    gb_bags b = {.n = 0};
    if (json_array_size(names) == 0) {
        *out = (gb_bags){.n = 1, .n_words = {vocabulary->count}};
        return GB_OK;
    }
    GB_TRY(read_names(&b, names, err));
    GB_TRY(gb_alloc(&b.of_word, vocabulary->count, sizeof *b.of_word, what, err));
    GB_TRY(find_bags(&b, vocabulary, err));
    drop_empty(&b, vocabulary->count);
    *out = b;
    b = (gb_bags){.n = 0};
done:
    gb_bags_clear(&b);
    return st;
}

void gb_bags_clear(gb_bags *b)
{
    for (size_t i = 0; i < GB_MOST_BAGS; i++)
        gb_free(b->name[i]);
    gb_free(b->of_word);
    *b = (gb_bags){.n = 0};
}

gb_view gb_bag_word(const gb_bags *b, uint64_t word, gb_view text)
{
    if (b->of_word == NULL)
        return text;
    const size_t length = strlen(b->name[b->of_word[word]]) + strlen(GB_BAG_MARK);
    return (gb_view){text.text + length, text.length - length};
}

/* ---- the option ---------------------------------------------------------------------------------------- */

static bool may_be_in_name(char c)
{
    const bool is_ascii = ((unsigned char)c & 0x80) == 0;
    return !is_ascii || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

static char *copy_name(gb_view name, char **to)
{
    char *begin = *to;
    memcpy(begin, name.text, name.length);
    begin[name.length] = '\0';
    *to += name.length + 1;
    return begin;
}

/* In small letters, so that a list of words may be folded. */
static gb_status add_bag(const char *text, gb_view bag, gb_text_field *field, char **to, gb_error *err)
{
    char *name = copy_name(bag, to);
    for (char *c = name; *c != '\0'; c++) {
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c + 'a' - 'A') : *c;
        if (!may_be_in_name(*c))
            return gb_fail(err, GB_EARGUMENT,
                           "`text` \"%s\": the name of a bag has letters, digits, _, - and ., unlike \"%.*s\"; "
                           "NAME=FIELD gives it another",
                           text, GB_SHOWN(bag));
    }
    field->bag = name;
    return GB_OK;
}

static gb_status add_field(const char *text, gb_view part, gb_text_fields *f, char **to, gb_error *err)
{
    const char *mark = memchr(part.text, '=', part.length);
    const size_t length = mark == NULL ? 0 : (size_t)(mark - part.text) + 1;
    const gb_view name = gb_view_trim((gb_view){part.text + length, part.length - length}),
                  bag = mark == NULL ? name : gb_view_trim((gb_view){part.text, length - 1});
    gb_text_field *field = &f->field[f->n++];
    if (name.length == 0 || bag.length == 0)
        return gb_fail(err, GB_EARGUMENT, "`text` \"%s\": a %s without a name", text,
                       name.length == 0 ? "field" : "bag");
    field->name = copy_name(name, to);
    return f->has_bags ? add_bag(text, bag, field, to, err) : GB_OK;
}

/* More than the bags of a model can be is said here, and not when a corpus is made. */
static gb_status count_bags(const char *text, const gb_text_fields *f, gb_error *err)
{
    size_t n_bags = 0;
    for (size_t i = 0; i < f->n; i++) {
        size_t j = 0;
        while (j < i && strcmp(f->field[j].bag, f->field[i].bag) != 0)
            j++;
        n_bags += j == i;
    }
    return n_bags <= GB_MOST_BAGS ? GB_OK
                                  : gb_fail(err, GB_EARGUMENT, "`text` \"%s\": %zu bags, expected at most %d", text,
                                            n_bags, (int)GB_MOST_BAGS);
}

gb_status gb_text_fields_read(const char *text, gb_text_fields *out, gb_error *err)
{
    gb_status st;
    const size_t length = strlen(text);
    size_t n = 1;
    gb_text_fields f = {.has_bags = strchr(text, '=') != NULL};
    for (const char *c = text; *c != '\0'; c++)
        n += *c == ',';
    GB_TRY(gb_alloc(&f.field, n, sizeof *f.field, "fields", err));
    GB_TRY(gb_alloc(&f.memory, 2 * (length + n), 1, "fields", err));
    char *to = f.memory;
    if (n == 1 && !f.has_bags) /* as it is */
        f.field[f.n++].name = copy_name((gb_view){text, length}, &to);
    for (const char *rest = text; f.n < n; rest += strcspn(rest, ",") + 1)
        GB_TRY(add_field(text, (gb_view){rest, strcspn(rest, ",")}, &f, &to, err));
    if (f.has_bags)
        GB_TRY(count_bags(text, &f, err));
    *out = f;
    f = (gb_text_fields){.n = 0};
done:
    gb_text_fields_clear(&f);
    return st;
}

void gb_text_fields_clear(gb_text_fields *f)
{
    gb_free(f->field);
    gb_free(f->memory);
    *f = (gb_text_fields){.n = 0};
}
