/* cli/named_files.c - the files that a call names. */
#include "named_files.h"
#include "verbs.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file `path`, with a suffix for one that the program keeps beside it. */
static void add(cli_file_list *list, const char *option, const char *path, const char *suffix)
{
    cli_named_file new = {.option = option};
    if (cli_to_stdout(path))
        return;
    if (cli_grow(&list->file, &list->room, list->n + 1, sizeof *list->file, "names of files", NULL) != GB_OK ||
        asprintf(&new.path, "%s%s", path, suffix) < 0) {
        list->lacks_memory = true;
        return;
    }
    new.is_there = stat(new.path, &new.info) == 0;
    list->file[list->n++] = new;
}

/* Options whose value - is a file with that name: what the program has written itself is never read from a pipe. */
static bool may_be_stdin(const gb_option *option)
{
    static const char *const others[] = {"model", "init-from", "resume", "checkpoint", "config", "selection"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(option->name, others[i]) == 0)
            return false;
    return strstr(option->argument, "FILE") != NULL;
}

/* What the shell has opened is a file like any other. */
static void add_stdin(cli_file_list *list, const char *option)
{
    cli_named_file new = {.option = option, .is_there = true};
    if (fstat(STDIN_FILENO, &new.info) != 0 || !S_ISREG(new.info.st_mode))
        return;
    if (cli_grow(&list->file, &list->room, list->n + 1, sizeof *list->file, "names of files", NULL) != GB_OK ||
        (new.path = strdup("-")) == NULL) {
        list->lacks_memory = true;
        return;
    }
    list->file[list->n++] = new;
}

/* Only what exists can be lost: the value of an option may be a word as well, such as the language of stop words. */
static void add_input(cli_file_list *list, const char *option, const char *path, const char *suffix)
{
    struct stat info;
    if (stat(path, &info) == 0)
        add(list, option, path, suffix);
}

void cli_clear_files(cli_file_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->file[i].path);
    gb_free(list->file);
}

/* The kept draws of a checkpoint lie beside it, and what is kept of the file of --draws. */
static const char *const beside_checkpoint[] = {".draws", ".lines"};
enum { N_BESIDE = sizeof beside_checkpoint / sizeof *beside_checkpoint };

/* ---- which files ----------------------------------------------------------------------------------- */

/* Of --output. */
static void add_shards(const cli_call *call, const char *output, cli_file_list *outputs)
{
    const uint64_t n = call->verb->bit == CLI_IMPORT ? (uint64_t)cli_int(call, "shards") : 0;
    for (uint64_t i = 0; i < n; i++) {
        char *path = NULL;
        const gb_status st = gb_corpus_shard_path(output, i, n, &path, NULL);
        if (st == GB_OK)
            add(outputs, "output", path, "");
        outputs->lacks_memory |= st == GB_ENOMEM;
        gb_free(path);
    }
}

/* What convert may write beside --output; without --force nothing there is replaced. */
static void add_converted(const char *output, cli_file_list *outputs)
{
    gb_status st;
    char *path = NULL;
    for (uint64_t i = 0; (st = gb_corpus_export_beside(output, i, &path, NULL)) == GB_OK && path != NULL; i++) {
        add(outputs, "output", path, "");
        gb_free(path);
        path = NULL;
    }
    outputs->lacks_memory |= st == GB_ENOMEM;
}

static void add_beside(const cli_call *call, const char *output, cli_file_list *outputs)
{
    add_shards(call, output, outputs);
    if (call->verb->bit == CLI_CONVERT && cli_flag(call, "force"))
        add_converted(output, outputs);
}

/* A value of an option that names an input. */
static void add_value(cli_file_list *inputs, const gb_option *option, const char *value)
{
    const char *colon = strchr(value, ':'); /* grid:FILE */
    if (strcmp(value, "-") == 0) {
        if (may_be_stdin(option))
            add_stdin(inputs, option->name);
        return;
    }
    add_input(inputs, option->name, value, "");
    if (strcmp(option->name, "resume") == 0 || strcmp(option->name, "checkpoint") == 0)
        for (size_t i = 0; i < N_BESIDE; i++)
            add_input(inputs, option->name, value, beside_checkpoint[i]);
    if (colon != NULL)
        add_input(inputs, option->name, colon + 1, "");
}

/* "seeds=a.txt,b.txt" of --grid.  Where a comma or a semicolon belongs to a name, it does not separate: both are tried, since only what exists
 * counts. */
static void add_axis(const cli_call *call, cli_file_list *inputs, const char *entry)
{
    static const char *const separators[] = {"", ";", ","};
    char name[40];
    const size_t length = strcspn(entry, "=");
    if (entry[length] == '\0' || length >= sizeof name)
        return;
    memcpy(name, entry, length);
    name[length] = '\0';
    const gb_option *option = gb_option_find(name);
    if (option == NULL || !cli_takes(call->verb, option) || strstr(option->argument, "FILE") == NULL)
        return;
    for (size_t i = 0; i < sizeof separators / sizeof *separators; i++)
        for (const char *at = entry + length; *at != '\0';) {
            const size_t n = strcspn(++at, separators[i]);
            char *value = strndup(at, n);
            if (value == NULL)
                inputs->lacks_memory = true;
            else
                add_value(inputs, option, value);
            free(value);
            at += n;
        }
}

