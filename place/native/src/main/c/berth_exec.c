/*
 * berth-exec [--cpus LIST] [--nodes LIST] [--memory MODE] -- COMMAND...
 * berth-exec --domain KIND [--select free|exclusive|N] [--leases DIRECTORY] [--name TEXT]
 *            [--memory MODE [--nodes LIST]] -- COMMAND...
 * berth-exec ... --heap-memory MODE[:WEIGHTS][@NODES] [--library FILE] -- COMMAND...
 * berth-exec ... --usage FILE -- COMMAND...
 * berth-exec ... --strict no --default-policy yes --report no --follow PID -- COMMAND...
 * berth-exec [--usage FILE] --agent yes -- java -agentpath:LIBRARY=OPTIONS...
 * berth-exec --keep yes ... -- COMMAND...
 *
 * Binds itself and becomes the command: for commands that are not a JVM. Nothing stays behind, so
 * signals, stdin, the exit code and the PID are the command's own. A lease is held by the command
 * and by what it starts, until the last of them ends.
 *
 * With --strict no a failure to bind is one line, and the command is started all the same: for work
 * that is more important than its binding. CPUs are bound where memory cannot be.
 *
 * With --default-policy yes an inherited memory policy (numactl, a batch system) is given up first.
 *
 * With --heap-memory each JVM that the command is or starts gets a policy for its heap alone, by
 * the agent (--library; otherwise libberth.so in the folder of this program). Other programs
 * are not affected.
 *
 * With --agent yes it does what the agent would do before it starts the JVM again: the JVM finds
 * itself in its place, and starts once. So nothing is done twice that comes before agents, above
 * all the opening of log files, which pushes out older ones.
 *
 * With --usage it stays as the parent of the command, and writes to the file what the command took.
 *
 * With --keep yes it stays as the parent of the command for `berth split` (keeper.h).
 *
 * Where others may not see the lease, a process of its own looks for their load and moves the
 * command, or with --follow the process PID that the caller binds to the domain (follower.h).
 *
 * With --report no it does not print the domain that it got: for callers that do.
 *
 * Exit codes as env(1): 126 the command cannot be run, 127 it is not there; 1 it cannot be bound;
 * 2 wrong usage.
 */
#include "assignment.h"
#include "birth.h"
#include "cpu_bind.h"
#include "exec_words.h"
#include "follower.h"
#include "heap_option.h"
#include "keeper.h"
#include "memory_bind.h"
#include "numa_option.h"
#include "process_bind.h"
#include "seccomp_probe.h"
#include "usage_recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CANNOT_BIND = 1, CANNOT_RUN = 126, NOT_FOUND = 127 };

/* Scripts open files under the small numbers, and would close the lease. */
enum { LEASE_DESCRIPTOR = 200 };

static int cannot_bind(const struct error_text *error, bool lenient) {
    message_print("%s%s", error->text, lenient ? "; the command is started all the same" : "");
    return CANNOT_BIND;
}

static int use_default_policy(bool lenient) {
    struct error_text error;
    struct process_binding local = {.default_policy = true};
    return process_binding_apply_memory(&local, &error) < 0 ? cannot_bind(&error, lenient) : 0;
}

/* The domain that the lease gives; its file stays open in the command. */
static int find_domain(struct process_binding *binding, const struct options *options,
        const struct exec_words *words) {
    struct error_text error;
    struct index_set usable = {0};
    struct assignment assignment = {.worker = -1, .lease_file = -1};
    /* The choice asks for memory that may be used, as the agent's does. */
    struct options wish = *options;
    wish.strict = words->strict;
    wish.memory = binding->memory;
    int result = cpu_bind_get(0, &usable);
    result = result < 0 ? error_set_system(&error, -result, "cannot read the affinity mask")
                        : assignment_choose(&assignment, &wish, &usable, &error);
    enum memory_mode memory = binding->memory;
    if (result == 0) {
        result = process_binding_of_plan(binding, &assignment.plan, -1, &error);
        binding->memory = memory;
    }
    if (result < 0) {
        return cannot_bind(&error, !words->strict);
    }
    int follower = follower_start(&assignment, &wish, words->followed);
    if (follower < 0) {
        message_print("cannot start the process that looks for others on these CPUs: %s",
                error_reason(-follower));
    }
    char text[160];
    char policy[80];
    if (fcntl(assignment.lease_file, F_DUPFD, LEASE_DESCRIPTOR) < 0) {
        fcntl(assignment.lease_file, F_SETFD, 0);
    }
    if (!words->report) {
        return 0;
    }
    message_print("%s%s: %s%s", assignment.lease.domain,
            assignment.lease.exclusive ? ", exclusively" : "",
            process_binding_describe(binding, text, sizeof text),
            process_binding_inherits(binding, policy, sizeof policy));
    return 0;
}

static int bind_cpus(struct process_binding *binding, struct error_text *error) {
    int result = process_binding_cut_cpus(binding, error);
    if (result > 0) {
        message_print("%s", error->text);
    }
    return result < 0 ? result : process_binding_apply_cpus(binding, error);
}

static int bind_memory(struct process_binding *binding, struct error_text *error) {
    int result = process_binding_cut_nodes(binding, error);
    if (result > 0) {
        message_print("%s", error->text);
    }
    return result < 0 ? result : process_binding_apply_memory(binding, error);
}

