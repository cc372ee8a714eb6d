/* chain/score_as_new.c - the scores that documents of a chain would have if they were new to it.
 *
 * Those that the chain has are not like that: topics of a document that stays in the chain keep each other where they are, in all sweeps
 * alike, and are too extreme (measured: standard deviation of scores 0.56, of new documents 0.49).  So its topics are those that predictions
 * expect of a new one (token/expected.h), with topic-word counts that leave the document out; under a prior whose weights are the same for
 * all documents, those given the weights.  For the same reason words count by their expected coefficients (coefficient/word_means.h), as they do
 * in predictions.
 *
 * A document is scored twice: as it is, and cut to its first words, gb_spec_late_cut() of them, as if these were the text. */
#include "chain/score_as_new.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "chain/ring.h"
#include "token/expected.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DOCS_PER_TASK = 16 };

/* Room for the counts of different words; those of a long document are settled one part after the other. */
enum { ROW_BYTES = 8 << 20 };

/* The largest count of a word in a bag, whose counts are multiples of probabilities as in apply/batch.h; and what cutting them to whole
 * numbers takes away, on average. */
enum { FIXED_POINT = 1 << 30 };
static const double HALF_A_COUNT = 0.5;

/* ---- a document ---- */

typedef struct new_token {
    uint32_t word;
    uint32_t position; /* in the text, from 0 on */
    uint16_t before;   /* its topic in the chain */
} new_token;

/* The topics that words have: word rows of this rank and of others. */
typedef struct word_topics {
    uint64_t *start; /* n_words + 1 */
    uint16_t *topic;
    uint32_t *count;
} word_topics;

/* The document at hand; the longest one has room.  Arrays of floats by topic are of `stride` numbers, with padding 0. */
typedef struct new_document {
    const gb_chain *chain;
    const word_topics *words;
    const gb_sparse_columns *own_words; /* of all documents: the words that have coefficients */
    const double *word_shift;           /* n_outputs x these words: coefficients expected less those drawn; or NULL */
    gb_settle_words *settle;
    new_token *token;                         /* in the order of the words */
    size_t n_tokens, n_rows, n_words, stride; /* n_words: at hand */
    gb_rows rows;                             /* n_rows of 32 bits: counts of words, without the document */
    uint32_t *handle;                         /* n_rows: their names */
    uint32_t *word;                           /* n_rows: whose they are */
    uint32_t *multiple;                       /* n_rows: tokens of the words at hand */
    float *count, *r;                         /* the same, and their expected topics: see gb_settling */
    float *product, *weight, *cells;
    double *share, *base, *scale, *used; /* by topic; used: scale, or pulled by coefficients */
    double *bag_scale;                   /* bags x n_topics: scale of words in bags; NULL without */
    double beta;                         /* what counts are increased by */
    double *numbers;                     /* what the prior keeps of the document */
    uint32_t group;
    gb_settling_room settling;
    uint32_t *own;    /* by topic: n_dk in the chain; of all bags, then of each */
    uint32_t *column; /* n_rows, as `value`: words of a cut document as columns */
    double *value;
} new_document;

static void clear(new_document *x)
{
    gb_free(x->token);
    gb_free(x->rows.data);
    gb_free(x->handle);
    gb_free(x->count);
    gb_free(x->r);
    gb_free(x->product);
    gb_free(x->share);
    gb_free(x->numbers);
    gb_settling_room_clear(&x->settling);
    gb_free(x->own);
    gb_free(x->bag_scale);
    gb_free(x->value);
}

