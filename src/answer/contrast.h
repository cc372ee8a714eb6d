/* answer/contrast.h - what is compared with what: the values of the option `contrast`.
 *
 *   A,B   A minus B        A   A minus the average document
 *
 * A and B are two groups of documents; or topics (3) or levels of a factor (party=Whig), several joined by "+".  Names may hold commas
 * and plus signs: the text is cut where both sides have only names that the model has. */
#ifndef GB_ANSWER_CONTRAST_H
#define GB_ANSWER_CONTRAST_H

#include "gibbous/model.h"

typedef struct gb_contrast_side {
    uint64_t n, *feature; /* n: 0 for the average document; see model/effects.h */
} gb_contrast_side;

typedef struct gb_contrast {
    gb_contrast_side plus, minus;
} gb_contrast;

/**
 * Topics and levels.  A topic that counts as one with others stands for all of them.
 *
 * @param model    has the levels
 * @param trained  has the unions of topics; the same model, or that of the training
 * @param out      clear it with gb_contrast_clear(), also on failure
 * @return GB_OK, GB_EARGUMENT (no such feature, or a topic that is left out) or GB_ENOMEM
 */
gb_status gb_contrast_read(const gb_model *model, const gb_model *trained, const char *text, gb_contrast *out,
                           gb_error *err);
void gb_contrast_clear(gb_contrast *contrast);

/** Two groups.  @return GB_OK, GB_EARGUMENT or GB_ENOMEM */
gb_status gb_contrast_read_groups(const gb_model *model, const char *text, uint64_t *plus, uint64_t *minus,
                                  gb_error *err);
/** A group by its name.  @param option  for the message  @return GB_OK or GB_EARGUMENT */
gb_status gb_read_group(const gb_model *model, const char *option, const char *text, uint64_t *group, gb_error *err);

#endif
