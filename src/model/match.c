/* model/match.c - which topic of one chain is which topic of another.
 *
 * The mean of a topic over M snapshots, and the Hellinger distance of topic k of chain a from topic j of chain b:
 *
 *   phi_kw = 1/M sum_m (n_kw^m + beta) / (n_k^m + V beta) = f_k + (sparse),     f_k = 1/M sum_m beta / (n_k^m + V beta)
 *   H(k, j) = sqrt(1 - sum_w sqrt(phi_kw) sqrt(psi_jw))                                                              (1)
 *
 * With sqrt(phi_kw) = F_k + e_kw, F_k = sqrt(f_k), e_kw is 0 for the words that no snapshot has in the topic, and
 *
 *   sum_w sqrt(phi_kw) sqrt(psi_jw) = V F_k G_j + F_k sum_w d_jw + G_j sum_w e_kw + sum_w e_kw d_jw                  (2)
 *
 * so that a word costs as many steps as it has pairs of topics.  Words that only one of two models has add nothing to (1): V of
 * (2) counts the words that both have.  Of words in bags, whose phi has a part for each, (2) is the mean over the bags. */
#include "model/match.h"

#include "base/memory.h"
#include "math/assignment.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char what[] = "the match of topics";

/* ---- topics of a chain, word by word ---- */

typedef struct chain_topics {
    const gb_model *model;
    size_t first, n; /* snapshots of the chain */
    double *weight;  /* n x bags x n_topics: 1 / (M (n_k + V beta)) */
    double *floor;   /* bags x n_topics: f of (1) */
    double *root;    /* its root: F of (2) */
    double *sum;     /* bags x n_topics: sum of e of (2) over the words so far */
    /* of the word at hand */
    size_t bag;
    double *excess; /* n_topics: phi - f, then e */
    bool *is_here;  /* n_topics: listed next; an excess may be 0, too, where a weight is too small for a double */
    size_t *topic;  /* the topics that have the word */
    size_t n_here;
} chain_topics;

static void clear_topics(chain_topics *t)
{
    gb_free(t->weight);
    gb_free(t->floor);
    gb_free(t->root);
    gb_free(t->sum);
    gb_free(t->excess);
    gb_free(t->is_here);
    gb_free(t->topic);
}

static void find_snapshots(chain_topics *t, uint64_t chain)
{
    const gb_model *m = t->model;
    while (t->first < m->n_draws && m->draw[t->first].chain != chain)
        t->first++;
    while (t->first + t->n < m->n_draws && m->draw[t->first + t->n].chain == chain)
        t->n++;
}

static gb_status make_topics(chain_topics *t, const gb_model *m, uint64_t chain, gb_error *err)
{
    gb_status st;
    const size_t n_topics = m->n_topics;
    *t = (chain_topics){.model = m};
    find_snapshots(t, chain);
    const size_t n_each = m->bags.n * n_topics;
    GB_TRY(gb_alloc(&t->weight, t->n * n_each, sizeof *t->weight, what, err));
    GB_TRY(gb_alloc(&t->floor, n_each, sizeof *t->floor, what, err));
    GB_TRY(gb_alloc(&t->root, n_each, sizeof *t->root, what, err));
    GB_TRY(gb_alloc(&t->sum, n_each, sizeof *t->sum, what, err));
    GB_TRY(gb_alloc(&t->excess, n_topics, sizeof *t->excess, what, err));
    GB_TRY(gb_alloc(&t->is_here, n_topics, sizeof *t->is_here, what, err));
    GB_TRY(gb_alloc(&t->topic, n_topics, sizeof *t->topic, what, err));
    for (size_t i = 0; i < t->n; i++) {
        const gb_draw *draw = &m->draw[t->first + i];
        for (size_t k = 0; k < n_each; k++) {
            double *weight = &t->weight[i * n_each + k];
            *weight = 1 / ((double)t->n * gb_draw_total(m, draw, k / n_topics, k % n_topics));
            t->floor[k] += gb_draw_beta(m, draw) * *weight;
        }
    }
    for (size_t k = 0; k < n_each; k++)
        t->root[k] = sqrt(t->floor[k]);
done:
    return st;
}

/* The topics of the next word, and their e of (2). */
static void go_to_word(chain_topics *t, uint64_t word)
{
    const size_t n_topics = t->model->n_topics;
    for (size_t i = 0; i < t->n_here; i++) {
        t->excess[t->topic[i]] = 0;
        t->is_here[t->topic[i]] = false;
    }
    t->n_here = 0;
    t->bag = gb_bag_of(&t->model->bags, word);
    for (size_t i = 0; i < t->n; i++) {
        const double *weight = t->weight + (i * t->model->bags.n + t->bag) * n_topics;
        const gb_draw *draw = &t->model->draw[t->first + i];
        for (uint64_t at = draw->word_start[word]; at < draw->word_start[word + 1]; at++) {
            const size_t k = draw->topic[at];
            if (draw->count[at] == 0)
                continue;
            if (!t->is_here[k])
                t->topic[t->n_here++] = k;
            t->is_here[k] = true;
            t->excess[k] += (double)draw->count[at] * weight[k];
        }
    }
    for (size_t i = 0; i < t->n_here; i++) {
        const size_t k = t->topic[i];
        const size_t at = t->bag * n_topics + k;
        t->excess[k] = sqrt(t->floor[at] + t->excess[k]) - t->root[at];
        t->sum[at] += t->excess[k];
    }
}

