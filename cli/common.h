/* cli/common.h - what the verbs of the command line share.
 *
 * A verb returns a status and leaves its message in a gb_error; only main.c prints it and turns it into an
 * exit status.  Results go to standard output or a file, notes and progress to standard error. */
#ifndef GB_CLI_COMMON_H
#define GB_CLI_COMMON_H

#include "memory.h"

#include <gibbous/gibbous.h>

#include <jansson.h>
#include <stdio.h>

typedef struct cli_call cli_call;

/** A verb: a row of the table in main.c. */
typedef struct cli_verb {
    const char *name;
    uint32_t bit; /* one of those in verbs.h */
    size_t min_arguments, max_arguments;
    const char *arguments; /* how the usage line shows them, with the options that are always needed */
    const char *help;      /* one line, no full stop */
    const char *needs;     /* what must be given, as the column `needs` of options.def has it */
    struct {
        const char *what, *command; /* up to five; for one verb with fewer, what is "" */
    } example[5];
    gb_status (*run)(cli_call *call, gb_error *err);
} cli_verb;

/** One run of a verb. */
struct cli_call {
    const cli_verb *verb;
    gb_settings *settings;
    gb_team *team;   /* NULL: alone; borrowed */
    char **argument; /* positional; owned */
    size_t n_arguments;
    bool has_findings; /* the program ends with status 4 */
};

/* ---- ranks: all of them make these calls ---- */

/** Tell each other of signals, so that a stop has the same exit status at all ranks.
 * @param stops  whether there was one, the same at all ranks */
gb_status cli_share_signals(const cli_call *call, bool *stops, gb_error *err);
/** After work that a signal may have ended at some ranks only.
 * @param st  how it has ended here; a failure is passed on at once, and the others hear of it when this rank leaves
 * @return GB_ESTOP if that was its end at one of them, else `st` */
gb_status cli_agree_to_stop(const cli_call *call, gb_status st, gb_error *err);

gb_status cli_import(cli_call *call, gb_error *err);
gb_status cli_convert(cli_call *call, gb_error *err);
gb_status cli_info(cli_call *call, gb_error *err);
gb_status cli_train(cli_call *call, gb_error *err);
gb_status cli_predict(cli_call *call, gb_error *err);
gb_status cli_infer(cli_call *call, gb_error *err);
gb_status cli_evaluate(cli_call *call, gb_error *err);
gb_status cli_select(cli_call *call, gb_error *err);
gb_status cli_topics(cli_call *call, gb_error *err);
gb_status cli_edit(cli_call *call, gb_error *err);
gb_status cli_effects(cli_call *call, gb_error *err);
gb_status cli_ask(cli_call *call, gb_error *err);
gb_status cli_explain(cli_call *call, gb_error *err);
gb_status cli_diagnose(cli_call *call, gb_error *err);
gb_status cli_report(cli_call *call, gb_error *err);
gb_status cli_export(cli_call *call, gb_error *err);
gb_status cli_simulate(cli_call *call, gb_error *err);

/* ---- settings: `name` names an option, which must exist ---- */

const char *cli_text(const cli_call *call, const char *name); /* "" when it is not set */
int64_t cli_int(const cli_call *call, const char *name);      /* 0 for "auto" */
double cli_real(const cli_call *call, const char *name);      /* likewise */
bool cli_flag(const cli_call *call, const char *name);
bool cli_is_set(const cli_call *call, const char *name);
/** Values of a list. */
uint64_t cli_count(const cli_call *call, const char *name);
const char *cli_item(const cli_call *call, const char *name, uint64_t index);

/* ---- documents ---- */

/** A piece of text that has no terminating NUL. */
typedef struct cli_view {
    const char *bytes;
    size_t length;
} cli_view;

cli_view cli_id(const gb_corpus *docs, uint64_t document);

/* ---- messages and results ---- */

/** A line for the user on standard error, unless --quiet. */
void cli_note(const cli_call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Options in a message of the library, whose names stand in backquotes, as the user types them: `sweeps` becomes --sweeps,
 * in place.  What the user has named so stays: a backquoted name inside double quotes, or inside a longer word such as the name
 * of a file.  @return the message */
char *cli_add_dashes(char *message);

/** With --verbose: every setting of the verb, as lines that --config reads. */
void cli_note_settings(const cli_call *call);

/** Whether an error of this number is one of the machine and not of the file: too many open files, a disk that fails. */
bool cli_is_of_machine(int number);

/** The status of reading an input: a file that cannot be read is bad data, not a failure of the run, unless the machine is to blame. */
gb_status cli_input(gb_status st, gb_error *err);

/** Find out before any work that `path` can be written: it does not exist (or --force), its folder is
 * writable.  A device or a pipe is not opened. */
gb_status cli_check_target(const cli_call *call, const char *path, gb_error *err);

/** cli_check_target() of --output, which must name a file and not standard output. */
gb_status cli_check_output_file(const cli_call *call, gb_error *err);

/** The same of a file whose format --to names, or --output. */
gb_status cli_check_format(const cli_call *call, gb_error *err);

/** If no seed is given, choose one from the system's entropy and put it into the settings. */
gb_status cli_choose_seed(cli_call *call, gb_error *err);

/** Read the model named by --model; `*out` is untouched on failure. */
gb_status cli_read_model(const cli_call *call, gb_model **out, gb_error *err);

/** A path without its folders. */
const char *cli_file_name(const char *path);

/** The topics with --words words each, as aligned text. */
gb_status cli_print_topics(const cli_call *call, FILE *stream, const gb_model *model, gb_error *err);

/** Characters of a UTF-8 text. */
size_t cli_width(const char *text);

/** The ending of a noun after that number. */
const char *cli_plural(uint64_t n);

/** An input in messages: its path, or that it is standard input. */
const char *cli_input_name(const char *path);

/** True when results go to standard output. */
bool cli_to_stdout(const char *path);

#endif
