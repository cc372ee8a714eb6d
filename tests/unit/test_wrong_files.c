/* Files of ours with a right layout and checksum in which one thing is wrong, each thing in turn: a value of a text's JSON is another one or is
 * missing, an array is missing or has another type, length or value.  Such a file is refused with a message that begins with its name, or what
 * it says is possible: then it is written again as a file that is read, and written as the same bytes. */
#include "helper_documents.h"

#include "base/memory.h"
#include "gibbous/gibbous.h"
#include "store/layout.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- documents and models ---- */

static const char documents[] = "documents.jsonl";

static void write_documents(void)
{
    static const char *const word[] = {"ash", "birch", "cedar", "elm", "fir", "oak", "pine", "rowan", "teak", "yew"};
    static const char *const class[] = {"a", "b", "c"};
    FILE *f = fopen(documents, "w");
    assert_non_null(f);
    for (unsigned d = 0; d < 60; d++) {
        (void)fprintf(f, "{\"id\":\"d%u\",\"text\":\"", d);
        for (unsigned i = 0; i < 9; i++)
            (void)fprintf(f, "%s%s", i > 0 ? " " : "", word[(d % 3 * 3 + i * i * (d + 1) % 4) % 10]);
        (void)fprintf(f,
                      "\",\"kind\":\"%s\",\"tags\":[\"%s\"%s],\"stars\":%g,\"seen\":%u,\"time\":%g,\"age\":%g,"
                      "\"town\":\"%s\",\"year\":%u}\n",
                      class[d % 3], class[d * 7 % 3], d % 4 == 0 ? ",\"z\"" : "", 1 + d % 3 + d % 7 * 0.1,
                      d % 5 + 3 * (d % 3), 1 + d % 2 * 0.5, 20 + d * 7.5, d % 5 == 0 ? "south" : "north",
                      2000 + d % 4);
    }
    assert_int_equal(fclose(f), 0);
}

enum { MOST_OPTIONS = 24 };

/* Which fields are read, and how a model is trained on them. */
static const char *const models[][2][MOST_OPTIONS] = {
    {{"label", "kind", "covariates", "age,town"},
     {"calibrate", "2", "impute", "mean", "seeds", "{\"wood\":[\"oak\",\"elm\"]}", "class-weight", "balanced"}},
    {{"labels", "tags", "group", "year"},
     {"prior", "graph", "graph", "chain", "calibrate", "2", "chains", "2", "word-effects", "tfidf"}},
    {{"target", "stars"}, {"prior", "logistic-normal", "covariance", "full", "cross-fit", "2", "covariates", ""}},
    {{"target", "seen", "exposure", "time", "covariates", "age"},
     {"response", "negative-binomial", "coefficient-prior", "horseshoe", "prior", "uniform"}},
    {{"label", "kind", "group", "town,year"},
     {"response", "ordinal", "levels", "a,b,c", "prior", "graph", "graph", "grid", "word-effects", "counts"}},
    {{"label", "kind"}, {"response", "probit", "strategy", "one-vs-rest", "alpha", "0.3"}},
};

enum { N_MODELS = sizeof models / sizeof *models };

static void set_all(gb_settings *settings, const char *const *option)
{
    for (; *option != NULL; option += 2)
        if (*option[1] != '\0')
            set(settings, option[0], option[1]);
}

static gb_corpus *read_documents(size_t which)
{
    gb_corpus *corpus;
    gb_settings *settings = settings_of("min-df", "1", NULL);
    set_all(settings, models[which][0]);
    assert_int_equal(gb_corpus_read(documents, settings, NULL, NULL, &corpus, NULL), GB_OK);
    gb_settings_free(settings);
    return corpus;
}

static gb_settings *training(size_t which)
{
    gb_settings *settings =
        settings_of("topics", "3", "sweeps", "4", "burn-in", "2", "seed", "1", "threads", "1", "growth", "0", NULL);
    set_all(settings, models[which][1]);
    return settings;
}

