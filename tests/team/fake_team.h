/* fake_team.h - ranks that are threads of one process, with the troubles of real ones.
 *
 * What a program may not rely on, it does not get here: what is sent is read late, what is received comes at the end of a
 * transfer, a transfer to a rank that does not receive never ends.  Calls out of step, transfers whose ends do not agree, and
 * ranks that wait for each other make all calls fail, with a message that says so; so no program hangs. */
#ifndef FAKE_TEAM_H
#define FAKE_TEAM_H

#include "team/team.h"

/** What goes wrong; {0}: nothing. */
typedef struct fake_trouble {
    uint64_t seed;          /* of delays and orders */
    unsigned longest_delay; /* before a call, in microseconds; 0: none */
    bool reorders;          /* transfers under way end in any order */
    size_t failing_rank;
    uint64_t failing_call; /* of that rank, from 1, in all its teams: fails, and later calls of all ranks; 0: none */
} fake_trouble;

/** How a run went. */
typedef struct fake_report {
    gb_error error;   /* why calls failed; GB_OK: none did */
    uint64_t n_calls; /* of the rank that may fail */
    size_t n_open;    /* transfers not ended and teams not freed */
} fake_report;

/**
 * Run a program on ranks, each in a thread of its own, and wait until all have returned.
 *
 * @param trouble  may be NULL
 * @param run      gets the team of its rank (NULL for one rank alone), which it does not free.  cmocka's assertions are for
 *                 the thread of the test: run leaves what it finds in its context, by rank
 */
fake_report fake_team_run(size_t n_ranks, const fake_trouble *trouble, void (*run)(gb_team *team, void *context),
                          void *context);

#endif
