/* prior/psi_json.c - the setup of log weights in a model file. */
#include "prior/psi_prior.h"

#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/texts.h"

#include <string.h>

static const char what[] = "topic weights";

/* ---- writing ---- */

static json_t *texts_of(size_t n, char *const *text)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        if (json_array_append_new(list, json_string(text[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static json_t *fields_of(const gb_groups *groups)
{
    json_t *list = json_array();
    for (size_t i = 0; groups != NULL && i < gb_groups_n_fields(groups); i++)
        if (json_array_append_new(list, json_string(gb_groups_field(groups, i))) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static json_t *names_of(const gb_groups *groups)
{
    json_t *list = json_array();
    for (uint32_t g = 0; groups != NULL && g < gb_groups_count(groups); g++) {
        const gb_view name = gb_groups_name(groups, g);
        if (json_array_append_new(list, json_stringn(name.text, name.length)) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *sizes_of(const gb_psi_setup *own)
{
    json_t *list = json_array();
    for (uint32_t g = 0; own->groups != NULL && g < own->n_groups; g++)
        if (json_array_append_new(list, json_integer((json_int_t)own->group_size[g])) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

json_t *gb_psi_to_json(const gb_prior_setup *setup)
{
    const gb_psi_setup *own = setup->own;
    return json_pack("{s:s, s:s, s:b, s:o, s:o, s:o, s:o}", "covariance", own->is_full ? "full" : "diagonal",
                     "psi-update", gb_psi_update_names[own->update], "precision_per_topic", own->means.per_topic,
                     "group_fields", fields_of(own->groups), "groups", names_of(own->groups), "group_documents",
                     sizes_of(own), "edge_types", texts_of(own->n_types, own->type));
}

/* ---- reading: nothing is trusted ---- */

static gb_status damaged(gb_error *err)
{
    return gb_fail(err, GB_EFORMAT,
                   "damaged model file: an entry of the document prior is missing or of another type");
}

/* A list of texts, owned by the list. */
static gb_status read_texts(const json_t *list, const char ***out, gb_error *err)
{
    gb_status st = gb_alloc(out, json_array_size(list), sizeof **out, what, err);
    for (size_t i = 0; st == GB_OK && i < json_array_size(list); i++) {
        (*out)[i] = json_string_value(json_array_get(list, i));
        if ((*out)[i] == NULL || gb_text_fault((*out)[i], strlen((*out)[i])) != NULL)
            return damaged(err);
    }
    return st;
}

static gb_status read_groups(const json_t *fields, const json_t *names, gb_psi_setup *own, gb_error *err)
{
    gb_status st;
    const char **field = NULL, **name = NULL;
    own->n_groups = 1;
    if (json_array_size(fields) == 0 && json_array_size(names) == 0)
        return GB_OK;
    GB_TRY(read_texts(fields, &field, err));
    GB_TRY(read_texts(names, &name, err));
    GB_TRY(gb_groups_create(&own->groups, json_array_size(fields), field, err));
    for (size_t g = 0; g < json_array_size(names); g++) {
        uint32_t number;
        GB_TRY(gb_groups_add(own->groups, (gb_view){name[g], strlen(name[g])}, &number, err));
        if (number != g) {
            st = damaged(err);
            goto done;
        }
    }
    own->n_groups = gb_groups_count(own->groups);
    if (own->n_groups == 0)
        st = damaged(err);
done:
    gb_free(field);
    gb_free(name);
    return st;
}

static gb_status read_sizes(const json_t *list, gb_psi_setup *own, gb_error *err)
{
    gb_status st;
    if (json_array_size(list) != (own->groups == NULL ? 0 : own->n_groups))
        return damaged(err);
    GB_TRY(gb_alloc(&own->group_size, json_array_size(list), sizeof *own->group_size, what, err));
    for (size_t g = 0; g < json_array_size(list); g++) {
        const json_t *size = json_array_get(list, g);
        if (!json_is_integer(size) || json_integer_value(size) < 0)
            return damaged(err);
        own->group_size[g] = (uint64_t)json_integer_value(size);
    }
done:
    return st;
}

static gb_status read_types(const json_t *list, gb_psi_setup *own, gb_error *err)
{
    gb_status st;
    const char **type = NULL;
    GB_TRY(read_texts(list, &type, err));
    GB_TRY(gb_psi_copy_types(own, json_array_size(list), (char *const *)(uintptr_t)type, err));
done:
    gb_free(type);
    return st;
}

gb_status gb_psi_from_json(const json_t *object, gb_prior_setup *out, gb_error *err)
{
    gb_status st;
    gb_psi_setup *own = NULL;
    const char *covariance, *update;
    int per_topic;
    json_t *fields, *names, *sizes, *types;
    if (out->n_topics < 2 ||
        json_unpack((json_t *)(uintptr_t)object, "{s:s, s:s, s:b, s:o, s:o, s:o, s:o}", "covariance", &covariance,
                    "psi-update", &update, "precision_per_topic", &per_topic, "group_fields", &fields, "groups",
                    &names, "group_documents", &sizes, "edge_types", &types) != 0 ||
        !json_is_array(fields) || !json_is_array(names) || !json_is_array(sizes) || !json_is_array(types))
        return damaged(err);
    GB_TRY(gb_alloc(&own, 1, sizeof *own, what, err));
    out->own = own;
    own->is_full = strcmp(covariance, "full") == 0;
    if (!gb_psi_find_update(update, &own->update) || (!own->is_full && strcmp(covariance, "diagonal") != 0))
        return damaged(err);
    own->means.per_topic = per_topic != 0;
    GB_TRY(read_groups(fields, names, own, err));
    GB_TRY(read_sizes(sizes, own, err));
    GB_TRY(read_types(types, own, err));
done:
    return st;
}
