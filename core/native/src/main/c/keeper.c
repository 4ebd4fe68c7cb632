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

enum { OF_SIGNAL = 128, GRACE_MILLIS = 10000, AGAIN_MILLIS = 20, STAT_LIMIT = 4096 };

struct kept {
    pid_t command;
    bool ended;
    int status;
    bool listening; /* to the supervisor */
    bool ending;    /* what is left has been asked to end */
    long long deadline;
};

/* What others send to the keeper is for the command. */
static const int passed_on[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2};

static long long now_millis(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long long)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static long parent_of(const char *process) {
    char path[300];
    char *stat;
    size_t length;
    snprintf(path, sizeof path, "/proc/%.200s/stat", process);
    if (file_text_read(path, STAT_LIMIT, &stat, &length) < 0) {
        return -1;
    }
    const char *field = reexec_stat_field(stat, 4);
    long parent = field == NULL ? -1 : strtol(field, NULL, 10);
    free(stat);
    return parent;
}

/* Our children: the command, and orphans of what it started. Their own children become ours when
 * they have ended, so that a second round finds these. */
static void signal_children(int number) {
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    while (processes != NULL && (entry = readdir(processes)) != NULL) {
        long process = strtol(entry->d_name, NULL, 10);
        if (process > 1 && parent_of(entry->d_name) == (long)getpid()) {
            kill((pid_t)process, number);
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

static void end_rest(struct kept *kept) {
    if (!kept->ending) {
        kept->ending = true;
        kept->deadline = now_millis() + GRACE_MILLIS;
        signal_command(kept, SIGTERM);
        signal_children(SIGTERM);
    }
}

static void end_at_once(struct kept *kept) {
    kept->ending = true;
    kept->deadline = now_millis();
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
        end_rest(kept);
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

static int milliseconds_to_wait(const struct kept *kept) {
    long long left = kept->deadline - now_millis();
    return !kept->ending ? -1 : left > AGAIN_MILLIS ? (int)left : AGAIN_MILLIS;
}

_Noreturn static void keep(struct kept *kept, int signals) {
    while (fetch_ended(kept)) {
        if (kept->ended) {
            end_rest(kept);
        }
        if (kept->ending && now_millis() >= kept->deadline) {
            signal_command(kept, SIGKILL);
            signal_children(SIGKILL);
        }
        struct pollfd files[] = {{signals, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
        if (poll(files, kept->listening ? 2 : 1, milliseconds_to_wait(kept)) <= 0) {
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

int keeper_start(void) {
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
    struct kept kept = {.command = command, .listening = true};
    keep(&kept, signals);
}
