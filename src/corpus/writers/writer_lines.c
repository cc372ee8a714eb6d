/* corpus/writers/writer_lines.c - what formats write of a document: its id, its words, its fields. */
#include "corpus/writers/writer.h"

#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/formula_text.h"

#include <math.h>
#include <string.h>

size_t gb_writer_counts(const gb_writer *w, uint64_t document)
{
    return (size_t)gb_corpus_counts(w->corpus, document, w->word, w->count);
}

void gb_writer_view(const gb_writer *w, gb_view text)
{
    (void)fwrite(text.text, 1, text.length, w->out);
}

void gb_writer_without_blanks(const gb_writer *w, gb_view text)
{
    for (size_t i = 0; i < text.length; i++)
        (void)putc(text.text[i] == ' ' ? '_' : text.text[i], w->out);
}

bool gb_view_has_blank(gb_view v)
{
    return v.length > 0 && memchr(v.text, ' ', v.length) != NULL;
}

gb_view gb_writer_id(const gb_writer *w, uint64_t document)
{
    return gb_texts_view(&w->corpus->ids, document);
}

/* ---- words --------------------------------------------------------------------------------------------- */

void gb_writer_text(const gb_writer *w, uint64_t document)
{
    const gb_corpus *c = w->corpus;
    for (uint64_t i = c->doc_start[document]; i < c->doc_start[document + 1]; i++) {
        if (i > c->doc_start[document])
            (void)putc(' ', w->out);
        gb_writer_without_blanks(w, gb_texts_view(&c->vocabulary, c->word[i]));
    }
}

gb_status gb_writer_append_text(const gb_writer *w, uint64_t document, gb_bytes *out, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_corpus *c = w->corpus;
    for (uint64_t i = c->doc_start[document]; i < c->doc_start[document + 1]; i++) {
        const gb_view word = gb_texts_view(&c->vocabulary, c->word[i]);
        const size_t first = out->length + (i > c->doc_start[document]);
        if (i > c->doc_start[document])
            GB_TRY(gb_bytes_add(out, " ", 1, err));
        GB_TRY(gb_bytes_add(out, word.text, word.length, err));
        for (size_t at = first; at < out->length; at++)
            if (out->data[at] == ' ')
                out->data[at] = '_';
    }
done:
    return st;
}

/* ---- fields -------------------------------------------------------------------------------------------- */

static bool write_number(const gb_writer *w, double value)
{
    char text[GB_REAL_SIZE];
    if (isnan(value))
        return false;
    gb_text_from_real(value, text);
    (void)fputs(text, w->out);
    return true;
}

static bool write_classes(const gb_writer *w, uint64_t field, uint64_t document)
{
    const uint32_t *class = NULL;
    uint64_t n = 0;
    if (!gb_corpus_classes_of(w->corpus, field, document, &class, &n))
        return false;
    if (n == 0)
        gb_writer_view(w, w->separator);
    for (uint64_t i = 0; i < n; i++) {
        gb_view name;
        name.text = gb_corpus_class(w->corpus, field, class[i], &name.length);
        if (i > 0)
            gb_writer_view(w, w->separator);
        gb_writer_view(w, name);
    }
    return true;
}

bool gb_writer_cell(const gb_writer *w, uint64_t field, uint64_t document)
{
    const double *number = gb_corpus_numbers(w->corpus, field);
    return number != NULL ? write_number(w, number[document]) : write_classes(w, field, document);
}

bool gb_writer_label(const gb_writer *w, uint64_t document)
{
    return w->label != GB_NO_LABEL_FIELD && gb_writer_cell(w, (uint64_t)w->label, document);
}

/* ---- options that read it back ------------------------------------------------------------------------- */

gb_status gb_writer_option(gb_writer *w, const char *name, json_t *value, gb_error *err)
{
    if (value == NULL || json_object_set_new(w->read_with, name, value) != 0)
        return gb_fail(err, GB_ENOMEM, "out of memory: notes");
    return GB_OK;
}

