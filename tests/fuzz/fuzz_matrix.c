/* A square matrix of numbers, as a table and as JSON. */
#include "fuzz.h"

#include "corpus/readers/matrix.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { N = 3 };
    char path[FUZZ_PATH], *text = malloc(size + 2);
    double values[N * N];
    if (text == NULL)
        abort();
    const int file = fuzz_file(data, size, path);
    text[0] = '[';
    memcpy(text + 1, data, size);
    text[size + 1] = '\0';
    (void)gb_matrix_read(path, N, "three", values, NULL);
    (void)gb_matrix_read(text, N, "three", values, NULL);
    (void)close(file);
    free(text);
    return 0;
}
