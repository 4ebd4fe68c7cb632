/*
 * The slots that threads take: always the least used one of a role, so that a plan with as many
 * slots as threads gives each its own, and one with fewer shares them evenly.
 *
 * Not thread-safe; thread_rules.c holds a lock.
 */
#ifndef BERTH_SLOTS_H
#define BERTH_SLOTS_H

#include "plan.h"

struct slot {
    unsigned index; /* in the plan */
    unsigned users;
    bool exclusive; /* its one user wants no other */
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

/* The position of the slot taken: the first of the least used ones that the rule may give, or none
 * that anybody uses for an exclusive rule. -ENOENT: no such slot, -EBUSY: all are held exclusively.
 */
int slots_take(struct slots *slots, const struct rule *rule);

void slots_release(struct slots *slots, size_t position);

/* Adds the CPUs and nodes of all slots that the rule may give. 0, -ENOENT or -ENOMEM. */
int slots_union(const struct slots *slots, const struct rule *rule, struct index_set *cpus,
        struct index_set *nodes);

#endif
