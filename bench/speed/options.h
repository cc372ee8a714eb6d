/* bench/speed/options.h - the command line: own options, and every option of the library by its name. */
#ifndef GB_BENCH_OPTIONS_H
#define GB_BENCH_OPTIONS_H

#include "options/settings.h"

typedef struct bench_options {
    const char *corpus;      /* a file, or NULL: simulate one */
    const char *name;        /* of the measurement; repeated in the answer */
    const char *engine;      /* who sweeps */
    const char *isa;         /* instruction set; "" is the widest that there is */
    const char *tokens;      /* write the words of the documents there, and stop */
    const char *assignments; /* topics of the same words by another program: tell their log joint, and stop */
    const char *dump;        /* write the last assignment there, in the same form */
    const char *test;        /* documents to predict */
    int64_t true_topics;     /* of a simulated corpus */
    int64_t warm;            /* sweeps of the library before an engine of another kind takes over */
    int64_t early, late;     /* sweeps at the beginning and at the end that count as such */
    int64_t trace;           /* tell the log joint after every so many sweeps; 0: never */
    double until;            /* stop when log p(w, z) per token has come so far; 0: never */
    gb_settings *settings;
} bench_options;

/** @param out  receives the options, texts borrowed from argv; clear it with bench_options_clear(), also on failure */
gb_status bench_options_parse(bench_options *out, int argc, char **argv, gb_error *err);
void bench_options_clear(bench_options *options);

/** What the program is told, one line per own option, to standard output. */
void bench_options_help(void);

#endif
