#include "ledger_fixture.h"

/* A file of ext4 has 65,000 names at most. */
enum { LIMIT = 65536, LINKS = 1024 };

/* A child that claims, tells what it got and holds it until it is killed. */
static pid_t start_holder(const struct domains *domains, const int *gate, int answers) {
    pid_t child = fork();
    if (child == 0) {
        char go;
        int file;
        /* All wait here until the parent closes its end, so that they choose at once. */
        close(gate[1]);
        if (read(gate[0], &go, 1) < 0) {
            _exit(1);
        }
        int cpu = claim(domains, true, &file);
        int answer[2] = {(int)getpid(), cpu};
        if (write(answers, answer, sizeof answer) != (ssize_t)sizeof answer) {
            _exit(1);
        }
        pause();
    }
    return child;
}

static void kill_all(const pid_t *children, int count) {
    for (int i = 0; i < count; i++) {
        if (children[i] > 0) {
            kill(children[i], SIGKILL);
            waitpid(children[i], NULL, 0);
        }
    }
}

TEST(two_hundred_starts_never_share_an_exclusive_slot) {
    int gate[2];
    int answers[2];
    pid_t children[STARTS] = {0};
    pid_t holders[SLOTS] = {0};
    struct domains domains = cpus(SLOTS);
    new_directory();
    srand(runner_seed());
    CHECK(pipe(gate) == 0 && pipe(answers) == 0);
    for (int i = 0; i < STARTS; i++) {
        children[i] = start_holder(&domains, gate, answers[1]);
    }
    close(gate[1]);
    int busy = 0;
    for (int i = 0; i < STARTS; i++) {
        int answer[2] = {0};
        CHECK(read(answers[0], answer, sizeof answer) == (ssize_t)sizeof answer);
        busy += answer[1] == -EBUSY ? 1 : 0;
        CHECK(answer[1] == -EBUSY || (answer[1] >= 0 && answer[1] < SLOTS));
        if (answer[1] >= 0 && answer[1] < SLOTS) {
            CHECK_INT(holders[answer[1]], 0);
            holders[answer[1]] = answer[0];
        }
    }
    CHECK_INT(busy, STARTS - SLOTS);
    CHECK_INT(count_held(), SLOTS);
    /* A killed one frees its slot, and no other, at once. */
    for (int round = 0; round < 50; round++) {
        int file;
        int victim = rand() % SLOTS;
        for (int i = 0; i < STARTS; i++) {
            if (children[i] == holders[victim]) {
                kill(children[i], SIGKILL);
                waitpid(children[i], NULL, 0);
                children[i] = 0;
            }
        }
        CHECK_INT(claim(&domains, true, &file), victim);
        CHECK_INT(claim(&domains, true, &(int){0}), -EBUSY);
        int keep = fork();
        if (keep == 0) {
            pause();
        }
        close(file);
        /* The child has the same open file: the slot is still held. */
        CHECK_INT(claim(&domains, true, &(int){0}), -EBUSY);
        holders[victim] = keep;
        for (int i = 0; i < STARTS; i++) {
            if (children[i] == 0) {
                children[i] = keep;
                break;
            }
        }
    }
    kill_all(children, STARTS);
    CHECK_INT(count_held(), 0);
    close(gate[0]);
    close(answers[0]);
    close(answers[1]);
    domains_free(&domains);
    remove_directory();
}

TEST(shared_places_fill_evenly_over_packages) {
    int files[10];
    struct domains domains = cpus(4);
    const int expected[] = {0, 2, 1, 3, 0, 2, 1, 3, 0, 2};
    new_directory();
    for (int i = 0; i < 10; i++) {
        CHECK_INT(claim(&domains, false, &files[i]), expected[i]);
    }
    close(files[1]);
    CHECK_INT(claim(&domains, false, &files[1]), expected[1]);
    for (int i = 0; i < 10; i++) {
        close(files[i]);
    }
    domains_free(&domains);
    remove_directory();
}

