/* cli/explain_parts.c - terms and words of an explained score, the largest first. */
#include "explain.h"

#include <math.h>
#include <stdlib.h>

const char *cli_name_of_explained_topic(const cli_explained *x, uint64_t output, uint64_t topic)
{
    const bool has_own = gb_model_is_one_vs_rest(x->model);
    return topic >= x->e->n_topics || (has_own && output > 0) ? "" : gb_model_union_name(x->model, topic);
}

static bool has_words(const cli_explained *x)
{
    return gb_model_n_word_columns(x->model) > 0;
}

static bool has_embedding(const cli_explained *x)
{
    return gb_model_n_embedding_columns(x->model) > 0;
}

uint64_t cli_n_parts(const cli_explained *x)
{
    return x->e->n_topics + 1 + x->e->n_fields + (has_embedding(x) ? 1 : 0) + (has_words(x) ? 2 : 0);
}

static int largest_first(double a, double b, uint64_t i, uint64_t j)
{
    const double p = fabs(a), q = fabs(b);
    return p != q ? (p < q) - (p > q) : (i > j) - (i < j);
}

static int compare_parts(const void *a, const void *b)
{
    const cli_part *x = a, *y = b;
    const int by_size = largest_first(x->value, y->value, x->number, y->number);
    return by_size != 0 ? by_size : (x->kind > y->kind) - (x->kind < y->kind);
}

static int compare_words(const void *a, const void *b)
{
    const cli_explained_word *x = a, *y = b;
    return largest_first(x->value, y->value, x->at, y->at);
}

static double sum_of_word_effects(const gb_explanation *e, uint64_t at)
{
    const uint64_t d = at / e->n_explained, o = at % e->n_explained;
    double sum = 0;
    for (uint64_t i = e->word_start[d]; i < e->word_start[d + 1]; i++)
        sum += e->word_effect[i * e->n_explained + o];
    return sum;
}

/* Those of other topics are one, and a union has that of its first topic. */
static bool has_part(const gb_model *model, uint64_t n_topics, uint64_t topic)
{
    const uint64_t first = topic < n_topics ? gb_model_topic_union(model, topic) : topic;
    return first == topic || first == GB_LEFT_OUT;
}

uint64_t cli_list_parts(const cli_explained *x, uint64_t at, cli_part *part)
{
    const gb_explanation *e = x->e;
    uint64_t n = 0;
    for (uint64_t k = 0; k <= e->n_topics; k++)
        if (has_part(x->model, e->n_topics, k))
            part[n++] = (cli_part){k < e->n_topics ? CLI_PART_TOPIC : CLI_PART_OTHER_TOPICS, k,
                                   e->topic[at * (e->n_topics + 1) + k]};
    for (uint64_t f = 0; f < e->n_fields; f++)
        part[n++] = (cli_part){CLI_PART_COVARIATE, f, e->covariate[at * e->n_fields + f]};
    if (has_embedding(x))
        part[n++] = (cli_part){CLI_PART_EMBEDDING, 0, e->embedding[at]};
    if (has_words(x)) {
        part[n++] = (cli_part){CLI_PART_WORDS, 0, sum_of_word_effects(e, at)};
        part[n++] = (cli_part){CLI_PART_ABSENT, 0, e->absent[at]};
    }
    qsort(part, n, sizeof *part, compare_parts);
    return n;
}

const char *cli_part_name(cli_part_kind kind)
{
    static const char *const name[] = {"topic", "other-topics", "covariate", "embedding", "words", "absent-words"};
    return name[kind];
}

static double part_of_word(const gb_explanation *e, uint64_t i, const cli_part *part)
{
    double sum = part == NULL || part->kind == CLI_PART_WORDS ? e->word_effect[i] : 0;
    const double *of_topic = e->word_topic + i * (e->n_topics + 1);
    if (part != NULL && part->kind <= CLI_PART_OTHER_TOPICS)
        return of_topic[part->number];
    for (uint64_t k = 0; part == NULL && k <= e->n_topics; k++)
        sum += of_topic[k];
    return sum;
}

uint64_t cli_list_words(const cli_explained *x, uint64_t at, const cli_part *part, cli_explained_word *word)
{
    const gb_explanation *e = x->e;
    const uint64_t d = at / e->n_explained, first = e->word_start[d], n = e->word_start[d + 1] - first;
    if (part != NULL && part->kind != CLI_PART_WORDS && part->kind > CLI_PART_OTHER_TOPICS)
        return 0;
    for (uint64_t i = 0; i < n; i++) {
        word[i].at = (first + i) * e->n_explained + at % e->n_explained;
        word[i].value = part_of_word(e, word[i].at, part);
    }
    qsort(word, n, sizeof *word, compare_words);
    return n;
}

uint64_t cli_topic_of_word(const cli_explained *x, uint64_t word)
{

    const gb_explanation *e = x->e;
    const double *part = e->word_topic + word * (e->n_topics + 1);
    uint64_t best = e->n_topics;
    double most = 0;
    for (uint64_t k = 0; k < e->n_topics; k++)
        if (fabs(part[k]) > most) {
            most = fabs(part[k]);
            best = k;
        }
    return best;
}

uint64_t cli_most_words(const gb_explanation *e)
{
    uint64_t most = 0;
    for (uint64_t d = 0; d < e->n_docs; d++)
        most = e->word_start[d + 1] - e->word_start[d] > most ? e->word_start[d + 1] - e->word_start[d] : most;
    return most;
}
