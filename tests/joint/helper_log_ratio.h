/* helper_log_ratio.h - a state of tiny size, anything at all, and the log joint density coded from the model alone:
 *
 *   p(W, Z, r) x prod_dl exp(kappa_dl s_dl - omega_dl s_dl^2 / 2) x p(eta)                                  (1)
 *
 * up to what does not depend on topics and coefficients. */
#ifndef GB_TESTS_HELPER_LOG_RATIO_H
#define GB_TESTS_HELPER_LOG_RATIO_H

#include "random/random.h"
#include "response/response.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* documents, topics, words, blocks of words, outputs */
enum { D = 5, K = 4, V = 7, B = 3, L = 3, STRIDE = 16, N_TOKENS = 16 };

/** Where the tokens of each document begin: lengths 4, 1, 0, 6, 5. */
extern const uint64_t ratio_doc_start[D + 1];

typedef struct ratio_state {
    size_t n_outputs;
    double unit, base[K]; /* document weights base + unit n_dk */
    bool given_phi;
    double beta, mass[B][K];
    float phi[V * STRIDE];
    uint32_t word[N_TOKENS];
    uint16_t topic[N_TOKENS];
    double eta[L][K], intercept[L];
    gb_score_term term[D][L];
} ratio_state;

gb_random ratio_stream(uint32_t number);
size_t ratio_block_of(uint32_t word);
double ratio_uniform_between(gb_random *r, double low, double high);

/** Any state will do: the identities hold at every one. */
ratio_state ratio_random_state(gb_random *r, size_t n_outputs, double omega);

/** eta' zbar and the intercept. */
double ratio_score_of(const ratio_state *s, size_t d, size_t l);

/** The part of (1) of the responses, and all of it but p(eta), as logarithms. */
double ratio_log_of_responses(const ratio_state *s);
double ratio_log_joint(const ratio_state *s);

#endif
