/* tests/unit/test_needs.c - the column `needs` of the options, and what is refused by it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "options/needs.h"
#include "options/settings.h"
#include "response/response.h"

#include <string.h>

/* ---- helpers ---------------------------------------------------------------------------------------- */

static int create(void **state)
{
    return gb_settings_create((gb_settings **)state, NULL) == GB_OK ? 0 : -1;
}

static int destroy(void **state)
{
    gb_settings_free(*state);
    return 0;
}

static void set(gb_settings *s, const char *name, const char *value)
{
    gb_error err = {0};
    if (gb_settings_set(s, name, value, &err) != GB_OK)
        fail_msg("%s %s: %s", name, value, err.message);
}

static gb_status check(const gb_settings *s, const char *subject, const char *needs, gb_error *err)
{
    return gb_settings_check(s, subject, needs, NULL, 0, NULL, err);
}

static void assert_refused(const gb_settings *s, const char *subject, const char *needs, const char *message)
{
    gb_error err = {0};
    assert_int_equal(check(s, subject, needs, &err), GB_EARGUMENT);
    assert_string_equal(err.message, message);
}

/* ---- rules ------------------------------------------------------------------------------------------ */

static void what_is_needed_must_be_given(void **state)
{
    gb_settings *s = *state;
    set(s, "seed-strength", "2");
    assert_refused(s, "seed-strength", "seeds", "`seed-strength` needs `seeds` FILE");
    set(s, "seeds", "a.txt");
    assert_int_equal(check(s, "seed-strength", "seeds", NULL), GB_OK);
    assert_refused(s, "seed-strength", "not seeds", "`seed-strength` does not go with `seeds`");
}

static void an_option_that_is_not_given_needs_nothing(void **state)
{
    gb_settings *s = *state;
    assert_int_equal(check(s, "seed-strength", "seeds", NULL), GB_OK);
    set(s, "folds", "0"); /* none */
    assert_int_equal(check(s, "folds", "seeds", NULL), GB_OK);
    set(s, "psi-mean", "0"); /* a mean */
    assert_refused(s, "psi-mean", "seeds", "`psi-mean` needs `seeds` FILE");
    set(s, "use-labels", "no");
    assert_refused(s, "use-labels", "DOCUMENTS", "`use-labels` needs the argument DOCUMENTS");
}

static void one_of_several_is_enough(void **state)
{
    gb_settings *s = *state;
    const char *needs = "merge or drop or names";
    assert_refused(s, "rename", needs, "rename needs `merge` A+B, `drop` A,B or `names` FILE");
    set(s, "drop", "3");
    assert_int_equal(check(s, "rename", needs, NULL), GB_OK);
}

static void a_value_must_be_one_of_those_named(void **state)
{
    gb_settings *s = *state;
    set(s, "margin", "2");
    assert_int_equal(check(s, "margin", "response hinge|probit", NULL), GB_OK); /* auto: it may become one */
    set(s, "response", "gaussian");
    assert_refused(s, "margin", "response hinge|probit", "`margin` needs `response` hinge or probit, not gaussian");
    assert_refused(s, "margin", "not response probit|gaussian", "`margin` does not go with `response` gaussian");
    set(s, "response", "a=hinge,b=gaussian"); /* said for each field */
    assert_int_equal(check(s, "margin", "not response probit|gaussian", NULL), GB_OK);
}

