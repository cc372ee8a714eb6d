/* cli/dry_run.c - a training that is only begun, to say what it would do. */
#include "dry_run.h"

#include "progress.h"
#include "terminal.h"

#include <inttypes.h>

/* What was seen of the training.  What comes before the first sweep happens once, so the sweeps have a time of their own. */
typedef struct begun {
    double first, seconds, whole; /* at the end of the first sweep, so far, and of all sweeps, as far as that tells */
    uint64_t n_first;             /* sweeps at the first of these times */
    bool is_open;
} begun;

static const double long_enough = 4; /* seconds after the first sweep */

static bool on_sweep(const gb_progress *p, void *user)
{
    begun *b = user;
    if (p->is_partial || p->n_done == 0)
        return !cli_stop_requested();
    if (b->n_first == 0) {
        b->n_first = p->n_done;
        b->first = p->seconds;
    }
    b->seconds = b->whole = p->seconds;
    if (p->n_done > b->n_first)
        b->whole += (p->seconds - b->first) * (double)p->n_left / (double)(p->n_done - b->n_first);
    b->is_open = p->is_open;
    return (p->n_done == b->n_first || b->seconds - b->first < long_enough) && !cli_stop_requested();
}

/* "12 seconds", "3 minutes": no more exact than it is. */
static void put_time(char *out, size_t size, double seconds)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"day", 86400}, {"hour", 3600}, {"minute", 60}, {"second", 1}};
    size_t u = 0;
    while (u < 3 && seconds < 2 * units[u].seconds)
        u++;
    const uint64_t n = (uint64_t)(seconds / units[u].seconds + 0.5);
    (void)snprintf(out, size, "%" PRIu64 " %s%s", n, units[u].name, cli_plural(n));
}

static void print_time(const cli_call *call, const begun *b)
{
    char whole[40], seen[40];
    const int64_t n_folds = cli_int(call, "cross-fit");
    put_time(whole, sizeof whole, b->whole);
    put_time(seen, sizeof seen, b->seconds);
    (void)fprintf(cli_out(), "time: %s %s, by the first %s%s", b->is_open ? "at most" : "about", whole, seen,
                  b->is_open ? "; less if little is gained before" : "");
    if (n_folds > 0)
        (void)fprintf(cli_out(), "; with --cross-fit about %" PRId64 " times as long", n_folds + 2);
    (void)fputs("\nnothing was written\n", cli_out());
}

gb_status cli_dry_run(const cli_call *call, const gb_corpus *corpus, gb_error *err)
{
    gb_plan *plan = NULL;
    gb_model *model = NULL;
    gb_out_file *draws = NULL;
    char *decided = NULL;
    begun b = {.seconds = 0};
    gb_status st;
    CLI_TRY(gb_plan_create(corpus, call->settings, &plan, err));
    CLI_TRY(gb_plan_describe(plan, &decided, err));
    (void)fprintf(cli_out(), "%s\n", decided);
    cli_catch_signals();
    cli_work_begins();
    st = gb_train_from(corpus, call->settings, NULL, on_sweep, &b, &model, &draws, err);
    if (st == GB_ESTOP && b.n_first > 0 && b.seconds - b.first >= long_enough)
        st = GB_OK;
    if (st == GB_OK)
        print_time(call, &b);
done:
    gb_out_file_discard(draws);
    gb_model_free(model);
    gb_plan_free(plan);
    gb_free(decided);
    return st;
}
