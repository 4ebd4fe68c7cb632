#include "vm_structs.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* JDK 25 has about 1100 entries, and 1500 flags. */
enum { ENTRY_LIMIT = 100000, ENTRY_SIZE_LIMIT = 1024 };

/* The smallest page of any processor: a block of this size never reaches into a second page. */
enum { PAGE_SIZE = 4096 };

#define EXPORTED(type, name) extern __attribute__((weak, visibility("default"))) type name

EXPORTED(const char *const, gHotSpotVMStructs);
EXPORTED(const uint64_t, gHotSpotVMStructEntryTypeNameOffset);
EXPORTED(const uint64_t, gHotSpotVMStructEntryFieldNameOffset);
EXPORTED(const uint64_t, gHotSpotVMStructEntryOffsetOffset);
EXPORTED(const uint64_t, gHotSpotVMStructEntryAddressOffset);
EXPORTED(const uint64_t, gHotSpotVMStructEntryArrayStride);
EXPORTED(const char *const, gHotSpotVMTypes);
EXPORTED(const uint64_t, gHotSpotVMTypeEntryTypeNameOffset);
EXPORTED(const uint64_t, gHotSpotVMTypeEntrySizeOffset);
EXPORTED(const uint64_t, gHotSpotVMTypeEntryArrayStride);

static int read_memory(uintptr_t address, void *target, size_t size) {
    struct iovec local = {target, size};
    struct iovec remote = {(void *)address, size};
    ssize_t count = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    if (count < 0) {
        return -errno;
    }
    return (size_t)count == size ? 0 : -EFAULT;
}

static int read_pointer(uintptr_t address, uintptr_t *value) {
    int result = read_memory(address, value, sizeof *value);
    return result == 0 && *value == 0 ? -EFAULT : result;
}

/* Tables and their names are read by pages that are kept: 1000 system calls instead of 8000. */
struct page {
    uintptr_t start; /* 0: nothing is kept */
    char bytes[PAGE_SIZE];
};

/* One byte more of the memory, or -errno; no page is touched that the text does not reach. */
static int page_byte(struct page *page, uintptr_t address) {
    uintptr_t start = address & ~(uintptr_t)(PAGE_SIZE - 1);
    if (start == 0) {
        return -EFAULT;
    }
    if (page->start != start) {
        int result = read_memory(start, page->bytes, PAGE_SIZE);
        page->start = result < 0 ? 0 : start;
        if (result < 0) {
            return result;
        }
    }
    return (unsigned char)page->bytes[address - start];
}

static int page_pointer(struct page *page, uintptr_t address, uintptr_t *value) {
    char bytes[sizeof *value];
    for (size_t i = 0; i < sizeof bytes; i++) {
        int byte = page_byte(page, address + i);
        if (byte < 0) {
            return byte;
        }
        bytes[i] = (char)byte;
    }
    memcpy(value, bytes, sizeof bytes);
    return 0;
}

/* 1 when the text at the address is the name, else 0 or -errno. */
static int is_name(struct page *page, uintptr_t address, const char *name) {
    for (size_t i = 0;; i++) {
        int byte = page_byte(page, address + i);
        if (byte < 0) {
            return byte;
        }
        if (byte != (unsigned char)name[i]) {
            return 0;
        }
        if (byte == 0) {
            return 1;
        }
    }
}

/* One of the tables: entries of a size that it names itself, the last one without a name. */
struct table {
    uintptr_t start;
    size_t stride;
    size_t name; /* offset in an entry */
    struct page entries;
    struct page names;
};

static int table_check(const struct table *table) {
    if (table->start == 0) {
        return -ENOENT;
    }
    return table->stride < sizeof(void *) || table->stride > ENTRY_SIZE_LIMIT ||
                           table->name > table->stride - sizeof(void *)
                   ? -EOPNOTSUPP
                   : 0;
}

/* The next entry behind `entry` (0: the first) with this name; -EOPNOTSUPP at the end. */
static int table_next(struct table *table, const char *name, uintptr_t *entry) {
    uintptr_t next = *entry == 0 ? table->start : *entry + table->stride;
    for (int i = 0; i < ENTRY_LIMIT; i++, next += table->stride) {
        uintptr_t text;
        int result = page_pointer(&table->entries, next + table->name, &text);
        if (result < 0) {
            return result;
        }
        if (text == 0) {
            return -EOPNOTSUPP;
        }
        result = is_name(&table->names, text, name);
        if (result != 0) {
            *entry = next;
            return result < 0 ? result : 0;
        }
    }
    return -EOPNOTSUPP;
}

