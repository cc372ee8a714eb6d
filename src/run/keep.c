/* run/keep.c - keep the state of a chain as a posterior draw. */
#include "run/keep.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "chain/ring.h"
#include "coefficient/shrinkage.h"
#include "run/score_blocks.h"
#include "team/sums.h"

#include <math.h>
#include <string.h>

static const char what[] = "a posterior draw";

/* Memory for what a draw has and a chain has not. */
typedef struct kept_arrays {
    uint64_t *word_start;
    uint16_t *topic;
    uint32_t *count;
    float *word;
    double *eta, *shrinkage, *score, *share, *loss, *sample_score, *block_share, *word_average;
} kept_arrays;

static void clear(kept_arrays *a)
{
    gb_free(a->word_start);
    gb_free(a->topic);
    gb_free(a->count);
    gb_free(a->word);
    gb_free(a->eta);
    gb_free(a->shrinkage);
    gb_free(a->score);
    gb_free(a->share);
    gb_free(a->loss);
    gb_free(a->sample_score);
    gb_free(a->block_share);
    gb_free(a->word_average);
}

/* ---- scores ---- */

struct score_sums {
    const gb_chain *chain;
    const double *mean; /* n_outputs */
};

static void add_scores(const void *context, uint64_t first, uint64_t last, double *sum)
{
    const struct score_sums *s = context;
    const size_t n = s->chain->spec->n_outputs;
    for (uint64_t d = first; d < last; d++)
        for (size_t l = 0; l < n; l++)
            sum[l] += s->chain->score[d * n + l];
}

static void add_squares(const void *context, uint64_t first, uint64_t last, double *sum)
{
    const struct score_sums *s = context;
    const size_t n = s->chain->spec->n_outputs;
    for (uint64_t d = first; d < last; d++)
        for (size_t l = 0; l < n; l++) {
            const double off = s->chain->score[d * n + l] - s->mean[l];
            sum[l] += off * off;
        }
}

/* Mean and standard deviation (divided by the number of documents) of each output's scores. */
static gb_status summarise_scores(const gb_chain *c, kept_arrays *a, gb_error *err)
{
    gb_status st;
    const size_t n_outputs = c->spec->n_outputs;
    const double n = (double)c->here->n_all_docs;
    double *mean = NULL, *square = NULL;
    GB_TRY(gb_alloc(&a->score, 2 * n_outputs, sizeof *a->score, what, err));
    GB_TRY(gb_alloc(&mean, n_outputs, sizeof *mean, what, err));
    GB_TRY(gb_alloc(&square, n_outputs, sizeof *square, what, err));
    const struct score_sums sums = {c, mean};
    GB_TRY(gb_sum_documents(&c->portion, c->corpus->n_docs, add_scores, &sums, n_outputs, mean, err));
    for (size_t l = 0; l < n_outputs; l++)
        mean[l] /= n;
    GB_TRY(gb_sum_documents(&c->portion, c->corpus->n_docs, add_squares, &sums, n_outputs, square, err));
    for (size_t l = 0; l < n_outputs; l++) {
        a->score[2 * l] = mean[l];
        a->score[2 * l + 1] = sqrt(square[l] / n);
    }
done:
    gb_free(mean);
    gb_free(square);
    return st;
}

static gb_status find_shrinkage(const gb_chain *c, kept_arrays *a, gb_error *err)
{
    const gb_layout layout = gb_spec_layout(c->spec);
    const size_t n = c->spec->n_outputs * gb_layout_n_shrunken(&layout);
    gb_status st = gb_alloc(&a->shrinkage, n, sizeof *a->shrinkage, what, err);
    if (st != GB_OK)
        return st;
    const gb_design design = gb_chain_design(c);
    return gb_coefficient_shrinkage(&c->portion, &c->scales, &design, c->term, a->shrinkage, err);
}

/* ---- mean shares of topics ---- */

enum { SHARE_PIECES = 16 }; /* of the documents, or as many as there are parts; threads share them out */

typedef struct share_sums {
    const gb_chain *chain;
    size_t n_topics;
    size_t n_pieces; /* of a part */
    double *sum;     /* parts x n_pieces x n_topics */
} share_sums;

/* Where piece i of part p begins. */
static uint64_t first_of_piece(const share_sums *s, size_t p, size_t i)
{
    const uint64_t first = s->chain->portion.part_start[p], n = s->chain->portion.part_start[p + 1] - first;
    return first + n / s->n_pieces * i + (i < n % s->n_pieces ? i : n % s->n_pieces);
}

/* Token by token, or as they were given. */
static void add_document(const gb_chain *c, uint64_t d, double *sum)
{
    const uint64_t *start = c->corpus->doc_start;
    const double one = 1 / (double)(start[d + 1] - start[d]);
    if (c->z.given_length == NULL) {
        for (uint64_t i = start[d]; i < start[d + 1]; i++)
            sum[c->topic[i]] += one;
        return;
    }
    const gb_document_topics t = gb_proportions_of(&c->z, d);
    for (size_t i = 0; i < t.n; i++)
        sum[t.topic[i]] += t.count[i] / c->z.given_length[d];
}

