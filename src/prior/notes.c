/* prior/notes.c - what a model keeps of a document prior besides its parameters: named values. */
#include "prior/notes.h"

#include "base/memory.h"

#include <string.h>

static const char what[] = "the document prior";

void gb_notes_clear(gb_notes *notes)
{
    for (size_t i = 0; i < notes->n; i++) {
        gb_free((void *)notes->of[i].texts);
        gb_free(notes->of[i].counts);
        if (notes->of[i].release != NULL)
            notes->of[i].release(notes->of[i].object);
    }
    *notes = (gb_notes){0};
}

static gb_note *add(gb_notes *notes, const char *name, gb_prior_note_kind kind, size_t n)
{
    gb_note *note = &notes->of[notes->n++];
    *note = (gb_note){.name = name, .kind = kind, .n = n};
    return note;
}

void gb_notes_add_text(gb_notes *notes, const char *name, const char *text)
{
    add(notes, name, GB_NOTE_TEXT, 0)->text = text;
}

void gb_notes_add_flag(gb_notes *notes, const char *name, bool flag)
{
    add(notes, name, GB_NOTE_FLAG, 0)->flag = flag;
}

void gb_notes_add_object(gb_notes *notes, const char *name, void *object, void (*release)(void *object))
{
    gb_note *note = add(notes, name, GB_NOTE_OBJECT, 0);
    note->object = object;
    note->release = release;
}

gb_status gb_notes_add_texts(gb_notes *notes, const char *name, size_t n, const char ***out, gb_error *err)
{
    gb_note *note = add(notes, name, GB_NOTE_TEXTS, n);
    const gb_status st = gb_alloc(&note->texts, n, sizeof *note->texts, what, err);
    *out = note->texts;
    return st;
}

gb_status gb_notes_add_counts(gb_notes *notes, const char *name, size_t n, uint64_t **out, gb_error *err)
{
    gb_note *note = add(notes, name, GB_NOTE_COUNTS, n);
    const gb_status st = gb_alloc(&note->counts, n, sizeof *note->counts, what, err);
    *out = note->counts;
    return st;
}

const gb_note *gb_notes_find(const gb_notes *notes, const char *name, gb_prior_note_kind kind)
{
    for (size_t i = 0; i < notes->n; i++) {
        const gb_note *note = &notes->of[i];
        const bool is_list = note->kind == GB_NOTE_TEXTS || note->kind == GB_NOTE_COUNTS;
        const bool wants_list = kind == GB_NOTE_TEXTS || kind == GB_NOTE_COUNTS;
        if (strcmp(note->name, name) == 0)
            return note->kind == kind || (is_list && wants_list && note->n == 0) ? note : NULL;
    }
    return NULL;
}
