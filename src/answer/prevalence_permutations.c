/* answer/prevalence_permutations.c - whether a field says more of topic shares of documents than it would if it were shuffled.
 *
 * Shares are expected ones by words alone: in a model with a formula every document is read as if it had the same metadata
 * (prior/psi_rows.c), so they do not know the field.  With y_dk the share of topic k less its mean over the documents of the stratum
 * of d (--within; one stratum without), and S_lk the sum of y_dk over the n_l documents of value l,
 *     T_k = sum_l S_lk^2 / n_l / sum_d y_dk^2                                                                  (1)
 *     T_k = (sum_d x_d y_dk)^2 / (sum_d (x_d - mean of the stratum)^2 sum_d y_dk^2)   for a number x            (2)
 * are compared with those after values are shuffled among the clusters of a stratum (--whole; documents without).  If nothing depends
 * on the field, values may stand at any clusters of a stratum whatever the shares are, and p is exact: documents of a cluster
 * may be alike, and clusters of any size. */
#include "answer/questions.h"
#include "answer/topic_labels.h"
#include "answer/topic_shares.h"
#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/corpus.h"
#include "gibbous/topic_unions.h"
#include "model/prevalence.h"
#include "random/random.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 5, N_SHUFFLES = 999 };

enum { TOPIC, NAME, EXPLAINED, BY_CHANCE, P, P_ANY, TOPIC_WORDS, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    [TOPIC] = {"topic", "topic", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "number of the topic"},
    [NAME] = {"topic_name", "name", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "name that somebody gave the topic"},
    [EXPLAINED] =
        {"explained", "explained", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4f", "",
         "part of the variance of the topic's shares, within strata, that lies between values of the field"},
    [BY_CHANCE] = {"by_chance", "by chance", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4f", "",
                   "the same on average over shuffles of the field"},
    [P] = {"p", "p", GB_CELL_REAL, GB_PLACE_COLUMN, "%.3f", "",
           "share of shuffles, and of the field as it is, that explain as much: small if the topic depends on the "
           "field"},
    [P_ANY] = {"p_any", "p any", GB_CELL_REAL, GB_PLACE_COLUMN, "%.3f", "",
               "share of those in which some topic stands out as much: small if this topic does, of so many"},
    [TOPIC_WORDS] = {"words", "words", GB_CELL_TEXT, GB_PLACE_END, NULL, "", "words of the topic"}};

static const char what[] = "shuffles of a field";

/* A field with one value in a document. */
typedef struct field {
    const char *name;
    const gb_labels *labels; /* or */
    const gb_numbers *numbers;
    double *of_class; /* classes that are numbers; NULL: they are not */
} field;

/* What is shuffled: clusters, or documents. */
typedef struct unit {
    uint64_t stratum, n; /* n: documents */
    double x;            /* number, or number of the class */
} unit;

typedef struct permutations {
    const gb_asked *asked;
    const gb_corpus *docs;
    gb_topic_labels labels;
    field field, within, cluster;
    uint64_t n_docs, *doc; /* those with all values, and words */
    uint64_t *stratum, *cluster_of;
    uint64_t n_strata, n_units;
    unit *unit;
    size_t n_topics, *topic; /* listed ones */
    double *y;               /* n_docs x n_topics */
    double *sum;             /* n_units x n_topics */
    double *square;          /* n_topics */
    double *t;               /* (1 + N_SHUFFLES) x n_topics: as it is, shuffled */
    double *by_value;        /* classes x n_topics */
    double *n_by_value;      /* classes; or mean and documents of strata */
} permutations;

static void clear(permutations *p)
{
    gb_topic_labels_clear(&p->labels);
    gb_free(p->field.of_class);
    gb_free(p->doc);
    gb_free(p->stratum);
    gb_free(p->cluster_of);
    gb_free(p->unit);
    gb_free(p->topic);
    gb_free(p->y);
    gb_free(p->sum);
    gb_free(p->square);
    gb_free(p->t);
    gb_free(p->by_value);
    gb_free(p->n_by_value);
}

