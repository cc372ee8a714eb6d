/* folds/parts.c - the parts of a cross-validation: folds, or groups of documents. */
#include "folds/parts.h"
#include "corpus/readers/reader.h"

#include "base/memory.h"
#include "corpus/data/field.h"
#include "corpus/data/name.h"
#include "corpus/data/subset.h"
#include "folds/fold_by.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void gb_held_parts_clear(gb_held_parts *parts)
{
    for (size_t i = 0; i < parts->n; i++) {
        gb_free(parts->part[i].name);
        gb_free(parts->part[i].is_held_out);
        gb_free(parts->part[i].is_unused);
        gb_free(parts->part[i].lost);
    }
    gb_free(parts->part);
    gb_free(parts->group);
}

static gb_status add_part(gb_held_parts *parts, const gb_corpus *corpus, const char *name, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_grow(&parts->part, &parts->room, parts->n + 1, sizeof *parts->part, "the parts", err));
    gb_held_part *p = &parts->part[parts->n++];
    *p = (gb_held_part){.name = NULL};
    GB_TRY(gb_copy_text(&p->name, name, strlen(name), err));
    GB_TRY(gb_alloc(&p->is_held_out, corpus->n_docs, sizeof *p->is_held_out, "the parts", err));
done:
    return st;
}

static void hold_out(gb_held_part *p, uint64_t d)
{
    p->n_held_out += !p->is_held_out[d];
    p->is_held_out[d] = true;
}

/* ---- folds ----------------------------------------------------------------------------------------- */

static gb_status leave_out(gb_held_part *p, uint64_t n_docs, uint64_t d, gb_error *err)
{
    gb_status st = GB_OK;
    if (p->is_unused == NULL)
        st = gb_alloc(&p->is_unused, n_docs, sizeof *p->is_unused, "the parts", err);
    if (st == GB_OK)
        p->is_unused[d] = true;
    return st;
}

/* By time, a document is held out once, or never if it is among the first, and unused as long as it is in the future. */
static gb_status take_fold(gb_held_parts *parts, uint64_t n_docs, uint64_t d, uint32_t fold, bool is_time,
                           gb_error *err)
{
    gb_status st = GB_OK;
    if (!is_time || fold > 0)
        hold_out(&parts->part[is_time ? fold - 1 : fold], d);
    for (size_t i = 0; is_time && st == GB_OK && i + 1 < fold; i++)
        st = leave_out(&parts->part[i], n_docs, d, err);
    return st;
}

static gb_status make_folds(gb_held_parts *parts, const gb_corpus *corpus, const gb_settings *s, gb_error *err)
{
    gb_status st;
    const size_t n = (size_t)gb_settings_int(s, "folds");
    uint32_t *fold = NULL;
    gb_fold_by by = {.kind = GB_FOLDS_RANDOM};
    if (n < 2 || n > corpus->n_docs)
        return gb_fail(err, GB_EARGUMENT,
                       "`folds` must be between 2 and the number of documents, %" PRIu64 ", not %zu", corpus->n_docs,
                       n);
    for (size_t i = 0; i < n; i++) {
        char name[24];
        (void)snprintf(name, sizeof name, "%zu", i + 1);
        GB_TRY(add_part(parts, corpus, name, err));
    }
    GB_TRY(gb_fold_by_read(s, &by, err));
    GB_TRY(gb_alloc(&fold, corpus->n_docs, sizeof *fold, "the folds", err));
    GB_TRY(gb_deal_documents(corpus, &by, n, (uint64_t)gb_settings_int_or(s, "seed", 0), fold, err));
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        GB_TRY(take_fold(parts, corpus->n_docs, d, fold[d], by.kind == GB_FOLDS_TIME, err));
    if (by.kind == GB_FOLDS_GROUP) {
        GB_TRY(gb_alloc(&parts->group, corpus->n_docs, sizeof *parts->group, "the parts", err));
        GB_TRY(gb_number_groups(corpus, &by, parts->group, err));
    }
done:
    gb_free(fold);
    return st;
}

