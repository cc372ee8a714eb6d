/* corpus/data/corpus_file.c - a corpus as a file of arrays, written from memory and used where it lies.
 *
 * Arrays: doc_start, word, id_start, id_bytes, word_start, word_bytes; text_start and text_bytes, if the texts are kept; for label field i: label<i>_doc_start,
 * label<i>_class_of, label<i>_labelled, label<i>_class_start, label<i>_class_bytes; for field of numbers i:
 * number<i>_value; embedding (documents x numbers), if there are embeddings.  Texts, each JSON: preparation and source (objects), labels (a list of {"name", "several"}, with
 * "role" unless it is a response), numbers (a list of {"name", "role"}; absent when there are none).
 *
 * A good checksum says that the file is as it was written, not that we wrote it.  So every number that is
 * used as an index later is checked here, once. */
#include "corpus/data/corpus_file.h"
#include "base/memory.h"
#include "corpus/data/corpus.h"
#include "corpus/data/field.h"
#include "corpus/data/texts.h"
#include "store/json_text.h"
#include "store/layout.h"
#include "store/store.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    NAME_ROOM = 48,
    /* of the JSON texts; a list of stop words has some thousands */
    MAX_DEPTH = 16,
    MAX_VALUES = 1 << 20,
    TEXT_SHARE = 1 /* of the memory that reading may take (gb_store_check_memory), for each of them */
};

/* ---- writing ---- */

static gb_status put_array(gb_store_writer *w, const char *name, gb_dtype type, uint64_t length, const void *data,
                           gb_error *err)
{
    return gb_store_array(w, name, type, 1, &length, data, err);
}

static gb_status put_texts(gb_store_writer *w, const char *name, const gb_texts *texts, gb_error *err)
{
    gb_status st = GB_OK;
    char start[NAME_ROOM], bytes[NAME_ROOM];
    (void)snprintf(start, sizeof start, "%s_start", name);
    (void)snprintf(bytes, sizeof bytes, "%s_bytes", name);
    GB_TRY(put_array(w, start, GB_U64, texts->count + 1, texts->start, err));
    GB_TRY(put_array(w, bytes, GB_U8, texts->start[texts->count], texts->bytes, err));
done:
    return st;
}

static gb_status put_label_field(gb_store_writer *w, size_t field, const gb_labels *labels, uint64_t n_docs,
                                 gb_error *err)
{
    gb_status st = GB_OK;
    char name[NAME_ROOM];
    (void)snprintf(name, sizeof name, "label%zu_doc_start", field);
    GB_TRY(put_array(w, name, GB_U64, n_docs + 1, labels->doc_start, err));
    (void)snprintf(name, sizeof name, "label%zu_class_of", field);
    GB_TRY(put_array(w, name, GB_U32, labels->doc_start[n_docs], labels->class_of, err));
    (void)snprintf(name, sizeof name, "label%zu_labelled", field);
    GB_TRY(put_array(w, name, GB_U8, n_docs, labels->labelled, err));
    (void)snprintf(name, sizeof name, "label%zu_class", field);
    GB_TRY(put_texts(w, name, &labels->classes, err));
done:
    return st;
}

gb_status gb_put_json(gb_store_writer *w, const char *name, const json_t *value, gb_error *err)
{
    gb_status st = GB_OK;
    char *text = NULL;
    size_t length;
    GB_TRY(gb_json_text(value, 0, &text, &length, err));
    if (!gb_json_is_modest(text, length, MAX_DEPTH, MAX_VALUES)) {
        st = gb_fail(err, GB_EARGUMENT, "the %s of the corpus is too large for a file", name);
        goto done;
    }
    GB_TRY(gb_store_text(w, name, text, err));
    gb_store_make_room(w, gb_json_memory(text, length), TEXT_SHARE);
done:
    gb_free(text);
    return st;
}

static gb_status put_label_names(gb_store_writer *w, const gb_corpus *c, gb_error *err)
{
    json_t *list = json_array();
    int failed = list == NULL;
    for (size_t i = 0; i < c->n_labels && !failed; i++) {
        const gb_labels *l = &c->labels[i];
        json_t *names = l->role == GB_ROLE_RESPONSE
                            ? json_pack("{s:s, s:b}", "name", l->name, "several", (int)l->several)
                            : json_pack("{s:s, s:s, s:b}", "name", l->name, "role", gb_role_word(l->role), "several",
                                        (int)l->several);
        failed = json_array_append_new(list, names);
    }
    gb_status st = failed ? gb_fail(err, GB_ENOMEM, "out of memory: the labels of a corpus file")
                          : gb_put_json(w, "labels", list, err);
    json_decref(list);
    return st;
}

