/* folds/fold_by.c - folds by chance, alike in their labels, of whole groups, or one after the other in time. */
#include "folds/fold_by.h"

#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/subset.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- the option ------------------------------------------------------------------------------------ */

gb_status gb_fold_by_read(const gb_settings *settings, gb_fold_by *out, gb_error *err)
{
    static const struct {
        const char *name;
        gb_fold_kind kind;
        bool may_name, must_name; /* a field */
    } row[] = {{"auto", GB_FOLDS_RANDOM, false, false},
               {"random", GB_FOLDS_RANDOM, false, false},
               {"label", GB_FOLDS_LABEL, true, false},
               {"group", GB_FOLDS_GROUP, true, true},
               {"time", GB_FOLDS_TIME, true, true}};
    const char *text = gb_settings_text(settings, "fold-by");
    const size_t length = strcspn(text, ":");
    const bool names = text[length] == ':' && text[length + 1] != '\0';
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (strlen(row[i].name) != length || memcmp(row[i].name, text, length) != 0 || (names && !row[i].may_name) ||
            (!names && (row[i].must_name || text[length] == ':')))
            continue;
        *out = (gb_fold_by){row[i].kind, names ? text + length + 1 : ""};
        return GB_OK;
    }
    char shown[GB_QUOTE_SIZE];
    gb_text_quote(text, strlen(text), shown);
    return gb_fail(err, GB_EARGUMENT,
                   "`fold-by` must be auto, random, label, label:FIELD, group:FIELD or time:FIELD, not %s", shown);
}

/* ---- values of documents by which they are ordered ------------------------------------------------- */

/* A document on its way into a fold. */
typedef struct entry {
    double value;  /* NaN: it has none */
    uint32_t rank; /* in a random order of all documents */
    uint32_t doc;
} entry;

static bool is_stratum(gb_role role, bool several)
{
    return role == GB_ROLE_RESPONSE && !several;
}

/* The field with that name, or without one the first that can tell strata; both NULL if there is none. */
static void find_field(const gb_corpus *corpus, const char *name, const gb_labels **labels,
                       const gb_numbers **numbers)
{
    *labels = NULL;
    *numbers = NULL;
    for (size_t i = corpus->n_numbers; i-- > 0;)
        if (*name == '\0' ? is_stratum(corpus->numbers[i].role, false) : strcmp(corpus->numbers[i].name, name) == 0)
            *numbers = &corpus->numbers[i];
    for (size_t i = corpus->n_labels; i-- > 0;)
        if (*name == '\0' ? is_stratum(corpus->labels[i].role, corpus->labels[i].several)
                          : strcmp(corpus->labels[i].name, name) == 0)
            *labels = &corpus->labels[i];
}

bool gb_can_stratify(const gb_corpus *corpus)
{
    const gb_labels *labels;
    const gb_numbers *numbers;
    find_field(corpus, "", &labels, &numbers);
    return labels != NULL || numbers != NULL;
}

/* Names of classes that are all numbers are ordered as numbers; others, such as dates, by their letters.
 * @param value  receives one for each class */
static gb_status value_classes(const gb_labels *field, double *value, gb_error *err)
{
    gb_status st = GB_OK;
    bool are_numbers = true;
    for (uint32_t c = 0; c < field->classes.count && are_numbers && st == GB_OK; c++) {
        char *name = NULL;
        st = gb_texts_copy(&field->classes, c, &name, err);
        are_numbers = st == GB_OK && gb_text_to_real(name, &value[c]) == GB_NUMBER_OK;
        gb_free(name);
    }
    for (uint32_t c = 0; c < field->classes.count && !are_numbers; c++)
        value[c] = c;
    return st;
}

static gb_status take_classes(const gb_labels *field, uint64_t n_docs, entry *out, gb_error *err)
{
    gb_status st;
    double *value = NULL;
    GB_TRY(gb_alloc(&value, field->classes.count, sizeof *value, "the folds", err));
    GB_TRY(value_classes(field, value, err));
    for (uint64_t d = 0; d < n_docs; d++) {
        const uint64_t first = field->doc_start[d];
        out[d].value = field->doc_start[d + 1] > first ? value[field->class_of[first]] : (double)NAN;
    }
done:
    gb_free(value);
    return st;
}

