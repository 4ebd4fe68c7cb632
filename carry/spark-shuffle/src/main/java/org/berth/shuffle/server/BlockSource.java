package org.berth.shuffle.server;

import org.apache.spark.network.buffer.ManagedBuffer;
import org.berth.shuffle.shared.BlockNumbers;

/** The blocks that an executor has. Thread-safe. */
@FunctionalInterface
public interface BlockSource {
    /**
     * Returns a block, to be released by the caller.
     *
     * @throws Exception when it is not there; Scala's methods throw checked exceptions that they do not declare
     */
    ManagedBuffer open(BlockNumbers block) throws Exception;
}
