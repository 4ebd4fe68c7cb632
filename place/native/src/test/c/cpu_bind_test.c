#include "cpu_bind.h"

#include "proc_status.h"
#include "runner.h"

#include <errno.h>

static const char *kernel_list(void) {
    static char text[4096];
    proc_status_field(0, "Cpus_allowed_list", text, sizeof text);
    return text;
}

static const char *format(const struct index_set *set) {
    static char text[4096];
    return index_set_format(set, text, sizeof text);
}

TEST(the_mask_read_is_the_one_in_proc) {
    struct index_set cpus = {0};
    CHECK_INT(cpu_bind_get(0, &cpus), 0);
    CHECK_TEXT(format(&cpus), kernel_list());
    index_set_free(&cpus);
}

TEST(a_mask_set_is_seen_in_proc_and_can_be_undone) {
    struct index_set all = {0};
    struct index_set one = {0};
    char one_text[32];
    CHECK_INT(cpu_bind_get(0, &all), 0);
    for (int cpu = index_set_next(&all, 0); cpu >= 0;
            cpu = index_set_next(&all, (unsigned)cpu + 1)) {
        index_set_clear(&one);
        index_set_add(&one, (unsigned)cpu);
        CHECK_INT(cpu_bind_set(0, &one), 0);
        snprintf(one_text, sizeof one_text, "%d", cpu);
        CHECK_TEXT(kernel_list(), one_text);
        CHECK_INT(current_cpu(), cpu);
    }
    CHECK_INT(cpu_bind_set(current_thread_id(), &all), 0);
    CHECK_TEXT(kernel_list(), format(&all));
    index_set_free(&all);
    index_set_free(&one);
}

TEST(impossible_requests_give_the_kernels_reason) {
    struct index_set set = {0};
    CHECK_INT(cpu_bind_set(0, &set), -EINVAL);
    index_set_add(&set, 60000);
    CHECK_INT(cpu_bind_set(0, &set), -EINVAL);
    index_set_add(&set, 0);
    CHECK_INT(cpu_bind_set(0x7ffffff0, &set), -ESRCH);
    CHECK_INT(cpu_bind_get(0x7ffffff0, &set), -ESRCH);
    uint64_t word;
    CHECK(cpu_bind_get_words(0, &word, 0) == -EINVAL);
    index_set_free(&set);
}

int main(void) {
    RUN(the_mask_read_is_the_one_in_proc);
    RUN(a_mask_set_is_seen_in_proc_and_can_be_undone);
    RUN_ON_KERNEL(impossible_requests_give_the_kernels_reason, "QEMU reads an empty mask");
    return runner_result();
}
