/* run/init_from.c - a chain that begins with topics that are known: those of a model, or what several chains have in common.
 *
 * Topics of tokens are drawn document by document, given the topics before them in the document:
 *     p(z = k) proportional to (n_dk + a) phi_kw,   phi_kw = (n_kw + m_k beta) / (n_k + V m_k beta)             (1)
 * with the counts n_kw of a draw of the model, or of m_k draws together, the vocabulary and beta of the run, and the weight a with which chains start.
 * A word that the model does not have counts 0: it goes where its document is, and to small topics rather than large ones.
 * Where a chain begins does not change what it converges to. */
#include "base/memory.h"
#include "base/parallel.h"
#include "chain/chain.h"
#include "chain/start.h"
#include "corpus/data/words.h"
#include "gibbous/train.h"
#include "model/model.h"
#include "run/run.h"

#include <string.h>

typedef struct beginning {
    const gb_chain *chain;
    uint64_t n_words;
    const uint64_t *word_start; /* as in gb_draw */
    const uint16_t *topics;
    const uint32_t *counts, *n_members; /* n_topics: m_k of (1); NULL: all 1 */
    uint32_t *word_of;                  /* word of the corpus -> word of the model, or GB_NO_WORD; NULL: the same */
    uint64_t *n_k;                      /* bags x n_topics */
    double *inverse;                    /* bags x n_topics: 1 / (n_k + V m_k beta), of the words of a bag */
    double *smooth;                     /* bags x n_topics: m_k beta times that */
    uint16_t *topic;                    /* n_tokens, receives the topics */
    double *weight;                     /* n_threads x n_topics */
    double *count;                      /* n_threads x n_topics: n_dk + a */
} beginning;

static gb_status find_words(beginning *b, const gb_model *model, gb_error *err)
{
    gb_status st;
    uint32_t number;
    gb_words *words = NULL;
    const gb_texts *texts = &b->chain->corpus->vocabulary;
    GB_TRY(gb_words_create(&words, err));
    for (uint64_t w = 0; w < model->n_words; w++)
        GB_TRY(gb_words_add(words, gb_view_of(model->word[w]), &number, err));
    GB_TRY(gb_alloc(&b->word_of, texts->count, sizeof *b->word_of, "the first topics", err));
    for (uint64_t w = 0; w < texts->count; w++)
        b->word_of[w] = gb_words_find(words, (gb_view){.text = texts->bytes + texts->start[w],
                                                       .length = texts->start[w + 1] - texts->start[w]});
done:
    gb_words_free(words);
    return st;
}

/* (1) for all topics. */
static void weigh(const beginning *b, uint32_t word, const double *count, double *weight)
{
    const size_t n_topics = b->chain->spec->n_topics, of_bag = gb_bag_of(&b->chain->spec->bags, word) * n_topics;
    const uint32_t w = b->word_of == NULL ? word : b->word_of[word];
    for (size_t k = 0; k < n_topics; k++)
        weight[k] = count[k] * b->smooth[of_bag + k];
    if (w == GB_NO_WORD)
        return;
    for (uint64_t i = b->word_start[w]; i < b->word_start[w + 1]; i++) {
        const size_t k = b->topics[i];
        weight[k] += count[k] * (double)b->counts[i] * b->inverse[of_bag + k];
    }
}

static gb_status begin_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)err;
    beginning *b = context;
    const gb_chain *c = b->chain;
    const size_t n_topics = c->spec->n_topics;
    double *weight = b->weight + worker * n_topics, *count = b->count + worker * n_topics;
    for (uint64_t d = (uint64_t)task * GB_DOCS_PER_TASK; d < gb_chain_task_end(c, task); d++) {
        gb_random random = gb_random_open(c->key, 0, GB_DRAW_INIT, c->portion.first_doc + d);
        for (size_t k = 0; k < n_topics; k++)
            count[k] = gb_prior_start_weight(n_topics);
        for (uint64_t i = c->corpus->doc_start[d]; i < c->corpus->doc_start[d + 1]; i++) {
            weigh(b, c->corpus->word[i], count, weight);
            const size_t k = gb_random_categorical(&random, n_topics, weight);
            count[k]++;
            b->topic[i] = (uint16_t)k;
        }
    }
    return GB_OK;
}

