/* diagnose/quantities.c - how well the chains agree on what does not depend on the labels of topics.
 *
 * A number that is added to the coefficients of all topics and taken from the intercept, or added to all levels of a factor,
 * changes no score, and only the prior holds it.  So coefficients of levels are taken relative to their mean, and the constant
 * is the score of the average document. */
#include "base/memory.h"
#include "diagnose/chance.h"
#include "diagnose/diagnosis.h"
#include "diagnose/series.h"
#include "gibbous/effects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char what[] = "the diagnosis";

/* Numbers of a kind: number i of a draw. */
typedef struct request {
    const gb_diagnose_source *source;
    double (*value)(const struct request *r, size_t draw, size_t i);
    size_t first, width;  /* outputs of a response, of a draw: first .. first + width - 1 */
    size_t at;            /* column, or own parameter, or parameter */
    const double *sorted; /* topic shares of all draws, each sorted */
    const struct factors *factors;
} request;

/* ---- values ---- */

static double log_joint(const request *r, size_t draw, size_t i)
{
    (void)i;
    return *gb_source_value(r->source, draw, GB_LOG_JOINT);
}

static double loss(const request *r, size_t draw, size_t i)
{
    (void)i;
    return gb_source_value(r->source, draw, GB_LOSS)[r->at];
}

/* Document after document, each with the outputs of the response. */
static double score(const request *r, size_t draw, size_t i)
{
    return gb_source_value(r->source, draw,
                           GB_SAMPLE_SCORE)[i / r->width * r->source->n_draw_outputs + r->first + i % r->width];
}

static double size_of_topic(const request *r, size_t draw, size_t i)
{
    return r->sorted[draw * r->source->n_topics + i];
}

/* Coefficients of levels, each time around the mean of their factor. */
typedef struct factors {
    size_t n;
    size_t *of_column; /* SIZE_MAX: the column is no level of a factor */
    double *mean;      /* draws x outputs of the response x n */
} factors;

static void clear_factors(factors *f)
{
    gb_free(f->of_column);
    gb_free(f->mean);
}

static gb_status find_factors(const gb_diagnose_source *s, factors *f, gb_error *err)
{
    const gb_status st = gb_alloc(&f->of_column, s->n_columns, sizeof *f->of_column, what, err);
    for (size_t j = 0; st == GB_OK && j < s->n_columns; j++) {
        const gb_columns columns =
            s->model == NULL ? (gb_columns){.kind = GB_COLUMNS_NUMBER} : gb_coding_columns_of(s->model->coding, j);
        const bool is_level = columns.kind == GB_COLUMNS_FACTOR;
        f->n += is_level && columns.first == j;
        f->of_column[j] = is_level ? f->n - 1 : SIZE_MAX;
    }
    return st;
}

static const double *means_of(const request *r, size_t draw, size_t i)
{
    return r->factors->mean + (draw * r->width + i) * r->factors->n;
}

static gb_status average_levels(const request *r, factors *f, gb_error *err)
{
    gb_status st;
    const gb_diagnose_source *s = r->source;
    size_t *n_levels = NULL;
    GB_TRY(find_factors(s, f, err));
    if (f->n == 0)
        goto done;
    GB_TRY(gb_alloc(&n_levels, f->n, sizeof *n_levels, what, err));
    GB_TRY(gb_alloc(&f->mean, s->n_kept * r->width * f->n, sizeof *f->mean, what, err));
    for (size_t j = 0; j < s->n_columns; j++)
        if (f->of_column[j] != SIZE_MAX)
            n_levels[f->of_column[j]]++;
    for (size_t at = 0; at < s->n_kept * r->width; at++) {
        const double *eta = gb_source_coefficients(s, at / r->width, r->first + at % r->width);
        for (size_t j = 0; j < s->n_columns; j++) {
            const size_t factor = f->of_column[j];
            if (factor != SIZE_MAX)
                f->mean[at * f->n + factor] += eta[s->n_topics + j] / (double)n_levels[factor];
        }
    }
done:
    gb_free(n_levels);
    return st;
}

static double covariate(const request *r, size_t draw, size_t i)
{
    const double *eta = gb_source_coefficients(r->source, draw, r->first + i);
    const size_t factor = r->factors->of_column[r->at];
    return eta[r->source->n_topics + r->at] - (factor == SIZE_MAX ? 0 : means_of(r, draw, i)[factor]);
}

