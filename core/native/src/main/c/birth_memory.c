#include "birth_memory.h"

#include "leader_policy.h"
#include "memory_bind.h"
#include "nodes_near.h"
#include "reexec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A JVM takes less than 20 MB until it loads its agents. */
#define START_BYTES (UINT64_C(128) << 20)

enum { NOT_NARROWED = -1 };

static int wanted_nodes(
        const char *root, const struct process_binding *process, struct index_set *nodes) {
    if (process->memory == MEMORY_PREFER) {
        return index_set_copy(nodes, &process->nodes);
    }
    return process->memory == MEMORY_LOCAL && !index_set_is_empty(&process->cpus)
                   ? nodes_near_cpus(root, &process->cpus, nodes)
                   : -ENOENT;
}

bool birth_memory_nodes(
        const char *root, const struct process_binding *process, struct index_set *nodes) {
    struct index_set all = {0};
    bool some = wanted_nodes(root, process, nodes) == 0 && nodes_with_memory(root, &all) == 0 &&
                !index_set_is_empty(nodes) &&
                index_set_common(nodes, &all) < index_set_count(&all) &&
                nodes_room_bytes(root, nodes) >= START_BYTES;
    index_set_free(&all);
    return some;
}

/* The policy that the process goes back to; -1 when it has one of its own, which a user wants the
 * JVM to see. "Prefer" may be there already, by birth_apply(). */
static int former_policy(const struct process_binding *process) {
    struct index_set nodes = {0};
    int policy = memory_policy_get(&nodes);
    index_set_free(&nodes);
    if (process->memory == MEMORY_PREFER) {
        return POLICY_DEFAULT;
    }
    return policy == POLICY_DEFAULT || policy == POLICY_LOCAL ? policy : NOT_NARROWED;
}

static int narrow(const struct process_binding *process, bool set) {
    struct index_set nodes = {0};
    int policy = former_policy(process);
    if (policy != NOT_NARROWED && !(birth_memory_nodes("", process, &nodes) &&
                                          (!set || memory_policy_set(POLICY_BIND, &nodes) == 0))) {
        policy = NOT_NARROWED;
    }
    index_set_free(&nodes);
    return policy;
}

bool birth_memory_may_narrow(const struct process_binding *process) {
    return narrow(process, false) != NOT_NARROWED;
}

void birth_memory_narrow(const struct process_binding *process, char *variable, size_t size) {
    snprintf(variable, size, MEMORY_VARIABLE "=%d", narrow(process, true));
}

void birth_memory_undo(const char *variable) {
    int policy = atoi(variable + sizeof MEMORY_VARIABLE);
    if (policy != NOT_NARROWED) {
        memory_policy_set(policy, NULL);
    }
}

/* The policy that the process had, when it is to be set again. */
static int told_policy(void) {
    const char *told = reexec_done() ? getenv(MEMORY_VARIABLE) : NULL;
    int policy = told == NULL ? NOT_NARROWED : atoi(told);
    struct index_set nodes = {0};
    /* Another agent of this JVM may have done it. */
    bool narrowed = policy != NOT_NARROWED && memory_policy_get(&nodes) == POLICY_BIND;
    index_set_free(&nodes);
    return narrowed ? policy : NOT_NARROWED;
}

int birth_memory_widen(const struct process_binding *process, struct error_text *error) {
    bool prefer = process->memory == MEMORY_PREFER;
    int policy = prefer || process->memory == MEMORY_LOCAL ? told_policy() : NOT_NARROWED;
    if (policy == NOT_NARROWED) {
        return 0;
    }
    int result = prefer ? memory_mode_apply(process->memory, &process->nodes)
                        : memory_policy_set(policy, NULL);
    if (result < 0) {
        return error_set_system(error, -result,
                "cannot set the memory policy %s; the policy bind, under which the JVM started, "
                "stays",
                memory_mode_word(process->memory));
    }
    result = leader_policy_set();
    if (result < 0) {
        message_print("/proc/%d/numa_maps shows the memory policy bind, which only the thread has "
                      "that waits for the JVM: %s",
                (int)getpid(), strerror(-result));
    }
    return 0;
}
