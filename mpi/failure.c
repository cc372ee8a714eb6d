/* mpi/failure.c - what MPI says when a call fails. */
#include "failure.h"

#include <string.h>

gb_status gb_mpi_check(int code, const char *what, gb_error *err)
{
    char text[MPI_MAX_ERROR_STRING] = "unknown error";
    int length = 0;
    if (code == MPI_SUCCESS)
        return GB_OK;
    (void)MPI_Error_string(code, text, &length);
    for (char *at = text; (at = strchr(at, '\n')) != NULL;) /* some texts are lists of what had called what */
        *at = ' ';
    return gb_fail(err, GB_ERANK, "another rank cannot be reached: %s: %s", what, text);
}
