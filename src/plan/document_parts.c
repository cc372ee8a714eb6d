/* plan/document_parts.c - how documents are cut into parts, of which each rank has some (team/portion.h).
 *
 * The cut belongs to the corpus, so that the same corpus gives the same bits on any number of ranks.  Every part has as many
 * document blocks and meets as many word blocks, a bundle of them, at a time (chain/token_pass.c). */
#include "plan/document_parts.h"

#include "base/memory.h"
#include "team/portion.h"

#include <inttypes.h>

/* Several machines do not pay for fewer documents; from there on a part has so many; more parts than this serve nobody. */
enum { FEWEST_DOCUMENTS = 4096, DOCUMENTS_OF_A_PART = 4096, LEAST_PARTS = 4, MOST_PARTS = 256 };

static uint64_t n_tasks_of(const gb_corpus *corpus)
{
    return (corpus->n_docs + GB_DOCS_PER_TASK - 1) / GB_DOCS_PER_TASK;
}

static size_t wanted_parts(const gb_corpus *corpus)
{
    size_t n = LEAST_PARTS;
    if (corpus->n_docs < FEWEST_DOCUMENTS)
        return 1;
    while (2 * n <= MOST_PARTS && corpus->n_docs / DOCUMENTS_OF_A_PART >= 2 * n)
        n *= 2;
    return n;
}

/* The blocks of a bundle, so that there are at most so many bundles: documents and words in such bundles meet by themselves, as
 * the schedule of cells needs it (chain/token_pass.c), if their number divides the largest power of two in that of all. */
static size_t blocks_of_bundle(size_t n_blocks, size_t most_bundles)
{
    const size_t power = n_blocks & -n_blocks;
    for (size_t n = 1; n <= power; n *= 2)
        if (n_blocks / n <= most_bundles)
            return n;
    return n_blocks;
}

static double tokens_before(const gb_corpus *corpus, uint64_t task)
{
    const uint64_t d = task * GB_DOCS_PER_TASK;
    return (double)corpus->doc_start[d < corpus->n_docs ? d : corpus->n_docs];
}

/* The task before which a cut leaves tokens to its left and right as nearly as can be like left : right. */
static uint64_t best_cut(const gb_corpus *corpus, uint64_t first, uint64_t end, size_t left, size_t right)
{
    const double before = tokens_before(corpus, first), all = tokens_before(corpus, end) - before;
    const double wanted = before + all * (double)left / (double)(left + right);
    uint64_t task = first + left;
    while (task < end - right && (tokens_before(corpus, task) + tokens_before(corpus, task + 1)) / 2 < wanted)
        task++;
    return task;
}

/* Halves first, so that two ranks or threads have as nearly the same work as can be. */
static void cut(const gb_corpus *corpus, uint64_t first, uint64_t end, size_t n, uint64_t *part_start)
{
    if (n == 1)
        return;
    const size_t left = n / 2;
    const uint64_t at = best_cut(corpus, first, end, left, n - left);
    part_start[left] = at * GB_DOCS_PER_TASK;
    cut(corpus, first, at, left, part_start);
    cut(corpus, at, end, n - left, part_start + left);
}

gb_status gb_cut_documents(const gb_corpus *corpus, long long wanted, gb_spec *spec, gb_error *err)
{
    const size_t most = wanted > 0 ? (size_t)wanted : wanted_parts(corpus), n_blocks = spec->n_blocks;
    const bool in_blocks = spec->treatment == GB_TREAT_BLOCKS;
    const size_t bundle = in_blocks ? blocks_of_bundle(n_blocks, most) : n_blocks;
    const size_t n = in_blocks ? n_blocks / bundle : most;
    if (wanted > 0 && (uint64_t)wanted > n_tasks_of(corpus))
        return gb_fail(err, GB_EARGUMENT,
                       "`parts` %lld is more than %" PRIu64 " documents make; each but the last has %d or more",
                       wanted, corpus->n_docs, GB_DOCS_PER_TASK);
    if (wanted > 0 && n != (size_t)wanted)
        return gb_fail(err, GB_EARGUMENT, "`parts` %lld does not go with %zu `blocks`: %zu would", wanted, n_blocks,
                       n);
    const gb_status st = gb_alloc(&spec->part_start, n + 1, sizeof *spec->part_start, "parts of documents", err);
    if (st != GB_OK)
        return st;
    spec->n_parts = n;
    spec->part_start[n] = corpus->n_docs;
    cut(corpus, 0, n_tasks_of(corpus), n, spec->part_start);
    return st;
}
