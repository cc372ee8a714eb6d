/* math/cholesky.c - the kernel for this processor, and matrices as it takes them. */
#include "math/cholesky.h"

#include "math/triangles.h"
#include "simd/isa.h"

static const gb_triangles *kernel(void)
{
    return GB_KERNEL_FOR(gb_isa_best(), &gb_triangles);
}

bool gb_draw_normal_by_precision(size_t n, double *lambda, double *h, const double *e)
{
    const gb_triangles *k = kernel();
    if (!k->factor(n, lambda)) /* by rows it is the upper triangle */
        return false;
    k->forward(n, lambda, h);
    for (size_t i = 0; i < n; i++)
        h[i] += e[i];
    k->backward(n, lambda, h);
    return true;
}

static void copy_lower(size_t n, double *a)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            a[j * n + i] = a[i * n + j];
}

static void copy_upper(size_t n, double *a)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            a[i * n + j] = a[j * n + i];
}

static void clear_upper(size_t n, double *a)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            a[i * n + j] = 0;
}

bool gb_cholesky(size_t n, double *a)
{
    copy_lower(n, a);
    const bool is_done = kernel()->factor(n, a);
    copy_upper(n, a); /* L = R' */
    clear_upper(n, a);
    return is_done;
}

bool gb_cholesky_inverse(size_t n, double *l)
{
    const gb_triangles *k = kernel();
    for (size_t i = 0; i < n; i++)
        if (l[i * n + i] == 0)
            return false;
    clear_upper(n, l);
    k->invert(n, l);
    k->square_columns(n, l);
    copy_lower(n, l);
    return true;
}

void gb_add_products(size_t n_rows, size_t n, const double *a, double *sum)
{
    kernel()->add_products(n_rows, n, a, sum);
}

void gb_divide_triangular(size_t n, double *l, const double *b)
{
    kernel()->divide(n, l, b);
}

void gb_multiply_triangular(size_t n, const double *l, double *product)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            product[i * n + j] = j < i ? 0 : l[j * n + i];
    kernel()->square(n, product);
    copy_upper(n, product);
}
