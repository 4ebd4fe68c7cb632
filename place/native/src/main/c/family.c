#include "family.h"

#include "file_text.h"
#include "reexec.h"

#include <stdio.h>
#include <stdlib.h>

enum { SMALL_FILE = 65536 };

/* The parent, or 0. */
static long read_member(struct family_member *member, long pid) {
    char path[64];
    char *stat;
    size_t length;
    long parent = 0;
    /* The first thread's file, which qemu-user does not make up. */
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/stat", pid, pid);
    *member = (struct family_member){.pid = pid};
    if (file_text_read(path, SMALL_FILE, &stat, &length) == 0) {
        const char *start = reexec_stat_field(stat, 22);
        const char *above = reexec_stat_field(stat, 4);
        member->start = start == NULL ? 0 : strtoull(start, NULL, 10);
        parent = above == NULL ? 0 : strtol(above, NULL, 10);
        free(stat);
    }
    return parent;
}

void family_read(struct family *family, long pid) {
    family->count = 0;
    while (pid > 0 && family->count < FAMILY_LIMIT) {
        long parent = read_member(&family->members[family->count], pid);
        family->count += family->members[family->count].start > 0 ? 1 : 0;
        pid = parent;
    }
}

bool family_has(const struct family *family, long pid, uint64_t start) {
    for (size_t i = 0; i < family->count; i++) {
        if (family->members[i].pid == pid && family->members[i].start == start) {
            return true;
        }
    }
    return false;
}
