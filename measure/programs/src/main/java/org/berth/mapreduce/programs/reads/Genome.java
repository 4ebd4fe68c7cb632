package org.berth.mapreduce.programs.reads;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;

/** The sequences of a FASTA file, in memory, one byte for each base. */
final class Genome {
    private final List<String> names = new ArrayList<>();
    private final List<byte[]> sequences = new ArrayList<>();
    private long length;

    private Genome() {}

    /** Reads a file, compressed or not. */
    static Genome read(Configuration conf, Path path) throws IOException {
        Genome genome = new Genome();
        Read read = new Read();
        try (ReadParser parser = ReadFile.of(conf, path).open(0)) {
            while (parser.next(read)) {
                genome.names.add(Text.decode(read.name().getBytes(), 0, read.sharedNameLength()));
                byte[] bases = Arrays.copyOf(read.bases().getBytes(), read.length());
                for (int i = 0; i < bases.length; i++) {
                    // Lower case stands for repeats, which are bases like others.
                    bases[i] = (byte) Character.toUpperCase(bases[i]);
                }
                genome.sequences.add(bases);
                genome.length += bases.length;
            }
        }
        return genome;
    }

    long length() {
        return length;
    }

    String name(int sequence) {
        return names.get(sequence);
    }

    /** Whether a piece of so many bases without unknown ones can start at an offset in all sequences together. */
    boolean has(Place place, int bases) {
        byte[] sequence = sequences.get(place.sequence());
        if (place.position() + bases > sequence.length) {
            return false;
        }
        for (int i = 0; i < bases; i++) {
            if (Bases.complement(sequence[place.position() + i]) == Bases.UNKNOWN) {
                return false;
            }
        }
        return true;
    }

    /** The place of an offset in all sequences together. */
    Place place(long offset) {
        long rest = offset;
        for (int i = 0; i < sequences.size(); i++) {
            if (rest < sequences.get(i).length) {
                return new Place(i, (int) rest);
            }
            rest -= sequences.get(i).length;
        }
        throw new IndexOutOfBoundsException(String.format(Locale.ROOT, "%d of %d bases", offset, length));
    }

    /** Copies bases. */
    byte[] bases(Place place, int count) {
        return Arrays.copyOfRange(sequences.get(place.sequence()), place.position(), place.position() + count);
    }

    /** A base of a sequence. */
    record Place(int sequence, int position) {}
}
