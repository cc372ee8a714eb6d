/* team/team.c - what all ways to reach other ranks have in common. */
#include "team/team.h"

#include "base/memory.h"

#include <string.h>

enum { ROWS_AT_ONCE = 4 << 20 }; /* bytes of other ranks' rows */

gb_status gb_team_barrier(gb_team *team, gb_error *err)
{
    return team == NULL ? GB_OK : team->ops->barrier(team, err);
}

gb_status gb_team_broadcast(gb_team *team, size_t from, void *bytes, size_t n_bytes, gb_error *err)
{
    if (team == NULL || n_bytes == 0)
        return GB_OK;
    if (team->rank == from)
        team->bytes_sent += n_bytes;
    return team->ops->broadcast(team, from, bytes, n_bytes, err);
}

gb_status gb_team_sum(gb_team *team, int64_t *value, size_t n, gb_error *err)
{
    if (team == NULL || n == 0)
        return GB_OK;
    team->bytes_sent += n * sizeof *value;
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

/* ---- lists ---- */

static gb_status gather(gb_team *team, void *bytes, const uint64_t *start, gb_error *err)
{
    team->bytes_sent += start[team->rank + 1] - start[team->rank];
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

/* ---- sums of doubles ---- */

static void add(size_t n, size_t width, size_t stride, const double *row, double *sum)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < width; j++)
            sum[j] += row[i * stride + j];
}

/* Columns first .. first + n_columns - 1 of everybody's rows. */
static gb_status add_columns(gb_team *team, const uint64_t *start, size_t width, size_t first, size_t n_columns,
                             const double *row, double *all, double *sum, gb_error *err)
{
    const uint64_t own = start[team->rank], n = start[team->rank + 1] - own;
    for (size_t i = 0; i < n; i++)
        memcpy(all + (own + i) * n_columns, row + i * width + first, n_columns * sizeof *all);
    const gb_status st = gb_team_gather(team, all, n_columns * sizeof *all, start, err);
    if (st == GB_OK)
        add(start[team->size], n_columns, n_columns, all, sum + first);
    return st;
}

gb_status gb_team_add_rows(gb_team *team, size_t n, size_t width, const double *row, double *sum, gb_error *err)
{
    gb_status st = GB_OK;
    uint64_t *start = NULL;
    double *all = NULL;
    for (size_t j = 0; j < width; j++)
        sum[j] = 0;
    if (team == NULL) {
        add(n, width, width, row, sum);
        return st;
    }
    const char *what = "sums over ranks";
    GB_TRY(gb_alloc(&start, team->size + 1, sizeof *start, what, err));
    GB_TRY(gb_team_starts(team, n, start, err));
    const uint64_t n_all = start[team->size];
    if (n_all == 0 || width == 0)
        goto done;
    const uint64_t fit = ROWS_AT_ONCE / sizeof *all / n_all;
    const size_t at_once = fit == 0 ? 1 : fit < width ? (size_t)fit : width;
    GB_TRY(gb_alloc(&all, n_all * at_once, sizeof *all, what, err));
    for (size_t first = 0; first < width; first += at_once)
        GB_TRY(add_columns(team, start, width, first, width - first < at_once ? width - first : at_once, row, all,
                           sum, err));
done:
    gb_free(start);
    gb_free(all);
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
