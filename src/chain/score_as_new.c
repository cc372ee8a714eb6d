/* chain/score_as_new.c - the scores that documents of a chain would have if they were new to it.
 *
 * Those that the chain has are not like that: topics of a document that stays in the chain keep each other where they are, in all sweeps
 * alike, and are too extreme (measured: standard deviation of scores 0.56, of new documents 0.49).  So its topics are drawn anew,
 * from nothing, with topic-word distributions that leave out the document,
 *
 *     p(z_n = k)  ~  (n_kw + beta) / (n_k + V beta) (base_k + unit n_dk^{-n})                              (1)
 *
 * as predictions do (docs/model.md), and the score is that of the expected shares, the mean over n of (1), in several passes: predictions
 * are means over many, and noise that they do not have would make the curves too flat.  For the same reason words count by their
 * expected coefficients (coefficient/word_means.h), as they do in predictions.
 *
 * (1) is the sum of two weights.  That with base_k is the same for all tokens of a word, that with n_dk is of few topics: a token takes
 * time for the topics of its document, a word for all of them, once. */
#include "chain/score_as_new.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "chain/ring.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Passes over a document: the first one assigns topics, the last ones are averaged. */
enum { N_BEFORE = 3, N_AVERAGED = 8, DOCS_PER_TASK = 16 };

/* Topics whose weights with base_k are summed up beforehand; sums of N_LANES, which a processor makes at once. */
enum { BLOCK = 32, N_LANES = 8 };

/* Room for the weights of a document's words; words that find none are weighed in every pass. */
enum { ROW_BYTES = 8 << 20 };

/* ---- a document ---- */

typedef struct new_token {
    uint32_t word;
    uint16_t before, topic; /* in the chain, and drawn anew */
} new_token;

/* The topics that words have: word rows of this rank and of others. */
typedef struct word_topics {
    uint64_t *start; /* n_words + 1 */
    uint16_t *topic;
    uint32_t *count;
} word_topics;

/* A word of the document at hand. */
typedef struct new_word {
    size_t first, last;    /* its tokens are first .. last - 1 */
    double *plain, *block; /* by topic and by block of topics: (1) with base_k only, its sums */
    double plain_sum;      /* of all topics */
    double inverse_sum;    /* over averaged tokens: 1 / the sum of (1) */
} new_word;

/* The document at hand; the longest one has room.  Arrays of doubles by topic have room for whole blocks, zeros behind the last topic. */
typedef struct new_document {
    const gb_chain *chain;
    gb_random random;
    const word_topics *words;
    const gb_sparse_columns *own_words; /* of all documents: the words that have coefficients */
    const double *word_shift;           /* n_outputs x these words: coefficients expected less those drawn; or NULL */
    new_token *token;                   /* by word */
    new_word *word;
    size_t n_tokens, n_words, n_rows;
    double *room, *scale, *ratio; /* by topic: 1 / (n_k + V beta), unit / base_k */
    double *share, *row;          /* by topic: sums of (1) over tokens; plain and block of words */
    const double *base;
    uint32_t *own, *count; /* by topic: n_dk in the chain, and anew */
    double *sum, *square;  /* n_outputs: over averaged passes, of what the topics drawn add to scores of numbers */
    uint32_t *active, *position, n_active; /* the topics with n_dk > 0, and where among them a topic is */
} new_document;

static void clear(new_document *x)
{
    gb_free(x->token);
    gb_free(x->word);
    gb_free(x->room);
    gb_free(x->row);
    gb_free(x->own);
    gb_free(x->sum);
}

static size_t count_blocks(const gb_chain *c)
{
    return (c->spec->n_topics + BLOCK - 1) / BLOCK;
}

/* On failure, too, clear() takes what there is. */
static gb_status make_room(const gb_chain *c, size_t most_tokens, new_document *x, gb_error *err)
{
    gb_status st;
    const size_t n = count_blocks(c) * BLOCK, row = n + count_blocks(c), n_rows = ROW_BYTES / (row * sizeof *x->row);
    *x = (new_document){.chain = c};
    x->n_rows = n_rows < 1 ? 1 : n_rows < most_tokens ? n_rows : most_tokens;
    GB_TRY(gb_alloc(&x->token, most_tokens, sizeof *x->token, "scores of documents", err));
    GB_TRY(gb_alloc(&x->word, most_tokens, sizeof *x->word, "scores of documents", err));
    GB_TRY(gb_alloc(&x->room, 4 * n, sizeof *x->room, "scores of documents", err));
    GB_TRY(gb_alloc(&x->row, x->n_rows * row, sizeof *x->row, "scores of documents", err));
    GB_TRY(gb_alloc(&x->own, 4 * n, sizeof *x->own, "scores of documents", err));
    GB_TRY(gb_alloc(&x->sum, 2 * c->spec->n_outputs, sizeof *x->sum, "scores of documents", err));
    x->square = x->sum + c->spec->n_outputs;
    x->scale = x->room + n;
    x->ratio = x->room + 2 * n;
    x->share = x->room + 3 * n;
    x->count = x->own + n;
    x->active = x->own + 2 * n;
    x->position = x->own + 3 * n;
done:
    return st;
}

