#include "slot_use.h"

#include "domains.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void slots_free(struct slots *slots) {
    for (size_t i = 0; i < slots->count; i++) {
        index_set_free(&slots->items[i].cpus);
        index_set_free(&slots->items[i].nodes);
    }
    free(slots->items);
    *slots = (struct slots){0};
}

static int fill(struct slot *slot, const struct plan_slot *from, const struct index_set *cpus,
        const struct index_set *nodes) {
    *slot = (struct slot){.index = from->index, .core = -1};
    snprintf(slot->role, sizeof slot->role, "%s", from->role);
    if (index_set_copy(&slot->cpus, &from->cpus) < 0 ||
            index_set_copy(&slot->nodes, &from->nodes) < 0) {
        return -ENOMEM;
    }
    index_set_and(&slot->cpus, cpus);
    index_set_and(&slot->nodes, nodes);
    return 0;
}

int slots_create(struct slots *slots, const struct plan *plan, int worker,
        const struct index_set *cpus, const struct index_set *nodes, unsigned *outside) {
    *outside = 0;
    *slots = (struct slots){.items = calloc(plan->slot_count + 1, sizeof *slots->items)};
    if (slots->items == NULL) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < plan->slot_count; i++) {
        const struct plan_slot *from = &plan->slots[i];
        if (worker >= 0 && from->worker != (unsigned)worker) {
            continue;
        }
        struct slot *slot = &slots->items[slots->count++];
        if (fill(slot, from, cpus, nodes) < 0) {
            slots_free(slots);
            return -ENOMEM;
        }
        if (index_set_is_empty(&slot->cpus)) {
            index_set_free(&slot->cpus);
            index_set_free(&slot->nodes);
            slots->count--;
            ++*outside;
        }
    }
    return 0;
}

void slots_find_cores(struct slots *slots, const char *root) {
    for (size_t i = 0; i < slots->count; i++) {
        struct slot *slot = &slots->items[i];
        struct index_set core = {0};
        unsigned first = (unsigned)index_set_next(&slot->cpus, 0);
        bool alike = i > 0 && index_set_equals(&slot->cpus, &slot[-1].cpus);
        if (slot->core < 0 && !alike && domains_core_of(root, first, &core) >= 0) {
            for (size_t k = i; k < slots->count; k++) {
                if (index_set_is_inside(&slots->items[k].cpus, &core)) {
                    slots->items[k].core = index_set_next(&core, 0);
                }
            }
        }
        index_set_free(&core);
    }
}

/* Whether a rule may give a slot that is the rank-th of its role. */
static bool is_meant(const struct slot *slot, const struct rule *rule, unsigned *rank) {
    if (strcmp(slot->role, rule->role) != 0) {
        return false;
    }
    unsigned position = (*rank)++;
    return position >= rule->first && position <= rule->last;
}

static void count_user(struct slots *slots, size_t position, int change) {
    struct slot *used = &slots->items[position];
    used->users += (unsigned)change;
    for (size_t i = 0; i < slots->count; i++) {
        struct slot *slot = &slots->items[i];
        bool one_core = slot == used || (used->core >= 0 && slot->core == used->core);
        /* Slots of one core only can have a CPU in common with one of several. */
        bool common = (one_core || used->core < 0 || slot->core < 0) &&
                      index_set_common(&slot->cpus, &used->cpus) > 0;
        slot->on_core += one_core || common ? (unsigned)change : 0;
        slot->on_cpus += common ? (unsigned)change : 0;
    }
}

static bool is_less_used(const struct slot *slot, const struct slot *other) {
    return slot->on_cpus != other->on_cpus   ? slot->on_cpus < other->on_cpus
           : slot->on_core != other->on_core ? slot->on_core < other->on_core
                                             : slot->users < other->users;
}

int slots_take(struct slots *slots, const struct rule *rule) {
    int best = -ENOENT;
    unsigned rank = 0;
    for (size_t i = 0; i < slots->count; i++) {
        struct slot *slot = &slots->items[i];
        if (!is_meant(slot, rule, &rank)) {
            continue;
        }
        if (slot->exclusive || (rule->exclusive && slot->users > 0)) {
            best = best == -ENOENT ? -EBUSY : best;
        } else if (best < 0 || is_less_used(slot, &slots->items[best])) {
            best = (int)i;
        }
    }
    if (best >= 0) {
        count_user(slots, (size_t)best, 1);
        slots->items[best].exclusive = rule->exclusive;
    }
    return best;
}

void slots_release(struct slots *slots, size_t position) {
    count_user(slots, position, -1);
    slots->items[position].exclusive = false;
}

int slots_union(const struct slots *slots, const struct rule *rule, struct index_set *cpus,
        struct index_set *nodes) {
    unsigned rank = 0;
    int result = -ENOENT;
    for (size_t i = 0; i < slots->count; i++) {
        const struct slot *slot = &slots->items[i];
        if (is_meant(slot, rule, &rank)) {
            result = index_set_or(cpus, &slot->cpus) < 0 || index_set_or(nodes, &slot->nodes) < 0
                             ? -ENOMEM
                             : 0;
            if (result < 0) {
                return result;
            }
        }
    }
    return result;
}
