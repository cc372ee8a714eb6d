/* gibbous/explain.h - why documents have their scores: each score as a sum over topics, words, embedding and covariates. */
#ifndef GIBBOUS_EXPLAIN_H
#define GIBBOUS_EXPLAIN_H

#include "gibbous/apply.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Scores of some documents as sums, in arrays of gb_explanation_create(); row-major.
 *
 * For document d and its explained output o, with i = d * n_explained + o:
 *
 *     score[i] = average[i] + sum over topics of topic[i * (n_topics + 1) ...] + sum over fields of covariate[i * n_fields ...]
 *                + embedding[i] + sum over the document's words of word_effect + absent[i]
 *
 * in the units of gb_predict()'s scores; centre + scale * score is a number in the units of its field.
 *
 * The part of a topic is the document's share of it times the topic's effect, the same that gb_model_effect() gives: a document about
 * nothing else minus the average document.  So parts do not depend on what may be added to all topics and taken from the constant.  Parts
 * of covariates and of words are relative to the average document too.  Topics have the numbers of the output's leading chain; topics of
 * other chains that the leading chain does not have are added up at number n_topics.  Of topics that count as one, the first has the sums and the
 * others have 0.
 */
typedef struct gb_explanation {
    size_t size;                            /* sizeof(gb_explanation): later versions may have more members */
    uint64_t n_docs, n_topics, n_explained; /* n_explained: outputs explained of each document */
    uint64_t n_fields;           /* number of covariates: fields 0 .. n_fields - 1 of gb_model_needed_field() */
    uint64_t n_without;          /* words of each document that are taken out for `without` */
    uint64_t *output;            /* n_docs x n_explained: set by the caller; at first 0, 1, ... */
    uint64_t *predicted;         /* n_docs x n_explained: class that is predicted in the output's response, where
                                    gb_explanation_make() knows it; else UINT64_MAX */
    double *score;               /* n_docs x n_explained: what gb_predict() gives */
    double *average;             /* n_docs x n_explained: the score of the average training document */
    double *share;               /* n_docs x n_explained x (n_topics + 1): mean over all stored draws of the output */
    double *topic;               /* n_docs x n_explained x (n_topics + 1) */
    double *covariate;           /* n_docs x n_explained x n_fields */
    double *embedding;           /* n_docs x n_explained */
    double *absent;              /* n_docs x n_explained: words of the vocabulary that the document lacks */
    double *centre, *scale;      /* n_docs x n_explained: 0 and 1 for classes, ordinal categories and counts */
    uint64_t *word_start;        /* n_docs + 1: different words of document d are word_start[d] ... */
    uint32_t *word, *word_count; /* their numbers, ascending, and how often each occurs */
    double *word_topic;          /* words x n_explained x (n_topics + 1): a topic's part, split over the words */
    double *word_effect;         /* words x n_explained: of the word's own coefficient (option `word-effects`) */
    double *without; /* words x n_explained: the score without this word; NaN where it was not asked for */
} gb_explanation;

/**
 * Make the arrays for some documents in the model's vocabulary.
 *
 * @param n_explained  outputs of each document that are explained, 1 to gb_model_n_outputs()
 * @param n_without    how many words of each document, those with the largest parts, are left out in turn: see `without`
 * @param out          receives them, free them with gb_explanation_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (a model without a response, another number of outputs, documents of another vocabulary) or GB_ENOMEM
 *
 * Memory: 8 bytes for each topic, explained output and different word of each document.
 */
GB_API gb_status gb_explanation_create(const gb_model *model, const gb_corpus *docs, uint64_t n_explained,
                                       uint64_t n_without, gb_explanation **out, gb_error *err);
/** Free an explanation with all its arrays; accepts NULL. */
GB_API void gb_explanation_free(gb_explanation *explanation);

/**
 * Make the arrays for the scores that the settings name.
 *
 * @param docs        in the model's vocabulary
 * @param settings    reads `of`: classes or names of scores, or "all"; not set: of each response the predicted class, of several labels that
 *                    with the highest score.  And `without`: see n_without above
 * @param prediction  of gb_predict(), of the same documents or more
 * @param first       number, in the prediction, of the first of these documents
 * @param out         receives them with `output` and `predicted`, free them with gb_explanation_free(); untouched on failure
 * @return as gb_explanation_create(), and GB_EARGUMENT for a class that the model does not have
 */
GB_API gb_status gb_explanation_make(const gb_model *model, const gb_corpus *docs, const gb_settings *settings,
                                     const gb_prediction *prediction, uint64_t first, gb_explanation **out,
                                     gb_error *err);

/**
 * Explain scores of documents.
 *
 * @param first_row    input row of the first document, as for gb_predict()
 * @param settings     as for gb_predict(): with the same ones the scores are the same
 * @param on_progress  may be NULL
 * @param out          of gb_explanation_create() for these documents, with the outputs that are wanted
 * @return as gb_predict(), and GB_EARGUMENT for an output that the model does not have, an explanation of other sizes, or the setting topics-alone
 *
 * A topic's part is divided among the words by the probability of the topic for each token, given the topics of the document's other
 * tokens, averaged over the draws.  The document's shares are means of the same probabilities.
 *
 * `without` is the score that gb_predict() gives for the document with all occurrences of the word taken out.  The topics of its other words are
 * inferred anew, and values of words are computed anew (a length in tfidf).  Covariates and the embedding stay, and so does the model: it
 * was trained with the word.  It is drawn with random numbers of its own, so a small difference from `score` may be chance.
 *
 * Cost: of gb_predict(), once and for each of n_without words; and for each token, topic and snapshot some operations times
 * n_explained.  The result does not depend on the number of threads.  On several ranks, each rank explains all documents.
 */
GB_API gb_status gb_explain(const gb_model *model, const gb_corpus *docs, uint64_t first_row,
                            const gb_settings *settings, gb_on_apply *on_progress, void *user, gb_explanation *out,
                            gb_error *err);

#ifdef __cplusplus
}
#endif

#endif
