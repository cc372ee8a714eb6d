/* design/coding_apply.c - covariates of documents by a coding. */
#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/name.h"
#include "corpus/data/texts.h"
#include "design/coding_private.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define NO_COLUMN       UINT32_MAX       /* of a class: training did not have it */
#define CONSTANT_COLUMN (UINT32_MAX - 1) /* all documents of the training had it */

typedef struct application {
    const gb_coding *coding;
    const gb_corpus *corpus;
    uint64_t first_row;
    bool unknown_is_error;
    gb_sparse_entry *entry;
    uint64_t n_entries;
    size_t capacity;
} application;

static gb_status add_entry(application *a, uint64_t doc, size_t column, double value, gb_error *err)
{
    gb_status st = gb_grow(&a->entry, &a->capacity, (size_t)a->n_entries + 1, sizeof *a->entry, "covariates", err);
    if (st == GB_OK)
        a->entry[a->n_entries++] = (gb_sparse_entry){doc, (uint32_t)column, value};
    return st;
}

/* Row and id of a document, for a message. */
typedef struct document_name {
    unsigned long long row;
    char id[GB_QUOTE_SIZE];
} document_name;

static document_name name_of(const application *a, uint64_t doc)
{
    const gb_texts *ids = &a->corpus->ids;
    document_name name = {.row = a->first_row + doc + 1};
    gb_text_quote(ids->bytes + ids->start[doc], (size_t)(ids->start[doc + 1] - ids->start[doc]), name.id);
    return name;
}

/* ---- numbers ---- */

static gb_status apply_numbers(application *a, const gb_coding_field *field, const gb_numbers *numbers, gb_error *err)
{
    gb_status st = GB_OK;
    if (field->n_columns == 0)
        return GB_OK;
    for (uint64_t d = 0; st == GB_OK && d < a->corpus->n_docs; d++) {
        const bool missing = isnan(numbers->value[d]);
        const double value = ((missing ? field->mean : numbers->value[d]) - field->centre) / field->scale;
        if (!isfinite(value)) {
            const document_name name = name_of(a, d);
            return gb_fail(err, GB_EFORMAT, "document %llu (id %s): covariate \"%s\" is too large, %g", name.row,
                           name.id, field->name, numbers->value[d]);
        }
        if (value != 0)
            st = add_entry(a, d, field->first_column, value, err);
    }
    return st;
}

/* ---- levels ---- */

size_t gb_level_list_find(const gb_level_list *list, const char *text, size_t length)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = gb_text_compare(list->name[middle], strlen(list->name[middle]), text, length);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = 0; i < list->count; i++) /* a model of an earlier version may write the same number otherwise */
        if (gb_name_is(gb_view_of(list->name[i]), (gb_view){text, length}))
            return i;
    return list->count;
}

static uint32_t column_of(const gb_coding_field *field, const gb_texts *classes, uint64_t class)
{
    const char *text = classes->bytes + classes->start[class];
    const size_t length = (size_t)(classes->start[class + 1] - classes->start[class]);
    const size_t i = gb_level_list_find(&field->levels, text, length);
    if (i < field->levels.count)
        return (uint32_t)(field->first_column + i);
    if (gb_level_list_find(&field->constant, text, length) < field->constant.count)
        return CONSTANT_COLUMN;
    return gb_level_list_find(&field->rare, text, length) < field->rare.count
               ? (uint32_t)(field->first_column + field->n_columns - 1)
               : NO_COLUMN;
}

static gb_status fail_unknown(const application *a, const gb_coding_field *field, const gb_labels *labels,
                              uint64_t doc, uint32_t class, gb_error *err)
{
    const document_name name = name_of(a, doc);
    const gb_texts *classes = &labels->classes;
    char level[GB_QUOTE_SIZE];
    gb_text_quote(classes->bytes + classes->start[class], (size_t)(classes->start[class + 1] - classes->start[class]),
                  level);
    return gb_fail(err, GB_EFORMAT,
                   "document %llu (id %s): covariate \"%s\" has the level %s, which training did not have; "
                   "`unknown-level` reference takes the document without it",
                   name.row, name.id, field->name, level);
}

static gb_status apply_document(application *a, const gb_coding_field *field, const gb_labels *labels,
                                const uint32_t *column, uint64_t doc, gb_error *err)
{
    gb_status st = GB_OK;
    bool is_rare = false; /* several rare levels of a list are one column */
    if (!labels->labelled[doc])
        return GB_OK; /* no level: gb_coding_check_missing() had no objection */
    for (uint64_t i = labels->doc_start[doc]; st == GB_OK && i < labels->doc_start[doc + 1]; i++) {
        const uint32_t at = column[labels->class_of[i]];
        if (at == CONSTANT_COLUMN)
            continue;
        if (at == NO_COLUMN && a->unknown_is_error && !field->takes_new_levels)
            st = fail_unknown(a, field, labels, doc, labels->class_of[i], err);
        else if (at != NO_COLUMN && at < field->first_column + field->levels.count)
            st = add_entry(a, doc, at, 1, err);
        else
            is_rare |= at != NO_COLUMN;
    }
    if (st == GB_OK && is_rare)
        st = add_entry(a, doc, field->first_column + field->n_columns - 1, 1, err);
    return st;
}

