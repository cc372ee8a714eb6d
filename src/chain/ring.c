/* chain/ring.c - word blocks that go from rank to rank.
 *
 *   Traffic of a sweep: each bundle's rows and its tokens by topic once for each rank that it visits. */
#include "chain/ring.h"

#include "base/memory.h"

#include <string.h>

static const char *const what = "word blocks of other ranks";

/* Drawn topics need the counts of all words everywhere. */
static bool all_keep_all(const gb_chain *c)
{
    return c->topics.treatment == GB_TREAT_SAMPLED;
}

/* ---- moves ---- */

/* The rows of a bundle, and its blocks' tokens by topic. */
enum { ROWS, TOTALS, N_PIECES };

static void *totals_of(const gb_topics *t, size_t bundle)
{
    return t->n_kb + bundle * t->bundle_blocks * t->n_topics;
}

/* All that was begun is ended, whatever fails. */
gb_status gb_ring_wait(gb_chain *c, size_t bundle, gb_error *err)
{
    gb_status st = GB_OK;
    if (c->move == NULL)
        return st;
    gb_move *m = &c->move[bundle];
    for (size_t i = 0; i < N_PIECES; i++) {
        const gb_status ended = gb_team_end_transfer(c->portion.team, m->pending[i], st == GB_OK ? err : NULL);
        st = st == GB_OK ? ended : st;
    }
    gb_rows *rows = &c->topics.rows[bundle];
    if (m->is_sent && !all_keep_all(c)) {
        gb_free(rows->data);
        rows->data = NULL;
    }
    *m = (gb_move){.is_sent = false};
    return st;
}

static gb_status wait_for_all(gb_chain *c, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t b = 0; c->move != NULL && b < c->topics.n_bundles; b++) {
        const gb_status ended = gb_ring_wait(c, b, st == GB_OK ? err : NULL);
        st = st == GB_OK ? ended : st;
    }
    return st;
}

/* A rank that has failed by itself tells the others first: they may wait for a bundle of its, and it would wait here for theirs. */
gb_status gb_ring_finish(gb_chain *c, gb_status st, gb_error *err)
{
    if (st == GB_OK)
        return wait_for_all(c, err);
    if (st != GB_ERANK)
        gb_team_abort(c->portion.team, err == NULL ? gb_status_text(st) : err->message);
    (void)wait_for_all(c, NULL);
    return st;
}

static gb_status begin_move(gb_chain *c, size_t bundle, size_t other, bool is_sent, gb_error *err)
{
    gb_status st;
    gb_topics *t = &c->topics;
    gb_rows *rows = &t->rows[bundle];
    GB_TRY(gb_ring_wait(c, bundle, err)); /* it may have been here before */
    if (rows->data == NULL)
        GB_TRY(gb_alloc(&rows->data, rows->n_bytes, 1, what, err));
    c->move[bundle].is_sent = is_sent;
    const gb_transfer piece[N_PIECES] = {
        {.bytes = rows->data, .n_bytes = rows->n_bytes},
        {.bytes = totals_of(t, bundle), .n_bytes = t->bundle_blocks * t->n_topics * sizeof *t->n_kb}};
    for (size_t i = 0; i < N_PIECES; i++) {
        gb_transfer transfer = piece[i];
        transfer.rank = other;
        transfer.label = (uint32_t)(bundle * N_PIECES + i);
        transfer.is_sent = is_sent;
        GB_TRY(gb_team_begin_transfer(c->portion.team, &transfer, &c->move[bundle].pending[i], err));
    }
done:
    return st;
}

gb_status gb_ring_send(gb_chain *c, size_t bundle, size_t to, gb_error *err)
{
    return begin_move(c, bundle, to, true, err);
}

gb_status gb_ring_expect(gb_chain *c, const uint32_t *to, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t rank = gb_team_rank(c->portion.team);
    for (size_t b = 0; b < c->topics.n_bundles; b++) {
        if (to[b] == rank && c->holder[b] != rank)
            GB_TRY(begin_move(c, b, c->holder[b], false, err));
        c->holder[b] = to[b];
    }
done:
    return st;
}

gb_status gb_ring_bring(gb_chain *c, const uint32_t *to, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t rank = gb_team_rank(c->portion.team);
    if (c->portion.team == NULL)
        return GB_OK;
    for (size_t b = 0; b < c->topics.n_bundles; b++)
        if (c->holder[b] == rank && to[b] != rank)
            GB_TRY(gb_ring_send(c, b, to[b], err));
    GB_TRY(gb_ring_expect(c, to, err));
done:
    return gb_ring_finish(c, st, err);
}

/* ---- what all ranks have to know ---- */

static bool is_holder(const gb_chain *c, size_t bundle)
{
    return c->holder == NULL || c->holder[bundle] == gb_team_rank(c->portion.team);
}

/* Drawn topics: the counts of the rank that had them last. */
static gb_status give_all(gb_chain *c, gb_error *err)
{
    gb_status st;
    gb_topics *t = &c->topics;
    GB_TRY(gb_team_broadcast(c->portion.team, c->holder[0], t->rows[0].data, t->rows[0].n_bytes, err));
    GB_TRY(
        gb_team_broadcast(c->portion.team, c->holder[0], t->n_kb, t->n_blocks * t->n_topics * sizeof *t->n_kb, err));
done:
    return st;
}

