/* chain/token_pass.c - the order in which tokens are redrawn: documents in blocks, cells of a document block and a word block,
 * lanes of documents that are drawn in step (token/token.h). */
#include "chain/token_pass.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "chain/start.h"

#include <math.h>
#include <string.h>

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

/* Find the first document from place `at` of the order on that has tokens in the lane's word block.  It is read only when
 * the one at hand is done: by then all of it should have come. */
static void look_ahead(gb_token_lane *f, uint64_t at)
{
    const gb_chain *c = f->source;
    const size_t n_outputs = f->document.n_outputs;
    for (f->following.count = 0; at < f->end; at++) {
        if (!gb_chain_takes_part(c, c->doc_order[at]))
            continue;
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

static bool next_document(gb_token_lane *f)
{
    const gb_chain *c = f->source;
    if (f->following.count == 0)
        return false;
    const uint64_t d = c->doc_order[f->at];
    f->tokens = f->following;
    look_ahead(f, f->at + 1);
    gb_lane_memory *lane = f->memory;
    f->document.count = NULL;
    if (c->doc_row[d] != GB_NO_ROW) {
        f->document.count = gb_rows_row(&c->doc_rows, c->doc_row[d]);
        f->document.width = gb_rows_width(&c->doc_rows, c->doc_row[d]);
    }
    f->document.topics = c->topic + c->corpus->doc_start[d];
    if (!f->document.base_is_shared)
        f->document.base = c->prior.ops->base(&c->prior, d, lane->base);
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

/* A start can be given up, a sweep has to be finished. */
static gb_status look_at_watch(const gb_chain *c, size_t worker, gb_error *err)
{
    const bool goes_on = c->watch == NULL || gb_watch_look(c->watch, worker);
    return goes_on || c->is_started ? GB_OK : gb_fail(err, GB_ESTOP, "stopped by the caller");
}

static const double *start_weights(size_t n_topics, double *weight)
{
    for (size_t k = 0; k < n_topics; k++)
        weight[k] = gb_prior_start_weight(n_topics);
    return weight;
}

/* The documents at places first..last-1 of the order and the words of block b; with phi, all words. */
static gb_token_lane open_lane(const struct token_pass *pass, gb_lane_memory *lane, size_t b, uint64_t first,
                               uint64_t last)
{
    gb_chain *c = pass->chain;
    gb_topics *t = &c->topics;
    const bool prior_has_adopted = pass->purpose == GB_DRAW_TOPIC || c->prior.ops->adopt_start == NULL;
    gb_token_lane f = {
        .block = {.n_topics = t->n_topics, .stride = t->stride},
        .document = {.sweep = c->sweep,
                     .purpose = pass->purpose,
                     .key = c->key,
                     .unit = prior_has_adopted ? c->prior.ops->unit : 1,
                     .base_is_shared = !prior_has_adopted || c->prior.ops->base_is_shared,
                     .n_outputs = pass->purpose != GB_DRAW_TOPIC || c->spec->two_stage ? 0 : c->spec->n_outputs},
        .scratch = lane->scratch,
        .state = c->token_state,
        .next = next_document,
        .source = c,
        .memory = lane,
        .end = last,
        .block_number = b};
    if (t->treatment == GB_TREAT_SAMPLED && pass->purpose == GB_DRAW_TOPIC) {
        f.block.phi = t->phi;
    } else {
        f.block.rows = &t->rows;
        f.block.beta = t->beta;
        f.block.beta_block = t->beta_block[b];
        f.block.n_kb = t->n_kb + b * t->n_topics;
        f.block.mass = t->mass + b * t->n_topics;
    }
    if (!prior_has_adopted)
        f.document.base = start_weights(t->n_topics, lane->base);
    else if (c->prior.ops->base_is_shared)
        f.document.base = c->prior.ops->base(&c->prior, 0, lane->base);
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
    gb_token_lane lane[GB_MAX_TOKEN_LANES];
    size_t n = 0;
    for (size_t i = task * n_blocks / pass->n_tasks; i < end; i++, n++) {
        lane[n] = open_lane(pass, &c->worker[worker].lane[n], word_block_of(c, i, phase), c->doc_block[i],
                            c->doc_block[i + 1]);
        lane[n].worker = worker;
    }
    const gb_coefficients eta = coefficients_of(c);
    return c->draw_tokens(lane, n, &eta, err);
}

static gb_status draw_cells(void *context, size_t task, size_t worker, gb_error *err)
{
    struct token_pass *pass = context;
    gb_status st = GB_OK;
    for (size_t phase = pass->phase; phase < pass->phase + pass->depth; phase++) {
        GB_TRY(look_at_watch(pass->chain, worker, err));
        GB_TRY(draw_cells_of_phase(pass, task, phase, worker, err));
    }
done:
    return st;
}

/* With phi given, documents are independent. */
static gb_status draw_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    struct token_pass *pass = context;
    gb_chain *c = pass->chain;
    const gb_status st = look_at_watch(c, worker, err);
    if (st != GB_OK)
        return st;
    const uint64_t first = (uint64_t)task * GB_DOCS_PER_TASK, n_docs = gb_chain_task_end(c, task) - first;
    gb_token_lane lane[GB_MAX_TOKEN_LANES];
    for (size_t i = 0; i < GB_MAX_TOKEN_LANES; i++) {
        lane[i] = open_lane(pass, &c->worker[worker].lane[i], 0, first + i * n_docs / GB_MAX_TOKEN_LANES,
                            first + (i + 1) * n_docs / GB_MAX_TOKEN_LANES);
        lane[i].worker = worker;
    }
    const gb_coefficients eta = coefficients_of(c);
    return c->draw_tokens(lane, GB_MAX_TOKEN_LANES, &eta, err);
}

/* Tasks of a phase: as many for each thread, with at most GB_MAX_TOKEN_LANES cells. */
static size_t n_cell_tasks(const gb_chain *c)
{
    const size_t n_blocks = c->topics.n_blocks, n_threads = c->spec->n_threads;
    const size_t at_once = n_threads * GB_MAX_TOKEN_LANES, n = n_threads * ((n_blocks + at_once - 1) / at_once);
    return n < n_blocks ? n : n_blocks;
}

/* Phases that tasks can go through without waiting for each other. */
static size_t n_depth(const gb_chain *c, size_t n_tasks)
{
    const size_t n_blocks = c->topics.n_blocks, width = n_blocks / n_tasks;
    return n_blocks % n_tasks == 0 && width == power_of_two_in(width) ? width : 1;
}

gb_status gb_chain_draw_cells(gb_chain *c, gb_purpose purpose, gb_error *err)
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
    if (!c->spec->two_stage)
        return c->sweep <= c->burn_in;
    return c->sweep <= (c->spec->finds_burn_in ? GB_LEAST_BURN_IN : c->spec->burn_in) / 2;
}

static gb_status draw_all_documents(gb_chain *c, gb_error *err)
{
    struct token_pass pass = {.chain = c, .purpose = GB_DRAW_TOPIC};
    const gb_status st = gb_parallel_for(gb_chain_n_doc_tasks(c), c->spec->n_threads, draw_documents, &pass, err);
    if (st == GB_OK)
        gb_topics_count(&c->topics, c->corpus->n_tokens, c->word, c->topic);
    return st;
}

gb_status gb_chain_draw_tokens(gb_chain *c, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_token_sampler *sampler = c->spec->sampler;
    if (sampler->prepare != NULL)
        GB_TRY(sampler->prepare(c->token_state, &c->topics, may_adapt(c), err));
    GB_TRY(c->topics.treatment == GB_TREAT_BLOCKS ? gb_chain_draw_cells(c, GB_DRAW_TOPIC, err)
                                                  : draw_all_documents(c, err));
    if (sampler->finish != NULL)
        sampler->finish(c->token_state);
done:
    return st;
}

/* ---- document blocks ---- */

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
gb_status gb_chain_cut_documents(gb_chain *c, gb_error *err)
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
