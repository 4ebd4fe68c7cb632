#include "public_files.h"

#include "file_text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    PATH_SIZE = 4096,
    TRIES = 16,
    RANDOM_DIGITS = 16,
    /* The names of a full /dev/shm are not all looked at. */
    ENTRIES_LIMIT = 65536,
    EVERYBODYS = 01777,
    FOLDER_FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
};

void public_name_random(char *text, size_t size) {
    uint64_t number = 0;
    if (syscall(SYS_getrandom, &number, sizeof number, 1 /* GRND_NONBLOCK */) < 0) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        number = (uint64_t)now.tv_nsec ^ (uint64_t)getpid() << 32;
    }
    snprintf(text, size, "%016" PRIx64, number);
}

static int open_folder(int parent, const char *name) {
    int folder = openat(parent, name, FOLDER_FLAGS);
    return folder < 0 ? -errno : folder;
}

/* Uses the descriptor: a name may be another file by now. The umask does not count for a mode that
 * is set. */
static int open_to_all(int parent, const char *name) {
    struct stat status;
    int folder = open_folder(parent, name);
    if (folder < 0) {
        return folder;
    }
    int result = file_status(folder, &status);
    if (result == 0 && status.st_uid != geteuid()) {
        errno = EPERM;
        result = -1;
    }
    if (result == 0) {
        result = fchmod(folder, EVERYBODYS);
    }
    result = result < 0 ? -errno : 0;
    close(folder);
    return result;
}

/* NAME.RANDOM */
static bool is_draft(const char *entry, const char *name) {
    size_t length = strlen(name);
    return strncmp(entry, name, length) == 0 && entry[length] == '.' &&
           strlen(entry + length + 1) == RANDOM_DIGITS &&
           strspn(entry + length + 1, "0123456789abcdef") == RANDOM_DIGITS;
}

/* Those of processes that were killed. Of a process that lives, the directory is there now, and
 * nothing is lost. */
static void remove_drafts(int parent, const char *name) {
    int copy = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = copy < 0 ? NULL : fdopendir(copy);
    struct dirent *entry;
    for (int i = 0; i < ENTRIES_LIMIT && entries != NULL && (entry = readdir(entries)) != NULL;
            i++) {
        if (is_draft(entry->d_name, name)) {
            unlinkat(parent, entry->d_name, AT_REMOVEDIR);
        }
    }
    if (entries != NULL) {
        closedir(entries);
    } else if (copy >= 0) {
        close(copy);
    }
}

static int make_draft(int parent, const char *name, char *draft, size_t size) {
    char number[RANDOM_DIGITS + 1];
    int result = -EEXIST;
    for (int i = 0; i < TRIES && result == -EEXIST; i++) {
        public_name_random(number, sizeof number);
        if (snprintf(draft, size, "%s.%s", name, number) >= (int)size) {
            return -ENAMETOOLONG;
        }
        result = mkdirat(parent, draft, 0700) < 0 ? -errno : 0;
    }
    return result;
}

/* It has its name when it has its mode: a process that is killed in between, or another that comes
 * at the same time, finds none or a good one. */
static int make_in(int parent, const char *name) {
    char draft[PATH_SIZE];
    int result = make_draft(parent, name, draft, sizeof draft);
    if (result < 0) {
        return result;
    }
    result = open_to_all(parent, draft);
    if (result == 0 && syscall(SYS_renameat2, parent, draft, parent, name, RENAME_NOREPLACE) < 0) {
        result = -errno;
    }
    if (result < 0) {
        unlinkat(parent, draft, AT_REMOVEDIR);
    }
    if (result == -EINVAL || result == -ENOSYS) {
        /* Kernels and file systems without that call. */
        result = mkdirat(parent, name, 0700) < 0 ? -errno : open_to_all(parent, name);
    }
    /* Another process was faster, and may have removed our draft. */
    result = result == -EEXIST || result == -ENOENT ? 0 : result;
    if (result == 0) {
        remove_drafts(parent, name);
    }
    return result;
}

/* A name with a slash at its end stands for what a link points to (path_resolution(7)). */
static bool without_slash(const char *path, char *folder) {
    if (snprintf(folder, PATH_SIZE, "%s", path) >= PATH_SIZE) {
        return false;
    }
    for (size_t length = strlen(folder); length > 1 && folder[length - 1] == '/'; length--) {
        folder[length - 1] = '\0';
    }
    return true;
}

/* `folder` has no slash at its end, and loses its name. */
static int make(int at, char *folder) {
    char *name = strrchr(folder, '/');
    /* The directories before the last are the user's or the system's own, and may be links. */
    const char *before = name == NULL ? "." : name == folder ? "/" : folder;
    if (name != NULL) {
        *name++ = '\0';
    }
    int parent = openat(at, before, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (parent < 0) {
        return -errno;
    }
    int result = make_in(parent, name == NULL ? folder : name);
    close(parent);
    return result;
}

int public_folder(int parent, const char *path) {
    char name[PATH_SIZE];
    char changed[PATH_SIZE];
    if (!without_slash(path, name)) {
        return -ENAMETOOLONG;
    }
    int folder = open_folder(parent, name);
    if (folder == -ENOENT) {
        memcpy(changed, name, sizeof changed);
        int result = make(parent, changed);
        folder = result < 0 ? result : open_folder(parent, name);
    }
    return folder == -ELOOP ? -ENOTDIR : folder;
}

int public_file_create(int folder, const char *name) {
    int file = openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    return file < 0 ? -errno : file;
}

int public_file_open(int folder, const char *name) {
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    return file < 0 ? -errno : file;
}

int public_file_publish(int folder, int file, const char *draft, const char *name, mode_t mode) {
    return fchmod(file, mode) < 0 || renameat(folder, draft, folder, name) < 0 ? -errno : 0;
}

int public_file_remove(int folder, const char *name) {
    return unlinkat(folder, name, 0) < 0 ? -errno : 0;
}

int public_file_rename(const char *from, const char *to) {
    return rename(from, to) < 0 ? -errno : 0;
}

int public_file_new(const char *path) {
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    return file < 0 ? -errno : file;
}

static const char *kind_of(mode_t mode) {
    return S_ISLNK(mode)    ? "a symbolic link"
           : S_ISDIR(mode)  ? "a directory"
           : S_ISREG(mode)  ? "a file"
           : S_ISFIFO(mode) ? "a pipe"
                            : "a special file";
}

bool public_obstacle(const char *path, char *text, size_t size) {
    struct stat status;
    char name[PATH_SIZE];
    if (!without_slash(path, name) ||
            syscall(SYS_newfstatat, AT_FDCWD, name, &status, AT_SYMLINK_NOFOLLOW) < 0 ||
            (S_ISDIR(status.st_mode) && status.st_uid == geteuid())) {
        return false;
    }
    int length = snprintf(
            text, size, "it is %s of user %u", kind_of(status.st_mode), (unsigned)status.st_uid);
    if (S_ISDIR(status.st_mode)) {
        snprintf(text + length, size - (size_t)length, " with mode %04o",
                (unsigned)status.st_mode & 07777);
    }
    return true;
}
