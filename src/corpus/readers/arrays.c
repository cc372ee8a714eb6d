/* corpus/readers/arrays.c - from the caller's arrays to a corpus.
 *
 * The arrays are looked at once, here, and everything in them is doubted: a number out of range or a text that is not UTF-8 is
 * an error that names where it stands. */
#include "corpus/readers/arrays.h"

#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/field.h"
#include "corpus/data/name.h"
#include "corpus/data/raw_document.h"
#include "corpus/data/select.h"
#include "corpus/readers/document_words.h"
#include "gibbous/corpus.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct array_field {
    gb_field what; /* its name is owned */
    const double *number;
    uint64_t n_classes;
    const char *const *class_name;
    const uint64_t *start; /* of lists */
    const uint32_t *class_of;
    const bool *is_missing;
} array_field;

struct gb_corpus_arrays {
    uint64_t n_docs, n_words;
    const uint64_t *doc_start;
    const uint32_t *word, *count; /* count NULL: tokens */
    const char *const *text;      /* in place of doc_start, word and count */
    const char *const *vocabulary, *const *id;
    uint64_t embedding_width; /* 0: none */
    const float *embedding;
    array_field *field;
    size_t n_fields, capacity;
};

/* ---- description ---- */

gb_status gb_corpus_arrays_create(gb_corpus_arrays **out, gb_error *err)
{
    return gb_alloc(out, 1, sizeof **out, "a corpus", err);
}

void gb_corpus_arrays_free(gb_corpus_arrays *a)
{
    if (a == NULL)
        return;
    for (size_t i = 0; i < a->n_fields; i++)
        gb_free(a->field[i].what.name);
    gb_free(a->field);
    gb_free(a);
}

gb_status gb_corpus_arrays_counts(gb_corpus_arrays *a, uint64_t n_docs, const uint64_t *doc_start,
                                  const uint32_t *word, const uint32_t *count, gb_error *err)
{
    if (doc_start == NULL)
        return gb_fail(err, GB_EARGUMENT, "the array that says where documents begin is missing");
    a->n_docs = n_docs;
    a->doc_start = doc_start;
    a->word = word;
    a->count = count;
    a->text = NULL;
    return GB_OK;
}

gb_status gb_corpus_arrays_texts(gb_corpus_arrays *a, uint64_t n_docs, const char *const *text, gb_error *err)
{
    if (text == NULL)
        return gb_fail(err, GB_EARGUMENT, "the array of texts is missing");
    a->n_docs = n_docs;
    a->text = text;
    a->doc_start = NULL;
    a->word = a->count = NULL;
    return GB_OK;
}

gb_status gb_corpus_arrays_vocabulary(gb_corpus_arrays *a, uint64_t n_words, const char *const *word, gb_error *err)
{
    if (word == NULL)
        return gb_fail(err, GB_EARGUMENT, "the array of words is missing");
    a->n_words = n_words;
    a->vocabulary = word;
    return GB_OK;
}

gb_status gb_corpus_arrays_ids(gb_corpus_arrays *a, const char *const *id, gb_error *err)
{
    if (id == NULL)
        return gb_fail(err, GB_EARGUMENT, "the array of ids is missing");
    a->id = id;
    return GB_OK;
}

gb_status gb_corpus_arrays_embeddings(gb_corpus_arrays *a, uint64_t width, const float *value, gb_error *err)
{
    if (value == NULL || width == 0 || width > GB_MOST_EMBEDDING_COLUMNS)
        return gb_fail(err, GB_EARGUMENT, "embeddings of %" PRIu64 " numbers, expected 1 to %d", width,
                       GB_MOST_EMBEDDING_COLUMNS);
    a->embedding_width = width;
    a->embedding = value;
    return GB_OK;
}

static bool may_have(gb_role role, gb_field_kind kind)
{
    switch (role) {
    case GB_ROLE_RESPONSE:
    case GB_ROLE_COVARIATE:
    case GB_ROLE_PREVALENCE:
        return true;
    case GB_ROLE_EXPOSURE:
    case GB_ROLE_WEIGHT:
        return kind == GB_KIND_NUMBER;
    case GB_ROLE_GROUP:
    case GB_ROLE_CLUSTER:
        return kind == GB_KIND_ONE;
    }
    return false;
}

