/* cli/explain.h - explained scores: what the table and the text of the verb explain share. */
#ifndef GB_CLI_EXPLAIN_H
#define GB_CLI_EXPLAIN_H

#include "common.h"
#include "table.h"

/** Documents of --nearest-in, and those that are nearest. */
typedef struct cli_neighbours {
    uint64_t n_docs, n_best;
    char **id;        /* n_docs */
    double *share;    /* n_docs x n_topics */
    uint64_t *best;   /* of the documents at hand, n_best each */
    double *affinity; /* likewise */
} cli_neighbours;

/** Some documents with their explanation. */
typedef struct cli_explained {
    const cli_call *call;
    const gb_model *model;
    const gb_corpus *docs;
    const gb_prediction *prediction;
    uint64_t first; /* the number in the prediction of the first of the documents */
    const gb_explanation *e;
    const cli_neighbours *neighbours; /* NULL without --nearest-in */
    char **topic_words;               /* words that stand for each topic, of each output with topics of its own */
    char **title;                     /* of each topic: "3", or of a union "3+7" */
} cli_explained;

/** The words of a topic of an output, with blanks between. */
const char *cli_words_of_topic(const cli_explained *x, uint64_t output, uint64_t topic);

/** The name that somebody has given it; "" without one. */
const char *cli_name_of_explained_topic(const cli_explained *x, uint64_t output, uint64_t topic);

/** A term of a sum. */
typedef enum cli_part_kind {
    CLI_PART_TOPIC,
    CLI_PART_OTHER_TOPICS, /* of other chains */
    CLI_PART_COVARIATE,
    CLI_PART_EMBEDDING,
    CLI_PART_WORDS, /* that the document has */
    CLI_PART_ABSENT /* and has not */
} cli_part_kind;
typedef struct cli_part {
    cli_part_kind kind;
    uint64_t number; /* of the topic or covariate */
    double value;    /* in units of the scores */
} cli_part;

/** How many parts a score has at most. */
uint64_t cli_n_parts(const cli_explained *x);
/** All parts of the explained score `at` (document x n_explained + its number) but the average, the largest first; how many. */
uint64_t cli_list_parts(const cli_explained *x, uint64_t at, cli_part *part);
const char *cli_part_name(cli_part_kind kind);

/** A word of a document. */
typedef struct cli_explained_word {
    uint64_t at; /* in the arrays of the explanation */
    double value;
} cli_explained_word;
/** The words of the document of score `at` by what they are of a part, the largest first; their number.
 * @param part  NULL: of all topics and of their own coefficients */
uint64_t cli_list_words(const cli_explained *x, uint64_t at, const cli_part *part, cli_explained_word *word);
/** The topic with the largest part of a word, given by its place in the arrays; n_topics: none has any. */
uint64_t cli_topic_of_word(const cli_explained *x, uint64_t word);

/** Most different words of one of the documents. */
uint64_t cli_most_words(const gb_explanation *e);

/** As text. */
gb_status cli_print_explained(const cli_explained *x, FILE *stream, bool has_colours, gb_error *err);
/** The columns of the table that --table-of names, and its rows; topics that have names have a column for them. */
gb_status cli_add_explain_columns(const cli_call *call, bool has_names, cli_table *table, gb_error *err);
gb_status cli_write_explained(const cli_explained *x, cli_table *table, gb_error *err);

#endif
