/* estimate/split.c - which documents a training has seen, and which it has not. */
#include "base/memory.h"
#include "corpus/data/subset.h"
#include "estimate/estimate.h"
#include "model/training_documents.h"
#include "store/json_text.h"

#include <math.h>
#include <string.h>

/* Documents in a random order that the seed names; the first of them are held out. */
static gb_status choose(uint64_t n_docs, double share, uint64_t seed, bool **out, gb_error *err)
{
    gb_status st;
    uint32_t *place = NULL;
    bool *is_held_out = NULL;
    const uint64_t n_held_out = (uint64_t)llround(share * (double)n_docs);
    if (n_held_out == 0 || n_held_out >= n_docs)
        return gb_fail(err, GB_EARGUMENT, "`estimate-on` %g of %llu documents leaves none of them on one side", share,
                       (unsigned long long)n_docs);
    GB_TRY(gb_alloc(&place, n_docs, sizeof *place, "the documents held out", err));
    GB_TRY(gb_alloc(&is_held_out, n_docs, sizeof *is_held_out, "the documents held out", err));
    GB_TRY(gb_corpus_deal_folds(n_docs, (size_t)n_docs, seed, place, err)); /* a fold for each document: its place */
    for (uint64_t d = 0; d < n_docs; d++)
        is_held_out[d] = place[d] < n_held_out;
    *out = is_held_out;
    is_held_out = NULL;
done:
    gb_free(place);
    gb_free(is_held_out);
    return st;
}

static gb_status cut(const gb_corpus *docs, double share, uint64_t seed, gb_corpus **training, gb_corpus **held_out,
                     gb_error *err)
{
    gb_status st;
    bool *is_held_out = NULL;
    uint64_t *n_unknown = NULL;
    GB_TRY(choose(docs->n_docs, share, seed, &is_held_out, err));
    GB_TRY(gb_corpus_split(docs, is_held_out, NULL, training, held_out, &n_unknown, err));
done:
    gb_free(is_held_out);
    gb_free(n_unknown);
    return st;
}

gb_status gb_estimate_hold_out(const gb_corpus *corpus, const gb_settings *settings, gb_corpus **training,
                               gb_error *err)
{
    gb_corpus *held_out = NULL;
    gb_error inner = {.status = GB_OK};
    if (!(gb_settings_real(settings, "estimate-on") > 0))
        return gb_fail(err, GB_EARGUMENT, "no share of the documents is to be held out: `estimate-on` is not set");
    gb_status st = cut(corpus, gb_settings_real(settings, "estimate-on"),
                       (uint64_t)gb_settings_int_or(settings, "seed", 0), training, &held_out, err);
    if (st == GB_OK)
        st = gb_estimate_foresee(held_out, settings, &inner);
    if (inner.status != GB_OK) {
        gb_corpus_free(*training);
        *training = NULL;
        st = gb_fail(err, st, "`estimate-on`, the documents held out: %s", inner.message);
    }
    gb_corpus_free(held_out);
    return st;
}

/* ---- what a model has seen ---- */

gb_status gb_model_find_shaping(const gb_model *m, bool *labels_shaped_topics, gb_error *err)
{
    json_t *settings = NULL;
    const gb_status st = gb_json_parse(m->settings, strlen(m->settings), 0, &settings, NULL, err);
    const char *two_stage = json_string_value(json_object_get(settings, "two-stage"));
    *labels_shaped_topics = m->n_responses > 0 && (two_stage == NULL || strcmp(two_stage, "yes") != 0);
    json_decref(settings);
    return st;
}

gb_status gb_estimate_leave_out_seen(const gb_model *m, const gb_corpus *docs, gb_corpus **out, gb_error *err)
{
    gb_status st;
    bool *is_seen = NULL, has_words = false, labels_shaped_topics;
    uint64_t n_seen = 0;
    *out = NULL;
    GB_TRY(gb_model_find_shaping(m, &labels_shaped_topics, err));
    if (labels_shaped_topics)
        GB_TRY(gb_model_find_seen(m, docs, &n_seen, &is_seen, err));
    if (n_seen == 0)
        goto done;
    for (uint64_t d = 0; d < docs->n_docs; d++) {
        is_seen[d] = !is_seen[d]; /* from now on: it is picked */
        has_words |= is_seen[d] && docs->doc_start[d] < docs->doc_start[d + 1];
    }
    if (has_words)
        GB_TRY(gb_corpus_pick(docs, is_seen, out, err));
    else
        st = gb_fail(
            err, GB_EARGUMENT,
            "the model was trained on these documents: each has the words of a training document; effects need "
            "others: hold some out by hand, or train with `estimate-on` 0.5 or `cross-fit` 5");
done:
    gb_free(is_seen);
    return st;
}
