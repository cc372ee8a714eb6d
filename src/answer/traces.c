/* answer/traces.c - how log joint and losses went from the first sweep on, and whether they have levelled off. */
#include "answer/questions.h"
#include "diagnose/diagnosis.h"

#include <math.h>

enum {
    NAME,
    CHAIN,
    VALUES,
    TREND,
    LEVEL_FROM,
    STRIDE,
    SWEEPS,
    FIRST_KEPT,
    LATE,
    DRIFT,
    DRIFT_ERROR,
    SIZE,
    N_COLUMNS
};

static const gb_column columns[N_COLUMNS] = {
    [NAME] = {"name", "%s, from the first sweep on", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "",
              "log joint, or loss of a field"},
    [CHAIN] = {"chain", "chain", GB_CELL_COUNT, GB_PLACE_COLUMN, NULL, "", "number of the chain"},
    [VALUES] = {"values", "", GB_CELL_REALS, GB_PLACE_COLUMN, NULL, "",
                "value after every so many sweeps, see stride"},
    [TREND] = {"trend", "trend", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "",
               "what the last half says: level, rising, falling, or unclear: too few independent sweeps"},
    [LEVEL_FROM] = {"level_from", "from sweep", GB_CELL_COUNT, GB_PLACE_COLUMN, NULL, "sweeps",
                    "first sweep at the level of the last half; empty unless the trend is level"},
    [STRIDE] = {"stride", "", GB_CELL_COUNT, GB_PLACE_DATA, NULL, "sweeps", "sweeps from one value to the next"},
    [SWEEPS] = {"sweeps", "", GB_CELL_COUNT, GB_PLACE_DATA, NULL, "sweeps", "sweeps of the chain, burn-in included"},
    [FIRST_KEPT] = {"first_kept", "", GB_CELL_COUNT, GB_PLACE_DATA, NULL, "sweeps",
                    "sweep of the chain's first draw; empty if it has none"},
    [LATE] = {"late_labels_after", "", GB_CELL_COUNT, GB_PLACE_DATA, NULL, "sweeps",
              "sweeps before the chain had the held-out labels; empty if there are none"},
    [DRIFT] = {"drift", "", GB_CELL_REAL, GB_PLACE_DATA, "%.4g", "", "rise of a straight line over the last half"},
    [DRIFT_ERROR] = {"drift_error", "", GB_CELL_REAL, GB_PLACE_DATA, "%.4g", "", "its standard error"},
    [SIZE] = {"independent", "", GB_CELL_REAL, GB_PLACE_DATA, "%.0f", "sweeps",
              "independent values that those of the last half are worth"}};

static const char *const trend_name[] = {[GB_TREND_UNCLEAR] = "unclear",
                                         [GB_TREND_LEVEL] = "level",
                                         [GB_TREND_RISING] = "rising",
                                         [GB_TREND_FALLING] = "falling"};

static gb_status answer(const gb_asked *asked, gb_table *t, gb_error *err)
{
    const gb_diagnosis *d = asked->subject->diagnosis;
    gb_table_add_all(t, N_COLUMNS, columns, NULL);
    for (size_t i = 0; i < d->n_traces; i++) {
        const gb_trace *trace = &d->trace[i];
        const gb_levelled *levelled = &trace->levelled;
        gb_table_begin_row(t, NAN);
        gb_put_text(t, NAME, trace->name);
        gb_put_count(t, CHAIN, trace->chain + 1);
        gb_put_numbers(t, VALUES, trace->n, trace->value);
        gb_put_text(t, TREND, trend_name[levelled->trend]);
        gb_put_count(t, LEVEL_FROM,
                     levelled->trend == GB_TREND_LEVEL ? (levelled->since + 1) * trace->stride : GB_NO_COUNT);
        gb_put_count(t, STRIDE, trace->stride);
        gb_put_count(t, SWEEPS, trace->n_sweeps);
        gb_put_count(t, FIRST_KEPT, trace->first_kept > 0 ? trace->first_kept : GB_NO_COUNT);
        gb_put_count(t, LATE, trace->late > 0 ? trace->late : GB_NO_COUNT);
        gb_put_real(t, DRIFT, levelled->drift);
        gb_put_real(t, DRIFT_ERROR, levelled->error);
        gb_put_real(t, SIZE, levelled->size);
    }
    (void)err;
    return GB_OK;
}

const gb_question_row gb_question_traces = {
    {"traces", "how log joint and losses went from the first sweep on", GB_NEEDS_DIAGNOSIS, ""}, answer};
