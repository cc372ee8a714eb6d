/* corpus/data/slice.c - some documents of a corpus, one after the other, as a corpus of their own. */
#include "corpus/data/slice.h"

#include "base/memory.h"

static const char *const what = "some documents of a corpus";

static gb_status slice_fields(const gb_corpus *corpus, uint64_t first, gb_corpus *s, gb_error *err)
{
    gb_status st;
    s->labels = NULL;
    s->numbers = NULL;
    GB_TRY(gb_alloc(&s->labels, corpus->n_labels, sizeof *s->labels, what, err));
    GB_TRY(gb_alloc(&s->numbers, corpus->n_numbers, sizeof *s->numbers, what, err));
    for (size_t i = 0; i < corpus->n_labels; i++) {
        s->labels[i] = corpus->labels[i];
        s->labels[i].doc_start += first; /* starts count from the first class of all documents */
        s->labels[i].labelled += first;
    }
    for (size_t i = 0; i < corpus->n_numbers; i++) {
        s->numbers[i] = corpus->numbers[i];
        s->numbers[i].value += first;
    }
    if (s->embedding.width > 0)
        s->embedding.value += first * s->embedding.width;
done:
    return st;
}

gb_status gb_corpus_slice(const gb_corpus *corpus, uint64_t first, uint64_t last, gb_corpus *out, gb_error *err)
{
    gb_status st;
    uint64_t *doc_start = NULL;
    gb_corpus s = *corpus;
    GB_TRY(slice_fields(corpus, first, &s, err));
    GB_TRY(gb_alloc(&doc_start, last - first + 1, sizeof *doc_start, what, err));
    const uint64_t *start = corpus->doc_start;
    for (uint64_t d = first; d <= last; d++)
        doc_start[d - first] = start[d] - start[first];
    s.n_docs = last - first;
    s.n_tokens = start[last] - start[first];
    s.doc_start = doc_start;
    s.word = corpus->word == NULL ? NULL : corpus->word + start[first];
    s.ids.start += first;
    s.ids.count = last - first;
    if (s.text.count > 0) {
        s.text.start += first;
        s.text.count = last - first;
    }
    s.in_shards = NULL;
    s.owner = doc_start;
    s.is_view = false;
    *out = s;
    return st;
done:
    gb_free(s.labels);
    gb_free(s.numbers);
    return st;
}

void gb_corpus_clear_slice(gb_corpus *slice)
{
    gb_free(slice->owner);
    gb_free(slice->labels);
    gb_free(slice->numbers);
    *slice = (gb_corpus){0};
}

gb_status gb_corpus_view_create(const gb_corpus *corpus, uint64_t first, uint64_t last, gb_corpus **out,
                                gb_error *err)
{
    gb_status st;
    gb_corpus *view = NULL;
    if (first > last || last > corpus->n_docs)
        return gb_fail(err, GB_EARGUMENT, "the corpus has %llu documents, not %llu to %llu",
                       (unsigned long long)corpus->n_docs, (unsigned long long)first, (unsigned long long)last);
    GB_TRY(gb_corpus_check_tokens(corpus, err));
    GB_TRY(gb_alloc(&view, 1, sizeof *view, what, err));
    GB_TRY(gb_corpus_slice(corpus, first, last, view, err));
    view->is_view = true;
    *out = view;
    view = NULL;
done:
    gb_free(view);
    return st;
}
