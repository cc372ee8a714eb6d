/* corpus/data/date.c - dates as numbers: the year, and the part of it that has passed.  Effects are then those of a year. */
#include "corpus/data/date.h"

/* `n` digits as a number; -1 if they are none. */
static int digits(gb_view v, size_t at, size_t n)
{
    int value = 0;
    if (at + n > v.length)
        return -1;
    for (size_t i = at; i < at + n; i++) {
        if (v.text[i] < '0' || v.text[i] > '9')
            return -1;
        value = 10 * value + (v.text[i] - '0');
    }
    return value;
}

static bool is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* "T12:30:15.5Z" as a part of the day; what follows hours and minutes does not matter.  -1: it is no time. */
static double part_of_day(gb_view v)
{
    const int hours = digits(v, 1, 2), minutes = digits(v, 4, 2);
    if ((v.text[0] != 'T' && v.text[0] != ' ') || hours < 0 || minutes < 0 || hours > 24 || minutes > 59 ||
        v.text[3] != ':')
        return -1;
    return (hours + minutes / 60.0) / 24;
}

bool gb_view_to_date(gb_view v, double *year)
{
    static const int days_before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    if (v.length < 10 || (v.text[4] != '-' && v.text[4] != '/') || v.text[7] != v.text[4])
        return false;
    const int y = digits(v, 0, 4), month = digits(v, 5, 2), day = digits(v, 8, 2);
    if (y < 0 || month < 1 || month > 12 || day < 1)
        return false;
    const bool leap = is_leap(y);
    if (day > days_before[month] - days_before[month - 1] + (leap && month == 2))
        return false;
    const double time = v.length == 10 ? 0 : part_of_day((gb_view){v.text + 10, v.length - 10});
    if (time < 0)
        return false;
    *year = y + (days_before[month - 1] + (leap && month > 2) + day - 1 + time) / (leap ? 366.0 : 365.0);
    return true;
}
