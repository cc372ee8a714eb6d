/* answer/verdict.c - what of a model holds: a conclusion, then predictions, topics, effects, scales, the log joint, and one thing to do.
 *
 * Each is said in its own unit, and what several chains have in common decides: predictions hardly differ between chains whose log joint
 * does, and topics that all chains have found can be reported though others cannot.  The log joint decides only whether the
 * run was long enough to ask (chain/trace.h).  docs/measured/verdict.md says how often these sentences are right. */
#include "answer/verdict.h"

#include "answer/questions.h"
#include "answer/topic_labels.h"
#include "diagnose/chance.h"
#include "diagnose/diagnosis.h"
#include "diagnose/recurrence.h"
#include "estimate/estimate.h"
#include "gibbous/cross_fit.h"
#include "gibbous/options.h"
#include "model/agreement.h"
#include "model/lead.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 1000 };

/* Whether something holds, as a cell. */
enum { NO, YES };
#define UNKNOWN GB_NO_COUNT

/* ---- was the run long enough ----------------------------------------------------------------------- */

typedef struct length {      /* of a run */
    bool is_known, is_short; /* the chains of a model that have draws, or all of a run without any */
    bool is_too_short_to_say;
    uint64_t n_chains; /* that are compared: of a class, where each has its own */
    uint64_t n_traces; /* of all these chains, the log joint's */
    uint64_t n_sweeps;
    uint64_t burn_in; /* that it should have had, since a trace was level only then; 0: draws were kept late enough */
    double more;      /* log joint per token that twice the sweeps would gain, see docs/diagnose.md; NaN: not known */
} length;

/* Each chain that has left its burn-in found by itself when little was gained for predictions. */
static bool chains_found_their_ends(const gb_model *model)
{
    uint64_t n_ended = 0, n_found = 0;
    for (uint64_t c = 0; model != NULL && c < gb_model_n_burn_ins(model); c++) {
        n_ended += gb_model_burn_in(model, c) > 0;
        n_found += gb_model_burn_in_is_found(model, c);
    }
    return n_ended > 0 && n_found == n_ended;
}

/* A chain that was stopped before it had kept a draw is not in the model. */
static bool counts(const gb_diagnosis *d, const gb_trace *t)
{
    for (size_t i = 0; i < d->n_traces; i++)
        if (d->trace[i].first_kept > 0)
            return t->first_kept > 0;
    return true;
}

static bool is_log_joint(const gb_trace *t)
{
    return strcmp(t->name, "log joint") == 0;
}

/* A third of what the log joint gains shows in new documents; it gains as the logarithm of the sweeps: twice as many gain
 * log(2) / log((7/8) / (5/8)) times what the last quarter has gained over the one before. */
static const double SHOWS = 1.0 / 3, DOUBLING = 2.06;

/* Chains wander; what they gain on average is more than that. */
static gb_trace_gain mean_gain(const gb_diagnosis *d, const char *name)
{
    double n = 0;
    gb_trace_gain mean = {0};
    for (size_t i = 0; i < d->n_traces; i++) {
        const gb_trace *t = &d->trace[i];
        if (t->name != name || !counts(d, t))
            continue;
        n++;
        mean.gain += (t->gain.gain - mean.gain) / n;
        mean.matters += (t->gain.matters - mean.matters) / n;
        mean.noise += (t->gain.noise - mean.noise) / n;
    }
    return mean;
}

