/* mpi/team.c - a team whose ranks are the processes of an MPI communicator.
 *
 * Every call is one that returns at once, followed by waiting (waiting.h).  A message takes at most `piece` bytes, since MPI counts in
 * int; what is longer goes in pieces, which arrive in the order in which they were sent. */
#include "team.h"

#include "base/memory.h"
#include "failure.h"
#include "waiting.h"

#include <limits.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

typedef struct mpi_team {
    gb_team team; /* first: a gb_team is this */
    gb_mpi_world *world;
    MPI_Comm comm;
    MPI_Comm last; /* what ranks ask at the end, whatever is under way in the other one */
} mpi_team;

static mpi_team *mpi_team_of(gb_team *team)
{
    return (mpi_team *)team;
}

/* ---- waiting --------------------------------------------------------------------------------------- */

/* Wait for what a call has begun; `seconds` at most, unless they are 0. */
static gb_status wait_for_some_time(int code, MPI_Request *request, double seconds, const char *what, gb_error *err)
{
    gb_mpi_waiting waiting = {0};
    const double since = gb_mpi_now();
    int is_done = 0;
    while (code == MPI_SUCCESS) {
        code = MPI_Test(request, &is_done, MPI_STATUS_IGNORE);
        if (is_done || code != MPI_SUCCESS)
            break;
        if (seconds > 0 && gb_mpi_now() - since > seconds)
            return gb_fail(err, GB_ERANK, "other ranks do not answer");
        gb_mpi_pause(&waiting);
    }
    return gb_mpi_check(code, what, err);
}

static gb_status wait_for(int code, MPI_Request *request, const char *what, gb_error *err)
{
    return wait_for_some_time(code, request, 0, what, err);
}

/* ---- calls of all ranks ---------------------------------------------------------------------------- */

static gb_status barrier(gb_team *team, gb_error *err)
{
    MPI_Request request;
    return wait_for(MPI_Ibarrier(mpi_team_of(team)->comm, &request), &request, "MPI_Ibarrier", err);
}

/* Bytes of the next message, of so many that are left. */
static int next_piece(const mpi_team *t, uint64_t n_bytes)
{
    return (int)(n_bytes < t->world->piece ? n_bytes : t->world->piece);
}

static gb_status broadcast(gb_team *team, size_t from, void *bytes, size_t n_bytes, gb_error *err)
{
    gb_status st = GB_OK;
    mpi_team *t = mpi_team_of(team);
    for (char *at = bytes; st == GB_OK && n_bytes > 0;) {
        MPI_Request request;
        const int n = next_piece(t, n_bytes);
        st = wait_for(MPI_Ibcast(at, n, MPI_BYTE, (int)from, t->comm, &request), &request, "MPI_Ibcast", err);
        at += n;
        n_bytes -= (size_t)n;
    }
    return st;
}

/* In one message each: all places can be counted in int. */
static gb_status gather_at_once(mpi_team *t, void *bytes, const uint64_t *start, gb_error *err)
{
    gb_status st;
    MPI_Request request;
    int *count = NULL;
    const size_t size = t->team.size;
    GB_TRY(gb_alloc(&count, 2 * size, sizeof *count, "a list of all ranks", err));
    int *place = count + size;
    for (size_t r = 0; r < size; r++) {
        count[r] = (int)(start[r + 1] - start[r]);
        place[r] = (int)start[r];
    }
    GB_TRY(wait_for(
        MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, bytes, count, place, MPI_BYTE, t->comm, &request),
        &request, "MPI_Iallgatherv", err));
done:
    gb_free(count);
    return st;
}

static gb_status gather(gb_team *team, void *bytes, const uint64_t *start, gb_error *err)
{
    gb_status st = GB_OK;
    mpi_team *t = mpi_team_of(team);
    if (start[team->size] <= t->world->piece)
        return gather_at_once(t, bytes, start, err);
    for (size_t r = 0; st == GB_OK && r < team->size; r++)
        st = broadcast(team, r, (char *)bytes + start[r], start[r + 1] - start[r], err);
    return st;
}

static gb_status sum(gb_team *team, int64_t *value, size_t n, gb_error *err)
{
    gb_status st = GB_OK;
    mpi_team *t = mpi_team_of(team);
    while (st == GB_OK && n > 0) {
        MPI_Request request;
        const int now = next_piece(t, n * sizeof *value) / (int)sizeof *value;
        st = wait_for(MPI_Iallreduce(MPI_IN_PLACE, value, now, MPI_INT64_T, MPI_SUM, t->comm, &request), &request,
                      "MPI_Iallreduce", err);
        value += now;
        n -= (size_t)now;
    }
    return st;
}

static gb_status lowest(gb_team *team, int64_t *value, double seconds, gb_error *err)
{
    MPI_Request request;
    int64_t own = *value; /* a call that is given up may still write */
    return wait_for_some_time(MPI_Iallreduce(&own, value, 1, MPI_INT64_T, MPI_MIN, mpi_team_of(team)->last, &request),
                              &request, seconds, "MPI_Iallreduce", err);
}

/* ---- transfers ------------------------------------------------------------------------------------- */

