/* corpus/data/builder.c - a corpus put together word by word.
 *
 * Classes are looked up in hash tables whose entries own the text; the tables keep the order of insertion, which is
 * the numbering.  Classes get their final numbers, in sorted order, only at the end, when
 * all are known. */
#include "base/hash.h"
#include "base/memory.h"
#include "corpus/data/corpus.h"
#include "corpus/data/name.h"
#include "corpus/data/texts.h"
#include "corpus/data/view.h"
#include "corpus/data/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define HASH_FUNCTION(key, length, hash) ((hash) = (unsigned)XXH3_64bits((key), (length)))
/* Without this uthash ends the program when memory runs out; with it the entry is left out of the table. */
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

enum { MAX_NAME_BYTES = 1 << 20 };

/* One class. */
typedef struct named {
    UT_hash_handle hh;
    uint32_t number; /* in order of appearance */
    size_t length;
    char text[];
} named;

/* A text block that grows. */
typedef struct block {
    uint64_t *start; /* count + 1 */
    char *bytes;
    size_t count, start_capacity, bytes_capacity;
} block;

/* A field of classes. */
typedef struct field {
    char *name;
    gb_role role;
    bool several, may_be_numbers;
    size_t order; /* of declaration, among all fields */
    named *classes;
    uint64_t *doc_start; /* one per document begun so far; one more after the end */
    uint32_t *class_of;
    uint8_t *labelled;
    size_t n_class_of, doc_capacity, class_capacity, labelled_capacity;
} field;

/* A field of numbers. */
typedef struct number_field {
    char *name;
    gb_role role;
    size_t order;
    double *value; /* one per document begun so far */
    size_t capacity;
} number_field;

struct gb_corpus_builder {
    uint64_t *doc_start;
    uint32_t *word;
    size_t n_docs, n_tokens, doc_capacity, word_capacity;
    uint32_t max_word;
    block ids, text; /* text: of documents up to the last that has one */
    gb_fold fold;    /* of names */
    gb_words *words; /* NULL: none yet */
    field *fields;
    size_t n_fields, field_capacity;
    number_field *numbers;
    size_t n_numbers, numbers_capacity;
    float *embedding; /* n_docs x width */
    size_t embedding_width, embedding_capacity;
};

/* ---- names ---- */

static named *find_name(named *table, const char *text, size_t length)
{
    named *found;
    HASH_FIND(hh, table, text, length, found);
    return found;
}

static gb_status add_name(named **table, const char *text, size_t length, named **out, gb_error *err)
{
    named *entry = NULL;
    gb_status st = gb_alloc(&entry, 1, sizeof *entry + length, "a name", err);
    if (st != GB_OK)
        return st;
    entry->number = HASH_COUNT(*table);
    entry->length = length;
    if (length > 0)
        memcpy(entry->text, text, length);
    HASH_ADD_KEYPTR(hh, *table, entry->text, length, entry);
    if (entry->hh.tbl == NULL) {
        gb_free(entry);
        return gb_fail_memory(err, sizeof(UT_hash_table), "a table of names");
    }
    *out = entry;
    return GB_OK;
}

static void free_names(named *table)
{
    named *entry, *next;
    HASH_ITER(hh, table, entry, next)
    {
        HASH_DEL(table, entry);
        gb_free(entry);
    }
}

static int compare_names(const named *a, const named *b)
{
    return gb_text_compare(a->text, a->length, b->text, b->length);
}

/* `what` and the name's text go into the message; only a name without fault is shown. */
static gb_status check_name(const char *what, const char *text, size_t length, size_t max_length, gb_error *err)
{
    const char *fault = gb_text_fault(text, length);
    if (fault != NULL)
        return gb_fail(err, GB_EFORMAT, "%s %s", what, fault);
    if (length > max_length)
        return gb_fail(err, GB_EFORMAT, "%s is %zu bytes long, expected at most %zu", what, length, max_length);
    return GB_OK;
}

/* The name of a value, valid until the next one; what is wrong with it as in check_name(). */
static gb_status name_value(gb_corpus_builder *b, const char *what, gb_view value, size_t max_length, gb_view *name,
                            gb_error *err)
{
    gb_status st = GB_OK;
    const gb_view trimmed = gb_name_trim(value);
    GB_TRY(check_name(what, trimmed.text, trimmed.length, max_length, err));
    GB_TRY(gb_name_of(&b->fold, trimmed, name, err));
done:
    return st;
}

