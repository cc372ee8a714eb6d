/* run/agreement.c - how far the chains of a run differ in what they predict, found at its end for the verdict (answer/verdict.c).
 *
 * Of a model without labels: half of each of some training documents is completed from the other half (apply/held_out.c), under the draws
 * of each chain alone, then under those of all.  The topics have seen these documents, so the level is too high, but not by much more in one chain
 * than in another: docs/measured/verdict.md.
 *
 * Of labels: the scores that each chain gave to the documents whose labels were held out, before it had these labels (recipe/late_labels.c);
 * without such documents, its scores of some training documents. */
#include "model/agreement.h"
#include "base/memory.h"
#include "corpus/data/subset.h"
#include "gibbous/apply.h"
#include "options/settings.h"
#include "run/run.h"

#include <math.h>
#include <string.h>

static const char what[] = "how far chains agree";

/* ---- words ---- */

/* Completion with so few sweeps of so few draws costs about 4 passes over the tokens of its documents for each of these draws, twice; there are as
 * many documents as take 1 / SHARE of the training, if these are not too few. */
enum { MOST_DOCUMENTS = 500, FEWEST_DOCUMENTS = 100, MOST_DRAWS = 5, PASSES = 8, SHARE = 30 };

static const char *const completion[][2] = {
    {"held-out", "completion"}, {"held-out-samples", "1"}, {"infer-sweeps", "4"}, {"infer-burn-in", "2"}};

static uint64_t count_documents(const gb_run *r)
{
    const gb_corpus *c = r->plan->corpus;
    const uint64_t n_sweeps = r->job[0].n_sweeps * c->n_docs / ((uint64_t)PASSES * MOST_DRAWS * SHARE);
    const uint64_t n = n_sweeps < FEWEST_DOCUMENTS ? FEWEST_DOCUMENTS
                       : n_sweeps < MOST_DOCUMENTS ? n_sweeps
                                                   : MOST_DOCUMENTS;
    return n < c->n_docs ? n : c->n_docs;
}

/* Evenly spread over all. */
static gb_status pick_documents(const gb_run *r, gb_corpus **out, gb_error *err)
{
    const uint64_t n_docs = r->plan->corpus->n_docs, n = count_documents(r);
    bool *is_picked = NULL;
    gb_status st = gb_alloc(&is_picked, n_docs, sizeof *is_picked, what, err);
    for (uint64_t i = 0; st == GB_OK && i < n; i++)
        is_picked[gb_sample_document(n_docs, n, i)] = true;
    if (st == GB_OK)
        st = gb_corpus_pick(r->plan->corpus, is_picked, out, err);
    gb_free(is_picked);
    return st;
}

typedef struct comparison {
    gb_run *run;
    gb_settings *settings;
    gb_corpus *docs;
    gb_held_out *found;
    gb_draw *draw; /* some of each chain */
    size_t *first; /* n_chains + 1: where those of each begin */
    size_t n_chains;
} comparison;

/* Of each chain the last of so many stretches of its snapshots. */
static gb_status pick_draws(comparison *x, gb_error *err)
{
    gb_status st;
    size_t n = 0;
    const gb_model *m = x->run->model;
    GB_TRY(gb_alloc(&x->draw, m->n_draws, sizeof *x->draw, what, err));
    GB_TRY(gb_alloc(&x->first, m->n_draws + 1, sizeof *x->first, what, err));
    for (size_t begin = 0, end; begin < m->n_draws; begin = end) {
        for (end = begin + 1; end < m->n_draws && m->draw[end].chain == m->draw[begin].chain;)
            end++;
        const size_t n_all = end - begin, n_picked = n_all < MOST_DRAWS ? n_all : MOST_DRAWS;
        for (size_t i = 1; i <= n_picked; i++)
            x->draw[n++] = m->draw[begin + i * n_all / n_picked - 1];
        x->first[++x->n_chains] = n;
    }
done:
    return st;
}

static bool goes_on(const gb_apply_progress *progress, void *user)
{
    (void)progress;
    return gb_run_ask(user);
}

/* Per token, under draws first .. end - 1. */
static gb_status complete(comparison *x, size_t first, size_t end, double *out, gb_error *err)
{
    gb_model some = *x->run->model;
    double sum = 0, n = 0;
    some.draw = x->draw + first;
    some.n_draws = end - first;
    const gb_status st = gb_held_out_likelihood(&some, x->docs, 0, x->settings, goes_on, x->run, x->found, err);
    for (uint64_t d = 0; st == GB_OK && d < x->found->n_docs; d++) {
        sum += x->found->log_likelihood[d];
        n += (double)x->found->n_scored[d];
    }
    *out = sum / n;
    return st;
}

