/* chain/chain.c - the sweep.
 *
 * gb_chain_sweep() is the table of contents.  Every step redraws one part of the state given the current
 * value of all others, so each leaves the posterior as it is; their order matters only where a part was
 * integrated out: the augmentation is drawn anew before the coefficients use it, and scores are made anew
 * from the counts after each draw that changes them. */
#include "chain/chain.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "chain/token_pass.h"
#include "coefficient/scores.h"

#include <math.h>
#include <string.h>

/* ---- topics of documents ---- */

gb_status gb_chain_count_documents(gb_chain *c, gb_error *err)
{
    if (c->z_is_counted)
        return GB_OK;
    const gb_status st = gb_proportions_count(&c->z, c->topic, err);
    c->z_is_counted = st == GB_OK;
    return st;
}

/* ---- responses ---- */

/* s_dl = sum_k eta_lk n_dk / N_d + sum_p eta_lp x_dp + intercept. */
static gb_status score_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    gb_chain *c = context;
    const gb_scoring scoring = {.z = &c->z,
                                .x = c->spec->n_columns > 0 ? &c->spec->x : NULL,
                                .intercept = c->spec->intercept,
                                .n_outputs = c->spec->n_outputs,
                                .eta = c->eta_by_feature};
    gb_score_documents(&scoring, c->spec->isa, (uint64_t)task * GB_DOCS_PER_TASK, gb_chain_task_end(c, task),
                       c->score);
    return GB_OK;
}

/* Scores of a response in documents first..last-1 with the offsets added; into `with_offset` if there are any. */
static const double *scores_with_offset(const gb_chain *c, const gb_response *response, uint64_t first, uint64_t last,
                                        double *with_offset)
{
    const size_t n = response->n_outputs;
    const double *score = c->score + first * c->spec->n_outputs + response->first_output;
    if (c->offset == NULL || response->ops->target != GB_TARGET_COUNT)
        return score;
    for (uint64_t d = first; d < last; d++)
        for (size_t l = 0; l < n; l++)
            with_offset[(d - first) * n + l] = score[(d - first) * n + l] + c->offset[d];
    return with_offset;
}

/* A response in documents first..last-1: several if it has all outputs, which then lie next to each other. */
static gb_status augment_response(gb_chain *c, const gb_response *response, uint64_t first, uint64_t last,
                                  double *with_offset, gb_error *err)
{
    const size_t n = response->n_outputs, at = first * c->spec->n_outputs + response->first_output;
    const double *score = scores_with_offset(c, response, first, last, with_offset);
    const gb_random_streams streams =
        gb_random_streams_open(c->key, c->sweep, GB_DRAW_AUGMENT, first, response->first_output, n, c->spec->isa);
    response->ops->augment(response, (last - first) * n, c->y + at, c->weight == NULL ? NULL : c->weight + at, score,
                           &streams, c->term + at);
    for (uint64_t d = first; d < last; d++) {
        const double offset = gb_response_offset(response, c->offset, d);
        gb_score_term *term = c->term + at + (d - first) * n;
        for (size_t l = 0; l < n; l++) {
            term[l].centre -= offset; /* exp(kappa t - omega t^2 / 2) with t = s + offset, as a function of s */
            if (!isfinite(term[l].slope) || !isfinite(term[l].omega) || !isfinite(term[l].centre))
                return gb_fail(err, GB_ENUMERIC,
                               "sweep %u, document %llu, output %zu: the augmentation is not finite", c->sweep,
                               (unsigned long long)d + 1, response->first_output + l + 1);
        }
    }
    return GB_OK;
}

static gb_status augment_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    gb_status st = GB_OK;
    gb_chain *c = context;
    const uint64_t last = gb_chain_task_end(c, task), step = c->spec->n_responses == 1 ? GB_DOCS_PER_TASK : 1;
    for (uint64_t d = (uint64_t)task * GB_DOCS_PER_TASK; d < last; d += step)
        for (size_t r = 0; r < c->spec->n_responses; r++)
            GB_TRY(augment_response(c, &c->response[r], d, d + step < last ? d + step : last, c->worker[worker].score,
                                    err));
