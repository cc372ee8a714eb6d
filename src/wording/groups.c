/* wording/groups.c - which groups there are, and which one a document belongs to. */
#include "wording/wording.h"

#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/date.h"
#include "corpus/data/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const gb_wording_shape gb_wording_star = {.option = "content", .has_own_root = true},
                       gb_wording_chain = {.option = "evolve", .is_ordered = true};

/* Whose trees fit into memory; finer levels than that say nothing of their own. */
enum { MOST_LEVELS = 10000, LEVEL_SIZE = 32 };

static const gb_wording_shape *const shapes[] = {&gb_wording_star, &gb_wording_chain};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

/* ---- values of documents ------------------------------------------------------------------------------- */

/* The field in a corpus: of classes, or of numbers. */
typedef struct source {
    const gb_corpus *corpus;
    const gb_labels *labels;
    const gb_numbers *numbers;
    char text[LEVEL_SIZE]; /* of a number */
} source;

static bool find_field(const gb_corpus *corpus, const char *field, source *out)
{
    *out = (source){.corpus = corpus};
    for (size_t i = 0; i < corpus->n_labels; i++)
        if (strcmp(corpus->labels[i].name, field) == 0)
            out->labels = &corpus->labels[i];
    for (size_t i = 0; i < corpus->n_numbers; i++)
        if (strcmp(corpus->numbers[i].name, field) == 0)
            out->numbers = &corpus->numbers[i];
    return out->labels != NULL || out->numbers != NULL;
}

/* Empty: it is missing. */
static gb_view value_of(source *s, uint64_t d)
{
    const gb_labels *l = s->labels;
    if (l != NULL)
        return l->doc_start[d] == l->doc_start[d + 1] ? (gb_view){"", 0}
                                                      : gb_texts_view(&l->classes, l->class_of[l->doc_start[d]]);
    if (isnan(s->numbers->value[d]))
        return (gb_view){"", 0};
    const int length = snprintf(s->text, sizeof s->text, "%.15g", s->numbers->value[d]);
    return (gb_view){s->text, (size_t)length};
}

static bool read_value(gb_view text, double *value)
{
    return gb_view_to_real(text, value) || gb_view_to_date(text, value);
}

/* ---- making -------------------------------------------------------------------------------------------- */

typedef struct level {
    gb_view text;
    double value;
} level;

static int by_value(const void *a, const void *b)
{
    const level *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    const size_t n = x->text.length < y->text.length ? x->text.length : y->text.length;
    const int order = memcmp(x->text.text, y->text.text, n);
    return order != 0 ? order : (x->text.length > y->text.length) - (x->text.length < y->text.length);
}

/* Levels in their order: by their values if all have one, else by their bytes. */
static gb_status sort_levels(gb_wording *w, gb_words *found, gb_error *err)
{
    gb_status st;
    const uint32_t n = gb_words_count(found);
    level *list = NULL;
    uint32_t number, bad = n;
    GB_TRY(gb_alloc(&list, n, sizeof *list, "groups", err));
    for (uint32_t i = 0; i < n; i++) {
        list[i].text = gb_words_text(found, i);
        if (!read_value(list[i].text, &list[i].value))
            bad = i;
    }
    if (bad < n && w->shape->is_ordered) {
        st = gb_fail(err, GB_EFORMAT, "`%s` %s: \"%.*s\" is no number or date, so levels have no order",
                     w->shape->option, w->field, GB_SHOWN(list[bad].text));
        goto done;
    }
    for (uint32_t i = 0; bad < n && i < n; i++)
        list[i].value = 0;
    qsort(list, n, sizeof *list, by_value);
    if (bad == n)
        GB_TRY(gb_alloc(&w->value, n, sizeof *w->value, "groups", err));
    for (uint32_t i = 0; i < n; i++) {
        if (bad == n)
            w->value[i] = list[i].value;
        if (bad == n && i > 0 && list[i].value == list[i - 1].value) {
            st = gb_fail(err, GB_EFORMAT, "`%s` %s: \"%.*s\" and \"%.*s\" are the same level", w->shape->option,
                         w->field, GB_SHOWN(list[i - 1].text), GB_SHOWN(list[i].text));
            goto done;
        }
        GB_TRY(gb_words_add(w->levels, list[i].text, &number, err));
    }
    w->n_groups = n;
done:
    gb_free(list);
    return st;
}

static gb_status check_level(const gb_wording *w, const gb_corpus *corpus, uint64_t d, gb_view value, gb_words *found,
                             gb_error *err)
{
    if (value.length == 0) {
        const gb_view id = gb_texts_view(&corpus->ids, d);
        return gb_fail(err, GB_EFORMAT, "%s: document \"%.*s\": the field \"%s\" (`%s`) is missing",
                       gb_corpus_path(corpus), GB_SHOWN(id), w->field, w->shape->option);
    }
    if (gb_words_count(found) > MOST_LEVELS)
        return gb_fail(err, GB_EFORMAT, "`%s` %s: more than %d levels; make coarser ones, such as years",
                       w->shape->option, w->field, (int)MOST_LEVELS);
    return GB_OK;
}

