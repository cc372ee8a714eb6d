/* plan/fingerprint.h - what a run depends on, in a few digits. */
#ifndef GB_PLAN_FINGERPRINT_H
#define GB_PLAN_FINGERPRINT_H

#include "corpus/data/fingerprint.h"
#include "plan/plan.h"

/** Of what options read from files: class weights, graph, covariance, coding of covariates. */
gb_status gb_spec_fingerprint(const gb_spec *spec, char out[static GB_FINGERPRINT_SIZE], gb_error *err);

#endif
