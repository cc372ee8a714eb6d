/* random/polya_gamma_lanes.h - gamma and Polya-Gamma numbers, eight at a time; included by lanes_kernel.h.
 *
 * Polya-Gamma, PG(b, z) for every real b > 0 and real z:
 *
 *   X = sum over k >= 1 of g_k / d_k,   d_k = 2 pi^2 (k - 1/2)^2 + z^2 / 2,   g_k ~ Gamma(b, 1)            (1)
 *   E exp(-t X) = (cosh(z / 2) / cosh(s))^b,   s^2 = z^2 / 4 + t / 2
 *   PG(b, z) is the sum of n independent PG(b / n, z).                                                    (2)
 *
 *   Rejection.  Expanding cosh(s)^-b = 2^b exp(-b s) (1 + exp(-2 s))^-b in powers of exp(-2 s) gives the density
 *   of J = 4 X as a multiple of
 *       x^(-3/2) exp(-b^2 / (2 x) - z^2 x / 8) S(x),   S = 1 - c_1 + c_2 - ...                             (3)
 *       c_n = b (b + 1) ... (b + n - 1) / n! (2 n + b) / b exp(-2 n (n + b) / x),   c_0 = 1
 *   Without S this is b^2 times the inverse Gaussian law with mean 2 / (b |z|), shape 1.  Draw from that and
 *   accept with probability S(x).
 *   - S <= 1: put p = exp(-s) / (2 cosh s), 1 - p = exp(s) / (2 cosh s), b = m + f, m whole, 0 <= f < 1.  What is
 *     rejected has the transform exp(-b s) (1 - (1 - p)^b), and
 *         1 - (1 - p)^b = p (1 + (1 - p) + ... + (1 - p)^(m - 1)) + (1 - p)^m (1 - (1 - p)^f),
 *     the last factor a series in p with positive coefficients.  Every product, such as
 *     exp(-b s) (1 - p)^m = exp(-f s) (2 cosh s)^-m, is the transform of a positive law.
 *   - c_{n+1} / c_n decreases in n, so from the first ratio under 1 on the partial sums enclose S and a uniform
 *     number is compared with S exactly, after a few terms.
 *   - The probability to accept is (1 + exp(-|z|))^-b.  So (2) with n = ceil(b exp(-|z|)) keeps it above 1/e;
 *     for b = 1 it is 1/2 at z = 0 and rises to 1 with |z|.
 *
 *   Series.  When that n is large, |z| is small beside log b: the first HEAD_TERMS terms of (1) are drawn and the
 *   rest is replaced by a constant and one inverse Gaussian draw, with the exact first three cumulants of the rest: those
 *   of X, with q = |z| / 2, T = tanh q, S = 1 / cosh^2 q,
 *       k_1 = b T / (4 q),   k_2 = b (T - q S) / (16 q^3),   k_3 = b (3 T - 3 q S - 2 q^2 T S) / (64 q^5)   (4)
 *   less the sums of b / d_k, b / d_k^2 and 2 b / d_k^3.  An inverse Gaussian law has k_3 k_1 / k_2^2 = 3, the rest
 *   has 3.49 at z = 0 and less, but more than 3, for larger |z|: so the constant k_1 - 3 k_2^2 / k_3 is positive.
 *   This part alone is not exact, from the fourth cumulant on.  By inversion of both characteristic functions the
 *   distribution function of X is wrong by less than 1e-7 at b = 2, z = 0, by 4e-10 at b = 8 and by 5e-12 at
 *   b = 256; for z as large as the series is used for, by less than 1e-9 from b = 8 on.  To see the largest of
 *   these takes 10^14 draws.
 *
 *   (1), (2): Polson, Scott & Windle 2013, JASA 108.  (3) for z = 0: Biane, Pitman & Yor 2001, Bull. AMS 38;
 *   comparing with partial sums: Devroye 2009, Statistics & Probability Letters 79.
 *   Cost: one inverse Gaussian and a uniform number per proposal, at most MAX_PIECES e proposals on average; or
 *   HEAD_TERMS gammas and one inverse Gaussian.  What is rejected is drawn again together with others that were.
 *   z = 0: the proposal has infinite mean, b^2 / N^2.  Neither part overflows for large |z|: only exp(-|z|) occurs.
 *   b < 1e-154: draws underflow to 0. */

/* ---- gamma, shape >= 1: Marsaglia and Tsang 2000, ACM Trans. Math. Software 26 ---- */

