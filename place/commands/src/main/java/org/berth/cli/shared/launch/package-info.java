/** Finds and checks the programs that commands start, and tells which memory policy they would inherit. */
@NullMarked
package org.berth.cli.shared.launch;

import org.jspecify.annotations.NullMarked;
