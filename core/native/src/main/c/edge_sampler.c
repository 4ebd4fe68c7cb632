#include "edge_sampler.h"

#include "vm_threads.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TASKS "/proc/self/task"

/* USER_HZ, the unit of /proc/stat, is 100 on every architecture that HotSpot runs on. */
#define TICK_NANOS INT64_C(10000000)

/* A JVM starts compiler threads when many methods wait, and ends idle ones. */
#define LISTING_NANOS INT64_C(2000000000)

/* A part of what is promised, 0.5 %: the mean cost is known only after some samples. */
static const double BUDGET = 0.004;
enum { COST_WEIGHT = 8, KEPT_FILES = 1024, BUCKETS = 256, PATH_SIZE = 48, SMALL_TEXT = 128 };
#define OFFLINE (-1)

/* A thread that is read, or whose name is known. */
struct thread {
    struct thread *next;
    int tid;
    int file; /* of its schedstat; -1: not open */
    int64_t run;
    int64_t wait;
    bool known; /* whether it was read before */
    bool compiler;
    unsigned named; /* the listing that had it last; 0: its name is not known */
    unsigned used;  /* the sample that read it last */
};

struct edge_sampler {
    size_t slots;
    struct index_set *cpus;
    struct edge_times *times;
    struct thread *threads[BUCKETS];
    int files; /* that are kept open */
    unsigned sample;
    unsigned listing;
    int64_t listed; /* when */
    int64_t compiler_wait;
    size_t compilers;
    int stat;
    char *text; /* of /proc/stat */
    size_t capacity;
    int64_t *idle; /* ticks of each CPU; of two samples in turn */
    int64_t *idle_before;
    size_t cpu_count;
    int64_t spent; /* CPU time of the calling thread at the last pause; negative: none yet */
    double cost;
};

static int64_t nanos_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void close_file(struct edge_sampler *sampler, struct thread *thread) {
    if (thread->file >= 0) {
        close(thread->file);
        sampler->files--;
        thread->file = -1;
    }
}

void edge_sampler_free(struct edge_sampler *sampler) {
    if (sampler == NULL) {
        return;
    }
    for (int i = 0; i < BUCKETS; i++) {
        while (sampler->threads[i] != NULL) {
            struct thread *thread = sampler->threads[i];
            sampler->threads[i] = thread->next;
            close_file(sampler, thread);
            free(thread);
        }
    }
    for (size_t i = 0; sampler->cpus != NULL && i < sampler->slots; i++) {
        index_set_free(&sampler->cpus[i]);
    }
    if (sampler->stat >= 0) {
        close(sampler->stat);
    }
    free(sampler->cpus);
    free(sampler->times);
    free(sampler->text);
    free(sampler->idle);
    free(sampler->idle_before);
    free(sampler);
}

/* The text of a small file, terminated. Its length, or -errno. */
static int read_small(int file, char *text) {
    ssize_t length = pread(file, text, SMALL_TEXT - 1, 0);
    if (length < 0) {
        return -errno;
    }
    text[length] = '\0';
    return (int)length;
}

static int open_of(int tid, const char *name) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, TASKS "/%d/%s", tid, name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    return file < 0 ? -errno : file;
}

/* Run and waiting time; -ESRCH when the thread has ended. */
static int read_times(
        struct edge_sampler *sampler, struct thread *thread, int64_t *run, int64_t *wait) {
    char text[SMALL_TEXT];
    int file = thread->file >= 0 ? thread->file : open_of(thread->tid, "schedstat");
    int length = file < 0 ? file : read_small(file, text);
    if (thread->file < 0 && file >= 0) {
        if (length > 0 && sampler->files < KEPT_FILES) {
            thread->file = file;
            sampler->files++;
        } else {
            close(file);
        }
    }
    if (length <= 0) {
        close_file(sampler, thread);
        return length < 0 ? length : -ESRCH;
    }
    char *end;
    *run = strtoll(text, &end, 10);
    *wait = strtoll(end, NULL, 10);
    return 0;
}

