/* engine/chain.c - the sweep.
 *
 * gb_chain_sweep() is the table of contents.  Every step redraws one part of the state given the current
 * value of all others, so each leaves the posterior as it is; their order matters only where a part was
 * integrated out: the augmentation is drawn anew before the coefficients use it, and scores are made anew
 * from the counts after each draw that changes them. */
#include "engine/chain.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

enum { DOCS_PER_TASK = 256 }; /* work unit of loops over documents; the results do not depend on it */

static size_t n_doc_tasks(const gb_chain *c)
{
    return (size_t)((c->corpus->n_docs + DOCS_PER_TASK - 1) / DOCS_PER_TASK);
}

static uint64_t task_end(const gb_chain *c, size_t task)
{
    uint64_t end = ((uint64_t)task + 1) * DOCS_PER_TASK;
    return end < c->corpus->n_docs ? end : c->corpus->n_docs;
}

/* ---- tokens ---- */

/* The topic counts of a document, and the weights that the prior makes of them. */
static void fill_document(const gb_chain *c, uint64_t d, gb_worker *w, gb_document *document)
{
    const uint64_t first = c->corpus->doc_start[d], last = c->corpus->doc_start[d + 1];
    for (uint64_t i = first; i < last; i++)
        if (c->topic[i] != GB_NO_TOPIC)
            w->count[c->topic[i]]++;
    c->prior.ops->base(&c->prior, d, w->base);
    const double unit = c->prior.ops->unit;
    for (size_t k = 0; k < c->spec->n_topics; k++)
        w->weight[k] = (float)(w->base[k] + unit * w->count[k]);
    document->doc = d;
    document->length = last - first;
    if (c->spec->n_outputs > 0) { /* without a response there are no arrays to point into */
        document->term = c->term + d * c->spec->n_outputs;
        document->score = c->score + d * c->spec->n_outputs;
    }
}

static void leave_document(const gb_chain *c, gb_worker *w)
{
    memset(w->count, 0, c->spec->n_topics * sizeof *w->count);
}

static gb_word_block word_block(gb_chain *c, size_t b, gb_worker *w)
{
    gb_topics *t = &c->topics;
    gb_word_block block = {.n_topics = t->n_topics,
                           .stride = t->stride,
                           .n_kw = t->n_kw,
                           .beta = t->beta,
                           .beta_block = t->beta_block[b],
                           .n_kb = t->n_kb + b * t->n_topics,
                           .mass = t->mass + b * t->n_topics,
                           .factor = w->factor};
    for (size_t k = 0; k < t->n_topics; k++)
        w->factor[k] = (float)(block.mass[k] / ((double)block.n_kb[k] + block.beta_block));
    return block;
}

struct token_pass {
    gb_chain *chain;
    size_t phase;
    gb_purpose purpose;
};

static gb_document document_of_pass(const struct token_pass *pass, const gb_worker *w)
{
    const gb_chain *c = pass->chain;
    return (gb_document){.sweep = c->sweep,
                         .purpose = pass->purpose,
                         .key = c->key,
                         .unit = c->prior.ops->unit,
                         .base = w->base,
                         .count = w->count,
                         .weight = w->weight,
                         .n_outputs = pass->purpose == GB_DRAW_INIT || c->spec->two_stage ? 0 : c->spec->n_outputs};
}

/* The tokens of document d that lie in word block b. */
static gb_tokens tokens_in_block(const gb_chain *c, uint64_t d, size_t b)
{
    const uint64_t start = c->corpus->doc_start[d];
    if (c->segment == NULL)
        return (gb_tokens){
            .count = c->corpus->doc_start[d + 1] - start, .word = c->word + start, .topic = c->topic + start};
    const uint32_t *end = c->segment + d * c->topics.n_blocks;
    const uint32_t first = b == 0 ? 0 : end[b - 1];
    return (gb_tokens){
        .count = end[b] - first, .first = first, .word = c->word + start + first, .topic = c->topic + start + first};
}

