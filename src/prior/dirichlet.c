/* prior/dirichlet.c - Dirichlet proportions, integrated out.
 *
 *   theta_d ~ Dir(alpha):  a token's document factor is n_dk^{-n} + alpha_k                              (1)
 *   log p(Z) = sum_d [ lgamma(abar) - lgamma(N_d + abar)
 *                      + sum_k ( lgamma(n_dk + alpha_k) - lgamma(alpha_k) ) ]                            (2)
 *
 * Sampling alpha: prior/sampled_alpha.c.  Learning it (Minka 2000; Wallach 2008), dg the digamma function:
 *   alpha_k <- alpha_k sum_d [dg(n_dk + alpha_k) - dg(alpha_k)] / sum_d [dg(N_d + abar) - dg(abar)]      (3)
 * A fixed point has zero derivative of (2).  Steps (3) make the burn-in a stochastic EM; they stop when it ends,
 * so the kept draws come from a chain with fixed alpha, which is not the posterior of alpha.  Documents without a topic add nothing to its sum, and
 * those with the same count add the same, so the sums run over the tally of the counts that are not zero.  alpha_k stays
 * in [1e-8, 1e4]: an unused topic drives it to 0.
 *
 * Topics that keywords name would die, once alpha_k is small, or become what all documents have in common, once it is large: nothing
 * else holds them to their words as long as all topics are alike.  So their alpha is kept between
 *     a quarter of the mean of all topics and, if there are others, the mean of those or of all, if it is larger     (4)
 * (measured on hotel reviews, films, news, posts and abstracts with 5 to 50 topics: docs/measured/seeds.md). */
#include "base/memory.h"
#include "base/text.h"
#include "math/special.h"
#include "prior/sampled_alpha.h"
#include "team/sums.h"

#include <math.h>
#include <string.h>

enum { STEPS_PER_SWEEP = 5 };

static const char AUTOMATIC[] = "optimise"; /* what `auto` is where there are documents */

typedef enum how { GIVEN, OPTIMISED, SAMPLED } how;

typedef struct dirichlet {
    how how;
    gb_alpha_law law; /* if it is sampled */
} dirichlet;

/* ---- setup ---- */

/* The number in text[0] .. text[length - 1], greater than zero. */
static bool parse_positive(const char *text, size_t length, double *out)
{
    char number[64];
    if (length >= sizeof number)
        return false;
    memcpy(number, text, length);
    number[length] = '\0';
    return gb_text_to_real(number, out) == GB_NUMBER_OK && *out > 0;
}

/* As `beta`. */
static const double LEAST_ALPHA = 1e-6, MOST_ALPHA = 1e6;

/* Words in place of numbers.  The prior's mean is where chains start, 10/K. */
static bool parse_how(const char *text, size_t n_topics, dirichlet *out)
{
    const double K = (double)n_topics;
    *out = (dirichlet){.how = SAMPLED, .law = {.gamma = {1, K / GB_PRIOR_START_SUM}}};
    if (strcmp(text, "sample") == 0 || gb_gamma_law_read(text, &out->law.gamma))
        return true;
    out->law.is_symmetric = strcmp(text, "sample-symmetric") == 0;
    if (out->law.is_symmetric)
        return true;
    out->law.gamma = (gb_gamma_law){1 / K, 1 / GB_PRIOR_START_SUM};
    if (strcmp(text, "sample-sparse") == 0)
        return true;
    *out = (dirichlet){.how = OPTIMISED};
    return strcmp(text, "optimise") == 0;
}

static gb_status fail_alpha(const char *text, size_t n_topics, gb_error *err)
{
    char quote[GB_QUOTE_SIZE];
    gb_text_quote(text, strlen(text), quote);
    return gb_fail(
        err, GB_EARGUMENT,
        "`alpha` must be auto, sample, sample-symmetric, sample-sparse, gamma:A,B, optimise, a positive number, or "
        "%zu of them separated by commas, not %s",
        n_topics, quote);
}

/* K values: one number for all, or K. */
static gb_status parse_numbers(const char *text, size_t n_topics, double *alpha, gb_error *err)
{
    size_t n = 0;
    for (const char *at = text;; n++) {
        const size_t length = strcspn(at, ",");
        double value;
        if (!parse_positive(at, length, &value))
            return fail_alpha(text, n_topics, err);
        if (value < LEAST_ALPHA || value > MOST_ALPHA)
            return gb_fail(err, GB_EARGUMENT, "`alpha` must be between %g and %g, not %.*s", LEAST_ALPHA, MOST_ALPHA,
                           (int)length, at);
        if (n < n_topics)
            alpha[n] = value;
        if (at[length] == '\0') {
            n++;
            break;
        }
        at += length + 1;
    }
    if (n != 1 && n != n_topics)
        return gb_fail(err, GB_EARGUMENT, "`alpha` has %zu values; expected one, or one per topic (%zu)", n,
                       n_topics);
    for (size_t k = n; k < n_topics; k++)
        alpha[k] = alpha[0];
    return GB_OK;
}

