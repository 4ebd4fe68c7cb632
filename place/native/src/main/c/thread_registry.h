/*
 * Which live thread holds which slot, by the kernel's thread id. Not thread-safe.
 */
#ifndef BERTH_THREAD_REGISTRY_H
#define BERTH_THREAD_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

/* What a rule has given. */
struct thread_place {
    size_t rule;  /* its position */
    size_t slot;  /* its position; NO_SLOT: CPUs that are no slot */
    bool carrier; /* of virtual threads */
};

struct thread_entry {
    struct thread_entry *next;
    int tid;
    struct thread_place place;
    char name[];
};

enum { REGISTRY_BUCKETS = 256, NO_SLOT = 1 << 30 };

struct thread_registry {
    struct thread_entry *buckets[REGISTRY_BUCKETS];
    size_t count;
};

/* 0, -ENOMEM, or -EEXIST when the id is there already. */
int thread_registry_add(
        struct thread_registry *registry, int tid, struct thread_place place, const char *name);

/* Returns the thread's place, which the registry forgets, or false when there is none. */
bool thread_registry_remove(struct thread_registry *registry, int tid, struct thread_place *place);

/* A known thread has another name, and a rule that gives it the same slot. Without memory for the
 * name it keeps the former one. */
void thread_registry_rename(
        struct thread_registry *registry, int tid, size_t rule, const char *name);

/* NULL: the thread is not known. */
const struct thread_entry *thread_registry_find(struct thread_registry *registry, int tid);

void thread_registry_free(struct thread_registry *registry);

#endif