/* ---- text blocks ---- */

static gb_status block_add(block *b, const char *text, size_t length, gb_error *err)
{
    gb_status st = GB_OK;
    uint64_t begin = b->count == 0 ? 0 : b->start[b->count];
    GB_TRY(gb_grow(&b->start, &b->start_capacity, b->count + 2, sizeof b->start[0], "texts", err));
    if (length > 0) {
        GB_TRY(gb_grow(&b->bytes, &b->bytes_capacity, (size_t)begin + length, 1, "texts", err));
        memcpy(b->bytes + begin, text, length);
    }
    b->start[0] = 0;
    b->start[++b->count] = begin + length;
done:
    return st;
}

/* The names of a table in its order. */
static gb_status names_to_block(const named *table, block *out, gb_error *err)
{
    gb_status st = GB_OK;
    for (const named *entry = table; entry != NULL; entry = entry->hh.next)
        GB_TRY(block_add(out, entry->text, entry->length, err));
done:
    return st;
}

/* Give room beyond `need` back; that this fails is no failure. */
static void *shrink(void *array, size_t need, size_t size)
{
    if (array == NULL || need == 0)
        return array;
    void *smaller = realloc(array, need * size);
    return smaller == NULL ? array : smaller;
}

/* Move a block into a corpus; even an empty one needs its first offset. */
static gb_status block_to_texts(block *b, gb_texts *out, gb_error *err)
{
    gb_status st = GB_OK;
    GB_TRY(gb_grow(&b->start, &b->start_capacity, 1, sizeof b->start[0], "texts", err));
    b->start[0] = 0;
    out->count = b->count;
    out->start = shrink(b->start, b->count + 1, sizeof b->start[0]);
    out->bytes = shrink(b->bytes, (size_t)out->start[b->count], 1);
    *b = (block){0};
done:
    return st;
}

static void block_free(block *b)
{
    gb_free(b->start);
    gb_free(b->bytes);
}

/* ---- adding ---- */

gb_status gb_corpus_builder_create(gb_corpus_builder **out, gb_error *err)
{
    return gb_alloc(out, 1, sizeof **out, "a corpus", err);
}

/* For messages. */
static const char *kind_of_field(gb_role role)
{
    return role == GB_ROLE_RESPONSE  ? "label field"
           : role == GB_ROLE_GROUP   ? "group field"
           : role == GB_ROLE_CLUSTER ? "cluster field"
                                     : "covariate";
}

/* A field may be declared: it is early enough, and the name is good and new. */
static gb_status check_declaration(const gb_corpus_builder *b, const char *kind, const char *name, gb_error *err)
{
    gb_status st = GB_OK;
    if (b->n_docs > 0)
        return gb_fail(err, GB_EARGUMENT, "%s \"%s\": declared after the first document", kind, name);
    const char *fault = gb_text_fault(name, strlen(name));
    if (fault != NULL) /* the message has something else for what is wrong with it */
        return gb_fail(err, GB_EFORMAT, "%s \"%.*s\": the name %s", kind, gb_text_shown(name, strlen(name)), name,
                       fault);
    GB_TRY(check_name("the name of a field", name, strlen(name), MAX_NAME_BYTES, err));
    for (size_t i = 0; i < b->n_fields; i++)
        if (strcmp(b->fields[i].name, name) == 0)
            return gb_fail(err, GB_EARGUMENT, "%s \"%s\": given twice", kind, name);
    for (size_t i = 0; i < b->n_numbers; i++)
        if (strcmp(b->numbers[i].name, name) == 0)
            return gb_fail(err, GB_EARGUMENT, "%s \"%s\": given twice", kind, name);
done:
    return st;
}

