/* model/consensus.c - what the topics of several chains have in common.
 *
 * Topics of all chains are points, n_k = (n_k1, ..., n_kV) the counts of their words, and alike by the cosine
 *
 *   c(k, j) = n_k . n_j / (|n_k| |n_j|)                                                                     (1)
 *
 * They are clustered by average linkage: a cluster is as near to another as their points are on average, the two nearest clusters
 * are joined, and so on while they are at least CUT alike.  Of the clusters, those that are in the most chains become topics, among them the
 * largest first; the counts of a cluster's points are added up.  If there are too few, because topics of one chain are in one cluster,
 * these are topics on their own besides.
 *
 * Chains that were drawn apart have found the same thing where their topics agree; what one chain alone has split, mixed or
 * missed is outvoted. */
#include "model/consensus.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char what[] = "the topics that chains have in common";

static const double CUT = 0.5;

typedef struct points {
    size_t n_topics, n_bags, n_chains, n_named, n; /* n = n_chains x n_topics points, chain after chain */
    const gb_draw **draw;                          /* n_chains: the last of each */
    uint64_t n_words;
    float *alike;    /* n x n: (1), then between clusters, under the number of the first point */
    size_t *cluster; /* n: the first point of each point's cluster */
    size_t *size;    /* n: of clusters, points */
    bool *is_done;   /* n: is nobody's neighbour any more */
} points;

static void clear(points *p)
{
    gb_free(p->draw);
    gb_free(p->alike);
    gb_free(p->cluster);
    gb_free(p->size);
    gb_free(p->is_done);
}

static size_t point_of(const points *p, size_t chain, size_t topic)
{
    return chain * p->n_topics + topic;
}

static gb_status find_draws(points *p, const gb_model *m, gb_error *err)
{
    const gb_status st = gb_alloc(&p->draw, m->n_draws, sizeof *p->draw, what, err);
    for (size_t i = 0; st == GB_OK && i < m->n_draws; i++) {
        p->n_chains += i == 0 || m->draw[i].chain != m->draw[i - 1].chain;
        p->draw[p->n_chains - 1] = &m->draw[i];
    }
    return st;
}

/* ---- likeness ---- */

/* The points that have a word, and how often. */
typedef struct word_points {
    size_t n;
    size_t *point;
    double *count;
} word_points;

static void go_to_word(const points *p, uint64_t word, word_points *w)
{
    w->n = 0;
    for (size_t c = 0; c < p->n_chains; c++) {
        const gb_draw *d = p->draw[c];
        for (uint64_t i = d->word_start[word]; i < d->word_start[word + 1]; i++) {
            w->point[w->n] = point_of(p, c, d->topic[i]);
            w->count[w->n++] = d->count[i];
        }
    }
}

static gb_status measure(points *p, gb_error *err)
{
    gb_status st;
    word_points w = {0};
    double *length = NULL;
    GB_TRY(gb_alloc(&w.point, p->n, sizeof *w.point, what, err));
    GB_TRY(gb_alloc(&w.count, p->n, sizeof *w.count, what, err));
    GB_TRY(gb_alloc(&length, p->n, sizeof *length, what, err));
    for (uint64_t word = 0; word < p->n_words; word++) {
        go_to_word(p, word, &w);
        for (size_t i = 0; i < w.n; i++) {
            float *row = p->alike + w.point[i] * p->n;
            for (size_t j = 0; j <= i; j++) /* the points of a word ascend chain by chain, topic by topic */
                row[w.point[j]] += (float)(w.count[i] * w.count[j]);
        }
    }
    for (size_t i = 0; i < p->n; i++)
        length[i] = sqrt((double)p->alike[i * p->n + i]);
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j <= i; j++) {
            const float dot = p->alike[i * p->n + j];
            p->alike[i * p->n + j] = p->alike[j * p->n + i] =
                length[i] > 0 && length[j] > 0 ? (float)(dot / (length[i] * length[j])) : 0;
        }
done:
    gb_free(w.point);
    gb_free(w.count);
    gb_free(length);
    return st;
}

/* ---- clusters ---- */

static size_t nearest(const points *p, size_t i, size_t preferred)
{
    const float *row = p->alike + i * p->n;
    size_t best = preferred;
    for (size_t j = 0; j < p->n; j++)
        if (j != i && !p->is_done[j] && (best == SIZE_MAX || row[j] > row[best]))
            best = j;
    return best;
}

