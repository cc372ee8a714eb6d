/* answer/topic_shares.h - topic shares of documents, which the caller may have already. */
#ifndef GB_ANSWER_TOPIC_SHARES_H
#define GB_ANSWER_TOPIC_SHARES_H

#include "answer/question.h"

/** Infer them, unless *share has them.  @param own  NULL; receives memory to be freed with gb_free(), also on failure  @return as gb_infer() */
gb_status gb_find_shares(const gb_asked *asked, const gb_corpus *docs, const double **share, double **own,
                         gb_error *err);

#endif
