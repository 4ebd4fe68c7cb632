#include "error_text.h"

#include "foreign_text.h"

#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *error_reason(int code) {
    /* glibc's own object: nothing is made that would have to be freed. */
    return strerror_l(code, newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

bool error_may_pass(int result) {
    return result == -EMFILE || result == -ENFILE || result == -ENOMEM;
}

int error_set(struct error_text *error, int code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    foreign_text_clean(error->text);
    return -code;
}

int error_set_system(struct error_text *error, int code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    foreign_text_clean(error->text);
    size_t length = strlen(error->text);
    snprintf(error->text + length, sizeof error->text - length, ": %s", error_reason(code));
    return -code;
}

void message_print(const char *format, ...) {
    static const char prefix[] = "berth: ";
    char line[1024];
    memcpy(line, prefix, sizeof prefix);
    size_t start = sizeof prefix - 1;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + start, sizeof line - start - 1, format, arguments);
    va_end(arguments);
    foreign_text_clean(line);
    size_t length = strlen(line);
    line[length++] = '\n';
    /* Nothing can be done about a closed standard error. */
    ssize_t ignored = write(STDERR_FILENO, line, length);
    (void)ignored;
}
