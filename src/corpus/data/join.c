/* corpus/data/join.c - documents of several corpora that have the same words and classes, as one corpus. */
#include "corpus/data/join.h"

#include "base/memory.h"

#include <string.h>

static const char *const what = "documents of several files";

/* Lists of items: list i is item[start[i]] .. item[start[i + 1] - 1].  Lists first..last-1 of them. */
typedef struct lists {
    const uint64_t *start;
    const void *item;
    uint64_t first, last;
} lists;

typedef struct joining {
    const gb_corpus *frame;
    const gb_documents_run *run;
    size_t n_runs;
    lists *lists; /* n_runs */
    gb_corpus *out;
} joining;

static uint64_t n_items_of(const lists *l)
{
    return l->start[l->last] - l->start[l->first];
}

/* @param size  of an item */
static gb_status join_lists(const lists *l, size_t n, size_t size, const uint64_t **start_out, void *item_out,
                            gb_error *err)
{
    gb_status st;
    uint64_t *start = NULL, n_lists = 0, n_items = 0, at = 0;
    char *item = NULL;
    for (size_t i = 0; i < n; i++) {
        n_lists += l[i].last - l[i].first;
        n_items += n_items_of(&l[i]);
    }
    GB_TRY(gb_alloc(&start, n_lists + 1, sizeof *start, what, err));
    *start_out = start;
    GB_TRY(gb_alloc(&item, n_items, size, what, err));
    memcpy(item_out, &item, sizeof item);
    for (size_t i = 0; i < n; i++) {
        const uint64_t first_item = l[i].start[l[i].first], from = start[at];
        if (n_items_of(&l[i]) > 0)
            memcpy(item + from * size, (const char *)l[i].item + first_item * size, n_items_of(&l[i]) * size);
        for (uint64_t d = l[i].first; d < l[i].last; d++)
            start[++at] = from + l[i].start[d + 1] - first_item;
    }
done:
    return st;
}

static gb_status copy_texts(const gb_texts *from, gb_texts *out, gb_error *err)
{
    const lists all = {from->start, from->bytes, 0, from->count};
    out->count = from->count;
    return join_lists(&all, 1, 1, &out->start, &out->bytes, err);
}

/* ---- fields -------------------------------------------------------------------------------------------- */

/* @param size  of a value */
static void copy_values(const void *from, const gb_documents_run *run, size_t size, char *out, uint64_t *n)
{
    const uint64_t n_docs = run->last - run->first;
    if (n_docs > 0)
        memcpy(out + *n * size, (const char *)from + run->first * size, n_docs * size);
    *n += n_docs;
}

static gb_status join_labels(joining *j, size_t field, gb_error *err)
{
    gb_status st;
    const gb_labels *frame = &j->frame->labels[field];
    gb_labels *to = &j->out->labels[field];
    char *name = NULL, *labelled = NULL;
    uint64_t n = 0;
    GB_TRY(gb_copy_text(&name, frame->name, strlen(frame->name), err));
    to->name = name;
    to->role = frame->role;
    to->several = frame->several;
    GB_TRY(copy_texts(&frame->classes, &to->classes, err));
    for (size_t i = 0; i < j->n_runs; i++) {
        const gb_labels *from = &j->run[i].corpus->labels[field];
        j->lists[i].start = from->doc_start;
        j->lists[i].item = from->class_of;
    }
    GB_TRY(join_lists(j->lists, j->n_runs, sizeof *to->class_of, &to->doc_start, &to->class_of, err));
    GB_TRY(gb_alloc(&labelled, j->out->n_docs, 1, what, err));
    to->labelled = (uint8_t *)labelled;
    for (size_t i = 0; i < j->n_runs; i++)
        copy_values(j->run[i].corpus->labels[field].labelled, &j->run[i], 1, labelled, &n);
done:
    return st;
}

static gb_status join_numbers(joining *j, size_t field, gb_error *err)
{
    gb_status st;
    const gb_numbers *frame = &j->frame->numbers[field];
    gb_numbers *to = &j->out->numbers[field];
    char *name = NULL;
    double *value = NULL;
    uint64_t n = 0;
    GB_TRY(gb_copy_text(&name, frame->name, strlen(frame->name), err));
    to->name = name;
    to->role = frame->role;
    GB_TRY(gb_alloc(&value, j->out->n_docs, sizeof *value, what, err));
    to->value = value;
    for (size_t i = 0; i < j->n_runs; i++)
        copy_values(j->run[i].corpus->numbers[field].value, &j->run[i], sizeof *value, (char *)value, &n);
done:
    return st;
}

static gb_status join_fields(joining *j, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(&j->out->labels, j->frame->n_labels, sizeof *j->out->labels, what, err));
    for (size_t i = 0; i < j->frame->n_labels; i++) {
        j->out->n_labels++; /* counted first: to be freed as far as it is made */
        GB_TRY(join_labels(j, i, err));
    }
    GB_TRY(gb_alloc(&j->out->numbers, j->frame->n_numbers, sizeof *j->out->numbers, what, err));
    for (size_t i = 0; i < j->frame->n_numbers; i++) {
        j->out->n_numbers++;
        GB_TRY(join_numbers(j, i, err));
    }
done:
    return st;
}

/* ---- documents ----------------------------------------------------------------------------------------- */

static gb_status join_documents(joining *j, gb_error *err)
{
    gb_status st;
    for (size_t i = 0; i < j->n_runs; i++) {
        const gb_documents_run *run = &j->run[i];
        j->lists[i] = (lists){run->corpus->doc_start, run->corpus->word, run->first, run->last};
        j->out->n_docs += run->last - run->first;
    }
    GB_TRY(join_lists(j->lists, j->n_runs, sizeof *j->out->word, &j->out->doc_start, &j->out->word, err));
    j->out->n_tokens = j->out->doc_start[j->out->n_docs];
    for (size_t i = 0; i < j->n_runs; i++) {
        j->lists[i].start = j->run[i].corpus->ids.start;
        j->lists[i].item = j->run[i].corpus->ids.bytes;
    }
    j->out->ids.count = j->out->n_docs;
    GB_TRY(join_lists(j->lists, j->n_runs, 1, &j->out->ids.start, &j->out->ids.bytes, err));
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

gb_status gb_corpus_join(const gb_corpus *frame, const gb_documents_run *run, size_t n_runs, gb_corpus **out,
                         gb_error *err)
{
    gb_status st;
    joining j = {.frame = frame, .run = run, .n_runs = n_runs};
    GB_TRY(gb_alloc(&j.lists, n_runs, sizeof *j.lists, what, err));
    GB_TRY(gb_alloc(&j.out, 1, sizeof *j.out, what, err));
    GB_TRY(join_documents(&j, err));
    GB_TRY(copy_texts(&frame->vocabulary, &j.out->vocabulary, err));
    j.out->n_words = frame->n_words;
    GB_TRY(join_fields(&j, err));
    GB_TRY(copy_notes(frame, j.out, err));
    *out = j.out;
    j.out = NULL;
done:
    gb_corpus_free(j.out);
    gb_free(j.lists);
    return st;
}
