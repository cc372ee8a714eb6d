/* A chain that was saved and loaded goes on as if nothing had happened, with another number of threads and another instruction
 * set; and nothing in a damaged file is believed. */
#include "helper_variants.h"

#include "chain/state.h"
#include "plan/spec.h"
#include "random/random.h"
#include "recipe/start.h"
#include "recipe/sweep.h"
#include "simd/isa.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* the last member of variants: no words */

/* ---- chains ---- */

typedef struct run {
    gb_settings *settings;
    gb_spec spec;
    gb_chain *chain;
} run;

/* A chain that is allocated and nothing else. */
static run open_run(const gb_corpus *corpus, const variant *v, const char *threads, gb_isa isa)
{
    gb_error err = {.status = GB_OK};
    run r = {.settings = variant_settings(v, threads)};
    variant_check(gb_spec_resolve(variant_corpus(corpus, v), r.settings, &r.spec, &err), &err);
    r.spec.isa = isa;
    return r;
}

static void allocate(const gb_corpus *corpus, run *r)
{
    gb_error err = {.status = GB_OK};
    variant_check(gb_chain_allocate(&r->chain, corpus, &r->spec, 0, &err), &err);
}

static void close_run(run *r)
{
    gb_chain_free(r->chain);
    gb_spec_clear(&r->spec);
    gb_settings_free(r->settings);
}

static void sweep(gb_chain *chain, uint32_t last)
{
    gb_error err = {.status = GB_OK};
    while (chain->sweep < last)
        variant_check(gb_recipe_sweep(chain, &err), &err);
}

static void save(const gb_chain *chain, const char *path)
{
    gb_error err = {.status = GB_OK};
    gb_store_writer *w = NULL;
    variant_check(gb_store_create(&w, "checkpoint", &err), &err);
    variant_check(gb_chain_save_state(chain, w, "chain.0.", &err), &err);
    variant_check(gb_store_save(w, path, true, &err), &err);
    gb_store_writer_free(w);
}

static gb_status load(gb_chain *chain, const char *path, gb_error *err)
{
    gb_store *s = NULL;
    gb_status st = gb_store_open(&s, path, "checkpoint", err);
    if (st == GB_OK)
        st = gb_recipe_load_state(chain, s, "chain.0.", err);
    gb_store_close(s);
    return st;
}

static void temporary(char path[static 40])
{
    (void)snprintf(path, 40, "/tmp/gibbous-resume-XXXXXX");
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(close(file), 0);
}

/* The slowest instruction set, if the best is another. */
static gb_isa other_isa(gb_isa isa)
{
    return isa == GB_ISA_PLAIN ? gb_isa_best() : GB_ISA_PLAIN;
}

/* Saved after `at` sweeps and loaded, by a chain with other threads and instructions. */
static outcome resumed(const gb_corpus *corpus, const variant *v, const char *path)
{
    gb_error err = {.status = GB_OK};
    run r = open_run(corpus, v, "3", other_isa(gb_isa_best()));
    allocate(variant_corpus(corpus, v), &r);
    variant_check(load(r.chain, path, &err), &err);
    sweep(r.chain, N_SWEEPS);
    const outcome o = outcome_of(r.chain);
    close_run(&r);
    return o;
}

static void a_loaded_chain_goes_on_with_the_same_bits(void **state)
{
    static const uint32_t at[] = {0, 1, 4}; /* the burn-in has two sweeps */
    enum { N_SAVED = sizeof at / sizeof at[0] };
    const gb_corpus *corpus = *state;
    char path[N_SAVED][40];
    for (size_t i = 0; i < N_SAVED; i++)
        temporary(path[i]);
    for (size_t i = 0; i < N_VARIANTS; i++) {
        gb_error err = {.status = GB_OK};
        run r = open_run(corpus, &variants[i], "2", gb_isa_best());
        variant_check(gb_chain_begin(&r.chain, variant_corpus(corpus, &variants[i]), &r.spec, 0, &err), &err);
        for (size_t j = 0; j < N_SAVED; j++) {
            sweep(r.chain, at[j]);
            save(r.chain, path[j]);
        }
        sweep(r.chain, N_SWEEPS);
        outcome undisturbed = outcome_of(r.chain);
        close_run(&r);
        for (size_t j = 0; j < N_SAVED; j++) {
            outcome o = resumed(corpus, &variants[i], path[j]);
            assert_same_outcome(corpus, &undisturbed, &o);
            free_outcome(&o);
        }
        free_outcome(&undisturbed);
    }
    for (size_t i = 0; i < N_SAVED; i++)
        assert_int_equal(unlink(path[i]), 0);
}

