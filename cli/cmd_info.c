/* cli/cmd_info.c - what is in a corpus or a model: one JSON object, printed as it is or as readable lines. */
#include "common.h"

#include "corpus/data/corpus.h"
#include "model/model.h"
#include "store/store.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- a corpus -------------------------------------------------------------------------------------- */

static json_t *count_classes(const gb_corpus *corpus, const gb_labels *labels)
{
    uint64_t *count = NULL;
    if (cli_alloc(&count, labels->classes.count, sizeof *count, "class counts", NULL) != GB_OK)
        return NULL;
    for (uint64_t i = 0; i < labels->doc_start[corpus->n_docs]; i++)
        count[labels->class_of[i]]++;
    json_t *object = json_object();
    for (uint64_t c = 0; c < labels->classes.count; c++) {
        char *name = NULL;
        if (gb_texts_copy(&labels->classes, c, &name, NULL) == GB_OK)
            (void)json_object_set_new(object, name, json_integer((json_int_t)count[c]));
        gb_free(name);
    }
    gb_free(count);
    return object;
}

static uint64_t count_labelled(const gb_corpus *corpus, const gb_labels *labels)
{
    uint64_t n = 0;
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        n += labels->labelled[d];
    return n;
}

static json_t *describe_labels(const gb_corpus *corpus, const gb_labels *labels)
{
    return json_pack("{s:b, s:I, s:o}", "several", labels->several, "labelled",
                     (json_int_t)count_labelled(corpus, labels), "classes", count_classes(corpus, labels));
}

static json_t *describe_factor(const gb_corpus *corpus, const gb_labels *factor)
{
    return json_pack("{s:s, s:I, s:o}", "kind", factor->several ? "list" : "factor", "present",
                     (json_int_t)count_labelled(corpus, factor), "levels", count_classes(corpus, factor));
}

static json_t *describe_group(const gb_corpus *corpus, const gb_labels *group)
{
    return json_pack("{s:I, s:o}", "present", (json_int_t)count_labelled(corpus, group), "values",
                     count_classes(corpus, group));
}

/* Mean, and the standard deviation with n - 1: null where there are too few numbers for them. */
static json_t *describe_numbers(const gb_corpus *corpus, const gb_numbers *numbers)
{
    uint64_t n = 0;
    double mean = 0, squares = 0, minimum = 0, maximum = 0;
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        double value = numbers->value[d];
        if (isnan(value))
            continue;
        minimum = n == 0 || value < minimum ? value : minimum;
        maximum = n == 0 || value > maximum ? value : maximum;
        double before = value - mean; /* Welford's way: no difference of large sums */
        mean += before / (double)++n;
        squares += before * (value - mean);
    }
    json_t *object = json_pack("{s:I}", "present", (json_int_t)n);
    (void)json_object_set_new(object, "mean", n > 0 ? json_real(mean) : json_null());
    (void)json_object_set_new(object, "sd", n > 1 ? json_real(sqrt(squares / (double)(n - 1))) : json_null());
    (void)json_object_set_new(object, "minimum", n > 0 ? json_real(minimum) : json_null());
    (void)json_object_set_new(object, "maximum", n > 0 ? json_real(maximum) : json_null());
    return object;
}

/* All fields of a role, by name; NULL if there are none. */
static json_t *describe_role(const gb_corpus *corpus, gb_role role)
{
    json_t *fields = json_object();
    for (size_t i = 0; i < corpus->n_labels; i++)
        if (corpus->labels[i].role == role && role == GB_ROLE_COVARIATE)
            (void)json_object_set_new(fields, corpus->labels[i].name, describe_factor(corpus, &corpus->labels[i]));
        else if (corpus->labels[i].role == role && role == GB_ROLE_GROUP)
            (void)json_object_set_new(fields, corpus->labels[i].name, describe_group(corpus, &corpus->labels[i]));
    for (size_t i = 0; i < corpus->n_numbers; i++) {
        if (corpus->numbers[i].role != role)
            continue;
        json_t *field = json_object();
        if (role == GB_ROLE_COVARIATE)
            (void)json_object_set_new(field, "kind", json_string("number"));
        json_t *facts = describe_numbers(corpus, &corpus->numbers[i]);
        (void)json_object_update(field, facts);
        json_decref(facts);
        (void)json_object_set_new(fields, corpus->numbers[i].name, field);
    }
    if (json_object_size(fields) > 0)
        return fields;
    json_decref(fields);
    return NULL;
}

