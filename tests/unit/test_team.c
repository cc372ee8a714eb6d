/* Teams of ranks: every call gives what it promises, sums have the same bits however rows are dealt out, and a rank that fails
 * is no reason to hang. */
#include "fake_team.h"
#include "helper_stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_RANKS = 7, N_SEEDS = 4, LONGEST_DELAY = 20 };

static const size_t N_RANKS[] = {1, 2, 3, 4, MOST_RANKS};

/* What ranks find; each writes its own. */
typedef struct finding {
    gb_status status[MOST_RANKS];
    gb_error error[MOST_RANKS];
    size_t n_wrong[MOST_RANKS];
} finding;

typedef gb_status program_fn(gb_team *team, size_t *n_wrong, gb_error *err);

typedef struct play {
    program_fn *program;
    finding found;
} play;

static void run_program(gb_team *team, void *context)
{
    play *p = context;
    const size_t r = gb_team_rank(team);
    p->found.status[r] = p->program(team, &p->found.n_wrong[r], &p->found.error[r]);
}

static fake_report run_play(size_t n_ranks, const fake_trouble *trouble, program_fn *program, finding *found)
{
    play p = {.program = program};
    const fake_report report = fake_team_run(n_ranks, trouble, run_program, &p);
    *found = p.found;
    return report;
}

static void assert_right(size_t n_ranks, const fake_trouble *trouble, program_fn *program)
{
    finding f;
    const fake_report report = run_play(n_ranks, trouble, program, &f);
    assert_string_equal(report.error.message, "");
    assert_int_equal(report.n_open, 0);
    for (size_t r = 0; r < n_ranks; r++) {
        assert_int_equal(f.status[r], GB_OK);
        assert_int_equal(f.n_wrong[r], 0);
    }
}

static void assert_right_on_any_number(program_fn *program)
{
    for (size_t i = 0; i < sizeof N_RANKS / sizeof *N_RANKS; i++) {
        assert_right(N_RANKS[i], NULL, program);
        for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
            const fake_trouble t = {.seed = seed, .longest_delay = LONGEST_DELAY, .reorders = true};
            assert_right(N_RANKS[i], &t, program);
        }
    }
}

/* ---- each call ---- */

static gb_status broadcasts(gb_team *team, size_t *n_wrong, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t from = 0; from < gb_team_size(team); from++) {
        uint32_t value[3] = {0};
        if (gb_team_rank(team) == from)
            for (uint32_t i = 0; i < 3; i++)
                value[i] = (uint32_t)from * 10 + i;
        GB_TRY(gb_team_broadcast(team, from, value, sizeof value, err));
        GB_TRY(gb_team_broadcast(team, from, NULL, 0, err));
        for (uint32_t i = 0; i < 3; i++)
            *n_wrong += value[i] != from * 10 + i;
    }
done:
    return st;
}

static void a_broadcast_reaches_all(void **state)
{
    (void)state;
    assert_right_on_any_number(broadcasts);
}

static gb_status sums(gb_team *team, size_t *n_wrong, gb_error *err)
{
    gb_status st;
    const int64_t n = (int64_t)gb_team_size(team), r = (int64_t)gb_team_rank(team);
    int64_t value[3] = {r, -1, INT64_C(1) << (50 + r)};
    GB_TRY(gb_team_sum(team, value, 3, err));
    GB_TRY(gb_team_sum(team, NULL, 0, err));
    *n_wrong += value[0] != n * (n - 1) / 2;
    *n_wrong += value[1] != -n;
    *n_wrong += value[2] != (INT64_C(1) << (50 + n)) - (INT64_C(1) << 50);
done:
    return st;
}

static void a_sum_is_of_all(void **state)
{
    (void)state;
    assert_right_on_any_number(sums);
}

static gb_status asks(gb_team *team, size_t *n_wrong, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t who = 0; who <= gb_team_size(team); who++) {
        bool says_so = gb_team_rank(team) == who;
        GB_TRY(gb_team_any(team, &says_so, err));
        *n_wrong += says_so != (who < gb_team_size(team));
    }
done:
    return st;
}

static void one_rank_that_says_so_is_enough(void **state)
{
    (void)state;
    assert_right_on_any_number(asks);
}

