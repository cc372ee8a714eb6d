/* cli/cmd_edit.c - names for topics, topics that count as one and topics that are left out: a copy of the model has them. */
#include "answer.h"

#include <inttypes.h>
#include <string.h>

enum { LONGEST_QUOTE = 80 };

/* ---- lists of topics: "3+7", "3,7" ---- */

/* The next topic of a list, which it moves on; after the last one *at is NULL. */
static gb_status next_topic(const char *option, const char *all, const char **at, uint64_t n_topics, uint64_t *out,
                            gb_error *err)
{
    const size_t length = strcspn(*at, "+,"), n_digits = strspn(*at, "0123456789");
    uint64_t number = 0;
    for (size_t i = 0; i < n_digits && number <= n_topics; i++)
        number = 10 * number + (uint64_t)((*at)[i] - '0');
    if (length == 0 || n_digits != length || number < 1 || number > n_topics)
        return cli_fail(err, GB_EARGUMENT, "--%s %.*s: \"%.*s\" is not a topic from 1 to %" PRIu64, option,
                        LONGEST_QUOTE, all, (int)(length < LONGEST_QUOTE ? length : LONGEST_QUOTE), *at, n_topics);
    *out = number - 1;
    *at = (*at)[length] == '\0' ? NULL : *at + length + 1;
    return GB_OK;
}

static void replace(uint64_t n, uint64_t *label, uint64_t old, uint64_t new)
{
    for (uint64_t k = 0; k < n; k++)
        if (label[k] == old)
            label[k] = new;
}

/* Unions of the topics become one; those that were left out come back. */
static gb_status merge(const char *list, uint64_t n_topics, uint64_t *label, gb_error *err)
{
    gb_status st = GB_OK;
    uint64_t first = 0, topic = 0;
    const char *at = list;
    for (bool is_first = true; st == GB_OK && at != NULL; is_first = false) {
        st = next_topic("merge", list, &at, n_topics, &topic, err);
        if (st != GB_OK)
            return st;
        if (label[topic] == GB_LEFT_OUT)
            label[topic] = topic;
        if (is_first)
            first = topic;
        replace(n_topics, label, label[topic], label[first]);
    }
    return st;
}

/* With the whole union. */
static gb_status drop(const char *list, uint64_t n_topics, uint64_t *label, gb_error *err)
{
    gb_status st = GB_OK;
    uint64_t topic = 0;
    for (const char *at = list; st == GB_OK && at != NULL;) {
        st = next_topic("drop", list, &at, n_topics, &topic, err);
        if (st == GB_OK && label[topic] != GB_LEFT_OUT)
            replace(n_topics, label, label[topic], GB_LEFT_OUT);
    }
    return st;
}

/* A topic that is merged after it was left out has its own number as a label, which no union without it has. */
static gb_status find_labels(const cli_call *call, const gb_model *model, uint64_t *label, gb_error *err)
{
    gb_status st = GB_OK;
    const uint64_t n = gb_model_n_topics(model);
    for (uint64_t k = 0; k < n; k++)
        label[k] = gb_model_topic_union(model, k);
    for (uint64_t i = 0; i < cli_count(call, "merge"); i++)
        CLI_TRY(merge(cli_item(call, "merge", i), n, label, err));
    for (uint64_t i = 0; i < cli_count(call, "drop"); i++)
        CLI_TRY(drop(cli_item(call, "drop", i), n, label, err));
done:
    return st;
}

static void take(gb_model **model, gb_model *other)
{
    gb_model_free(*model);
    *model = other;
}

static gb_status unite_topics(const cli_call *call, gb_model **model, gb_error *err)
{
    gb_status st = GB_OK;
    gb_model *united = NULL;
    uint64_t *label = NULL;
    if (*cli_text(call, "topic-groups") != '\0') {
        CLI_TRY(cli_input(gb_model_read_topic_unions(*model, cli_text(call, "topic-groups"), &united, err), err));
        take(model, united);
    }
    if (cli_count(call, "merge") + cli_count(call, "drop") == 0)
        return GB_OK;
    CLI_TRY(cli_alloc(&label, gb_model_n_topics(*model), sizeof *label, "unions of topics", err));
    CLI_TRY(find_labels(call, *model, label, err));
    CLI_TRY(gb_model_unite_topics(*model, label, &united, err));
    take(model, united);
done:
    gb_free(label);
    return st;
}

/* ---- the verb ---- */

static gb_status name_topics(const cli_call *call, gb_model **model, gb_error *err)
{
    gb_model *named = NULL;
    if (*cli_text(call, "names") == '\0')
        return GB_OK;
    const gb_status st = cli_input(gb_model_read_topic_names(*model, cli_text(call, "names"), &named, err), err);
    if (st == GB_OK)
        take(model, named);
    return st;
}

gb_status cli_edit(cli_call *call, gb_error *err)
{
    static const char *const topics = "topics";
    gb_model *model = NULL;
    char *output = NULL;
    gb_status st;
    CLI_TRY(cli_check_output_file(call, err));
    CLI_TRY(cli_read_model(call, &model, err));
    CLI_TRY(unite_topics(call, &model, err));
    CLI_TRY(name_topics(call, &model, err));
    const gb_subject subject = {.size = sizeof subject, .model = model};
    CLI_TRY(cli_copy_text(&output, cli_text(call, "output"), strlen(cli_text(call, "output")), err));
    CLI_TRY(gb_settings_set(call->settings, "output", "", err)); /* of the topics: standard output */
    CLI_TRY(cli_show_answers_to(call, 1, &topics, &subject, err));
    CLI_TRY(gb_model_write(model, output, cli_flag(call, "force"), NULL, NULL, err));
    cli_note(call, "wrote %s", output);
done:
    gb_free(output);
    gb_model_free(model);
    return st;
}
