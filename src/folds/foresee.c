/* folds/foresee.c - what trainings without a part would fail of, found out before the first of them. */
#include "folds/foresee.h"

#include "base/memory.h"

gb_status gb_folds_take_unknown_levels(gb_settings *settings, gb_error *err)
{
    return gb_settings_is_set(settings, "unknown-level")
               ? GB_OK
               : gb_settings_set(settings, "unknown-level", "reference", err);
}

static gb_status check_covariates(const gb_corpus *held_out, const gb_settings *settings, const gb_spec *spec,
                                  gb_error *err)
{
    gb_sparse_columns x = {.n_docs = 0};
    gb_dense_columns embedding = {.n_docs = 0};
    gb_status st = GB_OK;
    if (spec->coding == NULL)
        return GB_OK;
    GB_TRY(gb_coding_apply(spec->coding, held_out, settings, 0, &x, err));
    GB_TRY(gb_coding_apply_embedding(spec->coding, held_out, settings, 0, &embedding, err));
done:
    gb_sparse_columns_clear(&x);
    gb_free(embedding.value);
    return st;
}

static gb_status check_fit(const gb_corpus *training, const gb_corpus *held_out, const gb_settings *settings,
                           const gb_coding *whole, char **lost, gb_error *err)
{
    gb_spec spec = {.n_responses = 0};
    gb_status st;
    GB_TRY(gb_spec_resolve(training, settings, &spec, err));
    GB_TRY(check_covariates(held_out, settings, &spec, err));
    if (*lost == NULL)
        st = gb_coding_list_lost(whole, spec.coding, lost, err);
done:
    gb_spec_clear(&spec);
    return st;
}

static gb_status check_part(gb_held_part *part, const gb_corpus *corpus, size_t n, const gb_settings *const *settings,
                            const gb_coding *whole, size_t *failed, gb_error *err)
{
    gb_corpus *training = NULL, *held_out = NULL;
    uint64_t *n_unknown = NULL;
    gb_status st;
    GB_TRY(gb_held_part_split(part, corpus, &training, &held_out, &n_unknown, err));
    for (size_t i = 0; i < n; i++) {
        *failed = i;
        GB_TRY(check_fit(training, held_out, settings[i], whole, &part->lost, err));
    }
done:
    gb_corpus_free(training);
    gb_corpus_free(held_out);
    gb_free(n_unknown);
    return st;
}

gb_status gb_held_parts_foresee(gb_held_parts *parts, const gb_corpus *corpus, size_t n,
                                const gb_settings *const *settings, const gb_coding *whole, size_t *failed,
                                gb_error *err)
{
    gb_error inner = {.status = GB_OK};
    for (size_t i = 0; i < parts->n; i++) {
        const gb_status st = check_part(&parts->part[i], corpus, n, settings, whole, failed, &inner);
        if (st != GB_OK)
            return gb_fail(err, st, "without part %s: %s", parts->part[i].name, inner.message);
    }
    return GB_OK;
}
