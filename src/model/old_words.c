/* model/old_words.c - draws of older files, brought into the form of now. */
#include "model/old_words.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

struct gb_old_words {
    size_t n_rows, n_words, first, n_old,
        n_shrunken;    /* outputs of a draw; words; features before them, of all, but the constant */
    const double *eta; /* as in the file */
    double *kept_eta, *kept_shrinkage, *average; /* as now, of all draws */
    float *draw, *none;                          /* n_rows x n_words: of a draw at hand; 0 */
};

static const char what[] = "the coefficients of words";

bool gb_old_words_are_in(const gb_model *m, const gb_store *s)
{
    return gb_model_n_word_columns(m) > 0 && m->n_outputs > 0 && !gb_store_has_array(s, "word_mean");
}

uint64_t gb_old_words_bytes(const gb_model *m)
{
    const uint64_t n = m->n_draw_outputs * gb_model_n_word_columns(m),
                   fixed = m->n_kept * m->n_draw_outputs * (2 * gb_model_n_features(m) + 1) * sizeof(double);
    return fixed + m->n_draws * n + (3 + 4 * m->n_outputs) * n * sizeof(float);
}

static gb_status create(const gb_model *m, bool shrinks, gb_old_words **out, gb_error *err)
{
    gb_status st;
    gb_old_words *w = NULL;
    const gb_layout layout = gb_model_layout(m);
    const gb_block *words = gb_layout_find(&layout, GB_WORDS_BLOCK);
    GB_TRY(gb_alloc(&w, 1, sizeof *w, what, err));
    *w = (gb_old_words){.n_rows = m->n_draw_outputs,
                        .n_words = words->n,
                        .first = words->first,
                        .n_old = layout.n_features,
                        .n_shrunken = gb_layout_n_shrunken(&layout)};
    const size_t n_rows = m->n_kept * w->n_rows, n = w->n_rows * w->n_words;
    GB_TRY(gb_alloc(&w->kept_eta, n_rows, (w->n_old - w->n_words) * sizeof *w->kept_eta, what, err));
    if (shrinks)
        GB_TRY(gb_alloc(&w->kept_shrinkage, n_rows, w->first * sizeof *w->kept_shrinkage, what, err));
    GB_TRY(gb_alloc(&w->average, n_rows, sizeof *w->average, what, err));
    GB_TRY(gb_alloc(&w->draw, n, sizeof *w->draw, what, err));
    GB_TRY(gb_alloc(&w->none, n, sizeof *w->none, what, err));
    *out = w;
    return GB_OK;
done:
    gb_old_words_free(w);
    return st;
}

void gb_old_words_free(gb_old_words *w)
{
    if (w == NULL)
        return;
    gb_free(w->kept_eta);
    gb_free(w->kept_shrinkage);
    gb_free(w->average);
    gb_free(w->draw);
    gb_free(w->none);
    gb_free(w);
}

/* Words of rows that have `stride` numbers, the first `first` of which are others. */
static void to_floats(const gb_old_words *w, const double *from, size_t stride, size_t first, float *to)
{
    for (size_t l = 0; l < w->n_rows; l++)
        for (size_t j = 0; j < w->n_words; j++)
            to[l * w->n_words + j] = (float)from[l * stride + first + j];
}

/* Row i of all draws without the words: they stand before the constant, if there is one. */
static void copy_row(const gb_model *m, gb_old_words *w, const double *shrinkage, size_t i)
{
    const double *eta = w->eta + i * w->n_old, *mean = gb_coding_words(m->coding)->mean;
    double *to = w->kept_eta + i * (w->n_old - w->n_words);
    gb_copy_bytes(to, eta, w->first * sizeof *to);
    if (m->intercept)
        to[w->first] = eta[w->n_old - 1];
    for (size_t j = 0; j < w->n_words; j++)
        w->average[i] += mean[j] * eta[w->first + j];
    if (shrinkage != NULL)
        gb_copy_bytes(w->kept_shrinkage + i * w->first, shrinkage + i * w->n_shrunken, w->first * sizeof *shrinkage);
}