/* Memory policies may be refused where masks are not, as by Docker's seccomp profile. */
static int bind(struct process_binding *binding, bool lenient) {
    struct error_text error;
    if (bind_cpus(binding, &error) < 0) {
        return cannot_bind(&error, lenient);
    }
    if (bind_memory(binding, &error) >= 0) {
        return 0;
    }
    if (lenient && !index_set_is_empty(&binding->cpus)) {
        message_print("%s; only the CPUs are bound", error.text);
        return 0;
    }
    return cannot_bind(&error, lenient);
}

/* The options for JVMs of the command. */
static int set_heap(
        struct process_binding *binding, struct exec_words *words, char *const *command) {
    struct error_text error;
    if (!words->heap.given) {
        return 0;
    }
    int result = heap_option_find_nodes(&words->heap, binding);
    result = result < 0 ? error_set_system(&error, -result, "cannot give the heap a policy")
                        : heap_option_set(&words->heap, words->library, command, &error);
    if (result > 0) {
        message_print("%s", error.text);
    }
    binding->own_heap = result == 0;
    return result < 0 ? cannot_bind(&error, !words->strict) : 0;
}

/* The options behind "-agentpath:LIBRARY="; NULL when the word is another one. */
static const char *agent_options(const char *word) {
    static const char option[] = "-agentpath:";
    if (word == NULL || strncmp(word, option, sizeof option - 1) != 0) {
        return NULL;
    }
    const char *equals = strchr(word, '=');
    return equals == NULL ? "" : equals + 1;
}

static int bind_for_agent(
        struct assignment *assignment, const struct options *options, struct error_text *error) {
    static struct birth_variables variables;
    struct process_binding process = {0};
    struct index_set inherited = {0};
    int result = cpu_bind_get(0, &inherited);
    result = result < 0 ? error_set_system(error, -result, "cannot read the affinity mask")
                        : assignment_choose(assignment, options, &inherited, error);
    if (result == 0) {
        result = birth_find(&process, assignment, NULL, options->strict, error);
        process.own_heap = options->heap.given;
        process.default_policy = options->default_policy;
    }
    if (result == 0) {
        result = birth_apply(&process, options->strict, false, error);
    }
    if (result == 0) {
        birth_hand_over(&variables, &process, &inherited, assignment);
        result = reexec_mark(variables.items, error);
    }
    process_binding_free(&process);
    index_set_free(&inherited);
    return result;
}

/* 0: the JVM is to be started. When it need not be bound, its agent tries again, and reports. */
static int prepare_jvm(const char *text) {
    struct options options;
    struct error_text error;
    struct assignment assignment = {.worker = -1, .lease_file = -1};
    int result = options_parse(&options, text, &error);
    if (result == 0) {
        result = bind_for_agent(&assignment, &options, &error);
    }
    if (result == 0) {
        return 0;
    }
    assignment_free(&assignment);
    if (options.strict) {
        message_print("%s; the JVM does not start (option strict)", error.text);
    }
    return options.strict ? CANNOT_BIND : 0;
}

/* What binds this process. */
static int prepare(struct process_binding *binding, struct exec_words *words, char **command) {
    struct options options;
    struct error_text error;
    bool nodes = !index_set_is_empty(&binding->nodes);
    bool cpus = !index_set_is_empty(&binding->cpus);
    const char *agent = words->agent ? agent_options(command[1]) : NULL;
    if (words->agent) {
        bool alone = !nodes && !cpus && binding->memory == MEMORY_LOCAL &&
                     words->request_length == 0 && !words->heap.given;
        return agent != NULL && alone
                       ? prepare_jvm(agent)
                       : exec_words_usage("--agent needs -agentpath behind the command, and "
                                          "binds by it alone:",
                                 command[0]);
    }
    if (words->request_length > 0 && cpus) {
        return exec_words_usage("--domain cannot be given together with --cpus, here", command[0]);
    }
    if ((binding->memory != MEMORY_LOCAL) != nodes && (nodes || words->request_length == 0)) {
        return exec_words_usage("--nodes and --memory need each other, here", command[0]);
    }
    if (words->request_length > 0 && options_parse(&options, words->request, &error) < 0) {
        return exec_words_usage(error.text, command[0]);
    }
    if (words->request_length > 0) {
        /* In place of the domain's own. */
        options.nodes = binding->nodes;
        binding->nodes = (struct index_set){0};
    }
    int result = words->request_length > 0 ? find_domain(binding, &options, words) : 0;
    result = result == 0 ? bind(binding, !words->strict) : result;
    result = result == 0 ? set_heap(binding, words, command) : result;
    if (result == 0 && numa_option_set(binding, command) < 0) {
        message_print(
                "no memory for " NUMA_OPTION_VARIABLE ": a JVM with UseNUMA spreads its heap");
    }
    return !words->strict && result == CANNOT_BIND ? 0 : result;
}

int main(int count, char **arguments) {
    struct exec_words words;
    int result = exec_words_read(&words, count, arguments);
    if (result != 0) {
        exec_words_free(&words);
        return result;
    }
    char **command = words.command;
    int started = words.keep ? keeper_start(KEEPER_GRACE_MILLIS) : 0;
    if (started < 0) {
        message_print("cannot start a process for %.300s: %s", command[0], strerror(-started));
        return CANNOT_BIND;
    }
    result = words.default_policy ? use_default_policy(!words.strict) : 0;
    result = result == 0 || !words.strict ? prepare(&words.binding, &words, command) : result;
    exec_words_free(&words);
    if (result != 0) {
        return result;
    }
    if (words.usage_file != NULL) {
        return usage_run(command, words.usage_file);
    }
    execvp(command[0], command);
    int problem = errno;
    message_print("cannot run %.300s: %s", command[0], strerror(problem));
    return problem == ENOENT ? NOT_FOUND : CANNOT_RUN;
}
