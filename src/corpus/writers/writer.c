/* corpus/writers/writer.c - what all formats share: choosing one, the files beside it, and what is said about them. */
#include "corpus/writers/writer.h"

#include "base/memory.h"
#include "corpus/data/input.h"
#include "store/json_text.h"

#include <math.h>
#include <string.h>

/* ---- choosing the format ------------------------------------------------------------------------------- */

static bool lists(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *hit = strstr(list, word); hit != NULL && length > 0; hit = strstr(hit + 1, word))
        if ((hit == list || hit[-1] == ' ') && (hit[length] == ' ' || hit[length] == '\0'))
            return true;
    return false;
}

static gb_status refuse_packed(const char *path, gb_error *err)
{
    static const char *const packed[] = {".gz", ".xz", ".zst", ".bz2"};
    const size_t n = strlen(path);
    for (size_t i = 0; i < sizeof packed / sizeof packed[0]; i++)
        if (n > strlen(packed[i]) && strcmp(path + n - strlen(packed[i]), packed[i]) == 0)
            return gb_fail(err, GB_EARGUMENT, "%s: packed files are read, but not written; pack it afterwards", path);
    return GB_OK;
}

/* *out is NULL for a corpus file. */
static gb_status choose(const char *path, const char *format, const gb_writer_ops **out, gb_error *err)
{
    char extension[16] = "";
    const bool by_name = format == NULL || strcmp(format, "auto") == 0;
    const gb_status st = refuse_packed(path, err);
    if (st != GB_OK)
        return st;
    gb_file_extension(path, extension);
    *out = NULL;
    if (by_name ? strcmp(extension, "gbc") == 0 : strcmp(format, "corpus") == 0)
        return GB_OK;
    for (size_t i = 0; *out == NULL && gb_writer_formats[i] != NULL; i++)
        if (by_name ? lists(gb_writer_formats[i]->extensions, extension)
                    : strcmp(gb_writer_formats[i]->name, format) == 0)
            *out = gb_writer_formats[i];
    if (*out != NULL)
        return GB_OK;
    if (by_name)
        return gb_fail(err, GB_EARGUMENT, "%s: the name does not tell the format; give one with `to`", path);
    return gb_fail(err, GB_EARGUMENT, "`to` \"%s\": no such format", format);
}

/* ---- what fits into the format ------------------------------------------------------------------------- */

static bool all_fit(const gb_texts *texts, bool (*fits)(gb_view))
{
    for (uint64_t i = 0; fits != NULL && i < texts->count; i++)
        if (!fits(gb_texts_view(texts, i)))
            return false;
    return true;
}

static bool has_empty_list(const gb_labels *l, uint64_t n_docs)
{
    for (uint64_t d = 0; d < n_docs; d++)
        if (l->labelled[d] && l->doc_start[d] == l->doc_start[d + 1])
            return true;
    return false;
}

/* Fields of classes come first, in the order of the corpus's labels. */
static int find_label(const gb_writer *w)
{
    const gb_corpus *c = w->corpus;
    if (w->ops->class_fits == NULL)
        return GB_NO_LABEL_FIELD;
    for (size_t i = 0; i < c->n_labels; i++)
        if (c->labels[i].role == GB_ROLE_RESPONSE)
            return all_fit(&c->labels[i].classes, w->ops->class_fits) &&
                           (w->ops->has_empty_lists || !has_empty_list(&c->labels[i], c->n_docs))
                       ? (int)i
                       : GB_NO_LABEL_FIELD;
    return GB_NO_LABEL_FIELD;
}

static bool are_row_numbers(const gb_texts *ids)
{
    char digits[24];
    for (uint64_t i = 0; i < ids->count; i++) {
        const gb_view id = gb_texts_view(ids, i);
        const int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)i + 1);
        if (id.length != (size_t)n || memcmp(id.text, digits, id.length) != 0)
            return false;
    }
    return true;
}

static bool is_sorted(const gb_texts *words)
{
    for (uint64_t i = 1; i < words->count; i++) {
        const gb_view a = gb_texts_view(words, i - 1), b = gb_texts_view(words, i);
        if (gb_text_compare(a.text, a.length, b.text, b.length) > 0)
            return false;
    }
    return true;
}