/* `f` without its name. */
static gb_status declare(gb_corpus_builder *b, const char *name, field f, size_t *field_number, gb_error *err)
{
    gb_status st = GB_OK;
    GB_TRY(check_declaration(b, kind_of_field(f.role), name, err));
    for (size_t i = 0; i < b->n_fields; i++)
        if (f.role == GB_ROLE_CLUSTER && b->fields[i].role == f.role)
            return gb_fail(err, GB_EARGUMENT, "\"%s\" and \"%s\": at most one field can be the cluster",
                           b->fields[i].name, name);
    GB_TRY(gb_grow(&b->fields, &b->field_capacity, b->n_fields + 1, sizeof f, "label fields", err));
    GB_TRY(gb_copy_text(&f.name, name, strlen(name), err));
    f.order = b->n_fields + b->n_numbers;
    *field_number = b->n_fields;
    b->fields[b->n_fields++] = f;
done:
    return st;
}

gb_status gb_corpus_builder_labels(gb_corpus_builder *b, const char *name, bool several, size_t *field_number,
                                   gb_error *err)
{
    return declare(b, name, (field){.role = GB_ROLE_RESPONSE, .several = several}, field_number, err);
}

gb_status gb_corpus_builder_factor(gb_corpus_builder *b, const char *name, bool several, size_t *field_number,
                                   gb_error *err)
{
    return declare(b, name, (field){.role = GB_ROLE_COVARIATE, .several = several}, field_number, err);
}

gb_status gb_corpus_builder_group(gb_corpus_builder *b, const char *name, size_t *field_number, gb_error *err)
{
    return declare(b, name, (field){.role = GB_ROLE_GROUP}, field_number, err);
}

gb_status gb_corpus_builder_cluster(gb_corpus_builder *b, const char *name, size_t *field_number, gb_error *err)
{
    return declare(b, name, (field){.role = GB_ROLE_CLUSTER}, field_number, err);
}

gb_status gb_corpus_builder_covariate(gb_corpus_builder *b, const char *name, size_t *field_number, gb_error *err)
{
    return declare(b, name, (field){.role = GB_ROLE_COVARIATE, .may_be_numbers = true}, field_number, err);
}

gb_status gb_corpus_builder_prevalence(gb_corpus_builder *b, const char *name, gb_field_kind kind,
                                       size_t *field_number, gb_error *err)
{
    const field f = {
        .role = GB_ROLE_PREVALENCE, .several = kind == GB_KIND_SEVERAL, .may_be_numbers = kind == GB_KIND_AUTO};
    return declare(b, name, f, field_number, err);
}

gb_status gb_corpus_builder_numbers(gb_corpus_builder *b, const char *name, gb_role role, size_t *field_number,
                                    gb_error *err)
{
    gb_status st = GB_OK;
    number_field f = {.role = role};
    GB_TRY(check_declaration(b, "field of numbers", name, err));
    for (size_t i = 0; i < b->n_numbers; i++)
        if (b->numbers[i].role == role && (role == GB_ROLE_EXPOSURE || role == GB_ROLE_WEIGHT))
            return gb_fail(err, GB_EARGUMENT, "\"%s\" and \"%s\": at most one field can be the %s",
                           b->numbers[i].name, name, role == GB_ROLE_EXPOSURE ? "exposure" : "document weight");
    GB_TRY(gb_grow(&b->numbers, &b->numbers_capacity, b->n_numbers + 1, sizeof f, "fields of numbers", err));
    GB_TRY(gb_copy_text(&f.name, name, strlen(name), err));
    f.order = b->n_fields + b->n_numbers;
    *field_number = b->n_numbers;
    b->numbers[b->n_numbers++] = f;
done:
    return st;
}

/* Where the next document begins; called once more when all documents are there. */
static gb_status add_starts(gb_corpus_builder *b, gb_error *err)
{
    gb_status st = GB_OK;
    size_t need = b->n_docs + 1;
    GB_TRY(gb_grow(&b->doc_start, &b->doc_capacity, need, sizeof b->doc_start[0], "documents", err));
    b->doc_start[b->n_docs] = b->n_tokens;
    for (size_t i = 0; i < b->n_fields; i++) {
        field *f = &b->fields[i];
        GB_TRY(gb_grow(&f->doc_start, &f->doc_capacity, need, sizeof f->doc_start[0], "labels", err));
        f->doc_start[b->n_docs] = f->n_class_of;
        GB_TRY(gb_grow(&f->labelled, &f->labelled_capacity, need, 1, "labels", err));
        f->labelled[b->n_docs] = 0;
    }
    for (size_t i = 0; i < b->n_numbers; i++) {
        number_field *f = &b->numbers[i];
        GB_TRY(gb_grow(&f->value, &f->capacity, need, sizeof f->value[0], "numbers", err));
        f->value[b->n_docs] = (double)NAN;
    }
done:
    return st;
}

