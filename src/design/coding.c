/* design/coding.c - a coding made from training documents, and what can be asked of it. */
#include "design/coding.h"

#include "base/memory.h"
#include "corpus/data/texts.h"
#include "design/coding_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *gb_covariate_kind_name(gb_covariate_kind kind)
{
    static const char *const names[] = {"number", "factor", "list"};
    return names[kind];
}

/* ---- numbers ---- */

/* The scale stays 0 if the numbers do not vary.  Sums are of v / 2^e with all |v| < 2^e: in range whatever the numbers are, and nothing is rounded by it. */
static void measure_numbers(const gb_numbers *numbers, uint64_t n_docs, bool standardise, gb_coding_field *field)
{
    double low = INFINITY, high = -INFINITY, sum = 0, square = 0, n = 0;
    for (uint64_t d = 0; d < n_docs; d++) {
        if (isnan(numbers->value[d]))
            continue;
        low = fmin(low, numbers->value[d]);
        high = fmax(high, numbers->value[d]);
        n++;
    }
    field->low = field->high = (double)NAN;
    if (n == 0)
        return; /* the scale stays 0 */
    field->low = low;
    field->high = high;
    int e;
    (void)frexp(fmax(fabs(low), fabs(high)), &e);
    for (uint64_t d = 0; d < n_docs; d++)
        sum += isnan(numbers->value[d]) ? 0 : ldexp(numbers->value[d], -e);
    for (uint64_t d = 0; d < n_docs; d++) {
        const double deviation = isnan(numbers->value[d]) ? 0 : ldexp(numbers->value[d], -e) - sum / n;
        square += deviation * deviation;
    }
    const double sd = ldexp(sqrt(square / n), e);
    field->mean = ldexp(sum / n, e);
    field->centre = standardise ? field->mean : 0;
    if (low < high && sd > 0)
        field->scale = standardise ? sd : 1;
}

/* ---- levels ---- */

static gb_status count_levels(const gb_labels *labels, uint64_t n_docs, uint64_t **out, gb_error *err)
{
    gb_status st = gb_alloc(out, labels->classes.count, sizeof **out, "levels of a covariate", err);
    if (st != GB_OK)
        return st;
    for (uint64_t i = labels->doc_start[0]; i < labels->doc_start[n_docs]; i++)
        (*out)[labels->class_of[i]]++;
    return GB_OK;
}

static gb_status add_level(gb_level_list *list, const gb_texts *classes, uint64_t class, gb_error *err)
{
    return gb_texts_copy(classes, class, &list->name[list->count++], err);
}

static bool is_called_rare(const gb_texts *classes, uint64_t class)
{
    const char *text = classes->bytes + classes->start[class];
    return gb_text_compare(text, (size_t)(classes->start[class + 1] - classes->start[class]), GB_RARE_LEVEL,
                           strlen(GB_RARE_LEVEL)) == 0;
}

/* What is known of the levels of a field while they are told apart. */
typedef struct level_counts {
    const gb_labels *labels;
    uint64_t n_docs, fewest; /* levels of fewer documents are rare */
    uint64_t *count;         /* documents of each level */
    bool any_rare;
} level_counts;

/* A level of the data that is called "(rare)" joins the rare ones, if there are any. */
static bool is_rare(const level_counts *l, uint64_t class)
{
    return l->count[class] < l->fewest || (l->any_rare && is_called_rare(&l->labels->classes, class));
}

static bool has_rare_level(const level_counts *l, uint64_t doc)
{
    for (uint64_t i = l->labels->doc_start[doc]; i < l->labels->doc_start[doc + 1]; i++)
        if (is_rare(l, l->labels->class_of[i]))
            return true;
    return false;
}

/* The column of the rare levels would be 1 in all documents. */
static bool all_have_rare_levels(const level_counts *l)
{
    for (uint64_t d = 0; d < l->n_docs; d++)
        if (!has_rare_level(l, d))
            return false;
    return true;
}