static double constant(const request *r, size_t draw, size_t i)
{
    const gb_diagnose_source *s = r->source;
    const double *eta = gb_source_coefficients(r->source, draw, r->first + i);
    double sum = eta[s->n_topics + s->n_columns] + gb_source_average(r->source, draw, eta);
    for (size_t j = 0; j < r->factors->n; j++)
        sum += means_of(r, draw, i)[j];
    return sum;
}

static double own(const request *r, size_t draw, size_t i)
{
    (void)i;
    return gb_source_value(r->source, draw, GB_OWN)[r->at];
}

/* Cut points lie on the scale of the scores. */
static double cut_point(const request *r, size_t draw, size_t i)
{
    return own(r, draw, i) - gb_source_average(r->source, draw, gb_source_coefficients(r->source, draw, r->first));
}

/* The mean over the topics, which is not of any one of them; i: type of edges. */
static double prior_mean(const request *r, size_t draw, size_t i)
{
    const gb_parameter *p = &r->source->parameters->of[r->at];
    const double *value = gb_source_value(r->source, draw, r->at);
    const size_t n_each = p->n_rows == 0 ? 1 : p->n_columns, n = p->size / n_each;
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += value[k * n_each + i];
    return sum / (double)n;
}

/* ---- measuring ---- */

typedef struct measured {
    double *r_hat, *within, *ess; /* of each number */
    double *series;               /* draws of one number */
    gb_mixing_room room;
    size_t n, n_shortest, n_chains;
} measured;

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of those that are numbers. */
static double median(size_t n, double *x)
{
    size_t known = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(x[i]))
            x[known++] = x[i];
    if (known == 0)
        return NAN;
    qsort(x, known, sizeof *x, ascending);
    return 0.5 * (x[(known - 1) / 2] + x[known / 2]);
}

/* Sums over all tokens or documents differ by rounding, and by what burn-in leaves of alpha, where nothing varies. */
static void level_rounding(size_t n, double *x)
{
    static const double ROUNDING = 1e-8;
    double low = x[0], high = x[0];
    for (size_t i = 1; i < n; i++) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    for (size_t i = 1; i < n && high - low <= ROUNDING * fmax(fabs(low), fabs(high)); i++)
        x[i] = x[0];
}

static gb_status measure_number(const request *r, const gb_family *f, size_t i, measured *m, gb_quantity *q,
                                gb_error *err)
{
    gb_mixing mixing;
    for (size_t c = 0; c < f->n_chains; c++)
        for (size_t t = 0; t < f->n_draws; t++)
            m->series[c * f->n_draws + t] = r->value(r, f->first[c] + t, i);
    if (strcmp(q->group, "log joint") == 0 || strcmp(q->group, "loss") == 0)
        level_rounding(f->n_chains * f->n_draws, m->series);
    const gb_status st = gb_mixing_in(&m->room, f->n_chains, f->n_draws, m->series, &mixing, err);
    if (st != GB_OK)
        return st;
    if (m->n == 0 || mixing.r_hat > q->mixing.r_hat || (isnan(q->mixing.r_hat) && !isnan(mixing.r_hat)))
        q->mixing = mixing;
    m->r_hat[m->n] = mixing.r_hat;
    m->within[m->n] = mixing.r_hat_within;
    m->ess[m->n++] = mixing.ess_bulk;
    m->n_shortest = m->n == 1 || f->n_draws < m->n_shortest ? f->n_draws : m->n_shortest;
    m->n_chains = m->n == 1 || f->n_chains < m->n_chains ? f->n_chains : m->n_chains;
    return GB_OK;
}

/* Of those that are numbers. */
static double largest(size_t n, const double *x)
{
    double most = NAN;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, x[i]);
    return most;
}

/* Scores are judged by the document in the middle: some documents always mix badly, and no conclusion rests on one. */
static void judge(gb_quantity *q, const measured *m, bool by_median)
{
    const size_t n_numbers = by_median ? 1 : q->n_numbers;
    q->limit = gb_r_hat_limit(m->n_chains, m->n_shortest, n_numbers);
    q->agrees = !((by_median ? q->median_r_hat : q->mixing.r_hat) > q->limit);
    q->r_hat_within = by_median ? median(m->n, m->within) : largest(m->n, m->within);
    q->limit_within = gb_r_hat_within_limit(m->n_chains, m->n_shortest, n_numbers);
    q->is_settled = !(q->r_hat_within > q->limit_within);
}

