/*
 * What thread rules consist of. Only the files thread_rules*.c use it.
 */
#ifndef BERTH_THREAD_RULES_STATE_H
#define BERTH_THREAD_RULES_STATE_H

#include "process_bind.h"
#include "slots.h"
#include "thread_registry.h"
#include "thread_rules.h"

#include <pthread.h>

/* All that the threads of a rule may get together. */
struct target {
    struct index_set cpus;
    struct index_set nodes;
    /* Under the lock of the rules: */
    size_t threads; /* that are there */
    bool seen;      /* whether there has ever been one */
    /* Of the thread that looks for groups: */
    size_t found;
};

struct thread_rules {
    /* Written once, before any thread can see them: */
    struct rules rules;
    struct target *targets;        /* one for each rule */
    struct index_set process_cpus; /* of the whole process */
    struct index_set process_nodes;
    enum memory_mode memory;

    /* Guards what follows, except the sets of the slots, which never change. */
    pthread_mutex_t lock;
    struct slots slots;
    struct thread_registry registry;
    unsigned long matched;
    unsigned long failed;
};

/* The first rule for a thread of this name, or -ENOENT. */
int thread_rules_rule_of(const struct thread_rules *rules, const char *name, bool carrier);

/* Enters a thread; the position of its slot, or NO_SLOT, or -errno. */
int thread_rules_take(
        struct thread_rules *rules, int tid, const char *name, int rule, bool carrier);

/* Whether the thread was known. */
bool thread_rules_give_back(struct thread_rules *rules, int tid, bool failed);

/* The sets that a thread gets; they are the rules' own. */
struct process_binding thread_rules_binding_of(
        const struct thread_rules *rules, int rule, int position);

#endif
