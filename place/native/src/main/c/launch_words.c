#include "launch_words.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

char *launch_word_next(char **text) {
    char *from = *text + strspn(*text, " \t\n\v\f\r");
    char *word = from;
    char *to = from;
    char quote = '\0';
    if (*from == '\0') {
        *text = from;
        return NULL;
    }
    for (; *from != '\0' && (quote != '\0' || strchr(" \t\n\v\f\r", *from) == NULL); from++) {
        if (quote == '\0' && (*from == '"' || *from == '\'')) {
            quote = *from;
        } else if (*from == quote) {
            quote = '\0';
        } else {
            *to++ = *from;
        }
    }
    *text = *from == '\0' ? from : from + 1;
    *to = '\0';
    return word;
}

static bool is_regular_file(const char *path) {
    struct stat status;
    /* The function stat is a new symbol in glibc 2.33; the call is old. */
    return syscall(SYS_newfstatat, AT_FDCWD, path, &status, 0) == 0 && S_ISREG(status.st_mode);
}

bool launch_word_reads_once(const char *argument) {
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

/* An argument file that was deleted after the launcher has read it. */
static bool is_missing_file(const char *word) {
    struct stat status;
    return word[0] == '@' && word[1] != '\0' && word[1] != '@' &&
           syscall(SYS_newfstatat, AT_FDCWD, word + 1, &status, 0) < 0;
}

/* Options that are followed by their value. */
static bool takes_value(const char *option) {
    static const char *const names[] = {"-cp", "-classpath", "--class-path", "-p", "--module-path",
            "--upgrade-module-path", "--add-modules", "--enable-native-access", "--limit-modules",
            "--add-exports", "--add-opens", "--add-reads", "--patch-module", "-d",
            "--describe-module", "--source"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(option, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* The number of arguments up to and with the main class, jar or module. One that stands in an
 * argument file is not found; the words of the program then count too. */
static size_t count_launcher_arguments(char *const *arguments) {
    size_t i = 1;
    for (; arguments[i] != NULL; i++) {
        if (takes_value(arguments[i]) && arguments[i + 1] != NULL && *arguments[i + 1] != '-') {
            i++;
        } else if (strncmp(arguments[i], "--module=", 9) == 0 ||
                   (*arguments[i] != '-' && *arguments[i] != '@')) {
            return i + 1;
        }
    }
    return i;
}

/* What the words tell so far, in the order in which the JVM takes them. */
struct reading {
    struct error_text *reason;
    const char *from; /* the variable; NULL: the command line */
    bool ours;        /* our own agent was there */
    char agent[200];  /* the first one before it, or "" */
};

/* The library of a native agent, "" for another word. Those of the JDK wait for the JVM: jdwp opens
 * its port, and instrument (-javaagent) runs premain, when the JVM has started. */
static const char *agent_library(const char *word) {
    static const char path[] = "-agentpath:";
    static const char name[] = "-agentlib:";
    static const char *const harmless[] = {"jdwp", "instrument"};
    if (strncmp(word, path, sizeof path - 1) == 0) {
        return word + sizeof path - 1;
    }
    if (strncmp(word, name, sizeof name - 1) != 0) {
        return "";
    }
    const char *library = word + sizeof name - 1;
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
        size_t length = strlen(harmless[i]);
        if (strcspn(library, "=") == length && strncmp(library, harmless[i], length) == 0) {
            return "";
        }
    }
    return library;
}

/* Our library under whatever name it was put there: libberth.so, libberth-1a2b3c4d.so, berth. */
static bool is_ours(const char *library) {
    size_t length = strcspn(library, "=");
    const char *base = library;
    for (const char *at = library; at < library + length; at++) {
        base = *at == '/' ? at + 1 : base;
    }
    base += strncmp(base, "lib", 3) == 0 ? 3 : 0;
    return strncmp(base, "berth", 5) == 0;
}

static int check_once(const struct reading *reading, const char *word, bool may_be_file) {
    if (launch_word_reads_once(word) || (may_be_file && is_missing_file(word))) {
        return error_set(reading->reason, ESPIPE, "%s'%.200s'%s%s can be read only once",
                reading->from == NULL ? "the argument " : "", word,
                reading->from == NULL ? "" : " in ", reading->from == NULL ? "" : reading->from);
    }
    return 0;
}

static void look_for_agent(struct reading *reading, const char *word) {
    const char *library = agent_library(word);
    if (*library != '\0' && is_ours(library)) {
        reading->ours = true;
    } else if (*library != '\0' && !reading->ours && reading->agent[0] == '\0') {
        snprintf(
                reading->agent, sizeof reading->agent, "%.*s", (int)strcspn(library, "="), library);
    }
}

static int read_variable(struct reading *reading, const char *name, bool has_files) {
    const char *value = getenv(name);
    char *text = strdup(value == NULL ? "" : value);
    if (text == NULL) {
        return error_set(reading->reason, ENOMEM, "out of memory");
    }
    char *rest = text;
    int result = 0;
    reading->from = name;
    for (char *word; result == 0 && (word = launch_word_next(&rest)) != NULL;) {
        result = check_once(reading, word, has_files);
        look_for_agent(reading, word);
    }
    free(text);
    return result;
}

int launch_words_check(char *const *arguments, struct error_text *reason) {
    struct reading reading = {.reason = reason};
    int result = read_variable(&reading, "JAVA_TOOL_OPTIONS", false);
    if (result == 0) {
        result = read_variable(&reading, "JDK_JAVA_OPTIONS", true);
    }
    reading.from = NULL;
    size_t launcher = count_launcher_arguments(arguments);
    for (size_t i = 1; result == 0 && arguments[i] != NULL; i++) {
        result = check_once(&reading, arguments[i], i < launcher);
        if (i < launcher) {
            look_for_agent(&reading, arguments[i]);
        }
    }
    if (result == 0) {
        result = read_variable(&reading, "_JAVA_OPTIONS", false);
    }
    if (result == 0 && reading.ours && reading.agent[0] != '\0') {
        return error_set(reason, EBUSY,
                "the agent %s stands before it and has run already; put Berth's agent first",
                reading.agent);
    }
    return result;
}
