#include "thread_rules.h"

#include "cpu_bind.h"
#include "glob.h"
#include "memory_bind.h"
#include "process_bind.h"
#include "slots.h"
#include "thread_registry.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct thread_rules {
    /* Written once, before any thread can see them: */
    struct plan rules;
    struct index_set home; /* the CPUs of the whole process */
    struct index_set home_nodes;
    enum memory_mode memory;

    /* Guards what follows, except the sets of the slots, which never change. */
    pthread_mutex_t lock;
    struct slots slots;
    struct thread_registry registry;
    unsigned long matched;
    unsigned long failed;
};

void thread_rules_free(struct thread_rules *rules) {
    if (rules != NULL) {
        plan_free(&rules->rules);
        index_set_free(&rules->home);
        index_set_free(&rules->home_nodes);
        slots_free(&rules->slots);
        thread_registry_free(&rules->registry);
        pthread_mutex_destroy(&rules->lock);
        free(rules);
    }
}

/* Every rule must have a slot to give; found by taking one and giving it back. */
static int copy_rules(
        struct thread_rules *rules, const struct plan *plan, struct error_text *error) {
    for (size_t i = 0; i < plan->rule_count; i++) {
        const struct plan_rule *rule = &plan->rules[i];
        int position = slots_take(&rules->slots, rule->role);
        if (position < 0) {
            return error_set(error, EINVAL,
                    "the thread rule '%.100s' has no slot of role %s inside the CPUs of this "
                    "process",
                    rule->glob, rule->role);
        }
        slots_release(&rules->slots, (size_t)position);
        if (plan_add_rule(&rules->rules, rule->role, rule->glob) < 0) {
            return -ENOMEM;
        }
    }
    return 0;
}

static int fill(struct thread_rules *rules, const struct plan *plan, int worker,
        const struct index_set *cpus, unsigned *outside, struct error_text *error) {
    struct process_binding wanted = {0};
    rules->memory = plan->memory;
    int result = process_binding_of_plan(&wanted, plan, worker, error);
    if (result == 0 && wanted.memory != MEMORY_LOCAL) {
        result = process_binding_cut_nodes(&wanted, error);
    }
    if (result >= 0) {
        rules->memory = wanted.memory;
        result = index_set_copy(&rules->home, cpus);
    }
    if (result == 0) {
        result = index_set_copy(&rules->home_nodes, &wanted.nodes);
    }
    process_binding_free(&wanted);
    if (result == 0) {
        result = slots_create(
                &rules->slots, plan, worker, &rules->home, &rules->home_nodes, outside);
    }
    return result == 0 ? copy_rules(rules, plan, error) : result;
}

int thread_rules_create(struct thread_rules **created, const struct plan *plan, int worker,
        const struct index_set *cpus, struct error_text *error) {
    unsigned outside = 0;
    error_set(error, 0, "out of memory");
    struct thread_rules *rules = calloc(1, sizeof *rules);
    if (rules == NULL) {
        return -ENOMEM;
    }
    pthread_mutex_init(&rules->lock, NULL);
    int result = fill(rules, plan, worker, cpus, &outside, error);
    if (result < 0) {
        thread_rules_free(rules);
        return result;
    }
    *created = rules;
    if (outside > 0) {
        error_set(error, 0,
                "%u slots of the plan lie outside the CPUs of this process and are "
                "not used",
                outside);
        return 1;
    }
    return 0;
}

/* A new thread inherits the mask of its creator. One that no rule matches, created by a thread
 * that sits in a slot, would be squeezed into that slot without anybody having asked for it. */
static void leave_creators_slot(struct thread_rules *rules) {
    uint64_t words[128];
    int count = cpu_bind_get_words(0, words, 128);
    struct index_set now = {words, count < 0 ? 0 : (size_t)count};
    if (count < 0 || index_set_equals(&now, &rules->home)) {
        return;
    }
    for (size_t i = 0; i < rules->slots.count; i++) {
        if (index_set_equals(&now, &rules->slots.items[i].cpus)) {
            cpu_bind_set(0, &rules->home);
            memory_mode_apply(rules->memory, &rules->home_nodes);
            return;
        }
    }
}