/* Distances (1): those of `a` are the rows.
 * @param word_of_b  the number that each word of a's model has in b's, or GB_NO_WORD; NULL: the same */
static void find_distances(chain_topics *a, chain_topics *b, const uint64_t *word_of_b, double *distance)
{
    const gb_model *m = a->model;
    const size_t n = m->n_topics;
    uint64_t n_common[GB_MOST_BAGS] = {0};
    size_t same[GB_MOST_BAGS] = {0}; /* bag of b's model with the words of a's */
    memset(distance, 0, n * n * sizeof *distance);
    memset(a->sum, 0, m->bags.n * n * sizeof *a->sum);
    memset(b->sum, 0, b->model->bags.n * n * sizeof *b->sum);
    for (uint64_t w = 0; w < m->n_words; w++) {
        const uint64_t other = word_of_b == NULL ? w : word_of_b[w];
        if (other == GB_NO_WORD)
            continue;
        go_to_word(a, w);
        go_to_word(b, other);
        n_common[a->bag]++;
        same[a->bag] = b->bag;
        for (size_t i = 0; i < a->n_here; i++)
            for (size_t j = 0; j < b->n_here; j++)
                distance[a->topic[i] * n + b->topic[j]] += a->excess[a->topic[i]] * b->excess[b->topic[j]];
    }
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < n; j++) {
            double both = 0;
            for (size_t bag = 0; bag < m->bags.n; bag++) {
                const double f = a->root[bag * n + k], g = b->root[same[bag] * n + j];
                both += (double)n_common[bag] * f * g + f * b->sum[same[bag] * n + j] + g * a->sum[bag * n + k];
            }
            both += distance[k * n + j];
            distance[k * n + j] = sqrt(fmax(0, 1 - both / (double)m->bags.n));
        }
}

/* ---- what is near ---- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Half of the median distance between different topics of a chain; `distance` is overwritten. */
static double half_of_median(size_t n_topics, double *distance)
{
    size_t n = 0;
    for (size_t k = 1; k < n_topics; k++)
        for (size_t j = 0; j < k; j++)
            distance[n++] = distance[k * n_topics + j]; /* never behind what is read next */
    qsort(distance, n, sizeof *distance, ascending);
    return n == 0 ? 0 : 0.25 * (distance[(n - 1) / 2] + distance[n / 2]);
}

/* ---- all chains ---- */

static bool has_output(const gb_model *m, const gb_kept *kept, size_t output)
{
    return m->n_outputs == 0 || (output >= kept->first_output && output - kept->first_output < m->n_draw_outputs);
}

/* Numbers of the chains of an output, each once; the draws are in the order of their chains. */
static size_t list_chains(const gb_model *m, size_t output, uint64_t *chain)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_kept; i++)
        if (has_output(m, &m->kept[i], output) && (n == 0 || chain[n - 1] != m->kept[i].chain))
            chain[n++] = m->kept[i].chain;
    return n;
}

static gb_status make_match(const gb_model *m, size_t output, gb_match **out, gb_error *err)
{
    gb_status st;
    gb_match *match = NULL;
    GB_TRY(gb_alloc(&match, 1, sizeof *match, what, err));
    GB_TRY(gb_alloc(&match->chain, m->n_kept, sizeof *match->chain, what, err));
    match->n_topics = m->n_topics;
    match->n_chains = list_chains(m, output, match->chain);
    GB_TRY(gb_alloc(&match->topic, match->n_chains * m->n_topics, sizeof *match->topic, what, err));
    GB_TRY(gb_alloc(&match->distance, match->n_chains * m->n_topics, sizeof *match->distance, what, err));
    *out = match;
    match = NULL;
done:
    gb_match_free(match);
    return st;
}

/* Pair one chain with the reference; `distance` has those of its topics. */
static gb_status pair(gb_match *match, size_t chain, bool has_topics, const double *distance, gb_error *err)
{
    const size_t n = match->n_topics;
    size_t *topic = match->topic + chain * n;
    gb_status st = gb_assign(n, distance, topic, err);
    for (size_t k = 0; st == GB_OK && k < n; k++) {
        match->distance[chain * n + k] = distance[k * n + topic[k]];
        if (!has_topics || !(distance[k * n + topic[k]] < match->most))
            topic[k] = GB_NO_MATCH;
    }
    return st;
}