static gb_status prepare(comparison *x, gb_error *err)
{
    gb_status st;
    GB_TRY(pick_documents(x->run, &x->docs, err));
    GB_TRY(gb_held_out_create(gb_corpus_n_docs(x->docs), &x->found, err));
    GB_TRY(pick_draws(x, err));
    GB_TRY(gb_settings_for_model(x->run->plan->settings, NULL, &x->settings, err));
    gb_settings_use_team(x->settings, NULL);
    for (size_t i = 0; i < sizeof completion / sizeof *completion; i++)
        GB_TRY(gb_settings_set(x->settings, completion[i][0], completion[i][1], err));
done:
    return st;
}

/* @param out  receives an object, or stays NULL where there is nothing to compare */
static gb_status compare_words(gb_run *r, json_t **out, gb_error *err)
{
    gb_status st;
    comparison x = {.run = r};
    json_t *of_chain = NULL;
    double found;
    bool are_finite = true; /* a number that is not has no place in it */
    GB_TRY(prepare(&x, err));
    if (x.n_chains < 2)
        goto done;
    of_chain = json_array();
    for (size_t c = 0; c < x.n_chains; c++) {
        GB_TRY(complete(&x, x.first[c], x.first[c + 1], &found, err));
        are_finite &= isfinite(found) != 0;
        (void)json_array_append_new(of_chain, json_real(isfinite(found) ? found : 0));
    }
    GB_TRY(complete(&x, 0, x.first[x.n_chains], &found, err));
    are_finite &= isfinite(found) != 0;
    if (are_finite)
        *out = json_pack("{s:I, s:O, s:f}", "documents", (json_int_t)gb_corpus_n_docs(x.docs), "log_likelihood",
                         of_chain, "average", found);
    if (json_array_size(of_chain) < x.n_chains || (are_finite && *out == NULL))
        st = gb_fail_memory(err, 0, "the comparison of chains");
done:
    json_decref(of_chain);
    gb_corpus_free(x.docs);
    gb_held_out_free(x.found);
    gb_settings_free(x.settings);
    gb_free(x.draw);
    gb_free(x.first);
    return st;
}

/* ---- labels ---- */

/* Scores of some documents by each chain: chains x documents x outputs. */
typedef struct scores {
    size_t n_chains, n_docs, n_outputs;
    double *of;
    bool are_held_out;
} scores;

static const double *scores_of(const scores *s, size_t chain, size_t doc, const gb_response *response)
{
    return s->of + (chain * s->n_docs + doc) * s->n_outputs + response->first_output;
}

static bool all_have_late_scores(const gb_run *r)
{
    for (size_t i = 0; i < r->plan->n_model_chains; i++)
        if (r->job[i].late_score == NULL)
            return false;
    return r->plan->spec.n_late > 0;
}

/* With one-vs-rest topics, chain c has those of chain c of each class. */
static void take_late_scores(const gb_run *r, scores *s)
{
    const gb_spec *spec = &r->plan->spec;
    const size_t n_each = s->n_chains, n = spec->one_vs_rest ? 1 : spec->n_outputs;
    for (size_t i = 0; i < r->plan->n_model_chains; i++)
        for (size_t d = 0; d < s->n_docs; d++)
            memcpy(s->of + (i % n_each * s->n_docs + d) * s->n_outputs + i / n_each * (spec->one_vs_rest ? 1 : 0),
                   r->job[i].late_score + d * gb_late_width(spec), n * sizeof *s->of);
}

/* Means over the draws of each chain.  @return false if a class has fewer chains than there are */
static bool take_sample_scores(const gb_model *m, scores *s)
{
    const size_t n = m->n_draw_outputs;
    size_t chain = 0, begin = 0;
    for (size_t i = 0; i < m->n_kept; i++) {
        const bool is_next = i > 0 && m->kept[i].chain != m->kept[i - 1].chain,
                   is_class = is_next && m->kept[i].first_output != m->kept[i - 1].first_output;
        if ((is_class && chain + 1 != s->n_chains) || (is_next && !is_class && chain + 1 == s->n_chains))
            return false;
        chain = is_class ? 0 : chain + is_next;
        begin = is_next ? i : begin;
        const double *score = gb_model_kept_value(m, i, GB_SAMPLE_SCORE);
        for (size_t d = 0; d < s->n_docs; d++)
            for (size_t l = 0; l < n; l++) {
                double *mean = s->of + (chain * s->n_docs + d) * s->n_outputs + m->kept[i].first_output + l;
                *mean += (score[d * n + l] - *mean) / (double)(i - begin + 1);
            }
    }
    return chain + 1 == s->n_chains;
}