static gb_coefficients coefficients_of(const gb_chain *c)
{
    return (gb_coefficients){.n_outputs = c->spec->n_outputs,
                             .n_topics = c->spec->n_topics,
                             .stride = c->topics.stride,
                             .by_topic = c->eta_by_feature,
                             .by_output = c->eta_by_output,
                             .largest = c->eta_largest};
}

/* Redraw the tokens of documents first..last-1 that lie in word block b, which `block` describes. */
static gb_status draw_range(const struct token_pass *pass, const gb_word_block *block, size_t b, uint64_t first,
                            uint64_t last, gb_worker *w, gb_error *err)
{
    const gb_chain *c = pass->chain;
    const gb_coefficients eta = coefficients_of(c);
    gb_document document = document_of_pass(pass, w);
    for (uint64_t d = first; d < last; d++) {
        const gb_tokens tokens = tokens_in_block(c, d, b);
        if (tokens.count == 0)
            continue;
        fill_document(c, d, w, &document);
        gb_status st = c->draw_tokens(block, &document, &tokens, &eta, w->scratch, err);
        leave_document(c, w);
        if (st != GB_OK)
            return st;
    }
    return GB_OK;
}

/* Document block i meets word block (i + phase) mod B: no other task of the phase touches either. */
static gb_status draw_cell(void *context, size_t i, size_t worker, gb_error *err)
{
    struct token_pass *pass = context;
    gb_chain *c = pass->chain;
    gb_worker *w = &c->worker[worker];
    const size_t b = (i + pass->phase) % c->topics.n_blocks;
    const gb_word_block block = word_block(c, b, w);
    return draw_range(pass, &block, b, c->doc_block[i], c->doc_block[i + 1], w, err);
}

/* With phi given, documents are independent. */
static gb_status draw_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    struct token_pass *pass = context;
    gb_chain *c = pass->chain;
    const gb_word_block block = {.n_topics = c->topics.n_topics, .stride = c->topics.stride, .phi = c->topics.phi};
    return draw_range(pass, &block, 0, (uint64_t)task * DOCS_PER_TASK, task_end(c, task), &c->worker[worker], err);
}

static gb_status draw_all_cells(gb_chain *c, gb_purpose purpose, gb_error *err)
{
    struct token_pass pass = {.chain = c, .purpose = purpose};
    gb_status st = GB_OK;
    for (pass.phase = 0; st == GB_OK && pass.phase < c->topics.n_blocks; pass.phase++)
        st = gb_parallel_for(c->topics.n_blocks, c->spec->n_threads, draw_cell, &pass, err);
    return st;
}

static gb_status draw_tokens(gb_chain *c, gb_error *err)
{
    if (c->topics.treatment == GB_TREAT_BLOCKS)
        return draw_all_cells(c, GB_DRAW_TOPIC, err);
    struct token_pass pass = {.chain = c, .purpose = GB_DRAW_TOPIC};
    gb_status st = gb_parallel_for(n_doc_tasks(c), c->spec->n_threads, draw_documents, &pass, err);
    if (st == GB_OK)
        gb_topics_count(&c->topics, c->corpus->n_tokens, c->word, c->topic);
    return st;
}

/* ---- responses ---- */

static void add_feature(size_t n, double value, const double *eta, double *score)
{
    for (size_t l = 0; l < n; l++)
        score[l] += eta[l] * value;
}

static void add_covariates(const gb_chain *c, uint64_t d, double *score)
{
    const gb_covariates *x = &c->spec->x;
    const size_t n = c->spec->n_outputs;
    if (c->spec->n_columns == 0)
        return;
    for (uint64_t i = x->doc_start[d]; i < x->doc_start[d + 1]; i++)
        add_feature(n, x->value[i], c->eta_by_feature + (c->spec->n_topics + x->column[i]) * n, score);
}

