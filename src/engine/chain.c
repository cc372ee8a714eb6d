/* engine/chain.c - the sweep.
 *
 * gb_chain_sweep() is the table of contents.  Every step redraws one part of the state given the current
 * value of all others, so each leaves the posterior as it is; their order matters only where a part was
 * integrated out: the augmentation is drawn anew before the coefficients use it, and scores are made anew
 * from the counts after each draw that changes them. */
#include "engine/chain.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "coefficient/scores.h"

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

/* The tokens of document d that lie in word block b. */
static gb_tokens tokens_in_block(const gb_chain *c, uint64_t d, size_t b)
{
    const uint64_t start = c->corpus->doc_start[d];
    const uint32_t *end = c->segment + d * c->topics.n_blocks;
    const uint32_t first = b == 0 ? 0 : end[b - 1];
    return (gb_tokens){
        .count = end[b] - first, .first = first, .word = c->word + start + first, .topic = c->topic + start + first};
}

/* Ask for memory that will be read soon. */
static void fetch(const void *start, size_t n_bytes)
{
    const char *at = start;
    for (size_t i = 0; i < n_bytes; i += 64)
        __builtin_prefetch(at + i);
    if (n_bytes > 0)
        __builtin_prefetch(at + n_bytes - 1);
}

/* Find the first document from place `at` of the order on that has tokens in the flight's word block.  It is read only when
 * the one at hand is done: by then all of it should have come. */
static void look_ahead(gb_flight *f, uint64_t at)
{
    const gb_chain *c = f->source;
    const size_t n_outputs = f->document.n_outputs;
    for (f->following.count = 0; at < f->end; at++) {
        f->following = tokens_in_block(c, c->doc_order[at], f->block_number);
        if (f->following.count > 0)
            break;
    }
    f->at = at;
    if (f->following.count == 0)
        return;
    const uint64_t d = c->doc_order[at];
    fetch(f->following.word, f->following.count * sizeof *f->following.word);
    fetch(f->following.topic, f->following.count * sizeof *f->following.topic);
    if (c->doc_row[d] != GB_NO_ROW)
        fetch(gb_rows_row(&c->doc_rows, c->doc_row[d]),
              c->topics.stride << gb_rows_width(&c->doc_rows, c->doc_row[d]));
    if (n_outputs > 0) {
        fetch(c->term + d * n_outputs, n_outputs * sizeof *c->term);
        fetch(c->score + d * n_outputs, n_outputs * sizeof *c->score);
    }
    if (at + 4 < f->end) { /* where the documents after it lie */
        __builtin_prefetch(c->segment + c->doc_order[at + 4] * c->topics.n_blocks);
        __builtin_prefetch(c->corpus->doc_start + c->doc_order[at + 4]);
        __builtin_prefetch(c->doc_row + c->doc_order[at + 4]);
    }
}

static bool next_document(gb_flight *f)
{
    const gb_chain *c = f->source;
    if (f->following.count == 0)
        return false;
    const uint64_t d = c->doc_order[f->at];
    f->tokens = f->following;
    look_ahead(f, f->at + 1);
    gb_place *place = f->place;
    f->document.count = NULL;
    if (c->doc_row[d] != GB_NO_ROW) {
        f->document.count = gb_rows_row(&c->doc_rows, c->doc_row[d]);
        f->document.width = gb_rows_width(&c->doc_rows, c->doc_row[d]);
    }
    f->document.topics = c->topic + c->corpus->doc_start[d];
    if (!c->prior.ops->base_is_shared)
        c->prior.ops->base(&c->prior, d, place->base);
    f->document.doc = d;
    f->document.length = c->corpus->doc_start[d + 1] - c->corpus->doc_start[d];
    if (f->document.n_outputs > 0) {
        f->document.term = c->term + d * c->spec->n_outputs;
        f->document.score = c->score + d * c->spec->n_outputs;
    }
    return true;
}

