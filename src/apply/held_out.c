/* apply/held_out.c - how probable new documents are under a model.
 *
 * A draw of the model has topics phi and a document prior p(theta).  For the words w_1 .. w_N of a document,
 *
 *   p(w | phi) = E prod_n sum_k theta_k phi_{k, w_n},   theta from the prior                               (1)
 *
 * is estimated by S independent samples, each with mean (1), so that their mean has it too.
 *
 * Empirical likelihood (Li & McCallum 2006, ICML; Mimno, Wallach & McCallum 2008): a sample is the product in (1) for one
 * theta from the prior.
 *
 * Left to right (Wallach, Murray, Salakhutdinov & Mimno 2009, ICML): particles go through the document, and
 *
 *   p_n = sum_k theta^_k phi_{k, w_n},   theta^_k = (base_k + unit n_k) / (sum of base + unit (n - 1))      (2)
 *
 * with the topics of the tokens before n, some of which have been redrawn given each other since token n - 1 came in.  The
 * product over n of the mean of p_n over particles is biased, since particles that word n favours should count for more
 * afterwards.  So they do: they have weights, which p_n multiplies, and are drawn anew in proportion to these when few of
 * them matter.  The product of weighted means is then a sample with mean (1), as in any particle filter (Del Moral
 * 2004); one particle is the unbiased form of Buntine (2009, ACML).  That holds whatever transitions that leave
 * p(z | w_1 .. w_{n-1}) as it is come between: before token n, WINDOW tokens before it are redrawn, taking turns, so that
 * the cost is WINDOW N and not N^2 / 2.  Where the prior keeps a state (unit 0) it belongs to what is redrawn, and theta^
 * follows from it alone.
 *
 * Completion: a random half of the tokens (the smaller one) is known, theta^ of (2) averaged over sweeps given that half
 * is a sample, and
 *
 *   p(w_n | known half) = E theta^' phi_{w_n}                                                              (3)
 *
 * is the probability of each token of the other half; the log likelihood is the sum of the logarithms of (3).
 *
 * Draws of the model.  (1) and (3) are means over draws of the model too, which is what a mixture of models predicts.
 * Sample s of all draws together makes replicate s; the S replicates are independent given the model, and their spread is
 * the Monte Carlo error.  For a sum of logarithms of means the errors are taken from its linear terms.
 *
 * Random numbers are keyed by (seed, sample of a draw), counted by (pass, row of the input, token).  Sums are in the order
 * of documents and tokens. */
#include "apply/held_out.h"

#include "apply/new_document.h"
#include "base/memory.h"
#include "math/special.h"

#include <math.h>
#include <string.h>

enum { TOKENS_PER_TASK = 1024 };

/* ---- what the methods share ---- */

void gb_held_out_add(gb_held_out_run *r, uint64_t d, size_t sample, double log_probability)
{
    double *sum = &r->log_sum[d * r->n_samples + sample];
    *sum = gb_log_sum_exp(2, (double[]){*sum, log_probability});
}

double gb_held_out_word_probability(const gb_held_out_run *r, const double *theta, uint32_t word)
{
    const float *phi = r->application.batch.phi + word * r->application.batch.stride;
    double sum = 0;
    for (size_t k = 0; k < r->application.model->n_topics; k++)
        sum += theta[k] * (double)phi[k];
    return sum;
}

gb_prior_document gb_particle_document(const gb_particle *p, uint64_t n)
{
    return (gb_prior_document){.group = gb_application_group(&p->run->application, p->d),
                               .key = p->key,
                               .sweep = p->pass,
                               .row = gb_application_item(&p->run->application, p->d),
                               .count = p->count,
                               .length = n};
}

void gb_particle_redraw_base(gb_particle *p, uint64_t n)
{
    const gb_prior_document document = gb_particle_document(p, n);
    gb_new_document_redraw(&p->run->application.prior, &document, p->numbers, p->base);
}

void gb_particle_open(gb_particle *p, uint64_t d, uint64_t length, gb_key key, bool from_prior)
{
    const gb_held_out_run *r = p->run;
    p->d = d;
    p->length = length;
    p->key = key;
    p->pass = 0;
    p->next_in_turn = 0;
    memset(p->count, 0, r->application.batch.stride * sizeof *p->count);
    memset(p->theta, 0, r->application.batch.stride * sizeof *p->theta);
    for (uint64_t i = 0; i < length; i++)
        p->topic[i] = GB_NO_TOPIC;
    const gb_prior_document document = gb_particle_document(p, 0);
    if (from_prior)
        gb_new_document_start(&r->application.prior, &document, p->numbers, p->base);
    else
        gb_new_document_begin(&r->application.prior, &document, p->numbers, p->base);
}

