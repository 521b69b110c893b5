/* Between a process and its system: calls on the files of one folder are written down, or fail.
 *
 * It is loaded by LD_PRELOAD and does nothing until `faults_begin` is called, which a test does
 * in a child that it forked. Every call of libc that takes one of the folder's files (or one of
 * the standard streams, where asked) is counted; the one with a given number fails, or kills the
 * process before it is made. With a log each call is written down as a line, behind it the bytes
 * that it wrote:
 *
 *     <call> TAB <inode> TAB <offset> TAB <length> TAB <new> TAB <path> TAB <other path> LF <bytes>
 *
 * Memory that is mapped is not seen: of the files tried here only SQLite's -shm is, which no
 * crash needs to leave behind.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILES 4096
#define KILL (-1)

static char root[PATH_MAX];
static size_t root_length;
static int active, log_file = -1, with_streams, error_to_give;
static long calls, call_to_fail;
static char tracked[FILES];
static char paths[FILES][PATH_MAX];

#define NEXT(name)                                        \
  static __typeof__(name) *next_##name;                   \
  if (!next_##name) next_##name = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

/* Ask the system itself: these calls are ours, and not counted. */
static int look(const char *path, struct stat *found) {
  return (int)syscall(SYS_newfstatat, AT_FDCWD, path, found, 0);
}

static long inode_of(int file) {
  struct stat found;
  return syscall(SYS_newfstatat, file, "", &found, AT_EMPTY_PATH) ? 0 : (long)found.st_ino;
}

static void put(const void *data, size_t length) {
  const char *rest = data;
  while (length) {
    ssize_t done = syscall(SYS_write, log_file, rest, length);
    if (done <= 0) abort();
    rest += done;
    length -= (size_t)done;
  }
}

static void note(const char *call, long inode, long offset, const void *data, size_t length,
                 int is_new, const char *path, const char *other) {
  char line[3 * PATH_MAX];
  if (log_file < 0) return;
  int size = snprintf(line, sizeof line, "%s\t%ld\t%ld\t%zu\t%d\t%s\t%s\n", call, inode, offset,
                      data ? length : 0, is_new, path, other);
  put(line, (size_t)size);
  if (data) put(data, length);
}

/* Make a path whole: `at` is the folder that it is relative to. */
static const char *whole(int at, const char *path, char *into) {
  if (path[0] == '/') {
    snprintf(into, PATH_MAX, "%s", path);
  } else {
    char folder[PATH_MAX];
    ssize_t length;
    if (at == AT_FDCWD) {
      length = syscall(SYS_getcwd, folder, sizeof folder) - 1;
    } else {
      char link[64];
      snprintf(link, sizeof link, "/proc/self/fd/%d", at);
      length = syscall(SYS_readlinkat, AT_FDCWD, link, folder, sizeof folder - 1);
    }
    folder[length > 0 ? length : 0] = 0;
    snprintf(into, PATH_MAX, "%.*s/%s", PATH_MAX / 2, folder, path);
  }
  return into;
}

static int is_within(const char *path) {
  return active && !strncmp(path, root, root_length) &&
         (path[root_length] == '/' || !path[root_length]);
}

static int is_ours(int file) {
  if (!active || file < 0 || file >= FILES) return 0;
  return tracked[file] || (with_streams && (file == 1 || file == 2));
}

/* Count a call; 1 where it has to fail. */
static int fails(const char *call, const char *path) {
  if (++calls != call_to_fail) return 0;
  note("fails", 0, 0, NULL, 0, 0, call, path);
  if (error_to_give == KILL) {
    syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    for (;;) pause();
  }
  errno = error_to_give;
  return 1;
}

void faults_begin(const char *folder, const char *log, long fail, int error, int streams) {
  snprintf(root, sizeof root, "%s", folder);
  root_length = strlen(root);
  calls = 0;
  call_to_fail = fail;
  error_to_give = error;
  with_streams = streams;
  memset(tracked, 0, sizeof tracked);
  log_file = log[0] ? (int)syscall(SYS_openat, AT_FDCWD, log,
                                   O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)
                    : -1;
  active = 1;
}

long faults_end(void) {
  active = 0;
  if (log_file >= 0) syscall(SYS_close, log_file);
  log_file = -1;
  return calls;
}

static int opening(const char *call, int at, const char *path, int flags, mode_t mode,
                   int (*next)(int, const char *, int, mode_t)) {
  char full[PATH_MAX];
  struct stat found;
  if (!active || !is_within(whole(at, path, full))) return next(at, path, flags, mode);
  if (fails(call, full)) return -1;
  int is_new = (flags & O_CREAT) && look(full, &found);
  int file = next(at, path, flags, mode);
  if (file >= 0 && file < FILES) {
    tracked[file] = 1;
    snprintf(paths[file], sizeof paths[file], "%s", full);
    note("open", inode_of(file), 0, NULL, 0, is_new, full, "");
    if (flags & O_TRUNC) note("truncate", inode_of(file), 0, NULL, 0, 0, full, "");
  }
  return file;
}

