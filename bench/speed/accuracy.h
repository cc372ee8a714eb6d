/* bench/speed/accuracy.h - training as a whole, and what is known of new documents after each kept sweep. */
#ifndef GB_BENCH_ACCURACY_H
#define GB_BENCH_ACCURACY_H

#include "clock.h"

#include "plan/spec.h"

/** After a kept sweep: time from the beginning of training, and the accuracy of a model that ends there. */
typedef struct bench_score {
    uint64_t sweep;
    bench_time time;
    double accuracy; /* of the first response, which has classes; documents without a label do not count */
} bench_score;

typedef struct bench_training {
    bench_time total; /* of gb_train() */
    double memory_peak;
    uint64_t n_scores;
    bench_score *score;
} bench_training;

/**
 * Train as `gibbous train` does and predict the documents of `test` with the first kept draw, the first two, ...
 *
 * @param out  receives the result; clear it with bench_training_clear(), also on failure
 */
gb_status bench_train(const gb_corpus *corpus, const gb_settings *settings, const char *test, bench_training *out,
                      gb_error *err);
void bench_training_clear(bench_training *training);

/**
 * The documents of a file in the vocabulary of a corpus; other words are dropped.
 *
 * @param spec  of the corpus
 */
gb_status bench_documents(const gb_corpus *corpus, const gb_spec *spec, const gb_settings *settings, const char *path,
                          gb_corpus **out, gb_error *err);

#endif
