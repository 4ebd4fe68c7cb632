#include "reexec.h"

#include "file_text.h"
#include "jvm_logs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

enum { PROC_LIMIT = 16 << 20, PATH_SIZE = 4096, GUARD_SIZE = 96, SIGNAL_MASK_BYTES = 8 };

const char *reexec_stat_field(const char *stat, int number) {
    const char *position = strrchr(stat, ')');
    for (int field = 2; position != NULL && field < number; field++) {
        position = strchr(position + 1, ' ');
    }
    return position == NULL ? NULL : position + 1;
}

/* "BERTH_AGENT_PID=<pid>:<start time>" of this process. */
static int format_guard(char *guard, size_t size) {
    char *stat;
    size_t length;
    int result = file_text_read("/proc/self/stat", PROC_LIMIT, &stat, &length);
    if (result < 0) {
        return result;
    }
    const char *start = reexec_stat_field(stat, 22);
    if (start == NULL) {
        result = -EINVAL;
    } else {
        snprintf(guard, size, REEXEC_GUARD "=%d:%.*s", (int)getpid(), (int)strcspn(start, " "),
                start);
    }
    free(stat);
    return result;
}

bool reexec_done(void) {
    char guard[GUARD_SIZE];
    const char *value = getenv(REEXEC_GUARD);
    /* Without /proc nothing can be started again; "not yet" is then harmless. */
    return value != NULL && format_guard(guard, sizeof guard) == 0 &&
           strcmp(value, guard + sizeof REEXEC_GUARD) == 0;
}

char **reexec_split(char *text, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        count += text[i] == '\0' ? 1 : 0;
    }
    /* The last part may lack its terminator; the buffer has one behind its length. */
    char **parts = calloc(count + 2, sizeof *parts);
    if (parts == NULL) {
        return NULL;
    }
    count = 0;
    for (char *part = text; part < text + length; part += strlen(part) + 1) {
        parts[count++] = part;
    }
    return parts;
}

static bool is_regular_file(const char *path) {
    struct stat status;
    /* The function stat is a new symbol in glibc 2.33; the call is old. */
    return syscall(SYS_newfstatat, AT_FDCWD, path, &status, 0) == 0 && S_ISREG(status.st_mode);
}

bool reexec_reads_once(const char *argument) {
    if (argument[0] == '@' && argument[1] != '\0' && argument[1] != '@') {
        /* An argument file, or an application's own "@word". When it is neither a pipe nor a
         * device, the launcher can read it again or leave it alone again. */
        struct stat status;
        if (syscall(SYS_newfstatat, AT_FDCWD, argument + 1, &status, 0) == 0) {
            return !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
        }
        /* The launcher had no trouble with it a moment ago. */
        return strncmp(argument + 1, "/dev/", 5) == 0 || strncmp(argument + 1, "/proc/", 6) == 0;
    }
    /* A JVM option with a descriptor's path: -XX:VMOptionsFile=/dev/fd/63, our own plan=... */
    if (argument[0] != '-') {
        return false;
    }
    static const char *const prefixes[] = {"/dev/fd/", "/dev/stdin", "/proc/self/fd/"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        const char *found = strstr(argument, prefixes[i]);
        if (found != NULL) {
            char path[PATH_SIZE];
            snprintf(path, sizeof path, "%.*s", (int)strcspn(found, ", "), found);
            return !is_regular_file(path);
        }
    }
    return false;
}

static int check_words(const char *from, char *words, struct error_text *reason) {
    for (char *word = strtok_r(words, " \t\n", &words); word != NULL;
            word = strtok_r(NULL, " \t\n", &words)) {
        if (reexec_reads_once(word)) {
            return error_set(reason, ESPIPE, "'%.200s' in %s can be read only once", word, from);
        }
    }
    return 0;
}

static int check_environment(struct error_text *reason) {
    static const char *const names[] = {"JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        char *words = value == NULL ? NULL : strdup(value);
        int result = words == NULL ? 0 : check_words(names[i], words, reason);
        free(words);
        if (result < 0) {
            return result;
        }
    }
    return 0;
}

static int check_arguments(char **arguments, struct error_text *reason) {
    if (arguments[0] == NULL) {
        return error_set(reason, ENOENT, "/proc/self/cmdline is empty");
    }
    for (size_t i = 1; arguments[i] != NULL; i++) {
        if (reexec_reads_once(arguments[i])) {
            return error_set(
                    reason, ESPIPE, "the argument '%.200s' can be read only once", arguments[i]);
        }
    }
    return 0;
}

/* The path must be the real one: execve of /proc/self/exe would name the process "exe". */
static int read_program(char *path, struct error_text *reason) {
    ssize_t length = readlink("/proc/self/exe", path, PATH_SIZE - 1);
    if (length < 0) {
        return error_set_system(reason, errno, "cannot read /proc/self/exe");
    }
    path[length] = '\0';
    const char *slash = strrchr(path, '/');
    if (slash == NULL || strcmp(slash + 1, "java") != 0) {
        return error_set(reason, EXDEV, "the program is %.200s, not a java launcher", path);
    }
    return 0;
}

struct command_line {
    char *text;
    char **arguments;
};

static void command_line_free(struct command_line *line) {
    free(line->text);
    free(line->arguments);
}

static int command_line_read(struct command_line *line, struct error_text *reason) {
    size_t length;
    *line = (struct command_line){0};
    int result = file_text_read("/proc/self/cmdline", PROC_LIMIT, &line->text, &length);
    if (result == 0) {
        line->arguments = reexec_split(line->text, length);
        result = line->arguments == NULL ? -ENOMEM : 0;
    }
    return result < 0 ? error_set_system(reason, -result, "cannot read /proc/self/cmdline") : 0;
}