static int by_word(const void *a, const void *b)
{
    const new_token *x = a, *y = b;
    const int order = (x->word > y->word) - (x->word < y->word);
    return order != 0 ? order : (x->before > y->before) - (x->before < y->before);
}

/* Words with an own row of weights: all but the last that find room. */
static bool has_own_row(const new_document *x, size_t i)
{
    return i + 1 < x->n_rows || x->n_words <= x->n_rows;
}

static void find_words(new_document *x)
{
    const size_t n_blocks = count_blocks(x->chain), row = n_blocks * (BLOCK + 1);
    x->n_words = 0;
    for (size_t first = 0, last; first < x->n_tokens; first = last) {
        for (last = first + 1; last < x->n_tokens && x->token[last].word == x->token[first].word;)
            last++;
        x->word[x->n_words++] = (new_word){.first = first, .last = last};
    }
    for (size_t i = 0; i < x->n_words; i++) {
        x->word[i].plain = x->row + (has_own_row(x, i) ? i : x->n_rows - 1) * row;
        x->word[i].block = x->word[i].plain + n_blocks * BLOCK;
    }
}

static void begin(new_document *x, uint64_t d, const int64_t *total, const uint16_t *topic)
{
    const gb_chain *c = x->chain;
    const size_t n_topics = c->spec->n_topics;
    const uint64_t first = c->corpus->doc_start[d];
    const double beta_sum = c->topics.beta * (double)c->topics.n_words, unit = c->prior.ops->unit;
    x->random = gb_random_open(c->key, c->sweep, GB_DRAW_LATE_TOPICS, c->portion.first_doc + d);
    x->n_tokens = (size_t)(c->corpus->doc_start[d + 1] - first);
    x->base = c->prior.ops->base(&c->prior, d, x->room);
    memset(x->own, 0, n_topics * sizeof *x->own);
    memset(x->count, 0, n_topics * sizeof *x->count);
    memset(x->share, 0, n_topics * sizeof *x->share);
    memset(x->sum, 0, 2 * c->spec->n_outputs * sizeof *x->sum);
    x->n_active = 0;
    for (size_t i = 0; i < x->n_tokens; i++) {
        x->token[i] = (new_token){.word = c->corpus->word[first + i], .before = topic[i]};
        x->own[topic[i]]++;
    }
    qsort(x->token, x->n_tokens, sizeof *x->token, by_word);
    find_words(x);
    for (size_t k = 0; k < n_topics; k++) {
        x->scale[k] = 1 / ((double)(total[k] - x->own[k]) + beta_sum);
        x->ratio[k] = unit > 0 ? unit / x->base[k] : 0;
    }
}

static void sum_blocks(new_word *w, size_t n_blocks)
{
    w->plain_sum = 0;
    for (size_t b = 0; b < n_blocks; b++) {
        double lane[N_LANES] = {0};
        for (size_t i = 0; i < BLOCK; i += N_LANES)
            for (size_t j = 0; j < N_LANES; j++)
                lane[j] += w->plain[b * BLOCK + i + j];
        w->block[b] = 0;
        for (size_t j = 0; j < N_LANES; j++)
            w->block[b] += lane[j];
        w->plain_sum += w->block[b];
    }
}

static void weigh_word(new_document *x, new_word *w)
{
    const gb_topics *t = &x->chain->topics;
    const uint32_t word = x->token[w->first].word;
    for (size_t k = 0; k < t->n_topics; k++)
        w->plain[k] = t->beta;
    for (uint64_t i = x->words->start[word]; i < x->words->start[word + 1]; i++)
        w->plain[x->words->topic[i]] += x->words->count[i];
    for (size_t i = w->first; i < w->last; i++)
        w->plain[x->token[i].before]--;
    for (size_t k = 0; k < t->n_topics; k++)
        w->plain[k] *= x->scale[k] * x->base[k];
    sum_blocks(w, count_blocks(x->chain));
    w->inverse_sum = 0;
}

/* What the tokens of a word add to the shares by their weights with base_k. */
static void share_word(new_document *x, const new_word *w)
{
    for (size_t k = 0; k < x->chain->spec->n_topics; k++)
        x->share[k] += w->plain[k] * w->inverse_sum;
}

static void count_token(new_document *x, size_t k)
{
    if (x->count[k]++ == 0) {
        x->position[k] = x->n_active;
        x->active[x->n_active++] = (uint32_t)k;
    }
}

