#include "keeper.h"

#include "file_text.h"
#include "reexec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OF_SIGNAL = 128, AGAIN_MILLIS = 50, STAT_LIMIT = 4096 };

/* A process that has been asked to end. Its start time tells it from a later one with its PID. */
struct asked {
    pid_t process;
    unsigned long long start;
    long long deadline;
};

struct kept {
    pid_t command;
    bool ended;
    int status;
    bool listening; /* to the supervisor */
    bool ending;    /* what is left is asked to end */
    int grace_millis;
    long long last_deadline; /* of all that is left */
    struct asked *asked;
    size_t count;
};

/* What /proc/PID/stat tells. */
struct child {
    pid_t process;
    long parent;
    long group;
    unsigned long long start;
};

/* What others send to the keeper is for the command. */
static const int passed_on[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2};

static long long now_millis(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long long)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static bool read_child(const char *process, struct child *child) {
    char path[300];
    char *stat;
    size_t length;
    snprintf(path, sizeof path, "/proc/%.200s/stat", process);
    child->process = (pid_t)strtol(process, NULL, 10);
    if (child->process <= 1 || file_text_read(path, STAT_LIMIT, &stat, &length) < 0) {
        return false;
    }
    const char *parent = reexec_stat_field(stat, 4);
    const char *group = reexec_stat_field(stat, 5);
    const char *start = reexec_stat_field(stat, 22);
    bool complete = parent != NULL && group != NULL && start != NULL;
    if (complete) {
        child->parent = strtol(parent, NULL, 10);
        child->group = strtol(group, NULL, 10);
        child->start = strtoull(start, NULL, 10);
    }
    free(stat);
    return complete;
}

static const struct asked *find_asked(const struct kept *kept, const struct child *child) {
    for (size_t i = 0; i < kept->count; i++) {
        if (kept->asked[i].process == child->process && kept->asked[i].start == child->start) {
            return &kept->asked[i];
        }
    }
    return NULL;
}

/* Without memory it is forgotten, and asked again. */
static void remember(struct kept *kept, const struct child *child) {
    struct asked *larger = realloc(kept->asked, (kept->count + 1) * sizeof *larger);
    if (larger != NULL) {
        kept->asked = larger;
        kept->asked[kept->count++] =
                (struct asked){child->process, child->start, now_millis() + kept->grace_millis};
    }
}

/* One of the group of the command, which is asked as a whole. */
static void note_member(struct kept *kept, const struct child *child) {
    if (child->group == (long)kept->command) {
        remember(kept, child);
    }
}

/* One of our children: the command, or an orphan of what it started. Whatever an orphan has started
 * becomes ours when that ends, and is asked then, with a time of its own. */
static void end_child(struct kept *kept, const struct child *child) {
    if (child->parent != (long)getpid()) {
        return;
    }
    const struct asked *asked = find_asked(kept, child);
    long long now = now_millis();
    if (now >= kept->last_deadline || (asked != NULL && now >= asked->deadline)) {
        kill(child->process, SIGKILL);
    } else if (asked == NULL) {
        remember(kept, child);
        kill(child->process, SIGTERM);
    }
}

static void for_each_process(
        struct kept *kept, void (*act)(struct kept *kept, const struct child *child)) {
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    struct child child;
    while (processes != NULL && (entry = readdir(processes)) != NULL) {
        if (read_child(entry->d_name, &child)) {
            act(kept, &child);
        }
    }
    if (processes != NULL) {
        closedir(processes);
    }
}

static void signal_command(const struct kept *kept, int number) {
    if (!kept->ended) {
        kill(-kept->command, number);
    }
}

/* The members are noted before the signal: one that is born in between is asked twice, not never.
 */
static void start_to_end(struct kept *kept) {
    if (!kept->ending) {
        kept->ending = true;
        kept->last_deadline = now_millis() + (long long)KEEPER_GRACES * kept->grace_millis;
        if (!kept->ended) {
            for_each_process(kept, note_member);
            signal_command(kept, SIGTERM);
        }
    }
}

static void end_at_once(struct kept *kept) {
    kept->ending = true;
    kept->last_deadline = now_millis();
    signal_command(kept, SIGKILL);
}

/* False when nothing is left. */
static bool fetch_ended(struct kept *kept) {
    int status;
    pid_t ended;
    while ((ended = waitpid(-1, &status, WNOHANG)) > 0) {
        if (ended == kept->command) {
            kept->ended = true;
            kept->status = status;
        }
    }
    return ended == 0 || errno != ECHILD;
}

static void listen_to_supervisor(struct kept *kept) {
    unsigned char number;
    ssize_t length = read(STDIN_FILENO, &number, 1);
    if (length == 0 || (length < 0 && errno != EINTR && errno != EAGAIN)) {
        kept->listening = false;
        start_to_end(kept);
    } else if (length == 1 && number == SIGKILL) {
        end_at_once(kept);
    } else if (length == 1) {
        signal_command(kept, number);
    }
}

static void take_signal(struct kept *kept, int signals) {
    struct signalfd_siginfo info;
    if (read(signals, &info, sizeof info) == sizeof info && info.ssi_signo != SIGCHLD) {
        signal_command(kept, (int)info.ssi_signo);
    }
}

_Noreturn static void keep(struct kept *kept, int signals) {
    while (fetch_ended(kept)) {
        if (kept->ended) {
            start_to_end(kept);
        }
        if (kept->ending) {
            for_each_process(kept, end_child);
        }
        struct pollfd files[] = {{signals, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
        if (poll(files, kept->listening ? 2 : 1, kept->ending ? AGAIN_MILLIS : -1) <= 0) {
            continue;
        }
        if (files[0].revents != 0) {
            take_signal(kept, signals);
        }
        if (kept->listening && files[1].revents != 0) {
            listen_to_supervisor(kept);
        }
    }
    _exit(WIFEXITED(kept->status) ? WEXITSTATUS(kept->status) : OF_SIGNAL + WTERMSIG(kept->status));
}

static int become_command(pid_t keeper, const sigset_t *mask) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != keeper) {
        _exit(OF_SIGNAL + SIGKILL);
    }
    setpgid(0, 0);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0) {
        return -errno;
    }
    close(nothing);
    sigprocmask(SIG_SETMASK, mask, NULL);
    return 0;
}

int keeper_start(int grace_millis) {
    sigset_t taken;
    sigset_t mask;
    sigemptyset(&taken);
    sigaddset(&taken, SIGCHLD);
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++) {
        sigaddset(&taken, passed_on[i]);
    }
    /* A terminal sends its keys to its foreground group; the supervisor alone answers them. */
    setsid();
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0 || sigprocmask(SIG_BLOCK, &taken, &mask) < 0) {
        return -errno;
    }
    int signals = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
    pid_t keeper = getpid();
    pid_t command = signals < 0 ? -1 : fork();
    if (command < 0) {
        return -errno;
    }
    if (command == 0) {
        return become_command(keeper, &mask);
    }
    setpgid(command, command);
    struct kept kept = {.command = command, .listening = true, .grace_millis = grace_millis};
    keep(&kept, signals);
}
