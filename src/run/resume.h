/* run/resume.h - the settings of a checkpoint. */
#ifndef GB_RUN_RESUME_H
#define GB_RUN_RESUME_H

#include "options/settings.h"
#include "plan/spec.h"
#include "store/store.h"

/** The settings that a run depends on, as they were given, with burn-in, thin and seed as they were decided: name -> list of
 * texts.  NULL when memory runs out. */
json_t *gb_settings_for_checkpoint(const gb_settings *settings, const gb_spec *spec);

/** GB_EARGUMENT for a setting that gb_settings_for_checkpoint() could not write: a name that is not UTF-8. */
gb_status gb_settings_check_texts(const gb_settings *settings, gb_error *err);

/**
 * Fill in the settings of a checkpoint, `s`, where none are given.
 *
 * @return GB_OK; GB_EFORMAT if other ones are given (names the option) or the file is of another version; GB_ENOMEM
 */
gb_status gb_settings_adopt(gb_settings *settings, const gb_store *s, gb_error *err);

#endif
