/* trial.h - what a row of the table does with the functions of the library: call them watched, and look at what they give. */
#ifndef GB_FAULTS_TRIAL_H
#define GB_FAULTS_TRIAL_H

#include "gibbous/gibbous.h"

#include "allocations.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- calls ----
 *
 * The first word of a call is the name of a function, which counts as tried. */

/** A call that returns a gb_status; gives it. */
#define TRY(call) (trial_begins(#call), trial_ends_with(call))
/** A call that returns a gb_status and that may be made again after it failed: then it is, undisturbed, and what follows must be as if it
 * had not failed. */
#define RETRY(call) (TRY(call) == GB_OK ? (void)0 : (must(call), trial_recovered()))
/** A call that allocates nothing and gives a number, a truth or an enumerator; a text; anything or nothing. */
#define NUMBER(call) (trial_begins(#call), trial_sees_number((double)(call)))
#define TEXT(call)   (trial_begins(#call), trial_sees_text(call))
#define QUIET(call)  (trial_begins(#call), (void)(call), trial_was_quiet())
/** A call without a status that may allocate; what it gives is compared with the undisturbed call by one of the functions below. */
#define MAY(call) (trial_begins(#call), (void)(call), trial_paused())

/** For the last argument of calls. */
#define ERR trial_error()

void trial_begins(const char *call);
gb_status trial_ends_with(gb_status status);
double trial_sees_number(double value);
const char *trial_sees_text(const char *text);
void trial_was_quiet(void);
void trial_paused(void);
void trial_recovered(void);
gb_error *trial_error(void);

/** No call of this row has failed so far. */
bool trial_is_fine(void);
/** A call without a status says by its result that memory ran out. */
void trial_ran_out(void);

/* ---- results ----
 *
 * What an undisturbed call gives is compared with what a disturbed one does. */

/** `made` is NULL if and only if the last call failed. */
void see_made(const void *made);
/** What must be so, with or without a failure. */
void expect(bool is_so, const char *what);
void see_number(double value);
void see_numbers(const double *value, uint64_t n);
void see_words(const uint64_t *value, uint64_t n);
/** NULL is one, too. */
void see_text(const char *text);
void see_bytes(const void *bytes, size_t n);
/** A file that is there if the last call succeeded, and not there otherwise; it is removed. */
void see_file(const char *path);
/** Without a failure: a file is there; it is removed.  With one it may be. */
void see_any_file(const char *path);
void see_corpus(const gb_corpus *corpus);
void see_model(const gb_model *model);
/** The answer to a question with the default options. */
void see_answer(const char *question, const gb_subject *subject);

/** For what must not fail, such as what a row needs before its call: ends the program. */
void must(gb_status status);

/* ---- trials ---- */

/** What a trial ended with. */
typedef struct trial_end {
    gb_status status;
    char message[1000];
    uint64_t digest;
    uint64_t n_allocations;
    bool has_recovered;  /* a failed call was made again */
    char complaint[300]; /* ""; a wrong end */
} trial_end;

/** Run a row once. */
void trial_run(void (*row)(void), const allocation_faults *faults, trial_end *out);
/** Where the last trial is, for a program that crashes. */
const char *trial_call(void);
/** Whether a function has been called. */
bool trial_has_tried(const char *name);

#endif