static gb_status list_levels(gb_wording *w, const gb_corpus *corpus, gb_error *err)
{
    gb_status st;
    gb_words *found = NULL;
    source s;
    uint32_t number;
    if (!find_field(corpus, w->field, &s)) {
        char names[GB_FIELD_NAMES_SIZE];
        gb_corpus_field_names(corpus, names);
        return gb_fail(err, GB_EARGUMENT, "%s: no field \"%s\" (`%s`); %s", gb_corpus_path(corpus), w->field,
                       w->shape->option, names);
    }
    if (s.labels != NULL && s.labels->several)
        return gb_fail(err, GB_EARGUMENT, "`%s` %s: a document is in one group, and the field has lists",
                       w->shape->option, w->field);
    GB_TRY(gb_words_create(&found, err));
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        const gb_view value = value_of(&s, d);
        GB_TRY(check_level(w, corpus, d, value, found, err));
        GB_TRY(gb_words_add(found, value, &number, err));
    }
    if (gb_words_count(found) < 2)
        st = gb_fail(err, GB_EFORMAT, "`%s` %s: all documents have the same value", w->shape->option, w->field);
    if (st == GB_OK)
        st = sort_levels(w, found, err);
done:
    gb_words_free(found);
    return st;
}

/* Tables say the more of b the smaller it is, so a chain that starts low finds soon where it belongs. */
static const double START = 100;

static gb_status read_concentration(gb_wording *w, const gb_settings *settings, gb_error *err)
{
    static const char name[] = "wording-concentration";
    const char *text = gb_settings_text(settings, name);
    w->is_sampled = gb_gamma_law_is_meant(text);
    if (w->is_sampled && gb_gamma_law_read(text, &w->law)) {
        w->concentration = fmin(w->law.shape / w->law.rate, START);
        return GB_OK;
    }
    if (!w->is_sampled && gb_view_to_real((gb_view){text, strlen(text)}, &w->concentration) &&
        w->concentration >= GB_LEAST_CONCENTRATION && w->concentration <= GB_MOST_CONCENTRATION)
        return GB_OK;
    return gb_fail(err, GB_EARGUMENT, "`%s` must be a number above 0 or gamma:A,B, not \"%s\"", name, text);
}

gb_status gb_wording_make(const gb_corpus *corpus, const gb_settings *settings, gb_wording *out, gb_error *err)
{
    gb_status st = GB_OK;
    gb_wording w = {0};
    for (size_t i = 0; i < N_SHAPES; i++)
        if (*gb_settings_text(settings, shapes[i]->option) != '\0')
            w.shape = shapes[i];
    if (w.shape == NULL)
        goto done;
    const char *field = gb_settings_text(settings, w.shape->option);
    GB_TRY(gb_copy_text(&w.field, field, strlen(field), err));
    GB_TRY(gb_words_create(&w.levels, err));
    GB_TRY(read_concentration(&w, settings, err));
    GB_TRY(list_levels(&w, corpus, err));
    *out = w;
    w = (gb_wording){0};
done:
    gb_wording_clear(&w);
    return st;
}

void gb_wording_clear(gb_wording *w)
{
    gb_free(w->field);
    gb_words_free(w->levels);
    gb_free(w->value);
    *w = (gb_wording){0};
}

gb_view gb_wording_group(const gb_wording *w, uint32_t group)
{
    return gb_words_text(w->levels, group);
}

/* ---- documents ----------------------------------------------------------------------------------------- */

/* Of a level that training had not: the one before it, or the first. */
static uint32_t level_before(const gb_wording *w, double value)
{
    uint32_t first = 0, last = w->n_groups; /* of the levels above it */
    while (first < last) {
        const uint32_t middle = (first + last) / 2;
        if (w->value[middle] <= value)
            first = middle + 1;
        else
            last = middle;
    }
    return first == 0 ? 0 : first - 1;
}

/* The number of nodes: none. */
static uint32_t find_node(const gb_wording *w, gb_view text)
{
    double value;
    uint32_t group = gb_words_find(w->levels, text);
    if (group == GB_NO_WORD && w->value != NULL && read_value(text, &value)) {
        group = level_before(w, value);
        if (!w->shape->is_ordered && w->value[group] != value)
            group = GB_NO_WORD;
    }
    return group == GB_NO_WORD ? gb_wording_n_nodes(w) : gb_wording_node_of(w, group);
}

static gb_status fail_document(const gb_wording *w, const gb_corpus *corpus, uint64_t first_row, uint64_t d,
                               gb_view value, gb_error *err)
{
    char id[GB_QUOTE_SIZE], quote[GB_QUOTE_SIZE];
    const gb_view name = gb_texts_view(&corpus->ids, d);
    const unsigned long long row = (unsigned long long)(first_row + d + 1);
    gb_text_quote(name.text, name.length, id);
    gb_text_quote(value.text, value.length, quote);
    if (value.length == 0)
        return gb_fail(
            err, GB_EFORMAT,
            "document %llu (id %s): the field \"%s\" (`%s`) is missing; `impute` mean gives it the words of "
            "all documents",
            row, id, w->field, w->shape->option);
    return gb_fail(
        err, GB_EFORMAT,
        "document %llu (id %s): the field \"%s\" (`%s`) is %s, which training did not have; `unknown-level` "
        "reference gives it the words that all groups have in common",
        row, id, w->field, w->shape->option, quote);
}

