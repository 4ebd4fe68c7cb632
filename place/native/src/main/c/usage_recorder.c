#include "usage_recorder.h"

#include "counters.h"
#include "error_text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FAILED = 1, CANNOT_RUN = 126, NOT_FOUND = 127, OF_SIGNAL = 128 };

static volatile pid_t child;

static void pass_on(int signal_number) {
    int saved = errno;
    if (child > 0) {
        kill(child, signal_number);
    }
    errno = saved;
}

/* A terminal sends its keys to the whole group, so the command has those already (as in system(3)).
 */
static const struct {
    int number;
    void (*handler)(int);
} handled[] = {{SIGTERM, pass_on}, {SIGHUP, pass_on}, {SIGINT, SIG_IGN}, {SIGQUIT, SIG_IGN}};

enum { HANDLED = sizeof handled / sizeof *handled };

/* In the child: waits until the counters are there, then becomes the command. */
_Noreturn static void become(
        char **command, const struct sigaction *inherited, const sigset_t *mask, int go) {
    char byte;
    for (int i = 0; i < HANDLED; i++) {
        sigaction(handled[i].number, &inherited[i], NULL);
    }
    sigprocmask(SIG_SETMASK, mask, NULL);
    while (read(go, &byte, 1) < 0 && errno == EINTR) {
    }
    execvp(command[0], command);
    int problem = errno;
    message_print("cannot run %.300s: %s", command[0], strerror(problem));
    _exit(problem == ENOENT ? NOT_FOUND : CANNOT_RUN);
}

/* Fetches the command's end, and before it that of orphans, which as a subreaper we inherit. */
static int wait_for(pid_t process) {
    int status = 0;
    for (;;) {
        pid_t ended = waitpid(-1, &status, 0);
        if (ended == process) {
            return status;
        }
        if (ended < 0 && errno != EINTR) {
            return FAILED << 8; /* Another thread has fetched it; never observed. */
        }
    }
}

/* Orphans that have ended by now are part of the account as well. */
static void fetch_ended_orphans(void) {
    while (waitpid(-1, NULL, WNOHANG) > 0) {
    }
}

static int cannot_write(const char *file, int problem) {
    message_print("cannot write what the command takes to %.300s: %s", file, strerror(problem));
    return FAILED;
}

static long long micros(struct timeval time) {
    return time.tv_sec * 1000000LL + time.tv_usec;
}

static int write_account(const struct counters *counters, FILE *out) {
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    fprintf(out,
            "{\"userMicros\":%lld,\"systemMicros\":%lld,\"peakRssBytes\":%lld,"
            "\"minorFaults\":%ld,\"majorFaults\":%ld,\"voluntarySwitches\":%ld,"
            "\"involuntarySwitches\":%ld,",
            micros(usage.ru_utime), micros(usage.ru_stime), usage.ru_maxrss * 1024LL,
            usage.ru_minflt, usage.ru_majflt, usage.ru_nvcsw, usage.ru_nivcsw);
    counters_print(counters, out);
    fputs("}\n", out);
    int problem = ferror(out) ? EIO : 0;
    return fclose(out) != 0 ? -errno : -problem;
}

int usage_run(char **command, const char *file) {
    struct sigaction inherited[HANDLED];
    struct counters counters;
    int go[2];
    /* Opened first, so that a command is not run in vain. */
    FILE *out = fopen(file, "we");
    if (out == NULL) {
        return cannot_write(file, errno);
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (pipe2(go, O_CLOEXEC) < 0) {
        message_print("cannot make a pipe: %s", strerror(errno));
        fclose(out);
        return FAILED;
    }
    /* A signal that comes before the child is known, or knows itself, waits for that. */
    sigset_t waiting;
    sigset_t mask;
    sigemptyset(&waiting);
    for (int i = 0; i < HANDLED; i++) {
        sigaddset(&waiting, handled[i].number);
    }
    sigprocmask(SIG_BLOCK, &waiting, &mask);
    for (int i = 0; i < HANDLED; i++) {
        struct sigaction action = {.sa_handler = handled[i].handler, .sa_flags = SA_RESTART};
        sigaction(handled[i].number, &action, &inherited[i]);
    }
    pid_t process = fork();
    if (process == 0) {
        close(go[1]);
        become(command, inherited, &mask, go[0]);
    }
    int problem = errno;
    child = process < 0 ? 0 : process;
    sigprocmask(SIG_SETMASK, &mask, NULL);
    if (process < 0) {
        message_print("cannot start a process for %.300s: %s", command[0], strerror(problem));
        fclose(out);
        return FAILED;
    }
    counters_open(&counters, process);
    close(go[0]);
    close(go[1]);
    int status = wait_for(process);
    child = 0;
    fetch_ended_orphans();
    int result = write_account(&counters, out);
    counters_close(&counters);
    if (result < 0) {
        return cannot_write(file, -result);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : OF_SIGNAL + WTERMSIG(status);
}
