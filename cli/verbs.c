/* cli/verbs.c - the verbs, and which options each has. */
#include "verbs.h"

#include <string.h>

/* ---- verbs ---- */

static const cli_verb verbs[] = {
    {"import",
     CLI_IMPORT,
     1,
     SIZE_MAX,
     "INPUT... -o FILE",
     "turn texts, tables or counts into a corpus file",
     "",
     {{"", "gibbous import reviews.csv --text body --label stars -o reviews.gbc"},
      {"", "gibbous import mail/ --stopwords en --min-df 5 -o mail.gbc"}},
     cli_import},
    {"convert",
     CLI_CONVERT,
     1,
     SIZE_MAX,
     "INPUT... -o FILE",
     "write documents in another format",
     "",
     {{"", "gibbous convert reviews.csv --text body --label stars -o reviews.svmlight"},
      {"", "gibbous convert old.mtx --vocabulary words.txt -o old.gbc"}},
     cli_convert},
    {"info",
     CLI_INFO,
     0,
     1,
     "[FILE]",
     "show what is in a corpus, a model or a checkpoint, or a list of stop words",
     "",
     {{"", "gibbous info reviews.gbc"},
      {"", "gibbous info reviews.gibbous --json"},
      {"", "gibbous info --stopwords en"}},
     cli_info},
    {"train",
     CLI_TRAIN,
     1,
     1,
     "INPUT -m FILE",
     "fit a model to documents",
     "",
     {{"a class for each document",
       "gibbous train reviews.csv --label stars --stopwords en --min-df 5 -k 50 -m reviews.gibbous"},
      {"a number", "gibbous train homes.csv --target price -m homes.gibbous"},
      {"several classes for each document", "gibbous train papers.jsonl --labels tags -m papers.gibbous"},
      {"words in addition to topics",
       "gibbous train news.jsonl --label section --word-effects tfidf -m news.gibbous"},
      {"topics that change from year to year",
       "gibbous train papers.jsonl --prior graph --group year --graph chain -m years.gibbous"}},
     cli_train},
    {"predict",
     CLI_PREDICT,
     1,
     1,
     "INPUT -m FILE",
     "predict the labels of new documents",
     "",
     {{"", "gibbous predict new.csv --text body -m reviews.gibbous -o answers.csv"},
      {"", "zcat new.jsonl.gz | gibbous predict - -m news.gibbous --table jsonl"}},
     cli_predict},
    {"infer",
     CLI_INFER,
     1,
     1,
     "INPUT -m FILE",
     "find the topic shares of new documents",
     "",
     {{"", "gibbous infer new.csv --text body -m reviews.gibbous -o shares.csv"},
      {"", "gibbous infer new.jsonl -m news.gibbous --table jsonl --seed 7"}},
     cli_infer},
    {"evaluate",
     CLI_EVALUATE,
     1,
     1,
     "INPUT -m FILE|--folds N",
     "score predictions and held-out likelihood",
     "model or folds or hold-out-group",
     {{"", "gibbous evaluate test.csv --text body --label stars -m reviews.gibbous"},
      {"", "gibbous evaluate news.jsonl --folds 10 -k 40 --response none --held-out left-to-right"}},
     cli_evaluate},
    {"select",
     CLI_SELECT,
     1,
     1,
     "INPUT --OPTION A,B,...",
     "choose the number of topics and other settings",
     "",
     {{"", "gibbous select reviews.gbc -k 20,50,100 --cost 1,8 --results tried.jsonl"},
      {"", "gibbous select papers.jsonl --response none -k 25,50,100,200 --halving documents"}},
     cli_select},
    {"topics",
     CLI_TOPICS,
     0,
     1,
     "-m FILE",
     "show the words and classes of each topic",
     "",
     {{"", "gibbous topics -m reviews.gibbous"},
      {"", "gibbous topics -m reviews.gibbous --words 20 --table csv -o topics.csv"}},
     cli_topics},
    {"edit",
     CLI_EDIT,
     0,
     0,
     "-m FILE -o FILE",
     "name topics, merge them or leave some out, in a copy of a model",
     "model, names or merge or drop or topic-groups or chain",
     {{"", "gibbous edit -m reviews.gibbous --names names.csv -o named.gibbous"},
      {"", "gibbous edit -m reviews.gibbous --merge 3+7 --drop 5 -o united.gibbous"}},
     cli_edit},
    {"effects",
     CLI_EFFECTS,
     0,
     1,
     "[DOCUMENTS] -m FILE",
     "show effects of topics and covariates, and shares of groups",
     "",
     {{"", "gibbous effects -m reviews.gibbous"},
      {"", "gibbous effects others.csv -m reviews.gibbous --table csv -o effects.csv"}},
     cli_effects},
    {"ask",
     CLI_ASK,
     0,
     2,
     "[QUESTION [DOCUMENTS]] [-m FILE]",
     "answer a question about a model; without one, list the questions",
     "",
     {{"", "gibbous ask"}, {"", "gibbous ask changes -m new.gibbous --earlier old.gibbous"}},
     cli_ask},
    {"explain",
     CLI_EXPLAIN,
     1,
     1,
     "DOCUMENTS -m FILE",
     "show what topics and words add to a score",
     "",
     {{"", "gibbous explain new.csv --text body -m reviews.gibbous"},
      {"", "gibbous explain new.jsonl -m news.gibbous --table csv -o parts.csv"}},
     cli_explain},
    {"diagnose",
     CLI_DIAGNOSE,
     0,
     1,
     "-m FILE|--checkpoint FILE",
     "say whether a run was long enough",
     "model or checkpoint or MODEL",
     {{"", "gibbous diagnose -m reviews.gibbous"}, {"", "gibbous diagnose --checkpoint reviews.gbk --strict"}},
     cli_diagnose},
    {"report",
     CLI_REPORT,
     0,
     1,
     "[DOCUMENTS] -m FILE",
     "make a page about a model that any browser shows",
     "",
     {{"", "gibbous report -m reviews.gibbous -o reviews.html"},
      {"", "gibbous report test.csv -m reviews.gibbous -o reviews.html"}},
     cli_report},
    {"export",
     CLI_EXPORT,
     1,
     1,
     "DOCUMENTS -m FILE -o FILE",
     "write a model with documents for another program",
     "",
     {{"", "gibbous export reviews.gbc -m reviews.gibbous -o ldavis.json"},
      {"", "gibbous export reviews.gbc -m reviews.gibbous --to mallet-state -o state.gz"}},
     cli_export},
    {"simulate",
     CLI_SIMULATE,
     0,
     0,
     "-o FILE",
     "draw a corpus from the priors or from a model",
     "",
     {{"", "gibbous simulate -k 20 --documents 5000 --seed 7 -o drawn.jsonl"},
      {"", "gibbous simulate -m reviews.gibbous --documents 1000 -o drawn.gbc"}},
     cli_simulate},
};

