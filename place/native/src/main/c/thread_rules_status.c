#include "thread_rules_state.h"

#include "foreign_text.h"

#include <stdio.h>

/* A thread's name is anything; a line is a line. */
static void append_line(struct text_buffer *text, int tid, const char *slot, const char *name) {
    char clean[256];
    snprintf(clean, sizeof clean, "%s", name);
    text_append(text, "thread tid=%d slot=%s name=%s\n", tid, slot, foreign_text_clean(clean));
}

/* A rule that keeps threads on the CPUs of the process changes nothing when there are none. */
static bool is_missed(const struct thread_rules *rules, size_t i) {
    const struct rule *rule = &rules->rules.items[i];
    return !rules->targets[i].seen && !rule->optional && rule->target != TARGET_PROCESS;
}

size_t thread_rules_unmatched(struct thread_rules *rules, bool all, struct text_buffer *text) {
    size_t count = 0;
    pthread_mutex_lock(&rules->lock);
    for (size_t i = 0; i < rules->rules.count; i++) {
        if (is_missed(rules, i) || (all && !rules->targets[i].seen)) {
            text_append(text, "%s'%.100s'", count++ == 0 ? "" : ", ", rules->rules.items[i].glob);
        }
    }
    pthread_mutex_unlock(&rules->lock);
    return count;
}

/* Under the lock. */
static void append_rules(const struct thread_rules *rules, struct text_buffer *text) {
    char target[200];
    for (size_t i = 0; i < rules->rules.count; i++) {
        const struct rule *rule = &rules->rules.items[i];
        text_append(text, "rule threads=%zu %s target=%s glob=%s\n", rules->targets[i].threads,
                rules->targets[i].seen ? "matched"
                : is_missed(rules, i)  ? "missed"
                                       : "unmatched",
                rule_describe_target(rule, target, sizeof target), rule->glob);
    }
}

void thread_rules_list(struct thread_rules *rules, struct text_buffer *text) {
    pthread_mutex_lock(&rules->lock);
    append_rules(rules, text);
    pthread_mutex_unlock(&rules->lock);
}

void thread_rules_describe(struct thread_rules *rules, struct text_buffer *text) {
    pthread_mutex_lock(&rules->lock);
    text_append(text, "rules %zu\nmatched %lu\nfailed %lu\n", rules->rules.count, rules->matched,
            rules->failed);
    append_rules(rules, text);
    for (int i = 0; i < REGISTRY_BUCKETS; i++) {
        for (const struct thread_entry *entry = rules->registry.buckets[i]; entry != NULL;
                entry = entry->next) {
            char slot[16] = "none";
            if (entry->place.slot != NO_SLOT) {
                snprintf(slot, sizeof slot, "%u", rules->slots.items[entry->place.slot].index);
            }
            append_line(text, entry->tid, slot, entry->name);
        }
    }
    pthread_mutex_unlock(&rules->lock);
}
