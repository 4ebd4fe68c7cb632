/*
 * The slots that threads take: always the least used one of a role, so that a plan with as many
 * slots as threads gives each its own, and one with fewer shares them evenly. Of slots that are
 * used alike, it is one on the core with the fewest threads: a plan may have a slot for each PU.
 *
 * Not thread-safe; thread_rules.c holds a lock.
 */
#ifndef BERTH_SLOTS_H
#define BERTH_SLOTS_H

#include "plan.h"

struct slot {
    unsigned index; /* in the plan */
    unsigned users;
    int core;         /* the lowest CPU of the core that it lies in, or -1 */
    unsigned on_cpus; /* users of slots of that core with a CPU of this one; else its own */
    unsigned on_core; /* users of all slots of that core */
    bool exclusive;   /* its one user wants no other */
    char role[ROLE_SIZE];
    struct index_set cpus;  /* inside the process's own set */
    struct index_set nodes; /* inside the allowed nodes; may be empty */
};

struct slots {
    struct slot *items;
    size_t count;
};

/* The slots of a worker (all workers: -1) that have a CPU in `cpus`; *outside counts the others.
 * 0 or -ENOMEM. */
int slots_create(struct slots *slots, const struct plan *plan, int worker,
        const struct index_set *cpus, const struct index_set *nodes, unsigned *outside);

void slots_free(struct slots *slots);

/* Finds the core of each slot; a slot that spans cores, or whose core the kernel does not tell, has
 * none. `root` stands before /sys. */
void slots_find_cores(struct slots *slots, const char *root);

/* The position of the slot taken: of those that the rule may give the one whose CPUs, then whose
 * core, then which itself has the fewest users, then the first; none that has a user for an
 * exclusive rule. -ENOENT: no such slot, -EBUSY: all are held exclusively. */
int slots_take(struct slots *slots, const struct rule *rule);

void slots_release(struct slots *slots, size_t position);

/* Adds the CPUs and nodes of all slots that the rule may give. 0, -ENOENT or -ENOMEM. */
int slots_union(const struct slots *slots, const struct rule *rule, struct index_set *cpus,
        struct index_set *nodes);

#endif
