#include "domains.h"

#include "machine_tree.h"
#include "nodes_near.h"
#include "runner.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* Recorded machines (see testing/machines): counts as lstopo 2.9 gives them; nodes that have CPUs.
 */
static const struct machine {
    const char *name;
    const char *usable;
    unsigned packages, nodes, l3, cores;
} machines[] = {
        {"128arm-2pa2n8cluster4co", "0-127", 2, 4, 4, 128},
        {"20em64t-hybrid-1p6c2t+2ca4co1t", "0-19", 1, 1, 1, 14},
        {"32em64t-2n8c+1mic", "0-15", 2, 2, 2, 16},
        {"32intel64-2p8co2t+8ve", "0-31", 2, 2, 2, 16},
        {"40intel64-2g2n4c+pci", "0-39", 4, 4, 4, 40},
        {"48amd64-4d2n6c-sparse", "0-47", 4, 8, 8, 48},
        {"8em64t-2s2ca2c", "0-7", 2, 1, 0, 8},
        {"fakecpuid1f-64intel64-2p4d2n2c2t", "0-63", 4, 16, 8, 32},
        {"memorysidecaches", "0-79", 2, 4, 2, 40},
        /* Half of its CPUs are of a node that is offline. */
        {"offline-cpu0-node0", "4-20", 2, 1, 2, 17},
};

static struct index_set set_of(const char *list) {
    struct index_set set = {0};
    struct error_text error;
    CHECK_INT(index_set_parse(&set, list, strlen(list), &error), 0);
    return set;
}

/* The number of domains; each CPU is in one of them at most, and all are usable. */
static long read_count(const char *kind_text, const struct index_set *usable) {
    struct domains domains = {0};
    struct error_text error;
    enum domain_kind kind;
    unsigned cores;
    struct index_set seen = {0};
    CHECK_INT(domain_kind_parse(kind_text, &kind, &cores, &error), 0);
    int result = domains_read(&domains, root, kind, cores, usable, &error);
    if (result < 0) {
        CHECK_INT(domains.count, 0);
        return result;
    }
    for (size_t i = 0; i < domains.count; i++) {
        CHECK(!index_set_is_empty(&domains.items[i].cpus));
        CHECK_INT(index_set_common(&domains.items[i].cpus, usable),
                index_set_count(&domains.items[i].cpus));
        CHECK_INT(index_set_common(&seen, &domains.items[i].cpus), 0);
        CHECK_INT(index_set_or(&seen, &domains.items[i].cpus), 0);
    }
    index_set_free(&seen);
    long count = (long)domains.count;
    domains_free(&domains);
    return count;
}

TEST(recorded_machines_have_the_domains_that_lstopo_counts) {
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        const struct machine *machine = &machines[i];
        struct index_set usable = set_of(machine->usable);
        printf("%s\n", machine->name);
        unpack(machine->name);
        CHECK_INT(read_count("package", &usable), machine->packages);
        CHECK_INT(read_count("numa", &usable), machine->nodes);
        CHECK_INT(read_count("core:1", &usable), machine->cores);
        CHECK_INT(read_count("l3", &usable), machine->l3 == 0 ? -ENOENT : (long)machine->l3);
        clear();
        index_set_free(&usable);
    }
}

TEST(groups_of_cores_are_in_a_node_or_else_in_a_package_or_anywhere) {
    struct index_set usable = set_of("0-63");
    unpack("fakecpuid1f-64intel64-2p4d2n2c2t");
    /* Two cores a node, four nodes a package. */
    CHECK_INT(read_count("core:2", &usable), 16);
    CHECK_INT(read_count("core:3", &usable), 8);
    CHECK_INT(read_count("core:8", &usable), 4);
    /* No package has nine. */
    CHECK_INT(read_count("core:9", &usable), 3);
    CHECK_INT(read_count("core:32", &usable), 1);
    CHECK_INT(read_count("core:33", &usable), -ENOENT);
    index_set_free(&usable);
    clear();
}

