/* cli/topic_unions.c - topics that count as one, and topics that are left out. */
#include "topic_unions.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_QUOTE = 80, DIGITS = 7 };

static const char what[] = "unions of topics";

bool cli_changes_unions(const cli_call *call)
{
    return cli_count(call, "merge") > 0 || cli_count(call, "drop") > 0 || *cli_text(call, "topic-groups") != '\0';
}

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

gb_status cli_unite_topics(const cli_call *call, gb_model **model, gb_error *err)
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
    CLI_TRY(cli_alloc(&label, gb_model_n_topics(*model), sizeof *label, what, err));
    CLI_TRY(find_labels(call, *model, label, err));
    CLI_TRY(gb_model_unite_topics(*model, label, &united, err));
    take(model, united);
done:
    gb_free(label);
    return st;
}

/* ---- in lists ---- */

bool cli_is_listed(const gb_model *model, uint64_t topic)
{
    return gb_model_topic_union(model, topic) == topic;
}

uint64_t cli_n_left_out(const gb_model *model)
{
    uint64_t n = 0;
    for (uint64_t k = 0; k < gb_model_n_topics(model); k++)
        n += gb_model_topic_union(model, k) == GB_LEFT_OUT;
    return n;
}

void cli_note_left_out(const cli_call *call, const gb_model *model)
{
    const uint64_t n = cli_n_left_out(model);
    double share = 0;
    for (uint64_t k = 0; k < gb_model_n_topics(model); k++)
        share += gb_model_topic_union(model, k) == GB_LEFT_OUT ? gb_model_topic_share(model, k) : 0;
    if (n > 0)
        cli_note(call, "%" PRIu64 " topic%s left out, with %.1f %% of the tokens; predictions still use %s", n,
                 n == 1 ? " is" : "s are", 100 * share, n == 1 ? "it" : "them");
}

gb_status cli_union_title(const gb_model *model, uint64_t topic, char **out, gb_error *err)
{
    gb_status st;
    uint64_t *topics = NULL;
    CLI_TRY(cli_alloc(&topics, gb_model_n_topics(model), sizeof *topics, what, err));
    const uint64_t n = gb_model_topics_of_union(model, topic, topics);
    CLI_TRY(cli_alloc(out, DIGITS * n, 1, what, err));
    size_t length = 0;
    for (uint64_t i = 0; i < n; i++)
        length +=
            (size_t)snprintf(*out + length, DIGITS * n - length, "%s%" PRIu64, i == 0 ? "" : "+", topics[i] + 1);
done:
    gb_free(topics);
    return st;
}

gb_status cli_join_words(const gb_model *model, const uint64_t *word, uint64_t n, char **out, gb_error *err)
{
    size_t length = 1;
    for (uint64_t i = 0; i < n; i++)
        length += strlen(gb_model_word(model, word[i])) + 1;
    gb_status st = cli_alloc(out, length, 1, "the words of a topic", err);
    char *at = *out;
    for (uint64_t i = 0; st == GB_OK && i < n; i++)
        at = stpcpy(stpcpy(at, i > 0 ? " " : ""), gb_model_word(model, word[i]));
    return st;
}
