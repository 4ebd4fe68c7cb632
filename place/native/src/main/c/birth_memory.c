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

/* Modes that a JVM takes for "all nodes", but for local. */
static bool is_misread(enum memory_mode mode) {
    return mode == MEMORY_PREFER || mode == MEMORY_WEIGHTED || mode == MEMORY_BIND_BALANCE ||
           mode == MEMORY_PREFER_BALANCE;
}

/* The policy to go back to is that of the mode, and not that which the process had. */
static bool has_mode(const struct process_binding *process) {
    return is_misread(process->memory) || (process->own_heap && process->memory != MEMORY_LOCAL);
}

/* The first one with room for the JVM's start. */
static int keep_one(const char *root, struct index_set *nodes) {
    for (int node = index_set_next(nodes, 0); node >= 0;
            node = index_set_next(nodes, (unsigned)node + 1)) {
        struct index_set one = {0};
        bool fits = index_set_add(&one, (unsigned)node) == 0 &&
                    nodes_room_bytes(root, &one) >= START_BYTES;
        int result = fits ? index_set_copy(nodes, &one) : 0;
        index_set_free(&one);
        if (fits) {
            return result;
        }
    }
    return -ENOENT;
}

static int wanted_nodes(
        const char *root, const struct process_binding *process, struct index_set *nodes) {
    bool one = process->own_heap || process->memory == MEMORY_WEIGHTED;
    int result = -ENOENT;
    if (has_mode(process)) {
        result = index_set_copy(nodes, &process->nodes);
    } else if (process->memory == MEMORY_LOCAL && !index_set_is_empty(&process->cpus)) {
        result = nodes_near_cpus(root, &process->cpus, nodes);
    }
    if (result < 0 && process->own_heap) {
        result = nodes_with_memory(root, nodes);
    }
    return result == 0 && one ? keep_one(root, nodes) : result;
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
 * JVM to see. That of its mode may be there already, by birth_apply(). */
static int former_policy(const struct process_binding *process) {
    struct index_set nodes = {0};
    int policy = memory_policy_get(&nodes);
    index_set_free(&nodes);
    if (has_mode(process)) {
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
    bool own = has_mode(process);
    int policy = own || process->memory == MEMORY_LOCAL ? told_policy() : NOT_NARROWED;
    if (policy == NOT_NARROWED) {
        return 0;
    }
    int result = own ? memory_mode_apply(process->memory, &process->nodes)
                     : memory_policy_set(policy, NULL);
    if (result < 0) {
        return error_set(error, -result,
                "cannot set the memory policy %s: %s%s; the policy bind, under which the JVM "
                "started, stays",
                memory_mode_word(process->memory), strerror(-result),
                own && result == -EINVAL ? memory_mode_needs(process->memory) : "");
    }
    result = leader_policy_set();
    if (result < 0) {
        message_print("/proc/%d/numa_maps shows the memory policy bind, which only the thread has "
                      "that waits for the JVM: %s",
                (int)getpid(), strerror(-result));
    }
    return 0;
}
