/* plan/class_weight.h - what each class weighs in training (--class-weight). */
#ifndef GB_PLAN_CLASS_WEIGHT_H
#define GB_PLAN_CLASS_WEIGHT_H

#include "plan/spec.h"

/**
 * Fill in response->class_weight and rest_weight, or leave them NULL.
 *
 * @param option  "none"; "balanced": the documents of each class weigh the same together, n / (L n_c) each, with several
 *                labels n / (2 n_c) for y = +1 and n / (2 (n - n_c)) for y = -1; a JSON object, {"class": weight}; or a file
 *                with rows of a class and its weight.  Classes that are not in these weigh 1
 * @return GB_OK, GB_EARGUMENT (the object), GB_EFORMAT (the file), GB_EIO or GB_ENOMEM
 */
gb_status gb_class_weights_choose(const gb_labels *labels, uint64_t n_docs, const char *option,
                                  gb_spec_response *response, gb_error *err);

#endif
