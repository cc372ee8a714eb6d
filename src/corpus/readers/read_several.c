/* corpus/readers/read_several.c - several inputs as one corpus.
 *
 * Each input is read as a corpus of its own, without limits on its words; its documents go into one builder, where words get numbers
 * as they appear.  At the end the limits choose among the words of all, and words get their final order: that of the bytes if it
 * is the order of each input, as with texts; that of their numbers, if they have no names; else the order in which they appeared. */
#include "base/memory.h"
#include "base/size.h"
#include "corpus/data/copy.h"
#include "corpus/data/corpus.h"
#include "corpus/data/read_watch.h"
#include "corpus/data/select.h"
#include "corpus/data/words.h"
#include "corpus/readers/read.h"
#include "corpus/readers/reader.h"
#include "corpus/text/find_phrases.h"
#include "corpus/text/prepare.h"

#include <stdio.h>
#include <string.h>

typedef struct several {
    const gb_settings *settings;
    gb_settings *each;   /* of an input: without limits */
    gb_read_watch watch; /* counts the documents of the inputs before this one */
    gb_limits limits;
    uint64_t most_bytes; /* of memory */
    gb_corpus_builder *builder;
    gb_words *words;
    gb_corpus *first; /* the first input without its documents: the others must have its fields */
    const char *first_path;
    size_t *labels, *numbers; /* its fields by their numbers in the builder */
    bool is_sorted;           /* the words of each input so far are */
    bool is_numbered;         /* they are numbers, which ascend */
    json_t *sources;          /* by number of the input, as text */
    gb_joins joins;           /* of the tokens in the builder */
    gb_prepare *prepare;
    gb_word_selection selection;
} several;

/* ---- progress ------------------------------------------------------------------------------------------ */

/* Of one input, as progress of all. */
static bool on_read(const gb_read_progress *progress, void *user)
{
    const gb_read_watch *watch = user;
    gb_read_progress all = *progress;
    all.n_docs += watch->n_docs;
    all.seconds = gb_seconds() - watch->begun;
    return watch->on_read(&all, watch->user);
}

/* ---- memory -------------------------------------------------------------------------------------------- */

static uint64_t bytes_taken(const several *s)
{
    return gb_corpus_builder_bytes(s->builder) + gb_words_bytes(s->words) + s->joins.capacity * sizeof *s->joins.bits;
}

/* @param n_bytes  of the input at hand, which is copied */
static gb_status check_memory(const several *s, const char *path, uint64_t n_bytes, gb_error *err)
{
    if (bytes_taken(s) + n_bytes <= s->most_bytes)
        return GB_OK;
    return gb_fail(err, GB_EARGUMENT, "`memory-limit` %s: the inputs up to %s need more",
                   gb_settings_text(s->settings, "memory-limit"), path);
}

/* ---- fields -------------------------------------------------------------------------------------------- */

static gb_status declare_labels(several *s, size_t i, gb_error *err)
{
    const gb_labels *l = &s->first->labels[i];
    if (l->role == GB_ROLE_RESPONSE)
        return gb_corpus_builder_labels(s->builder, l->name, l->several, &s->labels[i], err);
    if (l->role == GB_ROLE_GROUP)
        return gb_corpus_builder_group(s->builder, l->name, &s->labels[i], err);
    if (l->role == GB_ROLE_CLUSTER)
        return gb_corpus_builder_cluster(s->builder, l->name, &s->labels[i], err);
    if (l->role == GB_ROLE_PREVALENCE)
        return gb_corpus_builder_prevalence(s->builder, l->name, l->several ? GB_KIND_SEVERAL : GB_KIND_ONE,
                                            &s->labels[i], err);
    return gb_corpus_builder_factor(s->builder, l->name, l->several, &s->labels[i], err);
}

static gb_status declare_fields(several *s, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(&s->labels, s->first->n_labels, sizeof *s->labels, "fields", err));
    GB_TRY(gb_alloc(&s->numbers, s->first->n_numbers, sizeof *s->numbers, "fields", err));
    for (size_t i = 0; i < s->first->n_labels; i++)
        GB_TRY(declare_labels(s, i, err));
    for (size_t i = 0; i < s->first->n_numbers; i++) {
        const gb_numbers *n = &s->first->numbers[i];
        GB_TRY(gb_corpus_builder_numbers(s->builder, n->name, n->role, &s->numbers[i], err));
    }
done:
    return st;
}

