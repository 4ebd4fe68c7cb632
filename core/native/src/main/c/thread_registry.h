/*
 * Which live thread holds which slot, by the kernel's thread id. Not thread-safe.
 */
#ifndef BERTH_THREAD_REGISTRY_H
#define BERTH_THREAD_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

struct thread_entry {
    struct thread_entry *next;
    int tid;
    size_t slot; /* NO_SLOT: CPUs that are no slot */
    char name[];
};

enum { REGISTRY_BUCKETS = 256, NO_SLOT = 1 << 30 };

struct thread_registry {
    struct thread_entry *buckets[REGISTRY_BUCKETS];
    size_t count;
};

/* 0, -ENOMEM, or -EEXIST when the id is there already. */
int thread_registry_add(struct thread_registry *registry, int tid, size_t slot, const char *name);

/* Returns the slot's position (or NO_SLOT), or -ENOENT. */
int thread_registry_remove(struct thread_registry *registry, int tid);

bool thread_registry_has(struct thread_registry *registry, int tid);

void thread_registry_free(struct thread_registry *registry);

#endif
