/* corpus/data/read_watch.c - how far reading has come, and whether the caller wants it to go on. */
#include "corpus/data/read_watch.h"

#include "base/size.h"

static bool ask(void *context)
{
    const gb_read_watch *w = context;
    const gb_read_progress progress = {.n_docs = w->n_docs, .seconds = gb_seconds() - w->begun};
    return w->on_read(&progress, w->user);
}

void gb_read_watch_begin(gb_read_watch *w, gb_on_read *on_read, void *user)
{
    w->on_read = on_read;
    w->user = user;
    w->n_docs = 0;
    w->begun = gb_seconds();
    gb_watch_start(&w->watch, on_read == NULL ? NULL : ask, w);
}

gb_status gb_read_watch_ask(gb_read_watch *w, gb_error *err)
{
    if (w == NULL || gb_watch_look(&w->watch, 0))
        return GB_OK;
    return gb_fail(err, GB_ESTOP, "stopped after %llu document%s", (unsigned long long)w->n_docs,
                   w->n_docs == 1 ? "" : "s");
}

gb_status gb_read_watch_limit(gb_read_watch *w, const char *limit, gb_error *err)
{
    if (w == NULL)
        return GB_OK;
    w->limit = limit;
    return gb_size_from_text(limit, &w->most_bytes, err);
}

gb_status gb_read_watch_hold(gb_read_watch *w, const char *path, uint64_t n_bytes, uint64_t *n_counted, gb_error *err)
{
    if (w == NULL)
        return GB_OK;
    w->n_held += n_bytes - *n_counted;
    *n_counted = n_bytes;
    if (w->most_bytes == 0 || w->n_held <= w->most_bytes)
        return GB_OK;
    return gb_fail(err, GB_EARGUMENT, "`memory-limit` %s: with %s, the inputs need more", w->limit, path);
}
