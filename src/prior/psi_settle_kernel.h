/* prior/psi_settle_kernel.h - rates of psi_settle.c for topics side by side; part of psi_kernel.h, once per instruction set. */

ALWAYS_INLINE vd exponential(vd x)
{
    const vd e = exponential_of_negative(-magnitude(x));
    return choose(x > all(0), all(1) / e, e);
}

/* P(e < x), e standard normal, to 2e-4. */
ALWAYS_INLINE vd rough_normal_distribution(vd x)
{
    const vd e = exponential_of_negative(-magnitude(x * (all(1.5976) + all(0.07056) * x * x)));
    return choose(x > all(0), all(1), e) / (all(1) + e);
}

ALWAYS_INLINE vd larger(vd a, vd b)
{
    return choose(a > b, a, b);
}

ALWAYS_INLINE vd smaller(vd a, vd b)
{
    return choose(a < b, a, b);
}

/* (3) of psi_settle.c: Newton's steps from the right, on which side they do not jump over the mode. */
ALWAYS_INLINE vd rate_by_mode(vd n, vd mean, vd precision)
{
    enum { STEPS = 5 };
    const vd from = larger(n, all(1)), log_n = logarithm(from);
    const vd above = smaller(mean, logarithm(from + precision * larger(mean - log_n, all(0))));
    vd y = choose(mean > log_n, above, choose(n > all(0), log_n, mean)), e;
    for (int i = 0; i < STEPS; i++) {
        e = exponential(y);
        y += (n - e - precision * (y - mean)) / (e + precision);
    }
    e = exponential(y);
    return e + all(0.5) * precision * e / ((e + precision) * (e + precision));
}

/* Points of (4), STEP apart from LOWEST on. */
enum { N_POINTS = 19 };
static const double LOWEST = -9.75, STEP = 0.75;
static const double point_rate[N_POINTS] = {5.829466373086881e-05,  0.00012340980408667956,
                                            0.00026125855730166754, 0.0005530843701478336,
                                            0.0011708796207911744,  0.0024787521766663585,
                                            0.005247518399181385,   0.011108996538242306,
                                            0.023517745856009107,   0.049787068367863944,
                                            0.10539922456186433,    0.22313016014842982,
                                            0.4723665527410147,     1.0,
                                            2.117000016612675,      4.4816890703380645,
                                            9.487735836358526,      20.085536923187668,
                                            42.52108200006278}; /* exp(y) */
static const double point_weight[N_POINTS] = {
    0.99994170703537,     0.9998765978105899,    0.9997387755677434,     0.9994470685528181,   0.9988298055912923,
    0.9975243173927525,   0.9947662257740503,    0.9889524805037951,     0.9767566411323356,   0.9514319929004534,
    0.8999651626606278,   0.8000107130043536,    0.6235249162568004,     0.36787944117144233,  0.12039226207982957,
    0.011314286380459627, 7.577547728260715e-05, 1.8921786948382924e-09, 3.414512624812977e-19}; /* exp(-exp(y)) */

ALWAYS_INLINE vd rate_by_points(vd mean, vd precision)
{
    const vd from = all(LOWEST) - mean, h = all(STEP);
    vd density = exponential_of_negative(-precision * from * from / all(2)),
       factor = exponential(-precision * h * (all(2) * from + h) / all(2)), sum = all(0);
    const vd next = exponential_of_negative(-precision * h * h),
             below = rough_normal_distribution(square_root(precision) * (from - h / all(2)));
    vd total = below * square_root(all(2 * M_PI) / precision) / h;
    for (int i = 0; i < N_POINTS; i++) {
        const vd weight = density * all(point_weight[i]);
        total += weight;
        sum += weight * all(point_rate[i]);
        density *= factor;
        factor *= next;
    }
    return sum / total;
}

/* Without a token. */
ALWAYS_INLINE vd rate_of_none(vd mean, vd precision)
{
    const vd far = all(LOWEST) - mean;
    const vi is_small = mean + all(1) / precision < all(-7),
             is_narrow = (precision > all(2)) | (precision * far * far > all(1300));
    vd rate = rate_by_points(choose(is_narrow | is_small, all(0), mean), choose(is_narrow, all(1), precision));
    if (any(is_narrow))
        rate = choose(is_narrow, rate_by_mode(all(0), mean, precision), rate);
    return choose(is_small, exponential(smaller(mean + all(0.5) / precision, all(0))), rate);
}

static void rates(size_t n, const double *count, const double *mean, const double *precision, double *rate,
                  double *slope)
{
    for (size_t i = 0; i < n; i += LANES) {
        const vd c = load(count + i), m = load(mean + i), q = load(precision + i), none = rate_of_none(m, q),
                 some = rate_by_mode(larger(c, all(1)), m, q);
        const vi is_part = c < all(1);
        const vd by_part = some - none, s = choose(is_part, by_part, some / (some + q));
        store(slope + i, s);
        store(rate + i, choose(is_part, none + c * by_part, some));
    }
}
