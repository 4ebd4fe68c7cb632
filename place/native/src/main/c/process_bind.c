#include "process_bind.h"

#include "cpu_bind.h"
#include "memory_bind.h"
#include "seccomp_probe.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LIST_SIZE = 120, QUIET_PASSES = 3, MASK_WORDS = 128, BETWEEN_PASSES_NANOS = 1000000 };

int memory_mode_policy(enum memory_mode mode) {
    switch (mode) {
    case MEMORY_BIND:
        return POLICY_BIND;
    case MEMORY_PREFER:
        return POLICY_PREFERRED;
    case MEMORY_INTERLEAVE:
        return POLICY_INTERLEAVE;
    case MEMORY_WEIGHTED:
        return POLICY_WEIGHTED;
    case MEMORY_BIND_BALANCE:
        return POLICY_BIND_BALANCE;
    case MEMORY_PREFER_BALANCE:
        return POLICY_PREFER_BALANCE;
    case MEMORY_LOCAL:
        break;
    }
    return POLICY_DEFAULT;
}

const char *memory_mode_needs(enum memory_mode mode) {
    switch (mode) {
    case MEMORY_WEIGHTED:
        return " (it needs Linux 6.9; heap-memory=weighted:W0,W1 places the heap on every kernel)";
    case MEMORY_BIND_BALANCE:
        return " (it needs Linux 5.12 with CONFIG_NUMA_BALANCING)";
    case MEMORY_PREFER_BALANCE:
        return " (it needs Linux 6.10 with CONFIG_NUMA_BALANCING; bind-balance needs 5.12)";
    default:
        return "";
    }
}

int memory_mode_apply(enum memory_mode mode, const struct index_set *nodes) {
    return mode == MEMORY_LOCAL ? 0 : memory_policy_set(memory_mode_policy(mode), nodes);
}

void process_binding_free(struct process_binding *binding) {
    index_set_free(&binding->cpus);
    index_set_free(&binding->nodes);
}

int process_binding_of_plan(struct process_binding *binding, const struct plan *plan, int worker,
        struct error_text *error) {
    unsigned last_worker = 0;
    bool found = false;
    binding->memory = plan->memory;
    for (size_t i = 0; i < plan->slot_count; i++) {
        const struct plan_slot *slot = &plan->slots[i];
        last_worker = slot->worker > last_worker ? slot->worker : last_worker;
        if (worker >= 0 && slot->worker != (unsigned)worker) {
            continue;
        }
        found = true;
        if (index_set_or(&binding->cpus, &slot->cpus) < 0 ||
                index_set_or(&binding->nodes, &slot->nodes) < 0) {
            return error_set(error, ENOMEM, "out of memory");
        }
    }
    if (!found) {
        return error_set(error, ENOENT, "the plan has no worker %d; its workers are 0 to %u",
                worker, last_worker);
    }
    /* A machine that names no nodes cannot be asked for a policy over them. */
    if (index_set_is_empty(&binding->nodes)) {
        binding->memory = MEMORY_LOCAL;
    }
    return 0;
}

/* `what` is "CPUs" or "memory nodes". */
static int cut(struct index_set *wanted, const struct index_set *allowed, const char *what,
        struct error_text *error) {
    char wanted_list[LIST_SIZE];
    char allowed_list[LIST_SIZE];
    unsigned count = index_set_count(wanted);
    index_set_format(wanted, wanted_list, sizeof wanted_list);
    index_set_format(allowed, allowed_list, sizeof allowed_list);
    index_set_and(wanted, allowed);
    if (index_set_is_empty(wanted)) {
        return error_set(error, EINVAL,
                "cannot bind to %s %s: none of them is among those that this process may use, %s",
                what, wanted_list, allowed_list);
    }
    if (index_set_count(wanted) < count) {
        error_set(error, 0,
                "of the %s %s only those inside %s are used: this process may not use "
                "the others",
                what, wanted_list, allowed_list);
        return 1;
    }
    return 0;
}

