/* estimate/fold_effects.c - the effects of one fold's estimate, in the rows of a model. */
#include "estimate/fold_effects.h"

#include "base/memory.h"
#include "model/match.h"

#include <math.h>
#include <string.h>

static const char what[] = "the effects of a fold";

static const gb_target *target_of(const gb_model *m, size_t output)
{
    size_t r = 0;
    while (output >= m->target[r].response.first_output + m->target[r].response.n_outputs)
        r++;
    return &m->target[r];
}

/* ---- rows ---- */

static gb_cross_effect in_one_fold(const gb_effect *posterior, double reliability)
{
    gb_cross_effect e = {.posterior = *posterior, .n_folds = 1, .between = NAN, .reliability = reliability};
    e.posterior.n_unused = 0;
    e.posterior.shrinkage = NAN;
    return e;
}

/* The feature of the estimate with the place j in a row of the reference, or SIZE_MAX. */
static size_t find_feature(const gb_model *reference, const gb_model *m, size_t j)
{
    const size_t n_topics = reference->n_topics;
    if (j < n_topics)
        return j;
    if (j == n_topics + gb_model_n_drawn_columns(reference))
        return n_topics + m->n_columns;
    for (size_t i = 0; i < gb_model_n_drawn_columns(m); i++)
        if (strcmp(gb_coding_column_name(m->coding, i), gb_coding_column_name(reference->coding, j - n_topics)) == 0)
            return n_topics + i;
    return SIZE_MAX;
}

static gb_status put_output(const gb_cross_fitted *c, const gb_model *reference, size_t fold, size_t output,
                            const gb_estimate *estimate, size_t theirs, gb_error *err)
{
    gb_status st;
    const gb_model *m = gb_estimate_model(estimate);
    const uint64_t n = gb_model_n_effects(m, theirs);
    gb_effect *effect = NULL;
    GB_TRY(gb_alloc(&effect, n, sizeof *effect, what, err));
    GB_TRY(gb_model_effects(m, theirs, effect, err));
    for (size_t j = 0; j < c->n_features; j++) {
        const size_t at = find_feature(reference, m, j);
        if (at >= n || effect[at].n_draws == 0)
            continue;
        const double reliability = j < c->n_topics ? gb_estimate_reliability(estimate, j) : NAN;
        const gb_cross_effect e = in_one_fold(&effect[at], reliability);
        gb_cross_fitted_put(c, 1 + fold, output * c->n_features + j, &e);
    }
done:
    gb_free(effect);
    return st;
}

/* Those of words, by their numbers in the reference; `theirs`: where they are in the fold. */
static void put_word_effects(const gb_cross_fitted *c, size_t fold, size_t output, const gb_model *m,
                             size_t their_output, const uint64_t *theirs)
{
    for (size_t w = 0; w < c->n_words; w++) {
        if (theirs[w] == GB_NO_WORD)
            continue;
        const gb_effect e = gb_word_effect(&m->words, their_output, (size_t)theirs[w], 1);
        float *found = gb_cross_fitted_fold_word(c, fold, output, w);
        const gb_target *target = target_of(m, their_output);
        const double scale = target->task == GB_TASK_REGRESSION ? target->scale : 1;
        found[GB_CROSS_WORD_MEAN] = (float)(scale * e.mean);
        found[GB_CROSS_WORD_SD] = (float)(scale * e.sd);
    }
}

/* ---- outputs and parameters by their names ---- */

static size_t find_response(const gb_model *m, const char *field)
{
    size_t r = 0;
    while (r < m->n_responses && strcmp(m->target[r].field, field) != 0)
        r++;
    return r;
}

/* SIZE_MAX: the estimate does not have it. */
static size_t find_output(const gb_model *reference, const gb_model *m, size_t output)
{
    const size_t r = find_response(m, target_of(reference, output)->field);
    for (size_t i = 0; r < m->n_responses && i < m->target[r].response.n_outputs; i++) {
        const size_t here = m->target[r].response.first_output + i;
        if (strcmp(gb_model_output(m, here), gb_model_output(reference, output)) == 0)
            return here;
    }
    return SIZE_MAX;
}

static gb_status name_rows(gb_cross_fitted *c, const gb_model *reference, const gb_model *m, gb_error *err)
{
    gb_status st = GB_OK;
    size_t n = 0;
    for (size_t r = 0; r < c->n_responses; r++) {
        const size_t theirs = find_response(m, reference->target[r].field);
        const char *response =
            gb_model_response(theirs < m->n_responses ? m : reference, theirs < m->n_responses ? theirs : r);
        GB_TRY(gb_copy_text(&c->response[r], response, strlen(response), err));
        for (size_t i = 0; i < gb_model_n_own_parameters(m, theirs); i++, n++) {
            const char *name;
            gb_effect posterior;
            c->own[n].response = r;
            GB_TRY(gb_model_own_parameter(m, theirs, i, &name, &c->own[n].place, &posterior, err));
            GB_TRY(gb_copy_text(&c->own[n].name, name, strlen(name), err));
        }
    }
done:
    return st;
}

