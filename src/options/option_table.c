/* options/option_table.c - options.def as a table, and its public side. */
#include "options/option_table.h"

#include "base/text.h"
#include "options/priors.h"
#include "options/responses.h"

#include <math.h>
#include <string.h>

enum { NOT_KEPT, KEPT, INPUT, RESUMED };

/* Columns `low` and `high` have the range of a number, or the choices. */
#define RANGE_INT(text)      text
#define RANGE_REAL(text)     text
#define RANGE_TEXT(text)     ""
#define RANGE_LIST(text)     ""
#define RANGE_FLAG(text)     ""
#define RANGE_SWITCH(text)   ""
#define RANGE_CHOICE(text)   ""
#define CHOICES_INT(text)    ""
#define CHOICES_REAL(text)   ""
#define CHOICES_TEXT(text)   ""
#define CHOICES_LIST(text)   ""
#define CHOICES_FLAG(text)   ""
#define CHOICES_SWITCH(text) ""
#define CHOICES_CHOICE(text) text

static const gb_option_row rows[] = {
#define GB_OPTION(long_name, short_name, kind_, value, low_, high_, argument_, group_, kept_, needs_, verbs_, help_) \
    {.option = {.name = long_name,                                                                                   \
                .letter = short_name,                                                                                \
                .kind = GB_OPTION_##kind_,                                                                           \
                .group = GB_GROUP_##group_,                                                                          \
                .default_value = value,                                                                              \
                .low = RANGE_##kind_(low_),                                                                          \
                .high = RANGE_##kind_(high_),                                                                        \
                .choices = CHOICES_##kind_(low_),                                                                    \
                .argument = argument_,                                                                               \
                .kept = (kept_) == KEPT,                                                                             \
                .needs = needs_,                                                                                     \
                .help = help_},                                                                                      \
     .is_resumed = (kept_) == KEPT || (kept_) == INPUT,                                                              \
     .is_gone_on_with = (kept_) != NOT_KEPT},
#include "options/options.def"
#undef GB_OPTION
};

enum { N_OPTIONS = sizeof rows / sizeof rows[0] };

const gb_option_row *gb_option_row_at(uint64_t index)
{
    return index < N_OPTIONS ? &rows[index] : NULL;
}

bool gb_option_index(const char *name, uint64_t *index)
{
    for (uint64_t i = 0; i < N_OPTIONS; i++) {
        if (strcmp(rows[i].option.name, name) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

bool gb_option_takes(const char *name, double number)
{
    uint64_t i;
    double low = -HUGE_VAL, high = HUGE_VAL;
    if (!gb_option_index(name, &i))
        return false;
    (void)gb_text_to_real(rows[i].option.low, &low);
    (void)gb_text_to_real(rows[i].option.high, &high);
    return number >= low && number <= high;
}

gb_status gb_option_unknown(const char *name, gb_error *err)
{
    const char *names[N_OPTIONS];
    for (size_t i = 0; i < N_OPTIONS; i++)
        names[i] = rows[i].option.name;
    const char *nearest = gb_text_nearest(name, N_OPTIONS, names);
    char shown[GB_QUOTE_SIZE];
    gb_text_quote(name, strlen(name), shown);
    if (nearest == NULL)
        return gb_fail(err, GB_EARGUMENT, "no option %s", shown);
    return gb_fail(err, GB_EARGUMENT, "no option %s; did you mean `%s`?", shown, nearest);
}

/* ---- the public side ---- */

uint64_t gb_option_count(void)
{
    return N_OPTIONS;
}

const gb_option *gb_option_at(uint64_t index)
{
    return index < N_OPTIONS ? &rows[index].option : NULL;
}

const gb_option *gb_option_find(const char *name)
{
    uint64_t i = 0;
    return gb_option_index(name, &i) ? &rows[i].option : NULL;
}

const char *gb_option_kind_name(gb_option_kind kind)
{
    static const char *const names[] = {
        [GB_OPTION_INT] = "int",       [GB_OPTION_REAL] = "real", [GB_OPTION_TEXT] = "text",
        [GB_OPTION_LIST] = "list",     [GB_OPTION_FLAG] = "flag", [GB_OPTION_SWITCH] = "switch",
        [GB_OPTION_CHOICE] = "choice",
    };
    return (size_t)kind < sizeof names / sizeof names[0] ? names[kind] : "";
}

const char *gb_option_group_name(gb_option_group group)
{
    static const char *const names[] = {
        [GB_GROUP_DATA] = "Data",       [GB_GROUP_WORDS] = "Words",           [GB_GROUP_MODEL] = "Model",
        [GB_GROUP_SAMPLER] = "Sampler", [GB_GROUP_PREDICTION] = "Prediction", [GB_GROUP_SIMULATION] = "Simulation",
        [GB_GROUP_RUN] = "Run",         [GB_GROUP_OUTPUT] = "Output",
    };
    return (size_t)group < sizeof names / sizeof names[0] ? names[group] : "";
}
