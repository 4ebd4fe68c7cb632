#include "list_file.h"

#include "file_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096, FILE_LIMIT = 1 << 20 };

int list_file_read(struct index_set *set, const char *format, ...) {
    char path[PATH_SIZE];
    char *text;
    size_t length;
    struct error_text error;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    int result = file_text_read(path, FILE_LIMIT, &text, &length);
    if (result < 0) {
        return result;
    }
    result = index_set_parse(set, text, strcspn(text, "\n"), &error);
    free(text);
    return result;
}
