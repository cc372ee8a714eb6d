/* gb_out_file: a file appears whole or not at all, and nothing of the user's is lost. */
#include "helper_documents.h"

#include "base/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void assert_text(const char *path, const char *expected)
{
    char text[200] = {0};
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_int_equal(fread(text, 1, sizeof text - 1, f), strlen(expected));
    assert_int_equal(fclose(f), 0);
    assert_string_equal(text, expected);
}

static void assert_n_files(int expected)
{
    DIR *d = opendir(".");
    assert_non_null(d);
    int n = 0;
    for (struct dirent *entry = readdir(d); entry != NULL; entry = readdir(d))
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(d);
    assert_int_equal(n, expected);
}

static gb_out_file *open_output(const char *path, bool force)
{
    gb_out_file *o = NULL;
    gb_error err;
    assert_int_equal(gb_out_file_open(&o, path, force, &err), GB_OK);
    return o;
}

static void assert_open_fails(const char *path, gb_status status, const char *message)
{
    gb_out_file *o = NULL;
    gb_error err;
    assert_int_equal(gb_out_file_open(&o, path, false, &err), status);
    assert_null(o);
    assert_string_equal(err.message, message);
}

static void the_file_appears_only_at_the_commit(void **state)
{
    (void)state;
    gb_out_file *o = open_output("out.csv", false);
    fputs("a,b\n", gb_out_file_stream(o));
    fflush(gb_out_file_stream(o));
    assert_int_equal(access("out.csv", F_OK), -1);
    assert_int_equal(gb_out_file_commit(o, NULL), GB_OK);
    assert_text("out.csv", "a,b\n");
    assert_n_files(1);
    unlink("out.csv");
}

static void a_discarded_file_leaves_nothing(void **state)
{
    (void)state;
    gb_out_file *o = open_output("out.csv", false);
    fputs("a,b\n", gb_out_file_stream(o));
    assert_n_files(1);
    gb_out_file_discard(o);
    gb_out_file_discard(NULL);
    assert_n_files(0);
}

/* The name of a temporary file of another process, from the name that this one would use. */
static void name_of_process(long process, char out[static 100])
{
    char name[64];
    char *at;
    assert_true(gb_out_file_temporary("out.csv", 0, name, sizeof name));
    at = strchr(strchr(name, '-') + 1, '-');
    *at = '\0';
    (void)snprintf(out, 100, "%s-%ld-0.tmp", name, process);
}

/* A process that has ended, and that nobody else can be yet. */
static long ended_process(void)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    return (long)child;
}

static void what_a_killed_process_left_is_removed(void **state)
{
    (void)state;
    char name[100];
    name_of_process(ended_process(), name);
    write_text(name, "half");
    gb_out_file_discard(open_output("out.csv", false));
    assert_n_files(0);
}

static void what_another_process_is_writing_stays(void **state)
{
    (void)state;
    char alive[100], locked[100];
    name_of_process((long)getppid(), alive);
    name_of_process(ended_process(), locked); /* as it looks from another container */
    write_text(alive, "half");
    write_text(locked, "half");
    write_text(".gibbous-00000001-999999999-0.tmp", "of another machine");
    write_text(".gibbous-1-2.tmp.txt", "of the user");
    const int file = open(locked, O_RDONLY);
    assert_int_equal(flock(file, LOCK_EX | LOCK_NB), 0);
    gb_out_file_discard(open_output("out.csv", false));
    assert_n_files(4);
    close(file);
    unlink(alive);
    unlink(locked);
    unlink(".gibbous-00000001-999999999-0.tmp");
    unlink(".gibbous-1-2.tmp.txt");
}

static void a_writer_holds_the_lock_of_its_file(void **state)
{
    (void)state;
    char name[64];
    gb_out_file *o = open_output("out.csv", false);
    assert_true(gb_out_file_temporary("out.csv", 0, name, sizeof name));
    const int file = open(name, O_RDONLY);
    assert_true(file >= 0);
    assert_int_not_equal(flock(file, LOCK_EX | LOCK_NB), 0);
    close(file);
    gb_out_file_discard(o);
}

