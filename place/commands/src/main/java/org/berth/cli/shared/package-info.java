/**
 * Holds what all commands share: the terminal, output files and JSON, errors, the signal to stop, and the machine that a command
 * examines.
 */
@NullMarked
package org.berth.cli.shared;

import org.jspecify.annotations.NullMarked;