int reexec_possible(struct error_text *reason) {
    char path[PATH_SIZE];
    int result = read_program(path, reason);
    if (result < 0) {
        return result;
    }
    struct command_line line;
    result = command_line_read(&line, reason);
    if (result == 0) {
        result = check_arguments(line.arguments, reason);
    }
    command_line_free(&line);
    return result < 0 ? result : check_environment(reason);
}

uint64_t reexec_blocked_signals(const char *status) {
    const char *line = strstr(status, "\nSigBlk:");
    uint64_t mask = 0;
    if (line != NULL) {
        line += strlen("\nSigBlk:");
        line += strspn(line, " \t");
        for (; strchr("0123456789abcdef", *line) != NULL && *line != '\0'; line++) {
            unsigned digit = *line <= '9' ? (unsigned)(*line - '0') : (unsigned)(*line - 'a' + 10);
            mask = mask << 4 | digit;
        }
    }
    return mask;
}

/* execve keeps the blocked signals of the calling thread, where a JVM may have blocked some more;
 * the leader has those of the process, but all of them while it is still inside pthread_create.
 * What both block was blocked from the start. Returns the mask before. */
static uint64_t restore_signal_mask(void) {
    char *status;
    size_t length;
    uint64_t own = 0;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &own, SIGNAL_MASK_BYTES);
    uint64_t both = own;
    /* /proc/self is the leader, whichever thread asks. */
    if (file_text_read("/proc/self/status", PROC_LIMIT, &status, &length) == 0) {
        both &= reexec_blocked_signals(status);
        free(status);
    }
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &both, NULL, SIGNAL_MASK_BYTES);
    return own;
}

static bool is_replaced(const char *present, char *const *variables) {
    for (; *variables != NULL; variables++) {
        if (strncmp(present, *variables, strcspn(*variables, "=") + 1) == 0) {
            return true;
        }
    }
    return false;
}

/* The environment with these variables, sharing the strings of the present one. */
static char **environment_with(char *const *variables) {
    size_t count = 0;
    while (environ[count] != NULL) {
        count++;
    }
    char **result = calloc(count + REEXEC_VARIABLES + 2, sizeof *result);
    if (result == NULL) {
        return NULL;
    }
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_replaced(environ[i], variables)) {
            result[used++] = environ[i];
        }
    }
    for (; *variables != NULL; variables++) {
        result[used++] = *variables;
    }
    return result;
}

bool reexec_modules_of(const char *program, char *path, size_t size) {
    const char *end = strrchr(program, '/');
    while (end != NULL && end > program && end[-1] != '/') {
        end--;
    }
    /* What stands before "bin/java". */
    int home = end == NULL || end == program ? 0 : (int)(end - program);
    int length = snprintf(path, size, "%.*slib/modules", home, program);
    return home > 0 && length < (int)size;
}

/* The JVM has opened lib/modules without O_CLOEXEC; the new JVM would hold it twice. Every other
 * descriptor may be one that the user handed down, and stays. */
static void close_own_files_on_exec(const char *program) {
    char modules[PATH_SIZE];
    DIR *files =
            reexec_modules_of(program, modules, sizeof modules) ? opendir("/proc/self/fd") : NULL;
    if (files == NULL) {
        return;
    }
    for (struct dirent *entry; (entry = readdir(files)) != NULL;) {
        char target[PATH_SIZE];
        ssize_t length = readlinkat(dirfd(files), entry->d_name, target, sizeof target);
        int file = atoi(entry->d_name);
        if (file > STDERR_FILENO && length == (ssize_t)strlen(modules) &&
                memcmp(target, modules, (size_t)length) == 0) {
            fcntl(file, F_SETFD, FD_CLOEXEC);
        }
    }
    closedir(files);
}

/* The environment with the guard and these variables; NULL with the reason. The guard's text must
 * live as long. */
static char **marked_environment(
        char *const *variables, char guard[GUARD_SIZE], struct error_text *error) {
    int result = format_guard(guard, GUARD_SIZE);
    char *all[REEXEC_VARIABLES + 2] = {guard};
    for (int i = 0; i < REEXEC_VARIABLES && variables[i] != NULL; i++) {
        all[i + 1] = variables[i];
    }
    char **environment = result < 0 ? NULL : environment_with(all);
    if (environment == NULL) {
        error_set_system(error, result < 0 ? -result : ENOMEM, "cannot mark the process");
    }
    return environment;
}

int reexec_mark(char *const *variables, struct error_text *error) {
    static char guard[GUARD_SIZE];
    char **environment = marked_environment(variables, guard, error);
    if (environment == NULL) {
        return -ENOMEM;
    }
    environ = environment;
    return 0;
}

int reexec_run(char *const *variables, struct error_text *error) {
    char path[PATH_SIZE];
    char guard[GUARD_SIZE];
    struct command_line line;
    int result = read_program(path, error);
    if (result < 0) {
        return result;
    }
    result = command_line_read(&line, error);
    char **environment = result < 0 ? NULL : marked_environment(variables, guard, error);
    if (environment != NULL) {
        close_own_files_on_exec(path);
        struct jvm_logs logs;
        jvm_logs_undo(&logs);
        uint64_t mask = restore_signal_mask();
        execve(path, line.arguments, environment);
        result = error_set_system(error, errno, "cannot start %.200s again", path);
        syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, SIGNAL_MASK_BYTES);
        jvm_logs_redo(&logs);
    }
    free(environment);
    command_line_free(&line);
    return environment == NULL && result == 0 ? -ENOMEM : result;
}