static gb_status split_levels(const level_counts *l, gb_coding_field *field, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_texts *classes = &l->labels->classes;
    gb_level_list *const rare = all_have_rare_levels(l) ? &field->constant : &field->rare;
    GB_TRY(gb_alloc(&field->levels.name, classes->count, sizeof(char *), "levels of a covariate", err));
    GB_TRY(gb_alloc(&field->rare.name, classes->count, sizeof(char *), "levels of a covariate", err));
    GB_TRY(gb_alloc(&field->constant.name, classes->count, sizeof(char *), "levels of a covariate", err));
    for (uint64_t i = 0; i < classes->count; i++) {
        gb_level_list *list = is_rare(l, i) ? rare : l->count[i] == l->n_docs ? &field->constant : &field->levels;
        if (l->count[i] > 0)
            GB_TRY(add_level(list, classes, i, err));
    }
done:
    return st;
}

static gb_status measure_levels(const gb_labels *labels, uint64_t n_docs, uint64_t fewest, gb_coding_field *field,
                                gb_error *err)
{
    gb_status st;
    level_counts l = {.labels = labels, .n_docs = n_docs, .fewest = fewest};
    GB_TRY(count_levels(labels, n_docs, &l.count, err));
    for (uint64_t i = 0; i < labels->classes.count; i++)
        l.any_rare |= l.count[i] > 0 && l.count[i] < l.fewest;
    st = split_levels(&l, field, err);
done:
    gb_free(l.count);
    return st;
}

/* ---- columns ---- */

static gb_status name_level_column(const gb_coding_field *field, const char *level, char **out, gb_error *err)
{
    const size_t size = strlen(field->name) + 1 + strlen(level) + 1;
    gb_status st = gb_alloc(out, size, 1, "names of covariates", err);
    if (st == GB_OK)
        (void)snprintf(*out, size, "%s=%s", field->name, level);
    return st;
}

static gb_status name_columns(const gb_coding *coding, const gb_coding_field *field, gb_error *err)
{
    gb_status st = GB_OK;
    char **name = GB_FROM(coding->column_name, field->first_column);
    if (field->kind == GB_COVARIATE_NUMBER)
        return field->n_columns == 0 ? GB_OK : gb_copy_text(name, field->name, strlen(field->name), err);
    for (size_t i = 0; i < field->levels.count; i++)
        GB_TRY(name_level_column(field, field->levels.name[i], name++, err));
    if (field->rare.count > 0)
        GB_TRY(name_level_column(field, GB_RARE_LEVEL, name, err));
done:
    return st;
}

static gb_status write_fields(gb_coding *coding, gb_error *err)
{
    size_t size = 1, at = 0;
    for (size_t i = 0; i < coding->n_fields; i++)
        size += strlen(coding->field[i].name) + strlen(",:number");
    gb_status st = gb_alloc(&coding->fields, size, 1, "names of covariates", err);
    for (size_t i = 0; st == GB_OK && i < coding->n_fields; i++)
        at += (size_t)snprintf(coding->fields + at, size - at, "%s%s:%s", i == 0 ? "" : ",", coding->field[i].name,
                               gb_covariate_kind_name(coding->field[i].kind));
    return st;
}

gb_status gb_coding_finish(gb_coding *coding, gb_error *err)
{
    gb_status st;
    for (size_t i = 0; i < coding->n_fields; i++) {
        gb_coding_field *field = &coding->field[i];
        field->first_column = coding->n_columns;
        field->n_columns = field->kind == GB_COVARIATE_NUMBER ? (field->scale > 0 ? 1 : 0)
                                                              : field->levels.count + (field->rare.count > 0 ? 1 : 0);
        coding->n_columns += field->n_columns;
    }
    const size_t n_embedding = coding->embedding.n, n_named = coding->n_columns + n_embedding;
    if (n_named + coding->words.n > UINT32_MAX)
        return gb_fail(err, GB_EFORMAT, "covariates have %zu levels, more than %lu", coding->n_columns,
                       (unsigned long)UINT32_MAX);
    coding->word_field = (gb_coding_field){
        .kind = GB_COVARIATE_LIST, .scale = 1, .first_column = n_named, .n_columns = coding->words.n};
    GB_TRY(gb_alloc(&coding->column_name, n_named, sizeof(char *), "names of covariates", err));
    for (size_t i = 0; i < coding->n_fields; i++)
        GB_TRY(name_columns(coding, &coding->field[i], err));
    for (size_t j = 0; j < n_embedding; j++) {
        char name[32];
        const int length = snprintf(name, sizeof name, "embedding[%zu]", j);
        GB_TRY(gb_copy_text(&coding->column_name[coding->n_columns + j], name, (size_t)length, err));
    }
    GB_TRY(write_fields(coding, err));
done:
    return st;
}

/* ---- the coding ---- */