static const char *role_of(const struct thread_rules *rules, const char *name) {
    for (size_t i = 0; i < rules->rules.rule_count; i++) {
        if (glob_matches(rules->rules.rules[i].glob, name)) {
            return rules->rules.rules[i].role;
        }
    }
    return NULL;
}

static int take(struct thread_rules *rules, int tid, const char *name, const char *role) {
    pthread_mutex_lock(&rules->lock);
    /* An id that is known belongs to a thread whose end was not reported. */
    int stale = thread_registry_remove(&rules->registry, tid);
    if (stale >= 0) {
        slots_release(&rules->slots, (size_t)stale);
    }
    int position = slots_take(&rules->slots, role);
    if (position >= 0 && thread_registry_add(&rules->registry, tid, (size_t)position, name) < 0) {
        slots_release(&rules->slots, (size_t)position);
        position = -ENOMEM;
    }
    rules->matched++;
    rules->failed += position < 0 ? 1 : 0;
    pthread_mutex_unlock(&rules->lock);
    return position;
}

static bool give_back(struct thread_rules *rules, int tid, bool failed) {
    pthread_mutex_lock(&rules->lock);
    int position = thread_registry_remove(&rules->registry, tid);
    if (position >= 0) {
        slots_release(&rules->slots, (size_t)position);
    }
    rules->failed += failed ? 1 : 0;
    pthread_mutex_unlock(&rules->lock);
    return position >= 0;
}

int thread_rules_started(
        struct thread_rules *rules, int tid, const char *name, struct error_text *error) {
    const char *role = role_of(rules, name);
    if (role == NULL) {
        leave_creators_slot(rules);
        return -ENOENT;
    }
    int position = take(rules, tid, name, role);
    if (position < 0) {
        return error_set_system(error, -position, "no slot for thread '%.100s'", name);
    }
    /* Outside the lock: a move to another CPU takes 20 us. */
    const struct slot *slot = &rules->slots.items[position];
    struct process_binding binding = {.cpus = slot->cpus,
            .nodes = slot->nodes,
            .memory = index_set_is_empty(&slot->nodes) ? MEMORY_LOCAL : rules->memory};
    int result = cpu_bind_set(0, &binding.cpus);
    if (result == 0) {
        result = memory_mode_apply(binding.memory, &binding.nodes);
    }
    if (result < 0) {
        give_back(rules, tid, true);
        char place[160];
        return error_set_system(error, -result, "cannot bind thread '%.100s' to slot %u (%s)", name,
                slot->index, process_binding_describe(&binding, place, sizeof place));
    }
    return (int)slot->index;
}

void thread_rules_ended(struct thread_rules *rules, int tid) {
    /* The kernel's thread may live on: a native thread that was attached for a while, or the one
     * of main(), which runs the shutdown. */
    if (give_back(rules, tid, false)) {
        cpu_bind_set(0, &rules->home);
        memory_mode_apply(rules->memory, &rules->home_nodes);
    }
}

/* A thread's name is anything; a line is a line. */
static void append_line(struct text_buffer *text, int tid, unsigned slot, const char *name) {
    char clean[256];
    size_t length = 0;
    for (; name[length] != '\0' && length < sizeof clean - 1; length++) {
        clean[length] = (unsigned char)name[length] < 0x20 ? '?' : name[length];
    }
    clean[length] = '\0';
    text_append(text, "thread tid=%d slot=%u name=%s\n", tid, slot, clean);
}

void thread_rules_describe(struct thread_rules *rules, struct text_buffer *text) {
    pthread_mutex_lock(&rules->lock);
    text_append(text, "rules %zu\nmatched %lu\nfailed %lu\n", rules->rules.rule_count,
            rules->matched, rules->failed);
    for (size_t i = 0; i < rules->rules.rule_count; i++) {
        text_append(text, "rule role=%s glob=%s\n", rules->rules.rules[i].role,
                rules->rules.rules[i].glob);
    }
    for (int i = 0; i < REGISTRY_BUCKETS; i++) {
        for (const struct thread_entry *entry = rules->registry.buckets[i]; entry != NULL;
                entry = entry->next) {
            append_line(text, entry->tid, rules->slots.items[entry->slot].index, entry->name);
        }
    }
    pthread_mutex_unlock(&rules->lock);
}
