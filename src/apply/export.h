/* apply/export.h - a model, with documents, as files of other programs: a row of the table in export.c and a function for each. */
#ifndef GB_APPLY_EXPORT_H
#define GB_APPLY_EXPORT_H

#include "base/output.h"
#include "gibbous/export.h"
#include "model/model.h"

typedef struct gb_export {
    const gb_model *model;
    const gb_corpus *docs;
    const gb_settings *settings;
    gb_on_apply *on_progress;
    void *user;
    const char *path;
    FILE *out;
} gb_export;

/** Of format number `index`, from 0; NULL behind the last. */
const char *gb_export_format_name(size_t index);

gb_status gb_export_ldavis(const gb_export *e, gb_error *err);
gb_status gb_export_state(const gb_export *e, gb_error *err);

/**
 * Draw a topic for each token of some documents, given the model and not the labels.
 *
 * The topics are a draw given the last snapshot of the model's first chain, whose topics have the numbers that they have elsewhere.  They
 * are not those that the tokens had in the training.
 *
 * @param docs         in the model's vocabulary
 * @param first_row    input row of the first document, as for gb_predict()
 * @param settings     infer-sweeps, infer-burn-in, seed, threads, new-groups
 * @param on_progress  may be NULL
 * @param topic        receives a topic for each token, in the order of the documents
 * @return as gb_predict(); GB_EARGUMENT for a model of strategy one-vs-rest, which has topics for each class
 */
gb_status gb_draw_topics(const gb_model *model, const gb_corpus *docs, uint64_t first_row,
                         const gb_settings *settings, gb_on_apply *on_progress, void *user, uint16_t *topic,
                         gb_error *err);

#endif
