/* The trace of a chain: which sweeps have a row, and what is in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chain/trace.h"
#include "helper_documents.h"
#include "model/model.h"
#include "plan/plan.h"

#include <math.h>

static void rows_are_counted_as_they_are_added(void **unused)
{
    (void)unused;
    uint64_t n = 0;
    for (uint64_t sweep = 1; sweep <= 5000; sweep++) {
        const bool has_row = sweep % gb_trace_stride(sweep) == 0;
        n += has_row;
        assert_int_equal(gb_trace_length(sweep), n);
        if (has_row)
            assert_int_equal(gb_trace_row(sweep), n - 1);
    }
    assert_int_equal(gb_trace_length(0), 0);
    assert_true(n < 600);
}

/* Also where the stride has just doubled. */
static void columns_are_of_sweeps_at_equal_distances(void **unused)
{
    (void)unused;
    for (uint64_t last = 0; last <= 2000; last++) {
        double row[1000][2], x[1000];
        for (uint64_t sweep = 1; sweep <= last; sweep++)
            if (sweep % gb_trace_stride(sweep) == 0)
                row[gb_trace_row(sweep)][1] = (double)sweep;
        const size_t n = gb_trace_column(last, 2, &row[0][0], 1, x);
        assert_int_equal(n, last / gb_trace_stride(last));
        for (size_t i = 0; i < n; i++)
            assert_true(x[i] == (double)((i + 1) * gb_trace_stride(last)));
    }
}

/* ---- chains ---- */

static gb_corpus *make_corpus(void)
{
    return corpus_of("documents.jsonl", "label", "label", NULL);
}

static void write_documents(void)
{
    write_file("documents.jsonl", "{\"text\": \"ape bee cat bee\", \"label\": \"x\"}\n"
                                  "{\"text\": \"cat dog elk\", \"label\": \"y\"}\n"
                                  "{\"text\": \"ape elk elk\"}\n"
                                  "{\"text\": \"dog elk dog\", \"label\": \"y\"}\n");
}

static void the_last_row_is_the_state_of_the_chain(void **unused)
{
    (void)unused;
    gb_corpus *corpus = make_corpus();
    gb_settings *settings = settings_of("topics", "3", "sweeps", "10", "seed", "3", "threads", "1", NULL);
    gb_plan *plan;
    gb_chain *c;
    double log_joint, loss;
    assert_int_equal(gb_plan_create(corpus, settings, &plan, NULL), GB_OK);
    assert_int_equal(gb_chain_create(plan, 0, &c, NULL), GB_OK);
    assert_null(gb_chain_find_array(c, "trace"));
    assert_int_equal(gb_chain_step(c, 7, NULL, NULL, NULL), GB_OK);
    const gb_array_view *view = gb_chain_find_array(c, "trace");
    assert_true(view->shape[0] == 3 && view->shape[1] == 2);
    assert_int_equal(gb_chain_step(c, 1, NULL, NULL, NULL), GB_OK);
    view = gb_chain_find_array(c, "trace");
    assert_int_equal(gb_chain_summary(c, false, &log_joint, &loss, NULL), GB_OK);
    assert_true(((const double *)view->data)[6] == log_joint);
    assert_true(((const double *)view->data)[7] == loss);
    gb_chain_free(c);
    gb_plan_free(plan);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

static gb_model *train(gb_settings *settings)
{
    gb_model *m;
    gb_corpus *corpus = make_corpus();
    assert_int_equal(gb_train(corpus, settings, NULL, NULL, &m, NULL), GB_OK);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
    return m;
}

static void a_model_has_the_traces_of_all_chains_and_reads_them_back(void **unused)
{
    (void)unused;
    gb_model *m = train(settings_of("topics", "3", "sweeps", "10", "chains", "2", "seed", "3", NULL)), *again;
    gb_model *single = train(settings_of("topics", "3", "sweeps", "10", "seed", "3", NULL));
    assert_int_equal(m->n_traces, 2);
    assert_true(m->trace_sweeps[0] == 10 && m->trace_sweeps[1] == 10);
    assert_memory_equal(m->trace, single->trace, 5 * 2 * sizeof *m->trace);
    assert_int_equal(gb_model_choose_chain(m, 0, NULL), GB_OK); /* whichever leads */
    const gb_draw last = gb_model_kept(m, m->n_kept - 1);       /* of the second chain, after sweep 10 */
    assert_true(m->trace[18] == *last.log_joint && m->trace[19] == last.loss[0]);
    assert_int_equal(gb_model_write(m, "m.gibbous", true, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_read("m.gibbous", NULL, NULL, &again, NULL), GB_OK);
    assert_int_equal(again->n_traces, 2);
    assert_memory_equal(again->trace_sweeps, m->trace_sweeps, 2 * sizeof *m->trace_sweeps);
    assert_memory_equal(again->trace, m->trace, 20 * sizeof *m->trace);
    gb_model_free(m);
    gb_model_free(single);
    gb_model_free(again);
}

static int begin(void **state)
{
    const int failed = enter_folder(state);
    if (failed == 0)
        write_documents();
    return failed;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_counted_as_they_are_added),
                                       cmocka_unit_test(columns_are_of_sweeps_at_equal_distances),
                                       cmocka_unit_test(the_last_row_is_the_state_of_the_chain),
                                       cmocka_unit_test(a_model_has_the_traces_of_all_chains_and_reads_them_back)};
    return cmocka_run_group_tests(tests, begin, leave_folder);
}
