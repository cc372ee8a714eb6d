/* model/file_caller.h - who is told how long a model file takes to read or to write, and may say stop. */
#ifndef GB_MODEL_FILE_CALLER_H
#define GB_MODEL_FILE_CALLER_H

#include "base/watch.h"
#include "gibbous/model.h"

typedef struct gb_file_caller {
    gb_on_file *on_file; /* may be NULL */
    void *user;
    double begin; /* set by gb_file_caller_watch() */
} gb_file_caller;

/** Begin work that asks this caller.  @param caller  borrowed as long as the watch is looked at */
void gb_file_caller_watch(gb_watch *watch, gb_file_caller *caller);

#endif
