/** Registers the commands of the wing {@code carry} with {@code berth}. */
@NullMarked
package org.berth.cli.carry;

import org.jspecify.annotations.NullMarked;