static gb_status add_field(gb_corpus_arrays *a, const char *name, gb_role role, array_field field, gb_error *err)
{
    gb_status st;
    const char *fault = name == NULL ? "is missing" : *name == '\0' ? "is empty" : gb_text_fault(name, strlen(name));
    if (fault != NULL)
        return gb_fail(err, GB_EARGUMENT, "the name of a field %s", fault);
    if (!may_have(role, field.what.kind))
        return gb_fail(err, GB_EARGUMENT, "field \"%s\": its role does not go with %s", name,
                       field.what.kind == GB_KIND_NUMBER ? "numbers" : "classes");
    if (field.number == NULL && field.class_of == NULL && field.start == NULL)
        return gb_fail(err, GB_EARGUMENT, "field \"%s\": its array is missing", name);
    if (field.n_classes > 0 && field.class_name == NULL)
        return gb_fail(err, GB_EARGUMENT, "field \"%s\": the names of its classes are missing", name);
    field.what.role = role;
    GB_TRY(gb_grow(&a->field, &a->capacity, a->n_fields + 1, sizeof field, "fields", err));
    GB_TRY(gb_copy_text(&field.what.name, name, strlen(name), err));
    a->field[a->n_fields++] = field;
done:
    return st;
}

gb_status gb_corpus_arrays_numbers(gb_corpus_arrays *a, const char *name, gb_role role, const double *value,
                                   gb_error *err)
{
    return add_field(a, name, role, (array_field){.what.kind = GB_KIND_NUMBER, .number = value}, err);
}

gb_status gb_corpus_arrays_classes(gb_corpus_arrays *a, const char *name, gb_role role, uint64_t n_classes,
                                   const char *const *class_name, const uint32_t *class_of, gb_error *err)
{
    const array_field field = {
        .what.kind = GB_KIND_ONE, .n_classes = n_classes, .class_name = class_name, .class_of = class_of};
    return add_field(a, name, role, field, err);
}

gb_status gb_corpus_arrays_lists(gb_corpus_arrays *a, const char *name, gb_role role, uint64_t n_classes,
                                 const char *const *class_name, const uint64_t *start, const uint32_t *class_of,
                                 const bool *is_missing, gb_error *err)
{
    const array_field field = {.what.kind = GB_KIND_SEVERAL,
                               .n_classes = n_classes,
                               .class_name = class_name,
                               .start = start,
                               .class_of = class_of,
                               .is_missing = is_missing};
    if (start == NULL)
        return gb_fail(err, GB_EARGUMENT, "the array that says where the lists of a field begin is missing");
    return add_field(a, name, role, field, err);
}

/* ---- doubts ---- */

/* `what` begins the message: "documents", "the lists of field "x"". */
static gb_status check_starts(const char *what, uint64_t n, const uint64_t *start, bool has_entries, gb_error *err)
{
    if (start[0] != 0)
        return gb_fail(err, GB_EFORMAT, "%s begin at entry %" PRIu64 ", not at 0", what, start[0]);
    for (uint64_t d = 0; d < n; d++)
        if (start[d + 1] < start[d])
            return gb_fail(err, GB_EFORMAT, "%s: number %" PRIu64 " begins at entry %" PRIu64 " and ends at %" PRIu64,
                           what, d + 1, start[d], start[d + 1]);
    if (start[n] > 0 && !has_entries)
        return gb_fail(err, GB_EARGUMENT, "%s: the array of entries is missing", what);
    return GB_OK;
}

