/* apply/held_out.c - how probable new documents are under a model.
 *
 * A draw of the model has topics phi and a document prior p(theta).  For the words w_1 .. w_N of a document,
 *
 *   p(w | phi) = E prod_n sum_k theta_k phi_{k, w_n},   theta from the prior                               (1)
 *
 * is estimated by S independent samples, each with mean (1), so that their mean has it too.
 *
 * Empirical likelihood (Li & McCallum 2006, ICML; Mimno, Wallach & McCallum 2008): a sample is the product in (1) for one
 * theta from the prior.
 *
 * Left to right (Wallach, Murray, Salakhutdinov & Mimno 2009, ICML): particles go through the document, and
 *
 *   p_n = sum_k theta^_k phi_{k, w_n},   theta^_k = (base_k + unit n_k) / (sum of base + unit (n - 1))      (2)
 *
 * with the topics of the tokens before n, some of which have been redrawn given each other since token n - 1 came in.  The
 * product over n of the mean of p_n over particles is biased, since particles that word n favours should count for more
 * afterwards.  So they do: they have weights, which p_n multiplies, and are drawn anew in proportion to these when few of
 * them matter.  The product of weighted means is then a sample with mean (1), as that of any particle filter (Del Moral
 * 2004); one particle is the unbiased form of Buntine (2009, ACML).  That holds whatever transitions that leave
 * p(z | w_1 .. w_{n-1}) as it is come between: before token n, WINDOW tokens before it are redrawn, taking turns, so that
 * the cost is WINDOW N and not N^2 / 2.  Where the prior keeps a state (unit 0) it belongs to what is redrawn, and theta^
 * follows from it alone.
 *
 * Completion: a random half of the tokens (the smaller one) is known, theta^ of (2) averaged over sweeps given that half
 * is a sample, and
 *
 *   p(w_n | known half) = E theta^' phi_{w_n}                                                              (3)
 *
 * is the probability of each token of the other half; the log likelihood is the sum of the logarithms of (3).
 *
 * Draws of the model.  (1) and (3) are means over draws of the model too, which is what a mixture of models predicts.
 * Sample s of all draws together makes replicate s; the S replicates are independent given the model, and their spread is
 * the Monte Carlo error.  For a sum of logarithms of means the errors are those of its linear terms.
 *
 * Random numbers are keyed by (seed, sample of a draw), counted by (pass, row of the input, token).  Sums are in the order
 * of documents and tokens. */
#include "apply/batch.h"
#include "apply/new_document.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "gibbous/apply.h"
#include "math/special.h"
#include "token/token.h"

#include <math.h>
#include <string.h>

enum { DOCS_PER_TASK = 8, WINDOW = 16, N_PARTICLES = 16 };

typedef enum method { EMPIRICAL, LEFT_TO_RIGHT, COMPLETION } method;

struct held_out_run;

/* A document on its way: for completion that of a lane, for left to right a particle. */
typedef struct particle {
    struct held_out_run *run;
    gb_scratch *scratch;
    double *numbers;    /* of the prior */
    double *base;       /* n_topics */
    double *theta;      /* stride: proportions, or sums of them */
    uint32_t *count;    /* stride: n_k of the tokens that have a topic */
    uint16_t *topic;    /* longest document */
    gb_key key;         /* of the sample, or of the particle */
    uint64_t d, length; /* document, and its tokens that have or get a topic */
    uint32_t pass;      /* passes done; left to right: also tokens that have a topic */
    /* completion: pairs of a document and a sample, the first document's first sample being 0 */
    size_t item, last; /* the one at hand, and where the task ends */
    bool is_open;      /* there is one */
    /* left to right: the tokens of a pass */
    uint32_t pass_word[WINDOW + 1];
    uint16_t pass_topic[WINDOW + 1];
    uint64_t pass_token[WINDOW + 1]; /* their positions */
    size_t n_in_pass;
    uint64_t next_in_turn; /* where the window goes on */
} particle;

/* Memory of one worker. */
typedef struct worker {
    particle particle[N_PARTICLES];
    double weight[N_PARTICLES]; /* of the particles; they add up to 1 */
    double *type_phi; /* longest x stride: empirical, rows of a document's different words in double precision */
    uint32_t *type_count;
} worker;

