#include "heap_option.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern char **environ;

enum { POLICY_SIZE = 1024 };

static const char agent[] = "libberth.so";

int heap_option_find_nodes(struct heap_policy *policy, const struct process_binding *process) {
    if (!index_set_is_empty(&policy->nodes) || policy->weight_count > 0 ||
            process->memory == MEMORY_LOCAL) {
        return 0;
    }
    return index_set_copy(&policy->nodes, &process->nodes);
}

static bool has_any(const char *root, const char *const *paths) {
    char path[PATH_MAX];
    for (; *paths != NULL; paths++) {
        snprintf(path, sizeof path, "%s%s", root, *paths);
        if (access(path, F_OK) == 0) {
            return true;
        }
    }
    return false;
}

/* This program runs anywhere; the library needs glibc, and a JVM with musl would not start. Alpine
 * may have a stand-in for glibc's loader, which the library does not get along with. */
static bool has_musl_alone(const char *root) {
    static const char *const alpine[] = {"/etc/alpine-release", NULL};
    static const char *const musl[] = {"/lib/ld-musl-x86_64.so.1", "/lib/ld-musl-aarch64.so.1",
            "/lib/ld-musl-powerpc64le.so.1", "/lib/ld-musl-riscv64.so.1", NULL};
    static const char *const glibc[] = {"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1",
            "/lib64/ld64.so.2", "/lib/ld-linux-riscv64-lp64d.so.1", NULL};
    return has_any(root, alpine) || (has_any(root, musl) && !has_any(root, glibc));
}

bool heap_option_is_for_musl(const char *program) {
    char name[PATH_MAX] = "";
    Elf64_Ehdr header;
    Elf64_Phdr part;
    int file = open(program, O_RDONLY | O_CLOEXEC);
    bool elf = file >= 0 && pread(file, &header, sizeof header, 0) == sizeof header &&
               memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
               header.e_ident[EI_CLASS] == ELFCLASS64;
    for (unsigned i = 0; elf && i < header.e_phnum; i++) {
        off_t at = (off_t)(header.e_phoff + i * sizeof part);
        if (pread(file, &part, sizeof part, at) == sizeof part && part.p_type == PT_INTERP &&
                part.p_filesz < sizeof name &&
                pread(file, name, part.p_filesz, (off_t)part.p_offset) < 0) {
            name[0] = '\0';
        }
    }
    if (file >= 0) {
        close(file);
    }
    return strstr(name, "/ld-musl-") != NULL;
}

/* A host may have both: a JVM of the command that is known by its path. */
static int check_java(const char *program, struct error_text *error) {
    char java[PATH_MAX];
    const char *home = getenv("JAVA_HOME");
    snprintf(java, sizeof java, "%s/bin/java", home == NULL ? "" : home);
    const char *musl = heap_option_is_for_musl(program) ? program
                       : heap_option_is_for_musl(java)  ? java
                                                        : NULL;
    return musl == NULL ? 0
                        : error_set(error, ENOEXEC,
                                  "the agent needs glibc, and %.200s is for musl: the heap keeps "
                                  "the policy of all memory",
                                  musl);
}

int heap_option_check(const char *library, const char *root, struct error_text *error) {
    static const char left[] = "the heap keeps the policy of all memory";
    if (library[0] != '/' || strpbrk(library, " \t\n\r\f\v'\"=") != NULL) {
        return error_set(error, EINVAL,
                "the agent '%.200s' is no absolute path without blanks, quotes and '=': %s",
                library, left);
    }
    int file = open(library, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return error_set(error, errno, "cannot read the agent %.200s: %s: %s", library,
                error_reason(errno), left);
    }
    /* Maps it as the JVM will: a file system mounted noexec refuses. */
    void *mapping = mmap(NULL, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
    int problem = errno;
    close(file);
    if (mapping == MAP_FAILED) {
        return error_set(error, problem, "cannot map the agent %.200s (mounted noexec?): %s: %s",
                library, error_reason(problem), left);
    }
    munmap(mapping, 1);
    return has_musl_alone(root)
                   ? error_set(error, ENOEXEC, "the agent needs glibc, and this is musl: %s", left)
                   : 0;
}

static bool is_in(char *const *texts) {
    for (; *texts != NULL; texts++) {
        const char *at = strstr(*texts, "-agentpath:");
        if (at != NULL && strstr(at, "libberth") != NULL) {
            return true;
        }
    }
    return false;
}

bool heap_option_is_decided(char *const *words, char *const *variables) {
    return is_in(words) || is_in(variables);
}

char *heap_option_value(const char *library, const struct heap_policy *policy, const char *former) {
    char text[POLICY_SIZE];
    char *value = NULL;
    bool more = former != NULL && *former != '\0';
    int length = asprintf(&value, "-agentpath:%s=heap-memory=%s%s%s", library,
            heap_policy_describe(policy, text, sizeof text), more ? " " : "", more ? former : "");
    return length < 0 ? NULL : value;
}

/* The library in the folder of this program. */
static int find_library(char *path, size_t size, struct error_text *error) {
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    char *slash = length <= 0 ? NULL : memrchr(path, '/', (size_t)length);
    if (slash == NULL || (size_t)(slash + 1 - path) + sizeof agent > size) {
        return error_set(error, ENOENT,
                "cannot find the folder of this program: the heap keeps "
                "the policy of all memory");
    }
    memcpy(slash + 1, agent, sizeof agent);
    return 0;
}

int heap_option_set(const struct heap_policy *policy, const char *library, char *const *words,
        struct error_text *error) {
    char own[PATH_MAX];
    if (heap_option_is_decided(words, environ)) {
        error_set(error, 0, "the command loads the agent itself: the heap's policy is left to it");
        return 1;
    }
    int result = library == NULL ? find_library(own, sizeof own, error) : 0;
    library = library == NULL ? own : library;
    result = result == 0 ? heap_option_check(library, "", error) : result;
    result = result == 0 ? check_java(words[0], error) : result;
    if (result < 0) {
        return result;
    }
    char *value = heap_option_value(library, policy, getenv(HEAP_OPTION_VARIABLE));
    result = value == NULL || setenv(HEAP_OPTION_VARIABLE, value, 1) < 0
                     ? error_set(error, ENOMEM, "no memory for " HEAP_OPTION_VARIABLE)
                     : 0;
    free(value);
    return result;
}
