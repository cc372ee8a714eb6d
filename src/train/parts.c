/* train/parts.c - the parts of a cross-validation: folds, or groups of documents. */
#include "train/parts.h"

#include "base/memory.h"
#include "corpus/data/field.h"
#include "corpus/data/subset.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void gb_held_parts_clear(gb_held_parts *parts)
{
    for (size_t i = 0; i < parts->n; i++) {
        gb_free(parts->part[i].name);
        gb_free(parts->part[i].is_held_out);
    }
    gb_free(parts->part);
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

static gb_status make_folds(gb_held_parts *parts, const gb_corpus *corpus, const gb_settings *s, gb_error *err)
{
    gb_status st;
    const size_t n = (size_t)s->folds;
    uint32_t *fold = NULL;
    if (n < 2 || n > corpus->n_docs)
        return gb_fail(err, GB_EARGUMENT,
                       "`folds` must be between 2 and the number of documents, %" PRIu64 ", not %zu", corpus->n_docs,
                       n);
    for (size_t i = 0; i < n; i++) {
        char name[24];
        (void)snprintf(name, sizeof name, "%zu", i + 1);
        GB_TRY(add_part(parts, corpus, name, err));
    }
    GB_TRY(gb_alloc(&fold, corpus->n_docs, sizeof *fold, "the folds", err));
    GB_TRY(gb_corpus_deal_folds(corpus->n_docs, n, s->seed < 0 ? 0 : (uint64_t)s->seed, fold, err));
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        hold_out(&parts->part[fold[d]], d);
done:
    gb_free(fold);
    return st;
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
    const uint64_t *start = field->classes.start + class;
    return strlen(value) == start[1] - start[0] && memcmp(value, field->classes.bytes + start[0], strlen(value)) == 0;
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
    const gb_text_list *groups = &settings->hold_out_group;
    if (settings->folds > 0 && groups->count > 0)
        return gb_fail(err, GB_EARGUMENT,
                       "`folds` and `hold-out-group` are two ways to hold documents out; choose one");
    if (groups->count == 0)
        return make_folds(out, corpus, settings, err);
    for (size_t i = 0; st == GB_OK && i < groups->count; i++)
        st = make_groups_of(out, corpus, groups->item[i], err);
    return st;
}

/* ---- reading --------------------------------------------------------------------------------------- */

/* A corpus file of which the user chooses none has all its fields. */
static bool has_all_fields(const char *path, const gb_settings *settings, size_t n_chosen)
{
    return n_chosen == 0 && gb_is_corpus_file(path, settings);
}

/* Read the field of a group unless another option names it. */
static gb_status add_group_field(const char *path, const char *option, gb_settings *reading, gb_error *err)
{
    gb_status st;
    gb_field *fields = NULL;
    size_t n_fields = 0;
    char *name = NULL;
    if (option[0] == '=')
        return gb_fail(err, GB_EARGUMENT, "`hold-out-group` \"%s\": a field without a name", option);
    GB_TRY(gb_fields_from_settings(&fields, &n_fields, reading, err));
    GB_TRY(gb_copy_text(&name, option, strcspn(option, "="), err));
    if (gb_fields_find(fields, n_fields, name) == NULL && !has_all_fields(path, reading, n_fields))
        GB_TRY(gb_settings_set(reading, "group", name, err));
done:
    gb_free(name);
    gb_fields_free(fields, n_fields);
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
    for (size_t i = 0; i < corpus->n_labels && !has_all_fields(path, settings, n_fields); i++) {
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
    GB_TRY(gb_settings_copy(settings, &reading, err));
    for (size_t i = 0; i < settings->hold_out_group.count; i++)
        GB_TRY(add_group_field(path, settings->hold_out_group.item[i], reading, err));
    GB_TRY(gb_corpus_read(path, reading, on_read, user, &corpus, err));
    GB_TRY(find_left_out(path, settings, corpus, is_left_out, err));
    *out = corpus;
    corpus = NULL;
done:
    gb_settings_free(reading);
    gb_corpus_free(corpus);
    return st;
}