struct token_pass {
    gb_chain *chain;
    size_t phase;   /* the first of `depth` */
    size_t n_tasks; /* of a phase */
    size_t depth;   /* phases that a task goes through by itself */
    gb_purpose purpose;
};

/* The documents at places first..last-1 of the order and the words of block b; with phi, all words. */
static gb_flight open_flight(const struct token_pass *pass, gb_place *place, size_t b, uint64_t first, uint64_t last)
{
    gb_chain *c = pass->chain;
    gb_topics *t = &c->topics;
    gb_flight f = {
        .block = {.n_topics = t->n_topics, .stride = t->stride},
        .document = {.sweep = c->sweep,
                     .purpose = pass->purpose,
                     .key = c->key,
                     .unit = c->prior.ops->unit,
                     .base = place->base,
                     .base_is_shared = c->prior.ops->base_is_shared,
                     .n_outputs = pass->purpose == GB_DRAW_INIT || c->spec->two_stage ? 0 : c->spec->n_outputs},
        .scratch = place->scratch,
        .state = c->token_state,
        .next = next_document,
        .source = c,
        .place = place,
        .end = last,
        .block_number = b};
    if (t->treatment == GB_TREAT_SAMPLED && pass->purpose != GB_DRAW_INIT) {
        f.block.phi = t->phi;
    } else {
        f.block.rows = &t->rows;
        f.block.beta = t->beta;
        f.block.beta_block = t->beta_block[b];
        f.block.n_kb = t->n_kb + b * t->n_topics;
        f.block.mass = t->mass + b * t->n_topics;
    }
    if (c->prior.ops->base_is_shared)
        c->prior.ops->base(&c->prior, 0, place->base);
    look_ahead(&f, first);
    return f;
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

/* The largest power of two that divides n. */
static size_t power_of_two_in(size_t n)
{
    return n & -n;
}

/* The word block that document block i meets in a phase: with another i, and in another phase, it is another one.  Among 2^j
 * document blocks that follow a multiple of 2^j, and as many phases, it is one of 2^j word blocks: whoever draws these cells
 * needs nobody else's.  Every other sweep has the phases the other way round and begins with what is still in the cache. */
static size_t word_block_of(const gb_chain *c, size_t i, size_t phase)
{
    const size_t n = c->topics.n_blocks, m = power_of_two_in(n);
    const size_t p = c->sweep % 2 == 0 ? phase : n - 1 - phase;
    return (i / m + p / m) % (n / m) * m + (i % m ^ p % m);
}

/* The cells of a task in one phase: no two cells of a phase have anything in common that changes. */
static gb_status draw_cells_of_phase(const struct token_pass *pass, size_t task, size_t phase, size_t worker,
                                     gb_error *err)
{
    gb_chain *c = pass->chain;
    const size_t n_blocks = c->topics.n_blocks, end = (task + 1) * n_blocks / pass->n_tasks;
    gb_flight flight[GB_MAX_FLIGHTS];
    size_t n = 0;
    for (size_t i = task * n_blocks / pass->n_tasks; i < end; i++, n++) {
        flight[n] = open_flight(pass, &c->worker[worker].place[n], word_block_of(c, i, phase), c->doc_block[i],
                                c->doc_block[i + 1]);
        flight[n].worker = worker;
    }
    const gb_coefficients eta = coefficients_of(c);
    return c->draw_tokens(flight, n, &eta, err);
}

static gb_status draw_cells(void *context, size_t task, size_t worker, gb_error *err)
{
    const struct token_pass *pass = context;
    gb_status st = GB_OK;
    for (size_t phase = pass->phase; st == GB_OK && phase < pass->phase + pass->depth; phase++)
        st = draw_cells_of_phase(pass, task, phase, worker, err);
    return st;
}

/* With phi given, documents are independent. */
static gb_status draw_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    struct token_pass *pass = context;
    gb_chain *c = pass->chain;
    const uint64_t first = (uint64_t)task * DOCS_PER_TASK, n_docs = task_end(c, task) - first;
    gb_flight flight[GB_MAX_FLIGHTS];
    for (size_t i = 0; i < GB_MAX_FLIGHTS; i++) {
        flight[i] = open_flight(pass, &c->worker[worker].place[i], 0, first + i * n_docs / GB_MAX_FLIGHTS,
                                first + (i + 1) * n_docs / GB_MAX_FLIGHTS);
        flight[i].worker = worker;
    }
    const gb_coefficients eta = coefficients_of(c);
    return c->draw_tokens(flight, GB_MAX_FLIGHTS, &eta, err);
}

