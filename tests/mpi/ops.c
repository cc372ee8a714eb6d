/* tests/mpi/ops.c - every call of a team between the ranks that mpirun has started.
 *
 *   ops calls PIECE LARGEST   all calls, with messages up to LARGEST bytes, sent in pieces of PIECE bytes (0: as the program does)
 *   ops abort RANK            that rank ends all while the others wait
 *   ops leave RANK            that rank fails, and the others go on
 *   ops leave all             all ranks fail
 *   ops kill RANK             that rank is killed while the others wait
 *   ops overlap BYTES         how long a transfer, some computing, and both at once take; rank 0 prints seconds
 *
 * Prints what is wrong, and exits with status 1 then. */
#include "base/memory.h"
#include "team/module.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int n_wrong = 0;

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define EXPECT(condition)                                                                                            \
    do {                                                                                                             \
        if (!(condition)) {                                                                                          \
            (void)fprintf(stderr, "rank %zu: line %d: not so: %s\n", gb_team_rank(team), __LINE__, #condition);      \
            n_wrong++;                                                                                               \
        }                                                                                                            \
    } while (0)

/* A call that fails ends all: the ranks are not in step any more. */
static void must(gb_team *team, gb_status st, const gb_error *err)
{
    if (st != GB_OK) {
        gb_team_abort(team, err->message);
        (void)fprintf(stderr, "%s\n", err->message);
        exit(1);
    }
}

#define MUST(call) must(team, (call), &err)

static unsigned char byte_of(size_t rank, size_t label, size_t i)
{
    return (unsigned char)((rank + 1) * 37 + label * 11 + i * 7 + i / 251);
}

static unsigned char *bytes_of(gb_team *team, size_t rank, size_t label, size_t n)
{
    gb_error err;
    unsigned char *bytes = NULL;
    MUST(gb_alloc(&bytes, n + 1, 1, "a test", &err));
    for (size_t i = 0; i < n; i++)
        bytes[i] = byte_of(rank, label, i);
    return bytes;
}

static bool are_bytes_of(const unsigned char *bytes, size_t rank, size_t label, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != byte_of(rank, label, i))
            return false;
    return true;
}

/* ---- calls ----------------------------------------------------------------------------------------- */

static void broadcasts_bring_the_same_bytes(gb_team *team, size_t n)
{
    gb_error err;
    for (size_t from = 0; from < gb_team_size(team); from++) {
        unsigned char *bytes = bytes_of(team, gb_team_rank(team), 0, n);
        MUST(gb_team_broadcast(team, from, bytes, n, &err));
        EXPECT(are_bytes_of(bytes, from, 0, n));
        gb_free(bytes);
    }
}

static void sums_are_over_all_ranks(gb_team *team, size_t n)
{
    gb_error err;
    const int64_t size = (int64_t)gb_team_size(team), rank = (int64_t)gb_team_rank(team), base = INT64_C(1) << 40;
    int64_t *value = NULL;
    MUST(gb_alloc(&value, n + 1, sizeof *value, "a test", &err));
    for (size_t i = 0; i < n; i++)
        value[i] = base * rank - (int64_t)i;
    MUST(gb_team_sum(team, value, n, &err));
    size_t n_right = 0;
    for (size_t i = 0; i < n; i++)
        n_right += value[i] == base * (size * (size - 1) / 2) - size * (int64_t)i;
    EXPECT(n_right == n);
    gb_free(value);
}

static void one_rank_is_enough_for_any(gb_team *team)
{
    gb_error err;
    bool says_so = gb_team_rank(team) + 1 == gb_team_size(team);
    MUST(gb_team_any(team, &says_so, &err));
    EXPECT(says_so);
    says_so = false;
    MUST(gb_team_any(team, &says_so, &err));
    EXPECT(!says_so);
}

/* Rank 0 has nothing, the others have less and less. */
static void lists_are_put_together_in_order(gb_team *team, size_t n)
{
    gb_error err;
    uint64_t *start = NULL;
    const size_t size = gb_team_size(team), rank = gb_team_rank(team);
    MUST(gb_alloc(&start, size + 1, sizeof *start, "a test", &err));
    MUST(gb_team_starts(team, rank == 0 ? 0 : n / rank, start, &err));
    EXPECT(start[size] == start[size - 1] + (size == 1 ? 0 : n / (size - 1)));
    unsigned char *list = NULL;
    MUST(gb_alloc(&list, start[size] + 1, 1, "a test", &err));
    for (size_t i = 0; i < start[rank + 1] - start[rank]; i++)
        list[start[rank] + i] = byte_of(rank, 0, i);
    MUST(gb_team_gather(team, list, 1, start, &err));
    for (size_t r = 0; r < size; r++)
        EXPECT(are_bytes_of(list + start[r], r, 0, start[r + 1] - start[r]));
    gb_free(list);
    gb_free(start);
}

