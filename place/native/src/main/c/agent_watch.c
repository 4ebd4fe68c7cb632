/*
 * A thread that checks once a second whether the process still has the mask that it was given.
 *
 * When a cpuset is rewritten (Kubernetes' CPU manager does so when pods come and go) or a CPU goes
 * offline, the kernel gives every thread of the process a new mask silently: kernels
 * before 6.2 the whole new cpuset, later ones what is left of the old mask. Polling is the only
 * way: neither cpuset.cpus.effective nor a mask can be waited for. See
 * https://docs.kernel.org/admin-guide/cgroup-v2.html#cpuset and sched_setaffinity(2).
 */
#include "agent_memory.h"
#include "agent_outside.h"
#include "agent_rules.h"
#include "agent_state.h"

#include "cpu_bind.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum {
    TICK_MILLIS = 1000,
    /* Collector and compiler threads are made in the first moments. */
    EARLY_TICKS = 40,
    EARLY_MILLIS = 50,
    MASK_WORDS = 128,
    PASSES = 20,
    /* After a change, for threads that the kernel moves later, when they wake up. */
    AFTER_TICKS = 30,
    LIST_SIZE = 120
};

static void sleep_millis(long millis) {
    nanosleep(&(struct timespec){millis / 1000, millis % 1000 * 1000000}, NULL);
}

/* Threads without a mask of their own: those that had the whole former set, those that the kernel
 * moved out of the new one, and those that sleep with a mask of CPUs that are all offline. The
 * kernel shows such a mask as an empty one, and gives the thread all CPUs when it wakes up. */
static bool needs_process_cpus(int tid, const struct index_set *former,
        const struct index_set *allowed, const struct index_set *process_cpus) {
    uint64_t words[MASK_WORDS];
    struct index_set now = {words, MASK_WORDS};
    struct thread_rules *rules = atomic_load(&agent.rules);
    return (rules == NULL || !thread_rules_knows(rules, tid)) && cpu_bind_get(tid, &now) == 0 &&
           (index_set_is_empty(&now) || index_set_equals(&now, former) ||
                   index_set_equals(&now, allowed) || !index_set_is_inside(&now, process_cpus)) &&
           !index_set_equals(&now, process_cpus);
}

/* Goes through all threads once; returns how many were bound. */
static int bind_to_process_cpus(DIR *tasks, const struct index_set *former,
        const struct index_set *allowed, const struct index_set *process_cpus) {
    struct error_text error;
    int count = 0;
    rewinddir(tasks);
    for (struct dirent *entry; (entry = readdir(tasks)) != NULL;) {
        int tid = atoi(entry->d_name);
        if (tid > 0 && needs_process_cpus(tid, former, allowed, process_cpus)) {
            count += process_binding_move_thread(tid, process_cpus, &error) > 0 ? 1 : 0;
        }
    }
    return count;
}

static int bind_everything(DIR *tasks, const struct index_set *former,
        const struct index_set *allowed, const struct index_set *process_cpus,
        struct thread_rules *former_rules) {
    struct error_text error;
    struct thread_rules *rules = atomic_load(&agent.rules);
    int count = 0;
    /* A thread that starts meanwhile inherits the mask of one that may not be bound yet. */
    for (int pass = 0, moved = 1; pass < PASSES && (moved > 0 || pass < 3); pass++) {
        moved = rules == NULL || rules == former_rules
                        ? 0
                        : thread_rules_take_over(rules, former_rules, NULL);
        moved += bind_to_process_cpus(tasks, former, allowed, process_cpus);
        count += moved;
        sleep_millis(1);
    }
    if (rules != NULL) {
        thread_rules_bind_groups(rules, &error);
    }
    return count;
}

/* The CPUs that may be used have changed; `base` is what is left of the inherited ones. */
static int follow_in(DIR *tasks, const struct index_set *allowed, const struct index_set *base,
        int *moved, struct error_text *error) {
    struct index_set process_cpus = {0};
    struct index_set former = {0};
    struct error_text cause = {""};
    struct thread_rules *former_rules = atomic_load(&agent.rules);
    int result = assignment_cpus_within(
            &agent.assignment, &agent.options, &agent.wanted, base, &process_cpus, error);
    if (result >= 0) {
        agent_outside_keep(&process_cpus);
    }
    if (result >= 0 && former_rules != NULL) {
        result = agent_replace_rules(&process_cpus, &cause);
        *error = result < 0 ? cause : *error;
    }
    if (result >= 0) {
        former = agent.process.cpus;
        agent.process.cpus = process_cpus;
        *moved = bind_everything(tasks, &former, allowed, &process_cpus, former_rules);
        agent_outside_begin();
        index_set_free(&former);
    } else {
        index_set_free(&process_cpus);
    }
    return result;
}

