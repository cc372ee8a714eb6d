/* errors.c - failures as conditions of R, and interrupts and progress of long calls. */
#include "glue.h"

/* Call a function of the package that raises a condition. */
static void raise(const char *function, int status, const char *message)
{
    SEXP package = PROTECT(gbr_string("gibbous"));
    SEXP space = PROTECT(R_FindNamespace(package));
    SEXP number = PROTECT(Rf_ScalarInteger(status)), text = PROTECT(gbr_string(message));
    SEXP call = PROTECT(Rf_lang3(Rf_install(function), number, text));
    Rf_eval(call, space);
    UNPROTECT(5);
    Rf_error("%s", message); /* not reached */
}

void gbr_check(gb_status status, const gb_error *err)
{
    if (status != GB_OK)
        raise("engine_error", (int)status, err->message);
}

static void look(void *unused)
{
    (void)unused;
    R_CheckUserInterrupt();
}

static bool goes_on(gbr_watch *watch)
{
    if (!R_ToplevelExec(look, NULL))
        watch->is_interrupted = true;
    return !watch->is_interrupted;
}

/* Whether it is time for another line: four times a second, and not for what takes a second. */
static bool is_time(gbr_watch *watch, double seconds)
{
    if (!watch->shows || seconds < 1 || seconds - watch->last < 0.25)
        return false;
    watch->last = seconds;
    watch->has_shown = true;
    return true;
}

bool gbr_on_sweep(const gb_progress *p, void *watch)
{
    if (is_time(watch, p->seconds)) {
        const double left = p->n_done == 0 ? 0 : p->seconds * (double)p->n_left / (double)p->n_done;
        REprintf("\rchain %d, sweep %d of %s%d%s, at most %.0f s left   ", (int)p->chain + 1, (int)p->sweep,
                 p->is_open ? "at most " : "", (int)p->n_sweeps, p->in_burn_in ? " (burn-in)" : "", left);
    }
    return goes_on(watch);
}

bool gbr_on_apply(const gb_apply_progress *p, void *watch)
{
    if (is_time(watch, p->seconds))
        REprintf("\rdraw %d of %d, document %d of %d   ", (int)p->draw + 1, (int)p->n_draws, (int)p->n_docs_done,
                 (int)p->n_docs);
    return goes_on(watch);
}

bool gbr_on_read(const gb_read_progress *p, void *watch)
{
    if (is_time(watch, p->seconds))
        REprintf("\r%.0f documents read   ", (double)p->n_docs);
    return goes_on(watch);
}

bool gbr_on_file(const gb_file_progress *p, void *watch)
{
    (void)p;
    return goes_on(watch);
}

bool gbr_on_selection(const gb_selection_progress *p, void *watch)
{
    if (is_time(watch, p->seconds))
        REprintf("\rfit %d of %d   ", (int)p->n_done, (int)p->n_fits);
    return goes_on(watch);
}

void gbr_end_line(gbr_watch *watch)
{
    if (watch->has_shown)
        REprintf("\n");
    watch->has_shown = false;
}

void gbr_finish(gbr_watch *watch, gb_status status, const gb_error *err)
{
    gbr_end_line(watch);
    if (watch->is_interrupted)
        raise("stopped", (int)GB_ESTOP, status == GB_OK ? "stopped" : err->message);
    gbr_check(status, err);
}

SEXP gbr_outcome(const gbr_watch *watch, gb_status status, const gb_error *err)
{
    static const char *const names[] = {"status", "message", "interrupted", NULL};
    SEXP out = PROTECT(gbr_list(names));
    SET_VECTOR_ELT(out, 0, Rf_ScalarInteger((int)status));
    SET_VECTOR_ELT(out, 1, gbr_string(status == GB_OK ? "" : err->message));
    SET_VECTOR_ELT(out, 2, Rf_ScalarLogical(watch->is_interrupted));
    UNPROTECT(1);
    return out;
}
