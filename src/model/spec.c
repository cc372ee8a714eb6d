/* model/spec.c - from settings and a corpus to a checked description of a model. */
#include "model/spec.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

static const char *const task_names[] = {"none", "binary", "multiclass", "multilabel"};

const char *gb_task_name(gb_task_kind task)
{
    return task_names[task];
}

bool gb_task_find(const char *name, gb_task_kind *out)
{
    for (size_t i = 0; i < sizeof task_names / sizeof task_names[0]; i++) {
        if (strcmp(task_names[i], name) == 0) {
            *out = (gb_task_kind)i;
            return true;
        }
    }
    return false;
}

/* ---- document prior ---- */

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

gb_status gb_alpha_parse(const char *text, size_t n_topics, double *alpha, bool *optimise, gb_error *err)
{
    *optimise = strcmp(text, "optimise") == 0;
    size_t n = 0;
    const bool is_default = *text == '\0' || *optimise;
    for (const char *at = text; !is_default; n++) {
        const size_t length = strcspn(at, ",");
        double value;
        if (!parse_positive(at, length, &value)) {
            char quote[GB_QUOTE_SIZE];
            gb_text_quote(text, strlen(text), quote);
            return gb_fail(err, GB_EARGUMENT,
                           "--alpha must be optimise, a positive number, or %zu of them separated by commas, not %s",
                           n_topics, quote);
        }
        if (n < n_topics)
            alpha[n] = value;
        if (at[length] == '\0') {
            n++;
            break;
        }
        at += length + 1;
    }
    if (!is_default && n != 1 && n != n_topics)
        return gb_fail(err, GB_EARGUMENT, "--alpha has %zu values; expected one, or one per topic (%zu)", n,
                       n_topics);
    for (size_t k = n; k < n_topics; k++)
        alpha[k] = is_default ? 10.0 / (double)n_topics : alpha[0];
    return GB_OK;
}

static gb_status resolve_prior(const gb_settings *s, gb_spec *spec, gb_error *err)
{
    spec->n_topics = (size_t)s->topics;
    spec->prior = gb_prior_find(s->prior);
    spec->beta = s->beta;
    if (spec->prior == NULL)
        return gb_fail(err, GB_EARGUMENT, "--prior has no \"%s\"", s->prior);
    if (spec->prior->unit == 0 && *s->alpha != '\0')
        return gb_fail(err, GB_EARGUMENT, "--alpha belongs to --prior dirichlet, not to --prior %s", s->prior);
    gb_status st = gb_alloc(&spec->alpha, spec->n_topics, sizeof *spec->alpha, "the document prior", err);
    if (st != GB_OK)
        return st;
    return gb_alpha_parse(s->alpha, spec->n_topics, spec->alpha, &spec->optimise_alpha, err);
}

/* ---- labels ---- */

/* The label field: the one that the user names, or the only one there is. */
static gb_status choose_field(const gb_corpus *corpus, const gb_settings *s, const char *response, size_t *field,
                              gb_error *err)
{
    const size_t n_named = s->label.count + s->labels.count;
    if (corpus->n_labels == 0)
        return gb_fail(err, GB_EARGUMENT, "--response %s needs labels: name the field with --label or --labels",
                       response);
    if (n_named > 1 || (n_named == 0 && corpus->n_labels > 1))
        return gb_fail(err, GB_EARGUMENT,
                       "a model has one response, but there are %zu label fields: choose one with "
                       "--label or --labels",
                       n_named > 1 ? n_named : corpus->n_labels);
    *field = 0;
    if (n_named == 0)
        return GB_OK;
    const char *wanted = s->label.count > 0 ? s->label.item[0] : s->labels.item[0];
    for (size_t i = 0; i < corpus->n_labels; i++) {
        if (strcmp(corpus->labels[i].name, wanted) == 0) {
            *field = i;
            return GB_OK;
        }
    }
    char quote[GB_QUOTE_SIZE];
    gb_text_quote(wanted, strlen(wanted), quote);
    return gb_fail(err, GB_EFORMAT, "the corpus has no label field %s", quote);
}

