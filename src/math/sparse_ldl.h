/* math/sparse_ldl.h - sparse symmetric positive definite matrices of one pattern: A = P' L D L' P.
 *
 * The pattern is analysed once; matrices of that pattern are then filled in and factored as often as needed.  L has ones
 * on its diagonal.  Vectors are in the order of elimination: row i of A is at place[i]. */
#ifndef GB_MATH_SPARSE_LDL_H
#define GB_MATH_SPARSE_LDL_H

#include "base/status.h"
#include "simd/isa.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Order of elimination, and where entries of A are stored. */
typedef struct gb_ldl_pattern {
    int n;
    int *place;      /* n */
    int *start;      /* n + 1; A's upper triangle by columns in that order, the diagonal last in each */
    int *row;        /* start[n] */
    int *parent;     /* n; elimination tree */
    int *below;      /* n + 1; column k of L is entries below[k] ... below[k + 1] - 1 */
    size_t *pair_at; /* n_pairs; the entry that a pair has */
} gb_ldl_pattern;

/**
 * @param n      rows, fewer than 2^31
 * @param pair   2 n_pairs numbers: rows and columns of the entries off the diagonal, from != to, either triangle; a pair
 *               may come more than once.  All entries of the diagonal are there anyway.
 * @return GB_OK, GB_EARGUMENT (the factor would have 2^31 entries) or GB_ENOMEM
 */
gb_status gb_ldl_analyse(gb_ldl_pattern **out, uint32_t n, size_t n_pairs, const uint32_t *pair, gb_error *err);
void gb_ldl_pattern_free(gb_ldl_pattern *p);

/** One matrix and its factor. */
typedef struct gb_ldl {
    const gb_ldl_pattern *pattern; /* borrowed */
    gb_isa isa;                    /* how to solve; changes no bit */
    double *entry;                 /* A: start[n] values; those at pair_at[], and at gb_ldl_diagonal() */
    int *row;                      /* L: rows, below[n] of them */
    double *factor;                /* L: values */
    double *pivot;                 /* D: n values */
    void *work;
} gb_ldl;

gb_status gb_ldl_create(gb_ldl **out, const gb_ldl_pattern *pattern, gb_error *err);
void gb_ldl_free(gb_ldl *a);

/** Number of the entry (i, i). */
size_t gb_ldl_diagonal(const gb_ldl_pattern *p, uint32_t i);
/** Factor the matrix in `entry`.  @return false if it is not positive definite */
bool gb_ldl_factor(gb_ldl *a);
/** log |A|. */
double gb_ldl_log_determinant(const gb_ldl *a);

/** Several vectors side by side: number l of vector i is x[i * GB_LDL_LANES + l]. */
enum { GB_LDL_LANES = 8 };
/** x = L^{-1} x; x is aligned to 64 bytes. */
void gb_ldl_forward(const gb_ldl *a, double *x);
/** x = L'^{-1} x. */
void gb_ldl_backward(const gb_ldl *a, double *x);
/** The same for one vector; with the same bits as one lane. */
void gb_ldl_forward_one(const gb_ldl *a, double *x);
void gb_ldl_backward_one(const gb_ldl *a, double *x);

#endif
