/* trial.c - calls that are watched, and a digest of what they give. */
#include "trial.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_NAMES = 1000, NAME_SIZE = 64 };

static char tried[MAX_NAMES][NAME_SIZE];
static size_t n_tried;
static const char *call_text = "";
static uint64_t n_before; /* allocations before the last call */
static allocation_faults now_wanted;
static trial_end now;
static gb_error error;
static gb_status last; /* status of the last call */

/* ---- complaints ---- */

__attribute__((format(printf, 1, 2))) static void complain(const char *format, ...)
{
    va_list arguments;
    if (now.complaint[0] != '\0')
        return;
    const char *name = strstr(call_text, "gb_") == NULL ? call_text : strstr(call_text, "gb_");
    const int length = snprintf(now.complaint, sizeof now.complaint, "%.*s: ", (int)strcspn(name, "("), name);
    va_start(arguments, format);
    (void)vsnprintf(now.complaint + length, sizeof now.complaint - (size_t)length, format, arguments);
    va_end(arguments);
}

void must(gb_status status)
{
    if (status == GB_OK)
        return;
    (void)fprintf(stderr, "before or after %s: status %d: %s\n", call_text, (int)status, error.message);
    exit(2);
}

/* ---- calls ---- */

bool trial_has_tried(const char *name)
{
    for (size_t i = 0; i < n_tried; i++)
        if (strcmp(tried[i], name) == 0)
            return true;
    return false;
}

static void note_name(void)
{
    char name[NAME_SIZE];
    const char *begin = strstr(call_text, "gb_");
    if (begin == NULL) {
        complain("no name of a function");
        return;
    }
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(begin, "("), begin);
    if (!trial_has_tried(name) && n_tried < MAX_NAMES)
        memcpy(tried[n_tried++], name, sizeof name);
}

void trial_begins(const char *call)
{
    call_text = call;
    note_name();
    n_before = allocations_n();
    allocations_watch(true);
}

const char *trial_call(void)
{
    return call_text;
}

gb_error *trial_error(void)
{
    error = (gb_error){.status = GB_OK};
    return &error;
}

gb_status trial_ends_with(gb_status status)
{
    allocations_watch(false);
    last = status;
    if (status == GB_OK && error.status != GB_OK)
        complain("GB_OK, and an error: %s", error.message);
    if (status != GB_OK && error.status != status)
        complain("status %d, and the error has status %d", (int)status, (int)error.status);
    if (status != GB_OK && now.status == GB_OK) {
        now.status = status;
        memcpy(now.message, error.message, sizeof now.message);
    }
    return status;
}

void trial_paused(void)
{
    allocations_watch(false);
    last = GB_OK;
}

void trial_recovered(void)
{
    last = GB_OK;
    now.has_recovered = true;
}

void trial_was_quiet(void)
{
    allocations_watch(false);
    if (allocations_n() != n_before)
        complain("allocates, and should not");
}

double trial_sees_number(double value)
{
    trial_was_quiet();
    see_number(value);
    return value;
}

const char *trial_sees_text(const char *text)
{
    trial_was_quiet();
    see_text(text);
    return text;
}

bool trial_is_fine(void)
{
    return now.status == GB_OK;
}

void trial_ran_out(void)
{
    last = GB_ENOMEM;
    if (now.status == GB_OK) {
        now.status = GB_ENOMEM;
        (void)snprintf(now.message, sizeof now.message, "out of memory");
    }
    if (now_wanted.at == 0)
        complain("nothing came, and no allocation failed");
}

/* ---- results ---- */

void see_bytes(const void *bytes, size_t n) /* FNV-1a */
{
    const unsigned char *c = bytes;
    for (size_t i = 0; i < n; i++)
        now.digest = (now.digest ^ c[i]) * 1099511628211U;
    now.digest = (now.digest ^ n) * 1099511628211U;
}

void see_made(const void *made)
{
    if (last == GB_OK && made == NULL)
        complain("GB_OK, and nothing was made");
    if (last != GB_OK && made != NULL)
        complain("it failed, and its argument has changed");
}

void expect(bool is_so, const char *what)
{
    if (!is_so)
        complain("not so: %s", what);
}

void see_number(double value)
{
    if (isnan(value))
        value = NAN; /* one of them */
    see_bytes(&value, sizeof value);
}

void see_numbers(const double *value, uint64_t n)
{
    for (uint64_t i = 0; value != NULL && i < n; i++)
        see_number(value[i]);
}

void see_words(const uint64_t *value, uint64_t n)
{
    if (n > 0)
        see_bytes(value, n * sizeof *value);
}

