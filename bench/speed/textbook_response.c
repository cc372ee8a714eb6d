/* bench/speed/textbook_response.c - labels in the textbook's sampler.
 *
 * With (kappa, omega) of the augmentation as the library draws them, the factor of topic k for a token that has left
 * document d is exp(g_k),
 *
 *   g_k = sum_l e_lk (kappa_dl - omega_dl (s_dl + e_lk / 2)),   e_lk = eta_lk / N_d                      (1)
 *
 * with s_dl the score without the token.  Written down as it stands: a loop over topics with one over classes and one call
 * of exp inside, for every token.  Augmentation and coefficients are drawn by the library, so that what is compared is
 * the tokens.
 *
 *   (1): Zhu, Chen, Perkins and Zhang 2014, JMLR 15, section 4.
 *   Cost: K L multiplications and K exponentials per token. */
#include "textbook_response.h"

#include "base/memory.h"
#include "counts/proportions.h"

#include <math.h>

struct textbook_response {
    const gb_corpus *corpus;
    const gb_spec *spec;
    size_t n_topics, n_outputs;
    gb_key key;
    uint32_t sweep;
    double *y;           /* n_docs x n_outputs */
    gb_score_term *term; /* n_docs x n_outputs; all 0 before the first draw */
    double *score;       /* n_docs x n_outputs */
    double *eta;         /* n_outputs x n_topics */
    double *by_topic;    /* n_topics x n_outputs: eta */
    double *factor;      /* n_topics */
    gb_proportions z;
    gb_coefficient_scales scales;
};

void textbook_response_token(textbook_response *r, uint64_t d, size_t topic, double by)
{
    const double n = (double)(r->corpus->doc_start[d + 1] - r->corpus->doc_start[d]);
    for (size_t l = 0; l < r->n_outputs; l++)
        r->score[d * r->n_outputs + l] += by * r->by_topic[topic * r->n_outputs + l] / n;
}

/* (1); kappa = slope + omega centre */
const double *textbook_response_factors(textbook_response *r, uint64_t d)
{
    const gb_score_term *term = r->term + d * r->n_outputs;
    const double *score = r->score + d * r->n_outputs;
    const double share = 1 / (double)(r->corpus->doc_start[d + 1] - r->corpus->doc_start[d]);
    double largest = -INFINITY;
    for (size_t k = 0; k < r->n_topics; k++) {
        double g = 0;
        for (size_t l = 0; l < r->n_outputs; l++) {
            const double e = r->by_topic[k * r->n_outputs + l] * share;
            g += e * (term[l].slope + term[l].omega * (term[l].centre - score[l] - 0.5 * e));
        }
        r->factor[k] = g;
        largest = g > largest ? g : largest;
    }
    for (size_t k = 0; k < r->n_topics; k++)
        r->factor[k] = exp(r->factor[k] - largest);
    return r->factor;
}

static void score_documents(textbook_response *r, const uint16_t *topic)
{
    for (uint64_t d = 0; d < r->corpus->n_docs; d++) {
        for (size_t l = 0; l < r->n_outputs; l++)
            r->score[d * r->n_outputs + l] = 0;
        for (uint64_t i = r->corpus->doc_start[d]; i < r->corpus->doc_start[d + 1]; i++)
            textbook_response_token(r, d, topic[i], 1);
    }
}

static void augment(textbook_response *r)
{
    const gb_response *response = &r->spec->response[0].target.response;
    for (uint64_t d = 0; d < r->corpus->n_docs; d++) {
        const size_t at = d * r->n_outputs;
        const gb_random_streams streams =
            gb_random_streams_open(r->key, r->sweep, GB_DRAW_AUGMENT, d, 0, r->n_outputs, r->spec->isa);
        response->ops->augment(response, r->n_outputs, r->y + at, NULL, r->score + at, &streams, r->term + at);
    }
}