static gb_model *trained(size_t which)
{
    gb_error err = {.message = ""};
    gb_model *model = NULL;
    gb_corpus *corpus = read_documents(which);
    gb_settings *settings = training(which);
    if (gb_train(corpus, settings, NULL, NULL, &model, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
    return model;
}

/* ---- a file taken apart ---- */

typedef enum array_fault {
    LEFT_OUT,
    SHORTER,
    LONGER,
    EMPTY,
    TYPE,
    FIRST_LARGEST,
    LAST_LARGEST,
    FIRST_MORE,
    LAST_LESS,
    N_FAULTS
} array_fault;

/* One thing that is wrong.  Texts of the metadata and arrays are named; all else is as in the file. */
typedef struct change {
    const char *text, *value; /* this text is `value` */
    const char *array;
    array_fault fault;
    size_t axis; /* of SHORTER, LONGER, EMPTY */
} change;

typedef struct parts {
    const char *kind; /* "model", ... */
    json_t *header;
    gb_store *store;
} parts;

static parts take_apart(const char *path, const char *kind)
{
    parts p = {.kind = kind};
    size_t n;
    uint64_t length;
    char *bytes = read_whole(path, &n);
    memcpy(&length, bytes, sizeof length);
    p.header = json_loadb(bytes + GB_LENGTH_BYTES, length, 0, NULL);
    assert_non_null(p.header);
    assert_int_equal(gb_store_open(&p.store, path, kind, NULL), GB_OK);
    free(bytes);
    return p;
}

static void clear_parts(parts *p)
{
    json_decref(p->header);
    gb_store_close(p->store);
}

static bool is_array(const char *name)
{
    return strcmp(name, "__metadata__") != 0 && strncmp(name, GB_PADDING, strlen(GB_PADDING)) != 0;
}

static gb_dtype other_type(gb_dtype type)
{
    static const gb_dtype other[] = {[GB_U8] = GB_U16,  [GB_U16] = GB_U8,  [GB_U32] = GB_F32,
                                     [GB_U64] = GB_F64, [GB_F32] = GB_U32, [GB_F64] = GB_U64};
    return other[type];
}

static void set_element(char *element, gb_dtype type, array_fault fault)
{
    uint64_t whole = 0;
    const size_t size = gb_dtype_size(type);
    memcpy(&whole, element, size);
    whole = fault == FIRST_MORE  ? whole + 1
            : fault == LAST_LESS ? whole - 1
                                 : UINT64_MAX; /* of numbers: not a number */
    memcpy(element, &whole, size);
}

static void put_array(gb_store_writer *w, const parts *p, const char *name, const json_t *entry, const change *c)
{
    gb_dtype type;
    uint64_t shape[GB_MAX_DIMENSIONS], n_old = 1, n = 1;
    const void *old;
    char *data;
    const size_t n_axes = json_array_size(json_object_get(entry, "shape"));
    assert_true(gb_dtype_from_name(json_string_value(json_object_get(entry, "dtype")), &type));
    assert_int_equal(gb_store_get_array(p->store, name, type, n_axes, shape, &old, NULL), GB_OK);
    const bool is_changed = c->array != NULL && strcmp(c->array, name) == 0;
    for (size_t i = 0; i < n_axes; i++)
        n_old *= shape[i];
    if (is_changed && c->fault == LEFT_OUT)
        return;
    if (is_changed && c->fault <= EMPTY)
        shape[c->axis] = c->fault == EMPTY     ? 0
                         : c->fault == LONGER  ? shape[c->axis] + 1
                         : shape[c->axis] == 0 ? 0
                                               : shape[c->axis] - 1;
    for (size_t i = 0; i < n_axes; i++)
        n *= shape[i];
    const size_t size = gb_dtype_size(type);
    assert_int_equal(gb_alloc(&data, (n + 1) * 2, size, "an array", NULL), GB_OK);
    memcpy(data, old, (n < n_old ? n : n_old) * size);
    if (is_changed && c->fault > TYPE && n > 0)
        set_element(data + (c->fault == LAST_LARGEST || c->fault == LAST_LESS ? n - 1 : 0) * size, type, c->fault);
    if (is_changed && c->fault == TYPE)
        type = other_type(type);
    assert_int_equal(gb_store_take_array(w, name, type, n_axes, shape, data, NULL), GB_OK);
}

static void put_together(const parts *p, const change *c, const char *path)
{
    const char *name;
    json_t *entry;
    gb_store_writer *w;
    assert_int_equal(gb_store_create(&w, p->kind, NULL), GB_OK);
    json_object_foreach(json_object_get(p->header, "__metadata__"), name, entry)
    {
        if (strcmp(name, "checksum") == 0 || strcmp(name, "gibbous") == 0)
            continue;
        const bool is_changed = c->text != NULL && strcmp(c->text, name) == 0;
        if (!is_changed || c->value != NULL)
            assert_int_equal(gb_store_text(w, name, is_changed ? c->value : json_string_value(entry), NULL), GB_OK);
    }
    json_object_foreach(p->header, name, entry) if (is_array(name)) put_array(w, p, name, entry, c);
    assert_int_equal(gb_store_save(w, path, true, NULL), GB_OK);
    gb_store_writer_free(w);
}

/* ---- everything in turn ---- */

/* What is asked of a file with one thing wrong; `what` names that in messages. */
typedef void ask_file(const char *path, const char *what);

typedef struct trial {
    const parts *parts; /* NULL: only the JSON is varied, and put where it belongs by put() */
    void (*put)(const struct trial *t, const char *value);
    const char *path, *rest;
    size_t n_rest;
    ask_file *ask;
    const char *text; /* whose JSON changes */
    json_t *root;
    size_t n;
} trial;

static const char wrong[] = "wrong";

/* A file that is not a store: length of the header, header, filled up with blanks to a multiple of 8, the rest.  Embeddings are such a file, and
 * logs of records. */
static void put_headed(const trial *t, const char *header)
{
    FILE *f = fopen(t->path, "wb");
    const uint64_t length = (strlen(header) + 7) / 8 * 8;
    assert_non_null(f);
    (void)fwrite(&length, sizeof length, 1, f);
    (void)fprintf(f, "%-*s", (int)length, header);
    (void)fwrite(t->rest, 1, t->n_rest, f);
    assert_int_equal(fclose(f), 0);
}

static void try_text(trial *t, const char *what)
{
    char *value = json_dumps(t->root, JSON_ENCODE_ANY);
    assert_non_null(value);
    if (t->parts == NULL)
        t->put(t, value);
    else
        put_together(t->parts, &(change){.text = t->text, .value = value}, wrong);
    t->ask(wrong, what);
    t->n++;
    free(value);
}

static json_t *replacement(size_t i)
{
    switch (i) {
    case 0:
        return json_null();
    case 1:
        return json_true();
    case 2:
        return json_integer(-1);
    case 3:
        return json_integer(0);
    case 4:
        return json_integer(1);
    case 5:
        return json_integer(65536);
    case 6:
        return json_integer(INT64_MAX);
    case 7:
        return json_real(1e308);
    case 8:
        return json_real(-0.5);
    case 9:
        return json_string("");
    case 10:
        return json_string("nothing");
    case 11:
        return json_string("\x1b[2J");
    case 12:
        return json_array();
    case 13:
        return json_pack("[i, i]", 3, 2);
    case 14:
        return json_object();
    default:
        return NULL;
    }
}

static void vary(trial *t, json_t *place);

/* What stands at `key` or `index` of an object or array, and then all that is in it. */
static void vary_member(trial *t, json_t *place, const char *key, size_t index)
{
    json_t *was = json_incref(key != NULL ? json_object_get(place, key) : json_array_get(place, index));
    json_t *with;
    char what[200];
    for (size_t i = 0; (with = replacement(i)) != NULL; i++) {
        (void)snprintf(what, sizeof what, "%s: \"%s\" %zu is number %zu", t->text, key == NULL ? "" : key, index, i);
        assert_int_equal(key != NULL ? json_object_set_new(place, key, with) : json_array_set_new(place, index, with),
                         0);
        try_text(t, what);
    }
    assert_int_equal(key != NULL ? json_object_set(place, key, was) : json_array_set(place, index, was), 0);
    vary(t, was);
    (void)snprintf(what, sizeof what, "%s: \"%s\" %zu is missing", t->text, key == NULL ? "" : key, index);
    if (key != NULL) {
        json_object_del(place, key);
        try_text(t, what);
        json_object_set(place, key, was); /* last now: the order of members means nothing */
    } else {
        json_array_remove(place, index);
        try_text(t, what);
        json_array_insert(place, index, was);
        (void)snprintf(what, sizeof what, "%s: %zu is there twice", t->text, index);
        json_array_insert(place, index, was);
        try_text(t, what);
        json_array_remove(place, index);
    }
    json_decref(was);
}

static void vary(trial *t, json_t *place)
{
    enum { MOST_MEMBERS = 2 }; /* of a list all are read alike */
    if (json_is_object(place)) {
        json_t *keys = json_array();
        const char *key;
        json_t *value;
        size_t i;
        json_object_foreach(place, key, value) json_array_append_new(keys, json_string(key));
        json_array_foreach(keys, i, value) vary_member(t, place, json_string_value(value), 0);
        json_decref(keys);
    }
    for (size_t i = 0; i < json_array_size(place) && i < MOST_MEMBERS; i++)
        vary_member(t, place, NULL, i);
}

static void vary_texts(trial *t)
{
    const char *name;
    json_t *value, *texts = json_object_get(t->parts->header, "__metadata__");
    json_object_foreach(texts, name, value)
    {
        if (strcmp(name, "checksum") == 0 || strcmp(name, "gibbous") == 0)
            continue;
        static const char *const instead[] = {NULL, "", "{", "[]", "{}", "\"text\""};
        for (size_t i = 0; i < sizeof instead / sizeof *instead; i++, t->n++) {
            put_together(t->parts, &(change){.text = name, .value = instead[i]}, wrong);
            t->ask(wrong, name);
        }
        t->text = name;
        t->root = json_loads(json_string_value(value), 0, NULL);
        if (t->root != NULL && strcmp(name, "settings") != 0) /* which are looked into when they are used */
            vary(t, t->root);
        json_decref(t->root);
    }
}

static void vary_arrays(trial *t)
{
    const char *name;
    json_t *entry;
    char what[200];
    json_object_foreach(t->parts->header, name, entry)
    {
        const size_t n_axes = json_array_size(json_object_get(entry, "shape"));
        for (int fault = 0; fault < N_FAULTS && is_array(name); fault++)
            for (size_t axis = 0; axis < (fault >= SHORTER && fault <= EMPTY ? n_axes : 1); axis++, t->n++) {
                put_together(t->parts, &(change){.array = name, .fault = (array_fault)fault, .axis = axis}, wrong);
                (void)snprintf(what, sizeof what, "array %s: fault %d, axis %zu", name, fault, axis);
                t->ask(wrong, what);
            }
    }
}

static size_t vary_file(const char *path, const char *kind, ask_file *ask)
{
    parts p = take_apart(path, kind);
    trial t = {.parts = &p, .ask = ask};
    put_together(&p, &(change){.text = NULL}, wrong);
    assert_same_files(path, wrong); /* nothing is wrong: the parts are the whole */
    vary_texts(&t);
    vary_arrays(&t);
    clear_parts(&p);
    return t.n;
}

static size_t n_refused;

/* True if the file was read; a refusal names the file. */
static bool is_read(gb_status st, const gb_error *err, const char *path, const char *what)
{
    if (st == GB_OK)
        return true;
    n_refused++;
    if (st != GB_EFORMAT || strncmp(err->message, path, strlen(path)) != 0)
        fail_msg("%s: status %d: %s", what, (int)st, err->message);
    return false;
}

/* ---- models ---- */

static void ask_model(const char *path, const char *what)
{
    gb_error err = {.message = ""};
    gb_model *model = NULL, *again = NULL;
    if (is_read(gb_model_read(path, NULL, NULL, &model, &err), &err, path, what)) {
        if (gb_model_write(model, "once", true, NULL, NULL, &err) != GB_OK ||
            gb_model_read("once", NULL, NULL, &again, &err) != GB_OK)
            fail_msg("%s: cannot be written and read again: %s", what, err.message);
        assert_int_equal(gb_model_write(again, "twice", true, NULL, NULL, NULL), GB_OK);
        assert_same_files("once", "twice");
    }
    gb_model_free(model);
    gb_model_free(again);
}

static void a_model_with_one_thing_wrong_is_refused_or_is_another_model(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_MODELS; i++) {
        gb_model *model = trained(i);
        assert_int_equal(gb_model_write(model, "model", true, NULL, NULL, NULL), GB_OK);
        gb_model_free(model);
        n_refused = 0;
        const size_t n = vary_file("model", "model", ask_model);
        print_message("model %zu: %zu changes, %zu refused\n", i, n, n_refused);
        assert_true(n_refused > n / 4);
    }
}

/* ---- corpora ---- */

/* The same where the message may name the file elsewhere, and what is asked of it may be what is wrong. */
static bool is_good(gb_status st, const gb_error *err, const char *what)
{
    if (st == GB_OK)
        return true;
    n_refused++;
    const bool is_missing = st == GB_EIO && strstr(err->message, "cannot open") != NULL; /* a shard of that name */
    if ((st != GB_EFORMAT && st != GB_EARGUMENT && !is_missing) || strstr(err->message, wrong) == NULL)
        fail_msg("%s: status %d: %s", what, (int)st, err->message);
    return false;
}

/* Read as any documents are, one after the other, since words are to be chosen. */
static void ask_documents(const char *path, const char *what)
{
    gb_error err = {.message = ""};
    gb_corpus *corpus = NULL;
    gb_settings *settings = settings_of("min-df", "1", NULL);
    (void)is_good(gb_corpus_read(path, settings, NULL, NULL, &corpus, &err), &err, what);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
}

static void ask_corpus(const char *path, const char *what)
{
    gb_error err = {.message = ""};
    gb_corpus *corpus = NULL, *again = NULL;
    gb_settings *settings = settings_of(NULL, NULL);
    if (is_read(gb_corpus_read(path, settings, NULL, NULL, &corpus, &err), &err, path, what)) {
        if (gb_corpus_write(corpus, "once", true, &err) != GB_OK ||
            gb_corpus_read("once", settings, NULL, NULL, &again, &err) != GB_OK)
            fail_msg("%s: cannot be written and read again: %s", what, err.message);
        assert_int_equal(gb_corpus_write(again, "twice", true, NULL), GB_OK);
        assert_same_files("once", "twice");
    }
    ask_documents(path, what);
    gb_corpus_free(corpus);
    gb_corpus_free(again);
    gb_settings_free(settings);
}

static void a_corpus_with_one_thing_wrong_is_refused_or_is_another_corpus(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_MODELS; i++) {
        gb_corpus *corpus = read_documents(i);
        assert_int_equal(gb_corpus_write(corpus, "corpus", true, NULL), GB_OK);
        gb_corpus_free(corpus);
        n_refused = 0;
        const size_t n = vary_file("corpus", "corpus", ask_corpus);
        print_message("corpus %zu: %zu changes, %zu refused\n", i, n, n_refused);
        assert_true(n_refused > n / 10);
    }
}