/* Tasks of a phase: as many for each thread, with at most GB_MAX_FLIGHTS cells. */
static size_t n_cell_tasks(const gb_chain *c)
{
    const size_t n_blocks = c->topics.n_blocks, n_threads = c->spec->n_threads;
    const size_t at_once = n_threads * GB_MAX_FLIGHTS, n = n_threads * ((n_blocks + at_once - 1) / at_once);
    return n < n_blocks ? n : n_blocks;
}

/* Phases that tasks can go through without waiting for each other. */
static size_t n_depth(const gb_chain *c, size_t n_tasks)
{
    const size_t n_blocks = c->topics.n_blocks, width = n_blocks / n_tasks;
    return n_blocks % n_tasks == 0 && width == power_of_two_in(width) ? width : 1;
}

static gb_status draw_all_cells(gb_chain *c, gb_purpose purpose, gb_error *err)
{
    struct token_pass pass = {.chain = c, .n_tasks = n_cell_tasks(c), .purpose = purpose};
    pass.depth = n_depth(c, pass.n_tasks);
    gb_status st = GB_OK;
    for (pass.phase = 0; st == GB_OK && pass.phase < c->topics.n_blocks; pass.phase += pass.depth)
        st = gb_parallel_for(pass.n_tasks, c->spec->n_threads, draw_cells, &pass, err);
    return st;
}

/* Whether what the tokens' sampler draws now need not have the posterior yet.  Topics that are kept as burn-in leaves them
 * get its second half to reach it. */
static bool may_adapt(const gb_chain *c)
{
    return c->sweep <= (c->spec->two_stage ? c->spec->burn_in / 2 : c->spec->burn_in);
}

static gb_status draw_tokens(gb_chain *c, gb_error *err)
{
    const gb_token_sampler *sampler = c->spec->sampler;
    if (sampler->prepare != NULL) {
        const gb_status prepared = sampler->prepare(c->token_state, &c->topics, may_adapt(c), err);
        if (prepared != GB_OK)
            return prepared;
    }
    if (c->topics.treatment == GB_TREAT_BLOCKS)
        return draw_all_cells(c, GB_DRAW_TOPIC, err);
    struct token_pass pass = {.chain = c, .purpose = GB_DRAW_TOPIC};
    gb_status st = gb_parallel_for(n_doc_tasks(c), c->spec->n_threads, draw_documents, &pass, err);
    if (st == GB_OK)
        gb_topics_count(&c->topics, c->corpus->n_tokens, c->word, c->topic);
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
    gb_score_documents(&scoring, c->spec->isa, (uint64_t)task * DOCS_PER_TASK, task_end(c, task), c->score);
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
    const uint64_t last = task_end(c, task), step = c->spec->n_responses == 1 ? DOCS_PER_TASK : 1;
    for (uint64_t d = (uint64_t)task * DOCS_PER_TASK; d < last; d += step)
        for (size_t r = 0; r < c->spec->n_responses; r++)
            GB_TRY(augment_response(c, &c->response[r], d, d + step < last ? d + step : last, c->worker[worker].score,
                                    err));
done:
    return st;
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
    if (!c->spec->two_stage || c->sweep == c->spec->burn_in + 1)      /* else no topic has changed */
        GB_TRY(gb_proportions_count(&c->z, c->topic, err));           /* zbar | z                      */
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

static gb_status update_prior(gb_chain *c, bool in_burn_in, gb_error *err)
{
    gb_status st = GB_OK;
    if (in_burn_in && c->prior.optimise_alpha)
        GB_TRY(gb_proportions_tally(&c->z, c->topic, err));
    c->prior.ops->update(&c->prior, &c->z, in_burn_in);
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
        GB_TRY(draw_tokens(c, err));                               /* z | everything else           */
    }
    if (!in_burn_in || !c->spec->two_stage)
        GB_TRY(draw_responses_and_coefficients(c, err)); /* augmentation, eta, scales | z, targets */
done:
    return st;
}

