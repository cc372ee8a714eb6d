/* response/count_law.h - the law of new counts, by counts that were held out of the training.
 *
 * The law of a response with counts describes the training documents.  Topics bend to their counts, so for new documents it is too
 * narrow, and its means are too extreme.  Here the same law is fitted to counts that the topics have not seen. */
#ifndef GB_RESPONSE_COUNT_LAW_H
#define GB_RESPONSE_COUNT_LAW_H

#include "base/status.h"
#include "response/response.h"

#include <stdint.h>

/** A law without an own parameter, all zeros, stands for none. */
typedef struct gb_count_law {
    double shift, slope; /* of the log mean by the model */
    double own;          /* the one parameter of the response: a dispersion, > 0 */
    double low, high;    /* probabilities, ascending, between whose quantiles nine of ten counts or more lie */
    /* of short texts; zeros: as others */
    double length, centre;        /* how soon the log mean goes towards the centre where words are few */
    double low_short, high_short; /* low and high of texts with log_short words */
    double low_none, high_none;   /* of texts of which nothing is known, with the centre as their log mean */
    double log_short,
        log_whole; /* of short texts and of those that low and high are of: the mean of log(1 + words) */
} gb_count_law;

/** Held-out counts. */
typedef struct gb_new_counts {
    size_t n;
    double *y;        /* NaN: missing, left out */
    double *log_mean; /* by the model, without offset */
    double *offset;
    uint64_t *n_tokens; /* known words; only gb_count_law_fit_short() reads it */
} gb_new_counts;

/**
 * Fit a law.
 *
 * @param response  of counts, with one own parameter; its own values do not matter
 * @param law       receives it; none if fewer than 20 counts are there
 * @return GB_OK or GB_ENOMEM
 *
 * Cost: some hundred passes over the counts.
 */
gb_status gb_count_law_fit(const gb_response *response, const gb_new_counts *counts, gb_count_law *law,
                           gb_error *err);

/**
 * Let a law that was fitted to whole texts suit short ones.
 *
 * @param cut  counts of texts that were cut to few words, with the log means of these; fewer than 20 leave the law as it is
 * @return GB_OK or GB_ENOMEM
 */
gb_status gb_count_law_fit_short(const gb_response *response, const gb_new_counts *whole, const gb_new_counts *cut,
                                 gb_count_law *law, gb_error *err);

/** The log mean of a text with so many known words that counts, where the model's is `log_mean`. */
double gb_count_law_log_mean(const gb_count_law *law, double log_mean, uint64_t n_tokens);
/** The probabilities of the two ends of its interval. */
void gb_count_law_ends(const gb_count_law *law, uint64_t n_tokens, double *low, double *high);

/** The response with the parameter of the law, which has to outlive it. */
gb_response gb_count_law_response(const gb_response *response, const gb_count_law *law);

/** The score that such a response is to have for a document. */
double gb_count_law_score(const gb_response *of_law, const gb_count_law *law, double log_mean, double offset);

/** True if every number is one that a law can have. */
bool gb_count_law_is_sound(const gb_count_law *law);

#endif
