/* glue.h - what every file of the glue between R and the C library needs: handles, errors, texts, interrupts.
 *
 * An object of the library lives in an external pointer whose finalizer frees it, and which keeps what the object borrows.  Memory of
 * a call is R's own (R_alloc), so an error of R, which jumps, loses nothing. */
#ifndef GIBBOUS_R_GLUE_H
#define GIBBOUS_R_GLUE_H

#include <gibbous/gibbous.h>

#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>

/* ---- errors and interrupts (errors.c) ---- */

/* Raise an R condition of the status's class with the library's words, unless it is GB_OK. */
void gbr_check(gb_status status, const gb_error *err);

/* What a callback knows: whether to show progress, and whether the user has interrupted. */
typedef struct gbr_watch {
    bool shows, is_interrupted, has_shown;
    double last; /* second of the last line */
} gbr_watch;

bool gbr_on_sweep(const gb_progress *progress, void *watch);
bool gbr_on_apply(const gb_apply_progress *progress, void *watch);
bool gbr_on_read(const gb_read_progress *progress, void *watch);
bool gbr_on_file(const gb_file_progress *progress, void *watch);
bool gbr_on_selection(const gb_selection_progress *progress, void *watch);
/* End the line of progress; then as gbr_check(), or raise an interrupt. */
void gbr_finish(gbr_watch *watch, gb_status status, const gb_error *err);
void gbr_end_line(gbr_watch *watch);
SEXP gbr_outcome(const gbr_watch *watch, gb_status status, const gb_error *err);

/* ---- handles (handles.c) ---- */

/* An external pointer to nothing yet, whose object will be freed by `free`; `keeps` is what the object borrows.  Protect it. */
SEXP gbr_handle(const char *kind, void (*free)(void *), SEXP keeps);
void gbr_put(SEXP handle, void *object);
/* The object; an R error if it is of another kind or gone. */
void *gbr_get(SEXP handle, const char *kind);
/* The same, or NULL for R's NULL. */
void *gbr_get_or_null(SEXP handle, const char *kind);

/* ---- values (values.c) ---- */

const char *gbr_text(SEXP text);                /* the only text of a character vector, in UTF-8 */
const char *const *gbr_texts(SEXP texts);       /* all of them; NULL for NA */
SEXP gbr_utf8(const char *text, int64_t bytes); /* bytes -1: ended by a NUL */
SEXP gbr_string(const char *text);              /* a character vector of one text; protect it */
SEXP gbr_take(char *text);                      /* the same of a text that gb_free() frees */
bool gbr_flag(SEXP flag);
uint64_t gbr_count(SEXP number); /* a whole number from 0 on */
double gbr_real(double value);   /* NaN is NA in R */
SEXP gbr_counts(const uint64_t *value,
                uint64_t n); /* integers, or doubles where one is large; GB_NO_COUNT is NA; protect it */
/* A matrix of row-major numbers; protect it. */
SEXP gbr_matrix(const double *value, uint64_t n_rows, uint64_t n_columns);
/* A list with names; protect it. */
SEXP gbr_list(const char *const *names);
/** A member of a list by its name; R's NULL if there is none. */
SEXP gbr_member(SEXP list, const char *name);

#endif
