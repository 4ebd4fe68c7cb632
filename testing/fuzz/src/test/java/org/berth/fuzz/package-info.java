/**
 * Every parser of ours under input that nobody would write. A target takes any bytes and fails by any exception but the
 * one that its parser documents, and by any result that does not keep what it read.
 */
@NullMarked
package org.berth.fuzz;

import org.jspecify.annotations.NullMarked;
