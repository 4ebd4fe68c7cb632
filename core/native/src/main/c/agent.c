#include "agent.h"

#include "agent_state.h"
#include "cpu_bind.h"
#include "heap_fit.h"
#include "reexec.h"
#include "text_buffer.h"
#include "thread_registry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct agent_state agent = {
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .bound = "no",
        .assignment = {.worker = -1, .lease_file = -1},
};

/* The mask before the second start, told to it. */
#define INHERITED_VARIABLE "BERTH_AGENT_CPUS"

enum { VARIABLE_SIZE = 65536 };

/* Memory that cannot be bound is reported and left alone, unless that is fatal. */
static int apply(bool tell, struct error_text *error) {
    int result = process_binding_apply_cpus(&agent.process, error);
    if (result < 0) {
        return result;
    }
    result = process_binding_apply_memory(&agent.process, error);
    if (result < 0 && !agent.options.strict) {
        if (tell) {
            message_print("%s; only the CPUs are bound", error->text);
            agent.process.memory = MEMORY_LOCAL;
        }
        return 0;
    }
    return result;
}

/* Binds the calling thread; the leader, which only waits but is what `taskset -p` shows; and our
 * own thread, when this is not the first agent of the JVM. */
static int bind_in_place(struct error_text *error) {
    int result = apply(true, error);
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
    static char list[VARIABLE_SIZE - sizeof INHERITED_VARIABLE - 1];
    static char inherited[VARIABLE_SIZE];
    char lease[sizeof LEASE_VARIABLE + 16];
    char *variables[REEXEC_VARIABLES + 1] = {inherited};
    snprintf(inherited, sizeof inherited, INHERITED_VARIABLE "=%s",
            index_set_format(&agent.inherited, list, sizeof list));
    if (agent.assignment.lease_file >= 0) {
        fcntl(agent.assignment.lease_file, F_SETFD, 0);
        snprintf(lease, sizeof lease, LEASE_VARIABLE "=%d", agent.assignment.lease_file);
        variables[1] = lease;
    }
    reexec_run(variables, reason);
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
        int result = apply(false, error);
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

static int bind_before_birth(struct error_text *error) {
    char binding[256];
    int result = 0;
    agent.bound = reexec_done() ? "reexec" : "already";
    if (!process_binding_holds(&agent.process)) {
        /* After the second start, only what was refused in the first one is still missing. */
        result = reexec_done() ? bind_in_place(error) : bind_again_or_in_place(error);
    }
    if (result < 0) {
        agent.bound = "no";
    } else if (agent.options.verbose) {
        message_print("%s: bound (%s)",
                process_binding_describe(&agent.process, binding, sizeof binding), agent.bound);
    }
    heap_fit_tell(&agent.process, agent.options.verbose);
    return result;
}

/* Rules that nothing obeys yet. */
static int make_rules(void *java_vm, const struct plan *plan, int worker,
        const struct index_set *cpus, struct thread_rules **made, struct error_text *error) {
    struct thread_rules *rules;
    struct error_text outside;
    int result = thread_rules_create(&rules, plan, worker, cpus, &outside);
    if (result < 0) {
        *error = outside;
        return result;
    }
    if (result > 0) {
        message_print("%s", outside.text);
    }
    /* The JVM's own threads raise no events. */
    result = thread_rules_has_names(rules) ? thread_events_enable(java_vm, error) : 0;
    if (result < 0) {
        thread_rules_free(rules);
        return result;
    }
    *made = rules;
    return 0;
}

int agent_start_rules(void *java_vm, const struct plan *plan, int worker,
        const struct index_set *cpus, struct error_text *error) {
    struct thread_rules *rules;
    int result = make_rules(java_vm, plan, worker, cpus, &rules, error);
    if (result == 0) {
        atomic_store(&agent.rules, rules);
    }
    return result;
}

/* The CPUs of the whole process, not of a thread that may have its own. */
int agent_process_cpus(struct index_set *cpus) {
    return cpu_bind_get((int)getpid(), cpus);
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

/* A JVM that runs may go anywhere inside what it inherited, as far as its cpuset still allows that.
 */
static int cut_cpus(bool runs, struct error_text *error) {
    struct index_set allowed = {0};
    if (!runs) {
        return process_binding_cut_cpus(&agent.process, error);
    }
    int result = agent_watch_allowed(&allowed);
    if (result == 0) {
        index_set_and(&allowed, &agent.inherited);
        result = process_binding_cut_cpus_to(&agent.process, &allowed, error);
    } else {
        error_set_system(error, -result, "cannot read the CPUs that this process may use");
    }
    index_set_free(&allowed);
    return result;
}

/* What the options ask for, inside what the process may use. */
static int find_process(bool runs, struct error_text *error) {
    struct error_text cut;
    int result = process_binding_of_plan(
            &agent.process, &agent.assignment.plan, agent.assignment.worker, &cut);
    if (result == 0) {
        result = cut_cpus(runs, &cut);
    }
    if (result < 0) {
        *error = cut;
        return result;
    }
    if (result > 0 && !reexec_done()) {
        message_print("%s", cut.text);
    }
    result = process_binding_cut_nodes(&agent.process, &cut);
    if (result < 0 && agent.options.strict) {
        *error = cut;
        return result;
    }
    if (result != 0 && !reexec_done()) {
        message_print("%s", cut.text);
    }
    if (index_set_copy(&agent.wanted, &agent.process.cpus) < 0) {
        return error_set(error, ENOMEM, "out of memory");
    }
    return 0;
}

/* One line when it fails: the binding holds all the same. */
void agent_start_watch(void) {
    struct error_text error;
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
    int result = find_process(false, error);
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

/* set_mempolicy(2) is for the calling thread alone, and that is one that will start no others. */
static int leave_memory(struct error_text *error) {
    enum memory_mode memory = agent.assignment.plan.memory;
    if (memory == MEMORY_LOCAL) {
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
static int attach(void *java_vm, struct error_text *error) {
    struct thread_rules *rules = NULL;
    struct index_set cpus = {0};
    int result = leave_memory(error);
    result = result < 0 ? result : find_process(true, error);
    if (result == 0 && agent.assignment.plan.rules.count > 0) {
        result = index_set_is_empty(&agent.process.cpus)
                         ? agent_process_cpus(&cpus)
                         : index_set_copy(&cpus, &agent.process.cpus);
        result = result < 0 ? error_set_system(error, -result, "cannot read the affinity mask")
                            : make_rules(java_vm, &agent.assignment.plan, agent.assignment.worker,
                                      &cpus, &rules, error);
    }
    index_set_free(&cpus);
    attach_moved = result == 0;
    if (result == 0) {
        result = process_binding_apply_to_all(&agent.process, error);
    }
    if (result < 0) {
        thread_rules_free(rules);
        return result;
    }
    agent.bound = "attached";
    atomic_store(&agent.rules, rules);
    return 0;
}

/* What an agent that is loaded again leaves behind. */
struct former {
    struct options options;
    struct assignment assignment;
    struct process_binding process;
    struct index_set wanted;
    const char *bound;
};

static struct former set_aside(const struct options *options) {
    struct former former = {
            agent.options, agent.assignment, agent.process, agent.wanted, agent.bound};
    agent.options = *options;
    agent.assignment = (struct assignment){.worker = -1,
            .lease_file = -1,
            .former = former.assignment.lease_file > 0 ? former.assignment.lease_file : 0};
    agent.process = (struct process_binding){0};
    agent.wanted = (struct index_set){0};
    return former;
}

static void drop(struct former *former) {
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
static void put_back(struct former *former) {
    struct former failed = {
            agent.options, agent.assignment, agent.process, agent.wanted, agent.bound};
    agent.options = former->options;
    agent.assignment = former->assignment;
    agent.process = former->process;
    agent.wanted = former->wanted;
    agent.bound = former->bound;
    drop(&failed);
    if (attach_moved) {
        move_back();
    }
}

static int run(void *java_vm, const char *text, int (*begin)(void *, struct error_text *)) {
    struct options options;
    struct error_text error = {""};
    int result = options_parse(&options, text, &error);
    bool fatal = result < 0 && options.strict;
    if (result == 0) {
        pthread_mutex_lock(&agent.lock);
        struct former former = set_aside(&options);
        result = read_inherited(&error);
        if (result == 0) {
            result = assignment_choose(&agent.assignment, &agent.options, &agent.inherited, &error);
        }
        result = result < 0 ? result : begin(java_vm, &error);
        fatal = result < 0 && agent.options.strict;
        if (result < 0 && begin == attach) {
            put_back(&former);
        } else {
            agent.assignment.former = 0;
            drop(&former);
            index_set_clear(&agent.outside);
        }
        atomic_store(&agent.verbose, agent.options.verbose);
        atomic_store(&agent.guard, agent.options.guard);
        if (result == 0) {
            agent_start_watch();
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

int agent_load(void *java_vm, const char *options) {
    return run(java_vm, options, start);
}

int agent_attach(void *java_vm, const char *options) {
    return run(java_vm, options, attach);
}

void agent_thread_started(const char *name) {
    struct error_text error;
    struct thread_rules *rules = atomic_load(&agent.rules);
    if (rules == NULL) {
        return;
    }
    int result = thread_rules_started(rules, current_thread_id(), name, &error);
    if (result >= 0 && atomic_load(&agent.verbose)) {
        char slot[24] = "its rule's CPUs";
        if (result != NO_SLOT) {
            snprintf(slot, sizeof slot, "slot %d", result);
        }
        message_print("thread %d '%.200s': %s", current_thread_id(), name, slot);
    }
    /* Once: what fails for one thread mostly fails for all. The status counts them. */
    if (result < 0 && result != -ENOENT && !atomic_exchange(&agent.failure_printed, true)) {
        message_print("%s (further failures are counted in the agent's status)", error.text);
    }
}

void agent_thread_ended(void) {
    struct thread_rules *rules = atomic_load(&agent.rules);
    if (rules != NULL) {
        thread_rules_ended(rules, current_thread_id());
    }
}
