/* plan/document_parts.h - how documents are cut into parts, of which each rank has some. */
#ifndef GB_PLAN_DOCUMENT_PARTS_H
#define GB_PLAN_DOCUMENT_PARTS_H

#include "plan/spec.h"

/**
 * Decide n_parts and part_start of a description whose blocks are decided.
 *
 * @param wanted  parts; 0: decide how many
 * @return GB_OK, GB_EARGUMENT or GB_ENOMEM
 */
gb_status gb_cut_documents(const gb_corpus *corpus, long long wanted, gb_spec *spec, gb_error *err);

#endif
