/* Thread rules: a thread whose complete name matches the glob of a rule gets what the rule gives
 * when it starts or takes that name, and releases it when it ends or takes another. See
 * thread_rule.h for the targets.
 *
 * The functions are called by the threads themselves, in any number at once,
 * and by the guard's thread.
 */
#ifndef BERTH_THREAD_RULES_H
#define BERTH_THREAD_RULES_H

#include "plan_parser.h"
#include "text_buffer.h"

struct thread_rules;

/* `cpus` is the set of the whole process; slots are cut to it. `worker` -1: slots of all workers.
 * The plan's rules are copied. Returns 1 when some slots or CPUs of rules lie outside, with the
 * error text saying so; -EINVAL when a rule has nothing left to give. */
int thread_rules_create(struct thread_rules **rules, const struct plan *plan, int worker,
        const struct index_set *cpus, struct error_text *error);

/* Binds the calling thread if a rule matches its name, or the virtual threads that it carries.
 * Returns the slot's index in the plan;
 * NO_SLOT (see thread_registry.h) for CPUs that are no slot; -ENOENT when no rule matches;
 * -EBUSY, with the thread left anywhere in the process, when every slot is held exclusively; or
 * another -errno. */
int thread_rules_started(struct thread_rules *rules, int tid, const char *name, bool carrier,
        struct error_text *error);

/* The calling thread has another name now: what another rule gives it is exchanged, and what the
 * same rule gives it stays. As above; -EALREADY when it stays, -ENOENT when no rule matches any
 * more. */
int thread_rules_renamed(
        struct thread_rules *rules, int tid, const char *name, struct error_text *error);

/* Releases what the calling thread got. */
void thread_rules_ended(struct thread_rules *rules, int tid);

/* Handles the JVM's own threads, whose names the kernel knows: finds those of the groups that rules
 * name and binds the ones that have another mask. Returns how many had. */
int thread_rules_bind_groups(struct thread_rules *rules, struct error_text *error);

bool thread_rules_has_groups(const struct thread_rules *rules);

/* Whether there is a rule for the threads that carry virtual ones. */
bool thread_rules_has_carriers(const struct thread_rules *rules);

/* Whether there are rules for threads with names of their own, so that their starts must be seen.
 */
bool thread_rules_has_names(const struct thread_rules *rules);

/* Takes over the threads of rules that were replaced: each live thread gets what these give it,
 * by name, unless its mask lies inside `keep` (NULL: none stays). Threads that are not known are
 * not touched. Returns how many were bound. */
int thread_rules_take_over(
        struct thread_rules *rules, struct thread_rules *former, const struct index_set *keep);

/* Whether a rule has bound a thread. */
bool thread_rules_knows(struct thread_rules *rules, int tid);

/* The same, or whether it belongs to a group for which there is a rule: 1 or 0; -errno with the
 * reason where that cannot be read for want of descriptors or memory. */
int thread_rules_concern(struct thread_rules *rules, int tid, struct error_text *error);

/* Appends the globs of rules that no thread has matched so far, and returns how many there are.
 * Without `all`: those that a user wrote to move threads. */
size_t thread_rules_unmatched(struct thread_rules *rules, bool all, struct text_buffer *text);

/* Appends one line for each rule: "rule threads=4 matched target=slot glob=worker-*". A rule
 * without a thread so far is "missed", or "unmatched" when that is nothing to wonder about. */
void thread_rules_list(struct thread_rules *rules, struct text_buffer *text);

/* Appends "rules N", "matched N", "failed N", one "rule ..." and one "thread ..." line each. */
void thread_rules_describe(struct thread_rules *rules, struct text_buffer *text);

/* Must be called only when no thread can call the others any more. */
void thread_rules_free(struct thread_rules *rules);

#endif