/* Add a quantity of `n` numbers in each family. */
static gb_status measure(gb_diagnosis *d, const gb_families *families, const request *r, size_t n, const char *group,
                         const char *name, gb_error *err)
{
    gb_status st;
    measured m = {0};
    gb_quantity q = {.name = name, .group = group, .n_numbers = families->n * n};
    GB_TRY(gb_alloc(&m.r_hat, q.n_numbers, sizeof *m.r_hat, what, err));
    GB_TRY(gb_alloc(&m.within, q.n_numbers, sizeof *m.within, what, err));
    GB_TRY(gb_alloc(&m.ess, q.n_numbers, sizeof *m.ess, what, err));
    GB_TRY(gb_alloc(&m.series, r->source->n_kept, sizeof *m.series, what, err));
    for (size_t f = 0; f < families->n; f++)
        for (size_t i = 0; i < n; i++)
            GB_TRY(measure_number(r, &families->of[f], i, &m, &q, err));
    q.median_r_hat = median(m.n, m.r_hat);
    q.median_ess = median(m.n, m.ess);
    judge(&q, &m, strcmp(group, "scores") == 0);
    if (strcmp(group, "prior") == 0 && q.mixing.sd == 0) /* a setting, not sampled */
        goto done;
    GB_TRY(gb_grow(&d->quantity, &d->quantity_capacity, d->n_quantities + 1, sizeof *d->quantity, what, err));
    d->quantity[d->n_quantities++] = q;
done:
    gb_free(m.r_hat);
    gb_free(m.within);
    gb_free(m.ess);
    gb_free(m.series);
    gb_mixing_room_clear(&m.room);
    return st;
}

/* ---- the list ---- */

static gb_status add_sizes(gb_diagnosis *d, const gb_diagnose_source *s, const gb_families *families, gb_error *err)
{
    gb_status st;
    const size_t n = s->n_topics;
    double *sorted = NULL;
    GB_TRY(gb_alloc(&sorted, s->n_kept * n, sizeof *sorted, what, err));
    for (size_t i = 0; i < s->n_kept; i++) {
        memcpy(sorted + i * n, gb_source_value(s, i, GB_SHARE), n * sizeof *sorted);
        qsort(sorted + i * n, n, sizeof *sorted, ascending);
    }
    const request r = {.source = s, .value = size_of_topic, .sorted = sorted};
    st = measure(d, families, &r, n, "topic sizes", "topic sizes, sorted", err);
done:
    gb_free(sorted);
    return st;
}

/* Whether a value that the prior has differs between draws of a chain: what burn-in has fitted does not, and has no law. */
static bool is_sampled(const gb_diagnose_source *s, size_t at)
{
    const size_t n_bytes = s->parameters->of[at].size * sizeof(double);
    for (size_t i = 1; i < s->n_kept; i++)
        if (s->kept[i].chain == s->kept[i - 1].chain &&
            memcmp(gb_source_value(s, i, at), gb_source_value(s, i - 1, at), n_bytes) != 0)
            return true;
    return false;
}

static gb_status add_prior(gb_diagnosis *d, const gb_diagnose_source *s, const gb_families *families, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t j = GB_BETA; j < s->parameters->n; j++) {
        const gb_parameter *p = &s->parameters->of[j];
        const gb_diagnosed_value *value = p->size == 0 ? NULL : gb_diagnosed_value_find(p->name);
        const request r = {.source = s, .value = prior_mean, .at = j};
        if (value != NULL && is_sampled(s, j))
            GB_TRY(measure(d, families, &r, p->n_rows == 0 ? 1 : p->n_columns, "prior", value->title, err));
    }
done:
    return st;
}

/* Many columns, such as the directors of films, are one quantity. */
enum { MOST_COLUMNS = 12 };

static double any_covariate(const request *r, size_t draw, size_t i)
{
    request one = *r;
    one.at = i / r->width;
    return covariate(&one, draw, i % r->width);
}

static gb_status add_covariates(gb_diagnosis *d, request r, const gb_families *families, const char *suffix,
                                gb_error *err)
{
    gb_status st = GB_OK;
    const char *name;
    const gb_diagnose_source *s = r.source;
    const size_t n = s->n_columns - s->n_fixed_columns; /* they are too many, and scores of documents show them */
    if (n > MOST_COLUMNS) {
        r.value = any_covariate;
        GB_TRY(gb_diagnosis_name(d, &name, err, "%zu covariates%s", n, suffix));
        return measure(d, families, &r, n * r.width, "covariate", name, err);
    }
    r.value = covariate;
    for (r.at = 0; r.at < n; r.at++) {
        if (s->model == NULL)
            GB_TRY(gb_diagnosis_name(d, &name, err, "covariate %zu%s", r.at + 1, suffix));
        else
            GB_TRY(gb_diagnosis_name(d, &name, err, "%s%s", gb_model_column(s->model, r.at), suffix));
        GB_TRY(measure(d, families, &r, r.width, "covariate", name, err));
    }
done:
    return st;
}