struct held_out_run {
    const gb_model *model;
    const gb_corpus *docs;
    gb_held_out *out;
    method method;
    uint64_t first_row, seed, longest;
    size_t n_samples, n_threads;
    uint32_t n_sweeps, n_burn_in;
    gb_draw_tokens *draw_tokens;
    gb_batch batch;
    uint32_t *
        word; /* n_tokens: those of the batch; empirical: sorted inside documents, completion: the known half first */
    worker *worker;
    size_t draw_number;
    const gb_draw *draw;
    gb_prior prior;
    uint32_t *group;     /* n_docs; NULL for a prior without groups */
    double *log_sum;     /* n_docs x n_samples: log of the sum over draws; not for completion */
    uint64_t *scored_at; /* n_docs + 1: completion, where scored tokens begin in the next */
    double *sum;         /* scored tokens x n_samples: sums of (3) over draws */
};

static uint64_t length_of(const struct held_out_run *r, uint64_t d)
{
    return r->docs->doc_start[d + 1] - r->docs->doc_start[d];
}

/* Tokens of the known half. */
static uint64_t n_known_of(const struct held_out_run *r, uint64_t d)
{
    return length_of(r, d) / 2;
}

static uint32_t group_of(const struct held_out_run *r, uint64_t d)
{
    return r->group == NULL ? 0 : r->group[d];
}

static gb_key key_of(const struct held_out_run *r, size_t sample, size_t number)
{
    return gb_key_make(r->seed, ((uint64_t)r->draw_number * r->n_samples + sample) * N_PARTICLES + number);
}

static uint64_t task_end(const struct held_out_run *r, size_t task)
{
    const uint64_t end = ((uint64_t)task + 1) * DOCS_PER_TASK;
    return end < r->docs->n_docs ? end : r->docs->n_docs;
}

/* a' b in sixteen running sums; n is a multiple of 16. */
static double dot(size_t n, const double *a, const double *b)
{
    double sum[GB_LANES] = {0}, total = 0;
    for (size_t k = 0; k < n; k += GB_LANES)
        for (size_t i = 0; i < GB_LANES; i++)
            sum[i] += a[k + i] * b[k + i];
    for (size_t i = 0; i < GB_LANES; i++)
        total += sum[i];
    return total;
}

/* sum_k theta_k phi_kw of a word of the batch. */
static double word_probability(const struct held_out_run *r, const double *theta, uint32_t word)
{
    const float *phi = r->batch.phi + word * r->batch.stride;
    double sum = 0;
    for (size_t k = 0; k < r->model->n_topics; k++)
        sum += theta[k] * (double)phi[k];
    return sum;
}

static double log_add(double a, double b)
{
    return gb_log_sum_exp(2, (double[]){a, b});
}

/* ---- empirical likelihood ---- */

/* A product of many small numbers: logarithms are taken of long stretches of it. */
typedef struct product {
    double value, log;
} product;

static void multiply(product *p, double factor, uint32_t times)
{
    if (times > 16) {
        p->log += times * log(factor);
        return;
    }
    for (uint32_t i = 0; i < times; i++) {
        p->value *= factor;
        if (p->value < 0x1p-800) {
            p->log += log(p->value);
            p->value = 1;
        }
    }
}

/* Rows of phi of the document's different words, and how often it has them. */
static size_t list_types(const struct held_out_run *r, uint64_t d, worker *w)
{
    const uint32_t *word = r->word + r->docs->doc_start[d];
    const uint64_t length = length_of(r, d);
    const size_t stride = r->batch.stride;
    size_t n = 0;
    for (uint64_t i = 0; i < length; i++) {
        if (i > 0 && word[i] == word[i - 1]) {
            w->type_count[n - 1]++;
            continue;
        }
        for (size_t k = 0; k < stride; k++)
            w->type_phi[n * stride + k] = (double)r->batch.phi[word[i] * stride + k];
        w->type_count[n++] = 1;
    }
    return n;
}