/* n_k of (1): in bags, of the words that the corpus has. */
static void count_topics(beginning *b)
{
    const gb_chain *c = b->chain;
    const bool has_bags = c->spec->bags.n > 1;
    for (uint64_t i = 0; i < (has_bags ? c->corpus->n_words : b->n_words); i++) {
        const uint64_t w = !has_bags || b->word_of == NULL ? i : b->word_of[i];
        uint64_t *n_k = b->n_k + gb_bag_of(&c->spec->bags, i) * c->spec->n_topics;
        for (uint64_t at = w == GB_NO_WORD ? 0 : b->word_start[w]; w != GB_NO_WORD && at < b->word_start[w + 1]; at++)
            n_k[b->topics[at]] += b->counts[at];
    }
}

static gb_status draw_topics(beginning *b, gb_error *err)
{
    gb_status st;
    const gb_spec *spec = b->chain->spec;
    const char *what = "the first topics";
    GB_TRY(gb_alloc(&b->n_k, spec->bags.n * spec->n_topics, sizeof *b->n_k, what, err));
    GB_TRY(gb_alloc(&b->inverse, spec->bags.n * spec->n_topics, sizeof *b->inverse, what, err));
    GB_TRY(gb_alloc(&b->smooth, spec->bags.n * spec->n_topics, sizeof *b->smooth, what, err));
    GB_TRY(gb_alloc(&b->topic, b->chain->corpus->n_tokens, sizeof *b->topic, what, err));
    GB_TRY(gb_alloc(&b->weight, spec->n_threads * spec->n_topics, sizeof *b->weight, what, err));
    GB_TRY(gb_alloc(&b->count, spec->n_threads * spec->n_topics, sizeof *b->count, what, err));
    count_topics(b);
    for (size_t k = 0; k < spec->bags.n * spec->n_topics; k++) {
        const double beta = spec->beta.value * (b->n_members == NULL ? 1 : b->n_members[k % spec->n_topics]);
        b->inverse[k] = 1 / ((double)b->n_k[k] + beta * (double)spec->bags.n_words[k / spec->n_topics]);
        b->smooth[k] = beta * b->inverse[k];
    }
    GB_TRY(gb_parallel_for(gb_chain_n_doc_tasks(b->chain), spec->n_threads, begin_documents, b, err));
done:
    return st;
}

static void clear(beginning *b)
{
    gb_free(b->word_of);
    gb_free(b->n_k);
    gb_free(b->inverse);
    gb_free(b->smooth);
    gb_free(b->topic);
    gb_free(b->weight);
    gb_free(b->count);
}

static gb_status begin(gb_chain *chain, beginning *b, gb_error *err)
{
    gb_status st;
    GB_TRY(draw_topics(b, err));
    GB_TRY(gb_chain_start_with(chain, b->topic, err));
    chain->is_started = true;
done:
    return st;
}

gb_status gb_chain_init_from(gb_chain *chain, const gb_model *model, gb_error *err)
{
    gb_status st;
    beginning b = {.chain = chain};
    if (chain->is_started)
        return gb_fail(err, GB_EARGUMENT, "chain %llu has started already", (unsigned long long)chain->number + 1);
    if (model->n_topics != chain->spec->n_topics)
        return gb_fail(err, GB_EARGUMENT, "init-from: the model has %zu topics, this run has %zu", model->n_topics,
                       chain->spec->n_topics);
    const gb_draw *draw =
        &model->draw[model->n_draws - 1 - chain->number % model->n_draws]; /* the last, before it, ... */
    b.word_start = draw->word_start;
    b.topics = draw->topic;
    b.counts = draw->count;
    b.n_words = model->n_words;
    GB_TRY(find_words(&b, model, err));
    GB_TRY(begin(chain, &b, err));
done:
    clear(&b);
    return st;
}

gb_status gb_chain_init_pooled(gb_chain *chain, const gb_consensus *pooled, gb_error *err)
{
    beginning b = {.chain = chain,
                   .n_words = pooled->n_words,
                   .word_start = pooled->word_start,
                   .topics = pooled->topic,
                   .counts = pooled->count,
                   .n_members = pooled->n_members};
    const gb_status st = begin(chain, &b, err);
    clear(&b);
    return st;
}
