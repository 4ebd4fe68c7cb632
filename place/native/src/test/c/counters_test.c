#include "counters.h"

#include "runner.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

static char printed[8192];

static void print(const struct counters *counters) {
    FILE *out = tmpfile();
    counters_print(counters, out);
    rewind(out);
    printed[fread(printed, 1, sizeof printed - 1, out)] = '\0';
    fclose(out);
}

static void all(struct counters *counters, int file) {
    for (int i = 0; i < COUNTERS; i++) {
        counters->files[i] = file;
    }
}

/* The reason behind a name of "missing"; empty when it is not there. */
static const char *missing(const char *name) {
    static char text[256];
    char key[64];
    snprintf(key, sizeof key, "\"%s\":\"", name);
    const char *start = strstr(printed, "\"missing\":");
    start = start == NULL ? NULL : strstr(start, key);
    if (start == NULL) {
        return "";
    }
    start += strlen(key);
    snprintf(text, sizeof text, "%.*s", (int)strcspn(start, "\""), start);
    return text;
}

static long long counted(const char *name) {
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *found = strstr(printed, key);
    const char *end = strstr(printed, "\"missing\"");
    return found == NULL || found > end ? -1 : atoll(found + strlen(key));
}

TEST(each_error_of_the_kernel_has_a_reason_for_humans) {
    static const struct {
        int problem;
        const char *reason;
    } known[] = {
            {EACCES, "not permitted; run as root, or lower /proc/sys/kernel/perf_event_paranoid "
                     "to 1"},
            {EPERM, "not permitted; run as root, or lower /proc/sys/kernel/perf_event_paranoid to "
                    "1"},
            {ENOENT, "this processor (or the virtual machine) does not offer it"},
            {EOPNOTSUPP, "this processor (or the virtual machine) does not offer it"},
            {ENODEV, "this processor (or the virtual machine) does not offer it"},
            {ENOSYS, "this kernel has no perf events"},
            {EMFILE, "Too many open files"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct counters counters;
        all(&counters, -known[i].problem);
        print(&counters);
        CHECK_TEXT(missing("task-clock"), known[i].reason);
        CHECK_TEXT(missing("node-load-misses"), known[i].reason);
        CHECK_INT(counted("task-clock"), -1);
        counters_close(&counters);
    }
}

/* What a read gives: value, nanoseconds enabled, nanoseconds that it ran. */
static int reading(uint64_t value, uint64_t enabled, uint64_t running, size_t length) {
    uint64_t words[3] = {value, enabled, running};
    int ends[2];
    if (pipe(ends) < 0 || write(ends[1], words, length) != (ssize_t)length) {
        return -EIO;
    }
    close(ends[1]);
    return ends[0];
}

TEST(a_counter_that_took_turns_is_scaled) {
    struct counters counters;
    all(&counters, -ENOENT);
    counters.files[0] = reading(1000, 8000, 8000, 24);
    counters.files[1] = reading(1000, 8000, 2000, 24);
    counters.files[2] = reading(UINT64_C(18000000000000000000), 1, 1, 24);
    counters.files[3] = reading(7, 5000, 0, 24);
    counters.files[4] = reading(7, 5000, 5000, 16);
    print(&counters);
    CHECK_INT(counted("task-clock"), 1000);
    CHECK_INT(counted("context-switches"), 4000);
    CHECK(strstr(printed, "\"cpu-migrations\":18000000000000000000,") != NULL ||
            strstr(printed, "\"cpu-migrations\":18000000000000000000}") != NULL);
    CHECK(strstr(missing("page-faults"), "it was never switched on") != NULL);
    CHECK_TEXT(missing("cycles"), "it could not be read");
    counters_close(&counters);
}

/* The kernel counts what a child does after its exec; where it does not let us, it says why. */
TEST(a_real_child_is_counted_from_its_exec_on) {
    struct counters counters;
    int go[2];
    char byte;
    CHECK_INT(pipe(go), 0);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        close(go[1]);
        (void)!read(go[0], &byte, 1);
        execlp("sh", "sh", "-c", "i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done; (:); (:)",
                (char *)NULL);
        _exit(127);
    }
    counters_open(&counters, child);
    close(go[0]);
    close(go[1]);
    int status = 1;
    waitpid(child, &status, 0);
    CHECK_INT(status, 0);
    print(&counters);
    if (counters.files[0] >= 0) {
        CHECK(counted("task-clock") > 0);
        CHECK(counted("page-faults") > 0);
    } else {
        CHECK(missing("task-clock")[0] != '\0');
    }
    static const char *const names[] = {
            "task-clock", "context-switches", "cpu-migrations", "cycles", "node-loads"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CHECK(counted(names[i]) >= 0 || missing(names[i])[0] != '\0');
    }
    counters_close(&counters);
}

TEST(nobody_can_be_counted_who_is_not_there) {
    struct counters counters;
    counters_open(&counters, 0x7ffffff0);
    for (int i = 0; i < COUNTERS; i++) {
        CHECK(counters.files[i] < 0);
    }
    print(&counters);
    CHECK(strncmp(printed, "\"counters\":{},\"missing\":{\"task-clock\":", 38) == 0);
    CHECK_TEXT(printed + strlen(printed) - 2, "\"}");
    counters_close(&counters);
}

int main(void) {
    RUN(each_error_of_the_kernel_has_a_reason_for_humans);
    RUN(a_counter_that_took_turns_is_scaled);
    RUN(a_real_child_is_counted_from_its_exec_on);
    RUN(nobody_can_be_counted_who_is_not_there);
    return runner_result();
}