gb_status cli_find_files(const cli_call *call, cli_file_list *inputs, cli_file_list *outputs, gb_error *err)
{
    const gb_option *option;
    for (size_t i = 0; i < call->n_arguments; i++) {
        if (strcmp(call->argument[i], "-") == 0)
            add_stdin(inputs, NULL);
        else
            add_input(inputs, NULL, call->argument[i], "");
    }
    for (uint64_t i = 0; (option = gb_option_at(i)) != NULL; i++) {
        if (!cli_takes(call->verb, option) || strstr(option->argument, "FILE") == NULL)
            continue;
        const char *value = cli_text(call, option->name);
        if (!cli_writes(call->verb, option)) {
            add_value(inputs, option, value);
            continue;
        }
        add(outputs, option->name, value, "");
        for (size_t b = 0; strcmp(option->name, "checkpoint") == 0 && b < N_BESIDE; b++)
            add(outputs, option->name, value, beside_checkpoint[b]);
        if (strcmp(option->name, "output") == 0)
            add_beside(call, value, outputs);
    }
    for (uint64_t i = 0; i < cli_count(call, "grid"); i++)
        add_axis(call, inputs, cli_item(call, "grid", i));
    return inputs->lacks_memory || outputs->lacks_memory ? cli_no_memory("names of files", err) : GB_OK;
}

gb_status cli_check_standard_input(const cli_call *call, gb_error *err)
{
    size_t n = 0;
    const gb_option *option;
    for (size_t i = 0; i < call->n_arguments; i++)
        n += strcmp(call->argument[i], "-") == 0;
    for (uint64_t i = 0; (option = gb_option_at(i)) != NULL; i++)
        n += cli_takes(call->verb, option) && !cli_writes(call->verb, option) && may_be_stdin(option) &&
             strcmp(cli_text(call, option->name), "-") == 0;
    if (n < 2)
        return GB_OK;
    return cli_fail(
        err, GB_EARGUMENT,
        "- is given for more than one input, and standard input can be read once; name files for the others");
}

/* ---- files that are missing ---------------------------------------------------------------------------- */

gb_status cli_unread(const char *path, int number, gb_error *err)
{
    const gb_status st = number == ENOMEM ? GB_ENOMEM : cli_is_of_machine(number) ? GB_EIO : GB_EFORMAT;
    return cli_fail(err, st, "%s: %s", path, strerror(number));
}

/* Whether the alternatives of an option, "none|balanced|FILE|JSON", have this one. */
static bool takes(const gb_option *option, const char *word, size_t length)
{
    for (const char *at = option->argument; *at != '\0'; at += strspn(at, "|")) {
        const size_t n = strcspn(at, "|");
        if (n == length && strncmp(at, word, n) == 0)
            return true;
        at += n;
    }
    return false;
}

/* The file that the value of an option names, or NULL: for another alternative, or where it may be one (a language, a number). */
static const char *named_file(const gb_option *option, const char *value)
{
    const bool is_json = *value == '[' || *value == '{';
    if (*value == '\0' || is_json || cli_to_stdout(value) || takes(option, value, strlen(value)) ||
        takes(option, "LANG", 4) || takes(option, "X", 1))
        return NULL;
    if (strncmp(value, "grid:", 5) == 0 && takes(option, "grid:FILE", 9))
        return value + 5;
    return takes(option, "FILE", 4) ? value : NULL;
}

gb_status cli_check_named_files(const cli_call *call, gb_error *err)
{
    const gb_option *option;
    for (uint64_t i = 0; (option = gb_option_at(i)) != NULL; i++) {
        if (!cli_takes(call->verb, option) || cli_writes(call->verb, option))
            continue;
        for (uint64_t j = 0; j < cli_count(call, option->name); j++) {
            const char *path = named_file(option, cli_item(call, option->name, j));
            if (path != NULL && access(path, R_OK) != 0)
                return cli_unread(path, errno, err);
        }
    }
    return GB_OK;
}

/* ---- shards of an input -------------------------------------------------------------------------------- */

/* The length of a name without what follows its last dot. */
static size_t stem_length(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot == NULL ? strlen(name) : (size_t)(dot - name);
}

/* Whether a name is STEM-I-of-N with the ending of the manifest. */
static bool is_shard(const char *name, const char *manifest)
{
    const size_t stem = stem_length(manifest);
    int length = -1;
    if (strncmp(name, manifest, stem) != 0)
        return false;
    (void)sscanf(name + stem, "-%*u-of-%*u%n", &length);
    return length > 0 && strcmp(name + stem + length, manifest + stem) == 0;
}

gb_status cli_visit_shards(const char *path, cli_on_part *visit, void *user, gb_error *err)
{
    char place[PATH_MAX], folder[PATH_MAX], shard[2 * PATH_MAX];
    const struct dirent *entry;
    gb_status st = GB_OK;
    if (realpath(path, place) == NULL)
        return errno == ENOMEM ? cli_no_memory("names of files", err)
                               : GB_OK; /* the verb says what is wrong with it */
    memcpy(folder, place, sizeof folder);
    DIR *stream = opendir(dirname(folder));
    if (stream == NULL)
        return errno == EACCES ? GB_OK : cli_unread(folder, errno, err);
    while (errno = 0, st == GB_OK && (entry = readdir(stream)) != NULL) {
        if (!is_shard(entry->d_name, strrchr(place, '/') + 1))
            continue;
        (void)snprintf(shard, sizeof shard, "%s/%s", folder, entry->d_name);
        st = visit(user, shard, err);
    }
    if (st == GB_OK && errno != 0)
        st = cli_unread(folder, errno, err);
    (void)closedir(stream);
    return st;
}
