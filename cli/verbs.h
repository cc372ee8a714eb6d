/* cli/verbs.h - the verbs, and which options each has: the column `verbs` of options.def. */
#ifndef GB_CLI_VERBS_H
#define GB_CLI_VERBS_H

#include "common.h"

/** Verbs and sets of verbs that share options. */
enum {
    CLI_IMPORT = 1 << 0,
    CLI_INFO = 1 << 1,
    CLI_TRAIN = 1 << 2,
    CLI_PREDICT = 1 << 3,
    CLI_INFER = 1 << 4,
    CLI_EVALUATE = 1 << 5,
    CLI_TOPICS = 1 << 6,
    CLI_SIMULATE = 1 << 7,
    CLI_EFFECTS = 1 << 8,
    CLI_DIAGNOSE = 1 << 9,
    CLI_EXPLAIN = 1 << 10,
    CLI_SELECT = 1 << 11,
    CLI_REPORT = 1 << 12,
    CLI_CONVERT = 1 << 13,
    CLI_EXPORT = 1 << 14,
    CLI_ASK = 1 << 15,
    CLI_EDIT = 1 << 16,
    CLI_ALL = (1 << 17) - 1,
    CLI_APPLIES = CLI_PREDICT | CLI_INFER | CLI_EVALUATE | CLI_REPORT | CLI_EXPLAIN | CLI_EXPORT |
                  CLI_ASK,                                      /* apply a model of a file to documents */
    CLI_INFERS = CLI_APPLIES | CLI_SELECT,                      /* apply a model */
    CLI_FITS = CLI_TRAIN | CLI_EVALUATE | CLI_SELECT | CLI_ASK, /* fit models */
    CLI_IMPORTS = CLI_IMPORT | CLI_CONVERT,
    CLI_PREPARES = CLI_IMPORTS | CLI_FITS,                          /* turn text into words by settings of the user */
    CLI_READS = CLI_IMPORTS | CLI_TRAIN | CLI_INFERS | CLI_EFFECTS, /* read documents */
    CLI_TABLES =
        CLI_PREDICT | CLI_INFER | CLI_TOPICS | CLI_EFFECTS | CLI_DIAGNOSE | CLI_EXPLAIN | CLI_ASK /* write a table */
};

/** The verbs that accept an option. */
uint32_t cli_verbs_of(const gb_option *option);

/** Whether a verb accepts an option. */
bool cli_takes(const cli_verb *verb, const gb_option *option);

/** Whether a verb writes the file that the value of an option names. */
bool cli_writes(const cli_verb *verb, const gb_option *option);

/** Whether --help shows an option, not only --help-all. */
bool cli_is_common(const gb_option *option);

/** The verbs; *count receives how many. */
const cli_verb *cli_verb_table(size_t *count);

/** The verb of that name, or GB_EARGUMENT. */
gb_status cli_find_verb(const char *name, const cli_verb **out, gb_error *err);

#endif
