/* What another user can put in the way of files that Berth makes where all users write. The other
 * user comes first. */
#include "public_files.h"

#include "lease_folder.h"

#include "ledger_fixture.h"

#include <dirent.h>

enum { SECRET_MODE = 0600 };

static char folder_name[96];
static char secret[96];

/* A directory of everybody, and in it the one of the leases, which is not there yet; and a file of
 * ours. */
static void new_place(void) {
    new_directory();
    snprintf(folder_name, sizeof folder_name, "%s/leases", directory);
    snprintf(secret, sizeof secret, "%s/secret", directory);
    int file = open(secret, O_CREAT | O_WRONLY | O_EXCL, SECRET_MODE);
    CHECK(file >= 0 && write(file, "secret", 6) == 6);
    close(file);
}

static void check_secret(void) {
    char text[16] = "";
    struct stat status;
    CHECK_INT(lstat(secret, &status), 0);
    CHECK_INT(status.st_mode & 07777, SECRET_MODE);
    int file = open(secret, O_RDONLY);
    CHECK(file >= 0 && read(file, text, sizeof text - 1) == 6);
    CHECK_TEXT(text, "secret");
    close(file);
}

/* As another user when this one is root, otherwise as this one. */
static void attack(const char *script) {
    char command[512];
    snprintf(command, sizeof command, "cd %s && %s%s'", directory,
            geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups sh -c '"
                           : "sh -c '",
            script);
    CHECK_INT(system(command), 0);
}

/* Of a first start in this directory: 0, or -errno with the text. */
static int try_lease(struct error_text *error) {
    struct lease lease;
    struct domains domains = cpus(1);
    int file = ledger_claim(folder_name, &domains, -1, false, "test", 0, &lease, error);
    domains_free(&domains);
    if (file < 0) {
        return file;
    }
    lease_free(&lease);
    close(file);
    return 0;
}

static unsigned count_entries(void) {
    unsigned count = 0;
    DIR *entries = opendir(directory);
    for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        count += entry->d_name[0] != '.' ? 1 : 0;
    }
    closedir(entries);
    return count;
}

TEST(links_for_process_ids_to_come_do_not_stop_a_lease) {
    char script[256];
    struct stat status;
    struct error_text error;
    new_place();
    snprintf(script, sizeof script, "ln -s secret leases.%d && mkfifo leases.%d && mkdir draft-%d",
            (int)getpid(), (int)getpid() + 1, (int)getpid());
    attack(script);
    CHECK_INT(try_lease(&error), 0);
    check_secret();
    CHECK_INT(lstat(folder_name, &status), 0);
    CHECK(S_ISDIR(status.st_mode));
    CHECK_INT(status.st_mode & 07777, 01777);
    CHECK_INT(status.st_uid, geteuid());
    remove_directory();
}

/* What has the name of the directory is never followed, waited for or opened to all; the line says
 * whose it is. */
