/* Dates as years with a fraction. */
#include "corpus/data/date.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_year(const char *text, double expected)
{
    double year = 0;
    assert_true(gb_view_to_date(gb_view_of(text), &year));
    assert_true(fabs(year - expected) < 1e-9);
}

static void the_fraction_is_the_part_of_the_year_that_has_passed(void **state)
{
    (void)state;
    assert_year("2021-01-01", 2021);
    assert_year("2021/01/02", 2021 + 1 / 365.0);
    assert_year("2020-03-01", 2020 + 60 / 366.0);
    assert_year("2021-12-31", 2021 + 364 / 365.0);
    assert_year("1900-03-01", 1900 + 59 / 365.0);
}

static void a_time_is_a_part_of_the_day(void **state)
{
    (void)state;
    assert_year("2021-01-01T12:00:00Z", 2021 + 0.5 / 365);
    assert_year("2021-01-01 06:00", 2021 + 0.25 / 365);
}

static void months_may_have_names(void **state)
{
    static const char *const texts[] = {
        "6 May 2019",  "May 6, 2019",       "06-May-2019", "Mon, 06 May 2019 00:00:00 GMT",
        "6 MAY 2019",  "6.5.2019",          "06.05.2019",  "Mon May 06 00:00:00 +0000 2019",
        "May 06 2019", "Monday, 6 May 2019"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_year(texts[i], 2019 + 125 / 365.0);
    assert_year("6.5.2019 12:00", 2019 + 125.5 / 365);
    assert_year("Mon May 06 12:00:59 +0000 2019", 2019 + 125.5 / 365);
    assert_year("29 February 2020", 2020 + 59 / 366.0);
}

static void what_is_no_day_of_the_calendar_is_no_date(void **state)
{
    (void)state;
    const char *const texts[] = {"",
                                 "2021",
                                 "2021-1-1",
                                 "2021-13-01",
                                 "2021-02-29",
                                 "2021-00-01",
                                 "2021-01-00",
                                 "2021-01/01",
                                 "20210101xx",
                                 "2021-01-01x",
                                 "2021-01-01T",
                                 "2021-01-01 25:00",
                                 "05/06/2019",
                                 "6.13.2019",
                                 "6..5.2019",
                                 "6 Mai 2019",
                                 "May 2019 day 6",
                                 "6 May 19 2019x",
                                 "29 Feb 2019",
                                 "6 May 7 2019",
                                 "6 May 2019 25:00",
                                 "12345678",
                                 "6.5.20199",
                                 "May May 2019"};
    double year;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(gb_view_to_date(gb_view_of(texts[i]), &year));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fraction_is_the_part_of_the_year_that_has_passed),
        cmocka_unit_test(a_time_is_a_part_of_the_day),
        cmocka_unit_test(months_may_have_names),
        cmocka_unit_test(what_is_no_day_of_the_calendar_is_no_date),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