gb_status gb_corpus_builder_document(gb_corpus_builder *b, const char *id, size_t id_length, gb_error *err)
{
    gb_status st = GB_OK;
    gb_view name;
    char number[24];
    if (id == NULL) {
        id_length = (size_t)snprintf(number, sizeof number, "%zu", b->n_docs + 1);
        id = number;
    }
    GB_TRY(name_value(b, "the id of a document", (gb_view){id, id_length}, SIZE_MAX, &name, err));
    GB_TRY(add_starts(b, err));
    GB_TRY(block_add(&b->ids, name.text, name.length, err));
    b->n_docs++;
done:
    return st;
}

/* Documents without a text before the last that has one have an empty one. */
static gb_status fill_texts(block *text, size_t n, gb_error *err)
{
    gb_status st = GB_OK;
    while (st == GB_OK && text->count < n)
        st = block_add(text, "", 0, err);
    return st;
}

gb_status gb_corpus_builder_text(gb_corpus_builder *b, gb_view text, gb_error *err)
{
    if (b->n_docs == 0 || b->text.count == b->n_docs)
        return gb_fail(err, GB_EARGUMENT, "a text without a document");
    const gb_status st = fill_texts(&b->text, b->n_docs - 1, err);
    return st == GB_OK ? block_add(&b->text, text.text, text.length, err) : st;
}

gb_status gb_corpus_builder_token(gb_corpus_builder *b, uint32_t word, gb_error *err)
{
    return gb_corpus_builder_tokens(b, &word, 1, err);
}

gb_status gb_corpus_builder_tokens(gb_corpus_builder *b, const uint32_t *word, size_t n, gb_error *err)
{
    if (b->n_docs == 0)
        return gb_fail(err, GB_EARGUMENT, "a word before the first document");
    if (n == 0)
        return GB_OK;
    gb_status st = gb_grow(&b->word, &b->word_capacity, b->n_tokens + n, sizeof b->word[0], "words", err);
    if (st != GB_OK)
        return st;
    memcpy(b->word + b->n_tokens, word, n * sizeof word[0]);
    b->n_tokens += n;
    for (size_t i = 0; i < n; i++)
        if (word[i] > b->max_word)
            b->max_word = word[i];
    return GB_OK;
}

uint64_t gb_corpus_builder_bytes(const gb_corpus_builder *b)
{
    const uint64_t a_doc = 2 * sizeof b->doc_start[0] + b->embedding_width * sizeof(float) +
                           b->n_numbers * sizeof(double) +
                           b->n_fields * (sizeof b->fields[0].doc_start[0] + sizeof b->fields[0].labelled[0]);
    uint64_t n_bytes = b->n_docs * a_doc + b->n_tokens * sizeof b->word[0];
    n_bytes += b->ids.count == 0 ? 0 : b->ids.start[b->ids.count];
    n_bytes += b->text.count == 0 ? 0 : b->text.start[b->text.count] + b->text.count * sizeof b->text.start[0];
    for (size_t i = 0; i < b->n_fields; i++)
        n_bytes += b->fields[i].n_class_of * sizeof b->fields[i].class_of[0];
    return n_bytes;
}

uint64_t gb_corpus_builder_n_docs(const gb_corpus_builder *b)
{
    return b->n_docs;
}

const uint32_t *gb_corpus_builder_words_of(const gb_corpus_builder *b, uint64_t document, size_t *n)
{
    size_t start = (size_t)b->doc_start[document];
    *n = (document + 1 < b->n_docs ? (size_t)b->doc_start[document + 1] : b->n_tokens) - start;
    return *n == 0 ? NULL : b->word + start;
}

gb_status gb_corpus_builder_labelled(gb_corpus_builder *b, size_t field_number, gb_error *err)
{
    if (b->n_docs == 0 || field_number >= b->n_fields)
        return gb_fail(err, GB_EARGUMENT, "a label before the first document or of an unknown field");
    b->fields[field_number].labelled[b->n_docs - 1] = 1;
    return GB_OK;
}

