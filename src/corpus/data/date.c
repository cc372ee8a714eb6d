/* corpus/data/date.c - dates as numbers: the year, and the part of it that has passed.  Effects are then those of a year. */
#include "corpus/data/date.h"

#include <string.h>
#include <strings.h>

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

/* year, month and day; a part of a day that is negative is none */
typedef struct date {
    int year, month, day;
    double time;
} date;

static bool is_date(const date *d, double *year)
{
    static const int days_before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    if (d->year < 0 || d->month < 1 || d->month > 12 || d->day < 1 || d->time < 0)
        return false;
    const bool leap = is_leap(d->year);
    if (d->day > days_before[d->month] - days_before[d->month - 1] + (leap && d->month == 2))
        return false;
    *year = d->year +
            (days_before[d->month - 1] + (leap && d->month > 2) + d->day - 1 + d->time) / (leap ? 366.0 : 365.0);
    return true;
}

static double time_behind(gb_view v, size_t at)
{
    return v.length <= at ? 0 : part_of_day((gb_view){v.text + at, v.length - at});
}

/* "6.5.2019": where the day comes first; between slashes it may be the month. */
static bool read_dots(gb_view v, date *d)
{
    int part[2] = {-1, -1};
    size_t at = 0;
    for (int i = 0; i < 2; i++) {
        const size_t n = at + 1 < v.length && v.text[at + 1] == '.' ? 1 : 2;
        part[i] = digits(v, at, n);
        at += n + 1;
        if (part[i] < 0 || at > v.length || v.text[at - 1] != '.')
            return false;
    }
    *d = (date){digits(v, at, 4), part[1], part[0], time_behind(v, at + 4)};
    return true;
}

/* 0: no month; names in English, or their first three letters */
static int month_of(gb_view word)
{
    static const char *const names[] = {"january", "february", "march",     "april",   "may",      "june",
                                        "july",    "august",   "september", "october", "november", "december"};
    for (int i = 0; i < 12; i++) {
        const size_t n = strlen(names[i]);
        if ((word.length == 3 || word.length == n) && strncasecmp(word.text, names[i], word.length) == 0)
            return i + 1;
    }
    return 0;
}

static bool is_weekday(gb_view word)
{
    static const char *const names[] = {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (word.length >= 3 && word.length <= strlen(names[i]) && strncasecmp(word.text, names[i], word.length) == 0)
            return true;
    return false;
}

/* One word of a date with the name of a month. */
static bool read_word(gb_view word, date *d)
{
    const bool is_number = word.text[0] >= '0' && word.text[0] <= '9';
    if (word.length >= 5 && word.text[2] == ':' && d->time == 0) {
        const int hours = digits(word, 0, 2), minutes = digits(word, 3, 2);
        d->time = hours < 0 || hours > 24 || minutes < 0 || minutes > 59 ? -1 : (hours + minutes / 60.0) / 24;
        return true;
    }
    if (is_number && word.length == 4 && d->year < 0)
        d->year = digits(word, 0, 4);
    else if (is_number && word.length <= 2 && d->day < 0)
        d->day = digits(word, 0, word.length);
    else if (!is_number && d->month < 0 && month_of(word) > 0)
        d->month = month_of(word);
    else /* what says nothing of the day */
        return is_weekday(word) || (word.length == 5 && memchr("+-", word.text[0], 2) != NULL) ||
               (word.length == 3 && (memcmp(word.text, "GMT", 3) == 0 || memcmp(word.text, "UTC", 3) == 0));
    return true;
}

/* "6 May 2019", "May 6, 2019", "06-May-2019", "Mon May 06 20:01:29 +0000 2019". */
static bool read_words(gb_view v, date *d)
{
    *d = (date){-1, -1, -1, 0};
    for (size_t at = 0, n; at < v.length; at += n + 1) {
        const bool has_sign = memchr("+-", v.text[at], 2) != NULL; /* of a time zone */
        for (n = has_sign; at + n < v.length && memchr(" ,-", v.text[at + n], 3) == NULL;)
            n++;
        if (n > 0 && !read_word((gb_view){v.text + at, n}, d))
            return false;
    }
    return true;
}

bool gb_view_to_date(gb_view v, double *year)
{
    date d;
    if (v.length < 8)
        return false;
    if (v.length >= 10 && (v.text[4] == '-' || v.text[4] == '/') && v.text[7] == v.text[4])
        d = (date){digits(v, 0, 4), digits(v, 5, 2), digits(v, 8, 2), time_behind(v, 10)};
    else if (!read_dots(v, &d) && !read_words(v, &d))
        return false;
    return is_date(&d, year);
}
