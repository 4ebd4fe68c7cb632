package org.berth.experiments;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.DoubleStream;

/**
 * What is said of a few numbers.
 *
 * @param count how many there are
 */
public record Spread(int count, double median, double min, double max) {
    /** Empty when there are no numbers. */
    public static Optional<Spread> of(DoubleStream numbers) {
        double[] sorted = numbers.sorted().toArray();
        return sorted.length == 0
                ? Optional.empty()
                : Optional.of(new Spread(sorted.length, median(sorted), sorted[0], sorted[sorted.length - 1]));
    }

    /** (max - min) / median: 0.1 means that the runs lay within a tenth. 0 when all numbers are equal. */
    public double relative() {
        return max == min ? 0 : (max - min) / median;
    }

    /** Of an even count, the mean of the two in the middle. Leaves the numbers sorted. */
    static double median(double[] numbers) {
        Arrays.sort(numbers);
        int half = numbers.length / 2;
        return numbers.length % 2 == 1 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
    }
}