/* s_dl = sum_k eta_lk n_dk / N_d + sum_p eta_lp x_dp + intercept; documents without tokens have no topics' part. */
static gb_status score_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    gb_chain *c = context;
    const size_t n = c->spec->n_outputs, n_features = gb_spec_n_features(c->spec);
    for (uint64_t d = (uint64_t)task * DOCS_PER_TASK; d < task_end(c, task); d++) {
        double *s = c->score + d * n;
        const double length = (double)(c->corpus->doc_start[d + 1] - c->corpus->doc_start[d]);
        for (size_t l = 0; l < n; l++)
            s[l] = c->spec->intercept ? c->eta_by_feature[(n_features - 1) * n + l] : 0;
        for (uint64_t i = c->z.doc_start[d]; i < c->z.doc_start[d + 1]; i++)
            add_feature(n, c->z.count[i] / length, c->eta_by_feature + c->z.topic[i] * n, s);
        add_covariates(c, d, s);
    }
    return GB_OK;
}

static gb_status augment_response(gb_chain *c, const gb_response *response, uint64_t d, double *score,
                                  gb_random *random, gb_error *err)
{
    const size_t at = d * c->spec->n_outputs + response->first_output, n = response->n_outputs;
    const double offset = gb_response_offset(response, c->offset, d);
    gb_score_term *term = c->term + at;
    for (size_t l = 0; l < n; l++)
        score[l] = c->score[at + l] + offset;
    response->ops->augment(response, n, c->y + at, c->weight == NULL ? NULL : c->weight + at, score, random, term);
    for (size_t l = 0; l < n; l++) {
        term[l].centre -= offset; /* exp(kappa t - omega t^2 / 2) with t = s + offset, as a function of s */
        if (!isfinite(term[l].slope) || !isfinite(term[l].omega) || !isfinite(term[l].centre))
            return gb_fail(err, GB_ENUMERIC, "sweep %u, document %llu, output %zu: the augmentation is not finite",
                           c->sweep, (unsigned long long)d + 1, response->first_output + l + 1);
    }
    return GB_OK;
}

static gb_status augment_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    gb_chain *c = context;
    for (uint64_t d = (uint64_t)task * DOCS_PER_TASK; d < task_end(c, task); d++) {
        gb_random random = gb_random_open(c->key, c->sweep, GB_DRAW_AUGMENT, d);
        for (size_t r = 0; r < c->spec->n_responses; r++) {
            gb_status st = augment_response(c, &c->response[r], d, c->worker[worker].score, &random, err);
            if (st != GB_OK)
                return st;
        }
    }
    return GB_OK;
}

/* rho2, r, ...: given the scores, the augmentation integrated out, so right before it is drawn anew. */
static gb_status draw_nuisances(gb_chain *c, gb_error *err)
{
    for (size_t r = 0; r < c->spec->n_responses; r++) {
        gb_response *response = &c->response[r];
        if (!response->samples_nuisance)
            continue;
        const size_t first = response->first_output;
        const gb_scored_targets targets = {.n_docs = c->corpus->n_docs,
                                           .stride = c->spec->n_outputs,
                                           .y = c->y + first,
                                           .weight = c->weight == NULL ? NULL : c->weight + first,
                                           .score = c->score + first,
                                           .offset = response->ops->target == GB_TARGET_COUNT ? c->offset : NULL};
        gb_random random = gb_random_open(c->key, c->sweep, GB_DRAW_NUISANCE, r);
        response->ops->draw_nuisance(response, &targets, &random);
        if (!(response->nuisance > 0) || !isfinite(response->nuisance))
            return gb_fail(err, GB_ENUMERIC, "sweep %u, response %zu: the %s is not a positive number", c->sweep,
                           r + 1, response->ops->nuisance_name);
    }
    return GB_OK;
}

/* ---- coefficients ---- */

static void spread_coefficients(gb_chain *c)
{
    const size_t n = c->spec->n_outputs, n_topics = c->spec->n_topics, n_features = gb_spec_n_features(c->spec);
    for (size_t l = 0; l < n; l++) {
        double largest = 0;
        for (size_t k = 0; k < n_features; k++)
            c->eta_by_feature[k * n + l] = c->eta[l * n_features + k];
        for (size_t k = 0; k < n_topics; k++) {
            const double eta = c->eta[l * n_features + k];
            c->eta_by_output[l * c->topics.stride + k] = (float)eta;
            largest = fmax(largest, eta * eta);
        }
        c->eta_largest[l] = largest;
    }
}