static void uncount_token(new_document *x, size_t k)
{
    if (--x->count[k] == 0) {
        const uint32_t moved = x->active[--x->n_active];
        x->active[x->position[k]] = moved;
        x->position[moved] = x->position[k];
    }
}

/* The part of (1) with n_dk. */
static double weight_of_count(const new_document *x, const new_word *w, size_t k)
{
    return w->plain[k] * x->ratio[k] * x->count[k];
}

static size_t find_plain(const new_document *x, const new_word *w, double left)
{
    const size_t n_topics = x->chain->spec->n_topics;
    size_t b = 0;
    while ((b + 1) * BLOCK < n_topics && left >= w->block[b])
        left -= w->block[b++];
    size_t k = b * BLOCK;
    while (k + 1 < n_topics && (left -= w->plain[k]) >= 0)
        k++;
    return k;
}

static size_t find_counted(const new_document *x, const new_word *w, double left)
{
    uint32_t i = 0;
    while (i + 1 < x->n_active && (left -= weight_of_count(x, w, x->active[i])) >= 0)
        i++;
    return x->active[i];
}

/* (1) for a token that is in no count. */
static void draw_token(new_document *x, new_word *w, new_token *token, bool is_averaged)
{
    double of_counts = 0;
    for (uint32_t i = 0; i < x->n_active; i++)
        of_counts += weight_of_count(x, w, x->active[i]);
    const double sum = w->plain_sum + of_counts;
    if (is_averaged) {
        w->inverse_sum += 1 / sum;
        for (uint32_t i = 0; i < x->n_active; i++)
            x->share[x->active[i]] += weight_of_count(x, w, x->active[i]) / sum;
    }
    const double left = gb_random_uniform(&x->random) * sum;
    token->topic = (uint16_t)(left < of_counts ? find_counted(x, w, left) : find_plain(x, w, left - of_counts));
    count_token(x, token->topic);
}

/* What is left open of numbers is how far their scores go from pass to pass. */
static void note_scores(new_document *x)
{
    const gb_chain *c = x->chain;
    for (size_t l = 0; l < c->spec->n_outputs; l++) {
        const double *eta = c->eta + l * gb_spec_n_features(c->spec);
        double score = 0;
        for (uint32_t i = 0; i < x->n_active; i++)
            score += eta[x->active[i]] * x->count[x->active[i]] / (double)x->n_tokens;
        x->sum[l] += score;
        x->square[l] += score * score;
    }
}

static void draw_topics(new_document *x)
{
    enum { N_PASSES = N_BEFORE + N_AVERAGED };
    for (int pass = 0; pass < N_PASSES; pass++) {
        for (size_t i = 0; i < x->n_words; i++) {
            new_word *w = &x->word[i];
            if (pass == 0 || !has_own_row(x, i))
                weigh_word(x, w);
            for (size_t j = w->first; j < w->last; j++) {
                if (pass > 0)
                    uncount_token(x, x->token[j].topic);
                draw_token(x, w, &x->token[j], pass >= N_BEFORE);
            }
            if (pass + 1 == N_PASSES || !has_own_row(x, i))
                share_word(x, w);
        }
        if (pass >= N_BEFORE)
            note_scores(x);
    }
}

/* What expected coefficients of words make of the score beside drawn ones. */
static double shift_of_words(const new_document *x, uint64_t d, size_t output)
{
    const gb_sparse_columns *words = x->own_words;
    double shift = 0;
    for (uint64_t i = words->doc_start[d]; i < words->doc_start[d + 1]; i++)
        shift += words->value[i] * x->word_shift[output * words->n_columns + words->column[i]];
    return shift;
}

/* The chain's score with other shares of topics, and with expected coefficients of words. */
static double score_anew(const new_document *x, uint64_t d, size_t output)
{
    const gb_chain *c = x->chain;
    const double *eta = c->eta + output * gb_spec_n_features(c->spec), length = (double)x->n_tokens;
    double score = c->score[d * c->spec->n_outputs + output];
    for (size_t k = 0; k < c->spec->n_topics && x->n_tokens > 0; k++)
        score += eta[k] * (x->share[k] / N_AVERAGED - x->own[k]) / length;
    return x->word_shift == NULL ? score : score + shift_of_words(x, d, output);
}

static void score_document(const new_document *x, uint64_t d, double *score)
{
    const gb_chain *c = x->chain;
    for (size_t r = 0; r < c->spec->n_responses; r++) {
        const gb_response *response = &c->response[r];
        for (size_t l = response->first_output; l < response->first_output + response->n_outputs; l++) {
            const double mean = x->sum[l] / N_AVERAGED;
            score[l] = gb_response_pooled_score(response, score_anew(x, d, l));
            score[c->spec->n_outputs + l] = fmax(x->square[l] - N_AVERAGED * mean * mean, 0) / (N_AVERAGED - 1);
        }
    }
}