/* ---- fields ---- */

static gb_status find_field(const permutations *p, const char *option, field *out, gb_error *err)
{
    char names[GB_FIELD_NAMES_SIZE], shown[GB_QUOTE_SIZE];
    const char *name = gb_asked_text(p->asked, option);
    const gb_corpus *c = p->docs;
    *out = (field){.name = name};
    for (size_t i = 0; i < c->n_labels && *name != '\0'; i++)
        if (strcmp(c->labels[i].name, name) == 0 && !c->labels[i].several)
            out->labels = &c->labels[i];
    for (size_t i = 0; i < c->n_numbers && *name != '\0'; i++)
        if (strcmp(c->numbers[i].name, name) == 0)
            out->numbers = &c->numbers[i];
    if (*name == '\0' || out->labels != NULL || out->numbers != NULL)
        return GB_OK;
    gb_corpus_field_names(c, names);
    gb_text_quote(name, strlen(name), shown);
    return gb_fail(err, GB_EARGUMENT, "`%s`: the documents have no field %s with one value in a document; %s", option,
                   shown, names);
}

/* NaN: missing.  Without a field all documents are alike. */
static double value_of(const field *f, uint64_t d)
{
    if (f->numbers != NULL)
        return f->numbers->value[d];
    if (f->labels == NULL)
        return 0;
    const uint64_t first = f->labels->doc_start[d];
    if (first == f->labels->doc_start[d + 1])
        return (double)NAN;
    const uint32_t class = f->labels->class_of[first];
    return f->of_class == NULL ? (double)class : f->of_class[class];
}

/* A field that the model does not know comes as classes; three or more that are numbers are that. */
static gb_status find_numbers(const permutations *p, field *f, gb_error *err)
{
    gb_status st = GB_OK;
    char text[64];
    const gb_formula *formula = gb_model_formula(p->asked->subject->model);
    for (size_t i = 0; formula != NULL && i < gb_coding_n_fields(gb_formula_coding(formula)); i++)
        if (strcmp(gb_coding_field_name(gb_formula_coding(formula), i), f->name) == 0)
            return GB_OK;
    if (f->labels == NULL || f->labels->role != GB_ROLE_PREVALENCE || f->labels->classes.count < 3)
        return st;
    st = gb_alloc(&f->of_class, f->labels->classes.count, sizeof *f->of_class, what, err);
    for (uint64_t i = 0; i < f->labels->classes.count && f->of_class != NULL; i++) {
        const gb_view name = gb_texts_view(&f->labels->classes, i);
        (void)snprintf(text, sizeof text, "%.*s", (int)name.length, name.text);
        if (name.length >= sizeof text || gb_text_to_real(text, &f->of_class[i]) != GB_NUMBER_OK) {
            gb_free(f->of_class);
            f->of_class = NULL;
        }
    }
    return st;
}

static gb_status choose_documents(permutations *p, gb_error *err)
{
    const uint64_t n = gb_corpus_n_docs(p->docs);
    const gb_status st = gb_alloc(&p->doc, n, sizeof *p->doc, what, err);
    for (uint64_t d = 0; d < n && st == GB_OK; d++)
        if (p->docs->doc_start[d + 1] > p->docs->doc_start[d] && !isnan(value_of(&p->field, d)) &&
            !isnan(value_of(&p->within, d)) && !isnan(value_of(&p->cluster, d)))
            p->doc[p->n_docs++] = d;
    return st;
}

/* ---- values as numbers 0, 1, ... ---- */

typedef struct numbered {
    double value;
    uint64_t at;
} numbered;