static gb_status add_field(gb_coding *coding, const char *name, gb_covariate_kind kind, gb_coding_field **out,
                           gb_error *err)
{
    gb_coding_field *field = *out = &coding->field[coding->n_fields++];
    field->kind = kind;
    field->scale = kind == GB_COVARIATE_NUMBER ? 0 : 1;
    return gb_copy_text(&field->name, name, strlen(name), err);
}

static gb_status learn_words(gb_coding *coding, const gb_corpus *corpus, const gb_settings *settings, gb_error *err)
{
    gb_status st;
    const gb_word_value value = gb_word_value_find(gb_settings_text(settings, "word-effects"));
    if (value == GB_N_WORD_VALUES)
        return GB_OK;
    coding->words.value = value;
    GB_TRY(gb_word_weights(corpus, value, gb_settings_idf_power(settings), &coding->words.weight, err));
    GB_TRY(gb_alloc(&coding->words.mean, corpus->n_words, sizeof(double), "weights of words", err));
    coding->words.n = (size_t)corpus->n_words;
done:
    return st;
}

/* Sums are of single-precision numbers, which are in range; a missing row counts for nothing. */
static gb_status learn_embedding(gb_coding *coding, const gb_corpus *corpus, const gb_settings *settings,
                                 gb_error *err)
{
    gb_status st;
    const size_t n = corpus->embedding.width;
    const float *value = corpus->embedding.value;
    double n_docs = 0, *mean, *sd;
    if (n == 0 || gb_settings_are(settings, "embeddings", "none"))
        return GB_OK;
    GB_TRY(gb_alloc(&coding->embedding.mean, n, sizeof(double), "embeddings", err));
    GB_TRY(gb_alloc(&coding->embedding.sd, n, sizeof(double), "embeddings", err));
    coding->embedding.n = n;
    mean = coding->embedding.mean;
    sd = coding->embedding.sd;
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        n_docs += !isnan(value[d * n]);
        for (size_t j = 0; j < n && !isnan(value[d * n]); j++)
            mean[j] += value[d * n + j];
    }
    if (n_docs == 0)
        return gb_fail(err, GB_EFORMAT, "%s: no document has an embedding", gb_corpus_path(corpus));
    for (size_t j = 0; j < n; j++)
        mean[j] /= n_docs;
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        for (size_t j = 0; j < n && !isnan(value[d * n]); j++)
            sd[j] += (value[d * n + j] - mean[j]) * (value[d * n + j] - mean[j]);
    for (size_t j = 0; j < n; j++) {
        sd[j] = sqrt(sd[j] / n_docs);
        if (sd[j] < 1e-6 * fabs(mean[j])) /* the rounding of one number */
            sd[j] = 0;
    }
done:
    return st;
}

static gb_status add_numbers(gb_coding *coding, const gb_corpus *corpus, const gb_numbers *numbers, bool standardise,
                             gb_error *err)
{
    gb_coding_field *field;
    const gb_status st = add_field(coding, numbers->name, GB_COVARIATE_NUMBER, &field, err);
    if (st == GB_OK)
        measure_numbers(numbers, corpus->n_docs, standardise, field);
    return st;
}

static gb_status add_labels(gb_coding *coding, const gb_corpus *corpus, const gb_labels *labels, uint64_t fewest,
                            gb_coding_field **field, gb_error *err)
{
    const gb_covariate_kind kind = labels->several ? GB_COVARIATE_LIST : GB_COVARIATE_FACTOR;
    const gb_status st = add_field(coding, labels->name, kind, field, err);
    return st == GB_OK ? measure_levels(labels, corpus->n_docs, fewest, *field, err) : st;
}

gb_status gb_coding_make(const gb_corpus *corpus, const gb_settings *settings, bool standardise, gb_coding **out,
                         gb_error *err)
{
    gb_status st;
    gb_coding *coding = NULL;
    gb_coding_field *field;
    const uint64_t fewest = (uint64_t)gb_settings_int(settings, "min-level-count");
    GB_TRY(gb_alloc(&coding, 1, sizeof *coding, "covariates", err));
    GB_TRY(gb_alloc(&coding->field, corpus->n_numbers + corpus->n_labels, sizeof *coding->field, "covariates", err));
    coding->impute_mean = gb_settings_are(settings, "impute", "mean");
    for (size_t i = 0; i < corpus->n_numbers; i++)
        if (corpus->numbers[i].role == GB_ROLE_COVARIATE)
            GB_TRY(add_numbers(coding, corpus, &corpus->numbers[i], standardise, err));
    for (size_t i = 0; i < corpus->n_labels; i++)
        if (corpus->labels[i].role == GB_ROLE_COVARIATE)
            GB_TRY(add_labels(coding, corpus, &corpus->labels[i], fewest, &field, err));
    GB_TRY(learn_embedding(coding, corpus, settings, err));
    GB_TRY(learn_words(coding, corpus, settings, err));
    GB_TRY(gb_coding_finish(coding, err));
    *out = coding;
    return GB_OK;
done:
    gb_coding_free(coding);
    return st;
}

