/* bench/words/words.c - what a draw of the coefficients of words costs, one by one and all at once: docs/measured/performance.md.
 *
 *   gibbous_bench_words DOCUMENTS WORDS WORDS_OF_DOCUMENT OUTPUTS SWEEPS
 *
 * Documents of that many different words, frequent and rare ones as in a language, as rows of unit length; labels that some words
 * tell; a logistic response.  A sweep draws its augmentation, the coefficients and their variance, as a chain does.  Seconds are of
 * one core and of the draw of coefficients alone. */
#include "base/memory.h"
#include "coefficient/parts.h"
#include "design/scores.h"
#include "plan/response_defaults.h"
#include "response/response.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

typedef struct problem {
    size_t n_docs, n_words, per_doc, n_outputs, n_features;
    uint64_t *doc_start; /* of topics: there is one, without tokens */
    gb_proportions z;
    gb_sparse_columns x;
    gb_coefficient_prior prior;
    gb_coefficient_scales scales;
    double *variance, *y, *score, *eta, *by_feature;
    size_t *column;
    gb_score_term *term;
    gb_design design;
} problem;

static gb_random stream(uint64_t item)
{
    return gb_random_open(gb_key_make(1, 0), 0, GB_DRAW_TEST, item);
}

/* Words as in a text: word w about as often as 1 / (w + 10). */
static size_t draw_word(size_t n_words, gb_random *r)
{
    const double w = 10 * (pow(1 + (double)n_words / 10, gb_random_uniform(r)) - 1);
    return w < (double)n_words ? (size_t)w : n_words - 1;
}

static gb_status make_words(problem *p, gb_error *err)
{
    gb_status st;
    gb_sparse_entry *entry = NULL;
    size_t *last = NULL; /* of each word: 1 + the document that has it */
    gb_random r = stream(0);
    uint64_t n = 0;
    GB_TRY(gb_alloc(&entry, p->n_docs * p->per_doc, sizeof *entry, "words", err));
    GB_TRY(gb_alloc(&last, p->n_words, sizeof *last, "words", err));
    for (size_t d = 0; d < p->n_docs; d++)
        for (size_t i = 0; i < p->per_doc;) {
            const size_t w = draw_word(p->n_words, &r);
            if (last[w] == d + 1)
                continue;
            last[w] = d + 1;
            entry[n++] = (gb_sparse_entry){d, (uint32_t)w, 1 / sqrt((double)p->per_doc)};
            i++;
        }
    GB_TRY(gb_sparse_columns_create(&p->x, p->n_docs, p->n_words, n, entry, err));
    GB_TRY(gb_sparse_columns_index(&p->x, err));
done:
    gb_free(entry);
    gb_free(last);
    return st;
}

/* From coefficients of 3 times a standard normal number. */
static void make_labels(problem *p)
{
    for (size_t l = 0; l < p->n_outputs; l++) {
        gb_random r = stream(1 + l);
        for (size_t w = 0; w < p->n_words; w++)
            p->by_feature[w] = 3 * gb_random_normal(&r);
        for (size_t d = 0; d < p->n_docs; d++) {
            const double s = gb_sparse_columns_dot(&p->x, d, p->by_feature);
            p->y[d * p->n_outputs + l] = gb_random_uniform(&r) < 1 / (1 + exp(-s)) ? 1 : -1;
        }
    }
}

static gb_status make(problem *p, gb_error *err)
{
    gb_status st;
    const size_t n = p->n_docs * p->n_outputs;
    const uint16_t no_token = 0;
    p->n_features = 1 + p->n_words;
    GB_TRY(gb_alloc(&p->doc_start, p->n_docs + 1, sizeof *p->doc_start, "documents", err));
    GB_TRY(gb_alloc(&p->variance, p->n_outputs, sizeof *p->variance, "outputs", err));
    GB_TRY(gb_alloc(&p->y, n, sizeof *p->y, "labels", err));
    GB_TRY(gb_alloc(&p->score, n, sizeof *p->score, "scores", err));
    GB_TRY(gb_alloc(&p->term, n, sizeof *p->term, "terms", err));
    GB_TRY(gb_alloc(&p->eta, p->n_outputs * p->n_features, sizeof *p->eta, "coefficients", err));
    GB_TRY(gb_alloc(&p->by_feature, p->n_outputs * p->n_features, sizeof *p->by_feature, "coefficients", err));
    GB_TRY(gb_alloc(&p->column, p->n_words, sizeof *p->column, "columns", err));
    GB_TRY(gb_proportions_create(&p->z, p->n_docs, 1, p->doc_start, 1, err));
    GB_TRY(gb_proportions_count(&p->z, &no_token, err));
    GB_TRY(make_words(p, err));
    make_labels(p);
    for (size_t w = 0; w < p->n_words; w++)
        p->column[w] = 1 + w;
    for (size_t l = 0; l < p->n_outputs; l++)
        p->variance[l] = 1;
    p->design = gb_design_make(&p->z, NULL, &p->x, false);
    p->prior = (gb_coefficient_prior){.ops = &gb_coefficient_normal,
                                      .variance = p->variance,
                                      .word_variance_is_sampled = true,
                                      .intercept_variance = p->variance};
    GB_TRY(gb_coefficient_scales_create(&p->scales, &p->prior, p->n_outputs, p->design.layout, err));
    for (size_t l = 0; l < p->n_outputs; l++)
        p->scales.square[l] = 1;
done:
    return st;
}

