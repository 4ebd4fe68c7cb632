#include "ledger_fixture.h"

/* A holder of one CPU that may go to others. */
struct mover {
    struct lease lease;
    struct domain home;
    int file;
};

static struct mover start_mover(const struct domains *domains, int index, bool exclusive) {
    struct error_text error = {""};
    struct mover mover = {0};
    mover.file =
            ledger_claim(directory, domains, index, exclusive, "mover", 0, &mover.lease, &error);
    CHECK(mover.file >= 0);
    mover.home = domains->items[index];
    return mover;
}

/* To what is left of the domains in the CPUs first to last; its CPUs as a list. */
static const char *move(struct mover *mover, const struct domains *domains, unsigned first,
        unsigned last, struct error_text *error) {
    static char list[64];
    struct index_set usable = {0};
    struct domains left = {0};
    for (unsigned i = first; i <= last; i++) {
        index_set_add(&usable, i);
        struct domain *domain = domains_add(&left);
        memcpy(domain->label, domains->items[i].label, sizeof domain->label);
        index_set_copy(&domain->cpus, &domains->items[i].cpus);
        index_set_copy(&domain->nodes, &domains->items[i].nodes);
    }
    const struct ledger_move to = {&mover->home, &left, &usable, NULL};
    CHECK_INT(ledger_move(directory, mover->file, &mover->lease, &to, error), 0);
    domains_free(&left);
    index_set_free(&usable);
    return index_set_format(&mover->lease.cpus, list, sizeof list);
}

static void stop(struct mover *mover) {
    lease_free(&mover->lease);
    close(mover->file);
}

TEST(a_moved_lease_never_doubles_an_exclusive_cpu) {
    struct error_text error;
    struct leases leases;
    unsigned unreadable;
    int other;
    struct domains domains = cpus(2);
    new_directory();
    struct mover mover = start_mover(&domains, 0, true);
    CHECK_TEXT(move(&mover, &domains, 1, 1, &error), "1");
    CHECK_TEXT(mover.lease.domain, "CPU 1");
    CHECK_INT(claim(&domains, true, &other), 0);
    /* Its home is somebody else's now: it keeps what it has, under the name of that. */
    CHECK_TEXT(move(&mover, &domains, 0, 1, &error), "1");
    CHECK(mover.lease.exclusive && error.text[0] == '\0');
    CHECK_INT(ledger_list(directory, &leases, &unreadable, &error), 0);
    CHECK_INT(leases.count, 2);
    CHECK_INT(index_set_common(&leases.items[0].cpus, &leases.items[1].cpus), 0);
    leases_free(&leases);
    /* When that is gone, too, both share it, and nobody says otherwise. */
    CHECK_TEXT(move(&mover, &domains, 0, 0, &error), "0");
    CHECK(!mover.lease.exclusive && strstr(error.text, "not exclusive any more") != NULL);
    CHECK_INT(count_held(), 2);
    close(other);
    CHECK_TEXT(move(&mover, &domains, 0, 1, &error), "0");
    CHECK_TEXT(mover.lease.domain, "CPU 0");
    stop(&mover);
    domains_free(&domains);
    remove_directory();
}

/* Its own lease is no reason to leave a domain. */
TEST(a_moved_lease_stays_when_the_cpus_change_again) {
    struct error_text error;
    struct domains domains = cpus(4);
    new_directory();
    struct mover mover = start_mover(&domains, 0, false);
    CHECK_TEXT(move(&mover, &domains, 1, 3, &error), "1");
    for (unsigned last = 3; last > 0; last--) {
        CHECK_TEXT(move(&mover, &domains, 1, last, &error), "1");
    }
    CHECK_TEXT(move(&mover, &domains, 0, 3, &error), "0");
    CHECK_INT(index_set_next(&mover.lease.nodes, 0), 0);
    stop(&mover);
    domains_free(&domains);
    remove_directory();
}

TEST(a_lease_that_was_removed_is_written_again) {
    struct error_text error;
    int other;
    struct domains domains = cpus(2);
    new_directory();
    struct mover mover = start_mover(&domains, 0, true);
    CHECK_INT(ledger_keep(directory, mover.file, &mover.lease, &error), mover.file);
    shell("rm lease-*");
    CHECK_INT(count_held(), 0);
    mover.file = ledger_keep(directory, mover.file, &mover.lease, &error);
    CHECK(mover.file >= 0 && strstr(error.text, "removed") != NULL && mover.lease.exclusive);
    CHECK_INT(count_held(), 1);
    CHECK_INT(claim(&domains, true, &other), 1);
    close(other);
    /* Another one has taken the CPU meanwhile. */
    shell("rm lease-*");
    CHECK_INT(claim(&domains, true, &other), 0);
    mover.file = ledger_keep(directory, mover.file, &mover.lease, &error);
    CHECK(strstr(error.text, "not exclusive any more") != NULL && !mover.lease.exclusive);
    CHECK_INT(count_held(), 2);
    /* The folder itself is gone: made again, as at the first use. */
    shell("rm -rf -- \"$PWD\"");
    mover.file = ledger_keep(directory, mover.file, &mover.lease, &error);
    CHECK(mover.file >= 0);
    CHECK_INT(count_held(), 1);
    close(other);
    stop(&mover);
    domains_free(&domains);
    remove_directory();
}

/* Any user may wait for the lock on a file that he can read. */
TEST(who_has_the_lock_of_a_lease_keeps_it_after_its_holder) {
    int file;
    int status;
    int ready[2];
    int go[2];
    char path[128];
    char byte = 0;
    struct domains domains = cpus(1);
    if (geteuid() != 0) {
        printf("skipped: needs root to become another user\n");
        domains_free(&domains);
        return;
    }
    new_directory();
    CHECK_INT(claim(&domains, true, &file), 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    CHECK(pipe(ready) == 0 && pipe(go) == 0);
    pid_t other = fork();
    if (other == 0) {
        char lease[256];
        ssize_t length = readlink(path, lease, sizeof lease - 1);
        lease[length < 0 ? 0 : length] = '\0';
        close(file);
        bool good = setgid(NOBODY) == 0 && setuid(NOBODY) == 0;
        int own = open(lease, O_RDONLY);
        good = good && own >= 0 && write(ready[1], &byte, 1) == 1 && flock(own, LOCK_EX) == 0;
        good = good && write(ready[1], &byte, 1) == 1 && read(go[0], &byte, 1) == 1;
        _exit(good ? 0 : 1);
    }
    CHECK(read(ready[0], &byte, 1) == 1);
    CHECK_INT(count_held(), 1);
    close(file);
    CHECK(read(ready[0], &byte, 1) == 1);
    CHECK_INT(count_held(), 1);
    CHECK_INT(claim(&domains, true, &(int){0}), -EBUSY);
    CHECK(write(go[1], &byte, 1) == 1);
    CHECK(waitpid(other, &status, 0) == other && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK_INT(claim(&domains, true, &file), 0);
    close(file);
    for (int i = 0; i < 2; i++) {
        close(ready[i]);
        close(go[i]);
    }
    domains_free(&domains);
    remove_directory();
}

int main(void) {
    RUN(a_moved_lease_never_doubles_an_exclusive_cpu);
    RUN(a_moved_lease_stays_when_the_cpus_change_again);
    RUN(a_lease_that_was_removed_is_written_again);
    RUN(who_has_the_lock_of_a_lease_keeps_it_after_its_holder);
    return runner_result();
}
