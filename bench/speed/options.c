/* bench/speed/options.c - every option is "--name value"; a name that is not in this table is one of the library's. */
#include "options.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

typedef enum kind { TEXT, COUNT, REAL } kind;

typedef struct option {
    const char *name;
    kind kind;
    size_t offset;
    const char *value, *help;
} option;

#define FIELD(field) offsetof(bench_options, field)

static const option table[] = {
    {"name", TEXT, FIELD(name), "", "text that the answer repeats"},
    {"engine", TEXT, FIELD(engine), "library", "who sweeps: library, textbook"},
    {"isa", TEXT, FIELD(isa), "",
     "instruction set: plain (SSE2), neon, avx2, avx512; default the widest of this processor"},
    {"warm", COUNT, FIELD(warm), "0", "sweeps of the library, not timed, before another engine takes over"},
    {"early", COUNT, FIELD(early), "5", "sweeps at the beginning whose median is told"},
    {"late", COUNT, FIELD(late), "10", "sweeps at the end whose median is told"},
    {"trace", COUNT, FIELD(trace), "0", "tell log p(w, z) per token after every N sweeps; 0: never"},
    {"until", REAL, FIELD(until), "0", "stop when log p(w, z) per token has come so far; needs --trace"},
    {"true-topics", COUNT, FIELD(true_topics), "100", "topics that a simulated corpus is drawn from"},
    {"tokens", TEXT, FIELD(tokens), "", "write the documents (of --test) there as numbers of words, and stop"},
    {"assignments", TEXT, FIELD(assignments), "", "read word:topic pairs from there and tell their log joint"},
    {"dump", TEXT, FIELD(dump), "", "write word:topic pairs there at the end"},
    {"test", TEXT, FIELD(test), "", "train, and tell the accuracy on this corpus file after each kept sweep"},
};

enum { N_OPTIONS = sizeof table / sizeof table[0] };

static gb_status set_own(bench_options *o, const option *own, const char *value, gb_error *err)
{
    void *field = (char *)o + own->offset;
    bool right = true;
    if (own->kind == TEXT)
        *(const char **)field = value;
    else if (own->kind == COUNT)
        right = gb_text_to_int(value, field) == GB_NUMBER_OK && *(int64_t *)field >= 0;
    else
        right = gb_text_to_real(value, field) == GB_NUMBER_OK;
    return right ? GB_OK : gb_fail(err, GB_EARGUMENT, "--%s cannot be %s", own->name, value);
}

static gb_status set(bench_options *o, const char *name, const char *value, gb_error *err)
{
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (strcmp(name, table[i].name) == 0)
            return set_own(o, &table[i], value, err);
    return gb_settings_set(o->settings, name, value, err);
}

/* One thread, one chain, a fixed seed and a fixed number of sweeps, so that two calls do the same work; no intercept and no
 * labels held out, since others have none. */
static gb_status set_defaults(bench_options *o, gb_error *err)
{
    gb_status st;
    for (size_t i = 0; i < N_OPTIONS; i++)
        GB_TRY(set_own(o, &table[i], table[i].value, err));
    GB_TRY(gb_settings_set(o->settings, "threads", "1", err));
    GB_TRY(gb_settings_set(o->settings, "seed", "1", err));
    GB_TRY(gb_settings_set(o->settings, "intercept", "no", err));
    GB_TRY(gb_settings_set(o->settings, "sweeps", "100", err));
    GB_TRY(gb_settings_set(o->settings, "chains", "1", err));
    GB_TRY(gb_settings_set(o->settings, "calibrate", "0", err));
done:
    return st;
}

gb_status bench_options_parse(bench_options *out, int argc, char **argv, gb_error *err)
{
    gb_status st;
    *out = (bench_options){0};
    GB_TRY(gb_settings_create(&out->settings, err));
    GB_TRY(set_defaults(out, err));
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) != 0) {
            if (out->corpus != NULL)
                return gb_fail(err, GB_EARGUMENT, "one corpus at a time, not %s and %s", out->corpus, argv[i]);
            out->corpus = argv[i];
        } else if (i + 1 == argc) {
            return gb_fail(err, GB_EARGUMENT, "%s needs a value", argv[i]);
        } else {
            GB_TRY(set(out, argv[i] + 2, argv[i + 1], err));
            i++;
        }
    }
    if (strcmp(gb_settings_get(out->settings, "response", 0), "none") == 0) { /* defaults that are for a response */
        GB_TRY(gb_settings_unset(out->settings, "intercept", err));
        GB_TRY(gb_settings_unset(out->settings, "calibrate", err));
    }
done:
    return st;
}

void bench_options_clear(bench_options *options)
{
    gb_settings_free(options->settings);
}

void bench_options_help(void)
{
    (void)puts(
        "usage: gibbous_bench [CORPUS] [--name value]...\n\n"
        "Without a corpus file one is simulated: --documents, --length, --vocabulary-size, --classes; --output\n"
        "writes it and stops.  All options of `gibbous train` are understood, each with a value; one thread and\n"
        "seed 1 unless told.  The answer is one line of JSON.  Own options:\n");
    for (size_t i = 0; i < N_OPTIONS; i++)
        (void)printf("  --%-12s %s\n", table[i].name, table[i].help);
}
