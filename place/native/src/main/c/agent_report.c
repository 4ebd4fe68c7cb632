#include "agent_report.h"

#include "agent_state.h"
#include "seccomp_probe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Newer than the glibc that this must run with, where memfd_create(2) has no function. */
enum { CLOSE_ON_EXEC = 1, LINE_SIZE = 400, FILE_SIZE = 1 << 20 };

/* Seconds since the rules came; negative: there is nothing more to tell. */
static time_t since = -1;

static time_t seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

void agent_report_begin(void) {
    since = atomic_load(&agent.rules) == NULL || agent.options.unmatched == 0 ? -1 : seconds();
}

/* Once: a server's pools are there after its first minute, and a tool has ended. */
static void tell_unmatched(struct thread_rules *rules) {
    char globs[LINE_SIZE];
    struct text_buffer text = {.data = globs, .capacity = sizeof globs};
    since = -1;
    size_t count = thread_rules_unmatched(rules, agent.options.verbose, &text);
    if (count > 0) {
        message_print("no thread has matched the rule%s %s%s in %d s: compare with the names that "
                      "'jcmd %d Thread.print' prints; 'berth doctor %d' shows the threads of each "
                      "rule",
                count == 1 ? "" : "s", globs, text_result(&text) < 0 ? "..." : "",
                agent.options.unmatched, (int)getpid(), (int)getpid());
    }
}

static int open_file(void) {
    static bool told;
    int result = seccomp_probe(CALL_MEMFD_CREATE);
    if (result == 0) {
        result = (int)syscall(SYS_memfd_create, "berth-rules", CLOSE_ON_EXEC);
        result = result < 0 ? -errno : result;
    }
    if (result < 0 && agent.options.verbose && !told) {
        told = true;
        message_print("'berth doctor' cannot show the thread rules: %s",
                seccomp_reason(CALL_MEMFD_CREATE, -result));
    }
    return result;
}

/* Read as /proc/PID/fd/N, whose link is "/memfd:berth-rules (deleted)", by the JVM's user and root,
 * also from outside of a container. An attach would stop the JVM, and cannot answer. */
static void publish(struct thread_rules *rules) {
    static int file = -1;
    static char *written;
    int stored = -1;
    char *data = malloc(FILE_SIZE);
    struct text_buffer text = {.data = data, .capacity = FILE_SIZE};
    if (data == NULL) {
        return;
    }
    text_append(&text, "berth-rules 1\nrenames %s\nwaiting %s\n",
            atomic_load(&agent.names_followed) ? "followed" : "not followed",
            agent.options.unmatched == 0 ? "always"
            : since < 0                  ? "no"
                                         : "yes");
    thread_rules_list(rules, &text);
    text_append(&text, "end\n");
    int length = text_result(&text);
    if (length < 0 || (written != NULL && strcmp(written, data) == 0)) {
        free(data);
        return;
    }
    if (file < 0) {
        file = open_file();
    }
    /* The reader asks until it gets the same twice. */
    if (file >= 0 && pwrite(file, data, (size_t)length, 0) == length) {
        stored = ftruncate(file, length);
    }
    free(written);
    written = stored == 0 ? data : NULL;
    if (stored != 0) {
        /* The next look tries again. */
        free(data);
    }
}

void agent_report_look(void) {
    pthread_mutex_lock(&agent.lock);
    struct thread_rules *rules = atomic_load(&agent.rules);
    if (rules != NULL) {
        if (since >= 0 && seconds() - since >= agent.options.unmatched) {
            tell_unmatched(rules);
        }
        publish(rules);
    }
    pthread_mutex_unlock(&agent.lock);
}
