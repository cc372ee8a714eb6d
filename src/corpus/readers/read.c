/* corpus/readers/read.c - from an input in any format to a corpus.
 *
 * One pass: every document goes into the builder at once, with words numbered as they appear.  Only at its end is it
 * known which words stay; then the tokens are renumbered in place. */
#include "corpus/readers/read.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/size.h"
#include "corpus/data/choose_fields.h"
#include "corpus/data/input.h"
#include "corpus/data/select.h"
#include "corpus/data/shards.h"
#include "corpus/readers/document_words.h"
#include "corpus/text/find_phrases.h"

#include <stdio.h>
#include <string.h>

typedef struct reading {
    const char *path;
    const gb_settings *settings;
    gb_read_watch watch;
    gb_limits limits;
    uint64_t most_bytes, n_before; /* of memory, and what inputs before this one have of it */
    gb_reader *reader;
    gb_prepare *prepare;
    gb_words *words;
    gb_document_words document_words;
    gb_joins own_joins, *joins; /* where those of the tokens go */
    bool is_shaped_later;       /* stems and phrases are the caller's */
    gb_corpus_builder *builder;
    gb_word_selection selection;
    uint64_t *id_hash; /* to count ids that come more than once */
    size_t n_ids, ids_capacity;
} reading;

static void close_reading(reading *r)
{
    gb_reader_close(r->reader);
    gb_document_words_close(&r->document_words);
    gb_joins_free(&r->own_joins);
    gb_prepare_free(r->prepare);
    gb_words_free(r->words);
    gb_corpus_builder_free(r->builder);
    gb_word_selection_free(&r->selection);
    gb_free(r->id_hash);
}

/* ---- setting up ---------------------------------------------------------------------------------------- */

/* A corpus file brings its own preparation; stop words may be added to it. */
static gb_status open_prepare(reading *r, gb_error *err)
{
    gb_status st;
    const json_t *preparation = gb_reader_preparation(r->reader);
    if (preparation != NULL) {
        gb_error fault = {.status = GB_OK};
        st = gb_prepare_from_json(&r->prepare, preparation, &fault);
        if (st != GB_OK)
            return gb_fail(err, st, "%s: %s", gb_input_shown(r->path), fault.message);
        return gb_prepare_add_stop_words(r->prepare, gb_settings_text(r->settings, "stopwords"), &r->watch, err);
    }
    GB_TRY(gb_prepare_from_settings(&r->prepare, r->settings, &r->watch, err));
    if (!gb_reader_has_text(r->reader))
        return gb_prepare_check_counts(r->prepare, gb_input_shown(r->path), err);
done:
    return st;
}

/* With names, or a list of the only words, numbers are given in that order before the first document. */
static gb_status number_known_words(reading *r, gb_error *err)
{
    gb_status st = GB_OK;
    uint32_t number;
    const gb_texts *names = gb_reader_names(r->reader), *only = gb_reader_only(r->reader);
    const gb_texts *list = only != NULL ? only : names;
    for (uint64_t i = 0; list != NULL && i < list->count; i++) {
        gb_view word = gb_texts_view(list, i);
        if (gb_reader_has_text(r->reader) && only != NULL)
            GB_TRY(gb_prepare_check_known(r->prepare, word, err));
        if (gb_reader_has_text(r->reader))
            GB_TRY(gb_prepare_fold(r->prepare, word, &word, err));
        GB_TRY(gb_words_add(r->words, word, &number, err));
    }
    if (only != NULL && gb_reader_has_text(r->reader))
        GB_TRY(gb_prepare_know_only(r->prepare, r->words, err));
done:
    return st;
}

