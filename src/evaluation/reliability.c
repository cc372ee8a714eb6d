/* evaluation/reliability.c - whether probabilities say how often their events happen. */
#include "evaluation/reliability.h"

#include <math.h>

static size_t bin_of(double probability)
{
    const size_t last = GB_RELIABILITY_BINS - 1;
    const size_t bin = probability > 0 ? (size_t)(probability * GB_RELIABILITY_BINS) : 0;
    return bin < last ? bin : last; /* 1 has none of its own */
}

void gb_reliability_add(gb_reliability *r, double probability, bool happened)
{
    const size_t b = bin_of(probability);
    r->n[b]++;
    r->n_happened[b] += happened;
    r->probability[b] += probability;
}

void gb_reliability_add_all(gb_reliability *r, const gb_reliability *more, uint64_t weight)
{
    for (size_t b = 0; b < GB_RELIABILITY_BINS; b++) {
        r->n[b] += weight * more->n[b];
        r->n_happened[b] += weight * more->n_happened[b];
        r->probability[b] += (double)weight * more->probability[b];
    }
}

gb_reliability_bin gb_reliability_of_bin(const gb_reliability *r, size_t bin)
{
    const double n = (double)r->n[bin], n_bins = GB_RELIABILITY_BINS;
    gb_reliability_bin b = {(double)bin / n_bins, (double)(bin + 1) / n_bins, r->n[bin], NAN, NAN};
    if (r->n[bin] > 0) {
        b.mean_probability = r->probability[bin] / n;
        b.share = (double)r->n_happened[bin] / n;
    }
    return b;
}

double gb_reliability_error(const gb_reliability *r)
{
    double n = 0, distance = 0; /* n_b |share_b - mean_b| = |events that happened - events expected| */
    for (size_t b = 0; b < GB_RELIABILITY_BINS; b++) {
        n += (double)r->n[b];
        distance += fabs((double)r->n_happened[b] - r->probability[b]);
    }
    return n > 0 ? distance / n : NAN;
}
