/* team/team.h - ranks: processes that draw one chain together, each with its own part of the documents.  How they meet and part is in
 * gibbous/team.h.
 *
 * Ranks run the same program in step: all of them make the same calls below, in the same order.  What comes out may not
 * depend on how many there are.  So whole numbers are added in any order, and sums of doubles in the order of the documents.
 *
 * A process alone needs no team: NULL is a team of one, for which every call below is done at once.
 *
 * When a call fails, another rank is gone or has given up, and the chain cannot go on.  A rank that fails elsewhere, out of
 * memory for one, calls gb_team_abort(), so that the others do not wait for it for ever. */
#ifndef GB_TEAM_TEAM_H
#define GB_TEAM_TEAM_H

#include "base/status.h"
#include "gibbous/team.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GB_TEAM_LABELS = (1 << 15) - 1 }; /* of transfers, for all but team.c */

/** Bytes on their way from one rank to another. */
typedef struct gb_transfer {
    size_t rank;    /* the other one */
    uint32_t label; /* of both ends the same; less than GB_TEAM_LABELS; no two under way between two ranks in one
                       direction share it */
    void *bytes;    /* borrowed until gb_team_end_transfer(); what is sent is not changed */
    size_t n_bytes; /* of both ends the same */
    bool is_sent;   /* else received */
} gb_transfer;

/** One way to reach other ranks.  All calls come from the thread that made the team. */
typedef struct gb_team_ops {
    const char *name;
    gb_status (*barrier)(gb_team *team, gb_error *err);
    /** The bytes of rank `from` to all; its own may be written over with themselves. */
    gb_status (*broadcast)(gb_team *team, size_t from, void *bytes, size_t n_bytes, gb_error *err);
    /** Every rank's bytes to all: those of rank r lie at start[r] .. start[r + 1] - 1; its own are in place. */
    gb_status (*gather)(gb_team *team, void *bytes, const uint64_t *start, gb_error *err);
    /** Add up over ranks, at all of them. */
    gb_status (*sum)(gb_team *team, int64_t *value, size_t n, gb_error *err);
    /** Start a transfer; returns at once, with something for end_transfer(). */
    gb_status (*begin_transfer)(gb_team *team, const gb_transfer *transfer, void **pending, gb_error *err);
    /** Wait for its end, whatever it is, and release `pending`. */
    gb_status (*end_transfer)(gb_team *team, void *pending, gb_error *err);
    /** Teams of the ranks with the same `part`, in the order of their numbers here. */
    gb_status (*split)(gb_team *team, size_t part, gb_team **out, gb_error *err);
    /** At the end of the program, whatever calls are under way: the lowest of all ranks' values.  GB_ERANK if a rank has not asked
     * within `seconds`; 0: no limit.  NULL: this way cannot tell. */
    gb_status (*lowest)(gb_team *team, int64_t *value, double seconds, gb_error *err);
    /** Make the calls of all ranks fail with this message, or end their processes. */
    void (*abort)(gb_team *team, const char *message);
    void (*free)(gb_team *team);
} gb_team_ops;

struct gb_team {
    const gb_team_ops *ops;
    size_t rank, size;
    /* By this rank in all calls, if nothing crosses the network more often than it must, and without what a transport
     * adds; a sum of n bytes is 2 n (size - 1) / size from each. */
    uint64_t bytes_sent;
    uint64_t most_rows; /* of a rank, in the last gb_team_add_rows(); the same at all ranks */
};

/** By this rank since the team was made. */
static inline uint64_t gb_team_bytes_sent(const gb_team *team)
{
    return team == NULL ? 0 : team->bytes_sent;
}

/** Return when all ranks have called it. */
gb_status gb_team_barrier(gb_team *team, gb_error *err);
/** Add up over ranks; all get the sums. */
gb_status gb_team_sum(gb_team *team, int64_t *value, size_t n, gb_error *err);
/** Whether at least one rank says so; all get the answer. */
gb_status gb_team_any(gb_team *team, bool *says_so, gb_error *err);
/**
 * For ranks that can be told to stop one by one: if one of them was, all are.
 *
 * @param st  how this rank's work has ended; a failure is passed on at once, and the others hear of it when the rank leaves
 * @return GB_ESTOP if that was the end of at least one rank's, else `st`, or GB_ERANK
 */
gb_status gb_team_agree_to_stop(gb_team *team, gb_status st, gb_error *err);
/** Where each rank's share of a list begins.
 * @param n      elements of this rank
 * @param start  receives size + 1 numbers, from 0 to the elements of all */
gb_status gb_team_starts(gb_team *team, uint64_t n, uint64_t *start, gb_error *err);
/** Put together a list of which every rank has a share, in the order of ranks; all get the whole list.
 * @param list   start[size] elements of `size` bytes; this rank's own are in their place
 * @param start  from gb_team_starts() */
gb_status gb_team_gather(gb_team *team, void *list, size_t size, const uint64_t *start, gb_error *err);
/**
 * Add rows of numbers over all ranks: the rows of rank 0 in order, then those of rank 1, ...  A rank whose rows are sums over
 * documents in pieces that do not depend on ranks gets the same bits from any number of them.
 *
 * @param row  n x width, row-major; this rank's.  n may differ between ranks and may be 0
 * @param sum  receives width numbers: ((0 + first row) + second row) + ...; none of the rows
 * @return GB_OK, GB_ENOMEM or GB_ERANK
 */
gb_status gb_team_add_rows(gb_team *team, size_t n, size_t width, const double *row, double *sum, gb_error *err);
/** The same, but only rank 0 gets the list.
 * @param here  this rank's share
 * @param list  start[size] elements, at rank 0; not read at the others */
gb_status gb_team_collect(gb_team *team, const void *here, void *list, size_t size, const uint64_t *start,
                          gb_error *err);
/** Give one rank the bytes of another one; for all others there is nothing to do, and they need not call it.
 * @param bytes  at both, with as many bytes */
gb_status gb_team_pass(gb_team *team, size_t from, size_t to, void *bytes, size_t n_bytes, gb_error *err);
/**
 * Put together bytes of which at most one rank has each: it is 0 at all others.
 *
 * @return GB_OK, GB_ENOMEM or GB_ERANK
 */
gb_status gb_team_merge(gb_team *team, void *bytes, uint64_t n_bytes, gb_error *err);
/** Start sending or receiving; end every transfer with gb_team_end_transfer(). */
gb_status gb_team_begin_transfer(gb_team *team, const gb_transfer *transfer, void **pending, gb_error *err);
/** Wait for the end of a transfer; NULL is one that has ended. */
gb_status gb_team_end_transfer(gb_team *team, void *pending, gb_error *err);
/** Teams of the ranks with the same `part`, in the order of their numbers here.
 * @param out  NULL for a team of one; free it with gb_team_free() */
gb_status gb_team_split(gb_team *team, size_t part, gb_team **out, gb_error *err);

/** End all ranks at once, this process among them, with the message and this rank's number on standard error, and a status
 * that is not 0.  Does nothing if `team` is NULL. */
void gb_team_abort(gb_team *team, const char *message);

#endif