/* ---- several responses, with parameters of their own ---- */

/* "mark" is a number, "visits" a count, "grade" one of three classes. */
static gb_corpus *build_targets(void)
{
    enum { DOCS = 300, WORDS = 40 };
    gb_error err = {.status = GB_OK};
    gb_corpus_builder *b = NULL;
    gb_corpus *corpus = NULL;
    size_t grade, mark, visits;
    gb_random r = gb_random_open(gb_key_make(5, 0), 0, GB_DRAW_TEST, 0);
    variant_check(gb_corpus_builder_create(&b, &err), &err);
    variant_check(gb_corpus_builder_labels(b, "grade", false, &grade, &err), &err);
    variant_check(gb_corpus_builder_numbers(b, "mark", GB_ROLE_RESPONSE, &mark, &err), &err);
    variant_check(gb_corpus_builder_numbers(b, "visits", GB_ROLE_RESPONSE, &visits, &err), &err);
    for (size_t w = 0; w < WORDS; w++) {
        char word[20];
        const int n = snprintf(word, sizeof word, "w%zu", w);
        variant_check(gb_corpus_builder_word(b, word, (size_t)n, &err), &err);
    }
    for (size_t d = 0; d < DOCS; d++) {
        const uint64_t class = gb_random_below(&r, 3), length = 1 + gb_random_below(&r, 30);
        variant_check(gb_corpus_builder_document(b, NULL, 0, &err), &err);
        for (uint64_t i = 0; i < length; i++)
            variant_check(
                gb_corpus_builder_token(
                    b, (uint32_t)((gb_random_below(&r, WORDS / 4) * 3 + class + gb_random_below(&r, 2)) % WORDS),
                    &err),
                &err);
        variant_check(gb_corpus_builder_class(b, grade, &"abc"[class], 1, &err), &err);
        variant_check(gb_corpus_builder_number(b, mark, (double)class + gb_random_normal(&r), &err), &err);
        if (d % 7 != 3)
            variant_check(gb_corpus_builder_number(b, visits, (double)(class * gb_random_below(&r, 5)), &err), &err);
    }
    variant_check(gb_corpus_builder_finish(b, NULL, NULL, &corpus, &err), &err);
    gb_corpus_builder_free(b);
    return corpus;
}

static gb_settings *settings_of_targets(const char *response, const char *levels, const char *two_stage,
                                        const char *threads)
{
    gb_error err = {.status = GB_OK};
    gb_settings *settings = NULL;
    variant_check(gb_settings_create(&settings, &err), &err);
    const char *const values[][2] = {{"topics", "7"},
                                     {"sweeps", "6"},
                                     {"burn-in", "2"},
                                     {"alpha", "sample"},
                                     {"beta", "sample"},
                                     {"response", response},
                                     {"two-stage", two_stage},
                                     {"sampler", "mh"},
                                     {"threads", threads},
                                     {"seed", "3"},
                                     {"noise-variance", "sample"},
                                     {"dispersion", "sample"},
                                     {"levels", levels}};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (*values[i][1] != '\0')
            variant_set(settings, values[i][0], values[i][1]);
    return settings;
}

typedef struct ending {
    double log_joint, own[8], eta[3 * 8];
    uint64_t proposed[GB_MH_N_PROPOSALS], accepted[GB_MH_N_PROPOSALS];
} ending;

