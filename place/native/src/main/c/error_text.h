/*
 * One line for the user: what was tried, on what, why it failed, what to do.
 *
 * Functions of this library return a value >= 0, or -errno. Those that can say more than the number
 * also fill an error_text; the text is written where the cause is known, and no caller has to guess
 * it again. */
#ifndef BERTH_ERROR_TEXT_H
#define BERTH_ERROR_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct error_text {
    char text[512];
};

/* The system's words for the code, in English: a JVM sets its user's locale in the middle of its
 * start, so that the same line would change its language. */
const char *error_reason(int code);

/* Whether the cause may be gone a little later: descriptors or memory were used up. A thread of the
 * agent that lives as long as the JVM goes on then. */
bool error_may_pass(int result);

/* Writes the text (cut when too long; as one line, see foreign_text.h) and returns -code, to be
 * used as `return error_set(...)`. */
__attribute__((format(printf, 3, 4))) int error_set(
        struct error_text *error, int code, const char *format, ...);

/* The same, followed by the system's words for the code: "...: Operation not permitted". */
__attribute__((format(printf, 3, 4))) int error_set_system(
        struct error_text *error, int code, const char *format, ...);

/* Prints "berth: " and the text as one line, in one write, to standard error. */
__attribute__((format(printf, 1, 2))) void message_print(const char *format, ...);

#endif
