/* base/system_posix.c - what systems do differently: all systems but Windows. */
#if !defined _WIN32
#include "base/system.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>
#if defined __APPLE__
#include <xlocale.h>
#endif

/* ---- files ---- */

int gb_file_open(const char *path, int how, unsigned permissions)
{
    int flags = O_NOCTTY | O_CLOEXEC;
    flags |= (how & GB_OPEN_BOTH) != 0 ? O_RDWR : (how & GB_OPEN_WRITE) != 0 ? O_WRONLY : O_RDONLY;
    flags |= (how & GB_OPEN_CREATE) != 0 ? O_CREAT : 0;
    flags |= (how & GB_OPEN_NEW) != 0 ? O_CREAT | O_EXCL | O_NOFOLLOW : 0;
    flags |= (how & GB_OPEN_APPEND) != 0 ? O_APPEND : 0;
    flags |= (how & GB_OPEN_NO_WAIT) != 0 ? O_NONBLOCK : 0;
    return open(path, flags, (mode_t)permissions);
}

void gb_file_close(int file)
{
    const int error = errno;
    if (file >= 0)
        (void)close(file);
    errno = error;
}

int64_t gb_file_read(int file, void *to, size_t n)
{
    ssize_t got;
    while ((got = read(file, to, n)) < 0 && errno == EINTR)
        continue;
    return got;
}