static gb_status sample_proportions(void *context, size_t task, size_t worker_number, gb_error *err)
{
    (void)err;
    struct held_out_run *r = context;
    worker *w = &r->worker[worker_number];
    double *theta = w->particle[0].theta;
    for (uint64_t d = (uint64_t)task * DOCS_PER_TASK; d < task_end(r, task); d++) {
        const size_t n_types = list_types(r, d, w);
        for (size_t s = 0; s < r->n_samples && n_types > 0; s++) {
            gb_random random = gb_random_open(key_of(r, s, 0), 0, GB_DRAW_HELD_PRIOR, r->first_row + d);
            product p = {1, 0};
            r->prior.ops->draw_shares(&r->prior, group_of(r, d), &random, theta);
            for (size_t i = 0; i < n_types; i++)
                multiply(&p, dot(r->batch.stride, theta, w->type_phi + i * r->batch.stride), w->type_count[i]);
            double *sum = &r->log_sum[d * r->n_samples + s];
            *sum = log_add(*sum, p.log + log(p.value));
        }
    }
    return GB_OK;
}

/* ---- documents on their way ---- */

/* theta^ of (2) times its divisor; returns that. */
static double weigh_topics(const particle *p, uint64_t n, double *theta)
{
    const struct held_out_run *r = p->run;
    const double unit = r->prior.ops->unit;
    double sum = unit * (double)n;
    for (size_t k = 0; k < r->model->n_topics; k++) {
        theta[k] = p->base[k] + unit * p->count[k];
        sum += p->base[k];
    }
    return sum;
}

/* The document as its prior sees it: n of its tokens have a topic. */
static gb_prior_document document_of(const particle *p, uint64_t n)
{
    return (gb_prior_document){.group = group_of(p->run, p->d),
                               .key = p->key,
                               .sweep = p->pass,
                               .row = p->run->first_row + p->d,
                               .count = p->count,
                               .length = n};
}

/* The base weights given the topics so far, of which there are n. */
static void redraw_base(particle *p, uint64_t n)
{
    const gb_prior_document document = document_of(p, n);
    gb_new_document_redraw(&p->run->prior, &document, p->numbers, p->base);
}

static void open_document(particle *p, uint64_t d, uint64_t length, gb_key key)
{
    const struct held_out_run *r = p->run;
    p->d = d;
    p->length = length;
    p->key = key;
    p->pass = 0;
    p->next_in_turn = 0;
    memset(p->count, 0, r->batch.stride * sizeof *p->count);
    memset(p->theta, 0, r->batch.stride * sizeof *p->theta);
    for (uint64_t i = 0; i < length; i++)
        p->topic[i] = GB_NO_TOPIC;
    const gb_prior_document document = document_of(p, 0);
    if (r->method == COMPLETION)
        gb_new_document_begin(&r->prior, &document, p->numbers, p->base);
    else
        gb_new_document_start(&r->prior, &document, p->numbers, p->base);
}

/* The pass that a lane makes next, over these tokens. */
static void describe_pass(gb_token_lane *f, const particle *p, gb_tokens tokens)
{
    const struct held_out_run *r = p->run;
    f->tokens = tokens;
    f->following = tokens;
    f->document.key = p->key;
    f->document.doc = r->first_row + p->d;
    f->document.length = p->length;
    f->document.sweep = p->pass;
    f->document.purpose = GB_DRAW_HELD_OUT;
    f->document.base = p->base;
    f->document.unit =
        r->method == COMPLETION && p->pass == 0 ? gb_prior_first_unit(r->prior.ops) : r->prior.ops->unit;
    f->document.count = (unsigned char *)p->count;
}

static gb_token_lane lane_of(struct held_out_run *r, particle *p, bool next(gb_token_lane *))
{
    return (gb_token_lane){.block = {.n_topics = r->model->n_topics, .stride = r->batch.stride, .phi = r->batch.phi},
                           .document = {.width = GB_WIDTH_32},
                           .scratch = p->scratch,
                           .next = next};
}

/* ---- left to right ---- */