/* Row i of all: numbers whose sum depends on their order. */
static double number_of(size_t row, size_t column)
{
    return sin((double)(row * 31 + column)) * pow(10, (double)(row % 17));
}

static void rows_are_added_in_order(gb_team *team, size_t n_rows, size_t width)
{
    gb_error err;
    double *row = NULL, *sum = NULL;
    uint64_t *start = NULL;
    const size_t size = gb_team_size(team), rank = gb_team_rank(team), n = n_rows + rank;
    MUST(gb_alloc(&start, size + 1, sizeof *start, "a test", &err));
    MUST(gb_team_starts(team, n, start, &err));
    MUST(gb_alloc(&row, n * width + 1, sizeof *row, "a test", &err));
    MUST(gb_alloc(&sum, width + 1, sizeof *sum, "a test", &err));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < width; j++)
            row[i * width + j] = number_of(start[rank] + i, j);
    MUST(gb_team_add_rows(team, n, width, row, sum, &err));
    size_t n_right = 0;
    for (size_t j = 0; j < width; j++) {
        double expected = 0;
        for (size_t i = 0; i < start[size]; i++)
            expected += number_of(i, j);
        n_right += memcmp(&expected, &sum[j], sizeof expected) == 0;
    }
    EXPECT(n_right == width);
    gb_free(row);
    gb_free(sum);
    gb_free(start);
}

enum { N_LABELS = 3 };

/* Several transfers each way at once, begun and ended in different orders. */
static void transfers_go_round(gb_team *team, size_t n)
{
    gb_error err;
    const size_t size = gb_team_size(team), rank = gb_team_rank(team);
    const size_t next = (rank + 1) % size, last = (rank + size - 1) % size;
    unsigned char *sent[N_LABELS], *received[N_LABELS];
    void *sending[N_LABELS], *receiving[N_LABELS];
    for (uint32_t l = 0; l < N_LABELS; l++) {
        sent[l] = bytes_of(team, rank, l, n);
        gb_transfer transfer = {.rank = next, .label = 100 + l, .bytes = sent[l], .n_bytes = n, .is_sent = true};
        MUST(gb_team_begin_transfer(team, &transfer, &sending[l], &err));
    }
    for (uint32_t l = N_LABELS; l-- > 0;) {
        received[l] = bytes_of(team, rank, 99, n);
        gb_transfer transfer = {.rank = last, .label = 100 + l, .bytes = received[l], .n_bytes = n};
        MUST(gb_team_begin_transfer(team, &transfer, &receiving[l], &err));
    }
    sums_are_over_all_ranks(team, 10); /* other calls in between */
    for (size_t l = 0; l < N_LABELS; l++) {
        MUST(gb_team_end_transfer(team, receiving[l], &err));
        EXPECT(are_bytes_of(received[l], last, l, n));
    }
    for (size_t l = 0; l < N_LABELS; l++) {
        MUST(gb_team_end_transfer(team, sending[l], &err));
        EXPECT(are_bytes_of(sent[l], rank, l, n));
        gb_free(sent[l]);
        gb_free(received[l]);
    }
}

static void parts_work_by_themselves(gb_team *team)
{
    gb_error err;
    gb_team *part = NULL;
    const size_t size = gb_team_size(team), rank = gb_team_rank(team), n_there = (size + 1 - rank % 2) / 2;
    MUST(gb_team_split(team, rank % 2, &part, &err));
    EXPECT(gb_team_size(part) == n_there);
    EXPECT(gb_team_rank(part) == rank / 2);
    for (size_t i = 0; i < 3 + rank % 2; i++) { /* not in step with the other part */
        sums_are_over_all_ranks(part, 5);
        lists_are_put_together_in_order(part, 1000);
        if (part != NULL)
            transfers_go_round(part, 5000);
    }
    gb_team_free(part);
    MUST(gb_team_barrier(team, &err));
}