static void free_flight(gb_mpi_flight *flight)
{
    if (flight != NULL)
        gb_free(flight->request);
    gb_free(flight);
}

static int begin_message(mpi_team *t, const gb_transfer *transfer, char *bytes, int n, MPI_Request *out)
{
    const int rank = (int)transfer->rank, label = (int)transfer->label;
    return transfer->is_sent ? MPI_Isend(bytes, n, MPI_BYTE, rank, label, t->comm, out)
                             : MPI_Irecv(bytes, n, MPI_BYTE, rank, label, t->comm, out);
}

/* A message that did not begin ends at once, and its code is the transfer's. */
static gb_status begin_transfer(gb_team *team, const gb_transfer *transfer, void **pending, gb_error *err)
{
    gb_status st;
    mpi_team *t = mpi_team_of(team);
    gb_mpi_flight *flight = NULL;
    const size_t piece = t->world->piece, n_pieces = (transfer->n_bytes + piece - 1) / piece;
    GB_TRY(gb_alloc(&flight, 1, sizeof *flight, "a transfer", err));
    flight->code = MPI_SUCCESS;
    GB_TRY(gb_alloc(&flight->request, n_pieces, sizeof *flight->request, "a transfer", err));
    for (size_t at = 0; flight->code == MPI_SUCCESS && at < transfer->n_bytes; at += piece) {
        flight->code = begin_message(t, transfer, (char *)transfer->bytes + at, next_piece(t, transfer->n_bytes - at),
                                     &flight->request[flight->n_requests]);
        flight->n_requests += flight->code == MPI_SUCCESS;
    }
    gb_mpi_mover_add(t->world->mover, flight);
    *pending = flight;
    flight = NULL;
done:
    free_flight(flight);
    return st;
}

static gb_status end_transfer(gb_team *team, void *pending, gb_error *err)
{
    gb_mpi_flight *flight = pending;
    const int code = gb_mpi_mover_finish(mpi_team_of(team)->world->mover, flight);
    free_flight(flight);
    return gb_mpi_check(code, "a transfer", err);
}

/* ---- the team itself ------------------------------------------------------------------------------- */

static gb_status split(gb_team *team, size_t part, gb_team **out, gb_error *err)
{
    mpi_team *t = mpi_team_of(team);
    MPI_Comm comm = MPI_COMM_NULL;
    if (part > INT_MAX)
        return gb_fail(err, GB_EARGUMENT, "no part %zu: parts are numbered up to %d", part, INT_MAX);
    const gb_status st =
        gb_mpi_check(MPI_Comm_split(t->comm, (int)part, (int)team->rank, &comm), "MPI_Comm_split", err);
    return st == GB_OK ? gb_mpi_team_create(t->world, comm, out, err) : st;
}

/* The processes end here, so nobody else can tell what was wrong.  Some launchers lose what they have not passed on by then. */
static void abort_all(gb_team *team, const char *message)
{
    const struct timespec while_it_is_passed_on = {0, 300000000};
    int rank = (int)team->rank; /* of all processes */
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)fprintf(stderr, "gibbous: rank %d: %s\n", rank, message);
    (void)fflush(NULL);
    (void)nanosleep(&while_it_is_passed_on, NULL);
    (void)MPI_Abort(MPI_COMM_WORLD, 1);
    _exit(1);
}

static void free_team(gb_team *team)
{
    mpi_team *t = mpi_team_of(team);
    if (t->last != MPI_COMM_NULL)
        (void)MPI_Comm_free(&t->last);
    (void)MPI_Comm_free(&t->comm);
    gb_mpi_world_release(t->world);
    gb_free(t);
}

static const gb_team_ops ops = {.name = "mpi",
                                .barrier = barrier,
                                .broadcast = broadcast,
                                .gather = gather,
                                .sum = sum,
                                .begin_transfer = begin_transfer,
                                .end_transfer = end_transfer,
                                .split = split,
                                .lowest = lowest,
                                .abort = abort_all,
                                .free = free_team};

gb_status gb_mpi_team_create(gb_mpi_world *world, MPI_Comm comm, gb_team **out, gb_error *err)
{
    mpi_team *t = NULL;
    int rank, size;
    gb_status st = gb_alloc(&t, 1, sizeof *t, "a team", err);
    if (st != GB_OK) {
        (void)MPI_Comm_free(&comm);
        return st;
    }
    *t = (mpi_team){.team.ops = &ops, .world = world, .comm = comm, .last = MPI_COMM_NULL};
    world->n_holders++;
    GB_TRY(gb_mpi_check(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler", err));
    GB_TRY(gb_mpi_check(MPI_Comm_dup(comm, &t->last), "MPI_Comm_dup", err)); /* with its error handler */
    GB_TRY(gb_mpi_check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank", err));
    GB_TRY(gb_mpi_check(MPI_Comm_size(comm, &size), "MPI_Comm_size", err));
    t->team.rank = (size_t)rank;
    t->team.size = (size_t)size;
    *out = &t->team;
    t = NULL;
done:
    if (t != NULL)
        free_team(&t->team);
    return st;
}
