/* prior/notes.h - what a model keeps of a document prior besides its parameters: named values.  How they are written is not the
 * prior's business. */
#ifndef GB_PRIOR_NOTES_H
#define GB_PRIOR_NOTES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum gb_prior_note_kind {
    GB_NOTE_TEXT,
    GB_NOTE_FLAG,
    GB_NOTE_TEXTS,
    GB_NOTE_COUNTS,
    GB_NOTE_OBJECT
} gb_prior_note_kind;

typedef struct gb_note {
    const char *name;
    gb_prior_note_kind kind;
    bool flag;
    const char *text;
    size_t n;           /* of a list */
    const char **texts; /* n; the list is owned, the texts are not */
    uint64_t *counts;   /* n; owned */
    void *object;       /* what a part of the prior says of itself, a value of JSON to who writes it; owned */
    void (*release)(void *object);
} gb_note;

enum { GB_MAX_NOTES = 16 };

/** In the order in which they were added; names and texts are borrowed.  Start from {0}. */
typedef struct gb_notes {
    size_t n;
    gb_note of[GB_MAX_NOTES];
} gb_notes;

void gb_notes_clear(gb_notes *notes);

/** At most GB_MAX_NOTES are added. */
void gb_notes_add_text(gb_notes *notes, const char *name, const char *text);
void gb_notes_add_flag(gb_notes *notes, const char *name, bool flag);
/** @param object  taken over */
void gb_notes_add_object(gb_notes *notes, const char *name, void *object, void (*release)(void *object));
/** A list, to be filled by the caller.  @return GB_OK or GB_ENOMEM */
gb_status gb_notes_add_texts(gb_notes *notes, const char *name, size_t n, const char ***out, gb_error *err);
gb_status gb_notes_add_counts(gb_notes *notes, const char *name, size_t n, uint64_t **out, gb_error *err);

/** The note of that name and kind; an empty list is of both kinds.  NULL if there is none. */
const gb_note *gb_notes_find(const gb_notes *notes, const char *name, gb_prior_note_kind kind);

#endif
