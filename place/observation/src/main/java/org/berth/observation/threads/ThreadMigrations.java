package org.berth.observation.threads;

/**
 * How often one thread migrated.
 *
 * @param name its last name
 * @param alive whether the last sample still showed it
 * @since 0.1.0
 */
public record ThreadMigrations(int tid, String name, boolean alive, MigrationCount count) {}