static const named *class_with_number(const field *f, uint32_t number)
{
    const named *entry = f->classes;
    while (entry->number != number)
        entry = entry->hh.next;
    return entry;
}

/* The second class of a document in a field that takes one. */
static gb_status fail_second_class(const gb_corpus_builder *b, const field *f, const named *second, gb_error *err)
{
    const named *first = class_with_number(f, f->class_of[f->n_class_of - 1]);
    size_t id_length = (size_t)(b->ids.start[b->n_docs] - b->ids.start[b->n_docs - 1]);
    const char *id = id_length == 0 ? "" : b->ids.bytes + b->ids.start[b->n_docs - 1];
    return gb_fail(
        err, GB_EFORMAT, "%s \"%s\": document \"%.*s\" has two classes, \"%.*s\" and \"%.*s\"; %s takes several",
        kind_of_field(f->role), f->name, gb_text_shown(id, id_length), id, gb_text_shown(first->text, first->length),
        first->text, gb_text_shown(second->text, second->length), second->text,
        f->role == GB_ROLE_RESPONSE ? "`labels`" : "FIELD:list");
}

gb_status gb_corpus_builder_class(gb_corpus_builder *b, size_t field_number, const char *text, size_t length,
                                  gb_error *err)
{
    gb_status st = GB_OK;
    gb_view name;
    GB_TRY(name_value(b, "a class", (gb_view){text, length}, MAX_NAME_BYTES, &name, err));
    GB_TRY(gb_corpus_builder_labelled(b, field_number, err));
    field *f = &b->fields[field_number];
    named *class = find_name(f->classes, name.text, name.length);
    if (class == NULL && HASH_COUNT(f->classes) == UINT32_MAX) {
        st = gb_fail(err, GB_EFORMAT, "%s \"%s\": more than %" PRIu32 " classes", kind_of_field(f->role), f->name,
                     UINT32_MAX);
        goto done;
    }
    if (class == NULL)
        GB_TRY(add_name(&f->classes, name.text, name.length, &class, err));
    if (!f->several && f->n_class_of > f->doc_start[b->n_docs - 1]) {
        if (f->class_of[f->n_class_of - 1] != class->number)
            st = fail_second_class(b, f, class, err);
        goto done;
    }
    GB_TRY(gb_grow(&f->class_of, &f->class_capacity, f->n_class_of + 1, sizeof f->class_of[0], "labels", err));
    f->class_of[f->n_class_of++] = class->number;
done:
    return st;
}

gb_status gb_corpus_builder_number(gb_corpus_builder *b, size_t field_number, double value, gb_error *err)
{
    if (b->n_docs == 0 || field_number >= b->n_numbers)
        return gb_fail(err, GB_EARGUMENT, "a number before the first document or of an unknown field");
    number_field *f = &b->numbers[field_number];
    const char *fault = gb_number_fault(f->role, value);
    if (fault != NULL)
        return gb_fail(err, GB_EFORMAT, "field \"%s\": %.9g %s", f->name, value, fault);
    f->value[b->n_docs - 1] = isnan(value) ? (double)NAN : value; /* one of the many NaN: equal bytes in files */
    return GB_OK;
}

gb_status gb_corpus_builder_embedding(gb_corpus_builder *b, size_t width, const float *row, gb_error *err)
{
    gb_status st = GB_OK;
    if (b->n_docs == 0 || width == 0 || (b->n_docs > 1 && width != b->embedding_width))
        return gb_fail(err, GB_EARGUMENT, "embeddings of %zu numbers after some of %zu", width, b->embedding_width);
    if (b->n_docs > SIZE_MAX / width)
        return gb_fail_memory(err, SIZE_MAX, "embeddings");
    b->embedding_width = width;
    GB_TRY(
        gb_grow(&b->embedding, &b->embedding_capacity, b->n_docs * width, sizeof *b->embedding, "embeddings", err));
    float *to = b->embedding + (b->n_docs - 1) * width;
    for (size_t j = 0; j < width; j++)
        to[j] = row == NULL ? (float)NAN : row[j];
done:
    return st;
}

