/* The agent in a JVM that runs: loaded late, or once more. */
#include "agent_state.h"

#include <errno.h>
#include <stddef.h>

/* set_mempolicy(2) is for the calling thread alone, and that is one that will start no others. */
static int leave_memory(struct error_text *error) {
    enum memory_mode memory = agent.assignment.plan.memory;
    struct process_binding local = {.default_policy = agent.options.default_policy};
    if (memory == MEMORY_LOCAL && process_binding_holds_memory(&local)) {
        return 0;
    }
    error_set(error, 0,
            "memory=%s is not possible in a JVM that runs, whose threads have policies of their "
            "own: "
            "give the agent at its start ('berth bind --move' moves the pages that it has)",
            memory_mode_word(memory));
    if (agent.options.strict) {
        return -EOPNOTSUPP;
    }
    message_print("%s; only the CPUs are bound", error->text);
    agent.assignment.plan.memory = MEMORY_LOCAL;
    return 0;
}

/* Whether a failed attach got as far as to the threads. */
static bool attach_moved;

/* Nearly everything that can fail comes before the first thread is moved. */
int agent_attach_begin(void *java_vm, struct error_text *error) {
    struct thread_rules *rules = NULL;
    struct index_set cpus = {0};
    int result = leave_memory(error);
    result = result < 0 ? result : agent_find_process(true, error);
    if (result == 0 && agent.assignment.plan.rules.count > 0) {
        result = index_set_is_empty(&agent.process.cpus)
                         ? agent_process_cpus(&cpus)
                         : index_set_copy(&cpus, &agent.process.cpus);
        result = result < 0 ? error_set_system(error, -result, "cannot read the affinity mask")
                            : agent_make_rules(java_vm, &agent.assignment.plan,
                                      agent.assignment.worker, &cpus, &rules, error);
    }
    attach_moved = result == 0;
    if (result == 0) {
        result = process_binding_apply_to_all(&agent.process, error);
    }
    if (result < 0) {
        index_set_free(&cpus);
        thread_rules_free(rules);
        return result;
    }
    if (rules != NULL) {
        agent_hold(&cpus);
    }
    index_set_free(&cpus);
    agent.bound = "attached";
    atomic_store(&agent.rules, rules);
    return 0;
}

struct agent_former agent_set_aside(const struct options *options) {
    struct agent_former former = {
            agent.options, agent.assignment, agent.process, agent.wanted, agent.bound};
    agent.options = *options;
    agent.assignment = (struct assignment){.worker = -1,
            .lease_file = -1,
            .former = former.assignment.lease_file > 0 ? former.assignment.lease_file : 0};
    agent.process = (struct process_binding){0};
    agent.wanted = (struct index_set){0};
    return former;
}

void agent_drop_former(struct agent_former *former) {
    options_free(&former->options);
    assignment_free(&former->assignment);
    process_binding_free(&former->process);
    index_set_free(&former->wanted);
}

/* Threads that have moved go back: first all of them, then those of rules. */
static void move_back(void) {
    struct error_text error;
    struct thread_rules *rules = atomic_load(&agent.rules);
    struct process_binding before = {
            .cpus = index_set_is_empty(&agent.process.cpus) ? agent.inherited : agent.process.cpus};
    int result = process_binding_apply_to_all(&before, &error);
    if (result == 0 && rules != NULL) {
        result = agent_replace_rules(&before.cpus, &error);
    }
    if (result < 0) {
        message_print("%s", error.text);
    } else if (rules != NULL) {
        thread_rules_take_over(atomic_load(&agent.rules), rules, NULL);
    }
}

/* The JVM runs on as it did. */
void agent_put_back(struct agent_former *former) {
    struct agent_former failed = {
            agent.options, agent.assignment, agent.process, agent.wanted, agent.bound};
    agent.options = former->options;
    agent.assignment = former->assignment;
    agent.process = former->process;
    agent.wanted = former->wanted;
    agent.bound = former->bound;
    agent_drop_former(&failed);
    if (attach_moved) {
        move_back();
    }
}
