/* chain/late_labels.c - labels that a chain gets late in its burn-in.
 *
 * Probabilities are calibrated by scores of documents whose labels the topics have never seen (docs/probabilities.md).  During burn-in a
 * chain has them for little: some of its documents count as not labelled.  Shortly before the end of burn-in their scores are
 * noted in a few sweeps, then their labels are given, and the chain has the rest of its burn-in to get used to them.  Which sweeps these are follows from
 * the length of burn-in; what has happened is state, so that labels once seen are not hidden again.
 *
 * The scores have to be like those of new documents.  Those that the chain has are not: topics of a document that stays in the chain
 * keep each other where they are, in all sweeps alike, and are too extreme (measured: standard deviation of scores 0.56, of new
 * documents 0.49).  So its topics are drawn anew, from nothing, with topic-word distributions that leave out the document,
 *
 *     p(z_n = k)  ~  (n_kw + beta) / (n_k + V beta) (base_k + unit n_dk^{-n})                              (1)
 *
 * as predictions do (docs/model.md), and the score is that of the expected shares, the mean over n of (1), in several passes: predictions
 * are means over many, and noise that they do not have would make the curves too flat. */
#include "chain/late_labels.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "chain/ring.h"

#include <stdlib.h>
#include <string.h>

/* Passes over a document: the first one assigns topics, the last ones are averaged. */
enum { N_BEFORE = 3, N_AVERAGED = 8, DOCS_PER_TASK = 16 };

/* ---- when ---- */

enum { SINCE, N_NOTED }; /* of late_state */

gb_status gb_chain_give_late_labels(gb_chain *c, gb_error *err)
{
    if (c->late_state == NULL || c->late_state[SINCE] > 0 || c->sweep + c->spec->n_settling <= c->burn_in)
        return GB_OK;
    c->late_state[SINCE] = c->sweep > 1 ? c->sweep - 1 : 1;
    return gb_chain_code_targets(c, err);
}

static bool notes_scores(const gb_chain *c)
{
    const gb_spec *spec = c->spec;
    return c->late_state != NULL && c->late_state[SINCE] == 0 &&
           c->sweep + spec->n_settling + spec->n_noted > c->burn_in;
}

uint64_t gb_chain_n_before_late(const gb_chain *c)
{
    return c->late_state == NULL ? 0 : c->late_state[SINCE];
}

const double *gb_chain_late_scores(const gb_chain *c)
{
    return c->late_state != NULL && c->late_state[SINCE] > 0 && c->late_state[N_NOTED] > 0 ? c->late_score : NULL;
}

/* ---- a document ---- */

typedef struct late_token {
    uint32_t word;
    uint16_t before, topic; /* in the chain, and drawn anew */
} late_token;

/* The topics that words have: word rows of this rank and of others. */
typedef struct word_topics {
    uint64_t *start; /* n_words + 1 */
    uint16_t *topic;
    uint32_t *count;
} word_topics;

/* The document at hand; the longest one has room. */
typedef struct late_document {
    const gb_chain *chain;
    gb_random random;
    late_token *token; /* by word */
    size_t n_tokens;
    const word_topics *words;
    double *room, *scale, *factor, *weight,
        *share; /* n_topics each; 1 / (n_k + V beta), the first factor of (1), (1), sums of (1) */
    const double *base;
    uint32_t *own, *count; /* n_topics: n_dk in the chain, and anew */
} late_document;

static void clear(late_document *x)
{
    gb_free(x->token);
    gb_free(x->room);
    gb_free(x->own);
}

static gb_status make_room(const gb_chain *c, size_t most_tokens, late_document *x, gb_error *err)
{
    gb_status st;
    const size_t n = c->spec->n_topics;
    *x = (late_document){.chain = c};
    GB_TRY(gb_alloc(&x->token, most_tokens, sizeof *x->token, "late labels", err));
    GB_TRY(gb_alloc(&x->room, 5 * n, sizeof *x->room, "late labels", err));
    GB_TRY(gb_alloc(&x->own, 2 * n, sizeof *x->own, "late labels", err));
    x->scale = x->room + n;
    x->factor = x->room + 2 * n;
    x->weight = x->room + 3 * n;
    x->share = x->room + 4 * n;
    x->count = x->own + n;
done:
    if (st != GB_OK)
        clear(x);
    return st;
}