void gb_particle_describe_pass(gb_token_lane *lane, const gb_particle *p, double unit, gb_tokens tokens)
{
    lane->tokens = tokens;
    lane->following = tokens;
    lane->document.key = p->key;
    lane->document.doc = gb_application_item(&p->run->application, p->d);
    lane->document.length = p->length;
    lane->document.sweep = p->pass;
    lane->document.purpose = GB_DRAW_HELD_OUT;
    lane->document.base = p->base;
    lane->document.unit = unit;
    lane->document.count = (unsigned char *)p->count;
}

gb_token_lane gb_particle_lane(gb_held_out_run *r, gb_particle *p, bool next(gb_token_lane *))
{
    return (gb_token_lane){.block = gb_batch_block(&r->application.batch),
                           .document = {.width = GB_WIDTH_32},
                           .scratch = p->scratch,
                           .next = next};
}

/* ---- the words of the documents ---- */

/* A random order: Fisher and Yates. */
static void shuffle(const gb_held_out_run *r, uint64_t d, uint32_t *word, uint64_t n)
{
    gb_random random = gb_random_open(gb_key_make(r->application.seed, 0), 0, GB_DRAW_HELD_HALVES,
                                      gb_application_item(&r->application, d));
    for (uint64_t i = n; i > 1; i--) {
        const uint64_t j = gb_random_below(&random, i);
        const uint32_t other = word[j];
        word[j] = word[i - 1];
        word[i - 1] = other;
    }
}

static void order_words(gb_held_out_run *r)
{
    r->word = r->application.batch.word;
    for (uint64_t d = 0; d < r->application.docs->n_docs; d++) {
        uint32_t *word = GB_FROM(r->word, r->application.docs->doc_start[d]);
        const uint64_t n = gb_application_length(&r->application, d);
        if (r->method->is_completion)
            shuffle(r, d, word, n);
    }
}

/* ---- memory ---- */

static gb_status create_particle(gb_held_out_run *r, gb_particle *p, gb_error *err)
{
    gb_status st;
    const char *what = "workers";
    GB_TRY(gb_scratch_create(&p->scratch, r->application.model->n_topics, 0, err));
    GB_TRY(
        gb_alloc(&p->numbers, gb_new_document_numbers(&r->application.model->prior), sizeof *p->numbers, what, err));
    GB_TRY(gb_alloc(&p->base, r->application.model->n_topics, sizeof *p->base, what, err));
    GB_TRY(gb_alloc(&p->theta, r->application.batch.stride, sizeof *p->theta, what, err));
    GB_TRY(gb_alloc(&p->count, r->application.batch.stride, sizeof *p->count, what, err));
    GB_TRY(gb_alloc(&p->topic, r->application.longest, sizeof *p->topic, what, err));
done:
    return st;
}

static gb_status create_workers(gb_held_out_run *r, gb_error *err)
{
    gb_status st;
    const gb_batch *batch = &r->application.batch;
    const uint64_t longest = r->application.longest, n_types = longest < batch->n_local ? longest : batch->n_local;
    GB_TRY(gb_alloc(&r->worker, r->application.n_threads, sizeof *r->worker, "workers", err));
    for (size_t i = 0; i < r->application.n_threads; i++) {
        gb_held_out_worker *w = &r->worker[i];
        for (size_t j = 0; j < r->method->n_particles; j++)
            GB_TRY(create_particle(r, &w->particle[j], err));
        if (!r->method->is_empirical)
            continue;
        GB_TRY(gb_alloc(&w->type_phi, n_types * batch->stride, sizeof *w->type_phi, "workers", err));
        GB_TRY(gb_alloc(&w->type_count, n_types, sizeof *w->type_count, "workers", err));
    }
done:
    return st;
}