static void an_existing_file_needs_force(void **state)
{
    (void)state;
    write_text("out.csv", "old");
    assert_open_fails("out.csv", GB_EARGUMENT, "out.csv: exists already; give `force` to overwrite it");
    assert_text("out.csv", "old");
    gb_out_file *o = open_output("out.csv", true);
    fputs("new", gb_out_file_stream(o));
    fflush(gb_out_file_stream(o));
    assert_text("out.csv", "old");
    assert_int_equal(gb_out_file_commit(o, NULL), GB_OK);
    assert_text("out.csv", "new");
    assert_n_files(1);
    unlink("out.csv");
}

static void a_file_that_appears_meanwhile_is_not_overwritten(void **state)
{
    (void)state;
    gb_error err;
    gb_out_file *o = open_output("out.csv", false);
    fputs("ours", gb_out_file_stream(o));
    write_text("out.csv", "theirs");
    assert_int_equal(gb_out_file_commit(o, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "out.csv: exists already; give `force` to overwrite it");
    assert_text("out.csv", "theirs");
    assert_n_files(1);
    unlink("out.csv");
}

static void two_outputs_at_once_do_not_mix(void **state)
{
    (void)state;
    gb_out_file *a = open_output("a", false), *b = open_output("b", false), *c = open_output("b", true);
    fputs("A", gb_out_file_stream(a));
    fputs("B", gb_out_file_stream(b));
    fputs("C", gb_out_file_stream(c));
    assert_int_equal(gb_out_file_commit(b, NULL), GB_OK);
    assert_int_equal(gb_out_file_commit(a, NULL), GB_OK);
    assert_text("a", "A");
    assert_text("b", "B");
    assert_int_equal(gb_out_file_commit(c, NULL), GB_OK);
    assert_text("b", "C");
    assert_n_files(2);
    unlink("a");
    unlink("b");
}

static void a_folder_that_is_not_there_is_named(void **state)
{
    (void)state;
    assert_open_fails("none/out.csv", GB_EIO, "none/out.csv: cannot write: No such file or directory");
    assert_open_fails(".", GB_EIO, ".: cannot write: Is a directory");
    write_text("plain", "");
    assert_open_fails("plain/out.csv", GB_EIO, "plain/out.csv: cannot write: Not a directory");
    unlink("plain");
    assert_n_files(0);
}

static void a_folder_without_permission_is_refused(void **state)
{
    (void)state;
    gb_out_file *o = NULL;
    gb_error err;
    assert_int_equal(mkdir("locked", 0555), 0);
    /* The superuser may do everything, so become nobody for a moment. */
    bool is_root = geteuid() == 0;
    assert_true(!is_root || seteuid(65534) == 0);
    gb_status st = gb_out_file_open(&o, "locked/out.csv", false, &err);
    assert_true(!is_root || seteuid(0) == 0);
    assert_int_equal(st, GB_EIO);
    assert_string_equal(err.message, "locked/out.csv: cannot write: Permission denied");
    assert_int_equal(rmdir("locked"), 0);
}

static mode_t mode_of(const char *path)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_mode & 0777;
}

static void the_umask_is_honoured_and_a_private_file_stays_private(void **state)
{
    (void)state;
    mode_t before = umask(027);
    assert_int_equal(gb_out_file_commit(open_output("out.csv", false), NULL), GB_OK);
    assert_int_equal(mode_of("out.csv"), 0640);
    assert_int_equal(chmod("out.csv", 0600), 0);
    assert_int_equal(gb_out_file_commit(open_output("out.csv", true), NULL), GB_OK);
    assert_int_equal(mode_of("out.csv"), 0600);
    umask(before);
    unlink("out.csv");
}

