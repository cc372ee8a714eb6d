/* cli/overwrite.c - an output that is an input. */
#include "overwrite.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A file of the call: the argument, or the value of an option. */
typedef struct named_file {
    const char *option; /* NULL: the argument */
    char *path;
} named_file;

enum { MAX_FILES = 2048 }; /* import writes at most 512 shards */

typedef struct file_list {
    named_file file[MAX_FILES];
    size_t n;
} file_list;

/* The file `path`, with a suffix for one that the program keeps beside it.  Without memory the file is not compared. */
static void add(file_list *list, const char *option, const char *path, const char *suffix)
{
    char *whole;
    if (cli_to_stdout(path) || list->n == MAX_FILES || asprintf(&whole, "%s%s", path, suffix) < 0)
        return;
    list->file[list->n++] = (named_file){option, whole};
}

/* Only what exists can be lost: the value of an option may be a word as well, such as the language of stop words. */
static void add_input(file_list *list, const char *option, const char *path, const char *suffix)
{
    struct stat info;
    if (stat(path, &info) == 0)
        add(list, option, path, suffix);
}

static void clear(file_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->file[i].path);
}

/* The kept draws of a checkpoint lie beside it. */
static const char *const draws_suffix = ".draws";

/* ---- which files ----------------------------------------------------------------------------------- */

/* Of --output.  Without memory they are not compared. */
static void add_shards(const cli_call *call, const char *output, file_list *outputs)
{
    const uint64_t n = call->verb->bit == GB_VERB_IMPORT ? (uint64_t)cli_int(call, "shards") : 0;
    for (uint64_t i = 0; i < n; i++) {
        char *path = NULL;
        if (gb_corpus_shard_path(output, i, n, &path, NULL) == GB_OK)
            add(outputs, "output", path, "");
        gb_free(path);
    }
}

static void find_files(const cli_call *call, file_list *inputs, file_list *outputs)
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
                add_shards(call, value, outputs);
            continue;
        }
        const char *colon = strchr(value, ':'); /* grid:FILE */
        add_input(inputs, option->name, value, "");
        if (strcmp(option->name, "resume") == 0)
            add_input(inputs, option->name, value, draws_suffix);
        if (colon != NULL)
            add_input(inputs, option->name, colon + 1, "");
    }
}

/* ---- the same file? -------------------------------------------------------------------------------- */

static bool is_same_inode(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Neither exists yet: the same name in the same folder. */
static bool is_same_name(const char *a, const char *b)
{
    char *folder[2] = {strdup(a), strdup(b)}, *base[2] = {strdup(a), strdup(b)};
    struct stat info[2];
    const bool has_memory = folder[0] != NULL && folder[1] != NULL && base[0] != NULL && base[1] != NULL;
    const bool is_same = has_memory && stat(dirname(folder[0]), &info[0]) == 0 &&
                         stat(dirname(folder[1]), &info[1]) == 0 && is_same_inode(&info[0], &info[1]) &&
                         strcmp(basename(base[0]), basename(base[1])) == 0;
    for (int i = 0; i < 2; i++) {
        gb_free(folder[i]);
        gb_free(base[i]);
    }
    return is_same;
}

/* Devices may be read and written at the same time. */
static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    const bool has_a = stat(a, &x) == 0, has_b = stat(b, &y) == 0;
    if (!has_a && !has_b)
        return is_same_name(a, b);
    return has_a && has_b && S_ISREG(x.st_mode) && is_same_inode(&x, &y);
}

/* ---- messages -------------------------------------------------------------------------------------- */

/* A chain is continued in the file that it was saved in. */
static bool is_meant(const named_file *output, const named_file *input)
{
    return input->option != NULL && strcmp(output->option, "checkpoint") == 0 && strcmp(input->option, "resume") == 0;
}

static gb_status refuse(const named_file *output, const named_file *other, gb_error *err)
{
    return cli_fail(err, GB_EARGUMENT, "%s: --%s would overwrite %s%s; choose another file", output->path,
                    output->option, other->option == NULL ? "the input" : "the file of --",
                    other->option == NULL ? "" : other->option);
}

static gb_status compare(const file_list *inputs, const file_list *outputs, gb_error *err)
{
    for (size_t i = 0; i < outputs->n; i++) {
        const named_file *output = &outputs->file[i];
        for (size_t j = 0; j < inputs->n; j++)
            if (is_same_file(output->path, inputs->file[j].path) && !is_meant(output, &inputs->file[j]))
                return refuse(output, &inputs->file[j], err);
        for (size_t j = 0; j < i; j++) /* the files of one option differ */
            if (strcmp(output->option, outputs->file[j].option) != 0 &&
                is_same_file(output->path, outputs->file[j].path))
                return refuse(output, &outputs->file[j], err);
    }
    return GB_OK;
}

gb_status cli_refuse_overwriting(const cli_call *call, gb_error *err)
{
    file_list inputs = {.n = 0}, outputs = {.n = 0};
    find_files(call, &inputs, &outputs);
    const gb_status st = compare(&inputs, &outputs, err);
    clear(&inputs);
    clear(&outputs);
    return st;
}
