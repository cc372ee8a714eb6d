/* chain/token_pass.c - the order in which tokens are redrawn: documents in blocks, cells of a document block and a word block,
 * lanes of documents that are drawn in step (token/token.h). */
#include "chain/token_pass.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "chain/ring.h"
#include "chain/seeded_start.h"
#include "chain/start.h"

#include <math.h>
#include <string.h>

enum { ALL_BLOCKS = UINT16_MAX };

/* The tokens of document d that lie in word block b, or in all. */
static gb_tokens tokens_in_block(const gb_chain *c, uint64_t d, size_t b)
{
    const uint64_t start = c->corpus->doc_start[d];
    const uint32_t *end = c->segment + d * c->topics.n_blocks;
    const uint32_t first = b == 0 || b == ALL_BLOCKS ? 0 : end[b - 1],
                   last = end[b == ALL_BLOCKS ? c->topics.n_blocks - 1 : b];
    return (gb_tokens){
        .count = last - first, .first = first, .word = c->word + start + first, .topic = c->topic + start + first};
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

static const double *start_weights(size_t n_topics, double *weight)
{
    for (size_t k = 0; k < n_topics; k++)
        weight[k] = gb_prior_start_weight(n_topics);
    return weight;
}

/* A prior whose proportions are part of its state has none that suit topics before it has adopted a start. */
static bool prior_is_ready(const gb_chain *c, gb_purpose purpose)
{
    return purpose == GB_DRAW_TOPIC || c->prior.ops->adopt_start == NULL;
}

static bool sees_seeds(const gb_chain *c, gb_purpose purpose)
{
    return purpose == GB_DRAW_INIT && c->start->seeded != NULL;
}

/* (1) of seeded_start.c. */
static const double *seeded_base(const gb_chain *c, uint64_t d, double *room)
{
    const uint64_t first = c->corpus->doc_start[d], n_topics = c->topics.n_topics;
    const double *base =
        prior_is_ready(c, GB_DRAW_INIT) ? c->prior.ops->base(&c->prior, d, room) : start_weights(n_topics, room);
    if (base != room)
        memcpy(room, base, n_topics * sizeof *room);
    gb_seeded_start_add(c->start->seeded, c->corpus->doc_start[d + 1] - first, c->corpus->word + first, room);
    return room;
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
    if (f->block_number == ALL_BLOCKS && c->wordings.n_nodes > 0)
        f->block.phi = gb_wording_tree_row(&c->wordings, d);
    if (sees_seeds(c, f->document.purpose))
        f->document.base = seeded_base(c, d, lane->base);
    else if (!f->document.base_is_shared)
        f->document.base = c->prior.ops->base(&c->prior, d, lane->base);
    f->document.doc = c->portion.first_doc + d;
    f->document.length = c->corpus->doc_start[d + 1] - c->corpus->doc_start[d];
    if (f->document.n_outputs > 0) {
        f->document.term = c->term + d * c->spec->n_outputs;
        f->document.score = c->score + d * c->spec->n_outputs;
    }
    return true;
}

struct token_pass {
    gb_chain *chain;
    size_t first_block, n_blocks; /* document blocks of this rank that are drawn now */
    size_t phase;                 /* the first of `depth` */
    size_t n_tasks;               /* of a phase */
    size_t depth;                 /* phases that a task goes through by itself */
    gb_purpose purpose;
};

/* A start can be given up, a sweep has to be finished. */
static gb_status look_at_watch(const gb_chain *c, size_t worker, gb_error *err)
{
    const bool goes_on = c->watch == NULL || gb_watch_look(c->watch, worker);
    return goes_on || c->is_started || c->portion.team != NULL ? GB_OK
                                                               : gb_fail(err, GB_ESTOP, "stopped by the caller");
}

/* Random numbers of keywords: another sampler draws them, which may need more or fewer of a token. */
static gb_key keyword_stream(gb_key key)
{
    const uint32_t other = 0x6B657977;
    key.k[1] ^= other;
    return key;
}

/* What weighs the words of block b. */
static void open_word_block(const struct token_pass *pass, size_t b, gb_token_lane *f)
{
    const gb_chain *c = pass->chain;
    const gb_topics *t = &c->topics;
    if (b == ALL_BLOCKS) {
        f->block.phi = t->phi;
    } else if (b == gb_topics_keyword_block(t)) {
        f->block.phi = t->keywords.phi;
        f->document.key = keyword_stream(c->key);
    } else {
        f->block.rows = &t->rows[b / t->bundle_blocks];
        f->block.beta = t->beta;
        f->block.beta_block = t->beta_block[b];
        f->block.n_kb = t->n_kb + b * t->n_topics;
        f->block.mass = t->mass + b * t->n_topics;
    }
}

/* The documents at places first..last-1 of the order and the words of block b, or of all. */
static gb_token_lane open_lane(const struct token_pass *pass, gb_lane_memory *lane, size_t b, uint64_t first,
                               uint64_t last)
{
    gb_chain *c = pass->chain;
    const gb_topics *t = &c->topics;
    const bool is_ready = prior_is_ready(c, pass->purpose), sees = sees_seeds(c, pass->purpose);
    gb_token_lane f = {
        .block = {.n_topics = t->n_topics, .stride = t->stride},
        .document = {.sweep = c->sweep,
                     .purpose = pass->purpose,
                     .key = c->key,
                     .unit = is_ready ? c->prior.ops->unit : 1,
                     .base_is_shared = !sees && (!is_ready || c->prior.ops->base_is_shared),
                     .n_outputs = pass->purpose != GB_DRAW_TOPIC || c->spec->two_stage ? 0 : c->spec->n_outputs},
        .scratch = lane->scratch,
        .state = c->token_state,
        .next = next_document,
        .source = c,
        .memory = lane,
        .end = last,
        .block_number = b};
    open_word_block(pass, b, &f);
    if (!is_ready)
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

/* Add the tokens of a cell to the counts of its words, or take them out. */
static void count_cell(gb_chain *c, const gb_token_lane *f, uint64_t first, int by)
{
    gb_topics *t = &c->topics;
    for (uint64_t at = first; at < f->end; at++) {
        const gb_tokens tokens = tokens_in_block(c, c->doc_order[at], f->block_number);
        for (size_t n = 0; n < tokens.count; n++) {
            const uint16_t topic = tokens.topic[n];
            const uint32_t word = t->keywords.word[tokens.word[n]];
            if (topic == GB_NO_TOPIC)
                continue;
            gb_rows_add(gb_topics_rows(t, word), word, topic, by);
            t->n_kb[f->block_number * t->n_topics + topic] += by;
        }
    }
}

/* A cell of keywords. */
static gb_status draw_keywords(gb_chain *c, gb_token_lane *lane, uint64_t first, const gb_coefficients *eta,
                               gb_error *err)
{
    count_cell(c, lane, first, -1);
    const gb_status st = c->draw_keywords(lane, 1, eta, err);
    count_cell(c, lane, first, 1);
    return st;
}

/* The cells of a task in one phase: no two cells of a phase have anything in common that changes. */
static gb_status draw_cells_of_phase(const struct token_pass *pass, size_t task, size_t phase, size_t worker,
                                     gb_error *err)
{
    gb_chain *c = pass->chain;
    const size_t end = (task + 1) * pass->n_blocks / pass->n_tasks;
    gb_token_lane lane[GB_MAX_TOKEN_LANES], of_keywords;
    const gb_coefficients eta = coefficients_of(c);
    size_t n = 0;
    gb_status st = GB_OK;
    for (size_t at = task * pass->n_blocks / pass->n_tasks; st == GB_OK && at < end; at++) {
        const size_t i = pass->first_block + at, b = word_block_of(c, c->first_doc_block + i, phase);
        const bool has_keywords = b == gb_topics_keyword_block(&c->topics);
        gb_token_lane *f = has_keywords ? &of_keywords : &lane[n];
        *f = open_lane(pass, &c->worker[worker].lane[has_keywords ? 0 : n], b, c->doc_block[i], c->doc_block[i + 1]);
        f->worker = worker;
        if (has_keywords)
            st = draw_keywords(c, f, c->doc_block[i], &eta, err);
        else
            n++;
    }
    return st == GB_OK ? c->draw_tokens(lane, n, &eta, err) : st;
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
        lane[i] = open_lane(pass, &c->worker[worker].lane[i], ALL_BLOCKS, first + i * n_docs / GB_MAX_TOKEN_LANES,
                            first + (i + 1) * n_docs / GB_MAX_TOKEN_LANES);
        lane[i].worker = worker;
    }
    const gb_coefficients eta = coefficients_of(c);
    return c->draw_tokens(lane, GB_MAX_TOKEN_LANES, &eta, err);
}

/* Tasks of a phase with that many document blocks: as many for each thread, with at most GB_MAX_TOKEN_LANES cells. */
static size_t n_cell_tasks(const gb_chain *c, size_t n_blocks)
{
    const size_t n_threads = c->spec->n_threads, at_once = n_threads * GB_MAX_TOKEN_LANES;
    const size_t n = n_threads * ((n_blocks + at_once - 1) / at_once);
    return n < n_blocks ? n : n_blocks;
}

/* Phases, of n that follow each other, that tasks can go through without waiting for each other. */
static size_t n_depth(const struct token_pass *pass, size_t n)
{
    if (pass->n_tasks == 0)
        return 1;
    const size_t width = pass->n_blocks / pass->n_tasks, first = pass->chain->first_doc_block + pass->first_block;
    const bool is_aligned = first % width == 0 && n % width == 0 && pass->n_blocks % pass->n_tasks == 0;
    return is_aligned && width == power_of_two_in(width) ? width : 1;
}

/* Document blocks first..first+n_blocks-1 of this rank, in phases phase..phase+n-1. */
static gb_status draw_phases(struct token_pass *pass, size_t first, size_t n_blocks, size_t phase, size_t n,
                             gb_error *err)
{
    gb_status st = GB_OK;
    pass->first_block = first;
    pass->n_blocks = n_blocks;
    pass->n_tasks = n_cell_tasks(pass->chain, n_blocks);
    pass->depth = n_depth(pass, n);
    for (pass->phase = phase; st == GB_OK && pass->phase < phase + n; pass->phase += pass->depth)
        st = gb_parallel_for(pass->n_tasks, pass->chain->spec->n_threads, draw_cells, pass, err);
    return st;
}

/* ---- ranks ----
 * Some parts of a rank, a crowd, meet as many bundles among themselves, in as many phases as these have blocks: a round.  Then the
 * bundles are another crowd's, here or on another rank.  A rank with several crowds works on one while the bundles that another one has
 * done with travel. */

/* The largest power of two by which all ranks' parts can be counted. */
static size_t most_parts_of_crowd(const gb_chain *c)
{
    size_t n = c->spec->n_parts;
    for (size_t r = 1; r < gb_team_size(c->portion.team); r++)
        n |= gb_first_part(c->spec, r);
    return power_of_two_in(n);
}

/* Half of what a rank could take at once, so that bundles travel meanwhile, if that is still enough for all threads. */
static size_t parts_of_crowd(const gb_chain *c)
{
    const size_t most = most_parts_of_crowd(c), wanted = (size_t)c->n_threads_of_rank_0 * GB_MAX_TOKEN_LANES;
    return most > 1 && most / 2 * c->topics.bundle_blocks >= wanted ? most / 2 : most;
}

/* The bundle that a part meets first in a round. */
static size_t bundle_of(const gb_chain *c, size_t part, size_t phase)
{
    const size_t width = c->topics.bundle_blocks;
    return word_block_of(c, part * width, phase) / width;
}

/* The rank that needs each bundle in the round that begins with a phase: that of the part that meets it first is that of its crowd. */
static void find_ranks(const gb_chain *c, size_t phase, uint32_t *to)
{
    for (size_t rank = 0, part = 0; rank < gb_team_size(c->portion.team); rank++)
        for (const size_t end = gb_first_part(c->spec, rank + 1); part < end; part++)
            to[bundle_of(c, part, phase)] = (uint32_t)rank;
}

/* A crowd of this rank, from its part `first` on, in a round of n phases; `next` says where its bundles go, NULL: nowhere. */
static gb_status draw_crowd(struct token_pass *pass, size_t first, size_t n_parts, size_t phase, const uint32_t *next,
                            gb_error *err)
{
    gb_status st = GB_OK;
    gb_chain *c = pass->chain;
    const size_t width = c->topics.bundle_blocks, rank = gb_team_rank(c->portion.team),
                 first_part = c->first_doc_block / width + first;
    for (size_t i = 0; i < n_parts; i++)
        GB_TRY(gb_ring_wait(c, bundle_of(c, first_part + i, phase), err));
    GB_TRY(draw_phases(pass, first * width, n_parts * width, phase, n_parts * width, err));
    for (size_t i = 0; next != NULL && i < n_parts; i++) {
        const size_t bundle = bundle_of(c, first_part + i, phase);
        if (next[bundle] != rank)
            GB_TRY(gb_ring_send(c, bundle, next[bundle], err));
    }
done:
    return st;
}

/* Crowds take turns, and every other round the other way round: what was sent first is needed first.  Bundles are asked for when
 * all but one crowd have let go of theirs, so that a rank has not many more of them than it works on. */
static gb_status draw_round(struct token_pass *pass, size_t n_parts, size_t round, const uint32_t *next,
                            gb_error *err)
{
    gb_status st = GB_OK;
    gb_chain *c = pass->chain;
    const size_t n_crowds = c->portion.n_parts / n_parts, phase = round * n_parts * c->topics.bundle_blocks;
    for (size_t i = 0; i < n_crowds; i++) {
        const size_t crowd = round % 2 == 0 ? i : n_crowds - 1 - i;
        if (next != NULL && n_crowds > 1 && i + 1 == n_crowds)
            GB_TRY(gb_ring_expect(c, next, err));
        GB_TRY(draw_crowd(pass, crowd * n_parts, n_parts, phase, next, err));
    }
    if (next != NULL && n_crowds <= 1)
        GB_TRY(gb_ring_expect(c, next, err));
done:
    return st;
}

static gb_status draw_rounds(struct token_pass *pass, gb_error *err)
{
    gb_status st;
    gb_chain *c = pass->chain;
    const size_t n_parts = parts_of_crowd(c), n_rounds = c->spec->n_parts / n_parts,
                 n_phases = n_parts * c->topics.bundle_blocks;
    uint32_t *to = NULL;
    GB_TRY(gb_alloc(&to, c->topics.n_bundles, sizeof *to, "word blocks of other ranks", err));
    find_ranks(c, 0, to);
    GB_TRY(gb_ring_bring(c, to, err));
    for (size_t round = 0; round < n_rounds; round++) {
        const bool is_last = round + 1 == n_rounds;
        if (!is_last)
            find_ranks(c, (round + 1) * n_phases, to);
        GB_TRY(draw_round(pass, n_parts, round, is_last ? NULL : to, err));
    }
done:
    gb_free(to);
    return gb_ring_finish(c, st, err);
}

/* Drawn topics have a single document block, from which tokens get their first topics: rank after rank. */
static gb_status draw_in_turn(struct token_pass *pass, gb_error *err)
{
    gb_status st = GB_OK;
    gb_chain *c = pass->chain;
    for (uint32_t rank = 0; rank < gb_team_size(c->portion.team); rank++) {
        GB_TRY(gb_ring_bring(c, &rank, err));
        if (rank == gb_team_rank(c->portion.team))
            GB_TRY(draw_phases(pass, 0, 1, 0, c->topics.n_blocks, err));
    }
done:
    return st;
}

gb_status gb_chain_draw_cells(gb_chain *c, gb_purpose purpose, gb_error *err)
{
    gb_status st = GB_OK;
    c->wordings.is_ready = false;
    struct token_pass pass = {.chain = c, .purpose = purpose};
    if (c->topics.treatment == GB_TREAT_SAMPLED)
        GB_TRY(draw_in_turn(&pass, err));
    else if (c->portion.team == NULL)
        GB_TRY(draw_phases(&pass, 0, c->n_doc_blocks, 0, c->topics.n_blocks, err));
    else
        GB_TRY(draw_rounds(&pass, err));
    GB_TRY(gb_ring_share(c, err));
    GB_TRY(gb_topics_draw_switches(&c->topics, c->key, c->sweep, err));
done:
    return st;
}

static gb_status draw_all_documents(gb_chain *c, bool may_adapt, gb_error *err)
{
    struct token_pass pass = {.chain = c, .purpose = GB_DRAW_TOPIC};
    const gb_wording_tokens tokens = gb_chain_wording_tokens(c);
    gb_status st;
    GB_TRY(gb_parallel_for(gb_chain_n_doc_tasks(c), c->spec->n_threads, draw_documents, &pass, err));
    GB_TRY(gb_ring_count(c, c->word, c->topic, err));
    GB_TRY(gb_topics_draw_switches(&c->topics, c->key, c->sweep, err));
    if (c->wordings.n_nodes > 0)
        GB_TRY(gb_wording_tree_draw_tables(&c->wordings, &tokens, c->key, c->sweep, may_adapt, err));
done:
    return st;
}

gb_status gb_chain_draw_tokens(gb_chain *c, bool may_adapt, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_token_sampler *sampler = c->spec->sampler;
    if (sampler->prepare != NULL)
        GB_TRY(sampler->prepare(c->token_state, &c->topics, may_adapt, err));
    GB_TRY(c->topics.treatment == GB_TREAT_BLOCKS ? gb_chain_draw_cells(c, GB_DRAW_TOPIC, err)
                                                  : draw_all_documents(c, may_adapt, err));
    if (sampler->finish != NULL)
        GB_TRY(sampler->finish(c->token_state, &c->topics, err));
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
static size_t lightest_block(size_t n_word_blocks, size_t n_blocks, const double *load, const uint64_t *tokens)
{
    size_t lightest = 0;
    double least = INFINITY;
    for (size_t i = 0; i < n_blocks; i++) {
        double sum = 0;
        for (size_t b = 0; b < n_word_blocks; b++)
            sum += load[i * n_word_blocks + b] * ((double)tokens[b] + 1);
        if (sum < least) {
            least = sum;
            lightest = i;
        }
    }
    return lightest;
}

/* Documents first..last-1 to n blocks.
 * @param load, tokens  n_word_blocks x n zeros, and n_word_blocks numbers
 * @param block_of      receives a block of each document
 * @param n_docs        receives the documents of each block */
static void deal_documents(const gb_chain *c, uint64_t first, uint64_t last, size_t n, double *load, uint64_t *tokens,
                           uint16_t *block_of, uint64_t *n_docs)
{
    const size_t n_word_blocks = c->topics.n_blocks;
    for (uint64_t d = first, together; d < last; d += together) {
        together = (last - d) / (8 * n);
        together = together < 1 ? 1 : together > MOST_NEIGHBOURS ? MOST_NEIGHBOURS : together;
        count_group(c, d, together, tokens);
        const size_t i = lightest_block(n_word_blocks, n, load, tokens);
        for (size_t b = 0; b < n_word_blocks; b++)
            load[i * n_word_blocks + b] += (double)tokens[b] + 1;
        n_docs[i] += together;
        for (uint64_t k = 0; k < together; k++)
            block_of[d + k] = (uint16_t)i;
    }
}

/* Cut each part into blocks whose cells have about equal numbers of tokens: documents in small groups, which get smaller, go
 * where there are fewest so far.  So documents that are alike, often neighbours, come into different blocks; but not the nearest
 * neighbours, whose topics lie in the same line of the cache. */
gb_status gb_chain_cut_documents(gb_chain *c, gb_error *err)
{
    gb_status st;
    const gb_portion *here = &c->portion;
    const bool in_blocks = c->topics.treatment == GB_TREAT_BLOCKS;
    const size_t n_parts = in_blocks ? here->n_parts : 1, width = in_blocks ? c->topics.bundle_blocks : 1;
    const char *what = "document blocks";
    double *load = NULL;
    uint64_t *tokens = NULL, *next = NULL;
    uint16_t *block_of = NULL;
    GB_TRY(gb_alloc(&load, width, c->topics.n_blocks * sizeof *load, what, err));
    GB_TRY(gb_alloc(&tokens, c->topics.n_blocks, sizeof *tokens, what, err));
    GB_TRY(gb_alloc(&next, width, sizeof *next, what, err));
    GB_TRY(gb_alloc(&block_of, here->n_docs, sizeof *block_of, what, err));
    for (size_t part = 0; part < n_parts; part++) {
        const uint64_t first = in_blocks ? here->part_start[part] : 0,
                       last = in_blocks ? here->part_start[part + 1] : here->n_docs;
        uint64_t *start = c->doc_block + part * width; /* start[0] is there already */
        memset(load, 0, width * c->topics.n_blocks * sizeof *load);
        deal_documents(c, first, last, width, load, tokens, block_of, start + 1);
        for (size_t i = 0; i < width; i++) {
            start[i + 1] += start[i];
            next[i] = start[i];
        }
        for (uint64_t d = first; d < last; d++)
            c->doc_order[next[block_of[d]]++] = d;
    }
done:
    gb_free(load);
    gb_free(tokens);
    gb_free(next);
    gb_free(block_of);
    return st;
}
