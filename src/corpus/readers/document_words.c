/* corpus/readers/document_words.c - from a raw document, text or counts, to word numbers. */
#include "corpus/readers/document_words.h"

#include "base/memory.h"

#include <stdio.h>

#define NOT_ASKED_YET (UINT32_MAX - 2)

gb_status gb_document_words_open(gb_document_words *d, const gb_texts *names, gb_error *err)
{
    d->names = names;
    if (names == NULL)
        return GB_OK;
    gb_status st = gb_alloc(&d->number_of, (size_t)names->count, sizeof d->number_of[0], "word numbers", err);
    for (uint64_t i = 0; st == GB_OK && i < names->count; i++)
        d->number_of[i] = NOT_ASKED_YET;
    return st;
}

void gb_document_words_close(gb_document_words *d)
{
    gb_free(d->number_of);
    d->number_of = NULL;
}

static gb_status number_of_text(gb_document_words *d, gb_view word, uint32_t *number, gb_error *err)
{
    if (!d->is_closed)
        return gb_words_add(d->words, word, number, err);
    *number = gb_words_find(d->words, word);
    return GB_OK;
}

/* True when the word is to be kept. */
static bool note(gb_document_words *d, uint32_t number, uint32_t count)
{
    d->n_tokens += count;
    if (number == GB_STOP_WORD)
        d->n_stopped += count;
    else if (number == GB_NO_WORD)
        d->n_unknown += count;
    return number != GB_STOP_WORD && number != GB_NO_WORD;
}

/* A token that is left out divides those around it. */
static gb_status note_joint(gb_document_words *d, bool is_kept, bool is_joined, gb_error *err)
{
    const bool is_behind_word = d->is_behind_word;
    d->is_behind_word = is_kept;
    return is_kept ? gb_joins_add(d->joins, is_joined && is_behind_word, err) : GB_OK;
}

static gb_status add_words(gb_document_words *d, const gb_view *word, const bool *is_joined, size_t n,
                           gb_corpus_builder *b, gb_error *err)
{
    gb_status st = GB_OK;
    uint32_t number[GB_MANY_WORDS];
    size_t kept = 0;
    const bool is_padded = gb_prepare_pads(d->prepare);
    if (d->is_closed)
        gb_words_find_many(d->words, word, n, is_padded, number);
    else
        GB_TRY(gb_words_add_many(d->words, word, n, is_padded, number, err));
    for (size_t i = 0; i < n && d->joins != NULL; i++)
        GB_TRY(note_joint(d, number[i] != GB_STOP_WORD && number[i] != GB_NO_WORD, is_joined[i], err));
    for (size_t i = 0; i < n; i++)
        if (note(d, number[i], 1))
            number[kept++] = number[i];
    GB_TRY(gb_corpus_builder_tokens(b, number, kept, err));
done:
    return st;
}

static gb_status add_words_of(gb_document_words *d, gb_view text, gb_corpus_builder *b, gb_error *err)
{
    gb_status st;
    gb_view word[GB_MANY_WORDS];
    bool is_joined[GB_MANY_WORDS];
    size_t n;
    d->is_behind_word = false;
    GB_TRY(gb_prepare_begin(d->prepare, text, err));
    do {
        GB_TRY(gb_prepare_many(d->prepare, word, d->joins == NULL ? NULL : is_joined, GB_MANY_WORDS, &n, err));
        GB_TRY(add_words(d, word, is_joined, n, b, err));
    } while (n == GB_MANY_WORDS);
done:
    return st;
}

/* Whole, or bag by bag. */
static gb_status add_text(gb_document_words *d, const gb_raw_document *doc, gb_corpus_builder *b, gb_error *err)
{
    gb_status st = GB_OK;
    size_t begin = 0;
    if (doc->n_parts == 0 && doc->text.length > 0)
        GB_TRY(gb_prepare_in_bag(d->prepare, NULL, err));
    if (doc->n_parts == 0)
        return add_words_of(d, doc->text, b, err);
    for (size_t i = 0; i < doc->n_parts; i++) {
        const gb_raw_part *part = &doc->parts[i];
        GB_TRY(gb_prepare_in_bag(d->prepare, part->bag, err));
        GB_TRY(add_words_of(d, (gb_view){doc->text.text + begin, part->end - begin}, b, err));
        begin = part->end;
    }
done:
    return st;
}

/* ---- words and counts ---------------------------------------------------------------------------------- */

/* A name stays as it is, or as the known words have it; only to compare it with the stop words it is folded as they are. */
static gb_status look_up_name(gb_document_words *d, gb_view name, uint32_t *number, gb_error *err)
{
    gb_status st;
    gb_view folded;
    GB_TRY(gb_prepare_fold(d->prepare, name, &folded, err));
    *number = gb_words_find(d->words, folded);
    if (*number == GB_STOP_WORD)
        return GB_OK;
    GB_TRY(gb_prepare_name(d->prepare, name, &name, err));
    GB_TRY(number_of_text(d, name, number, err));
done:
    return st;
}

