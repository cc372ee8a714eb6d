/* helper_settings.h - calls and settings that have to succeed. */
#ifndef HELPER_SETTINGS_H
#define HELPER_SETTINGS_H

#include "gibbous/gibbous.h"
#include "options/variance.h"

/** Fails the test with the message of the error. */
void check(gb_status status, const gb_error *err);

void set(gb_settings *settings, const char *name, const char *value);
void set_number(gb_settings *settings, const char *name, double value);
void set_variance(gb_settings *settings, gb_variance_part part, double variance);

#endif
