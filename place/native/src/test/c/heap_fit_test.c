#include "heap_fit.h"

#include "runner.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#define GIB (UINT64_C(1) << 30)

static struct error_text text;
static char directory[] = "/tmp/berth-heap-fit-XXXXXX";

static void write_meminfo(int node, const char *content) {
    char path[256];
    snprintf(path, sizeof path, "%s/node%d", directory, node);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/node%d/meminfo", directory, node);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fputs(content, file) >= 0 && fclose(file) == 0);
}

static void write_has_memory(const char *list) {
    char path[256];
    snprintf(path, sizeof path, "%s/has_memory", directory);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fputs(list, file) >= 0 && fclose(file) == 0);
}

static void remove_has_memory(void) {
    char path[256];
    snprintf(path, sizeof path, "%s/has_memory", directory);
    unlink(path);
}

static void remove_meminfo(int node) {
    char path[256];
    snprintf(path, sizeof path, "%s/node%d/meminfo", directory, node);
    unlink(path);
    snprintf(path, sizeof path, "%s/node%d", directory, node);
    rmdir(path);
}

static struct index_set nodes_of(const char *list) {
    struct index_set nodes = {0};
    CHECK_INT(index_set_parse(&nodes, list, strlen(list), &text), 0);
    return nodes;
}

static int64_t bytes_of_system(uint64_t system_bytes, const char *list) {
    struct index_set nodes = nodes_of(list);
    uint64_t bytes = 7;
    int result = heap_fit_node_bytes(directory, system_bytes, &nodes, &bytes, &text);
    index_set_free(&nodes);
    return result < 0 ? result : (int64_t)bytes;
}

static int64_t bytes_of(const char *list) {
    return bytes_of_system(0, list);
}

static const char *line(uint64_t heap, uint64_t memory, const char *list) {
    struct index_set nodes = nodes_of(list);
    int result = heap_fit_check(heap, memory, &nodes, &text);
    index_set_free(&nodes);
    return result == 0 ? "fits" : text.text;
}

TEST(the_memory_of_nodes_is_added_up) {
    write_meminfo(0, "Node 0 MemTotal:       24689248 kB\nNode 0 MemFree:        1 kB\n");
    write_meminfo(3, "\nNode 3 MemTotal:       1 kB\n");
    CHECK_INT(bytes_of("0"), INT64_C(24689248) * 1024);
    CHECK_INT(bytes_of("0,3"), INT64_C(24689249) * 1024);
    CHECK_INT(bytes_of(""), 0);
    remove_meminfo(0);
    remove_meminfo(3);
}

/* A virtual machine whose memory grew: node 0 had 1 GiB when it started. */
TEST(all_nodes_have_the_memory_of_the_system) {
    const char *gibibyte = "MemTotal: 1048576 kB\n";
    write_meminfo(0, gibibyte);
    write_meminfo(1, gibibyte);
    write_meminfo(2, "MemTotal: 0 kB\n");
    CHECK_INT(bytes_of_system(8 * GIB, "0-2"), 2 * GIB);
    write_has_memory("0-1\n");
    CHECK_INT(bytes_of_system(8 * GIB, "0-1"), 8 * GIB);
    CHECK_INT(bytes_of_system(8 * GIB, "0-2"), 8 * GIB);
    CHECK_INT(bytes_of_system(8 * GIB, "0"), GIB);
    CHECK_INT(bytes_of_system(8 * GIB, "0,2"), GIB);
    CHECK_INT(bytes_of_system(GIB, "0-1"), 2 * GIB);
    static const char *const untold[] = {"", "\n", "some\n"};
    for (size_t i = 0; i < sizeof untold / sizeof *untold; i++) {
        write_has_memory(untold[i]);
        CHECK_INT(bytes_of_system(8 * GIB, "0-1"), 2 * GIB);
    }
    remove_has_memory();
    remove_meminfo(0);
    remove_meminfo(1);
    remove_meminfo(2);
}

TEST(what_cannot_be_read_is_named) {
    char expected[512];
    CHECK_INT(bytes_of("5"), -ENOENT);
    snprintf(expected, sizeof expected,
            "cannot read the memory of node 5 in %s/node5/meminfo: No such file or directory",
            directory);
    CHECK_TEXT(text.text, expected);
    static const char *const wrong[] = {"", "Node 1 MemFree: 12 kB\n",
            "Node 1 MemTotal:", "Node 1 MemTotal: 12 MB\n", "Node 1 MemTotal: kB\n",
            "Node 1 MemTotal: 99999999999999999999 kB\n",
            "Node 1 MemTotal: 18446744073709551615 kB\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        write_meminfo(1, wrong[i]);
        CHECK_INT(bytes_of("1"), -EINVAL);
        CHECK(strstr(text.text, "node1/meminfo: Invalid argument") != NULL);
    }
    remove_meminfo(1);
}

TEST(a_heap_that_does_not_fit_is_told_with_both_sizes) {
    CHECK_TEXT(line(GIB, GIB, "0"), "fits");
    CHECK_TEXT(line(GIB, 2 * GIB, "0"), "fits");
    CHECK_TEXT(line(2 * GIB, GIB, "1"),
            "the heap may grow to 2048 MiB, and node 1 has only 1024 MiB: with memory=bind the "
            "kernel "
            "kills the JVM when that is full; lower -Xmx, or use memory=prefer");
    CHECK(strstr(line(GIB + 1, GIB, "0-1"), "to 1025 MiB, and nodes 0-1 have only 1024 MiB:") !=
            NULL);
    CHECK(strstr(line(UINT64_MAX, 0, "0"), "to 17592186044416 MiB, and node 0 has only 0 MiB") !=
            NULL);
}

/* Only mode bind has no way out, and here is no JVM whose heap could be asked for. */
TEST(without_a_jvm_nothing_is_claimed) {
    struct process_binding binding = {.memory = MEMORY_BIND};
    index_set_add(&binding.nodes, 0);
    fflush(stdout);
    int original = dup(STDERR_FILENO);
    FILE *captured = tmpfile();
    CHECK(captured != NULL && original >= 0);
    dup2(fileno(captured), STDERR_FILENO);
    heap_fit_tell(&binding, false);
    binding.memory = MEMORY_PREFER;
    heap_fit_tell(&binding, true);
    long silent = lseek(fileno(captured), 0, SEEK_CUR);
    binding.memory = MEMORY_BIND;
    heap_fit_tell(&binding, true);
    dup2(original, STDERR_FILENO);
    close(original);
    char told[512] = {0};
    rewind(captured);
    CHECK(fgets(told, sizeof told, captured) != NULL);
    fclose(captured);
    CHECK_INT(silent, 0);
    CHECK_TEXT(told,
            "berth: cannot read the JVM's MaxHeapSize: No such file or directory: not known "
            "whether the heap fits its nodes\n");
    index_set_free(&binding.nodes);
}

int main(void) {
    if (mkdtemp(directory) == NULL) {
        perror(directory);
        return EXIT_FAILURE;
    }
    RUN(the_memory_of_nodes_is_added_up);
    RUN(all_nodes_have_the_memory_of_the_system);
    RUN(what_cannot_be_read_is_named);
    RUN(a_heap_that_does_not_fit_is_told_with_both_sizes);
    RUN(without_a_jvm_nothing_is_claimed);
    rmdir(directory);
    return runner_result();
}
