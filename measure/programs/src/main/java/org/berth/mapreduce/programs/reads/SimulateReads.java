package org.berth.mapreduce.programs.reads;

import java.io.IOException;
import java.util.Locale;
import org.apache.commons.cli.Options;
import org.apache.hadoop.fs.Path;
import org.berth.mapreduce.programs.shared.CommandWords;
import org.berth.mapreduce.programs.shared.Program;
import org.berth.mapreduce.programs.shared.UsageException;

/**
 * Writes reads of a genome with known errors and known duplicates: {@code reads.fastq}, or {@code reads_1.fastq} and
 * {@code reads_2.fastq}, and {@code _truth.tsv}, which jobs that read the folder do not see. The same options give the same files on
 * every machine. Runs in the client: a stream that holds nothing but the genome in memory.
 */
public final class SimulateReads extends Program {
    private static final double BYTES_PER_MEGABYTE = 1e6;
    /** Bytes of a record in addition to bases and qualities: name, separator, ends of lines. */
    private static final int RECORD_BYTES = 14;

    private static final int LONGEST_READ = 100_000;
    private static final double LARGEST_ERROR_RATE = 0.25;
    private static final double LARGEST_AMOUNT = 1e9;

    /** Makes it; run it once. */
    public SimulateReads() {
        super("simulate-reads", "GENOME OUT", "Writes reads of a genome with known errors and known duplicates.");
    }

    @Override
    protected Options options() {
        return new Options()
                .addOption(option("length", "N", "bases of a read; default: 100"))
                .addOption(option("fragments", "N", "number of single reads, or of pairs; default: 100000"))
                .addOption(option("coverage", "X", "how many reads cover a base, in place of --fragments"))
                .addOption(option("scale", "X", "megabytes of FASTQ, in place of --fragments"))
                .addOption(option("insert", "N", "write pairs, the ends of pieces of about N bases"))
                .addOption(option("errors", "X", "mean rate of wrong bases; default: 0.005"))
                .addOption(option("exact", "X", "part of the fragments that are exact copies; default: 0.1"))
                .addOption(option("near", "X", "part of the fragments that are copies with mismatches; default: 0.1"))
                .addOption(option("mismatches", "N", "maximum mismatches of such a copy; default: 3"))
                .addOption(option("seed", "N", "seed of all random numbers; default: 1"));
    }

    @Override
    protected void execute(CommandWords words) throws IOException {
        Simulation simulation = simulation(words);
        Path input = words.input(0);
        Path output = words.output(1);
        Genome genome = Genome.read(getConf(), input);
        long fragments = fragments(words, simulation, genome);
        Simulator simulator = new Simulator(genome, simulation);
        try (SimulationFiles files = new SimulationFiles(getConf(), output, genome, simulation)) {
            for (long number = 0; number < fragments; number++) {
                files.write(number, simulator.fragment(number));
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%d %s of %d bases with errors at a rate of %.6f, from %d bases of %s%n",
                fragments,
                simulation.paired() ? "pairs" : "reads",
                simulation.length(),
                simulator.errorRate(),
                genome.length(),
                input);
    }

    private static Simulation simulation(CommandWords words) {
        int length = words.number("length", 100, 1, LONGEST_READ);
        double exact = words.real("exact", 0.1, 0, 1);
        double near = words.real("near", 0.1, 0, 1);
        if (exact + near > 1) {
            throw new UsageException("--exact and --near are more than 1 together: lower one of them");
        }
        return new Simulation(
                words.longNumber("seed", 1, Long.MIN_VALUE, Long.MAX_VALUE),
                length,
                words.number("insert", 0, length, LONGEST_READ),
                words.real("errors", 0.005, 0, LARGEST_ERROR_RATE),
                exact,
                near,
                words.number("mismatches", 3, 1, length));
    }

    private static long fragments(CommandWords words, Simulation simulation, Genome genome) {
        double bases = (double) simulation.length() * simulation.reads();
        if (words.has("coverage")) {
            return Math.round(words.real("coverage", 0, 0, LARGEST_AMOUNT) * genome.length() / bases);
        }
        if (words.has("scale")) {
            double bytes = BYTES_PER_MEGABYTE * words.real("scale", 0, 0, LARGEST_AMOUNT);
            return Math.round(bytes / (2 * bases + RECORD_BYTES * simulation.reads()));
        }
        return words.longNumber("fragments", 100_000, 0, Long.MAX_VALUE);
    }
}
