/** Classes that all commands share: terminal, output files, errors, arguments, and the machine that a command examines. */
@NullMarked
package org.berth.cli.shared;

import org.jspecify.annotations.NullMarked;