/* What is wrong with field `number` of `a` in `b`, or NULL. */
static const char *field_fault(const gb_corpus *a, uint64_t number, const gb_corpus *b)
{
    const char *name;
    gb_role role, other_role;
    gb_field_kind kind, other_kind;
    uint64_t other;
    (void)gb_corpus_field(a, number, &name, &role, &kind);
    if (!gb_corpus_find_field(b, name, &other))
        return "is in one of them only";
    (void)gb_corpus_field(b, other, NULL, &other_role, &other_kind);
    return role != other_role || kind != other_kind ? "has another kind there" : NULL;
}

/* Fields may stand in another order. */
static gb_status check_fields(const several *s, const gb_corpus *c, const char *path, gb_error *err)
{
    const gb_corpus *side[2] = {s->first, c};
    if (c->embedding.width != s->first->embedding.width)
        return gb_fail(err, GB_EFORMAT, "%s: does not go with %s: embeddings of %zu numbers, and of %zu there", path,
                       s->first_path, c->embedding.width, s->first->embedding.width);
    for (size_t i = 0; i < 2; i++) {
        const char *name;
        for (uint64_t f = 0; gb_corpus_field(side[i], f, &name, NULL, NULL); f++) {
            const char *fault = field_fault(side[i], f, side[1 - i]);
            if (fault != NULL)
                return gb_fail(err, GB_EFORMAT, "%s: does not go with %s: the field \"%s\" %s", path, s->first_path,
                               name, fault);
        }
    }
    return GB_OK;
}

/* ---- documents ----------------------------------------------------------------------------------------- */

static bool is_number(gb_view word)
{
    uint64_t number;
    return gb_view_to_u64(word, &number) && word.text[0] != '0';
}

/* In which orders the words of an input are. */
static void note_order(several *s, const gb_texts *words)
{
    for (uint64_t w = 0; w < words->count; w++) {
        const gb_view word = gb_texts_view(words, w), before = gb_texts_view(words, w > 0 ? w - 1 : w);
        const bool ascends = gb_text_compare(before.text, before.length, word.text, word.length) < 0;
        s->is_sorted = s->is_sorted && (w == 0 || ascends);
        s->is_numbered = s->is_numbered && is_number(word) &&
                         (w == 0 || before.length < word.length || (before.length == word.length && ascends));
    }
}

static gb_word_order order_of_words(const several *s)
{
    const char *words = json_string_value(json_object_get(s->first->preparation, "words"));
    const bool is_text = words != NULL && strcmp(words, "text") == 0;
    if (s->is_numbered && !is_text)
        return GB_ORDER_NUMBERS;
    return s->is_sorted ? GB_ORDER_BYTES : GB_ORDER_KEEP;
}

static gb_status number_words(several *s, const gb_corpus *c, uint32_t **out, gb_error *err)
{
    gb_status st;
    uint32_t *number = NULL;
    note_order(s, &c->vocabulary);
    GB_TRY(gb_alloc(&number, c->n_words, sizeof *number, "words", err));
    for (uint64_t w = 0; w < c->n_words; w++)
        GB_TRY(gb_words_add(s->words, gb_texts_view(&c->vocabulary, w), &number[w], err));
    *out = number;
    number = NULL;
done:
    gb_free(number);
    return st;
}

/* Of each field of an input, its number in the builder; the fields are those of the first input. */
static gb_status find_fields(const several *s, const gb_corpus *c, size_t **out, gb_error *err)
{
    const gb_corpus *first = s->first;
    size_t *at = NULL;
    const char *name;
    const gb_status st = gb_alloc(&at, (size_t)gb_corpus_n_fields(c), sizeof *at, "fields", err);
    for (uint64_t f = 0; st == GB_OK && gb_corpus_field(c, f, &name, NULL, NULL); f++) {
        uint64_t same = 0;
        (void)gb_corpus_find_field(first, name, &same);
        at[f] = same < first->n_labels ? s->labels[same] : s->numbers[same - first->n_labels];
    }
    *out = at;
    return st;
}

static gb_status add_classes(several *s, const gb_labels *l, size_t field, uint64_t d, gb_error *err)
{
    gb_status st = GB_OK;
    if (l->labelled[d])
        GB_TRY(gb_corpus_builder_labelled(s->builder, field, err));
    for (uint64_t i = l->doc_start[d]; i < l->doc_start[d + 1]; i++) {
        const gb_view name = gb_texts_view(&l->classes, l->class_of[i]);
        GB_TRY(gb_corpus_builder_class(s->builder, field, name.text, name.length, err));
    }
done:
    return st;
}