/* Add a text to an option that is a list. */
static gb_status add_to_list(gb_writer *w, const char *option, json_t *text, gb_error *err)
{
    gb_status st = GB_OK;
    if (json_object_get(w->read_with, option) == NULL)
        GB_TRY(gb_writer_option(w, option, json_array(), err));
    if (text == NULL || json_array_append(json_object_get(w->read_with, option), text) != 0)
        st = gb_fail(err, GB_ENOMEM, "out of memory: notes");
done:
    json_decref(text);
    return st;
}

static gb_status add_covariate(gb_writer *w, const char *name, gb_field_kind kind, gb_error *err)
{
    static const char *const kinds[] = {
        [GB_KIND_ONE] = "factor", [GB_KIND_SEVERAL] = "list", [GB_KIND_NUMBER] = "number"};
    return add_to_list(w, "covariates", json_sprintf("%s:%s", name, kinds[kind]), err);
}

static gb_status add_to_formula(gb_writer *w, const char *name, gb_field_kind kind, gb_error *err)
{
    gb_status st = GB_OK;
    gb_bytes text = {0};
    const char *before = json_string_value(json_object_get(w->read_with, "prevalence"));
    if (before != NULL)
        GB_TRY(gb_bytes_add(&text, before, strlen(before), err));
    GB_TRY(gb_formula_text_add(&text, name, kind, err));
    st = gb_writer_option(w, "prevalence", json_string(text.data), err);
done:
    gb_free(text.data);
    return st;
}

static gb_status add_field(gb_writer *w, uint64_t field, gb_error *err)
{
    const char *name = "";
    gb_role role = GB_ROLE_RESPONSE;
    gb_field_kind kind = GB_KIND_ONE;
    (void)gb_corpus_field(w->corpus, field, &name, &role, &kind);
    switch (role) {
    case GB_ROLE_COVARIATE:
        return add_covariate(w, name, kind, err);
    case GB_ROLE_EXPOSURE:
        return gb_writer_option(w, "exposure", json_string(name), err);
    case GB_ROLE_WEIGHT:
        return gb_writer_option(w, "document-weight", json_string(name), err);
    case GB_ROLE_GROUP:
        return add_to_list(w, "group", json_string(name), err);
    case GB_ROLE_PREVALENCE:
        return add_to_formula(w, name, kind, err);
    case GB_ROLE_CLUSTER:
        return gb_writer_option(w, "cluster", json_string(name), err);
    default:
        return add_to_list(w,
                           kind == GB_KIND_NUMBER    ? "target"
                           : kind == GB_KIND_SEVERAL ? "labels"
                                                     : "label",
                           json_string(name), err);
    }
}

gb_status gb_writer_field_options(gb_writer *w, gb_error *err)
{
    gb_status st = GB_OK;
    const uint64_t n = gb_corpus_n_fields(w->corpus);
    for (uint64_t f = 0; f < n; f++)
        if (w->label == GB_NO_LABEL_FIELD || w->label == (int)f)
            GB_TRY(add_field(w, f, err));
    if (!gb_view_is(w->separator, ","))
        GB_TRY(gb_writer_option(w, "label-separator", json_stringn(w->separator.text, w->separator.length), err));
done:
    return st;
}

gb_status gb_writer_column(const gb_writer *w, const char *name, char **out, gb_error *err)
{
    static const char in_front[] = "document_";
    char *column = NULL;
    uint64_t field;
    gb_status st = gb_copy_text(&column, name, strlen(name), err);
    while (st == GB_OK && gb_corpus_find_field(w->corpus, column, &field)) {
        char *longer = NULL;
        const size_t room = sizeof in_front + strlen(column);
        st = gb_alloc(&longer, room, 1, "the name of a column", err);
        if (st == GB_OK)
            (void)snprintf(longer, room, "%s%s", in_front, column);
        gb_free(column);
        column = longer;
    }
    if (st == GB_OK)
        *out = column;
    return st;
}
