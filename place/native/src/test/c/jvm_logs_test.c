#include "jvm_logs.h"

#include "runner.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char directory[] = "/tmp/berth-test-XXXXXX";
static char log_name[64];
static char archive[80];

static void write_text(const char *name, const char *text) {
    FILE *file = fopen(name, "w");
    fputs(text, file);
    fclose(file);
}

static const char *text_of(const char *name) {
    static char text[64];
    FILE *file = fopen(name, "r");
    if (file == NULL) {
        return "(none)";
    }
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* As HotSpot does at its start. */
static int open_log(void) {
    rename(log_name, archive);
    return open(log_name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

static void clear(int file) {
    close(file);
    unlink(log_name);
    unlink(archive);
}

TEST(an_archived_log_gets_its_name_back) {
    struct jvm_logs logs;
    write_text(log_name, "old");
    int file = open_log();
    CHECK_INT(write(file, "first", 5), 5);
    jvm_logs_undo(&logs);
    CHECK_INT(logs.count, 1);
    CHECK_TEXT(text_of(log_name), "old");
    CHECK_TEXT(text_of(archive), "(none)");
    jvm_logs_redo(&logs);
    CHECK_INT(write(file, "on", 2), 2);
    CHECK_INT(fcntl(file, F_GETFD), FD_CLOEXEC);
    CHECK_TEXT(text_of(archive), "old");
    CHECK_TEXT(text_of(log_name), "on");
    clear(file);
}

TEST(a_log_where_there_was_none_goes) {
    struct jvm_logs logs;
    int file = open_log();
    jvm_logs_undo(&logs);
    CHECK_INT(logs.count, 1);
    CHECK_TEXT(text_of(log_name), "(none)");
    jvm_logs_redo(&logs);
    CHECK_INT(write(file, "on", 2), 2);
    CHECK_TEXT(text_of(log_name), "on");
    clear(file);
}

/* As by logrotate with dateext, a moment before the start. */
TEST(a_log_with_a_date_is_no_archive) {
    struct jvm_logs logs;
    char dated[96];
    snprintf(dated, sizeof dated, "%s.20261122", log_name);
    write_text(dated, "old");
    int file = open_log();
    jvm_logs_undo(&logs);
    CHECK_INT(logs.count, 1);
    CHECK_TEXT(text_of(dated), "old");
    CHECK_TEXT(text_of(log_name), "(none)");
    jvm_logs_redo(&logs);
    clear(file);
    unlink(dated);
}

TEST(other_files_stay) {
    struct jvm_logs logs;
    write_text(archive, "old");
    static const int others[] = {
            O_WRONLY | O_APPEND, O_WRONLY | O_CLOEXEC, O_RDWR | O_APPEND | O_CLOEXEC};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        int file = open(log_name, others[i] | O_CREAT, 0666);
        jvm_logs_undo(&logs);
        CHECK_INT(logs.count, 0);
        CHECK_TEXT(text_of(log_name), "");
        close(file);
    }
    /* Too long for what comes before agents. */
    int file = open(log_name, O_WRONLY | O_APPEND | O_CLOEXEC);
    CHECK_INT(ftruncate(file, 1 << 20), 0);
    jvm_logs_undo(&logs);
    CHECK_INT(logs.count, 0);
    CHECK_TEXT(text_of(archive), "old");
    clear(file);
}

TEST(a_file_that_is_older_than_the_process_stays) {
    write_text(log_name, "");
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    pid_t child = fork();
    if (child == 0) {
        struct jvm_logs logs;
        open(log_name, O_WRONLY | O_APPEND | O_CLOEXEC);
        jvm_logs_undo(&logs);
        _exit(logs.count);
    }
    int status;
    waitpid(child, &status, 0);
    CHECK_INT(status, 0);
    CHECK_TEXT(text_of(log_name), "");
    clear(-1);
}

int main(void) {
    struct jvm_logs logs;
    CHECK(mkdtemp(directory) != NULL);
    snprintf(log_name, sizeof log_name, "%s/a.log", directory);
    snprintf(archive, sizeof archive, "%s.07", log_name);
    int file = open_log();
    jvm_logs_undo(&logs);
    int count = logs.count;
    jvm_logs_redo(&logs);
    clear(file);
    if (count == 0) {
        rmdir(directory);
        printf("skipped: no time of birth of files in /tmp\n");
        return 77;
    }
    RUN(an_archived_log_gets_its_name_back);
    RUN(a_log_where_there_was_none_goes);
    RUN(a_log_with_a_date_is_no_archive);
    RUN(other_files_stay);
    RUN(a_file_that_is_older_than_the_process_stays);
    rmdir(directory);
    return runner_result();
}
