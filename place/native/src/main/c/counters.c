#include "counters.h"

#include "seccomp_probe.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The names are those of perf-list(1). */
static const struct {
    const char *name;
    uint32_t type;
    uint64_t event;
} known[COUNTERS] = {
        {"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK}, /* nanoseconds */
        {"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
        {"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
        {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
        {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
        {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
        {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
        {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
        {"LLC-load-misses", PERF_TYPE_HW_CACHE,
                PERF_COUNT_HW_CACHE_LL | (PERF_COUNT_HW_CACHE_OP_READ << 8) |
                        (PERF_COUNT_HW_CACHE_RESULT_MISS << 16)},
        {"node-loads", PERF_TYPE_HW_CACHE,
                PERF_COUNT_HW_CACHE_NODE | (PERF_COUNT_HW_CACHE_OP_READ << 8) |
                        (PERF_COUNT_HW_CACHE_RESULT_ACCESS << 16)},
        {"node-load-misses", PERF_TYPE_HW_CACHE,
                PERF_COUNT_HW_CACHE_NODE | (PERF_COUNT_HW_CACHE_OP_READ << 8) |
                        (PERF_COUNT_HW_CACHE_RESULT_MISS << 16)},
};

/* What read(2) gives for the format below. */
struct reading {
    uint64_t value;
    uint64_t enabled_nanos;
    uint64_t running_nanos;
};

void counters_open(struct counters *counters, pid_t process) {
    for (int i = 0; i < COUNTERS; i++) {
        struct perf_event_attr event;
        memset(&event, 0, sizeof event);
        event.size = sizeof event;
        event.type = known[i].type;
        event.config = known[i].event;
        event.disabled = 1;
        event.enable_on_exec = 1;
        event.inherit = 1;
        event.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
        long file = seccomp_probe(CALL_PERF_EVENT_OPEN);
        if (file == 0) {
            file = syscall(SYS_perf_event_open, &event, process, -1, -1,
                    (unsigned long)PERF_FLAG_FD_CLOEXEC);
            file = file < 0 ? -errno : file;
        }
        counters->files[i] = (int)file;
    }
}

static const char *reason(int problem) {
    switch (problem) {
    case EACCES:
    case EPERM:
        return "not permitted; run as root, or lower /proc/sys/kernel/perf_event_paranoid to 1";
    case ENOENT:
    case EOPNOTSUPP:
    case ENODEV:
        return "this processor (or the virtual machine) does not offer it";
    case ENOSYS:
        return "this kernel has no perf events";
    default:
        return strerror(problem);
    }
}

/* Why there is no number, or NULL and the number. */
static const char *count(int file, uint64_t *value) {
    struct reading reading;
    if (file < 0) {
        return reason(-file);
    }
    if (read(file, &reading, sizeof reading) != (ssize_t)sizeof reading) {
        return "it could not be read";
    }
    if (reading.running_nanos == 0) {
        return "it was never switched on; too many are in use, or the command ended at once";
    }
    double share = (double)reading.enabled_nanos / (double)reading.running_nanos;
    *value = reading.enabled_nanos == reading.running_nanos
                     ? reading.value
                     : (uint64_t)((double)reading.value * share);
    return NULL;
}

void counters_print(const struct counters *counters, FILE *out) {
    const char *missing[COUNTERS];
    const char *separator = "";
    fputs("\"counters\":{", out);
    for (int i = 0; i < COUNTERS; i++) {
        uint64_t value = 0;
        missing[i] = count(counters->files[i], &value);
        if (missing[i] == NULL) {
            fprintf(out, "%s\"%s\":%llu", separator, known[i].name, (unsigned long long)value);
            separator = ",";
        }
    }
    fputs("},\"missing\":{", out);
    separator = "";
    for (int i = 0; i < COUNTERS; i++) {
        if (missing[i] != NULL) {
            fprintf(out, "%s\"%s\":\"%s\"", separator, known[i].name, missing[i]);
            separator = ",";
        }
    }
    fputs("}", out);
}

void counters_close(struct counters *counters) {
    for (int i = 0; i < COUNTERS; i++) {
        if (counters->files[i] >= 0) {
            close(counters->files[i]);
        }
    }
}
