/* memory_errors.c - what valgrind must see: memory_errors none|unwritten|stack|behind|freed|leak */
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum { N = 2 };

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "none";
    int *array = NULL;
    volatile int numbers[N];
    size_t room = 0;
    if (gb_grow(&array, &room, N, sizeof *array, "numbers", NULL) != GB_OK)
        return 1;
    array[0] = 1;
    numbers[0] = 1;
    const volatile int *read = array;
    if (strcmp(what, "unwritten") == 0)
        read = array + 1;
    else if (strcmp(what, "stack") == 0)
        read = numbers + 1;
    else if (strcmp(what, "behind") == 0)
        read = array + room;
    else if (strcmp(what, "freed") == 0)
        gb_free(array);
    if (*read > 0) /* a branch is where it is seen */
        (void)puts("positive");
    if (strcmp(what, "freed") != 0 && strcmp(what, "leak") != 0)
        gb_free(array);
    read = NULL;
    array = NULL;
    return 0;
}