/* ---- making a chain ---- */

/* The group of a word: its block, then the width of its row, so that a kernel seldom has to change between widths. */
static size_t group_of(const gb_chain *c, uint32_t word)
{
    return c->topics.block_of[word] * (size_t)GB_N_WIDTHS + gb_rows_width(&c->topics.rows, word);
}

/* Where the groups of document d begin, from the start of the document, in c->group_end. */
static void find_groups(const gb_chain *c, uint64_t d)
{
    const uint64_t start = c->corpus->doc_start[d], end = c->corpus->doc_start[d + 1];
    const size_t n_groups = c->topics.n_blocks * GB_N_WIDTHS;
    memset(c->group_end, 0, n_groups * sizeof *c->group_end);
    for (uint64_t i = start; i < end; i++)
        c->group_end[group_of(c, c->corpus->word[i])]++;
    uint32_t sum = 0;
    for (size_t g = 0; g < n_groups; g++) {
        const uint32_t n = c->group_end[g];
        c->group_end[g] = sum;
        sum += n;
    }
}

/* Tokens of each document grouped, order kept inside a group; `segment` receives the ends of blocks.  `by_handle`: words
 * are named by the handles of their rows. */
static void group_tokens(gb_chain *c, bool by_handle)
{
    for (uint64_t d = 0; d < c->corpus->n_docs; d++) {
        const uint64_t start = c->corpus->doc_start[d], end = c->corpus->doc_start[d + 1];
        find_groups(c, d);
        for (uint64_t i = start; i < end; i++)
            c->word[start + c->group_end[group_of(c, c->corpus->word[i])]++] =
                by_handle ? c->topics.rows.handle[c->corpus->word[i]] : c->corpus->word[i];
        for (size_t b = 0; b < c->topics.n_blocks; b++)
            c->segment[d * c->topics.n_blocks + b] = c->group_end[(b + 1) * GB_N_WIDTHS - 1];
    }
}

void gb_chain_assignment(const gb_chain *c, uint64_t d, uint16_t *out)
{
    const uint64_t start = c->corpus->doc_start[d], n = c->corpus->doc_start[d + 1] - start;
    find_groups(c, d);
    for (uint64_t i = 0; i < n; i++)
        out[i] = c->topic[start + c->group_end[group_of(c, c->corpus->word[start + i])]++];
}

gb_status gb_chain_assign(gb_chain *c, const uint16_t *topic, gb_error *err)
{
    gb_status st;
    const gb_corpus *corpus = c->corpus;
    group_tokens(c, c->topics.treatment == GB_TREAT_BLOCKS);
    gb_topics_count(&c->topics, corpus->n_tokens, corpus->word, topic);
    gb_rows_zero(&c->doc_rows);
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        const uint64_t start = corpus->doc_start[d], end = corpus->doc_start[d + 1];
        find_groups(c, d);
        for (uint64_t i = start; i < end; i++) {
            c->topic[start + c->group_end[group_of(c, corpus->word[i])]++] = topic[i];
            if (c->doc_row[d] != GB_NO_ROW)
                gb_rows_add(&c->doc_rows, c->doc_row[d], topic[i], 1);
        }
    }
    GB_TRY(gb_proportions_count(&c->z, c->topic, err));
done:
    return st;
}

enum { MOST_NEIGHBOURS = 64 };