/* Rank r has share(r) of a list: 3, 0, 2, 1, 0, 3, 2. */
static uint64_t share(size_t rank)
{
    return (3 + 4 * rank) % 5 % 4 * (rank != 1);
}

/* One element of three bytes is its place in the list. */
static bool is_at_place(const unsigned char *element, uint64_t place)
{
    return element[0] == place && element[1] == 0 && element[2] == 100 + place;
}

static gb_status gathers_list(gb_team *team, uint64_t (*share_of)(size_t rank), size_t *n_wrong, gb_error *err)
{
    gb_status st;
    uint64_t start[MOST_RANKS + 1];
    unsigned char list[MOST_RANKS * 4][3] = {{0}};
    const size_t r = gb_team_rank(team);
    GB_TRY(gb_team_starts(team, share_of(r), start, err));
    *n_wrong += start[0] != 0;
    for (size_t q = 0; q < gb_team_size(team); q++)
        *n_wrong += start[q + 1] - start[q] != share_of(q);
    for (uint64_t i = start[r]; i < start[r + 1]; i++) {
        list[i][0] = (unsigned char)i;
        list[i][2] = (unsigned char)(100 + i);
    }
    GB_TRY(gb_team_gather(team, list, 3, start, err));
    for (uint64_t i = 0; i < start[gb_team_size(team)]; i++)
        *n_wrong += !is_at_place(list[i], i);
done:
    return st;
}

static uint64_t nothing(size_t rank)
{
    (void)rank;
    return 0;
}

static uint64_t only_the_first(size_t rank)
{
    return rank == 0 ? 2 : 0;
}

static gb_status gathers(gb_team *team, size_t *n_wrong, gb_error *err)
{
    gb_status st;
    GB_TRY(gathers_list(team, share, n_wrong, err));
    GB_TRY(gathers_list(team, nothing, n_wrong, err));
    GB_TRY(gathers_list(team, only_the_first, n_wrong, err));
done:
    return st;
}

static void a_list_is_put_together_in_the_order_of_ranks(void **state)
{
    (void)state;
    assert_right_on_any_number(gathers);
}

static gb_status passes_barriers(gb_team *team, size_t *n_wrong, gb_error *err)
{
    gb_status st = GB_OK;
    (void)n_wrong;
    for (size_t i = 0; i < 10; i++)
        GB_TRY(gb_team_barrier(team, err));
done:
    return st;
}

static void all_pass_barriers(void **state)
{
    (void)state;
    assert_right_on_any_number(passes_barriers);
}

/* ---- transfers ---- */

enum { N_STEPS = 5, N_LABELS = 3, N_NUMBERS = 20 };

/* Labels of transfers to the next rank that are under way together. */
typedef struct traffic {
    uint64_t sent[N_LABELS][N_NUMBERS], received[N_LABELS][N_NUMBERS];
    void *pending[2 * N_LABELS];
} traffic;

static uint64_t number(size_t rank, size_t step, size_t label, size_t i)
{
    return ((rank * 100 + step) * 100 + label) * 100 + i;
}

static gb_status end_all(gb_team *team, traffic *t, gb_status st, gb_error *err)
{
    for (size_t i = 0; i < 2 * N_LABELS; i++) {
        const gb_status end = gb_team_end_transfer(team, t->pending[i], st == GB_OK ? err : NULL);
        st = st == GB_OK ? end : st;
        t->pending[i] = NULL;
    }
    return st;
}

static gb_status step_of_ring(gb_team *team, size_t step, traffic *t, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t r = gb_team_rank(team), n = gb_team_size(team);
    for (uint32_t l = 0; l < N_LABELS; l++) {
        for (size_t i = 0; i < N_NUMBERS; i++)
            t->sent[l][i] = number(r, step, l, i);
        const gb_transfer to = {(r + 1) % n, l, t->sent[l], sizeof t->sent[l], true};
        const gb_transfer from = {(r + n - 1) % n, l, t->received[l], sizeof t->received[l], false};
        GB_TRY(gb_team_begin_transfer(team, &to, &t->pending[2 * l], err));
        GB_TRY(gb_team_begin_transfer(team, &from, &t->pending[2 * l + 1], err));
    }
done:
    return end_all(team, t, st, err);
}