/* The threads are listed with what is opened before anything is changed: without a descriptor the
 * whole change is followed later. */
static int follow(const struct index_set *allowed, const struct index_set *base, int *moved,
        struct error_text *error) {
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL) {
        return error_set_system(error, errno, "cannot list /proc/self/task");
    }
    int result = follow_in(tasks, allowed, base, moved, error);
    closedir(tasks);
    return result;
}

/* Threads that were elsewhere when the last change was followed, such as one that was being
 * started, or whose CPU went offline just then. */
static void look_again(const struct index_set *allowed) {
    pthread_mutex_lock(&agent.lock);
    DIR *tasks = opendir("/proc/self/task");
    if (tasks != NULL && !index_set_is_empty(&agent.process.cpus) &&
            index_set_is_empty(&agent.outside)) {
        bind_to_process_cpus(tasks, &agent.process.cpus, allowed, &agent.process.cpus);
    }
    if (tasks != NULL) {
        closedir(tasks);
    }
    pthread_mutex_unlock(&agent.lock);
}

/* What was said last: a change that cannot be followed is tried again every second. */
static struct error_text said;

/* What is left of the inherited CPUs. A mask that was narrower than the cpuset was set on purpose.
 */
static int cut_inherited(
        struct index_set *base, const struct index_set *before, const struct index_set *now) {
    int result = index_set_copy(base, now);
    if (result == 0 && !index_set_is_inside(before, &agent.inherited)) {
        index_set_and(base, &agent.inherited);
        if (index_set_is_empty(base)) {
            result = index_set_copy(base, now);
        }
    }
    return result;
}

static int tell(const struct index_set *before, const struct index_set *now) {
    char lists[3][LIST_SIZE];
    struct error_text error = {""};
    struct index_set base = {0};
    int moved = 0;
    index_set_format(before, lists[0], LIST_SIZE);
    index_set_format(now, lists[1], LIST_SIZE);
    int result = cut_inherited(&base, before, now);
    result = result < 0 ? error_set_system(&error, -result, "cannot follow")
                        : follow(now, &base, &moved, &error);
    if (result < 0 && strcmp(said.text, error.text) != 0) {
        said = error;
        message_print(
                "the CPUs that this process may use changed from %s to %s: %s; its threads stay "
                "where the kernel moved them until a next attempt",
                lists[0], lists[1], error.text);
    } else if (result >= 0) {
        said.text[0] = '\0';
        index_set_format(&agent.process.cpus, lists[2], LIST_SIZE);
        message_print(
                "the CPUs that this process may use changed from %s to %s: bound to %s again, %d "
                "threads moved",
                lists[0], lists[1], lists[2], moved);
        if (error.text[0] != '\0') {
            message_print("%s", error.text);
        }
    }
    index_set_free(&base);
    return result;
}

/* The holder is the only one who notices: without its name a lease is held that no process sees. */
static void keep_lease(struct error_text *lost) {
    struct error_text error = {""};
    int result = assignment_keep_lease(&agent.assignment, &agent.options, &error);
    if (result != 0 && strcmp(lost->text, error.text) != 0) {
        message_print("%s", error.text);
    }
    *lost = error;
}

/* Under the lock also while the own mask is wide: another agent of this JVM may bind this thread.
 * Whether the CPUs have changed. */
static bool look(struct index_set *allowed) {
    static struct error_text lost;
    uint64_t words[MASK_WORDS];
    struct index_set now = {words, MASK_WORDS};
    pthread_mutex_lock(&agent.lock);
    keep_lease(&lost);
    int result = agent_cpuset_read(&now);
    bool changed = result == 0 && !index_set_is_empty(allowed) &&
                   !index_set_equals(allowed, &now) && !index_set_is_empty(&agent.process.cpus);
    if (changed) {
        result = tell(allowed, &now);
    }
    agent_memory_look();
    pthread_mutex_unlock(&agent.lock);
    if (result >= 0) {
        index_set_copy(allowed, &now);
    }
    return changed;
}

/* Once for a reason that lasts: between a change of the cpuset and our next look, a group's CPUs
 * may be out of reach for a moment. */
