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
    uint64_t n_held;        /* bytes of memory that files beside the documents have, and inputs before this one */
    uint64_t most_bytes;    /* 0: no limit */
    uint64_t n_like_utf8;   /* inputs that were decoded, although they look like UTF-8 */
    const char *limit;      /* as the option memory-limit says it; borrowed */
} gb_read_watch;

void gb_read_watch_begin(gb_read_watch *watch, gb_on_read *on_read, void *user);

/** Ask the caller, if that is due.  Cheap enough for every document and block of input.  @return GB_OK or GB_ESTOP */
gb_status gb_read_watch_ask(gb_read_watch *watch, gb_error *err);

/** @param limit  the option memory-limit, borrowed; "" is none */
gb_status gb_read_watch_limit(gb_read_watch *watch, const char *limit, gb_error *err);
/** A file beside the documents has so many bytes of memory now.
 * @param n_counted  of it so far, 0 at first; updated
 * @return GB_OK, or GB_EARGUMENT where all of them together have more than the limit */
gb_status gb_read_watch_hold(gb_read_watch *watch, const char *path, uint64_t n_bytes, uint64_t *n_counted,
                             gb_error *err);

#endif