static void try_all_calls(gb_team *team, size_t piece, size_t largest)
{
    gb_error err;
    const size_t sizes[] = {0, 1, 2, 1000, piece - (piece > 0), piece, piece + 1, 3 * piece + 5, largest};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (sizes[i] > largest)
            continue;
        MUST(gb_team_barrier(team, &err));
        broadcasts_bring_the_same_bytes(team, sizes[i]);
        sums_are_over_all_ranks(team, sizes[i] / 8);
        lists_are_put_together_in_order(team, sizes[i]);
        transfers_go_round(team, sizes[i]);
    }
    one_rank_is_enough_for_any(team);
    rows_are_added_in_order(team, 0, 3);
    rows_are_added_in_order(team, 5, 1);
    rows_are_added_in_order(team, 40, 1000);
    parts_work_by_themselves(team);
    transfers_go_round(team, 1000); /* after other teams are gone */
}

/* ---- overlap --------------------------------------------------------------------------------------- */

static double compute(size_t n)
{
    volatile double x = 1; /* not to be moved out of what is timed */
    for (size_t i = 0; i < n; i++)
        x = x * 0.999999 + 1e-6;
    return x;
}

/* Swap n bytes with the next rank while computing; returns the seconds from begin to end. */
static double swap(gb_team *team, unsigned char *sent, unsigned char *received, size_t n, size_t work, double *waited)
{
    gb_error err;
    void *sending = NULL, *receiving = NULL;
    const size_t size = gb_team_size(team), rank = gb_team_rank(team);
    gb_transfer out = {.rank = (rank + 1) % size, .label = 1, .bytes = sent, .n_bytes = n, .is_sent = true};
    gb_transfer in = {.rank = (rank + size - 1) % size, .label = 1, .bytes = received, .n_bytes = n};
    MUST(gb_team_barrier(team, &err));
    const double since = now();
    if (n > 0) {
        MUST(gb_team_begin_transfer(team, &in, &receiving, &err));
        MUST(gb_team_begin_transfer(team, &out, &sending, &err));
    }
    (void)compute(work);
    const double computed = now();
    MUST(gb_team_end_transfer(team, receiving, &err));
    MUST(gb_team_end_transfer(team, sending, &err));
    *waited = now() - computed;
    return now() - since;
}

static void measure_overlap(gb_team *team, size_t n)
{
    unsigned char *sent = bytes_of(team, 0, 0, n), *received = bytes_of(team, 1, 1, n);
    double waited, alone = INFINITY, computing = INFINITY, both = INFINITY, least_waited = INFINITY;
    for (int i = 0; i < 5; i++)
        alone = fmin(alone, swap(team, sent, received, n, 0, &waited));
    const double one = swap(team, sent, received, 0, 10000000, &waited);
    const size_t work = (size_t)(1e7 * 5 * alone / one);
    for (int i = 0; i < 5; i++) {
        computing = fmin(computing, swap(team, sent, received, 0, work, &waited));
        const double t = swap(team, sent, received, n, work, &waited);
        if (t < both) {
            both = t;
            least_waited = waited;
        }
    }
    if (gb_team_rank(team) == 0)
        (void)printf("transfer %.6f computing %.6f both %.6f waited %.6f\n", alone, computing, both, least_waited);
    gb_free(sent);
    gb_free(received);
}

/* ---- endings --------------------------------------------------------------------------------------- */

static gb_status end_badly(gb_team *team, const char *how, const char *who, gb_error *err)
{
    const bool is_this = strcmp(who, "all") == 0 || strtoul(who, NULL, 10) == gb_team_rank(team);
    if (!is_this)
        return gb_team_barrier(team, err);
    if (strcmp(how, "abort") == 0)
        gb_team_abort(team, "the test says so");
    if (strcmp(how, "kill") == 0)
        (void)raise(SIGKILL);
    return gb_fail(err, GB_EFORMAT, "the test fails");
}

int main(int argc, char **argv)
{
    gb_error err = {0};
    gb_team *team = NULL;
    const char *what = argc > 2 ? argv[1] : "";
    const bool is_run = strcmp(what, "calls") == 0 && argc == 4;
    const size_t number = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    gb_status st = gb_team_open_in_pieces(is_run ? number : 0, &team, &err);
    if (st != GB_OK) {
        (void)fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    if (is_run)
        try_all_calls(team, number, strtoul(argv[3], NULL, 10));
    else if (strcmp(what, "overlap") == 0)
        measure_overlap(team, number);
    else
        st = end_badly(team, what, argc > 2 ? argv[2] : "all", &err);
    if (n_wrong > 0)
        st = gb_fail(&err, GB_EFORMAT, "%d wrong", n_wrong);
    if (gb_team_leave(team, st, err.message) && st != GB_OK)
        (void)fprintf(stderr, "rank %zu tells: %s\n", gb_team_rank(team), err.message);
    gb_team_free(team);
    return st == GB_OK ? 0 : 1;
}
