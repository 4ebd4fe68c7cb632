/** {@code berth bind} and {@code berth unbind}: binds a process that runs already, and restores what was before. */
@NullMarked
package org.berth.cli.bind;

import org.jspecify.annotations.NullMarked;
