/* evaluation/truth.h - what is known of the documents for one response, and what its predictions are worth. */
#ifndef GB_EVALUATION_TRUTH_H
#define GB_EVALUATION_TRUTH_H

#include "evaluation/number_scores.h"
#include "evaluation/records.h"
#include "evaluation/scores.h"
#include "gibbous/apply.h"
#include "plan/class_index.h"

/** What a label means that is not a class of the model. */
typedef enum gb_unknown_label {
    GB_UNKNOWN_LABEL_ERROR, /* a failure */
    GB_UNKNOWN_LABEL_WRONG, /* the document counts as predicted wrong */
    GB_UNKNOWN_LABEL_SKIP   /* the document is left out */
} gb_unknown_label;

typedef struct gb_truth {
    uint64_t response;
    char *field; /* of the documents */
    gb_task_kind task;
    gb_unknown_label unknown_label;
    bool has_probability;  /* the response has a likelihood or is calibrated, so its probabilities mean something */
    uint64_t n_unlabelled; /* documents left out: the field is missing */
    uint64_t n_unknown;    /* documents with a label that is not a class of the model */
    /* ---- classes ---- */
    uint64_t n_classes;
    char **class_name; /* n_classes */
    gb_class_index classes;
    uint32_t *true_class; /* room for the classes of a document */
    bool *is_predicted;   /* likewise: of each class, whether it is predicted */
    gb_scores *scores;
    /* ---- numbers ---- */
    gb_number_scores numbers;
    /* ---- all that scores ask of each document, if it is kept ---- */
    bool keeps;
    gb_records kept; /* as gb_scores_add_record(), or the number, its prediction and its interval */
} gb_truth;

/** @param truth  zeroed; clear it with gb_truth_clear(), also on failure */
gb_status gb_truth_start(gb_truth *truth, const gb_model *model, uint64_t response, const char *field,
                         gb_unknown_label unknown_label, gb_error *err);
void gb_truth_clear(gb_truth *truth);
/** One without a model, which takes records only.  @param class_name  n_classes, copied; NULL: they have no names */
gb_status gb_truth_start_blank(gb_truth *truth, const char *field, gb_task_kind task, gb_unknown_label unknown_label,
                               uint64_t n_classes, char *const *class_name, gb_error *err);
/** Compare a document again by its record, `weight` times. */
gb_status gb_truth_add_record(gb_truth *truth, size_t n, const double *record, uint64_t weight, gb_error *err);
/** Whether numbers of a file can be a record. */
bool gb_truth_is_sound(const gb_truth *truth, size_t n, const double *record);
/** The baseline is what the training documents would answer: their most frequent class. */
gb_status gb_truth_take_baseline(gb_truth *truth, const gb_corpus *training, gb_error *err);

/** GB_EARGUMENT if the prediction lacks what the comparison needs.  Its responses are as many as the model has. */
gb_status gb_truth_check(const gb_truth *t, const gb_prediction *all, gb_error *err);

/** Compare documents with their prediction, which was checked.  @param first  number of the first of them  @return as gb_evaluation_add() */
gb_status gb_truth_add(gb_truth *truth, const gb_model *model, uint64_t first, const gb_corpus *docs,
                       const gb_prediction *prediction, gb_error *err);

#endif
