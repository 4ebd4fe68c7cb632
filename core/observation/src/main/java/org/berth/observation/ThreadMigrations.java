package org.berth.observation;

/**
 * How often one thread moved.
 *
 * @param name its last name
 * @param alive whether the last sample still showed it
 */
public record ThreadMigrations(int tid, String name, boolean alive, MigrationCount count) {}