/* ---- checkpoints, and the draws beside them ---- */

static size_t checkpoint_of; /* which model's */

static void copy_file(const char *from, const char *to)
{
    size_t n;
    char *bytes = read_whole(from, &n);
    write_bytes(to, bytes, n);
    free(bytes);
}

/* A run of which only the checkpoint is wrong, or only the header of the draws: it is looked into, and gone on with. */
static void ask_run(const char *path, const char *what)
{
    gb_error err = {.message = ""};
    char *notes = NULL;
    gb_diagnosis *diagnosis = NULL;
    gb_model *model = NULL;
    gb_corpus *corpus = read_documents(checkpoint_of);
    gb_settings *settings = settings_of("resume", path, "threads", "1", "sweeps", "5", NULL);
    if (is_good(gb_checkpoint_notes(path, &notes, &err), &err, what))
        gb_free(notes);
    if (is_good(gb_diagnosis_create_from_checkpoint(path, &diagnosis, &err), &err, what))
        gb_diagnosis_free(diagnosis);
    if (is_good(gb_train(corpus, settings, NULL, NULL, &model, &err), &err, what))
        assert_int_equal(gb_model_write(model, "once", true, NULL, NULL, NULL), GB_OK);
    gb_model_free(model);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
}

static void ask_checkpoint(const char *path, const char *what)
{
    copy_file("run.draws", "wrong.draws");
    ask_run(path, what);
}

