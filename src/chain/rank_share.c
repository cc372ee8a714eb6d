/* chain/rank_share.c - what a rank has of a corpus and of a chain's description: its own documents, numbered from 0. */
#include "chain/rank_share.h"

#include "base/memory.h"
#include "corpus/data/shards.h"
#include "corpus/data/slice.h"

static const char *const what = "documents of a rank";

/* The multiple of the largest power of two in lo .. hi, lo > 0. */
static size_t roundest(size_t lo, size_t hi)
{
    size_t best = hi;
    for (size_t step = 2; hi / step * step >= lo; step *= 2)
        best = hi / step * step;
    return best;
}

/* A bundle of words meets aligned groups of 2^j parts one after the other, and each pair of parts within such a group again and again
 * (chain/token_pass.c).  So it changes its rank least where ranks begin at multiples of large powers of two.  With a power of two of ranks
 * all shares are equal; else they may be a sixteenth larger than that, or as large as the largest must be. */
size_t gb_first_part(const gb_spec *spec, size_t rank)
{
    const size_t n = spec->n_parts, size = gb_team_size(spec->team), least = (n + size - 1) / size,
                 with_room = 17 * n / (16 * size), most = with_room > least ? with_room : least;
    size_t first = 0;
    if (rank == size || size >= n || n % size == 0)
        return n * rank / size;
    for (size_t r = 1; r <= rank; r++) {
        const size_t of_others = (size - r) * most, lo = n > of_others ? n - of_others : 0,
                     hi = first + most < n - (size - r) ? first + most : n - (size - r);
        first = roundest(lo > first ? lo : first + 1, hi);
    }
    return first;
}

size_t gb_rank_of_part(const gb_spec *spec, size_t part)
{
    size_t rank = 0;
    while (gb_first_part(spec, rank + 1) <= part)
        rank++;
    return rank;
}

/* Made anew, since columns list documents. */
static gb_status slice_columns(const gb_sparse_columns *x, uint64_t first, uint64_t last, gb_sparse_columns *out,
                               gb_error *err)
{
    gb_status st;
    const uint64_t begin = x->doc_start[first], n = x->doc_start[last] - begin;
    gb_sparse_entry *entry = NULL;
    GB_TRY(gb_alloc(&entry, n, sizeof *entry, what, err));
    for (uint64_t d = first; d < last; d++)
        for (uint64_t i = x->doc_start[d]; i < x->doc_start[d + 1]; i++)
            entry[i - begin] = (gb_sparse_entry){d - first, x->column[i], x->value[i]};
    GB_TRY(gb_sparse_columns_create(out, last - first, x->n_columns, n, entry, err));
    if (x->by_column)
        GB_TRY(gb_sparse_columns_index(out, err));
done:
    gb_free(entry);
    return st;
}

/* Late documents ascend, so those of a rank stand together. */
static gb_status slice_late(const gb_spec *spec, uint64_t first, uint64_t last, gb_rank_share *share, gb_error *err)
{
    gb_status st;
    gb_spec *own = &share->own;
    GB_TRY(gb_alloc(&share->late_doc, spec->n_late, sizeof *share->late_doc, what, err));
    own->n_late = 0;
    for (uint64_t i = 0; i < spec->n_late; i++) {
        share->first_late += spec->late_doc[i] < first;
        if (first <= spec->late_doc[i] && spec->late_doc[i] < last)
            share->late_doc[own->n_late++] = spec->late_doc[i] - first;
    }
    own->late_doc = share->late_doc;
    own->is_late = spec->is_late == NULL ? NULL : spec->is_late + first;
done:
    return st;
}

/* What is by document. */
static gb_status slice(const gb_corpus *corpus, const gb_spec *spec, gb_rank_share *share, gb_error *err)
{
    gb_status st;
    const uint64_t first = share->portion.first_doc, last = first + share->portion.n_docs;
    share->own = *spec;
    share->own.x = share->own.words = (gb_sparse_columns){0};
    GB_TRY(gb_corpus_slice(corpus, first, last, &share->slice, err));
    if (gb_corpus_check_tokens(corpus, NULL) != GB_OK) {
        GB_TRY(gb_shards_read(corpus, first, last, &share->tokens, err));
        share->slice.word = share->tokens.word;
    }
    GB_TRY(slice_late(spec, first, last, share, err));
    if (spec->x.n_columns > 0)
        GB_TRY(slice_columns(&spec->x, first, last, &share->own.x, err));
    share->own.embedding = gb_dense_columns_slice(&spec->embedding, first, last);
    if (spec->words.n_columns > 0)
        GB_TRY(slice_columns(&spec->words, first, last, &share->own.words, err));
    share->corpus = &share->slice;
    share->spec = &share->own;
done:
    return st;
}

gb_status gb_rank_share_create(const gb_corpus *corpus, const gb_spec *spec, gb_rank_share *out, gb_error *err)
{
    gb_status st;
    const size_t rank = gb_team_rank(spec->team);
    const size_t first_part = gb_first_part(spec, rank), n_parts = gb_first_part(spec, rank + 1) - first_part;
    const uint64_t *start = spec->part_start + first_part;
    *out = (gb_rank_share){.whole = corpus,
                           .corpus = corpus,
                           .spec = spec,
                           .n_all_docs = corpus->n_docs,
                           .n_all_tokens = corpus->n_tokens,
                           .n_all_late = spec->n_late};
    GB_TRY(gb_alloc(&out->part_start, n_parts + 1, sizeof *out->part_start, what, err));
    for (size_t i = 0; i <= n_parts; i++)
        out->part_start[i] = start[i] - start[0];
    out->portion = (gb_portion){.team = spec->team,
                                .first_doc = start[0],
                                .n_docs = start[n_parts] - start[0],
                                .n_parts = n_parts,
                                .part_start = out->part_start};
    out->first_token = corpus->doc_start[start[0]];
    if (spec->team != NULL || gb_corpus_check_tokens(corpus, NULL) != GB_OK) {
        gb_corpus_forget(corpus); /* a rank needs but its own documents */
        GB_TRY(slice(corpus, spec, out, err));
    }
    return st;
done:
    gb_rank_share_clear(out);
    return st;
}

void gb_rank_share_clear(gb_rank_share *share)
{
    gb_corpus_clear_slice(&share->slice);
    gb_shard_tokens_clear(&share->tokens);
    gb_sparse_columns_clear(&share->own.x);
    gb_sparse_columns_clear(&share->own.words);
    gb_free(share->part_start);
    gb_free(share->late_doc);
    *share = (gb_rank_share){.corpus = NULL};
}