/* Own parameter `index` of a response, and its name. */
static gb_status add_own(gb_diagnosis *d, request r, const gb_families *families, const gb_response *response,
                         const char *suffix, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_own_parameter *p;
    r.at = response->first_own;
    for (size_t i = 0; (p = gb_response_own_parameter(response->ops, i)) != NULL; i++) {
        const size_t n = gb_own_parameter_size(p, response->n_levels);
        for (size_t j = 0; j < n; j++, r.at++) {
            const char *name;
            r.value = p->per_boundary ? cut_point : own;
            if (p->per_boundary)
                GB_TRY(gb_diagnosis_name(d, &name, err, "%s %zu%s", p->name, j + 1, suffix));
            else
                GB_TRY(gb_diagnosis_name(d, &name, err, "%s%s", p->name, suffix));
            GB_TRY(measure(d, families, &r, 1, "parameter", name, err));
        }
    }
done:
    return st;
}

static gb_status add_scores(gb_diagnosis *d, request r, const gb_families *families, const char *suffix,
                            gb_error *err)
{
    const char *name;
    const size_t n_documents = r.source->parameters->of[GB_SAMPLE_SCORE].n_rows;
    if (r.source->parameters->of[GB_SAMPLE_SCORE].size == 0)
        return GB_OK;
    r.value = score;
    const gb_status st = gb_diagnosis_name(d, &name, err, "scores of %zu documents%s", n_documents, suffix);
    return st == GB_OK ? measure(d, families, &r, n_documents * r.width, "scores", name, err) : st;
}

/* What belongs to some of the outputs. */
static gb_status add_outputs(gb_diagnosis *d, request r, const gb_families *families, const gb_response *response,
                             const char *suffix, gb_error *err)
{
    gb_status st;
    const char *name;
    factors levels = {0};
    GB_TRY(average_levels(&r, &levels, err));
    r.factors = &levels;
    GB_TRY(add_scores(d, r, families, suffix, err));
    if (response != NULL)
        GB_TRY(add_own(d, r, families, response, suffix, err));
    GB_TRY(add_covariates(d, r, families, suffix, err));
    if (r.source->intercept) {
        r.value = constant;
        GB_TRY(gb_diagnosis_name(d, &name, err, "constant%s", suffix));
        GB_TRY(measure(d, families, &r, r.width, "constant", name, err));
    }
done:
    clear_factors(&levels);
    return st;
}

static gb_status add_losses(gb_diagnosis *d, const gb_diagnose_source *s, const gb_families *families, gb_error *err)
{
    gb_status st = GB_OK;
    char room[200];
    const char *name;
    for (size_t i = 0; i < s->parameters->of[GB_LOSS].size; i++) {
        const request r = {.source = s, .value = loss, .at = i};
        GB_TRY(gb_diagnosis_name(d, &name, err, "loss%s", gb_diagnose_suffix(s, i, sizeof room, room)));
        GB_TRY(measure(d, families, &r, 1, "loss", name, err));
    }
done:
    return st;
}

static gb_status add_responses(gb_diagnosis *d, const gb_diagnose_source *s, const gb_families *families,
                               gb_error *err)
{
    gb_status st = GB_OK;
    char room[200];
    const request all = {.source = s, .width = s->n_draw_outputs};
    if (s->n_draw_outputs > 0 && (s->model == NULL || s->n_draw_outputs < s->n_outputs))
        return add_outputs(d, all, families, NULL, "", err); /* without names, or one class of each family */
    for (size_t i = 0; s->model != NULL && i < s->model->n_responses; i++) {
        const gb_response *response = &s->model->target[i].response;
        const request r = {.source = s, .first = response->first_output, .width = response->n_outputs};
        GB_TRY(add_outputs(d, r, families, response, gb_diagnose_suffix(s, i, sizeof room, room), err));
    }
done:
    return st;
}

gb_status gb_diagnose_quantities(gb_diagnosis *d, const gb_diagnose_source *s, const gb_families *families,
                                 gb_diagnosis_depth depth, gb_error *err)
{
    gb_status st;
    const request joint = {.source = s, .value = log_joint};
    GB_TRY(measure(d, families, &joint, 1, "log joint", "log joint", err));
    GB_TRY(add_losses(d, s, families, err));
    if (depth == GB_DIAGNOSE_RUN)
        return GB_OK;
    GB_TRY(add_sizes(d, s, families, err));
    GB_TRY(add_prior(d, s, families, err));
    GB_TRY(add_responses(d, s, families, err));
done:
    return st;
}
