/* cli/bar.c - intervals of a table, drawn with characters. */
#include "bar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PLACES = CLI_BAR_WIDTH - 1 };

static bool is_drawn(const gb_table *t, uint64_t column)
{
    return gb_table_column(t, column)->place == GB_PLACE_BAR;
}

cli_bar cli_bar_make(const gb_table *t, uint64_t first, uint64_t end)
{
    cli_bar bar = {1, 0};
    for (uint64_t c = 0; c < gb_table_n_columns(t); c++) {
        if (!is_drawn(t, c))
            continue;
        bar.low = fmin(bar.low, 0);
        for (uint64_t row = first; row < end; row++) {
            bar.low = fmin(bar.low, gb_table_reals(t, c)[row]);
            bar.high = fmax(bar.high, gb_table_reals(t, c)[row]);
        }
    }
    return bar;
}

static size_t place_of(const cli_bar *bar, double value)
{
    return bar->high > bar->low ? (size_t)lround((value - bar->low) / (bar->high - bar->low) * (PLACES - 1)) : 0;
}

size_t cli_bar_draw(const cli_bar *bar, const gb_table *t, uint64_t row, char out[static CLI_BAR_WIDTH + 1])
{
    double mark = NAN, low = INFINITY, high = -INFINITY;
    size_t n = CLI_BAR_WIDTH;
    memset(out, ' ', CLI_BAR_WIDTH);
    out[0] = '|';
    for (uint64_t c = 0; c < gb_table_n_columns(t); c++) {
        if (!is_drawn(t, c))
            continue;
        const double value = gb_table_reals(t, c)[row];
        mark = isnan(mark) ? value : mark;
        low = fmin(low, value);
        high = fmax(high, value);
    }
    if (low <= high)
        memset(out + 1 + place_of(bar, low), '-', place_of(bar, high) - place_of(bar, low) + 1);
    if (!isnan(mark))
        out[1 + place_of(bar, mark)] = 'o';
    while (out[n - 1] == ' ')
        n--;
    out[n] = '\0';
    return n;
}

size_t cli_bar_title(const cli_bar *bar, char out[static CLI_BAR_WIDTH + 1])
{
    const int n = snprintf(out, CLI_BAR_WIDTH + 1, "%.3g", bar->low);
    (void)snprintf(out + n, (size_t)(CLI_BAR_WIDTH + 1 - n), "%*.3g", CLI_BAR_WIDTH - n, bar->high);
    return strlen(out);
}
