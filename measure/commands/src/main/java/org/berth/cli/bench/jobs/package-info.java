/**
 * Knows the jobs that can be compared by name: their programs, their data, and the arms that each of them offers, such as engines,
 * policies and ways of messages.
 */
@NullMarked
package org.berth.cli.bench.jobs;

import org.jspecify.annotations.NullMarked;
