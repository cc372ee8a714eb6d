/* helper_documents.c - files made for one test in a folder of its own, and what was read out of them. */
#include "helper_documents.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- files --------------------------------------------------------------------------------------------- */

static char folder[64];

static int enter_folder_in(const char *parent)
{
    (void)snprintf(folder, sizeof folder, "%s/gibbous-test-XXXXXX", parent);
    return mkdtemp(folder) != NULL && chdir(folder) == 0 ? 0 : -1;
}

int enter_folder(void **state)
{
    (void)state;
    return enter_folder_in("/tmp");
}

int enter_folder_in_memory(void **state)
{
    return enter_folder_in("/dev/shm") == 0 ? 0 : enter_folder(state);
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    return remove(path);
}

int leave_folder(void **state)
{
    (void)state;
    return chdir("/") == 0 && nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0 ? 0 : -1;
}

int leave_empty_folder(void **state)
{
    (void)state;
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

void write_bytes(const char *path, const void *data, size_t length)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, length, f), length);
    assert_int_equal(fclose(f), 0);
}

void write_file(const char *path, const char *text)
{
    write_bytes(path, text, strlen(text));
}

static void add_entry(struct archive *a, const char *name, const char *text)
{
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, name);
    archive_entry_set_size(entry, (int64_t)strlen(text));
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    assert_int_equal(archive_write_header(a, entry), ARCHIVE_OK);
    assert_int_equal(archive_write_data(a, text, strlen(text)), strlen(text));
    archive_entry_free(entry);
}

void write_packed(const char *path, const char *filter, const char *text)
{
    struct archive *a = archive_write_new();
    assert_int_equal(archive_write_add_filter_by_name(a, filter), ARCHIVE_OK);
    assert_int_equal(archive_write_set_format_raw(a), ARCHIVE_OK);
    assert_int_equal(archive_write_open_filename(a, path), ARCHIVE_OK);
    add_entry(a, "data", text);
    assert_int_equal(archive_write_free(a), ARCHIVE_OK);
}

void write_archive(const char *path, const char *format, ...)
{
    struct archive *a = archive_write_new();
    va_list pairs;
    va_start(pairs, format);
    assert_int_equal(archive_write_set_format_by_name(a, format), ARCHIVE_OK);
    assert_int_equal(archive_write_open_filename(a, path), ARCHIVE_OK);
    for (const char *name = va_arg(pairs, const char *); name != NULL; name = va_arg(pairs, const char *))
        add_entry(a, name, va_arg(pairs, const char *));
    va_end(pairs);
    assert_int_equal(archive_write_free(a), ARCHIVE_OK);
}

void cut_file(const char *path, size_t n_bytes)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(truncate(path, info.st_size - (off_t)n_bytes), 0);
}

char *read_whole(const char *path, size_t *n_bytes)
{
    struct stat info;
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fstat(fileno(f), &info), 0);
    *n_bytes = (size_t)info.st_size;
    char *bytes = calloc(*n_bytes + 1, 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *n_bytes, f), *n_bytes);
    (void)fclose(f);
    return bytes;
}

void assert_same_files(const char *a, const char *b)
{
    size_t n, n_other;
    char *bytes = read_whole(a, &n), *others = read_whole(b, &n_other);
    assert_int_equal(n, n_other);
    assert_memory_equal(bytes, others, n);
    free(bytes);
    free(others);
}

size_t count_files(void)
{
    size_t n = 0;
    DIR *d = opendir(".");
    assert_non_null(d);
    for (const struct dirent *entry; (entry = readdir(d)) != NULL;)
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    (void)closedir(d);
    return n;
}

void with_input(const char *text, void (*f)(void))
{
    int ends[2], old = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) { /* writes in two pieces, so that a line comes in two reads */
        size_t half = strlen(text) / 2;
        bool is_good = write(ends[1], text, half) == (ssize_t)half;
        usleep(10000);
        is_good &= write(ends[1], text + half, strlen(text + half)) == (ssize_t)strlen(text + half);
        _exit(is_good ? 0 : 1);
    }
    (void)close(ends[1]);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    f();
    assert_int_equal(dup2(old, STDIN_FILENO), STDIN_FILENO);
    (void)close(ends[0]);
    (void)close(old);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

void set(gb_settings *settings, const char *name, const char *value)
{
    gb_error err = {0};
    if (gb_settings_set(settings, name, value, &err) != GB_OK)
        fail_msg("%s", err.message);
}

static gb_settings *settings_of_list(va_list pairs)
{
    gb_settings *settings = NULL;
    assert_int_equal(gb_settings_create(&settings, NULL), GB_OK);
    for (const char *name = va_arg(pairs, const char *); name != NULL; name = va_arg(pairs, const char *))
        set(settings, name, va_arg(pairs, const char *));
    return settings;
}

gb_settings *settings_of(const char *name, ...)
{
    gb_error err = {0};
    va_list pairs;
    if (name == NULL) {
        gb_settings *settings = NULL;
        assert_int_equal(gb_settings_create(&settings, &err), GB_OK);
        return settings;
    }
    va_start(pairs, name);
    const char *value = va_arg(pairs, const char *);
    gb_settings *settings = settings_of_list(pairs);
    va_end(pairs);
    assert_int_equal(gb_settings_set(settings, name, value, &err), GB_OK);
    return settings;
}

