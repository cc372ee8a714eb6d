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
#include "coefficient/word_means.h"
#include "coefficient/word_scale.h"
#include "design/scores.h"

#include <math.h>
#include <string.h>

/* ---- words by group ---- */

gb_status gb_chain_open_wordings(gb_chain *c, gb_error *err)
{
    const gb_wording_tokens tokens = gb_chain_wording_tokens(c);
    return c->wordings.n_nodes == 0 || c->wordings.is_ready ? GB_OK
                                                            : gb_wording_tree_begin(&c->wordings, &tokens, err);
}

/* ---- topics of documents ---- */

gb_status gb_chain_count_documents(gb_chain *c, gb_error *err)
{
    if (c->z_is_counted)
        return GB_OK;
    const gb_status st = gb_proportions_count(&c->z, c->topic, err);
    c->z_is_counted = st == GB_OK;
    return st;
}

gb_status gb_chain_give_shares(gb_chain *c, const uint32_t *count, const double *length, gb_error *err)
{
    const gb_status st = gb_proportions_give(&c->z, count, length, err);
    c->z_is_counted = st == GB_OK;
    return st;
}

/* ---- responses ---- */

/* s_dl = sum_k eta_lk n_dk / N_d + sum_p eta_lp x_dp + intercept. */
static gb_status score_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    gb_chain *c = context;
    const gb_design design = gb_chain_design(c);
    const gb_scoring scoring = {.design = &design, .n_outputs = c->spec->n_outputs, .eta = c->eta_by_feature};
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
    const double *offset = gb_response_offsets(response, c->offset);
    if (offset == NULL)
        return score;
    for (uint64_t d = first; d < last; d++)
        for (size_t l = 0; l < n; l++)
            with_offset[(d - first) * n + l] = score[(d - first) * n + l] + offset[d];
    return with_offset;
}

/* A response in documents first..last-1: several if it has all outputs, which then lie next to each other. */
static gb_status augment_response(gb_chain *c, const gb_response *response, uint64_t first, uint64_t last,
                                  double *with_offset, gb_error *err)
{
    const size_t n = response->n_outputs, at = first * c->spec->n_outputs + response->first_output;
    const double *score = scores_with_offset(c, response, first, last, with_offset);
    const gb_random_streams streams = gb_random_streams_open(
        c->key, c->sweep, GB_DRAW_AUGMENT, c->portion.first_doc + first, response->first_output, n, c->spec->isa);
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

static gb_scored_targets targets_of(const gb_chain *c, size_t r)
{
    const gb_response *response = &c->response[r];
    const size_t first = response->first_output;
    size_t start;
    const size_t number = gb_chain_count_levels(c->spec, r, &start);
    const bool has_levels = response->n_levels > 0;
    return (gb_scored_targets){.portion = &c->portion,
                               .n_docs = c->corpus->n_docs,
                               .stride = c->spec->n_outputs,
                               .y = c->y + first,
                               .weight = c->weight == NULL ? NULL : c->weight + first,
                               .score = c->score + first,
                               .offset = gb_response_offsets(response, c->offset),
                               .by_level = has_levels ? c->by_level + number * c->corpus->n_docs : NULL,
                               .level_start = has_levels ? c->level_start + start : NULL};
}

/* rho2, r, ...: given the scores, the augmentation integrated out, so right before it is drawn anew. */
static gb_status draw_own_parameters(gb_chain *c, gb_error *err)
{
    for (size_t r = 0; r < c->spec->n_responses; r++) {
        const gb_response *response = &c->response[r];
        if (!response->samples_own)
            continue;
        const gb_scored_targets targets = targets_of(c, r);
        gb_random random = gb_random_open(c->key, c->sweep, GB_DRAW_OWN_PARAMETER, r);
        const gb_status st = response->ops->own->draw(response, &targets, &random, c->own + response->first_own, err);
        if (st != GB_OK)
            return st;
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
            const double eta = c->eta[l * n_features + k], square = eta * eta;
            c->eta_by_output[l * c->topics.stride + k] = (float)eta;
            largest = square > largest ? square : largest; /* gcc 12 for Arm fails at fmax() here */
        }
        c->eta_largest[l] = largest;
    }
}

static gb_regression regression_of(gb_chain *c, const gb_design *design, uint32_t sweep)
{
    return (gb_regression){.portion = &c->portion,
                           .design = design,
                           .n_outputs = c->spec->n_outputs,
                           .term = c->term,
                           .score = c->score,
                           .scales = &c->scales,
                           .gram = &c->gram,
                           .key = c->key,
                           .sweep = sweep,
                           .n_steps = c->spec->coefficient_steps,
                           .n_threads = c->spec->n_threads,
                           .isa = c->spec->isa};
}

/* Without words their columns are zeros, and their coefficients, which are then draws from the prior, are set to 0.  The scales of the
 * prior, which would follow these zeros, stay where they are. */

static gb_design design_of_draw(const gb_chain *c)
{
    gb_design design = gb_chain_design(c);
    if (c->without_words)
        design.x[GB_WORDS_BLOCK] = &c->spec->no_words;
    return design;
}

static void leave_words_out(gb_chain *c)
{
    const gb_layout layout = gb_spec_layout(c->spec);
    const gb_block *words = gb_layout_find(&layout, GB_WORDS_BLOCK);
    for (size_t l = 0; l < c->spec->n_outputs; l++)
        memset(c->eta + l * layout.n_features + words->first, 0, words->n * sizeof *c->eta);
}

