/* bench/speed/textbook_response.h - labels in the textbook's sampler. */
#ifndef GB_BENCH_TEXTBOOK_RESPONSE_H
#define GB_BENCH_TEXTBOOK_RESPONSE_H

#include "corpus/data/corpus.h"
#include "plan/spec.h"

typedef struct textbook_response textbook_response;

/** GB_EARGUMENT for more than one response, weights, covariates or an intercept. */
gb_status textbook_response_create(textbook_response **out, const gb_corpus *corpus, const gb_spec *spec,
                                   gb_error *err);
void textbook_response_free(textbook_response *r);

/** Augmentation, then coefficients, given all assignments. */
gb_status textbook_response_draw(textbook_response *r, const uint16_t *topic, gb_error *err);

/** A token of that topic leaves (by = -1) or joins (by = 1) document d. */
void textbook_response_token(textbook_response *r, uint64_t d, size_t topic, double by);

/** What the labels of document d say of each topic for a token that has left it: n_topics factors, the largest is 1. */
const double *textbook_response_factors(textbook_response *r, uint64_t d);

#endif
