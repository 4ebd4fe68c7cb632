#include "thread_rules_state.h"

#include "cpu_bind.h"
#include "memory_bind.h"
#include "newborn.h"
#include "thread_name_pattern.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* A new thread inherits the mask of its creator. One that no rule matches, created by a thread
 * that has a slot, would share that slot although no rule asks for it. */
static void leave_creators_slot(struct thread_rules *rules) {
    uint64_t words[128];
    int count = cpu_bind_get_words(0, words, 128);
    struct index_set now = {words, count < 0 ? 0 : (size_t)count};
    if (count < 0 || index_set_equals(&now, &rules->process_cpus)) {
        return;
    }
    for (size_t i = 0; i < rules->slots.count; i++) {
        if (index_set_equals(&now, &rules->slots.items[i].cpus)) {
            newborn_bind(0, &rules->process_cpus);
            memory_mode_apply(rules->memory, &rules->process_nodes);
            return;
        }
    }
}

int thread_rules_rule_of(const struct thread_rules *rules, const char *name, bool carrier) {
    for (size_t i = 0; i < rules->rules.count; i++) {
        const struct rule *rule = &rules->rules.items[i];
        if (rule_is_for_carriers(rule) ? carrier
                                       : !rule_is_group(rule) && glob_matches(rule->glob, name)) {
            return (int)i;
        }
    }
    return -ENOENT;
}

/* Under the lock. */
static bool forget(struct thread_rules *rules, int tid) {
    struct thread_place place;
    if (!thread_registry_remove(&rules->registry, tid, &place)) {
        return false;
    }
    rules->targets[place.rule].threads--;
    if (place.slot != NO_SLOT) {
        slots_release(&rules->slots, place.slot);
    }
    return true;
}

int thread_rules_take(
        struct thread_rules *rules, int tid, const char *name, int rule, bool carrier) {
    struct thread_place place = {.rule = (size_t)rule, .slot = NO_SLOT, .carrier = carrier};
    const struct rule *wanted = &rules->rules.items[rule];
    pthread_mutex_lock(&rules->lock);
    /* An id that is known belongs to a thread whose end was not reported, or that has another rule
     * now. */
    forget(rules, tid);
    int position = wanted->target == TARGET_SLOT ? slots_take(&rules->slots, wanted) : NO_SLOT;
    place.slot = position < 0 ? NO_SLOT : (size_t)position;
    if (thread_registry_add(&rules->registry, tid, place, name) < 0) {
        if (place.slot != NO_SLOT) {
            slots_release(&rules->slots, place.slot);
        }
        position = -ENOMEM;
    } else {
        rules->targets[rule].threads++;
        rules->targets[rule].seen = true;
    }
    rules->matched++;
    rules->failed += position < 0 ? 1 : 0;
    pthread_mutex_unlock(&rules->lock);
    return position;
}

bool thread_rules_give_back(struct thread_rules *rules, int tid, bool failed) {
    pthread_mutex_lock(&rules->lock);
    bool known = forget(rules, tid);
    rules->failed += failed ? 1 : 0;
    pthread_mutex_unlock(&rules->lock);
    return known;
}

struct process_binding thread_rules_binding_of(
        const struct thread_rules *rules, int rule, int position) {
    struct process_binding binding = {.memory = rules->memory};
    if (position < 0) {
        binding.cpus = rules->process_cpus;
        binding.nodes = rules->process_nodes;
    } else if (position == NO_SLOT) {
        binding.cpus = rules->targets[rule].cpus;
        binding.nodes = rules->targets[rule].nodes;
    } else {
        binding.cpus = rules->slots.items[position].cpus;
        binding.nodes = rules->slots.items[position].nodes;
    }
    if (index_set_is_empty(&binding.nodes)) {
        binding.memory = MEMORY_LOCAL;
    }
    return binding;
}

