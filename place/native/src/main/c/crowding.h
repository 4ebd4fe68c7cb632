/*
 * Whether a process should leave its domain, because others that its ledger does not show use the
 * same CPUs while others are less busy. Pure: the caller reads the clock and /proc/stat.
 *
 * All that share CPUs see the same load. So each waits for a random time and looks again, for a
 * tenth of a second, and moves at once if nothing has changed: mostly one has left by then, and the
 * other one stays. A row of moves that does not help gets slower.
 */
#ifndef BERTH_CROWDING_H
#define BERTH_CROWDING_H

#include "lease_by_load.h"

enum crowding_stage { CROWDING_LOOKS, CROWDING_WAITS, CROWDING_CONFIRMS };

/* All zero bytes is one that has not begun. */
struct crowding {
    enum crowding_stage stage;
    int64_t next; /* when to look again, in ms */
    uint64_t random;
    uint64_t own;
    struct cpu_times before;
    unsigned alert; /* looks that come soon, after a start or a move */
    unsigned moves; /* in a row */
};

/* The first look is soon: processes that are started together have seen the same load. */
void crowding_begin(struct crowding *crowding, int64_t millis, uint64_t random);

/* Is to be called at `next`, with what was read then: `now` is handed over. `own` are the ticks
 * that the process itself has used; `cpus` its domain, and `domains` those that it may have.
 *
 * 1: move now; `load` is then that of the CPUs by others, to choose by, and to be freed: each CPU
 * of the domain has what others use of all of them. 0: stay. -ENOMEM. */
int crowding_look(struct crowding *crowding, int64_t millis, struct cpu_times *now, uint64_t own,
        const struct index_set *cpus, const struct domains *domains, struct host_load *load);

/* Whether to leave these CPUs for the domain: what it has in addition is idle, or a quarter less
 * busy than what can be left for it. `load` is that of crowding_look. */
bool crowding_may_take(
        const struct domain *domain, const struct host_load *load, const struct index_set *cpus);

void crowding_free(struct crowding *crowding);

#endif