int process_binding_cut_cpus(struct process_binding *binding, struct error_text *error) {
    struct index_set allowed = {0};
    if (index_set_is_empty(&binding->cpus)) {
        return 0;
    }
    int result = cpu_bind_get(0, &allowed);
    if (result < 0) {
        error_set_system(error, -result, "cannot read the affinity mask of this process");
    } else {
        result = cut(&binding->cpus, &allowed, "CPUs", error);
    }
    index_set_free(&allowed);
    return result;
}

int process_binding_cut_cpus_to(struct process_binding *binding, const struct index_set *allowed,
        struct error_text *error) {
    return index_set_is_empty(&binding->cpus) ? 0 : cut(&binding->cpus, allowed, "CPUs", error);
}

int process_binding_cut_nodes(struct process_binding *binding, struct error_text *error) {
    struct index_set allowed = {0};
    if (binding->memory == MEMORY_LOCAL) {
        return 0;
    }
    int result = memory_allowed_nodes(&allowed);
    if (result < 0) {
        error_set(error, -result, "cannot read the memory nodes of this process: %s",
                seccomp_reason(CALL_GET_MEMPOLICY, -result));
    } else {
        result = cut(&binding->nodes, &allowed, "memory nodes", error);
    }
    if (result < 0) {
        binding->memory = MEMORY_LOCAL;
        index_set_clear(&binding->nodes);
    }
    index_set_free(&allowed);
    return result;
}

static bool has_cpus(const struct index_set *wanted) {
    struct index_set cpus = {0};
    bool same = cpu_bind_get(0, &cpus) == 0 && index_set_equals(&cpus, wanted);
    index_set_free(&cpus);
    return same;
}

static bool has_policy(enum memory_mode mode, const struct index_set *wanted) {
    struct index_set nodes = {0};
    int policy = memory_policy_get(&nodes);
    bool same = policy == memory_mode_policy(mode) && index_set_equals(&nodes, wanted);
    /* An old kernel prefers one node only. */
    if (policy == POLICY_PREFERRED && mode == MEMORY_PREFER && index_set_count(&nodes) == 1) {
        same = index_set_next(&nodes, 0) == index_set_next(wanted, 0);
    }
    index_set_free(&nodes);
    return same;
}

/* If the kernel does not tell, as in a container that refuses memory policies, none has been set.
 * */
static bool has_default_policy(void) {
    struct index_set nodes = {0};
    int policy = memory_policy_get(&nodes);
    index_set_free(&nodes);
    return policy < 0 || policy == POLICY_DEFAULT || policy == POLICY_LOCAL;
}

bool process_binding_holds_memory(const struct process_binding *binding) {
    return binding->memory == MEMORY_LOCAL ? !binding->default_policy || has_default_policy()
                                           : has_policy(binding->memory, &binding->nodes);
}

bool process_binding_holds(const struct process_binding *binding) {
    return (index_set_is_empty(&binding->cpus) || has_cpus(&binding->cpus)) &&
           process_binding_holds_memory(binding);
}

static int cpu_failure(
        int result, const struct index_set *cpus, const char *whom, struct error_text *error) {
    char list[LIST_SIZE];
    return error_set(error, -result, "cannot bind %s to CPUs %s: %s", whom,
            index_set_format(cpus, list, sizeof list),
            seccomp_reason(CALL_SCHED_SETAFFINITY, -result));
}

int process_binding_apply_cpus(const struct process_binding *binding, struct error_text *error) {
    char list[LIST_SIZE];
    if (index_set_is_empty(&binding->cpus)) {
        return 0;
    }
    int result = cpu_bind_set(0, &binding->cpus);
    if (result < 0) {
        return cpu_failure(result, &binding->cpus, "this process", error);
    }
    if (!has_cpus(&binding->cpus)) {
        return error_set(error, EINVAL,
                "the kernel did not keep the mask %s: the CPUs of this process have changed",
                index_set_format(&binding->cpus, list, sizeof list));
    }
    return 0;
}