/* Cluster b becomes part of a; how alike it is to others is the mean over all its points. */
static void join(points *p, size_t a, size_t b)
{
    const float m = (float)p->size[a], n = (float)p->size[b];
    for (size_t j = 0; j < p->n; j++) {
        const float x = (m * p->alike[a * p->n + j] + n * p->alike[b * p->n + j]) / (m + n);
        p->alike[a * p->n + j] = p->alike[j * p->n + a] = x;
    }
    p->size[a] += p->size[b];
    p->size[b] = 0;
    p->is_done[b] = true;
    for (size_t i = 0; i < p->n; i++)
        if (p->cluster[i] == b)
            p->cluster[i] = a;
}

/* A path from each cluster to its nearest: two that are each other's nearest are joined.  Nothing that is joined elsewhere comes nearer to them, so the
 * order does not matter; and a cluster whose nearest is too far stays as it is. */
static gb_status join_all(points *p, gb_error *err)
{
    gb_status st;
    size_t *path = NULL, n = 0;
    GB_TRY(gb_alloc(&path, p->n, sizeof *path, what, err));
    for (size_t first = 0; first < p->n;) {
        if (n == 0 && p->is_done[first]) {
            first++;
            continue;
        }
        if (n == 0)
            path[n++] = first;
        const size_t last = path[n - 1], before = n > 1 ? path[n - 2] : SIZE_MAX, next = nearest(p, last, before);
        if (next == SIZE_MAX || !((double)p->alike[last * p->n + next] >= CUT)) {
            p->is_done[last] = true;
            n--;
        } else if (next == before) {
            join(p, last < next ? last : next, last < next ? next : last);
            n -= 2;
        } else {
            path[n++] = next;
        }
    }
done:
    gb_free(path);
    return st;
}

/* Topics with names are clusters as they are. */
static void join_named(points *p)
{
    for (size_t k = 0; k < p->n_named; k++)
        for (size_t c = 0; c < p->n_chains; c++) {
            const size_t i = point_of(p, c, k);
            p->cluster[i] = k;
            p->is_done[i] = true;
        }
}

/* ---- the clusters that become topics ---- */

typedef struct candidate {
    size_t cluster;
    uint64_t n_chains, n_tokens;
} candidate;

static int first_of_all(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->n_chains != y->n_chains)
        return x->n_chains > y->n_chains ? -1 : 1;
    if (x->n_tokens != y->n_tokens)
        return x->n_tokens > y->n_tokens ? -1 : 1;
    return (x->cluster > y->cluster) - (x->cluster < y->cluster);
}

static candidate describe(const points *p, size_t cluster)
{
    candidate x = {.cluster = cluster};
    for (size_t c = 0; c < p->n_chains; c++) {
        bool is_here = false;
        for (size_t k = 0; k < p->n_topics; k++)
            if (p->cluster[point_of(p, c, k)] == cluster) {
                is_here = true;
                for (size_t bag = 0; bag < p->n_bags; bag++)
                    x.n_tokens += p->draw[c]->n_k[bag * p->n_topics + k];
            }
        x.n_chains += is_here;
    }
    return x;
}

/* All but the first of a chain's topics that are in one cluster become clusters of their own, until there are enough. */
static size_t split_some(points *p, size_t n)
{
    for (size_t c = 0; c < p->n_chains && n < p->n_topics; c++)
        for (size_t k = p->n_named; k < p->n_topics && n < p->n_topics; k++) {
            const size_t i = point_of(p, c, k);
            size_t j = point_of(p, c, 0);
            while (p->cluster[j] != p->cluster[i])
                j++;
            if (j < i && p->cluster[i] != i) {
                p->cluster[i] = i;
                n++;
            }
        }
    return n;
}

/* @param topic_of  n: receives the topic of each point, or SIZE_MAX */
static gb_status choose(points *p, gb_consensus *out, size_t *topic_of, gb_error *err)
{
    gb_status st;
    size_t n = 0;
    candidate *all = NULL;
    GB_TRY(gb_alloc(&all, p->n, sizeof *all, what, err));
    for (size_t i = 0; i < p->n; i++)
        n += p->cluster[i] == i;
    (void)split_some(p, n);
    n = 0;
    for (size_t i = 0; i < p->n; i++)
        if (p->cluster[i] == i)
            all[n++] = describe(p, i);
    qsort(all + p->n_named, n - p->n_named, sizeof *all, first_of_all);
    for (size_t i = 0; i < p->n; i++)
        topic_of[i] = SIZE_MAX;
    for (size_t k = 0; k < p->n_topics; k++) {
        out->n_found[k] = (uint32_t)all[k].n_chains;
        for (size_t i = 0; i < p->n; i++)
            if (p->cluster[i] == all[k].cluster) {
                topic_of[i] = k;
                out->n_members[k]++;
            }
    }
done:
    gb_free(all);
    return st;
}

/* ---- their words ---- */

static uint64_t count_entries(const points *p)
{
    uint64_t n = 0;
    for (size_t c = 0; c < p->n_chains; c++)
        n += p->draw[c]->word_start[p->n_words];
    return n;
}

