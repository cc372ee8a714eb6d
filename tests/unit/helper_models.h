/* helper_models.h - models from draws that a test makes up, and model files with other contents than they should have. */
#ifndef GB_TEST_HELPER_MODELS_H
#define GB_TEST_HELPER_MODELS_H

#include "model/draw_file.h"

/** Give a model its draws: `draw` in the order of their chains, numbered from 0, those with topics as snapshots. */
void give_draws(gb_model *model, size_t n_chains, size_t n_draws, const gb_draw *draw);

/** Change n_bytes of an array of a model file, from `at` on; the checksum is made right again. */
void change_array(const char *path, const char *array, size_t at, const void *bytes, size_t n_bytes);

#endif
