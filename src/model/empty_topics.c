/* model/empty_topics.c - topics that hold nothing. */
#include "model/empty_topics.h"

#include <math.h>

static const double OF_EVEN = 0.01;

bool gb_share_is_empty(const gb_model *model, double share)
{
    const double n_tokens = (double)gb_model_n_training_tokens(model);
    return share * n_tokens < fmax(1, OF_EVEN * n_tokens / (double)gb_model_n_topics(model));
}

bool gb_model_topic_is_empty(const gb_model *model, uint64_t topic)
{
    return gb_share_is_empty(model, gb_model_topic_share(model, topic));
}
