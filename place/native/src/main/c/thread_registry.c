#include "thread_registry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The position of the pointer to the entry, or where it would be. */
static struct thread_entry **find(struct thread_registry *registry, int tid) {
    struct thread_entry **link = &registry->buckets[(unsigned)tid % REGISTRY_BUCKETS];
    while (*link != NULL && (*link)->tid != tid) {
        link = &(*link)->next;
    }
    return link;
}

int thread_registry_add(
        struct thread_registry *registry, int tid, struct thread_place place, const char *name) {
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
    entry->place = place;
    memcpy(entry->name, name, size);
    *link = entry;
    registry->count++;
    return 0;
}

bool thread_registry_remove(struct thread_registry *registry, int tid, struct thread_place *place) {
    struct thread_entry **link = find(registry, tid);
    struct thread_entry *entry = *link;
    if (entry == NULL) {
        return false;
    }
    *place = entry->place;
    *link = entry->next;
    free(entry);
    registry->count--;
    return true;
}

void thread_registry_rename(
        struct thread_registry *registry, int tid, size_t rule, const char *name) {
    struct thread_entry **link = find(registry, tid);
    size_t size = strlen(name) + 1;
    if (*link == NULL) {
        return;
    }
    (*link)->place.rule = rule;
    struct thread_entry *entry = realloc(*link, sizeof *entry + size);
    if (entry != NULL) {
        memcpy(entry->name, name, size);
        *link = entry;
    }
}

const struct thread_entry *thread_registry_find(struct thread_registry *registry, int tid) {
    return *find(registry, tid);
}

void thread_registry_free(struct thread_registry *registry) {
    for (int i = 0; i < REGISTRY_BUCKETS; i++) {
        while (registry->buckets[i] != NULL) {
            struct thread_place unused;
            thread_registry_remove(registry, registry->buckets[i]->tid, &unused);
        }
    }
}
