/* folds/grid.h - the settings between which a selection chooses: every combination of some values of some options. */
#ifndef GB_FOLDS_GRID_H
#define GB_FOLDS_GRID_H

#include "options/settings.h"

/** An option and its values. */
typedef struct gb_grid_axis {
    const gb_option *option;
    gb_text_list values;
} gb_grid_axis;

/** Candidates are numbered with the values of the last axis changing first. */
typedef struct gb_grid {
    gb_grid_axis *axis;
    size_t n_axes, room;
    size_t n_candidates;
} gb_grid;

/** Read the option grid.
 *
 * @param out  zeroed; clear it with gb_grid_clear(), also on failure
 * @return GB_OK, GB_EARGUMENT (nothing to choose between; a value that the option does not take) or GB_ENOMEM */
gb_status gb_grid_read(const gb_settings *settings, gb_grid *out, gb_error *err);
void gb_grid_clear(gb_grid *grid);

/** The value of an axis in a candidate. */
const char *gb_grid_value(const gb_grid *grid, size_t candidate, size_t axis);

/** Settings with the values of a candidate, to be freed with gb_settings_free(). */
gb_status gb_grid_settings(const gb_grid *grid, const gb_settings *settings, size_t candidate, gb_settings **out,
                           gb_error *err);

/** "topics 20, cost 1", to be freed with gb_free(). */
gb_status gb_grid_describe(const gb_grid *grid, size_t candidate, char **out, gb_error *err);

#endif
