/** {@code HostDivision} divides a host into domains for processes of one size; which one each gets is decided by leases. */
@NullMarked
package org.berth.placement.internal.host;

import org.jspecify.annotations.NullMarked;
