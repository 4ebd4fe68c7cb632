#include "host_load.h"

#include "file_text.h"
#include "lease_record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Behind the CPUs is a number for each interrupt. */
enum { STAT_SIZE = 16 << 20, PATH_SIZE = 256, FIELDS = 8, IDLE = 3, WAITING = 4, STOLEN = 7 };

void cpu_times_free(struct cpu_times *times) {
    free(times->cpus);
    *times = (struct cpu_times){0};
}

static int make_room(struct cpu_times *times, size_t count) {
    if (count <= times->count) {
        return 0;
    }
    struct cpu_ticks *larger = realloc(times->cpus, count * sizeof *larger);
    if (larger == NULL) {
        return -ENOMEM;
    }
    memset(larger + times->count, 0, (count - times->count) * sizeof *larger);
    times->cpus = larger;
    times->count = count;
    return 0;
}

/* "cpu3 user nice system idle iowait irq softirq steal guest guest_nice": guests are in user. */
static int read_line(struct cpu_times *times, const char *line) {
    char *next;
    unsigned long cpu = strtoul(line, &next, 10);
    if (next == line || cpu >= LEASE_CPU_LIMIT) {
        return 0;
    }
    int result = make_room(times, cpu + 1);
    for (int field = 0; field < FIELDS && result == 0 && *next == ' '; field++) {
        uint64_t ticks = strtoull(next, &next, 10);
        struct cpu_ticks *own = &times->cpus[cpu];
        own->online = true;
        own->stolen += field == STOLEN ? ticks : 0;
        own->idle += field == IDLE || field == WAITING ? ticks : 0;
    }
    return result;
}

int cpu_times_parse(struct cpu_times *times, const char *text) {
    int result = 0;
    *times = (struct cpu_times){0};
    for (const char *line = text; result == 0 && line != NULL && *line != '\0';) {
        if (strncmp(line, "cpu", 3) == 0 && line[3] >= '0' && line[3] <= '9') {
            result = read_line(times, line + 3);
        }
        line = strchr(line, '\n');
        line = line == NULL ? NULL : line + 1;
    }
    result = result == 0 && times->count == 0 ? -EINVAL : result;
    if (result < 0) {
        cpu_times_free(times);
    }
    return result;
}

int cpu_times_read(struct cpu_times *times, const char *root) {
    char path[PATH_SIZE];
    char *text;
    size_t length;
    *times = (struct cpu_times){0};
    snprintf(path, sizeof path, "%s/proc/stat", root);
    int result = file_text_read(path, STAT_SIZE, &text, &length);
    if (result == 0) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        result = cpu_times_parse(times, text);
        times->millis = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
        free(text);
    }
    return result;
}

/* Idle time may go back by a tick (proc_stat(5)). */
static uint64_t grown(uint64_t before, uint64_t after) {
    return after > before ? after - before : 0;
}

uint64_t cpu_times_used(
        const struct cpu_times *before, const struct cpu_times *after, size_t cpu, uint64_t *room) {
    *room = 0;
    if (cpu >= before->count || cpu >= after->count || !before->cpus[cpu].online ||
            !after->cpus[cpu].online || after->millis <= before->millis) {
        return 0;
    }
    const struct cpu_ticks *then = &before->cpus[cpu];
    const struct cpu_ticks *now = &after->cpus[cpu];
    uint64_t passed = (uint64_t)(after->millis - before->millis);
    uint64_t stolen = grown(then->stolen, now->stolen) * STAT_TICK_MILLIS;
    uint64_t idle = grown(then->idle, now->idle) * STAT_TICK_MILLIS;
    *room = passed > stolen ? passed - stolen : 0;
    return *room > idle ? *room - idle : 0;
}

int host_load_between(
        struct host_load *load, const struct cpu_times *before, const struct cpu_times *after) {
    *load = (struct host_load){.shares = calloc(after->count + 1, sizeof *load->shares)};
    if (load->shares == NULL) {
        return -ENOMEM;
    }
    load->count = after->count;
    for (size_t i = 0; i < after->count; i++) {
        uint64_t room;
        uint64_t used = cpu_times_used(before, after, i, &room);
        load->shares[i] = room == 0 ? 0 : (unsigned)(used * HOST_LOAD_WHOLE / room);
    }
    return 0;
}

int host_load_measure(struct host_load *load) {
    struct cpu_times before;
    struct cpu_times after;
    *load = (struct host_load){0};
    int result = cpu_times_read(&before, "");
    if (result < 0) {
        return result;
    }
    struct timespec rest = {.tv_nsec = HOST_LOAD_MILLIS * 1000000L};
    while (nanosleep(&rest, &rest) < 0 && errno == EINTR) {
    }
    result = cpu_times_read(&after, "");
    if (result == 0) {
        result = host_load_between(load, &before, &after);
        cpu_times_free(&after);
    }
    cpu_times_free(&before);
    return result;
}

unsigned host_load_share(const struct host_load *load, unsigned cpu) {
    return cpu < load->count ? load->shares[cpu] : 0;
}

unsigned host_load_mean(const struct host_load *load, const struct index_set *cpus) {
    uint64_t sum = 0;
    unsigned count = 0;
    for (int cpu = index_set_next(cpus, 0); cpu >= 0;
            cpu = index_set_next(cpus, (unsigned)cpu + 1)) {
        sum += host_load_share(load, (unsigned)cpu);
        count++;
    }
    return count == 0 ? 0 : (unsigned)(sum / count);
}

void host_load_free(struct host_load *load) {
    free(load->shares);
    *load = (struct host_load){0};
}
