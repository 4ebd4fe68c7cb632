/** Registers the commands of the wing {@code place} with {@code berth}. */
@NullMarked
package org.berth.cli.place;

import org.jspecify.annotations.NullMarked;
