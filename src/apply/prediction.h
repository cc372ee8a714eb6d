/* apply/prediction.h - a prediction in the making.
 *
 * Every pass over a document's topics that counts is a sample: it gives zbar, the document's topic shares, and by the draw's
 * coefficients the scores eta' (zbar, covariates, 1), from which probabilities and numbers follow.  All are averaged over
 * samples.  With one-vs-rest a draw speaks of one output, so outputs differ in how many samples they have.
 *
 * Means of shares and of scores are made of expected shares, without random numbers (apply/expected_topics.h); where weights of topics are
 * the same for all documents those of each draw are the same, too (apply/new_topics.h).  Probabilities and numbers are made of zbar,
 * because they depend on how scores vary, and then moved by what zbar's mean score is off that of the expected shares. */
#ifndef GB_APPLY_PREDICTION_H
#define GB_APPLY_PREDICTION_H

#include "apply/expected_topics.h"

/* Responses whose scores have points, if each has one; classes whose coefficients topics are pulled by. */
enum { GB_MOST_POINTS = 4, GB_MOST_PULLS = 3 };

/** Memory of one worker. */
typedef struct gb_prediction_worker {
    gb_expected_topics expected_topics;
    uint32_t *count;     /* n_topics, 0 between documents */
    uint16_t *topic;     /* n_topics: those that the document has */
    double *share;       /* n_topics */
    double *pulled;      /* 2 n_topics shares: see apply/predict_spread.c */
    double *moved;       /* (GB_MOST_PULLS + 1) x n_outputs, likewise */
    double *open;        /* 3 n_outputs: see gb_expected_topics_open() */
    double *score;       /* n_outputs */
    double *probability; /* n_outputs */
    /* of the documents of a task, by their number in it; NULL unless draws count one by one */
    double *sampled;  /* x n_sweeps x n_outputs: scores of drawn topics */
    double *expected; /* x n_outputs: sums of the expected scores */
    double *scratch;  /* n_outputs + the classes of the response with the most */
    uint64_t first_doc;
} gb_prediction_worker;

struct gb_draws_run;
struct gb_explain_run;

typedef struct gb_prediction_run {
    gb_application application;
    gb_new_topics topics;
    gb_prediction *out;
    struct gb_draws_run
        *draws; /* what draws say one by one (apply/predicted_draws.h); NULL: only their mean counts */
    struct gb_explain_run *explain; /* terms of the scores (apply/explain.h); NULL: only their sums count */
    size_t n_first;                 /* draws of the first chain */
    size_t n_samples;               /* draws of the model times sweeps that count */
    double *output_samples;         /* n_outputs: samples in which the output has a score */
    double *score;                  /* n_docs x n_outputs: the caller's, or own_score */
    double
        *sample_score; /* n_docs x n_outputs: means of the samples' scores; NULL where only means of scores count */
    double *pull, *pulled_scale; /* of the draw at hand: see gb_prediction_begin_points() */
    double *draw_sum;      /* n_docs x n_outputs: of the draws' own scores; NULL unless their error is asked for */
    double *own_score;     /* NULL if the caller has an array for scores */
    double *point;         /* n_sweeps: see gb_prediction_prepare_points() */
    double **number_score; /* n_responses: n_docs x n_samples scores of a number; NULL for classes */
    gb_sparse_columns x;   /* covariates of the documents */
    gb_dense_columns embedding; /* standardised; none without coefficients of embeddings */
    gb_sparse_columns words;    /* their words as columns; none without coefficients of words */
    double *offset;             /* n_docs: log exposure; NULL: all 0 */
    gb_prediction_worker *worker;
    /* the draw at hand */
    /* of groups that have a document without known words: expected shares, and how they vary with the scores */
    size_t n_unknown;
    uint32_t *unknown_group; /* n_unknown */
    uint32_t *unknown;       /* by group: which of these it is */
    double *prior_share;     /* n_unknown x n_topics */
    double *prior_answer;    /* n_unknown x n_topics x outputs of the draw; NULL unless scores have points */
    double *prior_room;      /* n_threads x (2 n_topics + n_outputs) */
    double *word_by_word;    /* words x outputs of the draw, of words that occur; NULL: draws of them do not count */
    double *word_score;      /* n_docs x n_outputs, the draw's outputs first: their part of the scores */
    double *eta_by_feature;  /* n_features x outputs of the draw */
    double *average; /* n_outputs: the mean of that part, which stands for it; NULL: each document has its own */
    double *
        fixed_score; /* n_docs x n_outputs, the draw's outputs first: the part of an embedding, or that mean; NULL without */
} gb_prediction_run;

