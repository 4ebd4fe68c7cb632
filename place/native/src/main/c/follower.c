#include "follower.h"

#include "cpu_bind.h"
#include "process_bind.h"
#include "process_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PIDFD_OPEN = 434,
    /* Kernels before 5.3 do not tell the end of a process that is no child. */
    POLL_MILLIS = 200,
    /* Until the process is bound: it does not have to come to that. */
    UNBOUND_POLLS = 300,
    PASSES = 20,
    LIST_SIZE = 120
};

struct followed {
    struct assignment assignment;
    struct options options;
    long pid;
    long command; /* its end is the end of the lease */
    int handle;   /* of the command; -1: the kernel has none */
};

/* Only the lease and the messages: who reads the command's output waits for its end. */
static void close_others(int lease, int handle) {
    DIR *files = opendir("/proc/self/fd");
    struct dirent *entry;
    while (files != NULL && (entry = readdir(files)) != NULL) {
        int file = atoi(entry->d_name);
        if (file > STDERR_FILENO && file != lease && file != handle && file != dirfd(files)) {
            close(file);
        }
    }
    if (files != NULL) {
        closedir(files);
    }
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing >= 0) {
        dup2(nothing, STDIN_FILENO);
        dup2(nothing, STDOUT_FILENO);
        close(nothing);
    }
}

static bool has_ended(const struct followed *followed, int64_t millis) {
    struct pollfd file = {.fd = followed->handle, .events = POLLIN};
    if (followed->handle < 0) {
        millis = millis < POLL_MILLIS ? millis : POLL_MILLIS;
    }
    int result = poll(&file, followed->handle < 0 ? 0 : 1, (int)millis);
    return result > 0 || (kill((pid_t)followed->command, 0) < 0 && errno == ESRCH);
}

/* Threads that have the whole former domain; what has a mask of its own chose that. */
static int move_threads(long pid, const struct index_set *from, const struct index_set *to) {
    char path[64];
    struct error_text error;
    struct index_set mask = {0};
    int moved = 0;
    snprintf(path, sizeof path, "/proc/%ld/task", pid);
    DIR *tasks = opendir(path);
    struct dirent *entry;
    while (tasks != NULL && (entry = readdir(tasks)) != NULL) {
        int tid = atoi(entry->d_name);
        if (tid > 0 && cpu_bind_get(tid, &mask) == 0 && index_set_equals(&mask, from)) {
            moved += process_binding_move_thread(tid, to, &error) > 0 ? 1 : 0;
        }
    }
    if (tasks != NULL) {
        closedir(tasks);
    }
    index_set_free(&mask);
    return moved;
}

/* Until no thread is left that one of the others has started meanwhile. */
static int move_tree(long pid, const struct index_set *from, const struct index_set *to) {
    int count = 0;
    for (int pass = 0, moved = 1; pass < PASSES && (moved > 0 || pass < 2); pass++) {
        struct process_tree tree;
        moved = 0;
        if (process_tree_read(&tree, pid) == 0) {
            for (size_t i = 0; i < tree.count; i++) {
                moved += move_threads(tree.members[i].pid, from, to);
            }
            process_tree_free(&tree);
        }
        count += moved;
    }
    return count;
}

/* The time to the next look, or -1 when there is nothing more to look for. */
static int64_t look(struct followed *followed) {
    char lists[2][LIST_SIZE];
    struct error_text error;
    error.text[0] = '\0';
    struct index_set mask = {0};
    struct index_set usable = {0};
    int64_t wait = -1;
    int moved = 0;
    /* This process is not bound: it has what a cpuset leaves of the inherited CPUs. A command that
     * another one has bound stays there. */
    if (cpu_bind_get((int)followed->pid, &mask) == 0 && cpu_bind_get(0, &usable) == 0 &&
            index_set_equals(&mask, &followed->assignment.lease.cpus)) {
        wait = assignment_leave_crowd(
                &followed->assignment, &followed->options, &usable, followed->pid, &moved, &error);
    }
    if (moved > 0) {
        const struct lease *lease = &followed->assignment.lease;
        int threads = move_tree(followed->pid, &mask, &lease->cpus);
        message_print("processes that do not see this lease use the CPUs %s: process %ld moved to "
                      "%s (CPUs %s), %d threads",
                index_set_format(&mask, lists[0], LIST_SIZE), followed->pid, lease->domain,
                index_set_format(&lease->cpus, lists[1], LIST_SIZE), threads);
    } else if (moved < 0) {
        message_print("%s; process %ld stays where it is", error.text, followed->pid);
        wait = -1;
    } else if (error.text[0] != '\0') {
        message_print("%s", error.text);
    }
    index_set_free(&mask);
    index_set_free(&usable);
    return wait;
}

static bool is_bound(const struct followed *followed) {
    struct index_set mask = {0};
    bool bound = cpu_bind_get((int)followed->pid, &mask) == 0 &&
                 index_set_equals(&mask, &followed->assignment.lease.cpus);
    index_set_free(&mask);
    return bound;
}

/* The process is not yet bound when this begins. */
_Noreturn static void follow(struct followed *followed) {
    static const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) {
        signal(ignored[i], SIG_IGN);
    }
    prctl(PR_SET_NAME, "berth-follow", 0, 0, 0);
    followed->handle = (int)syscall(PIDFD_OPEN, followed->command, 0);
    close_others(followed->assignment.lease_file, followed->handle);
    bool bound = false;
    int64_t wait = POLL_MILLIS;
    for (unsigned polls = 0; wait >= 0 && !has_ended(followed, wait); polls++) {
        bound = bound || is_bound(followed);
        wait = bound ? look(followed) : polls < UNBOUND_POLLS ? POLL_MILLIS : -1;
    }
    _exit(0);
}

int follower_start(const struct assignment *assignment, const struct options *options, long pid) {
    long command = (long)getpid();
    struct followed followed = {.assignment = *assignment,
            .options = *options,
            .pid = pid == 0 ? command : pid,
            .command = command,
            .handle = -1};
    if (!assignment->lease.apart || assignment->lease_file < 0) {
        return 0;
    }
    pid_t child = fork();
    if (child < 0) {
        return -errno;
    }
    if (child > 0) {
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
        }
        return 0;
    }
    /* The second one is none of the command's children, and not in its group. */
    setsid();
    if (fork() != 0) {
        _exit(0);
    }
    follow(&followed);
}
