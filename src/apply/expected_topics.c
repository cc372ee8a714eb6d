/* apply/expected_topics.c - topics of new documents as they are expected, without a random number. */
#include "apply/expected_topics.h"

#include "base/memory.h"

#include <string.h>

/* Words that are settled together; those after them find their counts in the weights. */
enum { MOST_WORDS = 8192 };

/* ---- memory ---- */

static size_t most_words(const gb_application *a)
{
    const uint64_t most = a->longest < a->batch.n_local ? a->longest : a->batch.n_local;
    return most < MOST_WORDS ? (size_t)most : MOST_WORDS;
}

gb_status gb_expected_topics_create(gb_expected_topics *out, const gb_application *a, gb_error *err)
{
    gb_status st;
    const char *what = "workers";
    *out = (gb_expected_topics){.settle = GB_KERNEL_FOR(gb_isa_best(), gb_settle_words),
                                .most_words = most_words(a),
                                .stride = a->batch.stride};
    GB_TRY(gb_alloc(&out->word, out->most_words, sizeof *out->word, what, err));
    GB_TRY(gb_alloc(&out->count, out->most_words, sizeof *out->count, what, err));
    GB_TRY(gb_alloc(&out->r, out->most_words * out->stride, sizeof *out->r, what, err));
    GB_TRY(gb_alloc(&out->scale, out->stride, sizeof *out->scale, what, err));
    GB_TRY(gb_alloc(&out->weight, out->stride, sizeof *out->weight, what, err));
    GB_TRY(gb_alloc(&out->cells, out->stride, sizeof *out->cells, what, err));
    GB_TRY(gb_settling_room_create(&out->room, &a->model->prior, err));
done:
    return st;
}

void gb_expected_topics_clear(gb_expected_topics *e)
{
    gb_free(e->word);
    gb_free(e->count);
    gb_free(e->r);
    gb_free(e->scale);
    gb_free(e->weight);
    gb_free(e->cells);
    gb_settling_room_clear(&e->room);
    *e = (gb_expected_topics){0};
}

/* ---- a document ---- */

/* The next different words from token `i` on, in the order of the vocabulary, so that equal ones are neighbours.  @return the token after */
static uint64_t list_words(gb_expected_topics *e, const uint32_t *word, uint64_t i, uint64_t end)
{
    for (e->n_words = 0; i < end; i++) {
        if (e->n_words == 0 || e->word[e->n_words - 1] != word[i]) {
            if (e->n_words == e->most_words)
                break;
            e->word[e->n_words] = word[i];
            e->count[e->n_words++] = 0;
        }
        e->count[e->n_words - 1]++;
    }
    return i;
}

/* n_w r_wk of the words at hand. */
static void note_counts(const gb_expected_topics *e, size_t n_topics, double *by_word)
{
    for (size_t i = 0; i < e->n_words; i++)
        for (size_t k = 0; k < n_topics; k++)
            by_word[i * n_topics + k] = (double)e->count[i] * (double)e->r[i * e->stride + k];
}

bool gb_expected_topics_settle(gb_expected_topics *e, gb_application *a, uint64_t d,
                               const gb_prior_document *document, const double *scale, size_t worker, double *share,
                               double *by_word)
{
    const size_t n_topics = a->model->n_topics;
    const uint64_t end = a->docs->doc_start[d + 1];
    gb_settling s = {.rows = &a->batch.rows,
                     .beta = (float)a->batch.beta,
                     .stride = e->stride,
                     .word = e->word,
                     .count = e->count,
                     .scale = e->scale,
                     .weight = e->weight,
                     .r = e->r,
                     .cells = e->cells};
    double sum = 0;
    memset(share, 0, n_topics * sizeof *share);
    for (uint64_t i = a->docs->doc_start[d]; i < end;) {
        if (!gb_application_goes_on(a, worker))
            return false;
        i = list_words(e, a->batch.word, i, end);
        s.n = e->n_words;
        gb_settle(&s, e->settle, &a->prior, document, scale, share, &e->room);
        if (by_word != NULL) {
            note_counts(e, n_topics, by_word);
            by_word += e->n_words * n_topics;
        }
    }
    for (size_t k = 0; k < n_topics; k++)
        sum += share[k]; /* the length, but for rounding */
    for (size_t k = 0; k < n_topics; k++)
        share[k] /= sum;
    return true;
}

/* Topics that a word hardly has. */
static const float LEAST_SHARE = 1e-4F;

void gb_expected_topics_open(const gb_expected_topics *e, size_t n_topics, size_t n_scores, const double *eta,
                             double *open)
{
    double *mean = open + n_scores, *square = open + 2 * n_scores;
    memset(open, 0, n_scores * sizeof *open);
    for (size_t i = 0; i < e->n_words; i++) {
        memset(mean, 0, 2 * n_scores * sizeof *mean);
        for (size_t k = 0; k < n_topics; k++) {
            const double r = (double)e->r[i * e->stride + k];
            if (e->r[i * e->stride + k] < LEAST_SHARE)
                continue;
            for (size_t l = 0; l < n_scores; l++) {
                const double x = eta[k * n_scores + l];
                mean[l] += r * x;
                square[l] += r * x * x;
            }
        }
        for (size_t l = 0; l < n_scores; l++)
            open[l] += (double)e->count[i] * (square[l] - mean[l] * mean[l]);
    }
}
