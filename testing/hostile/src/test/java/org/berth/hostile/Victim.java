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

    /** Its ports become those that peers attack. */
    void attack();

    @Override
    void close() throws IOException;
}