/* Each draw is like a chain of one draw. */
static gb_status add_draws(gb_model *m, const gb_old_words *w, const double *shrinkage, gb_error *err)
{
    float *of_draw = NULL;
    gb_status st = gb_word_effects_create(m->n_outputs, w->n_words, shrinkage != NULL, &m->words, err);
    if (st == GB_OK && shrinkage != NULL)
        st = gb_alloc(&of_draw, w->n_rows * w->n_words, sizeof *of_draw, what, err);
    for (size_t i = 0; i < m->n_kept && st == GB_OK; i++) {
        to_floats(w, w->eta + i * w->n_rows * w->n_old, w->n_old, w->first, w->draw);
        if (shrinkage != NULL)
            to_floats(w, shrinkage + i * w->n_rows * w->n_shrunken, w->n_shrunken, w->first, of_draw);
        const gb_words_so_far one = {
            .n_draws = 1, .mean = w->draw, .square = w->none, .expected = w->none, .shrinkage = of_draw};
        gb_word_effects_add(&m->words, m->kept[i].first_output, w->n_rows, &one);
    }
    gb_free(of_draw);
    return st;
}

/* Files from before expected values were kept have the draws instead. */
static gb_status add_expected(gb_model *m, const gb_old_words *w, const gb_store *s, gb_error *err)
{
    gb_status st;
    uint64_t n, shape[3];
    const void *kept_at, *expected = NULL;
    GB_TRY(gb_store_get_array(s, "snapshot", GB_U64, 1, &n, &kept_at, err));
    if (gb_store_has_array(s, "snapshot_word_mean")) {
        GB_TRY(gb_store_get_array(s, "snapshot_word_mean", GB_F64, 3, shape, &expected, err));
        if (shape[0] != m->n_draws || shape[1] != w->n_rows || shape[2] != w->n_words)
            return gb_fail(err, GB_EFORMAT, "the arrays of the snapshots do not fit together");
    }
    for (size_t i = 0; i < m->n_draws; i++) {
        const uint64_t at = ((const uint64_t *)kept_at)[i];
        if (at >= m->n_kept)
            return gb_fail(err, GB_EFORMAT, "the arrays of the snapshots do not fit together");
        if (expected != NULL)
            to_floats(w, (const double *)expected + i * w->n_rows * w->n_words, w->n_words, 0, w->draw);
        else
            to_floats(w, w->eta + at * w->n_rows * w->n_old, w->n_old, w->first, w->draw);
        const gb_words_so_far one = {
            .n_expected = 1, .mean = w->none, .square = w->none, .expected = w->draw, .shrinkage = w->none};
        gb_word_effects_add(&m->words, m->kept[at].first_output, w->n_rows, &one);
    }
done:
    return st;
}

static gb_status encode(gb_model *m, const gb_old_words *w, const gb_store *s, gb_error *err)
{
    uint64_t n;
    const void *kept_at;
    const size_t n_here = w->n_rows * w->n_words;
    gb_status st = gb_store_get_array(s, "snapshot", GB_U64, 1, &n, &kept_at, err);
    if (st == GB_OK)
        st = gb_word_draws_create(m->n_draws, w->n_rows, w->n_words, &m->word_draws, err);
    for (size_t i = 0; i < m->n_draws && st == GB_OK; i++) {
        const uint64_t at = ((const uint64_t *)kept_at)[i]; /* add_expected() has looked */
        to_floats(w, w->eta + at * w->n_rows * w->n_old, w->n_old, w->first, w->draw);
        gb_word_effects_encode(&m->words, m->kept[at].first_output, w->n_rows, w->draw,
                               m->word_draws.own_code + i * n_here, m->word_draws.own_unit + i * w->n_rows);
    }
    return st;
}

/* Everything else stays where it is in the file. */
static void point(gb_model *m, const gb_old_words *w, const gb_parameter_sizes *sizes)
{
    gb_parameters now = gb_parameters_make(sizes, &m->prior);
    for (size_t j = 0; j < now.n; j++)
        now.of[j].stacked = m->parameters.of[j].stacked;
    now.of[GB_ETA].stacked = w->kept_eta;
    now.of[GB_SHRINKAGE].stacked = w->kept_shrinkage;
    now.of[GB_WORD_AVERAGE].stacked = w->average;
    m->parameters = now;
}

gb_status gb_old_words_take(gb_model *m, const gb_store *s, const gb_parameter_sizes *sizes, gb_error *err)
{
    gb_status st;
    const double *shrinkage = m->parameters.of[GB_SHRINKAGE].stacked;
    GB_TRY(create(m, shrinkage != NULL, &m->old_words, err));
    gb_old_words *w = m->old_words;
    w->eta = m->parameters.of[GB_ETA].stacked;
    for (size_t i = 0; i < m->n_kept * w->n_rows; i++)
        copy_row(m, w, shrinkage, i);
    GB_TRY(add_draws(m, w, shrinkage, err));
    GB_TRY(add_expected(m, w, s, err));
    gb_word_effects_finish(&m->words);
    GB_TRY(encode(m, w, s, err));
    point(m, w, sizes);
done:
    return st;
}
