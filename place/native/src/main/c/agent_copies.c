#include "agent_copies.h"

#include "file_text.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAPS_LIMIT = 1 << 26, COMM_LIMIT = 64, PATH_SIZE = 64, FILE_SIZE = 64 };

struct mapping {
    char file[FILE_SIZE]; /* device and inode */
    const char *path;     /* to the end of the line */
};

/* "start-end rights offset device inode path". False: no file's. */
static bool parse(const char *line, struct mapping *mapping, uintptr_t *start, uintptr_t *end) {
    unsigned long from;
    unsigned long to;
    char device[24];
    char inode[24];
    int length = 0;
    if (sscanf(line, "%lx-%lx %*s %*s %23s %23s %n", &from, &to, device, inode, &length) != 4 ||
            line[length] != '/') {
        return false;
    }
    *start = from;
    *end = to;
    snprintf(mapping->file, sizeof mapping->file, "%s %s", device, inode);
    mapping->path = line + length;
    return true;
}

static bool is_library(const char *path) {
    static const char beginning[] = "libberth";
    const char *name = path + strcspn(path, "\n");
    while (name > path && name[-1] != '/') {
        name--;
    }
    const char *suffix = strstr(name, ".so");
    size_t length = strcspn(name, "\n");
    return strncmp(name, beginning, sizeof beginning - 1) == 0 && suffix != NULL &&
           suffix < name + length;
}

/* The line of the other library, or NULL. */
static const char *find_other(const char *maps) {
    struct mapping own = {"", NULL};
    struct mapping one;
    uintptr_t start;
    uintptr_t end;
    uintptr_t here = (uintptr_t)agent_copies_find;
    for (int pass = 0; pass < 2; pass++) {
        for (const char *line = maps; line != NULL && *line != '\0';
                line = strchr(line, '\n') == NULL ? NULL : strchr(line, '\n') + 1) {
            if (!parse(line, &one, &start, &end)) {
                continue;
            }
            if (pass == 0 && here >= start && here < end) {
                own = one;
            }
            if (pass == 1 && is_library(one.path) && strcmp(one.file, own.file) != 0) {
                return one.path;
            }
        }
        if (own.path == NULL) {
            return NULL;
        }
    }
    return NULL;
}

static bool another_watches(int own) {
    bool found = false;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *entry; !found && tasks != NULL && (entry = readdir(tasks)) != NULL;) {
        char path[PATH_SIZE];
        char *comm;
        size_t length;
        int tid = atoi(entry->d_name);
        snprintf(path, sizeof path, "/proc/self/task/%d/comm", tid);
        if (tid > 0 && tid != own && file_text_read(path, COMM_LIMIT, &comm, &length) == 0) {
            found = strcmp(comm, "berth-watch\n") == 0;
            free(comm);
        }
    }
    if (tasks != NULL) {
        closedir(tasks);
    }
    return found;
}

bool agent_copies_find(bool watching, int own, struct error_text *error) {
    char *maps;
    size_t length;
    if ((watching && !another_watches(own)) ||
            file_text_read("/proc/self/maps", MAPS_LIMIT, &maps, &length) < 0) {
        return false;
    }
    const char *other = find_other(maps);
    if (other != NULL) {
        error_set(error, 0,
                "another copy of the agent is in this JVM already (%.*s) and stays in charge; give "
                "one agent only, see JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS and the command line",
                (int)strcspn(other, "\n"), other);
    }
    free(maps);
    return other != NULL;
}