static int next_opening(int at, const char *path, int flags, mode_t mode) {
  NEXT(openat);
  return next_openat(at, path, flags, mode);
}

#define OPENING(name, at, first, ...)                              \
  int name(__VA_ARGS__ const char *path, int flags, ...) {         \
    mode_t mode = 0;                                               \
    if (flags & (O_CREAT | __O_TMPFILE)) {                         \
      va_list rest;                                                \
      va_start(rest, flags);                                       \
      mode = va_arg(rest, mode_t);                                 \
      va_end(rest);                                                \
    }                                                              \
    return opening(#name, at, path, flags, mode, next_opening);    \
  }
OPENING(open, AT_FDCWD, )
OPENING(open64, AT_FDCWD, )
#define COMMA ,
OPENING(openat, folder, , int folder COMMA)
OPENING(openat64, folder, , int folder COMMA)

int close(int file) {
  NEXT(close);
  if (!is_ours(file) || file < 3) return next_close(file);
  int failed = fails("close", paths[file]);
  int failure = errno;
  tracked[file] = 0;
  int result = next_close(file);
  if (!failed) return result;
  errno = failure;
  return -1;
}

static off_t place_of(int file) {
  int flags = (int)syscall(SYS_fcntl, file, F_GETFL);
  return syscall(SYS_lseek, file, 0, flags & O_APPEND ? SEEK_END : SEEK_CUR);
}

ssize_t write(int file, const void *data, size_t length) {
  NEXT(write);
  if (!is_ours(file)) return next_write(file, data, length);
  if (fails("write", paths[file])) return -1;
  if (!tracked[file]) return next_write(file, data, length);
  off_t place = place_of(file);
  ssize_t done = next_write(file, data, length);
  if (done > 0) note("write", inode_of(file), place, data, (size_t)done, 0, paths[file], "");
  return done;
}

#define WRITING(name, offset_type)                                                    \
  ssize_t name(int file, const void *data, size_t length, offset_type place) {        \
    NEXT(name);                                                                       \
    if (!is_ours(file)) return next_##name(file, data, length, place);                \
    if (fails(#name, paths[file])) return -1;                                         \
    ssize_t done = next_##name(file, data, length, place);                            \
    if (done > 0) note("write", inode_of(file), place, data, (size_t)done, 0, paths[file], ""); \
    return done;                                                                      \
  }
WRITING(pwrite, off_t)
WRITING(pwrite64, off64_t)

ssize_t writev(int file, const struct iovec *parts, int count) {
  if (!is_ours(file)) {
    NEXT(writev);
    return next_writev(file, parts, count);
  }
  ssize_t done = 0;
  for (int part = 0; part < count; part++) {
    ssize_t each = write(file, parts[part].iov_base, parts[part].iov_len);
    if (each < 0) return done ? done : -1;
    done += each;
  }
  return done;
}

#define ON_FILE(result, name, noted, offset, declared, passed) \
  result name declared {                                       \
    NEXT(name);                                                \
    if (!is_ours(file)) return next_##name passed;             \
    if (fails(#name, paths[file])) return (result)-1;          \
    result value = next_##name passed;                         \
    if (noted && value != (result)-1)                          \
      note(noted ? noted : "", inode_of(file), offset, NULL, 0, 0, paths[file], ""); \
    return value;                                              \
  }
#define QUIET ((const char *)NULL)
ON_FILE(int, fsync, "sync", 0, (int file), (file))
ON_FILE(int, fdatasync, "sync", 0, (int file), (file))
ON_FILE(int, ftruncate, "truncate", length, (int file, off_t length), (file, length))
ON_FILE(int, ftruncate64, "truncate", length, (int file, off64_t length), (file, length))
ON_FILE(ssize_t, read, QUIET, 0, (int file, void *into, size_t most), (file, into, most))
ON_FILE(ssize_t, pread, QUIET, 0, (int file, void *into, size_t most, off_t place),
        (file, into, most, place))
ON_FILE(ssize_t, pread64, QUIET, 0, (int file, void *into, size_t most, off64_t place),
        (file, into, most, place))
ON_FILE(int, fstat, QUIET, 0, (int file, struct stat *found), (file, found))
ON_FILE(int, fstat64, QUIET, 0, (int file, struct stat64 *found), (file, found))
ON_FILE(int, fchmod, QUIET, 0, (int file, mode_t mode), (file, mode))
ON_FILE(int, flock, QUIET, 0, (int file, int how), (file, how))

#define MAPPING(name, offset_type)                                                           \
  void *name(void *place, size_t length, int protection, int flags, int file, offset_type at) { \
    NEXT(name);                                                                              \
    if (file >= 0 && is_ours(file) && fails(#name, paths[file])) return MAP_FAILED;          \
    return next_##name(place, length, protection, flags, file, at);                          \
  }
MAPPING(mmap, off_t)
MAPPING(mmap64, off64_t)

static int is_lock(int command) {
  return command == F_SETLK || command == F_SETLKW || command == F_GETLK;
}

#define CONTROLLING(name)                                                        \
  int name(int file, int command, ...) {                                         \
    va_list rest;                                                                \
    va_start(rest, command);                                                     \
    void *value = va_arg(rest, void *);                                          \
    va_end(rest);                                                                \
    NEXT(name);                                                                  \
    if (is_lock(command) && is_ours(file) && fails(#name, paths[file])) return -1; \
    return next_##name(file, command, value);                                    \
  }
CONTROLLING(fcntl)
CONTROLLING(fcntl64)

#define ON_PATH(result, failed, name, noted, at, declared, passed) \
  result name declared {                                           \
    char full[PATH_MAX];                                           \
    NEXT(name);                                                    \
    if (!active || !is_within(whole(at, path, full))) return next_##name passed; \
    if (fails(#name, full)) return failed;                         \
    result value = next_##name passed;                             \
    if (noted && value != failed) {                                \
      struct stat found = {0};                                     \
      look(full, &found);                                          \
      note(noted ? noted : "", (long)found.st_ino, 0, NULL, 0, 0, full, ""); \
    }                                                              \
    return value;                                                  \
  }
ON_PATH(int, -1, unlink, "unlink", AT_FDCWD, (const char *path), (path))
ON_PATH(int, -1, rmdir, "unlink", AT_FDCWD, (const char *path), (path))
ON_PATH(int, -1, unlinkat, "unlink", folder, (int folder, const char *path, int flags),
        (folder, path, flags))
ON_PATH(int, -1, mkdir, "mkdir", AT_FDCWD, (const char *path, mode_t mode), (path, mode))
ON_PATH(int, -1, mkdirat, "mkdir", folder, (int folder, const char *path, mode_t mode),
        (folder, path, mode))
ON_PATH(int, -1, chmod, QUIET, AT_FDCWD, (const char *path, mode_t mode), (path, mode))
ON_PATH(int, -1, access, QUIET, AT_FDCWD, (const char *path, int mode), (path, mode))
ON_PATH(int, -1, stat, QUIET, AT_FDCWD, (const char *path, struct stat *found_here),
        (path, found_here))
ON_PATH(int, -1, stat64, QUIET, AT_FDCWD, (const char *path, struct stat64 *found_here),
        (path, found_here))
ON_PATH(int, -1, lstat, QUIET, AT_FDCWD, (const char *path, struct stat *found_here),
        (path, found_here))
ON_PATH(int, -1, lstat64, QUIET, AT_FDCWD, (const char *path, struct stat64 *found_here),
        (path, found_here))
ON_PATH(int, -1, fstatat, QUIET, folder,
        (int folder, const char *path, struct stat *found_here, int flags),
        (folder, path, found_here, flags))
ON_PATH(int, -1, fstatat64, QUIET, folder,
        (int folder, const char *path, struct stat64 *found_here, int flags),
        (folder, path, found_here, flags))
ON_PATH(ssize_t, -1, readlink, QUIET, AT_FDCWD, (const char *path, char *into, size_t most),
        (path, into, most))
ON_PATH(DIR *, NULL, opendir, QUIET, AT_FDCWD, (const char *path), (path))

#define RENAMING(name, from, to, declared, passed)                                    \
  int name declared {                                                                 \
    char full[PATH_MAX], target[PATH_MAX];                                            \
    NEXT(name);                                                                       \
    if (!active || !is_within(whole(from, path, full))) return next_##name passed;    \
    if (fails(#name, full)) return -1;                                                \
    int value = next_##name passed;                                                   \
    if (!value) note("rename", 0, 0, NULL, 0, 0, full, whole(to, other, target));     \
    return value;                                                                     \
  }
RENAMING(rename, AT_FDCWD, AT_FDCWD, (const char *path, const char *other), (path, other))
RENAMING(renameat, folder, second, (int folder, const char *path, int second, const char *other),
         (folder, path, second, other))

int link(const char *path, const char *other) {
  char full[PATH_MAX], target[PATH_MAX];
  NEXT(link);
  if (!active || !is_within(whole(AT_FDCWD, path, full))) return next_link(path, other);
  if (fails("link", full)) return -1;
  int value = next_link(path, other);
  if (!value) note("link", 0, 0, NULL, 0, 0, full, whole(AT_FDCWD, other, target));
  return value;
}
