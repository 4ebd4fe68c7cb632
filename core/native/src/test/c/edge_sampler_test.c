/* Real threads, of which the kernel tells how long they run and wait. */
#include "edge_sampler.h"

#include "cpu_bind.h"
#include "runner.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

static struct index_set cpus;
static struct error_text error;

struct burner {
    pthread_t thread;
    const char *name;
    atomic_int tid;
    atomic_bool end;
};

static void *burn(void *argument) {
    struct burner *burner = argument;
    struct index_set first = {0};
    index_set_add(&first, (unsigned)index_set_next(&cpus, 0));
    cpu_bind_set(0, &first);
    index_set_free(&first);
    prctl(PR_SET_NAME, burner->name, 0, 0, 0);
    atomic_store(&burner->tid, current_thread_id());
    while (!atomic_load(&burner->end)) {
    }
    return NULL;
}

static void start(struct burner *burner, const char *name) {
    *burner = (struct burner){.name = name};
    CHECK_INT(pthread_create(&burner->thread, NULL, burn, burner), 0);
    while (atomic_load(&burner->tid) == 0) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static void end(struct burner *burner) {
    atomic_store(&burner->end, true);
    pthread_join(burner->thread, NULL);
}

/* One slot for each of the first two CPUs, or two for the only one. */
static struct edge_sampler *make(void) {
    struct edge_sampler *sampler = NULL;
    struct index_set slots[2] = {{0}, {0}};
    int first = index_set_next(&cpus, 0);
    int second = index_set_next(&cpus, (unsigned)first + 1);
    index_set_add(&slots[0], (unsigned)first);
    index_set_add(&slots[1], (unsigned)(second < 0 ? first : second));
    int result = edge_sampler_create(&sampler, slots, 2, &error);
    index_set_free(&slots[0]);
    index_set_free(&slots[1]);
    if (result < 0) {
        printf("skipped: %s\n", error.text);
        CHECK(result == -EOPNOTSUPP || result == -ENOENT);
    }
    return result < 0 ? NULL : sampler;
}

static void read_until(struct edge_sampler *sampler, const struct edge_holder *holders,
        size_t count, struct edge_sample *sample, int64_t run, int64_t wait, int64_t compilers) {
    bool worked = false;
    /* Minutes, on a machine that hardly runs us. */
    for (int i = 0; i < 60000; i++) {
        CHECK_INT(edge_sampler_read(sampler, holders, count, sample, &worked, &error), 0);
        if (sample->slots[0].run_nanos >= run && sample->slots[0].wait_nanos >= wait &&
                sample->compiler_wait_nanos >= compilers) {
            return;
        }
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    CHECK(false);
}

TEST(threads_of_a_slot_run_and_wait) {
    struct burner burners[2];
    struct edge_sample sample;
    struct edge_sampler *sampler = make();
    if (sampler == NULL) {
        return;
    }
    start(&burners[0], "one");
    start(&burners[1], "two");
    /* Both on one CPU: one waits while the other runs. */
    struct edge_holder holders[] = {{burners[0].tid, 0}, {burners[1].tid, 0}};
    bool worked = true;
    CHECK_INT(edge_sampler_read(sampler, holders, 2, &sample, &worked, &error), 0);
    CHECK(!worked);
    CHECK_INT(sample.slots[0].run_nanos, 0);
    CHECK_INT(sample.slots[0].wait_nanos, 0);
    CHECK_INT(sample.slots[0].idle_nanos, 0);
    read_until(sampler, holders, 2, &sample, 100000000, 50000000, 0);
    CHECK_INT(sample.slots[1].run_nanos, 0);
    CHECK_INT(sample.slots[1].wait_nanos, 0);
    end(&burners[0]);
    end(&burners[1]);
    /* What has ended, and what does nothing, adds nothing. */
    edge_sampler_read(sampler, holders, 2, &sample, &worked, &error);
    int64_t run = sample.slots[0].run_nanos;
    int64_t time = sample.time_nanos;
    CHECK_INT(edge_sampler_read(sampler, holders, 2, &sample, &worked, &error), 0);
    CHECK(!worked);
    CHECK_INT(sample.slots[0].run_nanos, run);
    CHECK(sample.time_nanos >= time);
    edge_sampler_free(sampler);
}

TEST(compilers_wait_too) {
    struct burner burners[2];
    struct edge_sample sample;
    struct edge_sampler *sampler = make();
    if (sampler == NULL) {
        return;
    }
    start(&burners[0], "C2 CompilerThre");
    start(&burners[1], "other");
    read_until(sampler, NULL, 0, &sample, 0, 0, 20000000);
    CHECK_INT(sample.slots[0].run_nanos, 0);
    end(&burners[0]);
    end(&burners[1]);
    edge_sampler_free(sampler);
}

/* Idle and waiting for I/O, in ticks of 10 ms, by another reader of the file. */
static long idle_ticks(int cpu) {
    char line[512];
    long result = -1;
    FILE *stat = fopen("/proc/stat", "r");
    while (stat != NULL && fgets(line, sizeof line, stat) != NULL) {
        int number;
        long idle;
        long waiting;
        if (sscanf(line, "cpu%d %*d %*d %*d %ld %ld", &number, &idle, &waiting) == 3 &&
                number == cpu) {
            result = idle + waiting;
        }
    }
    if (stat != NULL) {
        fclose(stat);
    }
    CHECK(result >= 0);
    return result;
}

TEST(idle_time_is_that_of_the_cpus) {
    struct edge_sample sample;
    bool worked;
    struct edge_sampler *sampler = make();
    if (sampler == NULL) {
        return;
    }
    int first = index_set_next(&cpus, 0);
    int second = index_set_next(&cpus, (unsigned)first + 1);
    int cpu = second < 0 ? first : second;
    long outer = idle_ticks(cpu);
    edge_sampler_read(sampler, NULL, 0, &sample, &worked, &error);
    CHECK_INT(sample.slots[1].idle_nanos, 0);
    long inner = idle_ticks(cpu);
    for (int i = 0; i < 10; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        inner = i == 9 ? idle_ticks(cpu) - inner : inner;
        CHECK_INT(edge_sampler_read(sampler, NULL, 0, &sample, &worked, &error), 0);
        CHECK(!worked);
    }
    outer = idle_ticks(cpu) - outer;
    long told = (long)(sample.slots[1].idle_nanos / 10000000);
    /* The kernel's sum may run backwards by a tick: proc_stat(5), iowait. */
    CHECK(told >= inner - 2);
    CHECK(told <= outer + 2);
    edge_sampler_free(sampler);
}

TEST(a_pause_is_as_long_as_the_cost_needs) {
    struct edge_sampler *sampler = make();
    if (sampler == NULL) {
        return;
    }
    CHECK_INT(edge_sampler_pause(sampler, 1000), 1000);
    struct timespec start_time;
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start_time);
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while ((now.tv_sec - start_time.tv_sec) * 1000000000 + now.tv_nsec - start_time.tv_nsec <
             1000000);
    /* A millisecond at 0.4 % of a CPU. */
    CHECK(edge_sampler_pause(sampler, 1000) >= 250000000);
    CHECK_INT(edge_sampler_pause(sampler, INT64_C(1) << 50), INT64_C(1) << 50);
    edge_sampler_free(sampler);
}

static void *make_at_once(void *sampler) {
    *(struct edge_sampler **)sampler = make();
    return NULL;
}

/* The agent's thread makes it as its first act, when its own times are still zero. */
TEST(a_thread_that_has_just_begun_can_make_one) {
    struct edge_sampler *here = make();
    if (here == NULL) {
        return;
    }
    edge_sampler_free(here);
    for (int i = 0; i < 20; i++) {
        struct edge_sampler *sampler = NULL;
        pthread_t thread;
        CHECK_INT(pthread_create(&thread, NULL, make_at_once, &sampler), 0);
        pthread_join(thread, NULL);
        CHECK(sampler != NULL);
        edge_sampler_free(sampler);
    }
}

/* Whether a file of this process is that of the thread, by the links in /proc. */
static bool is_open(int tid) {
    char wanted[64];
    bool found = false;
    snprintf(wanted, sizeof wanted, "/task/%d/schedstat", tid);
    DIR *files = opendir("/proc/self/fd");
    for (struct dirent *entry; files != NULL && (entry = readdir(files)) != NULL;) {
        char target[512];
        ssize_t length = readlinkat(dirfd(files), entry->d_name, target, sizeof target - 1);
        target[length < 0 ? 0 : length] = '\0';
        found = found || strstr(target, wanted) != NULL;
    }
    CHECK(files != NULL);
    if (files != NULL) {
        closedir(files);
    }
    return found;
}

/* Until the kernel has no such thread any more, which is a little after the join. */
static void wait_until_gone(int tid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d", tid);
    for (int i = 0; i < 60000 && access(path, F_OK) == 0; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    CHECK(access(path, F_OK) < 0);
}

TEST(files_of_threads_that_are_read_stay_open_and_others_are_closed) {
    struct burner burner;
    struct edge_sample sample;
    bool worked;
    struct edge_sampler *sampler = make();
    if (sampler == NULL) {
        return;
    }
    start(&burner, "burner");
    struct edge_holder holders[] = {{burner.tid, 0}, {current_thread_id(), 1}};
    CHECK_INT(edge_sampler_read(sampler, holders, 2, &sample, &worked, &error), 0);
    CHECK(is_open(holders[0].tid) && is_open(holders[1].tid));
    CHECK_INT(edge_sampler_read(sampler, holders, 1, &sample, &worked, &error), 0);
    CHECK(is_open(holders[0].tid) && !is_open(holders[1].tid));
    end(&burner);
    wait_until_gone(holders[0].tid);
    CHECK_INT(edge_sampler_read(sampler, holders, 2, &sample, &worked, &error), 0);
    CHECK(!is_open(holders[0].tid) && is_open(holders[1].tid));
    edge_sampler_free(sampler);
    CHECK(!is_open(holders[1].tid));
}

int main(void) {
    CHECK_INT(cpu_bind_get(0, &cpus), 0);
    RUN_ON_KERNEL(threads_of_a_slot_run_and_wait, "emulated threads have no times");
    RUN_ON_KERNEL(compilers_wait_too, "emulated threads have no times");
    RUN_ON_KERNEL(idle_time_is_that_of_the_cpus, "emulated threads have no times");
    RUN_ON_KERNEL(a_thread_that_has_just_begun_can_make_one, "emulated threads have no times");
    RUN_ON_KERNEL(files_of_threads_that_are_read_stay_open_and_others_are_closed,
            "emulated threads have no times");
    RUN(a_pause_is_as_long_as_the_cost_needs);
    index_set_free(&cpus);
    return runner_result();
}
