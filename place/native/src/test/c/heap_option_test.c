#include "heap_option.h"

#include "runner.h"

#include <elf.h>
#include <errno.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

static struct error_text error;
static char folder[] = "/tmp/berth-heap-option-XXXXXX";

static struct heap_policy policy_of(const char *text) {
    struct heap_policy policy = {0};
    CHECK_INT(heap_policy_parse(&policy, text, &error), 0);
    return policy;
}

static void check_value(const char *text, const char *former, const char *expected) {
    struct heap_policy policy = policy_of(text);
    char *value = heap_option_value("/opt/libberth.so", &policy, former);
    CHECK_TEXT(value, expected);
    free(value);
    heap_policy_free(&policy);
}

static void check_nodes(const char *text, enum memory_mode mode, const char *expected) {
    char written[256];
    struct heap_policy policy = policy_of(text);
    struct process_binding process = {.memory = mode};
    CHECK_INT(index_set_parse(&process.nodes, "2-3", 3, &error), 0);
    CHECK_INT(heap_option_find_nodes(&policy, &process), 0);
    CHECK_TEXT(heap_policy_describe(&policy, written, sizeof written), expected);
    heap_policy_free(&policy);
    process_binding_free(&process);
}

static const char *at(const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s%s", folder, name);
    return path;
}

static void write_file(const char *name) {
    FILE *file = fopen(at(name), "w");
    CHECK(file != NULL && fputs("content", file) >= 0 && fclose(file) == 0);
}

TEST(the_option_stands_before_what_was_there) {
    check_value("bind@1", NULL, "-agentpath:/opt/libberth.so=heap-memory=bind@1");
    check_value("bind@1", "", "-agentpath:/opt/libberth.so=heap-memory=bind@1");
    check_value("weighted:3,1@0-1", "-Xmx1g -Dx='a b'",
            "-agentpath:/opt/libberth.so=heap-memory=weighted:3,1@0-1 -Xmx1g -Dx='a b'");
}

TEST(nodes_that_are_left_out_are_those_of_the_memory_policy) {
    check_nodes("prefer", MEMORY_BIND, "prefer@2-3");
    check_nodes("weighted", MEMORY_PREFER, "weighted@2-3");
    check_nodes("prefer@0", MEMORY_BIND, "prefer@0");
    check_nodes("weighted:3,1", MEMORY_BIND, "weighted:3,1");
    check_nodes("interleave", MEMORY_LOCAL, "interleave");
}

TEST(a_command_that_names_the_agent_decides_itself) {
    char *plain[] = {"sh", "-c", "java -agentpath:/opt/profiler.so=file=libx.so Main", NULL};
    char *named[] = {"java", "-agentpath:/x/libberth.so=domain=numa", "Main", NULL};
    char *none[] = {NULL};
    char *variables[] = {"HOME=/", "JAVA_TOOL_OPTIONS=-agentpath:/x/libberth.so=cpus=0", NULL};
    CHECK(!heap_option_is_decided(plain, none));
    CHECK(heap_option_is_decided(named, none));
    CHECK(heap_option_is_decided(plain, variables));
}

TEST(a_library_that_a_jvm_cannot_load_is_refused) {
    CHECK_INT(heap_option_check("/nowhere/libberth.so", folder, &error), -ENOENT);
    CHECK(strstr(error.text, "No such file or directory: the heap keeps") != NULL);
    CHECK_INT(heap_option_check("libberth.so", folder, &error), -EINVAL);
    CHECK_INT(heap_option_check("/my lib/libberth.so", folder, &error), -EINVAL);
    CHECK_INT(heap_option_check("/a=b/libberth.so", folder, &error), -EINVAL);
    CHECK(heap_option_check("/proc", folder, &error) < 0);
    write_file("/libberth.so");
    char library[256];
    snprintf(library, sizeof library, "%s", at("/libberth.so"));
    /* The folder of temporary files may be mounted noexec. */
    int result = heap_option_check(library, folder, &error);
    CHECK(result == 0 || result == -EPERM);
    if (geteuid() != 0) {
        CHECK_INT(chmod(library, 0), 0);
        CHECK_INT(heap_option_check(library, folder, &error), -EACCES);
        CHECK_INT(chmod(library, 0600), 0);
    }
    CHECK_INT(mkdir(at("/etc"), 0700), 0);
    write_file("/etc/alpine-release");
    CHECK_INT(heap_option_check(library, folder, &error), result == 0 ? -ENOEXEC : result);
    CHECK_INT(unlink(at("/etc/alpine-release")), 0);
    CHECK_INT(rmdir(at("/etc")), 0);
    CHECK_INT(unlink(library), 0);
}

static void write_program(const char *name, const char *interpreter) {
    struct {
        Elf64_Ehdr header;
        Elf64_Phdr parts[2];
        char interpreter[64];
    } program = {0};
    memcpy(program.header.e_ident, ELFMAG, SELFMAG);
    program.header.e_ident[EI_CLASS] = ELFCLASS64;
    program.header.e_phoff = sizeof program.header;
    program.header.e_phnum = 2;
    program.parts[0].p_type = PT_PHDR;
    program.parts[1].p_type = PT_INTERP;
    program.parts[1].p_offset = offsetof(__typeof__(program), interpreter);
    program.parts[1].p_filesz = strlen(interpreter) + 1;
    strcpy(program.interpreter, interpreter);
    FILE *file = fopen(at(name), "w");
    CHECK(file != NULL && fwrite(&program, sizeof program, 1, file) == 1 && fclose(file) == 0);
}

TEST(a_program_tells_whether_it_is_for_musl) {
    CHECK(!heap_option_is_for_musl("/proc/self/exe"));
    CHECK(!heap_option_is_for_musl("/nowhere/java"));
    write_program("/java", "/lib/ld-musl-x86_64.so.1");
    CHECK(heap_option_is_for_musl(at("/java")));
    write_program("/java", "/lib64/ld-linux-x86-64.so.2");
    CHECK(!heap_option_is_for_musl(at("/java")));
    write_file("/java");
    CHECK(!heap_option_is_for_musl(at("/java")));
    unlink(at("/java"));
}

int main(void) {
    CHECK(mkdtemp(folder) != NULL);
    RUN(the_option_stands_before_what_was_there);
    RUN(nodes_that_are_left_out_are_those_of_the_memory_policy);
    RUN(a_command_that_names_the_agent_decides_itself);
    RUN(a_program_tells_whether_it_is_for_musl);
    RUN(a_library_that_a_jvm_cannot_load_is_refused);
    rmdir(folder);
    return runner_result();
}
