/**
 * Runs the same work under several arms and reports the differences: {@code berth compare}. The package holds the command, its options,
 * the kinds of work that it compares, and the study of affinity; its parts lie in the packages below.
 */
@NullMarked
package org.berth.cli.compare;

import org.jspecify.annotations.NullMarked;