static gb_status create_sums(gb_held_out_run *r, gb_error *err)
{
    gb_status st;
    const char *what = "the likelihoods";
    const uint64_t n_docs = r->application.docs->n_docs;
    GB_TRY(gb_alloc(&r->scored_at, n_docs + 1, sizeof *r->scored_at, what, err));
    for (uint64_t d = 0; d < n_docs; d++) {
        r->out->n_scored[d] =
            gb_application_length(&r->application, d) - (r->method->is_completion ? gb_held_out_known(r, d) : 0);
        r->scored_at[d + 1] = r->scored_at[d] + r->out->n_scored[d];
    }
    if (r->method->is_completion) {
        GB_TRY(gb_alloc(&r->sum, r->scored_at[n_docs] * r->n_samples, sizeof *r->sum, what, err));
    } else {
        GB_TRY(gb_alloc(&r->log_sum, n_docs * r->n_samples, sizeof *r->log_sum, what, err));
        for (uint64_t i = 0; i < n_docs * r->n_samples; i++)
            r->log_sum[i] = -INFINITY;
    }
done:
    return st;
}

static void clear_run(gb_held_out_run *r)
{
    for (size_t i = 0; r->worker != NULL && i < r->application.n_threads; i++) {
        gb_held_out_worker *w = &r->worker[i];
        for (size_t j = 0; j < GB_PARTICLES; j++) {
            gb_particle *p = &w->particle[j];
            gb_scratch_free(p->scratch);
            gb_free(p->numbers);
            gb_free(p->base);
            gb_free(p->theta);
            gb_free(p->count);
            gb_free(p->topic);
        }
        gb_free(w->type_phi);
        gb_free(w->type_count);
    }
    gb_free(r->worker);
    gb_free(r->log_sum);
    gb_free(r->scored_at);
    gb_free(r->sum);
    gb_application_clear(&r->application);
}

/* ---- answers ---- */

/* Standard error of the mean of n numbers. */
static double standard_error(size_t n, const double *x, double mean)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    return n > 1 ? sqrt(squares / (double)(n - 1) / (double)n) : NAN;
}

/* log of the mean over samples and draws; the error of a logarithm is the relative error of its argument. */
static void finish_document(const gb_held_out_run *r, uint64_t d, double *ratio)
{
    const size_t n = r->n_samples;
    const double *sum = r->log_sum + d * n, log_total = gb_log_sum_exp(n, sum), log_mean = log_total - log((double)n);
    for (size_t s = 0; s < n; s++)
        ratio[s] = exp(sum[s] - log_mean);
    r->out->log_likelihood[d] = log_mean - log((double)r->application.model->n_draws);
    r->out->standard_error[d] = standard_error(n, ratio, 1);
}

/* The sum over tokens of logarithms of means; replicate s differs from it by about sum_n (p_ns / p_n - 1). */
static void finish_completion(const gb_held_out_run *r, uint64_t d, double *ratio)
{
    const size_t n = r->n_samples;
    double log_likelihood = 0;
    memset(ratio, 0, n * sizeof *ratio);
    for (uint64_t i = r->scored_at[d]; i < r->scored_at[d + 1]; i++) {
        double mean = 0;
        for (size_t s = 0; s < n; s++)
            mean += r->sum[i * n + s] / (double)n;
        for (size_t s = 0; s < n; s++)
            ratio[s] += r->sum[i * n + s] / mean - 1;
        log_likelihood += log(mean / (double)r->application.model->n_draws);
    }
    r->out->log_likelihood[d] = log_likelihood;
    r->out->standard_error[d] = standard_error(n, ratio, 0);
}

static gb_status finish(const gb_held_out_run *r, gb_error *err)
{
    double *ratio = NULL;
    gb_status st = gb_alloc(&ratio, r->n_samples, sizeof *ratio, "the likelihoods", err);
    for (uint64_t d = r->application.first_doc; st == GB_OK && d < r->application.last_doc; d++) {
        r->out->log_likelihood[d] = r->out->standard_error[d] = 0;
        if (r->out->n_scored[d] == 0)
            continue;
        if (r->method->is_completion)
            finish_completion(r, d, ratio);
        else
            finish_document(r, d, ratio);
    }
    gb_free(ratio);
    return st;
}

/* ---- the answer ---- */