int64_t gb_file_read_at(int file, void *to, size_t n, uint64_t offset)
{
    size_t done = 0;
    while (done < n) {
        const ssize_t got = pread(file, (char *)to + done, n - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (int64_t)done;
}

bool gb_file_write(int file, const void *bytes, size_t n)
{
    for (size_t done = 0; done < n;) {
        const ssize_t written = write(file, (const char *)bytes + done, n - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        done += (size_t)written;
    }
    return true;
}

bool gb_file_write_at(int file, const void *bytes, size_t n, uint64_t offset)
{
    for (size_t done = 0; done < n;) {
        const ssize_t written = pwrite(file, (const char *)bytes + done, n - done, (off_t)(offset + done));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        done += (size_t)written;
    }
    return true;
}

int64_t gb_file_seek(int file, int64_t offset, int whence)
{
    return lseek(file, (off_t)offset, whence);
}

bool gb_file_cut(int file, uint64_t n_bytes)
{
    return ftruncate(file, (off_t)n_bytes) == 0;
}

bool gb_file_sync(int file, bool with_all)
{
#if defined __APPLE__
    (void)with_all;
    const int failed = fsync(file);
#else
    const int failed = with_all ? fsync(file) : fdatasync(file);
#endif
    return failed == 0 || errno == EINVAL || errno == ENOTSUP;
}

bool gb_file_lock(int file)
{
    return flock(file, LOCK_EX | LOCK_NB) == 0;
}

bool gb_file_has_input(int file, int milliseconds)
{
    struct pollfd readable = {.fd = file, .events = POLLIN};
    return poll(&readable, 1, milliseconds) > 0;
}

bool gb_file_is_terminal(int file)
{
    return isatty(file) == 1;
}

bool gb_file_permit(int file, unsigned permissions)
{
    return fchmod(file, (mode_t)permissions) == 0;
}

/* ---- what a name stands for ---- */

static bool describe(const struct stat *info, gb_path_info *out)
{
    if (out != NULL)
        *out = (gb_path_info){.kind = S_ISREG(info->st_mode)   ? GB_IS_FILE
                                      : S_ISDIR(info->st_mode) ? GB_IS_FOLDER
                                      : S_ISLNK(info->st_mode) ? GB_IS_LINK
                                      : S_ISBLK(info->st_mode) ? GB_IS_DISK
                                                               : GB_IS_OTHER,
                              .n_bytes = info->st_size < 0 ? 0 : (uint64_t)info->st_size,
                              .device = (uint64_t)info->st_dev,
                              .number = (uint64_t)info->st_ino,
                              .permissions = info->st_mode & 0777,
                              .is_ours = info->st_uid == geteuid()};
    return true;
}

bool gb_file_look(int file, gb_path_info *out)
{
    struct stat info;
    return fstat(file, &info) == 0 && describe(&info, out);
}

bool gb_path_look(const char *path, bool follows, gb_path_info *out)
{
    struct stat info;
    return (follows ? stat(path, &info) : lstat(path, &info)) == 0 && describe(&info, out);
}

bool gb_path_is_there(const char *path)
{
    return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

bool gb_path_resolve(const char *path, char *out)
{
    _Static_assert(PATH_MAX <= GB_PATH_ROOM, "a path has room");
    return realpath(path, out) != NULL;
}

const char *gb_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

bool gb_path_rename(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

bool gb_path_link(const char *from, const char *to)
{
    return link(from, to) == 0;
}

bool gb_path_remove(const char *path)
{
    return unlink(path) == 0;
}

bool gb_path_cut(const char *path, uint64_t n_bytes)
{
    return truncate(path, (off_t)n_bytes) == 0;
}

/* ---- folders ---- */

gb_folder *gb_folder_open(const char *path)
{
    return (gb_folder *)opendir(path);
}

const char *gb_folder_next(gb_folder *folder)
{
    errno = 0;
    const struct dirent *entry = readdir((DIR *)folder);
    return entry == NULL ? NULL : entry->d_name;
}

void gb_folder_close(gb_folder *folder)
{
    (void)closedir((DIR *)folder);
}

int gb_folder_hold(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

bool gb_folder_free_bytes(const char *path, uint64_t *out)
{
    struct statvfs room;
    if (statvfs(path, &room) != 0)
        return false;
    *out = (uint64_t)room.f_bavail * room.f_frsize;
    return true;
}

const char *gb_folder_of_temporaries(void)
{
    const char *set = getenv("TMPDIR");
    return set == NULL || *set == '\0' ? "/tmp" : set;
}

/* ---- memory ---- */

void *gb_memory_allocate(size_t alignment, size_t n_bytes)
{
    void *block = NULL;
    errno = posix_memalign(&block, alignment, n_bytes);
    return errno == 0 ? block : NULL;
}

void *gb_memory_resize(void *block, size_t n_bytes)
{
    return realloc(block, n_bytes);
}

void gb_memory_release(void *block)
{
    free(block);
}

void *gb_map_file(int file, size_t n_bytes, bool is_shared)
{
    void *map = mmap(NULL, n_bytes, PROT_READ, is_shared ? MAP_SHARED : MAP_PRIVATE, file, 0);
    return map == MAP_FAILED ? NULL : map;
}

void *gb_map_memory(size_t n_bytes)
{
    void *map = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return map == MAP_FAILED ? NULL : map;
}

void gb_unmap(void *map, size_t n_bytes)
{
    (void)munmap(map, n_bytes);
}

void gb_map_forget(void *map, size_t n_bytes)
{
    (void)madvise(map, n_bytes, MADV_DONTNEED);
}

/* ---- the machine and the process ---- */

void gb_machine_name(size_t size, char *out)
{
    struct utsname names;
    const size_t n = uname(&names) == 0 ? strlen(names.nodename) : 0, kept = n < size ? n : size - 1;
    memcpy(out, names.nodename, kept);
    out[kept] = '\0';
}

long gb_process_number(void)
{
    return (long)getpid();
}

bool gb_process_is_gone(long number)
{
    return number > 0 && (pid_t)number == number && kill((pid_t)number, 0) != 0 && errno == ESRCH;
}

_Static_assert(sizeof(sigset_t) <= sizeof(gb_signals), "signals have room");

void gb_signals_hold(gb_signals *out)
{
    sigset_t held, before;
    (void)sigfillset(&held);
    (void)sigdelset(&held, SIGSEGV);
    (void)sigdelset(&held, SIGBUS);
    (void)sigdelset(&held, SIGFPE);
    (void)sigdelset(&held, SIGILL);
    (void)pthread_sigmask(SIG_BLOCK, &held, &before);
    memcpy(out->before, &before, sizeof before);
}

void gb_signals_release(const gb_signals *signals)
{
    sigset_t before;
    memcpy(&before, signals->before, sizeof before);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* ---- modules ---- */

bool gb_module_of(const void *address, char *out)
{
    Dl_info info;
    return dladdr(address, &info) != 0 && snprintf(out, GB_PATH_ROOM, "%s", info.dli_fname) < GB_PATH_ROOM;
}

void *gb_module_find(const char *path, const char *function, const char **why)
{
    /* Plug-ins of some MPI libraries look for its names among those of the whole process.  It stays open: MPI ends once. */
    void *handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    void *found = handle == NULL ? NULL : dlsym(handle, function);
    *why = handle == NULL ? dlerror() : "it has no function of that name";
    return found;
}

/* ---- numbers ---- */

double gb_number_read(const char *text, char **end)
{
    *end = (char *)(uintptr_t)text;
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c == (locale_t)0)
        return 0;
    locale_t before = uselocale(c);
    const double value = strtod(text, end);
    (void)uselocale(before);
    freelocale(c);
    return value;
}

void gb_number_write(size_t size, char *out, int digits, double value)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = c == (locale_t)0 ? (locale_t)0 : uselocale(c);
    (void)snprintf(out, size, "%.*g", digits, value);
    if (c != (locale_t)0) {
        (void)uselocale(before);
        freelocale(c);
    }
}

/* ---- what Linux has, and others have not ---- */

#if !defined __linux__
int gb_file_open_without_name(const char *folder)
{
    char path[GB_PATH_ROOM];
    const int n = snprintf(path, sizeof path, "%s/.gibbous-XXXXXX", folder);
    if (n < 0 || n >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    const int file = mkstemp(path);
    if (file >= 0) {
        (void)fcntl(file, F_SETFD, FD_CLOEXEC);
        (void)unlink(path);
    }
    return file;
}

FILE *gb_file_stream(gb_stream_of_file *how, const char *mode)
{
    const int file = how->closes ? how->file : dup(how->file);
    if (how->before != NULL)
        how->before();
    if (how->is_freed)
        gb_memory_release(how);
    return file < 0 ? NULL : fdopen(file, mode);
}

bool gb_path_rename_to_new(const char *from, const char *to)
{
    if (!gb_path_is_there(to))
        return rename(from, to) == 0;
    errno = EEXIST;
    return false;
}

void gb_memory_prefer_large_pages(void *block, size_t n_bytes)
{
    (void)block;
    (void)n_bytes;
}

size_t gb_machine_processors(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : (size_t)online;
}

int gb_process_work(int (*work)(const void *context), const void *context)
{
    (void)work;
    (void)context;
    return -1;
}

bool gb_module_of_program(char *out)
{
    (void)out;
    return false;
}
#endif

#if defined __APPLE__
void *memrchr(const void *text, int byte, size_t n)
{
    const unsigned char *at = text;
    while (n > 0)
        if (at[--n] == (unsigned char)byte)
            return (void *)(uintptr_t)(at + n);
    return NULL;
}
#endif

#else
typedef int gb_no_posix;
#endif
