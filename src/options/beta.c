/* options/beta.c - reads the option `beta`. */
#include "options/beta.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

static const double LEAST = 1e-6, MOST = 1e6;

bool gb_beta_is_possible(double beta)
{
    return beta >= LEAST && beta <= MOST;
}

double gb_beta_bounded(double beta)
{
    return fmin(fmax(beta, LEAST), MOST);
}

gb_status gb_beta_read(const char *text, double automatic, gb_beta *out, gb_error *err)
{
    gb_beta beta = {.law = {1, 1 / GB_DEFAULT_BETA}};
    char quote[GB_QUOTE_SIZE];
    if (strcmp(text, "auto") == 0) {
        *out = (gb_beta){.is_auto = true, .value = automatic};
        return GB_OK;
    }
    beta.is_sampled = strcmp(text, "sample") == 0 || gb_gamma_law_read(text, &beta.law);
    beta.value = gb_beta_bounded(beta.law.shape / beta.law.rate);
    if (!beta.is_sampled &&
        (gb_text_to_real(text, &beta.value) != GB_NUMBER_OK || !gb_beta_is_possible(beta.value))) {
        gb_text_quote(text, strlen(text), quote);
        return gb_fail(err, GB_EARGUMENT,
                       "`beta` must be auto, sample, gamma:C,D or a number between %g and %g, not %s", LEAST, MOST,
                       quote);
    }
    *out = beta;
    return GB_OK;
}
