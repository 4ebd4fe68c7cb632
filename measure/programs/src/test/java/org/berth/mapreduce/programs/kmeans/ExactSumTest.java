package org.berth.mapreduce.programs.kmeans;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.junit.jupiter.api.Test;

/** Sums in any order, in one piece or in parts that were written and read, are the nearest double to the true sum. */
class ExactSumTest {
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    private double number(int kind) {
        double number = random.nextGaussian();
        return switch (kind) {
            case 0 -> Math.rint(number * 100);
            case 1 -> number;
            // From the smallest numbers to large ones, which cancel each other out mostly.
            default -> Math.scalb(number, random.nextInt(1500) - 1074);
        };
    }

    private static ExactSum copy(ExactSum sum) throws IOException {
        DataOutputBuffer out = new DataOutputBuffer();
        sum.write(new DataOutputStream(out));
        DataInputBuffer in = new DataInputBuffer();
        in.reset(out.getData(), out.getLength());
        ExactSum copy = new ExactSum();
        copy.readFields(in);
        assertThat(in.read()).isEqualTo(-1);
        return copy;
    }

    @Test
    void isTheNearestDoubleInAnyOrder() throws IOException {
        for (int round = 0; round < 600; round++) {
            List<Double> numbers = new ArrayList<>();
            BigDecimal truth = BigDecimal.ZERO;
            for (int i = random.nextInt(60); i > 0; i--) {
                double number = number(round % 3);
                numbers.add(number);
                truth = truth.add(new BigDecimal(number));
                if (random.nextInt(4) == 0) {
                    numbers.add(-number);
                    truth = truth.subtract(new BigDecimal(number));
                }
            }
            Collections.shuffle(numbers, random);
            ExactSum all = new ExactSum();
            ExactSum part = new ExactSum();
            for (double number : numbers) {
                part.add(number);
                if (random.nextInt(5) == 0) {
                    all.add(copy(part));
                    part.clear();
                }
            }
            all.add(part);
            assertThat(all.value()).as("seed " + seed + ", round " + round).isEqualTo(truth.doubleValue());
        }
    }
}
