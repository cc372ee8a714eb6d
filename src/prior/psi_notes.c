/* prior/psi_notes.c - what a model keeps of the setup of log weights. */
#include "prior/psi_prior.h"

#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/texts.h"

#include <string.h>

static const char what[] = "topic weights";

/* ---- writing ---- */

static gb_status describe_groups(const gb_psi_setup *own, gb_notes *out, gb_error *err)
{
    gb_status st;
    const gb_groups *groups = own->groups;
    const size_t n_fields = groups == NULL ? 0 : gb_groups_n_fields(groups);
    const uint32_t n_groups = groups == NULL ? 0 : own->n_groups;
    const char **text;
    uint64_t *size;
    GB_TRY(gb_notes_add_texts(out, "group_fields", n_fields, &text, err));
    for (size_t i = 0; i < n_fields; i++)
        text[i] = gb_groups_field(groups, i);
    GB_TRY(gb_notes_add_texts(out, "groups", n_groups, &text, err));
    for (uint32_t g = 0; g < n_groups; g++)
        text[g] = gb_groups_name(groups, g).text;
    GB_TRY(gb_notes_add_counts(out, "group_documents", n_groups, &size, err));
    for (uint32_t g = 0; g < n_groups; g++)
        size[g] = own->group_size[g];
    if (own->clusters == NULL)
        goto done;
    gb_notes_add_text(out, "cluster_field", own->clusters->field);
    GB_TRY(gb_notes_add_counts(out, "group_clusters", n_groups, &size, err));
    for (uint32_t g = 0; g < n_groups; g++)
        size[g] = own->clusters->n_clusters[g];
done:
    return st;
}

static gb_status describe_formula(const gb_formula *formula, gb_notes *out, gb_error *err)
{
    void *object = gb_formula_to_json(formula);
    if (object == NULL)
        return gb_fail_memory(err, 0, what);
    gb_notes_add_object(out, "prevalence", object, gb_formula_json_free);
    return GB_OK;
}

gb_status gb_psi_describe(const gb_prior_setup *setup, gb_notes *out, gb_error *err)
{
    gb_status st;
    const gb_psi_setup *own = setup->own;
    const char **type;
    gb_notes_add_text(out, "covariance", own->is_full ? "full" : "diagonal");
    gb_notes_add_text(out, "psi-update", gb_psi_update_names[own->update]);
    gb_notes_add_flag(out, "precision_per_topic", own->means.per_topic);
    if (own->regression != NULL)
        GB_TRY(describe_formula(own->regression->formula, out, err));
    if (own->has_horseshoe)
        gb_notes_add_flag(out, "prevalence_horseshoe", true);
    GB_TRY(describe_groups(own, out, err));
    GB_TRY(gb_notes_add_texts(out, "edge_types", own->n_types, &type, err));
    for (size_t r = 0; r < own->n_types; r++)
        type[r] = own->type[r];
done:
    return st;
}

/* ---- reading: nothing is trusted ---- */

static gb_status damaged(gb_error *err)
{
    return gb_fail(err, GB_EFORMAT,
                   "damaged model file: an entry of the document prior is missing or of another type");
}

static gb_status check_texts(const gb_note *list, gb_error *err)
{
    for (size_t i = 0; i < list->n; i++)
        if (gb_text_fault(list->texts[i], strlen(list->texts[i])) != NULL)
            return damaged(err);
    return GB_OK;
}

static gb_status take_groups(const gb_note *fields, const gb_note *names, gb_psi_setup *own, gb_error *err)
{
    gb_status st;
    own->n_groups = 1;
    if (fields->n == 0 && names->n == 0)
        return GB_OK;
    GB_TRY(check_texts(fields, err));
    GB_TRY(check_texts(names, err));
    GB_TRY(gb_groups_create(&own->groups, fields->n, fields->texts, err));
    for (size_t g = 0; g < names->n; g++) {
        uint32_t number;
        GB_TRY(gb_groups_add(own->groups, gb_view_of(names->texts[g]), &number, err));
        if (number != g)
            return damaged(err);
    }
    own->n_groups = gb_groups_count(own->groups);
    if (own->n_groups == 0)
        st = damaged(err);
done:
    return st;
}

