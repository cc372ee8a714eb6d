/* design/smooth.c - columns of a penalised spline. */
#include "design/smooth.h"

#include "base/memory.h"
#include "math/eigen.h"

#include <math.h>

enum { POINTS_OF_INTERVAL = 20 }; /* of the grid over which columns are centred and scaled */

/* The four B-splines that are not 0 at u in [0, 1], or their slopes by u; they are first, first + 1, ... */
typedef struct splines {
    size_t first;
    double value[4], slope[4];
} splines;

static splines splines_at(size_t df, double u)
{
    const size_t n_intervals = df - 3;
    const double t = u * (double)n_intervals, m = (double)n_intervals;
    const size_t i = t >= m ? n_intervals - 1 : (size_t)t;
    const double f = t - (double)i, g = 1 - f;
    return (splines){
        .first = i,
        .value = {g * g * g / 6, (3 * f * f * f - 6 * f * f + 4) / 6, (-3 * f * f * f + 3 * f * f + 3 * f + 1) / 6,
                  f * f * f / 6},
        .slope = {-m * g * g / 2, m * (3 * f * f - 4 * f) / 2, m * (-3 * f * f + 2 * f + 1) / 2, m * f * f / 2}};
}

static double sum_of(const gb_smooth *s, size_t first, const double weight[4], size_t column)
{
    double sum = 0;
    for (size_t k = 0; k < 4; k++)
        sum += weight[k] * s->coefficient[(first + k) * gb_smooth_n_columns(s) + column];
    return sum;
}

/* D2'D2, rows (1, -2, 1). */
static void fill_penalty(size_t df, double *penalty)
{
    static const double second[3] = {1, -2, 1};
    for (size_t r = 0; r + 2 < df; r++)
        for (size_t i = 0; i < 3; i++)
            for (size_t j = 0; j < 3; j++)
                penalty[(r + i) * df + r + j] += second[i] * second[j];
}

/* A straight line in u has the coefficients (k - 1) / (number of intervals): take away the one that fits best over the grid. */
static void take_line_away(gb_smooth *s, size_t column)
{
    const size_t n_intervals = s->df - 3, n = POINTS_OF_INTERVAL * n_intervals;
    double mean = 0, product = 0, square = 0;
    for (size_t g = 0; g < n; g++) {
        const double u = ((double)g + 0.5) / (double)n;
        const splines b = splines_at(s->df, u);
        const double v = sum_of(s, b.first, b.value, column);
        mean += v / (double)n;
        product += v * (u - 0.5);
        square += (u - 0.5) * (u - 0.5);
    }
    for (size_t k = 0; k < s->df; k++)
        s->coefficient[k * gb_smooth_n_columns(s) + column] -=
            mean + product / square * (((double)k - 1) / (double)n_intervals - 0.5);
}

static void scale(gb_smooth *s)
{
    const size_t n = POINTS_OF_INTERVAL * (s->df - 3), n_columns = gb_smooth_n_columns(s);
    double square = 0;
    for (size_t g = 0; g < n; g++) {
        const splines b = splines_at(s->df, ((double)g + 0.5) / (double)n);
        for (size_t j = 0; j < n_columns; j++) {
            const double v = sum_of(s, b.first, b.value, j);
            square += v * v / (double)n;
        }
    }
    for (size_t i = 0; i < s->df * n_columns; i++)
        s->coefficient[i] /= sqrt(square);
}

gb_status gb_smooth_create(gb_smooth *out, size_t df, double low, double high, gb_error *err)
{
    gb_status st;
    gb_smooth s = {.df = df, .low = low, .high = high};
    double *penalty = NULL, *value = NULL, *vector = NULL;
    GB_TRY(gb_alloc(&s.coefficient, df * (df - 2), sizeof *s.coefficient, "a smooth term", err));
    GB_TRY(gb_alloc(&penalty, df * df, sizeof *penalty, "a smooth term", err));
    GB_TRY(gb_alloc(&value, df, sizeof *value, "a smooth term", err));
    GB_TRY(gb_alloc(&vector, df * df, sizeof *vector, "a smooth term", err));
    fill_penalty(df, penalty);
    gb_symmetric_eigen(df, penalty, value, vector);
    for (size_t j = 0; j < df - 2; j++) { /* two eigenvalues are 0: constants and lines */
        for (size_t k = 0; k < df; k++)
            s.coefficient[k * (df - 2) + j] = vector[(j + 2) * df + k] / sqrt(value[j + 2]);
        take_line_away(&s, j);
    }
    scale(&s);
    *out = s;
    s.coefficient = NULL;
done:
    gb_free(s.coefficient);
    gb_free(penalty);
    gb_free(value);
    gb_free(vector);
    return st;
}

void gb_smooth_clear(gb_smooth *smooth)
{
    gb_free(smooth->coefficient);
    *smooth = (gb_smooth){.df = 0};
}

void gb_smooth_row(const gb_smooth *s, double x, double *row)
{
    const double u = (x / 2 - s->low / 2) / (s->high / 2 - s->low / 2); /* halves, whose difference is finite */
    const double inside = fmin(fmax(u, 0), 1);
    const splines b = splines_at(s->df, inside);
    for (size_t j = 0; j < gb_smooth_n_columns(s); j++) {
        row[j] = sum_of(s, b.first, b.value, j);
        if (u != inside)
            row[j] += (u - inside) * sum_of(s, b.first, b.slope, j);
    }
}