static gb_status check_field(const gb_corpus_arrays *a, const array_field *f, gb_error *err)
{
    gb_status st = GB_OK;
    char what[120];
    for (uint64_t c = 0; c < f->n_classes; c++) {
        const gb_view name = gb_name_trim(gb_view_of(f->class_name[c] == NULL ? "" : f->class_name[c]));
        const char *fault = name.length == 0 ? "has no name" : gb_text_fault(name.text, name.length);
        if (fault != NULL)
            return gb_fail(err, GB_EFORMAT, "field \"%s\": class %" PRIu64 " %s", f->what.name, c, fault);
    }
    if (f->what.kind == GB_KIND_SEVERAL) {
        const size_t length = strlen(f->what.name);
        (void)snprintf(what, sizeof what, "the lists of field \"%.*s\"", gb_text_shown(f->what.name, length),
                       f->what.name);
        st = check_starts(what, a->n_docs, f->start, f->class_of != NULL, err);
    }
    return st;
}

static gb_status check_arrays(const gb_corpus_arrays *a, gb_error *err)
{
    gb_status st = GB_OK;
    if (a->n_docs == 0 || (a->doc_start == NULL && a->text == NULL))
        return gb_fail(err, GB_EARGUMENT, "there are no documents");
    if (a->vocabulary == NULL && a->text == NULL)
        return gb_fail(err, GB_EARGUMENT, "there is no vocabulary");
    if (a->n_words >= GB_STOP_WORD)
        return gb_fail(err, GB_EFORMAT, "%" PRIu64 " words, expected at most %" PRIu32, a->n_words, GB_STOP_WORD - 1);
    if (a->text == NULL)
        GB_TRY(check_starts("documents", a->n_docs, a->doc_start, a->word != NULL, err));
    for (size_t i = 0; i < a->n_fields; i++)
        GB_TRY(check_field(a, &a->field[i], err));
done:
    return st;
}

/* ---- making ---- */

typedef struct making {
    const gb_corpus_arrays *arrays;
    bool keeps_text;
    const char *missing;    /* the option; NULL: none */
    const gb_texts *closed; /* the only words; NULL: the words of the arrays */
    gb_prepare *prepare;
    gb_words *words;
    uint32_t *number_of;              /* n_words of the arrays: number in `words`, GB_NO_WORD or GB_STOP_WORD */
    gb_document_words document_words; /* of texts */
    gb_joins joins;
    gb_corpus_builder *builder;
    gb_word_selection selection;
    uint64_t *n_unknown; /* n_docs */
} making;

static void making_free(making *m)
{
    gb_prepare_free(m->prepare);
    gb_document_words_close(&m->document_words);
    gb_joins_free(&m->joins);
    gb_words_free(m->words);
    gb_free(m->number_of);
    gb_corpus_builder_free(m->builder);
    gb_word_selection_free(&m->selection);
    gb_free(m->n_unknown);
}

static gb_status check_word(const gb_corpus_arrays *a, uint64_t w, gb_error *err)
{
    const char *text = a->vocabulary[w];
    const char *fault = text == NULL ? "is missing" : *text == '\0' ? "is empty" : gb_text_fault(text, strlen(text));
    return fault == NULL ? GB_OK : gb_fail(err, GB_EFORMAT, "word %" PRIu64 " of the vocabulary %s", w, fault);
}

/* A name stays as it is, or as the known words have it; only to compare it with the stop words it is folded as they are. */
static gb_status number_word(making *m, uint64_t w, gb_error *err)
{
    gb_status st;
    gb_view folded;
    GB_TRY(check_word(m->arrays, w, err));
    gb_view word = gb_view_of(m->arrays->vocabulary[w]);
    const uint32_t n_before = gb_words_count(m->words);
    GB_TRY(gb_prepare_fold(m->prepare, word, &folded, err));
    m->number_of[w] = gb_words_find(m->words, folded);
    if (m->number_of[w] == GB_STOP_WORD)
        return GB_OK;
    if (m->closed != NULL) {
        GB_TRY(gb_prepare_name(m->prepare, word, &word, err));
        m->number_of[w] = gb_words_find(m->words, word);
        return GB_OK;
    }
    GB_TRY(gb_words_add(m->words, word, &m->number_of[w], err));
    if (m->number_of[w] < n_before)
        st = gb_fail(err, GB_EFORMAT, "the word \"%.*s\" is in the vocabulary twice", GB_SHOWN(word));
done:
    return st;
}

