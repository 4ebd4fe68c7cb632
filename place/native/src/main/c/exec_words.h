/* The words of a command line of berth-exec, up to the command (berth_exec.c has what they mean).
 */
#ifndef BERTH_EXEC_WORDS_H
#define BERTH_EXEC_WORDS_H

#include "heap_policy.h"

#include <stdbool.h>
#include <stddef.h>

/* The exit code, as of other programs. */
enum { WRONG_USAGE = 2 };

struct exec_words {
    struct process_binding binding; /* --cpus, --nodes, --memory */
    char request[1024];             /* what asks for a lease, in the words of the agent's options */
    size_t request_length;
    const char *usage_file;
    const char *library;
    struct heap_policy heap;
    bool strict;
    bool agent;
    bool keep;
    bool report;
    long followed;
    bool default_policy;
    char **command;
};

/* 0, or WRONG_USAGE after a line with the reason. The words must be freed in any case. */
int exec_words_read(struct exec_words *words, int count, char **arguments);

/* Prints a problem and the usage. Returns WRONG_USAGE. */
int exec_words_usage(const char *problem, const char *argument);

void exec_words_free(struct exec_words *words);

#endif