gb_status gb_corpus_builder_word(gb_corpus_builder *b, const char *word, size_t length, gb_error *err)
{
    gb_status st = GB_OK;
    uint32_t number = 0, n_words = 0;
    GB_TRY(check_name("a word", word, length, MAX_NAME_BYTES, err));
    if (b->words == NULL)
        GB_TRY(gb_words_create(&b->words, err));
    n_words = gb_words_count(b->words);
    GB_TRY(gb_words_add(b->words, (gb_view){word, length}, &number, err));
    if (number < n_words)
        st = gb_fail(err, GB_EFORMAT, "the word \"%.*s\" is in the vocabulary twice, at positions %u and %u",
                     gb_text_shown(word, length), word, number + 1, n_words + 1);
done:
    return st;
}

gb_status gb_corpus_builder_vocabulary(gb_corpus_builder *b, const gb_texts *vocabulary, gb_error *err)
{
    gb_status st = GB_OK;
    for (uint64_t i = 0; st == GB_OK && i < vocabulary->count; i++) {
        const gb_view word = gb_texts_view(vocabulary, i);
        st = gb_corpus_builder_word(b, word.text, word.length, err);
    }
    return st;
}

/* The tokens only move down, so in place, here and below. */
void gb_corpus_builder_rewrite(gb_corpus_builder *b, gb_rewrite *rewrite, void *user)
{
    size_t kept = 0, next = 0;
    b->max_word = 0;
    for (size_t d = 0; d < b->n_docs; d++) {
        const size_t end = d + 1 < b->n_docs ? (size_t)b->doc_start[d + 1] : b->n_tokens;
        const size_t n = end == next ? 0 : rewrite(user, next, b->word + next, end - next);
        b->doc_start[d] = kept;
        for (size_t i = 0; i < n; i++) {
            const uint32_t word = b->word[next + i];
            b->word[kept++] = word;
            if (word > b->max_word)
                b->max_word = word;
        }
        next = end;
    }
    b->n_tokens = kept;
}

void gb_corpus_builder_renumber(gb_corpus_builder *b, const uint32_t *map)
{
    size_t kept = 0, next = 0;
    b->max_word = 0;
    for (size_t d = 0; d < b->n_docs; d++) {
        size_t end = d + 1 < b->n_docs ? (size_t)b->doc_start[d + 1] : b->n_tokens;
        b->doc_start[d] = kept;
        for (; next < end; next++) {
            uint32_t word = map[b->word[next]];
            if (word == UINT32_MAX)
                continue;
            b->word[kept++] = word;
            if (word > b->max_word)
                b->max_word = word;
        }
    }
    b->n_tokens = kept;
}

/* ---- finishing ---- */

static int compare_classes(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* Sort, and keep one of equal numbers; returns how many are left. */
static size_t sort_and_merge(uint32_t *class_of, size_t n)
{
    size_t kept = 0;
    qsort(class_of, n, sizeof class_of[0], compare_classes);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || class_of[i] != class_of[i - 1])
            class_of[kept++] = class_of[i];
    return kept;
}

/* From order of appearance to sorted order, document by document; the list only shrinks, so in place. */
static gb_status renumber_classes(field *f, size_t n_docs, gb_error *err)
{
    uint32_t *rank = NULL, next = 0;
    gb_status st = gb_alloc(&rank, HASH_COUNT(f->classes), sizeof rank[0], "classes", err);
    if (st != GB_OK)
        return st;
    HASH_SRT(hh, f->classes, compare_names);
    for (const named *entry = f->classes; entry != NULL; entry = entry->hh.next)
        rank[entry->number] = next++;
    size_t kept = 0;
    for (size_t d = 0; d < n_docs; d++) {
        size_t begin = (size_t)f->doc_start[d], n = (size_t)f->doc_start[d + 1] - begin;
        f->doc_start[d] = kept;
        if (n == 0)
            continue;
        uint32_t *from = f->class_of + begin;
        for (size_t i = 0; i < n; i++)
            from[i] = rank[from[i]];
        n = sort_and_merge(from, n);
        memmove(f->class_of + kept, from, n * sizeof from[0]);
        kept += n;
    }
    f->doc_start[n_docs] = kept;
    f->n_class_of = kept;
    gb_free(rank);
    return GB_OK;
}

