#include "text_buffer.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

void text_append(struct text_buffer *buffer, const char *format, ...) {
    size_t room = buffer->length < buffer->capacity ? buffer->capacity - buffer->length : 0;
    va_list arguments;
    va_start(arguments, format);
    int length =
            vsnprintf(room == 0 ? NULL : buffer->data + buffer->length, room, format, arguments);
    va_end(arguments);
    buffer->length += length > 0 ? (size_t)length : 0;
}

int text_result(const struct text_buffer *buffer) {
    /* vsnprintf needs one byte for its terminator. */
    if (buffer->length >= buffer->capacity || buffer->length > INT_MAX) {
        return -ENOBUFS;
    }
    return (int)buffer->length;
}
