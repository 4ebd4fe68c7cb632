/* What Java asks of the agent in its own JVM. */
#include "agent.h"

#include "agent_heap.h"
#include "agent_state.h"
#include "memory_bind.h"
#include "text_buffer.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { LIST_SIZE = 1024, REPLY_MINIMUM = sizeof(struct error_text) };

static int describe(char *reply, size_t capacity) {
    struct text_buffer text = {.data = reply, .capacity = capacity};
    struct index_set cpus = {0};
    char list[LIST_SIZE];
    int result = agent_process_cpus(&cpus);
    if (result == 0) {
        text_append(&text, "version %d\npid %d\nbound %s\ncpus %s\nmemory %s\n",
                BERTH_INTERFACE_VERSION, (int)getpid(), agent.bound,
                index_set_format(&cpus, list, sizeof list), memory_mode_word(agent.process.memory));
        text_append(&text, "nodes %s\n",
                agent.process.memory == MEMORY_LOCAL
                        ? ""
                        : index_set_format(&agent.process.nodes, list, sizeof list));
        agent_heap_describe(&text);
        if (agent.assignment.lease_file >= 0) {
            text_append(&text, "lease %s%s\n", agent.assignment.lease.domain,
                    agent.assignment.lease.exclusive ? " exclusive" : "");
        }
        struct thread_rules *rules = atomic_load(&agent.rules);
        if (rules == NULL) {
            text_append(&text, "rules 0\n");
        } else {
            text_append(&text, "renames %s\n",
                    atomic_load(&agent.names_followed) ? "followed" : "not followed");
            thread_rules_describe(rules, &text);
        }
        result = text_result(&text);
    }
    index_set_free(&cpus);
    return result;
}

/* A container may refuse what memory policies need; CPUs can be bound all the same. */
static void leave_refused_memory(struct plan *plan) {
    struct index_set allowed = {0};
    int result = plan->memory == MEMORY_LOCAL ? 0 : memory_allowed_nodes(&allowed);
    if (result < 0) {
        message_print(
                "cannot read the memory nodes of this process: %s; thread rules bind CPUs only",
                error_reason(-result));
        plan->memory = MEMORY_LOCAL;
    }
    index_set_free(&allowed);
}

static int add_rules(void *java_vm, const char *text, struct error_text *error) {
    struct plan plan = {0};
    struct index_set cpus = {0};
    int result = plan_parse(&plan, text, strlen(text), error);
    /* The program that sends them knows its threads. */
    for (size_t i = 0; i < plan.rules.count; i++) {
        plan.rules.items[i].optional = true;
    }
    if (result == 0 && plan.rules.count == 0) {
        result = error_set(error, EINVAL, "the plan has no thread rules");
    }
    if (result == 0) {
        result = agent_process_cpus(&cpus);
        if (result < 0) {
            error_set_system(error, -result, "cannot read the affinity mask");
        }
    }
    if (result == 0) {
        leave_refused_memory(&plan);
        pthread_mutex_lock(&agent.lock);
        result = agent_start_rules(java_vm, &plan, agent.assignment.worker, &cpus, error);
        if (result == 0) {
            /* What a change of the cpuset is planned from. */
            plan_free(&agent.assignment.plan);
            agent.assignment.plan = plan;
            plan = (struct plan){0};
            agent_start_watch();
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
