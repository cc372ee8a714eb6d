/* reads_unwritten.c - what the memory sanitizer must see: reads_unwritten array|stack */
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static int in_array(void)
{
    int *array = NULL;
    size_t room = 0;
    if (gb_grow(&array, &room, 2, sizeof *array, "numbers", NULL) != GB_OK)
        return 0;
    array[0] = 1;
    const int is_set = array[1] > 0;
    gb_free(array);
    return is_set;
}

static int on_stack(int argc)
{
    volatile int numbers[4];
    if (argc > 2)
        numbers[2] = argc;
    return numbers[2] > 0;
}

int main(int argc, char **argv)
{
    const int is_set = argc > 1 && strcmp(argv[1], "array") == 0 ? in_array() : on_stack(argc);
    if (is_set) /* a branch is where it is seen */
        (void)printf("set\n");
    return 0;
}