TEST(only_what_may_be_used_counts) {
    struct index_set usable = set_of("6-13,40");
    struct domains domains = {0};
    struct error_text error;
    unpack("48amd64-4d2n6c-sparse");
    CHECK(domains_read(&domains, root, DOMAIN_PACKAGE, 1, &usable, &error) == 0);
    unsigned cpus = 0;
    for (size_t i = 0; i < domains.count; i++) {
        cpus += index_set_count(&domains.items[i].cpus);
        CHECK(!index_set_is_empty(&domains.items[i].nodes));
        CHECK(strncmp(domains.items[i].label, "package of CPUs ", 16) == 0);
    }
    CHECK_INT(cpus, 9);
    domains_free(&domains);
    index_set_free(&usable);
    clear();
}

static void write_has_memory(const char *list) {
    char path[8192];
    snprintf(path, sizeof path, "%s/sys/devices/system/node/has_memory", root);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fprintf(file, "%s\n", list) > 0);
    fclose(file);
}

TEST(nodes_without_memory_are_left_out) {
    unpack("40intel64-2g2n4c+pci");
    struct index_set usable = set_of("0-39");
    struct domains domains = {0};
    struct error_text error;
    CHECK_INT(domains_read(&domains, root, DOMAIN_NUMA, 1, &usable, &error), 0);
    CHECK_INT(domains.count, 4);
    write_has_memory("");
    CHECK_INT(domains_keep_with_memory(&domains, root, NULL), 0);
    CHECK_INT(domains_keep_with_memory(&domains, "/nowhere", NULL), 0);
    CHECK_INT(domains.count, 4);
    write_has_memory("0,2-3");
    CHECK_INT(domains_keep_with_memory(&domains, root, NULL), 1);
    CHECK_INT(domains.count, 3);
    for (size_t i = 0; i < domains.count; i++) {
        CHECK(!index_set_contains(&domains.items[i].nodes, 1));
    }
    /* Of the three that are left, a cpuset allows the memory of one. */
    struct index_set allowed = set_of("1,3");
    CHECK_INT(domains_keep_with_memory(&domains, root, &allowed), 2);
    CHECK_INT(domains.count, 1);
    CHECK(index_set_contains(&domains.items[0].nodes, 3));
    index_set_free(&allowed);
    domains_free(&domains);
    index_set_free(&usable);
    clear();
}

TEST(a_tree_without_files_is_told) {
    struct index_set usable = set_of("0-3");
    struct domains domains = {0};
    struct error_text error;
    CHECK_INT(domains_read(&domains, "/nowhere", DOMAIN_NUMA, 1, &usable, &error), -ENOENT);
    CHECK_TEXT(error.text, "the kernel does not tell the NUMA node of the CPUs 0-3; try "
                           "domain=package: No such file or directory");
    index_set_free(&usable);
}

TEST(words_are_checked) {
    enum domain_kind kind;
    unsigned cores;
    struct error_text error;
    CHECK_INT(domain_kind_parse("core:12", &kind, &cores, &error), 0);
    CHECK_INT(cores, 12);
    const char *const wrong[] = {"", "node", "core:", "core:0", "core:x", "core:1x", "core:99999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK_INT(domain_kind_parse(wrong[i], &kind, &cores, &error), -EINVAL);
    }
}

TEST(named_cpus_are_a_domain_with_their_nodes) {
    struct domains domains = {0};
    struct error_text error;
    struct index_set usable = set_of("4-20");
    struct index_set cpus = set_of("0,2,5,7");
    char list[40];
    unpack("32em64t-2n8c+1mic");
    CHECK_INT(domains_of_cpus(&domains, root, &cpus, &usable, &error), 0);
    CHECK_INT(domains.count, 1);
    CHECK_TEXT(index_set_format(&domains.items[0].cpus, list, sizeof list), "5,7");
    CHECK_TEXT(domains.items[0].label, "CPUs 5,7");
    CHECK_INT(index_set_count(&domains.items[0].nodes), 1);
    domains_free(&domains);
    index_set_free(&usable);
    usable = set_of("8-9");
    CHECK_INT(domains_of_cpus(&domains, root, &cpus, &usable, &error), -ENOENT);
    CHECK_TEXT(error.text, "none of the CPUs 0,2,5,7 may be used here, only 8-9");
    CHECK_INT(domains.count, 0);
    clear();
    index_set_free(&usable);
    index_set_free(&cpus);
}

