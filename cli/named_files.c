/* cli/named_files.c - the files that a call names. */
#include "named_files.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The kept draws of a checkpoint lie beside it. */
static const char *const draws_suffix = ".draws";

/* ---- which files ----------------------------------------------------------------------------------- */

/* Of --output. */
static void add_shards(const cli_call *call, const char *output, cli_file_list *outputs)
{
    const uint64_t n = call->verb->bit == GB_VERB_IMPORT ? (uint64_t)cli_int(call, "shards") : 0;
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
    if (call->verb->bit == GB_VERB_CONVERT && cli_flag(call, "force"))
        add_converted(output, outputs);
}

gb_status cli_find_files(const cli_call *call, cli_file_list *inputs, cli_file_list *outputs, gb_error *err)
{
    const gb_option *option;
    for (size_t i = 0; i < call->n_arguments; i++)
        add_input(inputs, NULL, call->argument[i], "");
    for (uint64_t i = 0; (option = gb_option_at(i)) != NULL; i++) {
        if ((option->verbs & call->verb->bit) == 0 || strstr(option->argument, "FILE") == NULL)
            continue;
        const char *value = cli_text(call, option->name);
        if ((option->writers & call->verb->bit) != 0) {
            add(outputs, option->name, value, "");
            if (strcmp(option->name, "checkpoint") == 0)
                add(outputs, option->name, value, draws_suffix);
            if (strcmp(option->name, "output") == 0)
                add_beside(call, value, outputs);
            continue;
        }
        const char *colon = strchr(value, ':'); /* grid:FILE */
        add_input(inputs, option->name, value, "");
        if (strcmp(option->name, "resume") == 0 || strcmp(option->name, "checkpoint") == 0)
            add_input(inputs, option->name, value, draws_suffix);
        if (colon != NULL)
            add_input(inputs, option->name, colon + 1, "");
    }
    return inputs->lacks_memory || outputs->lacks_memory ? cli_no_memory("names of files", err) : GB_OK;
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

gb_status cli_unread(const char *path, int number, gb_error *err)
{
    return cli_fail(err, number == ENOMEM ? GB_ENOMEM : GB_EFORMAT, "%s: %s", path, strerror(number));
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
