/* gibbous/options.h - the list of options, and the settings of a run. */
#ifndef GIBBOUS_OPTIONS_H
#define GIBBOUS_OPTIONS_H

#include "gibbous/status.h"
#include "gibbous/team.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- options ---- */

/** What the value of an option is. */
typedef enum gb_option_kind {
    GB_OPTION_INT,    /* a whole number */
    GB_OPTION_REAL,   /* a number */
    GB_OPTION_TEXT,   /* a text, the name of a file, or numbers in a notation that the help describes */
    GB_OPTION_LIST,   /* any number of texts, one per call of gb_settings_set() */
    GB_OPTION_FLAG,   /* "yes" or "no", and by default "no"; on the command line it takes no value */
    GB_OPTION_SWITCH, /* "yes" or "no"; on the command line --x and --no-x */
    GB_OPTION_CHOICE  /* one of some words */
} gb_option_kind;

/** Groups of options: the headings of --help. */
typedef enum gb_option_group {
    GB_GROUP_DATA,
    GB_GROUP_WORDS,
    GB_GROUP_MODEL,
    GB_GROUP_SAMPLER,
    GB_GROUP_PREDICTION,
    GB_GROUP_SIMULATION,
    GB_GROUP_RUN,
    GB_GROUP_OUTPUT
} gb_option_group;

/** One option.  Owned by the library, constant, and valid as long as the library is loaded; later versions may add members
 * at the end. */
typedef struct gb_option {
    const char *name; /* long name without dashes: "topics" */
    char letter;      /* short option on the command line: 'k'; 0 if none */
    gb_option_kind kind;
    gb_option_group group;
    const char *default_value; /* as gb_settings_set() takes it; "": not set; "auto": the library decides */
    const char *low, *high;    /* INT and REAL: the closed range of numbers; "" otherwise */
    const char *choices;       /* CHOICE: the words, separated by "|"; "" otherwise */
    const char *argument;      /* what --help calls the value; "" for FLAG and SWITCH */
    bool kept;                 /* models store its value (gb_model_settings()) */
    const char *needs;         /* what must be given, or must not be, if this option is: gb_settings_check() */
    const char *help;          /* what it does, one line without a full stop */
} gb_option;

/** Option number `index`, from 0, in the order of --help; NULL behind the last. */
GB_API const gb_option *gb_option_at(uint64_t index);

/** The option with that long name; NULL if there is none. */
GB_API const gb_option *gb_option_find(const char *name);

/** "int", "real", "text", "list", "flag", "switch" or "choice"; "" for any other number. */
GB_API const char *gb_option_kind_name(gb_option_kind kind);

/** The heading of a group of options, such as "Sampler"; "" for any other number. */
GB_API const char *gb_option_group_name(gb_option_group group);

/* ---- settings ---- */

/** The options of a run with their values. */
typedef struct gb_settings gb_settings;

/**
 * All options at their defaults.
 *
 * @param out  receives the settings, free them with gb_settings_free(); untouched on failure
 * @return GB_OK or GB_ENOMEM
 */
GB_API gb_status gb_settings_create(gb_settings **out, gb_error *err);

/** Copy settings: options that were set are set in the copy, the others have their defaults.
 *
 * @param out  receives the copy, free it with gb_settings_free(); untouched on failure
 * @return GB_OK or GB_ENOMEM */
GB_API gb_status gb_settings_copy(const gb_settings *from, gb_settings **out, gb_error *err);

/**
 * Set one option.  A list grows by one value per call; for any other option the new value replaces the old one.
 *
 * @param name   long option name without dashes; for an unknown name, the message suggests the nearest one
 * @param value  as on the command line; "yes" or "no" for flags and switches; "auto" where the option takes it; copied
 * @return GB_OK, GB_EARGUMENT (unknown name, value not of the option's kind or outside its range) or
 * GB_ENOMEM; on failure the settings are unchanged
 */
GB_API gb_status gb_settings_set(gb_settings *settings, const char *name, const char *value, gb_error *err);

/**
 * Work on several ranks: every chain of a plan made with these settings is drawn by all ranks of the team together, each with a part
 * of the documents; and gb_predict(), gb_infer() and gb_held_out_likelihood() divide the documents among the ranks, and all ranks
 * receive all results.  All ranks make the same calls with the same settings and the same corpus, and get the same outcome, bit for
 * bit that of one process.
 *
 * @param team  from gb_team_open(); borrowed for as long as the settings, and what was made with them, are used; NULL: this process works alone
 */
GB_API void gb_settings_use_team(gb_settings *settings, gb_team *team);

/** True when gb_settings_set() gave this option a value; false for an unknown name. */
GB_API bool gb_settings_is_set(const gb_settings *settings, const char *name);

/** Number of values of an option: the length of a list, 1 for any other option, 0 for an unknown name. */
GB_API uint64_t gb_settings_n_values(const gb_settings *settings, const char *name);

/**
 * A value as text, as gb_settings_set() would take it: "auto" where the library decides, "yes" or "no" for flags and
 * switches, numbers in the shortest form that reads back as the same number.
 *
 * @param index  0 for all options but lists
 * @return the text, owned by the settings and valid until they change; NULL for an unknown name or an index from
 * gb_settings_n_values() on
 */
GB_API const char *gb_settings_get(const gb_settings *settings, const char *name, uint64_t index);

/** The value of an option that is an amount of memory, such as "memory-limit".
 *
 * @param out  receives the number of bytes; UINT64_MAX: there is no limit
 * @return GB_OK or GB_EARGUMENT */
GB_API gb_status gb_settings_bytes(const gb_settings *settings, const char *name, uint64_t *out, gb_error *err);

/** A fact that the settings do not hold: that an argument is given (its name in capitals, with a value such as "yes"), or which value the
 * program has decided for an option that the settings leave open, or what no option says, in words with dashes.  Several facts may have one
 * name; all are true. */
typedef struct gb_fact {
    const char *name, *value;
    const char *field; /* NULL: not of one field of the documents */
} gb_fact;

/**
 * Check that what an option, or a call of a program, needs is given.
 *
 * @param subject  what the message names.  If it is the name of an option, nothing is checked unless that option is set
 * @param needs    the member `needs` of the option, or rules of the same form: "seeds", "response hinge|probit", "merge or drop",
 *                 "not table", "for nearest: nearest-in", "in effects: DOCUMENTS"
 * @param scope    rules that begin with "in" and this name count, other rules with "in" do not; NULL: no rule with "in" counts
 * @param facts    override the settings; NULL if n_facts is 0
 * @return GB_OK, or GB_EARGUMENT with a message such as "`margin` needs `response` hinge, not probit"
 */
GB_API gb_status gb_settings_check(const gb_settings *settings, const char *subject, const char *needs,
                                   const char *scope, uint64_t n_facts, const gb_fact *facts, gb_error *err);

/** Free settings; accepts NULL. */
GB_API void gb_settings_free(gb_settings *settings);

#ifdef __cplusplus
}
#endif

#endif