static gb_status goes_round(gb_team *team, size_t *n_wrong, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t r = gb_team_rank(team), n = gb_team_size(team);
    if (n == 1)
        return GB_OK;
    traffic t = {.pending = {NULL}};
    for (size_t step = 0; step < N_STEPS; step++) {
        GB_TRY(step_of_ring(team, step, &t, err));
        for (size_t l = 0; l < N_LABELS; l++)
            for (size_t i = 0; i < N_NUMBERS; i++)
                *n_wrong += t.received[l][i] != number((r + n - 1) % n, step, l, i);
    }
done:
    return st;
}

static void transfers_round_a_ring_arrive_by_label(void **state)
{
    (void)state;
    assert_right_on_any_number(goes_round);
}

/* ---- teams of a team ---- */

/* Ranks 0, 3, 6, 1, ... of a team, by rank modulo 3. */
static gb_status splits(gb_team *team, size_t *n_wrong, gb_error *err)
{
    gb_status st;
    gb_team *part = NULL;
    const size_t r = gb_team_rank(team);
    GB_TRY(gb_team_split(team, r % 3, &part, err));
    const size_t n = (gb_team_size(team) - r % 3 + 2) / 3;
    *n_wrong += gb_team_size(part) != n || gb_team_rank(part) != r / 3;
    *n_wrong += n == 1 && part != NULL;
    int64_t total = (int64_t)r;
    GB_TRY(gb_team_sum(part, &total, 1, err));
    *n_wrong += total != (int64_t)(n * (r % 3) + 3 * n * (n - 1) / 2);
    GB_TRY(goes_round(part, n_wrong, err));
    GB_TRY(gathers(part, n_wrong, err));
done:
    gb_team_free(part);
    return st;
}

static void parts_of_a_team_are_teams(void **state)
{
    (void)state;
    assert_right_on_any_number(splits);
}

/* ---- sums of doubles ---- */

/* Rows of all ranks, and how they are dealt out. */
typedef struct rows {
    size_t n, width;
    double *row, *sum; /* of one rank alone */
    unsigned deal;
    size_t n_times; /* that they are added, 0: once; before each but the first, `between` rows of each rank */
    size_t between;
    gb_status status[MOST_RANKS];
    size_t n_wrong[MOST_RANKS];
    uint64_t bytes_sent[MOST_RANKS];
} rows;

/* Where rank r's rows begin: evenly, all with the last rank, with every other rank, all with the first. */
static size_t row_start(const rows *all, size_t r, size_t n_ranks)
{
    switch (all->deal) {
    case 0:
        return all->n * r / n_ranks;
    case 1:
        return r == n_ranks ? all->n : 0;
    case 2:
        return r == n_ranks ? all->n : all->n * (r / 2 * 2) / n_ranks;
    default:
        return r == 0 ? 0 : all->n;
    }
}

static void add_my_rows(gb_team *team, void *context)
{
    rows *all = context;
    const size_t r = gb_team_rank(team), n_ranks = gb_team_size(team);
    const size_t first = row_start(all, r, n_ranks), n = row_start(all, r + 1, n_ranks) - first;
    double *sum = malloc((all->width + 1) * sizeof *sum), other[1], zeros[50] = {0};
    all->status[r] = GB_OK;
    all->n_wrong[r] = 0;
    for (size_t i = 0; i < (all->n_times == 0 ? 1 : all->n_times); i++) {
        if (i > 0 && all->between > 0)
            all->status[r] |= gb_team_add_rows(team, all->between, 1, zeros, other, NULL);
        all->status[r] |=
            gb_team_add_rows(team, n, all->width, n == 0 ? NULL : all->row + first * all->width, sum, NULL);
        all->n_wrong[r] += memcmp(sum, all->sum, all->width * sizeof *sum) != 0;
    }
    all->bytes_sent[r] = team == NULL ? 0 : team->bytes_sent;
    free(sum);
}