TEST(exclusive_and_shared_keep_apart) {
    int first;
    int second;
    struct domains domains = cpus(2);
    new_directory();
    CHECK_INT(claim(&domains, true, &first), 0);
    CHECK_INT(claim(&domains, false, &second), 1);
    CHECK_INT(claim(&domains, false, &(int){0}), 1);
    CHECK_INT(claim(&domains, true, &(int){0}), -EBUSY);
    close(first);
    close(second);
    domains_free(&domains);
    remove_directory();
}

TEST(garbage_and_stale_files_do_no_harm) {
    int file;
    int second;
    struct domains domains = cpus(2);
    new_directory();
    CHECK_INT(claim(&domains, true, &file), 0);
    shell("head -c 100000 /dev/urandom >lease-garbage && mkdir lease-folder && "
          "mkfifo lease-pipe && ln -s /etc/passwd lease-link && : >lease-empty && "
          "printf 'berth-lease 1\\npid 1\\n' >lease-cut && touch other draft-1-2-0");
    /* A PID that came back: the process lives, and the lease is not its own. */
    shell("printf 'berth-lease 1\\npid 1\\nstart 1\\npid-namespace 1\\nuser 0\\ncpus "
          "1\\n"
          "nodes 0\\nexclusive yes\\nsince 1\\ndomain d\\nname n\\n' >lease-1-1-0");
    /* One that is held and makes no sense. */
    char path[256];
    snprintf(path, sizeof path, "%s/lease-held", directory);
    int held = open(path, O_CREAT | O_RDWR, 0644);
    CHECK(write(held, "nonsense\n", 9) == 9);
    CHECK_INT(flock(held, LOCK_EX), 0);
    struct leases leases;
    unsigned unreadable;
    struct error_text error;
    CHECK_INT(ledger_list(directory, &leases, &unreadable, &error), 0);
    CHECK_INT(leases.count, 1);
    CHECK_INT(unreadable, 1);
    leases_free(&leases);
    /* A newer Berth may have written it, so nobody knows what it holds. */
    CHECK_INT(claim(&domains, true, &(int){0}), -EBUSY);
    CHECK_INT(claim(&domains, false, &second), 1);
    close(second);
    close(held);
    CHECK_INT(claim(&domains, true, &second), 1);
    close(second);
    close(file);
    domains_free(&domains);
    shell("test ! -e lease-garbage && test ! -e lease-cut && test ! -e lease-1-1-0 && "
          "test -e lease-folder && test ! -e draft-1-2-0 && test -e other");
    remove_directory();
}

/* Where there are many files soon. */
static void new_directory_in_memory(void) {
    snprintf(directory, sizeof directory, "/dev/shm/berth-ledger-XXXXXX");
    if (mkdtemp(directory) == NULL) {
        new_directory();
    }
    CHECK_INT(chmod(directory, 01777), 0);
}

/* What any user can do with few files: leases that are held, under many names. */
static void hold_many(int *files, const char *prefix, unsigned count) {
    static const char text[] = "berth-lease 1\npid 1\nstart 1\npid-namespace 1\nuser 0\ncpus 3\n"
                               "nodes \nexclusive no\nsince 1\ndomain d\nname n\n";
    char first[128];
    char name[128];
    for (unsigned i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s/%s-%u", directory, prefix, i);
        if (i % LINKS > 0) {
            CHECK_INT(link(first, name), 0);
            continue;
        }
        files[i / LINKS] = open(name, O_CREAT | O_RDWR, 0644);
        CHECK(write(files[i / LINKS], text, sizeof text - 1) == (ssize_t)sizeof text - 1);
        CHECK_INT(flock(files[i / LINKS], LOCK_EX), 0);
        memcpy(first, name, sizeof first);
    }
}

