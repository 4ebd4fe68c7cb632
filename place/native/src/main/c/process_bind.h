/* The place of a whole process: what is asked for, cut to what the process inherited.
 *
 * A process never leaves the set that it inherited: a user who wrote `taskset -c 0`, or a batch
 * system that gave the job eight CPUs, meant it.
 */
#ifndef BERTH_PROCESS_BIND_H
#define BERTH_PROCESS_BIND_H

#include "plan_parser.h"

#include <stdbool.h>

/* All zero bytes asks for nothing. */
struct process_binding {
    struct index_set cpus;   /* empty: leave as they are */
    enum memory_mode memory; /* local: leave the policy as it is */
    bool default_policy;     /* with local: in place of an inherited policy, the kernel's default */
    struct index_set nodes;
    bool own_heap; /* the heap has a policy of its own, which UseNUMA would replace */
};

/* The union of the slots of a worker (-1: of all). -ENOENT when the plan has no such worker. */
int process_binding_of_plan(struct process_binding *binding, const struct plan *plan, int worker,
        struct error_text *error);

/* Cuts the CPUs to the calling thread's mask. -EINVAL when nothing is left (the binding then
 * asks for no CPUs); 1 when something was cut off, with the error text saying what. */
int process_binding_cut_cpus(struct process_binding *binding, struct error_text *error);

/* The same, with another set than the mask. */
int process_binding_cut_cpus_to(
        struct process_binding *binding, const struct index_set *allowed, struct error_text *error);

/* The same for the memory nodes. */
int process_binding_cut_nodes(struct process_binding *binding, struct error_text *error);

/* Whether the calling thread has this mask, and this memory policy, already. */
bool process_binding_holds(const struct process_binding *binding);

/* The same of the memory policy alone. */
bool process_binding_holds_memory(const struct process_binding *binding);

/* Binds the calling thread, and so everything that it will start; the mask is read back. */
int process_binding_apply_cpus(const struct process_binding *binding, struct error_text *error);
int process_binding_apply_memory(const struct process_binding *binding, struct error_text *error);

/* Gives the mask to every thread of this process, until no new thread appears. */
int process_binding_apply_to_all(const struct process_binding *binding, struct error_text *error);

/* Gives the mask to one thread: 1 when it had another one, 0 when not, -ESRCH when it has ended. */
int process_binding_move_thread(int tid, const struct index_set *cpus, struct error_text *error);

/* "CPUs 0-3, memory bind 0" */
const char *process_binding_describe(
        const struct process_binding *binding, char *buffer, size_t size);

/* " but for the inherited policy interleave" where the binding asks for none and the calling thread
 * has one; else "". */
const char *process_binding_inherits(
        const struct process_binding *binding, char *buffer, size_t size);

void process_binding_free(struct process_binding *binding);

/* The kernel's number of a mode, with its flag. */
int memory_mode_policy(enum memory_mode mode);

/* " (it needs Linux 6.9 ...)"; "" of the modes that each kernel has. */
const char *memory_mode_needs(enum memory_mode mode);

/* The thread part of a policy: for `local` nothing is done. */
int memory_mode_apply(enum memory_mode mode, const struct index_set *nodes);

#endif