static gb_status add_words(several *s, const gb_corpus *c, const uint32_t *number, uint64_t d, gb_error *err)
{
    gb_status st = GB_OK;
    uint32_t some[256];
    size_t n = 0;
    for (uint64_t i = c->doc_start[d]; i < c->doc_start[d + 1]; i++) {
        some[n++] = number[c->word[i]];
        if (n < sizeof some / sizeof some[0] && i + 1 < c->doc_start[d + 1])
            continue;
        GB_TRY(gb_corpus_builder_tokens(s->builder, some, n, err));
        n = 0;
    }
done:
    return st;
}

/* The arrays of a corpus file lie in the file. */
static gb_status add_documents(several *s, const gb_corpus *c, const char *path, const uint32_t *number,
                               gb_error *err)
{
    gb_status st;
    size_t *at = NULL;
    const size_t width = c->embedding.width;
    const uint64_t n_bytes = gb_is_corpus_file(path, s->each) ? 0 : gb_corpus_bytes(c);
    GB_TRY(find_fields(s, c, &at, err));
    for (uint64_t d = 0; d < c->n_docs; d++) {
        GB_TRY(gb_read_watch_ask(&s->watch, err));
        const gb_view id = gb_texts_view(&c->ids, d);
        GB_TRY(gb_corpus_builder_document(s->builder, id.text, id.length, err));
        if (c->text.count > 0)
            GB_TRY(gb_corpus_builder_text(s->builder, gb_texts_view(&c->text, d), err));
        GB_TRY(add_words(s, c, number, d, err));
        for (size_t i = 0; i < c->n_labels; i++)
            GB_TRY(add_classes(s, &c->labels[i], at[i], d, err));
        for (size_t i = 0; i < c->n_numbers; i++)
            GB_TRY(gb_corpus_builder_number(s->builder, at[c->n_labels + i], c->numbers[i].value[d], err));
        if (width > 0)
            GB_TRY(gb_corpus_builder_embedding(s->builder, width, c->embedding.value + d * width, err));
        GB_TRY(check_memory(s, path, n_bytes, err));
    }
done:
    gb_free(at);
    return st;
}

/* ---- inputs -------------------------------------------------------------------------------------------- */

static gb_status check_preparation(const several *s, const gb_corpus *c, const char *path, gb_error *err)
{
    if (json_equal(s->first->preparation, c->preparation))
        return GB_OK;
    return gb_fail(err, GB_EFORMAT,
                   "%s: does not go with %s: words were made in another way; import both with the same options", path,
                   s->first_path);
}

static gb_status note_source(several *s, const gb_corpus *c, gb_error *err)
{
    char number[24];
    (void)snprintf(number, sizeof number, "%zu", json_object_size(s->sources) + 1);
    return json_object_set_new(s->sources, number, json_deep_copy(c->source)) == 0 ? GB_OK
                                                                                   : gb_fail_memory(err, 0, "notes");
}

static gb_status add_input(several *s, const char *path, gb_error *err)
{
    gb_status st;
    gb_corpus *c = NULL;
    uint32_t *number = NULL;
    GB_TRY(gb_corpus_read_unshaped(path, s->each, &s->joins, bytes_taken(s),
                                   s->watch.on_read == NULL ? NULL : on_read, &s->watch, &c, err));
    s->watch.n_docs += c->n_docs;
    if (s->first == NULL) {
        s->first_path = path;
        GB_TRY(gb_corpus_copy_documents(c, 0, 0, &s->first, err));
        GB_TRY(declare_fields(s, err));
    }
    GB_TRY(check_preparation(s, c, path, err));
    GB_TRY(check_fields(s, c, path, err));
    GB_TRY(number_words(s, c, &number, err));
    GB_TRY(add_documents(s, c, path, number, err));
    GB_TRY(note_source(s, c, err));
done:
    gb_free(number);
    gb_corpus_free(c);
    return st;
}

/* ---- words --------------------------------------------------------------------------------------------- */

/* Inputs that are texts make words by the settings.  Those that are corpus files have them, with their phrases; only which word
 * stands for a stem may differ. */
static gb_status shape_words(several *s, gb_error *err)
{
    gb_status st;
    const bool has_texts = s->joins.count > 0;
    GB_TRY(has_texts ? gb_prepare_from_settings(&s->prepare, s->settings, &s->watch, err)
                     : gb_prepare_from_json(&s->prepare, s->first->preparation, err));
    if (has_texts && bytes_taken(s) + gb_find_phrases_bytes(s->joins.count) > s->most_bytes)
        return gb_fail(err, GB_EARGUMENT, "`memory-limit` %s: to find phrases in the inputs takes more",
                       gb_settings_text(s->settings, "memory-limit"));
    GB_TRY(gb_prepare_shape(s->prepare, &s->limits, &s->joins, s->words, s->builder, &s->watch, err));
done:
    return st;
}

