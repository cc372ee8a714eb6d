/* gibbous/answer.h - what a person asks, answered by a table.
 *
 * Every question has one answer, and the command, Python and the page show the cells of that answer: which topics are listed and under which
 * names, which words stand for them, which effects are those of cross-fitting, and which intervals are too narrow is decided here. */
#ifndef GIBBOUS_ANSWER_H
#define GIBBOUS_ANSWER_H

#include "gibbous/cross_validation.h"
#include "gibbous/diagnose.h"
#include "gibbous/estimate.h"
#include "gibbous/evaluate.h"
#include "gibbous/explain.h"
#include "gibbous/select.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- tables ---- */

/** Rows under named columns, with the sentences that belong to them. */
typedef struct gb_table gb_table;

/** What kind of value the cells of a column hold. */
typedef enum gb_cell_kind {
    GB_CELL_TEXT,  /* empty: missing */
    GB_CELL_LIST,  /* any number of texts */
    GB_CELL_REAL,  /* NaN: missing */
    GB_CELL_COUNT, /* a whole number from 0 on; GB_NO_COUNT: missing */
    GB_CELL_FLAG,  /* 0 or 1; GB_NO_COUNT: missing */
    GB_CELL_REALS  /* any number of numbers in order, such as a trace; aligned text draws them as a curve */
} gb_cell_kind;

/** In place of a count or a flag: the cell is empty. */
#define GB_NO_COUNT UINT64_MAX

/** Where aligned text shows a column.  CSV, JSON and data frames have all columns. */
typedef enum gb_column_place {
    GB_PLACE_COLUMN, /* a column of its own */
    GB_PLACE_ONCE,   /* a column that is empty where the row above has the same value */
    GB_PLACE_BAR,    /* a column; the first of these numbers is also drawn as a mark, on a line between the others */
    GB_PLACE_END,    /* the end of the line, after all columns: words, of any length */
    GB_PLACE_ACROSS, /* its values are the titles of columns: rows with the same other texts are one line */
    GB_PLACE_SENTENCE, /* as GB_PLACE_END, a sentence with options in backquotes: "use `sweeps` 200" */
    GB_PLACE_BELOW,    /* a line of its own below the row, under what stands at the end */
    GB_PLACE_HEADING,  /* a heading above the rows that have the same value; the title is its format: "topic %s" */
    GB_PLACE_DATA      /* not shown */
} gb_column_place;

/** A column.  Texts are owned by the table. */
typedef struct gb_column {
    const char *name;  /* as in CSV, JSON and data frames: "q05" */
    const char *title; /* as in aligned text: "5%" */
    gb_cell_kind kind;
    gb_column_place place;
    const char *
        format; /* of a real, in aligned text: a printf() format of one double; NULL: digits by the size of the number */
    const char *unit; /* "share of tokens", "documents"; "" where there is none, or each row has its own */
    const char *help; /* one line without a full stop */
} gb_column;

/** A sentence that belongs to a table. */
typedef enum gb_note_kind {
    GB_NOTE_DOUBT,  /* a warning about the rows, shown before them */
    GB_NOTE_REMARK, /* a remark, which the command prints on standard error */
    GB_NOTE_BELOW   /* how to read the rows, or what follows from them, shown below them */
} gb_note_kind;

/** Number of rows. */
GB_API uint64_t gb_table_n_rows(const gb_table *table);
/** Number of columns. */
GB_API uint64_t gb_table_n_columns(const gb_table *table);
/** A column, owned by the table; NULL if out of range. */
GB_API const gb_column *gb_table_column(const gb_table *table, uint64_t column);
/** The cells of a column of reals: n_rows numbers, owned by the table; NULL for another kind. */
GB_API const double *gb_table_reals(const gb_table *table, uint64_t column);
/** The cells of a column of counts or flags: n_rows numbers, owned by the table; NULL for another kind. */
GB_API const uint64_t *gb_table_counts(const gb_table *table, uint64_t column);
/** Number of texts in a cell: 0 or 1 in a column of texts, any number in a column of lists. */
GB_API uint64_t gb_table_n_texts(const gb_table *table, uint64_t row, uint64_t column);
/** A text of a cell, UTF-8 with a NUL after it, owned by the table; "" if out of range. */
GB_API const char *gb_table_text(const gb_table *table, uint64_t row, uint64_t column, uint64_t index);
/** The numbers of a cell in a column of such lists, owned by the table; NULL for another kind.  @param n  receives how many */
GB_API const double *gb_table_numbers(const gb_table *table, uint64_t row, uint64_t column, uint64_t *n);
/** A weight for each row, owned by the table: a shortened list shows the rows with the largest weights, and always those with NaN. */
GB_API const double *gb_table_weights(const gb_table *table);
/** Number of notes. */
GB_API uint64_t gb_table_n_notes(const gb_table *table);
/** A sentence without a full stop, owned by the table; NULL if out of range.  @param kind  receives its kind; may be NULL */
GB_API const char *gb_table_note(const gb_table *table, uint64_t index, gb_note_kind *kind);
/** Free a table; accepts NULL. */
GB_API void gb_table_free(gb_table *table);

