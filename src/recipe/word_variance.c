/* recipe/word_variance.c - the variance of word coefficients, found with a linear model of the same words.
 *
 * The variance u of a response's words and its cost c weigh the words' fit to the labels against their prior, as C does in a linear
 * model (evaluation/linear.c), for which C is found in a moment.  What u then is, plan/response_defaults.c says.
 *
 * Linear models are fitted to some of the documents and score others, with C = LEAST_COST / m, m the mean squared length of a
 * document's row as a power of 2, then with 2 C, 4 C and so on, N_COSTS of them at most:
 * labels that are rare ask for more than 1 where words are alone, but not beside topics.  The first that takes away less than a share LEAST_GAIN of the loss, once the
 * loss is below FALL times the first one, is the last.  The smallest is chosen whose loss is at most 1 + NEARLY times the least: near its
 * minimum the loss is flat, larger values take longer to fit, and topics explain a part of what a linear model leaves to the words.
 *
 * With TF-IDF whose power of the inverse document frequency nobody gave, linear models with the chosen C and the power RARE, for which rare words may count for
 * more, are scored in the same way: the power with less loss is chosen.
 *
 * The documents are MOST_DOCS with a value at most.  They are dealt into N_PARTS parts; a part is scored by models of the others, and
 * so are as many parts as it takes to have ENOUGH_DOCS scored, or ENOUGH_ANSWERS questions. */
#include "recipe/word_variance.h"

#include "base/memory.h"
#include "base/processors.h"
#include "base/text.h"
#include "corpus/data/subset.h"
#include "evaluation/linear_choice.h"
#include "evaluation/linear_fits.h"
#include "options/variance.h"
#include "plan/response_defaults.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static const double LEAST_COST = 1.0 / 16, LEAST_GAIN = 0.01, NEARLY = 0.02, FALL = 0.9, RARE = 2;
enum { N_COSTS = 5, MOST_DOCS = 5000, N_PARTS = 5, ENOUGH_DOCS = 2000, ENOUGH_ANSWERS = 20000 };

static const char what[] = "a linear model";

typedef struct search {
    gb_sparse_columns rows;
    const gb_linear_targets *targets;
    double cost[N_COSTS], loss[N_COSTS]; /* losses: means over parts */
    size_t n_costs;                      /* that were tried */
    uint32_t *part;                      /* of targets->doc[i] */
    size_t n_parts;                      /* to be scored */
    uint64_t *fitted, *tested;
    double *score, *weight; /* of a part; of all parts */
    size_t n_threads;
    gb_on_sweep *on_sweep;
    void *user;
    atomic_bool is_stopped;
} search;

/* Any penalty and error will do to see whether it is drawn. */
static bool has_answer(const gb_response *r, bool cost_is_open)
{
    const gb_response_defaults *by_default = gb_response_defaults_of(r->ops);
    return by_default->word_variance != NULL && (cost_is_open || by_default->word_variance(r, 1, 1) > 0);
}

bool gb_word_variance_is_open(const gb_spec *spec, const gb_settings *s, bool cost_is_open)
{
    return spec->n_responses == 1 && spec->words.n_columns > 0 && spec->coefficient.ops->has_variance &&
           gb_settings_variances(s).of[GB_VARIANCE_WORDS] == GB_VARIANCE_AUTO &&
           has_answer(&spec->response[0].target.response, cost_is_open);
}

/* Two digits are enough, and the same from any processor. */
double gb_word_variance_of(const gb_word_choice *choice, const gb_response *response)
{
    char text[GB_REAL_SIZE];
    double rounded = 0;
    (void)snprintf(text, sizeof text, "%.1e",
                   gb_response_defaults_of(response->ops)->word_variance(response, choice->penalty, choice->error));
    (void)gb_text_to_real(text, &rounded);
    return rounded;
}

/* ---- fits ---- */

