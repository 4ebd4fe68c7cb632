/*
 * All that the agent's threads do at once, under ThreadSanitizer: threads that start, rename
 * themselves and end; new rules; attach; status; the watching thread, with another process that
 * binds this one. The JVM itself cannot run under that sanitizer, so its calls are made here.
 */
#include "agent.h"
#include "cpu_bind.h"
#include "error_text.h"
#include "index_set.h"
#include "runner.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 8, SECONDS = 4, REPLY = 1 << 16, OPTIONS = 4096 };

static atomic_bool over;
static atomic_long rounds;

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

static void *java_thread(void *number) {
    char name[32];
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s-%d", i == 1 ? "stage" : "pool", *(int *)number);
        i == 0 ? agent_thread_started(name, false) : agent_thread_renamed(name);
        pause_millis(1);
    }
    agent_thread_ended();
    return NULL;
}

/* Threads that start and end, as those of a pool. */
static void *worker(void *number) {
    while (!atomic_load(&over)) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, java_thread, number) == 0) {
            pthread_join(thread, NULL);
        }
        atomic_fetch_add(&rounds, 1);
    }
    return NULL;
}

static void *commander(void *rules) {
    static char reply[REPLY];
    while (!atomic_load(&over)) {
        CHECK(agent_command(NULL, "status", reply, sizeof reply) > 0);
        int result = agent_command(NULL, rules, reply, sizeof reply);
        runner_check(result >= 0, reply, __FILE__, __LINE__);
        pause_millis(3);
    }
    return NULL;
}

static void *attacher(void *options) {
    while (!atomic_load(&over)) {
        CHECK_INT(agent_attach(NULL, options), 0);
        pause_millis(50);
    }
    return NULL;
}

/* Another process: binds every thread of its parent to one CPU and to all of them in turn. */
static void bind_from_outside(pid_t process, const struct index_set *all) {
    struct index_set one = {0};
    char folder[64];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    index_set_add(&one, (unsigned)index_set_next(all, 0));
    snprintf(folder, sizeof folder, "/proc/%d/task", (int)process);
    for (int i = 0;; i++) {
        DIR *tasks = opendir(folder);
        for (struct dirent *entry; tasks != NULL && (entry = readdir(tasks)) != NULL;) {
            int tid = atoi(entry->d_name);
            if (tid > 0) {
                cpu_bind_set(tid, i % 2 == 0 ? &one : all);
            }
        }
        if (tasks != NULL) {
            closedir(tasks);
        }
        pause_millis(300);
    }
}

static void write_rules(char *text, size_t size, const char *cpus, int first) {
    snprintf(text, size,
            "rules berth-plan 1\nlevel pu\nmemory local\nallowed %s\noversubscribed no\n"
            "slot index=0 worker=0 thread=0 role=task cpus=%d nodes= reason=a\n"
            "rule role=task glob=pool-*\nrule role=task glob=stage-*\n",
            cpus, first);
}

TEST(the_agents_threads_share_their_data_in_order) {
    static char options[OPTIONS];
    static char rules[OPTIONS];
    char list[1024];
    struct index_set all = {0};
    pthread_t threads[WORKERS + 2];
    int numbers[WORKERS];
    CHECK_INT(cpu_bind_get(0, &all), 0);
    pid_t self = getpid();
    pid_t outside = fork();
    if (outside == 0) {
        bind_from_outside(self, &all);
    }
    index_set_format(&all, list, sizeof list);
    snprintf(
            options, sizeof options, "cpus=%s,rule=pool-*,rule=stage-*->process,unmatched=1", list);
    write_rules(rules, sizeof rules, list, index_set_next(&all, 0));
    CHECK_INT(agent_load(NULL, options), 0);
    for (int i = 0; i < WORKERS; i++) {
        numbers[i] = i;
        CHECK_INT(pthread_create(&threads[i], NULL, worker, &numbers[i]), 0);
    }
    CHECK_INT(pthread_create(&threads[WORKERS], NULL, commander, rules), 0);
    CHECK_INT(pthread_create(&threads[WORKERS + 1], NULL, attacher, options), 0);
    sleep(SECONDS);
    atomic_store(&over, true);
    for (int i = 0; i < WORKERS + 2; i++) {
        pthread_join(threads[i], NULL);
    }
    kill(outside, SIGKILL);
    waitpid(outside, NULL, 0);
    CHECK(atomic_load(&rounds) > WORKERS);
    index_set_free(&all);
}

int main(void) {
    RUN(the_agents_threads_share_their_data_in_order);
    return runner_result();
}
