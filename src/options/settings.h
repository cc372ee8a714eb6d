/* options/settings.h - the resolved options of a run, one field per row of options.def. */
#ifndef GB_OPTIONS_SETTINGS_H
#define GB_OPTIONS_SETTINGS_H

#include "base/status.h"
#include "options/verbs.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gb_text_list {
    char **item;
    size_t count;
} gb_text_list;

#define GB_FIELD_INT(field)    int64_t field;
#define GB_FIELD_REAL(field)   double field;
#define GB_FIELD_TEXT(field)   char *field; /* never NULL; "" when not set */
#define GB_FIELD_LIST(field)   gb_text_list field;
#define GB_FIELD_FLAG(field)   bool field;
#define GB_FIELD_SWITCH(field) bool field;
#define GB_FIELD_CHOICE(field) char *field; /* one of the choices */

struct gb_settings {
#define GB_OPTION(field, name, letter, kind, value, low, high, argument, group, verbs, help) GB_FIELD_##kind(field)
#include "options/options.def"
#undef GB_OPTION
    /* bit i: option i was set by the caller (command line, config file or gb_settings_set) */
    bool *is_set;
};

typedef enum gb_option_kind {
    GB_OPTION_INT,
    GB_OPTION_REAL,
    GB_OPTION_TEXT,
    GB_OPTION_LIST,
    GB_OPTION_FLAG,
    GB_OPTION_SWITCH,
    GB_OPTION_CHOICE
} gb_option_kind;

typedef enum gb_option_group {
    GB_GROUP_DATA,
    GB_GROUP_WORDS,
    GB_GROUP_MODEL,
    GB_GROUP_SAMPLER,
    GB_GROUP_PREDICTION,
    GB_GROUP_OUTPUT,
    GB_GROUP_SIMULATION,
    GB_GROUP_RUN
} gb_option_group;

/** One row of options.def, for --help, documentation and completion. */
typedef struct gb_option {
    const char *name, *default_value, *low, *high, *argument, *help;
    char letter; /* 0 if none */
    gb_option_kind kind;
    gb_option_group group;
    int verbs;     /* bits of enum gb_verb */
    size_t offset; /* of the field in struct gb_settings */
} gb_option;

/** The table; *count receives the number of rows. */
const gb_option *gb_option_table(size_t *count);

/** The row with that long name, or NULL. */
const gb_option *gb_option_find(const char *name);

/** True when the caller gave this option. */
bool gb_settings_is_set(const gb_settings *settings, const char *name);

/** The value of an option of kind TEXT or CHOICE, which must exist; owned by the settings. */
const char *gb_settings_text(const gb_settings *settings, const char *name);

/** The same settings once more, free with gb_settings_free(): what was set is set, the rest has its default. */
gb_status gb_settings_copy(const gb_settings *from, gb_settings **out, gb_error *err);

/** All settings that have an option of these verbs, as a JSON object name -> value as text (LIST: array of
 * texts); the caller owns the reference.  NULL when memory runs out. */
json_t *gb_settings_to_json(const gb_settings *settings, int verbs);

/** Set every option that the object names; unknown names are an error (GB_EFORMAT). */
gb_status gb_settings_from_json(gb_settings *settings, const json_t *object, gb_error *err);

#endif