/* d v with v = (1 + t)^3, t = N / sqrt(9 d) > -1, d = shape - 1/3, if log U < N^2 / 2 + d (1 - v + log v); else once more.
 * That holds wherever U < 1 - 0.0331 N^4.  Not a number for other shapes. */
ALWAYS_INLINE vd gamma_numbers(const counters *c, uint32_t block, vd shape)
{
    const vd d = shape - all(1.0 / 3), scale = all(1) / square_root(all(9) * d);
    vi is_left = shape >= all(1);
    vd out = choose(is_left, all(0), all(NAN));
    for (; any(is_left); block++) {
        vu a, b;
        random_bits(c, block, &a, &b);
        const vd u = uniform(b),
                 normal = (vd)((vu)half_normal(uniform(a)) | a << 63); /* uniform() leaves that bit out */
        const vd t = scale * normal, root = all(1) + t, square = normal * normal;
        vi is_taken = u < all(1) - all(0.0331) * square * square;
        const vi is_inside = root > all(0);
        if (any(is_left & is_inside & ~is_taken)) {
            const vd w = choose(is_inside, root, all(1));
            const vd log_root = logarithm(w) + (t - (w - all(1))) / w; /* log(1 + t) with the digits that w lost */
            is_taken |= logarithm(u) < all(0.5) * square + d * (all(3) * (log_root - t) - t * t * (all(3) + t));
        }
        is_taken &= is_left & is_inside;
        out = choose(is_taken, d * root * root * root, out);
        is_left &= ~is_taken;
    }
    return out;
}

static void gammas(const gb_random_streams *s, size_t first, uint32_t block, size_t n, const double *shape,
                   double *out)
{
    place at = place_of(s, first);
    for (size_t i = 0; i < n; i += LANES) {
        const size_t here = n - i < LANES ? n - i : LANES;
        double piece[LANES] = {1, 1, 1, 1, 1, 1, 1, 1};
        const counters c = next_counters(s, &at);
        memcpy(piece, shape + i, here * sizeof *piece);
        store(piece, gamma_numbers(&c, block, load(piece)));
        memcpy(out + i, piece, here * sizeof *piece);
    }
}

/* ---- Polya-Gamma ---- */

enum {
    MAX_PIECES = 2,
    HEAD_TERMS = 3,
    BLOCKS_OF_A_GAMMA = GB_BLOCKS_EACH / (HEAD_TERMS + 1),
    BLOCKS_OF_A_PIECE = GB_BLOCKS_EACH / MAX_PIECES,
    AT_ONCE = 256
};

/* True with probability S(x), (3). */
ALWAYS_INLINE vi accept(vd u, vd b, vd x)
{
    const vi in_reach = ~(x > all(40) + all(8) * b); /* else S < 2^-53, the smallest uniform number */
    vd decay = exponential_of_negative(all(-2) * (all(1) + b) / x);
    vd c = (b + all(2)) * decay, sum = all(1) - c;
    vi is_accepted = in_reach & (u <= sum), is_open = in_reach & ~is_accepted;
    if (!any(is_open))
        return is_accepted;
    const vd step = exponential_of_negative(all(-4) / x);
    bool is_above = true;
    for (vd n = all(1);; n += all(1)) {
        decay *= step;
        const vd ratio = (n + b) * (all(2) * n + all(2) + b) / ((n + all(1)) * (all(2) * n + b)) * decay;
        c *= ratio;
        sum = is_above ? sum + c : sum - c;
        const vi is_under = u <= sum, is_decided = is_open & (ratio <= all(1)) & (is_above ? ~is_under : is_under);
        if (!is_above)
            is_accepted |= is_decided;
        is_open &= ~is_decided;
        if (!any(is_open))
            return is_accepted;
        is_above = !is_above;
    }
}

typedef struct cumulants {
    vd first, second, third;
} cumulants;

