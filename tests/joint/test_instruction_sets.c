/* The same seed gives the same bits with every instruction set that this processor has, in chains of every kind. */
#include "helper_variants.h"

#include "simd/isa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void the_instruction_set_changes_no_bit(void **state)
{
    const gb_corpus *corpus = *state;
    for (size_t i = 0; i < N_VARIANTS; i += variant_step()) {
        outcome plain = variant_run(corpus, &variants[i], "1", GB_ISA_PLAIN);
        for (gb_isa isa = GB_ISA_PLAIN + 1; isa < GB_N_ISAS; isa++) {
            if (!gb_isa_available(isa))
                continue;
            outcome other = variant_run(corpus, &variants[i], "1", isa);
            assert_same_outcome(corpus, &plain, &other);
            free_outcome(&other);
        }
        free_outcome(&plain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_instruction_set_changes_no_bit),
    };
    return cmocka_run_group_tests_name("instruction sets", tests, variant_set_up, variant_tear_down);
}
