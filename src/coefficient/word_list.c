/* coefficient/word_list.c - runs of a word's documents, sorted by their length.
 *
 *   Cost: a few passes over the entries of the words. */
#include "coefficient/word_list.h"

#include "base/parallel.h"

#include <string.h>

static const char what[] = "the means of words";

enum { WORDS = GB_COLUMNS_PER_TASK, LENGTHS = 64 /* that are told apart; longer ones lie behind them */ };

static size_t words_of_task(const gb_word_list *list, size_t task)
{
    const size_t n = list->n_words - task * WORDS;
    return n < WORDS ? n : WORDS;
}

/* A word has at most one run in a part. */
static uint64_t most_runs(const gb_word_list *list)
{
    const uint64_t n = (uint64_t)list->n_words * list->n_parts;
    return n < list->n_entries ? n : list->n_entries;
}

void gb_word_list_list(void *component, const gb_array_visitor *v)
{
    gb_word_list *list = component;
    const uint64_t n = list->n_entries, n_runs = most_runs(list);
    GB_ARRAY(v, "first_runs", list->first_run, GB_SCRATCH, GB_REPLICATED, list->n_tasks, list->n_parts + 1);
    GB_ARRAY(v, "first_entries", list->first_entry, GB_SCRATCH, GB_REPLICATED, list->n_tasks, list->n_parts + 1);
    GB_ARRAY(v, "words_of_runs", list->word, GB_SCRATCH, GB_BY_DOCUMENT, n_runs);
    GB_ARRAY(v, "lengths_of_runs", list->length, GB_SCRATCH, GB_BY_DOCUMENT, n_runs);
    GB_ARRAY(v, "documents_of_runs", list->doc, GB_SCRATCH, GB_BY_DOCUMENT, n + GB_ENTRIES_AHEAD);
    GB_ARRAY(v, "values_of_runs", list->value, GB_SCRATCH, GB_BY_DOCUMENT, n);
    GB_ARRAY(v, "values_of_documents", list->value_by_doc, GB_SCRATCH, GB_BY_DOCUMENT, n);
}

gb_word_list gb_word_list_size(uint64_t n_entries, size_t n_words, size_t n_parts)
{
    return (gb_word_list){
        .n_entries = n_entries, .n_words = n_words, .n_parts = n_parts, .n_tasks = (n_words + WORDS - 1) / WORDS};
}

/* ---- a task's words ---- */

/* Its runs in a part. */
typedef struct runs {
    size_t n;
    uint32_t word[WORDS], length[WORDS];
    uint64_t entry[WORDS]; /* of x */
} runs;

/* `at` has where each word's documents of the part begin, and receives where they end. */
static void find_runs(const gb_word_list *list, size_t task, size_t part, uint64_t *at, runs *r)
{
    const gb_sparse_columns *x = list->x;
    const uint64_t limit = list->part_start[part + 1];
    r->n = 0;
    for (size_t i = 0; i < words_of_task(list, task); i++) {
        const size_t word = task * WORDS + i;
        const uint64_t first = at[i], end = x->column_start[word + 1];
        while (at[i] < end && x->column_doc[at[i]] < limit)
            at[i]++;
        if (at[i] == first)
            continue;
        r->word[r->n] = (uint32_t)word;
        r->length[r->n] = (uint32_t)(at[i] - first);
        r->entry[r->n++] = first;
    }
}

static size_t class_of(uint32_t length)
{
    return length < LENGTHS ? length : LENGTHS;
}

/* Their order by length. */
static void sort_runs(const runs *r, uint32_t *order)
{
    size_t start[LENGTHS + 2] = {0};
    for (size_t i = 0; i < r->n; i++)
        start[class_of(r->length[i]) + 1]++;
    for (size_t k = 0; k <= LENGTHS; k++)
        start[k + 1] += start[k];
    for (size_t i = 0; i < r->n; i++)
        order[start[class_of(r->length[i])]++] = (uint32_t)i;
}

/* @return where the entries end */
static uint64_t take_runs(gb_word_list *list, const runs *r, uint64_t run, uint64_t entry)
{
    uint32_t order[WORDS];
    sort_runs(r, order);
    for (size_t i = 0; i < r->n; i++, run++) {
        const size_t k = order[i];
        list->word[run] = r->word[k];
        list->length[run] = r->length[k];
        for (uint64_t m = r->entry[k]; m < r->entry[k] + r->length[k]; m++) {
            list->doc[entry] = list->x->column_doc[m];
            list->value[entry++] = (float)list->x->column_value[m];
        }
    }
    return entry;
}

/* Runs lie where there is room even if each word of the tasks before has as many as it can. */
static gb_status list_task(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    gb_word_list *list = context;
    uint64_t at[WORDS];
    uint64_t *run = list->first_run + task * (list->n_parts + 1),
             *entry = list->first_entry + task * (list->n_parts + 1);
    runs r;
    memcpy(at, list->x->column_start + task * WORDS, words_of_task(list, task) * sizeof *at);
    entry[0] = list->x->column_start[task * WORDS];
    for (size_t p = 0; p < list->n_parts; p++) {
        find_runs(list, task, p, at, &r);
        run[p + 1] = run[p] + r.n;
        entry[p + 1] = take_runs(list, &r, run[p], entry[p]);
    }
    return GB_OK;
}

static void find_first_runs(gb_word_list *list)
{
    const uint64_t *start = list->x->column_start;
    uint64_t n = 0;
    for (size_t j = 0; j < list->n_words; j++) {
        const uint64_t n_docs = start[j + 1] - start[j];
        if (j % WORDS == 0)
            list->first_run[j / WORDS * (list->n_parts + 1)] = n;
        n += n_docs < list->n_parts ? n_docs : list->n_parts;
    }
}

gb_status gb_word_list_create(gb_word_list *out, const gb_sparse_columns *x, const gb_column_sums *parts,
                              size_t n_threads, gb_error *err)
{
    gb_status st;
    *out = gb_word_list_size(x->n_entries, x->n_columns, parts->n_parts);
    out->x = x;
    out->part_start = gb_column_sums_starts(parts);
    GB_TRY(gb_arrays_allocate(gb_word_list_list, out, what, err));
    find_first_runs(out);
    GB_TRY(gb_parallel_for(out->n_tasks, n_threads, list_task, out, err));
    for (uint64_t i = 0; i < out->n_entries; i++)
        out->value_by_doc[i] = (float)x->value[i];
done:
    return st;
}

void gb_word_list_clear(gb_word_list *list)
{
    gb_arrays_free(gb_word_list_list, list);
    *list = (gb_word_list){.n_entries = 0};
}

gb_word_piece gb_word_list_piece(const gb_word_list *list, size_t task, size_t part)
{
    const uint64_t *run = list->first_run + task * (list->n_parts + 1) + part,
                   entry = list->first_entry[task * (list->n_parts + 1) + part];
    return (gb_word_piece){.n_runs = (size_t)(run[1] - run[0]),
                           .word = list->word + run[0],
                           .length = list->length + run[0],
                           .doc = list->doc + entry,
                           .value = list->value + entry};
}
