/** {@code berth probe}: measures transfers between disks, network adapters and classes of cores. */
@NullMarked
package org.berth.cli.probe;

import org.jspecify.annotations.NullMarked;
