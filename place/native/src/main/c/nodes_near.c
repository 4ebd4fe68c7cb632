#include "nodes_near.h"

#include "file_text.h"
#include "list_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 512, FILE_LIMIT = 1 << 20 };

#define NODES "/sys/devices/system/node"

int nodes_with_memory(const char *root, struct index_set *nodes) {
    int result = list_file_read(nodes, "%s" NODES "/has_memory", root);
    /* Kernels before 2.6.24 do not have the file. */
    return result == -ENOENT ? list_file_read(nodes, "%s" NODES "/online", root) : result;
}

static int add_when_near(const char *root, unsigned node, const struct index_set *cpus,
        struct index_set *nodes, struct index_set *covered) {
    struct index_set own = {0};
    int result = list_file_read(&own, "%s" NODES "/node%u/cpulist", root, node);
    if (result == 0 && index_set_common(&own, cpus) > 0) {
        result = index_set_add(nodes, node);
        result = result < 0 ? result : index_set_or(covered, &own);
    }
    index_set_free(&own);
    return result;
}

int nodes_near_cpus(const char *root, const struct index_set *cpus, struct index_set *nodes) {
    struct index_set all = {0};
    struct index_set covered = {0};
    int result = nodes_with_memory(root, &all);
    for (int node = result < 0 ? -1 : index_set_next(&all, 0); node >= 0 && result >= 0;
            node = index_set_next(&all, (unsigned)node + 1)) {
        result = add_when_near(root, (unsigned)node, cpus, nodes, &covered);
    }
    if (result >= 0) {
        result = index_set_common(&covered, cpus) == index_set_count(cpus) ? 0 : -ENOENT;
    }
    index_set_free(&all);
    index_set_free(&covered);
    return result;
}

/* "Node 0 MemFree:       24689248 kB" */
static uint64_t line_bytes(const char *text, const char *name) {
    const char *found = strstr(text, name);
    return found == NULL ? 0 : strtoull(found + strlen(name), NULL, 10) * 1024;
}

uint64_t nodes_room_bytes(const char *root, const struct index_set *nodes) {
    uint64_t bytes = 0;
    for (int node = index_set_next(nodes, 0); node >= 0;
            node = index_set_next(nodes, (unsigned)node + 1)) {
        char path[PATH_SIZE];
        char *text;
        size_t length;
        snprintf(path, sizeof path, "%s" NODES "/node%d/meminfo", root, node);
        if (file_text_read(path, FILE_LIMIT, &text, &length) == 0) {
            bytes += line_bytes(text, " MemFree:") + line_bytes(text, " Active(file):") +
                     line_bytes(text, " Inactive(file):");
            free(text);
        }
    }
    return bytes;
}
