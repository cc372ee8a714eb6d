/* model/file_caller.c - who is told how long a model file takes to read or to write, and may say stop. */
#include "model/file_caller.h"

static bool ask_caller(void *context)
{
    const gb_file_caller *c = context;
    return c->on_file(&(gb_file_progress){.seconds = gb_seconds() - c->begin}, c->user);
}

void gb_file_caller_watch(gb_watch *watch, gb_file_caller *caller)
{
    caller->begin = gb_seconds();
    gb_watch_start(watch, caller->on_file == NULL ? NULL : ask_caller, caller);
}