gb_status gb_held_parts_shrink(gb_held_parts *parts, const gb_corpus *corpus, uint64_t divisor, uint64_t seed,
                               gb_error *err)
{
    gb_status st;
    uint32_t *rank = NULL;
    const uint64_t n_docs = corpus->n_docs;
    GB_TRY(gb_alloc(&rank, n_docs, sizeof *rank, "the parts", err));
    GB_TRY(gb_corpus_deal_folds(n_docs, n_docs, seed, rank, err));
    for (size_t i = 0; i < parts->n; i++)
        for (uint64_t d = 0; d < n_docs; d++)
            if (rank[d] >= (n_docs + divisor - 1) / divisor) {
                GB_TRY(leave_out(&parts->part[i], n_docs, d, err));
                parts->part[i].n_held_out -= parts->part[i].is_held_out[d];
                parts->part[i].is_held_out[d] = false;
            }
done:
    gb_free(rank);
    return st;
}

/* ---- units ----------------------------------------------------------------------------------------- */

/* Numbers without gaps. */
typedef struct numbering {
    uint64_t *number, n; /* number: by key; 0: none yet, else one more */
} numbering;

static uint64_t number_of(numbering *b, uint64_t key)
{
    if (b->number[key] == 0)
        b->number[key] = ++b->n;
    return b->number[key] - 1;
}

gb_status gb_held_parts_units(const gb_held_parts *parts, uint64_t n_docs, uint64_t ***unit, uint64_t *n_units,
                              gb_error *err)
{
    gb_status st;
    uint64_t **list = NULL;
    numbering b = {.n = 0};
    GB_TRY(gb_alloc(&list, parts->n, sizeof *list, "the parts", err));
    *unit = list; /* freed by the caller, also on failure */
    GB_TRY(gb_alloc(&b.number, n_docs + parts->n, sizeof *b.number, "the parts", err));
    for (size_t i = 0; i < parts->n; i++) {
        uint64_t row = 0;
        GB_TRY(gb_alloc(&list[i], parts->part[i].n_held_out, sizeof *list[i], "the parts", err));
        for (uint64_t d = 0; d < n_docs; d++)
            if (parts->part[i].is_held_out[d])
                list[i][row++] = number_of(&b, parts->are_groups ? i : parts->group != NULL ? parts->group[d] : d);
    }
    *n_units = b.n;
done:
    gb_free(b.number);
    return st;
}

/* ---- cutting --------------------------------------------------------------------------------------- */

static gb_status check_sizes(const gb_held_part *part, const gb_corpus *corpus, gb_error *err)
{
    uint64_t n_training = 0;
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        n_training += !part->is_held_out[d] && (part->is_unused == NULL || !part->is_unused[d]);
    if (n_training > 0 && part->n_held_out > 0)
        return GB_OK;
    return gb_fail(err, GB_EARGUMENT, "%s: no document is left to %s", gb_corpus_path(corpus),
                   n_training > 0 ? "score" : "train on");
}

/* The others are dropped first; documents keep their order. */
static gb_status split_used(const gb_held_part *part, const gb_corpus *corpus, gb_corpus **training,
                            gb_corpus **held_out, uint64_t **n_unknown, gb_error *err)
{
    gb_status st;
    gb_corpus *used = NULL, *unused = NULL;
    bool *is_held_out = NULL;
    uint64_t *nothing = NULL, n = 0;
    GB_TRY(gb_alloc(&is_held_out, corpus->n_docs, sizeof *is_held_out, "the parts", err));
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        if (!part->is_unused[d])
            is_held_out[n++] = part->is_held_out[d];
    GB_TRY(gb_corpus_split(corpus, part->is_unused, NULL, &used, &unused, &nothing, err));
    GB_TRY(gb_corpus_split(used, is_held_out, NULL, training, held_out, n_unknown, err));
done:
    gb_free(is_held_out);
    gb_free(nothing);
    gb_corpus_free(used);
    gb_corpus_free(unused);
    return st;
}