static gb_status take_sizes(const gb_note *list, gb_psi_setup *own, gb_error *err)
{
    if (list->n != (own->groups == NULL ? 0 : own->n_groups))
        return damaged(err);
    const gb_status st = gb_alloc(&own->group_size, list->n, sizeof *own->group_size, what, err);
    for (size_t g = 0; st == GB_OK && g < list->n; g++)
        own->group_size[g] = list->counts[g];
    return st;
}

/* Only models with clusters have them. */
static gb_status take_clusters(const gb_notes *notes, gb_psi_setup *own, gb_error *err)
{
    const gb_note *field = gb_notes_find(notes, "cluster_field", GB_NOTE_TEXT),
                  *counts = gb_notes_find(notes, "group_clusters", GB_NOTE_COUNTS);
    if (field == NULL && counts == NULL)
        return GB_OK;
    if (field == NULL || counts == NULL || own->groups == NULL || counts->n != own->n_groups ||
        gb_text_fault(field->text, strlen(field->text)) != NULL)
        return damaged(err);
    return gb_group_clusters_create(&own->clusters, field->text, own->n_groups, counts->counts, err);
}

/* Only models with a regression have it: topics are all alike there unless they are correlated. */
static gb_status take_regression(const gb_notes *notes, gb_psi_setup *own, gb_error *err)
{
    gb_status st;
    const gb_note *note = gb_notes_find(notes, "prevalence", GB_NOTE_OBJECT);
    gb_formula *formula = NULL;
    if (note == NULL)
        return GB_OK;
    GB_TRY(gb_formula_from_json(note->object, &formula, err));
    const gb_note *horseshoe = gb_notes_find(notes, "prevalence_horseshoe", GB_NOTE_FLAG);
    own->has_horseshoe = horseshoe != NULL && horseshoe->flag;
    st = gb_psi_take_formula(own, formula, err);
done:
    return st;
}

gb_status gb_psi_from_notes(const gb_notes *notes, gb_prior_setup *out, gb_error *err)
{
    gb_status st;
    gb_psi_setup *own = NULL;
    const gb_note *covariance = gb_notes_find(notes, "covariance", GB_NOTE_TEXT),
                  *update = gb_notes_find(notes, "psi-update", GB_NOTE_TEXT),
                  *per_topic = gb_notes_find(notes, "precision_per_topic", GB_NOTE_FLAG),
                  *fields = gb_notes_find(notes, "group_fields", GB_NOTE_TEXTS),
                  *names = gb_notes_find(notes, "groups", GB_NOTE_TEXTS),
                  *sizes = gb_notes_find(notes, "group_documents", GB_NOTE_COUNTS),
                  *types = gb_notes_find(notes, "edge_types", GB_NOTE_TEXTS);
    if (out->n_topics < 2 || covariance == NULL || update == NULL || per_topic == NULL || fields == NULL ||
        names == NULL || sizes == NULL || types == NULL)
        return damaged(err);
    GB_TRY(gb_alloc(&own, 1, sizeof *own, what, err));
    out->own = own;
    own->is_full = strcmp(covariance->text, "full") == 0;
    if (!gb_psi_find_update(update->text, &own->update) ||
        (!own->is_full && strcmp(covariance->text, "diagonal") != 0))
        return damaged(err);
    own->means.per_topic = per_topic->flag;
    GB_TRY(take_regression(notes, own, err));
    GB_TRY(take_groups(fields, names, own, err));
    GB_TRY(take_sizes(sizes, own, err));
    GB_TRY(take_clusters(notes, own, err));
    GB_TRY(check_texts(types, err));
    GB_TRY(gb_psi_copy_types(own, types->n, types->texts, err));
done:
    return st;
}