static int by_word(const void *a, const void *b)
{
    const late_token *x = a, *y = b;
    const int order = (x->word > y->word) - (x->word < y->word);
    return order != 0 ? order : (x->before > y->before) - (x->before < y->before);
}

static void begin(late_document *x, uint64_t d, const int64_t *total, const uint16_t *topic)
{
    const gb_chain *c = x->chain;
    const size_t n_topics = c->spec->n_topics;
    const uint64_t first = c->corpus->doc_start[d];
    const double beta_sum = c->topics.beta * (double)c->topics.n_words;
    x->random = gb_random_open(c->key, c->sweep, GB_DRAW_LATE_TOPICS, c->portion.first_doc + d);
    x->n_tokens = (size_t)(c->corpus->doc_start[d + 1] - first);
    x->base = c->prior.ops->base(&c->prior, d, x->room);
    memset(x->own, 0, 2 * n_topics * sizeof *x->own);
    memset(x->share, 0, n_topics * sizeof *x->share);
    for (size_t i = 0; i < x->n_tokens; i++) {
        x->token[i] = (late_token){.word = c->corpus->word[first + i], .before = topic[i]};
        x->own[topic[i]]++;
    }
    qsort(x->token, x->n_tokens, sizeof *x->token, by_word);
    for (size_t k = 0; k < n_topics; k++)
        x->scale[k] = 1 / ((double)(total[k] - x->own[k]) + beta_sum);
}

/* The first factor of (1) for a word, which the document has as tokens first .. last - 1. */
static void find_factors(late_document *x, size_t first, size_t last)
{
    const gb_topics *t = &x->chain->topics;
    const uint32_t word = x->token[first].word;
    for (size_t k = 0; k < t->n_topics; k++)
        x->factor[k] = t->beta;
    for (uint64_t i = x->words->start[word]; i < x->words->start[word + 1]; i++)
        x->factor[x->words->topic[i]] += x->words->count[i];
    for (size_t i = first; i < last; i++)
        x->factor[x->token[i].before]--;
    for (size_t k = 0; k < t->n_topics; k++)
        x->factor[k] *= x->scale[k];
}

/* (1) for a token that is in no count. */
static void draw_token(late_document *x, late_token *token, bool is_averaged)
{
    const size_t n_topics = x->chain->spec->n_topics;
    const double unit = x->chain->prior.ops->unit;
    double sum = 0;
    for (size_t k = 0; k < n_topics; k++)
        sum += x->weight[k] = x->factor[k] * (x->base[k] + unit * x->count[k]);
    for (size_t k = 0; is_averaged && k < n_topics; k++)
        x->share[k] += x->weight[k] / sum;
    double left = gb_random_uniform(&x->random) * sum;
    size_t k = 0;
    while (k + 1 < n_topics && (left -= x->weight[k]) >= 0)
        k++;
    token->topic = (uint16_t)k;
    x->count[k]++;
}

static void draw_topics(late_document *x)
{
    for (int pass = 0; pass < N_BEFORE + N_AVERAGED; pass++)
        for (size_t first = 0, last; first < x->n_tokens; first = last) {
            for (last = first + 1; last < x->n_tokens && x->token[last].word == x->token[first].word;)
                last++;
            find_factors(x, first, last);
            for (size_t i = first; i < last; i++) {
                if (pass > 0)
                    x->count[x->token[i].topic]--;
                draw_token(x, &x->token[i], pass >= N_BEFORE);
            }
        }
}

/* The chain's score with other shares of topics. */
static double score_anew(const late_document *x, uint64_t d, size_t output)
{
    const gb_chain *c = x->chain;
    const double *eta = c->eta + output * gb_spec_n_features(c->spec), length = (double)x->n_tokens;
    double score = c->score[d * c->spec->n_outputs + output];
    for (size_t k = 0; k < c->spec->n_topics && x->n_tokens > 0; k++)
        score += eta[k] * (x->share[k] / N_AVERAGED - x->own[k]) / length;
    return score;
}

