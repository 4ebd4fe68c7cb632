#include "ledger_view.h"

#include "ledger_fixture.h"

#include <sched.h>

static struct ledger_facts facts_of(const char *line, const char *path, uint64_t ipc, bool engine) {
    struct ledger_facts facts = {.mount_namespace = 4026532500,
            .pid_namespace = 4026532501,
            .ipc_namespace = ipc,
            .same_as_first = -1,
            .engine = engine};
    CHECK(ledger_mount_find(line, path, &facts.mount));
    return facts;
}

#define SHM "/dev/shm/berth-leases"
#define RUN_FOLDER "/run/berth/leases"
#define FIRST_IPC 4026531839u
#define OWN_IPC 4026532502u

/* Lines as docker 27, podman 5, containerd, systemd 257 and unshare write them. */
TEST(mounts_of_containers_are_told_from_those_of_the_host) {
    static const char docker[] =
            "1 2 0:50 / / rw,relatime - overlay overlay rw\n"
            "3 1 0:53 / /dev rw,nosuid - tmpfs tmpfs rw\n"
            "4 3 0:49 / /dev/shm rw,nosuid,nodev,noexec,relatime - tmpfs shm rw,size=65536k\n";
    static const char host_ipc[] = "1 2 0:50 / / rw,relatime - overlay overlay rw\n"
                                   "4 3 0:25 / /dev/shm rw,nosuid,nodev - tmpfs tmpfs rw,inode64\n";
    static const char volume[] =
            "4 3 0:49 / /dev/shm rw - tmpfs shm rw,size=65536k\n"
            "5 4 0:25 /berth-leases /dev/shm/berth-leases rw - tmpfs tmpfs rw\n"
            "6 1 8:1 /srv/leases /run/berth/leases rw - ext4 /dev/sda1 rw\n";
    static const char pod[] =
            "1 2 0:50 / / rw - overlay overlay rw\n"
            "6 1 8:1 /var/lib/kubelet/pods/3f/volumes/kubernetes.io~empty-dir/l /run/berth/leases "
            "rw - ext4 /dev/sda1 rw\n";
    static const char service[] = "1 2 8:1 / / rw shared:9 master:1 - ext4 /dev/sda1 rw\n"
                                  "4 3 0:25 / /dev/shm rw shared:10 master:4 - tmpfs tmpfs rw\n";
    static const char unshared[] = "4 3 0:25 / /dev/shm rw - tmpfs tmpfs rw\n";
    const struct {
        const char *mounts;
        const char *path;
        uint64_t ipc;
        bool engine;
        enum ledger_view view;
    } cases[] = {{docker, SHM, OWN_IPC, true, LEDGER_APART},
            {docker, SHM, FIRST_IPC, false, LEDGER_APART},
            {docker, RUN_FOLDER, OWN_IPC, false, LEDGER_APART},
            {host_ipc, SHM, FIRST_IPC, true, LEDGER_SEEN},
            {host_ipc, SHM, OWN_IPC, true, LEDGER_APART}, {volume, SHM, OWN_IPC, true, LEDGER_SEEN},
            {volume, RUN_FOLDER, OWN_IPC, true, LEDGER_SEEN},
            {pod, RUN_FOLDER, OWN_IPC, true, LEDGER_APART},
            {service, SHM, FIRST_IPC, false, LEDGER_SEEN},
            {unshared, SHM, FIRST_IPC, false, LEDGER_UNKNOWN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ledger_facts facts =
                facts_of(cases[i].mounts, cases[i].path, cases[i].ipc, cases[i].engine);
        CHECK_INT(ledger_view_judge(&facts), cases[i].view);
        facts.named = true;
        CHECK_INT(ledger_view_judge(&facts), LEDGER_SEEN);
        facts.named = false;
        facts.same_as_first = 1;
        CHECK_INT(ledger_view_judge(&facts), LEDGER_SEEN);
        facts.same_as_first = 0;
        CHECK_INT(ledger_view_judge(&facts), LEDGER_APART);
        /* The first namespace of the host, and a kernel that has none. */
        facts.mount_namespace = i % 2 == 0 ? 4026531840u : 0;
        CHECK_INT(ledger_view_judge(&facts), LEDGER_SEEN);
    }
}

/* The last of the longest; names that only begin alike are others. */
TEST(the_mount_of_a_path_is_the_nearest) {
    static const char mounts[] = "1 0 8:1 / / rw - ext4 /dev/a rw\n"
                                 "2 1 0:1 / /dev/shm rw - tmpfs first rw\n"
                                 "3 2 0:2 / /dev/shm rw shared:1 - tmpfs second rw\n"
                                 "4 2 0:3 / /dev/shm/berth rw - tmpfs other rw\n"
                                 "\nnonsense\n5 6";
    struct ledger_mount mount;
    CHECK(ledger_mount_find(mounts, SHM, &mount));
    CHECK_TEXT(mount.source, "second");
    CHECK(!mount.follows);
    CHECK(ledger_mount_find(mounts, "/run/x", &mount));
    CHECK_TEXT(mount.source, "/dev/a");
    CHECK(!ledger_mount_find("", SHM, &mount));
    CHECK(ledger_mount_same(mounts, mounts, SHM));
    CHECK(ledger_mount_same("1 0 0:2 / /dev/shm rw - tmpfs x rw\n", mounts, SHM));
    CHECK(!ledger_mount_same("1 0 0:7 / /dev/shm rw - tmpfs second rw\n", mounts, SHM));
    CHECK(ledger_mount_same(
            "1 0 0:2 /berth-leases /dev/shm/berth-leases rw - tmpfs x rw\n", mounts, SHM));
    CHECK(!ledger_mount_same("1 0 0:2 /b /dev/shm/berth-leases rw - tmpfs x rw\n", mounts, SHM));
    CHECK(ledger_mount_same("1 0 8:1 /run /run rw - ext4 x rw\n", mounts, RUN_FOLDER));
}

/* What a claim tells in a mount namespace with a /dev/shm of its own. */
static int claim_unseen(const struct domains *domains) {
    struct lease lease;
    struct error_text error = {""};
    if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
            mount("tmpfs", "/dev/shm", "tmpfs", 0, NULL) < 0) {
        return 77;
    }
    int file = ledger_claim(LEDGER_DEFAULT, domains, -1, false, "", 0, &lease, &error);
    bool good = file >= 0 && lease.apart && strstr(error.text, "do not see") != NULL &&
                strstr(error.text, LEDGER_VARIABLE) != NULL;
    int refused = ledger_claim(LEDGER_DEFAULT, domains, -1, true, "", 0, &lease, &error);
    good = good && refused == -EBUSY && strstr(error.text, LEDGER_VARIABLE) != NULL;
    /* The remedy. */
    setenv(LEDGER_VARIABLE, LEDGER_DEFAULT, 1);
    file = ledger_claim(LEDGER_DEFAULT, domains, -1, true, "", 0, &lease, &error);
    good = good && file >= 0 && lease.exclusive && !lease.apart && error.text[0] == '\0';
    return good ? 0 : 1;
}

TEST(a_folder_of_a_mount_namespace_is_told_from_the_hosts) {
    int status = 0;
    unsetenv(LEDGER_VARIABLE);
    struct domains domains = cpus(4);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        _exit(claim_unseen(&domains));
    }
    CHECK_INT(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        printf("skipped: needs root to mount\n");
    } else {
        CHECK_INT(status, 0);
    }
    domains_free(&domains);
}

int main(void) {
    RUN(mounts_of_containers_are_told_from_those_of_the_host);
    RUN(the_mount_of_a_path_is_the_nearest);
    RUN_ON_KERNEL(a_folder_of_a_mount_namespace_is_told_from_the_hosts, "mounts are the host's");
    return runner_result();
}
