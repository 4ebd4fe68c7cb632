#include "agent.h"

#include "cpu_bind.h"
#include "heap_fit.h"
#include "options.h"
#include "process_bind.h"
#include "reexec.h"
#include "text_buffer.h"
#include "thread_rules.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* How the process came to its place, as the status tells it. */
static const char *bound = "no";
static struct process_binding process;
static int worker = -1;
static bool verbose;
static bool strict;

/* Rules that were replaced are not freed: a thread may be inside them. */
static _Atomic(struct thread_rules *) active_rules;
/* For what changes the state above and what reads it whole. */
static pthread_mutex_t state_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool failure_printed;

enum { LIST_SIZE = 1024, REPLY_MINIMUM = sizeof(struct error_text) };

/* The plan that the options stand for: the file, or one slot for each CPU given directly. */
static int make_plan(struct plan *plan, const struct options *options, struct error_text *error) {
    if (options->plan_file != NULL) {
        return plan_read(plan, options->plan_file, error);
    }
    struct index_set cpus = {0};
    int result = index_set_is_empty(&options->cpus) ? cpu_bind_get(0, &cpus)
                                                    : index_set_copy(&cpus, &options->cpus);
    plan->memory = options->memory;
    for (size_t i = 0; i < options->rules.rule_count && result == 0; i++) {
        result = plan_add_rule(plan, PLAN_ROLE_TASK, options->rules.rules[i].glob);
    }
    unsigned index = 0;
    for (int cpu = index_set_next(&cpus, 0); cpu >= 0 && result == 0;
            cpu = index_set_next(&cpus, (unsigned)cpu + 1)) {
        struct plan_slot *slot = plan_add_slot(plan, PLAN_ROLE_TASK);
        if (slot == NULL || index_set_add(&slot->cpus, (unsigned)cpu) < 0 ||
                index_set_copy(&slot->nodes, &options->nodes) < 0) {
            result = -ENOMEM;
        } else {
            slot->thread = slot->index = index++;
        }
    }
    index_set_free(&cpus);
    return result < 0 ? error_set_system(error, -result, "cannot use the options") : 0;
}

/* Memory that cannot be placed is told and left alone, unless that is fatal. */
static int apply(bool tell, struct error_text *error) {
    int result = process_binding_apply_cpus(&process, error);
    if (result < 0) {
        return result;
    }
    result = process_binding_apply_memory(&process, error);
    if (result < 0 && !strict) {
        if (tell) {
            message_print("%s; only the CPUs are bound", error->text);
            process.memory = MEMORY_LOCAL;
        }
        return 0;
    }
    return result;
}

/* Binds the calling thread, and the leader, which only waits but is what `taskset -p` shows. */
static int bind_in_place(struct error_text *error) {
    int result = apply(true, error);
    if (result == 0 && !index_set_is_empty(&process.cpus)) {
        cpu_bind_set((int)getpid(), &process.cpus);
    }
    return result;
}

static int bind_again_or_in_place(struct error_text *error) {
    struct error_text reason;
    char place[256];
    bound = "in-place";
    int possible = reexec_possible(&reason);
    if (possible == 0) {
        int result = apply(false, error);
        if (result < 0) {
            return result;
        }
        reexec_run(&reason);
    }
    if (possible != -EXDEV || verbose) {
        message_print("%s: bound in place, without adapting the JVM's own settings: %s",
                process_binding_describe(&process, place, sizeof place), reason.text);
    }
    return bind_in_place(error);
}

static int bind_before_birth(struct error_text *error) {
    char place[256];
    int result = 0;
    bound = reexec_done() ? "reexec" : "already";
    if (!process_binding_holds(&process)) {
        /* After the second start, only what was refused in the first one is still missing. */
        result = reexec_done() ? bind_in_place(error) : bind_again_or_in_place(error);
    }
    if (result < 0) {
        bound = "no";
    } else if (verbose) {
        message_print(
                "%s: bound (%s)", process_binding_describe(&process, place, sizeof place), bound);
    }
    heap_fit_tell(&process, verbose);
    return result;
}

static int start_rules(void *java_vm, const struct plan *plan, const struct index_set *cpus,
        struct error_text *error) {
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
    result = thread_events_enable(java_vm, error);
    if (result < 0) {
        thread_rules_free(rules);
        return result;
    }
    atomic_store(&active_rules, rules);
    return 0;
}

/* The CPUs of the whole process, not of a thread that may be bound by itself. */
static int process_cpus(struct index_set *cpus) {
    return cpu_bind_get((int)getpid(), cpus);
}

