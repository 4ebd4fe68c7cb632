/*
 * What a thread that is bound to a part of the domain passes on: the number of processors that the
 * JVM reports, and the CPUs of the threads and processes that it starts, are those of the domain.
 *
 * HotSpot counts the CPUs of the calling thread, and the kernel gives a new thread or process those
 * of its creator. So whatever is made in a bound thread, such as a pool that stays for the life of
 * the JVM, would have the size and the place of that one thread.
 */
#ifndef BERTH_WHOLE_DOMAIN_H
#define BERTH_WHOLE_DOMAIN_H

#include "index_set.h"

/* From now on, and again after each change of the domain: `cpus` is the domain. Returns the number
 * of processors that the JVM reports to every thread, or -errno of vm_structs.h when it counts
 * those of the calling thread as before. A number that the user gave (-XX:ActiveProcessorCount)
 * stays. `count_processors` is the JVM's own function. Thread-safe. */
int whole_domain_hold(const struct index_set *cpus, int (*count_processors)(void));

/* The JVM counts again as it did before, and creators pass their own CPUs on. */
void whole_domain_release(void);

/* The domain at this moment, or NULL; it is never freed. */
const struct index_set *whole_domain_now(void);

/* Room for the mask of a thread, as in CONFIG_NR_CPUS of the largest kernels. */
enum { WHOLE_DOMAIN_WORDS = 128 };

/* The mask of a thread between whole_domain_open and whole_domain_close. */
struct narrow_mask {
    uint64_t words[WHOLE_DOMAIN_WORDS];
    uint64_t given[WHOLE_DOMAIN_WORDS]; /* as the kernel has made it */
    bool widened;
};

/* Gives the calling thread the domain when it is bound to a part of it: what it creates until
 * whole_domain_close has the domain from its birth. Never fails: then the CPUs are the thread's
 * own. A thread that is bound anew meanwhile keeps that. Five system calls more in a bound thread,
 * one in any other. */
void whole_domain_open(struct narrow_mask *own);
void whole_domain_close(const struct narrow_mask *own);

#endif
