/* response/count_law.c - the law of new counts, by counts that were held out of the training.
 *
 * Let m_d be the log mean that the model has for document d, o_d its offset, and p(y | mu, r) the law of the response with mean mu and
 * own parameter r.  Shift t, slope b >= 0 and r minimise
 *
 *     - sum_d log p(y_d | mu_d, r) - log p(r) + t^2 / 2 + (b - 1)^2 / (2 / 4),    log mu_d = M + t + b (m_d - M) + o_d      (1)
 *
 * with M the mean of the m_d, and p(r) the prior density of log r in the model.  The priors of t and b hold what few counts would
 * leave open: a factor e in the mean, and half of the slope.  The minimum is found by the simplex method of Nelder and Mead 1965,
 * Computer Journal 7, whose steps need nothing but values of (1), so any response with counts and one parameter will do.
 *
 * Then F_d is the distribution function of the fitted law, and the interval of a new document reaches from its quantile at `low` to
 * that at `high`,
 *
 *     low  = the value of rank floor(0.05 (n + 1)) of F_d(y_d)                                                             (2)
 *     high = just above the value of rank ceil(0.95 (n + 1)) of F_d(y_d - 1)                                               (3)
 *
 * y is below the first quantile if F(y) < low, and not above the second one if F(y - 1) < high.  A new F(y) is as likely to have any
 * rank among n + 1 as any other, so at most one count in twenty lies below and one in twenty above, even if the law has the wrong
 * shape (split conformal prediction with distribution functions: Chernozhukov, Wuethrich and Zhu 2021, PNAS 118).  Ties, as
 * among many zeros, make it fewer.
 *
 * Of a short text the log mean is less certain than of a whole one.  With N known words, and A = exp(mean of log(1 + N)) of whole texts, it is
 *
 *     M + w (m - M),    w = min(1, (N + 1) / (N + 1 + l) (A + l) / A)                                                   (4)
 *
 * with the l of a few values for which texts that were cut to few words are most probable.  These have a `low` and a `high` of their own, by (2)
 * and (3); those of other texts are between the two pairs, or beyond, in proportion to log(1 + N), never beyond either. */
#include "response/count_law.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { FEWEST = 20, N_PARAMETERS = 3, N_CORNERS = N_PARAMETERS + 1, MOST_STEPS = 400 };
enum { SHIFT, SLOPE, LOG_OWN };

typedef struct fit {
    const gb_response *response;
    const gb_new_counts *counts;
    double centre; /* M */
} fit;

typedef struct corner {
    double at[N_PARAMETERS], value;
} corner;

gb_response gb_count_law_response(const gb_response *response, const gb_count_law *law)
{
    gb_response copy = *response;
    copy.cost = 1;
    copy.own = &law->own;
    copy.first_own = 0;
    return copy;
}

double gb_count_law_score(const gb_response *of_law, const gb_count_law *law, double log_mean, double offset)
{
    return law->shift + law->slope * log_mean + offset - gb_response_pooled_score(of_law, 0);
}

bool gb_count_law_is_sound(const gb_count_law *law)
{
    return isfinite(law->shift) && isfinite(law->slope) && law->slope >= 0 && isfinite(law->own) && law->own > 0 &&
           law->low >= 0 && law->low <= law->high && law->high < 1 && isfinite(law->length) && law->length >= 0 &&
           isfinite(law->centre) && law->low_none >= 0 && law->low_none <= law->high_none && law->high_none < 1 &&
           law->low_short >= 0 && law->low_short <= law->high_short && law->high_short < 1 && law->log_short >= 0 &&
           isfinite(law->log_whole) && law->log_whole >= law->log_short;
}

double gb_count_law_log_mean(const gb_count_law *law, double log_mean, uint64_t n_tokens)
{
    const double weight = gb_weight_of_length(law->length, law->log_whole, n_tokens);
    return weight < 1 ? law->centre + weight * (log_mean - law->centre) : log_mean;
}

void gb_count_law_ends(const gb_count_law *law, uint64_t n_tokens, double *low, double *high)
{
    const double range = law->log_whole - law->log_short,
                 at = range > 0 ? (log((double)n_tokens + 1) - law->log_short) / range : 1,
                 share = fmin(fmax(at, 0), 1); /* of the whole text's */
    *low = law->low_short + share * (law->low - law->low_short);
    *high = law->high_short + share * (law->high - law->high_short);
}

/* ---- the law ---- */

static gb_count_law law_at(const fit *f, const double *at)
{
    const double slope = fmax(at[SLOPE], 0);
    return (gb_count_law){.shift = f->centre * (1 - slope) + at[SHIFT], .slope = slope, .own = exp(at[LOG_OWN])};
}

