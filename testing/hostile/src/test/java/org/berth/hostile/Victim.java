package org.berth.hostile;

import java.io.IOException;

/** What is asked again and again, and how long the answer takes. */
interface Victim extends AutoCloseable {
    /** Its name in the table. */
    String name();

    /** Asks once and waits for the right answer. */
    void ask() throws Exception;

    /** Between two questions. */
    long pauseMillis();

    /** Who has the ports that peers attack, by the name under which {@link Ports} has them. */
    void attack() throws IOException;

    @Override
    void close() throws IOException;
}
