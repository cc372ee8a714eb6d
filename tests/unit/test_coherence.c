/* Coherence, exclusivity and diversity against values worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "corpus/data/raw_document.h"
#include "evaluation/topic_quality.h"
#include "gibbous/gibbous.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { A, B, C, D, E, N_WORDS };

static gb_corpus *corpus_of(size_t n_docs, const char *const *doc)
{
    gb_corpus_builder *b;
    gb_corpus *corpus;
    assert_int_equal(gb_corpus_builder_create(&b, NULL), GB_OK);
    for (size_t d = 0; d < n_docs; d++) {
        assert_int_equal(gb_corpus_builder_document(b, NULL, 0, NULL), GB_OK);
        for (const char *at = doc[d]; *at != '\0'; at++)
            assert_int_equal(gb_corpus_builder_token(b, (uint32_t)(*at - 'a'), NULL), GB_OK);
    }
    for (char w = 'a'; w < 'a' + N_WORDS; w++)
        assert_int_equal(gb_corpus_builder_word(b, &w, 1, NULL), GB_OK);
    assert_int_equal(gb_corpus_builder_finish(b, NULL, NULL, &corpus, NULL), GB_OK);
    gb_corpus_builder_free(b);
    return corpus;
}

static gb_coherence *count(size_t n_topics, size_t n_top, const uint64_t *word, size_t window, size_t n_docs,
                           const char *const *doc)
{
    gb_coherence *c;
    gb_corpus *corpus = corpus_of(n_docs, doc);
    assert_int_equal(gb_coherence_create(N_WORDS, n_topics, n_top, word, window, &c, NULL), GB_OK);
    assert_int_equal(gb_coherence_add(c, corpus, 2, NULL), GB_OK);
    gb_corpus_free(corpus);
    return c;
}

static void assert_near(double found, double expected)
{
    if (!(fabs(found - expected) < 1e-12))
        fail_msg("%.15g, expected %.15g", found, expected);
}

/* Four documents with a word; the empty one is none.  D(a) = 3, D(b) = 2, D(c) = 2, D(ab) = 2, D(ac) = 1, D(bc) = 1. */
static const char *const documents[] = {"aab", "bace", "ad", "", "cdd"};

static void umass_and_npmi_are_means_over_pairs_of_words(void **unused)
{
    (void)unused;
    const uint64_t word[] = {A, B, C, /* second topic */ D, A, E};
    gb_coherence *c = count(2, 3, word, 0, 5, documents);
    assert_int_equal(gb_coherence_n_docs(c), 4);
    assert_near(gb_coherence_umass(c, 0), (log(3.0 / 3) + log(2.0 / 3) + log(2.0 / 2)) / 3);
    assert_near(gb_coherence_npmi(c, 0), (log((2.0 / 4) / (3.0 / 4 * 2 / 4)) / -log(2.0 / 4) +
                                          log((1.0 / 4) / (3.0 / 4 * 2 / 4)) / -log(1.0 / 4) +
                                          log((1.0 / 4) / (2.0 / 4 * 2 / 4)) / -log(1.0 / 4)) /
                                             3);
    /* D(d) = 2, D(a) = 3, D(e) = 1, D(da) = 1, D(de) = 0, D(ae) = 1 */
    assert_near(gb_coherence_umass(c, 1), (log(2.0 / 2) + log(1.0 / 2) + log(2.0 / 3)) / 3);
    assert_near(gb_coherence_npmi(c, 1), (log((1.0 / 4) / (2.0 / 4 * 3 / 4)) / -log(1.0 / 4) - 1 +
                                          log((1.0 / 4) / (3.0 / 4 * 1 / 4)) / -log(1.0 / 4)) /
                                             3);
    gb_coherence_free(c);
}

/* The cosine of a word's vector with the sum of all, by hand: two words that are always together, and one that is never with them. */
static void c_v_is_the_cosine_with_the_sum_of_vectors(void **unused)
{
    (void)unused;
    static const char *const docs[] = {"ab", "ab", "c", "c"};
    const uint64_t word[] = {A, B, C, /* second topic */ A, B, E};
    gb_coherence *c = count(2, 3, word, 0, 4, docs);
    const double never = log(1e-12 / (0.5 * 0.5)) / -log(1e-12), both = log((0.5 + 1e-12) / 0.25) / -log(0.5 + 1e-12);
    const double all[] = {2 * both + never, 2 * both + never, both + 2 * never};
    const double length = sqrt(2 * all[0] * all[0] + all[2] * all[2]),
                 of_a = (2 * both * all[0] + never * all[2]) / (sqrt(2 * both * both + never * never) * length),
                 of_c = (2 * never * all[0] + both * all[2]) / (sqrt(2 * never * never + both * both) * length);
    assert_near(gb_coherence_cv(c, 0), (2 * of_a + of_c) / 3);
    assert_near(gb_coherence_cv(c, 1), 1); /* a word that no document has is left out */
    assert_true(isnan(gb_coherence_cv(c, 2)));
    gb_coherence_free(c);
}

