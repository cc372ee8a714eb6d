/* math/error_gamma.c - the complementary error function and the logarithm of the gamma function, which every C library rounds in its own
 * way: here their operations are fixed, and their logarithms and exponentials are of arguments that all round alike.
 *
 * Approximations and coefficients: Sun Microsystems' fdlibm (1993).  With R and S polynomials of each interval,
 *   erf(x) = x + x R(x^2) / S(x^2)                                               |x| < 0.84375
 *   erf(x) = c + R(|x| - 1) / S(|x| - 1)                                         |x| < 1.25, c near erf(1)
 *   erfc(x) = exp(-x^2 - 0.5625 + R(1 / x^2) / S(1 / x^2)) / x                   x < 28
 *   log gamma(2 - y) = R(y) - y / 2                                              0 <= y <= 0.27
 *   log gamma(t + y) = f + R(y)                                                  |y| <= 0.27, f the minimum, at t
 *   log gamma(1 + y) = y R(y) / S(y) - y / 2                                     |y| <= 0.23
 *   log gamma(2 + y) = y / 2 + y R(y) / S(y)                                     0 <= y < 1
 *   log gamma(x) = (x - 1/2) (log x - 1) + R(1 / x)                              x >= 8
 * and gamma(x + 1) = x gamma(x) for what lies between.  Error: below one unit in the last place of the larger of 1 and the value. */
#include "math/special.h"
#include "simd/inline.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- erfc ---- */

/* c[0] + c[1] x + ... + c[n-1] x^(n-1), n <= 10, as (c[0] + c[1] x) + x^2 (c[2] + c[3] x) + ... */
ALWAYS_INLINE double by_pairs(int n, const double *c, double x)
{
    const double x2 = x * x, x4 = x2 * x2, power[5] = {1, x2, x4, x4 * x2, x4 * x4};
    double sum = c[0] + x * c[1];
    for (int i = 2; i < n; i += 2)
        sum += power[i / 2] * (i + 1 < n ? c[i] + x * c[i + 1] : c[i]);
    return sum;
}

/* x >= 1.25 */
static double erfc_of_large(double x)
{
    static const double above_near[8] = {-9.86494403484714822705e-03, -6.93858572707181764372e-01,
                                         -1.05586262253232909814e+01, -6.23753324503260060396e+01,
                                         -1.62396669462573470355e+02, -1.84605092906711035994e+02,
                                         -8.12874355063065934246e+01, -9.81432934416914548592e+00},
                        below_near[9] = {1.0,
                                         1.96512716674392571292e+01,
                                         1.37657754143519042600e+02,
                                         4.34565877475229228821e+02,
                                         6.45387271733267880336e+02,
                                         4.29008140027567833386e+02,
                                         1.08635005541779435134e+02,
                                         6.57024977031928170135e+00,
                                         -6.04244152148580987438e-02},
                        above_far[7] = {-9.86494292470009928597e-03, -7.99283237680523006574e-01,
                                        -1.77579549177547519889e+01, -1.60636384855821916062e+02,
                                        -6.37566443368389627722e+02, -1.02509513161107724954e+03,
                                        -4.83519191608651397019e+02},
                        below_far[8] = {1.0,
                                        3.03380607434824582924e+01,
                                        3.25792512996573918826e+02,
                                        1.53672958608443695994e+03,
                                        3.19985821950859553908e+03,
                                        2.55305040643316442583e+03,
                                        4.74528541206955367215e+02,
                                        -2.24409524465858183362e+01};
    const double s = 1 / (x * x);
    const double ratio = x < 1 / 0.35 ? by_pairs(8, above_near, s) / by_pairs(9, below_near, s)
                                      : by_pairs(7, above_far, s) / by_pairs(8, below_far, s);
    uint64_t bits;
    double z; /* x in so few bits that its square is exact */
    memcpy(&bits, &x, sizeof bits);
    bits &= UINT64_C(0xffffffff00000000);
    memcpy(&z, &bits, sizeof z);
    return exp(-z * z - 0.5625) * exp((z - x) * (z + x) + ratio) / x;
}

double gb_erfc(double x)
{
    static const double above_0[5] = {1.28379167095512558561e-01, -3.25042107247001499370e-01,
                                      -2.84817495755985104766e-02, -5.77027029648944159157e-03,
                                      -2.37630166566501626084e-05},
                        below_0[6] = {1.0,
                                      3.97917223959155352819e-01,
                                      6.50222499887672944485e-02,
                                      5.08130628187576562776e-03,
                                      1.32494738004321644526e-04,
                                      -3.96022827877536812320e-06},
                        above_1[7] = {-2.36211856075265944077e-03, 4.14856118683748331666e-01,
                                      -3.72207876035701323847e-01, 3.18346619901161753674e-01,
                                      -1.10894694282396677476e-01, 3.54783043256182359371e-02,
                                      -2.16637559486879084300e-03},
                        below_1[7] = {1.0,
                                      1.06420880400844228286e-01,
                                      5.40397917702171048937e-01,
                                      7.18286544141962662868e-02,
                                      1.26171219808761642112e-01,
                                      1.36370839120290507362e-02,
                                      1.19844998467991074170e-02};
    const double size = fabs(x), near_erf_1 = 8.45062911510467529297e-01;
    if (!(size < 28))
        return isnan(x) ? x : x > 0 ? 0 : 2;
    if (size < 0x1p-56)
        return 1 - x;
    if (size < 0.84375) {
        const double z = x * x, y = by_pairs(5, above_0, z) / by_pairs(6, below_0, z);
        return x < 0.25 ? 1 - (x + x * y) : 0.5 - (x - 0.5 + x * y);
    }
    if (size < 1.25) {
        const double s = size - 1, y = by_pairs(7, above_1, s) / by_pairs(7, below_1, s);
        return x >= 0 ? 1 - near_erf_1 - y : 1 + (near_erf_1 + y);
    }
    if (x < -6)
        return 2;
    return x > 0 ? erfc_of_large(size) : 2 - erfc_of_large(size);
}