static gb_status check_field(const field *f, size_t n_docs, gb_error *err)
{
    for (size_t d = 0; d < n_docs && !f->several; d++)
        if (f->labelled[d] && f->doc_start[d + 1] == f->doc_start[d])
            return gb_fail(err, GB_EFORMAT, "%s \"%s\": document %zu is labelled but has no class",
                           kind_of_field(f->role), f->name, d + 1);
    return GB_OK;
}

static gb_status finish_field(field *f, size_t n_docs, gb_labels *out, gb_error *err)
{
    gb_status st = GB_OK;
    block classes = {0};
    GB_TRY(check_field(f, n_docs, err));
    GB_TRY(renumber_classes(f, n_docs, err));
    GB_TRY(names_to_block(f->classes, &classes, err));
    GB_TRY(block_to_texts(&classes, &out->classes, err));
    out->name = f->name;
    out->role = f->role;
    out->several = f->several;
    out->doc_start = shrink(f->doc_start, n_docs + 1, sizeof f->doc_start[0]);
    out->class_of = shrink(f->class_of, f->n_class_of, sizeof f->class_of[0]);
    out->labelled = shrink(f->labelled, n_docs, 1);
    f->name = NULL;
    f->doc_start = NULL;
    f->class_of = NULL;
    f->labelled = NULL;
done:
    block_free(&classes);
    return st;
}

static gb_status finish_labels(gb_corpus_builder *b, gb_corpus *c, gb_error *err)
{
    gb_status st = GB_OK;
    GB_TRY(gb_alloc(&c->labels, b->n_fields, sizeof c->labels[0], "label fields", err));
    for (size_t i = 0; i < b->n_fields; i++)
        if (b->fields[i].name != NULL) /* else it has become numbers */
            GB_TRY(finish_field(&b->fields[i], b->n_docs, &c->labels[c->n_labels++], err));
done:
    return st;
}

/* The number of each class in the order of appearance; *all tells whether all are numbers.  The caller frees *out. */
static gb_status classes_to_numbers(const field *f, double **out, bool *all, gb_error *err)
{
    gb_status st = gb_alloc(out, HASH_COUNT(f->classes), sizeof **out, "numbers", err);
    *all = st == GB_OK && f->classes != NULL;
    for (const named *entry = f->classes; entry != NULL && *all; entry = entry->hh.next)
        *all = gb_view_to_real((gb_view){entry->text, entry->length}, *out + entry->number);
    return st;
}

/* A covariate of one class per document becomes numbers if each of its classes is one. */
static gb_status try_numbers(gb_corpus_builder *b, field *f, gb_error *err)
{
    gb_status st;
    double *of_class = NULL;
    bool all = false;
    number_field numbers = {.role = f->role, .order = f->order};
    GB_TRY(classes_to_numbers(f, &of_class, &all, err));
    if (!all)
        goto done;
    GB_TRY(gb_alloc(&numbers.value, b->n_docs, sizeof numbers.value[0], "numbers", err));
    for (size_t d = 0; d < b->n_docs; d++)
        numbers.value[d] = f->labelled[d] ? of_class[f->class_of[f->doc_start[d]]] : (double)NAN;
    GB_TRY(gb_grow(&b->numbers, &b->numbers_capacity, b->n_numbers + 1, sizeof numbers, "fields of numbers", err));
    numbers.name = f->name;
    f->name = NULL;
    b->numbers[b->n_numbers++] = numbers;
    numbers.value = NULL;
done:
    gb_free(of_class);
    gb_free(numbers.value);
    return st;
}

static int compare_order(const void *left, const void *right)
{
    const number_field *a = left, *b = right;
    return a->order < b->order ? -1 : a->order > b->order;
}

static gb_status finish_numbers(gb_corpus_builder *b, gb_corpus *c, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; i < b->n_fields; i++)
        if (b->fields[i].may_be_numbers) {
            GB_TRY(check_field(&b->fields[i], b->n_docs, err));
            GB_TRY(try_numbers(b, &b->fields[i], err));
        }
    if (b->n_numbers > 0)
        qsort(b->numbers, b->n_numbers, sizeof b->numbers[0], compare_order);
    GB_TRY(gb_alloc(&c->numbers, b->n_numbers, sizeof c->numbers[0], "fields of numbers", err));
    for (size_t i = 0; i < b->n_numbers; i++) {
        number_field *f = &b->numbers[i];
        c->numbers[c->n_numbers++] = (gb_numbers){f->name, f->role, shrink(f->value, b->n_docs, sizeof f->value[0])};
        f->name = NULL;
        f->value = NULL;
    }