static gb_status put_numbers(gb_store_writer *w, const gb_corpus *c, gb_error *err)
{
    gb_status st = GB_OK;
    char name[NAME_ROOM];
    json_t *list = json_array();
    int failed = list == NULL;
    for (size_t i = 0; i < c->n_numbers && !failed; i++)
        failed = json_array_append_new(
            list, json_pack("{s:s, s:s}", "name", c->numbers[i].name, "role", gb_role_word(c->numbers[i].role)));
    if (failed) {
        st = gb_fail(err, GB_ENOMEM, "out of memory: the fields of numbers of a corpus file");
        goto done;
    }
    if (c->n_numbers > 0)
        GB_TRY(gb_put_json(w, "numbers", list, err));
    for (size_t i = 0; i < c->n_numbers; i++) {
        (void)snprintf(name, sizeof name, "number%zu_value", i);
        GB_TRY(put_array(w, name, GB_F64, c->n_docs, c->numbers[i].value, err));
    }
done:
    json_decref(list);
    return st;
}

static gb_status put_corpus(gb_store_writer *w, const gb_corpus *corpus, bool with_tokens, gb_error *err)
{
    gb_status st = GB_OK;
    GB_TRY(gb_put_json(w, "preparation", corpus->preparation, err));
    GB_TRY(gb_put_json(w, "source", corpus->source, err));
    GB_TRY(put_label_names(w, corpus, err));
    GB_TRY(put_array(w, "doc_start", GB_U64, corpus->n_docs + 1, corpus->doc_start, err));
    if (with_tokens)
        GB_TRY(put_array(w, "word", GB_U32, corpus->n_tokens, corpus->word, err));
    GB_TRY(put_texts(w, "id", &corpus->ids, err));
    GB_TRY(put_texts(w, "word", &corpus->vocabulary, err));
    if (with_tokens && corpus->text.count > 0)
        GB_TRY(put_texts(w, "text", &corpus->text, err));
    for (size_t i = 0; i < corpus->n_labels; i++)
        GB_TRY(put_label_field(w, i, &corpus->labels[i], corpus->n_docs, err));
    GB_TRY(put_numbers(w, corpus, err));
    if (corpus->embedding.width > 0) {
        const uint64_t shape[] = {corpus->n_docs, corpus->embedding.width};
        GB_TRY(gb_store_array(w, "embedding", GB_F32, 2, shape, corpus->embedding.value, err));
    }
done:
    return st;
}

gb_status gb_corpus_put(gb_store_writer *w, const gb_corpus *corpus, gb_error *err)
{
    return put_corpus(w, corpus, true, err);
}

gb_status gb_corpus_put_outline(gb_store_writer *w, const gb_corpus *corpus, gb_error *err)
{
    return put_corpus(w, corpus, false, err);
}

gb_status gb_corpus_write(const gb_corpus *corpus, const char *path, bool force, gb_error *err)
{
    gb_status st = GB_OK;
    gb_store_writer *w = NULL;
    GB_TRY(gb_corpus_check_tokens(corpus, err));
    GB_TRY(gb_store_create(&w, "corpus", err));
    GB_TRY(gb_corpus_put(w, corpus, err));
    GB_TRY(gb_store_save(w, path, force, err));
done:
    gb_store_writer_free(w);
    return st;
}

/* ---- reading: arrays ---- */

/* An array of any length, which goes to *length. */
static gb_status get_array(const gb_store *s, const char *name, gb_dtype type, uint64_t *length, void *out,
                           gb_error *err)
{
    const void *data;
    gb_status st = gb_store_get_array(s, name, type, 1, length, &data, err);
    if (st == GB_OK)
        memcpy(out, &data, sizeof data);
    return st;
}