/* On failure, too, clear() takes what there is. */
static gb_status make_room(const gb_chain *c, size_t most_tokens, new_document *x, gb_error *err)
{
    gb_status st;
    const char *what = "scores of documents";
    const size_t n = c->spec->n_topics, stride = (n + GB_LANES - 1) / GB_LANES * GB_LANES,
                 n_found = ROW_BYTES / (stride * (sizeof(uint32_t) + sizeof *x->r)),
                 n_rows = n_found < GB_MOST_LATE_CUT ? GB_MOST_LATE_CUT : n_found;
    *x = (new_document){.chain = c, .stride = stride, .settle = GB_KERNEL_FOR(c->spec->isa, gb_settle_words)};
    x->n_rows = n_rows < most_tokens ? n_rows : most_tokens;
    GB_TRY(gb_alloc(&x->token, most_tokens, sizeof *x->token, what, err));
    GB_TRY(gb_alloc(&x->rows.data, x->n_rows * stride, sizeof(uint32_t), what, err));
    GB_TRY(gb_alloc(&x->handle, 4 * x->n_rows, sizeof *x->handle, what, err));
    GB_TRY(gb_alloc(&x->count, x->n_rows, sizeof *x->count, what, err));
    GB_TRY(gb_alloc(&x->r, x->n_rows * stride, sizeof *x->r, what, err));
    GB_TRY(gb_alloc(&x->product, 3 * stride, sizeof *x->product, what, err));
    GB_TRY(gb_alloc(&x->share, 4 * n, sizeof *x->share, what, err));
    GB_TRY(gb_alloc(&x->numbers, gb_prior_document_numbers(c->prior.setup), sizeof *x->numbers, what, err));
    GB_TRY(gb_settling_room_create(&x->settling, c->prior.setup, err));
    const size_t n_bags = c->spec->bags.n;
    GB_TRY(gb_alloc(&x->own, (1 + (n_bags > 1 ? n_bags : 0)) * n, sizeof *x->own, what, err));
    if (n_bags > 1)
        GB_TRY(gb_alloc(&x->bag_scale, n_bags * n, sizeof *x->bag_scale, what, err));
    x->beta = n_bags > 1 ? HALF_A_COUNT : c->topics.beta;
    GB_TRY(gb_alloc(&x->value, x->n_rows, sizeof *x->value, what, err));
    x->word = GB_FROM(x->handle, x->n_rows);
    x->multiple = GB_FROM(x->handle, 2 * x->n_rows);
    x->column = GB_FROM(x->handle, 3 * x->n_rows);
    x->weight = x->product + stride;
    x->cells = x->product + 2 * stride;
    x->base = x->share + n;
    x->scale = x->share + 2 * n;
    x->used = x->share + 3 * n;
    for (size_t i = 0; i < x->n_rows; i++)
        x->handle[i] = (uint32_t)(i * stride * sizeof(uint32_t) / GB_ROW_ALIGNMENT) << 2 | GB_WIDTH_32;
done:
    return st;
}

static int by_word(const void *a, const void *b)
{
    const new_token *x = a, *y = b;
    const int order = (x->word > y->word) - (x->word < y->word);
    return order != 0 ? order : (x->position > y->position) - (x->position < y->position);
}

static void begin(new_document *x, uint64_t d, const int64_t *total, const uint16_t *topic)
{
    const gb_chain *c = x->chain;
    const uint64_t first = c->corpus->doc_start[d];
    const gb_bags *bags = &c->spec->bags;
    const size_t n_topics = c->spec->n_topics;
    x->n_tokens = (size_t)(c->corpus->doc_start[d + 1] - first);
    memmove(x->base, c->prior.ops->base(&c->prior, d, x->base), c->spec->n_topics * sizeof *x->base);
    x->group = c->prior.ops->groups == NULL ? 0 : c->prior.ops->groups->of_document(&c->prior, d);
    memset(x->own, 0, (1 + (bags->n > 1 ? bags->n : 0)) * n_topics * sizeof *x->own);
    for (size_t i = 0; i < x->n_tokens; i++) {
        x->token[i] = (new_token){.word = c->corpus->word[first + i], .position = (uint32_t)i, .before = topic[i]};
        x->own[topic[i]]++;
        if (bags->n > 1)
            x->own[(1 + gb_bag_of(bags, c->corpus->word[first + i])) * n_topics + topic[i]]++;
    }
    qsort(x->token, x->n_tokens, sizeof *x->token, by_word);
    for (size_t k = 0; k < n_topics; k++)
        x->scale[k] = bags->n > 1 ? 1 : 1 / ((double)(total[k] - x->own[k]) + gb_topics_beta_sum(&c->topics, 0));
    for (size_t i = 0; bags->n > 1 && i < bags->n * n_topics; i++)
        x->bag_scale[i] =
            1 / ((double)(total[i] - x->own[n_topics + i]) + gb_topics_beta_sum(&c->topics, i / n_topics));
}

