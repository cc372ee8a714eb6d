/* model/word_order.c - which words stand for a topic.
 *
 * The most probable words of a topic are often those of every topic.  With phi_kw the probability of word w in topic k, p_w the share of
 * the training tokens that are word w, and a weight x between 0 and 1:
 *
 *   lift        phi_kw / p_w                                          (Taddy 2012, AISTATS)
 *   relevance   x log phi_kw + (1 - x) log (phi_kw / p_w)             (Sievert & Shirley 2014, ILLVI)
 *   frex        1 / (x / F_k(phi_kw / sum_j phi_jw) + (1 - x) / F_k(phi_kw))   (Bischof & Airoldi 2012, ICML)
 *
 * Of words in several bags the first one of each bag come first, then the second ones, and so on: no list lacks a bag, and probabilities in
 * different bags are not compared.
 *
 * F_k(y) is the share of words whose value in topic k is at most y.  Words without a training token come last: nothing is known of
 * them. */
#include "base/memory.h"
#include "gibbous/topic_unions.h"
#include "model/model.h"
#include "model/topic_unions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char what[] = "the words of topics";

typedef struct ranked_word {
    double value;
    uint64_t word;
} ranked_word;

/* The topic at hand. */
typedef struct topic_words {
    const gb_bags *bags;
    size_t n_words;
    double weight;
    const double *phi;      /* n_words */
    const double *share;    /* n_words: p_w */
    double *frequency_rank; /* n_words: F_k of phi; where the order takes ranks */
    double *exclusive_rank; /* n_words: F_k of phi_kw / sum_j phi_jw */
} topic_words;

typedef struct word_order {
    const char *name;
    double (*value)(const topic_words *t, size_t word);
    double weight; /* x, if the caller gives none */
    bool takes_ranks;
} word_order;

static double probability(const topic_words *t, size_t w)
{
    return t->phi[w];
}

static double lift(const topic_words *t, size_t w)
{
    return t->phi[w] / t->share[w];
}

static double relevance(const topic_words *t, size_t w)
{
    return t->weight * log(t->phi[w]) + (1 - t->weight) * log(lift(t, w));
}

static double frex(const topic_words *t, size_t w)
{
    return 1 / (t->weight / t->exclusive_rank[w] + (1 - t->weight) / t->frequency_rank[w]);
}

static const word_order orders[] = {{"probability", probability, 1, false},
                                    {"lift", lift, 0, false},
                                    {"relevance", relevance, 0.6, false},
                                    {"frex", frex, 0.5, true}};

static const word_order *find_order(const char *name)
{
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        if (strcmp(orders[i].name, name) == 0)
            return &orders[i];
    return NULL;
}

/* Largest first; of equals the lower word number. */
static int by_value(const void *a, const void *b)
{
    const ranked_word *x = a, *y = b;
    const int order = (x->value < y->value) - (x->value > y->value);
    return order != 0 ? order : (x->word > y->word) - (x->word < y->word);
}

/* F_k of phi, or of phi / sum: words in falling order, equal ones with the rank of the first. */
static void find_ranks(const topic_words *t, const double *sum, ranked_word *room, double *rank)
{
    const size_t n = t->n_words;
    for (size_t w = 0; w < n; w++)
        room[w] = (ranked_word){sum == NULL ? t->phi[w] : t->phi[w] / sum[w], w};
    qsort(room, n, sizeof *room, by_value);
    for (size_t i = 0, first = 0; i < n; i++) {
        if (room[i].value < room[first].value)
            first = i;
        rank[room[i].word] = (double)(n - first) / (double)n;
    }
}

/* p_w: any draw has all tokens. */
static void find_shares(const gb_model *m, double *share)
{
    const gb_draw *d = &m->draw[0];
    for (size_t w = 0; w < m->n_words; w++) {
        double n = 0;
        for (uint64_t i = d->word_start[w]; i < d->word_start[w + 1]; i++)
            n += d->count[i];
        share[w] = n / (double)m->n_training_tokens;
    }
}

/* From an order of all words to one with the bags in turn. */
static void take_turns(const gb_bags *bags, size_t n_words, const ranked_word *room, size_t n, uint64_t *word)
{
    size_t at[GB_MOST_BAGS] = {0}, bag = 0;
    for (size_t i = 0; i < n; bag = (bag + 1) % bags->n) {
        while (at[bag] < n_words && gb_bag_of(bags, room[at[bag]].word) != bag)
            at[bag]++;
        if (at[bag] < n_words)
            word[i++] = room[at[bag]++].word;
    }
}

/* The first n words in an order, with their probabilities. */
static void rank_topic(const topic_words *t, const word_order *order, ranked_word *room, size_t n, uint64_t *word,
                       double *out)
{
    for (size_t w = 0; w < t->n_words; w++)
        room[w] = (ranked_word){t->share[w] > 0 ? order->value(t, w) : -INFINITY, w};
    qsort(room, t->n_words, sizeof *room, by_value);
    take_turns(t->bags, t->n_words, room, n, word);
    for (size_t i = 0; i < n; i++)
        out[i] = t->phi[word[i]];
}

