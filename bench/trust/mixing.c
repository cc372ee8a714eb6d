/* bench/trust/mixing.c - how well the scales of a model mix: effective samples per sweep.
 *
 *   gibbous_bench_mixing CORPUS SWEEPS SKIPPED [start=K1,K2,...] [from=MODEL] [trace=N] [ends=N1,N2,...] [OPTION=VALUE ...]
 *
 * Runs the chains that the options ask for (chains=3), SWEEPS sweeps each, and prints for every scale in the program that
 * the model samples, over the sweeps after the first SKIPPED: how many numbers it is, and of their logarithms (of numbers that
 * may be negative: of themselves) the smallest and the median of the effective samples per sweep, and the largest R-hat.
 *
 * start: the observation precision of each chain before its first sweep, topics being there already.  from: topics start from
 * this model.  trace: prints the first number of each scale every N sweeps.  ends: tells as if each chain had ended after so many
 * sweeps, before it tells of all. */
#include "base/memory.h"
#include "chain/chain.h"
#include "diagnose/series.h"
#include "gibbous/gibbous.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 200 };

/** A scale, and where its draws are. */
typedef struct scale {
    const char *name;
    size_t first, step; /* elements of the array, every so many of `row` */
    const char *array;
    size_t n, stride; /* numbers that are looked at, and how far apart they are */
    double *draw;     /* n x chains x sweeps */
    bool is_signed;
} scale;

typedef struct bench {
    const char *corpus_path, *model_path, *starts, *ends;
    uint64_t n_sweeps, n_skipped, n_chains, trace;
    gb_settings *settings;
    gb_corpus *corpus;
    gb_model *model;
    gb_plan *plan;
    size_t n_scales;
    scale scale[8];
} bench;

/* ---- scales ---- */

static void add_scale(bench *b, gb_chain *chain, const char *name, const char *array, size_t first, size_t n,
                      size_t step, bool is_signed)
{
    scale *s = &b->scale[b->n_scales];
    if (gb_chain_find_array(chain, array) == NULL || n == 0)
        return;
    *s = (scale){.name = name, .array = array, .first = first, .step = step, .is_signed = is_signed};
    s->stride = (n + MOST_NUMBERS - 1) / MOST_NUMBERS;
    s->n = (n + s->stride - 1) / s->stride;
    if (gb_alloc(&s->draw, s->n * b->n_chains * b->n_sweeps, sizeof(double), "draws", NULL) == GB_OK)
        b->n_scales++;
}

static size_t size_of(gb_chain *chain, const char *array)
{
    const gb_array_view *v = gb_chain_find_array(chain, array);
    size_t n = 1;
    for (size_t i = 0; v != NULL && i < v->n_dimensions; i++)
        n *= v->shape[i];
    return v == NULL ? 0 : n;
}

static void find_scales(bench *b, gb_chain *chain)
{
    const size_t n_scales = size_of(chain, "coefficient_scales"), n_outputs = gb_plan_facts_of(b->plan)->n_outputs;
    const size_t each = n_outputs > 0 ? n_scales / n_outputs : 0, n_means = size_of(chain, "group_mean");
    const size_t n_free = gb_plan_facts_of(b->plan)->n_topics - 1;
    add_scale(b, chain, "observation precision", "observation_precision", 0, size_of(chain, "observation_precision"),
              1, false);
    add_scale(b, chain, "evolution precision", "evolution_precision", 0, size_of(chain, "evolution_precision"), 1,
              false);
    add_scale(b, chain, "variances (covariance)", "covariance", 0, size_of(chain, "covariance") > 0 ? n_free : 0,
              n_free + 1, false);
    add_scale(b, chain, "group means", "group_mean", 0, n_means, 1, true);
    add_scale(b, chain, each > 1 ? "tau" : "coefficient variance", "coefficient_scales", 0, n_outputs,
              each > 0 ? each : 1, false);
    for (size_t l = 0; l < n_outputs && l < 1 && each > 1; l++)
        add_scale(b, chain, "lambda", "coefficient_scales", 1, each - 1, 1, false);
    add_scale(b, chain, "own parameters", "own_parameters", 0, size_of(chain, "own_parameters"), 1, true);
}

