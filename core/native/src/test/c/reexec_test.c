#include "reexec.h"

#include "proc_status.h"
#include "runner.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

TEST(a_command_line_is_split_at_its_zero_bytes) {
    char text[] = "java\0-Da=\0\0Main\0last";
    char **parts = reexec_split(text, sizeof text - 1);
    CHECK_TEXT(parts[0], "java");
    CHECK_TEXT(parts[1], "-Da=");
    CHECK_TEXT(parts[2], "");
    CHECK_TEXT(parts[3], "Main");
    CHECK_TEXT(parts[4], "last");
    CHECK(parts[5] == NULL);
    free(parts);
    char empty[] = "";
    parts = reexec_split(empty, 0);
    CHECK(parts[0] == NULL);
    free(parts);
}

TEST(arguments_that_vanish_when_read_are_found) {
    char pipe_argument[64];
    char file_argument[64];
    int ends[2];
    CHECK_INT(pipe(ends), 0);
    FILE *file = tmpfile();
    snprintf(pipe_argument, sizeof pipe_argument, "@/dev/fd/%d", ends[0]);
    snprintf(file_argument, sizeof file_argument, "@/proc/self/fd/%d", fileno(file));
    CHECK(reexec_reads_once(pipe_argument));
    CHECK(!reexec_reads_once(file_argument));
    close(ends[0]);
    close(ends[1]);
    fclose(file);
    /* The launcher has closed it: gone for good. */
    CHECK(reexec_reads_once(pipe_argument));
    CHECK(reexec_reads_once("-XX:VMOptionsFile=/dev/fd/63"));
    CHECK(reexec_reads_once("-agentpath:/x/libberth.so=plan=/proc/self/fd/63,worker=1"));
    CHECK(reexec_reads_once("@/dev/null"));
    CHECK(!reexec_reads_once("@/etc/passwd"));
    CHECK(!reexec_reads_once("@no such file"));
    CHECK(!reexec_reads_once("@@/dev/fd/63"));
    CHECK(!reexec_reads_once("@"));
    CHECK(!reexec_reads_once("/dev/fd/63"));
    CHECK(!reexec_reads_once("-Dx=/dev/fdx"));
    CHECK(!reexec_reads_once(""));
}

TEST(a_fifo_as_argument_file_is_found) {
    char directory[] = "/tmp/berth-test-XXXXXX";
    char argument[64];
    CHECK(mkdtemp(directory) != NULL);
    snprintf(argument, sizeof argument, "@%s/fifo", directory);
    CHECK_INT(mkfifo(argument + 1, 0600), 0);
    CHECK(reexec_reads_once(argument));
    unlink(argument + 1);
    rmdir(directory);
}

TEST(stat_fields_are_counted_behind_the_name) {
    CHECK_INT(strncmp(reexec_stat_field("7 (a) b) R 1 2", 3), "R 1 2", 5), 0);
    CHECK_TEXT(reexec_stat_field("7 (a) b) R 1 2", 5), "2");
    CHECK(reexec_stat_field("7 (a) R 1 2", 6) == NULL);
    CHECK(reexec_stat_field("nothing", 3) == NULL);
}

TEST(blocked_signals_are_those_of_the_status_file) {
    static char status[8192] = "x";
    sigset_t mask;
    sigset_t before;
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    sigaddset(&mask, SIGRTMAX);
    sigprocmask(SIG_BLOCK, &mask, &before);
    FILE *file = fopen("/proc/thread-self/status", "r");
    status[fread(status, 1, sizeof status - 1, file)] = '\0';
    fclose(file);
    uint64_t found = reexec_blocked_signals(status);
    CHECK((found >> (SIGUSR1 - 1) & 1) == 1);
    CHECK((found >> (SIGRTMAX - 1) & 1) == 1);
    CHECK((found >> (SIGUSR2 - 1) & 1) == 0);
    sigprocmask(SIG_SETMASK, &before, NULL);
    CHECK(reexec_blocked_signals("Name: x\nSigBlk:\tffffffff00000001\n") ==
            UINT64_C(0xffffffff00000001));
    CHECK(reexec_blocked_signals("Name: x\nSigBlk:") == 0);
    CHECK(reexec_blocked_signals("") == 0);
}

TEST(a_guard_of_another_process_does_not_count) {
    struct error_text reason;
    CHECK(!reexec_done());
    setenv(REEXEC_GUARD, "1:1", 1);
    CHECK(!reexec_done());
    setenv(REEXEC_GUARD, "", 1);
    CHECK(!reexec_done());
    unsetenv(REEXEC_GUARD);
    /* This program is not a java launcher. */
    CHECK_INT(reexec_possible(&reason), -EXDEV);
    CHECK(strstr(reason.text, "not a java launcher") != NULL);
    CHECK_INT(reexec_run((char *[]){NULL}, &reason), -EXDEV);
}

TEST(only_the_last_two_parts_of_the_path_are_the_launchers) {
    char path[64];
    CHECK(reexec_modules_of("/opt/bin/java-17/bin/java", path, sizeof path));
    CHECK_TEXT(path, "/opt/bin/java-17/lib/modules");
    CHECK(reexec_modules_of("/usr/bin/java", path, sizeof path));
    CHECK_TEXT(path, "/usr/lib/modules");
    CHECK(!reexec_modules_of("java", path, sizeof path));
    CHECK(!reexec_modules_of("/java", path, sizeof path));
    CHECK(!reexec_modules_of("/opt/bin/java-17/bin/java", path, 10));
}

int main(void) {
    RUN(a_command_line_is_split_at_its_zero_bytes);
    RUN(arguments_that_vanish_when_read_are_found);
    RUN(a_fifo_as_argument_file_is_found);
    RUN(stat_fields_are_counted_behind_the_name);
    RUN(blocked_signals_are_those_of_the_status_file);
    RUN(a_guard_of_another_process_does_not_count);
    RUN(only_the_last_two_parts_of_the_path_are_the_launchers);
    return runner_result();
}
