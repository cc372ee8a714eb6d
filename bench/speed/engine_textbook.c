/* bench/speed/engine_textbook.c - the collapsed Gibbs sampler as textbooks write it: the yardstick of the table.
 *
 *   p(z = k | rest) is proportional to (n_dk + alpha) (n_kw + beta) / (n_k + V beta)                  (1)
 *
 * with the token's own topic taken out of the counts first.  Whole numbers for counts, a row of K of them per document
 * and per word, double precision, a cumulative sum of (1) with the division in the loop, a linear search in it.  The
 * build turns the compiler's own vectorisation off for this file.  Its random numbers are cheap (SplitMix64), so that it
 * does not lose by them.
 *
 *   Griffiths and Steyvers 2004, PNAS 101.  SplitMix64: Steele, Lea and Flood 2014, OOPSLA.
 *   Cost: K multiplications, K divisions and on average K / 2 comparisons per token. */
#include "engine.h"

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
} textbook;

static double draw_uniform(textbook *t)
{
    uint64_t x = t->random += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

/* (1) */
static size_t draw_topic(textbook *t, const int *n_dk, const int *n_kw)
{
    double sum = 0;
    for (size_t k = 0; k < t->n_topics; k++) {
        sum += (n_dk[k] + t->alpha) * (n_kw[k] + t->beta) / (t->n_k[k] + t->beta_sum);
        t->cumulative[k] = sum;
    }
    const double u = draw_uniform(t) * sum;
    size_t k = 0;
    while (k + 1 < t->n_topics && t->cumulative[k] <= u)
        k++;
    return k;
}

static void add_token(textbook *t, int *n_dk, int *n_kw, size_t k, int by)
{
    n_dk[k] += by;
    n_kw[k] += by;
    t->n_k[k] += by;
}

/* One pass over all tokens; `removed`: they have a topic already, which is taken out first. */
static void pass(textbook *t, bool removed)
{
    for (uint64_t d = 0; d < t->corpus->n_docs; d++) {
        int *n_dk = t->n_dk + d * t->n_topics;
        for (uint64_t i = t->corpus->doc_start[d]; i < t->corpus->doc_start[d + 1]; i++) {
            int *n_kw = t->n_kw + (size_t)t->corpus->word[i] * t->n_topics;
            if (removed)
                add_token(t, n_dk, n_kw, t->topic[i], -1);
            const size_t k = draw_topic(t, n_dk, n_kw);
            t->topic[i] = (uint16_t)k;
            add_token(t, n_dk, n_kw, k, 1);
        }
    }
}

static void count_tokens(textbook *t, const uint16_t *topic)
{
    for (uint64_t d = 0; d < t->corpus->n_docs; d++) {
        for (uint64_t i = t->corpus->doc_start[d]; i < t->corpus->doc_start[d + 1]; i++) {
            t->topic[i] = topic[i];
            add_token(t, t->n_dk + d * t->n_topics, t->n_kw + (size_t)t->corpus->word[i] * t->n_topics, topic[i], 1);
        }
    }
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
    gb_free(t);
}

static gb_status check(const gb_spec *spec, gb_error *err)
{
    if (spec->n_outputs > 0)
        return gb_fail(err, GB_EARGUMENT, "the textbook's sampler has no response: give --response none");
    for (size_t k = 1; k < spec->n_topics; k++)
        if (spec->alpha[k] != spec->alpha[0])
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
    t->alpha = spec->alpha[0];
    t->beta = spec->beta;
    t->beta_sum = spec->beta * (double)corpus->n_words;
    t->random = spec->seed;
    GB_TRY(gb_alloc(&t->topic, corpus->n_tokens, sizeof *t->topic, "topic assignments", err));
    GB_TRY(gb_alloc(&t->n_dk, corpus->n_docs * t->n_topics, sizeof *t->n_dk, "counts", err));
    GB_TRY(gb_alloc(&t->n_kw, corpus->n_words * t->n_topics, sizeof *t->n_kw, "counts", err));
    GB_TRY(gb_alloc(&t->n_k, t->n_topics, sizeof *t->n_k, "counts", err));
    GB_TRY(gb_alloc(&t->cumulative, t->n_topics, sizeof *t->cumulative, "weights", err));
    if (topic != NULL)
        count_tokens(t, topic);
    else
        pass(t, false);
    *state = t;
    t = NULL;
done:
    textbook_destroy(t);
    return st;
}

static gb_status textbook_sweep(void *state, gb_error *err)
{
    (void)err;
    pass(state, true);
    return GB_OK;
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