static void facts_come_before_the_settings(void **state)
{
    gb_settings *s = *state;
    gb_error err = {0};
    const gb_fact facts[] = {{"response", "gaussian", NULL}, {"response", "hinge", NULL}, {"MODEL", "yes", NULL}};
    set(s, "margin", "2");
    set(s, "response", "probit");
    assert_int_equal(gb_settings_check(s, "margin", "response hinge", NULL, 3, facts, NULL), GB_OK);
    assert_int_equal(gb_settings_check(s, "margin", "response probit", NULL, 3, facts, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "`margin` needs `response` probit, not gaussian and hinge");
    assert_int_equal(gb_settings_check(s, "margin", "not MODEL", NULL, 3, facts, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "`margin` does not go with the argument MODEL");
}

static void a_rule_may_be_of_one_value_or_one_scope(void **state)
{
    gb_settings *s = *state;
    gb_error err = {0};
    const char *needs = "for words, nearest: nearest-in; in effects, topics: table";
    set(s, "table-of", "parts");
    assert_int_equal(check(s, "table-of", needs, NULL), GB_OK);
    assert_int_equal(gb_settings_check(s, "table-of", needs, "topics", 0, NULL, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "`table-of` needs `table` FORMAT");
    set(s, "table-of", "nearest");
    assert_refused(s, "table-of", needs, "`table-of` nearest needs `nearest-in` FILE");
}

static void a_rule_may_be_of_one_part(void **state)
{
    gb_settings *s = *state;
    const char *needs = "for topics, words: seeds; for words: ngrams";
    set(s, "variance", "intercept=1");
    assert_int_equal(check(s, "variance", needs, NULL), GB_OK);
    set(s, "variance", "1");
    assert_refused(s, "variance", needs, "`variance` of topics needs `seeds` FILE");
    set(s, "variance", "words=1,intercept=1");
    set(s, "seeds", "a.txt");
    assert_refused(s, "variance", needs, "`variance` of words needs `ngrams` N");
}

static void a_rule_may_be_of_all_values_but_some(void **state)
{
    gb_settings *s = *state;
    set(s, "calibrate", "0");
    assert_int_equal(check(s, "calibrate", "unless 0: seeds", NULL), GB_OK);
    set(s, "calibrate", "3");
    assert_refused(s, "calibrate", "unless 0: seeds", "`calibrate` 3 needs `seeds` FILE");
}

static void a_fact_in_words_is_open_until_it_is_known(void **state)
{
    gb_settings *s = *state;
    gb_error err = {0};
    const char *needs = "labels-of-its-own; the-verb export|train";
    const gb_fact facts[] = {{"labels-of-its-own", "yes", NULL}, {"the-verb", "convert", NULL}};
    set(s, "to", "ldavis");
    assert_int_equal(check(s, "to", needs, NULL), GB_OK);
    assert_int_equal(gb_settings_check(s, "to", needs, NULL, 2, facts, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "`to` needs the verb export or train, not convert");
    const gb_fact other = {"labels-of-its-own", "no", NULL};
    assert_int_equal(gb_settings_check(s, "to", needs, NULL, 1, &other, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "`to` needs labels of its own");
}

static void values_of_a_grid_are_open(void **state)
{
    gb_settings *s = *state;
    set(s, "graph", "chain");
    assert_refused(s, "graph", "prior graph", "`graph` needs `prior` graph, not dirichlet");
    set(s, "grid", "prior=dirichlet,graph");
    assert_int_equal(check(s, "graph", "prior graph", NULL), GB_OK);
}

static void what_is_for_one_field_may_not_suit_another(void **state)
{
    gb_settings *s = *state;
    const gb_fact facts[] = {{"response", "probit", "a"}, {"response", "hinge", "b"}};
    gb_error err = {0};
    set(s, "cost", "b=4");
    assert_int_equal(gb_settings_check(s, "cost", "not response probit", NULL, 2, facts, NULL), GB_OK);
    assert_int_equal(gb_settings_check(s, "cost", "response probit", NULL, 2, facts, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "`cost` needs `response` probit, not hinge");
    set(s, "cost", "b=4,a=2");
    assert_int_equal(gb_settings_check(s, "cost", "not response probit", NULL, 2, facts, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "`cost` does not go with `response` probit");
    set(s, "levels", "b=low,high");
    assert_int_equal(gb_settings_check(s, "levels", "not response probit", NULL, 2, facts, NULL), GB_OK);
    set(s, "levels", "a=low,high");
    assert_int_equal(gb_settings_check(s, "levels", "not response probit", NULL, 2, facts, NULL), GB_EARGUMENT);
    set(s, "cost", "4");
    assert_int_equal(gb_settings_check(s, "cost", "not response probit", NULL, 2, facts, NULL), GB_EARGUMENT);
}

static void what_is_left_without_its_need_is_dropped(void **state)
{
    gb_settings *s = *state;
    set(s, "word-effects", "tfidf");
    set(s, "idf-power", "2");
    set(s, "variance", "words=2"); /* before `word-effects` in the table */
    set(s, "levels", "a,b");
    set(s, "response", "none");
    assert_int_equal(gb_settings_drop_unmet(s, NULL), GB_OK);
    assert_false(gb_settings_is_set(s, "word-effects"));
    assert_false(gb_settings_is_set(s, "idf-power"));
    assert_false(gb_settings_is_set(s, "variance"));
    assert_int_equal(gb_settings_list(s, "levels")->count, 0);
    assert_int_equal(gb_settings_check_all(s, NULL, 0, NULL, NULL), GB_OK);
}

/* ---- the table --------------------------------------------------------------------------------------- */

/* Names are options, arguments in capitals, or facts in words; values are choices of theirs. */
static void assert_condition(const gb_option *option, char *condition)
{
    static const char *const facts[] = {"the-verb",
                                        "classes-without-probabilities",
                                        "effects-of-folds",
                                        "a-field-to-predict",
                                        "a-field-with-classes",
                                        "a-field-of-lists",
                                        "a-sampled-beta",
                                        "covariates-in-the-model",
                                        "metadata-in-the-model",
                                        "covariates-with-levels-in-the-model",
                                        "embeddings-in-the-model",
                                        "word-effects-in-the-model",
                                        "groups-in-the-model",
                                        "an-exposure-in-the-model",
                                        "document-weights-in-the-model"};
    char *name = strncmp(condition, "not ", 4) == 0 ? condition + 4 : condition, *values = strchr(name, ' ');
    if (values != NULL)
        *values++ = '\0';
    const gb_option *other = gb_option_find(name);
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        if (strcmp(name, facts[i]) == 0)
            return;
    if (other == NULL && strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != strlen(name))
        fail_msg("%s needs %s, which is no option", option->name, name);
    gb_settings *s = NULL;
    assert_int_equal(gb_settings_create(&s, NULL), GB_OK);
    for (char *save = NULL, *v = values == NULL ? NULL : strtok_r(values, "|", &save); v != NULL;
         v = strtok_r(NULL, "|", &save))
        set(s, name, v);
    gb_settings_free(s);
}

static void every_rule_can_be_read(void **state)
{
    (void)state;
    const gb_option *option;
    for (uint64_t i = 0; (option = gb_option_at(i)) != NULL; i++) {
        char text[600], *rule, *rules = NULL;
        assert_true(strlen(option->needs) < sizeof text);
        (void)strcpy(text, option->needs);
        for (rule = strtok_r(text, ";", &rules); rule != NULL; rule = strtok_r(NULL, ";", &rules)) {
            char *colon = strchr(rule, ':'), *conditions = colon == NULL ? rule : colon + 1, *save = NULL;
            for (char *c = strtok_r(conditions, ",", &save); c != NULL; c = strtok_r(NULL, ",", &save)) {
                char * or ;
                for (c += strspn(c, " "); (or = strstr(c, " or ")) != NULL; c = or +4) {
                    * or = '\0';
                    assert_condition(option, c);
                }
                assert_condition(option, c);
            }
        }
    }
}

/* What response.h says of a response, the table says of its options. */
static void a_response_that_takes_no_cost_is_refused_one(void **state)
{
    static const char *const options[] = {"cost", "class-weight", "document-weight"};
    (void)state;
    for (size_t i = 0; gb_response_at(i) != NULL; i++) {
        for (size_t j = 0; j < sizeof options / sizeof options[0]; j++) {
            gb_settings *s = NULL;
            assert_int_equal(gb_settings_create(&s, NULL), GB_OK);
            set(s, "response", gb_response_at(i)->name);
            set(s, options[j], strcmp(options[j], "class-weight") == 0 ? "balanced" : "2");
            assert_int_equal(check(s, options[j], gb_option_find(options[j])->needs, NULL),
                             gb_response_at(i)->takes_no_cost ? GB_EARGUMENT : GB_OK);
            gb_settings_free(s);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_needed_must_be_given, create, destroy),
        cmocka_unit_test_setup_teardown(an_option_that_is_not_given_needs_nothing, create, destroy),
        cmocka_unit_test_setup_teardown(one_of_several_is_enough, create, destroy),
        cmocka_unit_test_setup_teardown(a_value_must_be_one_of_those_named, create, destroy),
        cmocka_unit_test_setup_teardown(facts_come_before_the_settings, create, destroy),
        cmocka_unit_test_setup_teardown(a_rule_may_be_of_one_value_or_one_scope, create, destroy),
        cmocka_unit_test_setup_teardown(a_rule_may_be_of_one_part, create, destroy),
        cmocka_unit_test_setup_teardown(a_rule_may_be_of_all_values_but_some, create, destroy),
        cmocka_unit_test_setup_teardown(a_fact_in_words_is_open_until_it_is_known, create, destroy),
        cmocka_unit_test_setup_teardown(values_of_a_grid_are_open, create, destroy),
        cmocka_unit_test_setup_teardown(what_is_for_one_field_may_not_suit_another, create, destroy),
        cmocka_unit_test_setup_teardown(what_is_left_without_its_need_is_dropped, create, destroy),
        cmocka_unit_test(every_rule_can_be_read),
        cmocka_unit_test(a_response_that_takes_no_cost_is_refused_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