enum { N_VERBS = sizeof verbs / sizeof verbs[0] };

const cli_verb *cli_verb_table(size_t *count)
{
    *count = N_VERBS;
    return verbs;
}

gb_status cli_find_verb(const char *name, const cli_verb **out, gb_error *err)
{
    const char *names[N_VERBS];
    for (size_t i = 0; i < N_VERBS; i++) {
        names[i] = verbs[i].name;
        if (strcmp(name, names[i]) == 0) {
            *out = &verbs[i];
            return GB_OK;
        }
    }
    char shown[GB_QUOTE_SIZE];
    gb_text_quote(name, strlen(name), shown);
    if (*name == '-')
        return cli_fail(err, GB_EARGUMENT, "expected a verb before %s; gibbous --help lists them", shown);
    const char *nearest = gb_text_nearest(name, N_VERBS, names);
    if (nearest == NULL)
        return cli_fail(err, GB_EARGUMENT, "no verb %s; gibbous --help lists them", shown);
    return cli_fail(err, GB_EARGUMENT, "no verb %s; did you mean %s?", shown, nearest);
}

/* ---- options ---- */

/* In the column `verbs`, beside the verbs that accept an option. */
#define CLI_WRITES(verbs) ((uint64_t)(verbs) << 32)
#define CLI_COMMON        ((uint64_t)1 << 31)

static const struct {
    const char *name;
    uint64_t use;
} uses[] = {
#define GB_OPTION(name, letter, kind, value, low, high, argument, group, kept, needs, verbs, help)                   \
    {name, (uint64_t)(verbs)},
#include "options/options.def"
#undef GB_OPTION
};

static uint64_t use_of(const gb_option *option)
{
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++)
        if (strcmp(uses[i].name, option->name) == 0)
            return uses[i].use;
    return 0;
}

uint32_t cli_verbs_of(const gb_option *option)
{
    return (uint32_t)(use_of(option) & CLI_ALL);
}

bool cli_takes(const cli_verb *verb, const gb_option *option)
{
    return (cli_verbs_of(option) & verb->bit) != 0;
}

bool cli_writes(const cli_verb *verb, const gb_option *option)
{
    return cli_takes(verb, option) && (use_of(option) >> 32 & verb->bit) != 0;
}

bool cli_is_common(const gb_option *option)
{
    return (use_of(option) & CLI_COMMON) != 0;
}
