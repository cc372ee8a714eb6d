/* bench/speed/engine_textbook.c - the collapsed Gibbs sampler as textbooks write it: the yardstick of the table.
 *
 *   p(z = k | rest) is proportional to (n_dk + alpha) (n_kw + beta) / (n_k + V beta)                  (1)
 *
 * with the token's own topic taken out of the counts first.  Whole numbers for counts, a row of K of them per document
 * and per word, double precision, a cumulative sum of (1) with the division in the loop, a linear search in it.  The
 * build turns the compiler's own vectorisation off for this file.  Its random numbers are cheap (SplitMix64), so that it
 * does not lose by them.
 *
 * With labels each weight has a further factor, see textbook_response.c; the first pass is made without.
 *
 *   Griffiths and Steyvers 2004, PNAS 101.  SplitMix64: Steele, Lea and Flood 2014, OOPSLA.
 *   Cost: K multiplications, K divisions and on average K / 2 comparisons per token. */
#include "engine.h"
#include "textbook_response.h"

#include "base/memory.h"

typedef struct textbook {
    const gb_corpus *corpus;
    size_t n_topics;
    double alpha, beta, beta_sum;
    uint16_t *topic;    /* n_tokens */
    int *n_dk;          /* n_docs x n_topics */
    int *n_kw;          /* n_words x n_topics: row of a word */
    int *n_k;           /* n_topics */
    double *cumulative; /* n_topics */
    uint64_t random;
    textbook_response *response; /* NULL: without labels */
} textbook;