static gb_status add_piece(void *context, size_t task, size_t worker, gb_error *err)
{
    const share_sums *s = context;
    const size_t p = task / s->n_pieces, i = task % s->n_pieces;
    (void)worker, (void)err;
    for (uint64_t d = first_of_piece(s, p, i); d < first_of_piece(s, p, i + 1); d++)
        add_document(s->chain, d, s->sum + task * s->n_topics);
    return GB_OK;
}

static gb_status find_mean_shares(const gb_chain *c, kept_arrays *a, gb_error *err)
{
    gb_status st;
    share_sums s = {.chain = c, .n_topics = c->spec->n_topics};
    s.n_pieces = c->spec->n_parts < SHARE_PIECES ? SHARE_PIECES / c->spec->n_parts : 1;
    const size_t n = c->portion.n_parts * s.n_pieces;
    double total = 0;
    GB_TRY(gb_alloc(&a->share, s.n_topics, sizeof *a->share, what, err));
    GB_TRY(gb_alloc(&s.sum, n * s.n_topics, sizeof *s.sum, what, err));
    GB_TRY(gb_parallel_for(n, c->spec->n_threads, add_piece, &s, err));
    GB_TRY(gb_team_add_rows(c->portion.team, n, s.n_topics, s.sum, a->share, err));
    for (size_t k = 0; k < s.n_topics; k++)
        total += a->share[k];
    for (size_t k = 0; k < s.n_topics; k++)
        a->share[k] /= total; /* the number of documents with words: a corpus has tokens */
done:
    gb_free(s.sum);
    return st;
}

gb_status gb_keep_path(const gb_settings *settings, char **out, gb_error *err)
{
    const char *model = gb_settings_text(settings, "model"), *slash = strrchr(model, '/');
    if (*model == '\0' || strcmp(model, "-") == 0)
        return gb_copy_text(out, "", 0, err);
    return slash == NULL ? gb_copy_text(out, "./", 2, err)
                         : gb_copy_text(out, model, (size_t)(slash - model) + 1, err);
}

/* Each rank has some of them. */
static gb_status find_sample_scores(const gb_chain *c, kept_arrays *a, gb_error *err)
{
    gb_status st;
    const uint64_t n_docs = c->here->n_all_docs, first = c->portion.first_doc;
    const size_t n_outputs = c->spec->n_outputs, n = gb_sample_size(n_docs, n_outputs);
    GB_TRY(gb_alloc(&a->sample_score, n * n_outputs, sizeof *a->sample_score, what, err));
    for (size_t i = 0; i < n; i++) {
        const uint64_t d = gb_sample_document(n_docs, n, i);
        if (first <= d && d < first + c->portion.n_docs)
            memcpy(a->sample_score + i * n_outputs, c->score + (d - first) * n_outputs, n_outputs * sizeof *c->score);
    }
    GB_TRY(gb_team_merge(c->portion.team, a->sample_score, n * n_outputs * sizeof *a->sample_score, err));
done:
    return st;
}

/* Only rank 0 needs them if it alone has a file. */
static gb_status find_topics(const gb_chain *c, const gb_draw_file *file, kept_arrays *a, gb_error *err)
{
    gb_team *team = c->portion.team;
    bool at_all = file != NULL && gb_team_rank(team) > 0;
    const gb_status st = gb_team_any(team, &at_all, err);
    if (st != GB_OK)
        return st;
    const gb_status gathered = gb_ring_gather(c, at_all, &a->word_start, &a->topic, &a->count, err);
    const bool is_mine = a->count != NULL || a->word_start == NULL || a->word_start[c->topics.n_words] == 0;
    return gathered == GB_OK && is_mine
               ? gb_wording_tree_append(&c->wordings, &a->word_start, &a->topic, &a->count, err)
               : gathered;
}

/* ---- coefficients of words ---- */

/* What a snapshot has of them: all, and what is expected of them. */
static gb_status find_words(gb_chain *c, kept_arrays *a, gb_error *err)
{
    gb_status st;
    const gb_word_moments *words = &c->words;
    const size_t n_features = gb_spec_n_features(c->spec), n = words->n_outputs * words->n_words;
    double *expected = NULL;
    GB_TRY(gb_alloc(&expected, n, sizeof *expected, what, err));
    GB_TRY(gb_chain_word_means(c, expected, err));
    gb_word_moments_add_expected(&c->words, c->sweep, expected);
    GB_TRY(gb_alloc(&a->word, n, sizeof *a->word, what, err));
    for (size_t l = 0; l < words->n_outputs; l++)
        for (size_t j = 0; j < words->n_words; j++)
            a->word[l * words->n_words + j] = (float)c->eta[l * n_features + words->first + j];
done:
    gb_free(expected);
    return st;
}