static void clear(problem *p)
{
    gb_proportions_clear(&p->z);
    gb_sparse_columns_clear(&p->x);
    gb_coefficient_scales_clear(&p->scales);
    void *const memory[] = {p->doc_start, p->variance, p->y, p->score, p->term, p->eta, p->by_feature, p->column};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++)
        gb_free(memory[i]);
}

static void score(problem *p)
{
    for (size_t l = 0; l < p->n_outputs; l++)
        for (size_t j = 0; j < p->n_features; j++)
            p->by_feature[j * p->n_outputs + l] = p->eta[l * p->n_features + j];
    const gb_scoring scoring = {&p->design, p->n_outputs, p->by_feature};
    gb_score_documents(&scoring, gb_isa_best(), 0, p->n_docs, p->score);
}

static gb_status augment(problem *p, uint32_t sweep, gb_error *err)
{
    gb_response response;
    const gb_status st = gb_response_choose("logistic", 1, 1, 0, &response, err);
    if (st != GB_OK)
        return st;
    response.n_outputs = p->n_outputs;
    const gb_random_streams streams =
        gb_random_streams_open(gb_key_make(1, 0), sweep, GB_DRAW_AUGMENT, 0, 0, p->n_outputs, gb_isa_best());
    response.ops->augment(&response, p->n_docs * p->n_outputs, p->y, NULL, p->score, &streams, p->term);
    return GB_OK;
}

typedef gb_status draw(const gb_regression *in, gb_feature_list columns, double *eta, gb_error *err);

/* Prints the seconds of a draw on average, and the variance of words that the chain has come to. */
static gb_status run(problem *p, const char *name, draw *draw_columns, uint32_t n_sweeps, gb_error *err)
{
    gb_status st = GB_OK;
    double spent = 0, longest = 0, variance = 0;
    memset(p->eta, 0, p->n_outputs * p->n_features * sizeof *p->eta);
    for (uint32_t sweep = 1; sweep <= n_sweeps; sweep++) {
        const gb_regression in = {.design = &p->design,
                                  .n_outputs = p->n_outputs,
                                  .term = p->term,
                                  .score = p->score,
                                  .scales = &p->scales,
                                  .key = gb_key_make(1, 0),
                                  .sweep = sweep,
                                  .n_steps = 1,
                                  .n_threads = 1,
                                  .isa = gb_isa_best()};
        score(p);
        GB_TRY(augment(p, sweep, err));
        const double start = seconds();
        GB_TRY(draw_columns(&in, (gb_feature_list){p->n_words, p->column}, p->eta, err));
        const double took = seconds() - start;
        spent += took;
        longest = took > longest ? took : longest;
        GB_TRY(gb_coefficient_scales_draw(&p->scales, p->eta, gb_key_make(1, 0), sweep, 1, err));
    }
    for (size_t l = 0; l < p->n_outputs; l++)
        variance += p->scales.square[l] / (double)p->n_outputs;
    printf("%-12s %.3f s a draw, %.3f s the longest; variance of words %.2f\n", name, spent / n_sweeps, longest,
           variance);
done:
    return st;
}

int main(int n, char **argument)
{
    gb_error err;
    gb_status st;
    if (n != 6) {
        (void)fprintf(stderr, "usage: %s DOCUMENTS WORDS WORDS_OF_DOCUMENT OUTPUTS SWEEPS\n", argument[0]);
        return 2;
    }
    problem p = {.n_docs = strtoul(argument[1], NULL, 10),
                 .n_words = strtoul(argument[2], NULL, 10),
                 .per_doc = strtoul(argument[3], NULL, 10),
                 .n_outputs = strtoul(argument[4], NULL, 10)};
    const uint32_t n_sweeps = (uint32_t)strtoul(argument[5], NULL, 10);
    GB_TRY(make(&p, &err));
    GB_TRY(run(&p, "one by one", gb_coordinate_draw_columns, n_sweeps, &err));
    GB_TRY(run(&p, "all at once", gb_conjugate_draw_columns, n_sweeps, &err));
done:
    if (st != GB_OK)
        (void)fprintf(stderr, "%s\n", err.message);
    clear(&p);
    return st != GB_OK;
}