static double value_of(gb_chain *chain, const scale *s, size_t i)
{
    const gb_array_view *v = gb_chain_find_array(chain, s->array);
    const double x = ((const double *)v->data)[s->first + i * s->stride * s->step];
    return s->is_signed ? x : log(x);
}

/* ---- chains ---- */

typedef struct run {
    bench *b;
    uint64_t number;
} run;

static void keep(const run *r, gb_chain *chain, uint64_t sweep)
{
    const bench *b = r->b;
    const bool is_told = b->trace > 0 && (sweep + 1) % b->trace == 0;
    if (is_told)
        printf("chain %llu sweep %llu", (unsigned long long)r->number + 1, (unsigned long long)sweep + 1);
    for (size_t m = 0; m < b->n_scales; m++) {
        const scale *s = &b->scale[m];
        for (size_t i = 0; i < s->n; i++)
            s->draw[(i * b->n_chains + r->number) * b->n_sweeps + sweep] = value_of(chain, s, i);
        if (is_told)
            printf("  %s %.4g", s->name, s->draw[r->number * b->n_sweeps + sweep]);
    }
    if (is_told)
        printf("\n");
    (void)fflush(stdout);
}

/* The observation precision of this chain, if it was given. */
static gb_status set_start(const bench *b, uint64_t number, gb_chain *chain, gb_error *err)
{
    const char *text = b->starts;
    gb_prior_values *values = &chain->prior.values;
    for (uint64_t i = 0; text != NULL && i < number; i++)
        text = strchr(text, ',') == NULL ? NULL : strchr(text, ',') + 1;
    if (text == NULL)
        return GB_OK;
    for (size_t t = 0; t < values->n_tables; t++)
        for (size_t i = 0; i < gb_prior_table_size(&values->table[t]); i++)
            if (strcmp(values->table[t].name, "observation_precision") == 0)
                values->table[t].value[i] = strtod(text, NULL);
    return gb_prior_restore(&chain->prior, err);
}

static gb_status run_chain(void *context, size_t number, size_t worker, gb_error *err)
{
    (void)worker;
    gb_status st;
    run r = {.b = context, .number = number};
    gb_chain *chain = NULL;
    GB_TRY(gb_chain_create(r.b->plan, number, &chain, err));
    if (r.b->model != NULL)
        GB_TRY(gb_chain_init_from(chain, r.b->model, err));
    GB_TRY(gb_chain_step(chain, 0, NULL, NULL, err));
    if (r.b->n_scales == 0)
        find_scales(r.b, chain);
    GB_TRY(set_start(r.b, number, chain, err));
    for (uint64_t sweep = 0; sweep < r.b->n_sweeps; sweep++) {
        GB_TRY(gb_chain_step(chain, 1, NULL, NULL, err));
        keep(&r, chain, sweep);
    }
done:
    gb_chain_free(chain);
    return st;
}