static void ask_draws(const char *path, const char *what)
{
    copy_file("run", path);
    ask_run(path, what);
}

static void make_run(size_t which)
{
    gb_error err = {.message = ""};
    gb_model *model;
    gb_corpus *corpus = read_documents(which);
    gb_settings *settings = training(which);
    set(settings, "checkpoint", "run");
    set(settings, "force", "yes");
    set(settings, "calibrate", "auto");
    set(settings, "cross-fit", "0"); /* has no checkpoints */
    if (gb_train(corpus, settings, NULL, NULL, &model, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_model_free(model);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
}

static size_t vary_draws(void)
{
    size_t n;
    uint64_t length;
    char *bytes = read_whole("run.draws", &n);
    memcpy(&length, bytes, sizeof length);
    trial t = {.put = put_headed,
               .path = "wrong.draws",
               .rest = bytes + sizeof length + length,
               .n_rest = n - sizeof length - (size_t)length,
               .ask = ask_draws,
               .text = "draws",
               .root = json_loadb(bytes + sizeof length, length, 0, NULL)};
    assert_non_null(t.root);
    vary(&t, t.root);
    json_decref(t.root);
    free(bytes);
    return t.n;
}

static void a_run_with_one_thing_wrong_is_refused_or_goes_on(void **state)
{
    (void)state;
    for (checkpoint_of = 0; checkpoint_of < N_MODELS; checkpoint_of++) {
        make_run(checkpoint_of);
        n_refused = 0;
        const size_t n = vary_file("run", "checkpoint", ask_checkpoint), n_draws = vary_draws();
        print_message("run %zu: %zu and %zu changes, %zu refusals\n", checkpoint_of, n, n_draws, n_refused);
        assert_true(n_refused > (n + n_draws) / 4);
    }
}

/* ---- corpora in shards ---- */

static void a_manifest_with_one_thing_wrong_is_refused_or_read(void **state)
{
    (void)state;
    gb_corpus *corpus = read_documents(0);
    assert_int_equal(gb_corpus_write_shards(corpus, "shards", 1, true, NULL), GB_OK);
    assert_int_equal(gb_corpus_write_shards(corpus, wrong, 1, true, NULL),
                     GB_OK); /* the shard beside it is the right one */
    gb_corpus_free(corpus);
    n_refused = 0;
    const size_t n = vary_file("shards", "shards", ask_documents);
    print_message("manifest: %zu changes, %zu refused\n", n, n_refused);
    assert_true(n_refused > n / 4);
}

/* ---- embeddings ---- */

static void ask_embeddings(const char *path, const char *what)
{
    gb_error err = {.message = ""};
    gb_corpus *corpus = NULL;
    gb_settings *settings = settings_of("embeddings", path, NULL);
    if (is_good(gb_corpus_read(documents, settings, NULL, NULL, &corpus, &err), &err, what))
        assert_true(gb_corpus_n_embedding_columns(corpus) > 0);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
}

static void embeddings_with_one_thing_wrong_are_refused_or_read(void **state)
{
    (void)state;
    static const float value[120] = {[3] = 0.5f, [77] = -1};
    for (int several = 0; several < 2; several++) {
        trial t = {.put = put_headed,
                   .path = wrong,
                   .rest = (const char *)value,
                   .n_rest = sizeof value,
                   .ask = ask_embeddings,
                   .text = "embeddings",
                   .root =
                       json_pack("{s:{s:s}, s:{s:s, s:[i,i], s:[i,i]}}", "__metadata__", "of", "a test", "embeddings",
                                 "dtype", "F32", "shape", 60, 2, "data_offsets", 0, (int)sizeof value)};
        if (several)
            json_object_set_new(t.root, "others",
                                json_pack("{s:s, s:[i], s:[i,i]}", "dtype", "F64", "shape", 1, "data_offsets", 0, 8));
        n_refused = 0;
        try_text(&t, "nothing");
        assert_int_equal(n_refused, 0);
        vary(&t, t.root);
        print_message("embeddings: %zu changes, %zu refused\n", t.n, n_refused);
        assert_true(n_refused > t.n / 4);
        json_decref(t.root);
    }
}

/* ---- options that take JSON ---- */

static const char *value_of_option; /* JSON, or a file with it */

static void keep_value(const trial *t, const char *value)
{
    (void)t;
    value_of_option = value;
}

/* As the plan of a training says: a wrong value is the user's mistake, and the message names the option. */
static void ask_option(const char *option, const char *what)
{
    gb_error err = {.message = ""};
    gb_plan *plan = NULL;
    gb_corpus *corpus = read_documents(strcmp(option, "graph") == 0 ? 1 : 0);
    gb_settings *settings = settings_of("topics", "3", "sweeps", "4", "burn-in", "2", "seed", "1", NULL);
    if (strcmp(option, "graph") == 0)
        set(settings, "prior", "graph");
    if (strcmp(option, "psi-covariance") == 0) {
        set(settings, "prior", "logistic-normal");
        set(settings, "covariance", "full");
    }
    gb_status st = gb_settings_set(settings, option, value_of_option, &err);
    if (st == GB_OK)
        st = gb_plan_create(corpus, settings, &plan, &err);
    if (st != GB_OK)
        n_refused++;
    if (st != GB_OK && (st == GB_ENOMEM || strlen(err.message) < 10))
        fail_msg("%s: status %d: %s", what, (int)st, err.message);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
}

static void ask_graph(const char *path, const char *what)
{
    (void)path;
    ask_option("graph", what);
}

static void ask_seeds(const char *path, const char *what)
{
    (void)path;
    ask_option("seeds", what);
}

static void ask_weights(const char *path, const char *what)
{
    (void)path;
    ask_option("class-weight", what);
}

static void ask_covariance(const char *path, const char *what)
{
    (void)path;
    ask_option("psi-covariance", what);
}

static void options_with_one_thing_wrong_are_refused_or_good(void **state)
{
    (void)state;
    static const struct {
        ask_file *ask;
        const char *value;
    } option[] = {
        {ask_graph, "[[\"2000\",\"2001\",2.5,\"a\"],[\"2001\",\"2002\",1,\"b\"],[\"2002\",\"2003\",1,\"b\"]]"},
        {ask_graph, "[[\"2000\",\"2001\"],[\"2001\",\"2002\"],[\"2002\",\"2003\"]]"},
        {ask_seeds, "{\"wood\":[\"oak\",\"elm\"],\"yew\":[\"yew\"]}"},
        {ask_weights, "{\"a\":2,\"c\":0.5}"},
        {ask_covariance, "[[2,0.5],[0.5,1]]"}};
    for (size_t i = 0; i < sizeof option / sizeof *option; i++) {
        trial t = {
            .put = keep_value, .ask = option[i].ask, .text = "option", .root = json_loads(option[i].value, 0, NULL)};
        n_refused = 0;
        try_text(&t, "nothing");
        assert_int_equal(n_refused, 0);
        vary(&t, t.root);
        print_message("option %zu: %zu changes, %zu refused\n", i, t.n, n_refused);
        assert_true(n_refused > t.n / 4);
        json_decref(t.root);
    }
}

static int begin(void **state)
{
    const int failed = enter_folder_in_memory(state);
    if (failed == 0)
        write_documents();
    return failed;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_with_one_thing_wrong_is_refused_or_is_another_model),
        cmocka_unit_test(a_corpus_with_one_thing_wrong_is_refused_or_is_another_corpus),
        cmocka_unit_test(a_run_with_one_thing_wrong_is_refused_or_goes_on),
        cmocka_unit_test(a_manifest_with_one_thing_wrong_is_refused_or_read),
        cmocka_unit_test(embeddings_with_one_thing_wrong_are_refused_or_read),
        cmocka_unit_test(options_with_one_thing_wrong_are_refused_or_good),
    };
    return cmocka_run_group_tests(tests, begin, leave_folder);
}
