/* Edges between groups, as a table and as JSON. */
#include "fuzz.h"

#include "corpus/readers/edge_table.h"

static gb_status take(void *context, const gb_edge_row *row, gb_error *err)
{
    (void)err;
    *(size_t *)context += row->from.length + row->to.length;
    return GB_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH];
    size_t n = 0;
    const int file = fuzz_file(data, size, path);
    char *text = malloc(size + 2);
    if (text == NULL)
        abort();
    text[0] = '[';
    memcpy(text + 1, data, size);
    text[size + 1] = '\0';
    (void)gb_edge_table_read(path, take, &n, NULL);
    (void)gb_edge_table_read(text, take, &n, NULL);
    free(text);
    (void)close(file);
    return 0;
}
