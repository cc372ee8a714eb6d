/* cli/cmd_simulate.c - draw a corpus, as JSON Lines or as a corpus file. */
#include "common.h"
#include "table.h"

#include "corpus/data/corpus.h"

#include <inttypes.h>
#include <string.h>

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* ---- JSON Lines ------------------------------------------------------------------------------------ */

static cli_view text_of(const gb_texts *texts, uint64_t i)
{
    return (cli_view){texts->bytes + texts->start[i], texts->start[i + 1] - texts->start[i]};
}

/* The words of a document with spaces between them, in a growing buffer. */
static gb_status join_words(const gb_corpus *corpus, uint64_t d, char **text, size_t *room, size_t *length,
                            gb_error *err)
{
    *length = 0;
    for (uint64_t i = corpus->doc_start[d]; i < corpus->doc_start[d + 1]; i++) {
        cli_view word = text_of(&corpus->vocabulary, corpus->word[i]);
        gb_status st = cli_grow(text, room, *length + word.length + 1, 1, "a document", err);
        if (st != GB_OK)
            return st;
        if (*length > 0)
            (*text)[(*length)++] = ' ';
        memcpy(*text + *length, word.bytes, word.length);
        *length += word.length;
    }
    return GB_OK;
}

static gb_status write_labels(cli_table *table, const gb_labels *labels, uint64_t d, gb_error *err)
{
    uint64_t first = labels->doc_start[d], n = labels->doc_start[d + 1] - first;
    cli_view *item = NULL;
    gb_status st;
    CLI_TRY(cli_alloc(&item, n, sizeof *item, "a document", err));
    for (uint64_t i = 0; i < n; i++)
        item[i] = text_of(&labels->classes, labels->class_of[first + i]);
    if (labels->several)
        cli_table_list(table, n, item);
    else
        cli_table_text(table, n > 0 ? item[0].bytes : "", n > 0 ? item[0].length : 0);
done:
    gb_free(item);
    return st;
}

static gb_status write_rows(cli_table *table, const gb_corpus *corpus, gb_error *err)
{
    char *text = NULL;
    size_t room = 0, length = 0;
    gb_status st;
    CLI_TRY(cli_table_column(table, "", "id", err));
    CLI_TRY(cli_table_column(table, "", "text", err));
    for (size_t i = 0; i < corpus->n_labels; i++)
        CLI_TRY(cli_table_column(table, "", corpus->labels[i].name, err));
    for (size_t i = 0; i < corpus->n_numbers; i++)
        CLI_TRY(cli_table_column(table, "", corpus->numbers[i].name, err));
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        CLI_TRY(join_words(corpus, d, &text, &room, &length, err));
        cli_view id = text_of(&corpus->ids, d);
        cli_table_text(table, id.bytes, id.length);
        cli_table_text(table, length > 0 ? text : "", length);
        for (size_t i = 0; i < corpus->n_labels; i++)
            CLI_TRY(write_labels(table, &corpus->labels[i], d, err));
        for (size_t i = 0; i < corpus->n_numbers; i++)
            cli_table_real(table, corpus->numbers[i].value[d]);
    }
done:
    free(text);
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
    bool as_corpus = ends_with(cli_text(call, "output"), ".gbc");
    gb_model *model = NULL;
    gb_corpus *corpus = NULL;
    gb_status st;
    if (!as_corpus && !cli_to_stdout(cli_text(call, "output")) && !ends_with(cli_text(call, "output"), ".jsonl"))
        return cli_fail(err, GB_EARGUMENT, "simulate writes NAME.jsonl or NAME.gbc, not %s",
                        cli_text(call, "output"));
    if (!cli_to_stdout(cli_text(call, "output")))
        CLI_TRY(cli_check_target(call, cli_text(call, "output"), err));
    if (*cli_text(call, "model") != '\0')
        CLI_TRY(cli_read_model(call, &model, err));
    CLI_TRY(cli_choose_seed(call, err));
    cli_note_settings(call);
    CLI_TRY(gb_simulate(model, call->settings, &corpus, err));
    CLI_TRY(as_corpus ? gb_corpus_write(corpus, cli_text(call, "output"), cli_flag(call, "force"), err)
                      : write_jsonl(call, corpus, err));
    cli_note(call, "%s%s (%" PRIu64 " document%s, %" PRIu64 " token%s, seed %" PRId64 ")",
             cli_to_stdout(cli_text(call, "output")) ? "drawn" : "wrote ",
             cli_to_stdout(cli_text(call, "output")) ? "" : cli_text(call, "output"), corpus->n_docs,
             cli_plural(corpus->n_docs), corpus->n_tokens, cli_plural(corpus->n_tokens), cli_int(call, "seed"));
done:
    gb_corpus_free(corpus);
    gb_model_free(model);
    return st;
}