/* Tokens of documents d..d+n-1 in each word block. */
static void count_group(const gb_chain *c, uint64_t d, uint64_t n, uint64_t *tokens)
{
    memset(tokens, 0, c->topics.n_blocks * sizeof *tokens);
    for (; n > 0; n--, d++)
        for (size_t b = 0; b < c->topics.n_blocks; b++)
            tokens[b] += tokens_in_block(c, d, b).count;
}

/* The document block in which a group meets the fewest tokens of its own word blocks: sum_b load_ib tokens_b is least, and
 * with it the sum of the squares of all cells. */
static size_t lightest_block(const gb_chain *c, const double *load, const uint64_t *tokens)
{
    const size_t n_blocks = c->topics.n_blocks;
    size_t lightest = 0;
    double least = INFINITY;
    for (size_t i = 0; i < n_blocks; i++) {
        double sum = 0;
        for (size_t b = 0; b < n_blocks; b++)
            sum += load[i * n_blocks + b] * ((double)tokens[b] + 1);
        if (sum < least) {
            least = sum;
            lightest = i;
        }
    }
    return lightest;
}

/* Document blocks whose cells have about equal numbers of tokens: documents in small groups, which get smaller, go where
 * there are fewest so far.  So documents that are alike, often neighbours, come into different blocks; but not the nearest
 * neighbours, whose topics lie in the same line of the cache. */