static ending end_of(gb_chain *chain)
{
    gb_error err = {.status = GB_OK};
    ending e = {.log_joint = NAN};
    variant_check(gb_chain_log_joint(chain, &e.log_joint, &err), &err);
    assert_true(chain->spec->n_own > 0 && chain->spec->n_own <= 8);
    memcpy(e.own, chain->own, chain->spec->n_own * sizeof *e.own);
    memcpy(e.eta, chain->eta, 3 * 7 * sizeof *e.eta);
    chain->spec->sampler->rates(chain->token_state, e.proposed, e.accepted);
    return e;
}

static void own_parameters_go_on(void **state)
{
    static const struct {
        const char *response, *levels, *two_stage;
    } cases[] = {{"grade=probit,mark=gaussian,visits=negative-binomial", "", "no"},
                 {"grade=ordinal,mark=gaussian,visits=negative-binomial", "grade=a,b,c", "no"},
                 {"grade=hinge,mark=gaussian,visits=negative-binomial", "", "yes"}};
    gb_error err = {.status = GB_OK};
    gb_corpus *corpus = build_targets();
    char path[40];
    (void)state;
    temporary(path);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ending e[2];
        for (int resumes = 0; resumes < 2; resumes++) {
            run r = {.settings = settings_of_targets(cases[i].response, cases[i].levels, cases[i].two_stage,
                                                     resumes ? "3" : "1")};
            variant_check(gb_spec_resolve(corpus, r.settings, &r.spec, &err), &err);
            if (resumes) {
                allocate(corpus, &r);
                variant_check(load(r.chain, path, &err), &err);
            } else {
                variant_check(gb_chain_begin(&r.chain, corpus, &r.spec, 0, &err), &err);
                sweep(r.chain, 4);
                save(r.chain, path);
            }
            sweep(r.chain, 6);
            e[resumes] = end_of(r.chain);
            close_run(&r);
        }
        assert_memory_equal(&e[0], &e[1], sizeof e[0]);
    }
    assert_int_equal(unlink(path), 0);
    gb_corpus_free(corpus);
}

static void a_state_saved_again_after_loading_is_the_same_file(void **state)
{
    const gb_corpus *corpus = *state;
    char path[2][40], bytes[2][1 << 12];
    for (size_t i = 0; i < N_VARIANTS; i += 3) {
        gb_error err = {.status = GB_OK};
        run r = open_run(corpus, &variants[i], "2", gb_isa_best()),
            again = open_run(corpus, &variants[i], "1", GB_ISA_PLAIN);
        temporary(path[0]);
        temporary(path[1]);
        variant_check(gb_chain_begin(&r.chain, variant_corpus(corpus, &variants[i]), &r.spec, 0, &err), &err);
        sweep(r.chain, 4);
        save(r.chain, path[0]);
        allocate(variant_corpus(corpus, &variants[i]), &again);
        variant_check(load(again.chain, path[0], &err), &err);
        save(again.chain, path[1]);
        FILE *a = fopen(path[0], "rb"), *b = fopen(path[1], "rb");
        assert_true(a != NULL && b != NULL);
        for (size_t n; (n = fread(bytes[0], 1, sizeof bytes[0], a)) > 0;) {
            assert_int_equal(fread(bytes[1], 1, sizeof bytes[1], b), n);
            assert_memory_equal(bytes[0], bytes[1], n);
        }
        assert_int_equal(fgetc(b), EOF);
        assert_int_equal(fclose(a) + fclose(b) + unlink(path[0]) + unlink(path[1]), 0);
        close_run(&r);
        close_run(&again);
    }
}

/* ---- damage ---- */

/* A file with the state of `chain` in which one array is another. */
typedef struct damage {
    const char *name;
    size_t at;       /* element to change */
    double number;   /* of a floating-point array */
    uint64_t whole;  /* of another */
    const char *why; /* in the message */
} damage;

typedef struct copying {
    const damage *damage;
    bool is_done;
} copying;