static gb_status draw_coefficients(gb_chain *c, gb_error *err)
{
    const gb_regression regression = {.z = &c->z,
                                      .x = c->spec->n_columns > 0 ? &c->spec->x : NULL,
                                      .n_outputs = c->spec->n_outputs,
                                      .intercept = c->spec->intercept,
                                      .term = c->term,
                                      .score = c->score,
                                      .scales = &c->scales,
                                      .key = c->key,
                                      .sweep = c->sweep,
                                      .n_steps = c->spec->coefficient_steps,
                                      .n_threads = c->spec->n_threads,
                                      .isa = c->spec->isa};
    gb_status st = c->spec->coefficient_sampler->draw(&regression, c->eta, err);
    if (st == GB_OK)
        spread_coefficients(c);
    return st;
}

static gb_status draw_responses_and_coefficients(gb_chain *c, gb_error *err)
{
    gb_status st = GB_OK;
    if (c->spec->n_outputs == 0)
        return st;
    const size_t n = n_doc_tasks(c), n_threads = c->spec->n_threads;
    GB_TRY(gb_parallel_for(n, n_threads, score_documents, c, err));   /* s | z, eta                     */
    GB_TRY(draw_nuisances(c, err));                                   /* rho2, r | s, targets           */
    GB_TRY(gb_parallel_for(n, n_threads, augment_documents, c, err)); /* (kappa, omega) | s, targets    */
    GB_TRY(draw_coefficients(c, err));                                /* eta | zbar, (kappa, omega)     */
    GB_TRY(gb_parallel_for(n, n_threads, score_documents, c, err));   /* s | z, eta: for the next tokens */
    GB_TRY(gb_coefficient_scales_draw(&c->scales, c->eta, c->key, c->sweep, n_threads, err)); /* shrinkage | eta */
done:
    return st;
}

/* ---- the sweep ---- */

gb_status gb_chain_sweep(gb_chain *c, gb_error *err)
{
    gb_status st;
    c->sweep++;
    const bool in_burn_in = c->sweep <= c->spec->burn_in;
    if (in_burn_in || !c->spec->two_stage) {
        c->prior.ops->update(&c->prior, &c->z, in_burn_in);        /* document prior | topic counts */
        GB_TRY(gb_topics_draw(&c->topics, c->key, c->sweep, err)); /* r or phi | counts             */
        GB_TRY(draw_tokens(c, err));                               /* z | everything else           */
        GB_TRY(gb_proportions_count(&c->z, c->topic, err));
    }
    if (!in_burn_in || !c->spec->two_stage)
        GB_TRY(draw_responses_and_coefficients(c, err)); /* augmentation, eta, scales | z, targets */
done:
    return st;
}

/* ---- making a chain ---- */

/* Tokens of each document grouped by word block, order kept inside a block; `segment` receives the ends. */
static void group_tokens(gb_chain *c)
{
    const size_t n_blocks = c->topics.n_blocks;
    for (uint64_t d = 0; d < c->corpus->n_docs; d++) {
        const uint64_t start = c->corpus->doc_start[d], end = c->corpus->doc_start[d + 1];
        uint32_t *at = c->segment + d * n_blocks;
        for (uint64_t i = start; i < end; i++)
            at[c->topics.block_of[c->corpus->word[i]]]++;
        uint32_t sum = 0;
        for (size_t b = 0; b < n_blocks; b++) {
            const uint32_t n = at[b];
            at[b] = sum;
            sum += n;
        }
        for (uint64_t i = start; i < end; i++)
            c->own_word[start + at[c->topics.block_of[c->corpus->word[i]]]++] = c->corpus->word[i];
    }
}