/* (4) for b = 1; z >= 0, e = exp(-z).  For small z the closed forms lose digits: Taylor series. */
ALWAYS_INLINE cumulants cumulants_of(vd z, vd e)
{
    const vi is_small = z < all(0.1);
    const vd q = all(0.5) * choose(is_small, all(1), z), square = q * q, cube = square * q;
    const vd tanh_q = (all(1) - e) / (all(1) + e);
    const vd inverse_cosh_square = all(4) * e / ((all(1) + e) * (all(1) + e));
    const vd difference = tanh_q - q * inverse_cosh_square;
    cumulants k = {tanh_q / (all(4) * q), difference / (all(16) * cube),
                   (all(3) * difference - all(2) * square * tanh_q * inverse_cosh_square) /
                       (all(64) * cube * square)};
    if (!any(is_small))
        return k;
    const vd x = all(0.25) * z * z;
    const vd first = all(1) - x * (all(1.0 / 3) - x * (all(2.0 / 15) - x * (all(17.0 / 315) - x * all(62.0 / 2835))));
    const vd second = all(2.0 / 3) -
                      x * (all(8.0 / 15) - x * (all(34.0 / 105) - x * (all(496.0 / 2835) - x * all(2764.0 / 31185))));
    const vd third = all(2.0 / 15) - x * (all(17.0 / 105) - x * (all(124.0 / 945) - x * all(2764.0 / 31185)));
    k.first = choose(is_small, all(1.0 / 4) * first, k.first);
    k.second = choose(is_small, all(1.0 / 16) * second, k.second);
    k.third = choose(is_small, all(1.0 / 8) * third, k.third);
    return k;
}

ALWAYS_INLINE vd by_series(const counters *c, vd b, vd z)
{
    const double two_pi_square = 19.739208802178717238;
    cumulants rest = cumulants_of(z, exponential_of_negative(-z));
    vd sum = all(0);
    for (int k = 0; k < HEAD_TERMS; k++) {
        const vd weight = all(1) / (all(two_pi_square * (k + 0.5) * (k + 0.5)) + all(0.5) * z * z); /* 1 / d_k */
        sum += weight * gamma_numbers(c, (uint32_t)(k * BLOCKS_OF_A_GAMMA), b);
        rest.first -= weight;
        rest.second -= weight * weight;
        rest.third -= all(2) * weight * weight * weight;
    }
    /* Mean b m and variance b v of the inverse Gaussian part: its shape is b^2 m^3 / v. */
    const vd v = rest.second, most = all(3) * v * v / rest.third;
    const vd m = choose(most < rest.first, most, rest.first);
    const vd shape = b * b * m * m * m / v;
    return sum + b * (rest.first - m) + shape * inverse_gaussian(c, HEAD_TERMS * BLOCKS_OF_A_GAMMA, b * m * m / v);
}

/* Numbers of a call that wait for their draw, by their places in it. */
typedef struct waiting {
    size_t n;
    uint16_t number[MAX_PIECES * AT_ONCE], piece[MAX_PIECES * AT_ONCE];
} waiting;

/* What is drawn of a call. */
typedef struct call {
    double b[AT_ONCE], z[AT_ONCE]; /* z >= 0 */
    double pieces[AT_ONCE];        /* more than MAX_PIECES: by the series */
    double out[AT_ONCE];
    uint64_t block[AT_ONCE], item[AT_ONCE], purpose[AT_ONCE];
    uint32_t sweep;
    gb_key key;
} call;

ALWAYS_INLINE counters gather(const call *a, const waiting *w, size_t from, double *b, double *z, double *pieces)
{
    uint64_t block[LANES], item[LANES], purpose[LANES];
    for (size_t i = 0; i < LANES; i++) {
        const size_t at = from + i < w->n ? from + i : from; /* repeats fill the last lanes */
        const size_t number = w->number[at];
        block[i] = a->block[number] + (uint64_t)w->piece[at] * BLOCKS_OF_A_PIECE;
        item[i] = a->item[number];
        purpose[i] = a->purpose[number];
        b[i] = a->b[number];
        z[i] = a->z[number];
        pieces[i] = a->pieces[number];
    }
    counters c = {.sweep = a->sweep, .key = a->key};
    memcpy(&c.block, block, sizeof block);
    memcpy(&c.item, item, sizeof item);
    memcpy(&c.purpose, purpose, sizeof purpose);
    return c;
}

static void draw_by_series(call *a, const waiting *w)
{
    double b[LANES], z[LANES], pieces[LANES], drawn[LANES];
    for (size_t from = 0; from < w->n; from += LANES) {
        const counters c = gather(a, w, from, b, z, pieces);
        store(drawn, by_series(&c, load(b), load(z)));
        for (size_t i = 0; i < LANES && from + i < w->n; i++)
            a->out[w->number[from + i]] = drawn[i];
    }
}

