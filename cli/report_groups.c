/* cli/report_groups.c - what a report says of groups of documents. */
#include "report_data.h"
#include "report_json.h"

#include <stddef.h>
#include <stdlib.h>

/* All pairs of so few groups are compared; of more groups the first and the last, and those between which topics differ most. */
enum { ALL_PAIRS_OF = 8, MAX_PAIRS = 28, MAX_NUMBERS = 20000 };

typedef struct pair {
    uint64_t a, b; /* b has more of the topic, or is later */
    double distance;
} pair;

/* ---- shares ---------------------------------------------------------------------------------------- */

static json_t *posteriors_json(uint64_t n, const gb_effect *e)
{
    return json_pack("{s:o, s:o, s:o}", "mean", cli_report_effects(n, e, offsetof(gb_effect, mean)), "q05",
                     cli_report_effects(n, e, offsetof(gb_effect, q05)), "q95",
                     cli_report_effects(n, e, offsetof(gb_effect, q95)));
}

static json_t *shares_json(const gb_model *model, const gb_effect *share)
{
    const uint64_t n = gb_model_n_groups(model), n_topics = gb_model_n_topics(model);
    json_t *names = json_array(), *documents = json_array(), *list = json_array();
    for (uint64_t g = 0; g < n; g++) {
        (void)json_array_append_new(names, json_string(gb_model_group(model, g)));
        (void)json_array_append_new(documents, json_integer((json_int_t)gb_model_group_n_docs(model, g)));
        (void)json_array_append_new(list, posteriors_json(n_topics, share + g * n_topics));
    }
    return json_pack("{s:s, s:o, s:o, s:o}", "field", gb_model_group_field(model), "names", names, "documents",
                     documents, "shares", list);
}

/* ---- pairs ----------------------------------------------------------------------------------------- */

/* Of each topic the groups that have least and most of it, by how far their intervals are apart. */
static pair extremes(const gb_effect *share, uint64_t n, uint64_t n_topics, uint64_t topic)
{
    pair p = {0, 0, 0};
    for (uint64_t g = 1; g < n; g++) {
        const double mean = share[g * n_topics + topic].mean;
        p.a = mean < share[p.a * n_topics + topic].mean ? g : p.a;
        p.b = mean > share[p.b * n_topics + topic].mean ? g : p.b;
    }
    p.distance = share[p.b * n_topics + topic].q05 - share[p.a * n_topics + topic].q95;
    return p;
}

static int farthest_first(const void *x, const void *y)
{
    const pair *a = x, *b = y;
    if (a->distance != b->distance)
        return a->distance > b->distance ? -1 : 1;
    return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

static bool is_in(const pair *list, size_t n, const pair *p)
{
    for (size_t i = 0; i < n; i++)
        if ((list[i].a == p->a && list[i].b == p->b) || (list[i].a == p->b && list[i].b == p->a))
            return true;
    return false;
}

/* @param chosen  room for MAX_PAIRS  @return how many there are */
static size_t choose_pairs(const gb_effect *share, uint64_t n, uint64_t n_topics, pair *topic_pair, pair *chosen)
{
    size_t n_chosen = 0;
    const size_t most = n_topics * MAX_PAIRS < MAX_NUMBERS ? MAX_PAIRS : MAX_NUMBERS / n_topics;
    if (n <= ALL_PAIRS_OF) {
        for (uint64_t a = 0; a < n; a++)
            for (uint64_t b = a + 1; b < n && n_chosen < most; b++)
                chosen[n_chosen++] = (pair){a, b, 0};
        return n_chosen;
    }
    for (uint64_t k = 0; k < n_topics; k++)
        topic_pair[k] = extremes(share, n, n_topics, k);
    qsort(topic_pair, n_topics, sizeof *topic_pair, farthest_first);
    if (most > 0)
        chosen[n_chosen++] = (pair){0, n - 1, 0};
    for (uint64_t k = 0; k < n_topics && n_chosen < most; k++)
        if (topic_pair[k].a != topic_pair[k].b && !is_in(chosen, n_chosen, &topic_pair[k]))
            chosen[n_chosen++] = topic_pair[k];
    return n_chosen;
}

static gb_status add_contrasts(const gb_model *model, const gb_effect *share, json_t *out, gb_error *err)
{
    const uint64_t n = gb_model_n_groups(model), n_topics = gb_model_n_topics(model);
    pair chosen[MAX_PAIRS], *topic_pair = NULL;
    gb_effect *difference = NULL;
    json_t *list = json_array();
    gb_status st;
    CLI_TRY(cli_alloc(&topic_pair, n_topics, sizeof *topic_pair, "the contrasts of groups", err));
    CLI_TRY(cli_alloc(&difference, n_topics, sizeof *difference, "the contrasts of groups", err));
    const size_t n_chosen = choose_pairs(share, n, n_topics, topic_pair, chosen);
    for (size_t i = 0; i < n_chosen; i++) {
        CLI_TRY(gb_model_group_contrast(model, chosen[i].b, chosen[i].a, difference, err));
        json_t *entry = posteriors_json(n_topics, difference);
        (void)json_object_set_new(entry, "of", json_integer((json_int_t)chosen[i].b));
        (void)json_object_set_new(entry, "minus", json_integer((json_int_t)chosen[i].a));
        (void)json_array_append_new(list, entry);
    }
    (void)json_object_set(out, "contrasts", list);
done:
    json_decref(list);
    gb_free(topic_pair);
    gb_free(difference);
    return st;
}

gb_status cli_report_groups(const cli_call *call, const gb_model *model, json_t **out, gb_error *err)
{
    const uint64_t n = gb_model_n_groups(model), n_topics = gb_model_n_topics(model);
    gb_effect *share = NULL;
    json_t *groups = NULL;
    gb_status st = GB_OK;
    if (n == 0) {
        *out = json_null();
        return GB_OK;
    }
    CLI_TRY(cli_alloc(&share, n * n_topics, sizeof *share, "the shares of groups", err));
    CLI_TRY(gb_model_group_shares(model, 0, n, (uint64_t)cli_int(call, "threads"), share, err));
    groups = shares_json(model, share);
    CLI_TRY(add_contrasts(model, share, groups, err));
    *out = groups;
    groups = NULL;
done:
    json_decref(groups);
    gb_free(share);
    return st;
}
