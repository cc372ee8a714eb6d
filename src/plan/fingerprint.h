/* plan/fingerprint.h - what a run depends on, in a few digits. */
#ifndef GB_PLAN_FINGERPRINT_H
#define GB_PLAN_FINGERPRINT_H

#include "plan/plan.h"

enum { GB_FINGERPRINT_SIZE = 33 };

/** Of the documents' words alone, as numbers of one vocabulary. */
gb_status gb_words_fingerprint(const gb_corpus *corpus, char out[static GB_FINGERPRINT_SIZE], gb_error *err);

/** Of the documents: words, vocabulary and fields; names of files and how text was prepared do not matter. */
gb_status gb_corpus_fingerprint(const gb_corpus *corpus, char out[static GB_FINGERPRINT_SIZE], gb_error *err);

/** Of what options read from files: class weights, graph, covariance, coding of covariates. */
gb_status gb_spec_fingerprint(const gb_spec *spec, char out[static GB_FINGERPRINT_SIZE], gb_error *err);

#endif