static void a_link_stays_and_its_file_is_replaced(void **state)
{
    (void)state;
    struct stat info;
    assert_int_equal(mkdir("real", 0777), 0);
    write_text("real/out.csv", "old");
    assert_int_equal(symlink("real/out.csv", "link"), 0);
    assert_open_fails("link", GB_EARGUMENT, "link: exists already; give `force` to overwrite it");
    gb_out_file *o = open_output("link", true);
    fputs("new", gb_out_file_stream(o));
    assert_int_equal(gb_out_file_commit(o, NULL), GB_OK);
    assert_int_equal(lstat("link", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_text("real/out.csv", "new");
    unlink("real/out.csv");
    assert_open_fails("link", GB_EARGUMENT, "link: exists already; give `force` to overwrite it");
    unlink("link");
    assert_int_equal(rmdir("real"), 0);
}

static void the_longest_possible_name_works(void **state)
{
    (void)state;
    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    assert_int_equal(gb_out_file_commit(open_output(name, false), NULL), GB_OK);
    assert_int_equal(access(name, F_OK), 0);
    unlink(name);
}

static void a_device_is_written_to_directly(void **state)
{
    (void)state;
    gb_error err;
    gb_out_file *o = open_output("/dev/null", false);
    fputs("gone", gb_out_file_stream(o));
    assert_int_equal(gb_out_file_commit(o, NULL), GB_OK);
    o = open_output("/dev/full", false);
    fputs("too much", gb_out_file_stream(o));
    assert_int_equal(gb_out_file_commit(o, &err), GB_EIO);
    assert_string_equal(err.message, "/dev/full: cannot write: No space left on device");
}

static void a_named_pipe_is_written_to_directly(void **state)
{
    (void)state;
    char text[8] = {0};
    assert_int_equal(mkfifo("pipe", 0600), 0);
    int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    gb_out_file *o = open_output("pipe", false);
    fputs("word", gb_out_file_stream(o));
    assert_int_equal(gb_out_file_commit(o, NULL), GB_OK);
    assert_int_equal(read(reader, text, sizeof text), 4);
    assert_string_equal(text, "word");
    close(reader);
    assert_n_files(1);
    unlink("pipe");
}

/* Run with standard output sent to a file; cmocka prints there, too, so it is put back before any claim. */
static gb_status write_to_stdout(const char *path, const char *target, gb_error *err)
{
    gb_out_file *o = NULL;
    fflush(stdout);
    int saved = dup(STDOUT_FILENO), other = open(target, O_WRONLY | O_CREAT, 0600);
    dup2(other, STDOUT_FILENO);
    gb_status st = gb_out_file_open(&o, path, false, err);
    if (st == GB_OK) {
        fputs("row\n", gb_out_file_stream(o));
        st = gb_out_file_commit(o, err);
    }
    __fpurge(stdout);
    clearerr(stdout);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(other);
    return st;
}

static void empty_and_dash_are_standard_output(void **state)
{
    (void)state;
    const char *names[] = {"", "-", "/dev/stdout"};
    for (size_t i = 0; i < 3; i++) {
        gb_status st = write_to_stdout(names[i], "caught", NULL);
        assert_int_equal(st, GB_OK);
        assert_text("caught", "row\n");
        unlink("caught");
    }
    assert_n_files(0);
}

static void a_full_standard_output_is_an_error(void **state)
{
    (void)state;
    gb_error err;
    gb_status st = write_to_stdout("-", "/dev/full", &err);
    assert_int_equal(st, GB_EIO);
    assert_string_equal(err.message, "standard output: cannot write: No space left on device");
}

static void a_full_disk_leaves_the_old_file_and_no_other(void **state)
{
    (void)state;
    gb_error err;
    struct rlimit before;
    write_text("out.csv", "old");
    gb_out_file *o = open_output("out.csv", true);
    /* Files may not grow: the nearest thing to a full disk that a test can make. */
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){1000, before.rlim_max});
    for (int i = 0; i < 100000; i++)
        fputs("a longer row\n", gb_out_file_stream(o));
    gb_status st = gb_out_file_commit(o, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(st, GB_EIO);
    assert_memory_equal(err.message, "out.csv: cannot write: ", 23);
    assert_text("out.csv", "old");
    assert_n_files(1);
    unlink("out.csv");
}

static void a_write_that_failed_is_not_forgotten(void **state)
{
    (void)state;
    gb_error err;
    struct rlimit before;
    gb_out_file *o = open_output("out.csv", false);
    setvbuf(gb_out_file_stream(o), NULL, _IONBF, 0);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){3, before.rlim_max});
    fputs("abc", gb_out_file_stream(o));
    fputs("lost", gb_out_file_stream(o));
    setrlimit(RLIMIT_FSIZE, &before);
    fputs("def", gb_out_file_stream(o));
    assert_int_equal(gb_out_file_commit(o, &err), GB_EIO);
    assert_string_equal(err.message, "out.csv: cannot write: File too large");
    assert_n_files(0);
}

