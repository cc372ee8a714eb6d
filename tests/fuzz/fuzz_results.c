/* The file of fits of a selection. */
#include "fuzz.h"

#include "folds/fit_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH];
    gb_fit_log *log;
    const int file = fuzz_file(data, size, path);
    if (gb_fit_log_open(path, &log, NULL) == GB_OK) {
        (void)gb_fit_log_find(log, "k");
        (void)gb_fit_log_any(log);
        gb_fit_log_close(log);
    }
    (void)close(file);
    return 0;
}
