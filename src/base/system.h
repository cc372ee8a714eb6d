/* base/system.h - what systems do differently: files, memory, processors, signals.
 *
 * system_posix.c has it for all systems but Windows, system_linux.c what Linux has beside that, system_windows.c the same for Windows.  No
 * other file asks which system it is, or includes a header that some system has not (tests/source/systems.sh).
 *
 * Unless it says something else, a function that fails returns -1, NULL or false, and errno says why.  What a signal interrupts goes on. */
#ifndef GB_BASE_SYSTEM_H
#define GB_BASE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- files, by descriptors ---- */

/** How to open a file: one of the first three, and any of the others. */
enum {
    GB_OPEN_READ = 0,
    GB_OPEN_WRITE = 1,
    GB_OPEN_BOTH = 2,
    GB_OPEN_CREATE = 4, /* unless there is one */
    GB_OPEN_NEW = 8,    /* there must be none, nor a link of that name */
    GB_OPEN_APPEND = 16,
    GB_OPEN_NO_WAIT = 32 /* do not wait for the other end of a pipe */
};

/** @param permissions  of a new file, in octal as for chmod */
int gb_file_open(const char *path, int how, unsigned permissions);
/** Accepts -1. */
void gb_file_close(int file);

/** @return how many bytes, 0 at the end */
int64_t gb_file_read(int file, void *to, size_t n);
/** @return n, or less at the end */
int64_t gb_file_read_at(int file, void *to, size_t n, uint64_t offset);
/** All of them. */
bool gb_file_write(int file, const void *bytes, size_t n);
bool gb_file_write_at(int file, const void *bytes, size_t n, uint64_t offset);
/** As lseek(). */
int64_t gb_file_seek(int file, int64_t offset, int whence);
/** Give it that length. */
bool gb_file_cut(int file, uint64_t n_bytes);
/** Bring it to the disk.  Files that cannot be are none to complain of.  @param with_all  its times and permissions too */
bool gb_file_sync(int file, bool with_all);
/** Lock it for this process if nobody else has it (EWOULDBLOCK); a system without locks lets everybody have it. */
bool gb_file_lock(int file);
/** Wait until there is something to read or the end.  @return whether there is */
bool gb_file_has_input(int file, int milliseconds);
bool gb_file_is_terminal(int file);
bool gb_file_permit(int file, unsigned permissions);

/** A new file that is gone when it is closed, for reading and writing; one whose name is gone at once, or that never had one. */
int gb_file_open_without_name(const char *folder);

/** A stream over a descriptor.  Where the C library lets it, it goes on after signals and notes why the first write failed.
 * error: receives an errno unless it has one; may be NULL
 * before: called before bytes are written; may be NULL
 * closes: the descriptor with the stream */
typedef struct gb_stream_of_file {
    int file, *error;
    void (*before)(void);
    bool closes, is_freed;
} gb_stream_of_file;
/** @param how  stays where it is until the stream is closed; is_freed: then it is, by gb_memory_release(), also on failure
 * @param mode  "w" or "w+" */
FILE *gb_file_stream(gb_stream_of_file *how, const char *mode);

/* ---- what a name stands for ---- */

typedef enum gb_path_kind { GB_IS_FILE, GB_IS_FOLDER, GB_IS_LINK, GB_IS_DISK, GB_IS_OTHER } gb_path_kind;

typedef struct gb_path_info {
    gb_path_kind kind;
    uint64_t n_bytes;
    uint64_t device, number; /* the same only of one file */
    unsigned permissions;
    bool is_ours;
} gb_path_info;

bool gb_file_look(int file, gb_path_info *out);
/** @param follows  a link stands for what it leads to
 * @param out      may be NULL */
bool gb_path_look(const char *path, bool follows, gb_path_info *out);
/** Without a look at it, and without following a link. */
bool gb_path_is_there(const char *path);
/** The longest path, and its NUL. */
enum { GB_PATH_ROOM = 4096 };
/** The path with its links followed.  @param out  GB_PATH_ROOM */
bool gb_path_resolve(const char *path, char *out);
/** The last part of a path, behind its folders. */
const char *gb_path_name(const char *path);

/** In place of a file of that name. */
bool gb_path_rename(const char *from, const char *to);
/** EEXIST if there is a file of that name. */
bool gb_path_rename_to_new(const char *from, const char *to);
/** A second name. */
bool gb_path_link(const char *from, const char *to);
bool gb_path_remove(const char *path);
bool gb_path_cut(const char *path, uint64_t n_bytes);

/* ---- folders ---- */

typedef struct gb_folder gb_folder;
gb_folder *gb_folder_open(const char *path);
/** The next name, "." and ".." too; NULL at the end (errno 0) or on failure. */
const char *gb_folder_next(gb_folder *folder);
void gb_folder_close(gb_folder *folder);
/** A descriptor for locks and gb_file_sync(); -1 also where there is no such thing. */
int gb_folder_hold(const char *path);
bool gb_folder_free_bytes(const char *path, uint64_t *out);
/** Where temporary files are made unless somebody says so. */
const char *gb_folder_of_temporaries(void);

/* ---- memory ---- */

/** @param alignment  a power of 2 */
void *gb_memory_allocate(size_t alignment, size_t n_bytes);
/** As realloc(); the alignment of what it gives may be less. */
void *gb_memory_resize(void *block, size_t n_bytes);
/** Accepts NULL. */
void gb_memory_release(void *block);
/** Large pages, where the system has them: blocks with that alignment are worth it.  A hint. */
void gb_memory_prefer_large_pages(void *block, size_t n_bytes);

/** The bytes of a file.  @param is_shared  what others write to it shows */
void *gb_map_file(int file, size_t n_bytes, bool is_shared);
/** Pages of memory. */
void *gb_map_memory(size_t n_bytes);
void gb_unmap(void *map, size_t n_bytes);
/** Pages that will not be needed soon.  A hint. */
void gb_map_forget(void *map, size_t n_bytes);

/* ---- the machine and the process ---- */

/** That this process may run on, at least 1. */
size_t gb_machine_processors(void);
/** "" if it has none. */
void gb_machine_name(size_t size, char *out);
long gb_process_number(void);
/** No process has that number. */
bool gb_process_is_gone(long number);

/** Signals are kept from this thread, and those that it starts, until gb_signals_release(); but for faults of the thread itself. */
typedef struct gb_signals {
    _Alignas(16) unsigned char before[128];
} gb_signals;
void gb_signals_hold(gb_signals *out);
void gb_signals_release(const gb_signals *signals);

/** Let another process call work(context), which makes system calls only, and wait for it: it goes on if this one is killed.
 * @return what work() returned, below 256; -1: there can be no such process; -2: it was killed */
int gb_process_work(int (*work)(const void *context), const void *context);

/* ---- modules ---- */

/** @param out  a path of at most GB_PATH_ROOM: of the library or the program that has this address; of the program */
bool gb_module_of(const void *address, char *out);
bool gb_module_of_program(char *out);
/** Open it for good, and find a function.  @param why  receives a reason on failure */
void *gb_module_find(const char *path, const char *function, const char **why);

/* ---- numbers, whatever language the program has set ---- */

double gb_number_read(const char *text, char **end);
/** As "%.*g". */
void gb_number_write(size_t size, char *out, int digits, double value);

/* ---- what some C libraries lack ---- */
#if defined __APPLE__
void *memrchr(const void *text, int byte, size_t n);
#endif

#endif
