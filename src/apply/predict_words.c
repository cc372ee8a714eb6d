/* apply/predict_words.c - what the words of new documents add to their scores.
 *
 * A draw of coefficients that the labels hardly know is mostly noise, and by ten draws of 50,000 words the noise of their sum is a good
 * part of a score.  So a draw has their expected values too (coefficient/word_means.h), and mean scores are made of these:
 *
 *   E(score) = mean over draws of (score) + sum_w x_dw (mean of E(eta_w | rest) - mean of eta_w)         (1)
 *
 * The draws themselves stay as they are, for probabilities and numbers depend on how scores vary. */
#include "apply/prediction.h"

#include "base/memory.h"

static const double *coefficients_of_words(const gb_prediction_run *r, const gb_draw *draw, size_t l)
{
    const gb_model *m = r->application.model;
    return draw->eta + l * gb_model_n_features(m) + m->n_topics + r->x.n_columns + r->embedding.n_columns;
}

static void add_words(const gb_sparse_columns *x, uint64_t d, size_t n, const double *eta, double *score)
{
    for (uint64_t i = x->doc_start[d]; i < x->doc_start[d + 1]; i++)
        for (size_t l = 0; l < n; l++)
            score[l] += x->value[i] * eta[x->column[i] * n + l];
}

/* A draw's coefficients of the words that occur, drawn or expected. */
static void add_draw(const gb_prediction_run *r, const gb_draw *draw, bool expected, const double *weight,
                     double *sum)
{
    const size_t n_outputs = r->application.model->n_outputs;
    const gb_sparse_columns *x = &r->words;
    for (size_t l = 0; l < draw->n_outputs; l++) {
        const size_t at = draw->first_output + l;
        const double *eta = expected ? draw->word_mean + l * x->n_columns : coefficients_of_words(r, draw, l);
        for (size_t j = 0; j < x->n_columns; j++)
            if (x->column_start[j] < x->column_start[j + 1])
                sum[j * n_outputs + at] += weight[at] * eta[j];
    }
}

/* (1): the difference of the means. */
static gb_status find_shifts(const gb_prediction_run *r, double *shift, gb_error *err)
{
    gb_status st;
    const gb_model *m = r->application.model;
    double *weight = NULL, *minus;
    GB_TRY(gb_alloc(&weight, 2 * m->n_outputs, sizeof *weight, "scores", err));
    minus = weight + m->n_outputs;
    for (size_t l = 0; l < m->n_outputs; l++) {
        weight[l] = r->topics.n_sweeps / r->output_samples[l];
        minus[l] = -weight[l];
    }
    for (size_t i = 0; i < m->n_draws; i++) {
        add_draw(r, &m->draw[i], true, weight, shift);
        add_draw(r, &m->draw[i], false, minus, shift);
    }
done:
    gb_free(weight);
    return st;
}

gb_status gb_prediction_prepare_words(gb_prediction_run *r, gb_error *err)
{
    gb_status st;
    const gb_application *a = &r->application;
    const size_t n = a->model->n_outputs;
    double *shift = NULL;
    GB_TRY(gb_coding_apply_words(a->model->coding, a->docs, &r->words, err));
    if (r->words.n_columns == 0)
        return GB_OK;
    if (a->model->n_draws == 0 || a->model->draw[0].word_mean == NULL) /* a file from before they were kept */
        return GB_OK;
    GB_TRY(gb_alloc(&shift, r->words.n_columns * n, sizeof *shift, "coefficients", err));
    GB_TRY(gb_sparse_columns_index(&r->words, err));
    GB_TRY(find_shifts(r, shift, err));
    for (uint64_t d = a->first_doc; d < a->last_doc; d++)
        add_words(&r->words, d, n, shift, r->score + d * n);
done:
    gb_free(shift);
    return st;
}
