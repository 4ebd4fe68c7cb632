#include "agent_state.h"

#include "agent.h"
#include "birth.h"
#include "cpu_bind.h"
#include "whole_domain.h"

#include <errno.h>
#include <unistd.h>

struct agent_state agent = {
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .bound = "no",
        .assignment = {.worker = -1, .lease_file = -1},
};

void agent_hold(const struct index_set *cpus) {
    static atomic_bool told;
    int result = whole_domain_hold(cpus, jvm_processors);
    if (result < 0 && !atomic_exchange(&told, true)) {
        message_print("a thread with a slot counts its own CPUs alone, and so do the pools that it "
                      "makes (%s); start the JVM with -XX:ActiveProcessorCount=%u",
                error_reason(-result), index_set_count(cpus));
    }
}

/* Rules that nothing obeys yet. */
int agent_make_rules(void *java_vm, const struct plan *plan, int worker,
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
    int result = agent_make_rules(java_vm, plan, worker, cpus, &rules, error);
    if (result == 0) {
        atomic_store(&agent.rules, rules);
        /* At the JVM's start this is done when there is Java. */
        if (jvm_processors() > 0) {
            agent_hold(cpus);
        }
    }
    return result;
}

/* The CPUs of the whole process, not of a thread that may have its own. */
int agent_process_cpus(struct index_set *cpus) {
    return cpu_bind_get((int)getpid(), cpus);
}

void agent_hold_domain(void) {
    struct index_set cpus = {0};
    pthread_mutex_lock(&agent.lock);
    if (atomic_load(&agent.rules) != NULL && agent_process_cpus(&cpus) == 0) {
        agent_hold(&cpus);
    }
    pthread_mutex_unlock(&agent.lock);
    index_set_free(&cpus);
}

int agent_replace_rules(const struct index_set *process_cpus, struct error_text *error) {
    struct thread_rules *rules;
    struct plan plan = {0};
    int result = assignment_replan(&agent.assignment, &agent.options, process_cpus, &plan, error);
    if (result == 0) {
        result = thread_rules_create(&rules, &plan, -1, process_cpus, error);
    }
    if (result >= 0) {
        atomic_store(&agent.rules, rules);
        agent_hold(process_cpus);
    }
    plan_free(&plan);
    return result;
}

/* A JVM that runs may go anywhere inside what it inherited, as far as its cpuset still allows that.
 */
static int read_allowed(struct index_set *allowed, struct error_text *error) {
    int result = agent_cpuset_ask(allowed);
    if (result < 0) {
        return error_set_system(error, -result, "cannot read the CPUs that this process may use");
    }
    index_set_and(allowed, &agent.inherited);
    return 0;
}

/* What the options ask for, inside what the process may use. */
int agent_find_process(bool runs, struct error_text *error) {
    struct index_set allowed = {0};
    int result = runs ? read_allowed(&allowed, error) : 0;
    if (result == 0) {
        result = birth_find(&agent.process, &agent.assignment, runs ? &allowed : NULL,
                agent.options.strict, error);
        agent.process.own_heap = agent.options.heap.given;
        agent.process.default_policy = agent.options.default_policy && !runs;
    }
    if (result == 0 && index_set_copy(&agent.wanted, &agent.process.cpus) < 0) {
        result = error_set(error, ENOMEM, "out of memory");
    }
    index_set_free(&allowed);
    return result;
}
