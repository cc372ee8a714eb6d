/* Topic counts of documents, sparse and as a tally, against counts of every topic one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "counts/proportions.h"
#include "random/random.h"

#include <stdlib.h>

enum { DOCS = 600, MOST_TOPICS = 700, LONGEST = 90, TOKENS = DOCS * LONGEST + 1000 };

typedef struct sample {
    uint64_t start[DOCS + 1];
    uint16_t topic[TOKENS];
    size_t n_topics;
} sample;

/* Document 7 is empty, document 9 has one topic a thousand times, others are a few topics or many. */
static sample *make_sample(size_t n_topics)
{
    sample *s = calloc(1, sizeof *s);
    gb_random r = gb_random_open(gb_key_make(6, 0), 0, GB_DRAW_TEST, n_topics);
    assert_non_null(s);
    s->n_topics = n_topics;
    for (size_t d = 0; d < DOCS; d++) {
        const uint64_t length = d == 7 ? 0 : d == 9 ? 1000 : gb_random_below(&r, LONGEST + 1);
        const uint64_t range = d % 3 == 0 && n_topics > 4 ? 4 : n_topics;
        s->start[d + 1] = s->start[d] + length;
        for (uint64_t i = s->start[d]; i < s->start[d + 1]; i++)
            s->topic[i] = (uint16_t)(n_topics - 1 - (d == 9 ? 0 : gb_random_below(&r, range)));
    }
    return s;
}

static uint32_t count(const sample *s, size_t d, size_t k)
{
    uint32_t n = 0;
    for (uint64_t i = s->start[d]; i < s->start[d + 1]; i++)
        n += s->topic[i] == k;
    return n;
}

static void check_documents(const sample *s, const gb_proportions *z)
{
    for (size_t d = 0; d < DOCS; d++) {
        const gb_document_topics t = gb_proportions_of(z, d);
        size_t at = 0;
        for (size_t k = 0; k < s->n_topics; k++) {
            const uint32_t n = count(s, d, k);
            if (n == 0)
                continue;
            assert_true(at < t.n);
            assert_int_equal(t.topic[at], k);
            assert_int_equal(t.count[at++], n);
        }
        assert_int_equal(at, t.n);
        assert_true(gb_proportions_length(z, d) == (double)(s->start[d + 1] - s->start[d]));
    }
}

static void check_tally(const sample *s, const gb_proportions *z)
{
    for (size_t k = 0; k < s->n_topics; k++) {
        uint32_t small[GB_TALLY_WIDTH] = {0}, n_large = 0, sum = 0, sum_large = 0;
        for (size_t d = 0; d < DOCS; d++) {
            const uint32_t n = count(s, d, k);
            small[n < GB_TALLY_WIDTH ? n : 0] += n < GB_TALLY_WIDTH;
            n_large += n >= GB_TALLY_WIDTH;
            sum += n >= GB_TALLY_WIDTH ? n : 0;
        }
        for (size_t n = 1; n < GB_TALLY_WIDTH; n++)
            assert_int_equal(z->n_docs_with[k * GB_TALLY_WIDTH + n], small[n]);
        for (size_t i = z->large_start[k]; i < z->large_start[k + 1]; i++) {
            assert_int_equal(z->large[i].topic, k);
            assert_true(i == z->large_start[k] || z->large[i - 1].count < z->large[i].count);
            sum_large += z->large[i].count * z->large[i].n_docs;
            n_large -= z->large[i].n_docs;
        }
        assert_int_equal(n_large, 0);
        assert_int_equal(sum_large, sum);
    }
}

static void counts_and_tally_are_those_of_the_tokens(void **state)
{
    (void)state;
    static const size_t topics[] = {1, 2, 15, 16, 17, 100, MOST_TOPICS};
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++)
        for (size_t threads = 1; threads <= 3; threads++) {
            sample *s = make_sample(topics[i]);
            gb_proportions z;
            assert_int_equal(gb_proportions_create(&z, DOCS, topics[i], s->start, threads, NULL), GB_OK);
            for (int again = 0; again < 2; again++) { /* counts of before must not stay */
                assert_int_equal(gb_proportions_count(&z, s->topic, NULL), GB_OK);
                assert_int_equal(gb_proportions_tally(&z, s->topic, NULL), GB_OK);
                check_documents(s, &z);
                check_tally(s, &z);
                for (uint64_t j = 0; j < s->start[DOCS]; j++)
                    s->topic[j] = (uint16_t)(s->topic[j] / 2);
            }
            gb_proportions_clear(&z);
            free(s);
        }
}

static void no_documents_have_no_counts(void **state)
{
    (void)state;
    const uint64_t start[1] = {0};
    gb_proportions z;
    assert_int_equal(gb_proportions_create(&z, 0, 3, start, 2, NULL), GB_OK);
    assert_int_equal(gb_proportions_count(&z, NULL, NULL), GB_OK);
    assert_int_equal(gb_proportions_tally(&z, NULL, NULL), GB_OK);
    assert_int_equal(z.large_start[3], 0);
    gb_proportions_clear(&z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_and_tally_are_those_of_the_tokens),
        cmocka_unit_test(no_documents_have_no_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