static void look_for_groups(struct thread_rules *rules, unsigned *failures) {
    struct error_text error;
    if (thread_rules_bind_groups(rules, &error) >= 0) {
        *failures = 0;
    } else if (++*failures > 1 && !atomic_exchange(&agent.failure_printed, 1)) {
        message_print("%s", error.text);
    }
}

/* The lock is held, and the lease has moved. */
static void leave_crowd(const struct index_set *allowed, const struct index_set *base) {
    char lists[2][LIST_SIZE];
    struct error_text error = {""};
    int moved = 0;
    index_set_format(&agent.process.cpus, lists[0], LIST_SIZE);
    if (follow(allowed, base, &moved, &error) < 0) {
        message_print("processes that do not see this lease use the CPUs %s: %s; the threads stay",
                lists[0], error.text);
        return;
    }
    message_print("processes that do not see this lease use the CPUs %s: moved to %s (CPUs %s), %d "
                  "threads",
            lists[0], agent.assignment.lease.domain,
            index_set_format(&agent.process.cpus, lists[1], LIST_SIZE), moved);
}

/* Where others may not see the lease, their load is looked at. The time to the next look, or -1. */
static int64_t look_for_others(const struct index_set *allowed, struct error_text *lost) {
    struct error_text error = {""};
    struct index_set base = {0};
    int moved = 0;
    int64_t wait = -1;
    pthread_mutex_lock(&agent.lock);
    if (agent.assignment.lease.apart && index_set_is_empty(&agent.outside) &&
            !index_set_is_empty(&agent.process.cpus) && !index_set_is_empty(allowed) &&
            cut_inherited(&base, allowed, allowed) == 0) {
        wait = assignment_leave_crowd(
                &agent.assignment, &agent.options, &base, (long)getpid(), &moved, &error);
        if (moved > 0) {
            leave_crowd(allowed, &base);
        } else if (error.text[0] != '\0' && strcmp(lost->text, error.text) != 0) {
            message_print("%s", error.text);
        }
        *lost = moved == 0 ? *lost : error;
    }
    pthread_mutex_unlock(&agent.lock);
    index_set_free(&base);
    return wait;
}

/* Until the next tick. */
static void rest(const struct index_set *allowed, int64_t millis) {
    static struct error_text lost;
    while (millis > 0) {
        int64_t wait = atomic_load(&agent.guard) ? look_for_others(allowed, &lost) : -1;
        wait = wait < 0 || wait > millis ? millis : wait;
        sleep_millis((long)wait);
        millis -= wait;
    }
}

static void *watch(void *nothing) {
    /* Not on the heap, like all that is read each second: a change is seen without memory, too. */
    uint64_t words[MASK_WORDS] = {0};
    struct index_set allowed = {words, MASK_WORDS};
    unsigned failures = 0;
    unsigned again = 0;
    /* The thread that waits for this one goes on afterwards: a change from now on is one. */
    if (agent_cpuset_read(&allowed) < 0) {
        index_set_clear(&allowed);
    }
    agent_memory_begin();
    atomic_store(&agent.watcher, current_thread_id());
    prctl(PR_SET_NAME, "berth-watch", 0, 0, 0);
    for (unsigned tick = 0;; tick++) {
        struct thread_rules *rules = atomic_load(&agent.rules);
        bool groups = rules != NULL && thread_rules_has_groups(rules);
        bool early = groups && tick < EARLY_TICKS;
        bool outside = false;
        if (!early || tick == 0) {
            if (atomic_load(&agent.guard)) {
                again = look(&allowed) ? AFTER_TICKS : again > 0 ? again - 1 : 0;
            }
            outside = agent_outside_look();
            if (again > 0 && !outside) {
                look_again(&allowed);
            }
            rules = atomic_load(&agent.rules);
        }
        if (groups && rules != NULL && !outside) {
            look_for_groups(rules, &failures);
        }
        if (!early || tick == 0) {
            agent_rules_look();
        }
        rest(&allowed, early ? EARLY_MILLIS : TICK_MILLIS);
    }
    return nothing;
}

int agent_watch_start(struct error_text *error) {
    agent_outside_begin();
    if (atomic_load(&agent.watcher) != 0) {
        return 0;
    }
    int result = agent_thread_start(watch, NULL);
    if (result < 0) {
        return error_set_system(
                error, -result, "cannot start the thread that follows changes of the cpuset");
    }
    while (atomic_load(&agent.watcher) == 0) {
        sched_yield();
    }
    return 0;
}