/* The tokens of the next pass: the one that comes in, then those before it whose turn it is. */
static void list_pass(particle *p)
{
    const uint32_t *word = p->run->word + p->run->docs->doc_start[p->d];
    const uint64_t n = p->pass;
    const size_t n_redrawn = n < WINDOW ? (size_t)n : WINDOW;
    p->pass_token[0] = n;
    for (size_t i = 1; i <= n_redrawn; i++) {
        if (p->next_in_turn >= n)
            p->next_in_turn = 0;
        p->pass_token[i] = p->next_in_turn++;
    }
    p->n_in_pass = 1 + n_redrawn;
    for (size_t i = 0; i < p->n_in_pass; i++) {
        p->pass_word[i] = word[p->pass_token[i]];
        p->pass_topic[i] = p->topic[p->pass_token[i]];
    }
}

/* Take the topics of a pass over. */
static void end_pass(particle *p)
{
    for (size_t i = 0; i < p->n_in_pass; i++)
        p->topic[p->pass_token[i]] = p->pass_topic[i];
    p->pass++;
    redraw_base(p, p->pass);
}

/* A lane takes every GB_MAX_TOKEN_LANES-th particle through one pass. */
static bool next_particle(gb_token_lane *f)
{
    worker *w = f->source;
    if (f->memory != NULL)
        end_pass(f->memory);
    if (f->at >= N_PARTICLES)
        return false;
    particle *p = &w->particle[f->at];
    f->at += GB_MAX_TOKEN_LANES;
    f->memory = p;
    list_pass(p);
    describe_pass(f, p, (gb_tokens){.count = p->n_in_pass, .word = p->pass_word, .topic = p->pass_topic});
    return true;
}

static gb_status move_particles(struct held_out_run *r, worker *w, gb_error *err)
{
    const gb_coefficients no_coefficients = {0};
    gb_token_lane lane[GB_MAX_TOKEN_LANES];
    for (size_t i = 0; i < GB_MAX_TOKEN_LANES; i++) {
        lane[i] = lane_of(r, &w->particle[i], next_particle);
        lane[i].source = w;
        lane[i].at = i;
    }
    return r->draw_tokens(lane, GB_MAX_TOKEN_LANES, &no_coefficients, err);
}

/* Multiply the weights by (2); returns the mean of (2) under the weights as they were. */
static double weigh_particles(const struct held_out_run *r, worker *w)
{
    double sum = 0;
    for (size_t i = 0; i < N_PARTICLES; i++) {
        particle *p = &w->particle[i];
        const double divisor = weigh_topics(p, p->pass, p->theta);
        const uint32_t word = r->word[r->docs->doc_start[p->d] + p->pass];
        w->weight[i] *= word_probability(r, p->theta, word) / divisor;
        sum += w->weight[i];
    }
    for (size_t i = 0; i < N_PARTICLES; i++)
        w->weight[i] /= sum;
    return sum;
}

static void copy_particle(const struct held_out_run *r, const particle *from, particle *to)
{
    memcpy(to->topic, from->topic, from->pass * sizeof *to->topic);
    memcpy(to->count, from->count, r->batch.stride * sizeof *to->count);
    memcpy(to->base, from->base, r->model->n_topics * sizeof *to->base);
    if (from->numbers != NULL)
        memcpy(to->numbers, from->numbers, gb_new_document_numbers(&r->model->prior) * sizeof *to->numbers);
}

/* How many of N_PARTICLES evenly spaced points, the first one at random, fall into each weight. */
static void count_offspring(const worker *w, double first, size_t n_offspring[N_PARTICLES])
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < N_PARTICLES; i++) {
        const size_t before = n;
        sum += w->weight[i] * N_PARTICLES;
        while (n < N_PARTICLES && (double)n + first < sum)
            n++;
        n_offspring[i] = n - before;
    }
    n_offspring[N_PARTICLES - 1] += N_PARTICLES - n; /* the sum has been rounded */
}

/* Draw particles anew by their weights once fewer than half of them matter: 1 / (sum of squares) is how many do. */
static void resample(const struct held_out_run *r, worker *w)
{
    double squares = 0;
    for (size_t i = 0; i < N_PARTICLES; i++)
        squares += w->weight[i] * w->weight[i];
    if (squares * N_PARTICLES < 2)
        return;
    const particle *p = &w->particle[0];
    gb_random random = gb_random_open(p->key, p->pass, GB_DRAW_RESAMPLE, r->first_row + p->d);
    size_t n_offspring[N_PARTICLES], from = 0;
    count_offspring(w, gb_random_uniform(&random), n_offspring);
    for (size_t i = 0; i < N_PARTICLES; i++) {
        w->weight[i] = 1.0 / N_PARTICLES;
        if (n_offspring[i] > 0)
            continue;
        while (n_offspring[from] < 2)
            from++;
        n_offspring[from]--;
        copy_particle(r, &w->particle[from], &w->particle[i]);
    }
}

