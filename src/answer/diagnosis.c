/* answer/diagnosis.c - whether chains agree: R-hat and effective sample sizes of what does not depend on the numbers of topics, of topics that
 * several chains have, and how many of the proposals of a chain were accepted. */
#include "diagnose/diagnosis.h"
#include "answer/questions.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum {
    KIND,
    NAME,
    NUMBERS,
    CHAINS,
    DRAWS,
    MEAN,
    SD,
    R_HAT,
    R_HAT_WITHIN,
    ESS_BULK,
    ESS_TAIL,
    MCSE,
    MEDIAN_R_HAT,
    MEDIAN_ESS,
    LIMIT,
    AGREES,
    SETTLED,
    TOPIC,
    OF,
    CHAIN,
    N_COLUMNS
};

static const gb_column columns[N_COLUMNS] = {
    [KIND] = {"kind", "", GB_CELL_TEXT, GB_PLACE_DATA, NULL, "",
              "log joint, loss, scores, topic sizes, parameter, covariate, constant, prior, topic or acceptance"},
    [NAME] = {"name", "", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "what the row is about"},
    [NUMBERS] = {"numbers", "numbers", GB_CELL_COUNT, GB_PLACE_COLUMN, NULL, "",
                 "numbers of that kind; of several the row shows the one with the largest R-hat"},
    [CHAINS] = {"chains", "chains", GB_CELL_COUNT, GB_PLACE_COLUMN, NULL, "chains",
                "chains that are compared; of a topic those that have it, 0 of an empty one"},
    [DRAWS] = {"draws", "", GB_CELL_COUNT, GB_PLACE_DATA, NULL, "draws", "draws of each of these chains"},
    [MEAN] = {"mean", "mean", GB_CELL_REAL, GB_PLACE_COLUMN, "%.5g", "", "mean of all draws, of a single number"},
    [SD] = {"sd", "sd", GB_CELL_REAL, GB_PLACE_COLUMN, "%.5g", "", "their standard deviation"},
    [R_HAT] = {"r_hat", "R-hat", GB_CELL_REAL, GB_PLACE_COLUMN, "%.2f", "",
               "rank-normalised split R-hat: 1 if the chains, and the two halves of each, agree; empty for what does "
               "not vary"},
    [R_HAT_WITHIN] = {"r_hat_within", "", GB_CELL_REAL, GB_PLACE_DATA, "%.2f", "",
                      "the same of the halves of each chain alone: 1 if each chain agrees with itself"},
    [ESS_BULK] = {"ess_bulk", "ESS bulk", GB_CELL_REAL, GB_PLACE_COLUMN, "%.0f", "draws",
                  "independent draws that these are worth, for the centre of the distribution"},
    [ESS_TAIL] = {"ess_tail", "ESS tail", GB_CELL_REAL, GB_PLACE_COLUMN, "%.0f", "draws",
                  "the same for its 5 % and 95 % quantiles"},
    [MCSE] = {"mcse", "MCSE", GB_CELL_REAL, GB_PLACE_COLUMN, "%.3g", "", "Monte Carlo standard error of the mean"},
    [MEDIAN_R_HAT] = {"median_r_hat", "median R-hat", GB_CELL_REAL, GB_PLACE_COLUMN, "%.2f", "",
                      "median of R-hat over the numbers"},
    [MEDIAN_ESS] = {"median_ess_bulk", "median ESS", GB_CELL_REAL, GB_PLACE_COLUMN, "%.0f", "draws",
                    "median of ess_bulk over the numbers"},
    [LIMIT] = {"limit", "", GB_CELL_REAL, GB_PLACE_DATA, "%.3f", "",
               "R-hat (of scores its median) above this is a finding: independent draws would hardly have it"},
    [AGREES] = {"agrees", "agrees", GB_CELL_FLAG, GB_PLACE_COLUMN, NULL, "",
                "whether it is not; empty without R-hat"},
    [SETTLED] = {"settled", "", GB_CELL_FLAG, GB_PLACE_DATA, NULL, "", "whether each chain agrees with itself"},
    [TOPIC] = {"topic", "", GB_CELL_COUNT, GB_PLACE_DATA, NULL, "",
               "number of the topic, in the chain that numbers are of"},
    [OF] = {"of", "", GB_CELL_TEXT, GB_PLACE_DATA, NULL, "",
            "class whose topic it is, where each class has its own; kind of the proposals"},
    [CHAIN] = {"chain", "", GB_CELL_COUNT, GB_PLACE_DATA, NULL, "", "chain of the proposals"}};

