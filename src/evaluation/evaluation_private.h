/* evaluation/evaluation_private.h - the inside of an evaluation, for evaluation.c, evaluation_scores.c and pool.c. */
#ifndef GB_EVALUATION_EVALUATION_PRIVATE_H
#define GB_EVALUATION_EVALUATION_PRIVATE_H

#include "evaluation/evaluation.h"
#include "evaluation/held_out_scores.h"

struct gb_evaluation {
    const gb_model *model; /* NULL: it takes records only */
    size_t n_truths;
    gb_truth *truth; /* n_truths: responses that are evaluated */
    bool has_likelihood;
    const char *method;
    gb_held_out_scores likelihood;
    bool keeps;                 /* what scores ask of each document */
    gb_records kept;            /* of the likelihood: tokens, log likelihood, its error */
    uint64_t n_docs, n_unknown; /* documents; words in them that the model does not know */
    uint64_t n_seen;            /* documents with the words of a training document */
    char *path;                 /* where the documents came from, for messages */
    uint64_t seed;              /* of samples of the documents */
    size_t n_subgroups;
    struct gb_subgroups *subgroups; /* n_subgroups: fields by which documents are scored */
    gb_score_table *scores;
    bool has_alone;       /* topics are evaluated without words and embedding, too */
    gb_evaluation *alone; /* NULL before the first documents */
    gb_settings *alone_settings;
};

#endif