static length length_of(const gb_diagnosis *d, const gb_model *model)
{
    length r = {.is_known = d->n_traces > 0, .more = NAN};
    const bool is_found = chains_found_their_ends(model);
    for (size_t i = 0; i < d->n_traces; i++) {
        const gb_trace *t = &d->trace[i];
        if (!counts(d, t))
            continue;
        const gb_trace_gain gain = mean_gain(d, t->name);
        r.is_too_short_to_say |= t->n < GB_LEAST_TRACE;
        r.is_short |= !is_found && (t->n < GB_LEAST_TRACE || gb_trace_still_gains(gain));
        r.n_sweeps = t->n_sweeps > r.n_sweeps ? t->n_sweeps : r.n_sweeps;
        r.n_traces += is_log_joint(t);
        const uint64_t level = t->levelled.since * t->stride;
        if (!is_found && t->levelled.trend == GB_TREND_LEVEL && t->first_kept > 0 && level > t->first_kept &&
            level > r.burn_in)
            r.burn_in = level;
        if (is_log_joint(t) && d->n_tokens > 0)
            r.more = gain.gain > gain.noise ? DOUBLING * SHOWS * gain.gain / (double)d->n_tokens : 0;
    }
    r.n_chains = d->n_chains > 0 ? d->n_chains : r.n_traces;
    return r;
}

/* ---- the facts ------------------------------------------------------------------------------------- */

/* For what reason chains may agree although others would find something else. */
typedef enum shared_cause { NOTHING, LABELS, START } shared_cause;

typedef struct facts {
    const gb_diagnosis *diagnosis;
    const gb_model *model; /* NULL: a run that goes on */
    length run;
    uint64_t n_responses;
    gb_words_agreement words;
    bool has_words, has_labels;
    bool settled;          /* predictions */
    bool gains;            /* too much from more sweeps for that, without labels */
    gb_recurrence topics;  /* n_chains 0: not known */
    shared_cause shared;   /* by the chains that these are counted in */
    size_t n_agree, n_all; /* effects of recurring topics, of all responses */
    bool may_be_chance;    /* these effects */
} facts;

/* Runs that may differ by more than this in perplexity, or agree on fewer labels, or whose scores correlate less, are not settled; nor are those
 * that gain more than GAINS from twice the sweeps. */
static const double MOST_DIFFERENCE = 0.05, GAINS = 0.02, LEAST_SAME = 0.75, LEAST_CORRELATION = 0.9;

static double percent_of_perplexity(double log_likelihood)
{
    return 100 * expm1(log_likelihood);
}

/* What m + 2 chains in place of m gain: an average over m gains in proportion to 1 - 1/m. */
static double gain_of_chains(const gb_words_agreement *w)
{
    const double m = (double)w->n_chains;
    return fmax(w->gain, 0) / (1 - 1 / m) * (1 / m - 1 / (m + 2));
}

/* Of two runs, each an average: of chains that may be farther apart than these are, with other lengths of burn-in, which are worth what twice the
 * sweeps gain. */
static double most_difference(const facts *f)
{
    static const double FARTHER = 1.5, LEAST_RANGE = 0.01; /* a few chains may be near each other by chance */
    return FARTHER * fmax(f->words.range, LEAST_RANGE) + f->run.more;
}

static bool has_classes(const gb_model *model, uint64_t response)
{
    return gb_agreement_is_of_classes(gb_model_task(model, response));
}

/* How far another run would agree with this one, both averages over m chains: correlations by the formula of Spearman and Brown; what two averages
 * disagree on in their classes falls more slowly than with 1 / sqrt(m) (docs/measured/verdict.md), and is of so many documents. */
static double same_of_runs(const facts *f, uint64_t response, const gb_labels_agreement *labels)
{
    const double m = (double)f->run.n_chains, same = labels->same;
    if (!has_classes(f->model, response))
        return m * same / (1 + (m - 1) * same);
    const double apart = (1 - same) / pow(m, 0.25);
    return 1 - apart - sqrt(apart * (1 - apart) / (double)labels->n_documents);
}

static void find_predictions(facts *f)
{
    bool are_same = true;
    f->has_words = gb_model_words_agreement(f->model, &f->words);
    for (uint64_t r = 0; r < f->n_responses; r++) {
        gb_labels_agreement labels;
        if (!gb_model_labels_agreement(f->model, r, &labels))
            continue;
        f->has_labels = true;
        are_same &= same_of_runs(f, r, &labels) >= (has_classes(f->model, r) ? LEAST_SAME : LEAST_CORRELATION);
    }
    f->gains = f->n_responses == 0 && f->run.more > GAINS;
    f->settled = f->run.is_known && !f->run.is_short && f->run.burn_in == 0 && are_same && !f->gains &&
                 !(f->has_words && most_difference(f) > MOST_DIFFERENCE);
}