static gb_status add_named(gb_coding *coding, const gb_corpus *corpus, const gb_coded_field *wanted, uint64_t fewest,
                           gb_error *err)
{
    for (size_t i = 0; i < corpus->n_numbers; i++)
        if (strcmp(corpus->numbers[i].name, wanted->name) == 0)
            return add_numbers(coding, corpus, &corpus->numbers[i], true, err);
    for (size_t i = 0; i < corpus->n_labels; i++) {
        gb_coding_field *field;
        if (strcmp(corpus->labels[i].name, wanted->name) != 0)
            continue;
        const gb_status st =
            add_labels(coding, corpus, &corpus->labels[i], wanted->takes_new_levels ? 1 : fewest, &field, err);
        field->takes_new_levels = wanted->takes_new_levels;
        return st;
    }
    return gb_fail(err, GB_EFORMAT, "%s: no field \"%s\"", gb_corpus_path(corpus), wanted->name);
}

gb_status gb_coding_make_of(const gb_corpus *corpus, const gb_settings *settings, size_t n_fields,
                            const gb_coded_field *field, gb_coding **out, gb_error *err)
{
    gb_status st;
    gb_coding *coding = NULL;
    const uint64_t fewest = (uint64_t)gb_settings_int(settings, "min-level-count");
    GB_TRY(gb_alloc(&coding, 1, sizeof *coding, "covariates", err));
    GB_TRY(gb_alloc(&coding->field, n_fields, sizeof *coding->field, "covariates", err));
    coding->impute_mean = gb_settings_are(settings, "impute", "mean");
    for (size_t i = 0; i < n_fields; i++)
        GB_TRY(add_named(coding, corpus, &field[i], fewest, err));
    GB_TRY(gb_coding_finish(coding, err));
    *out = coding;
    return GB_OK;
done:
    gb_coding_free(coding);
    return st;
}

static void free_levels(gb_level_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        gb_free(list->name[i]);
    gb_free(list->name);
}

void gb_coding_free(gb_coding *coding)
{
    if (coding == NULL)
        return;
    for (size_t i = 0; i < coding->n_fields; i++) {
        gb_free(coding->field[i].name);
        free_levels(&coding->field[i].levels);
        free_levels(&coding->field[i].rare);
        free_levels(&coding->field[i].constant);
    }
    for (size_t j = 0; j < coding->n_columns + coding->embedding.n && coding->column_name != NULL; j++)
        gb_free(coding->column_name[j]);
    gb_free(coding->column_name);
    gb_free(coding->column_mean);
    gb_free(coding->embedding.mean);
    gb_free(coding->embedding.sd);
    gb_arrays_free(gb_coding_list, coding);
    gb_free(coding->field);
    gb_free(coding->fields);
    gb_free(coding);
}

size_t gb_coding_n_columns(const gb_coding *coding)
{
    return coding->n_columns + coding->embedding.n + coding->words.n;
}

const gb_embedding_coding *gb_coding_embedding(const gb_coding *coding)
{
    return &coding->embedding;
}

const gb_word_coding *gb_coding_words(const gb_coding *coding)
{
    return &coding->words;
}

const char *gb_coding_column_name(const gb_coding *coding, size_t column)
{
    return column < coding->n_columns + coding->embedding.n ? coding->column_name[column] : NULL;
}

/* Which number of the embedding a column is; SIZE_MAX: none. */
static size_t number_of_embedding(const gb_coding *coding, size_t column)
{
    return column >= coding->n_columns && column - coding->n_columns < coding->embedding.n
               ? column - coding->n_columns
               : SIZE_MAX;
}