/* ---- questions ---- */

/** What a question is about.  Each question needs some of the members; the others may be NULL.  All are borrowed. */
typedef struct gb_subject {
    size_t size; /* sizeof(gb_subject) */
    const gb_model *model;
    const gb_estimate *estimate;     /* effects on other documents; its model is `model` */
    const gb_model *earlier;         /* another model, to compare with */
    gb_corpus *documents;            /* in the words of the model */
    const gb_prediction *prediction; /* of the documents, by the model */
    const gb_diagnosis *diagnosis;
    const gb_evaluation *evaluation;         /* finished */
    const gb_evaluation *earlier_evaluation; /* of the same documents, by `earlier` */
    const gb_evaluation *linear;             /* of the same documents, by linear models */
    const gb_cross_validation *validation;   /* has run */
    const gb_selection *selection;
    const char *checkpoint;            /* path of a file */
    const gb_explanation *explanation; /* of the documents */
    const gb_table *topics;    /* answer to the question "topics", whose words stand beside topics; may be NULL */
    const double *share;       /* topic shares of the documents, as gb_infer() gives them; NULL: found when needed */
    gb_corpus *among;          /* documents among which to look, in the words of the model */
    const double *among_share; /* likewise of these */
    const gb_held_out *likelihood; /* of the documents `scored` */
    const gb_corpus *scored;
    const uint64_t *n_unknown; /* words of each of them that the model does not know; may be NULL */
    gb_on_read *on_read;       /* called while the question reads documents; may be NULL */
    gb_on_apply *on_apply;     /* called while it works on documents; may be NULL */
    void *user;                /* given to both */
} gb_subject;

/** What a question needs, as bits. */
enum gb_need {
    GB_NEEDS_MODEL = 1 << 0,
    GB_NEEDS_RESPONSE = 1 << 1, /* a model that predicts something */
    GB_NEEDS_GROUPS = 1 << 2,   /* a model whose document prior has groups */
    GB_NEEDS_EARLIER = 1 << 3,
    GB_NEEDS_DOCUMENTS = 1 << 4,
    GB_NEEDS_DIAGNOSIS = 1 << 5,
    GB_NEEDS_EVALUATION = 1 << 6,
    GB_NEEDS_SELECTION = 1 << 7,
    GB_NEEDS_OPTIONS = 1 << 8, /* one of its options, which says what is asked */
    GB_NEEDS_VALIDATION = 1 << 9,
    GB_NEEDS_SCORES = 1 << 10,     /* an evaluation or a cross-validation */
    GB_NEEDS_LIKELIHOOD = 1 << 11, /* of documents, or of a cross-validation */
    GB_NEEDS_PAIRS = 1 << 12,      /* documents, or a model whose document prior has a covariance of topics */
    GB_NEEDS_CONTENT = 1 << 13,    /* a model, documents or a checkpoint */
    GB_NEEDS_EXPLANATION = 1 << 14,
    GB_NEEDS_AMONG = 1 << 15,
    GB_NEEDS_PREDICTION = 1 << 16, /* a prediction with its model, or a cross-validation */
    GB_NEEDS_PREVALENCE = 1 << 17, /* a model whose document prior is a regression on metadata */
    GB_NEEDS_WORDINGS = 1 << 18,   /* a model whose groups word topics differently, or whose topics change */
    GB_NEEDS_EVOLUTION = 1 << 19,  /* a model whose topics change */
    GB_NEEDS_SUBGROUPS = 1 << 20   /* scores by the values of a field */
};

/** A question; constant. */
typedef struct gb_question {
    const char *name;    /* "effects" */
    const char *help;    /* one line without a full stop */
    uint32_t needs;      /* bits of enum gb_need */
    const char *options; /* names of the options that it reads, separated by blanks */
} gb_question;

/** Question number `index`, from 0; NULL after the last. */
GB_API const gb_question *gb_question_at(uint64_t index);

/** True if a subject has everything that a question needs, options aside. */
GB_API bool gb_question_fits(const gb_question *question, const gb_subject *subject);

/**
 * Answer a question.
 *
 * @param question  its name
 * @param subject   what it needs
 * @param settings  the options that it reads; NULL: their defaults
 * @param out       receives the answer, free it with gb_table_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (no such question, something that it needs is missing, an option that does not fit the model), GB_ENOMEM,
 * and what the functions return that compute it
 */
GB_API gb_status gb_answer(const char *question, const gb_subject *subject, const gb_settings *settings,
                           gb_table **out, gb_error *err);

#ifdef __cplusplus
}
#endif

#endif
