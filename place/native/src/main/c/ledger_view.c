#include "ledger_view.h"

#include "file_text.h"
#include "lease_folder.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The kernel's own numbers. */
enum { MOUNTS_SIZE = 16 << 20, TARGET_SIZE = 80 };
#define FIRST_PID_NAMESPACE UINT64_C(0xEFFFFFFC)
#define FIRST_IPC_NAMESPACE UINT64_C(0xEFFFFFFF)
/* 0xEFFFFFF8 since 6.18; before, one of the first two that are given out, from 0xF0000000. */
#define LAST_FIRST_MOUNT_NAMESPACE UINT64_C(0xF0000001)

#define SHARED_MEMORY "/dev/shm"

/* Volumes that the kubelet makes for one pod, though they are folders of the host. */
#define POD_VOLUME "/kubernetes.io~empty-dir/"

static bool is_below(const char *path, const char *point) {
    size_t length = strlen(point);
    return strcmp(point, "/") == 0 ||
           (strncmp(path, point, length) == 0 && (path[length] == '\0' || path[length] == '/'));
}

/* The next word of a line, cut to the size. */
static const char *take_word(const char *text, char *word, size_t size) {
    size_t length = strcspn(text, " \n");
    snprintf(word, size, "%.*s", (int)length, text);
    text += length;
    return *text == ' ' ? text + 1 : text;
}

static void read_mount(const char *line, struct ledger_mount *mount) {
    char word[512];
    *mount = (struct ledger_mount){0};
    line = take_word(line, word, sizeof word);
    line = take_word(line, word, sizeof word);
    line = take_word(line, mount->device, sizeof mount->device);
    line = take_word(line, mount->root, sizeof mount->root);
    line = take_word(line, mount->point, sizeof mount->point);
    line = take_word(line, word, sizeof word);
    for (line = take_word(line, word, sizeof word); word[0] != '\0' && strcmp(word, "-") != 0;
            line = take_word(line, word, sizeof word)) {
        mount->follows |= strncmp(word, "master:", 7) == 0;
    }
    line = take_word(line, mount->type, sizeof mount->type);
    take_word(line, mount->source, sizeof mount->source);
}

bool ledger_mount_find(const char *mountinfo, const char *path, struct ledger_mount *mount) {
    bool found = false;
    for (const char *line = mountinfo; line != NULL && *line != '\0';) {
        struct ledger_mount next;
        read_mount(line, &next);
        /* A later one of the same length hides an earlier one. */
        if (next.point[0] == '/' && is_below(path, next.point) &&
                (!found || strlen(next.point) >= strlen(mount->point))) {
            *mount = next;
            found = true;
        }
        line = strchr(line, '\n');
        line = line == NULL ? NULL : line + 1;
    }
    return found;
}

enum ledger_view ledger_view_judge(const struct ledger_facts *facts) {
    const struct ledger_mount *mount = &facts->mount;
    if (facts->named || facts->mount_namespace <= LAST_FIRST_MOUNT_NAMESPACE) {
        return LEDGER_SEEN;
    }
    if (facts->same_as_first >= 0) {
        return facts->same_as_first > 0 ? LEDGER_SEEN : LEDGER_APART;
    }
    if (mount->follows) {
        return LEDGER_SEEN;
    }
    /* A folder of the host: a volume. */
    if (mount->root[0] != '\0' && strcmp(mount->root, "/") != 0 && strcmp(mount->point, "/") != 0) {
        return strstr(mount->root, POD_VOLUME) != NULL ? LEDGER_APART : LEDGER_SEEN;
    }
    if (is_below(mount->point, SHARED_MEMORY)) {
        /* Container engines call what they make for a container "shm", and systemd calls that of
         * the host "tmpfs", which --ipc=host and hostIPC show inside. */
        if (strcmp(mount->source, "shm") == 0 || facts->ipc_namespace != FIRST_IPC_NAMESPACE) {
            return LEDGER_APART;
        }
        return facts->engine ? LEDGER_SEEN : LEDGER_UNKNOWN;
    }
    return facts->engine || strcmp(mount->type, "overlay") == 0 ? LEDGER_APART : LEDGER_UNKNOWN;
}