/* log of the product over tokens of the mean of (2). */
static gb_status filter_document(struct held_out_run *r, worker *w, uint64_t d, size_t sample, gb_error *err)
{
    gb_status st = GB_OK;
    const uint64_t length = length_of(r, d);
    double log_product = 0;
    for (size_t i = 0; i < N_PARTICLES; i++) {
        w->particle[i].run = r;
        w->weight[i] = 1.0 / N_PARTICLES;
        open_document(&w->particle[i], d, length, key_of(r, sample, i));
    }
    for (uint64_t n = 0; st == GB_OK && n < length; n++) {
        log_product += log(weigh_particles(r, w));
        if (n + 1 == length) /* its topic matters to nobody */
            break;
        resample(r, w);
        st = move_particles(r, w, err);
    }
    double *sum = &r->log_sum[d * r->n_samples + sample];
    *sum = log_add(*sum, log_product);
    return st;
}

static gb_status filter_documents(void *context, size_t task, size_t worker_number, gb_error *err)
{
    gb_status st = GB_OK;
    struct held_out_run *r = context;
    for (uint64_t d = (uint64_t)task * DOCS_PER_TASK; d < task_end(r, task); d++)
        for (size_t s = 0; st == GB_OK && s < r->n_samples; s++)
            st = filter_document(r, &r->worker[worker_number], d, s, err);
    return st;
}

/* ---- completion ---- */

/* Add theta^ given the known half as it is now. */
static void add_proportions(particle *p)
{
    const struct held_out_run *r = p->run;
    const double unit = r->prior.ops->unit;
    double sum = unit * (double)p->length;
    for (size_t k = 0; k < r->model->n_topics; k++)
        sum += p->base[k];
    for (size_t k = 0; k < r->model->n_topics; k++)
        p->theta[k] += (p->base[k] + unit * p->count[k]) / sum / r->n_sweeps;
}

static void score_other_half(const particle *p)
{
    const struct held_out_run *r = p->run;
    const uint32_t *word = r->word + r->docs->doc_start[p->d] + p->length;
    double *sum = r->sum + r->scored_at[p->d] * r->n_samples + p->item % r->n_samples;
    const uint64_t n = r->scored_at[p->d + 1] - r->scored_at[p->d];
    for (uint64_t i = 0; i < n; i++)
        sum[i * r->n_samples] += word_probability(r, p->theta, word[i]);
}

static void settle(particle *p)
{
    const gb_prior_document document = document_of(p, p->length);
    gb_new_document_adopt(&p->run->prior, &document, p->numbers, p->base);
}

/* After a pass, or without tokens in place of one: false after the last one. */
static bool end_sweep(particle *p)
{
    const struct held_out_run *r = p->run;
    const uint32_t n_before = 1 + r->n_burn_in, pass = p->pass++;
    if (pass == 0)
        settle(p);
    redraw_base(p, p->length);
    if (pass >= n_before)
        add_proportions(p);
    return p->pass < n_before + r->n_sweeps;
}

static bool next_completion(gb_token_lane *f)
{
    particle *p = f->memory;
    const struct held_out_run *r = p->run;
    while (p->is_open || p->item < p->last) {
        if (!p->is_open) {
            const uint64_t d = p->item / r->n_samples;
            open_document(p, d, n_known_of(r, d), key_of(r, p->item % r->n_samples, 0));
            p->is_open = true;
        } else if (!end_sweep(p)) {
            score_other_half(p);
            p->is_open = false;
            p->item += GB_MAX_TOKEN_LANES;
            continue;
        }
        if (p->length == 0) /* the prior's proportions */
            continue;
        describe_pass(f, p,
                      (gb_tokens){.count = p->length, .word = r->word + r->docs->doc_start[p->d], .topic = p->topic});
        return true;
    }
    return false;
}

