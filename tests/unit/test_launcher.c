/* Whether a launcher has started this process together with others, by the environment. */
#include "gibbous/gibbous.h"
#include "team/team.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const variables[] = {"OMPI_COMM_WORLD_SIZE",
                                        "OMPI_COMM_WORLD_RANK",
                                        "OMPI_COMM_WORLD_LOCAL_RANK",
                                        "MV2_COMM_WORLD_SIZE",
                                        "PMI_SIZE",
                                        "PMI_RANK",
                                        "MPI_LOCALRANKID",
                                        "JSM_NAMESPACE_SIZE",
                                        "FLUX_JOB_SIZE",
                                        "SLURM_STEP_NUM_TASKS",
                                        "SLURM_PROCID",
                                        "SLURM_LOCALID",
                                        "SLURM_NTASKS",
                                        "GIBBOUS_MPI_MODULE"};

static int no_launcher(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
        unsetenv(variables[i]);
    return 0;
}

static void set(const char *name, const char *value)
{
    assert_int_equal(setenv(name, value, 1), 0);
}

static void assert_launched(size_t size, size_t rank, size_t local_rank)
{
    size_t own = 99, local = 99;
    assert_int_equal(gb_team_launched(&own, &local), size);
    assert_int_equal(own, rank);
    assert_int_equal(local, local_rank);
    assert_int_equal(gb_team_launched(NULL, NULL), size);
}

static void without_a_launcher_a_process_is_alone(void **state)
{
    (void)state;
    gb_error err;
    gb_team *team = NULL;
    assert_launched(1, 0, 0);
    assert_int_equal(gb_team_open(&team, &err), GB_OK);
    assert_null(team);
    assert_int_equal(gb_team_size(team), 1);
    assert_int_equal(gb_team_rank(team), 0);
    assert_true(gb_team_leave(team, GB_EIO, "it fails"));
    gb_team_abort(team, "nobody is there");
    gb_team_free(team);
}

static void mpirun_and_srun_are_known_by_what_they_set(void **state)
{
    set("SLURM_STEP_NUM_TASKS", "8");
    set("SLURM_PROCID", "5");
    assert_launched(8, 5, 0);
    set("SLURM_LOCALID", "1");
    assert_launched(8, 5, 1);
    no_launcher(state);
    set("PMI_SIZE", "3");
    assert_launched(1, 0, 0); /* a size needs a rank */
    set("PMI_RANK", "2");
    set("MPI_LOCALRANKID", "1");
    assert_launched(3, 2, 1);
    no_launcher(state);
    set("OMPI_COMM_WORLD_SIZE", "4");
    set("OMPI_COMM_WORLD_RANK", "3");
    set("OMPI_COMM_WORLD_LOCAL_RANK", "3");
    assert_launched(4, 3, 3);
}

/* mpirun may have been started by srun, one process per machine. */
static void the_launcher_of_the_ranks_counts(void **state)
{
    (void)state;
    set("SLURM_STEP_NUM_TASKS", "2");
    set("SLURM_PROCID", "1");
    set("PMI_SIZE", "8");
    set("PMI_RANK", "5");
    assert_launched(8, 5, 0);
    set("PMI_SIZE", "1");
    set("PMI_RANK", "0");
    assert_launched(1, 0, 0);
}

static void a_batch_script_is_no_launcher(void **state)
{
    (void)state;
    set("SLURM_NTASKS", "8");
    set("SLURM_PROCID", "0");
    assert_launched(1, 0, 0);
}

static void what_is_no_number_is_not_believed(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "x", "-3", "3x", " 3", "0"};
    set("PMI_RANK", "0");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        set("PMI_SIZE", wrong[i]);
        assert_launched(1, 0, 0);
    }
}

static void none_makes_every_process_work_on_its_own(void **state)
{
    (void)state;
    gb_team *team = NULL;
    set("PMI_SIZE", "3");
    set("PMI_RANK", "2");
    set("GIBBOUS_MPI_MODULE", "none");
    assert_launched(1, 0, 0);
    assert_int_equal(gb_team_open(&team, NULL), GB_OK);
    assert_null(team);
}

static void several_ranks_without_a_module_are_refused(void **state)
{
    (void)state;
    gb_error err;
    gb_team *team = NULL;
    set("PMI_SIZE", "3");
    set("PMI_RANK", "2");
    set("GIBBOUS_MPI_MODULE", "/nowhere/module.so");
    assert_int_equal(gb_team_open(&team, &err), GB_EIO);
    assert_null(team);
    assert_non_null(
        strstr(err.message, "3 ranks were started (PMI_SIZE), but the module for MPI cannot be opened: "));
    assert_non_null(strstr(err.message, "/nowhere/module.so"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(without_a_launcher_a_process_is_alone, no_launcher),
        cmocka_unit_test_setup(mpirun_and_srun_are_known_by_what_they_set, no_launcher),
        cmocka_unit_test_setup(the_launcher_of_the_ranks_counts, no_launcher),
        cmocka_unit_test_setup(a_batch_script_is_no_launcher, no_launcher),
        cmocka_unit_test_setup(what_is_no_number_is_not_believed, no_launcher),
        cmocka_unit_test_setup(none_makes_every_process_work_on_its_own, no_launcher),
        cmocka_unit_test_setup(several_ranks_without_a_module_are_refused, no_launcher),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