/* Rows without words, which stand before the last `n_after` numbers. */
static gb_status leave_words_out(const gb_chain *c, size_t n_after, const double *from, double **out, gb_error *err)
{
    const size_t first = c->words.first, n = first + n_after;
    const gb_status st = gb_alloc(out, c->spec->n_outputs, n * sizeof **out, what, err);
    for (size_t l = 0; st == GB_OK && l < c->spec->n_outputs; l++) {
        const double *row = from + l * (n + c->words.n_words);
        memcpy(*out + l * n, row, first * sizeof *row);
        if (n_after > 0)
            memcpy(*out + l * n + first, row + first + c->words.n_words, n_after * sizeof *row);
    }
    return st;
}

static gb_status find_word_average(const gb_chain *c, kept_arrays *a, gb_error *err)
{
    const double *mean = gb_coding_words(c->spec->coding)->mean;
    const size_t n_features = gb_spec_n_features(c->spec);
    const gb_status st = gb_alloc(&a->word_average, c->spec->n_outputs, sizeof *a->word_average, what, err);
    for (size_t l = 0; st == GB_OK && l < c->spec->n_outputs; l++)
        for (size_t j = 0; j < c->words.n_words; j++)
            a->word_average[l] += mean[j] * c->eta[l * n_features + c->words.first + j];
    return st;
}

/* Note the words' coefficients, and leave them out of what a draw has. */
static gb_status keep_words_apart(gb_chain *c, kept_arrays *a, gb_error *err)
{
    gb_status st;
    const gb_layout layout = gb_spec_layout(c->spec);
    const size_t n_shrunken = gb_layout_n_shrunken(&layout), n_features = gb_spec_n_features(c->spec);
    double *all = a->shrinkage;
    gb_word_moments_add(&c->words, c->sweep, n_features, c->eta, n_shrunken, all);
    GB_TRY(leave_words_out(c, n_features - n_shrunken, c->eta, &a->eta, err));
    GB_TRY(find_word_average(c, a, err));
    if (all == NULL)
        goto done;
    a->shrinkage = NULL;
    st = leave_words_out(c, 0, all, &a->shrinkage, err);
    gb_free(all);
done:
    return st;
}

static gb_words_so_far words_so_far(const gb_word_moments *m)
{
    if (m->n_words == 0)
        return (gb_words_so_far){0};
    return (gb_words_so_far){.n_draws = m->count[GB_WORDS_DRAWN],
                             .n_expected = m->count[GB_WORDS_EXPECTED],
                             .mean = m->mean,
                             .square = m->square,
                             .expected = m->expected,
                             .shrinkage = m->shrinkage};
}

gb_status gb_keep_draw(gb_draw_file *file, gb_chain *c, size_t first_output, bool with_topics, double *log_joint,
                       gb_error *err)
{
    gb_status st;
    kept_arrays a = {0};
    double joint;
    if (with_topics)
        GB_TRY(find_topics(c, file, &a, err));
    if (with_topics && c->words.n_words > 0)
        GB_TRY(find_words(c, &a, err));
    GB_TRY(gb_alloc(&a.loss, c->spec->n_responses, sizeof *a.loss, what, err));
    GB_TRY(gb_chain_summary(c, NULL, &joint, a.loss, err));
    GB_TRY(summarise_scores(c, &a, err));
    GB_TRY(find_sample_scores(c, &a, err));
    GB_TRY(find_mean_shares(c, &a, err));
    GB_TRY(gb_score_blocks(c, a.score, &a.block_share, err));
    if (c->scales.prior != NULL && c->scales.prior->ops->shrinks)
        GB_TRY(find_shrinkage(c, &a, err));
    if (c->words.n_words > 0)
        GB_TRY(keep_words_apart(c, &a, err));
    const gb_draw draw = {.chain = c->number,
                          .sweep = c->sweep,
                          .log_joint = &joint,
                          .word_start = a.word_start,
                          .topic = a.topic,
                          .count = a.count,
                          .word = a.word,
                          .words = words_so_far(&c->words),
                          .prior = c->prior.values,
                          .first_output = first_output,
                          .n_outputs = c->spec->n_outputs,
                          .eta = a.eta == NULL ? c->eta : a.eta,
                          .own = c->own,
                          .shrinkage = a.shrinkage,
                          .score = a.score,
                          .share = a.share,
                          .loss = a.loss,
                          .sample_score = a.sample_score,
                          .block_share = a.block_share,
                          .word_average = a.word_average,
                          .beta = c->topics.sampled_beta,
                          .wording = c->wordings.concentration};
    if (file != NULL)
        GB_TRY(gb_draw_file_append(file, &draw, err));
    if (log_joint != NULL)
        *log_joint = joint;
done:
    clear(&a);
    return st;
}

gb_status gb_keep_last(gb_draw_file *file, gb_chain *c, size_t first_output, gb_error *err)
{
    const size_t number = (size_t)c->number;
    bool is_wanted = file != NULL && gb_draw_file_count(file, number) > 0 && !gb_draw_file_has_topics(file, number);
    const gb_status st = gb_team_any(c->portion.team, &is_wanted, err);
    if (st != GB_OK || !is_wanted)
        return st;
    if (file != NULL)
        gb_draw_file_forget_sweep(file, number, c->sweep);
    return gb_keep_draw(file, c, first_output, true, NULL, err);
}