static gb_status complete_documents(void *context, size_t task, size_t worker_number, gb_error *err)
{
    struct held_out_run *r = context;
    const gb_coefficients no_coefficients = {0};
    gb_token_lane lane[GB_MAX_TOKEN_LANES];
    for (size_t i = 0; i < GB_MAX_TOKEN_LANES; i++) {
        particle *p = &r->worker[worker_number].particle[i];
        p->run = r;
        p->item = task * DOCS_PER_TASK * r->n_samples + i;
        p->last = (size_t)task_end(r, task) * r->n_samples;
        p->is_open = false;
        lane[i] = lane_of(r, p, next_completion);
        lane[i].memory = p;
    }
    return r->draw_tokens(lane, GB_MAX_TOKEN_LANES, &no_coefficients, err);
}

/* ---- one draw of the model ---- */

static gb_status apply_draw(struct held_out_run *r, size_t i, gb_error *err)
{
    static gb_task *const run[] = {
        [EMPIRICAL] = sample_proportions, [LEFT_TO_RIGHT] = filter_documents, [COMPLETION] = complete_documents};
    gb_status st;
    const size_t n_tasks = (size_t)((r->docs->n_docs + DOCS_PER_TASK - 1) / DOCS_PER_TASK);
    r->draw_number = i;
    r->draw = &r->model->draw[i];
    gb_prior_clear(&r->prior);
    GB_TRY(gb_prior_create(&r->prior, &r->model->prior, &r->draw->prior, 0, r->n_threads, gb_isa_best(), err));
    GB_TRY(gb_batch_fill(&r->batch, r->draw, r->n_threads, err));
    GB_TRY(gb_parallel_for(n_tasks, r->n_threads, run[r->method], r, err));
done:
    return st;
}

/* ---- the words of the documents ---- */

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* A random order: Fisher and Yates. */
static void shuffle(const struct held_out_run *r, uint64_t d, uint32_t *word, uint64_t n)
{
    gb_random random = gb_random_open(gb_key_make(r->seed, 0), 0, GB_DRAW_HELD_HALVES, r->first_row + d);
    for (uint64_t i = n; i > 1; i--) {
        const uint64_t j = gb_random_below(&random, i);
        const uint32_t other = word[j];
        word[j] = word[i - 1];
        word[i - 1] = other;
    }
}

static void order_words(struct held_out_run *r)
{
    r->word = r->batch.word;
    for (uint64_t d = 0; d < r->docs->n_docs; d++) {
        uint32_t *word = r->word + r->docs->doc_start[d];
        const uint64_t n = length_of(r, d);
        r->longest = n > r->longest ? n : r->longest;
        if (r->method == EMPIRICAL && n > 0)
            qsort(word, n, sizeof *word, ascending);
        else if (r->method == COMPLETION)
            shuffle(r, d, word, n);
    }
}

/* ---- memory ---- */

static gb_status create_particle(struct held_out_run *r, particle *p, gb_error *err)
{
    gb_status st;
    const char *what = "workers";
    GB_TRY(gb_scratch_create(&p->scratch, r->model->n_topics, 0, err));
    GB_TRY(gb_alloc(&p->numbers, gb_new_document_numbers(&r->model->prior), sizeof *p->numbers, what, err));
    GB_TRY(gb_alloc(&p->base, r->model->n_topics, sizeof *p->base, what, err));
    GB_TRY(gb_alloc(&p->theta, r->batch.stride, sizeof *p->theta, what, err));
    GB_TRY(gb_alloc(&p->count, r->batch.stride, sizeof *p->count, what, err));
    GB_TRY(gb_alloc(&p->topic, r->longest, sizeof *p->topic, what, err));
done:
    return st;
}

static gb_status create_workers(struct held_out_run *r, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(&r->worker, r->n_threads, sizeof *r->worker, "workers", err));
    for (size_t i = 0; i < r->n_threads; i++) {
        worker *w = &r->worker[i];
        for (size_t j = 0; j < N_PARTICLES; j++)
            GB_TRY(create_particle(r, &w->particle[j], err));
        if (r->method != EMPIRICAL)
            continue;
        GB_TRY(gb_alloc(&w->type_phi, r->longest * r->batch.stride, sizeof *w->type_phi, "workers", err));
        GB_TRY(gb_alloc(&w->type_count, r->longest, sizeof *w->type_count, "workers", err));
    }
