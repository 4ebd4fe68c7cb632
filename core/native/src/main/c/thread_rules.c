#include "thread_rules.h"

#include "cpu_bind.h"
#include "file_text.h"
#include "glob.h"
#include "memory_bind.h"
#include "process_bind.h"
#include "slots.h"
#include "thread_registry.h"
#include "vm_threads.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All that the threads of a rule may get together. */
struct target {
    struct index_set cpus;
    struct index_set nodes;
};

struct thread_rules {
    /* Written once, before any thread can see them: */
    struct rules rules;
    struct target *targets;        /* one for each rule */
    struct index_set process_cpus; /* of the whole process */
    struct index_set process_nodes;
    enum memory_mode memory;

    /* Guards what follows, except the sets of the slots, which never change. */
    pthread_mutex_t lock;
    struct slots slots;
    struct thread_registry registry;
    unsigned long matched;
    unsigned long failed;
};

enum { COMM_LIMIT = 4096, PATH_SIZE = 64 };

void thread_rules_free(struct thread_rules *rules) {
    if (rules != NULL) {
        for (size_t i = 0; rules->targets != NULL && i < rules->rules.count; i++) {
            index_set_free(&rules->targets[i].cpus);
            index_set_free(&rules->targets[i].nodes);
        }
        free(rules->targets);
        rules_free(&rules->rules);
        index_set_free(&rules->process_cpus);
        index_set_free(&rules->process_nodes);
        slots_free(&rules->slots);
        thread_registry_free(&rules->registry);
        pthread_mutex_destroy(&rules->lock);
        free(rules);
    }
}

/* Every rule must have something to give. Returns 1 when some of it lies outside. */
static int check_rule(struct thread_rules *rules, size_t i, struct error_text *error) {
    const struct rule *rule = &rules->rules.items[i];
    struct target *target = &rules->targets[i];
    char list[120];
    if (rule->target == TARGET_PROCESS) {
        return index_set_copy(&target->cpus, &rules->process_cpus) < 0 ||
                               index_set_copy(&target->nodes, &rules->process_nodes) < 0
                       ? -ENOMEM
                       : 0;
    }
    if (rule->target == TARGET_SLOT) {
        int result = slots_union(&rules->slots, rule, &target->cpus, &target->nodes);
        return result != -ENOENT ? result
                                 : error_set(error, EINVAL,
                                           "the thread rule '%.100s' has no slot of role %s inside "
                                           "the CPUs of this process",
                                           rule->glob, rule->role);
    }
    if (index_set_copy(&target->cpus, &rule->cpus) < 0 ||
            index_set_copy(&target->nodes, &rules->process_nodes) < 0) {
        return -ENOMEM;
    }
    index_set_and(&target->cpus, &rules->process_cpus);
    if (index_set_is_empty(&target->cpus)) {
        return error_set(error, EINVAL,
                "the thread rule '%.100s' names the CPUs %s, and none of them is one of this "
                "process",
                rule->glob, index_set_format(&rule->cpus, list, sizeof list));
    }
    return index_set_count(&target->cpus) < index_set_count(&rule->cpus) ? 1 : 0;
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
        result = index_set_copy(&rules->process_cpus, cpus);
    }
    if (result == 0) {
        result = index_set_copy(&rules->process_nodes, &wanted.nodes);
    }
    process_binding_free(&wanted);
    if (result == 0) {
        result = slots_create(
                &rules->slots, plan, worker, &rules->process_cpus, &rules->process_nodes, outside);
    }
    if (result == 0) {
        result = rules_add_all(&rules->rules, &plan->rules);
    }
    rules->targets = calloc(rules->rules.count + 1, sizeof *rules->targets);
    result = rules->targets == NULL ? -ENOMEM : result;
    bool cut = false;
    for (size_t i = 0; i < rules->rules.count && result >= 0; i++) {
        result = check_rule(rules, i, error);
        cut = cut || result > 0;
    }
    return result < 0 ? result : cut ? 1 : 0;
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
                "%u slots of the plan lie outside the CPUs of this process and are not used",
                outside);
        return 1;
    }
    if (result > 0) {
        error_set(error, 0,
                "some CPUs that thread rules name lie outside the CPUs of this process and are not "
                "used");
    }
    return result > 0 ? 1 : 0;
}

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
            cpu_bind_set(0, &rules->process_cpus);
            memory_mode_apply(rules->memory, &rules->process_nodes);
            return;
        }
    }
}