static struct thread *find(struct edge_sampler *sampler, int tid) {
    struct thread **bucket = &sampler->threads[(unsigned)tid % BUCKETS];
    struct thread *thread = *bucket;
    while (thread != NULL && thread->tid != tid) {
        thread = thread->next;
    }
    if (thread == NULL) {
        thread = calloc(1, sizeof *thread);
        if (thread != NULL) {
            *thread = (struct thread){.next = *bucket, .tid = tid, .file = -1};
            *bucket = thread;
        }
    }
    return thread;
}

static int cannot_see(int result, struct error_text *error) {
    return error_set_system(error, -result, "cannot see how long threads wait for a CPU");
}

/* What a thread did since it was read before; nothing at the first time, or after its end. */
static int more(
        struct edge_sampler *sampler, int tid, struct edge_times *times, struct error_text *error) {
    *times = (struct edge_times){0};
    struct thread *thread = find(sampler, tid);
    int64_t run;
    int64_t wait;
    if (thread == NULL) {
        return cannot_see(-ENOMEM, error);
    }
    thread->used = sampler->sample;
    int result = read_times(sampler, thread, &run, &wait);
    if (result < 0) {
        thread->known = false;
        return error_may_pass(result) ? cannot_see(result, error) : 0;
    }
    if (thread->known && run >= thread->run && wait >= thread->wait) {
        *times = (struct edge_times){
                .run_nanos = run - thread->run, .wait_nanos = wait - thread->wait};
    }
    thread->run = run;
    thread->wait = wait;
    thread->known = true;
    return 0;
}

/* 1, 0 or -errno. */
static int is_compiler(int tid) {
    char text[SMALL_TEXT];
    int file = open_of(tid, "comm");
    if (file < 0) {
        return error_may_pass(file) ? file : 0;
    }
    int result = read_small(file, text) > 0 && vm_thread_is_compiler(text);
    close(file);
    return result;
}

/* A thread's name is read once. */
static int list_threads(struct edge_sampler *sampler, struct error_text *error) {
    int result = 0;
    DIR *tasks = opendir(TASKS);
    if (tasks == NULL) {
        return error_set_system(error, errno, "cannot list " TASKS);
    }
    sampler->listing++;
    for (struct dirent *entry; result >= 0 && (entry = readdir(tasks)) != NULL;) {
        int tid = atoi(entry->d_name);
        struct thread *thread = tid <= 0 ? NULL : find(sampler, tid);
        if (thread != NULL) {
            result = thread->named == 0 ? is_compiler(tid) : thread->compiler;
            thread->compiler = result > 0;
            thread->named = result < 0 ? thread->named : sampler->listing;
        } else if (tid > 0) {
            result = -ENOMEM;
        }
    }
    closedir(tasks);
    return result < 0 ? cannot_see(result, error) : 0;
}

static int read_compilers(struct edge_sampler *sampler, int64_t now, struct error_text *error) {
    int result = 0;
    if (sampler->compilers == 0 || now - sampler->listed > LISTING_NANOS) {
        result = list_threads(sampler, error);
        sampler->listed = now;
    }
    sampler->compilers = 0;
    for (int i = 0; i < BUCKETS && result == 0; i++) {
        for (struct thread *thread = sampler->threads[i]; thread != NULL; thread = thread->next) {
            if (thread->compiler && thread->named == sampler->listing && result == 0) {
                struct edge_times times;
                result = more(sampler, thread->tid, &times, error);
                sampler->compilers++;
                sampler->compiler_wait += times.wait_nanos;
            }
        }
    }
    return result;
}

