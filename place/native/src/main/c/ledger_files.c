#include "ledger_files.h"

#include "file_text.h"
#include "lease_folder.h"
#include "public_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Files of other users cannot be removed, so there may be more than leases. All are counted,
 * whatever their names: the lock is held while they are looked at. */
enum { LEASES_LIMIT = 65536, FILES_LIMIT = 4 * LEASES_LIMIT, NAME_SIZE = 80 };

#define PREFIX "lease-"
#define DRAFT "draft-"

static int add_lease(struct leases *leases, const struct lease *lease) {
    /* The capacity is the next power of two of the count. */
    if ((leases->count & (leases->count - 1)) == 0) {
        size_t capacity = leases->count == 0 ? 1 : 2 * leases->count;
        struct lease *larger = realloc(leases->items, capacity * sizeof *larger);
        if (larger == NULL) {
            return -ENOMEM;
        }
        leases->items = larger;
    }
    leases->items[leases->count++] = *lease;
    return 0;
}

/* A locked file: a lease, or nothing that makes sense. */
static int read_locked(int file, struct ledger_found *found) {
    char text[LEASE_TEXT_SIZE];
    struct lease lease;
    struct stat status;
    ssize_t length = pread(file, text, sizeof text - 1, 0);
    text[length < 0 ? 0 : length] = '\0';
    if (length <= 0 || strlen(text) != (size_t)length || file_status(file, &status) < 0 ||
            lease_read(&lease, text) < 0) {
        found->unreadable++;
        return 0;
    }
    /* What the kernel knows, and not what the text says. */
    lease.user = (unsigned)status.st_uid;
    int result = add_lease(&found->leases, &lease);
    if (result < 0) {
        lease_free(&lease);
    }
    return result;
}

static bool is_same(int file, int own) {
    struct stat left;
    struct stat right;
    return own > 0 && file_status(file, &left) == 0 && file_status(own, &right) == 0 &&
           left.st_ino == right.st_ino && left.st_dev == right.st_dev;
}

/* A file that no process has locked is stale. One that is `own` is passed over. */
static int read_file(int folder, const char *name, int own, struct ledger_found *found) {
    int file = public_file_open(folder, name);
    int result = 0;
    if (file < 0) {
        /* Files of others are readable; one that is not was not made by us. */
        found->unreadable += file == -EACCES ? 1 : 0;
        return file == -EMFILE || file == -ENFILE ? file : 0;
    }
    if (!is_same(file, own)) {
        if (flock(file, LOCK_SH | LOCK_NB) == 0) {
            public_file_remove(folder, name);
        } else if (errno == EWOULDBLOCK) {
            result = read_locked(file, found);
        }
    }
    close(file);
    return result;
}

static int read_entry(
        int folder, const char *name, int own, unsigned *files, struct ledger_found *found) {
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        return 0;
    }
    if (++*files > FILES_LIMIT) {
        return -EOVERFLOW;
    }
    if (strncmp(name, DRAFT, sizeof DRAFT - 1) == 0) {
        /* A file of a process that was killed: the lock on the folder is ours. */
        public_file_remove(folder, name);
        return 0;
    }
    if (strncmp(name, PREFIX, sizeof PREFIX - 1) != 0) {
        return 0;
    }
    int result = read_file(folder, name, own, found);
    return found->leases.count + found->unreadable > LEASES_LIMIT ? -EOVERFLOW : result;
}

void ledger_found_free(struct ledger_found *found) {
    leases_free(&found->leases);
}

/* All that others hold; own -1: and what this process does. */
int ledger_read(int folder, int own, struct ledger_found *found) {
    *found = (struct ledger_found){0};
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
    unsigned files = 0;
    for (struct dirent *entry; result == 0 && (entry = readdir(stream)) != NULL;) {
        result = read_entry(folder, entry->d_name, own, &files, found);
    }
    closedir(stream);
    if (result < 0) {
        ledger_found_free(found);
    }
    return result;
}

int ledger_open(
        const char *directory, int own, struct ledger_found *found, struct error_text *error) {
    int folder = lease_folder_open(directory, error);
    int result = folder < 0 ? folder : ledger_read(folder, own, found);
    if (folder >= 0 && result < 0) {
        close(folder);
        return ledger_cannot_read(directory, result, error);
    }
    return folder;
}

int ledger_cannot_read(const char *directory, int result, struct error_text *error) {
    return result == -EOVERFLOW
                   ? error_set(error, EOVERFLOW,
                             "there are more than %u leases or %u files in %.200s: let root remove "
                             "those that no process holds, or name another directory",
                             LEASES_LIMIT, FILES_LIMIT, directory)
                   : error_set_system(
                             error, -result, "cannot read the leases in %.200s", directory);
}

/* In place: all that read it hold the lock of the folder, as the caller does. */
int ledger_write(int file, const struct lease *lease) {
    char data[LEASE_TEXT_SIZE];
    struct text_buffer text = {.data = data, .capacity = sizeof data};
    int length = lease_write(lease, &text);
    length = length < 0 ? length : text_result(&text);
    if (length < 0) {
        return length;
    }
    ssize_t written = pwrite(file, data, (size_t)length, 0);
    if (written != length) {
        return written < 0 ? -errno : -ENOSPC;
    }
    return ftruncate(file, length) < 0 ? -errno : 0;
}

/* Locked before another user can open it, and complete before it has its name. */
int ledger_create(int folder, const struct lease *lease) {
    char draft[NAME_SIZE];
    char name[NAME_SIZE];
    char number[17];
    public_name_random(number, sizeof number);
    snprintf(draft, sizeof draft, DRAFT "%ld-%s", lease->pid, number);
    snprintf(name, sizeof name, PREFIX "%ld-%s", lease->pid, number);
    int file = public_file_create(folder, draft);
    if (file < 0) {
        return file;
    }
    int result = flock(file, LOCK_EX | LOCK_NB) < 0 ? -errno : ledger_write(file, lease);
    result = result < 0 ? result : public_file_publish(folder, file, draft, name, 0644);
    if (result < 0) {
        public_file_remove(folder, draft);
        close(file);
        return result;
    }
    return file;
}

/* The file may have been removed, and its name used again: only the one that is open is removed. */
static void remove_own(int file) {
    char link[NAME_SIZE];
    char path[PATH_MAX];
    struct stat open_file;
    struct stat named;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0 || file_status(file, &open_file) < 0) {
        return;
    }
    path[length] = '\0';
    const char *name = strrchr(path, '/');
    if (name != NULL && strncmp(name + 1, PREFIX, sizeof PREFIX - 1) == 0 &&
            syscall(SYS_newfstatat, AT_FDCWD, path, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
            named.st_dev == open_file.st_dev && named.st_ino == open_file.st_ino) {
        public_file_remove(AT_FDCWD, path);
    }
}

int ledger_release(int file) {
    remove_own(file);
    return close(file) < 0 ? -errno : 0;
}

int ledger_set_domain(struct lease *lease, const struct domain *domain) {
    snprintf(lease->domain, sizeof lease->domain, "%s", domain->label);
    int result = index_set_copy(&lease->cpus, &domain->cpus);
    return result == 0 ? index_set_copy(&lease->nodes, &domain->nodes) : result;
}