void gb_chain_assignment(const gb_chain *c, uint64_t d, uint16_t *out)
{
    const uint64_t start = c->corpus->doc_start[d], n = c->corpus->doc_start[d + 1] - start;
    if (c->segment == NULL) {
        memcpy(out, c->topic + start, n * sizeof *out);
        return;
    }
    for (size_t b = 0; b < c->topics.n_blocks; b++) {
        const gb_tokens tokens = tokens_in_block(c, d, b);
        size_t next = 0;
        for (uint64_t i = 0; i < n; i++)
            if (c->topics.block_of[c->corpus->word[start + i]] == b)
                out[i] = tokens.topic[next++];
    }
}

/* Document blocks of about equal numbers of tokens. */
static void cut_documents(gb_chain *c)
{
    const size_t n_blocks = c->topics.n_blocks;
    uint64_t d = 0;
    for (size_t i = 0; i < n_blocks; i++) {
        const double wanted = (double)c->corpus->n_tokens * (double)i / (double)n_blocks;
        while (d < c->corpus->n_docs && (double)c->corpus->doc_start[d] < wanted)
            d++;
        c->doc_block[i] = d;
    }
    c->doc_block[0] = 0;
    c->doc_block[n_blocks] = c->corpus->n_docs;
}

static gb_status create_tokens(gb_chain *c, gb_error *err)
{
    gb_status st;
    const gb_corpus *corpus = c->corpus;
    const size_t n_blocks = c->topics.n_blocks;
    c->word = corpus->word;
    GB_TRY(gb_alloc(&c->topic, corpus->n_tokens, sizeof *c->topic, "topic assignments", err));
    GB_TRY(gb_alloc(&c->doc_block, n_blocks + 1, sizeof *c->doc_block, "document blocks", err));
    if (n_blocks > 1) {
        GB_TRY(gb_alloc(&c->own_word, corpus->n_tokens, sizeof *c->own_word, "tokens by word block", err));
        GB_TRY(gb_alloc(&c->segment, corpus->n_docs * n_blocks, sizeof *c->segment, "tokens by word block", err));
        group_tokens(c);
        c->word = c->own_word;
    }
    for (uint64_t i = 0; i < corpus->n_tokens; i++)
        c->topic[i] = GB_NO_TOPIC;
    cut_documents(c);
done:
    return st;
}

/* Every document's targets; of a chain for one output only that one, and none of those held out. */
static gb_status code_targets(gb_chain *c, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_spec *spec = c->spec, *whole = spec->whole == NULL ? spec : spec->whole;
    const size_t n = spec->n_outputs, n_whole = whole->n_outputs,
                 first = spec->column == GB_NO_FIELD ? 0 : spec->column;
    double *y = NULL, *weight = NULL;
    GB_TRY(gb_alloc(&y, n_whole, sizeof *y, "targets", err));
    GB_TRY(gb_alloc(&weight, n_whole, sizeof *weight, "targets", err));
    for (uint64_t d = 0; d < c->corpus->n_docs; d++) {
        GB_TRY(gb_spec_code_document(whole, c->corpus, d, y, c->weight == NULL ? NULL : weight, err));
        const bool is_held_out = spec->held_out != GB_NO_FIELD && d % spec->calibration_folds == spec->held_out;
        for (size_t l = 0; l < n; l++)
            c->y[d * n + l] = is_held_out ? NAN : y[first + l];
        if (c->weight != NULL)
            memcpy(c->weight + d * n, weight + first, n * sizeof *weight);
    }
done:
    gb_free(y);
    gb_free(weight);
    return st;
}

