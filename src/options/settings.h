/* options/settings.h - the values of the options of a run.  Values are asked for by the name of the option, so that a new row of
 * options.def touches only the files that ask for it; tests/source/option_names.sh checks that each name is an option of the kind that is
 * asked for. */
#ifndef GB_OPTIONS_SETTINGS_H
#define GB_OPTIONS_SETTINGS_H

#include "base/status.h"
#include "gibbous/options.h"

#include <jansson.h>
#include <string.h>

typedef struct gb_text_list {
    char **item;
    size_t count;
} gb_text_list;

/* ---- values by kind ---- */

/** The value of an option of kind INT that is never auto. */
int64_t gb_settings_int(const gb_settings *settings, const char *name);
/** The value of an option of kind INT, or `automatic` where it is auto. */
int64_t gb_settings_int_or(const gb_settings *settings, const char *name, int64_t automatic);
/** The value of an option of kind REAL that is never auto. */
double gb_settings_real(const gb_settings *settings, const char *name);
/** The value of an option of kind REAL, or `automatic` where it is auto. */
double gb_settings_real_or(const gb_settings *settings, const char *name, double automatic);
/** Whether an option of kind FLAG or SWITCH is on. */
bool gb_settings_yes(const gb_settings *settings, const char *name);
/** The value of an option that is not a list, as the user would write it; "" if it is not set.  Owned by the settings. */
const char *gb_settings_text(const gb_settings *settings, const char *name);
/** Whether an option of kind TEXT is set to something. */
bool gb_settings_has(const gb_settings *settings, const char *name);
/** Whether the value of an option that is not a list is this text. */
bool gb_settings_are(const gb_settings *settings, const char *name, const char *text);
/** The values of an option of kind LIST; owned by the settings. */
const gb_text_list *gb_settings_list(const gb_settings *settings, const char *name);

/** What a training's result depends on, and its threads: for trainings that a training needs.
 * @param leaves_out  whether to leave out an option; NULL: none
 * @param out         free it with gb_settings_free()  @return GB_OK or GB_ENOMEM */
gb_status gb_settings_for_model(const gb_settings *from, bool (*leaves_out)(const char *name), gb_settings **out,
                                gb_error *err);

/** The team of gb_settings_use_team(). */
struct gb_team *gb_settings_team(const gb_settings *settings);

/* ---- answers that several files need ---- */

/** How many fields to predict are named. */
static inline size_t gb_settings_n_fields(const gb_settings *settings)
{
    return gb_settings_list(settings, "label")->count + gb_settings_list(settings, "labels")->count +
           gb_settings_list(settings, "target")->count;
}

/** True if words have coefficients of their own. */
static inline bool gb_settings_has_word_effects(const gb_settings *settings)
{
    return !gb_settings_are(settings, "word-effects", "none");
}

/** True if the values of words have an inverse document frequency. */
static inline bool gb_settings_has_idf(const gb_settings *settings)
{
    return gb_settings_are(settings, "word-effects", "tfidf");
}

/** The power of the inverse document frequency in TF-IDF; auto is 1 where nothing has chosen it (recipe/word_variance.c). */
static inline double gb_settings_idf_power(const gb_settings *settings)
{
    return gb_settings_real_or(settings, "idf-power", 1);
}

/* ---- all of them ---- */

/** gb_settings_set() with a number. */
gb_status gb_settings_set_int(gb_settings *settings, const char *name, int64_t value, gb_error *err);
gb_status gb_settings_set_real(gb_settings *settings, const char *name, double value, gb_error *err);

/** Make an option as if it had never been set; it must exist. */
gb_status gb_settings_unset(gb_settings *settings, const char *name, gb_error *err);

/** The value of an option as text (LIST: array of texts); the caller owns the reference.  NULL when memory runs out. */
json_t *gb_settings_value_to_json(const gb_settings *settings, const char *name);

/** The settings on which the result of a training depends, as a JSON object name -> value as text (LIST: array of
 * texts); the caller owns the reference.  NULL when memory runs out. */
json_t *gb_settings_to_json(const gb_settings *settings);

/** Set every option that the object names; unknown names are an error (GB_EFORMAT). */
gb_status gb_settings_from_json(gb_settings *settings, const json_t *object, gb_error *err);

#endif