/* Texts: the words of the arrays are the only ones, folded as the text is. */
static gb_status number_only_words(making *m, gb_error *err)
{
    gb_status st = GB_OK;
    gb_view word;
    uint32_t number;
    for (uint64_t w = 0; w < m->arrays->n_words && m->closed == NULL; w++) {
        GB_TRY(check_word(m->arrays, w, err));
        GB_TRY(gb_prepare_fold(m->prepare, gb_view_of(m->arrays->vocabulary[w]), &word, err));
        GB_TRY(gb_words_add(m->words, word, &number, err));
    }
    if (m->closed == NULL && m->arrays->vocabulary != NULL)
        GB_TRY(gb_prepare_know_only(m->prepare, m->words, err));
    m->document_words = (gb_document_words){.prepare = m->prepare,
                                            .words = m->words,
                                            .keeps_text = m->keeps_text,
                                            .is_closed = m->closed != NULL || m->arrays->vocabulary != NULL,
                                            .joins = gb_prepare_needs_joins(m->prepare) ? &m->joins : NULL};
    GB_TRY(gb_document_words_open(&m->document_words, NULL, err));
done:
    return st;
}

static gb_status number_words(making *m, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_words_create(&m->words, err));
    GB_TRY(gb_prepare_mark_stop_words(m->prepare, m->words, err));
    if (m->closed != NULL) {
        GB_TRY(gb_words_add_vocabulary(m->words, m->closed, err));
        GB_TRY(gb_prepare_know(m->prepare, m->closed, err));
    }
    if (m->arrays->text != NULL)
        return number_only_words(m, err);
    GB_TRY(gb_alloc(&m->number_of, m->arrays->n_words, sizeof *m->number_of, "the vocabulary", err));
    for (uint64_t w = 0; w < m->arrays->n_words; w++)
        GB_TRY(number_word(m, w, err));
done:
    return st;
}

static gb_status declare_fields(making *m, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_corpus_builder_create(&m->builder, err));
    for (size_t i = 0; i < m->arrays->n_fields; i++)
        GB_TRY(gb_fields_declare(&m->arrays->field[i].what, 1, false, m->builder, err));
done:
    return st;
}

/* ---- a document ---- */

/* All entries of a document, before any is taken: a hostile count must not cost memory first. */
static gb_status check_words(const gb_corpus_arrays *a, uint64_t d, gb_error *err)
{
    uint64_t n_tokens = 0;
    for (uint64_t i = a->doc_start[d]; i < a->doc_start[d + 1]; i++) {
        const uint32_t count = a->count == NULL ? 1 : a->count[i];
        if (a->word[i] >= a->n_words)
            return gb_fail(err, GB_EFORMAT,
                           "document %" PRIu64 ": word number %" PRIu32 ", but the vocabulary has %" PRIu64, d + 1,
                           a->word[i], a->n_words);
        if (count > GB_MAX_COUNT)
            return gb_fail(err, GB_EFORMAT, "document %" PRIu64 ": a count of %" PRIu32 ", expected at most %" PRIu64,
                           d + 1, count, GB_MAX_COUNT);
        n_tokens += count;
        if (n_tokens > GB_MAX_DOCUMENT)
            return gb_fail(err, GB_EFORMAT, "document %" PRIu64 ": more than %" PRIu64 " words", d + 1,
                           GB_MAX_DOCUMENT);
    }
    return GB_OK;
}

static gb_status check_text(const char *text, uint64_t d, gb_error *err)
{
    if (text == NULL)
        return gb_fail(err, GB_EFORMAT, "document %" PRIu64 ": its text is missing", d + 1);
    if (gb_text_valid_length(text, strlen(text)) < strlen(text))
        return gb_fail(err, GB_EFORMAT, "document %" PRIu64 ": its text is not valid UTF-8", d + 1);
    return GB_OK;
}

