/* math/triangles_kernel.h - triangles.h, included once per instruction set with GB_TRIANGLES naming the table.
 *
 * All is made of one step on a tile of ROWS rows and some vectors of columns, which stays in registers:
 *
 *   C_rj <- C_rj - sum_p a_rp b_pj,   p ascending                                                              (1)
 *
 * A tile column of b is read again for each row block, so tile columns are the outer loop: one of them stays in the cache.  The few
 * columns that fill no vector are where the triangle is narrow: the first of an upper one, the last of a lower one. */
#include "math/triangles.h"
#include "simd/inline.h"
#include "simd/registers.h"

#include <math.h>
#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
enum { ROWS = 8, VECTORS = 3 };
#elif defined(__AVX2__)
enum { ROWS = 4, VECTORS = 3 };
#else
enum { ROWS = 4, VECTORS = 2 };
#endif

/* UNIT: a block of rows is as long as some vectors, so that its diagonal lies in one tile. */
enum { WIDTH = sizeof(longest) / sizeof(double), UNIT = ROWS };
_Static_assert(ROWS % WIDTH == 0 && VECTORS * WIDTH % ROWS == 0, "blocks of rows and tiles fit");

ALWAYS_INLINE longest get(const double *p)
{
    longest x;
    memcpy(&x, p, sizeof x);
    return x;
}

ALWAYS_INLINE void set(double *p, longest x)
{
    memcpy(p, &x, sizeof x);
}

/* c - a b, rounded once. */
ALWAYS_INLINE longest less_product(double a, longest b, longest c)
{
#if defined(__AVX512F__)
    return (longest)_mm512_fnmadd_pd(_mm512_set1_pd(a), (__m512d)b, (__m512d)c);
#elif defined(__AVX2__)
    return (longest)_mm256_fnmadd_pd(_mm256_set1_pd(a), (__m256d)b, (__m256d)c);
#else
    for (int i = 0; i < WIDTH; i++)
        c[i] = __builtin_fma(-a, b[i], c[i]);
    return c;
#endif
}

/* Where a_rp, b_pj and C_rj are: a + r a_row + p a_depth, b + p b_depth + j, c + r n + j. */
typedef struct step {
    size_t n, depth;
    ptrdiff_t a_row, a_depth, b_depth;
    const double *a, *b;
    double *c;
} step;

/* (1); with `is_new`, C counts as 0, and with `adds`, the products are added. */
ALWAYS_INLINE void subtract(step s, size_t n_rows, size_t n_vectors, bool is_new, bool adds)
{
    longest c[ROWS][VECTORS];
#pragma GCC unroll 8
    for (size_t r = 0; r < n_rows; r++)
#pragma GCC unroll 3
        for (size_t v = 0; v < n_vectors; v++)
            c[r][v] = is_new ? (longest){0} : get(s.c + r * s.n + v * WIDTH);
    for (size_t p = 0; p < s.depth; p++, s.a += s.a_depth, s.b += s.b_depth) {
        longest b[VECTORS];
#pragma GCC unroll 3
        for (size_t v = 0; v < n_vectors; v++)
            b[v] = get(s.b + v * WIDTH);
#pragma GCC unroll 8
        for (size_t r = 0; r < n_rows; r++) {
            const double a = adds ? -s.a[(ptrdiff_t)r * s.a_row] : s.a[(ptrdiff_t)r * s.a_row];
#pragma GCC unroll 3
            for (size_t v = 0; v < n_vectors; v++)
                c[r][v] = less_product(a, b[v], c[r][v]);
        }
    }
#pragma GCC unroll 8
    for (size_t r = 0; r < n_rows; r++)
#pragma GCC unroll 3
        for (size_t v = 0; v < n_vectors; v++)
            set(s.c + r * s.n + v * WIDTH, c[r][v]);
}

/* A block of rows, or a single one. */
#define SUBTRACT(NAME, N_ROWS, IS_NEW, ADDS)                                                                         \
    static void NAME(const step *s, size_t n_vectors)                                                                \
    {                                                                                                                \
        if (n_vectors == 1)                                                                                          \
            subtract(*s, N_ROWS, 1, IS_NEW, ADDS);                                                                   \
        else if (n_vectors == 2)                                                                                     \
            subtract(*s, N_ROWS, 2, IS_NEW, ADDS);                                                                   \
        else                                                                                                         \
            subtract(*s, N_ROWS, VECTORS, IS_NEW, ADDS);                                                             \
    }

