/* cli/explain.h - explained scores: what the verbs explain, ask and report share. */
#ifndef GB_CLI_EXPLAIN_H
#define GB_CLI_EXPLAIN_H

#include "apply.h"

/** The words that stand for topics, as the answer to the question "topics". */
gb_status cli_words_of_topics(const gb_settings *settings, const gb_model *model, gb_table **out, gb_error *err);

/** Explain the documents first ... last - 1 of a batch: the scores that the settings name.
 * @param docs  receives these documents, free them with gb_corpus_free(); untouched on failure, like `out` */
gb_status cli_explain_some(const gb_settings *settings, const cli_batch *batch, uint64_t first, uint64_t last,
                           gb_corpus **docs, gb_explanation **out, gb_error *err);

#endif
