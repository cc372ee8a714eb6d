/* test_consensus.c - topics that chains have in common: clusters against average linkage by its definition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "helper_documents.h"
#include "helper_models.h"
#include "helper_stream.h"
#include "model/consensus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { K = 4, V = 40, MOST_CHAINS = 5, MOST_POINTS = K * MOST_CHAINS };

/* Counts of each chain's last draw. */
typedef struct chains {
    size_t n;
    uint32_t count[MOST_CHAINS][V][K];
} chains;

/* Topic `number` of a chain gets `times` tokens of each of ten words, and some of what comes after them. */
static void fill(chains *c, size_t chain, size_t number, size_t subject, uint32_t times)
{
    for (uint32_t i = 0; i < 10; i++)
        c->count[chain][(10 * subject + i) % V][number] += times * (i + 1);
    c->count[chain][(10 * subject + 11) % V][number] += times;
}

static gb_model *model_of(const chains *c)
{
    gb_model *m;
    static uint64_t start[MOST_CHAINS][V + 1];
    static uint16_t topic[MOST_CHAINS][V * K];
    static uint32_t count[MOST_CHAINS][V * K];
    gb_draw draw[MOST_CHAINS];
    assert_int_equal(gb_alloc(&m, 1, sizeof *m, "", NULL), GB_OK);
    m->n_topics = K;
    m->n_words = V;
    m->beta = 0.1;
    m->prior = (gb_prior_setup){.ops = gb_prior_find("uniform"), .n_topics = K};
    for (size_t i = 0; i < c->n; i++) {
        uint64_t n = 0;
        for (size_t w = 0; w < V; w++) {
            start[i][w] = n;
            for (uint16_t k = 0; k < K; k++)
                if (c->count[i][w][k] > 0) {
                    topic[i][n] = k;
                    count[i][n++] = c->count[i][w][k];
                }
        }
        start[i][V] = n;
        draw[i] = (gb_draw){.chain = i, .sweep = 1, .word_start = start[i], .topic = topic[i], .count = count[i]};
    }
    give_draws(m, c->n, c->n, draw);
    return m;
}

static gb_consensus *consensus_of(const chains *c, size_t n_named)
{
    gb_model *m = model_of(c);
    gb_consensus *out = NULL;
    assert_int_equal(gb_consensus_find(m, n_named, &out, NULL), GB_OK);
    gb_model_free(m);
    assert_int_equal(out->n_topics, K);
    assert_int_equal(out->n_chains, c->n);
    for (size_t k = 0; k < K; k++) { /* its own sums */
        uint64_t sum = 0;
        for (uint64_t i = 0; i < out->word_start[V]; i++)
            sum += out->topic[i] == k ? out->count[i] : 0;
        assert_int_equal(out->n_k[k], sum);
    }
    return out;
}

/* The topic that has most of a word. */
static size_t topic_with(const gb_consensus *c, size_t word)
{
    uint64_t best = c->word_start[word];
    for (uint64_t i = best; i < c->word_start[word + 1]; i++)
        if (c->count[i] > c->count[best])
            best = i;
    return c->topic[best];
}

static void topics_in_another_order_are_added_up(void **state)
{
    static const size_t order[3][K] = {{0, 1, 2, 3}, {2, 3, 1, 0}, {3, 0, 1, 2}};
    chains c = {.n = 3};
    (void)state;
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < K; k++)
            fill(&c, i, order[i][k], k, 2);
    gb_consensus *pooled = consensus_of(&c, 0);
    for (size_t k = 0; k < K; k++) {
        assert_int_equal(pooled->n_found[k], 3);
        assert_int_equal(pooled->n_members[k], 3);
        assert_int_equal(pooled->n_k[k], 3 * 2 * 56);
        for (size_t j = 0; j < k; j++)
            assert_int_not_equal(topic_with(pooled, 10 * k + 9), topic_with(pooled, 10 * j + 9));
    }
    gb_consensus_free(pooled);
}

