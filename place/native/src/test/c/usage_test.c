#include "usage.h"

#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a run of usage_run left behind: its exit code, the account, and what it printed. */
struct result {
    int exit_code;
    char account[4096];
    char output[1024];
};

static char folder[] = "/tmp/berth-test-XXXXXX";
static char account_file[64];

static void read_file(const char *file, char *text, size_t size) {
    FILE *in = fopen(file, "re");
    size_t length = in == NULL ? 0 : fread(text, 1, size - 1, in);
    text[length] = '\0';
    if (in != NULL) {
        fclose(in);
    }
}

/* In a child of its own, since usage_run changes signal handlers and the subreaper. */
static pid_t start(char **command, const char *file, int output) {
    fflush(stdout);
    pid_t process = fork();
    if (process == 0) {
        dup2(output, STDOUT_FILENO);
        dup2(output, STDERR_FILENO);
        /* Not exit: the buffers and the leak check are those of the parent. */
        _exit(usage_run(command, file));
    }
    return process;
}

static void finish(struct result *result, pid_t process, const char *output_file) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    result->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    read_file(account_file, result->account, sizeof result->account);
    read_file(output_file, result->output, sizeof result->output);
}

static struct result run_to(char **command, const char *file) {
    struct result result = {0};
    char output_file[80];
    snprintf(output_file, sizeof output_file, "%s/output", folder);
    unlink(account_file);
    int output = open(output_file, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    pid_t process = start(command, file, output);
    close(output);
    finish(&result, process, output_file);
    return result;
}

static struct result run(char **command) {
    return run_to(command, account_file);
}

static struct result run_shell(char *script) {
    return run((char *[]){"sh", "-c", script, NULL});
}

/* A field of the account; -1 when it is not there. */
static long long field(const struct result *result, const char *name) {
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *found = strstr(result->account, key);
    return found == NULL ? -1 : atoll(found + strlen(key));
}

TEST(the_exit_code_is_that_of_the_command) {
    CHECK_INT(run_shell("exit 0").exit_code, 0);
    CHECK_INT(run_shell("exit 9").exit_code, 9);
    CHECK_INT(run_shell("kill -TERM $$").exit_code, 128 + SIGTERM);
    CHECK_INT(run_shell("kill -KILL $$").exit_code, 128 + SIGKILL);
}

TEST(a_command_that_cannot_run_is_told_and_accounted_for) {
    struct result missing = run((char *[]){"/nowhere/command", NULL});
    CHECK_INT(missing.exit_code, 127);
    CHECK_TEXT(missing.output, "berth: cannot run /nowhere/command: No such file or directory\n");
    CHECK(field(&missing, "userMicros") >= 0);
    struct result closed = run((char *[]){"/proc/self/status", NULL});
    CHECK_INT(closed.exit_code, 126);
    CHECK(strstr(closed.output, "Permission denied") != NULL);
}

TEST(a_name_of_any_length_is_cut_not_overrun) {
    static char name[5000];
    memset(name, 'x', sizeof name - 1);
    name[0] = '/';
    struct result result = run((char *[]){name, NULL});
    CHECK_INT(result.exit_code, 126); /* ENAMETOOLONG */
    CHECK(strstr(result.output, "cannot run /xxx") != NULL);
}

TEST(a_file_that_cannot_be_written_stops_everything_before_it_begins) {
    struct result result = run_to((char *[]){"echo", "ran", NULL}, "/nowhere/file");
    CHECK_INT(result.exit_code, 1);
    CHECK_TEXT(result.output,
            "berth: cannot write what the command takes to /nowhere/file: No such file or "
            "directory\n");
}

TEST(a_full_disk_is_a_failure) {
    struct result result = run_to((char *[]){"true", NULL}, "/dev/full");
    CHECK_INT(result.exit_code, 1);
    CHECK(strstr(result.output, "cannot write what the command takes to /dev/full: ") != NULL);
}

TEST(the_account_is_one_object_with_every_field) {
    static const char *const names[] = {"userMicros", "systemMicros", "peakRssBytes", "minorFaults",
            "majorFaults", "voluntarySwitches", "involuntarySwitches"};
    struct result result =
            run_shell("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; sleep 0.01");
    size_t length = strlen(result.account);
    CHECK(length > 3 && result.account[0] == '{');
    CHECK_TEXT(result.account + length - 3, "}}\n");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CHECK(field(&result, names[i]) >= 0);
    }
    CHECK(strstr(result.account, "\"counters\":{") != NULL);
    CHECK(strstr(result.account, "\"missing\":{") != NULL);
    CHECK(field(&result, "userMicros") + field(&result, "systemMicros") > 0);
    CHECK(field(&result, "voluntarySwitches") > 0);
    CHECK(field(&result, "minorFaults") > 0);
}

