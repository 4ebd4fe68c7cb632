package org.berth.experiments.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The errors of interim looks that are fixed beforehand, such that all of them together keep the error that was asked for. The boundary
 * is that of Wang and Tsiatis (Approximately optimal one-parameter boundaries for group sequential trials, Biometrics 43, 1987): early
 * looks get less of the error than late ones, so the last one has almost the power of a comparison that was not looked at. Their
 * parameter {@value #SHAPE} lies between the boundaries of O'Brien and Fleming (0), which all but never ends early, and of Pocock (0.5), which gives all
 * looks the same error and so loses power at the last. Computed by the numerical integration of Armitage, McPherson and Rowe (Repeated significance tests on
 * accumulating data, Journal of the Royal Statistical Society A 132, 1969).
 *
 * @param pairs after which somebody looks, ascending
 * @param errors two-sided, one for each look
 */
public record InterimLooks(List<Integer> pairs, List<Double> errors) {
    /** More looks end an experiment hardly sooner, and cost power. */
    private static final int MOST = 5;

    private static final double SHAPE = 0.25;
    private static final int STEPS = 60;
    private static final int BISECTIONS = 30;

    public InterimLooks {
        pairs = List.copyOf(pairs);
        errors = List.copyOf(errors);
    }

    /** At most {@value #MOST} looks at equal distances, after the first and the last of these pairs, too. */
    public static List<Integer> between(int first, int last) {
        return IntStream.range(0, MOST)
                .map(i -> first + Math.round(i * (last - first) / (float) (MOST - 1)))
                .distinct()
                .boxed()
                .toList();
    }

    /** Looks after these pairs, which together keep the two-sided error. Takes a few milliseconds. */
    public static InterimLooks of(double errorOfAll, List<Integer> pairs) {
        return of(errorOfAll, pairs, SHAPE);
    }

    static InterimLooks of(double errorOfAll, List<Integer> pairs, double shape) {
        double low = 1;
        double high = 8;
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (low + high) / 2;
            if (1 - staysInside(bounds(middle, pairs, shape), pairs) > errorOfAll) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return new InterimLooks(
                pairs,
                Arrays.stream(bounds(high, pairs, shape))
                        .mapToObj(bound -> 2 * (1 - Normal.cumulative(bound)))
                        .toList());
    }

    /** The error of the last look. */
    public double errorOfLast() {
        return errors.get(errors.size() - 1);
    }

    /** In standard deviations of the sum at each look; the last one is {@code bound}. */
    private static double[] bounds(double bound, List<Integer> pairs, double shape) {
        double last = pairs.get(pairs.size() - 1);
        return pairs.stream()
                .mapToDouble(look -> bound * Math.pow(look / last, shape - 0.5))
                .toArray();
    }

    /**
     * The probability that a random walk with normal steps stays below the bounds, in its standard deviations, at each
     * look. It is symmetric, so half of its density, on an even grid for Simpson's rule, is enough.
     */
    static double staysInside(double[] bounds, List<Integer> pairs) {
        double deviation = Math.sqrt(pairs.get(0));
        double step = bounds[0] * deviation / STEPS;
        double[] density = new double[STEPS + 1];
        for (int i = 0; i <= STEPS; i++) {
            density[i] = 2 * Normal.density(i * step / deviation) / deviation;
        }
        for (int look = 1; look < bounds.length; look++) {
            double newStep = bounds[look] * Math.sqrt(pairs.get(look)) / STEPS;
            double between = Math.sqrt(pairs.get(look) - pairs.get(look - 1));
            double[] next = new double[STEPS + 1];
            for (int i = 0; i <= STEPS; i++) {
                double sum = 0;
                for (int j = 0; j <= STEPS; j++) {
                    double to = Normal.density((i * newStep - j * step) / between)
                            + Normal.density((i * newStep + j * step) / between);
                    sum += weight(j) * density[j] * to / between;
                }
                next[i] = sum * step / 3;
            }
            density = next;
            step = newStep;
        }
        double inside = 0;
        for (int i = 0; i <= STEPS; i++) {
            inside += weight(i) * density[i];
        }
        return inside * step / 3;
    }

    private static int weight(int index) {
        if (index == 0 || index == STEPS) {
            return 1;
        }
        return index % 2 == 1 ? 4 : 2;
    }
}
