#include "agent_outside.h"

#include "agent_state.h"
#include "cpu_bind.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { LIST_SIZE = 120, MASK_WORDS = 128 };

void agent_outside_begin(void) {
    if (cpu_bind_get((int)getpid(), &agent.leader) < 0) {
        index_set_clear(&agent.leader);
    }
}

void agent_outside_keep(struct index_set *process_cpus) {
    if (index_set_common(process_cpus, &agent.outside) == 0) {
        index_set_clear(&agent.outside);
    } else {
        index_set_and(process_cpus, &agent.outside);
    }
}

/* Once, since it is tried again every second. */
static void tell_failure(const struct index_set *leader, const struct error_text *error) {
    static bool told;
    char list[LIST_SIZE];
    if (error != NULL && !told) {
        message_print("the first thread of this process was bound from outside to CPUs %s: %s; "
                      "the agent binds as before until a next attempt",
                index_set_format(leader, list, sizeof list), error->text);
    }
    told = error != NULL;
}

/* Another process has bound this one ('berth bind', taskset -a): the first thread shows it, as it
 * does to `taskset -p`. Rules hold inside these CPUs from now on; where threads are that was bound
 * there stays. When the former CPUs return, so do the former places. */
static int yield_to(const struct index_set *leader, struct error_text *error) {
    char list[LIST_SIZE];
    struct thread_rules *former = atomic_load(&agent.rules);
    bool whole = index_set_equals(
            leader, index_set_is_empty(&agent.wanted) ? &agent.inherited : &agent.wanted);
    int result = former == NULL ? 0 : agent_replace_rules(leader, error);
    if (result >= 0 && former != NULL) {
        thread_rules_take_over(atomic_load(&agent.rules), former, whole ? NULL : leader);
        if (thread_rules_has_groups(former)) {
            /* Before the line below, which is true of them, too. */
            struct error_text ignored;
            thread_rules_bind_groups(atomic_load(&agent.rules), &ignored);
        }
    }
    if (result >= 0 && !index_set_is_empty(&agent.process.cpus)) {
        result = index_set_copy(&agent.process.cpus, leader);
    }
    index_set_clear(&agent.outside);
    if (result >= 0 && !whole) {
        result = index_set_copy(&agent.outside, leader);
    }
    if (result >= 0) {
        message_print("this process was bound from outside to CPUs %s: %s",
                index_set_format(leader, list, sizeof list),
                whole ? "the agent's binding holds again" : "the agent binds inside them");
    }
    return result;
}

/* Whether this is what a bind of the whole process leaves: most threads that no rule binds are
 * inside. A mask that the first thread alone has got is its own affair, by a rule, or by the
 * program that made the JVM. -errno when that cannot be seen. */
static int is_process_wide(const struct index_set *leader, struct error_text *error) {
    unsigned inside = 0;
    unsigned all = 0;
    struct thread_rules *rules = atomic_load(&agent.rules);
    int concerned = 0;
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL) {
        return error_set_system(error, errno, "cannot list /proc/self/task");
    }
    for (struct dirent *entry; concerned >= 0 && (entry = readdir(tasks)) != NULL;) {
        uint64_t words[MASK_WORDS];
        struct index_set now = {words, MASK_WORDS};
        int tid = atoi(entry->d_name);
        concerned = tid <= 0 || rules == NULL ? 0 : thread_rules_concern(rules, tid, error);
        if (tid > 0 && concerned == 0 && cpu_bind_get(tid, &now) == 0) {
            all++;
            inside += index_set_is_inside(&now, leader) ? 1 : 0;
        }
    }
    closedir(tasks);
    return concerned < 0 ? concerned : inside > 1 && inside * 2 > all;
}

bool agent_outside_look(void) {
    /* Not on the heap: it is seen without memory, too. */
    static uint64_t seen_words[MASK_WORDS];
    static struct index_set seen = {seen_words, MASK_WORDS};
    uint64_t words[MASK_WORDS];
    struct index_set now = {words, MASK_WORDS};
    pthread_mutex_lock(&agent.lock);
    int result = cpu_bind_get((int)getpid(), &now);
    if (result == 0 && index_set_is_empty(&agent.leader)) {
        /* It could not be read when the agent began. */
        index_set_copy(&agent.leader, &now);
    }
    bool changed = result == 0 && !index_set_is_empty(&agent.leader) &&
                   !index_set_equals(&now, &agent.leader);
    if (changed && index_set_equals(&now, &seen)) {
        struct error_text error = {""};
        result = is_process_wide(&now, &error);
        result = result > 0 ? yield_to(&now, &error) : result;
        tell_failure(&now, result < 0 ? &error : NULL);
        if (result >= 0) {
            index_set_copy(&agent.leader, &now);
            changed = false;
        }
    }
    index_set_clear(&seen);
    if (changed) {
        index_set_copy(&seen, &now);
    }
    pthread_mutex_unlock(&agent.lock);
    return changed;
}