int process_binding_apply_memory(const struct process_binding *binding, struct error_text *error) {
    char list[LIST_SIZE];
    bool inherits = binding->memory == MEMORY_LOCAL && !process_binding_holds_memory(binding);
    int result = inherits ? memory_policy_set(POLICY_DEFAULT, NULL)
                          : memory_mode_apply(binding->memory, &binding->nodes);
    if (result < 0 && inherits) {
        return error_set(error, -result, "cannot set the default memory policy: %s",
                seccomp_reason(CALL_SET_MEMPOLICY, -result));
    }
    if (result < 0) {
        return error_set(error, -result, "cannot set the memory policy %s over nodes %s: %s%s",
                memory_mode_word(binding->memory),
                index_set_format(&binding->nodes, list, sizeof list),
                seccomp_reason(CALL_SET_MEMPOLICY, -result),
                result == -EINVAL ? memory_mode_needs(binding->memory) : "");
    }
    return 0;
}

int process_binding_move_thread(int tid, const struct index_set *cpus, struct error_text *error) {
    /* Not on the heap: the JVM may have no memory left. */
    uint64_t words[MASK_WORDS];
    struct index_set now = {words, MASK_WORDS};
    char whom[32];
    int result = cpu_bind_get(tid, &now);
    bool same = result == 0 && index_set_equals(&now, cpus);
    if (result == 0 && !same) {
        result = cpu_bind_set(tid, cpus);
    }
    if (result < 0) {
        snprintf(whom, sizeof whom, "thread %d", tid);
        return cpu_failure(result, cpus, whom, error);
    }
    return same ? 0 : 1;
}

/* Goes through the threads once; returns how many had to be bound. */
static int bind_other_threads(const struct index_set *cpus, struct error_text *error) {
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL) {
        return error_set_system(error, errno, "cannot list /proc/self/task");
    }
    int count = 0;
    for (struct dirent *entry; count >= 0 && (entry = readdir(tasks)) != NULL;) {
        int tid = atoi(entry->d_name);
        int result = tid <= 0 ? 0 : process_binding_move_thread(tid, cpus, error);
        if (result != -ESRCH) {
            count = result < 0 ? result : count + result;
        }
    }
    closedir(tasks);
    return count;
}

int process_binding_apply_to_all(const struct process_binding *binding, struct error_text *error) {
    if (index_set_is_empty(&binding->cpus)) {
        return 0;
    }
    /* A thread that starts while we read inherits the mask of one that may not be bound yet. The
     * kernel copies the mask early in clone() and lists the thread late, so one pass that finds
     * nothing to do is no proof; a few with time between them are. */
    int quiet = 0;
    for (int pass = 0; pass < 1000; pass++) {
        int count = bind_other_threads(&binding->cpus, error);
        if (count < 0) {
            return count;
        }
        quiet = count > 0 ? 0 : quiet + 1;
        if (quiet == QUIET_PASSES) {
            return 0;
        }
        nanosleep(&(struct timespec){.tv_nsec = BETWEEN_PASSES_NANOS}, NULL);
    }
    return error_set(error, EAGAIN, "threads with another mask keep appearing in this process");
}

const char *process_binding_describe(
        const struct process_binding *binding, char *buffer, size_t size) {
    char cpus[LIST_SIZE];
    char nodes[LIST_SIZE];
    index_set_format(&binding->cpus, cpus, sizeof cpus);
    index_set_format(&binding->nodes, nodes, sizeof nodes);
    snprintf(buffer, size, "CPUs %s, memory %s%s%s", cpus[0] == '\0' ? "as inherited" : cpus,
            memory_mode_word(binding->memory), binding->memory == MEMORY_LOCAL ? "" : " ",
            binding->memory == MEMORY_LOCAL ? "" : nodes);
    return buffer;
}

const char *process_binding_inherits(
        const struct process_binding *binding, char *buffer, size_t size) {
    struct index_set nodes = {0};
    int policy = binding->memory == MEMORY_LOCAL ? memory_policy_get(&nodes) : POLICY_DEFAULT;
    index_set_free(&nodes);
    buffer[0] = '\0';
    for (enum memory_mode mode = MEMORY_BIND; mode <= MEMORY_PREFER_BALANCE; mode++) {
        if (policy == memory_mode_policy(mode)) {
            snprintf(buffer, size, " but for the inherited policy %s", memory_mode_word(mode));
        }
    }
    return buffer;
}