TEST(memory_is_that_of_the_largest_process) {
    struct result small = run((char *[]){"true", NULL});
    struct result large = run_shell("head -c 50000000 /dev/zero | tail -c 50000000 | wc -c");
    CHECK_TEXT(large.output, "50000000\n");
    CHECK(field(&small, "peakRssBytes") > 0 && field(&small, "peakRssBytes") < 50000000);
    CHECK(field(&large, "peakRssBytes") > 50000000);
}

/* Both are children of a process that ends before they do: nobody but the subreaper waits. */
TEST(orphans_that_have_ended_are_accounted_for) {
    struct result with = run_shell("(setsid sh -c 'echo $$ >pid; head -c 50000000 /dev/zero | "
                                   "tail -c 50000000 | wc -c >count' &); "
                                   "until [ -s pid ]; do sleep 0.05; done; "
                                   "while kill -0 $(cat pid) 2>/dev/null; do sleep 0.05; done; "
                                   "cat count; rm pid count");
    CHECK_INT(with.exit_code, 0);
    CHECK_TEXT(with.output, "50000000\n");
    CHECK(field(&with, "peakRssBytes") > 50000000);
}

TEST(the_request_to_end_is_passed_on) {
    struct result result = {0};
    char output_file[80];
    char text[1024];
    snprintf(output_file, sizeof output_file, "%s/output", folder);
    int output = open(output_file, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    pid_t process = start((char *[]){"sh", "-c",
                                  "trap 'echo asked; exit 4' TERM; echo ready; "
                                  "while :; do sleep 0.05; done",
                                  NULL},
            account_file, output);
    close(output);
    bool ready = false;
    for (int i = 0; i < 1800 && !ready; i++) {
        usleep(50000);
        read_file(output_file, text, sizeof text);
        ready = strcmp(text, "ready\n") == 0;
    }
    CHECK(ready);
    kill(process, SIGTERM);
    finish(&result, process, output_file);
    CHECK_INT(result.exit_code, 4);
    CHECK_TEXT(result.output, "ready\nasked\n");
    CHECK(field(&result, "userMicros") >= 0);
}

static unsigned long long ignored_by_a_command(void) {
    struct result result = run((char *[]){"grep", "SigIgn:", "/proc/self/status", NULL});
    CHECK_INT(strncmp(result.output, "SigIgn:\t", 8), 0);
    return strtoull(result.output + 8, NULL, 16);
}

/* usage_run ignores the keys of the terminal; its command must not, unless we did before. */
TEST(the_command_has_the_handlers_that_we_inherited) {
    unsigned long long keys = 1ULL << (SIGINT - 1) | 1ULL << (SIGQUIT - 1);
    void (*before)(int) = signal(SIGQUIT, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    CHECK((ignored_by_a_command() & keys) == 0);
    signal(SIGQUIT, SIG_IGN);
    CHECK((ignored_by_a_command() & keys) == 1ULL << (SIGQUIT - 1));
    signal(SIGQUIT, before);
}

int main(void) {
    if (mkdtemp(folder) == NULL || chdir(folder) < 0) {
        return EXIT_FAILURE;
    }
    snprintf(account_file, sizeof account_file, "%s/account", folder);
    RUN(the_exit_code_is_that_of_the_command);
    RUN(a_command_that_cannot_run_is_told_and_accounted_for);
    RUN(a_name_of_any_length_is_cut_not_overrun);
    RUN(a_file_that_cannot_be_written_stops_everything_before_it_begins);
    RUN(a_full_disk_is_a_failure);
    RUN(the_account_is_one_object_with_every_field);
    RUN(memory_is_that_of_the_largest_process);
    RUN_ON_KERNEL(orphans_that_have_ended_are_accounted_for, "QEMU has no PR_SET_CHILD_SUBREAPER");
    RUN(the_request_to_end_is_passed_on);
    RUN(the_command_has_the_handlers_that_we_inherited);
    unlink(account_file);
    unlink("output");
    rmdir(folder);
    return runner_result();
}
