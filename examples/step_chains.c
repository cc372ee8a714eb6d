/* step_chains.c - two chains stepped by hand: split R-hat of the log joint; one is saved, loaded, gone on with.
 *   step_chains DOCUMENTS FILE */
#include <gibbous/gibbous.h>
#include <math.h>
#include <stdio.h>
enum { N_CHAINS = 2, N = 25 }; /* log joints in half a chain */
#define DO(call) st = st == GB_OK ? (call) : st

/* Split R-hat (Gelman and others 2013, section 11.4): halves of chains compared. */
static double split_rhat(double x[2 * N_CHAINS][N])
{
    double mean[2 * N_CHAINS] = {0}, all = 0, between = 0, within = 0;
    for (int j = 0; j < 2 * N_CHAINS; j++) {
        for (int i = 0; i < N; i++)
            mean[j] += x[j][i] / N;
        all += mean[j] / (2 * N_CHAINS);
    }
    for (int j = 0; j < 2 * N_CHAINS; j++) {
        between += (mean[j] - all) * (mean[j] - all) / (2 * N_CHAINS - 1);
        for (int i = 0; i < N; i++)
            within += (x[j][i] - mean[j]) * (x[j][i] - mean[j]) / (N - 1) / (2 * N_CHAINS);
    }
    return sqrt((N - 1.0) / N + between / within);
}
int main(int argc, char **argv)
{
    gb_error err = {0};
    gb_settings *settings = NULL;
    gb_corpus *corpus = NULL;
    gb_plan *plan = NULL;
    gb_chain *chain[N_CHAINS] = {NULL}, *loaded = NULL;
    double x[2 * N_CHAINS][N], same[2] = {0};
    gb_status st = argc == 3 ? gb_settings_create(&settings, &err) : GB_EARGUMENT;
    DO(gb_settings_set(settings, "chains", "2", &err));
    DO(gb_settings_set(settings, "topics", "5", &err));
    DO(gb_corpus_read(argv[1], settings, NULL, NULL, &corpus, &err));
    DO(gb_plan_create(corpus, settings, &plan, &err));
    for (int i = 0; i < 2 * N_CHAINS * N; i++) { /* one chain after the other, burn-in first */
        gb_chain **c = &chain[i / N / 2];
        DO(*c == NULL ? gb_chain_create(plan, (uint64_t)(i / N / 2), c, &err) : GB_OK);
        DO(gb_chain_step(*c, i % (2 * N) == 0 ? 100 : 2, NULL, NULL, &err));
        DO(gb_chain_log_joint(*c, &x[i / N][i % N], &err));
    }
    DO(gb_chain_save(chain[0], argv[2], true, &err));
    DO(gb_chain_load(plan, argv[2], &loaded, &err));
    for (int i = 0; i < 2; i++) {
        DO(gb_chain_step(i == 0 ? chain[0] : loaded, 10, NULL, NULL, &err));
        DO(gb_chain_log_joint(i == 0 ? chain[0] : loaded, &same[i], &err));
    }
    printf("split R-hat of the log joint: %.2f\nthe loaded chain goes on %s\n", st == GB_OK ? split_rhat(x) : NAN,
           st == GB_OK && same[0] == same[1] ? "with the same bits" : err.message);
    gb_chain_free(loaded);
    gb_chain_free(chain[0]), gb_chain_free(chain[1]);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
    return st == GB_OK ? 0 : 1;
}
