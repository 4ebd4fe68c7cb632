package org.berth.shuffle.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Tells where an executor listens. */
@FunctionalInterface
public interface AddressLookup {
    /** Returns {@code host:port}; null if the executor is not known. */
    @Nullable
    String find(String executor) throws IOException;
}