/* The third chain has no topic 3; in its place it has topic 0 twice. */
static void what_most_chains_have_comes_first(void **state)
{
    chains c = {.n = 3};
    (void)state;
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < K; k++)
            fill(&c, i, k, i == 2 && k == 3 ? 0 : k, (uint32_t)(4 - k));
    gb_consensus *pooled = consensus_of(&c, 0);
    for (size_t k = 0; k < 3; k++) { /* the largest first */
        assert_int_equal(topic_with(pooled, 10 * k + 9), k);
        assert_int_equal(pooled->n_found[k], 3);
    }
    assert_int_equal(pooled->n_members[0], 4);
    assert_int_equal(topic_with(pooled, 39), 3);
    assert_int_equal(pooled->n_found[3], 2);
    gb_consensus_free(pooled);
}

/* All topics of all chains are alike: there is one cluster, and three topics have to come from somewhere. */
static void there_are_always_as_many_topics(void **state)
{
    chains c = {.n = 3};
    (void)state;
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < K; k++)
            fill(&c, i, k, 1, (uint32_t)(1 + k));
    gb_consensus *pooled = consensus_of(&c, 0);
    size_t n = 0;
    for (size_t k = 0; k < K; k++) {
        assert_true(pooled->n_k[k] > 0 && pooled->n_found[k] >= 1);
        n += pooled->n_members[k];
    }
    assert_int_equal(n, 3 * K);
    gb_consensus_free(pooled);
}

/* Topics 0 and 1 have names; what is alike otherwise does not matter. */
static void a_name_holds_topics_together(void **state)
{
    chains c = {.n = 3};
    (void)state;
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < K; k++)
            fill(&c, i, k, k < 2 ? (k + i) % 2 : k, 1);
    gb_consensus *pooled = consensus_of(&c, 2);
    assert_int_equal(pooled->n_members[0], 3);
    assert_int_equal(pooled->n_members[1], 3);
    assert_int_equal(topic_with(pooled, 9), 0); /* of two chains of three */
    assert_int_equal(topic_with(pooled, 19), 1);
    assert_int_equal(topic_with(pooled, 29), 2);
    assert_int_equal(topic_with(pooled, 39), 3);
    gb_consensus_free(pooled);
}

/* ---- by the definition ---- */

typedef struct linkage {
    size_t n, cluster[MOST_POINTS];
    double alike[MOST_POINTS][MOST_POINTS];
} linkage;

static uint32_t count_at(const chains *c, size_t point, size_t word)
{
    return c->count[point / K][word][point % K];
}

static double mean_alike(const linkage *l, size_t a, size_t b)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++)
        for (size_t j = 0; j < l->n; j++)
            if (l->cluster[i] == a && l->cluster[j] == b) {
                sum += l->alike[i][j];
                n++;
            }
    return n == 0 ? 0 : sum / (double)n;
}

static linkage link_all(const chains *c)
{
    linkage l = {.n = c->n * K};
    for (size_t i = 0; i < l.n; i++) {
        l.cluster[i] = i;
        for (size_t j = 0; j < l.n; j++) {
            double dot = 0, left = 0, right = 0;
            for (size_t w = 0; w < V; w++) {
                dot += (double)count_at(c, i, w) * count_at(c, j, w);
                left += (double)count_at(c, i, w) * count_at(c, i, w);
                right += (double)count_at(c, j, w) * count_at(c, j, w);
            }
            l.alike[i][j] = dot / sqrt(left * right);
        }
    }
    for (;;) {
        size_t a = 0, b = 0;
        double best = 0.5;
        for (size_t i = 0; i < l.n; i++)
            for (size_t j = 0; j < i; j++)
                if (mean_alike(&l, i, j) > best) {
                    best = mean_alike(&l, i, j);
                    a = j;
                    b = i;
                }
        if (a == b)
            return l;
        for (size_t i = 0; i < l.n; i++)
            l.cluster[i] = l.cluster[i] == b ? a : l.cluster[i];
    }
}

