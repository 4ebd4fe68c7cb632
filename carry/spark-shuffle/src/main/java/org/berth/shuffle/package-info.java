/**
 * Carries Spark's shuffle blocks over Berth's transport: {@code BerthShuffleManager} is what {@code spark.shuffle.manager} names. Spark
 * writes and sorts as always; only the blocks that a reducer fetches from another executor take another way. Read {@code ShuffleEngine}
 * first: it connects the server, the client and the driver's {@code AddressBook}.
 */
@NullMarked
package org.berth.shuffle;

import org.jspecify.annotations.NullMarked;