done:
    return st;
}

/* rho2, r, ...: given the scores, the augmentation integrated out, so right before it is drawn anew. */
static gb_status draw_own_parameters(gb_chain *c, gb_error *err)
{
    for (size_t r = 0; r < c->spec->n_responses; r++) {
        const gb_response *response = &c->response[r];
        if (!response->samples_own)
            continue;
        const size_t first = response->first_output;
        const gb_scored_targets targets = {.n_docs = c->corpus->n_docs,
                                           .stride = c->spec->n_outputs,
                                           .y = c->y + first,
                                           .weight = c->weight == NULL ? NULL : c->weight + first,
                                           .score = c->score + first,
                                           .offset = response->ops->target == GB_TARGET_COUNT ? c->offset : NULL};
        gb_random random = gb_random_open(c->key, c->sweep, GB_DRAW_OWN_PARAMETER, r);
        response->ops->draw_own(response, &targets, &random, c->own + response->first_own);
        const char *fault = gb_response_own_fault(response);
        if (fault != NULL)
            return gb_fail(err, GB_ENUMERIC, "sweep %u, response %zu: the %s is out of range", c->sweep, r + 1,
                           fault);
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
    const size_t n = gb_chain_n_doc_tasks(c), n_threads = c->spec->n_threads;
    GB_TRY(gb_chain_count_documents(c, err));                         /* zbar | z                      */
    GB_TRY(gb_parallel_for(n, n_threads, score_documents, c, err));   /* s | z, eta                     */
    GB_TRY(draw_own_parameters(c, err));                              /* rho2, r | s, targets           */
    GB_TRY(gb_parallel_for(n, n_threads, augment_documents, c, err)); /* (kappa, omega) | s, targets    */
    GB_TRY(draw_coefficients(c, err));                                /* eta | zbar, (kappa, omega)     */
    GB_TRY(gb_parallel_for(n, n_threads, score_documents, c, err));   /* s | z, eta: for the next tokens */
    GB_TRY(gb_coefficient_scales_draw(&c->scales, c->eta, c->key, c->sweep, n_threads, err)); /* shrinkage | eta */
done:
    return st;
}

/* ---- the sweep ---- */

static gb_status update_prior(gb_chain *c, bool in_burn_in, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_prior_sweep sweep = {
        .z = &c->z, .topic = c->topic, .key = c->key, .sweep = c->sweep, .in_burn_in = in_burn_in};
    if (c->prior.ops->by_document)
        GB_TRY(gb_chain_count_documents(c, err));
    GB_TRY(c->prior.ops->update(&c->prior, &sweep, err));
done:
    return st;
}

gb_status gb_chain_sweep(gb_chain *c, gb_error *err)
{
    gb_status st;
    c->sweep++;
    const bool in_burn_in = c->sweep <= c->spec->burn_in;
    if (in_burn_in || !c->spec->two_stage) {
        GB_TRY(update_prior(c, in_burn_in, err));                  /* document prior | topic counts */
        GB_TRY(gb_topics_draw(&c->topics, c->key, c->sweep, err)); /* r or phi | counts             */
        GB_TRY(gb_chain_draw_tokens(c, err));                      /* z | everything else           */
        c->z_is_counted = false;
    }
    if (!in_burn_in || !c->spec->two_stage)
        GB_TRY(draw_responses_and_coefficients(c, err)); /* augmentation, eta, scales | z, targets */
done:
    return st;
}

/* ---- making a chain ---- */

/* The group of a word: its block, then the width of its row, so that a kernel seldom has to change between widths. */
static size_t token_run_of(const gb_chain *c, uint32_t word)
{
    return c->topics.block_of[word] * (size_t)GB_N_WIDTHS + gb_rows_width(&c->topics.rows, word);
}

/* Where the groups of document d begin, from the start of the document, in c->run_end. */
static void find_token_runs(const gb_chain *c, uint64_t d)
{
    const uint64_t start = c->corpus->doc_start[d], end = c->corpus->doc_start[d + 1];
    const size_t n_groups = c->topics.n_blocks * GB_N_WIDTHS;
    memset(c->run_end, 0, n_groups * sizeof *c->run_end);
    for (uint64_t i = start; i < end; i++)
        c->run_end[token_run_of(c, c->corpus->word[i])]++;
    uint32_t sum = 0;
    for (size_t g = 0; g < n_groups; g++) {
        const uint32_t n = c->run_end[g];
        c->run_end[g] = sum;
        sum += n;
    }
}

void gb_chain_order_tokens(gb_chain *c, bool by_handle)
{
    for (uint64_t d = 0; d < c->corpus->n_docs; d++) {
        const uint64_t start = c->corpus->doc_start[d], end = c->corpus->doc_start[d + 1];
        find_token_runs(c, d);
        for (uint64_t i = start; i < end; i++)
            c->word[start + c->run_end[token_run_of(c, c->corpus->word[i])]++] =
                by_handle ? c->topics.rows.handle[c->corpus->word[i]] : c->corpus->word[i];
        for (size_t b = 0; b < c->topics.n_blocks; b++)
            c->segment[d * c->topics.n_blocks + b] = c->run_end[(b + 1) * GB_N_WIDTHS - 1];
    }
}

void gb_chain_assignment(const gb_chain *c, uint64_t d, uint16_t *out)
{
    const uint64_t start = c->corpus->doc_start[d], n = c->corpus->doc_start[d + 1] - start;
    find_token_runs(c, d);
    for (uint64_t i = 0; i < n; i++)
        out[i] = c->topic[start + c->run_end[token_run_of(c, c->corpus->word[start + i])]++];
}

gb_status gb_chain_assign(gb_chain *c, const uint16_t *topic, gb_error *err)
{
    gb_status st;
    const gb_corpus *corpus = c->corpus;
    gb_chain_order_tokens(c, c->topics.treatment == GB_TREAT_BLOCKS);
    gb_topics_count(&c->topics, corpus->n_tokens, corpus->word, topic);
    gb_rows_zero(&c->doc_rows);
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        const uint64_t start = corpus->doc_start[d], end = corpus->doc_start[d + 1];
        find_token_runs(c, d);
        for (uint64_t i = start; i < end; i++) {
            c->topic[start + c->run_end[token_run_of(c, corpus->word[i])]++] = topic[i];
            if (c->doc_row[d] != GB_NO_ROW)
                gb_rows_add(&c->doc_rows, c->doc_row[d], topic[i], 1);
        }
    }
    c->z_is_counted = false;
    GB_TRY(gb_chain_count_documents(c, err));
done:
    return st;
}

