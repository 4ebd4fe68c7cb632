/**
 * Divides the domains of a host among its processes by a ledger of leases in a directory, without a coordinator. Start with {@code
 * Leases}.
 */
@NullMarked
package org.berth.binding.leases;

import org.jspecify.annotations.NullMarked;
