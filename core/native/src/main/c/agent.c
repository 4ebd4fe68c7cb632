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

enum { LIST_SIZE = 1024, REPLY_MINIMUM = sizeof(struct error_text), VARIABLE_SIZE = 4096 };

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
    char list[VARIABLE_SIZE - sizeof INHERITED_VARIABLE - 1];
    char inherited[VARIABLE_SIZE];
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

static int start_rules(void *java_vm, const struct plan *plan, int worker,
        const struct index_set *cpus, struct error_text *error) {
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
    atomic_store(&agent.rules, rules);
    return 0;
}

/* The CPUs of the whole process, not of a thread that may have its own. */
static int process_cpus(struct index_set *cpus) {
    return cpu_bind_get((int)getpid(), cpus);
}

/* What the process had when it was started first. */
static int read_inherited(struct error_text *error) {
    const char *told = reexec_done() ? getenv(INHERITED_VARIABLE) : NULL;
    struct error_text unused;
    if (told != NULL && index_set_parse(&agent.inherited, told, strlen(told), &unused) == 0) {
        return 0;
    }
    int result = cpu_bind_get(0, &agent.inherited);
    return result < 0 ? error_set_system(error, -result, "cannot read the affinity mask") : 0;
}

static int bind_process(int (*bind)(struct error_text *), struct error_text *error) {
    struct error_text cut;
    /* The same library can be given twice; the later options count. */
    process_binding_free(&agent.process);
    agent.process = (struct process_binding){0};
    int result = process_binding_of_plan(
            &agent.process, &agent.assignment.plan, agent.assignment.worker, &cut);
    if (result == 0) {
        result = process_binding_cut_cpus(&agent.process, &cut);
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
    result = bind(error);
    if (result < 0) {
        agent.process.memory = MEMORY_LOCAL;
    }
    return result;
}

/* One line when it fails: the binding holds all the same. */
static void start_watch(void) {
    struct error_text error;
    struct thread_rules *rules = atomic_load(&agent.rules);
    bool groups = rules != NULL && thread_rules_has_groups(rules);
    bool guarded = agent.options.guard && !index_set_is_empty(&agent.process.cpus);
    if ((groups || guarded) && agent_watch_start(&error) < 0) {
        message_print("%s", error.text);
    }
}

static int start(void *java_vm, int (*bind)(struct error_text *), struct error_text *error) {
    struct index_set cpus = {0};
    assignment_free(&agent.assignment);
    int result = read_inherited(error);
    if (result == 0) {
        result = assignment_choose(&agent.assignment, &agent.options, &agent.inherited, error);
    }
    if (result == 0) {
        result = bind_process(bind, error);
        if (result < 0) {
            assignment_free(&agent.assignment);
        }
    }
    if (result == 0 && agent.assignment.plan.rules.count > 0) {
        /* Memory that the process was refused is not tried for every thread again. */
        agent.assignment.plan.memory = agent.process.memory;
        result = process_cpus(&cpus);
        result = result < 0 ? error_set_system(error, -result, "cannot read the affinity mask")
                            : start_rules(java_vm, &agent.assignment.plan, agent.assignment.worker,
                                      &cpus, error);
    }
    if (result == 0) {
        start_watch();
    }
    index_set_free(&cpus);
    return result;
}

static int run(void *java_vm, const char *text, int (*bind)(struct error_text *)) {
    struct options options;
    struct error_text error;
    int result = options_parse(&options, text, &error);
    bool fatal = result < 0 && options.strict;
    if (result == 0) {
        pthread_mutex_lock(&agent.lock);
        options_free(&agent.options);
        agent.options = options;
        result = start(java_vm, bind, &error);
        fatal = result < 0 && agent.options.strict;
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

static int bind_all_threads(struct error_text *error) {
    int result = process_binding_apply_to_all(&agent.process, error);
    if (result == 0) {
        result = apply(true, error);
    }
    if (result == 0) {
        agent.bound = "attached";
        if (agent.process.memory != MEMORY_LOCAL) {
            message_print("memory policy %s reaches only threads that start from now on",
                    memory_mode_word(agent.process.memory));
        }
    }
    return result;
}

int agent_load(void *java_vm, const char *options) {
    return run(java_vm, options, bind_before_birth);
}

int agent_attach(void *java_vm, const char *options) {
    return run(java_vm, options, bind_all_threads);
}

void agent_thread_started(const char *name) {
    struct error_text error;
    struct thread_rules *rules = atomic_load(&agent.rules);
    if (rules == NULL) {
        return;
    }
    int result = thread_rules_started(rules, current_thread_id(), name, &error);
    if (result >= 0 && agent.options.verbose) {
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

static int describe(char *reply, size_t capacity) {
    struct text_buffer text = {.data = reply, .capacity = capacity};
    struct index_set cpus = {0};
    char list[LIST_SIZE];
    int result = process_cpus(&cpus);
    if (result == 0) {
        text_append(&text, "version %d\npid %d\nbound %s\ncpus %s\nmemory %s\n",
                BERTH_INTERFACE_VERSION, (int)getpid(), agent.bound,
                index_set_format(&cpus, list, sizeof list), memory_mode_word(agent.process.memory));
        text_append(&text, "nodes %s\n",
                agent.process.memory == MEMORY_LOCAL
                        ? ""
                        : index_set_format(&agent.process.nodes, list, sizeof list));
        if (agent.assignment.lease_file >= 0) {
            text_append(&text, "lease %s%s\n", agent.assignment.lease.domain,
                    agent.assignment.lease.exclusive ? " exclusive" : "");
        }
        struct thread_rules *rules = atomic_load(&agent.rules);
        if (rules == NULL) {
            text_append(&text, "rules 0\n");
        } else {
            thread_rules_describe(rules, &text);
        }
        result = text_result(&text);
    }
    index_set_free(&cpus);
    return result;
}

static int add_rules(void *java_vm, const char *text, struct error_text *error) {
    struct plan plan = {0};
    struct index_set cpus = {0};
    int result = plan_parse(&plan, text, strlen(text), error);
    if (result == 0 && plan.rules.count == 0) {
        result = error_set(error, EINVAL, "the plan has no thread rules");
    }
    if (result == 0) {
        result = process_cpus(&cpus);
        if (result < 0) {
            error_set_system(error, -result, "cannot read the affinity mask");
        }
    }
    if (result == 0) {
        pthread_mutex_lock(&agent.lock);
        result = start_rules(java_vm, &plan, agent.assignment.worker, &cpus, error);
        if (result == 0) {
            /* What a change of the cpuset is planned from. */
            plan_free(&agent.assignment.plan);
            agent.assignment.plan = plan;
            plan = (struct plan){0};
            start_watch();
        }
        pthread_mutex_unlock(&agent.lock);
    }
    plan_free(&plan);
    index_set_free(&cpus);
    return result;
}

int agent_command(void *java_vm, const char *command, char *reply, size_t capacity) {
    static const char rules[] = "rules ";
    struct error_text error = {"out of memory"};
    struct text_buffer text = {.data = reply, .capacity = capacity};
    int result;
    if (strcmp(command, "status") == 0) {
        pthread_mutex_lock(&agent.lock);
        result = describe(reply, capacity);
        pthread_mutex_unlock(&agent.lock);
        return result;
    }
    if (capacity < REPLY_MINIMUM) {
        return -ENOBUFS;
    }
    if (strncmp(command, rules, sizeof rules - 1) == 0) {
        result = add_rules(java_vm, command + sizeof rules - 1, &error);
    } else {
        result = error_set(&error, EINVAL, "the agent knows 'status' and 'rules <plan text>'");
    }
    text_append(&text, "%s", result < 0 ? error.text : "ok\n");
    return result < 0 ? result : text_result(&text);
}
