/* cli/topic_quality.h - exclusivity, coherence and diversity of a model's topics. */
#ifndef GB_CLI_TOPIC_QUALITY_H
#define GB_CLI_TOPIC_QUALITY_H

#include "common.h"

enum { CLI_N_TOPIC_SCORES = 3 };

/** "exclusivity", "umass", "npmi". */
extern const char *const cli_topic_score_name[CLI_N_TOPIC_SCORES];

typedef struct cli_topic_quality {
    size_t n_scores;                   /* 1, or with documents to count in CLI_N_TOPIC_SCORES */
    double *score[CLI_N_TOPIC_SCORES]; /* n_topics; NaN where it does not apply */
    char *summary;                     /* one line */
} cli_topic_quality;

/** @param out  clear it with cli_topic_quality_clear(), also on failure */
gb_status cli_topic_quality_find(const cli_call *call, const gb_model *model, cli_topic_quality *out, gb_error *err);
void cli_topic_quality_clear(cli_topic_quality *q);

#endif