static int structs_table(struct table *table) {
    if (&gHotSpotVMStructs == NULL || &gHotSpotVMStructEntryTypeNameOffset == NULL ||
            &gHotSpotVMStructEntryFieldNameOffset == NULL ||
            &gHotSpotVMStructEntryOffsetOffset == NULL ||
            &gHotSpotVMStructEntryAddressOffset == NULL ||
            &gHotSpotVMStructEntryArrayStride == NULL) {
        return -ENOENT;
    }
    *table = (struct table){.start = (uintptr_t)gHotSpotVMStructs,
            .stride = gHotSpotVMStructEntryArrayStride,
            .name = gHotSpotVMStructEntryFieldNameOffset};
    return table_check(table);
}

/* The entry of a field; `other` is a second name of its type, or NULL. */
static int find_field(const char *type, const char *other, const char *field, uintptr_t *found) {
    struct table table;
    uintptr_t entry = 0;
    int result = structs_table(&table);
    while (result == 0) {
        uintptr_t text;
        result = table_next(&table, field, &entry);
        if (result == 0) {
            result = read_pointer(entry + gHotSpotVMStructEntryTypeNameOffset, &text);
        }
        if (result == 0) {
            int same = is_name(&table.names, text, type);
            same = same == 0 && other != NULL ? is_name(&table.names, text, other) : same;
            if (same != 0) {
                *found = entry;
                return same < 0 ? same : 0;
            }
        }
    }
    return result;
}

static int find_offset(const char *type, const char *other, const char *field, size_t *offset) {
    uintptr_t entry;
    uint64_t value = 0;
    int result = find_field(type, other, field, &entry);
    if (result == 0) {
        result = read_memory(entry + gHotSpotVMStructEntryOffsetOffset, &value, sizeof value);
    }
    *offset = value;
    return result == 0 && value > UINT16_MAX ? -EOPNOTSUPP : result;
}

/* The address of a static field that is a word. */
static int find_static(const char *type, const char *field, uintptr_t *address) {
    uintptr_t entry;
    int result = find_field(type, NULL, field, &entry);
    return result == 0 ? read_pointer(entry + gHotSpotVMStructEntryAddressOffset, address) : result;
}

/* The value of a static field that is a word. */
static int read_static(const char *type, const char *field, uintptr_t *value) {
    uintptr_t address;
    int result = find_static(type, field, &address);
    return result == 0 ? read_pointer(address, value) : result;
}

static int find_size(const char *type, size_t *size) {
    if (&gHotSpotVMTypes == NULL || &gHotSpotVMTypeEntryTypeNameOffset == NULL ||
            &gHotSpotVMTypeEntrySizeOffset == NULL || &gHotSpotVMTypeEntryArrayStride == NULL) {
        return -ENOENT;
    }
    struct table table = {.start = (uintptr_t)gHotSpotVMTypes,
            .stride = gHotSpotVMTypeEntryArrayStride,
            .name = gHotSpotVMTypeEntryTypeNameOffset};
    uintptr_t entry = 0;
    uint64_t value = 0;
    int result = table_check(&table);
    if (result == 0) {
        result = table_next(&table, type, &entry);
    }
    if (result == 0) {
        result = read_memory(entry + gHotSpotVMTypeEntrySizeOffset, &value, sizeof value);
    }
    *size = value;
    return result;
}

/* Both offsets in one word, found once; 0 is unknown, since an object with virtual functions has
 * nothing at offset 0. Threads that look for them at the same time find the same. */
static int thread_offsets(size_t *os_thread, size_t *id) {
    static _Atomic uint64_t known;
    uint64_t both = atomic_load(&known);
    *os_thread = (size_t)(both >> 32);
    *id = (size_t)(both & UINT32_MAX);
    if (both != 0) {
        return 0;
    }
    /* Before JDK 10 the field was JavaThread's. */
    int result = find_offset("Thread", "JavaThread", "_osthread", os_thread);
    if (result == 0) {
        result = find_offset("OSThread", "OSThreadBase", "_thread_id", id);
    }
    if (result == 0) {
        atomic_store(&known, (uint64_t)*os_thread << 32 | *id);
    }
    return result;
}

