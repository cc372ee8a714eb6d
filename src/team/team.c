/* team/team.c - what all ways to reach other ranks have in common.
 *
 * Sums of doubles in the order of ranks.  Few rows go to all ranks, and each adds them: together with their number, in one call, if
 * no rank has more of them than the time before.  Otherwise the sums go from rank to
 * rank, and each adds its own rows: 2 (size - 1) times the sums cross the network, whatever the number of rows.  They go in
 * slices, so that ranks add different slices at the same time.  The last rank gives the sums to all. */
#include "team/team.h"

#include "base/memory.h"

#include <string.h>

enum {
    BYTES_FOR_ALL = 16 << 10, /* of rows, by ranks; about what a network carries in the time of one more step */
    SLICE = 1 << 15,          /* sums that are passed on at once */
    LABEL = GB_TEAM_LABELS,
    PATIENCE = 3 /* seconds that a rank which failed waits for the others to leave */
};

gb_status gb_team_barrier(gb_team *team, gb_error *err)
{
    return team == NULL ? GB_OK : team->ops->barrier(team, err);
}

gb_status gb_team_broadcast(gb_team *team, size_t from, void *bytes, size_t n_bytes, gb_error *err)
{
    if (team == NULL || n_bytes == 0)
        return GB_OK;
    if (team->rank == from)
        team->bytes_sent += n_bytes * (team->size - 1);
    return team->ops->broadcast(team, from, bytes, n_bytes, err);
}

gb_status gb_team_sum(gb_team *team, int64_t *value, size_t n, gb_error *err)
{
    if (team == NULL || n == 0)
        return GB_OK;
    team->bytes_sent += 2 * n * sizeof *value * (team->size - 1) / team->size;
    return team->ops->sum(team, value, n, err);
}

gb_status gb_team_any(gb_team *team, bool *says_so, gb_error *err)
{
    int64_t n = *says_so;
    const gb_status st = gb_team_sum(team, &n, 1, err);
    if (st == GB_OK)
        *says_so = n > 0;
    return st;
}

gb_status gb_team_agree_to_stop(gb_team *team, gb_status st, gb_error *err)
{
    bool stops = st == GB_ESTOP;
    if (team == NULL || (st != GB_OK && !stops))
        return st;
    const gb_status asked = gb_team_any(team, &stops, err);
    if (asked != GB_OK)
        return asked;
    return stops && st == GB_OK ? gb_fail(err, GB_ESTOP, "stopped") : st;
}

/* ---- lists ---- */

static gb_status gather(gb_team *team, void *bytes, const uint64_t *start, gb_error *err)
{
    team->bytes_sent += (start[team->rank + 1] - start[team->rank]) * (team->size - 1);
    return team->ops->gather(team, bytes, start, err);
}

gb_status gb_team_starts(gb_team *team, uint64_t n, uint64_t *start, gb_error *err)
{
    const size_t size = gb_team_size(team), rank = gb_team_rank(team);
    gb_status st = GB_OK;
    start[0] = 0;
    start[rank + 1] = n;
    if (team != NULL) {
        uint64_t *at = NULL;
        GB_TRY(gb_alloc(&at, size + 1, sizeof *at, "a list of all ranks", err));
        for (size_t r = 0; r <= size; r++)
            at[r] = r * sizeof *start;
        st = gather(team, start + 1, at, err);
        gb_free(at);
    }
    for (size_t r = 0; st == GB_OK && r < size; r++)
        start[r + 1] += start[r];
done:
    return st;
}

gb_status gb_team_gather(gb_team *team, void *list, size_t size, const uint64_t *start, gb_error *err)
{
    gb_status st;
    uint64_t *at = NULL;
    if (team == NULL || start[team->size] == 0)
        return GB_OK;
    GB_TRY(gb_alloc(&at, team->size + 1, sizeof *at, "a list of all ranks", err));
    for (size_t r = 0; r <= team->size; r++)
        at[r] = start[r] * size;
    GB_TRY(gather(team, list, at, err));
done:
    gb_free(at);
    return st;
}

/* ---- transfers ---- */

gb_status gb_team_begin_transfer(gb_team *team, const gb_transfer *transfer, void **pending, gb_error *err)
{
    *pending = NULL;
    if (transfer->is_sent)
        team->bytes_sent += transfer->n_bytes;
    return team->ops->begin_transfer(team, transfer, pending, err);
}

gb_status gb_team_end_transfer(gb_team *team, void *pending, gb_error *err)
{
    return pending == NULL ? GB_OK : team->ops->end_transfer(team, pending, err);
}

