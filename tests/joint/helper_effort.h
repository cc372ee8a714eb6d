/* helper_effort.h - how much of a test is run in this build. */
#ifndef GB_TEST_HELPER_EFFORT_H
#define GB_TEST_HELPER_EFFORT_H

#include <stdbool.h>
#include <stddef.h>

/** Built with a sanitizer, or GIBBOUS_SANITIZED is set. */
bool joint_is_sanitized(void);

/** Sweeps or draws for this build: a tenth under a sanitizer (or with GIBBOUS_SANITIZED set), 15 times as many
 * with GIBBOUS_LONG_TESTS set. */
size_t joint_effort(size_t usual);

/** Whether slow checks of the tests' own integrals are wanted: with GIBBOUS_LONG_TESTS set, and not under a sanitizer,
 * which would see nothing in them. */
bool joint_is_long(void);

#endif
