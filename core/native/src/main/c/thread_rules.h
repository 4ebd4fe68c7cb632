/*
 * Thread rules: a thread whose complete name matches a glob takes the least used slot of the
 * rule's role when it starts, and gives it back when it ends.
 *
 * The functions are called by the starting and ending threads themselves, in any number at once.
 */
#ifndef BERTH_THREAD_RULES_H
#define BERTH_THREAD_RULES_H

#include "plan.h"
#include "text_buffer.h"

struct thread_rules;

/* `cpus` is the set of the whole process; slots are cut to it. `worker` -1: slots of all workers.
 * The plan's rules are copied. Returns 1 when some slots lie outside, with the error text saying
 * so; -EINVAL when a rule has no slot left to give. */
int thread_rules_create(struct thread_rules **rules, const struct plan *plan, int worker,
        const struct index_set *cpus, struct error_text *error);

/* Binds the calling thread if a rule matches its name. Returns the slot's index in the plan,
 * -ENOENT when no rule matches, or another -errno with the reason. */
int thread_rules_started(
        struct thread_rules *rules, int tid, const char *name, struct error_text *error);

/* Gives the calling thread's slot back. */
void thread_rules_ended(struct thread_rules *rules, int tid);

/* Appends "rules N", "matched N", "failed N", one "rule ..." and one "thread ..." line each. */
void thread_rules_describe(struct thread_rules *rules, struct text_buffer *text);

/* Only when no thread can call the others any more. */
void thread_rules_free(struct thread_rules *rules);

#endif
