/* cli/overwrite.c - an output that is an input. */
#include "overwrite.h"
#include "named_files.h"

#include <errno.h>
#include <fts.h>
#include <libgen.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the same file? -------------------------------------------------------------------------------- */

static bool is_same_inode(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Functions for parts of a path change what they get. */
static char *copy(char *out, const char *path)
{
    return memcpy(out, path, strlen(path) + 1);
}

/* Neither exists yet: the same name in the same folder. */
static bool is_same_name(const char *a, const char *b)
{
    char folder[2][PATH_MAX], base[2][PATH_MAX];
    struct stat info[2];
    if (strlen(a) >= PATH_MAX || strlen(b) >= PATH_MAX) /* the system opens none of them */
        return false;
    const char *name_a = basename(copy(base[0], a)), *name_b = basename(copy(base[1], b));
    return strcmp(name_a, name_b) == 0 && stat(dirname(copy(folder[0], a)), &info[0]) == 0 &&
           stat(dirname(copy(folder[1], b)), &info[1]) == 0 && is_same_inode(&info[0], &info[1]);
}

/* Devices may be read and written at the same time. */
static bool is_same_file(const cli_named_file *a, const cli_named_file *b)
{
    if (!a->is_there && !b->is_there)
        return is_same_name(a->path, b->path);
    return a->is_there && b->is_there && S_ISREG(a->info.st_mode) && is_same_inode(&a->info, &b->info);
}

/* ---- messages -------------------------------------------------------------------------------------- */

/* A chain is continued in the file that it was saved in. */
static bool is_meant(const cli_named_file *output, const cli_named_file *input)
{
    return input->option != NULL && strcmp(output->option, "checkpoint") == 0 && strcmp(input->option, "resume") == 0;
}

static gb_status refuse(const cli_named_file *output, const cli_named_file *other, gb_error *err)
{
    return cli_fail(err, GB_EARGUMENT, "%s: --%s would overwrite %s%s; choose another file", output->path,
                    output->option, other->option == NULL ? "the input" : "the file of --",
                    other->option == NULL ? "" : other->option);
}

static gb_status compare(const cli_file_list *inputs, const cli_file_list *outputs, gb_error *err)
{
    for (size_t i = 0; i < outputs->n; i++) {
        const cli_named_file *output = &outputs->file[i];
        for (size_t j = 0; j < inputs->n; j++)
            if (is_same_file(output, &inputs->file[j]) && !is_meant(output, &inputs->file[j]))
                return refuse(output, &inputs->file[j], err);
        for (size_t j = 0; j < i; j++) /* the files of one option differ */
            if (strcmp(output->option, outputs->file[j].option) != 0 && is_same_file(output, &outputs->file[j]))
                return refuse(output, &outputs->file[j], err);
    }
    return GB_OK;
}

/* ---- files behind an input ------------------------------------------------------------------------- */

/* An input of several files: a folder, a corpus in shards. */
typedef struct parts {
    const cli_named_file *input;
    const cli_file_list *outputs;
} parts;

static gb_status check_part(void *user, const char *path, gb_error *err)
{
    const parts *p = user;
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return GB_OK;
    for (size_t i = 0; i < p->outputs->n; i++) {
        const cli_named_file *output = &p->outputs->file[i];
        if (output->is_there && is_same_inode(&output->info, &info))
            return cli_fail(err, GB_EARGUMENT, "%s: --%s would overwrite a part of %s%s%s; choose another file",
                            output->path, output->option, p->input->option == NULL ? "" : "the file of --",
                            p->input->option == NULL ? "the input " : p->input->option,
                            p->input->option == NULL ? p->input->path : "");
    }
    return GB_OK;
}

/* By what the manifest says; in a sandbox nothing is read before it is closed, and only files with such names can be read in it. */
static gb_status check_shards(const cli_call *call, parts *p, gb_error *err)
{
    char *list = NULL;
    if (cli_flag(call, "sandbox"))
        return cli_visit_shards(p->input->path, check_part, p, err);
    gb_status st = gb_corpus_shards_of(p->input->path, &list, err);
    if (st != GB_OK)
        return st == GB_ENOMEM ? st : GB_OK; /* the verb says what is wrong with it */
    for (const char *shard = list; *shard != '\0' && st == GB_OK; shard += strlen(shard) + 1)
        st = check_part(p, shard, err);
    gb_free(list);
    return st;
}

/* What is passed over when a folder is read is none of its documents. */
static gb_status check_entry(parts *p, FTS *tree, FTSENT *entry, gb_error *err)
{
    const bool is_hidden = entry->fts_level > 0 && entry->fts_name[0] == '.';
    switch (entry->fts_info) {
    case FTS_D:
        if (is_hidden)
            (void)fts_set(tree, entry, FTS_SKIP);
        return GB_OK;
    case FTS_F:
        return is_hidden ? GB_OK : check_part(p, entry->fts_path, err);
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        return cli_unread(entry->fts_path, entry->fts_errno, err);
    default:
        return GB_OK;
    }
}

static gb_status check_folder(parts *p, gb_error *err)
{
    gb_status st = GB_OK;
    FTSENT *entry;
    char *const roots[] = {p->input->path, NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
    if (tree == NULL)
        return cli_unread(p->input->path, errno, err);
    while (errno = 0, st == GB_OK && (entry = fts_read(tree)) != NULL)
        st = check_entry(p, tree, entry, err);
    if (st == GB_OK && errno != 0)
        st = cli_unread(p->input->path, errno, err);
    (void)fts_close(tree);
    return st;
}

/* An output that is not there replaces nothing. */
static bool replaces_a_file(const cli_file_list *outputs)
{
    for (size_t i = 0; i < outputs->n; i++)
        if (outputs->file[i].is_there && S_ISREG(outputs->file[i].info.st_mode))
            return true;
    return false;
}

static gb_status compare_parts(const cli_call *call, const cli_file_list *inputs, const cli_file_list *outputs,
                               gb_error *err)
{
    gb_status st = GB_OK;
    if (!replaces_a_file(outputs))
        return GB_OK;
    for (size_t i = 0; i < inputs->n && st == GB_OK; i++) {
        parts p = {&inputs->file[i], outputs};
        if (S_ISDIR(p.input->info.st_mode))
            st = check_folder(&p, err);
        else if (S_ISREG(p.input->info.st_mode) && strcmp(p.input->path, "-") != 0)
            st = check_shards(call, &p, err);
    }
    return st;
}

gb_status cli_refuse_overwriting(const cli_call *call, gb_error *err)
{
    cli_file_list inputs = {.n = 0}, outputs = {.n = 0};
    gb_status st = cli_find_files(call, &inputs, &outputs, err);
    if (st == GB_OK)
        st = compare(&inputs, &outputs, err);
    if (st == GB_OK)
        st = compare_parts(call, &inputs, &outputs, err);
    cli_clear_files(&inputs);
    cli_clear_files(&outputs);
    return st;
}
