/*
 * Masks that another process gives to this one while the agent watches: 'berth bind', taskset -a.
 * The agent yields, and its rules hold inside those CPUs until the former ones return.
 */
#ifndef BERTH_AGENT_OUTSIDE_H
#define BERTH_AGENT_OUTSIDE_H

#include "index_set.h"

#include <stdbool.h>

/* From here on another mask of the first thread is not ours. The lock is held by the caller. */
void agent_outside_begin(void);

/* Cuts CPUs that the agent has chosen to those of a bind from outside, as long as any are left. */
void agent_outside_keep(struct index_set *process_cpus);

/* Called once a second: whether the first thread has another mask than it had, which the next look
 * takes for meant if it stays. */
bool agent_outside_look(void);

#endif