static uint64_t namespace_of(const char *path) {
    char target[TARGET_SIZE] = "";
    ssize_t length = readlink(path, target, sizeof target - 1);
    const char *number = length <= 0 ? NULL : strchr(target, '[');
    return number == NULL ? 0 : strtoull(number + 1, NULL, 10);
}

/* The name of a path inside its file system. */
static void name_inside(
        const struct ledger_mount *mount, const char *path, char *name, size_t size) {
    bool top = strcmp(mount->point, "/") == 0;
    snprintf(name, size, "%s %s%s", mount->device, strcmp(mount->root, "/") == 0 ? "" : mount->root,
            path + (top ? 0 : strlen(mount->point)));
}

bool ledger_mount_same(const char *mountinfo, const char *other, const char *path) {
    struct ledger_mount mounts[2];
    char names[2][PATH_MAX + sizeof mounts->root];
    if (!ledger_mount_find(mountinfo, path, &mounts[0]) ||
            !ledger_mount_find(other, path, &mounts[1])) {
        return false;
    }
    name_inside(&mounts[0], path, names[0], sizeof names[0]);
    name_inside(&mounts[1], path, names[1], sizeof names[1]);
    return strcmp(names[0], names[1]) == 0;
}

/* Only where the first process is the host's: in a container it is the container's own. Its mounts
 * may be read by all, which its folders and namespaces may not. */
static int compare_with_first(
        const struct ledger_facts *facts, const char *mounts, const char *path) {
    char *first;
    size_t size;
    if (facts->pid_namespace != FIRST_PID_NAMESPACE ||
            file_text_read("/proc/1/mountinfo", MOUNTS_SIZE, &first, &size) < 0) {
        return -1;
    }
    int same = size == 0 ? -1 : ledger_mount_same(mounts, first, path);
    free(first);
    return same;
}

/* A machine may be made of an image, with the files that an engine leaves in it. */
static bool is_of_engine(const char *mounts) {
    struct ledger_mount root;
    return (getenv("KUBERNETES_SERVICE_HOST") != NULL || access("/.dockerenv", F_OK) == 0 ||
                   access("/run/.containerenv", F_OK) == 0) &&
           ledger_mount_find(mounts, "/", &root) && strcmp(root.type, "overlay") == 0;
}

static bool is_named(const char *directory) {
    const char *named = getenv(LEDGER_VARIABLE);
    return (named != NULL && strcmp(named, directory) == 0) ||
           (strcmp(directory, LEDGER_OF_HOST) != 0 && strcmp(directory, LEDGER_DEFAULT) != 0);
}

enum ledger_view ledger_view_of(const char *directory, int folder) {
    char link[64];
    char path[PATH_MAX];
    char *mounts;
    size_t size;
    struct ledger_facts facts = {.named = is_named(directory),
            .mount_namespace = namespace_of("/proc/self/ns/mnt"),
            .pid_namespace = namespace_of("/proc/self/ns/pid"),
            .ipc_namespace = namespace_of("/proc/self/ns/ipc"),
            .same_as_first = -1};
    /* The common case: what follows is for others. */
    if (folder < 0 || ledger_view_judge(&facts) == LEDGER_SEEN) {
        return ledger_view_judge(&facts);
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    if (file_text_read("/proc/self/mountinfo", MOUNTS_SIZE, &mounts, &size) == 0) {
        ledger_mount_find(mounts, path, &facts.mount);
        facts.same_as_first = compare_with_first(&facts, mounts, path);
        facts.engine = is_of_engine(mounts);
        free(mounts);
    }
    return ledger_view_judge(&facts);
}

const char *ledger_view_text(
        enum ledger_view view, const char *directory, char *text, size_t size) {
    snprintf(text, size,
            "%s the leases in %.120s; mount one folder of the host into all containers, and let "
            "leases= or " LEDGER_VARIABLE " name it",
            view == LEDGER_APART ? "processes outside of this container do not see"
                                 : "it cannot be told whether all processes of this host see",
            directory);
    return text;
}
