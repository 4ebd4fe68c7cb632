#include "thread_registry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Where the pointer to the entry is, or would be. */
static struct thread_entry **find(struct thread_registry *registry, int tid) {
    struct thread_entry **link = &registry->buckets[(unsigned)tid % REGISTRY_BUCKETS];
    while (*link != NULL && (*link)->tid != tid) {
        link = &(*link)->next;
    }
    return link;
}

int thread_registry_add(struct thread_registry *registry, int tid, size_t slot, const char *name) {
    struct thread_entry **link = find(registry, tid);
    if (*link != NULL) {
        return -EEXIST;
    }
    size_t size = strlen(name) + 1;
    struct thread_entry *entry = malloc(sizeof *entry + size);
    if (entry == NULL) {
        return -ENOMEM;
    }
    entry->next = NULL;
    entry->tid = tid;
    entry->slot = slot;
    memcpy(entry->name, name, size);
    *link = entry;
    registry->count++;
    return 0;
}

int thread_registry_remove(struct thread_registry *registry, int tid) {
    struct thread_entry **link = find(registry, tid);
    struct thread_entry *entry = *link;
    if (entry == NULL) {
        return -ENOENT;
    }
    int slot = (int)entry->slot;
    *link = entry->next;
    free(entry);
    registry->count--;
    return slot;
}

bool thread_registry_has(struct thread_registry *registry, int tid) {
    return *find(registry, tid) != NULL;
}

void thread_registry_free(struct thread_registry *registry) {
    for (int i = 0; i < REGISTRY_BUCKETS; i++) {
        while (registry->buckets[i] != NULL) {
            thread_registry_remove(registry, registry->buckets[i]->tid);
        }
    }
}
