/* base/size.c - amounts of memory as text. */
#include "base/size.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char units[] = "KMGT";

void gb_size_to_text(uint64_t n_bytes, char out[static GB_SIZE_TEXT])
{
    double x = (double)n_bytes / 1024;
    size_t unit = 0;
    for (; x >= 1000 && unit + 1 < sizeof units - 1; unit++)
        x /= 1024;
    (void)snprintf(out, GB_SIZE_TEXT, x < 9.95 ? "%.1f %ciB" : "%.0f %ciB", x, units[unit]);
}

gb_status gb_size_from_text(const char *text, uint64_t *out, gb_error *err)
{
    char number[GB_SIZE_TEXT] = "";
    double value;
    size_t length = strspn(text, "0123456789.");
    const char *unit = text + length, *found = *unit == '\0' ? NULL : strchr(units, toupper((unsigned char)*unit));
    *out = UINT64_MAX;
    if (*text == '\0')
        return GB_OK;
    if (length < sizeof number)
        memcpy(number, text, length);
    const char *end = found == NULL ? unit : unit + 1;
    const bool is_unit = *end == '\0' || (found != NULL && (strcmp(end, "B") == 0 || strcmp(end, "iB") == 0));
    if (!is_unit || gb_text_to_real(number, &value) != GB_NUMBER_OK)
        return gb_fail(err, GB_EARGUMENT, "`memory-limit` \"%s\": expected a size such as 500M or 2G", text);
    for (const char *u = units; found != NULL && u <= found; u++)
        value *= 1024;
    if (value < 0x1p63)
        *out = (uint64_t)value;
    return GB_OK;
}
