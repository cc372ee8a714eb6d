/* tests/unit/test_settings.c - the option table, the checks of values, numbers and names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"
#include "options/option_table.h"
#include "options/variance.h"

#include <locale.h>
#include <stdio.h>
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

/* Setting the option fails as wrong use, with exactly that message. */
static void assert_refused(gb_settings *s, const char *name, const char *value, const char *message)
{
    gb_error err = {0};
    assert_int_equal(gb_settings_set(s, name, value, &err), GB_EARGUMENT);
    assert_int_equal(err.status, GB_EARGUMENT);
    assert_string_equal(err.message, message);
}

static void assert_accepted(gb_settings *s, const char *name, const char *value)
{
    gb_error err = {0};
    gb_status st = gb_settings_set(s, name, value, &err);
    if (st != GB_OK)
        fail_msg("--%s %s: %s", name, value, err.message);
}

/* ---- the table -------------------------------------------------------------------------------------- */

static void every_option_is_well_formed(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < gb_option_count(); i++) {
        const gb_option *o = gb_option_at(i);
        assert_ptr_equal(gb_option_find(o->name), o); /* no name twice */
        assert_true(strspn(o->name, "abcdefghijklmnopqrstuvwxyz-") == strlen(o->name));
        assert_true(strncmp(o->name, "no-", 3) != 0);
        size_t length = strlen(o->help);
        assert_true(length > 0 && o->help[length - 1] != '.');
        bool has_value = o->kind != GB_OPTION_FLAG && o->kind != GB_OPTION_SWITCH;
        assert_int_equal(*o->argument != '\0', has_value);
        assert_int_equal(*o->low != '\0' && *o->high != '\0', o->kind == GB_OPTION_INT || o->kind == GB_OPTION_REAL);
        assert_int_equal(*o->choices != '\0', o->kind == GB_OPTION_CHOICE);
        assert_true(*gb_option_kind_name(o->kind) != '\0' && *gb_option_group_name(o->group) != '\0');
        for (uint64_t j = 0; j < i; j++)
            assert_true(o->letter == 0 || o->letter != gb_option_at(j)->letter);
    }
}

static void an_option_beyond_the_last_is_none(void **state)
{
    (void)state;
    assert_null(gb_option_at(gb_option_count()));
    assert_null(gb_option_at(UINT64_MAX));
    assert_null(gb_option_find("topisc"));
    assert_string_equal(gb_option_kind_name((gb_option_kind)99), "");
    assert_string_equal(gb_option_group_name((gb_option_group)99), "");
}

static void defaults_are_those_of_the_table(void **state)
{
    const gb_settings *s = *state;
    assert_int_equal(gb_settings_int(s, "topics"), 50);
    assert_string_equal(gb_settings_text(s, "cost"), "auto");
    assert_true(gb_settings_real_or(s, "seed-strength", 0) == 0);
    assert_string_equal(gb_settings_get(s, "seed-strength", 0), "auto");
    assert_string_equal(gb_settings_text(s, "beta"), "auto");
    assert_int_equal(gb_settings_int_or(s, "seed", -1), -1);
    assert_true(gb_settings_yes(s, "lowercase"));
    assert_true(gb_settings_yes(s, "intercept"));
    assert_string_equal(gb_settings_text(s, "variance"), "auto");
    assert_false(gb_settings_yes(s, "force"));
    assert_string_equal(gb_settings_text(s, "prior"), "dirichlet");
    assert_string_equal(gb_settings_text(s, "text"), "text");
    assert_string_equal(gb_settings_text(s, "model"), "");
    assert_int_equal(gb_settings_list(s, "label")->count, 0);
    for (uint64_t i = 0; i < gb_option_count(); i++)
        assert_false(gb_settings_is_set(s, gb_option_at(i)->name));
}

