/* corpus/data/cut.c - documents cut into runs of about as many tokens. */
#include "corpus/data/cut.h"

#include "base/memory.h"

gb_status gb_tokens_before_tasks(const gb_corpus *corpus, uint64_t **out, gb_error *err)
{
    const uint64_t n = gb_n_tasks(corpus->n_docs);
    uint64_t *before = NULL;
    const gb_status st = gb_alloc(&before, n + 1, sizeof *before, "tokens of documents", err);
    if (st != GB_OK)
        return st;
    for (uint64_t task = 0; task < n; task++)
        before[task] = corpus->doc_start[task * GB_DOCS_PER_TASK];
    before[n] = corpus->n_tokens;
    *out = before;
    return GB_OK;
}

/* The task before which a cut leaves tokens to its left and right as nearly as can be like left : right. */
static uint64_t best_cut(const uint64_t *before, uint64_t first, uint64_t end, size_t left, size_t right)
{
    const double all = (double)before[end] - (double)before[first];
    const double wanted = (double)before[first] + all * (double)left / (double)(left + right);
    uint64_t task = first + left;
    while (task < end - right && ((double)before[task] + (double)before[task + 1]) / 2 < wanted)
        task++;
    return task;
}

/* Halves first, so that two ranks or threads have as nearly the same work as can be. */
static void cut(const uint64_t *before, uint64_t first, uint64_t end, size_t n, uint64_t *start)
{
    if (n == 1)
        return;
    const size_t left = n / 2;
    const uint64_t at = best_cut(before, first, end, left, n - left);
    start[left] = at * GB_DOCS_PER_TASK;
    cut(before, first, at, left, start);
    cut(before, at, end, n - left, start + left);
}

void gb_cut_documents_evenly(const uint64_t *tokens_before, uint64_t n_docs, size_t n, uint64_t *start)
{
    start[0] = 0;
    start[n] = n_docs;
    cut(tokens_before, 0, gb_n_tasks(n_docs), n, start);
}