/* Change a chain's own memory for as long as it takes to save it. */
static void damage_array(void *context, const gb_array *array)
{
    copying *c = context;
    if (strcmp(array->name, c->damage->name) != 0 || gb_array_first(array) == NULL || array->life != GB_STATE)
        return;
    assert_true(c->damage->at < gb_array_count(array));
    unsigned char *element = (unsigned char *)gb_array_first(array) + c->damage->at * array->size;
    if (array->type == GB_F64)
        memcpy(element, &c->damage->number, sizeof c->damage->number);
    else
        memcpy(element, &c->damage->whole, array->size);
    c->is_done = true;
}

static void assert_refused(const gb_corpus *corpus, const variant *v, const damage *d)
{
    gb_error err = {.status = GB_OK};
    char path[40];
    run r = open_run(corpus, v, "1", gb_isa_best()), other = open_run(corpus, v, "1", gb_isa_best());
    temporary(path);
    variant_check(gb_chain_begin(&r.chain, corpus, &r.spec, 0, &err), &err);
    sweep(r.chain, 3);
    copying c = {.damage = d};
    gb_chain_list(r.chain, &(gb_array_visitor){damage_array, &c});
    assert_true(c.is_done);
    save(r.chain, path);
    allocate(corpus, &other);
    assert_int_equal(load(other.chain, path, &err), GB_EFORMAT);
    if (strstr(err.message, d->why) == NULL || strstr(err.message, path) == NULL)
        fail_msg("%s: \"%s\" should contain \"%s\"", d->name, err.message, d->why);
    assert_int_equal(unlink(path), 0);
    close_run(&r);
    close_run(&other);
}

static const variant hinge_mh = {"hinge", "blocks", "4", "11", "horseshoe", "block", "mh", NULL},
                     full_graph = {"logistic", "blocks", "4", "11", "normal", "block", "auto", "full graph"};

static void values_that_cannot_be_are_refused(void **state)
{
    const damage supervised[] = {
        {"topics", 17, 0, N_TOPICS, "a topic is not below"},
        {"coefficients", 3, NAN, 0, "\"chain.0.coefficients\": a number is not finite"},
        {"coefficient_scales", 2, -1, 0, "\"chain.0.coefficient_scales\": a number is not positive"},
        {"augmentation", 6, INFINITY, 0, "\"chain.0.augmentation\": a number is not finite"},
        {"augmentation", 4, -1, 0, "\"chain.0.augmentation\": a precision is negative"},
        {"block_masses", 0, -0.5, 0, "\"chain.0.block_masses\": a number is negative"},
        {"alpha", 1, 0, 0, "an alpha is not a positive number"},
        {"word_proposals_are_frozen", 0, 0, 2, "damaged"},
        {"word_proposal_starts", 1, 0, UINT32_MAX, "damaged"},
        {"word_proposal_cells", 2, 0, 0xffff0000, "damaged"},
        {"word_proposal_rest", 2, -1, 0, "not positive"}};
    const damage weights[] = {{"psi", 5, NAN, 0, "\"chain.0.psi\": a number is not finite"},
                              {"group_mean", 5, INFINITY, 0, "\"chain.0.group_mean\": a number is not finite"},
                              {"covariance", 0, -1, 0, "a covariance is not positive definite"},
                              {"evolution_precision", 0, 0, 0, "a precision is not a positive number"}};
    for (size_t i = 0; i < sizeof supervised / sizeof supervised[0]; i++)
        assert_refused(*state, &hinge_mh, &supervised[i]);
    for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++)
        assert_refused(*state, &full_graph, &weights[i]);
}

