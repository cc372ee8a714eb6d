/* test_model_builder.c - models made draw by draw, from chains that are stepped by hand. */
#include "helper_documents.h"

#include "gibbous/gibbous.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gb_corpus *simulated(const char *classes)
{
    return simulated_with(settings_of("documents", "80", "length", "20", "vocabulary-size", "100", "topics", "4",
                                      "classes", classes, "seed", "3", NULL));
}

static gb_chain *chain_of(const gb_plan *plan, uint64_t number)
{
    gb_chain *chain = NULL;
    assert_int_equal(gb_chain_create(plan, number, &chain, NULL), GB_OK);
    return chain;
}

static void step(gb_chain *chain, uint64_t n)
{
    assert_int_equal(gb_chain_step(chain, n, NULL, NULL, NULL), GB_OK);
}

static gb_model_builder *builder_of(const gb_plan *plan)
{
    gb_error err;
    gb_model_builder *builder = NULL;
    if (gb_model_builder_create(plan, &builder, &err) != GB_OK)
        fail_msg("%s", err.message);
    return builder;
}

static gb_model *finished(gb_model_builder *builder)
{
    gb_error err;
    gb_model *model = NULL;
    if (gb_model_builder_finish(builder, &model, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_model_builder_free(builder);
    return model;
}

static void write_model(gb_model *model, const char *path)
{
    gb_error err;
    if (gb_model_write(model, path, true, NULL, NULL, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_model_free(model);
}

/* All chains take turns, sweep after sweep. */
static gb_model *model_by_hand(const gb_plan *plan)
{
    gb_model_builder *builder = builder_of(plan);
    const uint64_t n = gb_plan_facts_of(plan)->n_chains;
    gb_chain **chain = calloc(n, sizeof(gb_chain *));
    assert_non_null(chain);
    for (uint64_t i = 0; i < n; i++)
        chain[i] = chain_of(plan, i);
    for (uint64_t sweep = 1; sweep <= gb_plan_facts_of(plan)->n_sweeps; sweep++)
        for (uint64_t i = 0; i < n; i++) {
            step(chain[i], 1);
            if (gb_chain_facts_of(chain[i])->keeps)
                assert_int_equal(gb_model_builder_add(builder, chain[i], NULL), GB_OK);
        }
    for (uint64_t i = 0; i < n; i++)
        gb_chain_free(chain[i]);
    free(chain);
    return finished(builder);
}

/* Two settings, their names and values. */
static void check_same_as_train(const char *classes, const char *name, const char *value, const char *other,
                                const char *other_value)
{
    gb_corpus *corpus = simulated(classes);
    gb_settings *settings =
        settings_of("topics", "5", "chains", "2", "sweeps", "13", "burn-in", "3", "thin", "2", "snapshots", "2",
                    "seed", "2", "threads", "2", name, value, other, other_value, NULL);
    gb_plan *plan = plan_of(corpus, settings);
    gb_model *model = NULL;
    assert_int_equal(gb_train(corpus, settings, NULL, NULL, &model, NULL), GB_OK);
    write_model(model, "trained");
    write_model(model_by_hand(plan), "by_hand");
    assert_same_files("trained", "by_hand");
    gb_plan_free(plan);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

static void chains_stepped_by_hand_give_the_bytes_of_train(void **state)
{
    (void)state;
    check_same_as_train("2", "response", "logistic", "blocks", "2");
    check_same_as_train("5", "sampler", "mh", "response", "hinge");
    check_same_as_train("5", "strategy", "one-vs-rest", "response", "probit");
    check_same_as_train("5", "calibrate", "2", "response", "hinge");
}

static void a_single_draw_makes_a_model_that_predicts(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("2");
    gb_settings *settings = settings_of("topics", "5", "sweeps", "1000", "snapshots", "2", "seed", "2", NULL);
    gb_plan *plan = plan_of(corpus, settings);
    gb_model_builder *builder = builder_of(plan);
    gb_chain *chain = chain_of(plan, 0);
    step(chain, 30);
    assert_int_equal(gb_model_builder_add(builder, chain, NULL), GB_OK);
    gb_model *model = finished(builder);
    assert_int_equal(gb_model_n_draws(model), 1);
    assert_int_equal(gb_model_n_snapshots(model), 1);
    gb_prediction *p = NULL;
    assert_int_equal(gb_prediction_create(model, gb_corpus_n_docs(corpus), &p, NULL), GB_OK);
    assert_int_equal(gb_predict(model, corpus, 0, settings, NULL, NULL, p, NULL), GB_OK);
    uint64_t n_right = 0;
    for (uint64_t d = 0; d < gb_corpus_n_docs(corpus); d++) {
        const uint32_t *class;
        uint64_t n;
        if (gb_corpus_classes_of(corpus, 0, d, &class, &n) && n == 1)
            n_right += p->response[0].predicted[d] == class[0];
    }
    assert_true(n_right > gb_corpus_n_docs(corpus) / 2);
    gb_prediction_free(p);
    step(chain, 1); /* the chain is still the caller's */
    gb_chain_free(chain);
    gb_model_free(model);
    gb_plan_free(plan);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

static void what_is_no_draw_is_refused(void **state)
{
    (void)state;
    gb_error err;
    gb_corpus *corpus = simulated("2");
    gb_settings *settings = settings_of("topics", "5", "sweeps", "10", "seed", "2", NULL);
    gb_plan *plan = plan_of(corpus, settings), *other = plan_of(corpus, settings);
    gb_model_builder *builder = builder_of(plan);
    gb_chain *chain = chain_of(plan, 0), *stranger = chain_of(other, 0);
    gb_model *model = NULL;
    assert_int_equal(gb_model_builder_finish(builder, &model, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "no draw was added: there is no model");
    assert_int_equal(gb_model_builder_add(builder, chain, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "chain 1 has done no sweep: there is no draw to add");
    step(stranger, 1);
    assert_int_equal(gb_model_builder_add(builder, stranger, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "a draw of a chain that has another plan than the model");
    step(chain, 2);
    assert_int_equal(gb_model_builder_add(builder, chain, NULL), GB_OK);
    assert_int_equal(gb_model_builder_add(builder, chain, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "chain 1: sweep 2 is not after the last draw, of sweep 2");
    assert_int_equal(gb_model_builder_finish(builder, &model, NULL), GB_OK);
    step(chain, 1);
    assert_int_equal(gb_model_builder_add(builder, chain, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "the model is finished: no draw can be added");
    gb_model_builder_free(builder);
    gb_model_free(model);
    gb_chain_free(chain);
    gb_chain_free(stranger);
    gb_plan_free(plan);
    gb_plan_free(other);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_stepped_by_hand_give_the_bytes_of_train),
        cmocka_unit_test(a_single_draw_makes_a_model_that_predicts),
        cmocka_unit_test(what_is_no_draw_is_refused),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