int vm_structs_thread_id(uintptr_t thread) {
    size_t os_thread;
    size_t id_offset;
    uintptr_t description;
    int32_t id = 0;
    int result = thread_offsets(&os_thread, &id_offset);
    if (result == 0) {
        result = read_pointer(thread + os_thread, &description);
    }
    if (result == 0) {
        result = read_memory(description + id_offset, &id, sizeof id);
    }
    if (result < 0) {
        return result;
    }
    return id > 0 ? id : -EFAULT;
}

static int find_flag(const char *name, uintptr_t *address) {
    struct table flags = {.start = 0};
    size_t address_offset;
    uintptr_t entry = 0;
    int result = find_size("JVMFlag", &flags.stride);
    if (result == 0) {
        result = find_offset("JVMFlag", NULL, "_name", &flags.name);
    }
    if (result == 0) {
        result = find_offset("JVMFlag", NULL, "_addr", &address_offset);
    }
    if (result == 0) {
        result = read_static("JVMFlag", "flags", &flags.start);
    }
    if (result == 0) {
        result = table_check(&flags);
    }
    if (result == 0) {
        result = table_next(&flags, name, &entry);
    }
    return result == 0 ? read_pointer(entry + address_offset, address) : result;
}

static int read_flag(const char *name, void *value, size_t size) {
    uintptr_t address;
    int result = find_flag(name, &address);
    return result == 0 ? read_memory(address, value, size) : result;
}

int vm_structs_size_flag(const char *name, uint64_t *value) {
    return read_flag(name, value, sizeof *value);
}

int vm_structs_bool_flag(const char *name, bool *value) {
    uint8_t byte = 0;
    int result = read_flag(name, &byte, sizeof byte);
    *value = byte != 0;
    return result;
}

int vm_structs_int_flag(const char *name, int32_t *value) {
    *value = 0;
    return read_flag(name, value, sizeof *value);
}

int vm_structs_change_int_flag(const char *name, int32_t expected, int32_t value) {
    uintptr_t address;
    int32_t now = 0;
    int result = find_flag(name, &address);
    if (result == 0) {
        result = read_memory(address, &now, sizeof now);
    }
    if (result < 0) {
        return result;
    }
    if (now != expected) {
        return -EBUSY;
    }
    struct iovec local = {&value, sizeof value};
    struct iovec remote = {(void *)address, sizeof value};
    ssize_t count = process_vm_writev(getpid(), &local, 1, &remote, 1, 0);
    if (count < 0) {
        return -errno;
    }
    return (size_t)count == sizeof value ? 0 : -EFAULT;
}

/* Found once, since a caller that waits for the heap asks again and again. */
struct heap_places {
    uintptr_t heap; /* of Universe::_collectedHeap */
    size_t reserved;
    size_t start;
    size_t words;
};

static int find_heap_places(struct heap_places *places) {
    int result = find_offset("CollectedHeap", NULL, "_reserved", &places->reserved);
    if (result == 0) {
        result = find_offset("MemRegion", NULL, "_start", &places->start);
    }
    if (result == 0) {
        result = find_offset("MemRegion", NULL, "_word_size", &places->words);
    }
    return result == 0 ? find_static("Universe", "_collectedHeap", &places->heap) : result;
}

int vm_structs_heap_range(uintptr_t *start, uint64_t *bytes) {
    static struct heap_places places;
    uintptr_t heap = 0;
    uintptr_t words = 0;
    int result = places.heap == 0 ? find_heap_places(&places) : 0;
    if (result == 0) {
        result = read_memory(places.heap, &heap, sizeof heap);
    }
    if (result == 0 && heap == 0) {
        return -EAGAIN;
    }
    if (result == 0) {
        result = read_memory(heap + places.reserved + places.start, start, sizeof *start);
    }
    if (result == 0) {
        result = read_memory(heap + places.reserved + places.words, &words, sizeof words);
    }
    *bytes = (uint64_t)words * sizeof(void *);
    return result == 0 && (*start == 0 || words == 0) ? -EAGAIN : result;
}
