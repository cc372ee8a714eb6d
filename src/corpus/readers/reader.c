/* corpus/readers/reader.c - what all formats share: choosing one, fields, vocabulary file, metadata. */
#include "corpus/readers/reader.h"

#include "base/memory.h"
#include "base/system.h"
#include "corpus/data/foreign.h"
#include "corpus/data/name.h"
#include "corpus/readers/document_ids.h"
#include "corpus/readers/embeddings.h"
#include "corpus/readers/metadata.h"
#include "corpus/text/word_list.h"
#include "store/store.h"

#include <stdio.h>
#include <string.h>

struct gb_reader {
    const gb_reader_ops *ops;
    void *state;
    char *path;
    gb_reader_context context;
    gb_texts list;        /* --vocabulary */
    gb_document_ids *ids; /* --document-ids; NULL without */
    gb_metadata *metadata;
    gb_embeddings *embeddings;
    bool ignores_embeddings; /* of a corpus file */
    gb_raw_document doc;
    uint64_t n_documents;
    uint64_t n_ids_with_blanks; /* around them */
    gb_fold fold;               /* of the document's id */
    bool at_end;
};

gb_status gb_reader_open_input(gb_input **out, const char *path, const gb_reader_context *context, gb_error *err)
{
    const gb_status st = gb_input_open(out, path, context->watch, err);
    return st == GB_OK ? gb_input_set_encoding(*out, context->encoding, err) : st;
}

/* ---- choosing the format ------------------------------------------------------------------------------- */

static const gb_reader_ops *find_format(const char *name)
{
    for (size_t i = 0; gb_reader_formats[i] != NULL; i++)
        if (strcmp(gb_reader_formats[i]->name, name) == 0)
            return gb_reader_formats[i];
    return NULL;
}

/* True when `word` is one of the words of `list`, which blanks separate. */
static bool lists(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *hit = strstr(list, word); hit != NULL && length > 0; hit = strstr(hit + 1, word))
        if ((hit == list || hit[-1] == ' ') && (hit[length] == ' ' || hit[length] == '\0'))
            return true;
    return false;
}

static const gb_reader_ops *format_by_extension(const char *path)
{
    char extension[16];
    if (path == NULL)
        return NULL;
    gb_file_extension(path, extension);
    for (size_t i = 0; gb_reader_formats[i] != NULL; i++)
        if (lists(gb_reader_formats[i]->extensions, extension))
            return gb_reader_formats[i];
    return NULL;
}

static const gb_reader_ops *format_by_line(gb_view line)
{
    for (size_t i = 0; gb_reader_formats[i] != NULL; i++)
        if (gb_reader_formats[i]->sniff != NULL && gb_reader_formats[i]->sniff(line))
            return gb_reader_formats[i];
    return NULL;
}

static bool is_folder(const char *path)
{
    gb_path_info info;
    return gb_path_look(path, true, &info) && info.kind == GB_IS_FOLDER;
}

bool gb_is_corpus_file(const char *path, const gb_settings *settings)
{
    if (!gb_settings_are(settings, "format", "auto"))
        return gb_settings_are(settings, "format", "corpus");
    return strcmp(path, "-") != 0 && !is_folder(path) && gb_store_sniff(path);
}

static gb_status refuse_foreign(const gb_reader *r, gb_error *err)
{
    gb_view line;
    bool end;
    if (r->context.input == NULL)
        return GB_OK;
    const gb_status st = gb_input_peek(r->context.input, &line, &end, err);
    const char *says = st != GB_OK ? NULL : gb_foreign_text(line.text, line.length);
    return says == NULL ? st : gb_fail(err, GB_EFORMAT, "%s: %s", gb_input_name(r->context.input), says);
}