gb_status gb_team_pass(gb_team *team, size_t from, size_t to, void *bytes, size_t n_bytes, gb_error *err)
{
    const size_t rank = gb_team_rank(team);
    if (from == to || n_bytes == 0 || (rank != from && rank != to))
        return GB_OK;
    void *pending = NULL;
    const gb_transfer transfer = {.rank = rank == from ? to : from,
                                  .label = LABEL,
                                  .bytes = bytes,
                                  .n_bytes = n_bytes,
                                  .is_sent = rank == from};
    const gb_status st = gb_team_begin_transfer(team, &transfer, &pending, err);
    return st == GB_OK ? gb_team_end_transfer(team, pending, err) : st;
}

/* One after the other: rank 0 has to take them all in anyway. */
gb_status gb_team_collect(gb_team *team, const void *here, void *list, size_t size, const uint64_t *start,
                          gb_error *err)
{
    gb_status st = GB_OK;
    const size_t rank = gb_team_rank(team), n = (size_t)(start[rank + 1] - start[rank]) * size;
    if (rank == 0 && n > 0)
        memcpy(list, here, n);
    for (size_t r = 1; st == GB_OK && r < gb_team_size(team); r++) {
        void *bytes = rank == 0 ? (char *)list + start[r] * size : (void *)(uintptr_t)here;
        st = gb_team_pass(team, r, 0, bytes, (size_t)(start[r + 1] - start[r]) * size, err);
    }
    return st;
}

/* Sums of whole numbers carry nothing where all but one are 0. */
gb_status gb_team_merge(gb_team *team, void *bytes, uint64_t n_bytes, gb_error *err)
{
    enum { AT_ONCE = 1 << 17 };
    gb_status st = GB_OK;
    int64_t *piece = NULL;
    if (team == NULL || n_bytes == 0)
        return st;
    GB_TRY(gb_alloc(&piece, AT_ONCE, sizeof *piece, "bytes of all ranks", err));
    for (uint64_t at = 0; at < n_bytes; at += AT_ONCE * sizeof *piece) {
        const uint64_t left = n_bytes - at;
        const size_t n = left < AT_ONCE * sizeof *piece ? (size_t)left : AT_ONCE * sizeof *piece;
        const size_t n_numbers = (n + sizeof *piece - 1) / sizeof *piece;
        piece[n_numbers - 1] = 0;
        memcpy(piece, (char *)bytes + at, n);
        GB_TRY(gb_team_sum(team, piece, n_numbers, err));
        memcpy((char *)bytes + at, piece, n);
    }
done:
    gb_free(piece);
    return st;
}

/* ---- sums of doubles ---- */

static void add(size_t n, size_t width, size_t stride, const double *row, double *sum)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < width; j++)
            sum[j] += row[i * stride + j];
}

static gb_status add_rows_of_all(gb_team *team, const uint64_t *start, size_t width, const double *row, double *sum,
                                 gb_error *err)
{
    gb_status st;
    double *all = NULL;
    const uint64_t own = start[team->rank], n = start[team->rank + 1] - own, n_all = start[team->size];
    GB_TRY(gb_alloc(&all, n_all * width, sizeof *all, "sums over ranks", err));
    if (n > 0)
        memcpy(all + own * width, row, n * width * sizeof *all);
    GB_TRY(gb_team_gather(team, all, width * sizeof *all, start, err));
    add(n_all, width, width, all, sum);
done:
    gb_free(all);
    return st;
}

/* From the rank before, or to the one after, if there is one. */
static gb_status begin_slice(gb_team *team, bool is_sent, size_t n, double *sum, void **pending, gb_error *err)
{
    if (team->rank == (is_sent ? team->size - 1 : 0))
        return GB_OK;
    const gb_transfer t = {.rank = is_sent ? team->rank + 1 : team->rank - 1,
                           .label = LABEL,
                           .bytes = sum,
                           .n_bytes = n * sizeof *sum,
                           .is_sent = is_sent};
    return gb_team_begin_transfer(team, &t, pending, err);
}

static gb_status end_slice(gb_team *team, void **pending, gb_error *err)
{
    void *p = *pending;
    *pending = NULL;
    return gb_team_end_transfer(team, p, err);
}

static size_t slice_size(size_t width, size_t first)
{
    return width - first < SLICE ? width - first : SLICE;
}

static gb_status add_and_pass_on(gb_team *team, size_t n, size_t width, const double *row, double *sum, gb_error *err)
{
    gb_status st;
    void *coming = NULL, *going = NULL;
    GB_TRY(begin_slice(team, false, slice_size(width, 0), sum, &coming, err));
    for (size_t first = 0, next; first < width; first = next) {
        const size_t size = slice_size(width, first);
        next = first + size;
        GB_TRY(end_slice(team, &coming, err));
        if (next < width)
            GB_TRY(begin_slice(team, false, slice_size(width, next), sum + next, &coming, err));
        if (n > 0)
            add(n, size, width, row + first, sum + first);
        GB_TRY(end_slice(team, &going, err));
        GB_TRY(begin_slice(team, true, size, sum + first, &going, err));
    }
    GB_TRY(end_slice(team, &going, err));
done:
    if (st != GB_OK) {
        (void)end_slice(team, &coming, NULL);
        (void)end_slice(team, &going, NULL);
    }
    return st;
}

