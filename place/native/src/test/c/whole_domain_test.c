#include "whole_domain.h"

#include "cpu_bind.h"
#include "runner.h"
#include "vm_structs.h"

#include <errno.h>

/* The tables of a JVM with one flag; see vm_structs_test.c. */
struct entry {
    const char *type;
    const char *field;
    uint64_t offset;
    void *address;
};

struct type_entry {
    const char *name;
    uint64_t size;
};

struct flag {
    const char *name;
    void *address;
};

static int32_t processors = -1;
static struct flag flags[] = {{"ActiveProcessorCount", &processors}, {NULL, NULL}};
static struct flag *first_flag = flags;
static struct entry fields[] = {{"JVMFlag", "_name", offsetof(struct flag, name), NULL},
        {"JVMFlag", "_addr", offsetof(struct flag, address), NULL},
        {"JVMFlag", "flags", 0, &first_flag}, {NULL, NULL, 0, NULL}};
static struct type_entry types[] = {{"JVMFlag", sizeof(struct flag)}, {NULL, 0}};

#define EXPORT __attribute__((visibility("default")))

EXPORT const char *gHotSpotVMStructs = (const char *)fields;
EXPORT uint64_t gHotSpotVMStructEntryTypeNameOffset = offsetof(struct entry, type);
EXPORT uint64_t gHotSpotVMStructEntryFieldNameOffset = offsetof(struct entry, field);
EXPORT uint64_t gHotSpotVMStructEntryOffsetOffset = offsetof(struct entry, offset);
EXPORT uint64_t gHotSpotVMStructEntryAddressOffset = offsetof(struct entry, address);
EXPORT uint64_t gHotSpotVMStructEntryArrayStride = sizeof(struct entry);
EXPORT const char *gHotSpotVMTypes = (const char *)types;
EXPORT uint64_t gHotSpotVMTypeEntryTypeNameOffset = offsetof(struct type_entry, name);
EXPORT uint64_t gHotSpotVMTypeEntrySizeOffset = offsetof(struct type_entry, size);
EXPORT uint64_t gHotSpotVMTypeEntryArrayStride = sizeof(struct type_entry);

static struct index_set all;
static struct index_set one;

/* As HotSpot counts: the flag, else the CPUs of the caller. */
static int count_own(void) {
    struct index_set own = {0};
    int count = processors;
    if (count <= 0 && cpu_bind_get(0, &own) == 0) {
        count = (int)index_set_count(&own);
    }
    index_set_free(&own);
    return count;
}

static int count_with_quota(void) {
    return 1;
}

static int cannot_count(void) {
    return 0;
}

TEST(a_bound_thread_counts_the_domain_and_again_itself_when_it_is_given_up) {
    int count = (int)index_set_count(&all);
    CHECK_INT(cpu_bind_set(0, &one), 0);
    CHECK_INT(whole_domain_hold(&all, count_own), count);
    CHECK_INT(count_own(), count);
    CHECK_INT(whole_domain_hold(&one, count_own), 1);
    CHECK_INT(whole_domain_hold(&all, count_own), count);
    whole_domain_release();
    CHECK_INT(processors, -1);
    CHECK_INT(count_own(), 1);
    CHECK_INT(cpu_bind_set(0, &all), 0);
}

TEST(a_quota_holds_also_where_the_jvm_cannot_be_asked) {
    CHECK_INT(whole_domain_hold(&all, count_with_quota), 1);
    CHECK_INT(whole_domain_hold(&all, cannot_count), 1);
    CHECK_INT(processors, 1);
    whole_domain_release();
}

TEST(the_users_number_stays) {
    processors = 7;
    CHECK_INT(whole_domain_hold(&all, count_own), 7);
    whole_domain_release();
    CHECK_INT(processors, 7);
    processors = -1;
}

TEST(without_the_flag_the_reason_is_told_and_what_is_started_has_the_domain_all_the_same) {
    struct narrow_mask own;
    flags[0].name = "Other";
    CHECK_INT(whole_domain_hold(&all, count_own), -EOPNOTSUPP);
    CHECK_INT(cpu_bind_set(0, &one), 0);
    whole_domain_open(&own);
    CHECK_INT(count_own(), (int)index_set_count(&all));
    whole_domain_close(&own);
    CHECK_INT(count_own(), 1);
    CHECK_INT(cpu_bind_set(0, &all), 0);
    whole_domain_open(&own);
    CHECK(!own.widened);
    whole_domain_release();
    flags[0].name = "ActiveProcessorCount";
}

TEST(a_thread_that_is_bound_anew_while_it_has_the_domain_keeps_that) {
    struct narrow_mask own;
    struct index_set other = {0};
    index_set_add(&other, (unsigned)index_set_next(&all, (unsigned)index_set_next(&one, 0) + 1));
    whole_domain_hold(&all, count_own);
    CHECK_INT(cpu_bind_set(0, &one), 0);
    whole_domain_open(&own);
    CHECK(own.widened);
    CHECK_INT(cpu_bind_set(0, &other), 0);
    whole_domain_close(&own);
    struct index_set now = {0};
    CHECK_INT(cpu_bind_get(0, &now), 0);
    CHECK(index_set_equals(&now, &other));
    index_set_free(&now);
    index_set_free(&other);
    CHECK_INT(cpu_bind_set(0, &all), 0);
    whole_domain_release();
}

int main(void) {
    CHECK_INT(cpu_bind_get(0, &all), 0);
    index_set_add(&one, (unsigned)index_set_next(&all, 0));
    if (index_set_count(&all) < 2) {
        return 77;
    }
    RUN_ON_KERNEL(a_bound_thread_counts_the_domain_and_again_itself_when_it_is_given_up,
            "QEMU has no process_vm_readv");
    RUN_ON_KERNEL(a_quota_holds_also_where_the_jvm_cannot_be_asked, "QEMU has no process_vm_readv");
    RUN_ON_KERNEL(the_users_number_stays, "QEMU has no process_vm_readv");
    RUN_ON_KERNEL(
            without_the_flag_the_reason_is_told_and_what_is_started_has_the_domain_all_the_same,
            "QEMU has no process_vm_readv");
    RUN(a_thread_that_is_bound_anew_while_it_has_the_domain_keeps_that);
    index_set_free(&all);
    index_set_free(&one);
    return runner_result();
}
