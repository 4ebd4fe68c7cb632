#include "agent.h"

#include "agent_copies.h"
#include "agent_heap.h"
#include "agent_rules.h"
#include "agent_state.h"
#include "birth.h"
#include "cpu_bind.h"
#include "heap_fit.h"
#include "reexec.h"
#include "vm_structs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Binds the calling thread; the leader, which only waits but is what `taskset -p` shows; and our
 * own thread, when this is not the first agent of the JVM. */
static int bind_in_place(struct error_text *error) {
    int result = birth_apply(&agent.process, agent.options.strict, true, error);
    if (result == 0 && !index_set_is_empty(&agent.process.cpus)) {
        int watcher = atomic_load(&agent.watcher);
        cpu_bind_set((int)getpid(), &agent.process.cpus);
        if (watcher != 0) {
            cpu_bind_set(watcher, &agent.process.cpus);
        }
    }
    return result;
}

/* Starts the JVM again, with the lease and with what it cannot find out any more. */
static void start_again(struct error_text *reason) {
    static struct birth_variables variables;
    birth_hand_over(&variables, &agent.process, &agent.inherited, &agent.assignment);
    reexec_run(variables.items, reason);
    birth_memory_undo(variables.memory);
    if (agent.assignment.lease_file >= 0) {
        fcntl(agent.assignment.lease_file, F_SETFD, FD_CLOEXEC);
    }
}

static int bind_again_or_in_place(struct error_text *error) {
    struct error_text reason;
    char binding[256];
    agent.bound = "in-place";
    int possible = reexec_possible(&reason);
    if (possible == 0) {
        int result = birth_apply(&agent.process, agent.options.strict, false, error);
        if (result < 0) {
            return result;
        }
        start_again(&reason);
    }
    if (possible != -EXDEV || agent.options.verbose) {
        message_print("%s: bound in place, without adapting the JVM's own settings: %s",
                process_binding_describe(&agent.process, binding, sizeof binding), reason.text);
    }
    return bind_in_place(error);
}

/* A JVM that found its CPUs in place, and more memory nodes than it is to use: one that a bound
 * script started, or taskset. Later JDKs have switched UseNUMA off then. */
static bool is_about_to_spread_its_heap(void) {
    bool numa;
    return !reexec_done() && vm_structs_bool_flag("UseNUMA", &numa) == 0 && numa &&
           birth_memory_may_narrow(&agent.process);
}

static int bind_before_birth(struct error_text *error) {
    char binding[256];
    char policy[80];
    int result = birth_memory_widen(&agent.process, error);
    agent.bound = reexec_done() ? "reexec" : "already";
    if (result == 0 && (!process_binding_holds(&agent.process) || is_about_to_spread_its_heap())) {
        /* After the second start, only what was refused in the first one is still missing. */
        result = reexec_done() ? bind_in_place(error) : bind_again_or_in_place(error);
    }
    if (result < 0) {
        agent.bound = "no";
    } else if (agent.options.verbose) {
        message_print("%s%s: bound (%s)",
                process_binding_describe(&agent.process, binding, sizeof binding),
                process_binding_inherits(&agent.process, policy, sizeof policy), agent.bound);
    }
    heap_fit_tell(&agent.process, agent.options.verbose);
    return result;
}

/* What the process had when it was started first. */
static int read_inherited(struct error_text *error) {
    /* A second agent finds the mask that the first one has given, which is no limit. */
    if (!index_set_is_empty(&agent.inherited)) {
        return 0;
    }
    const char *told = reexec_done() ? getenv(INHERITED_VARIABLE) : NULL;
    struct error_text unused;
    if (told != NULL && index_set_parse(&agent.inherited, told, strlen(told), &unused) == 0) {
        return 0;
    }
    int result = cpu_bind_get(0, &agent.inherited);
    return result < 0 ? error_set_system(error, -result, "cannot read the affinity mask") : 0;
}

/* One line when it fails: the binding holds all the same. */
void agent_start_watch(void) {
    struct error_text error;
    agent_rules_begin();
    struct thread_rules *rules = atomic_load(&agent.rules);
    bool groups = rules != NULL && thread_rules_has_groups(rules);
    bool guarded =
            agent.options.guard && (rules != NULL || !index_set_is_empty(&agent.process.cpus));
    if ((groups || guarded) && agent_watch_start(&error) < 0) {
        message_print("%s", error.text);
    }
}

/* Before the JVM exists; a second start of it may come in between. */
static int start(void *java_vm, struct error_text *error) {
    struct index_set cpus = {0};
    int result = agent_find_process(false, error);
    if (result == 0) {
        result = bind_before_birth(error);
        if (result < 0) {
            agent.process.memory = MEMORY_LOCAL;
            assignment_free(&agent.assignment);
        }
    }
    if (result == 0 && agent.assignment.plan.rules.count > 0) {
        /* Memory that the process was refused is not tried for every thread again. */
        agent.assignment.plan.memory = agent.process.memory;
        result = agent_process_cpus(&cpus);
        result = result < 0 ? error_set_system(error, -result, "cannot read the affinity mask")
                            : agent_start_rules(java_vm, &agent.assignment.plan,
                                      agent.assignment.worker, &cpus, error);
    }
    index_set_free(&cpus);
    return result;
}

static int run(void *java_vm, const char *text, int (*begin)(void *, struct error_text *)) {
    struct options options;
    struct error_text error = {""};
    int result = options_parse(&options, text, &error);
    bool fatal = result < 0 && options.strict;
    if (result == 0) {
        pthread_mutex_lock(&agent.lock);
        struct agent_former former = agent_set_aside(&options);
        result = read_inherited(&error);
        if (result == 0) {
            result = assignment_choose(&agent.assignment, &agent.options, &agent.inherited, &error);
        }
        result = result < 0 ? result : begin(java_vm, &error);
        fatal = result < 0 && agent.options.strict;
        if (result < 0 && begin == agent_attach_begin) {
            agent_put_back(&former);
        } else {
            agent.assignment.former = 0;
            agent_drop_former(&former);
            index_set_clear(&agent.outside);
        }
        atomic_store(&agent.verbose, agent.options.verbose);
        atomic_store(&agent.guard, agent.options.guard);
        if (result == 0) {
            agent_start_watch();
            result = agent_heap_start(&error);
            fatal = result < 0 && agent.options.strict;
            if (result < 0 && !fatal) {
                message_print("%s; heap-memory= is left out", error.text);
                result = 0;
            }
        }
        pthread_mutex_unlock(&agent.lock);
    } else {
        options_free(&options);
    }
    if (result < 0) {
        message_print("%s; %s", error.text,
                fatal ? "the JVM does not start (option strict)" : "the JVM runs on without it");
    }
    return fatal ? -1 : 0;
}

/* Not even with `strict`: the JVM is bound, by what the other one was asked for. */
static bool yields(bool attached) {
    struct error_text error;
    bool other = agent_copies_find(attached, atomic_load(&agent.watcher), &error);
    if (other) {
        message_print("%s", error.text);
    }
    return other;
}

int agent_load(void *java_vm, const char *options) {
    return yields(false) ? 0 : run(java_vm, options, start);
}

int agent_attach(void *java_vm, const char *options) {
    if (yields(true)) {
        return 0;
    }
    return run(java_vm, options, agent_attach_begin);
}
