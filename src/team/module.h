/* team/module.h - what the program and its module for MPI know of each other.
 *
 * The module is a shared library that the program opens when it needs it.  It gives away one function, which tells where this table
 * is.  Its code for errors and memory is its own copy. */
#ifndef GB_TEAM_MODULE_H
#define GB_TEAM_MODULE_H

#include "team/team.h"

enum { GB_TEAM_MODULE_VERSION = 2 }; /* another one whenever this file, gb_team or gb_team_ops has changed */

typedef struct gb_team_module {
    uint32_t version;                             /* GB_TEAM_MODULE_VERSION; stays the first member */
    uint32_t gibbous;                             /* GB_VERSION */
    void (*name_library)(char *out, size_t size); /* "MPICH 4.0.2" */
    /** A team of all processes.
     * @param piece  bytes that one message takes at most, at least 8; 0: as many as are wise */
    gb_status (*open)(size_t piece, gb_team **out, gb_error *err);
} gb_team_module;

#define GB_TEAM_MODULE_FILE     "libgibbous-mpi.so"
#define GB_TEAM_MODULE_FUNCTION "gb_mpi_module"
#define GB_TEAM_MODULE_VARIABLE "GIBBOUS_MPI_MODULE" /* names another file */
#define GB_TEAM_NO_MODULE       "none"               /* in place of that file: every process is alone */

/** The type of that function. */
typedef const gb_team_module *gb_team_module_function(void);

/** gb_team_open(), with longer messages sent in pieces. */
gb_status gb_team_open_in_pieces(size_t piece, gb_team **out, gb_error *err);

#endif
