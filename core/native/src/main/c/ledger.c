#include "ledger.h"

#include "file_text.h"
#include "reexec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* A holder that was stopped while it chose must not keep every other JVM of the host waiting. */
enum { LOCK_WAIT_MILLIS = 10000, FILES_LIMIT = 65536, NAME_SIZE = 64, SMALL_FILE = 65536 };

#define PREFIX "lease-"

const char *ledger_directory(void) {
    const char *named = getenv(LEDGER_VARIABLE);
    return named != NULL && named[0] != '\0' ? named : LEDGER_DEFAULT;
}

/* The kernel's identity since it was started, the same in all containers; "unknown" without /proc.
 */
static void boot_name(char *name, size_t size) {
    char *text;
    size_t length;
    snprintf(name, size, "boot-unknown");
    if (file_text_read("/proc/sys/kernel/random/boot_id", SMALL_FILE, &text, &length) == 0) {
        snprintf(name, size, "boot-%.*s", (int)strcspn(text, "\n/"), text);
        free(text);
    }
}

/* Opens a folder that every user may write to, making it if it is not there. */
static int open_shared(int parent, const char *path) {
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int folder = openat(parent, path, flags);
    if (folder >= 0 || errno != ENOENT) {
        return folder < 0 ? -errno : folder;
    }
    if (mkdirat(parent, path, 01777) == 0) {
        folder = openat(parent, path, flags);
        /* The umask took the others' rights away. */
        if (folder >= 0) {
            fchmod(folder, 01777);
        }
    } else if (errno == EEXIST) {
        folder = openat(parent, path, flags);
    }
    return folder < 0 ? -errno : folder;
}

