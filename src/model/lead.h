/* model/lead.h - the chain whose topics have the numbers: its draws come first, in memory and in a file.  What is shown of single topics is from
 * there, since topics of other chains are not the same.  With one-vs-rest topics each class has one. */
#ifndef GB_MODEL_LEAD_H
#define GB_MODEL_LEAD_H

#include "model/model.h"

/** Let the chain lead that started from what short chains have in common (run/pooled_start.c); without one, that with the highest mean log joint,
 * of those that have a draw with topics; of equal ones the first.
 *
 * @return GB_OK or GB_ENOMEM; on failure nothing has changed */
gb_status gb_model_choose_lead(gb_model *model, gb_error *err);

/** Chains that have draws: of the first output, where each class has its own. */
uint64_t gb_model_n_chains_of_topics(const gb_model *model);
/** Whether the chain that leads has the highest mean log joint.  @return GB_OK or GB_ENOMEM */
gb_status gb_model_best_leads(const gb_model *model, bool *out, gb_error *err);

#endif
