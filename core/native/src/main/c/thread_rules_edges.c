/* Soft edges of slots, for the thread that watches them. */
#include "thread_rules_state.h"

#include "cpu_bind.h"

#include <errno.h>

bool thread_rules_wants_edges(const struct thread_rules *rules) {
    for (size_t i = 0; i < rules->rules.count; i++) {
        if (rules->rules.items[i].edge == EDGE_SOFT) {
            return true;
        }
    }
    return false;
}

bool thread_rules_has_edges(const struct thread_rules *rules) {
    return rules->soft;
}

bool thread_rules_slot(
        const struct thread_rules *rules, size_t position, struct thread_rules_slot *slot) {
    if (position >= rules->slots.count) {
        return false;
    }
    const struct slot *found = &rules->slots.items[position];
    *slot = (struct thread_rules_slot){&found->cpus, found->index, found->group};
    return true;
}

size_t thread_rules_open_edges(const struct thread_rules *rules, size_t *slots) {
    size_t count = 0;
    *slots = rules->slots.count;
    for (size_t i = 0; i < *slots; i++) {
        count += atomic_load(&rules->slots.items[i].open) ? 1 : 0;
    }
    return count;
}

const struct index_set *thread_rules_cpus(const struct thread_rules *rules) {
    return &rules->process_cpus;
}

static bool is_soft(const struct thread_rules *rules, const struct thread_entry *entry) {
    return entry->place.slot != NO_SLOT && rules->rules.items[entry->place.rule].edge == EDGE_SOFT;
}

size_t thread_rules_holders(
        struct thread_rules *rules, struct edge_holder *holders, size_t capacity) {
    size_t count = 0;
    pthread_mutex_lock(&rules->lock);
    for (int i = 0; i < REGISTRY_BUCKETS; i++) {
        for (const struct thread_entry *entry = rules->registry.buckets[i]; entry != NULL;
                entry = entry->next) {
            if (is_soft(rules, entry) && count++ < capacity) {
                holders[count - 1] = (struct edge_holder){entry->tid, entry->place.slot};
            }
        }
    }
    pthread_mutex_unlock(&rules->lock);
    return count;
}

static int move(const struct slot *slot, int tid, bool open, struct error_text *error) {
    uint64_t words[128];
    struct index_set now = {words, 128};
    int result = cpu_bind_get(tid, &now);
    bool ours = result == 0 && index_set_equals(&now, open ? &slot->cpus : &slot->reach);
    result = ours ? process_binding_move_thread(tid, open ? &slot->reach : &slot->cpus, error) : 0;
    return result == -ESRCH ? 0 : result;
}

int thread_rules_change_edge(
        struct thread_rules *rules, size_t position, bool open, struct error_text *error) {
    struct slot *slot = &rules->slots.items[position];
    int count = 0;
    int failure = 0;
    /* Threads that take the slot from now on see it by themselves: thread_rules_settle(). */
    atomic_store(&slot->open, open);
    pthread_mutex_lock(&rules->lock);
    for (int i = 0; i < REGISTRY_BUCKETS && !rules->replaced; i++) {
        for (const struct thread_entry *entry = rules->registry.buckets[i]; entry != NULL;
                entry = entry->next) {
            if (is_soft(rules, entry) && entry->place.slot == position) {
                int result = move(slot, entry->tid, open, error);
                count += result > 0 ? 1 : 0;
                failure = result < 0 ? result : failure;
            }
        }
    }
    pthread_mutex_unlock(&rules->lock);
    return failure < 0 ? failure : count;
}
