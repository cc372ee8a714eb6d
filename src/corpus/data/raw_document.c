/* corpus/data/raw_document.c - one document as a reader finds it. */
#include "corpus/data/raw_document.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

gb_status gb_raw_create(gb_raw_document *doc, size_t n_fields, gb_error *err)
{
    *doc = (gb_raw_document){.n_fields = n_fields};
    return gb_alloc(&doc->values, n_fields, sizeof doc->values[0], "fields", err);
}

void gb_raw_free(gb_raw_document *doc)
{
    gb_free(doc->values);
    gb_free(doc->parts);
    gb_free(doc->tokens);
    gb_free(doc->counts);
    gb_free(doc->classes);
    gb_free(doc->class_text.data);
    *doc = (gb_raw_document){0};
}

void gb_raw_clear(gb_raw_document *doc)
{
    doc->has_id = false;
    doc->id = doc->text = doc->original = (gb_view){"", 0};
    doc->n_parts = doc->n_tokens = doc->n_counts = 0;
    doc->bag = NULL;
    doc->n_counted = 0;
    doc->n_classes = 0;
    doc->class_text.length = 0;
    doc->embedding_width = 0;
    doc->embedding = NULL;
    for (size_t f = 0; f < doc->n_fields; f++)
        doc->values[f] = (gb_field_value){0};
}

/* ---- fields -------------------------------------------------------------------------------------------- */

void gb_raw_begin_field(gb_raw_document *doc, size_t field)
{
    doc->values[field] = (gb_field_value){.labelled = true, .first = doc->n_classes};
}

gb_status gb_raw_add_class(gb_raw_document *doc, size_t field, gb_view name, gb_error *err)
{
    gb_status st;
    gb_class_place place = {doc->class_text.length, name.length};
    GB_TRY(gb_grow(&doc->classes, &doc->classes_capacity, doc->n_classes + 1, sizeof place, "labels", err));
    GB_TRY(gb_bytes_add(&doc->class_text, name.text, name.length, err));
    doc->classes[doc->n_classes++] = place;
    doc->values[field].count++;
done:
    return st;
}

gb_view gb_raw_class(const gb_raw_document *doc, size_t i)
{
    gb_class_place place = doc->classes[i];
    return (gb_view){place.length == 0 ? "" : doc->class_text.data + place.start, place.length};
}

static gb_status set_several(gb_raw_document *doc, size_t field, gb_view cell, const char *separator, gb_error *err)
{
    size_t width = strlen(separator);
    gb_status st = GB_OK;
    for (;;) {
        const char *hit = width == 0 ? NULL : memmem(cell.text, cell.length, separator, width);
        gb_view part = cell;
        if (hit != NULL)
            part.length = (size_t)(hit - cell.text);
        gb_view name = gb_view_trim(part);
        if (name.length > 0)
            GB_TRY(gb_raw_add_class(doc, field, name, err));
        if (hit == NULL)
            break;
        cell.text += part.length + width;
        cell.length -= part.length + width;
    }
done:
    return st;
}

gb_status gb_raw_set_cell(gb_raw_document *doc, size_t field, gb_field_kind kind, gb_view cell, const char *separator,
                          gb_error *err)
{
    cell = gb_view_trim(cell);
    if (gb_view_is_missing(cell)) {
        doc->n_none += gb_view_is_none(cell);
        return GB_OK;
    }
    gb_raw_begin_field(doc, field);
    if (kind == GB_KIND_SEVERAL)
        return set_several(doc, field, cell, separator, err);
    return gb_raw_add_class(doc, field, cell, err);
}

/* ---- words ---------------------------------------------------------------------------------------------- */

static gb_status check_length(const gb_raw_document *doc, uint32_t count, gb_error *err)
{
    if (doc->n_counted + count <= GB_MAX_DOCUMENT)
        return GB_OK;
    return gb_fail(err, GB_EFORMAT, "more than %llu words in one document", (unsigned long long)GB_MAX_DOCUMENT);
}

gb_status gb_raw_add_part(gb_raw_document *doc, const char *bag, size_t end, gb_error *err)
{
    const gb_status st = gb_grow(&doc->parts, &doc->parts_capacity, doc->n_parts + 1, sizeof doc->parts[0],
                                 "the text of a document", err);
    if (st == GB_OK)
        doc->parts[doc->n_parts++] = (gb_raw_part){bag, end};
    return st;
}

gb_status gb_raw_add_token(gb_raw_document *doc, gb_view word, uint32_t count, gb_error *err)
{
    if (word.length == 0 || count == 0)
        return GB_OK;
    gb_status st;
    GB_TRY(check_length(doc, count, err));
    GB_TRY(gb_grow(&doc->tokens, &doc->tokens_capacity, doc->n_tokens + 1, sizeof doc->tokens[0],
                   "the words of a document", err));
    doc->n_counted += count;
    doc->tokens[doc->n_tokens++] = (gb_raw_token){word, count, doc->bag};
done:
    return st;
}

/* ---- counts -------------------------------------------------------------------------------------------- */

gb_status gb_raw_add_count(gb_raw_document *doc, uint32_t word, uint32_t count, gb_error *err)
{
    if (count == 0)
        return GB_OK;
    gb_status st;
    GB_TRY(check_length(doc, count, err));
    GB_TRY(gb_grow(&doc->counts, &doc->counts_capacity, doc->n_counts + 1, sizeof doc->counts[0],
                   "the words of a document", err));
    doc->n_counted += count;
    doc->counts[doc->n_counts++] = (gb_word_count){word, count};
done:
    return st;
}

const char *gb_raw_parse_count(gb_view text, uint32_t *count)
{
    static const char *const not_whole = "is not a whole number from 0 on",
                             *const huge = "is larger than 16777216, the most for one word of a document";
    uint64_t value;
    double real;
    size_t digits = 0;
    while (digits < text.length && text.text[digits] >= '0' && text.text[digits] <= '9')
        digits++;
    if (digits > 0 && digits < text.length && memchr(".eE", text.text[digits], 3) != NULL) {
        if (!gb_view_to_real(text, &real) || real != floor(real))
            return not_whole;
        if (real > (double)GB_MAX_COUNT)
            return huge;
        *count = (uint32_t)real;
        return NULL;
    }
    if (digits == 0 || digits < text.length)
        return not_whole;
    if (!gb_view_to_u64(text, &value) || value > GB_MAX_COUNT)
        return huge;
    *count = (uint32_t)value;
    return NULL;
}
