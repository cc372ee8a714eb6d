/* math/ldl_solve.h - the inner loops of sparse_ldl.h for GB_LDL_LANES vectors, by instruction set. */
#ifndef GB_MATH_LDL_SOLVE_H
#define GB_MATH_LDL_SOLVE_H

/** L: n columns; column k has rows row[start[k]] ... row[start[k + 1] - 1], all below k, with those values. */
typedef struct gb_ldl_columns {
    int n;
    const int *start, *row;
    const double *value;
} gb_ldl_columns;

/** x is aligned to 64 bytes. */
typedef struct gb_ldl_solve {
    void (*forward)(const gb_ldl_columns *l, double *x);
    void (*backward)(const gb_ldl_columns *l, double *x);
} gb_ldl_solve;

extern const gb_ldl_solve gb_ldl_solve_plain, gb_ldl_solve_avx2, gb_ldl_solve_avx512;

#endif
