/*
 * berth-exec [--cpus LIST] [--nodes LIST] [--memory MODE] -- COMMAND...
 * berth-exec --domain KIND [--select free|exclusive|N] [--leases DIRECTORY] [--name TEXT]
 *            [--memory MODE [--nodes LIST]] -- COMMAND...
 * berth-exec ... --heap-memory MODE[:WEIGHTS][@NODES] [--library FILE] -- COMMAND...
 * berth-exec ... --usage FILE -- COMMAND...
 * berth-exec ... --strict no --default-policy yes --report no -- COMMAND...
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
 * With --report no it does not print the domain that it got: for callers that do.
 *
 * Exit codes as env(1): 126 the command cannot be run, 127 it is not there; 1 it cannot be bound;
 * 2 wrong usage.
 */
#include "assignment.h"
#include "birth.h"
#include "cpu_bind.h"
#include "heap_option.h"
#include "keeper.h"
#include "memory_bind.h"
#include "numa_option.h"
#include "process_bind.h"
#include "seccomp_probe.h"
#include "usage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CANNOT_BIND = 1, WRONG_USAGE = 2, CANNOT_RUN = 126, NOT_FOUND = 127 };

/* Scripts open files under the small numbers, and would close the lease. */
enum { LEASE_DESCRIPTOR = 200 };

static int usage(const char *problem, const char *argument) {
    message_print("%s '%.200s'; usage: berth-exec [--cpus LIST] [--nodes LIST] "
                  "[--memory MODE] [--domain numa|package|l3|core:K|cpus:LIST "
                  "[--select free|exclusive|N] [--leases DIRECTORY] [--name TEXT]] "
                  "[--heap-memory MODE[:WEIGHTS][@NODES] [--library FILE]] [--usage FILE] "
                  "[--strict yes|no] [--agent yes|no] [--keep yes|no] "
                  "[--report yes|no] [--default-policy yes|no] -- COMMAND...",
            problem, argument);
    return WRONG_USAGE;
}

/* What asks for a lease, in the words of the agent's options; and what is no binding. */
struct request {
    char text[1024];
    size_t length;
    const char *usage_file;
    const char *library;
    struct heap_policy heap;
    bool lenient;
    bool agent;
    bool keep;
    bool silent;
    bool default_policy;
};

