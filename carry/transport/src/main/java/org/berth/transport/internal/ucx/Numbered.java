package org.berth.transport.internal.ucx;

import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The links of a worker by their numbers, which stand in the header of each message. A number is looked up for every
 * message that arrives, so it names the link's place, and no object is made of it. Thread-safe.
 *
 * @param <T> the links
 */
final class Numbered<T> {
    private static final int FIRST_PLACES = 16;

    private record Entry<T>(long number, T link) {}

    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    private volatile AtomicReferenceArray<@Nullable Entry<T>> places = new AtomicReferenceArray<>(0);

    /**
     * The upper half of the next number: a message for a link that was here before is not taken for one to its
     * successor.
     */
    private int serial = new SecureRandom().nextInt();

    /** The number of the link from now on. */
    synchronized long add(T link) {
        if (free.isEmpty()) {
            grow();
        }
        int place = free.remove();
        long number = (long) serial++ << Integer.SIZE | place;
        places.set(place, new Entry<>(number, link));
        return number;
    }

    private void grow() {
        AtomicReferenceArray<@Nullable Entry<T>> before = places;
        AtomicReferenceArray<@Nullable Entry<T>> more =
                new AtomicReferenceArray<>(Math.max(FIRST_PLACES, 2 * before.length()));
        for (int place = 0; place < more.length(); place++) {
            if (place < before.length()) {
                more.set(place, before.get(place));
            } else {
                free.add(place);
            }
        }
        places = more;
    }

    /** Null when none has this number, as peers may send any. */
    @Nullable
    T find(long number) {
        Entry<T> entry = entry(number);
        return entry == null ? null : entry.link();
    }

    private @Nullable Entry<T> entry(long number) {
        AtomicReferenceArray<@Nullable Entry<T>> now = places;
        int place = (int) number;
        Entry<T> entry = place >= 0 && place < now.length() ? now.get(place) : null;
        return entry != null && entry.number() == number ? entry : null;
    }

    /** Does nothing the second time. */
    synchronized void remove(long number) {
        if (entry(number) != null) {
            places.set((int) number, null);
            free.add((int) number);
        }
    }

    /** Calls the action for each present link; it may add and remove links. */
    void forEach(Consumer<T> action) {
        AtomicReferenceArray<@Nullable Entry<T>> now = places;
        for (int place = 0; place < now.length(); place++) {
            Entry<T> entry = now.get(place);
            if (entry != null) {
                action.accept(entry.link());
            }
        }
    }
}