static bool has_missing_embedding(const gb_corpus *c)
{
    for (uint64_t d = 0; d < c->n_docs; d++)
        if (isnan(c->embedding.value[d * c->embedding.width]))
            return true;
    return false;
}

static bool needs(const gb_writer *w, gb_beside which)
{
    const gb_corpus *c = w->corpus;
    switch (which) {
    case GB_BESIDE_VOCABULARY:
        return !w->ops->has_text || !is_sorted(&c->vocabulary);
    case GB_BESIDE_IDS:
        return w->ops->has_ids ? !all_fit(&c->ids, w->ops->id_fits) : !are_row_numbers(&c->ids);
    case GB_BESIDE_FIELDS: {
        const uint64_t n = gb_corpus_n_fields(c);
        return !w->ops->has_fields && n > 0 && (n > 1 || w->label == GB_NO_LABEL_FIELD);
    }
    default:
        return c->embedding.width > 0 && !has_missing_embedding(c);
    }
}

/* ---- what cannot be held ------------------------------------------------------------------------------- */

static gb_status check_words(const gb_writer *w, gb_error *err)
{
    const gb_texts *words = &w->corpus->vocabulary;
    for (uint64_t i = 0; i < words->count; i++) {
        const gb_view word = gb_texts_view(words, i);
        const char *fault = w->ops->word_fault == NULL ? NULL : w->ops->word_fault(word);
        if (gb_view_trim(word).length != word.length)
            fault = "begins or ends with a blank";
        if (fault != NULL)
            return gb_fail(err, GB_EFORMAT, "%s: the word \"%.*s\" %s, which %s cannot hold", w->path, GB_SHOWN(word),
                           fault, w->ops->name);
    }
    return GB_OK;
}

/* One that no class has in its name. */
static gb_status choose_separator(gb_writer *w, gb_error *err)
{
    static const char *const candidates[] = {",", ";", "|", "/", "&", "\\"};
    for (size_t s = 0; s < sizeof candidates / sizeof candidates[0]; s++) {
        bool is_free = true;
        for (size_t i = 0; i < w->corpus->n_labels; i++)
            for (uint64_t c = 0; w->corpus->labels[i].several && c < w->corpus->labels[i].classes.count; c++) {
                const gb_view name = gb_texts_view(&w->corpus->labels[i].classes, c);
                is_free = is_free && (name.length == 0 || memchr(name.text, *candidates[s], name.length) == NULL);
            }
        w->separator = gb_view_of(candidates[s]);
        if (is_free)
            return GB_OK;
    }
    return gb_fail(err, GB_EFORMAT,
                   "%s: the names of classes have , ; | / & and \\ in them, so that nothing is left between them",
                   w->path);
}

static gb_status say(json_t *changes, json_t *sentence, gb_error *err)
{
    return json_array_append_new(changes, sentence) == 0 ? GB_OK : gb_fail(err, GB_ENOMEM, "out of memory: notes");
}

static uint64_t count_classes_like_missing(const gb_corpus *c)
{
    uint64_t n = 0;
    for (size_t i = 0; i < c->n_labels; i++)
        for (uint64_t j = 0; !c->labels[i].several && j < c->labels[i].classes.count; j++)
            n += gb_view_is_missing(gb_texts_view(&c->labels[i].classes, j));
    return n;
}