/* The name decides, and the first line where it does not. */
static gb_status guess_format(gb_reader *r, gb_error *err)
{
    gb_status st = GB_OK;
    gb_view line;
    bool end = false;
    if (gb_is_corpus_file(r->path, r->context.settings)) {
        r->ops = find_format("corpus");
        return GB_OK;
    }
    if (is_folder(r->path)) {
        r->ops = find_format("dir");
        return GB_OK;
    }
    GB_TRY(gb_reader_open_input(&r->context.input, r->path, &r->context, err));
    r->ops = format_by_extension(r->path);
    if (r->ops == NULL)
        r->ops = format_by_extension(gb_input_member(r->context.input));
    if (r->ops == NULL) {
        GB_TRY(gb_input_peek(r->context.input, &line, &end, err));
        r->ops = format_by_line(line);
    } else if (!r->ops->opens_input) {
        gb_input_close(r->context.input);
        r->context.input = NULL;
    }
    if (r->ops == NULL && end)
        st = gb_fail(err, GB_EFORMAT, "%s: no documents", gb_input_name(r->context.input));
    else if (r->ops == NULL && (st = refuse_foreign(r, err)) == GB_OK)
        st = gb_fail(err, GB_EARGUMENT,
                     "%s: neither the name nor the first line tells the format; give `format` jsonl, csv, tsv, "
                     "dir, mallet, fasttext, svmlight, vw, uci, ldac, mtx or npz",
                     gb_input_name(r->context.input));
done:
    return st;
}

/* Options that only some formats have a use for; a corpus file may be one of several inputs. */
static gb_status check_options(const gb_reader *r, gb_error *err)
{
    const gb_settings *s = r->context.settings;
    const char *unused = NULL;
    if (!gb_settings_are(s, "separator", "auto") && !lists("csv tsv corpus", r->ops->name))
        unused = "separator";
    if (gb_settings_yes(s, "zero-based") && !lists("svmlight corpus", r->ops->name))
        unused = "zero-based";
    return unused == NULL ? GB_OK
                          : gb_fail(err, GB_EARGUMENT, "`%s`: %s is %s, which has no use for it", unused,
                                    gb_input_shown(r->path), r->ops->name);
}

static gb_status choose_format(gb_reader *r, gb_error *err)
{
    gb_status st = GB_OK;
    const char *format = gb_settings_text(r->context.settings, "format");
    if (strcmp(format, "auto") == 0)
        GB_TRY(guess_format(r, err));
    else
        r->ops = find_format(format);
    if (r->ops == NULL)
        return gb_fail(err, GB_EARGUMENT, "`format` \"%s\": no such format", format);
    if (r->ops->opens_input && r->context.input == NULL)
        GB_TRY(gb_reader_open_input(&r->context.input, r->path, &r->context, err));
    GB_TRY(check_options(r, err));
    st = refuse_foreign(r, err);
done:
    return st;
}

/* ---- fields -------------------------------------------------------------------------------------------- */

static gb_status copy_settings(gb_reader_context *c, gb_error *err)
{
    gb_status st;
    const gb_settings *s = c->settings;
    GB_TRY(gb_copy_text(&c->text, gb_settings_text(s, "text"), strlen(gb_settings_text(s, "text")), err));
    GB_TRY(gb_text_fields_read(c->text, &c->texts, err));
    GB_TRY(gb_copy_text(&c->encoding, gb_settings_text(s, "encoding"), strlen(gb_settings_text(s, "encoding")), err));
    GB_TRY(gb_copy_text(&c->id, gb_settings_text(s, "id"), strlen(gb_settings_text(s, "id")), err));
    GB_TRY(gb_copy_text(&c->separator, gb_settings_text(s, "label-separator"),
                        strlen(gb_settings_text(s, "label-separator")), err));
    GB_TRY(gb_copy_text(&c->vocabulary, gb_settings_text(s, "vocabulary"), strlen(gb_settings_text(s, "vocabulary")),
                        err));
    GB_TRY(gb_copy_text(&c->missing, gb_settings_text(s, "missing"), strlen(gb_settings_text(s, "missing")), err));
done:
    return st;
}

gb_status gb_reader_default_label(gb_reader_context *context, const char *name, gb_error *err)
{
    char *copy = (char *)(uintptr_t)name; /* which gb_fields_add() copies */
    gb_field field = {.name = copy, .kind = GB_KIND_ONE, .role = GB_ROLE_RESPONSE};
    if (gb_fields_have(context->fields, context->n_fields, GB_ROLE_RESPONSE) ||
        gb_fields_find(context->fields, context->n_fields, name) != NULL)
        return GB_OK;
    return gb_fields_add(&context->fields, &context->n_fields, &field, err);
}

