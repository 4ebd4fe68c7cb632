/**
 * Finds a thread of a process that still lives, and parses the mounts that this process sees, for the other packages of this module. It
 * is no part of the API.
 */
@NullMarked
package org.berth.observation.internal.process;

import org.jspecify.annotations.NullMarked;