/* Rows of phi without any probability are passed over. */
static gb_status rank_rows(const gb_model *m, const word_order *order, double weight, const double *phi, uint64_t n,
                           uint64_t *word, double *out, gb_error *err)
{
    gb_status st;
    const size_t n_words = m->n_words;
    double *by_word = NULL;
    ranked_word *room = NULL;
    GB_TRY(gb_alloc(&by_word, 4 * n_words, sizeof *by_word, what, err));
    GB_TRY(gb_alloc(&room, n_words, sizeof *room, what, err));
    double *share = by_word, *sum = by_word + n_words;
    topic_words t = {.bags = &m->bags,
                     .n_words = n_words,
                     .weight = isnan(weight) ? order->weight : weight,
                     .share = share,
                     .frequency_rank = by_word + 2 * n_words,
                     .exclusive_rank = by_word + 3 * n_words};
    find_shares(m, share);
    for (size_t k = 0; k < m->n_topics; k++)
        for (size_t w = 0; w < n_words; w++)
            sum[w] += phi[k * n_words + w];
    for (size_t k = 0; k < m->n_topics; k++) {
        t.phi = phi + k * n_words;
        if (!(t.phi[0] > 0))
            continue;
        if (order->takes_ranks) {
            find_ranks(&t, NULL, room, t.frequency_rank);
            find_ranks(&t, sum, room, t.exclusive_rank);
        }
        rank_topic(&t, order, room, n, word + k * n, out + k * n);
    }
done:
    gb_free(by_word);
    gb_free(room);
    return st;
}

static gb_status check_order(const char *by, double weight, const word_order **order, gb_error *err)
{
    *order = find_order(by);
    if (*order == NULL)
        return gb_fail(err, GB_EARGUMENT, "no order of words \"%s\"; there are probability, lift, relevance and frex",
                       by);
    if (!isnan(weight) && !(weight >= 0 && weight <= 1))
        return gb_fail(err, GB_EARGUMENT, "the weight of an order of words is %g; it is from 0 to 1", weight);
    return GB_OK;
}

gb_status gb_model_rank_words(const gb_model *m, uint64_t output, const char *by, double weight, uint64_t n,
                              uint64_t *word, double *out, uint64_t *n_found, gb_error *err)
{
    gb_status st;
    const word_order *order;
    double *phi = NULL;
    n = n < m->n_words ? n : m->n_words;
    GB_TRY(check_order(by, weight, &order, err));
    GB_TRY(gb_model_check_table(m, m->n_topics, m->n_words, what, err));
    GB_TRY(gb_alloc(&phi, m->n_topics * m->n_words, sizeof *phi, what, err));
    GB_TRY(gb_model_topic_distributions(m, output, phi, err));
    GB_TRY(rank_rows(m, order, weight, phi, n, word, out, err));
    *n_found = n;
done:
    gb_free(phi);
    return st;
}

/* ---- unions ---- */

/* The mean of a union's rows, weighted by shares of the tokens, in the row of its first topic; the other rows become 0. */
static void unite(const gb_model *m, uint64_t first, const uint64_t *topic, uint64_t n, double *phi)
{
    double *row = phi + first * m->n_words, total = 0;
    for (uint64_t i = 0; i < n; i++)
        total += gb_model_topic_share(m, topic[i]);
    for (uint64_t i = 0; i < n; i++) {
        const double weight = total > 0 ? gb_model_topic_share(m, topic[i]) / total : 1 / (double)n;
        double *of = phi + topic[i] * m->n_words;
        for (size_t w = 0; w < m->n_words; w++) {
            const double part = weight * of[w];
            of[w] = 0;
            row[w] += part;
        }
    }
}

gb_status gb_model_union_distributions(const gb_model *m, uint64_t output, double *phi, gb_error *err)
{
    gb_status st;
    uint64_t *topic = NULL;
    GB_TRY(gb_alloc(&topic, m->n_topics, sizeof *topic, what, err));
    GB_TRY(gb_model_topic_distributions(m, output, phi, err));
    for (uint64_t k = 0; k < m->n_topics; k++) {
        const uint64_t size = gb_model_topics_of_union(m, k, topic);
        if (size > 1 && topic[0] == k)
            unite(m, k, topic, size, phi);
    }
done:
    gb_free(topic);
    return st;
}

gb_status gb_model_rank_union_words(const gb_model *m, const char *by, double weight, uint64_t n, uint64_t *word,
                                    double *out, uint64_t *n_found, gb_error *err)
{
    gb_status st;
    const word_order *order;
    double *phi = NULL;
    n = n < m->n_words ? n : m->n_words;
    memset(word, 0, m->n_topics * n * sizeof *word);
    memset(out, 0, m->n_topics * n * sizeof *out);
    GB_TRY(check_order(by, weight, &order, err));
    GB_TRY(gb_model_check_table(m, m->n_topics, m->n_words, what, err));
    GB_TRY(gb_alloc(&phi, m->n_topics * m->n_words, sizeof *phi, what, err));
    GB_TRY(gb_model_union_distributions(m, 0, phi, err));
    GB_TRY(rank_rows(m, order, weight, phi, n, word, out, err));
    *n_found = n;
done:
    gb_free(phi);
    return st;
}
