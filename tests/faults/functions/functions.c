/* functions.c - makes every allocation of every public function fail, one after the other, and looks at how it ends.
 *
 *     functions [--row NAME] [--at N] [--all] [--trace] HEADER...
 *
 * Each row is run undisturbed, then with its n-th allocation failing, once and in a second pass with all after it.  A
 * row that ends well must have given the same as the undisturbed one; any other must say that memory ran out, leave
 * its arguments as they were, no block and no file; the same call again must give the same where it may be made
 * again.  Afterwards the row must do its work as at first.  All functions of the headers must be in a row.  A few of
 * a row's allocations are tried by ./check, more by ./check --full, and all by ./check --all, except in rows that have
 * so many that this would take hours: there, some of them from first to last.
 *
 * With --at one row is tried with one failure (--all: and those after it), and --trace shows where. */
#include "rows.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const fault_row *const tables[] = {
    rows_of_basics,    rows_of_corpora, rows_of_chains,      rows_of_trainings, rows_of_models, rows_of_documents,
    rows_of_estimates, rows_of_scores,  rows_of_validations, rows_of_answers,   rows_of_kinds};
enum { N_TABLES = sizeof tables / sizeof tables[0] };

/* Functions that no row calls. */
static const char *const exceptions[] = {
    "gb_team_describe", /* it opens MPI libraries, which check no allocation */
};
enum { N_EXCEPTIONS = sizeof exceptions / sizeof exceptions[0] };

/* ---- where a crash was ---- */

static char place[200];

