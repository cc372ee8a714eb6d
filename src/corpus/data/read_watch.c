/* corpus/data/read_watch.c - how far reading has come, and whether the caller wants it to go on. */
#include "corpus/data/read_watch.h"

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
