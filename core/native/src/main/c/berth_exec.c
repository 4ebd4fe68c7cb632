/*
 * berth-exec [--cpus LIST] [--nodes LIST] [--memory MODE] -- COMMAND...
 *
 * Binds itself and becomes the command: for commands that are not a JVM. Nothing stays behind, so
 * signals, stdin, the exit code and the PID are the command's own.
 *
 * Exit codes as env(1): 126 the command cannot be run, 127 it is not there; 1 it cannot be bound;
 * 2 wrong usage.
 */
#include "process_bind.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { CANNOT_BIND = 1, WRONG_USAGE = 2, CANNOT_RUN = 126, NOT_FOUND = 127 };

static int usage(const char *problem, const char *argument) {
    message_print("%s '%.200s'; usage: berth-exec [--cpus LIST] [--nodes LIST] "
                  "[--memory local|bind|prefer|interleave] -- COMMAND...",
            problem, argument);
    return WRONG_USAGE;
}

static int read_option(struct process_binding *binding, const char *option, const char *value) {
    struct error_text error;
    size_t length = strlen(value);
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

static int bind(struct process_binding *binding) {
    struct error_text error;
    int result = process_binding_cut_cpus(binding, &error);
    if (result > 0) {
        message_print("%s", error.text);
    }
    if (result >= 0) {
        result = process_binding_cut_nodes(binding, &error);
        if (result > 0) {
            message_print("%s", error.text);
        }
    }
    if (result >= 0) {
        result = process_binding_apply_cpus(binding, &error);
    }
    if (result >= 0) {
        result = process_binding_apply_memory(binding, &error);
    }
    if (result < 0) {
        message_print("%s", error.text);
        return CANNOT_BIND;
    }
    return 0;
}

int main(int count, char **arguments) {
    struct process_binding binding = {0};
    int position = 1;
    for (; position < count && strcmp(arguments[position], "--") != 0; position += 2) {
        if (position + 1 >= count) {
            return usage("no value for", arguments[position]);
        }
        int result = read_option(&binding, arguments[position], arguments[position + 1]);
        if (result != 0) {
            return result;
        }
    }
    if (position + 1 >= count) {
        return usage("no command behind", "--");
    }
    if ((binding.memory != MEMORY_LOCAL) != !index_set_is_empty(&binding.nodes)) {
        return usage("--nodes and --memory need each other, here", arguments[position + 1]);
    }
    int result = bind(&binding);
    process_binding_free(&binding);
    if (result != 0) {
        return result;
    }
    char **command = arguments + position + 1;
    execvp(command[0], command);
    int problem = errno;
    message_print("cannot run %.300s: %s", command[0], strerror(problem));
    return problem == ENOENT ? NOT_FOUND : CANNOT_RUN;
}