static const char *decided(const gb_prior_setup *setup, const gb_settings *settings, char value[static GB_REAL_SIZE])
{
    if (!gb_settings_are(settings, "alpha", "auto"))
        return NULL;
    if (((const dirichlet *)setup->own)->how != GIVEN)
        memcpy(value, AUTOMATIC, sizeof AUTOMATIC);
    else
        gb_text_from_real(setup->start.table[0].value[0], value);
    return "alpha";
}

static gb_prior_values shape(const gb_prior_setup *setup)
{
    return (gb_prior_values){.n_tables = 1, .table = {{.name = "alpha", .n_columns = setup->n_topics}}};
}

static gb_status create_own(gb_prior_setup *out, gb_error *err)
{
    gb_status st;
    dirichlet *own = NULL;
    GB_TRY(gb_prior_values_create(out, &out->start, err));
    GB_TRY(gb_alloc(&own, 1, sizeof *own, "the document prior", err));
    out->own = own;
done:
    return st;
}

static gb_status configure(const gb_settings *settings, const gb_corpus *corpus, gb_prior_setup *out, gb_error *err)
{
    gb_status st;
    GB_TRY(create_own(out, err));
    dirichlet *own = out->own;
    const bool is_open = gb_settings_are(settings, "alpha", "auto");
    const char *text = is_open && corpus != NULL ? AUTOMATIC : gb_settings_text(settings, "alpha");
    double *alpha = out->start.table[0].value;
    for (size_t k = 0; k < out->n_topics; k++)
        alpha[k] = gb_prior_start_weight(out->n_topics);
    if (is_open && corpus == NULL)
        return GB_OK;
    if (!parse_how(text, out->n_topics, own)) {
        *own = (dirichlet){.how = GIVEN};
        GB_TRY(parse_numbers(text, out->n_topics, alpha, err));
    }
    if (own->how != GIVEN && corpus == NULL)
        st = gb_fail(err, GB_EARGUMENT, "`alpha` %s needs documents; give numbers to simulate from", text);
done:
    return st;
}

static gb_status check(const gb_prior_setup *setup, const gb_prior_values *values, gb_error *err)
{
    for (size_t k = 0; k < setup->n_topics; k++)
        if (!(values->table[0].value[k] > 0) || !isfinite(values->table[0].value[k]))
            return gb_fail(err, GB_EFORMAT, "an alpha is not a positive number");
    return GB_OK;
}

static double sum_of(size_t n, const double *alpha)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += alpha[k];
    return sum;
}

static double concentration(const gb_prior_setup *setup)
{
    return sum_of(setup->n_topics, setup->start.table[0].value);
}

/* ---- alpha given the counts ---- */

static double *alpha_of(const gb_prior *prior)
{
    return prior->values.table[0].value;
}

static double alpha_sum(const gb_prior *prior)
{
    return sum_of(prior->n_topics, alpha_of(prior));
}

static const double *base(const gb_prior *prior, uint64_t doc, double *room)
{
    (void)doc, (void)room;
    return alpha_of(prior);
}

/* Sum over documents with topic k of f(n_dk + alpha) - f(alpha). */
static double sum_over_documents(const gb_proportions *z, size_t k, double alpha, double f(double))
{
    const uint32_t *n_docs = z->n_docs_with + k * GB_TALLY_WIDTH;
    double sum = 0;
    const double at_zero = f(alpha);
    for (size_t n = 1; n < GB_TALLY_WIDTH; n++)
        if (n_docs[n] > 0)
            sum += n_docs[n] * (f((double)n + alpha) - at_zero);
    for (size_t i = z->large_start[k]; i < z->large_start[k + 1]; i++) {
        const double more = f(z->large[i].count + alpha) - at_zero;
        for (uint32_t n = 0; n < z->large[i].n_docs; n++)
            sum += more;
    }
    return sum;
}

typedef struct length_sum {
    const uint64_t *doc_len_start;
    double abar, at_zero;
    double (*f)(double);
} length_sum;

static void add_lengths(const void *context, uint64_t first, uint64_t last, double *sum)
{
    const length_sum *l = context;
    for (uint64_t d = first; d < last; d++) {
        const uint64_t length = l->doc_len_start[d + 1] - l->doc_len_start[d];
        if (length > 0)
            *sum += l->f((double)length + l->abar) - l->at_zero;
    }
}

