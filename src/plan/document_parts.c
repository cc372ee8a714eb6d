/* plan/document_parts.c - how documents are cut into parts, of which each rank has some (team/portion.h).
 *
 * The cut belongs to the corpus, so that the same corpus gives the same bits on any number of ranks.  Every part has as many
 * document blocks and meets as many word blocks, a bundle of them, at a time (chain/token_pass.c). */
#include "plan/document_parts.h"

#include "base/memory.h"
#include "corpus/data/cut.h"

#include <inttypes.h>

/* Several machines do not pay for fewer documents; from there on a part has so many; more parts than this serve nobody. */
enum { FEWEST_DOCUMENTS = 4096, DOCUMENTS_OF_A_PART = 4096, LEAST_PARTS = 4, MOST_PARTS = 256 };

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

gb_status gb_cut_documents(const gb_corpus *corpus, long long wanted, gb_spec *spec, gb_error *err)
{
    const size_t most = wanted > 0 ? (size_t)wanted : wanted_parts(corpus), n_blocks = spec->n_blocks;
    const bool in_blocks = spec->treatment == GB_TREAT_BLOCKS;
    const size_t bundle = in_blocks ? blocks_of_bundle(n_blocks, most) : n_blocks;
    const size_t n = in_blocks ? n_blocks / bundle : most;
    if (wanted > 0 && (uint64_t)wanted > gb_n_tasks(corpus->n_docs))
        return gb_fail(err, GB_EARGUMENT,
                       "`parts` %lld is more than %" PRIu64 " documents make; each but the last has %d or more",
                       wanted, corpus->n_docs, GB_DOCS_PER_TASK);
    if (wanted > 0 && n != (size_t)wanted)
        return gb_fail(err, GB_EARGUMENT, "`parts` must be %zu for topics in %zu blocks of words, not %lld", n,
                       n_blocks, wanted);
    uint64_t *tokens_before = NULL;
    gb_status st = gb_tokens_before_tasks(corpus, &tokens_before, err);
    if (st == GB_OK)
        st = gb_alloc(&spec->part_start, n + 1, sizeof *spec->part_start, "parts of documents", err);
    if (st == GB_OK) {
        spec->n_parts = n;
        gb_cut_documents_evenly(tokens_before, corpus->n_docs, n, spec->part_start);
    }
    gb_free(tokens_before);
    return st;
}