TEST(the_owner_of_an_obstacle_and_the_remedy_are_told) {
    static const struct {
        const char *script;
        const char *kind;
    } cases[] = {{"ln -s secret leases", "a symbolic link"}, {"ln -s . leases", "a symbolic link"},
            {"ln -s nowhere leases", "a symbolic link"}, {"mkfifo -m 666 leases", "a pipe"},
            {"touch leases", "a file"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[128];
        struct error_text error = {""};
        new_place();
        attack(cases[i].script);
        CHECK_INT(try_lease(&error), -ENOTDIR);
        /* Such a name stands for what a link points to. */
        strncat(folder_name, "//", 3);
        CHECK_INT(try_lease(&error), -ENOTDIR);
        snprintf(expected, sizeof expected, "it is %s of user %u", cases[i].kind,
                geteuid() == 0 ? (unsigned)NOBODY : (unsigned)geteuid());
        CHECK(strstr(error.text, expected) != NULL);
        CHECK(strstr(error.text, LEDGER_OF_HOST) != NULL &&
                strstr(error.text, LEDGER_VARIABLE) != NULL);
        check_secret();
        remove_directory();
    }
}

/* The victim is another user: root may write everywhere. */
TEST(a_directory_that_is_closed_to_us_is_told) {
    static const int modes[] = {0700, 0755};
    for (size_t i = 0; i < sizeof modes / sizeof *modes && geteuid() == 0; i++) {
        int status;
        new_place();
        CHECK_INT(mkdir(folder_name, 0), 0);
        CHECK_INT(chmod(folder_name, (mode_t)modes[i]), 0);
        pid_t victim = fork();
        if (victim == 0) {
            struct error_text error = {""};
            bool good = setgid(NOBODY) == 0 && setuid(NOBODY) == 0 && try_lease(&error) == -EACCES;
            good = good && strstr(error.text, "it is a directory of user 0 with mode 07") != NULL &&
                   strstr(error.text, LEDGER_OF_HOST) != NULL;
            if (!good) {
                printf("%s\n", error.text);
                fflush(stdout);
            }
            _exit(good ? 0 : 1);
        }
        CHECK(waitpid(victim, &status, 0) == victim && WIFEXITED(status) &&
                WEXITSTATUS(status) == 0);
        remove_directory();
    }
}

/* At random moments of the first start. What is left behind goes with the next one. */
TEST(a_killed_start_leaves_no_draft) {
    struct error_text error;
    srand(runner_seed());
    new_place();
    for (int i = 0; i < 200; i++) {
        int status;
        rmdir(folder_name);
        pid_t child = fork();
        if (child == 0) {
            int folder = public_folder(AT_FDCWD, folder_name);
            _exit(folder >= 0 ? 0 : 1);
        }
        nanosleep(&(struct timespec){.tv_nsec = rand() % 400000}, NULL);
        kill(child, SIGKILL);
        CHECK(waitpid(child, &status, 0) == child);
        CHECK(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    }
    rmdir(folder_name);
    char left[128];
    snprintf(left, sizeof left, "%s.0123456789abcdef", folder_name);
    CHECK_INT(mkdir(left, 0700), 0);
    CHECK_INT(try_lease(&error), 0);
    CHECK_INT(count_entries(), 2);
    check_secret();
    remove_directory();
}

TEST(starts_at_the_same_time_find_one_directory) {
    for (int round = 0; round < 20; round++) {
        pid_t children[16];
        new_place();
        for (int i = 0; i < 16; i++) {
            children[i] = fork();
            if (children[i] == 0) {
                struct error_text error;
                _exit(-try_lease(&error));
            }
        }
        for (int i = 0; i < 16; i++) {
            int status;
            CHECK(waitpid(children[i], &status, 0) == children[i]);
            CHECK(WIFEXITED(status));
            CHECK_INT(WEXITSTATUS(status), 0);
        }
        CHECK_INT(count_entries(), 2);
        remove_directory();
    }
}

/* A name that Berth makes of the user's, as it does for logs of the JVM. */
TEST(what_has_a_name_that_we_make_is_not_written_to) {
    static const char *const scripts[] = {"ln -s secret name",
            "ln secret name 2>/dev/null || touch name", "mkfifo -m 666 name", "touch name"};
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        char name[96];
        struct stat status;
        new_place();
        snprintf(name, sizeof name, "%s/name", directory);
        attack(scripts[i]);
        CHECK_INT(public_file_new(name), -EEXIST);
        check_secret();
        CHECK_INT(public_file_remove(AT_FDCWD, name), 0);
        int file = public_file_new(name);
        CHECK(file >= 0);
        CHECK(write(file, "line\n", 5) == 5);
        close(file);
        CHECK_INT(lstat(name, &status), 0);
        CHECK(S_ISREG(status.st_mode));
        CHECK_INT(status.st_uid, geteuid());
        CHECK_INT(status.st_size, 5);
        CHECK_INT(public_file_new(directory), -EEXIST);
        check_secret();
        remove_directory();
    }
}

/* The kernel's own protection hides what a program does wrong, so both ways. The values are put
 * back in any case: by the parent, after a child that may have been killed. */
static const char *const guards[] = {"symlinks", "regular", "fifos", "hardlinks"};

static bool guard(const char *name, const char *value, char *before) {
    char path[64];
    snprintf(path, sizeof path, "/proc/sys/fs/protected_%s", name);
    int file = open(path, O_RDWR | O_CLOEXEC);
    bool good = file >= 0 && (before == NULL || pread(file, before, 1, 0) == 1) &&
                pwrite(file, value, 1, 0) == 1;
    close(file);
    return good;
}

/* The holder may be a process of another user that knows nothing of Berth. */
static void who_holds_the_lock_of_the_directory_is_told(void) {
    char text[64];
    char expected[64];
    char byte;
    int ready[2];
    new_directory();
    CHECK_INT(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        int folder = open(directory, O_RDONLY | O_DIRECTORY);
        if (geteuid() == 0 && setuid(NOBODY) < 0) {
            _exit(1);
        }
        if (flock(folder, LOCK_EX) < 0 || write(ready[1], "", 1) != 1) {
            _exit(1);
        }
        pause();
        _exit(0);
    }
    CHECK(read(ready[0], &byte, 1) == 1);
    int folder = open(directory, O_RDONLY | O_DIRECTORY);
    lease_folder_holder(folder, text, sizeof text);
    snprintf(expected, sizeof expected, "process %d of user %u", (int)child,
            geteuid() == 0 ? (unsigned)NOBODY : (unsigned)geteuid());
    CHECK_TEXT(text, expected);
    kill(child, SIGKILL);
    CHECK(waitpid(child, NULL, 0) == child);
    lease_folder_holder(folder, text, sizeof text);
    CHECK_TEXT(text, "another process");
    close(folder);
    close(ready[0]);
    close(ready[1]);
    remove_directory();
}

static void all(void) {
    RUN(who_holds_the_lock_of_the_directory_is_told);
    RUN(links_for_process_ids_to_come_do_not_stop_a_lease);
    RUN(the_owner_of_an_obstacle_and_the_remedy_are_told);
    RUN(a_directory_that_is_closed_to_us_is_told);
    RUN(a_killed_start_leaves_no_draft);
    RUN(starts_at_the_same_time_find_one_directory);
    RUN(what_has_a_name_that_we_make_is_not_written_to);
}

/* Whatever the machine has; with BERTH_TEST_GUARDS=yes, of a machine that no other program uses,
 * both. */
int main(void) {
    const char *wanted = getenv("BERTH_TEST_GUARDS");
    if (wanted == NULL || strcmp(wanted, "yes") != 0) {
        all();
        return runner_result();
    }
    char before[sizeof guards / sizeof *guards][2] = {{0}};
    bool set[sizeof guards / sizeof *guards];
    for (int on = 0; on <= 1; on++) {
        for (size_t i = 0; i < sizeof guards / sizeof *guards; i++) {
            set[i] = guard(guards[i], on ? "1" : "0", on ? NULL : before[i]);
            CHECK(set[i]);
        }
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            all();
            exit(runner_result());
        }
        int status;
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    for (size_t i = 0; i < sizeof guards / sizeof *guards; i++) {
        CHECK(before[i][0] != '\0' && guard(guards[i], before[i], NULL));
    }
    return runner_result();
}
