package org.berth.cli.study;

import java.util.ArrayList;
import java.util.List;

/** A program that collects by request for as long as samples need to see it. */
final class CollectorSubject {
    /** Collections that it asks for. */
    static final int COLLECTIONS = 10;

    private static final int MILLIS = 60;

    private CollectorSubject() {}

    public static void main(String[] arguments) throws InterruptedException {
        List<byte[]> kept = new ArrayList<>();
        for (int i = 0; i < COLLECTIONS; i++) {
            kept.add(new byte[100_000]);
            System.gc();
            Thread.sleep(MILLIS);
        }
        System.out.println(kept.size());
    }
}
