/* model/topic_covariance.c - correlations of topics by the covariance of the document prior.
 *
 * The prior has log theta_k - log theta_K ~ N(mean, Sigma), K the last topic.  With Sigma padded by a row and a column of zeros for that
 * topic, and G = I - 11'/K, the covariance of log theta_k - mean_j log theta_j is (Aitchison 1986, The Statistical Analysis of
 * Compositional Data)
 *
 *   C = G Sigma G,   C_jk = Sigma_jk - m_j - m_k + m,   m_j the mean of row j, m the mean of all                       (1)
 *
 * which is the same whichever topic is the last. */
#include "model/topic_covariance.h"

#include "base/memory.h"
#include "model/effects.h"

#include <math.h>
#include <string.h>

static const char what[] = "correlations of topics";

static const double *covariance_of(const gb_draw *draw)
{
    return gb_prior_values_of(&draw->prior, "covariance");
}

bool gb_model_has_topic_covariance(const gb_model *m)
{
    if (m->n_kept == 0)
        return false;
    const gb_draw first = gb_model_kept(m, 0);
    return covariance_of(&first) != NULL;
}

/* (1) into correlations.  @param mean  room for n_topics */
static void correlate(size_t n_topics, const double *sigma, double *mean, double *out)
{
    const size_t n = n_topics - 1;
    double all = 0;
    mean[n] = 0;
    for (size_t j = 0; j < n; j++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++)
            sum += sigma[j * n + k];
        mean[j] = sum / (double)n_topics;
        all += mean[j] / (double)n_topics;
    }
    for (size_t j = 0; j < n_topics; j++)
        for (size_t k = 0; k < n_topics; k++)
            out[j * n_topics + k] = (j < n && k < n ? sigma[j * n + k] : 0) - mean[j] - mean[k] + all;
    for (size_t j = 0; j < n_topics; j++)
        mean[j] = sqrt(out[j * n_topics + j]);
    for (size_t j = 0; j < n_topics; j++)
        for (size_t k = 0; k < n_topics; k++)
            out[j * n_topics + k] = j == k ? 1 : out[j * n_topics + k] / (mean[j] * mean[k]);
}

gb_status gb_model_topic_correlations(const gb_model *m, gb_effect *out, gb_error *err)
{
    gb_status st;
    const size_t n = m->n_topics * m->n_topics, n_draws = gb_model_n_topic_draws(m);
    double *value = NULL, *mean = NULL, *one = NULL;
    if (!gb_model_has_topic_covariance(m))
        return gb_fail(err, GB_EARGUMENT,
                       "the model has no covariance of topics; a logistic-normal prior with a full one has");
    GB_TRY(gb_alloc(&value, n_draws * n, sizeof *value, what, err));
    GB_TRY(gb_alloc(&mean, m->n_topics, sizeof *mean, what, err));
    GB_TRY(gb_alloc(&one, n_draws, sizeof *one, what, err));
    for (size_t i = 0; i < n_draws; i++) {
        const gb_draw draw = gb_model_kept(m, i);
        correlate(m->n_topics, covariance_of(&draw), mean, value + i * n);
    }
    for (size_t c = 0; c < n; c++) {
        for (size_t i = 0; i < n_draws; i++)
            one[i] = value[i * n + c];
        out[c] = gb_effect_of(one, n_draws);
        out[c].n_unused = m->n_kept - n_draws;
        out[c].shrinkage = NAN;
    }
done:
    gb_free(value);
    gb_free(mean);
    gb_free(one);
    return st;
}
