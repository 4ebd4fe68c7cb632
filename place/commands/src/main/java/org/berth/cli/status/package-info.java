/** {@code berth status}: shows where processes may run, where their memory is, and who bound them. */
@NullMarked
package org.berth.cli.status;

import org.jspecify.annotations.NullMarked;
