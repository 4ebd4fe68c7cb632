#include "reexec.h"

#include "proc_status.h"
#include "runner.h"

#include <errno.h>
#include <signal.h>
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

TEST(starts_are_counted_where_the_time_of_the_start_changes) {
    struct error_text reason;
    char guard[64];
    for (int starts = 0; starts < REEXEC_LIMIT; starts++) {
        snprintf(guard, sizeof guard, "%d:1:%d", (int)getpid(), starts);
        setenv(REEXEC_GUARD, guard, 1);
        CHECK(!reexec_done());
        CHECK_INT(reexec_mark((char *[]){NULL}, &reason), 0);
        CHECK(reexec_done());
        CHECK_INT(atoi(strrchr(getenv(REEXEC_GUARD), ':') + 1), starts + 1);
    }
    snprintf(guard, sizeof guard, "%d:1:%d", (int)getpid(), REEXEC_LIMIT);
    setenv(REEXEC_GUARD, guard, 1);
    CHECK(reexec_done());
    snprintf(guard, sizeof guard, "%d:1:%d", (int)getpid() + 1, REEXEC_LIMIT);
    setenv(REEXEC_GUARD, guard, 1);
    CHECK(!reexec_done());
    unsetenv(REEXEC_GUARD);
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
    RUN(stat_fields_are_counted_behind_the_name);
    RUN_ON_KERNEL(blocked_signals_are_those_of_the_status_file, "QEMU keeps a signal for itself");
    RUN(a_guard_of_another_process_does_not_count);
    RUN(starts_are_counted_where_the_time_of_the_start_changes);
    RUN(only_the_last_two_parts_of_the_path_are_the_launchers);
    return runner_result();
}
