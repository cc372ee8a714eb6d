/* Topics of one chain in another: distances against the definition, and which of them count as the same topic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "helper_models.h"
#include "model/match.h"

#include <math.h>

enum { K = 4, V = 40, MOST_DRAWS = 8 };

static const double beta = 0.1;

/* Counts of a draw, word by word. */
typedef struct counts {
    uint32_t n[V][K];
    uint64_t start[V + 1];
    uint16_t topic[V * K];
    uint32_t count[V * K];
} counts;

/* Topic t has ten words of its own, most often the first ones; a few tokens of other topics' words, which `noise` varies. */
static void fill_topic(counts *c, size_t number, size_t t, uint32_t noise)
{
    for (uint32_t i = 0; i < 10; i++)
        c->n[10 * t + i][number] += 5 + 3 * (10 - i) + (noise * (i + 1)) % 4;
    c->n[(10 * t + 13 + noise) % V][number] += 2;
}

/* All words equally often: a topic like none of the others. */
static void fill_odd_topic(counts *c, size_t number)
{
    for (size_t w = 0; w < V; w++)
        c->n[w][number] += 9;
}

static void list_entries(counts *c)
{
    uint64_t n = 0;
    for (size_t w = 0; w < V; w++) {
        c->start[w] = n;
        for (uint16_t k = 0; k < K; k++) {
            if (c->n[w][k] == 0)
                continue;
            c->topic[n] = k;
            c->count[n++] = c->n[w][k];
        }
    }
    c->start[V] = n;
}

static gb_model *make_model(void)
{
    gb_model *m;
    assert_int_equal(gb_alloc(&m, 1, sizeof *m, "", NULL), GB_OK);
    m->n_topics = K;
    m->n_words = V;
    m->beta = beta;
    m->prior = (gb_prior_setup){.ops = gb_prior_find("uniform"), .n_topics = K};
    return m;
}

static void give(gb_model *m, size_t n_chains, size_t n, const uint64_t *chain, counts *c)
{
    gb_draw draw[MOST_DRAWS];
    for (size_t i = 0; i < n; i++) {
        list_entries(&c[i]);
        draw[i] = (gb_draw){
            .chain = chain[i], .sweep = i + 1, .word_start = c[i].start, .topic = c[i].topic, .count = c[i].count};
    }
    give_draws(m, n_chains, n, draw);
}

/* Three chains with two snapshots each: the second has the topics in another order, the third has them as the first, but a
 * topic of another kind in place of topic 2. */
static const uint64_t three_chains[] = {0, 0, 1, 1, 2, 2};
static const size_t order[K] = {2, 0, 3, 1};

static gb_model *make_three_chains(counts *c)
{
    gb_model *m = make_model();
    for (uint32_t i = 0; i < 6; i++)
        for (size_t k = 0; k < K; k++) {
            if (three_chains[i] == 2 && k == 2)
                fill_odd_topic(&c[i], k);
            else
                fill_topic(&c[i], k, three_chains[i] == 1 ? order[k] : k, i);
        }
    give(m, 3, 6, three_chains, c);
    return m;
}

static double mean_phi(const counts *c, size_t first, size_t word, size_t topic)
{
    double sum = 0;
    for (size_t i = first; i < first + 2; i++) {
        double n_k = 0;
        for (size_t w = 0; w < V; w++)
            n_k += c[i].n[w][topic];
        sum += (c[i].n[word][topic] + beta) / (n_k + V * beta) / 2;
    }
    return sum;
}

static void distances_follow_their_definition(void **unused)
{
    (void)unused;
    counts c[6] = {0};
    gb_model *m = make_three_chains(c);
    gb_match *match;
    assert_int_equal(gb_model_match(m, 0, &match, NULL), GB_OK);
    assert_int_equal(match->n_chains, 3);
    for (size_t k = 0; k < K; k++) {
        double both = 0;
        for (size_t w = 0; w < V; w++)
            both += sqrt(mean_phi(c, 2, w, k) * mean_phi(c, 0, w, order[k]));
        assert_true(fabs(match->distance[1 * K + k] - sqrt(1 - both)) < 1e-12);
        assert_true(match->distance[k] == 0);
    }
    gb_match_free(match);
    gb_model_free(m);
}