static gb_status add_up(const points *p, const size_t *topic_of, gb_consensus *out, gb_error *err)
{
    gb_status st;
    uint64_t n = 0, *sum = NULL;
    word_points w = {0};
    GB_TRY(gb_alloc(&sum, p->n_topics, sizeof *sum, what, err));
    GB_TRY(gb_alloc(&w.point, p->n, sizeof *w.point, what, err));
    GB_TRY(gb_alloc(&w.count, p->n, sizeof *w.count, what, err));
    for (uint64_t word = 0; word < p->n_words; word++) {
        memset(sum, 0, p->n_topics * sizeof *sum);
        go_to_word(p, word, &w);
        for (size_t i = 0; i < w.n; i++)
            if (topic_of[w.point[i]] != SIZE_MAX)
                sum[topic_of[w.point[i]]] += (uint64_t)w.count[i];
        for (size_t k = 0; k < p->n_topics; k++)
            if (sum[k] > 0) {
                out->topic[n] = (uint16_t)k;
                out->count[n++] = (uint32_t)(sum[k] < UINT32_MAX ? sum[k] : UINT32_MAX);
                out->n_k[k] += out->count[n - 1];
            }
        out->word_start[word + 1] = n;
    }
done:
    gb_free(sum);
    gb_free(w.point);
    gb_free(w.count);
    return st;
}

gb_status gb_consensus_create(size_t n_topics, uint64_t n_words, uint64_t n_entries, gb_consensus **out,
                              gb_error *err)
{
    gb_status st;
    gb_consensus *c = NULL;
    GB_TRY(gb_alloc(&c, 1, sizeof *c, what, err));
    *c = (gb_consensus){.n_topics = n_topics, .n_words = n_words};
    GB_TRY(gb_alloc(&c->word_start, n_words + 1, sizeof *c->word_start, what, err));
    GB_TRY(gb_alloc(&c->topic, n_entries, sizeof *c->topic, what, err));
    GB_TRY(gb_alloc(&c->count, n_entries, sizeof *c->count, what, err));
    GB_TRY(gb_alloc(&c->n_k, n_topics, sizeof *c->n_k, what, err));
    GB_TRY(gb_alloc(&c->n_members, n_topics, sizeof *c->n_members, what, err));
    GB_TRY(gb_alloc(&c->n_found, n_topics, sizeof *c->n_found, what, err));
    *out = c;
    c = NULL;
done:
    gb_consensus_free(c);
    return st;
}

gb_status gb_consensus_find(const gb_model *m, size_t n_named, gb_consensus **out, gb_error *err)
{
    gb_status st;
    points p = {.n_topics = m->n_topics, .n_bags = m->bags.n, .n_named = n_named, .n_words = m->n_words};
    gb_consensus *c = NULL;
    size_t *topic_of = NULL;
    GB_TRY(find_draws(&p, m, err));
    p.n = p.n_chains * p.n_topics;
    GB_TRY(gb_alloc(&p.alike, p.n * p.n, sizeof *p.alike, what, err));
    GB_TRY(gb_alloc(&p.cluster, p.n, sizeof *p.cluster, what, err));
    GB_TRY(gb_alloc(&p.size, p.n, sizeof *p.size, what, err));
    GB_TRY(gb_alloc(&p.is_done, p.n, sizeof *p.is_done, what, err));
    GB_TRY(gb_alloc(&topic_of, p.n, sizeof *topic_of, what, err));
    for (size_t i = 0; i < p.n; i++) {
        p.cluster[i] = i;
        p.size[i] = 1;
    }
    GB_TRY(measure(&p, err));
    join_named(&p);
    GB_TRY(join_all(&p, err));
    GB_TRY(gb_consensus_create(p.n_topics, p.n_words, count_entries(&p), &c, err));
    c->n_chains = p.n_chains;
    GB_TRY(choose(&p, c, topic_of, err));
    GB_TRY(add_up(&p, topic_of, c, err));
    *out = c;
    c = NULL;
done:
    clear(&p);
    gb_consensus_free(c);
    gb_free(topic_of);
    return st;
}

void gb_consensus_free(gb_consensus *c)
{
    if (c == NULL)
        return;
    gb_free(c->word_start);
    gb_free(c->topic);
    gb_free(c->count);
    gb_free(c->n_k);
    gb_free(c->n_members);
    gb_free(c->n_found);
    gb_free(c);
}

uint64_t gb_consensus_bytes(size_t n_chains, size_t n_topics, uint64_t n_entries)
{
    const uint64_t n = (uint64_t)n_chains * n_topics;
    return n * n * sizeof(float) + n * 64 + n_chains * n_entries * (sizeof(uint16_t) + sizeof(uint32_t));
}
