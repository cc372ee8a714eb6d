/* folds/selection.choice.c - which candidate to take, and why. */
#include "folds/selection.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the criterion --------------------------------------------------------------------------------- */

/* Names of scores by which candidates can be compared.  The first of a table that suits is the default. */
static const struct {
    const char *name;
    bool is_smaller_better;
} criterion[] = {{"accuracy", false},  {"exact_match", false}, {"macro_f1", false},
                 {"micro_f1", false},  {"hamming_loss", true}, {"log_loss", true},
                 {"brier", true},      {"ece", true},          {"auc", false},
                 {"kappa", false},     {"r2", false},          {"mae", true},
                 {"rmse", true},       {"perplexity", true},   {"log_likelihood", false},
                 {"coherence", false}, {"exclusivity", false}, {"diversity", false},
                 {"stability", false}};

enum { N_CRITERIA = sizeof criterion / sizeof criterion[0] };

static size_t find_name(const char *name)
{
    size_t i = 0;
    while (i < N_CRITERIA && strcmp(criterion[i].name, name) != 0)
        i++;
    return i;
}

bool gb_score_is_loss(const char *name)
{
    const size_t i = find_name(name);
    return i < N_CRITERIA ? criterion[i].is_smaller_better : strcmp(name, "seconds") == 0;
}

gb_status gb_criterion_check(const char *name, gb_error *err)
{
    char list[400] = "", shown[GB_QUOTE_SIZE];
    char *at = list;
    if (strcmp(name, "auto") == 0 || find_name(name) < N_CRITERIA)
        return GB_OK;
    for (size_t i = 0; i < N_CRITERIA; i++)
        at = stpcpy(stpcpy(at, i == 0 ? "" : i + 1 == N_CRITERIA ? " or " : ", "), criterion[i].name);
    gb_text_quote(name, strlen(name), shown);
    return gb_fail(err, GB_EARGUMENT, "`criterion` must be auto, %s, not %s", list, shown);
}

