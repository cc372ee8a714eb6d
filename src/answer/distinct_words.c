/* answer/distinct_words.c - a few words for each topic that tell it from the others. */
#include "answer/distinct_words.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char what[] = "the names of topics";

/* What a word loses, in places of its topic's order. */
enum { TAKEN = 10, SAME_STEM = 40, SHARED = 100000, ENDING = 3, LEAST_STEM = 3 };

typedef struct choice {
    const gb_distinct_words *of;
    uint64_t n, round;
    uint64_t *chosen;
    uint32_t *n_users; /* of each word of the model: topics that have it */
} choice;

/* ---- pairs of words -------------------------------------------------------------------------------- */

/* "hotel" and "hotels". */
static bool have_one_stem(const char *a, const char *b)
{
    const size_t n = strlen(a), m = strlen(b), shorter = n < m ? n : m, longer = n < m ? m : n;
    return shorter >= LEAST_STEM && longer - shorter <= ENDING && memcmp(a, b, shorter) == 0;
}

static bool has(const uint64_t *word, uint64_t n, uint64_t wanted)
{
    for (uint64_t i = 0; i < n; i++)
        if (word[i] == wanted)
            return true;
    return false;
}

/* ---- one word -------------------------------------------------------------------------------------- */

/* How many words a topic has: one for each round before this one, and one more if its turn in this round is over. */
static uint64_t n_chosen(const choice *c, uint64_t topic, const bool *has_chosen)
{
    return c->round + (has_chosen[topic] ? 1 : 0);
}

/* Whether a topic that has this word has another of the topic's words, too. */
static bool is_shared_again(const choice *c, uint64_t topic, uint64_t word, const bool *has_chosen)
{
    const uint64_t *own = c->chosen + topic * c->n;
    for (uint64_t k = 0; k < c->of->n_topics; k++) {
        const uint64_t *other = c->chosen + k * c->n, n = n_chosen(c, k, has_chosen);
        if (k == topic || !has(other, n, word))
            continue;
        for (uint64_t i = 0; i < c->round; i++)
            if (has(other, n, own[i]))
                return true;
    }
    return false;
}

static uint64_t loss_of(const choice *c, uint64_t topic, uint64_t place, const bool *has_chosen)
{
    const uint64_t word = c->of->ranked[topic * c->of->n_ranked + place], *own = c->chosen + topic * c->n;
    uint64_t loss = place;
    if (has(own, c->round, word))
        return UINT64_MAX;
    for (uint64_t i = 0; i < c->round; i++)
        loss += have_one_stem(gb_model_word(c->of->model, own[i]), gb_model_word(c->of->model, word)) ? SAME_STEM : 0;
    if (c->n_users[word] > 0)
        loss += (uint64_t)c->n_users[word] * TAKEN + (is_shared_again(c, topic, word, has_chosen) ? SHARED : 0);
    return loss;
}

static void choose(choice *c, uint64_t topic, bool *has_chosen)
{
    uint64_t best = 0, least = UINT64_MAX;
    for (uint64_t i = 0; i < c->of->n_ranked && i < least; i++) {
        const uint64_t loss = loss_of(c, topic, i, has_chosen);
        if (loss < least) {
            least = loss;
            best = i;
        }
    }
    const uint64_t word = c->of->ranked[topic * c->of->n_ranked + best];
    c->chosen[topic * c->n + c->round] = word;
    c->n_users[word] += c->of->is_named[topic] ? 1 : 0;
    has_chosen[topic] = c->of->is_named[topic];
}

/* ---- all ------------------------------------------------------------------------------------------- */

struct sized {
    double share;
    uint64_t topic;
};

static int larger_first(const void *a, const void *b)
{
    const struct sized *x = a, *y = b;
    if (x->share != y->share)
        return x->share < y->share ? 1 : -1;
    return x->topic < y->topic ? -1 : x->topic > y->topic;
}

gb_status gb_choose_distinct_words(const gb_distinct_words *of, uint64_t n, uint64_t *chosen, gb_error *err)
{
    gb_status st;
    struct sized *order = NULL;
    bool *has_chosen = NULL;
    choice c = {.of = of, .n = n, .chosen = chosen};
    GB_TRY(gb_alloc(&c.n_users, gb_model_n_words(of->model), sizeof *c.n_users, what, err));
    GB_TRY(gb_alloc(&order, of->n_topics, sizeof *order, what, err));
    GB_TRY(gb_alloc(&has_chosen, of->n_topics, sizeof *has_chosen, what, err));
    for (uint64_t k = 0; k < of->n_topics; k++)
        order[k] = (struct sized){of->is_named[k] && !isnan(of->share[k]) ? of->share[k] : -1, k};
    qsort(order, of->n_topics, sizeof *order, larger_first);
    for (; c.round < n; c.round++) {
        memset(has_chosen, 0, of->n_topics * sizeof *has_chosen);
        for (uint64_t i = 0; i < of->n_topics; i++)
            choose(&c, order[i].topic, has_chosen);
    }
done:
    gb_free(c.n_users);
    gb_free(order);
    gb_free(has_chosen);
    return st;
}
