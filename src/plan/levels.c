/* plan/levels.c - the order of the levels of an ordinal response. */
#include "plan/levels.h"

#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/name.h"

#include <stdlib.h>
#include <string.h>

static void quote_label(const gb_labels *labels, uint64_t c, char out[static GB_QUOTE_SIZE])
{
    const gb_texts *t = &labels->classes;
    gb_text_quote(t->bytes + t->start[c], t->start[c + 1] - t->start[c], out);
}

/* ---- given by the user ---- */

/* The levels in an item for this field, or NULL. */
static const char *levels_in(const char *item, const char *field)
{
    const size_t n = strlen(field);
    return strncmp(item, field, n) == 0 && item[n] == '=' ? item + n + 1 : NULL;
}

/* The last item that names the field, else the last one that names none. */
static const char *find_item(const gb_text_list *given, const char *field)
{
    const char *found = NULL, *named = NULL;
    for (size_t i = 0; i < given->count; i++) {
        if (strchr(given->item[i], '=') == NULL)
            found = given->item[i];
        else if (levels_in(given->item[i], field) != NULL)
            named = levels_in(given->item[i], field);
    }
    return named != NULL ? named : found;
}

gb_status gb_levels_check(const gb_spec *spec, const gb_text_list *given, gb_error *err)
{
    for (size_t i = 0; i < given->count; i++) {
        bool found = strchr(given->item[i], '=') == NULL;
        for (size_t r = 0; r < spec->n_responses && !found; r++)
            found = spec->response[r].target.response.ops->target == GB_TARGET_LEVEL &&
                    levels_in(given->item[i], spec->response[r].target.field) != NULL;
        if (!found)
            return gb_fail(err, GB_EARGUMENT, "`levels` %s names a field that has no levels to predict",
                           given->item[i]);
    }
    return GB_OK;
}

/* "A,B,..." as names of classes. */
static gb_status read_levels(const char *text, gb_target *target, gb_error *err)
{
    gb_status st;
    size_t n = 1;
    for (const char *at = text; *at != '\0'; at++)
        n += *at == ',';
    GB_TRY(gb_alloc(&target->class_name, n, sizeof *target->class_name, "the levels", err));
    for (const char *at = text; target->n_classes < n; at += strcspn(at, ",") + 1) {
        const size_t length = strcspn(at, ",");
        const gb_view name = gb_name_trim((gb_view){at, length});
        for (size_t i = 0; i < target->n_classes; i++)
            if (gb_name_is(gb_view_of(target->class_name[i]), name))
                return gb_fail(err, GB_EARGUMENT, "`levels` names \"%.*s\" twice", GB_SHOWN(name));
        if (name.length == 0)
            return gb_fail(err, GB_EARGUMENT, "`levels` has an empty name: %s", text);
        GB_TRY(gb_name_copy(name, &target->class_name[target->n_classes++], err));
    }
    if (n < 2)
        return gb_fail(err, GB_EARGUMENT, "`levels` needs at least two levels, from the lowest to the highest");
done:
    return st;
}

static gb_status place_label(const gb_labels *labels, size_t c, gb_spec_response *r, gb_error *err)
{
    const gb_target *target = &r->target;
    for (size_t i = 0; i < target->n_classes; i++) {
        r->class_at[c] = i;
        if (gb_name_is(gb_view_of(target->class_name[i]), gb_texts_view(&labels->classes, c)))
            return GB_OK;
    }
    char label[GB_QUOTE_SIZE];
    quote_label(labels, c, label);
    return gb_fail(err, GB_EARGUMENT, "`levels` does not have the label %s of field \"%s\"", label, labels->name);
}

/* ---- by number ---- */

typedef struct numbered_label {
    double number;
    size_t label;
} numbered_label;

static int by_number(const void *a, const void *b)
{
    const double x = ((const numbered_label *)a)->number, y = ((const numbered_label *)b)->number;
    return (x > y) - (x < y);
}

static gb_status read_number(const gb_labels *labels, size_t c, double *out, gb_error *err)
{
    char *text = NULL, label[GB_QUOTE_SIZE];
    gb_status st = gb_texts_copy(&labels->classes, c, &text, err);
    if (st == GB_OK && gb_text_to_real(text, out) != GB_NUMBER_OK) {
        quote_label(labels, c, label);
        st = gb_fail(err, GB_EARGUMENT,
                     "label %s of field \"%s\" is not a number: give the order of the labels, from the lowest to the "
                     "highest, with `levels` A,B,...",
                     label, labels->name);
    }
    gb_free(text);
    return st;
}

static gb_status order_by_number(const gb_labels *labels, gb_spec_response *r, gb_error *err)
{
    gb_status st;
    const size_t n = labels->classes.count;
    numbered_label *order = NULL;
    GB_TRY(gb_alloc(&order, n, sizeof *order, "the levels", err));
    GB_TRY(gb_alloc(&r->target.class_name, n, sizeof *r->target.class_name, "the levels", err));
    for (size_t c = 0; c < n; c++) {
        order[c].label = c;
        GB_TRY(read_number(labels, c, &order[c].number, err));
    }
    qsort(order, n, sizeof *order, by_number);
    for (size_t i = 0; i < n; i++) {
        char label[GB_QUOTE_SIZE];
        quote_label(labels, order[i].label, label);
        if (i > 0 && order[i].number == order[i - 1].number) {
            st = gb_fail(err, GB_EARGUMENT, "label %s of field \"%s\" is the same number as another: give `levels`",
                         label, labels->name);
            goto done;
        }
        r->class_at[order[i].label] = i;
        GB_TRY(gb_texts_copy(&labels->classes, order[i].label, &r->target.class_name[i], err));
        r->target.n_classes = i + 1;
    }
done:
    gb_free(order);
    return st;
}

gb_status gb_levels_choose(const gb_labels *labels, const gb_text_list *given, gb_spec_response *r, gb_error *err)
{
    gb_status st;
    const char *item = find_item(given, labels->name);
    GB_TRY(gb_alloc(&r->class_at, labels->classes.count, sizeof *r->class_at, "the levels", err));
    if (item == NULL)
        return order_by_number(labels, r, err);
    GB_TRY(read_levels(item, &r->target, err));
    for (size_t c = 0; c < labels->classes.count; c++)
        GB_TRY(place_label(labels, c, r, err));
done:
    return st;
}