static void a_state_of_another_chain_is_refused(void **state)
{
    const gb_corpus *corpus = *state;
    const variant other = {"none", "blocks", "8", "11", "normal", "block", "dense", "interval"};
    gb_error err = {.status = GB_OK};
    char path[40];
    temporary(path);
    run a = open_run(corpus, &hinge_mh, "1", gb_isa_best()), b = open_run(corpus, &other, "1", gb_isa_best());
    variant_check(gb_chain_begin(&a.chain, corpus, &a.spec, 0, &err), &err);
    save(a.chain, path);
    allocate(corpus, &b);
    assert_int_equal(load(b.chain, path, &err), GB_EFORMAT);
    assert_non_null(strstr(err.message, path));
    save(a.chain, path);
    gb_store *s = NULL;
    variant_check(gb_store_open(&s, path, "checkpoint", &err), &err);
    assert_int_equal(gb_recipe_load_state(b.chain, s, "chain.1.", &err), GB_EFORMAT);
    assert_non_null(strstr(err.message, "\"chain.1.sweep\" is missing"));
    gb_store_close(s);
    assert_int_equal(unlink(path), 0);
    close_run(&a);
    close_run(&b);
}

/* ---- by name ---- */

static void arrays_are_looked_at_by_name(void **state)
{
    const gb_corpus *corpus = *state;
    gb_error err = {.status = GB_OK};
    run r = open_run(corpus, &hinge_mh, "1", gb_isa_best());
    const gb_array_view *view;
    variant_check(gb_chain_begin(&r.chain, corpus, &r.spec, 0, &err), &err);
    sweep(r.chain, 1);
    view = gb_chain_find_array(r.chain, "topics");
    assert_non_null(view);
    outcome o = outcome_of(r.chain);
    assert_true(strcmp(view->type, "U16") == 0 && view->n_dimensions == 1 && view->shape[0] == corpus->n_tokens &&
                view->stride[0] == sizeof(uint16_t));
    assert_memory_equal(view->data, o.topic, corpus->n_tokens * sizeof *o.topic);
    view = gb_chain_find_array(r.chain, "coefficients");
    assert_non_null(view);
    assert_true(strcmp(view->type, "F64") == 0 && view->n_dimensions == 2 && view->shape[0] == N_CLASSES &&
                view->shape[1] == N_TOPICS + 1 && view->stride[0] == (N_TOPICS + 1) * sizeof(double));
    assert_memory_equal(view->data, o.eta, o.n_eta);
    view = gb_chain_find_array(r.chain, "scores");
    assert_non_null(view);
    assert_memory_equal(view->data, o.score, o.n_score);
    view = gb_chain_find_array(r.chain, "alpha");
    assert_non_null(view);
    assert_true(view->n_dimensions == 1 && view->shape[0] == N_TOPICS);
    assert_null(gb_chain_find_array(r.chain, "psi"));
    assert_null(gb_chain_find_array(r.chain, "lane_base"));
    free_outcome(&o);
    close_run(&r);
}

typedef struct names {
    const char *name[200];
    size_t n;
} names;

static void take_state(void *context, const gb_array *array)
{
    names *all = context;
    for (size_t i = 0; i < all->n && array->life == GB_STATE; i++)
        assert_string_not_equal(all->name[i], array->name);
    if (array->life == GB_STATE)
        all->name[all->n++] = array->name;
}

static void no_two_arrays_of_a_state_have_one_name(void **state)
{
    for (size_t i = 0; i < N_VARIANTS; i++) {
        names all = {.n = 0};
        run r = open_run(*state, &variants[i], "2", gb_isa_best());
        allocate(*state, &r);
        gb_chain_list(r.chain, &(gb_array_visitor){take_state, &all});
        close_run(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_chain_goes_on_with_the_same_bits),
        cmocka_unit_test(own_parameters_go_on),
        cmocka_unit_test(a_state_saved_again_after_loading_is_the_same_file),
        cmocka_unit_test(values_that_cannot_be_are_refused),
        cmocka_unit_test(a_state_of_another_chain_is_refused),
        cmocka_unit_test(arrays_are_looked_at_by_name),
        cmocka_unit_test(no_two_arrays_of_a_state_have_one_name),
    };
    return cmocka_run_group_tests_name("resume", tests, variant_set_up, variant_tear_down);
}