/* ---- what is said ---- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static gb_status tell(const bench *b, const scale *s, uint64_t end, gb_error *err)
{
    gb_status st = GB_OK;
    const uint64_t n = end - b->n_skipped;
    double ess[MOST_NUMBERS], r_hat = 0, *draw = NULL;
    gb_mixing mixing = {0};
    GB_TRY(gb_alloc(&draw, b->n_chains * n, sizeof *draw, "draws", err));
    for (size_t i = 0; i < s->n; i++) {
        for (uint64_t c = 0; c < b->n_chains; c++)
            memcpy(draw + c * n, s->draw + (i * b->n_chains + c) * b->n_sweeps + b->n_skipped, n * sizeof *draw);
        GB_TRY(gb_mixing_of(b->n_chains, n, draw, &mixing, err));
        ess[i] = mixing.ess_bulk / (double)(n * b->n_chains);
        r_hat = fmax(r_hat, mixing.r_hat);
    }
    qsort(ess, s->n, sizeof *ess, ascending);
    printf("%s\t%zu\t%.4f\t%.4f\t%.3f", s->name, s->n, ess[0], ess[s->n / 2], r_hat);
    if (s->n == 1)
        printf("\tmean %.4f sd %.4f", mixing.mean, mixing.sd);
    printf("\n");
done:
    gb_free(draw);
    return st;
}

static gb_status tell_all(const bench *b, uint64_t end, gb_error *err)
{
    gb_status st = GB_OK;
    printf("scale\tnumbers\tsmallest\tmedian\tR-hat\n");
    for (size_t m = 0; m < b->n_scales; m++)
        GB_TRY(tell(b, &b->scale[m], end, err));
done:
    return st;
}

static gb_status tell_of_ends(const bench *b, gb_error *err)
{
    gb_status st = GB_OK;
    for (const char *text = b->ends; text != NULL; text = strchr(text, ',') == NULL ? NULL : strchr(text, ',') + 1) {
        const uint64_t end = strtoull(text, NULL, 10);
        if (end <= b->n_skipped + 3 || end > b->n_sweeps)
            return gb_fail(err, GB_EARGUMENT, "ends: %llu sweeps", (unsigned long long)end);
        printf("after %llu sweeps\n", (unsigned long long)end);
        GB_TRY(tell_all(b, end, err));
    }
    GB_TRY(tell_all(b, b->n_sweeps, err));
done:
    return st;
}

/* ---- arguments ---- */

static gb_status take_argument(bench *b, char *text, gb_error *err)
{
    char *value = strchr(text, '=');
    if (value == NULL)
        return gb_fail(err, GB_EARGUMENT, "%s is not NAME=VALUE", text);
    *value++ = '\0';
    if (strcmp(text, "start") == 0)
        b->starts = value;
    else if (strcmp(text, "from") == 0)
        b->model_path = value;
    else if (strcmp(text, "ends") == 0)
        b->ends = value;
    else if (strcmp(text, "trace") == 0)
        b->trace = strtoull(value, NULL, 10);
    else
        return gb_settings_set(b->settings, text, value, err);
    return GB_OK;
}

static gb_status run_all(bench *b, int n, char **argument, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_settings_create(&b->settings, err));
    GB_TRY(gb_settings_set(b->settings, "burn-in", argument[3], err));
    for (int i = 4; i < n; i++)
        GB_TRY(take_argument(b, argument[i], err));
    GB_TRY(gb_settings_set(b->settings, "sweeps", argument[2], err));
    GB_TRY(gb_corpus_read(b->corpus_path, b->settings, NULL, NULL, &b->corpus, err));
    GB_TRY(gb_plan_create(b->corpus, b->settings, &b->plan, err));
    if (b->model_path != NULL)
        GB_TRY(gb_model_read(b->model_path, NULL, NULL, &b->model, err));
    b->n_chains = gb_plan_facts_of(b->plan)->n_model_chains;
    for (size_t c = 0; c < b->n_chains; c++)
        GB_TRY(run_chain(b, c, 0, err));
    GB_TRY(tell_of_ends(b, err));
done:
    return st;
}

int main(int n, char **argument)
{
    gb_error err = {.status = GB_OK};
    bench b = {0};
    if (n < 4) {
        (void)fprintf(stderr, "usage: %s CORPUS SWEEPS SKIPPED [NAME=VALUE ...]\n", argument[0]);
        return 2;
    }
    b.corpus_path = argument[1];
    b.n_sweeps = strtoull(argument[2], NULL, 10);
    b.n_skipped = strtoull(argument[3], NULL, 10);
    const gb_status st =
        b.n_sweeps > b.n_skipped + 3 ? run_all(&b, n, argument, &err) : gb_fail(&err, GB_EARGUMENT, "too few sweeps");
    if (st != GB_OK)
        (void)fprintf(stderr, "%s\n", err.message);
    for (size_t m = 0; m < b.n_scales; m++)
        gb_free(b.scale[m].draw);
    gb_model_free(b.model);
    gb_plan_free(b.plan);
    gb_corpus_free(b.corpus);
    gb_settings_free(b.settings);
    return st == GB_OK ? 0 : 1;
}
