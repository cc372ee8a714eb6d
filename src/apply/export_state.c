/* apply/export_state.c - a topic for each token, as MALLET writes them with --output-state; packed by gzip.
 *
 *   #doc source pos typeindex type topic
 *   #alpha : 0.1 0.1            parameters of the snapshot under which the topics were drawn; alpha for a Dirichlet prior only
 *   #beta : 0.01
 *   0 a1 0 17 cat 1             numbers from 0; blanks in ids and words become "_" */
#include "apply/export.h"

#include "base/deflate.h"
#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

typedef struct state_file {
    const gb_export *e;
    gb_deflate *packing;
    FILE *memory; /* a part of the text, before it is packed */
    char *text;
    size_t length;
} state_file;

/* Hand the text so far on. */
static gb_status pack(state_file *s, gb_error *err)
{
    if (fflush(s->memory) != 0 || ferror(s->memory))
        return gb_fail_memory(err, 0, "a text");
    gb_deflate_write(s->packing, s->text, (size_t)ftello(s->memory));
    rewind(s->memory);
    return GB_OK;
}

/* ---- text ---------------------------------------------------------------------------------------------- */

static void write_name(FILE *out, gb_view name)
{
    for (size_t i = 0; i < name.length; i++)
        (void)putc(name.text[i] == ' ' ? '_' : name.text[i], out);
}

static const gb_draw *last_of_first_chain(const gb_model *m)
{
    const gb_draw *draw = &m->draw[0];
    for (size_t i = 1; i < m->n_draws; i++)
        if (m->draw[i].chain == m->draw[0].chain)
            draw = &m->draw[i];
    return draw;
}

static void write_head(const state_file *s)
{
    char text[GB_REAL_SIZE];
    const gb_model *m = s->e->model;
    const gb_draw *draw = last_of_first_chain(m);
    const gb_prior_values *values = &draw->prior;
    (void)fputs("#doc source pos typeindex type topic\n", s->memory);
    for (size_t i = 0; i < values->n_tables; i++) {
        const gb_prior_table *t = &values->table[i];
        if (strcmp(t->name, "alpha") != 0)
            continue;
        (void)fputs("#alpha :", s->memory);
        for (size_t k = 0; k < m->n_topics; k++) {
            gb_text_from_real(t->value[t->n_columns == 1 ? 0 : k], text);
            (void)fprintf(s->memory, " %s", text);
        }
        (void)putc('\n', s->memory);
    }
    gb_text_from_real(gb_draw_beta(m, draw), text);
    (void)fprintf(s->memory, "#beta : %s\n", text);
}

static void write_document(const state_file *s, uint64_t d, const uint16_t *topic)
{
    const gb_corpus *c = s->e->docs;
    const uint64_t first = c->doc_start[d];
    for (uint64_t i = first; i < c->doc_start[d + 1]; i++) {
        (void)fprintf(s->memory, "%" PRIu64 " ", d);
        write_name(s->memory, gb_texts_view(&c->ids, d));
        (void)fprintf(s->memory, " %" PRIu64 " %" PRIu32 " ", i - first, c->word[i]);
        write_name(s->memory, gb_texts_view(&c->vocabulary, c->word[i]));
        (void)fprintf(s->memory, " %d\n", (int)topic[i - c->doc_start[0]]);
    }
}

/* ---- the file ------------------------------------------------------------------------------------------ */

static gb_status open_packed(state_file *s, gb_error *err)
{
    s->memory = open_memstream(&s->text, &s->length);
    return s->memory == NULL ? gb_fail_memory(err, 0, "a text")
                             : gb_deflate_begin(&s->packing, GB_DEFLATE_GZIP, s->e->out, err);
}

static void close_packed(state_file *s)
{
    gb_deflate_discard(s->packing);
    if (s->memory != NULL)
        (void)fclose(s->memory);
    gb_free(s->text);
}

gb_status gb_export_state(const gb_export *e, gb_error *err)
{
    gb_status st;
    state_file s = {.e = e};
    uint16_t *topic = NULL;
    GB_TRY(gb_alloc(&topic, e->docs->n_tokens, sizeof *topic, "topics of tokens", err));
    GB_TRY(gb_draw_topics(e->model, e->docs, 0, e->settings, e->on_progress, e->user, topic, err));
    GB_TRY(open_packed(&s, err));
    write_head(&s);
    for (uint64_t d = 0; d < e->docs->n_docs; d++) {
        write_document(&s, d, topic);
        GB_TRY(pack(&s, err));
    }
    GB_TRY(pack(&s, err));
    (void)gb_deflate_end(s.packing);
    s.packing = NULL;
done:
    close_packed(&s);
    gb_free(topic);
    return st;
}
