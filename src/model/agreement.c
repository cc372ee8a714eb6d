/* model/agreement.c - how far the chains of a training differ in what they predict. */
#include "model/agreement.h"

static double number_of(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static uint64_t documents_of(const json_t *object)
{
    return (uint64_t)json_integer_value(json_object_get(object, "documents"));
}

bool gb_model_words_agreement(const gb_model *m, gb_words_agreement *out)
{
    const json_t *words = json_object_get(m->agreement, "words"), *of = json_object_get(words, "log_likelihood");
    const size_t n = json_array_size(of);
    double low = INFINITY, high = -INFINITY, sum = 0;
    for (size_t c = 0; c < n; c++) {
        const double x = json_number_value(json_array_get(of, c));
        low = fmin(low, x);
        high = fmax(high, x);
        sum += x;
    }
    *out = (gb_words_agreement){.n_documents = documents_of(words),
                                .n_chains = n,
                                .range = high - low,
                                .gain = number_of(words, "average") - sum / (double)n};
    return n > 1;
}

bool gb_model_labels_agreement(const gb_model *m, size_t response, gb_labels_agreement *out)
{
    const json_t *labels = json_array_get(json_object_get(m->agreement, "labels"), response);
    *out = (gb_labels_agreement){.n_documents = documents_of(labels),
                                 .are_held_out = json_is_true(json_object_get(labels, "held_out")),
                                 .same = number_of(labels, "same")};
    return json_is_object(labels);
}

static bool has_documents(const json_t *object)
{
    const json_t *n = json_object_get(object, "documents");
    return json_is_integer(n) && json_integer_value(n) > 0;
}

static bool words_are_sound(const json_t *words)
{
    size_t c;
    const json_t *x, *of = json_object_get(words, "log_likelihood");
    if (!has_documents(words) || !json_is_number(json_object_get(words, "average")) || json_array_size(of) < 2)
        return false;
    json_array_foreach(of, c, x) if (!json_is_number(x)) return false;
    return true;
}

static bool labels_are_sound(const json_t *labels, size_t n_responses)
{
    size_t r;
    const json_t *of;
    if (json_array_size(labels) != n_responses)
        return false;
    json_array_foreach(labels, r, of) if (!json_is_null(of) &&
                                          (!has_documents(of) || !json_is_number(json_object_get(of, "same")) ||
                                           !json_is_boolean(json_object_get(of, "held_out")))) return false;
    return true;
}

bool gb_agreement_is_sound(const json_t *agreement, size_t n_responses)
{
    const json_t *words = json_object_get(agreement, "words"), *labels = json_object_get(agreement, "labels");
    return json_is_object(agreement) && (words == NULL || words_are_sound(words)) &&
           (labels == NULL || labels_are_sound(labels, n_responses));
}