/* Of both signs, 1e-20 .. 1e20: another order gives other bits. */
static void make_rows(rows *all, size_t n, size_t width)
{
    uint64_t stream = n * 1000 + width;
    all->n = n;
    all->width = width;
    all->row = calloc(n * width + 1, sizeof *all->row);
    all->sum = calloc(width + 1, sizeof *all->sum);
    for (size_t i = 0; i < n * width; i++)
        all->row[i] = normal(&stream) * pow(10, 40 * uniform(&stream) - 20);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < width; j++)
            all->sum[j] += all->row[i * width + j];
}

static void assert_same_sum(rows *all, size_t n_ranks, const fake_trouble *trouble)
{
    const fake_report report = fake_team_run(n_ranks, trouble, add_my_rows, all);
    assert_string_equal(report.error.message, "");
    assert_int_equal(report.n_open, 0);
    for (size_t r = 0; r < n_ranks; r++) {
        assert_int_equal(all->status[r], GB_OK);
        assert_int_equal(all->n_wrong[r], 0);
    }
}

static void assert_same_sum_however_dealt_out(size_t n, size_t width, unsigned longest_delay)
{
    rows all = {0};
    make_rows(&all, n, width);
    for (size_t i = 0; i < sizeof N_RANKS / sizeof *N_RANKS; i++)
        for (all.deal = 0; all.deal < 4; all.deal++) {
            const fake_trouble t = {.seed = all.deal, .longest_delay = longest_delay, .reorders = true};
            assert_same_sum(&all, N_RANKS[i], &t);
        }
    free(all.row);
    free(all.sum);
}

static void rows_add_up_to_the_same_bits_whoever_has_them(void **state)
{
    (void)state;
    static const size_t N[] = {0, 1, 2, 5, 40}, WIDTH[] = {0, 1, 3, 200};
    for (size_t i = 0; i < sizeof N / sizeof *N; i++)
        for (size_t j = 0; j < sizeof WIDTH / sizeof *WIDTH; j++)
            assert_same_sum_however_dealt_out(N[i], WIDTH[j], LONGEST_DELAY);
}

/* Wider than what is passed on at once, and a little more. */
static void wide_and_many_rows_add_up_to_the_same_bits(void **state)
{
    (void)state;
    assert_same_sum_however_dealt_out(1, 100001, LONGEST_DELAY);
    assert_same_sum_however_dealt_out(9, 100001, LONGEST_DELAY);
    assert_same_sum_however_dealt_out(600000, 2, LONGEST_DELAY);
}

/* The numbers of rows, and the sums once to the last rank and once from it. */
static uint64_t least_traffic(size_t n_ranks, size_t width)
{
    return (n_ranks - 1) * (n_ranks + 2 * width) * sizeof(double);
}

static void many_rows_cost_no_more_traffic_than_their_sum(void **state)
{
    (void)state;
    enum { WIDTH = 70000 };
    rows all = {0};
    make_rows(&all, 24, WIDTH);
    for (size_t i = 1; i < sizeof N_RANKS / sizeof *N_RANKS; i++) {
        uint64_t sent = 0;
        assert_same_sum(&all, N_RANKS[i], NULL);
        for (size_t r = 0; r < N_RANKS[i]; r++)
            sent += all.bytes_sent[r];
        assert_int_equal(sent, least_traffic(N_RANKS[i], WIDTH));
    }
    free(all.row);
    free(all.sum);
}

/* What the last sum needed is what the next one is expected to need. */
static void a_sum_that_comes_again_has_the_same_bits(void **state)
{
    (void)state;
    static const size_t N[] = {0, 1, 5, 40}, BETWEEN[] = {1, 3, 50};
    rows all = {.n_times = 4};
    for (size_t i = 0; i < sizeof N / sizeof *N; i++)
        for (size_t j = 0; j < sizeof BETWEEN / sizeof *BETWEEN; j++) {
            make_rows(&all, N[i], 3);
            all.between = BETWEEN[j];
            for (all.deal = 0; all.deal < 4; all.deal++)
                assert_same_sum(&all, 3, NULL);
            free(all.row);
            free(all.sum);
        }
}