static gb_status open_reading(reading *r, gb_error *err)
{
    gb_status st;
    size_t n_fields = 0;
    GB_TRY(gb_limits_read(&r->limits, r->settings, err));
    GB_TRY(gb_size_from_text(gb_settings_text(r->settings, "memory-limit"), &r->most_bytes, err));
    GB_TRY(gb_reader_open(&r->reader, r->path, r->settings, &r->watch, err));
    GB_TRY(open_prepare(r, err));
    GB_TRY(gb_words_create(&r->words, err));
    GB_TRY(gb_prepare_mark_stop_words(r->prepare, r->words, err));
    GB_TRY(number_known_words(r, err));
    r->document_words.unpack_factor = (uint64_t)gb_settings_int(r->settings, "unpack-factor");
    r->document_words.prepare = r->prepare;
    r->document_words.keeps_text = gb_settings_yes(r->settings, "keep-text");
    r->document_words.words = r->words;
    r->document_words.is_closed = gb_reader_only(r->reader) != NULL;
    r->document_words.joins = gb_prepare_needs_joins(r->prepare) ? r->joins : NULL;
    GB_TRY(gb_document_words_open(&r->document_words, gb_reader_names(r->reader), err));
    GB_TRY(gb_corpus_builder_create(&r->builder, err));
    const gb_field *fields = gb_reader_fields(r->reader, &n_fields);
    GB_TRY(gb_fields_declare(fields, n_fields, true, r->builder, err));
done:
    return st;
}

/* ---- documents ----------------------------------------------------------------------------------------- */

static gb_status note_id(reading *r, const gb_raw_document *doc, gb_error *err)
{
    if (!doc->has_id)
        return GB_OK;
    gb_status st = gb_grow(&r->id_hash, &r->ids_capacity, r->n_ids + 1, sizeof r->id_hash[0], "ids", err);
    if (st == GB_OK)
        r->id_hash[r->n_ids++] = XXH3_64bits(doc->id.text, doc->id.length);
    return st;
}

static uint64_t bytes_taken(const reading *r)
{
    return r->watch.n_held + gb_corpus_builder_bytes(r->builder) + gb_words_bytes(r->words);
}

static gb_status check_memory(const reading *r, gb_error *err)
{
    if (bytes_taken(r) <= r->most_bytes)
        return GB_OK;
    const unsigned long long n = gb_reader_n_documents(r->reader);
    return gb_fail(err, GB_EARGUMENT, "`memory-limit` %s: %s: the first %llu document%s%s need%s more",
                   gb_settings_text(r->settings, "memory-limit"), gb_input_shown(r->path), n, n == 1 ? "" : "s",
                   r->n_before > 0 ? " and the inputs before" : "", n == 1 && r->n_before == 0 ? "s" : "");
}

static gb_status read_documents(reading *r, gb_error *err)
{
    gb_status st;
    const gb_raw_document *doc;
    for (;;) {
        GB_TRY(gb_reader_next(r->reader, &doc, err));
        if (doc == NULL)
            break;
        st = gb_begin_document(r->builder, r->reader, doc, err);
        GB_TRY(gb_reader_place(r->reader, err, st));
        GB_TRY(note_id(r, doc, err));
        st = gb_document_words_add(&r->document_words, doc, r->builder, err);
        GB_TRY(gb_reader_place(r->reader, err, st));
        GB_TRY(check_memory(r, err));
    }
    if (gb_reader_n_documents(r->reader) == 0)
        st = gb_fail(err, GB_EFORMAT, "%s: no documents", gb_input_shown(r->path));
done:
    return st;
}

static gb_status check_fields(const reading *r, gb_error *err)
{
    size_t n = 0;
    const gb_field *fields = gb_reader_fields(r->reader, &n);
    const char *names = gb_reader_first_names(r->reader);
    for (size_t f = 0; f < n; f++)
        if (!fields[f].seen)
            return gb_fail(err, GB_EFORMAT, "%s: no document has a field \"%s\"%s%s", gb_input_shown(r->path),
                           fields[f].name, names == NULL ? "" : "; the fields are ", names == NULL ? "" : names);
    return GB_OK;
}

/* A label that a format can have, but this input does not. */
static void drop_unused_label(const reading *r, gb_corpus *c)
{
    size_t n = 0;
    const gb_field *fields = gb_reader_fields(r->reader, &n);
    for (size_t f = 0; f < n; f++)
        for (size_t i = 0; fields[f].is_optional && i < c->n_labels; i++)
            if (strcmp(c->labels[i].name, fields[f].name) == 0 &&
                memchr(c->labels[i].labelled, 1, (size_t)c->n_docs) == NULL) {
                gb_labels_clear(&c->labels[i], false);
                memmove(&c->labels[i], &c->labels[i + 1], (c->n_labels - i - 1) * sizeof c->labels[0]);
                c->n_labels--;
                break;
            }
}