/* Documents keep their counts in a row of their own where that takes no more than two bytes per token; the topics of the
 * others are counted anew on each visit, and they have few tokens. */
static bool has_row(size_t stride, uint64_t length)
{
    return stride <= 2 * length;
}

static gb_status create_doc_rows(gb_chain *c, gb_error *err)
{
    gb_status st;
    uint64_t *length = NULL, n = 0;
    GB_TRY(gb_alloc(&c->doc_row, c->corpus->n_docs, sizeof *c->doc_row, "topic counts of documents", err));
    GB_TRY(gb_alloc(&length, c->corpus->n_docs, sizeof *length, "topic counts of documents", err));
    for (uint64_t d = 0; d < c->corpus->n_docs; d++) {
        const uint64_t n_d = c->corpus->doc_start[d + 1] - c->corpus->doc_start[d];
        c->doc_row[d] = GB_NO_ROW;
        if (n < GB_NO_ROW && has_row(c->topics.stride, n_d)) {
            c->doc_row[d] = (uint32_t)n;
            length[n++] = n_d;
        }
    }
    GB_TRY(gb_rows_create(&c->doc_rows, n, length, c->spec->n_topics, c->topics.stride, false, err));
done:
    gb_free(length);
    return st;
}

static gb_status create_tokens(gb_chain *c, gb_error *err)
{
    gb_status st;
    const gb_corpus *corpus = c->corpus;
    const size_t n_blocks = c->topics.n_blocks;
    GB_TRY(gb_alloc(&c->word, corpus->n_tokens, sizeof *c->word, "tokens by word block", err));
    GB_TRY(gb_alloc(&c->topic, corpus->n_tokens, sizeof *c->topic, "topic assignments", err));
    GB_TRY(gb_alloc(&c->run_end, n_blocks * GB_N_WIDTHS, sizeof *c->run_end, "tokens by word block", err));
    GB_TRY(gb_alloc(&c->segment, corpus->n_docs * n_blocks, sizeof *c->segment, "tokens by word block", err));
    gb_chain_order_tokens(c, true);
    for (uint64_t i = 0; i < corpus->n_tokens; i++)
        c->topic[i] = GB_NO_TOPIC;
    GB_TRY(gb_chain_cut_documents(c, err));
    GB_TRY(create_doc_rows(c, err));
done:
    return st;
}