/* Gives the calling thread what a rule has for it. */
static int obey(struct thread_rules *rules, int tid, const char *name, int rule, bool carrier,
        struct error_text *error) {
    int position = thread_rules_take(rules, tid, name, rule, carrier);
    /* Outside the lock: a move to another CPU takes 20 us. */
    struct process_binding binding = thread_rules_binding_of(rules, rule, position);
    int result = newborn_bind(0, &binding.cpus);
    if (result == 0) {
        result = memory_mode_apply(binding.memory, &binding.nodes);
    }
    if (position < 0) {
        return error_set(error, -position,
                "no slot for thread '%.100s': %s; it runs anywhere in the process", name,
                position == -EBUSY ? "all of the rule's are held exclusively"
                                   : error_reason(-position));
    }
    unsigned index = position == NO_SLOT ? NO_SLOT : rules->slots.items[position].index;
    if (result < 0) {
        thread_rules_give_back(rules, tid, true);
        char wanted[160];
        char slot[24] = "its rule's CPUs";
        if (index != NO_SLOT) {
            snprintf(slot, sizeof slot, "slot %u", index);
        }
        return error_set_system(error, -result, "cannot bind thread '%.100s' to %s (%s)", name,
                slot, process_binding_describe(&binding, wanted, sizeof wanted));
    }
    return (int)index;
}

int thread_rules_started(struct thread_rules *rules, int tid, const char *name, bool carrier,
        struct error_text *error) {
    int rule = thread_rules_rule_of(rules, name, carrier);
    if (rule < 0) {
        leave_creators_slot(rules);
        return -ENOENT;
    }
    return obey(rules, tid, name, rule, carrier, error);
}

void thread_rules_ended(struct thread_rules *rules, int tid) {
    /* The kernel's thread may live on: a native thread that was attached for a while, or the one
     * of main(), which runs the shutdown. */
    if (thread_rules_give_back(rules, tid, false)) {
        newborn_bind(0, &rules->process_cpus);
        memory_mode_apply(rules->memory, &rules->process_nodes);
    }
}

/* Whether what a thread got from its rule is what another rule would give it. A thread that got no
 * slot, since all were held, has another try. */
static bool is_served(
        const struct thread_rules *rules, const struct thread_place *place, int rule) {
    const struct rule *now = &rules->rules.items[place->rule];
    return (now->target != TARGET_SLOT || place->slot != NO_SLOT) && rule >= 0 &&
           rule_gives_same(now, &rules->rules.items[rule]);
}

/* Enters the new name of a thread that stays where it is; false when it does not. */
static bool keeps_place(struct thread_rules *rules, int tid, const char *name, int rule) {
    pthread_mutex_lock(&rules->lock);
    const struct thread_entry *entry = thread_registry_find(&rules->registry, tid);
    bool keeps = entry == NULL ? rule < 0 : is_served(rules, &entry->place, rule);
    if (keeps && entry != NULL) {
        rules->targets[entry->place.rule].threads--;
        rules->targets[rule].threads++;
        rules->targets[rule].seen = true;
        thread_registry_rename(&rules->registry, tid, (size_t)rule, name);
    }
    pthread_mutex_unlock(&rules->lock);
    return keeps;
}

int thread_rules_renamed(
        struct thread_rules *rules, int tid, const char *name, struct error_text *error) {
    /* A carrier of virtual threads never changes its name. */
    int rule = thread_rules_rule_of(rules, name, false);
    if (keeps_place(rules, tid, name, rule)) {
        return -EALREADY;
    }
    if (rule < 0) {
        thread_rules_ended(rules, tid);
        return -ENOENT;
    }
    return obey(rules, tid, name, rule, false, error);
}

bool thread_rules_knows(struct thread_rules *rules, int tid) {
    pthread_mutex_lock(&rules->lock);
    bool found = thread_registry_find(&rules->registry, tid) != NULL;
    pthread_mutex_unlock(&rules->lock);
    return found;
}