static json_t *describe_corpus(const gb_corpus *corpus)
{
    uint64_t n_empty = 0;
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        n_empty += corpus->doc_start[d] == corpus->doc_start[d + 1];
    json_t *labels = json_object();
    for (size_t i = 0; i < corpus->n_labels; i++)
        if (corpus->labels[i].role == GB_ROLE_RESPONSE)
            (void)json_object_set_new(labels, corpus->labels[i].name, describe_labels(corpus, &corpus->labels[i]));
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:o, s:o*, s:o*, s:o*, s:o*, s:o*, s:O?, s:O?}", "kind", "corpus",
                     "documents", (json_int_t)corpus->n_docs, "empty_documents", (json_int_t)n_empty, "tokens",
                     (json_int_t)corpus->n_tokens, "words", (json_int_t)corpus->n_words, "labels", labels, "targets",
                     describe_role(corpus, GB_ROLE_RESPONSE), "covariates", describe_role(corpus, GB_ROLE_COVARIATE),
                     "exposure", describe_role(corpus, GB_ROLE_EXPOSURE), "document_weight",
                     describe_role(corpus, GB_ROLE_WEIGHT), "groups", describe_role(corpus, GB_ROLE_GROUP),
                     "preparation", corpus->preparation, "source", corpus->source);
}

/* ---- a model --------------------------------------------------------------------------------------- */

static json_t *describe_response(const gb_model *model, uint64_t r)
{
    json_t *classes = json_array();
    for (uint64_t c = 0; c < gb_model_n_classes(model, r); c++)
        (void)json_array_append_new(classes, json_string(gb_model_class(model, r, c)));
    if (json_array_size(classes) == 0) { /* a number */
        json_decref(classes);
        classes = NULL;
    }
    return json_pack("{s:s, s:s, s:o*}", "response", gb_model_response(model, r), "task",
                     gb_task_name(gb_model_task(model, r)), "classes", classes);
}

static json_t *describe_model(const gb_model *model)
{
    json_t *responses = json_object(), *settings = json_loads(gb_model_settings(model), 0, NULL);
    for (uint64_t r = 0; r < gb_model_n_responses(model); r++)
        (void)json_object_set_new(responses, gb_model_field(model, r), describe_response(model, r));
    return json_pack("{s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:o?, s:O*}", "kind", "model", "responses", responses,
                     "topics", (json_int_t)gb_model_n_topics(model), "words", (json_int_t)gb_model_n_words(model),
                     "draws", (json_int_t)gb_model_n_draws(model), "seed", (json_int_t)gb_model_seed(model),
                     "training_documents", (json_int_t)gb_model_n_training_docs(model), "training_tokens",
                     (json_int_t)gb_model_n_training_tokens(model), "settings", settings, "acceptance",
                     model->acceptance);
}

/* ---- output ---------------------------------------------------------------------------------------- */

enum { MAX_SHOWN = 30 };

static void print_scalar(const json_t *value)
{
    if (json_is_string(value) && json_string_length(value) == 0)
        (void)fputs("not set", stdout);
    else if (json_is_string(value))
        (void)fputs(json_string_value(value), stdout);
    else if (json_is_boolean(value))
        (void)fputs(json_is_true(value) ? "yes" : "no", stdout);
    else if (json_is_number(value))
        (void)json_dumpf(value, stdout, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
    else if (json_is_null(value))
        (void)fputs("none", stdout);
}

static void print_list(const json_t *list)
{
    size_t n = json_array_size(list);
    if (n == 0)
        (void)fputs("none", stdout);
    for (size_t i = 0; i < n && i < MAX_SHOWN; i++) {
        (void)fputs(i > 0 ? ", " : "", stdout);
        print_scalar(json_array_get(list, i));
    }
    if (n > MAX_SHOWN)
        (void)printf(" and %zu more", n - MAX_SHOWN);
}

static void print_object(json_t *object, int indent)
{
    size_t n_shown = 0;
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        if (n_shown++ == MAX_SHOWN && indent > 2) {
            (void)printf("%*s... %zu more\n", indent, "", json_object_size(object) - MAX_SHOWN);
            break;
        }
        if (json_is_object(value)) {
            (void)printf("%*s%s%s\n", indent, "", name, json_object_size(value) == 0 ? ": none" : "");
            print_object(value, indent + 2);
            continue;
        }
        (void)printf("%*s%-*s ", indent, "", 22 - indent, name);
        if (json_is_array(value))
            print_list(value);
        else
            print_scalar(value);
        (void)fputc('\n', stdout);
    }
}

gb_status cli_info(cli_call *call, gb_error *err)
{
    const char *path = call->argument[0];
    gb_model *model = NULL;
    gb_corpus *corpus = NULL;
    json_t *object = NULL;
    gb_store *store = NULL;
    gb_status st;
    /* whatever is not a model is read as a corpus, so its reader says what is wrong with it */
    if (gb_store_sniff(path) && gb_store_open(&store, path, "model", NULL) == GB_OK) {
        CLI_TRY(cli_input(gb_model_read(path, &model, err), err));
        object = describe_model(model);
    } else {
        CLI_TRY(cli_input(gb_corpus_read(path, call->settings, &corpus, err), err));
        object = describe_corpus(corpus);
    }
    if (cli_flag(call, "json"))
        CLI_TRY(cli_print_json(object, err));
    else if (object == NULL)
        st = cli_no_memory("a description", err);
    else
        print_object(object, 0);
done:
    gb_store_close(store);
    json_decref(object);
    gb_corpus_free(corpus);
    gb_model_free(model);
    return st;
}
