/* helper_draws.h - what a draw that a model keeps says of words, from its counts alone. */
#ifndef GB_TEST_HELPER_DRAWS_H
#define GB_TEST_HELPER_DRAWS_H

#include "model/model.h"

/** The expected probability of word w in topic k; in two bags, even and odd words are each in one. */
double phi_of_draw(const gb_model *m, const gb_draw *d, size_t k, uint32_t w, bool has_bags);

#endif