/* Topics have different totals in each bag: multiples of the probabilities take the place of counts. */
static void scale_row(const new_document *x, uint32_t word, uint32_t *row)
{
    const size_t n_topics = x->chain->spec->n_topics;
    const double *scale = x->bag_scale + gb_bag_of(&x->chain->spec->bags, word) * n_topics,
                 beta = x->chain->topics.beta;
    double largest = 0;
    for (size_t k = 0; k < n_topics; k++)
        largest = fmax(largest, (row[k] + beta) * scale[k]);
    for (size_t k = 0; k < n_topics; k++)
        row[k] = (uint32_t)((row[k] + beta) * scale[k] / largest * FIXED_POINT);
}

/* The counts of a word whose tokens in the document are first .. last - 1, in a row. */
static void count_word(new_document *x, size_t first, size_t last)
{
    const uint32_t word = x->token[first].word;
    uint32_t *row = (uint32_t *)(void *)gb_handle_row(&x->rows, x->handle[x->n_words]);
    memset(row, 0, x->stride * sizeof *row);
    for (uint64_t i = x->words->start[word]; i < x->words->start[word + 1]; i++)
        row[x->words->topic[i]] += x->words->count[i];
    for (size_t i = first; i < last; i++)
        row[x->token[i].before]--;
    if (x->bag_scale != NULL)
        scale_row(x, word, row);
    x->word[x->n_words] = word;
}

/* The next words that are among the first `length` of the text.  @return the token after */
static size_t list_words(new_document *x, size_t first, size_t length)
{
    size_t last;
    for (x->n_words = 0; first < x->n_tokens && x->n_words < x->n_rows; first = last) {
        uint32_t multiple = 0;
        for (last = first; last < x->n_tokens && x->token[last].word == x->token[first].word; last++)
            multiple += x->token[last].position < length;
        if (multiple == 0)
            continue;
        count_word(x, first, last);
        x->multiple[x->n_words] = multiple;
        x->count[x->n_words++] = (float)multiple;
    }
    return first;
}

/* ---- topics ---- */

/* Whether expected topics of words depend on each other. */
static bool settles(const gb_chain *c)
{
    return c->prior.ops->unit > 0 || c->prior.ops->documents->settle != NULL;
}

/* Expected topics of the words at hand where they do not: added to the shares. */
static void share_out(new_document *x)
{
    const gb_chain *c = x->chain;
    for (size_t i = 0; i < x->n_words; i++) {
        const uint32_t *row = (const uint32_t *)(const void *)gb_handle_row(&x->rows, x->handle[i]);
        float *r = x->r + i * x->stride, sum = 0;
        for (size_t k = 0; k < c->spec->n_topics; k++)
            sum += r[k] = (float)(((double)row[k] + x->beta) * x->used[k] * x->base[k]);
        for (size_t k = 0; k < c->spec->n_topics && sum > 0; k++) {
            r[k] /= sum;
            x->share[k] += x->multiple[i] * (double)r[k];
        }
    }
}

/* The words at hand, in a text of so many. */
static void settle_words(new_document *x, size_t length)
{
    const gb_chain *c = x->chain;
    const gb_settling s = {.rows = &x->rows,
                           .beta = (float)x->beta,
                           .stride = x->stride,
                           .n = x->n_words,
                           .word = x->handle,
                           .count = x->count,
                           .scale = x->product,
                           .weight = x->weight,
                           .r = x->r,
                           .cells = x->cells};
    const gb_prior_document document = {.group = x->group, .length = length, .numbers = x->numbers, .base = x->base};
    gb_settle(&s, x->settle, &c->prior, &document, x->used, x->share, &x->settling);
}