/* One proposal for each piece that waits; those rejected go on waiting. */
static void propose(call *a, waiting *w, uint32_t round)
{
    double b[LANES], z[LANES], pieces[LANES], drawn[LANES], accepted[LANES];
    size_t left = 0;
    for (size_t from = 0; from < w->n; from += LANES) {
        const counters c = gather(a, w, from, b, z, pieces);
        const vd shape = load(b) / load(pieces);
        const vd x = shape * shape * inverse_gaussian(&c, 2 * round, all(0.5) * shape * load(z));
        vu first, second;
        random_bits(&c, 2 * round + 1, &first, &second);
        store(accepted, choose(accept(uniform(first), shape, x), all(1), all(0)));
        store(drawn, all(0.25) * x);
        for (size_t i = 0; i < LANES && from + i < w->n; i++) {
            const uint16_t number = w->number[from + i], piece = w->piece[from + i];
            a->out[number] += accepted[i] > 0 ? drawn[i] : 0;
            w->number[left] = number; /* left <= from + i */
            w->piece[left] = piece;
            left += accepted[i] > 0 ? 0 : 1;
        }
    }
    w->n = left;
}

/* Whose streams the numbers of a call are read from: numbers from `first` on, or numbers of the items of a list. */
ALWAYS_INLINE void fill_counters(call *a, const gb_random_streams *s, const uint64_t *item, size_t first, size_t n)
{
    if (item != NULL) {
        for (size_t i = 0; i < n; i++) {
            a->block[i] = s->counter[0];
            a->item[i] = item[first + i] & UINT32_MAX;
            a->purpose[i] = item[first + i] >> 32 | (s->counter[2] & 0xff000000);
        }
        return;
    }
    place at = place_of(s, first);
    for (size_t i = 0; i < n; i += LANES) {
        const counters c = next_counters(s, &at);
        memcpy(a->block + i, &c.block, sizeof c.block);
        memcpy(a->item + i, &c.item, sizeof c.item);
        memcpy(a->purpose + i, &c.purpose, sizeof c.purpose);
    }
}

/* Fill a call, and say how each number is drawn. */
ALWAYS_INLINE void begin_call(call *a, const gb_random_streams *s, const uint64_t *item, size_t first, size_t n,
                              const double *b, const double *z)
{
    a->sweep = s->counter[3];
    a->key = s->key;
    for (size_t i = n; i % LANES != 0; i++)
        a->b[i] = a->z[i] = 1;
    memcpy(a->b, b, n * sizeof *b);
    memcpy(a->z, z, n * sizeof *z);
    fill_counters(a, s, item, first, n);
    for (size_t i = 0; i < n; i += LANES) {
        const vd shape = load(a->b + i), tilt = (vd)((vu)load(a->z + i) & all_bits(INT64_MAX));
        const vd wanted = shape * exponential_of_negative(-tilt);
        vd pieces = choose(wanted > all(1), all(2), all(1));
        pieces = choose((wanted > all(2)) & (shape > all(1)), all(MAX_PIECES + 1), pieces);
        pieces = choose(shape > all(1), pieces, all(1));
        store(a->z + i, tilt);
        store(a->pieces + i, pieces);
    }
}

static void polya_gammas(const gb_random_streams *s, const uint64_t *item, size_t first, size_t n, const double *b,
                         const double *z, double *out)
{
    call a;
    waiting series, rejection;
    for (size_t done = 0, here; done < n; done += here) {
        here = n - done < AT_ONCE ? n - done : AT_ONCE;
        begin_call(&a, s, item, first + done, here, b + done, z + done);
        series.n = rejection.n = 0;
        for (size_t i = 0; i < here; i++) {
            const bool is_number = a.b[i] == a.b[i] && a.z[i] == a.z[i];
            const size_t pieces = is_number ? (size_t)a.pieces[i] : 0;
            a.out[i] = is_number ? 0 : a.b[i] + a.z[i];
            series.number[series.n] = (uint16_t)i;
            series.piece[series.n] = 0;
            series.n += pieces > MAX_PIECES;
            for (size_t piece = 0; piece < pieces && pieces <= MAX_PIECES; piece++) {
                rejection.number[rejection.n] = (uint16_t)i;
                rejection.piece[rejection.n++] = (uint16_t)piece;
            }
        }
        draw_by_series(&a, &series);
        for (uint32_t round = 0; rejection.n > 0; round++)
            propose(&a, &rejection, round);
        memcpy(out + done, a.out, here * sizeof *out);
    }
}