TEST(beyond_the_limit_of_leases_each_start_is_told) {
    static int files[LIMIT / LINKS + 1];
    struct leases leases;
    struct lease lease;
    struct error_text error;
    unsigned unreadable;
    char expected[256];
    char last[128];
    struct domains domains = cpus(2);
    new_directory_in_memory();
    hold_many(files, "lease", LIMIT + 1);
    snprintf(expected, sizeof expected,
            "there are more than 65536 leases or 262144 files in %s: let root remove those that no "
            "process holds, or name another directory",
            directory);
    for (int start = 0; start < 2; start++) {
        int file = ledger_claim(directory, &domains, -1, start == 0, "test", 0, &lease, &error);
        CHECK_INT(file, -EOVERFLOW);
        CHECK_TEXT(error.text, expected);
        if (file >= 0) {
            lease_free(&lease);
            close(file);
        }
    }
    snprintf(last, sizeof last, "%s/lease-%d", directory, LIMIT);
    CHECK_INT(unlink(last), 0);
    CHECK_INT(ledger_list(directory, &leases, &unreadable, &error), 0);
    CHECK_INT(leases.count, LIMIT);
    leases_free(&leases);
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
        close(files[i]);
    }
    domains_free(&domains);
    remove_directory();
}

/* Also files that look like no leases: each start would go through all of them under the lock. */
TEST(beyond_the_limit_of_files_each_start_is_told) {
    static int files[4 * LIMIT / LINKS + 1];
    struct leases leases;
    struct error_text error;
    unsigned unreadable;
    if (getenv("BERTH_HOSTILE_SECONDS") == NULL) {
        printf("skip: only with BERTH_HOSTILE_SECONDS\n");
        return;
    }
    new_directory_in_memory();
    hold_many(files, "other", 4 * LIMIT);
    CHECK_INT(ledger_list(directory, &leases, &unreadable, &error), 0);
    CHECK_INT(leases.count + unreadable, 0);
    leases_free(&leases);
    shell(": >one-more");
    CHECK_INT(ledger_list(directory, &leases, &unreadable, &error), -EOVERFLOW);
    CHECK(strstr(error.text, "or 262144 files in ") != NULL);
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i] > 0) {
            close(files[i]);
        }
    }
    remove_directory();
}

