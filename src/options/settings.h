/* options/settings.h - the resolved options of a run, one field per row of options.def. */
#ifndef GB_OPTIONS_SETTINGS_H
#define GB_OPTIONS_SETTINGS_H

#include "base/status.h"
#include "base/text.h"
#include "gibbous/options.h"
#include "options/verbs.h"

#include <jansson.h>
#include <string.h>

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

/** "auto" is held as the column `automatic` of options.def says. */
struct gb_settings {
#define GB_OPTION(field, name, letter, kind, value, automatic, low, high, argument, group, kept, verbs, help)        \
    GB_FIELD_##kind(field)
#include "options/options.def"
#undef GB_OPTION
    bool *is_set;         /* by option: it was set by the caller (command line, config file or gb_settings_set) */
    struct gb_team *team; /* gb_settings_use_team(); borrowed */
    char (*number)[GB_REAL_SIZE]; /* by option: the text of its value, of kind INT and REAL */
};

/** The value of an option that is not a list as it is held, so that "auto" may be something else; the option must exist;
 * owned by the settings. */
const char *gb_settings_text(const gb_settings *settings, const char *name);

/** True if words have coefficients of their own. */
static inline bool gb_settings_has_word_effects(const gb_settings *settings)
{
    return strcmp(settings->word_effects, "none") != 0;
}

/** True if the values of words have an inverse document frequency. */
static inline bool gb_settings_has_idf(const gb_settings *settings)
{
    return strcmp(settings->word_effects, "tfidf") == 0;
}

/** The power of the inverse document frequency in TF-IDF; auto is 1 where nothing has chosen it (folds/pilot.c). */
static inline double gb_settings_idf_power(const gb_settings *settings)
{
    return settings->idf_power < 0 ? 1 : settings->idf_power;
}

/** Make an option as if it had never been set; it is not a list, and must exist. */
gb_status gb_settings_unset(gb_settings *settings, const char *name, gb_error *err);

/** All settings that have an option of these verbs, as a JSON object name -> value as text (LIST: array of
 * texts); the caller owns the reference.  NULL when memory runs out. */
json_t *gb_settings_to_json(const gb_settings *settings, uint32_t verbs);

/** Set every option that the object names; unknown names are an error (GB_EFORMAT). */
gb_status gb_settings_from_json(gb_settings *settings, const json_t *object, gb_error *err);

#endif
