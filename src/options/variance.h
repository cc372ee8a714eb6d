/* options/variance.h - the option `variance`: prior variances of the coefficients of topics, of words and so on. */
#ifndef GB_OPTIONS_VARIANCE_H
#define GB_OPTIONS_VARIANCE_H

#include "base/text.h"
#include "options/settings.h"

typedef enum gb_variance_part {
    GB_VARIANCE_TOPICS,
    GB_VARIANCE_COVARIATES,
    GB_VARIANCE_WORDS,
    GB_VARIANCE_EMBEDDINGS,
    GB_VARIANCE_INTERCEPT,
    GB_N_VARIANCES
} gb_variance_part;

/* In place of a variance, which is above 0. */
#define GB_VARIANCE_AUTO    0.0
#define GB_VARIANCE_SAMPLED (-1.0)

/** By gb_variance_part. */
typedef struct gb_variances {
    double of[GB_N_VARIANCES];
} gb_variances;

enum { GB_VARIANCES_SIZE = GB_N_VARIANCES * (GB_REAL_SIZE + 12) };

/** Read "topics=1,words=sample", or "1" for topics alone; parts that the text does not name are auto.
 * @return GB_OK or GB_EARGUMENT */
gb_status gb_variances_read(const char *text, gb_variances *out, gb_error *err);

/** What gb_variances_read() reads as the same; "auto" if all parts are. */
void gb_variances_print(const gb_variances *variances, char out[static GB_VARIANCES_SIZE]);

/** Those of the settings. */
gb_variances gb_settings_variances(const gb_settings *settings);

/** Change one of those of the settings.  @return GB_OK or GB_ENOMEM */
gb_status gb_settings_set_variance(gb_settings *settings, gb_variance_part part, double variance, gb_error *err);

#endif
