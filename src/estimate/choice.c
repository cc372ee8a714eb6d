/* estimate/choice.c - topics of documents given their words and their labels. */
#include "estimate/choice.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

gb_status gb_estimate_choice_create(gb_estimate_choice *out, const gb_estimate_shares *shares, gb_error *err)
{
    gb_status st;
    const char *what = "topics of the documents of the estimate";
    *out = (gb_estimate_choice){.shares = shares};
    GB_TRY(gb_alloc(&out->count, shares->docs->n_docs * shares->n_topics, sizeof *out->count, what, err));
    GB_TRY(gb_alloc(&out->length, shares->docs->n_docs, sizeof *out->length, what, err));
done:
    return st;
}

uint64_t gb_estimate_choice_bytes(const gb_corpus *docs, size_t n_topics)
{
    const gb_estimate_choice *c = NULL;
    return docs->n_docs * (n_topics * sizeof *c->count + sizeof *c->length);
}

void gb_estimate_choice_clear(gb_estimate_choice *c)
{
    gb_free(c->count);
    gb_free(c->length);
    *c = (gb_estimate_choice){0};
}

static uint64_t length_of(const gb_estimate_choice *c, uint64_t d)
{
    return c->shares->docs->doc_start[d + 1] - c->shares->docs->doc_start[d];
}

static void choose(gb_estimate_choice *c, uint64_t d, size_t draw)
{
    const uint16_t *topic = gb_estimate_shares_draw(c->shares, draw, d);
    uint32_t *count = c->count + d * c->shares->n_topics;
    memset(count, 0, c->shares->n_topics * sizeof *count);
    for (uint64_t i = 0; i < length_of(c, d); i++)
        count[topic[i]]++;
    c->length[d] = (double)length_of(c, d);
}

gb_status gb_estimate_choice_start(gb_estimate_choice *c, gb_chain *chain, gb_error *err)
{
    const size_t n_topics = c->shares->n_topics;
    for (uint64_t d = 0; d < c->shares->docs->n_docs; d++) {
        if (length_of(c, d) > 0) {
            choose(c, d, 0);
            continue;
        }
        memcpy(c->count + d * n_topics, c->shares->total + d * n_topics, n_topics * sizeof *c->count);
        c->length[d] = c->shares->length[d];
    }
    return gb_chain_give_shares(chain, c->count, c->length, err);
}

/* ---- a step ---- */

typedef struct step {
    gb_estimate_choice *choice;
    gb_chain *chain;
} step;

/* What a draw of a document's topics adds to the score of an output, beyond what the present ones do. */
static double change_of_score(const step *s, uint64_t d, const uint16_t *topic, size_t output)
{
    const size_t n_topics = s->choice->shares->n_topics;
    const uint32_t *count = s->choice->count + d * n_topics;
    const double *eta = s->chain->eta + output * gb_spec_n_features(s->chain->spec);
    const uint64_t length = length_of(s->choice, d);
    double sum = 0;
    for (uint64_t i = 0; i < length; i++)
        sum += eta[topic[i]];
    for (size_t k = 0; k < n_topics; k++)
        sum -= eta[k] * count[k];
    return sum / (double)length;
}

/* log p(y | proposed) - log p(y | present), all responses together. */
static double log_ratio(const step *s, uint64_t d, const uint16_t *topic)
{
    const gb_chain *c = s->chain;
    double sum = 0;
    for (size_t r = 0; r < c->spec->n_responses; r++) {
        const gb_response *response = &c->response[r];
        for (size_t l = response->first_output; l < response->first_output + response->n_outputs; l++) {
            const size_t at = d * c->spec->n_outputs + l;
            if (isnan(c->y[at]))
                continue;
            const double score = c->score[at] + gb_response_offset(response, c->offset, d),
                         proposed = score + change_of_score(s, d, topic, l);
            sum += gb_weight_of(c->weight, at) * (response->ops->log_likelihood(response, c->y[at], proposed) -
                                                  response->ops->log_likelihood(response, c->y[at], score));
        }
    }
    return sum;
}

static gb_status step_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    const step *s = context;
    const gb_estimate_shares *shares = s->choice->shares;
    (void)worker, (void)err;
    for (uint64_t d = (uint64_t)task * GB_DOCS_PER_TASK; d < gb_chain_task_end(s->chain, task); d++) {
        gb_random random = gb_random_open(s->chain->key, s->chain->sweep, GB_DRAW_CHOICE, d);
        const size_t draw = (size_t)gb_random_below(&random, shares->n_used * shares->n_kept);
        if (length_of(s->choice, d) > 0 &&
            log(gb_random_uniform(&random)) < log_ratio(s, d, gb_estimate_shares_draw(shares, draw, d)))
            choose(s->choice, d, draw);
    }
    return GB_OK;
}

gb_status gb_estimate_choice_step(gb_estimate_choice *c, gb_chain *chain, gb_error *err)
{
    gb_status st;
    step s = {.choice = c, .chain = chain};
    GB_TRY(gb_parallel_for(gb_chain_n_doc_tasks(chain), chain->spec->n_threads, step_documents, &s, err));
    GB_TRY(gb_chain_give_shares(chain, c->count, c->length, err));
done:
    return st;
}
