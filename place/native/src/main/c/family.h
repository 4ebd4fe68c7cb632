/*
 * Which processes descend from which, as far as /proc tells now: a process whose parent has ended
 * belongs to another one. See proc_pid_stat(5), fields 4 and 22.
 */
#ifndef BERTH_FAMILY_H
#define BERTH_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FAMILY_LIMIT = 64 };

struct family_member {
    long pid;
    uint64_t start; /* in clock ticks after boot */
};

/* A process and its ancestors, itself first. */
struct family {
    struct family_member members[FAMILY_LIMIT];
    size_t count;
};

/* The result is empty when the process has ended. */
void family_read(struct family *family, long pid);

bool family_has(const struct family *family, long pid, uint64_t start);

#endif
