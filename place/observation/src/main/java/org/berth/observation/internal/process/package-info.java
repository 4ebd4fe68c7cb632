/**
 * Tells what holds a process: its arguments, its children, its open files, its mounts, its PID namespace, and the limits of its control
 * groups. It is no part of the API: Berth's own programs use it.
 */
@NullMarked
package org.berth.observation.internal.process;

import org.jspecify.annotations.NullMarked;