static gb_status draw_coefficients(gb_chain *c, uint32_t sweep, gb_error *err)
{
    const gb_design design = design_of_draw(c);
    const gb_regression regression = regression_of(c, &design, sweep);
    const gb_status st = c->spec->coefficient_sampler->draw(&regression, c->eta, err);
    if (st != GB_OK)
        return st;
    if (c->without_words)
        leave_words_out(c);
    spread_coefficients(c);
    return GB_OK;
}

static gb_status draw_word_scales(gb_chain *c, gb_error *err)
{
    const gb_design design = gb_chain_design(c);
    const gb_regression regression = regression_of(c, &design, c->sweep);
    return gb_word_scale_draw(&regression, &c->scales, c->eta, c->eta_by_feature, c->score, err);
}

gb_status gb_chain_word_means(gb_chain *c, double *mean, gb_error *err)
{
    const gb_design design = gb_chain_design(c);
    const gb_regression regression = regression_of(c, &design, c->sweep);
    return gb_word_means(&regression, c->eta, mean, err);
}

gb_status gb_chain_use_coefficients(gb_chain *c, gb_error *err)
{
    gb_status st = GB_OK;
    if (c->spec->n_outputs == 0)
        return st;
    spread_coefficients(c);
    GB_TRY(gb_chain_count_documents(c, err));
    GB_TRY(gb_parallel_for(gb_chain_n_doc_tasks(c), c->spec->n_threads, score_documents, c, err));
done:
    return st;
}

/* Names random numbers that no sweep has. */
static const uint32_t ANOTHER_DRAW = UINT32_C(1) << 31;

/* The scales have seen the noise of the sweep's draw, so this one needs its own. */
gb_status gb_chain_draw_shifted(gb_chain *c, const double *shift, gb_error *err)
{
    const uint64_t n = c->corpus->n_docs * c->spec->n_outputs;
    for (uint64_t i = 0; i < n; i++)
        c->term[i].centre -= shift[i];
    const gb_status st = draw_coefficients(c, c->sweep | ANOTHER_DRAW, err);
    for (uint64_t i = 0; i < n; i++)
        c->term[i].centre += shift[i];
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
    GB_TRY(draw_coefficients(c, c->sweep, err));                      /* eta | zbar, (kappa, omega)     */
    GB_TRY(gb_parallel_for(n, n_threads, score_documents, c, err));   /* s | z, eta: for the next tokens */
    if (c->without_words)
        return st;
    GB_TRY(draw_word_scales(c, err)); /* tau, tau h | h, (kappa, omega) */
    GB_TRY(gb_coefficient_scales_draw(&c->scales, c->eta, c->key, c->sweep, n_threads, err)); /* shrinkage | eta */
done:
    return st;
}

/* ---- the sweep ---- */

static gb_status update_prior(gb_chain *c, bool in_burn_in, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_prior_sweep sweep = {.z = &c->z,
                                  .topic = c->topic,
                                  .key = c->key,
                                  .sweep = c->sweep,
                                  .in_burn_in = in_burn_in,
                                  .watch = gb_chain_sweep_watch(c)};
    if (c->prior.ops->by_document)
        GB_TRY(gb_chain_count_documents(c, err));
    GB_TRY(c->prior.ops->update(&c->prior, &sweep, err));
done:
    return st;
}

/* phi of each group, or r or phi of all. */
static gb_status draw_words(gb_chain *c, gb_error *err)
{
    gb_status st;
    if (c->wordings.n_nodes == 0)
        return gb_topics_draw(&c->topics, c->key, c->sweep, err);
    GB_TRY(gb_chain_open_wordings(c, err));
    GB_TRY(gb_wording_tree_draw_phi(&c->wordings, c->topics.beta, c->key, c->sweep, err));
done:
    return st;
}

static gb_status sweep_parts(gb_chain *c, const gb_sweep_parts *parts, gb_watch *watch, gb_error *err)
{
    gb_status st = GB_OK;
    if (parts->topics) {
        GB_TRY(update_prior(c, parts->in_burn_in, err)); /* document prior | topic counts */
        (void)gb_parallel_watch(NULL);
        GB_TRY(gb_topics_draw_beta(&c->topics, c->key, c->sweep, err)); /* beta | counts                */
        GB_TRY(draw_words(c, err));                                     /* r or phi | counts            */
        GB_TRY(gb_chain_draw_tokens(c, parts->may_adapt, err));         /* z | everything else          */
        (void)gb_parallel_watch(watch);
        c->z_is_counted = false;
    }
    if (parts->responses)
        GB_TRY(draw_responses_and_coefficients(c, err)); /* augmentation, eta, scales | z, targets */
done:
    return st;
}

gb_status gb_chain_sweep(gb_chain *c, const gb_sweep_parts *parts, gb_error *err)
{
    gb_watch *const watch = gb_chain_sweep_watch(c), *const before = gb_parallel_watch(watch);
    c->sweep++;
    c->without_words = parts->without_words;
    const gb_status st = sweep_parts(c, parts, watch, err);
    (void)gb_parallel_watch(before);
    c->sweep -= st == GB_ESTOP;
    return st;
}
