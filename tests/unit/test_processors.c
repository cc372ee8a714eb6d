/* How many threads are taken: what the process may use, and what is worth it. */
#include "base/processors.h"
#include "base/system.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PATH_SIZE = 1000 };

/* Files of a made-up system, in a folder of its own. */
static char root[PATH_SIZE];

static void run(const char *format, const char *path)
{
    char command[3 * PATH_SIZE];
    assert_true(snprintf(command, sizeof command, format, path) < (int)sizeof command);
    assert_int_equal(system(command), 0); /* NOLINT: paths are the test's own */
}

static void put(const char *path, const char *text)
{
    char full[2 * PATH_SIZE];
    (void)snprintf(full, sizeof full, "%s/%s", root, path);
    run("mkdir -p \"$(dirname '%s')\"", full);
    FILE *file = fopen(full, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int make_root(void **state)
{
    (void)state;
    const char *folder = getenv("TMPDIR");
    (void)snprintf(root, sizeof root, "%s/gibbous-test-XXXXXX", folder == NULL ? "/tmp" : folder);
    return mkdtemp(root) == NULL;
}

static int remove_root(void **state)
{
    (void)state;
    run("rm -rf '%s'", root);
    return 0;
}

static void without_groups_there_is_no_quota(void **state)
{
    (void)state;
    assert_int_equal(gb_quota_of_groups(root), 0);
    put("proc/self/cgroup", "0::/\n");
    assert_int_equal(gb_quota_of_groups(root), 0);
    put("proc/self/cgroup", "no line of this file is right\n:\n3:cpu\n");
    assert_int_equal(gb_quota_of_groups(root), 0);
}

static void the_tightest_group_on_the_way_counts(void **state)
{
    (void)state;
    put("proc/self/cgroup", "0::/user/job/step\n");
    put("sys/fs/cgroup/user/job/step/cpu.max", "max 100000\n");
    assert_int_equal(gb_quota_of_groups(root), 0);
    put("sys/fs/cgroup/user/cpu.max", "800000 100000\n");
    assert_int_equal(gb_quota_of_groups(root), 8);
    put("sys/fs/cgroup/user/job/cpu.max", "250000 100000\n");
    assert_int_equal(gb_quota_of_groups(root), 3);
    put("sys/fs/cgroup/user/job/step/cpu.max", "10000 100000\n");
    assert_int_equal(gb_quota_of_groups(root), 1);
    put("sys/fs/cgroup/elsewhere/cpu.max", "1000 100000\n");
    assert_int_equal(gb_quota_of_groups(root), 1);
}

static void a_container_has_its_own_group_at_the_top(void **state)
{
    (void)state;
    put("proc/self/cgroup", "0::/docker/0123456789\n");
    put("sys/fs/cgroup/cpu.max", "200000 100000\n");
    assert_int_equal(gb_quota_of_groups(root), 2);
}

static void the_first_version_is_read_too(void **state)
{
    (void)state;
    put("proc/self/cgroup", "5:cpuset:/job\n4:cpu,cpuacct:/job\n1:name=systemd:/\n");
    put("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
    put("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
    assert_int_equal(gb_quota_of_groups(root), 0);
    put("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "400000\n");
    assert_int_equal(gb_quota_of_groups(root), 4);
    put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "150000\n");
    put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "50000\n");
    assert_int_equal(gb_quota_of_groups(root), 3);
    put("proc/self/cgroup", "3:cpuacct:/\n2:cpuset:/\n");
    assert_int_equal(gb_quota_of_groups(root), 0);
}

static void affinity_is_respected(void **state)
{
    (void)state;
    cpu_set_t all, one;
    (void)unsetenv("OMP_NUM_THREADS");
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_int_equal(gb_machine_processors(), CPU_COUNT(&all));
    CPU_ZERO(&one);
    for (size_t i = 0; CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(gb_available_threads(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

static void the_environment_is_respected(void **state)
{
    (void)state;
    (void)unsetenv("OMP_NUM_THREADS");
    const size_t all = gb_available_threads();
    (void)setenv("OMP_NUM_THREADS", "1", 1);
    assert_int_equal(gb_available_threads(), 1);
    (void)setenv("OMP_NUM_THREADS", "1,4", 1);
    assert_int_equal(gb_available_threads(), 1);
    (void)setenv("OMP_NUM_THREADS", "1000000", 1);
    assert_int_equal(gb_available_threads(), all);
    (void)setenv("OMP_NUM_THREADS", "many", 1);
    assert_int_equal(gb_available_threads(), all);
    (void)unsetenv("OMP_NUM_THREADS");
}

static void little_work_takes_one_thread(void **state)
{
    (void)state;
    const size_t all = gb_available_threads();
    assert_int_equal(gb_threads_for(0, 1, 500), 1);
    assert_int_equal(gb_threads_for(0, 1, UINT64_MAX), all);
    assert_int_equal(gb_threads_for(7, 1, 500), 7);
    assert_int_equal(gb_threads_for(0, UINT64_MAX, 500), all); /* side by side */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(without_groups_there_is_no_quota, make_root, remove_root),
        cmocka_unit_test_setup_teardown(the_tightest_group_on_the_way_counts, make_root, remove_root),
        cmocka_unit_test_setup_teardown(a_container_has_its_own_group_at_the_top, make_root, remove_root),
        cmocka_unit_test_setup_teardown(the_first_version_is_read_too, make_root, remove_root),
        cmocka_unit_test(affinity_is_respected),
        cmocka_unit_test(the_environment_is_respected),
        cmocka_unit_test(little_work_takes_one_thread),
    };
    return cmocka_run_group_tests_name("number of threads", tests, NULL, NULL);
}