/* ---- log gamma ---- */

/* c[0] + x (c[1] + x (... + x c[n-1])). */
ALWAYS_INLINE double nested(int n, const double *c, double x)
{
    double sum = c[n - 1];
    for (int i = n - 2; i >= 0; i--)
        sum = c[i] + x * sum;
    return sum;
}

/* of 2 - y */
static double below_two(double y)
{
    static const double even[6] = {7.72156649015328655494e-02, 6.73523010531292681824e-02,
                                   7.38555086081402883957e-03, 1.19270763183362067845e-03,
                                   2.20862790713908385557e-04, 2.52144565451257326939e-05},
                        odd[6] = {3.22467033424113591611e-01, 2.05808084325167332806e-02, 2.89051383673415629091e-03,
                                  5.10069792153511336608e-04, 1.08011567247583939954e-04, 4.48640949618915160150e-05};
    const double z = y * y;
    return y * nested(6, even, z) + z * nested(6, odd, z) - 0.5 * y;
}

#define MINIMUM_AT 1.46163214496836224576e+00

/* of MINIMUM_AT + y; every third coefficient, and what is missing of the minimum's own digits */
static double around_minimum(double y)
{
    static const double third_0[5] = {4.83836122723810047042e-01, -3.27885410759859649565e-02,
                                      6.10053870246291332635e-03, -1.40346469989232843813e-03,
                                      3.15632070903625950361e-04},
                        third_1[5] = {-1.47587722994593911752e-01, 1.79706750811820387126e-02,
                                      -3.68452016781138256760e-03, 8.81081882437654011382e-04,
                                      -3.12754168375120860518e-04},
                        third_2[5] = {6.46249402391333854778e-02, -1.03142241298341437450e-02,
                                      2.25964780900612472250e-03, -5.38595305356740546715e-04,
                                      3.35529192635519073543e-04};
    const double minimum = -1.21486290535849611461e-01, missing = -3.63867699703950536541e-18, z = y * y, w = z * y;
    return minimum +
           (z * nested(5, third_0, w) - (missing - w * (nested(5, third_1, w) + y * nested(5, third_2, w))));
}

/* of 1 + y */
static double around_one(double y)
{
    static const double above[6] = {-7.72156649015328655494e-02, 6.32827064025093366517e-01,
                                    1.45492250137234768737e+00,  9.77717527963372745603e-01,
                                    2.28963728064692451092e-01,  1.33810918536787660377e-02},
                        below[6] = {1.0,
                                    2.45597793713041134822e+00,
                                    2.12848976379893395361e+00,
                                    7.69285150456672783825e-01,
                                    1.04222645593369134254e-01,
                                    3.21709242282423911810e-03};
    return -0.5 * y + y * nested(6, above, y) / nested(6, below, y);
}

/* 2 <= x < 8 */
static double above_two(double x)
{
    static const double above[7] = {-7.72156649015328655494e-02, 2.14982415960608852501e-01,
                                    3.25778796408930981787e-01,  1.46350472652464452805e-01,
                                    2.66422703033638609560e-02,  1.84028451407337715652e-03,
                                    3.19475326584100867617e-05},
                        below[7] = {1.0,
                                    1.39200533467621045958e+00,
                                    7.21935547567138069525e-01,
                                    1.71933865632803078993e-01,
                                    1.86459191715652901344e-02,
                                    7.77942496381893596434e-04,
                                    7.32668430744625636189e-06};
    const int whole = (int)x;
    const double y = x - whole, r = 0.5 * y + y * nested(7, above, y) / nested(7, below, y);
    double product = 1;
    for (int i = whole - 1; i >= 2; i--)
        product *= y + i;
    return whole == 2 ? r : r + log(product);
}

double gb_log_gamma(double x)
{
    static const double first = 4.18938533204672725052e-01,
                        other[6] = {8.33333333333329678849e-02, -2.77777777728775536470e-03,
                                    7.93650558643019558500e-04, -5.95187557450339963135e-04,
                                    8.36339918996282139126e-04, -1.63092934096575273989e-03};
    if (x == 1 || x == 2)
        return 0;
    if (x < 0x1p-70)
        return -log(x);
    if (x < 0x1.ccccdp-1) {
        const double of_next = x >= 0x1.76944p-1   ? below_two(1 - x)
                               : x >= 0x1.da661p-3 ? around_minimum(x - (MINIMUM_AT - 1))
                                                   : around_one(x);
        return of_next - log(x);
    }
    if (x < 2)
        return x >= 0x1.bb4c3p+0   ? below_two(2 - x)
               : x >= 0x1.3b4c4p+0 ? around_minimum(x - MINIMUM_AT)
                                   : around_one(x - 1);
    if (x < 8)
        return above_two(x);
    if (x < 0x1p58) {
        const double z = 1 / x;
        return (x - 0.5) * (log(x) - 1) + (first + z * nested(6, other, z * z));
    }
    return x * (log(x) - 1);
}
