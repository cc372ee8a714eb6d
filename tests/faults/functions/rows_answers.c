/* rows_answers.c - questions and their tables: answer.h. */
#include "rows.h"

/* ---- tables ---- */

static void see_column(const gb_table *table, uint64_t c)
{
    const gb_column *column = gb_table_column(table, c);
    const uint64_t n = gb_table_n_rows(table);
    see_text(column->name);
    if (column->kind == GB_CELL_REAL)
        see_numbers(gb_table_reals(table, c), n);
    else if (column->kind == GB_CELL_COUNT || column->kind == GB_CELL_FLAG)
        see_words(gb_table_counts(table, c), n);
    else
        for (uint64_t row = 0; row < n; row++)
            for (uint64_t i = 0; i < gb_table_n_texts(table, row, c); i++)
                see_text(gb_table_text(table, row, c, i));
}

static void see_table(const gb_table *table)
{
    const char *note;
    if (table == NULL)
        return;
    for (uint64_t c = 0; c < gb_table_n_columns(table); c++)
        see_column(table, c);
    see_numbers(gb_table_weights(table), gb_table_n_rows(table));
    for (uint64_t i = 0; (note = gb_table_note(table, i, NULL)) != NULL; i++)
        see_text(note);
}

/* Its columns, too, are read with functions that allocate nothing. */
static void read_table(void)
{
    const gb_subject subject = {.size = sizeof subject, .model = ground.model};
    gb_table *table = NULL;
    if (TRY(gb_answer("topics", &subject, ground.applying, &table, ERR)) != GB_OK)
        return;
    gb_note_kind kind;
    enum { TOPIC, SHARE };
    NUMBER(gb_table_n_rows(table));
    NUMBER(gb_table_n_columns(table));
    QUIET(gb_table_column(table, SHARE));
    QUIET(gb_table_reals(table, SHARE));
    QUIET(gb_table_counts(table, SHARE));
    QUIET(gb_table_weights(table));
    NUMBER(gb_table_n_texts(table, 0, TOPIC));
    TEXT(gb_table_text(table, 0, TOPIC, 0));
    uint64_t n;
    QUIET(gb_table_numbers(table, 0, SHARE, &n));
    NUMBER(gb_table_n_notes(table));
    TEXT(gb_table_note(table, 0, &kind));
    QUIET(gb_question_at(0));
    NUMBER(gb_question_fits(gb_question_at(0), &subject));
    QUIET((gb_table_free(table), 0));
}

/* ---- questions ---- */

static void ask(const char *question, const gb_model *model, gb_corpus *documents, const gb_settings *settings)
{
    const gb_subject subject = {.size = sizeof subject, .model = model, .documents = documents};
    gb_table *table = NULL;
    TRY(gb_answer(question, &subject, settings, &table, ERR));
    see_made(table);
    see_table(table);
    gb_table_free(table);
}

static void topics(void)
{
    ask("topics", ground.model, ground.docs, ground.applying);
}

static void topics_with_reference(void)
{
    gb_settings *settings =
        settings_of("reference", "train.csv", "coherence-window", "3", "threads", "1", "by", "frex", NULL);
    ask("topics", ground.model, NULL, settings);
    gb_settings_free(settings);
}

static void topics_of_unions(void)
{
    static const uint64_t label[] = {0, 0};
    gb_model *united = NULL;
    must(gb_model_unite_topics(ground.model, label, &united, ERR));
    ask("topics", united, ground.docs, ground.applying);
    gb_model_free(united);
}

static void topic_words(void)
{
    ask("topic-words", ground.model, NULL, ground.applying);
}

static void similarities(void)
{
    ask("similarities", ground.model, NULL, ground.applying);
}

static void topic_documents(void)
{
    ask("topic-documents", ground.model, ground.docs, ground.applying);
}

static void topic_shares(void)
{
    ask("topic-shares", ground.model, ground.docs, ground.applying);
}

static void nearest_documents(void)
{
    const gb_subject subject = {
        .size = sizeof subject, .model = ground.model, .documents = ground.docs, .among = ground.docs};
    gb_table *table = NULL;
    TRY(gb_answer("nearest-documents", &subject, ground.applying, &table, ERR));
    see_made(table);
    see_table(table);
    gb_table_free(table);
}

/* Which scores, and why: of an explanation that is there. */
static void explanation(void)
{
    static const char *const question[] = {"explanation", "explanation-words", "explanation-topic-words"};
    gb_explanation *why = NULL;
    must(gb_explanation_create(ground.model, ground.docs, 1, 0, &why, ERR));
    must(gb_explain(ground.model, ground.docs, 0, ground.applying, NULL, NULL, why, ERR));
    const gb_subject subject = {
        .size = sizeof subject, .model = ground.model, .documents = ground.docs, .explanation = why};
    for (size_t i = 0; i < sizeof question / sizeof *question && trial_is_fine(); i++) {
        gb_table *table = NULL;
        TRY(gb_answer(question[i], &subject, ground.applying, &table, ERR));
        see_made(table);
        see_table(table);
        gb_table_free(table);
    }
    gb_explanation_free(why);
}

static void correlations(void)
{
    ask("correlations", ground.model, ground.docs, ground.applying);
}

static void correlations_of_model(void)
{
    ask("correlations", ground.grouped, NULL, NULL);
}

static void prompts(void)
{
    ask("prompts", ground.model, ground.docs, ground.applying);
}

static void effects(void)
{
    ask("effects", ground.model, NULL, ground.applying);
}

static void ask_with(const char *question, const gb_model *model, const char *option, const char *value)
{
    gb_settings *settings = settings_of(option, value, "words", "3", NULL);
    ask(question, model, NULL, settings);
    gb_settings_free(settings);
}

static void contrasts(void)
{
    ask_with("contrasts", ground.model, "contrast", "1,2");
}

static void groups(void)
{
    ask_with("groups", ground.grouped, "threads", "1");
}

static void trends(void)
{
    ask_with("groups", ground.grouped, "trend", "2");
}

static void group_contrasts(void)
{
    ask_with("group-contrasts", ground.grouped, "contrast", "2001,2000");
}

static void group_prediction(void)
{
    ask_with("group-prediction", ground.grouped, "prior-predictive", "2001");
}

static void changes(void)
{
    const gb_subject subject = {.size = sizeof subject, .model = ground.model, .earlier = ground.grouped};
    gb_table *table = NULL;
    TRY(gb_answer("changes", &subject, ground.applying, &table, ERR));
    see_made(table);
    see_table(table);
    gb_table_free(table);
}

const fault_row rows_of_answers[] = {{"read_table", read_table, NULL},
                                     {"topics", topics, NULL},
                                     {"topics_with_reference", topics_with_reference, NULL},
                                     {"topics_of_unions", topics_of_unions, NULL},
                                     {"topic_words", topic_words, NULL},
                                     {"similarities", similarities, NULL},
                                     {"topic_documents", topic_documents, NULL},
                                     {"correlations", correlations, NULL},
                                     {"correlations_of_model", correlations_of_model, NULL},
                                     {"prompts", prompts, NULL},
                                     {"effects", effects, NULL},
                                     {"contrasts", contrasts, NULL},
                                     {"groups", groups, NULL},
                                     {"trends", trends, NULL},
                                     {"group_contrasts", group_contrasts, NULL},
                                     {"group_prediction", group_prediction, NULL},
                                     {"topic_shares", topic_shares, NULL},
                                     {"nearest_documents", nearest_documents, NULL},
                                     {"explanation", explanation, NULL},
                                     {"changes", changes, NULL},
                                     {NULL, NULL, NULL}};