static gb_status apply_levels(application *a, const gb_coding_field *field, const gb_labels *labels, gb_error *err)
{
    gb_status st;
    uint32_t *column = NULL;
    GB_TRY(gb_alloc(&column, labels->classes.count, sizeof *column, "levels of a covariate", err));
    for (uint64_t i = 0; i < labels->classes.count; i++)
        column[i] = column_of(field, &labels->classes, i);
    for (uint64_t d = 0; d < a->corpus->n_docs; d++)
        GB_TRY(apply_document(a, field, labels, column, d, err));
done:
    gb_free(column);
    return st;
}

/* ---- all ---- */

static gb_status fail_kind(const gb_coding_field *field, const char *kind, gb_error *err)
{
    return gb_fail(err, GB_EFORMAT, "covariate \"%s\" is a %s here and was a %s in training", field->name, kind,
                   gb_covariate_kind_name(field->kind));
}

static gb_status apply_field(application *a, const gb_coding_field *field, gb_error *err)
{
    for (size_t i = 0; i < a->corpus->n_numbers; i++) {
        const gb_numbers *numbers = &a->corpus->numbers[i];
        if (strcmp(numbers->name, field->name) == 0)
            return field->kind == GB_COVARIATE_NUMBER ? apply_numbers(a, field, numbers, err)
                                                      : fail_kind(field, "number", err);
    }
    for (size_t i = 0; i < a->corpus->n_labels; i++) {
        const gb_labels *labels = &a->corpus->labels[i];
        const gb_covariate_kind kind = labels->several ? GB_COVARIATE_LIST : GB_COVARIATE_FACTOR;
        if (strcmp(labels->name, field->name) == 0)
            return field->kind == kind ? apply_levels(a, field, labels, err)
                                       : fail_kind(field, gb_covariate_kind_name(kind), err);
    }
    return gb_fail(err, GB_EFORMAT, "documents have no covariate \"%s\", with which the model was trained",
                   field->name);
}

static bool imputes_mean(const gb_coding *coding, const gb_settings *settings)
{
    return gb_settings_is_set(settings, "impute") ? gb_settings_are(settings, "impute", "mean") : coding->impute_mean;
}

gb_status gb_coding_apply(const gb_coding *coding, const gb_corpus *corpus, const gb_settings *settings,
                          uint64_t first_row, gb_sparse_columns *out, gb_error *err)
{
    gb_status st = GB_OK;
    application a = {.coding = coding,
                     .corpus = corpus,
                     .first_row = first_row,
                     .unknown_is_error = gb_settings_are(settings, "unknown-level", "error")};
    if (!imputes_mean(coding, settings))
        GB_TRY(gb_coding_check_missing(coding, corpus, first_row, err));
    for (size_t i = 0; i < coding->n_fields; i++)
        GB_TRY(apply_field(&a, &coding->field[i], err));
    GB_TRY(gb_sparse_columns_create(out, corpus->n_docs, coding->n_columns, a.n_entries, a.entry, err));
done:
    gb_free(a.entry);
    return st;
}

static gb_status fail_embedding(const gb_coding *coding, const gb_corpus *corpus, gb_error *err)
{
    const size_t n = coding->embedding.n, width = corpus->embedding.width;
    if (width == 0)
        return gb_fail(
            err, GB_EFORMAT,
            "%s: `embeddings` is missing: the model was trained with embeddings, so a row of %zu numbers is "
            "needed for each document",
            gb_corpus_path(corpus), n);
    return gb_fail(err, GB_EFORMAT, "%s: embeddings of %zu numbers, and of %zu in training", gb_corpus_path(corpus),
                   width, n);
}

gb_status gb_coding_apply_embedding(const gb_coding *coding, const gb_corpus *corpus, const gb_settings *settings,
                                    uint64_t first_row, gb_dense_columns *out, gb_error *err)
{
    gb_status st;
    const size_t n = coding->embedding.n;
    const application a = {.coding = coding, .corpus = corpus, .first_row = first_row};
    gb_dense_columns x = {.n_docs = corpus->n_docs, .n_columns = n};
    if (n > 0 && corpus->embedding.width != n)
        return fail_embedding(coding, corpus, err);
    GB_TRY(gb_alloc(&x.value, corpus->n_docs * n, sizeof *x.value, "embeddings", err));
    for (uint64_t d = 0; d < corpus->n_docs && n > 0; d++) {
        const float *from = corpus->embedding.value + d * n;
        if (isnan(*from) && !imputes_mean(coding, settings)) {
            const document_name name = name_of(&a, d);
            st = gb_fail(err, GB_EFORMAT,
                         "document %llu (id %s) has no embedding; `impute` mean takes the mean in training", name.row,
                         name.id);
            goto done;
        }
        for (size_t j = 0; j < n && !isnan(*from); j++)
            x.value[d * n + j] = coding->embedding.sd[j] > 0
                                     ? (float)((from[j] - coding->embedding.mean[j]) / coding->embedding.sd[j])
                                     : 0;
    }
    *out = x;
    return st;
done:
    gb_free(x.value);
    return st;
}

gb_status gb_coding_apply_words(const gb_coding *coding, const gb_corpus *corpus, gb_sparse_columns *out,
                                gb_error *err)
{
    if (coding->words.n == 0)
        return gb_sparse_columns_allocate(out, corpus->n_docs, 0, 0, err);
    return gb_word_columns(corpus, coding->words.value, coding->words.weight, out, err);
}