gb_status gb_reader_one_label(gb_reader_context *context, const char *name, gb_error *err)
{
    size_t label, weight;
    return gb_reader_label_and_weight(context, name, NULL, &label, &weight, err);
}

gb_status gb_reader_label_and_weight(gb_reader_context *context, const char *name, const char *weight_name,
                                     size_t *label, size_t *weight, gb_error *err)
{
    const size_t n_asked_for = context->n_fields;
    const gb_status st = gb_reader_default_label(context, name, err);
    *label = *weight = SIZE_MAX;
    for (size_t f = context->first_field; st == GB_OK && f < context->n_fields; f++) {
        gb_field *field = &context->fields[f];
        size_t *place = weight_name != NULL && field->role == GB_ROLE_WEIGHT ? weight : label;
        if (place == weight && strcmp(field->name, weight_name) != 0)
            return gb_fail(err, GB_EARGUMENT, "%s: the weights of this format are called \"%s\", not \"%s\"",
                           context->path, weight_name, field->name);
        if (*place != SIZE_MAX)
            return gb_fail(err, GB_EARGUMENT,
                           "%s: this format has one field, not \"%s\" and \"%s\"; `metadata` names a table with more",
                           context->path, context->fields[*place].name, field->name);
        *place = f;
        field->seen = true;
        field->is_optional |= f >= n_asked_for;
    }
    return st;
}

gb_status gb_reader_no_fields(const gb_reader_context *context, gb_error *err)
{
    if (context->n_fields == context->first_field)
        return GB_OK;
    return gb_fail(err, GB_EARGUMENT, "%s: this format has no labels; `metadata` names a file with them",
                   context->path);
}

gb_view gb_take_item(gb_view *rest)
{
    const gb_view v = gb_view_trim(*rest);
    size_t length = 0;
    while (length < v.length && v.text[length] != ' ' && v.text[length] != '\t')
        length++;
    *rest = (gb_view){v.text + length, v.length - length};
    return (gb_view){v.text, length};
}

/* ---- opening ------------------------------------------------------------------------------------------- */

static gb_status open_vocabulary(gb_reader *r, gb_error *err)
{
    const char *path = gb_settings_text(r->context.settings, "vocabulary");
    if (path[0] == '\0')
        return GB_OK;
    gb_status st = gb_word_list_read(path, GB_LIST_VOCABULARY, r->context.watch, &r->list, err);
    if (st == GB_OK && r->ops->vocabulary_names)
        r->context.names = r->list;
    return st;
}

static gb_status open_metadata(gb_reader *r, gb_error *err)
{
    gb_reader_context *c = &r->context;
    if (gb_settings_text(c->settings, "metadata")[0] == '\0')
        return GB_OK;
    if (c->n_fields == 0)
        return gb_fail(
            err, GB_EARGUMENT,
            "`metadata` \"%s\": `label`, `labels`, `target`, `covariates` or `group` says which columns to take",
            gb_settings_text(c->settings, "metadata"));
    gb_status st = gb_metadata_open(&r->metadata, c->settings, c->fields, c->n_fields, c->watch, err);
    if (st != GB_OK)
        return st;
    c->first_field = c->n_fields;
    c->n_documents = gb_metadata_n_documents(r->metadata);
    return GB_OK;
}

static gb_status open_ids(gb_reader *r, gb_error *err)
{
    const char *path = gb_settings_text(r->context.settings, "document-ids");
    return *path == '\0' ? GB_OK : gb_document_ids_open(&r->ids, path, r->context.watch, err);
}

static gb_status open_embeddings(gb_reader *r, gb_error *err)
{
    const char *path = gb_settings_text(r->context.settings, "embeddings");
    r->ignores_embeddings = strcmp(path, "none") == 0;
    return *path == '\0' || r->ignores_embeddings ? GB_OK
                                                  : gb_embeddings_open(&r->embeddings, path, r->context.watch, err);
}

