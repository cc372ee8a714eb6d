/* design/coding_constant.c - covariates that do not vary, and levels that are new, by name. */
#include "base/memory.h"
#include "base/text.h"
#include "design/coding_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names on their way into a text. */
typedef struct names {
    FILE *f;
    char *text;
    size_t size;
    bool any;
} names;

static gb_status open_names(names *n, gb_error *err)
{
    n->f = open_memstream(&n->text, &n->size);
    return n->f == NULL ? gb_fail_memory(err, 0, "names of covariates") : GB_OK;
}

static gb_status close_names(names *n, char **out, gb_error *err)
{
    if (fclose(n->f) != 0 || n->text == NULL) {
        free(n->text);
        return gb_fail_memory(err, n->size, "names of covariates");
    }
    *out = n->text;
    return GB_OK;
}

/* @param level  NULL: the field as a whole */
static void add_name(names *n, const gb_coding_field *field, const char *level)
{
    fprintf(n->f, "%s%s%s%s", n->any ? ", " : "", field->name, level == NULL ? "" : "=", level == NULL ? "" : level);
    n->any = true;
}

/* A field without a column, or levels that all documents have beside others that vary. */
gb_status gb_coding_list_constant(const gb_coding *coding, char **out, gb_error *err)
{
    names n = {.any = false};
    const gb_status st = open_names(&n, err);
    if (st != GB_OK)
        return st;
    for (size_t i = 0; coding != NULL && i < coding->n_fields; i++) {
        const gb_coding_field *field = &coding->field[i];
        if (field->n_columns == 0)
            add_name(&n, field, NULL);
        for (size_t j = 0; field->n_columns > 0 && j < field->constant.count; j++)
            add_name(&n, field, field->constant.name[j]);
    }
    return close_names(&n, out, err);
}

/* ---- beside another coding ---- */

static bool is_in(const gb_level_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->name[i], name) == 0)
            return true;
    return false;
}

static bool has_column(const gb_coding_field *field, const char *level)
{
    return is_in(&field->levels, level) || is_in(&field->rare, level);
}

static bool has_some(const gb_coding_field *field, const gb_level_list *levels)
{
    for (size_t i = 0; i < levels->count; i++)
        if (has_column(field, levels->name[i]))
            return true;
    return levels->count == 0;
}

static void compare_fields(names *n, const gb_coding_field *whole, const gb_coding_field *part)
{
    if (part->n_columns == 0 && whole->n_columns > 0) {
        add_name(n, whole, NULL);
        return;
    }
    for (size_t i = 0; i < whole->levels.count; i++)
        if (!has_column(part, whole->levels.name[i]))
            add_name(n, whole, whole->levels.name[i]);
    if (!has_some(part, &whole->rare))
        add_name(n, whole, GB_RARE_LEVEL);
}

gb_status gb_coding_list_lost(const gb_coding *whole, const gb_coding *part, char **out, gb_error *err)
{
    names n = {.any = false};
    const gb_status st = open_names(&n, err);
    if (st != GB_OK)
        return st;
    for (size_t i = 0; whole != NULL && part != NULL && i < whole->n_fields && i < part->n_fields; i++)
        compare_fields(&n, &whole->field[i], &part->field[i]);
    return close_names(&n, out, err);
}

/* ---- beside documents ---- */

static bool is_new(const gb_coding_field *field, const gb_texts *classes, uint64_t class)
{
    const gb_view level = gb_texts_view(classes, class);
    const gb_level_list *const known[] = {&field->levels, &field->rare, &field->constant};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (gb_level_list_find(known[i], level.text, level.length) < known[i]->count)
            return false;
    return true;
}

static gb_status add_new_levels(names *n, const gb_coding_field *field, const gb_labels *labels, uint64_t n_docs,
                                gb_error *err)
{
    gb_status st;
    bool *has = NULL;
    char *level = NULL;
    GB_TRY(gb_alloc(&has, labels->classes.count, sizeof *has, "levels of a covariate", err));
    for (uint64_t i = labels->doc_start[0]; i < labels->doc_start[n_docs]; i++)
        has[labels->class_of[i]] = true;
    for (uint64_t i = 0; i < labels->classes.count; i++) {
        if (!has[i] || !is_new(field, &labels->classes, i))
            continue;
        GB_TRY(gb_texts_copy(&labels->classes, i, &level, err));
        add_name(n, field, level);
        gb_free(level);
        level = NULL;
    }
done:
    gb_free(has);
    return st;
}

gb_status gb_coding_list_new_levels(const gb_coding *coding, const gb_corpus *corpus, char **out, gb_error *err)
{
    names n = {.any = false};
    gb_status st = open_names(&n, err);
    if (st != GB_OK)
        return st;
    for (size_t i = 0; st == GB_OK && i < coding->n_fields; i++)
        for (size_t j = 0; st == GB_OK && j < corpus->n_labels; j++)
            if (coding->field[i].takes_new_levels && strcmp(coding->field[i].name, corpus->labels[j].name) == 0)
                st = add_new_levels(&n, &coding->field[i], &corpus->labels[j], corpus->n_docs, err);
    if (st == GB_OK)
        return close_names(&n, out, err);
    (void)fclose(n.f);
    free(n.text);
    return st;
}
