/* answer/doubt.c - what must not be believed of posteriors, and which draws they are from. */
#include "answer/doubt.h"

#include "estimate/estimate.h"
#include "model/group_effects.h"
#include "model/training_documents.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FEW_DRAWS = 40 };

/* ---- effects in the training ----------------------------------------------------------------------- */

/* How to get effects with intervals; estimates are of one set of topics, and of no embedding. */
static const char *remedy(const gb_model *model)
{
    return gb_model_n_embedding_columns(model) > 0 ? ""
           : gb_model_is_one_vs_rest(model) ? "; those of a training with `strategy` shared and `cross-fit` 5 have"
                                            : "; those of a training with `cross-fit` 5 have, and those on labelled "
                                              "documents that the training has "
                                              "not seen (effects DOCUMENTS, report DOCUMENTS)";
}

gb_status gb_note_training(gb_table *table, const gb_model *model, gb_known_effects *known, gb_error *err)
{
    bool labels_shaped_topics;
    const bool is_pseudo = gb_model_has_pseudo_posterior(model);
    const gb_status st = gb_model_find_shaping(model, &labels_shaped_topics, err);
    *known = (gb_known_effects){.of_topics = !labels_shaped_topics && !is_pseudo, .of_others = !is_pseudo};
    if (st == GB_OK && !known->of_topics)
        gb_table_add_note(table, GB_NOTE_DOUBT,
                          "effects %sin the training, %s, cannot be told from chance, and have no intervals%s",
                          is_pseudo ? "" : "of topics ",
                          labels_shaped_topics ? "where labels shaped the topics"
                                               : "with a loss or a cost other than 1",
                          remedy(model));
    if (st == GB_OK && known->of_others)
        gb_note_independent(table, model);
    return st;
}

/* ---- draws ----------------------------------------------------------------------------------------- */

void gb_note_few_draws(gb_table *table, uint64_t n_draws)
{
    if (n_draws < FEW_DRAWS)
        gb_table_add_note(table, GB_NOTE_REMARK,
                          "%" PRIu64 " draw%s: quantiles are rough; train with more `sweeps` for more", n_draws,
                          n_draws == 1 ? "" : "s");
}

void gb_note_first_chain(gb_table *table, const gb_model *model, const char *rest)
{
    const uint64_t n = gb_model_n_topic_draws(model);
    if (n < gb_model_n_draws(model))
        gb_table_add_note(table, GB_NOTE_REMARK, "topics of groups are from the %" PRIu64 " draws of one chain%s%s",
                          n, rest == NULL ? "" : "; ", rest == NULL ? "" : rest);
    gb_note_few_draws(table, n);
}

/* ---- documents that belong together ---------------------------------------------------------------- */

static const char independent[] =
    "documents are taken as independent; where several are of one author, speech or the "
    "like, these intervals are too narrow";

void gb_note_independent(gb_table *table, const gb_model *model)
{
    const char *cluster = gb_model_cluster_field(model),
               *field = cluster == NULL ? gb_model_group_field(model) : cluster;
    if (*field == '\0')
        gb_table_add_note(table, GB_NOTE_REMARK, "%s", independent);
    else
        gb_table_add_note(table, GB_NOTE_REMARK,
                          "documents are taken as independent, those with the same %s too: if these are alike, these "
                          "intervals are too narrow",
                          field);
}

/* ---- groups ---------------------------------------------------------------------------------------- */

void gb_note_empty_groups(gb_table *table, const gb_model *model)
{
    enum { MOST_NAMES = 5, ROOM = 400 };
    char names[ROOM] = "";
    size_t length = 0;
    uint64_t n_empty = 0;
    for (uint64_t g = 0; g < gb_model_n_groups(model); g++) {
        if (gb_model_group_n_docs(model, g) > 0)
            continue;
        if (n_empty++ < MOST_NAMES && length < ROOM)
            length += (size_t)snprintf(names + length, ROOM - length, "%s%.60s", n_empty == 1 ? "" : ", ",
                                       gb_model_group(model, g));
    }
    if (n_empty == 0)
        return;
    gb_table_add_note(table, GB_NOTE_REMARK,
                      "no training document is of %s%s, so what is said of %s is known by the prior alone", names,
                      n_empty > MOST_NAMES ? " and others" : "", n_empty == 1 ? "it" : "them");
}

