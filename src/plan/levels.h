/* plan/levels.h - the order of the levels of an ordinal response (--levels). */
#ifndef GB_PLAN_LEVELS_H
#define GB_PLAN_LEVELS_H

#include "plan/spec.h"

/**
 * Name the classes of a response from the lowest level to the highest.
 *
 * @param labels  the field's; each of them has to be a level
 * @param given   items "A,B,..." or "FIELD=A,B,..."; without one for the field its labels have to be numbers
 * @return GB_OK, GB_EARGUMENT or GB_ENOMEM
 */
gb_status gb_levels_choose(const gb_labels *labels, const gb_text_list *given, gb_spec_response *response,
                           gb_error *err);

/** Every item that names a field names one with an ordinal response.  @return GB_OK or GB_EARGUMENT */
gb_status gb_levels_check(const gb_spec *spec, const gb_text_list *given, gb_error *err);

#endif
