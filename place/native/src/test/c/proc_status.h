/* The independent oracle of the tests: what /proc says, not what our own getters say. */
#ifndef BERTH_TEST_PROC_STATUS_H
#define BERTH_TEST_PROC_STATUS_H

#include <stdio.h>
#include <string.h>

/* The value of a field of /proc/thread-self/status (tid 0) or of another thread of the process;
 * the empty text when the field or the thread is not there. */
static inline void proc_status_field(int tid, const char *name, char *value, size_t size) {
    char path[64] = "/proc/thread-self/status";
    char line[8192];
    size_t name_length = strlen(name);
    value[0] = '\0';
    if (tid != 0) {
        snprintf(path, sizeof path, "/proc/self/task/%d/status", tid);
    }
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, name, name_length) == 0 && line[name_length] == ':') {
            char *start = line + name_length + 1 + strspn(line + name_length + 1, " \t");
            start[strcspn(start, "\n")] = '\0';
            snprintf(value, size, "%s", start);
        }
    }
    fclose(file);
}

#endif
