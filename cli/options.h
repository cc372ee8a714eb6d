/* cli/options.h - from arguments and a config file to settings; help from the same table. */
#ifndef GB_CLI_OPTIONS_H
#define GB_CLI_OPTIONS_H

#include "common.h"

/** Which options the help of a verb shows. */
typedef enum cli_help { CLI_NO_HELP, CLI_HELP_COMMON, CLI_HELP_ALL } cli_help;

/**
 * Parse the arguments after the verb, then the config file that they name.
 *
 * @param argc, argv  from the verb on
 * @param call        settings and positional arguments are filled in
 * @param help        set when --help or --help-all is met; parsing stops there
 * @return GB_EARGUMENT too if options do not go together
 */
gb_status cli_parse_options(cli_call *call, int argc, char **argv, cli_help *help, gb_error *err);

/** Number of options. */
size_t cli_n_options(void);

/** How a verb gives an option a value: gb_settings_set(), or gb_selection_set() where it takes lists of them. */
typedef gb_status cli_set_value(gb_settings *settings, const char *name, const char *value, gb_error *err);

/** Read `name = value` lines into the settings; options that are already set keep their value. */
gb_status cli_read_config(const char *path, cli_set_value *set, gb_settings *settings, gb_error *err);

/** Names of the verbs in a set of bits: "predict", "predict and infer", "predict, infer and evaluate". */
void cli_verb_names(uint32_t verbs, char *out, size_t size);

void cli_print_usage(FILE *stream);
void cli_print_help(FILE *stream, const cli_verb *verb, cli_help which);

/** The verbs and the option table as one JSON object: manual pages, completion and documentation are made
 * from it. */
gb_status cli_dump_options(FILE *stream, gb_error *err);

#endif
