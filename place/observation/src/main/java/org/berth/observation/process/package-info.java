/**
 * Tells what holds a process: its arguments, its children, its open files, its PID namespace, and the limits of its control groups. It
 * also reads the environment of the caller of the {@code berth} script.
 */
@NullMarked
package org.berth.observation.process;

import org.jspecify.annotations.NullMarked;
