#include "vm_structs.h"

#include "runner.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

/* Tables as a JVM exports them, here of structures whose content is known. The library finds them
 * by their names; JVMs themselves are read in place/binding. */
struct entry {
    const char *type;
    const char *field;
    uint64_t offset;
    void *address;
    uint64_t unused;
};

struct type_entry {
    const char *name;
    uint64_t unused;
    uint64_t size;
};

struct flag {
    uint64_t unused;
    const char *name;
    void *address;
};

static uint64_t small = 12;
static uint64_t heap = UINT64_C(123) << 32;
static struct flag flags[] = {{0, "MaxHeapSizes", &small}, {0, "MaxHeap", &small},
        {0, "MaxHeapSize", &heap}, {0, "Lost", NULL}, {0, NULL, NULL}};
static struct flag *first_flag = flags;

static struct entry fields[] = {{"Other", "_osthread", 8, NULL, 0}, {"Thread", "_os", 8, NULL, 0},
        {"Thread", "_osthread", 24, NULL, 0}, {"OSThread", "_thread_id", 40, NULL, 0},
        {"JVMFlag", "_name", offsetof(struct flag, name), NULL, 0},
        {"JVMFlag", "_addr", offsetof(struct flag, address), NULL, 0},
        {"JVMFlag", "flags", 0, &first_flag, 0}, {NULL, NULL, 0, NULL, 0}};
static struct type_entry types[] = {
        {"JVMFlags", 0, 8}, {"JVMFlag", 0, sizeof(struct flag)}, {NULL, 0, 0}};

#define EXPORT __attribute__((visibility("default")))

EXPORT const char *gHotSpotVMStructs = NULL;
EXPORT uint64_t gHotSpotVMStructEntryTypeNameOffset = offsetof(struct entry, type);
EXPORT uint64_t gHotSpotVMStructEntryFieldNameOffset = offsetof(struct entry, field);
EXPORT uint64_t gHotSpotVMStructEntryOffsetOffset = offsetof(struct entry, offset);
EXPORT uint64_t gHotSpotVMStructEntryAddressOffset = offsetof(struct entry, address);
EXPORT uint64_t gHotSpotVMStructEntryArrayStride = sizeof(struct entry);
EXPORT const char *gHotSpotVMTypes = NULL;
EXPORT uint64_t gHotSpotVMTypeEntryTypeNameOffset = offsetof(struct type_entry, name);
EXPORT uint64_t gHotSpotVMTypeEntrySizeOffset = offsetof(struct type_entry, size);
EXPORT uint64_t gHotSpotVMTypeEntryArrayStride = sizeof(struct type_entry);

static uint64_t value;

static void restore(void) {
    gHotSpotVMStructs = (const char *)fields;
    gHotSpotVMTypes = (const char *)types;
    gHotSpotVMStructEntryArrayStride = sizeof(struct entry);
    gHotSpotVMStructEntryFieldNameOffset = offsetof(struct entry, field);
    first_flag = flags;
}

static int heap_flag(void) {
    value = 0;
    return vm_structs_size_flag("MaxHeapSize", &value);
}

TEST(without_tables_that_is_the_reason) {
    gHotSpotVMStructs = NULL;
    gHotSpotVMTypes = NULL;
    CHECK_INT(vm_structs_thread_id(1 << 20), -ENOENT);
    CHECK_INT(heap_flag(), -ENOENT);
    restore();
}

/* Before the right table is seen for the first time, after which the offsets are known. */
TEST(wrong_tables_are_refused) {
    static const uint64_t strides[] = {0, 1, 1025, UINT64_MAX};
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        gHotSpotVMStructEntryArrayStride = strides[i];
        CHECK_INT(vm_structs_thread_id(1 << 20), -EOPNOTSUPP);
    }
    restore();
    gHotSpotVMStructEntryFieldNameOffset = sizeof(struct entry) - 4;
    CHECK_INT(vm_structs_thread_id(1 << 20), -EOPNOTSUPP);
    restore();
    gHotSpotVMStructs = (const char *)(uintptr_t)4096;
    CHECK_INT(vm_structs_thread_id(1 << 20), -EFAULT);
    restore();
    fields[2].field = (const char *)(uintptr_t)12;
    CHECK_INT(vm_structs_thread_id(1 << 20), -EFAULT);
    fields[2].field = "_osthread";
    fields[2].offset = UINT64_C(1) << 40;
    CHECK_INT(vm_structs_thread_id(1 << 20), -EOPNOTSUPP);
    fields[2].offset = 24;
    fields[3].type = "Something";
    CHECK_INT(vm_structs_thread_id(1 << 20), -EOPNOTSUPP);
    fields[3].type = "OSThread";
}