static gb_status choose_words(several *s, gb_error *err)
{
    gb_status st;
    GB_TRY(shape_words(s, err));
    GB_TRY(gb_select_words(&s->selection, s->words, s->builder, &s->limits, order_of_words(s), err));
    if (s->selection.n_kept == 0)
        return gb_fail(err, GB_EFORMAT,
                       "no word of the inputs is left; relax `min-df`, `max-df` or `max-vocabulary`");
    gb_corpus_builder_renumber(s->builder, s->selection.map);
    for (size_t i = 0; i < s->selection.n_kept; i++) {
        const gb_view word = gb_words_text(s->words, s->selection.kept[i]);
        GB_TRY(gb_corpus_builder_word(s->builder, word.text, word.length, err));
    }
done:
    return st;
}

static gb_status finish(several *s, gb_corpus **out, gb_error *err)
{
    const char *words = json_string_value(json_object_get(s->first->preparation, "words"));
    json_t *preparation =
        words == NULL ? json_deep_copy(s->first->preparation) : gb_prepare_to_json(s->prepare, words);
    json_t *source = json_pack("{s:O, s:{s:I, s:I}}", "inputs", s->sources, "dropped", "words",
                               (json_int_t)(gb_words_count(s->words) - s->selection.n_kept), "tokens",
                               (json_int_t)(s->selection.n_tokens_dropped[GB_DROP_MIN_DF] +
                                            s->selection.n_tokens_dropped[GB_DROP_MAX_DF] +
                                            s->selection.n_tokens_dropped[GB_DROP_MAX_VOCABULARY]));
    if (preparation != NULL && source != NULL)
        return gb_corpus_builder_finish(s->builder, preparation, source, out, err);
    json_decref(preparation);
    json_decref(source);
    return gb_fail_memory(err, 0, "notes");
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static gb_status open_several(several *s, gb_error *err)
{
    static const char *const of_all[] = {"min-df", "max-df", "max-vocabulary"};
    gb_status st;
    GB_TRY(gb_limits_read(&s->limits, s->settings, err));
    GB_TRY(gb_size_from_text(gb_settings_text(s->settings, "memory-limit"), &s->most_bytes, err));
    if (gb_settings_has(s->settings, "embeddings") && !gb_settings_are(s->settings, "embeddings", "none"))
        return gb_fail(err, GB_EARGUMENT,
                       "`embeddings` does not go with several inputs: import each with its own, then all together");
    GB_TRY(gb_settings_copy(s->settings, &s->each, err));
    for (size_t i = 0; i < sizeof of_all / sizeof of_all[0]; i++)
        GB_TRY(gb_settings_unset(s->each, of_all[i], err));
    GB_TRY(gb_words_create(&s->words, err));
    GB_TRY(gb_corpus_builder_create(&s->builder, err));
    s->sources = json_object();
    if (s->sources == NULL)
        st = gb_fail_memory(err, 0, "notes");
done:
    return st;
}

static void close_several(several *s)
{
    gb_settings_free(s->each);
    gb_words_free(s->words);
    gb_joins_free(&s->joins);
    gb_prepare_free(s->prepare);
    gb_corpus_builder_free(s->builder);
    gb_corpus_free(s->first);
    gb_free(s->labels);
    gb_free(s->numbers);
    gb_word_selection_free(&s->selection);
    json_decref(s->sources);
}

gb_status gb_corpus_read_several(uint64_t n_paths, const char *const *path, const gb_settings *settings,
                                 gb_on_read *on_read_several, void *user, gb_corpus **out, gb_error *err)
{
    gb_status st;
    several s = {.settings = settings, .is_sorted = true, .is_numbered = true};
    if (n_paths == 0)
        return gb_fail(err, GB_EARGUMENT, "no input");
    if (n_paths == 1)
        return gb_corpus_read(path[0], settings, on_read_several, user, out, err);
    gb_read_watch_begin(&s.watch, on_read_several, user);
    GB_TRY(open_several(&s, err));
    for (uint64_t i = 0; i < n_paths; i++)
        GB_TRY(add_input(&s, path[i], err));
    GB_TRY(choose_words(&s, err));
    GB_TRY(finish(&s, out, err));
done:
    close_several(&s);
    return st;
}
