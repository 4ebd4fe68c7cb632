/*
 * A hostile user next to real claims: what any user may do to the directory of leases, at random,
 * while workers claim, move, keep and give back leases and are killed. No exclusive CPU has two
 * holders, no claim takes longer than its time-out, and the list can always be read.
 *
 * BERTH_HOSTILE_SECONDS says for how long, 3 by default; needs root, to become another user.
 */
#include "ledger.h"

#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    NOBODY = 65534,
    CPUS = 16,
    WORKERS = 100,
    ATTACKERS = 3,
    /* The time-out of the lock, and what a busy machine may add. */
    LONGEST_CLAIM_SECONDS = 40,
    MEMORY_LIMIT_KIB = 1 << 20
};

static char directory[64];

/* What a worker believes that it holds. It says so after it has got it, and takes it back before
 * it gives it up, so two that say the same at the same time both hold it. */
struct record {
    _Atomic uint64_t cpus;
    atomic_bool exclusive;
    atomic_bool dying;
};

static struct shared {
    struct record records[WORKERS];
    atomic_uint claims;
    atomic_uint exclusive_claims;
    atomic_uint moves;
    atomic_uint written_again;
    atomic_uint doubled;
    atomic_uint late;
    atomic_uint unexpected;
} *shared;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static uint64_t word(const struct index_set *cpus) {
    return cpus->word_count == 0 ? 0 : cpus->words[0];
}

static void say(int self, const struct lease *lease) {
    struct record *own = &shared->records[self];
    /* Its process may use no other CPUs: when the workers start, 12 of 16 may be exclusive. */
    if (strcmp(lease->domain, LEDGER_ALL_TAKEN) == 0) {
        return;
    }
    atomic_store(&own->exclusive, lease->exclusive);
    atomic_store(&own->cpus, word(&lease->cpus));
    for (int i = 0; i < WORKERS; i++) {
        const struct record *other = &shared->records[i];
        uint64_t both = i == self ? 0 : atomic_load(&other->cpus) & word(&lease->cpus);
        if (both != 0 && (lease->exclusive || atomic_load(&other->exclusive)) &&
                atomic_load(&other->cpus) != 0 && !atomic_load(&other->dying) &&
                !atomic_load(&own->dying)) {
            atomic_fetch_add(&shared->doubled, 1);
        }
    }
}

static void take_back(int self) {
    atomic_store(&shared->records[self].cpus, 0);
}

static bool is_expected(int result) {
    return result >= 0 || result == -EBUSY || result == -ETIMEDOUT || result == -ENOSPC ||
           result == -EOVERFLOW || result == -EDQUOT;
}

static void move_once(int self, int file, struct lease *lease, const struct domains *domains,
        const struct domain *home) {
    struct error_text error;
    struct index_set usable = {0};
    struct domains left = {0};
    for (unsigned i = 0; i < CPUS; i++) {
        if (rand() % 3 > 0) {
            index_set_add(&usable, i);
            struct domain *domain = domains_add(&left);
            index_set_copy(&domain->cpus, &domains->items[i].cpus);
        }
    }
    const struct ledger_move to = {home, &left, &usable, NULL};
    take_back(self);
    int result = ledger_move(directory, file, lease, &to, &error);
    /* After a failure nobody knows what stands in the file. */
    if (result == 0) {
        say(self, lease);
        atomic_fetch_add(&shared->moves, 1);
    } else if (!is_expected(result)) {
        printf("move: %s\n", error.text);
        atomic_fetch_add(&shared->unexpected, 1);
    }
    domains_free(&left);
    index_set_free(&usable);
}

static void keep_once(int *file, struct lease *lease) {
    struct error_text error;
    int kept = ledger_keep(directory, *file, lease, &error);
    atomic_fetch_add(&shared->written_again, kept >= 0 && kept != *file ? 1u : 0u);
    *file = kept < 0 ? *file : kept;
}

/* Also when this test is killed: a worker that is left over would take a CPU for ever. A change of
 * user undoes it (prctl(2)). */
