/* bench/speed/joint.h - one formula for the quality of every program's topics. */
#ifndef GB_BENCH_JOINT_H
#define GB_BENCH_JOINT_H

#include "corpus/data/corpus.h"

/**
 * log p(w, z), topics and topic shares integrated out, from the assignments alone.
 *
 * @param word, topic  n_tokens each, document by document; any order inside one
 * @param alpha        n_topics
 */
gb_status bench_log_joint(const gb_corpus *corpus, const uint32_t *word, const uint16_t *topic, size_t n_topics,
                          const double *alpha, double beta, double *out, gb_error *err);

#endif