/* The thread that called asks, and never again after a no.  For the caller all this is work before the first sweep. */
static bool on_fit(void *user, size_t worker)
{
    search *s = user;
    const gb_progress progress = {
        .n_chains = 1, .n_sweeps = 1, .in_burn_in = true, .is_partial = true, .n_left = 1, .is_open = true};
    if (worker == 0 && !atomic_load(&s->is_stopped) && s->on_sweep != NULL && !s->on_sweep(&progress, s->user))
        atomic_store(&s->is_stopped, true);
    return !atomic_load(&s->is_stopped);
}

/* With one cost.  @param goes_on  the part's fits begin where its last ones ended */
static gb_status score_part(search *s, uint32_t part, double cost, bool goes_on, double *sum, gb_error *err)
{
    gb_status st;
    uint64_t n_fitted = 0, n_tested = 0;
    const size_t n_problems = gb_linear_n_problems(s->targets->target);
    double loss, cut;
    for (uint64_t i = 0; i < s->targets->n_docs; i++) {
        if (s->part[i] == part)
            s->tested[n_tested++] = s->targets->doc[i];
        else
            s->fitted[n_fitted++] = s->targets->doc[i];
    }
    const gb_linear_fits fits = {.rows = &s->rows,
                                 .targets = s->targets,
                                 .n_fitted = n_fitted,
                                 .fitted = s->fitted,
                                 .n_tested = n_tested,
                                 .tested = s->tested,
                                 .n_costs = 1,
                                 .cost = &cost,
                                 .score = s->score,
                                 .weight = s->weight + part * n_problems * (s->rows.n_columns + 1),
                                 .begins_there = goes_on,
                                 .n_threads = s->n_threads,
                                 .on_fit = on_fit,
                                 .user = s};
    GB_TRY(gb_linear_fits_run(&fits, err));
    GB_TRY(gb_linear_loss_of(s->targets, n_tested, s->tested, s->score, &loss, &cut, err));
    *sum += loss;
done:
    return st;
}

/* The mean loss over parts. */
static gb_status score_parts(search *s, double cost, bool goes_on, double *loss, gb_error *err)
{
    gb_status st = GB_OK;
    double sum = 0;
    for (uint32_t part = 0; part < s->n_parts; part++)
        GB_TRY(score_part(s, part, cost, goes_on, &sum, err));
    *loss = sum / (double)s->n_parts;
done:
    return st;
}

/* ---- the choice ---- */

static bool goes_on(const search *s)
{
    const size_t n = s->n_costs;
    const double *loss = s->loss;
    return n < N_COSTS && (n < 2 || loss[n - 1] <= (1 - LEAST_GAIN) * loss[n - 2] || loss[n - 1] > FALL * loss[0]);
}

static gb_status try_costs(search *s, gb_error *err)
{
    gb_status st = GB_OK;
    for (; goes_on(s); s->n_costs++)
        GB_TRY(score_parts(s, s->cost[s->n_costs], s->n_costs > 0, &s->loss[s->n_costs], err));
done:
    return st;
}

/* The number of the cost. */
static size_t choose_cost(const search *s)
{
    double least = INFINITY;
    size_t c = 0;
    for (size_t i = 0; i < s->n_costs; i++)
        least = fmin(least, s->loss[i]);
    while (s->loss[c] > (1 + NEARLY) * least)
        c++;
    return c;
}

/* ---- documents ---- */

static size_t parts_to_score(uint64_t n_docs, size_t n_problems)
{
    const uint64_t per_part = n_docs / N_PARTS;
    size_t n = 1;
    while (n < N_PARTS && n * per_part < ENOUGH_DOCS && n * per_part * n_problems < ENOUGH_ANSWERS)
        n++;
    return n;
}

static double mean_square(const gb_sparse_columns *rows)
{
    double sum = 0;
    for (uint64_t i = 0; i < rows->n_entries; i++)
        sum += rows->value[i] * rows->value[i];
    return sum / (double)rows->n_docs;
}

