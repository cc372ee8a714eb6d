/* corpus/data/join.c - documents of several corpora that have the same words and classes, as one corpus.
 *
 * Arrays grow; memory that is not written to costs nothing. */
#include "corpus/data/join.h"

#include "base/memory.h"

#include <string.h>

static const char *const what = "documents of several files";

/* An array that grows. */
typedef struct growing {
    char *item;
    size_t size, n, capacity; /* size: bytes of an item */
} growing;

/* Lists of items: list i is item[start[i]] .. item[start[i + 1] - 1]. */
typedef struct lists {
    growing start; /* one more than there are lists */
    growing items;
} lists;

typedef struct label_arrays {
    lists classes;
    growing labelled;
} label_arrays;

struct gb_join {
    gb_corpus *out; /* all but its documents */
    uint64_t n_docs;
    lists tokens, ids;
    label_arrays *labels; /* of each field */
    growing *numbers;     /* of each field */
};

/* ---- arrays -------------------------------------------------------------------------------------------- */

static gb_status append(growing *g, const void *item, size_t n, gb_error *err)
{
    gb_status st = GB_OK;
    if (n == 0)
        return st;
    GB_TRY(gb_grow(&g->item, &g->capacity, g->n + n, g->size, what, err));
    memcpy(g->item + g->n * g->size, item, n * g->size);
    g->n += n;
done:
    return st;
}

/* Give the array away, without room that is not used; that this fails is no failure. */
static void *take(growing *g)
{
    char *item = g->item;
    char *smaller = g->n == 0 ? NULL : realloc(item, g->n * g->size);
    *g = (growing){.size = g->size};
    return smaller == NULL ? item : smaller;
}

static gb_status begin_lists(lists *l, size_t size, gb_error *err)
{
    const uint64_t zero = 0;
    *l = (lists){.start = {.size = sizeof zero}, .items = {.size = size}};
    return append(&l->start, &zero, 1, err);
}

/* Lists first..last-1. */
static gb_status append_lists(lists *l, const uint64_t *start, const void *item, uint64_t first, uint64_t last,
                              gb_error *err)
{
    gb_status st;
    const size_t before = l->items.n, n_lists = (size_t)(last - first),
                 n_items = (size_t)(start[last] - start[first]);
    if (n_items > 0)
        GB_TRY(append(&l->items, (const char *)item + start[first] * l->items.size, n_items, err));
    GB_TRY(gb_grow(&l->start.item, &l->start.capacity, l->start.n + n_lists, l->start.size, what, err));
    uint64_t *end = (uint64_t *)(void *)l->start.item + l->start.n;
    for (size_t i = 0; i < n_lists; i++)
        end[i] = before + (start[first + i + 1] - start[first]);
    l->start.n += n_lists;
done:
    return st;
}

static void clear_lists(lists *l)
{
    gb_free(l->start.item);
    gb_free(l->items.item);
}

static gb_status copy_texts(const gb_texts *from, gb_texts *out, gb_error *err)
{
    gb_status st;
    lists l;
    GB_TRY(begin_lists(&l, 1, err));
    GB_TRY(append_lists(&l, from->start, from->bytes, 0, from->count, err));
    out->count = from->count;
    out->start = take(&l.start);
    out->bytes = take(&l.items);
done:
    clear_lists(&l);
    return st;
}

/* ---- beginning ----------------------------------------------------------------------------------------- */

static gb_status begin_labels(gb_join *j, const gb_labels *frame, gb_error *err)
{
    gb_status st;
    char *name = NULL;
    label_arrays *arrays = &j->labels[j->out->n_labels];
    gb_labels *to = &j->out->labels[j->out->n_labels++]; /* counted first: to be freed as far as it is made */
    GB_TRY(gb_copy_text(&name, frame->name, strlen(frame->name), err));
    to->name = name;
    to->role = frame->role;
    to->several = frame->several;
    GB_TRY(copy_texts(&frame->classes, &to->classes, err));
    arrays->labelled.size = sizeof *to->labelled;
    GB_TRY(begin_lists(&arrays->classes, sizeof *to->class_of, err));
done:
    return st;
}

static gb_status begin_numbers(gb_join *j, const gb_numbers *frame, gb_error *err)
{
    char *name = NULL;
    const gb_status st = gb_copy_text(&name, frame->name, strlen(frame->name), err);
    j->numbers[j->out->n_numbers].size = sizeof *frame->value;
    j->out->numbers[j->out->n_numbers++] = (gb_numbers){.name = name, .role = frame->role};
    return st;
}