done:
    return st;
}

static gb_status finish_words(gb_corpus_builder *b, gb_corpus *c, gb_error *err)
{
    gb_status st = GB_OK;
    block vocabulary = {0};
    uint32_t n_words = b->words == NULL ? 0 : gb_words_count(b->words);
    if (b->n_tokens > 0 && b->max_word >= n_words)
        return gb_fail(err, GB_EFORMAT, "word number %" PRIu32 " has no name, there are names for %" PRIu32,
                       b->max_word, n_words);
    for (uint32_t w = 0; w < n_words; w++) {
        gb_view name = gb_words_text(b->words, w);
        GB_TRY(block_add(&vocabulary, name.text, name.length, err));
    }
    GB_TRY(block_to_texts(&vocabulary, &c->vocabulary, err));
    c->n_words = n_words;
done:
    block_free(&vocabulary);
    return st;
}

static void finish_documents(gb_corpus_builder *b, gb_corpus *c)
{
    c->n_docs = b->n_docs;
    c->n_tokens = b->n_tokens;
    c->doc_start = shrink(b->doc_start, b->n_docs + 1, sizeof b->doc_start[0]);
    c->word = shrink(b->word, b->n_tokens, sizeof b->word[0]);
    b->doc_start = NULL;
    b->word = NULL;
    if (b->embedding_width > 0 && b->n_docs > 0)
        c->embedding = (gb_embedding){b->embedding_width,
                                      shrink(b->embedding, b->n_docs * b->embedding_width, sizeof *b->embedding)};
    b->embedding = NULL;
}

/* Free what the builder holds and make it as new. */
static void clear(gb_corpus_builder *b)
{
    for (size_t i = 0; i < b->n_fields; i++) {
        gb_free(b->fields[i].name);
        gb_free(b->fields[i].doc_start);
        gb_free(b->fields[i].class_of);
        gb_free(b->fields[i].labelled);
        free_names(b->fields[i].classes);
    }
    gb_free(b->embedding);
    for (size_t i = 0; i < b->n_numbers; i++) {
        gb_free(b->numbers[i].name);
        gb_free(b->numbers[i].value);
    }
    gb_free(b->fields);
    gb_free(b->numbers);
    gb_free(b->doc_start);
    gb_free(b->word);
    block_free(&b->ids);
    block_free(&b->text);
    gb_fold_free(&b->fold);
    gb_words_free(b->words);
    *b = (gb_corpus_builder){0};
}

gb_status gb_corpus_builder_finish(gb_corpus_builder *b, json_t *preparation, json_t *source, gb_corpus **out,
                                   gb_error *err)
{
    gb_status st = GB_OK;
    gb_corpus *c = NULL;
    GB_TRY(gb_alloc(&c, 1, sizeof *c, "a corpus", err));
    c->preparation = preparation == NULL ? json_object() : json_incref(preparation);
    c->source = source == NULL ? json_object() : json_incref(source);
    if (c->preparation == NULL || c->source == NULL) {
        st = gb_fail(err, GB_ENOMEM, "out of memory: the notes of a corpus");
        goto done;
    }
    GB_TRY(add_starts(b, err));
    GB_TRY(finish_words(b, c, err));
    GB_TRY(finish_numbers(b, c, err));
    GB_TRY(finish_labels(b, c, err));
    GB_TRY(block_to_texts(&b->ids, &c->ids, err));
    if (b->text.count > 0) {
        GB_TRY(fill_texts(&b->text, b->n_docs, err));
        GB_TRY(block_to_texts(&b->text, &c->text, err));
    }
    finish_documents(b, c);
    *out = c;
    c = NULL;
done:
    json_decref(preparation);
    json_decref(source);
    gb_corpus_free(c);
    clear(b);
    return st;
}

void gb_corpus_builder_free(gb_corpus_builder *b)
{
    if (b == NULL)
        return;
    clear(b);
    gb_free(b);
}