static gb_status make_rows(search *s, const gb_corpus *docs, gb_word_value value, double idf_power, gb_error *err)
{
    gb_status st;
    double *weight = NULL;
    gb_sparse_columns_clear(&s->rows);
    GB_TRY(gb_word_weights(docs, value, idf_power, &weight, err));
    GB_TRY(gb_word_columns(docs, value, weight, &s->rows, err));
done:
    gb_free(weight);
    return st;
}

static gb_status prepare(search *s, const gb_corpus *docs, const gb_settings *settings, uint64_t seed, gb_error *err)
{
    gb_status st;
    const gb_word_value value = gb_word_value_find(gb_settings_text(settings, "word-effects"));
    const size_t n_problems = gb_linear_n_problems(s->targets->target);
    const uint64_t n = s->targets->n_docs;
    GB_TRY(make_rows(s, docs, value, gb_settings_idf_power(settings), err));
    GB_TRY(gb_alloc(&s->part, n, sizeof *s->part, what, err));
    GB_TRY(gb_alloc(&s->fitted, n, sizeof *s->fitted, what, err));
    GB_TRY(gb_alloc(&s->tested, n, sizeof *s->tested, what, err));
    GB_TRY(gb_corpus_deal_folds(n, N_PARTS, seed, s->part, err));
    s->n_parts = parts_to_score(n, n_problems);
    GB_TRY(gb_alloc(&s->score, (n / N_PARTS + 1) * n_problems, sizeof *s->score, what, err));
    GB_TRY(gb_alloc(&s->weight, s->n_parts * n_problems * (s->rows.n_columns + 1), sizeof *s->weight, what, err));
    s->n_threads = gb_threads_for((uint64_t)gb_settings_int_or(settings, "threads", 0), n_problems, docs->n_tokens);
    const double length = mean_square(&s->rows);
    for (size_t c = 0; c < N_COSTS; c++)
        s->cost[c] = ldexp(LEAST_COST, (int)c) / (length > 0 ? ldexp(1, (int)round(log2(length))) : 1);
done:
    return st;
}

/* Whether rare words should count for more.  Both kinds of rows have length 1, so that the same C suits both. */
static gb_status try_power(search *s, const gb_corpus *docs, double cost, double *loss, double *idf_power,
                           gb_error *err)
{
    gb_status st;
    double with_rare;
    GB_TRY(make_rows(s, docs, GB_WORD_TFIDF, RARE, err));
    GB_TRY(score_parts(s, cost, false, &with_rare, err));
    if (with_rare < *loss) {
        *loss = with_rare;
        *idf_power = RARE;
    }
done:
    return st;
}

static gb_status search_in(const gb_corpus *docs, const gb_linear_targets *targets, const gb_settings *settings,
                           uint64_t seed, gb_on_sweep *on_sweep, void *user, gb_word_choice *out, gb_error *err)
{
    gb_status st;
    search s = {.targets = targets, .on_sweep = on_sweep, .user = user};
    GB_TRY(prepare(&s, docs, settings, seed, err));
    GB_TRY(try_costs(&s, err));
    const size_t c = choose_cost(&s);
    double loss = s.loss[c];
    out->idf_power = gb_settings_idf_power(settings);
    if (gb_settings_are(settings, "idf-power", "auto") && gb_settings_has_idf(settings))
        GB_TRY(try_power(&s, docs, s.cost[c], &loss, &out->idf_power, err));
    out->penalty = s.cost[c];
    out->error =
        targets->target->task == GB_TASK_REGRESSION ? loss / (targets->target->scale * targets->target->scale) : 0;
    out->n_docs = targets->n_docs;
done:
    gb_sparse_columns_clear(&s.rows);
    gb_free(s.part);
    gb_free(s.fitted);
    gb_free(s.tested);
    gb_free(s.score);
    gb_free(s.weight);
    return st;
}