TEST(users_see_each_other_and_cannot_release_each_other) {
    int file;
    int status;
    struct domains domains = cpus(2);
    if (geteuid() != 0) {
        printf("skipped: needs root to become another user\n");
        domains_free(&domains);
        return;
    }
    new_directory();
    CHECK_INT(claim(&domains, true, &file), 0);
    pid_t other = fork();
    if (other == 0) {
        int own;
        int again;
        bool good = setgid(NOBODY) == 0 && setuid(NOBODY) == 0;
        good = good && claim(&domains, true, &own) == 1 && claim(&domains, true, &again) == -EBUSY;
        _exit(good ? 0 : 1);
    }
    CHECK(waitpid(other, &status, 0) == other && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    /* Left behind by the other user: counts for nothing. */
    CHECK_INT(claim(&domains, true, &(int){0}), 1);
    CHECK_INT(claim(&domains, true, &(int){0}), -EBUSY);
    close(file);
    /* And what root leaves behind, another user cannot remove, and need not. */
    other = fork();
    if (other == 0) {
        int own;
        bool good = setgid(NOBODY) == 0 && setuid(NOBODY) == 0;
        _exit(good && claim(&domains, true, &own) == 0 ? 0 : 1);
    }
    CHECK(waitpid(other, &status, 0) == other && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    domains_free(&domains);
    remove_directory();
}

TEST(pid_namespaces_that_share_the_directory_agree) {
    int first;
    int status;
    struct domains domains = cpus(2);
    new_directory();
    CHECK_INT(claim(&domains, true, &first), 0);
    pid_t outer = fork();
    if (outer == 0) {
        if (unshare(CLONE_NEWPID) != 0) {
            _exit(77);
        }
        pid_t inner = fork();
        if (inner == 0) {
            int own;
            _exit(getpid() == 1 && claim(&domains, true, &own) == 1 &&
                                    claim(&domains, true, &(int){0}) == -EBUSY
                            ? 0
                            : 1);
        }
        waitpid(inner, &status, 0);
        _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
    }
    CHECK(waitpid(outer, &status, 0) == outer && WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) {
        printf("skipped: this process may not make a PID namespace\n");
    } else {
        CHECK_INT(WEXITSTATUS(status), 0);
        CHECK_INT(count_held(), 1);
    }
    close(first);
    domains_free(&domains);
    remove_directory();
}

TEST(a_directory_that_cannot_be_used_is_told) {
    struct lease lease;
    struct error_text error;
    struct domains domains = cpus(2);
    new_directory();
    CHECK_INT(ledger_claim("/dev/null", &domains, -1, false, "", 0, &lease, &error), -ENOTDIR);
    CHECK(strstr(error.text, "/dev/null") != NULL && strstr(error.text, "BERTH_LEASES") != NULL);
    CHECK_INT(ledger_claim(directory, &domains, 2, false, "", 0, &lease, &error), -EINVAL);
    if (geteuid() == 0 && unshare(CLONE_NEWNS) == 0 &&
            mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
            mount("tmpfs", directory, "tmpfs", 0, "size=16k,nr_inodes=8") == 0) {
        int files[8];
        int got = 0;
        while (got < 8 && claim(&domains, false, &files[got]) >= 0) {
            got++;
        }
        /* Full: the place is refused, with the reason, and what is held stays. */
        CHECK(got > 0 && got < 8);
        CHECK_INT(ledger_claim(directory, &domains, -1, false, "", 0, &lease, &error), -ENOSPC);
        CHECK(strstr(error.text, "No space left") != NULL);
        CHECK_INT(count_held(), got);
        CHECK_INT(mount(NULL, directory, NULL, MS_REMOUNT | MS_RDONLY, NULL), -1);
        for (int i = 0; i < got; i++) {
            close(files[i]);
        }
        CHECK_INT(mount(NULL, directory, NULL, MS_REMOUNT | MS_RDONLY, NULL), 0);
        CHECK_INT(ledger_claim(directory, &domains, -1, false, "", 0, &lease, &error), -EROFS);
        CHECK_INT(count_held(), 0);
        CHECK_INT(umount(directory), 0);
    } else {
        printf("skipped: full and read-only, for which this process may not mount\n");
    }
    domains_free(&domains);
    remove_directory();
}

TEST(a_holder_of_the_lock_that_stands_still_is_not_waited_for) {
    struct domains domains = cpus(1);
    struct lease lease;
    struct error_text error;
    int file;
    new_directory();
    CHECK_INT(claim(&domains, false, &file), 0);
    int folder = open(directory, O_RDONLY | O_DIRECTORY);
    CHECK_INT(flock(folder, LOCK_EX), 0);
    CHECK_INT(ledger_claim(directory, &domains, -1, false, "", 0, &lease, &error), -ETIMEDOUT);
    close(folder);
    close(file);
    domains_free(&domains);
    remove_directory();
}

TEST(a_lease_outlives_exec_and_only_its_own_process_takes_it_up) {
    int file;
    int status;
    struct lease lease;
    struct domains domains = cpus(2);
    new_directory();
    CHECK_INT(claim(&domains, false, &file), 0);
    CHECK_INT(ledger_adopt(file, &lease), 0);
    CHECK_TEXT(lease.domain, "CPU 0");
    CHECK_TEXT(lease.name, "test");
    CHECK_INT(lease.pid, getpid());
    lease_free(&lease);
    pid_t child = fork();
    if (child == 0) {
        _exit(ledger_adopt(file, &lease) == -EINVAL ? 0 : 1);
    }
    CHECK(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 0);
    CHECK_INT(ledger_adopt(0, &lease) < 0, 1);
    CHECK_INT(ledger_adopt(-1, &lease), -EBADF);
    close(file);
    domains_free(&domains);
    remove_directory();
}

/* What a child gets: its CPU, plus 100 when it is exclusive; or 200. The child ends at once, or
 * when the pipe is closed. */
static int claim_in_child(const struct domains *domains, bool orphan, const int *gate, pid_t *id) {
    int answer[2];
    int got = 0;
    CHECK_INT(pipe(answer), 0);
    pid_t child = fork();
    if (child == 0) {
        pid_t parent = getpid();
        if (orphan && fork() > 0) {
            _exit(0);
        }
        while (orphan && getppid() == parent) {
            sched_yield();
        }
        struct lease lease;
        struct error_text error;
        int file = ledger_claim(directory, domains, -1, true, "", 0, &lease, &error);
        got = file < 0 ? 200 : index_set_next(&lease.cpus, 0) + (lease.exclusive ? 100 : 0);
        char end;
        close(gate[1]);
        bool told = write(answer[1], &got, sizeof got) == (ssize_t)sizeof got;
        _exit(told && read(gate[0], &end, 1) == 0 ? 0 : 1);
    }
    CHECK_INT(read(answer[0], &got, sizeof got), sizeof got);
    close(answer[0]);
    close(answer[1]);
    *id = child;
    return got;
}

TEST(children_share_what_their_parent_holds) {
    int gate[2];
    int file;
    pid_t children[3];
    struct domains domains = cpus(1);
    new_directory();
    CHECK_INT(pipe(gate), 0);
    CHECK_INT(claim(&domains, true, &file), 0);
    CHECK_INT(claim_in_child(&domains, false, gate, &children[0]), 100);
    CHECK_INT(claim_in_child(&domains, false, gate, &children[1]), 0);
    /* A process that does not descend from the holder. */
    CHECK_INT(claim_in_child(&domains, true, gate, &children[2]), 200);
    CHECK_INT(claim(&domains, true, &(int){0}), -EBUSY);
    close(gate[1]);
    close(gate[0]);
    for (int i = 0; i < 3; i++) {
        waitpid(children[i], NULL, 0);
    }
    close(file);
    domains_free(&domains);
    remove_directory();
}

/* Made by whoever comes first, for all users, with any umask. */
TEST(the_directory_is_for_all_users) {
    struct stat status;
    struct lease lease;
    struct error_text error = {""};
    int file;
    struct domains domains = cpus(1);
    new_directory();
    char outer[sizeof directory];
    memcpy(outer, directory, sizeof outer);
    snprintf(directory, sizeof directory, "%.50s/inner", outer);
    mode_t mask = umask(077);
    CHECK_INT(claim(&domains, false, &file), 0);
    umask(mask);
    close(file);
    CHECK_INT(stat(directory, &status), 0);
    CHECK_INT(status.st_mode & 07777, 01777);
    CHECK_INT(chmod(directory, 0777), 0);
    file = ledger_claim(directory, &domains, -1, false, "", 0, &lease, &error);
    CHECK(file >= 0 && strstr(error.text, "not sticky") != NULL);
    close(file);
    lease_free(&lease);
    if (geteuid() == 0) {
        CHECK_INT(chmod(directory, 01777), 0);
        CHECK_INT(chown(directory, NOBODY, NOBODY), 0);
        file = ledger_claim(directory, &domains, -1, false, "", 0, &lease, &error);
        CHECK(file >= 0 && strstr(error.text, "belongs to user 65534") != NULL);
        close(file);
        lease_free(&lease);
    }
    domains_free(&domains);
    memcpy(directory, outer, sizeof outer);
    shell("test \"$(ls -A)\" = inner");
    remove_directory();
}

int main(void) {
    RUN(two_hundred_starts_never_share_an_exclusive_slot);
    RUN(shared_places_fill_evenly_over_packages);
    RUN(exclusive_and_shared_keep_apart);
    RUN(garbage_and_stale_files_do_no_harm);
    RUN(beyond_the_limit_of_leases_each_start_is_told);
    RUN(beyond_the_limit_of_files_each_start_is_told);
    RUN(users_see_each_other_and_cannot_release_each_other);
    RUN(pid_namespaces_that_share_the_directory_agree);
    RUN(a_holder_of_the_lock_that_stands_still_is_not_waited_for);
    RUN(children_share_what_their_parent_holds);
    RUN(the_directory_is_for_all_users);
    RUN(a_lease_outlives_exec_and_only_its_own_process_takes_it_up);
    /* Last: it leaves the mount namespace. */
    RUN(a_directory_that_cannot_be_used_is_told);
    return runner_result();
}
