/* base/rename_pair.h - two files get their names together, or neither does. */
#ifndef GB_BASE_RENAME_PAIR_H
#define GB_BASE_RENAME_PAIR_H

#include <stdbool.h>

/** A file under a temporary name. */
typedef struct gb_new_name {
    const char *from, *to;
    const char *aside; /* where the old file of that name is meanwhile: a name in its folder that nobody uses */
    bool replaces;     /* an old file; without it that is an error */
} gb_new_name;

/** Give a file its old name again, in place of what has it now, even if renames fail but links can be made. */
void gb_move_back(const char *from, const char *to);

/**
 * Rename both.  If one cannot have its name, both old files stay or come back.
 *
 * Another process does it, which ignores signals and outlives this one: if this one is killed meanwhile, the work is done all the same.
 * Where there can be no other process, this one does it.  If that one is killed too or the power fails, the first new file never lies beside
 * an old second file: that is under its name aside, and stays there.
 *
 * @param second  the file that is of use beside the first only
 * @param failed  receives which one could not be renamed, 0 or 1
 * @return 0 or an errno
 */
int gb_rename_pair(const gb_new_name *first, const gb_new_name *second, int *failed);

#endif