/* Every document's targets; of a chain for one output only that one, and none of those held out. */
static gb_status code_targets(gb_chain *c, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_spec *spec = c->spec, *whole = spec->whole == NULL ? spec : spec->whole;
    const size_t n = spec->n_outputs, n_whole = whole->n_outputs,
                 first = spec->only_output == GB_NO_FIELD ? 0 : spec->only_output;
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
    GB_TRY(gb_alloc(&c->own, c->spec->n_own, sizeof *c->own, what, err));
    for (size_t r = 0; r < c->spec->n_responses; r++) {
        gb_response *response = &c->response[r];
        *response = c->spec->response[r].target.response;
        for (size_t i = 0; i < response->n_own; i++)
            c->own[response->first_own + i] = response->own[i];
        response->own = c->own + response->first_own;
    }
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

static gb_status create_lane(gb_lane_memory *lane, const gb_chain *c, gb_error *err)
{
    gb_status st;
    const size_t n_topics = c->spec->n_topics;
    GB_TRY(gb_scratch_create(&lane->scratch, n_topics, c->spec->n_outputs, err));
    GB_TRY(gb_alloc(&lane->base, n_topics, sizeof *lane->base, "workers", err));
done:
    return st;
}

static void clear_lane(gb_lane_memory *lane)
{
    gb_scratch_free(lane->scratch);
    gb_free(lane->base);
}

static gb_status create_workers(gb_chain *c, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(&c->worker, c->spec->n_threads, sizeof *c->worker, "workers", err));
    for (size_t i = 0; i < c->spec->n_threads; i++) {
        for (size_t f = 0; f < GB_MAX_TOKEN_LANES; f++)
            GB_TRY(create_lane(&c->worker[i].lane[f], c, err));
        GB_TRY(gb_alloc(&c->worker[i].score, c->offset == NULL ? 0 : GB_DOCS_PER_TASK * c->spec->n_outputs,
                        sizeof *c->worker[i].score, "workers", err));
    }
done:
    return st;
}

gb_status gb_chain_allocate(gb_chain **out, const gb_corpus *corpus, const gb_spec *spec, uint64_t number,
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
                            spec->sampler->lists, spec->n_threads, err));
    GB_TRY(gb_proportions_create(&c->z, corpus->n_docs, spec->n_topics, corpus->doc_start, spec->n_threads, err));
    GB_TRY(gb_prior_create(&c->prior, &spec->prior, NULL, corpus->n_docs, corpus->doc_start, spec->n_threads,
                           spec->isa, err));
    GB_TRY(create_tokens(c, err));
    GB_TRY(create_coefficients(c, err));
    GB_TRY(create_workers(c, err));
    if (spec->sampler->create != NULL)
        GB_TRY(spec->sampler->create(&c->token_state, &spec->sampler_options, &c->topics,
                                     spec->two_stage ? 0 : spec->n_outputs, err));
    *out = c;
    c = NULL;