/* (1); infinite where it cannot be worked out. */
static void evaluate(const fit *f, corner *c)
{
    const gb_new_counts *x = f->counts;
    const gb_count_law law = law_at(f, c->at);
    const gb_response response = gb_count_law_response(f->response, &law);
    const double from_one = c->at[SLOPE] - 1;
    double sum =
        0.5 * c->at[SHIFT] * c->at[SHIFT] + 2 * from_one * from_one - response.ops->own->log_density(&response);
    for (size_t d = 0; d < x->n; d++)
        if (!isnan(x->y[d]))
            sum -= response.ops->log_likelihood(&response, x->y[d],
                                                gb_count_law_score(&response, &law, x->log_mean[d], x->offset[d]));
    c->value = isfinite(sum) ? sum : INFINITY;
}

/* From `from` through the middle of the others: 1 is the mirror image, less than 0 is on this side. */
static corner beyond(const fit *f, const double *middle, const corner *from, double how_far)
{
    corner c;
    for (size_t i = 0; i < N_PARAMETERS; i++)
        c.at[i] = middle[i] + how_far * (middle[i] - from->at[i]);
    evaluate(f, &c);
    return c;
}

static int by_value(const void *a, const void *b)
{
    const double x = ((const corner *)a)->value, y = ((const corner *)b)->value;
    return (x > y) - (x < y);
}

/* All corners half-way to the best one. */
static void shrink(const fit *f, corner *c)
{
    for (size_t j = 1; j < N_CORNERS; j++) {
        for (size_t i = 0; i < N_PARAMETERS; i++)
            c[j].at[i] = (c[0].at[i] + c[j].at[i]) / 2;
        evaluate(f, &c[j]);
    }
}

static void step(const fit *f, corner *c)
{
    corner *worst = &c[N_CORNERS - 1];
    double middle[N_PARAMETERS] = {0};
    for (size_t j = 0; j + 1 < N_CORNERS; j++)
        for (size_t i = 0; i < N_PARAMETERS; i++)
            middle[i] += c[j].at[i] / N_PARAMETERS;
    const corner mirrored = beyond(f, middle, worst, 1);
    if (mirrored.value < c[0].value) {
        const corner further = beyond(f, middle, worst, 2);
        *worst = further.value < mirrored.value ? further : mirrored;
    } else if (mirrored.value < c[N_CORNERS - 2].value) {
        *worst = mirrored;
    } else {
        const corner nearer = beyond(f, middle, worst, mirrored.value < worst->value ? 0.5 : -0.5);
        if (nearer.value < fmin(mirrored.value, worst->value))
            *worst = nearer;
        else
            shrink(f, c);
    }
}

/* A difference of 1e-6 in a log likelihood means nothing. */
static gb_count_law minimise(const fit *f)
{
    static const double first_step[N_PARAMETERS] = {[SHIFT] = 0.5, [SLOPE] = -0.5, [LOG_OWN] = 1};
    const double enough = 1e-6;
    const gb_own_parameter *own = &f->response->ops->own->parameter[0];
    corner c[N_CORNERS];
    for (size_t j = 0; j < N_CORNERS; j++) {
        c[j] = (corner){.at = {[SHIFT] = 0, [SLOPE] = 1, [LOG_OWN] = log(own->start)}};
        if (j > 0)
            c[j].at[j - 1] += first_step[j - 1];
        evaluate(f, &c[j]);
    }
    for (int i = 0; i < MOST_STEPS; i++) {
        qsort(c, N_CORNERS, sizeof *c, by_value);
        if (c[N_CORNERS - 1].value - c[0].value < enough)
            break;
        step(f, c);
    }
    qsort(c, N_CORNERS, sizeof *c, by_value);
    return law_at(f, c[0].at);
}

/* ---- its interval ---- */

