/*
 * The kernel's event counters of a process and of all that it will start, from its next exec on, by
 * perf_event_open(2): what `perf stat` reads.
 */
#ifndef BERTH_COUNTERS_H
#define BERTH_COUNTERS_H

#include <stdio.h>
#include <sys/types.h>

enum { COUNTERS = 11 };

struct counters {
    int files[COUNTERS]; /* -errno where the kernel refused */
};

/* Asks for each counter; what is refused is told by counters_print. */
void counters_open(struct counters *counters, pid_t process);

/* Two JSON fields: "counters" with what was counted and "missing" with why the others were not. */
void counters_print(const struct counters *counters, FILE *out);

void counters_close(struct counters *counters);

#endif