done:
    gb_chain_free(c);
    return st;
}

/* ---- how much memory ---- */

static uint64_t token_bytes(const gb_corpus *corpus, const gb_spec *spec)
{
    gb_chain c; /* for its sizes */
    const size_t stride = (spec->n_topics + GB_LANES - 1) / GB_LANES * GB_LANES;
    uint64_t n = corpus->n_tokens * (sizeof *c.word + sizeof *c.topic) +
                 corpus->n_docs * (spec->n_blocks * sizeof *c.segment + sizeof *c.doc_row + sizeof *c.doc_order);
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        const uint64_t length = corpus->doc_start[d + 1] - corpus->doc_start[d];
        n += has_row(stride, length) ? gb_rows_bytes(1, &length, spec->n_topics, stride, false) : 0;
    }
    return n;
}

static uint64_t response_bytes(const gb_corpus *corpus, const gb_spec *spec, uint64_t n_entries)
{
    gb_chain c; /* for its sizes */
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

static uint64_t prior_bytes(const gb_corpus *corpus, const gb_spec *spec)
{
    const gb_prior_ops *ops = spec->prior.ops;
    return gb_prior_values_bytes(&spec->prior) +
           (ops->bytes == NULL ? 0 : ops->bytes(&spec->prior, corpus->n_docs, spec->n_threads));
}

static uint64_t worker_bytes(const gb_spec *spec)
{
    gb_worker w; /* for its sizes */
    const uint64_t place =
        gb_scratch_bytes(spec->n_topics, spec->n_outputs) + spec->n_topics * sizeof *w.lane[0].base;
    const uint64_t scores = spec->exposure_field == GB_NO_FIELD ? 0 : GB_DOCS_PER_TASK * spec->n_outputs;
    return spec->n_threads * (GB_MAX_TOKEN_LANES * place + scores * sizeof *w.score);
}

uint64_t gb_chain_bytes(const gb_corpus *corpus, const gb_spec *spec, const uint64_t *total, uint64_t n_entries)
{
    return gb_topics_bytes(corpus->n_words, total, spec->n_topics, spec->treatment, spec->n_blocks,
                           spec->sampler->lists, spec->n_threads) +
           gb_proportions_bytes(spec->n_outputs == 0 && !spec->prior.ops->by_document ? 0 : n_entries, corpus->n_docs,
                                spec->n_topics, spec->n_threads) +
           prior_bytes(corpus, spec) + token_bytes(corpus, spec) + response_bytes(corpus, spec, n_entries) +
           worker_bytes(spec);
}

/* ---- the end ---- */

void gb_chain_free(gb_chain *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; c->worker != NULL && i < c->spec->n_threads; i++) {
        for (size_t f = 0; f < GB_MAX_TOKEN_LANES; f++)
            clear_lane(&c->worker[i].lane[f]);
        gb_free(c->worker[i].score);
    }
    gb_free(c->worker);
    gb_free(c->word);
    gb_free(c->topic);
    gb_free(c->segment);
    gb_free(c->run_end);
    gb_rows_clear(&c->doc_rows);
    gb_free(c->doc_row);
    gb_free(c->doc_block);
    gb_free(c->doc_order);
    gb_topics_clear(&c->topics);
    gb_proportions_clear(&c->z);
    gb_prior_clear(&c->prior);
    gb_free(c->response);
    gb_free(c->own);
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
    if (c->spec->sampler->free != NULL)
        c->spec->sampler->free(c->token_state);
    gb_free(c->share);
    gb_free(c);
}