static gb_status cut_documents(gb_chain *c, gb_error *err)
{
    gb_status st;
    const size_t n_blocks = c->topics.n_blocks;
    const uint64_t n_docs = c->corpus->n_docs;
    const char *what = "document blocks";
    double *load = NULL;
    uint64_t *tokens = NULL;
    uint16_t *block_of = NULL;
    GB_TRY(gb_alloc(&load, n_blocks, n_blocks * sizeof *load, what, err));
    GB_TRY(gb_alloc(&tokens, n_blocks, sizeof *tokens, what, err));
    GB_TRY(gb_alloc(&block_of, n_docs, sizeof *block_of, what, err));
    GB_TRY(gb_alloc(&c->doc_block, n_blocks + 1, sizeof *c->doc_block, what, err));
    GB_TRY(gb_alloc(&c->doc_order, n_docs, sizeof *c->doc_order, what, err));
    for (uint64_t d = 0, n; d < n_docs; d += n) {
        n = (n_docs - d) / (8 * n_blocks);
        n = n < 1 ? 1 : n > MOST_NEIGHBOURS ? MOST_NEIGHBOURS : n;
        count_group(c, d, n, tokens);
        const size_t i = lightest_block(c, load, tokens);
        for (size_t b = 0; b < n_blocks; b++)
            load[i * n_blocks + b] += (double)tokens[b] + 1;
        c->doc_block[i + 1] += n;
        for (uint64_t k = 0; k < n; k++)
            block_of[d + k] = (uint16_t)i;
    }
    for (size_t i = 0; i < n_blocks; i++) {
        c->doc_block[i + 1] += c->doc_block[i];
        tokens[i] = c->doc_block[i]; /* from here on: the next free place of the block */
    }
    for (uint64_t d = 0; d < n_docs; d++)
        c->doc_order[tokens[block_of[d]]++] = d;
done:
    gb_free(load);
    gb_free(tokens);
    gb_free(block_of);
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
    GB_TRY(gb_alloc(&c->group_end, n_blocks * GB_N_WIDTHS, sizeof *c->group_end, "tokens by word block", err));
    GB_TRY(gb_alloc(&c->segment, corpus->n_docs * n_blocks, sizeof *c->segment, "tokens by word block", err));
    group_tokens(c, true);
    for (uint64_t i = 0; i < corpus->n_tokens; i++)
        c->topic[i] = GB_NO_TOPIC;
    GB_TRY(cut_documents(c, err));
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

static gb_status create_place(gb_place *place, const gb_chain *c, gb_error *err)
{
    gb_status st;
    const size_t n_topics = c->spec->n_topics;
    GB_TRY(gb_scratch_create(&place->scratch, n_topics, c->spec->n_outputs, err));
    GB_TRY(gb_alloc(&place->base, n_topics, sizeof *place->base, "workers", err));
done:
    return st;
}

static void clear_place(gb_place *place)
{
    gb_scratch_free(place->scratch);
    gb_free(place->base);
}

static gb_status create_workers(gb_chain *c, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(&c->worker, c->spec->n_threads, sizeof *c->worker, "workers", err));
    for (size_t i = 0; i < c->spec->n_threads; i++) {
        for (size_t f = 0; f < GB_MAX_FLIGHTS; f++)
            GB_TRY(create_place(&c->worker[i].place[f], c, err));
        GB_TRY(gb_alloc(&c->worker[i].score, c->offset == NULL ? 0 : DOCS_PER_TASK * c->spec->n_outputs,
                        sizeof *c->worker[i].score, "workers", err));
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
    const gb_token_sampler *first = spec->sampler->create == NULL ? spec->sampler : &gb_token_dense;
    c->draw_tokens = first->kernel(spec->isa); /* of the first assignment */
    GB_TRY(gb_topics_create(&c->topics, corpus, spec->n_topics, spec->beta, spec->treatment, spec->n_blocks,
                            spec->sampler->lists, spec->n_threads, err));
    GB_TRY(gb_proportions_create(&c->z, corpus->n_docs, spec->n_topics, corpus->doc_start, spec->n_threads, err));
    GB_TRY(gb_prior_create(&c->prior, spec->prior, spec->n_topics, spec->alpha, spec->optimise_alpha, err));
    GB_TRY(create_tokens(c, err));
    GB_TRY(create_coefficients(c, err));
    GB_TRY(create_workers(c, err));
    gb_topics_begin(&c->topics);
    GB_TRY(draw_all_cells(c, GB_DRAW_INIT, err));
    c->draw_tokens = spec->sampler->kernel(spec->isa);
    if (spec->sampler->create != NULL)
        GB_TRY(spec->sampler->create(&c->token_state, &spec->sampler_options, &c->topics,
                                     spec->two_stage ? 0 : spec->n_outputs, err));
    if (spec->treatment == GB_TREAT_SAMPLED)
        group_tokens(c, false);
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

static uint64_t worker_bytes(const gb_spec *spec)
{
    gb_worker w; /* for its sizes */
    const uint64_t place =
        gb_scratch_bytes(spec->n_topics, spec->n_outputs) + spec->n_topics * sizeof *w.place[0].base;
    const uint64_t scores = spec->exposure_field == GB_NO_FIELD ? 0 : DOCS_PER_TASK * spec->n_outputs;
    return spec->n_threads * (GB_MAX_FLIGHTS * place + scores * sizeof *w.score);
}

uint64_t gb_chain_bytes(const gb_corpus *corpus, const gb_spec *spec, const uint64_t *total, uint64_t n_entries)
{
    return gb_topics_bytes(corpus->n_words, total, spec->n_topics, spec->treatment, spec->n_blocks,
                           spec->sampler->lists, spec->n_threads) +
           gb_proportions_bytes(spec->n_outputs == 0 ? 0 : n_entries, corpus->n_docs, spec->n_topics,
                                spec->n_threads) +
           token_bytes(corpus, spec) + response_bytes(corpus, spec, n_entries) + worker_bytes(spec);
}

/* ---- the end ---- */

void gb_chain_free(gb_chain *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; c->worker != NULL && i < c->spec->n_threads; i++) {
        for (size_t f = 0; f < GB_MAX_FLIGHTS; f++)
            clear_place(&c->worker[i].place[f]);
        gb_free(c->worker[i].score);
    }
    gb_free(c->worker);
    gb_free(c->word);
    gb_free(c->topic);
    gb_free(c->segment);
    gb_free(c->group_end);
    gb_rows_clear(&c->doc_rows);
    gb_free(c->doc_row);
    gb_free(c->doc_block);
    gb_free(c->doc_order);
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
    if (c->spec->sampler->free != NULL)
        c->spec->sampler->free(c->token_state);
    gb_free(c);
}
