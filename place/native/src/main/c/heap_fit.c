#include "heap_fit.h"

#include "file_text.h"
#include "list_file.h"
#include "vm_structs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIST_SIZE = 256, PATH_SIZE = 512, FILE_LIMIT = 1 << 16 };

#define MIB (1u << 20)

/* "Node 0 MemTotal:       24689248 kB" */
static int parse_total(const char *text, uint64_t *bytes) {
    static const char word[] = "MemTotal:";
    const char *number = strstr(text, word);
    char *end;
    if (number == NULL) {
        return -EINVAL;
    }
    number += sizeof word - 1;
    errno = 0;
    unsigned long long kib = strtoull(number, &end, 10);
    if (errno != 0 || end == number || strncmp(end, " kB", 3) != 0 || kib > UINT64_MAX / 1024) {
        return -EINVAL;
    }
    *bytes = kib * 1024;
    return 0;
}

/* Whether no memory is outside of `nodes`; false where the kernel does not tell. */
static bool is_all_memory(const char *directory, const struct index_set *nodes) {
    struct index_set with_memory = {0};
    bool all = list_file_read(&with_memory, "%s/has_memory", directory) == 0 &&
               !index_set_is_empty(&with_memory) &&
               index_set_common(&with_memory, nodes) == index_set_count(&with_memory);
    index_set_free(&with_memory);
    return all;
}

int heap_fit_node_bytes(const char *directory, uint64_t system_bytes, const struct index_set *nodes,
        uint64_t *bytes, struct error_text *error) {
    *bytes = 0;
    for (int node = index_set_next(nodes, 0); node >= 0;
            node = index_set_next(nodes, (unsigned)node + 1)) {
        char path[PATH_SIZE];
        char *text;
        size_t length;
        uint64_t own = 0;
        snprintf(path, sizeof path, "%s/node%d/meminfo", directory, node);
        int result = file_text_read(path, FILE_LIMIT, &text, &length);
        if (result == 0) {
            result = parse_total(text, &own);
            free(text);
        }
        if (result < 0) {
            return error_set_system(
                    error, -result, "cannot read the memory of node %d in %s", node, path);
        }
        *bytes = own > UINT64_MAX - *bytes ? UINT64_MAX : *bytes + own;
    }
    /* A node's MemTotal is counted when the system starts and misses what a virtual machine got
     * later; the system's own counts that. */
    if (*bytes < system_bytes && is_all_memory(directory, nodes)) {
        *bytes = system_bytes;
    }
    return 0;
}

int heap_fit_check(uint64_t heap_bytes, uint64_t node_bytes, const struct index_set *nodes,
        struct error_text *text) {
    if (heap_bytes <= node_bytes) {
        return 0;
    }
    char list[LIST_SIZE];
    bool several = index_set_count(nodes) > 1;
    /* Rounded so that the two numbers are never the same. */
    error_set(text, ENOMEM,
            "the heap may grow to %" PRIu64 " MiB, and node%s %s %s only %" PRIu64
            " MiB: with memory=bind the kernel kills the JVM when that is full; lower -Xmx, or use "
            "memory=prefer",
            heap_bytes / MIB + (heap_bytes % MIB != 0), several ? "s" : "",
            index_set_format(nodes, list, sizeof list), several ? "have" : "has", node_bytes / MIB);
    return 1;
}

void heap_fit_tell(const struct process_binding *binding, bool verbose) {
    struct error_text text;
    uint64_t heap_bytes;
    uint64_t node_bytes;
    if (binding->memory != MEMORY_BIND && binding->memory != MEMORY_BIND_BALANCE) {
        return;
    }
    /* Not from the command line: flags also come from files, the environment and the size of the
     * machine or container, and the JVM has decided already when its agents are loaded. */
    int result = vm_structs_size_flag("MaxHeapSize", &heap_bytes);
    if (result < 0) {
        error_set_system(&text, -result, "cannot read the JVM's MaxHeapSize");
    } else {
        uint64_t system_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
        result = heap_fit_node_bytes(
                "/sys/devices/system/node", system_bytes, &binding->nodes, &node_bytes, &text);
    }
    if (result == 0) {
        result = heap_fit_check(heap_bytes, node_bytes, &binding->nodes, &text);
    }
    if (result > 0) {
        message_print("%s", text.text);
    } else if (result < 0 && verbose) {
        message_print("%s: not known whether the heap fits its nodes", text.text);
    }
}
