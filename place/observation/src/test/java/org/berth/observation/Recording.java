package org.berth.observation;

import java.io.IOException;
import java.io.InputStream;

/** Texts of /proc recorded on a real kernel: a JVM thread named "odd (one) ) x". */
public final class Recording {
    private Recording() {}

    public static byte[] linux618(String file) {
        try (InputStream in = Recording.class.getResourceAsStream("linux-6.18/" + file)) {
            if (in == null) {
                throw new IllegalArgumentException("no recording of " + file);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
