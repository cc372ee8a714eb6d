/* math/eigen.c - Jacobi's method for symmetric matrices (Golub and Van Loan, Matrix Computations, 8.5): each rotation makes one entry
 * off the diagonal 0, and the sum of their squares falls by as much. */
#include "math/eigen.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MOST_ROUNDS = 60 }; /* some ten are enough: convergence is quadratic in the end */

/* sqrt(1 + x^2), with the rounding of the root taken off (Borges 2021, ACM Trans. Math. Softw. 47): C libraries round hypot() in
 * their own ways. */
static double length_with_one(double x)
{
    const double size = fabs(x), a = size > 1 ? size : 1, b = size > 1 ? 1 : size;
    if (!(size < 0x1p54))
        return size;
    const double h = sqrt(a * a + b * b), beyond = h <= 2 * b ? h - b : h - a;
    const double error = h <= 2 * b ? a * (2 * beyond - a) + (beyond - 2 * (a - b)) * beyond
                                    : 2 * beyond * (a - 2 * b) + ((4 * beyond - b) * b + beyond * beyond);
    return h - error / (2 * h);
}

static void rotate(double *x, double *y, double c, double s)
{
    const double old = *x;
    *x = c * old - s * *y;
    *y = s * old + c * *y;
}

/* A rotation of rows and columns p and q after which a[p][q] is 0. */
static void annihilate(size_t n, double *a, double *vector, size_t p, size_t q)
{
    const double tau = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
    const double t = (tau < 0 ? -1 : 1) / (fabs(tau) + length_with_one(tau));
    const double c = 1 / length_with_one(t), s = t * c;
    for (size_t k = 0; k < n; k++)
        rotate(&a[k * n + p], &a[k * n + q], c, s);
    for (size_t k = 0; k < n; k++)
        rotate(&a[p * n + k], &a[q * n + k], c, s);
    for (size_t k = 0; k < n; k++)
        rotate(&vector[p * n + k], &vector[q * n + k], c, s);
    a[p * n + q] = a[q * n + p] = 0;
}

/* @return whether there was anything to do: an entry that is not lost beside the diagonal */
static bool go_round(size_t n, double *a, double *vector)
{
    bool any = false;
    for (size_t p = 0; p < n; p++)
        for (size_t q = p + 1; q < n; q++) {
            const double off = fabs(a[p * n + q]), beside = fabs(a[p * n + p]) + fabs(a[q * n + q]);
            if (!(off > 0) || (beside + off / 1024) - beside == 0)
                continue;
            annihilate(n, a, vector, p, q);
            any = true;
        }
    return any;
}

static void swap_rows(size_t n, double *vector, size_t i, size_t j)
{
    for (size_t k = 0; k < n; k++) {
        const double old = vector[i * n + k];
        vector[i * n + k] = vector[j * n + k];
        vector[j * n + k] = old;
    }
}

static void sort_ascending(size_t n, double *value, double *vector)
{
    for (size_t i = 0; i + 1 < n; i++) {
        size_t least = i;
        for (size_t j = i + 1; j < n; j++)
            if (value[j] < value[least])
                least = j;
        const double old = value[i];
        value[i] = value[least];
        value[least] = old;
        if (least != i)
            swap_rows(n, vector, i, least);
    }
}

static void fix_sign(size_t n, double *vector)
{
    double largest = 0;
    size_t first = 0;
    for (size_t k = 0; k < n; k++)
        largest = fmax(largest, fabs(vector[k]));
    while (fabs(vector[first]) < largest * (1 - 1e-6))
        first++;
    for (size_t k = 0; k < n && vector[first] < 0; k++)
        if (k != first)
            vector[k] = -vector[k];
    vector[first] = fabs(vector[first]);
}

void gb_symmetric_eigen(size_t n, double *a, double *value, double *vector)
{
    memset(vector, 0, n * n * sizeof *vector);
    for (size_t i = 0; i < n; i++)
        vector[i * n + i] = 1;
    for (size_t round = 0; round < MOST_ROUNDS && go_round(n, a, vector); round++)
        ;
    for (size_t i = 0; i < n; i++)
        value[i] = a[i * n + i];
    sort_ascending(n, value, vector);
    for (size_t i = 0; i < n; i++)
        fix_sign(n, &vector[i * n]);
}
