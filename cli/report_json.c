/* cli/report_json.c - the data of a report as JSON that may stand inside a page. */
#include "report_json.h"

#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *cli_report_real(double value, int digits)
{
    char text[40];
    if (!isfinite(value))
        return json_null();
    const int needed = fabs(value) < 1e6 ? digits : cli_digits(value, (double)NAN);
    (void)snprintf(text, sizeof text, "%.*g", needed, value);
    return json_real(strtod(text, NULL));
}

json_t *cli_report_reals(uint64_t n, const double *value, uint64_t stride, int digits)
{
    json_t *list = json_array();
    for (uint64_t i = 0; i < n; i++)
        (void)json_array_append_new(list, cli_report_real(value[i * stride], digits));
    return list;
}

/* A callback of Jansson: these characters stand only inside strings, which may write any character so. */
static int put_escaped(const char *bytes, size_t size, void *user)
{
    FILE *stream = user;
    for (size_t at = 0; at < size;) {
        const char *found = NULL;
        for (size_t i = at; i < size && found == NULL; i++)
            if (bytes[i] == '<' || bytes[i] == '>' || bytes[i] == '&')
                found = bytes + i;
        const size_t plain = (found == NULL ? size : (size_t)(found - bytes)) - at;
        if (fwrite(bytes + at, 1, plain, stream) < plain)
            return -1;
        if (found != NULL && fprintf(stream, "\\u%04x", (unsigned)*found) < 0)
            return -1;
        at += plain + (found != NULL);
    }
    return 0;
}

gb_status cli_report_put(const json_t *object, FILE *stream, gb_error *err)
{
    const gb_status st = cli_json_check(object, err);
    if (st != GB_OK)
        return st;
    if (json_dump_callback(object, put_escaped, stream, JSON_COMPACT | JSON_REAL_PRECISION(15)) != 0 &&
        !ferror(stream))
        return cli_no_memory("the report", err);
    return cli_json_check(object, err);
}
