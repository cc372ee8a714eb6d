/* apply/predict_words.c - what the words of new documents add to their scores.
 *
 * A draw of coefficients that the labels hardly know is mostly noise, and by ten draws of 50,000 words the noise of their sum is a good
 * part of a score.  So a model has what is expected of them too, mean over draws (coefficient/word_means.h), and mean scores are made
 * of that:
 *
 *   E(score) = mean over draws of (score without words) + sum_w x_dw (mean of E(eta_w | rest))            (1)
 *
 * Where probabilities or numbers depend on how scores vary, the samples' scores have the words' part of their own draw. */
#include "apply/prediction.h"

#include "base/memory.h"

#include <string.h>

static void add_words(const gb_sparse_columns *x, uint64_t d, size_t n, const double *eta, double *score)
{
    for (uint64_t i = x->doc_start[d]; i < x->doc_start[d + 1]; i++)
        for (size_t l = 0; l < n; l++)
            score[l] += x->value[i] * eta[x->column[i] * n + l];
}

/* ---- coefficients by word ---- */

enum {
    TILE = 64
}; /* words: their coefficients lie output after output, and go to where those of all outputs lie together */

static bool occurs(const gb_prediction_run *r, size_t word)
{
    return r->words.column_start[word] < r->words.column_start[word + 1];
}

void gb_prediction_begin_words(gb_prediction_run *r)
{
    const gb_model *m = r->application.model;
    const gb_draw *draw = r->application.draw;
    const size_t n_words = r->words.n_columns, n = draw->n_outputs;
    for (size_t first = 0; r->word_by_word != NULL && first < n_words; first += TILE) {
        const size_t last = first + TILE < n_words ? first + TILE : n_words;
        for (size_t l = 0; l < n; l++)
            for (size_t w = first; w < last; w++)
                if (occurs(r, w))
                    r->word_by_word[w * n + l] = gb_model_word_coefficient(m, draw, l, w);
    }
}

static void spread_expected(const gb_prediction_run *r, double *by_word)
{
    const gb_word_effects *effects = &r->application.model->words;
    const size_t n = r->application.model->n_outputs, n_words = r->words.n_columns;
    for (size_t first = 0; first < n_words; first += TILE) {
        const size_t last = first + TILE < n_words ? first + TILE : n_words;
        for (size_t l = 0; l < n; l++)
            for (size_t w = first; w < last; w++)
                if (occurs(r, w))
                    by_word[w * n + l] = effects->expected[l * n_words + w];
    }
}

gb_status gb_prediction_prepare_words(gb_prediction_run *r, gb_error *err)
{
    gb_status st;
    const gb_application *a = &r->application;
    const size_t n = a->model->n_outputs;
    double *by_word = NULL;
    GB_TRY(gb_coding_apply_words(a->model->coding, a->docs, &r->words, err));
    if (r->words.n_columns == 0 || (a->call.settings != NULL && gb_settings_yes(a->call.settings, "topics-alone")))
        return GB_OK;
    GB_TRY(gb_alloc(&by_word, r->words.n_columns * n, sizeof *by_word, "coefficients", err));
    GB_TRY(gb_sparse_columns_index(&r->words, err));
    spread_expected(r, by_word);
    for (uint64_t d = a->first_doc; d < a->last_doc; d++)
        add_words(&r->words, d, n, by_word, r->score + d * n);
done:
    gb_free(by_word);
    return st;
}

void gb_prediction_score_words(gb_prediction_run *r, uint64_t first, uint64_t last)
{
    const size_t n = r->application.draw->n_outputs, n_outputs = r->application.model->n_outputs;
    for (uint64_t d = first; r->word_by_word != NULL && d < last; d++) {
        memset(r->word_score + d * n_outputs, 0, n * sizeof *r->word_score);
        add_words(&r->words, d, n, r->word_by_word, r->word_score + d * n_outputs);
    }
}
