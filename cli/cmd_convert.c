/* cli/cmd_convert.c - documents of any format to another format. */
#include "common.h"
#include "json.h"
#include "reading.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* ---- what is said about it ------------------------------------------------------------------------- */

/* A value as a shell takes it. */
static void print_value(FILE *stream, const char *value)
{
    bool is_plain = *value != '\0';
    for (const char *c = value; *c != '\0'; c++)
        is_plain =
            is_plain && ((unsigned char)*c >= 128 || isalnum((unsigned char)*c) || strchr("-_./,:=+%@", *c) != NULL);
    if (is_plain) {
        (void)fputs(value, stream);
        return;
    }
    (void)putc('\'', stream);
    for (const char *c = value; *c != '\0'; c++)
        (void)fputs(*c == '\'' ? "'\\''" : (char[]){*c, '\0'}, stream);
    (void)putc('\'', stream);
}

static void print_option(FILE *stream, const char *name, const json_t *value)
{
    if (json_is_false(value)) {
        (void)fprintf(stream, " --no-%s", name);
        return;
    }
    const size_t n = json_is_array(value) ? json_array_size(value) : 1;
    for (size_t i = 0; i < n; i++) {
        (void)fprintf(stream, " --%s ", name);
        print_value(stream, json_string_value(json_is_array(value) ? json_array_get(value, i) : value));
    }
}

/* " --format mtx --vocabulary a.vocabulary.txt" */
static gb_status describe_options(const json_t *notes, char **out)
{
    const char *name;
    json_t *value;
    size_t length = 0;
    FILE *stream = open_memstream(out, &length);
    if (stream == NULL)
        return GB_ENOMEM;
    json_object_foreach(json_object_get(notes, "read_with"), name, value) print_option(stream, name, value);
    return fclose(stream) == 0 && *out != NULL ? GB_OK : GB_ENOMEM;
}

static void note_changes(const cli_call *call, const json_t *notes)
{
    const json_t *changes = json_object_get(notes, "changes");
    for (size_t i = 0; i < json_array_size(changes); i++)
        cli_note(call, "not the same: %s", json_string_value(json_array_get(changes, i)));
}

/* The files are written: without memory there are fewer notes, and no failure. */
static void note_written(const cli_call *call, const gb_corpus *corpus, const char *text)
{
    char *options = NULL;
    const uint64_t n_docs = gb_corpus_n_docs(corpus), n_tokens = gb_corpus_n_tokens(corpus),
                   n_words = gb_corpus_n_words(corpus);
    json_t *notes = cli_json_of(text);
    const json_t *files = json_object_get(notes, "files");
    const bool to_stdout = cli_to_stdout(cli_text(call, "output"));
    for (size_t i = 1; i < json_array_size(files); i++)
        cli_note(call, "wrote %s", json_string_value(json_array_get(files, i)));
    cli_note(call, "wrote %s (%" PRIu64 " document%s, %" PRIu64 " token%s, %" PRIu64 " word%s)",
             to_stdout ? "to standard output" : cli_text(call, "output"), n_docs, cli_plural(n_docs), n_tokens,
             cli_plural(n_tokens), n_words, cli_plural(n_words));
    note_changes(call, notes);
    if (describe_options(notes, &options) == GB_OK && *options != '\0')
        cli_note(call, "to read it back:%s", options);
    json_decref(notes);
    gb_free(options);
}

/* ---- the verb -------------------------------------------------------------------------------------- */

gb_status cli_convert(cli_call *call, gb_error *err)
{
    const char *output = cli_text(call, "output");
    gb_corpus *corpus = NULL;
    char *notes = NULL;
    gb_status st;
    CLI_TRY(cli_check_format(call, err));
    cli_note_settings(call);
    CLI_TRY(cli_read_all(call, &corpus, err));
    CLI_TRY(gb_corpus_export(corpus, output, cli_text(call, "to"), cli_flag(call, "force"), &notes, err));
    note_written(call, corpus, notes);
done:
    gb_corpus_free(corpus);
    gb_free(notes);
    return st;
}