static void a_default_reads_back_as_the_table_has_it(void **state)
{
    gb_settings *s = *state;
    for (uint64_t i = 0; i < gb_option_count(); i++) {
        const gb_option *o = gb_option_at(i);
        if (o->kind == GB_OPTION_LIST) {
            assert_int_equal(gb_settings_n_values(s, o->name), 0);
            continue;
        }
        assert_int_equal(gb_settings_n_values(s, o->name), 1);
        if (o->kind != GB_OPTION_REAL || strcmp(o->default_value, "auto") == 0)
            assert_string_equal(gb_settings_get(s, o->name, 0), o->default_value);
        assert_null(gb_settings_get(s, o->name, 1));
        if (*o->default_value != '\0')
            assert_accepted(s, o->name, o->default_value);
    }
}

/* ---- values ----------------------------------------------------------------------------------------- */

static void whole_numbers_are_read_to_the_last_byte(void **state)
{
    gb_settings *s = *state;
    assert_accepted(s, "topics", "20");
    assert_int_equal(gb_settings_int(s, "topics"), 20);
    assert_true(gb_settings_is_set(s, "topics"));
    assert_accepted(s, "topics", "+7");
    assert_accepted(s, "seed", "9223372036854775807");
    assert_true(gb_settings_int_or(s, "seed", -1) == INT64_MAX);
    assert_refused(s, "topics", "", "`topics` must be a whole number, not \"\"");
    assert_refused(s, "topics", "abc", "`topics` must be a whole number, not \"abc\"");
    assert_refused(s, "topics", " 5", "`topics` must be a whole number, not \" 5\"");
    assert_refused(s, "topics", "5 ", "`topics` must be a whole number, not \"5 \"");
    assert_refused(s, "topics", "5.0", "`topics` must be a whole number, not \"5.0\"");
    assert_refused(s, "topics", "1e3", "`topics` must be a whole number, not \"1e3\"");
    assert_refused(s, "topics", "0x10", "`topics` must be a whole number, not \"0x10\"");
    assert_refused(s, "topics", "-", "`topics` must be a whole number, not \"-\"");
}

static void numbers_outside_their_range_are_refused(void **state)
{
    gb_settings *s = *state;
    assert_refused(s, "topics", "0", "`topics` must be between 2 and 65535, not 0");
    assert_refused(s, "topics", "1", "`topics` must be between 2 and 65535, not 1");
    assert_refused(s, "topics", "65536", "`topics` must be between 2 and 65535, not 65536");
    assert_refused(s, "topics", "99999999999999999999",
                   "`topics` must be between 2 and 65535, not 99999999999999999999");
    assert_refused(s, "topics", "-99999999999999999999",
                   "`topics` must be between 2 and 65535, not -99999999999999999999");
    assert_refused(s, "seed", "9223372036854775808",
                   "`seed` must be auto or between 0 and 9223372036854775807, not 9223372036854775808");
    assert_refused(s, "margin", "0", "`margin` must be between 1e-6 and 1e6, not 0");
    assert_refused(s, "margin", "1e999", "`margin` must be between 1e-6 and 1e6, not 1e999");
    assert_refused(s, "margin", "-1e999", "`margin` must be between 1e-6 and 1e6, not -1e999");
    assert_accepted(s, "topics", "2");
    assert_accepted(s, "topics", "65535");
    assert_accepted(s, "margin", "1e-6");
    assert_accepted(s, "margin", "1000000");
}

