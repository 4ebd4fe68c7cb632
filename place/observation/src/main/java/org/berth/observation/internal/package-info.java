/**
 * Reads files of {@code /proc} quickly and creates files that other users cannot tamper with. Berth's modules share it, and it is no
 * part of the API.
 */
@NullMarked
package org.berth.observation.internal;

import org.jspecify.annotations.NullMarked;
