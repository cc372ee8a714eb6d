/* bench/prediction/prediction.c - time of a token in prediction against that of one in training, in one run.
 *
 *   gibbous_bench_prediction TOPICS DOCUMENTS LENGTH WORDS CLASSES THREADS
 *
 * A corpus is simulated (LENGTH words per document in the mean; CLASSES 0: no labels), a model trained, and the same documents
 * are predicted.  Times are of all processors together, in nanoseconds per token: of a sweep of training (median), of one pass
 * of prediction, and of all passes under one draw of the model, as many as by default. */
#include "gibbous/gibbous.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SWEEPS = 30, DRAWS = 5 };

typedef struct clock_of_sweeps {
    double last, each[SWEEPS];
    size_t n;
} clock_of_sweeps;

static double seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool on_sweep(const gb_progress *progress, void *user)
{
    clock_of_sweeps *c = user;
    const double now = seconds();
    if (progress->is_partial)
        return true;
    if (c->n < SWEEPS)
        c->each[c->n++] = now - c->last;
    c->last = seconds();
    return true;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static gb_status set(gb_settings *s, const char *name, long long value, gb_error *err)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%lld", value);
    return gb_settings_set(s, name, text, err);
}

static gb_status choose(gb_settings *s, const long long *argument, gb_error *err)
{
    static const char *const name[] = {"topics", "documents", "length", "vocabulary-size", NULL, "threads"};
    gb_status st = set(s, "seed", 1, err);
    for (size_t i = 0; i < 6 && st == GB_OK; i++)
        if (name[i] != NULL)
            st = set(s, name[i], argument[i], err);
    if (st == GB_OK && argument[4] >= 2)
        st = set(s, "classes", argument[4], err);
    if (st == GB_OK)
        st = gb_settings_set(s, "response", argument[4] >= 2 ? "logistic" : "none", err);
    return st;
}

/* SWEEPS sweeps, the last DRAWS of them kept. */
static gb_status train(const gb_corpus *corpus, gb_settings *s, clock_of_sweeps *clock, gb_model **out, gb_error *err)
{
    gb_status st = set(s, "sweeps", SWEEPS, err);
    if (st == GB_OK)
        st = set(s, "burn-in", SWEEPS - DRAWS, err);
    if (st == GB_OK)
        st = set(s, "thin", 1, err);
    if (st == GB_OK)
        st = set(s, "growth", 0, err);
    return st == GB_OK ? gb_train(corpus, s, on_sweep, clock, out, err) : st;
}

static gb_status predict(const gb_corpus *corpus, const gb_model *model, gb_settings *s, int n_sweeps, double *time,
                         gb_error *err)
{
    gb_prediction *p = NULL;
    gb_status st = set(s, "infer-sweeps", n_sweeps, err);
    if (st == GB_OK)
        st = gb_prediction_create(model, gb_corpus_n_docs(corpus), &p, err);
    const double start = seconds();
    if (st == GB_OK)
        st = gb_predict(model, corpus, 0, s, NULL, NULL, p, err);
    *time = seconds() - start;
    gb_prediction_free(p);
    return st;
}

static gb_status measure(const long long *argument, gb_error *err)
{
    gb_settings *s = NULL;
    gb_corpus *corpus = NULL;
    gb_model *model = NULL;
    clock_of_sweeps clock = {.n = 0};
    double some = 0, more = 0;
    gb_status st = gb_settings_create(&s, err);
    if (st == GB_OK)
        st = choose(s, argument, err);
    if (st == GB_OK)
        st = gb_simulate(NULL, s, NULL, NULL, &corpus, err);
    if (st == GB_OK)
        st = train(corpus, s, &clock, &model, err);
    if (st == GB_OK)
        st = predict(corpus, model, s, 5, &some, err);
    if (st == GB_OK)
        st = predict(corpus, model, s, 15, &more, err);
    if (st == GB_OK) {
        const double tokens = (double)gb_corpus_n_tokens(corpus) / 1e9, draws = (double)gb_model_n_draws(model);
        qsort(clock.each + 1, clock.n - 1, sizeof *clock.each, ascending);
        const double sweep = clock.each[clock.n / 2] / tokens, pass = (more - some) / 10 / draws / tokens;
        const double draw = some / draws / tokens;
        printf("K %lld, %" PRIu64 " documents, %" PRIu64
               " tokens, %lld classes: sweep %.1f  pass %.1f (%.2f)  draw %.1f "
               "(%.2f)\n",
               argument[0], gb_corpus_n_docs(corpus), gb_corpus_n_tokens(corpus), argument[4], sweep, pass,
               pass / sweep, draw, draw / sweep);
    }
    gb_model_free(model);
    gb_corpus_free(corpus);
    gb_settings_free(s);
    return st;
}

int main(int argc, char **argv)
{
    long long argument[6];
    gb_error err = {.status = GB_OK};
    if (argc != 7) {
        fprintf(stderr, "usage: %s TOPICS DOCUMENTS LENGTH WORDS CLASSES THREADS\n", argv[0]);
        return 2;
    }
    for (int i = 0; i < 6; i++)
        argument[i] = strtoll(argv[i + 1], NULL, 10);
    if (measure(argument, &err) == GB_OK)
        return 0;
    fprintf(stderr, "%s\n", err.message);
    return 1;
}
