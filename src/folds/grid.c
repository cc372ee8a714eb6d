/* folds/grid.c - the settings between which a selection chooses. */
#include "folds/grid.h"

#include "base/memory.h"
#include "gibbous/select.h"

#include <stdio.h>
#include <string.h>

enum { MOST_CANDIDATES = 10000 };

/* ---- lists of values ------------------------------------------------------------------------------- */

/* What separates values: a semicolon if there is one.  A comma does where the option's own notation has none, and JSON is one value.
 * @return '\0' if the text is one value */
static char separator_of(const gb_option *option, const char *text)
{
    if (*text == '[' || *text == '{')
        return '\0';
    if (strchr(text, ';') != NULL)
        return ';';
    const bool names_fields = strchr(option->argument, '=') != NULL; /* or parts */
    const bool has_own = strchr(option->argument, ',') != NULL && !(names_fields && strchr(text, '=') == NULL);
    return strchr(text, ',') != NULL && !has_own ? ',' : '\0';
}

/* Options that a grid may have: those that say how the same documents are fitted, with one value each, in every training. */
static bool may_vary(const gb_option *option)
{
    return option->kind != GB_OPTION_LIST && strstr(option->needs, "not folds") == NULL &&
           (option->group == GB_GROUP_MODEL || option->group == GB_GROUP_SAMPLER);
}

gb_status gb_selection_set(gb_settings *settings, const char *name, const char *value, gb_error *err)
{
    gb_status st;
    char *entry = NULL;
    const gb_option *option = gb_option_find(name);
    if (option == NULL || !may_vary(option) || separator_of(option, value) == '\0')
        return gb_settings_set(settings, name, value, err);
    const size_t size = strlen(name) + strlen(value) + 2;
    GB_TRY(gb_alloc(&entry, size, 1, "the grid", err));
    (void)snprintf(entry, size, "%s=%s", name, value);
    GB_TRY(gb_settings_set(settings, "grid", entry, err));
done:
    gb_free(entry);
    return st;
}

/* ---- reading --------------------------------------------------------------------------------------- */

static gb_status add_value(gb_text_list *list, const char *text, size_t length, gb_error *err)
{
    gb_status st;
    size_t room = list->count;
    GB_TRY(gb_grow(&list->item, &room, list->count + 1, sizeof *list->item, "the grid", err));
    GB_TRY(gb_copy_text(&list->item[list->count], text, length, err));
    list->count++;
done:
    return st;
}

/* The option takes every value, and none is there twice. */
static gb_status check_values(const gb_grid_axis *axis, const gb_settings *settings, gb_error *err)
{
    gb_settings *trial = NULL;
    gb_status st = gb_settings_copy(settings, &trial, err);
    for (size_t i = 0; i < axis->values.count && st == GB_OK; i++) {
        st = gb_settings_set(trial, axis->option->name, axis->values.item[i], err);
        for (size_t j = 0; j < i && st == GB_OK; j++)
            if (strcmp(axis->values.item[i], axis->values.item[j]) == 0)
                st = gb_fail(err, GB_EARGUMENT, "`%s` has the value %s twice", axis->option->name,
                             axis->values.item[i]);
    }
    gb_settings_free(trial);
    return st;
}

static gb_status split_values(const char *text, char separator, gb_text_list *out, gb_error *err)
{
    gb_status st = GB_OK;
    const char stop[] = {separator, '\0'};
    for (;; text++) {
        const size_t length = strcspn(text, stop);
        GB_TRY(add_value(out, text, length, err));
        text += length;
        if (*text == '\0')
            break;
    }
done:
    return st;
}

static gb_status check_option(const gb_grid *grid, const char *name, const char *entry, gb_error *err)
{
    const gb_option *option = gb_option_find(name);
    if (option == NULL || !may_vary(option))
        return gb_fail(err, GB_EARGUMENT,
                       "`grid` needs an option of the model or the sampler, such as topics=20,50,100, not \"%s\"",
                       entry);
    for (size_t i = 0; i + 1 < grid->n_axes; i++)
        if (grid->axis[i].option == option)
            return gb_fail(err, GB_EARGUMENT, "`grid` has `%s` twice", name);
    return GB_OK;
}