/* ---- all of them ---- */

typedef struct scoring_pass {
    gb_chain *chain;
    int64_t *total;     /* n_topics: n_k */
    size_t most_tokens; /* of a document */
    word_topics words;
    uint64_t n_docs; /* to be scored */
    const uint64_t *doc;
    double *score;   /* n_docs x gb_late_width() */
    uint64_t *start; /* n_docs + 1: where the topics of each begin */
    uint16_t *topic; /* in the order of the corpus */
    gb_design design;
    double *word_shift; /* as in new_document */
} scoring_pass;

static gb_status score_some(void *context, size_t task, size_t worker, gb_error *err)
{
    gb_status st;
    const scoring_pass *pass = context;
    const gb_spec *spec = pass->chain->spec;
    const uint64_t first = (uint64_t)task * DOCS_PER_TASK, end = first + DOCS_PER_TASK;
    new_document x = {0};
    (void)worker;
    GB_TRY(make_room(pass->chain, pass->most_tokens, &x, err));
    x.words = &pass->words;
    x.own_words = pass->design.x[GB_WORDS_BLOCK];
    x.word_shift = pass->word_shift;
    for (uint64_t i = first; i < end && i < pass->n_docs; i++) {
        begin(&x, pass->doc[i], pass->total, pass->topic + pass->start[i]);
        draw_topics(&x);
        score_document(&x, pass->doc[i], pass->score + i * gb_late_width(spec->n_outputs));
    }
done:
    clear(&x);
    return st;
}

/* What tasks only read. */
static gb_status gather(scoring_pass *pass, gb_error *err)
{
    gb_status st;
    const gb_chain *c = pass->chain;
    const gb_spec *spec = c->spec;
    GB_TRY(gb_alloc(&pass->total, spec->n_topics, sizeof *pass->total, "scores of documents", err));
    GB_TRY(gb_ring_gather(c, true, &pass->words.start, &pass->words.topic, &pass->words.count, err));
    GB_TRY(gb_alloc(&pass->start, pass->n_docs + 1, sizeof *pass->start, "scores of documents", err));
    for (size_t k = 0; k < spec->n_topics; k++)
        pass->total[k] = gb_topics_total(&c->topics, k);
    for (uint64_t i = 0; i < pass->n_docs; i++) {
        const uint64_t *start = c->corpus->doc_start + pass->doc[i], n = start[1] - start[0];
        pass->start[i + 1] = pass->start[i] + n;
        pass->most_tokens = n > pass->most_tokens ? n : pass->most_tokens;
    }
    GB_TRY(gb_alloc(&pass->topic, pass->start[pass->n_docs], sizeof *pass->topic, "scores of documents", err));
    for (uint64_t i = 0; i < pass->n_docs; i++)
        gb_chain_assignment(c, pass->doc[i], pass->topic + pass->start[i]);
done:
    return st;
}

/* Predictions are made of expected coefficients (apply/predict_words.c), so the scores that stand for them are. */
static gb_status find_word_shift(scoring_pass *pass, gb_error *err)
{
    gb_chain *c = pass->chain;
    const gb_layout layout = gb_spec_layout(c->spec);
    const gb_block *words = gb_layout_find(&layout, GB_WORDS_BLOCK);
    gb_status st = GB_OK;
    if (words == NULL || c->without_words)
        return st;
    pass->design = gb_chain_design(c);
    GB_TRY(gb_alloc(&pass->word_shift, c->spec->n_outputs * words->n, sizeof *pass->word_shift, "scores of documents",
                    err));
    GB_TRY(gb_chain_word_means(c, pass->word_shift, err));
    for (size_t l = 0; l < c->spec->n_outputs; l++)
        for (size_t j = 0; j < words->n; j++)
            pass->word_shift[l * words->n + j] -= c->eta[l * layout.n_features + words->first + j];
done:
    return st;
}

gb_status gb_chain_score_as_new(gb_chain *c, uint64_t n_docs, const uint64_t *doc, double *score, gb_error *err)
{
    gb_status st;
    scoring_pass pass = {.chain = c, .n_docs = n_docs, .doc = doc, .score = score};
    GB_TRY(gather(&pass, err));
    GB_TRY(find_word_shift(&pass, err));
    GB_TRY(gb_parallel_for((size_t)((n_docs + DOCS_PER_TASK - 1) / DOCS_PER_TASK), c->spec->n_threads, score_some,
                           &pass, err));
done:
    gb_free(pass.total);
    gb_free(pass.words.start);
    gb_free(pass.words.topic);
    gb_free(pass.words.count);
    gb_free(pass.start);
    gb_free(pass.topic);
    gb_free(pass.word_shift);
    return st;
}