static void a_permutation_of_topics_is_undone(void **unused)
{
    (void)unused;
    counts c[6] = {0};
    gb_model *m = make_three_chains(c);
    gb_match *match;
    assert_int_equal(gb_model_match(m, 0, &match, NULL), GB_OK);
    for (size_t k = 0; k < K; k++) {
        assert_int_equal(match->topic[k], k);
        assert_int_equal(match->topic[K + k], order[k]);
        assert_int_equal(gb_match_find(match, 1, order[k]), k);
    }
    assert_int_equal(gb_match_chain(match, 1), 1);
    assert_int_equal(gb_match_chain(match, 7), 3);
    gb_match_free(match);
    gb_model_free(m);
}

static void a_topic_that_a_chain_lacks_does_not_recur_in_it(void **unused)
{
    (void)unused;
    counts c[6] = {0};
    gb_model *m = make_three_chains(c);
    gb_match *match;
    assert_int_equal(gb_model_match(m, 0, &match, NULL), GB_OK);
    assert_true(match->topic[2 * K + 2] == GB_NO_MATCH);
    for (size_t k = 0; k < K; k++)
        assert_int_equal(gb_match_count(match, k), k == 2 ? 2 : 3);
    gb_match_free(match);
    gb_model_free(m);
}

static void a_single_chain_matches_itself(void **unused)
{
    (void)unused;
    counts c[2] = {0};
    const uint64_t chain[] = {0, 0};
    gb_model *m = make_model();
    gb_match *match;
    for (uint32_t i = 0; i < 2; i++)
        for (size_t k = 0; k < K; k++)
            fill_topic(&c[i], k, k, i);
    give(m, 1, 2, chain, c);
    assert_int_equal(gb_model_match(m, 0, &match, NULL), GB_OK);
    assert_int_equal(match->n_chains, 1);
    for (size_t k = 0; k < K; k++)
        assert_int_equal(gb_match_count(match, k), 1);
    gb_match_free(match);
    gb_model_free(m);
}

/* Entries without tokens, which no training writes but a file may have. */
static void entries_of_no_tokens_change_nothing(void **unused)
{
    (void)unused;
    counts c[6] = {0};
    gb_model *m = make_three_chains(c);
    gb_match *match, *again;
    assert_int_equal(gb_model_match(m, 0, &match, NULL), GB_OK);
    uint16_t topic[V * K];
    uint32_t count[V * K];
    uint64_t start[V + 1];
    for (size_t i = 0; i <= V; i++)
        start[i] = i * K;
    for (size_t i = 0; i < V * K; i++) {
        topic[i] = (uint16_t)(i % K);
        count[i] = c[2].n[i / K][i % K];
    }
    m->draw[2].word_start = start;
    m->draw[2].topic = topic;
    m->draw[2].count = count;
    assert_int_equal(gb_model_match(m, 0, &again, NULL), GB_OK);
    for (size_t i = 0; i < 3 * K; i++)
        assert_true(match->topic[i] == again->topic[i] && match->distance[i] == again->distance[i]);
    gb_match_free(match);
    gb_match_free(again);
    gb_model_free(m);
}

/* As where a model file says that beta is 1e308. */
static void a_topic_is_listed_once_where_its_weight_is_too_small_for_a_number(void **unused)
{
    (void)unused;
    counts c[MOST_DRAWS] = {0};
    const uint64_t chain[MOST_DRAWS] = {0};
    gb_model *m = make_model();
    gb_match *match;
    m->beta = 1e308;
    for (uint32_t i = 0; i < MOST_DRAWS; i++)
        for (size_t k = 0; k < K; k++)
            fill_odd_topic(&c[i], k); /* each word has all topics in all snapshots */
    give(m, 1, MOST_DRAWS, chain, c);
    assert_int_equal(gb_model_match(m, 0, &match, NULL), GB_OK);
    for (size_t k = 0; k < K; k++)
        assert_int_equal(match->topic[k], k);
    gb_match_free(match);
    gb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_follow_their_definition),
        cmocka_unit_test(a_permutation_of_topics_is_undone),
        cmocka_unit_test(a_topic_that_a_chain_lacks_does_not_recur_in_it),
        cmocka_unit_test(a_single_chain_matches_itself),
        cmocka_unit_test(entries_of_no_tokens_change_nothing),
        cmocka_unit_test(a_topic_is_listed_once_where_its_weight_is_too_small_for_a_number)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