static gb_status begin_fields(gb_join *j, const gb_corpus *frame, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(&j->out->labels, frame->n_labels, sizeof *j->out->labels, what, err));
    GB_TRY(gb_alloc(&j->out->numbers, frame->n_numbers, sizeof *j->out->numbers, what, err));
    GB_TRY(gb_alloc(&j->labels, frame->n_labels, sizeof *j->labels, what, err));
    GB_TRY(gb_alloc(&j->numbers, frame->n_numbers, sizeof *j->numbers, what, err));
    for (size_t i = 0; i < frame->n_labels; i++)
        GB_TRY(begin_labels(j, &frame->labels[i], err));
    for (size_t i = 0; i < frame->n_numbers; i++)
        GB_TRY(begin_numbers(j, &frame->numbers[i], err));
done:
    return st;
}

/* JSON values are not shared: corpora may be used in threads. */
static gb_status copy_notes(const gb_corpus *frame, gb_corpus *out, gb_error *err)
{
    out->preparation = json_deep_copy(frame->preparation);
    out->source = json_deep_copy(frame->source);
    return out->preparation == NULL || out->source == NULL ? gb_fail_memory(err, 0, what) : GB_OK;
}

gb_status gb_join_create(gb_join **out, const gb_corpus *frame, gb_error *err)
{
    gb_status st;
    gb_join *j = NULL;
    GB_TRY(gb_alloc(&j, 1, sizeof *j, what, err));
    GB_TRY(gb_alloc(&j->out, 1, sizeof *j->out, what, err));
    GB_TRY(begin_lists(&j->tokens, sizeof *frame->word, err));
    GB_TRY(begin_lists(&j->ids, 1, err));
    GB_TRY(copy_texts(&frame->vocabulary, &j->out->vocabulary, err));
    j->out->n_words = frame->n_words;
    GB_TRY(begin_fields(j, frame, err));
    GB_TRY(copy_notes(frame, j->out, err));
    *out = j;
    j = NULL;
done:
    gb_join_free(j);
    return st;
}

void gb_join_free(gb_join *j)
{
    if (j == NULL)
        return;
    for (size_t i = 0; j->labels != NULL && i < j->out->n_labels; i++) {
        clear_lists(&j->labels[i].classes);
        gb_free(j->labels[i].labelled.item);
    }
    for (size_t i = 0; j->numbers != NULL && i < j->out->n_numbers; i++)
        gb_free(j->numbers[i].item);
    clear_lists(&j->tokens);
    clear_lists(&j->ids);
    gb_free(j->labels);
    gb_free(j->numbers);
    gb_corpus_free(j->out);
    gb_free(j);
}

/* ---- documents ----------------------------------------------------------------------------------------- */

gb_status gb_join_add(gb_join *j, const gb_corpus *c, uint64_t first, uint64_t last, gb_error *err)
{
    gb_status st;
    const size_t n = (size_t)(last - first);
    GB_TRY(append_lists(&j->tokens, c->doc_start, c->word, first, last, err));
    GB_TRY(append_lists(&j->ids, c->ids.start, c->ids.bytes, first, last, err));
    for (size_t i = 0; i < j->out->n_labels; i++) {
        const gb_labels *from = &c->labels[i];
        GB_TRY(append_lists(&j->labels[i].classes, from->doc_start, from->class_of, first, last, err));
        GB_TRY(append(&j->labels[i].labelled, n == 0 ? NULL : from->labelled + first, n, err));
    }
    for (size_t i = 0; i < j->out->n_numbers; i++)
        GB_TRY(append(&j->numbers[i], n == 0 ? NULL : c->numbers[i].value + first, n, err));
    j->n_docs += n;
done:
    return st;
}

gb_corpus *gb_join_finish(gb_join *j)
{
    gb_corpus *c = j->out;
    c->n_docs = c->ids.count = j->n_docs;
    c->n_tokens = j->tokens.items.n;
    c->doc_start = take(&j->tokens.start);
    c->word = take(&j->tokens.items);
    c->ids.start = take(&j->ids.start);
    c->ids.bytes = take(&j->ids.items);
    for (size_t i = 0; i < c->n_labels; i++) {
        c->labels[i].doc_start = take(&j->labels[i].classes.start);
        c->labels[i].class_of = take(&j->labels[i].classes.items);
        c->labels[i].labelled = take(&j->labels[i].labelled);
    }
    for (size_t i = 0; i < c->n_numbers; i++)
        c->numbers[i].value = take(&j->numbers[i]);
    gb_free(j->labels);
    gb_free(j->numbers);
    gb_free(j);
    return c;
}

gb_status gb_corpus_copy_documents(const gb_corpus *c, uint64_t first, uint64_t last, gb_corpus **out, gb_error *err)
{
    gb_join *j = NULL;
    gb_status st = gb_join_create(&j, c, err);
    if (st == GB_OK)
        st = gb_join_add(j, c, first, last, err);
    if (st == GB_OK)
        *out = gb_join_finish(j);
    else
        gb_join_free(j);
    return st;
}