/* ---- two files of one result ---- */

static void open_pair(bool force, gb_out_file **first, gb_out_file **second)
{
    *second = open_output("second", force);
    *first = open_output("first", force);
    (void)fputs("new first", gb_out_file_stream(*first));
    (void)fputs("new second", gb_out_file_stream(*second));
}

static void a_pair_replaces_a_pair(void **state)
{
    (void)state;
    gb_out_file *first, *second;
    write_text("first", "old first");
    write_text("second", "old second");
    open_pair(true, &first, &second);
    assert_int_equal(gb_out_file_commit_pair(first, &second, NULL), GB_OK);
    assert_null(second);
    assert_text("first", "new first");
    assert_text("second", "new second");
    assert_n_files(2);
    assert_int_equal(unlink("first"), 0);
    assert_int_equal(unlink("second"), 0);
}

static void a_second_file_that_is_lost_leaves_the_old_pair(void **state)
{
    (void)state;
    gb_out_file *first, *second;
    write_text("first", "old first");
    write_text("second", "old second");
    open_pair(true, &first, &second);
    struct rlimit before;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){9, before.rlim_max}); /* the first fits, the second does not */
    const gb_status st = gb_out_file_commit_pair(first, &second, NULL);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(st, GB_EIO);
    assert_null(second);
    assert_text("first", "old first");
    assert_text("second", "old second");
    assert_n_files(2);
    assert_int_equal(unlink("first"), 0);
    assert_int_equal(unlink("second"), 0);
}

static void a_first_file_that_cannot_have_its_name_leaves_the_second_to_the_caller(void **state)
{
    (void)state;
    gb_out_file *first, *second;
    open_pair(false, &first, &second);
    write_text("first", "theirs");
    assert_int_equal(gb_out_file_commit_pair(first, &second, NULL), GB_EARGUMENT);
    assert_non_null(second);
    assert_text("first", "theirs");
    assert_int_equal(gb_out_file_put_beside(second, 1, NULL), GB_OK);
    assert_int_equal(gb_out_file_put_beside(second, 2, NULL), GB_OK);
    first = open_output("first.2", false);
    assert_int_equal(gb_out_file_commit_pair(first, &second, NULL), GB_OK);
    assert_text("second.2", "new second");
    assert_n_files(3);
    assert_int_equal(unlink("first"), 0);
    assert_int_equal(unlink("first.2"), 0);
    assert_int_equal(unlink("second.2"), 0);
}

static void an_old_second_file_comes_back_if_the_first_cannot_have_its_name(void **state)
{
    (void)state;
    gb_out_file *first, *second;
    write_text("second", "old second");
    open_pair(true, &first, &second);
    assert_int_equal(mkdir("first", 0777), 0);
    assert_int_equal(gb_out_file_commit_pair(first, &second, NULL), GB_EIO);
    gb_out_file_discard(second);
    assert_text("second", "old second");
    assert_n_files(2);
    assert_int_equal(rmdir("first"), 0);
    assert_int_equal(unlink("second"), 0);
}

static void a_second_file_whose_name_is_taken_keeps_the_first_from_its_name(void **state)
{
    (void)state;
    gb_out_file *first, *second;
    open_pair(false, &first, &second);
    write_text("second", "theirs");
    assert_int_equal(gb_out_file_commit_pair(first, &second, NULL), GB_EARGUMENT);
    gb_out_file_discard(second);
    assert_text("second", "theirs");
    assert_n_files(1);
    assert_int_equal(unlink("second"), 0);
}

