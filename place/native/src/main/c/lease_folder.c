#include "lease_folder.h"

#include "file_text.h"
#include "public_files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

enum {
    /* A holder that was stopped while it chose must not keep every other JVM waiting. */
    LOCK_WAIT_SECONDS = 10,
    NAME_SIZE = 64,
    REASON_SIZE = 128,
    SMALL_FILE = 65536,
    LOCKS_SIZE = 16 << 20,
    EVERYBODYS = 01777
};

const char *lease_folder_name(void) {
    struct stat status;
    const char *named = getenv(LEDGER_VARIABLE);
    if (named != NULL && named[0] != '\0') {
        return named;
    }
    bool made =
            syscall(SYS_newfstatat, AT_FDCWD, LEDGER_OF_HOST, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISDIR(status.st_mode) && status.st_uid == 0 &&
            (status.st_mode & EVERYBODYS) == EVERYBODYS;
    return made ? LEDGER_OF_HOST : LEDGER_DEFAULT;
}

static bool is_shared_by_hosts(int folder) {
    static const uint32_t types[] = {NFS_SUPER_MAGIC, SMB_SUPER_MAGIC, CIFS_SUPER_MAGIC,
            SMB2_SUPER_MAGIC, CEPH_SUPER_MAGIC, AFS_SUPER_MAGIC, CODA_SUPER_MAGIC, V9FS_MAGIC,
            OCFS2_SUPER_MAGIC, FUSE_SUPER_MAGIC, 0x01161970 /* GFS2 */, 0x0BD00BD0 /* Lustre */,
            0x47504653 /* GPFS */};
    struct statfs status;
    if (fstatfs(folder, &status) < 0) {
        return false;
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if ((uint32_t)status.f_type == types[i]) {
            return true;
        }
    }
    return false;
}

/* The kernel's identity since it was started; "unknown" without /proc. */
static void boot_name(char *name, size_t size) {
    char *text;
    size_t length;
    snprintf(name, size, "boot-unknown");
    if (file_text_read("/proc/sys/kernel/random/boot_id", SMALL_FILE, &text, &length) == 0) {
        snprintf(name, size, "boot-%.*s", (int)strcspn(text, "\n/"), text);
        free(text);
    }
}

static int open_folder(const char *directory) {
    char boot[NAME_SIZE];
    int top = public_folder(AT_FDCWD, directory);
    if (top < 0 || !is_shared_by_hosts(top)) {
        return top;
    }
    boot_name(boot, sizeof boot);
    int folder = public_folder(top, boot);
    close(top);
    return folder;
}

static int64_t now_millis(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int lock_waiting(int file) {
    int64_t end = now_millis() + LOCK_WAIT_SECONDS * 1000;
    while (flock(file, LOCK_EX | LOCK_NB) < 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) {
            return -errno;
        }
        if (now_millis() > end) {
            return -ETIMEDOUT;
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return 0;
}

/* A line of a holder is "1: FLOCK  ADVISORY  WRITE 4711 00:1b:99 0 EOF", one of a waiter has "->".
 */
void lease_folder_holder(int file, char *text, size_t size) {
    struct stat status;
    char *locks;
    size_t length;
    snprintf(text, size, "another process");
    if (file_status(file, &status) < 0 ||
            file_text_read("/proc/locks", LOCKS_SIZE, &locks, &length) < 0) {
        return;
    }
    for (char *line = locks, *next; line != NULL && *line != '\0'; line = next) {
        unsigned pid;
        unsigned device[2];
        unsigned long inode;
        next = strchr(line, '\n');
        next = next == NULL ? NULL : next + 1;
        if (sscanf(line, "%*d: FLOCK ADVISORY %*s %u %x:%x:%lu", &pid, &device[0], &device[1],
                    &inode) == 4 &&
                device[0] == major(status.st_dev) && device[1] == minor(status.st_dev) &&
                inode == (unsigned long)status.st_ino) {
            char process[NAME_SIZE];
            struct stat owner;
            snprintf(process, sizeof process, "/proc/%u", pid);
            if (syscall(SYS_newfstatat, AT_FDCWD, process, &owner, 0) == 0) {
                snprintf(text, size, "process %u of user %u", pid, (unsigned)owner.st_uid);
            }
            break;
        }
    }
    free(locks);
}

/* The owner of a directory can remove what is in it, whatever the sticky bit says. */
static void judge(int folder, const char *directory, struct error_text *warning) {
    struct stat status;
    warning->text[0] = '\0';
    if (file_status(folder, &status) < 0) {
        return;
    }
    if (status.st_uid != 0 && status.st_uid != geteuid()) {
        error_set(warning, 0,
                "the lease directory %.200s belongs to user %u, who can take leases away from "
                "their holders; let root make " LEDGER_OF_HOST
                " (see docs/guide/sharing-a-host.md)",
                directory, (unsigned)status.st_uid);
    } else if ((status.st_mode & 022) != 0 && (status.st_mode & S_ISVTX) == 0) {
        error_set(warning, 0,
                "the lease directory %.200s is not sticky, so any user can take leases away from "
                "their holders; run chmod 1777 on it",
                directory);
    }
}

int lease_folder_open(const char *directory, struct error_text *error) {
    int folder = open_folder(directory);
    int result = folder < 0 ? folder : lock_waiting(folder);
    if (result >= 0) {
        judge(folder, directory, error);
        return folder;
    }
    char holder[NAME_SIZE];
    if (folder >= 0) {
        lease_folder_holder(folder, holder, sizeof holder);
        close(folder);
    }
    if (result == -ETIMEDOUT) {
        return error_set(error, ETIMEDOUT,
                "cannot agree with the other JVMs: %s holds the lock of the lease directory %.200s "
                "for more than %d s; end it, or let leases= or " LEDGER_VARIABLE " name another",
                holder, directory, LOCK_WAIT_SECONDS);
    }
    return lease_folder_refuse(directory, result, "use", error);
}

int lease_folder_refuse(
        const char *directory, int result, const char *verb, struct error_text *error) {
    char obstacle[REASON_SIZE];
    /* A full or read-only file system has nothing to do with who owns the directory. */
    bool foreign = (result == -ENOTDIR || result == -EACCES || result == -EPERM) &&
                   public_obstacle(directory, obstacle, sizeof obstacle);
    return foreign ? error_set(error, -result,
                             "cannot %s the lease directory %.200s: %s: %s; let root remove it, or "
                             "make " LEDGER_OF_HOST
                             " for all users, or let leases= or " LEDGER_VARIABLE " name another",
                             verb, directory, error_reason(-result), obstacle)
                   : error_set_system(error, -result,
                             "cannot %s the lease directory %.200s (leases= or " LEDGER_VARIABLE
                             " names another; 'berth run --no-lease' needs none)",
                             verb, directory);
}
