/* helper_polya_gamma.c - the density of a Polya-Gamma variable. */
#include "helper_polya_gamma.h"

#include <math.h>

double polya_gamma_density(double b, double x)
{
    double sum = 0;
    for (int n = 0; n < 2000; n++) {
        const double a = 2 * n + b, log_term = lgamma(n + b) - lgamma(n + 1) - a * a / (8 * x);
        sum += (n % 2 == 0 ? 1 : -1) * a * exp(log_term);
        if (n > 10 && log_term < -60)
            break;
    }
    return exp((b - 1) * M_LN2 - lgamma(b) - 1.5 * log(x)) / sqrt(2 * M_PI) * sum;
}