static void all_files_of_a_result_replace_the_old_ones(void **state)
{
    (void)state;
    gb_out_file *file[3] = {NULL};
    write_text("first", "old first");
    open_pair(true, &file[0], &file[2]);
    assert_int_equal(gb_out_file_commit_all(file, 3, NULL), GB_OK);
    assert_text("first", "new first");
    assert_text("second", "new second");
    assert_n_files(2);
    assert_int_equal(unlink("first"), 0);
    assert_int_equal(unlink("second"), 0);
}

static void a_last_file_that_cannot_have_its_name_brings_the_others_back(void **state)
{
    (void)state;
    gb_out_file *file[3];
    write_text("first", "old first");
    open_pair(true, &file[0], &file[2]);
    file[1] = open_output("new", true);
    assert_int_equal(mkdir("second", 0777), 0);
    assert_int_equal(gb_out_file_commit_all(file, 3, NULL), GB_EIO);
    for (size_t i = 0; i < 3; i++)
        assert_null(file[i]);
    assert_text("first", "old first");
    assert_n_files(2); /* and the folder */
    assert_int_equal(rmdir("second"), 0);
    assert_int_equal(unlink("first"), 0);
}

static void a_first_file_comes_back_if_the_second_cannot_have_its_name(void **state)
{
    (void)state;
    gb_out_file *first, *second;
    write_text("first", "old first");
    open_pair(true, &first, &second);
    assert_int_equal(mkdir("second", 0777), 0);
    assert_int_equal(gb_out_file_commit_pair(first, &second, NULL), GB_EIO);
    gb_out_file_discard(second);
    assert_text("first", "old first");
    assert_n_files(2);
    assert_int_equal(rmdir("second"), 0);
    assert_int_equal(unlink("first"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_file_appears_only_at_the_commit),
        cmocka_unit_test(a_discarded_file_leaves_nothing),
        cmocka_unit_test(what_a_killed_process_left_is_removed),
        cmocka_unit_test(what_another_process_is_writing_stays),
        cmocka_unit_test(a_writer_holds_the_lock_of_its_file),
        cmocka_unit_test(an_existing_file_needs_force),
        cmocka_unit_test(a_file_that_appears_meanwhile_is_not_overwritten),
        cmocka_unit_test(two_outputs_at_once_do_not_mix),
        cmocka_unit_test(a_folder_that_is_not_there_is_named),
        cmocka_unit_test(a_folder_without_permission_is_refused),
        cmocka_unit_test(the_umask_is_honoured_and_a_private_file_stays_private),
        cmocka_unit_test(a_link_stays_and_its_file_is_replaced),
        cmocka_unit_test(the_longest_possible_name_works),
        cmocka_unit_test(a_device_is_written_to_directly),
        cmocka_unit_test(a_named_pipe_is_written_to_directly),
        cmocka_unit_test(empty_and_dash_are_standard_output),
        cmocka_unit_test(a_full_standard_output_is_an_error),
        cmocka_unit_test(a_full_disk_leaves_the_old_file_and_no_other),
        cmocka_unit_test(a_write_that_failed_is_not_forgotten),
        cmocka_unit_test(a_pair_replaces_a_pair),
        cmocka_unit_test(a_second_file_that_is_lost_leaves_the_old_pair),
        cmocka_unit_test(a_first_file_that_cannot_have_its_name_leaves_the_second_to_the_caller),
        cmocka_unit_test(an_old_second_file_comes_back_if_the_first_cannot_have_its_name),
        cmocka_unit_test(a_second_file_whose_name_is_taken_keeps_the_first_from_its_name),
        cmocka_unit_test(all_files_of_a_result_replace_the_old_ones),
        cmocka_unit_test(a_last_file_that_cannot_have_its_name_brings_the_others_back),
        cmocka_unit_test(a_first_file_comes_back_if_the_second_cannot_have_its_name),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_empty_folder);
}
