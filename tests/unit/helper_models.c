/* helper_models.c - models from draws that a test makes up, and model files with other contents than they should have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_models.h"

#include "helper_documents.h"
#include "store/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a draw lacks is 0. */
static gb_draw completed(const gb_model *m, const gb_draw *given)
{
    static const double zeros[1000];
    gb_draw draw = *given;
    for (size_t j = 0; j < m->parameters.n; j++) {
        assert_true(m->parameters.of[j].size <= sizeof zeros / sizeof *zeros);
        if (draw.value[j] == NULL)
            draw.value[j] = zeros;
    }
    return draw;
}

void give_draws(gb_model *m, size_t n_chains, size_t n_draws, const gb_draw *given)
{
    gb_draw_file *file;
    m->bags = (gb_bags){.n = 1, .n_words = {m->n_words}};
    const gb_draw_plan plan = {.n_chains = n_chains, .n_kept = n_draws, .n_snapshots = n_draws};
    gb_model_shape_draws(m, m->n_outputs, false);
    assert_int_equal(gb_draw_file_create(&file, "", false, m, &plan, NULL), GB_OK);
    for (size_t i = 0; i < n_draws; i++) {
        const gb_draw draw = completed(m, &given[i]);
        assert_int_equal(gb_draw_file_append(file, &draw, NULL), GB_OK);
    }
    assert_int_equal(gb_model_take_draws(m, file, NULL), GB_OK);
}

static size_t find_array(const char *bytes, const char *array)
{
    uint64_t length;
    memcpy(&length, bytes, sizeof length);
    json_t *header = json_loadb(bytes + GB_LENGTH_BYTES, length, 0, NULL);
    const json_t *place = json_object_get(json_object_get(header, array), "data_offsets");
    assert_non_null(place);
    const size_t begin = (size_t)json_integer_value(json_array_get(place, 0));
    json_decref(header);
    return GB_LENGTH_BYTES + length + begin;
}

void change_array(const char *path, const char *array, size_t at, const void *with, size_t n_bytes)
{
    size_t size;
    char digits[GB_CHECKSUM_DIGITS + 1], *bytes = read_whole(path, &size);
    memcpy(bytes + find_array(bytes, array) + at, with, n_bytes);
    memset(bytes + GB_CHECKSUM_OFFSET, '0', GB_CHECKSUM_DIGITS);
    gb_checksum_digits(XXH3_128bits(bytes, size), digits);
    memcpy(bytes + GB_CHECKSUM_OFFSET, digits, GB_CHECKSUM_DIGITS);
    write_bytes(path, bytes, size);
    free(bytes);
}