static int lock_waiting(int file, int mode) {
    for (int waited = 0; flock(file, mode | LOCK_NB) < 0; waited++) {
        if (errno != EWOULDBLOCK && errno != EINTR) {
            return -errno;
        }
        if (waited >= LOCK_WAIT_MILLIS) {
            return -ETIMEDOUT;
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return 0;
}

/* The locked folder; closing it unlocks. */
static int open_ledger(const char *directory, int mode, struct error_text *error) {
    char boot[NAME_SIZE];
    boot_name(boot, sizeof boot);
    int top = open_shared(AT_FDCWD, directory);
    int folder = top < 0 ? top : open_shared(top, boot);
    if (top >= 0) {
        close(top);
    }
    int result = folder < 0 ? folder : lock_waiting(folder, mode);
    if (result >= 0) {
        return folder;
    }
    if (folder >= 0) {
        close(folder);
    }
    if (result == -ETIMEDOUT) {
        return error_set(error, ETIMEDOUT,
                "cannot agree with the other JVMs: another process holds the lock of the lease "
                "directory %.200s for more than %d s",
                directory, LOCK_WAIT_MILLIS / 1000);
    }
    return error_set_system(error, -result,
            "cannot use the lease directory %.200s (leases= or " LEDGER_VARIABLE " names another)",
            directory);
}

/* The call by itself, because fstat() is new in glibc 2.33. */
static int status_of(int file, struct stat *status) {
    return (int)syscall(SYS_newfstatat, file, "", status, AT_EMPTY_PATH);
}

/* 1 when a process holds the file, 0 when it is stale or no lease of ours. */
static int read_file(int folder, const char *name, struct lease *lease, unsigned *unreadable) {
    char text[LEASE_TEXT_SIZE];
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0) {
        /* Files of others are readable; one that is not was not made by us. */
        *unreadable += errno == EACCES ? 1 : 0;
        return 0;
    }
    int held = 0;
    if (flock(file, LOCK_SH | LOCK_NB) == 0) {
        unlinkat(folder, name, 0);
    } else if (errno == EWOULDBLOCK) {
        ssize_t length = pread(file, text, sizeof text - 1, 0);
        text[length < 0 ? 0 : length] = '\0';
        struct stat status;
        held = status_of(file, &status) == 0 && lease_read(lease, text) == 0 ? 1 : 0;
        *unreadable += held == 0 ? 1 : 0;
        if (held == 1) {
            /* What the kernel knows, and not what the text says. */
            lease->user = (unsigned)status.st_uid;
        }
    }
    close(file);
    return held;
}

static int add_lease(struct leases *leases, const struct lease *lease) {
    struct lease *larger = realloc(leases->items, (leases->count + 1) * sizeof *larger);
    if (larger == NULL) {
        return -ENOMEM;
    }
    leases->items = larger;
    leases->items[leases->count++] = *lease;
    return 0;
}

static int read_folder(int folder, struct leases *leases, unsigned *unreadable) {
    /* The stream needs a descriptor of its own, for the lock goes with the last close. */
    int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = copy < 0 ? NULL : fdopendir(copy);
    if (stream == NULL) {
        int problem = errno;
        if (copy >= 0) {
            close(copy);
        }
        return -problem;
    }
    int result = 0;
    int files = 0;
    for (struct dirent *entry;
            result == 0 && files < FILES_LIMIT && (entry = readdir(stream)) != NULL; files++) {
        struct lease lease;
        if (strncmp(entry->d_name, PREFIX, sizeof PREFIX - 1) == 0 &&
                read_file(folder, entry->d_name, &lease, unreadable) == 1) {
            result = add_lease(leases, &lease);
            if (result < 0) {
                lease_free(&lease);
            }
        }
    }
    closedir(stream);
    return result;
}

int ledger_list(const char *directory, struct leases *leases, unsigned *unreadable,
        struct error_text *error) {
    *leases = (struct leases){0};
    *unreadable = 0;
    int folder = open_ledger(directory, LOCK_EX, error);
    if (folder < 0) {
        return folder;
    }
    int result = read_folder(folder, leases, unreadable);
    close(folder);
    if (result < 0) {
        leases_free(leases);
        return error_set_system(error, -result, "cannot read the leases in %.200s", directory);
    }
    return 0;
}

static int write_lease(int file, const struct lease *lease) {
    char data[LEASE_TEXT_SIZE];
    struct text_buffer text = {.data = data, .capacity = sizeof data};
    lease_write(lease, &text);
    int length = text_result(&text);
    if (length < 0) {
        return length;
    }
    ssize_t written = pwrite(file, data, (size_t)length, 0);
    if (written != length) {
        return written < 0 ? -errno : -ENOSPC;
    }
    return ftruncate(file, length) < 0 ? -errno : 0;
}

int ledger_update(int file, const struct lease *lease, struct error_text *error) {
    int result = write_lease(file, lease);
    return result < 0 ? error_set_system(error, -result, "cannot write the lease of this process")
                      : 0;
}

static uint64_t start_of_process(void) {
    char *stat;
    size_t length;
    uint64_t start = 0;
    if (file_text_read("/proc/self/stat", SMALL_FILE, &stat, &length) == 0) {
        const char *field = reexec_stat_field(stat, 22);
        start = field == NULL ? 0 : strtoull(field, NULL, 10);
        free(stat);
    }
    return start;
}

static uint64_t own_pid_namespace(void) {
    char target[NAME_SIZE] = "";
    ssize_t length = readlink("/proc/self/ns/pid", target, sizeof target - 1);
    const char *number = length <= 0 ? NULL : strchr(target, '[');
    return number == NULL ? 0 : strtoull(number + 1, NULL, 10);
}

static int fill(
        struct lease *lease, const struct domain *domain, bool exclusive, const char *name) {
    *lease = (struct lease){.pid = (long)getpid(),
            .start = start_of_process(),
            .pid_namespace = own_pid_namespace(),
            .user = (unsigned)getuid(),
            .exclusive = exclusive,
            .since = (int64_t)time(NULL)};
    snprintf(lease->domain, sizeof lease->domain, "%s", domain->label);
    snprintf(lease->name, sizeof lease->name, "%s", name == NULL ? "" : name);
    for (char *c = lease->name; *c != '\0'; c++) {
        *c = (unsigned char)*c < 0x20 ? '?' : *c;
    }
    int result = index_set_copy(&lease->cpus, &domain->cpus);
    return result == 0 ? index_set_copy(&lease->nodes, &domain->nodes) : result;
}

/* Locked before it is complete, and complete before it has its name. */
static int create(int folder, const struct lease *lease) {
    char draft[NAME_SIZE];
    char name[NAME_SIZE];
    int file = -EEXIST;
    for (int number = 0; file == -EEXIST && number < 1000; number++) {
        /* The PID alone is not unique: several leases of one process, other PID namespaces. */
        snprintf(draft, sizeof draft, "draft-%ld-%llu-%d", lease->pid,
                (unsigned long long)lease->pid_namespace, number);
        file = openat(folder, draft, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
        file = file < 0 ? -errno : file;
        snprintf(name, sizeof name, PREFIX "%s", draft + strlen("draft-"));
        if (file >= 0 && faccessat(folder, name, F_OK, 0) == 0) {
            unlinkat(folder, draft, 0);
            close(file);
            file = -EEXIST;
        } else if (file == -EEXIST) {
            /* Left over by a process that was killed right here; the lock on the folder is ours. */
            unlinkat(folder, draft, 0);
        }
    }
    if (file < 0) {
        return file;
    }
    fchmod(file, 0644);
    int result = flock(file, LOCK_EX | LOCK_NB) < 0 ? -errno : write_lease(file, lease);
    if (result == 0 && renameat(folder, draft, folder, name) < 0) {
        result = -errno;
    }
    if (result < 0) {
        unlinkat(folder, draft, 0);
        close(file);
        return result;
    }
    return file;
}

static int claim(int folder, const struct domains *domains, int index, bool exclusive,
        const char *name, struct lease *lease) {
    struct leases leases = {0};
    unsigned unreadable = 0;
    int result = read_folder(folder, &leases, &unreadable);
    if (result == 0) {
        struct domains asked = *domains;
        if (index >= 0) {
            asked = (struct domains){.items = domains->items + index, .count = 1};
        }
        result = lease_choose(&asked, &leases, exclusive);
        if (result >= 0) {
            result = fill(lease, &asked.items[result], exclusive, name);
        }
        if (result == 0) {
            result = create(folder, lease);
        }
    }
    leases_free(&leases);
    return result;
}

int ledger_claim(const char *directory, const struct domains *domains, int index, bool exclusive,
        const char *name, struct lease *lease, struct error_text *error) {
    *lease = (struct lease){0};
    if (index >= (int)domains->count) {
        return error_set(error, EINVAL, "there is no domain %d: they are 0 to %zu", index,
                domains->count - 1);
    }
    int folder = open_ledger(directory, LOCK_EX, error);
    if (folder < 0) {
        return folder;
    }
    int result = claim(folder, domains, index, exclusive, name, lease);
    close(folder);
    if (result >= 0) {
        return result;
    }
    lease_free(lease);
    if (result == -EBUSY && index >= 0) {
        return error_set(error, EBUSY, "%s is %s: './berth leases' lists the holders",
                domains->items[index].label,
                exclusive ? "used by another JVM" : "held exclusively by another JVM");
    }
    if (result == -EBUSY) {
        return error_set(error, EBUSY,
                "each of the %zu domains is %s: './berth leases' lists the holders", domains->count,
                exclusive ? "used by another JVM" : "held exclusively by another JVM");
    }
    return error_set_system(
            error, -result, "cannot write a lease into the directory %.200s", directory);
}

int ledger_adopt(int file, struct lease *lease) {
    char text[LEASE_TEXT_SIZE];
    ssize_t length = pread(file, text, sizeof text - 1, 0);
    if (length < 0) {
        return -errno;
    }
    text[length] = '\0';
    int result = lease_read(lease, text);
    if (result == 0 && (lease->pid != (long)getpid() || lease->start != start_of_process())) {
        lease_free(lease);
        result = -EINVAL;
    }
    return result;
}
