/* test_lists.c - names that an option takes are those of the table that works with them, and the other way round. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "apply/export.h"
#include "coefficient/coefficient.h"
#include "corpus/readers/reader.h"
#include "corpus/writers/writer.h"
#include "gibbous/gibbous.h"
#include "plan/target.h"
#include "prior/prior.h"
#include "token/token.h"

#include <stdio.h>
#include <string.h>

static bool takes(const char *option, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = gb_option_find(option)->choices; at != NULL; at = strchr(at, '|')) {
        at += *at == '|';
        if (strncmp(at, name, length) == 0 && (at[length] == '|' || at[length] == '\0'))
            return true;
    }
    return false;
}

static size_t n_choices(const char *option)
{
    size_t n = 1;
    for (const char *at = gb_option_find(option)->choices; *at != '\0'; at++)
        n += *at == '|';
    return n;
}

static void formats_to_read_are_those_of_the_readers(void **state)
{
    (void)state;
    size_t n = 0;
    for (; gb_reader_formats[n] != NULL; n++)
        assert_true(takes("format", gb_reader_formats[n]->name));
    assert_true(takes("format", "auto"));
    assert_int_equal(n_choices("format"), n + 1);
}

static void formats_to_write_are_those_of_the_writers_and_exports(void **state)
{
    (void)state;
    size_t n = 0, n_exports = 0;
    for (; gb_writer_formats[n] != NULL; n++)
        assert_true(takes("to", gb_writer_formats[n]->name));
    for (const char *name; (name = gb_export_format_name(n_exports)) != NULL; n_exports++)
        assert_true(takes("to", name));
    assert_true(takes("to", "auto") && takes("to", "corpus"));
    assert_int_equal(n_choices("to"), n + n_exports + 2);
}

/* Calls `known` with each choice but "auto". */
static void assert_known(const char *option, bool (*known)(const char *name))
{
    char names[256];
    (void)snprintf(names, sizeof names, "%s", gb_option_find(option)->choices);
    for (char *rest = names, *name; (name = strtok_r(rest, "|", &rest)) != NULL;)
        assert_true(strcmp(name, "auto") == 0 || known(name));
}

static bool is_prior(const char *name)
{
    return gb_prior_find(name) != NULL;
}

static bool is_coefficient_prior(const char *name)
{
    return gb_coefficient_prior_find(name) != NULL;
}

static bool is_coefficient_sampler(const char *name)
{
    return gb_coefficient_sampler_find(name, 2, 2) != NULL;
}

static bool is_sampler(const char *name)
{
    return gb_token_sampler_find(name) != NULL;
}

static bool is_task(const char *name)
{
    gb_task_kind task;
    return gb_task_find(name, &task) && strcmp(gb_task_name(task), name) == 0;
}

static void every_choice_is_in_its_table(void **state)
{
    (void)state;
    assert_known("prior", is_prior);
    assert_known("coefficient-prior", is_coefficient_prior);
    assert_known("coefficient-sampler", is_coefficient_sampler);
    assert_known("sampler", is_sampler);
    assert_known("task", is_task);
}

static void every_task_can_be_chosen(void **state)
{
    (void)state;
    size_t n = 0;
    for (int task = GB_TASK_NONE + 1; *gb_task_name((gb_task_kind)task) != '\0'; task++, n++)
        assert_true(takes("task", gb_task_name((gb_task_kind)task)));
    assert_int_equal(n_choices("task"), n + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_to_read_are_those_of_the_readers),
        cmocka_unit_test(formats_to_write_are_those_of_the_writers_and_exports),
        cmocka_unit_test(every_choice_is_in_its_table),
        cmocka_unit_test(every_task_can_be_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