gb_status gb_reader_open(gb_reader **out, const char *path, const gb_settings *settings, gb_read_watch *watch,
                         gb_error *err)
{
    gb_status st;
    gb_reader *r = NULL;
    GB_TRY(gb_alloc(&r, 1, sizeof *r, "a reader", err));
    GB_TRY(gb_copy_text(&r->path, path, strlen(path), err));
    r->context.settings = settings;
    r->context.path = r->path;
    r->context.watch = watch;
    if (watch != NULL)
        watch->unpack_factor = (uint64_t)gb_settings_int(settings, "unpack-factor");
    GB_TRY(gb_read_watch_limit(watch, gb_settings_text(settings, "memory-limit"), err));
    GB_TRY(copy_settings(&r->context, err));
    GB_TRY(gb_fields_from_settings(&r->context.fields, &r->context.n_fields, settings, err));
    GB_TRY(choose_format(r, err));
    GB_TRY(open_vocabulary(r, err));
    GB_TRY(open_metadata(r, err));
    GB_TRY(open_ids(r, err));
    GB_TRY(open_embeddings(r, err));
    GB_TRY(r->ops->open(&r->state, &r->context, err));
    GB_TRY(gb_raw_create(&r->doc, r->context.n_fields, err));
    r->context.settings = NULL;
    *out = r;
    r = NULL;
done:
    gb_reader_close(r);
    return st;
}

void gb_reader_close(gb_reader *r)
{
    if (r == NULL)
        return;
    if (r->state != NULL)
        r->ops->close(r->state);
    gb_input_close(r->context.input);
    gb_fields_free(r->context.fields, r->context.n_fields);
    gb_free(r->context.text);
    gb_free(r->context.encoding);
    gb_text_fields_clear(&r->context.texts);
    gb_free(r->context.id);
    gb_free(r->context.separator);
    gb_free(r->context.vocabulary);
    gb_free(r->context.missing);
    gb_free(r->context.first_names);
    json_decref(r->context.preparation);
    gb_document_ids_close(r->ids);
    gb_metadata_close(r->metadata);
    gb_embeddings_close(r->embeddings);
    gb_word_list_free(&r->list);
    gb_raw_free(&r->doc);
    gb_fold_free(&r->fold);
    gb_free(r->path);
    gb_free(r);
}

/* ---- documents ----------------------------------------------------------------------------------------- */

static gb_status finish(gb_reader *r, gb_error *err)
{
    gb_status st = GB_OK;
    r->at_end = true;
    if (r->context.input != NULL)
        GB_TRY(gb_input_expect_last(r->context.input, err));
    if (r->ids != NULL)
        GB_TRY(gb_document_ids_check_end(r->ids, r->n_documents, err));
    if (r->metadata != NULL)
        GB_TRY(gb_metadata_check_end(r->metadata, r->n_documents, err));
    if (r->embeddings != NULL)
        GB_TRY(gb_embeddings_check_end(r->embeddings, r->n_documents, err));
done:
    return st;
}

/* A file given beside the documents comes before what they bring. */
static gb_status find_embedding(gb_reader *r, gb_error *err)
{
    if (r->ignores_embeddings)
        r->doc.embedding_width = 0;
    if (r->embeddings == NULL)
        return GB_OK;
    r->doc.embedding_width = gb_embeddings_width(r->embeddings);
    return gb_embeddings_find(r->embeddings, r->n_documents, &r->doc, &r->doc.embedding, err);
}

/* The only value of a field is one that the option missing names. */
static void leave_out_missing(gb_reader *r)
{
    for (size_t f = 0; f < r->doc.n_fields && *r->context.missing != '\0'; f++) {
        gb_field_value *value = &r->doc.values[f];
        if (value->count == 1 && gb_view_is_in(gb_raw_class(&r->doc, value->first), r->context.missing))
            *value = (gb_field_value){0};
    }
}

gb_status gb_reader_next(gb_reader *r, const gb_raw_document **doc, gb_error *err)
{
    gb_status st = GB_OK;
    *doc = NULL;
    if (r->at_end)
        return GB_OK;
    gb_raw_clear(&r->doc);
    GB_TRY(r->ops->next(r->state, &r->doc, &r->at_end, err));
    if (r->at_end)
        return finish(r, err);
    r->n_documents++;
    if (r->context.watch != NULL)
        r->context.watch->n_docs++;
    GB_TRY(gb_read_watch_ask(r->context.watch, err));
    if (r->ids != NULL)
        GB_TRY(gb_document_ids_next(r->ids, &r->doc, err));
    r->n_ids_with_blanks += r->doc.has_id && gb_view_trim(r->doc.id).length < r->doc.id.length;
    if (r->doc.has_id)
        GB_TRY(gb_name_of(&r->fold, r->doc.id, &r->doc.id, err));
    if (r->metadata != NULL)
        GB_TRY(gb_metadata_apply(r->metadata, r->n_documents, r->context.fields, &r->doc, err));
    leave_out_missing(r);
    GB_TRY(find_embedding(r, err));
    *doc = &r->doc;
done:
    return st;
}

