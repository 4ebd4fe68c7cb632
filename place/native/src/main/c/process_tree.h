/* A process and all that descend from it, as far as /proc tells now. */
#ifndef BERTH_PROCESS_TREE_H
#define BERTH_PROCESS_TREE_H

#include <stddef.h>
#include <stdint.h>

struct tree_member {
    long pid;
    long parent;
    uint64_t start; /* in clock ticks after boot */
    uint64_t ticks; /* CPU time, with that of children that were waited for */
};

/* All zero bytes is an empty one. */
struct process_tree {
    struct tree_member *members;
    size_t count;
};

/* Empty when the process has ended. 0 or -errno. */
int process_tree_read(struct process_tree *tree, long pid);

/* What all of them have used together. */
uint64_t process_tree_ticks(const struct process_tree *tree);

void process_tree_free(struct process_tree *tree);

#endif
