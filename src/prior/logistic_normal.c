/* prior/logistic_normal.c - log weights of topics that are normal around one mean for all documents.
 *
 *   psi_dk ~ N(mu, Sigma) for k = 1..K-1,   psi_dK = 0,   theta_dk = exp(psi_dk) / sum_j exp(psi_dj)          (1)
 *   a token's document factor is exp(psi_dk)                                                                (2)
 *
 * With a full Sigma this is the correlated topic model (Blei and Lafferty 2007); with a diagonal one the logistic-normal
 * prior of Mimno, Wallach and McCallum 2008.  Topic K is a reference: the prior does not treat it like the others.
 *
 * Mean and covariance are given, or sampled:
 *   diagonal   mu_t ~ N(m_0, 1 / k_0),   1 / Sigma_tt ~ Gamma(1, 1)                                         (3)
 *   full       Sigma ~ IW(I, K + 1),     mu | Sigma ~ N(m_0, Sigma / k_0)                                   (4)
 * (3) and (4) are what a graph of one group says of its mean.  With --prevalence the mean of each document is a regression on its
 * metadata (prevalence.h), and with a diagonal covariance no topic is a reference (psi.h). */
#include "base/memory.h"
#include "base/text.h"
#include "prior/psi_prior.h"

#include <stdlib.h>
#include <string.h>

/* "sample", one number, or K - 1 of them. */
static gb_status set_mean(const char *text, gb_prior_setup *out, gb_error *err)
{
    gb_psi_setup *own = out->own;
    const size_t n_free = gb_psi_n_free(out);
    double *mean = out->start.table[0].value;
    char quote[GB_QUOTE_SIZE];
    own->mean_is_fixed = strcmp(text, "sample") != 0;
    if (!own->mean_is_fixed)
        return GB_OK;
    size_t n = 0;
    for (const char *at = text;; at++, n++) {
        char number[64] = "";
        const size_t length = strcspn(at, ",");
        double value;
        if (length < sizeof number)
            memcpy(number, at, length);
        if (gb_text_to_real(number, &value) != GB_NUMBER_OK || !(value >= -1e6 && value <= 1e6)) {
            gb_text_quote(text, strlen(text), quote);
            return gb_fail(
                err, GB_EARGUMENT,
                "`psi-mean` must be sample, a number from -1e6 to 1e6, or %zu of them separated by commas, "
                "not %s",
                n_free, quote);
        }
        if (n < n_free)
            mean[n] = value;
        at += length;
        if (*at == '\0')
            break;
    }
    if (++n != 1 && n != n_free)
        return gb_fail(err, GB_EARGUMENT,
                       "`psi-mean` has %zu values; expected one, or one per topic but the last (%zu)", n, n_free);
    for (size_t t = n; t < n_free; t++)
        mean[t] = mean[0];
    return GB_OK;
}

static gb_status set_variance(const char *text, gb_prior_setup *out, gb_error *err)
{
    gb_psi_setup *own = out->own;
    double variance;
    if (gb_text_to_real(text, &variance) != GB_NUMBER_OK || !(variance >= 1e-9 && variance <= 1e9)) {
        char quote[GB_QUOTE_SIZE];
        gb_text_quote(text, strlen(text), quote);
        return gb_fail(
            err, GB_EARGUMENT,
            "`psi-covariance` must be sample, a number from 1e-9 to 1e9, or with `covariance` full a file, not "
            "%s",
            quote);
    }
    own->means.observation = (gb_precision){.value = 1 / variance, .is_fixed = true, .shape = 1, .rate = 1};
    return GB_OK;
}

/* The columns of the training documents. */
static gb_status set_regression(const gb_settings *settings, const gb_corpus *corpus, gb_psi_setup *own,
                                gb_error *err)
{
    gb_status st;
    gb_formula *formula = NULL;
    const char *text = gb_settings_text(settings, "prevalence");
    if (*text == '\0')
        return GB_OK;
    if (corpus == NULL)
        return gb_fail(err, GB_EARGUMENT,
                       "`prevalence` needs documents with metadata; simulate from a model (`model`)");
    GB_TRY(gb_formula_make(&formula, text, corpus, settings, err));
    GB_TRY(gb_psi_take_formula(own, formula, err));
    GB_TRY(gb_formula_apply(formula, corpus, settings, 0, &own->regression->columns, err));
done:
    return st;
}

static gb_status configure(const gb_settings *settings, const gb_corpus *corpus, gb_prior_setup *out, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_psi_configure(settings, out, err));
    gb_psi_setup *own = out->own;
    own->means.per_topic = !own->is_full;
    GB_TRY(set_regression(settings, corpus, own, err));
    GB_TRY(gb_graph_create(&own->graph, 1, 0, NULL, 0, NULL, err));
    if (!own->is_full && !gb_settings_are(settings, "psi-covariance", "sample"))
        GB_TRY(set_variance(gb_settings_text(settings, "psi-covariance"), out, err));
    GB_TRY(gb_psi_start(out, err));
    if (own->is_full)
        GB_TRY(gb_psi_set_covariance(gb_settings_text(settings, "psi-covariance"), out, err));
    if (own->regression == NULL)
        GB_TRY(set_mean(gb_settings_text(settings, "psi-mean"), out, err));
done:
    return st;
}

static const gb_prior_group_ops rows = {.groups = gb_psi_groups,
                                        .sizes = gb_psi_group_sizes,
                                        .clusters = gb_psi_group_clusters,
                                        .of_document = gb_psi_group_of,
                                        .find = gb_psi_rows_find,
                                        .set_new = gb_psi_rows_set,
                                        .formula = gb_psi_formula,
                                        .shares_of_rows = gb_psi_shares_of_rows};

const gb_prior_ops gb_prior_logistic_normal = {.name = "logistic-normal",
                                               .by_document = true,
                                               .configure = configure,
                                               .describe = gb_psi_describe,
                                               .from_notes = gb_psi_from_notes,
                                               .clear_own = gb_psi_clear_own,
                                               .groups = &rows,
                                               .shape = gb_psi_shape,
                                               .check = gb_psi_check,
                                               .concentration = gb_psi_concentration,
                                               .create = gb_psi_create,
                                               .free_state = gb_psi_free_state,
                                               .list = gb_psi_list,
                                               .restore = gb_psi_restore,
                                               .base = gb_psi_base,
                                               .adopt_start = gb_psi_adopt_start,
                                               .update = gb_psi_update_prior,
                                               .log_probability = gb_psi_log_probability,
                                               .documents = &gb_psi_document_ops};
