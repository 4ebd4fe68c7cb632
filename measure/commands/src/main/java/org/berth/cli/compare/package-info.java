/**
 * Runs the same work under several arms and reports the differences: {@code berth compare}. The package holds the command
 * and what {@code bench} and {@code study} take from it; its parts lie in the packages below.
 */
@NullMarked
package org.berth.cli.compare;

import org.jspecify.annotations.NullMarked;
