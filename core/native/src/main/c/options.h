/*
 * The agent's options, the text behind the '=' of -agentpath:
 *
 *     plan=FILE[,worker=N]                                   a written plan
 *     cpus=0-3,8[,nodes=0,memory=bind][,rule=GLOB]...        or a set given directly
 *     verbose, strict                                        with either
 *
 * The separator also stands inside lists, so a piece without '=' continues the value before it.
 */
#ifndef BERTH_OPTIONS_H
#define BERTH_OPTIONS_H

#include "plan.h"

struct options {
    char *plan_file;
    int worker; /* -1: all of the plan */
    struct index_set cpus;
    struct index_set nodes;
    enum memory_mode memory;
    struct plan rules; /* only its rules are used */
    bool verbose;
    bool strict;
};

/* `strict` and `verbose` are right even when the rest is refused. -EINVAL or -ENOMEM; the options
 * must be freed in any case. */
int options_parse(struct options *options, const char *text, struct error_text *error);

void options_free(struct options *options);

#endif
