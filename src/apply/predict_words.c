/* apply/predict_words.c - what the words of new documents add to their scores.
 *
 * A draw of coefficients that the labels hardly know is mostly noise, and by ten draws of 50,000 words the noise of their sum is a good
 * part of a score.  So a model has what is expected of them too, mean over draws (coefficient/word_means.h), and mean scores are made
 * of that:
 *
 *   E(score) = mean over draws of (score) + sum_w x_dw (mean of E(eta_w | rest) - mean of eta_w)         (1)
 *
 * The draws themselves stay as they are, for probabilities and numbers depend on how scores vary. */
#include "apply/prediction.h"

#include "base/memory.h"

static void add_words(const gb_sparse_columns *x, uint64_t d, size_t n, const double *eta, double *score)
{
    for (uint64_t i = x->doc_start[d]; i < x->doc_start[d + 1]; i++)
        for (size_t l = 0; l < n; l++)
            score[l] += x->value[i] * eta[x->column[i] * n + l];
}

/* (1) of a word and an output: the difference of the means. */
static double shift_of(const gb_prediction_run *r, size_t word, size_t output)
{
    const gb_model *m = r->application.model;
    double sum = 0, n = 0;
    for (size_t i = 0; i < m->n_draws; i++) {
        const gb_draw *draw = &m->draw[i];
        if (output < draw->first_output || output - draw->first_output >= draw->n_outputs)
            continue;
        sum += gb_model_word_coefficient(m, draw, output - draw->first_output, word);
        n++;
    }
    return m->words.expected[output * m->words.n_words + word] - sum / n;
}

/* Of the words that occur. */
static void find_shifts(const gb_prediction_run *r, double *shift)
{
    const size_t n_outputs = r->application.model->n_outputs;
    for (size_t j = 0; j < r->words.n_columns; j++)
        for (size_t l = 0; r->words.column_start[j] < r->words.column_start[j + 1] && l < n_outputs; l++)
            shift[j * n_outputs + l] = shift_of(r, j, l);
}

gb_status gb_prediction_prepare_words(gb_prediction_run *r, gb_error *err)
{
    gb_status st;
    const gb_application *a = &r->application;
    const size_t n = a->model->n_outputs;
    double *shift = NULL;
    GB_TRY(gb_coding_apply_words(a->model->coding, a->docs, &r->words, err));
    if (r->words.n_columns == 0 || (a->call.settings != NULL && a->call.settings->topics_alone))
        return GB_OK;
    GB_TRY(gb_alloc(&shift, r->words.n_columns * n, sizeof *shift, "coefficients", err));
    GB_TRY(gb_sparse_columns_index(&r->words, err));
    find_shifts(r, shift);
    for (uint64_t d = a->first_doc; d < a->last_doc; d++)
        add_words(&r->words, d, n, shift, r->score + d * n);
done:
    gb_free(shift);
    return st;
}
