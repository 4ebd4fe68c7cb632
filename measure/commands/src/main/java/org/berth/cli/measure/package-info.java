/** Registers the commands of the wing {@code measure} with {@code berth}. */
@NullMarked
package org.berth.cli.measure;

import org.jspecify.annotations.NullMarked;