static int by_value(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Without a field each document has its own if `alone`, else all have 0. */
static gb_status number_values(const permutations *p, const field *f, bool alone, uint64_t **out, uint64_t *n,
                               gb_error *err)
{
    gb_status st;
    numbered *sorted = NULL;
    GB_TRY(gb_alloc(out, p->n_docs, sizeof **out, what, err));
    GB_TRY(gb_alloc(&sorted, p->n_docs, sizeof *sorted, what, err));
    for (uint64_t i = 0; i < p->n_docs; i++)
        sorted[i] = (numbered){*f->name == '\0' && alone ? (double)i : value_of(f, p->doc[i]), i};
    qsort(sorted, p->n_docs, sizeof *sorted, by_value);
    *n = 0;
    for (uint64_t i = 0; i < p->n_docs; i++) {
        *n += i == 0 || sorted[i].value != sorted[i - 1].value;
        (*out)[sorted[i].at] = *n - 1;
    }
done:
    gb_free(sorted);
    return st;
}

/* ---- what is shuffled ---- */

static gb_status refuse(const permutations *p, const char *option, const field *f, uint64_t n_clusters, gb_error *err)
{
    return gb_fail(err, GB_EARGUMENT,
                   "`%s`: %s differs within %" PRIu64 " of %" PRIu64
                   " values of %s (`whole`), which are shuffled as a "
                   "whole; %s",
                   option, f->name, n_clusters, p->n_units, p->cluster.name,
                   f == &p->field ? "to shuffle within them, give that field as `within`"
                                  : "leave `within` out, or join the two in one field");
}

static gb_status make_units(permutations *p, gb_error *err)
{
    gb_status st;
    bool *differs = NULL;
    uint64_t n_x = 0, n_strata = 0;
    GB_TRY(number_values(p, &p->within, false, &p->stratum, &p->n_strata, err));
    GB_TRY(number_values(p, &p->cluster, true, &p->cluster_of, &p->n_units, err));
    GB_TRY(gb_alloc(&p->unit, p->n_units, sizeof *p->unit, what, err));
    GB_TRY(gb_alloc(&differs, 2 * p->n_units, sizeof *differs, what, err));
    for (uint64_t i = 0; i < p->n_docs; i++) {
        const uint64_t c = p->cluster_of[i];
        unit *u = &p->unit[c];
        const double x = value_of(&p->field, p->doc[i]);
        if (u->n++ == 0) {
            u->x = x;
            u->stratum = p->stratum[i];
        }
        differs[2 * c] |= u->x != x;
        differs[2 * c + 1] |= u->stratum != p->stratum[i];
    }
    for (uint64_t c = 0; c < p->n_units; c++) {
        n_x += differs[2 * c];
        n_strata += differs[2 * c + 1];
    }
    if (n_x > 0)
        st = refuse(p, "permute", &p->field, n_x, err);
    else if (n_strata > 0)
        st = refuse(p, "within", &p->within, n_strata, err);
done:
    gb_free(differs);
    return st;
}

/* ---- shares ---- */

static void add_shares(permutations *p, const double *share, double *united)
{
    const gb_model *m = p->asked->subject->model;
    const uint64_t n_all = p->labels.n_topics;
    for (uint64_t i = 0; i < p->n_docs; i++) {
        memset(united, 0, n_all * sizeof *united);
        for (uint64_t k = 0; k < n_all; k++)
            if (gb_model_topic_union(m, k) != GB_LEFT_OUT)
                united[gb_model_topic_union(m, k)] += share[p->doc[i] * n_all + k];
        for (size_t k = 0; k < p->n_topics; k++)
            p->y[i * p->n_topics + k] = united[p->topic[k]];
    }
}

/* Less the means of strata; sums of units. */
static gb_status centre_shares(permutations *p, gb_error *err)
{
    gb_status st;
    const size_t n = p->n_topics;
    double *mean = NULL, *n_docs = NULL;
    GB_TRY(gb_alloc(&mean, p->n_strata * n, sizeof *mean, what, err));
    GB_TRY(gb_alloc(&n_docs, p->n_strata, sizeof *n_docs, what, err));
    for (uint64_t i = 0; i < p->n_docs; i++) {
        n_docs[p->stratum[i]]++;
        for (size_t k = 0; k < n; k++)
            mean[p->stratum[i] * n + k] += p->y[i * n + k];
    }
    for (uint64_t i = 0; i < p->n_docs; i++)
        for (size_t k = 0; k < n; k++) {
            const double y = p->y[i * n + k] - mean[p->stratum[i] * n + k] / n_docs[p->stratum[i]];
            p->sum[p->cluster_of[i] * n + k] += y;
            p->square[k] += y * y;
        }
done:
    gb_free(mean);
    gb_free(n_docs);
    return st;
}

static gb_status find_shares(permutations *p, gb_error *err)
{
    gb_status st;
    const double *share = NULL; /* those of the subject may know the metadata */
    double *own = NULL, *united = NULL;
    GB_TRY(gb_alloc(&p->topic, p->labels.n_topics, sizeof *p->topic, what, err));
    for (uint64_t k = 0; k < p->labels.n_topics; k++)
        if (gb_topic_is_listed(&p->labels, k))
            p->topic[p->n_topics++] = k;
    GB_TRY(gb_alloc(&united, p->labels.n_topics, sizeof *united, what, err));
    GB_TRY(gb_alloc(&p->y, p->n_docs, p->n_topics * sizeof *p->y, what, err));
    GB_TRY(gb_alloc(&p->sum, p->n_units, p->n_topics * sizeof *p->sum, what, err));
    GB_TRY(gb_alloc(&p->square, p->n_topics, sizeof *p->square, what, err));
    GB_TRY(gb_find_shares(p->asked, p->docs, &share, &own, err));
    add_shares(p, share, united);
    st = centre_shares(p, err);
done:
    gb_free(own);
    gb_free(united);
    return st;
}

/* ---- statistics ---- */

/* (1) */
static void compare_classes(const permutations *p, double *t)
{
    const size_t n = p->n_topics, n_classes = p->field.labels->classes.count;
    memset(p->by_value, 0, n_classes * n * sizeof *p->by_value);
    memset(p->n_by_value, 0, n_classes * sizeof *p->n_by_value);
    for (uint64_t c = 0; c < p->n_units; c++) {
        const size_t l = (size_t)p->unit[c].x;
        p->n_by_value[l] += (double)p->unit[c].n;
        for (size_t k = 0; k < n; k++)
            p->by_value[l * n + k] += p->sum[c * n + k];
    }
    for (size_t k = 0; k < n; k++)
        t[k] = 0;
    for (size_t l = 0; l < n_classes; l++)
        for (size_t k = 0; k < n && p->n_by_value[l] > 0; k++)
            t[k] += p->by_value[l * n + k] * p->by_value[l * n + k] / p->n_by_value[l];
    for (size_t k = 0; k < n; k++)
        t[k] = p->square[k] > 0 ? t[k] / p->square[k] : 0;
}

/* (2); the sum of y over a stratum is 0, so x need not be centred there. */
static void compare_numbers(const permutations *p, double *t)
{
    const size_t n = p->n_topics;
    double *mean = p->n_by_value, *n_docs = p->n_by_value + p->n_strata, spread = 0;
    memset(mean, 0, 2 * p->n_strata * sizeof *mean);
    for (uint64_t c = 0; c < p->n_units; c++) {
        mean[p->unit[c].stratum] += (double)p->unit[c].n * p->unit[c].x;
        n_docs[p->unit[c].stratum] += (double)p->unit[c].n;
    }
    for (size_t k = 0; k < n; k++)
        t[k] = 0;
    for (uint64_t c = 0; c < p->n_units; c++) {
        const unit *u = &p->unit[c];
        const double x = u->x - mean[u->stratum] / n_docs[u->stratum];
        spread += (double)u->n * x * x;
        for (size_t k = 0; k < n; k++)
            t[k] += x * p->sum[c * n + k];
    }
    for (size_t k = 0; k < n; k++)
        t[k] = p->square[k] > 0 && spread > 0 ? t[k] * t[k] / (spread * p->square[k]) : 0;
}

static int by_stratum(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    return by_value(x, y);
}

/* All values, as they are and shuffled among the units of each stratum. */
static gb_status shuffle(permutations *p, gb_error *err)
{
    gb_status st;
    numbered *order = NULL;
    const bool is_number = p->field.numbers != NULL || p->field.of_class != NULL;
    const size_t n_values = is_number ? 2 * p->n_strata : p->field.labels->classes.count;
    const gb_key key = gb_key_make(gb_asked_count(p->asked, "seed", 1), 0);
    GB_TRY(gb_alloc(&order, p->n_units, sizeof *order, what, err));
    GB_TRY(gb_alloc(&p->t, 1 + N_SHUFFLES, p->n_topics * sizeof *p->t, what, err));
    GB_TRY(gb_alloc(&p->n_by_value, n_values, sizeof *p->n_by_value, what, err));
    GB_TRY(gb_alloc(&p->by_value, is_number ? 0 : n_values, p->n_topics * sizeof *p->by_value, what, err));
    for (uint64_t c = 0; c < p->n_units; c++)
        order[c] = (numbered){(double)p->unit[c].stratum, c};
    qsort(order, p->n_units, sizeof *order, by_stratum);
    for (uint32_t s = 0; s <= N_SHUFFLES; s++) {
        gb_random random = gb_random_open(key, s, GB_DRAW_PERMUTATION, 0);
        for (uint64_t first = 0, c = 0; c < p->n_units && s > 0; c++) {
            first = order[c].value != order[first].value ? c : first;
            unit *a = &p->unit[order[c].at], *b = &p->unit[order[first + gb_random_below(&random, c - first + 1)].at];
            const double x = a->x;
            a->x = b->x;
            b->x = x;
        }
        (is_number ? compare_numbers : compare_classes)(p, p->t + s * p->n_topics);
    }
done:
    gb_free(order);
    return st;
}

/* ---- the table ---- */

typedef struct result {
    size_t topic; /* among those listed */
    double explained, by_chance, sd, p, p_any;
} result;

static result compare(const permutations *p, size_t topic)
{
    result r = {.topic = topic, .explained = p->t[topic]};
    double squares = 0;
    size_t n_as_much = 1;
    for (size_t s = 1; s <= N_SHUFFLES; s++) {
        const double t = p->t[s * p->n_topics + topic];
        r.by_chance += t / N_SHUFFLES;
        squares += t * t / N_SHUFFLES;
        n_as_much += t >= r.explained * (1 - 1e-12);
    }
    r.sd = sqrt(fmax(squares - r.by_chance * r.by_chance, 0));
    r.p = (double)n_as_much / (1 + N_SHUFFLES);
    return r;
}

static double standing_out(const result *r, double t)
{
    return r->sd > 0 ? (t - r->by_chance) / r->sd : 0;
}

/* Shuffles in which the topic that stands out most does so as much. */
static void compare_with_any(const permutations *p, result *r)
{
    for (size_t k = 0; k < p->n_topics; k++)
        r[k].p_any = 1;
    for (size_t s = 1; s <= N_SHUFFLES; s++) {
        double most = -INFINITY;
        for (size_t k = 0; k < p->n_topics; k++)
            most = fmax(most, standing_out(&r[k], p->t[s * p->n_topics + k]));
        for (size_t k = 0; k < p->n_topics; k++)
            r[k].p_any += most >= standing_out(&r[k], r[k].explained) - 1e-9;
    }
    for (size_t k = 0; k < p->n_topics; k++)
        r[k].p_any /= 1 + N_SHUFFLES;
}

static int clearest_first(const void *a, const void *b)
{
    const result *x = a, *y = b;
    if (x->p != y->p)
        return x->p < y->p ? -1 : 1;
    const double zx = standing_out(x, x->explained), zy = standing_out(y, y->explained);
    return zx != zy ? (zx > zy ? -1 : 1) : (x->topic > y->topic) - (x->topic < y->topic);
}

static gb_status put_rows(const permutations *p, gb_table *table, gb_error *err)
{
    result *r = NULL;
    const gb_status st = gb_alloc(&r, p->n_topics, sizeof *r, what, err);
    if (st != GB_OK)
        return st;
    for (size_t k = 0; k < p->n_topics; k++)
        r[k] = compare(p, k);
    compare_with_any(p, r);
    qsort(r, p->n_topics, sizeof *r, clearest_first);
    for (size_t i = 0; i < p->n_topics; i++) {
        const size_t k = p->topic[r[i].topic];
        gb_table_begin_row(table, NAN);
        gb_put_text(table, TOPIC, p->labels.title[k]);
        gb_put_text(table, NAME, gb_topic_label_name(&p->labels, k));
        gb_put_real(table, EXPLAINED, r[i].explained);
        gb_put_real(table, BY_CHANCE, r[i].by_chance);
        gb_put_real(table, P, r[i].p);
        gb_put_real(table, P_ANY, r[i].p_any);
        gb_put_text(table, TOPIC_WORDS, p->labels.words[k]);
    }
    gb_free(r);
    return GB_OK;
}

static void add_notes(const permutations *p, gb_table *table)
{
    const uint64_t n_all = gb_corpus_n_docs(p->docs);
    gb_table_add_note(table, GB_NOTE_REMARK,
                      "%s is shuffled %d times among %" PRIu64 " %s%s%s; topic shares are those by words alone",
                      p->field.name, N_SHUFFLES, p->n_units, *p->cluster.name == '\0' ? "documents" : "values of ",
                      p->cluster.name, p->n_strata > 1 ? ", within those of the same stratum" : "");
    if (p->n_docs < n_all)
        gb_table_add_note(table, GB_NOTE_REMARK,
                          "%" PRIu64 " of %" PRIu64 " documents are left out: no words, or no value of a field",
                          n_all - p->n_docs, n_all);
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    gb_status st;
    const gb_subject *s = asked->subject;
    permutations p = {.asked = asked, .docs = s->documents};
    bool is_used[N_COLUMNS];
    if (*gb_asked_text(asked, "permute") == '\0')
        return gb_fail(err, GB_EARGUMENT, "which field is to be shuffled?  Expected `permute`");
    GB_TRY(find_field(&p, "permute", &p.field, err));
    GB_TRY(find_numbers(&p, &p.field, err));
    GB_TRY(find_field(&p, "within", &p.within, err));
    GB_TRY(find_field(&p, "whole", &p.cluster, err));
    GB_TRY(gb_topic_labels_make(&p.labels, asked, s->model, 0, true, WORDS, err));
    memset(is_used, true, sizeof is_used);
    is_used[NAME] = gb_topic_labels_have_names(&p.labels);
    gb_table_add_all(table, N_COLUMNS, columns, is_used);
    GB_TRY(choose_documents(&p, err));
    if (p.n_docs == 0) {
        st = gb_fail(err, GB_EARGUMENT, "`permute`: no document has words and a value of %s%s", p.field.name,
                     *p.within.name == '\0' && *p.cluster.name == '\0' ? "" : " and the other fields");
        goto done;
    }
    GB_TRY(make_units(&p, err));
    GB_TRY(find_shares(&p, err));
    GB_TRY(shuffle(&p, err));
    GB_TRY(put_rows(&p, table, err));
    add_notes(&p, table);
    gb_note_topics(table, s->model);
done:
    clear(&p);
    return st;
}

const gb_question_row gb_question_prevalence_permutations = {
    {"prevalence-permutations", "which topics depend on a field more than on a shuffled one",
     GB_NEEDS_MODEL | GB_NEEDS_DOCUMENTS,
     GB_TOPIC_LABEL_OPTIONS " permute within whole infer-sweeps infer-burn-in seed threads"},
    answer};