static void a_sum_that_comes_again_takes_one_call(void **state)
{
    (void)state;
    const fake_trouble none = {.seed = 1};
    uint64_t n_calls[2];
    rows all = {0};
    make_rows(&all, 40, 3);
    for (size_t i = 0; i < 2; i++) {
        all.n_times = 1 + 10 * i;
        n_calls[i] = fake_team_run(3, &none, add_my_rows, &all).n_calls;
    }
    assert_int_equal(n_calls[1] - n_calls[0], 10);
    free(all.row);
    free(all.sum);
}

/* ---- failures ---- */

/* Every kind of call; the last is one that nobody passes without all others. */
static gb_status calls_all(gb_team *team, size_t *n_wrong, gb_error *err)
{
    gb_status st;
    double row[3][2] = {{1e20, 1}, {-1e20, 2}, {1, 4}}, sum[2];
    static const double WIDE[70000];
    double wide_sum[70000];
    GB_TRY(broadcasts(team, n_wrong, err));
    GB_TRY(asks(team, n_wrong, err));
    GB_TRY(gathers_list(team, share, n_wrong, err));
    GB_TRY(goes_round(team, n_wrong, err));
    GB_TRY(splits(team, n_wrong, err));
    GB_TRY(gb_team_add_rows(team, gb_team_rank(team) % 4, 2, row[0], sum, err));
    GB_TRY(gb_team_add_rows(team, 1, 70000, WIDE, wide_sum, err));
    GB_TRY(gb_team_barrier(team, err));
done:
    return st;
}

/* Does the trouble come? */
static bool all_fail_with(size_t n_ranks, const fake_trouble *trouble, program_fn *program)
{
    finding f;
    const fake_report report = run_play(n_ranks, trouble, program, &f);
    assert_int_equal(report.n_open, 0);
    if (report.n_calls < trouble->failing_call)
        return false;
    for (size_t r = 0; r < n_ranks; r++) {
        assert_int_equal(f.status[r], GB_ERANK);
        assert_string_equal(f.error[r].message, "a call fails, as it was told to");
        assert_int_equal(f.n_wrong[r], 0);
    }
    return true;
}

static uint64_t assert_all_fail_at_every_call(size_t n_ranks, size_t failing_rank, unsigned longest_delay,
                                              program_fn *program)
{
    fake_trouble t = {.seed = 1, .longest_delay = longest_delay, .reorders = true, .failing_rank = failing_rank};
    do
        t.failing_call++;
    while (all_fail_with(n_ranks, &t, program));
    assert_true(t.failing_call > 1);
    return t.failing_call - 1;
}

static void a_call_that_fails_anywhere_fails_everywhere(void **state)
{
    (void)state;
    for (size_t i = 1; i < sizeof N_RANKS / sizeof *N_RANKS; i++)
        for (size_t r = 0; r < N_RANKS[i]; r += 1 + N_RANKS[i] / 3)
            assert_true(assert_all_fail_at_every_call(N_RANKS[i], r, r % 2 * LONGEST_DELAY, calls_all) > 40);
}

static gb_status leaves_early(gb_team *team, size_t *n_wrong, gb_error *err)
{
    gb_status st;
    GB_TRY(gathers(team, n_wrong, err));
    if (gb_team_rank(team) == 1)
        return GB_ENOMEM;
    GB_TRY(calls_all(team, n_wrong, err));
done:
    return st;
}

static gb_status aborts(gb_team *team, size_t *n_wrong, gb_error *err)
{
    gb_status st;
    gb_team *part = NULL;
    GB_TRY(gb_team_split(team, gb_team_rank(team) / 2, &part, err));
    if (gb_team_rank(team) == 1) {
        gb_team_abort(part, "out of memory on rank 1");
        st = GB_ENOMEM;
    } else
        GB_TRY(calls_all(team, n_wrong, err));
done:
    gb_team_free(part);
    return st;
}

static void assert_others_fail(program_fn *program, const char *why)
{
    for (size_t i = 1; i < sizeof N_RANKS / sizeof *N_RANKS; i++) {
        finding f;
        const fake_trouble t = {.seed = i, .longest_delay = LONGEST_DELAY, .reorders = true};
        const fake_report report = run_play(N_RANKS[i], &t, program, &f);
        assert_int_equal(report.n_open, 0);
        for (size_t r = 0; r < N_RANKS[i]; r++) {
            assert_int_equal(f.status[r], r == 1 ? GB_ENOMEM : GB_ERANK);
            assert_string_equal(f.error[r].message, r == 1 ? "" : why);
        }
    }
}