static gb_status get_array_of(const gb_store *s, const char *name, gb_dtype type, uint64_t wanted, void *out,
                              gb_error *err)
{
    uint64_t length;
    gb_status st = get_array(s, name, type, &length, out, err);
    if (st == GB_OK && length != wanted)
        st = gb_fail(err, GB_EFORMAT, "%s: array \"%s\" has %" PRIu64 " entries, expected %" PRIu64, gb_store_path(s),
                     name, length, wanted);
    return st;
}

/* Offsets into an array of `end` entries: the first 0, none smaller than the one before, the last `end`. */
static gb_status check_offsets(const gb_store *s, const char *name, const uint64_t *start, uint64_t count,
                               uint64_t end, gb_error *err)
{
    if (start[0] != 0)
        return gb_fail(err, GB_EFORMAT, "%s: array \"%s\" does not begin with 0", gb_store_path(s), name);
    for (uint64_t i = 0; i < count; i++)
        if (start[i + 1] < start[i])
            return gb_fail(err, GB_EFORMAT, "%s: array \"%s\" falls at entry %" PRIu64, gb_store_path(s), name,
                           i + 1);
    if (start[count] != end)
        return gb_fail(err, GB_EFORMAT, "%s: array \"%s\" ends at %" PRIu64 ", expected %" PRIu64, gb_store_path(s),
                       name, start[count], end);
    return GB_OK;
}

/* Offsets with one entry more than there are things; the number of things goes to *count. */
static gb_status get_offsets(const gb_store *s, const char *name, uint64_t *count, const uint64_t **out,
                             gb_error *err)
{
    uint64_t length;
    gb_status st = get_array(s, name, GB_U64, &length, out, err);
    if (st == GB_OK && length == 0)
        st = gb_fail(err, GB_EFORMAT, "%s: array \"%s\" is empty, expected at least one entry", gb_store_path(s),
                     name);
    if (st == GB_OK)
        *count = length - 1;
    return st;
}

/* Texts of documents may have lines. */
static const char *text_fault(const char *text, size_t length)
{
    return gb_text_valid_length(text, length) < length ? "is not valid UTF-8" : NULL;
}

/* @param fault_of  as gb_text_fault() */
static gb_status get_texts_with(const gb_store *s, const char *name, const char *(*fault_of)(const char *, size_t),
                                gb_texts *out, gb_error *err)
{
    gb_status st = GB_OK;
    char start[NAME_ROOM], bytes[NAME_ROOM];
    uint64_t n_bytes;
    (void)snprintf(start, sizeof start, "%s_start", name);
    (void)snprintf(bytes, sizeof bytes, "%s_bytes", name);
    GB_TRY(get_offsets(s, start, &out->count, &out->start, err));
    GB_TRY(get_array(s, bytes, GB_U8, &n_bytes, &out->bytes, err));
    GB_TRY(check_offsets(s, start, out->start, out->count, n_bytes, err));
    for (uint64_t i = 0; i < out->count; i++) {
        const char *fault = fault_of(out->bytes + out->start[i], (size_t)(out->start[i + 1] - out->start[i]));
        if (fault != NULL) {
            st = gb_fail(err, GB_EFORMAT, "%s: array \"%s\": text %" PRIu64 " %s", gb_store_path(s), bytes, i + 1,
                         fault);
            goto done;
        }
    }
done:
    return st;
}

static gb_status get_texts(const gb_store *s, const char *name, gb_texts *out, gb_error *err)
{
    return get_texts_with(s, name, gb_text_fault, out, err);
}

static gb_status check_below(const gb_store *s, const char *name, const uint32_t *number, uint64_t count,
                             uint64_t limit, gb_error *err)
{
    for (uint64_t i = 0; i < count; i++)
        if (number[i] >= limit)
            return gb_fail(err, GB_EFORMAT,
                           "%s: array \"%s\": entry %" PRIu64 " is %" PRIu32 ", expected less than %" PRIu64,
                           gb_store_path(s), name, i, number[i], limit);
    return GB_OK;
}

/* ---- reading: words ---- */

static int compare_texts(const gb_texts *t, uint64_t a, uint64_t b)
{
    return gb_text_compare(t->bytes + t->start[a], (size_t)(t->start[a + 1] - t->start[a]), t->bytes + t->start[b],
                           (size_t)(t->start[b + 1] - t->start[b]));
}