done:
    return st;
}

static gb_status create_sums(struct held_out_run *r, gb_error *err)
{
    gb_status st;
    const char *what = "the likelihoods";
    const uint64_t n_docs = r->docs->n_docs;
    GB_TRY(gb_alloc(&r->scored_at, n_docs + 1, sizeof *r->scored_at, what, err));
    for (uint64_t d = 0; d < n_docs; d++) {
        r->out->n_scored[d] = length_of(r, d) - (r->method == COMPLETION ? n_known_of(r, d) : 0);
        r->scored_at[d + 1] = r->scored_at[d] + r->out->n_scored[d];
    }
    if (r->method == COMPLETION) {
        GB_TRY(gb_alloc(&r->sum, r->scored_at[n_docs] * r->n_samples, sizeof *r->sum, what, err));
    } else {
        GB_TRY(gb_alloc(&r->log_sum, n_docs * r->n_samples, sizeof *r->log_sum, what, err));
        for (uint64_t i = 0; i < n_docs * r->n_samples; i++)
            r->log_sum[i] = -INFINITY;
    }
done:
    return st;
}

static void clear_run(struct held_out_run *r)
{
    for (size_t i = 0; r->worker != NULL && i < r->n_threads; i++) {
        worker *w = &r->worker[i];
        for (size_t j = 0; j < N_PARTICLES; j++) {
            particle *p = &w->particle[j];
            gb_scratch_free(p->scratch);
            gb_free(p->numbers);
            gb_free(p->base);
            gb_free(p->theta);
            gb_free(p->count);
            gb_free(p->topic);
        }
        gb_free(w->type_phi);
        gb_free(w->type_count);
    }
    gb_free(r->worker);
    gb_free(r->group);
    gb_free(r->log_sum);
    gb_free(r->scored_at);
    gb_free(r->sum);
    gb_batch_clear(&r->batch);
    gb_prior_clear(&r->prior);
}

/* ---- answers ---- */

/* Standard error of the mean of n numbers. */
static double standard_error(size_t n, const double *x, double mean)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    return n > 1 ? sqrt(squares / (double)(n - 1) / (double)n) : NAN;
}

/* log of the mean over samples and draws; the error of a logarithm is that of its argument in proportion. */
static void finish_document(const struct held_out_run *r, uint64_t d, double *ratio)
{
    const size_t n = r->n_samples;
    const double *sum = r->log_sum + d * n, log_total = gb_log_sum_exp(n, sum), log_mean = log_total - log((double)n);
    for (size_t s = 0; s < n; s++)
        ratio[s] = exp(sum[s] - log_mean);
    r->out->log_likelihood[d] = log_mean - log((double)r->model->n_draws);
    r->out->standard_error[d] = standard_error(n, ratio, 1);
}

/* The sum over tokens of logarithms of means; replicate s differs from it by about sum_n (p_ns / p_n - 1). */
static void finish_completion(const struct held_out_run *r, uint64_t d, double *ratio)
{
    const size_t n = r->n_samples;
    double log_likelihood = 0;
    memset(ratio, 0, n * sizeof *ratio);
    for (uint64_t i = r->scored_at[d]; i < r->scored_at[d + 1]; i++) {
        double mean = 0;
        for (size_t s = 0; s < n; s++)
            mean += r->sum[i * n + s] / (double)n;
        for (size_t s = 0; s < n; s++)
            ratio[s] += r->sum[i * n + s] / mean - 1;
        log_likelihood += log(mean / (double)r->model->n_draws);
    }
    r->out->log_likelihood[d] = log_likelihood;
    r->out->standard_error[d] = standard_error(n, ratio, 0);
}

static gb_status finish(const struct held_out_run *r, gb_error *err)
{
    double *ratio = NULL;
    gb_status st = gb_alloc(&ratio, r->n_samples, sizeof *ratio, "the likelihoods", err);
    for (uint64_t d = 0; st == GB_OK && d < r->docs->n_docs; d++) {
        if (r->out->n_scored[d] == 0)
            continue;
        if (r->method == COMPLETION)
            finish_completion(r, d, ratio);
        else
            finish_document(r, d, ratio);
    }
    gb_free(ratio);
    return st;
}

