package org.berth.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * What {@link SoftEdges} decides by: what the threads in the slots did until one moment. As a line of text it is part of a
 * recording, by which decisions can be repeated.
 *
 * @param timeNanos since any fixed moment
 * @param compilerWaitNanos how long the JIT compiler threads of the process have waited for a CPU, summed up
 * @param slots by the number of the slot
 * @since 0.1.0
 */
public record EdgeSample(long timeNanos, long compilerWaitNanos, List<SlotTimes> slots) {
    /** Copies the list. */
    public EdgeSample {
        slots = List.copyOf(slots);
    }

    /** {@code 1500000 0 700000/120000/0 650000/0/400000}: time, compilers' waiting, running/waiting/idle of each slot. */
    public String toText() {
        StringJoiner line = new StringJoiner(" ").add(Long.toString(timeNanos)).add(Long.toString(compilerWaitNanos));
        slots.forEach(slot -> line.add(slot.runNanos() + "/" + slot.waitNanos() + "/" + slot.idleNanos()));
        return line.toString();
    }

    /**
     * Reads what {@link #toText} wrote.
     *
     * @throws IllegalArgumentException when it is something else
     */
    public static EdgeSample parse(String line) {
        String[] words = line.strip().split("[ /]+", -1);
        List<SlotTimes> slots = new ArrayList<>();
        try {
            for (int i = 2; i < words.length; i += 3) {
                slots.add(new SlotTimes(
                        Long.parseLong(words[i]), Long.parseLong(words[i + 1]), Long.parseLong(words[i + 2])));
            }
            return new EdgeSample(Long.parseLong(words[0]), Long.parseLong(words[1]), slots);
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException(
                    "'" + line + "' is no sample of edges: TIME COMPILERS RUN/WAIT/IDLE of each slot", e);
        }
    }
}
