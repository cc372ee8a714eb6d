/* prior/psi_whiten_kernel.h - psi_spread.c for documents side by side; part of psi_kernel.h, once per instruction set.
 *
 * Eight documents are the lanes of a vector.  Everything about a document stays in its lane. */

enum { NEWTON_STEPS = 6 };

/* A vector of documents of a chunk under a precision. */
typedef struct fit {
    const gb_psi_chunk *c;
    const double *precision;
    bool is_symmetric;
    size_t n_free, i; /* documents i ... i + LANES - 1 */
    vd length, rest;  /* N, R of (4) */
    double *mode, *curvature, *share;
} fit;

ALWAYS_INLINE vd at(const double *x, const fit *f, size_t t)
{
    return load(x + t * GB_PSI_DOCS + f->i);
}

ALWAYS_INLINE void put(double *x, const fit *f, size_t t, vd value)
{
    store(x + t * GB_PSI_DOCS + f->i, value);
}

/* log sum of exp(x_t), x_K = 0 included unless the law is symmetric, and shares. */
ALWAYS_INLINE vd log_sum(const fit *f, const double *x, double *share, vd *last)
{
    vd most = f->is_symmetric ? at(x, f, 0) : all(0);
    for (size_t t = 0; t < f->n_free; t++)
        most = choose(at(x, f, t) > most, at(x, f, t), most);
    *last = f->is_symmetric ? all(0) : exponential_of_negative(-most);
    vd sum = *last;
    for (size_t t = 0; t < f->n_free; t++) {
        const vd e = exponential_of_negative(at(x, f, t) - most);
        put(share, f, t, e);
        sum += e;
    }
    for (size_t t = 0; t < f->n_free; t++)
        put(share, f, t, at(share, f, t) / sum);
    *last /= sum;
    return most + logarithm(sum);
}

ALWAYS_INLINE vd gradient(const fit *f, size_t t)
{
    return at(f->c->count, f, t) - f->length * at(f->share, f, t) -
           all(f->precision[t]) * (at(f->mode, f, t) - at(f->c->mean, f, t));
}

/* Shares, D and R at the mode; returns sum of theta_t g_t / D_t. */
ALWAYS_INLINE vd look(fit *f)
{
    vd sum = all(0);
    (void)log_sum(f, f->mode, f->share, &f->rest);
    for (size_t t = 0; t < f->n_free; t++) {
        const vd k = all(f->precision[t]), share = at(f->share, f, t), curvature = k + f->length * share;
        put(f->curvature, f, t, curvature);
        f->rest += share * k / curvature;
        sum += share * gradient(f, t) / curvature;
    }
    return sum;
}

ALWAYS_INLINE vd within(vd x, double most)
{
    x = choose(x > all(most), all(most), x);
    return choose(x < all(-most), all(-most), x);
}

static void find_mode(fit *f)
{
    vd last = f->length;
    for (size_t t = 0; t < f->n_free; t++)
        last -= at(f->c->count, f, t);
    if (f->is_symmetric) /* no topic is a reference: as if it were one with the tokens of an average topic */
        last = f->length / all((double)f->n_free);
    const vd log_last = logarithm(last + all(0.1));
    for (size_t t = 0; t < f->n_free; t++) {
        const vd n = at(f->c->count, f, t), k = all(f->precision[t]), mean = at(f->c->mean, f, t);
        const vd seen = logarithm(n + all(0.1)) - log_last;
        put(f->mode, f, t, mean + (seen - mean) * (n / (n + k)));
    }
    for (int step = 0; step < NEWTON_STEPS; step++) {
        const vd shift = f->length * look(f) / f->rest;
        for (size_t t = 0; t < f->n_free; t++)
            put(f->mode, f, t,
                at(f->mode, f, t) +
                    within((gradient(f, t) + at(f->share, f, t) * shift) / at(f->curvature, f, t), 3));
    }
    (void)look(f);
}

/* v_t of (4). */
ALWAYS_INLINE vd slope(const fit *f, size_t t, vd root)
{
    return square_root(f->length) * at(f->share, f, t) / root;
}

/* psi = mode + D^{-1/2} (I + c v v') e */
static void colour_documents(const fit *f, double *x)
{
    const vd root_rest = square_root(f->rest), c = all(1) / (root_rest * (all(1) + root_rest));
    vd sum = all(0);
    for (size_t t = 0; t < f->n_free; t++)
        sum += slope(f, t, square_root(at(f->curvature, f, t))) * at(x, f, t);
    for (size_t t = 0; t < f->n_free; t++) {
        const vd root = square_root(at(f->curvature, f, t));
        put(x, f, t, at(f->mode, f, t) + (at(x, f, t) + c * sum * slope(f, t, root)) / root);
    }
}

/* The inverse. */
static void whiten_documents(const fit *f, double *x)
{
    const vd c = all(1) / (all(1) + square_root(f->rest));
    vd sum = all(0);
    for (size_t t = 0; t < f->n_free; t++) {
        const vd root = square_root(at(f->curvature, f, t));
        const vd e = (at(x, f, t) - at(f->mode, f, t)) * root;
        put(x, f, t, e);
        sum += slope(f, t, root) * e;
    }
    for (size_t t = 0; t < f->n_free; t++)
        put(x, f, t, at(x, f, t) - c * sum * slope(f, t, square_root(at(f->curvature, f, t))));
}

/* log p(z, psi) + log |d psi / d e| but for constants; uses up the share. */
static vd density_of(fit *f, const double *psi)
{
    vd last, sum = all(0);
    const vd log_det = logarithm(f->rest);
    for (size_t t = 0; t < f->n_free; t++) {
        const vd k = all(f->precision[t]), r = at(psi, f, t) - at(f->c->mean, f, t);
        sum += at(f->c->count, f, t) * at(psi, f, t) + all(0.5) * (logarithm(k / at(f->curvature, f, t)) - k * r * r);
    }
    return sum - all(0.5) * log_det - f->length * log_sum(f, psi, f->share, &last);
}

/* The modes of documents i .. i + LANES - 1. */
static fit fit_documents(const gb_psi_law *law, gb_psi_chunk *c, size_t i)
{
    fit f = {.c = c, .precision = law->precision, .is_symmetric = law->is_symmetric, .n_free = law->n_free, .i = i};
    f.length = load(c->length + i);
    f.mode = c->deviation, f.curvature = c->behind_m, f.share = c->behind_s;
    find_mode(&f);
    return f;
}

static void whiten(const gb_psi_law *law, gb_psi_chunk *c)
{
    for (size_t i = 0; i < c->n_docs; i += LANES) {
        fit f = fit_documents(law, c, i);
        whiten_documents(&f, c->psi);
    }
}

static void unwhiten(const gb_psi_law *law, gb_psi_chunk *c, double *log_density)
{
    for (size_t i = 0; i < c->n_docs; i += LANES) {
        fit f = fit_documents(law, c, i);
        colour_documents(&f, c->psi);
        store(log_density + i, density_of(&f, c->psi));
    }
}