static void real_numbers_are_plain_decimals(void **state)
{
    gb_settings *s = *state;
    assert_accepted(s, "margin", "2.5");
    assert_true(gb_settings_real(s, "margin") == 2.5);
    assert_accepted(s, "margin", "25e-1");
    assert_true(gb_settings_real(s, "margin") == 2.5);
    assert_accepted(s, "margin", ".5");
    assert_refused(s, "margin", "abc", "`margin` must be a number, not \"abc\"");
    assert_refused(s, "margin", "", "`margin` must be a number, not \"\"");
    assert_refused(s, "margin", "nan", "`margin` must be a number, not \"nan\"");
    assert_refused(s, "margin", "inf", "`margin` must be a number, not \"inf\"");
    assert_refused(s, "margin", "0x1p3", "`margin` must be a number, not \"0x1p3\"");
    assert_refused(s, "margin", "1,5", "`margin` must be a number, not \"1,5\"");
    assert_refused(s, "margin", "1 ", "`margin` must be a number, not \"1 \"");
    assert_refused(s, "margin", "1e", "`margin` must be a number, not \"1e\"");
    assert_refused(s, "margin", "--1", "`margin` must be a number, not \"--1\"");
}

static void a_decimal_comma_in_the_locale_changes_nothing(void **state)
{
    gb_settings *s = *state;
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL)
        skip();
    assert_accepted(s, "margin", "2.5");
    assert_true(gb_settings_real(s, "margin") == 2.5);
    char text[GB_REAL_SIZE];
    gb_text_from_real(2.5, text);
    (void)setlocale(LC_ALL, "C");
    assert_string_equal(text, "2.5");
}

static void choices_and_switches_list_what_they_take(void **state)
{
    gb_settings *s = *state;
    assert_accepted(s, "prior", "uniform");
    assert_string_equal(gb_settings_text(s, "prior"), "uniform");
    assert_refused(s, "prior", "x", "`prior` must be one of dirichlet, uniform, logistic-normal, graph, not \"x\"");
    assert_refused(s, "prior", "", "`prior` must be one of dirichlet, uniform, logistic-normal, graph, not \"\"");
    assert_refused(s, "prior", "uni",
                   "`prior` must be one of dirichlet, uniform, logistic-normal, graph, not \"uni\"");
    assert_refused(s, "prior", "dirichlet|uniform",
                   "`prior` must be one of dirichlet, uniform, logistic-normal, graph, not \"dirichlet|uniform\"");
    assert_accepted(s, "lowercase", "no");
    assert_false(gb_settings_yes(s, "lowercase"));
    assert_refused(s, "lowercase", "maybe", "`lowercase` must be yes or no, not \"maybe\"");
    assert_refused(s, "force", "1", "`force` must be yes or no, not \"1\"");
}

static void lists_grow_by_one_value_per_call(void **state)
{
    gb_settings *s = *state;
    assert_accepted(s, "label", "stars");
    assert_accepted(s, "label", "section");
    assert_int_equal(gb_settings_list(s, "label")->count, 2);
    assert_string_equal(gb_settings_list(s, "label")->item[0], "stars");
    assert_string_equal(gb_settings_list(s, "label")->item[1], "section");
    assert_refused(s, "label", "", "`label` must not be empty");
    assert_int_equal(gb_settings_list(s, "label")->count, 2);
}

static void texts_are_utf8_but_file_names_are_any_bytes(void **state)
{
    gb_settings *s = *state;
    assert_accepted(s, "text", "\xc3\xa9t\xc3\xa9");
    assert_refused(s, "text", "a\xff", "`text` must be valid UTF-8, not \"a?\"");
    assert_accepted(s, "model", "a\xff.gibbous");
    assert_string_equal(gb_settings_text(s, "model"), "a\xff.gibbous");
}

