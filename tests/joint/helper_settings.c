/* helper_settings.c - calls and settings that have to succeed. */
#include "helper_settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

void check(gb_status status, const gb_error *err)
{
    if (status != GB_OK)
        fail_msg("%s", err->message);
}

void set(gb_settings *settings, const char *name, const char *value)
{
    gb_error err = {.status = GB_OK};
    check(gb_settings_set(settings, name, value, &err), &err);
}

void set_number(gb_settings *settings, const char *name, double value)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%.17g", value);
    set(settings, name, text);
}

void set_variance(gb_settings *settings, gb_variance_part part, double variance)
{
    gb_error err = {.status = GB_OK};
    check(gb_settings_set_variance(settings, part, variance, &err), &err);
}