/* Windows of two: aa ab; ba ac ce; ad; cd dd: 8 of them.  a 5, b 2, c 3, ab 2, ac 1, bc 0. */
static void npmi_counts_windows(void **unused)
{
    (void)unused;
    const uint64_t word[] = {A, B, C};
    gb_coherence *c = count(1, 3, word, 2, 5, documents);
    assert_near(gb_coherence_npmi(c, 0), (log((2.0 / 8) / (5.0 / 8 * 2 / 8)) / -log(2.0 / 8) +
                                          log((1.0 / 8) / (5.0 / 8 * 3 / 8)) / -log(1.0 / 8) - 1) /
                                             3);
    assert_near(gb_coherence_umass(c, 0), (log(3.0 / 3) + log(2.0 / 3) + log(2.0 / 2)) / 3); /* of documents */
    gb_coherence_free(c);
}

/* Every window of a long document, counted one by one. */
static void sliding_is_the_same_as_looking_at_each_window(void **unused)
{
    (void)unused;
    enum { LENGTH = 200, WINDOW = 7 };
    char text[LENGTH + 1] = {0};
    uint32_t state = 1;
    for (size_t i = 0; i < LENGTH; i++) {
        state = state * 1664525U + 1013904223U;
        text[i] = (char)('a' + (state >> 24) % 9 % N_WORDS);
    }
    const char *const doc[] = {text};
    double n[3] = {0}, total = LENGTH - WINDOW + 1; /* a, b, both */
    for (size_t i = 0; i + WINDOW <= LENGTH; i++) {
        const int has_a = memchr(text + i, 'a', WINDOW) != NULL, has_b = memchr(text + i, 'b', WINDOW) != NULL;
        n[0] += has_a;
        n[1] += has_b;
        n[2] += has_a && has_b;
    }
    assert_true(n[2] > 0 && n[2] < n[0] && n[2] < n[1] && n[0] < total);
    const uint64_t word[] = {A, B};
    gb_coherence *c = count(1, 2, word, WINDOW, 1, doc);
    assert_near(gb_coherence_npmi(c, 0), log(n[2] / total / (n[0] / total * n[1] / total)) / -log(n[2] / total));
    gb_coherence_free(c);
}

static void words_that_never_occur_leave_their_pairs_out(void **unused)
{
    (void)unused;
    static const char *const doc[] = {"ab", "a", "c"};
    const uint64_t word[] = {A, B, E, /* second topic: none has both */ E, D, A};
    gb_coherence *c = count(2, 3, word, 0, 3, doc);
    /* a more probable than b and e, b more than e: the last one has D(e, w) = 0 */
    assert_near(gb_coherence_umass(c, 0), (log(2.0 / 2) + log(1.0 / 2) + log(1.0 / 1)) / 3);
    assert_near(gb_coherence_npmi(c, 0), log((1.0 / 3) / (2.0 / 3 * 1 / 3)) / -log(1.0 / 3));
    assert_true(isnan(gb_coherence_umass(c, 1)));
    assert_true(isnan(gb_coherence_npmi(c, 1)));
    gb_coherence_free(c);
}

static void words_that_are_always_together_have_npmi_1(void **unused)
{
    (void)unused;
    static const char *const doc[] = {"ab", "ba"};
    const uint64_t word[] = {A, B};
    gb_coherence *c = count(1, 2, word, 0, 2, doc);
    assert_near(gb_coherence_npmi(c, 0), 1);
    assert_near(gb_coherence_umass(c, 0), log(3.0 / 2));
    gb_coherence_free(c);
}

static void a_topic_of_one_word_has_no_coherence(void **unused)
{
    (void)unused;
    const uint64_t word[] = {A, B};
    gb_coherence *c = count(2, 1, word, 3, 5, documents);
    assert_true(isnan(gb_coherence_umass(c, 0)));
    assert_true(isnan(gb_coherence_npmi(c, 1)));
    gb_coherence_free(c);
}