static void a_variance_is_of_topics_unless_its_part_is_named(void **state)
{
    gb_settings *s = *state;
    assert_accepted(s, "variance", "0.50");
    assert_string_equal(gb_settings_text(s, "variance"), "topics=0.5");
    assert_accepted(s, "variance", "words=sample,topics=auto,intercept=1e2");
    assert_string_equal(gb_settings_text(s, "variance"), "words=sample,intercept=100");
    assert_int_equal(gb_settings_set_variance(s, GB_VARIANCE_COVARIATES, 3, NULL), GB_OK);
    assert_string_equal(gb_settings_text(s, "variance"), "covariates=3,words=sample,intercept=100");
    const gb_variances all = gb_settings_variances(s);
    assert_true(all.of[GB_VARIANCE_TOPICS] == GB_VARIANCE_AUTO && all.of[GB_VARIANCE_COVARIATES] == 3 &&
                all.of[GB_VARIANCE_WORDS] == GB_VARIANCE_SAMPLED && all.of[GB_VARIANCE_INTERCEPT] == 100);
    assert_accepted(s, "variance", "topics=auto");
    assert_string_equal(gb_settings_text(s, "variance"), "auto");
    assert_refused(s, "variance", "much",
                   "`variance` of topics must be auto, sample or a number from 1e-12 to 1e12, not \"much\"");
    assert_refused(s, "variance", "covariates=sample",
                   "`variance` of covariates must be auto or a number from 1e-12 to 1e12, not \"sample\"");
    assert_refused(s, "variance", "topics=0",
                   "`variance` of topics must be auto, sample or a number from 1e-12 to 1e12, not \"0\"");
    assert_refused(s, "variance", "1,", "`variance` of topics is given twice");
    assert_refused(s, "variance", "",
                   "`variance` of topics must be auto, sample or a number from 1e-12 to 1e12, not \"\"");
    assert_refused(s, "variance", "word=1",
                   "`variance` has no part \"word\"; it has topics, covariates, words, embeddings and intercept");
}

static void auto_is_the_spelling_wherever_the_program_decides(void **state)
{
    gb_settings *s = *state;
    static const char *const deciding[][2] = {{"alpha", "0.5"}, {"cost", "4"},    {"epsilon", "0"},
                                              {"burn-in", "0"}, {"thin", "3"},    {"blocks", "1"},
                                              {"seed", "0"},    {"threads", "2"}, {"held-out-samples", "7"}};
    for (size_t i = 0; i < sizeof deciding / sizeof deciding[0]; i++) {
        const char *name = deciding[i][0];
        assert_string_equal(gb_settings_get(s, name, 0), "auto");
        assert_accepted(s, name, deciding[i][1]);
        assert_string_equal(gb_settings_get(s, name, 0), deciding[i][1]);
        assert_accepted(s, name, "auto");
        assert_string_equal(gb_settings_get(s, name, 0), "auto");
    }
    assert_refused(s, "burn-in", "-1", "`burn-in` must be auto or between 0 and 1000000000, not -1");
    assert_refused(s, "thin", "automatic", "`thin` must be auto or a whole number, not \"automatic\"");
    assert_refused(s, "topics", "auto", "`topics` must be a whole number, not \"auto\"");
}

static void beta_is_a_number_or_has_a_prior(void **state)
{
    gb_settings *s = *state;
    assert_accepted(s, "beta", "sample");
    assert_accepted(s, "beta", "gamma:2,0.5");
    assert_string_equal(gb_settings_text(s, "beta"), "gamma:2,0.5");
    assert_accepted(s, "beta", "1e-2");
    assert_string_equal(gb_settings_text(s, "beta"), "0.01"); /* in one spelling */
    for (size_t i = 0; i < 5; i++) {
        static const char *const wrong[] = {"0", "1e-7", "optimise", "gamma:2", "gamma:2,0"};
        assert_int_equal(gb_settings_set(s, "beta", wrong[i], NULL), GB_EARGUMENT);
    }
    assert_string_equal(gb_settings_text(s, "beta"), "0.01");
}