/* Sum over all documents that are not empty of f(N_d + abar) - f(abar). */
static gb_status sum_over_lengths(const gb_prior *prior, const gb_proportions *z, double f(double), double *out,
                                  gb_error *err)
{
    const double abar = alpha_sum(prior);
    const length_sum l = {.doc_len_start = z->doc_len_start, .abar = abar, .at_zero = f(abar), .f = f};
    *out = 0;
    return gb_sum_documents(prior->portion, z->n_docs, add_lengths, &l, 1, out, err);
}

/* (4) */
static void hold_named(gb_prior *prior)
{
    const size_t n = prior->n_topics, n_named = prior->setup->n_named;
    double *alpha = alpha_of(prior);
    const double mean = sum_of(n, alpha) / (double)n, least = GB_LEAST_ALPHA_OF_NAMED * mean,
                 most = n_named < n ? fmax(mean, sum_of(n - n_named, alpha + n_named) / (double)(n - n_named))
                                    : INFINITY;
    for (size_t k = 0; k < n_named; k++)
        alpha[k] = fmax(fmin(alpha[k], most), least);
}

static gb_status optimise(gb_prior *prior, const gb_proportions *z, gb_error *err)
{
    gb_status st = GB_OK;
    double *alpha = alpha_of(prior), denominator;
    for (int step = 0; step < STEPS_PER_SWEEP; step++) {
        GB_TRY(sum_over_lengths(prior, z, gb_digamma, &denominator, err));
        for (size_t k = 0; k < prior->n_topics; k++) {
            double next = alpha[k] * sum_over_documents(z, k, alpha[k], gb_digamma) / denominator; /* (3) */
            alpha[k] = fmin(fmax(next, 1e-8), 1e4);
        }
        hold_named(prior);
    }
done:
    return st;
}

static gb_status update(gb_prior *prior, const gb_prior_sweep *sweep, gb_error *err)
{
    gb_status st = GB_OK;
    const dirichlet *own = prior->setup->own;
    bool has_tokens = sweep->z->n_tokens > 0;
    if (own->how == GIVEN || (own->how == OPTIMISED && !sweep->in_burn_in))
        return st;
    GB_TRY(gb_team_any(gb_portion_team(prior->portion), &has_tokens, err));
    if (!has_tokens && own->how == OPTIMISED)
        return st;
    GB_TRY(gb_proportions_tally(sweep->z, sweep->topic, err));
    st = own->how == OPTIMISED ? optimise(prior, sweep->z, err)
                               : gb_alpha_draw(&own->law, prior, sweep, alpha_of(prior), err);
done:
    return st;
}

static gb_status log_probability(gb_prior *prior, const gb_proportions *z, double *out, gb_error *err)
{
    gb_status st;
    const dirichlet *own = prior->setup->own;
    double lengths;
    GB_TRY(sum_over_lengths(prior, z, gb_log_gamma, &lengths, err));
    *out = -lengths;
    for (size_t k = 0; k < prior->n_topics; k++)
        *out += sum_over_documents(z, k, alpha_of(prior)[k], gb_log_gamma);
    if (own->how == SAMPLED)
        *out += gb_alpha_log_density(&own->law, prior->n_topics, alpha_of(prior));
done:
    return st;
}

/* ---- other documents ---- */

static void begin(const gb_prior *prior, const gb_prior_document *document)
{
    memcpy(document->base, alpha_of(prior), prior->n_topics * sizeof *document->base);
}

static void expect(const gb_prior *prior, uint32_t group, size_t n_scores, const double *eta, double *room,
                   double *share, double *answer)
{
    const double abar = alpha_sum(prior);
    (void)group, (void)room;
    for (size_t k = 0; k < prior->n_topics; k++)
        share[k] = alpha_of(prior)[k] / abar;
    for (size_t l = 0; l < n_scores; l++) {
        double mean = 0;
        for (size_t k = 0; k < prior->n_topics; k++)
            mean += share[k] * eta[k * n_scores + l];
        for (size_t k = 0; k < prior->n_topics; k++)
            answer[k * n_scores + l] = share[k] * (eta[k * n_scores + l] - mean) / (abar + 1);
    }
}

static void draw_shares(const gb_prior *prior, uint32_t group, gb_random *random, double *share)
{
    (void)group;
    gb_random_dirichlet(random, prior->n_topics, alpha_of(prior), share);
}

static const gb_prior_document_ops documents = {.begin = begin, .expect = expect, .draw_shares = draw_shares};

const gb_prior_ops gb_prior_dirichlet = {.name = "dirichlet",
                                         .unit = 1,
                                         .base_is_shared = true,
                                         .configure = configure,
                                         .decided = decided,
                                         .clear_own = gb_free,
                                         .shape = shape,
                                         .check = check,
                                         .concentration = concentration,
                                         .base = base,
                                         .update = update,
                                         .log_probability = log_probability,
                                         .documents = &documents};
