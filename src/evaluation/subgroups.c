/* evaluation/subgroups.c - scores of the documents that have one value of a field. */
#include "evaluation/subgroups.h"

#include "base/memory.h"
#include "base/text.h"
#include "evaluation/evaluation_private.h"

#include <stdlib.h>
#include <string.h>

static const char what[] = "subgroups";

gb_status gb_subgroups_start(gb_subgroups *s, const char *field, gb_error *err)
{
    return gb_copy_text(&s->field, field, strlen(field), err);
}

void gb_subgroups_clear(gb_subgroups *s)
{
    for (size_t i = 0; i < s->n_values; i++)
        gb_free(s->value[i]);
    gb_free(s->value);
    gb_free(s->member);
    gb_free(s->field);
    *s = (gb_subgroups){.field = NULL};
}

/* ---- documents ------------------------------------------------------------------------------------- */

static gb_status find_field(const gb_subgroups *s, const gb_corpus *docs, const gb_labels **out, gb_error *err)
{
    char names[GB_FIELD_NAMES_SIZE];
    for (size_t i = 0; i < docs->n_labels; i++)
        if (strcmp(docs->labels[i].name, s->field) == 0) {
            *out = &docs->labels[i];
            return GB_OK;
        }
    for (size_t i = 0; i < docs->n_numbers; i++)
        if (strcmp(docs->numbers[i].name, s->field) == 0)
            return gb_fail(err, GB_EFORMAT,
                           "%s: the field \"%s\" holds numbers, and `subgroups` takes classes; give ranges of it to "
                           "a field of their own",
                           gb_corpus_path(docs), s->field);
    gb_corpus_field_names(docs, names);
    return gb_fail(err, GB_EFORMAT, "%s: there is no field \"%s\" for `subgroups`; %s", gb_corpus_path(docs),
                   s->field, names);
}

static gb_status find_value(gb_subgroups *s, gb_view text, const gb_corpus *docs, size_t *out, gb_error *err)
{
    gb_status st;
    for (*out = 0; *out < s->n_values; ++*out)
        if (strlen(s->value[*out]) == text.length && memcmp(s->value[*out], text.text, text.length) == 0)
            return GB_OK;
    if (s->n_values == GB_MOST_SUBGROUPS)
        return gb_fail(err, GB_EFORMAT,
                       "%s: the field \"%s\" has more than %d values; `subgroups` takes fields of few",
                       gb_corpus_path(docs), s->field, GB_MOST_SUBGROUPS);
    GB_TRY(gb_grow(&s->value, &s->value_room, s->n_values + 1, sizeof *s->value, what, err));
    GB_TRY(gb_copy_text(&s->value[s->n_values], text.text, text.length, err));
    s->n_values++;
done:
    return st;
}

gb_status gb_subgroups_add(gb_subgroups *s, uint64_t first, const gb_corpus *docs, gb_error *err)
{
    gb_status st;
    const gb_labels *labels = NULL;
    size_t *value_of = NULL; /* of each class of the field; SIZE_MAX: not looked up yet */
    GB_TRY(find_field(s, docs, &labels, err));
    GB_TRY(gb_alloc(&value_of, labels->classes.count, sizeof *value_of, what, err));
    for (uint64_t c = 0; c < labels->classes.count; c++)
        value_of[c] = SIZE_MAX;
    for (uint64_t d = 0; d < docs->n_docs; d++)
        for (uint64_t i = labels->doc_start[d]; labels->labelled[d] && i < labels->doc_start[d + 1]; i++) {
            const uint32_t c = labels->class_of[i];
            if (value_of[c] == SIZE_MAX)
                GB_TRY(find_value(s, gb_texts_view(&labels->classes, c), docs, &value_of[c], err));
            GB_TRY(gb_grow(&s->member, &s->room, s->n + 1, sizeof *s->member, what, err));
            s->member[s->n++] = (struct gb_subgroup_member){first + d, value_of[c]};
        }
done:
    gb_free(value_of);
    return st;
}

/* ---- values ---------------------------------------------------------------------------------------- */

static int in_order(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    double number[2];
    if (gb_text_to_real(x, &number[0]) == GB_NUMBER_OK && gb_text_to_real(y, &number[1]) == GB_NUMBER_OK &&
        number[0] != number[1])
        return number[0] < number[1] ? -1 : 1;
    return strcmp(x, y);
}

gb_status gb_subgroup_values(size_t n_parts, gb_evaluation *const *part, size_t field, const char ***value,
                             size_t *n_values, gb_error *err)
{
    gb_status st;
    const char **all = NULL;
    size_t n = 0, n_different = 0;
    for (size_t i = 0; i < n_parts; i++)
        n += part[i]->subgroups[field].n_values;
    GB_TRY(gb_alloc(&all, n, sizeof *all, what, err));
    n = 0;
    for (size_t i = 0; i < n_parts; i++)
        for (size_t j = 0; j < part[i]->subgroups[field].n_values; j++)
            all[n++] = part[i]->subgroups[field].value[j];
    if (n > 0)
        qsort(all, n, sizeof *all, in_order);
    for (size_t i = 0; i < n; i++)
        if (n_different == 0 || strcmp(all[n_different - 1], all[i]) != 0)
            all[n_different++] = all[i];
    *value = all;
    *n_values = n_different;
done:
    return st;
}

/* ---- scores ---------------------------------------------------------------------------------------- */

/* Numbers, from *n on, for the documents of a part that have the value; GB_NO_UNIT for the others. */
static void number_documents(const gb_evaluation *part, size_t field, const char *value, uint64_t *unit, uint64_t *n)
{
    const gb_subgroups *s = &part->subgroups[field];
    for (uint64_t d = 0; d < part->n_docs; d++)
        unit[d] = value == NULL ? (*n)++ : GB_NO_UNIT;
    for (size_t i = 0; value != NULL && i < s->n; i++)
        if (strcmp(s->value[s->member[i].value], value) == 0)
            unit[s->member[i].doc] = (*n)++;
}

gb_status gb_subgroup_score(size_t n_parts, gb_evaluation *const *part, size_t field, const char *value,
                            uint64_t *n_docs, gb_pooled *out, gb_error *err)
{
    gb_status st;
    uint64_t **unit = NULL;
    *n_docs = 0;
    GB_TRY(gb_alloc(&unit, n_parts, sizeof *unit, what, err));
    for (size_t i = 0; i < n_parts; i++) {
        GB_TRY(gb_alloc(&unit[i], part[i]->n_docs, sizeof **unit, what, err));
        number_documents(part[i], field, value, unit[i], n_docs);
    }
    st = gb_pool_evaluations(n_parts, part, unit, *n_docs, part[0]->seed, out, err);
done:
    for (size_t i = 0; unit != NULL && i < n_parts; i++)
        gb_free(unit[i]);
    gb_free(unit);
    return st;
}