gb_status gb_held_part_split(const gb_held_part *part, const gb_corpus *corpus, gb_corpus **training,
                             gb_corpus **held_out, uint64_t **n_unknown, gb_error *err)
{
    if (part->is_unused == NULL)
        return gb_corpus_split(corpus, part->is_held_out, NULL, training, held_out, n_unknown, err);
    const gb_status st = check_sizes(part, corpus, err);
    return st == GB_OK ? split_used(part, corpus, training, held_out, n_unknown, err) : st;
}

/* ---- groups ---------------------------------------------------------------------------------------- */

/* The documents with a class of a field. */
static gb_status add_group(gb_held_parts *parts, const gb_corpus *corpus, const gb_labels *field, uint32_t class,
                           gb_error *err)
{
    gb_status st;
    char *value = NULL, *name = NULL;
    GB_TRY(gb_texts_copy(&field->classes, class, &value, err));
    GB_TRY(gb_alloc(&name, strlen(field->name) + strlen(value) + 2, 1, "the parts", err));
    (void)stpcpy(stpcpy(stpcpy(name, field->name), "="), value);
    GB_TRY(add_part(parts, corpus, name, err));
    gb_held_part *p = &parts->part[parts->n - 1];
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        for (uint64_t i = field->doc_start[d]; i < field->doc_start[d + 1]; i++)
            if (field->class_of[i] == class)
                hold_out(p, d);
    if (p->n_held_out == corpus->n_docs)
        st = gb_fail(err, GB_EFORMAT, "%s: all documents have %s; none is left for a training",
                     gb_corpus_path(corpus), name);
done:
    gb_free(value);
    gb_free(name);
    return st;
}

static const gb_labels *find_field(const gb_corpus *corpus, const char *name, size_t length)
{
    for (size_t i = 0; i < corpus->n_labels; i++)
        if (strlen(corpus->labels[i].name) == length && memcmp(corpus->labels[i].name, name, length) == 0)
            return &corpus->labels[i];
    return NULL;
}

static bool is_class(const gb_labels *field, uint32_t class, const char *value)
{
    return gb_name_is(gb_texts_view(&field->classes, class), gb_view_of(value));
}

/* "FIELD=VALUE" is one part, "FIELD" one for each value that a document has. */
static gb_status make_groups_of(gb_held_parts *parts, const gb_corpus *corpus, const char *option, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t length = strcspn(option, "="), n_before = parts->n;
    const char *value = option[length] == '=' ? option + length + 1 : NULL;
    const gb_labels *field = find_field(corpus, option, length);
    if (field == NULL)
        return gb_fail(err, GB_EFORMAT, "%s: no field \"%.*s\" with classes or groups to hold out",
                       gb_corpus_path(corpus), (int)length, option);
    for (uint32_t c = 0; c < field->classes.count; c++)
        if (value == NULL || is_class(field, c, value))
            GB_TRY(add_group(parts, corpus, field, c, err));
    if (parts->n == n_before)
        return gb_fail(err, GB_EFORMAT, "%s: no document has \"%s\" in field \"%.*s\"", gb_corpus_path(corpus),
                       value == NULL ? "a value" : value, (int)length, option);
done:
    return st;
}

gb_status gb_held_parts_make(gb_held_parts *out, const gb_corpus *corpus, const gb_settings *settings, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_text_list *groups = gb_settings_list(settings, "hold-out-group");
    if (groups->count == 0)
        return make_folds(out, corpus, settings, err);
    for (size_t i = 0; st == GB_OK && i < groups->count; i++)
        st = make_groups_of(out, corpus, groups->item[i], err);
    out->are_groups = out->n > 1;
    return st;
}

/* ---- reading --------------------------------------------------------------------------------------- */

/* A corpus file of which the user chooses none has all its fields; a formula leaves them there. */
static bool has_all_fields(const char *path, const gb_settings *settings, const gb_field *fields, size_t n_fields)
{
    for (size_t i = 0; i < n_fields; i++)
        if (fields[i].role != GB_ROLE_PREVALENCE)
            return false;
    return gb_is_corpus_file(path, settings);
}