void gb_note_clusters(gb_table *table, const gb_model *model)
{
    const char *field = gb_model_cluster_field(model);
    uint64_t n_single = 0;
    if (field == NULL) {
        gb_table_add_note(table, GB_NOTE_REMARK, "%s, and `cluster` FIELD, in the training, makes them right",
                          independent);
        return;
    }
    for (uint64_t g = 0; g < gb_model_n_groups(model); g++)
        n_single += gb_model_group_n_clusters(model, g) == 1;
    gb_table_add_note(table, GB_NOTE_REMARK, "intervals allow for documents with the same %s being alike", field);
    if (n_single > 0)
        gb_table_add_note(table, GB_NOTE_REMARK,
                          "%" PRIu64 " group%s all documents with one %s, which says nothing of others: no interval",
                          n_single, n_single == 1 ? " has" : "s have", field);
}

/* ---- effects on other documents -------------------------------------------------------------------- */

static bool is_number(const gb_model *model, uint64_t response)
{
    return gb_model_task(model, response) == GB_TASK_REGRESSION;
}

/* Response t of the model is a loss, and response r of the estimate has the likelihood in place of it.  The same field may also
 * hold labels in the one and numbers in the other. */
static bool stands_in(const gb_model *estimated, uint64_t r, const gb_model *trained, uint64_t t)
{
    return strcmp(gb_model_field(estimated, r), gb_model_field(trained, t)) == 0 &&
           strcmp(gb_model_response(estimated, r), gb_model_response(trained, t)) != 0 &&
           is_number(estimated, r) == is_number(trained, t);
}

static bool explains_classes(const gb_model *estimated)
{
    for (uint64_t r = 0; r < gb_model_n_responses(estimated); r++)
        if (!is_number(estimated, r))
            return true;
    return false;
}

void gb_note_estimate(gb_table *table, const gb_model *trained, const gb_estimate *estimate)
{
    const gb_model *estimated = gb_estimate_model(estimate);
    for (uint64_t r = 0; r < gb_model_n_responses(estimated); r++)
        for (uint64_t t = 0; t < gb_model_n_responses(trained); t++)
            if (stands_in(estimated, r, trained, t))
                gb_table_add_note(
                    table, GB_NOTE_REMARK,
                    "effects on %s are those of a %s regression, since %s is a loss without a likelihood",
                    gb_model_field(trained, t), gb_model_response(estimated, r), gb_model_response(trained, t));
    gb_table_add_note(
        table, GB_NOTE_REMARK,
        "effects of the topics as the model has them, on %" PRIu64
        " documents whose labels these topics have not seen; reliability near 0 means "
        "that words say nothing of a share; where topics share most of their words, effects are up to a sixth "
        "further from 0 than those of the topics behind the documents",
        gb_model_n_training_docs(estimated));
    gb_note_independent(table, trained);
    if (gb_estimate_n_seen(estimate) > 0)
        gb_table_add_note(
            table, GB_NOTE_REMARK,
            "%" PRIu64 " of %" PRIu64 " documents are left out, since the training has documents with the same words",
            gb_estimate_n_seen(estimate), gb_estimate_n_seen(estimate) + gb_model_n_training_docs(estimated));
    if (!gb_model_knows_training_docs(trained))
        gb_table_add_note(table, GB_NOTE_DOUBT,
                          "the model does not say which documents it was trained on: if it has seen some of these, "
                          "their effects are no better than those of the training");
    if (explains_classes(estimated) && !gb_estimate_uses_labels(estimate))
        gb_table_add_note(table, GB_NOTE_REMARK,
                          "from words alone, strong effects on classes come out too small, and their intervals miss "
                          "them too often; `use-labels` has no such fault");
}
