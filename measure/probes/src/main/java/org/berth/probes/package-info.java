/** Pure transfers, to a disk past the page cache or from a network peer, by one thread bound to one place after the other. */
@NullMarked
package org.berth.probes;

import org.jspecify.annotations.NullMarked;
