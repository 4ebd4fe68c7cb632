#include "process_tree.h"

#include "file_text.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { STAT_LIMIT = 4096, UTIME = 14, LAST_TIME = 17 };

void process_tree_free(struct process_tree *tree) {
    free(tree->members);
    *tree = (struct process_tree){0};
}

static bool read_member(const char *process, struct tree_member *member) {
    char path[300];
    char *stat;
    size_t length;
    snprintf(path, sizeof path, "/proc/%.200s/stat", process);
    *member = (struct tree_member){.pid = strtol(process, NULL, 10)};
    if (member->pid <= 0 || file_text_read(path, STAT_LIMIT, &stat, &length) < 0) {
        return false;
    }
    const char *parent = process_stat_field(stat, 4);
    const char *start = process_stat_field(stat, 22);
    member->parent = parent == NULL ? 0 : strtol(parent, NULL, 10);
    member->start = start == NULL ? 0 : strtoull(start, NULL, 10);
    for (int field = UTIME; field <= LAST_TIME; field++) {
        const char *ticks = process_stat_field(stat, field);
        member->ticks += ticks == NULL ? 0 : strtoull(ticks, NULL, 10);
    }
    free(stat);
    return start != NULL;
}

static int add(struct process_tree *tree, const struct tree_member *member) {
    /* The capacity is the next power of two of the count. */
    if ((tree->count & (tree->count - 1)) == 0) {
        size_t capacity = tree->count == 0 ? 1 : 2 * tree->count;
        struct tree_member *larger = realloc(tree->members, capacity * sizeof *larger);
        if (larger == NULL) {
            return -ENOMEM;
        }
        tree->members = larger;
    }
    tree->members[tree->count++] = *member;
    return 0;
}

static int read_all(struct process_tree *all) {
    struct tree_member member;
    int result = 0;
    DIR *processes = opendir("/proc");
    if (processes == NULL) {
        return -errno;
    }
    for (struct dirent *entry; result == 0 && (entry = readdir(processes)) != NULL;) {
        result = read_member(entry->d_name, &member) ? add(all, &member) : 0;
    }
    closedir(processes);
    return result;
}

/* Each round moves those to the front whose parent is there. */
static void keep_descendants(struct process_tree *tree, long pid) {
    size_t kept = 0;
    for (size_t before = SIZE_MAX; before != kept;) {
        before = kept;
        for (size_t i = kept; i < tree->count; i++) {
            bool found = tree->members[i].pid == pid;
            for (size_t k = 0; k < kept && !found; k++) {
                found = tree->members[k].pid == tree->members[i].parent;
            }
            if (found) {
                struct tree_member member = tree->members[i];
                tree->members[i] = tree->members[kept];
                tree->members[kept++] = member;
            }
        }
    }
    tree->count = kept;
}

int process_tree_read(struct process_tree *tree, long pid) {
    *tree = (struct process_tree){0};
    int result = read_all(tree);
    if (result < 0) {
        process_tree_free(tree);
        return result;
    }
    keep_descendants(tree, pid);
    return 0;
}

uint64_t process_tree_ticks(const struct process_tree *tree) {
    uint64_t ticks = 0;
    for (size_t i = 0; i < tree->count; i++) {
        ticks += tree->members[i].ticks;
    }
    return ticks;
}