static size_t largest(size_t n, const double *x)
{
    size_t at = 0;
    for (size_t i = 1; i < n; i++)
        at = x[i] > x[at] ? i : at;
    return at;
}

/* How much two chains give the same class, or the same labels of those that one of them gives. */
static double same_classes(const scores *s, const gb_target *t, size_t a, size_t b)
{
    const size_t n = t->response.n_outputs;
    double same = 0, all = 0;
    for (size_t d = 0; d < s->n_docs; d++) {
        const double *x = scores_of(s, a, d, &t->response), *y = scores_of(s, b, d, &t->response);
        if (t->task == GB_TASK_MULTILABEL)
            for (size_t l = 0; l < n; l++) {
                same += x[l] > 0 && y[l] > 0;
                all += x[l] > 0 || y[l] > 0;
            }
        else
            same += n > 1 ? largest(n, x) == largest(n, y) : (*x > 0) == (*y > 0);
    }
    all = t->task == GB_TASK_MULTILABEL ? all : (double)s->n_docs;
    return all > 0 ? same / all : 1;
}

static double correlation(const scores *s, const gb_response *response, size_t a, size_t b)
{
    const double n = (double)s->n_docs;
    double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (size_t d = 0; d < s->n_docs; d++) {
        x += *scores_of(s, a, d, response) / n;
        y += *scores_of(s, b, d, response) / n;
    }
    for (size_t d = 0; d < s->n_docs; d++) {
        const double p = *scores_of(s, a, d, response) - x, q = *scores_of(s, b, d, response) - y;
        xx += p * p;
        yy += q * q;
        xy += p * q;
    }
    return xy / sqrt(xx * yy);
}

static double mean_over_pairs(const scores *s, const gb_target *t)
{
    const bool has_classes = gb_agreement_is_of_classes(t->task);
    double sum = 0, n = 0;
    for (size_t a = 0; a < s->n_chains; a++)
        for (size_t b = a + 1; b < s->n_chains; b++, n++)
            sum += has_classes ? same_classes(s, t, a, b) : correlation(s, &t->response, a, b);
    return sum / n;
}

static gb_status find_scores(const gb_run *r, scores *s, bool *are_known, gb_error *err)
{
    const gb_model *m = r->model;
    s->are_held_out = all_have_late_scores(r);
    s->n_outputs = m->n_outputs;
    s->n_docs = s->are_held_out ? (size_t)r->plan->spec.n_late : m->parameters.of[GB_SAMPLE_SCORE].n_rows;
    const gb_status st = gb_alloc(&s->of, s->n_chains * s->n_docs, s->n_outputs * sizeof *s->of, what, err);
    if (st != GB_OK)
        return st;
    *are_known = s->n_docs > 0;
    if (s->are_held_out)
        take_late_scores(r, s);
    else if (*are_known)
        *are_known = take_sample_scores(m, s);
    return GB_OK;
}

static gb_status compare_labels(const gb_run *r, json_t **out, gb_error *err)
{
    bool are_known = false;
    scores s = {.n_chains = (size_t)r->plan->spec.n_chains};
    gb_status st = find_scores(r, &s, &are_known, err);
    json_t *labels = st == GB_OK && are_known ? json_array() : NULL;
    for (size_t i = 0; labels != NULL && i < r->model->n_responses; i++) {
        const double same = mean_over_pairs(&s, &r->model->target[i]);
        json_t *found = isfinite(same) ? json_pack("{s:I, s:b, s:f}", "documents", (json_int_t)s.n_docs, "held_out",
                                                   s.are_held_out, "same", same)
                                       : json_null();
        (void)json_array_append_new(labels, found);
    }
    if (st == GB_OK && are_known && json_array_size(labels) < r->model->n_responses)
        st = gb_fail_memory(err, 0, "the comparison of chains");
    else
        *out = json_incref(labels);
    json_decref(labels);
    gb_free(s.of);
    return st;
}

/* ---- both ---- */

gb_status gb_run_compare(gb_run *r, gb_error *err)
{
    gb_status st = GB_OK;
    json_t *found = NULL;
    const bool has_labels = r->model->n_responses > 0;
    if (r->plan->spec.n_chains < 2 || (!has_labels && r->plan->corpus->word == NULL))
        return st;
    st = has_labels ? compare_labels(r, &found, err) : compare_words(r, &found, err);
    if (found != NULL)
        r->model->agreement = json_pack("{s:O}", has_labels ? "labels" : "words", found);
    if (found != NULL && r->model->agreement == NULL)
        st = gb_fail_memory(err, 0, "the comparison of chains");
    json_decref(found);
    return st == GB_ENOMEM ? st : GB_OK; /* the model is there, and does not fail for it */
}