gb_status gb_fold_effects_open(const gb_model *reference, const gb_model *m, size_t n_folds, gb_cross_fitted **out,
                               gb_error *err)
{
    gb_status st;
    gb_cross_fitted *c = NULL;
    size_t n_own = 0;
    for (size_t r = 0; r < reference->n_responses; r++)
        n_own += gb_model_n_own_parameters(m, find_response(m, reference->target[r].field));
    GB_TRY(gb_cross_fitted_create(reference, n_folds, n_own, &c, err));
    GB_TRY(name_rows(c, reference, m, err));
    if (c->n_words > 0)
        GB_TRY(gb_cross_fitted_begin_folds(c, err));
    *out = c;
    c = NULL;
done:
    gb_cross_fitted_free(c);
    return st;
}

/* An own parameter of the list, by its place among those of its response. */
static gb_status put_parameter(const gb_cross_fitted *c, const gb_model *reference, size_t fold, size_t i,
                               const gb_model *m, gb_error *err)
{
    const gb_cross_parameter *p = &c->own[i];
    const size_t r = find_response(m, reference->target[p->response].field);
    size_t first = i;
    const char *name;
    uint64_t place;
    gb_effect posterior;
    while (first > 0 && c->own[first - 1].response == p->response)
        first--;
    if (i - first >= gb_model_n_own_parameters(m, r))
        return GB_OK;
    const gb_status st = gb_model_own_parameter(m, r, i - first, &name, &place, &posterior, err);
    if (st != GB_OK || strcmp(name, p->name) != 0)
        return st;
    const gb_cross_effect effect = in_one_fold(&posterior, NAN);
    gb_cross_fitted_put(c, 1 + fold, c->n_outputs * c->n_features + i, &effect);
    return GB_OK;
}

/* ---- words ---- */

static gb_status put_words(const gb_cross_fitted *c, const gb_model *reference, size_t fold, const gb_model *m,
                           gb_error *err)
{
    gb_status st;
    uint64_t *theirs = NULL, *ours = NULL, *word = NULL, n;
    double *probability = NULL;
    GB_TRY(gb_model_find_words(reference, m, &theirs, err));
    GB_TRY(gb_alloc(&ours, m->n_words, sizeof *ours, what, err));
    for (uint64_t w = 0; w < reference->n_words; w++)
        if (theirs[w] != GB_NO_WORD)
            ours[theirs[w]] = w;
    GB_TRY(gb_alloc(&word, c->n_topics * GB_FOLD_WORDS, sizeof *word, what, err));
    GB_TRY(gb_alloc(&probability, c->n_topics * GB_FOLD_WORDS, sizeof *probability, what, err));
    GB_TRY(gb_model_words_of_topics(m, 0, GB_FOLD_WORDS, word, probability, &n, err));
    for (size_t k = 0; k < c->n_topics; k++)
        for (uint64_t i = 0; i < n; i++)
            c->word[(fold * c->n_topics + k) * GB_FOLD_WORDS + i] = ours[word[k * GB_FOLD_WORDS + i]];
done:
    gb_free(theirs);
    gb_free(ours);
    gb_free(word);
    gb_free(probability);
    return st;
}

gb_status gb_fold_effects_put(const gb_cross_fitted *c, const gb_model *reference, size_t fold,
                              const gb_fold_found *found, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_model *estimated = gb_estimate_model(found->estimate);
    uint64_t *word = NULL;
    if (c->n_words > 0 && estimated->words.n_draws != NULL)
        GB_TRY(gb_model_find_words(reference, found->model, &word, err));
    for (size_t l = 0; l < c->n_outputs; l++) {
        const size_t theirs = find_output(reference, estimated, l);
        if (theirs == SIZE_MAX)
            continue;
        GB_TRY(put_output(c, reference, fold, l, found->estimate, theirs, err));
        if (word != NULL)
            put_word_effects(c, fold, l, estimated, theirs, word);
    }
    for (size_t i = 0; i < c->n_own; i++)
        GB_TRY(put_parameter(c, reference, fold, i, estimated, err));
    GB_TRY(put_words(c, reference, fold, found->model, err));
    c->n_docs[fold] = estimated->n_training_docs;
done:
    gb_free(word);
    return st;
}
