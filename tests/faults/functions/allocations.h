/* allocations.h - this program's own malloc() and its kin: counted, and one of them fails when it is asked to. */
#ifndef GB_FAULTS_ALLOCATIONS_H
#define GB_FAULTS_ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/** How the allocations of a trial fail. */
typedef struct allocation_faults {
    uint64_t at;               /* number of the one that fails, from 1; 0: none does */
    bool all;                  /* all after it fail, too */
    const char *const *not_of; /* parts of names of libraries whose own do not count, ended by NULL; NULL: none */
    bool is_traced;            /* the stack of the one that fails goes to standard error */
} allocation_faults;

/** From now on allocations count from 1, while they are watched. */
void allocations_start(const allocation_faults *faults);
/** Watch: allocations of all threads count, and may fail. */
void allocations_watch(bool is_watched);
/** How many there were since allocations_start(). */
uint64_t allocations_n(void);
/** Blocks that the process has. */
int64_t allocations_live(void);

#endif
