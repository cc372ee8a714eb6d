/* prior/psi_chunk.h - documents whose topic weights are redrawn side by side, and the kernels that do it. */
#ifndef GB_PRIOR_PSI_CHUNK_H
#define GB_PRIOR_PSI_CHUNK_H

#include "prior/covariance.h"
#include "prior/psi.h"

enum { GB_PSI_DOCS = 128, GB_SCATTER_TILE = 16 };

/** By coordinate: number i of coordinate t is [t x GB_PSI_DOCS + i].  Documents that fill up a vector have no tokens. */
typedef struct gb_psi_chunk {
    size_t n_docs;
    double *psi, *count, *mean;  /* n_free x GB_PSI_DOCS */
    double *deviation;           /* psi less the mean */
    double *behind_m, *behind_s; /* the sum of exp(psi) over the topics behind t is s exp(m) */
    double length[GB_PSI_DOCS];
    uint64_t item[GB_PSI_DOCS];
} gb_psi_chunk;

/** Rows i..i + GB_SCATTER_TILE - 1, columns j.. likewise, of gb_scatter(): as many of them as there are.  `out` begins with
 * row `first`. */
typedef void gb_scatter_tile(const gb_deviations *in, size_t i, size_t j, size_t first, double *out);

typedef struct gb_psi_kernel {
    /** Redraw c->psi, once each coordinate. */
    void (*redraw)(const gb_psi_redrawing *how, gb_psi_chunk *c);
    /** gb_psi_weights() of a law that is not symmetric; `weight` may be `psi`. */
    void (*weights)(size_t n_free, const double *psi, double *weight);
    /** Rates of psi_settle.c and their slopes, of n topics, a multiple of 8. */
    void (*rates)(size_t n, const double *count, const double *mean, const double *precision, double *rate,
                  double *slope);
    gb_scatter_tile *scatter_tile;
    /** Replace psi by e of psi_spread.c under that law. */
    void (*whiten)(const gb_psi_law *law, gb_psi_chunk *c);
    /** The opposite, and (5) there of each document. */
    void (*unwhiten)(const gb_psi_law *law, gb_psi_chunk *c, double *log_density);
} gb_psi_kernel;

extern const gb_psi_kernel gb_psi_plain, gb_psi_avx2, gb_psi_avx512;

const gb_psi_kernel *gb_psi_kernel_for(gb_isa isa);

#endif