/* ---- words --------------------------------------------------------------------------------------------- */

static const char *const drop_names[GB_N_DROPS] = {"min-df", "max-df", "max-vocabulary"};

/* Which options took the words away. */
static gb_status fail_no_words(const reading *r, gb_error *err)
{
    char reasons[400] = "";
    const gb_document_words *d = &r->document_words;
    size_t length = 0, room = sizeof reasons;
    if (d->n_tokens == 0)
        return gb_fail(err, GB_EFORMAT, "%s: no words in %llu document%s%s", gb_input_shown(r->path),
                       (unsigned long long)gb_reader_n_documents(r->reader),
                       gb_reader_n_documents(r->reader) == 1 ? "" : "s",
                       gb_reader_has_text(r->reader) ? "; does `token-pattern` fit?" : "");
    if (d->n_stopped > 0)
        length += (size_t)snprintf(reasons, room, ", `stopwords` (drops %llu)",
                                   (unsigned long long)gb_words_stop_words_met(r->words));
    if (d->n_unknown > 0)
        length += (size_t)snprintf(reasons + length, room - length, ", `vocabulary` (drops %llu tokens)",
                                   (unsigned long long)d->n_unknown);
    for (size_t i = 0; i < GB_N_DROPS; i++)
        if (r->selection.n_dropped[i] > 0)
            length += (size_t)snprintf(reasons + length, room - length, ", `%s` (drops %llu)", drop_names[i],
                                       (unsigned long long)r->selection.n_dropped[i]);
    return gb_fail(err, GB_EFORMAT, "%s: no word is left; relax %s", gb_input_shown(r->path), reasons + 2);
}

static gb_status shape_words(reading *r, gb_error *err)
{
    const gb_joins *joins = r->document_words.joins;
    if (!gb_reader_has_text(r->reader) || r->is_shaped_later)
        return GB_OK;
    if (joins != NULL && bytes_taken(r) + gb_find_phrases_bytes(joins->count) > r->most_bytes)
        return gb_fail(err, GB_EARGUMENT, "`memory-limit` %s: %s: to find phrases takes more",
                       gb_settings_text(r->settings, "memory-limit"), gb_input_shown(r->path));
    return gb_prepare_shape(r->prepare, &r->limits, joins, r->words, r->builder, &r->watch, err);
}

static gb_status choose_words(reading *r, gb_error *err)
{
    gb_status st;
    gb_word_order order = GB_ORDER_KEEP;
    if (gb_reader_has_text(r->reader) && gb_reader_only(r->reader) == NULL)
        order = GB_ORDER_BYTES;
    else if (!gb_reader_has_text(r->reader) && gb_reader_names(r->reader) == NULL)
        order = GB_ORDER_NUMBERS;
    GB_TRY(shape_words(r, err));
    GB_TRY(gb_select_words(&r->selection, r->words, r->builder, &r->limits, order, err));
    if (r->selection.n_kept == 0)
        return fail_no_words(r, err);
    gb_corpus_builder_renumber(r->builder, r->selection.map);
    for (size_t i = 0; i < r->selection.n_kept; i++) {
        enum { AHEAD = 8 };
        if (i + AHEAD < r->selection.n_kept)
            gb_words_fetch(r->words, r->selection.kept[i + AHEAD]);
        gb_view word = gb_words_text(r->words, r->selection.kept[i]);
        st = gb_corpus_builder_word(r->builder, word.text, word.length, err);
        if (st != GB_OK) {
            char message[sizeof err->message];
            if (err == NULL || st != GB_EFORMAT)
                return st;
            memcpy(message, err->message, sizeof message);
            return gb_fail(err, st, "%s: %s", gb_input_shown(r->path), message);
        }
    }
done:
    return st;
}

