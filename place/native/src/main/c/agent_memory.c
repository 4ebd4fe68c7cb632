#include "agent_memory.h"

#include "agent_state.h"
#include "leader_policy.h"
#include "memory_bind.h"
#include "nodes_near.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

enum { LIST_SIZE = 120, MOVES = 5 };

/* The policy at the start, local when there is none to keep; the nodes that were right last. */
static struct process_binding home;
static struct index_set kept;
/* Other threads could not be reached, for want of descriptors; tried again, and told once. */
static bool unfinished;

void agent_memory_begin(void) {
    home.memory = MEMORY_LOCAL;
    if (agent.process.memory != MEMORY_LOCAL && process_binding_holds_memory(&agent.process) &&
            index_set_copy(&home.nodes, &agent.process.nodes) == 0 &&
            index_set_copy(&kept, &home.nodes) == 0) {
        home.memory = agent.process.memory;
        home.own_heap = agent.process.own_heap;
    }
}

/* The nodes of the domain, or those that were asked for; where none of them may be used, those of
 * the CPUs that the process has now, and else all that it may use. */
static int right_nodes(const struct index_set *allowed, struct index_set *nodes) {
    bool leased = agent.assignment.lease_file >= 0 && index_set_is_empty(&agent.options.nodes);
    int result = index_set_copy(nodes, leased ? &agent.assignment.lease.nodes : &home.nodes);
    index_set_and(nodes, allowed);
    if (result == 0 && index_set_is_empty(nodes)) {
        result = nodes_near_cpus("", &agent.process.cpus, nodes);
        index_set_and(nodes, allowed);
        result = result == -ENOMEM           ? result
                 : index_set_is_empty(nodes) ? index_set_copy(nodes, allowed)
                                             : 0;
    }
    return result;
}

/* Again while fewer pages remain, for those that were in use. */
static int migrate(const struct index_set *from, const struct index_set *to) {
    int left = INT_MAX;
    for (int i = 0; i < MOVES && left > 0; i++) {
        int result = memory_migrate(0, from, to);
        if (result < 0 || result >= left) {
            break;
        }
        left = result;
    }
    /* Without room the kernel counts no pages. */
    return left == INT_MAX ? 1 : left;
}

/* For policies that keep to their nodes, unless the heap has its own. One node after the other: a
 * call with several maps them by their position. Returns the pages that stayed. */
static int move_pages(const struct index_set *allowed, const struct index_set *nodes) {
    struct index_set from = {0};
    struct index_set to = {0};
    int left = 0;
    int target = -1;
    bool spreads = home.memory == MEMORY_INTERLEAVE || home.memory == MEMORY_WEIGHTED;
    for (int node = spreads || home.own_heap ? -1 : index_set_next(allowed, 0); node >= 0;
            node = index_set_next(allowed, (unsigned)node + 1)) {
        if (index_set_contains(nodes, (unsigned)node)) {
            continue;
        }
        target = index_set_next(nodes, (unsigned)(target + 1));
        target = target < 0 ? index_set_next(nodes, 0) : target;
        index_set_clear(&from);
        index_set_clear(&to);
        if (index_set_add(&from, (unsigned)node) == 0 &&
                index_set_add(&to, (unsigned)target) == 0) {
            left += migrate(&from, &to);
        }
    }
    index_set_free(&from);
    index_set_free(&to);
    return left;
}

static void restore(const struct index_set *allowed, const struct index_set *nodes) {
    char lists[2][LIST_SIZE];
    char rest[LIST_SIZE] = "";
    char stayed[LIST_SIZE] = "";
    unsigned missed = 0;
    int result = memory_mode_apply(home.memory, nodes);
    int reached = result < 0 ? result : threads_policy_set(&missed);
    index_set_format(allowed, lists[0], LIST_SIZE);
    index_set_format(nodes, lists[1], LIST_SIZE);
    bool again = unfinished;
    unfinished = false;
    if (reached < 0 && again && error_may_pass(reached)) {
        unfinished = true;
        return;
    }
    if (reached < 0) {
        message_print("the memory nodes that this process may use are %s: its memory policy cannot "
                      "be set to %s %s: %s; new pages come from where the kernel moved the policy",
                lists[0], memory_mode_word(home.memory), lists[1], error_reason(-reached));
        unfinished = error_may_pass(reached);
        return;
    }
    int left = move_pages(allowed, nodes);
    if (missed > 0) {
        snprintf(rest, sizeof rest, ", %u keep the policy that the kernel gave them", missed);
    }
    if (left > 0) {
        snprintf(stayed, sizeof stayed, "; %d or more pages stay on other nodes", left);
    }
    message_print("the memory nodes that this process may use are %s: memory %s %s again in %d "
                  "threads%s%s%s",
            lists[0], memory_mode_word(home.memory), lists[1], reached + 1, rest, stayed,
            home.own_heap ? "; the heap keeps the policy of its own, as the kernel changed it"
                          : "");
}

void agent_memory_look(void) {
    struct index_set allowed = {0};
    struct process_binding right = {.memory = home.memory};
    if (home.memory != MEMORY_LOCAL && memory_allowed_nodes(&allowed) >= 0 &&
            right_nodes(&allowed, &right.nodes) == 0) {
        char lists[2][LIST_SIZE];
        bool changed = !index_set_equals(&right.nodes, &kept);
        if (unfinished || !process_binding_holds_memory(&right)) {
            restore(&allowed, &right.nodes);
        } else if (changed) {
            message_print("the memory nodes that this process may use are %s: memory %s %s",
                    index_set_format(&allowed, lists[0], LIST_SIZE), memory_mode_word(home.memory),
                    index_set_format(&right.nodes, lists[1], LIST_SIZE));
        }
        if (changed) {
            index_set_copy(&kept, &right.nodes);
        }
    }
    index_set_free(&allowed);
    process_binding_free(&right);
}
