#include "jvm_logs.h"

#include "file_text.h"
#include "public_files.h"
#include "seccomp_probe.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/stat.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    NANOS = 1000000000,
    /* The clock of files is that of the kernel's ticks, and the start of a process is cut to some.
     */
    TOLERANCE_NANOS = 30000000,
    /* Between the two calls of the JVM that rename the old log and make the new one. */
    BETWEEN_NANOS = NANOS / 10,
    /* A JVM keeps at most 1000 files. */
    MAX_DIGITS = 3,
    STAT_LIMIT = 65536,
    /* What a JVM writes before it loads agents is a few lines; anything longer is another file. */
    LINES_LIMIT = 65536
};

#ifndef SYS_statx
#define SYS_statx -1
#endif

static int64_t nanos(const struct statx_timestamp *time) {
    return time->tv_sec * NANOS + time->tv_nsec;
}

static int64_t now(clockid_t clock) {
    struct timespec time = {0};
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * NANOS + time.tv_nsec;
}

/* The start of this process, by the clock of files; 0 when it cannot be found. From the thread's
 * file: qemu-user makes up that of the process. */
static int64_t process_start(void) {
    char path[48];
    char *stat;
    size_t length;
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)getpid());
    if (file_text_read(path, STAT_LIMIT, &stat, &length) < 0) {
        return 0;
    }
    const char *field = process_stat_field(stat, 22);
    int64_t ticks = field == NULL ? 0 : strtoll(field, NULL, 10);
    free(stat);
    int64_t since_boot = ticks * (NANOS / sysconf(_SC_CLK_TCK));
    return ticks == 0 ? 0 : now(CLOCK_REALTIME) - now(CLOCK_BOOTTIME) + since_boot;
}

static bool status_of(int directory, const char *name, int flags, struct statx *status) {
    return seccomp_probe(CALL_STATX) == 0 &&
           syscall(SYS_statx, directory, name, flags, STATX_BASIC_STATS | STATX_BTIME, status) == 0;
}

/* Whether this process has made the file, which then is one of its logs. */
static bool is_own_log(int file, int64_t start, struct statx *status) {
    int opened = fcntl(file, F_GETFL);
    int kept = fcntl(file, F_GETFD);
    return opened >= 0 && (opened & O_ACCMODE) == O_WRONLY && (opened & O_APPEND) != 0 &&
           kept >= 0 && (kept & FD_CLOEXEC) != 0 && status_of(file, "", AT_EMPTY_PATH, status) &&
           S_ISREG(status->stx_mode) && status->stx_nlink == 1 && status->stx_size <= LINES_LIMIT &&
           (status->stx_mask & STATX_BTIME) != 0 && start > 0 &&
           nanos(&status->stx_btime) >= start - TOLERANCE_NANOS;
}

/* The file that was renamed to NAME.N just before NAME was made at this time; NULL: none was. */
static char *find_archive(const char *name, int64_t made) {
    char folder[PATH_MAX];
    const char *base = strrchr(name, '/') + 1;
    snprintf(folder, sizeof folder, "%.*s", (int)(base - name), name);
    DIR *files = opendir(folder);
    char *found = NULL;
    int64_t latest = made - BETWEEN_NANOS;
    for (struct dirent *entry; files != NULL && (entry = readdir(files)) != NULL;) {
        const char *number = entry->d_name + strlen(base) + 1;
        struct statx status;
        if (strncmp(entry->d_name, base, strlen(base)) != 0 || number[-1] != '.' ||
                *number == '\0' || strlen(number) > MAX_DIGITS ||
                number[strspn(number, "0123456789")] != '\0' ||
                !status_of(dirfd(files), entry->d_name, AT_SYMLINK_NOFOLLOW, &status)) {
            continue;
        }
        int64_t changed = nanos(&status.stx_ctime);
        char *path = malloc(strlen(folder) + strlen(entry->d_name) + 1);
        if (S_ISREG(status.stx_mode) && status.stx_uid == geteuid() && changed > latest &&
                changed <= made + TOLERANCE_NANOS && path != NULL) {
            sprintf(path, "%s%s", folder, entry->d_name);
            free(found);
            found = path;
            latest = changed;
        } else {
            free(path);
        }
    }
    if (files != NULL) {
        closedir(files);
    }
    return found;
}

static void undo(struct jvm_logs *logs, int file, int64_t start) {
    char link[32];
    char name[PATH_MAX];
    struct statx status;
    struct statx named;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, name, sizeof name - 1);
    if (length <= 0 || name[0] != '/' || !is_own_log(file, start, &status)) {
        return;
    }
    name[length] = '\0';
    /* Another process may have put another file there. */
    if (!status_of(AT_FDCWD, name, AT_SYMLINK_NOFOLLOW, &named) ||
            named.stx_ino != status.stx_ino) {
        return;
    }
    struct jvm_log log = {file, strdup(name), find_archive(name, nanos(&status.stx_btime))};
    int result = log.name == NULL      ? -1
                 : log.archive == NULL ? public_file_remove(AT_FDCWD, name)
                                       : public_file_rename(log.archive, name);
    if (result == 0) {
        logs->items[logs->count++] = log;
    } else {
        free(log.name);
        free(log.archive);
    }
}

void jvm_logs_undo(struct jvm_logs *logs) {
    int64_t start = process_start();
    DIR *files = opendir("/proc/self/fd");
    logs->count = 0;
    for (struct dirent *entry; files != NULL && (entry = readdir(files)) != NULL;) {
        int file = atoi(entry->d_name);
        if (file > STDERR_FILENO && logs->count < JVM_LOGS_LIMIT) {
            undo(logs, file, start);
        }
    }
    if (files != NULL) {
        closedir(files);
    }
}

void jvm_logs_redo(struct jvm_logs *logs) {
    for (int i = 0; i < logs->count; i++) {
        struct jvm_log *log = &logs->items[i];
        if (log->archive != NULL) {
            public_file_rename(log->name, log->archive);
        }
        /* Without O_APPEND two descriptors would write over each other. */
        int file = public_file_new(log->name);
        if (file >= 0 && fcntl(file, F_SETFL, O_APPEND) == 0) {
            dup3(file, log->file, O_CLOEXEC);
        }
        if (file >= 0) {
            close(file);
        }
        free(log->name);
        free(log->archive);
    }
    logs->count = 0;
}