/* ---- the answer ---- */

static gb_status create_answer(uint64_t n_docs, gb_held_out **out, gb_error *err)
{
    gb_status st;
    gb_held_out *h = NULL;
    const char *what = "the likelihoods";
    GB_TRY(gb_alloc(&h, 1, sizeof *h, what, err));
    h->n_docs = n_docs;
    GB_TRY(gb_alloc(&h->n_scored, n_docs, sizeof *h->n_scored, what, err));
    GB_TRY(gb_alloc(&h->log_likelihood, n_docs, sizeof *h->log_likelihood, what, err));
    GB_TRY(gb_alloc(&h->standard_error, n_docs, sizeof *h->standard_error, what, err));
    *out = h;
    h = NULL;
done:
    gb_held_out_free(h);
    return st;
}

static gb_status choose_method(struct held_out_run *r, const gb_settings *settings, gb_error *err)
{
    static const size_t default_samples[] = {[EMPIRICAL] = 100, [LEFT_TO_RIGHT] = 2, [COMPLETION] = 2};
    const char *name = settings->held_out;
    if (strcmp(name, "none") == 0)
        return gb_fail(err, GB_EARGUMENT, "--held-out none is no way to a likelihood");
    r->method = strcmp(name, "empirical") == 0       ? EMPIRICAL
                : strcmp(name, "left-to-right") == 0 ? LEFT_TO_RIGHT
                                                     : COMPLETION;
    r->n_samples = settings->held_out_samples > 0 ? (size_t)settings->held_out_samples : default_samples[r->method];
    return GB_OK;
}

static gb_status find_groups(struct held_out_run *r, gb_error *err)
{
    const gb_prior_ops *ops = r->model->prior.ops;
    if (ops->groups == NULL || gb_prior_groups(&r->model->prior) == NULL)
        return GB_OK;
    gb_status st = gb_alloc(&r->group, r->docs->n_docs, sizeof *r->group, "groups of documents", err);
    return st == GB_OK ? ops->groups->find(&r->model->prior, r->docs, r->group, err) : st;
}

gb_status gb_held_out_likelihood(const gb_model *model, const gb_corpus *docs, uint64_t first_row,
                                 const gb_settings *settings, gb_held_out **out, gb_error *err)
{
    gb_status st;
    gb_held_out *h = NULL;
    struct held_out_run r = {.model = model,
                             .docs = docs,
                             .first_row = first_row,
                             .seed = settings->seed < 0 ? model->seed : (uint64_t)settings->seed,
                             .n_sweeps = (uint32_t)settings->infer_sweeps,
                             .n_burn_in = (uint32_t)settings->infer_burn_in,
                             .n_threads = settings->threads > 0 ? (size_t)settings->threads : gb_available_threads()};
    if (docs->n_words != model->n_words)
        return gb_fail(err, GB_EARGUMENT,
                       "the documents have %llu words, the model %llu: read them with gb_documents_open()",
                       (unsigned long long)docs->n_words, (unsigned long long)model->n_words);
    GB_TRY(choose_method(&r, settings, err));
    GB_TRY(create_answer(docs->n_docs, &h, err));
    r.out = h;
    r.draw_tokens = gb_token_dense.kernel(gb_isa_best());
    GB_TRY(find_groups(&r, err));
    GB_TRY(gb_batch_create(&r.batch, model, docs, err));
    order_words(&r);
    GB_TRY(create_workers(&r, err));
    GB_TRY(create_sums(&r, err));
    for (size_t i = 0; i < model->n_draws; i++)
        GB_TRY(apply_draw(&r, i, err));
    GB_TRY(finish(&r, err));
    *out = h;
    h = NULL;
done:
    clear_run(&r);
    gb_held_out_free(h);
    return st;
}

void gb_held_out_free(gb_held_out *h)
{
    if (h == NULL)
        return;
    gb_free(h->n_scored);
    gb_free(h->log_likelihood);
    gb_free(h->standard_error);
    gb_free(h);
}
