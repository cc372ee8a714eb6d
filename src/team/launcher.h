/* team/launcher.h - what the environment says of the program that has started this one. */
#ifndef GB_TEAM_LAUNCHER_H
#define GB_TEAM_LAUNCHER_H

#include <stddef.h>

/** Where a launcher leaves its numbers. */
typedef struct gb_launcher {
    const char *size, *rank, *local_rank; /* environment variables */
} gb_launcher;

/** The launcher that has started this process, or NULL.
 * @param size, rank, local_rank  as in gb_team_launched() */
const gb_launcher *gb_launcher_find(size_t *size, size_t *rank, size_t *local_rank);

#endif
