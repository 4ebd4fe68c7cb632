/* The texts of src/main/presets, put here by CMake. */
#ifndef BERTH_PRESETS_H
#define BERTH_PRESETS_H

struct preset {
    const char *name;
    const char *text;
};

/* Ends with a name of NULL. */
extern const struct preset presets[];

#endif
