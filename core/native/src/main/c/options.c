#include "options.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void options_free(struct options *options) {
    free(options->plan_file);
    index_set_free(&options->cpus);
    index_set_free(&options->nodes);
    plan_free(&options->rules);
}

static int parse_worker(const char *value, int *worker) {
    size_t digits = strspn(value, "0123456789");
    if (digits == 0 || digits > 6 || value[digits] != '\0') {
        return -EINVAL;
    }
    *worker = atoi(value);
    return 0;
}

static int set_value(
        struct options *options, const char *key, const char *value, struct error_text *error) {
    size_t length = strlen(value);
    int result;
    if (strcmp(key, "plan") == 0 && length > 0 && options->plan_file == NULL) {
        options->plan_file = strdup(value);
        return options->plan_file == NULL ? -ENOMEM : 0;
    }
    if (strcmp(key, "worker") == 0) {
        result = parse_worker(value, &options->worker);
        return result == 0 ? 0
                           : error_set(error, EINVAL, "worker=%.40s is not a number from 0", value);
    }
    if (strcmp(key, "cpus") == 0 || strcmp(key, "nodes") == 0) {
        struct error_text cause;
        result = index_set_parse(
                *key == 'c' ? &options->cpus : &options->nodes, value, length, &cause);
        if (result == 0 && length == 0) {
            return error_set(error, EINVAL, "%s= names none", key);
        }
        return result == 0 ? 0 : error_set(error, EINVAL, "%s: %.400s", key, cause.text);
    }
    if (strcmp(key, "memory") == 0) {
        result = memory_mode_parse(value, length);
        if (result < 0) {
            return error_set(error, EINVAL,
                    "memory=%.40s is none of local, bind, prefer, interleave", value);
        }
        options->memory = (enum memory_mode)result;
        return 0;
    }
    if (strcmp(key, "rule") == 0) {
        return plan_add_rule(&options->rules, PLAN_ROLE_TASK, value);
    }
    return error_set(error, EINVAL,
            "option '%.40s' is unknown, empty or repeated; known: plan, worker, cpus, nodes, "
            "memory, rule, verbose, strict",
            key);
}

static int check_together(const struct options *options, struct error_text *error) {
    bool direct = options->cpus.word_count > 0 || options->nodes.word_count > 0 ||
                  options->memory != MEMORY_LOCAL || options->rules.rule_count > 0;
    if (options->plan_file != NULL && direct) {
        return error_set(error, EINVAL,
                "plan= cannot be given together with cpus=, nodes=, memory= or rule=");
    }
    if (options->worker >= 0 && options->plan_file == NULL) {
        return error_set(error, EINVAL, "worker= needs plan=");
    }
    if ((options->memory != MEMORY_LOCAL) != !index_set_is_empty(&options->nodes)) {
        return error_set(error, EINVAL, "nodes= and memory=bind|prefer|interleave need each other");
    }
    return 0;
}

/* The end of the value that starts at `position`: the next piece that is an option by itself. */
static char *value_end(char *position) {
    for (char *comma = strchr(position, ','); comma != NULL; comma = strchr(comma + 1, ',')) {
        size_t length = strcspn(comma + 1, ",");
        if (memchr(comma + 1, '=', length) != NULL ||
                (length == 7 && memcmp(comma + 1, "verbose", length) == 0) ||
                (length == 6 && memcmp(comma + 1, "strict", length) == 0)) {
            return comma;
        }
    }
    return position + strlen(position);
}

static int parse_pieces(struct options *options, char *text, struct error_text *error) {
    int result = 0;
    for (char *piece = text; piece != NULL;) {
        char *end = value_end(piece);
        char *next = *end == '\0' ? NULL : end + 1;
        *end = '\0';
        char *equals = strchr(piece, '=');
        if (strcmp(piece, "verbose") == 0) {
            options->verbose = true;
        } else if (strcmp(piece, "strict") == 0) {
            options->strict = true;
        } else if (result == 0 && equals == NULL && (piece != text || next != NULL || *piece)) {
            result = error_set(error, EINVAL, "option '%.40s' has no value", piece);
        } else if (result == 0 && equals != NULL) {
            *equals = '\0';
            result = set_value(options, piece, equals + 1, error);
        }
        piece = next;
    }
    return result;
}

int options_parse(struct options *options, const char *text, struct error_text *error) {
    *options = (struct options){.worker = -1};
    error_set(error, 0, "out of memory");
    char *pieces = strdup(text == NULL ? "" : text);
    if (pieces == NULL) {
        return -ENOMEM;
    }
    int result = parse_pieces(options, pieces, error);
    free(pieces);
    return result < 0 ? result : check_together(options, error);
}
