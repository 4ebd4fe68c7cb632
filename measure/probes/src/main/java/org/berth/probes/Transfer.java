package org.berth.probes;

import java.io.IOException;

/** Moves a message of a fixed size again and again. Opened, used and closed by one thread. */
public interface Transfer extends AutoCloseable {
    /** How one is opened, on the thread that will use it and after it was bound, so that its buffer lies near. */
    interface Opening {
        /** Opens it. Throws with a line that says what cannot be done, on what and why. */
        Transfer open() throws IOException;
    }

    /** Moves one message and returns when all of it has arrived. */
    void move() throws IOException;

    @Override
    void close() throws IOException;
}
