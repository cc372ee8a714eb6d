/* token/mh_plain.c - the Metropolis-Hastings kernel for any processor, and its functions shown to the tests. */
#define GB_MH_DRAW gb_mh_draw_plain
#include "token/mh_kernel.h"

double gb_mh_acceptance(double weight_s, double weight_t, double density_s, double density_t, double gain)
{
    const double favour = in_favour(weight_t, density_s, gain), contra = against(weight_s, density_t);
    return favour < contra ? favour / contra : 1;
}

/* Everything without the response factor; the document's score moves from topic to topic for the gains and back. */
void gb_mh_look(const gb_token_lane *f, size_t n, const gb_coefficients *eta, double *weight, double *density,
                double *gain)
{
    const gb_mh *mh = f->state;
    const size_t n_topics = mh->n_topics;
    visit v = {.f = f, .mh = mh, .w = &mh->worker[f->worker], .eta = eta};
    v.w->base_total = 0;
    gb_open_block(f);
    open_visits(&v);
    open_token(&v, n);
    memset(density, 0, GB_MH_N_PROPOSALS * n_topics * sizeof *density);
    for (size_t k = 0; k < n_topics; k++) {
        candidates c = {.n = 1, .topic = {(uint32_t)k}};
        weigh(&v, &c);
        if (uses(&v, GB_MH_WORD))
            c.density[0][GB_MH_WORD] = word_density(&v, k);
        weight[k] = c.weight[0];
        for (size_t i = 0; i < mh->n_proposals; i++)
            density[mh->proposal[i] * n_topics + k] = c.density[0][mh->proposal[i]];
    }
    for (size_t s = 0; s < n_topics; s++) {
        move_score(&v, v.own, s);
        for (size_t t = 0; t < n_topics; t++)
            gain[s * n_topics + t] = gain_of(&v, s, t);
        move_score(&v, s, v.own);
    }
}