/* ---- what a reader knows ------------------------------------------------------------------------------- */

bool gb_reader_would_wait(const gb_reader *r)
{
    return !r->at_end && r->context.input != NULL && gb_input_would_wait(r->context.input);
}

uint64_t gb_reader_n_documents(const gb_reader *r)
{
    return r->n_documents;
}

const char *gb_reader_format(const gb_reader *r)
{
    return r->ops->name;
}

bool gb_reader_has_text(const gb_reader *r)
{
    return r->ops->has_text;
}

const gb_texts *gb_reader_names(const gb_reader *r)
{
    return r->context.names.count == 0 ? NULL : &r->context.names;
}

const gb_texts *gb_reader_only(const gb_reader *r)
{
    return r->list.count == 0 || r->ops->vocabulary_names ? NULL : &r->list;
}

const gb_field *gb_reader_fields(const gb_reader *r, size_t *n_fields)
{
    *n_fields = r->context.n_fields;
    return r->context.fields;
}

const char *gb_reader_first_names(const gb_reader *r)
{
    return r->context.first_names;
}

const json_t *gb_reader_preparation(const gb_reader *r)
{
    return r->context.preparation;
}

static bool note_decimal_commas(const gb_reader *r, json_t *notes)
{
    static const gb_decimal_commas none = {0};
    const gb_decimal_commas *own = &r->context.decimal,
                            *beside = r->metadata == NULL ? &none : gb_metadata_decimal_commas(r->metadata);
    const uint64_t n = own->n + beside->n;
    return n == 0 || (json_object_set_new(notes, "decimal_commas", json_integer((json_int_t)n)) == 0 &&
                      json_object_set_new(notes, "first_decimal_comma",
                                          json_string(own->n > 0 ? own->first : beside->first)) == 0);
}

gb_status gb_reader_notes(const gb_reader *r, json_t *notes, gb_error *err)
{
    if (json_object_set_new(notes, "format", json_string(r->ops->name)) != 0 ||
        (r->context.n_skipped > 0 &&
         json_object_set_new(notes, "skipped_files", json_integer((json_int_t)r->context.n_skipped)) != 0) ||
        (r->doc.n_none > 0 &&
         json_object_set_new(notes, "values_read_as_missing", json_integer((json_int_t)r->doc.n_none)) != 0) ||
        !note_decimal_commas(r, notes) ||
        (r->context.n_unused_weights > 0 &&
         json_object_set_new(notes, "weights_passed_over", json_integer((json_int_t)r->context.n_unused_weights)) !=
             0) ||
        (r->n_ids_with_blanks > 0 &&
         json_object_set_new(notes, "ids_with_blanks", json_integer((json_int_t)r->n_ids_with_blanks)) != 0) ||
        (r->context.watch != NULL && r->context.watch->n_like_utf8 > 0 &&
         json_object_set_new(notes, "inputs_like_utf8", json_integer((json_int_t)r->context.watch->n_like_utf8)) !=
             0))
        return gb_fail(err, GB_ENOMEM, "out of memory: notes");
    return r->metadata == NULL ? GB_OK : gb_metadata_notes(r->metadata, notes, err);
}

gb_status gb_reader_place(const gb_reader *r, gb_error *err, gb_status status)
{
    char message[sizeof err->message];
    if (r->context.input != NULL || err == NULL || status != GB_EFORMAT)
        return r->context.input == NULL ? status : gb_input_place(r->context.input, err, status);
    memcpy(message, err->message, sizeof message);
    return gb_fail(err, status, "%s: document %llu: %s", r->path, (unsigned long long)r->n_documents, message);
}