static int rule_of(const struct thread_rules *rules, const char *name) {
    for (size_t i = 0; i < rules->rules.count; i++) {
        const struct rule *rule = &rules->rules.items[i];
        if (!rule_is_group(rule) && glob_matches(rule->glob, name)) {
            return (int)i;
        }
    }
    return -ENOENT;
}

/* The position of the slot, or NO_SLOT. */
static int take(struct thread_rules *rules, int tid, const char *name, const struct rule *rule) {
    pthread_mutex_lock(&rules->lock);
    /* An id that is known belongs to a thread whose end was not reported. */
    int stale = thread_registry_remove(&rules->registry, tid);
    if (stale >= 0 && stale != NO_SLOT) {
        slots_release(&rules->slots, (size_t)stale);
    }
    int position = rule->target == TARGET_SLOT ? slots_take(&rules->slots, rule) : NO_SLOT;
    size_t entry = position < 0 ? NO_SLOT : (size_t)position;
    if (thread_registry_add(&rules->registry, tid, entry, name) < 0) {
        if (position >= 0 && position != NO_SLOT) {
            slots_release(&rules->slots, (size_t)position);
        }
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
    if (position >= 0 && position != NO_SLOT) {
        slots_release(&rules->slots, (size_t)position);
    }
    rules->failed += failed ? 1 : 0;
    pthread_mutex_unlock(&rules->lock);
    return position >= 0;
}

/* The sets that a thread gets; they are the rules' own. */
static struct process_binding binding_of(const struct thread_rules *rules, int rule, int position) {
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

int thread_rules_started(
        struct thread_rules *rules, int tid, const char *name, struct error_text *error) {
    int rule = rule_of(rules, name);
    if (rule < 0) {
        leave_creators_slot(rules);
        return -ENOENT;
    }
    int position = take(rules, tid, name, &rules->rules.items[rule]);
    /* Outside the lock: a move to another CPU takes 20 us. */
    struct process_binding binding = binding_of(rules, rule, position);
    int result = cpu_bind_set(0, &binding.cpus);
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
        give_back(rules, tid, true);
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

void thread_rules_ended(struct thread_rules *rules, int tid) {
    /* The kernel's thread may live on: a native thread that was attached for a while, or the one
     * of main(), which runs the shutdown. */
    if (give_back(rules, tid, false)) {
        cpu_bind_set(0, &rules->process_cpus);
        memory_mode_apply(rules->memory, &rules->process_nodes);
    }
}

static size_t count_groups(const struct thread_rules *rules) {
    size_t count = 0;
    for (size_t i = 0; i < rules->rules.count; i++) {
        count += rule_is_group(&rules->rules.items[i]) ? 1 : 0;
    }
    return count;
}

bool thread_rules_has_groups(const struct thread_rules *rules) {
    return count_groups(rules) > 0;
}

bool thread_rules_has_names(const struct thread_rules *rules) {
    return count_groups(rules) < rules->rules.count;
}

/* The first rule for the group that a name of the kernel's belongs to, or -ENOENT. */
static int group_rule_of(const struct thread_rules *rules, const char *comm) {
    const char *group = vm_thread_is_gc(comm) ? GLOB_GC : vm_thread_is_jit(comm) ? GLOB_JIT : "";
    for (size_t i = 0; i < rules->rules.count; i++) {
        if (strcmp(rules->rules.items[i].glob, group) == 0) {
            return (int)i;
        }
    }
    return -ENOENT;
}

static int group_rule_of_thread(const struct thread_rules *rules, int tid) {
    char path[PATH_SIZE];
    char *comm;
    size_t length;
    snprintf(path, sizeof path, "/proc/self/task/%d/comm", tid);
    if (file_text_read(path, COMM_LIMIT, &comm, &length) < 0) {
        return -ENOENT;
    }
    int rule = group_rule_of(rules, comm);
    free(comm);
    return rule;
}

/* 1 when the thread had another mask. A thread that has ended meanwhile is no failure. */
static int bind_group_thread(struct thread_rules *rules, int tid, struct error_text *error) {
    int rule = group_rule_of_thread(rules, tid);
    int result = rule < 0 ? 0 : process_binding_move_thread(tid, &rules->targets[rule].cpus, error);
    return result == -ESRCH ? 0 : result;
}

int thread_rules_bind_groups(struct thread_rules *rules, struct error_text *error) {
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL) {
        return error_set_system(error, errno, "cannot list /proc/self/task");
    }
    int count = 0;
    for (struct dirent *entry; count >= 0 && (entry = readdir(tasks)) != NULL;) {
        int tid = atoi(entry->d_name);
        int result = tid <= 0 ? 0 : bind_group_thread(rules, tid, error);
        count = result < 0 ? result : count + result;
    }
    closedir(tasks);
    return count;
}

bool thread_rules_knows(struct thread_rules *rules, int tid) {
    pthread_mutex_lock(&rules->lock);
    bool found = thread_registry_has(&rules->registry, tid);
    pthread_mutex_unlock(&rules->lock);
    return found;
}

bool thread_rules_concern(struct thread_rules *rules, int tid) {
    return thread_rules_knows(rules, tid) || group_rule_of_thread(rules, tid) >= 0;
}

static bool is_inside(int tid, const struct index_set *cpus) {
    struct index_set now = {0};
    bool inside =
            cpu_bind_get(tid, &now) == 0 && index_set_common(&now, cpus) == index_set_count(&now);
    index_set_free(&now);
    return inside;
}

int thread_rules_take_over(
        struct thread_rules *rules, struct thread_rules *former, const struct index_set *keep) {
    int count = 0;
    /* The former ones are locked throughout, so that a thread that ends waits for its turn. */
    pthread_mutex_lock(&former->lock);
    for (int i = 0; i < REGISTRY_BUCKETS; i++) {
        for (const struct thread_entry *entry = former->registry.buckets[i]; entry != NULL;
                entry = entry->next) {
            struct error_text error;
            int rule = rule_of(rules, entry->name);
            if (rule < 0 || thread_rules_knows(rules, entry->tid)) {
                continue;
            }
            int position = take(rules, entry->tid, entry->name, &rules->rules.items[rule]);
            struct process_binding binding = binding_of(rules, rule, position);
            int result = keep != NULL && is_inside(entry->tid, keep)
                                 ? 0
                                 : process_binding_move_thread(entry->tid, &binding.cpus, &error);
            if (result == -ESRCH) {
                give_back(rules, entry->tid, false);
            }
            count += result > 0 ? 1 : 0;
        }
    }
    pthread_mutex_unlock(&former->lock);
    return count;
}

/* A thread's name is anything; a line is a line. */
static void append_line(struct text_buffer *text, int tid, const char *slot, const char *name) {
    char clean[256];
    size_t length = 0;
    for (; name[length] != '\0' && length < sizeof clean - 1; length++) {
        clean[length] = (unsigned char)name[length] < 0x20 ? '?' : name[length];
    }
    clean[length] = '\0';
    text_append(text, "thread tid=%d slot=%s name=%s\n", tid, slot, clean);
}

void thread_rules_describe(struct thread_rules *rules, struct text_buffer *text) {
    char target[200];
    pthread_mutex_lock(&rules->lock);
    text_append(text, "rules %zu\nmatched %lu\nfailed %lu\n", rules->rules.count, rules->matched,
            rules->failed);
    for (size_t i = 0; i < rules->rules.count; i++) {
        const struct rule *rule = &rules->rules.items[i];
        text_append(text, "rule target=%s glob=%s\n",
                rule_describe_target(rule, target, sizeof target), rule->glob);
    }
    for (int i = 0; i < REGISTRY_BUCKETS; i++) {
        for (const struct thread_entry *entry = rules->registry.buckets[i]; entry != NULL;
                entry = entry->next) {
            char slot[16] = "none";
            if (entry->slot != NO_SLOT) {
                snprintf(slot, sizeof slot, "%u", rules->slots.items[entry->slot].index);
            }
            append_line(text, entry->tid, slot, entry->name);
        }
    }
    pthread_mutex_unlock(&rules->lock);
}
