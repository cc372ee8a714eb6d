/* Named topics that draw from keywords or from all words (counts/keywords.h) on three documents, (A A B), (B C), (A C C), with two topics,
 * of which the first has the keywords A and B: means over a chain against sums over all topics and sources of tokens, which were
 * worked out apart from this program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_effort.h"
#include "plan/spec.h"
#include "recipe/start.h"
#include "recipe/sweep.h"

#include <math.h>
#include <string.h>

enum { N_TOKENS = 8, N_DOCS = 3, N_BATCHES = 50 };

/* P(z_1 = z_2), P(z_1 = z_4), P(z_4 = z_5), tokens from keywords, share of the first topic */
enum { SAME_12, SAME_14, SAME_45, FROM_KEYWORDS, SHARE, N_QUANTITIES };
static const double exact[N_QUANTITIES] = {0.8295, 0.4876, 0.5390, 2.1620, 0.5106};

static void check(gb_status status, const gb_error *err)
{
    if (status != GB_OK)
        fail_msg("%s", err->message);
}

static gb_corpus *build_corpus(void)
{
    static const uint32_t word[N_TOKENS] = {0, 0, 1, 1, 2, 0, 2, 2}, end[N_DOCS] = {3, 5, 8};
    gb_error err = {.status = GB_OK};
    gb_corpus_builder *b = NULL;
    gb_corpus *corpus = NULL;
    check(gb_corpus_builder_create(&b, &err), &err);
    for (size_t w = 0; w < 3; w++)
        check(gb_corpus_builder_word(b, &"ABC"[w], 1, &err), &err);
    for (size_t d = 0, i = 0; d < N_DOCS; d++) {
        check(gb_corpus_builder_document(b, NULL, 0, &err), &err);
        for (; i < end[d]; i++)
            check(gb_corpus_builder_token(b, word[i], &err), &err);
    }
    check(gb_corpus_builder_finish(b, NULL, NULL, &corpus, &err), &err);
    gb_corpus_builder_free(b);
    return corpus;
}

static gb_spec make_spec(const gb_corpus *corpus, const char *treatment)
{
    static const char *const setting[][2] = {{"topics", "2"},
                                             {"alpha", "0.7"},
                                             {"beta", "0.4"},
                                             {"seed", "5"},
                                             {"response", "none"},
                                             {"threads", "1"},
                                             {"seeds", "{\"named\": [\"A\", \"B\"]}"}};
    gb_error err = {.status = GB_OK};
    gb_settings *settings = NULL;
    gb_spec spec;
    check(gb_settings_create(&settings, &err), &err);
    for (size_t i = 0; i < sizeof setting / sizeof setting[0]; i++)
        check(gb_settings_set(settings, setting[i][0], setting[i][1], &err), &err);
    check(gb_settings_set(settings, "topic-treatment", treatment, &err), &err);
    check(gb_spec_resolve(corpus, settings, &spec, &err), &err);
    spec.seeds.law = (gb_keyword_law){.beta = 0.5, .from_keywords = 1.5, .from_all = 1};
    gb_settings_free(settings);
    return spec;
}

static void add_state(const gb_chain *chain, double *sum)
{
    uint16_t z[N_TOKENS];
    double share = 0;
    for (size_t d = 0; d < N_DOCS; d++)
        gb_chain_assignment(chain, d, z + chain->corpus->doc_start[d]);
    for (size_t i = 0; i < N_TOKENS; i++)
        share += (z[i] == 0) / (double)N_TOKENS;
    sum[SAME_12] += z[0] == z[1];
    sum[SAME_14] += z[0] == z[3];
    sum[SAME_45] += z[3] == z[4];
    sum[FROM_KEYWORDS] += chain->topics.keywords.switched[0] + chain->topics.keywords.switched[1];
    sum[SHARE] += share;
}

static void assert_law(const char *treatment)
{
    gb_error err = {.status = GB_OK};
    gb_corpus *corpus = build_corpus();
    gb_spec spec = make_spec(corpus, treatment);
    gb_chain *chain = NULL;
    const size_t n = joint_effort(200000) / N_BATCHES;
    double mean[N_QUANTITIES] = {0}, square[N_QUANTITIES] = {0};
    check(gb_chain_begin(&chain, corpus, &spec, 0, &err), &err);
    for (size_t b = 0; b < N_BATCHES; b++) {
        double sum[N_QUANTITIES] = {0};
        for (size_t i = 0; i < n; i++) {
            check(gb_recipe_sweep(chain, &err), &err);
            add_state(chain, sum);
        }
        for (size_t q = 0; q < N_QUANTITIES; q++) {
            mean[q] += sum[q] / (double)n / N_BATCHES;
            square[q] += sum[q] / (double)n * sum[q] / (double)n / N_BATCHES;
        }
    }
    for (size_t q = 0; q < N_QUANTITIES; q++) {
        const double error = sqrt((square[q] - mean[q] * mean[q]) / (N_BATCHES - 1));
        if (!(fabs(mean[q] - exact[q]) < 4.5 * error + 5e-5)) /* the exact ones are rounded */
            fail_msg("%s, quantity %zu: %.5f +- %.5f, not %.4f", treatment, q, mean[q], error, exact[q]);
    }
    gb_chain_free(chain);
    gb_spec_clear(&spec);
    gb_corpus_free(corpus);
}

static void topics_in_blocks_have_the_law_of_the_mixture(void **state)
{
    (void)state;
    assert_law("blocks");
}

static void drawn_topics_have_the_law_of_the_mixture(void **state)
{
    (void)state;
    assert_law("sampled");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(topics_in_blocks_have_the_law_of_the_mixture),
                                       cmocka_unit_test(drawn_topics_have_the_law_of_the_mixture)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