/* Labels draw topics to themselves in every chain, also labels that have nothing to do with the words. */
static gb_status find_chance(const gb_model *model, bool *out, gb_error *err)
{
    const gb_status st = gb_model_find_shaping(model, out, err);
    *out |= gb_model_has_pseudo_posterior(model);
    return st;
}

/* Labels draw the same topics in every chain, also labels that are chance.  Short chains start apart and see none (docs/measured/verdict.md). */
static gb_status find_shared(const gb_model *model, const gb_recurrence *topics, shared_cause *out, gb_error *err)
{
    bool saw_labels;
    const gb_status st = gb_model_find_shaping(model, &saw_labels, err);
    *out = topics->are_of_short_chains ? NOTHING : model->has_common_start ? START : saw_labels ? LABELS : NOTHING;
    return st;
}

/* A topic of a model without snapshots of several chains is compared with nothing. */
static gb_status find_facts(const gb_diagnosis *d, const gb_model *model, facts *f, gb_error *err)
{
    gb_status st = GB_OK;
    *f = (facts){.diagnosis = d, .model = model, .run = length_of(d, model)};
    f->settled = f->run.is_known && !f->run.is_short && f->run.burn_in == 0;
    if (model == NULL)
        return GB_OK;
    f->n_responses = gb_model_n_responses(model);
    find_predictions(f);
    GB_TRY(find_chance(model, &f->may_be_chance, err));
    GB_TRY(gb_recurrence_find(model, &f->topics, err));
    GB_TRY(find_shared(model, &f->topics, &f->shared, err));
    for (uint64_t r = 0; f->topics.n_chains > 1 && r < f->n_responses; r++) {
        gb_effect_agreement effects;
        GB_TRY(gb_effects_agree(model, r, &effects, err));
        f->n_agree += effects.n_agree;
        f->n_all += effects.n_topics;
    }
done:
    return st;
}

/* ---- sentences ------------------------------------------------------------------------------------- */

typedef struct sentence {
    size_t n;
    char text[TEXT_SIZE];
} sentence;