static bool is_about_lease(const char *option) {
    static const char *const names[] = {"--domain", "--select", "--leases", "--name"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(option, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

static int add_to_request(struct request *request, const char *option, const char *value) {
    if (!options_is_one_value(value)) {
        return usage("a comma stands before what reads as another option in the value of", option);
    }
    int added = snprintf(request->text + request->length, sizeof request->text - request->length,
            "%s%s=%s", request->length == 0 ? "" : ",", option + 2, value);
    request->length += (size_t)added;
    return request->length < sizeof request->text ? 0 : usage("too long a value for", option);
}

static int read_switch(const char *value, bool *on) {
    *on = strcmp(value, "yes") == 0;
    return *on || strcmp(value, "no") == 0 ? 0 : usage("not yes or no:", value);
}

static int read_option(struct process_binding *binding, struct request *request, const char *option,
        const char *value) {
    struct error_text error;
    size_t length = strlen(value);
    if (strcmp(option, "--usage") == 0) {
        request->usage_file = value;
        return 0;
    }
    if (strcmp(option, "--library") == 0) {
        request->library = value;
        return 0;
    }
    if (strcmp(option, "--heap-memory") == 0) {
        return heap_policy_parse(&request->heap, value, &error) < 0 ? usage(error.text, option) : 0;
    }
    if (strcmp(option, "--strict") == 0) {
        bool strict;
        int result = read_switch(value, &strict);
        request->lenient = !strict;
        return result;
    }
    if (strcmp(option, "--agent") == 0) {
        return read_switch(value, &request->agent);
    }
    if (strcmp(option, "--keep") == 0) {
        return read_switch(value, &request->keep);
    }
    if (strcmp(option, "--report") == 0) {
        bool report;
        int result = read_switch(value, &report);
        request->silent = !report;
        return result;
    }
    if (strcmp(option, "--default-policy") == 0) {
        return read_switch(value, &request->default_policy);
    }
    if (is_about_lease(option)) {
        return add_to_request(request, option, value);
    }
    if (strcmp(option, "--memory") == 0) {
        int mode = memory_mode_parse(value, length);
        if (mode < 0) {
            return usage("unknown memory mode", value);
        }
        binding->memory = (enum memory_mode)mode;
        return 0;
    }
    struct index_set *set = strcmp(option, "--cpus") == 0    ? &binding->cpus
                            : strcmp(option, "--nodes") == 0 ? &binding->nodes
                                                             : NULL;
    if (set == NULL) {
        return usage("unknown option", option);
    }
    if (index_set_parse(set, value, length, &error) < 0) {
        return usage(error.text, option);
    }
    return index_set_is_empty(set) ? usage("empty list for", option) : 0;
}

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
        const struct request *request) {
    struct error_text error;
    struct index_set usable = {0};
    struct assignment assignment = {.worker = -1, .lease_file = -1};
    /* The choice asks for memory that may be used, as the agent's does. */
    struct options wish = *options;
    wish.strict = !request->lenient;
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
        return cannot_bind(&error, request->lenient);
    }
    char text[160];
    char policy[80];
    if (fcntl(assignment.lease_file, F_DUPFD, LEASE_DESCRIPTOR) < 0) {
        fcntl(assignment.lease_file, F_SETFD, 0);
    }
    if (request->silent) {
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

/* For JVMs of the command. */
static int set_heap(
        struct process_binding *binding, struct request *request, char *const *command) {
    struct error_text error;
    if (!request->heap.given) {
        return 0;
    }
    int result = heap_option_find_nodes(&request->heap, binding);
    result = result < 0 ? error_set_system(&error, -result, "cannot give the heap a policy")
                        : heap_option_set(&request->heap, request->library, command, &error);
    if (result > 0) {
        message_print("%s", error.text);
    }
    binding->own_heap = result == 0;
    return result < 0 ? cannot_bind(&error, request->lenient) : 0;
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
static int prepare(struct process_binding *binding, struct request *request, char **command) {
    struct options options;
    struct error_text error;
    bool nodes = !index_set_is_empty(&binding->nodes);
    bool cpus = !index_set_is_empty(&binding->cpus);
    const char *agent = request->agent ? agent_options(command[1]) : NULL;
    if (request->agent) {
        bool alone = !nodes && !cpus && binding->memory == MEMORY_LOCAL && request->length == 0 &&
                     !request->heap.given;
        return agent != NULL && alone ? prepare_jvm(agent)
                                      : usage("--agent needs -agentpath behind the command, and "
                                              "binds by it alone:",
                                                command[0]);
    }
    if (request->length > 0 && cpus) {
        return usage("--domain cannot be given together with --cpus, here", command[0]);
    }
    if ((binding->memory != MEMORY_LOCAL) != nodes && (nodes || request->length == 0)) {
        return usage("--nodes and --memory need each other, here", command[0]);
    }
    if (request->length > 0 && options_parse(&options, request->text, &error) < 0) {
        return usage(error.text, command[0]);
    }
    if (request->length > 0) {
        /* In place of the domain's own. */
        options.nodes = binding->nodes;
        binding->nodes = (struct index_set){0};
    }
    int result = request->length > 0 ? find_domain(binding, &options, request) : 0;
    result = result == 0 ? bind(binding, request->lenient) : result;
    result = result == 0 ? set_heap(binding, request, command) : result;
    if (result == 0 && numa_option_set(binding, command) < 0) {
        message_print(
                "no memory for " NUMA_OPTION_VARIABLE ": a JVM with UseNUMA spreads its heap");
    }
    return request->lenient && result == CANNOT_BIND ? 0 : result;
}

int main(int count, char **arguments) {
    struct process_binding binding = {0};
    struct request request = {0};
    int position = 1;
    for (; position < count && strcmp(arguments[position], "--") != 0; position += 2) {
        if (position + 1 >= count) {
            return usage("no value for", arguments[position]);
        }
        for (int before = 1; before < position; before += 2) {
            if (strcmp(arguments[before], arguments[position]) == 0) {
                return usage("given twice:", arguments[position]);
            }
        }
        int result = read_option(&binding, &request, arguments[position], arguments[position + 1]);
        if (result != 0) {
            return result;
        }
    }
    if (position + 1 >= count) {
        return usage("no command behind", "--");
    }
    char **command = arguments + position + 1;
    int started = request.keep ? keeper_start(KEEPER_GRACE_MILLIS) : 0;
    if (started < 0) {
        message_print("cannot start a process for %.300s: %s", command[0], strerror(-started));
        return CANNOT_BIND;
    }
    int result = request.default_policy ? use_default_policy(request.lenient) : 0;
    result = result == 0 || request.lenient ? prepare(&binding, &request, command) : result;
    process_binding_free(&binding);
    heap_policy_free(&request.heap);
    if (result != 0) {
        return result;
    }
    if (request.usage_file != NULL) {
        return usage_run(command, request.usage_file);
    }
    execvp(command[0], command);
    int problem = errno;
    message_print("cannot run %.300s: %s", command[0], strerror(problem));
    return problem == ENOENT ? NOT_FOUND : CANNOT_RUN;
}