/* What each rank says first: how many rows it has, and the rows, if they are at most `n_rows`. */
typedef struct opening {
    size_t n_rows, size; /* size: doubles of a rank */
    double *of;          /* ranks */
    uint64_t *start;     /* of the rows; and before that is known, of the ranks' sizes */
} opening;

static uint64_t rows_of(const opening *o, size_t rank)
{
    uint64_t n;
    memcpy(&n, o->of + rank * o->size, sizeof n);
    return n;
}

static gb_status say_rows(gb_team *team, size_t n, size_t width, const double *row, opening *o, gb_error *err)
{
    gb_status st;
    const uint64_t n_rows = n;
    o->n_rows = team->most_rows <= BYTES_FOR_ALL / sizeof *row / width ? (size_t)team->most_rows : 0;
    o->size = 1 + o->n_rows * width;
    GB_TRY(gb_alloc(&o->of, team->size * o->size, sizeof *o->of, "sums over ranks", err));
    GB_TRY(gb_alloc(&o->start, team->size + 1, sizeof *o->start, "sums over ranks", err));
    for (size_t r = 0; r <= team->size; r++)
        o->start[r] = r * o->size;
    double *own = o->of + team->rank * o->size;
    memcpy(own, &n_rows, sizeof n_rows);
    if (n > 0 && n <= o->n_rows)
        memcpy(own + 1, row, n * width * sizeof *row);
    GB_TRY(gb_team_gather(team, o->of, sizeof *o->of, o->start, err));
    team->most_rows = 0;
    for (size_t r = 0; r < team->size; r++) {
        o->start[r + 1] = o->start[r] + rows_of(o, r);
        team->most_rows = rows_of(o, r) > team->most_rows ? rows_of(o, r) : team->most_rows;
    }
done:
    return st;
}

gb_status gb_team_add_rows(gb_team *team, size_t n, size_t width, const double *row, double *sum, gb_error *err)
{
    gb_status st = GB_OK;
    opening o = {.of = NULL};
    for (size_t j = 0; j < width; j++)
        sum[j] = 0;
    if (team == NULL)
        add(n, width, width, row, sum);
    if (team == NULL || width == 0)
        return GB_OK;
    GB_TRY(say_rows(team, n, width, row, &o, err));
    if (team->most_rows <= o.n_rows)
        for (size_t r = 0; r < team->size; r++)
            add((size_t)rows_of(&o, r), width, width, o.of + r * o.size + 1, sum);
    else if (o.start[team->size] <= BYTES_FOR_ALL / sizeof *sum * team->size / width)
        GB_TRY(add_rows_of_all(team, o.start, width, row, sum, err));
    else {
        GB_TRY(add_and_pass_on(team, n, width, row, sum, err));
        GB_TRY(gb_team_broadcast(team, team->size - 1, sum, width * sizeof *sum, err));
    }
done:
    gb_free(o.of);
    gb_free(o.start);
    return st;
}

/* ---- the team itself ---- */

gb_status gb_team_split(gb_team *team, size_t part, gb_team **out, gb_error *err)
{
    *out = NULL;
    if (team == NULL)
        return GB_OK;
    const gb_status st = team->ops->split(team, part, out, err);
    if (st == GB_OK && (*out)->size == 1) {
        gb_team_free(*out);
        *out = NULL;
    }
    return st;
}

size_t gb_team_rank(const gb_team *team)
{
    return team == NULL ? 0 : team->rank;
}

size_t gb_team_size(const gb_team *team)
{
    return team == NULL ? 1 : team->size;
}

/* What a rank asks the others with: the lowest one is the number of the rank that tells the user. */
static int64_t place_to_tell(const gb_team *team, gb_status status)
{
    const size_t behind = status == GB_OK ? 2 : status == GB_ERANK ? 1 : 0;
    return (int64_t)(behind * team->size + team->rank);
}

bool gb_team_leave(gb_team *team, gb_status status, const char *message)
{
    if (team == NULL || team->ops->lowest == NULL)
        return true;
    const int64_t own = place_to_tell(team, status);
    int64_t first = own;
    if (team->ops->lowest(team, &first, status == GB_OK ? 0 : PATIENCE, NULL) != GB_OK)
        gb_team_abort(team, message == NULL ? gb_status_text(status) : message);
    return first == own;
}

void gb_team_abort(gb_team *team, const char *message)
{
    if (team != NULL)
        team->ops->abort(team, message);
}

void gb_team_free(gb_team *team)
{
    if (team != NULL)
        team->ops->free(team);
}