static int compare_numbers(const void *left, const void *right, void *texts)
{
    uint64_t a, b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    return compare_texts(texts, a, b);
}

static bool is_ascending(const gb_texts *t)
{
    for (uint64_t i = 0; i + 1 < t->count; i++)
        if (compare_texts(t, i, i + 1) >= 0)
            return false;
    return true;
}

/* By sorting, not by hashing: a hostile file could make all its words fall into one bucket. */
static gb_status check_words_differ(const gb_store *s, gb_texts *t, gb_error *err)
{
    gb_status st = GB_OK;
    uint64_t *order = NULL;
    if (is_ascending(t))
        return GB_OK;
    GB_TRY(gb_alloc(&order, (size_t)t->count, sizeof order[0], "the vocabulary", err));
    for (uint64_t i = 0; i < t->count; i++)
        order[i] = i;
    qsort_r(order, (size_t)t->count, sizeof order[0], compare_numbers, t);
    for (uint64_t i = 0; i + 1 < t->count; i++)
        if (compare_texts(t, order[i], order[i + 1]) == 0) {
            const char *word = t->bytes + t->start[order[i]];
            size_t length = (size_t)(t->start[order[i] + 1] - t->start[order[i]]);
            st = gb_fail(err, GB_EFORMAT, "%s: the word \"%.*s\" is in the vocabulary twice", gb_store_path(s),
                         gb_text_shown(word, length), word);
            goto done;
        }
done:
    gb_free(order);
    return st;
}

static gb_status read_documents(const gb_store *s, bool with_tokens, gb_corpus *c, gb_error *err)
{
    gb_status st = GB_OK;
    GB_TRY(get_offsets(s, "doc_start", &c->n_docs, &c->doc_start, err));
    c->n_tokens = c->doc_start[c->n_docs];
    if (with_tokens)
        GB_TRY(get_array(s, "word", GB_U32, &c->n_tokens, &c->word, err));
    GB_TRY(check_offsets(s, "doc_start", c->doc_start, c->n_docs, c->n_tokens, err));
    GB_TRY(get_texts(s, "id", &c->ids, err));
    if (c->ids.count != c->n_docs) {
        st = gb_fail(err, GB_EFORMAT, "%s: %" PRIu64 " ids for %" PRIu64 " documents", gb_store_path(s), c->ids.count,
                     c->n_docs);
        goto done;
    }
    if (with_tokens && gb_store_has_array(s, "text_start"))
        GB_TRY(get_texts_with(s, "text", text_fault, &c->text, err));
    if (c->text.count != 0 && c->text.count != c->n_docs) {
        st = gb_fail(err, GB_EFORMAT, "%s: %" PRIu64 " texts for %" PRIu64 " documents", gb_store_path(s),
                     c->text.count, c->n_docs);
        goto done;
    }
    GB_TRY(get_texts(s, "word", &c->vocabulary, err));
    c->n_words = c->vocabulary.count;
    if (c->n_words > UINT32_MAX) {
        st = gb_fail(err, GB_EFORMAT, "%s: more than %" PRIu32 " words", gb_store_path(s), UINT32_MAX);
        goto done;
    }
    if (with_tokens)
        GB_TRY(check_below(s, "word", c->word, c->n_tokens, c->n_words, err));
    GB_TRY(check_words_differ(s, &c->vocabulary, err));
done:
    return st;
}

/* ---- reading: labels ---- */

/* What is wrong with the labels of document d, or NULL. */
static const char *label_fault(const gb_labels *l, uint64_t d)
{
    uint64_t n = l->doc_start[d + 1] - l->doc_start[d];
    const uint32_t *class_of = l->class_of + l->doc_start[d];
    if (l->labelled[d] > 1)
        return "is neither labelled nor unlabelled";
    if (!l->labelled[d] && n > 0)
        return "is not labelled but has a class";
    if (!l->several && n != l->labelled[d])
        return "should have one class if it is labelled";
    for (uint64_t i = 0; i + 1 < n; i++)
        if (class_of[i] >= class_of[i + 1])
            return "has classes that do not ascend";
    return NULL;
}