static void values_are_told_as_texts(void **state)
{
    gb_settings *s = *state, *copy = NULL;
    assert_accepted(s, "topics", "+7");
    assert_accepted(s, "beta", "0.010");
    assert_accepted(s, "lowercase", "no");
    assert_accepted(s, "label", "a");
    assert_accepted(s, "label", "b");
    assert_int_equal(gb_settings_copy(s, &copy, NULL), GB_OK);
    for (int i = 0; i < 2; i++, s = copy) {
        assert_string_equal(gb_settings_get(s, "topics", 0), "7");
        assert_string_equal(gb_settings_get(s, "beta", 0), "0.01");
        assert_string_equal(gb_settings_get(s, "lowercase", 0), "no");
        assert_string_equal(gb_settings_get(s, "force", 0), "no");
        assert_int_equal(gb_settings_n_values(s, "label"), 2);
        assert_string_equal(gb_settings_get(s, "label", 1), "b");
        assert_null(gb_settings_get(s, "label", 2));
        assert_null(gb_settings_get(s, "topisc", 0));
        assert_int_equal(gb_settings_n_values(s, "topisc"), 0);
        assert_true(gb_settings_is_set(s, "beta"));
        assert_false(gb_settings_is_set(s, "force"));
    }
    gb_settings_free(copy);
}

static void a_refused_value_changes_nothing(void **state)
{
    gb_settings *s = *state;
    assert_accepted(s, "prior", "uniform");
    assert_int_equal(gb_settings_set(s, "prior", "x", NULL), GB_EARGUMENT);
    assert_int_equal(gb_settings_set(s, "topics", "0", NULL), GB_EARGUMENT);
    assert_string_equal(gb_settings_text(s, "prior"), "uniform");
    assert_int_equal(gb_settings_int(s, "topics"), 50);
    assert_false(gb_settings_is_set(s, "topics"));
}

static void a_message_stays_on_one_line(void **state)
{
    assert_refused(*state, "topics", "1\n2\t\x1b[31m", "`topics` must be a whole number, not \"1?2??[31m\"");
    char longer[400], message[400];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    (void)snprintf(message, sizeof message, "`topics` must be a whole number, not \"%.*s...\"",
                   (int)(GB_QUOTE_SIZE - sizeof "\"...\""), longer);
    assert_refused(*state, "topics", longer, message);
}

/* ---- names ------------------------------------------------------------------------------------------ */

static void a_mistyped_name_is_answered_with_the_nearest(void **state)
{
    gb_settings *s = *state;
    assert_refused(s, "topisc", "5", "no option \"topisc\"; did you mean `topics`?");
    assert_refused(s, "topic", "5", "no option \"topic\"; did you mean `topics`?");
    assert_refused(s, "coefficient", "5", "no option \"coefficient\"; did you mean `coefficient-prior`?");
    assert_refused(s, "burnin", "5", "no option \"burnin\"; did you mean `burn-in`?");
    assert_refused(s, "zzzzzzzz", "5", "no option \"zzzzzzzz\"");
    assert_refused(s, "", "5", "no option \"\"");
}

static void the_nearest_name_needs_the_fewest_edits(void **state)
{
    (void)state;
    const char *const names[] = {"train", "trace", "topics", "x"};
    assert_string_equal(gb_text_nearest("trian", 4, names), "train"); /* a swap is one edit */
    assert_string_equal(gb_text_nearest("trin", 4, names), "train");
    assert_string_equal(gb_text_nearest("tracee", 4, names), "trace");
    assert_string_equal(gb_text_nearest("top", 4, names), "topics");
    assert_null(gb_text_nearest("evaluate", 4, names));
    assert_null(gb_text_nearest("", 4, names));
    assert_null(gb_text_nearest("train", 0, names));
}

/* ---- JSON ------------------------------------------------------------------------------------------- */