/* What the topics of a text of so many words leave open of a sum over them, where each word's are its own; nothing where they are not,
 * for there the answer is that of coefficients that pull. */
static double open_sum(const new_document *x, const double *eta)
{
    double open = 0;
    for (size_t i = 0; i < x->n_words; i++) {
        const float *r = x->r + i * x->stride;
        double mean = 0, square = 0;
        for (size_t k = 0; k < x->chain->spec->n_topics; k++) {
            mean += (double)r[k] * eta[k];
            square += (double)r[k] * eta[k] * eta[k];
        }
        open += x->multiple[i] * (square - mean * mean);
    }
    return open;
}

/* x->share: expected shares of topics in the first `length` words.  @param eta  NULL, or coefficients
 * @return what these words leave open of a sum with these coefficients, if the weights are given */
static double expect_shares(new_document *x, size_t length, const double *eta)
{
    const gb_chain *c = x->chain;
    const size_t n_topics = c->spec->n_topics;
    const bool is_settling = settles(c);
    double open = 0;
    memset(x->share, 0, n_topics * sizeof *x->share);
    for (size_t first = 0; first < x->n_tokens;) {
        first = list_words(x, first, length);
        if (is_settling)
            settle_words(x, length);
        else
            share_out(x);
        open += !is_settling && eta != NULL ? open_sum(x, eta) : 0;
    }
    for (size_t k = 0; k < n_topics; k++)
        x->share[k] /= (double)length;
    return open;
}

static double mean_of(const new_document *x, const double *eta)
{
    double mean = 0;
    for (size_t k = 0; k < x->chain->spec->n_topics; k++)
        mean += x->share[k] * eta[k];
    return mean;
}

/* The mean where topics are pulled by their coefficients: apply/predict_spread.c. */
static double pulled_mean(new_document *x, size_t length, const double *eta, double low, double pull)
{
    for (size_t k = 0; k < x->chain->spec->n_topics; k++)
        x->used[k] = x->scale[k] * exp(pull * (eta[k] - low));
    (void)expect_shares(x, length, NULL);
    return mean_of(x, eta);
}

/* What the first `length` words leave open of a score. */
static double find_variance(new_document *x, size_t length, const double *eta)
{
    const size_t n_topics = x->chain->spec->n_topics;
    double low = INFINITY, high = -INFINITY;
    if (length == 0)
        return 0;
    if (!settles(x->chain))
        return expect_shares(x, length, eta) / ((double)length * (double)length);
    for (size_t k = 0; k < n_topics; k++) {
        low = fmin(low, eta[k]);
        high = fmax(high, eta[k]);
    }
    if (!(high > low))
        return 0;
    const double pull = GB_SETTLING_PULL / (high - low), up = pulled_mean(x, length, eta, low, pull);
    const double variance = (up - pulled_mean(x, length, eta, low, -pull)) / (2 * pull * (double)length);
    memcpy(x->used, x->scale, n_topics * sizeof *x->used);
    return fmax(variance, 0);
}

/* ---- scores ---- */

/* The words' part of the score with expected coefficients, less that with those drawn; of a text that is cut, the former is of its words. */
static double shift_of_words(const new_document *x, uint64_t d, size_t output, uint64_t n_columns)
{
    const gb_chain *c = x->chain;
    const gb_layout layout = gb_spec_layout(c->spec);
    const double *eta = c->eta + output * layout.n_features + gb_layout_find(&layout, GB_WORDS_BLOCK)->first,
                 *by_word = x->word_shift + output * x->own_words->n_columns;
    const gb_sparse_columns *words = x->own_words;
    const bool is_cut = n_columns < UINT64_MAX;
    double shift = 0;
    for (uint64_t i = words->doc_start[d]; i < words->doc_start[d + 1]; i++)
        shift += words->value[i] * (is_cut ? -eta[words->column[i]] : by_word[words->column[i]]);
    for (uint64_t i = 0; is_cut && i < n_columns; i++)
        shift += x->value[i] * (eta[x->column[i]] + by_word[x->column[i]]);
    return shift;
}

