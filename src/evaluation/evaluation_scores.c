/* evaluation/evaluation_scores.c - the scores of an evaluation, by name. */
#include "evaluation/evaluation_private.h"

#include <math.h>

/* A row of a section on its way into the table. */
typedef struct named_score {
    const char *name;
    double value;
    enum { SCORE, COUNT, ERROR_OF_SCORE } kind;
} named_score;

static gb_status add_scores(gb_score_table *table, size_t n, const named_score *score, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; i < n && st == GB_OK; i++)
        st = gb_score_table_add(table,
                                (gb_score){.name = score[i].name,
                                           .value = score[i].value,
                                           .standard_error = NAN,
                                           .is_count = score[i].kind == COUNT,
                                           .is_error = score[i].kind == ERROR_OF_SCORE},
                                err);
    return st;
}

/* Documents with unknown labels are counted where they can occur. */
static double n_unknown_labels(const gb_truth *t)
{
    return t->unknown_label == GB_UNKNOWN_LABEL_ERROR ? NAN : (double)t->n_unknown;
}

static gb_status list_class_scores(gb_score_table *table, const gb_truth *t, gb_error *err)
{
    const gb_score_summary r = gb_scores_summary(t->scores);
    const bool is_set = t->task == GB_TASK_MULTILABEL;
    const named_score score[] = {{"n", (double)r.n, COUNT},
                                 {"n_unlabelled", (double)t->n_unlabelled, COUNT},
                                 {"n_unknown", n_unknown_labels(t), COUNT},
                                 {"n_no_class", is_set ? (double)r.n_no_class : NAN, COUNT},
                                 {"n_missed", (double)r.n_missed, COUNT},
                                 {"accuracy", is_set ? (double)NAN : r.accuracy, SCORE},
                                 {"exact_match", is_set ? r.accuracy : (double)NAN, SCORE},
                                 {"baseline", r.baseline, SCORE},
                                 {"macro_f1", r.macro_f1, SCORE},
                                 {"micro_f1", r.micro_f1, SCORE},
                                 {"hamming_loss", r.hamming_loss, SCORE},
                                 {"log_loss", r.log_loss, SCORE},
                                 {"brier", r.brier, SCORE},
                                 {"ece", r.ece, SCORE},
                                 {"auc", r.auc, SCORE},
                                 {"mae", r.mae, SCORE},
                                 {"kappa", r.kappa, SCORE}};
    return add_scores(table, sizeof score / sizeof score[0], score, err);
}

static gb_status list_number_scores(gb_score_table *table, const gb_truth *t, gb_error *err)
{
    const gb_number_summary r = gb_number_scores_summary(&t->numbers);
    const named_score score[] = {{"n", (double)r.n, COUNT}, {"n_unlabelled", (double)t->n_unlabelled, COUNT},
                                 {"r2", r.r2, SCORE},       {"mae", r.mae, SCORE},
                                 {"rmse", r.rmse, SCORE},   {"coverage_90", r.coverage, SCORE}};
    return add_scores(table, sizeof score / sizeof score[0], score, err);
}

static gb_status list_likelihood(gb_score_table *table, const gb_evaluation *e, gb_error *err)
{
    const gb_held_out_scores *s = &e->likelihood;
    const gb_held_out_summary r = gb_held_out_scores_summary(s);
    const named_score score[] = {{"n", (double)s->n, COUNT},
                                 {"n_empty", (double)s->n_empty, COUNT},
                                 {"n_tokens", (double)s->n_tokens, COUNT},
                                 {"n_unknown", (double)e->n_unknown, COUNT},
                                 {"n_rough", (double)s->n_rough, COUNT},
                                 {"log_likelihood", r.log_likelihood, SCORE},
                                 {"se", r.se, ERROR_OF_SCORE},
                                 {"mc_se", r.mc_se, ERROR_OF_SCORE},
                                 {"perplexity", r.perplexity, SCORE}};
    return add_scores(table, sizeof score / sizeof score[0], score, err);
}

static gb_status list_scores(const gb_evaluation *e, gb_score_table *table, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; i < e->n_truths; i++) {
        const gb_truth *t = &e->truth[i];
        GB_TRY(gb_score_table_add_section(table, t->field, err));
        GB_TRY(t->task == GB_TASK_REGRESSION ? list_number_scores(table, t, err) : list_class_scores(table, t, err));
    }
    if (e->has_likelihood) {
        GB_TRY(gb_score_table_add_section(table, "held_out", err));
        GB_TRY(list_likelihood(table, e, err));
    }
done:
    return st;
}

gb_status gb_evaluation_list_scores(gb_evaluation *e, gb_error *err)
{
    gb_status st;
    gb_score_table *table = NULL;
    GB_TRY(gb_score_table_create(&table, err));
    GB_TRY(list_scores(e, table, err));
    gb_score_table_free(e->scores);
    e->scores = table;
    table = NULL;
done:
    gb_score_table_free(table);
    return st;
}