static gb_status list_changes(const gb_writer *w, json_t *changes, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_corpus *c = w->corpus;
    unsigned long long n_blank = 0;
    for (uint64_t i = 0; w->ops->has_text && i < c->vocabulary.count; i++)
        n_blank += gb_view_has_blank(gb_texts_view(&c->vocabulary, i));
    if (n_blank > 0)
        GB_TRY(say(changes, json_sprintf("%llu word%s with blanks: they became _", n_blank, n_blank == 1 ? "" : "s"),
                   err));
    if (c->embedding.width > 0 && has_missing_embedding(c))
        GB_TRY(say(changes, json_string("embeddings are left out: some documents have none"), err));
    if (count_classes_like_missing(c) > 0)
        GB_TRY(say(changes, json_string("classes called NA, ?, None or the like will be read as missing"), err));
    const char *words = json_string_value(json_object_get(c->preparation, "words"));
    if (words != NULL && strcmp(words, "text") == 0)
        GB_TRY(say(changes, json_string("how text was turned into words is not in it"), err));
done:
    return st;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* The format's own file, and those beside it, of which the last to appear is the format's own. */
typedef struct files {
    gb_out_file *own, *beside[GB_N_BESIDE];
    char *path[GB_N_BESIDE];
} files;

static void discard(files *f)
{
    gb_out_file_discard(f->own);
    for (int i = 0; i < GB_N_BESIDE; i++) {
        gb_out_file_discard(f->beside[i]);
        gb_free(f->path[i]);
    }
}

/* "a/b.mtx" and ".ids.txt" are "a/b.ids.txt". */
static gb_status path_beside(const char *path, gb_beside which, char **out, gb_error *err)
{
    const char *slash = strrchr(path, '/'), *base = slash == NULL ? path : slash + 1, *dot = strrchr(base, '.');
    const size_t stem = dot == NULL || dot == base ? strlen(path) : (size_t)(dot - path);
    const size_t room = stem + strlen(gb_beside_suffix(which)) + 1;
    const gb_status st = gb_alloc(out, room, 1, "a path", err);
    if (st == GB_OK)
        (void)snprintf(*out, room, "%.*s%s", (int)stem, path, gb_beside_suffix(which));
    return st;
}

gb_status gb_corpus_export_beside(const char *path, uint64_t index, char **out, gb_error *err)
{
    if (index < GB_N_BESIDE)
        return path_beside(path, (gb_beside)index, out, err);
    *out = NULL;
    return GB_OK;
}

static gb_status open_files(const gb_writer *w, bool force, files *f, gb_error *err)
{
    gb_status st;
    const bool to_stdout = *w->path == '\0' || strcmp(w->path, "-") == 0;
    GB_TRY(gb_out_file_open(&f->own, w->path, force, err));
    for (int i = 0; i < GB_N_BESIDE; i++) {
        if (!needs(w, (gb_beside)i))
            continue;
        if (to_stdout)
            return gb_fail(err, GB_EARGUMENT,
                           "`to` %s has more than one file here (`%s`); name one to write, not standard output",
                           w->ops->name, gb_beside_option((gb_beside)i));
        GB_TRY(path_beside(w->path, (gb_beside)i, &f->path[i], err));
        GB_TRY(gb_out_file_open(&f->beside[i], f->path[i], force, err));
    }
done:
    return st;
}

static gb_status write_files(gb_writer *w, files *f, gb_error *err)
{
    gb_status st = GB_OK;
    for (int i = 0; i < GB_N_BESIDE; i++)
        if (f->beside[i] != NULL) {
            w->out = gb_out_file_stream(f->beside[i]);
            GB_TRY(gb_writer_option(w, gb_beside_option((gb_beside)i), json_string(f->path[i]), err));
            if (i == GB_BESIDE_FIELDS)
                w->label = GB_NO_LABEL_FIELD; /* all fields come from there */
            GB_TRY(gb_beside_write(w, (gb_beside)i, err));
        }
    w->label = find_label(w);
    w->out = gb_out_file_stream(f->own);
    GB_TRY(w->ops->write(w, err));
    if (w->label != GB_NO_LABEL_FIELD && f->beside[GB_BESIDE_FIELDS] == NULL)
        GB_TRY(gb_writer_field_options(w, err));
done:
    return st;
}

static gb_status commit(files *f, gb_error *err)
{
    gb_out_file *file[GB_N_BESIDE + 1];
    memcpy(file, f->beside, sizeof f->beside);
    memset(f->beside, 0, sizeof f->beside);
    file[GB_N_BESIDE] = f->own;
    f->own = NULL;
    return gb_out_file_commit_all(file, GB_N_BESIDE + 1, err);
}

static gb_status make_scratch(gb_writer *w, gb_error *err)
{
    gb_status st;
    uint64_t longest = 0;
    for (uint64_t d = 0; d < w->corpus->n_docs; d++) {
        const uint64_t n = w->corpus->doc_start[d + 1] - w->corpus->doc_start[d];
        longest = n > longest ? n : longest;
    }
    GB_TRY(gb_alloc(&w->word, longest, sizeof *w->word, "the words of a document", err));
    GB_TRY(gb_alloc(&w->count, longest, sizeof *w->count, "the words of a document", err));
done:
    return st;
}

/* A text is read back word by word as it stands. */
static gb_status begin(gb_writer *w, gb_error *err)
{
    gb_status st;
    w->read_with = json_object();
    GB_TRY(gb_writer_option(w, "format", json_string(w->ops->name), err));
    if (w->ops->has_text) {
        GB_TRY(gb_writer_option(w, "lowercase", json_false(), err));
        GB_TRY(gb_writer_option(w, "token-pattern", json_string("\\S+"), err));
    }
    GB_TRY(check_words(w, err));
    GB_TRY(choose_separator(w, err));
    w->label = find_label(w);
    GB_TRY(make_scratch(w, err));
done:
    return st;
}

/* {"files": [...], "read_with": {...}, "changes": [...]} */
static gb_status make_notes(gb_writer *w, const files *f, json_t **out, gb_error *err)
{
    gb_status st;
    json_t *paths = json_array(), *changes = json_array(), *notes = json_object();
    bool failed =
        paths == NULL || changes == NULL || notes == NULL || json_array_append_new(paths, json_string(w->path)) != 0;
    for (int i = 0; i < GB_N_BESIDE && !failed; i++)
        failed = f->path[i] != NULL && json_array_append_new(paths, json_string(f->path[i])) != 0;
    if (failed || json_object_set(notes, "files", paths) != 0 ||
        json_object_set(notes, "read_with", w->read_with) != 0 || json_object_set(notes, "changes", changes) != 0) {
        st = gb_fail(err, GB_ENOMEM, "out of memory: notes");
        goto done;
    }
    GB_TRY(list_changes(w, changes, err));
    *out = json_incref(notes);
done:
    json_decref(paths);
    json_decref(changes);
    json_decref(notes);
    return st;
}

static gb_status write_corpus_file(const gb_corpus *corpus, const char *path, bool force, char **notes, gb_error *err)
{
    const gb_status st = gb_corpus_write(corpus, path, force, err);
    if (st != GB_OK || notes == NULL)
        return st;
    json_t *said = json_pack("{s:[s], s:{}, s:[]}", "files", path, "read_with", "changes");
    const gb_status told =
        said == NULL ? gb_fail(err, GB_ENOMEM, "out of memory: notes") : gb_json_text(said, 0, notes, NULL, err);
    json_decref(said);
    return told;
}

gb_status gb_corpus_export(const gb_corpus *corpus, const char *path, const char *format, bool force, char **notes,
                           gb_error *err)
{
    gb_status st;
    gb_writer w = {.corpus = corpus, .path = path, .label = GB_NO_LABEL_FIELD};
    files f = {.own = NULL};
    json_t *said = NULL;
    char *text = NULL;
    GB_TRY(gb_corpus_check_tokens(corpus, err));
    GB_TRY(choose(path, format, &w.ops, err));
    if (w.ops == NULL)
        return write_corpus_file(corpus, path, force, notes, err);
    GB_TRY(begin(&w, err));
    GB_TRY(open_files(&w, force, &f, err));
    GB_TRY(write_files(&w, &f, err));
    GB_TRY(make_notes(&w, &f, &said, err));
    GB_TRY(gb_json_text(said, 0, &text, NULL, err));
    GB_TRY(commit(&f, err));
    if (notes != NULL) {
        *notes = text;
        text = NULL;
    }
done:
    discard(&f);
    json_decref(said);
    json_decref(w.read_with);
    gb_free(w.word);
    gb_free(w.count);
    gb_free(text);
    return st;
}