static void batches_and_threads_add_up(void **unused)
{
    (void)unused;
    const uint64_t word[] = {A, B, C, D, A, E};
    gb_coherence *c = count(2, 3, word, 2, 5, documents), *parts;
    assert_int_equal(gb_coherence_create(N_WORDS, 2, 3, word, 2, &parts, NULL), GB_OK);
    for (size_t d = 0; d < 5; d++) {
        gb_corpus *one = corpus_of(1, documents + d);
        assert_int_equal(gb_coherence_add(parts, one, 3, NULL), GB_OK);
        gb_corpus_free(one);
    }
    for (size_t k = 0; k < 2; k++) {
        assert_true(gb_coherence_umass(c, k) == gb_coherence_umass(parts, k));
        assert_true(gb_coherence_npmi(c, k) == gb_coherence_npmi(parts, k));
    }
    gb_coherence_free(c);
    gb_coherence_free(parts);
}

/* ---- exclusivity and diversity ---- */

static double phi_of(const gb_model *m, size_t k, uint64_t w)
{
    double sum = 0;
    for (size_t i = 0; i < m->n_draws; i++) {
        const gb_draw *d = &m->draw[i];
        double n = 0;
        for (uint64_t at = d->word_start[w]; at < d->word_start[w + 1]; at++)
            n += d->topic[at] == k ? d->count[at] : 0;
        sum += (n + m->beta) / ((double)d->n_k[k] + m->beta * (double)m->n_words) / (double)m->n_draws;
    }
    return sum;
}

static void exclusivity_is_a_share_of_phi_over_topics(void **unused)
{
    (void)unused;
    enum { N_TOPICS = 3, N_TOP = 2 };
    static const char *const doc[] = {"aaab", "bbcd", "edda", "cce"};
    static const char *const options[][2] = {{"topics", "3"}, {"sweeps", "20"}, {"seed", "3"},
                                             {"beta", "0.2"}, {"threads", "1"}, {"response", "none"}};
    gb_corpus *corpus = corpus_of(4, doc);
    gb_settings *s;
    gb_model *m;
    uint64_t word[N_TOPICS * N_TOP], n_found;
    double probability[N_TOPICS * N_TOP], found[N_TOPICS];
    assert_int_equal(gb_settings_create(&s, NULL), GB_OK);
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        assert_int_equal(gb_settings_set(s, options[i][0], options[i][1], NULL), GB_OK);
    assert_int_equal(gb_train(corpus, s, NULL, NULL, &m, NULL), GB_OK);
    assert_true(m->n_draws > 1);
    assert_int_equal(gb_model_words_of_topics(m, 0, N_TOP, word, probability, &n_found, NULL), GB_OK);
    assert_int_equal(gb_topic_exclusivity(m, N_TOP, word, probability, found, NULL), GB_OK);
    for (size_t k = 0; k < N_TOPICS; k++) {
        double expected = 0;
        for (size_t i = 0; i < N_TOP; i++) {
            double sum = 0;
            for (size_t j = 0; j < N_TOPICS; j++)
                sum += phi_of(m, j, word[k * N_TOP + i]);
            expected += phi_of(m, k, word[k * N_TOP + i]) / sum / N_TOP;
        }
        assert_near(found[k], expected);
        assert_true(expected > 1.0 / N_TOPICS && expected < 1);
    }
    gb_model_free(m);
    gb_settings_free(s);
    gb_corpus_free(corpus);
}

static void diversity_is_the_share_of_different_words(void **unused)
{
    (void)unused;
    double found;
    const uint64_t some[] = {A, B, C, B, D, A}, same[] = {A, B, A, B}, none[] = {A, B, C, D};
    assert_int_equal(gb_topic_diversity(N_WORDS, 2, 3, some, &found, NULL), GB_OK);
    assert_near(found, 4.0 / 6);
    assert_int_equal(gb_topic_diversity(N_WORDS, 2, 2, same, &found, NULL), GB_OK);
    assert_near(found, 0.5);
    assert_int_equal(gb_topic_diversity(N_WORDS, 2, 2, none, &found, NULL), GB_OK);
    assert_near(found, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(umass_and_npmi_are_means_over_pairs_of_words),
        cmocka_unit_test(c_v_is_the_cosine_with_the_sum_of_vectors),
        cmocka_unit_test(npmi_counts_windows),
        cmocka_unit_test(sliding_is_the_same_as_looking_at_each_window),
        cmocka_unit_test(words_that_never_occur_leave_their_pairs_out),
        cmocka_unit_test(words_that_are_always_together_have_npmi_1),
        cmocka_unit_test(a_topic_of_one_word_has_no_coherence),
        cmocka_unit_test(batches_and_threads_add_up),
        cmocka_unit_test(exclusivity_is_a_share_of_phi_over_topics),
        cmocka_unit_test(diversity_is_the_share_of_different_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
