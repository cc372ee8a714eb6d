/* cli/report_topics.c - how alike topics are, for the map of a report. */
#include "answer.h"
#include "report_data.h"
#include "report_json.h"

#include <math.h>
#include <string.h>

/* Of more pairs of topics in all there is no map: the page would be large, and few of them visible. */
enum { MAX_PAIRS = 1000000 };

static uint64_t n_pairs(const gb_model *model)
{
    const uint64_t n = gb_model_n_topics(model),
                   n_sets = gb_model_is_one_vs_rest(model) ? gb_model_n_outputs(model) : 1;
    return n * (n - 1) / 2 * n_sets;
}

/* Rows of one class after the other, or without classes all: in thousandths. */
static json_t *affinities(const gb_table *t)
{
    const uint64_t of = cli_find_column(t, "class");
    const double *affinity = gb_table_reals(t, cli_find_column(t, "affinity"));
    json_t *sets = json_array(), *set = NULL;
    for (uint64_t row = 0; row < gb_table_n_rows(t); row++) {
        if (row == 0 || strcmp(gb_table_text(t, row, of, 0), gb_table_text(t, row - 1, of, 0)) != 0) {
            set = json_array();
            (void)json_array_append_new(sets, set);
        }
        (void)json_array_append_new(set, json_integer((json_int_t)lround(1000 * affinity[row])));
    }
    return sets;
}

gb_status cli_report_affinities(const cli_call *call, const gb_subject *subject, json_t **out, gb_error *err)
{
    gb_table *answer = NULL;
    gb_status st = GB_OK;
    if (n_pairs(subject->model) <= MAX_PAIRS)
        st = gb_answer("similarities", subject, call->settings, &answer, err);
    if (st == GB_OK)
        *out = answer == NULL ? json_array() : affinities(answer);
    gb_table_free(answer);
    return st;
}