/* "\x1ETITLE\x1Ftext\x1EBODY\x1Ftext": the next part of a text in bags, whose name becomes a text of its own. */
static gb_status next_part(gb_view *rest, gb_bytes *bag, gb_view *part, gb_error *err)
{
    const char *name_end =
        rest->text[0] != GB_BAG_BEGINS[0] ? NULL : memchr(rest->text, GB_BAG_ENDS[0], rest->length);
    gb_status st = GB_OK;
    if (name_end == NULL)
        return gb_fail(err, GB_EFORMAT, "words have bags, and a text does not begin with the name of its bag");
    bag->length = 0;
    GB_TRY(gb_bytes_add(bag, rest->text + 1, (size_t)(name_end - rest->text) - 1, err));
    GB_TRY(gb_bytes_add(bag, "", 1, err));
    *rest = (gb_view){name_end + 1, rest->length - (size_t)(name_end + 1 - rest->text)};
    const char *end = memchr(rest->text, GB_BAG_BEGINS[0], rest->length);
    *part = (gb_view){rest->text, end == NULL ? rest->length : (size_t)(end - rest->text)};
    *rest = (gb_view){rest->text + part->length, rest->length - part->length};
done:
    return st;
}

static gb_status add_parts(making *m, gb_view text, gb_error *err)
{
    gb_status st = GB_OK;
    gb_raw_document doc = {.has_id = false};
    gb_bytes all = {0}, bag = {0};
    char *names = NULL; /* those of parts, which stay until the document is added */
    size_t at = 0;
    GB_TRY(gb_alloc(&names, text.length + 1, 1, "a text", err));
    while (text.length > 0) {
        gb_view part = {"", 0};
        GB_TRY(next_part(&text, &bag, &part, err));
        GB_TRY(gb_bytes_add(&all, GB_BETWEEN_TEXTS, all.length == 0 ? 0 : strlen(GB_BETWEEN_TEXTS), err));
        GB_TRY(gb_bytes_add(&all, part.text, part.length, err));
        memcpy(names + at, bag.data, bag.length);
        GB_TRY(gb_raw_add_part(&doc, names + at, all.length, err));
        at += bag.length;
    }
    doc.text = (gb_view){all.length == 0 ? "" : all.data, all.length};
    GB_TRY(gb_document_words_add(&m->document_words, &doc, m->builder, err));
done:
    gb_raw_free(&doc);
    gb_free(all.data);
    gb_free(bag.data);
    gb_free(names);
    return st;
}

static gb_status add_text(making *m, uint64_t d, gb_error *err)
{
    const char *text = m->arrays->text[d];
    const uint64_t n_before = m->document_words.n_unknown;
    gb_status st;
    GB_TRY(check_text(text, d, err));
    if (gb_prepare_has_bags(m->prepare)) {
        GB_TRY(add_parts(m, gb_view_of(text), err));
    } else {
        const gb_raw_document doc = {.text = gb_view_of(text)};
        GB_TRY(gb_document_words_add(&m->document_words, &doc, m->builder, err));
    }
    m->n_unknown[d] = m->document_words.n_unknown - n_before;
done:
    return st;
}

static gb_status add_words(making *m, uint64_t d, gb_error *err)
{
    const gb_corpus_arrays *a = m->arrays;
    gb_status st;
    GB_TRY(check_words(a, d, err));
    for (uint64_t i = a->doc_start[d]; i < a->doc_start[d + 1]; i++) {
        const uint32_t count = a->count == NULL ? 1 : a->count[i], number = m->number_of[a->word[i]];
        if (number == GB_NO_WORD)
            m->n_unknown[d] += count;
        for (uint32_t n = 0; n < count && number != GB_NO_WORD && number != GB_STOP_WORD; n++)
            GB_TRY(gb_corpus_builder_token(m->builder, number, err));
    }
done:
    return st;
}

static gb_status add_class(making *m, const array_field *f, size_t number, uint64_t d, uint32_t class, gb_error *err)
{
    if (class >= f->n_classes)
        return gb_fail(err, GB_EFORMAT, "field \"%s\": document %" PRIu64 " has class %" PRIu32 " of %" PRIu64,
                       f->what.name, d + 1, class, f->n_classes);
    return gb_corpus_builder_class(m->builder, number, f->class_name[class], strlen(f->class_name[class]), err);
}