static void say(sentence *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(sentence *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (s->n < sizeof s->text)
        s->n += (size_t)vsnprintf(s->text + s->n, sizeof s->text - s->n, format, arguments);
    va_end(arguments);
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void say_how_many_topics(const facts *f, sentence *s)
{
    const gb_recurrence *r = &f->topics;
    if (r->n_all == 0)
        say(s, f->shared != NOTHING ? "; chains agree on no topic" : "; no topic can be reported");
    else if (f->shared != NOTHING)
        say(s, "; chains agree on %zu of %zu topic%s", r->n_all, r->n_topics, plural(r->n_topics));
    else
        say(s, "; %zu of %zu topic%s can be reported", r->n_all, r->n_topics, plural(r->n_topics));
}

static void say_conclusion(const facts *f, sentence *s)
{
    if (!f->run.is_known) {
        say(s, "there are no traces, so nothing says whether the chains have run long enough");
    } else if (f->run.is_short) {
        say(s, "the run was too short: predictions%s still change", f->model == NULL ? "" : " and topics");
    } else if (f->run.n_chains < 2) {
        say(s, "%s, as far as one chain tells%s",
            f->settled ? "predictions are settled" : "draws were kept too early",
            f->model == NULL ? "" : "; which topics others would find is not known");
    } else {
        say(s, "%s",
            f->settled           ? "predictions are settled"
            : f->run.burn_in > 0 ? "draws were kept too early"
            : f->gains           ? "predictions still gain"
                                 : "predictions differ too much between chains");
        if (f->topics.n_chains > 1 && f->topics.n_topics > 0)
            say_how_many_topics(f, s);
        if (f->may_be_chance)
            return;
        if (f->n_all > 0 && f->n_responses == 1)
            say(s, "; chains agree on the effects of %zu of these", f->n_agree);
        else if (f->n_all > 0)
            say(s, "; chains agree on %zu of %zu of their effects", f->n_agree, f->n_all);
    }
}

static uint64_t conclusion_holds(const facts *f)
{
    if (!f->run.is_known)
        return UNKNOWN;
    return !f->settled ? NO : f->run.n_chains > 1 ? YES : UNKNOWN;
}

static void say_words(const facts *f, sentence *s)
{
    say(s,
        "another run would differ by at most %.2g %% in perplexity (chains differ by %.2g %%, on half of each of "
        "%" PRIu64 " documents of the training given the other half); two more chains would gain about %.2g %%",
        percent_of_perplexity(most_difference(f)), percent_of_perplexity(f->words.range), f->words.n_documents,
        percent_of_perplexity(gain_of_chains(&f->words)));
    if (f->run.more > 0)
        say(s, ", twice the sweeps about %.2g %%", percent_of_perplexity(f->run.more));
    else
        say(s, ", twice the sweeps nothing that shows");
}

/* Percents of which few are left are not rounded to all. */
static double percent(double share)
{
    return share < 1 ? fmin(round(100 * share), 99) : 100;
}

static void say_labels(const facts *f, uint64_t response, sentence *s)
{
    gb_labels_agreement labels;
    const char *whose = "of the training";
    if (!gb_model_labels_agreement(f->model, response, &labels)) {
        say(s, "how far chains differ is not known");
        return;
    }
    if (labels.are_held_out)
        whose = "whose labels they had not seen";
    const double same = same_of_runs(f, response, &labels);
    if (!has_classes(f->model, response))
        say(s, "scores of another run would correlate with %.2f (of two chains, on %" PRIu64 " documents %s, %.2f)",
            same, labels.n_documents, whose, labels.same);
    else
        say(s, "another run would give at least %.0f %% %s (two chains, on %" PRIu64 " documents %s, %.0f %%)",
            percent(same),
            gb_model_task(f->model, response) == GB_TASK_MULTILABEL ? "of the same labels"
                                                                    : "of documents the same class",
            labels.n_documents, whose, percent(labels.same));
}

static void say_predictions(const facts *f, sentence *s)
{
    say(s, "predictions: ");
    if (f->run.is_short)
        say(s, "not settled; the run is too short%s",
            f->run.is_too_short_to_say ? " to say how much more sweeps would gain" : ", more sweeps would gain");
    else if (f->run.burn_in > 0)
        say(s, "not settled; the chains levelled off only after sweep %" PRIu64 ", when draws were being kept",
            f->run.burn_in);
    else if (f->run.n_chains < 2)
        say(s, "more sweeps would gain little; one chain does not say how far another would differ");
    else
        say(s, "%ssettled; ", f->settled ? "" : "not ");
    if (f->run.is_short || f->run.burn_in > 0 || f->run.n_chains < 2)
        return;
    if (f->n_responses == 0 && f->has_words)
        say_words(f, s);
    else if (f->n_responses == 0)
        say(s, "more sweeps would gain little; how far chains differ is not known");
    for (uint64_t r = 0; r < f->n_responses; r++) {
        if (f->n_responses > 1)
            say(s, "%s%.60s: ", r > 0 ? "; " : "", gb_model_field(f->model, r));
        say_labels(f, r, s);
    }
}

static void say_why_chains_agree(const gb_recurrence *r, shared_cause shared, sentence *s)
{
    const bool is_one = r->n_all == 1;
    say(s, ": chains agree on %s, but they ", is_one ? "it" : "these");
    if (shared == LABELS)
        say(s, "saw the same labels, so this does not show that %s there without the labels",
            is_one ? "it is" : "they are");
    else
        say(s, "began with the same topics, so this does not show that other chains would find %s",
            is_one ? "it" : "them");
}

static void say_topics(const gb_recurrence *r, bool is_short, shared_cause shared, sentence *s)
{
    if (r->n_topics == 0)
        return;
    say(s, "topics: %zu of %zu", r->n_all, r->n_topics);
    if (!isnan(r->share) && r->n_all > 0)
        say(s, ", %.0f %% of all words,", percent(r->share));
    say(s, " %s in ", r->n_all == 1 ? "is" : "are");
    if (r->n_chains == 2)
        say(s, "both chains");
    else if (r->are_of_short_chains)
        say(s, "at least %zu of %zu short chains", r->n_enough, r->n_chains);
    else
        say(s, "all %zu chains", r->n_chains);
    if (!isnan(r->spread))
        say(s, ", shares within %.2g %%", 100 * r->spread);
    if (is_short)
        say(s, " so far");
    else if (r->n_all > 0 && shared != NOTHING)
        say_why_chains_agree(r, shared, s);
    else if (r->n_all > 0)
        say(s, ": report %s", r->n_all == 1 ? "it" : "these");
}

/* Those that other chains do not have, or not all. */
static void say_other_topics(const gb_recurrence *r, sentence *s)
{
    const char *before = "topics: ";
    if (r->n_some > 0) {
        say(s, "%s%zu %s in 2", before, r->n_some, r->n_some == 1 ? "is" : "are");
        if (r->n_enough > 3)
            say(s, " %s %zu", r->n_enough == 4 ? "or" : "to", r->n_enough - 1);
        say(s, " chains");
        before = ", ";
    }
    if (r->n_one > 0) {
        say(s, "%s%zu %s in one %s: do not name %s", before, r->n_one, r->n_one == 1 ? "is" : "are",
            r->are_of_short_chains ? "short chain or none" : "chain only", r->n_one == 1 ? "it" : "them");
        before = ", ";
    }
    if (r->n_named > 0) {
        say(s, "%s%zu %s seed words, which all chains share", before, r->n_named, r->n_named == 1 ? "has" : "have");
        before = ", ";
    }
    if (r->n_empty > 0)
        say(s, "%s%zu %s empty", before, r->n_empty, r->n_empty == 1 ? "is" : "are");
}

static void say_effects(const gb_model *m, uint64_t response, const gb_effect_agreement *e, bool may_be_chance,
                        sentence *s)
{
    const uint64_t n_outputs = gb_model_n_responses(m) == 0 ? 0 : m->target[response].response.n_outputs;
    const bool of_classes = n_outputs > 1 && !gb_model_is_one_vs_rest(m);
    say(s, "effects");
    if (gb_model_n_responses(m) > 1)
        say(s, " on %.60s", gb_model_field(m, response));
    if (e->n_topics == 0) {
        say(s, ": no topic recurs whose effect chains could agree on");
        return;
    }
    const bool is_one = e->n_agree == 1;
    say(s, ": %zu of %zu recurring topic%s %s in all chains", e->n_agree, e->n_topics, plural(e->n_topics),
        of_classes ? (is_one ? "speaks for the same class" : "speak for the same class")
        : is_one   ? "has the same sign"
                   : "have the same sign");
    if (e->n_agree > 0)
        say(s, ", with sizes within %.2g %%%s", 100 * e->spread,
            may_be_chance ? "; whether that is chance, only documents outside the training show" : "");
}

/* Quantities that are read as numbers. */
static bool is_scale(const gb_quantity *q)
{
    return strcmp(q->group, "parameter") == 0 || strcmp(q->group, "covariate") == 0 || strcmp(q->group, "prior") == 0;
}

typedef struct scales {
    size_t n, n_apart;
    double r_hat, ess; /* the largest, the smallest */
} scales;

static scales find_scales(const gb_diagnosis *d)
{
    scales x = {.r_hat = NAN, .ess = NAN};
    for (size_t i = 0; i < d->n_quantities; i++) {
        const gb_quantity *q = &d->quantity[i];
        if (!is_scale(q) || isnan(q->mixing.r_hat))
            continue;
        x.n++;
        x.n_apart += !q->agrees;
        x.r_hat = fmax(x.r_hat, q->mixing.r_hat);
        x.ess = fmin(x.ess, q->median_ess);
    }
    return x;
}

static void say_scales(const gb_diagnosis *d, const scales *x, sentence *s)
{
    size_t n_named = 0;
    enum { MOST_NAMED = 3 };
    say(s, "scales and covariates: ");
    if (x->n_apart == 0) {
        say(s, "%s, R-hat at most %.2f; worth %.0f independent draws or more%s",
            d->n_chains > 1 ? "chains agree" : "the halves of the chain agree", x->r_hat, x->ess,
            x->ess < 100 ? ", and quantiles of fewer than 100 are rough" : "");
        return;
    }
    say(s, "%s do not agree on ", d->n_chains > 1 ? "chains" : "the halves of the chain");
    for (size_t i = 0; i < d->n_quantities && n_named < MOST_NAMED; i++)
        if (is_scale(&d->quantity[i]) && !isnan(d->quantity[i].mixing.r_hat) && !d->quantity[i].agrees)
            say(s, "%s%.80s (R-hat %.2f)", n_named++ > 0 ? ", " : "", d->quantity[i].name,
                d->quantity[i].mixing.r_hat);
    if (x->n_apart > n_named)
        say(s, " and %zu more", x->n_apart - n_named);
}

/* One of n traces that all are level may look as if it moved by chance. */
static bool is_moving(const gb_trace *t, size_t n)
{
    return (t->levelled.trend == GB_TREND_RISING || t->levelled.trend == GB_TREND_FALLING) &&
           fabs(t->levelled.drift) > gb_most_errors(n) * t->levelled.error;
}

/* For experts: it decides nothing. */
static void say_log_joint(const facts *f, sentence *s)
{
    const gb_diagnosis *d = f->diagnosis;
    uint64_t n_moving = 0, n_level = 0;
    double most = 0;
    say(s, "log joint, for experts: ");
    for (size_t i = 0; i < d->n_quantities && strcmp(d->quantity[i].group, "log joint") == 0; i++)
        if (!isnan(d->quantity[i].mixing.r_hat))
            say(s, "R-hat %.2f%s, ", d->quantity[i].mixing.r_hat,
                d->n_chains > 1 ? " between chains" : " of its halves");
    for (size_t i = 0; i < d->n_traces; i++) {
        const gb_trace *t = &d->trace[i];
        const double by = 100 * t->levelled.slope / (double)t->stride;
        if (!is_log_joint(t) || !counts(d, t))
            continue;
        n_level += t->levelled.trend == GB_TREND_LEVEL;
        n_moving += is_moving(t, f->run.n_traces);
        most = is_moving(t, f->run.n_traces) && fabs(by) > fabs(most) ? by : most;
    }
    if (n_moving > 0)
        say(s, "still %s in %" PRIu64 " of %" PRIu64 " chain%s, by %.2g%s in 100 sweeps",
            most < 0 ? "falling" : "rising", n_moving, f->run.n_traces, plural(f->run.n_traces),
            fabs(most) / (d->n_tokens > 0 ? (double)d->n_tokens : 1), d->n_tokens > 0 ? " per token" : "");
    else
        say(s, "%s", n_level == f->run.n_traces ? "level" : "too few independent sweeps to say whether it is level");
}

/* ---- what to do ------------------------------------------------------------------------------------ */

/* The checkpoint of a run that it can make longer: not of one that decides its own end; else "". */
static gb_status find_checkpoint(const gb_asked *asked, const char **out, gb_error *err)
{
    gb_settings *settings = NULL;
    const gb_model *model = asked->subject->model;
    const char *resumed = gb_asked_text(asked, "resume"),
               *path = *resumed != '\0' ? resumed : gb_asked_text(asked, "checkpoint");
    gb_status st = GB_OK;
    *out = "";
    if (*path == '\0' || (model != NULL && gb_model_n_burn_ins(model) > 0))
        return st;
    if (model != NULL) {
        *out = path;
        return st;
    }
    GB_TRY(gb_settings_create(&settings, err));
    GB_TRY(gb_settings_resume(settings, path, err));
    if (strcmp(gb_settings_get(settings, "sweeps", 0), "auto") != 0)
        *out = path;
done:
    gb_settings_free(settings);
    return st == GB_ENOMEM ? st : GB_OK; /* a checkpoint that cannot be resumed can be looked at */
}

/* A gain of perplexity that is worth more work. */
static const double WORTH = 0.01;

/* One thing: what the conclusion rests on most. */
static void say_advice(const facts *f, const scales *x, const char *checkpoint, sentence *s)
{
    const gb_recurrence *t = &f->topics;
    const double of_chains = f->has_words ? gain_of_chains(&f->words) : 0,
                 of_sweeps = f->n_responses == 0 ? f->run.more : 0;
    if (!f->run.is_known)
        return;
    const bool are_pooled = t->are_of_short_chains, are_few = t->n_chains > 1 && 2 * t->n_all < t->n_topics;
    const bool wants_sweeps = f->run.is_short || f->gains || (of_sweeps > WORTH && of_sweeps > of_chains);
    if (wants_sweeps && *checkpoint != '\0')
        say(s, "next: continue with `resume` %.200s `sweeps` %" PRIu64, checkpoint, 2 * f->run.n_sweeps);
    else if (wants_sweeps)
        say(s, "next: use `sweeps` %" PRIu64, 2 * f->run.n_sweeps);
    else if (f->run.burn_in > 0)
        say(s, "next: use `burn-in` %" PRIu64, f->run.burn_in);
    else if (f->run.n_chains < 2)
        say(s, "next: use `chains` 4: nothing can be compared with one");
    else if (of_chains > WORTH || !f->settled)
        say(s, "next: use `chains` %" PRIu64, f->run.n_chains + 2);
    else if (are_few && f->shared == NOTHING && t->n_chains < 3)
        say(s, "next: to report topics use `chains` 4");
    else if (are_few && f->shared == NOTHING)
        say(s, "next: to report more of the topics use %s",
            are_pooled || f->n_responses > 0 ? "fewer (`topics`)" : "`pool` 60");
    else if (x->n > 0 && x->ess < 100)
        say(s, "next: for intervals keep more draws (`sweeps` %" PRIu64 ")", 2 * f->run.n_sweeps);
    else if (f->shared == LABELS && t->n_chains > 1 && !gb_model_is_one_vs_rest(f->model))
        say(s, "next: to report topics use %s`pool` 60: short chains see no labels",
            t->n_chains < 3 ? "`chains` 4 and " : "");
}

/* ---- beside what they are about -------------------------------------------------------------------- */

gb_status gb_note_recurrence(gb_table *table, const gb_model *model, gb_error *err)
{
    gb_status st;
    gb_diagnosis *d = NULL;
    gb_recurrence r;
    shared_cause shared;
    sentence s = {0}, others = {0};
    GB_TRY(gb_diagnosis_create(model, GB_DIAGNOSE_RUN, &d, err));
    GB_TRY(gb_recurrence_find(model, &r, err));
    GB_TRY(find_shared(model, &r, &shared, err));
    if (r.n_chains > 1)
        say_topics(&r, length_of(d, model).is_short, shared, &s);
    else
        say(&s, "topics: one chain does not say which of them others would find: use `chains` 4");
    say_other_topics(&r, &others);
    gb_table_add_note(table, r.n_chains > 1 ? GB_NOTE_BELOW : GB_NOTE_REMARK, "%s", s.text);
    if (r.n_chains > 1 && others.n > 0)
        gb_table_add_note(table, GB_NOTE_BELOW, "%s", others.text);
done:
    gb_diagnosis_free(d);
    return st;
}

gb_status gb_note_agreement(gb_table *table, const gb_model *model, gb_error *err)
{
    gb_status st;
    bool may_be_chance;
    gb_effect_agreement effects;
    if (gb_model_n_folds(model) > 0 || gb_model_n_chains_of_topics(model) < 2)
        return GB_OK;
    GB_TRY(find_chance(model, &may_be_chance, err));
    for (uint64_t r = 0; r < gb_model_n_responses(model); r++) {
        sentence s = {0};
        GB_TRY(gb_effects_agree(model, r, &effects, err));
        say_effects(model, r, &effects, may_be_chance, &s);
        gb_table_add_note(table, GB_NOTE_BELOW, "%s", s.text);
    }
done:
    return st;
}

/* ---- the question ---------------------------------------------------------------------------------- */

enum { ABOUT, HOLDS, TEXT, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    [ABOUT] =
        {"about", "", GB_CELL_TEXT, GB_PLACE_DATA, NULL, "",
         "conclusion, predictions, topics, effects, scales, log joint or next: the one thing to do, if there is one"},
    [HOLDS] =
        {"holds", "", GB_CELL_FLAG, GB_PLACE_DATA, NULL, "",
         "whether it can be used or reported, of the conclusion whether predictions can be used; empty where that is "
         "not known, or not asked"},
    [TEXT] = {"text", "verdict", GB_CELL_TEXT, GB_PLACE_SENTENCE, NULL, "", "the sentence"}};

static void put(gb_table *t, const char *about, uint64_t holds, const sentence *s)
{
    if (s->n == 0)
        return;
    gb_table_begin_row(t, NAN);
    gb_put_text(t, ABOUT, about);
    gb_put_count(t, HOLDS, holds);
    gb_put_text(t, TEXT, s->text);
}

static void put_conclusion(gb_table *t, const facts *f)
{
    sentence s = {0}, predictions = {0};
    say_conclusion(f, &s);
    put(t, "conclusion", conclusion_holds(f), &s);
    if (!f->run.is_known)
        return;
    say_predictions(f, &predictions);
    put(t, "predictions", !f->settled ? NO : f->has_words || f->has_labels ? YES : UNKNOWN, &predictions);
}

static void put_topics(gb_table *t, const facts *f)
{
    sentence s = {0}, others = {0};
    if (f->topics.n_chains < 2)
        return;
    say_topics(&f->topics, f->run.is_short, f->shared, &s);
    put(t, "topics", f->run.is_short || f->topics.n_all == 0 ? NO : f->shared != NOTHING ? UNKNOWN : YES, &s);
    say_other_topics(&f->topics, &others);
    put(t, "topics", NO, &others);
}

static gb_status put_effects(gb_table *t, const facts *f, gb_error *err)
{
    gb_status st = GB_OK;
    for (uint64_t r = 0; f->topics.n_chains > 1 && r < f->n_responses; r++) {
        gb_effect_agreement effects;
        sentence s = {0};
        GB_TRY(gb_effects_agree(f->model, r, &effects, err));
        say_effects(f->model, r, &effects, f->may_be_chance, &s);
        put(t, "effects", f->run.is_short || effects.n_agree == 0 ? NO : f->may_be_chance ? UNKNOWN : YES, &s);
    }
done:
    return st;
}

static gb_status answer(const gb_asked *asked, gb_table *t, gb_error *err)
{
    gb_status st;
    facts f;
    const char *checkpoint;
    const gb_diagnosis *d = asked->subject->diagnosis;
    const scales x = find_scales(d);
    sentence of_scales = {0}, log_joint = {0}, advice = {0};
    GB_TRY(find_facts(d, asked->subject->model, &f, err));
    GB_TRY(find_checkpoint(asked, &checkpoint, err));
    gb_table_add_all(t, N_COLUMNS, columns, NULL);
    put_conclusion(t, &f);
    put_topics(t, &f);
    GB_TRY(put_effects(t, &f, err));
    if (x.n > 0)
        say_scales(d, &x, &of_scales);
    put(t, "scales", x.n_apart == 0 && !f.run.is_short ? YES : NO, &of_scales);
    if (f.run.is_known)
        say_log_joint(&f, &log_joint);
    put(t, "log joint", UNKNOWN, &log_joint);
    say_advice(&f, &x, checkpoint, &advice);
    put(t, "next", UNKNOWN, &advice);
    if (f.model != NULL)
        gb_note_empty_topics(t, f.model);
done:
    return st;
}

const gb_question_row gb_question_verdict = {
    {"verdict", "what of a model holds, what does not, and what to do", GB_NEEDS_DIAGNOSIS, "checkpoint resume"},
    answer};