static gb_status no_field(const gb_corpus *corpus, const gb_fold_by *by, gb_error *err)
{
    if (*by->field == '\0')
        return gb_fail(err, GB_EARGUMENT,
                       "`fold-by` label needs a field with one class or a number per document to predict");
    return gb_fail(err, GB_EFORMAT, "%s: no field \"%s\" for `fold-by`", gb_corpus_path(corpus), by->field);
}

static gb_status take_values(const gb_corpus *corpus, const gb_fold_by *by, entry *out, bool *are_numbers,
                             gb_error *err)
{
    const gb_labels *labels;
    const gb_numbers *numbers;
    find_field(corpus, by->field, &labels, &numbers);
    *are_numbers = labels == NULL;
    if (labels == NULL && numbers == NULL)
        return no_field(corpus, by, err);
    if (labels != NULL && labels->several)
        return gb_fail(err, GB_EARGUMENT, "`fold-by`: documents have several values in field \"%s\", not one",
                       labels->name);
    for (uint64_t d = 0; numbers != NULL && labels == NULL && d < corpus->n_docs; d++)
        out[d].value = numbers->value[d];
    return labels == NULL ? GB_OK : take_classes(labels, corpus->n_docs, out, err);
}

/* Documents without a value come last. */
static int by_value(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (isnan(x->value) || isnan(y->value)) {
        if (isnan(x->value) != isnan(y->value))
            return isnan(x->value) ? 1 : -1;
    } else if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static int by_rank(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static bool same_value(const entry *x, const entry *y)
{
    return x->value == y->value;
}

/* ---- dealing --------------------------------------------------------------------------------------- */

/* Along the order of values: classes are dealt out in turn.  Of numbers, as many neighbours as there are folds go to one fold each, by
 * chance, or the first fold would always get the smallest of them. */
static void deal_strata(entry *doc, uint64_t n_docs, bool are_numbers, size_t n_folds, uint32_t *fold)
{
    for (uint64_t i = 0; are_numbers && i < n_docs; i += n_folds)
        qsort(doc + i, n_docs - i < n_folds ? n_docs - i : n_folds, sizeof *doc, by_rank);
    for (uint64_t i = 0; i < n_docs; i++)
        fold[doc[i].doc] = (uint32_t)(i % n_folds);
}

/* Documents with the same value: entries first .. first + n - 1. */
typedef struct run {
    uint64_t first, n;
    uint32_t rank; /* of its first document in the random order */
} run;

static int larger_first(const void *a, const void *b)
{
    const run *x = a, *y = b;
    if (x->n != y->n)
        return x->n > y->n ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* A document without a value is a run of its own. */
static size_t find_runs(const entry *doc, uint64_t n_docs, run *out)
{
    size_t n = 0;
    for (uint64_t i = 0; i < n_docs; i++)
        if (i > 0 && same_value(&doc[i - 1], &doc[i]))
            out[n - 1].n++;
        else
            out[n++] = (run){i, 1, doc[i].rank};
    return n;
}

static gb_status too_few(const gb_corpus *corpus, const gb_fold_by *by, size_t n, size_t needed, gb_error *err)
{
    return gb_fail(err, GB_EARGUMENT, "%s: field \"%s\" has %zu value%s; these folds need %zu or more",
                   gb_corpus_path(corpus), by->field, n, n == 1 ? "" : "s", needed);
}

/* The largest groups first, each to the fold with the fewest documents so far. */
static void deal_groups(const entry *doc, run *group, size_t n_groups, size_t n_folds, uint64_t *size, uint32_t *fold)
{
    qsort(group, n_groups, sizeof *group, larger_first);
    for (size_t g = 0; g < n_groups; g++) {
        size_t least = 0;
        for (size_t f = 1; f < n_folds; f++)
            least = size[f] < size[least] ? f : least;
        size[least] += group[g].n;
        for (uint64_t i = 0; i < group[g].n; i++)
            fold[doc[group[g].first + i].doc] = (uint32_t)least;
    }
}

/* Fold 0 and n_folds more, each of some times that follow each other, about as many documents in each, none empty. */
static void deal_times(const entry *doc, const run *time, size_t n_times, uint64_t n_docs, size_t n_folds,
                       uint32_t *fold)
{
    size_t at = 0;
    for (size_t t = 0; t < n_times; t++) {
        const bool is_due = time[t].first * (n_folds + 1) / n_docs > at, is_last_chance = n_times - t <= n_folds - at;
        at += t > 0 && at < n_folds && (is_due || is_last_chance);
        for (uint64_t i = 0; i < time[t].n; i++)
            fold[doc[time[t].first + i].doc] = (uint32_t)at;
    }
}

static gb_status check_times(const gb_corpus *corpus, const gb_fold_by *by, const entry *doc, gb_error *err)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < corpus->n_docs; i++)
        n += isnan(doc[i].value) ? 1 : 0;
    if (n == 0)
        return GB_OK;
    return gb_fail(err, GB_EFORMAT, "%s: %" PRIu64 " document%s no value in field \"%s\", which `fold-by` needs",
                   gb_corpus_path(corpus), n, n == 1 ? " has" : "s have", by->field);
}

static gb_status deal_runs(const gb_corpus *corpus, const gb_fold_by *by, const entry *doc, size_t n_folds,
                           uint32_t *fold, gb_error *err)
{
    gb_status st;
    run *runs = NULL;
    uint64_t *size = NULL;
    const bool is_time = by->kind == GB_FOLDS_TIME;
    GB_TRY(gb_alloc(&runs, corpus->n_docs, sizeof *runs, "the folds", err));
    GB_TRY(gb_alloc(&size, n_folds, sizeof *size, "the folds", err));
    const size_t n_runs = find_runs(doc, corpus->n_docs, runs), needed = n_folds + is_time;
    if (is_time)
        GB_TRY(check_times(corpus, by, doc, err));
    if (n_runs < needed)
        st = too_few(corpus, by, n_runs, needed, err);
    else if (is_time)
        deal_times(doc, runs, n_runs, corpus->n_docs, n_folds, fold);
    else
        deal_groups(doc, runs, n_runs, n_folds, size, fold);
done:
    gb_free(runs);
    gb_free(size);
    return st;
}

gb_status gb_deal_documents(const gb_corpus *corpus, const gb_fold_by *by, size_t n_folds, uint64_t seed,
                            uint32_t *fold, gb_error *err)
{
    gb_status st;
    entry *doc = NULL;
    bool are_numbers = false;
    if (by->kind == GB_FOLDS_RANDOM)
        return gb_corpus_deal_folds(corpus->n_docs, n_folds, seed, fold, err);
    GB_TRY(gb_alloc(&doc, corpus->n_docs, sizeof *doc, "the folds", err));
    GB_TRY(gb_corpus_deal_folds(corpus->n_docs, corpus->n_docs, seed, fold, err)); /* one each: a random order */
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        doc[d] = (entry){.rank = fold[d], .doc = (uint32_t)d};
    GB_TRY(take_values(corpus, by, doc, &are_numbers, err));
    qsort(doc, corpus->n_docs, sizeof *doc, by_value);
    if (by->kind == GB_FOLDS_LABEL)
        deal_strata(doc, corpus->n_docs, are_numbers, n_folds, fold);
    else
        GB_TRY(deal_runs(corpus, by, doc, n_folds, fold, err));
done:
    gb_free(doc);
    return st;
}

gb_status gb_number_groups(const gb_corpus *corpus, const gb_fold_by *by, uint64_t *group, gb_error *err)
{
    gb_status st;
    entry *doc = NULL;
    bool are_numbers;
    uint64_t n = 0;
    GB_TRY(gb_alloc(&doc, corpus->n_docs, sizeof *doc, "the folds", err));
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        doc[d] = (entry){.rank = (uint32_t)d, .doc = (uint32_t)d};
    GB_TRY(take_values(corpus, by, doc, &are_numbers, err));
    qsort(doc, corpus->n_docs, sizeof *doc, by_value);
    for (uint64_t i = 0; i < corpus->n_docs; i++) {
        n += i > 0 && !same_value(&doc[i - 1], &doc[i]);
        group[doc[i].doc] = n;
    }
done:
    gb_free(doc);
    return st;
}
