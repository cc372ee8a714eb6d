/* cli/bar.h - intervals of a table, drawn with characters. */
#ifndef GB_CLI_BAR_H
#define GB_CLI_BAR_H

#include "gibbous/answer.h"

enum { CLI_BAR_WIDTH = 41 };

/** What the first and the last place of a bar stand for; low > high: the table has no columns of GB_PLACE_BAR. */
typedef struct cli_bar {
    double low, high;
} cli_bar;

/** For the bars of some rows: from 0, or from what is below it, to the largest number. */
cli_bar cli_bar_make(const gb_table *table, uint64_t first, uint64_t end);
/** "|" and a line from the lowest to the highest number of a row, with "o" at the first; no blanks at the end.  @return its width */
size_t cli_bar_draw(const cli_bar *bar, const gb_table *table, uint64_t row, char out[static CLI_BAR_WIDTH + 1]);
/** Both ends as numbers.  @return the width */
size_t cli_bar_title(const cli_bar *bar, char out[static CLI_BAR_WIDTH + 1]);

#endif