static gb_status choose_task(const gb_labels *labels, const char *wanted, gb_task_kind *task, gb_error *err)
{
    uint64_t n = labels->classes.count;
    if (n == 0)
        return gb_fail(err, GB_EFORMAT,
                       "no document has a label in field \"%s\"; give --response none to train without labels",
                       labels->name);
    if (strcmp(wanted, "auto") != 0)
        (void)gb_task_find(wanted, task);
    else
        *task = labels->several ? GB_TASK_MULTILABEL : n == 2 ? GB_TASK_BINARY : GB_TASK_MULTICLASS;
    if (labels->several && *task != GB_TASK_MULTILABEL)
        return gb_fail(err, GB_EARGUMENT,
                       "--task %s wants one class per document: give the field with --label, not --labels", wanted);
    if (*task != GB_TASK_MULTILABEL && n == 1)
        return gb_fail(err, GB_EFORMAT,
                       "every label in field \"%s\" is \"%.*s\"; a response needs at least two classes", labels->name,
                       (int)(labels->classes.start[1] > 60 ? 60 : labels->classes.start[1]), labels->classes.bytes);
    if (*task == GB_TASK_BINARY && n != 2)
        return gb_fail(err, GB_EFORMAT, "--task binary needs two classes; field \"%s\" has %llu", labels->name,
                       (unsigned long long)n);
    return GB_OK;
}

static gb_status choose_positive(const gb_labels *labels, const char *wanted, gb_spec *spec, gb_error *err)
{
    spec->positive = 1;
    if (*wanted == '\0')
        return GB_OK;
    if (spec->task != GB_TASK_BINARY)
        return gb_fail(err, GB_EARGUMENT, "--positive belongs to a binary task; this one is %s",
                       gb_task_name(spec->task));
    for (size_t i = 0; i < labels->classes.count; i++) {
        uint64_t first = labels->classes.start[i], length = labels->classes.start[i + 1] - first;
        if (length == strlen(wanted) && memcmp(labels->classes.bytes + first, wanted, length) == 0) {
            spec->positive = i;
            return GB_OK;
        }
    }
    return gb_fail(err, GB_EARGUMENT, "--positive \"%s\" is not a class of field \"%s\"", wanted, labels->name);
}

static gb_status resolve_response(const gb_corpus *corpus, const gb_settings *s, gb_spec *spec, gb_error *err)
{
    const char *name = s->response;
    if (strcmp(name, "auto") == 0)
        name = corpus->n_labels > 0 ? "hinge" : "none";
    if (strcmp(name, "none") == 0)
        return GB_OK;
    gb_status st = choose_field(corpus, s, name, &spec->field, err);
    if (st != GB_OK)
        return st;
    const gb_labels *labels = &corpus->labels[spec->field];
    st = choose_task(labels, s->task, &spec->task, err);
    if (st == GB_OK)
        st = choose_positive(labels, s->positive, spec, err);
    if (st != GB_OK)
        return st;
    spec->n_classes = labels->classes.count;
    spec->n_outputs = spec->task == GB_TASK_BINARY ? 1 : spec->n_classes;
    st = gb_response_choose(name, s->cost, s->margin, 0, &spec->response, err);
    spec->response.n_outputs = spec->n_outputs;
    return st;
}

void gb_spec_code_labels(const gb_spec *spec, const gb_corpus *corpus, uint64_t d, double *y)
{
    const gb_labels *labels = &corpus->labels[spec->field];
    if (!labels->labelled[d]) {
        for (size_t l = 0; l < spec->n_outputs; l++)
            y[l] = NAN;
        return;
    }
    const uint64_t first = labels->doc_start[d], last = labels->doc_start[d + 1];
    if (spec->task == GB_TASK_BINARY) {
        y[0] = labels->class_of[first] == spec->positive ? 1 : -1;
        return;
    }
    for (size_t l = 0; l < spec->n_outputs; l++)
        y[l] = -1;
    for (uint64_t i = first; i < last; i++)
        y[labels->class_of[i]] = 1;
}

/* ---- coefficients ---- */

static gb_status resolve_coefficients(const gb_settings *s, gb_spec *spec, gb_error *err)
{
    const gb_coefficient_prior_ops *prior = gb_coefficient_prior_find(s->coefficient_prior);
    const gb_coefficient_sampler *sampler = gb_coefficient_sampler_find(s->coefficient_sampler, spec->n_topics);
    if (prior == NULL)
        return gb_fail(err, GB_EARGUMENT, "--coefficient-prior has no \"%s\"", s->coefficient_prior);
    if (sampler == NULL)
        return gb_fail(err, GB_EARGUMENT, "--coefficient-sampler has no \"%s\"", s->coefficient_sampler);
    if (!prior->has_variance && gb_settings_is_set(s, "coefficient-variance"))
        return gb_fail(err, GB_EARGUMENT,
                       "--coefficient-variance does not go with --coefficient-prior %s, which learns the variance of "
                       "each coefficient",
                       prior->name);
    if (!sampler->has_steps && s->coefficient_steps > 1)
        return gb_fail(err, GB_EARGUMENT,
                       "--coefficient-steps %lld does not go with --coefficient-sampler %s, which draws all "
                       "coefficients of a score at once",
                       (long long)s->coefficient_steps, sampler->name);
    spec->coefficient = (gb_coefficient_prior){
        .ops = prior, .variance = s->coefficient_variance, .intercept_variance = s->intercept_variance};
    spec->intercept = s->intercept;
    spec->coefficient_sampler = sampler;
    spec->coefficient_steps = (size_t)s->coefficient_steps;
    return GB_OK;
}

