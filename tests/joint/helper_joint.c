/* helper_joint.c - the tiny corpora, and the list of quantities; no call of the library. */
#include "helper_joint.h"

#include <stdio.h>
#include <string.h>

const joint_corpus corpus_full = {.name = "full",
                                  .n_docs = 3,
                                  .n_words = 4,
                                  .length = {3, 3, 2},
                                  .word = {0, 1, 0, 1, 2, 3, 3, 2},
                                  .label = {{"b", "a", "b"}, {"a", "b", "c"}, {"a", "ab", ""}}};

const joint_corpus corpus_short = {.name = "short",
                                   .n_docs = 3,
                                   .n_words = 4,
                                   .length = {3, 1, 3},
                                   .word = {2, 0, 2, 1, 3, 1, 2},
                                   .label = {{"a", "b", "b"}, {"c", "b", "a"}, {"b", "a", "a"}}};

const joint_corpus corpus_hollow = {.name = "hollow",
                                    .n_docs = 3,
                                    .n_words = 5,
                                    .length = {3, 0, 3},
                                    .word = {0, 1, 2, 3, 0, 3},
                                    .label = {{"b", "b", "a"}, {"b", "a", "c"}, {"", "a", "b"}}};

const joint_corpus corpus_partial = {.name = "partial",
                                     .n_docs = 4,
                                     .n_words = 4,
                                     .length = {2, 1, 2, 2},
                                     .word = {0, 1, 1, 2, 0, 3, 3},
                                     .label = {{"b", "a", NULL, "b"}, {"a", "b", NULL, "c"}, {"b", "a", NULL, "ab"}}};

const joint_corpus corpus_partial_hollow = {
    .name = "partial hollow",
    .n_docs = 4,
    .n_words = 5,
    .length = {3, 2, 0, 2},
    .word = {0, 4, 1, 2, 1, 3, 0},
    .label = {{"b", "a", "b", NULL}, {"c", "b", "a", NULL}, {"ab", "b", "a", NULL}}};

double joint_alpha(const joint_row *row, size_t topic)
{
    static const double of_two[] = {0.5, 1.4}, of_three[] = {0.4, 1.2, 0.7};
    if (row->prior == PRIOR_VECTOR)
        return row->n_topics == 2 ? of_two[topic] : of_three[topic];
    return 0.8;
}

size_t joint_n_outputs(const joint_row *row)
{
    static const size_t outputs[] = {1, 3, 2};
    return row->response == RESPONSE_NONE ? 0 : outputs[row->task];
}

size_t joint_n_tokens(const joint_row *row)
{
    size_t n = 0;
    for (size_t d = 0; d < row->corpus->n_docs; d++)
        n += row->corpus->length[d];
    return n;
}

int joint_label(const joint_row *row, size_t doc, size_t output)
{
    const char *classes = row->corpus->label[row->task][doc];
    if (classes == NULL)
        return 0;
    const char wanted = row->task == TASK_BINARY ? 'b' : (char)('a' + (int)output);
    return strchr(classes, wanted) != NULL ? 1 : -1;
}

void joint_row_name(const joint_row *row, char *out, size_t size)
{
    static const char *const priors[] = {"dirichlet", "unequal alpha", "uniform"}, *const tasks[] = {"binary",
                                                                                                     "multiclass",
                                                                                                     "multilabel"};
    char response[64] = "no response", treatment[32] = "sampled";
    if (row->response == RESPONSE_HINGE)
        snprintf(response, sizeof response, "hinge c %g ell %g, %s", row->cost, row->margin, tasks[row->task]);
    if (row->response == RESPONSE_LOGISTIC)
        snprintf(response, sizeof response, "logistic c %g, %s", row->cost, tasks[row->task]);
    if (row->response == RESPONSE_PROBIT)
        snprintf(response, sizeof response, "probit, %s", tasks[row->task]);
    if (row->blocks > 0)
        snprintf(treatment, sizeof treatment, "B %d", row->blocks);
    snprintf(out, size, "%s, %s, %s, K %zu%s, %s%s%s", priors[row->prior], response, treatment, row->n_topics,
             row->intercept ? " and intercept" : "", row->corpus->name, row->horseshoe ? ", horseshoe" : "",
             row->coordinate ? ", coordinate" : "");
}

/* ---- quantities ---- */

struct list {
    size_t n;
    double *x;
    char (*name)[NAME_SIZE];
};

static void add(struct list *list, double x, const char *name, size_t a, size_t b)
{
    if (list->x != NULL)
        list->x[list->n] = x;
    if (list->name != NULL)
        snprintf(list->name[list->n], NAME_SIZE, "%s %zu %zu", name, a, b);
    list->n++;
}

static void add_document(struct list *list, const joint_row *row, size_t d, const unsigned char *z, double *distinct)
{
    unsigned n_dk[MAX_TOPICS] = {0};
    for (size_t i = 0; i < row->corpus->length[d]; i++)
        n_dk[z[i]]++;
    *distinct = 0;
    for (size_t k = 0; k < row->n_topics; k++) {
        *distinct += n_dk[k] > 0;
        if (row->prior == PRIOR_VECTOR)
            add(list, n_dk[k], "n_dk", d, k);
    }
    add(list, *distinct, "topics of document", d, 0);
}

static void add_output(struct list *list, const joint_row *row, size_t l, const score_law *law,
                       const double *distinct)
{
    for (size_t d = 0; d < row->corpus->n_docs; d++) {
        add(list, law->s[d], "s_dl", d, l);
        add(list, law->positive[d], "s_dl > 0", d, l);
        add(list, law->s[d] * distinct[d], "s_dl x topics of document", d, l);
        for (size_t e = 0; e <= d; e++)
            add(list, law->ss[d][e], d == e ? "s_dl^2" : "s_dl s_el", d, l);
    }
    add(list, law->square, "sum of eta_lk^2", l, 0);
    if (row->intercept) {
        add(list, law->b, "intercept", l, 0);
        add(list, law->bb, "intercept^2", l, 0);
    }
}

/* The horseshoe has no moments, and quadrature on a fixed grid cannot see where a score changes its sign. */
static void add_bounded(struct list *list, const joint_row *row, size_t l, const score_law *law,
                        const double *distinct)
{
    for (size_t d = 0; d < row->corpus->n_docs; d++) {
        add(list, law->t[d], "tanh s_dl", d, l);
        add(list, law->t[d] * distinct[d], "tanh s_dl x topics of document", d, l);
        for (size_t e = 0; e <= d; e++)
            add(list, law->tt[d][e], "tanh s_dl tanh s_el", d, l);
    }
    add(list, law->small, "sum of 1 / (1 + eta_lk^2)", l, 0);
    if (row->intercept)
        add(list, law->tb, "tanh of intercept", l, 0);
}

size_t joint_quantities(const joint_row *row, const unsigned char *z, const score_law *law, double *x,
                        char (*name)[NAME_SIZE])
{
    struct list list = {.x = x, .name = name};
    double distinct[MAX_DOCS];
    const size_t n_tokens = joint_n_tokens(row), n_outputs = joint_n_outputs(row);
    for (size_t i = 0; i < n_tokens; i++)
        for (size_t j = 0; j < i; j++)
            add(&list, z[i] == z[j], "z_i = z_j", i, j);
    for (size_t d = 0, first = 0; d < row->corpus->n_docs; first += row->corpus->length[d++])
        add_document(&list, row, d, z + first, &distinct[d]);
    for (size_t l = 0; l < n_outputs; l++)
        (row->horseshoe ? add_bounded : add_output)(&list, row, l, &law[l], distinct);
    return list.n;
}