/* Counts of keywords, from the rows of those who have them. */
static gb_status share_keywords(gb_chain *c, gb_error *err)
{
    const gb_topics *t = &c->topics;
    const gb_keywords *k = &t->keywords;
    gb_team *team = all_keep_all(c) ? NULL : c->portion.team;
    for (size_t i = 0; i < k->n_words; i++) {
        const bool is_here = team == NULL || is_holder(c, gb_topics_bundle(t, k->word[i]));
        for (size_t j = 0; j < t->n_topics; j++)
            k->count[i * t->n_topics + j] = is_here ? gb_rows_get(gb_topics_rows(t, k->word[i]), k->word[i], j) : 0;
    }
    return k->n_words == 0 ? GB_OK : gb_team_sum(team, k->count, k->n_words * t->n_topics, err);
}

static gb_status share_totals(gb_chain *c, gb_error *err)
{
    gb_topics *t = &c->topics;
    if (c->portion.team == NULL)
        return GB_OK;
    if (all_keep_all(c))
        return give_all(c, err);
    for (size_t b = 0; b < t->n_bundles; b++)
        if (!is_holder(c, b))
            memset(totals_of(t, b), 0, t->bundle_blocks * t->n_topics * sizeof *t->n_kb);
    return gb_team_sum(c->portion.team, t->n_kb, t->n_blocks * t->n_topics, err);
}

gb_status gb_ring_share(gb_chain *c, gb_error *err)
{
    const gb_status st = share_totals(c, err);
    return st == GB_OK ? share_keywords(c, err) : st;
}

/* Where the entries of each word begin; at all ranks. */
static gb_status find_starts(const gb_chain *c, uint64_t **out, gb_error *err)
{
    gb_status st;
    const gb_topics *t = &c->topics;
    uint64_t *start = NULL;
    uint16_t *topic = NULL;
    uint32_t *count = NULL;
    GB_TRY(gb_alloc(&topic, t->stride, sizeof *topic, what, err));
    GB_TRY(gb_alloc(&count, t->stride, sizeof *count, what, err));
    GB_TRY(gb_alloc(&start, t->n_words + 1, sizeof *start, what, err));
    for (uint64_t w = 0; w < t->n_words; w++)
        if (is_holder(c, gb_topics_bundle(t, w)))
            start[w + 1] = gb_rows_nonzero(gb_topics_rows(t, w), w, topic, count);
    GB_TRY(gb_team_merge(c->portion.team, start, (t->n_words + 1) * sizeof *start, err));
    for (uint64_t w = 0; w < t->n_words; w++)
        start[w + 1] += start[w];
    *out = start;
    start = NULL;
done:
    gb_free(start);
    gb_free(topic);
    gb_free(count);
    return st;
}

/* The entries of this rank's words, each word's after those of the words before it, or in their places among those of all words. */
typedef struct entries {
    uint16_t *topic;
    uint32_t *count;
    uint64_t n;
} entries;

static gb_status list_entries(const gb_chain *c, const uint64_t *start, bool in_place, entries *e, gb_error *err)
{
    gb_status st;
    const gb_topics *t = &c->topics;
    uint16_t *topic = NULL;
    uint32_t *count = NULL;
    for (uint64_t w = 0; w < t->n_words; w++)
        e->n += in_place || is_holder(c, gb_topics_bundle(t, w)) ? start[w + 1] - start[w] : 0;
    GB_TRY(gb_alloc(&topic, t->stride, sizeof *topic, what, err));
    GB_TRY(gb_alloc(&count, t->stride, sizeof *count, what, err));
    GB_TRY(gb_alloc(&e->topic, e->n, sizeof *e->topic, what, err));
    GB_TRY(gb_alloc(&e->count, e->n, sizeof *e->count, what, err));
    for (uint64_t w = 0, next = 0; w < t->n_words; w++) {
        if (start[w + 1] == start[w] || !is_holder(c, gb_topics_bundle(t, w)))
            continue;
        const size_t n = gb_rows_nonzero(gb_topics_rows(t, w), w, topic, count), at = in_place ? start[w] : next;
        memcpy(e->topic + at, topic, n * sizeof *topic);
        memcpy(e->count + at, count, n * sizeof *count);
        next += n;
    }
done:
    gb_free(topic);
    gb_free(count);
    return st;
}

