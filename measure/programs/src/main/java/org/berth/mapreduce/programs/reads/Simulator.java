package org.berth.mapreduce.programs.reads;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Fragments with known errors and known duplicates. Everything about a fragment follows from the seed and its number, so that a copy of
 * an earlier fragment needs no memory of it.
 */
final class Simulator {
    private static final int KIND = 1;
    private static final int PLACE = 2;
    private static final int ERRORS = 3;
    private static final int COPY = 4;

    private static final int LARGEST_SHIFT = 2;
    /** A pair's fragment is this part of the mean longer or shorter, at most. */
    private static final double INSERT_SPREAD = 0.1;

    private static final int TRIES = 10_000;

    private final Genome genome;
    private final Simulation simulation;
    private final QualityModel model;

    Simulator(Genome genome, Simulation simulation) {
        if (genome.length() == 0) {
            throw new IllegalArgumentException("the genome has no bases");
        }
        this.genome = genome;
        this.simulation = simulation;
        this.model = QualityModel.of(simulation.length(), simulation.errors());
    }

    /** Mean rate of wrong bases, which the steps of qualities make slightly different from the wanted one. */
    double errorRate() {
        return model.rate();
    }

    /** The fragment of a number. */
    SimulatedFragment fragment(long number) {
        long root = number;
        double kind = 1;
        for (boolean copy = true; copy; ) {
            Draws draws = new Draws(simulation.seed(), root, KIND);
            double drawn = draws.unit();
            copy = root > 0 && drawn < simulation.exact() + simulation.near();
            if (root == number) {
                kind = copy ? drawn : 1;
            }
            if (copy) {
                root = draws.below(root);
            }
        }
        SimulatedFragment fragment = original(root);
        if (root == number) {
            return fragment;
        }
        boolean exact = kind < simulation.exact();
        copy(fragment.reads(), exact, new Draws(simulation.seed(), number, COPY));
        return fragment.copiedAs(exact ? Kind.EXACT : Kind.NEAR);
    }

    private SimulatedFragment original(long number) {
        Draws draws = new Draws(simulation.seed(), number, PLACE);
        for (int i = 0; i < TRIES; i++) {
            int bases = simulation.length();
            if (simulation.paired()) {
                double stretch = 1 + INSERT_SPREAD * (2 * draws.unit() - 1);
                bases = Math.max(bases, (int) Math.round(simulation.insert() * stretch));
            }
            Genome.Place place = genome.place(draws.below(genome.length()));
            boolean reverse = draws.below(2) == 1;
            if (genome.has(place, bases)) {
                byte[] template = genome.bases(place, bases);
                if (reverse) {
                    Bases.reverseComplement(template);
                }
                return new SimulatedFragment(number, place, bases, reverse, Kind.ORIGINAL, reads(number, template));
            }
        }
        throw new IllegalArgumentException(String.format(
                Locale.ROOT,
                "the genome has no %d known bases in a row",
                Math.max(simulation.length(), simulation.insert())));
    }

    private List<SimulatedRead> reads(long number, byte[] template) {
        Draws draws = new Draws(simulation.seed(), number, ERRORS);
        List<SimulatedRead> reads = new ArrayList<>();
        reads.add(SimulatedRead.of(Arrays.copyOf(template, simulation.length()), model, draws));
        if (simulation.paired()) {
            byte[] end = Arrays.copyOfRange(template, template.length - simulation.length(), template.length);
            Bases.reverseComplement(end);
            reads.add(SimulatedRead.of(end, model, draws));
        }
        return reads;
    }

    /** A copy has better or worse qualities than its original, and mismatches rather where the quality is low. */
    private void copy(List<SimulatedRead> reads, boolean exact, Draws draws) {
        int shift = (int) draws.below(2 * LARGEST_SHIFT + 1) - LARGEST_SHIFT;
        reads.forEach(read -> read.shiftQualities(shift));
        long mismatches = exact ? 0 : 1 + draws.below(simulation.mismatches());
        Set<Long> changed = new HashSet<>();
        while (changed.size() < mismatches) {
            long position = draws.below((long) reads.size() * simulation.length());
            SimulatedRead read = reads.get((int) (position / simulation.length()));
            int base = (int) (position % simulation.length());
            if (draws.unit() < QualityModel.probability(read.quality(base)) && changed.add(position)) {
                read.spoil(base, draws);
            }
        }
    }

    /** What a fragment is. */
    enum Kind {
        ORIGINAL,
        EXACT,
        NEAR
    }

    /**
     * A fragment with its origin.
     *
     * @param cluster number of the fragment of which this is a copy, or its own
     * @param bases length in the genome
     */
    record SimulatedFragment(
            long cluster, Genome.Place place, int bases, boolean reverse, Kind kind, List<SimulatedRead> reads) {
        private SimulatedFragment copiedAs(Kind other) {
            return new SimulatedFragment(cluster, place, bases, reverse, other, reads);
        }
    }
}