static int place_process(
        const struct plan *plan, int (*bind)(struct error_text *), struct error_text *error) {
    struct error_text cut;
    /* The same library can be given twice; the later options count. */
    process_binding_free(&process);
    process = (struct process_binding){0};
    int result = process_binding_of_plan(&process, plan, worker, &cut);
    if (result == 0) {
        result = process_binding_cut_cpus(&process, &cut);
    }
    if (result < 0) {
        *error = cut;
        return result;
    }
    if (result > 0 && !reexec_done()) {
        message_print("%s", cut.text);
    }
    result = process_binding_cut_nodes(&process, &cut);
    if (result < 0 && strict) {
        *error = cut;
        return result;
    }
    if (result != 0 && !reexec_done()) {
        message_print("%s", cut.text);
    }
    result = bind(error);
    if (result < 0) {
        process.memory = MEMORY_LOCAL;
    }
    return result;
}

static int start(void *java_vm, const struct options *options, int (*bind)(struct error_text *),
        struct error_text *error) {
    struct plan plan = {0};
    struct index_set cpus = {0};
    worker = options->worker;
    verbose = options->verbose;
    strict = options->strict;
    int result = make_plan(&plan, options, error);
    if (result == 0) {
        result = place_process(&plan, bind, error);
    }
    if (result == 0 && plan.rule_count > 0) {
        /* Memory that the process was refused is not tried for every thread again. */
        plan.memory = process.memory;
        result = process_cpus(&cpus);
        result = result < 0 ? error_set_system(error, -result, "cannot read the affinity mask")
                            : start_rules(java_vm, &plan, &cpus, error);
    }
    plan_free(&plan);
    index_set_free(&cpus);
    return result;
}

static int run(void *java_vm, const char *text, int (*bind)(struct error_text *)) {
    struct options options;
    struct error_text error;
    int result = options_parse(&options, text, &error);
    if (result == 0) {
        pthread_mutex_lock(&state_lock);
        result = start(java_vm, &options, bind, &error);
        pthread_mutex_unlock(&state_lock);
    }
    bool fatal = result < 0 && options.strict;
    if (result < 0) {
        message_print("%s; %s", error.text,
                fatal ? "the JVM does not start (option strict)" : "the JVM runs on without it");
    }
    options_free(&options);
    return fatal ? -1 : 0;
}

static int bind_all_threads(struct error_text *error) {
    int result = process_binding_apply_to_all(&process, error);
    if (result == 0) {
        result = apply(true, error);
    }
    if (result == 0) {
        bound = "attached";
        if (process.memory != MEMORY_LOCAL) {
            message_print("memory policy %s reaches only threads that start from now on",
                    memory_mode_word(process.memory));
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
    struct thread_rules *rules = atomic_load(&active_rules);
    if (rules == NULL) {
        return;
    }
    int result = thread_rules_started(rules, current_thread_id(), name, &error);
    if (result >= 0 && verbose) {
        message_print("thread %d '%.200s': slot %d", current_thread_id(), name, result);
    }
    /* Once: what fails for one thread mostly fails for all. The status counts them. */
    if (result < 0 && result != -ENOENT && !atomic_exchange(&failure_printed, true)) {
        message_print("%s (further failures are counted in the agent's status)", error.text);
    }
}

void agent_thread_ended(void) {
    struct thread_rules *rules = atomic_load(&active_rules);
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
                BERTH_INTERFACE_VERSION, (int)getpid(), bound,
                index_set_format(&cpus, list, sizeof list), memory_mode_word(process.memory));
        text_append(&text, "nodes %s\n",
                process.memory == MEMORY_LOCAL
                        ? ""
                        : index_set_format(&process.nodes, list, sizeof list));
        struct thread_rules *rules = atomic_load(&active_rules);
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
    if (result == 0 && plan.rule_count == 0) {
        result = error_set(error, EINVAL, "the plan has no thread rules");
    }
    if (result == 0) {
        result = process_cpus(&cpus);
        if (result < 0) {
            error_set_system(error, -result, "cannot read the affinity mask");
        }
    }
    if (result == 0) {
        pthread_mutex_lock(&state_lock);
        result = start_rules(java_vm, &plan, &cpus, error);
        pthread_mutex_unlock(&state_lock);
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
        pthread_mutex_lock(&state_lock);
        result = describe(reply, capacity);
        pthread_mutex_unlock(&state_lock);
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