gb_corpus *corpus_of(const char *path, ...)
{
    gb_error err = {0};
    gb_corpus *corpus = NULL;
    va_list pairs;
    va_start(pairs, path);
    gb_settings *settings = settings_of_list(pairs);
    va_end(pairs);
    if (gb_corpus_read(path, settings, NULL, NULL, &corpus, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_settings_free(settings);
    return corpus;
}

gb_status read_failing(const char *message, const char *path, ...)
{
    gb_error err = {0};
    gb_corpus *corpus = NULL;
    va_list pairs;
    va_start(pairs, path);
    gb_settings *settings = settings_of_list(pairs);
    va_end(pairs);
    gb_status st = gb_corpus_read(path, settings, NULL, NULL, &corpus, &err);
    gb_settings_free(settings);
    assert_null(corpus);
    size_t length = strlen(message);
    if (length > 3 && strcmp(message + length - 3, "...") == 0 && strlen(err.message) > length - 3)
        err.message[length - 3] = '\0';
    assert_memory_equal(err.message, message, strlen(err.message));
    assert_true(strlen(err.message) + 3 >= length);
    assert_int_equal(err.status, st);
    return st;
}

/* ---- what was read ------------------------------------------------------------------------------------- */

static char shown[1 << 16];

static void show(const char *text, size_t length, const char *separator)
{
    size_t used = strlen(shown);
    assert_true(used + length + 2 < sizeof shown);
    (void)snprintf(shown + used, sizeof shown - used, "%s%.*s", used == 0 ? "" : separator, (int)length, text);
}

static void show_text(const gb_texts *texts, uint64_t i, const char *separator)
{
    size_t length = (size_t)(texts->start[i + 1] - texts->start[i]);
    show(length == 0 ? "" : texts->bytes + texts->start[i], length, separator);
}

const char *words_of(const gb_corpus *c, uint64_t document)
{
    shown[0] = '\0';
    for (uint64_t i = c->doc_start[document]; i < c->doc_start[document + 1]; i++)
        show_text(&c->vocabulary, c->word[i], " ");
    return shown;
}

const char *vocabulary_of(const gb_corpus *c)
{
    shown[0] = '\0';
    for (uint64_t i = 0; i < c->vocabulary.count; i++)
        show_text(&c->vocabulary, i, " ");
    return shown;
}

const char *ids_of(const gb_corpus *c)
{
    shown[0] = '\0';
    for (uint64_t i = 0; i < c->ids.count; i++)
        show_text(&c->ids, i, " ");
    return shown;
}

const char *classes_of(const gb_corpus *c, size_t field)
{
    const gb_labels *labels = &c->labels[field];
    shown[0] = '\0';
    for (uint64_t d = 0; d < c->n_docs; d++) {
        uint64_t begin = labels->doc_start[d], end = labels->doc_start[d + 1];
        if (begin == end)
            show(labels->labelled[d] ? "{}" : "-", labels->labelled[d] ? 2 : 1, " ");
        for (uint64_t i = begin; i < end; i++)
            show_text(&labels->classes, labels->class_of[i], i == begin ? " " : ",");
    }
    return shown;
}

int64_t note_of(const gb_corpus *c, const char *path)
{
    char name[64];
    const json_t *value = c->source;
    while (*path != '\0') {
        size_t length = strcspn(path, "/");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, path);
        value = json_object_get(value, name);
        path += length + (path[length] == '/');
    }
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

gb_corpus *simulated_with(gb_settings *settings)
{
    gb_corpus *corpus = NULL;
    assert_int_equal(gb_simulate(NULL, settings, NULL, NULL, &corpus, NULL), GB_OK);
    gb_settings_free(settings);
    return corpus;
}

gb_plan *plan_of(const gb_corpus *corpus, const gb_settings *settings)
{
    gb_error err;
    gb_plan *plan = NULL;
    if (gb_plan_create(corpus, settings, &plan, &err) != GB_OK)
        fail_msg("%s", err.message);
    return plan;
}

gb_plan *plan_with(const gb_corpus *corpus, gb_settings *settings)
{
    gb_plan *plan = plan_of(corpus, settings);
    gb_settings_free(settings);
    return plan;
}

uint64_t top_words(const gb_model *model, uint64_t topic, uint64_t n, uint64_t *word, double *probability)
{
    const uint64_t n_topics = gb_model_n_topics(model);
    uint64_t *words = test_calloc(n_topics * n, sizeof *words), n_found;
    double *all = test_calloc(n_topics * n, sizeof *all);
    assert_true(topic < n_topics);
    assert_int_equal(gb_model_words_of_topics(model, 0, n, words, all, &n_found, NULL), GB_OK);
    memcpy(word, words + topic * n_found, n_found * sizeof *word);
    memcpy(probability, all + topic * n_found, n_found * sizeof *probability);
    test_free(words);
    test_free(all);
    return n_found;
}
