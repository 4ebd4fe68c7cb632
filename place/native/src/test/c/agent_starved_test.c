/*
 * The agent's threads in a process without memory: every allocation of the agent fails, and then
 * some of them at random, while threads start and end, and another process binds this one. Nothing
 * is broken meanwhile, a reason that lasts is told once, and afterwards all of it works. A JVM
 * itself does not survive so much. The linker puts the functions below in the place of malloc() and
 * its like, for this program's own objects alone.
 */
#include "agent.h"
#include "cpu_bind.h"
#include "error_text.h"
#include "index_set.h"
#include "runner.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

enum { NEVER, ALWAYS, SOMETIMES = 3, RANDOM_ROUNDS = 400, PATIENCE = 30000 };

static atomic_int starved;
static atomic_uint allocations;
static FILE *errors;
static struct index_set all;
static struct index_set first;
static struct index_set last;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *data, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *data, size_t size);

static bool is_refused(void) {
    int how = atomic_load(&starved);
    if (how <= ALWAYS) {
        return how == ALWAYS;
    }
    /* Spread over all numbers, as several threads draw from them. */
    unsigned number = atomic_fetch_add(&allocations, 1) * 2654435761u;
    return (number >> 16) % (unsigned)how == 0;
}

void *__wrap_malloc(size_t size) {
    return is_refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return is_refused() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *data, size_t size) {
    return is_refused() ? NULL : __real_realloc(data, size);
}

int jvm_processors(void) {
    return 0;
}

int thread_events_enable(void *java_vm, struct error_text *error) {
    (void)java_vm;
    (void)error;
    return 0;
}

static void pause_millis(long millis) {
    nanosleep(&(struct timespec){.tv_nsec = millis * 1000000}, NULL);
}

/* What a thread of this name finds as its mask, in words of its own. */
struct pupil {
    const char *name;
    uint64_t words[128];
    int result;
};

static void *java_thread(void *argument) {
    struct pupil *pupil = argument;
    agent_thread_started(pupil->name, false);
    agent_thread_renamed("other");
    agent_thread_renamed(pupil->name);
    pupil->result = cpu_bind_get_words(0, pupil->words, 128);
    agent_thread_ended();
    return NULL;
}

static struct index_set mask_of(struct pupil *pupil, const char *name) {
    pthread_t thread;
    *pupil = (struct pupil){.name = name};
    CHECK_INT(pthread_create(&thread, NULL, java_thread, pupil), 0);
    pthread_join(thread, NULL);
    CHECK(pupil->result > 0);
    return (struct index_set){pupil->words, 128};
}

/* As taskset -a does it. */
static void bind_from_outside(const struct index_set *cpus) {
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *entry; tasks != NULL && (entry = readdir(tasks)) != NULL;) {
        int tid = atoi(entry->d_name);
        if (tid > 0) {
            cpu_bind_set(tid, cpus);
        }
    }
    if (tasks != NULL) {
        closedir(tasks);
    }
}

static int count_lines(const char *part) {
    char line[2048];
    int count = 0;
    rewind(errors);
    while (fgets(line, sizeof line, errors) != NULL) {
        count += strstr(line, part) != NULL ? 1 : 0;
    }
    return count;
}

static void await_lines(const char *part, int count) {
    int left = PATIENCE;
    while (count_lines(part) < count && left-- > 0) {
        pause_millis(1);
    }
    CHECK_INT(count_lines(part), count);
}

/* Where the rule wants it, or where another process lets it. */
static void await_pool_on(const struct index_set *cpus) {
    struct pupil pupil;
    for (int left = PATIENCE / 10; left > 0; left--) {
        struct index_set mask = mask_of(&pupil, "pool-1");
        if (index_set_equals(&mask, cpus)) {
            return;
        }
        pause_millis(10);
    }
    CHECK(false);
}

static atomic_bool over;
static atomic_int workers;

static void *worker(void *unused) {
    agent_thread_started("slot-1", false);
    atomic_fetch_add(&workers, 1);
    while (!atomic_load(&over)) {
        pause_millis(1);
    }
    agent_thread_ended();
    return unused;
}

static void start_worker(pthread_t *thread) {
    int left = PATIENCE;
    int before = atomic_load(&workers);
    CHECK_INT(pthread_create(thread, NULL, worker, NULL), 0);
    while (atomic_load(&workers) == before && left-- > 0) {
        pause_millis(1);
    }
    CHECK(left > 0);
}

TEST(the_agents_threads_go_on_without_memory) {
    static char options[4096];
    char list[1024];
    struct pupil pupil;
    pthread_t early;
    pthread_t late;
    index_set_format(&all, list, sizeof list);
    snprintf(options, sizeof options, "cpus=%s,rule=slot-*,rule=pool-*->cpus %d,unmatched=0", list,
            index_set_next(&last, 0));
    CHECK_INT(agent_load(NULL, options), 0);
    await_pool_on(&last);
    start_worker(&early);
    atomic_store(&starved, ALWAYS);
    for (int i = 0; i < 3; i++) {
        struct index_set mask = mask_of(&pupil, "pool-1");
        CHECK(index_set_is_inside(&mask, &all) && !index_set_is_empty(&mask));
    }
    /* One that the agent has no room to know. */
    start_worker(&late);
    bind_from_outside(&first);
    await_lines("was bound from outside", 1);
    CHECK_INT(count_lines("no slot for thread"), 1);
    atomic_store(&starved, SOMETIMES);
    for (int i = 0; i < RANDOM_ROUNDS; i++) {
        mask_of(&pupil, i % 2 == 0 ? "pool-1" : "slot-2");
        if (i % 50 == 0) {
            bind_from_outside(i % 100 == 0 ? &all : &first);
        }
        pause_millis(10);
    }
    atomic_store(&starved, NEVER);
    bind_from_outside(&first);
    await_pool_on(&first);
    bind_from_outside(&all);
    await_pool_on(&last);
    atomic_store(&over, true);
    pthread_join(early, NULL);
    pthread_join(late, NULL);
}

int main(void) {
    CHECK_INT(cpu_bind_get(0, &all), 0);
    if (index_set_count(&all) < 2) {
        printf("skipped: needs two CPUs\n");
        return 77;
    }
    CHECK_INT(index_set_add(&first, (unsigned)index_set_next(&all, 0)), 0);
    for (int cpu = index_set_next(&all, 0); cpu >= 0;
            cpu = index_set_next(&all, (unsigned)cpu + 1)) {
        index_set_clear(&last);
        CHECK_INT(index_set_add(&last, (unsigned)cpu), 0);
    }
    atomic_store(&allocations, runner_seed());
    errors = tmpfile();
    /* The lines are read where they are written. */
    CHECK(errors != NULL && fcntl(fileno(errors), F_SETFL, O_APPEND) == 0);
    CHECK(dup2(fileno(errors), STDERR_FILENO) == STDERR_FILENO);
    RUN(the_agents_threads_go_on_without_memory);
    rewind(errors);
    for (char line[2048]; fgets(line, sizeof line, errors) != NULL;) {
        printf("%s", line);
    }
    /* The agent's threads never end. */
    int result = runner_result();
    fflush(stdout);
    _exit(result);
}