static void add_scores(const late_document *x, uint64_t d, double *mean)
{
    const gb_chain *c = x->chain;
    const double n_noted = c->late_state[N_NOTED] + 1.0;
    for (size_t r = 0; r < c->spec->n_responses; r++) {
        const gb_response *response = &c->response[r];
        for (size_t i = 0; i < response->n_outputs; i++) {
            const size_t l = response->first_output + i;
            mean[l] += (gb_response_pooled_score(response, score_anew(x, d, l)) - mean[l]) / n_noted;
        }
    }
}

/* ---- all of them ---- */

typedef struct late_pass {
    gb_chain *chain;
    int64_t *total;     /* n_topics: n_k */
    size_t most_tokens; /* of a document */
    word_topics words;
    double *late_score; /* of the documents that are here: a part of the chain's */
    uint64_t *start;    /* n_late + 1: where the topics of each begin */
    uint16_t *topic;    /* in the order of the corpus */
} late_pass;

static gb_status note_some(void *context, size_t task, size_t worker, gb_error *err)
{
    gb_status st;
    const late_pass *pass = context;
    const gb_spec *spec = pass->chain->spec;
    const uint64_t first = (uint64_t)task * DOCS_PER_TASK, end = first + DOCS_PER_TASK;
    late_document x = {0};
    (void)worker;
    GB_TRY(make_room(pass->chain, pass->most_tokens, &x, err));
    x.words = &pass->words;
    for (uint64_t i = first; i < end && i < spec->n_late; i++) {
        begin(&x, spec->late_doc[i], pass->total, pass->topic + pass->start[i]);
        draw_topics(&x);
        add_scores(&x, spec->late_doc[i], pass->late_score + i * spec->n_outputs);
    }
done:
    clear(&x);
    return st;
}

/* What tasks only read. */
static gb_status gather(late_pass *pass, gb_error *err)
{
    gb_status st;
    const gb_chain *c = pass->chain;
    const gb_spec *spec = c->spec;
    GB_TRY(gb_alloc(&pass->total, spec->n_topics, sizeof *pass->total, "late labels", err));
    GB_TRY(gb_ring_gather(c, true, &pass->words.start, &pass->words.topic, &pass->words.count, err));
    GB_TRY(gb_alloc(&pass->start, spec->n_late + 1, sizeof *pass->start, "late labels", err));
    for (size_t k = 0; k < spec->n_topics; k++)
        pass->total[k] = gb_topics_total(&c->topics, k);
    for (uint64_t i = 0; i < spec->n_late; i++) {
        const uint64_t *start = c->corpus->doc_start + spec->late_doc[i], n = start[1] - start[0];
        pass->start[i + 1] = pass->start[i] + n;
        pass->most_tokens = n > pass->most_tokens ? n : pass->most_tokens;
    }
    GB_TRY(gb_alloc(&pass->topic, pass->start[spec->n_late], sizeof *pass->topic, "late labels", err));
    for (uint64_t i = 0; i < spec->n_late; i++)
        gb_chain_assignment(c, spec->late_doc[i], pass->topic + pass->start[i]);
done:
    return st;
}

/* The scores of all ranks' documents to all ranks. */
static gb_status share_scores(gb_chain *c, gb_error *err)
{
    gb_status st;
    uint64_t *start = NULL;
    GB_TRY(gb_alloc(&start, gb_team_size(c->portion.team) + 1, sizeof *start, "late labels", err));
    GB_TRY(gb_team_starts(c->portion.team, c->spec->n_late, start, err));
    GB_TRY(gb_team_gather(c->portion.team, c->late_score, c->spec->n_outputs * sizeof *c->late_score, start, err));
done:
    gb_free(start);
    return st;
}

gb_status gb_chain_note_late_scores(gb_chain *c, gb_error *err)
{
    gb_status st;
    if (!notes_scores(c))
        return GB_OK;
    late_pass pass = {.chain = c, .late_score = c->late_score + c->here->first_late * c->spec->n_outputs};
    GB_TRY(gather(&pass, err));
    GB_TRY(gb_parallel_for((size_t)((c->spec->n_late + DOCS_PER_TASK - 1) / DOCS_PER_TASK), c->spec->n_threads,
                           note_some, &pass, err));
    GB_TRY(share_scores(c, err));
    c->late_state[N_NOTED]++;
done:
    gb_free(pass.total);
    gb_free(pass.words.start);
    gb_free(pass.words.topic);
    gb_free(pass.words.count);
    gb_free(pass.start);
    gb_free(pass.topic);
    return st;
}
