/* bench/speed/main.c - one measurement per call, told as one line of JSON. */
#include "accuracy.h"
#include "exchange.h"
#include "joint.h"
#include "measure.h"
#include "options.h"
#include "simulate.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the answer ---- */

/* JSON has no NaN. */
static json_t *number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *time_of(bench_time t)
{
    return json_pack("{s:o, s:o}", "cpu", number(t.cpu), "wall", number(t.wall));
}

/* Nanoseconds per token, median of n sweeps from `first` on. */
static json_t *ns_per_token(const bench_result *r, const gb_corpus *corpus, uint64_t first, uint64_t n)
{
    double cpu[1000], wall[1000];
    n = n < r->n_sweeps - first ? n : r->n_sweeps - first;
    n = n < 1000 ? n : 1000;
    for (uint64_t i = 0; i < n; i++) {
        cpu[i] = r->cpu[first + i] * 1e9 / (double)corpus->n_tokens;
        wall[i] = r->wall[first + i] * 1e9 / (double)corpus->n_tokens;
    }
    return time_of((bench_time){.cpu = bench_median(cpu, n), .wall = bench_median(wall, n)});
}

/* The fastest sweep: on a busy machine the one that tells most of the clock on the wall. */
static json_t *fastest(const bench_result *r, const gb_corpus *corpus)
{
    bench_time best = {.cpu = INFINITY, .wall = INFINITY};
    for (uint64_t i = 0; i < r->n_sweeps; i++) {
        best.cpu = fmin(best.cpu, r->cpu[i] * 1e9 / (double)corpus->n_tokens);
        best.wall = fmin(best.wall, r->wall[i] * 1e9 / (double)corpus->n_tokens);
    }
    return time_of(best);
}

static json_t *points_of(const bench_result *r)
{
    json_t *points = json_array();
    for (uint64_t i = 0; i < r->n_points; i++) {
        const bench_point *p = &r->point[i];
        (void)json_array_append_new(points, json_pack("{s:I, s:o, s:o, s:o}", "sweep", (json_int_t)p->sweep, "cpu",
                                                      number(p->time.cpu), "wall", number(p->time.wall), "log_joint",
                                                      number(p->log_joint)));
    }
    return points;
}

static json_t *description(const bench_options *o, const gb_corpus *corpus, const gb_spec *spec)
{
    const bool library = strcmp(o->engine, "library") == 0;
    return json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:s}", "name", o->name, "engine", o->engine,
                     "sampler", library ? spec->sampler->name : o->engine, "documents", (json_int_t)corpus->n_docs,
                     "tokens", (json_int_t)corpus->n_tokens, "words", (json_int_t)corpus->n_words, "topics",
                     (json_int_t)spec->n_topics, "outputs", (json_int_t)spec->n_outputs, "blocks",
                     (json_int_t)spec->n_blocks, "threads", (json_int_t)spec->n_threads, "isa",
                     library ? gb_isa_name(spec->isa) : "scalar");
}

static json_t *answer_of(const bench_options *o, const gb_corpus *corpus, const gb_spec *spec, const bench_result *r)
{
    const uint64_t n_late = (uint64_t)o->late < r->n_sweeps ? (uint64_t)o->late : r->n_sweeps;
    json_t *answer = description(o, corpus, spec);
    json_t *figures = json_pack(
        "{s:I, s:o, s:o, s:{s:o, s:o, s:o}, s:{s:o, s:o}, s:o}", "sweeps", (json_int_t)r->n_sweeps, "start",
        time_of(r->start), "total", time_of(r->total), "ns", "early", ns_per_token(r, corpus, 0, (uint64_t)o->early),
        "late", ns_per_token(r, corpus, r->n_sweeps - n_late, n_late), "best", fastest(r, corpus), "memory", "before",
        number(r->memory), "peak", number(r->memory_peak), "trace", points_of(r));
    if (answer != NULL && figures != NULL)
        (void)json_object_update(answer, figures);
    json_decref(figures);
    return answer;
}

static gb_status print_answer(json_t *answer, gb_error *err)
{
    if (answer == NULL || json_dumpf(answer, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9)) != 0)
        return gb_fail_memory(err, 0, "the answer");
    (void)putchar('\n');
    return GB_OK;
}

static json_t *scores_of(const bench_training *t)
{
    json_t *scores = json_array();
    for (uint64_t i = 0; i < t->n_scores; i++) {
        const bench_score *s = &t->score[i];
        (void)json_array_append_new(scores, json_pack("{s:I, s:o, s:o, s:o}", "sweep", (json_int_t)s->sweep, "cpu",
                                                      number(s->time.cpu), "wall", number(s->time.wall), "accuracy",
                                                      number(s->accuracy)));
    }
    return scores;
}

/* ---- the work ---- */

static gb_status choose_isa(const char *name, gb_spec *spec, gb_error *err)
{
    if (*name == '\0')
        return GB_OK;
    for (gb_isa isa = GB_ISA_PLAIN; isa < GB_N_ISAS; isa++) {
        if (strcmp(gb_isa_name(isa), name) == 0 && gb_isa_available(isa)) {
            spec->isa = isa;
            return GB_OK;
        }
    }
    return gb_fail(err, GB_EARGUMENT, "this processor has no instruction set %s", name);
}

/* An assignment after some sweeps of the library, for an engine to go on from. */
static gb_status warm_up(const bench_options *o, const gb_corpus *corpus, const gb_spec *spec, bench_result *warm,
                         gb_error *err)
{
    const bench_plan plan = {.engine = &bench_engine_library, .n_sweeps = (uint64_t)o->warm};
    return o->warm == 0 ? GB_OK : bench_measure(&plan, corpus, spec, warm, err);
}