/* A line of a kilobyte can count to billions. */
static gb_status count_entry(gb_document_words *d, uint32_t count, gb_error *err)
{
    d->n_entries++;
    d->n_counted += count;
    static const uint64_t FREE_TOKENS = GB_MAX_COUNT;
    const uint64_t factor = d->unpack_factor == 0 ? GB_UNPACK_FACTOR : d->unpack_factor;
    if (d->n_counted <= FREE_TOKENS || (d->n_counted - FREE_TOKENS) / factor <= d->n_entries)
        return GB_OK;
    return gb_fail(err, GB_EFORMAT,
                   "the first %llu counts are more than %llu on average; `unpack-factor` allows more",
                   (unsigned long long)d->n_entries, (unsigned long long)factor);
}

/* They are neighbours as those of a text. */
static gb_status add_token(gb_document_words *d, gb_raw_token token, gb_corpus_builder *b, gb_error *err)
{
    gb_status st;
    uint32_t number;
    gb_view name = token.text;
    if (token.bag != NULL) {
        GB_TRY(gb_prepare_in_bag(d->prepare, token.bag, err));
        GB_TRY(gb_prepare_bag_name(d->prepare, name, &name, err));
    }
    GB_TRY(look_up_name(d, name, &number, err));
    const bool is_kept = note(d, number, token.count);
    GB_TRY(count_entry(d, is_kept ? token.count : 0, err));
    for (uint32_t times = 0; times < token.count; times++) {
        if (d->joins != NULL)
            GB_TRY(note_joint(d, is_kept, times == 0, err));
        if (is_kept)
            GB_TRY(gb_corpus_builder_token(b, number, err));
    }
done:
    return st;
}

static gb_status number_of_count(gb_document_words *d, uint32_t word, uint32_t *number, gb_error *err)
{
    char digits[24];
    if (d->names == NULL) {
        int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)word + 1);
        return number_of_text(d, (gb_view){digits, (size_t)length}, number, err);
    }
    gb_status st = GB_OK;
    if (d->number_of[word] == NOT_ASKED_YET)
        st = look_up_name(d, gb_texts_view(d->names, word), &d->number_of[word], err);
    *number = d->number_of[word];
    return st;
}

gb_status gb_document_words_add(gb_document_words *d, const gb_raw_document *doc, gb_corpus_builder *b, gb_error *err)
{
    gb_status st;
    uint32_t number;
    GB_TRY(add_text(d, doc, b, err));
    const gb_view original = doc->text.length > 0 ? doc->text : doc->original;
    if (d->keeps_text && original.length > 0)
        GB_TRY(gb_corpus_builder_text(b, original, err));
    d->is_behind_word = false;
    for (size_t i = 0; i < doc->n_tokens; i++)
        GB_TRY(add_token(d, doc->tokens[i], b, err));
    for (size_t i = 0; i < doc->n_counts; i++) {
        GB_TRY(number_of_count(d, doc->counts[i].word, &number, err));
        const bool is_kept = note(d, number, doc->counts[i].count);
        GB_TRY(count_entry(d, is_kept ? doc->counts[i].count : 0, err));
        if (!is_kept)
            continue;
        for (uint32_t times = 0; times < doc->counts[i].count; times++)
            GB_TRY(gb_corpus_builder_token(b, number, err));
    }
done:
    return st;
}

/* ---- fields -------------------------------------------------------------------------------------------- */

static gb_status give_classes(gb_corpus_builder *b, size_t field, const gb_raw_document *doc, gb_field_value value,
                              gb_error *err)
{
    gb_status st = GB_OK;
    if (value.labelled)
        GB_TRY(gb_corpus_builder_labelled(b, field, err));
    for (size_t i = value.first; i < value.first + value.count; i++) {
        gb_view name = gb_raw_class(doc, i);
        GB_TRY(gb_corpus_builder_class(b, field, name.text, name.length, err));
    }
done:
    return st;
}

static gb_status give_number(gb_corpus_builder *b, size_t field, const gb_field *what, const gb_raw_document *doc,
                             gb_field_value value, gb_error *err)
{
    gb_status st = GB_OK;
    double number;
    if (value.count == 0)
        return GB_OK;
    GB_TRY(gb_field_number(what, gb_raw_class(doc, value.first), &number, err));
    GB_TRY(gb_corpus_builder_number(b, field, number, err));
done:
    return st;
}

gb_status gb_begin_document(gb_corpus_builder *b, const gb_reader *reader, const gb_raw_document *doc, gb_error *err)
{
    gb_status st;
    char digits[24];
    gb_view id = doc->id;
    size_t n_fields, n_classes = 0, n_numbers = 0; /* given so far: the builder numbers these two apart */
    const gb_field *fields = gb_reader_fields(reader, &n_fields);
    if (!doc->has_id || id.length == 0) {
        unsigned long long number = gb_reader_n_documents(reader);
        id = (gb_view){digits, (size_t)snprintf(digits, sizeof digits, "%llu", number)};
    }
    GB_TRY(gb_corpus_builder_document(b, id.text, id.length, err));
    for (size_t f = 0; f < n_fields; f++)
        if (fields[f].kind == GB_KIND_NUMBER)
            GB_TRY(give_number(b, n_numbers++, &fields[f], doc, doc->values[f], err));
        else
            GB_TRY(give_classes(b, n_classes++, doc, doc->values[f], err));
    if (doc->embedding_width > 0)
        GB_TRY(gb_corpus_builder_embedding(b, doc->embedding_width, doc->embedding, err));
done:
    return st;
}
