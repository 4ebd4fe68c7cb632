/*
 * The mappings of a JVM's heap, from /proc/self/maps.
 *
 * A JVM commits a part of its heap with a new mapping over the reserved one, and uncommits it in
 * the same way (os::commit_memory), so that a policy of the part is lost each time. ZGC keeps its
 * heap in a file in memory (memfd), whose policies belong to the file and stay.
 */
#ifndef BERTH_HEAP_MAPS_H
#define BERTH_HEAP_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap_mapping {
    uintptr_t start;
    uintptr_t end;
    uint64_t offset; /* of the heap: from its start, or in its file */
};

/* All zero bytes is an empty list. */
struct heap_mappings {
    struct heap_mapping *items;
    size_t count;
};

/* The mappings that can be written inside the range of a heap. 0 or -errno. */
int heap_mappings_in(struct heap_mappings *mappings, uintptr_t start, uint64_t bytes);

/* The mappings of ZGC's file. */
int heap_mappings_of_file(struct heap_mappings *mappings);

/* The same, of a text in the form of the file: `file` for those of ZGC's. */
int heap_mappings_parse(
        struct heap_mappings *mappings, char *text, bool file, uintptr_t start, uint64_t bytes);

/* Whether exactly this mapping is in the list, which is in the order of addresses; `from` is where
 * to look first, and is moved on. */
bool heap_mappings_have(
        const struct heap_mappings *mappings, const struct heap_mapping *mapping, size_t *from);

void heap_mappings_free(struct heap_mappings *mappings);

/* ZGC's file, opened by the JVM: its descriptor, -ENOENT while there is none, and its size. */
int heap_file_find(uint64_t *bytes);

#endif
