#include "keeper.h"

#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/berth-test-XXXXXX";

/* A keeper with the end of the pipe that it listens to. */
struct keeper {
    pid_t process;
    int control;
};

/* In the folder, where a script leaves files. */
static struct keeper start_with(int grace_millis, const char *script) {
    int control[2];
    CHECK_INT(pipe2(control, O_CLOEXEC), 0);
    fflush(stdout);
    pid_t process = fork();
    if (process == 0) {
        dup2(control[0], STDIN_FILENO);
        close(control[1]);
        if (keeper_start(grace_millis) == 0) {
            execlp("sh", "sh", "-c", script, (char *)NULL);
        }
        _exit(99);
    }
    close(control[0]);
    return (struct keeper){process, control[1]};
}

static struct keeper start(const char *script) {
    return start_with(KEEPER_GRACE_MILLIS, script);
}

static void await(const char *file) {
    for (int i = 0; i < 6000 && access(file, F_OK) != 0; i++) {
        usleep(10000);
    }
    CHECK_INT(access(file, F_OK), 0);
    unlink(file);
}

static int finish(struct keeper *keeper) {
    int status = 0;
    while (waitpid(keeper->process, &status, 0) < 0 && errno == EINTR) {
    }
    close(keeper->control);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void tell(const struct keeper *keeper, int number) {
    unsigned char byte = (unsigned char)number;
    CHECK_INT(write(keeper->control, &byte, 1), 1);
}

static pid_t read_pid(const char *file) {
    FILE *in = fopen(file, "re");
    long pid = 0;
    CHECK(in != NULL && fscanf(in, "%ld", &pid) == 1);
    if (in != NULL) {
        fclose(in);
    }
    unlink(file);
    return (pid_t)pid;
}

TEST(exit_codes_are_those_of_the_command) {
    struct keeper seven = start("exit 7");
    struct keeper killed = start("kill -9 $$");
    CHECK_INT(finish(&seven), 7);
    CHECK_INT(finish(&killed), 128 + SIGKILL);
}

TEST(bytes_are_signals_for_the_whole_group_of_the_command) {
    /* Its end asks what is left to end, too: it waits for the inner one, which may be the slower.
     */
    struct keeper keeper =
            start("trap 'wait; exit 5' HUP; (trap 'touch inner; exit' HUP; touch ready; "
                  "while :; do sleep 0.02; done) & while :; do sleep 0.02; done");
    await("ready");
    usleep(200000);
    tell(&keeper, SIGHUP);
    CHECK_INT(finish(&keeper), 5);
    await("inner");
}

TEST(the_end_of_the_supervisor_ends_everything_in_order) {
    struct keeper keeper =
            start("trap 'touch asked; exit 6' TERM; setsid sh -c 'echo $$ >new; mv new "
                  "orphan; exec sleep 1000' & while :; do sleep 0.02; done");
    while (access("orphan", F_OK) != 0) {
        usleep(10000);
    }
    pid_t orphan = read_pid("orphan");
    close(keeper.control);
    keeper.control = open("/dev/null", O_RDONLY | O_CLOEXEC);
    CHECK_INT(finish(&keeper), 6);
    await("asked");
    CHECK_INT(kill(orphan, 0), -1);
}

TEST(what_does_not_listen_is_killed) {
    struct keeper keeper =
            start("trap '' TERM INT; setsid sh -c \"trap '' TERM; echo \\$\\$ >new; mv new "
                  "deaf; while :; do sleep 1000; done\" & while :; do sleep 0.02; done");
    while (access("deaf", F_OK) != 0) {
        usleep(10000);
    }
    pid_t deaf = read_pid("deaf");
    tell(&keeper, SIGTERM);
    usleep(200000);
    CHECK_INT(kill(keeper.process, 0), 0);
    tell(&keeper, SIGKILL);
    CHECK_INT(finish(&keeper), 128 + SIGKILL);
    CHECK_INT(kill(deaf, 0), -1);
}

/* Leaves the file of its argument when it is asked to end. */
static void write_polite(void) {
    FILE *out = fopen("polite", "we");
    CHECK(out != NULL &&
            fputs("trap 'touch $1; exit' TERM; touch ready; while :; do sleep 0.02; done\n", out) >
                    0 &&
            fclose(out) == 0);
}

/* Its parent ends at the first request, and only then is it a child of the keeper. */
TEST(what_is_handed_over_later_is_asked_too) {
    write_polite();
    struct keeper keeper = start("setsid sh -c 'sh polite asked & wait' & "
                                 "while [ ! -e ready ]; do sleep 0.02; done; exit 4");
    CHECK_INT(finish(&keeper), 4);
    await("asked");
    unlink("ready");
    unlink("polite");
}

/* Its parent is deaf, and killed after its time. */
TEST(what_is_handed_over_by_a_kill_is_asked_too) {
    write_polite();
    struct keeper keeper = start_with(1000, "setsid sh -c 'sh polite asked & trap \"\" TERM; "
                                            "while :; do sleep 1; done' & "
                                            "while [ ! -e ready ]; do sleep 0.02; done; exit 4");
    CHECK_INT(finish(&keeper), 4);
    await("asked");
    unlink("ready");
    unlink("polite");
}

/* It starts a successor whenever it is asked to end. */
TEST(what_goes_on_for_ever_is_killed) {
    FILE *out = fopen("hydra", "we");
    CHECK(out != NULL &&
            fputs("trap 'sh hydra & exit' TERM; echo $$ >new; mv new head; "
                  "while :; do sleep 0.02; done\n",
                    out) > 0 &&
            fclose(out) == 0);
    struct keeper keeper =
            start_with(200, "setsid sh hydra & while [ ! -e head ]; do sleep 0.02; done; exit 4");
    CHECK_INT(finish(&keeper), 4);
    CHECK_INT(kill(read_pid("head"), 0), -1);
    unlink("new");
    unlink("hydra");
}

/* Its child dies with it, however the keeper ends. */
TEST(the_command_does_not_outlive_its_keeper) {
    struct keeper keeper = start("echo $$ >new; mv new command; while :; do sleep 0.02; done");
    while (access("command", F_OK) != 0) {
        usleep(10000);
    }
    pid_t command = read_pid("command");
    kill(keeper.process, SIGKILL);
    CHECK_INT(finish(&keeper), -SIGKILL);
    bool ended = false;
    for (int i = 0; i < 6000 && !ended; i++) {
        /* Its new parent may leave it a zombie for a moment, or for ever in a container. */
        waitpid(command, NULL, WNOHANG);
        ended = kill(command, 0) < 0;
        usleep(10000);
    }
    CHECK(ended);
}

TEST(the_command_has_the_signals_that_we_had) {
    struct keeper keeper = start("exec grep -q 'SigBlk:.0000000000000000' /proc/self/status");
    CHECK_INT(finish(&keeper), 0);
}

int main(void) {
    CHECK(mkdtemp(folder) != NULL);
    CHECK_INT(chdir(folder), 0);
    /* Orphans of a killed keeper come to us, who waits for them. */
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0) {
        /* qemu-user does not have it, and a keeper needs it. */
        printf("skipped: this kernel gives no orphans to a subreaper: %s\n", strerror(errno));
        CHECK_INT(chdir("/"), 0);
        rmdir(folder);
        return 77;
    }
    RUN(exit_codes_are_those_of_the_command);
    RUN(bytes_are_signals_for_the_whole_group_of_the_command);
    RUN(the_end_of_the_supervisor_ends_everything_in_order);
    RUN(what_does_not_listen_is_killed);
    RUN(what_is_handed_over_later_is_asked_too);
    RUN(what_is_handed_over_by_a_kill_is_asked_too);
    RUN(what_goes_on_for_ever_is_killed);
    RUN(the_command_does_not_outlive_its_keeper);
    RUN(the_command_has_the_signals_that_we_had);
    CHECK_INT(chdir("/"), 0);
    rmdir(folder);
    return runner_result();
}
