/* mpi/ending.c - MPI ends in this process.
 *
 * MPI_Finalize() does it, but for MPICH before 4.2.  That closes its connections one by one, and asks the other end of each,
 * which may have closed all of its own by then and look no more: over TCP two of five programs never ended
 * (github.com/pmodels/mpich/pull/6596).  There the processes meet, hand over what is on its way, and say to the launcher
 * themselves that they are done; it would take an end without a word for a crash and kill the others. */
#include "ending.h"

#include <mpi.h>

#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40200000

#include "waiting.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE = 5000 /* milliseconds */ };

/* The launcher of MPICH (which alone sets both variables) understands lines, and answers each. */
static void tell_launcher(void)
{
    static const char message[] = "cmd=finalize\n";
    const char *number = getenv("PMI_FD");
    if (number == NULL || getenv("MPI_LOCALNRANKS") == NULL)
        return;
    struct pollfd launcher = {.fd = atoi(number), .events = POLLIN};
    char answer = 0;
    if (write(launcher.fd, message, strlen(message)) != (ssize_t)strlen(message))
        return;
    while (answer != '\n' && poll(&launcher, 1, PATIENCE) == 1 && read(launcher.fd, &answer, 1) == 1)
        continue;
}

void gb_mpi_end(void)
{
    const double while_bytes_arrive = 0.1; /* seconds */
    int is_there;
    (void)MPI_Barrier(MPI_COMM_WORLD);
    for (const double since = gb_mpi_now(); gb_mpi_now() - since < while_bytes_arrive;)
        (void)MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
    tell_launcher();
}

#else

void gb_mpi_end(void)
{
    (void)MPI_Finalize();
}

#endif