static gb_status check_labels(const gb_store *s, const gb_labels *l, uint64_t n_docs, gb_error *err)
{
    const char *kind = l->role == GB_ROLE_RESPONSE  ? "label field"
                       : l->role == GB_ROLE_GROUP   ? "group field"
                       : l->role == GB_ROLE_CLUSTER ? "cluster field"
                                                    : "covariate";
    if (!is_ascending(&l->classes))
        return gb_fail(err, GB_EFORMAT, "%s: %s \"%s\": the classes are not sorted", gb_store_path(s), kind, l->name);
    for (uint64_t d = 0; d < n_docs; d++) {
        const char *fault = label_fault(l, d);
        if (fault != NULL)
            return gb_fail(err, GB_EFORMAT, "%s: %s \"%s\": document %" PRIu64 " %s", gb_store_path(s), kind, l->name,
                           d + 1, fault);
    }
    return GB_OK;
}

static gb_status read_label_field(const gb_store *s, size_t field, uint64_t n_docs, gb_labels *l, gb_error *err)
{
    gb_status st = GB_OK;
    char name[NAME_ROOM];
    uint64_t n_classes;
    (void)snprintf(name, sizeof name, "label%zu_class", field);
    GB_TRY(get_texts(s, name, &l->classes, err));
    (void)snprintf(name, sizeof name, "label%zu_class_of", field);
    GB_TRY(get_array(s, name, GB_U32, &n_classes, &l->class_of, err));
    GB_TRY(check_below(s, name, l->class_of, n_classes, l->classes.count, err));
    (void)snprintf(name, sizeof name, "label%zu_doc_start", field);
    GB_TRY(get_array_of(s, name, GB_U64, n_docs + 1, &l->doc_start, err));
    GB_TRY(check_offsets(s, name, l->doc_start, n_docs, n_classes, err));
    (void)snprintf(name, sizeof name, "label%zu_labelled", field);
    GB_TRY(get_array_of(s, name, GB_U8, n_docs, &l->labelled, err));
    GB_TRY(check_labels(s, l, n_docs, err));
done:
    return st;
}

gb_status gb_get_json(const gb_store *s, const char *name, json_t **out, gb_error *err)
{
    gb_status st = GB_OK;
    const char *text;
    GB_TRY(gb_store_get_text(s, name, &text, err));
    GB_TRY(gb_store_check_memory(s, gb_json_memory(text, strlen(text)), TEXT_SHARE, "a description", err));
    if (gb_json_is_modest(text, strlen(text), MAX_DEPTH, MAX_VALUES))
        st = gb_json_parse(text, strlen(text), 0, out, NULL, err);
    if (*out == NULL && st != GB_ENOMEM)
        st = gb_fail(err, GB_EFORMAT, "%s: text \"%s\" is not JSON, or too large", gb_store_path(s), name);
done:
    return st;
}

static gb_status get_object(const gb_store *s, const char *name, json_t **out, gb_error *err)
{
    gb_status st = gb_get_json(s, name, out, err);
    if (st == GB_OK && !json_is_object(*out))
        st = gb_fail(err, GB_EFORMAT, "%s: text \"%s\" is not a JSON object", gb_store_path(s), name);
    return st;
}

/* The name of an entry if it is clean and new, else NULL; fields before label `n_labels` and number `n_numbers` have
 * their names. */
static const char *new_name(const json_t *entry, const gb_corpus *c, size_t n_labels, size_t n_numbers)
{
    const json_t *name = json_object_get(entry, "name");
    const char *text = json_string_value(name);
    if (text == NULL || gb_text_fault(text, json_string_length(name)) != NULL)
        return NULL;
    for (size_t i = 0; i < n_labels; i++)
        if (strcmp(c->labels[i].name, text) == 0)
            return NULL;
    for (size_t i = 0; i < n_numbers; i++)
        if (strcmp(c->numbers[i].name, text) == 0)
            return NULL;
    return text;
}

/* The role of an entry; `missing` is the one of an entry without. */
static bool read_role(const json_t *entry, gb_role missing, gb_role *role)
{
    const json_t *value = json_object_get(entry, "role");
    const char *text = json_string_value(value);
    *role = missing;
    if (value == NULL)
        return true;
    for (size_t i = 0; text != NULL && gb_role_word(i) != NULL; i++)
        if (strcmp(text, gb_role_word(i)) == 0) {
            *role = (gb_role)i;
            return true;
        }
    return false;
}

