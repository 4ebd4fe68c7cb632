/*
 * Threads that appear in this process: one that began with the slot of the bound thread that
 * created it gets the domain. Nothing tells of threads that native code creates, and JVMTI's event
 * for those of Java has its price for virtual threads; a look at the list of threads costs about 60
 * us with 200 of them.
 */
#ifndef BERTH_NEWBORN_H
#define BERTH_NEWBORN_H

#include "index_set.h"

#include <stdbool.h>

/* A thread is on the domain before it has run for longer than this. */
enum { NEWBORN_MILLIS = 40 };

/* All that are there at this moment are no newborns. Thread-safe, as all of these are. */
void newborn_begin(void);

/* Until it begins again all threads inherit. */
void newborn_pause(void);

/* As cpu_bind_set, for a thread that is bound on purpose: it keeps what it has been given. */
int newborn_bind(int tid, const struct index_set *cpus);

/* Gives the domain to the calling thread, which has just begun. */
void newborn_self(const struct index_set *domain);

/* Gives the domain to those that have appeared since the last look. Returns how many got it, or
 * -errno when the threads cannot be listed, -ECANCELED during a pause. */
int newborn_look(const struct index_set *domain);

#endif