static void put_mixing(gb_table *t, const gb_mixing *m, bool with_mean)
{
    gb_put_count(t, DRAWS, m->n_draws);
    gb_put_real(t, MEAN, with_mean ? m->mean : (double)NAN);
    gb_put_real(t, SD, with_mean ? m->sd : (double)NAN);
    gb_put_real(t, R_HAT, m->r_hat);
    gb_put_real(t, R_HAT_WITHIN, m->r_hat_within);
    gb_put_real(t, ESS_BULK, m->ess_bulk);
    gb_put_real(t, ESS_TAIL, m->ess_tail);
    gb_put_real(t, MCSE, with_mean ? m->mcse : (double)NAN);
}

static void put_quantity(gb_table *t, const gb_quantity *q)
{
    gb_table_begin_row(t, NAN);
    gb_put_text(t, KIND, q->group);
    gb_put_text(t, NAME, q->name);
    gb_put_count(t, NUMBERS, q->n_numbers);
    gb_put_count(t, CHAINS, q->mixing.n_chains);
    put_mixing(t, &q->mixing, q->n_numbers == 1);
    gb_put_real(t, MEDIAN_R_HAT, q->median_r_hat);
    gb_put_real(t, MEDIAN_ESS, q->median_ess);
    gb_put_real(t, LIMIT, q->limit);
    gb_put_count(t, AGREES, isnan(q->mixing.r_hat) ? GB_NO_COUNT : (uint64_t)q->agrees);
    gb_put_count(t, SETTLED, isnan(q->r_hat_within) ? GB_NO_COUNT : (uint64_t)q->is_settled);
}

static void put_topic(gb_table *t, const gb_model *model, const gb_topic_diagnosis *topic)
{
    char name[160];
    const bool is_split = gb_model_is_one_vs_rest(model);
    const uint64_t n_outputs = gb_model_n_outputs(model);
    const char *of = is_split ? gb_model_output(model, topic->output) : "";
    (void)snprintf(name, sizeof name, "topic %" PRIu64 "%s%.90s%s", topic->topic + 1, is_split ? " of " : "", of,
                   topic->is_empty ? " (empty)" : "");
    gb_table_begin_row(t, 0);
    gb_put_text(t, KIND, "topic");
    gb_put_text(t, NAME, name);
    gb_put_count(t, NUMBERS, is_split ? 1 : n_outputs);
    gb_put_count(t, CHAINS, topic->n_recur);
    put_mixing(t, &topic->mixing, n_outputs == 1);
    gb_put_real(t, LIMIT, topic->limit);
    gb_put_count(t, AGREES, isnan(topic->mixing.r_hat) ? GB_NO_COUNT : (uint64_t)topic->agrees);
    gb_put_count(t, TOPIC, topic->topic + 1);
    gb_put_text(t, OF, of);
}

static void put_acceptance(gb_table *t, const gb_model *model, uint64_t proposal, uint64_t chain)
{
    char name[160];
    const char *kind = gb_model_proposal(model, proposal);
    (void)snprintf(name, sizeof name, "%.90s proposals accepted, chain %" PRIu64, kind, chain + 1);
    gb_table_begin_row(t, NAN);
    gb_put_text(t, KIND, "acceptance");
    gb_put_text(t, NAME, name);
    gb_put_real(t, MEAN, gb_model_acceptance(model, proposal, chain));
    gb_put_text(t, OF, kind);
    gb_put_count(t, CHAIN, chain + 1);
}

static gb_status answer(const gb_asked *asked, gb_table *t, gb_error *err)
{
    const gb_diagnosis *d = asked->subject->diagnosis;
    const gb_model *model = asked->subject->model;
    gb_table_add_all(t, N_COLUMNS, columns, NULL);
    for (size_t i = 0; i < d->n_quantities; i++)
        put_quantity(t, &d->quantity[i]);
    for (size_t i = 0; model != NULL && i < d->n_topics; i++)
        put_topic(t, model, &d->topic[i]);
    for (uint64_t p = 0; model != NULL && p < gb_model_n_proposals(model); p++)
        for (uint64_t c = 0; c < gb_model_n_acceptances(model); c++)
            put_acceptance(t, model, p, c);
    (void)err;
    return GB_OK;
}

const gb_question_row gb_question_diagnosis = {
    {"diagnosis", "whether chains agree, and what their draws are worth", GB_NEEDS_DIAGNOSIS, ""}, answer};
