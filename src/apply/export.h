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

#endif