static int upwards(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value of that rank among F_d(y_d - less).  Sorts into p. */
static double value_of_rank(const fit *f, const gb_count_law *law, double less, double rank, double *p)
{
    const gb_new_counts *x = f->counts;
    const gb_response response = gb_count_law_response(f->response, law);
    size_t n = 0;
    for (size_t d = 0; d < x->n; d++)
        if (!isnan(x->y[d]))
            p[n++] = response.ops->number->distribution(
                &response, x->y[d] - less, gb_count_law_score(&response, law, x->log_mean[d], x->offset[d]));
    qsort(p, n, sizeof *p, upwards);
    return p[(size_t)rank - 1];
}

static gb_status find_interval(const fit *f, double n, gb_count_law *law, gb_error *err)
{
    const double most = 1 - 1e-9; /* a quantile that a search finds */
    double *p = NULL;
    const gb_status st = gb_alloc(&p, f->counts->n, sizeof *p, "the calibration", err);
    if (st != GB_OK)
        return st;
    law->high = fmin(nextafter(value_of_rank(f, law, 1, ceil(0.95 * (n + 1)), p), 1), most);
    law->low = fmin(value_of_rank(f, law, 0, floor(0.05 * (n + 1)), p), law->high);
    gb_free(p);
    return GB_OK;
}

/* Those of the same counts, had nothing been known of them. */
static gb_status find_ends_of_none(const fit *f, double n, gb_count_law *law, gb_error *err)
{
    gb_new_counts none = *f->counts;
    gb_count_law ends = *law;
    const fit of_none = {.response = f->response, .counts = &none};
    gb_status st = gb_alloc(&none.log_mean, none.n, sizeof *none.log_mean, "the calibration", err);
    if (st != GB_OK)
        return st;
    for (size_t d = 0; d < none.n; d++)
        none.log_mean[d] = f->centre;
    st = find_interval(&of_none, n, &ends, err);
    law->low_none = ends.low;
    law->high_none = ends.high;
    gb_free(none.log_mean);
    return st;
}

gb_status gb_count_law_fit(const gb_response *response, const gb_new_counts *counts, gb_count_law *law, gb_error *err)
{
    fit f = {.response = response, .counts = counts};
    double n = 0;
    *law = (gb_count_law){.own = 0};
    for (size_t d = 0; d < counts->n; d++)
        if (!isnan(counts->y[d]))
            f.centre += (counts->log_mean[d] - f.centre) / ++n;
    if (n < FEWEST)
        return GB_OK;
    gb_count_law found = minimise(&f);
    gb_status st = find_interval(&f, n, &found, err);
    found.centre = f.centre;
    found.low_short = found.low;
    found.high_short = found.high;
    if (st == GB_OK)
        st = find_ends_of_none(&f, n, &found, err);
    if (st == GB_OK && gb_count_law_is_sound(&found))
        *law = found;
    return st;
}

/* ---- short texts ---- */

static double mean_log_length(const gb_new_counts *x)
{
    double mean = 0;
    for (size_t d = 0; d < x->n; d++)
        mean += log((double)x->n_tokens[d] + 1) / (double)x->n;
    return mean;
}

/* - log likelihood of the counts under (4). */
static double loss_of(const gb_response *response, const gb_new_counts *x, const gb_count_law *law)
{
    const gb_response of_law = gb_count_law_response(response, law);
    double sum = 0;
    for (size_t d = 0; d < x->n; d++)
        if (!isnan(x->y[d]))
            sum -= of_law.ops->log_likelihood(
                &of_law, x->y[d],
                gb_count_law_score(&of_law, law, gb_count_law_log_mean(law, x->log_mean[d], x->n_tokens[d]),
                                   x->offset[d]));
    return sum;
}

/* The law's log means in place of the model's. */
static gb_status shrink_means(const gb_new_counts *x, const gb_count_law *law, gb_new_counts *out, gb_error *err)
{
    *out = *x;
    const gb_status st = gb_alloc(&out->log_mean, x->n, sizeof *out->log_mean, "the calibration", err);
    for (size_t d = 0; st == GB_OK && d < x->n; d++)
        out->log_mean[d] = gb_count_law_log_mean(law, x->log_mean[d], x->n_tokens[d]);
    return st;
}

gb_status gb_count_law_fit_short(const gb_response *response, const gb_new_counts *whole, const gb_new_counts *cut,
                                 gb_count_law *law, gb_error *err)
{
    gb_status st;
    static const double tried[] = {0, 1, 2, 4, 8, 16, 32, 64, 128, 256};
    double n = 0, least = INFINITY;
    gb_count_law found = *law, ends = *law;
    gb_new_counts shrunk = {.n = 0};
    for (size_t d = 0; d < cut->n; d++)
        n += isnan(cut->y[d]) ? 0 : 1;
    if (!(law->own > 0) || n < FEWEST)
        return GB_OK;
    found.log_short = mean_log_length(cut);
    found.log_whole = fmax(mean_log_length(whole), found.log_short);
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        gb_count_law with = found;
        with.length = tried[i];
        const double loss = loss_of(response, cut, &with);
        if (loss < least) {
            least = loss;
            found.length = tried[i];
        }
    }
    GB_TRY(shrink_means(cut, &found, &shrunk, err));
    const fit f = {.response = response, .counts = &shrunk};
    GB_TRY(find_interval(&f, n, &ends, err));
    found.low_short = ends.low;
    found.high_short = ends.high;
    if (gb_count_law_is_sound(&found))
        *law = found;
done:
    gb_free(shrunk.log_mean);
    return st;
}