/* MOST_DOCS of the documents with a value. */
static gb_status sample(const gb_corpus *corpus, const gb_linear_targets *targets, uint64_t seed, gb_corpus **out,
                        gb_error *err)
{
    gb_status st;
    gb_corpus *others = NULL;
    bool *is_other = NULL;
    uint32_t *fold = NULL;
    uint64_t *n_unknown = NULL;
    const size_t n_folds = (size_t)((targets->n_docs + MOST_DOCS - 1) / MOST_DOCS);
    GB_TRY(gb_alloc(&is_other, corpus->n_docs, sizeof *is_other, what, err));
    GB_TRY(gb_alloc(&fold, targets->n_docs, sizeof *fold, what, err));
    GB_TRY(gb_corpus_deal_folds(targets->n_docs, n_folds, seed, fold, err));
    memset(is_other, true, corpus->n_docs * sizeof *is_other);
    for (uint64_t i = 0; i < targets->n_docs; i++)
        is_other[targets->doc[i]] = fold[i] != 0;
    GB_TRY(gb_corpus_split(corpus, is_other, NULL, out, &others, &n_unknown, err));
done:
    gb_corpus_free(others);
    gb_free(is_other);
    gb_free(fold);
    gb_free(n_unknown);
    return st;
}

gb_status gb_word_variance_find(const gb_corpus *corpus, const gb_spec *spec, const gb_settings *settings,
                                gb_on_sweep *on_sweep, void *user, gb_word_choice *out, gb_error *err)
{
    gb_status st;
    gb_corpus *some = NULL;
    const gb_target *target = &spec->response[0].target;
    gb_linear_targets all = {.target = NULL}, of_some = {.target = NULL};
    *out = (gb_word_choice){.penalty = 0};
    GB_TRY(gb_linear_targets_find(corpus, target, &all, err));
    out->n_docs = all.n_docs;
    if (all.n_docs < N_PARTS)
        goto done;
    if (all.n_docs > MOST_DOCS) {
        GB_TRY(sample(corpus, &all, spec->seed, &some, err));
        GB_TRY(gb_linear_targets_find(some, target, &of_some, err));
    }
    GB_TRY(search_in(some != NULL ? some : corpus, some != NULL ? &of_some : &all, settings, spec->seed, on_sweep,
                     user, out, err));
done:
    gb_linear_targets_clear(&all);
    gb_linear_targets_clear(&of_some);
    gb_corpus_free(some);
    return st;
}

/* ---- what comes of it ---- */

gb_status gb_word_choice_set(const gb_word_choice *choice, const gb_response *response, gb_settings *s, gb_error *err)
{
    gb_status st = GB_OK;
    if (choice->penalty == 0)
        return st;
    const double variance = gb_word_variance_of(choice, response);
    if (variance > 0)
        GB_TRY(gb_settings_set_variance(s, GB_VARIANCE_WORDS, variance, err));
    if (gb_settings_has_idf(s))
        GB_TRY(gb_settings_set_real(s, "idf-power", choice->idf_power, err));
done:
    return st;
}

/* "variance of words: 0.0125, as in a linear model of 3053 documents with C = 0.5; power of idf: 2" */
gb_status gb_word_choice_tell(const gb_word_choice *choice, const gb_settings *settings, char **out, gb_error *err)
{
    enum { MOST = 200 };
    char text[MOST], power[40] = "", variance[GB_REAL_SIZE] = "auto";
    const double chosen = gb_settings_variances(settings).of[GB_VARIANCE_WORDS];
    if (gb_settings_has_idf(settings))
        (void)snprintf(power, sizeof power, "; power of idf: %g", gb_settings_real_or(settings, "idf-power", -1));
    if (chosen > 0)
        gb_text_from_real(chosen, variance);
    (void)snprintf(text, sizeof text,
                   "variance of words: %.20s, as in a linear model of %llu documents with C = %.3g%s", variance,
                   (unsigned long long)choice->n_docs, choice->penalty, power);
    return gb_copy_text(out, text, strlen(text), err);
}
