/* corpus/data/read_watch.h - how far reading has come, and whether the caller wants it to go on. */
#ifndef GB_CORPUS_DATA_READ_WATCH_H
#define GB_CORPUS_DATA_READ_WATCH_H

#include "base/status.h"
#include "base/watch.h"
#include "gibbous/corpus.h"

#define GB_UNPACK_FACTOR ((uint64_t)250)

/** One for each reading; it stays where it is.  Functions that take one accept NULL. */
typedef struct gb_read_watch {
    gb_watch watch;
    gb_on_read *on_read; /* NULL: nobody is asked */
    void *user;
    uint64_t n_docs; /* read so far */
    double begun;
    uint64_t unpack_factor; /* an input may unpack to so many times its size; 0: GB_UNPACK_FACTOR */
} gb_read_watch;

void gb_read_watch_begin(gb_read_watch *watch, gb_on_read *on_read, void *user);

/** Ask the caller, if that is due.  Cheap enough for every document and block of input.  @return GB_OK or GB_ESTOP */
gb_status gb_read_watch_ask(gb_read_watch *watch, gb_error *err);

#endif