/* ---- notes --------------------------------------------------------------------------------------------- */

static int compare_hashes(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static uint64_t count_duplicate_ids(reading *r)
{
    uint64_t n = 0;
    if (r->n_ids > 0)
        qsort(r->id_hash, r->n_ids, sizeof r->id_hash[0], compare_hashes);
    for (size_t i = 1; i < r->n_ids; i++)
        n += r->id_hash[i] == r->id_hash[i - 1];
    return n;
}

static json_t *dropped(uint64_t n_words, uint64_t n_tokens)
{
    return json_pack("{s:I, s:I}", "words", (json_int_t)n_words, "tokens", (json_int_t)n_tokens);
}

static uint64_t count_empty(const gb_corpus *c)
{
    uint64_t n = 0;
    for (uint64_t d = 0; d < c->n_docs; d++)
        n += c->doc_start[d] == c->doc_start[d + 1];
    return n;
}

/* Fill corpus.source in, which the corpus owns by now. */
static gb_status write_notes(reading *r, const gb_corpus *c, gb_error *err)
{
    gb_status st;
    const gb_document_words *d = &r->document_words;
    json_t *drops = json_pack("{s:o}", "stopwords", dropped(gb_words_stop_words_met(r->words), d->n_stopped));
    bool failed = drops == NULL ||
                  (d->is_closed && json_object_set_new(drops, "vocabulary",
                                                       json_pack("{s:I}", "tokens", (json_int_t)d->n_unknown)) != 0);
    for (size_t i = 0; i < GB_N_DROPS && !failed; i++)
        failed = json_object_set_new(drops, drop_names[i],
                                     dropped(r->selection.n_dropped[i], r->selection.n_tokens_dropped[i])) != 0;
    json_t *notes = json_pack("{s:I, s:I, s:I, s:I, s:o}", "documents", (json_int_t)c->n_docs, "empty_documents",
                              (json_int_t)count_empty(c), "duplicate_ids", (json_int_t)count_duplicate_ids(r),
                              "tokens_read", (json_int_t)d->n_tokens, "dropped", drops);
    if (failed || notes == NULL || json_object_update(c->source, notes) != 0) {
        st = gb_fail(err, GB_ENOMEM, "out of memory: notes");
        goto done;
    }
    GB_TRY(gb_prepare_notes(r->prepare, r->words, c->source, err));
    GB_TRY(gb_reader_notes(r->reader, c->source, err));
done:
    json_decref(notes);
    return st;
}

static json_t *describe_words(const reading *r)
{
    const json_t *preparation = gb_reader_preparation(r->reader);
    const char *words = json_string_value(json_object_get(preparation, "words"));
    if (words == NULL)
        words = gb_reader_has_text(r->reader) ? "text" : "counts";
    return gb_prepare_to_json(r->prepare, words);
}

static gb_status finish(reading *r, gb_corpus **out, gb_error *err)
{
    gb_status st;
    gb_corpus *c = NULL;
    json_t *preparation = describe_words(r);
    if (preparation == NULL)
        return gb_fail(err, GB_ENOMEM, "out of memory: the description of the text preparation");
    GB_TRY(gb_corpus_builder_finish(r->builder, preparation, NULL, &c, err));
    drop_unused_label(r, c);
    GB_TRY(write_notes(r, c, err));
    GB_TRY(gb_corpus_set_path(c, r->path, err));
    *out = c;
    c = NULL;
done:
    gb_corpus_free(c);
    return st;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static gb_status check_corpus_options(const char *path, const gb_settings *settings, gb_error *err)
{
    static const char *const too_late[] = {"lowercase", "token-pattern", "word-breaks", "stem",
                                           "ngrams",    "phrase-min-df", "phrase-score"};
    for (size_t i = 0; i < sizeof too_late / sizeof too_late[0]; i++)
        if (gb_settings_is_set(settings, too_late[i]))
            return gb_fail(err, GB_EARGUMENT,
                           "`%s`: %s is a corpus file, whose words are already made; import the text again",
                           too_late[i], path);
    return GB_OK;
}

/* Options that make another corpus out of a corpus file. */
static bool changes_corpus(const gb_settings *settings)
{
    static const char *const names[] = {"stopwords",  "min-df",   "max-df",     "max-vocabulary",
                                        "vocabulary", "metadata", "embeddings", "document-ids"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (gb_settings_is_set(settings, names[i]))
            return true;
    return false;
}

/* gb_corpus_open(), gb_corpus_open_copy() or gb_outline_open(). */
typedef gb_status open_function(const char *path, gb_corpus **out, gb_error *err);

/* A corpus file as it is, with the fields that the options choose. */
static gb_status open_as_it_is(const char *path, const gb_settings *settings, open_function *open, gb_corpus **out,
                               gb_error *err)
{
    gb_status st;
    gb_corpus *c = NULL;
    gb_field *fields = NULL;
    size_t n_fields = 0;
    GB_TRY(gb_fields_from_settings(&fields, &n_fields, settings, err));
    GB_TRY(open(path, &c, err));
    GB_TRY(gb_corpus_choose_fields(c, path, fields, n_fields, err));
    GB_TRY(gb_corpus_set_path(c, path, err));
    *out = c;
    c = NULL;
done:
    gb_corpus_free(c);
    gb_fields_free(fields, n_fields);
    return st;
}

static gb_status read_input(const char *path, const gb_settings *settings, gb_joins *joins, uint64_t n_before,
                            open_function *open, gb_on_read *on_read, void *user, gb_corpus **out, gb_error *err)
{
    gb_status st;
    reading r = {.path = path, .settings = settings, .n_before = n_before, .is_shaped_later = joins != NULL};
    r.joins = joins != NULL ? joins : &r.own_joins;
    gb_read_watch_begin(&r.watch, on_read, user);
    r.watch.n_held = n_before;
    if (gb_is_corpus_file(path, settings)) {
        GB_TRY(check_corpus_options(path, settings, err));
        if (!changes_corpus(settings))
            return open_as_it_is(path, settings, open, out, err);
    }
    GB_TRY(open_reading(&r, err));
    GB_TRY(read_documents(&r, err));
    GB_TRY(check_fields(&r, err));
    GB_TRY(choose_words(&r, err));
    GB_TRY(finish(&r, out, err));
done:
    close_reading(&r);
    return st;
}

gb_status gb_corpus_read(const char *path, const gb_settings *settings, gb_on_read *on_read, void *user,
                         gb_corpus **out, gb_error *err)
{
    return read_input(path, settings, NULL, 0, gb_corpus_open, on_read, user, out, err);
}

gb_status gb_corpus_read_copy(const char *path, const gb_settings *settings, gb_on_read *on_read, void *user,
                              gb_corpus **out, gb_error *err)
{
    return read_input(path, settings, NULL, 0, gb_corpus_open_copy, on_read, user, out, err);
}

gb_status gb_corpus_read_unshaped(const char *path, const gb_settings *settings, gb_joins *joins, uint64_t n_before,
                                  gb_on_read *on_read, void *user, gb_corpus **out, gb_error *err)
{
    return read_input(path, settings, joins, n_before, gb_corpus_open, on_read, user, out, err);
}

gb_status gb_corpus_read_for_training(const char *path, const gb_settings *settings, gb_on_read *on_read, void *user,
                                      gb_corpus **out, gb_error *err)
{
    const bool words_are_columns = gb_settings_has_word_effects(settings); /* of all documents */
    const bool is_outline = gb_team_size(gb_settings_team(settings)) > 1 && gb_is_corpus_file(path, settings) &&
                            gb_is_manifest(path) && !changes_corpus(settings) && !words_are_columns;
    if (!is_outline) /* ranks share what is mapped */
        return gb_team_size(gb_settings_team(settings)) > 1
                   ? gb_corpus_read(path, settings, on_read, user, out, err)
                   : gb_corpus_read_copy(path, settings, on_read, user, out, err);
    const gb_status st = check_corpus_options(path, settings, err);
    return st == GB_OK ? open_as_it_is(path, settings, gb_outline_open, out, err) : st;
}