gb_status gb_model_match(const gb_model *m, size_t output, gb_match **out, gb_error *err)
{
    gb_status st;
    gb_match *match = NULL;
    chain_topics reference = {0}, again = {0}, other = {0};
    double *distance = NULL;
    GB_TRY(gb_model_check_table(m, m->n_topics, m->n_topics, what, err));
    GB_TRY(make_match(m, output, &match, err));
    GB_TRY(make_topics(&reference, m, match->chain[0], err));
    GB_TRY(make_topics(&again, m, match->chain[0], err));
    GB_TRY(gb_alloc(&distance, m->n_topics * m->n_topics, sizeof *distance, what, err));
    find_distances(&reference, &again, NULL, distance);
    match->most = half_of_median(m->n_topics, distance);
    for (size_t k = 0; k < m->n_topics; k++)
        match->topic[k] = k;
    for (size_t c = 1; c < match->n_chains; c++) {
        GB_TRY(make_topics(&other, m, match->chain[c], err));
        find_distances(&other, &reference, NULL, distance);
        GB_TRY(pair(match, c, other.n > 0 && reference.n > 0, distance, err));
        clear_topics(&other);
        other = (chain_topics){0};
    }
    *out = match;
    match = NULL;
done:
    gb_match_free(match);
    clear_topics(&reference);
    clear_topics(&again);
    clear_topics(&other);
    gb_free(distance);
    return st;
}

/* ---- two models ---- */

gb_status gb_model_find_words(const gb_model *model, const gb_model *other, uint64_t **out, gb_error *err)
{
    uint64_t *word = NULL, next = 0;
    const gb_status st = gb_alloc(&word, model->n_words, sizeof *word, what, err);
    if (st != GB_OK)
        return st;
    for (uint64_t w = 0; w < model->n_words; w++) {
        const bool is_next = next < other->n_words && strcmp(model->word[w], other->word[next]) == 0;
        word[w] = is_next ? next : GB_NO_WORD;
        next += is_next;
    }
    *out = word;
    if (next == other->n_words)
        return GB_OK;
    gb_free(word);
    *out = NULL;
    return gb_fail(err, GB_EARGUMENT, "the two models have different words");
}

gb_status gb_model_match_other(const gb_model *m, const gb_model *other, size_t *topic, gb_error *err)
{
    gb_status st;
    const size_t n = m->n_topics;
    chain_topics reference = {0}, again = {0}, theirs = {0};
    double *distance = NULL;
    uint64_t *word = NULL;
    if (other->n_topics != n)
        return gb_fail(err, GB_EARGUMENT, "a model of %zu topics is matched with one of %zu", n, other->n_topics);
    GB_TRY(gb_model_find_words(m, other, &word, err));
    GB_TRY(make_topics(&reference, m, m->draw[0].chain, err));
    GB_TRY(make_topics(&again, m, m->draw[0].chain, err));
    GB_TRY(make_topics(&theirs, other, other->draw[0].chain, err));
    GB_TRY(gb_alloc(&distance, n * n, sizeof *distance, what, err));
    find_distances(&reference, &again, NULL, distance);
    const double most = half_of_median(n, distance);
    find_distances(&reference, &theirs, word, distance);
    GB_TRY(gb_assign(n, distance, topic, err));
    for (size_t k = 0; k < n; k++)
        if (!(distance[k * n + topic[k]] < most))
            topic[k] = GB_NO_MATCH;
done:
    clear_topics(&reference);
    clear_topics(&again);
    clear_topics(&theirs);
    gb_free(distance);
    gb_free(word);
    return st;
}

void gb_match_free(gb_match *match)
{
    if (match == NULL)
        return;
    gb_free(match->chain);
    gb_free(match->topic);
    gb_free(match->distance);
    gb_free(match);
}

/* ---- answers ---- */

size_t gb_match_chain(const gb_match *match, uint64_t chain)
{
    size_t low = 1, high = match->n_chains; /* they ascend but for the first, which leads */
    if (match->n_chains > 0 && match->chain[0] == chain)
        return 0;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (match->chain[middle] < chain)
            low = middle + 1;
        else
            high = middle;
    }
    return low < match->n_chains && match->chain[low] == chain ? low : match->n_chains;
}

size_t gb_match_find(const gb_match *match, size_t chain, size_t topic)
{
    const size_t *here = match->topic + chain * match->n_topics;
    for (size_t k = 0; k < match->n_topics; k++)
        if (here[k] == topic)
            return k;
    return GB_NO_MATCH;
}

size_t gb_match_count(const gb_match *match, size_t topic)
{
    size_t n = 0;
    for (size_t c = 0; c < match->n_chains; c++)
        n += gb_match_find(match, c, topic) != GB_NO_MATCH;
    return n;
}

gb_status gb_model_matched(const gb_model *m, size_t output, const gb_match **out, gb_error *err)
{
    gb_match_slot *slot = &m->match[m->n_matches == 1 ? 0 : output];
    gb_match *match = atomic_load(&slot->match), *none = NULL;
    if (match == NULL) {
        const gb_status st = gb_model_match(m, output, &match, err);
        if (st != GB_OK)
            return st;
        if (!atomic_compare_exchange_strong(&slot->match, &none, match)) { /* another thread was faster */
            gb_match_free(match);
            match = none;
        }
    }
    *out = match;
    return GB_OK;
}
