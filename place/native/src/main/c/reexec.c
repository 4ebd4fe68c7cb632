#include "reexec.h"

#include "file_text.h"
#include "jvm_logs.h"
#include "launch_words.h"

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

/* "<pid>:<start time>" of this process, followed by ':'. The thread's file, not that of the
 * process: qemu-user makes up the latter, with another start time after each execve. */
static int format_identity(char *text, size_t size) {
    char path[48];
    char *stat;
    size_t length;
    int pid = (int)getpid();
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", pid);
    int result = file_text_read(path, PROC_LIMIT, &stat, &length);
    if (result < 0) {
        return result;
    }
    const char *start = reexec_stat_field(stat, 22);
    if (start == NULL) {
        result = -EINVAL;
    } else {
        snprintf(text, size, "%d:%.*s:", pid, (int)strcspn(start, " "), start);
    }
    free(stat);
    return result;
}

/* How often a process of this PID was started again, as the guard tells. */
static long starts_of(const char *guard) {
    char *end;
    if (guard == NULL || strtol(guard, &end, 10) != (long)getpid() || *end != ':') {
        return 0;
    }
    const char *count = strchr(end + 1, ':');
    return count == NULL ? 0 : strtol(count + 1, NULL, 10);
}

/* "BERTH_AGENT_PID=<pid>:<start time>:<starts>" for the next start of this process. */
static int format_guard(char *guard, size_t size) {
    char identity[GUARD_SIZE / 2];
    int result = format_identity(identity, sizeof identity);
    if (result == 0) {
        snprintf(guard, size, REEXEC_GUARD "=%s%ld", identity, starts_of(getenv(REEXEC_GUARD)) + 1);
    }
    return result;
}

bool reexec_done(void) {
    char identity[GUARD_SIZE / 2];
    const char *value = getenv(REEXEC_GUARD);
    /* Without /proc nothing can be started again; "not yet" is then harmless. */
    return value != NULL && (starts_of(value) >= REEXEC_LIMIT ||
                                    (format_identity(identity, sizeof identity) == 0 &&
                                            strncmp(value, identity, strlen(identity)) == 0));
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
        result = line.arguments[0] == NULL
                         ? error_set(reason, ENOENT, "/proc/self/cmdline is empty")
                         : launch_words_check(line.arguments, reason);
    }
    command_line_free(&line);
    return result;
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

int reexec_mark(char *const *variables, struct error_text *error) {
    static char guard[GUARD_SIZE];
    int result = format_guard(guard, sizeof guard);
    result = result < 0 ? result : putenv(guard) == 0 ? 0 : -ENOMEM;
    for (; result == 0 && *variables != NULL; variables++) {
        result = putenv(*variables) == 0 ? 0 : -ENOMEM;
    }
    return result < 0 ? error_set_system(error, -result, "cannot mark the process") : 0;
}

/* The environment with the guard and these variables; NULL with the reason. */
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