static gb_status time_engine(const bench_options *o, const gb_corpus *corpus, const gb_spec *spec, gb_error *err)
{
    gb_status st;
    bench_result result = {0}, warm = {0};
    json_t *answer = NULL;
    bench_plan plan = {.engine = bench_engine_find(o->engine),
                       .n_sweeps = (uint64_t)gb_settings_int(o->settings, "sweeps"),
                       .trace = (uint64_t)o->trace,
                       .until = o->until};
    if (plan.engine == NULL)
        return gb_fail(err, GB_EARGUMENT, "no engine %s", o->engine);
    GB_TRY(warm_up(o, corpus, spec, &warm, err));
    plan.begin = warm.topic;
    GB_TRY(bench_measure(&plan, corpus, spec, &result, err));
    if (*o->dump != '\0')
        GB_TRY(bench_assignment_write(corpus, result.topic, o->dump, err));
    answer = answer_of(o, corpus, spec, &result);
    GB_TRY(print_answer(answer, err));
done:
    json_decref(answer);
    bench_result_clear(&warm);
    bench_result_clear(&result);
    return st;
}

static gb_status time_training(const bench_options *o, const gb_corpus *corpus, const gb_spec *spec, gb_error *err)
{
    gb_status st;
    bench_training training = {0};
    json_t *answer = NULL, *figures = NULL;
    if (*o->isa != '\0')
        return gb_fail(err, GB_EARGUMENT, "training takes the widest instruction set: --isa does not go with --test");
    GB_TRY(bench_train(corpus, o->settings, o->test, &training, err));
    answer = description(o, corpus, spec);
    figures =
        json_pack("{s:I, s:o, s:{s:o}, s:o}", "sweeps", (json_int_t)spec->n_sweeps, "total", time_of(training.total),
                  "memory", "peak", number(training.memory_peak), "scores", scores_of(&training));
    if (answer != NULL && figures != NULL)
        (void)json_object_update(answer, figures);
    GB_TRY(print_answer(answer, err));
done:
    json_decref(answer);
    json_decref(figures);
    bench_training_clear(&training);
    return st;
}

/* The log joint of somebody else's assignment. */
static gb_status judge(const bench_options *o, const gb_corpus *corpus, const gb_spec *spec, gb_error *err)
{
    gb_status st;
    double log_joint;
    uint32_t *word = NULL;
    uint16_t *topic = NULL;
    json_t *answer = NULL;
    GB_TRY(gb_alloc(&word, corpus->n_tokens, sizeof *word, "an assignment", err));
    GB_TRY(gb_alloc(&topic, corpus->n_tokens, sizeof *topic, "an assignment", err));
    GB_TRY(bench_assignment_read(corpus, spec->n_topics, o->assignments, word, topic, err));
    GB_TRY(bench_log_joint(corpus, word, topic, spec->n_topics, spec->prior.start.table[0].value, spec->beta.value,
                           &log_joint, err));
    answer = json_pack("{s:s, s:o}", "name", o->name, "log_joint", number(log_joint / (double)corpus->n_tokens));
    GB_TRY(print_answer(answer, err));
done:
    json_decref(answer);
    gb_free(word);
    gb_free(topic);
    return st;
}

/* The documents to predict if there are some, else those to train on. */
static gb_status write_tokens(const bench_options *o, const gb_corpus *corpus, const gb_spec *spec, gb_error *err)
{
    gb_corpus *docs = NULL;
    gb_status st = *o->test == '\0' ? GB_OK : bench_documents(corpus, spec, o->settings, o->test, &docs, err);
    if (st == GB_OK)
        st = bench_tokens_write(docs == NULL ? corpus : docs, o->tokens, err);
    gb_corpus_free(docs);
    return st;
}

static gb_status work(const bench_options *o, const gb_corpus *corpus, gb_error *err)
{
    gb_status st;
    gb_spec spec = {0};
    if (*gb_settings_text(o->settings, "output") != '\0')
        return gb_corpus_write(corpus, gb_settings_text(o->settings, "output"), gb_settings_yes(o->settings, "force"),
                               err);
    GB_TRY(gb_spec_resolve(corpus, o->settings, &spec, err));
    GB_TRY(choose_isa(o->isa, &spec, err));
    if (*o->tokens != '\0')
        st = write_tokens(o, corpus, &spec, err);
    else if (*o->assignments != '\0')
        st = judge(o, corpus, &spec, err);
    else if (*o->test != '\0')
        st = time_training(o, corpus, &spec, err);
    else
        st = time_engine(o, corpus, &spec, err);
done:
    gb_spec_clear(&spec);
    return st;
}

static gb_status run(int argc, char **argv, gb_error *err)
{
    gb_status st;
    bench_options o = {0};
    gb_corpus *corpus = NULL;
    GB_TRY(bench_options_parse(&o, argc, argv, err));
    if (o.corpus != NULL)
        GB_TRY(gb_corpus_read(o.corpus, o.settings, NULL, NULL, &corpus, err));
    else
        GB_TRY(bench_simulate(o.settings, (size_t)o.true_topics, &corpus, err));
    GB_TRY(work(&o, corpus, err));
done:
    gb_corpus_free(corpus);
    bench_options_clear(&o);
    return st;
}

int main(int argc, char **argv)
{
    gb_error err = {0};
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        bench_options_help();
        return 0;
    }
    const gb_status st = run(argc, argv, &err);
    if (st != GB_OK)
        (void)fprintf(stderr, "gibbous_bench: %s\n", err.message);
    return st == GB_OK ? 0 : 1;
}
