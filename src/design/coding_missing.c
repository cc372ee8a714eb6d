/* design/coding_missing.c - covariates that documents lack, all in one message. */
#include "base/text.h"
#include "design/coding_private.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_DOCS = 5, SHOWN_FIELDS = 8, ID_SIZE = 44 };

static const gb_numbers *numbers_named(const gb_corpus *corpus, const char *name)
{
    for (size_t i = 0; i < corpus->n_numbers; i++)
        if (strcmp(corpus->numbers[i].name, name) == 0)
            return &corpus->numbers[i];
    return NULL;
}

static const gb_labels *labels_named(const gb_corpus *corpus, const char *name)
{
    for (size_t i = 0; i < corpus->n_labels; i++)
        if (strcmp(corpus->labels[i].name, name) == 0)
            return &corpus->labels[i];
    return NULL;
}

typedef struct lacking {
    size_t n_fields;
    uint64_t n_documents;     /* of all fields: a document counts once for each that it lacks */
    uint64_t doc[SHOWN_DOCS]; /* the first, ascending, each once */
    size_t n_docs;
    char fields[600]; /* ""year" in 12 documents, "maker" in 1" */
    size_t used;
} lacking;

/* Keep the first few documents of all fields, in order. */
static void note_document(lacking *l, uint64_t doc)
{
    size_t at = 0;
    while (at < l->n_docs && l->doc[at] < doc)
        at++;
    if (at == SHOWN_DOCS || (at < l->n_docs && l->doc[at] == doc))
        return;
    const size_t n_moved = (l->n_docs < SHOWN_DOCS ? l->n_docs : SHOWN_DOCS - 1) - at;
    memmove(&l->doc[at + 1], &l->doc[at], n_moved * sizeof l->doc[0]);
    l->doc[at] = doc;
    if (l->n_docs < SHOWN_DOCS)
        l->n_docs++;
}

__attribute__((format(printf, 4, 5))) static void add(char *text, size_t *used, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(text + *used, size - *used, format, arguments);
    va_end(arguments);
    if (n > 0)
        *used = *used + (size_t)n < size ? *used + (size_t)n : size - 1;
}

static void note_field(lacking *l, const char *name, uint64_t n_missing)
{
    l->n_documents += n_missing;
    if (l->n_fields++ >= SHOWN_FIELDS)
        return;
    char shown[GB_QUOTE_SIZE];
    gb_text_quote(name, strlen(name) < ID_SIZE ? strlen(name) : ID_SIZE, shown);
    add(l->fields, &l->used, sizeof l->fields, "%s%s in %llu document%s", l->used > 0 ? ", " : "", shown,
        (unsigned long long)n_missing, n_missing == 1 ? "" : "s");
}

static void look_at_field(const gb_coding_field *field, const gb_corpus *corpus, lacking *l)
{
    const gb_numbers *numbers = numbers_named(corpus, field->name);
    const gb_labels *labels = labels_named(corpus, field->name);
    uint64_t n_missing = 0;
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        if (!(numbers != NULL ? isnan(numbers->value[d]) : labels != NULL && !labels->labelled[d]))
            continue;
        n_missing++;
        note_document(l, d);
    }
    if (n_missing > 0)
        note_field(l, field->name, n_missing);
}

gb_status gb_coding_check_missing(const gb_coding *coding, const gb_corpus *corpus, uint64_t first_row, gb_error *err)
{
    lacking l = {0};
    char docs[SHOWN_DOCS * (GB_QUOTE_SIZE + 40)];
    size_t used = 0;
    for (size_t i = 0; i < coding->n_fields; i++)
        look_at_field(&coding->field[i], corpus, &l);
    if (l.n_docs == 0)
        return GB_OK;
    for (size_t i = 0; i < l.n_docs; i++) {
        const gb_texts *ids = &corpus->ids;
        const uint64_t start = ids->start[l.doc[i]], length = ids->start[l.doc[i] + 1] - start;
        char id[GB_QUOTE_SIZE];
        gb_text_quote(length == 0 ? "" : ids->bytes + start, (size_t)(length < ID_SIZE ? length : ID_SIZE), id);
        add(docs, &used, sizeof docs, "%s%llu (id %s)", i > 0 ? ", " : "",
            (unsigned long long)first_row + l.doc[i] + 1, id);
    }
    if (l.n_fields > SHOWN_FIELDS)
        add(l.fields, &l.used, sizeof l.fields, " and %zu more", l.n_fields - SHOWN_FIELDS);
    if (l.n_documents == 1)
        return gb_fail(err, GB_EFORMAT, "document %s: covariate %.*s is missing; `impute` mean would do without",
                       docs, (int)(l.used - strlen(" in 1 document")), l.fields);
    return gb_fail(err, GB_EFORMAT, "covariates are missing: %s; %s %s; `impute` mean would do without", l.fields,
                   l.n_docs == SHOWN_DOCS ? "the first documents are"
                   : l.n_docs == 1        ? "document"
                                          : "documents",
                   docs);
}
