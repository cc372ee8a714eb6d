/* base/output.h - a file that appears whole or not at all: written beside its target and renamed.  The functions are public
 * (gibbous/output.h). */
#ifndef GB_BASE_OUTPUT_H
#define GB_BASE_OUTPUT_H

#include "base/status.h"
#include "gibbous/output.h"

#endif
