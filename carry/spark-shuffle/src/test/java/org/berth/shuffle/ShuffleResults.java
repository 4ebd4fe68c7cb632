package org.berth.shuffle;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** What {@link ShuffleProgram} comes to, by plain Java. */
final class ShuffleResults {
    private ShuffleResults() {}

    static String sorted() {
        return Long.toString(ShuffleProgram.checksum(IntStream.range(0, ShuffleProgram.SORTED)
                .boxed()
                .sorted((a, b) -> Integer.compare(ShuffleProgram.mix(a), ShuffleProgram.mix(b)))
                .map(number -> ShuffleProgram.mix(number) * 31L + number)
                .toList()));
    }

    static String grouped() {
        Map<Integer, Long> sums = new TreeMap<>();
        IntStream.range(0, ShuffleProgram.SORTED)
                .forEach(number -> sums.merge(number % ShuffleProgram.GROUPS, (long) number, Long::sum));
        return sums.toString();
    }

    static String big() {
        return Long.toString(ShuffleProgram.checksum(IntStream.range(0, 2)
                .mapToLong(reducer -> IntStream.range(0, ShuffleProgram.BIG_MAPS)
                        .mapToLong(map -> Arrays.hashCode(ShuffleProgram.bigValue(map, reducer)))
                        .sum())
                .boxed()
                .toList()));
    }
}