/* Those that were not read need no file; those that have ended, and hold nothing, no memory. */
static void forget(struct edge_sampler *sampler) {
    for (int i = 0; i < BUCKETS; i++) {
        for (struct thread **link = &sampler->threads[i]; *link != NULL;) {
            struct thread *thread = *link;
            if (thread->used != sampler->sample) {
                close_file(sampler, thread);
                thread->known = false;
            }
            if (thread->used != sampler->sample && thread->named != sampler->listing) {
                *link = thread->next;
                free(thread);
            } else {
                link = &thread->next;
            }
        }
    }
}

/* The lines of the CPUs come first; the kernel makes the whole text at each read from the start. */
static int read_stat(struct edge_sampler *sampler, struct error_text *error) {
    for (;;) {
        ssize_t length = pread(sampler->stat, sampler->text, sampler->capacity - 1, 0);
        if (length <= 0) {
            return error_set_system(error, length < 0 ? errno : EIO,
                    "cannot see how busy the CPUs are: /proc/stat cannot be read");
        }
        sampler->text[length] = '\0';
        if (strstr(sampler->text, "\nintr") != NULL || (size_t)length < sampler->capacity - 1) {
            return 0;
        }
        char *larger = realloc(sampler->text, 2 * sampler->capacity);
        if (larger == NULL) {
            return error_set(error, ENOMEM, "out of memory");
        }
        sampler->text = larger;
        sampler->capacity *= 2;
    }
}

/* "cpu7 USER NICE SYSTEM IDLE IOWAIT ...": idle is what is neither busy nor stolen. */
static int read_idle(struct edge_sampler *sampler, struct error_text *error) {
    int result = read_stat(sampler, error);
    for (size_t cpu = 0; cpu < sampler->cpu_count; cpu++) {
        sampler->idle[cpu] = OFFLINE;
    }
    for (char *line = sampler->text; result == 0 && strncmp(line, "cpu", 3) == 0;) {
        char *end = line + 3;
        if (*end != ' ') {
            size_t cpu = strtoul(end, &end, 10);
            for (int i = 0; i < 3; i++) {
                strtoll(end, &end, 10);
            }
            int64_t idle = strtoll(end, &end, 10);
            idle += strtoll(end, &end, 10);
            if (cpu < sampler->cpu_count) {
                sampler->idle[cpu] = idle;
            }
        }
        char *newline = strchr(end, '\n');
        line = newline == NULL ? end : newline + 1;
    }
    return result;
}

/* Of several CPUs the busiest one counts: a free hardware thread beside a busy one is no free core.
 * One that was switched on since has been idle for all of its life, and not for this sample. */
static int64_t least_idle(const struct edge_sampler *sampler, const struct index_set *cpus) {
    int64_t least = INT64_MAX;
    for (int cpu = index_set_next(cpus, 0); cpu >= 0;
            cpu = index_set_next(cpus, (unsigned)cpu + 1)) {
        bool online = sampler->idle[cpu] != OFFLINE && sampler->idle_before[cpu] != OFFLINE;
        int64_t ticks = online ? sampler->idle[cpu] - sampler->idle_before[cpu] : 0;
        least = ticks < least ? ticks : least;
    }
    return least == INT64_MAX || least < 0 ? 0 : least * TICK_NANOS;
}

int edge_sampler_read(struct edge_sampler *sampler, const struct edge_holder *holders, size_t count,
        struct edge_sample *sample, bool *worked, struct error_text *error) {
    int64_t now = nanos_of(CLOCK_MONOTONIC);
    int64_t *before = sampler->idle_before;
    sampler->idle_before = sampler->idle;
    sampler->idle = before;
    sampler->sample++;
    *worked = false;
    int result = 0;
    for (size_t i = 0; i < count && result == 0; i++) {
        struct edge_times times;
        result = more(sampler, holders[i].tid, &times, error);
        sampler->times[holders[i].slot].run_nanos += times.run_nanos;
        sampler->times[holders[i].slot].wait_nanos += times.wait_nanos;
        *worked = *worked || times.run_nanos + times.wait_nanos > 0;
    }
    result = result == 0 ? read_idle(sampler, error) : result;
    for (size_t i = 0; result == 0 && sampler->sample > 1 && i < sampler->slots; i++) {
        sampler->times[i].idle_nanos += least_idle(sampler, &sampler->cpus[i]);
    }
    result = result == 0 ? read_compilers(sampler, now, error) : result;
    forget(sampler);
    *sample = (struct edge_sample){now, sampler->compiler_wait, sampler->times};
    return result;
}