SUBTRACT(subtract_block, ROWS, false, false)
SUBTRACT(subtract_row, 1, false, false)
SUBTRACT(subtract_block_from_0, ROWS, true, false)
SUBTRACT(subtract_row_from_0, 1, true, false)
SUBTRACT(add_block, ROWS, false, true)
SUBTRACT(add_row, 1, false, true)

/* x - a y, of n_vectors vectors. */
ALWAYS_INLINE void subtract_vectors(double *x, double a, const double *y, size_t n_vectors)
{
    for (size_t v = 0; v < n_vectors; v++)
        set(x + v * WIDTH, less_product(a, get(y + v * WIDTH), get(x + v * WIDTH)));
}

ALWAYS_INLINE void scale(double *x, double a, size_t n_vectors)
{
    for (size_t v = 0; v < n_vectors; v++)
        set(x + v * WIDTH, get(x + v * WIDTH) * a);
}

/* The same of any number of elements. */
static void subtract_elements(double *x, double a, const double *y, size_t n)
{
    size_t j = 0;
    for (; j + WIDTH <= n; j += WIDTH)
        subtract_vectors(x + j, a, y + j, 1);
    for (; j < n; j++)
        x[j] = __builtin_fma(-a, y[j], x[j]);
}

/* Columns of a tile next to others, so that together they are n: the odd one comes first. */
static size_t tile_width(size_t n)
{
    const size_t whole = (size_t)VECTORS * WIDTH, odd = n % whole;
    return odd == 0 ? whole : odd;
}

/* ---- A = R'R ---- */

/* Rows i..i+m-1, from which the rows above are subtracted already, in the columns of a tile: those among them above each other are
 * subtracted, and each is divided by its pivot R_ii.  In the tile column of the diagonal the pivot is made here. */
ALWAYS_INLINE bool finish_rows(size_t n, double *a, size_t i, size_t m, size_t j, size_t n_vectors)
{
    for (size_t r = i; r < i + m; r++) {
        double *row = a + r * n;
        for (size_t q = i; q < r; q++)
            subtract_vectors(row + j, a[q * n + r], a + q * n + j, n_vectors);
        if (r >= j) { /* the diagonal is in this tile column */
            if (!(row[r] > 0) || !(row[r] < HUGE_VAL))
                return false;
            const double pivot = sqrt(row[r]);
            scale(row + j, 1 / pivot, n_vectors);
            row[r] = pivot;
        } else
            scale(row + j, 1 / row[r], n_vectors);
    }
    return true;
}

/* The first m rows and columns, less than a vector. */
static bool factor_corner(size_t n, double *a, size_t m)
{
    for (size_t r = 0; r < m; r++) {
        for (size_t q = 0; q < r; q++)
            for (size_t j = r; j < m; j++)
                a[r * n + j] = __builtin_fma(-a[q * n + r], a[q * n + j], a[r * n + j]);
        if (!(a[r * n + r] > 0) || !(a[r * n + r] < HUGE_VAL))
            return false;
        const double pivot = sqrt(a[r * n + r]), inverse = 1 / pivot;
        for (size_t j = r + 1; j < m; j++)
            a[r * n + j] *= inverse;
        a[r * n + r] = pivot;
    }
    return true;
}

static bool factor(size_t n, double *a)
{
    const size_t corner = n % UNIT;
    bool is_done = factor_corner(n, a, corner);
    for (size_t j = corner; j < n && is_done;) {
        const size_t end = j + tile_width(n - j);
        const size_t n_vectors = (end - j) / WIDTH;
        is_done = finish_rows(n, a, 0, corner, j, n_vectors);
        for (size_t i = corner; i < end && is_done; i += ROWS) {
            subtract_block(&(step){.n = n,
                                   .depth = i,
                                   .a = a + i,
                                   .a_row = 1,
                                   .a_depth = (ptrdiff_t)n,
                                   .b = a + j,
                                   .b_depth = (ptrdiff_t)n,
                                   .c = a + i * n + j},
                           n_vectors);
            is_done = finish_rows(n, a, i, ROWS, j, n_vectors);
        }
        j = end;
    }
    return is_done;
}