/* Coded targets, weights and offsets. */
static gb_status create_targets(gb_chain *c, gb_error *err)
{
    gb_status st;
    const size_t n = c->spec->n_outputs;
    const uint64_t n_docs = c->corpus->n_docs;
    const char *what = "targets";
    GB_TRY(gb_alloc(&c->response, c->spec->n_responses, sizeof *c->response, what, err));
    for (size_t r = 0; r < c->spec->n_responses; r++)
        c->response[r] = c->spec->response[r].part.response;
    GB_TRY(gb_alloc(&c->y, n_docs * n, sizeof *c->y, what, err));
    if (gb_spec_has_weights(c->spec))
        GB_TRY(gb_alloc(&c->weight, n_docs * n, sizeof *c->weight, what, err));
    GB_TRY(code_targets(c, err));
    if (c->spec->exposure_field != GB_NO_FIELD) {
        GB_TRY(gb_alloc(&c->offset, n_docs, sizeof *c->offset, what, err));
        for (uint64_t d = 0; d < n_docs; d++)
            c->offset[d] = log(c->corpus->numbers[c->spec->exposure_field].value[d]);
    }
done:
    return st;
}

static gb_status create_coefficients(gb_chain *c, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t n = c->spec->n_outputs, n_features = gb_spec_n_features(c->spec);
    const char *what = "responses";
    if (n == 0)
        return st;
    GB_TRY(create_targets(c, err));
    GB_TRY(gb_alloc(&c->term, c->corpus->n_docs * n, sizeof *c->term, what, err));
    GB_TRY(gb_alloc(&c->score, c->corpus->n_docs * n, sizeof *c->score, what, err));
    GB_TRY(gb_alloc(&c->eta, n * n_features, sizeof *c->eta, what, err));
    GB_TRY(gb_alloc(&c->eta_by_feature, n * n_features, sizeof *c->eta_by_feature, what, err));
    GB_TRY(gb_alloc(&c->eta_by_output, n * c->topics.stride, sizeof *c->eta_by_output, what, err));
    GB_TRY(gb_alloc(&c->eta_largest, n, sizeof *c->eta_largest, what, err));
    GB_TRY(gb_coefficient_scales_create(&c->scales, &c->spec->coefficient, n, c->spec->n_topics, c->spec->n_columns,
                                        c->spec->intercept, err));
done:
    return st;
}

static gb_status create_workers(gb_chain *c, gb_error *err)
{
    gb_status st;
    const size_t n_topics = c->spec->n_topics, stride = c->topics.stride;
    GB_TRY(gb_alloc(&c->worker, c->spec->n_threads, sizeof *c->worker, "workers", err));
    for (size_t i = 0; i < c->spec->n_threads; i++) {
        gb_worker *w = &c->worker[i];
        GB_TRY(gb_scratch_create(&w->scratch, n_topics, c->spec->n_outputs, err));
        GB_TRY(gb_alloc(&w->base, n_topics, sizeof *w->base, "workers", err));
        GB_TRY(gb_alloc(&w->count, n_topics, sizeof *w->count, "workers", err));
        GB_TRY(gb_alloc(&w->weight, stride, sizeof *w->weight, "workers", err));
        GB_TRY(gb_alloc(&w->factor, stride, sizeof *w->factor, "workers", err));
        GB_TRY(gb_alloc(&w->score, c->spec->n_outputs, sizeof *w->score, "workers", err));
    }
done:
    return st;
}

gb_status gb_chain_create(gb_chain **out, const gb_corpus *corpus, const gb_spec *spec, uint64_t number,
                          gb_error *err)
{
    gb_status st;
    gb_chain *c = NULL;
    GB_TRY(gb_alloc(&c, 1, sizeof *c, "the chain", err));
    c->corpus = corpus;
    c->spec = spec;
    c->number = number;
    c->key = gb_key_make(spec->seed, number);
    c->draw_tokens = spec->sampler->kernel(spec->isa);
    GB_TRY(gb_topics_create(&c->topics, corpus, spec->n_topics, spec->beta, spec->treatment, spec->n_blocks,
                            spec->n_threads, err));
    GB_TRY(gb_proportions_create(&c->z, corpus->n_docs, spec->n_topics, corpus->doc_start, spec->n_threads, err));
    GB_TRY(gb_prior_create(&c->prior, spec->prior, spec->n_topics, spec->alpha, spec->optimise_alpha, err));
    GB_TRY(create_tokens(c, err));
    GB_TRY(create_coefficients(c, err));
    GB_TRY(create_workers(c, err));
    gb_topics_begin(&c->topics);
    GB_TRY(draw_all_cells(c, GB_DRAW_INIT, err));
    GB_TRY(gb_proportions_count(&c->z, c->topic, err));
    *out = c;
    c = NULL;
done:
    gb_chain_free(c);
    return st;
}

