/**
 * Spark's shuffle over Berth's transport: {@link org.berth.shuffle.BerthShuffleManager} is what {@code spark.shuffle.manager}
 * names. Spark writes and sorts as always; only the blocks that a reducer fetches from another executor take another way.
 *
 * <p>Read {@code ShuffleEngine} first: it connects the server ({@code BlockServer}, {@code ServedPeer}), the client
 * ({@code TransportBlockClient}, {@code Peers}, {@code PeerLink}) and the driver's {@code AddressBook}.
 */
@NullMarked
package org.berth.shuffle;

import org.jspecify.annotations.NullMarked;
