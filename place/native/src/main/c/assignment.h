/*
 * What this process is assigned by its options: a written plan or one worker of it, a domain that a
 * lease gives, or a set of CPUs, as a plan with slots.
 */
#ifndef BERTH_ASSIGNMENT_H
#define BERTH_ASSIGNMENT_H

#include "agent_options.h"
#include "domain_watch.h"
#include "lease.h"

/* The descriptor of the lease, told to the second start of a JVM. */
#define LEASE_VARIABLE "BERTH_AGENT_LEASE"

/* Must begin as {.worker = -1, .lease_file = -1}. */
struct assignment {
    struct plan plan;
    int worker;     /* -1: all of the plan */
    int lease_file; /* -1: no lease */
    struct lease lease;
    struct domain home;        /* what the lease was for when it was claimed */
    int former;                /* a lease that this one takes the place of; 0: none */
    struct domain_watch watch; /* of a lease that others may not see */
};

/* The plan has slots for single threads only when there are rules or smt=never; else one slot holds
 * all CPUs. `usable` are the CPUs that this process inherited. A lease that the process holds
 * already, from before it was started again, is taken up; else one is claimed. */
int assignment_choose(struct assignment *assignment, const struct options *options,
        const struct index_set *usable, struct error_text *error);

/* The directory of the leases. */
const char *assignment_ledger(const struct options *options);

/* Each worker of a plan as a domain. 0 or -ENOMEM. */
int assignment_plan_domains(struct domains *domains, const struct plan *plan);

/* Follows CPUs that have changed: the wanted ones that are left, or all that are usable; with a
 * lease, those to which it moves (see ledger_move). The plan itself stays. On success *error holds
 * what the user should know, or is empty. */
int assignment_cpus_within(struct assignment *assignment, const struct options *options,
        const struct index_set *wanted, const struct index_set *usable, struct index_set *cpus,
        struct error_text *error);

/* The plan cut to these CPUs, for one worker: what lies outside is left out, and where a rule has
 * nothing left to give, it gets slots among the CPUs. */
int assignment_replan(const struct assignment *assignment, const struct options *options,
        const struct index_set *cpus, struct plan *plan, struct error_text *error);

/* Slots of role task for CPUs: one for each PU, first PUs of all cores before second ones, or one
 * for each core. With `never` there are slots for first PUs only. Where the kernel tells no cores,
 * each PU counts as one. 0 or -ENOMEM. */
int assignment_make_slots(struct plan *plan, const char *root, const struct index_set *cpus,
        const struct index_set *nodes, bool cores, bool never);

/* Makes the file of the lease again if it is gone; 0 when it was there, 1 with what happened. */
int assignment_keep_lease(
        struct assignment *assignment, const struct options *options, struct error_text *error);

/* Where others may not see the lease: looks, when it is time, whether they use the CPUs of the
 * process `pid` while others of `usable` are idle, and then moves the lease. *moved: 1 with another
 * home, 0, or -errno with the reason. One that the user has named stays, which *error then says,
 * once. Returns the time in ms to the next look, or -1 when there is nothing to look for. */
int64_t assignment_leave_crowd(struct assignment *assignment, const struct options *options,
        const struct index_set *usable, long pid, int *moved, struct error_text *error);

/* Releases the lease. */
void assignment_free(struct assignment *assignment);

#endif