static void end_with_parent(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

_Noreturn static void work(int self, const struct domains *domains) {
    end_with_parent();
    srand(runner_seed() + (unsigned)self);
    for (;;) {
        struct lease lease;
        struct error_text error;
        double start = now();
        int file = ledger_claim(directory, domains, rand() % 2 == 0 ? -1 : rand() % CPUS,
                rand() % 2 == 0, "worker", 0, &lease, &error);
        atomic_fetch_add(&shared->late, now() - start > LONGEST_CLAIM_SECONDS ? 1u : 0u);
        if (file < 0) {
            if (!is_expected(file)) {
                printf("claim: %s\n", error.text);
                atomic_fetch_add(&shared->unexpected, 1);
            }
            continue;
        }
        const struct domain *home = &domains->items[index_set_next(&lease.cpus, 0)];
        atomic_fetch_add(&shared->claims, 1);
        atomic_fetch_add(&shared->exclusive_claims, lease.exclusive ? 1u : 0u);
        say(self, &lease);
        for (int i = rand() % 12; i > 0; i--) {
            nanosleep(&(struct timespec){.tv_nsec = rand() % 20000000}, NULL);
            if (rand() % 4 > 0) {
                move_once(self, file, &lease, domains, home);
            } else {
                keep_once(&file, &lease);
            }
        }
        take_back(self);
        lease_free(&lease);
        close(file);
    }
}

static void write_text(int file) {
    char text[8192];
    int length = 0;
    switch (rand() % 4) {
    case 0:
        length = snprintf(text, sizeof text,
                "berth-lease 1\npid %d\nstart %d\npid-namespace 4026531836\nuser 0\ncpus %d\n"
                "nodes \nexclusive %s\nsince 1\ndomain d\nname n\n",
                rand() % 2 == 0 ? 1 : (int)getppid(), rand(), rand() % CPUS,
                rand() % 2 == 0 ? "yes" : "no");
        break;
    case 1:
        length = snprintf(text, sizeof text, "berth-lease %d\npid 1\n", 1 + rand() % 3);
        break;
    case 2:
        for (; length < 4096; length += 11) {
            memcpy(text + length, "0-131071,0-", 11);
        }
        break;
    default:
        for (length = 0; length < (int)sizeof text; length++) {
            text[length] = (char)rand();
        }
    }
    ssize_t ignored = write(file, text, (size_t)length);
    (void)ignored;
}

/* The name of a file in the folder, at random. */
static void some_name(char *name, size_t size) {
    char command[128];
    snprintf(name, size, "lease-%d-%d", rand() % 64, rand() % 64);
    if (rand() % 4 > 0) {
        return;
    }
    snprintf(command, sizeof command, "ls %s 2>/dev/null | shuf -n 1", directory);
    FILE *list = popen(command, "r");
    if (list != NULL) {
        if (fgets(name, (int)size, list) != NULL) {
            name[strcspn(name, "\n")] = '\0';
        }
        pclose(list);
    }
}

_Noreturn static void attack(int number) {
    int held[16];
    for (int i = 0; i < 16; i++) {
        held[i] = -1;
    }
    srand(runner_seed() + 1000 + (unsigned)number);
    if (chdir(directory) != 0 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0) {
        _exit(1);
    }
    end_with_parent();
    for (;;) {
        char name[256];
        char other[256];
        int *slot = &held[rand() % 16];
        some_name(name, sizeof name);
        some_name(other, sizeof other);
        int folder;
        int ignored = 0;
        /* As long as it holds something that makes no sense, no lease is exclusive. */
        bool calm = (int)now() % 2 == 0;
        for (int i = 0; calm && i < 16; i++) {
            close(held[i]);
            held[i] = -1;
        }
        switch (calm ? 2 + rand() % 8 : rand() % 12) {
        case 0:
        case 1:
            close(*slot);
            *slot = open(name, O_CREAT | O_RDWR | O_NONBLOCK, 0644);
            if (*slot >= 0) {
                write_text(*slot);
                flock(*slot, (rand() % 2 == 0 ? LOCK_EX : LOCK_SH) | LOCK_NB);
            }
            break;
        case 2:
            ignored = ftruncate(*slot, rand() % 3 == 0 ? 10 << 20 : rand() % 100);
            break;
        case 3:
            ignored = rename(name, other);
            break;
        case 4:
            unlink(name);
            break;
        case 5:
            ignored = symlink(rand() % 2 == 0 ? "/etc/passwd" : other, name);
            break;
        case 6:
            ignored = rand() % 2 == 0 ? mkdir(name, 0777) : mkfifo(name, 0666);
            break;
        case 7:
            ignored = link(name, other);
            break;
        case 8:
            folder = open(".", O_RDONLY | O_DIRECTORY);
            flock(folder, (rand() % 2 == 0 ? LOCK_EX : LOCK_SH) | LOCK_NB);
            nanosleep(&(struct timespec){.tv_nsec = rand() % 5000000}, NULL);
            close(folder);
            break;
        case 9:
            ignored = chmod(name, (mode_t)(rand() % 512));
            break;
        case 10:
            /* Waits for the lock on somebody's lease, and then has it. */
            close(*slot);
            *slot = open(name, O_RDONLY | O_NONBLOCK);
            flock(*slot, LOCK_SH | LOCK_NB);
            break;
        default:
            rmdir(name);
            close(*slot);
            *slot = -1;
        }
        (void)ignored;
    }
}

static struct domains one_cpu_each(void) {
    struct domains domains = {0};
    for (unsigned i = 0; i < CPUS; i++) {
        struct domain *domain = domains_add(&domains);
        snprintf(domain->label, sizeof domain->label, "CPU %u", i);
        index_set_add(&domain->cpus, i);
    }
    return domains;
}

struct answers {
    unsigned lists;
    /* A hundred workers and the attackers want the lock, too: that it was not had in time is told.
     */
    unsigned late;
};

/* Reads the list, as daemons do, and ends workers at random, until the time is over. */
static unsigned watch_over(
        pid_t *workers, const struct domains *domains, double seconds, struct answers *answers) {
    unsigned kills = 0;
    double end = now() + seconds;
    double patience = end + (seconds < 10 ? 10 * seconds : 100);
    /* A machine with other work gets little done in the time. */
    while (now() < end ||
            ((answers->lists + answers->late == 0 || shared->claims == 0) && now() < patience)) {
        struct leases leases;
        struct error_text error;
        unsigned unreadable;
        int result = kills % 8 > 0 ? -EBUSY : ledger_list(directory, &leases, &unreadable, &error);
        if (result == 0) {
            answers->lists++;
            leases_free(&leases);
        } else if (result == -ETIMEDOUT) {
            answers->late++;
        } else if (!is_expected(result)) {
            printf("list: %s\n", error.text);
            atomic_fetch_add(&shared->unexpected, 1);
        }
        int victim = rand() % WORKERS;
        atomic_store(&shared->records[victim].dying, true);
        kill(workers[victim], SIGKILL);
        waitpid(workers[victim], NULL, 0);
        take_back(victim);
        atomic_store(&shared->records[victim].dying, false);
        kills++;
        fflush(stdout);
        workers[victim] = fork();
        if (workers[victim] == 0) {
            work(victim, domains);
        }
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    return kills;
}

TEST(a_hostile_user_takes_nothing_away) {
    pid_t workers[WORKERS];
    pid_t attackers[ATTACKERS];
    const char *told = getenv("BERTH_HOSTILE_SECONDS");
    double seconds = told == NULL ? 3 : atof(told);
    struct domains domains = one_cpu_each();
    srand(runner_seed());
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(shared != MAP_FAILED);
    snprintf(directory, sizeof directory, "/tmp/berth-hostile-XXXXXX");
    CHECK(mkdtemp(directory) != NULL);
    /* A file system of its own, so that it can be filled. */
    CHECK_INT(mount("tmpfs", directory, "tmpfs", 0, "size=8m,nr_inodes=2048,mode=1777"), 0);
    fflush(stdout);
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = fork();
        if (workers[i] == 0) {
            work(i, &domains);
        }
    }
    for (int i = 0; i < ATTACKERS; i++) {
        attackers[i] = fork();
        if (attackers[i] == 0) {
            attack(i);
        }
    }
    struct answers answers = {0};
    unsigned kills = watch_over(workers, &domains, seconds, &answers);
    for (int i = 0; i < WORKERS; i++) {
        atomic_store(&shared->records[i].dying, true);
        kill(workers[i], SIGKILL);
        waitpid(workers[i], NULL, 0);
    }
    for (int i = 0; i < ATTACKERS; i++) {
        /* None has ended before. */
        CHECK_INT(waitpid(attackers[i], NULL, WNOHANG), 0);
        kill(attackers[i], SIGKILL);
        waitpid(attackers[i], NULL, 0);
    }
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    printf("%u claims, %u exclusive, %u moves, %u written again, %u lists, %u late, %u kills, "
           "%ld KiB\n",
            shared->claims, shared->exclusive_claims, shared->moves, shared->written_again,
            answers.lists, answers.late, kills, usage.ru_maxrss);
    CHECK_INT(shared->doubled, 0);
    CHECK_INT(shared->late, 0);
    CHECK_INT(shared->unexpected, 0);
    CHECK(shared->claims > 0 && answers.lists + answers.late > 0);
    CHECK(usage.ru_maxrss < MEMORY_LIMIT_KIB);
    CHECK_INT(umount2(directory, MNT_DETACH), 0);
    rmdir(directory);
    domains_free(&domains);
    munmap(shared, sizeof *shared);
}

int main(void) {
    if (geteuid() != 0 || unshare(CLONE_NEWNS) != 0 ||
            mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) {
        printf("skipped: needs root, to become another user and to mount\n");
        return 77;
    }
    RUN(a_hostile_user_takes_nothing_away);
    return runner_result();
}