static const gb_coding_field *field_of(const gb_coding *coding, size_t column)
{
    size_t i = 0;
    if (column >= coding->n_columns)
        return &coding->word_field;
    while (column >= coding->field[i].first_column + coding->field[i].n_columns)
        i++;
    return &coding->field[i];
}

double gb_coding_column_centre(const gb_coding *coding, size_t column)
{
    const size_t j = number_of_embedding(coding, column);
    return j == SIZE_MAX ? field_of(coding, column)->centre : coding->embedding.mean[j];
}

double gb_coding_column_scale(const gb_coding *coding, size_t column)
{
    const size_t j = number_of_embedding(coding, column);
    if (j == SIZE_MAX)
        return field_of(coding, column)->scale;
    return coding->embedding.sd[j] > 0 ? coding->embedding.sd[j] : 1;
}

static gb_columns columns_of(const gb_coding_field *field)
{
    return (gb_columns){.kind = field->kind == GB_COVARIATE_NUMBER   ? GB_COLUMNS_NUMBER
                                : field->kind == GB_COVARIATE_FACTOR ? GB_COLUMNS_FACTOR
                                                                     : GB_COLUMNS_LIST,
                        .first = field->first_column,
                        .n = field->n_columns};
}

gb_columns gb_coding_columns_of(const gb_coding *coding, size_t column)
{
    if (number_of_embedding(coding, column) != SIZE_MAX)
        return (gb_columns){.kind = GB_COLUMNS_NUMBER, .first = column, .n = 1};
    return columns_of(field_of(coding, column));
}

gb_columns gb_coding_field_columns(const gb_coding *coding, size_t field)
{
    return columns_of(&coding->field[field]);
}

/* ---- means of columns ---- */

static void add_up(const gb_sparse_columns *x, size_t n_columns, double *mean)
{
    for (uint64_t i = 0; i < x->n_entries; i++)
        mean[x->column[i]] += x->value[i];
    for (size_t j = 0; j < n_columns; j++)
        mean[j] /= (double)x->n_docs;
}

gb_status gb_coding_note_means(gb_coding *coding, const gb_sparse_columns *x, const gb_sparse_columns *words,
                               gb_error *err)
{
    const gb_status st = gb_alloc(&coding->column_mean, coding->n_columns, sizeof(double), "covariates", err);
    if (st != GB_OK)
        return st;
    add_up(x, coding->n_columns, coding->column_mean);
    add_up(words, coding->words.n, coding->words.mean);
    return GB_OK;
}

gb_status gb_coding_take_weights(gb_coding *coding, const gb_coding *from, const gb_corpus *corpus,
                                 gb_sparse_columns *words, gb_error *err)
{
    gb_status st;
    const size_t n = coding->words.n;
    memcpy(coding->words.weight, from->words.weight, n * sizeof(double));
    memset(coding->words.mean, 0, n * sizeof(double));
    gb_sparse_columns_clear(words);
    GB_TRY(gb_coding_apply_words(coding, corpus, words, err));
    GB_TRY(gb_sparse_columns_index(words, err));
    add_up(words, n, coding->words.mean);
done:
    return st;
}

double gb_coding_column_mean(const gb_coding *coding, size_t column)
{
    if (number_of_embedding(coding, column) != SIZE_MAX)
        return 0; /* it was standardised */
    if (column >= coding->n_columns)
        return coding->words.mean[column - coding->n_columns - coding->embedding.n];
    return coding->column_mean[column];
}

const char *gb_coding_fields(const gb_coding *coding)
{
    return coding->fields;
}

size_t gb_coding_n_fields(const gb_coding *coding)
{
    return coding->n_fields;
}

const char *gb_coding_field_name(const gb_coding *coding, size_t field)
{
    return coding->field[field].name;
}

bool gb_coding_field_range(const gb_coding *coding, size_t field, double *low, double *high)
{
    const gb_coding_field *f = &coding->field[field];
    *low = f->low;
    *high = f->high;
    return f->kind == GB_COVARIATE_NUMBER && f->low < f->high;
}

gb_field_kind gb_coding_field_kind(const gb_coding *coding, size_t field)
{
    switch (coding->field[field].kind) {
    case GB_COVARIATE_NUMBER:
        return GB_KIND_NUMBER;
    case GB_COVARIATE_FACTOR:
        return GB_KIND_ONE;
    case GB_COVARIATE_LIST:
        break;
    }
    return GB_KIND_SEVERAL;
}
