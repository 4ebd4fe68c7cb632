/** {@code berth plan}: shows where threads would go and why; the options of placement that other commands share. */
@NullMarked
package org.berth.cli.plan;

import org.jspecify.annotations.NullMarked;
