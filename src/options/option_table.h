/* options/option_table.h - what the library knows of an option beyond what it tells. */
#ifndef GB_OPTIONS_OPTION_TABLE_H
#define GB_OPTIONS_OPTION_TABLE_H

#include "options/settings.h"

/** One row of options.def. */
typedef struct gb_option_row {
    gb_option option;
    bool is_resumed; /* a run that goes on from a checkpoint must have the same value */
    bool
        is_gone_on_with; /* likewise, and it has that value if none is given: also what a run writes from its beginning */
} gb_option_row;

/** Number of options. */
uint64_t gb_option_count(void);

/** Rows in the order of options.def; NULL from gb_option_count() on. */
const gb_option_row *gb_option_row_at(uint64_t index);

/** The number of the option with that long name; false if there is none. */
bool gb_option_index(const char *name, uint64_t *index);

/** True if the option, of kind REAL, takes that number. */
bool gb_option_takes(const char *name, double number);

/** "no option \"x\"; did you mean `y`?", as GB_EARGUMENT. */
gb_status gb_option_unknown(const char *name, gb_error *err);

#endif
