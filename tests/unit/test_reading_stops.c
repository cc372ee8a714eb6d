/* tests/unit/test_reading_stops.c - a caller is asked while documents are read, and may stop it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "corpus/data/read_watch.h"
#include "gibbous/gibbous.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool refuse(const gb_read_progress *progress, void *user)
{
    assert_true(progress->seconds > 0);
    ++*(int *)user;
    return false;
}

typedef struct pipe_of_nothing {
    char path[40];
    int fd; /* keeps it open, so that its reader waits */
    gb_settings *settings;
} pipe_of_nothing;

static int open_pipe(void **state)
{
    pipe_of_nothing *p = calloc(1, sizeof *p);
    assert_non_null(p);
    (void)snprintf(p->path, sizeof p->path, "/tmp/stops-%ld", (long)getpid());
    assert_int_equal(mkfifo(p->path, 0600), 0);
    p->fd = open(p->path, O_RDWR | O_CLOEXEC);
    assert_true(p->fd >= 0);
    assert_int_equal(gb_settings_create(&p->settings, NULL), GB_OK);
    assert_int_equal(gb_settings_set(p->settings, "format", "jsonl", NULL), GB_OK);
    *state = p;
    return 0;
}

static int close_pipe(void **state)
{
    pipe_of_nothing *p = *state;
    (void)close(p->fd);
    (void)unlink(p->path);
    gb_settings_free(p->settings);
    free(p);
    return 0;
}

static void a_pipe_without_data_is_not_waited_for(void **state)
{
    pipe_of_nothing *p = *state;
    gb_error err = {0};
    gb_corpus *corpus = NULL;
    int n_asked = 0;
    assert_int_equal(gb_corpus_read(p->path, p->settings, refuse, &n_asked, &corpus, &err), GB_ESTOP);
    assert_int_equal(err.status, GB_ESTOP);
    assert_string_equal(err.message, "stopped after 0 documents");
    assert_int_equal(n_asked, 1);
    assert_null(corpus);
}

static bool go_on_twice(const gb_read_progress *progress, void *user)
{
    int *n = user;
    (void)progress;
    return ++*n < 3;
}

static void saying_yes_goes_on(void **state)
{
    pipe_of_nothing *p = *state;
    gb_corpus *corpus = NULL;
    int n_asked = 0;
    assert_int_equal(gb_corpus_read(p->path, p->settings, go_on_twice, &n_asked, &corpus, NULL), GB_ESTOP);
    assert_int_equal(n_asked, 3);
}

static void after_a_no_nobody_is_asked_again(void **state)
{
    (void)state;
    gb_read_watch watch;
    gb_error err = {0};
    int n_asked = 0;
    gb_read_watch_begin(&watch, refuse, &n_asked);
    watch.watch.next = 0; /* it is due */
    watch.n_docs = 1;
    for (int i = 0; i < 3; i++)
        assert_int_equal(gb_read_watch_ask(&watch, &err), GB_ESTOP);
    assert_int_equal(n_asked, 1);
    assert_string_equal(err.message, "stopped after 1 document");
    assert_int_equal(gb_read_watch_ask(NULL, NULL), GB_OK);
    gb_read_watch_begin(&watch, NULL, NULL);
    watch.watch.next = 0;
    assert_int_equal(gb_read_watch_ask(&watch, NULL), GB_OK);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, open_pipe, close_pipe)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_pipe_without_data_is_not_waited_for),
        CASE(saying_yes_goes_on),
        cmocka_unit_test(after_a_no_nobody_is_asked_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