/* Of a field with several labels, few documents have all of them right. */
static const char *default_of(const gb_score_table *scores)
{
    static const char *const names[] = {"n_no_class", "accuracy", "r2", "perplexity"};
    static const char *const meant[] = {"micro_f1", "accuracy", "r2", "perplexity"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (gb_score_table_find(scores, 0, names[i]) != NULL)
            return meant[i];
    return "coherence";
}

gb_status gb_criterion_find(gb_selection *s, const gb_score_table *scores, gb_error *err)
{
    const char *wanted = gb_settings_text(s->settings, "criterion");
    const size_t number = find_name(strcmp(wanted, "auto") == 0 ? default_of(scores) : wanted);
    for (s->section = 0; s->section < gb_score_table_n_sections(scores); s->section++)
        if (gb_score_table_find(scores, s->section, criterion[number].name) != NULL) {
            s->criterion = criterion[number].name;
            return GB_OK;
        }
    return gb_fail(err, GB_EARGUMENT,
                   "`criterion` %s: these models have no such score; the fits are kept in `results`", wanted);
}

static const gb_score *score_of(const gb_selection *s, size_t candidate)
{
    return gb_score_table_find(s->candidate[candidate].mean, s->section, s->criterion);
}

/* The larger the better; a candidate without the score comes last. */
static double value_of(const gb_selection *s, size_t candidate)
{
    const gb_score *score = score_of(s, candidate);
    if (score == NULL)
        return -INFINITY;
    return gb_score_is_loss(s->criterion) ? -score->value : score->value;
}

/* ---- choosing -------------------------------------------------------------------------------------- */

void gb_selection_rank(const gb_selection *s, size_t n, size_t *candidate)
{
    for (size_t i = 1; i < n; i++) {
        const size_t moved = candidate[i];
        size_t at = i;
        for (; at > 0; at--) {
            const double before = value_of(s, candidate[at - 1]), value = value_of(s, moved);
            if (before > value || (before == value && candidate[at - 1] < moved))
                break;
            candidate[at] = candidate[at - 1];
        }
        candidate[at] = moved;
    }
}

/* The same documents, and the same folds: errors of differences are smaller than those of scores. */
static double error_over_folds(const gb_selection *s, size_t a, size_t b)
{
    double n = 0, mean = 0, squares = 0;
    for (size_t i = 0; i < s->parts.n; i++) {
        const gb_score *x = gb_score_table_find(s->candidate[a].part[i], s->section, s->criterion),
                       *y = gb_score_table_find(s->candidate[b].part[i], s->section, s->criterion);
        if (x == NULL || y == NULL)
            continue;
        const double difference = x->value - y->value, from_mean = difference - mean;
        mean += from_mean / ++n;
        squares += from_mean * (difference - mean);
    }
    return n > 1 ? sqrt(squares / (n - 1) / n) : (double)NAN;
}

/* Whether a candidate is within one standard error of the best. */
static bool is_near(const gb_selection *s, size_t best, size_t candidate)
{
    const bool is_pooled = s->candidate[best].pooled.scores != NULL &&
                           s->section < gb_score_table_n_sections(s->candidate[best].pooled.scores);
    const double error = is_pooled
                             ? gb_pooled_difference_error(&s->candidate[best].pooled, &s->candidate[candidate].pooled,
                                                          s->section, s->criterion)
                             : error_over_folds(s, best, candidate);
    return value_of(s, best) - value_of(s, candidate) <= (isnan(error) ? 0 : error);
}

size_t gb_selection_n_near(const gb_selection *s, size_t n, const size_t *candidate)
{
    size_t near = 1;
    for (size_t i = 1; i < n; i++)
        near = is_near(s, candidate[0], candidate[i]) ? i + 1 : near;
    return near;
}

static bool has_all(const gb_selection *s, size_t candidate)
{
    return s->candidate[candidate].divisor == 1;
}

static int64_t n_topics(const gb_selection *s, size_t candidate)
{
    return gb_settings_int(s->candidate[candidate].settings, "topics");
}

void gb_selection_choose(gb_selection *s)
{
    const size_t n = s->grid.n_candidates;
    s->best = n;
    for (size_t i = 0; i < n; i++)
        if (has_all(s, i) && (s->best == n || value_of(s, i) > value_of(s, s->best)))
            s->best = i;
    s->advised = s->best;
    for (size_t i = 0; i < n; i++) {
        if (!has_all(s, i) || !is_near(s, s->best, i))
            continue;
        const int64_t fewer = n_topics(s, s->advised) - n_topics(s, i);
        if (fewer > 0 || (fewer == 0 && value_of(s, i) > value_of(s, s->advised)))
            s->advised = i;
    }
}

/* ---- advice ---------------------------------------------------------------------------------------- */

/* The best is at an end of the values that were tried, where more may be better. */
static const char *end_of_grid(const gb_selection *s)
{
    bool fewer = false, more = false;
    for (size_t i = 0; i < s->grid.n_candidates; i++) {
        fewer = fewer || n_topics(s, i) < n_topics(s, s->best);
        more = more || n_topics(s, i) > n_topics(s, s->best);
    }
    if (s->advised == s->best && fewer && !more)
        return "; no larger number of topics was tried";
    return s->advised == s->best && more && !fewer ? "; no smaller number of topics was tried" : "";
}

static void describe_score(const gb_selection *s, size_t candidate, size_t size, char *out)
{
    const gb_score *score = score_of(s, candidate);
    if (score == NULL)
        (void)snprintf(out, size, "no %s", s->criterion);
    else if (isnan(score->standard_error))
        (void)snprintf(out, size, "%s %.4g", s->criterion, score->value);
    else
        (void)snprintf(out, size, "%s %.4g (standard error %.2g)", s->criterion, score->value, score->standard_error);
}

gb_status gb_selection_advice(const gb_selection *s, char **out, gb_error *err)
{
    gb_status st;
    char best[120], advised[120], *text = NULL;
    if (s->criterion == NULL)
        return gb_fail(err, GB_EARGUMENT, "the selection has not run");
    const char *best_name = s->candidate[s->best].name, *advised_name = s->candidate[s->advised].name;
    describe_score(s, s->best, sizeof best, best);
    describe_score(s, s->advised, sizeof advised, advised);
    const size_t size = strlen(best_name) + strlen(advised_name) + 600;
    GB_TRY(gb_alloc(&text, size, 1, "the advice", err));
    if (s->best == s->advised)
        (void)snprintf(text, size, "Take %s: it has the best %s%s.", best_name, best, end_of_grid(s));
    else
        (void)snprintf(
            text, size,
            "Take %s: %s. It has the fewest topics of those whose difference from the best, %s with %s, is within "
            "one standard error.",
            advised_name, advised, best_name, best);
    *out = text;
    text = NULL;
done:
    gb_free(text);
    return st;
}
