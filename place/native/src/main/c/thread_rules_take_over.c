/* Threads of rules that were replaced, by a change of the CPUs or by a bind from outside. */
#include "thread_rules_state.h"

#include "cpu_bind.h"

#include <errno.h>
#include <string.h>

static bool is_inside(int tid, const struct index_set *cpus) {
    uint64_t words[128];
    struct index_set now = {words, 128};
    return cpu_bind_get(tid, &now) == 0 && index_set_common(&now, cpus) == index_set_count(&now);
}

int thread_rules_take_over(
        struct thread_rules *rules, struct thread_rules *former, const struct index_set *keep) {
    int count = 0;
    /* The former ones are locked throughout, so that a thread that ends waits for its turn. */
    pthread_mutex_lock(&former->lock);
    for (size_t i = 0; i < rules->rules.count && i < former->rules.count; i++) {
        const char *glob = former->rules.items[i].glob;
        if (former->targets[i].seen && strcmp(rules->rules.items[i].glob, glob) == 0) {
            pthread_mutex_lock(&rules->lock);
            rules->targets[i].seen = true;
            pthread_mutex_unlock(&rules->lock);
        }
    }
    for (int i = 0; i < REGISTRY_BUCKETS; i++) {
        for (const struct thread_entry *entry = former->registry.buckets[i]; entry != NULL;
                entry = entry->next) {
            struct error_text error;
            int rule = thread_rules_rule_of(rules, entry->name, entry->place.carrier);
            if (rule < 0 || thread_rules_knows(rules, entry->tid)) {
                continue;
            }
            int position =
                    thread_rules_take(rules, entry->tid, entry->name, rule, entry->place.carrier);
            struct process_binding binding = thread_rules_binding_of(rules, rule, position);
            int result = keep != NULL && is_inside(entry->tid, keep)
                                 ? 0
                                 : process_binding_move_thread(entry->tid, &binding.cpus, &error);
            if (result == -ESRCH) {
                thread_rules_give_back(rules, entry->tid, false);
            }
            count += result > 0 ? 1 : 0;
        }
    }
    pthread_mutex_unlock(&former->lock);
    return count;
}