static void tell_place(int number)
{
    const char *call = trial_call();
    if (write(STDERR_FILENO, place, strlen(place)) < 0 || write(STDERR_FILENO, call, strlen(call)) < 0 ||
        write(STDERR_FILENO, "\n", 1) < 0)
        _exit(3);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static void run(const fault_row *row, const allocation_faults *faults, trial_end *out)
{
    (void)snprintf(place, sizeof place, "crash: row %s, allocation %" PRIu64 "%s: ", row->name, faults->at,
                   faults->all ? " and all after it" : "");
    trial_run(row->call, faults, out);
}

/* ---- one row ---- */

typedef struct count {
    uint64_t n_points, n_refused, n_wrong;
} count;

/* How many failures of a row with so many allocations are tried in a pass, at most.  The calls that allocate more often
 * than MANY times take some 40 ms: all failures of the three would take hours. */
static uint64_t most_points(uint64_t n_allocations)
{
    enum { MANY = 20000, SOME_OF_MANY = 1000 };
    if (getenv("GIBBOUS_LONG_TESTS") != NULL)
        return n_allocations <= MANY ? MANY : SOME_OF_MANY;
    return getenv("GIBBOUS_FULL_TESTS") != NULL ? 24 : 12;
}

static bool speaks_of_memory(const trial_end *end)
{
    return end->status == GB_ENOMEM || strstr(end->message, "memory") != NULL;
}

static void judge(trial_end *end, const trial_end *whole)
{
    if (end->complaint[0] != '\0')
        return;
    if ((end->status == GB_OK || end->has_recovered) && end->digest != whole->digest)
        (void)snprintf(end->complaint, sizeof end->complaint, "%s with another result",
                       end->has_recovered ? "a second call" : "GB_OK");
    if (end->status != GB_OK && !speaks_of_memory(end))
        (void)snprintf(end->complaint, sizeof end->complaint, "status %d without a word of memory: %.200s",
                       (int)end->status, end->message);
}

/* Whether the undisturbed row gives what it gave before, and well. */
static bool is_well(const fault_row *row, const trial_end *whole, const char *when)
{
    trial_end end;
    const allocation_faults none = {.not_of = row->not_of};
    run(row, &none, &end);
    if (end.status == GB_OK && end.complaint[0] == '\0' && end.digest == whole->digest)
        return true;
    printf("%s, undisturbed %s: %s%s%s\n", row->name, when, end.complaint, end.message,
           end.digest == whole->digest ? "" : ": another result");
    return false;
}

static void try_point(const fault_row *row, const allocation_faults *faults, const trial_end *whole, count *sum)
{
    trial_end end;
    static char told[300];
    run(row, faults, &end);
    judge(&end, whole);
    sum->n_points++;
    sum->n_refused += end.status != GB_OK;
    if (end.complaint[0] == '\0')
        return;
    sum->n_wrong++;
    if (strcmp(told, end.complaint) != 0)
        printf("%s, allocation %" PRIu64 " of %" PRIu64 "%s: %s\n", row->name, faults->at, whole->n_allocations,
               faults->all ? " and all after it" : "", end.complaint);
    memcpy(told, end.complaint, sizeof told);
}

static void try_row(const fault_row *row, count *sum)
{
    trial_end whole;
    allocation_faults faults = {.not_of = row->not_of};
    run(row, &faults, &whole); /* what libraries keep for good is there afterwards */
    run(row, &faults, &whole);
    if (!is_well(row, &whole, "twice")) {
        sum->n_wrong++;
        return;
    }
    const uint64_t most = most_points(whole.n_allocations);
    const uint64_t step = (whole.n_allocations + most - 1) / most;
    for (int all = 0; all < 2; all++) {
        faults.all = all == 1;
        for (faults.at = 1; faults.at <= whole.n_allocations; faults.at += step)
            try_point(row, &faults, &whole, sum);
        sum->n_wrong += !is_well(row, &whole, "after failures");
    }
}

/* ---- the table is complete ---- */

static bool is_exception(const char *name)
{
    for (size_t i = 0; i < N_EXCEPTIONS; i++)
        if (strcmp(exceptions[i], name) == 0)
            return true;
    return false;
}

/* Functions of a header that no row has called.  "GB_API type name(": tests/source/exports.sh knows that all are written so. */
static uint64_t missing_in(FILE *header, uint64_t *n_functions)
{
    char line[1000];
    uint64_t n = 0;
    while (fgets(line, sizeof line, header) != NULL) {
        char *end = strchr(line, '(');
        if (strncmp(line, "GB_API ", 7) != 0 || end == NULL)
            continue;
        *end = '\0';
        const char *name = line;
        for (const char *at = line; (at = strstr(at, "gb_")) != NULL; at++)
            name = at; /* the last one: types have such names, too */
        ++*n_functions;
        if (trial_has_tried(name) == is_exception(name)) {
            printf("%s: %s\n", name, is_exception(name) ? "in a row, and an exception" : "in no row");
            n++;
        }
    }
    return n;
}

int main(int argc, char **argv)
{
    count sum = {0};
    uint64_t n_rows = 0, n_functions = 0, n_missing = 0;
    const char *only = NULL;
    allocation_faults one = {0};
    int i = 1;
    FILE *header[64];
    int n_headers = 0;
    for (; i < argc; i++) {
        if (strcmp(argv[i], "--row") == 0 && i + 1 < argc)
            only = argv[++i];
        else if (strcmp(argv[i], "--at") == 0 && i + 1 < argc)
            one.at = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--all") == 0)
            one.all = true;
        else if (strcmp(argv[i], "--trace") == 0)
            one.is_traced = true;
        else if (n_headers < 64 && (header[n_headers] = fopen(argv[i], "r")) != NULL)
            n_headers++;
        else
            return 2;
    }
    (void)signal(SIGSEGV, tell_place);
    (void)signal(SIGABRT, tell_place);
    (void)setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    ground_make();
    for (size_t t = 0; t < N_TABLES; t++)
        for (const fault_row *row = tables[t]; row->name != NULL; row++) {
            if (only != NULL && strcmp(only, row->name) != 0)
                continue;
            n_rows++;
            if (one.at != 0) {
                trial_end end;
                one.not_of = row->not_of;
                run(row, &(allocation_faults){.not_of = row->not_of}, &end);
                run(row, &one, &end);
                printf("%s: status %d, %s; %s\n", row->name, (int)end.status, end.message, end.complaint);
            } else {
                try_row(row, &sum);
            }
        }
    ground_free();
    for (int h = 0; h < n_headers; h++) {
        n_missing += only == NULL ? missing_in(header[h], &n_functions) : 0;
        (void)fclose(header[h]);
    }
    printf("%" PRIu64 " functions, %" PRIu64 " of them in no row; in %" PRIu64 " rows %" PRIu64
           " allocations failed, %" PRIu64 " of which the call told, %" PRIu64 " times with a wrong end\n",
           n_functions, n_missing, n_rows, sum.n_points, sum.n_refused, sum.n_wrong);
    return sum.n_wrong == 0 && n_missing == 0 && n_rows > 0 ? 0 : 1;
}
