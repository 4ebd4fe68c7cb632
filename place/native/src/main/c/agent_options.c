#include "agent_options.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void options_free(struct options *options) {
    free(options->plan_file);
    free(options->leases);
    free(options->name);
    index_set_free(&options->domain_cpus);
    index_set_free(&options->cpus);
    index_set_free(&options->nodes);
    heap_policy_free(&options->heap);
    rules_free(&options->rules);
}

static bool parse_number(const char *value, int *number) {
    size_t digits = strspn(value, "0123456789");
    if (digits == 0 || digits > 6 || value[digits] != '\0') {
        return false;
    }
    *number = atoi(value);
    return true;
}

/* A worker of the plan, or a domain: its number, or one that is found by a lease. */
static int parse_choice(struct options *options, const char *key, const char *value, int *number,
        struct error_text *error) {
    options->exclusive = strcmp(value, "exclusive") == 0;
    options->leased = options->exclusive || strcmp(value, "free") == 0;
    if (options->leased) {
        *number = SELECT_FREE;
        return 0;
    }
    return parse_number(value, number)
                   ? 0
                   : error_set(error, EINVAL, "%s=%.40s is not a number from 0, free or exclusive",
                             key, value);
}

static int parse_set(
        struct index_set *set, const char *key, const char *value, struct error_text *error) {
    struct error_text cause;
    int result = index_set_parse(set, value, strlen(value), &cause);
    if (result == 0 && *value == '\0') {
        return error_set(error, EINVAL, "%s= names none", key);
    }
    return result == 0 ? 0 : error_set(error, EINVAL, "%s: %.400s", key, cause.text);
}

/* One of two words; 1 for the second. */
static int parse_either(const char *key, const char *value, const char *no, const char *yes,
        bool *result, struct error_text *error) {
    *result = strcmp(value, yes) == 0;
    return *result || strcmp(value, no) == 0
                   ? 0
                   : error_set(error, EINVAL, "%s=%.40s is not one of %s, %s", key, value, no, yes);
}

static int copy_text(char **text, const char *value) {
    free(*text);
    *text = strdup(value);
    return *text == NULL ? -ENOMEM : 0;
}

static int parse_group(
        struct options *options, const char *key, const char *value, struct error_text *error) {
    char rule[512];
    int length = snprintf(rule, sizeof rule, "@%s -> %s", key, value);
    return length < (int)sizeof rule ? rules_add_text(&options->rules, rule, (size_t)length, error)
                                     : error_set(error, EINVAL, "%s= is too long", key);
}

static int set_rules(
        struct options *options, const char *key, const char *value, struct error_text *error) {
    if (strcmp(key, "rule") == 0) {
        return rules_add_text(&options->rules, value, strlen(value), error);
    }
    if (strcmp(key, "rules") == 0) {
        return rules_add_file(&options->rules, value, error);
    }
    if (strcmp(key, "preset") == 0) {
        return rules_add_preset(&options->rules, value, error);
    }
    if (strcmp(key, "level") == 0) {
        return parse_either(key, value, "pu", "core", &options->core_slots, error);
    }
    if (strcmp(key, "smt") == 0) {
        return parse_either(key, value, "last", "never", &options->smt_never, error);
    }
    return strcmp(key, "gc") == 0 || strcmp(key, "jit") == 0
                   ? parse_group(options, key, value, error)
                   : 1;
}

/* 1: another key. */
static int set_lease(
        struct options *options, const char *key, const char *value, struct error_text *error) {
    if (strcmp(key, "domain") == 0) {
        options->has_domain = true;
        if (strncmp(value, "cpus:", 5) == 0) {
            options->domain = DOMAIN_CPUS;
            return parse_set(&options->domain_cpus, "domain=cpus:", value + 5, error);
        }
        return domain_kind_parse(value, &options->domain, &options->domain_cores, error);
    }
    if (strcmp(key, "select") == 0) {
        return parse_choice(options, key, value, &options->select, error);
    }
    if (strcmp(key, "worker") == 0) {
        return parse_choice(options, key, value, &options->worker, error);
    }
    if (strcmp(key, "leases") == 0 && *value != '\0') {
        return copy_text(&options->leases, value);
    }
    return strcmp(key, "name") == 0 ? copy_text(&options->name, value) : 1;
}

/* Each of the others, rules, is one more. */
static const char *const given_once[] = {"plan", "worker", "domain", "select", "leases", "name",
        "cpus", "nodes", "memory", "heap-memory", "gc", "jit", "level", "smt", "guard",
        "unmatched"};

static int check_once(unsigned *given, const char *key, struct error_text *error) {
    for (size_t i = 0; i < sizeof given_once / sizeof *given_once; i++) {
        if (strcmp(key, given_once[i]) == 0) {
            bool repeated = (*given & 1U << i) != 0;
            *given |= 1U << i;
            return repeated ? error_set(error, EINVAL, "%s= is given twice; give it once", key) : 0;
        }
    }
    return 0;
}