void see_text(const char *text)
{
    if (text == NULL)
        see_bytes("NULL", sizeof "NULL");
    else
        see_bytes(text, strlen(text));
}

static bool see_content(const char *path)
{
    char buffer[4096];
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return false;
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, f)) > 0;)
        see_bytes(buffer, n);
    (void)fclose(f);
    (void)unlink(path);
    return true;
}

void see_file(const char *path)
{
    const bool is_there = see_content(path);
    if (is_there != (last == GB_OK))
        complain("%s is %sthere, and the status is %d", path, is_there ? "" : "not ", (int)last);
}

void see_any_file(const char *path)
{
    const bool is_there = see_content(path);
    if (!is_there && last == GB_OK)
        complain("%s is not there", path);
}

void see_corpus(const gb_corpus *corpus)
{
    char *notes = NULL;
    if (corpus == NULL)
        return;
    must(gb_corpus_notes(corpus, &notes, &error));
    see_text(notes);
    gb_free(notes);
    const uint64_t n_docs = gb_corpus_n_docs(corpus);
    see_number((double)n_docs);
    for (uint64_t w = 0; w < gb_corpus_n_words(corpus); w++) {
        size_t length = 0;
        const char *word = gb_corpus_word(corpus, w, &length);
        see_bytes(word, length);
    }
    for (uint64_t d = 0; d < n_docs; d++) {
        size_t length = 0;
        uint64_t n = 0;
        const char *id = gb_corpus_id(corpus, d, &length);
        see_bytes(id, length);
        const uint32_t *token = gb_corpus_tokens(corpus, d, &n);
        if (token != NULL)
            see_bytes(token, n * sizeof *token);
    }
    for (uint64_t f = 0; gb_corpus_field(corpus, f, NULL, NULL, NULL); f++) {
        see_numbers(gb_corpus_numbers(corpus, f), n_docs);
        for (uint64_t d = 0; gb_corpus_n_classes(corpus, f) > 0 && d < n_docs; d++) {
            const uint32_t *classes = NULL;
            uint64_t n = 0;
            if (gb_corpus_classes_of(corpus, f, d, &classes, &n) && n > 0)
                see_bytes(classes, n * sizeof *classes);
        }
    }
}

void see_model(const gb_model *model)
{
    void *bytes = NULL;
    size_t n = 0;
    if (model == NULL)
        return;
    must(gb_model_to_bytes(model, &bytes, &n, &error));
    see_bytes(bytes, n);
    gb_free(bytes);
}

static void see_cells(const gb_table *table, uint64_t column)
{
    const uint64_t n = gb_table_n_rows(table);
    const uint64_t *counts = gb_table_counts(table, column);
    see_text(gb_table_column(table, column)->name);
    see_numbers(gb_table_reals(table, column), gb_table_reals(table, column) == NULL ? 0 : n);
    see_words(counts, counts == NULL ? 0 : n);
    for (uint64_t row = 0; row < n; row++)
        for (uint64_t i = 0; i < gb_table_n_texts(table, row, column); i++)
            see_text(gb_table_text(table, row, column, i));
}

void see_answer(const char *question, const gb_subject *subject)
{
    gb_table *table = NULL;
    TRY(gb_answer(question, subject, NULL, &table, ERR));
    see_made(table);
    for (uint64_t c = 0; table != NULL && c < gb_table_n_columns(table); c++)
        see_cells(table, c);
    for (uint64_t i = 0; table != NULL && i < gb_table_n_notes(table); i++)
        see_text(gb_table_note(table, i, NULL));
    gb_table_free(table);
}

/* ---- trials ---- */

/* Names of the files in the folder, in any order. */
static uint64_t folder(void)
{
    uint64_t sum = 0;
    DIR *d = opendir(".");
    if (d == NULL)
        exit(2);
    for (const struct dirent *entry; (entry = readdir(d)) != NULL;) {
        uint64_t hash = 14695981039346656037U;
        for (const char *c = entry->d_name; *c != '\0'; c++)
            hash = (hash ^ (unsigned char)*c) * 1099511628211U;
        sum += hash;
    }
    (void)closedir(d);
    return sum;
}

void trial_run(void (*row)(void), const allocation_faults *faults, trial_end *out)
{
    now = (trial_end){.digest = 14695981039346656037U};
    last = GB_OK;
    now_wanted = *faults;
    const uint64_t files = folder();
    const int64_t n_live = allocations_live();
    allocations_start(faults);
    row();
    now.n_allocations = allocations_n();
    if (allocations_live() != n_live)
        complain("%" PRId64 " blocks are not freed", allocations_live() - n_live);
    if (folder() != files)
        complain("a file is left behind");
    *out = now;
}
