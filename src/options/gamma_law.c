/* options/gamma_law.c - reads "gamma:A,B". */
#include "options/gamma_law.h"

#include "base/text.h"
#include "math/special.h"

#include <math.h>
#include <string.h>

static const char beginning[] = "gamma:";
enum { N_BEGINNING = sizeof beginning - 1 };

bool gb_gamma_law_is_meant(const char *text)
{
    return strncmp(text, beginning, N_BEGINNING) == 0;
}

static bool read_number(const char *text, double *out)
{
    return gb_text_to_real(text, out) == GB_NUMBER_OK && *out >= GB_GAMMA_LAW_LEAST && *out <= GB_GAMMA_LAW_MOST;
}

bool gb_gamma_law_read(const char *text, gb_gamma_law *out)
{
    char shape[GB_REAL_SIZE] = "";
    gb_gamma_law law;
    if (!gb_gamma_law_is_meant(text))
        return false;
    text += N_BEGINNING;
    const size_t length = strcspn(text, ",");
    if (length >= sizeof shape || text[length] != ',')
        return false;
    memcpy(shape, text, length);
    if (!read_number(shape, &law.shape) || !read_number(text + length + 1, &law.rate))
        return false;
    *out = law;
    return true;
}

double gb_gamma_law_log_density(const gb_gamma_law *law, double x)
{
    return law->shape * (log(law->rate) + log(x)) - gb_log_gamma(law->shape) - law->rate * x;
}