static gb_status read_label_name(const gb_store *s, const json_t *entry, gb_corpus *c, size_t field, gb_error *err)
{
    const json_t *several = json_object_get(entry, "several");
    const char *text = new_name(entry, c, field, 0);
    char *copy = NULL;
    gb_role role;
    if (text == NULL || !json_is_boolean(several))
        return gb_fail(err, GB_EFORMAT, "%s: text \"labels\": entry %zu should be a new name, and \"several\"",
                       gb_store_path(s), field + 1);
    if (!read_role(entry, GB_ROLE_RESPONSE, &role) || role == GB_ROLE_EXPOSURE || role == GB_ROLE_WEIGHT)
        return gb_fail(err, GB_EFORMAT,
                       "%s: text \"labels\": entry %zu should be a response, a covariate, a group or a cluster",
                       gb_store_path(s), field + 1);
    if ((role == GB_ROLE_GROUP || role == GB_ROLE_CLUSTER) && json_is_true(several))
        return gb_fail(err, GB_EFORMAT, "%s: text \"labels\": entry %zu should be a %s without \"several\"",
                       gb_store_path(s), field + 1, gb_role_word(role));
    gb_status st = gb_copy_text(&copy, text, strlen(text), err);
    c->labels[field].name = copy;
    c->labels[field].role = role;
    c->labels[field].several = json_is_true(several);
    return st;
}

static gb_status read_labels(const gb_store *s, gb_corpus *c, gb_error *err)
{
    gb_status st = GB_OK;
    json_t *list = NULL;
    GB_TRY(gb_get_json(s, "labels", &list, err));
    if (!json_is_array(list)) {
        st = gb_fail(err, GB_EFORMAT, "%s: text \"labels\" is not a JSON list", gb_store_path(s));
        goto done;
    }
    GB_TRY(gb_alloc(&c->labels, json_array_size(list), sizeof c->labels[0], "label fields", err));
    c->n_labels = json_array_size(list);
    for (size_t i = 0; i < c->n_labels; i++) {
        GB_TRY(read_label_name(s, json_array_get(list, i), c, i, err));
        GB_TRY(read_label_field(s, i, c->n_docs, &c->labels[i], err));
    }
done:
    json_decref(list);
    return st;
}

/* ---- reading: numbers ---- */

static gb_status read_number_name(const gb_store *s, const json_t *entry, gb_corpus *c, size_t field, gb_error *err)
{
    const char *text = new_name(entry, c, c->n_labels, field);
    char *copy = NULL;
    gb_role role = GB_ROLE_RESPONSE;
    bool ok = text != NULL && json_object_get(entry, "role") != NULL && read_role(entry, GB_ROLE_RESPONSE, &role);
    ok = ok && role != GB_ROLE_GROUP && role != GB_ROLE_CLUSTER;
    for (size_t i = 0; i < field && ok; i++)
        ok = c->numbers[i].role != role || role == GB_ROLE_RESPONSE || role == GB_ROLE_COVARIATE ||
             role == GB_ROLE_PREVALENCE;
    if (!ok)
        return gb_fail(err, GB_EFORMAT,
                       "%s: text \"numbers\": entry %zu should be a new name, and the role \"response\", "
                       "\"covariate\", \"prevalence\", \"exposure\" or \"weight\" (these two once)",
                       gb_store_path(s), field + 1);
    gb_status st = gb_copy_text(&copy, text, strlen(text), err);
    c->numbers[field].name = copy;
    c->numbers[field].role = role;
    return st;
}

static gb_status read_number_field(const gb_store *s, size_t field, uint64_t n_docs, gb_numbers *out, gb_error *err)
{
    gb_status st;
    char name[NAME_ROOM];
    (void)snprintf(name, sizeof name, "number%zu_value", field);
    GB_TRY(get_array_of(s, name, GB_F64, n_docs, &out->value, err));
    for (uint64_t d = 0; d < n_docs; d++) {
        const char *fault = gb_number_fault(out->role, out->value[d]);
        if (fault != NULL)
            return gb_fail(err, GB_EFORMAT, "%s: field \"%s\": document %" PRIu64 ": %.9g %s", gb_store_path(s),
                           out->name, d + 1, out->value[d], fault);
    }
done:
    return st;
}

