package org.berth.mapreduce.programs.reads;

import org.apache.hadoop.io.Text;

/** A read, and what it would be without errors. */
final class SimulatedRead {
    private final byte[] truth;
    private final byte[] bases;
    private final byte[] qualities;

    private SimulatedRead(byte[] truth, byte[] bases, byte[] qualities) {
        this.truth = truth;
        this.bases = bases;
        this.qualities = qualities;
    }

    /** Draws qualities, and errors as often as these say. */
    static SimulatedRead of(byte[] truth, QualityModel model, Draws draws) {
        byte[] bases = truth.clone();
        byte[] qualities = new byte[bases.length];
        for (int i = 0; i < bases.length; i++) {
            int quality = model.quality(i, draws);
            qualities[i] = (byte) quality;
            if (draws.unit() < QualityModel.probability(quality)) {
                bases[i] = Bases.other(bases[i], draws);
            }
        }
        return new SimulatedRead(truth, bases, qualities);
    }

    /** The bases of the genome. */
    byte[] truth() {
        return truth;
    }

    int quality(int position) {
        return qualities[position];
    }

    /** Makes a base wrong. */
    void spoil(int position, Draws draws) {
        bases[position] = Bases.other(bases[position], draws);
    }

    /** Makes all qualities better or worse. */
    void shiftQualities(int shift) {
        for (int i = 0; i < qualities.length; i++) {
            qualities[i] = (byte) Math.min(QualityModel.HIGHEST, Math.max(QualityModel.LOWEST, qualities[i] + shift));
        }
    }

    void fill(Read read, Text name) {
        read.name().set(name);
        read.bases().set(bases);
        byte[] letters = new byte[qualities.length];
        for (int i = 0; i < letters.length; i++) {
            letters[i] = (byte) (Read.QUALITY_ZERO + qualities[i]);
        }
        read.qualities().set(letters);
        read.hasQualities(true);
    }
}
