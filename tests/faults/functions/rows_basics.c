/* rows_basics.c - functions of status.h, output.h, team.h and options.h. */
#include "rows.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- status.h ---- */

static void status(void)
{
    TEXT(gb_version());
    QUIET((gb_free(NULL), 0));
}

/* ---- options.h ---- */

static void options(void)
{
    QUIET(gb_option_at(3));
    QUIET(gb_option_find("topics"));
    TEXT(gb_option_kind_name(GB_OPTION_LIST));
    TEXT(gb_option_group_name(GB_GROUP_WORDS));
}

static void see_settings(const gb_settings *settings)
{
    for (uint64_t i = 0; settings != NULL && gb_option_at(i) != NULL; i++) {
        const char *name = gb_option_at(i)->name;
        see_number(gb_settings_is_set(settings, name));
        for (uint64_t j = 0; j < gb_settings_n_values(settings, name); j++)
            see_text(gb_settings_get(settings, name, j));
    }
}

static void settings_create(void)
{
    gb_settings *settings = NULL;
    TRY(gb_settings_create(&settings, ERR));
    see_made(settings);
    see_settings(settings);
    QUIET((gb_settings_free(settings), 0));
}

/* It answers without memory. */
static void settings_check(void)
{
    gb_settings *settings = settings_of("margin", "2", "response", "logistic", NULL);
    const gb_fact fact = {"response", "hinge", NULL};
    TRY(gb_settings_check(settings, "margin", gb_option_find("margin")->needs, NULL, 1, &fact, ERR));
    gb_settings_free(settings);
}

static void settings_copy(void)
{
    gb_settings *copy = NULL,
                *from = settings_of("label", "a", "label", "b", "topics", "7", "token-pattern", "[a-z]+", NULL);
    TRY(gb_settings_copy(from, &copy, ERR));
    see_made(copy);
    see_settings(copy);
    gb_settings_free(copy);
    gb_settings_free(from);
}

static void settings_set(void)
{
    uint64_t n_bytes = 0;
    gb_settings *settings = settings_of("label", "a", "stem", "english", NULL);
    static const char *const pairs[][2] = {{"topics", "20"},   {"beta", "0.5"},       {"label", "another"},
                                           {"stem", "german"}, {"covariates", "a,b"}, {"prior", "graph"},
                                           {"lowercase", "no"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char old[20];
        const uint64_t n = gb_settings_n_values(settings, pairs[i][0]);
        const char *was = gb_settings_get(settings, pairs[i][0], 0);
        (void)snprintf(old, sizeof old, "%s", was == NULL ? "" : was);
        if (TRY(gb_settings_set(settings, pairs[i][0], pairs[i][1], ERR)) != GB_OK) { /* nothing has changed */
            const char *is = gb_settings_get(settings, pairs[i][0], 0);
            expect(n == gb_settings_n_values(settings, pairs[i][0]) && strcmp(old, is == NULL ? "" : is) == 0,
                   "the settings are unchanged");
            must(gb_settings_set(settings, pairs[i][0], pairs[i][1], ERR));
            trial_recovered();
        }
    }
    NUMBER(gb_settings_is_set(settings, "topics"));
    NUMBER(gb_settings_n_values(settings, "label"));
    TEXT(gb_settings_get(settings, "label", 0));
    TRY(gb_settings_bytes(settings, "memory-limit", &n_bytes, ERR));
    QUIET((gb_settings_use_team(settings, NULL), 0));
    see_settings(settings);
    gb_settings_free(settings);
}

/* ---- output.h ---- */

static gb_out_file *opened(const char *path)
{
    gb_out_file *file = NULL;
    must(gb_out_file_open(&file, path, true, ERR));
    (void)fputs("text\n", gb_out_file_stream(file));
    return file;
}

static void out_file_open(void)
{
    gb_out_file *file = NULL;
    TRY(gb_out_file_open(&file, "out.txt", false, ERR));
    see_made(file);
    QUIET((gb_out_file_discard(file), 0));
}

static void out_file_replace(void)
{
    gb_out_file *file = NULL;
    write_text("out.txt", "old\n");
    must(symlink("out.txt", "link.txt") == 0 ? GB_OK : GB_EIO);
    if (TRY(gb_out_file_open(&file, "link.txt", true, ERR)) == GB_OK) {
        FILE *stream = NULL;
        QUIET(stream = gb_out_file_stream(file));
        (void)fputs("new\n", stream);
        TRY(gb_out_file_commit(file, ERR));
    }
    (void)unlink("link.txt");
    see_any_file("out.txt");
}

static void out_file_commit(void)
{
    gb_out_file *file = opened("out.txt");
    TRY(gb_out_file_commit(file, ERR));
    see_file("out.txt");
}

static void out_file_put_beside(void)
{
    gb_out_file *file = opened("out.txt");
    RETRY(gb_out_file_put_beside(file, 1, ERR));
    must(gb_out_file_commit(file, ERR));
    see_file("out.txt.1");
}

static void texts(void)
{
    static const char *const words[] = {"topics", "sweeps"};
    char name[PATH_MAX], quoted[GB_QUOTE_SIZE], dirty[] = "a\tb\n";
    NUMBER(gb_out_file_temporary("here/out.txt", 0, name, sizeof name));
    QUIET((gb_text_quote("a\nb", 3, quoted), 0));
    see_text(quoted);
    TEXT(gb_text_clean(dirty));
    TEXT(gb_text_nearest("topcis", 2, words));
}

/* ---- team.h: a process alone.  Ranks need MPI, which checks no allocation; tests/unit/test_rank_failures.c fails theirs ---- */

static void team(void)
{
    gb_team *alone = NULL;
    int number = 1;
    QUIET(gb_team_launched(NULL, NULL));
    TRY(gb_team_open(&alone, ERR));
    NUMBER(gb_team_rank(alone));
    NUMBER(gb_team_size(alone));
    TRY(gb_team_broadcast(alone, 0, &number, sizeof number, ERR));
    NUMBER(gb_team_leave(alone, GB_OK, NULL));
    QUIET((gb_team_free(alone), 0));
}

const fault_row rows_of_basics[] = {{"status", status, NULL},
                                    {"options", options, NULL},
                                    {"settings_create", settings_create, NULL},
                                    {"settings_copy", settings_copy, NULL},
                                    {"settings_check", settings_check, NULL},
                                    {"settings_set", settings_set, NULL},
                                    {"out_file_open", out_file_open, NULL},
                                    {"out_file_replace", out_file_replace, NULL},
                                    {"out_file_commit", out_file_commit, NULL},
                                    {"out_file_put_beside", out_file_put_beside, NULL},
                                    {"texts", texts, NULL},
                                    {"team", team, NULL},
                                    {NULL, NULL, NULL}};