static void settings_survive_json(void **state)
{
    gb_settings *s = *state, *copy = NULL;
    assert_accepted(s, "topics", "17");
    assert_accepted(s, "cost", "0.1");
    assert_accepted(s, "seed-strength", "0.30000000000000004");
    assert_accepted(s, "label", "a");
    assert_accepted(s, "label", "b \"c\"");
    assert_accepted(s, "lowercase", "no");
    assert_accepted(s, "response", "logistic");
    json_t *object = gb_settings_to_json(s);
    assert_non_null(object);
    assert_string_equal(json_string_value(json_object_get(object, "cost")), "0.1");
    assert_string_equal(json_string_value(json_object_get(object, "topics")), "17");
    assert_string_equal(json_string_value(json_object_get(object, "lowercase")), "no");
    assert_null(json_object_get(object, "output")); /* not an option of train */
    assert_int_equal(gb_settings_create(&copy, NULL), GB_OK);
    assert_int_equal(gb_settings_from_json(copy, object, NULL), GB_OK);
    assert_int_equal(gb_settings_int(copy, "topics"), 17);
    assert_true(gb_settings_real_or(copy, "seed-strength", 0) == gb_settings_real_or(s, "seed-strength", 0));
    assert_int_equal(gb_settings_list(copy, "label")->count, 2);
    assert_string_equal(gb_settings_list(copy, "label")->item[1], "b \"c\"");
    json_t *again = gb_settings_to_json(copy);
    assert_true(json_equal(object, again));
    json_decref(again);
    json_decref(object);
    gb_settings_free(copy);
}

static void assert_bad_json(gb_settings *s, const char *text, const char *message)
{
    gb_error err = {0};
    json_t *object = json_loads(text, 0, NULL);
    assert_int_equal(gb_settings_from_json(s, object, &err), GB_EFORMAT);
    assert_int_equal(err.status, GB_EFORMAT);
    assert_string_equal(err.message, message);
    json_decref(object);
}

static void bad_json_is_malformed_input(void **state)
{
    assert_bad_json(*state, "[]", "the settings are not a JSON object");
    assert_bad_json(*state, "{\"topisc\": \"5\"}", "no option \"topisc\"; did you mean `topics`?");
    assert_bad_json(*state, "{\"topics\": \"0\"}", "`topics` must be between 2 and 65535, not 0");
    assert_bad_json(*state, "{\"topics\": 5}", "setting topics is neither a text nor a list of texts");
    assert_bad_json(*state, "{\"label\": [5]}", "setting label holds something other than texts");
}

static void a_real_is_written_as_short_as_it_reads_back(void **state)
{
    (void)state;
    char text[GB_REAL_SIZE];
    gb_text_from_real(0.1, text);
    assert_string_equal(text, "0.1");
    gb_text_from_real(0.1 + 0.2, text);
    assert_string_equal(text, "0.30000000000000004");
    gb_text_from_real(1e-6, text);
    assert_string_equal(text, "1e-06");
    gb_text_from_real(8, text);
    assert_string_equal(text, "8");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, create, destroy)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_is_well_formed),
        cmocka_unit_test(an_option_beyond_the_last_is_none),
        CASE(defaults_are_those_of_the_table),
        CASE(a_default_reads_back_as_the_table_has_it),
        CASE(whole_numbers_are_read_to_the_last_byte),
        CASE(numbers_outside_their_range_are_refused),
        CASE(real_numbers_are_plain_decimals),
        CASE(a_decimal_comma_in_the_locale_changes_nothing),
        CASE(choices_and_switches_list_what_they_take),
        CASE(lists_grow_by_one_value_per_call),
        CASE(texts_are_utf8_but_file_names_are_any_bytes),
        CASE(a_variance_is_of_topics_unless_its_part_is_named),
        CASE(auto_is_the_spelling_wherever_the_program_decides),
        CASE(beta_is_a_number_or_has_a_prior),
        CASE(values_are_told_as_texts),
        CASE(a_refused_value_changes_nothing),
        CASE(a_message_stays_on_one_line),
        CASE(a_mistyped_name_is_answered_with_the_nearest),
        cmocka_unit_test(the_nearest_name_needs_the_fewest_edits),
        CASE(settings_survive_json),
        CASE(bad_json_is_malformed_input),
        cmocka_unit_test(a_real_is_written_as_short_as_it_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