static int set_value(
        struct options *options, const char *key, const char *value, struct error_text *error) {
    int result;
    if (strcmp(key, "plan") == 0 && *value != '\0') {
        return copy_text(&options->plan_file, value);
    }
    if (strcmp(key, "cpus") == 0 || strcmp(key, "nodes") == 0) {
        return parse_set(*key == 'c' ? &options->cpus : &options->nodes, key, value, error);
    }
    if (strcmp(key, "memory") == 0) {
        result = memory_mode_parse(value, strlen(value));
        if (result < 0) {
            /* Tiers have their names from hwloc, which this library does without. */
            return error_set(error, EINVAL, "memory=%.40s is not one of " MEMORY_WORDS "%s", value,
                    strstr(value, "tier:") == NULL ? ""
                                                   : "; 'berth run --memory' finds the nodes of a "
                                                     "memory tier, or name them by nodes=");
        }
        options->memory = (enum memory_mode)result;
        options->default_policy = options->memory == MEMORY_LOCAL;
        return 0;
    }
    if (strcmp(key, "heap-memory") == 0) {
        return heap_policy_parse(&options->heap, value, error);
    }
    if (strcmp(key, "guard") == 0) {
        return parse_either(key, value, "off", "on", &options->guard, error);
    }
    if (strcmp(key, "unmatched") == 0) {
        return parse_number(value, &options->unmatched)
                       ? 0
                       : error_set(error, EINVAL, "unmatched=%.40s is not a number of seconds",
                                 value);
    }
    result = set_lease(options, key, value, error);
    result = result == 1 ? set_rules(options, key, value, error) : result;
    if (result != 1) {
        return result;
    }
    return error_set(error, EINVAL,
            "option '%.40s' is unknown or empty; known: plan, worker, domain, select, "
            "leases, name, cpus, nodes, memory, heap-memory, rule, rules, preset, gc, jit, level, "
            "smt, "
            "guard, unmatched, verbose, strict",
            key);
}

static int check_together(const struct options *options, struct error_text *error) {
    bool cpus = options->cpus.word_count > 0;
    bool nodes = options->nodes.word_count > 0;
    bool memory = options->memory != MEMORY_LOCAL;
    if (options->plan_file != NULL && (cpus || nodes || memory || options->has_domain)) {
        return error_set(error, EINVAL,
                "plan= cannot be given together with domain=, cpus=, nodes= or memory=");
    }
    if (options->has_domain && cpus) {
        return error_set(error, EINVAL, "domain= cannot be given together with cpus=");
    }
    if (options->has_domain && options->domain == DOMAIN_CPUS && options->select > 0) {
        return error_set(
                error, EINVAL, "select=%d: domain=cpus: is one domain, number 0", options->select);
    }
    if (options->worker >= 0 && options->plan_file == NULL) {
        return error_set(error, EINVAL, "worker= needs plan=");
    }
    if (options->select != SELECT_FREE && !options->has_domain) {
        return error_set(error, EINVAL, "select= needs domain=");
    }
    if (options->leased && !options->has_domain && options->plan_file == NULL) {
        return error_set(error, EINVAL, "select= needs domain=, and worker= needs plan=");
    }
    /* A domain has nodes of its own, and others may be named in their place. */
    if (memory != nodes && (nodes || !options->has_domain)) {
        return error_set(error, EINVAL, "nodes= and a memory= other than local need each other");
    }
    if ((options->core_slots || options->smt_never) && options->plan_file != NULL) {
        return error_set(
                error, EINVAL, "level= and smt= are for domain= or cpus=; a plan has slots");
    }
    return 0;
}

/* The end of the value that starts at `position`: the next piece that is an option of its own. */
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

bool options_is_one_value(const char *value) {
    char *copy = strdup(value);
    bool one = copy != NULL && *value_end(copy) == '\0';
    free(copy);
    return one;
}

static int parse_pieces(struct options *options, char *text, struct error_text *error) {
    int result = 0;
    unsigned given = 0;
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
            /* Words of before 0.1.0. */
            const char *key = strcmp(piece, "slots") == 0  ? "level"
                              : strcmp(piece, "heap") == 0 ? "heap-memory"
                                                           : piece;
            result = check_once(&given, key, error);
            result = result < 0 ? result : set_value(options, key, equals + 1, error);
        }
        piece = next;
    }
    return result;
}

int options_parse(struct options *options, const char *text, struct error_text *error) {
    *options = (struct options){
            .worker = -1, .select = SELECT_FREE, .guard = true, .unmatched = UNMATCHED_SECONDS};
    error_set(error, 0, "out of memory");
    char *pieces = strdup(text == NULL ? "" : text);
    if (pieces == NULL) {
        return -ENOMEM;
    }
    int result = parse_pieces(options, pieces, error);
    free(pieces);
    /* A domain is always written down, also one that was asked for by its number. */
    options->leased = options->leased || options->has_domain;
    return result < 0 ? result : check_together(options, error);
}