gb_status gb_wording_find_nodes(const gb_wording *w, const gb_corpus *corpus, const gb_settings *settings,
                                uint64_t first_row, uint32_t *node, gb_error *err)
{
    source s;
    const bool imputes = settings != NULL && gb_settings_are(settings, "impute", "mean"),
               takes_others = settings != NULL && gb_settings_are(settings, "unknown-level", "reference");
    const uint32_t none = gb_wording_n_nodes(w);
    if (!find_field(corpus, w->field, &s))
        return gb_fail(err, GB_EARGUMENT, "%s: no field \"%s\", which says whose words a document has (`%s`)",
                       gb_corpus_path(corpus), w->field, w->shape->option);
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        const gb_view value = value_of(&s, d);
        node[d] = value.length == 0 ? none : find_node(w, value);
        if (node[d] == none && !(value.length == 0 ? imputes : takes_others))
            return fail_document(w, corpus, first_row, d, value, err);
        if (node[d] == none && value.length > 0 && w->shape->has_own_root)
            node[d] = none - 1;
    }
    return GB_OK;
}

/* ---- in files ------------------------------------------------------------------------------------------ */

json_t *gb_wording_to_json(const gb_wording *w)
{
    json_t *levels = json_array();
    int failed = levels == NULL;
    for (uint32_t g = 0; g < w->n_groups && !failed; g++) {
        const gb_view name = gb_wording_group(w, g);
        failed = json_array_append_new(levels, json_stringn(name.text, name.length));
    }
    if (failed) {
        json_decref(levels);
        return NULL;
    }
    return json_pack("{s:s, s:s, s:o, s:b, s:f, s:[f, f]}", "option", w->shape->option, "field", w->field, "levels",
                     levels, "is_sampled", w->is_sampled, "concentration", w->concentration, "law", w->law.shape,
                     w->law.rate);
}

static gb_status damaged(gb_error *err)
{
    return gb_fail(err, GB_EFORMAT, "what groups of documents it has is damaged");
}

static gb_status add_levels(gb_wording *w, const json_t *levels, gb_error *err)
{
    gb_status st = GB_OK;
    size_t n_values = 0;
    const size_t n = json_array_size(levels);
    uint32_t number;
    if (n < 2 || n > MOST_LEVELS + 1)
        return damaged(err);
    GB_TRY(gb_alloc(&w->value, n, sizeof *w->value, "groups", err));
    for (size_t i = 0; i < n; i++) {
        const json_t *name = json_array_get(levels, i);
        const gb_view text = {json_is_string(name) ? json_string_value(name) : "", json_string_length(name)};
        if (text.length == 0)
            return damaged(err);
        GB_TRY(gb_words_add(w->levels, text, &number, err));
        if (number != i)
            return damaged(err);
        w->n_groups++;
        n_values += read_value(text, &w->value[i]) && (i == 0 || w->value[i] > w->value[i - 1]);
    }
    if (n_values == n)
        return GB_OK;
    gb_free(w->value);
    w->value = NULL;
    return w->shape->is_ordered ? damaged(err) : GB_OK;
done:
    return st;
}

gb_status gb_wording_from_json(const json_t *object, gb_wording *out, gb_error *err)
{
    gb_status st = GB_OK;
    gb_wording w = {0};
    const char *option, *field;
    json_t *levels;
    int is_sampled;
    if (object == NULL)
        return GB_OK;
    if (json_unpack((json_t *)(uintptr_t)object, "{s:s, s:s, s:o, s:b, s:F, s:[F, F]}", "option", &option, "field",
                    &field, "levels", &levels, "is_sampled", &is_sampled, "concentration", &w.concentration, "law",
                    &w.law.shape, &w.law.rate) != 0 ||
        !(w.concentration > 0) || !(w.law.shape >= 0) || !(w.law.rate >= 0))
        return damaged(err);
    for (size_t i = 0; i < N_SHAPES; i++)
        if (strcmp(shapes[i]->option, option) == 0)
            w.shape = shapes[i];
    if (w.shape == NULL)
        return damaged(err);
    w.is_sampled = is_sampled != 0;
    GB_TRY(gb_words_create(&w.levels, err));
    GB_TRY(gb_copy_text(&w.field, field, strlen(field), err));
    GB_TRY(add_levels(&w, levels, err));
    *out = w;
    w = (gb_wording){0};
done:
    gb_wording_clear(&w);
    return st;
}

gb_status gb_wording_copy(const gb_wording *from, gb_wording *out, gb_error *err)
{
    if (from->shape == NULL)
        return GB_OK;
    json_t *object = gb_wording_to_json(from);
    const gb_status st = object == NULL ? gb_fail_memory(err, 0, "groups") : gb_wording_from_json(object, out, err);
    json_decref(object);
    return st;
}
