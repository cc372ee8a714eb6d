/* options/needs.h - whether options go together; the column `needs` of options.def has the rules. */
#ifndef GB_OPTIONS_NEEDS_H
#define GB_OPTIONS_NEEDS_H

#include "gibbous/options.h"

/** gb_settings_check() of every option that is given.  @param scope  NULL: without rules of one verb */
gb_status gb_settings_check_all(const gb_settings *settings, const char *scope, uint64_t n_facts,
                                const gb_fact *facts, gb_error *err);

/** Make options of a training as if they had never been set that do not go with the others.  @return GB_OK or GB_ENOMEM */
gb_status gb_settings_drop_unmet(gb_settings *settings, gb_error *err);

#endif