static gb_status read_numbers(const gb_store *s, gb_corpus *c, gb_error *err)
{
    gb_status st = GB_OK;
    const char *text;
    json_t *list = NULL;
    if (gb_store_get_text(s, "numbers", &text, NULL) != GB_OK)
        return GB_OK;
    GB_TRY(gb_get_json(s, "numbers", &list, err));
    if (!json_is_array(list)) {
        st = gb_fail(err, GB_EFORMAT, "%s: text \"numbers\" is not a JSON list", gb_store_path(s));
        goto done;
    }
    GB_TRY(gb_alloc(&c->numbers, json_array_size(list), sizeof c->numbers[0], "fields of numbers", err));
    c->n_numbers = json_array_size(list);
    for (size_t i = 0; i < c->n_numbers; i++) {
        GB_TRY(read_number_name(s, json_array_get(list, i), c, i, err));
        GB_TRY(read_number_field(s, i, c->n_docs, &c->numbers[i], err));
    }
done:
    json_decref(list);
    return st;
}

static bool row_is_missing(const float *row, size_t width)
{
    size_t j = 0;
    while (j < width && isnan(row[j]))
        j++;
    return j == width;
}

static gb_status read_embedding(const gb_store *s, gb_corpus *c, gb_error *err)
{
    gb_status st = GB_OK;
    uint64_t shape[2];
    const void *data;
    if (!gb_store_has_array(s, "embedding"))
        return GB_OK;
    GB_TRY(gb_store_get_array(s, "embedding", GB_F32, 2, shape, &data, err));
    if (shape[0] != c->n_docs || shape[1] == 0 || shape[1] > GB_MOST_EMBEDDING_COLUMNS)
        return gb_fail(err, GB_EFORMAT,
                       "%s: array \"embedding\" should have %" PRIu64 " rows of 1 to %d numbers, not %" PRIu64
                       " of %" PRIu64,
                       gb_store_path(s), c->n_docs, GB_MOST_EMBEDDING_COLUMNS, shape[0], shape[1]);
    c->embedding = (gb_embedding){(size_t)shape[1], data};
    for (uint64_t d = 0; d < c->n_docs; d++) {
        const float *row = c->embedding.value + d * c->embedding.width;
        const bool is_missing = row_is_missing(row, c->embedding.width);
        for (size_t j = 0; j < c->embedding.width && !is_missing; j++)
            if (!isfinite(row[j]))
                return gb_fail(err, GB_EFORMAT,
                               "%s: array \"embedding\": document %" PRIu64 ", column %zu is not a finite number",
                               gb_store_path(s), d + 1, j + 1);
    }
done:
    return st;
}

static gb_status corpus_of_store(gb_store *s, bool with_tokens, gb_corpus **out, gb_error *err)
{
    gb_status st = GB_OK;
    gb_corpus *c = NULL;
    GB_TRY(gb_alloc(&c, 1, sizeof *c, "a corpus", err));
    c->owner = s;
    s = NULL;
    GB_TRY(read_documents(c->owner, with_tokens, c, err));
    GB_TRY(get_object(c->owner, "preparation", &c->preparation, err));
    GB_TRY(get_object(c->owner, "source", &c->source, err));
    GB_TRY(read_labels(c->owner, c, err));
    GB_TRY(read_numbers(c->owner, c, err));
    GB_TRY(read_embedding(c->owner, c, err));
    *out = c;
    c = NULL;
done:
    gb_store_close(s);
    gb_corpus_free(c);
    return st;
}

gb_status gb_corpus_outline_of_store(gb_store *s, gb_corpus **out, gb_error *err)
{
    return corpus_of_store(s, false, out, err);
}

gb_status gb_corpus_open_file(const char *path, gb_corpus **out, gb_error *err)
{
    gb_store *s = NULL;
    const gb_status st = gb_store_open(&s, path, "corpus", err);
    return st == GB_OK ? corpus_of_store(s, true, out, err) : st;
}

gb_status gb_corpus_copy_file(const char *path, gb_corpus **out, gb_error *err)
{
    gb_store *s = NULL;
    const gb_status st = gb_store_open_copy(&s, path, "corpus", NULL, err);
    return st == GB_OK ? corpus_of_store(s, true, out, err) : st;
}