/* The words of the first `length` as columns; there is room for those of a text that is cut. */
static uint64_t list_columns(new_document *x, size_t length)
{
    const gb_word_coding *coding = gb_coding_words(x->chain->spec->coding);
    (void)list_words(x, 0, length);
    return gb_word_row(coding->value, coding->weight, x->n_words, x->word, x->multiple, x->column, x->value);
}

/* The chain's score of the first `length` words, with their expected topics and coefficients. */
static void score_text(new_document *x, uint64_t d, size_t length, double *score)
{
    const gb_chain *c = x->chain;
    const bool is_cut = length < x->n_tokens;
    const uint64_t n_columns = x->word_shift == NULL || !is_cut ? UINT64_MAX : list_columns(x, length);
    memcpy(x->used, x->scale, c->spec->n_topics * sizeof *x->used);
    if (length > 0)
        (void)expect_shares(x, length, NULL);
    for (size_t l = 0; l < c->spec->n_outputs; l++) {
        const double *eta = c->eta + l * gb_spec_n_features(c->spec);
        score[l] = c->score[d * c->spec->n_outputs + l];
        for (size_t k = 0; k < c->spec->n_topics && length > 0; k++)
            score[l] += eta[k] * (x->share[k] - x->own[k] / (double)x->n_tokens);
        if (x->word_shift != NULL)
            score[l] += shift_of_words(x, d, l, n_columns);
    }
}

static void add_variances(new_document *x, size_t length, const gb_response *response, double *variance)
{
    for (size_t l = response->first_output; l < response->first_output + response->n_outputs; l++)
        variance[l] = response->ops->target == GB_TARGET_CLASS
                          ? 0
                          : find_variance(x, length, x->chain->eta + l * gb_spec_n_features(x->chain->spec));
}

static void score_document(new_document *x, uint64_t d, double *out)
{
    const gb_chain *c = x->chain;
    const size_t n = c->spec->n_outputs,
                 cut = (size_t)gb_spec_late_cut(c->spec, c->portion.first_doc + d, x->n_tokens),
                 length[] = {x->n_tokens, cut};
    for (size_t i = 0; i < 2; i++) {
        double *score = out + i * n;
        if (i > 0 && cut == x->n_tokens) { /* not cut */
            memcpy(score, out, n * sizeof *score);
            continue;
        }
        score_text(x, d, length[i], score);
        for (size_t r = 0; r < c->spec->n_responses; r++)
            for (size_t l = c->response[r].first_output; l < c->response[r].first_output + c->response[r].n_outputs;
                 l++)
                score[l] = gb_response_pooled_score(&c->response[r], score[l]);
    }
    for (size_t i = 0; gb_late_has_variances(c->spec) && i < 2; i++)
        for (size_t r = 0; r < c->spec->n_responses; r++)
            add_variances(x, length[i], &c->response[r], out + (2 + i) * n);
}

/* ---- all of them ---- */

typedef struct scoring_pass {
    gb_chain *chain;
    int64_t *total;     /* bags x n_topics: n_k */
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
        score_document(&x, pass->doc[i], pass->score + i * gb_late_width(spec));
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
    GB_TRY(gb_alloc(&pass->total, spec->bags.n * spec->n_topics, sizeof *pass->total, "scores of documents", err));
    GB_TRY(gb_ring_gather(c, true, &pass->words.start, &pass->words.topic, &pass->words.count, err));
    GB_TRY(gb_alloc(&pass->start, pass->n_docs + 1, sizeof *pass->start, "scores of documents", err));
    for (size_t i = 0; i < spec->bags.n * spec->n_topics; i++)
        pass->total[i] = gb_topics_bag_total(&c->topics, i / spec->n_topics, i % spec->n_topics);
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
