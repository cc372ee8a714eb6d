/* bench/speed/measure.c - sweep by sweep; the log joint and all else that is not the sampler stays outside the clock. */
#include "measure.h"

#include "base/memory.h"
#include "joint.h"

#include <math.h>

typedef struct run {
    const bench_plan *plan;
    const gb_corpus *corpus;
    const gb_spec *spec;
    bench_result *out;
    void *state;
} run;

static void add_time(bench_time *sum, bench_time more)
{
    sum->cpu += more.cpu;
    sum->wall += more.wall;
}

static gb_status take_assignment(run *r, gb_error *err)
{
    gb_status st = GB_OK;
    if (r->out->topic == NULL)
        st = gb_alloc(&r->out->topic, r->corpus->n_tokens, sizeof *r->out->topic, "an assignment", err);
    if (st == GB_OK)
        r->plan->engine->assignment(r->state, r->out->topic);
    return st;
}

static gb_status add_point(run *r, gb_error *err)
{
    gb_status st;
    bench_result *out = r->out;
    double log_joint;
    GB_TRY(take_assignment(r, err));
    GB_TRY(bench_log_joint(r->corpus, r->corpus->word, out->topic, r->spec->n_topics,
                           r->spec->prior.start.table[0].value, r->spec->beta.value, &log_joint, err));
    out->point[out->n_points++] = (bench_point){
        .sweep = out->n_sweeps, .time = out->total, .log_joint = log_joint / (double)r->corpus->n_tokens};
done:
    return st;
}

static gb_status sweep(run *r, gb_error *err)
{
    bench_result *out = r->out;
    const bench_time begin = bench_now();
    const gb_status st = r->plan->engine->sweep(r->state, err);
    const bench_time spent = bench_since(begin);
    out->cpu[out->n_sweeps] = spent.cpu;
    out->wall[out->n_sweeps] = spent.wall;
    out->n_sweeps++;
    add_time(&out->total, spent);
    return st;
}

static bool is_there(const run *r)
{
    return r->plan->until != 0 && r->out->n_points > 0 &&
           r->out->point[r->out->n_points - 1].log_joint >= r->plan->until;
}

static gb_status start(run *r, gb_error *err)
{
    bench_result *out = r->out;
    out->memory = bench_memory("VmRSS");
    const bench_time begin = bench_now();
    const gb_status st = r->plan->engine->create(&r->state, r->corpus, r->spec, r->plan->begin, err);
    out->start = out->total = bench_since(begin);
    return st;
}

static gb_status allocate(const bench_plan *plan, bench_result *out, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(&out->cpu, plan->n_sweeps, sizeof *out->cpu, "times", err));
    GB_TRY(gb_alloc(&out->wall, plan->n_sweeps, sizeof *out->wall, "times", err));
    if (plan->trace > 0)
        GB_TRY(gb_alloc(&out->point, plan->n_sweeps / plan->trace + 1, sizeof *out->point, "points", err));
done:
    return st;
}

gb_status bench_measure(const bench_plan *plan, const gb_corpus *corpus, const gb_spec *spec, bench_result *out,
                        gb_error *err)
{
    gb_status st;
    run r = {.plan = plan, .corpus = corpus, .spec = spec, .out = out};
    *out = (bench_result){0};
    GB_TRY(allocate(plan, out, err));
    GB_TRY(start(&r, err));
    if (plan->trace > 0)
        GB_TRY(add_point(&r, err));
    while (out->n_sweeps < plan->n_sweeps && !is_there(&r)) {
        GB_TRY(sweep(&r, err));
        if (plan->trace > 0 && out->n_sweeps % plan->trace == 0)
            GB_TRY(add_point(&r, err));
    }
    out->memory_peak = plan->trace == 0 ? bench_memory("VmHWM") : NAN; /* the log joint needs memory of its own */
    GB_TRY(take_assignment(&r, err));
done:
    plan->engine->destroy(r.state);
    return st;
}

void bench_result_clear(bench_result *result)
{
    gb_free(result->cpu);
    gb_free(result->wall);
    gb_free(result->point);
    gb_free(result->topic);
}