static void write_file(const char *name, const char *text) {
    char path[8192];
    snprintf(path, sizeof path, "mkdir -p %s/sys/devices/system/cpu/smt", root);
    CHECK_INT(system(path), 0);
    snprintf(path, sizeof path, "%s/sys/devices/system/cpu/%s", root, name);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fprintf(file, "%s\n", text) > 0);
    fclose(file);
}

TEST(offline_cpus_that_shift_the_numbers_are_found) {
    struct index_set cpus = {0};
    char list[40];
    unpack("32em64t-2n8c+1mic");
    write_file("present", "0-15");
    write_file("online", "0-1,4-5,8-12");
    write_file("smt/control", "on");
    domains_offline_below(root, 8, &cpus);
    CHECK_TEXT(index_set_format(&cpus, list, sizeof list), "2-3,6-7");
    domains_offline_below(root, 2, &cpus);
    CHECK(index_set_is_empty(&cpus));
    write_file("smt/control", "off");
    domains_offline_below(root, 8, &cpus);
    CHECK(index_set_is_empty(&cpus));
    index_set_free(&cpus);
    clear();
}

/* The lines of testing/machines that Java reads, too: a machine, CPUs, the nodes that they have. */
TEST(cpus_have_the_nodes_of_the_shared_table) {
    char machine[200] = "";
    char row[3][200];
    FILE *table = fopen(BERTH_MACHINES "/../nodes-of.tsv", "r");
    unsigned rows = 0;
    CHECK(table != NULL);
    while (fscanf(table, "%199s %199s %199s", row[0], row[1], row[2]) == 3) {
        if (strcmp(row[0], "machine") == 0) {
            continue;
        }
        if (strcmp(machine, row[0]) != 0) {
            if (*machine != '\0') {
                clear();
            }
            snprintf(machine, sizeof machine, "%s", row[0]);
            unpack(machine);
        }
        struct index_set cpus = set_of(row[1]);
        struct index_set nodes = {0};
        struct domains domains = {0};
        struct error_text error;
        char list[200];
        printf("%s %s\n", machine, row[1]);
        CHECK_INT(nodes_near_cpus(root, &cpus, &nodes), 0);
        CHECK_TEXT(index_set_format(&nodes, list, sizeof list), row[2]);
        CHECK_INT(domains_of_cpus(&domains, root, &cpus, &cpus, &error), 0);
        CHECK_TEXT(index_set_format(&domains.items[0].nodes, list, sizeof list), row[2]);
        domains_free(&domains);
        index_set_free(&nodes);
        index_set_free(&cpus);
        rows++;
    }
    fclose(table);
    clear();
    CHECK(rows > 20);
}

int main(void) {
    if (access(BERTH_MACHINES, R_OK) != 0) {
        printf("no recorded machines in %s\n", BERTH_MACHINES);
        return EXIT_FAILURE;
    }
    RUN(recorded_machines_have_the_domains_that_lstopo_counts);
    RUN(groups_of_cores_are_in_a_node_or_else_in_a_package_or_anywhere);
    RUN(only_what_may_be_used_counts);
    RUN(nodes_without_memory_are_left_out);
    RUN(a_tree_without_files_is_told);
    RUN(named_cpus_are_a_domain_with_their_nodes);
    RUN(cpus_have_the_nodes_of_the_shared_table);
    RUN(offline_cpus_that_shift_the_numbers_are_found);
    RUN(words_are_checked);
    return runner_result();
}
