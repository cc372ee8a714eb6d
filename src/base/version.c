/* base/version.c - the version, as the headers have it. */
#include "gibbous/status.h"

#define TEXT(x)          #x
#define VERSION(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

const char *gb_version(void)
{
    return VERSION(GB_VERSION_MAJOR, GB_VERSION_MINOR, GB_VERSION_PATCH);
}
