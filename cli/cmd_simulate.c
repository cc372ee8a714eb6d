/* cli/cmd_simulate.c - draw a corpus, as JSON Lines or as a corpus file. */
#include "common.h"
#include "progress.h"
#include "table.h"

#include <inttypes.h>
#include <string.h>

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* ---- JSON Lines ------------------------------------------------------------------------------------ */

/* The words of a document with spaces between them, in a growing buffer. */
static gb_status join_words(const gb_corpus *corpus, uint64_t d, char **text, size_t *room, size_t *length,
                            gb_error *err)
{
    uint64_t n_tokens;
    const uint32_t *token = gb_corpus_tokens(corpus, d, &n_tokens);
    *length = 0;
    for (uint64_t i = 0; i < n_tokens; i++) {
        size_t n;
        const char *word = gb_corpus_word(corpus, token[i], &n);
        gb_status st = cli_grow(text, room, *length + n + 1, 1, "a document", err);
        if (st != GB_OK)
            return st;
        if (*length > 0)
            (*text)[(*length)++] = ' ';
        memcpy(*text + *length, word, n);
        *length += n;
    }
    return GB_OK;
}

static gb_status write_classes(cli_table *table, const gb_corpus *corpus, uint64_t field, bool several, uint64_t d,
                               gb_error *err)
{
    uint64_t n = 0;
    const uint32_t *class = NULL;
    cli_view *item = NULL;
    (void)gb_corpus_classes_of(corpus, field, d, &class, &n);
    gb_status st = cli_alloc(&item, n, sizeof *item, "a document", err);
    if (st != GB_OK)
        return st;
    for (uint64_t i = 0; i < n; i++)
        item[i].bytes = gb_corpus_class(corpus, field, class[i], &item[i].length);
    if (several)
        cli_table_list(table, n, item);
    else
        cli_table_text(table, n > 0 ? item[0].bytes : "", n > 0 ? item[0].length : 0);
    gb_free(item);
    return GB_OK;
}

static gb_status write_fields(cli_table *table, const gb_corpus *corpus, uint64_t d, gb_error *err)
{
    gb_status st = GB_OK;
    gb_field_kind kind;
    for (uint64_t f = 0; st == GB_OK && gb_corpus_field(corpus, f, NULL, NULL, &kind); f++) {
        if (kind == GB_KIND_NUMBER)
            cli_table_real(table, gb_corpus_numbers(corpus, f)[d]);
        else
            st = write_classes(table, corpus, f, kind == GB_KIND_SEVERAL, d, err);
    }
    return st;
}

static gb_status write_rows(cli_table *table, const gb_corpus *corpus, gb_error *err)
{
    char *text = NULL;
    const char *name;
    size_t room = 0, length = 0;
    gb_status st;
    CLI_TRY(cli_table_column(table, "", "id", err));
    CLI_TRY(cli_table_column(table, "", "text", err));
    for (uint64_t f = 0; gb_corpus_field(corpus, f, &name, NULL, NULL); f++)
        CLI_TRY(cli_table_column(table, "", name, err));
    for (uint64_t d = 0; d < gb_corpus_n_docs(corpus); d++) {
        CLI_TRY(join_words(corpus, d, &text, &room, &length, err));
        const cli_view id = cli_id(corpus, d);
        cli_table_text(table, id.bytes, id.length);
        cli_table_text(table, length > 0 ? text : "", length);
        CLI_TRY(write_fields(table, corpus, d, err));
    }
done:
    gb_free(text);
    return st;
}

static gb_status write_jsonl(const cli_call *call, const gb_corpus *corpus, gb_error *err)
{
    cli_table *table = NULL;
    gb_status st;
    CLI_TRY(cli_table_open(&table, cli_text(call, "output"), cli_flag(call, "force"), "jsonl", err));
    CLI_TRY(write_rows(table, corpus, err));
    st = cli_table_commit(table, err);
    table = NULL;
done:
    cli_table_discard(table);
    return st;
}

/* ---- the verb -------------------------------------------------------------------------------------- */

gb_status cli_simulate(cli_call *call, gb_error *err)
{
    const char *output = cli_text(call, "output");
    const bool as_corpus = ends_with(output, ".gbc"), to_stdout = cli_to_stdout(output);
    gb_model *model = NULL;
    gb_corpus *corpus = NULL;
    gb_status st;
    if (!as_corpus && !to_stdout && !ends_with(output, ".jsonl"))
        return cli_fail(err, GB_EARGUMENT, "simulate writes NAME.jsonl or NAME.gbc, not %s", output);
    if (!to_stdout)
        CLI_TRY(cli_check_target(call, output, err));
    if (*cli_text(call, "model") != '\0')
        CLI_TRY(cli_read_model(call, &model, err));
    CLI_TRY(cli_choose_seed(call, err));
    cli_note_settings(call);
    CLI_TRY(gb_simulate(model, call->settings, cli_goes_on, NULL, &corpus, err));
    CLI_TRY(as_corpus ? gb_corpus_write(corpus, output, cli_flag(call, "force"), err)
                      : write_jsonl(call, corpus, err));
    const uint64_t n_docs = gb_corpus_n_docs(corpus), n_tokens = gb_corpus_n_tokens(corpus);
    cli_note(call, "%s%s (%" PRIu64 " document%s, %" PRIu64 " token%s, seed %" PRId64 ")",
             to_stdout ? "drawn" : "wrote ", to_stdout ? "" : output, n_docs, cli_plural(n_docs), n_tokens,
             cli_plural(n_tokens), cli_int(call, "seed"));
done:
    gb_corpus_free(corpus);
    gb_model_free(model);
    return st;
}