/* ---- sampler ---- */

/* More blocks let more threads work; fewer tokens per topic and block make r_kb, and with it the chain,
 * stickier. */
static size_t choose_blocks(const gb_corpus *corpus, size_t n_topics)
{
    const double tokens_per_topic_and_block = 3000;
    double n = (double)corpus->n_tokens / ((double)n_topics * tokens_per_topic_and_block);
    size_t blocks = n < 2 ? 2 : n > 64 ? 64 : (size_t)n;
    if (blocks > corpus->n_words)
        blocks = (size_t)corpus->n_words;
    return blocks < 1 ? 1 : blocks;
}

static gb_status resolve_sampler(const gb_corpus *corpus, const gb_settings *s, gb_spec *spec, gb_error *err)
{
    spec->sampler = gb_token_sampler_find(s->sampler);
    if (spec->sampler == NULL)
        return gb_fail(err, GB_EARGUMENT, "--sampler has no \"%s\"", s->sampler);
    spec->treatment = strcmp(s->topic_treatment, "sampled") == 0 ? GB_TREAT_SAMPLED : GB_TREAT_BLOCKS;
    if (spec->treatment == GB_TREAT_SAMPLED && s->blocks > 0)
        return gb_fail(err, GB_EARGUMENT, "--blocks belongs to --topic-treatment blocks");
    if (s->blocks > 0 && (uint64_t)s->blocks > corpus->n_words)
        return gb_fail(err, GB_EARGUMENT, "--blocks %lld is more than the corpus has words (%llu)",
                       (long long)s->blocks, (unsigned long long)corpus->n_words);
    spec->n_blocks = spec->treatment == GB_TREAT_SAMPLED ? 1
                     : s->blocks > 0                     ? (size_t)s->blocks
                                                         : choose_blocks(corpus, spec->n_topics);
    spec->isa = gb_isa_best();
    spec->seed = s->seed < 0 ? 0 : (uint64_t)s->seed;
    spec->n_threads = s->threads > 0 ? (size_t)s->threads : gb_available_threads();
    return GB_OK;
}

static gb_status resolve_run(const gb_settings *s, gb_spec *spec, gb_error *err)
{
    const uint64_t default_draws = 10;
    spec->n_sweeps = (uint64_t)s->sweeps;
    spec->burn_in = s->burn_in < 0 ? spec->n_sweeps / 2 : (uint64_t)s->burn_in;
    if (spec->burn_in >= spec->n_sweeps)
        return gb_fail(err, GB_EARGUMENT, "--burn-in %llu leaves no sweep to keep; it must be below --sweeps (%llu)",
                       (unsigned long long)spec->burn_in, (unsigned long long)spec->n_sweeps);
    uint64_t kept = spec->n_sweeps - spec->burn_in;
    spec->thin = s->thin > 0 ? (uint64_t)s->thin : (kept + default_draws - 1) / default_draws;
    if (spec->thin > kept)
        return gb_fail(err, GB_EARGUMENT, "--thin %llu keeps no draw: only %llu sweeps come after burn-in",
                       (unsigned long long)spec->thin, (unsigned long long)kept);
    spec->n_chains = (uint64_t)s->chains;
    return GB_OK;
}

gb_status gb_spec_resolve(const gb_corpus *corpus, const gb_settings *s, gb_spec *out, gb_error *err)
{
    gb_status st;
    gb_spec spec = {.task = GB_TASK_NONE};
    if (corpus->n_tokens == 0)
        return gb_fail(err, GB_EFORMAT, "the corpus has no words");
    GB_TRY(resolve_prior(s, &spec, err));
    GB_TRY(resolve_response(corpus, s, &spec, err));
    GB_TRY(resolve_coefficients(s, &spec, err));
    GB_TRY(resolve_sampler(corpus, s, &spec, err));
    GB_TRY(resolve_run(s, &spec, err));
    *out = spec;
    return GB_OK;
done:
    gb_spec_clear(&spec);
    return st;
}

void gb_spec_clear(gb_spec *spec)
{
    gb_free(spec->alpha);
    *spec = (gb_spec){.task = GB_TASK_NONE};
}
