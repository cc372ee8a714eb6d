/* run/chain_file.c - one chain to and from a file. */
#include "base/memory.h"
#include "chain/chain.h"
#include "chain/state.h"
#include "gibbous/train.h"
#include "plan/fingerprint.h"
#include "recipe/sweep.h"

#include <string.h>

/* The corpus, and what the options and the files they name have made of it. */
static gb_status fingerprints(const gb_plan *plan, char corpus[static GB_FINGERPRINT_SIZE],
                              char description[static GB_FINGERPRINT_SIZE], gb_error *err)
{
    const gb_status st = gb_corpus_fingerprint(plan->corpus, corpus, err);
    return st == GB_OK ? gb_spec_fingerprint(&plan->spec, description, err) : st;
}

gb_status gb_chain_save(const gb_chain *c, const char *path, bool force, gb_error *err)
{
    gb_status st;
    gb_store_writer *w = NULL;
    char corpus[GB_FINGERPRINT_SIZE], description[GB_FINGERPRINT_SIZE];
    if (!c->is_started)
        return gb_fail(err, GB_EARGUMENT, "chain %llu has not started: there is nothing to save",
                       (unsigned long long)c->number + 1);
    if (gb_team_rank(c->portion.team) != 0)
        return gb_chain_save_state(c, NULL, "state.", err);
    GB_TRY(fingerprints(c->plan, corpus, description, err));
    GB_TRY(gb_store_create(&w, "chain", err));
    GB_TRY(gb_store_text(w, "library", gb_version(), err));
    GB_TRY(gb_store_text(w, "corpus", corpus, err));
    GB_TRY(gb_store_text(w, "description", description, err));
    GB_TRY(gb_store_array(w, "number", GB_U64, 1, &(uint64_t){1}, &c->number, err));
    GB_TRY(gb_chain_save_state(c, w, "state.", err));
    GB_TRY(gb_store_save(w, path, force, err));
done:
    gb_store_writer_free(w);
    return st;
}

static gb_status check_text(const gb_store *s, const char *name, const char *expected, const char *otherwise,
                            gb_error *err)
{
    const char *text;
    const gb_status st = gb_store_get_text(s, name, &text, err);
    if (st != GB_OK || strcmp(text, expected) == 0)
        return st;
    return gb_fail(err, GB_EFORMAT, "%s: %s", gb_store_path(s), otherwise);
}

gb_status gb_chain_load(const gb_plan *plan, const char *path, gb_chain **out, gb_error *err)
{
    gb_status st;
    gb_store *s = NULL;
    gb_chain *c = NULL;
    uint64_t n;
    const void *number;
    char corpus[GB_FINGERPRINT_SIZE], description[GB_FINGERPRINT_SIZE];
    GB_TRY(fingerprints(plan, corpus, description, err));
    GB_TRY(gb_store_open(&s, path, "chain", err));
    GB_TRY(check_text(s, "library", gb_version(), "written by another version of gibbous", err));
    GB_TRY(check_text(s, "corpus", corpus, "a chain on other documents", err));
    GB_TRY(check_text(s, "description", description, "a chain of another plan", err));
    GB_TRY(gb_store_get_array(s, "number", GB_U64, 1, &n, &number, err));
    if (n != 1 || *(const uint64_t *)number >= plan->n_chains) {
        st = gb_fail(err, GB_EFORMAT, "%s: a chain of another plan", gb_store_path(s));
        goto done;
    }
    GB_TRY(gb_chain_create(plan, *(const uint64_t *)number, &c, err));
    GB_TRY(gb_recipe_load_state(c, s, "state.", err));
    *out = c;
    c = NULL;
done:
    gb_chain_free(c);
    gb_store_close(s);
    return st;
}
