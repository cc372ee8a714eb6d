/* base/version.c - the version, given by the build. */
#include "gibbous/gibbous.h"

const char *gb_version(void)
{
    return GIBBOUS_VERSION;
}
