/*
 * The agent's options, the text behind the '=' of -agentpath:
 *
 *     plan=FILE[,worker=N|free|exclusive]                    a written plan
 *     domain=numa|package|l3|core:K|cpus:LIST[,select=free|exclusive|N][,memory=bind[,nodes=0]]
 *                                                            a part of this machine, by lease; with
 *                                                            nodes= its memory is on these
 *     cpus=0-3,8[,nodes=0,memory=bind]                       or a set given directly
 *     rule=RULE, rules=FILE, preset=NAME, gc=PLACE, jit=PLACE, level=pu|core, smt=last|never
 *                                                            threads (see thread_rule.h), with any
 * of them heap-memory=MODE[:W0,W1...][@NODES]                           the heap alone (see
 * heap_policy.h), with any of them leases=DIRECTORY, name=TEXT                            with a
 * lease unmatched=SECONDS                                      with rules verbose, strict,
 * guard=on|off                          with any of them
 *
 * The separator also stands inside lists, so a piece without '=' continues the value before it.
 */
#ifndef BERTH_AGENT_OPTIONS_H
#define BERTH_AGENT_OPTIONS_H

#include "domains.h"
#include "heap_policy.h"
#include "plan_parser.h"

enum select { SELECT_FREE = -1 }; /* or the index of a domain */

/* Long enough for a server to start its pools, and for a tool to have ended. */
enum { UNMATCHED_SECONDS = 60 };

struct options {
    char *plan_file;
    int worker;  /* -1: all of the plan */
    bool leased; /* which domain, or which worker, is found by a lease */
    bool has_domain;
    enum domain_kind domain;
    unsigned domain_cores;
    struct index_set domain_cpus; /* with DOMAIN_CPUS */
    int select;
    bool exclusive;
    char *leases; /* NULL: the usual directory */
    char *name;
    struct index_set cpus;
    struct index_set nodes;
    enum memory_mode memory;
    bool default_policy; /* memory=local is written: an inherited policy is given up */
    struct heap_policy heap;
    struct rules rules;
    bool core_slots; /* a slot is a core with all its PUs, and not one PU */
    bool smt_never;  /* only the first PU of each core, for the process too */
    bool verbose;
    bool strict;
    bool guard;
    int unmatched; /* seconds until rules without a thread are told; 0: never */
};

/* `strict` and `verbose` are right even when the rest is refused. -EINVAL or -ENOMEM; the options
 * must be freed in any case. */
int options_parse(struct options *options, const char *text, struct error_text *error);

/* Whether a value stays one: a piece behind a comma that holds an equals sign or is a flag is the
 * next option, and there is no escape. */
bool options_is_one_value(const char *value);

void options_free(struct options *options);

#endif