gb_status textbook_response_draw(textbook_response *r, const uint16_t *topic, gb_error *err)
{
    gb_status st;
    const gb_design design = gb_design_make(&r->z, NULL, NULL, false);
    const gb_regression regression = {.design = &design,
                                      .n_outputs = r->n_outputs,
                                      .term = r->term,
                                      .score = r->score,
                                      .scales = &r->scales,
                                      .key = r->key,
                                      .sweep = ++r->sweep,
                                      .n_steps = r->spec->coefficient_steps,
                                      .n_threads = 1,
                                      .isa = r->spec->isa};
    GB_TRY(gb_proportions_count(&r->z, topic, err));
    score_documents(r, topic);
    augment(r);
    GB_TRY(r->spec->coefficient_sampler->draw(&regression, r->eta, err));
    for (size_t k = 0; k < r->n_topics; k++)
        for (size_t l = 0; l < r->n_outputs; l++)
            r->by_topic[k * r->n_outputs + l] = r->eta[l * r->n_topics + k];
    score_documents(r, topic);
    GB_TRY(gb_coefficient_scales_draw(&r->scales, r->eta, r->key, r->sweep, 1, err));
done:
    return st;
}

static gb_status check(const gb_spec *spec, gb_error *err)
{
    if (spec->n_responses != 1 || spec->n_columns > 0 || spec->intercept || gb_spec_has_weights(spec) ||
        spec->two_stage || spec->one_vs_rest || spec->response[0].target.response.samples_own)
        return gb_fail(err, GB_EARGUMENT,
                       "the textbook's sampler has one response, shared topics and nothing besides them");
    return GB_OK;
}

static gb_status allocate(textbook_response *r, gb_error *err)
{
    gb_status st;
    const char *what = "responses";
    const size_t n = r->corpus->n_docs * r->n_outputs, n_eta = r->n_outputs * r->n_topics;
    GB_TRY(gb_alloc(&r->y, n, sizeof *r->y, what, err));
    GB_TRY(gb_alloc(&r->term, n, sizeof *r->term, what, err));
    GB_TRY(gb_alloc(&r->score, n, sizeof *r->score, what, err));
    GB_TRY(gb_alloc(&r->eta, n_eta, sizeof *r->eta, what, err));
    GB_TRY(gb_alloc(&r->by_topic, n_eta, sizeof *r->by_topic, what, err));
    GB_TRY(gb_alloc(&r->factor, r->n_topics, sizeof *r->factor, what, err));
    GB_TRY(gb_proportions_create(&r->z, r->corpus->n_docs, r->n_topics, r->corpus->doc_start, 1, err));
    GB_TRY(gb_coefficient_scales_create(&r->scales, &r->spec->coefficient, r->n_outputs,
                                        gb_layout_make(r->n_topics, 0, 0, false), err));
done:
    return st;
}

gb_status textbook_response_create(textbook_response **out, const gb_corpus *corpus, const gb_spec *spec,
                                   gb_error *err)
{
    gb_status st;
    textbook_response *r = NULL;
    GB_TRY(check(spec, err));
    GB_TRY(gb_alloc(&r, 1, sizeof *r, "responses", err));
    r->corpus = corpus;
    r->spec = spec;
    r->n_topics = spec->n_topics;
    r->n_outputs = spec->n_outputs;
    r->key = gb_key_make(spec->seed, 0);
    GB_TRY(allocate(r, err));
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        GB_TRY(gb_spec_code_document(spec, corpus, d, r->y + d * r->n_outputs, NULL, err));
    *out = r;
    r = NULL;
done:
    textbook_response_free(r);
    return st;
}

void textbook_response_free(textbook_response *r)
{
    if (r == NULL)
        return;
    gb_free(r->y);
    gb_free(r->term);
    gb_free(r->score);
    gb_free(r->eta);
    gb_free(r->by_topic);
    gb_free(r->factor);
    gb_proportions_clear(&r->z);
    gb_coefficient_scales_clear(&r->scales);
    gb_free(r);
}