static double draw_uniform(textbook *t)
{
    uint64_t x = t->random += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

/* (1) */
static void sum_weights(textbook *t, const int *n_dk, const int *n_kw)
{
    double sum = 0;
    for (size_t k = 0; k < t->n_topics; k++) {
        sum += (n_dk[k] + t->alpha) * (n_kw[k] + t->beta) / (t->n_k[k] + t->beta_sum);
        t->cumulative[k] = sum;
    }
}

static void sum_weights_with_labels(textbook *t, uint64_t d, const int *n_dk, const int *n_kw)
{
    const double *factor = textbook_response_factors(t->response, d);
    double sum = 0;
    for (size_t k = 0; k < t->n_topics; k++) {
        sum += (n_dk[k] + t->alpha) * (n_kw[k] + t->beta) / (t->n_k[k] + t->beta_sum) * factor[k];
        t->cumulative[k] = sum;
    }
}

static size_t search_topic(textbook *t)
{
    const double u = draw_uniform(t) * t->cumulative[t->n_topics - 1];
    size_t k = 0;
    while (k + 1 < t->n_topics && t->cumulative[k] <= u)
        k++;
    return k;
}

static void add_token(textbook *t, uint64_t d, uint32_t word, size_t k, int by)
{
    int *n_dk = t->n_dk + d * t->n_topics, *n_kw = t->n_kw + (size_t)word * t->n_topics;
    n_dk[k] += by;
    n_kw[k] += by;
    t->n_k[k] += by;
}

/* The first pass: each token given those before it. */
static void begin(textbook *t)
{
    for (uint64_t d = 0; d < t->corpus->n_docs; d++) {
        for (uint64_t i = t->corpus->doc_start[d]; i < t->corpus->doc_start[d + 1]; i++) {
            const uint32_t word = t->corpus->word[i];
            sum_weights(t, t->n_dk + d * t->n_topics, t->n_kw + (size_t)word * t->n_topics);
            t->topic[i] = (uint16_t)search_topic(t);
            add_token(t, d, word, t->topic[i], 1);
        }
    }
}

static void begin_from(textbook *t, const uint16_t *topic)
{
    for (uint64_t d = 0; d < t->corpus->n_docs; d++) {
        for (uint64_t i = t->corpus->doc_start[d]; i < t->corpus->doc_start[d + 1]; i++) {
            t->topic[i] = topic[i];
            add_token(t, d, t->corpus->word[i], topic[i], 1);
        }
    }
}

static void draw_token(textbook *t, uint64_t d, uint64_t i)
{
    const uint32_t word = t->corpus->word[i];
    const int *n_dk = t->n_dk + d * t->n_topics, *n_kw = t->n_kw + (size_t)word * t->n_topics;
    add_token(t, d, word, t->topic[i], -1);
    sum_weights(t, n_dk, n_kw);
    t->topic[i] = (uint16_t)search_topic(t);
    add_token(t, d, word, t->topic[i], 1);
}

static void draw_token_with_labels(textbook *t, uint64_t d, uint64_t i)
{
    const uint32_t word = t->corpus->word[i];
    const int *n_dk = t->n_dk + d * t->n_topics, *n_kw = t->n_kw + (size_t)word * t->n_topics;
    add_token(t, d, word, t->topic[i], -1);
    textbook_response_token(t->response, d, t->topic[i], -1);
    sum_weights_with_labels(t, d, n_dk, n_kw);
    t->topic[i] = (uint16_t)search_topic(t);
    add_token(t, d, word, t->topic[i], 1);
    textbook_response_token(t->response, d, t->topic[i], 1);
}

static void textbook_destroy(void *state)
{
    textbook *t = state;
    if (t == NULL)
        return;
    gb_free(t->topic);
    gb_free(t->n_dk);
    gb_free(t->n_kw);
    gb_free(t->n_k);
    gb_free(t->cumulative);
    textbook_response_free(t->response);
    gb_free(t);
}

static gb_status check(const gb_spec *spec, gb_error *err)
{
    for (size_t k = 1; k < spec->n_topics; k++)
        if (spec->prior.start.table[0].value[k] != spec->prior.start.table[0].value[0])
            return gb_fail(err, GB_EARGUMENT, "the textbook's sampler has one alpha");
    return GB_OK;
}

static gb_status textbook_create(void **state, const gb_corpus *corpus, const gb_spec *spec, const uint16_t *topic,
                                 gb_error *err)
{
    gb_status st;
    textbook *t = NULL;
    GB_TRY(check(spec, err));
    GB_TRY(gb_alloc(&t, 1, sizeof *t, "an engine", err));
    t->corpus = corpus;
    t->n_topics = spec->n_topics;
    t->alpha = spec->prior.start.table[0].value[0];
    t->beta = spec->beta.value;
    t->beta_sum = spec->beta.value * (double)corpus->n_words;
    t->random = spec->seed;
    GB_TRY(gb_alloc(&t->topic, corpus->n_tokens, sizeof *t->topic, "topic assignments", err));
    GB_TRY(gb_alloc(&t->n_dk, corpus->n_docs * t->n_topics, sizeof *t->n_dk, "counts", err));
    GB_TRY(gb_alloc(&t->n_kw, corpus->n_words * t->n_topics, sizeof *t->n_kw, "counts", err));
    GB_TRY(gb_alloc(&t->n_k, t->n_topics, sizeof *t->n_k, "counts", err));
    GB_TRY(gb_alloc(&t->cumulative, t->n_topics, sizeof *t->cumulative, "weights", err));
    if (spec->n_outputs > 0)
        GB_TRY(textbook_response_create(&t->response, corpus, spec, err));
    if (topic != NULL)
        begin_from(t, topic);
    else
        begin(t);
    if (topic != NULL && t->response != NULL)
        GB_TRY(textbook_response_draw(t->response, t->topic, err));
    *state = t;
    t = NULL;
done:
    textbook_destroy(t);
    return st;
}

static gb_status textbook_sweep(void *state, gb_error *err)
{
    textbook *t = state;
    for (uint64_t d = 0; d < t->corpus->n_docs; d++)
        for (uint64_t i = t->corpus->doc_start[d]; i < t->corpus->doc_start[d + 1]; i++)
            if (t->response == NULL)
                draw_token(t, d, i);
            else
                draw_token_with_labels(t, d, i);
    return t->response == NULL ? GB_OK : textbook_response_draw(t->response, t->topic, err);
}

static void textbook_assignment(const void *state, uint16_t *topic)
{
    const textbook *t = state;
    for (uint64_t i = 0; i < t->corpus->n_tokens; i++)
        topic[i] = t->topic[i];
}

const bench_engine bench_engine_textbook = {.name = "textbook",
                                            .create = textbook_create,
                                            .sweep = textbook_sweep,
                                            .assignment = textbook_assignment,
                                            .destroy = textbook_destroy};
