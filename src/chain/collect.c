/* chain/collect.c - what ranks have of their documents, put together at rank 0. */
#include "chain/collect.h"

#include "base/memory.h"

#include <string.h>

static const char *const what = "what ranks have of their documents";

/* n elements of this rank. */
static gb_status collect(gb_team *team, const void *here, uint64_t n, size_t size, void **all, gb_error *err)
{
    gb_status st;
    uint64_t *start = NULL;
    char *list = NULL;
    *all = NULL;
    GB_TRY(gb_alloc(&start, gb_team_size(team) + 1, sizeof *start, what, err));
    GB_TRY(gb_team_starts(team, n, start, err));
    if (gb_team_rank(team) == 0)
        GB_TRY(gb_alloc(&list, start[gb_team_size(team)], size, what, err));
    GB_TRY(gb_team_collect(team, here, list, size, start, err));
    *all = list;
    list = NULL;
done:
    gb_free(start);
    gb_free(list);
    return st;
}

gb_status gb_collect_documents(const gb_chain *c, const void *here, size_t size, void **all, gb_error *err)
{
    return collect(c->portion.team, here, c->corpus->n_docs, size, all, err);
}

gb_status gb_collect_topics(const gb_chain *c, uint16_t **all, gb_error *err)
{
    uint16_t *topic = NULL;
    void *list = NULL;
    const uint64_t n = c->corpus->n_tokens;
    gb_status st = gb_alloc(&topic, n, sizeof *topic, what, err);
    for (uint64_t d = 0; st == GB_OK && d < c->corpus->n_docs; d++)
        gb_chain_assignment(c, d, topic + c->corpus->doc_start[d]);
    if (st == GB_OK && c->portion.team == NULL) {
        *all = topic;
        return st;
    }
    if (st == GB_OK)
        st = collect(c->portion.team, topic, n, sizeof *topic, &list, err);
    gb_free(topic);
    *all = list;
    return st;
}
