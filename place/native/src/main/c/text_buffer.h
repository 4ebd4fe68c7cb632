/* Text of unknown length into a buffer of fixed size; what does not fit is noticed, not lost. */
#ifndef BERTH_TEXT_BUFFER_H
#define BERTH_TEXT_BUFFER_H

#include <stddef.h>

struct text_buffer {
    char *data;
    size_t capacity;
    size_t length; /* of the whole text, also when it is longer than the capacity */
};

__attribute__((format(printf, 2, 3))) void text_append(
        struct text_buffer *buffer, const char *format, ...);

/* The length, or -ENOBUFS when the text did not fit. */
int text_result(const struct text_buffer *buffer);

#endif