/* Items of all words at rank 0, from each rank's; those of the others are freed there, and become NULL. */
static gb_status collect_items(const gb_chain *c, const uint64_t *start, const uint64_t *rank_start, size_t size,
                               char **items, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_topics *t = &c->topics;
    gb_team *team = c->portion.team;
    char *all = NULL, *ordered = NULL;
    uint64_t *next = NULL;
    const bool is_first = gb_team_rank(team) == 0;
    if (is_first)
        GB_TRY(gb_alloc(&all, start[t->n_words], size, what, err));
    GB_TRY(gb_team_collect(team, *items, all, size, rank_start, err));
    gb_free(*items);
    *items = NULL;
    if (!is_first)
        goto done;
    GB_TRY(gb_alloc(&ordered, start[t->n_words], size, what, err));
    GB_TRY(gb_alloc(&next, gb_team_size(team), sizeof *next, what, err));
    memcpy(next, rank_start, gb_team_size(team) * sizeof *next);
    for (uint64_t w = 0; w < t->n_words; w++) {
        const uint32_t rank = c->holder[gb_topics_bundle(t, w)];
        const uint64_t n = start[w + 1] - start[w];
        if (n > 0)
            memcpy(ordered + start[w] * size, all + next[rank] * size, n * size);
        next[rank] += n;
    }
    *items = ordered;
    ordered = NULL;
done:
    gb_free(all);
    gb_free(ordered);
    gb_free(next);
    return st;
}

static gb_status collect_entries(const gb_chain *c, const uint64_t *start, entries *e, gb_error *err)
{
    gb_status st;
    gb_team *team = c->portion.team;
    uint64_t *rank_start = NULL;
    char *topic = (char *)e->topic, *count = (char *)e->count;
    GB_TRY(gb_alloc(&rank_start, gb_team_size(team) + 1, sizeof *rank_start, what, err));
    GB_TRY(gb_team_starts(team, e->n, rank_start, err));
    st = collect_items(c, start, rank_start, sizeof *e->topic, &topic, err);
    e->topic = (void *)topic;
    if (st == GB_OK)
        st = collect_items(c, start, rank_start, sizeof *e->count, &count, err);
    e->count = (void *)count;
done:
    gb_free(rank_start);
    return st;
}

gb_status gb_ring_gather(const gb_chain *c, bool at_all, uint64_t **out_start, uint16_t **out_topic,
                         uint32_t **out_count, gb_error *err)
{
    gb_status st;
    gb_team *team = c->portion.team;
    const bool in_place = at_all || team == NULL;
    uint64_t *start = NULL;
    entries e = {.n = 0};
    GB_TRY(find_starts(c, &start, err));
    GB_TRY(list_entries(c, start, in_place, &e, err));
    if (in_place) {
        GB_TRY(gb_team_merge(team, e.topic, e.n * sizeof *e.topic, err));
        GB_TRY(gb_team_merge(team, e.count, e.n * sizeof *e.count, err));
    } else
        GB_TRY(collect_entries(c, start, &e, err));
    *out_start = start;
    *out_topic = e.topic;
    *out_count = e.count;
    start = NULL;
    e = (entries){.n = 0};
done:
    gb_free(start);
    gb_free(e.topic);
    gb_free(e.count);
    return st;
}

/* ---- counting anew ---- */

/* Tokens of the bundles that are at home on one rank. */
static void count_bundles_of(gb_chain *c, const uint32_t *home, size_t rank, const uint32_t *word,
                             const uint16_t *topic)
{
    gb_topics *t = &c->topics;
    for (uint64_t i = 0; i < c->corpus->n_tokens; i++)
        if (home[gb_topics_bundle(t, word[i])] == rank)
            gb_topics_add(t, word[i], topic[i]);
}

/* Bundles visit the ranks in order, so that tokens are added in the order of the corpus.  Those of rank h begin in turn h, so that ranks
 * count the bundles of different homes at the same time; there are 2 size - 1 turns. */
static uint32_t place_in_turn(size_t turn, size_t home, size_t size)
{
    if (turn < home)
        return (uint32_t)home;
    return (uint32_t)(turn - home < size ? turn - home : size - 1);
}

static gb_status count_in_turns(gb_chain *c, const uint32_t *home, const uint32_t *word, const uint16_t *topic,
                                uint32_t *at, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t rank = gb_team_rank(c->portion.team), size = gb_team_size(c->portion.team);
    for (size_t turn = 0; turn < 2 * size - 1; turn++) {
        for (size_t b = 0; b < c->topics.n_bundles; b++)
            at[b] = place_in_turn(turn, home[b], size);
        GB_TRY(gb_ring_bring(c, at, err));
        if (turn >= rank && turn - rank < size)
            count_bundles_of(c, home, turn - rank, word, topic);
    }
done:
    return st;
}

gb_status gb_ring_count(gb_chain *c, const uint32_t *word, const uint16_t *topic, gb_error *err)
{
    gb_status st;
    uint32_t *home = NULL, *at = NULL;
    gb_topics *t = &c->topics;
    gb_topics_zero(t);
    if (c->portion.team == NULL) {
        gb_topics_count(t, c->corpus->n_tokens, word, topic);
        return gb_ring_share(c, err);
    }
    GB_TRY(gb_alloc(&home, t->n_bundles, sizeof *home, what, err));
    GB_TRY(gb_alloc(&at, t->n_bundles, sizeof *at, what, err));
    memcpy(home, c->holder, t->n_bundles * sizeof *home);
    GB_TRY(count_in_turns(c, home, word, topic, at, err));
    if (!all_keep_all(c))
        GB_TRY(gb_ring_bring(c, home, err));
    GB_TRY(gb_ring_share(c, err));
done:
    gb_free(home);
    gb_free(at);
    return st;
}
