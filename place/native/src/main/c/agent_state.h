/*
 * What the agent knows of its process. Only the files agent*.c use it.
 */
#ifndef BERTH_AGENT_STATE_H
#define BERTH_AGENT_STATE_H

#include "assignment.h"
#include "process_bind.h"
#include "thread_rules.h"

#include <pthread.h>
#include <stdatomic.h>

struct agent_state {
    /* Held by what changes the fields below and by what reads them together. */
    pthread_mutex_t lock;
    /* How the process was bound, as the status tells it. */
    const char *bound;
    struct options options;
    struct index_set inherited; /* the mask before anything was bound */
    struct assignment assignment;
    struct index_set wanted;        /* CPUs asked for, inside the inherited ones */
    struct process_binding process; /* what it has */
    struct index_set leader;        /* the mask of the first thread when it was last looked at */
    struct index_set outside;       /* CPUs to which another process has bound this one; or empty */
    /* The options' value, for threads that do not hold the lock. */
    atomic_bool verbose;
    atomic_bool guard;
    /* The id of the watching thread; 0: there is none. */
    atomic_int watcher;

    /* Rules that were replaced are not freed: a thread may be inside them. */
    _Atomic(struct thread_rules *) rules;
    /* An int: GCC before 14 exchanges a bool on riscv64 by libatomic, which we do not link. */
    atomic_int failure_printed;
    atomic_bool names_followed; /* a new name of a thread is seen */
};

extern struct agent_state agent;

/* What an agent that is loaded again leaves behind. */
struct agent_former {
    struct options options;
    struct assignment assignment;
    struct process_binding process;
    struct index_set wanted;
    const char *bound;
};

/* Makes room for an agent that is loaded with these options. The lock is held by the caller, as by
 * those of the next three. */
struct agent_former agent_set_aside(const struct options *options);

/* In a JVM that runs, instead of a start. */
int agent_attach_begin(void *java_vm, struct error_text *error);

/* After an attach that failed: the JVM runs on as it did. */
void agent_put_back(struct agent_former *former);

void agent_drop_former(struct agent_former *former);

/* What the options ask for, inside what the process may use. */
int agent_find_process(bool runs, struct error_text *error);

/* Rules that nothing obeys yet. */
int agent_make_rules(void *java_vm, const struct plan *plan, int worker,
        const struct index_set *cpus, struct thread_rules **made, struct error_text *error);

/* Starts a thread that follows changes of the CPUs that the process may use, and that finds the
 * JVM's own threads for group rules. Once; the lock is held by the caller. */
int agent_watch_start(struct error_text *error);

/* whole_domain.h for the threads of rules; one line, once, when this JVM does not allow it. */
void agent_hold(const struct index_set *cpus);

/* A detached thread that takes no signals of the JVM's. 0 or -errno. */
int agent_thread_start(void *(*function)(void *), void *argument);

/* The CPUs of the whole process, not of a thread that may have its own. */
int agent_process_cpus(struct index_set *cpus);

/* Rules for threads that start from now on. The lock is held by the caller. */
int agent_start_rules(void *java_vm, const struct plan *plan, int worker,
        const struct index_set *cpus, struct error_text *error);

/* Starts the watching thread if there is something to watch; one line when that fails. The lock is
 * held by the caller. */
void agent_start_watch(void);

/* Makes the rules anew, inside other CPUs. The lock is held by the caller. */
int agent_replace_rules(const struct index_set *process_cpus, struct error_text *error);

/* What the cpuset allows at this moment. By a thread that starts no others, for the kernel keeps in
 * mind that it had a mask of all CPUs. 0 or -errno. */
int agent_cpuset_read(struct index_set *allowed);

/* The same, which a thread of its own reads. */
int agent_cpuset_ask(struct index_set *allowed);

#endif
