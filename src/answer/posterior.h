/* answer/posterior.h - columns that say what is known of a number. */
#ifndef GB_ANSWER_POSTERIOR_H
#define GB_ANSWER_POSTERIOR_H

#include "answer/table.h"
#include "gibbous/effects.h"

#include <math.h>

/* The columns of a posterior, for a list of columns: `format` of the number, `signed_format` with its sign. */
#define GB_POSTERIOR_COLUMNS(MEAN, format, unit)                                                                     \
    [MEAN] = {"mean", "mean", GB_CELL_REAL, GB_PLACE_COLUMN, format, unit, "mean over the draws of the posterior"},  \
    [MEAN + 1] = {"sd", "sd", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4g", unit, "standard deviation of the posterior"},   \
    [MEAN + 2] = {"q05", "5%", GB_CELL_REAL, GB_PLACE_COLUMN, format, unit, "5 percent of the posterior lie below"}, \
    [MEAN +                                                                                                          \
        3] = {"median", "median", GB_CELL_REAL, GB_PLACE_COLUMN, format, unit, "half of the posterior lies below"},  \
    [MEAN +                                                                                                          \
        4] = {"q95", "95%", GB_CELL_REAL, GB_PLACE_COLUMN, format, unit, "95 percent of the posterior lie below"},   \
    [MEAN + 5] = {"p_positive",                                                                                      \
                  "P(>0)",                                                                                           \
                  GB_CELL_REAL,                                                                                      \
                  GB_PLACE_COLUMN,                                                                                   \
                  "%.2f",                                                                                            \
                  "probability",                                                                                     \
                  "probability that the number is above 0"}
enum { GB_SD = 1, GB_Q05, GB_MEDIAN, GB_Q95, GB_P_POSITIVE, GB_N_POSTERIOR_COLUMNS }; /* places after the mean */

/** Fill the columns of a posterior, the first of which is `mean`. */
static inline void gb_put_posterior(gb_table *table, size_t mean, const gb_effect *e)
{
    const double value[GB_N_POSTERIOR_COLUMNS] = {e->mean, e->sd, e->q05, e->median, e->q95, e->p_positive};
    for (size_t i = 0; i < GB_N_POSTERIOR_COLUMNS; i++)
        gb_put_real(table, mean + i, value[i]);
}

/** The mean alone, of a number whose uncertainty is not known. */
static inline gb_effect gb_without_interval(const gb_effect *e)
{
    gb_effect mean = *e;
    mean.sd = mean.q05 = mean.median = mean.q95 = mean.p_positive = NAN;
    return mean;
}

/** How clear it is that a number is not 0: |mean| / sd; without a standard deviation, as of one draw, its size.  What is not known comes last. */
static inline double gb_clearness(const gb_effect *e)
{
    const double size = fabs(e->mean);
    if (isnan(size))
        return -1;
    return isnan(e->sd) || size == 0 ? size : size / e->sd;
}

#endif