/** gb_prediction_create(), with `score_error` or without. */
gb_status gb_prediction_make(const gb_model *model, uint64_t n_docs, bool has_errors, gb_prediction **out,
                             gb_error *err);

/** All of a prediction but putting together what ranks have found.  @param r  zeroed but for `out` and `draws`; clear it with
 * gb_prediction_clear(), also on failure */
gb_status gb_prediction_perform(gb_prediction_run *r, const gb_apply_call *call, gb_error *err);
void gb_prediction_clear(gb_prediction_run *r);

/** Of a document without known words: gb_prior_document_ops.expect. */
static inline const double *gb_prediction_prior_answer(const gb_prediction_run *r, uint64_t d)
{
    return r->prior_answer + r->unknown[gb_application_group(&r->application, d)] * r->application.model->n_topics *
                                 r->application.draw->n_outputs;
}

/** Whether another number of sweeps or another seed could change scores, shares, probabilities or numbers. */
bool gb_prediction_depends_on_draws(const gb_model *model);

/** Whether topics have no random numbers (apply/expected_topics.h). */
static inline bool gb_prior_settles(const gb_prior_ops *prior)
{
    return prior->unit > 0 || prior->documents->settle != NULL;
}
static inline bool gb_prediction_settles(const gb_prediction_run *r)
{
    return gb_prior_settles(r->application.model->prior.ops);
}

/** Whether the caller has arrays for a response. */
static inline bool gb_prediction_is_wanted(const gb_prediction *out, size_t response)
{
    return out->response != NULL &&
           (out->response[response].probability != NULL || out->response[response].mean != NULL);
}

/** Covariates, exposures and room for scores. */
gb_status gb_prediction_prepare_scores(gb_prediction_run *r, gb_error *err);

/** The part of embeddings, and of words, of the scores of documents first .. last - 1 under the draw at hand. */
void gb_prediction_score_columns(gb_prediction_run *r, uint64_t first, uint64_t last);
/** The words of the documents, and their part of the mean scores, which begin with it. */
gb_status gb_prediction_prepare_words(gb_prediction_run *r, gb_error *err);
/** Coefficients of words of the draw at hand, and their part of the scores of documents first .. last - 1, for samples. */
void gb_prediction_begin_words(gb_prediction_run *r);
void gb_prediction_score_words(gb_prediction_run *r, uint64_t first, uint64_t last);

/** Coefficients of the draw at hand. */
void gb_prediction_begin_scores(gb_prediction_run *r);

/** Probabilities and numbers of a document with topic shares `share` of the `n_topics` topics listed (NULL: of all), added as
 * sample `sample` and the `n_samples` - 1 after it. */
void gb_prediction_add_sample(gb_prediction_run *r, uint64_t d, size_t n_topics, const uint16_t *topic,
                              const double *share, size_t sample, size_t n_samples, gb_prediction_worker *w);

/** The same of scores that w->score has already. */
void gb_prediction_add_scored(gb_prediction_run *r, uint64_t d, size_t sample, size_t n_samples,
                              gb_prediction_worker *w);

/** The same of one response with classes, where the scores count as `n_samples` samples, which need not be a whole number. */
void gb_prediction_add_point(gb_prediction_run *r, uint64_t d, double n_samples, gb_prediction_worker *w);

/** Standard normal quantiles, one for each sweep, of which all together have the variance 1. */
gb_status gb_prediction_prepare_points(gb_prediction_run *r, gb_error *err);
/** What topics are pulled by under the draw at hand. */
void gb_prediction_begin_points(gb_prediction_run *r);
/** Whether samples of scores under the draw at hand are points and not drawn (apply/predict_spread.c). */
bool gb_prediction_has_points(const gb_prediction_run *r);
/** Samples of a document's scores under the draw at hand, around w->score; w->share has its expected shares.
 * @return GB_OK or GB_ESTOP */
gb_status gb_prediction_add_points(gb_prediction_run *r, uint64_t d, size_t worker, gb_error *err);

/** Scores of a document with expected shares `share` of all topics, added as `n_samples` samples. */
void gb_prediction_add_scores(gb_prediction_run *r, uint64_t d, const double *share, size_t n_samples,
                              gb_prediction_worker *w);

/** Errors of mean scores from sums over draws. */
void gb_prediction_finish_errors(gb_prediction_run *r);

/** Probabilities and predicted classes from the sums over samples. */
gb_status gb_prediction_finish_classes(gb_prediction_run *r, gb_error *err);

/** Means, deviations and quantiles of numbers of documents first .. last - 1: a gb_apply_documents. */
gb_status gb_prediction_finish_numbers(void *run, uint64_t first, uint64_t last, size_t worker, gb_error *err);

#endif