static void forward(size_t n, const double *r, double *x)
{
    for (size_t i = 0; i < n; i++) {
        x[i] /= r[i * n + i];
        subtract_elements(x + i + 1, x[i], r + i * n + i + 1, n - i - 1);
    }
}

/* sum_j r_j x_j over eight chains, whatever the instruction set. */
static double product(const double *r, const double *x, size_t n)
{
    enum { CHAINS = 8 };
    double sum[CHAINS] = {0};
    size_t j = 0;
    for (; j + CHAINS <= n; j += CHAINS)
        for (int c = 0; c < CHAINS; c++)
            sum[c] = __builtin_fma(r[j + (size_t)c], x[j + (size_t)c], sum[c]);
    for (int c = 0; j < n; j++, c++)
        sum[c] = __builtin_fma(r[j], x[j], sum[c]);
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

static void backward(size_t n, const double *r, double *x)
{
    for (size_t i = n; i-- > 0;)
        x[i] = (x[i] - product(r + i * n + i + 1, x + i + 1, n - i - 1)) / r[i * n + i];
}

/* ---- R'R, from the last row up: row i needs the rows above it and itself ---- */

static void negate(double *x, size_t n)
{
    for (size_t j = 0; j < n; j++)
        x[j] = -x[j];
}

/* A row block takes its columns from the right: those of its own rows, which all of them need, come last. */
static void square(size_t n, double *r)
{
    const size_t corner = n % UNIT;
    for (size_t i = n; i > corner;) {
        i -= ROWS;
        for (size_t j = n; j > i; j -= UNIT)
            subtract_block_from_0(&(step){.n = n,
                                          .depth = i + ROWS,
                                          .a = r + i,
                                          .a_row = 1,
                                          .a_depth = (ptrdiff_t)n,
                                          .b = r + j - UNIT,
                                          .b_depth = (ptrdiff_t)n,
                                          .c = r + i * n + j - UNIT},
                                  UNIT / WIDTH);
        for (size_t k = 0; k < ROWS; k++)
            negate(r + (i + k) * n + i, n - i);
    }
    for (size_t i = corner; i-- > 0;)
        for (size_t j = n; j-- > i;) {
            double sum = 0;
            for (size_t p = 0; p <= i; p++)
                sum = __builtin_fma(r[p * n + i], r[p * n + j], sum);
            r[i * n + j] = sum;
        }
}

/* ---- sum + A'A ---- */

static void add_products(size_t n_rows, size_t n, const double *a, double *sum)
{
    const size_t corner = n % UNIT;
    for (size_t i = 0; i < corner; i++)
        for (size_t j = i; j < corner; j++)
            for (size_t p = 0; p < n_rows; p++)
                sum[i * n + j] = __builtin_fma(a[p * n + i], a[p * n + j], sum[i * n + j]);
    for (size_t j = corner, end; j < n; j = end) {
        end = j + tile_width(n - j);
        for (size_t i = 0; i < end; i += i < corner ? 1 : ROWS) {
            const step s = {.n = n,
                            .depth = n_rows,
                            .a = a + i,
                            .a_row = 1,
                            .a_depth = (ptrdiff_t)n,
                            .b = a + j,
                            .b_depth = (ptrdiff_t)n,
                            .c = sum + i * n + j};
            (i < corner ? add_row : add_block)(&s, (end - j) / WIDTH);
        }
    }
}

/* ---- lower triangles: the odd rows and columns are the last ---- */

/* The rows of a tile column from `first` on: in blocks, the last ones each for itself. */
#define FOR_ROWS(i, m, first, n) for (size_t i = (first), m; i < (n) && (m = (n)-i >= ROWS ? ROWS : 1) > 0; i += m)

/* One row of L B^{-1}, in the columns j..end-1 of B; those behind them are subtracted already.
 *
 *   X_ij = (L_ij - sum_{p > j} X_ip B_pj) / B_jj,   p descending                                              (2) */
static void divide_row(size_t n, double *row, const double *b, size_t j, size_t end)
{
    for (size_t k = end; k-- > j;) {
        row[k] /= b[k * n + k];
        subtract_elements(row + j, row[k], b + k * n + j, k - j);
    }
}

static void divide(size_t n, double *l, const double *b)
{
    const size_t whole = n - n % UNIT;
    for (size_t i = whole; i < n; i++)
        divide_row(n, l + i * n, b, whole, n);
    for (size_t end = whole; end > 0;) {
        const size_t width = tile_width(end), j = end - width;
        FOR_ROWS(i, m, j, n)
        {
            const step s = {.n = n,
                            .depth = n - end,
                            .a = l + i * n + n - 1,
                            .a_row = (ptrdiff_t)n,
                            .a_depth = -1,
                            .b = b + (n - 1) * n + j,
                            .b_depth = -(ptrdiff_t)n,
                            .c = l + i * n + j};
            (m == ROWS ? subtract_block : subtract_row)(&s, width / WIDTH);
            for (size_t k = i; k < i + m; k++)
                divide_row(n, l + k * n, b, j, end);
        }
        end = j;
    }
}

/* Row i of X = L^{-1} from the rows above it, in columns j..end-1, of which those of the diagonal's block come last.
 *
 *   X_ij = (I_ij - sum_{j <= p < i} L_ip X_pj) / L_ii                                                         (3) */
static void invert_rows(size_t n, double *l, size_t i, size_t m, size_t j, size_t end)
{
    double corner[ROWS][ROWS];
    for (size_t r = 0; r < m; r++)
        for (size_t q = 0; q <= r; q++)
            corner[r][q] = l[(i + r) * n + i + q];
    const size_t depth = i > j ? i - j : 0;
    const step s = {.n = n,
                    .depth = depth,
                    .a = l + i * n + j,
                    .a_row = (ptrdiff_t)n,
                    .a_depth = 1,
                    .b = l + j * n + j,
                    .b_depth = (ptrdiff_t)n,
                    .c = l + i * n + j};
    const size_t n_vectors = (end - j) / WIDTH;
    (m == ROWS ? subtract_block_from_0 : subtract_row_from_0)(&s, n_vectors);
    for (size_t r = 0; r < m; r++) {
        double *row = l + (i + r) * n;
        if (i + r >= j && i + r < end)
            row[i + r] = 1;
        for (size_t q = 0; q < r; q++)
            subtract_vectors(row + j, corner[r][q], l + (i + q) * n + j, n_vectors);
        scale(row + j, 1 / corner[r][r], n_vectors);
    }
}

/* The last columns, less than a vector. */
static void invert_corner(size_t n, double *l, size_t first)
{
    for (size_t i = first; i < n; i++) {
        double *row = l + i * n;
        const double inverse = 1 / row[i];
        for (size_t j = first; j < i; j++) {
            double sum = 0;
            for (size_t p = j; p < i; p++)
                sum = __builtin_fma(-row[p], l[p * n + j], sum);
            row[j] = sum * inverse;
        }
        row[i] = inverse;
    }
}

static void invert(size_t n, double *l)
{
    const size_t whole = n - n % UNIT;
    FOR_ROWS(i, m, 0, n)
    {
        const size_t columns = i + m < whole ? i + m : whole;
        for (size_t j = 0, end; j < columns; j = end) {
            end = j + (size_t)VECTORS * WIDTH < columns ? j + (size_t)VECTORS * WIDTH : columns;
            invert_rows(n, l, i, m, j, end);
        }
    }
    invert_corner(n, l, whole);
}

/* M'M from the first row down: row i needs the rows below it and itself. */
static void square_columns(size_t n, double *m)
{
    const size_t whole = n - n % UNIT;
    FOR_ROWS(i, k, 0, n)
    {
        const size_t columns = i + k < whole ? i + k : whole;
        for (size_t j = 0; j < columns; j += UNIT) {
            const step s = {.n = n,
                            .depth = n - i,
                            .a = m + i * n + i,
                            .a_row = 1,
                            .a_depth = (ptrdiff_t)n,
                            .b = m + i * n + j,
                            .b_depth = (ptrdiff_t)n,
                            .c = m + i * n + j};
            (k == ROWS ? subtract_block_from_0 : subtract_row_from_0)(&s, UNIT / WIDTH);
        }
        for (size_t j = whole; j <= i && i >= whole; j++) {
            double sum = 0;
            for (size_t p = i; p < n; p++)
                sum = __builtin_fma(-m[p * n + i], m[p * n + j], sum);
            m[i * n + j] = sum;
        }
        for (size_t r = i; r < i + k; r++)
            negate(m + r * n, n);
    }
}

const gb_triangles GB_TRIANGLES = {factor, forward, backward, square, divide, invert, square_columns, add_products};