/* "topics=20,50,100" */
static gb_status add_axis(gb_grid *grid, const gb_settings *settings, const char *entry, gb_error *err)
{
    gb_status st;
    char *name = NULL;
    const size_t length = strcspn(entry, "=");
    GB_TRY(gb_copy_text(&name, entry, length, err));
    GB_TRY(gb_grow(&grid->axis, &grid->room, grid->n_axes + 1, sizeof *grid->axis, "the grid", err));
    gb_grid_axis *axis = &grid->axis[grid->n_axes++];
    *axis = (gb_grid_axis){.option = gb_option_find(name)};
    GB_TRY(check_option(grid, name, entry, err));
    if (entry[length] == '\0') {
        st = gb_fail(err, GB_EARGUMENT, "`grid` \"%s\": expected values, such as topics=20,50,100", entry);
        goto done;
    }
    GB_TRY(split_values(entry + length + 1, separator_of(axis->option, entry + length + 1), &axis->values, err));
    GB_TRY(check_values(axis, settings, err));
    if (axis->values.count > MOST_CANDIDATES || grid->n_candidates * axis->values.count > MOST_CANDIDATES)
        st = gb_fail(err, GB_EARGUMENT, "the grid has more than %d settings; choose fewer values", MOST_CANDIDATES);
    grid->n_candidates *= axis->values.count;
done:
    gb_free(name);
    return st;
}

gb_status gb_grid_read(const gb_settings *settings, gb_grid *out, gb_error *err)
{
    gb_status st = GB_OK;
    out->n_candidates = 1;
    for (size_t i = 0; i < gb_settings_list(settings, "grid")->count && st == GB_OK; i++)
        st = add_axis(out, settings, gb_settings_list(settings, "grid")->item[i], err);
    if (st == GB_OK && out->n_candidates < 2)
        st = gb_fail(err, GB_EARGUMENT,
                     "nothing to choose between: give an option several values, such as `topics` 20,50,100");
    return st;
}

void gb_grid_clear(gb_grid *grid)
{
    for (size_t i = 0; i < grid->n_axes; i++) {
        for (size_t j = 0; j < grid->axis[i].values.count; j++)
            gb_free(grid->axis[i].values.item[j]);
        free(grid->axis[i].values.item);
    }
    gb_free(grid->axis);
}

/* ---- candidates ------------------------------------------------------------------------------------ */

const char *gb_grid_value(const gb_grid *grid, size_t candidate, size_t axis)
{
    for (size_t i = grid->n_axes; i-- > axis + 1;)
        candidate /= grid->axis[i].values.count;
    return grid->axis[axis].values.item[candidate % grid->axis[axis].values.count];
}

gb_status gb_grid_settings(const gb_grid *grid, const gb_settings *settings, size_t candidate, gb_settings **out,
                           gb_error *err)
{
    gb_settings *s = NULL;
    gb_status st = gb_settings_copy(settings, &s, err);
    if (st == GB_OK)
        st = gb_settings_unset(s, "grid", err);
    for (size_t i = 0; i < grid->n_axes && st == GB_OK; i++)
        st = gb_settings_set(s, grid->axis[i].option->name, gb_grid_value(grid, candidate, i), err);
    if (st != GB_OK) {
        gb_settings_free(s);
        return st;
    }
    *out = s;
    return GB_OK;
}

gb_status gb_grid_describe(const gb_grid *grid, size_t candidate, char **out, gb_error *err)
{
    gb_status st;
    char *text = NULL;
    size_t size = 1;
    for (size_t i = 0; i < grid->n_axes; i++)
        size += strlen(grid->axis[i].option->name) + strlen(gb_grid_value(grid, candidate, i)) + 3;
    GB_TRY(gb_alloc(&text, size, 1, "the grid", err));
    char *at = text;
    for (size_t i = 0; i < grid->n_axes; i++) {
        at = stpcpy(stpcpy(at, i == 0 ? "" : ", "), grid->axis[i].option->name);
        at = stpcpy(stpcpy(at, " "), gb_grid_value(grid, candidate, i));
    }
    *out = text;
done:
    return st;
}