gb_status gb_held_out_create(uint64_t n_docs, gb_held_out **out, gb_error *err)
{
    gb_status st;
    gb_held_out *h = NULL;
    const char *what = "the likelihoods";
    GB_TRY(gb_alloc(&h, 1, sizeof *h, what, err));
    h->size = sizeof *h;
    h->n_docs = n_docs;
    GB_TRY(gb_alloc(&h->n_scored, n_docs, sizeof *h->n_scored, what, err));
    GB_TRY(gb_alloc(&h->log_likelihood, n_docs, sizeof *h->log_likelihood, what, err));
    GB_TRY(gb_alloc(&h->standard_error, n_docs, sizeof *h->standard_error, what, err));
    *out = h;
    h = NULL;
done:
    gb_held_out_free(h);
    return st;
}

const gb_held_out_method *gb_held_out_method_of(const gb_settings *settings)
{
    static const gb_held_out_method *const methods[] = {&gb_held_out_empirical, &gb_held_out_left_to_right};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (strcmp(methods[i]->name, gb_settings_text(settings, "held-out")) == 0)
            return methods[i];
    return &gb_held_out_completion;
}

static gb_status choose_method(gb_held_out_run *r, const gb_settings *settings, gb_error *err)
{
    if (gb_settings_are(settings, "held-out", "none"))
        return gb_fail(err, GB_EARGUMENT, "held-out none is no way to a likelihood");
    r->method = gb_held_out_method_of(settings);
    r->n_samples = (size_t)gb_settings_int_or(settings, "held-out-samples", (int64_t)r->method->default_samples);
    return GB_OK;
}

/* Completion begins anew for every sample, which takes more sweeps than prediction needs. */
static uint32_t sweeps_or(const gb_settings *settings, const char *name, int64_t given, uint32_t otherwise)
{
    return gb_settings_is_set(settings, name) ? (uint32_t)given : otherwise;
}

static gb_status check_sizes(const gb_corpus *docs, const gb_held_out *out, gb_error *err)
{
    if (out->size < sizeof *out)
        return gb_fail(err, GB_EARGUMENT, "the size of the answer is %zu, not sizeof(gb_held_out)", out->size);
    if (out->n_docs != docs->n_docs)
        return gb_fail(err, GB_EARGUMENT, "the answer has room for %llu documents, there are %llu",
                       (unsigned long long)out->n_docs, (unsigned long long)docs->n_docs);
    if (out->n_docs > 0 && (out->n_scored == NULL || out->log_likelihood == NULL || out->standard_error == NULL))
        return gb_fail(err, GB_EARGUMENT, "an array of the answer is missing");
    return GB_OK;
}

/* The documents of this rank. */
static gb_status estimate_here(gb_held_out_run *r, const gb_apply_call *call, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_application_open(&r->application, call, GB_BATCH_PHI, TOKENS_PER_TASK, err));
    order_words(r);
    GB_TRY(create_workers(r, err));
    GB_TRY(create_sums(r, err));
    GB_TRY(gb_for_each_draw(&r->application, NULL, r->method->documents, r, err));
    GB_TRY(finish(r, err));
done:
    return st;
}

gb_status gb_held_out_likelihood(const gb_model *model, const gb_corpus *docs, uint64_t first_row,
                                 const gb_settings *settings, gb_on_apply *on_progress, void *user, gb_held_out *out,
                                 gb_error *err)
{
    gb_status st;
    gb_held_out_run r = {
        .out = out,
        .n_sweeps = sweeps_or(settings, "infer-sweeps", gb_settings_int(settings, "infer-sweeps"), 20),
        .n_burn_in = sweeps_or(settings, "infer-burn-in", gb_settings_int(settings, "infer-burn-in"), 5),
        .draw_tokens = gb_token_dense.kernel(gb_isa_best())};
    const gb_apply_call call = {model, docs, first_row, settings, on_progress, user, gb_settings_team(settings)};
    gb_error here = {.status = GB_OK};
    st = check_sizes(docs, out, err);
    if (st != GB_OK)
        return st;
    GB_TRY(choose_method(&r, settings, err));
    here.status = estimate_here(&r, &call, &here);
    GB_TRY(gb_application_agree(&r.application, &here, err));
    GB_TRY(gb_application_gather(&r.application, out->log_likelihood, sizeof *out->log_likelihood, err));
    GB_TRY(gb_application_gather(&r.application, out->standard_error, sizeof *out->standard_error, err));
done:
    clear_run(&r);
    return st;
}

void gb_held_out_free(gb_held_out *h)
{
    if (h == NULL)
        return;
    gb_free(h->n_scored);
    gb_free(h->log_likelihood);
    gb_free(h->standard_error);
    gb_free(h);
}