/* ---- how much memory ---- */

static uint64_t token_bytes(const gb_corpus *corpus, const gb_spec *spec)
{
    const gb_chain c = {0};
    uint64_t n = corpus->n_tokens * sizeof *c.topic;
    if (spec->n_blocks > 1)
        n += corpus->n_tokens * sizeof *c.own_word + corpus->n_docs * spec->n_blocks * sizeof *c.segment;
    return n;
}

static uint64_t response_bytes(const gb_corpus *corpus, const gb_spec *spec, uint64_t n_entries)
{
    const gb_chain c = {0};
    const uint64_t n = spec->n_outputs, n_features = gb_spec_n_features(spec);
    const gb_regression_size size = {.n_docs = corpus->n_docs,
                                     .n_entries = n_entries,
                                     .n_column_entries = spec->n_columns == 0 ? 0 : spec->x.doc_start[corpus->n_docs],
                                     .n_outputs = spec->n_outputs,
                                     .n_topics = spec->n_topics,
                                     .n_columns = spec->n_columns,
                                     .intercept = spec->intercept,
                                     .n_threads = spec->n_threads};
    if (n == 0)
        return 0;
    return corpus->n_docs * n *
               (sizeof *c.y + sizeof *c.term + sizeof *c.score + (gb_spec_has_weights(spec) ? sizeof *c.weight : 0)) +
           (spec->exposure_field == GB_NO_FIELD ? 0 : corpus->n_docs * sizeof *c.offset) +
           n * n_features * (sizeof *c.eta + sizeof *c.eta_by_feature + sizeof *c.eta_by_output) +
           spec->coefficient_sampler->bytes(&size);
}

static uint64_t worker_bytes(const gb_spec *spec)
{
    const gb_worker w = {0};
    return spec->n_threads *
           (gb_scratch_bytes(spec->n_topics, spec->n_outputs) + spec->n_outputs * sizeof *w.score +
            spec->n_topics * (sizeof *w.base + sizeof *w.count + sizeof *w.weight + sizeof *w.factor));
}

uint64_t gb_chain_bytes(const gb_corpus *corpus, const gb_spec *spec, uint64_t n_entries)
{
    return gb_topics_bytes(corpus, spec->n_topics, spec->treatment, spec->n_blocks, spec->n_threads) +
           gb_proportions_bytes(n_entries, corpus->n_docs, spec->n_topics, spec->n_threads) +
           token_bytes(corpus, spec) + response_bytes(corpus, spec, n_entries) + worker_bytes(spec);
}

/* ---- the end ---- */

void gb_chain_free(gb_chain *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; c->worker != NULL && i < c->spec->n_threads; i++) {
        gb_scratch_free(c->worker[i].scratch);
        gb_free(c->worker[i].base);
        gb_free(c->worker[i].count);
        gb_free(c->worker[i].weight);
        gb_free(c->worker[i].factor);
        gb_free(c->worker[i].score);
    }
    gb_free(c->worker);
    gb_free(c->own_word);
    gb_free(c->topic);
    gb_free(c->segment);
    gb_free(c->doc_block);
    gb_topics_clear(&c->topics);
    gb_proportions_clear(&c->z);
    gb_prior_clear(&c->prior);
    gb_free(c->response);
    gb_free(c->y);
    gb_free(c->weight);
    gb_free(c->offset);
    gb_free(c->term);
    gb_free(c->score);
    gb_free(c->eta);
    gb_free(c->eta_by_feature);
    gb_free(c->eta_by_output);
    gb_free(c->eta_largest);
    gb_coefficient_scales_clear(&c->scales);
    gb_free(c);
}