/* Read a field unless another option names it. */
static gb_status add_field(const char *path, const char *name, gb_settings *reading, gb_error *err)
{
    gb_status st;
    gb_field *fields = NULL;
    size_t n_fields = 0;
    GB_TRY(gb_fields_from_settings(&fields, &n_fields, reading, err));
    if (gb_fields_find(fields, n_fields, name) == NULL && !has_all_fields(path, reading, fields, n_fields))
        GB_TRY(gb_settings_set(reading, "group", name, err));
done:
    gb_fields_free(fields, n_fields);
    return st;
}

/* @param option  "FIELD" or "FIELD=VALUE" */
static gb_status add_group_field(const char *path, const char *option, gb_settings *reading, gb_error *err)
{
    char *name = NULL;
    if (option[0] == '=')
        return gb_fail(err, GB_EARGUMENT, "`hold-out-group` \"%s\": a field without a name", option);
    gb_status st = gb_copy_text(&name, option, strcspn(option, "="), err);
    if (st == GB_OK)
        st = add_field(path, name, reading, err);
    gb_free(name);
    return st;
}

/* Groups that the user did not ask for. */
static gb_status find_left_out(const char *path, const gb_settings *settings, const gb_corpus *corpus,
                               bool **is_left_out, gb_error *err)
{
    gb_status st;
    gb_field *fields = NULL;
    size_t n_fields = 0;
    bool *list = NULL, any = false;
    GB_TRY(gb_fields_from_settings(&fields, &n_fields, settings, err));
    GB_TRY(gb_alloc(&list, corpus->n_labels, sizeof *list, "the fields", err));
    for (size_t i = 0; i < corpus->n_labels && !has_all_fields(path, settings, fields, n_fields); i++) {
        const gb_labels *field = &corpus->labels[i];
        list[i] = field->role == GB_ROLE_GROUP && gb_fields_find(fields, n_fields, field->name) == NULL;
        any = any || list[i];
    }
    *is_left_out = any ? list : NULL;
    list = any ? NULL : list;
done:
    gb_free(list);
    gb_fields_free(fields, n_fields);
    return st;
}

gb_status gb_held_parts_read(const char *path, const gb_settings *settings, gb_on_read *on_read, void *user,
                             gb_corpus **out, bool **is_left_out, gb_error *err)
{
    gb_status st;
    gb_settings *reading = NULL;
    gb_corpus *corpus = NULL;
    gb_fold_by by;
    GB_TRY(gb_fold_by_read(settings, &by, err));
    GB_TRY(gb_settings_copy(settings, &reading, err));
    for (size_t i = 0; i < gb_settings_list(settings, "hold-out-group")->count; i++)
        GB_TRY(add_group_field(path, gb_settings_list(settings, "hold-out-group")->item[i], reading, err));
    if (by.kind == GB_FOLDS_GROUP || by.kind == GB_FOLDS_TIME)
        GB_TRY(add_field(path, by.field, reading, err));
    GB_TRY(gb_corpus_read_copy(path, reading, on_read, user, &corpus, err));
    GB_TRY(find_left_out(path, settings, corpus, is_left_out, err));
    *out = corpus;
    corpus = NULL;
done:
    gb_settings_free(reading);
    gb_corpus_free(corpus);
    return st;
}

gb_status gb_held_parts_drop_fields(gb_corpus **corpus, const bool *is_left_out, gb_error *err)
{
    gb_status st;
    bool *none = NULL;
    gb_corpus *documents = NULL, *nothing = NULL;
    uint64_t *n_unknown = NULL;
    if (is_left_out == NULL)
        return GB_OK;
    GB_TRY(gb_alloc(&none, (*corpus)->n_docs, sizeof *none, "the parts", err));
    GB_TRY(gb_corpus_split(*corpus, none, is_left_out, &documents, &nothing, &n_unknown, err));
    GB_TRY(gb_corpus_set_path(documents, gb_corpus_path(*corpus), err));
    gb_corpus_free(*corpus);
    *corpus = documents;
    documents = NULL;
done:
    gb_free(none);
    gb_free(n_unknown);
    gb_corpus_free(documents);
    gb_corpus_free(nothing);
    return st;
}
