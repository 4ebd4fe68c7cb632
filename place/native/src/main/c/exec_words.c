#include "exec_words.h"

#include "agent_options.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int exec_words_usage(const char *problem, const char *argument) {
    message_print("%s '%.200s'; usage: berth-exec [--cpus LIST] [--nodes LIST] "
                  "[--memory MODE] [--domain numa|package|l3|core:K|cpus:LIST "
                  "[--select free|exclusive|N] [--leases DIRECTORY] [--name TEXT]] "
                  "[--heap-memory MODE[:WEIGHTS][@NODES] [--library FILE]] [--usage FILE] "
                  "[--strict yes|no] [--agent yes|no] [--keep yes|no] "
                  "[--report yes|no] [--follow PID] [--default-policy yes|no] -- COMMAND...",
            problem, argument);
    return WRONG_USAGE;
}

static int read_lease(struct exec_words *words, const char *option, const char *value) {
    if (!options_is_one_value(value)) {
        return exec_words_usage(
                "a comma stands before what reads as another option in the value of", option);
    }
    int added = snprintf(words->request + words->request_length,
            sizeof words->request - words->request_length, "%s%s=%s",
            words->request_length == 0 ? "" : ",", option + 2, value);
    words->request_length += (size_t)added;
    return words->request_length < sizeof words->request
                   ? 0
                   : exec_words_usage("too long a value for", option);
}

static int read_switch(const char *value, bool *on) {
    *on = strcmp(value, "yes") == 0;
    return *on || strcmp(value, "no") == 0 ? 0 : exec_words_usage("not yes or no:", value);
}

static int read_memory(struct exec_words *words, const char *value) {
    int mode = memory_mode_parse(value, strlen(value));
    if (mode < 0) {
        return exec_words_usage("unknown memory mode", value);
    }
    words->binding.memory = (enum memory_mode)mode;
    return 0;
}

static int read_set(struct index_set *set, const char *option, const char *value) {
    struct error_text error;
    if (index_set_parse(set, value, strlen(value), &error) < 0) {
        return exec_words_usage(error.text, option);
    }
    return index_set_is_empty(set) ? exec_words_usage("empty list for", option) : 0;
}

static int read_heap(struct exec_words *words, const char *option, const char *value) {
    struct error_text error;
    return heap_policy_parse(&words->heap, value, &error) < 0 ? exec_words_usage(error.text, option)
                                                              : 0;
}

static int read_pid(long *pid, const char *value) {
    char *end;
    errno = 0;
    *pid = strtol(value, &end, 10);
    return errno == 0 && end != value && *end == '\0' && *pid > 0 && *pid <= INT_MAX
                   ? 0
                   : exec_words_usage("not the number of a process:", value);
}

static int read_text(const char **text, const char *value) {
    *text = value;
    return 0;
}

enum kind {
    CPUS,
    NODES,
    MEMORY,
    LEASE,
    HEAP,
    LIBRARY,
    USAGE,
    STRICT,
    AGENT,
    KEEP,
    REPORT,
    FOLLOW,
    POLICY
};

static const struct {
    const char *option;
    enum kind kind;
} known[] = {
        {"--cpus", CPUS},
        {"--nodes", NODES},
        {"--memory", MEMORY},
        {"--domain", LEASE},
        {"--select", LEASE},
        {"--leases", LEASE},
        {"--name", LEASE},
        {"--heap-memory", HEAP},
        {"--library", LIBRARY},
        {"--usage", USAGE},
        {"--strict", STRICT},
        {"--agent", AGENT},
        {"--keep", KEEP},
        {"--report", REPORT},
        {"--follow", FOLLOW},
        {"--default-policy", POLICY},
};

static int read_option(struct exec_words *words, const char *option, const char *value) {
    size_t i = 0;
    while (i < sizeof known / sizeof *known && strcmp(option, known[i].option) != 0) {
        i++;
    }
    if (i == sizeof known / sizeof *known) {
        return exec_words_usage("unknown option", option);
    }
    switch (known[i].kind) {
    case CPUS:
        return read_set(&words->binding.cpus, option, value);
    case NODES:
        return read_set(&words->binding.nodes, option, value);
    case MEMORY:
        return read_memory(words, value);
    case LEASE:
        return read_lease(words, option, value);
    case HEAP:
        return read_heap(words, option, value);
    case LIBRARY:
        return read_text(&words->library, value);
    case USAGE:
        return read_text(&words->usage_file, value);
    case STRICT:
        return read_switch(value, &words->strict);
    case AGENT:
        return read_switch(value, &words->agent);
    case KEEP:
        return read_switch(value, &words->keep);
    case REPORT:
        return read_switch(value, &words->report);
    case FOLLOW:
        return read_pid(&words->followed, value);
    default:
        return read_switch(value, &words->default_policy);
    }
}

int exec_words_read(struct exec_words *words, int count, char **arguments) {
    *words = (struct exec_words){.strict = true, .report = true};
    int position = 1;
    for (; position < count && strcmp(arguments[position], "--") != 0; position += 2) {
        if (position + 1 >= count) {
            return exec_words_usage("no value for", arguments[position]);
        }
        for (int before = 1; before < position; before += 2) {
            if (strcmp(arguments[before], arguments[position]) == 0) {
                return exec_words_usage("given twice:", arguments[position]);
            }
        }
        int result = read_option(words, arguments[position], arguments[position + 1]);
        if (result != 0) {
            return result;
        }
    }
    if (position + 1 >= count) {
        return exec_words_usage("no command behind", "--");
    }
    words->command = arguments + position + 1;
    return 0;
}

void exec_words_free(struct exec_words *words) {
    process_binding_free(&words->binding);
    heap_policy_free(&words->heap);
}
