/** {@code berth run} and {@code berth leases}: starts a command in its domain, and shows the leases of this host. */
@NullMarked
package org.berth.cli.run;

import org.jspecify.annotations.NullMarked;
