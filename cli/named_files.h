/* cli/named_files.h - the files that a call names: its arguments, and the values of its options. */
#ifndef GB_CLI_NAMED_FILES_H
#define GB_CLI_NAMED_FILES_H

#include "common.h"

#include <sys/stat.h>

typedef struct cli_named_file {
    const char *option; /* NULL: the argument */
    char *path;
    bool is_there;    /* when the list was made */
    struct stat info; /* then, if it is there */
} cli_named_file;

typedef struct cli_file_list {
    cli_named_file *file;
    size_t n, room;
    bool lacks_memory; /* for one that is missing */
} cli_file_list;

/** Inputs that exist, and outputs, with the files that the program keeps beside them.  Standard input is among them, with the path -,
 * where it is a file.
 * @param inputs, outputs  zeroed; clear them with cli_clear_files(), after a failure, too
 * @return GB_OK or GB_ENOMEM */
gb_status cli_find_files(const cli_call *call, cli_file_list *inputs, cli_file_list *outputs, gb_error *err);
void cli_clear_files(cli_file_list *list);

/** Refuse - as two inputs: what the first has read would be missing in the second.  @return GB_OK or GB_EARGUMENT */
gb_status cli_check_standard_input(const cli_call *call, gb_error *err);

/** Why an input cannot be read, of errno.  @return GB_ENOMEM, GB_EIO where the machine is to blame, else GB_EFORMAT as for all that is wrong
 * with inputs */
gb_status cli_unread(const char *path, int number, gb_error *err);

/** Whether the files that options name can be read: what a training needs late should not be missing then.
 * @return GB_OK, GB_EFORMAT or GB_ENOMEM */
gb_status cli_check_named_files(const cli_call *call, gb_error *err);

/** A file of an input.  @return GB_OK to go on */
typedef gb_status cli_on_part(void *user, const char *path, gb_error *err);

/** Files that are shards of this one by their names, if it is a manifest: NAME-I-of-N.gbc beside NAME.gbc.  Nothing is opened: what a
 * manifest says is not believed; their names are.
 * @return GB_OK, also where the folder may not be read: then the shards cannot be found; GB_EFORMAT, GB_ENOMEM, or what `visit` returned */
gb_status cli_visit_shards(const char *path, cli_on_part *visit, void *user, gb_error *err);

#endif