static void a_rank_that_leaves_is_not_waited_for(void **state)
{
    (void)state;
    assert_others_fail(leaves_early, "all ranks wait for each other, or for one that has left");
}

static void a_rank_that_aborts_is_heard_by_all(void **state)
{
    (void)state;
    assert_others_fail(aborts, "out of memory on rank 1");
}

/* ---- what the fake team tells of wrong programs ---- */

static gb_status is_out_of_step(gb_team *team, size_t *n_wrong, gb_error *err)
{
    (void)n_wrong;
    int64_t n = 1;
    return gb_team_rank(team) == 1 ? gb_team_barrier(team, err) : gb_team_sum(team, &n, 1, err);
}

static gb_status send_to_next(gb_team *team, uint64_t *number, size_t n_bytes, gb_error *err)
{
    void *pending;
    const gb_transfer to = {(gb_team_rank(team) + 1) % gb_team_size(team), 1, number, n_bytes, true};
    const gb_status st = gb_team_begin_transfer(team, &to, &pending, err);
    return st == GB_OK ? gb_team_end_transfer(team, pending, err) : st;
}

static gb_status all_send_first(gb_team *team, size_t *n_wrong, gb_error *err)
{
    (void)n_wrong;
    uint64_t number = 1;
    return send_to_next(team, &number, sizeof number, err);
}

static gb_status differ_in_length(gb_team *team, size_t *n_wrong, gb_error *err)
{
    (void)n_wrong;
    uint64_t number = 1;
    if (gb_team_rank(team) == 0)
        return send_to_next(team, &number, 4, err);
    void *pending;
    gb_status st = GB_OK;
    const gb_transfer from = {0, 1, &number, 8, false};
    if (gb_team_rank(team) == 1) {
        GB_TRY(gb_team_begin_transfer(team, &from, &pending, err));
        GB_TRY(gb_team_end_transfer(team, pending, err));
    }
    GB_TRY(gb_team_barrier(team, err));
done:
    return st;
}

static void assert_told(program_fn *program, const char *message)
{
    for (size_t i = 1; i < sizeof N_RANKS / sizeof *N_RANKS; i++) {
        finding f;
        const fake_report report = run_play(N_RANKS[i], NULL, program, &f);
        assert_string_equal(report.error.message, message);
        assert_int_equal(report.n_open, 0);
        for (size_t r = 0; r < N_RANKS[i]; r++)
            assert_int_equal(f.status[r], GB_ERANK);
    }
}

static void wrong_programs_are_told_and_do_not_hang(void **state)
{
    (void)state;
    assert_told(is_out_of_step, "ranks are out of step: they make different calls");
    assert_told(all_send_first, "all ranks wait for each other, or for one that has left");
    assert_told(differ_in_length, "the ends of a transfer differ in length");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_broadcast_reaches_all),
        cmocka_unit_test(a_sum_is_of_all),
        cmocka_unit_test(one_rank_that_says_so_is_enough),
        cmocka_unit_test(a_list_is_put_together_in_the_order_of_ranks),
        cmocka_unit_test(all_pass_barriers),
        cmocka_unit_test(transfers_round_a_ring_arrive_by_label),
        cmocka_unit_test(parts_of_a_team_are_teams),
        cmocka_unit_test(rows_add_up_to_the_same_bits_whoever_has_them),
        cmocka_unit_test(wide_and_many_rows_add_up_to_the_same_bits),
        cmocka_unit_test(a_sum_that_comes_again_has_the_same_bits),
        cmocka_unit_test(a_sum_that_comes_again_takes_one_call),
        cmocka_unit_test(many_rows_cost_no_more_traffic_than_their_sum),
        cmocka_unit_test(a_call_that_fails_anywhere_fails_everywhere),
        cmocka_unit_test(a_rank_that_leaves_is_not_waited_for),
        cmocka_unit_test(a_rank_that_aborts_is_heard_by_all),
        cmocka_unit_test(wrong_programs_are_told_and_do_not_hang),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
