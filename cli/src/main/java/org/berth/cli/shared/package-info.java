/** What all commands share: the terminal, output files, errors, arguments, and the machine that a command is about. */
@NullMarked
package org.berth.cli.shared;

import org.jspecify.annotations.NullMarked;
