/* run/schedule.h - when a checkpoint is due, and when a run is to end. */
#ifndef GB_RUN_SCHEDULE_H
#define GB_RUN_SCHEDULE_H

#include "base/status.h"

#include <stdint.h>

/** Read a time such as "90s", "10m", "2h" or "1d", in seconds.  "" is no time: infinity.
 * @param option  named in the message
 * @return GB_OK or GB_EARGUMENT */
gb_status gb_time_from_text(const char *option, const char *text, double *out, gb_error *err);

/** How often: a time, or a number of sweeps; what is not given is infinity, or 0. */
typedef struct gb_interval {
    double seconds;
    uint64_t sweeps;
} gb_interval;

/** Read --checkpoint-every.  @return GB_OK or GB_EARGUMENT */
gb_status gb_interval_from_text(const char *text, gb_interval *out, gb_error *err);

#endif