/* Topics as mixtures of four subjects, more or less pure; no two pairs are equally alike, which would leave the clusters open. */
static chains mixed(uint64_t *stream)
{
    chains c = {.n = 2 + (size_t)(uniform(stream) * (MOST_CHAINS - 1))};
    for (size_t i = 0; i < c.n; i++)
        for (size_t k = 0; k < K; k++)
            for (size_t s = 0; s < 2; s++) {
                const size_t subject = (size_t)(4 * uniform(stream));
                fill(&c, i, k, subject, 1 + (uint32_t)((s == 0 ? 9000 : 4000) * uniform(stream)));
            }
    return c;
}

/* How many topics of the consensus have that size, and that many chains. */
static size_t count_topics(const gb_consensus *c, size_t members, size_t found)
{
    size_t n = 0;
    for (size_t k = 0; k < K; k++)
        n += c->n_members[k] == members && c->n_found[k] == found;
    return n;
}

static void clusters_are_those_of_average_linkage(void **state)
{
    uint64_t stream = 11;
    size_t n_compared = 0;
    (void)state;
    for (size_t round = 0; round < 200; round++) {
        const chains c = mixed(&stream);
        const linkage l = link_all(&c);
        size_t n = 0;
        for (size_t i = 0; i < l.n; i++)
            n += l.cluster[i] == i;
        if (n != K) /* others are left out, or split */
            continue;
        gb_consensus *pooled = consensus_of(&c, 0);
        for (size_t a = 0; a < l.n; a++) {
            size_t members = 0, found = 0, same = 0;
            if (l.cluster[a] != a)
                continue;
            for (size_t chain = 0; chain < c.n; chain++) {
                size_t here = 0;
                for (size_t k = 0; k < K; k++)
                    here += l.cluster[chain * K + k] == a;
                members += here;
                found += here > 0;
            }
            same = count_topics(pooled, members, found);
            if (same == 0)
                fail_msg("round %zu: no topic of %zu topics in %zu chains", round, members, found);
        }
        n_compared++;
        gb_consensus_free(pooled);
    }
    assert_true(n_compared > 40);
}

/* ---- a run ---- */

static gb_model *trained(const gb_corpus *corpus, const char *name, const char *value, const char *other,
                         const char *its)
{
    gb_settings *settings = settings_of("topics", "4", "seed", "2", "chains", "3", name, value, other, its, NULL);
    gb_model *model = NULL;
    assert_int_equal(gb_train(corpus, settings, NULL, NULL, &model, NULL), GB_OK);
    gb_settings_free(settings);
    return model;
}

static void without_labels_the_first_chain_has_what_short_chains_agree_on(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated_with(settings_of("documents", "150", "length", "40", "vocabulary-size", "60",
                                                   "topics", "4", "classes", "2", "beta", "0.02", "seed", "3", NULL));
    gb_model *model = trained(corpus, "response", "none", "threads", "1");
    assert_int_equal(gb_model_n_pooled(model), GB_SHORT_CHAINS);
    assert_int_equal(gb_model_topic_chain(model), 0);
    for (size_t k = 0; k < 4; k++) /* few words each: all find them */
        assert_true(gb_model_n_found(model, k) >= GB_SHORT_CHAINS - 1);
    gb_model_free(model);
    static const char *const others[][4] = {{"response", "none", "pool", "0"},
                                            {"response", "none", "sweeps", "90"},
                                            {"response", "probit", "threads", "1"}};
    for (size_t i = 0; i < 3; i++) {
        model = trained(corpus, others[i][0], others[i][1], others[i][2], others[i][3]);
        assert_int_equal(gb_model_n_pooled(model), 0);
        gb_model_free(model);
    }
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(topics_in_another_order_are_added_up),
        cmocka_unit_test(what_most_chains_have_comes_first),
        cmocka_unit_test(there_are_always_as_many_topics),
        cmocka_unit_test(a_name_holds_topics_together),
        cmocka_unit_test(clusters_are_those_of_average_linkage),
        cmocka_unit_test(without_labels_the_first_chain_has_what_short_chains_agree_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