int64_t edge_sampler_pause(struct edge_sampler *sampler, int64_t wanted_nanos) {
    int64_t spent = nanos_of(CLOCK_THREAD_CPUTIME_ID);
    if (sampler->spent >= 0) {
        double cost = (double)(spent - sampler->spent);
        sampler->cost += (cost - sampler->cost) / (sampler->cost > 0 ? COST_WEIGHT : 1);
    }
    sampler->spent = spent;
    int64_t least = (int64_t)(sampler->cost / BUDGET);
    return wanted_nanos > least ? wanted_nanos : least;
}

/* A thread that has run has times, where the kernel counts them: the first one of the process.
 * Those of one that has just begun are zero until its first tick. */
static int check_kernel(struct edge_sampler *sampler, struct error_text *error) {
    struct thread first = {.tid = getpid(), .file = -1};
    int64_t run = 0;
    int64_t wait;
    int result = read_times(sampler, &first, &run, &wait);
    close_file(sampler, &first);
    if (result < 0) {
        return error_set_system(error, -result,
                "the kernel does not tell how long threads wait for a CPU: " TASKS
                "/%d/schedstat cannot be read",
                first.tid);
    }
    return run > 0 ? 0
                   : error_set(error, EOPNOTSUPP,
                             "the kernel does not count how long threads wait for a CPU (" TASKS
                             "/%d/schedstat has zeros only): it was built without "
                             "CONFIG_SCHED_INFO, or needs the boot option delayacct",
                             first.tid);
}

int edge_sampler_create(struct edge_sampler **created, const struct index_set *cpus, size_t slots,
        struct error_text *error) {
    struct edge_sampler *sampler = calloc(1, sizeof *sampler);
    error_set(error, 0, "out of memory");
    if (sampler == NULL) {
        return -ENOMEM;
    }
    *sampler = (struct edge_sampler){.slots = slots,
            .cpus = calloc(slots + 1, sizeof *sampler->cpus),
            .times = calloc(slots + 1, sizeof *sampler->times),
            .capacity = 16384,
            .spent = -1,
            .stat = open("/proc/stat", O_RDONLY | O_CLOEXEC)};
    int stat_error = errno;
    sampler->text = malloc(sampler->capacity);
    int result =
            sampler->cpus == NULL || sampler->times == NULL || sampler->text == NULL ? -ENOMEM : 0;
    for (size_t i = 0; result == 0 && i < slots; i++) {
        result = index_set_copy(&sampler->cpus[i], &cpus[i]);
        size_t last = index_set_used_words(&cpus[i]) * 64;
        sampler->cpu_count = last > sampler->cpu_count ? last : sampler->cpu_count;
    }
    if (result == 0) {
        sampler->idle = calloc(sampler->cpu_count + 1, sizeof *sampler->idle);
        sampler->idle_before = calloc(sampler->cpu_count + 1, sizeof *sampler->idle_before);
        result = sampler->idle == NULL || sampler->idle_before == NULL ? -ENOMEM : 0;
    }
    if (result == 0) {
        result = sampler->stat < 0 ? error_set_system(error, stat_error,
                                             "cannot see how busy the CPUs are: /proc/stat "
                                             "cannot be opened")
                                   : check_kernel(sampler, error);
    }
    if (result < 0) {
        edge_sampler_free(sampler);
        return result;
    }
    *created = sampler;
    return 0;
}
