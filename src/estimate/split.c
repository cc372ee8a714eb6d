/* estimate/split.c - which documents a training has seen, and which it has not. */
#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/subset.h"
#include "estimate/estimate.h"
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

static gb_status has_seen(const gb_model *m, const gb_corpus *docs, bool *out, gb_error *err)
{
    char digits[GB_FINGERPRINT_SIZE];
    *out = false;
    if (docs->n_docs != m->n_training_docs || docs->n_words != m->n_words)
        return GB_OK;
    const gb_status st = gb_words_fingerprint(docs, digits, err);
    *out = st == GB_OK && strcmp(digits, m->words_digits) == 0;
    return st;
}

/* The share that the training held out; 0: none. */
static gb_status share_held_out(const gb_model *m, double *share, gb_error *err)
{
    json_t *settings;
    const gb_status st = gb_json_parse(m->settings, strlen(m->settings), 0, &settings, NULL, err);
    const char *text = json_string_value(json_object_get(settings, "estimate-on"));
    if (text == NULL || gb_text_to_real(text, share) != GB_NUMBER_OK)
        *share = 0;
    json_decref(settings);
    return st;
}

static bool may_have_held_out(const gb_model *m, uint64_t n_docs, double share)
{
    const uint64_t n_held_out = (uint64_t)llround(share * (double)n_docs);
    return n_held_out > 0 && n_held_out < n_docs && n_docs - n_held_out == m->n_training_docs;
}

gb_status gb_estimate_find_unseen(const gb_model *m, const gb_corpus *docs, gb_corpus **out, gb_error *err)
{
    gb_status st;
    bool is_seen;
    gb_corpus *training = NULL, *held_out = NULL;
    double share;
    *out = NULL;
    GB_TRY(share_held_out(m, &share, err));
    GB_TRY(has_seen(m, docs, &is_seen, err));
    if (is_seen)
        return gb_fail(
            err, GB_EARGUMENT,
            "the model was trained on these very documents; effects need others: hold some out by hand, or "
            "train with `estimate-on` 0.5");
    if (!may_have_held_out(m, docs->n_docs, share))
        return GB_OK;
    GB_TRY(cut(docs, share, m->seed, &training, &held_out, err));
    GB_TRY(has_seen(m, training, &is_seen, err));
    if (is_seen) {
        *out = held_out;
        held_out = NULL;
    }
done:
    gb_corpus_free(training);
    gb_corpus_free(held_out);
    return st;
}