TEST(a_thread_is_followed_to_its_id) {
    char os_thread[64] = {0};
    char thread[64] = {0};
    const char *address = os_thread;
    int32_t id = 4711;
    memcpy(thread + 24, &address, sizeof address);
    memcpy(os_thread + 40, &id, sizeof id);
    CHECK_INT(vm_structs_thread_id((uintptr_t)thread), 4711);
    id = 0;
    memcpy(os_thread + 40, &id, sizeof id);
    CHECK_INT(vm_structs_thread_id((uintptr_t)thread), -EFAULT);
    address = NULL;
    memcpy(thread + 24, &address, sizeof address);
    CHECK_INT(vm_structs_thread_id((uintptr_t)thread), -EFAULT);
    CHECK_INT(vm_structs_thread_id(16), -EFAULT);
    CHECK_INT(vm_structs_thread_id(UINTPTR_MAX), -EFAULT);
}

TEST(a_flag_is_found_by_its_whole_name) {
    CHECK_INT(heap_flag(), 0);
    CHECK(value == heap);
    CHECK_INT(vm_structs_size_flag("MaxHeapSiz", &value), -EOPNOTSUPP);
    CHECK_INT(vm_structs_size_flag("Lost", &value), -EFAULT);
    bool on = true;
    CHECK_INT(vm_structs_bool_flag("UseNUMA", &on), -EOPNOTSUPP);
    CHECK(!on);
    CHECK_INT(vm_structs_bool_flag("MaxHeapSize", &on), 0);
    CHECK_INT(on, (heap & UINT8_MAX) != 0);
    first_flag = NULL;
    CHECK_INT(heap_flag(), -EFAULT);
    restore();
    types[1].size = 0;
    CHECK_INT(heap_flag(), -EOPNOTSUPP);
    types[1].name = "Flag";
    CHECK_INT(heap_flag(), -EOPNOTSUPP);
    types[1] = (struct type_entry){"JVMFlag", 0, sizeof(struct flag)};
    gHotSpotVMTypes = NULL;
    CHECK_INT(heap_flag(), -ENOENT);
    restore();
}

/* A text may end where the memory ends. */
TEST(names_at_the_end_of_memory_are_read_no_further) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED && mprotect(memory + page, page, PROT_NONE) == 0);
    const char *before = flags[0].name;
    char *end = memory + page - sizeof "MaxHeap";
    memcpy(end, "MaxHeap", sizeof "MaxHeap");
    flags[0].name = end;
    CHECK_INT(heap_flag(), 0);
    CHECK(value == heap);
    /* One that goes on where nothing can be read is a wrong table. */
    memcpy(memory + page - 4, "MaxH", 4);
    flags[0].name = memory + page - 4;
    CHECK_INT(heap_flag(), -EFAULT);
    flags[0].name = before;
    munmap(memory, 2 * page);
}

int main(void) {
    restore();
    RUN(without_tables_that_is_the_reason);
    RUN_ON_KERNEL(wrong_tables_are_refused, "QEMU has no process_vm_readv");
    RUN_ON_KERNEL(a_thread_is_followed_to_its_id, "QEMU has no process_vm_readv");
    RUN_ON_KERNEL(a_flag_is_found_by_its_whole_name, "QEMU has no process_vm_readv");
    RUN_ON_KERNEL(names_at_the_end_of_memory_are_read_no_further, "QEMU has no process_vm_readv");
    return runner_result();
}