static gb_status add_list(making *m, const array_field *f, size_t number, uint64_t d, gb_error *err)
{
    gb_status st;
    const uint64_t first = f->start[d], end = f->start[d + 1];
    if (f->is_missing != NULL && f->is_missing[d])
        return first == end
                   ? GB_OK
                   : gb_fail(err, GB_EFORMAT, "field \"%s\": document %" PRIu64 " is missing, but has classes",
                             f->what.name, d + 1);
    GB_TRY(gb_corpus_builder_labelled(m->builder, number, err));
    for (uint64_t i = first; i < end; i++)
        GB_TRY(add_class(m, f, number, d, f->class_of[i], err));
done:
    return st;
}

static gb_status add_number(making *m, const array_field *f, size_t number, uint64_t d, gb_error *err)
{
    const char *fault = gb_number_fault(f->what.role, f->number[d]);
    if (fault != NULL)
        return gb_fail(err, GB_EFORMAT, "field \"%s\": document %" PRIu64 ": %.9g %s", f->what.name, d + 1,
                       f->number[d], fault);
    return gb_corpus_builder_number(m->builder, number, f->number[d], err);
}

/* What the option missing names. */
static bool is_left_out(const making *m, const array_field *f, uint64_t d)
{
    if (m->missing == NULL || *m->missing == '\0')
        return false;
    if (f->what.kind == GB_KIND_NUMBER) {
        char text[GB_REAL_SIZE];
        gb_text_from_real(f->number[d], text);
        return gb_view_is_in(gb_view_of(text), m->missing);
    }
    return f->what.kind == GB_KIND_ONE && f->class_of[d] < f->n_classes &&
           gb_view_is_in(gb_view_of(f->class_name[f->class_of[d]]), m->missing);
}

static gb_status add_fields(making *m, uint64_t d, gb_error *err)
{
    gb_status st = GB_OK;
    size_t n_classes = 0, n_numbers = 0; /* the builder numbers these two apart */
    for (size_t i = 0; i < m->arrays->n_fields; i++) {
        const array_field *f = &m->arrays->field[i];
        if (is_left_out(m, f, d)) /* the builder takes as missing what it is not given */
            *(f->what.kind == GB_KIND_NUMBER ? &n_numbers : &n_classes) += 1;
        else if (f->what.kind == GB_KIND_NUMBER)
            GB_TRY(add_number(m, f, n_numbers++, d, err));
        else if (f->what.kind == GB_KIND_SEVERAL)
            GB_TRY(add_list(m, f, n_classes++, d, err));
        else if (f->class_of[d] == GB_NO_CLASS)
            n_classes++;
        else
            GB_TRY(add_class(m, f, n_classes++, d, f->class_of[d], err));
    }
done:
    return st;
}

static gb_status add_embedding(making *m, uint64_t d, gb_error *err)
{
    const uint64_t n = m->arrays->embedding_width;
    const float *row = m->arrays->embedding + d * n;
    for (uint64_t j = 0; j < n; j++)
        if (!isfinite(row[j]))
            return gb_fail(err, GB_EFORMAT, "embeddings: document %" PRIu64 ", number %" PRIu64 " is not finite",
                           d + 1, j + 1);
    return gb_corpus_builder_embedding(m->builder, (size_t)n, row, err);
}

static gb_status add_documents(making *m, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_corpus_arrays *a = m->arrays;
    GB_TRY(gb_alloc(&m->n_unknown, a->n_docs, sizeof *m->n_unknown, "counts of unknown words", err));
    for (uint64_t d = 0; d < a->n_docs; d++) {
        const char *id = a->id == NULL || a->id[d] == NULL || *a->id[d] == '\0' ? NULL : a->id[d];
        const size_t length = id == NULL ? 0 : strlen(id);
        st = gb_corpus_builder_document(m->builder, id, length, err);
        if (st == GB_EFORMAT)
            st = gb_fail(err, st, "document %" PRIu64 ": its id %s", d + 1, gb_text_fault(id, length));
        if (st != GB_OK)
            goto done;
        GB_TRY(add_fields(m, d, err));
        if (a->embedding_width > 0)
            GB_TRY(add_embedding(m, d, err));
        GB_TRY(a->text != NULL ? add_text(m, d, err) : add_words(m, d, err));
    }
done:
    return st;
}

