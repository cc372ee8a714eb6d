/* evaluation/scores.h - how good predicted labels are.
 *
 * Documents are added one by one, so memory does not grow with their number (except 16 bytes per document for
 * the area under the curve of a binary task).
 *
 * Of class c, with correct_c of the predicted_c documents rightly predicted as c, and support_c that have it:
 *
 *     precision_c = correct_c / predicted_c
 *     recall_c    = correct_c / support_c
 *     F1_c        = 2 correct_c / (predicted_c + support_c)
 *
 * each 0 where its divisor is 0.  Of all documents:
 *
 * - macro F1: mean of F1_c over all classes of the model.  A class that no document has counts 0, whether or not it
 *   was predicted.
 * - micro F1: the same formula with each count summed over classes; the accuracy with one class per document.
 * - accuracy: share of documents predicted right; with several labels, of documents whose whole set is right.
 * - Hamming loss: several labels: share of wrong (document, class) pairs.
 * - log loss: mean of -log p(true class); several labels: mean over (document, class) pairs.  Probabilities are clipped
 *   to [1e-15, 1 - 1e-15], so one sure but wrong prediction does not make the mean infinite.
 * - Brier: binary: mean of (p(positive) - y)^2; multiclass: mean of the sum of (p_c - y_c)^2 over classes, from 0 to
 *   2; several labels: mean of (p_c - y_c)^2 over (document, class) pairs.
 * - reliability and its error (evaluation/reliability.h): of the predicted class being right; several labels: of a
 *   class being one of the document's, over (document, class) pairs.
 * - AUC: binary: probability that a positive document scores above a negative one, ties count one half (the
 *   Mann-Whitney statistic by midranks); NaN unless both classes occur.
 * - MAE: ordinal: mean number of levels between the predicted one and the true one.
 * - kappa: ordinal: quadratically weighted, 1 - sum of squared such distances / what it would be if the predicted levels
 *   were dealt out at random; 1 is perfect, 0 no better than that; NaN if there is only one level.
 *
 * A label that is not a class of the model counts as one that is never predicted.  With one class per document the document is
 * wrong: it counts in accuracy, micro F1 and the predictions of the class that was predicted; its true class has probability
 * 0, in Brier as one more class; AUC, MAE and the table of confusions leave it out.  With several labels the set is not right, and micro F1 has one more
 * label that was missed; scores over (document, class) pairs are over classes of the model. */
#ifndef GB_EVALUATION_SCORES_H
#define GB_EVALUATION_SCORES_H

#include "base/status.h"
#include "evaluation/reliability.h"
#include "gibbous/model.h"

/** The confusion table is kept for tasks with one class per document and at most so many classes. */
enum { GB_CONFUSION_CLASSES = 30 };

typedef struct gb_scores gb_scores;

/** What scores ask of a document, as numbers:
 *
 *     n_true, n_others, n_predicted, whether the baseline is right, score, log loss, Brier (NaN where there is none),
 *     the true classes, the predicted ones, and for each bin of probabilities with events of it: bin, n, n that happened, sum
 */
typedef struct gb_class_record {
    size_t n, room;
    double *value;
} gb_class_record;

gb_status gb_scores_create(gb_scores **out, gb_task_kind task, uint64_t n_classes, gb_error *err);

/**
 * Add a document whose labels are known.
 *
 * @param n_true       classes of the model that the document has; unless multilabel 1, or 0 with an other label
 * @param true_class   those classes, each < n_classes, all different
 * @param n_others     its labels that are no class of the model, and so predicted by nothing: see below
 * @param predicted    predicted class; not used for multilabel
 * @param is_predicted one per class; used for multilabel alone
 * @param score        one, finite; used for binary alone
 * @param probability  one per class, or NULL: then all scores of probabilities are NaN
 */
gb_status gb_scores_add(gb_scores *scores, size_t n_true, const uint32_t *true_class, size_t n_others,
                        uint64_t predicted, const bool *is_predicted, const double *score, const double *probability,
                        gb_error *err);

/** The record of the document that was added last; valid until the next. */
const gb_class_record *gb_scores_last(const gb_scores *scores);
/** Add a document `weight` times by its record, whose numbers are taken as they are: gb_class_record_is_sound(). */
gb_status gb_scores_add_record(gb_scores *scores, size_t n, const double *record, uint64_t weight, gb_error *err);
/** Whether numbers of a file can be a record of these classes. */
bool gb_class_record_is_sound(const gb_scores *scores, size_t n, const double *record);
/** The score by which a record is ranked; NaN: by none. */
double gb_class_record_score(const double *record);
/** Whoever knows only the training documents answers this class: for the baseline. */
void gb_scores_set_baseline(gb_scores *scores, uint64_t class);
/** Without documents again, as at the start.
 * @param is_sample  those that follow are a sample of all: a class that it happens not to have is left out of macro F1 */
void gb_scores_reset(gb_scores *scores, bool is_sample);

typedef struct gb_score_summary {
    uint64_t n; /* documents */
    double accuracy, macro_f1, micro_f1;
    double hamming_loss, log_loss, brier, ece, auc, mae, kappa; /* NaN where they do not apply */
    double
        baseline; /* accuracy of always answering the class of gb_scores_set_baseline(), or the most frequent one of these documents; NaN if
                        multilabel */
    uint64_t n_missed;   /* classes that a document has, and that were predicted for none */
    uint64_t n_no_class; /* multilabel: documents for which no class was predicted */
} gb_score_summary;

/** Of the documents so far; all scores are NaN without documents.  Sorts the scores kept for the AUC. */
gb_score_summary gb_scores_summary(gb_scores *scores);

typedef struct gb_class_score {
    double precision, recall, f1;
    double given,
        share; /* mean of the probabilities that the class was given, and the share of documents that have it; NaN: not known */
    double deviation; /* of the number of documents that have it, in standard deviations by these probabilities */
    uint64_t support; /* documents that have the class */
} gb_class_score;

/** Whether some document has a class and none was given it. */
bool gb_scores_is_missed(const gb_scores *scores, uint64_t class);
gb_class_score gb_scores_class(const gb_scores *scores, uint64_t class);

/** Documents of a class that were predicted as another; 0 when the table is not kept. */
uint64_t gb_scores_confusion(const gb_scores *scores, uint64_t truth, uint64_t predicted);

/** Of all documents so far; NULL unless all of them came with probabilities. */
const gb_reliability *gb_scores_reliability(const gb_scores *scores);

void gb_scores_free(gb_scores *scores);

#endif
