/* gibbous/options.h - the options of a run. */
#ifndef GIBBOUS_OPTIONS_H
#define GIBBOUS_OPTIONS_H

#include "gibbous/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The options of a run, by the names of the command line without dashes ("topics", "cost", ...). */
typedef struct gb_settings gb_settings;

/** All options at their defaults.  @return GB_OK or GB_ENOMEM */
GB_API gb_status gb_settings_create(gb_settings **out, gb_error *err);

/**
 * Set one option.  A list option ("label", "labels", "target", "covariates") grows by one value per call.
 *
 * @param name   long option name without dashes; unknown names are an error that names the nearest one
 * @param value  as on the command line; "yes" or "no" for switches; copied
 * @return GB_OK, GB_EARGUMENT (unknown name, value not of the option's kind or outside its range) or
 * GB_ENOMEM; on failure the settings are unchanged
 */
GB_API gb_status gb_settings_set(gb_settings *settings, const char *name, const char *value, gb_error *err);

GB_API void gb_settings_free(gb_settings *settings);

#ifdef __cplusplus
}
#endif

#endif