/* ---- the whole ---- */

/* As for a file of counts whose words have names, or for one of texts. */
static gb_status choose_words(making *m, const gb_settings *settings, gb_error *err)
{
    gb_status st;
    gb_limits limits;
    const bool is_open = m->arrays->text != NULL && m->arrays->vocabulary == NULL;
    GB_TRY(gb_limits_read(&limits, settings, err));
    GB_TRY(gb_prepare_shape(m->prepare, &limits, m->document_words.joins, m->words, m->builder, NULL, err));
    GB_TRY(
        gb_select_words(&m->selection, m->words, m->builder, &limits, is_open ? GB_ORDER_BYTES : GB_ORDER_KEEP, err));
    if (m->selection.n_kept == 0)
        return gb_fail(err, GB_EFORMAT, "the documents have no word that stays");
    gb_corpus_builder_renumber(m->builder, m->selection.map);
    for (size_t i = 0; i < m->selection.n_kept; i++) {
        const gb_view word = gb_words_text(m->words, m->selection.kept[i]);
        GB_TRY(gb_corpus_builder_word(m->builder, word.text, word.length, err));
    }
done:
    return st;
}

gb_status gb_corpus_from_arrays(const gb_corpus_arrays *arrays, const gb_settings *settings, gb_corpus **out,
                                gb_error *err)
{
    gb_status st;
    making m = {.arrays = arrays};
    gb_settings *defaults = NULL;
    json_t *preparation = NULL, *source = NULL;
    GB_TRY(check_arrays(arrays, err));
    if (settings == NULL)
        GB_TRY(gb_settings_create(&defaults, err));
    settings = settings == NULL ? defaults : settings;
    m.missing = gb_settings_text(settings, "missing");
    m.keeps_text = gb_settings_yes(settings, "keep-text");
    GB_TRY(gb_prepare_from_settings(&m.prepare, settings, NULL, err));
    if (arrays->text == NULL)
        GB_TRY(gb_prepare_check_counts(m.prepare, "the documents", err));
    GB_TRY(number_words(&m, err));
    GB_TRY(declare_fields(&m, err));
    GB_TRY(add_documents(&m, err));
    GB_TRY(choose_words(&m, settings, err));
    preparation = gb_prepare_to_json(m.prepare, arrays->text != NULL ? "text" : "counts");
    source = json_pack("{s:s}", "format", "arrays");
    if (preparation == NULL || source == NULL) {
        st = gb_fail_memory(err, 0, "the notes of a corpus");
        goto done;
    }
    GB_TRY(gb_prepare_notes(m.prepare, m.words, source, err));
    st = gb_corpus_builder_finish(m.builder, preparation, source, out, err);
    preparation = source = NULL;
done:
    json_decref(preparation);
    json_decref(source);
    gb_settings_free(defaults);
    making_free(&m);
    return st;
}

gb_status gb_corpus_from_arrays_in(const gb_corpus_arrays *arrays, const gb_texts *vocabulary,
                                   const json_t *preparation, gb_corpus **out, uint64_t **n_unknown, gb_error *err)
{
    gb_status st;
    making m = {.arrays = arrays, .closed = vocabulary, .keeps_text = true};
    GB_TRY(check_arrays(arrays, err));
    GB_TRY(gb_prepare_from_json(&m.prepare, preparation, err));
    GB_TRY(number_words(&m, err));
    GB_TRY(declare_fields(&m, err));
    GB_TRY(add_documents(&m, err));
    GB_TRY(gb_corpus_builder_vocabulary(m.builder, vocabulary, err));
    GB_TRY(gb_corpus_builder_finish(m.builder, NULL, NULL, out, err));
    *n_unknown = m.n_unknown;
    m.n_unknown = NULL;
done:
    making_free(&m);
    return st;
}
